/* What the sending end of a stream lets leave as it is told what has come (engine/timed/stream/sender.h): a stream whose port
 * takes no time, told by hand. */
#include "engine/timed/stream/sender.h"

#include "engine/timed/stream/stream.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include <string.h>

/* A stream of full frames, all of them written. */
struct sending {
    struct timed e;
    struct timed_channel channel;
    struct timed_process sender;
    struct timed_port port;
    struct timed_stream there, back;
};

static void sending_init(struct sending *at, int n_frames)
{
    memset(at, 0, sizeof *at);
    at->e.channels = &at->channel;
    at->channel.join = JOIN_MADE;
    at->channel.first_writing = NONE;
    at->port.last_left = NONE;
    event_queue_init(&at->e.queue);
    streams_init(&at->e.streams);
    streams_reset(&at->e.streams);
    struct timed_stream *s = &at->there;
    s->back = &at->back;
    at->back.back = s;
    s->sender = &at->sender;
    s->from_port = &at->port;
    s->leaving_until = port_leaving(&at->port);
    s->frame = 1448;
    s->written = n_frames * s->frame;
    s->first_mark = s->next_mark = s->last_mark = s->leaving_mark = NONE;
    s->goes_on = s->end_waits_until = -INFINITY;
    s->alarm = s->answer_due = at->back.answer_due = INFINITY;
    s->receive = receive_window_first(s->frame, 0);
    connection_reset(&s->at);
    s->at.waits = true;
    s->at.round_trip = s->at.least_round_trip = 10e-3;
}

static void sending_free(struct sending *at)
{
    connection_free(&at->there.at);
    event_queue_free(&at->e.queue);
    streams_free(&at->e.streams);
}

/* All that has left is off the sender's host, and what has waited for that leaves. */
static void sending_gone(struct sending *at)
{
    at->there.on_way = 0;
    sender_go_on(&at->e, &at->there);
}

/* At `now` a packet says that frames `from` ... to - 1 have come, none of the first `got` being missing. */
static void sending_told(struct sending *at, double now, uint32_t got, uint32_t from, uint32_t to)
{
    at->e.now = now;
    sender_acknowledged(&at->e, &at->there, (struct stream_heard){got, from, to});
}

/* Ten leave, of which the first three are lost and leave again with four new ones behind them, which a window of seven has room for; the
 * first once more, when the second is there. What then says that the third is, which shows no round trip as it was sent twice, takes it
 * off the window: so the next leaves at once. */
static void what_came_again_makes_room(void **state)
{
    (void)state;
    struct sending at;
    sending_init(&at, 30);
    sender_send(&at.e, &at.there, false);
    const struct connection *c = &at.there.at;
    assert_int_equal(c->next, 10);
    sending_gone(&at);
    sending_told(&at, 10e-3, 0, 3, 10);
    sending_gone(&at);
    assert_int_equal(c->n_lost, 0);
    assert_int_equal(c->next, 14);
    sending_told(&at, 20e-3, 0, 1, 2);
    assert_int_equal(c->next, 14);
    assert_true(connection_frame_at(c, 0)->sent == 20e-3);
    sending_gone(&at);
    sending_told(&at, 20.1e-3, 0, 2, 3);
    assert_int_equal(c->next, 15);
    assert_true(connection_frame_at(c, 14)->sent == 20.1e-3);
    sending_free(&at);
}

/* The third once more is nothing new: nothing leaves, and no timer is put off. */
static void what_was_known_changes_nothing(void **state)
{
    (void)state;
    struct sending at;
    sending_init(&at, 30);
    sender_send(&at.e, &at.there, false);
    sending_gone(&at);
    sending_told(&at, 9e-3, 0, 9, 10);
    const struct connection *c = &at.there.at, before = *c;
    assert_true(c->timer == CONNECTION_SETTLES);
    sending_told(&at, 9.5e-3, 0, 9, 10);
    assert_true(c->timer == CONNECTION_SETTLES && c->due == before.due);
    assert_int_equal(c->next, before.next);
    assert_int_equal(c->window, before.window);
    assert_int_equal(c->in_flight, before.in_flight);
    sending_free(&at);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_came_again_makes_room),
        cmocka_unit_test(what_was_known_changes_nothing),
    };
    cmocka_set_message_output(CM_OUTPUT_STDOUT);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
