// SPDX-License-Identifier: MIT
/* What operations of all kinds need, and those over trees. */
#include "coll/carry.h"

#include "coll/branch.h"

#include <stdlib.h>
#include <string.h>

enum { TAG = 1 }; /* messages of a pair come in the order in which both sides go through the operations */

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

int carry_to_oneself(const struct place *place, const struct coll_side *one, const struct coll_side *all, bool up)
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

/* How many pieces a share is cut into; 1: it goes as what it is. */
static int64_t cut(const struct place *place, enum coll_op op, int root, int64_t bytes)
{
    const struct coll_row *row = place_row(place, op, root, bytes);
    return row && row->piece > 0 && bytes <= INT32_MAX ? pieces_of(bytes, row->piece) : 1;
}

static int piece_bytes(int64_t M, int64_t m, int64_t k)
{
    return (int)(piece_begin(M, m, k + 1) - piece_begin(M, m, k));
}

static int send_in_pieces(const struct place *place, const struct coll_side *one, int64_t M, int64_t m, int root)
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

static int ask(const struct place *place, struct coming *from, int rank, const struct coll_side *all,
               MPI_Request *request)
{
    int result = MPI_SUCCESS;
    if (from->m == 1) {
        from->k = 1;
        return PMPI_Irecv(share_at(all, rank), share_count(all, rank), all->type, rank, TAG, place->comm, request);
    }
    int64_t k = from->k++;
    TRY(PMPI_Irecv(from->bytes + piece_begin(from->M, from->m, k), piece_bytes(from->M, from->m, k), MPI_BYTE, rank, TAG,
                   place->comm, request));
    if (k > 0)
        TRY(PMPI_Send(NULL, 0, MPI_BYTE, rank, TAG, place->comm));
out:
    return result;
}

static int receive_in_pieces(const struct place *place, enum coll_op op, const struct coll_side *one,
                             const struct coll_side *all, int root)
{
    int result = MPI_SUCCESS, n = place->size, rank, at;
    bool plain = is_plain(all->type);
    struct coming *coming = coll_memory((size_t)n, sizeof *coming);
    MPI_Request *requests = coll_memory((size_t)n, sizeof *requests);
    for (int i = 0; i < n; i++) {
        requests[i] = MPI_REQUEST_NULL;
        coming[i].M = i == root ? 0 : carry_share(all, i);
        coming[i].m = cut(place, op, root, coming[i].M);
        if (coming[i].m > 1 && !plain)
            coming[i].packed = coll_memory((size_t)coming[i].M, 1);
        coming[i].bytes = coming[i].packed ? coming[i].packed : share_at(all, i);
    }
    for (int step = 1; step < n; step++)
        if (coming[at = (root + step) % n].M > 0)
            TRY(ask(place, &coming[at], at, all, &requests[at]));
    TRY(carry_to_oneself(place, one, all, true));
    for (;;) {
        TRY(PMPI_Waitany(n, requests, &rank, MPI_STATUS_IGNORE));
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
    for (int i = 0; i < n; i++)
        free(coming[i].packed);
    free(coming);
    free(requests);
    return result;
}

int carry_in_pieces(const struct place *place, enum coll_op op, const struct coll_side *one, const struct coll_side *all,
                    int root)
{
    if (place->rank == root)
        return receive_in_pieces(place, op, one, all, root);
    int64_t M = carry_bytes(one->count, one->type);
    return send_in_pieces(place, one, M, cut(place, op, root, M), root);
}

/* ---- over a tree ---- */

static int position_of(const struct place *place, const int order[])
{
    int position = 0;
    while (order[position] != place->rank)
        position++;
    return position;
}

int carry_bcast(const struct place *place, const int order[], void *buf, int count, MPI_Datatype type)
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

int carry_announce(const struct place *place, const int order[], int n, int64_t list[])
{
    int result = MPI_SUCCESS;
    struct branch own = branch_of(place->size, position_of(place, order));
    if (own.parent >= 0)
        TRY(PMPI_Recv(list, n, MPI_INT64_T, order[own.parent], TAG, place->comm, MPI_STATUS_IGNORE));
    for (int i = own.n_children - 1; i >= 0; i--)
        TRY(PMPI_Send(list, list[0] < 0 ? 1 : n, MPI_INT64_T, order[own.children[i]], TAG, place->comm));
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

static struct cargo cargo_make(const struct place *place, const int order[], const int64_t begin[])
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

static int child_run(const struct place *place, int child)
{
    return branch_of(place->size, child).run;
}

/* The root's shares of all others, packed or unpacked. */
static int cargo_pack(const struct cargo *c, const struct place *place, const int order[], const struct coll_side *all,
                      bool unpack)
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

int carry_scatter(const struct place *place, const int order[], const int64_t begin[], const struct coll_side *all,
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
        TRY(carry_to_oneself(place, one, all, false));
    else if (c.packed && own > 0)
        TRY(PMPI_Unpack(c.packed, own, &at, one->buf, one->count, one->type, place->comm));
out:
    free(c.packed);
    return result;
}

int carry_gather(const struct place *place, const int order[], const int64_t begin[], const struct coll_side *one,
                 const struct coll_side *all)
{
    int result = MPI_SUCCESS, at = 0;
    struct cargo c = cargo_make(place, order, begin);
    int bytes = cargo_bytes(&c, c.position, c.own.run), own = cargo_bytes(&c, c.position, 1);
    if (c.position == 0)
        TRY(carry_to_oneself(place, one, all, true));
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
