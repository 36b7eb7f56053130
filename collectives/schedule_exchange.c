/* Collectives in which pairs exchange. Open MPI: coll_base_{barrier,allreduce,allgather,alltoall,scan,exscan,
 * reduce_scatter_block}.c, the recursivedoubling, bruck, pairwise and neighborexchange functions; MPICH:
 * barrier_intra_k_dissemination, reduce_scatter_intra_pairwise. */
#include "collectives/schedule_impl.h"

static int32_t round_the_circle(const struct schedule *s, int64_t rank)
{
    return (int32_t)(rank < 0 ? rank + s->size : rank % s->size);
}

/* Ranks beyond the largest power of two check in with one below and wait to be let out. */
void doubling_barrier(struct cursor *c)
{
    const struct schedule *s = c->s;
    const int32_t power = power_below(s->size);
    const struct part token = part_token();
    if (s->rank >= power) {
        call_exchange(c, s->rank - power, token, s->rank - power, token);
        return;
    }
    if (s->rank + power < s->size)
        call_recv(c, s->rank + power, token);
    for (int32_t mask = 1; mask < power; mask <<= 1)
        call_exchange(c, s->rank ^ mask, token, s->rank ^ mask, token);
    if (s->rank + power < s->size)
        call_send(c, s->rank + power, token);
}

void dissemination_barrier(struct cursor *c)
{
    const struct schedule *s = c->s;
    for (int64_t distance = 1; distance < s->size; distance <<= 1)
        call_exchange(c, round_the_circle(s, s->rank + distance), part_token(), round_the_circle(s, s->rank - distance),
                      part_token());
}

/* The even ones of the first 2 (P - 2^F) ranks give their vector to the next rank and sit out. */
void doubling_allreduce(struct cursor *c)
{
    const struct schedule *s = c->s;
    const struct part all = part_range(0, s->bytes);
    const int32_t power = power_below(s->size), extra = s->size - power;
    const bool folded = s->rank < 2 * extra;
    if (folded && s->rank % 2 == 0) {
        call_send(c, s->rank + 1, all);
        call_recv(c, s->rank + 1, all);
        return;
    }
    if (folded) {
        call_recv(c, s->rank - 1, all);
        call_reduce(c, s->bytes);
    }
    const int32_t number = folded ? s->rank / 2 : s->rank - extra;
    for (int32_t mask = 1; mask < power; mask <<= 1) {
        int32_t other = number ^ mask;
        int32_t peer = other < extra ? 2 * other + 1 : other + extra;
        call_exchange(c, peer, all, peer, all);
        call_reduce(c, s->bytes);
    }
    if (folded)
        call_send(c, s->rank - 1, all);
}

/* As in Open MPI, Bruck's takes over where the number of processes is no power of two. */
void doubling_allgather(struct cursor *c)
{
    const struct schedule *s = c->s;
    if (power_below(s->size) != s->size) {
        bruck_allgather(c);
        return;
    }
    for (int32_t mask = 1; mask < s->size; mask <<= 1) {
        int32_t peer = s->rank ^ mask;
        call_exchange(c, peer, part_blocks(s, s->rank & ~(mask - 1), mask), peer,
                      part_blocks(s, peer & ~(mask - 1), mask));
    }
}

void bruck_allgather(struct cursor *c)
{
    const struct schedule *s = c->s;
    for (int64_t distance = 1; distance < s->size; distance <<= 1) {
        int64_t count = distance < s->size - distance ? distance : s->size - distance;
        int32_t to = round_the_circle(s, s->rank - distance), from = round_the_circle(s, s->rank + distance);
        call_exchange(c, to, part_blocks(s, s->rank, count), from, part_blocks(s, from, count));
    }
}

/* Combines into what it passes on and, where the peer is before this process, into its own result. An Exscan's first
 * result is a copy. */
void doubling_scan(struct cursor *c)
{
    const struct schedule *s = c->s;
    const struct part all = part_range(0, s->bytes);
    bool empty = s->op == COLLECTIVE_MPI_Exscan;
    for (int64_t mask = 1; mask < s->size; mask <<= 1) {
        int32_t peer = (int32_t)(s->rank ^ mask);
        if (peer >= s->size)
            continue;
        call_exchange(c, peer, all, peer, all);
        if (s->rank > peer && !empty)
            call_reduce(c, s->bytes);
        if (s->rank > peer)
            empty = false;
        call_reduce(c, s->bytes);
    }
}

/* All shares but those of the `mask` ranks from `root` on. */
static struct part all_but(const struct schedule *s, int32_t root, int32_t mask)
{
    const int32_t own = s->size - root < mask ? s->size - root : mask;
    return part_blocks(s, (root + own) % s->size, s->size - own);
}

