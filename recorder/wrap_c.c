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

/* A probe, whose status tells who sent. found: it has found something. */
#define PROBE(name, parameters, arguments, found, keep)                   \
    RECORDED int MPI_##name parameters                                    \
    {                                                                     \
        MPI_Status own, *used = status == MPI_STATUS_IGNORE ? &own : status; \
        if (!recorder_enter())                                            \
            return PMPI_##name arguments;                                 \
        int result = PMPI_##name arguments;                               \
        recorder_called();                                                \
        if (found)                                                        \
            keep;                                                         \
        else                                                              \
            recorder_leave_poll();                                        \
        return result;                                                    \
    }
#define PROBED(name) keep_probe(HERE, OPERATION_MPI_##name, source, tag, comm, used->MPI_SOURCE)
#define TAKEN(name) keep_mprobe(HERE, OPERATION_MPI_##name, source, tag, comm, used->MPI_SOURCE, *message)
PROBE(Probe, (int source, int tag, MPI_Comm comm, MPI_Status *status), (source, tag, comm, used), true, PROBED(Probe))
PROBE(Iprobe, (int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status), (source, tag, comm, flag, used),
      *flag, PROBED(Iprobe))
PROBE(Mprobe, (int source, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status),
      (source, tag, comm, message, used), true, TAKEN(Mprobe))
PROBE(Improbe, (int source, int tag, MPI_Comm comm, int *flag, MPI_Message *message, MPI_Status *status),
      (source, tag, comm, flag, message, used), *flag, TAKEN(Improbe))

RECORDED int MPI_Mrecv(void *buf, int count, MPI_Datatype type, MPI_Message *message, MPI_Status *status)
{
    if (!recorder_enter())
        return PMPI_Mrecv(buf, count, type, message, status);
    MPI_Message before = *message;
    int result = PMPI_Mrecv(buf, count, type, message, status);
    recorder_called();
    keep_mrecv(HERE, OPERATION_MPI_Mrecv, keep_bytes(count, type), before, NULL);
    return result;
}

