/* operation.h - the calls of MPI that a recording knows, and what it says of each.
 *
 * SPDX-License-Identifier: MIT
 *
 *   send      peer, tag, bytes                          start     the same of a call that gives a request
 *   recv      the same; peer and tag may be wildcards   post      the same of a receive that gives a request
 *   both      peer, tag, bytes of what is sent, peer2, tag2, bytes2 of what is received
 *   wait      the requests that it completes            probe     peer, tag
 *   rootless  bytes                                     rooted    peer = the root, bytes
 *   comm      makes communicator `peer` from `comm`     other     nothing more
 *
 * The bytes of a collective operation are what `size` is in a directive (docs/directives.md); of MPI_Alltoallv what the
 * process sends in all divided by the processes, and bytes2 the most that goes to one. */
#ifndef PEVPM_RECORDER_OPERATION_H
#define PEVPM_RECORDER_OPERATION_H

/* X(name, kind) */
#define OPERATION_LIST(X)              \
    X(MPI_Init, other)                 \
    X(MPI_Finalize, other)             \
    X(MPI_Send, send)                  \
    X(MPI_Bsend, send)                 \
    X(MPI_Ssend, send)                 \
    X(MPI_Rsend, send)                 \
    X(MPI_Isend, start)                \
    X(MPI_Ibsend, start)               \
    X(MPI_Issend, start)               \
    X(MPI_Irsend, start)               \
    X(MPI_Recv, recv)                  \
    X(MPI_Irecv, post)                 \
    X(MPI_Sendrecv, both)              \
    X(MPI_Sendrecv_replace, both)      \
    X(MPI_Wait, wait)                  \
    X(MPI_Waitall, wait)               \
    X(MPI_Waitany, wait)               \
    X(MPI_Waitsome, wait)              \
    X(MPI_Test, wait)                  \
    X(MPI_Testall, wait)               \
    X(MPI_Testany, wait)               \
    X(MPI_Testsome, wait)              \
    X(MPI_Probe, probe)                \
    X(MPI_Iprobe, probe)               \
    X(MPI_Barrier, rootless)           \
    X(MPI_Bcast, rooted)               \
    X(MPI_Scatter, rooted)             \
    X(MPI_Scatterv, rooted)            \
    X(MPI_Gather, rooted)              \
    X(MPI_Gatherv, rooted)             \
    X(MPI_Allgather, rootless)         \
    X(MPI_Allgatherv, rootless)        \
    X(MPI_Reduce, rooted)              \
    X(MPI_Allreduce, rootless)         \
    X(MPI_Reduce_scatter, rootless)    \
    X(MPI_Reduce_scatter_block, rootless) \
    X(MPI_Alltoall, rootless)          \
    X(MPI_Alltoallv, rootless)         \
    X(MPI_Scan, rootless)              \
    X(MPI_Exscan, rootless)            \
    X(MPI_Iallreduce, rootless)        \
    X(MPI_Ibcast, rooted)              \
    X(MPI_Ibarrier, rootless)          \
    X(MPI_Comm_split, comm)            \
    X(MPI_Comm_dup, comm)              \
    X(MPI_Comm_create, comm)           \
    X(MPI_Cart_create, comm)           \
    X(MPI_Cart_sub, comm)

enum operation {
#define X(name, kind) OPERATION_##name,
    OPERATION_LIST(X)
#undef X
    N_OPERATIONS
};

enum operation_kind {
    KIND_other, KIND_send, KIND_recv, KIND_start, KIND_post, KIND_both, KIND_wait, KIND_probe, KIND_rootless,
    KIND_rooted, KIND_comm
};

/* Ranks and tags that are none. PEER_SOURCE: the sender of the last message that a wildcard received. */
enum { PEER_NULL = -1, PEER_ANY = -2, PEER_SOURCE = -3, TAG_ANY = -1 };

#endif
