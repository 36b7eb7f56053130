/* forms_rooted.h - what Bcast, Scatter, Gather and Reduce take, with their algorithms: see forms.h.
 *
 * In a header because other collectives are made of these. */
#ifndef PEVPM_COLLECTIVES_TESTS_FORMS_ROOTED_H
#define PEVPM_COLLECTIVES_TESTS_FORMS_ROOTED_H

#include "collectives/tests/forms_tree.h"

/* ---- Bcast ---- */

/* The root's messages one after the other. */
static inline double bcast_linear(const struct problem *p)
{
    return (p->s.size - 1) * T(p, p->s.bytes);
}

/* A flow shop of P - 1 equal machines: all segments pass one, the longest, which comes first, the others too. */
static inline double bcast_chain(const struct problem *p)
{
    const struct segments cut = segments_cut(p->s.bytes, p->s.segment);
    double time = (p->s.size - 2) * T(p, cut.bytes[0]);
    for (int k = 0; k < cut.n; k++)
        time += T(p, cut.bytes[k]);
    return time;
}

static inline double bcast_binomial(const struct problem *p)
{
    struct drawn_tree tree = {0};
    binomial_draw(&tree, p->s.size);
    return tree_bcast_time(p, &tree);
}

/* t(P) = T(M) + max(t(P - 2^k), t(2^k)) with the largest 2^k < P, t(1) = 0: after one message two parts, of which the
 * one that is a power of two is never the smaller. */
static inline double bcast_binomial_blocking(const struct problem *p)
{
    return log2_above(p->s.size) * T(p, p->s.bytes);
}

static inline double bcast_knomial(const struct problem *p)
{
    struct drawn_tree tree = {0};
    knomial_draw(&tree, 0, p->s.size);
    return tree_bcast_time(p, &tree);
}

static inline double bcast_binary(const struct problem *p)
{
    struct drawn_tree tree = {0};
    binary_draw(&tree, p->s.size);
    return tree_bcast_time(p, &tree);
}

/* Half of the message goes down the left of the binary tree, half down the right, the root's segments of both in turn;
 * then each node exchanges halves with its mirror image. The last of an even number has none: the root stands in. */
static inline double bcast_split_binary(const struct problem *p)
{
    const int32_t P = p->s.size;
    const int64_t half[2] = {p->s.bytes - p->s.bytes / 2, p->s.bytes / 2};
    const struct segments cut[2] = {segments_cut(half[0], p->s.segment), segments_cut(half[1], p->s.segment)};
    struct drawn_tree tree = {0};
    struct clocks c = {0};
    struct step exchange = {0};
    double at[2][MOST_SEGMENTS];
    if (half[1] == 0 || p->s.segment > half[1])
        return bcast_chain(p);
    binary_draw(&tree, P);
    for (int k = 0; k < cut[0].n; k++)
        for (int side = 0; side < tree.n_children[0]; side++)
            if (k < cut[side].n)
                at[side][k] = leaves(p, &c, 0, cut[side].bytes[k]);
    for (int side = 0; side < tree.n_children[0]; side++)
        tree_pass_down(p, &tree, tree.children[0][side], &cut[side], at[side], &c);
    for (int32_t node = 1; node + 1 < P; node += 2) {
        step_message(&exchange, node, node + 1, half[0]);
        step_message(&exchange, node + 1, node, half[1]);
    }
    if (P % 2 == 0)
        step_message(&exchange, 0, P - 1, half[1]);
    step_take(p, &exchange, &c);
    return last_of(p, &c);
}

/* ---- van de Geijn's Bcast; positions count from the root ---- */

/* The pieces of n positions: equal ones of the message, rounded up; the last ones may be short or empty. */
static inline int64_t pieces_of(const struct problem *p, int32_t first, int32_t n)
{
    const int64_t piece = (p->s.bytes + p->s.size - 1) / p->s.size, end = (int64_t)(first + n) * piece;
    const int64_t begin = first * piece < p->s.bytes ? first * piece : p->s.bytes;
    return (end < p->s.bytes ? end : p->s.bytes) - begin;
}

