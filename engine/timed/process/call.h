/* call.h - calls of a process: entering and leaving MPI, waiting, and going on when what it waits for is there. */
#ifndef PEVPM_ENGINE_TIMED_PROCESS_CALL_H
#define PEVPM_ENGINE_TIMED_PROCESS_CALL_H

#include "engine/timed/state.h"
#include "engine/timed/stream/receiver.h"
#include "engine/timed/timed.h"
#include "engine/timed/way/connect.h"
#include "engine/timed/way/socket.h"

/* A wait for what the instruction names (marked.h), Waitany and Waitsome too. Returns whether the process goes on at once. */
bool timed_call_wait(struct timed *e, int32_t process, const struct instr *instr);

/* In a blocking send or receive that has posted what it waits for (`held`), beside collectives that go on meanwhile. As above. */
bool timed_call_held(struct timed *e, int32_t process);

/* A process whose turn has come while it was in a call, no blocking receive (receive_finish, post.h): finishes it. */
void timed_call_finish(struct timed *e, int32_t process);

/* The completion of an operation, no receive, has become known. */
void operation_ready(struct timed *e, int32_t operation);

/* Likewise of a receive: the arrival of its message has. What was sent synchronously is acknowledged when it has come
 * and its receiver is in MPI (EVENT_ACKNOWLEDGE, of the send). */
void receive_ready(struct timed *e, int32_t operation);

/* Lets a blocked process go on at `time`, or earlier where that is known already. */
static inline void process_wake(struct timed *e, int32_t process, double time)
{
    struct timed_process *p = &e->processes[process];
    if (!(time < p->until))
        return;
    const bool has_turn = p->until < TURN_NEVER;
    p->until = time;
    if (process == e->running)
        return;
    e->overtaken |= time <= e->now;
    timed_turn_move(e, process, has_turn, time);
}

/* When a process goes on that has run as far as it could, unless something wakes it before; TURN_NEVER: it does not. */
static inline double process_turn(const struct timed_process *p)
{
    if (p->state != TIMED_READY && p->state != TIMED_ENDED)
        return p->until;
    return p->state == TIMED_READY ? p->clock : TURN_NEVER;
}

/* Is the process in a call now that looks, as far as progress of a rendezvous goes? */
static inline bool process_looks_at(const struct timed_process *p, double now)
{
    return p->looks && p->call <= now && now <= p->until;
}

static inline bool process_in_mpi(const struct timed *e, int32_t process)
{
    return process_looks_at(&e->processes[process], e->now);
}

/* Until when it has read what had come for it. */
static inline double process_has_read_until(const struct timed_process *p)
{
    return p->looks ? p->until : p->looked;
}

/* The beginning of the call in which it did last. */
static inline double process_has_read_from(const struct timed_process *p)
{
    return p->looks ? p->call : p->looked_from;
}

/* Are there calls that are over without looking at the network? Only where messages pass in the order of time: the other engines
 * have no such calls. */
static inline bool calls_may_pass(const struct timed *e)
{
    return e->model->in_time_by && e->model->progress == PROGRESS_NONE;
}

/* It has read the message, or its announcement: a call that needs nothing else passes. */
bool process_has_read(const struct timed *e, int32_t process, int32_t transfer);

/* Rendezvous that have waited until this process is in MPI, now that it is. */
void timed_meetings_start(struct timed *e, int32_t process);

/* Enters MPI, until a time that is known or for a call that may block: INFINITY. `call`: when that began, no later than now where the
 * process is to be met in it. What has waited for that goes on. */
static inline void timed_mpi_enter_at(struct timed *e, struct timed_process *p, int32_t process, double call, double until)
{
    p->left = p->until;
    p->call = call;
    p->until = until;
    p->looks = true;
    if (p->first_meeting != NONE)
        timed_meetings_start(e, process);
    if (p->first_full != NONE)
        socket_enter(e, process);
    if (p->first_joining != NONE)
        connect_enter(e, process);
    if (p->first_unread)
        receiver_read(e, process);
}

static inline void timed_mpi_enter(struct timed *e, struct timed_process *p, int32_t process, double until)
{
    timed_mpi_enter_at(e, p, process, p->clock, until);
}

/* Enters a call that may block and does not look. */
static inline void timed_mpi_pass(struct timed_process *p)
{
    p->looked = process_has_read_until(p);
    p->looked_from = process_has_read_from(p);
    p->looks = false;
    p->call = p->clock;
    p->until = INFINITY;
}

static inline void process_block(struct timed_process *p, enum timed_state state, int32_t operation)
{
    p->state = (uint8_t)state;
    p->operation = operation;
    p->n_polls = 0;
}

/* Blocks the process until all marked operations are complete; completes them, since they are. */
void timed_wait_marked(struct timed *e, int32_t process);
void timed_complete_marked(struct timed *e, int32_t process);

#endif
