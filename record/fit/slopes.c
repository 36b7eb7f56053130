#include "record/fit/slopes.h"

#include "record/fit/binomial.h"
#include "record/fit/number.h"
#include "record/fit/tree.h"
#include "record/fit/turn.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void add_slope(struct search *search, const char *text, const char *part, const double value[])
{
    search->slopes = alloc_grow(search->slopes, search->n_slopes, &search->slopes_capacity, sizeof *search->slopes);
    struct slope *new = &search->slopes[search->n_slopes++];
    new->text = text;
    new->part = part;
    new->grids = search->grids;
    new->value = arena_alloc(search->memory, search->m, sizeof *value);
    memcpy(new->value, value, search->m * sizeof *value);
}

#define SLOPE(text, expression) SLOPE_OF(text, NULL, expression)
#define SLOPE_OF(text, part, expression)                                           \
    do {                                                                  \
        for (size_t k_ = 0; k_ < search->m; k_++) {                       \
            const struct fit_sample *s = &search->beyond[k_];             \
            double P = s->numprocs;                                       \
            (void)P;                                                      \
            x[k_] = (expression);                                         \
        }                                                                 \
        add_slope(search, text, part, x);                                       \
    } while (0)

void slopes_make(struct search *search)
{
    const struct fit_names *names = search->names;
    const char *P_ = names->numprocs;
    double *x = alloc_array(search->m, sizeof *x);
    SLOPE(search_text(search, "/%s", P_), 1 / P);
    SLOPE(search_text(search, "*%s", P_), P);
    SLOPE(search_text(search, "/%s/%s", P_, P_), 1 / P / P);
    SLOPE(search_text(search, "*ilog2(%s)", P_), (double)number_log2(s->numprocs));
    for (size_t a = 2; a < search->n_parts; a++) {
        const char *part = search->parts[a].text;
        search->grids = search->parts[a].grids;
        SLOPE_OF(search_text(search, "/%s", part), part, 1 / (double)search->parts[a].value[k_]);
        SLOPE_OF(search_text(search, "*%s", part), part, (double)search->parts[a].value[k_]);
    }
    search->grids = 0;
    for (int i = 0; i < names->n_loops; i++) {
        SLOPE(search_text(search, "*%s", names->loop[i]), (double)s->index[i]);
        SLOPE(search_text(search, "/pow(2, %s)", names->loop[i]), pow(2, -(double)s->index[i]));
        SLOPE(search_text(search, "/pow(4, %s)", names->loop[i]), pow(4, -(double)s->index[i]));
    }
    for (int i = 0; i < names->n_loops; i++)
        for (int without = search_has_workers(search); without >= 0; without--) { /* as rounds_add */
            const char *round = search_text(search, "(%s/%s)", names->loop[i], without ? search_text(search, "(%s-1)", P_) : P_);
            SLOPE_OF(search_text(search, "*%s", round), round,
                     s->numprocs > without ? (double)(s->index[i] / (s->numprocs - without)) : (double)s->index[i]);
        }
    for (int i = 0; i < search->n_periods; i++)
        SLOPE(search_text(search, "*(%s)", period_text(search, &search->periods[i])),
              (double)period_trip(search, &search->periods[i], k_));
    for (int i = 0; i < names->n_params; i++) {
        const char *name = names->param[i];
#define VALUE ((double)names->values[i][s->recording])
        SLOPE(search_text(search, "*%s", name), VALUE);
        SLOPE(search_text(search, "*%s/%s", name, P_), VALUE / P);
        SLOPE(search_text(search, "*%s*%s", name, name), VALUE * VALUE);
        SLOPE(search_text(search, "*%s*%s/%s", name, name, P_), VALUE * VALUE / P);
        SLOPE(search_text(search, "*%s*%s/%s/%s", name, name, P_, P_), VALUE * VALUE / P / P);
        SLOPE(search_text(search, "*pow(%s, 3)/%s", name, P_), VALUE * VALUE * VALUE / P);
        SLOPE(search_text(search, "*%s*log2(%s)/%s", name, name, P_), VALUE * log2(VALUE > 1 ? VALUE : 1) / P);
        SLOPE(search_text(search, "*%s*%s*log2(%s)/%s", name, name, name, P_), VALUE * VALUE * log2(VALUE > 1 ? VALUE
                                                                                               : 1) / P);
#undef VALUE
    }
    free(x);
}

void slopes_make_sides(struct search *search)
{
    double *x = alloc_array(search->m, sizeof *x);
    const char *p_ = search->names->procnum, *P_ = search->names->numprocs;
    SLOPE(search_text(search, "*%s", p_), s->procnum);
    SLOPE(search_text(search, "*%s/%s", p_, P_), s->procnum / P);
    SLOPE(search_text(search, "*(%s-1-%s)", P_, p_), P - 1 - s->procnum);
    SLOPE(search_text(search, "*(%s-1-%s)/%s", P_, p_, P_), (P - 1 - s->procnum) / P);
    free(x);
}

void slopes_make_trees(struct search *search)
{
    double *x = alloc_array(search->m, sizeof *x);
    const char *p_ = search->names->procnum, *P_ = search->names->numprocs;
    const char *far = search_text(search, "%s-%s", P_, p_);
#define TREE_SLOPES(text, expression)                                                     \
    do {                                                                                  \
        const char *below_ = (text);                                                      \
        SLOPE_OF(search_text(search, "*%s", below_), below_, (double)(expression));       \
        SLOPE(search_text(search, "*%s/%s", below_, P_), (double)(expression) / P);       \
    } while (0)
    TREE_SLOPES(search_text(search, "min(lowbit(%s, 2*%s-1), %s)", p_, P_, far), binomial_below(s->procnum, s->numprocs));
    for (int i = 0; i < search->names->n_loops; i++) {
        const char *more = search_text(search, "round(pow(2, %s))", search->names->loop[i]);
        const char *less = search_text(search, "%s/2/%s", search_low_reach(search), more);
        TREE_SLOPES(search_text(search, "min(%s, %s-%s)", more, far, more),
                    binomial_below_next(s->procnum, s->numprocs, number_power2(s->index[i])));
        TREE_SLOPES(search_text(search, "min(%s, %s-%s)", less, far, less),
                    binomial_below_next(s->procnum, s->numprocs,
                                        number_halved(binomial_reach(s->procnum, s->numprocs) / 2, s->index[i])));
    }
#undef TREE_SLOPES
    free(x);
}
