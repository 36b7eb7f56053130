/* step.h - instructions of a process. */
#ifndef PEVPM_ENGINE_TIMED_PROCESS_STEP_H
#define PEVPM_ENGINE_TIMED_PROCESS_STEP_H

#include "engine/timed/state.h"

/* Runs a process from its clock on until it blocks, ends, or comes to a call that must wait for its turn. */
void timed_run_process(struct timed *e, struct timed_process *p, int32_t process);

#endif
