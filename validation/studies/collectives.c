/* collectives.c - each collective operation of docs/directives.md alone, all processes beginning at one moment.
 *
 *     mpirun -n 16 collectives bytes=1024 repetitions=9 [kinds=7] [operation=0]
 * kinds, added: 1 blocking ones, 2 those with a request, waited for at once, 4 those among the neighbours of a ring.
 * operation: that one alone, numbered from 1 on as below (0: all, one after another).
 * Prints lines OPERATION,PROCESSES,BYTES,SECONDS: from the moment to the end of the last process, one for each repetition.
 * `bytes` is what `size` means in a directive. Reductions add doubles. */
#include "programs/work.h"

struct place {
    int rank, n, bytes;
    char *in, *out;            /* [n][bytes] */
    int *counts, *at;          /* [n] bytes of each, where */
    int *elements;             /* [n] doubles of each */
    MPI_Datatype *types;       /* [n] */
    MPI_Comm ring;
};

#define WORLD MPI_COMM_WORLD
#define M p->bytes
#define D (p->bytes / 8)
#define B MPI_BYTE
#define ADD MPI_DOUBLE, MPI_SUM

/* X(kind, operation, how it is called); a call with a request has it in `*r`. */
#define OPERATIONS(X)                                                                                                  \
    X(1, Barrier, MPI_Barrier(WORLD))                                                                                  \
    X(1, Bcast, MPI_Bcast(p->in, M, B, 0, WORLD))                                                                      \
    X(1, Scatter, MPI_Scatter(p->in, M, B, p->out, M, B, 0, WORLD))                                                    \
    X(1, Scatterv, MPI_Scatterv(p->in, p->counts, p->at, B, p->out, M, B, 0, WORLD))                                   \
    X(1, Gather, MPI_Gather(p->in, M, B, p->out, M, B, 0, WORLD))                                                      \
    X(1, Gatherv, MPI_Gatherv(p->in, M, B, p->out, p->counts, p->at, B, 0, WORLD))                                     \
    X(1, Allgather, MPI_Allgather(p->in, M, B, p->out, M, B, WORLD))                                                   \
    X(1, Allgatherv, MPI_Allgatherv(p->in, M, B, p->out, p->counts, p->at, B, WORLD))                                  \
    X(1, Reduce, MPI_Reduce(p->in, p->out, D, ADD, 0, WORLD))                                                          \
    X(1, Allreduce, MPI_Allreduce(p->in, p->out, D, ADD, WORLD))                                                       \
    X(1, Reduce_scatter, MPI_Reduce_scatter(p->in, p->out, p->elements, ADD, WORLD))                                   \
    X(1, Reduce_scatter_block, MPI_Reduce_scatter_block(p->in, p->out, D, ADD, WORLD))                                 \
    X(1, Alltoall, MPI_Alltoall(p->in, M, B, p->out, M, B, WORLD))                                                     \
    X(1, Alltoallv, MPI_Alltoallv(p->in, p->counts, p->at, B, p->out, p->counts, p->at, B, WORLD))                     \
    X(1, Alltoallw, MPI_Alltoallw(p->in, p->counts, p->at, p->types, p->out, p->counts, p->at, p->types, WORLD))       \
    X(1, Scan, MPI_Scan(p->in, p->out, D, ADD, WORLD))                                                                 \
    X(1, Exscan, MPI_Exscan(p->in, p->out, D, ADD, WORLD))                                                             \
    X(2, Ibarrier, MPI_Ibarrier(WORLD, r))                                                                             \
    X(2, Ibcast, MPI_Ibcast(p->in, M, B, 0, WORLD, r))                                                                 \
    X(2, Iscatter, MPI_Iscatter(p->in, M, B, p->out, M, B, 0, WORLD, r))                                               \
    X(2, Igather, MPI_Igather(p->in, M, B, p->out, M, B, 0, WORLD, r))                                                 \
    X(2, Iallgather, MPI_Iallgather(p->in, M, B, p->out, M, B, WORLD, r))                                              \
    X(2, Ireduce, MPI_Ireduce(p->in, p->out, D, ADD, 0, WORLD, r))                                                     \
    X(2, Iallreduce, MPI_Iallreduce(p->in, p->out, D, ADD, WORLD, r))                                                  \
    X(2, Ialltoall, MPI_Ialltoall(p->in, M, B, p->out, M, B, WORLD, r))                                                \
    X(2, Iscan, MPI_Iscan(p->in, p->out, D, ADD, WORLD, r))                                                            \
    X(2, Iexscan, MPI_Iexscan(p->in, p->out, D, ADD, WORLD, r))                                                        \
    X(4, Neighbor_allgather, MPI_Neighbor_allgather(p->in, M, B, p->out, M, B, p->ring))                               \
    X(4, Neighbor_alltoall, MPI_Neighbor_alltoall(p->in, M, B, p->out, M, B, p->ring))

enum operation {
#define X(kind, name, call) OPERATION_##name,
    OPERATIONS(X)
#undef X
    N_OPERATIONS
};

static void operate(enum operation which, const struct place *p)
{
    MPI_Request request = MPI_REQUEST_NULL, *r = &request;
    switch (which) {
#define X(kind, name, call)     \
    case OPERATION_##name: {    \
        call;                   \
        break;                  \
    }
        OPERATIONS(X)
#undef X
    default: break;
    }
    MPI_Wait(r, MPI_STATUS_IGNORE);
}

static void measure(enum operation which, const char *name, int repetitions, const struct place *p)
{
    for (int i = 0; i < repetitions; i++) {
        double moment = work_now() + 0.03, last;
        MPI_Bcast(&moment, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        work_sleep_until(moment);
        operate(which, p);
        const double end = work_now();
        MPI_Reduce(&end, &last, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
        if (p->rank == 0)
            printf("MPI_%s,%d,%d,%.6f\n", name, p->n, p->bytes, last - moment);
    }
}

static void fill(struct place *p)
{
    const size_t n = (size_t)p->n;
    p->in = calloc(n, (size_t)p->bytes);
    p->out = calloc(n, (size_t)p->bytes);
    p->counts = calloc(n, sizeof *p->counts);
    p->at = calloc(n, sizeof *p->at);
    p->elements = calloc(n, sizeof *p->elements);
    p->types = calloc(n, sizeof(MPI_Datatype));
    for (int i = 0; i < p->n; i++) {
        p->counts[i] = p->bytes;
        p->at[i] = i * p->bytes;
        p->elements[i] = p->bytes / 8;
        p->types[i] = MPI_BYTE;
    }
    MPI_Cart_create(MPI_COMM_WORLD, 1, &p->n, (int[]){1}, 0, &p->ring);
}

int main(int argc, char **argv)
{
    struct place here = {.bytes = 1024};
    int repetitions = 9, kinds = 7, operation = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &here.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &here.n);
    const struct work_parameter parameters[] = {{"bytes", &here.bytes, NULL}, {"repetitions", &repetitions, NULL},
                                                {"kinds", &kinds, NULL}, {"operation", &operation, NULL}};
    work_parameters(argc, argv, 4, parameters);
    work_require(here.bytes >= 8 && here.bytes % 8 == 0, "bytes=, a multiple of 8");
    fill(&here);
    work_begin();
    static const struct {
        const char *name;
        int kind;
    } operations[] = {
#define X(kind, name, call) {#name, kind},
        OPERATIONS(X)
#undef X
    };
    for (int i = 0; i < N_OPERATIONS; i++)
        if (operations[i].kind & kinds && (operation == 0 || operation == i + 1))
            measure((enum operation)i, operations[i].name, repetitions, &here);
    MPI_Finalize();
    return 0;
}
