#include "estimate/machine/nodes_fit.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { N = 6 };

static void assert_classes(size_t n, const struct node_times times[], size_t classes, const int expected[])
{
    int class_of[N];
    assert_int_equal(nodes_classify(n, times, 0.08, class_of), classes);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(class_of[i], expected[i]);
}

static void test_alike(void **state)
{
    (void)state;
    const struct node_times times[] = {{13.81e-3, 13.92e-3}, {13.79e-3, 14.3e-3}, {14.4e-3, 13.9e-3}};
    assert_classes(3, times, 1, (const int[]){0, 0, 0});
    assert_classes(1, times, 1, (const int[]){0});
}

/* 20, 10 and 5 Mbit/s, in any order; the quickest come first. */
static void test_rates(void **state)
{
    (void)state;
    const struct node_times times[] = {{13.8e-3, 13.9e-3}, {7.1e-3, 7e-3},     {27.5e-3, 27.2e-3},
                                       {7.2e-3, 7e-3},     {13.5e-3, 13.4e-3}, {27.1e-3, 27.9e-3}};
    assert_classes(6, times, 3, (const int[]){1, 0, 2, 0, 1, 2});
}

/* One direction is enough to differ in. */
static void test_direction(void **state)
{
    (void)state;
    const struct node_times times[] = {{7e-3, 7e-3}, {7e-3, 13.9e-3}, {7.1e-3, 7.1e-3}, {13.7e-3, 7e-3}};
    assert_classes(4, times, 3, (const int[]){0, 2, 0, 1});
}

/* Between neighbours there is no gap of 8 %, though there is between the ends. */
static void test_drift(void **state)
{
    (void)state;
    const struct node_times times[] = {{10e-3, 1e-3}, {10.7e-3, 1e-3}, {11.5e-3, 1e-3}, {12.4e-3, 1e-3}};
    assert_classes(4, times, 1, (const int[]){0, 0, 0, 0});
    const struct node_times gap[] = {{10e-3, 1e-3}, {10.7e-3, 1e-3}, {11.6e-3, 1e-3}, {12.4e-3, 1e-3}};
    assert_classes(4, gap, 2, (const int[]){0, 0, 1, 1});
}

/* A node of which nothing counted is like the quickest. */
static void test_unknown(void **state)
{
    (void)state;
    const struct node_times times[] = {{13.8e-3, 13.9e-3}, {NAN, NAN}, {7.1e-3, 7e-3}};
    assert_classes(3, times, 2, (const int[]){1, 0, 0});
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_alike), cmocka_unit_test(test_rates),
                                       cmocka_unit_test(test_direction), cmocka_unit_test(test_drift),
                                       cmocka_unit_test(test_unknown)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
