/* Collective operations: one function for each, as a program would call it. */
#include "executor/executor_impl.h"

#include "common/alloc.h"

#include <stdlib.h>

/* A collective as MPI takes it. */
struct operation {
    MPI_Comm comm;
    int size, rank, root;
    int bytes;                  /* `size` of this process; of a Scatterv what it gets */
    int *counts, *offsets;      /* [size], where there are shares: those of all ranks; of an Alltoallv what comes from
                                 * each */
    int *send_counts, *send_offsets; /* of an Alltoallv: what goes to each */
    void *send, *receive;
    int combined;               /* elements of `bytes` */
    const MPI_Datatype *types;  /* [size, or the most neighbours] MPI_BYTE, of an Alltoallw */
    MPI_Aint *receive_at, *send_at; /* the offsets, of a Neighbor_alltoallw */
    void *arrays;               /* of an operation among neighbours, or with shares and a request: what counts, offsets and
                                 * the two above point to, of its own; NULL */
    MPI_Datatype type;
    MPI_Op sum;
    MPI_Request *request;       /* of the I-forms */
};

static void call_MPI_Barrier(const struct operation *o)
{
    MPI_Barrier(o->comm);
}

static void call_MPI_Bcast(const struct operation *o)
{
    MPI_Bcast(o->send, o->bytes, MPI_BYTE, o->root, o->comm);
}

static void call_MPI_Scatter(const struct operation *o)
{
    MPI_Scatter(o->send, o->bytes, MPI_BYTE, o->receive, o->bytes, MPI_BYTE, o->root, o->comm);
}

static void call_MPI_Scatterv(const struct operation *o)
{
    MPI_Scatterv(o->send, o->counts, o->offsets, MPI_BYTE, o->receive, o->bytes, MPI_BYTE, o->root, o->comm);
}

static void call_MPI_Gather(const struct operation *o)
{
    MPI_Gather(o->send, o->bytes, MPI_BYTE, o->receive, o->bytes, MPI_BYTE, o->root, o->comm);
}

static void call_MPI_Gatherv(const struct operation *o)
{
    MPI_Gatherv(o->send, o->bytes, MPI_BYTE, o->receive, o->counts, o->offsets, MPI_BYTE, o->root, o->comm);
}

static void call_MPI_Allgather(const struct operation *o)
{
    MPI_Allgather(o->send, o->bytes, MPI_BYTE, o->receive, o->bytes, MPI_BYTE, o->comm);
}

static void call_MPI_Allgatherv(const struct operation *o)
{
    MPI_Allgatherv(o->send, o->bytes, MPI_BYTE, o->receive, o->counts, o->offsets, MPI_BYTE, o->comm);
}

static void call_MPI_Reduce(const struct operation *o)
{
    MPI_Reduce(o->send, o->receive, o->combined, o->type, o->sum, o->root, o->comm);
}

static void call_MPI_Allreduce(const struct operation *o)
{
    MPI_Allreduce(o->send, o->receive, o->combined, o->type, o->sum, o->comm);
}

/* The counts of all, in elements. */
static const int *counts_of_elements(const struct operation *o)
{
    int width;
    MPI_Type_size(o->type, &width);
    for (int r = 0; r < o->size; r++)
        o->send_counts[r] = o->counts[r] / width;
    return o->send_counts;
}

static void call_MPI_Reduce_scatter(const struct operation *o)
{
    MPI_Reduce_scatter(o->send, o->receive, counts_of_elements(o), o->type, o->sum, o->comm);
}

static void call_MPI_Alltoall(const struct operation *o)
{
    MPI_Alltoall(o->send, o->bytes, MPI_BYTE, o->receive, o->bytes, MPI_BYTE, o->comm);
}

static void call_MPI_Alltoallv(const struct operation *o)
{
    MPI_Alltoallv(o->send, o->send_counts, o->send_offsets, MPI_BYTE, o->receive, o->counts, o->offsets, MPI_BYTE,
                  o->comm);
}

static void call_MPI_Scan(const struct operation *o)
{
    MPI_Scan(o->send, o->receive, o->combined, o->type, o->sum, o->comm);
}

static void call_MPI_Exscan(const struct operation *o)
{
    MPI_Exscan(o->send, o->receive, o->combined, o->type, o->sum, o->comm);
}

static void call_MPI_Iallreduce(const struct operation *o)
{
    MPI_Iallreduce(o->send, o->receive, o->combined, o->type, o->sum, o->comm, o->request);
}

