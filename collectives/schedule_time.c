#include "collectives/schedule_time.h"

#include "collectives/schedule_impl.h"
#include "common/alloc.h"
#include "network/inlet.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NONE = -1, MOVES_PER_LOOK = 1 << 12 };

/* A message, a receive, or both. */
struct transfer {
    double at;                   /* at the in port, then the arrival */
    double in_gap, receive_overhead;
    int32_t from, to, next;      /* next: of its channel; free */
    bool posted, known, awaited; /* known: `at` is the arrival */
};

/* What an ordered pair of ranks shares: messages without a receive, or receives without a message. */
struct channel {
    int32_t from, to, first, last;
    double wire, delivered;      /* latest at the in port, latest arrival: no overtaking */
};

struct process {
    struct schedule s;
    int64_t step;
    double clock, out_free;
    struct inlet in;
    int32_t n_awaited;           /* transfers that have not arrived yet */
    int32_t n_open, first_open, capacity;
    int32_t *open;               /* transfers of receives in the order in which they were posted, from first_open on */
    int32_t n_taken;             /* of them the wait is for that many: from first_open on, or (last) the newest */
    bool last;
};

struct play {
    const struct schedule_costs *costs;
    int32_t size, n_played;      /* n_played 1: rank 0 stands for all */
    struct process *processes;
    int32_t n_transfers, transfers_capacity, free_transfer;
    struct transfer *transfers;
    int32_t n_channels, channels_capacity;
    struct channel *channels;
    int32_t *table;              /* [2 * channels_capacity] open addressing; NONE: empty */
    size_t n_heap, heap_capacity;
    int32_t *heap;               /* transfers on their way to an in port, the earliest first */
    int32_t n_ready;
    int32_t *ready;              /* processes whose wait is over */
};

/* ---- pools ---- */

static int32_t transfer_take(struct play *y)
{
    int32_t t = y->free_transfer;
    if (t != NONE) {
        y->free_transfer = y->transfers[t].next;
        return t;
    }
    if (y->n_transfers == y->transfers_capacity) {
        y->transfers_capacity = y->transfers_capacity ? 2 * y->transfers_capacity : 64;
        y->transfers = alloc_resize(y->transfers, (size_t)y->transfers_capacity, sizeof *y->transfers);
    }
    return y->n_transfers++;
}

static size_t table_slot(const struct play *y, int32_t from, int32_t to)
{
    uint64_t key = (uint64_t)(uint32_t)from << 32 | (uint32_t)to;
    size_t n = 2 * (size_t)y->channels_capacity, i = (size_t)((key * 0x9e3779b97f4a7c15u) >> 20) % n;
    for (; y->table[i] != NONE; i = (i + 1) % n)
        if (y->channels[y->table[i]].from == from && y->channels[y->table[i]].to == to)
            break;
    return i;
}

static void channels_grow(struct play *y)
{
    y->channels_capacity = y->channels_capacity ? 2 * y->channels_capacity : 64;
    size_t n = (size_t)y->channels_capacity;
    y->channels = alloc_resize(y->channels, n, sizeof *y->channels);
    free(y->table);
    y->table = alloc_array(2 * n, sizeof *y->table);
    memset(y->table, 0xff, 2 * n * sizeof *y->table);
    for (int32_t c = 0; c < y->n_channels; c++)
        y->table[table_slot(y, y->channels[c].from, y->channels[c].to)] = c;
}

static struct channel *channel_find(struct play *y, int32_t from, int32_t to)
{
    if (y->n_channels == y->channels_capacity)
        channels_grow(y);
    size_t slot = table_slot(y, from, to);
    if (y->table[slot] == NONE) {
        y->table[slot] = y->n_channels;
        y->channels[y->n_channels++] =
            (struct channel){.from = from, .to = to, .first = NONE, .last = NONE, .wire = 0, .delivered = 0};
    }
    return &y->channels[y->table[slot]];
}

/* The other half of a message or receive, if it has come first; else a new one that waits for it. */
static int32_t half_find(struct play *y, struct channel *c, bool posts)
{
    int32_t t = c->first;
    if (t != NONE && y->transfers[t].posted != posts) {
        c->first = y->transfers[t].next;
        y->transfers[t].posted = true;
        return t;
    }
    t = transfer_take(y);
    y->transfers[t] = (struct transfer){.from = c->from, .to = c->to, .next = NONE, .posted = posts};
    if (c->first == NONE)
        c->first = t;
    else
        y->transfers[c->last].next = t;
    c->last = t;
    return t;
}

/* ---- on the way ---- */

static bool is_earlier(const struct play *y, int32_t a, int32_t b)
{
    const struct transfer *s = &y->transfers[a], *t = &y->transfers[b];
    return s->at < t->at || (s->at == t->at && s->from < t->from);
}

