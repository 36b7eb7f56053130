#include "collectives/schedule_impl.h"

#include <assert.h>
#include <stddef.h>

enum { UNSEGMENTED, SEGMENTED };

/* Which schedules there are. X(operation, algorithm, function, segments) */
#define SCHEDULE_LIST(X)                                                            \
    X(Barrier, linear, linear_barrier, UNSEGMENTED)                                 \
    X(Barrier, binomial, tree_barrier, UNSEGMENTED)                                 \
    X(Barrier, recursive_doubling, doubling_barrier, UNSEGMENTED)                   \
    X(Barrier, dissemination, dissemination_barrier, UNSEGMENTED)                   \
    X(Barrier, bruck, dissemination_barrier, UNSEGMENTED)                           \
    X(Barrier, ring, ring_barrier, UNSEGMENTED)                                     \
    X(Bcast, linear, linear_bcast, UNSEGMENTED)                                     \
    X(Bcast, chain, tree_bcast, SEGMENTED)                                          \
    X(Bcast, binomial, tree_bcast, SEGMENTED)                                       \
    X(Bcast, binomial_blocking, blocking_bcast, UNSEGMENTED)                        \
    X(Bcast, binomial_swapped, tree_bcast, SEGMENTED)                               \
    X(Bcast, knomial, tree_bcast, SEGMENTED)                                        \
    X(Bcast, binary, tree_bcast, SEGMENTED)                                         \
    X(Bcast, split_binary, split_binary_bcast, SEGMENTED)                           \
    X(Bcast, scatter_allgather, scatter_allgather_bcast, UNSEGMENTED)               \
    X(Bcast, scatter_ring_allgather, scatter_ring_allgather_bcast, UNSEGMENTED)     \
    X(Scatter, linear, linear_scatter, UNSEGMENTED)                                 \
    X(Scatter, linear_nb, linear_scatter_nb, UNSEGMENTED)                           \
    X(Scatter, binomial, binomial_scatter, UNSEGMENTED)                             \
    X(Scatterv, linear, linear_scatter, UNSEGMENTED)                                \
    X(Scatterv, linear_nb, linear_scatter_nb, UNSEGMENTED)                          \
    X(Scatterv, binomial, binomial_scatter, UNSEGMENTED)                            \
    X(Gather, linear, linear_gather, UNSEGMENTED)                                   \
    X(Gather, linear_nb, linear_gather_nb, UNSEGMENTED)                             \
    X(Gather, linear_sync, linear_gather_sync, SEGMENTED)                           \
    X(Gather, pieces, pieces_gather, SEGMENTED)                                     \
    X(Gather, binomial, binomial_gather, UNSEGMENTED)                               \
    X(Gatherv, linear, linear_gather, UNSEGMENTED)                                  \
    X(Gatherv, linear_nb, linear_gather_nb, UNSEGMENTED)                            \
    X(Gatherv, pieces, pieces_gather, SEGMENTED)                                    \
    X(Gatherv, binomial, binomial_gather, UNSEGMENTED)                              \
    X(Allgather, linear, compose_allgather, UNSEGMENTED)                            \
    X(Allgather, binomial, compose_allgather, UNSEGMENTED)                          \
    X(Allgather, gather_bcast, compose_allgather, UNSEGMENTED)                      \
    X(Allgather, by_rank, by_rank_alltoall, UNSEGMENTED)                            \
    X(Allgather, recursive_doubling, doubling_allgather, UNSEGMENTED)               \
    X(Allgather, ring, ring_allgather, UNSEGMENTED)                                 \
    X(Allgather, neighbor_exchange, neighbor_allgather, UNSEGMENTED)                \
    X(Allgather, bruck, bruck_allgather, UNSEGMENTED)                               \
    X(Allgatherv, linear, compose_allgather, UNSEGMENTED)                           \
    X(Allgatherv, binomial, compose_allgather, UNSEGMENTED)                         \
    X(Allgatherv, gather_bcast, compose_allgather, UNSEGMENTED)                     \
    X(Allgatherv, by_distance, by_distance_allgather, UNSEGMENTED)                  \
    X(Allgatherv, recursive_doubling, doubling_allgather, UNSEGMENTED)              \
    X(Allgatherv, ring, ring_allgather, UNSEGMENTED)                                \
    X(Allgatherv, neighbor_exchange, neighbor_allgather, UNSEGMENTED)               \
    X(Allgatherv, bruck, bruck_allgather, UNSEGMENTED)                              \
    X(Reduce, linear, linear_reduce, UNSEGMENTED)                                   \
    X(Reduce, chain, tree_reduce, SEGMENTED)                                        \
    X(Reduce, chain_blocking, blocking_reduce, SEGMENTED)                           \
    X(Reduce, binomial, tree_reduce, SEGMENTED)                                     \
    X(Reduce, binomial_swapped, blocking_reduce, UNSEGMENTED)                       \
    X(Reduce, binary, tree_reduce, SEGMENTED)                                       \
    X(Reduce, in_order_binary, tree_reduce, SEGMENTED)                              \
    X(Reduce, rabenseifner, rabenseifner_reduce, UNSEGMENTED)                       \
    X(Allreduce, linear, compose_allreduce, UNSEGMENTED)                            \
    X(Allreduce, chain, compose_allreduce, SEGMENTED)                               \
    X(Allreduce, binomial, compose_allreduce, SEGMENTED)                            \
    X(Allreduce, binomial_swapped, swapped_allreduce, UNSEGMENTED)                  \
    X(Allreduce, binary, compose_allreduce, SEGMENTED)                              \
    X(Allreduce, nonoverlapping, compose_allreduce, UNSEGMENTED)                    \
    X(Allreduce, recursive_doubling, doubling_allreduce, UNSEGMENTED)               \
    X(Allreduce, ring, ring_allreduce, SEGMENTED)                                   \
    X(Allreduce, rabenseifner, rabenseifner_allreduce, UNSEGMENTED)                 \
    X(Reduce_scatter, linear, compose_reduce_scatter, UNSEGMENTED)                  \
    X(Reduce_scatter, binomial, compose_reduce_scatter, UNSEGMENTED)                \
    X(Reduce_scatter, binomial_swapped, swapped_reduce_scatter, UNSEGMENTED)        \
    X(Reduce_scatter, nonoverlapping, compose_reduce_scatter, UNSEGMENTED)          \
    X(Reduce_scatter, reduce_then_scatter, compose_reduce_scatter, UNSEGMENTED)     \
    X(Reduce_scatter, recursive_doubling, doubling_reduce_scatter, UNSEGMENTED)     \
    X(Reduce_scatter, recursive_halving, halving_reduce_scatter, UNSEGMENTED)       \
    X(Reduce_scatter, butterfly, butterfly_reduce_scatter, UNSEGMENTED)             \
    X(Reduce_scatter, butterfly_mirrored, mirrored_reduce_scatter, UNSEGMENTED)     \
    X(Reduce_scatter, ring, ring_reduce_scatter, UNSEGMENTED)                       \
    X(Reduce_scatter, pairwise, pairwise_reduce_scatter, UNSEGMENTED)               \
    X(Alltoall, linear, linear_alltoall, UNSEGMENTED)                               \
    X(Alltoall, by_rank, by_rank_alltoall, UNSEGMENTED)                             \
    X(Alltoall, scattered, scattered_alltoall, UNSEGMENTED)                         \
    X(Alltoall, pairwise, pairwise_alltoall, UNSEGMENTED)                           \
    X(Alltoall, bruck, bruck_alltoall, UNSEGMENTED)                                 \
    X(Alltoallv, linear, linear_alltoallv, UNSEGMENTED)                             \
    X(Alltoallv, by_rank, by_rank_alltoall, UNSEGMENTED)                            \
    X(Alltoallv, scattered, scattered_alltoall, UNSEGMENTED)                        \
    X(Alltoallv, pairwise, pairwise_alltoall, UNSEGMENTED)                          \
    X(Scan, chain, chain_scan, UNSEGMENTED)                                         \
    X(Scan, recursive_doubling, doubling_scan, UNSEGMENTED)                         \
    X(Exscan, chain, chain_exscan, UNSEGMENTED)                                     \
    X(Exscan, recursive_doubling, doubling_scan, UNSEGMENTED)                       \
    X(Neighbor_allgather, linear, linear_neighbors, UNSEGMENTED)                    \
    X(Neighbor_allgatherv, linear, linear_neighbors, UNSEGMENTED)                   \
    X(Neighbor_alltoall, linear, linear_neighbors, UNSEGMENTED)                     \
    X(Neighbor_alltoallv, linear, linear_neighbors, UNSEGMENTED)

