/* partners.h - whom each node of a class streams to, so that its port is what limits the stream. Pure.
 *
 * Nodes of the class that stand behind one switch are paired with one another, all pairs at once. One that is left over has
 * another node there as its partner, of its class or a quicker one, in a round of its own. Where there is none, one behind
 * another switch: what the stream passes then may be what a trunk passes, so no other stream runs meanwhile. Where all
 * others are slower, one of these. */
#ifndef PEVPM_BENCH_PARTNERS_H
#define PEVPM_BENCH_PARTNERS_H

#include "bench/state.h"

struct partner_pair {
    int node, other;
    int round;    /* from 0 on; those of one round stream at the same time and have no node in common */
    bool lent;    /* only the node's rate is asked for: the other one's is told by another pair, or is of another class */
    bool crosses; /* a trunk may stand between them */
    bool slower;  /* the other one is */
};

struct partners {
    size_t n;
    struct partner_pair *pairs; /* by round */
    int rounds;
};

enum { PARTNERS_ACROSS_MOST = 8 }; /* nodes that stream across a trunk, one at a time, at most: the others have no partner */

/* Of a class of a job of at least two nodes. */
struct partners partners_find(const struct campaign *c, size_t class);
void partners_free(struct partners *partners);

#endif
