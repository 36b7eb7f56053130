/* outlet.h - the resource that a message leaves its sender by: an out port.
 *
 * It is known when it is asked, for the message is there as a whole: so it answers at once how much later the message
 * leaves it than an idle one. What an idle one takes is in the measured transit already.
 *
 *     until = max(until, s - credit) + gap          s: the send call; until: when it has passed all
 *     late  = max(0, until - s - max(0, gap - credit))
 *
 * Where one queue serves both directions (queue.h, `both`) its `until` is that of the queue.
 *
 * Pure: times and costs in seconds. */
#ifndef PEVPM_NETWORK_OUTLET_H
#define PEVPM_NETWORK_OUTLET_H

#include "network/queue.h"

#define OUTLET_IDLE (-INFINITY)

/* Work that comes at `at`. */
static inline void outlet_take(double *until, double work, double credit, double at)
{
    *until = queue_latest(*until, at - credit) + work;
}

/* Of a message of that gap, the last that it took: how much later than from an idle one it leaves. */
static inline double outlet_late(double until, double gap, double credit, double at)
{
    return queue_excess(until - at, queue_excess(gap, credit));
}

/* Of what all messages pass on their way, and an idle one passes at once: likewise. */
static inline double outlet_pass_common(double *until, double gap, double at)
{
    *until = queue_latest(*until, at - gap) + gap;
    return queue_excess(*until, at);
}

#endif
