/* Which rail is next, as Open MPI 4.1 takes them; and of UCX, which takes none by turns, nothing is asked here. */
#include "network/rails.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void expect_rails(int rails, const int more[6], const int expected[6])
{
    uint8_t turns = 0;
    for (int i = 0; i < 6; i++)
        assert_int_equal(rails_take(&turns, rails, more[i]), expected[i]);
}

static void two_turns_for_each_send(void **state)
{
    (void)state;
    static const int two[] = {2, 2, 2, 2, 2, 2};
    expect_rails(1, two, (const int[]){0, 0, 0, 0, 0, 0});
    expect_rails(2, two, (const int[]){1, 1, 1, 1, 1, 1});
    expect_rails(3, two, (const int[]){1, 0, 2, 1, 0, 2});
    expect_rails(4, two, (const int[]){1, 3, 1, 3, 1, 3});
    expect_rails(RAILS_MOST, two, (const int[]){1, 3, 5, 7, 9, 11});
}

/* A synchronous send takes one, so those behind it go by the other of two. */
static void one_for_a_synchronous_send(void **state)
{
    (void)state;
    expect_rails(2, (const int[]){1, 1, 2, 2, 1, 2}, (const int[]){0, 1, 1, 1, 0, 0});
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(two_turns_for_each_send), cmocka_unit_test(one_for_a_synchronous_send)};
    return cmocka_run_group_tests_name("rails", tests, NULL, NULL);
}
