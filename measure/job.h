/* job.h - the processes that measure: their communicator, nodes and clock.
 *
 * Nodes are what MPI_COMM_TYPE_SHARED says, in the order of their lowest ranks; each gives the same number of
 * processes, the least that any node has, to the measurement ("places"); ranks beyond that only keep company. */
#ifndef PEVPM_MEASURE_JOB_H
#define PEVPM_MEASURE_JOB_H

#include "clock/clock.h"
#include "measure/pattern.h"
#include "measure/watch.h"

#include <mpi.h>
#include <stdint.h>

struct job {
    MPI_Comm comm;          /* private */
    struct clock *clock;
    struct watch *watch;    /* may be NULL */
    int rank, size;
    int nodes, ppn;
    int *node_of;           /* [size] */
    int place;              /* of this rank; -1: none */
    int *rank_of;           /* [nodes * ppn] */
    int *order;             /* [nodes] the nodes in the order in which patterns take them; at first 0, 1, 2 ... */
    int crowding;           /* clock_crowding */
    int processors;         /* clock_processors */
    int sockets;            /* of a node; 0: not told apart. With socket_of from job_find_sockets (sockets.h); 0 before */
    int *socket_of;         /* [nodes * ppn] of each place, as its node numbers them */
    char sockets_told[120]; /* in words; "" before */
};

/* Collective over `comm`, whose error handler must not return. tool: the program's name, in what the watch says. */
void job_init(struct job *job, MPI_Comm comm, const char *tool, const struct clock_options *options);
void job_free(struct job *job);

/* What an error handler of a tool's main does: says on standard error what MPI failed at, and ends the job. No
 * measurement goes on without a rank. */
void job_mpi_failed(const char *tool, MPI_Comm comm, int code);

/* The place that a pattern, which counts nodes in the job's order, calls `place`. */
int job_place(const struct job *job, int place);

/* The same of a shape's group, whose slots are chosen where its pairs are to be of one transport. */
int job_shape_place(const struct job *job, const struct shape *shape, int place);

/* How many processes of a node a group may have whose pairs are of the transport, node or socket; 0: no two processes of
 * some node, or sockets are not told apart. */
int job_slots_most(const struct job *job, enum transport transport);

/* Where this process's node is in the job's order, if it is the first of its node; else behind all. */
int job_turn(const struct job *job);

#endif
