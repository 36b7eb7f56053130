/* What is to be measured, before time is short: which task at which sizes in which groups of nodes. Nothing here talks
 * to the others. */
#include "bench/campaign/plan.h"

#include "bench/kind.h"
#include "bench/places.h"
#include "common/alloc.h"

#include <math.h>

static const int64_t STREAM_BYTES = 64, STREAM_BYTES_MOST = 64 << 10; /* less fits into the same frame */
enum { LEVELS_ALL = 16 }; /* nodes up to which every power of two is a level */
enum { HEADER_MOST = 48 }; /* bytes that a library adds to a message: 22 in Open MPI */
enum { CLASS_NEXT = 1024, CLASS_MOST = 16 << 10 }; /* bytes: the size after the least, and the largest */
static const double CLASS_APART = 7.9;
static const double APART = 3.9;       /* a little less than 4: sizes at the eager limit replace a power of two */

static void task_put(struct campaign *c, struct task task)
{
    const bool timed = task.kind == TASK_rates; /* its streams last as long whatever passes */
    task.cost = task_cost(c, &task) * (timed ? 1 : c->classes[c->class].slower);
    c->tasks = alloc_grow(c->tasks, c->n_tasks, &c->tasks_capacity, sizeof *c->tasks);
    c->tasks[c->n_tasks++] = task;
}

static void task_add(struct campaign *c, enum task_kind kind, int nodes, int ppn, int64_t bytes)
{
    task_put(c, (struct task){.kind = kind, .class = c->class, .nodes = nodes, .ppn = ppn, .bytes = bytes});
}

/* Of the size that its kind wants. */
static void task_add_one(struct campaign *c, enum task_kind kind, int nodes, int ppn)
{
    task_add(c, kind, nodes, ppn, kind_bytes(c, kind));
}

/* From which size on the next of those that stand APART. */
static int64_t size_after(int64_t bytes)
{
    return bytes == 0 ? 64 : (int64_t)((double)bytes * APART);
}

static bool ports_are_measured(const struct campaign *c)
{
    return c->options->ports && c->crew->job->nodes > 1;
}

/* Sizes closer than a factor of two were added where the curve bends: both ends of the interval and what is in it. */
static bool at_bend(const struct campaign *c, size_t i)
{
    const struct size_info *sizes = c->sizes;
    return (i > 0 && sizes[i].bytes < 2 * sizes[i - 1].bytes) ||
           (i + 1 < c->n_sizes && sizes[i].bytes > 0 && sizes[i + 1].bytes < 2 * sizes[i].bytes);
}

/* The sizes for one kind, in one group. Where the curve of blocking messages bends, that of nonblocking ones does, so
 * sizes APART, those at a bend, both at the eager limit and the last tell what differs. Messages that wait for their
 * receivers and meet wait for one another's permission too, behind what the ports hold: that the rules for ports tell,
 * and what a port explains must not be in a transit as well. */
static void group_add(struct campaign *c, enum task_kind kind, int nodes, int ppn, bool socket)
{
    const int64_t limit = socket ? campaign_limit_of(c, TRANSPORT_socket) : campaign_limit(c, nodes);
    const bool given = c->options->n_sizes > 0;
    if ((kind == TASK_pairs || kind == TASK_isend_pairs) && campaign_stretch(c, nodes) < 0)
        return;
    const bool sparse = (kind == TASK_isend_pingpong || kind == TASK_isend_pairs) && !given;
    const bool meet = (kind == TASK_pairs || kind == TASK_isend_pairs) && !given && ports_are_measured(c);
    int64_t next = 0;
    for (size_t i = 0; i < c->n_sizes; i++) {
        const int64_t bytes = c->sizes[i].bytes;
        if ((kind == TASK_receive || meet) && bytes > limit)
            continue;
        if (sparse && bytes < next && bytes != limit && bytes - 1 != limit && i + 1 < c->n_sizes && !at_bend(c, i))
            continue;
        task_put(c, (struct task){.kind = kind, .class = c->class, .nodes = nodes, .ppn = ppn, .socket = socket, .bytes = bytes});
        next = size_after(bytes);
    }
}

static bool group_is_there(const struct campaign *c, enum task_kind kind, int ppn, bool socket)
{
    for (size_t i = 0; i < c->n_tasks; i++)
        if (c->tasks[i].kind == kind && c->tasks[i].nodes == 1 && c->tasks[i].ppn == ppn && c->tasks[i].socket == socket)
            return true;
    return false;
}

