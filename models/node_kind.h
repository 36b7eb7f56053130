/* node_kind.h - which nodes of a machine are alike in what their messages wait for as they leave and enter a node. */
#ifndef PEVPM_MODELS_NODE_KIND_H
#define PEVPM_MODELS_NODE_KIND_H

#include "models/machine_convert.h"

#include <stdint.h>

/* Of messages between nodes: what those pass that leave a node of the kind, and those that enter it. */
struct node_kind {
    const struct machine_resource *out, *in;
};

struct node_kinds {
    struct resource_list list;
    struct machine_resource none;         /* demands nothing: stands for one that is not there */
    const struct machine_resource *all;   /* what all messages between nodes pass */
    uint32_t n;
    struct node_kind *kinds;              /* [n], n >= 1 */
    int nodes;                            /* those beyond are these taken round robin */
    size_t n_stretches;
    struct { int first; uint32_t kind; } *stretch; /* ascending, from node 0: up to the next one all are of a kind */
};

/* Of a process or a node, passed by messages between nodes. */
bool node_resource_is_port(const struct machine_resource *resource);

/* The machine is borrowed. */
void node_kinds_init(struct node_kinds *kinds, const struct machine *machine);
void node_kinds_free(struct node_kinds *kinds);

/* The kind of a node, an index of `kinds`. */
uint32_t node_kind_of(const struct node_kinds *kinds, int node);

#endif
