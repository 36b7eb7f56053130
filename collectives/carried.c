#include "collectives/carried.h"

#include "collectives/schedule_impl.h"
#include "common/alloc.h"

#include <stdlib.h>
#include <string.h>

static bool op_of(enum collective_op op, enum coll_op *found)
{
    const char *name = collective_op_name(op);
    return coll_op_parse(name, strlen(name), found);
}

bool carriage_may(const struct coll_table *table, enum collective_op op, int32_t size)
{
    enum coll_op found;
    return op_of(op, &found) && coll_table_knows(table, found, size);
}

static int64_t *shares_of(const struct schedule *s)
{
    int64_t *shares = alloc_array((size_t)s->size, sizeof *shares);
    for (int32_t rank = 0; rank < s->size; rank++)
        shares[rank] = schedule_share(s, rank);
    return shares;
}

static void tree_fill(struct carriage *c, const struct coll_seats *seats, const struct coll_row *row,
                      const struct schedule *s, const int64_t shares[])
{
    const size_t n = (size_t)s->size;
    int *order = alloc_array(n, sizeof *order);
    int32_t *ranks = alloc_array(n, sizeof *ranks), *position = alloc_array(n, sizeof *position);
    int64_t *begin = shares ? alloc_zeroed(n + 1, sizeof *begin) : NULL;
    choice_order(seats, row, s->root, order);
    for (int32_t p = 0; p < s->size; p++) {
        ranks[p] = order[p];
        position[order[p]] = p;
        if (begin)
            begin[p + 1] = begin[p] + (p == 0 ? 0 : shares[order[p]]);
    }
    free(order);
    c->is_algorithm = true;
    c->algorithm = row->op == COLL_MPI_Bcast ? ALGORITHM_binomial_blocking : ALGORITHM_binomial;
    c->carried.order = ranks;
    c->carried.position = position;
    c->carried.begin = begin;
}

static void pieces_fill(struct carriage *c, const struct coll_table *table, const struct coll_seats *seats,
                        enum coll_op op, const struct schedule *s)
{
    int64_t *pieces = alloc_array((size_t)s->size, sizeof *pieces);
    for (int32_t rank = 0; rank < s->size; rank++)
        pieces[rank] = choice_pieces(table, seats, op, s->root, schedule_share(s, rank));
    c->is_algorithm = true;
    c->algorithm = ALGORITHM_pieces;
    c->carried.pieces = pieces;
}

struct carriage *carriage_make(const struct coll_table *table, const struct coll_seats *seats, const struct schedule *s)
{
    enum coll_op op;
    if (!op_of(s->op, &op))
        return NULL;
    struct carriage *c = alloc_zeroed(1, sizeof *c);
    int64_t *shares = coll_op_is_v(op) ? shares_of(s) : NULL, from = INT64_MAX;
    struct coll_choice choice = shares ? choice_of_shares(table, seats, op, s->root, shares)
                                       : choice_of_equal(table, seats, op, s->root, s->bytes);
    c->way = choice.way;
    if (choice.way == COLL_TREE)
        tree_fill(c, seats, choice.row, s, shares);
    else if (choice.way == COLL_PIECES)
        pieces_fill(c, table, seats, op, s);
    else if (choice.way == COLL_DIRECT) {
        c->is_algorithm = true;
        c->algorithm = ALGORITHM_linear;
    }
    if (op == COLL_MPI_Scatterv && choice.way != COLL_NATIVE)
        c->carried.label = CHOICE_LABEL_BYTES;
    if (op == COLL_MPI_Gatherv)
        from = choice_tree_from(table, seats, op, s->root);
    if (from < INT64_MAX) {
        c->carried.told_from = from;
        c->carried.word = CHOICE_WORD_BYTES;
        c->carried.word_share = choice.way == COLL_TREE ? CHOICE_WORD_BYTES : 0;
    }
    free(shares);
    if (c->is_algorithm || c->carried.told_from > 0)
        return c;
    free(c);
    return NULL;
}

void carriage_free(struct carriage *c)
{
    if (!c)
        return;
    free((void *)c->carried.order);
    free((void *)c->carried.position);
    free((void *)c->carried.begin);
    free((void *)c->carried.pieces);
    free(c);
}

void carriage_apply(const struct carriage *c, struct schedule *s)
{
    s->carried = &c->carried;
    if (!c->is_algorithm)
        return;
    s->algorithm = c->algorithm;
    s->segment = 0;
}
