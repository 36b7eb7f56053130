#include "models/machine_path.h"

#include "common/alloc.h"

#include <assert.h>
#include <stdlib.h>

static int trunk_compare(const void *a, const void *b)
{
    const struct machine_trunk *x = a, *y = b;
    if (x->size != y->size)
        return x->size < y->size ? -1 : 1;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    return (x->group > y->group) - (x->group < y->group);
}

static int local_compare(const void *a, const void *b)
{
    const struct machine_trunk *x = a, *y = b;
    if (x->resource->scope != y->resource->scope)
        return x->resource->scope < y->resource->scope ? -1 : 1;
    return (x->line > y->line) - (x->line < y->line);
}

void machine_paths_init(struct machine_paths *paths, const struct machine *machine)
{
    size_t n = 0;
    for (size_t i = 0; i < machine->n_resources; i++)
        n += machine->resources[i].n_groups;
    *paths = (struct machine_paths){.nodes = machine->nodes > 0 ? machine->nodes : 1,
                                    .trunks = alloc_array(n, sizeof *paths->trunks),
                                    .local = alloc_array(machine->n_resources, sizeof *paths->local)};
    for (size_t i = 0; i < machine->n_resources; i++) {
        const struct machine_resource *resource = &machine->resources[i];
        if (resource->transport != TRANSPORT_network)
            paths->local[paths->n_local++] = (struct machine_trunk){.resource = resource, .line = (int)i};
        for (size_t k = 0; k < resource->n_groups; k++) {
            const int group = (int)resource->groups[k];
            const struct node_set *nodes = &machine->groups[group].nodes;
            paths->trunks[paths->n_trunks++] =
                (struct machine_trunk){resource, (int)i, group, nodes, node_set_count(nodes)};
        }
    }
    qsort(paths->trunks, paths->n_trunks, sizeof *paths->trunks, trunk_compare);
    qsort(paths->local, paths->n_local, sizeof *paths->local, local_compare);
}

void machine_paths_free(struct machine_paths *paths)
{
    free(paths->trunks);
    free(paths->local);
}

static bool trunk_has(const struct machine_trunk *trunk, enum resource_direction direction)
{
    return trunk->resource->direction == direction || trunk->resource->direction == RESOURCE_both;
}

/* Groups with trunks lie inside one another or apart: those that hold a node of the group `inner` are it and those
 * that hold all of it. */
static int depth_of(const struct machine_paths *paths, size_t inner, enum resource_direction direction)
{
    const int node = paths->trunks[inner].nodes->stretch[0].first;
    int depth = 0;
    for (size_t i = inner; i < paths->n_trunks; i++)
        depth += trunk_has(&paths->trunks[i], direction) && node_set_has(paths->trunks[i].nodes, node);
    return depth;
}

int machine_paths_depth(const struct machine_paths *paths, enum resource_direction direction)
{
    int deepest = 0;
    for (size_t i = 0; i < paths->n_trunks; i++) {
        const int depth = trunk_has(&paths->trunks[i], direction) ? depth_of(paths, i, direction) : 0;
        deepest = depth > deepest ? depth : deepest;
    }
    return deepest;
}

/* Appends the trunk, if `inside` lies behind it and `outside` does not. */
static void trunk_pass(const struct machine_trunk *trunk, int inside, int outside, enum resource_direction direction,
                       struct path_hop hop[PATH_MOST], int *n)
{
    if (!trunk_has(trunk, direction) || !node_set_has(trunk->nodes, inside) || node_set_has(trunk->nodes, outside))
        return;
    assert(*n < PATH_MOST);
    hop[(*n)++] = (struct path_hop){trunk->line, trunk->group};
}

/* Appends what is shared in the node, if messages of the transport that go that way pass it: those within a node pass
 * what is of the node, whatever sockets they are on, and what is of a socket if they leave it or enter it. */
static void local_pass(const struct machine_trunk *local, enum transport transport, int node,
                       enum resource_direction direction, int owner, struct path_hop hop[PATH_MOST], int *n)
{
    const struct machine_resource *resource = local->resource;
    const bool all = resource->transport == TRANSPORT_node && resource->scope == RESOURCE_OF_node;
    if ((!all && resource->transport != transport) || !trunk_has(local, direction) ||
        (resource->nodes.n > 0 && !node_set_has(&resource->nodes, node)))
        return;
    assert(*n < PATH_MOST);
    hop[(*n)++] = (struct path_hop){local->line, owner};
}

/* What is of a socket is left before what is of the node is passed, and entered after it. */
static int local_path(const struct machine_paths *paths, enum transport transport, struct seat from, struct seat to,
                      struct path_hop hop[PATH_MOST])
{
    const int node = from.node % paths->nodes;
    int n = 0;
    for (size_t i = 0; i < paths->n_local; i++) {
        const bool of_socket = paths->local[i].resource->scope == RESOURCE_OF_socket;
        local_pass(&paths->local[i], transport, node, RESOURCE_out, of_socket ? from.socket : from.node, hop, &n);
    }
    for (size_t i = paths->n_local; transport == TRANSPORT_node && i-- > 0;)
        if (paths->local[i].resource->scope == RESOURCE_OF_socket)
            local_pass(&paths->local[i], transport, node, RESOURCE_in, to.socket, hop, &n);
    return n;
}

int machine_path(const struct machine_paths *paths, enum transport transport, struct seat from, struct seat to,
                 struct path_hop hop[PATH_MOST])
{
    if (transport_is_local(transport))
        return local_path(paths, transport, from, to, hop);
    if (transport != TRANSPORT_network)
        return 0;
    const int from_node = from.node % paths->nodes, to_node = to.node % paths->nodes;
    int n = 0;
    for (size_t i = 0; i < paths->n_trunks; i++)
        trunk_pass(&paths->trunks[i], from_node, to_node, RESOURCE_out, hop, &n);
    for (size_t i = paths->n_trunks; i-- > 0;)
        trunk_pass(&paths->trunks[i], to_node, from_node, RESOURCE_in, hop, &n);
    return n;
}