static void call_MPI_Ibcast(const struct operation *o)
{
    MPI_Ibcast(o->send, o->bytes, MPI_BYTE, o->root, o->comm, o->request);
}

static void call_MPI_Ibarrier(const struct operation *o)
{
    MPI_Ibarrier(o->comm, o->request);
}

static void call_MPI_Iscatter(const struct operation *o)
{
    MPI_Iscatter(o->send, o->bytes, MPI_BYTE, o->receive, o->bytes, MPI_BYTE, o->root, o->comm, o->request);
}

static void call_MPI_Igather(const struct operation *o)
{
    MPI_Igather(o->send, o->bytes, MPI_BYTE, o->receive, o->bytes, MPI_BYTE, o->root, o->comm, o->request);
}

static void call_MPI_Iallgather(const struct operation *o)
{
    MPI_Iallgather(o->send, o->bytes, MPI_BYTE, o->receive, o->bytes, MPI_BYTE, o->comm, o->request);
}

static void call_MPI_Ireduce(const struct operation *o)
{
    MPI_Ireduce(o->send, o->receive, o->combined, o->type, o->sum, o->root, o->comm, o->request);
}

static void call_MPI_Ialltoall(const struct operation *o)
{
    MPI_Ialltoall(o->send, o->bytes, MPI_BYTE, o->receive, o->bytes, MPI_BYTE, o->comm, o->request);
}

static void call_MPI_Iscan(const struct operation *o)
{
    MPI_Iscan(o->send, o->receive, o->combined, o->type, o->sum, o->comm, o->request);
}

static void call_MPI_Iexscan(const struct operation *o)
{
    MPI_Iexscan(o->send, o->receive, o->combined, o->type, o->sum, o->comm, o->request);
}

static void call_MPI_Iscatterv(const struct operation *o)
{
    MPI_Iscatterv(o->send, o->counts, o->offsets, MPI_BYTE, o->receive, o->bytes, MPI_BYTE, o->root, o->comm, o->request);
}

static void call_MPI_Igatherv(const struct operation *o)
{
    MPI_Igatherv(o->send, o->bytes, MPI_BYTE, o->receive, o->counts, o->offsets, MPI_BYTE, o->root, o->comm, o->request);
}

static void call_MPI_Iallgatherv(const struct operation *o)
{
    MPI_Iallgatherv(o->send, o->bytes, MPI_BYTE, o->receive, o->counts, o->offsets, MPI_BYTE, o->comm, o->request);
}

static void call_MPI_Ireduce_scatter(const struct operation *o)
{
    MPI_Ireduce_scatter(o->send, o->receive, counts_of_elements(o), o->type, o->sum, o->comm, o->request);
}

static void call_MPI_Ireduce_scatter_block(const struct operation *o)
{
    MPI_Ireduce_scatter_block(o->send, o->receive, o->combined, o->type, o->sum, o->comm, o->request);
}

static void call_MPI_Ialltoallv(const struct operation *o)
{
    MPI_Ialltoallv(o->send, o->send_counts, o->send_offsets, MPI_BYTE, o->receive, o->counts, o->offsets, MPI_BYTE,
                   o->comm, o->request);
}

static void call_MPI_Ialltoallw(const struct operation *o)
{
    MPI_Ialltoallw(o->send, o->send_counts, o->send_offsets, o->types, o->receive, o->counts, o->offsets, o->types,
                   o->comm, o->request);
}

static void call_MPI_Reduce_scatter_block(const struct operation *o)
{
    MPI_Reduce_scatter_block(o->send, o->receive, o->combined, o->type, o->sum, o->comm);
}

static void call_MPI_Alltoallw(const struct operation *o)
{
    MPI_Alltoallw(o->send, o->send_counts, o->send_offsets, o->types, o->receive, o->counts, o->offsets, o->types,
                  o->comm);
}

/* Counts and offsets are those of neighbours. */
static void call_MPI_Neighbor_allgather(const struct operation *o)
{
    MPI_Neighbor_allgather(o->send, o->bytes, MPI_BYTE, o->receive, o->bytes, MPI_BYTE, o->comm);
}

static void call_MPI_Neighbor_allgatherv(const struct operation *o)
{
    MPI_Neighbor_allgatherv(o->send, o->bytes, MPI_BYTE, o->receive, o->counts, o->offsets, MPI_BYTE, o->comm);
}

static void call_MPI_Neighbor_alltoall(const struct operation *o)
{
    MPI_Neighbor_alltoall(o->send, o->bytes, MPI_BYTE, o->receive, o->bytes, MPI_BYTE, o->comm);
}

