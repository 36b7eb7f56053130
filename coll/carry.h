/* carry.h - the operations themselves, once it is known how they are carried out.
 *
 * SPDX-License-Identifier: MIT
 *
 * All processes of place->comm call the same; each returns an MPI error code. Positions and trees: branch.h; order
 * [size] has the rank at each position, the root's first. */
#ifndef PEVPM_COLL_CARRY_H
#define PEVPM_COLL_CARRY_H

#include "coll/coll.h"
#include "coll/place.h"

/* Bytes of `count` of a type, packed: what both sides of a message agree on. < 0: not known. */
int64_t carry_bytes(int count, MPI_Datatype type);

/* Bytes of each process's share, on the root: of the forms with v each its own. */
int64_t carry_share(const struct coll_side *all, int rank);

/* A Gather(v) whose shares go straight to the root, each in the pieces that the table's line for its bytes says, in one
 * where there is none. A process sends a piece when the root has its last one: eager messages would otherwise leave in
 * one burst, whatever they are cut into. So no more than one piece of each process is on its way. */
int carry_in_pieces(const struct coll_place *place, enum coll_op op, const struct coll_side *one,
                    const struct coll_side *all, int root);

int carry_bcast(const struct coll_place *place, const int order[], void *buf, int count, MPI_Datatype type);

/* begin [size + 1]: where the share of each position begins among those before it, in bytes; begin[size] <= INT_MAX. A
 * process needs it from its own position to the end of its subtree. */
int carry_scatter(const struct coll_place *place, const int order[], const int64_t begin[], const struct coll_side *all,
                  const struct coll_side *one);
int carry_gather(const struct coll_place *place, const int order[], const int64_t begin[], const struct coll_side *one,
                 const struct coll_side *all);

/* A Scatterv on its root, which alone knows how: over the tree of a line of coll.table, or (NULL) straight to each, as
 * the MPI libraries do it. bytes [size]: of the shares. On the others: whichever comes. What comes over a tree is
 * longer than the share, by its labels (choice.h); it tells the line. */
int carry_scatterv_out(const struct coll_place *place, const struct coll_row *row, const int64_t bytes[],
                       const struct coll_side *all, const struct coll_side *one);
int carry_scatterv_in(const struct coll_place *place, int root, const struct coll_side *one);

/* A Gatherv's root tells each process that has `from` bytes or more how it goes: over the tree of a line, or (NULL)
 * not. Such a process hears; begin [size + 1] is what carry_gather needs of it, where *row is not NULL. */
int carry_tell(const struct coll_place *place, const struct coll_row *row, int root, int64_t from,
               const int64_t bytes[]);
int carry_hear(const struct coll_place *place, int root, const struct coll_row **row, int64_t begin[]);

#endif
