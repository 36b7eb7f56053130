/* A quick look whether nodes differ: bursts out of each node and into each, several nodes at the same time.
 *
 * A burst goes to several others at once, or comes from them, so that a slower one of these does not hide a node's own
 * rate. Where nodes differ they are sorted, those alike beside one another, and looked at again: now a node's others
 * are about as quick as it is, and the shorter of both times is its own. */
#include "bench/find.h"

#include "bench/bursts.h"
#include "bench/places.h"
#include "common/alloc.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LOOKS = 3,       /* the second and third where nodes differ: what disturbed one node once makes no class of it */
    GROUP = 4,       /* nodes: one and three others */
    TURNS = 3,       /* bursts of each */
    RUNS_MOST = 3
};
static const double BURST_TIME = 5e-3;       /* s: long beside what waking up takes */
static const int64_t BURST_LEAST = 16 << 10; /* bytes: a dozen frames; half of what small switches hold */
static const int64_t PILOT_BYTES = 4096;
static const double SLOWER = 2.5;            /* times: a burst of another node may last as long; else it does not
                                              * count */
static const double NODES_DIFFER = 0.15;     /* of the time of a burst: frames and busy processors make some percent */

/* The message size of the bursts, and how long one may take, s. */
static int64_t bytes_choose(struct campaign *c, double *time)
{
    const double rest = (double)c->rest * 1e-9;
    const struct pilot least = campaign_pilot(c, PATTERN_pairs, 1, rest, 5e-3, NODES_BURST, 1);
    const struct pilot more = campaign_pilot(c, PATTERN_pairs, PILOT_BYTES, rest, 20e-3, NODES_BURST, 1);
    const double per_byte = fmax((more.seen - least.seen) / (double)PILOT_BYTES, 1e-12);
    const double wanted = fmax((double)BURST_LEAST, BURST_TIME / per_byte) / NODES_BURST;
    const int64_t most = c->result->eager_limit < PORTS_MOST ? c->result->eager_limit : PORTS_MOST;
    const int64_t bytes = wanted < (double)most ? (int64_t)wanted : most;
    *time = SLOWER * (least.seen + NODES_BURST * (double)bytes * per_byte) + 1e-3;
    return bytes;
}

/* Bursts of a series that took less than what their hubs' times say replace these: what disturbs a burst makes it
 * longer. */
static void bursts_take(const struct campaign *c, const struct series_message messages[], size_t n, bool out,
                        struct node_times nodes[])
{
    for (size_t first = 0; first + NODES_BURST <= n; first += NODES_BURST) {
        struct ports_burst burst;
        const int place = out ? messages[first].from : messages[first].to;
        struct node_times *node = &nodes[place / c->crew->job->ppn];
        if (campaign_bursts_read(messages + first, NODES_BURST, NODES_BURST, &burst) > 0)
            *(out ? &node->out : &node->in) = fmin(out ? node->out : node->in, burst.last);
    }
}

/* Bursts of the groups from the first node on, or up to the last one, of the job's order. */
static void groups_look(struct campaign *c, bool out, int first, int64_t bytes, double time, struct node_times times[])
{
    const int nodes = c->crew->job->nodes, group = nodes < GROUP ? nodes : GROUP;
    struct series_setup setup = {.pattern = out ? PATTERN_fan_out : PATTERN_fan_in, .kind = SEND_NONBLOCKING,
                                 .shape = campaign_shape(c, group, 1), .bytes = bytes, .rest = c->rest};
    setup.shape.first = first;
    setup.shape.job_nodes = nodes - first;
    setup.shape.burst = NODES_BURST;
    const int copies = shape_groups(&setup.shape);
    int64_t busy = (int64_t)(time * 1e9);
    const int series = crew_series_create(c->crew, &setup);
    size_t n = 0, valid = 0;
    const struct series_message *messages = NULL;
    for (int run = 0; run < RUNS_MOST && 2 * valid <= (size_t)(TURNS * group * copies); run++) {
        crew_series_run(c->crew, series, TURNS * group, busy, copies);
        messages = crew_series_collect(c->crew, series, &n);
        struct ports_burst *bursts = alloc_array(n / NODES_BURST + 1, sizeof *bursts);
        valid = campaign_bursts_read(messages, n, NODES_BURST, bursts);
        free(bursts);
        busy = (int64_t)(1.2 * (double)campaign_bursts_busy(messages, n));
    }
    bursts_take(c, messages, n, out, times);
    crew_series_destroy(c->crew, series);
}

