/* comm.h - communicators: which processes have which ranks. Known before the run; MPI_COMM_WORLD is one of them. */
#ifndef PEVPM_DIRECTIVES_COMM_H
#define PEVPM_DIRECTIVES_COMM_H

#include <stdint.h>

/* MPI_COMM_WORLD, or what one comm_split made for one color. Its ranks are the processes members[0 .. n - 1]. A
 * comm_split met again gives the same communicator where it has the same members. */
struct comm {
    int32_t n;
    int32_t *members;         /* [n] by rank; NULL for MPI_COMM_WORLD: rank = process */
    int32_t *by_process;      /* [n] the ranks, in ascending order of their processes */
};

/* The process of a rank, 0 <= rank < n. */
int32_t comm_process(const struct comm *comm, int32_t rank);

/* The rank of a process, -1 when it is no member. */
int32_t comm_rank(const struct comm *comm, int32_t process);

#endif
