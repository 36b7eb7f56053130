// SPDX-License-Identifier: MIT
/* What operations of all kinds need, and those over trees. */
#include "coll/carry.h"

#include "coll/branch.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

enum { TAG = 1 }; /* messages of a pair come in the order in which both sides go through the operations; only a process of
                   * a Scatterv does not know whom it waits for */

#define TRY(call)                        \
    do {                                 \
        int tried = (call);              \
        if (tried != MPI_SUCCESS) {      \
            result = tried;              \
            goto out;                    \
        }                                \
    } while (0)

int64_t carry_bytes(int count, MPI_Datatype type)
{
    MPI_Count size;
    if (count < 0 || type == MPI_DATATYPE_NULL || PMPI_Type_size_x(type, &size) != MPI_SUCCESS ||
        size == MPI_UNDEFINED)
        return -1;
    return count * (int64_t)size;
}

int64_t carry_share(const struct coll_side *all, int rank)
{
    return carry_bytes(all->counts ? all->counts[rank] : all->count, all->type);
}

/* The share of a rank on the root's side. */
static void *share_at(const struct coll_side *all, int rank)
{
    MPI_Aint low, extent;
    PMPI_Type_get_extent(all->type, &low, &extent);
    MPI_Aint items = all->displs ? all->displs[rank] : (MPI_Aint)rank * all->count;
    return (char *)all->buf + items * extent;
}

static int share_count(const struct coll_side *all, int rank)
{
    return all->counts ? all->counts[rank] : all->count;
}

/* What the root keeps: from its side of all to its own or back, unless one of both is MPI_IN_PLACE. */
static int to_oneself(const struct coll_place *place, const struct coll_side *one, const struct coll_side *all, bool up)
{
    if (one->buf == MPI_IN_PLACE || all->buf == MPI_IN_PLACE)
        return MPI_SUCCESS;
    void *share = share_at(all, place->rank);
    int count = share_count(all, place->rank);
    if (up)
        return PMPI_Sendrecv(one->buf, one->count, one->type, place->rank, TAG, share, count, all->type, place->rank,
                             TAG, place->comm, MPI_STATUS_IGNORE);
    return PMPI_Sendrecv(share, count, all->type, place->rank, TAG, one->buf, one->count, one->type, place->rank, TAG,
                         place->comm, MPI_STATUS_IGNORE);
}

/* ---- in pieces ---- */

/* Bytes may be sent from and received to the buffer itself: it holds them one after the other. A type that MPI has not
 * named may have them in any order. */
static bool is_plain(MPI_Datatype type)
{
    int integers, addresses, types, combiner, size;
    MPI_Aint low, extent;
    return PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner) == MPI_SUCCESS &&
           combiner == MPI_COMBINER_NAMED && PMPI_Type_get_extent(type, &low, &extent) == MPI_SUCCESS &&
           PMPI_Type_size(type, &size) == MPI_SUCCESS && low == 0 && extent == size;
}

static int piece_bytes(int64_t M, int64_t m, int64_t k)
{
    return (int)(piece_begin(M, m, k + 1) - piece_begin(M, m, k));
}

static int send_in_pieces(const struct coll_place *place, const struct coll_side *one, int64_t M, int64_t m, int root)
{
    int result = MPI_SUCCESS, end = 0;
    char *packed = NULL;
    if (M == 0)
        return MPI_SUCCESS;
    if (m == 1)
        return PMPI_Send(one->buf, one->count, one->type, root, TAG, place->comm);
    if (!is_plain(one->type)) {
        packed = coll_memory((size_t)M, 1);
        TRY(PMPI_Pack(one->buf, one->count, one->type, packed, (int)M, &end, place->comm));
    }
    const char *bytes = packed ? packed : one->buf;
    for (int64_t k = 0; k < m; k++) {
        if (k > 0)
            TRY(PMPI_Recv(NULL, 0, MPI_BYTE, root, TAG, place->comm, MPI_STATUS_IGNORE));
        TRY(PMPI_Send(bytes + piece_begin(M, m, k), piece_bytes(M, m, k), MPI_BYTE, root, TAG, place->comm));
    }
out:
    free(packed);
    return result;
}

