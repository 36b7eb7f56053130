// SPDX-License-Identifier: MIT
/* Calls that no recording has: one of them ends the recording with a sentence, so that none is missing in silence.
 *
 * Calls that only go on with what another one made need not stand here (MPI_Win_complete without MPI_Win_start). Of the
 * rest, what a program waits for, starts or sends through without any wrapper having seen it made ends the recording as
 * well (recorder.h). */
#include "recorder/binding.h"
#include "recorder/recorder.h"
#include "recorder/words.h"

#define SHARED "memory that processes share, where no call shows what they do,"
#define DYNAMIC "a window that memory is attached to"
#define GROUPS "access to the memory of a group"
#define REMOTE_STARTED "access to another process's memory with a request"
#define FETCHED "what another process's memory is changed to, and read,"
#define BACKGROUND "reading and writing a file together while the program goes on"
#define JOINING "a program that other processes join"
#define COMMS "a communicator of which no directive says how it is made"
#define PARTITIONED "a message in parts"
#define PERSISTENT "a collective operation that is started again and again"
#define UNSAID "what has no directive"
#define LARGE "a call of MPI 4 with counts of more than 32 bits"

/* X(name, in Fortran, what it is) */
#define REFUSED_LIST(X) \
    X(Win_allocate_shared, win_allocate_shared, SHARED)                  \
    X(Win_create_dynamic, win_create_dynamic, DYNAMIC)                   \
    X(Win_post, win_post, GROUPS)                                        \
    X(Win_start, win_start, GROUPS)                                      \
    X(Win_flush_local, win_flush_local, UNSAID)                          \
    X(Win_flush_local_all, win_flush_local_all, UNSAID)                  \
    X(Rput, rput, REMOTE_STARTED)                                        \
    X(Rget, rget, REMOTE_STARTED)                                        \
    X(Raccumulate, raccumulate, REMOTE_STARTED)                          \
    X(Rget_accumulate, rget_accumulate, REMOTE_STARTED)                  \
    X(Get_accumulate, get_accumulate, FETCHED)                           \
    X(Fetch_and_op, fetch_and_op, FETCHED)                               \
    X(Compare_and_swap, compare_and_swap, FETCHED)                       \
    X(File_iread_all, file_iread_all, BACKGROUND)                        \
    X(File_iread_at_all, file_iread_at_all, BACKGROUND)                  \
    X(File_iwrite_all, file_iwrite_all, BACKGROUND)                      \
    X(File_iwrite_at_all, file_iwrite_at_all, BACKGROUND)                \
    X(Comm_spawn, comm_spawn, JOINING)                                   \
    X(Comm_spawn_multiple, comm_spawn_multiple, JOINING)                 \
    X(Comm_accept, comm_accept, JOINING)                                 \
    X(Comm_connect, comm_connect, JOINING)                               \
    X(Comm_join, comm_join, JOINING)                                     \
    X(Intercomm_create, intercomm_create, COMMS)                         \
    X(Intercomm_create_from_groups, intercomm_create_from_groups, COMMS) \
    X(Comm_create_from_group, comm_create_from_group, COMMS)             \
    X(Comm_idup, comm_idup, COMMS)                                       \
    X(Comm_idup_with_info, comm_idup_with_info, COMMS)                   \
    X(Psend_init, psend_init, PARTITIONED)                               \
    X(Precv_init, precv_init, PARTITIONED)                               \
    X(Isendrecv, isendrecv, UNSAID)                                      \
    X(Isendrecv_replace, isendrecv_replace, UNSAID)                      \
    X(Grequest_start, grequest_start, UNSAID)                            \
    X(Allgather_init, allgather_init, PERSISTENT)                        \
    X(Allgatherv_init, allgatherv_init, PERSISTENT)                      \
    X(Allreduce_init, allreduce_init, PERSISTENT)                        \
    X(Alltoall_init, alltoall_init, PERSISTENT)                          \
    X(Alltoallv_init, alltoallv_init, PERSISTENT)                        \
    X(Alltoallw_init, alltoallw_init, PERSISTENT)                        \
    X(Barrier_init, barrier_init, PERSISTENT)                            \
    X(Bcast_init, bcast_init, PERSISTENT)                                \
    X(Exscan_init, exscan_init, PERSISTENT)                              \
    X(Gather_init, gather_init, PERSISTENT)                              \
    X(Gatherv_init, gatherv_init, PERSISTENT)                            \
    X(Neighbor_allgather_init, neighbor_allgather_init, PERSISTENT)      \
    X(Neighbor_allgatherv_init, neighbor_allgatherv_init, PERSISTENT)    \
    X(Neighbor_alltoall_init, neighbor_alltoall_init, PERSISTENT)        \
    X(Neighbor_alltoallv_init, neighbor_alltoallv_init, PERSISTENT)      \
    X(Neighbor_alltoallw_init, neighbor_alltoallw_init, PERSISTENT)      \
    X(Reduce_init, reduce_init, PERSISTENT)                              \
    X(Reduce_scatter_init, reduce_scatter_init, PERSISTENT)              \
    X(Reduce_scatter_block_init, reduce_scatter_block_init, PERSISTENT)  \
    X(Scan_init, scan_init, PERSISTENT)                                  \
    X(Scatter_init, scatter_init, PERSISTENT)                            \
    X(Scatterv_init, scatterv_init, PERSISTENT)

