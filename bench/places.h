/* places.h - over which of the job's nodes patterns are laid: those of one class, behind one trunk. */
#ifndef PEVPM_BENCH_PLACES_H
#define PEVPM_BENCH_PLACES_H

#include "bench/state.h"

/* The group that one message alone is measured in, and any other: of the class that is being measured, and of all nodes
 * where it has fewer. */
struct shape campaign_pair(const struct campaign *c);
struct shape campaign_shape(const struct campaign *c, int nodes, int ppn);
/* A group of so many processes of a node whose pairs are of the transport, node or socket; of any slots where sockets are not
 * told apart, or no node has two processes such. */
struct shape campaign_local_shape(const struct campaign *c, enum transport transport, int ppn);
/* Whether it is told apart, and every node has two such. */
bool campaign_has_local(const struct campaign *c, enum transport transport);

/* From now on what is measured is that of a class of nodes: patterns lie over these alone, or, where there is one only,
 * over it and the one before it. */
void campaign_class(struct campaign *c, size_t class);
/* The quickest class of at least so many nodes; class 0 where none has. */
size_t campaign_class_of(const struct campaign *c, int nodes);
/* Whether a place is on a node of the class that is being measured. */
bool campaign_in_class(const struct campaign *c, int place);

/* Whether trunks part the nodes, as far as it is known which stand behind which. */
bool campaign_has_trunks(const struct campaign *c);
/* How many nodes of the class, from its first on, patterns of nodes that stand behind one switch are laid over: all where
 * campaign_close parts them; else those of its largest group, or all if it has no two in any. */
int campaign_reach(const struct campaign *c);
/* How many nodes patterns may take of which none stands behind another trunk than the rest, if they begin with as many or
 * a multiple behind the class's first: the greatest number into which its nodes in each group can be parted; where that is 1
 * those of campaign_reach. */
int campaign_close(const struct campaign *c);
/* Whether trunks stand between these: then a trunk that is slower than the class's ports is taken for them. */
bool campaign_crosses(const struct campaign *c);
/* How many nodes stand in a group of one, where there are others; *first: the first of them, -1 where there is none. */
int campaign_alone(const struct campaign *c, int *first);
/* campaign_close where two are too few, as to fill a port: then all of the class, whatever is between them. */
int campaign_crowd(const struct campaign *c);
/* The least number of nodes from `wanted` on into which all of these can be parted, so that no part crosses a trunk;
 * all of them where there are fewer. */
int campaign_close_group(const struct campaign *c, int wanted);
/* How many pairs of neighbours there are, from the first node on, of which none crosses a trunk. */
int campaign_close_pairs(const struct campaign *c);
/* Messages at once on so many nodes, none of which waits for another at a trunk: half a group away within stretches of
 * so many nodes. 0: within all of them. -1: that cannot be; a trunk's waiting would be in the transits as well. */
int campaign_stretch(const struct campaign *c, int nodes);
/* Patterns take the nodes class by class, and in these group by group, where it has most nodes first. Sets the classes' first
 * and n; then the quickest is measured. */
void campaign_order_by_class(struct campaign *c);
/* Patterns take the nodes group by group, the largest first, and so those of groups of groups, until campaign_order_by_class. Of
 * nodes that trunks part. */
void campaign_order_by_group(struct campaign *c);
/* Patterns take these n nodes first, then the others, until campaign_order_by_class. */
void campaign_order_from(struct campaign *c, int n, const int first[]);
/* How many messages a burst to all others in turn may have. What a connection sends while a message of it waits in the
 * port goes together, in full frames; so at the frame no more than two to each. */
int campaign_burst_most(const struct campaign *c, int64_t bytes);

#endif
