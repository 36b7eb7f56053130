#include "record/shape.h"

#include <stdlib.h>
#include <string.h>

/* ---- series ---- */

const struct series *series_constant(struct arena *memory, int64_t value)
{
    struct series *series = arena_alloc(memory, 1, sizeof *series);
    series->value = value;
    return series;
}

bool series_equal(const struct series *a, const struct series *b)
{
    if (a == b)
        return true;
    if (!a || !b || a->value != b->value || a->n != b->n)
        return false;
    for (size_t i = 0; i < a->n; i++)
        if (a->runs[i].count != b->runs[i].count || !series_equal(a->runs[i].of, b->runs[i].of))
            return false;
    return true;
}

int series_depth(const struct series *series)
{
    int deepest = -1;
    for (size_t i = 0; i < series->n; i++) {
        const int depth = series->runs[i].of ? series_depth(series->runs[i].of) : -1;
        deepest = depth > deepest ? depth : deepest;
    }
    return deepest + 1;
}

bool series_is_constant(const struct series *series, int64_t *value)
{
    if (series->n == 0) {
        *value = series->value;
        return true;
    }
    bool same = true, seen = false;
    for (size_t i = 0; i < series->n && same; i++) {
        int64_t next;
        if (!series->runs[i].of)
            continue;
        same = series_is_constant(series->runs[i].of, &next) && (!seen || next == *value);
        *value = next;
        seen = true;
    }
    return same && seen;
}

const struct series *series_repeat(struct arena *memory, const struct series *of, int64_t count)
{
    struct series *series = arena_alloc(memory, 1, sizeof *series);
    series->n = 1;
    series->runs = arena_alloc(memory, 1, sizeof *series->runs);
    series->runs[0] = (struct series_run){count, of};
    return series;
}

/* A copy of the runs of a series, with room for as many more and `more`. */
static struct series *series_copy(struct arena *memory, const struct series *of, size_t more)
{
    struct series *series = arena_alloc(memory, 1, sizeof *series);
    series->room = arena_alloc(memory, 1, sizeof *series->room);
    *series->room = (struct series_room){of->n, 2 * of->n + more};
    series->n = of->n;
    series->runs = arena_alloc(memory, series->room->capacity, sizeof *series->runs);
    memcpy(series->runs, of->runs, of->n * sizeof *of->runs);
    return series;
}

const struct series *series_join(struct arena *memory, const struct series *a, const struct series *b)
{
    bool meet = series_equal(a->runs[a->n - 1].of, b->runs[0].of);
    size_t new = b->n - meet;
    struct series *series;
    if (a->room && a->room->used == a->n && a->n + new <= a->room->capacity) {
        series = arena_alloc(memory, 1, sizeof *series);
        *series = *a;
    } else {
        series = series_copy(memory, a, new);
    }
    if (meet)
        series->runs[a->n - 1].count += b->runs[0].count;
    memcpy(series->runs + a->n, b->runs + meet, new * sizeof *b->runs);
    series->n = series->room->used = a->n + new;
    return series;
}

/* ---- nodes ---- */

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9U;
    x = (x ^ x >> 27) * 0x94d049bb133111ebU;
    return x ^ x >> 31;
}

void shape_hash_loop(struct shape *loop)
{
    loop->hash = mix(loop->n + 77);
    for (size_t i = 0; i < loop->n; i++)
        loop->hash = mix(loop->hash * 31 + loop->body[i].hash);
}

/* All series of a node and below are the same in `count` trips of a loop around it. */
static void repeat(struct shape *shape, int64_t count, struct arena *memory)
{
    for (int k = 0; k < N_FIELDS && shape->site >= 0; k++)
        shape->field[k] = series_repeat(memory, shape->field[k], count);
    if (shape->site < 0)
        shape->trips = series_repeat(memory, shape->trips, count);
    for (size_t i = 0; i < shape->n; i++)
        repeat(&shape->body[i], count, memory);
}

