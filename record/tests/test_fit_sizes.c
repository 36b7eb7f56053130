/* Formulas of what is recorded at several sizes: shares of parameters along axes, borders. */
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

/* What is sent along an axis of a box of N by M, or of N by N by M, by processes in a grid of the extents e. */
static int64_t beside_first(int64_t N, int64_t M, const int64_t e[]) { (void)M; return 8 * N / e[1]; }
static int64_t beside_second(int64_t N, int64_t M, const int64_t e[]) { (void)M; return 8 * N / e[0]; }
static int64_t with_corners(int64_t N, int64_t M, const int64_t e[]) { (void)M; return 8 * (N / e[0] + 2); }
static int64_t all_of_it(int64_t N, int64_t M, const int64_t e[]) { return 8 * N * M / e[0] / e[1]; }
static int64_t square_second(int64_t N, int64_t M, const int64_t e[]) { (void)M; return 8 * N * N / e[2]; }
static int64_t across_first(int64_t N, int64_t M, const int64_t e[]) { return 8 * (N / e[1]) * (M / e[2]); }
static int64_t across_second(int64_t N, int64_t M, const int64_t e[]) { return 8 * (N / e[0]) * (M / e[2]); }
static int64_t across_third(int64_t N, int64_t M, const int64_t e[]) { (void)M; return 8 * (N / e[0]) * (N / e[1]); }

static const int64_t box_N[] = {240, 480, 240, 480, 240, 480, 240, 480, 960}, box_M[] = {960, 960, 480, 480, 1920, 1920, 960, 480, 480};
static const int64_t *const box_values[] = {box_N, box_M};
static const char *const box_params[] = {"N", "M"};

/* Of all processes of a count, in the recording `r`. */
static size_t add_box(int64_t (*value)(int64_t N, int64_t M, const int64_t e[]), enum grid grid, int P, int r, struct fit_sample samples[])
{
    struct grid_place place;
    for (int p = 0; p < P; p++) {
        assert_true(grid_place(&place, grid, false, p, P));
        samples[p] = (struct fit_sample){.procnum = p, .world = p, .numprocs = P, .recording = r,
                                         .value = value(box_N[r], box_M[r], place.extent)};
    }
    return (size_t)P;
}

/* Recorded at 2, 4, 8 and 16 and two sizes each; the formula says what is at 12 and 64 and another size, too. Of products of two
 * extents less says nothing: of three axes the first has two processes at 2, 4 and 8, and the others have half of all together. */
static void shares_of_parameters_follow_extents(void **state)
{
    (void)state;
    static const struct {
        enum grid grid;
        int64_t (*value)(int64_t N, int64_t M, const int64_t e[]);
        const char *formula;
    } cases[] = {
        {GRID_2, beside_first, "round(8.0*N/dims_create(P, 2, 1))"},
        {GRID_2, beside_second, "round(8.0*N/dims_create(P, 2, 0))"},
        {GRID_2, with_corners, "round(16 + 8.0*N/dims_create(P, 2, 0))"},
        {GRID_2, all_of_it, "round(8.0*N*M/P)"},
        {GRID_3, beside_first, "round(8.0*N/dims_create(P, 3, 1))"},
        {GRID_3, square_second, "round(8.0*N*N/dims_create(P, 3, 2))"},
        {GRID_3, across_first, "round(8.0*N*M/(dims_create(P, 3, 1)*dims_create(P, 3, 2)))"},
        {GRID_3, across_second, "round(8.0*N*M/(dims_create(P, 3, 0)*dims_create(P, 3, 2)))"},
        {GRID_3, across_third, "round(8.0*N*N/(dims_create(P, 3, 0)*dims_create(P, 3, 1)))"},
    };
    struct fit_sample samples[64];
    struct arena memory = ARENA_EMPTY;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct fit_names of = names;
        size_t n = 0;
        of.n_loops = 0;
        of.n_params = 2;
        of.param = box_params;
        of.values = box_values;
        of.number = true;
        of.prefers = cases[k].grid;
        of.grids = GRID_BIT(cases[k].grid);
        for (int r = 0; r < 8; r++)
            n += add_box(cases[k].value, cases[k].grid, 2 << r / 2, r, &samples[n]);
        const char *found = fit_value(n, samples, &of, NULL, &memory);
        assert_non_null(found);
        assert_string_equal(found, cases[k].formula);
        for (int turn = 0; turn < 2; turn++) {
            n = add_box(cases[k].value, cases[k].grid, turn == 0 ? 12 : 64, 8, samples);
            assert_true(proof_holds(found, false, n, samples, &of));
        }
    }
    arena_free(&memory);
}

