/* Which nodes stand behind something that they share when they send to others: a trunk between switches.
 *
 * All nodes send a burst at the same moment, each to the one `step` after it. A burst that takes longer than its ports
 * need has met others. Of the step that sends everything furthest one look tells whether there is anything to find;
 * then steps of 2, 3, 4 ... nodes, until all bursts are slowed, tell where groups end. Two bursts do not fill a trunk
 * that carries two ports' worth, so it is the larger steps that tell, just below the size of a group. */
#include "bench/find.h"

#include "bench/places.h"
#include "common/alloc.h"
#include "estimate/flows_fit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LENGTH = 8, TURNS = 5, STEPS_MOST = 64, NODES_LEAST = 4 };
static const double BUSY_SPARE = 4; /* times what the ports need a burst may take; a trunk that is slower is seen,
                                     * too */
static const double SLOWED = 1.2; /* times what the ports need; acknowledgements take a few percent */

/* All messages of all steps so far. */
struct shifts {
    size_t n, capacity;
    struct shift_message *list;
};

/* The times, s, of the bursts of all nodes in one repetition: times[node * stride]. A start that is late by less than a
 * burst takes does no harm, so every repetition counts. */
static void bursts_time(const struct campaign *c, const struct series_message messages[], size_t length, size_t stride,
                        double times[])
{
    const size_t nodes = (size_t)c->crew->job->nodes;
    int64_t *call = alloc_array(nodes, sizeof *call), *last = alloc_array(nodes, sizeof *last);
    for (size_t node = 0; node < nodes; node++)
        call[node] = INT64_MAX, last[node] = INT64_MIN;
    for (size_t i = 0; i < length; i++) {
        const int node = messages[i].from / c->crew->job->ppn;
        call[node] = messages[i].call < call[node] ? messages[i].call : call[node];
        last[node] = messages[i].end > last[node] ? messages[i].end : last[node];
    }
    for (size_t node = 0; node < nodes; node++)
        times[node * stride] = (double)(last[node] - call[node]) * 1e-9;
    free(call);
    free(last);
}

/* The median time, s, of each node's burst in a series of n messages. */
static void bursts_median(const struct campaign *c, const struct series_message messages[], size_t n, double medians[])
{
    const size_t nodes = (size_t)c->crew->job->nodes, length = nodes * LENGTH, repetitions = n / length;
    double *times = alloc_array(nodes * repetitions, sizeof *times);
    for (size_t i = 0; i < repetitions; i++)
        bursts_time(c, messages + i * length, length, repetitions, times + i);
    for (size_t node = 0; node < nodes; node++)
        medians[node] = ports_median(repetitions, times + node * repetitions);
    free(times);
}

/* How long the ports of a message from one node to another keep a burst, s, as far as bursts of either alone tell. */
static double alone_time(const struct campaign *c, int from, int to)
{
    return fmax(c->node_times[from].out, c->node_times[to].in) * LENGTH / NODES_BURST;
}

/* Adds the messages of one step; returns how many of them were slowed. */
static int step_look(struct campaign *c, int step, struct shifts *shifts)
{
    const int nodes = c->crew->job->nodes;
    struct series_setup setup = {.pattern = PATTERN_fan_out, .kind = SEND_NONBLOCKING, .bytes = c->burst_bytes,
                                 .rest = c->rest_found,
                                 .shape = {.job_nodes = nodes, .job_ppn = c->crew->job->ppn, .nodes = nodes, .ppn = 1,
                                           .copies = 1, .burst = LENGTH, .around = true, .step = step}};
    double *medians = alloc_array((size_t)nodes, sizeof *medians), slowest = 0;
    for (int from = 0; from < nodes; from++)
        slowest = fmax(slowest, alone_time(c, from, (from + step) % nodes));
    size_t n;
    int slowed = 0;
    const int series = crew_series_create(c->crew, &setup);
    for (int turn = 0; turn < TURNS; turn++) /* each alone: at a trunk that loses packets one takes seconds */
        crew_series_run(c->crew, series, 1, (int64_t)(BUSY_SPARE * slowest * 1e9), 1);
    const struct series_message *messages = crew_series_collect(c->crew, series, &n);
    bursts_median(c, messages, n, medians);
    crew_series_destroy(c->crew, series);
    for (int from = 0; from < nodes; from++) {
        const double alone = alone_time(c, from, (from + step) % nodes);
        const bool is_slowed = medians[from] > SLOWED * alone;
        shifts->list = alloc_grow(shifts->list, shifts->n, &shifts->capacity, sizeof *shifts->list);
        shifts->list[shifts->n++] = (struct shift_message){from, step, is_slowed, alone};
        slowed += is_slowed;
    }
    campaign_log(c, "%d of %d bursts are slower where each node sends to the one %d after it", slowed, nodes, step);
    free(medians);
    return slowed;
}

static void groups_note(struct campaign *c)
{
    const int nodes = c->crew->job->nodes;
    if (c->n_groups == 1)
        result_note(c->result, 0, NOTE_GROUPS, "none: all nodes that send at once are as quick as alone");
    else if (c->n_groups == (size_t)nodes)
        result_note(c->result, 0, NOTE_GROUPS, "which nodes share one is not to be told: --topology can say so");
    else
        result_note_groups(c->result, NULL);
}

void campaign_take_groups(struct campaign *c)
{
    const size_t nodes = (size_t)c->crew->job->nodes;
    const char *note = result_note_find(c->result, NOTE_GROUPS, NULL);
    if (c->result->n_groups > 1) {
        c->n_groups = c->result->n_groups;
        memcpy(c->group_of, c->result->group_of, nodes * sizeof *c->group_of);
    } else if (note) {
        const bool none = strncmp(note, "none", strlen("none")) == 0;
        c->n_groups = none ? 1 : nodes;
        for (size_t node = 0; node < nodes; node++)
            c->group_of[node] = none ? 0 : (int)node;
    }
}

/* In the job's own order, whatever the classes. */
void campaign_find_groups(struct campaign *c)
{
    const int nodes = c->crew->job->nodes;
    if (nodes < NODES_LEAST || !c->options->ports || c->burst_bytes == 0 || c->n_groups > 0)
        return;
    campaign_say(c, "which nodes share a trunk");
    struct shifts shifts = {0};
    campaign_order_by_group(c); /* as yet there is one */
    const bool any = step_look(c, nodes / 2, &shifts) > 1; /* what shares is at least two */
    for (int step = 2, slowed = 0; any && slowed < nodes && step < nodes / 2 && step <= STEPS_MOST; step++)
        slowed = step_look(c, step, &shifts);
    c->n_groups = groups_find(nodes, any ? shifts.n : 0, shifts.list, c->group_of);
    campaign_order_by_class(c);
    if (c->n_groups > 1 && c->n_groups < (size_t)nodes)
        result_groups(c->result, c->n_groups, c->group_of);
    groups_note(c);
    free(shifts.list);
}
