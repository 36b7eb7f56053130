/* Collectives along a tree. Open MPI: coll_base_bcast.c and coll_base_reduce.c (generic, split_bintree),
 * coll_base_gather.c and coll_base_scatter.c (binomial), coll_base_barrier.c (tree), coll/libnbc/nbc_ireduce.c and
 * nbc_iallreduce.c (binomial, chain); MPICH: bcast_intra_binomial. */
#include "collectives/schedule_impl.h"
#include "collectives/topology.h"

static enum tree_shape shape_of(const struct schedule *s)
{
    switch (s->algorithm) {
    case ALGORITHM_chain:
    case ALGORITHM_chain_blocking:
        return TREE_CHAIN;
    case ALGORITHM_knomial:
        return TREE_KNOMIAL;
    case ALGORITHM_binary:
    case ALGORITHM_split_binary:
        return TREE_BINARY;
    case ALGORITHM_in_order_binary:
        return TREE_BINARY_IN_ORDER;
    default:
        return s->op == COLLECTIVE_MPI_Bcast ? TREE_BINOMIAL : TREE_BINOMIAL_IN_ORDER;
    }
}

static void send_to_children(struct cursor *c, const struct tree_node *node, struct part part, bool blocking)
{
    for (int32_t i = 0; i < node->n_children; i++)
        if (blocking)
            call_send(c, rank_at(c->s, node->children[i]), part);
        else
            call_isend(c, rank_at(c->s, node->children[i]), part);
}

/* Receives segments into two buffers in turn: while one is passed on, the next may arrive. */
static void bcast_pass_on(struct cursor *c, const struct tree_node *node, struct part all, bool blocking)
{
    const int64_t segment = c->s->segment, n = part_segments(all, segment);
    const int32_t parent = rank_at(c->s, node->parent);
    const bool waits = node->n_children > 0 && !blocking;
    const int64_t calls = 2 + node->n_children + waits;
    int64_t k;
    if (n == 1) {
        call_recv(c, parent, all);
    } else {
        call_irecv(c, parent, part_segment(all, segment, 0));
        if (cursor_rounds(c, n - 1, calls, &k)) {
            call_irecv(c, parent, part_segment(all, segment, k + 1));
            call_plain(c, MOVE_WAIT_RECEIVE);
            send_to_children(c, node, part_segment(all, segment, k), blocking);
            if (waits)
                call_plain(c, MOVE_WAIT_SENDS);
        }
        call_plain(c, MOVE_WAIT_RECEIVE);
    }
    send_to_children(c, node, part_segment(all, segment, n - 1), blocking);
    if (waits)
        call_plain(c, MOVE_WAITALL);
}

void tree_bcast(struct cursor *c)
{
    const struct schedule *s = c->s;
    const struct part all = part_range(0, s->bytes);
    struct tree_node node;
    int64_t k;
    tree_node_init(&node, shape_of(s), s->size, rank_from_root(s));
    if (node.parent >= 0) {
        bcast_pass_on(c, &node, all, false);
        return;
    }
    if (cursor_rounds(c, part_segments(all, s->segment), node.n_children + 1, &k)) {
        send_to_children(c, &node, part_segment(all, s->segment, k), false);
        call_plain(c, MOVE_WAITALL);
    }
}

void blocking_bcast(struct cursor *c)
{
    const struct schedule *s = c->s;
    const struct part all = part_range(0, s->bytes);
    struct tree_node node;
    tree_node_init(&node, TREE_BINOMIAL_IN_ORDER, s->size, rank_from_root(s));
    if (node.parent >= 0)
        call_recv(c, rank_at(s, node.parent), all);
    for (int32_t i = node.n_children - 1; i >= 0; i--)
        call_send(c, rank_at(s, node.children[i]), all);
}

/* The left half of the message goes down the left of a binary tree (odd positions), the right half down the right; then
 * each process exchanges halves with its twin on the other side, positions 2 i - 1 and 2 i. */
static void split_binary_exchange(struct cursor *c, const struct part half[2])
{
    const struct schedule *s = c->s;
    const int32_t position = rank_from_root(s), side = (position + 1) % 2;
    const bool root_has_twin = s->size % 2 == 0;
    if (position == 0) {
        if (root_has_twin)
            call_send(c, rank_at(s, s->size - 1), half[1]);
    } else if (root_has_twin && position == s->size - 1)
        call_recv(c, s->root, half[1]);
    else {
        int32_t twin = rank_at(s, side == 0 ? position + 1 : position - 1);
        call_exchange(c, twin, half[side], twin, half[!side]);
    }
}

