/* What a message costs the ports the opposite way: acknowledgements. Where all processes of a ring send to the next,
 * every port passes messages and the acknowledgements of others. */
#include "bench/kinds/kinds.h"

#include "bench/bursts.h"
#include "bench/gaps.h"
#include "bench/places.h"
#include "common/alloc.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    REVERSE_BURSTS = 10,
    REVERSE_ALIKE = 4,   /* repetitions that do where all their bursts take the same time */
    REVERSE_LEAST = 4, REVERSE_LONGEST = 32, /* messages of a burst */
    REVERSE_RUNS = 4,
    RING = 4             /* nodes */
};
static const double ALIKE = 0.002;     /* of a burst's time: acknowledgements take some 2 % */
static const double ALIKE_TIME = 20e-3; /* s: bursts from which on that is more than how processes wake differs by */
static const double REVERSE_TIME = 40e-3; /* s that a burst lasts where the lengths allow it: long against its start */

static const double LOST = 1.1; /* times the one way: acknowledgements take a few percent, so here packets were lost */

static int reverse_length(double gap)
{
    return (int)fmin(fmax(1 + ceil(REVERSE_TIME / gap), REVERSE_LEAST), REVERSE_LONGEST);
}

static double reverse_cost(const struct campaign *c, const struct task *task)
{
    const struct size_info *size = campaign_size(c, task->bytes);
    double gap = campaign_gap_guess(c, size->bytes), burst = size->one_way + reverse_length(gap) * gap;
    struct shape pair = campaign_pair(c);
    const int bursts = burst * c->classes[c->class].slower >= ALIKE_TIME ? REVERSE_ALIKE : REVERSE_BURSTS;
    double repetitions = ceil((double)bursts / (size->copies ? shape_groups(&pair) : 1));
    return 2 * (repetitions * (1.1 * burst + (double)c->rest * 1e-9) + 0.06);
}

/* The nodes of a ring: three are enough that nobody sends to whom it receives from. */
static int ring_nodes(const struct campaign *c)
{
    return campaign_close(c) < RING ? campaign_close(c) : RING;
}

/* Bursts of k messages from one process to another, s from the first call to the last arrival, of every burst that
 * counts. senders: of each repetition. times: room for n / k of n messages. */
static size_t bursts_read(const struct series_message messages[], size_t n, int k, int senders, double times[])
{
    size_t step = (size_t)senders, length = step * (size_t)k, found = 0;
    for (size_t first = 0; first + length <= n; first += length)
        for (size_t way = 0; way < step; way++) {
            int64_t call = INT64_MAX, last = INT64_MIN;
            bool valid = true;
            for (size_t i = first + way; i < first + length; i += step) {
                call = messages[i].call < call ? messages[i].call : call;
                last = messages[i].end > last ? messages[i].end : last;
                valid = valid && messages[i].valid;
            }
            if (valid)
                times[found++] = (double)(last - call) * 1e-9;
        }
    return found;
}

/* The median burst, of one process or of all of a ring of so many nodes; NaN where too few count. */
static double burst_median(struct campaign *c, const struct size_info *size, int k, int ring)
{
    const bool around = ring > 0;
    struct series_setup setup = {.pattern = PATTERN_fan_out, .shape = campaign_pair(c), .kind = SEND_NONBLOCKING,
                                 .bytes = size->bytes, .rest = c->rest};
    setup.shape.burst = k;
    setup.shape.around = around;
    setup.shape.step = around;
    if (around)
        setup.shape.nodes = ring;
    int copies = size->copies ? shape_groups(&setup.shape) : 1;
    double gap = campaign_gap_guess(c, size->bytes), median = NAN;
    setup.late = campaign_late(c, k * gap);
    int64_t busy = (int64_t)(1.1e9 * (size->one_way + k * gap)) + 500000;
    size_t found = 0;
    bool alike = false;
    int wanted = REVERSE_ALIKE;
    int series = crew_series_create(c->crew, &setup);
    for (int run = 0; run < REVERSE_RUNS && found < (size_t)REVERSE_BURSTS && !alike; run++) {
        size_t n;
        crew_series_run(c->crew, series, (wanted + copies - 1) / copies, busy, copies);
        const struct series_message *messages = crew_series_collect(c->crew, series, &n);
        double *times = alloc_array(n / (size_t)k + 1, sizeof *times);
        found = bursts_read(messages, n, k, around ? setup.shape.nodes * setup.shape.ppn : 1, times);
        alike = ports_alike(found, times, REVERSE_ALIKE, ALIKE);
        median = alike || found >= REVERSE_BURSTS / 2 ? ports_median(found, times) : NAN;
        wanted = REVERSE_BURSTS;
        busy = isnan(median) ? 2 * busy : (int64_t)(1.2e9 * median) + 200000;
        free(times);
    }
    crew_series_destroy(c->crew, series);
    return median;
}

static void reverse_measure(struct campaign *c, struct task *task, double time_cap)
{
    (void)time_cap;
    const struct size_info *size = campaign_size(c, task->bytes);
    int k = reverse_length(campaign_gap_guess(c, size->bytes));
    double one_way = burst_median(c, size, k, 0), ring = burst_median(c, size, k, ring_nodes(c));
    char heading[RESULT_HEADING_BYTES], key[32];
    snprintf(key, sizeof key, "%lld bytes", (long long)size->bytes);
    result_heading(c->result, result_class_heading(NOTE_RING, c->class, heading));
    if (isnan(one_way) || isnan(ring)) {
        result_note(c->result, 1, key, "too few bursts that began together");
        return;
    }
    const bool lost = ring > LOST * one_way;
    if (!lost)
        campaign_port(c, task->bytes)->gap[PORT_REVERSE] = fmax(0, (ring - one_way) / (k - 1));
    result_note(c->result, 1, key, "%d messages from one %.1f us, from all %.1f us%s", k, one_way * 1e6, ring * 1e6,
                lost ? ": left out, for packets were lost" : "");
}

/* Where packets were lost there is a note and no gap. */
static bool reverse_was_tried(const struct campaign *c, const struct task *task)
{
    char heading[RESULT_HEADING_BYTES], key[32];
    snprintf(key, sizeof key, "%" PRId64 " bytes", task->bytes);
    return result_note_find(c->result, result_class_heading(NOTE_RING, task->class, heading), key) != NULL;
}

static bool reverse_is_done(const struct campaign *c, const struct task *task)
{
    const struct port_point *port = campaign_port_find(c, task->class, task->bytes);
    return (port && !isnan(port->gap[PORT_REVERSE])) || reverse_was_tried(c, task);
}

const struct kind kind_reverse = {.cost = reverse_cost, .measure = reverse_measure, .is_done = reverse_is_done};
