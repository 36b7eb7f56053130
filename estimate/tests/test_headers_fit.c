#include "estimate/machine/headers_fit.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { N = 8 };
static const double FRAME = 1448;

/* Of a wire that takes 0.8 us for a byte, with 88 bytes more to a message and 66 to every further frame; two short ones
 * of a burst have shared frames. */
static const struct headers_gap wire[N] = {{0, 45e-6},          {64, 83e-6},        {1024, 884e-6},
                                           {1400, 1190.4e-6},   {1448, 1281.6e-6},  {4096, 3452.8e-6},
                                           {16384, 13758.4e-6}, {65480, 54830.4e-6}};

static void assert_near(double found, double expected, double within)
{
    assert_true(fabs(found - expected) <= within);
}

static void headers_are_found(void **state)
{
    (void)state;
    const struct headers_gap *const gaps[] = {wire};
    struct headers headers;
    assert_true(headers_fit(1, N, gaps, FRAME, &headers));
    assert_near(headers.message, 88, 1e-6);
    assert_near(headers.frame, 66, 1e-6);
    assert_near(headers_per_byte(&headers, N, wire, FRAME), 0.8e-6, 1e-12);
    assert_near(headers_per_byte(&headers, 6, wire, FRAME), 0.8e-6, 1e-12);
    assert_true(isnan(headers_per_byte(&headers, 4, wire, FRAME)));
    assert_near(headers_least(&headers, 0.8e-6, 64, FRAME), 121.6e-6, 1e-12);
    assert_true(headers_least(&headers, 0.8e-6, 1400, FRAME) == 0 && headers_least(&headers, 0.8e-6, 4096, FRAME) == 0);
}

/* As measured on ports of 20 Mbit/s: what one side's leap at the frame is too large by the other's is too small by. */
static void sides_are_averaged(void **state)
{
    (void)state;
    const struct headers_gap out[] = {{1400, 602.9e-6}, {1448, 658.6e-6}, {16384, 6871.2e-6}, {65480, 27415.3e-6}};
    const struct headers_gap in[] = {{1400, 588.1e-6}, {1448, 631.4e-6}, {16384, 6887.5e-6}, {65480, NAN}};
    const struct headers_gap *const gaps[] = {out, in};
    struct headers headers;
    assert_true(headers_fit(2, 4, gaps, FRAME, &headers));
    assert_near(headers.message, 88, 12);
    assert_near(headers.frame, 66, 12);
    assert_near(headers_per_byte(&headers, 4, out, FRAME) * (64 + headers.message), 60.8e-6, 4e-6);
}

static void little_tells_nothing(void **state)
{
    (void)state;
    struct headers headers;
    for (size_t gone = 3; gone < 5; gone++) {
        struct headers_gap some[N];
        for (size_t i = 0; i < N; i++)
            some[i] = (struct headers_gap){wire[i].bytes, i == gone ? NAN : wire[i].gap};
        const struct headers_gap *const gaps[] = {some};
        assert_false(headers_fit(1, N, gaps, FRAME, &headers));
    }
    const struct headers_gap *const gaps[] = {wire};
    assert_false(headers_fit(1, 5, gaps, FRAME, &headers));
    assert_false(headers_fit(0, 0, gaps, FRAME, &headers));
    /* messages that are quicker than their bytes, as a port's buffer in memory makes them */
    const struct headers_gap quick[] = {{1400, 10e-6}, {1448, 10.1e-6}, {16384, 160e-6}};
    const struct headers_gap *const no_wire[] = {quick};
    assert_false(headers_fit(1, 3, no_wire, FRAME, &headers));
}

/* As measured on two hosts of 60 Mbit/s among slower ones: 12.2 us for each of a stream of 64 bytes, 0.1333 us per
 * byte. */
static void what_timers_make_late_is_no_header(void **state)
{
    (void)state;
    const struct headers_gap out[] = {{1400, 200.6e-6}, {1448, 243.2e-6}, {16384, 2363.2e-6}, {65480, 9434.3e-6}};
    const struct headers_gap in[] = {{1400, 196.7e-6}, {1448, 241.5e-6}, {16384, 2359.4e-6}, {65480, 9420.6e-6}};
    const struct headers_gap *const late[] = {out, in}, *const one_late[] = {out, &wire[3]};
    struct headers headers;
    assert_true(headers_fit(2, 4, late, FRAME, &headers));
    assert_true(headers.usual && headers.message == 88 && headers.frame == 66);
    assert_near(headers_per_byte(&headers, 4, out, FRAME), 0.1333e-6, 0.005e-6);
    assert_true(headers_fit(2, 4, one_late, FRAME, &headers));
    assert_true(!headers.usual);
    assert_near(headers.message, 88, 0.1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(headers_are_found), cmocka_unit_test(sides_are_averaged),
                                       cmocka_unit_test(little_tells_nothing),
                                       cmocka_unit_test(what_timers_make_late_is_no_header)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
