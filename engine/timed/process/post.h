/* post.h - messages of a process: posting them, receives and sends. */
#ifndef PEVPM_ENGINE_TIMED_PROCESS_POST_H
#define PEVPM_ENGINE_TIMED_PROCESS_POST_H

#include "engine/timed/state.h"

/* One call of a process, p; each returns whether the process goes on at once. */
bool timed_call_receive(struct timed *e, struct timed_process *p, int32_t process, const struct instr *instr);
bool timed_call_post(struct timed *e, int32_t process, const struct instr *instr);
bool timed_call_send(struct timed *e, struct timed_process *p, int32_t process, const struct instr *instr);
/* The same for what most are, an MPI_Send: what it is need not be asked again. */
bool timed_call_plain_send(struct timed *e, struct timed_process *p, int32_t process, const struct instr *instr);

/* A receive that the process comes to later than now is posted already where that makes no difference but one turn
 * less: nothing else of the process is open, and nobody wants to know what else was there. A rendezvous cannot start
 * before both are there: for one, the receive waits until its own time (receive_recall). */
void timed_call_receive_ahead(struct timed *e, struct timed_process *p, int32_t process, const struct instr *instr);

/* The announcement of a rendezvous reaches the process now: if it has posted its receive ahead of this, the receive
 * waits for its own time. */
void receive_recall(struct timed *e, int32_t process);

/* The first operations of a run are the processes' blocking receives, none of which is posted. */
void receives_reset(struct timed *e);

/* A process whose turn has come while it was blocked in a receive, or a send: finishes that. A receive that was
 * recalled is posted instead, and the process still in it. */
void receive_finish(struct timed *e, struct timed_process *p);
void send_finish(struct timed *e, int32_t process);

/* The operands of a message or a probe; false: the run has failed. */
bool timed_operands_compute(struct timed *e, int32_t process, const struct instr *instr, struct operands *o);

static inline bool operands_read(struct timed *e, const struct timed_process *p, int32_t process, const struct instr *instr,
                                 struct operands *o)
{
    if (instr->dynamic != 0)
        return timed_operands_compute(e, process, instr, o);
    *o = operand_message_known(p->role, instr, process);
    return true;
}

/* The element index of the instruction's request number `which`; false: the run has failed. */
bool timed_request_read(struct timed *e, int32_t process, const struct instr *instr, int32_t which, int64_t *index);

/* An operation posted now; fields of its kind are the caller's to fill. */
int32_t timed_operation_new(struct timed *e, int32_t process, enum operation_kind kind, int32_t site);

/* Posts a message or a receive on behalf of a process, now. `blocking`: its process will wait for it by itself.
 * Returns the operation (send: NONE where it is complete at once). */
int32_t send_post(struct timed *e, int32_t process, const struct operands *o, uint8_t op, int32_t site, bool blocking);
int32_t receive_post(struct timed *e, int32_t process, const struct operands *o, int32_t site);

/* The same as a nonblocking send, of a message that `receive`, posted already, takes. A rendezvous has yet to be
 * matched. */
int32_t send_post_to(struct timed *e, int32_t process, const struct operands *o, int32_t site, int32_t receive);

/* From now on a wait may name it; INT32_MIN: only one that names all. */
void operation_open(struct timed *e, int32_t operation, int32_t name, int64_t index);

/* A receive of a call that has come to `call`: when it returns; and, at that time, takes its message off the board. */
double receive_return(struct timed *e, int32_t operation, double call, double *overhead);
void receive_complete(struct timed *e, int32_t operation, double time);

/* Variables that the instruction binds: one of them; what a message tells. NONE: nothing was received
 * (MPI_PROC_NULL). */
static inline void bind_value(struct timed_process *p, const struct instr *instr, enum bind_key key, int64_t value)
{
    if (instr->binds && instr->bind[key] >= 0)
        p->slots[instr->bind[key]] = value_int(value);
}

/* Binds source, tag and bytes of a message to the names of an instruction of the process; transfer NONE, and the
 * other: what a receive from MPI_PROC_NULL gives. */
void bind_status(struct timed *e, int32_t process, const struct instr *instr, int32_t comm, int32_t transfer);
void bind_received_nothing(struct timed_process *p, const struct instr *instr);

#endif
