/* honest.h - do the directives say what the program does? Each Message and Collective directive against the MPI call on
 * the lines that follow it, up to the next directive; or on its own line, before it.
 *
 * Compared are the operation, and, as values, for every process that executes the directive: destination or source,
 * count times datatype, tag and root - each where both sides can be read (host_value.h) and the directive gives it.
 * What cannot be read is never warned about, but counted. Ranks are compared in MPI_COMM_WORLD only. Where several
 * calls of the same operation follow, it is enough that one of them agrees. Each file of a program by itself, but for
 * the values of constants in headers. `size` of a receive is the largest message
 * that it takes, as the host's count is. Where no call follows, but calls of functions that the same file defines, the
 * calls of the operation in these are looked at, with what is passed to them. */
#ifndef PEVPM_DIRECTIVES_HONEST_H
#define PEVPM_DIRECTIVES_HONEST_H

#include "directives/tree.h"

#include <stdbool.h>
#include <stddef.h>

struct honest_options {
    const char *machine;       /* that Serial lines are chosen by; NULL: any */
    size_t n;                  /* placements; 0: 2, 3, 4 and 8 processes on as many nodes */
    const struct honest_placement {
        int nodes, ppn;
    } *placements;             /* [n] borrowed */
    bool cyclic;
    bool explain;              /* a note for each directive that is not compared in full: why */
};

struct honest_counts {
    size_t directives;         /* Message and Collective directives */
    size_t compared;           /* that have a call, of which the operation and all given operands could be compared */
    size_t partly;             /* ... the operation, and not all of the operands, or not the communicator */
};

/* Adds a warning, with a note at the call, for each directive that disagrees. */
void honest_check(const struct tree *tree, const struct honest_options *options, struct honest_counts *counts,
                  struct diags *diags);

#endif
