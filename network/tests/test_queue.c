/* Which frames a full resource loses (network/queue.h), against a twin that keeps every frame it holds. */
#include "network/queue.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

enum { N_FRAMES = 20000, MOST_HELD = 64 };
static const double BUFFER = 21.6, RATE = 2;

/* What the twin holds: when each frame has passed, and its work. */
struct twin {
    double leaves[MOST_HELD], work[MOST_HELD];
    int n;
    double until;
};

static bool twin_takes(struct twin *t, double work, double now)
{
    double held = 0;
    int n = 0;
    for (int i = 0; i < t->n; i++)
        if (t->leaves[i] > now) {
            t->leaves[n] = t->leaves[i];
            t->work[n++] = t->work[i];
        }
    t->n = n;
    for (int i = 0; i < n; i++)
        held += t->work[i];
    if (n > 0 && held + work > BUFFER)
        return false;
    t->until = queue_latest(t->until, now) + work;
    t->leaves[t->n] = t->until;
    t->work[t->n++] = work;
    return true;
}

static double drawn(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 9007199254740992.0;
}

/* How many of frames that come twice as fast as they pass, each ninth of which takes `last` and the others 1, are judged
 * otherwise than by the twin. *taken, *twins: the work of those that find room. */
static int judged_otherwise(double last, double *taken, double *twins)
{
    struct queue queue = QUEUE_IDLE;
    struct twin twin = {.until = -INFINITY};
    static double short_leaves[N_FRAMES];
    uint64_t state = 7;
    double now = 0;
    int different = 0, n_short = 0, n_gone = 0;
    *taken = *twins = 0;
    for (int i = 0; i < N_FRAMES; i++) {
        const double work = i % 9 == 8 ? last : 1;
        now += 2 * drawn(&state) / RATE;
        queue_advance(&queue, now);
        for (; n_gone < n_short && short_leaves[n_gone] <= now; n_gone++)
            queue.in_short -= last;
        const bool room = !queue_is_full(&queue, work, 1, BUFFER, now), twins_room = twin_takes(&twin, work, now);
        if (room)
            queue_take(&queue, now, work);
        if (room && work < 1) {
            queue.in_short += work;
            short_leaves[n_short++] = queue.until;
        }
        *taken += room * work;
        *twins += twins_room * work;
        different += room != twins_room;
    }
    return different;
}

static void full_frames_are_lost_as_by_the_twin(void **state)
{
    (void)state;
    double taken, twins;
    assert_int_equal(judged_otherwise(1, &taken, &twins), 0);
    assert_true(taken < 0.6 * N_FRAMES);
}

/* Where shorter ones are among them it may, while it passes a short one, take a full one for begun. */
static void shorter_ones_find_room_as_by_the_twin(void **state)
{
    (void)state;
    for (int i = 1; i < 10; i++) {
        double taken, twins;
        const int different = judged_otherwise(0.1 * i, &taken, &twins);
        if (different > 0.02 * N_FRAMES || fabs(taken / twins - 1) > 0.002)
            fail_msg("last frames of %g: %d judged otherwise, %g taken, %g by the twin", 0.1 * i, different, taken, twins);
    }
}

/* Of 21 places a queue that holds 21 full frames has none, and 0.6 of room. */
static void a_short_frame_finds_room_where_a_full_one_does_not(void **state)
{
    (void)state;
    struct queue queue = QUEUE_IDLE;
    for (int i = 0; i < 21; i++) {
        assert_false(queue_is_full(&queue, 1, 1, BUFFER, 0));
        queue_take(&queue, 0, 1);
    }
    assert_true(queue_is_full(&queue, 1, 1, BUFFER, 0));
    assert_true(queue_is_full(&queue, 1, 1, BUFFER, 0.9)); /* the first has not passed yet */
    assert_false(queue_is_full(&queue, 1, 1, BUFFER, 1));
    assert_false(queue_is_full(&queue, 0.55, 1, BUFFER, 0));
    assert_true(queue_is_full(&queue, 0.65, 1, BUFFER, 0));
}

/* Of 0.5 saved up it passes the first piece of 2 by 1.5, the next behind that, and one that comes late by 1.5 after it came. */
static void what_comes_as_a_whole_passes_behind_the_rest(void **state)
{
    (void)state;
    double until = -INFINITY;
    assert_true(queue_pass(&until, 2, 0.5, 10) == 11.5);
    assert_true(queue_pass(&until, 1.25, 0.5, 10.25) == 12.75);
    assert_true(queue_pass(&until, 0.25, 0.5, 13) == 13 && until == 13);
    assert_true(queue_pass(&until, 0.125, 0.5, 20) == 20 && until == 19.625);
}

/* Bit for bit what max(0, a - b) is, of neighbouring numbers and of one that is infinitely little too. */
static void an_excess_is_the_difference_or_nothing(void **state)
{
    (void)state;
    static const double number[] = {-INFINITY, 0, 2.385e-7, 0.1, 0.30000000000000004, 0.3, 12.75, 1e9, 1e9 + 1.2e-7, 3e300};
    const size_t n = sizeof number / sizeof *number;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 1; j < n; j++) {
            const double difference = number[i] - number[j], expected = difference > 0 ? difference : 0;
            const double excess = queue_excess(number[i], number[j]);
            assert_memory_equal(&excess, &expected, sizeof expected);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(full_frames_are_lost_as_by_the_twin),
        cmocka_unit_test(shorter_ones_find_room_as_by_the_twin),
        cmocka_unit_test(a_short_frame_finds_room_where_a_full_one_does_not),
        cmocka_unit_test(what_comes_as_a_whole_passes_behind_the_rest),
        cmocka_unit_test(an_excess_is_the_difference_or_nothing),
    };
    return cmocka_run_group_tests_name("queue", tests, NULL, NULL);
}
