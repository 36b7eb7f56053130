/* What a sender does when frames are lost (network/connection.h): the timers, the window, and what comes again. */
#include "network/connection.h"
#include "network/timer.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static const double RTT = 0.01;

/* Sends all that may be sent now; returns how many, the last of which is *frame. */
static int sent(struct connection *c, double now, uint32_t *frame)
{
    int n = 0;
    while (connection_send(c, now, frame))
        n++;
    return n;
}

/* Begins, with n frames that are sent at once. */
static void begin(struct connection *c, double round_trip, int32_t n)
{
    uint32_t frame;
    connection_reset(c);
    c->waits = true;
    c->round_trip = round_trip;
    connection_offer(c, n, 0);
    assert_int_equal(sent(c, 0, &frame), n);
}

/* These frames are there, and their acknowledgements back. */
static void pass(struct connection *c, uint32_t first, uint32_t last, double now)
{
    for (uint32_t i = first; i != last + 1; i++) {
        connection_receive(c, i);
        connection_acknowledge(c, i, now);
    }
}

static void a_window_opens_and_closes(void **state)
{
    (void)state;
    struct connection c = {0};
    uint32_t frame;
    connection_reset(&c);
    c.waits = true;
    connection_offer(&c, 40, 0);
    assert_int_equal(sent(&c, 0, &frame), 10);
    pass(&c, 0, 9, RTT);
    assert_int_equal(c.window, 20);
    assert_int_equal(sent(&c, RTT, &frame), 20);
    /* The 11th is lost, which three that left with it tell: it is sent again before anything new. */
    pass(&c, 11, 12, 2 * RTT);
    assert_int_equal(c.state, CONNECTION_OPEN);
    pass(&c, 13, 13, 2 * RTT);
    assert_int_equal(c.state, CONNECTION_RECOVERS);
    assert_int_equal(c.threshold, 14);
    assert_true(connection_send(&c, 2 * RTT, &frame));
    assert_int_equal(frame, 10);
    pass(&c, 14, 29, 2 * RTT);
    assert_int_equal(c.got, 10);
    pass(&c, 10, 10, 3 * RTT);
    assert_int_equal(c.got, 30);
    assert_int_equal(c.state, CONNECTION_OPEN);
    assert_int_equal(c.window, 14);
    connection_free(&c);
}

/* Three frames, the second of which is lost; the third leaves `later` than they. Then one packet acknowledges the third, and, or not,
 * the first. */
static void second_lost(struct connection *c, double later, bool with_first)
{
    uint32_t frame;
    begin(c, RTT, 2);
    connection_offer(c, 1, later);
    assert_int_equal(sent(c, later, &frame), 1);
    if (!with_first)
        pass(c, 0, 0, RTT);
    else
        assert_true(connection_acknowledge_one(c, 0, true, 3 * RTT));
    assert_true(connection_acknowledge_one(c, 2, !with_first, 3 * RTT));
    connection_told(c, 3 * RTT);
}

/* A frame is lost at once when one that left later is there, but for one that left with what the same packet passes on: that counts as
 * lost 2 ms later, whether the other left with it or behind it. */
