#include "sim/model_error.h"

#include <assert.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* The first grid has so many figures for a factor of ten; the finer ones shrink its step by 4 and look at so many steps
 * to either side, so that the last one is of half a percent. */
enum { GRID_DECADES = 6, GRID_PER_DECADE = 8, FINER = 3, FINER_STEPS = 6 };
static const double t_degrees = 4, t_scale_of_normal = 0.8310034937777;

/* A candidate, as logarithms to base 10, and how likely it makes the runs. */
struct candidate {
    double communication, computation, likelihood;
};

static double log_likelihood(size_t n, const struct model_error_point points[], double communication,
                             double computation)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        double s = hypot(hypot(communication * points[i].communication, computation * points[i].computation),
                         t_scale_of_normal * points[i].known);
        if (!(s > 0))
            continue;
        double off = points[i].error / s;
        sum -= log(s) + (t_degrees + 1) / 2 * log1p(off * off / t_degrees);
    }
    return sum;
}

static double clamp(double value, double low, double high)
{
    return fmin(fmax(value, low), high);
}

/* The best of a square of (2 steps + 1)^2 candidates around `from`; ties go to the smaller figures. */
static struct candidate search(size_t n, const struct model_error_point points[], struct candidate from, double step,
                               int steps)
{
    struct candidate best = {.likelihood = -INFINITY};
    for (int i = -steps; i <= steps; i++)
        for (int j = -steps; j <= steps; j++) {
            struct candidate next = {.communication = clamp(from.communication + i * step, -GRID_DECADES, 0),
                                     .computation = clamp(from.computation + j * step, -GRID_DECADES, 0)};
            next.likelihood =
                log_likelihood(n, points, pow(10, next.communication), pow(10, next.computation));
            if (next.likelihood > best.likelihood)
                best = next;
        }
    return best;
}

/* The lowest of the grid stands for nothing. */
static double figure_of(double logarithm, double factor)
{
    double figure = pow(10, logarithm);
    char digits[32];
    snprintf(digits, sizeof digits, "%.3g", fmin(1, figure * factor));
    return figure <= MODEL_ERROR_LEAST * 1.001 ? 0 : strtod(digits, NULL);
}

struct machine_model_error model_error_estimate(size_t n, const struct model_error_point points[])
{
    assert(n >= MODEL_ERROR_RUNS_LEAST);
    double step = 1.0 / GRID_PER_DECADE;
    struct candidate best = {.communication = -GRID_DECADES / 2.0, .computation = -GRID_DECADES / 2.0};
    best = search(n, points, best, step, GRID_DECADES * GRID_PER_DECADE / 2);
    for (int i = 0; i < FINER; i++) {
        step /= 4;
        best = search(n, points, best, step, FINER_STEPS);
    }
    double factor = gsl_cdf_tdist_Pinv(0.95, (double)n - 2) / gsl_cdf_ugaussian_Pinv(0.95) / t_scale_of_normal;
    return (struct machine_model_error){.communication = figure_of(best.communication, factor),
                                        .computation = figure_of(best.computation, factor), .runs = (int)n};
}
