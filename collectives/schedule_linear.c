/* Everybody talks to the root, to everybody, or to the neighbours directly; and chains of ranks. Open MPI: coll/base
 * and coll/basic, the *_linear, *_linear_nb, *_linear_sync functions; MPICH: *_allcomm_linear,
 * alltoall_intra_scattered. */
#include "collectives/schedule_impl.h"

/* The libraries leave out empty shares of these, libnbc not. */
static bool left_out(const struct cursor *c, int32_t rank)
{
    enum collective_op op = c->s->op;
    if (c->s->sends_empty || (c->s->carried && c->s->carried->label > 0))
        return false;
    return (op == COLLECTIVE_MPI_Scatterv || op == COLLECTIVE_MPI_Gatherv) && schedule_share(c->s, rank) == 0;
}

/* What goes from one to the other in an Alltoallv, where that leaves out what is empty. */
static bool pair_is_empty(const struct cursor *c, int32_t from, int32_t to)
{
    return c->s->op == COLLECTIVE_MPI_Alltoallv && schedule_pair(c->s, from, to) == 0;
}

void linear_barrier(struct cursor *c)
{
    const struct schedule *s = c->s;
    int64_t k;
    if (s->rank != 0) {
        call_send(c, 0, part_token());
        call_recv(c, 0, part_token());
        return;
    }
    if (cursor_rounds(c, s->size - 1, 1, &k))
        call_irecv(c, (int32_t)k + 1, part_token());
    call_plain(c, MOVE_WAITALL);
    if (cursor_rounds(c, s->size - 1, 1, &k))
        call_send(c, (int32_t)k + 1, part_token());
}

void linear_bcast(struct cursor *c)
{
    const struct schedule *s = c->s;
    struct part all = part_range(0, s->bytes);
    int64_t k;
    if (s->rank != s->root) {
        call_recv(c, s->root, all);
        return;
    }
    if (cursor_rounds(c, s->size - 1, 1, &k))
        call_isend(c, other_rank(k, s->root), all);
    call_plain(c, MOVE_WAITALL);
}

/* Root to one and one to root, for both the blocking and the nonblocking forms. */
static void share_send(struct cursor *c, int32_t to, int32_t owner, bool blocking)
{
    if (left_out(c, owner))
        call_plain(c, MOVE_SKIP);
    else if (blocking)
        call_send(c, to, part_blocks(c->s, owner, 1));
    else
        call_isend(c, to, part_blocks(c->s, owner, 1));
}

static void share_receive(struct cursor *c, int32_t from, int32_t owner, bool blocking)
{
    if (left_out(c, owner))
        call_plain(c, MOVE_SKIP);
    else if (blocking)
        call_recv(c, from, part_blocks(c->s, owner, 1));
    else
        call_irecv(c, from, part_blocks(c->s, owner, 1));
}

static void scatter_directly(struct cursor *c, bool blocking)
{
    const struct schedule *s = c->s;
    int64_t k;
    if (s->rank != s->root) {
        share_receive(c, s->root, s->rank, true);
        return;
    }
    if (cursor_rounds(c, s->size - 1, 1, &k))
        share_send(c, other_rank(k, s->root), other_rank(k, s->root), blocking);
    if (!blocking)
        call_plain(c, MOVE_WAITALL);
}

static void gather_directly(struct cursor *c, bool blocking)
{
    const struct schedule *s = c->s;
    int64_t k;
    if (s->rank != s->root) {
        share_send(c, s->root, s->rank, true);
        return;
    }
    if (cursor_rounds(c, s->size - 1, 1, &k))
        share_receive(c, other_rank(k, s->root), other_rank(k, s->root), blocking);
    if (!blocking)
        call_plain(c, MOVE_WAITALL);
}

void linear_scatter(struct cursor *c)
{
    scatter_directly(c, true);
}

void linear_scatter_nb(struct cursor *c)
{
    scatter_directly(c, false);
}

void linear_gather(struct cursor *c)
{
    gather_directly(c, true);
}

void linear_gather_nb(struct cursor *c)
{
    gather_directly(c, false);
}

