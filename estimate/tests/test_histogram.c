#include "estimate/histogram.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Every value lies in the range of its bin, and neighbours' indices ascend by one where the bin changes. */
static void check_value(const struct histogram *h, int64_t v)
{
    int64_t low, high, index = histogram_index(h, v);
    histogram_range(h, index, &low, &high);
    assert_true(low <= v);
    assert_true(v < high || (v == INT64_MAX && high == INT64_MAX));
    if (low > INT64_MIN)
        assert_int_equal(histogram_index(h, low - 1), index - 1);
    if (high < INT64_MAX)
        assert_int_equal(histogram_index(h, high), index + 1);
    assert_int_equal(histogram_index(h, low), index);
}

static void every_value_has_a_bin(void **state)
{
    (void)state;
    struct histogram layouts[4];
    histogram_init(&layouts[0], 0.01);
    histogram_init(&layouts[1], 0.3);
    histogram_init_linear(&layouts[2], 1000);
    histogram_init_linear(&layouts[3], 1);
    for (int l = 0; l < 4; l++) {
        for (int64_t v = -300; v <= 300; v++)
            check_value(&layouts[l], v);
        for (int bit = 1; bit < 63; bit++)
            for (int64_t d = -2; d <= 2; d++) {
                check_value(&layouts[l], (INT64_C(1) << bit) + d);
                check_value(&layouts[l], -(INT64_C(1) << bit) + d);
            }
        check_value(&layouts[l], INT64_MAX);
        check_value(&layouts[l], INT64_MIN);
        check_value(&layouts[l], INT64_MIN + 1);
    }
}

static void bins_are_narrow(void **state)
{
    (void)state;
    const double widths[] = {0.01, 0.3, 1, 0.001};
    for (int w = 0; w < 4; w++) {
        struct histogram h;
        histogram_init(&h, widths[w]);
        for (int64_t v = 1; v < INT64_MAX / 3; v += v / 4 + 1) {
            int64_t low, high;
            histogram_range(&h, histogram_index(&h, v), &low, &high);
            assert_true(high - low == 1 || (double)(high - low) <= widths[w] * (double)low);
            histogram_range(&h, histogram_index(&h, -v), &low, &high);
            assert_true(high - low == 1 || (double)(high - low) <= widths[w] * (double)-high);
        }
    }
}

static void statistics_are_exact(void **state)
{
    (void)state;
    struct histogram h;
    histogram_init(&h, 0.01);
    histogram_add(&h, 2385077, 3);
    histogram_add(&h, -12, 1);
    histogram_add(&h, 200000000123, 1);
    histogram_add(&h, 5, 0);
    assert_int_equal(h.count, 5);
    assert_int_equal(h.minimum, -12);
    assert_int_equal(h.maximum, 200000000123);
    assert_true(h.sum == 3.0 * 2385077 - 12 + 200000000123.0);
    histogram_free(&h);
}

static void merging_equals_adding(void **state)
{
    (void)state;
    struct histogram a, b, both;
    histogram_init(&a, 0.02);
    histogram_init(&b, 0.02);
    histogram_init(&both, 0.02);
    uint64_t x = 88172645463325252u; /* xorshift */
    for (int i = 0; i < 3000; i++) {
        x ^= x << 13, x ^= x >> 7, x ^= x << 17;
        int64_t v = (int64_t)(x >> (20 + x % 40));
        histogram_add(i % 3 ? &a : &b, v, 1 + i % 2);
        histogram_add(&both, v, 1 + i % 2);
    }
    struct histogram empty;
    histogram_init(&empty, 0.02);
    histogram_merge(&a, &b);
    histogram_merge(&a, &empty);
    histogram_merge(&empty, &a);
    assert_int_equal(a.n, both.n);
    assert_memory_equal(a.bins, both.bins, both.n * sizeof *both.bins);
    assert_int_equal(a.count, both.count);
    assert_int_equal(empty.minimum, both.minimum);
    assert_int_equal(empty.maximum, both.maximum);
    assert_true(a.sum == both.sum);
    histogram_free(&a);
    histogram_free(&b);
    histogram_free(&both);
    histogram_free(&empty);
}

/* 999 messages around 2.23 ms and one retransmission: the hole between them is one bin of nothing. */
static void a_tail_keeps_its_place(void **state)
{
    (void)state;
    struct histogram h;
    struct histogram_table table;
    histogram_init(&h, 0.01);
    for (int i = 0; i < 999; i++)
        histogram_add(&h, 2230000 + 40 * i, 1);
    histogram_add(&h, 203117001, 1);
    histogram_table(&h, &table);
    assert_int_equal(table.edges[0], 2230000);
    assert_int_equal(table.edges[table.n], 203117002);
    assert_int_equal(table.counts[table.n - 1], 1);
    assert_int_equal(table.counts[table.n - 2], 0);
    assert_true(table.edges[table.n - 1] <= 203117001 && table.edges[table.n - 1] > 201000000);
    assert_true(table.n < 10);
    int64_t sum = 0;
    for (size_t i = 0; i < table.n; i++) {
        assert_true(table.edges[i] < table.edges[i + 1]);
        sum += table.counts[i];
    }
    assert_int_equal(sum, 1000);
    histogram_table_free(&table);
    histogram_free(&h);
}

static void small_tables(void **state)
{
    (void)state;
    struct histogram h;
    struct histogram_table table;
    histogram_init_linear(&h, 1000);
    histogram_table(&h, &table);
    assert_int_equal(table.n, 0);
    histogram_table_free(&table);
    histogram_add(&h, 7385, 4);
    histogram_table(&h, &table);
    assert_int_equal(table.n, 1);
    assert_int_equal(table.edges[0], 7385);
    assert_int_equal(table.edges[1], 7386);
    assert_int_equal(table.counts[0], 4);
    histogram_table_free(&table);
    histogram_free(&h);
}

static void quantiles_lie_in_their_bin(void **state)
{
    (void)state;
    struct histogram h;
    struct samples s = SAMPLES_EMPTY;
    histogram_init(&h, 0.01);
    for (int64_t i = 1; i <= 1000; i++)
        samples_add(&s, i * i * 17);
    histogram_add_samples(&h, &s);
    for (int k = 0; k <= 100; k++) {
        int64_t exact = samples_quantile(&s, k / 100.0), found = histogram_quantile(&h, k / 100.0);
        assert_int_equal(histogram_index(&h, exact), histogram_index(&h, found));
    }
    assert_int_equal(histogram_quantile(&h, 0), 17);
    samples_free(&s);
    histogram_free(&h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_value_has_a_bin),   cmocka_unit_test(bins_are_narrow),
        cmocka_unit_test(statistics_are_exact),    cmocka_unit_test(merging_equals_adding),
        cmocka_unit_test(a_tail_keeps_its_place),  cmocka_unit_test(small_tables),
        cmocka_unit_test(quantiles_lie_in_their_bin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
