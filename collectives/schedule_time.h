/* schedule_time.h - how long each process is in a collective when all enter at once: the schedule carried out on the
 * costs of a model, alone on the network.
 *
 * Rules for one message, as docs/ARCHITECTURE.md, section 4, has them for ports per process without credit:
 *     departure   d = max(send call, out_free);  out_free = d + out gap;  the call returns after the send overhead
 *     arrival     of what comes in over in gap until d + transit, in that order: network/inlet.h
 *     gaps of 0   the message uses no port
 *     receive     returns at max(a, call + receive overhead); a wait for several takes them in the order of arrival
 * All sends are eager. Under Hockney (send overhead = in gap = 0, out gap = transit = alpha + beta M) the latest of the
 * times are the closed forms of schedule.h.
 * Units: seconds, bytes. */
#ifndef PEVPM_COLLECTIVES_SCHEDULE_TIME_H
#define PEVPM_COLLECTIVES_SCHEDULE_TIME_H

#include "collectives/schedule.h"

#include <signal.h>

struct message_cost {
    double send_overhead, out_gap, transit, in_gap, receive_overhead;
};

struct schedule_costs {
    /* The costs of `bytes` from one rank to another. */
    void (*message)(const void *context, int32_t from, int32_t to, int64_t bytes, struct message_cost *cost);
    const void *context;
    double gamma;                      /* s per byte reduced */
    bool alike;                        /* they are the same for all ranks: then a schedule that turns takes the work of
                                        * one process */
    const volatile sig_atomic_t *stop; /* soon after this is non-zero the work ends; NULL: never */
};

/* leaves [schedule->size]: out; when each rank leaves if all enter at 0. schedule->rank is of no meaning. False: the
 * stop flag was set, and *leaves is not complete. Takes memory for all messages under way. */
bool schedule_times(const struct schedule *schedule, const struct schedule_costs *costs, double leaves[]);

/* Every rank makes the calls of rank 0, with partners as far away round the circle of ranks. False does not say that
 * it is not so. */
bool schedule_turns(const struct schedule *schedule);

#endif
