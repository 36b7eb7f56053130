/* pair_class.h - numbers for ordered pairs of nodes, shared by the cost models.
 *
 * A machine that tells n nodes apart has n * n classes of pairs between nodes (from * n + to) and for each of the other
 * transports n classes, one for each node; n = 1 where all nodes are alike: a class is the number of its transport then.
 * Nodes beyond n are taken round robin. */
#ifndef PEVPM_MODELS_PAIR_CLASS_H
#define PEVPM_MODELS_PAIR_CLASS_H

#include "models/transport.h"

#include <stdint.h>

/* n <= 65534, so that every class is below 2^32 - 1. */
static inline uint32_t pair_class_of(uint32_t n, enum transport transport, int from_node, int to_node)
{
    uint32_t from = (uint32_t)from_node % n, to = (uint32_t)to_node % n;
    return transport == TRANSPORT_network ? from * n + to : n * n + ((uint32_t)transport - 1) * n + from;
}

/* The nodes of a class, and which way its messages go. */
static inline enum transport pair_class_nodes(uint32_t n, uint32_t pair_class, uint32_t *from, uint32_t *to)
{
    if (pair_class < n * n) {
        *from = pair_class / n;
        *to = pair_class % n;
        return TRANSPORT_network;
    }
    *from = *to = (pair_class - n * n) % n;
    return (enum transport)(1 + (pair_class - n * n) / n);
}

#endif
