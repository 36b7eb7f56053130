#include "record/fit.h"

#include "record/coefficient.h"
#include "record/fit/block.h"
#include "record/fit/block_place.h"
#include "record/fit/chance.h"
#include "record/fit/fit_terms.h"
#include "record/fit/group.h"
#include "record/fit/line.h"
#include "record/fit/other.h"
#include "record/fit/slopes.h"
#include "record/fit/turn.h"
#include "record/proof.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int fit_sample_compare(const void *a, const void *b)
{
    const struct fit_sample *x = a, *y = b;
    if (x->recording != y->recording)
        return x->recording < y->recording ? -1 : 1;
    if (x->procnum != y->procnum)
        return x->procnum < y->procnum ? -1 : 1;
    if (x->world != y->world)
        return x->world < y->world ? -1 : 1;
    for (int i = 0; i < FIT_LOOPS; i++)
        if (x->index[i] != y->index[i])
            return x->index[i] < y->index[i] ? -1 : 1;
    return 0;
}

/* ---- the search ---- */

static const char *special(const struct search *search, int64_t value)
{
    return value == FIT_NULL ? "MPI_PROC_NULL" : value == FIT_ANY ? search->names->any
         : value == FIT_SOURCE ? search->names->source : NULL;
}

static const struct found NOTHING_FOUND = {0};

/* A formula without conditions. */
static struct found found_plain(struct search *search, struct piece piece, const int64_t value[], unsigned grids)
{
    struct piece *kept = arena_alloc(search->memory, 1, sizeof *kept);
    *kept = piece;
    kept->value = value;
    return (struct found){.text = piece.text, .value = value, .grids = grids, .pieces = kept};
}

/* The pieces of two formulas together. What is of one mask gets another, which stays. */
static const struct piece *pieces_join(struct search *search, const struct piece *first, const struct piece *rest,
                                       const unsigned char *mask, const unsigned char *kept)
{
    const struct piece *joined = NULL;
    for (int list = 0; list < 2; list++)
        for (const struct piece *piece = list == 0 ? first : rest; piece; piece = piece->next) {
            struct piece *copy = arena_alloc(search->memory, 1, sizeof *copy);
            *copy = *piece;
            copy->of.mask = piece->of.mask == mask ? kept : piece->of.mask;
            copy->next = joined;
            joined = copy;
        }
    return joined;
}

static const unsigned char *mask_keep(struct search *search, const unsigned char mask[])
{
    return memcpy(arena_alloc(search->memory, search->m, 1), mask, search->m);
}

static struct found fit_constant(struct search *search, struct subset subset)
{
    size_t first = 0;
    while (first < search->n && !IN(subset, first))
        first++;
    if (first == search->n)
        return NOTHING_FOUND;
    int64_t value = search->samples[first].value;
    for (size_t i = first; i < search->n; i++)
        if (IN(subset, i) && search->samples[i].value != value)
            return NOTHING_FOUND;
    int64_t *everywhere = arena_alloc(search->memory, search->m, sizeof *everywhere);
    for (size_t i = 0; i < search->m; i++)
        everywhere[i] = value;
    const char *name = special(search, value);
    const char *text = name ? name : search_number(search, (double)value);
    return found_plain(search, (struct piece){.kind = PIECE_CONSTANT, .text = text, .of = subset}, everywhere, 0);
}

/* grid: as in piece. */
static struct found line_found(struct search *search, size_t at, const struct line *line, struct subset subset, bool grid)
{
    const struct slope *slope = &search->slopes[at];
    int64_t *value = arena_alloc(search->memory, search->m, sizeof *value);
    for (size_t i = 0; i < search->m; i++) {
        double y = round(line_at(line, slope, i));
        value[i] = fabs(y) < 9e15 ? (int64_t)y : INT64_MAX;
    }
    const struct piece piece = {.kind = PIECE_LINE, .text = line_text(search, slope, line), .at = at, .grid = grid, .of = subset};
    return found_plain(search, piece, value, slope->grids);
}

/* A proportion that follows from two extents of a grid only, where a third one is to come: a number that is added, such
 * as that of a border, would not show. */
