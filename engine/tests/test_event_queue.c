/* The event queue against a plain list that is searched for the least. */
#include "engine/timed/event_queue.h"

#include "engine/random.h"
#include "engine/timed/timed.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { MOST = 3000 };

struct plain {
    size_t n;
    struct event list[MOST];
};

static struct event plain_pop(struct plain *plain)
{
    size_t least = 0;
    for (size_t i = 1; i < plain->n; i++)
        least = event_before(&plain->list[i], &plain->list[least]) ? i : least;
    struct event first = plain->list[least];
    plain->list[least] = plain->list[--plain->n];
    return first;
}

static void expect_same(struct event a, struct event b)
{
    assert_true(a.time == b.time && a.order == b.order);
}

/* Few different times, so that many are equal; no two events are. */
static struct event event_chosen(uint32_t word, double after, uint64_t object)
{
    return event_make(after + word % 7, (int)(word >> 8) % 5, (int32_t)(word >> 12) % 9, object);
}

static void it_gives_events_in_order(void **state)
{
    (void)state;
    static struct plain plain;
    struct event_queue queue;
    event_queue_init(&queue);
    double now = 0;
    for (uint64_t step = 0; step < 20000; step++) {
        uint32_t word = random_word(1, 0, 0, step, STREAM_SERIAL), choice = word >> 24;
        struct event event = event_chosen(word, now, step);
        bool room = plain.n < MOST - 1 && (step / 2000 % 2 == 0 || choice < 60);
        if (room && choice < 90) {
            event_queue_push(&queue, event);
            plain.list[plain.n++] = event;
        } else if (room && choice < 180) {
            event_queue_push_in_line(&queue, event);
            plain.list[plain.n++] = event;
        } else if (room && queue.n > 0 && !event_queue_line_is_first(&queue)) {
            expect_same(plain_pop(&plain), queue.heap[0]);
            event_queue_replace_first(&queue, event);
            plain.list[plain.n++] = event;
        } else if (plain.n > 0) {
            struct event first = plain_pop(&plain), sooner;
            assert_false(event_queue_pop_before(&queue, first, &sooner));
            expect_same(event_queue_pop(&queue), first);
            now = event_time(&first);
        }
        assert_int_equal(event_queue_is_empty(&queue), plain.n == 0);
    }
    while (plain.n > 0)
        expect_same(event_queue_pop(&queue), plain_pop(&plain));
    struct event none = event_queue_pop(&queue);
    assert_true(event_is_never(&none));
    event_queue_free(&queue);
}

static void it_is_empty_when_cleared(void **state)
{
    (void)state;
    struct event_queue queue;
    event_queue_init(&queue);
    for (int i = 0; i < 1000; i++) {
        event_queue_push(&queue, event_make(1000 - i, 1, 2, (uint64_t)i));
        event_queue_push_in_line(&queue, event_make(i / 2, 1, 3, (uint64_t)i));
    }
    event_queue_clear(&queue);
    assert_true(event_queue_is_empty(&queue));
    struct event later = event_make(7, 0, 1, 5), sooner = event_make(6.5, 4, 1, 5);
    event_queue_push_in_line(&queue, later);
    event_queue_push_in_line(&queue, sooner);
    expect_same(event_queue_pop(&queue), sooner);
    expect_same(event_queue_pop(&queue), later);
    assert_true(event_queue_is_empty(&queue));
    event_queue_free(&queue);
}

static void an_event_keeps_what_it_is_made_of(void **state)
{
    (void)state;
    struct event event = event_make(2.385, 5, 65535, 77777);
    assert_true(event_time(&event) == 2.385);
    assert_int_equal(event_kind(&event), 5);
    assert_int_equal(event_process(&event), 65535);
    assert_int_equal(event_object(&event), 77777);
}

/* Which channel of a process has which number hangs on what an earlier replication of the same thread needed first; two events
 * of one time come by whom they are about. bits: for their numbers, of which only the first fits into one. */
static void channels_come_by_their_processes(int bits)
{
    struct timed_channel channels[2] = {{.from = 5, .to = 2}, {.from = 5, .to = 1}};
    struct timed e = {.channels = channels, .n_channels = 2, .channel_bits = bits};
    event_queue_init(&e.queue);
    for (int32_t channel = 0; channel < 2; channel++) {
        channel_event_add(&e, 1, EVENT_CONNECT, 5, &channels[channel]);
        channel_event_add(&e, 1, EVENT_CONNECT, channels[channel].to, &channels[channel]);
    }
    static const struct {
        int32_t process, peer;
        bool sends;
    } expected[] = {{1, 5, true}, {2, 5, true}, {5, 1, false}, {5, 2, false}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        const struct event event = event_queue_pop(&e.queue);
        bool sends;
        assert_int_equal(channel_event_peer(&e, &event, &sends), expected[i].peer);
        assert_int_equal(event_process(&event), expected[i].process);
        assert_true(sends == expected[i].sends);
    }
    event_queue_free(&e.queue);
}

static void channels_of_one_time_come_by_their_processes(void **state)
{
    (void)state;
    channels_come_by_their_processes(1);
    channels_come_by_their_processes(channel_bits_for(64));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_gives_events_in_order),
        cmocka_unit_test(it_is_empty_when_cleared),
        cmocka_unit_test(channels_of_one_time_come_by_their_processes),
        cmocka_unit_test(an_event_keeps_what_it_is_made_of),
    };
    return cmocka_run_group_tests_name("event queue", tests, NULL, NULL);
}
