/* executor.h - carries out the moves of all processes of a collective, with data and with a clock.
 *
 * Data is symbolic. The buffers of all processes are the same row of cells: bytes of the vector, or of all shares one
 * after the other; in an Alltoall one cell for each pair. A process holds in each cell the set of processes whose
 * contribution is in it. Only what is held can be sent. A receive followed by a REDUCE combines: the sets must be
 * disjoint, so nothing counts twice; one without a REDUCE replaces: nothing may be lost.
 *
 * The clock is Hockney's with a port for sending: a message arrives alpha + beta bytes after the later of its call
 * and the departure of the one before; calls cost nothing; a REDUCE takes gamma for each byte.
 *
 * Sends are eager, or (synchronous) return when their receive has been posted. */
#ifndef PEVPM_COLLECTIVES_TESTS_EXECUTOR_H
#define PEVPM_COLLECTIVES_TESTS_EXECUTOR_H

#include "collectives/schedule_impl.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Whether calls name a root. */
static inline bool op_rooted(enum collective_op op)
{
    switch (op) {
    case COLLECTIVE_MPI_Bcast:
    case COLLECTIVE_MPI_Ibcast:
    case COLLECTIVE_MPI_Scatter:
    case COLLECTIVE_MPI_Scatterv:
    case COLLECTIVE_MPI_Gather:
    case COLLECTIVE_MPI_Gatherv:
    case COLLECTIVE_MPI_Reduce:
        return true;
    default:
        return false;
    }
}

struct parcel {
    int64_t bytes;
    int64_t n;
    int64_t *cells;
    uint64_t *values;
    double arrival;
};

struct pair {
    int n_sent, capacity, n_posted, n_taken;
    struct parcel *sent;       /* [n_sent] */
};

struct open_request {
    bool send, blocking;        /* blocking: the current call waits for it */
    int32_t peer;
    int sequence;
    struct part part;
};

struct process {
    struct schedule s;
    int64_t step;
    bool started, ended;        /* started: the requests of the current call have been posted */
    int n_open, capacity;
    struct open_request *open;
    double time, port_free;
    uint64_t *held, *prefix;    /* [cells]; prefix: of Scan, Exscan */
    int n_pending;
    struct parcel pending[128];/* received, not yet in held; cells and values belong to the pair */
};

struct world {
    struct schedule s;
    int64_t *sums;
    int32_t *owners;            /* [sums[size]] the rank in whose share a byte is */
    bool synchronous;
    bool pairs_of_cells;        /* Alltoall */
    double alpha, beta, gamma;
    int64_t cells;
    struct process *processes;
    struct pair *pairs;         /* [size][size], from, to */
    int64_t n_messages, n_bytes, n_reduced;
    double finish;
};

static inline void world_fail(const struct world *w, int32_t rank, const char *what)
{
    fail_msg("%s %s: P = %d, root %d, %lld bytes, segment %lld%s%s: rank %d, step %lld: %s",
             collective_op_name(w->s.op), algorithm_name(w->s.algorithm), (int)w->s.size, (int)w->s.root,
             (long long)w->s.bytes, (long long)w->s.segment,
             w->s.pairs ? ", pairs" : w->s.sums ? ", shares" : "",
             w->synchronous ? ", synchronous" : "", (int)rank, rank < 0 ? -1LL : (long long)w->processes[rank].step,
             what);
}

static inline bool world_scans(const struct world *w)
{
    return w->s.op == COLLECTIVE_MPI_Scan || w->s.op == COLLECTIVE_MPI_Exscan;
}

/* ---- data ---- */

static inline int64_t digit_cells(const struct world *w, struct part part, int32_t sender, int64_t cells[])
{
    int64_t n = 0, size = w->s.size;
    for (int64_t i = 1; i < size; i++)
        if (i & part.first) {
            int64_t origin = (sender - i % part.first + size) % size;
            cells[n++] = origin * size + (origin + i) % size;
        }
    return n;
}

