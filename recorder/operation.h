/* operation.h - the calls of MPI that a recording knows, and what it says of each.
 *
 * SPDX-License-Identifier: MIT
 *
 *   send      peer, tag, bytes                          recv      the same; peer and tag may be wildcards
 *   both      peer, tag, bytes of what is sent, peer2, tag2, bytes2 of what is received
 *   wait      the requests that it completes            probe     peer, tag
 *   barrier   nothing                                   rootless  bytes
 *   rooted    peer = the root, bytes                    comm      makes communicator `peer` from `comm`
 *   mprobe    as probe: the message is taken out        mrecv     as recv, of a message that a probe has taken out:
 *   near      bytes, among neighbours                             peer and tag are that probe's, tag2 its call path
 *   window    makes window `peer` on `comm`: a communicator with the members of that one, which `comm` of the calls on a
 *             window is; those are
 *   remote    peer, bytes                               lock      peer; of MPI_Win_lock tag 1: exclusive
 *   fence     nothing                                   cancel    the receive that it was in time for: that took no message
 *   file      nothing: what was computed before it is its own time (file.h)
 *   other     nothing more
 *
 * Where the peer of send, recv, probe or mprobe is PEER_ANY or PEER_SOURCE, peer2 is 1 + who that was; 0: not known.
 * One that gives a request has its number too. `said` is the operation of directives that stands for it;
 * NULL: none.
 *
 * The bytes of a collective operation are what `size` is in a directive (docs/directives.md); of MPI_Alltoallv and its
 * kind what the process sends to others divided by their number, and bytes2 the most that goes to one. */
#ifndef PEVPM_RECORDER_OPERATION_H
#define PEVPM_RECORDER_OPERATION_H

#include <stddef.h>

