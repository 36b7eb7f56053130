/* traced.c - what Open MPI 4.1 really sends in collective operations, held to the schedules that predictions take.
 *
 *     mpirun -n RANKS traced MOST [LEAST [OPERATION]]
 *     mpirun --mca coll_tuned_use_dynamic_rules 1 -n RANKS traced MOST LEAST --forced FILE
 *
 * Each operation (or that one) on the first LEAST (2), LEAST + 1, ... RANKS processes, by the library's own choice of
 * algorithm and by that of selection.h, and what makes communicators (OPERATION: MPI_Comm_split and others), by
 * agreement.h. Vectors and shares have up to MOST bytes: each power of two (all thresholds are), one element less, and
 * something between; roots are at random, and so are shares and pairs, of which some are empty. Each rank holds its own
 * calls.
 *
 * Or, for each line "Bcast 6 binomial/256" of FILE, this operation by the library's algorithm of that number and by the
 * schedule of that name. The library is told the number through MPI_T, or has been told by mpirun's options where it takes no
 * other while it runs, and asks for it as it makes a communicator.
 *
 * Held are: sends (to whom, how many bytes) and receives (from whom), each in the order in which they were posted; and
 * for each of them which sends and receives the process had waited for by then. Not held: in which order sends and
 * receives are posted among one another, and when something is computed.
 *
 * Below MPI's functions the library sends through the point-to-point module of its own, a global table of functions
 * (mca_pml), whose send and receive functions are replaced here: what is asked for is noted and passed on. When the
 * library gives a request back it has waited for it; that function stands in the request itself. Both layouts are those
 * of Open MPI 4.1 (ompi/mca/pml/pml.h, ompi/request/request.h), and are tried before anything is held to them.
 *
 * Says on rank 0 what was held; exit code 4 where something differs, 3 where the layouts are others. */
#include "collectives/schedule.h"
#include "collectives/selection.h"
#include "directives/lower/agreement.h"
#include "directives/comm.h"
#include "recorder/operation.h"

#include <ctype.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what was asked for ---- */

enum { MOST = 1024, WORDS = MOST / 64 };

struct asked {
    bool sends;
    int peer;
    long long bytes;                /* of a send */
    unsigned long long after[WORDS];/* which ones had been waited for */
    bool done;
    struct library_request *request;        /* open, of the library's trace; NULL: none */
};
struct trace {
    int n, n_of[2], of[2][MOST];    /* the sends ([1]) and the receives ([0]) among them */
    struct asked list[MOST];
    unsigned long long done[WORDS];
};
static struct trace real, ours;
static bool tracing;

static void trace_clear(struct trace *t)
{
    t->n = t->n_of[0] = t->n_of[1] = 0;
    memset(t->done, 0, sizeof t->done);
}

static struct asked *ask(struct trace *t, bool sends, int peer, long long bytes)
{
    if (t->n == MOST) {
        fprintf(stderr, "more than %d messages of one process\n", MOST);
        PMPI_Abort(MPI_COMM_WORLD, 1);
    }
    t->of[sends][t->n_of[sends]++] = t->n;
    struct asked *a = &t->list[t->n++];
    *a = (struct asked){.sends = sends, .peer = peer, .bytes = sends ? bytes : 0};
    memcpy(a->after, t->done, sizeof a->after);
    return a;
}

static void finish(struct trace *t, struct asked *a)
{
    const int i = (int)(a - t->list);
    a->done = true;
    t->done[i / 64] |= 1ull << i % 64;
}

/* ---- the library ---- */

/* Open MPI 4.1's, as far as it is needed. */
struct library_request {
    char before[120];
    int (*give_back)(struct library_request **);
};
typedef int post_fn(void *, size_t, MPI_Datatype, int, int, MPI_Comm, struct library_request **);
typedef int isend_fn(const void *, size_t, MPI_Datatype, int, int, int, MPI_Comm, struct library_request **);
typedef int recv_fn(void *, size_t, MPI_Datatype, int, int, MPI_Comm, MPI_Status *);
typedef int send_fn(const void *, size_t, MPI_Datatype, int, int, int, MPI_Comm);
typedef int start_fn(size_t, struct library_request **);
struct pml {
    void *begin[6];
    post_fn *irecv_init, *irecv;
    recv_fn *recv;
    isend_fn *isend_init, *isend;
    send_fn *send;
    void *iprobe, *probe;
    start_fn *start;
};
extern struct pml mca_pml;
static struct pml library;

