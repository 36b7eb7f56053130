/* forms_tree.h - trees as the literature and Open MPI's pictures of them draw them, and what they take.
 *
 * Grown by following their definition from the root down (collectives/topology.h computes a node from its number). A
 * parent's children stand in the order in which it sends to them. */
#ifndef PEVPM_COLLECTIVES_TESTS_FORMS_TREE_H
#define PEVPM_COLLECTIVES_TESTS_FORMS_TREE_H

#include "collectives/tests/forms.h"

enum { MOST_CHILDREN = 9 /* k-nomial: three for each of the three digits of 64 */, MOST_SEGMENTS = 64 };

struct drawn_tree {
    int32_t n_children[MOST_PROCESSES], children[MOST_PROCESSES][MOST_CHILDREN];
};

static inline void branch_draw(struct drawn_tree *tree, int32_t parent, int32_t child)
{
    assert_true(tree->n_children[parent] < MOST_CHILDREN && child < MOST_PROCESSES);
    tree->children[parent][tree->n_children[parent]++] = child;
}

static inline void chain_draw(struct drawn_tree *tree, int32_t n)
{
    for (int32_t node = 1; node < n; node++)
        branch_draw(tree, node - 1, node);
}

/* In round k each of the 2^k nodes that are there gets a child, 2^k further on. */
static inline void binomial_draw(struct drawn_tree *tree, int32_t n)
{
    for (int32_t there = 1; there < n; there *= 2)
        for (int32_t node = 0; node < there && node + there < n; node++)
            branch_draw(tree, node, node + there);
}

/* The root of n nodes has a binomial tree of the nearer 2^k of them below it, 2^k < n, and the rest under the first
 * node of the rest. */
static inline void in_order_binomial_draw(struct drawn_tree *tree, int32_t first, int32_t n)
{
    if (n == 1)
        return;
    const int32_t near = half_above(n);
    in_order_binomial_draw(tree, first, near);
    branch_draw(tree, first, first + near);
    in_order_binomial_draw(tree, first + near, n - near);
}

/* The root of n nodes keeps the nearest 4^k of them, 4^k < n, and has three others take as many each, or what there
 * is. */
static inline void knomial_draw(struct drawn_tree *tree, int32_t first, int32_t n)
{
    int32_t part = 1;
    if (n <= 1)
        return;
    while (4 * part < n)
        part *= 4;
    for (int32_t begin = part; begin < n; begin += part) {
        branch_draw(tree, first, first + begin);
        knomial_draw(tree, first + begin, n - begin < part ? n - begin : part);
    }
    knomial_draw(tree, first, part);
}

/* Level by level: the next nodes become the left children of the last level's, those after them the right ones. */
static inline void binary_draw(struct drawn_tree *tree, int32_t n)
{
    int32_t level = 0, next = 1;
    for (int32_t width = 1; next < n; level += width, width *= 2)
        for (int side = 0; side < 2; side++)
            for (int32_t node = level; node < level + width && next < n; node++)
                branch_draw(tree, node, next++);
}

/* The last of n nodes is the root; what is above the lower half is its left subtree, the lower half its right one. */
static inline void in_order_binary_draw(struct drawn_tree *tree, int32_t first, int32_t n)
{
    const int32_t root = first + n - 1, right = n == 2 ? 0 : n / 2;
    if (n <= 1)
        return;
    branch_draw(tree, root, root - 1);
    in_order_binary_draw(tree, first + right, n - 1 - right);
    if (right == 0)
        return;
    branch_draw(tree, root, first + right - 1);
    in_order_binary_draw(tree, first, right);
}

/* ---- along a tree, in segments ---- */

struct segments {
    int n;
    int64_t bytes[MOST_SEGMENTS];
};

static inline struct segments segments_cut(int64_t bytes, int64_t segment)
{
    struct segments cut = {0};
    while (segment > 0 && bytes > segment) {
        assert_true(cut.n < MOST_SEGMENTS - 1);
        cut.bytes[cut.n++] = segment;
        bytes -= segment;
    }
    cut.bytes[cut.n++] = bytes;
    return cut;
}

/* Down: segment k is at `node` at arrival[k], and goes to all children before the next one goes to any. Leaves in the
 * clocks when each node has all. */
static inline void tree_pass_down(const struct problem *p, const struct drawn_tree *tree, int32_t node,
                                  const struct segments *cut, const double arrival[], struct clocks *c)
{
    double at[MOST_CHILDREN][MOST_SEGMENTS];
    const int32_t n = tree->n_children[node];
    for (int k = 0; k < cut->n; k++) {
        c->now[node] = arrival[k];
        for (int32_t i = 0; i < n; i++)
            at[i][k] = leaves(p, c, node, cut->bytes[k]);
    }
    for (int32_t i = 0; i < n; i++)
        tree_pass_down(p, tree, tree->children[node][i], cut, at[i], c);
}

/* Up: a node combines segment k with that of each child in turn and sends it on; sent[k] is its arrival. */
static inline void tree_pass_up(const struct problem *p, const struct drawn_tree *tree, int32_t node,
                                const struct segments *cut, double sent[], struct clocks *c)
{
    double at[MOST_CHILDREN][MOST_SEGMENTS];
    const int32_t n = tree->n_children[node];
    for (int32_t i = 0; i < n; i++)
        tree_pass_up(p, tree, tree->children[node][i], cut, at[i], c);
    for (int k = 0; k < cut->n; k++) {
        for (int32_t i = 0; i < n; i++)
            c->now[node] = fmax(c->now[node], at[i][k]) + G(p, cut->bytes[k]);
        sent[k] = leaves(p, c, node, cut->bytes[k]);
    }
}

/* From node 0, which has all segments, until the last node has them. */
static inline double tree_bcast_time(const struct problem *p, const struct drawn_tree *tree)
{
    const struct segments cut = segments_cut(p->s.bytes, p->s.segment);
    const double at_once[MOST_SEGMENTS] = {0};
    struct clocks c = {0};
    tree_pass_down(p, tree, 0, &cut, at_once, &c);
    return last_of(p, &c);
}

/* Until `root` has combined all. */
static inline double tree_reduce_time(const struct problem *p, const struct drawn_tree *tree, int32_t root)
{
    const struct segments cut = segments_cut(p->s.bytes, p->s.segment);
    double unsent[MOST_SEGMENTS];
    struct clocks c = {0};
    tree_pass_up(p, tree, root, &cut, unsent, &c);
    return c.now[root];
}

#endif
