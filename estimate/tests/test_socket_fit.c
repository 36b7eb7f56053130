/* What hosts hold, from sends whose host is known. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "estimate/socket_fit.h"

enum { SENDS = 60 };
static const double BYTES = 65536, PACE = 0.0548, CALL = 50e-6;

/* Sends of BYTES behind one another through a port that takes PACE for each; after `given` the host holds held(given). */
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
    socket_fit(sent(constant, samples), samples, held);
    assert_true(isnan(held[0]));
    for (int i = 2; i < SOCKET_POINTS - 1; i++)
        assert_true(fabs(held[i] - 87040) < 100);
    socket_fit(sent(grows, samples), samples, held);
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
    socket_fit(n, samples, held);
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
    socket_fit(sizeof samples / sizeof *samples, samples, held);
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
    socket_fit(sizeof samples / sizeof *samples, samples, held);
    assert_true(held[0] == 1000);
    assert_true(held[1] == 1000 + 65536);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_held_is_found),
        cmocka_unit_test(hosts_that_take_all_hold_nothing_up),
        cmocka_unit_test(what_is_held_does_not_become_less),
        cmocka_unit_test(what_is_held_grows_by_no_more_than_is_given),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
