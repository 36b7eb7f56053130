#include "estimate/analytical/at_once.h"

#include "common/alloc.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

static double median(size_t n, double values[])
{
    gsl_sort(values, 1, n);
    return gsl_stats_median_from_sorted_data(values, 1, n);
}

double at_once_adds(size_t n, const struct repeats together[], const struct repeats alone[])
{
    double *difference = alloc_array(n, sizeof *difference);
    for (size_t i = 0; i < n; i++)
        difference[i] = repeats_mean(&together[i]) - repeats_mean(&alone[i]);
    double middle = median(n, difference);
    for (size_t i = 0; i < n; i++)
        difference[i] = fabs(difference[i] - middle);
    double known = 1.2533 * 1.4826 * median(n, difference) / sqrt((double)n);
    free(difference);
    return hypot(middle, known);
}