void split_binary_bcast(struct cursor *c)
{
    const struct schedule *s = c->s;
    const int64_t left = s->bytes - s->bytes / 2;
    const struct part half[2] = {part_range(0, left), part_range(left, s->bytes - left)};
    struct tree_node node;
    int64_t k;
    if (half[1].count == 0 || s->segment > half[1].count) {
        struct schedule chain = *s;
        chain.algorithm = ALGORITHM_chain;
        cursor_run(c, &chain);
        return;
    }
    tree_node_init(&node, TREE_BINARY, s->size, rank_from_root(s));
    const struct part own = half[(rank_from_root(s) + 1) % 2];
    if (node.parent >= 0 && node.n_children > 0) {
        bcast_pass_on(c, &node, own, true);
    } else if (node.parent >= 0) { /* a leaf asks for one segment after the other */
        if (cursor_rounds(c, part_segments(own, s->segment), 1, &k))
            call_recv(c, rank_at(s, node.parent), part_segment(own, s->segment, k));
    } else {
        const int64_t both = node.n_children > 1 ? part_segments(half[1], s->segment) : 0;
        if (cursor_rounds(c, both, 2, &k))
            for (int32_t i = 0; i < 2; i++)
                call_send(c, rank_at(s, node.children[i]), part_segment(half[i], s->segment, k));
        if (cursor_rounds(c, part_segments(half[0], s->segment) - both, 1, &k))
            call_send(c, rank_at(s, node.children[0]), part_segment(half[0], s->segment, both + k));
    }
    split_binary_exchange(c, half);
}

/* ---- Reduce ---- */

/* What one Reduce node knows: ranks, not positions. */
struct reduce_node {
    struct part all;
    int64_t segments;
    int32_t parent;             /* -1: none */
    int32_t n_children;
    int32_t children[TREE_CHILDREN];
};

static void reduce_node_init(struct reduce_node *reduce, const struct schedule *s)
{
    const enum tree_shape shape = shape_of(s);
    const bool in_order = shape == TREE_BINARY_IN_ORDER;
    struct tree_node node;
    tree_node_init(&node, shape, s->size, in_order ? s->rank : rank_from_root(s));
    reduce->all = part_range(0, s->bytes);
    reduce->segments = part_segments(reduce->all, s->segment);
    reduce->parent = node.parent < 0 || in_order ? node.parent : rank_at(s, node.parent);
    reduce->n_children = node.n_children;
    for (int32_t i = 0; i < node.n_children; i++)
        reduce->children[i] = in_order ? node.children[i] : rank_at(s, node.children[i]);
}

/* Segment k, whose message from the first child has been posted. One receive is always posted ahead: the next
 * child's, or after the last child the first one's for the next segment. */
static void reduce_segment(struct cursor *c, const struct reduce_node *node, int64_t k)
{
    const struct part part = part_segment(node->all, c->s->segment, k);
    for (int32_t i = 1; i < node->n_children; i++) {
        call_irecv(c, node->children[i], part);
        call_plain(c, MOVE_WAIT_RECEIVE);
        call_reduce(c, part.bytes);
    }
    if (k + 1 < node->segments)
        call_irecv(c, node->children[0], part_segment(node->all, c->s->segment, k + 1));
    call_plain(c, MOVE_WAIT_RECEIVE);
    call_reduce(c, part.bytes);
    if (node->parent >= 0)
        call_send(c, node->parent, part);
}

void tree_reduce(struct cursor *c)
{
    const struct schedule *s = c->s;
    struct reduce_node node;
    int64_t k;
    reduce_node_init(&node, s);
    if (node.n_children == 0) {
        if (cursor_rounds(c, node.segments, 1, &k))
            call_send(c, node.parent, part_segment(node.all, s->segment, k));
    } else {
        call_irecv(c, node.children[0], part_segment(node.all, s->segment, 0));
        if (cursor_rounds(c, node.segments - 1, 3 * node.n_children + (node.parent >= 0), &k))
            reduce_segment(c, &node, k);
        reduce_segment(c, &node, node.segments - 1);
    }
    /* A tree that keeps the ranks in order ends at the last one. */
    if (s->algorithm == ALGORITHM_in_order_binary && s->root != s->size - 1) {
        if (s->rank == s->size - 1)
            call_send(c, s->root, node.all);
        else if (s->rank == s->root)
            call_recv(c, s->size - 1, node.all);
    }
}