/* How long each node's bursts take in one direction; shorter ones than are there already replace them. */
static void direction_look(struct campaign *c, bool out, int64_t bytes, double time, struct node_times nodes[])
{
    const int n = c->crew->job->nodes, group = n < GROUP ? n : GROUP;
    groups_look(c, out, 0, bytes, time, nodes);
    if (n % group != 0)
        groups_look(c, out, n - group, bytes, time, nodes);
}

/* The nodes class by class, and how much slower each class is. */
static void order_by_class(struct campaign *c)
{
    const struct node_times *times = c->node_times;
    double least = NAN;
    c->classes = alloc_resize(c->classes, c->n_classes, sizeof *c->classes);
    memset(c->classes, 0, c->n_classes * sizeof *c->classes);
    campaign_order_by_class(c);
    for (size_t k = 0; k < c->n_classes; k++) {
        struct node_class *class = &c->classes[k];
        double sum = 0;
        for (int node = 0; node < c->crew->job->nodes; node++)
            sum += c->class_of[node] == (int)k ? times[node].out + times[node].in : 0;
        least = k == 0 ? sum / class->n : least;
        class->slower = sum > 0 && least > 0 ? sum / class->n / least : 1;
    }
    campaign_class(c, 0);
}

static void nodes_note(struct campaign *c)
{
    const struct node_times *times = c->node_times;
    result_heading(c->result, NOTE_NODES);
    for (int node = 0; node < c->crew->job->nodes; node++) {
        char key[32];
        snprintf(key, sizeof key, "node %d", node);
        result_note(c->result, 1, key, "class %d, %d messages of %lld bytes take %.1f us out, %.1f us in%s",
                    c->class_of[node], NODES_BURST, (long long)c->burst_bytes, times[node].out * 1e6, times[node].in * 1e6,
                    isnan(times[node].out + times[node].in) ? ": nan where no burst counted, all of them began late" : "");
    }
}

/* What an earlier run found. */
static bool classes_take(struct campaign *c)
{
    const size_t n = (size_t)c->crew->job->nodes;
    size_t first, end;
    result_notes_under(c->result, NOTE_NODES, &first, &end);
    if (end - first != n)
        return false;
    bool good = true;
    for (size_t node = 0; node < n && good; node++) { /* classes are numbered from 0 on, none is empty */
        struct node_times *own = &c->node_times[node];
        good = sscanf(c->result->notes[first + node].value,
                      "class %d, %*d messages of %" SCNd64 " bytes take %lf us out, %lf us in", &c->class_of[node],
                      &c->burst_bytes, &own->out, &own->in) == 4 && c->class_of[node] >= 0;
        own->out *= 1e-6, own->in *= 1e-6;
        if (good && (size_t)c->class_of[node] >= c->n_classes)
            c->n_classes = (size_t)c->class_of[node] + 1;
    }
    for (size_t class = 0; class < c->n_classes && good; class++) {
        good = false;
        for (size_t node = 0; node < n; node++)
            good = good || c->class_of[node] == (int)class;
    }
    if (good)
        order_by_class(c);
    if (good && c->n_classes > 1)
        result_classes(c->result, c->n_classes, c->class_of);
    return good;
}

void campaign_find_nodes(struct campaign *c)
{
    const size_t n = (size_t)c->crew->job->nodes;
    if (n < 2 || !c->options->ports)
        return;
    if (classes_take(c))
        return;
    campaign_log(c, "looking whether nodes differ");
    campaign_say(c, "whether nodes differ");
    struct node_times *times = c->node_times;
    double time;
    for (size_t node = 0; node < n; node++)
        times[node] = (struct node_times){NAN, NAN};
    const int64_t bytes = c->burst_bytes = bytes_choose(c, &time);
    for (int look = 0; look < LOOKS && (look == 0 || c->n_classes > 1); look++) {
        direction_look(c, true, bytes, time, times);
        direction_look(c, false, bytes, time, times);
        c->n_classes = nodes_classify(n, times, NODES_DIFFER, c->class_of);
        order_by_class(c);
    }
    nodes_note(c);
    if (c->n_classes > 1)
        result_classes(c->result, c->n_classes, c->class_of);
    campaign_log(c, "%zu kinds of nodes by bursts of %d messages of %lld bytes", c->n_classes, NODES_BURST,
                 (long long)bytes);
}
