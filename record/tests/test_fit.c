#include "record/fit/fit_terms.h"
#include "record/proof.h"
#include "record/tests/fitted.h"

#include <math.h>
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static int64_t five(int p, int P, int64_t i) { return p - p + P - P + i - i + 5; }
static int64_t right(int p, int P, int64_t i) { return (p + 1) % P + i - i; }
static int64_t left(int p, int P, int64_t i) { return (p + P - 1) % P + i - i; }
static int64_t right_open(int p, int P, int64_t i) { return p == P - 1 ? FIT_NULL : p + 1 + i - i; }
static int64_t shift(int p, int P, int64_t i) { return (p + i + 1) % P; }
static int64_t butterfly(int p, int P, int64_t i) { return (p ^ (1 << i)) + P - P; }
static int64_t share(int p, int P, int64_t i) { return 24000 / P + p - p + i - i; }
static int64_t square(int p, int P, int64_t i) { return 64 * 1024 / P / P + p - p + i - i; }
static int64_t pairs(int p, int P, int64_t i) { return P * (P - 1) / 2 * 3 + p - p + i - i; }

static void formulas_are_found(void **state)
{
    (void)state;
    expect(five, 1, "5");
    expect(right, 1, "(p+1)%P");
    expect(left, 1, "(p+P-1)%P");
    expect(right_open, 1, "(p == P-1 ? MPI_PROC_NULL : p+1)");
    expect(shift, 1, "(p+1)%P");
    expect(share, 1, "round(24000.0/P)");
    expect(square, 1, "round(65536.0/P/P)");
    expect(butterfly, 1, "(p%2 == 0 ? p+1 : p-1)");
}

/* A side of a grid: 48 points cut along its rows, and one more row. */
static int64_t side(int p, int P, int64_t i) { return (p - p + i - i + 48 / P + 1) * 8; }
static int64_t columns(int p, int P, int64_t i) { return (P < 4 ? FIT_NULL : 96 / (P / 2)) + p - p + i - i; }
static int64_t one_count(int p, int P, int64_t i) { return P < 4 ? 17 : P < 8 ? 90 + i - i : p < 4 ? 31 : 36; }

/* Where formulas differ beyond the recorded counts, the other one is told; the call's own grid decides between them. */
static void other_formulas_are_told(void **state)
{
    (void)state;
    struct fit_sample samples[14 * 4];
    struct arena memory = ARENA_EMPTY;
    struct fit_other other;
    size_t n = samples_of(side, 1, samples);
    assert_string_equal(fit_value(n, samples, &names, &other, &memory), "round(8 + 384.0/P)");
    assert_non_null(other.text);
    assert_int_equal(other.beyond, 16);
    n = samples_of(five, 1, samples);
    assert_non_null(fit_value(n, samples, &names, &other, &memory));
    assert_null(other.text);
    struct fit_names grid = names;
    grid.grids = GRID_BIT(GRID_2);
    n = samples_of(columns, 1, samples);
    assert_non_null(strstr(fit_value(n - 2, samples + 2, &grid, &other, &memory), "dims_create(P, 2, 0)"));
    assert_non_null(strstr(fit_value(n - 2, samples + 2, &names, &other, &memory), "/P)"));
    arena_free(&memory);
}

/* A condition that only tells one count from the others is a table. */
static void conditions_need_two_counts(void **state)
{
    (void)state;
    struct fit_sample samples[14 * 4];
    struct arena memory = ARENA_EMPTY;
    assert_null(fit_value(samples_of(one_count, 1, samples), samples, &names, NULL, &memory));
    arena_free(&memory);
}

/* A value that no formula gives is not given one. */
static void no_formula_is_none(void **state)
{
    (void)state;
    struct fit_sample samples[14 * 4];
    struct arena memory = ARENA_EMPTY;
    size_t n = samples_of(pairs, 1, samples);
    for (size_t i = 0; i < n; i++)
        samples[i].value += (int64_t)(i * 2654435761U % 1000);
    assert_null(fit_value(n, samples, &names, NULL, &memory));
    arena_free(&memory);
}

/* One formula for each trip, where all counts have had all trips. */
static int64_t levels(int p, int P, int64_t i)
{
    return i == 0 ? 24000 / P : i == 1 ? 640 / P / P : i == 2 ? 17 : p + 3;
}
static void trips_have_formulas_of_their_own(void **state)
{
    (void)state;
    struct fit_sample samples[14 * 4];
    struct arena memory = ARENA_EMPTY;
    expect(levels, 4, "(i == 0 ? round(24000.0/P) : (i == 1 ? round(640.0/P/P) : (i == 2 ? 17 : p+3)))");
    size_t n = samples_of(levels, 4, samples), kept = 0;
    for (size_t i = 0; i < n; i++)
        if (samples[i].index[0] != 1 || samples[i].numprocs > 2)
            samples[kept++] = samples[i];
    assert_null(fit_value(kept, samples, &names, NULL, &memory));
    arena_free(&memory);
}

/* Two places do not prove two numbers. */
static void two_counts_give_one_number(void **state)
{
    (void)state;
    struct arena memory = ARENA_EMPTY;
    struct fit_sample samples[] = {{.numprocs = 2, .value = 1017}, {.numprocs = 4, .recording = 1, .value = 517},
                                   {.numprocs = 2, .procnum = 1, .value = 1017},
                                   {.numprocs = 4, .procnum = 3, .recording = 1, .value = 517}};
    const char *found = fit_value(4, samples, &names, NULL, &memory);
    assert_true(!found || !strstr(found, "17 + 2000"));
    arena_free(&memory);
}