static void add_times(struct recorded_times *to, const struct recorded_times *from)
{
    if (from->n == 0 || to->n == 0) {
        *to = from->n == 0 ? *to : *from;
        return;
    }
    to->wall_least = from->wall_least < to->wall_least ? from->wall_least : to->wall_least;
    to->wall_most = from->wall_most > to->wall_most ? from->wall_most : to->wall_most;
    to->n += from->n;
    to->processor_n += from->processor_n;
    to->wall += from->wall;
    to->processor += from->processor;
    to->inside += from->inside;
}

void shape_add(struct shape *to, const struct shape *from)
{
    if (to->site >= 0)
        add_times(&to->times, &from->times);
    to->varies |= from->varies;
    to->bytes_least = from->bytes_least < to->bytes_least ? from->bytes_least : to->bytes_least;
    to->bytes_most = from->bytes_most > to->bytes_most ? from->bytes_most : to->bytes_most;
}

/* What `from` did in later trips of the loop around both. */
static void append(struct shape *to, const struct shape *from, struct arena *memory)
{
    for (int k = 0; k < N_FIELDS && to->site >= 0; k++)
        to->field[k] = series_join(memory, to->field[k], from->field[k]);
    if (to->site < 0)
        to->trips = series_join(memory, to->trips, from->trips);
    shape_add(to, from);
    for (size_t i = 0; i < to->n; i++)
        append(&to->body[i], &from->body[i], memory);
}

/* ---- folding by sites ---- */

static bool same_sites(const struct shape *a, const struct shape *b, size_t n)
{
    for (size_t i = n; i-- > 0;)
        if (a[i].hash != b[i].hash)
            return false;
    return true;
}

/* The w nodes from `first` on, as one trip of a loop, are appended to the loop. */
static void join_trip(struct shape *loop, struct shape *first, struct arena *memory)
{
    for (size_t i = 0; i < loop->n; i++) {
        repeat(&first[i], 1, memory);
        append(&loop->body[i], &first[i], memory);
    }
    loop->trips = series_constant(memory, loop->trips->value + 1);
}

static struct shape new_loop(const struct shape *first, size_t w, struct arena *memory)
{
    struct shape loop = {.site = -1, .n = w, .trips = series_constant(memory, 1)};
    loop.body = arena_alloc(memory, w, sizeof *loop.body);
    memcpy(loop.body, first, w * sizeof *first);
    for (size_t i = 0; i < w; i++)
        repeat(&loop.body[i], 1, memory);
    shape_hash_loop(&loop);
    return loop;
}

/* A loop on the outermost level at the end of the list, with one of the same body before it: one loop. */
static bool join_loops(struct shapes *shapes, struct arena *memory)
{
    struct shape *last = &shapes->list[shapes->n - 1];
    if (shapes->n < 2 || last->site >= 0 || last[-1].site >= 0 || last->hash != last[-1].hash)
        return false;
    for (size_t i = 0; i < last->n; i++)
        append(&last[-1].body[i], &last->body[i], memory);
    last[-1].trips = series_constant(memory, last[-1].trips->value + last->trips->value);
    shapes->n--;
    return true;
}

/* settled: the last node is not a loop that may still go on. */
static bool fold_once(struct shapes *shapes, bool settled, struct arena *memory)
{
    size_t n = shapes->n;
    struct shape *end = shapes->list + n;
    if (join_loops(shapes, memory))
        return true;
    if (!settled && end[-1].site < 0)
        return false;
    for (size_t w = 1; w < n; w++) {
        struct shape *loop = end - w - 1;
        if (loop->site < 0 && loop->n == w && same_sites(loop->body, end - w, w)) {
            join_trip(loop, end - w, memory);
            shapes->n -= w;
            return true;
        }
        if (2 * w <= n && end[-1].hash == end[-1 - (ptrdiff_t)w].hash && same_sites(end - 2 * w, end - w, w)) {
            struct shape made = new_loop(end - 2 * w, w, memory);
            join_trip(&made, end - w, memory);
            shapes->n -= 2 * w;
            shapes->list[shapes->n++] = made;
            return true;
        }
    }
    return false;
}

static void settle(struct shapes *shapes, struct arena *memory)
{
    while (shapes->n > 1 && fold_once(shapes, true, memory))
        ;
}

/* Could this be the next trip of the loop, or of the one that it begins with? */
static bool goes_on(const struct shape *loop, const struct shape *next)
{
    for (; loop->site < 0; loop = loop->body)
        if (loop->hash == next->hash || loop->body[0].hash == next->hash)
            return true;
    return false;
}