static void call_MPI_Neighbor_alltoallv(const struct operation *o)
{
    MPI_Neighbor_alltoallv(o->send, o->send_counts, o->send_offsets, MPI_BYTE, o->receive, o->counts, o->offsets,
                           MPI_BYTE, o->comm);
}

static void call_MPI_Neighbor_alltoallw(const struct operation *o)
{
    MPI_Neighbor_alltoallw(o->send, o->send_counts, o->send_at, o->types, o->receive, o->counts, o->receive_at,
                           o->types, o->comm);
}

static void call_MPI_Ineighbor_allgather(const struct operation *o)
{
    MPI_Ineighbor_allgather(o->send, o->bytes, MPI_BYTE, o->receive, o->bytes, MPI_BYTE, o->comm, o->request);
}

static void call_MPI_Ineighbor_allgatherv(const struct operation *o)
{
    MPI_Ineighbor_allgatherv(o->send, o->bytes, MPI_BYTE, o->receive, o->counts, o->offsets, MPI_BYTE, o->comm,
                             o->request);
}

static void call_MPI_Ineighbor_alltoall(const struct operation *o)
{
    MPI_Ineighbor_alltoall(o->send, o->bytes, MPI_BYTE, o->receive, o->bytes, MPI_BYTE, o->comm, o->request);
}

static void call_MPI_Ineighbor_alltoallv(const struct operation *o)
{
    MPI_Ineighbor_alltoallv(o->send, o->send_counts, o->send_offsets, MPI_BYTE, o->receive, o->counts, o->offsets,
                            MPI_BYTE, o->comm, o->request);
}

static void call_MPI_Ineighbor_alltoallw(const struct operation *o)
{
    MPI_Ineighbor_alltoallw(o->send, o->send_counts, o->send_at, o->types, o->receive, o->counts, o->receive_at,
                            o->types, o->comm, o->request);
}

/* What a process sends and receives at most: nothing, its own share, or those of all, or of all neighbours. */
enum amount { NONE, ONE, ALL };
static const struct {
    void (*call)(const struct operation *o);
    enum amount send, receive;
} operations[] = {
#define WITH(name, send, receive) [COLLECTIVE_##name] = {call_##name, send, receive}
    WITH(MPI_Barrier, NONE, NONE),      WITH(MPI_Bcast, ONE, NONE),     WITH(MPI_Scatter, ALL, ONE),
    WITH(MPI_Scatterv, ALL, ONE),       WITH(MPI_Gather, ONE, ALL),     WITH(MPI_Gatherv, ONE, ALL),
    WITH(MPI_Allgather, ONE, ALL),      WITH(MPI_Allgatherv, ONE, ALL), WITH(MPI_Reduce, ONE, ONE),
    WITH(MPI_Allreduce, ONE, ONE),      WITH(MPI_Reduce_scatter, ALL, ONE), WITH(MPI_Alltoall, ALL, ALL),
    WITH(MPI_Alltoallv, ALL, ALL),      WITH(MPI_Scan, ONE, ONE),       WITH(MPI_Exscan, ONE, ONE),
    WITH(MPI_Iallreduce, ONE, ONE),     WITH(MPI_Ibcast, ONE, NONE),    WITH(MPI_Ibarrier, NONE, NONE),
    WITH(MPI_Iscatter, ALL, ONE),       WITH(MPI_Igather, ONE, ALL),    WITH(MPI_Iallgather, ONE, ALL),
    WITH(MPI_Ireduce, ONE, ONE),        WITH(MPI_Ialltoall, ALL, ALL),  WITH(MPI_Iscan, ONE, ONE),
    WITH(MPI_Iexscan, ONE, ONE),        WITH(MPI_Iscatterv, ALL, ONE),  WITH(MPI_Igatherv, ONE, ALL),
    WITH(MPI_Iallgatherv, ONE, ALL),    WITH(MPI_Ireduce_scatter, ALL, ONE), WITH(MPI_Ireduce_scatter_block, ALL, ONE),
    WITH(MPI_Ialltoallv, ALL, ALL),     WITH(MPI_Ialltoallw, ALL, ALL), WITH(MPI_Reduce_scatter_block, ALL, ONE),
    WITH(MPI_Alltoallw, ALL, ALL),
    WITH(MPI_Neighbor_allgather, ONE, ALL),   WITH(MPI_Ineighbor_allgather, ONE, ALL),
    WITH(MPI_Neighbor_allgatherv, ONE, ALL),  WITH(MPI_Ineighbor_allgatherv, ONE, ALL),
    WITH(MPI_Neighbor_alltoall, ALL, ALL),    WITH(MPI_Ineighbor_alltoall, ALL, ALL),
    WITH(MPI_Neighbor_alltoallv, ALL, ALL),   WITH(MPI_Ineighbor_alltoallv, ALL, ALL),
    WITH(MPI_Neighbor_alltoallw, ALL, ALL),   WITH(MPI_Ineighbor_alltoallw, ALL, ALL),
#undef WITH
};

