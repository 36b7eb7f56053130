/* carry.h - the operations themselves, once it is known how they are carried out.
 *
 * SPDX-License-Identifier: MIT
 *
 * All processes of place->comm call the same; each returns an MPI error code. Positions and trees: branch.h; order [size]
 * has the rank at each position, the root's first. */
#ifndef PEVPM_COLL_CARRY_H
#define PEVPM_COLL_CARRY_H

#include "coll/coll.h"
#include "coll/place.h"

/* Bytes of `count` of a type, packed: what both sides of a message agree on. < 0: not known. */
int64_t carry_bytes(int count, MPI_Datatype type);

/* Bytes of each process's share, on the root: of the forms with v each its own. */
int64_t carry_share(const struct coll_side *all, int rank);

/* What the root keeps: from its side of all to its own or back, unless one of both is MPI_IN_PLACE. */
int carry_to_oneself(const struct place *place, const struct coll_side *one, const struct coll_side *all, bool up);

/* A Gather(v) whose shares go straight to the root, each in the pieces that the table's line for its bytes says, in one
 * where there is none. A process sends a piece when the root has its last one: eager messages would otherwise leave in one
 * burst, whatever they are cut into. So no more than one piece of each process is on its way. */
int carry_in_pieces(const struct place *place, enum coll_op op, const struct coll_side *one, const struct coll_side *all,
                    int root);

int carry_bcast(const struct place *place, const int order[], void *buf, int count, MPI_Datatype type);

/* begin [size + 1]: where the share of each position begins among those before it, in bytes; begin[size] <= INT_MAX. */
int carry_scatter(const struct place *place, const int order[], const int64_t begin[], const struct coll_side *all,
                  const struct coll_side *one);
int carry_gather(const struct place *place, const int order[], const int64_t begin[], const struct coll_side *one,
                 const struct coll_side *all);

/* The root's list of n numbers for all processes; one of them alone where it is negative. */
int carry_announce(const struct place *place, const int order[], int n, int64_t list[]);

#endif