/* The cells that `sender` sends with a part; their number. */
static inline int64_t part_cells(const struct world *w, struct part part, int32_t sender, int64_t cells[])
{
    int64_t n = 0;
    if (part.kind == PART_TOKEN) {
        if (w->s.op == COLLECTIVE_MPI_Barrier)
            cells[n++] = 0;
    } else if (part.kind == PART_DIGIT)
        return digit_cells(w, part, sender, cells);
    else if (w->pairs_of_cells)
        cells[n++] = sender * (int64_t)w->s.size + part.first;
    else if (part.kind == PART_RANGE)
        for (int64_t i = 0; i < part.count; i++)
            cells[n++] = part.first + i;
    else
        for (int64_t b = 0; b < part.count; b++) {
            int64_t block = (part.first + b) % w->s.size;
            if (part.kind == PART_MIRRORED)
                block = bits_mirror((int32_t)block, log2_below(w->s.size));
            for (int64_t i = w->sums[block]; i < w->sums[block + 1]; i++)
                cells[n++] = i;
        }
    return n;
}

/* Room for its cells. */
static inline size_t part_room(const struct world *w, struct part part)
{
    return (w->pairs_of_cells ? (size_t)w->s.size : (size_t)part.bytes) + 1;
}

static inline void process_flush(struct world *w, int32_t rank)
{
    struct process *p = &w->processes[rank];
    for (int m = 0; m < p->n_pending; m++)
        for (int64_t i = 0; i < p->pending[m].n && !world_scans(w); i++) {
            uint64_t *held = &p->held[p->pending[m].cells[i]], value = p->pending[m].values[i];
            if (w->s.op == COLLECTIVE_MPI_Barrier)
                value |= *held;
            if (*held & ~value)
                world_fail(w, rank, "a message replaces data that is not in it");
            *held = value;
        }
    p->n_pending = 0;
}

static inline void process_reduce(struct world *w, int32_t rank, int64_t bytes)
{
    struct process *p = &w->processes[rank];
    w->n_reduced += bytes;
    p->time += w->gamma * (double)bytes;
    if (p->n_pending == 0) {
        if (!world_scans(w))
            world_fail(w, rank, "a reduction of nothing");
        return;
    }
    if (p->pending[0].bytes != bytes)
        world_fail(w, rank, "a reduction of other bytes than received");
    for (int64_t i = 0; i < p->pending[0].n; i++) {
        uint64_t *held = &p->held[p->pending[0].cells[i]], value = p->pending[0].values[i];
        if (*held & value)
            world_fail(w, rank, "a contribution is combined twice");
        *held |= value;
    }
    p->n_pending--;
    memmove(p->pending, p->pending + 1, (size_t)p->n_pending * sizeof *p->pending);
}

/* ---- messages ---- */

static inline struct pair *world_pair(struct world *w, int32_t from, int32_t to)
{
    return &w->pairs[(int64_t)from * w->s.size + to];
}

static inline struct open_request *process_request(struct process *p)
{
    if (p->n_open == p->capacity) {
        p->capacity = p->capacity ? 2 * p->capacity : 8;
        p->open = realloc(p->open, (size_t)p->capacity * sizeof *p->open);
        assert_non_null(p->open);
    }
    return &p->open[p->n_open++];
}

static inline void process_send(struct world *w, int32_t rank, int32_t to, struct part part, bool blocking)
{
    struct process *p = &w->processes[rank];
    if (to < 0 || to >= w->s.size || to == rank || part.bytes < 0)
        world_fail(w, rank, "no such receiver, or a negative size");
    struct pair *pair = world_pair(w, rank, to);
    if (pair->n_sent == pair->capacity) {
        pair->capacity = pair->capacity ? 2 * pair->capacity : 4;
        pair->sent = realloc(pair->sent, (size_t)pair->capacity * sizeof *pair->sent);
        assert_non_null(pair->sent);
    }
    struct parcel *m = &pair->sent[pair->n_sent];
    const size_t room = part_room(w, part);
    m->cells = malloc(room * sizeof *m->cells);
    m->values = malloc(room * sizeof *m->values);
    assert_true(m->cells && m->values);
    m->bytes = part.bytes;
    m->n = part_cells(w, part, rank, m->cells);
    if (part.kind == PART_PASSED && (p->n_pending == 0 || p->pending[0].n != m->n ||
                                     memcmp(p->pending[0].cells, m->cells, (size_t)m->n * sizeof *m->cells) != 0))
        world_fail(w, rank, "passes on what did not come");
    if (!w->pairs_of_cells && part.kind != PART_TOKEN && m->n != m->bytes)
        world_fail(w, rank, "the bytes are not those of the data");
    for (int64_t i = 0; i < m->n; i++) {
        m->values[i] = part.kind == PART_PASSED ? p->pending[0].values[i] : p->held[m->cells[i]];
        if (m->values[i] == 0)
            world_fail(w, rank, "sends what it does not have");
    }
    p->port_free = (p->port_free > p->time ? p->port_free : p->time) + w->alpha + w->beta * (double)m->bytes;
    m->arrival = p->port_free;
    w->n_messages++;
    w->n_bytes += m->bytes;
    *process_request(p) = (struct open_request){true, blocking, to, pair->n_sent++, part};
}

