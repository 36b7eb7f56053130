#include "record/fit/fit_terms.h"

#include "directives/value.h"
#include "record/fit/beyond.h"
#include "record/fit/binomial.h"
#include "record/fit/number.h"
#include "record/fit/owner.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *search_text(struct search *search, const char *form, ...)
{
    va_list arguments;
    va_start(arguments, form);
    char *text = alloc_format_list(form, arguments);
    va_end(arguments);
    const char *kept = arena_string_n(search->memory, text, strlen(text));
    free(text);
    return kept;
}

const char *search_number(struct search *search, double x)
{
    return fabs(x) < 9e15 && x == floor(x) ? search_text(search, "%.0f", x) : search_text(search, "%.15g", x);
}

bool search_gives(const struct search *search, const int64_t value[], struct subset subset)
{
    for (size_t i = 0; i < search->n; i++)
        if (IN(subset, i) && value[i] != search->samples[i].value)
            return false;
    return true;
}

/* ---- candidates ---- */

static struct candidate new_candidate(struct search *search, const char *text)
{
    struct candidate new = {text, arena_alloc(search->memory, search->m, sizeof *new.value), search->grids, NULL};
    memcpy(new.value, search->work, search->m * sizeof *new.value);
    return new;
}

static void add(struct search *search, struct candidate **list, size_t *n, size_t *capacity, const char *text)
{
    *list = alloc_grow(*list, *n, capacity, sizeof **list);
    (*list)[(*n)++] = new_candidate(search, text);
}

static bool same_values(const struct search *search, const struct candidate *candidate, size_t n)
{
    return memcmp(candidate->value, search->work, n * sizeof *search->work) == 0;
}

/* Adds search->work. One that has the same value for each sample as an earlier one stands behind that; one that has the
 * same everywhere says nothing new. */
static void add_new(struct search *search, struct candidate **list, size_t *n, size_t *capacity, const char *text)
{
    for (size_t i = 0; i < *n; i++) {
        if (!same_values(search, &(*list)[i], search->n))
            continue;
        struct candidate *last = &(*list)[i];
        while (!same_values(search, last, search->m) && last->alike)
            last = last->alike;
        if (same_values(search, last, search->m))
            return;
        last->alike = arena_alloc(search->memory, 1, sizeof *last);
        *last->alike = new_candidate(search, text);
        return;
    }
    add(search, list, n, capacity, text);
}

/* Parts are divisors: at counts that were not recorded one below 1, which no program would have, is 1. */
static void add_part(struct search *search, const char *text)
{
    for (size_t i = 0; i < search->m; i++) {
        if (search->work[i] < 1 && i < search->n)
            return;
        search->work[i] = search->work[i] < 1 ? 1 : search->work[i];
    }
    for (size_t i = 0; i < search->n_parts; i++)
        if (same_values(search, &search->parts[i], search->m))
            return;
    add(search, &search->parts, &search->n_parts, &search->parts_capacity, text);
}
static void add_whole(struct search *search, const char *text)
{
    add_new(search, &search->wholes, &search->n_wholes, &search->wholes_capacity, text);
}
static void add_test(struct search *search, const char *text)
{
    size_t yes = 0;
    for (size_t i = 0; i < search->n; i++)
        yes += search->work[i] != 0;
    if (yes > 0 && yes < search->n)
        add_new(search, &search->tests, &search->n_tests, &search->tests_capacity, text);
}

/* In which of the parts a process is: procnum/1 is procnum. */
static const char *over_text(struct search *search, const char *part)
{
    const char *p_ = search->names->procnum;
    return strcmp(part, "1") == 0 ? p_ : search_text(search, "%s/%s", p_, part);
}
/* A part less another one, and the last of it: 2-1 is 1. */
static const char *less_text(struct search *search, const char *part, const char *by)
{
    char *end, *end_by;
    const long number = strtol(part, &end, 10), less = strtol(by, &end_by, 10);
    return *end == '\0' && *end_by == '\0' ? search_number(search, (double)(number - less)) : search_text(search, "%s-%s", part, by);
}
static const char *last_text(struct search *search, const char *part)
{
    return less_text(search, part, "1");
}

/* Fills search->work from an expression over p (procnum), P (numprocs) and s (the sample). */
#define EACH(expression)                                                  \
    for (size_t k_ = 0; k_ < search->m; k_++) {                           \
        const struct fit_sample *s = &search->beyond[k_];                 \
        int64_t p = s->procnum, P = s->numprocs;                          \
        (void)p;                                                          \
        (void)P;                                                          \
        search->work[k_] = (expression);                                  \
    }
#define AT(candidate) ((candidate).value[k_])

/* A grid: its extents, the halves of them that are left after some trips, and how far apart neighbours are. */
static void make_grid(struct search *search, enum grid grid)
{
    const char *P_ = search->names->numprocs;
    int dimensions = grid_dimensions(grid);
    const char *text[GRID_DIMENSIONS];
    search->grids = GRID_BIT(grid);
    for (int d = dimensions - 1; d >= 0; d--) {
        char *extent = grid_text(grid, P_, d);
        text[d] = search_text(search, "%s", extent);
        free(extent);
        EACH(grid_extent(grid, P, d));
        add_part(search, text[d]);
    }
    for (int i = 0; i < search->names->n_loops && grid == GRID_2; i++)
        for (int d = 0; d < 2; d++) {
            EACH(number_halved(grid_extent(grid, P, d) / 2, s->index[i]));
            add_part(search, search_text(search, "(%s/2/round(pow(2, %s)))", text[d], search->names->loop[i]));
        }
    for (int d = 0; d + 1 < dimensions && dimensions > 2; d++) {
        EACH(grid_extent(grid, P, d) * grid_extent(grid, P, d + 1));
        add_part(search, search_text(search, "(%s*%s)", text[d], text[d + 1]));
    }
    search->grids = 0;
}

