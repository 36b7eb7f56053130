/* side.h - which neighbour is meant, where two are one.
 *
 * Where an axis of a grid had two processes in all that was recorded, the one before and the next are the same. What is
 * likelier then is what programs made of recordings take as well (docs/recording.md): a send alone goes to the next; of
 * several to one partner in one function the first goes to the one before, the second to the next, and so on; a receive
 * is from whom the send with its tag comes. */
#ifndef PEVPM_ANNOTATE_SIDE_H
#define PEVPM_ANNOTATE_SIDE_H

#include "annotate/plan.h"

/* Of a call's partner, PLAN_peer or PLAN_peer2: 1 the next, -1 the one before; 0 of all else. */
int side_of(const struct plan *plan, int node, enum plan_field field);

#endif