/* X(name, kind, request: gives or none, said) */
#define OPERATION_LIST(X)                                                         \
    X(MPI_Init, other, none, MPI_Init)                                            \
    X(MPI_Finalize, other, none, MPI_Finalize)                                    \
    X(MPI_Send, send, none, MPI_Send)                                             \
    X(MPI_Bsend, send, none, MPI_Bsend)                                           \
    X(MPI_Ssend, send, none, MPI_Ssend)                                           \
    X(MPI_Rsend, send, none, MPI_Rsend)                                           \
    X(MPI_Isend, send, gives, MPI_Isend)                                          \
    X(MPI_Ibsend, send, gives, MPI_Ibsend)                                        \
    X(MPI_Issend, send, gives, MPI_Issend)                                        \
    X(MPI_Irsend, send, gives, MPI_Irsend)                                        \
    X(MPI_Recv, recv, none, MPI_Recv)                                             \
    X(MPI_Irecv, recv, gives, MPI_Irecv)                                          \
    X(MPI_Sendrecv, both, none, MPI_Sendrecv)                                     \
    X(MPI_Sendrecv_replace, both, none, MPI_Sendrecv_replace)                     \
    X(MPI_Wait, wait, none, MPI_Wait)                                             \
    X(MPI_Waitall, wait, none, MPI_Waitall)                                       \
    X(MPI_Waitany, wait, none, MPI_Waitany)                                       \
    X(MPI_Waitsome, wait, none, MPI_Waitsome)                                     \
    X(MPI_Test, wait, none, MPI_Wait)                                             \
    X(MPI_Testall, wait, none, MPI_Waitall)                                       \
    X(MPI_Testany, wait, none, MPI_Waitany)                                       \
    X(MPI_Testsome, wait, none, MPI_Waitsome)                                     \
    X(MPI_Cancel, cancel, none, MPI_Cancel)                                       \
    X(MPI_Probe, probe, none, MPI_Probe)                                          \
    X(MPI_Iprobe, probe, none, MPI_Probe)                                         \
    X(MPI_Mprobe, mprobe, none, MPI_Mprobe)                                       \
    X(MPI_Improbe, mprobe, none, MPI_Mprobe)                                      \
    X(MPI_Mrecv, mrecv, none, MPI_Mrecv)                                          \
    X(MPI_Imrecv, mrecv, gives, MPI_Imrecv)                                       \
    X(MPI_Barrier, barrier, none, MPI_Barrier)                                    \
    X(MPI_Bcast, rooted, none, MPI_Bcast)                                         \
    X(MPI_Scatter, rooted, none, MPI_Scatter)                                     \
    X(MPI_Scatterv, rooted, none, MPI_Scatterv)                                   \
    X(MPI_Gather, rooted, none, MPI_Gather)                                       \
    X(MPI_Gatherv, rooted, none, MPI_Gatherv)                                     \
    X(MPI_Allgather, rootless, none, MPI_Allgather)                               \
    X(MPI_Allgatherv, rootless, none, MPI_Allgatherv)                             \
    X(MPI_Reduce, rooted, none, MPI_Reduce)                                       \
    X(MPI_Allreduce, rootless, none, MPI_Allreduce)                               \
    X(MPI_Reduce_scatter, rootless, none, MPI_Reduce_scatter)                     \
    X(MPI_Reduce_scatter_block, rootless, none, MPI_Reduce_scatter_block)         \
    X(MPI_Alltoall, rootless, none, MPI_Alltoall)                                 \
    X(MPI_Alltoallv, rootless, none, MPI_Alltoallv)                               \
    X(MPI_Alltoallw, rootless, none, MPI_Alltoallw)                               \
    X(MPI_Scan, rootless, none, MPI_Scan)                                         \
    X(MPI_Exscan, rootless, none, MPI_Exscan)                                     \
    X(MPI_Iallreduce, rootless, gives, MPI_Iallreduce)                            \
    X(MPI_Ibcast, rooted, gives, MPI_Ibcast)                                      \
    X(MPI_Ibarrier, barrier, gives, MPI_Ibarrier)                                 \
    X(MPI_Iscatter, rooted, gives, MPI_Iscatter)                                  \
    X(MPI_Igather, rooted, gives, MPI_Igather)                                    \
    X(MPI_Ireduce, rooted, gives, MPI_Ireduce)                                    \
    X(MPI_Iallgather, rootless, gives, MPI_Iallgather)                            \
    X(MPI_Ialltoall, rootless, gives, MPI_Ialltoall)                              \
    X(MPI_Iscan, rootless, gives, MPI_Iscan)                                      \
    X(MPI_Iexscan, rootless, gives, MPI_Iexscan)                                  \
    X(MPI_Iscatterv, rooted, gives, MPI_Iscatterv)                                \
    X(MPI_Igatherv, rooted, gives, MPI_Igatherv)                                  \
    X(MPI_Iallgatherv, rootless, gives, MPI_Iallgatherv)                          \
    X(MPI_Ireduce_scatter, rootless, gives, MPI_Ireduce_scatter)                  \
    X(MPI_Ireduce_scatter_block, rootless, gives, MPI_Ireduce_scatter_block)      \
    X(MPI_Ialltoallv, rootless, gives, MPI_Ialltoallv)                            \
    X(MPI_Ialltoallw, rootless, gives, MPI_Ialltoallw)                            \
    X(MPI_Neighbor_allgather, near, none, MPI_Neighbor_allgather)                 \
    X(MPI_Neighbor_allgatherv, near, none, MPI_Neighbor_allgatherv)               \
    X(MPI_Neighbor_alltoall, near, none, MPI_Neighbor_alltoall)                   \
    X(MPI_Neighbor_alltoallv, near, none, MPI_Neighbor_alltoallv)                 \
    X(MPI_Neighbor_alltoallw, near, none, MPI_Neighbor_alltoallw)                 \
    X(MPI_Ineighbor_allgather, near, gives, MPI_Ineighbor_allgather)              \
    X(MPI_Ineighbor_allgatherv, near, gives, MPI_Ineighbor_allgatherv)            \
    X(MPI_Ineighbor_alltoall, near, gives, MPI_Ineighbor_alltoall)                \
    X(MPI_Ineighbor_alltoallv, near, gives, MPI_Ineighbor_alltoallv)              \
    X(MPI_Ineighbor_alltoallw, near, gives, MPI_Ineighbor_alltoallw)              \
    X(MPI_Comm_split, comm, none, MPI_Comm_split)                                 \
    X(MPI_Comm_dup, comm, none, MPI_Comm_dup)                                     \
    X(MPI_Comm_create, comm, none, MPI_Comm_dup)                                  \
    X(MPI_Cart_create, comm, none, MPI_Comm_dup)                                  \
    X(MPI_Cart_sub, comm, none, MPI_Comm_split)                                   \
    X(MPI_Comm_split_type, comm, none, MPI_Comm_split_type)                       \
    X(MPI_Comm_dup_with_info, comm, none, MPI_Comm_dup)                           \
    X(MPI_Comm_create_group, comm, none, MPI_Comm_create_group)                   \
    X(MPI_Graph_create, comm, none, MPI_Comm_dup)                                 \
    X(MPI_Dist_graph_create, comm, none, MPI_Dist_graph_create)                   \
    X(MPI_Dist_graph_create_adjacent, comm, none, MPI_Comm_dup)                   \
    X(MPI_Win_create, window, none, MPI_Win_create)                               \
    X(MPI_Win_allocate, window, none, MPI_Win_create)                             \
    X(MPI_Win_free, barrier, none, MPI_Barrier)                                   \
    X(MPI_Put, remote, none, MPI_Put)                                             \
    X(MPI_Get, remote, none, MPI_Get)                                             \
    X(MPI_Accumulate, remote, none, MPI_Accumulate)                               \
    X(MPI_Win_fence, fence, none, MPI_Win_fence)                                  \
    X(MPI_Win_lock, lock, none, MPI_Win_lock)                                     \
    X(MPI_Win_unlock, lock, none, MPI_Win_unlock)                                 \
    X(MPI_Win_flush, lock, none, MPI_Win_flush)                                   \
    X(file_come, other, none, file_come)                                          \
    X(file_wait, file, none, file_wait)                                           \
    X(file_meet, barrier, none, MPI_Barrier)                                      \
    X(file_part, barrier, none, MPI_Barrier)

