// SPDX-License-Identifier: MIT
/* The calls of C programs. A wrapper does what the library would do, and tells keep.h of it. */
#include "recorder/keep.h"

#include <alloca.h>
#include <stdlib.h>
#include <string.h>

#define RECORDED __attribute__((visibility("default"), noinline))

/* A wrapper of MPI_##name: `keep` follows the call. */
#define WRAP(name, parameters, arguments, keep)        \
    RECORDED int MPI_##name parameters                 \
    {                                                  \
        if (!recorder_enter())                         \
            return PMPI_##name arguments;              \
        int result = PMPI_##name arguments;            \
        recorder_called();                             \
        keep;                                          \
        return result;                                 \
    }

/* ---- begin and end ---- */

RECORDED int MPI_Init(int *argc, char ***argv)
{
    int result = PMPI_Init(argc, argv);
    recorder_start();
    return result;
}

RECORDED int MPI_Init_thread(int *argc, char ***argv, int wanted, int *provided)
{
    int result = PMPI_Init_thread(argc, argv, wanted, provided);
    recorder_start();
    return result;
}

RECORDED int MPI_Finalize(void)
{
    if (recorder_enter()) {
        recorder_called();
        keep_collective(HERE, OPERATION_MPI_Finalize, MPI_PROC_NULL, 0, 0, MPI_COMM_WORLD, NULL);
    }
    if (recorder.on || recorder.stopped)
        recorder_finish();
    return PMPI_Finalize();
}

RECORDED int MPI_Abort(MPI_Comm comm, int code)
{
    if (recorder.on)
        recorder_save();
    return PMPI_Abort(comm, code);
}

/* ---- messages ---- */