static void make_halves(struct search *search)
{
    const char *P_ = search->names->numprocs;
    search->grids = GRID_BIT(GRID_HALVES);
    EACH(2); add_part(search, "2");
    EACH(P / 2); add_part(search, search_text(search, "(%s/2)", P_));
    EACH(P / 4); add_part(search, search_text(search, "(%s/4)", P_));
    search->grids = 0;
}

/* The likelier first: where several formulas give all values, their order decides. */
static void make_parts(struct search *search)
{
    const char *P_ = search->names->numprocs;
    EACH(1); add_part(search, "1");
    EACH(P); add_part(search, P_);
    for (int i = 0; i < search->names->n_loops; i++) {
        const char *name = search->names->loop[i];
        EACH(number_power2(s->index[i])); add_part(search, search_text(search, "round(pow(2, %s))", name));
        EACH(s->index[i] + 1); add_part(search, search_text(search, "(%s+1)", name));
        EACH(number_halved(P / 2, s->index[i]));
        add_part(search, search_text(search, "(%s/2/round(pow(2, %s)))", P_, name));
    }
    static const enum grid order[] = {GRID_2, GRID_HALVES, GRID_3};
    for (int turn = 0; turn < 4; turn++) { /* the wanted one first, then the usual ones in their order */
        enum grid grid = turn == 0 ? search->names->prefers : order[turn - 1];
        if (grid == GRID_HALVES)
            make_halves(search);
        else
            make_grid(search, grid);
    }
    int64_t most = 0;
    for (size_t i = 0; i < search->n; i++)
        most = search->samples[i].numprocs > most ? search->samples[i].numprocs : most;
    static const int64_t numbers[] = {4, 3, 8};
    search->grids = GRID_BIT(GRIDS);
    for (int i = 0; i < 3; i++)
        if (numbers[i] < most) { /* else no process has ever come so far */
            EACH(numbers[i]); add_part(search, search_text(search, "%d", (int)numbers[i]));
        }
    search->grids = 0;
}

/* What is added before `%` is taken, to come `distance` further on in a ring or back. The extent goes before what is taken off, which
 * is once round: of a distance that goes round more often somewhere only what is left beyond whole rounds is taken off, for `%` of
 * a negative number is negative. */
static const char *step_text(struct search *search, const struct candidate *extent, const struct candidate *distance, int sign)
{
    if (sign > 0)
        return search_text(search, "+%s", distance->text);
    for (size_t i = 0; i < search->m; i++)
        if (distance->value[i] > extent->value[i])
            return search_text(search, "+%s-%s%%%s", extent->text, distance->text, extent->text);
    return search_text(search, "+%s", less_text(search, extent->text, distance->text));
}

/* The neighbour `distance` further on in a line of `extent` processes that are `stride` apart. */
static void add_ring(struct search *search, const struct candidate *stride, const struct candidate *extent,
                     const struct candidate *distance, int sign)
{
    const char *p_ = search->names->procnum;
    bool unit = strcmp(stride->text, "1") == 0, all = strcmp(extent->text, search->names->numprocs) == 0;
    search->grids = stride->grids | extent->grids | distance->grids;
    for (size_t i = 0; i < search->n; i++)
        if (stride->value[i] > 0 && extent->value[i] > search->samples[i].numprocs / stride->value[i])
            return;
    const char *step = step_text(search, extent, distance, sign), *E = extent->text;
    EACH(p - p / AT(*stride) % AT(*extent) * AT(*stride) +
         (p / AT(*stride) % AT(*extent) + sign * AT(*distance) % AT(*extent) + AT(*extent)) % AT(*extent) *
             AT(*stride));
    if (unit && all)
        add_whole(search, search_text(search, "(%s%s)%%%s", p_, step, E));
    else if (unit)
        add_whole(search, search_text(search, "%s/%s*%s + (%s%s)%%%s", p_, E, E, p_, step, E));
    else
        add_whole(search, search_text(search, "%s - %s/%s%%%s*%s + (%s/%s%s)%%%s*%s", p_, p_, stride->text, E, stride->text, p_,
                                      stride->text, step, E, stride->text));
}

/* Neighbours along an axis, whose extents are of the grids asked for; 0: of any. */
static void add_rings(struct search *search, unsigned grids)
{
    int first = search->names->sign < 0 ? -1 : 1;
    for (size_t stride = 0; stride < search->n_parts; stride++)
        for (size_t extent = 1; extent < search->n_parts; extent++)
            for (int turn = 0; turn < 2 && (grids == 0 || (search->parts[extent].grids & grids)); turn++)
                add_ring(search, &search->parts[stride], &search->parts[extent], &search->parts[0],
                         turn == 0 ? first : -first);
}

