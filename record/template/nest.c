#include "record/template/nest.h"

#include <stdlib.h>
#include <string.h>

enum { TRIPS_MOST = 1000000 };  /* of a loop that is looked at: 8 MB */
enum { DIVISORS_MOST = 240 };   /* as many as a number up to TRIPS_MOST has */
enum { VISITS_MOST = 64 };      /* of the times that a program came to a loop: what is so in these is so in all */

/* ---- the length of a round ---- */

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9U;
    x = (x ^ x >> 27) * 0x94d049bb133111ebU;
    return x ^ x >> 31;
}

static uint64_t series_hash(const struct series *series)
{
    uint64_t hash = mix((uint64_t)series->value + 3);
    for (size_t i = 0; i < series->n; i++)
        hash = mix(hash + mix((uint64_t)series->runs[i].count) * 5 + series_hash(series->runs[i].of));
    return hash;
}

/* Lengths that rounds of a loop may have. */
struct lengths {
    int64_t trips;
    int n;
    int64_t list[DIVISORS_MOST];/* [n] ascending, divisors of trips */
    uint64_t *what;             /* [trips] of a field in one visit */
    int visits;                 /* looked at, of the present field */
};

static void lengths_init(struct lengths *lengths, int64_t trips)
{
    *lengths = (struct lengths){.trips = trips, .what = alloc_array((size_t)trips, sizeof *lengths->what)};
    for (int64_t length = 1; length <= trips && lengths->n < DIVISORS_MOST; length++)
        if (trips % length == 0)
            lengths->list[lengths->n++] = length;
}

/* Leaves the lengths after which one visit's values come again. */
static void sift_visit(struct lengths *lengths, const struct series *visit)
{
    size_t at = 0;
    int kept = 0;
    for (size_t i = 0; i < visit->n; i++) {
        uint64_t hash = series_hash(visit->runs[i].of);
        for (int64_t k = 0; k < visit->runs[i].count && at < (size_t)lengths->trips; k++)
            lengths->what[at++] = hash;
    }
    for (int i = 0; i < lengths->n; i++) {
        size_t length = (size_t)lengths->list[i];
        if (memcmp(lengths->what, lengths->what + length, (at - length) * sizeof *lengths->what) == 0)
            lengths->list[kept++] = lengths->list[i];
    }
    lengths->n = kept;
}

/* A field inside `depth` loops that are around the loop. */
static void sift_series(struct lengths *lengths, const struct series *series, int depth)
{
    if (depth == 0) {
        if (lengths->visits++ < VISITS_MOST)
            sift_visit(lengths, series);
        return;
    }
    for (size_t i = 0; i < series->n && lengths->visits < VISITS_MOST; i++)
        sift_series(lengths, series->runs[i].of, depth - 1);
}

static void sift_body(struct lengths *lengths, const struct shape *loop, int depth, bool sizes)
{
    static const enum field decisive[] = {FIELD_peer, FIELD_tag, FIELD_peer2, FIELD_tag2, FIELD_comm, FIELD_bytes};
    size_t n = sizeof decisive / sizeof *decisive - !sizes;
    for (size_t i = 0; i < loop->n; i++) {
        const struct shape *inner = &loop->body[i];
        for (size_t k = 0; k < n && inner->site >= 0; k++) {
            lengths->visits = 0;
            sift_series(lengths, inner->field[decisive[k]], depth);
        }
        if (inner->site < 0) {
            lengths->visits = 0;
            sift_series(lengths, inner->trips, depth);
            sift_body(lengths, inner, depth, sizes);
        }
    }
}

/* How long the rounds of a loop are: 1 where nothing differs, `trips` where nothing comes again. */
static int64_t round_length(const struct shape *loop, int depth, int64_t trips)
{
    int64_t length = 1;
    for (int sizes = 0; sizes < 2 && length == 1; sizes++) {
        struct lengths lengths;
        lengths_init(&lengths, trips);
        sift_body(&lengths, loop, depth, sizes);
        length = lengths.n > 0 ? lengths.list[0] : trips;
        free(lengths.what);
    }
    return length;
}

/* ---- what all processes agree in ---- */

/* The loops of one body that are met as the same one of these, the first or the second, in all processes. */
struct agreement {
    uint64_t hash;
    int which, met;             /* from 0; how many were met */
    bool refused;               /* somewhere the loop does not always go round as often */
    bool seen, same_rounds, same_length;
    int64_t rounds, length;     /* of those where something comes again */
};