static void note_two_places(struct search *search, const struct slope *slope, struct found found, struct subset subset)
{
    const double *x = slope->value;
    int64_t *other = arena_alloc(search->memory, search->m, sizeof *other);
    memcpy(other, found.value, search->m * sizeof *other);
    for (size_t i = search->n; i < search->m; i++) {
        bool seen = false;
        for (size_t k = 0; k < search->n && !seen; k++)
            seen = IN(subset, k) && x[k] == x[i];
        other[i] += !seen;
    }
    other_note(search, search_text(search, "any law through the two values of %s that were seen", slope->part), other,
               found, subset);
}

/* The first line of all slopes, or of those of the grid; the next that differs is another that may be meant, but where
 * the first is one number from three places. */
static struct found fit_line(struct search *search, struct subset subset, bool grid)
{
    struct found found = NOTHING_FOUND;
    const struct slope *weak = NULL;
    struct line line;
    for (size_t i = 0; i < search->n_slopes; i++) {
        const struct slope *slope = &search->slopes[i];
        if ((grid && !line_of_grid(search, slope)) || !line_fits(search, slope, subset, &line))
            continue;
        struct found next = line_found(search, i, &line, subset, grid);
        if (!found.text) {
            found = next;
            weak = line.places == 2 && slope->part ? slope : NULL;
        } else if (other_note(search, next.text, next.value, found, subset)) {
            break;
        }
        bool beyond_doubt = line.places == 3 && line.a == 0 && next.text == found.text;
        if (grid || beyond_doubt || !search->other)
            break;
    }
    if (weak && search->other)
        note_two_places(search, weak, found, subset);
    return found;
}

/* The first whole formula; the next that differs is another that may be meant. */
static struct found fit_whole(struct search *search, struct subset subset)
{
    struct found found = NOTHING_FOUND;
    for (size_t i = 0; i < search->n_wholes; i++) {
        const struct candidate *whole = &search->wholes[i];
        if (!search_gives(search, whole->value, subset))
            continue;
        if (!found.text)
            found = found_plain(search, (struct piece){.kind = PIECE_WHOLE, .text = whole->text, .at = i, .of = subset},
                                whole->value, whole->grids);
        for (; whole; whole = whole->alike)
            if (other_note(search, whole->text, whole->value, found, subset))
                break;
        if (!search->other || search->other->text)
            break;
    }
    return found;
}

/* A law of faces; what would have been taken without it is another formula that may be meant. */
static struct found fit_law(struct search *search, struct subset subset)
{
    for (size_t i = 0; i < search->n_laws; i++) {
        const struct candidate *law = &search->laws[i];
        if (search_gives(search, law->value, subset))
            return found_plain(search, (struct piece){.kind = PIECE_LAW, .text = law->text, .of = subset}, law->value,
                               law->grids);
    }
    return NOTHING_FOUND;
}

static struct found block_found(struct search *search, const struct block *block, int64_t n, struct subset subset)
{
    int64_t *value = arena_alloc(search->memory, search->m, sizeof *value);
    block_values(search, block, n, value);
    const struct piece piece = {.kind = PIECE_BLOCK, .text = block_text(search, block, n), .of = subset,
                                .evidence = block->evidence};
    return found_plain(search, piece, value, search->places[block->place].grids);
}

/* Within more conditions no program shares things out; each of them would be asked for blocks. */
enum { BLOCK_CONDITIONS = 1 };

/* The first block that is confirmed; another number that is shared out, or another way to share it out at that place, may be
 * meant. One that is not would be as good as any: what a program gives who is not alike looks like blocks as well. */
static struct found fit_block(struct search *search, struct subset subset)
{
    struct found found = NOTHING_FOUND;
    struct block_cursor cursor = {0};
    struct block block;
    size_t place = 0;
    if (!search->names->number || search->conditions > BLOCK_CONDITIONS)
        return found;
    search_make_places(search);
    while (block_find(search, subset, &cursor, &block) && (!found.text || block.place == place)) {
        const struct found next = block_found(search, &block, block.n, subset),
                           most = block_found(search, &block, block.most, subset);
        if (!found.text && !chance_confirms(search, next.pieces))
            continue;
        place = block.place;
        found = found.text ? found : next;
        if (!search->other || other_note(search, next.text, next.value, found, subset) ||
            other_note(search, most.text, most.value, found, subset))
            break;
    }
    return found;
}

static struct found fit_plain(struct search *search, struct subset subset)
{
    struct found found = fit_constant(search, subset);
    if (!found.text)
        found = fit_whole(search, subset);
    if (!found.text && search->names->grids)
        found = fit_line(search, subset, true);
    if (!found.text)
        found = fit_line(search, subset, false);
    return found.text ? found : fit_block(search, subset);
}

