/* samples.h - measured times of one kind: int64 nanoseconds in the order in which they were taken.
 *
 * Nothing is ever left out: the slowest message is a fact, not an outlier. Quantiles are the inverse of the empirical
 * distribution: quantile(p) is the smallest sample that at least p n of the n samples do not exceed (Hyndman and Fan
 * 1996, definition 1), so every answer is a time that was measured; only the median of an even number lies between
 * two. */
#ifndef PEVPM_ESTIMATE_SAMPLES_H
#define PEVPM_ESTIMATE_SAMPLES_H

#include <stddef.h>
#include <stdint.h>

struct samples {
    size_t n, capacity;
    int64_t *ns;     /* [n] owned */
};
#define SAMPLES_EMPTY {0, 0, NULL}

void samples_init(struct samples *samples);
void samples_free(struct samples *samples);
/* Forgets the samples, keeps the memory. */
void samples_reset(struct samples *samples);

void samples_add(struct samples *samples, int64_t ns);
/* Appends n values; room for that many more is made at once (values may be NULL: room only, nothing is added). */
void samples_append(struct samples *samples, size_t n, const int64_t values[]);

/* Ascending, in place. The functions below that say `sorted` assert nothing: they need this first. */
void samples_sort(struct samples *samples);

/* Of sorted samples; n >= 1 is asserted. p in [0, 1]. */
int64_t samples_quantile(const struct samples *sorted, double p);
double samples_median(const struct samples *sorted);

#endif