/* Calls on files, MPI_File_##name, whose file is their first argument. X(name, together or alone, which argument is how many
 * elements they read or write, with the type behind it; 0: none). Three stand apart, open, close and delete. */
#define FILE_LIST(X)                       \
    X(set_view, together, 0)               \
    X(set_size, together, 0)               \
    X(preallocate, together, 0)            \
    X(set_atomicity, together, 0)          \
    X(sync, together, 0)                   \
    X(seek_shared, together, 0)            \
    X(seek, alone, 0)                      \
    X(get_size, alone, 0)                  \
    X(get_position_shared, alone, 0)       \
    X(read_all_end, together, 0)           \
    X(read_at_all_end, together, 0)        \
    X(read_ordered_end, together, 0)       \
    X(write_all_end, together, 0)          \
    X(write_at_all_end, together, 0)       \
    X(write_ordered_end, together, 0)      \
    FILE_COUNTED_LIST(X)

/* Those of which MPI 4 has a second form, MPI_File_##name##_c, with counts of more than 32 bits. */
#define FILE_COUNTED_LIST(X)               \
    X(read, alone, 2)                      \
    X(read_at, alone, 3)                   \
    X(read_shared, alone, 2)               \
    X(read_all, together, 2)               \
    X(read_at_all, together, 3)            \
    X(read_ordered, together, 2)           \
    X(read_all_begin, together, 2)         \
    X(read_at_all_begin, together, 3)      \
    X(read_ordered_begin, together, 2)     \
    X(write, alone, 2)                     \
    X(write_at, alone, 3)                  \
    X(write_shared, alone, 2)              \
    X(write_all, together, 2)              \
    X(write_at_all, together, 3)           \
    X(write_ordered, together, 2)          \
    X(write_all_begin, together, 2)        \
    X(write_at_all_begin, together, 3)     \
    X(write_ordered_begin, together, 2)

/* Those of one process that give a request. X(name, as FILE_LIST has it): the request is the second argument behind that. These have
 * second forms, too. */
