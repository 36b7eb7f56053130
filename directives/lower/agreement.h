/* agreement.h - what making a communicator takes: collective operations of the library's own, one after the other.
 *
 * Open MPI 4.1, ompi/communicator/comm_cid.c: the largest of the numbers that are free is looked for, whether all have
 * it free is asked, and before anybody uses it all have made it: three Iallreduce that are waited for, of coll/libnbc.
 * That some have it not free, and it takes more rounds, is not in it. Before that a split tells all of color and key,
 * a split by type asks whether all say the same, and of a graph whose edges anybody may name each process is told how
 * many it has. That processes then send each other those edges, and that those of one type tell each other their keys
 * where these differ, is not in it. Who makes one of a group asks its members alone, over a binary tree of this shape,
 * in which other ranks stand at the places.
 *
 * MPICH 4, src/mpi/comm/contextid.c: what is free in all processes is one Allreduce, and the lowest of these is taken.
 * That none of the first 64 is free in all, upon which it asks once more, is not in it. A split by type is one by the
 * node. */
#ifndef PEVPM_DIRECTIVES_LOWER_AGREEMENT_H
#define PEVPM_DIRECTIVES_LOWER_AGREEMENT_H

#include "directives/tree.h"

#include <stdbool.h>
#include <stdint.h>

struct agreement_step {
    enum collective_op op;
    int64_t bytes;              /* what each member gives */
    const char *algorithm;      /* as a directive names it; NULL: the library's own choice */
};

enum { AGREEMENT_STEPS_MOST = 8 };

/* How many steps; 0: `op` makes no communicator. They are over the parent, but with MPI_Comm_create_group over the one
 * that is made. */
int agreement_steps(enum message_op op, bool mpich, struct agreement_step steps[AGREEMENT_STEPS_MOST]);

#endif
