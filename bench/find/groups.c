/* Which nodes stand behind something that they share when they send to others, a trunk between switches, and which of these groups
 * behind a further one.
 *
 * All nodes send a burst at the same moment, each to the one after it in an order that the search
 * (estimate/machine/nested_search.h) asks for. A burst that takes longer than its ports need has met others. */
#include "bench/find.h"

#include "bench/places.h"
#include "common/alloc.h"
#include "estimate/machine/groups_search.h"
#include "estimate/machine/nested_search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LENGTH = 8, TURNS = 5 };
static const double BUSY_SPARE = 4; /* times what the ports need a burst may take; a trunk that is slower is seen,
                                     * too */
static const uint32_t SEED = 1;     /* of shuffled orders: the same job is looked at in the same way */

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

/* How long each node's ports keep a burst, as far as bursts of either alone tell; [nodes], owned by the caller. */
static struct node_times *alone_times(const struct campaign *c)
{
    const double part = (double)LENGTH / NODES_BURST;
    struct node_times *alone = alloc_array((size_t)c->crew->job->nodes, sizeof *alone);
    for (int node = 0; node < c->crew->job->nodes; node++)
        alone[node] = (struct node_times){c->node_times[node].out * part, c->node_times[node].in * part};
    return alone;
}

/* The median times of bursts of all nodes, each to the next one of the job's order. */
static void order_look(struct campaign *c, double slowest, double medians[])
{
    const int nodes = c->crew->job->nodes;
    struct series_setup setup = {.pattern = PATTERN_fan_out, .kind = SEND_NONBLOCKING, .bytes = c->burst_bytes,
                                 .rest = c->rest_found,
                                 .shape = {.job_nodes = nodes, .job_ppn = c->crew->job->ppn, .nodes = nodes, .ppn = 1,
                                           .copies = 1, .burst = LENGTH, .around = true, .step = 1}};
    size_t n;
    const int series = crew_series_create(c->crew, &setup);
    for (int turn = 0; turn < TURNS; turn++) /* each alone: at a trunk that loses packets one takes seconds */
        crew_series_run(c->crew, series, 1, (int64_t)(BUSY_SPARE * slowest * 1e9), 1);
    const struct series_message *messages = crew_series_collect(c->crew, series, &n);
    bursts_median(c, messages, n, medians);
    crew_series_destroy(c->crew, series);
}

/* Looks as long as the search wants any. */
static void orders_look(struct campaign *c, const struct node_times alone[], struct nested_search *search)
{
    const int nodes = c->crew->job->nodes;
    int *order = alloc_array((size_t)nodes, sizeof *order);
    double *medians = alloc_array((size_t)nodes, sizeof *medians), slowest = 0;
    for (int node = 0; node < nodes; node++)
        slowest = fmax(slowest, fmax(alone[node].out, alone[node].in));
    while (nested_search_next(search, order)) {
        crew_order_nodes(c->crew, order);
        order_look(c, slowest, medians);
        const struct nested_look look = nested_search_take(search, medians);
        campaign_log(c, "%d of %d bursts between %s are slower where all nodes send at once", look.slowed, look.of, look.what);
    }
    free(medians);
    free(order);
}

/* Which of the groups share a further trunk; only of groups that are known. */
static void outer_groups_note(struct campaign *c, int untold)
{
    const bool of_all = untold == (int)(c->n_groups + c->result->n_outer);
    char *nodes = untold < 0 ? NULL : of_all ? alloc_string("all nodes") : result_group_text(c->result, untold);
    if (nodes)
        result_note(c->result, 0, NOTE_GROUPS_UNTOLD, "%s%s are slower together, or with others, than these groups explain: --topology "
                    "can say which switches there are", of_all ? "" : "nodes ", nodes);
    free(nodes);
    if (c->result->n_outer > 0)
        result_note_outer_groups(c->result, NULL);
    else if (of_all)
        result_note(c->result, 0, NOTE_OUTER_GROUPS, "which groups share one is not to be told: --topology can say so");
    else if (c->n_groups < GROUPS_NODES_LEAST)
        result_note(c->result, 0, NOTE_OUTER_GROUPS, "none is asked for: of fewer than four groups it is not told from their own trunks");
    else
        result_note(c->result, 0, NOTE_OUTER_GROUPS, "none: all groups that send at once are as quick as two alone");
    campaign_log(c, "%s: %s", NOTE_OUTER_GROUPS, result_note_find(c->result, NOTE_OUTER_GROUPS, NULL));
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
    campaign_log(c, "%s: %s", NOTE_GROUPS, result_note_find(c->result, NOTE_GROUPS, NULL));
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

/* To the result, with what the provenance says. */
static void groups_keep(struct campaign *c, const struct nested_groups *groups)
{
    const bool are_known = c->n_groups > 1 && c->n_groups < (size_t)c->crew->job->nodes;
    if (are_known) {
        result_groups(c->result, c->n_groups, groups->group_of);
        result_outer_groups(c->result, (size_t)groups->n_outer, groups->above);
    }
    groups_note(c);
    if (are_known)
        outer_groups_note(c, groups->untold);
}

void campaign_find_groups(struct campaign *c)
{
    const int nodes = c->crew->job->nodes;
    if (nodes < GROUPS_NODES_LEAST || !c->options->ports || c->burst_bytes == 0 || c->n_groups > 0)
        return;
    campaign_say(c, "which nodes share a trunk");
    struct node_times *alone = alone_times(c);
    struct nested_search *search = nested_search_create(nodes, alone, SEED);
    struct nested_groups groups;
    orders_look(c, alone, search);
    nested_search_found(search, &groups);
    nested_search_destroy(search);
    free(alone);
    c->n_groups = (size_t)groups.n;
    memcpy(c->group_of, groups.group_of, (size_t)nodes * sizeof *c->group_of);
    campaign_order_by_class(c);
    groups_keep(c, &groups);
    nested_groups_free(&groups);
}