static long long bytes_of(size_t count, MPI_Datatype type)
{
    int size;
    PMPI_Type_size(type, &size);
    return (long long)count * size;
}

/* The first open one of this request: where nothing is left to wait for, several share one. */
static struct asked *asked_find(const struct library_request *request)
{
    for (int i = 0; i < real.n; i++)
        if (!real.list[i].done && real.list[i].request == request)
            return &real.list[i];
    return NULL;
}

/* What gives each request back by itself, of all that were ever watched. One that the library has freed before it was over goes
 * back to its pool by another way, and comes from there with our function still in it. */
typedef int give_back_fn(struct library_request **);
static struct own {
    const struct library_request *request;
    give_back_fn *give_back;
} *own;
static int n_own, own_capacity;

static struct own *own_find(const struct library_request *request)
{
    for (int i = 0; i < n_own; i++)
        if (own[i].request == request)
            return &own[i];
    return NULL;
}

static void own_keep(const struct library_request *request)
{
    struct own *known = own_find(request);
    if (!known && n_own == own_capacity) {
        own_capacity = own_capacity ? 2 * own_capacity : MOST;
        own = realloc(own, (size_t)own_capacity * sizeof *own);
    }
    if (!known)
        known = &own[n_own++];
    *known = (struct own){request, request->give_back};
}

static int give_back(struct library_request **request)
{
    struct library_request *r = *request;
    struct asked *a = asked_find(r);
    give_back_fn *by_itself = own_find(r)->give_back;
    if (a)
        finish(&real, a);
    if (!a || !asked_find(r))
        r->give_back = by_itself;
    return by_itself(request);
}

static void watch(struct asked *a, struct library_request *request)
{
    if (request->give_back != give_back)
        own_keep(request);
    a->request = request;
    request->give_back = give_back;
}

static int traced_irecv(void *buf, size_t n, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                        struct library_request **request)
{
    if (!tracing)
        return library.irecv(buf, n, type, from, tag, comm, request);
    struct asked *a = ask(&real, false, from, 0);
    int result = library.irecv(buf, n, type, from, tag, comm, request);
    watch(a, *request);
    return result;
}

static int traced_isend(const void *buf, size_t n, MPI_Datatype type, int to, int tag, int mode, MPI_Comm comm,
                        struct library_request **request)
{
    if (!tracing)
        return library.isend(buf, n, type, to, tag, mode, comm, request);
    struct asked *a = ask(&real, true, to, bytes_of(n, type));
    int result = library.isend(buf, n, type, to, tag, mode, comm, request);
    watch(a, *request);
    return result;
}

static int traced_recv(void *buf, size_t n, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status *status)
{
    if (!tracing)
        return library.recv(buf, n, type, from, tag, comm, status);
    struct asked *a = ask(&real, false, from, 0);
    int result = library.recv(buf, n, type, from, tag, comm, status);
    finish(&real, a);
    return result;
}

static int traced_send(const void *buf, size_t n, MPI_Datatype type, int to, int tag, int mode, MPI_Comm comm)
{
    if (!tracing)
        return library.send(buf, n, type, to, tag, mode, comm);
    struct asked *a = ask(&real, true, to, bytes_of(n, type));
    int result = library.send(buf, n, type, to, tag, mode, comm);
    finish(&real, a);
    return result;
}

/* Requests that are made first and started together later: what they will be. */
static struct made {
    const struct library_request *request;
    struct asked asked;
} made[MOST];
static int n_made;

static int traced_irecv_init(void *buf, size_t n, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                             struct library_request **request)
{
    int result = library.irecv_init(buf, n, type, from, tag, comm, request);
    if (tracing && n_made < MOST)
        made[n_made++] = (struct made){*request, {.sends = false, .peer = from}};
    return result;
}

static int traced_isend_init(const void *buf, size_t n, MPI_Datatype type, int to, int tag, int mode, MPI_Comm comm,
                             struct library_request **request)
{
    int result = library.isend_init(buf, n, type, to, tag, mode, comm, request);
    if (tracing && n_made < MOST)
        made[n_made++] = (struct made){*request, {.sends = true, .peer = to, .bytes = bytes_of(n, type)}};
    return result;
}

static int traced_start(size_t n, struct library_request **requests)
{
    for (size_t i = 0; i < n && tracing; i++)
        for (int k = 0; k < n_made; k++)
            if (made[k].request == requests[i])
                watch(ask(&real, made[k].asked.sends, made[k].asked.peer, made[k].asked.bytes), requests[i]);
    return library.start(n, requests);
}

