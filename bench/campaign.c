#include "bench/campaign_impl.h"

#include "common/alloc.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const double BLOCK_TIME = 8;    /* s between synchronisations: clocks drift apart by less than they are known */
static const double BLOCK_PART = 0.2;  /* of the time so far, while that is less: killed early, it leaves a file too */
static const double SYNC_TIME = 0.6;   /* s for one of them, and the file */
static const double FILE_TIME = 5;     /* s that a slow disk may take for the file */
static const double END_RESERVE = 3;   /* s for the last synchronisation and the file */
static const double OVERRUN = 4, OVERRUN_LEAST = 5; /* times its cost, and s, that bursts may take which lose packets */
static const double SPARE_MOST = 3;    /* times its cost a task may take where there is time */
static const int64_t STREAM_BYTES = 64, STREAM_BYTES_MOST = 64 << 10; /* less fits into the same frame */
enum { HEADER_MOST = 48 }; /* bytes that a library adds to a message: 22 in Open MPI */
enum { CLASS_NEXT = 1024, CLASS_MOST = 16 << 10 }; /* bytes: the size after the least, and the largest */
static const double CLASS_APART = 7.9;
static const double APART = 3.9;       /* a little less than 4: sizes at the eager limit replace a power of two */

double campaign_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

double campaign_left(const struct campaign *c)
{
    return bench_options_measuring(c->options) - END_RESERVE - (campaign_now() - c->started);
}

void campaign_say(const struct campaign *c, const char *format, ...)
{
    if (c->options->quiet || !isatty(STDERR_FILENO))
        return;
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "\r%3.0f s of %.0f: ", campaign_now() - c->started, bench_options_measuring(c->options));
    vfprintf(stderr, format, arguments);
    fputs("\033[K", stderr);
    va_end(arguments);
}

void campaign_log(const struct campaign *c, const char *format, ...)
{
    if (!c->options->verbose)
        return;
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "%6.1f s: ", campaign_now() - c->started);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
}

void campaign_note_imprecise(struct campaign *c, const char *point, size_t samples, double precision, enum stop stop)
{
    c->n_imprecise++;
    result_heading(c->result, "less precise than asked for");
    if (isfinite(precision))
        result_note(c->result, 1, point, "%zu samples, median within %.1f %%: %s", samples, 100 * precision,
                    stop_text(stop));
    else
        result_note(c->result, 1, point, "%zu samples: %s", samples, stop_text(stop));
}

struct shape campaign_shape(const struct campaign *c, int nodes, int ppn)
{
    const struct job *job = c->crew->job;
    const bool fits = nodes <= c->nodes;
    return (struct shape){.first = fits ? c->first : 0, .job_nodes = fits ? c->nodes : job->nodes,
                          .job_ppn = job->ppn, .nodes = nodes, .ppn = ppn, .copies = 1};
}

struct shape campaign_pair(const struct campaign *c)
{
    return c->crew->job->nodes > 1 ? campaign_shape(c, 2, 1) : campaign_shape(c, 1, 2);
}

static struct pilot pilot_of(struct samples *samples)
{
    size_t low, high;
    samples_sort(samples);
    if (!stopping_median_ranks(samples->n, 0.95, &low, &high)) {
        low = 0;
        high = samples->n - 1;
    }
    return (struct pilot){.median = samples_median(samples) * 1e-9, .low = (double)samples->ns[low] * 1e-9,
                          .high = (double)samples->ns[high] * 1e-9};
}

struct pilot campaign_pilot(struct campaign *c, enum pattern pattern, int64_t bytes, double rest, double busy, int n,
                            int copies)
{
    struct series_setup setup = {.pattern = pattern, .shape = campaign_pair(c), .kind = SEND_BLOCKING,
                                 .bytes = bytes, .rest = (int64_t)(rest * 1e9)};
    int series = crew_series_create(c->crew, &setup);
    crew_series_run(c->crew, series, n, (int64_t)(busy * 1e9), copies);
    size_t n_messages;
    const struct series_message *messages = crew_series_collect(c->crew, series, &n_messages);
    struct samples samples, all;
    samples_init(&samples);
    samples_init(&all);
    for (size_t i = 0; i < n_messages; i++) {
        samples_add(&all, messages[i].end - messages[i].call);
        if (messages[i].valid)
            samples_add(&samples, messages[i].end - messages[i].call);
    }
    struct pilot pilot =
        samples.n >= 3 && 2 * samples.n >= n_messages ? pilot_of(&samples) : (struct pilot){NAN, NAN, NAN, NAN};
    samples_sort(&all);
    pilot.seen = samples_median(&all) * 1e-9;
    samples_free(&samples);
    samples_free(&all);
    crew_series_destroy(c->crew, series);
    return pilot;
}

