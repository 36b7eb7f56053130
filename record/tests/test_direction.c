#include "record/direction.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

/* 12 processes are 3 by 2 by 2; the last axis is next in number. */
static const struct direction_grid BOX = {GRID_3, true};
enum { P = 12 };

static void test_partners(void **state)
{
    (void)state;
    int pairs = 0;
    for (int from = 0; from < P; from++)
        for (int to = 0; to < P; to++) {
            int x = to / 4 - from / 4, direction = direction_of(&BOX, from, to, P);
            if (from == to || x < -1 || x > 1) { /* all are neighbours along the other axes */
                assert_int_equal(direction, DIRECTION_NONE);
                continue;
            }
            pairs++;
            assert_in_range(direction, 0, DIRECTIONS - 1);
            assert_true(direction_exists(&BOX, direction, from, P));
            assert_int_equal(direction_of(&BOX, to, from, P), DIRECTIONS - 1 - direction);
        }
    assert_int_equal(pairs, 4 * 7 + 4 * 11 + 4 * 7);
}

static void test_ends(void **state)
{
    (void)state;
    int next = direction_of(&BOX, 0, 4, P); /* along the first axis */
    for (int process = 0; process < P; process++) {
        assert_int_equal(direction_exists(&BOX, next, process, P), process < 8);
        assert_int_equal(direction_exists(&BOX, DIRECTIONS - 1 - next, process, P), process >= 4);
    }
    assert_false(direction_exists(&BOX, next, P, P)); /* no such process */
}

/* Of one process the order of directions is that of its partners' numbers. */
static void test_order(void **state)
{
    (void)state;
    for (int a = 0; a < P; a++)
        for (int b = 0; b < P; b++) {
            int first = direction_of(&BOX, 5, a, P), second = direction_of(&BOX, 5, b, P);
            if (first != DIRECTION_NONE && second != DIRECTION_NONE)
                assert_int_equal(direction_before(&BOX, first, second), a < b);
        }
}

static void test_texts(void **state)
{
    (void)state;
    int direction = direction_of(&BOX, 5, 2, P); /* 1 0 1 to 0 1 0 */
    char *exists = direction_exists_text(&BOX, direction, "procnum", "numprocs");
    char *partner = direction_partner_text(&BOX, direction, "procnum", "numprocs");
    assert_string_equal(partner, "procnum-(dims_create(numprocs, 3, 2)*dims_create(numprocs, 3, 1))+dims_create(numprocs, 3, 2)-1");
    assert_string_equal(exists, "procnum/(dims_create(numprocs, 3, 2)*dims_create(numprocs, 3, 1))%dims_create(numprocs, 3, 0) > 0 && "
                                "procnum/(dims_create(numprocs, 3, 2))%dims_create(numprocs, 3, 1) < dims_create(numprocs, 3, 1)-1 && "
                                "procnum%dims_create(numprocs, 3, 2) > 0");
    free(exists);
    free(partner);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_partners),
        cmocka_unit_test(test_ends),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
