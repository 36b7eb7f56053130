/* coll.h - collective operations carried out as a machine file's decisions say.
 *
 * SPDX-License-Identifier: MIT
 *
 * The library stands before a program's own MPI library (linked before it, or LD_PRELOAD) and takes over MPI_Bcast,
 * MPI_Scatter, MPI_Scatterv, MPI_Gather and MPI_Gatherv. When MPI starts, rank 0 reads the machine file that PEVPM_COLL
 * names, and hands its decisions (table.h) to all. An operation for which there is a line is carried out here, any
 * other by the MPI library. All processes of a communicator must come to the same answer, so it is found from what all
 * of them know: the operation, the processes, where they are, the root and, but for the forms with v, the bytes.
 *
 * Messages go over a communicator of the library's own for each of the program's. Buffers may be anywhere and of any
 * datatype: what is of another process travels packed, because each process may have a type map of its own. A root that
 * says MPI_IN_PLACE is served like any other, for the others do not know of it. */
#ifndef PEVPM_COLL_COLL_H
#define PEVPM_COLL_COLL_H

#include <mpi.h>
#include <stdbool.h>

/* One side of an operation, as in the MPI call. counts, displs: of the forms with v, on the side of all processes. */
struct coll_side {
    void *buf;
    int count;
    MPI_Datatype type;
    const int *counts, *displs; /* NULL: `count` for each */
};

/* After MPI_Init, by all processes; and before MPI_Finalize. The second time nothing happens. */
void coll_start(void);
void coll_finish(void);

/* Each carries out the operation and gives its error code in *result, or returns false: then it is for PMPI. `one` is
 * the side that each process has, `all` that of the root alone. */
bool coll_bcast(void *buf, int count, MPI_Datatype type, int root, MPI_Comm comm, int *result);
bool coll_scatter(const struct coll_side *all, const struct coll_side *one, int root, MPI_Comm comm, int *result);
bool coll_gather(const struct coll_side *one, const struct coll_side *all, int root, MPI_Comm comm, int *result);
bool coll_scatterv(const struct coll_side *all, const struct coll_side *one, int root, MPI_Comm comm, int *result);
bool coll_gatherv(const struct coll_side *one, const struct coll_side *all, int root, MPI_Comm comm, int *result);

#endif
