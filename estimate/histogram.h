/* histogram.h - a mergeable histogram of int64 nanoseconds.
 *
 * Bins are log-linear: below 2^b ns each value has its own bin, above, every power of two is cut into 2^b equal bins,
 * with b the least that keeps a bin's width below `relative` of its lower edge; or, on request, all of one width.
 * Negative values (clock errors have a sign) mirror the positive. Any int64 has a bin, so nothing is dropped or
 * clipped; minimum, maximum, count and sum are exact. Only bins that hold something use memory. */
#ifndef PEVPM_ESTIMATE_HISTOGRAM_H
#define PEVPM_ESTIMATE_HISTOGRAM_H

#include "common/bin.h"
#include "estimate/samples.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct histogram {
    int bits;              /* b of the log-linear layout; 0: equal bins */
    int64_t width;         /* ns of each bin where bits = 0 */
    size_t n, capacity;
    struct bin *bins;      /* [n] ascending with the values; index: layout-dependent, count > 0 */
    int64_t count, minimum, maximum;   /* minimum and maximum only where count > 0 */
    double sum;            /* ns; exact to 2^53 */
};

/* relative in (0, 1]: 0.01 for bins of at most 1 %. */
void histogram_init(struct histogram *h, double relative);
/* Equal bins of `width` >= 1 ns, edges at its multiples. */
void histogram_init_linear(struct histogram *h, int64_t width);
void histogram_free(struct histogram *h);

void histogram_add(struct histogram *h, int64_t ns, int64_t count);
void histogram_add_samples(struct histogram *h, const struct samples *samples);
/* Adds all of `other`, which must have the same layout (asserted). */
void histogram_merge(struct histogram *h, const struct histogram *other);

/* Whether both hold the same: layout, bins, minimum, maximum and sum. Of many samples only copies do. */
bool histogram_same(const struct histogram *a, const struct histogram *b);

/* The bin of a value: its index, and the half-open range [*low, *high) of values it holds (*high is INT64_MAX for the
 * last). */
int64_t histogram_index(const struct histogram *h, int64_t ns);
void histogram_range(const struct histogram *h, int64_t index, int64_t *low, int64_t *high);

/* Where quantile(p) of the values lies (samples.h), to the width of a bin: its middle, between minimum and maximum.
 * count > 0 is asserted. */
int64_t histogram_quantile(const struct histogram *h, double p);

/* As a machine file has it: ascending edges [n + 1] and counts [n]. A run of empty bins becomes one bin of count 0, so
 * a tail 200 ms out keeps its place at the cost of one number. The first edge is the exact minimum, the last the exact
 * maximum plus the 1 ns that a reading stands for. n = 0 for an empty histogram. Free with histogram_table_free. */
struct histogram_table {
    size_t n;
    int64_t *edges;        /* [n + 1] ns */
    int64_t *counts;       /* [n] */
};
void histogram_table(const struct histogram *h, struct histogram_table *table);
void histogram_table_free(struct histogram_table *table);

#endif