static inline void process_receive(struct world *w, int32_t rank, int32_t from, struct part part, bool blocking)
{
    if (from < 0 || from >= w->s.size || from == rank)
        world_fail(w, rank, "no such sender");
    const int sequence = world_pair(w, from, rank)->n_posted++;
    *process_request(&w->processes[rank]) = (struct open_request){false, blocking, from, sequence, part};
}

static inline bool request_complete(struct world *w, int32_t rank, const struct open_request *r)
{
    if (r->send)
        return !w->synchronous || world_pair(w, rank, r->peer)->n_posted > r->sequence;
    return world_pair(w, r->peer, rank)->n_sent > r->sequence;
}

/* Takes a request that is complete from the open ones, and what it received. */
static inline void request_finish(struct world *w, int32_t rank, int which)
{
    struct process *p = &w->processes[rank];
    const struct open_request r = p->open[which];
    p->n_open--;
    memmove(p->open + which, p->open + which + 1, (size_t)(p->n_open - which) * sizeof *p->open);
    if (r.send)
        return;
    const struct parcel *m = &world_pair(w, r.peer, rank)->sent[r.sequence];
    if (m->bytes != r.part.bytes)
        world_fail(w, rank, "sent and received sizes differ");
    int64_t *cells = malloc(part_room(w, r.part) * sizeof *cells);
    assert_non_null(cells);
    if (part_cells(w, r.part, r.peer, cells) != m->n || memcmp(cells, m->cells, (size_t)m->n * sizeof *cells) != 0)
        world_fail(w, rank, "other data arrives than is expected");
    free(cells);
    if (p->time < m->arrival)
        p->time = m->arrival;
    for (int64_t i = 0; i < m->n && world_scans(w) && r.peer < rank; i++) {
        if (p->prefix[m->cells[i]] & m->values[i])
            world_fail(w, rank, "a contribution is in the prefix twice");
        p->prefix[m->cells[i]] |= m->values[i];
    }
    assert_true(p->n_pending < (int)(sizeof p->pending / sizeof *p->pending));
    p->pending[p->n_pending++] = *m;
}

/* ---- moves ---- */

static inline void move_start(struct world *w, int32_t rank, const struct cursor *c)
{
    const struct move *move = &c->move;
    if (move->to == rank || move->from == rank)
        world_fail(w, rank, "sends to itself: copies within a process are no messages");
    if (move->kind == MOVE_REDUCE)
        process_reduce(w, rank, move->bytes);
    else if (move->kind != MOVE_SEND || c->sent.kind != PART_PASSED)
        process_flush(w, rank);
    if (move->kind == MOVE_IRECV || move->kind == MOVE_RECV || move->kind == MOVE_EXCHANGE)
        process_receive(w, rank, move->from, c->received, move->kind != MOVE_IRECV);
    if (move->kind == MOVE_ISEND || move->kind == MOVE_SEND || move->kind == MOVE_EXCHANGE)
        process_send(w, rank, move->to, c->sent, move->kind != MOVE_ISEND);
    if (move->kind == MOVE_END && w->processes[rank].n_open > 0)
        world_fail(w, rank, "leaves with open requests");
}

static inline bool request_awaited(enum move_kind kind, const struct open_request *r)
{
    return kind == MOVE_WAITALL || (kind == MOVE_WAIT_SENDS && r->send) || r->blocking ||
           (kind == MOVE_WAIT_RECEIVE && !r->send);
}

