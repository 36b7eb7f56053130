#include "estimate/machine/owner_fit.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* A message of 14.2 ms, which keeps its port busy for 13.8. */
static const double ONE = 14.2e-3, BOTH = 28e-3;

static void test_node(void **state)
{
    (void)state;
    assert_int_equal(owner_fit(ONE, BOTH, BOTH), OWNER_node);
    assert_int_equal(owner_fit(ONE, BOTH, 27.1e-3), OWNER_node);
    assert_int_equal(owner_fit(ONE, BOTH, 35e-3), OWNER_node); /* processes that fight for it lose time besides */
}

static void test_process(void **state)
{
    (void)state;
    assert_int_equal(owner_fit(ONE, BOTH, ONE), OWNER_process);
    assert_int_equal(owner_fit(ONE, BOTH, 13.9e-3), OWNER_process);
    assert_int_equal(owner_fit(ONE, BOTH, 17.2e-3), OWNER_process);
}

/* Halfway, and where the second message adds next to nothing. */
static void test_unknown(void **state)
{
    (void)state;
    assert_int_equal(owner_fit(ONE, BOTH, 21e-3), OWNER_unknown);
    assert_int_equal(owner_fit(ONE, 17e-3, 17e-3), OWNER_unknown);
    assert_int_equal(owner_fit(ONE, 13e-3, 13e-3), OWNER_unknown);
    assert_int_equal(owner_fit(ONE, NAN, ONE), OWNER_unknown);
    assert_int_equal(owner_fit(ONE, BOTH, NAN), OWNER_unknown);
}

static void test_text(void **state)
{
    (void)state;
    assert_string_equal(owner_text(OWNER_unknown), "not to be told");
    assert_string_equal(owner_text(OWNER_process), "the port is the process's");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_node), cmocka_unit_test(test_process),
                                       cmocka_unit_test(test_unknown), cmocka_unit_test(test_text)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
