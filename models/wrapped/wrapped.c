#include "models/wrapped/wrapped.h"

#include <stdlib.h>

const struct cost_model *wrapped_inner(const struct cost_model *model)
{
    return ((const struct wrapped *)model)->inner;
}

static uint32_t wrapped_pair_class(const struct cost_model *model, enum transport transport, int from_node,
                                   int to_node)
{
    const struct cost_model *inner = wrapped_inner(model);
    return inner->pair_class(inner, transport, from_node, to_node);
}

static void wrapped_transit(const struct cost_model *model, uint32_t pair, enum send_kind kind, int64_t bytes,
                            int level, struct mix *mix)
{
    const struct cost_model *inner = wrapped_inner(model);
    inner->transit(inner, pair, kind, bytes, level, mix);
}

static void wrapped_overhead(const struct cost_model *model, uint32_t pair, enum side side, enum send_kind kind,
                             int64_t bytes, struct mix *mix)
{
    const struct cost_model *inner = wrapped_inner(model);
    inner->overhead(inner, pair, side, kind, bytes, mix);
}

static void wrapped_ports_for(const struct cost_model *model, uint32_t pair, int64_t bytes, struct port_cost *cost)
{
    const struct cost_model *inner = wrapped_inner(model);
    inner->ports_for(inner, pair, bytes, cost);
}

static struct node_ports wrapped_node_ports(const struct cost_model *model, int node)
{
    const struct cost_model *inner = wrapped_inner(model);
    return inner->node_ports(inner, node);
}

static int wrapped_path(const struct cost_model *model, enum transport transport, struct seat from, struct seat to,
                        struct path_hop hop[PATH_MOST])
{
    const struct cost_model *inner = wrapped_inner(model);
    return inner->path(inner, transport, from, to, hop);
}

static void wrapped_hop_for(const struct cost_model *model, int32_t resource, int64_t bytes, struct hop_cost *cost,
                            double *acknowledgements)
{
    const struct cost_model *inner = wrapped_inner(model);
    inner->hop_for(inner, resource, bytes, cost, acknowledgements);
}

static void wrapped_sizes(const struct cost_model *model, uint32_t pair, enum send_kind kind,
                          struct measured_range *sizes)
{
    const struct cost_model *inner = wrapped_inner(model);
    inner->sizes(inner, pair, kind, sizes);
}

void wrapped_close(struct cost_model *model)
{
    struct cost_model *taken = ((struct wrapped *)model)->taken;
    if (taken)
        cost_model_close(taken);
    free(model);
}

void wrapped_init(struct wrapped *wrapped, const struct cost_model *inner)
{
    wrapped->door = *inner; /* the plain fields */
    wrapped->door.pair_class = wrapped_pair_class;
    wrapped->door.transit = wrapped_transit;
    wrapped->door.overhead = wrapped_overhead;
    wrapped->door.ports_for = wrapped_ports_for;
    wrapped->door.close = wrapped_close;
    wrapped->inner = inner;
    if (inner->node_ports)
        wrapped->door.node_ports = wrapped_node_ports;
    if (inner->path) {
        wrapped->door.path = wrapped_path;
        wrapped->door.hop_for = wrapped_hop_for;
    }
    if (inner->sizes)
        wrapped->door.sizes = wrapped_sizes;
    wrapped->taken = NULL;
}
