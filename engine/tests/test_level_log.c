/* Levels are kept by sender and message number, whatever the order in which they come. */
#include "engine/level_log.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static int level_of(int64_t from, int64_t number)
{
    return (int)((from * 7919 + number * 31) % 60000) + 1;
}

static void levels_come_back(void **state)
{
    (void)state;
    enum { PROCESSES = 5, MESSAGES = 1000 };
    struct level_log *log = level_log_create(PROCESSES);
    assert_int_equal(log->numprocs, PROCESSES);
    /* Every message but each third, backwards for odd processes. */
    for (int64_t k = 0; k < MESSAGES; k++)
        for (int32_t from = 0; from < PROCESSES; from++) {
            const int64_t number = from % 2 == 0 ? k : MESSAGES - 1 - k;
            if (number % 3 != 0)
                level_log_note(log, from, (uint64_t)number, level_of(from, number));
        }
    for (int32_t from = 0; from < PROCESSES; from++)
        for (int64_t number = 0; number < MESSAGES; number++)
            assert_int_equal(level_log_at(log, from, (uint64_t)number),
                             number % 3 != 0 ? level_of(from, number) : 0);
    assert_int_equal(log->n, PROCESSES * 666);
    level_log_destroy(log);
}

static void what_was_not_noted_is_0(void **state)
{
    (void)state;
    struct level_log *log = level_log_create(2);
    assert_int_equal(level_log_at(log, 0, 0), 0);
    assert_int_equal(level_log_at(log, 1, UINT64_MAX), 0);
    level_log_note(log, 1, 40, 3);
    assert_int_equal(level_log_at(log, 1, 40), 3);
    assert_int_equal(level_log_at(log, 1, 39), 0);
    assert_int_equal(level_log_at(log, 1, 41), 0);
    assert_int_equal(level_log_at(log, 0, 40), 0);
    level_log_note(log, 1, 40, 5);
    assert_int_equal(level_log_at(log, 1, 40), 5);
    level_log_destroy(log);
    level_log_destroy(NULL);
}

static void great_levels_are_65535(void **state)
{
    (void)state;
    struct level_log *log = level_log_create(1);
    level_log_note(log, 0, 0, 65534);
    level_log_note(log, 0, 1, 65535);
    level_log_note(log, 0, 2, 65536);
    level_log_note(log, 0, 3, 2000000000);
    assert_int_equal(level_log_at(log, 0, 0), 65534);
    assert_int_equal(level_log_at(log, 0, 1), 65535);
    assert_int_equal(level_log_at(log, 0, 2), 65535);
    assert_int_equal(level_log_at(log, 0, 3), 65535);
    level_log_destroy(log);
}

/* Beyond the limit messages are counted, so that it can be seen, and not kept. */
static void too_many_are_not_kept(void **state)
{
    (void)state;
    struct level_log *log = level_log_create(1);
    level_log_note(log, 0, 0, 1);
    log->n = LEVEL_LOG_MOST - 1;
    level_log_note(log, 0, 1, 2);
    assert_int_equal(log->n, LEVEL_LOG_MOST);
    level_log_note(log, 0, 2, 3);
    level_log_note(log, 0, LEVEL_LOG_MOST, 3); /* no memory is taken for it */
    assert_true(log->n == LEVEL_LOG_MOST + 2);
    assert_int_equal(level_log_at(log, 0, 1), 2);
    assert_int_equal(level_log_at(log, 0, 2), 0);
    assert_int_equal(level_log_at(log, 0, LEVEL_LOG_MOST), 0);
    level_log_destroy(log);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(levels_come_back),
        cmocka_unit_test(what_was_not_noted_is_0),
        cmocka_unit_test(great_levels_are_65535),
        cmocka_unit_test(too_many_are_not_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