/* ---- plan ---- */

static void task_add(struct campaign *c, enum task_kind kind, int nodes, int ppn, int64_t bytes)
{
    struct task task = {.kind = kind, .class = c->class, .nodes = nodes, .ppn = ppn, .bytes = bytes};
    const bool timed = kind == TASK_rates; /* its streams last as long whatever passes */
    task.cost = task_cost(c, &task) * (timed ? 1 : c->classes[c->class].slower);
    c->tasks = alloc_grow(c->tasks, c->n_tasks, &c->tasks_capacity, sizeof *c->tasks);
    c->tasks[c->n_tasks++] = task;
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
static void tasks_add(struct campaign *c, enum task_kind kind, int nodes, int ppn)
{
    const int64_t limit = campaign_limit(c, nodes);
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
        task_add(c, kind, nodes, ppn, bytes);
        next = size_after(bytes);
    }
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

/* Of nodes that differ from the others: what their ports are is known from a few sizes, for the curves are like those of
 * the others. */
static void class_add(struct campaign *c, size_t class)
{
    int64_t next = 0;
    campaign_class(c, class);
    for (size_t i = 0; i < c->n_sizes && c->sizes[i].bytes <= CLASS_MOST; i++)
        if (c->sizes[i].bytes >= next) {
            task_add(c, TASK_ports, 2, 1, c->sizes[i].bytes);
            if (c->classes[class].n > 1 && c->sizes[i].bytes <= c->result->eager_limit)
                task_add(c, TASK_reverse, 2, 1, c->sizes[i].bytes);
            next = next == 0 ? CLASS_NEXT : (int64_t)((double)c->sizes[i].bytes * CLASS_APART);
        }
    campaign_class(c, 0);
}

/* The largest power of two below n; 0 below 1. */
static int below(int n)
{
    int power = 0;
    for (int next = 1; next < n; next *= 2)
        power = next;
    return power;
}

/* Every given level, else powers of two up to the job: one process per node, all of them, and those within a node. Of
 * nonblocking messages the levels in between follow from the ends. */
static void levels_add(struct campaign *c, enum task_kind kind)
{
    const struct bench_options *options = c->options;
    const struct job *job = c->crew->job;
    bool ends = kind == TASK_isend_pairs;
    for (size_t i = options->n_levels; i-- > 0;)
        tasks_add(c, kind, options->levels[i].nodes, options->levels[i].ppn);
    if (options->n_levels > 0)
        return;
    for (int ppn = job->ppn; ppn >= 1; ppn = below(ppn))
        for (int nodes = c->nodes; nodes >= 1; nodes = below(nodes))
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
        task_add(c, TASK_trunks, job->nodes, 1, campaign_rates_bytes(c));
        task_add(c, TASK_trunk_overflow, job->nodes, 1, c->sizes[0].bytes);
    }
    if (job->ppn > 1)
        task_add(c, TASK_bus, 1, job->ppn, campaign_rates_bytes(c));
}

/* What passes every port. */
static void rates_add(struct campaign *c)
{
    const int64_t bytes = campaign_rates_bytes(c);
    for (size_t class = 0; class < c->n_classes; class++) {
        campaign_class(c, class);
        task_add(c, TASK_rates, 2, 1, bytes);
    }
    campaign_class(c, 0);
}

static void tasks_plan(struct campaign *c)
{
    const struct bench_options *options = c->options;
    if (options->send)
        alone_add(c, TASK_pingpong);
    if (ports_are_measured(c)) {
        if (campaign_close(c) > 2)
            task_add(c, TASK_overflow, campaign_close(c), 1, c->sizes[0].bytes);
        ports_add(c, TASK_ports, 1, 0, PORTS_MOST);
        ports_add(c, TASK_reverse, 1, 0, c->result->eager_limit);
        frame_sizes_add(c);
        if (c->crew->job->ppn > 1)
            task_add(c, TASK_owner, c->nodes > 2 ? 3 : 2, 2, campaign_owner_bytes(c));
        if (campaign_close(c) > 2)
            task_add(c, TASK_window, 3, 1, campaign_window_bytes(c));
        for (size_t class = 1; class < c->n_classes; class++)
            class_add(c, class);
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
        ports_add(c, TASK_saturation, 1, STREAM_BYTES, STREAM_BYTES_MOST);
        if (c->crew->job->ppn > 1)
            ports_add(c, TASK_saturation, c->crew->job->ppn, STREAM_BYTES, STREAM_BYTES_MOST);
        rates_add(c);
    }
}