RECORDED int MPI_Imrecv(void *buf, int count, MPI_Datatype type, MPI_Message *message, MPI_Request *request)
{
    if (!recorder_enter())
        return PMPI_Imrecv(buf, count, type, message, request);
    MPI_Message before = *message;
    int result = PMPI_Imrecv(buf, count, type, message, request);
    recorder_called();
    keep_mrecv(HERE, OPERATION_MPI_Imrecv, keep_bytes(count, type), before, request);
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

RECORDED int MPI_Cancel(MPI_Request *request)
{
    if (!recorder_enter())
        return PMPI_Cancel(request);
    MPI_Request before = *request;
    int result = PMPI_Cancel(request);
    recorder_called();
    keep_cancel(HERE, before);
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

/* What goes to each: MPI_IN_PLACE has the other side's counts. */
static struct shares shares_v(int n, const void *out, const int out_counts[], MPI_Datatype out_type,
                              const int in_counts[], MPI_Datatype in_type)
{
    return out == MPI_IN_PLACE ? (struct shares){n, in_counts, in_type, NULL}
                               : (struct shares){n, out_counts, out_type, NULL};
}
static struct shares shares_w(int n, const void *out, const int out_counts[], const MPI_Datatype out_types[],
                              const int in_counts[], const MPI_Datatype in_types[])
{
    return out == MPI_IN_PLACE ? (struct shares){n, in_counts, MPI_BYTE, in_types}
                               : (struct shares){n, out_counts, MPI_BYTE, out_types};
}

WRAP(Alltoallv, (const void *out, const int out_counts[], const int out_at[], MPI_Datatype out_type, void *in,
                 const int in_counts[], const int in_at[], MPI_Datatype in_type, MPI_Comm comm),
     (out, out_counts, out_at, out_type, in, in_counts, in_at, in_type, comm),
     keep_shares(HERE, OPERATION_MPI_Alltoallv, shares_v(keep_size(comm), out, out_counts, out_type, in_counts, in_type),
                 comm, NULL))

WRAP(Alltoallw, (const void *out, const int out_counts[], const int out_at[], const MPI_Datatype out_types[], void *in,
                 const int in_counts[], const int in_at[], const MPI_Datatype in_types[], MPI_Comm comm),
     (out, out_counts, out_at, out_types, in, in_counts, in_at, in_types, comm),
     keep_shares(HERE, OPERATION_MPI_Alltoallw, shares_w(keep_size(comm), out, out_counts, out_types, in_counts, in_types),
                 comm, NULL))

/* ---- with a request; sizes as of the blocking forms ---- */

WRAP(Iscatter, (const void *out, int out_count, MPI_Datatype out_type, void *in, int in_count, MPI_Datatype in_type,
                int root, MPI_Comm comm, MPI_Request *request),
     (out, out_count, out_type, in, in_count, in_type, root, comm, request),
     keep_collective(HERE, OPERATION_MPI_Iscatter, root,
                     keep_rank(comm) == root ? keep_bytes(out_count, out_type) : keep_bytes(in_count, in_type), 0, comm,
                     request))

WRAP(Igather, (const void *out, int out_count, MPI_Datatype out_type, void *in, int in_count, MPI_Datatype in_type,
               int root, MPI_Comm comm, MPI_Request *request),
     (out, out_count, out_type, in, in_count, in_type, root, comm, request),
     keep_collective(HERE, OPERATION_MPI_Igather, root,
                     keep_rank(comm) == root ? keep_bytes(in_count, in_type) : keep_bytes(out_count, out_type), 0, comm,
                     request))

WRAP(Ireduce, (const void *out, void *in, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm,
               MPI_Request *request),
     (out, in, count, type, op, root, comm, request),
     keep_collective(HERE, OPERATION_MPI_Ireduce, root, keep_bytes(count, type), 0, comm, request))

#define REDUCTION_STARTED(name)                                                                                     \
    WRAP(name, (const void *out, void *in, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,                   \
                MPI_Request *request),                                                                              \
         (out, in, count, type, op, comm, request),                                                                  \
         keep_collective(HERE, OPERATION_MPI_##name, NO_ROOT, keep_bytes(count, type), 0, comm, request))
REDUCTION_STARTED(Iscan)
REDUCTION_STARTED(Iexscan)

#define EXCHANGE_STARTED(name)                                                                                      \
    WRAP(name, (const void *out, int out_count, MPI_Datatype out_type, void *in, int in_count, MPI_Datatype in_type, \
                MPI_Comm comm, MPI_Request *request),                                                               \
         (out, out_count, out_type, in, in_count, in_type, comm, request),                                          \
         keep_collective(HERE, OPERATION_MPI_##name, NO_ROOT, keep_bytes(in_count, in_type), 0, comm, request))
EXCHANGE_STARTED(Iallgather)
EXCHANGE_STARTED(Ialltoall)
REDUCTION_STARTED(Ireduce_scatter_block)

WRAP(Iscatterv, (const void *out, const int counts[], const int at[], MPI_Datatype out_type, void *in, int in_count,
                 MPI_Datatype in_type, int root, MPI_Comm comm, MPI_Request *request),
     (out, counts, at, out_type, in, in_count, in_type, root, comm, request),
     keep_collective(HERE, OPERATION_MPI_Iscatterv, root,
                     keep_rank(comm) == root ? keep_bytes(counts[root], out_type) : keep_bytes(in_count, in_type), 0,
                     comm, request))

WRAP(Igatherv, (const void *out, int out_count, MPI_Datatype out_type, void *in, const int counts[], const int at[],
                MPI_Datatype in_type, int root, MPI_Comm comm, MPI_Request *request),
     (out, out_count, out_type, in, counts, at, in_type, root, comm, request),
     keep_collective(HERE, OPERATION_MPI_Igatherv, root,
                     keep_rank(comm) == root ? keep_bytes(counts[root], in_type) : keep_bytes(out_count, out_type), 0,
                     comm, request))

WRAP(Iallgatherv, (const void *out, int out_count, MPI_Datatype out_type, void *in, const int counts[], const int at[],
                   MPI_Datatype in_type, MPI_Comm comm, MPI_Request *request),
     (out, out_count, out_type, in, counts, at, in_type, comm, request),
     keep_collective(HERE, OPERATION_MPI_Iallgatherv, NO_ROOT, keep_bytes(counts[keep_rank(comm)], in_type), 0, comm,
                     request))

WRAP(Ireduce_scatter, (const void *out, void *in, const int counts[], MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                       MPI_Request *request),
     (out, in, counts, type, op, comm, request),
     keep_collective(HERE, OPERATION_MPI_Ireduce_scatter, NO_ROOT, keep_bytes(counts[keep_rank(comm)], type), 0, comm,
                     request))

WRAP(Ialltoallv, (const void *out, const int out_counts[], const int out_at[], MPI_Datatype out_type, void *in,
                  const int in_counts[], const int in_at[], MPI_Datatype in_type, MPI_Comm comm, MPI_Request *request),
     (out, out_counts, out_at, out_type, in, in_counts, in_at, in_type, comm, request),
     keep_shares(HERE, OPERATION_MPI_Ialltoallv, shares_v(keep_size(comm), out, out_counts, out_type, in_counts, in_type),
                 comm, request))

WRAP(Ialltoallw, (const void *out, const int out_counts[], const int out_at[], const MPI_Datatype out_types[], void *in,
                  const int in_counts[], const int in_at[], const MPI_Datatype in_types[], MPI_Comm comm,
                  MPI_Request *request),
     (out, out_counts, out_at, out_types, in, in_counts, in_at, in_types, comm, request),
     keep_shares(HERE, OPERATION_MPI_Ialltoallw, shares_w(keep_size(comm), out, out_counts, out_types, in_counts, in_types),
                 comm, request))

/* ---- among neighbours, who have no MPI_IN_PLACE: each in both forms ---- */

#define UNASKED
#define REQUEST , MPI_Request *request
#define THE_REQUEST , request
#define NEAR_EVEN(name, asked, ask, request)                                                                        \
    WRAP(name, (const void *out, int out_count, MPI_Datatype out_type, void *in, int in_count, MPI_Datatype in_type, \
                MPI_Comm comm asked),                                                                               \
         (out, out_count, out_type, in, in_count, in_type, comm ask),                                               \
         keep_collective(HERE, OPERATION_MPI_##name, NO_ROOT, keep_bytes(out_count, out_type), 0, comm, request))
NEAR_EVEN(Neighbor_allgather, UNASKED, UNASKED, NULL)
NEAR_EVEN(Neighbor_alltoall, UNASKED, UNASKED, NULL)
NEAR_EVEN(Ineighbor_allgather, REQUEST, THE_REQUEST, request)
NEAR_EVEN(Ineighbor_alltoall, REQUEST, THE_REQUEST, request)

#define NEAR_GATHERV(name, asked, ask, request)                                                                     \
    WRAP(name, (const void *out, int out_count, MPI_Datatype out_type, void *in, const int counts[], const int at[], \
                MPI_Datatype in_type, MPI_Comm comm asked),                                                         \
         (out, out_count, out_type, in, counts, at, in_type, comm ask),                                             \
         keep_collective(HERE, OPERATION_MPI_##name, NO_ROOT, keep_bytes(out_count, out_type), 0, comm, request))
NEAR_GATHERV(Neighbor_allgatherv, UNASKED, UNASKED, NULL)
NEAR_GATHERV(Ineighbor_allgatherv, REQUEST, THE_REQUEST, request)

#define NEAR_V(name, asked, ask, request)                                                                           \
    WRAP(name, (const void *out, const int out_counts[], const int out_at[], MPI_Datatype out_type, void *in,       \
                const int in_counts[], const int in_at[], MPI_Datatype in_type, MPI_Comm comm asked),               \
         (out, out_counts, out_at, out_type, in, in_counts, in_at, in_type, comm ask),                              \
         keep_shares(HERE, OPERATION_MPI_##name, (struct shares){keep_destinations(comm), out_counts, out_type, NULL}, \
                     comm, request))
NEAR_V(Neighbor_alltoallv, UNASKED, UNASKED, NULL)
NEAR_V(Ineighbor_alltoallv, REQUEST, THE_REQUEST, request)

#define NEAR_W(name, asked, ask, request)                                                                           \
    WRAP(name, (const void *out, const int out_counts[], const MPI_Aint out_at[], const MPI_Datatype out_types[],    \
                void *in, const int in_counts[], const MPI_Aint in_at[], const MPI_Datatype in_types[],             \
                MPI_Comm comm asked),                                                                               \
         (out, out_counts, out_at, out_types, in, in_counts, in_at, in_types, comm ask),                            \
         keep_shares(HERE, OPERATION_MPI_##name,                                                                    \
                     (struct shares){keep_destinations(comm), out_counts, MPI_BYTE, out_types}, comm, request))
NEAR_W(Neighbor_alltoallw, UNASKED, UNASKED, NULL)
NEAR_W(Ineighbor_alltoallw, REQUEST, THE_REQUEST, request)

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
WRAP(Comm_dup_with_info, (MPI_Comm comm, MPI_Info info, MPI_Comm *made), (comm, info, made),
     keep_comm(HERE, OPERATION_MPI_Comm_dup_with_info, comm, *made))
WRAP(Comm_split_type, (MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *made), (comm, type, key, info, made),
     keep_comm(HERE, OPERATION_MPI_Comm_split_type, comm, *made))
WRAP(Comm_create_group, (MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *made), (comm, group, tag, made),
     keep_comm(HERE, OPERATION_MPI_Comm_create_group, comm, *made))
WRAP(Graph_create, (MPI_Comm comm, int n, const int index[], const int edges[], int reorder, MPI_Comm *made),
     (comm, n, index, edges, reorder, made), keep_comm(HERE, OPERATION_MPI_Graph_create, comm, *made))
WRAP(Dist_graph_create, (MPI_Comm comm, int n, const int sources[], const int degrees[], const int destinations[],
                         const int weights[], MPI_Info info, int reorder, MPI_Comm *made),
     (comm, n, sources, degrees, destinations, weights, info, reorder, made),
     keep_comm(HERE, OPERATION_MPI_Dist_graph_create, comm, *made))
WRAP(Dist_graph_create_adjacent, (MPI_Comm comm, int n_in, const int sources[], const int in_weights[], int n_out,
                                  const int destinations[], const int out_weights[], MPI_Info info, int reorder,
                                  MPI_Comm *made),
     (comm, n_in, sources, in_weights, n_out, destinations, out_weights, info, reorder, made),
     keep_comm(HERE, OPERATION_MPI_Dist_graph_create_adjacent, comm, *made))

/* Within another call, too, where what frees an attribute frees a communicator: the next one may have its handle. */
#define FREE(name)                               \
    RECORDED int MPI_##name(MPI_Comm *comm)      \
    {                                            \
        const bool recorded = recorder_enter();  \
        recorder_comm_freed(*comm);              \
        int result = PMPI_##name(comm);          \
        if (recorded)                            \
            recorder_leave_silent();             \
        return result;                           \
    }
FREE(Comm_free)
FREE(Comm_disconnect)

/* ---- one-sided operations ---- */

WRAP(Win_create, (void *base, MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, MPI_Win *made),
     (base, size, unit, info, comm, made), keep_window(HERE, OPERATION_MPI_Win_create, comm, *made))
WRAP(Win_allocate, (MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *made),
     (size, unit, info, comm, base, made), keep_window(HERE, OPERATION_MPI_Win_allocate, comm, *made))

RECORDED int MPI_Win_free(MPI_Win *window)
{
    MPI_Win before = *window;
    if (!recorder_enter()) {
        recorder_window_freed(before);
        return PMPI_Win_free(window);
    }
    int result = PMPI_Win_free(window);
    recorder_called();
    keep_window_freed(HERE, before);
    return result;
}

WRAP(Put, (const void *own, int count, MPI_Datatype type, int rank, MPI_Aint at, int there_count,
           MPI_Datatype there_type, MPI_Win window),
     (own, count, type, rank, at, there_count, there_type, window),
     keep_remote(HERE, OPERATION_MPI_Put, count, type, rank, window))
WRAP(Get, (void *own, int count, MPI_Datatype type, int rank, MPI_Aint at, int there_count, MPI_Datatype there_type,
           MPI_Win window),
     (own, count, type, rank, at, there_count, there_type, window),
     keep_remote(HERE, OPERATION_MPI_Get, count, type, rank, window))
WRAP(Accumulate, (const void *own, int count, MPI_Datatype type, int rank, MPI_Aint at, int there_count,
                  MPI_Datatype there_type, MPI_Op op, MPI_Win window),
     (own, count, type, rank, at, there_count, there_type, op, window),
     keep_remote(HERE, OPERATION_MPI_Accumulate, count, type, rank, window))

WRAP(Win_fence, (int assertion, MPI_Win window), (assertion, window), keep_fence(HERE, window))
WRAP(Win_lock, (int type, int rank, int assertion, MPI_Win window), (type, rank, assertion, window),
     keep_lock(HERE, OPERATION_MPI_Win_lock, rank, type == MPI_LOCK_EXCLUSIVE, window))
WRAP(Win_unlock, (int rank, MPI_Win window), (rank, window),
     keep_lock(HERE, OPERATION_MPI_Win_unlock, rank, false, window))
WRAP(Win_flush, (int rank, MPI_Win window), (rank, window),
     keep_lock(HERE, OPERATION_MPI_Win_flush, rank, false, window))
WRAP(Win_lock_all, (int assertion, MPI_Win window), (assertion, window), keep_lock_all(window))
WRAP(Win_unlock_all, (MPI_Win window), (window), keep_all(HERE, OPERATION_MPI_Win_unlock, window))
WRAP(Win_flush_all, (MPI_Win window), (window), keep_all(HERE, OPERATION_MPI_Win_flush, window))