static void conditions_are_found(void **state)
{
    (void)state;
    struct arena memory = ARENA_EMPTY;
    struct fit_sample samples[14];
    size_t n = samples_of(five, 1, samples);
    for (size_t i = 0; i < n; i++)
        samples[i].value = samples[i].procnum % 2 == 0 && samples[i].procnum != 0;
    struct fit_names halves = names;
    halves.prefers = GRID_HALVES;
    assert_string_equal(fit_condition(n, samples, &halves, NULL, NULL, &memory), "!(p == 0) && (p%2 == 0)");
    for (size_t i = 0; i < n; i++)
        samples[i].value = samples[i].procnum != samples[i].numprocs - 1;
    assert_string_equal(fit_condition(n, samples, &names, NULL, NULL, &memory), "!(p == P-1)");
    arena_free(&memory);
}

/* Row by row in turn, who has the next row does something else with this one. */
static void the_next_turn_is_found(void **state)
{
    (void)state;
    struct arena memory = ARENA_EMPTY;
    struct fit_sample samples[14 * 4];
    size_t n = samples_of(five, 4, samples);
    for (size_t i = 0; i < n; i++)
        samples[i].value = (samples[i].index[0] + 1) % samples[i].numprocs != samples[i].procnum;
    assert_string_equal(fit_condition(n, samples, &names, NULL, NULL, &memory), "!((i+1)%P == p)");
    arena_free(&memory);
}

static int64_t two_wide(int p, int P, int64_t i) { return p % 2 + P - P + i - i; }

/* The wanted grid decides; another one is told with the counts that tell them apart, but only where processes come. */
static void the_wanted_grid_decides(void **state)
{
    (void)state;
    struct arena memory = ARENA_EMPTY;
    struct fit_sample samples[14];
    struct fit_names grid = names;
    struct fit_other other;
    size_t n = samples_of(two_wide, 1, samples);
    assert_string_equal(fit_value(n, samples, &names, &other, &memory), "p%2");
    assert_string_equal(other.text, "p%dims_create(P, 3, 0)");
    assert_int_equal(other.beyond, 16);
    assert_int_equal(other.cheaper, 6);
    grid.prefers = GRID_3;
    assert_string_equal(fit_value(n, samples, &grid, &other, &memory), "p%dims_create(P, 3, 0)");
    assert_string_equal(other.text, "p%2");

    struct fit_places places;
    fit_places_make(&places, 3, (const int[]){2, 4, 8});
    unsigned char *inside = alloc_zeroed(places.n, 1), *come = alloc_zeroed(places.n, 1);
    for (size_t i = 0; i < places.n; i++)
        inside[i] = places.list[i].procnum < 2; /* whatever is two wide is three wide there */
    grid.places = &places;
    grid.inside = inside;
    assert_non_null(fit_value(n, samples, &grid, &other, &memory));
    assert_null(other.text);
    for (size_t i = 0; i < n; i++)
        samples[i].value = samples[i].procnum == 0;
    assert_string_equal(fit_condition(n, samples, &grid, &other, come, &memory), "p == 0");
    for (size_t i = 0; i < places.n; i++)
        assert_int_equal(come[i], places.list[i].procnum == 0);

    struct fit_sample sides[] = {{.numprocs = 4, .value = 300}, {.numprocs = 6, .recording = 1, .value = 300},
                                 {.numprocs = 12, .recording = 2, .value = 200}};
    assert_string_equal(fit_value(3, sides, &names, &other, &memory), "round(600.0/dims_create(P, 2, 1))");
    assert_string_equal(other.text, "any law through the two values of dims_create(P, 2, 1) that were seen");
    free(inside);
    free(come);
    fit_places_free(&places);
    arena_free(&memory);
}

/* The one before along axis i of 2 x 1 x 1, 2 x 2 x 1 and 2 x 2 x 2. */
static int64_t before(int p, int P, int64_t i)
{
    struct grid_place place;
    grid_place(&place, GRID_3, false, p, P);
    return grid_neighbour(&place, p, (int)i, -1);
}

/* Where two along an axis do not tell the one before from the next, the sign does; the other is told. */
static void loops_go_through_axes(void **state)
{
    (void)state;
    struct arena memory = ARENA_EMPTY;
    struct fit_sample samples[14 * 3];
    struct fit_names grid = names;
    struct fit_other other;
    size_t n = samples_of(before, 3, samples);
    grid.prefers = GRID_3;
    for (int sign = -1; sign <= 1; sign += 2) {
        grid.sign = sign;
        const char *found = fit_value(n, samples, &grid, &other, &memory);
        char *expected = alloc_format("(i == 0 ? p + ((p%%dims_create(P, 3, 0)+dims_create(P, 3, 0)%c1)%%dims_create(P, 3, 0) - "
                                      "p%%dims_create(P, 3, 0))*1 : ", sign > 0 ? '+' : '-');
        assert_memory_equal(found, expected, strlen(expected));
        assert_int_equal(other.grids, GRID_BIT(GRID_3));
        assert_non_null(strchr(other.text, sign > 0 ? '-' : '+'));
        assert_int_equal(other.beyond, 16);
        free(expected);
    }
    arena_free(&memory);
}

/* Of a torus of squares: one row on and one column back, and two back, which is nobody's neighbour. */
static int64_t on_torus(int p, int side, int down, int right)
{
    return (p / side + side + down) % side * side + (p % side + side + right) % side;
}

static void corners_of_a_torus_are_known(void **state)
{
    (void)state;
    struct arena memory = ARENA_EMPTY;
    struct fit_sample samples[4 + 9 + 16];
    struct fit_names grid = names;
    grid.n_loops = 0;
    for (int right = -1; right >= -2; right--) {
        size_t n = 0;
        for (int side = 2; side <= 4; side++)
            for (int p = 0; p < side * side; p++)
                samples[n++] = (struct fit_sample){.procnum = p, .numprocs = side * side, .recording = side - 2,
                                                   .value = on_torus(p, side, 1, right)};
        const char *found = fit_value(n, samples, &grid, NULL, &memory);
        assert_true(right == -1 ? found && strstr(found, "dims_create") : !found);
    }
    arena_free(&memory);
}

