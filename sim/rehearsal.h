/* rehearsal.h - what a program does wrong is found in the virtual machine before it is found by processes that hang. */
#ifndef PEVPM_SIM_REHEARSAL_H
#define PEVPM_SIM_REHEARSAL_H

#include "common/diag.h"
#include "common/status.h"
#include "directives/program.h"
#include "models/machine.h"

#include <stdbool.h>
#include <stdint.h>

/* A machine file where none is given: no name that a `Serial on` has, no measured computation, all messages eager. The
 * caller ends it with machine_destroy. */
struct machine *rehearsal_machine(struct diags *diags);

/* Runs the program once on a slow network of its own, whose messages are eager up to the eager limits of `machine`, with
 * that machine's computations; NULL: those of rehearsal_machine. Where time decides what happens it is run REHEARSALS
 * times, and only what happens in each is an error, or what happens in any where `strict`.
 *   bytes_most  a message of more, or a collective operation with one size for all and with more in all, cannot be carried out;
 *               0: no limit. What only the run computes of a collective operation is left to it
 *   seconds  out, on STATUS_OK: the longest run time; runs on no network slower than 1 MB/s should take less
 * STATUS_NOT_YET: more than bytes_most. STATUS_DEADLOCK, STATUS_RANGE, ... as engine_run. */
enum { REHEARSALS = 8 };
enum status rehearse(const struct program *program, const struct machine *machine, uint64_t seed, bool strict,
                     int64_t bytes_most, double *seconds, struct diags *diags);

#endif
