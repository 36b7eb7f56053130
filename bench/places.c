#include "bench/places.h"

#include "common/alloc.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

static const double REST_ENOUGH = 20e6;      /* ns: no port needs longer, unless that was found */

bool campaign_has_trunks(const struct campaign *c)
{
    return c->n_groups > 1 && c->n_groups < (size_t)c->crew->job->nodes;
}

/* One where nobody has looked yet. */
static int groups_of(const struct campaign *c)
{
    return c->n_groups > 0 ? (int)c->n_groups : 1;
}

/* How many nodes of a class stand in each group; [groups_of], owned by the caller. */
static int *members_count(const struct campaign *c, int class)
{
    int *members = alloc_zeroed((size_t)groups_of(c), sizeof *members);
    for (int node = 0; node < c->crew->job->nodes; node++)
        members[c->group_of[node]] += c->class_of[node] == class;
    return members;
}

static int greatest_divisor(int a, int b)
{
    return b == 0 ? a : greatest_divisor(b, a % b);
}

/* Of the nodes of the class that is being measured. */
struct parts {
    int most;    /* in one group */
    int divisor; /* the greatest that divides how many stand in each */
};

static struct parts parts_of(const struct campaign *c)
{
    int *members = members_count(c, (int)c->class);
    struct parts parts = {0};
    for (size_t group = 0; group < c->n_groups; group++) {
        parts.most = members[group] > parts.most ? members[group] : parts.most;
        parts.divisor = greatest_divisor(parts.divisor, members[group]);
    }
    free(members);
    return parts;
}

int campaign_reach(const struct campaign *c)
{
    if (!campaign_has_trunks(c))
        return c->nodes;
    const struct parts parts = parts_of(c);
    return parts.divisor > 1 || parts.most < 2 ? c->nodes : parts.most;
}

struct shape campaign_shape(const struct campaign *c, int nodes, int ppn)
{
    const struct job *job = c->crew->job;
    const bool fits = nodes <= c->nodes;
    const int run = campaign_reach(c), over = nodes <= run ? run : c->nodes;
    return (struct shape){.first = fits ? c->first : 0, .job_nodes = fits ? over : job->nodes,
                          .job_ppn = job->ppn, .nodes = nodes, .ppn = ppn, .copies = 1};
}

struct shape campaign_pair(const struct campaign *c)
{
    return c->crew->job->nodes > 1 ? campaign_shape(c, 2, 1) : campaign_shape(c, 1, 2);
}

bool campaign_has_local(const struct campaign *c, enum transport transport)
{
    return job_slots_most(c->crew->job, transport) >= 2;
}

struct shape campaign_local_shape(const struct campaign *c, enum transport transport, int ppn)
{
    struct shape shape = campaign_shape(c, 1, ppn);
    if (ppn <= job_slots_most(c->crew->job, transport))
        shape.pairs = transport;
    return shape;
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
    if (!campaign_has_trunks(c))
        return c->nodes;
    const struct parts parts = parts_of(c);
    return parts.divisor > 1 ? parts.divisor : campaign_reach(c);
}

bool campaign_crosses(const struct campaign *c)
{
    const int *order = c->crew->job->order, close = campaign_close(c);
    bool crosses = false;
    for (int i = 1; i < close && campaign_has_trunks(c); i++)
        crosses = crosses || c->group_of[order[c->first + i]] != c->group_of[order[c->first]];
    return crosses;
}

int campaign_alone(const struct campaign *c, int *first)
{
    const int nodes = c->crew->job->nodes;
    int alone = 0;
    *first = -1;
    for (int node = nodes - 1; node >= 0 && c->n_groups > 1; node--) {
        int others = 0;
        for (int other = 0; other < nodes; other++)
            others += other != node && c->group_of[other] == c->group_of[node];
        if (others == 0)
            alone++, *first = node;
    }
    return alone;
}

int campaign_crowd(const struct campaign *c)
{
    const int close = campaign_close(c);
    return close > 2 ? close : c->nodes;
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
    return (close % 2 == 0 ? campaign_reach(c) : close) / 2;
}

int campaign_stretch(const struct campaign *c, int nodes)
{
    const int group = campaign_close(c);
    if (!campaign_has_trunks(c) || nodes <= 2) /* two have each its own way */
        return 0;
    if (group == c->nodes || nodes > campaign_reach(c))
        return -1;
    return nodes % group == 0 ? group : group % nodes == 0 ? 0 : -1;
}

/* Adds the nodes of a class to the n of `order`; returns how many there are then. */
static int order_add(const struct campaign *c, int class, int order[], int n)
{
    const int nodes = c->crew->job->nodes, groups = groups_of(c);
    int *members = members_count(c, class);
    for (int turn = 0; turn < groups; turn++) {
        int group = 0; /* the first one of those with most nodes that are left */
        for (int i = 1; i < groups; i++)
            group = members[i] > members[group] ? i : group;
        for (int node = 0; node < nodes; node++)
            if (c->class_of[node] == class && c->group_of[node] == group && members[group] > 0)
                order[n++] = node;
        members[group] = 0;
    }
    free(members);
    return n;
}

void campaign_order_by_class(struct campaign *c)
{
    int *order = alloc_array((size_t)c->crew->job->nodes, sizeof *order), n = 0;
    for (size_t k = 0; k < c->n_classes; k++) {
        c->classes[k].first = n;
        n = order_add(c, (int)k, order, n);
        c->classes[k].n = n - c->classes[k].first;
    }
    crew_order_nodes(c->crew, order);
    free(order);
    campaign_class(c, 0);
}

/* Adds the nodes of all groups that are in `above`, -1: in none, to the n of `order`; returns how many there are then. members: of
 * each group that has not been added. */
static int tree_add(const struct campaign *c, int above, int members[], int order[], int n)
{
    const int groups = (int)(c->result->n_groups + c->result->n_outer);
    for (;;) {
        int group = -1; /* the first one of those with most nodes that are left */
        for (int i = 0; i < groups; i++)
            if (c->result->above[i] == above && members[i] > (group < 0 ? 0 : members[group]))
                group = i;
        if (group < 0)
            return n;
        for (int node = 0; node < c->crew->job->nodes; node++)
            if (c->group_of[node] == group)
                order[n++] = node;
        members[group] = 0;
        n = tree_add(c, group, members, order, n);
    }
}

void campaign_order_by_group(struct campaign *c)
{
    const int nodes = c->crew->job->nodes, groups = (int)(c->result->n_groups + c->result->n_outer);
    int *order = alloc_array((size_t)nodes, sizeof *order), *members = alloc_zeroed((size_t)groups, sizeof *members);
    for (int group = 0; group < groups; group++)
        for (int node = 0; node < nodes; node++)
            members[group] += result_group_has(c->result, group, node);
    tree_add(c, -1, members, order, 0);
    crew_order_nodes(c->crew, order);
    free(members);
    free(order);
}

void campaign_order_from(struct campaign *c, int n, const int first[])
{
    const int nodes = c->crew->job->nodes;
    int *order = alloc_array((size_t)nodes, sizeof *order);
    bool *taken = alloc_zeroed((size_t)nodes, sizeof *taken);
    for (int i = 0; i < n; i++) {
        order[i] = first[i];
        taken[first[i]] = true;
    }
    for (int node = 0; node < nodes; node++)
        if (!taken[node])
            order[n++] = node;
    crew_order_nodes(c->crew, order);
    free(taken);
    free(order);
}

int campaign_burst_most(const struct campaign *c, int64_t bytes)
{
    return campaign_is_at_frame(c, bytes) ? 2 * (campaign_close(c) - 1) : INT_MAX;
}
