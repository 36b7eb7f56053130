/* groups_search.h - which nodes stand behind one trunk: what to look at next, and when that is enough.
 *
 * A look is an order of the nodes: each sends a burst to the next one, the last to the first. Whether there is anything to
 * find is asked of orders of several kinds, for there is none that fills a trunk whatever nodes stand behind it: of the two
 * halves of the nodes by turns, where stretches of nodes are groups; of the nodes as they are, where groups have them by turns;
 * and of shuffled ones; of four nodes all that there are. As soon as two bursts are slowed groups are fitted (groups_fit.h) and looked at by orders that
 * fill what trunks these would have, that stay within them, and that know nothing of them, until the groups stay the same.
 * Knows nothing of MPI; seconds. */
#ifndef PEVPM_ESTIMATE_GROUPS_SEARCH_H
#define PEVPM_ESTIMATE_GROUPS_SEARCH_H

#include "estimate/machine/nodes_fit.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GROUPS_NODES_LEAST = 4 };

/* nodes >= GROUPS_NODES_LEAST; alone [nodes]: how long each one's ports keep a burst; copied. A burst that is seen to take less
 * than its ports were said to need says that they need less. */
struct groups_search *groups_search_create(int nodes, const struct node_times alone[], uint32_t seed);
void groups_search_destroy(struct groups_search *search);

/* The order [nodes] of the next look; false: it is over. */
bool groups_search_next(struct groups_search *search, int order[]);
/* How long the bursts of that look took: times [nodes], of the one from each node, NAN: it was not seen. Returns how many of them were slowed. */
int groups_search_take(struct groups_search *search, const double times[]);

/* Each node's group, from 0 on in the order of their first nodes; a node of which it cannot be told which others it stands
 * with has a group of its own. Returns how many: 1 where no trunk slowed anything; as many as nodes where bursts were slowed and no
 * groups are known that explain it. */
size_t groups_search_found(struct groups_search *search, int group_of[]);

#endif
