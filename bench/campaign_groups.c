/* Which nodes stand behind something that they share when they send to others: a trunk between switches.
 *
 * All nodes send a burst at the same moment, each to the one `step` after it. A burst that takes longer than its ports
 * need has met others. Of the step that sends everything furthest one look tells whether there is anything to find; then
 * steps of 2, 3, 4 ... nodes, until all bursts are slowed, tell where groups end. Two bursts do not fill a trunk that
 * carries two ports' worth, so it is the larger steps that tell, just below the size of a group. */
#include "bench/campaign_impl.h"

#include "common/alloc.h"
#include "estimate/flows_fit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LENGTH = 8, TURNS = 5, STEPS_MOST = 64, NODES_LEAST = 4 };
static const double BUSY_SPARE = 4; /* times what the ports need a burst may take; a trunk that is slower is seen, too */
static const double SLOWED = 1.2; /* times what the ports need; acknowledgements take a few percent */

#define GROUPS_NONE "none: all nodes that send at once are as quick as alone"

/* All messages of all steps so far. */
struct shifts {
    size_t n, capacity;
    struct shift_message *list;
};

/* The time, s, of one node's burst among the `length` messages of a repetition. A start that is late by less than a burst
 * takes does no harm, so every repetition counts. */
static double burst_time(const struct series_message messages[], size_t length, int ppn, int node)
{
    int64_t call = INT64_MAX, last = INT64_MIN;
    for (size_t i = 0; i < length; i++)
        if (messages[i].from / ppn == node) {
            call = messages[i].call < call ? messages[i].call : call;
            last = messages[i].end > last ? messages[i].end : last;
        }
    return (double)(last - call) * 1e-9;
}

/* The median time, s, of each node's burst in a series of n messages. */
static void bursts_median(const struct campaign *c, const struct series_message messages[], size_t n, double medians[])
{
    const int nodes = c->crew->job->nodes;
    const size_t length = (size_t)(nodes * LENGTH);
    double *times = alloc_array(n / length + 1, sizeof *times);
    for (int node = 0; node < nodes; node++) {
        size_t found = 0;
        for (size_t first = 0; first + length <= n; first += length)
            times[found++] = burst_time(messages + first, length, c->crew->job->ppn, node);
        medians[node] = ports_median(found, times);
    }
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
    crew_series_run(c->crew, series, TURNS, (int64_t)(BUSY_SPARE * slowest * 1e9), 1);
    const struct series_message *messages = crew_series_collect(c->crew, series, &n);
    bursts_median(c, messages, n, medians);
    crew_series_destroy(c->crew, series);
    for (int from = 0; from < nodes; from++) {
        const bool is_slowed = medians[from] > SLOWED * alone_time(c, from, (from + step) % nodes);
        shifts->list = alloc_grow(shifts->list, shifts->n, &shifts->capacity, sizeof *shifts->list);
        shifts->list[shifts->n++] = (struct shift_message){from, step, is_slowed};
        slowed += is_slowed;
    }
    campaign_log(c, "%d of %d bursts are slower where each node sends to the one %d after it", slowed, nodes, step);
    free(medians);
    return slowed;
}

static void groups_note(struct campaign *c)
{
    const int nodes = c->crew->job->nodes;
    if (c->n_groups == 1) {
        result_note(c->result, 0, NOTE_GROUPS, GROUPS_NONE);
    } else if (c->n_groups == (size_t)nodes) {
        result_note(c->result, 0, NOTE_GROUPS, "which nodes share one is not to be told");
    } else {
        char *text = alloc_string("");
        for (int node = 0, next; node < nodes; node = next) {
            for (next = node + 1; next < nodes && c->group_of[next] == c->group_of[node];)
                next++;
            char *longer = alloc_format("%s%s%d-%d", text, node > 0 ? ", " : "", node, next - 1);
            free(text);
            text = longer;
        }
        result_note(c->result, 0, NOTE_GROUPS, "nodes %s", text);
        free(text);
    }
}

int campaign_close(const struct campaign *c)
{
    const size_t nodes = (size_t)c->crew->job->nodes;
    if (c->n_groups <= 1 || c->n_groups == nodes || c->n_classes > 1 || nodes % c->n_groups != 0)
        return c->nodes;
    const size_t size = nodes / c->n_groups;
    for (size_t node = 0; node < nodes; node++)
        if ((size_t)c->group_of[node] != node / size)
            return c->nodes;
    return (int)size;
}

int campaign_largest_group(const struct campaign *c)
{
    int largest = 0, size = 0;
    for (int node = 0; node < c->crew->job->nodes; node++) {
        size = node > 0 && c->group_of[node] == c->group_of[node - 1] ? size + 1 : 1;
        largest = size > largest ? size : largest;
    }
    return largest;
}

int campaign_stretch(const struct campaign *c, int nodes)
{
    const int group = campaign_close(c);
    if (c->n_groups <= 1 || c->n_groups == (size_t)c->crew->job->nodes || nodes <= 2) /* two have each its own way */
        return 0;
    if (group == c->nodes)
        return -1;
    return nodes % group == 0 ? group : group % nodes == 0 ? 0 : -1;
}

void campaign_order_natural(struct campaign *c)
{
    const int nodes = c->crew->job->nodes;
    int *natural = alloc_array((size_t)nodes, sizeof *natural);
    for (int node = 0; node < nodes; node++)
        natural[node] = node;
    crew_order_nodes(c->crew, natural);
    free(natural);
}

/* What an earlier run found: the file has the groups, or the provenance that there are none that could be told. */
static bool groups_take(struct campaign *c)
{
    const size_t nodes = (size_t)c->crew->job->nodes;
    const char *note = result_note_find(c->result, NOTE_GROUPS, NULL);
    if (c->result->n_groups > 1) {
        c->n_groups = c->result->n_groups;
        memcpy(c->group_of, c->result->group_of, nodes * sizeof *c->group_of);
    } else if (note) {
        c->n_groups = strcmp(note, GROUPS_NONE) == 0 ? 1 : nodes;
    }
    return c->n_groups > 0;
}

/* In the job's own order, whatever the classes. */
void campaign_find_groups(struct campaign *c)
{
    const int nodes = c->crew->job->nodes;
    if (nodes < NODES_LEAST || !c->options->ports || c->burst_bytes == 0)
        return;
    if (groups_take(c))
        return;
    campaign_say(c, "which nodes share a trunk");
    struct shifts shifts = {0};
    int *order = alloc_array((size_t)nodes, sizeof *order);
    memcpy(order, c->crew->job->order, (size_t)nodes * sizeof *order);
    campaign_order_natural(c);
    const bool any = step_look(c, nodes / 2, &shifts) > 1; /* what shares is at least two */
    for (int step = 2, slowed = 0; any && slowed < nodes && step < nodes / 2 && step <= STEPS_MOST; step++)
        slowed = step_look(c, step, &shifts);
    crew_order_nodes(c->crew, order);
    c->n_groups = groups_find(nodes, any ? shifts.n : 0, shifts.list, c->group_of);
    groups_note(c);
    if (c->n_groups > 1 && c->n_groups < (size_t)nodes)
        result_groups(c->result, c->n_groups, c->group_of);
    free(order);
    free(shifts.list);
}