static void what_left_together_is_waited_for(void **state)
{
    (void)state;
    static const struct {
        double later;
        bool with_first, waits;
    } cases[] = {{RTT, false, false}, {RTT / 8, false, true}, {0, false, true}, {RTT, true, true}, {0, true, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct connection c = {0};
        uint32_t frame;
        second_lost(&c, cases[i].later, cases[i].with_first);
        assert_int_equal(c.n_lost, !cases[i].waits);
        if (cases[i].waits) {
            assert_int_equal(c.timer, CONNECTION_SETTLES);
            const double apart = c.least_round_trip / 4 - (cases[i].with_first ? 0 : cases[i].later);
            assert_true(fabs(c.due - timer_end(0, 3 * RTT, apart + 2e-3)) < 1e-12);
            /* what is new leaves meanwhile, and puts nothing off */
            const double due = c.due;
            connection_offer(&c, 1, 3 * RTT);
            assert_int_equal(sent(&c, 3 * RTT, &frame), 1);
            assert_true(c.due == due);
            connection_wake(&c, c.due);
        }
        assert_int_equal(c.state, CONNECTION_RECOVERS);
        assert_int_equal(c.threshold, 7);
        assert_true(connection_send(&c, 4 * RTT, &frame));
        assert_int_equal(frame, 1);
        connection_free(&c);
    }
}

/* Of whole messages each is acknowledged for itself: nothing is waited for. */
static void whole_messages_are_lost_at_once(void **state)
{
    (void)state;
    struct connection c = {0};
    begin(&c, RTT, 3);
    c.waits = false;
    pass(&c, 0, 0, RTT);
    pass(&c, 2, 2, 2 * RTT);
    assert_int_equal(c.n_lost, 1);
    assert_int_equal(c.state, CONNECTION_RECOVERS);
    connection_free(&c);
}

static void the_last_frame_waits_for_a_timeout(void **state)
{
    (void)state;
    struct connection c = {0};
    uint32_t frame;
    begin(&c, 0, 3);
    pass(&c, 0, 1, RTT);
    assert_true(fabs(c.due - timer_end(0, RTT, RTT + 0.2)) < 1e-12);
    connection_wake(&c, c.due);
    assert_int_equal(c.window, 10); /* it is a probe */
    assert_int_equal(sent(&c, 0.22, &frame), 1);
    assert_int_equal(frame, 2);
    /* Lost once more: a timeout, and then twice as long. */
    assert_true(fabs(c.due - timer_end(0, 0.22, RTT + 0.2)) < 1e-12);
    connection_wake(&c, c.due);
    assert_int_equal(c.window, 1);
    assert_int_equal(sent(&c, 0.43, &frame), 1);
    assert_true(fabs(c.due - timer_end(0, 0.43, 2 * (RTT + 0.2))) < 1e-12);
    connection_wake(&c, c.due);
    assert_int_equal(sent(&c, 0.85, &frame), 1);
    pass(&c, 2, 2, 0.86);
    assert_int_equal(c.got, 3);
    assert_true(c.due == INFINITY);
    assert_int_equal(c.window, 2);
    assert_int_equal(c.threshold, 7);
    connection_free(&c);
}

static void two_last_frames_are_probed_for(void **state)
{
    (void)state;
    struct connection c = {0};
    uint32_t frame;
    begin(&c, 0, 4);
    pass(&c, 0, 1, RTT);
    assert_true(fabs(c.due - timer_end(0, RTT, 2 * RTT + 2e-3)) < 1e-12);
    connection_wake(&c, c.due);
    assert_int_equal(sent(&c, 0.036, &frame), 1);
    assert_int_equal(frame, 3);
    pass(&c, 3, 3, 0.046); /* which tells of the other */
    assert_int_equal(sent(&c, 0.046, &frame), 1);
    assert_int_equal(frame, 2);
    pass(&c, 2, 2, 0.056);
    assert_int_equal(c.got, 4);
    assert_int_equal(c.window, 7);
    connection_free(&c);
}

/* A second probe is not sent before what is sent behind the first is acknowledged, or a timeout has come, which new frames
 * do not put off. */
static void one_probe_is_outstanding(void **state)
{
    (void)state;
    struct connection c = {0};
    uint32_t frame;
    begin(&c, RTT, 3);
    connection_wake(&c, c.due);
    assert_int_equal(sent(&c, 0.022, &frame), 1);
    assert_true(fabs(c.due - timer_end(0, 0.022, RTT + 0.2)) < 1e-12); /* anew from the probe */
    assert_true(c.timer != CONNECTION_PROBE);
    pass(&c, 0, 0, 0.03);
    assert_int_equal(c.timer, CONNECTION_PROBE);
    connection_wake(&c, c.due);
    assert_int_equal(sent(&c, 0.06, &frame), 0);
    assert_true(c.timer != CONNECTION_PROBE);
    /* of what was sent first */
    assert_true(fabs(c.due - timer_end(0, 0.06, c.round_trip + 0.2 - 0.06)) < 2 * TIMER_TICK);
    const double first = c.due;
    connection_offer(&c, 1, 0.2);
    assert_int_equal(sent(&c, 0.2, &frame), 1);
    assert_true(fabs(c.due - first) < 1e-12);
    connection_wake(&c, c.due);
    assert_int_equal(sent(&c, first, &frame), 0);
    connection_wake(&c, c.due);
    assert_int_equal(c.window, 1);
    connection_free(&c);
}

/* One that was new is over as it is acknowledged, and costs nothing. */
static void a_new_frame_may_be_the_probe(void **state)
{
    (void)state;
    struct connection c = {0};
    uint32_t frame;
    begin(&c, RTT, 2);
    connection_offer(&c, 2, c.due);
    connection_wake(&c, c.due);
    assert_int_equal(sent(&c, 0.022, &frame), 2);
    pass(&c, 0, 1, 0.03);
    assert_true(c.probed);
    pass(&c, 2, 2, 0.03);
    assert_false(c.probed);
    assert_true(c.window >= 10);
    connection_free(&c);
}

/* Two frames are on their way, and a probe is behind them. */
static void probe_make(struct connection *c)
{
    uint32_t frame;
    connection_reset(c);
    connection_offer(c, 2, 0);
    assert_int_equal(sent(c, 0, &frame), 2);
    connection_wake(c, c->due);
    assert_int_equal(sent(c, 0.01, &frame), 1);
}

/* The probe was for nothing: both are there, and the window stays. */
static void a_probe_for_nothing_costs_nothing(void **state)
{
    (void)state;
    struct connection c = {0};
    probe_make(&c);
    connection_receive(&c, 0);
    connection_receive(&c, 1);
    connection_receive(&c, 1);
    connection_acknowledge(&c, 0, 0.02);
    connection_acknowledge(&c, 1, 0.02);
    assert_true(c.window >= 10);
    connection_free(&c);
}

/* Neither does it where the acknowledgement of all that it was sent for comes before it is there; what is sent behind it would
 * tell of a loss. */
static void a_probe_that_comes_late_costs_nothing(void **state)
{
    (void)state;
    struct connection c = {0};
    uint32_t frame;
    probe_make(&c);
    pass(&c, 0, 1, 0.02);
    connection_receive(&c, 1);
    connection_offer(&c, 2, 0.03);
    assert_int_equal(sent(&c, 0.03, &frame), 2);
    pass(&c, 2, 3, 0.04);
    assert_true(c.window >= 10);
    connection_free(&c);
}

/* The window of a connection that loses nothing opens until a queue of 4 ms has shown, and closes as it rests. */
static void a_young_connection_opens(void **state)
{
    (void)state;
    assert_int_equal(connection_first_threshold(1.2e-3), 24);
    assert_int_equal(connection_first_threshold(0.12e-3), 34 + 8);
    assert_true(connection_first_threshold(0) > 1000000);
    assert_int_equal(connection_window_rested(44, 0.21, 0.2), 44);
    assert_int_equal(connection_window_rested(44, 0.21, 0.22), 22);
    assert_int_equal(connection_window_rested(44, 0.21, 0.43), 11);
    assert_int_equal(connection_window_rested(44, 0.21, INFINITY), 10);
    assert_int_equal(connection_window_rested(7, 0.21, 0.22), 7);
}

/* Numbers pass 2^32, and more frames are outstanding than there was room for. */
static void a_long_stream_is_kept(void **state)
{
    (void)state;
    struct connection c = {0};
    uint32_t frame;
    connection_reset(&c);
    c.first = c.next = c.offered = c.got = UINT32_MAX - 500;
    uint32_t next = c.first;
    double now = 0;
    connection_offer(&c, 2000, now);
    for (int n; (n = sent(&c, now, &frame)) > 0; now += RTT) {
        pass(&c, next, next + (uint32_t)n - 1, now + RTT);
        next += (uint32_t)n;
    }
    assert_int_equal(c.got, c.offered);
    assert_true(c.capacity >= 256);
    connection_free(&c);
}

/* What went otherwise is in the queue still: its acknowledgements tell the sender until 5 RTT that nothing has stopped. */
static void timers_wait_for_what_went_otherwise(void **state)
{
    (void)state;
    struct connection c = {0};
    uint32_t frame;
    connection_reset(&c);
    c.round_trip = RTT;
    connection_heard(&c, 5 * RTT);
    connection_heard(&c, 4 * RTT);
    connection_offer(&c, 2, 2 * RTT);
    assert_int_equal(sent(&c, 2 * RTT, &frame), 2);
    assert_int_equal(c.timer, CONNECTION_PROBE);
    assert_true(fabs(c.due - timer_end(0, 5 * RTT, 2 * RTT + 0.002)) < 1e-12);
    connection_wake(&c, c.due);
    assert_true(c.due >= 5 * RTT + RTT + 0.2 && c.due <= 5 * RTT + RTT + 0.2 + 2 * TIMER_TICK); /* as if no probe had been due */
    connection_free(&c);
}

static void a_round_trip_is_smoothed(void **state)
{
    (void)state;
    assert_true(fabs(connection_round_trip(0.008, 0.016) - 0.009) < 1e-15);
}

/* One frame after the other is acknowledged after so long. */
static void round_trips(struct connection *c, double *now, int n, double round_trip)
{
    uint32_t frame;
    for (int i = 0; i < n; i++) {
        connection_offer(c, 1, *now);
        assert_int_equal(sent(c, *now, &frame), 1);
        *now += round_trip;
        pass(c, frame, frame, *now);
    }
}

/* By Linux's tcp_rtt_estimator, reckoned by hand: with a smoothed round trip s and four times its deviation d, ms,
 *
 *     connected in 1      s 1        d 2
 *     100                 s 13.375   d 2 + 99 - 0.5 = 100.5
 *     100                 s 24.203   d 100.5 + 86.625 - 25.125 = 162
 *     100                 s 33.678   d 162 + 75.797 - 40.5 = 197.297
 *     100                 s 41.968   d 197.297 + 66.322 - 49.324 = 214.295, which is more than 200
 *     1                   s 36.847   d 214.295 - (53.574 - 40.968) = 201.689: from less than a quarter of it, all counts
 *
 * each a window of its own: of the fifth on a quarter of what it is above what the last window showed is gone. */
static void a_timeout_waits_longer_where_round_trips_differ(void **state)
{
    (void)state;
    struct connection c = {0};
    double now = 0;
    connection_reset(&c);
    c.round_trip = 5e-3; /* which connecting knows better */
    connection_made(&c, 1e-3);
    assert_true(fabs(connection_timeout(&c) - 0.201) < 1e-9);
    round_trips(&c, &now, 3, 0.1);
    assert_true(fabs(connection_timeout(&c) - 0.233678) < 1e-6);
    round_trips(&c, &now, 1, 0.1);
    assert_true(fabs(connection_timeout(&c) - (0.041968 + 0.214295)) < 1e-6);
    round_trips(&c, &now, 1, 1e-3);
    assert_true(fabs(c.round_trip - 0.036847) < 1e-6);
    assert_true(fabs(c.spread - (0.214295 - (0.214295 - 0.201689) / 4)) < 1e-6);
    round_trips(&c, &now, 100, 0.03);
    assert_true(fabs(connection_timeout(&c) - 0.23) < 1e-4);
    connection_free(&c);
}

/* What comes sooner than smoothed by more than the deviation counts an eighth of that: s 100, d 200 of connecting in 100; then 10:
 * 90 - 50 = 40, an eighth of which is 5. */
static void what_comes_sooner_counts_less(void **state)
{
    (void)state;
    struct connection c = {0};
    double now = 0;
    connection_reset(&c);
    connection_made(&c, 0.1);
    round_trips(&c, &now, 1, 0.01);
    assert_true(fabs(c.deviation - 0.205) < 1e-9);
    assert_true(fabs(connection_timeout(&c) - (0.08875 + 0.205)) < 1e-9);
    connection_free(&c);
}

/* What reno has left of its window after a loss, and by how much that grows for each one that is acknowledged. */
static void reno_halves_its_window(void **state)
{
    (void)state;
    static const struct {
        enum congestion congestion;
        int32_t left, grown_after; /* windows acknowledged */
    } cases[] = {{CONGESTION_cubic, 14, 4}, {CONGESTION_reno, 10, 1}};
    for (size_t i = 0; i < 2; i++) {
        struct connection c = {0};
        uint32_t frame;
        connection_reset(&c);
        c.congestion = cases[i].congestion;
        c.window = 20;
        connection_offer(&c, 20, 0);
        assert_int_equal(sent(&c, 0, &frame), 20);
        for (uint32_t k = 1; k < 20; k++)
            connection_acknowledge(&c, k, RTT);
        assert_int_equal(sent(&c, RTT, &frame), 1);
        connection_acknowledge(&c, 0, 2 * RTT);
        assert_int_equal(c.window, cases[i].left);
        for (int k = 0; k < cases[i].grown_after * cases[i].left; k++) {
            assert_int_equal(c.window, cases[i].left);
            c.limited = true;
            connection_offer(&c, 1, 3 * RTT);
            assert_int_equal(sent(&c, 3 * RTT, &frame), 1);
            c.limited = true;
            connection_acknowledge(&c, frame, 4 * RTT);
        }
        assert_int_equal(c.window, cases[i].left + 1);
        connection_free(&c);
    }
}

/* After a rest it begins small, and goes up to three quarters of what it was as in slow start. */
static void a_rest_leaves_three_quarters_for_a_start(void **state)
{
    (void)state;
    struct connection c = {0};
    uint32_t frame;
    connection_reset(&c);
    c.window = 40;
    c.threshold = 12;
    connection_offer(&c, 1, 0);
    assert_int_equal(sent(&c, 0, &frame), 1);
    connection_acknowledge(&c, 0, RTT);
    connection_offer(&c, 1, 0.1);
    assert_int_equal(sent(&c, 0.1, &frame), 1);
    connection_acknowledge(&c, 1, 0.1 + RTT);
    assert_int_equal(c.window, 40);
    assert_int_equal(c.threshold, 12);
    connection_offer(&c, 1, 2);
    assert_int_equal(c.window, 10);
    assert_int_equal(c.threshold, 30);
    connection_free(&c);
}

/* One round trip for all that a packet acknowledges. */
static void others_are_acknowledged_without_a_round_trip(void **state)
{
    (void)state;
    struct connection c = {0};
    begin(&c, RTT, 2);
    assert_true(connection_acknowledge_one(&c, 0, true, 9 * RTT));
    assert_true(connection_acknowledge_one(&c, 1, false, 9 * RTT));
    connection_told(&c, 9 * RTT);
    assert_true(fabs(c.round_trip - 2 * RTT) < 1e-12);
    connection_free(&c);
}

/* The host does not take the probe that is due: the timeout, which counts from the first frame. */
static void a_probe_may_be_dropped(void **state)
{
    (void)state;
    struct connection c = {0};
    uint32_t frame;
    connection_reset(&c);
    c.round_trip = RTT;
    connection_offer(&c, 2, 3 * RTT);
    assert_int_equal(sent(&c, 3 * RTT, &frame), 2);
    assert_int_equal(c.timer, CONNECTION_PROBE);
    connection_probe_drop(&c, c.due);
    assert_true(c.timer != CONNECTION_PROBE);
    assert_true(c.due >= 3 * RTT + RTT + 0.2 && c.due <= 3 * RTT + RTT + 0.2 + 2 * TIMER_TICK);
    assert_int_equal(sent(&c, c.due, &frame), 0);
    connection_free(&c);
}

/* Many at once as one after the other, after a rest, in the midst of others and as the window recovers. */
static void frames_sent_together_are_sent_one_by_one(void **state)
{
    (void)state;
    struct connection together = {0}, single = {0};
    connection_reset(&together);
    connection_reset(&single);
    for (int i = 0; i < 400; i++) {
        const double now = 0.011 * i + (i / 100) * 0.7;
        const int room = together.window - together.in_flight, n = room < 1 + i % 7 ? room : 1 + i % 7;
        uint32_t frame = 0;
        connection_offer(&together, 0, now);
        connection_offer(&single, 0, now);
        for (int k = 0; k < n && together.n_lost == 0; k++) {
            connection_offer(&single, 1, now);
            assert_true(connection_send(&single, now, &frame));
        }
        if (n > 0 && together.n_lost == 0)
            assert_int_equal(connection_send_new(&together, n, now) + (uint32_t)n - 1, frame);
        bool again;
        do {
            again = connection_send(&single, now, &frame);
            assert_int_equal(connection_send(&together, now, &frame), again);
        } while (again);
        for (uint32_t k = single.first + (i % 61 == 60); k != single.next; k++) {
            connection_acknowledge(&single, k, now + RTT);
            connection_acknowledge(&together, k, now + RTT);
        }
        assert_int_equal(together.window, single.window);
        assert_int_equal(together.in_flight, single.in_flight);
        assert_int_equal(together.next, single.next);
        assert_int_equal(together.most, single.most);
        assert_true(together.due == single.due && together.round_trip == single.round_trip);
    }
    assert_true(single.threshold < 1000 && single.next > 1000); /* it has lost some */
    connection_free(&together);
    connection_free(&single);
}

/* Of ten frames two are lost and sent again, with some that are new behind them; then all of the ten but one are there. */
static void acknowledged_at_once_they_are_as_one_by_one(void **state)
{
    (void)state;
    struct connection one = {0}, all = {0};
    double round_trip = NAN;
    struct connection *const both[] = {&one, &all};
    for (int i = 0; i < 2; i++) {
        uint32_t frame;
        begin(both[i], 0, 10);
        pass(both[i], 0, 1, RTT);
        pass(both[i], 4, 6, RTT);
        assert_int_equal(both[i]->n_lost, 2);
        connection_offer(both[i], 4, 1.5 * RTT);
        assert_int_equal(sent(both[i], 1.5 * RTT, &frame), 1);
    }
    assert_true(connection_acknowledge_before(&all, 9, &round_trip, 3 * RTT));
    bool measured = true;
    for (uint32_t i = 2; i < 9; i++) {
        const bool repeated = connection_frame_at(&one, i)->repeated;
        const bool was_new = connection_acknowledge_one(&one, i, measured, 3 * RTT);
        measured = measured && (!was_new || repeated);
    }
    connection_told(&one, 3 * RTT);
    connection_told(&all, 3 * RTT);
    assert_int_equal(all.first, 9);
    assert_int_equal(all.first, one.first);
    assert_int_equal(all.window, one.window);
    assert_int_equal(all.state, one.state);
    assert_int_equal(all.in_flight, one.in_flight);
    assert_int_equal(all.n_lost, one.n_lost);
    assert_int_equal(all.n_there, one.n_there);
    assert_true(all.round_trip == one.round_trip);
    assert_true(fabs(round_trip - 3 * RTT) < 1e-12); /* of the last that was sent once, at 0 */
    assert_false(connection_acknowledge_before(&all, 9, &round_trip, 4 * RTT));
    connection_free(&one);
    connection_free(&all);
}

/* Where nothing is lost, too, while the window opens and above the threshold. */
static void in_order_they_are_as_one_by_one(void **state)
{
    (void)state;
    struct connection one = {0}, all = {0};
    struct connection *const both[] = {&one, &all};
    for (int i = 0; i < 2; i++) {
        connection_reset(both[i]);
        both[i]->by_time = true;
        both[i]->threshold = 40;
    }
    for (int round = 0; round < 300; round++) {
        const double now = round * RTT, back = now + (0.5 + 0.001 * (round % 7)) * RTT;
        for (int i = 0; i < 2; i++) {
            connection_send_new(both[i], both[i]->window - both[i]->in_flight, now);
            both[i]->limited = round % 5 > 0;
        }
        const uint32_t first = one.first, got = one.next - (uint32_t)(round % 3);
        double round_trip = NAN;
        assert_true(connection_acknowledge_before(&all, got, &round_trip, back));
        for (uint32_t i = first; i != got; i++)
            assert_true(connection_acknowledge_one(&one, i, i == first, back));
        connection_told(&one, back);
        connection_told(&all, back);
        assert_int_equal(all.first, got);
        assert_int_equal(all.first, one.first);
        assert_int_equal(all.in_flight, one.in_flight);
        assert_int_equal(all.window, one.window);
        assert_int_equal(all.growth, one.growth);
        assert_true(all.newest == one.newest);
        assert_true(all.round_trip == one.round_trip);
        assert_true(round_trip == back - connection_frame_at(&one, got - 1)->sent);
    }
    assert_true(one.window > 45);
    connection_free(&one);
    connection_free(&all);
}

/* What comes out of order is counted as ahead until the gap before it is filled. */
static void a_gap_is_passed_when_it_is_filled(void **state)
{
    (void)state;
    struct connection c = {0};
    begin(&c, RTT, 8);
    connection_receive(&c, 0);
    connection_receive(&c, 2);
    connection_receive(&c, 3);
    connection_receive(&c, 2);
    connection_receive(&c, 6);
    assert_int_equal(c.got, 1);
    connection_receive(&c, 1);
    assert_int_equal(c.got, 4);
    connection_receive(&c, 4);
    assert_int_equal(c.got, 5);
    connection_receive(&c, 5);
    assert_int_equal(c.got, 7);
    connection_receive(&c, 7);
    assert_int_equal(c.got, 8);
    connection_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(timers_wait_for_what_went_otherwise), cmocka_unit_test(a_round_trip_is_smoothed),
        cmocka_unit_test(a_timeout_waits_longer_where_round_trips_differ), cmocka_unit_test(what_comes_sooner_counts_less),
        cmocka_unit_test(a_window_opens_and_closes),       cmocka_unit_test(the_last_frame_waits_for_a_timeout),
        cmocka_unit_test(what_left_together_is_waited_for), cmocka_unit_test(whole_messages_are_lost_at_once),
        cmocka_unit_test(two_last_frames_are_probed_for),  cmocka_unit_test(a_probe_for_nothing_costs_nothing),
        cmocka_unit_test(a_probe_that_comes_late_costs_nothing), cmocka_unit_test(a_young_connection_opens),
        cmocka_unit_test(a_long_stream_is_kept), cmocka_unit_test(frames_sent_together_are_sent_one_by_one),
        cmocka_unit_test(reno_halves_its_window), cmocka_unit_test(a_rest_leaves_three_quarters_for_a_start),
        cmocka_unit_test(others_are_acknowledged_without_a_round_trip), cmocka_unit_test(a_probe_may_be_dropped),
        cmocka_unit_test(one_probe_is_outstanding),
        cmocka_unit_test(acknowledged_at_once_they_are_as_one_by_one),
        cmocka_unit_test(in_order_they_are_as_one_by_one), cmocka_unit_test(a_gap_is_passed_when_it_is_filled),
        cmocka_unit_test(a_new_frame_may_be_the_probe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