/* trips over the length of a round, or the length itself; 0: neither. */
static int64_t agreed_length(const struct agreement *agreement, int64_t trips)
{
    if (agreement->same_rounds)
        return trips % agreement->rounds == 0 ? trips / agreement->rounds : 0;
    return agreement->same_length && trips % agreement->length == 0 ? agreement->length : 0;
}

static void agree_loop(struct agreement *agreement, const struct shape *loop, int depth)
{
    int64_t trips;
    if (!series_is_constant(loop->trips, &trips) || trips < 1 || trips > TRIPS_MOST) {
        agreement->refused = true;
        return;
    }
    int64_t length = round_length(loop, depth, trips);
    if (length == 1 || length == trips)
        return;
    int64_t rounds = trips / length;
    agreement->same_rounds = !agreement->seen || (agreement->same_rounds && agreement->rounds == rounds);
    agreement->same_length = !agreement->seen || (agreement->same_length && agreement->length == length);
    agreement->seen = true;
    agreement->rounds = rounds;
    agreement->length = length;
}

static bool is_meant(struct agreement *agreement, const struct shape *shape)
{
    return shape->site < 0 && shape->hash == agreement->hash && agreement->met++ == agreement->which;
}

static void agree_list(struct agreement *agreement, size_t n, const struct shape *list, int depth)
{
    for (size_t i = 0; i < n; i++) {
        if (is_meant(agreement, &list[i]))
            agree_loop(agreement, &list[i], depth);
        if (list[i].site < 0)
            agree_list(agreement, list[i].n, list[i].body, depth + 1);
    }
}

/* Does what was agreed divide the trips of all? */
static bool divides_all(struct agreement *agreement, size_t n, const struct shape *list)
{
    for (size_t i = 0; i < n; i++) {
        int64_t trips = 0;
        if (is_meant(agreement, &list[i]) && series_is_constant(list[i].trips, &trips) &&
            agreed_length(agreement, trips) == 0)
            return false;
        if (list[i].site < 0 && !divides_all(agreement, list[i].n, list[i].body))
            return false;
    }
    return true;
}

/* ---- cutting ---- */

/* The trips of each visit in rounds: one level more. */
static const struct series *cut_visit(const struct series *visit, int64_t length, struct arena *memory)
{
    const struct series *all = NULL;
    size_t i = 0;
    int64_t left = visit->runs[0].count;
    while (i < visit->n) {
        const struct series *round = NULL;
        int64_t rounds = left / length;
        if (rounds > 0) {
            round = series_repeat(memory, visit->runs[i].of, length);
            left -= rounds * length;
        }
        for (int64_t missing = rounds > 0 ? 0 : length; missing > 0 && i < visit->n;) {
            int64_t taken = left < missing ? left : missing;
            const struct series *part = series_repeat(memory, visit->runs[i].of, taken);
            round = round ? series_join(memory, round, part) : part;
            missing -= taken;
            left -= taken;
            if (left == 0 && ++i < visit->n)
                left = visit->runs[i].count;
        }
        if (left == 0 && rounds > 0 && ++i < visit->n)
            left = visit->runs[i].count;
        const struct series *one = series_repeat(memory, round, rounds > 0 ? rounds : 1);
        all = all ? series_join(memory, all, one) : one;
    }
    return all;
}

/* trips: the series is one of trips, and becomes that of the rounds. */
static const struct series *cut_series(const struct series *series, int depth, int64_t length, struct arena *memory)
{
    if (depth == 0)
        return cut_visit(series, length, memory);
    struct series *copy = arena_alloc(memory, 1, sizeof *copy);
    *copy = (struct series){.n = series->n, .runs = arena_alloc(memory, series->n, sizeof *copy->runs)};
    for (size_t i = 0; i < series->n; i++)
        copy->runs[i] = (struct series_run){series->runs[i].count, cut_series(series->runs[i].of, depth - 1, length,
                                                                             memory)};
    return copy;
}

static void cut_body(struct shape *loop, int depth, int64_t length, struct arena *memory)
{
    for (size_t i = 0; i < loop->n; i++) {
        struct shape *inner = &loop->body[i];
        for (int k = 0; k < N_FIELDS && inner->site >= 0; k++)
            inner->field[k] = cut_series(inner->field[k], depth, length, memory);
        if (inner->site < 0) {
            inner->trips = cut_series(inner->trips, depth, length, memory);
            cut_body(inner, depth, length, memory);
        }
    }
}