/* The first segment is sent when the root asks for it, the rest may come while the root is with the next. */
void linear_gather_sync(struct cursor *c)
{
    const struct schedule *s = c->s;
    int64_t k, first = s->segment > 0 && s->segment < s->bytes ? s->segment : s->bytes;
    if (s->rank != s->root) {
        int64_t begin = s->rank * s->bytes;
        call_recv(c, s->root, part_token());
        call_send(c, s->root, part_range(begin, first));
        call_send(c, s->root, part_range(begin + first, s->bytes - first));
        return;
    }
    if (cursor_rounds(c, s->size - 1, 3, &k)) {
        int32_t peer = other_rank(k, s->root);
        call_send(c, peer, part_token());
        call_recv(c, peer, part_range(peer * s->bytes, first));
        call_irecv(c, peer, part_range(peer * s->bytes + first, s->bytes - first));
    }
    call_plain(c, MOVE_WAITALL);
}

/* The root takes the highest rank first, so that it can combine in rank order. */
void linear_reduce(struct cursor *c)
{
    const struct schedule *s = c->s;
    struct part all = part_range(0, s->bytes);
    int64_t k;
    if (s->rank != s->root) {
        call_send(c, s->root, all);
        return;
    }
    if (cursor_rounds(c, s->size - 1, 2, &k)) {
        call_recv(c, other_rank(s->size - 2 - k, s->root), all);
        call_reduce(c, s->bytes);
    }
}

/* Receives from the right on upwards, sends to the left on downwards. */
void linear_alltoall(struct cursor *c)
{
    const struct schedule *s = c->s;
    int64_t k;
    if (cursor_rounds(c, s->size - 1, 1, &k))
        call_irecv(c, (int32_t)((s->rank + 1 + k) % s->size), part_blocks(s, s->rank, 1));
    if (cursor_rounds(c, s->size - 1, 1, &k)) {
        int32_t to = (int32_t)((s->rank + s->size - 1 - k) % s->size);
        call_isend(c, to, part_blocks(s, to, 1));
    }
    call_plain(c, MOVE_WAITALL);
}

/* Open MPI 4.1 sends empty shares of an Alltoallv, too, so that all wait for all. */
void linear_alltoallv(struct cursor *c)
{
    const struct schedule *s = c->s;
    int64_t k;
    if (cursor_rounds(c, s->size - 1, 1, &k)) {
        int32_t peer = other_rank(k, s->rank);
        if (s->leaves_empty && pair_is_empty(c, peer, s->rank))
            call_plain(c, MOVE_SKIP);
        else
            call_irecv(c, peer, part_pair(s, peer, s->rank));
    }
    if (cursor_rounds(c, s->size - 1, 1, &k)) {
        int32_t peer = other_rank(k, s->rank);
        if (s->leaves_empty && pair_is_empty(c, s->rank, peer))
            call_plain(c, MOVE_SKIP);
        else
            call_isend(c, peer, part_pair(s, s->rank, peer));
    }
    call_plain(c, MOVE_WAITALL);
}

/* libnbc: with process 0 first, whoever one is. In an Allgather all get the same. */
void by_rank_alltoall(struct cursor *c)
{
    const struct schedule *s = c->s;
    const bool gathers = s->op == COLLECTIVE_MPI_Allgather;
    int64_t k;
    if (cursor_rounds(c, s->size - 1, 2, &k)) {
        const int32_t peer = other_rank(k, s->rank);
        if (pair_is_empty(c, peer, s->rank))
            call_plain(c, MOVE_SKIP);
        else
            call_irecv(c, peer, gathers ? part_blocks(s, peer, 1) : part_pair(s, peer, s->rank));
        if (pair_is_empty(c, s->rank, peer))
            call_plain(c, MOVE_SKIP);
        else
            call_isend(c, peer, gathers ? part_blocks(s, s->rank, 1) : part_pair(s, s->rank, peer));
    }
    call_plain(c, MOVE_WAITALL);
}

