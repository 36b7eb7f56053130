/* distribution.h - a random time as its quantile function (inverse CDF), kept exactly.
 *
 * Every form that a machine file or a Serial directive may give (a constant, a histogram, quantile points, a named law)
 * becomes a list of points (p, t): the quantile function is linear between neighbours. Two points with the same p are a
 * jump (a range of times that never occurs). Every bin edge of a histogram is a point, so a bin at 200 ms with
 * probability 1e-4 keeps its place and its weight. Named laws are tabulated at multiples of 2^-32, densely enough that
 * the error at every probability that a 32-bit word can draw, (word + 1/2) / 2^32, is below 1e-4 of the standard
 * deviation; a single word in a steep tail is a flat step.
 * Negative times are cut at zero.
 * Units: seconds. */
#ifndef PEVPM_MODELS_DISTRIBUTION_H
#define PEVPM_MODELS_DISTRIBUTION_H

#include <stdbool.h>
#include <stddef.h>

struct distribution {
    size_t n;         /* points, >= 2 */
    double *p;        /* [n] ascending, p[0] = 0, p[n-1] = 1 */
    double *t;        /* [n] s, >= 0, non-decreasing */
    double minimum;   /* what the mode `minimum` uses: given in the file, else t[0] */
    double average;   /* what the mode `average` uses: given in the file, else the mean (distribution_mean) */
    double counted;   /* of a histogram whose counts are whole numbers: their sum; else 0 */
};

/* Constructors: the caller owns *d and releases it with distribution_free. Arguments are checked by the reader that
 * knows the place in the file; here they are asserted. */
void distribution_constant(struct distribution *d, double value);
/* edges [n+1] ascending, counts [n] >= 0 with a positive sum; empty bins become jumps. */
void distribution_histogram(struct distribution *d, size_t n, const double edges[], const double counts[]);
/* p [n] ascending from 0 to 1, t [n] non-decreasing; copied. */
void distribution_points(struct distribution *d, size_t n, const double p[], const double t[]);

/* Named laws. X(name, parameters, first, second): `normal` and `lognormal` are given by mean and sd of the variable
 * itself, not of its logarithm. `minimum` becomes the law's quantile at 0 after cutting, `average` its mean
 * after cutting at zero, in closed form. */
#define LAW_LIST(X)               \
    X(normal, 2, mean, sd)        \
    X(lognormal, 2, mean, sd)     \
    X(gamma, 2, shape, scale)     \
    X(weibull, 2, shape, scale)   \
    X(exponential, 1, mean, none) \
    X(uniform, 2, low, high)
enum law {
#define X(name, parameters, first, second) LAW_##name,
    LAW_LIST(X)
#undef X
};
/* NULL when (a, b) are possible parameters of the law, else what was expected ("sd must be at least 0"). */
const char *distribution_law_problem(enum law law, double a, double b);
/* The law shifted by `shift` seconds. b is ignored where the law has one parameter. sd = 0 gives a constant. Takes 0.1
 * to 1 ms, for gamma up to 100 ms (shape 1e4). GSL's error handler, which is global, is off meanwhile: not for two
 * threads at once. */
void distribution_law(struct distribution *d, enum law law, double a, double b, double shift);

/* *d becomes as `from`. */
void distribution_copy(struct distribution *d, const struct distribution *from);

void distribution_free(struct distribution *d);

/* Integral of the quantile function over p. */
double distribution_mean(const struct distribution *d);
/* Quantile at probability p in [0, 1]; at a jump the upper side. */
double distribution_quantile(const struct distribution *d, double p);
bool distribution_is_constant(const struct distribution *d);

/* A weighted sum of up to 8 quantile functions at equal probability: what interpolation between sizes and levels gives
 * (two sizes in each of two levels, twice where an operation's entries are split by placement).
 * Weights may be negative (a line continued beyond the last size): the sum is cut at zero and kept non-decreasing.
 * The distributions are borrowed from the machine file. */
enum { MIX_MOST = 8 };
struct mix {
    int n;
    double weight[MIX_MOST];
    const struct distribution *part[MIX_MOST];
};

/* The mix of one distribution alone. */
#define MIX_OF(d) ((struct mix){.n = 1, .weight = {1}, .part = {(d)}})

/* Each value of the mix times `factor`. */
void mix_scale(struct mix *mix, double factor);

/* The n values at which something was measured: from `least` to `most`. */
struct measured_range {
    size_t n;
    double least, most;
};

#endif