/* As deep as the trips of a loop inside `depth` others, all `value`; level: of one level more, `count` times each. */
static const struct series *trips_like(const struct series *trips, int depth, int64_t value, int64_t count,
                                       struct arena *memory)
{
    if (depth == 0) {
        const struct series *one = series_constant(memory, value);
        return count > 0 ? series_repeat(memory, one, count) : one;
    }
    struct series *copy = arena_alloc(memory, 1, sizeof *copy);
    *copy = (struct series){.n = trips->n, .runs = arena_alloc(memory, trips->n, sizeof *copy->runs)};
    for (size_t i = 0; i < trips->n; i++)
        copy->runs[i] = (struct series_run){trips->runs[i].count, trips_like(trips->runs[i].of, depth - 1, value, count,
                                                                            memory)};
    return copy;
}

static void cut_loop(struct shape *loop, int depth, int64_t trips, int64_t length, struct arena *memory)
{
    struct shape *inner = arena_alloc(memory, 1, sizeof *inner);
    *inner = *loop;
    inner->trips = trips_like(loop->trips, depth, length, trips / length, memory);
    cut_body(inner, depth, length, memory);
    loop->trips = trips_like(loop->trips, depth, trips / length, 0, memory);
    loop->n = 1;
    loop->body = inner;
    shape_hash_loop(loop);
}

static void cut_list(struct agreement *agreement, size_t n, struct shape *list, int depth, struct arena *memory)
{
    for (size_t i = 0; i < n; i++) {
        int64_t trips = 0;
        if (list[i].site >= 0)
            continue;
        bool meant = is_meant(agreement, &list[i]);
        cut_list(agreement, list[i].n, list[i].body, depth + 1, memory);
        if (meant && series_is_constant(list[i].trips, &trips))
            cut_loop(&list[i], depth, trips, agreed_length(agreement, trips), memory);
        else
            shape_hash_loop(&list[i]);
    }
}

/* ---- all loops ---- */

struct hashes {
    size_t n, capacity;
    uint64_t *list;
};

/* Is a hash new to the list? It is put there. */
static bool is_new(struct hashes *hashes, uint64_t hash)
{
    for (size_t k = 0; k < hashes->n; k++)
        if (hashes->list[k] == hash)
            return false;
    hashes->list = alloc_grow(hashes->list, hashes->n, &hashes->capacity, sizeof *hashes->list);
    hashes->list[hashes->n++] = hash;
    return true;
}

/* Bodies of loops, the inner ones first. */
static void collect(struct hashes *hashes, size_t n, const struct shape *list)
{
    for (size_t i = 0; i < n; i++) {
        if (list[i].site >= 0)
            continue;
        collect(hashes, list[i].n, list[i].body);
        is_new(hashes, list[i].hash);
    }
}

static bool all_divide(struct agreement *agreement, size_t n, const struct shapes shapes[])
{
    bool divide = true;
    for (size_t i = 0; i < n && divide; i++) {
        agreement->met = 0;
        divide = divides_all(agreement, shapes[i].n, shapes[i].list);
    }
    return divide;
}

/* Were loops of the body cut? Then their hashes, and those of all around them, are others now. *met: the most of one
 * process. */
static bool nest_body(uint64_t hash, int which, int *met, size_t n, struct shapes shapes[], struct arena *memory)
{
    struct agreement agreement = {.hash = hash, .which = which};
    *met = 0;
    for (size_t i = 0; i < n; i++) {
        agreement.met = 0;
        agree_list(&agreement, shapes[i].n, shapes[i].list, 0);
        *met = agreement.met > *met ? agreement.met : *met;
    }
    if (agreement.refused || !agreement.seen)
        return false;
    agreement.same_rounds = agreement.same_rounds && all_divide(&agreement, n, shapes);
    if (!all_divide(&agreement, n, shapes))
        return false;
    for (size_t i = 0; i < n; i++) {
        agreement.met = 0;
        cut_list(&agreement, shapes[i].n, shapes[i].list, 0, memory);
    }
    return true;
}

void nest_loops(size_t n, struct shapes shapes[], struct arena *memory)
{
    struct hashes done = {0};
    for (bool cut = true; cut;) {
        struct hashes found = {0};
        cut = false;
        for (size_t i = 0; i < n; i++)
            collect(&found, shapes[i].n, shapes[i].list);
        for (size_t k = 0; k < found.n && !cut; k++)
            if (is_new(&done, found.list[k]))
                for (int which = 0, met = 1; which < met; which++)
                    cut |= nest_body(found.list[k], which, &met, n, shapes, memory);
        free(found.list);
    }
    free(done.list);
}
