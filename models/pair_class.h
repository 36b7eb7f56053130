/* pair_class.h - numbers for ordered pairs of nodes, shared by the cost models.
 *
 * A machine that tells n nodes apart has n * n classes of pairs between nodes (from * n + to) and n within one (n * n +
 * node); n = 1 where all nodes are alike: class 0 between, class 1 within. Nodes beyond n are taken round robin. */
#ifndef PEVPM_MODELS_PAIR_CLASS_H
#define PEVPM_MODELS_PAIR_CLASS_H

#include <stdbool.h>
#include <stdint.h>

/* n <= 65535, so that every class is below 2^32 - 1. */
static inline uint32_t pair_class_of(uint32_t n, int from_node, int to_node)
{
    uint32_t from = (uint32_t)from_node % n, to = (uint32_t)to_node % n;
    return from_node == to_node ? n * n + from : from * n + to;
}

/* The nodes of a class; true when they are one node. */
static inline bool pair_class_nodes(uint32_t n, uint32_t pair_class, uint32_t *from, uint32_t *to)
{
    bool within = pair_class >= n * n;
    *from = within ? pair_class - n * n : pair_class / n;
    *to = within ? *from : pair_class % n;
    return within;
}

#endif