/* What is on its way to the root from one process. */
struct coming {
    int64_t M, m, k; /* its share, in so many pieces, k of which have been asked for */
    char *bytes;     /* where pieces go */
    char *packed;    /* the same where they are unpacked afterwards; else NULL */
};

static int ask(const struct coll_place *place, struct coming *from, int rank, const struct coll_side *all,
               MPI_Request *request)
{
    int result = MPI_SUCCESS;
    if (from->m == 1) {
        from->k = 1;
        return PMPI_Irecv(share_at(all, rank), share_count(all, rank), all->type, rank, TAG, place->comm, request);
    }
    int64_t k = from->k++;
    TRY(PMPI_Irecv(from->bytes + piece_begin(from->M, from->m, k), piece_bytes(from->M, from->m, k), MPI_BYTE, rank,
                   TAG, place->comm, request));
    if (k > 0)
        TRY(PMPI_Send(NULL, 0, MPI_BYTE, rank, TAG, place->comm));
out:
    return result;
}

/* As MPI_Waitany. Where several threads of a process wait in that at one time, Open MPI 4.1.4 may wake them up late; those
 * that look again and again, as here, need not be woken up. */
static int wait_any(int n, MPI_Request requests[], int *which)
{
    int level, done = 0, result = MPI_SUCCESS;
    PMPI_Query_thread(&level);
    if (level < MPI_THREAD_MULTIPLE)
        return PMPI_Waitany(n, requests, which, MPI_STATUS_IGNORE);
    while (!done) {
        TRY(PMPI_Testany(n, requests, which, &done, MPI_STATUS_IGNORE));
        if (!done)
            sched_yield();
    }
out:
    return result;
}

/* Behind an error: what still comes must not come into memory that is freed. */
static void give_up(int n, MPI_Request requests[])
{
    for (int i = 0; i < n; i++)
        if (requests[i] != MPI_REQUEST_NULL) {
            PMPI_Cancel(&requests[i]);
            PMPI_Wait(&requests[i], MPI_STATUS_IGNORE);
        }
}

static int receive_in_pieces(const struct coll_place *place, enum coll_op op, const struct coll_side *one,
                             const struct coll_side *all, int root)
{
    int result = MPI_SUCCESS, n = place->size, rank, at;
    bool plain = is_plain(all->type);
    struct coming *coming = coll_memory((size_t)n, sizeof *coming);
    MPI_Request *requests = coll_memory((size_t)n, sizeof *requests);
    for (int i = 0; i < n; i++) {
        requests[i] = MPI_REQUEST_NULL;
        coming[i].M = i == root ? 0 : carry_share(all, i);
        coming[i].m = choice_pieces(&coll.table, &place->seats, op, root, coming[i].M);
        if (coming[i].m > 1 && !plain)
            coming[i].packed = coll_memory((size_t)coming[i].M, 1);
        coming[i].bytes = coming[i].packed ? coming[i].packed : share_at(all, i);
    }
    for (int step = 1; step < n; step++)
        if (coming[at = (root + step) % n].M > 0)
            TRY(ask(place, &coming[at], at, all, &requests[at]));
    TRY(to_oneself(place, one, all, true));
    for (;;) {
        TRY(wait_any(n, requests, &rank));
        if (rank == MPI_UNDEFINED)
            break;
        struct coming *from = &coming[rank];
        if (from->k < from->m)
            TRY(ask(place, from, rank, all, &requests[rank]));
        else if (from->packed)
            TRY(PMPI_Unpack(from->packed, (int)from->M, (at = 0, &at), share_at(all, rank), share_count(all, rank),
                            all->type, place->comm));
    }
out:
    give_up(n, requests);
    for (int i = 0; i < n; i++)
        free(coming[i].packed);
    free(coming);
    free(requests);
    return result;
}

int carry_in_pieces(const struct coll_place *place, enum coll_op op, const struct coll_side *one,
                    const struct coll_side *all, int root)
{
    if (place->rank == root)
        return receive_in_pieces(place, op, one, all, root);
    int64_t M = carry_bytes(one->count, one->type);
    return send_in_pieces(place, one, M, choice_pieces(&coll.table, &place->seats, op, root, M), root);
}

