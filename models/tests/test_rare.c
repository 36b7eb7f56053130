/* How often messages are late, where few of a size were measured: worked out by hand. */
#include "models/measured/rare.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define MS 1e-3

/* n messages that take from `time` on, 1 % of that apart, and some that take from `late` on. */
static struct distribution size_of(double n, double time, double n_late, double late)
{
    struct distribution d;
    distribution_histogram(&d, 3, (double[]){time, 1.01 * time, late, 1.01 * late}, (double[]){n, 0, n_late});
    return d;
}

static double late_part(const struct distribution *d, double late)
{
    double low = 0, high = 1;
    for (int i = 0; i < 60; i++) {
        const double middle = (low + high) / 2;
        if (distribution_quantile(d, middle) < late)
            low = middle;
        else
            high = middle;
    }
    return 1 - high;
}

/* 2000 of 1.005 ms, of which none is late, and 29 of 13.07 ms, one of which takes 155. Who takes 13.07 and what lasts 141.93 meet
 * in proportion to 155, of all times likewise; medians are in the middle of a bin. */
static void one_of_few_counts_by_time(void **state)
{
    (void)state;
    struct distribution a = size_of(2000, 1 * MS, 0, 2 * MS), b = size_of(28, 13 * MS, 1, 155 * MS), out[2];
    const struct distribution *const part[] = {&a, &b};
    const double middle = 13 * MS * (1 + 0.01 * 14.5 / 28), later = 155 * MS - middle,
                 part_late = 155 * MS / (2000 * (1.005 * MS + later) + 29 * 155 * MS);
    rare_pool(2, part, out);
    assert_int_equal(out[0].n, 0);
    assert_true(out[1].n > 0);
    assert_true(fabs(late_part(&out[1], 155 * MS) - part_late) < 1e-9);
    assert_true(fabs(distribution_quantile(&out[1], 0.5) - 13 * MS * (1 + 0.005 / (1 - part_late))) < 1e-9);
    assert_true(distribution_quantile(&out[1], 0) == b.t[0] && distribution_quantile(&out[1], 1) == b.t[b.n - 1]);
    distribution_free(&out[1]);
    distribution_free(&a);
    distribution_free(&b);
}

/* The same with 10 of 29, where 0.16 are expected: its own. */
static void many_are_its_own(void **state)
{
    (void)state;
    struct distribution a = size_of(2000, 1 * MS, 0, 2 * MS), b = size_of(19, 13 * MS, 10, 155 * MS), out[2];
    const struct distribution *const part[] = {&a, &b};
    rare_pool(2, part, out);
    assert_int_equal(out[1].n, 0);
    distribution_free(&a);
    distribution_free(&b);
}

/* Less than twice the median is not late; alone a size says what it says; what nobody has counted stays. */
static void others_stay(void **state)
{
    (void)state;
    struct distribution a = size_of(2000, 1 * MS, 0, 2 * MS), b = size_of(28, 13 * MS, 1, 25 * MS),
                        c = size_of(28, 13 * MS, 1, 155 * MS), points, out[2];
    distribution_points(&points, 4, (double[]){0, 0.9, 0.9, 1}, (double[]){13 * MS, 14 * MS, 150 * MS, 160 * MS});
    rare_pool(2, (const struct distribution *const[]){&a, &b}, out);
    assert_true(out[0].n == 0 && out[1].n == 0);
    rare_pool(1, (const struct distribution *const[]){&c}, out);
    assert_int_equal(out[0].n, 0);
    rare_pool(2, (const struct distribution *const[]){&a, &points}, out);
    assert_true(out[0].n == 0 && out[1].n == 0);
    distribution_free(&a);
    distribution_free(&b);
    distribution_free(&c);
    distribution_free(&points);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_of_few_counts_by_time), cmocka_unit_test(many_are_its_own),
                                       cmocka_unit_test(others_stay)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