static void trace_begin(void)
{
    n_made = 0;
    trace_clear(&real);
    tracing = true;
}

/* Two messages with the process itself: they are seen, and that they have been waited for. */
static bool layouts_are_known(void)
{
    int one = 1, two = 2;
    MPI_Request requests[2];
    library = mca_pml;
    mca_pml.irecv = traced_irecv;
    mca_pml.recv = traced_recv;
    mca_pml.isend = traced_isend;
    mca_pml.send = traced_send;
    mca_pml.irecv_init = traced_irecv_init;
    mca_pml.isend_init = traced_isend_init;
    mca_pml.start = traced_start;
    trace_begin();
    PMPI_Irecv(&two, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &requests[0]);
    PMPI_Isend(&one, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &requests[1]);
    PMPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    tracing = false;
    return real.n == 2 && real.done[0] == 3 && real.list[1].bytes == sizeof one && two == 1;
}

/* ---- the schedule ---- */

/* Behind what is there. */
static void schedule_trace(const struct schedule *s, struct trace *t)
{
    struct move move = {.kind = MOVE_SKIP};
    for (int64_t step = 0; move.kind != MOVE_END; step++) {
        struct asked *sent = NULL, *received = NULL;
        schedule_move(s, step, &move);
        if (move.kind == MOVE_RECV || move.kind == MOVE_IRECV || move.kind == MOVE_EXCHANGE)
            received = ask(t, false, move.from, 0);
        if (move.kind == MOVE_SEND || move.kind == MOVE_ISEND || move.kind == MOVE_EXCHANGE)
            sent = ask(t, true, move.to, move.bytes);
        if (received && move.kind != MOVE_IRECV)
            finish(t, received);
        if (sent && move.kind != MOVE_ISEND)
            finish(t, sent);
        for (int i = 0; i < t->n && move.kind >= MOVE_WAITALL && move.kind <= MOVE_WAIT_SENDS; i++) {
            struct asked *a = &t->list[i];
            if (a->done || (move.kind == MOVE_WAIT_RECEIVE && a->sends) || (move.kind == MOVE_WAIT_SENDS && !a->sends))
                continue;
            finish(t, a);
            if (move.kind == MOVE_WAIT_RECEIVE)
                break;
        }
    }
}

/* ---- both ---- */

static int compare_senders(const void *x, const void *y)
{
    const int a = *(const int *)x, b = *(const int *)y;
    return a < b ? -1 : a > b;
}

/* Receives by their senders. */
static void receives_sort(struct trace *t)
{
    int peers[MOST];
    for (int k = 0; k < t->n_of[0]; k++)
        peers[k] = t->list[t->of[0][k]].peer;
    qsort(peers, (size_t)t->n_of[0], sizeof *peers, compare_senders);
    for (int k = 0; k < t->n_of[0]; k++)
        t->list[t->of[0][k]].peer = peers[k];
}

static bool was_done(const struct asked *a, int i)
{
    return a->after[i / 64] >> i % 64 & 1;
}

/* Which of both kinds had been waited for, each kind numbered by itself. */
static bool after_same(const struct trace *a, const struct asked *x, const struct trace *b, const struct asked *y)
{
    for (int kind = 0; kind < 2; kind++)
        for (int k = 0; k < a->n_of[kind]; k++)
            if (was_done(x, a->of[kind][k]) != was_done(y, b->of[kind][k]))
                return false;
    return true;
}

static void trace_print(const struct trace *t)
{
    for (int i = 0; i < t->n && i < 40; i++) {
        const struct asked *a = &t->list[i];
        fprintf(stderr, "  %s %d", a->sends ? "send to" : "receive from", a->peer);
        if (a->sends)
            fprintf(stderr, " %lld", a->bytes);
        fprintf(stderr, " [");
        for (int j = 0; j < i; j++)
            if (was_done(a, j))
                fprintf(stderr, " %d", j);
        fprintf(stderr, " ]\n");
    }
}

/* A receive from anybody is one from each in turn. */
static bool peers_same(const struct asked *x, const struct asked *y)
{
    return x->peer == y->peer || x->peer == MPI_ANY_SOURCE;
}

