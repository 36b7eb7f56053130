/* Streams that tell what passes: every node's port, out and in; every trunk; a node's own bus. Bytes per second of
 * messages, without headers. */
#include "bench/campaign_impl.h"

#include "bench/flows_fit.h"
#include "bench/stream_fit.h"
#include "common/alloc.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STREAMS = 3, STREAM_LONGEST = 512 };
static const double STREAM_TIME = 0.2;    /* s: long beside how a connection starts after a rest */
static const double TRUNK_SLOWER = 4;     /* times: a trunk's streams may be that much slower than its ports */
static const int64_t RATES_MOST = 8192;   /* bytes: headers of messages no longer matter, and a port passes many */

int64_t campaign_rates_bytes(const struct campaign *c)
{
    int64_t bytes = c->sizes[0].bytes;
    for (size_t i = 0; i < c->n_sizes; i++)
        if (c->sizes[i].bytes <= RATES_MOST && c->sizes[i].bytes <= c->result->eager_limit)
            bytes = c->sizes[i].bytes;
    return bytes;
}

static double gap_guess(const struct campaign *c, const struct task *task)
{
    return campaign_gap_guess(c, task->bytes) * c->classes[c->class].slower;
}

static int stream_length(const struct campaign *c, const struct task *task)
{
    return (int)fmin(fmax(ceil(STREAM_TIME / gap_guess(c, task)), STREAM_LEAST), STREAM_LONGEST);
}

double task_rates_cost(const struct campaign *c, const struct task *task)
{
    const double one = STREAM_TIME + campaign_size(c, task->bytes)->one_way + (double)c->rest * 1e-9;
    return (task->kind == TASK_trunks ? TRUNK_SLOWER : 2) * (STREAMS + 1) * one + 0.2;
}

/* Runs a series: a first time to see how long it takes, then `repetitions` more. The messages of these alone; n: how
 * many. crew_series_destroy(*series) ends them. */
static const struct series_message *streams_run(struct campaign *c, const struct series_setup *setup, double time,
                                                int repetitions, int *series, size_t *n)
{
    const int copies = shape_groups(&setup->shape);
    *series = crew_series_create(c->crew, setup);
    crew_series_run(c->crew, *series, 1, (int64_t)(time * 1e9), copies);
    const struct series_message *messages = crew_series_collect(c->crew, *series, n);
    const size_t each = *n;
    const int64_t busy = (int64_t)(1.2 * (double)campaign_bursts_busy(messages, *n)) + 200000;
    crew_series_run(c->crew, *series, repetitions, busy, copies);
    messages = crew_series_collect(c->crew, *series, n) + each;
    *n -= each;
    return messages;
}

static struct series_setup stream_setup(const struct campaign *c, const struct task *task, int nodes, int ppn)
{
    struct series_setup setup = {.pattern = PATTERN_fan_out, .shape = campaign_shape(c, nodes, ppn),
                                 .kind = SEND_NONBLOCKING, .bytes = task->bytes, .rest = c->rest};
    setup.shape.burst = stream_length(c, task);
    return setup;
}

/* ---- ports ---- */

/* The streams of nodes in both directions: of each node's n of them the gaps. */
struct streams {
    size_t *n[2];
    double *gaps[2]; /* [nodes][STREAMS_MOST] */
};
enum { STREAMS_MOST = 4 * STREAMS };

static void streams_take(struct streams *streams, int way, int node, double gap)
{
    size_t *n = &streams->n[way][node];
    if (*n < STREAMS_MOST)
        streams->gaps[way][(size_t)node * STREAMS_MOST + (*n)++] = gap;
}

