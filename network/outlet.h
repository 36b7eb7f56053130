/* outlet.h - the resource that a message leaves its sender by: an out port.
 *
 * It is known when it is asked, for the message is there as a whole: so it answers at once how much later the message
 * leaves it than an idle one. What an idle one takes is in the measured transit already.
 *
 *     until = max(until, s - credit) + gap          s: the send call; until: when it has passed all
 *     late  = max(0, until - s - max(0, gap - credit))
 *
 * Several messages of a connection may come in one frame: then `gap` is the frame's in `until`, and each one's own in
 * `late`, which the measured transit has.
 *
 * Acknowledgements of what the same node receives pass it at a rate; they are work as well.
 *
 * A connection brings it at most a window of what it sends; the rest follows piece by piece, each when the one before has
 * left and behind what others have brought meanwhile. So long messages that leave together take turns.
 * Pure: times and costs in seconds. */
#ifndef PEVPM_NETWORK_OUTLET_H
#define PEVPM_NETWORK_OUTLET_H

#include "network/queue.h"

struct outlet {
    double until;
    double acknowledged, acknowledged_at, acknowledging; /* s of acknowledgements that it has passed until a time, per
                                                          * second since */
    double taken;                                        /* of them, what `until` has */
};

#define OUTLET_IDLE ((struct outlet){.until = -INFINITY})

/* Acknowledgements that have passed it since it was last looked at. */
static inline void outlet_advance(struct outlet *outlet, double now)
{
    outlet->acknowledged += outlet->acknowledging * (now - outlet->acknowledged_at);
    outlet->acknowledged_at = now;
}

/* Work that comes at `at`, all at once. Returns what was saved up. */
static inline double outlet_take(struct outlet *outlet, double work, double credit, double at)
{
    outlet_advance(outlet, at);
    if (outlet->until > at)
        outlet->until += outlet->acknowledged - outlet->taken;
    outlet->taken = outlet->acknowledged;
    const double until = queue_latest(outlet->until, at - credit);
    outlet->until = until + work;
    return at > until ? at - until : 0;
}

/* Of a message that was the last of it: how much later than from an idle one it leaves. gap: its own if it was alone. */
static inline double outlet_late(const struct outlet *outlet, double gap, double credit, double at)
{
    return queue_latest(0, outlet->until - at - queue_latest(0, gap - credit));
}

/* The next piece of a message comes at `at`, when the one before has left, or later: how long it waits for what came meanwhile. */
static inline double outlet_follow(struct outlet *outlet, double gap, double at)
{
    outlet_advance(outlet, at);
    outlet->until += outlet->acknowledged - outlet->taken;
    outlet->taken = outlet->acknowledged;
    const double wait = queue_latest(0, outlet->until - at);
    outlet->until = queue_latest(outlet->until, at) + gap;
    return wait;
}

/* Of what all messages pass on their way, and an idle one passes at once: likewise. */
static inline double outlet_pass_common(double *until, double gap, double at)
{
    *until = queue_latest(*until, at - gap) + gap;
    return queue_latest(0, *until - at);
}

#endif
