/* When slow start ends by what round trips show (network/slow_start.h). */
#include "network/slow_start.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static const double RTT = 0.0123, APART = 2.1e-3; /* further apart than acknowledgements of a train */

/* n more acknowledgements of a round, each of a frame, `apart` after the one before. */
static bool listen(struct slow_start *s, int n, int32_t window, uint32_t *first, double round_trip, double apart, double *now)
{
    bool over = false;
    for (int i = 0; i < n && !over; i++) {
        *now += apart;
        over = slow_start_listen(s, window, ++*first, 1000, round_trip, *now);
    }
    return over;
}

static struct slow_start begun(uint32_t first, double now)
{
    struct slow_start s = {.least = RTT, .round_end = first - 1};
    assert_false(slow_start_listen(&s, 16, first, 1000, RTT, now));
    assert_int_equal(s.round_end, 1000);
    return s;
}

/* The ninth round trip of a round tells, if all of it are 4 ms above the least of all. */
static void a_delay_ends_it(void **state)
{
    (void)state;
    uint32_t first = 1001;
    double now = 1;
    struct slow_start s = begun(1, now);
    assert_false(slow_start_listen(&s, 16, first, 2000, RTT + 4.1e-3, now += APART)); /* a round begins */
    assert_int_equal(s.round_end, 2000);
    assert_false(listen(&s, 7, 16, &first, RTT + 4.2e-3, APART, &now));
    assert_true(listen(&s, 1, 16, &first, RTT + 4.2e-3, APART, &now));
    assert_true(s.over);
}

static void a_shorter_one_or_a_small_window_does_not(void **state)
{
    (void)state;
    const struct {
        int32_t window;
        double delay, once;
    } cases[] = {{16, 3.9e-3, 3.9e-3}, {15, 9e-3, 9e-3}, {16, 9e-3, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint32_t first = 1001;
        double now = 1;
        struct slow_start s = begun(1, now);
        assert_false(slow_start_listen(&s, cases[i].window, first, 2000, RTT + cases[i].once, now += APART));
        assert_false(listen(&s, 30, cases[i].window, &first, RTT + cases[i].delay, APART, &now));
    }
}

/* Half of the least round trip, and a millisecond of the device. */
static void a_train_ends_it(void **state)
{
    (void)state;
    uint32_t first = 1;
    double now = 1;
    struct slow_start s = begun(first, now);
    const int lasts = (int)((RTT + 1e-3) / 2 / 1.5e-4);
    assert_false(listen(&s, lasts, 40, &first, RTT, 1.5e-4, &now));
    assert_true(listen(&s, 1, 40, &first, RTT, 1.5e-4, &now));
    now = 2;
    s = begun(first = 1, now);
    assert_false(listen(&s, 100, 40, &first, RTT, APART, &now));
}

static void where_nobody_listens(void **state)
{
    (void)state;
    assert_true(slow_start_window(1.2e-3) == 16 + 8);
    assert_true(slow_start_window(0.12e-3) == 34 + 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_delay_ends_it),
        cmocka_unit_test(a_shorter_one_or_a_small_window_does_not),
        cmocka_unit_test(a_train_ends_it),
        cmocka_unit_test(where_nobody_listens),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
