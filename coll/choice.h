/* choice.h - which line of the table an operation on a communicator goes by, and what follows from it.
 *
 * SPDX-License-Identifier: MIT
 *
 * The library asks (operation.c), and who predicts what it does (collectives/carried.h). No MPI here. */
#ifndef PEVPM_COLL_CHOICE_H
#define PEVPM_COLL_CHOICE_H

#include "coll/table.h"

/* Where the processes of a communicator are. */
struct coll_seats {
    int size, nodes;
    int *node;      /* [size] of each rank, 0 .. nodes - 1 */
    int *rank_on;   /* [nodes] the rank on each node; -1: none */
    bool apart;     /* no two on one node */
};

/* rank_on and apart from the rest. */
void coll_seats_find(struct coll_seats *seats);

/* How many pieces a share of the operation is cut into; 1: it goes as what it is. */
int64_t choice_pieces(const struct coll_table *table, const struct coll_seats *seats, enum coll_op op, int root,
                      int64_t bytes);

/* Whether some line cuts shares of the operation into pieces. */
bool choice_cuts(const struct coll_table *table, const struct coll_seats *seats, enum coll_op op);

/* The least bytes that a line over a tree has for the operation and the root; INT64_MAX: there is none. A Gatherv's
 * process with a share of so many bytes or more is told by the root how the operation goes. */
int64_t choice_tree_from(const struct coll_table *table, const struct coll_seats *seats, enum coll_op op, int root);

/*   NATIVE  the MPI library's own; in a Gatherv after the root has told
 *   DIRECT  a Scatterv: from the root to each, also what is empty
 *   PIECES  a Gather(v) straight to the root, each share in choice_pieces
 *   TREE    over row's tree */
enum coll_way { COLL_NATIVE, COLL_DIRECT, COLL_PIECES, COLL_TREE };
struct coll_choice {
    enum coll_way way;
    const struct coll_row *row; /* of TREE */
};

/* Of a Bcast of `bytes`, or of shares that all have `bytes`: all processes come to the same. */
struct coll_choice choice_of_equal(const struct coll_table *table, const struct coll_seats *seats, enum coll_op op,
                                   int root, int64_t bytes);

/* Of a Scatterv or a Gatherv with bytes [size]; -1: not known. The root alone can tell. A Gatherv goes over a tree
 * where each share but the root's has choice_tree_from bytes, and the mean is one of a tree's line. */
struct coll_choice choice_of_shares(const struct coll_table *table, const struct coll_seats *seats, enum coll_op op,
                                    int root, const int64_t bytes[]);

/* The rank at each position of a line's tree, order[0] being the root. */
void choice_order(const struct coll_seats *seats, const struct coll_row *row, int root, int order[]);

/* A message of a Scatterv's tree has an item for each position of its subtree, one after the other: the number of the
 * line and the bytes of the share, 8 each, and then the share. So what goes on to a child is a part of what has
 * come. */
enum { CHOICE_LABEL_BYTES = 16 };

/* The root's word in a Gatherv: the number of the line, -1 for none; and of a tree the bytes of each share of the
 * receiver's subtree. 8 each. */
enum { CHOICE_WORD_BYTES = 8 };

#endif
