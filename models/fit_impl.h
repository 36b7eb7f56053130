/* Private to fit.c (the search) and fit_judge.c (the law at a point, and how good it is). */
#ifndef PEVPM_MODELS_FIT_IMPL_H
#define PEVPM_MODELS_FIT_IMPL_H

#include "models/fit.h"

/* Beyond, a law is a heap and a few far samples in disguise, and would draw times far beyond all that was measured: a
 * Weibull law of shape 0.2 that fits 300 samples of 26 ms draws one of 10 s in a million. */
#define FIT_SHAPE_LEAST 0.5 /* of gamma and weibull */
#define FIT_SIGMA_MOST 1.5  /* of the logarithm, for lognormal */

/* Beyond, a gamma law is a normal one to a part in a hundred, and tabulating it takes a tenth of a second. */
#define FIT_GAMMA_SHAPE_MOST 1e4

/* A law in the parameters its distribution function is made of: lognormal mu, sigma; gamma and weibull shape, scale;
 * exponential mean; normal mean, sd. */
struct fit_law {
    enum law law;
    double u, v, shift;
};

/* distribution_law's arguments. */
void fit_law_arguments(const struct fit_law *law, double *a, double *b);

/* The probability up to a time (lower), or beyond it where that is the smaller one (upper): far tails keep their
 * digits. */
struct fit_side {
    double p;
    bool upper;
};
/* A time of 0 or less has nothing below it: what is cut at zero stands in the first bin. */
struct fit_side fit_side_of(const struct fit_law *law, double time);
double fit_between(const struct fit_side *low, const struct fit_side *high);

/* Fills what fit->n, law and parameters do not say: ks, chi2_p, mean_error, tail_*, verdict. */
void fit_judge(struct fit *fit, const struct fit_law *law, const struct fit_bins *bins);

#endif
