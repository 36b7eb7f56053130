/* timed.h - what the whole run does for its files: failing, stopping, turns and events. */
#ifndef PEVPM_ENGINE_TIMED_TIMED_H
#define PEVPM_ENGINE_TIMED_TIMED_H

#include "engine/timed/state.h"

/* Ends the run with the problem at the process that met it. */
__attribute__((cold)) void timed_fail(struct timed *e, int32_t process, const struct problem *problem);

/* Whether the user stopped the run, which then fails. Also tells of one that takes long. */
bool timed_is_stopped(struct timed *e);

/* A process whose turn is nowhere gets one, or none. The earlier of this and the one that is due is due; the other goes
 * into the tree. */
static inline void timed_turn_put(struct timed *e, int32_t process, double time)
{
    int32_t later = process;
    double later_time = time;
    if (time < e->due_time) {
        later = e->due;
        later_time = e->due_time;
        e->due = process;
        e->due_time = time;
    }
    if (later_time < TURN_NEVER)
        turns_set(&e->turns, later, later_time);
}

static inline void event_add(struct timed *e, double time, enum event_kind kind, int32_t process, int32_t transfer)
{
    e->overtaken |= time <= e->now;
    event_queue_push(&e->queue, event_make(time, (int)kind, process, (uint64_t)transfer));
}

#endif
