// SPDX-License-Identifier: MIT
#include "recorder/fold.h"

#include "recorder/operation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUCKETS = 4096 };     /* a power of two; heads of chains of nodes of the outermost level */
enum { CANDIDATES_MOST = 64 }; /* of a chain are looked at: a body with more calls that are alike is folded later */

void *fold_memory(void *old, size_t n, size_t size)
{
    size_t bytes;
    void *memory = __builtin_mul_overflow(n, size, &bytes) ? NULL : realloc(old, bytes > 0 ? bytes : 1);
    if (!memory) {
        fputs("pevpm-record: out of memory\n", stderr);
        abort();
    }
    return memory;
}

void fold_init(struct fold *fold, size_t most)
{
    *fold = (struct fold){.level = FOLD_SENDERS, .most = most, .table_size = 1024};
    fold->table = fold_memory(NULL, fold->table_size, sizeof *fold->table);
    memset(fold->table, 0xff, fold->table_size * sizeof *fold->table);
    fold->buckets = fold_memory(NULL, BUCKETS, sizeof *fold->buckets);
    fold->end_buckets = fold_memory(NULL, BUCKETS, sizeof *fold->end_buckets);
    memset(fold->recent, 0xff, sizeof fold->recent);
    memset(fold->buckets, 0xff, BUCKETS * sizeof *fold->buckets);
    memset(fold->end_buckets, 0xff, BUCKETS * sizeof *fold->end_buckets);
}

static void node_free(struct fold_node *node)
{
    for (uint32_t i = 0; i < node->n_body; i++)
        node_free(&node->body[i]);
    free(node->body);
    free(node->times.bins);
}

void fold_free(struct fold *fold)
{
    for (size_t i = 0; i < fold->n; i++)
        node_free(&fold->nodes[i]);
    free(fold->nodes);
    free(fold->symbols);
    free(fold->hashes);
    free(fold->table);
    free(fold->buckets);
    free(fold->end_buckets);
    memset(fold, 0, sizeof *fold);
}

/* ---- hashes ---- */

static uint64_t join(uint64_t hash, int64_t a, int64_t b)
{
    return fold_mix(hash + 0x9e3779b97f4a7c15U + (uint64_t)a * 0x100000001b3U + (uint64_t)b);
}

static uint64_t call_hash(const struct fold_call *call)
{
    uint64_t hash = join(join(join(1, call->op, call->path), call->comm, call->list), call->sender, 0);
    return join(join(join(hash, call->peer, call->tag), call->peer2, call->tag2), call->bytes, call->bytes2);
}

/* Of a loop: of what it goes round over, and of how often. */
static uint64_t body_hash(const struct fold_node *loop)
{
    uint64_t hash = join(2, loop->n_body, 0);
    for (uint32_t i = 0; i < loop->n_body; i++)
        hash = join(hash, (int64_t)loop->body[i].hash, 0);
    return hash;
}

static void hash_loop(const struct fold *fold, struct fold_node *loop)
{
    if (fold->level < FOLD_SHAPES)
        loop->hash = join(loop->body_hash, (int64_t)(loop->trips / loop->runs), 0);
    else
        loop->hash = loop->n_body == 1 ? loop->body[0].hash : loop->body_hash;
}

/* ---- symbols ---- */

static void table_grow(struct fold *fold)
{
    fold->table_size *= 2;
    fold->table = fold_memory(fold->table, fold->table_size, sizeof *fold->table);
    memset(fold->table, 0xff, fold->table_size * sizeof *fold->table);
    for (uint32_t i = 0; i < fold->n_symbols; i++) {
        size_t at = fold->hashes[i] & (fold->table_size - 1);
        while (fold->table[at] != UINT32_MAX)
            at = (at + 1) & (fold->table_size - 1);
        fold->table[at] = i;
    }
}

static bool same_call(const struct fold_call *a, const struct fold_call *b)
{
    return a->op == b->op && a->path == b->path && a->comm == b->comm && a->peer == b->peer && a->tag == b->tag &&
           a->peer2 == b->peer2 && a->tag2 == b->tag2 && a->sender == b->sender && a->list == b->list &&
           a->bytes == b->bytes && a->bytes2 == b->bytes2;
}

