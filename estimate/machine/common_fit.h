/* common_fit.h - what a message between nodes keeps busy of something that all nodes have in common.
 *
 * n processes, each on its own node, exchange small messages step by step (steps.h). With nothing in common a step
 * takes what a message takes, however many there are. If something serves one message after another, each for `gap`,
 * a step of n messages takes at least
 *
 *     step(n) = n gap
 *
 * Virtual hosts that share a machine's processors are the case that is looked for. Pure function; units: seconds. */
#ifndef PEVPM_ESTIMATE_COMMON_FIT_H
#define PEVPM_ESTIMATE_COMMON_FIT_H

#include <stddef.h>

/* From the last of n >= 2 points. 0 where a step does not at least double from the first to the last: then nothing is
 * common, or it does not matter. processes ascending. */
double common_fit(size_t n, const double processes[], const double step[]);

#endif
