#include "clock/clock_fit.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { TRIPS = 500 };

/* xorshift, uniform in [0, 1) */
static double uniform(uint64_t *x)
{
    *x ^= *x << 13, *x ^= *x >> 7, *x ^= *x << 17;
    return (double)(*x >> 11) / (double)(UINT64_C(1) << 53);
}

/* A true time as the other's clock shows it. */
static int64_t other_clock(double true_ns, double offset_ns, double drift_ppm)
{
    return (int64_t)llround(true_ns + offset_ns + drift_ppm * 1e-6 * true_ns);
}

/* A conversation over ways that take at least `there` and `back` ns, and more with an exponential tail. My clock is
 * the true one. */
static void converse(struct clock_trip trips[TRIPS], double offset_ns, double drift_ppm, double there, double back,
                     double noise, uint64_t seed)
{
    double now = 5e9;
    for (int i = 0; i < TRIPS; i++) {
        trips[i].sent = (int64_t)now;
        now += there - noise * log(1 - uniform(&seed));
        trips[i].remote = other_clock(now, offset_ns, drift_ppm);
        now += back - noise * log(1 - uniform(&seed));
        trips[i].received = (int64_t)now;
        now = (double)trips[i].received;
    }
}

/* The error lies within the interval for any ways, and the interval is about the shortest ways' mean. */
static void the_interval_holds(void **state)
{
    (void)state;
    const struct { double offset, drift, there, back, noise; } cases[] = {
        {0, 0, 700, 700, 300},           {1e9, 100, 700, 700, 300},      {-1e9, -100, 2000, 2000, 9000},
        {3.2e8, 37, 100, 1900, 400},     {-7e7, -100, 1900, 100, 400},   {1234, 5.5, 50000, 61000, 200000},
    };
    struct clock_trip trips[TRIPS];
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (uint64_t seed = 1; seed <= 20; seed++) {
            converse(trips, cases[c].offset, cases[c].drift, cases[c].there, cases[c].back, cases[c].noise, seed);
            struct clock_match match = clock_fit(TRIPS, trips);
            int64_t truth = other_clock((double)match.local, cases[c].offset, cases[c].drift);
            double least = (cases[c].there + cases[c].back) / 2;
            assert_true(llabs(match.remote - truth) <= match.half);
            assert_true((double)match.half >= least - 2);
            assert_true((double)match.half <= least + cases[c].noise / 10 + 20);
            /* of the asymmetry only half of the difference is left as error, besides little noise */
            assert_true(fabs((double)(match.remote - truth) - (cases[c].there - cases[c].back) / 2) <=
                        cases[c].noise / 10 + 20);
        }
}

/* One way slow in all but a few messages: those few decide. */
static void slow_messages_do_no_harm(void **state)
{
    (void)state;
    struct clock_trip trips[TRIPS];
    converse(trips, 5e8, -60, 800, 800, 50, 3);
    for (int i = 0; i < TRIPS; i++)
        if (i % 50 != 7)
            for (int k = i; k < TRIPS; k++) {
                trips[k].remote += 20000;
                trips[k].received += 20000;
                trips[k].sent += k > i ? 20000 : 0;
            }
    struct clock_match match = clock_fit(TRIPS, trips);
    int64_t truth = other_clock((double)match.local, 5e8, -60);
    assert_true(llabs(match.remote - truth) <= match.half);
    assert_true(match.half < 1500);
}

static void a_single_trip(void **state)
{
    (void)state;
    struct clock_trip trip = {1000, 901500, 2000};
    struct clock_match match = clock_fit(1, &trip);
    assert_int_equal(match.local, 1500);
    assert_int_equal(match.remote, 901500);
    assert_true(match.half >= 500 && match.half <= 502);
}

/* A clock that was set back in the middle contradicts itself: still an answer, not a negative width. */
static void a_step_is_survived(void **state)
{
    (void)state;
    struct clock_trip trips[TRIPS];
    converse(trips, 0, 0, 800, 800, 50, 9);
    for (int i = TRIPS / 2; i < TRIPS; i++)
        trips[i].remote += 50000;
    struct clock_match match = clock_fit(TRIPS, trips);
    assert_true(match.half > 1000);
    assert_true(match.local >= trips[0].sent && match.local <= trips[TRIPS - 1].received);
}

/* 12 round trips of 1000, 1010, ..., 1110 ns in some order: the tenth takes 90 more than the first. */
static void slack_is_the_tenth_less_the_first(void **state)
{
    (void)state;
    struct clock_trip trips[12];
    int64_t now = 0;
    for (int i = 0; i < 12; i++) {
        int64_t took = 1000 + 10 * (i * 5 % 12);
        trips[i] = (struct clock_trip){now, now + took / 2, now + took};
        now += took;
    }
    assert_int_equal(clock_fit(12, trips).slack, 90);
    assert_int_equal(clock_fit(1, trips).slack, 0);
    assert_int_equal(clock_fit(3, trips).slack, 100); /* 1000, 1050, 1100 */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_interval_holds),
        cmocka_unit_test(slow_messages_do_no_harm),
        cmocka_unit_test(a_single_trip),
        cmocka_unit_test(a_step_is_survived),
        cmocka_unit_test(slack_is_the_tenth_less_the_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
