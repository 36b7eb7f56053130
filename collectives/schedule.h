/* schedule.h - which point-to-point calls a collective algorithm makes.
 *
 * A schedule is one process's part of one collective operation. schedule_move gives its calls by number, computed
 * afresh each time from (operation, algorithm, processes, rank, root, sizes): nothing is stored or allocated, one
 * call costs O(log P), so 65,536 processes need no memory for it.
 *
 * The algorithms are those of Open MPI 4.1 (coll/base, coll/basic, coll/libnbc) and MPICH 4 (src/mpi/coll): which
 * process sends what to whom, in which order, with which kind of call, at any number of processes. docs/collectives.md
 * describes them for users. Where both libraries have an algorithm, Open MPI's order of calls is taken.
 *
 * Nothing is sent by a single process that is not its own neighbour, nor where there are no bytes at all and all
 * processes know it: both libraries return at once. A Barrier has none, in an Alltoallv nobody knows, and see
 * `sends_empty`.
 *
 * Times under Hockney, T(M) = alpha + beta M, with L = ceil(log2 P), F = floor(log2 P), G = gamma M; until the last
 * process leaves when all enter at 0; the sends of one process go out one after the other, arrivals do not disturb
 * each other. Sources: [1] Lastovetsky, Rychkov, IJHPCA 2009, equations (1)-(3); [2] Thakur, Rabenseifner, Gropp,
 * IJHPCA 2005; [3] Pjesivac-Grbovic et al., Cluster Computing 2007; the rest follows from the moves.
 * tests/test_closed_forms.c works each one out, tests/test_closed_forms_*.c what every algorithm takes at any P, in
 * segments, with shares of any size.
 *
 *   Bcast          linear (P-1) T(M) [3]; chain (P-1) T(M), in S equal segments (P-2+S) T(M/S) [3]; binomial,
 *                  binomial_blocking and binomial_swapped L T(M), any P [1, 3]; knomial 3k T(M) at P = 4^k; binary 2 (d-1) T(M) at
 *                  P = 2^d - 1; split_binary (2 (d-1) + 1) T(M/2) there; scatter_allgather 2 L alpha +
 *                  2 (P-1)/P beta M at P = 2^k [2]; scatter_ring_allgather (L + P-1) alpha + 2 (P-1)/P beta M where
 *                  P divides M [2]
 *   Scatter        linear, linear_nb (P-1) T(M); binomial L alpha + (P-1) beta M, any P [1, (1)-(3)]
 *   Gather         linear, linear_nb T(M) (a model without receiving ports); linear_sync (P-1)(2 alpha + beta M) +
 *                  alpha, with a first segment of m bytes (P-1)(alpha + T(m)) + T(M-m); pieces, of which there are m, at P = 2
 *                  m T(M/m) + (m-1) alpha; binomial L alpha + (P-1) beta
 *                  M at P = 2^k [1], else t(P) = max(t(2^(L-1)), t(n) + T(n M)), n = P - 2^(L-1), t(1) = 0
 *   Allgather      ring, by_rank, by_distance (P-1) T(M) [2]; bruck L alpha + (P-1) beta M, any P [2]; recursive_doubling the same at
 *                  P = 2^k [2], else it is bruck; neighbor_exchange P/2 alpha + (P-1) beta M at even P, else it is
 *                  ring
 *   Reduce         linear T(M) + (P-1) G; chain, chain_blocking (P-1)(T(M) + G), in S equal segments of time T and G
 *                  each (P-1) (T + G) + (S-1) max(T, G); binary (d-1)(T(M) + 2 G) at P = 2^d - 1, in_order_binary T(M) more unless the
 *                  root is the last rank; binomial, binomial_swapped L (T(M) + G) at P = 2^k [2], else t(P) = max(t(2^(L-1)), t(n) +
 *                  T(M)) + G, n and t(1) as above; rabenseifner 2 L alpha + (P-1)/P (2 beta M + G) at P = 2^k [2]
 *   Allreduce      recursive_doubling L (T(M) + G) at P = 2^k, else at most F (T(M) + G) + 2 T(M) + G [2], which is
 *                  what P = 2^k - 1 >= 7 take; ring 2 (P-1) T(M/P) + (P-1)/P G where P divides M, in S segments of
 *                  each block S (P-1) (T + G) + (P-1) T(M/P); rabenseifner as in Reduce at P = 2^k, else with 2^F for
 *                  P and 2 T(M/2) + T(M) + G/2 more; binomial, binomial_swapped L (2 T(M) + G) at P = 2^k
 *   Reduce_scatter (M = a share) ring, pairwise (P-1)(T(M) + G) [2]; recursive_halving L alpha + (P-1)(beta M + G)
 *                  at P = 2^k [2]; butterfly T(M) more at P = 2^k >= 4, butterfly_mirrored not;
 *                  binomial_swapped as Reduce and Scatterv
 *   Alltoall       linear, by_rank, pairwise, scattered (P-1) T(M) [2]; bruck L alpha + (P/2) L beta M at P = 2^k [2], else
 *                  the sum over its L steps of alpha + beta M (how many of 1 .. P-1 have that bit)
 *   Barrier        linear P alpha; dissemination L alpha; recursive_doubling L alpha at P = 2^k, else (F + 2) alpha;
 *                  binomial (F + L) alpha; ring 2 P alpha
 *   Scan, Exscan   chain (P-1)(T(M) + G), Exscan G less; recursive_doubling L (T(M) + 2 G) at P = 2^k, Exscan G less
 *   Neighbor_*     linear d T(M), where the most that a process has are d neighbours to send to
 *
 * Among neighbours both libraries post all receives and sends and wait for all of them, also where nothing is in them
 * (Open MPI 4.1, coll/basic/coll_basic_neighbor_*.c and coll/libnbc/nbc_ineighbor_*.c: receives first; MPICH 4,
 * src/mpi/coll/neighbor_*: the same set, sends first). */