/* How a loop goes through neighbours. */
struct tour {
    enum grid grid;
    bool last_first, falls;       /* falls: from the last axis to the first */
    bool both;                    /* two trips for each axis: the one before and the next */
    int sign;                     /* of all, or of the second of both */
};

static int tour_axis(const struct tour *tour, int64_t trip)
{
    int dimensions = grid_dimensions(tour->grid), axis = (int)(tour->both ? trip / 2 : trip);
    return tour->falls ? dimensions - 1 - axis : axis;
}

static int tour_sign(const struct tour *tour, int64_t trip)
{
    return tour->both && trip % 2 == 0 ? -tour->sign : tour->sign;
}

static int64_t tour_partner(const struct tour *tour, int64_t trip, int64_t process, int64_t processes)
{
    struct grid_place place;
    grid_place(&place, tour->grid, tour->last_first, process, processes);
    return grid_neighbour(&place, process, tour_axis(tour, trip), tour_sign(tour, trip));
}

static const char *tour_text(struct search *search, const struct tour *tour, const char *loop, int64_t trip,
                             int64_t trips)
{
    const struct fit_names *names = search->names;
    char *here = grid_neighbour_text(tour->grid, tour->last_first, names->procnum, names->numprocs,
                                     tour_axis(tour, trip), tour_sign(tour, trip));
    const char *text = search_text(search, "%s", here);
    free(here);
    return trip == trips - 1 ? text : search_text(search, "(%s == %d ? %s : %s)", loop, (int)trip, text,
                                                  tour_text(search, tour, loop, trip + 1, trips));
}

/* Neighbours in the wanted grid in a loop through its axes, or through both sides of each. */
static void add_tours(struct search *search)
{
    struct tour tour = {.grid = search->names->prefers};
    int first = search->names->sign < 0 ? -1 : 1;
    search->grids = GRID_BIT(tour.grid);
    for (int i = 0; i < search->names->n_loops; i++) {
        int64_t most = 0;
        for (size_t k = 0; k < search->n; k++)
            most = search->samples[k].index[i] > most ? search->samples[k].index[i] : most;
        tour.both = most >= grid_dimensions(tour.grid);
        int64_t trips = grid_dimensions(tour.grid) * (tour.both ? 2 : 1);
        if (most != trips - 1)
            continue;
        for (int way = 0; way < 8; way++) { /* which end of a grid is first is known from its extents, hence the
                                             * order */
            tour.sign = way / 4 == 0 ? first : -first;
            tour.last_first = way / 2 % 2;
            tour.falls = way % 2;
            EACH(tour_partner(&tour, s->index[i], p, P));
            add_whole(search, tour_text(search, &tour, search->names->loop[i], 0, trips));
        }
    }
    search->grids = 0;
}

static struct grid_place place_of(const struct search *search, int64_t process, int64_t processes)
{
    struct grid_place place;
    grid_place(&place, search->names->prefers, search->names->last_first, process, processes);
    return place;
}

/* The next along an axis of the wanted grid, whether or not there is one. */
static int64_t next_of(const struct search *search, int64_t process, int64_t processes, int axis, int sign)
{
    return process + sign * place_of(search, process, processes).stride[axis];
}

/* The next in the direction that is asked for, whether or not there is one. */
static int64_t neighbour_of(const struct search *search, int64_t process, int64_t processes)
{
    int64_t to = process;
    for (int axis = 0; axis < grid_dimensions(search->names->prefers); axis++)
        to += direction_step(search->names->direction, axis) * place_of(search, process, processes).stride[axis];
    return to;
}

static bool at_end(const struct search *search, int64_t process, int64_t processes, int axis, int sign)
{
    struct grid_place place = place_of(search, process, processes);
    return place.at[axis] == (sign > 0 ? place.extent[axis] - 1 : 0);
}

static void add_line(struct search *search, bool law, const char *text)
{
    if (law)
        add(search, &search->laws, &search->n_laws, &search->laws_capacity, text);
    else
        add_whole(search, text);
}

/* Neighbours in the wanted grid that are not in a ring: none at the end, or whoever asks is not at the end. */
static void add_lines(struct search *search, bool laws)
{
    const struct fit_names *names = search->names;
    search->grids = GRID_BIT(names->prefers);
    for (int axis = 0; axis < grid_dimensions(names->prefers); axis++)
        for (int sign = 1; sign >= -1; sign -= 2) {
            char *stride = grid_stride_text(names->prefers, names->last_first, names->numprocs, axis);
            char *line = grid_line_text(names->prefers, names->last_first, names->procnum, names->numprocs, axis, sign,
                                        "MPI_PROC_NULL");
            if (!names->number) {
                EACH(at_end(search, p, P, axis, sign) ? FIT_NULL : next_of(search, p, P, axis, sign));
                add_line(search, laws, search_text(search, "%s", line));
            }
            EACH(next_of(search, p, P, axis, sign));
            add_line(search, laws, search_text(search, "%s%c%s", names->procnum, sign > 0 ? '+' : '-', stride));
            free(stride);
            free(line);
        }
    search->grids = 0;
}

static bool goes_across(int direction)
{
    int axes = 0;
    for (int axis = 0; axis < GRID_DIMENSIONS; axis++)
        axes += direction_step(direction, axis) != 0;
    return axes > 1;
}

