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

/* A process that is not running gets a turn at `time`, in place of the one that it has, if it has one. */
static inline void timed_turn_move(struct timed *e, int32_t process, bool has_turn, double time)
{
    if (!has_turn)
        timed_turn_put(e, process, time);
    else if (e->due == process && e->due_time < TURN_NEVER)
        e->due_time = time;
    else
        turns_set(&e->turns, process, time);
}

/* When the first turn is; TURN_NEVER: there is none. Compared as bits, as which of the two it is nothing can predict: of doubles gcc
 * makes a branch. */
static inline double timed_first_turn(const struct timed *e)
{
    const uint64_t first = turns_least(turns_bits(e->due_time), turns_bits(turns_first_time(&e->turns)));
    double time;
    memcpy(&time, &first, sizeof time);
    return time;
}

static inline void event_add(struct timed *e, double time, enum event_kind kind, int32_t process, int32_t transfer)
{
    e->overtaken |= time <= e->now;
    event_queue_push(&e->queue, event_make(time, (int)kind, process, (uint64_t)transfer));
}

/* Of the 35 bits of an event's object, those beside a process's number and one more. */
static inline int channel_bits_for(int32_t numprocs)
{
    return 34 - (numprocs > 1 ? 32 - __builtin_clz((unsigned)numprocs - 1) : 0);
}

/* Of a channel, at one of its two processes. Its object is the other one first, and whether that is the sender: of two processes
 * there is one channel each way, so its number, which is behind that, never decides which event is first. Nor may it: it is as it
 * was when some earlier replication first needed the channel. A number that is too large for the place, or fills it, is looked for. */
static inline void channel_event_add(struct timed *e, double time, enum event_kind kind, int32_t process,
                                     const struct timed_channel *c)
{
    const uint64_t channel = (uint64_t)(c - e->channels), looked_for = ((uint64_t)1 << e->channel_bits) - 1;
    const uint64_t other = process == c->from ? 2 * (uint64_t)c->to : 2 * (uint64_t)c->from + 1;
    e->overtaken |= time <= e->now;
    event_queue_push(&e->queue, event_make(time, (int)kind, process,
                                           other << e->channel_bits | (channel < looked_for ? channel : looked_for)));
}

/* The other process, and whether it is the channel's sender. */
static inline int32_t channel_event_peer(const struct timed *e, const struct event *event, bool *sends)
{
    const uint64_t other = event_object(event) >> e->channel_bits;
    *sends = other % 2 == 1;
    return (int32_t)(other / 2);
}

#endif