/* Of the group of `mask` ranks that this one is in the first n had a partner, and pass on what came to those that had
 * none. Whether this one got it so. */
static bool pass_on(struct cursor *c, int32_t mask, int32_t n, struct part received)
{
    const int32_t rank = c->s->rank;
    bool got = false;
    received.kind = PART_PASSED;
    for (int32_t half = mask / 2; half > 0; half /= 2) {
        const int32_t peer = rank ^ half, end = (rank & ~(2 * half - 1)) + n;
        if (peer > rank && rank < end && peer >= end && peer < c->s->size)
            call_send(c, peer, received);
        else if (peer < rank && peer < end && rank >= end) {
            call_recv(c, peer, received);
            got = true;
        }
    }
    return got;
}

/* In each step partners exchange what they have for all that are not of their own group. */
void doubling_reduce_scatter(struct cursor *c)
{
    const struct schedule *s = c->s;
    for (int32_t mask = 1; mask < s->size; mask <<= 1) {
        const int32_t peer = s->rank ^ mask, own = s->rank & ~(mask - 1), other = peer & ~(mask - 1);
        bool got = peer < s->size;
        if (other >= s->size)
            continue;
        const struct part received = all_but(s, other, mask);
        if (got)
            call_exchange(c, peer, all_but(s, own, mask), peer, received);
        if (other + mask > s->size)
            got |= pass_on(c, mask, s->size - own - mask, received);
        if (got)
            call_reduce(c, received.bytes);
    }
}

/* In step k all blocks whose remaining way has bit k set move 2^k on, as one message. */
void bruck_alltoall(struct cursor *c)
{
    const struct schedule *s = c->s;
    for (int64_t distance = 1; distance < s->size; distance <<= 1) {
        int64_t rest = s->size % (2 * distance) - distance;
        int64_t count = s->size / (2 * distance) * distance + (rest > 0 ? rest : 0);
        struct part part = {PART_DIGIT, distance, count, count * s->bytes};
        call_exchange(c, round_the_circle(s, s->rank + distance), part, round_the_circle(s, s->rank - distance), part);
    }
}

void pairwise_alltoall(struct cursor *c)
{
    const struct schedule *s = c->s;
    int64_t k;
    if (!cursor_rounds(c, s->size - 1, 1, &k))
        return;
    int32_t to = round_the_circle(s, s->rank + k + 1), from = round_the_circle(s, s->rank - k - 1);
    call_exchange(c, to, part_pair(s, s->rank, to), from, part_pair(s, from, s->rank));
}

/* Each gives each its contribution to the other's share. */
void pairwise_reduce_scatter(struct cursor *c)
{
    const struct schedule *s = c->s;
    int64_t k;
    if (!cursor_rounds(c, s->size - 1, 2, &k))
        return;
    int32_t to = round_the_circle(s, s->rank + k + 1), from = round_the_circle(s, s->rank - k - 1);
    call_exchange(c, to, part_blocks(s, to, 1), from, part_blocks(s, s->rank, 1));
    call_reduce(c, schedule_share(s, s->rank));
}

/* Two blocks at a time, with the two neighbours in turn: after the first exchange a pair 2 i, 2 i + 1 acts as one,
 * even ranks look left and odd ones right in the odd steps. An odd number of processes takes the ring, as in Open
 * MPI. */
void neighbor_allgather(struct cursor *c)
{
    const struct schedule *s = c->s;
    const bool even = s->rank % 2 == 0;
    int64_t k;
    if (s->size % 2 != 0) {
        ring_allgather(c);
        return;
    }
    const int32_t neighbor[2] = {round_the_circle(s, s->rank + (even ? 1 : -1)),
                                 round_the_circle(s, s->rank + (even ? -1 : 1))};
    call_exchange(c, neighbor[0], part_blocks(s, s->rank, 1), neighbor[0], part_blocks(s, neighbor[0], 1));
    if (!cursor_rounds(c, s->size / 2 - 1, 1, &k))
        return;
    /* Pairs are numbered by their even rank. In step k + 1 the pair that has come i pairs to the right, or left,
     * arrives. */
    const int64_t pair = s->rank - (even ? 0 : 1), step = k + 1, far = (step + 1) / 2 * 2;
    const int64_t away = (step % 2 != 0) == even ? -far : far;
    const int64_t before = step == 1 ? 0 : ((step - 1) % 2 != 0) == even ? -(step / 2 * 2) : step / 2 * 2;
    const int64_t got = ((pair + away) % s->size + s->size) % s->size;
    const int64_t had = ((pair + before) % s->size + s->size) % s->size;
    call_exchange(c, neighbor[step % 2], part_blocks(s, had, 2), neighbor[step % 2], part_blocks(s, got, 2));
}