/* The neighbour of a message that goes across. */
static void add_across(struct search *search)
{
    const struct fit_names *names = search->names;
    const struct direction_grid in = {names->prefers, names->last_first};
    char *partner = direction_partner_text(&in, names->direction, names->procnum, names->numprocs);
    search->grids = GRID_BIT(names->prefers);
    EACH(neighbour_of(search, p, P));
    add_line(search, true, search_text(search, "%s", partner));
    search->grids = 0;
    free(partner);
}

/* That it has one. */
static void add_across_test(struct search *search)
{
    const struct fit_names *names = search->names;
    const struct direction_grid in = {names->prefers, names->last_first};
    char *exists = direction_exists_text(&in, names->direction, names->procnum, names->numprocs);
    search->grids = GRID_BIT(names->prefers);
    EACH(direction_exists(&in, names->direction, (int)p, (int)P));
    add_test(search, search_text(search, "%s", exists));
    search->grids = 0;
    free(exists);
}

/* Who is at an end of an axis of the wanted grid. */
static void add_ends(struct search *search)
{
    const struct fit_names *names = search->names;
    int first = names->sign > 0 ? 1 : -1;
    search->grids = GRID_BIT(names->prefers);
    for (int axis = 0; axis < grid_dimensions(names->prefers); axis++)
        for (int turn = 0; turn < 2; turn++) {
            int sign = turn == 0 ? first : -first;
            char *at = grid_at_text(names->prefers, names->last_first, names->procnum, names->numprocs, axis);
            char *extent = grid_text(names->prefers, names->numprocs, axis);
            EACH(at_end(search, p, P, axis, sign));
            add_test(search, sign > 0 ? search_text(search, "%s == %s", at, last_text(search, extent)) : search_text(search, "%s == 0", at));
            free(at);
            free(extent);
        }
    search->grids = 0;
}

static bool all_powers(const struct search *search)
{
    for (size_t i = 0; i < search->n; i++)
        if ((search->samples[i].numprocs & (search->samples[i].numprocs - 1)) != 0)
            return false;
    return true;
}

/* The place of a process in the transposed grid of a power of two: as many rows as columns, or pairs of neighbours
 * together where it has twice as many columns. */
static void add_transposed(struct search *search)
{
    const char *p_ = search->names->procnum, *P_ = search->names->numprocs;
    if (!all_powers(search))
        return;
    const char *rows = search_text(search, "round(pow(2, ilog2(%s)/2))", P_);
#define ROWS number_power2(number_log2(P) / 2)
    EACH(number_log2(P) % 2 == 0 ? p % ROWS * ROWS + p / ROWS
                             : 2 * (p / 2 % ROWS * ROWS + p / 2 / ROWS) + p % 2);
#undef ROWS
    add_whole(search, search_text(search, "(ilog2(%s)%%2 == 0 ? %s%%%s*%s + %s/%s : 2*(%s/2%%%s*%s + %s/2/%s) + %s%%2)",
                             P_, p_,
                             rows, rows, p_, rows, p_, rows, rows, p_, rows, p_));
}

/* ---- loops that repeat themselves ---- */

int64_t period_trip(const struct search *search, const struct period *period, size_t place)
{
    const struct fit_sample *sample = &search->beyond[place];
    return sample->index[period->loop] / period->stretch %
           (period->trips == PERIOD_NUMPROCS ? sample->numprocs : period->trips);
}

const char *period_text(struct search *search, const struct period *period)
{
    const char *loop = search->names->loop[period->loop];
    if (period->stretch > 1)
        loop = search_text(search, "%s/%" PRId64, loop, period->stretch);
    return period->trips == PERIOD_NUMPROCS ? search_text(search, "%s%%%s", loop, search->names->numprocs)
                                            : search_text(search, "%s%%%d", loop, (int)period->trips);
}

static void find_periods(struct search *search)
{
    for (int loop = 0; loop < search->names->n_loops; loop++)
        search->n_periods += periods_find(&search->periods[search->n_periods], loop, search->n, search->samples);
}

static void add_periods(struct search *search)
{
    const char *P_ = search->names->numprocs;
    for (int i = 0; i < search->n_periods; i++) {
        const struct period *period = &search->periods[i];
        const char *trip = period_text(search, period);
        EACH(period_trip(search, period, k_)); add_whole(search, trip);
        if (period->trips == PERIOD_NUMPROCS) {
            EACH((p + period_trip(search, period, k_)) % P);
            add_whole(search, search_text(search, "(%s+%s)%%%s", search->names->procnum, trip, P_));
            EACH((P - period_trip(search, period, k_)) % P);
            add_whole(search, search_text(search, "(%s-%s)%%%s", P_, trip, P_));
        }
    }
}

static void add_tests_of_periods(struct search *search)
{
    for (int i = 0; i < search->n_periods; i++) {
        const struct period *period = &search->periods[i];
        for (int k = 0; k < period->n_odd; k++) {
            EACH(period_trip(search, period, k_) == period->odd[k]);
            add_test(search, search_text(search, "%s == %d", period_text(search, period), (int)period->odd[k]));
        }
    }
}

/* ---- whose turn it is ---- */

