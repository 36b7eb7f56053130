#include "clock/clock_map.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#define SECOND INT64_C(1000000000)

static void no_knot_is_the_global_clock(void **state)
{
    (void)state;
    struct clock_map map = CLOCK_MAP_EMPTY;
    assert_int_equal(clock_map_global(&map, 123456789012345), 123456789012345);
    assert_int_equal(clock_map_local(&map, -7), -7);
    assert_int_equal(clock_map_bound(&map, 5 * SECOND), 0);
    assert_int_equal(clock_map_limit(&map, 5 * SECOND), 0);
}

static void one_knot(void **state)
{
    (void)state;
    struct clock_map map = CLOCK_MAP_EMPTY;
    clock_map_add(&map, (struct clock_knot){10 * SECOND, 3 * SECOND + 17, 40, 900});
    assert_int_equal(clock_map_global(&map, 11 * SECOND), 4 * SECOND + 17);
    assert_int_equal(clock_map_local(&map, 2 * SECOND + 17), 9 * SECOND);
    assert_int_equal(clock_map_bound(&map, 10 * SECOND), 40);
    /* nothing is known of the rate: 500 ppm */
    assert_int_equal(clock_map_bound(&map, 12 * SECOND), 40 + 1000000);
    assert_int_equal(clock_map_limit(&map, 9 * SECOND), 900 + 500000);
    clock_map_free(&map);
}

/* A clock 0.7 s ahead that runs 83.25 ppm fast, seen exactly at five times: exact between and beyond. */
static void a_steady_drift_is_undone(void **state)
{
    (void)state;
    const int64_t ahead = 700000000;
    struct clock_map map = CLOCK_MAP_EMPTY;
    for (int64_t k = 0; k < 5; k++) {
        int64_t global = 100 * SECOND + k * 400000000;
        clock_map_add(&map, (struct clock_knot){global + ahead + (global - 100 * SECOND) / 1000000 * 8325 / 100, global,
                                                50, 500});
    }
    for (int64_t global = 98 * SECOND; global <= 110 * SECOND; global += 12345679) {
        double exact = (double)(global - 100 * SECOND) * 83.25e-6;
        int64_t local = global + ahead + (int64_t)(exact < 0 ? exact - 0.5 : exact + 0.5);
        assert_true(llabs(clock_map_global(&map, local) - global) <= 1);
        assert_true(llabs(clock_map_local(&map, global) - local) <= 1);
        assert_true(llabs(clock_map_local(&map, clock_map_global(&map, local)) - local) <= 1);
    }
    clock_map_free(&map);
}

static void bends_are_followed(void **state)
{
    (void)state;
    struct clock_map map = CLOCK_MAP_EMPTY;
    clock_map_add(&map, (struct clock_knot){0, 1000, 10, 100});
    clock_map_add(&map, (struct clock_knot){SECOND, SECOND + 3000, 30, 300});
    clock_map_add(&map, (struct clock_knot){3 * SECOND, 3 * SECOND - 1000, 20, 200});
    assert_int_equal(clock_map_global(&map, 0), 1000);
    assert_int_equal(clock_map_global(&map, SECOND / 4), SECOND / 4 + 1500);
    assert_int_equal(clock_map_global(&map, SECOND), SECOND + 3000);
    assert_int_equal(clock_map_global(&map, 2 * SECOND), 2 * SECOND + 1000);
    assert_int_equal(clock_map_global(&map, 4 * SECOND), 4 * SECOND - 3000);
    assert_int_equal(clock_map_global(&map, -SECOND / 2), -SECOND / 2);
    assert_int_equal(clock_map_local(&map, 2 * SECOND + 1000), 2 * SECOND);
    clock_map_free(&map);
}

/* Knots 2 s apart with bounds 10 and 30. Halfway 20, the ramp's 1e-8 / 2 s^-1 x 1 s x 1 s = 5 ns, 1 ns of rounding. 1
 * s beyond: 30 + 1 s (10 + 30) / 2 s + 1e-8 / 2 x 1 s x 3 s = 65, and 1. */
static void bounds_between_and_beyond(void **state)
{
    (void)state;
    struct clock_map map = CLOCK_MAP_EMPTY;
    clock_map_add(&map, (struct clock_knot){0, 0, 10, 1000});
    clock_map_add(&map, (struct clock_knot){2 * SECOND, 2 * SECOND, 30, 3000});
    assert_int_equal(clock_map_bound(&map, SECOND), 26);
    assert_int_equal(clock_map_bound(&map, 0), 11);
    assert_int_equal(clock_map_bound(&map, 2 * SECOND), 31);
    assert_int_equal(clock_map_bound(&map, 3 * SECOND), 66);
    assert_int_equal(clock_map_bound(&map, -SECOND), 10 + 20 + 15 + 1);
    assert_int_equal(clock_map_limit(&map, SECOND), 2000 + 5 + 1);
    clock_map_free(&map);
}

/* Two knots close together at the end, wrong by 100 ns each way, must not tilt the extrapolation: the line reaches
 * back a second. */
static void close_knots_do_not_tilt(void **state)
{
    (void)state;
    struct clock_map map = CLOCK_MAP_EMPTY;
    clock_map_add(&map, (struct clock_knot){0, 0, 100, 100});
    clock_map_add(&map, (struct clock_knot){2 * SECOND, 2 * SECOND - 100, 100, 100});
    clock_map_add(&map, (struct clock_knot){2 * SECOND + 10000000, 2 * SECOND + 10000000 + 100, 100, 100});
    assert_true(llabs(clock_map_global(&map, 4 * SECOND) - 4 * SECOND) <= 210);
    clock_map_free(&map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_knot_is_the_global_clock), cmocka_unit_test(one_knot),
        cmocka_unit_test(a_steady_drift_is_undone),    cmocka_unit_test(bends_are_followed),
        cmocka_unit_test(bounds_between_and_beyond),   cmocka_unit_test(close_knots_do_not_tilt),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
