#include "record/fit/turn.h"

#include "record/fit/owner.h"
#include "record/fit/term.h"

#include <inttypes.h>

/* ---- loops that repeat themselves ---- */

int64_t period_trip(const struct search *search, const struct period *period, size_t place)
{
    const struct fit_sample *sample = &search->beyond[place];
    return sample->index[period->loop] / period->stretch %
           (period->trips == PERIOD_NUMPROCS ? sample->numprocs : period->trips);
}

const char *period_text(struct search *search, const struct period *period)
{
    const char *loop = search->names->loop[period->loop];
    if (period->stretch > 1)
        loop = search_text(search, "%s/%" PRId64, loop, period->stretch);
    return period->trips == PERIOD_NUMPROCS ? search_text(search, "%s%%%s", loop, search->names->numprocs)
                                            : search_text(search, "%s%%%d", loop, (int)period->trips);
}

void periods_seek(struct search *search)
{
    for (int loop = 0; loop < search->names->n_loops; loop++)
        search->n_periods += periods_find(&search->periods[search->n_periods], loop, search->n, search->samples);
}

void periods_add(struct search *search)
{
    const char *P_ = search->names->numprocs;
    for (int i = 0; i < search->n_periods; i++) {
        const struct period *period = &search->periods[i];
        const char *trip = period_text(search, period);
        EACH(period_trip(search, period, k_)); whole_add(search, trip);
        if (period->trips == PERIOD_NUMPROCS) {
            EACH((p + period_trip(search, period, k_)) % P);
            whole_add(search, search_text(search, "(%s+%s)%%%s", search->names->procnum, trip, P_));
            EACH((P - period_trip(search, period, k_)) % P);
            whole_add(search, search_text(search, "(%s-%s)%%%s", P_, trip, P_));
        }
    }
}

void periods_add_tests(struct search *search)
{
    for (int i = 0; i < search->n_periods; i++) {
        const struct period *period = &search->periods[i];
        for (int k = 0; k < period->n_odd; k++) {
            EACH(period_trip(search, period, k_) == period->odd[k]);
            test_add(search, search_text(search, "%s == %d", period_text(search, period), (int)period->odd[k]));
        }
    }
}

/* Those that have a number of their own among the tests (condition.c). */
enum { NUMBERED = 4 };

void odd_trips_add_tests(struct search *search, int loop)
{
    int64_t odd[PERIOD_ODD];
    const int n = odd_trips_find(odd, loop, search->n, search->samples);
    for (int k = 0; k < n; k++)
        if (odd[k] >= NUMBERED) {
            EACH(s->index[loop] == odd[k]);
            test_add(search, search_text(search, "%s == %" PRId64, search->names->loop[loop], odd[k]));
        }
}

/* ---- whose turn it is ---- */

bool search_has_workers(const struct search *search)
{
    for (size_t i = 0; i < search->n; i++)
        if (search->samples[i].numprocs < 2)
            return false;
    return true;
}

/* Is there one thing at least for each process, wherever it was recorded? */
static bool owners_have(const struct search *search, const struct owner_total *total)
{
    for (size_t i = 0; i < search->n; i++)
        if (owner_total_at(search, total, i) < search->samples[i].numprocs)
            return false;
    return true;
}

/* Calls `add_it` for whom each trip of a loop is about, among all processes but the first `without`: search->work says who. */
static void add_owners_of(struct search *search, int loop, const struct owner_total *total, int without,
                          void (*add_it)(struct search *search, const char *who))
{
    const char *P_ = search->names->numprocs, *E = without > 0 ? search_text(search, "(%s-%d)", P_, without) : P_;
    for (enum owner_kind kind = 0; kind < OWNER_KINDS; kind++) {
        EACH(owner_of(kind, s->index[loop], owner_total_at(search, total, k_), P - without) + without);
        const char *who = owner_text(search, kind, search->names->loop[loop], total->text, E);
        add_it(search, without > 0 ? search_text(search, "%s+%d", who, without) : who);
    }
}

/* Among all, and among the workers of process 0. */
static void add_owners(struct search *search, int loop, void (*add_it)(struct search *search, const char *who))
{
    struct owner_total totals[OWNER_TOTALS];
    const int n = owner_totals(search, loop, totals);
    for (int without = 0; without <= search_has_workers(search); without++)
        for (int i = 0; i < n; i++)
            if (owners_have(search, &totals[i]))
                add_owners_of(search, loop, &totals[i], without, add_it);
}

/* Itself; and of what comes to a process behind his own turn. */
static void add_owner(struct search *search, const char *who)
{
    whole_add(search, who);
    for (size_t i = 0; i < search->m; i++)
        search->work[i] += search->beyond[i].procnum + 1;
    whole_add(search, search_text(search, "%s+1+%s", search->names->procnum, who));
}

static void add_owner_test(struct search *search, const char *who)
{
    for (size_t i = 0; i < search->m; i++)
        search->work[i] = search->work[i] == search->beyond[i].procnum;
    test_add(search, search_text(search, "%s == %s", who, search->names->procnum));
}

void owners_add(struct search *search, int loop)
{
    add_owners(search, loop, add_owner);
}

void owners_add_tests(struct search *search, int loop)
{
    add_owners(search, loop, add_owner_test);
}

/* Of two loops within each other that are one: all processes, the workers of process 0, or all others, in each trip of the outer
 * one. */
void rounds_add(struct search *search, int loop)
{
    const char *P_ = search->names->numprocs, *t = search->names->loop[loop];
    for (int without = search_has_workers(search); without >= 0; without--) {
        const char *E = without ? search_text(search, "(%s-1)", P_) : P_;
#define E_IS (P - without > 0 ? P - without : 1)
        EACH(s->index[loop] / E_IS); whole_add(search, search_text(search, "%s/%s", t, E));
        EACH(s->index[loop] % E_IS); whole_add(search, search_text(search, "%s%%%s", t, E));
        EACH(s->index[loop] % E_IS + 1); whole_add(search, search_text(search, "%s%%%s+1", t, E));
        if (without) {
            EACH(s->index[loop] % E_IS + (s->index[loop] % E_IS >= p));
            whole_add(search, search_text(search, "(%s%%%s < %s ? %s%%%s : %s%%%s+1)", t, E, search->names->procnum, t, E, t, E));
            EACH((p + 1 + s->index[loop] % E_IS) % P); /* all others, from the next one on or from the one before */
            whole_add(search, search_text(search, "(%s+1+%s%%%s)%%%s", search->names->procnum, t, E, P_));
            EACH((p + P - 1 - s->index[loop] % E_IS) % P);
            whole_add(search, search_text(search, "(%s+%s-1-%s%%%s)%%%s", search->names->procnum, P_, t, E, P_));
        }
#undef E_IS
    }
}