bool search_has_workers(const struct search *search)
{
    for (size_t i = 0; i < search->n; i++)
        if (search->samples[i].numprocs < 2)
            return false;
    return true;
}

/* Is there one thing at least for each process, wherever it was recorded? */
static bool owners_have(const struct search *search, const struct owner_total *total)
{
    for (size_t i = 0; i < search->n; i++)
        if (owner_total_at(search, total, i) < search->samples[i].numprocs)
            return false;
    return true;
}

/* Calls `add_it` for whom each trip of a loop is about, among all processes but the first `without`: search->work says who. */
static void add_owners_of(struct search *search, int loop, const struct owner_total *total, int without,
                          void (*add_it)(struct search *search, const char *who))
{
    const char *P_ = search->names->numprocs, *E = without > 0 ? search_text(search, "(%s-%d)", P_, without) : P_;
    for (enum owner_kind kind = 0; kind < OWNER_KINDS; kind++) {
        EACH(owner_of(kind, s->index[loop], owner_total_at(search, total, k_), P - without) + without);
        const char *who = owner_text(search, kind, search->names->loop[loop], total->text, E);
        add_it(search, without > 0 ? search_text(search, "%s+%d", who, without) : who);
    }
}

/* Among all, and among the workers of process 0. */
static void add_owners(struct search *search, int loop, void (*add_it)(struct search *search, const char *who))
{
    struct owner_total totals[OWNER_TOTALS];
    const int n = owner_totals(search, loop, totals);
    for (int without = 0; without <= search_has_workers(search); without++)
        for (int i = 0; i < n; i++)
            if (owners_have(search, &totals[i]))
                add_owners_of(search, loop, &totals[i], without, add_it);
}

/* Itself; and of what comes to a process behind his own turn. */
static void add_owner(struct search *search, const char *who)
{
    add_whole(search, who);
    for (size_t i = 0; i < search->m; i++)
        search->work[i] += search->beyond[i].procnum + 1;
    add_whole(search, search_text(search, "%s+1+%s", search->names->procnum, who));
}

static void add_owner_test(struct search *search, const char *who)
{
    for (size_t i = 0; i < search->m; i++)
        search->work[i] = search->work[i] == search->beyond[i].procnum;
    add_test(search, search_text(search, "%s == %s", who, search->names->procnum));
}

/* Of two loops within each other that are one: all processes, or the workers of process 0, in each trip of the outer one. */
static void add_rounds(struct search *search, int loop)
{
    const char *P_ = search->names->numprocs, *t = search->names->loop[loop];
    for (int without = search_has_workers(search); without >= 0; without--) {
        const char *E = without ? search_text(search, "(%s-1)", P_) : P_;
#define E_IS (P - without > 0 ? P - without : 1)
        EACH(s->index[loop] / E_IS); add_whole(search, search_text(search, "%s/%s", t, E));
        EACH(s->index[loop] % E_IS); add_whole(search, search_text(search, "%s%%%s", t, E));
        EACH(s->index[loop] % E_IS + 1); add_whole(search, search_text(search, "%s%%%s+1", t, E));
        if (without) {
            EACH(s->index[loop] % E_IS + (s->index[loop] % E_IS >= p));
            add_whole(search, search_text(search, "(%s%%%s < %s ? %s%%%s : %s%%%s+1)", t, E, search->names->procnum, t, E, t, E));
        }
#undef E_IS
    }
}

static void add_log(struct search *search)
{
    EACH(number_log2(P)); add_whole(search, search_text(search, "ilog2(%s)", search->names->numprocs));
}

/* Of processes and loops alone. */
static void add_plain(struct search *search)
{
    const char *p_ = search->names->procnum, *P_ = search->names->numprocs;
    EACH(p); add_whole(search, p_);
    if (all_powers(search))
        add_log(search);
    for (int up = 1; up >= 0; up--) {
        EACH((number_log2(P) + up) / 2); add_whole(search, search_text(search, "(ilog2(%s)+%d)/2", P_, up));
    }
    for (int up = 2; up >= 0; up--) {
        EACH((number_log2(P) + up) / 3); add_whole(search, search_text(search, "(ilog2(%s)+%d)/3", P_, up));
    }
    EACH(P - 1); add_whole(search, search_text(search, "%s-1", P_));
    EACH(P - 2); add_whole(search, search_text(search, "%s-2", P_));
    EACH(P - 1 - p); add_whole(search, search_text(search, "%s-1-%s", P_, p_));
    for (int i = 0; i < search->names->n_loops; i++) {
        const char *name = search->names->loop[i];
        EACH(s->index[i]); add_whole(search, name);
        EACH(P - 1 - s->index[i]); add_whole(search, search_text(search, "%s-1-%s", P_, name));
        EACH(s->index[i] + 1); add_whole(search, search_text(search, "%s+1", name));
        EACH(s->index[i] < p ? s->index[i] : s->index[i] + 1);
        add_whole(search, search_text(search, "(%s < %s ? %s : %s+1)", name, p_, name, name));
    }
    add_periods(search);
}