static int64_t in_last(int p, int P, int64_t i) { return i == 3 * P - 1 && p < P; }
static int64_t tag_of_last(int p, int P, int64_t i) { return in_last(p, P, i) ? 7 : 5; }

/* What the last trip of a loop alone does, where the loop's formula is known. */
static void last_trips_are_known(void **state)
{
    (void)state;
    static const char *const trips[] = {"3*P"};
    struct arena memory = ARENA_EMPTY;
    struct fit_sample samples[14 * 24];
    struct fit_names of = names;
    size_t n = 0, kept;
    for (int turn = 0; turn < 2; turn++, n = 0) {
        kept = samples_of(turn == 0 ? in_last : tag_of_last, 24, samples);
        for (size_t i = 0; i < kept; i++) {
            samples[i].trips[0] = 3 * samples[i].numprocs;
            if (samples[i].index[0] < samples[i].trips[0])
                samples[n++] = samples[i];
        }
        of.trips = NULL;
        assert_null(turn == 0 ? fit_condition(n, samples, &of, NULL, NULL, &memory) : fit_value(n, samples, &of, NULL, &memory));
        of.trips = trips;
        assert_string_equal(turn == 0 ? fit_condition(n, samples, &of, NULL, NULL, &memory)
                                      : fit_value(n, samples, &of, NULL, &memory),
                            turn == 0 ? "i == 3*P-1" : "(i == 3*P-1 ? 7 : 5)");
    }
    arena_free(&memory);
}

static int64_t twice_less_one(int p, int P, int64_t i) { return 2 * P - 1 + p - p + i - i; }
static int64_t twice_trips(int p, int P, int64_t i) { return 2 * (P - 1) + p - p + i - i; }
static int64_t seven_in_last(int p, int P, int64_t i) { return i == P - 2 ? 7 : p - p; }

/* How often a loop goes round is meant where its last trip is named, and nowhere else: not where the same letters are a part of another
 * text, or a parameter of another function has that name. */
static void trips_are_no_other_text(void **state)
{
    (void)state;
    static const char *const less[] = {"P-1"}, *const named[] = {"N"};
    static const int64_t seven[] = {7, 7, 7}, *const sevens[] = {seven};
    struct fit_sample samples[14 * 8];
    struct fit_names of = names;
    size_t n = samples_of(twice_less_one, 1, samples);
    of.trips = less;
    for (size_t i = 0; i < n; i++)
        samples[i].trips[0] = samples[i].numprocs - 1;
    assert_true(proof_holds("2*P-1", false, n, samples, &of));
    assert_true(proof_holds("(i == 2*P-1 ? 7 : 2*P-1)", false, n, samples, &of));
    n = samples_of(twice_trips, 1, samples);
    assert_false(proof_holds("2*P-1", false, n, samples, &of));
    n = samples_of(seven_in_last, 8, samples);
    of.trips = named;
    of.n_params = 1;
    of.param = named;
    of.values = sevens;
    for (size_t i = 0; i < n; i++)
        samples[i].trips[0] = samples[i].numprocs - 1;
    assert_true(proof_holds("(p >= 0 && i == N-1 ? N : 0)", false, n, samples, &of));
    assert_true(proof_holds("(i == N-1 && p >= 0 ? N : N%7)", false, n, samples, &of));
    assert_false(proof_holds("(p-i == N-1 ? N : 0)", false, n, samples, &of));
    assert_false(proof_holds("(i == N-1+1 ? N : 0)", false, n, samples, &of));
}

static int64_t in_hundredth(int p, int P, int64_t i) { return i == 99 && p < P; }

/* A trip that alone does something, which comes too late to be one of the few that are always tried. */
static void single_trips_are_known(void **state)
{
    (void)state;
    enum { TRIPS = 120 };
    struct arena memory = ARENA_EMPTY;
    struct fit_sample *samples = alloc_array(14 * TRIPS, sizeof *samples);
    const size_t n = samples_of(in_hundredth, TRIPS, samples);
    struct fit_names of = names;
    struct fit_other other;
    of.counts = (const int[]){2, 4, 8};
    assert_string_equal(fit_condition(n, samples, &of, &other, NULL, &memory), "i == 99");
    assert_null(other.unconfirmed);
    free(samples);
    arena_free(&memory);
}

static int64_t next_in_line(int p, int P, int64_t i)
{
    struct grid_place place;
    (void)i;
    grid_place(&place, GRID_3, true, p, P);
    return place.at[0] == place.extent[0] - 1 ? FIT_NULL : p + place.stride[0];
}

/* The first of three axes, where the last one is that of neighbours in number. */
static void lines_end(void **state)
{
    (void)state;
    struct arena memory = ARENA_EMPTY;
    struct fit_sample samples[14];
    struct fit_names grid = names;
    struct fit_other other;
    size_t n = samples_of(next_in_line, 1, samples);
    grid.prefers = GRID_3;
    grid.last_first = true;
    assert_string_equal(fit_value(n, samples, &grid, &other, &memory),
                        "(p/(dims_create(P, 3, 2)*dims_create(P, 3, 1))%dims_create(P, 3, 0) == dims_create(P, 3, 0)-1 ? "
                        "MPI_PROC_NULL : p+(dims_create(P, 3, 2)*dims_create(P, 3, 1)))");
    for (size_t i = 0; i < n; i++)
        samples[i].value = samples[i].value != FIT_NULL;
    grid.sign = 1;
    assert_string_equal(fit_condition(n, samples, &grid, &other, NULL, &memory),
                        "!(p/(dims_create(P, 3, 2)*dims_create(P, 3, 1))%dims_create(P, 3, 0) == dims_create(P, 3, 0)-1)");
    arena_free(&memory);
}

