#include "measure/sends.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* The first with the last, and so on; those in the middle, and who is not the first process of a node, with nobody. */
static void partners_are_the_ends(void **state)
{
    (void)state;
    static const struct {
        int turn, nodes, pairs, partner;
    } cases[] = {{0, 4, 2, 3}, {3, 4, 2, 0}, {1, 4, 2, 2}, {2, 4, 2, 1}, {4, 4, 2, -1}, {2, 5, 2, -1},
                 {1, 5, 1, -1}, {4, 5, 1, 0}, {5, 5, 2, -1}, {1, 2, 1, 0}, {2, 2, 1, -1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(sends_partner(cases[i].turn, cases[i].nodes, cases[i].pairs), cases[i].partner);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(partners_are_the_ends)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