struct entry {
    void (*run)(struct cursor *c);
    int segments;
};
static const struct entry entries[N_COLLECTIVE_OPS][N_ALGORITHMS] = {
#define X(op, algorithm, run, segments) [COLLECTIVE_MPI_##op][ALGORITHM_##algorithm] = {run, segments},
    SCHEDULE_LIST(X)
#undef X
};

static const struct entry *entry_find(enum collective_op op, enum algorithm algorithm)
{
    assert((unsigned)op < N_COLLECTIVE_OPS && (unsigned)algorithm < N_ALGORITHMS);
    return &entries[collective_op_like(op)][algorithm];
}

bool schedule_exists(enum collective_op op, enum algorithm algorithm)
{
    return entry_find(op, algorithm)->run != NULL;
}

bool schedule_segments(enum collective_op op, enum algorithm algorithm)
{
    return entry_find(op, algorithm)->segments == SEGMENTED;
}

/* Positions of the subtree of a rank. */
static int64_t run_of(const struct schedule *s, int32_t rank)
{
    if (!s->carried->position)
        return 0;
    int64_t position = s->carried->position[rank], reach = position & -position;
    return position == 0 ? s->size : reach < s->size - position ? reach : s->size - position;
}

/* The root's word before an operation that only it knows all of. */
static void tell(struct cursor *c)
{
    const struct schedule *s = c->s;
    const struct carried *carried = s->carried;
    const bool root = s->rank == s->root;
    int64_t k = 0;
    if (carried->told_from == 0 || (root && !cursor_rounds(c, s->size - 1, 1, &k)))
        return;
    const int32_t told = root ? other_rank(k, s->root) : s->rank;
    const int64_t bytes = carried->word + carried->word_share * run_of(s, told);
    if (schedule_share(s, told) < carried->told_from) {
        if (root)
            call_plain(c, MOVE_SKIP);
    } else if (root)
        call_send(c, told, (struct part){.kind = PART_TOKEN, .bytes = bytes});
    else
        call_recv(c, s->root, (struct part){.kind = PART_TOKEN, .bytes = bytes});
}