/* A message of a corner goes across three axes; a wait for it does not say which way. */
static void corners_ask_for_three_ends(void **state)
{
    (void)state;
    struct arena memory = ARENA_EMPTY;
    struct fit_sample samples[8 + 27];
    struct fit_names grid = names;
    size_t n = 0;
    grid.n_loops = 0;
    grid.number = true;
    grid.prefers = GRID_3;
    for (int side = 2; side <= 3; side++)
        for (int p = 0; p < side * side * side; p++, n++)
            samples[n] = (struct fit_sample){.procnum = p, .numprocs = side * side * side, .recording = side - 2,
                                             .value = p % side > 0 && p / side % side < side - 1 && p / side / side > 0};
    assert_string_equal(fit_condition(n, samples, &grid, NULL, NULL, &memory),
                        "p%dims_create(P, 3, 0) > 0 && p/(dims_create(P, 3, 0))%dims_create(P, 3, 1) < dims_create(P, 3, 1)-1 && "
                        "p/(dims_create(P, 3, 0)*dims_create(P, 3, 1))%dims_create(P, 3, 2) > 0");
    arena_free(&memory);
}

/* Who is above in a grid; 0 for the first column, and 1 for who has nobody. */
static int64_t below(int p, int P, int64_t i)
{
    int rows = P < 8 ? 2 : 4;
    return (p % rows == 0 ? 0 : p < rows ? 1 : p - rows) + i - i;
}

/* A partner may be none; a tag that has the same values is a number everywhere. */
static void numbers_are_not_null(void **state)
{
    (void)state;
    struct arena memory = ARENA_EMPTY;
    struct fit_sample samples[14];
    struct fit_names tag = names;
    size_t n = samples_of(below, 1, samples);
    assert_non_null(strstr(fit_value(n, samples, &tag, NULL, &memory), "MPI_PROC_NULL"));
    tag.number = true;
    const char *found = fit_value(n, samples, &tag, NULL, &memory);
    assert_true(!found || !strstr(found, "MPI_PROC_NULL"));
    arena_free(&memory);
}

/* A law of faces comes before what would have been taken, which is told. */
static void laws_come_first(void **state)
{
    (void)state;
    struct arena memory = ARENA_EMPTY;
    struct fit_sample samples[14];
    struct fit_names grid = names;
    struct fit_other other;
    struct box_law law = {.grid = GRID_3, .axis = 1, .k = 1600, .h = 0.5, .border = {BOX_AROUND, BOX_PLAIN, BOX_PLAIN}};
    size_t n = samples_of(five, 1, samples);
    for (size_t i = 0; i < n; i++)
        samples[i].value = samples[i].numprocs < 8 ? 1600 : 800;
    grid.prefers = GRID_3;
    grid.n_laws = 1;
    grid.laws = &law;
    assert_string_equal(fit_value(n, samples, &grid, &other, &memory),
                        "round(1600.0*(1.0/dims_create(P, 3, 0) + 0.5)/dims_create(P, 3, 2))");
    assert_string_equal(other.text, "round(1600.0/dims_create(P, 3, 2))");
    assert_int_equal(other.cheaper, 6);
    arena_free(&memory);
}

/* The first process of each row but the last has a message from the one below it: on 2, 4 and 8 that is process 0 of 4,
 * from process 2, and of 8, from process 4. */
static void neighbours_come_before_numbers(void **state)
{
    (void)state;
    struct arena memory = ARENA_EMPTY;
    struct fit_sample samples[14];
    struct fit_sample partners[] = {{.numprocs = 4, .recording = 1, .value = 2},
                                    {.numprocs = 8, .recording = 2, .value = 4}};
    struct fit_names line = names;
    struct fit_other other;
    line.n_loops = 0;
    line.prefers = GRID_2;
    assert_string_equal(fit_value(2, partners, &line, &other, &memory), "dims_create(P, 2, 0)");
    line.in_line = true;
    line.direction = 16; /* along the second axis */
    assert_string_equal(fit_value(2, partners, &line, &other, &memory),
                        "(p/(dims_create(P, 2, 0))%dims_create(P, 2, 1) == dims_create(P, 2, 1)-1 ? MPI_PROC_NULL : "
                        "p+dims_create(P, 2, 0))");
    size_t n = samples_of(five, 1, samples);
    for (size_t i = 0; i < n; i++)
        samples[i].value = samples[i].procnum == 0 && samples[i].numprocs > 2;
    line.number = true;
    assert_string_equal(fit_condition(n, samples, &line, &other, NULL, &memory),
                        "(p%dims_create(P, 2, 0) == 0) && !(p/(dims_create(P, 2, 0))%dims_create(P, 2, 1) == "
                        "dims_create(P, 2, 1)-1)");
    line.direction = 17; /* along both */
    const struct direction_grid in = {.grid = GRID_2};
    for (size_t i = 0; i < n; i++)
        samples[i].value = direction_exists(&in, line.direction, samples[i].procnum, samples[i].numprocs);
    assert_string_equal(fit_condition(n, samples, &line, &other, NULL, &memory),
                        "p%dims_create(P, 2, 0) < dims_create(P, 2, 0)-1 && "
                        "p/(dims_create(P, 2, 0))%dims_create(P, 2, 1) < dims_create(P, 2, 1)-1");
    line.number = false;
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (samples[i].value) {
            samples[kept] = samples[i];
            samples[kept++].value = samples[i].procnum + 1 + (samples[i].numprocs == 4 ? 2 : 4);
        }
    assert_string_equal(fit_value(kept, samples, &line, &other, &memory), "p+1+dims_create(P, 2, 0)");
    line.number = true;
    n = samples_of(five, 1, samples);
    for (size_t i = 0; i < n; i++)
        samples[i].value = samples[i].procnum == 0 && samples[i].numprocs > 2;
    line.in_line = false;
    assert_true(strstr(fit_condition(n, samples, &line, &other, NULL, &memory), "p == 0") != NULL);
    arena_free(&memory);
}

static int64_t two_on(int p, int P, int64_t i) { return i + 2 + p - p + P - P; }
static int64_t three_each(int p, int P, int64_t i) { return 3 * i - 4 + p - p + P - P; }
static int64_t four_but_one(int p, int P, int64_t i) { return 4 * P - 1 + p - p + i - i; }
static int64_t four_more(int p, int P, int64_t i) { return 4 * P + 4 + p - p + i - i; }