#ifndef PEVPM_COLLECTIVES_SCHEDULE_H
#define PEVPM_COLLECTIVES_SCHEDULE_H

#include "common/diag.h"
#include "common/status.h"
#include "directives/tree.h"

#include <stdbool.h>
#include <stdint.h>

/* X(name as users write it) */
#define ALGORITHM_LIST(X)                                                                                              \
    X(linear)                 /* the root, or everybody, talks to each other process directly ("flat") */              \
    X(linear_nb)              /* the same, all posted at once, then one wait */                                        \
    X(linear_sync)            /* the root asks each sender in turn */                                                  \
    X(by_rank)                /* everybody exchanges with process 0, then 1, ..., all posted at once */                \
    X(by_distance)            /* everybody sends to the next process, then to the one after it, ..., all posted at once */ \
    X(pieces)                 /* straight to the root, which asks each sender for one piece after the other */         \
    X(scattered)              /* linear in batches of 32 partners */                                                   \
    X(chain)                  /* one after the other; in segments: a pipeline */                                       \
    X(chain_blocking)         /* the same in equal segments, one blocking call after the other */                      \
    X(binomial)                                                                                                        \
    X(binomial_blocking)      /* largest subtree first, one blocking send after the other */                           \
    X(binomial_swapped)       /* binomial, where the root and process 0 have changed places; libnbc's */               \
    X(knomial)                /* radix 4 */                                                                            \
    X(binary)                                                                                                          \
    X(in_order_binary)        /* ranks keep their order: also for operations that do not commute */                    \
    X(split_binary)           /* half the message down each side, then pairs exchange */                               \
    X(recursive_doubling)                                                                                              \
    X(recursive_halving)                                                                                               \
    X(butterfly)              /* recursive halving, nearest first */                                                   \
    X(butterfly_mirrored)     /* the same; at powers of two each begins where it needs no last exchange */              \
    X(ring)                                                                                                            \
    X(neighbor_exchange)                                                                                               \
    X(bruck)                                                                                                           \
    X(pairwise)                                                                                                        \
    X(dissemination)                                                                                                   \
    X(rabenseifner)           /* reduce-scatter by halving, then gather or allgather */                                \
    X(scatter_allgather)      /* van de Geijn: binomial scatter, recursive doubling */                                 \
    X(scatter_ring_allgather) /* the same with a ring */                                                               \
    X(gather_bcast)           /* two collectives, each as Open MPI's table says */                                     \
    X(nonoverlapping)         /* a Reduce and then a Bcast or a Scatterv, each as Open MPI's table says */             \
    X(reduce_then_scatter)    /* a Reduce and then a Scatter, likewise */
enum algorithm {
#define X(name) ALGORITHM_##name,
    ALGORITHM_LIST(X)
#undef X
    N_ALGORITHMS
};

/* What libpevpm-coll (coll/carry.h) does besides what the algorithm says; collectives/carried.h makes these. */
struct carried {
    const int32_t *order, *position; /* [size] of a binomial tree: the rank at each position, the root's first, and the
                                      * position of each rank; NULL: ranks in their order from the root on */
    const int64_t *begin;       /* [size + 1] of shares that differ, over a tree: bytes of those at the positions before;
                                 * the root's counts 0. NULL: all have `bytes` */
    const int64_t *pieces;      /* [size] into how many each rank's share goes; NULL: by the segment */
    int64_t label;              /* bytes that messages have for each of their shares besides; then empty shares are sent,
                                 * too */
    int64_t told_from;          /* the root first tells each process whose share has so many bytes or more; 0: nobody */
    int64_t word, word_share;   /* bytes of what it tells, and more for each share of that process's subtree */
};

