#include "record/template/ragged.h"

#include <stdlib.h>
#include <string.h>

enum { ELEMENTS_MOST = 512 };   /* of a process on one level, with loops written out: formulas are held against each */
enum { UNITS_MOST = 512 };      /* of a level, in all processes: the square of these is gone through */

/* ---- one trip of a loop, and many as one ---- */

/* Of a series in `depth` loops around a loop: what it is in one trip of that. */
static const struct series *pick_trip(const struct series *series, int depth, int64_t trip, struct arena *memory)
{
    size_t i = 0;
    if (!series)
        return NULL;
    if (depth == 0) {
        while (trip >= series->runs[i].count)
            trip -= series->runs[i++].count;
        return series->runs[i].of;
    }
    const struct series *all = NULL;
    for (; i < series->n; i++) {
        const struct series *part = series_repeat(memory, pick_trip(series->runs[i].of, depth - 1, trip, memory),
                                                  series->runs[i].count);
        all = all ? series_join(memory, all, part) : part;
    }
    return all;
}

/* A node of a loop's body as it is in one trip. All that was computed there in all trips stands with the first. */
static struct shape pick_shape(const struct shape *from, int depth, int64_t trip, struct arena *memory)
{
    struct shape shape = *from;
    for (int k = 0; k < N_FIELDS && shape.site >= 0; k++)
        shape.field[k] = pick_trip(from->field[k], depth, trip, memory);
    if (shape.site < 0)
        shape.trips = pick_trip(from->trips, depth, trip, memory);
    if (trip > 0)
        shape.times = (struct recorded_times){0};
    shape.body = arena_alloc(memory, shape.n + 1, sizeof *shape.body);
    for (size_t i = 0; i < shape.n; i++)
        shape.body[i] = pick_shape(&from->body[i], depth, trip, memory);
    return shape;
}

/* The values of n trips, NULL: a trip has none, one behind the other: a series of one level more. */
static const struct series *lay_trips(size_t n, const struct series *const of[], int depth, struct arena *memory)
{
    const struct series *all = NULL;
    if (depth == 0) {
        for (size_t i = 0; i < n; i++) {
            const struct series *one = series_repeat(memory, of[i], 1);
            all = all ? series_join(memory, all, one) : one;
        }
        return all;
    }
    const struct series **part = alloc_array(n, sizeof *part);
    size_t *run = alloc_zeroed(n, sizeof *run);
    int64_t *used = alloc_zeroed(n, sizeof *used);
    for (int64_t count = 1; count > 0;) {
        count = 0;
        for (size_t i = 0; i < n; i++) {
            const bool ended = !of[i] || run[i] == of[i]->n;
            const int64_t left = ended ? 0 : of[i]->runs[run[i]].count - used[i];
            part[i] = ended ? NULL : of[i]->runs[run[i]].of;
            count = left > 0 && (count == 0 || left < count) ? left : count;
        }
        for (size_t i = 0; i < n && count > 0; i++) {
            if (!of[i])
                continue;
            used[i] += count;
            if (used[i] == of[i]->runs[run[i]].count) {
                used[i] = 0;
                run[i]++;
            }
        }
        if (count == 0)
            break;
        const struct series *next = series_repeat(memory, lay_trips(n, part, depth - 1, memory), count);
        all = all ? series_join(memory, all, next) : next;
    }
    free(part);
    free(run);
    free(used);
    return all;
}

/* The same call, or loop with the same calls, in n trips, NULL where one has not come to it, as a node of a loop's body. */
static struct shape lay_shapes(size_t n, const struct shape *const of[], int depth, struct arena *memory)
{
    const struct series **series = alloc_array(n, sizeof *series);
    const struct shape **inner = alloc_array(n, sizeof *inner);
    size_t first = 0;
    while (!of[first])
        first++;
    struct shape shape = *of[first];
    for (int k = 0; k < N_FIELDS && shape.site >= 0; k++) {
        for (size_t i = 0; i < n; i++)
            series[i] = of[i] ? of[i]->field[k] : NULL;
        shape.field[k] = lay_trips(n, series, depth, memory);
    }
    for (size_t i = 0; i < n && shape.site < 0; i++)
        series[i] = of[i] ? of[i]->trips : NULL;
    shape.trips = shape.site < 0 ? lay_trips(n, series, depth, memory) : NULL;
    for (size_t i = first + 1; i < n; i++)
        if (of[i])
            shape_add(&shape, of[i]);
    shape.body = arena_alloc(memory, shape.n + 1, sizeof *shape.body);
    for (size_t b = 0; b < shape.n; b++) {
        for (size_t i = 0; i < n; i++)
            inner[i] = of[i] ? &of[i]->body[b] : NULL;
        shape.body[b] = lay_shapes(n, inner, depth, memory);
    }
    free(series);
    free(inner);
    return shape;
}

