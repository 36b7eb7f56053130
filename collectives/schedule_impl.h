/* schedule_impl.h - how an algorithm is written down: as the calls it makes, in order.
 *
 * A cursor walks through the calls of a schedule and keeps the one that is wanted. Algorithms simply make all calls;
 * those before the wanted one count down, those after it do nothing. A loop of more than O(log P) rounds, all with
 * the same number of calls, is jumped into by cursor_rounds.
 *
 * Each call says what data it moves (struct part); its bytes follow from that. So what the tests prove about data holds
 * for the bytes that are simulated. */
#ifndef PEVPM_COLLECTIVES_SCHEDULE_IMPL_H
#define PEVPM_COLLECTIVES_SCHEDULE_IMPL_H

#include "collectives/schedule.h"

/* Which data. TOKEN: none. RANGE: bytes first .. first + count - 1 of the vector, or of all shares one after the other.
 * BLOCKS: the shares of `count` ranks from `first` on, round the circle; in an Alltoall the share from the sender for
 * `first`. EDGE: what goes along edge `first` of the topology. DIGIT (Bruck's Alltoall): what has a distance to go with
 * the bit `first` set. POSITIONS: the shares of `count` positions of a tree from `first` on. MIRRORED: those of the
 * ranks whose bits in the opposite order are first .. first + count - 1. PASSED: blocks, as they came last and not as
 * they are here. */
enum part_kind {
    PART_TOKEN, PART_RANGE, PART_BLOCKS, PART_EDGE, PART_DIGIT, PART_POSITIONS, PART_MIRRORED, PART_PASSED
};
struct part {
    enum part_kind kind;
    int64_t first, count, bytes;
};

struct cursor {
    const struct schedule *s;
    int64_t left;               /* calls before the wanted one */
    bool done;                  /* it was reached: the rest does nothing */
    struct move move;
    struct part sent, received;
};

/* All of schedule_move, and the data. */
void schedule_walk(const struct schedule *schedule, int64_t step, struct cursor *cursor);

/* Runs another schedule of the same process here. */
void cursor_run(struct cursor *c, const struct schedule *inner);

/* Is the wanted call in one of the next `rounds` rounds of `per_round` calls? If so *round says in which, and the
 * caller makes the calls of that round only. */
bool cursor_rounds(struct cursor *c, int64_t rounds, int64_t per_round, int64_t *round);

void call_send(struct cursor *c, int32_t to, struct part part);
void call_isend(struct cursor *c, int32_t to, struct part part);
void call_recv(struct cursor *c, int32_t from, struct part part);
void call_irecv(struct cursor *c, int32_t from, struct part part);
void call_exchange(struct cursor *c, int32_t to, struct part sent, int32_t from, struct part received);
void call_reduce(struct cursor *c, int64_t bytes);
void call_plain(struct cursor *c, enum move_kind kind); /* the waits, SKIP */

/* Parts of the cursor's schedule. Element = 8 bytes: the unit in which vectors to be reduced are divided. A directive
 * has no datatype, and most programs reduce doubles; it matters only where there are fewer elements than processes.
 * */
enum { ELEMENT_BYTES = 8 };
struct part part_token(void);
struct part part_range(int64_t first, int64_t count);
struct part part_blocks(const struct schedule *s, int64_t first, int64_t count);
struct part part_elements(const struct schedule *s, int64_t first, int64_t count);
int64_t schedule_elements(const struct schedule *s);
/* Segment k of a range; segment 0: the whole is segment 0. */
struct part part_segment(struct part whole, int64_t segment, int64_t k);
int64_t part_segments(struct part whole, int64_t segment);

/* What `from` has for `to` in an Alltoall(v). */
struct part part_pair(const struct schedule *s, int32_t from, int32_t to);

/* Bytes of one rank's share; of what it has for another in an Alltoall(v), or for a neighbour (an edge of the
 * topology); of all. */