static void plan_log(const struct campaign *c)
{
    for (enum task_kind kind = 0; kind < N_TASKS; kind++) {
        double cost = 0;
        size_t n = 0;
        for (size_t i = 0; i < c->n_tasks; i++) {
            n += c->tasks[i].kind == kind;
            cost += c->tasks[i].kind == kind ? c->tasks[i].cost : 0;
        }
        if (n > 0)
            campaign_log(c, "planned: %s, %zu points, %.1f s", task_text(kind), n, cost);
    }
}

/* ---- running it ---- */

/* Receive overheads serve messages of either kind. */
static void receive_overheads_copy(struct result *result)
{
    for (size_t i = 0; i < result->n_points; i++) {
        struct point *point = &result->points[i];
        struct point_key key = point->key;
        key.operation = key.operation == SEND_BLOCKING ? SEND_NONBLOCKING : SEND_BLOCKING;
        struct point *other = result_find(result, &key);
        if (other && other->transit.count > 0 && other->receive_overhead.count == 0 &&
            point->receive_overhead.count > 0)
            histogram_merge(&other->receive_overhead, &point->receive_overhead);
    }
}

enum status campaign_checkpoint(struct campaign *c)
{
    campaign_settle(c);
    receive_overheads_copy(c->result);
    result_note(c->result, 0, "elapsed", "%.1f s", c->elapsed_before + campaign_now() - c->started);
    crew_pause(c->crew, FILE_TIME);
    return result_write(c->result, c->options->output, c->diags);
}

static void task_run(struct campaign *c, const struct task *task, double time_cap)
{
    campaign_class(c, task->class);
    c->task_ends = campaign_now() + fmax(OVERRUN * task->cost, OVERRUN_LEAST);
    switch (task->kind) {
    case TASK_ports: task_measure_ports(c, task); break;
    case TASK_reverse: task_measure_reverse(c, task); break;
    case TASK_owner: task_measure_owner(c, task); break;
    case TASK_overflow: task_measure_overflow(c); break;
    case TASK_trunk_overflow: task_measure_trunk_overflow(c); break;
    case TASK_window: task_measure_window(c, task); break;
    case TASK_saturation: task_measure_saturation(c, task); break;
    case TASK_rates: task_measure_rates(c, task); break;
    case TASK_trunks: task_measure_trunks(c, task); break;
    case TASK_bus: task_measure_bus(c, task); break;
    case TASK_pingpong: case TASK_receive: case TASK_pairs: case TASK_isend_pingpong: case TASK_isend_pairs:
        task_measure(c, task, time_cap);
        break;
    case N_TASKS: break;
    }
    result_port_losses_drop(c->result);
    campaign_class(c, 0);
}

/* What is known by now says that some points are not to be measured: how many. */
static size_t tasks_explain(struct campaign *c)
{
    size_t n = 0;
    for (size_t i = 0; i < c->n_tasks; i++)
        if (!c->tasks[i].done && task_is_explained(c, &c->tasks[i])) {
            c->tasks[i].done = true;
            n++;
        }
    return n;
}

/* What did not fit at first may fit when others have taken less than was expected of them. */
static enum status tasks_run(struct campaign *c)
{
    enum status status = STATUS_OK;
    size_t n_explained = 0;
    campaign_settle(c);
    while (status == STATUS_OK) {
        n_explained += tasks_explain(c);
        const double available = campaign_left(c) / (1 + SYNC_TIME / BLOCK_TIME);
        const size_t i = plan_next(c->n_tasks, c->tasks, available);
        if (i == c->n_tasks)
            break;
        struct task *task = &c->tasks[i];
        const double spare = available / fmax(plan_cost(c->n_tasks, c->tasks), 1e-9);
        campaign_say(c, "%s, %dx%d, %lld bytes", task_text(task->kind), task->nodes, task->ppn,
                     (long long)task->bytes);
        c->n_measured++;
        task->done = true;
        task_run(c, task, task->cost * fmin(fmax(spare, 1), SPARE_MOST));
        campaign_log(c, "%s, %dx%d, %lld bytes: planned %.2f s, %.0f s left for %.0f s", task_text(task->kind),
                     task->nodes, task->ppn, (long long)task->bytes, task->cost, campaign_left(c),
                     plan_cost(c->n_tasks, c->tasks));
        double now = campaign_now();
        if (now - c->block_started > fmin(BLOCK_TIME, BLOCK_PART * (now - c->started))) {
            status = campaign_checkpoint(c);
            campaign_log(c, "clocks synchronised, file written");
        }
    }
    if (n_explained > 0)
        result_note(c->result, 0, "left_out", "%zu points whose messages wait for one another at a port or bus that is "
                    "known", n_explained);
    size_t dropped = 0;
    for (size_t i = 0; i < c->n_tasks; i++)
        dropped += c->tasks[i].done ? 0 : 1;
    if (dropped > 0 && !c->options->quiet)
        diag_warning(c->diags, place_of_file(NULL), "%zu of %zu points did not fit into the budget of %.0f s", dropped,
                     c->n_tasks, bench_options_measuring(c->options));
    if (dropped > 0)
        result_note(c->result, 0, "not_measured", "%zu of %zu points, for lack of time", dropped, c->n_tasks);
    return status;
}

