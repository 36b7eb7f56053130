// SPDX-License-Identifier: MIT
/* How each operation is carried out: the same answer in all processes. */
#include "coll/carry.h"

#include <limits.h>
#include <stdlib.h>

/* What is known of the communicator; NULL: the operation is for the MPI library. */
static struct place *place_for(enum coll_op op, int root, MPI_Comm comm)
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
    struct place *place = place_for(COLL_MPI_Bcast, root, comm);
    int64_t bytes = place ? carry_bytes(count, type) : 0;
    const struct coll_row *row = bytes > 0 ? place_row(place, COLL_MPI_Bcast, root, bytes) : NULL;
    if (!row)
        return pass(COLL_MPI_Bcast);
    int *order = coll_memory((size_t)place->size, sizeof *order);
    place_order(place, row, root, order);
    int code = carry_bcast(place, order, buf, count, type);
    free(order);
    return serve(COLL_MPI_Bcast, comm, code, result);
}

/* Over a line's tree. bytes [size]: of each rank's share. */
static int over_tree(const struct place *place, const struct coll_row *row, int root, const int64_t bytes[],
                     const struct coll_side *one, const struct coll_side *all)
{
    int n = place->size;
    int *order = coll_memory((size_t)n, sizeof *order);
    int64_t *begin = coll_memory((size_t)n + 1, sizeof *begin);
    place_order(place, row, root, order);
    for (int p = 0; p < n; p++)
        begin[p + 1] = begin[p] + (p == 0 ? 0 : bytes[order[p]]); /* the root's share stays where it is */
    int code = coll_op_goes_up(row->op) ? carry_gather(place, order, begin, one, all)
                                        : carry_scatter(place, order, begin, all, one);
    free(order);
    free(begin);
    return code;
}

/* ---- shares of the same size, which all processes know ---- */

static bool regular(enum coll_op op, const struct coll_side *one, const struct coll_side *all, int root, MPI_Comm comm,
                    int *result)
{
    struct place *place = place_for(op, root, comm);
    if (!place)
        return pass(op);
    int64_t bytes = place->rank == root ? carry_share(all, root) : carry_bytes(one->count, one->type);
    const struct coll_row *row = bytes > 0 ? place_row(place, op, root, bytes) : NULL;
    if (!row || (row->piece == 0 && bytes > INT_MAX / place->size))
        return pass(op);
    if (row->piece > 0)
        return serve(op, comm, carry_in_pieces(place, op, one, all, root), result);
    int64_t *shares = coll_memory((size_t)place->size, sizeof *shares);
    for (int i = 0; i < place->size; i++)
        shares[i] = bytes;
    int code = over_tree(place, row, root, shares, one, all);
    free(shares);
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

enum { NOT_OVER_A_TREE = -1 };

/* On the root: the line by the mean of the shares, whose bytes are filled in. */
static int64_t line_by_mean(const struct place *place, enum coll_op op, const struct coll_side *all, int root,
                            int64_t bytes[])
{
    int64_t sum = 0;
    for (int i = 0; i < place->size; i++) {
        bytes[i] = carry_share(all, i);
        if (bytes[i] < 0 || bytes[i] > INT_MAX)
            return NOT_OVER_A_TREE;
        sum += bytes[i];
    }
    const struct coll_row *row = sum > 0 && sum <= INT_MAX ? place_row(place, op, root, sum / place->size) : NULL;
    return row && row->piece == 0 ? row - coll.table.rows : NOT_OVER_A_TREE;
}

/* Over a tree, if the root says so: it tells everybody, along the tree of the first line, which line it is and how much each
 * process has. False: not over a tree. */
static bool announced(const struct place *place, const struct coll_row *first, int root, const struct coll_side *one,
                      const struct coll_side *all, int *code)
{
    int n = place->size;
    int *order = coll_memory((size_t)n, sizeof *order);
    int64_t *list = coll_memory((size_t)n + 1, sizeof *list);
    place_order(place, first, root, order);
    if (place->rank == root)
        list[0] = line_by_mean(place, first->op, all, root, list + 1);
    *code = carry_announce(place, order, n + 1, list);
    bool over = *code != MPI_SUCCESS || list[0] >= 0;
    if (*code == MPI_SUCCESS && over)
        *code = over_tree(place, &coll.table.rows[list[0]], root, list + 1, one, all);
    free(order);
    free(list);
    return over;
}

static bool irregular(enum coll_op op, const struct coll_side *one, const struct coll_side *all, int root, MPI_Comm comm,
                      int *result)
{
    struct place *place = place_for(op, root, comm);
    if (!place)
        return pass(op);
    int code;
    const struct coll_row *first = place_row(place, op, root, -1);
    if (first && announced(place, first, root, one, all, &code))
        return serve(op, comm, code, result);
    if (coll_op_goes_up(op) && place_cuts(place, op))
        return serve(op, comm, carry_in_pieces(place, op, one, all, root), result);
    return pass(op);
}

bool coll_scatterv(const struct coll_side *all, const struct coll_side *one, int root, MPI_Comm comm, int *result)
{
    return irregular(COLL_MPI_Scatterv, one, all, root, comm, result);
}

bool coll_gatherv(const struct coll_side *one, const struct coll_side *all, int root, MPI_Comm comm, int *result)
{
    return irregular(COLL_MPI_Gatherv, one, all, root, comm, result);
}
