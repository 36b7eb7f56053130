#include "estimate/stopping.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Ranks from sums of binomial coefficients in whole numbers; -1: no pair reaches the confidence. */
static void ranks_are_exact(void **state)
{
    (void)state;
    const struct { size_t n; long low95, low99; } table[] = {
        {1, -1, -1},   {5, -1, -1},   {6, 0, -1},    {7, 0, -1},    {8, 0, 0},         {9, 1, 0},
        {10, 1, 0},    {20, 5, 3},    {21, 5, 4},    {49, 17, 15},  {100, 39, 36},     {299, 132, 126},
        {1000, 468, 458}, {2995, 1443, 1426},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        for (int k = 0; k < 2; k++) {
            size_t low = 7777, high = 7777;
            long expected = k ? table[i].low99 : table[i].low95;
            bool found = stopping_median_ranks(table[i].n, k ? 0.99 : 0.95, &low, &high);
            assert_int_equal(found, expected >= 0);
            if (found) {
                assert_int_equal(low, expected);
                assert_int_equal(high, table[i].n - 1 - low);
            }
        }
    size_t low, high;
    assert_false(stopping_median_ranks(0, 0.95, &low, &high));
    assert_true(stopping_median_ranks(100001, 0.95, &low, &high));
    assert_int_equal(low, 49690);
    assert_true(stopping_median_ranks(1000000000, 0.95, &low, &high));
    assert_true(fabs((double)low - (5e8 - 1.959964 * sqrt(1e9) / 2)) < 2);
}

/* 1 .. 100 times 10: the median 505, its interval from the 40th to the 61st. */
static void precision_is_the_larger_side(void **state)
{
    (void)state;
    struct samples s = SAMPLES_EMPTY;
    for (int i = 1; i <= 100; i++)
        samples_add(&s, 10 * i);
    assert_float_equal(stopping_precision(&s, 0.95), 105.0 / 505, 1e-12);
    s.ns[60] += 77; /* still ascending up to there */
    assert_float_equal(stopping_precision(&s, 0.95), 182.0 / 505, 1e-12);
    samples_free(&s);
}

static void precision_of_odd_samples(void **state)
{
    (void)state;
    struct samples s = SAMPLES_EMPTY;
    for (int i = 0; i < 5; i++)
        samples_add(&s, 2385);
    assert_true(isinf(stopping_precision(&s, 0.95)));
    samples_add(&s, 2385);
    assert_float_equal(stopping_precision(&s, 0.95), 0, 0);
    samples_reset(&s);
    for (int i = 0; i < 6; i++)
        samples_add(&s, 0);
    assert_float_equal(stopping_precision(&s, 0.95), 0, 0);
    s.ns[5] = 4;
    assert_true(isinf(stopping_precision(&s, 0.95)));
    samples_free(&s);
}

/* A measurement with a clock that is only told: sample i takes `cost` seconds. */
static enum stop measure(const struct stopping *rule, int64_t median, int64_t spread, double cost, struct samples *s)
{
    double now = 0;
    uint64_t x = 88172645463325252u;
    for (;;) {
        size_t look = stopping_next_look(rule, s->n);
        while (s->n < look && now < rule->time_cap) {
            x ^= x << 13, x ^= x >> 7, x ^= x << 17;
            samples_add(s, median - spread + (int64_t)(x % (uint64_t)(2 * spread + 1)));
            now += cost;
        }
        enum stop stop = stopping_decide(rule, s, now);
        if (stop != STOP_go_on)
            return stop;
    }
}

static void it_stops_for_each_reason(void **state)
{
    (void)state;
    struct stopping rule = STOPPING_DEFAULT;
    struct samples s = SAMPLES_EMPTY;
    /* narrow: the tail's minimum decides */
    assert_int_equal(measure(&rule, 1000000, 1000, 1e-3, &s), STOP_precise);
    assert_int_equal(s.n, 299);
    /* wide: uniform +- 60 %; the interval's half-width is about 0.98 x 1.2 / sqrt(n), so some 2200 samples for 2.5 % */
    samples_reset(&s);
    assert_int_equal(measure(&rule, 1000000, 600000, 1e-3, &s), STOP_precise);
    assert_in_range(s.n, 1200, 4000);
    samples_sort(&s);
    assert_true(stopping_precision(&s, 0.95) <= 0.025);
    samples_reset(&s);
    rule.maximum = 500;
    assert_int_equal(measure(&rule, 1000000, 600000, 1e-3, &s), STOP_maximum);
    assert_int_equal(s.n, 500);
    /* before even the minimum */
    samples_reset(&s);
    rule.time_cap = 0.25;
    assert_int_equal(measure(&rule, 1000000, 1000, 1e-3, &s), STOP_time);
    assert_in_range(s.n, 250, 251);
    samples_free(&s);
}

/* The samples are left in their order. */
static void deciding_changes_nothing(void **state)
{
    (void)state;
    struct stopping rule = STOPPING_DEFAULT;
    struct samples s = SAMPLES_EMPTY;
    rule.minimum = 6;
    for (int64_t i = 6; i > 0; i--)
        samples_add(&s, 1000000 + i);
    assert_int_equal(stopping_decide(&rule, &s, 0.1), STOP_precise);
    assert_int_equal(s.ns[0], 1000006);
    assert_int_equal(s.ns[5], 1000001);
    samples_free(&s);
}

static void looks_grow(void **state)
{
    (void)state;
    struct stopping rule = STOPPING_DEFAULT;
    rule.maximum = 400;
    assert_int_equal(stopping_next_look(&rule, 0), 299);
    assert_int_equal(stopping_next_look(&rule, 298), 299);
    assert_int_equal(stopping_next_look(&rule, 299), 328);
    assert_int_equal(stopping_next_look(&rule, 390), 400);
    assert_int_equal(stopping_next_look(&rule, 400), 401);
    rule.minimum = 0;
    assert_int_equal(stopping_next_look(&rule, 3), 4);
}

static void texts_say_why(void **state)
{
    (void)state;
    assert_non_null(strstr(stop_text(STOP_maximum), "largest number"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_are_exact),          cmocka_unit_test(precision_is_the_larger_side),
        cmocka_unit_test(precision_of_odd_samples), cmocka_unit_test(it_stops_for_each_reason),
        cmocka_unit_test(deciding_changes_nothing), cmocka_unit_test(looks_grow),
        cmocka_unit_test(texts_say_why),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