/* ---- a level of all instances ---- */

struct elements {
    size_t n, capacity;
    struct shape *list;             /* [n] */
    int *unit;                      /* [n] once they are known */
};

struct level {
    size_t n;                       /* instances */
    struct elements *of;            /* [n] */
    int depth;
    const int *recordings;
    int n_sites;
    const struct ragged_order *order;
    struct arena *memory;
    int *group;                     /* [n_sites] sites that stand in one loop somewhere, or in such loops in turn: the least */
    bool *whole;                    /* [n_sites] by group: each instance has one loop of these at most, of as many trips */
    size_t n_units, units_capacity;
    struct unit {
        uint64_t key;
        int site, loop;             /* the first one; -1: a call, else 1 + the group of a loop that stays whole, or 0 */
    } *units;
};

static int group_of(const struct level *level, int site)
{
    while (level->group[site] != site)
        site = level->group[site];
    return site;
}

static int first_site(const struct shape *shape)
{
    while (shape->site < 0)
        shape = shape->body;
    return shape->site;
}

static void put_together(struct level *level, const struct shape *shape, int with)
{
    if (shape->site >= 0) {
        const int a = group_of(level, shape->site), b = group_of(level, with);
        level->group[a > b ? a : b] = a > b ? b : a;
    }
    for (size_t i = 0; i < shape->n; i++)
        put_together(level, &shape->body[i], with);
}

/* Groups of sites, and which of them are one loop in each instance. */
static void find_groups(struct level *level)
{
    size_t *met = alloc_array((size_t)level->n_sites, sizeof *met);
    int64_t *trips = alloc_array((size_t)level->n_sites, sizeof *trips);
    for (size_t k = 0; k < level->n; k++)
        for (size_t i = 0; i < level->of[k].n; i++)
            put_together(level, &level->of[k].list[i], first_site(&level->of[k].list[i]));
    for (int site = 0; site < level->n_sites; site++) {
        level->whole[site] = true;
        met[site] = SIZE_MAX;
    }
    for (size_t k = 0; k < level->n; k++)
        for (size_t i = 0; i < level->of[k].n; i++) {
            const struct shape *shape = &level->of[k].list[i];
            const int group = group_of(level, first_site(shape));
            int64_t here = 0;
            const bool loop = shape->site < 0 && series_is_constant(shape->trips, &here);
            const bool other = met[group] != SIZE_MAX && level->recordings[met[group]] == level->recordings[k] &&
                               trips[group] != here;
            level->whole[group] = level->whole[group] && loop && met[group] != k && !other;
            met[group] = k;
            trips[group] = here;
        }
    free(met);
    free(trips);
}

static bool regroup(struct level *level);

/* The bodies of loops that each instance has one of. */
static bool regroup_bodies(struct level *level, int group)
{
    struct level inner = {.n = level->n, .depth = level->depth + 1, .recordings = level->recordings, .n_sites = level->n_sites,
                          .order = level->order, .memory = level->memory};
    struct shape **loop = alloc_zeroed(level->n, sizeof *loop);
    inner.of = alloc_zeroed(level->n, sizeof *inner.of);
    for (size_t k = 0; k < level->n; k++)
        for (size_t i = 0; i < level->of[k].n; i++)
            if (group_of(level, first_site(&level->of[k].list[i])) == group)
                loop[k] = &level->of[k].list[i];
    for (size_t k = 0; k < level->n; k++)
        for (size_t i = 0; loop[k] && i < loop[k]->n; i++) {
            struct elements *to = &inner.of[k];
            to->list = alloc_grow(to->list, to->n, &to->capacity, sizeof *to->list);
            to->list[to->n++] = loop[k]->body[i];
        }
    const bool changed = regroup(&inner);
    for (size_t k = 0; k < level->n; k++) {
        if (loop[k] && changed) {
            loop[k]->n = inner.of[k].n;
            loop[k]->body = arena_alloc(level->memory, loop[k]->n, sizeof *loop[k]->body);
            memcpy(loop[k]->body, inner.of[k].list, loop[k]->n * sizeof *loop[k]->body);
            shape_hash_loop(loop[k]);
        }
        free(inner.of[k].list);
    }
    free(inner.of);
    free(loop);
    return changed;
}

