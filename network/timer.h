/* timer.h - when a timer of Linux's comes that is set for so long (kernel/time/timer.c, calc_wheel_index; CONFIG_HZ=250).
 *
 *     with a tick, and never early: its wait is rounded up to ticks, and the one that it begins in does not count
 *     far away: of 63 ticks and more with a multiple of 8, of 504 and more with one of 64, and so on: the next one
 *
 * So timers of several connections come at one moment, and what they send again meets. `phase`: how long before time 0 the count of
 * ticks was a multiple of all these, 0 ... TIMER_ROUND. Pure; seconds. */
#ifndef PEVPM_NETWORK_TIMER_H
#define PEVPM_NETWORK_TIMER_H

#include <math.h>
#include <stdint.h>

#define TIMER_TICK 4e-3

/* Phases beyond differ only for timers of 129 s and more. */
#define TIMER_ROUND (512 * TIMER_TICK)

/* Set at `begin`, at least 0, for `wait`. */
static inline double timer_end(double phase, double begin, double wait)
{
    enum { NEAR = 63, LEVEL_SHIFT = 3, MOST_SHIFT = 24 };
    const int64_t ticks = (int64_t)ceil(wait / TIMER_TICK);
    int shift = 0;
    while (ticks >= (int64_t)NEAR << shift && shift < MOST_SHIFT)
        shift += LEVEL_SHIFT;
    const int64_t end = ((int64_t)((begin + phase) / TIMER_TICK) + ticks) >> shift;
    return TIMER_TICK * (double)((end + 1) << shift) - phase;
}

#endif