/* All points of the plan that there are not yet. */
static void tasks_skip_done(struct campaign *c)
{
    size_t left = 0;
    for (size_t i = 0; i < c->n_tasks; i++)
        if (!task_is_done(c, &c->tasks[i]))
            c->tasks[left++] = c->tasks[i];
    if (left < c->n_tasks)
        campaign_log(c, "%zu of %zu points are in the file already", c->n_tasks - left, c->n_tasks);
    c->n_tasks = left;
}

static enum status campaign_find(struct campaign *c)
{
    if (bench_options_only_self(c->options))
        return STATUS_OK;
    if (c->options->resume)
        return campaign_resume(c);
    c->rest_found = c->rest = campaign_find_rest(c);
    c->result->eager_limit = campaign_find_eager(c);
    campaign_find_node_limit(c);
    campaign_find_nodes(c);
    campaign_find_groups(c);
    campaign_find_sizes(c);
    campaign_find_common(c);
    campaign_find_rest_delay(c);
    return STATUS_OK;
}

/* How long it took, and what is less precise than asked for. */
static void campaign_end(struct campaign *c)
{
    if (c->options->quiet)
        return;
    if (isatty(STDERR_FILENO))
        fputs("\r\033[K", stderr);
    fprintf(stderr, "pevpm-bench: measured %zu points in %.1f s", c->n_measured, campaign_now() - c->started);
    if (c->n_imprecise > 0)
        fprintf(stderr, "; %zu are less precise than asked for, see the provenance", c->n_imprecise);
    fputc('\n', stderr);
}

/* Until it is known better all nodes are alike. */
static void classes_init(struct campaign *c)
{
    const int nodes = c->crew->job->nodes;
    c->class_of = alloc_zeroed((size_t)nodes, sizeof *c->class_of);
    c->node_times = alloc_zeroed((size_t)nodes, sizeof *c->node_times);
    c->group_of = alloc_zeroed((size_t)nodes, sizeof *c->group_of);
    c->classes = alloc_array(1, sizeof *c->classes);
    c->classes[0] = (struct node_class){.n = nodes, .slower = 1};
    c->n_classes = 1;
    campaign_class(c, 0);
}

enum status campaign_run(struct crew *crew, const struct bench_options *options, struct result *result,
                         struct diags *diags)
{
    const char *elapsed = result_note_find(result, "elapsed", NULL);
    struct campaign c = {.crew = crew, .options = options, .result = result, .diags = diags,
                         .started = campaign_now(), .elapsed_before = elapsed ? strtod(elapsed, NULL) : 0,
                         .bounds = alloc_zeroed((size_t)(crew->job->nodes * crew->job->ppn), sizeof *c.bounds)};
    c.block_started = c.started;
    classes_init(&c);
    campaign_take_groups(&c);
    enum status status = campaign_find(&c);
    campaign_log(&c, "rest %.3g ms, eager limit %lld, %zu sizes", (double)c.rest * 1e-6,
                 (long long)(result->eager_limit == INT64_MAX ? -1 : result->eager_limit), c.n_sizes);
    if (status == STATUS_OK && options->self)
        campaign_self(&c);
    if (status == STATUS_OK) {
        tasks_plan(&c);
        tasks_skip_done(&c);
        plan_log(&c);
        status = tasks_run(&c);
    }
    if (status == STATUS_OK)
        status = campaign_checkpoint(&c);
    if (status == STATUS_OK)
        status = campaign_collectives(&c);
    if (status == STATUS_OK)
        status = campaign_checkpoint(&c);
    if (status == STATUS_OK)
        campaign_end(&c);
    free(c.sizes);
    free(c.tasks);
    free(c.bounds);
    for (size_t class = 0; class < c.n_classes; class++)
        free(c.classes[class].gaps);
    free(c.classes);
    free(c.class_of);
    free(c.node_times);
    free(c.group_of);
    return status;
}