/* Pairs of nodes from the `first` of the job's order on, one sending, then the other. */
static void pairs_stream(struct campaign *c, const struct task *task, int first, struct streams *streams)
{
    struct series_setup setup = stream_setup(c, task, 2, 1);
    setup.shape.job_nodes -= first - setup.shape.first;
    setup.shape.first = first;
    const size_t k = (size_t)setup.shape.burst;
    const int ppn = c->crew->job->ppn;
    int series;
    size_t n;
    const struct series_message *messages =
        streams_run(c, &setup, 1.5 * (double)k * gap_guess(c, task), 2 * STREAMS, &series, &n);
    double *arrivals = alloc_array(k, sizeof *arrivals);
    for (size_t at = 0; at + k <= n; at += k) {
        for (size_t i = 0; i < k; i++)
            arrivals[i] = (double)(messages[at + i].end - messages[at + i].planned) * 1e-9;
        const double gap = stream_fit_gap(k, arrivals);
        streams_take(streams, 0, messages[at].from / ppn, gap);
        streams_take(streams, 1, messages[at].to / ppn, gap);
    }
    free(arrivals);
    crew_series_destroy(c->crew, series);
}

static void rates_note(struct campaign *c, const struct task *task, const struct streams *streams)
{
    result_heading(c->result, NOTE_RATES);
    for (int node = 0; node < c->crew->job->nodes; node++) {
        double rate[2];
        char key[32];
        if (c->class_of[node] != (int)c->class || streams->n[0][node] == 0 || streams->n[1][node] == 0)
            continue;
        for (int way = 0; way < 2; way++)
            rate[way] = (double)task->bytes * 1e-6 / ports_median(streams->n[way][node],
                                                                  streams->gaps[way] + (size_t)node * STREAMS_MOST);
        snprintf(key, sizeof key, "node %d", node);
        result_note(c->result, 1, key, "%.4g MB/s out, %.4g MB/s in", rate[0], rate[1]);
    }
}

void task_measure_rates(struct campaign *c, const struct task *task)
{
    const size_t nodes = (size_t)c->crew->job->nodes;
    struct streams streams;
    for (int way = 0; way < 2; way++) {
        streams.n[way] = alloc_zeroed(nodes, sizeof *streams.n[way]);
        streams.gaps[way] = alloc_array(nodes * STREAMS_MOST, sizeof *streams.gaps[way]);
    }
    pairs_stream(c, task, c->first, &streams);
    if (c->nodes % 2 != 0)
        pairs_stream(c, task, c->first + c->nodes - 2, &streams);
    rates_note(c, task, &streams);
    for (int way = 0; way < 2; way++) {
        free(streams.n[way]);
        free(streams.gaps[way]);
    }
}

/* ---- trunks ---- */

/* The mean time between messages that leave a group, in one repetition of `length` messages; NaN: too few. */
static double group_gap(const struct campaign *c, const struct series_message messages[], size_t length, int group)
{
    const int nodes = c->crew->job->nodes, ppn = c->crew->job->ppn;
    struct flow_arrival *arrivals = alloc_array(length, sizeof *arrivals);
    int *flow = alloc_array((size_t)nodes, sizeof *flow), flows = 0;
    size_t n = 0;
    for (int node = 0; node < nodes; node++)
        flow[node] = -1;
    for (size_t i = 0; i < length; i++) {
        const int from = messages[i].from / ppn, to = messages[i].to / ppn;
        if (c->group_of[from] != group || c->group_of[to] == group)
            continue;
        if (flow[from] < 0)
            flow[from] = flows++;
        arrivals[n++] = (struct flow_arrival){flow[from], (double)(messages[i].end - messages[i].planned) * 1e-9};
    }
    const double gap = flows_gap(n, arrivals, flows);
    free(arrivals);
    free(flow);
    return gap;
}

static int largest_group(const struct campaign *c)
{
    int largest = 0, size = 0;
    for (int node = 0; node < c->crew->job->nodes; node++) {
        size = node > 0 && c->group_of[node] == c->group_of[node - 1] ? size + 1 : 1;
        largest = size > largest ? size : largest;
    }
    return largest;
}

