#include "engine/lanes/lanes_impl.h"

#include "common/alloc.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- pools ---- */

/* A larger copy of rows: aligned memory cannot be resized in place. */
static double *rows_grow(double *rows, size_t n, size_t capacity, size_t width)
{
    double *larger = alloc_lanes(capacity * width, sizeof *larger);
    if (rows)
        memcpy(larger, rows, n * width * sizeof *rows);
    free(rows);
    return larger;
}

/* True when the pool must grow before it can give another object; *capacity is then what to grow to. */
static bool pool_is_full(const struct pool *pool, size_t *capacity)
{
    if (pool->free != NONE || pool->n < pool->capacity)
        return false;
    *capacity = pool->capacity ? pool->capacity * 2 : 64;
    assert(*capacity <= INT32_MAX);
    return true;
}

static void pool_reset(struct pool *pool)
{
    pool->n = 0;
    pool->free = NONE;
}

int32_t transfer_new(struct lanes *e)
{
    struct pool *pool = &e->transfer_pool;
    size_t capacity;
    if (pool_is_full(pool, &capacity)) {
        e->transfers = alloc_resize(e->transfers, capacity, sizeof *e->transfers);
        e->time = rows_grow(e->time, pool->n, capacity, (size_t)e->width);
        pool->capacity = capacity;
    }
    int32_t t = pool->free;
    if (t == NONE)
        return (int32_t)pool->n++;
    pool->free = e->transfers[t].next;
    return t;
}

void transfer_release(struct lanes *e, int32_t t)
{
    e->transfers[t].next = e->transfer_pool.free;
    e->transfer_pool.free = t;
}

int32_t operation_new(struct lanes *e)
{
    struct pool *pool = &e->operation_pool;
    size_t capacity;
    if (pool_is_full(pool, &capacity)) {
        e->operations = alloc_resize(e->operations, capacity, sizeof *e->operations);
        if (e->keeps_rows)
            e->moment = rows_grow(e->moment, pool->n, capacity, (size_t)e->width);
        pool->capacity = capacity;
    }
    int32_t o = pool->free;
    if (o == NONE)
        return (int32_t)pool->n++;
    pool->free = e->operations[o].next_posted;
    return o;
}

void operation_release(struct lanes *e, int32_t o)
{
    e->operations[o].next_posted = e->operation_pool.free;
    e->operation_pool.free = o;
}

void fresh_grow(struct lanes *e)
{
    e->fresh = alloc_grow(e->fresh, e->n_fresh, &e->fresh_capacity, sizeof *e->fresh);
}

void pending_grow(struct lanes *e)
{
    e->pending = alloc_grow(e->pending, e->n_pending, &e->pending_capacity, sizeof *e->pending);
}

void order_reserve(struct lanes *e, size_t n)
{
    if (n <= e->order_capacity)
        return;
    size_t capacity = e->order_capacity ? e->order_capacity : 16;
    while (capacity < n)
        capacity *= 2;
    e->order = alloc_resize(e->order, capacity, sizeof *e->order);
    e->order_time = rows_grow(e->order_time, 0, capacity, (size_t)e->width);
    e->order_extra = rows_grow(e->order_extra, 0, capacity, (size_t)e->width);
    e->order_capacity = capacity;
}

static void rows_fill(double *rows, size_t n, double value)
{
    for (size_t i = 0; rows && i < n; i++)
        rows[i] = value;
}

/* ---- channels ---- */

static size_t channel_hash(const struct lanes *e, int32_t from, int32_t to)
{
    uint64_t key = (uint64_t)(uint32_t)from << 32 | (uint32_t)to;
    key *= 0x9E3779B97F4A7C15u; /* Fibonacci hashing: the golden ratio spreads neighbours */
    return (size_t)(key >> 32) & (e->hash_size - 1);
}

static void channel_index(struct lanes *e, int32_t c)
{
    size_t h = channel_hash(e, e->channels[c].from, e->channels[c].to);
    while (e->channel_hash[h] != NONE)
        h = (h + 1) & (e->hash_size - 1);
    e->channel_hash[h] = c;
}

static void channels_grow(struct lanes *e, size_t capacity)
{
    size_t n = e->channel_pool.n;
    e->channels = alloc_resize(e->channels, capacity, sizeof *e->channels);
    e->wire = rows_grow(e->wire, n, capacity, (size_t)e->width);
    if (e->keeps_starts)
        e->started = rows_grow(e->started, n, capacity, (size_t)e->width);
    if (e->inlets)
        e->delivered = rows_grow(e->delivered, n, capacity, (size_t)e->width);
    e->channel_pool.capacity = capacity;
    e->hash_size = capacity * 2;
    e->channel_hash = alloc_resize(e->channel_hash, e->hash_size, sizeof *e->channel_hash);
    memset(e->channel_hash, 0xff, e->hash_size * sizeof *e->channel_hash);
    for (size_t c = 0; c < n; c++)
        channel_index(e, (int32_t)c);
}

