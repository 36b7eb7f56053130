#include "sim/model_error.h"

#include "common/alloc.h"

#include <assert.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* The first grid has so many figures for a factor of ten, so many steps to either side of its middle. Of programs by
 * chance that is two decades below what e_c is expected to be, which so is one of them. The finer ones shrink its
 * step by 4 and look at so many steps to either side, so that the last one is of half a percent. */
enum { GRID_DECADES = 6, GRID_PER_DECADE = 8, GRID_STEPS = 28, FINER = 3, FINER_STEPS = 16 };
static const double GRID_MIDDLE_BY_CHANCE = -3.76, GRID_MIDDLE_OF_OWN = -3;

/* Student's law of errors, and what its scale is where they are normal. */
struct error_law {
    double degrees, scale_of_normal;
};
static const struct error_law law_by_chance = {2, 0.7326062963671}, law_of_own = {4, 0.8310034937777};

/* What e_c and e_s : e_c are taken for before the runs are looked at; the scale of the first one's logarithm with so
 * many degrees of freedom, the standard deviation of the second one's. */
static const double expected_error = 0.0174, error_scale = 0.2, error_degrees = 2;
static const double expected_ratio = 1.0 / 40, ratio_sd = 0.9;

/* Of model_error_weight: the powers for programs by chance and for a user's own, the least v that counts, and the v of a weight
 * of 1. */
static const struct model_error_powers powers_by_chance = {0.4, 0.5}, powers_of_own = {0, 0};
static const double spread_least = 0.001, spread_typical = 0.0045;

/* Runs of programs by chance on other machines from which these are known. */
enum { EXPECTED_RUNS = 957 };

/* What nine of ten programs by chance need at most, on other machines, and for how many runs that counts. */
static const double expected_need = 2.84, expected_need_runs = 100;

/* p5 to p95 hold this much. */
static const double HELD = 0.9;

/* A candidate, as logarithms to base 10, and how likely the runs make it. */
struct candidate {
    double communication, computation, likelihood;
};

struct model_error_powers model_error_powers(const struct machine_model_error *error)
{
    return (struct model_error_powers){.spread = error->spread_power, .share = error->share_power};
}

double model_error_weight(struct model_error_powers powers, double spread, double communication, double time)
{
    if (!(communication > 0))
        return 1;
    const double differ = (spread / communication + spread_least) / (spread_typical + spread_least);
    return pow(differ, powers.spread) * (powers.share > 0 ? pow(time / communication, 1 - powers.share) : 1);
}

double model_error_known(double p5, double p95)
{
    return (p95 - p5) / (2 * gsl_cdf_ugaussian_Pinv((1 + HELD) / 2));
}

static double scale_of(const struct model_error_point *point, double communication, double computation)
{
    return hypot(communication * point->communication, computation * point->computation);
}

/* Of two figures, before the runs are looked at. */
static double log_expected(double communication, double computation)
{
    double off_ratio = log(computation / (expected_ratio * communication)) / ratio_sd;
    double off = log(communication / expected_error) / error_scale;
    return -off_ratio * off_ratio / 2 - (error_degrees + 1) / 2 * log1p(off * off / error_degrees);
}

static const struct error_law *law_for(bool work_known)
{
    return work_known ? &law_by_chance : &law_of_own;
}

static double log_likelihood(size_t n, const struct model_error_point points[], bool work_known, double communication,
                             double computation)
{
    const struct error_law *law = law_for(work_known);
    double sum = work_known ? log_expected(communication, computation) : 0;
    for (size_t i = 0; i < n; i++) {
        double s = hypot(scale_of(&points[i], communication, computation), law->scale_of_normal * points[i].known);
        if (!(s > 0))
            continue;
        double off = points[i].error / s;
        sum -= log(s) + (law->degrees + 1) / 2 * log1p(off * off / law->degrees);
    }
    return sum;
}

static double clamp(double value, double low, double high)
{
    return fmin(fmax(value, low), high);
}

/* The best of a square of (2 steps + 1)^2 candidates around `from`; ties go to the smaller figures. */
static struct candidate search(size_t n, const struct model_error_point points[], bool work_known,
                               struct candidate from, double step, int steps)
{
    struct candidate best = {.likelihood = -INFINITY};
    for (int i = -steps; i <= steps; i++)
        for (int j = -steps; j <= steps; j++) {
            struct candidate next = {.communication = clamp(from.communication + i * step, -GRID_DECADES, 0),
                                     .computation = clamp(from.computation + j * step, -GRID_DECADES, 0)};
            next.likelihood =
                log_likelihood(n, points, work_known, pow(10, next.communication), pow(10, next.computation));
            if (next.likelihood > best.likelihood)
                best = next;
        }
    return best;
}