/* Of whole numbers no rounding. */
static void whole_numbers_are_written_as_such(void **state)
{
    (void)state;
    expect(two_on, 30, "i+2");
    expect(three_each, 30, "3*i-4");
    expect(four_but_one, 30, "4*P-1");
    expect(four_more, 30, "4*P+4");
}

static int64_t share_of_64000(int p, int P, int64_t i) { return 64000 / P + p - p + i - i; }

/* Six processes would tell, at which a program that was recorded at powers of two need not run. */
static void shares_of_other_counts_are_in_doubt(void **state)
{
    (void)state;
    struct fit_names number = names;
    struct fit_sample samples[14];
    struct fit_other other;
    struct arena memory = ARENA_EMPTY;
    number.number = true;
    assert_string_equal(fit_value(samples_of(share_of_64000, 1, samples), samples, &number, &other, &memory), "round(64000.0/P)");
    assert_null(other.text);
    assert_int_equal(other.uneven, 6);
    assert_string_equal(fit_value(samples_of(share, 1, samples), samples, &number, &other, &memory), "round(24000.0/P)");
    assert_int_equal(other.uneven, 0); /* 24000 are shared out among 6 and 12 as well */
    arena_free(&memory);
}

static int64_t next_trip(int p, int P, int64_t i) { return i + 1 + p - p + P - P; }

/* Of process 0 alone nobody need know that others would leave themselves out. */
static void process_0_leaves_out_nobody(void **state)
{
    (void)state;
    struct fit_sample samples[14 * 30], first[3 * 7];
    struct arena memory = ARENA_EMPTY;
    size_t n = samples_of(next_trip, 7, samples), kept = 0;
    for (size_t i = 0; i < n; i++)
        if (samples[i].procnum == 0 && samples[i].index[0] < samples[i].numprocs - 1)
            first[kept++] = samples[i];
    assert_string_equal(fit_value(kept, first, &names, NULL, &memory), "i+1");
    arena_free(&memory);
}

/* The end of an axis that the partners' side leaves open comes first. */
static void sides_decide_ends(void **state)
{
    (void)state;
    struct arena memory = ARENA_EMPTY;
    struct fit_sample samples[14];
    struct fit_names side = names;
    size_t n = samples_of(five, 1, samples);
    for (size_t i = 0; i < n; i++)
        samples[i].value = samples[i].procnum % 2 == 0;
    side.prefers = GRID_WIDE;
    assert_string_equal(fit_condition(n, samples, &side, NULL, NULL, &memory), "p%max(2, dims_create(P, 2, 1)) == 0");
    side.sign = 1;
    assert_string_equal(fit_condition(n, samples, &side, NULL, NULL, &memory),
                        "!(p%max(2, dims_create(P, 2, 1)) == max(2, dims_create(P, 2, 1))-1)");
    arena_free(&memory);
}

static void times_follow_the_work(void **state)
{
    (void)state;
    struct arena memory = ARENA_EMPTY;
    double error;
    /* 7 us and a share of 400 us, half a percent of noise */
    struct fit_sample samples[] = {{.numprocs = 2, .value = 207000000 + 700000}, {.numprocs = 4, .value = 107000000},
                                   {.numprocs = 8, .value = 57000000 - 200000}};
    const char *found = fit_time(3, samples, &names, &error, &memory);
    double a = 0, b = 0;
    assert_int_equal(sscanf(found, "%lf + %lf/P", &a, &b), 2);
    assert_true(fabs(a - 7) < 1 && fabs(b - 400) < 5);
    assert_true(error < 0.01);
    /* a share alone, of which rounding leaves 2e-11: bytes of a sparse matrix, in ps for us; whole numbers are divided as in C */
    const struct fit_sample share[] = {{.numprocs = 2, .value = 142840000000}, {.numprocs = 4, .value = 71420000000},
                                       {.numprocs = 8, .value = 35710000000}};
    assert_string_equal(fit_time(3, share, &names, &error, &memory), "285680.0/P");
    const struct fit_sample second[] = {{.numprocs = 2, .value = 500000000000}, {.numprocs = 4, .value = 250000000000}};
    assert_string_equal(fit_time(2, second, &names, &error, &memory), "1.0e+06/P");
    /* by factors: of least error as a part of each time would be 12 us, and half of the time be left out */
    const struct fit_sample factors[] = {fit_time_sample(2, 0, 10e-6), fit_time_sample(4, 1, 40e-6), fit_time_sample(8, 2, 10e-6),
                                         fit_time_sample(16, 3, 40e-6)};
    assert_string_equal(fit_time(4, factors, &names, &error, &memory), "25");
    assert_true(fabs(error - 1.5) < 1e-6);
    /* no formula follows one time that is nearly nothing */
    const struct fit_sample nothing[] = {fit_time_sample(2, 0, 2e-3), fit_time_sample(4, 1, 2e-3), fit_time_sample(8, 2, 20e-9)};
    assert_string_equal(fit_time(3, nothing, &names, &error, &memory), "1333.34");
    assert_true(error > 60000);
    const struct fit_sample peak[] = {fit_time_sample(2, 0, 20e-9), fit_time_sample(4, 1, 5e-4), fit_time_sample(8, 2, 20e-9)};
    assert_null(strchr(fit_time(3, peak, &names, &error, &memory), '/'));
    arena_free(&memory);
}