/* ---- over a tree ---- */

static int position_of(const struct coll_place *place, const int order[])
{
    int position = 0;
    while (order[position] != place->rank)
        position++;
    return position;
}

int carry_bcast(const struct coll_place *place, const int order[], void *buf, int count, MPI_Datatype type)
{
    int result = MPI_SUCCESS;
    struct branch own = branch_of(place->size, position_of(place, order));
    if (own.parent >= 0)
        TRY(PMPI_Recv(buf, count, type, order[own.parent], TAG, place->comm, MPI_STATUS_IGNORE));
    for (int i = own.n_children - 1; i >= 0; i--)
        TRY(PMPI_Send(buf, count, type, order[own.children[i]], TAG, place->comm));
out:
    return result;
}

/* Shares of a subtree, one after the other in the order of positions. */
struct cargo {
    struct branch own;
    int position;
    const int64_t *begin; /* of all positions */
    char *packed;         /* from own position on; NULL: a leaf, which has no other's */
};

static struct cargo cargo_make(const struct coll_place *place, const int order[], const int64_t begin[])
{
    struct cargo c = {.position = position_of(place, order), .begin = begin};
    c.own = branch_of(place->size, c.position);
    if (c.own.run > 1)
        c.packed = coll_memory((size_t)(begin[c.position + c.own.run] - begin[c.position]), 1);
    return c;
}

static char *cargo_at(const struct cargo *c, int position)
{
    return c->packed + (c->begin[position] - c->begin[c->position]);
}

/* Of the subtree at a position, or (of one) of that position alone. */
static int cargo_bytes(const struct cargo *c, int position, int run)
{
    return (int)(c->begin[position + run] - c->begin[position]);
}

static int child_run(const struct coll_place *place, int child)
{
    return branch_of(place->size, child).run;
}

/* The root's shares of all others, packed or unpacked. */
static int cargo_pack(const struct cargo *c, const struct coll_place *place, const int order[],
                      const struct coll_side *all, bool unpack)
{
    int result = MPI_SUCCESS;
    for (int p = 1; p < place->size; p++) {
        int at = 0, bytes = cargo_bytes(c, p, 1), count = share_count(all, order[p]);
        void *share = share_at(all, order[p]);
        if (bytes == 0)
            continue;
        if (unpack)
            TRY(PMPI_Unpack(cargo_at(c, p), bytes, &at, share, count, all->type, place->comm));
        else
            TRY(PMPI_Pack(share, count, all->type, cargo_at(c, p), bytes, &at, place->comm));
    }
out:
    return result;
}

int carry_scatter(const struct coll_place *place, const int order[], const int64_t begin[], const struct coll_side *all,
                  const struct coll_side *one)
{
    int result = MPI_SUCCESS, at = 0;
    struct cargo c = cargo_make(place, order, begin);
    int bytes = cargo_bytes(&c, c.position, c.own.run), own = cargo_bytes(&c, c.position, 1);
    if (c.position == 0)
        TRY(cargo_pack(&c, place, order, all, false));
    else if (bytes > 0 && c.packed)
        TRY(PMPI_Recv(c.packed, bytes, MPI_PACKED, order[c.own.parent], TAG, place->comm, MPI_STATUS_IGNORE));
    else if (bytes > 0)
        TRY(PMPI_Recv(one->buf, one->count, one->type, order[c.own.parent], TAG, place->comm, MPI_STATUS_IGNORE));
    for (int i = c.own.n_children - 1; i >= 0; i--) {
        int child = c.own.children[i], passed = cargo_bytes(&c, child, child_run(place, child));
        if (passed > 0)
            TRY(PMPI_Send(cargo_at(&c, child), passed, MPI_PACKED, order[child], TAG, place->comm));
    }
    if (c.position == 0)
        TRY(to_oneself(place, one, all, false));
    else if (c.packed && own > 0)
        TRY(PMPI_Unpack(c.packed, own, &at, one->buf, one->count, one->type, place->comm));
out:
    free(c.packed);
    return result;
}

