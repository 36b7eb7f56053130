#include "record/fit/tree.h"

#include "directives/value.h"
#include "record/fit/binomial.h"
#include "record/fit/number.h"
#include "record/fit/term.h"

const char *search_low_reach(struct search *search)
{
    const char *p_ = search->names->procnum;
    return search_text(search, "lowbit(%s, 2*(%s-%s)-1)", p_, search->names->numprocs, p_);
}

void tree_add_partners(struct search *search)
{
    const char *p_ = search->names->procnum, *P_ = search->names->numprocs;
    EACH(p - value_lowbit(p, P)); whole_add(search, search_text(search, "%s-lowbit(%s, %s)", p_, p_, P_));
    EACH(p - binomial_step(p) / 2); whole_add(search, search_text(search, "%s-round(pow(2, ilog2(2*%s+1)))/2", p_, p_));
    for (int i = 0; i < search->names->n_loops; i++) {
        const char *name = search->names->loop[i];
        EACH(p + number_halved(binomial_reach(p, P) / 2, s->index[i]));
        whole_add(search, search_text(search, "%s+%s/2/round(pow(2, %s))", p_, search_low_reach(search), name));
        EACH(p + number_power2(number_log2(2 * p + 1) + s->index[i]));
        whole_add(search, search_text(search, "%s+round(pow(2, ilog2(2*%s+1)+%s))", p_, p_, name));
    }
}

/* How many a process sends to. */
void tree_add_counts(struct search *search)
{
    const char *p_ = search->names->procnum, *P_ = search->names->numprocs;
    EACH(number_log2(binomial_reach(p, P))); whole_add(search, search_text(search, "ilog2(%s)", search_low_reach(search)));
    EACH(number_log2(2 * ((P - 1 - p) / binomial_step(p)) + 1));
    whole_add(search, search_text(search, "ilog2(2*((%s-1-%s)/round(pow(2, ilog2(2*%s+1))))+1)", P_, p_, p_));
}

void tree_add_tests(struct search *search)
{
    const char *p_ = search->names->procnum, *P_ = search->names->numprocs;
    EACH(binomial_reach(p, P) > 1); test_add(search, search_text(search, "%s > 1", search_low_reach(search)));
    EACH(p + binomial_step(p) < P);
    test_add(search, search_text(search, "%s+round(pow(2, ilog2(2*%s+1))) < %s", p_, p_, P_));
}
