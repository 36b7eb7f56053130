// SPDX-License-Identifier: MIT
/* The calls of Fortran programs: mpif.h and `use mpi` (mpi_xxx_), and `use mpi_f08` of Open MPI (mpi_xxx_f08_).
 *
 * The binding's own name is taken over (recorder/binding.h) and the binding is called: it turns MPI_IN_PLACE,
 * MPI_BOTTOM and MPI_STATUS_IGNORE into what C has, and handles too. A call of C that it makes is within this one, so
 * it is not counted again (recorder_enter).
 *
 * Arguments are references; an error code may be missing in mpi_f08, so it is handed on and never looked at. */
#include "recorder/binding.h"
#include "recorder/keep.h"

#include <stdlib.h>

#define ONE_WRAPPER(name, parameters, arguments, before, keep)                       \
    __attribute__((visibility("default"), noinline)) void name parameters;           \
    __attribute__((visibility("default"), noinline)) void name parameters            \
    {                                                                                \
        typedef void bound parameters;                                               \
        static bound *real;                                                          \
        if (!real)                                                                   \
            real = (bound *)binding(#name);                                          \
        if (!recorder_enter()) {                                                     \
            real arguments;                                                          \
            return;                                                                  \
        }                                                                            \
        before;                                                                      \
        real arguments;                                                              \
        recorder_called();                                                           \
        keep;                                                                        \
    }
#define WRAP(name, parameters, arguments, before, keep)               \
    ONE_WRAPPER(mpi_##name##_, parameters, arguments, before, keep)   \
    ONE_WRAPPER(mpi_##name##_f08_, parameters, arguments, before, keep)

static struct side side_of(const fint *count, const fint *type, const fint *peer, const fint *tag)
{
    return (struct side){*count, PMPI_Type_f2c(*type), *peer, *tag};
}
static MPI_Comm comm_of(const fint *comm) { return PMPI_Comm_f2c(*comm); }
static MPI_Request request_of(const fint *request) { return PMPI_Request_f2c(*request); }

/* Who sent; not known where the program ignores the status. */
static int source_of(const fint *status)
{
    MPI_Status own;
    if (!status || status == MPI_F_STATUS_IGNORE || PMPI_Status_f2c(status, &own) != MPI_SUCCESS)
        return MPI_PROC_NULL;
    return own.MPI_SOURCE;
}

/* ---- begin and end ---- */

BINDING_FORWARD(init, (fint *error), (error), NOTHING, recorder_start())
BINDING_FORWARD(init_thread, (fint *wanted, fint *provided, fint *error), (wanted, provided, error), NOTHING,
                recorder_start())

static void finish(struct here here)
{
    if (recorder_enter()) {
        recorder_called();
        keep_collective(here, OPERATION_MPI_Finalize, MPI_PROC_NULL, 0, 0, MPI_COMM_WORLD, NULL);
    }
    if (recorder.on || recorder.stopped)
        recorder_finish();
}
BINDING_FORWARD(finalize, (fint *error), (error), finish(HERE), NOTHING)

static void save(void)
{
    if (recorder.on)
        recorder_save();
}
BINDING_FORWARD(abort, (fint *comm, fint *code, fint *error), (comm, code, error), save(), NOTHING)

/* ---- messages ---- */

#define SEND(name, Name)                                                                              \
    WRAP(name, (void *buf, fint *count, fint *type, fint *dest, fint *tag, fint *comm, fint *error),   \
         (buf, count, type, dest, tag, comm, error), NOTHING,                                         \
         keep_send(HERE, OPERATION_MPI_##Name, side_of(count, type, dest, tag), comm_of(comm)))
SEND(send, Send)
SEND(bsend, Bsend)
SEND(ssend, Ssend)
SEND(rsend, Rsend)

#define START(name, Name)                                                                                         \
    WRAP(name, (void *buf, fint *count, fint *type, fint *peer, fint *tag, fint *comm, fint *request, fint *error), \
         (buf, count, type, peer, tag, comm, request, error), NOTHING,                                            \
         keep_start(HERE, OPERATION_MPI_##Name, side_of(count, type, peer, tag), comm_of(comm), request_of(request)))
START(isend, Isend)
START(ibsend, Ibsend)
START(issend, Issend)
START(irsend, Irsend)
START(irecv, Irecv)

WRAP(recv, (void *buf, fint *count, fint *type, fint *source, fint *tag, fint *comm, fint *status, fint *error),
     (buf, count, type, source, tag, comm, status, error), NOTHING,
     keep_recv(HERE, OPERATION_MPI_Recv, side_of(count, type, source, tag), comm_of(comm), source_of(status)))

WRAP(sendrecv, (void *out, fint *out_count, fint *out_type, fint *dest, fint *out_tag, void *in, fint *in_count,
                fint *in_type, fint *source, fint *in_tag, fint *comm, fint *status, fint *error),
     (out, out_count, out_type, dest, out_tag, in, in_count, in_type, source, in_tag, comm, status, error), NOTHING,
     keep_both(HERE, OPERATION_MPI_Sendrecv, side_of(out_count, out_type, dest, out_tag),
               side_of(in_count, in_type, source, in_tag), comm_of(comm)))

WRAP(sendrecv_replace, (void *buf, fint *count, fint *type, fint *dest, fint *out_tag, fint *source, fint *in_tag,
                        fint *comm, fint *status, fint *error),
     (buf, count, type, dest, out_tag, source, in_tag, comm, status, error), NOTHING,
     keep_both(HERE, OPERATION_MPI_Sendrecv_replace, side_of(count, type, dest, out_tag),
               side_of(count, type, source, in_tag), comm_of(comm)))

WRAP(probe, (fint *source, fint *tag, fint *comm, fint *status, fint *error), (source, tag, comm, status, error),
     NOTHING,
     keep_probe(HERE, OPERATION_MPI_Probe, *source, *tag, comm_of(comm), source_of(status)))

static void keep_iprobe(struct here here, const fint *source, const fint *tag, const fint *comm, const fint *flag,
                        const fint *status)
{
    if (*flag)
        keep_probe(here, OPERATION_MPI_Iprobe, *source, *tag, comm_of(comm), source_of(status));
    else
        recorder_leave_poll();
}
WRAP(iprobe, (fint *source, fint *tag, fint *comm, fint *flag, fint *status, fint *error),
     (source, tag, comm, flag, status, error), NOTHING, keep_iprobe(HERE, source, tag, comm, flag, status))

static MPI_Message message_of(const fint *message) { return PMPI_Message_f2c(*message); }
WRAP(mprobe, (fint *source, fint *tag, fint *comm, fint *message, fint *status, fint *error),
     (source, tag, comm, message, status, error), NOTHING,
     keep_mprobe(HERE, OPERATION_MPI_Mprobe, *source, *tag, comm_of(comm), source_of(status), message_of(message)))

static void keep_improbe(struct here here, const fint *source, const fint *tag, const fint *comm, const fint *flag,
                         const fint *message, const fint *status)
{
    if (*flag)
        keep_mprobe(here, OPERATION_MPI_Improbe, *source, *tag, comm_of(comm), source_of(status), message_of(message));
    else
        recorder_leave_poll();
}
WRAP(improbe, (fint *source, fint *tag, fint *comm, fint *flag, fint *message, fint *status, fint *error),
     (source, tag, comm, flag, message, status, error), NOTHING,
     keep_improbe(HERE, source, tag, comm, flag, message, status))
WRAP(mrecv, (void *buf, fint *count, fint *type, fint *message, fint *status, fint *error),
     (buf, count, type, message, status, error), MPI_Message before = message_of(message),
     keep_mrecv(HERE, OPERATION_MPI_Mrecv, keep_bytes(*count, PMPI_Type_f2c(*type)), before, NULL))

static void keep_imrecv(struct here here, int64_t bytes, MPI_Message before, const fint *request)
{
    MPI_Request made = request_of(request);
    keep_mrecv(here, OPERATION_MPI_Imrecv, bytes, before, &made);
}
WRAP(imrecv, (void *buf, fint *count, fint *type, fint *message, fint *request, fint *error),
     (buf, count, type, message, request, error), MPI_Message before = message_of(message),
     keep_imrecv(HERE, keep_bytes(*count, PMPI_Type_f2c(*type)), before, request))

/* ---- requests: handles as they were before the call ---- */

WRAP(wait, (fint *request, fint *status, fint *error), (request, status, error),
     MPI_Request before = request_of(request),
     keep_wait(HERE, OPERATION_MPI_Wait, 1, &before, 1, NULL, source_of(status)))

static void keep_test(struct here here, MPI_Request before, const fint *flag, const fint *status)
{
    if (*flag && before != MPI_REQUEST_NULL)
        keep_wait(here, OPERATION_MPI_Test, 1, &before, 1, NULL, source_of(status));
    else
        recorder_leave_poll();
}
WRAP(test, (fint *request, fint *flag, fint *status, fint *error), (request, flag, status, error),
     MPI_Request before = request_of(request), keep_test(HERE, before, flag, status))

static MPI_Request *handles_of(int n, const fint requests[])
{
    MPI_Request *handles = fold_memory(NULL, (size_t)n, sizeof *handles);
    for (int i = 0; i < n; i++)
        handles[i] = request_of(&requests[i]);
    return handles;
}

static void keep_list(struct here here, enum operation op, int n, MPI_Request *before, bool done, int n_done,
                      const fint *done_from_1)
{
    int *completed = done_from_1 ? fold_memory(NULL, (size_t)n, sizeof *completed) : NULL;
    int kept = 0;
    for (int i = 0; completed && i < n_done; i++)
        if (done_from_1[i] >= 1 && done_from_1[i] <= n)
            completed[kept++] = done_from_1[i] - 1;
    if (done)
        keep_wait(here, op, n, before, kept, completed, MPI_PROC_NULL);
    else
        recorder_leave_poll();
    free(completed);
    free(before);
}

WRAP(waitall, (fint *n, fint *requests, fint *statuses, fint *error), (n, requests, statuses, error),
     MPI_Request *before = handles_of(*n, requests), keep_list(HERE, OPERATION_MPI_Waitall, *n, before, true, *n, NULL))
WRAP(testall, (fint *n, fint *requests, fint *flag, fint *statuses, fint *error), (n, requests, flag, statuses, error),
     MPI_Request *before = handles_of(*n, requests),
     keep_list(HERE, OPERATION_MPI_Testall, *n, before, *flag, *n, NULL))
WRAP(waitany, (fint *n, fint *requests, fint *index, fint *status, fint *error), (n, requests, index, status, error),
     MPI_Request *before = handles_of(*n, requests), keep_list(HERE, OPERATION_MPI_Waitany, *n, before, true, 1, index))
WRAP(testany, (fint *n, fint *requests, fint *index, fint *flag, fint *status, fint *error),
     (n, requests, index, flag, status, error), MPI_Request *before = handles_of(*n, requests),
     keep_list(HERE, OPERATION_MPI_Testany, *n, before, *flag && *index >= 1, 1, index))
WRAP(waitsome, (fint *n, fint *requests, fint *n_done, fint *indices, fint *statuses, fint *error),
     (n, requests, n_done, indices, statuses, error), MPI_Request *before = handles_of(*n, requests),
     keep_list(HERE, OPERATION_MPI_Waitsome, *n, before, true, *n_done, indices))
WRAP(testsome, (fint *n, fint *requests, fint *n_done, fint *indices, fint *statuses, fint *error),
     (n, requests, n_done, indices, statuses, error), MPI_Request *before = handles_of(*n, requests),
     keep_list(HERE, OPERATION_MPI_Testsome, *n, before, *n_done > 0, *n_done, indices))

WRAP(cancel, (fint *request, fint *error), (request, error), NOTHING, keep_cancel(HERE, request_of(request)))

static void forget(const fint *request)
{
    struct recorder_request *known = recorder_request_find(request_of(request));
    if (known) {
        known->persistent = false;
        recorder_request_end(request_of(request));
    }
}
WRAP(request_free, (fint *request, fint *error), (request, error), forget(request), recorder_leave_silent())

/* ---- persistent requests ---- */

#define MADE(name, op)                                                                                                \
    WRAP(name, (void *buf, fint *count, fint *type, fint *peer, fint *tag, fint *comm, fint *request, fint *error), \
         (buf, count, type, peer, tag, comm, request, error), NOTHING,                                                \
         keep_made(OPERATION_MPI_##op, side_of(count, type, peer, tag), comm_of(comm), request_of(request)))
MADE(send_init, Isend)
MADE(bsend_init, Ibsend)
MADE(ssend_init, Issend)
MADE(rsend_init, Irsend)
MADE(recv_init, Irecv)

static void keep_start_list(struct here here, int n, const fint requests[])
{
    MPI_Request *handles = handles_of(n, requests);
    keep_started(here, n, handles);
    free(handles);
}
WRAP(start, (fint *request, fint *error), (request, error), NOTHING, keep_start_list(HERE, 1, request))
WRAP(startall, (fint *n, fint *requests, fint *error), (n, requests, error), NOTHING,
     keep_start_list(HERE, *n, requests))

/* ---- collective operations ---- */

#define NO_ROOT MPI_PROC_NULL

static void keep_vector(struct here here, enum operation op, int root, const fint *count, const fint *type,
                        const fint *comm, const fint *request)
{
    MPI_Request handle = request ? request_of(request) : MPI_REQUEST_NULL;
    keep_collective(here, op, root, keep_bytes(*count, PMPI_Type_f2c(*type)), 0, comm_of(comm), request ? &handle
                    : NULL);
}

static void keep_barrier(struct here here, enum operation op, const fint *comm, const fint *request)
{
    MPI_Request handle = request ? request_of(request) : MPI_REQUEST_NULL;
    keep_collective(here, op, NO_ROOT, 0, 0, comm_of(comm), request ? &handle : NULL);
}

/* A share: the root's own side, else the other one. */
static void keep_share(struct here here, enum operation op, const fint *root, const fint *at_root,
                       const fint *root_type,
                       const fint *elsewhere, const fint *type, const fint *comm)
{
    bool is_root = keep_rank(comm_of(comm)) == *root;
    keep_vector(here, op, *root, is_root ? at_root : elsewhere, is_root ? root_type : type, comm, NULL);
}

WRAP(barrier, (fint *comm, fint *error), (comm, error), NOTHING,
     keep_barrier(HERE, OPERATION_MPI_Barrier, comm, NULL))
WRAP(ibarrier, (fint *comm, fint *request, fint *error), (comm, request, error), NOTHING,
     keep_barrier(HERE, OPERATION_MPI_Ibarrier, comm, request))
WRAP(bcast, (void *buf, fint *count, fint *type, fint *root, fint *comm, fint *error),
     (buf, count, type, root, comm, error), NOTHING,
     keep_vector(HERE, OPERATION_MPI_Bcast, *root, count, type, comm, NULL))
WRAP(ibcast, (void *buf, fint *count, fint *type, fint *root, fint *comm, fint *request, fint *error),
     (buf, count, type, root, comm, request, error), NOTHING,
     keep_vector(HERE, OPERATION_MPI_Ibcast, *root, count, type, comm, request))

#define REDUCTION(name, Name)                                                                                     \
    WRAP(name, (void *out, void *in, fint *count, fint *type, fint *op, fint *comm, fint *error),                  \
         (out, in, count, type, op, comm, error), NOTHING,                                                        \
         keep_vector(HERE, OPERATION_MPI_##Name, NO_ROOT, count, type, comm, NULL))
REDUCTION(allreduce, Allreduce)
REDUCTION(scan, Scan)
REDUCTION(exscan, Exscan)
REDUCTION(reduce_scatter_block, Reduce_scatter_block)
WRAP(reduce_scatter, (void *out, void *in, fint *counts, fint *type, fint *op, fint *comm, fint *error),
     (out, in, counts, type, op, comm, error), NOTHING,
     keep_vector(HERE, OPERATION_MPI_Reduce_scatter, NO_ROOT, &counts[keep_rank(comm_of(comm))], type, comm, NULL))
WRAP(iallreduce, (void *out, void *in, fint *count, fint *type, fint *op, fint *comm, fint *request, fint *error),
     (out, in, count, type, op, comm, request, error), NOTHING,
     keep_vector(HERE, OPERATION_MPI_Iallreduce, NO_ROOT, count, type, comm, request))
WRAP(reduce, (void *out, void *in, fint *count, fint *type, fint *op, fint *root, fint *comm, fint *error),
     (out, in, count, type, op, root, comm, error), NOTHING,
     keep_vector(HERE, OPERATION_MPI_Reduce, *root, count, type, comm, NULL))

#define TWO_SIDED (void *out, fint *out_count, fint *out_type, void *in, fint *in_count, fint *in_type, fint *root, \
                   fint *comm, fint *error)
WRAP(scatter, TWO_SIDED, (out, out_count, out_type, in, in_count, in_type, root, comm, error), NOTHING,
     keep_share(HERE, OPERATION_MPI_Scatter, root, out_count, out_type, in_count, in_type, comm))
WRAP(gather, TWO_SIDED, (out, out_count, out_type, in, in_count, in_type, root, comm, error), NOTHING,
     keep_share(HERE, OPERATION_MPI_Gather, root, in_count, in_type, out_count, out_type, comm))
WRAP(scatterv, (void *out, fint *counts, fint *at, fint *out_type, void *in, fint *in_count, fint *in_type, fint *root,
                fint *comm, fint *error),
     (out, counts, at, out_type, in, in_count, in_type, root, comm, error), NOTHING,
     keep_share(HERE, OPERATION_MPI_Scatterv, root, keep_rank(comm_of(comm)) == *root ? &counts[*root] : counts,
                out_type,
                in_count, in_type, comm))
WRAP(gatherv, (void *out, fint *out_count, fint *out_type, void *in, fint *counts, fint *at, fint *in_type, fint *root,
               fint *comm, fint *error),
     (out, out_count, out_type, in, counts, at, in_type, root, comm, error), NOTHING,
     keep_share(HERE, OPERATION_MPI_Gatherv, root, keep_rank(comm_of(comm)) == *root ? &counts[*root] : counts, in_type,
                out_count, out_type, comm))
WRAP(allgather, (void *out, fint *out_count, fint *out_type, void *in, fint *in_count, fint *in_type, fint *comm,
                 fint *error),
     (out, out_count, out_type, in, in_count, in_type, comm, error), NOTHING,
     keep_vector(HERE, OPERATION_MPI_Allgather, NO_ROOT, in_count, in_type, comm, NULL))
WRAP(allgatherv, (void *out, fint *out_count, fint *out_type, void *in, fint *counts, fint *at, fint *in_type,
                  fint *comm,
                  fint *error),
     (out, out_count, out_type, in, counts, at, in_type, comm, error), NOTHING,
     keep_vector(HERE, OPERATION_MPI_Allgatherv, NO_ROOT, &counts[keep_rank(comm_of(comm))], in_type, comm, NULL))
WRAP(alltoall, (void *out, fint *out_count, fint *out_type, void *in, fint *in_count, fint *in_type, fint *comm,
                fint *error),
     (out, out_count, out_type, in, in_count, in_type, comm, error), NOTHING,
     keep_vector(HERE, OPERATION_MPI_Alltoall, NO_ROOT, in_count, in_type, comm, NULL))

/* Handles of C, for the time of a call; NULL of NULL. */
static MPI_Datatype *types_of(int n, const fint types[])
{
    MPI_Datatype *handles = fold_memory(NULL, (size_t)n + 1, sizeof *handles);
    for (int i = 0; i < n; i++)
        handles[i] = PMPI_Type_f2c(types[i]);
    return handles;
}

/* What goes to each; own, other: counts and types of what is sent, and of what is received where MPI_IN_PLACE stands
 * for the first. many: a type for each. */
static void keep_parts(struct here here, enum operation op, bool in_place, const fint own[], const fint *own_type,
                       const fint other[], const fint *other_type, bool many, const fint *comm, const fint *request)
{
    MPI_Comm handle = comm_of(comm);
    MPI_Request made = request ? request_of(request) : MPI_REQUEST_NULL;
    const fint *counts = in_place ? other : own, *type = in_place ? other_type : own_type;
    int n = operation_kind(op) == KIND_near ? keep_destinations(handle) : keep_size(handle);
    MPI_Datatype *types = many ? types_of(n, type) : NULL;
    keep_shares(here, op, (struct shares){n, counts, many ? MPI_BYTE : PMPI_Type_f2c(*type), types}, handle,
                request ? &made : NULL);
    free(types);
}

#define PARTS (void *out, fint *out_counts, fint *out_at, fint *out_type, void *in, fint *in_counts, fint *in_at, \
               fint *in_type, fint *comm, fint *error)
#define PARTS_STARTED (void *out, fint *out_counts, fint *out_at, fint *out_type, void *in, fint *in_counts, \
                       fint *in_at, fint *in_type, fint *comm, fint *request, fint *error)
#define EACH(name, Name, many)                                                                                      \
    WRAP(name, PARTS, (out, out_counts, out_at, out_type, in, in_counts, in_at, in_type, comm, error), NOTHING,     \
         keep_parts(HERE, OPERATION_MPI_##Name, binding_in_place(out), out_counts, out_type, in_counts, in_type, many, \
                    comm, NULL))
#define EACH_STARTED(name, Name, many)                                                                              \
    WRAP(name, PARTS_STARTED,                                                                                       \
         (out, out_counts, out_at, out_type, in, in_counts, in_at, in_type, comm, request, error), NOTHING,         \
         keep_parts(HERE, OPERATION_MPI_##Name, binding_in_place(out), out_counts, out_type, in_counts, in_type, many, \
                    comm, request))
EACH(alltoallv, Alltoallv, false)
EACH(alltoallw, Alltoallw, true)
EACH_STARTED(ialltoallv, Ialltoallv, false)
EACH_STARTED(ialltoallw, Ialltoallw, true)
EACH(neighbor_alltoallv, Neighbor_alltoallv, false)
EACH(neighbor_alltoallw, Neighbor_alltoallw, true)
EACH_STARTED(ineighbor_alltoallv, Ineighbor_alltoallv, false)
EACH_STARTED(ineighbor_alltoallw, Ineighbor_alltoallw, true)

/* ---- with a request ---- */

static void keep_share_started(struct here here, enum operation op, const fint *root, const fint *at_root,
                               const fint *root_type, const fint *elsewhere, const fint *type, const fint *comm,
                               const fint *request)
{
    bool is_root = keep_rank(comm_of(comm)) == *root;
    keep_vector(here, op, *root, is_root ? at_root : elsewhere, is_root ? root_type : type, comm, request);
}
#define TWO_SIDED_STARTED (void *out, fint *out_count, fint *out_type, void *in, fint *in_count, fint *in_type, \
                           fint *root, fint *comm, fint *request, fint *error)
WRAP(iscatter, TWO_SIDED_STARTED, (out, out_count, out_type, in, in_count, in_type, root, comm, request, error), NOTHING,
     keep_share_started(HERE, OPERATION_MPI_Iscatter, root, out_count, out_type, in_count, in_type, comm, request))
WRAP(igather, TWO_SIDED_STARTED, (out, out_count, out_type, in, in_count, in_type, root, comm, request, error), NOTHING,
     keep_share_started(HERE, OPERATION_MPI_Igather, root, in_count, in_type, out_count, out_type, comm, request))
WRAP(ireduce, (void *out, void *in, fint *count, fint *type, fint *op, fint *root, fint *comm, fint *request, fint *error),
     (out, in, count, type, op, root, comm, request, error), NOTHING,
     keep_vector(HERE, OPERATION_MPI_Ireduce, *root, count, type, comm, request))

#define REDUCTION_STARTED(name, Name)                                                                               \
    WRAP(name, (void *out, void *in, fint *count, fint *type, fint *op, fint *comm, fint *request, fint *error),    \
         (out, in, count, type, op, comm, request, error), NOTHING,                                                 \
         keep_vector(HERE, OPERATION_MPI_##Name, NO_ROOT, count, type, comm, request))
REDUCTION_STARTED(iscan, Iscan)
REDUCTION_STARTED(iexscan, Iexscan)
REDUCTION_STARTED(ireduce_scatter_block, Ireduce_scatter_block)
WRAP(ireduce_scatter, (void *out, void *in, fint *counts, fint *type, fint *op, fint *comm, fint *request, fint *error),
     (out, in, counts, type, op, comm, request, error), NOTHING,
     keep_vector(HERE, OPERATION_MPI_Ireduce_scatter, NO_ROOT, &counts[keep_rank(comm_of(comm))], type, comm, request))
WRAP(iscatterv, (void *out, fint *counts, fint *at, fint *out_type, void *in, fint *in_count, fint *in_type, fint *root,
                 fint *comm, fint *request, fint *error),
     (out, counts, at, out_type, in, in_count, in_type, root, comm, request, error), NOTHING,
     keep_share_started(HERE, OPERATION_MPI_Iscatterv, root,
                        keep_rank(comm_of(comm)) == *root ? &counts[*root] : counts, out_type, in_count, in_type, comm,
                        request))
WRAP(igatherv, (void *out, fint *out_count, fint *out_type, void *in, fint *counts, fint *at, fint *in_type, fint *root,
                fint *comm, fint *request, fint *error),
     (out, out_count, out_type, in, counts, at, in_type, root, comm, request, error), NOTHING,
     keep_share_started(HERE, OPERATION_MPI_Igatherv, root,
                        keep_rank(comm_of(comm)) == *root ? &counts[*root] : counts, in_type, out_count, out_type, comm,
                        request))

#define EXCHANGE_STARTED(name, Name, count, type)                                                                   \
    WRAP(name, (void *out, fint *out_count, fint *out_type, void *in, fint *in_count, fint *in_type, fint *comm,    \
                fint *request, fint *error),                                                                        \
         (out, out_count, out_type, in, in_count, in_type, comm, request, error), NOTHING,                          \
         keep_vector(HERE, OPERATION_MPI_##Name, NO_ROOT, count, type, comm, request))
EXCHANGE_STARTED(iallgather, Iallgather, in_count, in_type)
EXCHANGE_STARTED(ialltoall, Ialltoall, in_count, in_type)
WRAP(iallgatherv, (void *out, fint *out_count, fint *out_type, void *in, fint *counts, fint *at, fint *in_type, fint *comm,
                   fint *request, fint *error),
     (out, out_count, out_type, in, counts, at, in_type, comm, request, error), NOTHING,
     keep_vector(HERE, OPERATION_MPI_Iallgatherv, NO_ROOT, &counts[keep_rank(comm_of(comm))], in_type, comm, request))
EXCHANGE_STARTED(ineighbor_allgather, Ineighbor_allgather, out_count, out_type)
EXCHANGE_STARTED(ineighbor_alltoall, Ineighbor_alltoall, out_count, out_type)

/* ---- among neighbours, without a request ---- */

#define NEAR_EVEN(name, Name)                                                                                       \
    WRAP(name, (void *out, fint *out_count, fint *out_type, void *in, fint *in_count, fint *in_type, fint *comm,    \
                fint *error),                                                                                       \
         (out, out_count, out_type, in, in_count, in_type, comm, error), NOTHING,                                   \
         keep_vector(HERE, OPERATION_MPI_##Name, NO_ROOT, out_count, out_type, comm, NULL))
NEAR_EVEN(neighbor_allgather, Neighbor_allgather)
NEAR_EVEN(neighbor_alltoall, Neighbor_alltoall)
WRAP(neighbor_allgatherv, (void *out, fint *out_count, fint *out_type, void *in, fint *counts, fint *at, fint *in_type,
                           fint *comm, fint *error),
     (out, out_count, out_type, in, counts, at, in_type, comm, error), NOTHING,
     keep_vector(HERE, OPERATION_MPI_Neighbor_allgatherv, NO_ROOT, out_count, out_type, comm, NULL))
WRAP(ineighbor_allgatherv, (void *out, fint *out_count, fint *out_type, void *in, fint *counts, fint *at, fint *in_type,
                            fint *comm, fint *request, fint *error),
     (out, out_count, out_type, in, counts, at, in_type, comm, request, error), NOTHING,
     keep_vector(HERE, OPERATION_MPI_Ineighbor_allgatherv, NO_ROOT, out_count, out_type, comm, request))

/* ---- communicators ---- */

WRAP(comm_split, (fint *comm, fint *color, fint *key, fint *made, fint *error), (comm, color, key, made, error),
     NOTHING,
     keep_comm(HERE, OPERATION_MPI_Comm_split, comm_of(comm), comm_of(made)))
WRAP(comm_dup, (fint *comm, fint *made, fint *error), (comm, made, error), NOTHING,
     keep_comm(HERE, OPERATION_MPI_Comm_dup, comm_of(comm), comm_of(made)))
WRAP(comm_create, (fint *comm, fint *group, fint *made, fint *error), (comm, group, made, error), NOTHING,
     keep_comm(HERE, OPERATION_MPI_Comm_create, comm_of(comm), comm_of(made)))
WRAP(cart_create, (fint *comm, fint *n, fint *dims, fint *periods, fint *reorder, fint *made, fint *error),
     (comm, n, dims, periods, reorder, made, error), NOTHING,
     keep_comm(HERE, OPERATION_MPI_Cart_create, comm_of(comm), comm_of(made)))
WRAP(cart_sub, (fint *comm, fint *remain, fint *made, fint *error), (comm, remain, made, error), NOTHING,
     keep_comm(HERE, OPERATION_MPI_Cart_sub, comm_of(comm), comm_of(made)))
#define MADE_COMM(name, Name, parameters, arguments) \
    WRAP(name, parameters, arguments, NOTHING, keep_comm(HERE, OPERATION_MPI_##Name, comm_of(comm), comm_of(made)))
MADE_COMM(comm_dup_with_info, Comm_dup_with_info, (fint *comm, fint *info, fint *made, fint *error),
          (comm, info, made, error))
MADE_COMM(comm_split_type, Comm_split_type, (fint *comm, fint *type, fint *key, fint *info, fint *made, fint *error),
          (comm, type, key, info, made, error))
MADE_COMM(comm_create_group, Comm_create_group, (fint *comm, fint *group, fint *tag, fint *made, fint *error),
          (comm, group, tag, made, error))
MADE_COMM(graph_create, Graph_create,
          (fint *comm, fint *n, fint *index, fint *edges, fint *reorder, fint *made, fint *error),
          (comm, n, index, edges, reorder, made, error))
MADE_COMM(dist_graph_create, Dist_graph_create,
          (fint *comm, fint *n, fint *sources, fint *degrees, fint *destinations, fint *weights, fint *info, fint *reorder,
           fint *made, fint *error),
          (comm, n, sources, degrees, destinations, weights, info, reorder, made, error))
MADE_COMM(dist_graph_create_adjacent, Dist_graph_create_adjacent,
          (fint *comm, fint *n_in, fint *sources, fint *in_weights, fint *n_out, fint *destinations, fint *out_weights,
           fint *info, fint *reorder, fint *made, fint *error),
          (comm, n_in, sources, in_weights, n_out, destinations, out_weights, info, reorder, made, error))
WRAP(comm_free, (fint *comm, fint *error), (comm, error), recorder_comm_freed(comm_of(comm)), recorder_leave_silent())
WRAP(comm_disconnect, (fint *comm, fint *error), (comm, error), recorder_comm_freed(comm_of(comm)), recorder_leave_silent())

/* ---- one-sided operations ---- */

static MPI_Win window_of(const fint *window) { return PMPI_Win_f2c(*window); }

#define MADE_WINDOW(wrap, name, Name, parameters, arguments) \
    wrap(name, parameters, arguments, NOTHING, keep_window(HERE, OPERATION_MPI_##Name, comm_of(comm), window_of(made)))
MADE_WINDOW(WRAP, win_create, Win_create,
            (void *base, MPI_Aint *size, fint *unit, fint *info, fint *comm, fint *made, fint *error),
            (base, size, unit, info, comm, made, error))
#define ALLOCATED (MPI_Aint *size, fint *unit, fint *info, fint *comm, void *base, fint *made, fint *error)
MADE_WINDOW(WRAP, win_allocate, Win_allocate, ALLOCATED, (size, unit, info, comm, base, made, error))
/* The second form of `use mpi`, whose memory is a C pointer. */
MADE_WINDOW(ONE_WRAPPER, mpi_win_allocate_cptr_, Win_allocate, ALLOCATED, (size, unit, info, comm, base, made, error))
WRAP(win_free, (fint *window, fint *error), (window, error), MPI_Win before = window_of(window),
     keep_window_freed(HERE, before))

#define ACCESS(name, Name)                                                                                           \
    WRAP(name, (void *own, fint *count, fint *type, fint *rank, MPI_Aint *at, fint *there_count, fint *there_type, \
                fint *window, fint *error),                                                                         \
         (own, count, type, rank, at, there_count, there_type, window, error), NOTHING,                              \
         keep_remote(HERE, OPERATION_MPI_##Name, *count, PMPI_Type_f2c(*type), *rank, window_of(window)))
ACCESS(put, Put)
ACCESS(get, Get)
WRAP(accumulate, (void *own, fint *count, fint *type, fint *rank, MPI_Aint *at, fint *there_count, fint *there_type,
                  fint *op, fint *window, fint *error),
     (own, count, type, rank, at, there_count, there_type, op, window, error), NOTHING,
     keep_remote(HERE, OPERATION_MPI_Accumulate, *count, PMPI_Type_f2c(*type), *rank, window_of(window)))

WRAP(win_fence, (fint *assertion, fint *window, fint *error), (assertion, window, error), NOTHING,
     keep_fence(HERE, window_of(window)))
WRAP(win_lock, (fint *type, fint *rank, fint *assertion, fint *window, fint *error), (type, rank, assertion, window, error),
     NOTHING, keep_lock(HERE, OPERATION_MPI_Win_lock, *rank, *type == MPI_LOCK_EXCLUSIVE, window_of(window)))
WRAP(win_unlock, (fint *rank, fint *window, fint *error), (rank, window, error), NOTHING,
     keep_lock(HERE, OPERATION_MPI_Win_unlock, *rank, false, window_of(window)))
WRAP(win_flush, (fint *rank, fint *window, fint *error), (rank, window, error), NOTHING,
     keep_lock(HERE, OPERATION_MPI_Win_flush, *rank, false, window_of(window)))
WRAP(win_lock_all, (fint *assertion, fint *window, fint *error), (assertion, window, error), NOTHING,
     keep_lock_all(window_of(window)))
WRAP(win_unlock_all, (fint *window, fint *error), (window, error), NOTHING,
     keep_all(HERE, OPERATION_MPI_Win_unlock, window_of(window)))
WRAP(win_flush_all, (fint *window, fint *error), (window, error), NOTHING,
     keep_all(HERE, OPERATION_MPI_Win_flush, window_of(window)))
