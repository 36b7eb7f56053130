/* Whose turn is first, against a plain list that is searched for the least. */
#include "engine/timed/turns.h"

#include "engine/random.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { MOST = 300 };

/* The first of the earliest turns; -1 where nobody has one. */
static int32_t plain_first(size_t n, const double time[])
{
    int32_t first = -1;
    for (size_t i = 0; i < n; i++)
        if (time[i] < TURN_NEVER && (first < 0 || time[i] < time[first]))
            first = (int32_t)i;
    return first;
}

static void expect_first(const struct turns *turns, const double time[])
{
    int32_t first = plain_first(turns->n, time);
    if (first < 0) {
        assert_true(turns_first_time(turns) == TURN_NEVER);
        return;
    }
    assert_true(turns_first_time(turns) == time[first]);
    assert_int_equal(turns_first(turns), first);
}

/* Few different times, so that many turns are at once. */
static void the_earliest_is_first_and_of_those_the_lowest(void **state)
{
    (void)state;
    static const size_t sizes[] = {1, 2, 3, 4, 5, 15, 16, 17, 64, 65, MOST};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        struct turns turns;
        double time[MOST] = {0};
        turns_init(&turns, sizes[s]);
        expect_first(&turns, time);
        for (uint64_t step = 0; step < 3000; step++) {
            uint32_t word = random_word(1, (uint32_t)s, 0, step, STREAM_SERIAL);
            size_t i = word % sizes[s];
            time[i] = word >> 28 < 4 ? TURN_NEVER : 0.25 * (double)(word >> 16 & 15);
            turns_set(&turns, (int32_t)i, time[i]);
            expect_first(&turns, time);
        }
        turns_free(&turns);
    }
}

static void nobody_has_a_turn_until_one_is_set(void **state)
{
    (void)state;
    struct turns turns;
    turns_init(&turns, 6);
    for (int32_t i = 0; i < 6; i++)
        turns_set(&turns, i, TURN_NEVER);
    assert_true(turns_first_time(&turns) == TURN_NEVER);
    turns_set(&turns, 5, 2.385);
    assert_true(turns_first_time(&turns) == 2.385);
    assert_int_equal(turns_first(&turns), 5);
    turns_clear(&turns);
    assert_true(turns_first_time(&turns) == TURN_NEVER);
    turns_set(&turns, 4, 7.25);
    assert_true(turns_first_time(&turns) == 7.25);
    assert_int_equal(turns_first(&turns), 4);
    turns_begin(&turns);
    assert_true(turns_first_time(&turns) == 0);
    assert_int_equal(turns_first(&turns), 0);
    turns_free(&turns);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_earliest_is_first_and_of_those_the_lowest),
        cmocka_unit_test(nobody_has_a_turn_until_one_is_set),
    };
    return cmocka_run_group_tests_name("turns", tests, NULL, NULL);
}