/* `first` has the pieces of n positions from its own on; empty ones are not sent. */
static inline void pieces_scatter(const struct problem *p, int32_t first, int32_t n, struct clocks *c)
{
    for (int32_t near; n > 1; n = near) {
        near = half_above(n);
        const int64_t far_pieces = pieces_of(p, first + near, n - near);
        if (far_pieces > 0)
            c->now[first + near] = leaves(p, c, first, far_pieces);
        pieces_scatter(p, first + near, n - near, c);
    }
}

/* Of `width` positions the first `informed` have `bytes` that the others lack: those of the lower half who have them
 * send to their like in the upper half who have not; then the halves among themselves. */
static inline void group_inform(const struct problem *p, int32_t first, int32_t width, int32_t informed, int64_t bytes,
                                struct clocks *c)
{
    const int32_t half = width / 2;
    if (informed <= 0 || informed >= width)
        return;
    for (int32_t i = 0; i < half && i < informed; i++)
        if (half + i >= informed)
            c->now[first + half + i] = fmax(c->now[first + half + i], leaves(p, c, first + i, bytes));
    group_inform(p, first, half, informed, bytes, c);
    group_inform(p, first + half, half, informed, bytes, c);
}

/* Groups of `width` exchange what they have, like with like. Where the upper group is not complete, those below who
 * had no partner are told by those who had. */
static inline double bcast_scatter_allgather(const struct problem *p)
{
    const int32_t P = p->s.size;
    struct clocks c = {0};
    if (p->s.bytes < P)
        return bcast_linear(p);
    pieces_scatter(p, 0, P, &c);
    for (int32_t width = 1; width < P; width *= 2) {
        struct step step = {0};
        for (int32_t low = 0; low + width < P; low += 2 * width)
            for (int32_t i = low; i < low + width && i + width < P; i++) {
                step_message(&step, i, i + width, pieces_of(p, low, width));
                step_message(&step, i + width, i, pieces_of(p, low + width, width));
            }
        step_take(p, &step, &c);
        for (int32_t low = 0; low + width < P; low += 2 * width)
            group_inform(p, low, width, P - low - width, pieces_of(p, low + width, width), &c);
    }
    return last_of(p, &c);
}

/* Each passes on to the right what came last, first its own piece. */
static inline double bcast_scatter_ring_allgather(const struct problem *p)
{
    const int32_t P = p->s.size;
    struct clocks c = {0};
    if (p->s.bytes < P)
        return bcast_linear(p);
    pieces_scatter(p, 0, P, &c);
    for (int32_t k = 0; k < P - 1; k++) {
        struct step step = {0};
        for (int32_t i = 0; i < P; i++)
            step_message(&step, i, (i + 1) % P, pieces_of(p, (i + P - k) % P, 1));
        step_take(p, &step, &c);
    }
    return last_of(p, &c);
}

/* ---- Scatter ---- */

/* The root's messages one after the other; those with v leave out empty shares. */
static inline double scatter_linear(const struct problem *p)
{
    double time = 0;
    for (int32_t i = 1; i < p->s.size; i++)
        if (p->s.op != COLLECTIVE_MPI_Scatterv || share(p, p->s.root + i) > 0)
            time += T(p, share(p, p->s.root + i));
    return time;
}

/* Equations (1) and (2) of Lastovetsky and Rychkov 2009 for equal processors, at any P and with any shares: a root's
 * messages, largest first. */
static inline double scatter_equations(const struct problem *p, int32_t first, int32_t n)
{
    if (n == 1)
        return 0;
    const int32_t near = half_above(n), far = n - near;
    return T(p, shares(p, p->s.root + first + near, far)) +
           fmax(scatter_equations(p, first + near, far), scatter_equations(p, first, near));
}

static inline double scatter_binomial(const struct problem *p)
{
    return scatter_equations(p, 0, p->s.size);
}

/* ---- Gather ---- */

