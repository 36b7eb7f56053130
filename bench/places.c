#include "bench/places.h"

#include "common/alloc.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

static const double REST_ENOUGH = 20e6;      /* ns: no port needs longer, unless that was found */

struct shape campaign_shape(const struct campaign *c, int nodes, int ppn)
{
    const struct job *job = c->crew->job;
    const bool fits = nodes <= c->nodes;
    return (struct shape){.first = fits ? c->first : 0, .job_nodes = fits ? c->nodes : job->nodes,
                          .job_ppn = job->ppn, .nodes = nodes, .ppn = ppn, .copies = 1};
}

struct shape campaign_pair(const struct campaign *c)
{
    return c->crew->job->nodes > 1 ? campaign_shape(c, 2, 1) : campaign_shape(c, 1, 2);
}

void campaign_class(struct campaign *c, size_t class)
{
    const struct node_class *of = &c->classes[class];
    const int nodes = c->crew->job->nodes;
    c->class = class;
    c->rest = (int64_t)fmax((double)c->rest_found, fmin((double)c->rest_found * of->slower, REST_ENOUGH));
    c->first = of->n == 1 && of->first > 0 ? of->first - 1 : of->first;
    c->nodes = of->n == 1 && nodes > 1 ? 2 : of->n;
}

size_t campaign_class_of(const struct campaign *c, int nodes)
{
    for (size_t class = 0; class < c->n_classes; class++)
        if (c->classes[class].n >= nodes)
            return class;
    return 0;
}

bool campaign_in_class(const struct campaign *c, int place)
{
    return c->class_of[place / c->crew->job->ppn] == (int)c->class;
}

int campaign_close(const struct campaign *c)
{
    const size_t nodes = (size_t)c->crew->job->nodes;
    if (c->n_groups <= 1 || c->n_groups == nodes || c->n_classes > 1 || nodes % c->n_groups != 0)
        return c->nodes;
    const size_t size = nodes / c->n_groups;
    return (size_t)campaign_largest_group(c) == size ? (int)size : c->nodes;
}

int campaign_close_group(const struct campaign *c, int wanted)
{
    const int close = campaign_close(c);
    int nodes = wanted < close ? wanted : close;
    while (close < c->nodes && close % nodes != 0)
        nodes++;
    return nodes;
}

int campaign_close_pairs(const struct campaign *c)
{
    const int close = campaign_close(c);
    return (close % 2 == 0 ? c->nodes : close) / 2;
}

int campaign_largest_group(const struct campaign *c)
{
    const size_t nodes = (size_t)c->crew->job->nodes;
    int *sizes = alloc_zeroed(nodes, sizeof *sizes), largest = 0;
    for (size_t node = 0; node < nodes; node++) {
        const int size = ++sizes[c->group_of[node]];
        largest = size > largest ? size : largest;
    }
    free(sizes);
    return largest;
}

int campaign_stretch(const struct campaign *c, int nodes)
{
    const int group = campaign_close(c);
    if (c->n_groups <= 1 || c->n_groups == (size_t)c->crew->job->nodes || nodes <= 2) /* two have each its own way */
        return 0;
    if (group == c->nodes)
        return -1;
    return nodes % group == 0 ? group : group % nodes == 0 ? 0 : -1;
}

int campaign_order_add(const struct campaign *c, int class, int order[], int n)
{
    const int nodes = c->crew->job->nodes, groups = c->n_groups > 0 ? (int)c->n_groups : 1;
    for (int group = 0; group < groups; group++)
        for (int node = 0; node < nodes; node++)
            if ((class < 0 || c->class_of[node] == class) && c->group_of[node] == group)
                order[n++] = node;
    return n;
}

void campaign_order_by_group(struct campaign *c)
{
    int *order = alloc_array((size_t)c->crew->job->nodes, sizeof *order);
    campaign_order_add(c, -1, order, 0);
    crew_order_nodes(c->crew, order);
    free(order);
}

int campaign_burst_most(const struct campaign *c, int64_t bytes)
{
    return campaign_is_at_frame(c, bytes) ? 2 * (campaign_close(c) - 1) : INT_MAX;
}