static struct found fit_simple(struct search *search, struct subset subset)
{
    struct found law = fit_law(search, subset);
    if (!law.text)
        return fit_plain(search, subset);
    struct fit_other *other = search->other;
    search->other = NULL;
    struct found plain = fit_plain(search, subset);
    search->other = other;
    if (plain.text)
        other_note(search, plain.text, plain.value, law, subset);
    return law;
}

/* Is a side of a condition, where there are three counts, known from one of them only? MPI_PROC_NULL is no number that
 * would have to follow from anything. */
static bool is_single(const struct search *search, const unsigned char mask[], unsigned char here)
{
    int numprocs = 0;
    for (size_t i = 0; i < search->n; i++) {
        if (mask[i] != here || search->samples[i].value <= FIT_SOURCE)
            continue;
        if (numprocs != 0 && numprocs != search->samples[i].numprocs)
            return false;
        numprocs = search->samples[i].numprocs;
    }
    return numprocs != 0 && search->counts > 2;
}

/* COND ? one : other */
static struct found choose(struct search *search, const struct candidate *test, struct found one, struct found other)
{
    int64_t *value = arena_alloc(search->memory, search->m, sizeof *value);
    for (size_t i = 0; i < search->m; i++)
        value[i] = test->value[i] ? one.value[i] : other.value[i];
    return (struct found){.text = search_text(search, "(%s ? %s : %s)", test->text, one.text, other.text), .value = value,
                          .grids = test->grids | one.grids | other.grids};
}

/* Another condition that parts the samples in the same way. */
static void note_other_test(struct search *search, struct subset subset, const struct candidate *test, struct found yes,
                            struct found no, struct found found)
{
    for (const struct candidate *first = test; first < search->tests + search->n_tests; first++) {
        bool same = true;
        for (size_t i = 0; i < search->n && same; i++)
            same = !IN(subset, i) || !first->value[i] == !test->value[i];
        for (const struct candidate *next = first; next && same; next = next->alike) {
            if (next == test)
                continue;
            struct found other = choose(search, next, yes, no);
            if (!search->other || search->other->text || other_note(search, other.text, other.value, found, subset))
                return;
        }
    }
}

static struct found fit_split(struct search *search, struct subset subset, int levels);

/* Room for what is asked of each condition. */
struct split {
    unsigned char *mask;        /* [m] on which side: 0 or 1, 2 outside of the subset */
    unsigned char *sides;       /* [n_groups] */
    bool *mixed;                /* [n_groups] of the subset */
};

static struct split split_make(struct search *search, struct subset subset)
{
    if (!search->group)
        groups_make(search);
    struct split split = {alloc_array(search->m, 1), alloc_array(search->n_groups + 1, 1),
                          alloc_array(search->n_groups + 1, sizeof *split.mixed)};
    groups_find_mixed(search, subset, split.mixed);
    return split;
}

static void split_free(struct split *split)
{
    free(split->mask);
    free(split->sides);
    free(split->mixed);
}

/* With one condition of the list, `side` of which must be simple. tried: how many were, with this one. */
static struct found fit_with(struct search *search, struct subset subset, const struct candidate *test, int side,
                             int levels, size_t tried, const struct split *split)
{
    unsigned char *mask = split->mask;
    size_t yes = 0, no = 0;
    for (size_t i = 0; i < search->m; i++) {
        bool here = (test->value[i] != 0) == side;
        mask[i] = !IN(subset, i) ? 2 : here;
        yes += i < search->n && mask[i] == 1;
        no += i < search->n && mask[i] == 0;
    }
    if (yes == 0 || no == 0 || is_single(search, mask, 1) || is_single(search, mask, 0) ||
        groups_parted_in_vain(search, mask, split->mixed, split->sides))
        return NOTHING_FOUND;
    if (search->other)
        *search->other = (struct fit_other){0};
    struct found one = fit_simple(search, (struct subset){mask, 1});
    struct found other = one.text ? fit_split(search, (struct subset){mask, 0}, levels) : NOTHING_FOUND;
    if (!other.text)
        return NOTHING_FOUND;
    if (search->other && search->other->text && !strstr(search->other->text, OTHER_IN_PART))
        search->other->text = search_text(search, "%s%s", search->other->text, OTHER_IN_PART);
    struct found found = side ? choose(search, test, one, other) : choose(search, test, other, one);
    found.pieces = pieces_join(search, one.pieces, other.pieces, mask, mask_keep(search, mask));
    found.tests = one.tests + other.tests + log2((double)tried);
    note_other_test(search, subset, test, side ? one : other, side ? other : one, found);
    return found;
}