static inline double gather_linear(const struct problem *p)
{
    double last = 0;
    for (int32_t i = 1; i < p->s.size; i++)
        if (p->s.op != COLLECTIVE_MPI_Gatherv || share(p, p->s.root + i) > 0)
            last = fmax(last, T(p, share(p, p->s.root + i)));
    return last;
}

/* To each in turn: the request, alpha, and its first segment; the rest of the last one arrives last. */
static inline double gather_linear_sync(const struct problem *p)
{
    const struct segments cut = segments_cut(p->s.bytes, p->s.segment);
    return (p->s.size - 1) * (p->alpha + T(p, cut.bytes[0])) + T(p, p->s.bytes - cut.bytes[0]);
}

/* All first pieces at once; the root takes them round the circle, and asks for a next one when it has one. The m pieces
 * of a share have the same bytes, but for one that the first may have more. */
static inline double gather_pieces(const struct problem *p)
{
    struct clocks c = {0};
    double arrival[MOST_PROCESSES];
    bool left = true;
    for (int64_t k = 0; left; k++) {
        left = false;
        for (int32_t i = 1; i < p->s.size; i++) {
            const int64_t bytes = share(p, p->s.root + i), segment = p->s.segment > 0 ? p->s.segment : bytes;
            const int64_t m = bytes == 0 ? 0 : (bytes + segment - 1) / segment;
            if (k == 0 && m > 0)
                arrival[i] = T(p, (bytes + m - 1) / m);
            if (k < m)
                c.now[0] = fmax(c.now[0], arrival[i]);
            if (k + 1 >= m)
                continue;
            left = true;
            arrival[i] = leaves(p, &c, 0, 0) + T(p, bytes / m + (k + 1 < bytes % m));
        }
    }
    return c.now[0];
}

/* The root of n has the nearer part, a power of two, when its own tree is done, the rest a message after the rest's
 * root has it. */
static inline double gather_below(const struct problem *p, int32_t first, int32_t n)
{
    if (n == 1)
        return 0;
    const int32_t near = half_above(n), far = n - near;
    return fmax(gather_below(p, first, near),
                gather_below(p, first + near, far) + T(p, shares(p, p->s.root + first + near, far)));
}

static inline double gather_binomial(const struct problem *p)
{
    return gather_below(p, 0, p->s.size);
}

/* ---- Reduce ---- */

/* All arrive at once, and are combined one after the other. */
static inline double reduce_linear(const struct problem *p)
{
    return T(p, p->s.bytes) + (p->s.size - 1) * G(p, p->s.bytes);
}

static inline double reduce_chain(const struct problem *p)
{
    struct drawn_tree tree = {0};
    chain_draw(&tree, p->s.size);
    return tree_reduce_time(p, &tree, 0);
}

/* Nearest child first. */
static inline double reduce_binomial(const struct problem *p)
{
    struct drawn_tree tree = {0};
    in_order_binomial_draw(&tree, 0, p->s.size);
    return tree_reduce_time(p, &tree, 0);
}

/* Each takes a segment, combines it and sends it on before it takes the next. n equal ones of 8-byte elements, as many
 * as `segment` makes but at most one for each; the last is longer, or ends with the vector. */
static inline double reduce_chain_blocking(const struct problem *p)
{
    const int64_t M = p->s.bytes, elements = (M + 7) / 8, wanted = p->s.segment > 0 ? (M - 1) / p->s.segment + 1 : 1;
    const int64_t n = wanted < elements ? wanted : elements, each = elements / n;
    double now[MOST_PROCESSES] = {0}, port[MOST_PROCESSES] = {0}, last = 0;
    for (int64_t k = 0; k < n; k++) {
        const int64_t bytes = k == n - 1 ? M - 8 * k * each : 8 * each;
        double arrival = 0;
        for (int32_t i = p->s.size - 1; i >= 0; i--) {
            if (i < p->s.size - 1)
                now[i] = fmax(now[i], arrival) + G(p, bytes);
            port[i] = fmax(port[i], now[i]) + T(p, bytes);
            arrival = port[i];
        }
        last = now[0];
    }
    return last;
}

