/* bursts.h - what a few messages show: a pilot of one pattern, and bursts of several that belong together. */
#ifndef PEVPM_BENCH_BURSTS_H
#define PEVPM_BENCH_BURSTS_H

#include "bench/state.h"

static const double PILOT_LONG_TIME = 20e-3; /* s: of longer messages fewer, and groups at once start together */

/* One-way times, s, of n repetitions of a pattern between two processes, `rest` s apart, in `copies` groups at once:
 * their median and the ends of its 95 % confidence interval. Allows `busy` s for each. median NaN: fewer than half
 * counted; then `seen` still is the median of all. */
struct pilot {
    double median, low, high, seen;
};
struct pilot campaign_pilot(struct campaign *c, enum pattern pattern, int64_t bytes, double rest, double busy, int n,
                            int copies);

/* First call to last arrival of every group's burst of k messages in every repetition that counts; returns how many.
 * bursts: room for n / k of n messages. */
size_t campaign_bursts_read(const struct series_message messages[], size_t n, int k, struct ports_burst bursts[]);
/* ns that processes which start together what takes `busy` s may be late: where they share processors all of the job
 * are woken one after another. At most a sixth of what it takes, of which so much is then not at once. */
int64_t campaign_late(const struct campaign *c, double busy);
/* From the start of a repetition to its last arrival: the median, ns. */
int64_t campaign_bursts_busy(const struct series_message messages[], size_t n);

#endif