static uint32_t symbol_new(struct fold *fold, const struct fold_call *call, uint64_t hash)
{
    if (fold->n_symbols == fold->symbols_capacity) {
        fold->symbols_capacity = fold->symbols_capacity ? 2 * fold->symbols_capacity : 64;
        fold->symbols = fold_memory(fold->symbols, fold->symbols_capacity, sizeof *fold->symbols);
        fold->hashes = fold_memory(fold->hashes, fold->symbols_capacity, sizeof *fold->hashes);
    }
    uint32_t symbol = (uint32_t)fold->n_symbols++;
    fold->symbols[symbol] = *call;
    fold->hashes[symbol] = hash;
    if (2 * fold->n_symbols > fold->table_size)
        table_grow(fold);
    return symbol;
}

/* Most calls are what their path and peer gave the last time, which takes no hash to find out. */
static uint32_t symbol_of(struct fold *fold, const struct fold_call *call)
{
    uint32_t *recent = &fold->recent[(uint32_t)(call->path * 8 + call->peer) % FOLD_RECENT];
    if (*recent < fold->n_symbols && same_call(&fold->symbols[*recent], call))
        return *recent;
    uint64_t hash = call_hash(call);
    size_t at = hash & (fold->table_size - 1);
    for (; fold->table[at] != UINT32_MAX; at = (at + 1) & (fold->table_size - 1))
        if (same_call(&fold->symbols[fold->table[at]], call))
            return *recent = fold->table[at];
    fold->table[at] = (uint32_t)fold->n_symbols;
    return *recent = symbol_new(fold, call, hash);
}

/* The call that stands for all that are like it at a level. Above FOLD_EXACT most calls are like one that is there
 * already, whatever their bytes: their symbols are not kept, for there would be as many as sizes. */
static struct fold_call call_alike(const struct fold_call *call, enum fold_level level)
{
    struct fold_call alike = *call;
    if (level >= FOLD_EXACT)
        alike.sender = 0;
    if (level >= FOLD_SIZES)
        alike.bytes = alike.bytes2 = 0;
    if (level >= FOLD_SHAPES)
        alike.peer = alike.tag = alike.peer2 = alike.tag2 = alike.list = 0;
    return alike;
}

/* ---- times ---- */

unsigned fold_bin(double ns)
{
    uint64_t whole = ns > 0 ? (uint64_t)ns : 0;
    if (whole < 2 * FOLD_BINS_PER_OCTAVE)
        return (unsigned)whole;
    unsigned shift = 63 - (unsigned)__builtin_clzll(whole) - (unsigned)__builtin_ctz(FOLD_BINS_PER_OCTAVE);
    unsigned bin = shift * FOLD_BINS_PER_OCTAVE + (unsigned)(whole >> shift);
    return bin < FOLD_BINS ? bin : FOLD_BINS - 1;
}

double fold_bin_start(unsigned bin)
{
    if (bin < 2 * FOLD_BINS_PER_OCTAVE)
        return bin;
    unsigned shift = bin / FOLD_BINS_PER_OCTAVE - 1;
    return (double)((uint64_t)(FOLD_BINS_PER_OCTAVE + bin % FOLD_BINS_PER_OCTAVE) << shift);
}

/* What goes into the histogram where there is one time. */
static double only_time(const struct fold_times *times)
{
    return times->processor_n > 0 ? times->processor : times->wall;
}

static void times_add(struct fold_times *to, struct fold_times *from)
{
    if (!to->bins) {
        to->bins = fold_memory(NULL, FOLD_BINS, sizeof *to->bins);
        memset(to->bins, 0, FOLD_BINS * sizeof *to->bins);
        to->bins[fold_bin(only_time(to))]++;
    }
    if (from->bins)
        for (int i = 0; i < FOLD_BINS; i++)
            to->bins[i] += from->bins[i];
    else
        to->bins[fold_bin(only_time(from))]++;
    to->n += from->n;
    to->processor_n += from->processor_n;
    to->wall += from->wall;
    to->processor += from->processor;
    to->inside += from->inside;
    to->bytes += from->bytes;
    to->wall_least = from->wall_least < to->wall_least ? from->wall_least : to->wall_least;
    to->wall_most = from->wall_most > to->wall_most ? from->wall_most : to->wall_most;
    to->bytes_least = from->bytes_least < to->bytes_least ? from->bytes_least : to->bytes_least;
    to->bytes_most = from->bytes_most > to->bytes_most ? from->bytes_most : to->bytes_most;
}

/* ---- the outermost level ---- */

