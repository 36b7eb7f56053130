/* keep.h - what a call of each kind is, for the wrappers of C and of Fortran.
 *
 * SPDX-License-Identifier: MIT
 *
 * Each function stands between recorder_called and the return of a wrapper, and calls recorder_leave. Arguments are
 * those of the MPI call, as C has them. caller, frame: RECORDER_HERE. */
#ifndef PEVPM_RECORDER_KEEP_H
#define PEVPM_RECORDER_KEEP_H

#include "recorder/recorder.h"

struct here {
    void *caller, *frame;
};
#define HERE ((struct here){RECORDER_HERE})

/* What one side of a message is. */
struct side {
    int count;
    MPI_Datatype type;
    int peer, tag;
};

void keep_send(struct here here, enum operation op, struct side side, MPI_Comm comm);
/* source: the sender, a rank of comm; MPI_PROC_NULL where it is not known. */
void keep_recv(struct here here, enum operation op, struct side side, MPI_Comm comm, int source);
void keep_start(struct here here, enum operation op, struct side side, MPI_Comm comm, MPI_Request request);
void keep_both(struct here here, enum operation op, struct side sent, struct side received, MPI_Comm comm);
void keep_probe(struct here here, enum operation op, int source, int tag, MPI_Comm comm, int from);

/* message: what the probe took out. The receive of a message gives a request, or NULL. */
void keep_mprobe(struct here here, enum operation op, int source, int tag, MPI_Comm comm, int from,
                 MPI_Message message);
void keep_mrecv(struct here here, enum operation op, int64_t bytes, MPI_Message message, const MPI_Request *request);

/* handles [n]: as they were before the call. completed [n_completed]: which of them it completed; NULL: all. source: as
 * keep_recv, of a single request. */
void keep_wait(struct here here, enum operation op, int n, const MPI_Request handles[], int n_completed,
               const int completed[], int source);

/* MPI_Cancel has been called. */
void keep_cancel(struct here here, MPI_Request handle);

/* A persistent request was made; some were started. */
void keep_made(enum operation op, struct side side, MPI_Comm comm, MPI_Request request);
void keep_started(struct here here, int n, const MPI_Request handles[]);

/* root: MPI_PROC_NULL where the operation has none. */
void keep_collective(struct here here, enum operation op, int root, int64_t bytes, int64_t bytes2, MPI_Comm comm,
                     const MPI_Request *request);
/* Sizes of the v-forms. */
int64_t keep_bytes(int count, MPI_Datatype type);
int keep_rank(MPI_Comm comm);
/* The sizes that go to each of some: [n] counts of `type`, or of types[i] where that is not NULL. n: keep_size, or
 * keep_destinations of a grid or graph. */
struct shares {
    int n;
    const int *counts;
    MPI_Datatype type;
    const MPI_Datatype *types;
};
int keep_size(MPI_Comm comm);
int keep_destinations(MPI_Comm comm);
void keep_shares(struct here here, enum operation op, struct shares shares, MPI_Comm comm, const MPI_Request *request);

void keep_comm(struct here here, enum operation op, MPI_Comm parent, MPI_Comm made);

/* A window was made on a communicator; is gone. */
void keep_window(struct here here, enum operation op, MPI_Comm parent, MPI_Win made);
void keep_window_freed(struct here here, MPI_Win window);
void keep_remote(struct here here, enum operation op, int count, MPI_Datatype type, int rank, MPI_Win window);
void keep_fence(struct here here, MPI_Win window);
/* exclusive: of MPI_Win_lock. */
void keep_lock(struct here here, enum operation op, int rank, bool exclusive, MPI_Win window);
/* MPI_Win_lock_all: from now on what is accessed first is locked there, as libraries do it, and an MPI_Win_lock is kept
 * before the access. MPI_Win_unlock_all and MPI_Win_flush_all are kept as `op` of each process that the lock is of. */
void keep_lock_all(MPI_Win window);
void keep_all(struct here here, enum operation op, MPI_Win window);

#endif