static void operation_describe(struct executor *x, const struct instr *instr, struct operation *o)
{
    const struct collective_ref *ref = &x->program->collectives[instr->index];
    *o = (struct operation){.comm = x->comms[ref->comm], .size = x->program->comms[ref->comm].n,
                            .rank = program_comm_rank(x->program, ref->comm, x->process), .counts = x->receive_counts,
                            .offsets = x->receive_offsets, .send_counts = x->counts, .send_offsets = x->offsets,
                            .types = x->types};
}

/* ---- sizes ---- */

/* What rank `from` has for rank or neighbour `to`; where there is one size for all of these, what `from` gives or
 * gets. */
static bool size_read(struct executor *x, const struct instr *instr, int32_t from, int32_t to, int64_t *bytes)
{
    const struct collective_ref *ref = &x->program->collectives[instr->index];
    struct problem problem;
    if (ref->pairs) {
        *bytes = ref->pairs[program_row(x->program, ref->op, ref->comm, from).first + (size_t)to];
        return true;
    }
    return operand_share(x->program, instr, from, to, x->slots, bytes, &problem) || executor_fail(x, &problem);
}

/* One more count behind those before; *total: all of them. */
static bool count_add(struct executor *x, const struct instr *instr, int64_t bytes, int32_t r, int counts[],
                      int offsets[], int64_t *total)
{
    counts[r] = (int)bytes;
    offsets[r] = (int)*total;
    *total += bytes;
    return bytes_check(x, instr, *total);
}

/* Room for counts and offsets of its own, which live until the operation is complete. */
static void room_own(struct operation *o, size_t n_in, size_t n_out)
{
    const size_t n = n_in + n_out;
    o->arrays = alloc_zeroed(n, sizeof *o->receive_at + 2 * sizeof *o->counts);
    o->receive_at = o->arrays;
    o->send_at = o->receive_at + n_in;
    o->counts = (int *)(o->receive_at + n);
    o->send_counts = o->counts + n_in;
    o->offsets = o->counts + n;
    o->send_offsets = o->offsets + n_in;
}

/* Of an operation with shares, as MPI takes them; most: the larger of what is sent and received. */
static bool shares_read(struct executor *x, const struct instr *instr, struct operation *o, int64_t *most)
{
    const struct collective_ref *ref = &x->program->collectives[instr->index];
    const bool pairs = collective_op_sizes(ref->op) == SIZES_pair;
    const bool of_root = ref->over_partner && collective_op_sizes(ref->op) == SIZES_root;
    int64_t sent = 0, received = 0, bytes;
    if (instr->n_requests > 0)
        room_own(o, (size_t)o->size, (size_t)o->size);
    for (int32_t r = 0; r < o->size; r++) {
        if (!size_read(x, instr, of_root ? o->root : r, pairs ? o->rank : r, &bytes) ||
            !count_add(x, instr, bytes, r, o->counts, o->offsets, &received))
            return false;
        if (pairs && (!size_read(x, instr, o->rank, r, &bytes) ||
                      !count_add(x, instr, bytes, r, o->send_counts, o->send_offsets, &sent)))
            return false;
    }
    o->bytes = pairs ? 0 : o->counts[o->rank];
    *most = sent > received ? sent : received;
    return true;
}

