/* thresholds.h - the message sizes at which collectives change: S of a Scatter, M2 of a Gather.
 *
 * Lastovetsky, Rychkov, IJHPCA 23(2), 2009, section 5. The series are times by size at a uniform stride. S and M2 are
 * where two lines fit a series best (breaks.h). M1 of a Gather is many_to_one.h's. Units: seconds, bytes. */
#ifndef PEVPM_ESTIMATE_THRESHOLDS_H
#define PEVPM_ESTIMATE_THRESHOLDS_H

#include <stdbool.h>
#include <stddef.h>

/* The last size before the break, and how many bytes later the next one was measured: the break is known to that.
 *   bytes [n] ascending, times [n]: n >= 6. Escalated times are to be left out first.
 * False: BIC says that one line does as well; nothing is written. */
bool threshold_break(size_t n, const double bytes[], const double times[], double *at, double *stride);

#endif