static void link_last(struct fold *fold)
{
    int32_t last = (int32_t)fold->n - 1;
    struct fold_node *node = &fold->nodes[last];
    int32_t *head = &fold->buckets[node->hash & (BUCKETS - 1)];
    node->before = *head;
    *head = last;
    if (node->trips > 0) {
        head = &fold->end_buckets[node->body[node->n_body - 1].hash & (BUCKETS - 1)];
        node->before_end = *head;
        *head = last;
    }
}

static void unlink_last(struct fold *fold)
{
    struct fold_node *node = &fold->nodes[fold->n - 1];
    fold->buckets[node->hash & (BUCKETS - 1)] = node->before;
    if (node->trips > 0)
        fold->end_buckets[node->body[node->n_body - 1].hash & (BUCKETS - 1)] = node->before_end;
}

static void push(struct fold *fold, const struct fold_node *node)
{
    if (fold->n == fold->capacity) {
        fold->capacity = fold->capacity ? 2 * fold->capacity : 64;
        fold->nodes = fold_memory(fold->nodes, fold->capacity, sizeof *fold->nodes);
    }
    fold->nodes[fold->n++] = *node;
    link_last(fold);
}

/* A node as a loop that went round once each time. */
static void make_single(struct fold_node *node)
{
    uint64_t runs = node->trips == 0 ? node->times.n : node->runs;
    struct fold_node loop = {.hash = node->hash, .trips = runs, .runs = runs, .n_body = 1};
    loop.body = fold_memory(NULL, 1, sizeof *loop.body);
    *loop.body = *node;
    *node = loop;
}

/* Loops right within each other around a node, each all that the one around it has. */
static int count_single(const struct fold_node *node)
{
    int n = 0;
    for (; node->trips > 0 && node->n_body == 1; node = node->body)
        n++;
    return n;
}

/* Adds what `from` took to `to`, which is alike; `from` is gone afterwards. Above FOLD_SIZES a loop is like its body
 * where that is one node, so either may have more loops around what they share. */
static void node_merge(struct fold_node *to, struct fold_node *from)
{
    int around = count_single(to) - count_single(from);
    for (; around < 0; around++)
        make_single(to);
    for (; around > 0; around--)
        make_single(from);
    if (to->trips == 0) {
        times_add(&to->times, &from->times);
    } else {
        to->trips += from->trips;
        to->runs += from->runs;
        for (uint32_t i = 0; i < to->n_body; i++)
            node_merge(&to->body[i], &from->body[i]);
        free(from->body);
    }
    free(from->times.bins);
}

static bool alike(const struct fold_node *a, const struct fold_node *b, size_t n)
{
    for (size_t i = n; i-- > 0;)
        if (a[i].hash != b[i].hash)
            return false;
    return true;
}

/* The last w nodes go into the body of the loop before them. */
static void join_loop(struct fold *fold, uint32_t w)
{
    for (uint32_t i = 0; i <= w; i++) {
        unlink_last(fold);
        fold->n--;
    }
    struct fold_node *loop = &fold->nodes[fold->n];
    for (uint32_t i = 0; i < w; i++)
        node_merge(&loop->body[i], &loop[1 + i]);
    loop->trips++;
    hash_loop(fold, loop);
    fold->n++;
    link_last(fold);
}

/* The last w nodes and the w before them become a loop. */
static void make_loop(struct fold *fold, uint32_t w)
{
    for (uint32_t i = 0; i < 2 * w; i++) {
        unlink_last(fold);
        fold->n--;
    }
    struct fold_node *first = &fold->nodes[fold->n];
    struct fold_node loop = {.trips = 2, .runs = 1, .n_body = w};
    loop.body = fold_memory(NULL, w, sizeof *loop.body);
    memcpy(loop.body, first, w * sizeof *loop.body);
    for (uint32_t i = 0; i < w; i++)
        node_merge(&loop.body[i], &first[w + i]);
    loop.body_hash = body_hash(&loop);
    hash_loop(fold, &loop);
    push(fold, &loop);
}

static bool try_join(struct fold *fold)
{
    int32_t last = (int32_t)fold->n - 1;
    const struct fold_node *nodes = fold->nodes;
    int32_t at = fold->end_buckets[nodes[last].hash & (BUCKETS - 1)];
    for (int looked = 0; at >= 0 && looked < CANDIDATES_MOST; at = nodes[at].before_end, looked++)
        if (nodes[at].n_body == (uint32_t)(last - at) && alike(nodes[at].body, &nodes[at + 1], nodes[at].n_body)) {
            join_loop(fold, nodes[at].n_body);
            return true;
        }
    return false;
}

