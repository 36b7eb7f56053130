#include "estimate/machine/flows_fit.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Two flows share what passes a message every 3.1 ms; the first messages come at once, and when the first flow has sent
 * its 12 the second has the rest for itself. */
static void test_gap(void **state)
{
    (void)state;
    struct flow_arrival arrivals[40];
    size_t n = 0;
    for (int i = 0; i < 24; i++)
        arrivals[n++] = (struct flow_arrival){i % 2, i < 4 ? 0.2e-3 : (i - 3) * 3.1e-3};
    for (int i = 0; i < 8; i++)
        arrivals[n++] = (struct flow_arrival){1, 20 * 3.1e-3 + (i + 1) * 1.55e-3};
    assert_true(fabs(flows_gap(n, arrivals, 2) - 3.1e-3) < 1e-9);
}

/* One flow alone, in any order. */
static void test_alone(void **state)
{
    (void)state;
    struct flow_arrival arrivals[16];
    for (int i = 0; i < 16; i++)
        arrivals[i] = (struct flow_arrival){0, (16 - i) * 2.385e-3};
    assert_true(fabs(flows_gap(16, arrivals, 1) - 2.385e-3) < 1e-12);
}

static void test_too_few(void **state)
{
    (void)state;
    struct flow_arrival arrivals[8];
    for (int i = 0; i < 8; i++)
        arrivals[i] = (struct flow_arrival){i % 2, 1e-3 * i};
    assert_true(isnan(flows_gap(8, arrivals, 2)));
    assert_true(isnan(flows_gap(0, arrivals, 1)));
}

static void test_sharing(void **state)
{
    (void)state;
    assert_int_equal(flows_sharing(1.73e-3, 1.7e-3, 4), SHARING_shared);
    assert_int_equal(flows_sharing(1.73e-3, 1.9e-3, 2), SHARING_shared);
    assert_int_equal(flows_sharing(1.73e-3, 0.45e-3, 4), SHARING_own);
    assert_int_equal(flows_sharing(1.73e-3, 0.9e-3, 4), SHARING_shared);
    assert_int_equal(flows_sharing(1.73e-3, 0.7e-3, 4), SHARING_unknown);
    assert_string_equal(sharing_text(SHARING_own), "each has its own");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_gap), cmocka_unit_test(test_alone),
                                       cmocka_unit_test(test_too_few), cmocka_unit_test(test_sharing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
