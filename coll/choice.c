// SPDX-License-Identifier: MIT
#include "coll/choice.h"

#include "coll/branch.h"

#include <limits.h>

void coll_seats_find(struct coll_seats *seats)
{
    for (int i = 0; i < seats->nodes; i++)
        seats->rank_on[i] = -1;
    seats->apart = true;
    for (int i = 0; i < seats->size; i++) {
        seats->apart = seats->apart && seats->rank_on[seats->node[i]] < 0;
        seats->rank_on[seats->node[i]] = i;
    }
}

static bool mapping_fits(const struct coll_seats *seats, const int mapping[], int root)
{
    for (int i = 0; i < seats->size; i++)
        if (mapping[i] >= seats->nodes || seats->rank_on[mapping[i]] < 0)
            return false;
    return mapping[0] == seats->node[root];
}

/* Whatever the bytes are. */
static bool row_fits(const struct coll_row *row, const struct coll_seats *seats, enum coll_op op, int root)
{
    return seats->apart && row->op == op && row->numprocs == seats->size &&
           (!row->mapping || mapping_fits(seats, row->mapping, root));
}

/* The first line for the operation with this root and `bytes` to send; NULL: none. */
static const struct coll_row *row_for(const struct coll_table *table, const struct coll_seats *seats, enum coll_op op,
                                      int root, int64_t bytes)
{
    for (size_t i = 0; i < table->n; i++) {
        const struct coll_row *row = &table->rows[i];
        if (row->from <= bytes && bytes <= row->to && row_fits(row, seats, op, root))
            return row;
    }
    return NULL;
}

int64_t choice_pieces(const struct coll_table *table, const struct coll_seats *seats, enum coll_op op, int root,
                      int64_t bytes)
{
    const struct coll_row *row = row_for(table, seats, op, root, bytes);
    return row && row->piece > 0 && bytes <= INT32_MAX ? pieces_of(bytes, row->piece) : 1;
}

int64_t choice_tree_from(const struct coll_table *table, const struct coll_seats *seats, enum coll_op op, int root)
{
    int64_t from = INT64_MAX;
    for (size_t i = 0; i < table->n; i++) {
        const struct coll_row *row = &table->rows[i];
        if (row->piece == 0 && row->from < from && row_fits(row, seats, op, root))
            from = row->from;
    }
    return from;
}

struct coll_choice choice_of_equal(const struct coll_table *table, const struct coll_seats *seats, enum coll_op op,
                                   int root, int64_t bytes)
{
    const struct coll_row *row = bytes > 0 ? row_for(table, seats, op, root, bytes) : NULL;
    if (row && row->piece > 0)
        return (struct coll_choice){COLL_PIECES, NULL};
    if (!row || (op != COLL_MPI_Bcast && bytes > INT_MAX / seats->size))
        return (struct coll_choice){COLL_NATIVE, NULL};
    return (struct coll_choice){COLL_TREE, row};
}

/* The mean of shares that a tree may carry; -1: none may. The root's own is not asked how much it has at least. */
static int64_t tree_mean(const struct coll_seats *seats, int root, const int64_t bytes[], int64_t least)
{
    int64_t sum = 0, labels = (int64_t)CHOICE_LABEL_BYTES * seats->size;
    for (int i = 0; i < seats->size; i++) {
        if (bytes[i] < 0 || bytes[i] > INT_MAX || (i != root && bytes[i] < least))
            return -1;
        sum += bytes[i];
    }
    return sum + labels <= INT_MAX ? sum / seats->size : -1;
}

bool choice_cuts(const struct coll_table *table, const struct coll_seats *seats, enum coll_op op)
{
    for (size_t i = 0; i < table->n && seats->apart; i++)
        if (table->rows[i].op == op && table->rows[i].numprocs == seats->size && table->rows[i].piece > 0)
            return true;
    return false;
}

struct coll_choice choice_of_shares(const struct coll_table *table, const struct coll_seats *seats, enum coll_op op,
                                    int root, const int64_t bytes[])
{
    bool up = coll_op_goes_up(op);
    int64_t from = choice_tree_from(table, seats, op, root);
    int64_t mean = from < INT64_MAX ? tree_mean(seats, root, bytes, up ? from : 0) : -1;
    const struct coll_row *row = mean > 0 ? row_for(table, seats, op, root, mean) : NULL;
    if (row && row->piece == 0)
        return (struct coll_choice){COLL_TREE, row};
    if (!up)
        return (struct coll_choice){from < INT64_MAX ? COLL_DIRECT : COLL_NATIVE, NULL};
    return (struct coll_choice){choice_cuts(table, seats, op) ? COLL_PIECES : COLL_NATIVE, NULL};
}

void choice_order(const struct coll_seats *seats, const struct coll_row *row, int root, int order[])
{
    for (int i = 0; i < seats->size; i++)
        order[i] = row->mapping ? seats->rank_on[row->mapping[i]] : (root + i) % seats->size;
}