/* libnbc: from the left as far away as to the right. */
void by_distance_allgather(struct cursor *c)
{
    const struct schedule *s = c->s;
    int64_t k;
    if (cursor_rounds(c, s->size - 1, 2, &k)) {
        const int32_t from = (int32_t)((s->rank + s->size - 1 - k) % s->size);
        call_irecv(c, from, part_blocks(s, from, 1));
        call_isend(c, (int32_t)((s->rank + 1 + k) % s->size), part_blocks(s, s->rank, 1));
    }
    call_plain(c, MOVE_WAITALL);
}

/* MPICH's MPIR_CVAR_ALLTOALL_THROTTLE, its default: partners in a batch. */
enum { SCATTERED_BATCH = 32 };

/* Partners begin .. begin + n - 1 to the right (to receive) and to the left (to send). The process itself is the first
 * partner of the first batch; its copy costs no message. */
static void scattered_batch(struct cursor *c, int64_t begin, int64_t n)
{
    const struct schedule *s = c->s;
    int64_t k;
    if (cursor_rounds(c, n, 1, &k)) {
        int32_t from = (int32_t)((s->rank + begin + k) % s->size);
        if (begin + k == 0 || pair_is_empty(c, from, s->rank))
            call_plain(c, MOVE_SKIP);
        else
            call_irecv(c, from, part_pair(s, from, s->rank));
    }
    if (cursor_rounds(c, n, 1, &k)) {
        int32_t to = (int32_t)((s->rank - begin - k + s->size) % s->size);
        if (begin + k == 0 || pair_is_empty(c, s->rank, to))
            call_plain(c, MOVE_SKIP);
        else
            call_isend(c, to, part_pair(s, s->rank, to));
    }
    call_plain(c, MOVE_WAITALL);
}

void scattered_alltoall(struct cursor *c)
{
    const int64_t whole = c->s->size / SCATTERED_BATCH, rest = c->s->size % SCATTERED_BATCH;
    int64_t k;
    if (cursor_rounds(c, whole, 2 * SCATTERED_BATCH + 1, &k))
        scattered_batch(c, k * SCATTERED_BATCH, SCATTERED_BATCH);
    if (rest > 0)
        scattered_batch(c, whole * SCATTERED_BATCH, rest);
}

/* All that is received, then all that is sent, in the order of the lists. On a grid the upper neighbour's message is
 * received first: where one process is both, it sends what goes down first, and messages of two processes match in
 * their order. (The libraries tell them apart by tags.) */
void linear_neighbors(struct cursor *c)
{
    const struct schedule *s = c->s;
    const struct topology *t = s->topology;
    const int32_t first_in = t->first_in[s->rank], first_out = t->first_out[s->rank];
    int64_t k;
    if (cursor_rounds(c, t->first_in[s->rank + 1] - first_in, 1, &k)) {
        const int32_t at = first_in + (int32_t)(t->n_dims > 0 ? k ^ 1 : k), from = t->in[at], edge = t->edge[at];
        if (from < 0)
            call_plain(c, MOVE_SKIP);
        else
            call_irecv(c, from, (struct part){PART_EDGE, edge, 1, schedule_edge(s, from, edge)});
    }
    if (cursor_rounds(c, t->first_out[s->rank + 1] - first_out, 1, &k)) {
        const int32_t edge = first_out + (int32_t)k;
        if (t->out[edge] < 0)
            call_plain(c, MOVE_SKIP);
        else
            call_isend(c, t->out[edge], (struct part){PART_EDGE, edge, 1, schedule_edge(s, s->rank, edge)});
    }
    call_plain(c, MOVE_WAITALL);
}

void chain_scan(struct cursor *c)
{
    const struct schedule *s = c->s;
    struct part all = part_range(0, s->bytes);
    if (s->rank > 0) {
        call_recv(c, s->rank - 1, all);
        call_reduce(c, s->bytes);
    }
    if (s->rank < s->size - 1)
        call_send(c, s->rank + 1, all);
}

/* As Scan, but the last one has nothing to combine. */
void chain_exscan(struct cursor *c)
{
    const struct schedule *s = c->s;
    struct part all = part_range(0, s->bytes);
    if (s->rank > 0)
        call_recv(c, s->rank - 1, all);
    if (s->rank > 0 && s->rank < s->size - 1)
        call_reduce(c, s->bytes);
    if (s->rank < s->size - 1)
        call_send(c, s->rank + 1, all);
}