/* Those that have a second form, whose counts are MPI_Count: X(name, in Fortran) */
#define REFUSED_LARGE_LIST(X) \
    X(Send, send) X(Bsend, bsend) X(Ssend, ssend) X(Rsend, rsend) X(Recv, recv) X(Isend, isend) X(Ibsend, ibsend)     \
    X(Issend, issend) X(Irsend, irsend) X(Irecv, irecv) X(Mrecv, mrecv) X(Imrecv, imrecv) X(Sendrecv, sendrecv)       \
    X(Sendrecv_replace, sendrecv_replace) X(Isendrecv, isendrecv) X(Isendrecv_replace, isendrecv_replace)             \
    X(Send_init, send_init) X(Bsend_init, bsend_init) X(Ssend_init, ssend_init) X(Rsend_init, rsend_init)             \
    X(Recv_init, recv_init) X(Allgather, allgather) X(Allgatherv, allgatherv) X(Allreduce, allreduce)                 \
    X(Alltoall, alltoall) X(Alltoallv, alltoallv) X(Alltoallw, alltoallw) X(Bcast, bcast) X(Exscan, exscan)           \
    X(Gather, gather) X(Gatherv, gatherv) X(Neighbor_allgather, neighbor_allgather)                                   \
    X(Neighbor_allgatherv, neighbor_allgatherv) X(Neighbor_alltoall, neighbor_alltoall)                               \
    X(Neighbor_alltoallv, neighbor_alltoallv) X(Neighbor_alltoallw, neighbor_alltoallw) X(Reduce, reduce)             \
    X(Reduce_scatter, reduce_scatter) X(Reduce_scatter_block, reduce_scatter_block) X(Scan, scan) X(Scatter, scatter) \
    X(Scatterv, scatterv) X(Iallgather, iallgather) X(Iallgatherv, iallgatherv) X(Iallreduce, iallreduce)             \
    X(Ialltoall, ialltoall) X(Ialltoallv, ialltoallv) X(Ialltoallw, ialltoallw) X(Ibcast, ibcast) X(Iexscan, iexscan) \
    X(Igather, igather) X(Igatherv, igatherv) X(Ineighbor_allgather, ineighbor_allgather)                             \
    X(Ineighbor_allgatherv, ineighbor_allgatherv) X(Ineighbor_alltoall, ineighbor_alltoall)                           \
    X(Ineighbor_alltoallv, ineighbor_alltoallv) X(Ineighbor_alltoallw, ineighbor_alltoallw) X(Ireduce, ireduce)       \
    X(Ireduce_scatter, ireduce_scatter) X(Ireduce_scatter_block, ireduce_scatter_block) X(Iscan, iscan)               \
    X(Iscatter, iscatter) X(Iscatterv, iscatterv) X(Allgather_init, allgather_init)                                   \
    X(Allgatherv_init, allgatherv_init) X(Allreduce_init, allreduce_init) X(Alltoall_init, alltoall_init)             \
    X(Alltoallv_init, alltoallv_init) X(Alltoallw_init, alltoallw_init) X(Bcast_init, bcast_init)                     \
    X(Exscan_init, exscan_init) X(Gather_init, gather_init) X(Gatherv_init, gatherv_init)                             \
    X(Neighbor_allgather_init, neighbor_allgather_init) X(Neighbor_allgatherv_init, neighbor_allgatherv_init)         \
    X(Neighbor_alltoall_init, neighbor_alltoall_init) X(Neighbor_alltoallv_init, neighbor_alltoallv_init)             \
    X(Neighbor_alltoallw_init, neighbor_alltoallw_init) X(Reduce_init, reduce_init)                                   \
    X(Reduce_scatter_init, reduce_scatter_init) X(Reduce_scatter_block_init, reduce_scatter_block_init)               \
    X(Scan_init, scan_init) X(Scatter_init, scatter_init) X(Scatterv_init, scatterv_init) X(Win_create, win_create)   \
    X(Win_allocate, win_allocate) X(Win_allocate_shared, win_allocate_shared) X(Put, put) X(Get, get)                 \
    X(Accumulate, accumulate) X(Rput, rput) X(Rget, rget) X(Raccumulate, raccumulate)                                 \
    X(Rget_accumulate, rget_accumulate) X(Get_accumulate, get_accumulate) X(File_iread_all, file_iread_all)           \
    X(File_iread_at_all, file_iread_at_all) X(File_iwrite_all, file_iwrite_all)                                       \
    X(File_iwrite_at_all, file_iwrite_at_all)

static void refuse(const char *why)
{
    if (recorder.on && recorder.depth == 0)
        recorder_stop(why);
}

#define REFUSE(symbol, own, what)                                                     \
    __attribute__((visibility("default"))) word own(WORDS) __asm__(#symbol);          \
    __attribute__((visibility("default"))) word own(WORDS)                            \
    {                                                                                 \
        typedef word bound(WORDS);                                                    \
        refuse(#symbol " was called: " what " is not recorded");                      \
        return ((bound *)binding(#symbol))(THE_WORDS);                                \
    }
#define REFUSE_CALL(name, fortran, what)                             \
    REFUSE(MPI_##name, refuse_##name, what)                          \
    REFUSE(mpi_##fortran##_, refuse_f_##name, what)                  \
    REFUSE(mpi_##fortran##_f08_, refuse_f08_##name, what)
#define REFUSE_LARGE(name, fortran) REFUSE_CALL(name##_c, fortran##_c, LARGE)

/* The second form of Fortran's `use mpi`, whose memory is a C pointer. */
REFUSE(mpi_win_allocate_shared_cptr_, refuse_f_win_allocate_shared_cptr, SHARED)
REFUSED_LIST(REFUSE_CALL)
REFUSED_LARGE_LIST(REFUSE_LARGE)