static int compare_factors(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Of sorted ones, the place 0.9 (n + 1) counted from 1. */
static double held_of(size_t n, const double sorted[])
{
    double place = HELD * (double)(n + 1) - 1, below = floor(place);
    if (place >= (double)(n - 1))
        return sorted[n - 1];
    return sorted[(size_t)below] + (place - below) * (sorted[(size_t)below + 1] - sorted[(size_t)below]);
}

/* By what two figures are multiplied so that the intervals hold what they should of the runs themselves and, where
 * these are by chance, of such runs on other machines. */
static double factor_by_runs(size_t n, const struct model_error_point points[], bool work_known, double communication,
                             double computation)
{
    double z = gsl_cdf_ugaussian_Pinv((1 + HELD) / 2), *needed = alloc_array(n, sizeof *needed);
    size_t known = 0;
    for (size_t i = 0; i < n; i++) {
        double s = scale_of(&points[i], communication, computation), off = points[i].error / z;
        if (s > 0)
            needed[known++] = sqrt(fmax(0, off * off - points[i].known * points[i].known)) / s;
    }
    qsort(needed, known, sizeof *needed, compare_factors);
    double factor = known > 0 ? held_of(known, needed) : 1, part = (double)n / ((double)n + expected_need_runs);
    free(needed);
    return work_known && factor > 0 ? pow(factor, part) * pow(expected_need, 1 - part) : factor;
}

/* By what a normal quantile is multiplied to be one of Student's. */
static double factor_of_student(double degrees)
{
    double p = (1 + HELD) / 2;
    return gsl_cdf_tdist_Pinv(p, degrees) / gsl_cdf_ugaussian_Pinv(p);
}

/* The lowest of the grid stands for nothing. */
static double figure_of(double logarithm, double factor)
{
    double figure = pow(10, logarithm);
    char digits[32];
    snprintf(digits, sizeof digits, "%.3g", fmin(1, figure * factor));
    return figure <= MODEL_ERROR_LEAST * 1.001 ? 0 : strtod(digits, NULL);
}

/* Of programs of all weights, as if each had the weight 1. */
static struct machine_model_error weighted_estimate(size_t n, const struct model_error_point points[], bool work_known)
{
    double step = 1.0 / GRID_PER_DECADE;
    const double middle = work_known ? GRID_MIDDLE_BY_CHANCE : GRID_MIDDLE_OF_OWN;
    struct candidate best = {.communication = middle, .computation = middle};
    best = search(n, points, work_known, best, step, GRID_STEPS);
    for (int i = 0; i < FINER; i++) {
        step /= 4;
        best = search(n, points, work_known, best, step, FINER_STEPS);
    }
    double factor = factor_of_student((double)n - 2) *
                    sqrt(factor_of_student(law_for(work_known)->degrees) *
                         factor_by_runs(n, points, work_known, pow(10, best.communication), pow(10, best.computation)));
    return (struct machine_model_error){.communication = figure_of(best.communication, factor),
                                        .computation = figure_of(best.computation, factor),
                                        .stretch = MODEL_ERROR_STRETCH, .runs = (int)n,
                                        .elsewhere = work_known ? EXPECTED_RUNS : 0};
}

struct machine_model_error model_error_estimate(size_t n, const struct model_error_point points[], bool work_known)
{
    assert(n >= MODEL_ERROR_RUNS_LEAST);
    const struct model_error_powers powers = work_known ? powers_by_chance : powers_of_own;
    struct model_error_point *weighted = alloc_array(n, sizeof *weighted);
    for (size_t i = 0; i < n; i++) {
        weighted[i] = points[i];
        weighted[i].communication *= model_error_weight(powers, points[i].known, points[i].communication, points[i].time);
    }
    struct machine_model_error found = weighted_estimate(n, weighted, work_known);
    found.spread_power = powers.spread;
    found.share_power = powers.share;
    free(weighted);
    return found;
}

double model_error_reach(const struct machine_model_error *error, const struct model_error_point *point)
{
    const double w = model_error_weight(model_error_powers(error), point->known, point->communication, point->time);
    struct model_error_point weighted = *point;
    weighted.communication *= w;
    return gsl_cdf_ugaussian_Pinv((1 + HELD) / 2) *
           hypot(scale_of(&weighted, error->communication, error->computation), point->known);
}

struct machine_model_error model_error_elsewhere(void)
{
    double factor = sqrt(factor_of_student(law_by_chance.degrees) * expected_need), figure = log10(expected_error);
    return (struct machine_model_error){.communication = figure_of(figure, factor),
                                        .computation = figure_of(figure, expected_ratio * factor),
                                        .stretch = MODEL_ERROR_STRETCH, .spread_power = powers_by_chance.spread,
                                        .share_power = powers_by_chance.share, .elsewhere = EXPECTED_RUNS};
}