struct schedule {
    enum collective_op op;      /* an I-form makes the moves of its blocking form */
    enum algorithm algorithm;   /* one that schedule_exists for op */
    int32_t size, rank, root;   /* of the communicator; root where op has one */
    int64_t bytes;              /* of the vector (Bcast, Reduce, Allreduce, Scan, Exscan); of each process's share
                                 * (Scatter, Gather, Allgather, Reduce_scatter); for each pair (Alltoall) */
    int64_t segment;            /* bytes of a segment; 0: whole messages. Ignored by algorithms without segments */
    const int64_t *sums;        /* [size + 1], borrowed: sums[r] = bytes of the shares of ranks 0 .. r - 1, where
                                 * processes have shares of their own (forms with v, Reduce_scatter; in an Alltoallv the
                                 * share is what that rank sends to each other rank); `bytes` is then not read.
                                 * NULL: all have `bytes` */
    bool leaves_empty;          /* an Alltoallv, linear, leaves out empty shares, as an Alltoallw does (Open MPI 4.1) */
    bool sends_empty;           /* also where there is nothing messages go, of 0 bytes: algorithm_sends_empty */
    const int64_t *pairs;       /* [size][size], borrowed: an Alltoallv in which the rank before has so much for the
                                 * one behind; then a share is all that the rank sends, with what stays in it. Among
                                 * neighbours: [edges]. NULL: the same for all others */
    const struct topology *topology; /* borrowed; the neighbours, of an operation among these; not read by others */
    const struct carried *carried; /* borrowed; NULL: as the MPI library does it */
};

/* X(kind). "Open" requests are those of this collective on this process.
 *   SEND          blocking send of `bytes` to `to`
 *   RECV          blocking receive of `receive_bytes` from `from`
 *   EXCHANGE      Sendrecv: both
 *   ISEND, IRECV  the same without waiting: an open request
 *   WAITALL       for all open requests
 *   WAIT_RECEIVE  for the open receive that was posted first
 *   WAIT_SENDS    for all open sends
 *   REDUCE        compute for gamma * bytes
 *   SKIP          nothing: the library leaves out an empty share
 *   END           the process leaves the collective; no request is open
 * Messages between two ranks match in the order in which they were posted. */
#define MOVE_LIST(X)                                                                                    \
    X(SEND) X(RECV) X(EXCHANGE) X(ISEND) X(IRECV) X(WAITALL) X(WAIT_RECEIVE) X(WAIT_SENDS) X(REDUCE) X(SKIP) X(END)
enum move_kind {
#define X(kind) MOVE_##kind,
    MOVE_LIST(X)
#undef X
};

struct move {
    enum move_kind kind;
    int32_t to, from;           /* ranks of the communicator; -1 where the kind has none */
    int64_t bytes;              /* SEND, ISEND, EXCHANGE: sent; REDUCE: combined; else 0 */
    int64_t receive_bytes;      /* RECV, IRECV, EXCHANGE; else 0 */
};

/* The call number `step` = 0, 1, 2, ...; from the first END on always END. Requires what is said at struct schedule,
 * 0 <= rank, root < size, bytes and segment >= 0. O(log P) time, no memory. */
void schedule_move(const struct schedule *schedule, int64_t step, struct move *move);

/* How many sizes `pairs` points to where it is not NULL. */
size_t schedule_n_pairs(const struct schedule *schedule);

/* Is there such a schedule; does it take a segment size? */
bool schedule_exists(enum collective_op op, enum algorithm algorithm);
bool schedule_segments(enum collective_op op, enum algorithm algorithm);

/* Reads "binomial" or "binomial/8K" (bytes, K = 1024, M = 1024 K): `algorithm =` and the machine file's entry; "flat"
 * is "linear". place: quoted by the diagnostic.
 *   STATUS_NAME   no such algorithm (with `did you mean`), or op has none of that name: its algorithms are listed
 *   STATUS_RANGE  a segment that is no positive number, or an algorithm without segments
 * algorithm, segment: written only on STATUS_OK; segment is 0 where none was given. */
enum status algorithm_parse(const char *text, enum collective_op op, struct place place, enum algorithm *algorithm,
                            int64_t *segment, struct diags *diags);

/* "binomial" */
const char *algorithm_name(enum algorithm algorithm);

#endif
