#include "measure/collective.h"

#include "common/alloc.h"
#include "measure/collective_impl.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum shares { none, own, all, all_at_root };

/* ---- one function per operation, root = rank 0 ---- */

static void call_Barrier(const struct operands *o)
{
    MPI_Barrier(o->comm);
}

static void call_Bcast(const struct operands *o)
{
    MPI_Bcast(o->send, o->bytes, MPI_BYTE, 0, o->comm);
}

static void call_Scatter(const struct operands *o)
{
    MPI_Scatter(o->send, o->bytes, MPI_BYTE, o->receive, o->bytes, MPI_BYTE, 0, o->comm);
}

static void call_Scatterv(const struct operands *o)
{
    MPI_Scatterv(o->send, o->counts, o->offsets, MPI_BYTE, o->receive, o->bytes, MPI_BYTE, 0, o->comm);
}

static void call_Gather(const struct operands *o)
{
    MPI_Gather(o->send, o->bytes, MPI_BYTE, o->receive, o->bytes, MPI_BYTE, 0, o->comm);
}

static void call_Gatherv(const struct operands *o)
{
    MPI_Gatherv(o->send, o->bytes, MPI_BYTE, o->receive, o->counts, o->offsets, MPI_BYTE, 0, o->comm);
}

static void call_Allgather(const struct operands *o)
{
    MPI_Allgather(o->send, o->bytes, MPI_BYTE, o->receive, o->bytes, MPI_BYTE, o->comm);
}

static void call_Allgatherv(const struct operands *o)
{
    MPI_Allgatherv(o->send, o->bytes, MPI_BYTE, o->receive, o->counts, o->offsets, MPI_BYTE, o->comm);
}

static void call_Reduce(const struct operands *o)
{
    MPI_Reduce(o->send, o->receive, o->n_reduced[0], o->reduced, o->combine, 0, o->comm);
}

static void call_Allreduce(const struct operands *o)
{
    MPI_Allreduce(o->send, o->receive, o->n_reduced[0], o->reduced, o->combine, o->comm);
}

static void call_Reduce_scatter(const struct operands *o)
{
    MPI_Reduce_scatter(o->send, o->receive, o->n_reduced, o->reduced, o->combine, o->comm);
}

static void call_Alltoall(const struct operands *o)
{
    MPI_Alltoall(o->send, o->bytes, MPI_BYTE, o->receive, o->bytes, MPI_BYTE, o->comm);
}

static void call_Alltoallv(const struct operands *o)
{
    MPI_Alltoallv(o->send, o->counts, o->offsets, MPI_BYTE, o->receive, o->counts, o->offsets, MPI_BYTE, o->comm);
}

static void call_Scan(const struct operands *o)
{
    MPI_Scan(o->send, o->receive, o->n_reduced[0], o->reduced, o->combine, o->comm);
}

static void call_Exscan(const struct operands *o)
{
    MPI_Exscan(o->send, o->receive, o->n_reduced[0], o->reduced, o->combine, o->comm);
}

static void call_Iallreduce(const struct operands *o)
{
    MPI_Request request;
    MPI_Iallreduce(o->send, o->receive, o->n_reduced[0], o->reduced, o->combine, o->comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void call_Ibcast(const struct operands *o)
{
    MPI_Request request;
    MPI_Ibcast(o->send, o->bytes, MPI_BYTE, 0, o->comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static const struct {
    const char *name;
    bool is_rooted, has_size;
    enum shares send, receive;
    void (*call)(const struct operands *o);
} operations[N_COLLECTIVES] = {
#define X(name, rooted, sized, send, receive) {"MPI_" #name, rooted, sized, send, receive, call_##name},
    COLLECTIVE_LIST(X)
#undef X
};

const char *collective_name(enum collective op)
{
    return operations[op].name;
}

bool collective_is_rooted(enum collective op)
{
    return operations[op].is_rooted;
}

bool collective_has_size(enum collective op)
{
    return operations[op].has_size;
}

enum collective collective_find(const char *name)
{
    int op = 0;
    while (op < N_COLLECTIVES && strcmp(operations[op].name, name) != 0)
        op++;
    return (enum collective)op;
}

void collective_call(enum collective op, const struct operands *o)
{
    operations[op].call(o);
}

/* ---- operands ---- */

static int64_t n_shares(enum shares shares, int rank, int size)
{
    return shares == none ? 0 : shares == all || (shares == all_at_root && rank == 0) ? size : 1;
}

enum status operands_init(struct operands *o, MPI_Comm comm, enum collective op, int64_t bytes, struct diags *diags)
{
    *o = (struct operands){.comm = comm};
    MPI_Comm_rank(comm, &o->rank);
    MPI_Comm_size(comm, &o->size);
    bytes = operations[op].has_size ? bytes : 0;
    int64_t most = n_shares(operations[op].send, 0, o->size) + n_shares(operations[op].receive, 0, o->size);
    int64_t total;
    if (bytes < 0 || __builtin_mul_overflow(bytes, most > o->size ? most : o->size, &total) ||
        total > COLLECTIVE_MEMORY) {
        diag_error(diags, place_of_file(NULL),
                   "%s of %" PRId64 " bytes among %d processes cannot be measured: the shares must be at least 0 and "
                   "fit %" PRId64 " bytes together", operations[op].name, bytes, o->size, COLLECTIVE_MEMORY);
        return STATUS_RANGE;
    }
    size_t size = (size_t)o->size, width = bytes % (int64_t)sizeof(double) == 0 ? sizeof(double) : 1;
    o->bytes = (int)bytes;
    o->send = alloc_zeroed((size_t)(n_shares(operations[op].send, o->rank, o->size) * bytes), 1);
    o->receive = alloc_zeroed((size_t)(n_shares(operations[op].receive, o->rank, o->size) * bytes), 1);
    o->counts = alloc_array(size, sizeof *o->counts);
    o->offsets = alloc_array(size, sizeof *o->offsets);
    o->n_reduced = alloc_array(size, sizeof *o->n_reduced);
    o->reduced = width > 1 ? MPI_DOUBLE : MPI_BYTE;
    o->combine = width > 1 ? MPI_SUM : MPI_BXOR;
    for (int r = 0; r < o->size; r++) {
        o->counts[r] = o->bytes;
        o->offsets[r] = o->bytes * r;
        o->n_reduced[r] = o->bytes / (int)width;
    }
    return STATUS_OK;
}

void operands_free(struct operands *o)
{
    free(o->send);
    free(o->receive);
    free(o->counts);
    free(o->offsets);
    free(o->n_reduced);
    *o = (struct operands){.send = NULL};
}

void collective_times_init(struct collective_times *times)
{
    *times = (struct collective_times){.n_late = 0};
}

void collective_times_free(struct collective_times *times)
{
    samples_free(&times->time);
    samples_free(&times->root_time);
    samples_free(&times->operation);
    samples_free(&times->skew);
}
