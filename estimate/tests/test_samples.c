#include "estimate/samples.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void quantiles_are_measured_times(void **state)
{
    (void)state;
    struct samples s = SAMPLES_EMPTY;
    const int64_t values[] = {2385, 17, -4, 901, 60};
    samples_append(&s, 5, values);
    samples_sort(&s);
    /* ascending: -4 17 60 901 2385; each has a fifth */
    assert_int_equal(samples_quantile(&s, 0), -4);
    assert_int_equal(samples_quantile(&s, 0.2), -4);
    assert_int_equal(samples_quantile(&s, 0.2000001), 17);
    assert_int_equal(samples_quantile(&s, 0.5), 60);
    assert_int_equal(samples_quantile(&s, 0.6), 60);
    assert_int_equal(samples_quantile(&s, 0.99), 2385);
    assert_int_equal(samples_quantile(&s, 1), 2385);
    samples_free(&s);
}

/* p n is an integer for every hundredth of 100 samples: the k-th hundredth is the k-th sample, whatever p n rounds
 * to. */
static void quantiles_of_a_hundred(void **state)
{
    (void)state;
    struct samples s = SAMPLES_EMPTY;
    for (int i = 100; i >= 1; i--)
        samples_add(&s, 10 * i);
    samples_sort(&s);
    for (int k = 1; k <= 100; k++)
        assert_int_equal(samples_quantile(&s, k / 100.0), 10 * k);
    samples_free(&s);
}

static void median_and_mean(void **state)
{
    (void)state;
    struct samples s = SAMPLES_EMPTY;
    samples_add(&s, 7);
    assert_float_equal(samples_median(&s), 7, 0);
    samples_add(&s, 12);
    assert_float_equal(samples_median(&s), 9.5, 0);
    samples_add(&s, 2000000000000);
    assert_float_equal(samples_median(&s), 12, 0);
    samples_free(&s);
}

static void room_and_reset(void **state)
{
    (void)state;
    struct samples s;
    samples_init(&s);
    samples_append(&s, 1000, NULL);
    assert_int_equal(s.n, 0);
    int64_t *before = s.ns;
    for (int64_t i = 0; i < 1000; i++)
        samples_add(&s, i);
    assert_ptr_equal(s.ns, before);
    samples_reset(&s);
    assert_int_equal(s.n, 0);
    samples_add(&s, 31);
    assert_int_equal(s.ns[0], 31);
    samples_free(&s);
    assert_int_equal(s.n, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantiles_are_measured_times),
        cmocka_unit_test(quantiles_of_a_hundred),
        cmocka_unit_test(median_and_mean),
        cmocka_unit_test(room_and_reset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