/* Among neighbours, as MPI takes it. MPI_PROC_NULL has a count of 0. */
static bool neighbours_read(struct executor *x, const struct instr *instr, struct operation *o, int64_t *most)
{
    const struct collective_ref *ref = &x->program->collectives[instr->index];
    const struct topology *t = x->program->comms[ref->comm].topology;
    const int32_t first_in = t->first_in[o->rank], first_out = t->first_out[o->rank];
    const int32_t n_in = t->first_in[o->rank + 1] - first_in, n_out = t->first_out[o->rank + 1] - first_out;
    int64_t received = 0, sent = 0, bytes = 0;
    room_own(o, (size_t)n_in, (size_t)n_out);
    for (int32_t i = 0; i < n_in; i++, bytes = 0) {
        const int32_t from = t->in[first_in + i];
        if ((from >= 0 && !size_read(x, instr, from, t->edge[first_in + i] - t->first_out[from], &bytes)) ||
            !count_add(x, instr, bytes, i, o->counts, o->offsets, &received))
            return false;
        o->receive_at[i] = o->offsets[i];
    }
    for (int32_t i = 0; i < n_out; i++, bytes = 0) {
        if ((t->out[first_out + i] >= 0 && !size_read(x, instr, o->rank, i, &bytes)) ||
            !count_add(x, instr, bytes, i, o->send_counts, o->send_offsets, &sent))
            return false;
        o->send_at[i] = o->send_offsets[i];
    }
    if (!ref->over_partner && !size_read(x, instr, o->rank, 0, &bytes))
        return false;
    o->bytes = (int)bytes;
    const int64_t evenly = bytes * (n_in > n_out ? n_in : n_out); /* MPI_PROC_NULL has its place */
    *most = sent > received ? sent : received;
    *most = *most > evenly ? *most : evenly;
    return true;
}

/* What is combined are doubles where all shares are so many. */
static void elements_choose(struct operation *o, bool has_shares)
{
    bool doubles = o->bytes % (int)sizeof(double) == 0;
    for (int r = 0; has_shares && r < o->size; r++)
        doubles = doubles && o->counts[r] % (int)sizeof(double) == 0;
    o->type = doubles ? MPI_DOUBLE : MPI_BYTE;
    o->sum = doubles ? MPI_SUM : MPI_BXOR;
    o->combined = doubles ? o->bytes / (int)sizeof(double) : o->bytes;
}

static bool operation_read(struct executor *x, const struct instr *instr, struct operation *o)
{
    const struct collective_ref *ref = &x->program->collectives[instr->index];
    const bool has_shares = collective_op_has_shares(ref->op);
    const bool all = operations[ref->op].send == ALL || operations[ref->op].receive == ALL;
    struct problem problem;
    int32_t root;
    int64_t bytes, most;
    const bool local = collective_op_is_local(ref->op);
    operation_describe(x, instr, o);
    if (!operand_collective(x->program, instr, x->process, x->slots, &root, &bytes, &problem))
        return executor_fail(x, &problem);
    o->root = root;
    if (local ? !neighbours_read(x, instr, o, &most)
              : has_shares ? !shares_read(x, instr, o, &most) : !bytes_check(x, instr, bytes))
        return false;
    most = has_shares || local ? most : all ? bytes * o->size : bytes;
    if (!bytes_check(x, instr, most))
        return false;
    o->bytes = has_shares || local ? o->bytes : (int)bytes;
    elements_choose(o, has_shares && !local);
    o->send = buffer_touched(&x->send, operations[ref->op].send == ALL ? most : o->bytes);
    o->receive = buffer_touched(&x->receive, operations[ref->op].receive == ALL ? most : o->bytes);
    return true;
}

/* ---- the call ---- */

void collective_prepare(struct executor *x, const struct instr *instr)
{
    const struct collective_ref *ref = &x->program->collectives[instr->index];
    struct operation o = {.arrays = NULL};
    struct diags unsaid = DIAGS_EMPTY; /* until the run gets there */
    x->diags = &unsaid;
    if (ref->bytes_expr < 0 && ref->root_expr < 0)
        (void)operation_read(x, instr, &o);
    free(o.arrays);
    x->status = STATUS_OK;
    diags_free(&unsaid);
}

bool executor_collective(struct executor *x, const struct instr *instr)
{
    const struct collective_ref *ref = &x->program->collectives[instr->index];
    struct operation o = {.arrays = NULL};
    struct open_call call = {.kind = REQUEST_COLLECTIVE, .handle = MPI_REQUEST_NULL, .site = instr->site};
    const bool good = operation_read(x, instr, &o) && (instr->n_requests == 0 || call_name(x, instr, &call));
    o.request = &call.handle;
    if (good)
        operations[ref->op].call(&o);
    if (good && instr->n_requests > 0) {
        call.arrays = o.arrays;
        requests_add(&x->requests, &call);
    } else {
        if (call.handle != MPI_REQUEST_NULL) /* one that a library makes inside another call */
            MPI_Wait(&call.handle, MPI_STATUS_IGNORE);
        free(o.arrays);
    }
    return good;
}