static void trunk_note(struct campaign *c, int group, double gap, int64_t bytes)
{
    const int nodes = c->crew->job->nodes;
    int first = 0, last;
    char key[48];
    while (c->group_of[first] != group)
        first++;
    for (last = first; last + 1 < nodes && c->group_of[last + 1] == group;)
        last++;
    snprintf(key, sizeof key, "trunk of nodes %d-%d", first, last);
    result_heading(c->result, NOTE_RATES);
    result_note(c->result, 1, key, "%.4g MB/s", (double)bytes / gap * 1e-6);
}

/* All nodes of all groups send out of them at once, each to a node of the next group. */
void task_measure_trunks(struct campaign *c, const struct task *task)
{
    const int nodes = c->crew->job->nodes;
    int *order = alloc_array((size_t)nodes, sizeof *order);
    memcpy(order, c->crew->job->order, (size_t)nodes * sizeof *order);
    campaign_order_natural(c);
    struct series_setup setup = stream_setup(c, task, nodes, 1);
    setup.shape.around = true;
    setup.shape.step = largest_group(c);
    const size_t length = (size_t)setup.shape.burst * (size_t)nodes;
    int series;
    size_t n;
    const struct series_message *messages =
        streams_run(c, &setup, TRUNK_SLOWER * setup.shape.burst * gap_guess(c, task), STREAMS, &series, &n);
    for (int group = 0; group < (int)c->n_groups; group++) {
        double gaps[STREAMS];
        size_t found = 0;
        for (size_t at = 0; at + length <= n && found < STREAMS; at += length) {
            gaps[found] = group_gap(c, messages + at, length, group);
            found += gaps[found] > 0;
        }
        if (found > 0)
            trunk_note(c, group, ports_median(found, gaps), task->bytes);
    }
    crew_series_destroy(c->crew, series);
    crew_order_nodes(c->crew, order);
    free(order);
}

/* ---- a node's bus ---- */

/* The mean time between messages within a node, of one process of it alone, or of all, each sending to the next: the
 * median over nodes and repetitions. */
static double bus_gap(struct campaign *c, const struct task *task, bool all)
{
    struct series_setup setup = stream_setup(c, task, 1, all ? task->ppn : 2);
    setup.shape.around = all;
    setup.shape.step = all;
    const size_t k = (size_t)setup.shape.burst, length = all ? k * (size_t)task->ppn : k;
    int series;
    size_t n, found = 0;
    const struct series_message *messages =
        streams_run(c, &setup, 1.5 * (double)length * gap_guess(c, task), STREAMS, &series, &n);
    double *gaps = alloc_array(n / length + 1, sizeof *gaps);
    struct flow_arrival *arrivals = alloc_array(length, sizeof *arrivals);
    for (size_t at = 0; at + length <= n; at += length) {
        const int ppn = c->crew->job->ppn;
        for (size_t i = 0; i < length; i++)
            arrivals[i] = (struct flow_arrival){all ? messages[at + i].from % ppn : 0,
                                                (double)(messages[at + i].end - messages[at + i].planned) * 1e-9};
        gaps[found] = flows_gap(length, arrivals, all ? task->ppn : 1);
        found += gaps[found] > 0;
    }
    const double gap = found > 0 ? ports_median(found, gaps) : NAN;
    free(gaps);
    free(arrivals);
    crew_series_destroy(c->crew, series);
    return gap;
}

void task_measure_bus(struct campaign *c, const struct task *task)
{
    const double alone = bus_gap(c, task, false), together = bus_gap(c, task, true);
    if (!(alone > 0) || !(together > 0))
        return;
    const enum sharing sharing = flows_sharing(alone, together, task->ppn);
    result_heading(c->result, NOTE_RATES);
    result_note(c->result, 1, "within a node", "%.4g MB/s one process to another, %.4g MB/s all %d processes together: %s",
                (double)task->bytes / alone * 1e-6, (double)task->bytes / together * 1e-6, task->ppn,
                sharing_text(sharing));
}
