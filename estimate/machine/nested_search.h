/* nested_search.h - which nodes stand behind one trunk, and which of these groups behind a further one: what to look at next.
 *
 * A look is an order of all nodes, as groups_search.h has it. First groups are sought among all nodes; then within each of the
 * groups, in all of them at once, until none falls into smaller ones; then around the smallest: groups of two nodes and more take the
 * place of nodes, each sends from all its nodes to those of the next, until none of them share anything further. What a group's burst
 * takes alone is asked of pairs of groups that exchange bursts while the others send within themselves: pair after pair, or, of more
 * than 32 groups, several at a time, in at most 17 looks. A further trunk that carries more than five sixths of what the groups behind
 * it send is not seen, nor one around groups of which there are fewer than four: of three, what two share the third one's own trunk
 * passes as well.
 * The time does not grow with the number of groups, but for what groups_search.h says. Knows nothing of MPI; seconds. */
#ifndef PEVPM_ESTIMATE_NESTED_SEARCH_H
#define PEVPM_ESTIMATE_NESTED_SEARCH_H

#include "estimate/machine/nodes_fit.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* As groups_search_create. */
struct nested_search *nested_search_create(int nodes, const struct node_times alone[], uint32_t seed);
void nested_search_destroy(struct nested_search *search);

/* The order [nodes] of the next look; false: it is over. */
bool nested_search_next(struct nested_search *search, int order[]);

/* How long the bursts of that look took: times [nodes], of the one from each node. What is said of it, for a log. */
struct nested_look {
    int slowed, of;   /* bursts of nodes, or of groups */
    const char *what; /* between which */
};
struct nested_look nested_search_take(struct nested_search *search, const double times[]);

/* What was found, as struct result has groups (results/result.h). */
struct nested_groups {
    int n;           /* groups of nodes; 1: no trunk slowed anything; as many as nodes: of which none are known that explain it */
    int *group_of;   /* [nodes] from 0 on in the order of their first nodes; a node of which it cannot be told which others it stands
                      * with has a group of its own */
    int n_outer;     /* groups of groups */
    int *above;      /* [n + n_outer] the group that each is in, of a greater number; -1: none */
    int untold;      /* a group, or n + n_outer: all nodes, within which bursts were slowed that these groups do not explain, or of
                      * which it cannot be told which others share a further trunk with it; -1: none */
};
void nested_search_found(const struct nested_search *search, struct nested_groups *groups);
void nested_groups_free(struct nested_groups *groups);

#endif
