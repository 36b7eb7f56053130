/* When timers come (network/timer.h). */
#include "network/timer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static const double TICK = 4e-3;

static void expect_ticks(double time, double ticks)
{
    assert_true(fabs(time / TICK - ticks) < 1e-9);
}

static void what_is_near_comes_with_a_tick(void **state)
{
    (void)state;
    expect_ticks(timer_end(0, 0, 10 * TICK), 11);
    expect_ticks(timer_end(0, 0.9 * TICK, 10 * TICK), 11);
    expect_ticks(timer_end(0, 1.1 * TICK, 10 * TICK), 12);
    expect_ticks(timer_end(0, 0, 9.5 * TICK), 11);
    expect_ticks(timer_end(0, 0.5 * TICK, 0), 1);
    expect_ticks(timer_end(0, 0, 62 * TICK), 63);
}

/* Of a timeout of 226 ms that goes wrong the next one is 452 ms later, 113 ticks, and comes with a multiple of 8. */
static void what_is_far_is_rounded_up_further(void **state)
{
    (void)state;
    expect_ticks(timer_end(0, 0, 63 * TICK), 64);
    expect_ticks(timer_end(0, 58 * TICK, 113 * TICK), 176);
    expect_ticks(timer_end(0, 62.9 * TICK, 113 * TICK), 176);
    expect_ticks(timer_end(0, 63 * TICK, 113 * TICK), 184);
    expect_ticks(timer_end(0, 0, 504 * TICK), 512);
    expect_ticks(timer_end(0, 0, 513 * TICK), 576);
}

/* None comes early, and none is later than an eighth of its wait and a tick, whatever the ticks. */
static void none_is_early(void **state)
{
    (void)state;
    for (int i = 0; i < 2000; i++) {
        const double phase = TIMER_ROUND * (i % 37) / 37, begin = 1e-3 * i, wait = 1.3e-3 * ((i * 7) % 1999);
        const double late = timer_end(phase, begin, wait) - begin - wait;
        assert_true(late > -1e-12);
        assert_true(late < wait / 7 + 2 * TICK + 1e-12);
    }
}

/* Those of one host come together. */
static void a_phase_moves_all(void **state)
{
    (void)state;
    expect_ticks(timer_end(0.25 * TICK, 0, 10 * TICK), 10.75);
    expect_ticks(timer_end(0.25 * TICK, 0.7 * TICK, 9.9 * TICK), 10.75);
    expect_ticks(timer_end(3 * TICK, 58 * TICK, 113 * TICK), 173);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_near_comes_with_a_tick), cmocka_unit_test(what_is_far_is_rounded_up_further),
        cmocka_unit_test(none_is_early), cmocka_unit_test(a_phase_moves_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
