/* window_fit.h - how much of a message a connection brings an out port at once, from two that leave it together.
 *
 * Messages of M bytes leave for two processes at one time. A port that serves one behind the other has passed the first
 * half way; one that is brought windows of W bytes in turn when it has passed all but the last window:
 *
 *     first / last = (2 M - W) / (2 M)
 *
 * Pure; units: seconds, bytes. */
#ifndef PEVPM_ESTIMATE_WINDOW_FIT_H
#define PEVPM_ESTIMATE_WINDOW_FIT_H

#include <stddef.h>

/* When the first and the last of the two were there, after they were sent. */
struct window_burst {
    double first, last;
};

/* The median over n bursts, rounded; 0: none was seen, since it is most of a message, or no burst counts. `bursts` is
 * sorted anew. */
double window_fit(size_t n, struct window_burst bursts[], double bytes);

#endif