/* Who has one value in a recording is not parted by a condition, on either side of which some formula fits by chance. */
static void conditions_part_values(void **state)
{
    (void)state;
    static const int64_t value[] = {16128, 64512, 8064, 32256, 2016, 8064};
    struct fit_sample samples[28];
    struct arena memory = ARENA_EMPTY;
    struct fit_names of = names;
    size_t n = 0;
    of.n_loops = 0;
    of.number = true;
    for (int r = 0; r < 6; r++)
        for (int p = 0, P = 2 << r / 2; p < P; p++)
            samples[n++] = (struct fit_sample){.procnum = p, .world = p, .numprocs = P, .recording = r, .value = value[r]};
    of.n_params = 1;
    static const int64_t points[] = {48, 96, 48, 96, 48, 96}, *const sizes[] = {points};
    of.param = box_params;
    of.values = sizes;
    of.prefers = GRID_3;
    const char *found = fit_value(n, samples, &of, NULL, &memory);
    assert_true(!found || !strchr(found, '?'));
    arena_free(&memory);
}

/* What parameters say alone, where an extent of the call's grid was the same. */
static void parameters_may_follow_an_extent(void **state)
{
    (void)state;
    struct fit_sample samples[14];
    struct arena memory = ARENA_EMPTY;
    struct fit_names of = names;
    struct fit_other other;
    size_t n = 0;
    of.n_loops = 0;
    of.n_params = 1;
    of.param = box_params;
    of.values = box_values;
    of.number = true;
    of.grids = GRID_BIT(GRID_2);
    for (int r = 0; r < 4; r++)
        n += add_box(beside_second, GRID_2, 2 << r / 2, r, &samples[n]);
    assert_string_equal(fit_value(n, samples, &of, &other, &memory), "4*N");
    assert_non_null(other.text);
    assert_string_equal(other.text, "round(8.0*N/dims_create(P, 2, 0))");
    assert_int_equal(other.beyond, 8);
    arena_free(&memory);
}

/* A size that was the same where an extent of the call's grid was. */
static void constants_may_follow_an_extent(void **state)
{
    (void)state;
    static const int counts[] = {4, 8}; /* 2 x 2 and 4 x 2 */
    static const int64_t row[] = {3840, 3840}, one[] = {8, 8};
    struct arena memory = ARENA_EMPTY;
    struct fit_names grid = names;
    const char *text;
    grid.number = true;
    assert_null(other_of(2, counts, row, true, &grid, &text, &memory).text);
    grid.grids = GRID_BIT(GRID_2);
    const struct fit_other other = other_of(2, counts, row, true, &grid, &text, &memory);
    assert_string_equal(text, "3840");
    assert_string_equal(other.text, "round(7680.0/dims_create(P, 2, 1))");
    assert_int_equal(other.beyond, 16);
    assert_null(other_of(2, counts, one, true, &grid, &text, &memory).text);
    arena_free(&memory);
}

/* Recorded at two sizes: a side with a border of one on either end, and what is no multiple of any such. */
static void borders_are_known_from_two_sizes(void **state)
{
    (void)state;
    static const char *const param[] = {"n"};
    static const int64_t sizes[] = {48, 48, 48, 96, 96, 96}, *const values[] = {sizes};
    struct arena memory = ARENA_EMPTY;
    struct fit_sample samples[2 * 14];
    struct fit_names of = names;
    of.n_loops = 0;
    of.number = true;
    of.n_params = 1;
    of.param = param;
    of.values = values;
    for (int64_t border = 2; border <= 7; border += 5) {
        for (size_t n = 0; n < 28; n++) {
            const int p = (int)n % 14, P = p < 2 ? 2 : p < 6 ? 4 : 8;
            samples[n] = (struct fit_sample){.procnum = p - P + 2, .numprocs = P, .recording = (P == 2 ? 0 : P == 4 ? 1 : 2) + (n < 14 ? 0 : 3),
                                             .value = 8 * ((n < 14 ? 48 : 96) + border)};
        }
        const char *found = fit_value(28, samples, &of, NULL, &memory);
        assert_true(border == 2 ? found && strstr(found, "*(n+2)") : !found);
    }
    arena_free(&memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_of_parameters_follow_extents),
        cmocka_unit_test(conditions_part_values),
        cmocka_unit_test(parameters_may_follow_an_extent),
        cmocka_unit_test(constants_may_follow_an_extent),
        cmocka_unit_test(borders_are_known_from_two_sizes),
    };
    return cmocka_run_group_tests_name("fit of sizes", tests, NULL, NULL);
}
