/* pair_class.h - numbers for ordered pairs of nodes, shared by the cost models.
 *
 * A machine that tells n nodes apart has n * n classes of pairs between nodes (from * n + to), n within one (n * n +
 * node) and n of a process with itself (n * n + n + node); n = 1 where all nodes are alike: class 0 between, class 1
 * within, class 2 to oneself. Nodes beyond n are taken round robin. */
#ifndef PEVPM_MODELS_PAIR_CLASS_H
#define PEVPM_MODELS_PAIR_CLASS_H

#include "models/transport.h"

#include <stdint.h>

/* n <= 65535, so that every class is below 2^32 - 1. */
static inline uint32_t pair_class_of(uint32_t n, enum transport transport, int from_node, int to_node)
{
    uint32_t from = (uint32_t)from_node % n, to = (uint32_t)to_node % n;
    switch (transport) {
    case TRANSPORT_node:
        return n * n + from;
    case TRANSPORT_self:
        return n * n + n + from;
    case TRANSPORT_network:
    case N_TRANSPORTS:
        break;
    }
    return from * n + to;
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
    return pair_class < n * n + n ? TRANSPORT_node : TRANSPORT_self;
}

#endif
