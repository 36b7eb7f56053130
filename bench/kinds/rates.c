/* Streams that tell what passes: every node's port, out and in; every trunk; a node's own bus. What trunks and buses
 * are kept busy for by a message of two sizes goes into the result; the provenance has bytes per second of the larger
 * ones, without headers. */
#include "bench/kinds/kinds.h"

#include "bench/bursts.h"
#include "bench/gaps.h"
#include "bench/partners.h"
#include "bench/places.h"
#include "common/alloc.h"
#include "estimate/machine/flows_fit.h"
#include "estimate/machine/stream_fit.h"
#include "results/headers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STREAMS = 3, STREAM_LONGEST = 512 };
static const double STREAM_TIME = 0.2;    /* s: long beside how a connection starts after a rest */
static const double TRUNK_SLOWED = 1.2; /* times what the ports need, as groups.c asks for */
static const double RATE_ALIKE = 1.05;  /* times: what passes a trunk is a port's own rate if it is so near one that is known */
static const double TRUNK_SLOWER = 4;     /* times: a trunk's streams may be that much slower than its ports */
static const int64_t RATES_MOST = 8192;   /* bytes: headers of messages no longer matter, and a port passes many */
static const int64_t SMALL_BYTES = 1024;

static int64_t rates_bytes(const struct campaign *c)
{
    int64_t bytes = c->sizes[0].bytes;
    for (size_t i = 0; i < c->n_sizes; i++)
        if (c->sizes[i].bytes <= RATES_MOST && c->sizes[i].bytes <= c->result->eager_limit)
            bytes = c->sizes[i].bytes;
    return bytes;
}

/* The small messages that tell, with those of rates_bytes, what headers and processors add: the line through
 * both is what a message keeps a trunk or a bus busy for. Of still smaller ones TCP puts several into a frame. */
static int64_t small_bytes(const struct campaign *c)
{
    for (size_t i = 0; i < c->n_sizes; i++)
        if (c->sizes[i].bytes >= SMALL_BYTES && c->sizes[i].bytes < rates_bytes(c))
            return c->sizes[i].bytes;
    return rates_bytes(c);
}

static double gap_guess(const struct campaign *c, int64_t bytes)
{
    return campaign_gap_guess(c, bytes) * c->classes[c->class].slower;
}

static int stream_length(const struct campaign *c, int64_t bytes)
{
    return (int)fmin(fmax(ceil(STREAM_TIME / gap_guess(c, bytes)), STREAM_LEAST), STREAM_LONGEST);
}

static int rounds_count(const struct campaign *c, const struct task *task)
{
    struct partners partners = partners_find(c, task->class);
    const int rounds = partners.rounds;
    partners_free(&partners);
    return rounds;
}

/* One for trunks of groups of nodes, and one more for each further level of groups. */
static int trunk_passes(const struct campaign *c)
{
    int highest = 0;
    for (size_t group = c->result->n_groups; group < c->result->n_groups + c->result->n_outer; group++) {
        const int height = result_group_height(c->result, (int)group);
        highest = height > highest ? height : highest;
    }
    return 1 + highest;
}

