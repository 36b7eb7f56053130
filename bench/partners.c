#include "bench/partners.h"

#include "bench/places.h"
#include "common/alloc.h"

#include <limits.h>
#include <stdlib.h>

static bool together(const struct campaign *c, int node, int other)
{
    return !campaign_has_trunks(c) || c->group_of[node] == c->group_of[other];
}

static void pair_add(const struct campaign *c, struct partners *p, struct partner_pair pair)
{
    pair.crosses = c->n_groups > 1 && c->group_of[pair.node] != c->group_of[pair.other];
    pair.slower = c->class_of[pair.other] > c->class_of[pair.node];
    p->pairs[p->n++] = pair;
    p->rounds = pair.round + 1 > p->rounds ? pair.round + 1 : p->rounds;
}

/* The node's next one in its class and group; the number of nodes: there is none. */
static int next_beside(const struct campaign *c, int node)
{
    int other = node + 1;
    while (other < c->crew->job->nodes && (c->class_of[other] != c->class_of[node] || !together(c, node, other)))
        other++;
    return other;
}

/* Pairs nodes with the next one of their group; left [nodes]: nodes without one. */
static void neighbours_pair(const struct campaign *c, size_t class, struct partners *p, bool left[])
{
    const int nodes = c->crew->job->nodes;
    for (int node = 0; node < nodes; node++)
        left[node] = c->class_of[node] == (int)class;
    for (int node = 0; node < nodes; node++) {
        if (!left[node])
            continue;
        const int other = next_beside(c, node);
        if (other == nodes)
            continue;
        left[node] = left[other] = false;
        pair_add(c, p, (struct partner_pair){.node = node, .other = other});
    }
}

/* How well a node serves another one, less is better: a slower one hides its rate, a trunk may, and what a much quicker one
 * sends overflows more. */
static int partner_rank(const struct campaign *c, int node, int other)
{
    const int classes = (int)c->n_classes, apart = c->class_of[other] - c->class_of[node];
    return (apart > 0 ? 2 * classes : 0) + (together(c, node, other) ? 0 : classes) + abs(apart);
}

static int partner_choose(const struct campaign *c, int node)
{
    int best = -1, least = INT_MAX;
    for (int other = 0; other < c->crew->job->nodes; other++)
        if (other != node && partner_rank(c, node, other) < least)
            best = other, least = partner_rank(c, node, other);
    return best;
}

/* Partners within groups are nodes of different groups, for no two nodes of a class are left over in one. */
static void left_pair(const struct campaign *c, struct partners *p, const bool left[])
{
    const int within = p->rounds, nodes = c->crew->job->nodes;
    for (int across = 0; across < 2; across++)
        for (int node = 0, n = 0; node < nodes && n < PARTNERS_ACROSS_MOST; node++) {
            const int other = left[node] ? partner_choose(c, node) : -1;
            if (other < 0 || together(c, node, other) == (across == 1))
                continue;
            pair_add(c, p, (struct partner_pair){node, other, across ? p->rounds : within, .lent = true});
            n += across;
        }
}

struct partners partners_find(const struct campaign *c, size_t class)
{
    const size_t nodes = (size_t)c->crew->job->nodes;
    struct partners p = {.pairs = alloc_array(nodes, sizeof *p.pairs)};
    bool *left = alloc_array(nodes, sizeof *left);
    neighbours_pair(c, class, &p, left);
    left_pair(c, &p, left);
    free(left);
    return p;
}

void partners_free(struct partners *partners)
{
    free(partners->pairs);
    *partners = (struct partners){0};
}