enum { TRIPS_APART = 8 };       /* of a loop: a formula for each of more would say nothing */

/* Are there samples of each count among these? */
static bool is_in_all(const struct search *search, const unsigned char mask[])
{
    for (size_t i = 0; i < search->n; i++) {
        bool here = mask[i];
        for (size_t k = 0; k < search->n && !here; k++)
            here = mask[k] && search->samples[k].numprocs == search->samples[i].numprocs;
        if (!here)
            return false;
    }
    return true;
}

/* Trips of a loop, or of its period. */
static int64_t trip_at(const struct search *search, int loop, const struct period *period, size_t place)
{
    return period ? period_trip(search, period, place) : search->beyond[place].index[loop];
}

/* LOOP == trip ? one : others */
static struct found choose_trip(struct search *search, int loop, const struct period *period, int64_t trip,
                                struct found one, struct found others)
{
    const char *name = period ? period_text(search, period) : search->names->loop[loop];
    int64_t *value = arena_alloc(search->memory, search->m, sizeof *value);
    for (size_t i = 0; i < search->m; i++)
        value[i] = trip_at(search, loop, period, i) == trip ? one.value[i] : others.value[i];
    return (struct found){.text = search_text(search, "(%s == %" PRId64 " ? %s : %s)", name, trip, one.text, others.text),
                          .value = value, .grids = one.grids | others.grids};
}

/* COND ? one : other, and `levels` - 1 more conditions in the other. */
static struct found fit_split(struct search *search, struct subset subset, int levels)
{
    struct found found = fit_simple(search, subset);
    if (found.text || levels == 0)
        return found;
    struct split split = split_make(search, subset);
    size_t tried = 0;
    search->conditions++;
    for (int turn = 0; turn < (levels == 1 ? 1 : 2) && !found.text; turn++) /* a single one first, whatever its place */
        for (size_t t = 0; t < search->n_tests && !found.text; t++)
            for (int side = 1; side >= 0 && !found.text; side--)
                found = fit_with(search, subset, &search->tests[t], side, turn == 0 ? 0 : levels - 1, ++tried, &split);
    search->conditions--;
    split_free(&split);
    return found;
}

/* A formula for each trip of a loop around, as of the levels of a multigrid, or of its period: where all counts have
 * had all of these trips. */
static struct found fit_trips(struct search *search, int loop, const struct period *period)
{
    struct found found = NOTHING_FOUND;
    struct fit_other *other = search->other, part = {0}, told = {0};
    int64_t trips = 0;
    for (size_t i = 0; i < search->n; i++)
        trips = trip_at(search, loop, period, i) >= trips ? trip_at(search, loop, period, i) + 1 : trips;
    if (trips < 2 || trips > TRIPS_APART)
        return found;
    unsigned char *mask = alloc_array(search->m, 1);
    search->other = other ? &part : NULL;
    for (int64_t trip = trips - 1; trip >= 0; trip--) {
        for (size_t i = 0; i < search->m; i++)
            mask[i] = trip_at(search, loop, period, i) == trip;
        part = (struct fit_other){0};
        const struct found one = is_in_all(search, mask) ? fit_simple(search, (struct subset){mask, 1}) : NOTHING_FOUND;
        if (!one.text) {
            found = NOTHING_FOUND;
            break;
        }
        told = part.text ? part : told;
        const struct piece *pieces = pieces_join(search, found.pieces, one.pieces, mask, mask_keep(search, mask));
        found = trip == trips - 1 ? one : choose_trip(search, loop, period, trip, one, found);
        found.pieces = pieces;
    }
    free(mask);
    search->other = other;
    if (other && found.text) {
        *other = told;
        other->text = told.text ? search_text(search, "%s%s", told.text, OTHER_IN_PART) : NULL;
    }
    return found;
}

/* What was found by numbers, if its text says the same; else nothing. */
static struct found proven(const struct search *search, bool condition, struct found found)
{
    return !found.text || proof_holds(found.text, condition, search->n, search->samples, search->names) ? found
                                                                                                        : NOTHING_FOUND;
}

