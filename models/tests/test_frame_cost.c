#include "models/frame_cost.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Ports of 0.8 us per byte and 52.8 us per frame, the library adding 22 bytes to a message: 70.4, 121.6, 1190.4 us, and
 * with 3 and 46 frames 3452.8 and 54830.4. */
static double bytes[] = {0, 64, 1400, 4096, 65480};
static double time[] = {70.4e-6, 121.6e-6, 1190.4e-6, 3452.8e-6, 54830.4e-6};
static const struct machine_curve ports = {.n = 5, .bytes = bytes, .time = time};

static void expect(const struct machine_curve *demand, double frame, double overhead, double full)
{
    const struct frame_cost cost = frame_cost_of(demand, frame);
    assert_float_equal(cost.overhead, overhead, 1e-9);
    assert_float_equal(cost.full, full, 1e-9);
}

static void what_a_frame_takes_is_read_off(void **state)
{
    (void)state;
    expect(&ports, 1448, 52.8e-6, 1211.2e-6);
}

static void only_what_fits_beside_others_is_shared(void **state)
{
    (void)state;
    assert_float_equal(frame_cost_shared(&ports, 1448, 8), 52.8e-6, 1e-9);
    assert_float_equal(frame_cost_shared(&ports, 1448, 1400), 52.8e-6, 1e-9);
    assert_float_equal(frame_cost_shared(&ports, 1448, 1440), 0, 1e-15); /* with its header it has a second frame */
    assert_float_equal(frame_cost_shared(&ports, 1448, 8192), 0, 1e-15);
}

static void a_demand_that_does_not_tell_says_nothing(void **state)
{
    (void)state;
    const struct machine_curve small = {.n = 3, .bytes = bytes, .time = time};
    const struct machine_curve large = {.n = 3, .bytes = bytes + 2, .time = time + 2};
    expect(&ports, 0, 0, 0);
    expect(&small, 1448, 0, 0);
    expect(&large, 1448, 0, 0);
    expect(&(struct machine_curve){0}, 1448, 0, 0);
}

/* No frame takes less than nothing, nor more than an empty message; a hundredth of a full one is noise. */
static void it_stays_within_reason(void **state)
{
    (void)state;
    double size[] = {0, 1000, 100000}, straight[] = {1, 2, 101.5}, steep[] = {1, 2, 301}, flat[] = {1, 2, 51};
    assert_float_equal(frame_cost_of(&(struct machine_curve){.n = 3, .bytes = size, .time = straight}, 1250).overhead,
                       0, 1e-15);
    assert_float_equal(frame_cost_of(&(struct machine_curve){.n = 3, .bytes = size, .time = steep}, 1250).overhead, 1,
                       1e-12);
    assert_float_equal(frame_cost_of(&(struct machine_curve){.n = 3, .bytes = size, .time = flat}, 1250).overhead, 0,
                       1e-15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_frame_takes_is_read_off),
        cmocka_unit_test(only_what_fits_beside_others_is_shared),
        cmocka_unit_test(a_demand_that_does_not_tell_says_nothing),
        cmocka_unit_test(it_stays_within_reason),
    };
    return cmocka_run_group_tests_name("frame cost", tests, NULL, NULL);
}