/* The partner, the place and the neighbours of a process among as many as the part says, or in rows of so many. */
static void add_within(struct search *search, const struct candidate *part)
{
    const char *p_ = search->names->procnum, *P_ = search->names->numprocs, *t = part->text;
    search->grids = part->grids;
    EACH(p / AT(*part) % 2 == 0 ? p + AT(*part) : p - AT(*part));
    add_whole(search, search_text(search, "(%s%%2 == 0 ? %s+%s : %s-%s)", over_text(search, t), p_, t, p_, t));
    EACH(p % AT(*part)); add_whole(search, search_text(search, "%s%%%s", p_, t));
    EACH(p / AT(*part)); add_whole(search, search_text(search, "%s/%s", p_, t));
    EACH(p / AT(*part) * AT(*part));
    add_whole(search, search_text(search, "%s/%s*%s", p_, t, t));
    EACH(p - p % AT(*part) + AT(*part) - 1 - p % AT(*part));
    add_whole(search, search_text(search, "%s/%s*%s + %s - %s%%%s", p_, t, t, last_text(search, t), p_, t));
    EACH(p % AT(*part) * (P / AT(*part)) + p / AT(*part));
    add_whole(search, search_text(search, "%s%%%s*(%s/%s) + %s/%s", p_, t, P_, t, p_, t));
    EACH(2 * (p / 2 % AT(*part) * AT(*part) + p / 2 / AT(*part)) + p % 2);
    add_whole(search, search_text(search, "2*(%s/2%%%s*%s + %s/2/%s) + %s%%2", p_, t, t, p_, t, p_));
}

/* As many further on as a loop has gone round, itself first: for (i = 0; ...) MPI_Isend(to (rank + i) % size). */
static void add_trips_on(struct search *search, int first)
{
    const char *p_ = search->names->procnum;
    for (int i = 0; i < search->names->n_loops; i++) {
        const char *name = search->names->loop[i];
        EACH(s->index[i]);
        const struct candidate trip = new_candidate(search, name);
        for (int turn = 0; turn < 2; turn++) {
            const int sign = turn == 0 ? first : -first;
            EACH(p + sign * s->index[i]);
            add_whole(search, search_text(search, "%s%s%s", p_, sign > 0 ? "+" : "-", name));
            add_ring(search, &search->parts[0], &search->parts[1], &trip, sign);
        }
    }
    search->grids = 0;
}

/* Whom a loop comes to in so many processes as the part says: the second half, the members of one's own row or column of so
 * many, the first of each row. */
static void add_members(struct search *search, const struct candidate *part)
{
    const char *p_ = search->names->procnum, *t = part->text;
    bool same = true; /* as a number, of which there are lines */
    for (size_t i = 1; i < search->n; i++)
        same = same && part->value[i] == part->value[0];
    search->grids = part->grids;
    for (int i = 0; i < search->names->n_loops; i++) {
        const char *name = search->names->loop[i];
        if (!same) {
            EACH(AT(*part) + s->index[i]); add_whole(search, search_text(search, "%s+%s", t, name));
            EACH(s->index[i] * AT(*part)); add_whole(search, search_text(search, "%s*%s", name, t));
        }
        EACH(p / AT(*part) * AT(*part) + s->index[i]);
        add_whole(search, search_text(search, "%s/%s*%s + %s", p_, t, t, name));
        EACH(s->index[i] * AT(*part) + p % AT(*part));
        add_whole(search, search_text(search, "%s*%s + %s%%%s", name, t, p_, t));
        EACH((p / AT(*part) + s->index[i]) % AT(*part)); /* along the row: the diagonal, and further on */
        add_whole(search, search_text(search, "(%s/%s+%s)%%%s", p_, t, name, t));
    }
    search->grids = 0;
}

/* ---- binomial trees ---- */

const char *search_low_reach(struct search *search)
{
    const char *p_ = search->names->procnum;
    return search_text(search, "lowbit(%s, 2*(%s-%s)-1)", p_, search->names->numprocs, p_);
}

static void add_tree_partners(struct search *search)
{
    const char *p_ = search->names->procnum, *P_ = search->names->numprocs;
    EACH(p - value_lowbit(p, P)); add_whole(search, search_text(search, "%s-lowbit(%s, %s)", p_, p_, P_));
    EACH(p - binomial_step(p) / 2); add_whole(search, search_text(search, "%s-round(pow(2, ilog2(2*%s+1)))/2", p_, p_));
    for (int i = 0; i < search->names->n_loops; i++) {
        const char *name = search->names->loop[i];
        EACH(p + number_halved(binomial_reach(p, P) / 2, s->index[i]));
        add_whole(search, search_text(search, "%s+%s/2/round(pow(2, %s))", p_, search_low_reach(search), name));
        EACH(p + number_power2(number_log2(2 * p + 1) + s->index[i]));
        add_whole(search, search_text(search, "%s+round(pow(2, ilog2(2*%s+1)+%s))", p_, p_, name));
    }
}

/* How many a process sends to. */
static void add_tree_counts(struct search *search)
{
    const char *p_ = search->names->procnum, *P_ = search->names->numprocs;
    EACH(number_log2(binomial_reach(p, P))); add_whole(search, search_text(search, "ilog2(%s)", search_low_reach(search)));
    EACH(number_log2(2 * ((P - 1 - p) / binomial_step(p)) + 1));
    add_whole(search, search_text(search, "ilog2(2*((%s-1-%s)/round(pow(2, ilog2(2*%s+1))))+1)", P_, p_, p_));
}

