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

/* A side with its borders, or without them: of two sizes n a line a + b n gives any two values, b (n + 2) few. */
static void add_bordered(struct search *search, double x[])
{
    static const int more[] = {2, 1, -1, -2};
    const struct fit_names *names = search->names;
    for (int i = 0; i < names->n_params; i++)
        for (size_t k = 0; k < sizeof more / sizeof *more; k++)
            SLOPE(search_text(search, "*(%s%+d)", names->param[i], more[k]), (double)(names->values[i][s->recording] + more[k]));
}

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
    add_bordered(search, x);
    free(x);
}

/* Has an extent been the same in all that was seen? Then a share of it is no share that anybody has seen. */
static bool is_same(const struct search *search, const int64_t extent[])
{
    for (size_t i = 1; i < search->n; i++)
        if (extent[i] != extent[0])
            return false;
    return true;
}

#define VALUE(i) ((double)names->values[i][s->recording])
/* What parameters say, in shares of an extent, [m]; the text of the extent is that of a divisor. */
static void add_shares(struct search *search, const char *text, const int64_t extent[], double x[])
{
    const struct fit_names *names = search->names;
    if (is_same(search, extent))
        return;
    for (int i = 0; i < names->n_params; i++) {
        const char *name = names->param[i];
        SLOPE(search_text(search, "*%s/%s", name, text), VALUE(i) / (double)extent[k_]);
        for (int k = i; k < names->n_params; k++)
            SLOPE(search_text(search, "*%s*%s/%s", name, names->param[k], text), VALUE(i) * VALUE(k) / (double)extent[k_]);
    }
}

/* Of two parameters: all, and the share of a process. */
static void add_products(struct search *search, double x[])
{
    const struct fit_names *names = search->names;
    for (int i = 0; i < names->n_params; i++)
        for (int k = i + 1; k < names->n_params; k++) {
            SLOPE(search_text(search, "*%s*%s", names->param[i], names->param[k]), VALUE(i) * VALUE(k));
            SLOPE(search_text(search, "*%s*%s/%s", names->param[i], names->param[k], names->numprocs), VALUE(i) * VALUE(k) / P);
        }
}
#undef VALUE

/* Products of shares along two axes of three, each rounded down: (n/px)*(m/py). */
static void add_rounded(struct search *search, double x[])
{
    const struct fit_names *names = search->names;
    for (int pair = 0; pair < 3; pair++) {
        const int a = pair == 0, b = pair == 2 ? 1 : 2; /* beside the first axis, the second, the third */
        char *a_text = grid_text(GRID_3, names->numprocs, a), *b_text = grid_text(GRID_3, names->numprocs, b);
        for (int i = 0; i < names->n_params; i++)
            for (int k = 0; k < names->n_params; k++) {
                const char *face = search_text(search, "(%s/%s)*(%s/%s)", names->param[i], a_text, names->param[k], b_text);
                SLOPE_OF(search_text(search, "*%s", face), face,
                         (double)(names->values[i][s->recording] / grid_extent(GRID_3, s->numprocs, a)) *
                             (double)(names->values[k][s->recording] / grid_extent(GRID_3, s->numprocs, b)));
            }
        free(a_text);
        free(b_text);
    }
}

/* In shares of the axes beside the middle one of three, which are no stride together. */
static void add_shares_beside(struct search *search, double x[])
{
    const char *P_ = search->names->numprocs;
    int64_t *extent = alloc_array(search->m, sizeof *extent);
    search->grids = GRID_BIT(GRID_3);
    for (size_t i = 0; i < search->m; i++)
        extent[i] = grid_extent(GRID_3, search->beyond[i].numprocs, 0) * grid_extent(GRID_3, search->beyond[i].numprocs, 2);
    add_shares(search, search_text(search, "(dims_create(%s, 3, 0)*dims_create(%s, 3, 2))", P_, P_), extent, x);
    free(extent);
}

void slopes_make_shares(struct search *search)
{
    double *x = alloc_array(search->m, sizeof *x);
    const unsigned of_3 = GRID_BIT(GRID_3);
    add_products(search, x);
    for (size_t a = 2; a < search->n_parts && search->names->n_params > 0; a++) {
        const struct candidate *part = &search->parts[a];
        search->grids = part->grids;
        add_shares(search, part->text, part->value, x);
        if (part->grids == of_3 && (a + 1 == search->n_parts || part[1].grids != of_3)) /* behind one axis alone */
            add_shares_beside(search, x);
    }
    search->grids = of_3;
    add_rounded(search, x);
    search->grids = 0;
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