static bool has_moves(const struct schedule *s)
{
    const bool empty = s->sends_empty || s->op == COLLECTIVE_MPI_Barrier;
    if (collective_op_is_local(s->op)) /* with sizes of their own, processes do not know that all of them are 0 */
        return empty || collective_op_has_shares(s->op) || s->bytes > 0;
    return s->size > 1 && (empty || s->op == COLLECTIVE_MPI_Alltoallv || schedule_total(s) > 0 ||
                           (s->carried && s->carried->label > 0));
}

void cursor_run(struct cursor *c, const struct schedule *inner)
{
    const struct schedule *outer = c->s;
    struct schedule s = *inner;
    s.op = collective_op_like(s.op);
    c->s = &s;
    if (has_moves(&s)) {
        if (s.carried)
            tell(c);
        entry_find(s.op, s.algorithm)->run(c);
    }
    c->s = outer;
}

void schedule_walk(const struct schedule *schedule, int64_t step, struct cursor *cursor)
{
    assert(schedule_exists(schedule->op, schedule->algorithm) && step >= 0);
    *cursor = (struct cursor){.s = schedule, .left = step, .move = {.kind = MOVE_END, .to = -1, .from = -1}};
    cursor_run(cursor, schedule);
}

void schedule_move(const struct schedule *schedule, int64_t step, struct move *move)
{
    struct cursor cursor;
    schedule_walk(schedule, step, &cursor);
    *move = cursor.move;
}

/* ---- calls ---- */

bool cursor_rounds(struct cursor *c, int64_t rounds, int64_t per_round, int64_t *round)
{
    if (c->done || rounds <= 0)
        return false;
    if (c->left >= rounds * per_round) {
        c->left -= rounds * per_round;
        return false;
    }
    *round = c->left / per_round;
    c->left %= per_round;
    return true;
}

/* Counts one call; true for the wanted one. */
static bool call_wanted(struct cursor *c)
{
    if (c->done || c->left-- > 0)
        return false;
    c->done = true;
    return true;
}

static void call_sending(struct cursor *c, enum move_kind kind, int32_t to, struct part part)
{
    if (!call_wanted(c))
        return;
    c->move = (struct move){.kind = kind, .to = to, .from = -1, .bytes = part.bytes};
    c->sent = part;
}

static void call_receiving(struct cursor *c, enum move_kind kind, int32_t from, struct part part)
{
    if (!call_wanted(c))
        return;
    c->move = (struct move){.kind = kind, .to = -1, .from = from, .receive_bytes = part.bytes};
    c->received = part;
}

void call_send(struct cursor *c, int32_t to, struct part part)
{
    call_sending(c, MOVE_SEND, to, part);
}

void call_isend(struct cursor *c, int32_t to, struct part part)
{
    call_sending(c, MOVE_ISEND, to, part);
}

void call_recv(struct cursor *c, int32_t from, struct part part)
{
    call_receiving(c, MOVE_RECV, from, part);
}

void call_irecv(struct cursor *c, int32_t from, struct part part)
{
    call_receiving(c, MOVE_IRECV, from, part);
}

void call_exchange(struct cursor *c, int32_t to, struct part sent, int32_t from, struct part received)
{
    if (!call_wanted(c))
        return;
    c->move = (struct move){MOVE_EXCHANGE, to, from, sent.bytes, received.bytes};
    c->sent = sent;
    c->received = received;
}

void call_reduce(struct cursor *c, int64_t bytes)
{
    if (call_wanted(c))
        c->move = (struct move){.kind = MOVE_REDUCE, .to = -1, .from = -1, .bytes = bytes};
}

void call_plain(struct cursor *c, enum move_kind kind)
{
    if (call_wanted(c))
        c->move = (struct move){.kind = kind, .to = -1, .from = -1};
}