static void add_tree_tests(struct search *search)
{
    const char *p_ = search->names->procnum, *P_ = search->names->numprocs;
    EACH(binomial_reach(p, P) > 1); add_test(search, search_text(search, "%s > 1", search_low_reach(search)));
    EACH(p + binomial_step(p) < P);
    add_test(search, search_text(search, "%s+round(pow(2, ilog2(2*%s+1))) < %s", p_, p_, P_));
}

/* In the line of all that is no ring. */
static void add_neighbours(struct search *search)
{
    const char *p_ = search->names->procnum, *P_ = search->names->numprocs;
    if (search->names->number)
        return;
    search->grids = 0;
    EACH(p == P - 1 ? FIT_NULL : p + 1); add_whole(search, search_text(search, "(%s == %s-1 ? MPI_PROC_NULL : %s+1)", p_, P_, p_));
    EACH(p == 0 ? FIT_NULL : p - 1); add_whole(search, search_text(search, "(%s == 0 ? MPI_PROC_NULL : %s-1)", p_, p_));
}

void search_make_wholes(struct search *search)
{
    const char *p_ = search->names->procnum;
    struct candidate *parts = search->parts;
    size_t n = search->n_parts;
    int first = search->names->sign < 0 ? -1 : 1;
    add_plain(search);
    for (size_t d = 0; d < n; d++) {
        search->grids = parts[d].grids;
        EACH(AT(parts[d])); add_whole(search, parts[d].text);
        EACH(AT(parts[d]) - 1); add_whole(search, last_text(search, parts[d].text));
    }
    search->grids = 0;
    if (!all_powers(search)) /* a tree among 9 has as many steps as among 16, so that an extent of a grid is likelier */
        add_log(search);
    add_lines(search, false);
    for (size_t d = 0; d < n; d++)
        for (int turn = 0; turn < 2; turn++) {
            int sign = turn == 0 ? first : -first;
            search->grids = parts[d].grids;
            EACH(p + sign * AT(parts[d]));
            add_whole(search, search_text(search, "%s%s%s", p_, sign > 0 ? "+" : "-", parts[d].text));
        }
    for (size_t d = 0; d < n; d++)
        for (int turn = 0; turn < 2; turn++)
            add_ring(search, &parts[0], &parts[1], &parts[d], turn == 0 ? first : -first);
    add_trips_on(search, first);
    add_tours(search);
    add_rings(search, GRID_BIT(search->names->prefers));
    search->grids = 0;
    add_transposed(search);
    for (size_t d = 0; d < n; d++)
        add_within(search, &parts[d]);
    for (size_t d = 2; d < n; d++) /* of 1 and of all there are the trips themselves */
        add_members(search, &parts[d]);
    add_rings(search, 0);
    search->grids = 0;
    EACH((p - 1) / 2); add_whole(search, search_text(search, "(%s-1)/2", p_));
    EACH(2 * p + 1); add_whole(search, search_text(search, "2*%s+1", p_));
    EACH(2 * p + 2); add_whole(search, search_text(search, "2*%s+2", p_));
    add_neighbours(search);
    for (int loop = search->names->n_loops - 1; loop >= 0; loop--) {
        add_rounds(search, loop);
        add_owners(search, loop, add_owner);
    }
    if (search->names->number)
        add_tree_counts(search);
    else
        add_tree_partners(search);
}

/* Is a process the first or last of so many, or in the first or last row of so many? The one that the sign prefers is
 * asked first. */
static void add_tests_of(struct search *search, const struct candidate *part)
{
    const char *p_ = search->names->procnum, *P_ = search->names->numprocs, *t = part->text;
    search->grids = part->grids;
    for (int turn = 0; turn < 2; turn++)
        if ((turn == 0) == (search->names->sign <= 0)) {
            EACH(p % AT(*part) == 0); add_test(search, search_text(search, "%s%%%s == 0", p_, t));
        } else {
            EACH(p % AT(*part) == AT(*part) - 1); add_test(search, search_text(search, "%s%%%s == %s", p_, t, last_text(search, t)));
        }
    for (int turn = 0; turn < 2; turn++)
        if ((turn == 0) == (search->names->sign <= 0)) {
            EACH(p / AT(*part) == 0); add_test(search, search_text(search, "%s < %s", p_, t));
        } else {
            EACH(p >= P - AT(*part)); add_test(search, search_text(search, "%s >= %s-%s", p_, P_, t));
        }
    if (part != search->parts) { /* procnum%2 stands where the part 2 does */
        EACH(p / AT(*part) % 2 == 0); add_test(search, search_text(search, "%s/%s%%2 == 0", p_, t));
    }
    for (int64_t c = 1; c < 4; c++) {
        EACH(p % AT(*part) == c);
        add_test(search, strcmp(t, P_) == 0 ? search_text(search, "%s == %d", p_, (int)c)
                                            : search_text(search, "%s%%%s == %d", p_, t, (int)c));
    }
}

