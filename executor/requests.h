/* requests.h - the operations of a process that are open: posted, and not completed by a wait or test yet. */
#ifndef PEVPM_EXECUTOR_REQUESTS_H
#define PEVPM_EXECUTOR_REQUESTS_H

#include "engine/operand.h"
#include "executor/verifier.h"

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum request_kind { REQUEST_SEND, REQUEST_RECEIVE, REQUEST_COLLECTIVE };

struct open_call {
    enum request_kind kind;
    MPI_Request handle;
    int32_t name;               /* of program->requests' names; INT32_MIN: nobody can name it */
    int64_t index;              /* element, -1 without brackets */
    int32_t site, comm;
    int64_t bytes;              /* a receive: the most that it takes */
    bool nobody;                /* a receive from MPI_PROC_NULL: MPICH 4.0 gives an Irecv's status the source 0 */
    int64_t posted;             /* a receive: the verifier's number of it */
    void *memory;               /* of its own; NULL: the process's buffer */
    size_t memory_bytes;
    void *arrays;               /* a collective's counts and offsets, which MPI may read until it is complete; NULL */
};

/* In the order in which they were posted. Zero-initialise. */
struct requests {
    size_t n, capacity;
    struct open_call *open;
    /* What the last requests_mark found: [n_marked] places in `open`, ascending, and room for MPI's arrays of them. */
    size_t n_marked, marked_capacity;
    size_t *marked;
    MPI_Request *handles;
    MPI_Status *statuses;
    int *which;
};

void requests_add(struct requests *requests, const struct open_call *call);

/* Marks what a wait or test names: the latest of a name and element, all elements of a whole name; without names all.
 * False: an index is out of range. */
bool requests_mark(struct requests *requests, const struct program *program, const struct instr *instr, int process,
                   const struct value *slots, struct problem *problem);

/* Forgets the marked calls whose handles in `handles` have become MPI_REQUEST_NULL, and takes over those of the
 * others. */
void requests_sweep(struct requests *requests);

void requests_free(struct requests *requests);

#endif