int64_t schedule_share(const struct schedule *s, int32_t rank);
int64_t schedule_pair(const struct schedule *s, int32_t from, int32_t to);
int64_t schedule_edge(const struct schedule *s, int32_t from, int32_t edge);
int64_t schedule_total(const struct schedule *s);

/* The k-th of the processes other than `without`, in rank order. */
int32_t other_rank(int64_t k, int32_t without);

/* Positions in a tree: the distance from the root round the circle, but where the schedule has an order, or its
 * algorithm another one; and back. */
int32_t rank_from_root(const struct schedule *s);
int32_t rank_at(const struct schedule *s, int64_t distance);

/* The lowest `bits` bits in the opposite order. */
int32_t bits_mirror(int32_t number, int32_t bits);

/* Largest power of two <= n, n >= 1; exponent of it. */
int32_t power_below(int32_t n);
int32_t log2_below(int32_t n);

/* The algorithms. Each is called with size > 1 (but among neighbours) and messages to send, which may be all of 0 bytes
 * where that is not known everywhere or the schedule `sends_empty`; a Reduce never is. schedule_linear.c: */
void linear_barrier(struct cursor *c);
void linear_bcast(struct cursor *c);
void linear_scatter(struct cursor *c);
void linear_scatter_nb(struct cursor *c);
void linear_gather(struct cursor *c);
void linear_gather_nb(struct cursor *c);
void linear_gather_sync(struct cursor *c);
void linear_reduce(struct cursor *c);
void linear_alltoall(struct cursor *c);
void linear_alltoallv(struct cursor *c);
void scattered_alltoall(struct cursor *c);
void by_rank_alltoall(struct cursor *c);
void by_distance_allgather(struct cursor *c);
void chain_scan(struct cursor *c);
void chain_exscan(struct cursor *c);
void linear_neighbors(struct cursor *c);
/* schedule_pieces.c */
void pieces_gather(struct cursor *c);
/* schedule_tree.c */
void tree_bcast(struct cursor *c);
void tree_reduce(struct cursor *c);
void blocking_reduce(struct cursor *c);
void swapped_allreduce(struct cursor *c);
void tree_barrier(struct cursor *c);
void blocking_bcast(struct cursor *c);
void split_binary_bcast(struct cursor *c);
void binomial_scatter(struct cursor *c);
void binomial_gather(struct cursor *c);
/* schedule_exchange.c */
void doubling_barrier(struct cursor *c);
void dissemination_barrier(struct cursor *c);
void doubling_allreduce(struct cursor *c);
void doubling_allgather(struct cursor *c);
void doubling_scan(struct cursor *c);
void doubling_reduce_scatter(struct cursor *c);
void bruck_allgather(struct cursor *c);
void bruck_alltoall(struct cursor *c);
void pairwise_alltoall(struct cursor *c);
void pairwise_reduce_scatter(struct cursor *c);
void neighbor_allgather(struct cursor *c);
/* schedule_ring.c */
void ring_barrier(struct cursor *c);
void ring_allgather(struct cursor *c);
void ring_allreduce(struct cursor *c);
void ring_reduce_scatter(struct cursor *c);
/* schedule_halving.c */
void rabenseifner_reduce(struct cursor *c);
void rabenseifner_allreduce(struct cursor *c);
void halving_reduce_scatter(struct cursor *c);
void butterfly_reduce_scatter(struct cursor *c);
void mirrored_reduce_scatter(struct cursor *c);
/* schedule_scatter_allgather.c */
void scatter_allgather_bcast(struct cursor *c);
void scatter_ring_allgather_bcast(struct cursor *c);
/* schedule_compose.c: one collective, then another */
void compose_allreduce(struct cursor *c);
void compose_allgather(struct cursor *c);
void compose_reduce_scatter(struct cursor *c);
void swapped_reduce_scatter(struct cursor *c);

#endif