static const char *keep(struct arena *memory, const char *text)
{
    return text ? arena_string_n(memory, text, strlen(text)) : NULL;
}

/* What outlives the search: the formula, NULL where there is none, and what *other says of it. */
static const char *answer_keep(const struct found *found, struct fit_other *other, struct arena *memory)
{
    if (other) {
        other->text = found->text ? keep(memory, other->text) : NULL;
        other->unconfirmed = found->text ? keep(memory, other->unconfirmed) : NULL;
        other->divides = GRID_EXTENTS(found->grids);
        other->grids = GRID_EXTENTS(found->grids | found->grids >> (GRIDS + 1));
    }
    return keep(memory, found->text);
}

const char *fit_value(size_t n, const struct fit_sample samples[], const struct fit_names *names,
                      struct fit_other *other, struct arena *memory)
{
    struct search search;
    if (other)
        *other = (struct fit_other){0};
    if (n == 0)
        return "0";
    struct arena scratch = ARENA_EMPTY;
    search_begin(&search, n, samples, names, &scratch);
    search.other = other;
    const struct subset all = {NULL, 0};
    const bool lawful = names->n_laws > 0 || names->in_line; /* what may come before a number */
    struct found found = lawful && !names->constants ? NOTHING_FOUND : fit_constant(&search, all);
    if (!found.text && !names->constants) {
        search_make_parts(&search);
        found = search.n_laws > 0 ? NOTHING_FOUND : fit_constant(&search, all);
    }
    if (!found.text && !names->constants) {
        search_make_wholes(&search);
        slopes_make(&search);
        if (names->number) {
            slopes_make_shares(&search);
            slopes_make_sides(&search);
            slopes_make_trees(&search);
        }
        search_make_tests(&search);
        found = fit_split(&search, all, 2);
        for (int loop = names->n_loops - 1; loop >= 0 && !found.text; loop--)
            found = fit_trips(&search, loop, NULL);
        for (int i = search.n_periods - 1; i >= 0 && !found.text; i--)
            if (search.periods[i].trips != PERIOD_NUMPROCS)
                found = fit_trips(&search, search.periods[i].loop, &search.periods[i]);
        found = proven(&search, false, found);
    }
    if (other && found.text)
        other_note_beside(&search, found);
    const char *text = answer_keep(&found, other, memory);
    search_end(&search);
    arena_free(&scratch);
    return text;
}

/* ---- conditions ---- */

/* One test, or two with && or ||, each as it is or not. */
struct condition {
    const struct candidate *a, *b;
    int kind;                   /* bits: not a, not b, both */
};

static bool holds(const struct condition *condition, size_t i)
{
    bool x = (condition->a->value[i] != 0) != (condition->kind & 1);
    bool y = (condition->b->value[i] != 0) != ((condition->kind & 2) != 0);
    return condition->kind & 4 ? x && y : x || y;
}

static bool is_true(const struct search *search, const struct condition *condition)
{
    for (size_t i = 0; i < search->n; i++)
        if (holds(condition, i) != (search->samples[i].value != 0))
            return false;
    return true;
}

static struct found condition_found(struct search *search, const struct condition *condition)
{
    int64_t *value = arena_alloc(search->memory, search->m, sizeof *value);
    const char *not_a = condition->kind & 1 ? "!" : "", *not_b = condition->kind & 2 ? "!" : "";
    const char *a = condition->a->text, *b = condition->b->text;
    for (size_t i = 0; i < search->m; i++)
        value[i] = holds(condition, i);
    if (condition->a != condition->b)
        return (struct found){.text = search_text(search, "%s(%s) %s %s(%s)", not_a, a, condition->kind & 4 ? "&&" : "||", not_b,
                                                  b),
                              .value = value, .grids = condition->a->grids | condition->b->grids};
    return (struct found){.text = *not_a ? search_text(search, "!(%s)", a) : a, .value = value, .grids = condition->a->grids};
}

/* Conditions with a test that is the same for all samples. */
static void note_other_condition(struct search *search, const struct condition *condition, struct found found)
{
    for (int which = 0; which < (condition->a == condition->b ? 1 : 2); which++)
        for (const struct candidate *next = which == 0 ? condition->a : condition->b; next; next = next->alike) {
            struct condition other = *condition;
            *(which == 0 ? &other.a : &other.b) = next;
            if (condition->a == condition->b)
                other.b = next;
            struct found at = condition_found(search, &other);
            if (other_note(search, at.text, at.value, found, (struct subset){NULL, 0}))
                return;
        }
}

