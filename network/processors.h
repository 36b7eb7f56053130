/* processors.h - the resource that processes wait for when they wake: processors that they share.
 *
 * A process that has rested, and now calls, keeps the processors busy for a while before it goes on: it is woken, and what
 * it needs is no longer in caches. Where several wake at one moment and share processors, each waits for those before it:
 *
 *     awake = max(until, at) + work          until: when all before it are awake
 *
 * So the k-th of those that wake at one moment is awake k times `work` later. Several processors are taken as one that is as
 * quick as all together: how fast those that wake follow one another can be measured, how many serve them at once hardly
 * (docs/ARCHITECTURE.md, section 10).
 * Pure: times in seconds. */
#ifndef PEVPM_NETWORK_PROCESSORS_H
#define PEVPM_NETWORK_PROCESSORS_H

#include "network/queue.h"

/* When nobody has woken yet. */
#define PROCESSORS_IDLE (-INFINITY)

/* A process wakes at `at`, no earlier than those before it: when it is awake. */
static inline double processors_wake(double *until, double at, double work)
{
    *until = queue_latest(*until, at) + work;
    return *until;
}

#endif