int carry_gather(const struct coll_place *place, const int order[], const int64_t begin[], const struct coll_side *one,
                 const struct coll_side *all)
{
    int result = MPI_SUCCESS, at = 0;
    struct cargo c = cargo_make(place, order, begin);
    int bytes = cargo_bytes(&c, c.position, c.own.run), own = cargo_bytes(&c, c.position, 1);
    if (c.position == 0)
        TRY(to_oneself(place, one, all, true));
    else if (c.packed && own > 0)
        TRY(PMPI_Pack(one->buf, one->count, one->type, c.packed, own, &at, place->comm));
    for (int i = 0; i < c.own.n_children; i++) {
        int child = c.own.children[i], passed = cargo_bytes(&c, child, child_run(place, child));
        if (passed > 0)
            TRY(PMPI_Recv(cargo_at(&c, child), passed, MPI_PACKED, order[child], TAG, place->comm, MPI_STATUS_IGNORE));
    }
    if (c.position == 0)
        TRY(cargo_pack(&c, place, order, all, true));
    else if (bytes > 0 && c.packed)
        TRY(PMPI_Send(c.packed, bytes, MPI_PACKED, order[c.own.parent], TAG, place->comm));
    else if (bytes > 0)
        TRY(PMPI_Send(one->buf, one->count, one->type, order[c.own.parent], TAG, place->comm));
out:
    free(c.packed);
    return result;
}

/* ---- a Scatterv, which only the root knows all of ---- */

/* No two that can be under way at once have the same: all of one are through before INT_MAX of them are. */
static int scatterv_tag(const struct coll_place *place)
{
    int *most, known;
    PMPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &most, &known);
    return TAG + 1 + (int)(place->scatterv % (known ? *most - TAG : 32767 - TAG));
}

static int scatter_directly(const struct coll_place *place, const struct coll_side *all, const struct coll_side *one)
{
    int result = MPI_SUCCESS, tag = scatterv_tag(place);
    for (int i = 0; i < place->size; i++)
        if (i != place->rank)
            TRY(PMPI_Send(share_at(all, i), share_count(all, i), all->type, i, tag, place->comm));
    TRY(to_oneself(place, one, all, false));
out:
    return result;
}

/* What the subtree of a child has in a message that holds the items from `position` on. */
static int pass_on(const struct coll_place *place, const int order[], const char *items, const int64_t at[],
                   int position)
{
    int result = MPI_SUCCESS;
    struct branch own = branch_of(place->size, position);
    for (int i = own.n_children - 1; i >= 0; i--) {
        int child = own.children[i], run = child_run(place, child);
        TRY(PMPI_Send(items + at[child], (int)(at[child + run] - at[child]), MPI_PACKED, order[child],
                      scatterv_tag(place), place->comm));
    }
out:
    return result;
}

int carry_scatterv_out(const struct coll_place *place, const struct coll_row *row, const int64_t bytes[],
                       const struct coll_side *all, const struct coll_side *one)
{
    if (!row)
        return scatter_directly(place, all, one);
    int result = MPI_SUCCESS, n = place->size;
    int *order = coll_memory((size_t)n, sizeof *order);
    int64_t *at = coll_memory((size_t)n + 1, sizeof *at);
    choice_order(&place->seats, row, place->rank, order);
    for (int p = 1; p < n; p++) /* the root's share stays where it is */
        at[p + 1] = at[p] + CHOICE_LABEL_BYTES + bytes[order[p]];
    char *items = coll_memory((size_t)at[n], 1);
    for (int p = 1; p < n; p++) {
        int64_t label[2] = {row - coll.table.rows, bytes[order[p]]};
        int end = 0;
        memcpy(items + at[p], label, sizeof label);
        if (label[1] > 0)
            TRY(PMPI_Pack(share_at(all, order[p]), share_count(all, order[p]), all->type,
                          items + at[p] + CHOICE_LABEL_BYTES, (int)label[1], &end, place->comm));
    }
    TRY(pass_on(place, order, items, at, 0));
    TRY(to_oneself(place, one, all, false));
out:
    free(items);
    free(order);
    free(at);
    return result;
}

