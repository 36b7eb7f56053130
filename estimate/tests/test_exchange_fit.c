#include "estimate/machine/exchange_fit.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Four series of 131072 bytes on two virtual hosts of 10 Mbit/s, s: the first six exchanges of each. */
static void as_measured(void **state)
{
    (void)state;
    static const double times[] = {
        0.111, 0.112, 0.113, 0.112, 0.112, 0.113, /* at once */
        0.114, 0.143, 0.218, 0.131, 0.218, 0.122, /* after the second, and the fourth */
        0.138, 0.218, 0.218, 0.218, 0.218, 0.218, /* after the first */
        0.111, 0.125, 0.129, 0.217, 0.218, 0.218, /* after the third */
    };
    const struct exchange_counts c = exchange_fit(4, 6, times, 0.1086);
    assert_int_equal(c.first, 4);
    assert_int_equal(c.first_known, 1);
    assert_int_equal(c.later, 8);
    assert_int_equal(c.later_known, 3);
}

static void nothing_follows(void **state)
{
    (void)state;
    const struct exchange_counts one = exchange_fit(3, 1, (double[]){1, 1, 2}, 1), none = exchange_fit(0, 5, NULL, 1);
    assert_int_equal(one.first + one.later, 0);
    assert_int_equal(none.first + none.later, 0);
}

/* Eight of eight went on one after the other, and stayed so: no later exchange passed both at once. */
static void what_none_did_the_others_say(void **state)
{
    (void)state;
    double times[8 * 3];
    for (int i = 0; i < 8; i++) {
        times[3 * i] = 0.111;
        times[3 * i + 1] = times[3 * i + 2] = 0.218;
    }
    const struct exchange_counts all = exchange_fit(8, 3, times, 0.1086);
    assert_int_equal(all.first, 8);
    assert_int_equal(all.later, 0);
    assert_true(exchange_known_after_rest(&all) == 1 && exchange_known(&all) == 1);
    const struct exchange_counts measured = {4, 1, 8, 3}, late = {0, 0, 4, 3}, none = {0};
    assert_true(exchange_known_after_rest(&measured) == 0.25 && exchange_known(&measured) == 0.375);
    assert_true(exchange_known_after_rest(&late) == 0.75 && exchange_known(&late) == 0.75);
    assert_true(isnan(exchange_known_after_rest(&none)) && isnan(exchange_known(&none)));
}

/* Pairs of a wait and an exchange, ns; a wait of an even number lies between two. */
static void behind_short_ones_each_counts(void **state)
{
    (void)state;
    int64_t ns[] = {40000, 111000000, 60000, 218000000, 52000, 120000000, 48000, 219000000};
    const struct samples all = {.n = 8, .capacity = 8, .ns = ns}, none = SAMPLES_EMPTY;
    const struct exchange_behind_counts c = exchange_behind_fit(&all, 0.1086);
    assert_int_equal(c.n, 4);
    assert_int_equal(c.known, 2);
    assert_true(fabs(c.waited - 50e-6) < 1e-12);
    assert_int_equal(exchange_behind_fit(&none, 0.1086).n, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(behind_short_ones_each_counts), cmocka_unit_test(as_measured), cmocka_unit_test(nothing_follows),
                                       cmocka_unit_test(what_none_did_the_others_say)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