/* NULL: they are the same. */
static const char *differ(const struct trace *a, const struct trace *b)
{
    static const char *const names[] = {"receives", "sends"};
    for (int kind = 1; kind >= 0; kind--) {
        if (a->n_of[kind] != b->n_of[kind])
            return names[kind];
        for (int k = 0; k < a->n_of[kind]; k++) {
            const struct asked *x = &a->list[a->of[kind][k]], *y = &b->list[b->of[kind][k]];
            if (!peers_same(x, y) || x->bytes != y->bytes)
                return names[kind];
        }
    }
    for (int kind = 1; kind >= 0; kind--)
        for (int k = 0; k < a->n_of[kind]; k++)
            if (!after_same(a, &a->list[a->of[kind][k]], b, &b->list[b->of[kind][k]]))
                return "waits";
    return NULL;
}

/* ---- the operations ---- */

enum { RANKS = 64 };
static struct here {
    int rank, n, root, units;
    MPI_Comm comm, ring;
    int count[RANKS], at[RANKS];        /* units of each rank's share, or of what goes to each peer */
    int from[RANKS], from_at[RANKS];    /* units of what comes from each peer */
    MPI_Datatype types[RANKS];
    char *in, *out;
} p;

#define N p.units
#define OWN p.count[p.rank]
#define ADD MPI_DOUBLE, MPI_SUM
#define B MPI_BYTE
#define IN p.in
#define OUT p.out
#define TO p.count, p.at
#define FROM p.from, p.from_at
enum sizes { EQUAL, SHARES, PAIRS };

/* X(operation, bytes of a unit, sizes, how it is called); of a call with a request that is *r. */
#define OPERATIONS(X)                                                                                       \
    X(Barrier, 0, EQUAL, MPI_Barrier(p.comm))                                                               \
    X(Bcast, 1, EQUAL, MPI_Bcast(IN, N, B, p.root, p.comm))                                                 \
    X(Scatter, 1, EQUAL, MPI_Scatter(IN, N, B, OUT, N, B, p.root, p.comm))                                  \
    X(Scatterv, 1, SHARES, MPI_Scatterv(IN, TO, B, OUT, OWN, B, p.root, p.comm))                            \
    X(Gather, 1, EQUAL, MPI_Gather(IN, N, B, OUT, N, B, p.root, p.comm))                                    \
    X(Gatherv, 1, SHARES, MPI_Gatherv(IN, OWN, B, OUT, TO, B, p.root, p.comm))                              \
    X(Allgather, 1, EQUAL, MPI_Allgather(IN, N, B, OUT, N, B, p.comm))                                      \
    X(Allgatherv, 1, SHARES, MPI_Allgatherv(IN, OWN, B, OUT, TO, B, p.comm))                                \
    X(Reduce, 8, EQUAL, MPI_Reduce(IN, OUT, N, ADD, p.root, p.comm))                                        \
    X(Allreduce, 8, EQUAL, MPI_Allreduce(IN, OUT, N, ADD, p.comm))                                          \
    X(Reduce_scatter, 8, SHARES, MPI_Reduce_scatter(IN, OUT, p.count, ADD, p.comm))                         \
    X(Reduce_scatter_block, 8, EQUAL, MPI_Reduce_scatter_block(IN, OUT, N, ADD, p.comm))                    \
    X(Alltoall, 1, EQUAL, MPI_Alltoall(IN, N, B, OUT, N, B, p.comm))                                        \
    X(Alltoallv, 1, PAIRS, MPI_Alltoallv(IN, TO, B, OUT, FROM, B, p.comm))                                  \
    X(Alltoallw, 1, PAIRS, MPI_Alltoallw(IN, TO, p.types, OUT, FROM, p.types, p.comm))                      \
    X(Scan, 8, EQUAL, MPI_Scan(IN, OUT, N, ADD, p.comm))                                                    \
    X(Exscan, 8, EQUAL, MPI_Exscan(IN, OUT, N, ADD, p.comm))                                                \
    X(Ibarrier, 0, EQUAL, MPI_Ibarrier(p.comm, r))                                                          \
    X(Ibcast, 1, EQUAL, MPI_Ibcast(IN, N, B, p.root, p.comm, r))                                            \
    X(Iscatter, 1, EQUAL, MPI_Iscatter(IN, N, B, OUT, N, B, p.root, p.comm, r))                             \
    X(Igather, 1, EQUAL, MPI_Igather(IN, N, B, OUT, N, B, p.root, p.comm, r))                               \
    X(Iallgather, 1, EQUAL, MPI_Iallgather(IN, N, B, OUT, N, B, p.comm, r))                                 \
    X(Ireduce, 8, EQUAL, MPI_Ireduce(IN, OUT, N, ADD, p.root, p.comm, r))                                   \
    X(Iallreduce, 8, EQUAL, MPI_Iallreduce(IN, OUT, N, ADD, p.comm, r))                                     \
    X(Ialltoall, 1, EQUAL, MPI_Ialltoall(IN, N, B, OUT, N, B, p.comm, r))                                   \
    X(Iscan, 8, EQUAL, MPI_Iscan(IN, OUT, N, ADD, p.comm, r))                                               \
    X(Iexscan, 8, EQUAL, MPI_Iexscan(IN, OUT, N, ADD, p.comm, r))                                           \
    X(Iscatterv, 1, SHARES, MPI_Iscatterv(IN, TO, B, OUT, OWN, B, p.root, p.comm, r))                       \
    X(Igatherv, 1, SHARES, MPI_Igatherv(IN, OWN, B, OUT, TO, B, p.root, p.comm, r))                         \
    X(Iallgatherv, 1, SHARES, MPI_Iallgatherv(IN, OWN, B, OUT, TO, B, p.comm, r))                           \
    X(Ireduce_scatter, 8, SHARES, MPI_Ireduce_scatter(IN, OUT, p.count, ADD, p.comm, r))                    \
    X(Ireduce_scatter_block, 8, EQUAL, MPI_Ireduce_scatter_block(IN, OUT, N, ADD, p.comm, r))               \
    X(Ialltoallv, 1, PAIRS, MPI_Ialltoallv(IN, TO, B, OUT, FROM, B, p.comm, r))                             \
    X(Ialltoallw, 1, PAIRS, MPI_Ialltoallw(IN, TO, p.types, OUT, FROM, p.types, p.comm, r))                 \
    X(Neighbor_allgather, 1, EQUAL, MPI_Neighbor_allgather(IN, N, B, OUT, N, B, p.ring))                    \
    X(Neighbor_allgatherv, 1, SHARES, MPI_Neighbor_allgatherv(IN, OWN, B, OUT, FROM, B, p.ring))            \
    X(Neighbor_alltoall, 1, EQUAL, MPI_Neighbor_alltoall(IN, N, B, OUT, N, B, p.ring))                      \
    X(Neighbor_alltoallv, 1, PAIRS, MPI_Neighbor_alltoallv(IN, TO, B, OUT, FROM, B, p.ring))                \
    X(Ineighbor_allgather, 1, EQUAL, MPI_Ineighbor_allgather(IN, N, B, OUT, N, B, p.ring, r))               \
    X(Ineighbor_allgatherv, 1, SHARES, MPI_Ineighbor_allgatherv(IN, OWN, B, OUT, FROM, B, p.ring, r))       \
    X(Ineighbor_alltoall, 1, EQUAL, MPI_Ineighbor_alltoall(IN, N, B, OUT, N, B, p.ring, r))                 \
    X(Ineighbor_alltoallv, 1, PAIRS, MPI_Ineighbor_alltoallv(IN, TO, B, OUT, FROM, B, p.ring, r))