/* The first condition of one test, or of two. */
static struct found fit_tests(struct search *search, bool two)
{
    for (size_t i = 0; i < search->n_tests; i++)
        for (size_t k = two ? i + 1 : i; k < (two ? search->n_tests : i + 1); k++)
            for (int kind = 0; kind < 8; kind++) {
                struct condition condition = {&search->tests[i], &search->tests[k], kind};
                if ((!two && kind != 4 && kind != 7) || !is_true(search, &condition))
                    continue;
                struct found found = condition_found(search, &condition);
                note_other_condition(search, &condition, found);
                if (search->other && !chance_confirms_tests(search, i, k))
                    search->other->unconfirmed = found.text;
                return found;
            }
    return NOTHING_FOUND;
}

/* Where a condition holds of the places that were not recorded; value NULL: wherever any come to. */
static void mark_inside(const struct search *search, const int64_t value[], unsigned char inside[])
{
    size_t n = search->names->places ? search->names->places->n : 0;
    if (!inside)
        return;
    for (size_t i = 0; i < n; i++)
        inside[i] = value == NULL && (!search->names->inside || search->names->inside[i]);
    for (size_t i = search->n; i < search->m && value; i++)
        inside[search->place[i]] |= value[i] != 0; /* in some trip */
}

bool fit_has_last(const char *trips)
{
    enum { LENGTH_MOST = 80 };
    return strlen(trips) <= LENGTH_MOST && strpbrk(trips, "?<>=&|") == NULL && !strstr(trips, "known_only_at");
}

const char *fit_condition(size_t n, const struct fit_sample samples[], const struct fit_names *names,
                          struct fit_other *other, unsigned char inside[], struct arena *memory)
{
    struct search search;
    struct arena scratch = ARENA_EMPTY;
    size_t yes = 0;
    for (size_t i = 0; i < n; i++)
        yes += samples[i].value != 0;
    if (other)
        *other = (struct fit_other){0};
    search_begin(&search, n, samples, names, &scratch);
    search.other = other;
    struct found found = NOTHING_FOUND;
    if (yes == n || yes == 0) {
        found.text = yes == n ? "1" : "0";
    } else if (!names->constants) {
        search_make_parts(&search);
        search_make_tests(&search);
        found = fit_tests(&search, false);
        found = proven(&search, true, found.text ? found : fit_tests(&search, true));
    }
    mark_inside(&search, found.value, inside);
    const char *text = answer_keep(&found, other, memory);
    search_end(&search);
    arena_free(&scratch);
    return text;
}

/* ---- times ---- */

/* Of values that are a share of x alone, a is what rounding leaves: up to 1e-16 of the values, times what is lost where sums are
 * subtracted. Less than this part of the values is no number of its own, which a formula would show and have to have confirmed. */
static const double LEAST_TERM = 1e-9;

/* a + b x, both >= 0. */
struct line_fit {
    double a, b;
};

/* How far the formula is from the time that it is furthest from, as a part of the greater of the two, which is below 1 whatever times
 * do; or of the lesser, of which half as long is as far off as twice. */
struct line_error {
    double of_greater, of_lesser;
};

/* Half steps, for whole ones may turn to and fro for ever where a or b is kept at 0. */
static const int FIT_ROUNDS = 40;
/* A part of the mean: f may be 0 where x is. */
static const double LEAST_WEIGHED = 1e-3;

/* The least squares by weights 1 / f^2, f what the last a + b x says, `least` and more. */
static struct line_fit fit_weighted(const struct search *search, const double x[], struct line_fit last, double least)
{
    double s = 0, sx = 0, sxx = 0, sy = 0, sxy = 0;
    for (size_t i = 0; i < search->n; i++) {
        const double y = (double)search->samples[i].value, f = fmax(last.a + last.b * x[i], least), w = 1 / (f * f);
        s += w; sx += w * x[i]; sxx += w * x[i] * x[i]; sy += w * y; sxy += w * x[i] * y;
    }
    const double determinant = s * sxx - sx * sx;
    struct line_fit fit = {.b = determinant > 1e-12 * s * sxx ? (s * sxy - sx * sy) / determinant : 0};
    fit.a = fit.b > 0 ? (sy - fit.b * sx) / s : sy / s;
    fit.b = fit.b > 0 ? fit.b : 0;
    if (fit.b > 0 && fit.a < LEAST_TERM * sy / s) /* sy / s: the weighted mean of the values */
        fit = (struct line_fit){.b = sxy / sxx};
    return fit;
}