static inline double reduce_binary(const struct problem *p)
{
    struct drawn_tree tree = {0};
    binary_draw(&tree, p->s.size);
    return tree_reduce_time(p, &tree, 0);
}

/* Ends at the last rank, which sends the result to a root that is another. */
static inline double reduce_in_order_binary(const struct problem *p)
{
    struct drawn_tree tree = {0};
    in_order_binary_draw(&tree, 0, p->s.size);
    return tree_reduce_time(p, &tree, p->s.size - 1) + (p->s.root == p->s.size - 1 ? 0 : T(p, p->s.bytes));
}

/* ---- Rabenseifner's halving, for Reduce and Allreduce ---- */

/* Elements of 8 bytes, the last of which may be cut short; a window is a run of them. */
struct window {
    int64_t first, n;
};

static inline int64_t window_bytes(const struct problem *p, struct window w)
{
    const int64_t begin = 8 * w.first, end = 8 * (w.first + w.n), all = p->s.bytes;
    return (end < all ? end : all) - (begin < all ? begin : all);
}

/* 2^F processes take part, F = log2 P rounded down; their numbers skip the odd ones of the first 2 (P - 2^F) ranks.
 * kept[k][v]: what number v keeps in step k. */
struct halving {
    int32_t steps, power, extra;
    int32_t rank[MOST_PROCESSES];
    struct window all, kept[6][MOST_PROCESSES];
};

static inline void halving_init(const struct problem *p, struct halving *h)
{
    h->steps = log2_whole(p->s.size);
    h->power = 1 << h->steps;
    h->extra = p->s.size - h->power;
    h->all = (struct window){0, (p->s.bytes + 7) / 8};
    for (int32_t v = 0; v < h->power; v++)
        h->rank[v] = v < h->extra ? 2 * v : v + h->extra;
}

static inline struct window window_half(struct window w, bool right)
{
    const int64_t left = w.n / 2;
    return right ? (struct window){w.first + left, w.n - left} : (struct window){w.first, left};
}

/* Pairs of the first 2 (P - 2^F) ranks: each combines a half, the odd one hands its own to the even one. */
static inline void halving_fold(const struct problem *p, const struct halving *h, struct clocks *c)
{
    const int64_t left = window_bytes(p, window_half(h->all, false));
    const int64_t right = window_bytes(p, window_half(h->all, true));
    struct step halves = {0}, back = {0};
    for (int32_t even = 0; even < 2 * h->extra; even += 2) {
        step_message(&halves, even, even + 1, right);
        step_message(&halves, even + 1, even, left);
        step_message(&back, even + 1, even, right);
    }
    step_take(p, &halves, c);
    for (int32_t even = 0; even < 2 * h->extra; even += 2) {
        c->now[even] += G(p, left);
        c->now[even + 1] += G(p, right);
    }
    step_take(p, &back, c);
}

/* Nearest first; of two partners the lower keeps the left half of what both have. */
static inline void halving_run(const struct problem *p, struct halving *h, struct clocks *c)
{
    halving_fold(p, h, c);
    for (int32_t k = 0; k < h->steps; k++) {
        struct step step = {0};
        for (int32_t v = 0; v < h->power; v++) {
            const int32_t other = v ^ 1 << k;
            const struct window both = k == 0 ? h->all : h->kept[k - 1][v];
            h->kept[k][v] = window_half(both, v > other);
            step_message(&step, h->rank[v], h->rank[other], window_bytes(p, window_half(both, v < other)));
        }
        step_take(p, &step, c);
        for (int32_t v = 0; v < h->power; v++)
            c->now[h->rank[v]] += G(p, window_bytes(p, h->kept[k][v]));
    }
}

static inline bool too_few_to_halve(const struct problem *p)
{
    return (p->s.bytes + 7) / 8 < 1 << log2_whole(p->s.size);
}