static void operate(enum collective_op op)
{
    MPI_Request request = MPI_REQUEST_NULL, *r = &request;
    switch (op) {
#define X(name, unit, sizes, call)     \
    case COLLECTIVE_MPI_##name: {      \
        call;                          \
        break;                         \
    }
        OPERATIONS(X)
#undef X
    default: break;
    }
    MPI_Wait(r, MPI_STATUS_IGNORE);
}

static const struct traced_operation {
    enum collective_op op;
    int unit;
    enum sizes sizes;
} operations[] = {
#define X(name, unit, sizes, call) {COLLECTIVE_MPI_##name, unit, sizes},
    OPERATIONS(X)
#undef X
};
enum { N_TRACED = sizeof operations / sizeof *operations };

/* ---- one of them ---- */

static unsigned long long dice;
static long long roll(long long sides)
{
    dice = dice * 6364136223846793005u + 1442695040888963407u;
    return (long long)((dice >> 20) % (unsigned long long)sides);
}

static long long n_held, n_messages, n_differences;
static const char *only, *forced; /* the operation, and its algorithm; NULL: all, the library's */

static void differ_tell(const char *operation, const char *algorithm, long long bytes, const char *where)
{
    if (n_differences++ >= 3)
        return;
    fprintf(stderr, "rank %d: %s of %d, root %d, %lld bytes, %s: other %s\n", p.rank, operation, p.n, p.root, bytes,
            algorithm, where);
    fprintf(stderr, " the library:\n");
    trace_print(&real);
    fprintf(stderr, " the schedule:\n");
    trace_print(&ours);
}

