/* wake_fit.h - for how long a process that wakes keeps busy the processors that it shares with others.
 *
 * n processes, each on its own node, rest until one moment and then exchange one empty message around a ring (steps.h).
 * If each is woken by processors of its own, the last one is through as soon as a single one. If something serves one
 * after another, each for `wake`, the last one is through at
 *
 *     last(n) = alone + n wake
 *
 * Each one's message is in it, since a process sends it before the next is awake. Pure functions; units: seconds. */
#ifndef PEVPM_ESTIMATE_WAKE_FIT_H
#define PEVPM_ESTIMATE_WAKE_FIT_H

#include <stddef.h>

/* The slope of the least squares line through n >= 2 points. 0 where the last of the most processes takes less than
 * half as long again as that of the fewest: then they share nothing, or it does not matter. processes ascending. */
double wake_fit(size_t n, const double processes[], const double last[]);

/* wake [n]: after ever longer rests; 0: nothing is known. Who has rested less is no longer about it than who has rested longer, so
 * what is more than after a longer rest becomes that: sixteen processes that poll on two processors were once 55 ms behind one
 * another after 1 ms, and 6 ms after 10. Of 78 files of hosts that sleep 69 have it so as measured, the others to 4.3 us. */
void wake_order(size_t n, double wake[]);

#endif
