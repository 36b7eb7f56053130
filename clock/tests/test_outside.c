#include "clock/outside.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Binomial, 0.05: of 9, 4 and more have probability 0.0006, 3 and more 0.0084; of 1000, 73 and more 0.00101, 74
 * and more 0.00065. */
static void the_distribution_decides(void **state)
{
    (void)state;
    assert_true(outside_is_chance(0, 0, 0));
    assert_true(outside_is_chance(0, 9, 9));
    assert_true(outside_is_chance(3, 9, 9));
    assert_false(outside_is_chance(4, 9, 9));
    assert_true(outside_is_chance(73, 1000, 1000));
    assert_false(outside_is_chance(74, 1000, 1000));
}

/* 32 looks between two synchronisations: more than 1 in 20 of all, and yet less than one block. */
static void looks_of_one_block_count_once(void **state)
{
    (void)state;
    assert_true(outside_is_chance(18, 9 * 32, 9));
    assert_true(outside_is_chance(3 * 32, 9 * 32, 9));
    assert_false(outside_is_chance(4 * 32, 9 * 32, 9));
    assert_false(outside_is_chance(1000 * 32 / 10, 1000 * 32, 1000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_distribution_decides),
        cmocka_unit_test(looks_of_one_block_count_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
