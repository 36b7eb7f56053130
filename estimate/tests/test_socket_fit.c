/* What hosts hold, from sends whose host is known. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "estimate/machine/socket_fit.h"

enum { SENDS = 60 };
static const double BYTES = 65536, PACE = 0.0548, CALL = 50e-6;

/* Sends of BYTES behind one another through a port that takes PACE for each; after `given` the host holds
 * held(given). */
static size_t sent(double (*held)(double given), struct socket_sample samples[SENDS])
{
    double call[SENDS], back[SENDS], there[SENDS], now = 0;
    for (int i = 0; i < SENDS; i++) {
        const double given = (i + 1) * BYTES;
        call[i] = now;
        there[i] = (i + 1) * PACE;
        back[i] = now = fmax(now + CALL, (given - held(given)) / BYTES * PACE);
    }
    return socket_samples(SENDS, BYTES, call, back, there, samples);
}

static double grows(double given)
{
    return 256 * sqrt(given);
}

static double constant(double given)
{
    (void)given;
    return 87040;
}

static double all(double given)
{
    return given;
}

static void what_is_held_is_found(void **state)
{
    (void)state;
    struct socket_sample samples[SENDS];
    double held[SOCKET_POINTS];
    socket_fit(sent(constant, samples), samples, NAN, held);
    assert_true(isnan(held[0]));
    for (int i = 2; i < SOCKET_POINTS - 1; i++)
        assert_true(fabs(held[i] - 87040) < 100);
    socket_fit(sent(grows, samples), samples, NAN, held);
    for (int i = 3; i < SOCKET_POINTS - 1; i++)
        assert_true(fabs(held[i] / grows((double)socket_given(i)) - 1) < 0.06);
}

static void hosts_that_take_all_hold_nothing_up(void **state)
{
    (void)state;
    struct socket_sample samples[SENDS];
    double held[SOCKET_POINTS];
    const size_t n = sent(all, samples);
    assert_int_equal(n, 0);
    socket_fit(n, samples, NAN, held);
    for (int i = 0; i < SOCKET_POINTS; i++)
        assert_true(isnan(held[i]));
}

/* A host that held more once holds as much later. */
static void what_is_held_does_not_become_less(void **state)
{
    (void)state;
    struct socket_sample samples[] = {{65536, 60000}, {65536, 61000}, {65536, 62000}, {131072, 50000}, {131072, 51000},
                                      {131072, 52000}, {262144, 90000}, {262144, 80000}};
    double held[SOCKET_POINTS];
    socket_fit(sizeof samples / sizeof *samples, samples, NAN, held);
    assert_true(held[0] == 61000);
    assert_true(held[1] == 61000);
    assert_true(isnan(held[2]));
}

/* Samples within a factor of sqrt(2) of 128 KiB may hold more than that. */
static void what_is_held_grows_by_no_more_than_is_given(void **state)
{
    (void)state;
    struct socket_sample samples[] = {{65536, 1000}, {65536, 1000}, {65536, 1000}, {180000, 170000}, {180000, 170000},
                                      {180000, 170000}};
    double held[SOCKET_POINTS];
    socket_fit(sizeof samples / sizeof *samples, samples, NAN, held);
    assert_true(held[0] == 1000);
    assert_true(held[1] == 1000 + 65536);
}

/* Messages of 8185 bytes: five hosts took 5 or 6 of 16, and a host of another kind all. */
static void what_is_taken_at_once_is_found(void **state)
{
    (void)state;
    double taken[] = {6, 5, 16, 5, 5}, even[] = {5, 6}, all_of_them[] = {16, 5, 16};
    assert_true(socket_first(5, taken, 16, 8185) == 5.5 * 8185);
    assert_true(socket_first(2, even, 16, 8185) == 6 * 8185);
    assert_true(isnan(socket_first(3, all_of_them, 16, 8185)));
    assert_true(isnan(socket_first(0, taken, 16, 8185)));
}

/* What is held begins there: points up to it tell nothing, and it grows by no more than is given. */
static void what_is_taken_at_once_is_the_least(void **state)
{
    (void)state;
    double held[SOCKET_POINTS] = {60000, 100000, 90000, NAN, NAN, NAN, NAN};
    socket_held_settle(87000, held);
    assert_true(isnan(held[0]));
    assert_true(held[1] == 100000 && held[2] == 100000);
    double less[SOCKET_POINTS] = {40000, 200000, NAN, NAN, NAN, NAN, NAN};
    socket_held_settle(46000, less);
    assert_true(less[0] == 46000);
    assert_true(less[1] == 46000 + 65536);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_held_is_found),
        cmocka_unit_test(hosts_that_take_all_hold_nothing_up),
        cmocka_unit_test(what_is_held_does_not_become_less),
        cmocka_unit_test(what_is_held_grows_by_no_more_than_is_given),
        cmocka_unit_test(what_is_taken_at_once_is_found),
        cmocka_unit_test(what_is_taken_at_once_is_the_least),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
