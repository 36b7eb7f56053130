#include "record/cancelled.h"

#include "recorder/fold.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CALLS_MOST = 20000000 }; /* that are walked: 0.1 s */

/* ---- which ---- */

/* A request has a slot: of its call path and its number there, which at any time only one open request has. */
struct slot {
    int path, ordinal;
    int number;                 /* of the node, in its process */
};

struct walk {
    const struct recorded_process *process;
    int *slot_of;               /* [process->n_calls] of a call that begins a request or cancels one; -1: neither */
    int64_t *begun;             /* by slot: which call began it, counted from the first; -1: nothing is open */
    int64_t call;               /* of the next */
    size_t n, capacity;
    int64_t *cancelled;         /* [n] receives, by when they were begun */
    bool good;
};

static bool is_cancel(const struct recorded_node *node)
{
    return !node->loop && operation_kind(node->op) == KIND_cancel;
}

static bool cancels(size_t n, const struct recorded_node nodes[])
{
    for (size_t i = 0; i < n; i++)
        if (is_cancel(&nodes[i]) || (nodes[i].loop && cancels(nodes[i].n_body, nodes[i].body)))
            return true;
    return false;
}

/* At most CALLS_MOST + 1. */
static int64_t count_calls(size_t n, const struct recorded_node nodes[])
{
    int64_t calls = 0;
    for (size_t i = 0; i < n && calls <= CALLS_MOST; i++) {
        const int64_t trips = nodes[i].loop ? nodes[i].trips / nodes[i].runs : 1;
        const int64_t inner = nodes[i].loop ? count_calls(nodes[i].n_body, nodes[i].body) : 1;
        calls += inner > 0 && trips > CALLS_MOST / inner ? CALLS_MOST + 1 : trips * inner;
    }
    return calls <= CALLS_MOST ? calls : CALLS_MOST + 1;
}

static int compare_slots(const void *a, const void *b)
{
    const struct slot *x = a, *y = b;
    if (x->path != y->path)
        return x->path < y->path ? -1 : 1;
    return (x->ordinal > y->ordinal) - (x->ordinal < y->ordinal);
}

static void collect_slots(const struct recorded_process *process, size_t n, const struct recorded_node nodes[],
                          struct slot slots[], size_t *n_slots)
{
    for (size_t i = 0; i < n; i++) {
        const struct recorded_node *node = &nodes[i];
        if (node->loop)
            collect_slots(process, node->n_body, node->body, slots, n_slots);
        else if (is_cancel(node))
            slots[(*n_slots)++] = (struct slot){process->lists[node->list].pairs[0].path,
                                                process->lists[node->list].pairs[0].ordinal, node->number};
        else if (operation_gives_request(node->op))
            slots[(*n_slots)++] = (struct slot){node->path, node->list, node->number};
    }
}

static void give_slots(struct walk *walk)
{
    const struct recorded_process *process = walk->process;
    struct slot *slots = alloc_array((size_t)process->n_calls + 1, sizeof *slots);
    size_t n = 0;
    int given = -1;
    walk->slot_of = alloc_array((size_t)process->n_calls + 1, sizeof *walk->slot_of);
    for (int i = 0; i < process->n_calls; i++)
        walk->slot_of[i] = -1;
    collect_slots(process, process->n, process->nodes, slots, &n);
    qsort(slots, n, sizeof *slots, compare_slots);
    for (size_t i = 0; i < n; i++) {
        given += i == 0 || compare_slots(&slots[i - 1], &slots[i]) != 0;
        walk->slot_of[slots[i].number] = given;
    }
    walk->begun = alloc_array(n + 1, sizeof *walk->begun);
    for (size_t i = 0; i < n; i++)
        walk->begun[i] = -1;
    free(slots);
}

static bool is_receive(enum operation op)
{
    return operation_gives_request(op) && (operation_kind(op) == KIND_recv || operation_kind(op) == KIND_mrecv);
}

