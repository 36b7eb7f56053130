#include "models/node_kind.h"

#include "common/alloc.h"

#include <stdlib.h>

static bool is_of(const struct machine_resource *resource, int node)
{
    return resource->nodes.n == 0 || node_set_has(&resource->nodes, node);
}

bool node_resource_is_port(const struct machine_resource *resource)
{
    return resource->scope <= RESOURCE_OF_node && resource->transport == TRANSPORT_network;
}

static struct node_kind kind_at(const struct node_kinds *kinds, int node)
{
    struct node_kind kind = {&kinds->none, &kinds->none};
    for (size_t i = 0; i < kinds->list.n; i++) {
        const struct machine_resource *resource = &kinds->list.of[i];
        if (!node_resource_is_port(resource) || !is_of(resource, node))
            continue;
        if (resource->direction != RESOURCE_in)
            kind.out = resource;
        if (resource->direction != RESOURCE_out)
            kind.in = resource;
    }
    return kind;
}

static int int_compare(const void *a, const void *b)
{
    const int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* The nodes from which on others are alike: where the sets of ports begin and end. *n of them, ascending. */
static int *borders_of(const struct node_kinds *kinds, size_t *n)
{
    size_t most = 1;
    for (size_t i = 0; i < kinds->list.n; i++)
        most += 2 * kinds->list.of[i].nodes.n;
    int *border = alloc_array(most, sizeof *border);
    size_t k = 0;
    border[k++] = 0;
    for (size_t i = 0; i < kinds->list.n; i++) {
        const struct node_set *nodes = &kinds->list.of[i].nodes;
        for (size_t j = 0; node_resource_is_port(&kinds->list.of[i]) && j < nodes->n; j++) {
            border[k++] = nodes->stretch[j].first;
            if (nodes->stretch[j].last + 1 < kinds->nodes)
                border[k++] = nodes->stretch[j].last + 1;
        }
    }
    qsort(border, k, sizeof *border, int_compare);
    *n = 0;
    for (size_t i = 0; i < k; i++)
        if (*n == 0 || border[i] != border[*n - 1])
            border[(*n)++] = border[i];
    return border;
}

static uint32_t kind_add(struct node_kinds *kinds, struct node_kind kind)
{
    for (uint32_t i = 0; i < kinds->n; i++)
        if (kinds->kinds[i].out == kind.out && kinds->kinds[i].in == kind.in)
            return i;
    kinds->kinds[kinds->n] = kind;
    return kinds->n++;
}

void node_kinds_init(struct node_kinds *kinds, const struct machine *machine)
{
    *kinds = (struct node_kinds){.nodes = machine->n_node_ports > 0 ? (int)machine->n_node_ports
                                          : machine->nodes > 0      ? machine->nodes
                                                                    : 1};
    resource_list_init(&kinds->list, machine);
    kinds->all = &kinds->none;
    for (size_t i = 0; i < kinds->list.n; i++)
        if (kinds->list.of[i].scope == RESOURCE_OF_all)
            kinds->all = &kinds->list.of[i];
    int *border = borders_of(kinds, &kinds->n_stretches);
    kinds->kinds = alloc_array(kinds->n_stretches, sizeof *kinds->kinds);
    kinds->stretch = alloc_array(kinds->n_stretches, sizeof *kinds->stretch);
    for (size_t i = 0; i < kinds->n_stretches; i++) {
        kinds->stretch[i].first = border[i];
        kinds->stretch[i].kind = kind_add(kinds, kind_at(kinds, border[i]));
    }
    free(border);
}

void node_kinds_free(struct node_kinds *kinds)
{
    resource_list_free(&kinds->list);
    free(kinds->kinds);
    free(kinds->stretch);
}

uint32_t node_kind_of(const struct node_kinds *kinds, int node)
{
    size_t low = 0, high = kinds->n_stretches;
    node %= kinds->nodes;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (kinds->stretch[middle].first <= node)
            low = middle;
        else
            high = middle;
    }
    return kinds->stretch[low].kind;
}
