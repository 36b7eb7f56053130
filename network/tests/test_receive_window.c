/* How far a sender may be ahead of its receiver (network/receive_window.h). The larger figures are Linux's own (trace point
 * tcp_rcvbuf_grow, 6.18). */
#include "network/receive_window.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static const double FRAME = 1448;

static void expect(double found, double expected, double within)
{
    if (!(fabs(found - expected) <= within))
        fail_msg("%.9g, expected %.9g", found, expected);
}

/* n full frames, each of which is read as it comes, `gap` seconds apart, the first at `now`. Bytes that have come before: got. */
static double frames_come(struct receive_window *w, int n, double got, double gap, double now)
{
    for (int i = 1; i <= n; i++, now += gap) {
        receive_window_come(w, FRAME, got + i * FRAME, 0, now);
        receive_window_read(w, got + i * FRAME, 0, now);
        receive_window_move(w, got + i * FRAME, 0);
    }
    return got + n * FRAME;
}

static void it_grows_twice_as_fast_as_bytes_come_up_to_its_room(void **state)
{
    (void)state;
    struct receive_window w = receive_window_first(FRAME, 0);
    frames_come(&w, 2, 0, 1e-3, 0);
    expect(w.edge, 2 * FRAME + 65536 + 4 * FRAME, 0);
    frames_come(&w, 10, 2 * FRAME, 1e-3, 2e-3);
    expect(w.edge, 12 * FRAME + 82944, 0);
}

static void a_frame_of_any_size_finds_room(void **state)
{
    (void)state;
    assert_true(receive_window_first(8948, 0).most <= RECEIVE_WINDOW_FIRST);
    assert_true(receive_window_first(200000, 0).edge >= 200000);
}

static void it_says_by_which_frames_it_grows(void **state)
{
    (void)state;
    struct receive_window w = receive_window_first(FRAME, 0);
    double got = 0;
    for (int i = 0; i < 7; i++)
        assert_true(receive_window_come(&w, FRAME, got += FRAME, 0, 1e-3 * i));
    assert_false(receive_window_come(&w, FRAME, got + FRAME, 0, 1e-2));
    w.room += 2 * FRAME;
    assert_false(receive_window_come(&w, 127, got + 127, 0, 2e-2));
    assert_true(receive_window_come(&w, FRAME, got + FRAME, 0, 3e-2));
}

/* Linux had room for 121,400. */
static void what_is_not_read_takes_room(void **state)
{
    (void)state;
    struct receive_window w = receive_window_first(FRAME, 0);
    double got = 0;
    for (; got + FRAME <= w.edge; got += FRAME) {
        receive_window_come(&w, FRAME, got + FRAME, 0, 1e-3 * got / FRAME);
        receive_window_move(&w, got + FRAME, got + FRAME);
    }
    expect(got, 121400, FRAME);
    receive_window_read(&w, got, 0, 1);
    receive_window_move(&w, got, 0);
    expect(w.edge, got + w.grown, 0);
}

static void the_edge_never_goes_back(void **state)
{
    (void)state;
    struct receive_window w = receive_window_first(FRAME, 0);
    const double got = frames_come(&w, 10, 0, 1e-3, 0), edge = w.edge;
    receive_window_move(&w, got, 40 * FRAME);
    expect(w.edge, edge, 0);
}

/* 4118 bytes every 7 ms: less than ten frames in round trips of 10 ms. */
static void messages_that_are_read_one_by_one_widen_nothing(void **state)
{
    (void)state;
    struct receive_window w = receive_window_first(FRAME, 0);
    receive_window_round_trip(&w, 10.4e-3, true);
    expect(w.round_trip, 10e-3, 1e-12);
    for (int i = 1; i <= 10; i++) {
        receive_window_come(&w, 4118, i * 4118, 0, i * 7e-3);
        receive_window_read(&w, i * 4118, 0, i * 7e-3);
        receive_window_move(&w, i * 4118, 0);
    }
    expect(w.room, 82944, 0);
}

/* Linux: copied=65187 space=14480, then window_clamp=1043477. */
static void a_burst_that_is_read_at_once_widens_it(void **state)
{
    (void)state;
    struct receive_window w = receive_window_first(FRAME, 0);
    receive_window_round_trip(&w, 10e-3, true);
    receive_window_come(&w, FRAME, 65187, 0, 0.154);
    receive_window_read(&w, 65187, 0, 0.154);
    expect(w.room, 1043477, 0.005 * 1043477);
    expect(w.most, 65187, 0);
}

/* Linux: space=14480, then window_clamp=111903: behind the gap was all of the first 81 KiB but a byte. A shorter span later takes
 * nothing away. */
static void a_gap_makes_room_for_what_is_behind_it(void **state)
{
    (void)state;
    struct receive_window w = receive_window_first(FRAME, 0);
    receive_window_come(&w, FRAME, 0, RECEIVE_WINDOW_ROOM - 1, 0.1);
    expect(w.room, 111903, 0);
    receive_window_come(&w, FRAME, 0, 47556, 0.1);
    expect(w.room, 111903, 0);
}

static void round_trips_are_whole_milliseconds_and_the_least_counts_at_once(void **state)
{
    (void)state;
    struct receive_window w = receive_window_first(FRAME, 0);
    receive_window_round_trip(&w, 0.9e-3, true);
    expect(w.round_trip, 0, 0);
    receive_window_round_trip(&w, 16.2e-3, true);
    receive_window_round_trip(&w, 8.7e-3, false);
    expect(w.round_trip, 8e-3, 1e-12);
    receive_window_round_trip(&w, 24.1e-3, false);
    expect(w.round_trip, 8e-3, 1e-12);
    receive_window_round_trip(&w, 24.1e-3, true);
    expect(w.round_trip, 10e-3, 1e-12);
}

static void without_one_the_time_of_a_whole_window_stands_in(void **state)
{
    (void)state;
    struct receive_window w = receive_window_first(FRAME, 0);
    receive_window_come(&w, 30, 65000, 0, 0.1);
    expect(w.round_trip, 0, 0);
    receive_window_come(&w, 536, 65536, 0, 0.15);
    expect(w.round_trip, 0.15, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_grows_twice_as_fast_as_bytes_come_up_to_its_room),
        cmocka_unit_test(a_frame_of_any_size_finds_room),
        cmocka_unit_test(it_says_by_which_frames_it_grows),
        cmocka_unit_test(what_is_not_read_takes_room),
        cmocka_unit_test(the_edge_never_goes_back),
        cmocka_unit_test(messages_that_are_read_one_by_one_widen_nothing),
        cmocka_unit_test(a_burst_that_is_read_at_once_widens_it),
        cmocka_unit_test(a_gap_makes_room_for_what_is_behind_it),
        cmocka_unit_test(round_trips_are_whole_milliseconds_and_the_least_counts_at_once),
        cmocka_unit_test(without_one_the_time_of_a_whole_window_stands_in),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