/* libnbc, round by round: what the children have is received and combined one after the other, and then passed on. */
static void reduce_in_turn(struct cursor *c, const struct reduce_node *node, struct part part)
{
    for (int32_t i = 0; i < node->n_children; i++) {
        call_recv(c, node->children[i], part);
        call_reduce(c, part.bytes);
    }
}

/* As many segments as fit; all have the same elements, and the last what is left. */
void blocking_reduce(struct cursor *c)
{
    const struct schedule *s = c->s;
    const int64_t elements = schedule_elements(s);
    struct reduce_node node;
    int64_t k;
    reduce_node_init(&node, s);
    const int64_t n = node.segments < elements ? node.segments : elements, each = elements / n;
    if (!cursor_rounds(c, n, 2 * node.n_children + (node.parent >= 0), &k))
        return;
    const struct part part = part_elements(s, k * each, k == n - 1 ? elements - k * each : each);
    reduce_in_turn(c, &node, part);
    if (node.parent >= 0)
        call_send(c, node.parent, part);
}

/* Up one binomial tree, and down the other, process 0 the root of both. The sum is asked for when one's own is sent. */
void swapped_allreduce(struct cursor *c)
{
    struct schedule s = *c->s;
    struct reduce_node up;
    struct tree_node down;
    s.root = 0;
    reduce_node_init(&up, &s);
    tree_node_init(&down, TREE_BINOMIAL, s.size, s.rank);
    reduce_in_turn(c, &up, up.all);
    if (up.parent >= 0) {
        call_isend(c, up.parent, up.all);
        call_irecv(c, down.parent, up.all);
        call_plain(c, MOVE_WAITALL);
    }
    for (int32_t i = 0; i < down.n_children; i++)
        call_isend(c, down.children[i], up.all);
    if (down.n_children > 0)
        call_plain(c, MOVE_WAITALL);
}

/* ---- Barrier, Scatter, Gather ---- */

/* Up the tree and down again. */
void tree_barrier(struct cursor *c)
{
    struct tree_node node;
    tree_node_init(&node, TREE_BINOMIAL_IN_ORDER, c->s->size, c->s->rank);
    for (int32_t i = 0; i < node.n_children; i++)
        call_recv(c, node.children[i], part_token());
    if (node.parent >= 0) {
        call_send(c, node.parent, part_token());
        call_recv(c, node.parent, part_token());
    }
    for (int32_t i = node.n_children - 1; i >= 0; i--)
        call_send(c, node.children[i], part_token());
}

/* The shares of the subtree at `position`: a run of 2^k positions, less what lies beyond the last process. */
static struct part subtree_part(const struct schedule *s, int32_t position)
{
    const struct carried *carried = s->carried;
    int64_t run = position & -position, rest = s->size - position;
    run = run < rest ? run : rest;
    if (!carried)
        return part_blocks(s, rank_at(s, position), run);
    int64_t bytes = carried->begin ? carried->begin[position + run] - carried->begin[position] : run * s->bytes;
    return (struct part){PART_POSITIONS, position, run, bytes + run * carried->label};
}

/* Largest subtree first. */
void binomial_scatter(struct cursor *c)
{
    const struct schedule *s = c->s;
    const int32_t position = rank_from_root(s);
    struct tree_node node;
    tree_node_init(&node, TREE_BINOMIAL_IN_ORDER, s->size, position);
    if (node.parent >= 0)
        call_recv(c, rank_at(s, node.parent), subtree_part(s, position));
    for (int32_t i = node.n_children - 1; i >= 0; i--)
        call_send(c, rank_at(s, node.children[i]), subtree_part(s, node.children[i]));
}

/* Smallest subtree first. */
void binomial_gather(struct cursor *c)
{
    const struct schedule *s = c->s;
    const int32_t position = rank_from_root(s);
    struct tree_node node;
    tree_node_init(&node, TREE_BINOMIAL_IN_ORDER, s->size, position);
    for (int32_t i = 0; i < node.n_children; i++)
        call_recv(c, rank_at(s, node.children[i]), subtree_part(s, node.children[i]));
    if (node.parent >= 0)
        call_send(c, rank_at(s, node.parent), subtree_part(s, position));
}
