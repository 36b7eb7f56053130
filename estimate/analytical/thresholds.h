/* thresholds.h - the message sizes at which collectives change: S of a Scatter, M1 and M2 of a Gather.
 *
 * Lastovetsky, Rychkov, IJHPCA 23(2), 2009, section 5. The series are times by size at a uniform stride. S and M2 are
 * where two lines fit a series best (breaks.h); M1 is the last size before the first one whose time is more than
 * `ratio` times that of the size before it, refined by halving the stride. THRESHOLD_RATIO is the paper's, which is
 * right where a level is far above the linear part; a smaller one finds lower levels. Units: seconds, bytes. */
#ifndef PEVPM_ESTIMATE_THRESHOLDS_H
#define PEVPM_ESTIMATE_THRESHOLDS_H

#include <stdbool.h>
#include <stddef.h>

#define THRESHOLD_RATIO 10.0

/* The last size before the break, and how many bytes later the next one was measured: the break is known to that.
 *   bytes [n] ascending, times [n]: n >= 6. Escalated times are to be left out first.
 * False: BIC says that one line does as well; nothing is written. */
bool threshold_break(size_t n, const double bytes[], const double times[], double *at, double *stride);

/* The number of the last size before the first escalation; n: there is none. */
size_t threshold_ratio(size_t n, const double times[], double ratio);

/* M1 lies in [*from, *to): the interval is halved by asking for the time of its middle, until it is at most `least` bytes
 * (whole bytes: at least 1) long, or `measure` says by NAN that nothing more can be measured; an escalation is a time over
 * `ratio` times `time_from`, that of *from as it is given. measure: its own context. */
void threshold_refine(double *from, double *to, double time_from, double ratio, double least,
                      double (*measure)(void *context, double bytes), void *context);

#endif
