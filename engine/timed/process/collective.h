/* collective.h - collective operations: unrolled into messages, or costed as a whole. */
#ifndef PEVPM_ENGINE_TIMED_PROCESS_COLLECTIVE_H
#define PEVPM_ENGINE_TIMED_PROCESS_COLLECTIVE_H

#include "engine/timed/state.h"

/* Room for all collectives of a program; NULL where it has none. Reset before every run. */
struct collectives *collectives_create(const struct program *program);
void collectives_reset(struct collectives *collectives, const struct program *program);
void collectives_destroy(struct collectives *collectives, const struct program *program);

/* As the calls above. */
bool timed_call_collective(struct timed *e, int32_t process, const struct instr *instr);

/* The process is in a collective that is unrolled: the next move. Returns whether the process goes on. */
bool collective_go_on(struct timed *e, int32_t process);

/* What its move waited for is there, and completed. */
void collective_waited(struct timed *e, int32_t process);

/* The process has left one that was costed as a whole. */
void collective_finish(struct timed *e, int32_t process, int32_t site);

/* Collectives with a request that are unrolled, of one process:
 *   progress      in a test or an Iprobe, before it reads what has come: one goes on that can, a move or the end of one; marks are then lost.
 *                 False: none can
 *   can_progress  would one, in such a call now?
 *   move          where a process is to wait: one makes its next move, if it can. False: all of them wait
 *   expect        a process blocked in a call that looks is woken when one can go on
 *   step          a process woken so: that one has got what it waited for, marks are lost, and the call begins anew; else false */
bool collectives_progress(struct timed *e, int32_t process);
bool collectives_can_progress(const struct timed *e, int32_t process);
bool collectives_move(struct timed *e, int32_t process);
void collectives_expect(struct timed *e, int32_t process);
bool collectives_step(struct timed *e, int32_t process);

/* What an operation that is not complete waits for: of a collective that is unrolled its next message. */
int32_t collective_waits_for(const struct timed *e, int32_t operation);

#endif