/* Items of a subtree have come from a parent. */
static int scatterv_take(const struct coll_place *place, int root, const char *items, const struct coll_side *one)
{
    int result = MPI_SUCCESS, n = place->size, end = 0;
    int64_t label[2];
    int *order = coll_memory((size_t)n, sizeof *order);
    int64_t *at = coll_memory((size_t)n + 1, sizeof *at);
    memcpy(label, items, sizeof label);
    choice_order(&place->seats, &coll.table.rows[label[0]], root, order);
    int position = position_of(place, order), run = child_run(place, position);
    for (int p = position; p < position + run; p++) {
        memcpy(label, items + at[p], sizeof label);
        at[p + 1] = at[p] + CHOICE_LABEL_BYTES + label[1];
    }
    TRY(pass_on(place, order, items, at, position));
    if (at[position + 1] > CHOICE_LABEL_BYTES)
        TRY(PMPI_Unpack(items + CHOICE_LABEL_BYTES, (int)(at[position + 1] - CHOICE_LABEL_BYTES), &end, one->buf,
                        one->count, one->type, place->comm));
out:
    free(order);
    free(at);
    return result;
}

int carry_scatterv_in(const struct coll_place *place, int root, const struct coll_side *one)
{
    int result = MPI_SUCCESS;
    char *items = NULL;
    MPI_Message message;
    MPI_Status status;
    MPI_Count bytes;
    TRY(PMPI_Mprobe(MPI_ANY_SOURCE, scatterv_tag(place), place->comm, &message, &status));
    TRY(PMPI_Get_elements_x(&status, MPI_BYTE, &bytes));
    if (bytes < CHOICE_LABEL_BYTES || bytes <= carry_bytes(one->count, one->type))
        return PMPI_Mrecv(one->buf, one->count, one->type, &message, MPI_STATUS_IGNORE);
    items = coll_memory((size_t)bytes, 1);
    TRY(PMPI_Mrecv(items, (int)bytes, MPI_PACKED, &message, MPI_STATUS_IGNORE));
    TRY(scatterv_take(place, root, items, one));
out:
    free(items);
    return result;
}

/* ---- the root's word in a Gatherv ---- */

int carry_tell(const struct coll_place *place, const struct coll_row *row, int root, int64_t from,
               const int64_t bytes[])
{
    int result = MPI_SUCCESS, n = place->size;
    int *order = coll_memory((size_t)n, sizeof *order), *position = coll_memory((size_t)n, sizeof *position);
    int64_t *word = coll_memory((size_t)n + 1, sizeof *word);
    word[0] = row ? row - coll.table.rows : -1;
    if (row)
        choice_order(&place->seats, row, root, order);
    for (int p = 0; row && p < n; p++)
        position[order[p]] = p;
    for (int i = 0; i < n; i++) {
        int run = row ? child_run(place, position[i]) : 0;
        if (i == root || bytes[i] < from)
            continue;
        for (int p = 0; p < run; p++)
            word[1 + p] = bytes[order[position[i] + p]];
        TRY(PMPI_Send(word, 1 + run, MPI_INT64_T, i, TAG, place->comm));
    }
out:
    free(order);
    free(position);
    free(word);
    return result;
}

int carry_hear(const struct coll_place *place, int root, const struct coll_row **row, int64_t begin[])
{
    int result = MPI_SUCCESS, n = place->size;
    int *order = coll_memory((size_t)n, sizeof *order);
    int64_t *word = coll_memory((size_t)n + 1, sizeof *word);
    *row = NULL;
    TRY(PMPI_Recv(word, n + 1, MPI_INT64_T, root, TAG, place->comm, MPI_STATUS_IGNORE));
    if (word[0] >= 0) {
        *row = &coll.table.rows[word[0]];
        choice_order(&place->seats, *row, root, order);
        int position = position_of(place, order), run = child_run(place, position);
        for (int p = 0; p < run; p++)
            begin[position + p + 1] = begin[position + p] + word[1 + p];
    }
out:
    free(order);
    free(word);
    return result;
}
