/* When frames of short messages are acknowledged by frames of their own (network/acknowledging.h). */
#include "network/acknowledging.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static const double SOON = 0.001;

static void what_goes_one_way_is_acknowledged_at_once(void **state)
{
    (void)state;
    struct acknowledging a = ACKNOWLEDGING_NONE;
    for (int i = 0; i < 5; i++)
        assert_true(acknowledging_heard(&a, true, i * SOON));
}

static void answers_carry_it(void **state)
{
    (void)state;
    struct acknowledging a = ACKNOWLEDGING_NONE;
    assert_true(acknowledging_heard(&a, true, 0));
    for (int i = 1; i < 5; i++) {
        acknowledging_sent(&a, (2 * i - 1) * SOON);
        assert_false(acknowledging_heard(&a, true, 2 * i * SOON));
    }
}

/* Of several frames without an answer every second one. */
static void the_second_is_not_waited_for(void **state)
{
    (void)state;
    struct acknowledging a = {.heard = 0, .answers = true};
    for (int i = 1; i < 7; i++)
        assert_int_equal(acknowledging_heard(&a, true, i * SOON), i % 2 == 0);
}

static void who_is_late_no_longer_answers(void **state)
{
    (void)state;
    struct acknowledging a = {.heard = 0, .answers = true};
    assert_false(acknowledging_heard(&a, true, 1));
    assert_true(acknowledging_heard(&a, true, 1 + 2 * ACKNOWLEDGING_DELAY));
    acknowledging_sent(&a, 1 + 4 * ACKNOWLEDGING_DELAY);
    assert_true(acknowledging_heard(&a, true, 1 + 4 * ACKNOWLEDGING_DELAY + SOON));
}

static void what_is_not_read_is_owed(void **state)
{
    (void)state;
    struct acknowledging a = ACKNOWLEDGING_NONE;
    assert_false(acknowledging_heard(&a, false, 0));
    assert_false(acknowledging_heard(&a, false, SOON));
    assert_true(acknowledging_heard(&a, true, 2 * SOON));
    assert_int_equal(a.owed, 0);
}

/* One frame an answer may carry, of several it acknowledges when it reads. */
static void who_reads_acknowledges(void **state)
{
    (void)state;
    struct acknowledging one_way = ACKNOWLEDGING_NONE, answers = {.heard = 0, .answers = true};
    assert_false(acknowledging_read(&one_way));
    assert_false(acknowledging_heard(&one_way, false, SOON) || acknowledging_heard(&answers, false, SOON));
    assert_true(acknowledging_read(&one_way));
    assert_false(acknowledging_read(&one_way));
    assert_false(acknowledging_read(&answers));
    assert_false(acknowledging_heard(&answers, false, 2 * SOON));
    assert_true(acknowledging_read(&answers));
    assert_false(acknowledging_read(&answers));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_goes_one_way_is_acknowledged_at_once),
        cmocka_unit_test(answers_carry_it),
        cmocka_unit_test(the_second_is_not_waited_for),
        cmocka_unit_test(who_is_late_no_longer_answers),
        cmocka_unit_test(what_is_not_read_is_owed),
        cmocka_unit_test(who_reads_acknowledges),
    };
    return cmocka_run_group_tests_name("acknowledging", tests, NULL, NULL);
}