/* What ends with a loop is a trip of a larger one only when that loop has ended. */
static void add(struct shapes *shapes, const struct shape *shape, struct arena *memory)
{
    if (shapes->n > 1 && !goes_on(&shapes->list[shapes->n - 1], shape))
        settle(shapes, memory);
    shapes->list = alloc_grow(shapes->list, shapes->n, &shapes->capacity, sizeof *shape);
    shapes->list[shapes->n++] = *shape;
    while (shapes->n > 1 && fold_once(shapes, false, memory))
        ;
}

void shapes_fold(struct shapes *shapes, struct arena *memory)
{
    struct shapes folded = {0};
    for (size_t i = 0; i < shapes->n; i++)
        add(&folded, &shapes->list[i], memory);
    settle(&folded, memory);
    free(shapes->list);
    *shapes = folded;
}

/* ---- from a recording ---- */

/* What a process's shapes are made of. */
struct making {
    const struct recorded_process *process;
    const signed char *directions;
    const int *among;
    struct site_table *sites;
    struct arena *memory;
};

static void make_list(struct shapes *shapes, const struct making *from, size_t n, const struct recorded_node *nodes);

static struct shape make_call(const struct making *from, const struct recorded_node *node)
{
    const struct recorded_process *process = from->process;
    struct arena *memory = from->memory;
    int direction = from->directions ? from->directions[node->number] : -1;
    int among = from->among ? from->among[node->number] : -1;
    struct shape call = {.site = site_find_apart(from->sites, process, node->op, node->path, direction, among),
                         .times = node->times};
    bool coarse = process->alike > 0 && node->bytes_least != node->bytes_most;
    int64_t values[N_FIELDS] = {
#define X(name) node->name,
        FIELD_LIST(X)
#undef X
    };
    if (process->alike > 0)
        values[FIELD_bytes] = (int64_t)(node->bytes_mean + 0.5);
    call.varies = coarse;
    call.bytes_least = node->bytes_least;
    call.bytes_most = node->bytes_most;
    for (int k = 0; k < N_FIELDS; k++)
        call.field[k] = series_constant(memory, values[k]);
    call.hash = mix((uint64_t)call.site + 1);
    return call;
}

enum { RUNS_MOST = 100000 }; /* of a series that is written out */

/* Are the series of what stands in a loop short enough to be written out `count` times? */
static bool short_enough(const struct shape *shape, int64_t count)
{
    for (size_t i = 0; i < shape->n; i++) {
        const struct shape *inner = &shape->body[i];
        for (int k = 0; k < N_FIELDS && inner->site >= 0; k++)
            if ((int64_t)inner->field[k]->n > RUNS_MOST / count)
                return false;
        if (inner->site < 0 && ((int64_t)inner->trips->n > RUNS_MOST / count || !short_enough(inner, count)))
            return false;
    }
    return true;
}

/* `count` times what the series of a loop's body say, one behind the other. */
static const struct series *series_again(struct arena *memory, const struct series *series, int64_t count)
{
    if (series->n == 1)
        return series_repeat(memory, series->runs[0].of, series->runs[0].count * count);
    const struct series *all = series_copy(memory, series, series->n);
    for (int64_t i = 1; i < count; i++)
        all = series_join(memory, all, series);
    return all;
}

static void again(struct shape *loop, int64_t count, struct arena *memory)
{
    for (size_t i = 0; i < loop->n; i++) {
        struct shape *inner = &loop->body[i];
        for (int k = 0; k < N_FIELDS && inner->site >= 0; k++)
            inner->field[k] = series_again(memory, inner->field[k], count);
        if (inner->site < 0) {
            inner->trips = series_again(memory, inner->trips, count);
            again(inner, count, memory);
        }
    }
}