/* Likewise in a grid of a x b. */
static void add_tests_of_two(struct search *search, const struct candidate *a, const struct candidate *b)
{
    const char *p_ = search->names->procnum;
    search->grids = a->grids | b->grids;
    for (int turn = 0; turn < 2; turn++)
        if ((turn == 0) == (search->names->sign <= 0)) {
            EACH(p / AT(*a) % AT(*b) == 0);
            add_test(search, search_text(search, "%s/%s%%%s == 0", p_, a->text, b->text));
        } else {
            EACH(p / AT(*a) % AT(*b) == AT(*b) - 1);
            add_test(search, search_text(search, "%s/%s%%%s == %s", p_, a->text, b->text, last_text(search, b->text)));
        }
}

/* Which process, lap or number of processes is it, of the few that are named by a number? */
static void add_tests_of_numbers(struct search *search)
{
    const char *p_ = search->names->procnum, *P_ = search->names->numprocs;
    int64_t most = 0;
    for (size_t i = 0; i < search->n; i++)
        most = search->samples[i].numprocs > most ? search->samples[i].numprocs : most;
    for (int64_t c = 1; c < most && c < 4; c++) {
        EACH(p == c); add_test(search, search_text(search, "%s == %d", p_, (int)c));
    }
    for (int i = 0; i < search->names->n_loops; i++)
        for (int64_t c = 1; c < 4; c++) {
            EACH(s->index[i] < c); add_test(search, search_text(search, "%s < %d", search->names->loop[i], (int)c));
            EACH(s->index[i] == c); add_test(search, search_text(search, "%s == %d", search->names->loop[i], (int)c));
        }
    for (int i = 0; i < search->names->n_loops; i++) { /* in turn with one side and the other */
        EACH((p + s->index[i]) % 2 == 0);
        add_test(search, search_text(search, "(%s+%s)%%2 == 0", p_, search->names->loop[i]));
    }
    EACH(number_log2(P) % 2 == 0); add_test(search, search_text(search, "ilog2(%s)%%2 == 0", P_));
    for (int64_t c = 1; 2 * c <= most; c *= 2) {
        EACH(P > c); add_test(search, search_text(search, "%s > %d", P_, (int)c));
    }
}

void search_make_tests(struct search *search)
{
    const char *p_ = search->names->procnum, *P_ = search->names->numprocs;
    const struct candidate *parts = search->parts;
    size_t n = search->n_parts;
    if (search->names->in_line && goes_across(search->names->direction))
        add_across_test(search);
    if (search->names->in_line)
        add_ends(search);
    EACH(p == 0); add_test(search, search_text(search, "%s == 0", p_));
    EACH(p == P - 1); add_test(search, search_text(search, "%s == %s-1", p_, P_));
    for (int i = 0; i < search->names->n_loops; i++) {
        const char *name = search->names->loop[i];
        EACH(s->index[i] == 0); add_test(search, search_text(search, "%s == 0", name));
        EACH(p <= s->index[i]); add_test(search, search_text(search, "%s <= %s", p_, name));
        EACH(p > s->index[i]); add_test(search, search_text(search, "%s > %s", p_, name));
        EACH(s->index[i] == P - 2); add_test(search, search_text(search, "%s == %s-2", name, P_));
    }
    add_ends(search);
    for (size_t a = 0; a < n; a++)
        add_tests_of(search, &parts[a]);
    for (size_t a = 1; a < n; a++)
        for (size_t b = 1; b < n; b++)
            add_tests_of_two(search, &parts[a], &parts[b]);
    search->grids = 0;
    add_tests_of_numbers(search);
    add_tests_of_periods(search);
    for (int loop = search->names->n_loops - 1; loop >= 0; loop--) {
        EACH(s->index[loop] % P == p);
        add_test(search, search_text(search, "%s%%%s == %s", search->names->loop[loop], P_, p_));
        EACH((s->index[loop] + 1) % P == p); /* whose turn is next */
        add_test(search, search_text(search, "(%s+1)%%%s == %s", search->names->loop[loop], P_, p_));
        add_owners(search, loop, add_owner_test);
    }
    add_tree_tests(search);
}

/* ---- begin and end ---- */

static void make_laws(struct search *search)
{
    const struct fit_names *names = search->names;
    for (size_t i = 0; i < names->n_laws; i++) {
        const struct box_law *law = &names->laws[i];
        char *text = box_law_text(law, names->procnum, names->numprocs);
        search->grids = GRID_BIT(law->grid);
        EACH((int64_t)round(box_law_size(law, p, P)));
        add(search, &search->laws, &search->n_laws, &search->laws_capacity, search_text(search, "%s", text));
        free(text);
    }
    search->grids = 0;
}

void search_begin(struct search *search, size_t n, const struct fit_sample samples[],
                        const struct fit_names *names, struct arena *memory)
{
    *search = (struct search){.n = n, .samples = samples, .names = names, .memory = memory};
    beyond_make(search);
    search->work = alloc_array(search->m + 1, sizeof *search->work);
}

void search_make_parts(struct search *search)
{
    find_periods(search);
    make_parts(search);
    make_laws(search);
    if (search->names->in_line && !search->names->number && goes_across(search->names->direction))
        add_across(search);
    if (search->names->in_line && !search->names->number)
        add_lines(search, true);
}

void search_end(struct search *search)
{
    free(search->parts);
    free(search->wholes);
    free(search->tests);
    free(search->laws);
    free(search->slopes);
    free(search->places);
    free(search->quantities);
    free(search->work);
    free(search->beyond);
    free(search->place);
    free(search->cheaper);
}