/* A channel as it is when a run begins. */
static void channel_clear(struct lanes *e, int32_t c)
{
    struct channel *channel = &e->channels[c];
    channel->first_unmatched = channel->last_unmatched = NONE;
    channel->first_posted = channel->last_posted = NONE;
    channel->n_unmatched = 0;
    channel->limit = RULE_UNMATCHED;
    channel->n_wired = channel->n_met = 0;
    double *const rows[] = {e->wire, e->started, e->delivered};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i])
            rows_fill(row(e, rows[i], c), (size_t)e->width, -INFINITY);
}

int32_t channel_for(struct lanes *e, int32_t from, int32_t to)
{
    if (e->hash_size) {
        size_t h = channel_hash(e, from, to);
        for (int32_t c = e->channel_hash[h]; c != NONE; c = e->channel_hash[h]) {
            if (e->channels[c].from == from && e->channels[c].to == to)
                return c;
            h = (h + 1) & (e->hash_size - 1);
        }
    }
    size_t capacity;
    if (pool_is_full(&e->channel_pool, &capacity))
        channels_grow(e, capacity);
    int32_t c = (int32_t)e->channel_pool.n++;
    const struct seat from_seat = engine_seat(e->program, from), to_seat = engine_seat(e->program, to);
    enum transport transport = transport_between(from_seat, to_seat);
    e->channels[c] = (struct channel){.from = from,
                                      .to = to,
                                      .pair_class = e->model->pair_class(e->model, transport, from_seat.node, to_seat.node),
                                      .board = engine_board(e->setup, transport, from_seat),
                                      .transport = (uint8_t)transport};
    channel_clear(e, c);
    channel_index(e, c);
    return c;
}

/* ---- random words ---- */

void draw_block(struct lanes *e, enum stream stream, int32_t process, uint64_t number)
{
    struct draws *draws = &e->draws[stream];
    size_t width = (size_t)e->width;
    if (!draws->words) {
        draws->words = alloc_lanes((size_t)e->numprocs * 4 * width, sizeof *draws->words);
        draws->block = alloc_array((size_t)e->numprocs, sizeof *draws->block);
        memset(draws->block, 0xff, (size_t)e->numprocs * sizeof *draws->block);
    }
    draws->block[process] = number / 4;
    e->k->draw(e->width, e->setup->seed, e->first, (uint32_t)process, number / 4, stream,
               draws->words + (size_t)process * 4 * width);
}

/* ---- lifetime ---- */

static void ports_create(struct lanes *e, size_t width)
{
    size_t ports = (size_t)e->numprocs;
    e->out_free = alloc_lanes(ports * width, sizeof(double));
    e->out_asked = alloc_lanes(ports * width, sizeof(double));
    e->inlets = alloc_lanes(ports * INLET_NUMBERS * width, sizeof(double));
    e->in_asked = alloc_lanes(ports * width, sizeof(double));
    e->queues = alloc_zeroed(ports, sizeof *e->queues);
    for (int side = SIDE_SEND; side <= SIDE_RECEIVE; side++)
        e->highest[side] = alloc_array(ports, sizeof *e->highest[side]);
    e->asked_ports = alloc_array(ports, sizeof *e->asked_ports);
}

static void processes_create(struct lanes *e)
{
    size_t n_slots = 0, n_channels = 0;
    for (int p = 0; p < e->numprocs; p++) {
        const struct role *role = &e->program->roles[e->program->role_of[p]];
        n_slots += (size_t)role->n_slots;
        n_channels += 2 * (size_t)role->n_peers;
    }
    e->processes = alloc_zeroed((size_t)e->numprocs, sizeof *e->processes);
    e->slots = alloc_zeroed(n_slots, sizeof *e->slots);
    e->channel_slots = alloc_array(n_channels, sizeof *e->channel_slots);
    memset(e->channel_slots, 0xff, n_channels * sizeof *e->channel_slots);
    struct value *slots = e->slots;
    int32_t *channels = e->channel_slots;
    for (int p = 0; p < e->numprocs; p++) {
        struct lane_process *process = &e->processes[p];
        process->role = &e->program->roles[e->program->role_of[p]];
        process->node = program_node(e->program, p);
        process->time_factor = machine_time_factor(e->setup->machine, process->node);
        process->slots = slots;
        process->channels = channels;
        slots += process->role->n_slots;
        channels += 2 * process->role->n_peers;
    }
}

