#include "estimate/machine/common_fit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const double PROCESSES[] = {2, 4, 8, 16};

static void one_after_another(void **state)
{
    (void)state;
    assert_float_equal(common_fit(4, PROCESSES, (double[]){20e-6, 32e-6, 64e-6, 128e-6}), 8e-6, 1e-12);
    assert_float_equal(common_fit(2, PROCESSES, (double[]){16e-6, 32e-6}), 8e-6, 1e-12);
    /* four processors: up to eight messages hardly slower than two */
    assert_float_equal(common_fit(4, PROCESSES, (double[]){20e-6, 20e-6, 24e-6, 40e-6}), 2.5e-6, 1e-12);
}

/* Of more messages the slowest is slower: that alone does not double. */
static void nothing_in_common(void **state)
{
    (void)state;
    assert_float_equal(common_fit(4, PROCESSES, (double[]){20e-6, 22e-6, 26e-6, 31e-6}), 0, 0);
    assert_float_equal(common_fit(4, PROCESSES, (double[]){20e-6, 20e-6, 20e-6, 19e-6}), 0, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_after_another), cmocka_unit_test(nothing_in_common)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