/* ---- loops that are written out ---- */

static bool stays_whole(const struct level *level, const struct shape *shape)
{
    return level->whole[group_of(level, first_site(shape))];
}

/* owner [n_sites]: the hash of the loops that a site stands in; 0 none, 1 several, or outside of loops, too. */
static void own(const struct shape *shape, uint64_t hash, uint64_t owner[])
{
    if (shape->site >= 0)
        owner[shape->site] = owner[shape->site] == 0 || owner[shape->site] == hash ? hash : 1;
    for (size_t i = 0; i < shape->n; i++)
        own(&shape->body[i], hash, owner);
}

static bool is_shared(const struct shape *shape, const uint64_t owner[])
{
    bool shared = shape->site >= 0 && owner[shape->site] == 1;
    for (size_t i = 0; i < shape->n && !shared; i++)
        shared = is_shared(&shape->body[i], owner);
    return shared;
}

/* Writes a loop out. False: that is too long, or its trips are not always as many. */
static bool write_out(struct level *level, struct elements *to, const struct shape *loop)
{
    int64_t trips;
    if (!series_is_constant(loop->trips, &trips) || trips > ELEMENTS_MOST)
        return false;
    for (int64_t trip = 0; trip < trips; trip++)
        for (size_t i = 0; i < loop->n; i++) {
            if (to->n == ELEMENTS_MOST)
                return false;
            to->list = alloc_grow(to->list, to->n, &to->capacity, sizeof *to->list);
            to->list[to->n++] = pick_shape(&loop->body[i], level->depth, trip, level->memory);
        }
    return true;
}

/* Loops that share calls with what stands elsewhere, once. *again: there were some. False: too long. */
static bool write_out_shared(struct level *level, const uint64_t owner[], bool *again)
{
    bool fits = true;
    for (size_t k = 0; k < level->n && fits; k++) {
        struct elements old = level->of[k], new = {0};
        for (size_t i = 0; i < old.n && fits; i++) {
            const bool out = old.list[i].site < 0 && !stays_whole(level, &old.list[i]) && is_shared(&old.list[i], owner);
            *again |= out;
            fits = new.n < ELEMENTS_MOST && (!out || write_out(level, &new, &old.list[i]));
            if (!out && fits) {
                new.list = alloc_grow(new.list, new.n, &new.capacity, sizeof *new.list);
                new.list[new.n++] = old.list[i];
            }
        }
        free(old.list);
        level->of[k] = new;
    }
    return fits;
}

static bool write_loops_out(struct level *level)
{
    uint64_t *owner = alloc_array((size_t)level->n_sites, sizeof *owner);
    bool fits = true;
    for (bool again = true; again && fits;) {
        again = false;
        memset(owner, 0, (size_t)level->n_sites * sizeof *owner);
        for (size_t k = 0; k < level->n; k++)
            for (size_t i = 0; i < level->of[k].n; i++) {
                const struct shape *shape = &level->of[k].list[i];
                own(shape, shape->site >= 0 ? 1 : shape->hash, owner);
            }
        fits = write_out_shared(level, owner, &again);
    }
    free(owner);
    return fits;
}

/* ---- which of them are in one loop ---- */

