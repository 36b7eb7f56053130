/* How much of a message its connection brings an out port at once: two just above the eager limit, to two processes. */
#include "bench/kinds/kinds.h"

#include "bench/bursts.h"
#include "bench/gaps.h"
#include "bench/places.h"
#include "common/alloc.h"
#include "estimate/window_fit.h"

#include <math.h>
#include <stdlib.h>

enum { WINDOW_BURSTS = 15, WINDOW_RUNS = 3, WINDOW_BYTES = 64 << 10 };

/* Just above the eager limit: both leave as soon as they are permitted, and neither is a stream, which would show what
 * the connection gets used to. */
static int64_t window_bytes(const struct campaign *c)
{
    const int64_t limit = c->result->eager_limit;
    return limit < WINDOW_BYTES ? limit + 1 : WINDOW_BYTES;
}

static double burst_guess(const struct campaign *c)
{
    return 2 * 1.1 * campaign_gap_guess(c, window_bytes(c)); /* of class 0 */
}

static int burst_copies(const struct campaign *c, const struct shape *shape)
{
    return c->sizes[c->n_sizes - 1].copies ? shape_groups(shape) : 1;
}

static struct shape burst_shape(const struct campaign *c)
{
    struct shape shape = campaign_shape(c, campaign_close_group(c, 3), 1);
    shape.burst = 2;
    return shape;
}

static double window_cost(const struct campaign *c, const struct task *task)
{
    (void)task;
    const struct shape shape = burst_shape(c);
    const double repetitions = ceil((double)WINDOW_BURSTS / burst_copies(c, &shape));
    return 1.5 * repetitions * (burst_guess(c) + (double)c->rest * 1e-9) + 0.06;
}

static size_t bursts_read(const struct series_message messages[], size_t n, struct window_burst bursts[])
{
    size_t found = 0;
    for (size_t i = 0; i + 1 < n; i += 2) {
        const struct series_message *a = &messages[i], *b = &messages[i + 1];
        const double call = (double)(a->call < b->call ? a->call : b->call);
        const double one = ((double)a->end - call) * 1e-9, other = ((double)b->end - call) * 1e-9;
        if (a->valid && b->valid)
            bursts[found++] = (struct window_burst){fmin(one, other), fmax(one, other)};
    }
    return found;
}

static void window_measure(struct campaign *c, struct task *task, double time_cap)
{
    (void)time_cap;
    struct series_setup setup = {.pattern = PATTERN_fan_out, .shape = burst_shape(c), .kind = SEND_NONBLOCKING,
                                 .bytes = task->bytes, .rest = c->rest};
    const int copies = burst_copies(c, &setup.shape);
    struct window_burst *bursts = NULL;
    int64_t busy = (int64_t)(burst_guess(c) * c->classes[c->class].slower * 1e9) + 500000;
    size_t found = 0;
    int series = crew_series_create(c->crew, &setup);
    for (int run = 0; run < WINDOW_RUNS && found < (size_t)WINDOW_BURSTS; run++) {
        size_t n;
        crew_series_run(c->crew, series, (WINDOW_BURSTS + copies - 1) / copies, busy, copies);
        const struct series_message *messages = crew_series_collect(c->crew, series, &n);
        bursts = alloc_resize(bursts, n / 2 + 1, sizeof *bursts);
        found = bursts_read(messages, n, bursts);
        busy = (int64_t)((double)campaign_bursts_busy(messages, n) * 1.2) + 200000;
    }
    crew_series_destroy(c->crew, series);
    c->result->window = window_fit(found, bursts, (double)task->bytes);
    if (c->result->window > 0)
        result_note(c->result, 0, NOTE_WINDOW, "%.0f bytes of two of %lld that leave together (%zu bursts)",
                    c->result->window, (long long)task->bytes, found);
    else if (found > 0)
        result_note(c->result, 0, NOTE_WINDOW, "two of %lld bytes leave one behind the other (%zu bursts)",
                    (long long)task->bytes, found);
    free(bursts);
}

static bool window_is_done(const struct campaign *c, const struct task *task)
{
    (void)task;
    return result_note_find(c->result, NOTE_WINDOW, NULL) != NULL;
}

const struct kind kind_window = {.cost = window_cost, .measure = window_measure, .is_done = window_is_done,
                                 .bytes = window_bytes};
