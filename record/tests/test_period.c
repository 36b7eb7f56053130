#include "record/fit/period.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

enum { TRIPS = 140, MOST = 14 * TRIPS };

/* The ends of runs of equal values, as recordings give them, of all processes of 2, 4 and 8; with `seldom` only every
 * so manyth trip comes here. */
static size_t ends_of(int64_t (*value)(int p, int P, int64_t i), int64_t trips, int64_t seldom,
                      struct fit_sample samples[])
{
    size_t n = 0;
    for (int P = 2, r = 0; P <= 8; P *= 2, r++)
        for (int p = 0; p < P; p++)
            for (int64_t i = 0; i < trips; i += seldom)
                if (i < seldom || i + seldom >= trips || value(p, P, i) != value(p, P, i - seldom) ||
                    value(p, P, i) != value(p, P, i + seldom))
                    samples[n++] = (struct fit_sample){.procnum = p, .numprocs = P, .recording = r, .index = {0, i},
                                                       .value = value(p, P, i)};
    return n;
}

static int64_t tenth(int p, int P, int64_t i) { return p + P > 0 && i % 10 == 9; }
static int64_t two_of_12(int p, int P, int64_t i) { return p + P > 0 && (i % 12 == 3 || i % 12 == 7) ? 5 : 23; }
static int64_t turns(int p, int P, int64_t i) { return i % P + p - p; }
static int64_t once(int p, int P, int64_t i) { return p + P > 0 && i == 17; }
static int64_t same(int p, int P, int64_t i) { return p + P + i - i; }
static int64_t half(int p, int P, int64_t i) { return (i / 5) % 2 + p - p + P - P; }

static int64_t corner(int p, int P, int64_t i) { return i / 6 % 4 * (p + 1) + P; }

static int find(int64_t (*value)(int p, int P, int64_t i), int64_t trips, int64_t seldom,
                struct period periods[PERIODS])
{
    struct fit_sample samples[MOST];
    return periods_find(periods, 1, ends_of(value, trips, seldom, samples), samples);
}

static void periods_are_found(void **state)
{
    (void)state;
    struct period found[PERIODS];
    assert_int_equal(find(tenth, 35, 1, found), 1);
    assert_int_equal(found[0].loop, 1);
    assert_int_equal(found[0].trips, 10);
    assert_int_equal(found[0].n_odd, 1);
    assert_int_equal(found[0].odd[0], 9);
    assert_int_equal(find(two_of_12, 24, 1, found), 1);
    assert_int_equal(found[0].trips, 12);
    assert_int_equal(found[0].n_odd, 2);
    assert_int_equal(found[0].odd[1], 7);
    assert_int_equal(found[0].stretch, 1);
    assert_int_equal(find(half, 40, 1, found), 2);
    assert_int_equal(found[0].trips, 10);
    assert_int_equal(found[0].n_odd, 0); /* five are */
    assert_int_equal(found[1].stretch, 5);
    assert_int_equal(found[1].trips, 2);
    assert_int_equal(found[1].n_odd, 1);
    assert_int_equal(find(turns, 30, 1, found), 2); /* 8, too, is one */
    assert_int_equal(found[0].trips, 8);
    assert_int_equal(found[1].trips, PERIOD_NUMPROCS);
}

/* Four corners, of six trips each, come once or more often; of two that come once it is when the second begins. */
static void stretches_are_found(void **state)
{
    (void)state;
    struct period found[PERIODS];
    assert_int_equal(find(corner, 24, 1, found), 1);
    assert_int_equal(found[0].loop, 1);
    assert_int_equal(found[0].stretch, 6);
    assert_int_equal(found[0].trips, 4);
    assert_int_equal(find(corner, 72, 1, found), 2);
    assert_int_equal(found[0].trips, 24);
    assert_int_equal(found[1].trips, 4);
    assert_int_equal(find(corner, 12, 1, found), 0);
}

/* Trips between two samples with different values did not come here, so nothing is known of them. */
static void what_only_some_trips_do_is_found_too(void **state)
{
    (void)state;
    struct period found[PERIODS];
    assert_int_equal(find(turns, 36, 7, found), 1);
    assert_int_equal(found[0].trips, PERIOD_NUMPROCS);
}

static void what_was_not_seen_twice_is_no_period(void **state)
{
    (void)state;
    struct period found[PERIODS];
    struct fit_sample samples[MOST];
    assert_int_equal(find(tenth, 19, 1, found), 0);
    assert_int_equal(find(once, 35, 1, found), 0);
    assert_int_equal(find(same, 35, 1, found), 0);
    assert_int_equal(find(turns, 3, 1, found), 0); /* 0, 1, 0 on two and 0, 1, 2 on more */
    assert_int_equal(periods_find(found, 0, 0, samples), 0);
}

static int64_t block(int p, int P, int64_t i) { return i / (24 / P) + p - p; }
static int64_t remainder_last(int p, int P, int64_t i) { return i / (30 / P) < P - 1 ? i / (30 / P) : P - 1 + p - p; }

static void turns_are_counted(void **state)
{
    (void)state;
    struct turn found[TURNS_MOST];
    struct fit_sample samples[MOST];
    assert_int_equal(turns_find(found, 1, ends_of(block, 23, 1, samples), samples), 3);
    assert_int_equal(found[2].numprocs, 8);
    assert_int_equal(found[2].least, 3);
    assert_int_equal(found[2].most, 3);
    assert_int_equal(found[2].trips, 23);
    assert_int_equal(turns_find(found, 1, ends_of(remainder_last, 30, 1, samples), samples), 3);
    assert_int_equal(found[1].least, 7); /* of the last one, which goes on, nobody knows */
    assert_int_equal(found[1].most, 7);
    assert_int_equal(turns_find(found, 1, ends_of(same, 11, 1, samples), samples), 3);
    assert_int_equal(found[0].most, 11);
    assert_int_equal(turns_find(found, 1, 0, samples), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(periods_are_found), cmocka_unit_test(stretches_are_found),
                                       cmocka_unit_test(what_only_some_trips_do_is_found_too),
                                       cmocka_unit_test(what_was_not_seen_twice_is_no_period), cmocka_unit_test(turns_are_counted)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