static void hold(const struct schedule *s)
{
    trace_begin();
    operate(s->op);
    tracing = false;
    trace_clear(&ours);
    schedule_trace(s, &ours);
    if (collective_op_is_local(s->op)) {
        receives_sort(&real);
        receives_sort(&ours);
    }
    const char *where = differ(&real, &ours);
    n_held++;
    n_messages += real.n;
    /* The root posts the second receive before it has waited for the first, which no move can say. Nothing changes: the
     * second message is behind the first on the same way. */
    if (!where || (s->algorithm == ALGORITHM_linear_sync && strcmp(where, "waits") == 0))
        return;
    differ_tell(collective_op_name(s->op), algorithm_name(s->algorithm),
                (long long)(s->sums ? s->sums[s->size] : s->bytes), where);
}

/* So many units for all shares together, each at random; some have nothing. */
static void shares_roll(int n, long long units, int share[])
{
    const bool even = roll(3) == 0;
    long long left = units;
    for (int i = 0; i < n; i++) {
        const long long mean = left / (n - i), most = 2 * mean < left ? 2 * mean : left;
        share[i] = (int)(i == n - 1 ? left : even ? mean : roll(4) == 0 ? 0 : roll(most + 1));
        left -= share[i];
    }
}

/* Shares of the ranks, or of the pairs: `each` for every rank, to all ranks in their order or to the neighbours below
 * and above. The schedule's, and the counts of MPI's call. */
static void sizes_fill(const struct traced_operation *o, long long units, long long unit, struct schedule *s)
{
    static int64_t sums[RANKS + 1], pairs[RANKS * RANKS];
    static int all[RANKS * RANKS];
    const bool local = collective_op_is_local(o->op), is_pairs = o->sizes == PAIRS;
    const int peers = local ? 2 : p.n, each = is_pairs ? peers : 1;
    const int neighbours[] = {(p.rank + p.n - 1) % p.n, (p.rank + 1) % p.n};
    shares_roll(p.n * each, units, all);
    for (int i = 0; i < p.n * each; i++) {
        pairs[i] = all[i] * unit;
        sums[i / each + 1] = (i % each == 0 ? sums[i / each] : sums[i / each + 1]) + pairs[i];
    }
    for (int i = 0, to = 0, from = 0; i < peers; i++) {
        const int other = local ? neighbours[i] : i, back = local ? 1 - i : p.rank; /* where this rank is in its list */
        p.count[i] = is_pairs ? all[p.rank * each + i] : all[i];
        p.from[i] = is_pairs ? all[other * each + back] : all[other];
        p.at[i] = to;
        p.from_at[i] = from;
        to += p.count[i];
        from += p.from[i];
    }
    if (!is_pairs)
        OWN = all[p.rank];
    s->sums = sums;
    s->pairs = is_pairs ? pairs : NULL;
}