/* Of how many processes a group of a node is whose pairs are between its sockets, or within one, where `ppn` are asked for: no
 * more, as many on both sides. 0: there are no two. */
static int local_processes(const struct campaign *c, enum transport transport, int ppn)
{
    const int most = job_slots_most(c->crew->job, transport), n = ppn < most ? ppn - ppn % 2 : most;
    return n >= 2 ? n : 0;
}

/* Within a node: between its sockets, and within one, where these are told apart. */
static void local_add(struct campaign *c, enum task_kind kind, int ppn)
{
    static const enum transport transports[] = {TRANSPORT_node, TRANSPORT_socket};
    if (c->crew->job->sockets == 0) {
        group_add(c, kind, 1, ppn, false);
        return;
    }
    for (size_t i = 0; i < sizeof transports / sizeof *transports; i++) {
        const int n = local_processes(c, transports[i], ppn);
        const bool socket = transports[i] == TRANSPORT_socket;
        if (n > 0 && !group_is_there(c, kind, n, socket))
            group_add(c, kind, 1, n, socket);
    }
}

static void tasks_add(struct campaign *c, enum task_kind kind, int nodes, int ppn)
{
    if (nodes == 1)
        local_add(c, kind, ppn);
    else
        group_add(c, kind, nodes, ppn, false);
}

/* Gaps are lines in the size, so sizes APART tell all; none stand close to one another at the end, where the line goes
 * on. */
static void ports_add(struct campaign *c, enum task_kind kind, int ppn, int64_t least, int64_t most)
{
    int64_t next = least;
    for (size_t i = 0; i < c->n_sizes; i++)
        if (c->sizes[i].bytes >= next && c->sizes[i].bytes <= most) {
            task_add(c, kind, 2, ppn, c->sizes[i].bytes);
            next = size_after(c->sizes[i].bytes);
        }
}

/* With what the library adds, a message that just fills a frame needs a second one. A line between sizes APART does not
 * show that leap: both sides of it do. */
static void frame_sizes_find(struct campaign *c)
{
    const int64_t two = c->result->frame, one = two - HEADER_MOST;
    c->n_at_frame = 0;
    if (c->options->n_sizes > 0 || one <= c->sizes[0].bytes || two >= c->sizes[c->n_sizes - 1].bytes ||
        two > PORTS_MOST || two > c->result->eager_limit)
        return;
    for (int64_t bytes = one; bytes <= two; bytes += HEADER_MOST) {
        size_t above = 0;
        while (c->sizes[above].bytes < bytes)
            above++;
        if (c->sizes[above].bytes > bytes)
            c->at_frame[c->n_at_frame++] = (struct size_info){.bytes = bytes, .one_way = c->sizes[above].one_way};
    }
}

static void frame_sizes_add(struct campaign *c)
{
    frame_sizes_find(c);
    for (size_t i = 0; i < c->n_at_frame; i++)
        task_add(c, TASK_ports, 2, 1, c->at_frame[i].bytes);
}

/* Of nodes that differ from the others: what their ports are is known from a few sizes up to `most`, for the curves are
 * like those of the others. */
static void class_add(struct campaign *c, enum task_kind kind, size_t class, int64_t most)
{
    int64_t next = 0;
    campaign_class(c, class);
    for (size_t i = 0; i < c->n_sizes && c->sizes[i].bytes <= CLASS_MOST; i++)
        if (c->sizes[i].bytes >= next) {
            if (c->sizes[i].bytes <= most)
                task_add(c, kind, 2, 1, c->sizes[i].bytes);
            next = next == 0 ? CLASS_NEXT : (int64_t)((double)c->sizes[i].bytes * CLASS_APART);
        }
    campaign_class(c, 0);
}

/* Before all that loses packets, for acknowledgements take a few percent: connections that have lost some send no more
 * at once than came through, so that they wait for acknowledgements, which stand behind the data of a ring. */
static void reverse_add(struct campaign *c)
{
    ports_add(c, TASK_reverse, 1, 0, c->result->eager_limit);
    for (size_t class = 1; class < c->n_classes; class++)
        if (c->classes[class].n > 1)
            class_add(c, TASK_reverse, class, c->result->eager_limit);
}

/* The largest power of two below n; 0 below 1. */
static int below(int n)
{
    int power = 0;
    for (int next = 1; next < n; next *= 2)
        power = next;
    return power;
}

static int level_below(int nodes)
{
    return nodes > 2 * LEVELS_ALL ? below(below(nodes)) : below(nodes);
}