/* What calls on files take differs by factors: twice as long and half as long count the same. */
static void times_in_files_stand_where_they_were(void **state)
{
    (void)state;
    struct arena memory = ARENA_EMPTY;
    const char *formula;
    double factor, a = 0, b = 0;
    const struct fit_sample near[] = {fit_time_sample(2, 0, 11.9e-6), fit_time_sample(4, 1, 16e-6), fit_time_sample(8, 2, 24.1e-6)};
    const char *text = fit_time_in_file(3, near, &formula, &factor, &memory);
    assert_true(text == formula && factor < 1.02);
    assert_int_equal(sscanf(text, "%lf + %lf*numprocs", &a, &b), 2);
    assert_true(fabs(a - 8) < 0.5 && fabs(b - 2) < 0.1);
    /* of two at one count their mean stands there; the least relative error would have been 68 us everywhere */
    const struct fit_sample far[] = {fit_time_sample(2, 0, 50e-6), fit_time_sample(2, 1, 70e-6), fit_time_sample(4, 2, 390e-6),
                                     fit_time_sample(8, 3, 940e-6)};
    text = fit_time_in_file(4, far, &formula, &factor, &memory);
    assert_int_equal(sscanf(formula, "%lf*numprocs", &b), 1);
    assert_true(b > 40 && b < 80 && factor > 2 && factor < 3);
    assert_int_equal(strncmp(text, "(numprocs == 2 ? 60 : (numprocs == 4 ? 390 : (numprocs == 8 ? 940 : ", 68), 0);
    const struct fit_sample share[] = {fit_time_sample(2, 0, 800e-6), fit_time_sample(4, 1, 400e-6)};
    assert_string_equal(fit_time_in_file(2, share, &formula, &factor, &memory), "1600.0/numprocs");
    assert_string_equal(fit_time_in_file(1, share, &formula, &factor, &memory), "800");
    assert_true(fabs(factor - 1) < 1e-9);
    arena_free(&memory);
}

/* Told apart are processes that differ in every recording, in one direction, by more than half. */
static void process_0_is_told_apart(void **state)
{
    (void)state;
    const struct fit_sample first[] = {fit_time_sample(2, 0, 3.1e-6), fit_time_sample(4, 1, 2.2e-6)};
    const struct fit_sample less[] = {fit_time_sample(2, 0, 2e-6), fit_time_sample(4, 1, 1.4e-6)};
    const struct fit_sample mixed[] = {fit_time_sample(2, 0, 2e-6), fit_time_sample(4, 1, 2e-6)};
    assert_true(llabs(first[0].value - 3100000) <= 1);
    assert_int_equal(fit_time_sample(2, 0, 1e-13).value, 1);
    assert_true(fit_times_differ(2, first, 2, less) && fit_times_differ(2, less, 2, first));
    assert_false(fit_times_differ(2, first, 2, mixed));
    assert_false(fit_times_differ(2, first, 1, less));
    assert_false(fit_times_differ(0, first, 0, less));
}

/* The one before along each axis of a hypercube, and of axes that there are not the process itself: 1 << i passes P. */
static int64_t axes(int p, int P, int64_t i) { return 1 << i < P ? p ^ (1 << i) : p; }
static int64_t remainder_of(int p, int P, int64_t i) { return (p + P - (1 << i)) % P; }

static void texts_say_what_was_computed(void **state)
{
    (void)state;
    struct fit_sample samples[14 * 4];
    struct arena memory = ARENA_EMPTY;
    size_t n = samples_of(axes, 3, samples);
    for (int sign = -1; sign <= 1; sign += 2) {
        struct fit_names way = names;
        way.sign = sign;
        const char *found = fit_value(n, samples, &way, NULL, &memory);
        assert_non_null(found);
        assert_true(proof_holds(found, false, n, samples, &way));
    }
    assert_false(proof_holds("(p >= P-round(pow(2, i)) ? (p+P-round(pow(2, i)))%P : "
                             "(p/round(pow(2, i))%2 == 0 ? p+round(pow(2, i)) : p-round(pow(2, i))))", false, n, samples, &names));
    n = samples_of(remainder_of, 3, samples); /* -1 where 4 is taken off 1 + 2: as C has it */
    assert_true(proof_holds("(p+P-round(pow(2, i)))%P", false, n, samples, &names));
    assert_false(proof_holds("(p+P-round(pow(2, i))%P)%P", false, n, samples, &names));
    arena_free(&memory);
}

static void proofs_find_whole_words(void **state)
{
    (void)state;
    assert_true(proof_names("round(3*i)", "i"));
    assert_false(proof_names("min(iii, ilog2(i1))", "i"));
    assert_true(proof_names("min(iii, i)", "i"));
    assert_true(proof_names("1+procnum_in(comm1)", "procnum_in(comm1)"));
}

static void proofs_know_what_is_no_number(void **state)
{
    (void)state;
    struct fit_sample samples[14 * 4];
    struct fit_names of = names;
    size_t n = samples_of(right_open, 1, samples);
    assert_true(proof_holds("(p == P-1 ? MPI_PROC_NULL : p+1)", false, n, samples, &names));
    assert_false(proof_holds("(p == P-1 ? MPI_ANY_SOURCE : p+1)", false, n, samples, &names));
    assert_false(proof_holds("p+1", false, n, samples, &names));
    assert_false(proof_holds("(p == P-1 ? MPI_PROC_NULL : p+1/(p-1))", false, n, samples, &names)); /* no value */
    assert_false(proof_holds("(p == P-1 ? MPI_PROC_NULL : p+1", false, n, samples, &names));        /* no expression */
    for (size_t i = 0; i < n; i++)
        samples[i].value = samples[i].value == FIT_NULL ? FIT_ANY : FIT_SOURCE;
    assert_true(proof_holds("(p == P-1 ? ANY : sender)", false, n, samples, &names));
    assert_true(proof_holds("1", true, n, samples, &names));
    assert_false(proof_holds("p == P-1", true, n, samples, &names));
    static const int64_t size[] = {640, 1280, 2560}, *const sizes[] = {size};
    static const char *const params[] = {"N"};
    of.procnum = "procnum_in(comm1)";
    of.numprocs = "numprocs_in(comm1)";
    of.n_params = 1;
    of.param = params;
    of.values = sizes;
    for (size_t i = 0; i < n; i++)
        samples[i].value = size[samples[i].recording] / samples[i].numprocs + samples[i].procnum;
    assert_true(proof_holds("procnum_in(comm1)+N/numprocs_in(comm1)", false, n, samples, &of));
}