/* bytes: of the vector, of a share or pair, or of all that differ. */
static void one(const struct traced_operation *o, long long bytes, const struct topology *ring)
{
    const long long unit = o->unit > 0 ? o->unit : 1, units = bytes / unit;
    struct schedule s = {.op = o->op, .size = p.n, .rank = p.rank, .bytes = units * unit, .topology = ring};
    if (o->op == COLLECTIVE_MPI_Ineighbor_alltoallv && p.n == 2) /* libnbc 4.1 confuses the two messages of a pair */
        return;
    p.root = s.root = (int)roll(p.n);
    p.units = (int)units;
    if (o->sizes != EQUAL)
        sizes_fill(o, units, unit, &s);
    s.leaves_empty = o->op == COLLECTIVE_MPI_Alltoallw || o->op == COLLECTIVE_MPI_Ialltoallw;
    s.sends_empty = algorithm_sends_empty(LIBRARY_open_mpi, o->op);
    s.algorithm = algorithm_select(LIBRARY_open_mpi, o->op, &s, &s.segment);
    struct diags diags = DIAGS_EMPTY;
    if (forced && algorithm_parse(forced, o->op, place_of_file(NULL), &s.algorithm, &s.segment, &diags) != STATUS_OK) {
        fprintf(stderr, "%s: no such algorithm\n", forced);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    diags_free(&diags);
    hold(&s);
}

static void all_sizes(const struct traced_operation *o, long long most, const struct topology *ring)
{
    const int unit = o->unit > 0 ? o->unit : 1;
    if (only && strcmp(only, collective_op_name(o->op)) != 0)
        return;
    one(o, 0, ring);
    for (long long bytes = unit; o->unit > 0 && bytes <= most; bytes *= 2) {
        one(o, bytes, ring);
        one(o, bytes - unit, ring);
        one(o, bytes + roll(bytes), ring);
        if (o->sizes != EQUAL) {
            one(o, bytes * p.n, ring);
            one(o, bytes * p.n - unit, ring);
        }
    }
}

/* ---- what makes communicators ---- */

/* X(operation, how it is called): *made, of p.comm. Keys are the same in all, and graphs have no edges. Of
 * MPI_Comm_create_group the tree is the same, but other ranks stand at its places. */
#define MAKERS(X)                                                                                                  \
    X(Comm_dup, MPI_Comm_dup(p.comm, made))                                                                        \
    X(Comm_dup_with_info, MPI_Comm_dup_with_info(p.comm, MPI_INFO_NULL, made))                                     \
    X(Comm_create, MPI_Comm_create(p.comm, group, made))                                                           \
    X(Comm_split, MPI_Comm_split(p.comm, p.rank % 2, p.n - p.rank, made))                                          \
    X(Comm_split_type, MPI_Comm_split_type(p.comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, made))                  \
    X(Cart_create, MPI_Cart_create(p.comm, 1, &p.n, (int[]){0}, 1, made))                                          \
    X(Cart_sub, MPI_Cart_sub(p.ring, (int[]){0}, made))                                                            \
    X(Graph_create, MPI_Graph_create(p.comm, p.n, none, none, 0, made))                                            \
    X(Dist_graph_create, MPI_Dist_graph_create(p.comm, 0, none, none, none, none, MPI_INFO_NULL, 0, made))         \
    X(Dist_graph_create_adjacent,                                                                                  \
      MPI_Dist_graph_create_adjacent(p.comm, 0, none, none, 0, none, none, MPI_INFO_NULL, 0, made))

static void maker_call(enum operation op, MPI_Group group, MPI_Comm *made)
{
    static int none[RANKS];
    switch (op) {
#define X(name, call)               \
    case OPERATION_MPI_##name: {    \
        call;                       \
        break;                      \
    }
        MAKERS(X)
#undef X
    default: break;
    }
}

/* The directive that says what the call takes. */
static enum message_op said_of(enum operation op)
{
    static const enum message_op all[] = {
#define X(name, sort, instr, keys, needed) MESSAGE_##name,
        MESSAGE_LIST(X)
#undef X
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(message_op_name(all[i]), operation_facts(op)->said) == 0)
            return all[i];
    fprintf(stderr, "%s is said by no directive\n", operation_name(op));
    PMPI_Abort(MPI_COMM_WORLD, 2);
    return all[0];
}

static void agreement_trace(enum message_op op, struct trace *t)
{
    struct agreement_step steps[AGREEMENT_STEPS_MOST];
    struct diags diags = DIAGS_EMPTY;
    const int n = agreement_steps(op, false, steps);
    trace_clear(t);
    for (int i = 0; i < n; i++) {
        struct schedule s = {.op = steps[i].op, .size = p.n, .rank = p.rank, .bytes = steps[i].bytes};
        s.algorithm = algorithm_select(LIBRARY_open_mpi, s.op, &s, &s.segment);
        if (steps[i].algorithm)
            (void)algorithm_parse(steps[i].algorithm, s.op, place_of_file(NULL), &s.algorithm, &s.segment, &diags);
        schedule_trace(&s, t);
    }
    diags_free(&diags);
}

static void hold_maker(enum operation op)
{
    MPI_Comm made = MPI_COMM_NULL;
    MPI_Group group;
    if (only && strcmp(only, operation_name(op)) != 0)
        return;
    MPI_Comm_group(p.comm, &group);
    p.root = 0;
    trace_begin();
    maker_call(op, group, &made);
    tracing = false;
    agreement_trace(said_of(op), &ours);
    n_held++;
    n_messages += real.n;
    const char *where = differ(&real, &ours);
    if (where)
        differ_tell(operation_name(op), message_op_name(said_of(op)), 0, where);
    MPI_Group_free(&group);
    if (made != MPI_COMM_NULL)
        MPI_Comm_free(&made);
}

static void all_makers(void)
{
    static const enum operation makers[] = {
#define X(name, call) OPERATION_MPI_##name,
        MAKERS(X)
#undef X
    };
    for (size_t i = 0; i < sizeof makers / sizeof *makers && !forced; i++)
        hold_maker(makers[i]);
}