static struct shape make_node(const struct making *from, const struct recorded_node *node)
{
    if (!node->loop)
        return make_call(from, node);
    struct arena *memory = from->memory;
    struct shapes body = {0};
    struct shape loop = {.site = -1};
    int64_t trips = node->trips / node->runs;
    make_list(&body, from, node->n_body, node->body);
    loop.trips = series_constant(memory, trips);
    loop.n = body.n;
    loop.body = arena_alloc(memory, body.n, sizeof *loop.body);
    memcpy(loop.body, body.list, body.n * sizeof *body.list);
    free(body.list);
    if (loop.n == 1 && loop.body[0].site < 0 && short_enough(&loop.body[0], trips)) {
        struct shape inner = loop.body[0];
        again(&inner, trips, memory);
        inner.trips = series_constant(memory, inner.trips->value * trips);
        return inner;
    }
    for (size_t i = 0; i < loop.n; i++)
        repeat(&loop.body[i], trips, memory);
    shape_hash_loop(&loop);
    return loop;
}

static void make_list(struct shapes *shapes, const struct making *from, size_t n, const struct recorded_node *nodes)
{
    for (size_t i = 0; i < n; i++) {
        struct shape shape = make_node(from, &nodes[i]);
        add(shapes, &shape, from->memory);
    }
    settle(shapes, from->memory);
}

void shapes_make(struct shapes *shapes, const struct recorded_process *process, struct site_table *sites,
                 const signed char directions[], const int among[], struct arena *memory)
{
    const struct making from = {process, directions, among, sites, memory};
    *shapes = (struct shapes){0};
    make_list(shapes, &from, process->n, process->nodes);
}

/* ---- loops of one trip ---- */

/* A level of one element below `depth` levels. */
static const struct series *insert_level(const struct series *series, int depth, struct arena *memory)
{
    if (!series)
        return NULL;
    if (depth == 0)
        return series_repeat(memory, series, 1);
    struct series *copy = arena_alloc(memory, 1, sizeof *copy);
    copy->n = series->n;
    copy->runs = arena_alloc(memory, series->n, sizeof *copy->runs);
    for (size_t i = 0; i < series->n; i++)
        copy->runs[i] = (struct series_run){series->runs[i].count, insert_level(series->runs[i].of, depth - 1, memory)};
    return copy;
}

const struct series *series_like(struct arena *memory, const struct series *series, int depth, int64_t value)
{
    if (!series || depth == 0)
        return series ? series_constant(memory, value) : NULL;
    const struct series *all = NULL;
    for (size_t i = 0; i < series->n; i++) {
        const struct series *part = series_repeat(memory, series_like(memory, series->runs[i].of, depth - 1, value),
                                                  series->runs[i].count);
        all = all ? series_join(memory, all, part) : part;
    }
    return all;
}

static void deepen(struct shape *shape, int depth, struct arena *memory)
{
    for (int k = 0; k < N_FIELDS && shape->site >= 0; k++)
        shape->field[k] = insert_level(shape->field[k], depth, memory);
    if (shape->site < 0)
        shape->trips = insert_level(shape->trips, depth, memory);
    for (size_t i = 0; i < shape->n; i++)
        deepen(&shape->body[i], depth, memory);
}

static struct shape one_trip(const struct shape *first, size_t w, int depth, struct arena *memory)
{
    struct shape loop = {.site = -1, .n = w};
    loop.trips = series_like(memory, first->site >= 0 ? first->field[0] : first->trips, depth, 1);
    loop.body = arena_alloc(memory, w, sizeof *loop.body);
    memcpy(loop.body, first, w * sizeof *first);
    for (size_t i = 0; i < w; i++)
        deepen(&loop.body[i], depth, memory);
    shape_hash_loop(&loop);
    return loop;
}

/* A loop of calls alone, where elsewhere such a loop is all that an outer one has: it goes round as often as the outer
 * one does there, so it is the outer one, and the inner one went round once. */
static bool is_outer(const struct shape *shape, const struct shape *pattern)
{
    int64_t here, there;
    return pattern->n == 1 && pattern->body[0].site < 0 && shape->hash == pattern->body[0].hash &&
           series_is_constant(shape->trips, &here) && series_is_constant(pattern->trips, &there) && here == there;
}

static struct shape split_loop(struct shape shape, int depth, struct arena *memory)
{
    struct shape *inner = arena_alloc(memory, 1, sizeof *inner);
    *inner = one_trip(shape.body, shape.n, depth + 1, memory);
    shape.body = inner;
    shape.n = 1;
    shape_hash_loop(&shape);
    return shape;
}

