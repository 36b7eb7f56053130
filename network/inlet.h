/* inlet.h - an in port that serves whole messages.
 *
 * A message of gap g that would be there at x, if the port did nothing else, comes in from x - g to x. So it is late by
 * what the port does for others from x - g on, and by nothing that was done before:
 *
 *     there = max(x, until + g - idle)   until: when the port has passed all that asked before, in the order of x
 *                                        idle: for how long between x - g and `until` it had nothing to do
 *
 * and that idle time is taken. A short message that comes while a long one does costs the long one what the short one
 * takes, and not all that was there of the long one already. The port does one thing at a time, so it passes no set of
 * messages sooner than it can (the law of the port, docs/ARCHITECTURE.md, section 4).
 *
 * The last INLET_PAUSES times at which it had nothing to do are remembered. Before the oldest of them it counts as busy:
 * a message that more others come in the midst of is later than it has to be, and never sooner.
 *
 * Pure. In the order of asking these are the operations of all engines, which so compute the same bits. Times are in
 * seconds. */
#ifndef PEVPM_NETWORK_INLET_H
#define PEVPM_NETWORK_INLET_H

#include <math.h>

/* 2 do for trees on nodes that differ; of 160 predictions of programs by chance 3 change between 2 and 4, by 2 to 5 %,
 * and 2 between 4 and 8. Four cost the lanes engine 18 % of its speed where there are ports. */
enum { INLET_PAUSES = 4 };

struct inlet {
    double until;
    double from[INLET_PAUSES], to[INLET_PAUSES]; /* the newest first; to <= from: nothing is left of it */
};

/* Idle for ever. */
static inline struct inlet inlet_idle(void)
{
    struct inlet inlet = {.until = -INFINITY};
    for (int i = 0; i < INLET_PAUSES; i++)
        inlet.from[i] = inlet.to[i] = -INFINITY;
    return inlet;
}

/* Of the time from `begins` on the inlet was idle for that long, and is no more. */
static inline double inlet_take_idle(struct inlet *inlet, double begins)
{
    double idle = 0;
    for (int i = 0; i < INLET_PAUSES; i++) {
        const double from = begins > inlet->from[i] ? begins : inlet->from[i], part = inlet->to[i] - from;
        idle += part > 0 ? part : 0;
        inlet->to[i] = inlet->to[i] < begins ? inlet->to[i] : begins;
    }
    return idle;
}

/* A message comes in until x, no earlier than those before it. Returns when it has passed, or before that by its
 * `credit` (credit(M) of docs/ARCHITECTURE.md, section 4), but not before x. */
static inline double inlet_pass(struct inlet *inlet, double gap, double credit, double x)
{
    const double begins = x - gap, idle = inlet_take_idle(inlet, begins);
    if (begins > inlet->until) {
        for (int i = INLET_PAUSES - 1; i > 0; i--) {
            inlet->from[i] = inlet->from[i - 1];
            inlet->to[i] = inlet->to[i - 1];
        }
        inlet->from[0] = inlet->until;
        inlet->to[0] = begins;
    }
    const double passed = inlet->until + gap - idle, rested = passed - credit;
    inlet->until = passed > x ? passed : x;
    return rested > x ? rested : x;
}

#endif
