/* marked.h - the open operations of a process that a wait or a test names, its marked ones: operations whose `waited` is set.
 *
 * An operation is open from its post until something completes it. Of the marked ones that are ready, those are complete whose
 * completion is no later than a time. What each look asks of them stands here, to be inlined. */
#ifndef PEVPM_ENGINE_TIMED_PROCESS_MARKED_H
#define PEVPM_ENGINE_TIMED_PROCESS_MARKED_H

#include "engine/timed/state.h"

/* Marks what a wait or test names: the latest of a name and index, all of a whole name; without names all but those that a
 * collective has posted for itself. False: the run has failed. */
bool operations_mark(struct timed *e, int32_t process, const struct instr *instr);

/* Is any marked? */
bool marked_any(const struct timed *e, const struct timed_process *p);

/* The one that completed first, no later than not_after; at equal times the one that was posted first. receives: of receives
 * only. NONE. */
static inline int32_t marked_first(const struct timed *e, const struct timed_process *p, double not_after, bool receives)
{
    int32_t first = NONE;
    for (int32_t i = p->first_open; i != NONE; i = e->operations[i].next_open) {
        const struct timed_operation *o = &e->operations[i];
        if (o->waited && o->ready && o->completion <= not_after && (!receives || o->kind == OPERATION_RECEIVE) &&
            (first == NONE || o->completion < e->operations[first].completion))
            first = i;
    }
    return first;
}

/* How many are complete by then; -1: none is marked. */
static inline int64_t marked_count(const struct timed *e, const struct timed_process *p, double not_after)
{
    int64_t n = 0, waited = 0;
    for (int32_t i = p->first_open; i != NONE; i = e->operations[i].next_open) {
        const struct timed_operation *o = &e->operations[i];
        waited += o->waited;
        n += o->waited && o->ready && o->completion <= not_after;
    }
    return waited > 0 ? n : -1;
}

/* All, or at least one, are complete by then. */
static inline bool marked_are_complete(const struct timed *e, const struct timed_process *p, bool one, double not_after)
{
    bool all = true, any = false;
    for (int32_t i = p->first_open; i != NONE; i = e->operations[i].next_open) {
        const struct timed_operation *o = &e->operations[i];
        const bool complete = o->ready && o->completion <= not_after;
        all &= !o->waited || complete;
        any |= o->waited && complete;
    }
    return one ? any : all;
}

/* The process knows so much complete that the call does not look. */
bool marked_are_read(const struct timed *e, const struct timed_process *p, bool one);

/* When all of them, each ready, will have completed: as marked_complete, without completing any. */
double marked_return(struct timed *e, const struct timed_process *p);

/* When a call that began at `call` would return with this operation: a Waitany takes the least. */
double operation_return(struct timed *e, int32_t operation, double call);

/* Completes one operation in a call that has come to `at`; returns when it has. marked_complete: all that are complete by
 * not_after, receives in the order of arrival, then the rest. */
double operation_complete(struct timed *e, int32_t process, const struct instr *instr, int32_t operation, double at);
double marked_complete(struct timed *e, int32_t process, const struct instr *instr, double at, double not_after);

/* Which of the requests that the instruction names the operation is; where that has no answer the run fails. */
int64_t request_position(struct timed *e, int32_t process, const struct instr *instr, int32_t operation);

/* A wait no longer may name it; released. */
void operation_close(struct timed *e, int32_t operation);

#endif
