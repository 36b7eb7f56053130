/* When frames of short messages are acknowledged by frames of their own (network/acknowledging.h). */
#include "network/acknowledging.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static const double SOON = 0.001, TIMEOUT = 0.21;

static void what_goes_one_way_is_acknowledged_at_once(void **state)
{
    (void)state;
    struct acknowledging a = ACKNOWLEDGING_NONE;
    for (int i = 0; i < 5; i++)
        assert_true(acknowledging_heard(&a, true, TIMEOUT, i * SOON));
}

static void answers_carry_it(void **state)
{
    (void)state;
    struct acknowledging a = ACKNOWLEDGING_NONE;
    assert_true(acknowledging_heard(&a, true, TIMEOUT, 0));
    for (int i = 1; i < 5; i++) {
        acknowledging_sent(&a, (2 * i - 1) * SOON);
        assert_false(acknowledging_heard(&a, true, TIMEOUT, 2 * i * SOON));
    }
}

static void the_next_is_quick_where_it_does_not_answer(void **state)
{
    (void)state;
    struct acknowledging a = {.heard = 0};
    assert_false(acknowledging_is_quick(&a));
    acknowledging_soon(&a);
    acknowledging_soon(&a);
    assert_true(acknowledging_is_quick(&a));
    acknowledging_acknowledged(&a);
    assert_false(acknowledging_is_quick(&a));
    a.answers = true;
    acknowledging_soon(&a);
    assert_false(acknowledging_is_quick(&a));
}

/* Of several frames without an answer every second one. */
static void the_second_is_not_waited_for(void **state)
{
    (void)state;
    struct acknowledging a = {.heard = 0, .answers = true};
    for (int i = 1; i < 7; i++)
        assert_int_equal(acknowledging_heard(&a, true, TIMEOUT, i * SOON), i % 2 == 0);
}

static void who_is_late_no_longer_answers(void **state)
{
    (void)state;
    struct acknowledging a = {.heard = 0, .answers = true};
    assert_false(acknowledging_heard(&a, true, TIMEOUT, 1));
    assert_true(acknowledging_heard(&a, true, TIMEOUT, 1 + 2 * ACKNOWLEDGING_DELAY));
    acknowledging_sent(&a, 1 + 4 * ACKNOWLEDGING_DELAY);
    assert_true(acknowledging_heard(&a, true, TIMEOUT, 1 + 4 * ACKNOWLEDGING_DELAY + SOON));
}

static void what_is_not_read_is_owed(void **state)
{
    (void)state;
    struct acknowledging a = ACKNOWLEDGING_NONE;
    assert_false(acknowledging_heard(&a, false, TIMEOUT, 0));
    assert_false(acknowledging_heard(&a, false, TIMEOUT, SOON));
    assert_true(acknowledging_heard(&a, true, TIMEOUT, 2 * SOON));
    assert_int_equal(a.owed, 0);
}

/* One frame an answer may carry, of several it acknowledges when it reads. */
static void who_reads_acknowledges(void **state)
{
    (void)state;
    struct acknowledging one_way = ACKNOWLEDGING_NONE, answers = {.heard = 0, .answers = true};
    assert_false(acknowledging_read(&one_way));
    assert_false(acknowledging_heard(&one_way, false, TIMEOUT, SOON) || acknowledging_heard(&answers, false, TIMEOUT, SOON));
    assert_true(acknowledging_read(&one_way));
    assert_false(acknowledging_read(&one_way));
    assert_false(acknowledging_read(&answers));
    assert_false(acknowledging_heard(&answers, false, TIMEOUT, 2 * SOON));
    assert_true(acknowledging_read(&answers));
    assert_false(acknowledging_read(&answers));
}

/* n frames that are read as they come from `from` on, each of which is acknowledged: how many of them at once. */
static int quick_ones(struct acknowledging *a, int n, double from)
{
    int quick = 0;
    for (int i = 0; i < n; i++) {
        acknowledging_heard(a, true, TIMEOUT, from + i * SOON);
        quick += acknowledging_is_quick(a);
        acknowledging_acknowledged(a);
    }
    return quick;
}

static void sixteen_are_quick_behind_a_rest(void **state)
{
    (void)state;
    struct acknowledging a = ACKNOWLEDGING_NONE;
    assert_int_equal(quick_ones(&a, 30, 0), 16);
    assert_int_equal(quick_ones(&a, 30, 29 * SOON + 0.9 * TIMEOUT), 0);
    assert_int_equal(quick_ones(&a, 10, 1), 10);
    assert_int_equal(quick_ones(&a, 30, 2), 16);
}

static void who_answers_is_not_quick(void **state)
{
    (void)state;
    struct acknowledging a = ACKNOWLEDGING_NONE;
    a.answers = true;
    acknowledging_heard(&a, true, TIMEOUT, 0);
    assert_false(acknowledging_is_quick(&a));
    a.answers = false;
    assert_true(acknowledging_is_quick(&a));
}

static void what_comes_twice_is_acknowledged_at_once(void **state)
{
    (void)state;
    struct acknowledging a = {.heard = 0, .answers = true};
    acknowledging_heard_again(&a);
    assert_false(a.answers);
    assert_int_equal(quick_ones(&a, 30, SOON), 16);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_goes_one_way_is_acknowledged_at_once),
        cmocka_unit_test(answers_carry_it),
        cmocka_unit_test(the_second_is_not_waited_for),
        cmocka_unit_test(the_next_is_quick_where_it_does_not_answer),
        cmocka_unit_test(who_is_late_no_longer_answers),
        cmocka_unit_test(what_is_not_read_is_owed),
        cmocka_unit_test(who_reads_acknowledges),
        cmocka_unit_test(sixteen_are_quick_behind_a_rest),
        cmocka_unit_test(who_answers_is_not_quick),
        cmocka_unit_test(what_comes_twice_is_acknowledged_at_once),
    };
    return cmocka_run_group_tests_name("acknowledging", tests, NULL, NULL);
}
