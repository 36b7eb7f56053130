/* How Linux's cubic lets a window grow (network/cubic.h). */
#include "network/cubic.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

/* A window all of which is acknowledged in each round trip, for `seconds`. */
static int32_t grown(struct cubic *c, int32_t window, double round_trip, double *now, double seconds)
{
    int32_t growth = 0;
    for (const double end = *now + seconds; *now < end;) {
        *now += round_trip / window;
        if (++growth >= cubic_wanted(c, window, *now)) {
            growth = 0;
            window++;
        }
    }
    return window;
}

static void one_for_twenty_before_a_loss(void **state)
{
    (void)state;
    struct cubic c = {0};
    for (int i = 0; i < 10; i++)
        assert_int_equal(cubic_wanted(&c, 30 + i, 0.1 * i), 20);
}

/* By long round trips no more than the curve, which is at 100 again when 70 + 0.4 K^3 is, and is flat there. */
static void the_curve_is_followed(void **state)
{
    (void)state;
    struct cubic c = {0};
    double now = 5;
    cubic_lose(&c, 100);
    assert_in_range(grown(&c, 70, 0.3, &now, 1), 82, 88);    /* 100 - 0.4 (4.22 - 1)^3 = 87 */
    now = 5;
    cubic_lose(&c, 100);
    c.most = 100;
    const int32_t window = grown(&c, 70, 0.3, &now, 4.2);
    assert_in_range(window, 97, 101);
    assert_in_range(grown(&c, window, 0.3, &now, 4.2), 120, 135); /* and as far above it as it was below */
}

/* By short ones as reno, a frame more for 1.9 windows, or somewhat later. */
static void short_round_trips_let_it_grow_as_reno_does(void **state)
{
    (void)state;
    struct cubic c = {0};
    double now = 0;
    cubic_lose(&c, 20);
    const int32_t window = grown(&c, 14, 0.005, &now, 0.25);
    assert_in_range(window, 14 + 50 / 4, 14 + 50 * 10 / 19);
}

static void a_rest_is_no_time(void **state)
{
    (void)state;
    struct cubic c = {0}, other = {0};
    double now = 0, later = 0;
    cubic_lose(&c, 100);
    cubic_lose(&other, 100);
    const int32_t window = grown(&c, 70, 0.3, &now, 0.9), same = grown(&other, 70, 0.3, &later, 0.9);
    cubic_rest(&other, 7);
    later += 7;
    assert_int_equal(window, same);
    assert_int_equal(grown(&c, window, 0.3, &now, 0.9), grown(&other, same, 0.3, &later, 0.9));
}

/* A second loss before the window was as large again leaves the others more; a timeout forgets both. */
static void losses_are_remembered(void **state)
{
    (void)state;
    struct cubic c = {0};
    cubic_lose(&c, 40);
    assert_int_equal(c.most, 40);
    cubic_lose(&c, 30);
    assert_int_equal(c.most, 25);
    cubic_lose(&c, 30);
    assert_int_equal(c.most, 30);
    cubic_forget(&c);
    assert_in_range(cubic_wanted(&c, 50, 1), 19, 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_for_twenty_before_a_loss), cmocka_unit_test(the_curve_is_followed),
        cmocka_unit_test(short_round_trips_let_it_grow_as_reno_does), cmocka_unit_test(a_rest_is_no_time),
        cmocka_unit_test(losses_are_remembered),
    };
    return cmocka_run_group_tests_name("cubic", tests, NULL, NULL);
}