static double rates_cost(const struct campaign *c, const struct task *task)
{
    const double stream = stream_length(c, task->bytes) * gap_guess(c, task->bytes); /* few of a slow port take long */
    const double one = fmax(STREAM_TIME, stream) + campaign_size(c, task->bytes)->one_way + (double)c->rest * 1e-9;
    const double longer = task->kind == TASK_trunks ? TRUNK_SLOWER : 2, sizes = task->kind == TASK_rates ? 1 : 2;
    const int passes = task->kind == TASK_rates ? rounds_count(c, task) : task->kind == TASK_trunks ? trunk_passes(c) : 1;
    return passes * (sizes * longer * (STREAMS + 1) * one + 0.2);
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

static struct series_setup stream_setup(const struct campaign *c, int64_t bytes, int nodes, int ppn)
{
    struct series_setup setup = {.pattern = PATTERN_fan_out, .shape = campaign_shape(c, nodes, ppn),
                                 .kind = SEND_NONBLOCKING, .bytes = bytes, .rest = c->rest};
    setup.shape.burst = stream_length(c, bytes);
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

/* The job's order begins with the pairs of a round. Returns how many nodes these are; lent [nodes]: of which nothing is asked. */
static int round_order(struct campaign *c, const struct partners *partners, int round, bool lent[])
{
    const size_t nodes = (size_t)c->crew->job->nodes;
    int *order = alloc_array(nodes, sizeof *order), n = 0;
    memset(lent, 0, nodes * sizeof *lent);
    for (size_t i = 0; i < partners->n; i++) {
        const struct partner_pair *pair = &partners->pairs[i];
        if (pair->round != round)
            continue;
        order[n++] = pair->node;
        order[n++] = pair->other;
        lent[pair->other] = pair->lent;
    }
    campaign_order_from(c, n, order);
    free(order);
    return n;
}

/* Streams of all pairs of a round, of one node of each, then of the other. */
static void round_stream(struct campaign *c, const struct task *task, const struct partners *partners, int round,
                         struct streams *streams)
{
    const int ppn = c->crew->job->ppn;
    bool *lent = alloc_array((size_t)c->crew->job->nodes, sizeof *lent);
    struct series_setup setup = stream_setup(c, task->bytes, 2, 1);
    setup.shape.first = 0;
    setup.shape.job_nodes = round_order(c, partners, round, lent);
    const size_t k = (size_t)setup.shape.burst;
    int series;
    size_t n;
    const struct series_message *messages =
        streams_run(c, &setup, 1.5 * (double)k * gap_guess(c, task->bytes), 2 * STREAMS, &series, &n);
    double *arrivals = alloc_array(k, sizeof *arrivals);
    for (size_t at = 0; at + k <= n; at += k) {
        const int ends[2] = {messages[at].from / ppn, messages[at].to / ppn};
        for (size_t i = 0; i < k; i++)
            arrivals[i] = (double)(messages[at + i].end - messages[at + i].planned) * 1e-9;
        for (int way = 0; way < 2; way++)
            if (!lent[ends[way]])
                streams_take(streams, way, ends[way], stream_fit_gap(k, arrivals));
    }
    free(arrivals);
    free(lent);
    crew_series_destroy(c->crew, series);
}

/* How long messages of a node are apart, out and in; false: nothing is known. */
static bool node_gaps(const struct streams *streams, int node, double gap[2])
{
    for (int way = 0; way < 2; way++) {
        if (streams->n[way][node] == 0)
            return false;
        gap[way] = ports_median(streams->n[way][node], streams->gaps[way] + (size_t)node * STREAMS_MOST);
    }
    return true;
}

/* The shortest time between messages that nothing but ports of the class was in the way of; infinity: there are none. */
static double own_gap(const struct partners *partners, const struct streams *streams)
{
    double own = HUGE_VAL, gap[2];
    for (size_t i = 0; i < partners->n; i++) {
        const struct partner_pair *pair = &partners->pairs[i];
        if (!pair->crosses && !pair->slower && node_gaps(streams, pair->node, gap))
            own = fmin(own, fmin(gap[0], gap[1]));
    }
    return own;
}

/* The pairs that say less of a node than its rate, as far as that shows: limits [nodes], or NULL. */
static void limits_find(int nodes, const struct partners *partners, const struct streams *streams,
                        const struct partner_pair *limits[])
{
    const double own = own_gap(partners, streams);
    double gap[2];
    for (int node = 0; node < nodes; node++)
        limits[node] = NULL;
    for (size_t i = 0; i < partners->n; i++) {
        const struct partner_pair *pair = &partners->pairs[i];
        for (int end = 0; end < (pair->lent ? 1 : 2); end++) {
            const int node = end == 0 ? pair->node : pair->other;
            if ((pair->crosses || pair->slower) && node_gaps(streams, node, gap) &&
                (own == HUGE_VAL || fmax(gap[0], gap[1]) > RATE_ALIKE * own))
                limits[node] = pair;
        }
    }
}

static void rates_note(struct campaign *c, const struct task *task, const struct streams *streams,
                       const struct partner_pair *const limits[])
{
    double gap[2];
    result_heading(c->result, NOTE_RATES);
    for (int node = 0; node < c->crew->job->nodes; node++) {
        char key[32], limit[96] = "";
        snprintf(key, sizeof key, "node %d", node);
        if (c->class_of[node] != (int)task->class)
            continue;
        if (!node_gaps(streams, node, gap)) {
            result_note(c->result, 1, key, "not measured: no node as quick is known to stand behind the same switch");
            continue;
        }
        if (limits[node])
            snprintf(limit, sizeof limit, ", or more: so much passes between nodes %d and %d, %s", limits[node]->node,
                     limits[node]->other, limits[node]->crosses ? "through a trunk" : "one of which is slower");
        result_note(c->result, 1, key, "%.4g MB/s out, %.4g MB/s in%s", (double)task->bytes * 1e-6 / gap[0],
                    (double)task->bytes * 1e-6 / gap[1], limit);
    }
}

static void rates_warn(struct campaign *c, const struct partner_pair *const limits[])
{
    int first = -1, n = 0;
    for (int node = c->crew->job->nodes - 1; node >= 0; node--)
        if (limits[node] && limits[node]->crosses)
            first = node, n++;
    if (n > 0 && !c->options->quiet)
        diag_warning(c->diags, place_of_file(NULL), "the rate of node %d%s may be that of a trunk: no node as quick is known to stand "
                     "behind the same switch", first, n > 1 ? " and of some more" : "");
}

static void rates_measure(struct campaign *c, struct task *task, double time_cap)
{
    (void)time_cap;
    const size_t nodes = (size_t)c->crew->job->nodes;
    struct partners partners = partners_find(c, task->class);
    const struct partner_pair **limits = alloc_array(nodes, sizeof *limits);
    struct streams streams;
    for (int way = 0; way < 2; way++) {
        streams.n[way] = alloc_zeroed(nodes, sizeof *streams.n[way]);
        streams.gaps[way] = alloc_array(nodes * STREAMS_MOST, sizeof *streams.gaps[way]);
    }
    for (int round = 0; round < partners.rounds; round++)
        round_stream(c, task, &partners, round, &streams);
    campaign_order_by_class(c);
    limits_find((int)nodes, &partners, &streams, limits);
    rates_note(c, task, &streams, limits);
    rates_warn(c, limits);
    for (int way = 0; way < 2; way++) {
        free(streams.n[way]);
        free(streams.gaps[way]);
    }
    free(limits);
    partners_free(&partners);
}

/* The line through two sizes begins at none. */
static void line_begin(struct port_point *none, const struct port_point *small, const struct port_point *large)
{
    const double part = (double)small->bytes / (double)(large->bytes - small->bytes);
    for (int gap = 0; gap < N_PORT_GAPS; gap++)
        if (!isnan(small->gap[gap]) && !isnan(large->gap[gap]))
            none->gap[gap] = fmax(0, small->gap[gap] - part * (large->gap[gap] - small->gap[gap]));
}

/* ---- trunks ---- */

/* Between which groups streams run: those furthest out of the ones with no more than so many inside one another. */
struct level {
    int height;
    int *group_of; /* [nodes] */
    int largest;   /* nodes of the largest */
    int groups;
};

static void level_init(const struct campaign *c, int height, struct level *level)
{
    const int nodes = c->crew->job->nodes;
    const size_t all = c->result->n_groups + c->result->n_outer;
    int *members = alloc_zeroed(all, sizeof *members);
    *level = (struct level){.height = height, .group_of = alloc_array((size_t)nodes, sizeof *level->group_of)};
    for (int node = 0; node < nodes; node++) {
        int at = c->group_of[node];
        for (int up = at; up >= 0 && result_group_height(c->result, up) <= height; up = c->result->above[up])
            at = up;
        level->group_of[node] = at;
        level->groups += members[at]++ == 0;
        level->largest = members[at] > level->largest ? members[at] : level->largest;
    }
    free(members);
}

/* The mean time between messages that leave a group, or enter it, in one repetition of `length` messages; NaN: too
 * few. */
static double group_gap(const struct campaign *c, const struct level *level, const struct series_message messages[], size_t length,
                        int group, bool out)
{
    const int nodes = c->crew->job->nodes, ppn = c->crew->job->ppn;
    struct flow_arrival *arrivals = alloc_array(length, sizeof *arrivals);
    int *flow = alloc_array((size_t)nodes, sizeof *flow), flows = 0;
    size_t n = 0;
    for (int node = 0; node < nodes; node++)
        flow[node] = -1;
    for (size_t i = 0; i < length; i++) {
        const int from = messages[i].from / ppn, to = messages[i].to / ppn;
        if (level->group_of[out ? from : to] != group || level->group_of[out ? to : from] == group)
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

/* Of two groups whatever leaves one enters the other, so nothing tells the quicker trunk from the slower one. */
static void trunk_note(struct campaign *c, const struct level *level, int group, double gap, int64_t bytes, bool limits)
{
    char *nodes = result_group_text(c->result, group), *key = alloc_format("trunk of nodes %s", nodes);
    result_heading(c->result, NOTE_RATES);
    result_note(c->result, 1, key,
                !limits             ? "%.4g MB/s at least: its nodes send no more"
                : level->groups > 2 ? "%.4g MB/s"
                                    : "%.4g MB/s, or more: so much passes the slower one of the two trunks",
                (double)bytes / gap * 1e-6);
    free(key);
    free(nodes);
}

/* Which part of what passes a port in both directions at once acknowledgements are. */
static double acknowledgements_part(const struct campaign *c, int64_t bytes)
{
    static const enum port_gap fields[2] = {PORT_OUT, PORT_REVERSE};
    double at[2];
    for (int k = 0; k < 2; k++) {
        struct machine_curve curve = {0, alloc_array(c->result->n_ports, sizeof *curve.bytes),
                                      alloc_array(c->result->n_ports, sizeof *curve.time)};
        for (size_t i = 0; i < c->result->n_ports; i++) {
            const struct port_point *port = &c->result->ports[i];
            if (isnan(port->gap[fields[k]]))
                continue;
            curve.bytes[curve.n] = (double)port->bytes;
            curve.time[curve.n++] = port->gap[fields[k]];
        }
        at[k] = machine_curve_at(&curve, (double)bytes);
        free(curve.bytes);
        free(curve.time);
    }
    return at[0] > 0 ? at[1] / (at[0] + at[1]) : 0;
}

/* The median over the repetitions of a series of n messages; NaN: none tells. */
static double group_gap_median(const struct campaign *c, const struct level *level, const struct series_message messages[],
                               size_t n, size_t length, int group, bool out)
{
    double gaps[STREAMS];
    size_t found = 0;
    for (size_t at = 0; at + length <= n && found < STREAMS; at += length) {
        gaps[found] = group_gap(c, level, messages + at, length, group, out);
        found += gaps[found] > 0;
    }
    return found > 0 ? ports_median(found, gaps) : NAN;
}

/* What has left a group has entered another, so the slower one of two trunks sets the time of both; a trunk is as quick
 * as the quicker of its two ways, which are taken to be alike. Meanwhile it also passes the acknowledgements of what
 * goes the other way: as large a part as of a port's work. */
static void trunk_take(struct campaign *c, int group, int64_t bytes, double gap)
{
    struct port_point *trunk = result_trunk(c->result, (size_t)group, bytes);
    const double part = acknowledgements_part(c, bytes);
    trunk->gap[PORT_OUT] = trunk->gap[PORT_IN] = gap * (1 - part);
    trunk->gap[PORT_REVERSE] = gap * part;
}

/* Messages/s that a trunk passes, and acknowledgements beside them; infinity: it is not known to limit anything. */
static double trunk_rate(const struct campaign *c, int group, int64_t bytes)
{
    const struct class_ports *trunk = &c->result->trunks[group];
    for (size_t i = 0; i < trunk->n; i++)
        if (trunk->points[i].bytes == bytes)
            return 1 / (trunk->points[i].gap[PORT_OUT] + trunk->points[i].gap[PORT_REVERSE]);
    return HUGE_VAL;
}

/* Messages/s that a group's nodes send, and acknowledgements beside them, as far as their ports and the trunks of the groups
 * within it let them. */
static double group_rate(const struct campaign *c, int group, int64_t bytes)
{
    const double alone = campaign_gap_guess(c, bytes) / (1 - acknowledgements_part(c, bytes));
    double together = 0;
    for (int node = 0; node < c->crew->job->nodes; node++)
        together += c->group_of[node] == group ? 1 / (alone * c->classes[c->class_of[node]].slower) : 0;
    for (int inner = 0; inner < group; inner++)
        if (c->result->above[inner] == group)
            together += fmin(group_rate(c, inner, bytes), trunk_rate(c, inner, bytes));
    return together;
}

/* Whether a group's messages take longer than what is within it needs for them and for the acknowledgements. Only then a
 * trunk is known; it may be one of those that a file named. A lone node has none of its own: what is slower than its
 * port when all send, and was not when it was measured alone, it shares with nodes of other groups. */
static bool trunk_limits(const struct campaign *c, int group, int64_t bytes, double gap)
{
    int members = 0;
    for (int node = 0; node < c->crew->job->nodes; node++)
        members += result_group_has(c->result, group, node);
    return members > 1 && gap > TRUNK_SLOWED / group_rate(c, group, bytes);
}

/* All nodes send out of the groups of a level at once, each to a node of the next group. */
static void trunks_stream(struct campaign *c, const struct level *level, int64_t bytes)
{
    const int nodes = c->crew->job->nodes;
    struct series_setup setup = stream_setup(c, bytes, nodes, 1);
    setup.shape.around = true;
    setup.shape.step = level->largest;
    const size_t length = (size_t)setup.shape.burst * (size_t)nodes;
    int series;
    size_t n;
    const double slower = TRUNK_SLOWER * (1 + level->height);
    const struct series_message *messages =
        streams_run(c, &setup, slower * setup.shape.burst * gap_guess(c, bytes), STREAMS, &series, &n);
    for (int group = 0; group < (int)(c->result->n_groups + c->result->n_outer); group++) {
        if (result_group_height(c->result, group) != level->height)
            continue;
        const double out = group_gap_median(c, level, messages, n, length, group, true);
        const double gap = fmin(out, group_gap_median(c, level, messages, n, length, group, false));
        const bool first = bytes == rates_bytes(c);
        if (!(gap > 0))
            continue;
        const bool limits = first ? trunk_limits(c, group, bytes, gap) : c->result->trunks[group].n > 0;
        if (limits)
            trunk_take(c, group, bytes, gap);
        if (first)
            trunk_note(c, level, group, gap, bytes, limits);
    }
    crew_series_destroy(c->crew, series);
}

static void trunk_begin(struct result *result, size_t group)
{
    const struct port_point small = result->trunks[group].points[0], large = result->trunks[group].points[1];
    line_begin(result_trunk(result, group, 0), &small, &large);
}

static void trunks_measure(struct campaign *c, struct task *task, double time_cap)
{
    (void)time_cap;
    const int passes = trunk_passes(c);
    campaign_order_by_group(c);
    for (int height = 0; height < passes; height++) {
        struct level level;
        level_init(c, height, &level);
        trunks_stream(c, &level, task->bytes);
        if (small_bytes(c) < task->bytes)
            trunks_stream(c, &level, small_bytes(c));
        free(level.group_of);
    }
    for (size_t group = 0; group < c->result->n_groups + c->result->n_outer; group++)
        if (c->result->trunks[group].n == 2)
            trunk_begin(c->result, group);
    headers_count(c->result);
    campaign_order_by_class(c);
}

/* ---- a node's bus ---- */

/* The mean time between messages within a node, of one process of it alone, or of all, each sending to the next: the
 * median over nodes and repetitions. */
static double bus_gap(struct campaign *c, int ppn, int64_t bytes, bool all)
{
    struct series_setup setup = stream_setup(c, bytes, 1, all ? ppn : 2);
    setup.shape.around = all;
    setup.shape.step = all;
    const size_t k = (size_t)setup.shape.burst, length = all ? k * (size_t)ppn : k;
    int series;
    size_t n, found = 0;
    const struct series_message *messages =
        streams_run(c, &setup, 1.5 * (double)length * gap_guess(c, bytes), STREAMS, &series, &n);
    double *gaps = alloc_array(n / length + 1, sizeof *gaps);
    struct flow_arrival *arrivals = alloc_array(length, sizeof *arrivals);
    for (size_t at = 0; at + length <= n; at += length) {
        for (size_t i = 0; i < length; i++)
            arrivals[i] = (struct flow_arrival){all ? messages[at + i].from % c->crew->job->ppn : 0,
                                                (double)(messages[at + i].end - messages[at + i].planned) * 1e-9};
        gaps[found] = flows_gap(length, arrivals, all ? ppn : 1);
        found += gaps[found] > 0;
    }
    const double gap = found > 0 ? ports_median(found, gaps) : NAN;
    free(gaps);
    free(arrivals);
    crew_series_destroy(c->crew, series);
    return gap;
}

/* Small messages tell what a bus does only where the larger ones say that there is one. */
static void bus_measure(struct campaign *c, struct task *task, double time_cap)
{
    (void)time_cap;
    const double alone = bus_gap(c, task->ppn, task->bytes, false), together = bus_gap(c, task->ppn, task->bytes, true);
    if (!(alone > 0) || !(together > 0))
        return;
    const enum sharing sharing = flows_sharing(alone, together, task->ppn);
    result_heading(c->result, NOTE_RATES);
    result_note(c->result, 1, "within a node", "%.4g MB/s one process to another, %.4g MB/s all %d processes together: %s",
                (double)task->bytes / alone * 1e-6, (double)task->bytes / together * 1e-6, task->ppn,
                sharing_text(sharing));
    if (sharing != SHARING_shared)
        return;
    result_bus(c->result, task->bytes)->gap[PORT_OUT] = together;
    const double small = small_bytes(c) < task->bytes ? bus_gap(c, task->ppn, small_bytes(c), true) : NAN;
    if (small > 0) {
        result_bus(c->result, small_bytes(c))->gap[PORT_OUT] = fmin(small, together);
        const struct port_point ends[2] = {c->result->bus.points[0], c->result->bus.points[1]};
        line_begin(result_bus(c->result, 0), &ends[0], &ends[1]);
    }
    headers_count(c->result);
}

static bool rates_are_known(const struct campaign *c, const struct task *task)
{
    size_t first, end;
    result_notes_under(c->result, NOTE_RATES, &first, &end);
    for (size_t i = first; i < end; i++) {
        const char *key = c->result->notes[i].key;
        int node;
        if (task->kind == TASK_trunks && strncmp(key, "trunk", strlen("trunk")) == 0)
            return true;
        if (task->kind == TASK_bus && strcmp(key, "within a node") == 0)
            return true;
        if (task->kind == TASK_rates && sscanf(key, "node %d", &node) == 1 && node >= 0 &&
            node < c->crew->job->nodes && c->class_of[node] == (int)task->class)
            return true;
    }
    return false;
}

const struct kind kind_rates = {.cost = rates_cost, .measure = rates_measure, .is_done = rates_are_known,
                                .bytes = rates_bytes};
const struct kind kind_trunks = {.cost = rates_cost, .measure = trunks_measure, .is_done = rates_are_known,
                                 .bytes = rates_bytes};
const struct kind kind_bus = {.cost = rates_cost, .measure = bus_measure, .is_done = rates_are_known,
                              .bytes = rates_bytes};
