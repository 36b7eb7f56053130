/* Windows from bursts whose times are known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "estimate/window_fit.h"

/* As a port would that is brought a window of each of two messages in turn: 1 us a byte, 50 us under way. */
static struct window_burst burst(double bytes, double window)
{
    const double under_way = 50e-6, all = 2 * bytes * 1e-6;
    return (struct window_burst){under_way + all - window * 1e-6, under_way + all};
}

static void windows_are_found(void **state)
{
    (void)state;
    struct window_burst bursts[] = {burst(131072, 32768), burst(131072, 14480), burst(131072, 33304),
                                    burst(131072, 30000), burst(131072, 65536)};
    assert_true(window_fit(1, bursts, 131072) >= 32700 && window_fit(1, bursts, 131072) <= 32768);
    const double median = window_fit(5, bursts, 131072);
    assert_true(median > 32700 && median < 32769);
}

static void one_behind_the_other_is_no_window(void **state)
{
    (void)state;
    struct window_burst bursts[] = {burst(131072, 131072), burst(131072, 120000), burst(131072, 32768)};
    assert_true(window_fit(3, bursts, 131072) == 0);
    assert_true(window_fit(0, bursts, 131072) == 0);
}

static void frame_by_frame_is_the_least(void **state)
{
    (void)state;
    struct window_burst bursts[] = {{0.2, 0.2}};
    assert_true(window_fit(1, bursts, 131072) == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(windows_are_found),
                                       cmocka_unit_test(one_behind_the_other_is_no_window),
                                       cmocka_unit_test(frame_by_frame_is_the_least)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
