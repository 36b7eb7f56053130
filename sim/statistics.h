/* statistics.h - what is reported of the run times of many replications.
 *
 * All figures are computed serially in the order of the replications, so they are the same bits whatever made the
 * times. */
#ifndef PEVPM_SIM_STATISTICS_H
#define PEVPM_SIM_STATISTICS_H

#include <stddef.h>

/* In the unit of the values. sd and ci95 are NaN where n < 2: one value says nothing about the spread. */
struct statistics {
    size_t n;
    double mean;
    double sd;                /* with n - 1 in the denominator */
    double ci95;              /* half-width of the 95 % confidence interval of the mean: t(0.975, n - 1) sd / sqrt(n) */
    double min, p5, median, p95, max; /* quantiles of type 7: linear between order statistics at p (n - 1) */
};

/* values [n], n >= 1, finite. */
void statistics_compute(struct statistics *statistics, size_t n, const double values[]);

/* Replaces p5, median and p95 by those of values each of which may be off by a normal error of mean 0 and standard
 * deviation sd, the same for all: the t, at least 0, with
 *     1/n sum over i of Phi((t - values[i]) / sd) = p.
 * sd 0 changes nothing; else to 1e-12 of the largest. */
void statistics_widen(struct statistics *statistics, size_t n, const double values[], double sd);

/* The 95 % confidence interval of a probability of which `hits` of n trials are known, n >= 1: Wilson's score interval
 * (Journal of the American Statistical Association 22, 1927), which is right for few hits too. With p = hits / n, z =
 * 1.96:
 *     (p + z^2 / 2n +- z sqrt(p (1 - p) / n + z^2 / 4n^2)) / (1 + z^2 / n) */
void statistics_wilson(size_t hits, size_t n, double *low, double *high);

/* Only mean, sd and ci95 (the rest NaN): no sorting. */
void statistics_compute_mean(struct statistics *statistics, size_t n, const double values[]);

#endif