/* The number of a call, or of a loop that is written as one; -1: there are too many. */
static int unit_of(struct level *level, const struct shape *shape)
{
    const int site = first_site(shape), loop = shape->site >= 0 ? -1 : stays_whole(level, shape) ? 1 + group_of(level, site) : 0;
    const uint64_t key = loop == 0 ? shape->hash : loop < 0 ? (uint64_t)site : 0;
    size_t i = 0;
    while (i < level->n_units && (level->units[i].key != key || level->units[i].loop != loop))
        i++;
    if (i < level->n_units)
        return (int)i;
    if (i == UNITS_MOST)
        return -1;
    level->units = alloc_grow(level->units, i, &level->units_capacity, sizeof *level->units);
    level->units[level->n_units++] = (struct unit){key, site, loop};
    return (int)i;
}

static bool number_units(struct level *level)
{
    bool fits = true;
    for (size_t k = 0; k < level->n; k++) {
        struct elements *of = &level->of[k];
        of->unit = alloc_array(of->n + 1, sizeof *of->unit);
        for (size_t i = 0; i < of->n && fits; i++) {
            of->unit[i] = unit_of(level, &of->list[i]);
            fits = of->unit[i] >= 0;
        }
    }
    return fits;
}

/* reach [n_units * n_units]: does some way lead from one to the other? */
static bool *find_ways(const struct level *level)
{
    const size_t n = level->n_units;
    bool *reach = alloc_zeroed(n * n + 1, sizeof *reach);
    for (size_t k = 0; k < level->n; k++)
        for (size_t i = 1; i < level->of[k].n; i++)
            reach[(size_t)level->of[k].unit[i - 1] * n + (size_t)level->of[k].unit[i]] = true;
    for (size_t by = 0; by < n; by++)
        for (size_t from = 0; from < n; from++)
            for (size_t to = 0; reach[from * n + by] && to < n; to++)
                reach[from * n + to] = reach[from * n + to] || reach[by * n + to];
    return reach;
}

/* Places of one round, each once: an order by lines and by addresses may go round itself. */
static void part_places(int n, const int round[], int place[])
{
    int *own = alloc_zeroed((size_t)n + 1, sizeof *own);
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++)
            own[a] += round[b] == round[a] && (place[b] < place[a] || (place[b] == place[a] && b < a));
    memcpy(place, own, (size_t)n * sizeof *own);
    free(own);
}

/* round [n_units]: the least unit that a unit goes round with; -1: no process comes to it again. place [n_units]: how many of
 * those stand before it. */
static void find_rounds(const struct level *level, int round[], int place[])
{
    const int n = (int)level->n_units;
    bool *reach = find_ways(level);
    for (int a = 0; a < n; a++) {
        round[a] = -1;
        place[a] = 0;
        for (int b = n - 1; b >= 0; b--) {
            if (!reach[a * n + b] || !reach[b * n + a])
                continue;
            round[a] = b;
            const int order = a == b ? 0 : level->order->compare(level->order->of, level->units[b].site, level->units[a].site);
            place[a] += order < 0 || (order == 0 && b < a);
        }
    }
    part_places(n, round, place);
    free(reach);
}

/* ---- the loops ---- */

/* The elements from `first` to before `end`, all of one round, as a loop. */
static struct shape make_loop(const struct level *level, const struct elements *of, size_t first, size_t end, const int place[])
{
    size_t trips = 1;
    for (size_t i = first + 1; i < end; i++)
        trips += place[of->unit[i]] <= place[of->unit[i - 1]];
    const struct shape **at = alloc_array(trips, sizeof *at);
    struct shape loop = {.site = -1, .body = arena_alloc(level->memory, end - first, sizeof *loop.body)};
    const struct shape *some = &of->list[first];
    loop.trips = series_like(level->memory, some->site >= 0 ? some->field[0] : some->trips, level->depth, (int64_t)trips);
    for (int next = 0; next < (int)level->n_units; next++) {
        size_t trip = 0, met = 0;
        memset(at, 0, trips * sizeof *at);
        for (size_t i = first; i < end; i++) {
            trip += i > first && place[of->unit[i]] <= place[of->unit[i - 1]];
            if (place[of->unit[i]] == next) {
                at[trip] = &of->list[i];
                met++;
            }
        }
        if (met > 0)
            loop.body[loop.n++] = lay_shapes(trips, at, level->depth, level->memory);
    }
    free(at);
    shape_hash_loop(&loop);
    return loop;
}

