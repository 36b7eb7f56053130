#include "estimate/machine/stream_fit.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void assert_near(double found, double expected, double within)
{
    if (!(fabs(found - expected) <= within))
        fail_msg("found %.9g, expected %.9g", found, expected);
}

/* What a port with credit makes of messages that are all there at once: the first arrive sooner than it can go on. */
static void arrivals_make(size_t n, double arrivals[], double transit, double gap, double credit)
{
    for (size_t i = 0; i < n; i++)
        arrivals[i] = transit + fmax(0, (double)i * gap - credit);
}

static void test_steady(void **state)
{
    (void)state;
    double arrivals[64];
    arrivals_make(64, arrivals, 0.1e-3, 0.277e-3, 0);
    assert_near(stream_fit_gap(64, arrivals), 0.277e-3, 1e-12);
    arrivals_make(STREAM_LEAST, arrivals, 2.2e-3, 3.46e-3, 0);
    assert_near(stream_fit_gap(STREAM_LEAST, arrivals), 3.46e-3, 1e-12);
}

/* Credit for up to a quarter of the messages changes nothing. */
static void test_credit(void **state)
{
    (void)state;
    double arrivals[64];
    arrivals_make(64, arrivals, 0.1e-3, 0.277e-3, 16 * 0.277e-3);
    assert_near(stream_fit_gap(64, arrivals), 0.277e-3, 1e-12);
    arrivals_make(64, arrivals, 0.1e-3, 0.277e-3, 32 * 0.277e-3);
    assert_true(stream_fit_gap(64, arrivals) < 0.25e-3);
}

/* Several senders' messages come in the order of the list, not of their arrival. */
static void test_order(void **state)
{
    (void)state;
    double sorted[60], arrivals[60];
    arrivals_make(60, sorted, 0.1e-3, 0.877e-3, 0);
    for (int i = 0; i < 60; i++)
        arrivals[(i * 7) % 60] = sorted[i];
    assert_near(stream_fit_gap(60, arrivals), 0.877e-3, 1e-12);
    for (int i = 0; i < 60; i++)
        assert_near(arrivals[i], sorted[i], 0);
}

/* A timeout in the steady part is part of the mean. */
static void test_loss(void **state)
{
    (void)state;
    double arrivals[41];
    arrivals_make(41, arrivals, 0.1e-3, 1e-3, 0);
    for (int i = 25; i < 41; i++)
        arrivals[i] += 0.2;
    assert_near(stream_fit_gap(41, arrivals), 1e-3 + 0.2 / 30, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_steady), cmocka_unit_test(test_credit),
                                       cmocka_unit_test(test_order), cmocka_unit_test(test_loss)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