/* A level that was asked for and that there is neither between sockets nor within one. */
static void level_check(const struct campaign *c, int nodes, int ppn)
{
    const int between = local_processes(c, TRANSPORT_node, ppn), within = local_processes(c, TRANSPORT_socket, ppn);
    if (nodes == 1 && c->crew->job->sockets > 0 && between != ppn && within != ppn && !c->options->quiet)
        diag_warning(c->diags, place_of_file(NULL), "--levels 1x%d: sockets are told apart, so it is measured with %d processes of a "
                     "node that send between these and with %d within one", ppn, between, within);
}

/* Every given level, else powers of two up to the job, above sixteen nodes every second one: one process per node, all
 * of them, and those within a node. Of nonblocking messages the levels in between follow from the ends. */
static void levels_add(struct campaign *c, enum task_kind kind)
{
    const struct bench_options *options = c->options;
    const struct job *job = c->crew->job;
    bool ends = kind == TASK_isend_pairs;
    for (size_t i = options->n_levels; i-- > 0;) {
        level_check(c, options->levels[i].nodes, options->levels[i].ppn);
        tasks_add(c, kind, options->levels[i].nodes, options->levels[i].ppn);
    }
    if (options->n_levels > 0)
        return;
    for (int ppn = job->ppn; ppn >= 1; ppn = below(ppn))
        for (int nodes = c->nodes; nodes >= 1; nodes = level_below(nodes))
            if (nodes * ppn >= 2 && (nodes == 1 || ppn == 1 || ppn == job->ppn) &&
                (!ends || nodes <= 2 || nodes == c->nodes))
                tasks_add(c, kind, nodes, ppn);
}

/* Something of one message alone: between nodes, and within one where the job has both. */
static void alone_add(struct campaign *c, enum task_kind kind)
{
    const struct shape pair = campaign_pair(c);
    tasks_add(c, kind, pair.nodes, pair.ppn);
    if (pair.nodes > 1 && c->crew->job->ppn > 1)
        tasks_add(c, kind, 1, 2);
}

/* What passes trunks and buses. */
static void shared_add(struct campaign *c)
{
    const struct job *job = c->crew->job;
    if (c->n_groups > 1 && c->n_groups < (size_t)job->nodes) {
        task_add_one(c, TASK_trunks, job->nodes, 1);
        task_add(c, TASK_trunk_overflow, job->nodes, 1, c->sizes[0].bytes);
    }
    if (job->ppn > 1)
        task_add_one(c, TASK_bus, 1, job->ppn);
}

/* What passes every port. */
static void rates_add(struct campaign *c)
{
    for (size_t class = 0; class < c->n_classes; class++) {
        campaign_class(c, class);
        task_add_one(c, TASK_rates, 2, 1);
    }
    campaign_class(c, 0);
}

/* What takes two that meet, or two ways out: three nodes that are alike and close. What is found holds for all
 * classes. */
static void meeting_add(struct campaign *c, enum task_kind kind)
{
    campaign_class(c, campaign_class_of(c, 3));
    if (campaign_crowd(c) > 2 && kind == TASK_overflow)
        task_add(c, kind, campaign_crowd(c), 1, c->sizes[0].bytes);
    else if (campaign_close(c) > 2)
        task_add_one(c, kind, 3, 1);
    campaign_class(c, 0);
}

void campaign_plan(struct campaign *c)
{
    const struct bench_options *options = c->options;
    if (options->send)
        alone_add(c, TASK_pingpong);
    if (ports_are_measured(c)) {
        reverse_add(c);
        meeting_add(c, TASK_overflow);
        ports_add(c, TASK_ports, 1, 0, PORTS_MOST);
        frame_sizes_add(c);
        if (c->crew->job->ppn > 1)
            task_add_one(c, TASK_owner, c->nodes > 2 ? 3 : 2, 2);
        for (size_t class = 1; class < c->n_classes; class++)
            class_add(c, TASK_ports, class, CLASS_MOST);
        shared_add(c);
    }
    if (options->send || options->isend)
        alone_add(c, TASK_receive);
    if (options->send)
        levels_add(c, TASK_pairs);
    if (options->isend) {
        alone_add(c, TASK_isend_pingpong);
        levels_add(c, TASK_isend_pairs);
    }
    if (ports_are_measured(c)) {
        rates_add(c);
        ports_add(c, TASK_saturation, 1, STREAM_BYTES, STREAM_BYTES_MOST);
        if (c->crew->job->ppn > 1)
            ports_add(c, TASK_saturation, c->crew->job->ppn, STREAM_BYTES, STREAM_BYTES_MOST);
    }
}
