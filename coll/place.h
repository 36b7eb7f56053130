/* place.h - what the library knows of a communicator, and which line of the table is for an operation on it.
 *
 * SPDX-License-Identifier: MIT */
#ifndef PEVPM_COLL_PLACE_H
#define PEVPM_COLL_PLACE_H

#include "coll/table.h"

#include <mpi.h>

struct coll {
    bool started, on, reports;
    struct coll_table table;
    int world;      /* processes of MPI_COMM_WORLD */
    int *node;      /* [world] the node of each */
    int keyval;     /* a communicator's struct place */
    long served[N_COLL_OPS], passed[N_COLL_OPS];
};
extern struct coll coll;

struct place {
    MPI_Comm comm;  /* of the same processes; for nobody else's messages */
    int size, rank;
    int *node;      /* [size] */
    int *rank_on;   /* [world] the rank on each node; -1: none */
    bool apart;     /* no two on one node */
};

/* n things of `size` bytes, zeroed. Without memory the program ends: alone a process could not do without. */
void *coll_memory(size_t n, size_t size);

/* What is known of an intracommunicator, all of whose processes call this: where it is not known yet they make it
 * together. NULL: its processes are not all of one
 * MPI_COMM_WORLD. */
struct place *place_of(MPI_Comm comm);

/* The attribute of communicators. */
int place_keyval_create(void);

/* The first line for the operation with this root and `bytes` to send; bytes < 0: whatever they are, a tree. NULL: none. */
const struct coll_row *place_row(const struct place *place, enum coll_op op, int root, int64_t bytes);

/* Whether some line cuts the shares of the operation into pieces. */
bool place_cuts(const struct place *place, enum coll_op op);

/* The rank at each position of a line's tree, order[0] being the root. */
void place_order(const struct place *place, const struct coll_row *row, int root, int order[]);

#endif
