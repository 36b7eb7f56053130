// SPDX-License-Identifier: MIT
/* How each operation is carried out: the same answer in all processes. */
#include "coll/carry.h"

#include <limits.h>
#include <stdlib.h>

/* What is known of the communicator; NULL: the operation is for the MPI library. */
static struct coll_place *place_for(enum coll_op op, int root, MPI_Comm comm)
{
    int between, size;
    if (!coll.on || comm == MPI_COMM_NULL || PMPI_Comm_test_inter(comm, &between) != MPI_SUCCESS || between ||
        PMPI_Comm_size(comm, &size) != MPI_SUCCESS || root < 0 || root >= size ||
        !coll_table_knows(&coll.table, op, size))
        return NULL;
    return place_of(comm);
}

static bool pass(enum coll_op op)
{
    if (coll.on)
        __atomic_fetch_add(&coll.passed[op], 1, __ATOMIC_RELAXED);
    return false;
}

/* The library's communicator returns errors; they are told to the program's. */
static bool serve(enum coll_op op, MPI_Comm comm, int code, int *result)
{
    __atomic_fetch_add(&coll.served[op], 1, __ATOMIC_RELAXED);
    if (code != MPI_SUCCESS)
        PMPI_Comm_call_errhandler(comm, code);
    *result = code;
    return true;
}

bool coll_bcast(void *buf, int count, MPI_Datatype type, int root, MPI_Comm comm, int *result)
{
    struct coll_place *place = place_for(COLL_MPI_Bcast, root, comm);
    struct coll_choice choice = {COLL_NATIVE, NULL};
    if (place)
        choice = choice_of_equal(&coll.table, &place->seats, COLL_MPI_Bcast, root, carry_bytes(count, type));
    if (choice.way == COLL_NATIVE)
        return pass(COLL_MPI_Bcast);
    int *order = coll_memory((size_t)place->size, sizeof *order);
    choice_order(&place->seats, choice.row, root, order);
    int code = carry_bcast(place, order, buf, count, type);
    free(order);
    return serve(COLL_MPI_Bcast, comm, code, result);
}

/* Over a line's tree. begin: as carry_scatter and carry_gather want it. */
static int over_tree(const struct coll_place *place, const struct coll_row *row, int root, const int64_t begin[],
                     const struct coll_side *one, const struct coll_side *all)
{
    int *order = coll_memory((size_t)place->size, sizeof *order);
    choice_order(&place->seats, row, root, order);
    int code = coll_op_goes_up(row->op) ? carry_gather(place, order, begin, one, all)
                                        : carry_scatter(place, order, begin, all, one);
    free(order);
    return code;
}

/* ---- shares of the same size, which all processes know ---- */

static bool regular(enum coll_op op, const struct coll_side *one, const struct coll_side *all, int root, MPI_Comm comm,
                    int *result)
{
    struct coll_place *place = place_for(op, root, comm);
    if (!place)
        return pass(op);
    int64_t bytes = place->rank == root ? carry_share(all, root) : carry_bytes(one->count, one->type);
    struct coll_choice choice = choice_of_equal(&coll.table, &place->seats, op, root, bytes);
    if (choice.way == COLL_NATIVE)
        return pass(op);
    if (choice.way == COLL_PIECES)
        return serve(op, comm, carry_in_pieces(place, op, one, all, root), result);
    int64_t *begin = coll_memory((size_t)place->size + 1, sizeof *begin);
    for (int p = 1; p < place->size; p++) /* the root's share stays where it is */
        begin[p + 1] = begin[p] + bytes;
    int code = over_tree(place, choice.row, root, begin, one, all);
    free(begin);
    return serve(op, comm, code, result);
}

bool coll_scatter(const struct coll_side *all, const struct coll_side *one, int root, MPI_Comm comm, int *result)
{
    return regular(COLL_MPI_Scatter, one, all, root, comm, result);
}

bool coll_gather(const struct coll_side *one, const struct coll_side *all, int root, MPI_Comm comm, int *result)
{
    return regular(COLL_MPI_Gather, one, all, root, comm, result);
}

/* ---- shares that only the root knows ---- */

/* On the root: all shares; the caller's. */
static int64_t *shares_of(const struct coll_place *place, const struct coll_side *all)
{
    int64_t *bytes = coll_memory((size_t)place->size, sizeof *bytes);
    for (int i = 0; i < place->size; i++)
        bytes[i] = carry_share(all, i);
    return bytes;
}

bool coll_scatterv(const struct coll_side *all, const struct coll_side *one, int root, MPI_Comm comm, int *result)
{
    const enum coll_op op = COLL_MPI_Scatterv;
    struct coll_place *place = place_for(op, root, comm);
    if (!place || choice_tree_from(&coll.table, &place->seats, op, root) == INT64_MAX)
        return pass(op);
    int code;
    if (place->rank == root) {
        int64_t *bytes = shares_of(place, all);
        struct coll_choice choice = choice_of_shares(&coll.table, &place->seats, op, root, bytes);
        code = carry_scatterv_out(place, choice.row, bytes, all, one);
        free(bytes);
    } else {
        code = carry_scatterv_in(place, root, one);
    }
    place->scatterv++;
    return serve(op, comm, code, result);
}

/* What all come to: *row is that of a tree, whose begin [size + 1] is then known as carry_gather wants it. */
static int gatherv_agree(const struct coll_place *place, int root, int64_t from, const struct coll_side *one,
                         const struct coll_side *all, const struct coll_row **row, int64_t begin[])
{
    *row = NULL;
    if (place->rank != root)
        return carry_bytes(one->count, one->type) < from ? MPI_SUCCESS : carry_hear(place, root, row, begin);
    int64_t *bytes = shares_of(place, all);
    int *order = coll_memory((size_t)place->size, sizeof *order);
    *row = choice_of_shares(&coll.table, &place->seats, COLL_MPI_Gatherv, root, bytes).row;
    int code = carry_tell(place, *row, root, from, bytes);
    if (*row)
        choice_order(&place->seats, *row, root, order);
    for (int p = 1; *row && p < place->size; p++)
        begin[p + 1] = begin[p] + bytes[order[p]];
    free(bytes);
    free(order);
    return code;
}

bool coll_gatherv(const struct coll_side *one, const struct coll_side *all, int root, MPI_Comm comm, int *result)
{
    const enum coll_op op = COLL_MPI_Gatherv;
    struct coll_place *place = place_for(op, root, comm);
    if (!place)
        return pass(op);
    const struct coll_row *row = NULL;
    int64_t from = choice_tree_from(&coll.table, &place->seats, op, root);
    int64_t *begin = coll_memory((size_t)place->size + 1, sizeof *begin);
    int code = from < INT64_MAX ? gatherv_agree(place, root, from, one, all, &row, begin) : MPI_SUCCESS;
    bool ours = row || code != MPI_SUCCESS || choice_cuts(&coll.table, &place->seats, op);
    if (row && code == MPI_SUCCESS)
        code = over_tree(place, row, root, begin, one, all);
    else if (ours && code == MPI_SUCCESS)
        code = carry_in_pieces(place, op, one, all, root);
    free(begin);
    return ours ? serve(op, comm, code, result) : pass(op);
}
