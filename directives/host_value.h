/* host_value.h - the values of expressions in the host source, for one process, where they can be read.
 *
 * Known are: numbers; parameters of the directives (the same name means the same, as in the directives themselves,
 * unless the host counts with it); macros without arguments, enumerators and variables that have one definition in the
 * whole file and are never changed otherwise (no second assignment, no ++, no address taken, no loop that counts with
 * it); the rank and the size that MPI_Comm_rank and MPI_Comm_size give for MPI_COMM_WORLD; sizeof of a type that the
 * directives know; MPI_PROC_NULL, MPI_ANY_SOURCE and MPI_ANY_TAG (as PROGRAM_PROC_NULL and PROGRAM_WILDCARD of
 * program.h). These over C's arithmetic, comparison, logic, bits, ?: and casts; in Fortran over + - * /, comparison,
 * and mod, modulo, min, max, merge. Anything else has no value.
 *
 * What it may get wrong: a name that two functions use for different things is one name here, unless both declare it or
 * both assign to it - then it has no value. */
#ifndef PEVPM_DIRECTIVES_HOST_VALUE_H
#define PEVPM_DIRECTIVES_HOST_VALUE_H

#include "directives/host_call.h"
#include "directives/value.h"

#include <stdbool.h>
#include <stddef.h>

struct host_names; /* what the names of a text stand for */

/* text: borrowed. */
struct host_names *host_names_read(const struct host_text *text);
void host_names_destroy(struct host_names *names);

/* Which process, and the parameters. All borrowed; a parameter without value (VALUE_NONE) is not looked at. */
struct host_process {
    int process, numprocs;
    size_t n;
    const char *const *parameters; /* [n] names */
    const struct value *values;    /* [n] */
};

/* The value of an expression; kind VALUE_NONE where it cannot be read. */
struct value host_value(const struct host_names *names, const struct host_process *process, struct host_range range);

/* Bytes of the MPI datatype that an argument names, directly or through one definition; 0: it cannot be read. */
int host_datatype_bytes(const struct host_names *names, struct host_range range);

/* Whether an argument is MPI_COMM_WORLD, or a name for it or for a duplicate of it. */
bool host_is_world(const struct host_names *names, struct host_range range);

#endif