/* Can the call return? */
static inline bool move_finish(struct world *w, int32_t rank, enum move_kind kind)
{
    struct process *p = &w->processes[rank];
    bool any = false;
    for (int i = 0; i < p->n_open; i++) {
        if (!request_awaited(kind, &p->open[i]))
            continue;
        if (!request_complete(w, rank, &p->open[i]))
            return false;
        any = true;
        if (kind == MOVE_WAIT_RECEIVE)
            break;
    }
    if (kind == MOVE_WAIT_RECEIVE && !any)
        world_fail(w, rank, "waits for a receive without one");
    for (int i = 0; i < p->n_open;)
        if (request_awaited(kind, &p->open[i])) {
            request_finish(w, rank, i);
            if (kind == MOVE_WAIT_RECEIVE)
                break;
        } else
            i++;
    return true;
}

/* As far as the process gets; false: not a step. */
static inline bool process_run(struct world *w, int32_t rank)
{
    struct process *p = &w->processes[rank];
    bool moved = false;
    while (!p->ended) {
        struct cursor c;
        schedule_walk(&p->s, p->step, &c);
        if (!p->started)
            move_start(w, rank, &c);
        moved |= !p->started;
        p->started = true;
        if (!move_finish(w, rank, c.move.kind))
            return moved;
        p->started = false;
        p->ended = c.move.kind == MOVE_END;
        p->step++;
        moved = true;
    }
    return moved;
}

/* ---- the whole ---- */

static inline uint64_t all_processes(const struct world *w)
{
    return w->s.size == 64 ? UINT64_MAX : ((uint64_t)1 << w->s.size) - 1;
}

static inline bool world_reduces(const struct world *w)
{
    return w->s.op == COLLECTIVE_MPI_Reduce || w->s.op == COLLECTIVE_MPI_Allreduce ||
           w->s.op == COLLECTIVE_MPI_Reduce_scatter || w->s.op == COLLECTIVE_MPI_Iallreduce || world_scans(w);
}

static inline bool world_has_root_data(const struct world *w)
{
    return w->s.op == COLLECTIVE_MPI_Bcast || w->s.op == COLLECTIVE_MPI_Ibcast || w->s.op == COLLECTIVE_MPI_Scatter ||
           w->s.op == COLLECTIVE_MPI_Scatterv;
}

/* Whose share a cell is in. */
static inline int32_t cell_owner(const struct world *w, int64_t cell)
{
    return w->owners[cell];
}

/* Bytes of all shares, one after the other; nothing where cells are something else. */
static inline void owners_init(struct world *w)
{
    const int64_t all = w->sums[w->s.size];
    w->owners = calloc((size_t)all + 1, sizeof *w->owners);
    assert_non_null(w->owners);
    for (int32_t rank = 0; rank < w->s.size; rank++)
        for (int64_t i = w->sums[rank]; i < w->sums[rank + 1]; i++)
            w->owners[i] = rank;
}

static inline uint64_t value_before(const struct world *w, int32_t rank, int64_t cell)
{
    const uint64_t mine = (uint64_t)1 << rank;
    if (w->pairs_of_cells)
        return cell / w->s.size == rank ? mine : 0;
    if (w->s.op == COLLECTIVE_MPI_Barrier || world_reduces(w))
        return mine;
    if (world_has_root_data(w))
        return rank == w->s.root ? mine : 0;
    return cell_owner(w, cell) == rank ? mine : 0; /* gathers */
}

/* What must be there at the end; 0: anything. */
static inline uint64_t value_after(const struct world *w, int32_t rank, int64_t cell)
{
    const uint64_t all = all_processes(w), root = (uint64_t)1 << w->s.root;
    if (w->pairs_of_cells)
        return cell % w->s.size == rank && schedule_pair(&w->s, (int32_t)(cell / w->s.size), rank) > 0
                   ? (uint64_t)1 << cell / w->s.size : 0;
    switch (w->s.op) {
    case COLLECTIVE_MPI_Barrier:
    case COLLECTIVE_MPI_Allreduce:
    case COLLECTIVE_MPI_Iallreduce:
        return all;
    case COLLECTIVE_MPI_Bcast:
    case COLLECTIVE_MPI_Ibcast:
        return root;
    case COLLECTIVE_MPI_Scatter:
    case COLLECTIVE_MPI_Scatterv:
        return cell_owner(w, cell) == rank ? root : 0;
    case COLLECTIVE_MPI_Gather:
    case COLLECTIVE_MPI_Gatherv:
        return rank == w->s.root ? (uint64_t)1 << cell_owner(w, cell) : 0;
    case COLLECTIVE_MPI_Allgather:
    case COLLECTIVE_MPI_Allgatherv:
        return (uint64_t)1 << cell_owner(w, cell);
    case COLLECTIVE_MPI_Reduce:
        return rank == w->s.root ? all : 0;
    case COLLECTIVE_MPI_Reduce_scatter:
        return cell_owner(w, cell) == rank ? all : 0;
    default: /* Scan, Exscan: see the prefix */
        return 0;
    }
}

