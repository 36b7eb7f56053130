/* topology.h - the trees along which collectives send: who is above a process, who below, in the order in which it
 * sends.
 *
 * Source: Open MPI 4.1, coll/base/coll_base_topo.c. Positions are distances from the tree's root round the circle of
 * ranks, 0 = the root itself. O(log P). */
#ifndef PEVPM_COLLECTIVES_TOPOLOGY_H
#define PEVPM_COLLECTIVES_TOPOLOGY_H

#include <stdint.h>

enum tree_shape {
    TREE_CHAIN,
    TREE_BINOMIAL,          /* parent: without the highest bit; children nearest first */
    TREE_BINOMIAL_IN_ORDER, /* parent: without the lowest bit; children nearest first; a subtree is a run */
    TREE_KNOMIAL,           /* the same with KNOMIAL_RADIX, children farthest first */
    TREE_BINARY,            /* children of p on level l: p + 2^l, p + 2^(l+1): odd positions left, even ones right */
    TREE_BINARY_IN_ORDER,   /* of ranks, not distances: its root is the last rank */
};

/* coll_tuned_bcast_knomial_radix, its default. */
enum { KNOMIAL_RADIX = 4, TREE_CHILDREN = 48 /* 3 for each of the 16 digits of 2^31 */ };

struct tree_node {
    int32_t parent;         /* -1: none */
    int32_t n_children;
    int32_t children[TREE_CHILDREN];
};

/* The node at `position`, 0 <= position < size. */
void tree_node_init(struct tree_node *node, enum tree_shape shape, int32_t size, int32_t position);

#endif
