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

/* Of what all messages pass on their way, and an idle one passes at once: likewise. One that takes nothing of it does not wait.
 *
 * It may be processors that nodes share. Then a process that has rested, and now calls, passes it too: it is woken, and what it needs is
 * no longer in caches. So of those that wake at one moment, each for `gap`, the k-th is awake k - 1 times that later. Several processors
 * are taken as one that is as quick as all together: how fast those that wake follow one another can be measured, how many serve them at
 * once hardly (docs/ARCHITECTURE.md, section 10). */
static inline double outlet_pass_common(double *until, double gap, double at)
{
    if (!(gap > 0))
        return 0;
    *until = queue_latest(*until, at - gap) + gap;
    return queue_excess(*until, at);
}

#endif