static void heap_push(struct play *y, int32_t t)
{
    if (y->n_heap == y->heap_capacity) {
        y->heap_capacity = y->heap_capacity ? 2 * y->heap_capacity : 64;
        y->heap = alloc_resize(y->heap, y->heap_capacity, sizeof *y->heap);
    }
    size_t i = y->n_heap++;
    for (; i > 0 && is_earlier(y, t, y->heap[(i - 1) / 2]); i = (i - 1) / 2)
        y->heap[i] = y->heap[(i - 1) / 2];
    y->heap[i] = t;
}

static int32_t heap_pop(struct play *y)
{
    int32_t first = y->heap[0], moved = y->heap[--y->n_heap];
    size_t i = 0;
    for (size_t child; (child = 2 * i + 1) < y->n_heap; i = child) {
        child += child + 1 < y->n_heap && is_earlier(y, y->heap[child + 1], y->heap[child]);
        if (!is_earlier(y, y->heap[child], moved))
            break;
        y->heap[i] = y->heap[child];
    }
    y->heap[i] = moved;
    return first;
}

static void arrive(struct play *y, int32_t t, double at)
{
    struct transfer *m = &y->transfers[t];
    struct channel *c = channel_find(y, m->from, m->to);
    m->at = c->delivered = fmax(at, c->delivered);
    m->known = true;
    if (m->awaited && --y->processes[m->to].n_awaited == 0)
        y->ready[y->n_ready++] = m->to;
}

static void in_port_pass(struct play *y, int32_t t)
{
    const struct transfer *m = &y->transfers[t];
    struct process *p = &y->processes[m->to];
    arrive(y, t, inlet_pass(&p->in, m->in_gap, 0, m->at));
}

/* ---- calls ---- */

static void process_send(struct play *y, struct process *p, int32_t to, int64_t bytes)
{
    int32_t from = p->s.rank;
    struct message_cost cost;
    y->costs->message(y->costs->context, from, to, bytes, &cost);
    double departs = p->clock;
    if (cost.out_gap > 0) {
        departs = fmax(departs, p->out_free);
        p->out_free = departs + cost.out_gap;
    }
    p->clock += cost.send_overhead;
    if (y->n_played == 1) { /* what 0 sends to `to`, the one as far behind it sends to 0 */
        from = (from - to + y->size) % y->size;
        to = 0;
    }
    struct channel *c = channel_find(y, from, to);
    int32_t t = half_find(y, c, false);
    struct transfer *m = &y->transfers[t];
    m->at = c->wire = fmax(departs + cost.transit, c->wire);
    m->in_gap = cost.in_gap;
    m->receive_overhead = cost.receive_overhead;
    if (cost.in_gap == 0)
        arrive(y, t, m->at);
    else
        heap_push(y, t);
}

static void process_receive(struct play *y, struct process *p, int32_t from)
{
    if (p->n_open == p->capacity) {
        p->capacity = p->capacity ? 2 * p->capacity : 4;
        p->open = alloc_resize(p->open, (size_t)p->capacity, sizeof *p->open);
    }
    p->open[p->n_open++] = half_find(y, channel_find(y, from, p->s.rank), true);
}

/* From now on the process waits for n of its open receives, the oldest or the newest. */
static void process_await(struct play *y, struct process *p, int32_t n, bool last)
{
    p->n_taken = n;
    p->last = last;
    for (int32_t i = 0; i < n; i++) {
        struct transfer *m = &y->transfers[p->open[(last ? p->n_open - n : p->first_open) + i]];
        m->awaited = true;
        p->n_awaited += !m->known;
    }
}

struct received {
    double at, overhead;
    int32_t order;
};

static int received_compare(const void *a, const void *b)
{
    const struct received *s = a, *t = b;
    return s->at != t->at ? (s->at < t->at ? -1 : 1) : (s->order > t->order) - (s->order < t->order);
}

/* The wait is over: receives complete in the order of arrival. */
static void process_complete(struct play *y, struct process *p)
{
    int32_t n = p->n_taken, first = p->last ? p->n_open - n : p->first_open;
    struct received one, *all = n > 1 ? alloc_array((size_t)n, sizeof *all) : &one;
    for (int32_t i = 0; i < n; i++) {
        int32_t t = p->open[first + i];
        all[i] = (struct received){y->transfers[t].at, y->transfers[t].receive_overhead, i};
        y->transfers[t].next = y->free_transfer;
        y->free_transfer = t;
    }
    if (n > 1)
        qsort(all, (size_t)n, sizeof *all, received_compare);
    for (int32_t i = 0; i < n; i++)
        p->clock = fmax(all[i].at, p->clock + all[i].overhead);
    if (n > 1)
        free(all);
    if (p->last)
        p->n_open -= n;
    else
        p->first_open += n;
    if (p->first_open == p->n_open)
        p->first_open = p->n_open = 0;
    p->n_taken = 0;
}