void store_create(struct lanes *e)
{
    size_t numprocs = (size_t)e->numprocs, width = (size_t)e->width;
    processes_create(e);
    e->clock = alloc_lanes(numprocs * width, sizeof *e->clock);
    e->serial = alloc_zeroed(numprocs, sizeof *e->serial);
    e->on_board = alloc_array(engine_boards(e->program), sizeof *e->on_board);
    if (e->variability.any)
        e->factors = alloc_lanes((size_t)e->program->nodes * width, sizeof *e->factors);
    if (e->program->n_serials > 0 || e->variability.any)
        e->sampled = alloc_lanes(numprocs * width, sizeof *e->sampled);
    if (e->model->ports != PORTS_OFF)
        ports_create(e, width);
    if (e->keeps_calls) {
        e->n_calls = alloc_zeroed(numprocs, sizeof *e->n_calls);
        e->entered = alloc_lanes(numprocs * RULE_HISTORY * width, sizeof *e->entered);
        e->left = alloc_lanes(numprocs * RULE_HISTORY * width, sizeof *e->left);
        e->until = alloc_lanes(numprocs * width, sizeof *e->until);
    }
    const size_t regions = numprocs * e->program->tree->n_regions;
    if (regions > 0) {
        e->inside = alloc_zeroed(regions, sizeof *e->inside);
        e->region_since = alloc_lanes(regions * width, sizeof *e->region_since);
        e->region_seconds = alloc_lanes(regions * width, sizeof *e->region_seconds);
        e->region_times = alloc_zeroed(region_numbers(e->program) * width, sizeof *e->region_times);
    }
    e->n_words = (e->numprocs + 63) / 64;
    e->n_summary = (e->n_words + 63) / 64;
    e->runnable = alloc_zeroed((size_t)e->n_words, sizeof *e->runnable);
    e->runnable_summary = alloc_zeroed((size_t)e->n_summary, sizeof *e->runnable_summary);
    pool_reset(&e->channel_pool);
    pool_reset(&e->transfer_pool);
    pool_reset(&e->operation_pool);
}

static void process_reset(struct lanes *e, int32_t p)
{
    struct lane_process *process = &e->processes[p];
    for (int32_t slot = 0; slot < process->role->n_slots; slot++)
        process->slots[slot] = process->role->initial[slot];
    process->n_sent = process->n_received = process->n_sampled = process->n_computed = 0;
    process->pc = process->n_pending = 0;
    process->waits = process->first_open = process->last_open = NONE;
    process->state = LANE_RUNNABLE;
    process->must_last = false;
    runnable_set(e, p);
}

static void factors_draw(struct lanes *e)
{
    for (int32_t node = 0; e->factors && node < e->program->nodes; node++)
        for (int l = 0; l < e->width; l++)
            row(e, e->factors, node)[l] =
                variability_at(&e->variability, e->setup->seed, e->first + (uint32_t)l, node);
}

void store_reset(struct lanes *e)
{
    size_t rows = (size_t)e->numprocs * (size_t)e->width;
    rows_fill(e->clock, rows, 0);
    rows_fill(e->serial, (size_t)e->numprocs, 0);
    rows_fill(e->sampled, rows, 0);
    rows_fill(e->out_free, rows, -INFINITY);
    rows_fill(e->out_asked, rows, -INFINITY);
    rows_fill(e->inlets, INLET_NUMBERS * rows, -INFINITY);
    rows_fill(e->in_asked, rows, -INFINITY);
    for (int32_t port = 0; e->queues && port < e->numprocs; port++)
        e->highest[SIDE_SEND][port].from = e->highest[SIDE_RECEIVE][port].from = NONE;
    memset(e->inverted, 0, sizeof e->inverted);
    if (e->inside)
        memset(e->inside, 0, (size_t)e->numprocs * e->program->tree->n_regions * sizeof *e->inside);
    rows_fill(e->region_seconds, rows * e->program->tree->n_regions, 0);
    factors_draw(e);
    for (int32_t p = 0; p < e->numprocs; p++)
        process_reset(e, p);
    if (e->n_calls)
        memset(e->n_calls, 0, (size_t)e->numprocs * sizeof *e->n_calls);
    for (size_t c = 0; c < e->channel_pool.n; c++)
        channel_clear(e, (int32_t)c);
    pool_reset(&e->transfer_pool);
    pool_reset(&e->operation_pool);
    for (int stream = 0; stream < N_STREAMS; stream++)
        if (e->draws[stream].block)
            memset(e->draws[stream].block, 0xff, (size_t)e->numprocs * sizeof *e->draws[stream].block);
    e->n_fresh = e->n_pending = 0;
    memset(e->on_board, 0, engine_boards(e->program) * sizeof *e->on_board);
    memset(e->level_most, 0, sizeof e->level_most);
    e->n_ended = 0;
    e->n_sent = 0;
}

void store_destroy(struct lanes *e)
{
    void *owned[] = {e->processes,     e->clock,    e->serial,      e->sampled,   e->slots,       e->channel_slots,
                     e->n_calls,       e->entered,  e->left,        e->runnable,  e->runnable_summary,
                     e->channels,      e->wire,     e->delivered,   e->channel_hash, e->transfers, e->time,
                     e->operations,    e->moment,   e->fresh,       e->pending,   e->out_free,    e->out_asked,
                     e->inlets,        e->in_asked, e->queues,      e->asked_ports, e->order,     e->order_time,
                     e->order_extra,   e->factors,  e->started,     e->highest[0], e->highest[1],
                     e->on_board,      e->until,    e->inside,      e->region_since, e->region_seconds,
                     e->region_times};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        free(owned[i]);
    for (int stream = 0; stream < N_STREAMS; stream++) {
        free(e->draws[stream].block);
        free(e->draws[stream].words);
    }
}
