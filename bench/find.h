/* find.h - what has to be known before there is a plan: rest, eager limits, sizes, nodes that differ, groups of them,
 * and what all have in common. Each is found once, or taken from the provenance where an earlier run found it. */
#ifndef PEVPM_BENCH_FIND_H
#define PEVPM_BENCH_FIND_H

#include "bench/state.h"

/* A part of the time: the line between two sizes says what those between them take where the middle one lies no further
 * off it. Less finds more sizes, which all have to be measured. */
#define FIND_BEND 0.05

int64_t campaign_find_rest(struct campaign *c);
int64_t campaign_find_eager(struct campaign *c);
/* The same where it probably is `limit`: quicker, and also before anything else was sent. */
int64_t campaign_check_eager(struct campaign *c, int64_t limit);
void campaign_find_sizes(struct campaign *c);
/* What is asked for, or else what is usual; [*n], ascending. */
const int64_t *campaign_sizes_asked(const struct campaign *c, size_t *n);
/* The time, s, that the sizes before the i-th let one expect of it: on the line through the last one and the next of at
 * most half its bytes, for what differs little says nothing of a line. NaN where groups disturb one another at
 * these. */
double campaign_size_line(const struct campaign *c, size_t i);
/* Of messages within a node, where the job has several processes there. */
void campaign_find_node_limit(struct campaign *c);
/* ... and, after that, whether receivers get what is larger themselves: several times 20 ms, more where the network is
 * slow. */
void campaign_find_node_rendezvous(struct campaign *c);
/* ... and from which size on a send of what is eager waits until its receiver is in MPI: five times 20 ms, and fifty more where some
 * do. */
void campaign_find_unread(struct campaign *c);
/* self.c: messages of rank 0 to itself, what there is not yet. A second or two. */
void campaign_self(struct campaign *c);
/* common.c: result->common_gap, measured where ranks share processors, or from the provenance. */
void campaign_find_common(struct campaign *c);
/* ... and result->rests' wake, likewise. */
void campaign_find_waking(struct campaign *c);
/* rest.c: result->rests, measured between the first and the last node, or from the provenance. */
void campaign_find_rest_delay(struct campaign *c);
/* sends.c: result->held, from pairs of nodes that send blocking messages. */
void campaign_find_sends(struct campaign *c);
/* exchange.c: result->known, known_after_rest and known_after_wait, from pairs of nodes that exchange large messages, or, of the
 * first two, from the provenance. */
void campaign_find_exchanges(struct campaign *c);

/* nodes.c: c->classes, and the job's order by them, measured or from the provenance. A second or two, twice
 * where nodes differ. */
void campaign_find_nodes(struct campaign *c);
/* groups.c: what the result knows of groups already: an earlier run found them, or --topology gave them; or the
 * provenance says that there are none, or none that could be told. Before the classes, whose nodes are sorted by
 * groups. */
void campaign_take_groups(struct campaign *c);
/* c->group_of and the result's groups and groups of groups, where they are not known yet. Six looks of a fraction of a second each,
 * however many nodes there are; where there are trunks 10 to 20 more, at most 64, and as many again for groups within groups, and for
 * those around them. */
void campaign_find_groups(struct campaign *c);

#endif
