#include "measure/series.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { REST = 1000 };

static struct series_message message(int repetition, int from, int to, int64_t planned, int64_t call, int64_t end)
{
    return (struct series_message){.repetition = repetition, .from = from, .to = to, .planned = planned, .call = call,
                                   .end = end};
}

/* A slow message counts; what it delays, at either of its ends, does not; what it does not touch does. */
static void test_slow(void **state)
{
    (void)state;
    struct series_message m[] = {message(0, 0, 1, 0, 10, 900),       message(0, 2, 3, 0, 5, 5200),
                                 message(1, 0, 1, 2000, 2000, 2900), message(1, 3, 2, 2000, 2000, 5300),
                                 message(2, 0, 1, 4000, 4000, 4900), message(2, 0, 3, 4000, 4010, 5600),
                                 message(3, 3, 2, 6000, 6101, 7000), message(3, 1, 0, 6000, 6000, 6900)};
    const bool expected[] = {true, true, true, false, true, false, true, false};
    series_judge(m, 8, 4, REST, 0);
    for (int i = 0; i < 8; i++)
        if (m[i].valid != expected[i])
            fail_msg("message %d: found %d", i, m[i].valid);
}

/* A group does not count where one of its processes starts late; the others in the same repetition do. */
static void test_groups(void **state)
{
    (void)state;
    struct series_message m[] = {message(0, 0, 1, 0, 167, 500), message(0, 1, 0, 0, 0, 500),
                                 message(0, 2, 3, 250, 250, 750), message(0, 3, 2, 250, 260, 750)};
    m[2].copy = m[3].copy = 1;
    const bool expected[] = {false, false, true, true};
    series_judge(m, 4, 4, REST, 0);
    for (int i = 0; i < 4; i++)
        if (m[i].valid != expected[i])
            fail_msg("message %d: found %d", i, m[i].valid);
}

/* Ports want half the rest; a process may start late by a sixth of it, or its whole group does not count; the later
 * calls of a burst may be later. */
static void test_bounds(void **state)
{
    (void)state;
    struct series_message m[] = {message(0, 0, 1, 0, 0, 500),          message(1, 0, 1, 1000, 1000, 1500),
                                 message(2, 0, 1, 1900, 1999, 2500),   message(3, 0, 1, 4000, 4166, 5000),
                                 message(4, 0, 1, 8000, 8167, 9000),   message(4, 2, 3, 8000, 8000, 8500),
                                 message(5, 0, 1, 12000, 12166, 13000), message(5, 0, 2, 12000, 12900, 13500)};
    const bool expected[] = {true, true, false, true, false, false, true, true};
    series_judge(m, 8, 4, REST, 0);
    for (int i = 0; i < 8; i++)
        if (m[i].valid != expected[i])
            fail_msg("message %d: found %d", i, m[i].valid);
}

/* Where more than a sixth of the rest is allowed a process may start so much later. */
static void test_late(void **state)
{
    (void)state;
    struct series_message m[] = {message(0, 0, 1, 0, 300, 900), message(0, 2, 3, 0, 0, 500),
                                 message(1, 0, 1, 2000, 2301, 2900), message(1, 2, 3, 2000, 2000, 2500)};
    const bool expected[] = {true, true, false, false};
    series_judge(m, 4, 4, REST, 300);
    for (int i = 0; i < 4; i++)
        if (m[i].valid != expected[i])
            fail_msg("message %d: found %d", i, m[i].valid);
}

/* Trips behind the first count as it does, in all of their group, however slow they are. */
static void test_trips(void **state)
{
    (void)state;
    struct series_message m[] = {message(0, 0, 1, 0, 10, 20),        message(0, 1, 0, 0, 20, 900),
                                 message(0, 0, 1, 0, 900, 1800),     message(1, 0, 1, 2000, 2000, 2010),
                                 message(1, 1, 0, 2000, 2010, 2020), message(2, 0, 1, 4000, 4000, 4010),
                                 message(2, 1, 0, 4000, 4010, 4020)};
    const bool expected[] = {true, true, true, false, false, true, true};
    m[1].trip = m[4].trip = m[6].trip = 1;
    m[2].trip = 2;
    series_judge(m, 7, 2, REST, 0);
    for (int i = 0; i < 7; i++)
        if (m[i].valid != expected[i])
            fail_msg("message %d: found %d", i, m[i].valid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_slow), cmocka_unit_test(test_groups),
                                       cmocka_unit_test(test_bounds), cmocka_unit_test(test_late), cmocka_unit_test(test_trips)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
