/* Streams: the gap of a port that is never idle, beside the one that bursts tell. */
#include "bench/kinds/kinds.h"

#include "bench/bursts.h"
#include "bench/gaps.h"
#include "bench/places.h"
#include "common/alloc.h"
#include "estimate/machine/stream_fit.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    STREAMS = 3,
    RUNS_MOST = 4,       /* the first of one repetition, the others until enough streams count */
    STREAM_LONGEST = 512 /* messages of a process: what looking through so many requests takes is no part of a gap */
};
static const double STREAM_TIME = 0.2; /* s: five times the longest bursts */
static const double AGAIN = 1.1;       /* some streams do not count and are measured again */

/* Messages of a stream, of all senders. */
static int stream_length(const struct campaign *c, const struct size_info *size, int senders)
{
    double each = ceil(STREAM_TIME / campaign_gap_guess(c, size->bytes) / senders);
    return senders * (int)fmin(fmax(each, STREAM_LEAST), STREAM_LONGEST);
}

static struct shape stream_shape(const struct campaign *c, const struct task *task)
{
    struct shape shape = campaign_shape(c, task->nodes, task->ppn);
    shape.senders = task->ppn;
    shape.burst = stream_length(c, campaign_size(c, task->bytes), task->ppn);
    return shape;
}

static double stream_time(const struct campaign *c, const struct size_info *size, int length)
{
    return 1.1 * (size->one_way + length * campaign_gap_guess(c, size->bytes));
}

static double saturation_cost(const struct campaign *c, const struct task *task)
{
    const struct size_info *size = campaign_size(c, task->bytes);
    struct shape shape = stream_shape(c, task);
    double repetitions = ceil((double)STREAMS / (size->copies ? shape_groups(&shape) : 1));
    return AGAIN * repetitions * (stream_time(c, size, shape.burst) + (double)c->rest * 1e-9) + 0.12;
}

/* The gap of every group's stream in every repetition that counts; gaps: room for n / k of n messages. */
static size_t streams_read(const struct series_message messages[], size_t n, int k, double gaps[])
{
    double *arrivals = alloc_array((size_t)k, sizeof *arrivals);
    size_t found = 0;
    for (size_t first = 0; first + (size_t)k <= n; first += (size_t)k) {
        bool valid = true;
        for (size_t i = 0; i < (size_t)k; i++) {
            const struct series_message *m = &messages[first + i];
            arrivals[i] = (double)(m->end - m->planned) * 1e-9;
            valid = valid && m->valid;
        }
        if (valid)
            gaps[found++] = stream_fit_gap((size_t)k, arrivals);
    }
    free(arrivals);
    return found;
}

/* What bursts say of a port that sends as many through as it receives: the slower side's. NaN: nothing. */
static double bursts_gap(const struct campaign *c, int64_t bytes)
{
    for (size_t i = 0; i < c->result->n_ports; i++)
        if (c->result->ports[i].bytes == bytes)
            return fmax(c->result->ports[i].gap[PORT_OUT], c->result->ports[i].gap[PORT_IN]);
    return NAN;
}

static void saturation_key(const struct task *task, size_t n, char key[])
{
    snprintf(key, n, "%dx%d, %" PRId64 " bytes", task->nodes, task->ppn, task->bytes);
}

static void saturation_note(struct campaign *c, const struct task *task, size_t streams, int length, double gap)
{
    double burst = bursts_gap(c, task->bytes);
    char key[64], beside[64] = "";
    if (burst > 0)
        snprintf(beside, sizeof beside, ", %+.1f %% beside the bursts' %.1f us", 100 * (gap / burst - 1), burst * 1e6);
    saturation_key(task, sizeof key, key);
    result_heading(c->result, NOTE_SATURATION);
    result_note(c->result, 1, key, "gap %.1f us, %.3f MB/s, %zu streams of %d messages%s", gap * 1e6,
                (double)task->bytes / gap * 1e-6, streams, length, beside);
}

static void saturation_measure(struct campaign *c, struct task *task, double time_cap)
{
    (void)time_cap;
    const struct size_info *size = campaign_size(c, task->bytes);
    struct series_setup setup = {.pattern = PATTERN_stream, .shape = stream_shape(c, task), .kind = SEND_NONBLOCKING,
                                 .bytes = task->bytes, .rest = c->rest};
    int copies = size->copies ? shape_groups(&setup.shape) : 1, k = setup.shape.burst;
    int64_t busy = (int64_t)(stream_time(c, size, k) * 1e9) + 500000;
    size_t found = 0;
    double gap = NAN;
    int series = crew_series_create(c->crew, &setup);
    for (int run = 0; run < RUNS_MOST && found < (size_t)STREAMS && (run == 0 || campaign_left(c) > 0); run++) {
        size_t n;
        crew_series_run(c->crew, series, run == 0 ? 1 : (STREAMS + copies - 1 - (int)found) / copies, busy, copies);
        const struct series_message *messages = crew_series_collect(c->crew, series, &n);
        double *gaps = alloc_array(n / (size_t)k + 1, sizeof *gaps);
        found = streams_read(messages, n, k, gaps);
        gap = found > 0 ? ports_median(found, gaps) : NAN;
        busy = (int64_t)((double)campaign_bursts_busy(messages, n) * 1.1) + 200000;
        free(gaps);
    }
    crew_series_destroy(c->crew, series);
    if (gap > 0)
        saturation_note(c, task, found, k, gap);
}

static bool saturation_is_done(const struct campaign *c, const struct task *task)
{
    char key[64];
    saturation_key(task, sizeof key, key);
    return result_note_find(c->result, NOTE_SATURATION, key) != NULL;
}

const struct kind kind_saturation = {.cost = saturation_cost, .measure = saturation_measure,
                                     .is_done = saturation_is_done};
