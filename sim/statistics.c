#include "sim/statistics.h"

#include "common/alloc.h"

#include <assert.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void statistics_compute_mean(struct statistics *statistics, size_t n, const double values[])
{
    assert(n >= 1);
    *statistics = (struct statistics){.n = n, .sd = NAN, .ci95 = NAN, .min = NAN, .p5 = NAN, .median = NAN, .p95 = NAN,
                                      .max = NAN};
    statistics->mean = gsl_stats_mean(values, 1, n);
    if (n < 2)
        return;
    statistics->sd = gsl_stats_sd_m(values, 1, n, statistics->mean);
    statistics->ci95 = gsl_cdf_tdist_Pinv(0.975, (double)(n - 1)) * statistics->sd / sqrt((double)n);
}

void statistics_compute(struct statistics *statistics, size_t n, const double values[])
{
    statistics_compute_mean(statistics, n, values);
    double *sorted = alloc_array(n, sizeof *sorted);
    memcpy(sorted, values, n * sizeof *sorted);
    gsl_sort(sorted, 1, n);
    statistics->min = sorted[0];
    statistics->p5 = gsl_stats_quantile_from_sorted_data(sorted, 1, n, 0.05);
    statistics->median = gsl_stats_quantile_from_sorted_data(sorted, 1, n, 0.5);
    statistics->p95 = gsl_stats_quantile_from_sorted_data(sorted, 1, n, 0.95);
    statistics->max = sorted[n - 1];
    free(sorted);
}

static double widened_quantile(size_t n, const double values[], double sd, double low, double high, double p)
{
    const double least = 1e-12 * fmax(fabs(low), fabs(high));
    while (high - low > least) {
        double middle = low + (high - low) / 2, below = 0;
        for (size_t i = 0; i < n; i++)
            below += gsl_cdf_ugaussian_P((middle - values[i]) / sd);
        *(below < p * (double)n ? &low : &high) = middle;
    }
    return fmax(0, high);
}

void statistics_widen(struct statistics *statistics, size_t n, const double values[], double sd)
{
    const double far = 2 * sd; /* 2.3 % of a normal law are beyond: less than the 5 % that are looked for */
    double low, high;
    if (!(sd > 0))
        return;
    gsl_stats_minmax(&low, &high, values, 1, n);
    statistics->p5 = widened_quantile(n, values, sd, low - far, high + far, 0.05);
    statistics->median = widened_quantile(n, values, sd, low - far, high + far, 0.5);
    statistics->p95 = widened_quantile(n, values, sd, low - far, high + far, 0.95);
}

void statistics_wilson(size_t hits, size_t n, double *low, double *high)
{
    assert(n >= 1 && hits <= n);
    double count = (double)n, p = (double)hits / count, z = gsl_cdf_ugaussian_Pinv(0.975);
    double centre = p + z * z / (2 * count);
    double half = z * sqrt(p * (1 - p) / count + z * z / (4 * count * count));
    double whole = 1 + z * z / count;
    *low = hits == 0 ? 0 : (centre - half) / whole;
    *high = hits == n ? 1 : (centre + half) / whole;
}
