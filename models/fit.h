/* fit.h - a named law fitted to a histogram by maximum likelihood, and how well it fits.
 *
 * The likelihood is that of the bins: log L = sum n_i log (F(edge[i+1]) - F(edge[i])). Nothing lies beyond the
 * outermost edges, so probability that the law puts there costs. No bin is dropped: a single message at 200 ms counts
 * with the rest. Negative times are cut at zero, as the machine file has it. lognormal, gamma, weibull and exponential
 * are shifted, 0 <= shift <= the upper edge of the first bin that holds anything; very skewed ones are not tried (shape
 * below 0.5, sigma above 1.5). Maximised by GSL's simplex from several starts.
 *
 * A law is chosen by Akaike's criterion, AIC = 2 k - 2 log L for k parameters, among those that are good; and it is
 * good if a prediction cannot tell it from the histogram:
 *   shape   Kolmogorov and Smirnov's distance at the edges, max |F_n - F|, is at most
 *           max(FIT_KS_MOST, FIT_KS_CHANCE / sqrt(n));
 *   tail    at no edge in the upper tenth are there more than twice or less than half as many samples beyond as the
 *           law says, unless chance (Poisson) does that more often than once in 1 / FIT_TAIL_CHANCE times;
 *   mean    the law's is that of the bins, to FIT_MEAN_MOST of it.
 * Of histograms of the law itself, with 400 to 3000 samples, 0 to 1.4 in a hundred are refused. A body with
 * retransmissions 200 ms out is refused: no single law has both.
 * Units: seconds. */
#ifndef PEVPM_MODELS_FIT_H
#define PEVPM_MODELS_FIT_H

#include "models/distribution.h"

#include <stdbool.h>
#include <stddef.h>

#define FIT_KS_MOST 0.02  /* a difference that 3600 samples begin to show */
#define FIT_KS_CHANCE 1.2 /* refuses one in a hundred histograms of the law itself */
#define FIT_MEAN_MOST 0.02
#define FIT_TAIL_CHANCE 1e-4
enum { FIT_SAMPLES_LEAST = 30 }; /* fewer tell nothing about a law */

/* X(name, free parameters): the laws that are tried. */
#define FIT_LAW_LIST(X) X(lognormal, 3) X(gamma, 3) X(weibull, 3) X(exponential, 2) X(normal, 2)

/* X(name, what it says). The first that applies; `few` and `bins` say that there is no law at all. */
#define FIT_VERDICT_LIST(X)                                      \
    X(good, "good")                                              \
    X(few, "too few samples")                                    \
    X(bins, "too few bins for a law")                            \
    X(shape, "no: the shape differs")                            \
    X(tail, "no: the tail differs")                              \
    X(mean, "no: the mean differs")
enum fit_verdict {
#define X(name, text) FIT_##name,
    FIT_VERDICT_LIST(X)
#undef X
};
const char *fit_verdict_text(enum fit_verdict verdict);

/* A histogram, as distribution_histogram takes it: edges [n + 1] ascending, counts [n] >= 0. Borrowed. Counts are
 * numbers of samples: their sum says how sure anything is. */
struct fit_bins {
    size_t n;
    const double *edges, *counts;
};

struct fit {
    enum fit_verdict verdict;
    double n;               /* samples; all below is set only where there is a law */
    enum law law;
    double a, b, shift;     /* arguments of distribution_law; b = 0 where the law has one parameter */
    int parameters;         /* k */
    double log_likelihood, aic;
    double ks;              /* max |F_n - F| */
    double chi2_p;          /* of Pearson's test on bins pooled to 5 expected samples; NaN: too few bins */
    double mean_error;      /* (the law's mean - that of the bins) / that of the bins */
    double tail_time;       /* where the tails differ most significantly, and */
    double tail_measured, tail_law; /* the share of samples beyond, and what the law says */
};

/* Fits one law of FIT_LAW_LIST. Needs two more bins that hold something than the law has parameters (FIT_bins) and
 * FIT_SAMPLES_LEAST samples (FIT_few). Takes 1 to 100 ms for 100 bins. GSL's error handler, which is global, is off
 * meanwhile: not for two threads at once. */
void fit_law(struct fit *fit, enum law law, const struct fit_bins *bins);

/* The law with the least AIC among the good ones; where none is good, the one with the least AIC and what is wrong with
 * it. */
void fit_best(struct fit *fit, const struct fit_bins *bins);

/* Whether there is a law at all, good or not. */
bool fit_has_law(const struct fit *fit);

#endif