#define FILE_STARTED_LIST(X) \
    X(iread, 2) X(iread_at, 3) X(iread_shared, 2) X(iwrite, 2) X(iwrite_at, 3) X(iwrite_shared, 2)

enum operation {
#define X(name, kind, request, said) OPERATION_##name,
    OPERATION_LIST(X)
#undef X
    OPERATION_MPI_File_open,
    OPERATION_MPI_File_close,
    OPERATION_MPI_File_delete,
#define X(name, ...) OPERATION_MPI_File_##name,
    FILE_LIST(X)
    FILE_STARTED_LIST(X)
#undef X
    N_OPERATIONS
};

enum operation_kind {
    KIND_other, KIND_send, KIND_recv, KIND_both, KIND_wait, KIND_probe, KIND_mprobe, KIND_mrecv, KIND_barrier,
    KIND_rootless, KIND_rooted, KIND_near, KIND_comm, KIND_window, KIND_remote, KIND_lock, KIND_fence, KIND_cancel,
    KIND_file
};
enum operation_request { REQUEST_none, REQUEST_gives };

struct operation_facts {
    const char *name;
    enum operation_kind kind;
    enum operation_request request;
    const char *said;
};

static inline const struct operation_facts *operation_facts(enum operation op)
{
    static const struct operation_facts facts[] = {
#define X(name, kind, request, said) {#name, KIND_##kind, REQUEST_##request, #said},
        OPERATION_LIST(X)
#undef X
        {"MPI_File_open", KIND_file, REQUEST_none, NULL},
        {"MPI_File_close", KIND_file, REQUEST_none, NULL},
        {"MPI_File_delete", KIND_file, REQUEST_none, NULL},
#define X(name, ...) {"MPI_File_" #name, KIND_file, REQUEST_none, NULL},
        FILE_LIST(X)
        FILE_STARTED_LIST(X)
#undef X
    };
    return &facts[op];
}
static inline const char *operation_name(enum operation op) { return operation_facts(op)->name; }
static inline enum operation_kind operation_kind(enum operation op) { return operation_facts(op)->kind; }
static inline int operation_gives_request(enum operation op) { return operation_facts(op)->request == REQUEST_gives; }
static inline int operation_is_collective(enum operation op)
{
    enum operation_kind kind = operation_kind(op);
    return kind == KIND_barrier || kind == KIND_rootless || kind == KIND_rooted || kind == KIND_near;
}
/* Has its directive the name of a message that a probe took out, of a graph or of a window? */
static inline int operation_needs_another(enum operation op)
{
    enum operation_kind kind = operation_kind(op);
    return kind == KIND_mprobe || kind == KIND_mrecv || kind == KIND_near || kind == KIND_window ||
           kind == KIND_remote || kind == KIND_lock || kind == KIND_fence;
}
/* Is it one of those that are called on a window, and that directives have as messages? */
static inline int operation_is_remote(enum operation op)
{
    enum operation_kind kind = operation_kind(op);
    return kind == KIND_remote || kind == KIND_lock || kind == KIND_fence;
}
/* Does it complete some of the requests that it names, which those are the run decides? */
static inline int operation_takes_some(enum operation op)
{
    return op == OPERATION_MPI_Waitany || op == OPERATION_MPI_Waitsome || op == OPERATION_MPI_Testany || op == OPERATION_MPI_Testsome;
}
/* Does it make a communicator, or a window, which stands among these? */
static inline int operation_makes_comm(enum operation op)
{
    return operation_kind(op) == KIND_comm || operation_kind(op) == KIND_window;
}
/* Is it no call of MPI, but what stands beside one on a file? */
static inline int operation_is_beside(enum operation op)
{
    return op == OPERATION_file_come || op == OPERATION_file_meet || op == OPERATION_file_part;
}
/* Does the calling process send a message by it? */
static inline int operation_sends(enum operation op) { return operation_kind(op) == KIND_send || operation_kind(op) == KIND_both; }

/* Ranks and tags that are none. PEER_SOURCE: the sender of the last message that a wildcard received. */
enum { PEER_NULL = -1, PEER_ANY = -2, PEER_SOURCE = -3, TAG_ANY = -1 };

#endif
