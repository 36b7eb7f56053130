/* collective.h - how long collective operations take: each process's completion after a common start.
 *
 * Every repetition starts at one moment of the global clock that rank 0 of the communicator announced; a process's
 * completion is the return of its call less that moment. `time` holds the completions of all processes but the root,
 * `root_time` the root's (root = rank 0; an operation without a root has only `time`), `operation` the largest of each
 * repetition. A repetition that a process could not begin in time, because the one before it took too long, is
 * counted and measured again; how late the processes that were waiting really began is kept as well. Bytes are per
 * process as in docs/directives.md (per pair for Alltoall); the v-forms use equal shares. */
#ifndef PEVPM_MEASURE_COLLECTIVE_H
#define PEVPM_MEASURE_COLLECTIVE_H

#include "clock/clock.h"
#include "common/diag.h"
#include "common/status.h"
#include "estimate/samples.h"
#include "estimate/stopping.h"
#include "measure/watch.h"

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

/* X(operation, rooted, has a size, what it sends, what it receives): buffers of one share, of as
 * many as there are processes, or of as many at the root only. */
#define COLLECTIVE_LIST(X)                       \
    X(Barrier, false, false, none, none)         \
    X(Bcast, true, true, own, none)              \
    X(Scatter, true, true, all_at_root, own)     \
    X(Scatterv, true, true, all_at_root, own)    \
    X(Gather, true, true, own, all_at_root)      \
    X(Gatherv, true, true, own, all_at_root)     \
    X(Allgather, false, true, own, all)          \
    X(Allgatherv, false, true, own, all)         \
    X(Reduce, true, true, own, own)              \
    X(Allreduce, false, true, own, own)          \
    X(Reduce_scatter, false, true, all, own)     \
    X(Alltoall, false, true, all, all)           \
    X(Alltoallv, false, true, all, all)          \
    X(Scan, false, true, own, own)               \
    X(Exscan, false, true, own, own)             \
    X(Iallreduce, false, true, own, own)         \
    X(Ibcast, true, true, own, none)
enum collective {
#define X(name, rooted, sized, send, receive) COLLECTIVE_##name,
    COLLECTIVE_LIST(X)
#undef X
    N_COLLECTIVES
};

/* "MPI_Bcast", ...; whether it has a root; whether it has a size. */
const char *collective_name(enum collective op);
bool collective_is_rooted(enum collective op);
bool collective_has_size(enum collective op);
/* The operation of that name, N_COLLECTIVES where there is none. */
enum collective collective_find(const char *name);

/* The caller's; the arrays are appended to. Samples, n_late and elapsed on rank 0 of the communicator. */
struct collective_times {
    struct samples time;             /* per process and repetition, the root's excepted */
    struct samples root_time;        /* per repetition; only for rooted operations */
    struct samples operation;        /* per repetition; by these it stops, as they are independent of one another */
    struct samples skew;             /* per repetition: how long after the common start the last process began */
    int64_t n_late;                  /* repetitions measured again because a process missed the start */
    double elapsed;                  /* s, all told */
    enum stop stop;                  /* on all ranks */
};
void collective_times_init(struct collective_times *times);
void collective_times_free(struct collective_times *times);

/* What must go before each repetition, and who looks after it. */
struct collective_rest {
    int64_t idle_ns;                 /* ports stay idle at least so long */
    MPI_Comm all;                    /* who is told of every batch: see collective_measure */
    struct watch *watch;             /* set anew for every batch of repetitions; may be NULL */
};

/* Buffers of one process may not need more than this: larger totals are a mistyped size. */
#define COLLECTIVE_MEMORY (INT64_C(1) << 30)

/* Measures one operation at one size over `comm`. Collective over `rest->all`, which has the processes of `comm`, rank
 * 0 as its rank 0 too, and others of the clock's communicator, whose `comm` is MPI_COMM_NULL: these only hear of every
 * batch, so that each process is soon known to be alive. Starts are announced in windows, many at once; their length
 * follows what the operation takes. The first repetitions, which set up connections, are not samples. The times are
 * converted at once, so the clock should have been synchronised twice, the last time less than some 10 s ago.
 * STATUS_RANGE: shares whose total MPI cannot count or COLLECTIVE_MEMORY does not hold, a negative size; nothing is
 * measured then, on any rank. */
enum status collective_measure(struct clock *clock, MPI_Comm comm, enum collective op, int64_t bytes,
                               const struct stopping *rule, const struct collective_rest *rest,
                               struct collective_times *times, struct diags *diags);

#endif
