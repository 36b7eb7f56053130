/* step.h - instructions of a process. */
#ifndef PEVPM_ENGINE_TIMED_PROCESS_STEP_H
#define PEVPM_ENGINE_TIMED_PROCESS_STEP_H

#include "engine/timed/state.h"

/* A computation whose time no variable decides, ENTER or LEAVE: nothing that other processes can notice. */
void step_alone(struct timed *e, struct timed_process *p, int32_t process, const struct instr *instr);

/* A process that has rested comes to a call: it has its turn to be woken. There, at `now`, its rest ends: the clock is then
 * when it goes on. Nothing where that is noted already. */
void rest_note(struct timed *e, int32_t process);
void rest_end(struct timed *e, int32_t process, const struct instr *instr, double now);

/* Runs a process from its clock on until it blocks, ends, or comes to a call that must wait for its turn. */
void timed_run_process(struct timed *e, struct timed_process *p, int32_t process);

#endif
