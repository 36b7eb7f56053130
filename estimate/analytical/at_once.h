/* at_once.h - what experiments that are carried out at the same time may add to one another's times.
 *
 * Nodes and trunks of such experiments are disjoint (experiment.h), but processors that ranks share are not. So some
 * are carried out alone as well, and the difference says how far all may be off together, which their own repetitions
 * do not: they are all made beside others. Units: seconds. */
#ifndef PEVPM_ESTIMATE_AT_ONCE_H
#define PEVPM_ESTIMATE_AT_ONCE_H

#include "estimate/analytical/bootstrap.h"

/* sqrt(m^2 + u^2): m the median difference of the means of an experiment's times, together and alone, and u how far
 * the median is known, 1.2533 x 1.4826 x the median distance from m / sqrt(n) (P. Rousseeuw, C. Croux, JASA 88, 1993);
 * a few experiments that something else delayed do not matter. n >= 1. */
double at_once_adds(size_t n, const struct repeats together[], const struct repeats alone[]);

#endif