#define SEND(name)                                                                                       \
    WRAP(name, (const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm),         \
         (buf, count, type, dest, tag, comm),                                                            \
         keep_send(HERE, OPERATION_MPI_##name, (struct side){count, type, dest, tag}, comm))
SEND(Send)
SEND(Bsend)
SEND(Ssend)
SEND(Rsend)

#define ISEND(name)                                                                                      \
    WRAP(name, (const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,          \
                MPI_Request *request),                                                                   \
         (buf, count, type, dest, tag, comm, request),                                                   \
         keep_start(HERE, OPERATION_MPI_##name, (struct side){count, type, dest, tag}, comm, *request))
ISEND(Isend)
ISEND(Ibsend)
ISEND(Issend)
ISEND(Irsend)

WRAP(Irecv, (void *buf, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Request *request),
     (buf, count, type, source, tag, comm, request),
     keep_start(HERE, OPERATION_MPI_Irecv, (struct side){count, type, source, tag}, comm, *request))

RECORDED int MPI_Recv(void *buf, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Status *status)
{
    MPI_Status own;
    if (!recorder_enter())
        return PMPI_Recv(buf, count, type, source, tag, comm, status);
    MPI_Status *used = status == MPI_STATUS_IGNORE ? &own : status;
    int result = PMPI_Recv(buf, count, type, source, tag, comm, used);
    recorder_called();
    keep_recv(HERE, OPERATION_MPI_Recv, (struct side){count, type, source, tag}, comm, used->MPI_SOURCE);
    return result;
}

WRAP(Sendrecv, (const void *out, int out_count, MPI_Datatype out_type, int dest, int out_tag, void *in, int in_count,
                MPI_Datatype in_type, int source, int in_tag, MPI_Comm comm, MPI_Status *status),
     (out, out_count, out_type, dest, out_tag, in, in_count, in_type, source, in_tag, comm, status),
     keep_both(HERE, OPERATION_MPI_Sendrecv, (struct side){out_count, out_type, dest, out_tag},
               (struct side){in_count, in_type, source, in_tag}, comm))

WRAP(Sendrecv_replace, (void *buf, int count, MPI_Datatype type, int dest, int out_tag, int source, int in_tag,
                        MPI_Comm comm, MPI_Status *status),
     (buf, count, type, dest, out_tag, source, in_tag, comm, status),
     keep_both(HERE, OPERATION_MPI_Sendrecv_replace, (struct side){count, type, dest, out_tag},
               (struct side){count, type, source, in_tag}, comm))

RECORDED int MPI_Probe(int source, int tag, MPI_Comm comm, MPI_Status *status)
{
    MPI_Status own;
    if (!recorder_enter())
        return PMPI_Probe(source, tag, comm, status);
    MPI_Status *used = status == MPI_STATUS_IGNORE ? &own : status;
    int result = PMPI_Probe(source, tag, comm, used);
    recorder_called();
    keep_probe(HERE, OPERATION_MPI_Probe, source, tag, comm, used->MPI_SOURCE);
    return result;
}

RECORDED int MPI_Iprobe(int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status)
{
    MPI_Status own;
    if (!recorder_enter())
        return PMPI_Iprobe(source, tag, comm, flag, status);
    MPI_Status *used = status == MPI_STATUS_IGNORE ? &own : status;
    int result = PMPI_Iprobe(source, tag, comm, flag, used);
    recorder_called();
    if (*flag)
        keep_probe(HERE, OPERATION_MPI_Iprobe, source, tag, comm, used->MPI_SOURCE);
    else
        recorder_leave_poll();
    return result;
}

/* ---- requests ---- */

RECORDED int MPI_Wait(MPI_Request *request, MPI_Status *status)
{
    MPI_Status own;
    if (!recorder_enter())
        return PMPI_Wait(request, status);
    MPI_Request before = *request;
    MPI_Status *used = status == MPI_STATUS_IGNORE ? &own : status;
    int result = PMPI_Wait(request, used);
    recorder_called();
    keep_wait(HERE, OPERATION_MPI_Wait, 1, &before, 1, NULL, used->MPI_SOURCE);
    return result;
}

RECORDED int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status)
{
    MPI_Status own;
    if (!recorder_enter())
        return PMPI_Test(request, flag, status);
    MPI_Request before = *request;
    MPI_Status *used = status == MPI_STATUS_IGNORE ? &own : status;
    int result = PMPI_Test(request, flag, used);
    recorder_called();
    if (*flag && before != MPI_REQUEST_NULL)
        keep_wait(HERE, OPERATION_MPI_Test, 1, &before, 1, NULL, used->MPI_SOURCE);
    else
        recorder_leave_poll();
    return result;
}

/* The handles as they were before a call that changes them; short lists on the stack. */
#define BEFORE_MOST 256
#define BEFORE(n, requests)                                                                                    \
    MPI_Request few[BEFORE_MOST], *before = (n) <= BEFORE_MOST ? few : fold_memory(NULL, (size_t)(n), sizeof *before); \
    memcpy(before, requests, (size_t)(n) * sizeof *before)
#define BEFORE_FREE()       \
    do {                    \
        if (before != few)  \
            free(before);   \
    } while (0)

RECORDED int MPI_Waitall(int n, MPI_Request requests[], MPI_Status *statuses)
{
    if (!recorder_enter())
        return PMPI_Waitall(n, requests, statuses);
    BEFORE(n, requests);
    int result = PMPI_Waitall(n, requests, statuses);
    recorder_called();
    keep_wait(HERE, OPERATION_MPI_Waitall, n, before, n, NULL, MPI_PROC_NULL);
    BEFORE_FREE();
    return result;
}

RECORDED int MPI_Testall(int n, MPI_Request requests[], int *flag, MPI_Status *statuses)
{
    if (!recorder_enter())
        return PMPI_Testall(n, requests, flag, statuses);
    BEFORE(n, requests);
    int result = PMPI_Testall(n, requests, flag, statuses);
    recorder_called();
    if (*flag)
        keep_wait(HERE, OPERATION_MPI_Testall, n, before, n, NULL, MPI_PROC_NULL);
    else
        recorder_leave_poll();
    BEFORE_FREE();
    return result;
}

RECORDED int MPI_Waitany(int n, MPI_Request requests[], int *index, MPI_Status *status)
{
    if (!recorder_enter())
        return PMPI_Waitany(n, requests, index, status);
    BEFORE(n, requests);
    int result = PMPI_Waitany(n, requests, index, status);
    recorder_called();
    keep_wait(HERE, OPERATION_MPI_Waitany, n, before, *index == MPI_UNDEFINED ? 0 : 1, index, MPI_PROC_NULL);
    BEFORE_FREE();
    return result;
}

RECORDED int MPI_Testany(int n, MPI_Request requests[], int *index, int *flag, MPI_Status *status)
{
    if (!recorder_enter())
        return PMPI_Testany(n, requests, index, flag, status);
    BEFORE(n, requests);
    int result = PMPI_Testany(n, requests, index, flag, status);
    recorder_called();
    if (*flag && *index != MPI_UNDEFINED)
        keep_wait(HERE, OPERATION_MPI_Testany, n, before, 1, index, MPI_PROC_NULL);
    else
        recorder_leave_poll();
    BEFORE_FREE();
    return result;
}

RECORDED int MPI_Waitsome(int n, MPI_Request requests[], int *n_done, int indices[], MPI_Status statuses[])
{
    if (!recorder_enter())
        return PMPI_Waitsome(n, requests, n_done, indices, statuses);
    BEFORE(n, requests);
    int result = PMPI_Waitsome(n, requests, n_done, indices, statuses);
    recorder_called();
    keep_wait(HERE, OPERATION_MPI_Waitsome, n, before, *n_done == MPI_UNDEFINED ? 0 : *n_done, indices, MPI_PROC_NULL);
    BEFORE_FREE();
    return result;
}

RECORDED int MPI_Testsome(int n, MPI_Request requests[], int *n_done, int indices[], MPI_Status statuses[])
{
    if (!recorder_enter())
        return PMPI_Testsome(n, requests, n_done, indices, statuses);
    BEFORE(n, requests);
    int result = PMPI_Testsome(n, requests, n_done, indices, statuses);
    recorder_called();
    if (*n_done > 0)
        keep_wait(HERE, OPERATION_MPI_Testsome, n, before, *n_done, indices, MPI_PROC_NULL);
    else
        recorder_leave_poll();
    BEFORE_FREE();
    return result;
}

RECORDED int MPI_Request_free(MPI_Request *request)
{
    if (!recorder_enter())
        return PMPI_Request_free(request);
    struct recorder_request *known = recorder_request_find(*request);
    if (known)
        known->persistent = false;
    recorder_request_end(*request);
    int result = PMPI_Request_free(request);
    recorder_leave_silent();
    return result;
}

/* ---- persistent requests ---- */

#define SEND_INIT(name, op)                                                                              \
    WRAP(name, (const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,          \
                MPI_Request *request),                                                                   \
         (buf, count, type, dest, tag, comm, request),                                                   \
         keep_made(OPERATION_MPI_##op, (struct side){count, type, dest, tag}, comm, *request))
SEND_INIT(Send_init, Isend)
SEND_INIT(Bsend_init, Ibsend)
SEND_INIT(Ssend_init, Issend)
SEND_INIT(Rsend_init, Irsend)
WRAP(Recv_init, (void *buf, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Request *request),
     (buf, count, type, source, tag, comm, request),
     keep_made(OPERATION_MPI_Irecv, (struct side){count, type, source, tag}, comm, *request))
WRAP(Start, (MPI_Request *request), (request), keep_started(HERE, 1, request))
WRAP(Startall, (int n, MPI_Request requests[]), (n, requests), keep_started(HERE, n, requests))

/* ---- collective operations: MPI_IN_PLACE stands where the other side's count is the one that counts ---- */

#define NO_ROOT MPI_PROC_NULL

WRAP(Barrier, (MPI_Comm comm), (comm), keep_collective(HERE, OPERATION_MPI_Barrier, NO_ROOT, 0, 0, comm, NULL))

WRAP(Ibarrier, (MPI_Comm comm, MPI_Request *request), (comm, request),
     keep_collective(HERE, OPERATION_MPI_Ibarrier, NO_ROOT, 0, 0, comm, request))

WRAP(Bcast, (void *buf, int count, MPI_Datatype type, int root, MPI_Comm comm), (buf, count, type, root, comm),
     keep_collective(HERE, OPERATION_MPI_Bcast, root, keep_bytes(count, type), 0, comm, NULL))

WRAP(Ibcast, (void *buf, int count, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request *request),
     (buf, count, type, root, comm, request),
     keep_collective(HERE, OPERATION_MPI_Ibcast, root, keep_bytes(count, type), 0, comm, request))

#define REDUCTION(name)                                                                                             \
    WRAP(name, (const void *out, void *in, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),                  \
         (out, in, count, type, op, comm),                                                                           \
         keep_collective(HERE, OPERATION_MPI_##name, NO_ROOT, keep_bytes(count, type), 0, comm, NULL))
REDUCTION(Allreduce)
REDUCTION(Scan)
REDUCTION(Exscan)
REDUCTION(Reduce_scatter_block)

WRAP(Iallreduce, (const void *out, void *in, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                  MPI_Request *request),
     (out, in, count, type, op, comm, request),
     keep_collective(HERE, OPERATION_MPI_Iallreduce, NO_ROOT, keep_bytes(count, type), 0, comm, request))

WRAP(Reduce, (const void *out, void *in, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm),
     (out, in, count, type, op, root, comm),
     keep_collective(HERE, OPERATION_MPI_Reduce, root, keep_bytes(count, type), 0, comm, NULL))

WRAP(Reduce_scatter, (const void *out, void *in, const int counts[], MPI_Datatype type, MPI_Op op, MPI_Comm comm),
     (out, in, counts, type, op, comm),
     keep_collective(HERE, OPERATION_MPI_Reduce_scatter, NO_ROOT, keep_bytes(counts[keep_rank(comm)], type), 0, comm,
                     NULL))

WRAP(Scatter, (const void *out, int out_count, MPI_Datatype out_type, void *in, int in_count, MPI_Datatype in_type,
               int root, MPI_Comm comm),
     (out, out_count, out_type, in, in_count, in_type, root, comm),
     keep_collective(HERE, OPERATION_MPI_Scatter, root,
                     keep_rank(comm) == root ? keep_bytes(out_count, out_type) : keep_bytes(in_count, in_type), 0, comm,
                     NULL))

WRAP(Scatterv, (const void *out, const int counts[], const int at[], MPI_Datatype out_type, void *in, int in_count,
                MPI_Datatype in_type, int root, MPI_Comm comm),
     (out, counts, at, out_type, in, in_count, in_type, root, comm),
     keep_collective(HERE, OPERATION_MPI_Scatterv, root,
                     keep_rank(comm) == root ? keep_bytes(counts[root], out_type) : keep_bytes(in_count, in_type), 0,
                     comm, NULL))

WRAP(Gather, (const void *out, int out_count, MPI_Datatype out_type, void *in, int in_count, MPI_Datatype in_type,
              int root, MPI_Comm comm),
     (out, out_count, out_type, in, in_count, in_type, root, comm),
     keep_collective(HERE, OPERATION_MPI_Gather, root,
                     keep_rank(comm) == root ? keep_bytes(in_count, in_type) : keep_bytes(out_count, out_type), 0, comm,
                     NULL))

WRAP(Gatherv, (const void *out, int out_count, MPI_Datatype out_type, void *in, const int counts[], const int at[],
               MPI_Datatype in_type, int root, MPI_Comm comm),
     (out, out_count, out_type, in, counts, at, in_type, root, comm),
     keep_collective(HERE, OPERATION_MPI_Gatherv, root,
                     keep_rank(comm) == root ? keep_bytes(counts[root], in_type) : keep_bytes(out_count, out_type), 0,
                     comm, NULL))

WRAP(Allgather, (const void *out, int out_count, MPI_Datatype out_type, void *in, int in_count, MPI_Datatype in_type,
                 MPI_Comm comm),
     (out, out_count, out_type, in, in_count, in_type, comm),
     keep_collective(HERE, OPERATION_MPI_Allgather, NO_ROOT, keep_bytes(in_count, in_type), 0, comm, NULL))

WRAP(Allgatherv, (const void *out, int out_count, MPI_Datatype out_type, void *in, const int counts[], const int at[],
                  MPI_Datatype in_type, MPI_Comm comm),
     (out, out_count, out_type, in, counts, at, in_type, comm),
     keep_collective(HERE, OPERATION_MPI_Allgatherv, NO_ROOT, keep_bytes(counts[keep_rank(comm)], in_type), 0, comm,
                     NULL))

WRAP(Alltoall, (const void *out, int out_count, MPI_Datatype out_type, void *in, int in_count, MPI_Datatype in_type,
                MPI_Comm comm),
     (out, out_count, out_type, in, in_count, in_type, comm),
     keep_collective(HERE, OPERATION_MPI_Alltoall, NO_ROOT, keep_bytes(in_count, in_type), 0, comm, NULL))

WRAP(Alltoallv, (const void *out, const int out_counts[], const int out_at[], MPI_Datatype out_type, void *in,
                 const int in_counts[], const int in_at[], MPI_Datatype in_type, MPI_Comm comm),
     (out, out_counts, out_at, out_type, in, in_counts, in_at, in_type, comm),
     keep_alltoallv(HERE, out == MPI_IN_PLACE ? in_counts : out_counts, out == MPI_IN_PLACE ? in_type : out_type, comm))

/* ---- communicators ---- */

WRAP(Comm_split, (MPI_Comm comm, int color, int key, MPI_Comm *made), (comm, color, key, made),
     keep_comm(HERE, OPERATION_MPI_Comm_split, comm, *made))
WRAP(Comm_dup, (MPI_Comm comm, MPI_Comm *made), (comm, made), keep_comm(HERE, OPERATION_MPI_Comm_dup, comm, *made))
WRAP(Comm_create, (MPI_Comm comm, MPI_Group group, MPI_Comm *made), (comm, group, made),
     keep_comm(HERE, OPERATION_MPI_Comm_create, comm, *made))
WRAP(Cart_create, (MPI_Comm comm, int n, const int dims[], const int periods[], int reorder, MPI_Comm *made),
     (comm, n, dims, periods, reorder, made), keep_comm(HERE, OPERATION_MPI_Cart_create, comm, *made))
WRAP(Cart_sub, (MPI_Comm comm, const int remain[], MPI_Comm *made), (comm, remain, made),
     keep_comm(HERE, OPERATION_MPI_Cart_sub, comm, *made))

RECORDED int MPI_Comm_free(MPI_Comm *comm)
{
    if (!recorder_enter())
        return PMPI_Comm_free(comm);
    recorder_comm_freed(*comm);
    int result = PMPI_Comm_free(comm);
    recorder_leave_silent();
    return result;
}
