/* stopping.h - when enough has been measured.
 *
 * A measurement stops when the two-sided confidence interval of its median lies within `precision` of the median and at
 * least `minimum` samples were taken (299 show an event of probability 1 % with 95 % chance: ln 0.05 / ln 0.99), or
 * when `maximum` samples or `time_cap` are reached. The interval is nonparametric: the order statistics whose ranks are
 * exact binomial(n, 1/2) quantiles, so no shape is assumed (Hoefler, Belli, SC 2015, rules 5 and 6). Pure logic: the
 * caller tells the time, and samples of all processes pooled. One process decides and tells the others (share.h).
 * Samples taken in one repetition by several processes are not independent: where the decision matters, feed it one
 * number per repetition. */
#ifndef PEVPM_ESTIMATE_STOPPING_H
#define PEVPM_ESTIMATE_STOPPING_H

#include "estimate/samples.h"

#include <stdbool.h>

struct stopping {
    double confidence;   /* of the median's interval, in (0, 1) */
    double precision;    /* both ends within this part of the median */
    size_t minimum;      /* samples; 299 for a 1 % tail */
    size_t maximum;
    double time_cap;     /* s */
};
#define STOPPING_DEFAULT \
    {.confidence = 0.95, .precision = 0.025, .minimum = 299, .maximum = 100000, .time_cap = 10}

/* X(name, what the output file says) */
#define STOP_LIST(X)                                                   \
    X(go_on, "goes on")                                                \
    X(precise, "the median is known precisely enough")                 \
    X(maximum, "the largest number of samples was taken")              \
    X(time, "the time was used up")
enum stop {
#define X(name, text) STOP_##name,
    STOP_LIST(X)
#undef X
};
const char *stop_text(enum stop stop);

/* Ranks (from 0) of the order statistics that enclose the median of n samples with at least `confidence`: the narrowest
 * symmetric pair *low, *high = n - 1 - *low with P(X_(low) <= median <= X_(high)) = 1 - 2 P(B <= low),
 * B ~ binomial(n, 1/2). False where no pair reaches it (n < 6 for 95 %); exact to n = 1e9. */
bool stopping_median_ranks(size_t n, double confidence, size_t *low, size_t *high);

/* The largest distance of an end of that interval from the median, as a part of the median; 0 where all three are
 * equal, infinity where there are too few samples or the median is not positive and the ends differ. */
double stopping_precision(const struct samples *sorted, double confidence);

/* What to do after `elapsed` seconds with these samples (any order: a copy is sorted). A time cap stops even before the
 * minimum is reached; the caller reports the count. */
enum stop stopping_decide(const struct stopping *rule, const struct samples *samples, double elapsed);

/* How many samples to have before deciding next: the minimum first, later a tenth more each time, at most the maximum:
 * few looks cost little and hardly weaken the interval. Never less than n + 1. */
size_t stopping_next_look(const struct stopping *rule, size_t n);

#endif
