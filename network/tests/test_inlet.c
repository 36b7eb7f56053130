/* An in port that serves whole messages (network/inlet.h). */
#include "network/inlet.h"

#include "common/tests/share.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

enum { SERIES = 2000, MESSAGES = 60, PIECES = 4 * MESSAGES };

static bool is_close(double a, double b)
{
    return fabs(a - b) < 1e-9;
}

static void messages_of_one_size_wait_for_one_another(void **state)
{
    (void)state;
    struct inlet in = inlet_idle();
    assert_true(inlet_pass(&in, 3.46, 0.5, 2.23) == 2.23);
    assert_true(inlet_pass(&in, 3.46, 0.5, 2.23) == 2.23 + 3.46 - 0.5);
    assert_true(in.until == 2.23 + 3.46);
    assert_true(inlet_pass(&in, 3.46, 0, 20) == 20);
}

/* 27 ms come in from 10 ms on; an empty message of 0.05 ms is there at 31 ms. */
static void a_short_message_delays_a_long_one_by_its_own_time(void **state)
{
    (void)state;
    struct inlet in = inlet_idle();
    assert_true(inlet_pass(&in, 0.05e-3, 0, 31e-3) == 31e-3);
    assert_true(is_close(inlet_pass(&in, 27e-3, 0, 37e-3), 37.05e-3));
}

/* What was idle before a message began to come in is of no use to it, and what another has taken of that is gone. */
static void no_time_is_taken_twice(void **state)
{
    (void)state;
    struct inlet in = inlet_idle();
    inlet_pass(&in, 2, 0, 10);                               /* busy from 8 to 10 */
    inlet_pass(&in, 1, 0, 20);                               /* from 19 to 20 */
    assert_true(is_close(inlet_pass(&in, 7, 0, 21), 22));    /* from 14 to 22, but for 19 to 20 */
    assert_true(is_close(inlet_pass(&in, 11, 0, 22), 30));   /* what is left from 11 on: 11 to 14 */
    assert_true(is_close(inlet_pass(&in, 1.5, 0, 25), 31.5));
}

/* Of five messages within a long one the first is forgotten, and all before it counts as busy. */
static void before_the_pauses_that_are_remembered_it_is_busy(void **state)
{
    (void)state;
    struct inlet four = inlet_idle(), five = inlet_idle();
    for (int i = 0; i < 5; i++) {
        if (i > 0)
            inlet_pass(&four, 0.1, 0, 11 + i);
        inlet_pass(&five, 0.1, 0, 11 + i);
    }
    assert_true(is_close(inlet_pass(&four, 10, 0, 20), 20.4));
    assert_true(is_close(inlet_pass(&five, 10, 0, 20), 20.5 + 0.9));
}

/* ---- a twin that forgets nothing ---- */

struct twin {
    double until;
    int n;
    double from[PIECES], to[PIECES];
};

static double twin_pass(struct twin *twin, double gap, double x)
{
    double begins = x - gap, idle = 0;
    for (int i = 0; i < twin->n; i++) {
        double from = fmax(begins, twin->from[i]);
        if (from < twin->to[i]) {
            idle += twin->to[i] - from;
            twin->to[i] = from;
        }
    }
    if (begins > twin->until) {
        twin->from[twin->n] = twin->until;
        twin->to[twin->n++] = begins;
    }
    return twin->until = fmax(x, twin->until + gap - idle);
}

static double chance(double most)
{
    return most * rand() / RAND_MAX;
}

/* Messages short and long: never sooner than by the twin, and mostly as it has them. */
static void what_is_forgotten_makes_none_sooner(void **state)
{
    (void)state;
    int as_twin = 0, later = 0;
    srand(15);
    for (int series = 0; series < SERIES / share_one_in(); series++) {
        struct inlet in = inlet_idle();
        struct twin twin = {.until = -INFINITY};
        for (double x = 0, most = 1 + chance(20), i = 0; i < MESSAGES; i++) {
            x += chance(3);
            const double gap = chance(1) < 0.7 ? chance(0.3) : chance(most);
            const double there = inlet_pass(&in, gap, 0, x), exact = twin_pass(&twin, gap, x);
            assert_true(there >= exact - 1e-9);
            as_twin += is_close(there, exact);
            later += !is_close(there, exact);
        }
    }
    assert_true(as_twin > 4 * later && later > 0);
}

/* The law of the port, of all messages that come from one on. */
static void it_passes_no_more_than_it_can(void **state)
{
    (void)state;
    srand(16);
    for (int series = 0; series < SERIES / share_one_in(); series++) {
        struct inlet in = inlet_idle();
        double begins[MESSAGES], gaps[MESSAGES], there[MESSAGES], x = 0;
        for (int i = 0; i < MESSAGES; i++) {
            x += chance(2);
            gaps[i] = chance(1) < 0.5 ? chance(0.3) : chance(12);
            begins[i] = x - gaps[i];
            there[i] = inlet_pass(&in, gaps[i], 0, x);
        }
        for (int first = 0; first < MESSAGES; first++)
            for (int last = 0; last < MESSAGES; last++) {
                double work = 0;
                for (int i = 0; i < MESSAGES; i++)
                    work += begins[i] >= begins[first] && there[i] <= there[last] ? gaps[i] : 0;
                assert_true(work == 0 || work <= there[last] - begins[first] + 1e-9);
            }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_of_one_size_wait_for_one_another),
        cmocka_unit_test(a_short_message_delays_a_long_one_by_its_own_time),
        cmocka_unit_test(no_time_is_taken_twice),
        cmocka_unit_test(before_the_pauses_that_are_remembered_it_is_busy),
        cmocka_unit_test(what_is_forgotten_makes_none_sooner),
        cmocka_unit_test(it_passes_no_more_than_it_can),
    };
    return cmocka_run_group_tests_name("inlet", tests, NULL, NULL);
}