/* By weights 1 / f^2, f the formula itself, so that the mean of y / f is 1: of times that differ by factors weights 1 / y^2 would count
 * the least alone, 10 and 40 us be a constant of 12, and half of the time be lost. It is 25. */
static struct line_fit fit_relative(const struct search *search, const double x[])
{
    double mean = 0;
    for (size_t i = 0; i < search->n; i++)
        mean += (double)search->samples[i].value / (double)search->n;
    struct line_fit fit = {.a = mean};
    for (int round = 0; round < FIT_ROUNDS; round++) {
        const struct line_fit next = fit_weighted(search, x, fit, LEAST_WEIGHED * mean);
        fit.a = (fit.a + next.a) / 2;
        fit.b = (fit.b + next.b) / 2;
    }
    return fit_weighted(search, x, fit, LEAST_WEIGHED * mean);
}

static struct line_error line_error_of(const struct search *search, const double x[], const struct line_fit *fit)
{
    struct line_error error = {0};
    for (size_t i = 0; i < search->n; i++) {
        const double y = (double)search->samples[i].value, f = fit->a + fit->b * x[i];
        error.of_greater = fmax(error.of_greater, fabs(f - y) / fmax(f, y));
        error.of_lesser = fmax(error.of_lesser, fabs(f - y) / fmin(f, y));
    }
    return error;
}

struct fit_sample fit_time_sample(int numprocs, int recording, double seconds)
{
    double ps = seconds * 1e12;
    return (struct fit_sample){.numprocs = numprocs, .recording = recording, .value = ps < 1 ? 1 : (int64_t)ps};
}

bool fit_times_differ(size_t n, const struct fit_sample first[], size_t n_others, const struct fit_sample others[])
{
    bool longer = n > 0 && n == n_others, shorter = longer;
    for (size_t i = 0; i < n && (longer || shorter); i++) {
        longer = longer && (double)first[i].value > FIT_APART * (double)others[i].value;
        shorter = shorter && (double)first[i].value * FIT_APART < (double)others[i].value;
    }
    return longer || shorter;
}

const char *fit_time(size_t n, const struct fit_sample samples[], const struct fit_names *names, double *error,
                     struct arena *memory)
{
    struct search search;
    struct arena scratch = ARENA_EMPTY;
    struct fit_names plain = *names;
    plain.n_loops = 0;
    search_begin(&search, n, samples, &plain, &scratch);
    if (n > 1) {
        search_make_parts(&search);
        slopes_make(&search);
    }
    double *zero = alloc_zeroed(search.m, sizeof *zero);
    struct line_fit fit = fit_relative(&search, zero);
    struct line_error best = line_error_of(&search, zero, &fit);
    const char *text = search_text(&search, "%.6g", fit.a * 1e-12 * 1e6);
    for (size_t i = 0; i < search.n_slopes && n > 1; i++) {
        fit = fit_relative(&search, search.slopes[i].value);
        const struct line_error next = line_error_of(&search, search.slopes[i].value, &fit);
        /* a term must be worth its while, and more so one that is not the usual share of the work: of many terms
         * some one always follows the noise */
        if (next.of_greater > (i == 0 ? 0.9 * best.of_greater - 0.005 : 0.5 * best.of_greater - 0.01))
            continue;
        best = next;
        char *term = coefficient_text(fit.b * 1e-6, search.slopes[i].text);
        text = fit.a == 0 ? search_text(&search, "%s", term) : search_text(&search, "%.6g + %s", fit.a * 1e-6, term);
        free(term);
    }
    *error = best.of_lesser;
    text = arena_string_n(memory, text, strlen(text));
    free(zero);
    search_end(&search);
    arena_free(&scratch);
    return text;
}

bool fit_time_confirmed(size_t n, const struct fit_sample samples[], const struct fit_names *names, const char *text)
{
    size_t different = 0;
    for (size_t i = 0; i < n; i++) {
        bool new = true;
        for (size_t k = 0; k < i && new; k++)
            new = names->n_params > 0 || samples[k].numprocs != samples[i].numprocs;
        different += new;
    }
    return different > (strstr(text, " + ") ? 2U : 1U);
}
