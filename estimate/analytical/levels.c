#include "estimate/analytical/levels.h"

#include "common/alloc.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TOGETHER 0.125 /* of the resolution: values that are closer to the least of them are of one group */

/* Sorted values, those closer than TOGETHER of the resolution put together: n bunches, which are not parted. Sums are those
 * of all values before a bunch, each as it is: bunches save time and change no mean. */
struct line {
    size_t n;
    double *sum_w, *sum, *squares; /* [n + 1]; of values less `origin`, to keep digits */
    double origin, total;
};

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void line_init(struct line *l, size_t n, double values[], double resolution)
{
    qsort(values, n, sizeof *values, by_size);
    *l = (struct line){.sum_w = alloc_zeroed(n + 1, sizeof(double)), .sum = alloc_zeroed(n + 1, sizeof(double)),
                       .squares = alloc_zeroed(n + 1, sizeof(double)), .origin = values[n / 2], .total = (double)n};
    double least = -INFINITY;
    for (size_t i = 0; i < n; i++) {
        double v = values[i] - l->origin;
        if (values[i] - least >= resolution * TOGETHER) {
            least = values[i];
            l->n++;
            l->sum_w[l->n] = l->sum_w[l->n - 1];
            l->sum[l->n] = l->sum[l->n - 1];
            l->squares[l->n] = l->squares[l->n - 1];
        }
        l->sum_w[l->n]++;
        l->sum[l->n] += v;
        l->squares[l->n] += v * v;
    }
}

static void line_free(struct line *l)
{
    free(l->sum_w);
    free(l->sum);
    free(l->squares);
}

/* Of bunches i .. j - 1. */
static double group_rss(const struct line *l, size_t i, size_t j)
{
    double w = l->sum_w[j] - l->sum_w[i], sum = l->sum[j] - l->sum[i];
    return fmax(0, l->squares[j] - l->squares[i] - sum * sum / w);
}

/* A parting into k groups. */
struct parting {
    size_t k, begin[LEVELS_MOST + 1]; /* group g: bunches begin[g] .. begin[g + 1] - 1 */
    double criterion;
};

/* Are the means of its groups far enough apart? */
static bool parting_is_clear(const struct line *l, const struct parting *parting, double resolution)
{
    double before = -INFINITY;
    for (size_t g = 0; g < parting->k; g++) {
        size_t i = parting->begin[g], j = parting->begin[g + 1];
        double mean = (l->sum[j] - l->sum[i]) / (l->sum_w[j] - l->sum_w[i]);
        if (mean - before < fmax(resolution, LEVEL_APART * (l->origin + mean)))
            return false;
        before = mean;
    }
    return true;
}

/* The partings into 1 .. LEVELS_MOST groups, and of those that are clear the one with the least criterion. */
static struct parting line_part(const struct line *l, double resolution)
{
    size_t n = l->n, most = n < LEVELS_MOST ? n : LEVELS_MOST;
    double *best = alloc_zeroed((most + 1) * (n + 1), sizeof *best);
    size_t *begin = alloc_zeroed((most + 1) * (n + 1), sizeof *begin);
    struct parting found = {.criterion = INFINITY};
    for (size_t k = 1; k <= most; k++) {
        for (size_t j = k; j <= n; j++) {
            best[k * (n + 1) + j] = INFINITY;
            for (size_t i = k - 1; i < (k == 1 ? 1 : j); i++) {
                double rss = (k > 1 ? best[(k - 1) * (n + 1) + i] : 0) + group_rss(l, i, j);
                if (rss < best[k * (n + 1) + j]) {
                    best[k * (n + 1) + j] = rss;
                    begin[k * (n + 1) + j] = i;
                }
            }
        }
        double criterion = l->total * log(best[k * (n + 1) + n] / l->total + resolution * resolution) +
                           2 * (double)k * log(l->total);
        if (criterion >= found.criterion)
            continue;
        struct parting parting = {.k = k, .criterion = criterion};
        parting.begin[k] = n;
        for (size_t g = k; g > 0; g--)
            parting.begin[g - 1] = begin[g * (n + 1) + parting.begin[g]];
        if (parting_is_clear(l, &parting, resolution))
            found = parting;
    }
    free(best);
    free(begin);
    return found;
}

static bool is_escalated(double time, double linear, double margin, double resolution)
{
    return time > (1 + margin) * linear + resolution;
}

/* Levels of one way to apply them; returns the criterion. */
static double levels_of(size_t n, const double times[], const double linear[], struct levels *levels)
{
    double *values = alloc_array(n, sizeof *values);
    size_t escalated = 0;
    levels->n = 0;
    for (size_t i = 0; i < n; i++)
        if (is_escalated(times[i], linear[i], levels->margin, levels->resolution))
            values[escalated++] = times[i] - (levels->added ? linear[i] : 0);
    double criterion = INFINITY;
    if (escalated >= LEVEL_LEAST) {
        struct line line;
        line_init(&line, escalated, values, levels->resolution);
        struct parting parting = line_part(&line, levels->resolution);
        for (size_t g = 0; g < parting.k; g++) {
            size_t i = parting.begin[g], j = parting.begin[g + 1];
            double w = line.sum_w[j] - line.sum_w[i];
            if (w < LEVEL_LEAST)
                continue;
            levels->value[levels->n] = line.origin + (line.sum[j] - line.sum[i]) / w;
            levels->half_width[levels->n] = gsl_cdf_tdist_Pinv(0.975, w - 1) * sqrt(group_rss(&line, i, j) / (w - 1) / w);
            levels->times[levels->n++] = (size_t)w;
        }
        criterion = parting.criterion;
        line_free(&line);
    }
    free(values);
    return criterion;
}

void levels_find(size_t n, const double times[], const double linear[], double margin, double resolution,
                 struct levels *levels)
{
    struct levels added = {.added = true, .margin = margin, .resolution = resolution};
    *levels = (struct levels){.margin = margin, .resolution = resolution};
    if (levels_of(n, times, linear, &added) < levels_of(n, times, linear, levels))
        *levels = added;
}

size_t levels_classify(const struct levels *levels, double time, double linear)
{
    if (levels->n == 0 || !is_escalated(time, linear, levels->margin, levels->resolution))
        return 0;
    double value = time - (levels->added ? linear : 0);
    size_t nearest = 0;
    for (size_t i = 1; i < levels->n; i++)
        if (fabs(value - levels->value[i]) < fabs(value - levels->value[nearest]))
            nearest = i;
    return 1 + nearest;
}
