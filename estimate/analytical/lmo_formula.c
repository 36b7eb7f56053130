#include "estimate/analytical/lmo_formula.h"

#include "common/alloc.h"
#include "models/lmo_collective.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

struct machine_lmo lmo_formula_make(size_t n, const double parameters[])
{
    struct machine_lmo lmo = {.n = n, .is_inverse = true, .C = alloc_array(n, sizeof *lmo.C),
                              .t = alloc_array(n, sizeof *lmo.t),
                              .beta = {n, alloc_zeroed(n * n, sizeof *lmo.beta.value)}};
    for (size_t i = 0; i < n; i++) {
        lmo.C[i] = parameters[lmo_parameter_C(n, i)];
        lmo.t[i] = parameters[lmo_parameter_t(n, i)];
        for (size_t j = 0; j < n; j++)
            if (j != i)
                lmo.beta.value[i * n + j] = parameters[lmo_parameter_inverse_beta(n, i, j)];
    }
    return lmo;
}

void lmo_formula_free(struct machine_lmo *lmo)
{
    free(lmo->C);
    free(lmo->t);
    free(lmo->beta.value);
    *lmo = (struct machine_lmo){.n = 0};
}

static double miss_of(const struct lmo_design *design, const struct repeats experiments[], const struct machine_lmo *lmo,
                      size_t i, size_t j, size_t k)
{
    const double measured = repeats_mean(&experiments[lmo_to_two(design->n, i, j, k)]);
    return fabs(lmo_one_to_two_time(lmo, (int)i, (int)j, (int)k, design->bytes) / measured - 1);
}

struct lmo_miss lmo_to_two_miss(const struct lmo_design *design, const struct repeats experiments[],
                                const double parameters[])
{
    const size_t n = design->n;
    struct machine_lmo lmo = lmo_formula_make(n, parameters);
    struct lmo_miss miss = {.largest = -1};
    double *all = alloc_array(lmo_experiments(n), sizeof *all);
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++)
            for (size_t j = 0; j < k; j++) {
                if (j == i || k == i)
                    continue;
                const double here = all[count++] = miss_of(design, experiments, &lmo, i, j, k);
                if (here > miss.largest)
                    miss = (struct lmo_miss){0, here, {i, j, k}};
            }
    gsl_sort(all, 1, count);
    miss.median = gsl_stats_median_from_sorted_data(all, 1, count);
    free(all);
    lmo_formula_free(&lmo);
    return miss;
}