/* Every term of a search has, as text, the value that the search counts with, wherever it was computed: at the recorded
 * counts and at those beyond. */
static void expect_all(const struct search *search, const struct candidate *list, size_t n_list, struct fit_sample samples[])
{
    for (size_t i = 0; i < n_list; i++)
        for (const struct candidate *term = &list[i]; term; term = term->alike) {
            for (size_t k = 0; k < search->m; k++) {
                samples[k] = search->beyond[k];
                samples[k].value = term->value[k];
            }
            if (!proof_holds(term->text, false, search->m, samples, search->names))
                fail_msg("the values of %s are not those of its text", term->text);
        }
}

static void terms_say_what_they_are(void **state)
{
    (void)state;
    struct fit_sample samples[14 * 4];
    const int signs[] = {-1, 1};
    for (int grid = 0; grid < GRIDS; grid++)
        for (int way = 0; way < 4; way++) {
            struct fit_names of = names;
            struct search search;
            struct arena memory = ARENA_EMPTY;
            of.prefers = (enum grid)grid;
            of.sign = signs[way % 2];
            of.last_first = way / 2;
            size_t n = samples_of(axes, 3, samples);
            search_begin(&search, n, samples, &of, &memory);
            search_make_parts(&search);
            search_make_wholes(&search);
            search_make_tests(&search);
            struct fit_sample *all = alloc_array(search.m, sizeof *all);
            expect_all(&search, search.parts, search.n_parts, all);
            expect_all(&search, search.wholes, search.n_wholes, all);
            expect_all(&search, search.tests, search.n_tests, all);
            free(all);
            search_end(&search);
            arena_free(&memory);
        }
}

/* Is the whole formula confirmed by nothing? wanted: it; NULL: whatever it is. */
static void expect_unconfirmed(size_t n, const int64_t values[], bool all, const struct fit_names *of, const char *wanted)
{
    static const int counts[] = {2, 4, 8, 16, 32};
    struct arena memory = ARENA_EMPTY;
    const char *text;
    const struct fit_other other = other_of(n, counts, values, all, of, &text, &memory);
    assert_non_null(other.unconfirmed);
    assert_string_equal(other.unconfirmed, wanted ? wanted : text);
    assert_false(other.alone);
    arena_free(&memory);
}
static void expect_confirmed(size_t n, const int64_t values[], const struct fit_names *of)
{
    static const int counts[] = {2, 4, 8, 16, 32};
    struct arena memory = ARENA_EMPTY;
    const char *text;
    assert_null(other_of(n, counts, values, true, of, &text, &memory).unconfirmed);
    arena_free(&memory);
}

/* Of few values some formula gives almost any: who is the root by the data, how often a loop goes round until it converges. */
static void few_values_confirm_nothing(void **state)
{
    (void)state;
    static const int64_t root[] = {0, 1, 3}, trips[] = {12, 17, 27}, last[] = {1, 3, 7, 15, 31}, zero[] = {0, 0, 0},
                         small_sizes[] = {8, 24, 56}, sizes[] = {12000, 6000, 3000}, as_many[] = {2, 4, 8};
    struct fit_names number = names;
    number.number = true;
    expect_unconfirmed(3, root, true, &names, NULL);
    expect_unconfirmed(3, root, false, &names, NULL);
    expect_unconfirmed(3, trips, true, &number, NULL);
    expect_unconfirmed(3, small_sizes, true, &number, NULL);
    expect_unconfirmed(3, last, true, &names, "P-1");
    expect_unconfirmed(2, last, true, &number, "P-1");
    expect_confirmed(5, last, &names);
    expect_confirmed(3, last, &number);
    expect_confirmed(3, zero, &names);
    expect_confirmed(3, sizes, &number);
    expect_confirmed(2, sizes, &number);
    expect_confirmed(3, as_many, &number);
}

/* What every process has for itself is known from many values. */
static void many_values_confirm(void **state)
{
    (void)state;
    int64_t (*const functions[])(int, int, int64_t) = {right, left, right_open, butterfly, share, square, levels, before, back_in_turn,
                                                       two_buffers, root_in_turn, in_turn};
    struct fit_sample samples[14 * 30];
    struct arena memory = ARENA_EMPTY;
    struct fit_other other;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        struct fit_names of = names;
        of.prefers = functions[i] == before ? GRID_3 : GRID_2;
        of.number = functions[i] == share || functions[i] == square || functions[i] == levels || functions[i] == two_buffers;
        size_t n = samples_of(functions[i], functions[i] == levels ? 4 : functions[i] == before ? 3 : 30, samples);
        const char *text = fit_value(n, samples, &of, &other, &memory);
        assert_non_null(text);
        if (other.unconfirmed)
            fail_msg("nothing confirms %s in %s", other.unconfirmed, text);
    }
    arena_free(&memory);
}

static int64_t last_of_some(int p, int P, int64_t i) { return p == 0 ? P / 2 : FIT_NULL + 0 * i; }

/* A part of a formula, and what was seen at one of several counts alone. */
static void parts_are_confirmed_each(void **state)
{
    (void)state;
    struct fit_sample samples[14], alone = {.numprocs = 8, .recording = 2, .value = 3000};
    struct arena memory = ARENA_EMPTY;
    struct fit_names of = names;
    struct fit_other other;
    of.n_loops = 0;
    size_t n = samples_of(last_of_some, 1, samples);
    assert_string_equal(fit_value(n, samples, &of, &other, &memory), "(p == 0 ? (P/2) : MPI_PROC_NULL)");
    assert_string_equal(other.unconfirmed, "(P/2)");
    assert_false(other.alone);
    of.number = true;
    assert_string_equal(fit_value(1, &alone, &of, &other, &memory), "3000");
    assert_false(other.alone);
    of.counts = (const int[]){2, 4, 8};
    assert_string_equal(fit_value(1, &alone, &of, &other, &memory), "3000");
    assert_true(other.alone);
    assert_string_equal(other.unconfirmed, "3000");
    arena_free(&memory);
}