/* On communicators of so many processes. */
static void all_communicators(int least, int world, long long most)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (p.n = least; p.n <= world; p.n++) {
        struct arena memory = ARENA_EMPTY;
        dice = (unsigned long long)p.n;
        MPI_Comm_split(MPI_COMM_WORLD, rank < p.n ? 0 : MPI_UNDEFINED, rank, &p.comm);
        if (p.comm != MPI_COMM_NULL) {
            p.rank = rank;
            MPI_Cart_create(p.comm, 1, &p.n, (int[]){1}, 0, &p.ring);
            const struct topology *ring = topology_grid(&memory, 1, (int32_t[]){p.n}, (int32_t[]){1});
            for (int i = 0; i < N_TRACED; i++)
                all_sizes(&operations[i], most, ring);
            all_makers();
            MPI_Comm_free(&p.ring);
            MPI_Comm_free(&p.comm);
        }
        arena_free(&memory);
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

/* ---- algorithms that the library is told to take ---- */

/* Sets one of the library's parameters: "coll_tuned_bcast_algorithm"; false where it has none of this name, or another value
 * that cannot be changed any more. */
static bool parameter_set(const char *name, const char *rest, int value)
{
    char full[120];
    int index, n, now;
    MPI_T_cvar_handle handle;
    snprintf(full, sizeof full, "coll_tuned_%s_algorithm%s", name, rest);
    if (MPI_T_cvar_get_index(full, &index) != MPI_SUCCESS || MPI_T_cvar_handle_alloc(index, NULL, &handle, &n) != MPI_SUCCESS)
        return false;
    const bool is_set = (MPI_T_cvar_read(handle, &now) == MPI_SUCCESS && now == value) ||
                        MPI_T_cvar_write(handle, &value) == MPI_SUCCESS;
    MPI_T_cvar_handle_free(&handle);
    return is_set;
}

static void all_forced(const char *path, int least, int world, long long most)
{
    char operation[40], algorithm[60], name[60], parameter[40];
    int number, provided;
    FILE *file = fopen(path, "r");
    if (!file || MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) != MPI_SUCCESS) {
        fprintf(stderr, "%s: cannot be read, or MPI_T does not start\n", path);
        MPI_Abort(MPI_COMM_WORLD, 2);
        return;
    }
    while (fscanf(file, "%39s %d %59s", operation, &number, algorithm) == 3) {
        const char *slash = strchr(algorithm, '/');
        for (int i = 0; i <= (int)strlen(operation); i++)
            parameter[i] = (char)tolower(operation[i]);
        snprintf(name, sizeof name, "MPI_%s", operation);
        only = name;
        forced = algorithm;
        const long long before = n_held;
        const bool is_told = parameter_set(parameter, "", number);
        const bool is_cut = parameter_set(parameter, "_segmentsize", slash ? atoi(slash + 1) : 0);
        if (is_told && (is_cut || !slash))
            all_communicators(least, world, most);
        (void)parameter_set(parameter, "", 0); /* other operations are made of this one */
        if (n_held == before) {
            fprintf(stderr, "%s cannot be told to be %s\n", name, algorithm);
            MPI_Abort(MPI_COMM_WORLD, 2);
        }
    }
    fclose(file);
    MPI_T_finalize();
}

int main(int argc, char *argv[])
{
    int world, rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &world);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const long long most = argc > 1 ? atoll(argv[1]) : 65536;
    const int least = argc > 2 ? atoi(argv[2]) : 2;
    if (world > RANKS || most > 8 << 20) {
        fprintf(stderr, "at most %d ranks and 8 MiB\n", RANKS);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    if (!layouts_are_known()) {
        if (rank == 0)
            fprintf(stderr, "this library is laid out in another way than Open MPI 4.1\n");
        MPI_Finalize();
        return 3;
    }
    p.in = calloc((size_t)world * 2 + 2, (size_t)most);
    p.out = calloc((size_t)world * 2 + 2, (size_t)most);
    for (int i = 0; i < RANKS; i++)
        p.types[i] = MPI_BYTE;
    if (argc > 4 && strcmp(argv[3], "--forced") == 0) {
        all_forced(argv[4], least, world, most);
    } else {
        only = argc > 3 ? argv[3] : NULL;
        all_communicators(least, world, most);
    }
    long long own[] = {n_held, n_messages, n_differences}, sum[3];
    MPI_Reduce(own, sum, 3, MPI_LONG_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%lld operations of a process, %lld messages, %lld differences\n", sum[0], sum[1], sum[2]);
    MPI_Finalize();
    return n_differences > 0 ? 4 : 0;
}
