/* place.h - what the library knows of a communicator.
 *
 * SPDX-License-Identifier: MIT */
#ifndef PEVPM_COLL_PLACE_H
#define PEVPM_COLL_PLACE_H

#include "coll/choice.h"

#include <mpi.h>

struct coll {
    bool started, on, reports;
    struct coll_table table;
    int world;      /* processes of MPI_COMM_WORLD */
    int *node;      /* [world] the node of each */
    int keyval;     /* a communicator's struct coll_place */
    long served[N_COLL_OPS], passed[N_COLL_OPS];
};
extern struct coll coll;

struct coll_place {
    MPI_Comm comm;  /* of the same processes; for nobody else's messages */
    int size, rank;
    struct coll_seats seats;
    int64_t scatterv;   /* how many there have been: each has a tag of its own */
};

/* n things of `size` bytes, zeroed. Without memory the program ends: alone a process could not do without. */
void *coll_memory(size_t n, size_t size);

/* What is known of an intracommunicator, all of whose processes call this: where it is not known yet they make it
 * together. NULL: its processes are not all of one
 * MPI_COMM_WORLD. */
struct coll_place *place_of(MPI_Comm comm);

/* The attribute of communicators. */
int place_keyval_create(void);

#endif