/* A partner that the number of processes says may be who has a place in the data. */
static void partners_may_be_places_in_the_data(void **state)
{
    (void)state;
    static const int counts[] = {2, 4, 6, 8, 16, 32};
    static const int64_t place[] = {0, 1, 2, 3}, last[] = {1, 3, 5, 7, 15, 31}, zero[] = {0, 0, 0, 0};
    struct arena memory = ARENA_EMPTY;
    const char *text;
    struct fit_other other = other_of(4, counts, place, true, &names, &text, &memory);
    assert_non_null(other.text);
    other = other_of(4, counts, last, true, &names, &text, &memory);
    assert_string_equal(text, "P-1");
    assert_string_equal(other.text, "floor(0.875*P), who has that place in the data,");
    assert_int_equal(other.beyond, 12);
    assert_null(other_of(6, counts, last, true, &names, &text, &memory).text);
    assert_null(other_of(4, counts, zero, true, &names, &text, &memory).text);
    arena_free(&memory);
}

/* What leaves no remainder at the recorded counts does so at others, in elements of up to eight bytes. */
static void remainders_are_in_doubt(void **state)
{
    (void)state;
    static const int counts[] = {2, 4, 8};
    static const int64_t bytes[] = {4000, 2000, 1000}, trips[] = {500, 250, 125}, even[] = {32768, 16384, 8192},
                         border[] = {808, 408, 208};
    struct arena memory = ARENA_EMPTY;
    struct fit_names number = names;
    const char *text;
    number.number = true;
    struct fit_other other = other_of(3, counts, bytes, true, &number, &text, &memory);
    assert_string_equal(text, "round(8000.0/P)");
    assert_string_equal(other.text, "round(8000.0/P) in multiples of 8, down or up,");
    assert_int_equal(other.beyond, 16);
    assert_int_equal(other.cheaper, 6);
    other = other_of(3, counts, trips, true, &number, &text, &memory);
    assert_string_equal(other.text, "round(1000.0/P) rounded down or up");
    other = other_of(3, counts, border, true, &number, &text, &memory);
    assert_non_null(other.text);
    assert_null(other_of(3, counts, even, true, &number, &text, &memory).text);
    arena_free(&memory);
}

static void conditions_are_confirmed_by_processes(void **state)
{
    (void)state;
    struct fit_sample samples[14];
    struct arena memory = ARENA_EMPTY;
    struct fit_other other;
    size_t n = samples_of(five, 1, samples);
    for (size_t i = 0; i < n; i++)
        samples[i].value = samples[i].procnum == 0;
    assert_non_null(fit_condition(n, samples, &names, &other, NULL, &memory));
    assert_null(other.unconfirmed);
    for (size_t i = 0; i < n; i++)
        samples[i].value = samples[i].numprocs > 2;
    const char *text = fit_condition(n, samples, &names, &other, NULL, &memory);
    assert_string_equal(other.unconfirmed, text);
    arena_free(&memory);
}

static void times_of_two_counts_are_not_confirmed(void **state)
{
    (void)state;
    struct arena memory = ARENA_EMPTY;
    double error;
    const struct fit_sample samples[] = {{.numprocs = 2, .value = 207000000}, {.numprocs = 4, .recording = 1, .value = 107000000},
                                         {.numprocs = 8, .recording = 2, .value = 57000000}};
    for (size_t n = 1; n <= 3; n++)
        assert_int_equal(fit_time_confirmed(n, samples, &names, fit_time(n, samples, &names, &error, &memory)), n == 3);
    arena_free(&memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formulas_are_found),
        cmocka_unit_test(no_formula_is_none),
        cmocka_unit_test(other_formulas_are_told),
        cmocka_unit_test(conditions_need_two_counts),
        cmocka_unit_test(two_counts_give_one_number),
        cmocka_unit_test(trips_have_formulas_of_their_own),
        cmocka_unit_test(conditions_are_found),
        cmocka_unit_test(the_next_turn_is_found),
        cmocka_unit_test(the_wanted_grid_decides),
        cmocka_unit_test(loops_go_through_axes),
        cmocka_unit_test(corners_of_a_torus_are_known),
        cmocka_unit_test(last_trips_are_known),
        cmocka_unit_test(trips_are_no_other_text),
        cmocka_unit_test(single_trips_are_known),
        cmocka_unit_test(lines_end),
        cmocka_unit_test(corners_ask_for_three_ends),
        cmocka_unit_test(numbers_are_not_null),
        cmocka_unit_test(laws_come_first),
        cmocka_unit_test(neighbours_come_before_numbers),
        cmocka_unit_test(sides_decide_ends),
        cmocka_unit_test(process_0_leaves_out_nobody),
        cmocka_unit_test(shares_of_other_counts_are_in_doubt),
        cmocka_unit_test(whole_numbers_are_written_as_such),
        cmocka_unit_test(few_values_confirm_nothing),
        cmocka_unit_test(many_values_confirm),
        cmocka_unit_test(parts_are_confirmed_each),
        cmocka_unit_test(partners_may_be_places_in_the_data),
        cmocka_unit_test(remainders_are_in_doubt),
        cmocka_unit_test(conditions_are_confirmed_by_processes),
        cmocka_unit_test(times_of_two_counts_are_not_confirmed),
        cmocka_unit_test(times_follow_the_work),
        cmocka_unit_test(times_in_files_stand_where_they_were),
        cmocka_unit_test(process_0_is_told_apart),
        cmocka_unit_test(texts_say_what_was_computed),
        cmocka_unit_test(proofs_find_whole_words),
        cmocka_unit_test(proofs_know_what_is_no_number),
        cmocka_unit_test(terms_say_what_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