/* Windows go back the way they came, towards the root; an odd root of a pair first takes over from number 0. */
static inline double reduce_rabenseifner(const struct problem *p)
{
    const int32_t root = p->s.root;
    struct halving h;
    struct clocks c = {0};
    if (too_few_to_halve(p))
        return reduce_linear(p);
    halving_init(p, &h);
    halving_run(p, &h, &c);
    int32_t number = 0;
    if (root < 2 * h.extra && root % 2 != 0) {
        c.now[root] = fmax(c.now[root], leaves(p, &c, 0, window_bytes(p, h.kept[h.steps - 1][0])));
        h.rank[0] = root;
    }
    while (h.rank[number] != root)
        number++;
    for (int32_t k = h.steps - 1; k >= 0; k--) {
        struct step step = {0};
        for (int32_t v = 0; v < h.power; v++)
            if (v >> k == (number >> k ^ 1))
                step_message(&step, h.rank[v], h.rank[v ^ 1 << k], window_bytes(p, h.kept[k][v]));
        step_take(p, &step, &c);
    }
    return last_of(p, &c);
}

/* ---- the table ---- */

/* X(operation, algorithm, form) */
#define ROOTED_FORMS(X)                                              \
    X(Bcast, linear, bcast_linear)                                   \
    X(Bcast, chain, bcast_chain)                                     \
    X(Bcast, binomial, bcast_binomial)                               \
    X(Bcast, binomial_blocking, bcast_binomial_blocking)             \
    X(Bcast, binomial_swapped, bcast_binomial)                       \
    X(Bcast, knomial, bcast_knomial)                                 \
    X(Bcast, binary, bcast_binary)                                   \
    X(Bcast, split_binary, bcast_split_binary)                       \
    X(Bcast, scatter_allgather, bcast_scatter_allgather)             \
    X(Bcast, scatter_ring_allgather, bcast_scatter_ring_allgather)   \
    X(Scatter, linear, scatter_linear)                               \
    X(Scatter, linear_nb, scatter_linear)                            \
    X(Scatter, binomial, scatter_binomial)                           \
    X(Scatterv, linear, scatter_linear)                              \
    X(Scatterv, linear_nb, scatter_linear)                           \
    X(Scatterv, binomial, scatter_binomial)                          \
    X(Gather, linear, gather_linear)                                 \
    X(Gather, linear_nb, gather_linear)                              \
    X(Gather, linear_sync, gather_linear_sync)                       \
    X(Gather, pieces, gather_pieces)                                 \
    X(Gather, binomial, gather_binomial)                             \
    X(Gatherv, linear, gather_linear)                                \
    X(Gatherv, linear_nb, gather_linear)                             \
    X(Gatherv, pieces, gather_pieces)                                \
    X(Gatherv, binomial, gather_binomial)                            \
    X(Reduce, linear, reduce_linear)                                 \
    X(Reduce, chain, reduce_chain)                                   \
    X(Reduce, chain_blocking, reduce_chain_blocking)                 \
    X(Reduce, binomial, reduce_binomial)                             \
    X(Reduce, binomial_swapped, reduce_binomial)                     \
    X(Reduce, binary, reduce_binary)                                 \
    X(Reduce, in_order_binary, reduce_in_order_binary)               \
    X(Reduce, rabenseifner, reduce_rabenseifner)

static const struct form rooted_forms[] = {
#define X(op, algorithm, time) {COLLECTIVE_MPI_##op, ALGORITHM_##algorithm, time},
    ROOTED_FORMS(X)
#undef X
};
enum { N_ROOTED_FORMS = sizeof rooted_forms / sizeof *rooted_forms };

/* The time of another collective on the same processes and bytes. */
static inline double rooted_time(const struct problem *p, enum collective_op op, enum algorithm algorithm)
{
    const struct form *form = form_find(rooted_forms, N_ROOTED_FORMS, op, algorithm);
    struct problem inner = *p;
    assert_non_null(form);
    inner.s.op = op;
    inner.s.algorithm = algorithm;
    return form_time(form, &inner);
}

#endif
