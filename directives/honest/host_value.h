/* host_value.h - the values of expressions in the host source, for one process, where they can be read.
 *
 * Known are: numbers; what -D and Param say (the same name means the same, as in the directives themselves, unless the
 * host counts with it); macros without arguments, which are put in as text; enumerators and variables that have one
 * definition in the whole file and are never changed otherwise (no second assignment, no ++, no address taken, no loop
 * that counts with it); the rank and the size that MPI_Comm_rank and MPI_Comm_size give for MPI_COMM_WORLD; sizeof
 * of a type that the directives know; MPI_PROC_NULL, MPI_ANY_SOURCE and MPI_ANY_TAG (as PROGRAM_PROC_NULL and
 * PROGRAM_WILDCARD of program.h); within a function, what is passed to it. These over C's arithmetic, comparison,
 * logic, bits, ?: and casts; in Fortran over + - * / **, comparison, and mod, modulo, min, max, merge. Anything else has
 * no value.
 *
 * What it may get wrong: a name that two functions use for different things is one name here, unless both declare it or
 * both assign to it - then it has no value. */
#ifndef PEVPM_DIRECTIVES_HONEST_HOST_VALUE_H
#define PEVPM_DIRECTIVES_HONEST_HOST_VALUE_H

#include "host/call.h"
#include "host/function.h"
#include "directives/value.h"

#include <stdbool.h>
#include <stddef.h>

struct host_names; /* what the names of a text stand for */

/* text: borrowed. */
struct host_names *host_names_read(const struct host_text *text);
void host_names_destroy(struct host_names *names);

/* What the parameters of a function are in one call of it. All borrowed. */
struct host_binding {
    const struct host_function *function;
    size_t call;                       /* the token of its name there */
    size_t n;
    struct host_range arguments[HOST_ARGUMENTS_MOST]; /* [n] */
    const struct host_binding *outer;  /* of the function that the call stands in; NULL: none */
};

/* Which process, and the parameters. All borrowed; a parameter without value (VALUE_NONE) is not looked at. */
struct host_process {
    int process, numprocs;
    const struct host_binding *binding; /* NULL: none */
    size_t n;
    const char *const *parameters; /* [n] names */
    const struct value *values;    /* [n] */
};

/* The value of an expression; kind VALUE_NONE where it cannot be read. */
struct value host_value(const struct host_names *names, const struct host_process *process, struct host_range range);

/* Bytes of the MPI datatype that an argument names, directly or through one definition; 0: it cannot be read. */
int host_datatype_bytes(const struct host_names *names, const struct host_binding *binding, struct host_range range);

/* Whether an argument is MPI_COMM_WORLD, or a name for it or for a duplicate of it. */
bool host_is_world(const struct host_names *names, const struct host_binding *binding, struct host_range range);

/* Whether the text says anything of a name. */
bool host_names_know(const struct host_names *names, const char *word);

/* The functions of the text. */
const struct host_functions *host_names_functions(const struct host_names *names);

#endif