static inline void world_check(struct world *w)
{
    for (int32_t rank = 0; rank < w->s.size; rank++) {
        const struct process *p = &w->processes[rank];
        const uint64_t below = ((uint64_t)1 << rank) - 1;
        for (int64_t cell = 0; cell < w->cells; cell++) {
            const uint64_t wanted = value_after(w, rank, cell);
            if (wanted != 0 && p->held[cell] != wanted)
                world_fail(w, rank, "has not the right data at the end");
            if (w->s.op == COLLECTIVE_MPI_Scan && p->prefix[cell] != (below | (uint64_t)1 << rank))
                world_fail(w, rank, "has not the right prefix at the end");
            if (w->s.op == COLLECTIVE_MPI_Exscan && p->prefix[cell] != below)
                world_fail(w, rank, "has not the right prefix at the end");
        }
        for (int32_t to = 0; to < w->s.size; to++)
            if (world_pair(w, rank, to)->n_sent != world_pair(w, rank, to)->n_posted)
                world_fail(w, rank, "a message is never received");
    }
}

static inline void world_init(struct world *w)
{
    const size_t size = (size_t)w->s.size;
    w->pairs_of_cells = w->s.op == COLLECTIVE_MPI_Alltoall || w->s.op == COLLECTIVE_MPI_Alltoallv;
    w->sums = calloc(size + 1, sizeof *w->sums);
    w->processes = calloc(size, sizeof *w->processes);
    w->pairs = calloc(size * size, sizeof *w->pairs);
    assert_true(w->sums && w->processes && w->pairs);
    for (int32_t r = 0; r < w->s.size; r++)
        w->sums[r + 1] = w->sums[r] + schedule_share(&w->s, r);
    owners_init(w);
    w->cells = w->pairs_of_cells                   ? (int64_t)(size * size)
               : w->s.op == COLLECTIVE_MPI_Barrier ? 1
                                                   : schedule_total(&w->s);
    for (int32_t r = 0; r < w->s.size; r++) {
        struct process *p = &w->processes[r];
        p->s = w->s;
        p->s.rank = r;
        p->held = calloc((size_t)w->cells + 1, sizeof *p->held);
        p->prefix = calloc(world_scans(w) ? (size_t)w->cells + 1 : 1, sizeof *p->prefix);
        assert_true(p->held && p->prefix);
        for (int64_t cell = 0; cell < w->cells; cell++) {
            p->held[cell] = value_before(w, r, cell);
            if (w->s.op == COLLECTIVE_MPI_Scan)
                p->prefix[cell] = p->held[cell];
        }
    }
}

static inline void world_free(struct world *w)
{
    for (int32_t i = 0; i < w->s.size * w->s.size; i++) {
        for (int m = 0; m < w->pairs[i].n_sent; m++) {
            free(w->pairs[i].sent[m].cells);
            free(w->pairs[i].sent[m].values);
        }
        free(w->pairs[i].sent);
    }
    for (int32_t r = 0; r < w->s.size; r++) {
        free(w->processes[r].open);
        free(w->processes[r].held);
        free(w->processes[r].prefix);
    }
    free(w->pairs);
    free(w->processes);
    free(w->sums);
    free(w->owners);
}

/* Runs s (rank is of no meaning) with the costs and mode given in *w, checks all data, and leaves the counts and the
 * time. */
static inline void world_run(struct world *w, const struct schedule *s)
{
    w->s = *s;
    w->s.rank = 0;
    w->n_messages = w->n_bytes = w->n_reduced = 0;
    w->finish = 0;
    world_init(w);
    for (bool moved = true; moved;) {
        moved = false;
        for (int32_t rank = 0; rank < s->size; rank++)
            moved |= process_run(w, rank);
    }
    for (int32_t rank = 0; rank < s->size; rank++) {
        if (!w->processes[rank].ended)
            world_fail(w, rank, "deadlock");
        if (w->finish < w->processes[rank].time)
            w->finish = w->processes[rank].time;
    }
    world_check(w);
    world_free(w);
}

#endif