static bool try_make(struct fold *fold)
{
    int32_t last = (int32_t)fold->n - 1;
    const struct fold_node *nodes = fold->nodes;
    int32_t at = nodes[last].before;
    for (int looked = 0; at >= 0 && looked < CANDIDATES_MOST; at = nodes[at].before, looked++) {
        int32_t w = last - at;
        if (2 * w > last + 1)
            return false; /* and those further on in the chain are even wider */
        if (alike(&nodes[at + 1 - w], &nodes[at + 1], (size_t)w)) {
            make_loop(fold, (uint32_t)w);
            return true;
        }
    }
    return false;
}

static uint64_t first_hash(const struct fold_node *node)
{
    while (node->trips > 0)
        node = node->body;
    return node->hash;
}

/* The last node is complete where `next` does not go on with it: what it ends is folded. */
static void fold_complete(struct fold *fold, uint64_t next)
{
    while (fold->open && first_hash(&fold->nodes[fold->n - 1]) != next)
        fold->open = fold->n > 1 && (try_join(fold) || try_make(fold));
}

/* A call that is all that the loop at the end goes round over goes into it at once: what try_join would do. */
static bool join_single(struct fold *fold, struct fold_node *node)
{
    struct fold_node *loop = fold->n > 0 ? &fold->nodes[fold->n - 1] : NULL;
    if (!loop || !fold->open || loop->n_body != 1 || loop->body[0].trips > 0 || loop->body[0].hash != node->hash)
        return false;
    unlink_last(fold);
    node_merge(&loop->body[0], node);
    loop->trips++;
    hash_loop(fold, loop);
    link_last(fold);
    return true;
}

static void add_node(struct fold *fold, struct fold_node *node)
{
    if (node->trips == 0 && join_single(fold, node))
        return;
    fold_complete(fold, first_hash(node));
    push(fold, node);
    fold->open = node->trips > 0;
    if (fold->n > 1 && (try_join(fold) || try_make(fold)))
        fold->open = true;
}

/* ---- coarser levels ---- */

static void node_coarsen(struct fold *fold, struct fold_node *node)
{
    if (node->trips == 0) {
        struct fold_call alike = call_alike(&fold->symbols[node->symbol], fold->level);
        node->symbol = symbol_of(fold, &alike);
        node->hash = fold->hashes[node->symbol];
        return;
    }
    for (uint32_t i = 0; i < node->n_body; i++)
        node_coarsen(fold, &node->body[i]);
    node->body_hash = body_hash(node);
    hash_loop(fold, node);
}

static void coarsen(struct fold *fold)
{
    size_t n = fold->n;
    struct fold_node *nodes = fold->nodes;
    fold->level = fold->level == FOLD_SENDERS && !fold->senders ? FOLD_SIZES : fold->level + 1;
    fold->nodes = NULL;
    fold->n = fold->capacity = 0;
    fold->open = false;
    memset(fold->buckets, 0xff, BUCKETS * sizeof *fold->buckets);
    memset(fold->end_buckets, 0xff, BUCKETS * sizeof *fold->end_buckets);
    for (size_t i = 0; i < n; i++) {
        node_coarsen(fold, &nodes[i]);
        add_node(fold, &nodes[i]);
    }
    free(nodes);
    fold->most = fold->n > fold->most / 2 ? 2 * fold->n : fold->most; /* else each further call would fold all again */
}

/* Senders are worth less than what a coarser level would lose, and longer lists are slower to read. */
static size_t most_of(const struct fold *fold)
{
    return fold->level == FOLD_SENDERS && fold->senders ? fold->most / 10 : fold->most;
}

void fold_add(struct fold *fold, const struct fold_call *call, const struct fold_sample *sample)
{
    struct fold_call alike = call_alike(call, fold->level);
    struct fold_node node = {.symbol = symbol_of(fold, &alike)};
    node.hash = fold->hashes[node.symbol];
    fold->senders = fold->senders || alike.sender != 0;
    const double bytes = (double)call->bytes + sample->moved;
    node.times = (struct fold_times){.n = 1, .wall = sample->wall, .wall_least = sample->wall,
                                     .wall_most = sample->wall, .inside = sample->inside, .bytes = bytes,
                                     .bytes_least = bytes, .bytes_most = bytes};
    if (sample->processor >= 0) {
        node.times.processor_n = 1;
        node.times.processor = sample->processor;
    }
    add_node(fold, &node);
    if (fold->n > most_of(fold) && fold->level < FOLD_SHAPES)
        coarsen(fold);
}