static void look_at(struct walk *walk, const struct recorded_node *node)
{
    const int slot = walk->slot_of[node->number];
    if (is_cancel(node)) {
        walk->good = walk->good && walk->begun[slot] >= 0;
        walk->cancelled = alloc_grow(walk->cancelled, walk->n, &walk->capacity, sizeof *walk->cancelled);
        walk->cancelled[walk->n++] = walk->begun[slot];
        walk->begun[slot] = -1;
    } else if (slot >= 0) {
        walk->begun[slot] = is_receive(node->op) ? walk->call : -1;
    }
    walk->call++;
}

static void look(struct walk *walk, size_t n, const struct recorded_node nodes[])
{
    for (size_t i = 0; i < n && walk->good; i++)
        if (!nodes[i].loop)
            look_at(walk, &nodes[i]);
        else
            for (int64_t trip = 0; trip < nodes[i].trips / nodes[i].runs; trip++)
                look(walk, nodes[i].n_body, nodes[i].body);
}

static int compare_calls(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* How many of those begun before this call were cancelled. */
static size_t cancelled_before(const struct walk *walk, int64_t call)
{
    size_t low = 0, high = walk->n;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (walk->cancelled[middle] < call)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool was_cancelled(const struct walk *walk, int64_t call)
{
    const size_t at = cancelled_before(walk, call);
    return at < walk->n && walk->cancelled[at] == call;
}

/* Do two trips of so many calls each, which begin there, cancel the same? */
static bool same_trips(const struct walk *walk, int64_t a, int64_t b, int64_t length)
{
    size_t i = cancelled_before(walk, a), k = cancelled_before(walk, b);
    for (;; i++, k++) {
        const bool in_a = i < walk->n && walk->cancelled[i] < a + length,
                   in_b = k < walk->n && walk->cancelled[k] < b + length;
        if (!in_a || !in_b)
            return in_a == in_b;
        if (walk->cancelled[i] - a != walk->cancelled[k] - b)
            return false;
    }
}

/* ---- what is left ---- */

struct left {
    size_t n, capacity;
    struct recorded_node *nodes; /* [n] */
};

struct copying {
    const struct walk *walk;
    struct arena *memory;
    int n_calls;                /* so far */
    double wall, processor, inside; /* s, in all, of calls taken out that no call has followed yet */
};

static void push(struct left *left, const struct recorded_node *node)
{
    left->nodes = alloc_grow(left->nodes, left->n, &left->capacity, sizeof *left->nodes);
    left->nodes[left->n++] = *node;
}

/* The part `n` of the times a call was called. */
static void scale(struct recorded_times *times, int64_t n, struct arena *memory)
{
    const double part = (double)n / (double)times->n;
    const int64_t known = llround((double)times->processor_n * part);
    struct recorded_bin *bins = arena_alloc(memory, times->n_bins + 1, sizeof *bins);
    size_t kept = 0;
    int64_t left = n;
    for (size_t i = 0; i < times->n_bins && n > 1; i++) {
        int64_t count = llround((double)times->bins[i].count * part);
        count = count < left ? count : left;
        left -= count;
        bins[kept] = times->bins[i];
        bins[kept].count = count;
        kept += count > 0;
    }
    times->processor *= times->processor_n > 0 ? (double)known / (double)times->processor_n : 0;
    times->processor_n = known;
    times->wall *= part;
    times->inside *= part;
    times->n = n;
    times->n_bins = kept;
    times->bins = kept > 0 ? bins : NULL;
}

/* What was computed before calls that are gone is computed before this one, and their time is this one's. */
static void take_over(struct copying *copying, struct recorded_times *times)
{
    const double n = (double)times->n, later = times->processor_n > 0 ? copying->processor / n : copying->wall / n;
    struct recorded_bin *bins = arena_alloc(copying->memory, times->n_bins + 1, sizeof *bins);
    for (size_t i = 0; i < times->n_bins; i++)
        bins[i] = (struct recorded_bin){times->bins[i].low + later, times->bins[i].high + later, times->bins[i].count};
    times->bins = times->n_bins > 0 ? bins : NULL;
    times->wall += copying->wall;
    times->wall_least += copying->wall / n;
    times->wall_most += copying->wall / n;
    times->processor += copying->processor * (double)times->processor_n / n;
    times->inside += copying->inside;
    copying->wall = copying->processor = copying->inside = 0;
}

/* A call that is called so often here. */
static void copy_call(struct copying *copying, const struct recorded_node *node, int64_t often, bool gone,
                      struct left *left)
{
    struct recorded_node own = *node;
    const struct recorded_times *of = &own.times;
    if (often != of->n)
        scale(&own.times, often, copying->memory);
    if (gone) {
        copying->wall += of->wall;
        copying->processor += of->processor_n > 0 ? of->processor * (double)of->n / (double)of->processor_n : of->wall;
        copying->inside += of->inside;
        return;
    }
    if (copying->wall > 0 || copying->inside > 0)
        take_over(copying, &own.times);
    own.number = copying->n_calls++;
    push(left, &own);
}

/* The nodes, each run so often, of which the first call is the `call`-th: what is left of them. Returns the call
 * behind. */
static int64_t copy(struct copying *copying, size_t n, const struct recorded_node nodes[], int64_t call, int64_t often,
                    struct left *left)
{
    const struct walk *walk = copying->walk;
    for (size_t i = 0; i < n; i++) {
        const struct recorded_node *node = &nodes[i];
        if (!node->loop) {
            copy_call(copying, node, often, is_cancel(node) || was_cancelled(walk, call), left);
            call++;
            continue;
        }
        const int64_t trips = node->trips / node->runs, length = count_calls(node->n_body, node->body);
        for (int64_t trip = 0, alike; trip < trips; trip += alike) {
            const int64_t first = call + trip * length;
            for (alike = 1; trip + alike < trips && same_trips(walk, first, first + alike * length, length);)
                alike++;
            struct recorded_node loop = {.loop = true, .trips = alike * often, .runs = often};
            struct left body = {0};
            const bool once = alike == 1 && trips > 1;
            copy(copying, node->n_body, node->body, first, alike * often, once ? left : &body);
            loop.n_body = body.n;
            loop.body = body.nodes;
            if (body.n > 0)
                push(left, &loop);
        }
        call += trips * length;
    }
    return call;
}

static void mark_paths(size_t n, const struct recorded_node nodes[], bool begins[])
{
    for (size_t i = 0; i < n; i++)
        if (nodes[i].loop)
            mark_paths(nodes[i].n_body, nodes[i].body, begins);
        else if (operation_gives_request(nodes[i].op))
            begins[nodes[i].path] = true;
}

/* A wait for any of several names those that are cancelled later: of whose call paths no call is left, out they go. */
static void trim_lists(struct recorded_process *process)
{
    bool *begins = alloc_zeroed((size_t)process->n_paths + 1, sizeof *begins);
    mark_paths(process->n, process->nodes, begins);
    for (int i = 0; i < process->n_lists; i++) {
        struct recorded_list *list = &process->lists[i];
        int kept = 0;
        for (int k = 0; k < list->n; k++)
            if (begins[list->pairs[k].path])
                list->pairs[kept++] = list->pairs[k];
        list->n = kept;
    }
    free(begins);
}

bool process_drop_cancelled(struct recorded_process *process, struct arena *memory)
{
    struct walk walk = {.process = process, .good = true};
    if (process->alike == FOLD_SHAPES || !cancels(process->n, process->nodes))
        return true;
    if (count_calls(process->n, process->nodes) > CALLS_MOST) {
        process->stopped = process->stopped ? process->stopped
                         : "MPI_Cancel was called in a run of more than 20 million calls: record a shorter one";
        return true;
    }
    give_slots(&walk);
    look(&walk, process->n, process->nodes);
    if (walk.good) {
        struct copying copying = {.walk = &walk, .memory = memory};
        struct left left = {0};
        qsort(walk.cancelled, walk.n, sizeof *walk.cancelled, compare_calls);
        copy(&copying, process->n, process->nodes, 0, 1, &left);
        recorded_nodes_free(process->n, process->nodes);
        process->nodes = left.nodes;
        process->n = left.n;
        process->n_calls = copying.n_calls;
        trim_lists(process);
    }
    free(walk.slot_of);
    free(walk.begun);
    free(walk.cancelled);
    return walk.good;
}
