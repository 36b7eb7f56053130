/* Ports of which one size was measured wrong, and ports that are as they are. */
#include "estimate/machine/apart_fit.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define FRAME 1448
#define ALIKE 0.005
static const struct headers usual = {88, 66, true};

/* Of 0.8 us a byte on the wire, where the i-th takes `factor` of that. */
static size_t port_make(struct apart_gap gaps[], size_t wrong, double factor, double misfit)
{
    static const int64_t bytes[] = {0, 1024, 1400, 1448, 4096, 16384, 65480};
    const size_t n = sizeof bytes / sizeof *bytes;
    for (size_t i = 0; i < n; i++) {
        const double wire = (double)bytes[i] + 88 + 66 * floor((double)bytes[i] / FRAME);
        gaps[i] = (struct apart_gap){bytes[i], 0.8e-6 * wire * (i == wrong ? factor : 1), misfit * 0.8e-6 * wire};
    }
    return n;
}

static bool is_apart(size_t n, const struct apart_gap gaps[], size_t i)
{
    struct apart apart;
    return apart_fit(n, gaps, i, FRAME, &usual, ALIKE, &apart) && fabs(gaps[i].gap - apart.gap) > apart.spread;
}

static void neighbours_say_what_a_size_takes(void **state)
{
    (void)state;
    struct apart_gap gaps[7];
    struct apart apart;
    const size_t n = port_make(gaps, 7, 1, 0.001);
    for (size_t i = 0; i < n; i++) {
        assert_true(apart_fit(n, gaps, i, FRAME, &usual, ALIKE, &apart) == (i >= 4));
        if (i < 4)
            continue;
        assert_true(fabs(apart.gap / gaps[i].gap - 1) < 1e-9);
        assert_true(fabs(apart.spread / gaps[i].gap - (0.002 + 2 * ALIKE)) < 1e-9);
    }
    assert_false(apart_fit(n, gaps, 5, 0, &usual, ALIKE, &apart));      /* no frames are known */
    assert_false(apart_fit(5, gaps, 4, FRAME, &usual, ALIKE, &apart)); /* the only long one */
}

static void one_that_is_off_shows(void **state)
{
    (void)state;
    struct apart_gap gaps[7];
    size_t n = port_make(gaps, 5, 1.02, 0.001);
    assert_true(is_apart(n, gaps, 5));
    n = port_make(gaps, 5, 0.98, 0.001);
    assert_true(is_apart(n, gaps, 5));
    n = port_make(gaps, 5, 1.01, 0.001);
    assert_false(is_apart(n, gaps, 5));
    n = port_make(gaps, 5, 1.02, 0.01); /* no more than they are off themselves */
    for (size_t i = 0; i < n; i++)
        assert_false(is_apart(n, gaps, i));
    n = port_make(gaps, 3, 1.15, 0.001); /* where frames begin timers are late: no size beside it tells */
    for (size_t i = 0; i < n; i++)
        assert_false(is_apart(n, gaps, i));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(neighbours_say_what_a_size_takes), cmocka_unit_test(one_that_is_off_shows)};
    return cmocka_run_group_tests_name("apart fit", tests, NULL, NULL);
}