/* One call; false: the end. */
static bool process_move(struct play *y, struct process *p)
{
    struct move move;
    schedule_move(&p->s, p->step++, &move);
    switch (move.kind) {
    case MOVE_SEND:
    case MOVE_ISEND:
        process_send(y, p, move.to, move.bytes);
        break;
    case MOVE_EXCHANGE:
        process_send(y, p, move.to, move.bytes);
        process_receive(y, p, move.from);
        process_await(y, p, 1, true);
        break;
    case MOVE_RECV:
    case MOVE_IRECV:
        process_receive(y, p, move.from);
        process_await(y, p, move.kind == MOVE_RECV, true);
        break;
    case MOVE_WAITALL:
        process_await(y, p, p->n_open - p->first_open, false);
        break;
    case MOVE_WAIT_RECEIVE:
        process_await(y, p, 1, false);
        break;
    case MOVE_REDUCE:
        p->clock += y->costs->gamma * (double)move.bytes;
        break;
    case MOVE_WAIT_SENDS: /* eager: they are complete */
    case MOVE_SKIP:
        break;
    case MOVE_END:
        return false;
    }
    return true;
}

/* ---- the whole ---- */

/* Runs every process that can go on as far as it gets. A process never touches another's port, so only what reaches
 * in ports must wait for its turn. */
static bool ready_run(struct play *y)
{
    while (y->n_ready > 0) {
        struct process *p = &y->processes[y->ready[--y->n_ready]];
        for (bool on = true; on && p->n_awaited == 0;) {
            if (p->n_taken > 0)
                process_complete(y, p);
            if (p->step % MOVES_PER_LOOK == 0 && y->costs->stop && *y->costs->stop)
                return false;
            on = process_move(y, p);
        }
    }
    return true;
}

static void play_init(struct play *y, const struct schedule *schedule, const struct schedule_costs *costs)
{
    *y = (struct play){.costs = costs, .size = schedule->size, .free_transfer = NONE};
    y->n_played = costs->alike && schedule_turns(schedule) ? 1 : schedule->size;
    y->processes = alloc_zeroed((size_t)y->n_played, sizeof *y->processes);
    y->ready = alloc_array((size_t)y->n_played, sizeof *y->ready);
    for (int32_t rank = y->n_played - 1; rank >= 0; rank--) {
        struct process *p = &y->processes[rank];
        p->s = *schedule;
        p->s.rank = rank;
        p->in = inlet_idle();
        y->ready[y->n_ready++] = rank;
    }
}

static void play_free(struct play *y)
{
    for (int32_t rank = 0; rank < y->n_played; rank++)
        free(y->processes[rank].open);
    free(y->processes);
    free(y->transfers);
    free(y->channels);
    free(y->table);
    free(y->heap);
    free(y->ready);
}

bool schedule_times(const struct schedule *schedule, const struct schedule_costs *costs, double leaves[])
{
    struct play play, *y = &play;
    play_init(y, schedule, costs);
    bool on = ready_run(y);
    while (on && y->n_heap > 0) {
        in_port_pass(y, heap_pop(y));
        on = ready_run(y);
    }
    for (int32_t rank = 0; rank < y->size; rank++)
        leaves[rank] = y->processes[y->n_played == 1 ? 0 : rank].clock;
    for (int32_t rank = 0; on && rank < y->n_played; rank++)
        assert(y->processes[rank].n_awaited == 0 && "every schedule ends");
    play_free(y);
    return on;
}

bool schedule_turns(const struct schedule *s)
{
    if (s->sums)
        return false;
    switch (s->op) {
    case COLLECTIVE_MPI_Barrier:
        return s->algorithm == ALGORITHM_dissemination;
    case COLLECTIVE_MPI_Allgather:
    case COLLECTIVE_MPI_Allgatherv:
        return s->algorithm == ALGORITHM_ring || s->algorithm == ALGORITHM_bruck;
    case COLLECTIVE_MPI_Alltoall:
        return s->algorithm != ALGORITHM_by_rank;
    case COLLECTIVE_MPI_Alltoallv:
        return s->algorithm != ALGORITHM_linear && s->algorithm != ALGORITHM_by_rank;
    case COLLECTIVE_MPI_Reduce_scatter:
        return s->algorithm == ALGORITHM_ring || s->algorithm == ALGORITHM_pairwise;
    default:
        return false;
    }
}
