#include "sim/statistics.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#define assert_close(a, b, tolerance) assert_true(fabs((a) - (b)) <= (tolerance) * fabs(b))

/* 2, 4, 4, 4, 5, 5, 7, 9 in another order: mean 5, sum of squares about it 32, sd sqrt(32 / 7). Sorted positions at
 * p (n - 1): 0.05 * 7 = 0.35 between 2 and 4; 3.5 between 4 and 5; 6.65 between 7 and 9. t(0.975, 7)
 * = 2.364624251592785. */
static void figures_worked_by_hand(void **state)
{
    (void)state;
    const double values[] = {9, 2, 4, 5, 4, 7, 5, 4};
    struct statistics s;
    statistics_compute(&s, 8, values);
    assert_int_equal(s.n, 8);
    assert_close(s.mean, 5.0, 1e-15);
    assert_close(s.sd, 2.138089935299395, 1e-14);
    assert_close(s.ci95, 2.364624251592785 * 2.138089935299395 / 2.8284271247461903, 1e-9);
    assert_close(s.min, 2.0, 0);
    assert_close(s.p5, 2.7, 1e-14);
    assert_close(s.median, 4.5, 1e-15);
    assert_close(s.p95, 8.3, 1e-14);
    assert_close(s.max, 9.0, 0);
}

/* t(0.975, 1) = 12.7062047361747: two values 2.385 and 2.389. */
static void two_values(void **state)
{
    (void)state;
    const double values[] = {2.389, 2.385};
    struct statistics s;
    statistics_compute(&s, 2, values);
    assert_close(s.mean, 2.387, 1e-15);
    assert_close(s.sd, 0.004 / sqrt(2), 1e-12);
    assert_close(s.ci95, 12.7062047361747 * 0.002, 1e-9);
    assert_close(s.median, 2.387, 1e-15);
}

/* A normal law about one value; two far apart, of which each holds half: Phi(-1.2815515655446004) = 0.1; nothing below
 * 0; nothing changes without an error. */
static void errors_widen_quantiles_and_nothing_else(void **state)
{
    (void)state;
    const double one[] = {2.385}, two[] = {100, 2.385}, low[] = {0.1};
    struct statistics s, before;
    statistics_compute(&s, 1, one);
    statistics_widen(&s, 1, one, 0.1);
    assert_close(s.p5, 2.385 - 0.16448536269514729, 1e-11);
    assert_close(s.median, 2.385, 1e-11);
    assert_close(s.p95, 2.385 + 0.16448536269514729, 1e-11);
    assert_true(s.mean == 2.385 && s.min == 2.385 && s.max == 2.385);
    statistics_compute(&s, 2, two);
    statistics_widen(&s, 2, two, 0.5);
    assert_close(s.p5, 2.385 - 0.5 * 1.2815515655446004, 1e-9);
    assert_close(s.p95, 100 + 0.5 * 1.2815515655446004, 1e-9);
    statistics_compute(&s, 1, low);
    statistics_widen(&s, 1, low, 1);
    assert_true(s.p5 == 0 && s.p95 > 1.7);
    statistics_compute(&before, 2, two);
    s = before;
    statistics_widen(&s, 2, two, 0);
    assert_memory_equal(&s, &before, sizeof s);
}

static void one_value_has_no_spread(void **state)
{
    (void)state;
    const double values[] = {2.385};
    struct statistics s;
    statistics_compute(&s, 1, values);
    assert_true(s.mean == 2.385 && s.min == 2.385 && s.p5 == 2.385 && s.median == 2.385 && s.p95 == 2.385 &&
                s.max == 2.385);
    assert_true(isnan(s.sd) && isnan(s.ci95));
}

/* Equal values must give a spread of exactly zero: stopping rules look at it. */
static void equal_values_have_zero_spread(void **state)
{
    (void)state;
    double values[1000];
    for (int i = 0; i < 1000; i++)
        values[i] = 0.1;
    struct statistics s;
    statistics_compute(&s, 1000, values);
    assert_true(s.sd == 0 && s.ci95 == 0 && s.mean == 0.1 && s.p95 == 0.1);
}

/* A spread of 1e-9 on top of 1e6: the sum of squares alone would lose it. */
static void small_spread_on_a_large_mean(void **state)
{
    (void)state;
    double values[64];
    for (int i = 0; i < 64; i++)
        values[i] = 1e6 + (i % 2 ? 0x1p-10 : -0x1p-10);
    struct statistics s;
    statistics_compute(&s, 64, values);
    assert_close(s.mean, 1e6, 1e-15);
    assert_close(s.sd, 0x1p-10 * sqrt(64.0 / 63), 1e-6);
}

static void mean_alone_agrees(void **state)
{
    (void)state;
    const double values[] = {3.25, 1.5, 8.125};
    struct statistics all, mean;
    statistics_compute(&all, 3, values);
    statistics_compute_mean(&mean, 3, values);
    assert_true(all.mean == mean.mean && all.sd == mean.sd && all.ci95 == mean.ci95);
    assert_true(isnan(mean.median) && isnan(mean.min));
}

/* 12 of 64, z = 1.9599640: centre (0.1875 + 0.0300114) / 1.0600228, half 1.9599640 * sqrt(0.0023804 + 0.0002345) /
 * 1.0600228. */
static void wilson_worked_by_hand(void **state)
{
    (void)state;
    double low, high;
    statistics_wilson(12, 64, &low, &high);
    assert_close(low, 0.11064643, 1e-6);
    assert_close(high, 0.29974361, 1e-6);
    statistics_wilson(0, 16, &low, &high);
    assert_true(low == 0);
    assert_close(high, 3.84145882 / (16 + 3.84145882), 1e-8);
    statistics_wilson(16, 16, &low, &high);
    assert_close(low, 16 / (16 + 3.84145882), 1e-8);
    assert_true(high == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_worked_by_hand),       cmocka_unit_test(two_values),
        cmocka_unit_test(errors_widen_quantiles_and_nothing_else),
        cmocka_unit_test(one_value_has_no_spread),      cmocka_unit_test(equal_values_have_zero_spread),
        cmocka_unit_test(small_spread_on_a_large_mean), cmocka_unit_test(mean_alone_agrees),
        cmocka_unit_test(wilson_worked_by_hand),
    };
    cmocka_set_message_output(CM_OUTPUT_STDOUT);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