static bool is_beside(const struct shape *shape, const bool beside[])
{
    if (shape->site >= 0)
        return beside[shape->site];
    for (size_t i = 0; i < shape->n; i++)
        if (is_beside(&shape->body[i], beside))
            return true;
    return false;
}

/* Do the w nodes from the i-th on stand where the pattern does? */
static bool same_place(const struct shape list[], size_t n, size_t i, size_t w, const struct pattern *pattern)
{
    for (size_t k = 0; k < n; k++)
        if ((k < i || k >= i + w) && is_beside(&list[k], pattern->beside))
            return true;
    return false;
}

/* Patterns, and the one of them that is looked for. */
struct wrapping {
    size_t n, which;
    const struct pattern *patterns; /* [n] */
};

/* Are the w nodes from the i-th on a part of what a longer pattern has as its body? */
static bool is_part(const struct wrapping *by, const struct shape list[], size_t n, size_t i, size_t w)
{
    for (size_t k = 0; k < by->n; k++) {
        size_t longer = by->patterns[k].loop.n, first = i + w > longer ? i + w - longer : 0;
        for (; longer > w && first <= i && first + longer <= n; first++)
            if (same_sites(&list[first], by->patterns[k].loop.body, longer) &&
                same_place(list, n, first, longer, &by->patterns[k]))
                return true;
    }
    return false;
}

/* Is there anything in a list, or below, that may be wrapped? Of most patterns there is not, and to find that out
 * copies nothing. */
static bool may_wrap(size_t n, const struct shape list[], const struct shape *pattern)
{
    for (size_t i = 0; i < n; i++) {
        const struct shape *shape = &list[i];
        if (i + pattern->n <= n && shape->hash == pattern->body[0].hash && same_sites(shape, pattern->body, pattern->n))
            return true;
        if (shape->site < 0 && (is_outer(shape, pattern) ||
                                (shape->hash != pattern->hash && may_wrap(shape->n, shape->body, pattern))))
            return true;
    }
    return false;
}

/* The n nodes of a list inside `depth` loops; *list becomes a new one where something was wrapped. */
static size_t wrap_list(size_t *n, struct shape **list, int depth, const struct wrapping *by, struct arena *memory)
{
    const struct pattern *from = &by->patterns[by->which];
    const struct shape *pattern = &from->loop;
    size_t wrapped = 0, w = pattern->n, kept = 0;
    if (!may_wrap(*n, *list, pattern))
        return 0;
    struct shape *out = alloc_array(*n + 1, sizeof *out); /* kept if it differs */
    for (size_t i = 0; i < *n;) {
        struct shape shape = (*list)[i];
        if (shape.site < 0 && is_outer(&shape, pattern)) {
            shape = split_loop(shape, depth, memory);
            wrapped++;
            i++;
        } else if (i + w <= *n && same_sites(&(*list)[i], pattern->body, w) && same_place(*list, *n, i, w, from) &&
                   !is_part(by, *list, *n, i, w)) {
            shape = one_trip(&(*list)[i], w, depth, memory);
            wrapped++;
            i += w;
        } else {
            i++;
            if (shape.site < 0 && shape.hash != pattern->hash) {
                wrapped += wrap_list(&shape.n, &shape.body, depth + 1, by, memory);
                shape_hash_loop(&shape);
            }
        }
        out[kept++] = shape;
    }
    if (wrapped > 0) {
        *n = kept;
        *list = arena_alloc(memory, kept, sizeof *out);
        memcpy(*list, out, kept * sizeof *out);
    }
    free(out);
    return wrapped;
}

size_t shapes_wrap(struct shapes *shapes, size_t n_patterns, const struct pattern patterns[], size_t which,
                   struct arena *memory)
{
    struct wrapping by = {n_patterns, which, patterns};
    struct shape *list = shapes->list;
    size_t n = shapes->n, wrapped = wrap_list(&n, &list, 0, &by, memory);
    if (wrapped > 0)
        memcpy(shapes->list, list, n * sizeof *list); /* never more than before */
    shapes->n = n;
    return wrapped;
}