static void make_loops(struct level *level)
{
    int *round = alloc_array(level->n_units + 1, sizeof *round), *place = alloc_array(level->n_units + 1, sizeof *place);
    find_rounds(level, round, place);
    for (size_t k = 0; k < level->n; k++) {
        struct elements *of = &level->of[k];
        size_t kept = 0;
        for (size_t i = 0, end; i < of->n; i = end) {
            const int here = round[of->unit[i]];
            for (end = i + 1; end < of->n && here >= 0 && round[of->unit[end]] == here;)
                end++;
            const struct shape made = here >= 0 ? make_loop(level, of, i, end, place) : of->list[i];
            of->list[kept++] = made;
        }
        of->n = kept;
    }
    free(round);
    free(place);
}

static void level_free(struct level *level)
{
    for (size_t k = 0; k < level->n; k++)
        free(level->of[k].unit);
    free(level->units);
    free(level->group);
    free(level->whole);
}

/* Is there more than one loop, or call, of some group in an instance? */
static bool comes_again(const struct level *level)
{
    bool *met = alloc_array((size_t)level->n_sites, sizeof *met), again = false;
    for (size_t k = 0; k < level->n && !again; k++) {
        memset(met, 0, (size_t)level->n_sites * sizeof *met);
        for (size_t i = 0; i < level->of[k].n; i++) {
            const int group = group_of(level, first_site(&level->of[k].list[i]));
            again = again || (met[group] && !level->whole[group]);
            met[group] = true;
        }
    }
    free(met);
    return again;
}

/* False: the level is as it was. Its lists are then, too. */
static bool regroup(struct level *level)
{
    bool changed = false;
    level->group = alloc_array((size_t)level->n_sites, sizeof *level->group);
    level->whole = alloc_zeroed((size_t)level->n_sites, sizeof *level->whole);
    for (int site = 0; site < level->n_sites; site++)
        level->group[site] = site;
    find_groups(level);
    for (int site = 0; site < level->n_sites; site++) {
        bool here = false;
        for (size_t k = 0; k < level->n && !here; k++)
            for (size_t i = 0; i < level->of[k].n && !here; i++)
                here = group_of(level, first_site(&level->of[k].list[i])) == site;
        if (here && level->whole[site])
            changed |= regroup_bodies(level, site);
    }
    if (comes_again(level)) {
        struct elements *before = alloc_zeroed(level->n, sizeof *before);
        for (size_t k = 0; k < level->n; k++) {
            before[k] = (struct elements){.n = level->of[k].n, .list = alloc_array(level->of[k].n + 1, sizeof(struct shape))};
            memcpy(before[k].list, level->of[k].list, before[k].n * sizeof *before[k].list);
        }
        const bool fits = write_loops_out(level) && number_units(level);
        if (fits)
            make_loops(level);
        for (size_t k = 0; k < level->n; k++) {
            struct elements *of = &level->of[k], *left = &before[k];
            if (!fits) {
                struct shape *list = of->list;
                of->list = left->list;
                of->n = left->n;
                left->list = list;
            }
            free(left->list);
        }
        free(before);
        changed |= fits;
    }
    level_free(level);
    return changed;
}

bool ragged_loops(size_t n, struct shapes shapes[], const int recordings[], int n_sites, const struct ragged_order *order,
                  struct arena *memory)
{
    struct level level = {.n = n, .recordings = recordings, .n_sites = n_sites, .order = order, .memory = memory};
    level.of = alloc_zeroed(n, sizeof *level.of);
    for (size_t k = 0; k < n; k++) {
        struct elements *of = &level.of[k];
        of->n = of->capacity = shapes[k].n;
        of->list = alloc_array(of->n + 1, sizeof *of->list);
        memcpy(of->list, shapes[k].list, of->n * sizeof *of->list);
    }
    const bool changed = n_sites > 0 && regroup(&level);
    for (size_t k = 0; k < n; k++) {
        if (changed) {
            free(shapes[k].list);
            shapes[k] = (struct shapes){level.of[k].n, level.of[k].n, level.of[k].list};
        } else {
            free(level.of[k].list);
        }
    }
    free(level.of);
    return changed;
}
