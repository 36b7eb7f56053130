#include "bench/campaign.h"

#include "bench/apart.h"
#include "bench/campaign/block.h"
#include "bench/campaign/collective.h"
#include "bench/campaign/plan.h"
#include "bench/campaign/resume.h"
#include "bench/find.h"
#include "bench/kind.h"
#include "bench/places.h"
#include "common/alloc.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double OVERRUN = 4, OVERRUN_LEAST = 5; /* times its cost, and s, that bursts may take which lose packets */
static const double SPARE_MOST = 3;    /* times its cost a task may take where there is time */

/* ---- running it ---- */

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

static void task_run(struct campaign *c, struct task *task, double time_cap)
{
    campaign_class(c, task->class);
    c->task_ends = campaign_now() + fmax(OVERRUN * task->cost, OVERRUN_LEAST);
    task_measure(c, task, time_cap);
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

static enum status task_do(struct campaign *c, struct task *task, double time_cap)
{
    enum status status = STATUS_OK;
    campaign_say(c, "%s, %dx%d%s, %lld bytes", task_text(task->kind), task->nodes, task->ppn, task_where(task),
                 (long long)task->bytes);
    c->n_measured += !task->again;
    task->done = true;
    const double begun = campaign_now();
    task_run(c, task, time_cap);
    if (!task->again) /* then it was given what others left */
        plan_learn(c->n_tasks, c->tasks, (size_t)(task - c->tasks), campaign_now() - begun);
    campaign_log(c, "%s%s, %dx%d%s, %lld bytes: planned %.2f s, %.0f s left for %.0f s", task->again ? "again, " : "",
                 task_text(task->kind), task->nodes, task->ppn, task_where(task), (long long)task->bytes, task->cost, campaign_left(c),
                 plan_cost(c->n_tasks, c->tasks));
    if (block_is_over(c)) {
        status = block_end(c);
        campaign_log(c, "clocks synchronised, file written");
    }
    return status;
}

/* What did not fit at first may fit when others have taken less than was expected of them. */
static enum status tasks_run(struct campaign *c, size_t *n_explained)
{
    enum status status = STATUS_OK;
    while (status == STATUS_OK) {
        *n_explained += tasks_explain(c);
        const double available = block_time_left(c);
        const size_t i = plan_next(c->n_tasks, c->tasks, available);
        if (i == c->n_tasks)
            break;
        struct task *task = &c->tasks[i];
        const double spare = available / fmax(plan_cost(c->n_tasks, c->tasks), 1e-9);
        status = task_do(c, task, task->cost * (task->again ? fmin(fmax(spare, 1), SPARE_MOST) : 1));
    }
    return status;
}

static bool is_to_be_known_better(const struct campaign *c, const struct task *task)
{
    return task_is_odd(c, task) || (task->samples > 0 && !(task_is_done(c, task) && task_is_precise(c, task)));
}

/* Points that have fewer samples than they should, whose median is not known precisely, or which others do not explain, are to be measured
 * again. */
static void tasks_again(struct campaign *c)
{
    for (size_t i = 0; i < c->n_tasks; i++) {
        struct task *task = &c->tasks[i];
        if (!task->done || !is_to_be_known_better(c, task))
            continue;
        task->again = true;
        task->done = false;
        task->cost = task_cost(c, task);
    }
}

/* Which points there was no time for, and how much each would have taken. */
static void tasks_left_note(struct campaign *c)
{
    result_notes_drop(c->result, NOTE_UNMEASURED);
    for (size_t i = 0; i < c->n_tasks; i++) {
        const struct task *task = &c->tasks[i];
        char key[128], class[32] = "";
        if (task->done)
            continue;
        if (task->class > 0)
            snprintf(class, sizeof class, ", class %zu", task->class);
        snprintf(key, sizeof key, "%s, %dx%d%s, %lld bytes%s", task_text(task->kind), task->nodes, task->ppn, task_where(task),
                 (long long)task->bytes, class);
        result_heading(c->result, NOTE_UNMEASURED);
        result_note(c->result, 1, key, "%.1f s planned", task->cost);
    }
}

/* All points once, and then, as far as time goes, again. */
static enum status tasks_run_twice(struct campaign *c)
{
    size_t n_explained = 0, dropped = 0;
    block_first(c);
    enum status status = tasks_run(c, &n_explained);
    tasks_left_note(c);
    for (size_t i = 0; i < c->n_tasks; i++)
        dropped += c->tasks[i].done ? 0 : 1;
    if (status == STATUS_OK && dropped == 0) {
        status = block_end(c);
        tasks_again(c);
        status = status == STATUS_OK ? tasks_run(c, &n_explained) : status;
    }
    if (apart_note(c->result) > 0 && !c->options->quiet)
        diag_warning(c->diags, place_of_file(NULL), "what ports take at some sizes others do not explain: the provenance names them");
    if (n_explained > 0)
        result_note(c->result, 0, "left_out", "%zu points whose messages wait for one another at a port or bus that is "
                    "known", n_explained);
    if (dropped > 0 && !c->options->quiet)
        diag_warning(c->diags, place_of_file(NULL), "%zu of %zu points did not fit into the budget of %.0f s; the "
                     "provenance names them", dropped, c->n_tasks, bench_options_measuring(c->options));
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
    campaign_find_node_rendezvous(c);
    campaign_find_unread(c);
    campaign_find_nodes(c);
    campaign_find_groups(c);
    campaign_find_sizes(c);
    campaign_find_sends(c);
    campaign_find_common(c);
    campaign_find_waking(c);
    campaign_find_rest_delay(c);
    campaign_find_exchanges(c);
    return STATUS_OK;
}

/* What trunks leave unknown. */
static void trunks_warn(struct campaign *c)
{
    int first;
    const int alone = campaign_alone(c, &first);
    if (c->n_groups > 1 && c->n_groups == (size_t)c->crew->job->nodes)
        diag_warning(c->diags, place_of_file(NULL), "nodes that send at once are slower than alone, and which of them share a trunk "
                     "is not to be told: name their switches with --topology");
    else if (alone > 0 && !c->options->topology) /* whose file may say so */
        diag_warning(c->diags, place_of_file(NULL), "it is not to be told which others share a trunk with node %d%s, so that is taken to be "
                     "nobody: name their switches with --topology", first, alone > 1 ? " and some more" : "");
    const char *untold = result_note_find(c->result, NOTE_GROUPS_UNTOLD, NULL);
    if (untold)
        diag_warning(c->diags, place_of_file(NULL), "%s: %s", NOTE_GROUPS_UNTOLD, untold);
    for (size_t class = 0; class < c->n_classes; class++) {
        campaign_class(c, class);
        if (campaign_crosses(c))
            diag_warning(c->diags, place_of_file(NULL), "no two nodes as quick as node %d stand behind one switch: a trunk that is "
                         "slower than their ports is taken for these", c->crew->job->order[c->classes[class].first]);
    }
    campaign_class(c, 0);
}

/* How long it took, and what is less precise than asked for. */
static void campaign_end(struct campaign *c)
{
    if (c->n_impossible > 0)
        result_note(c->result, 0, "impossible", "%zu messages came before they were sent, as the clocks have it",
                    c->n_impossible);
    if (c->options->quiet)
        return;
    if (c->n_impossible > 0)
        diag_warning(c->diags, place_of_file(NULL),
                     "%zu messages came before they were sent, as the clocks have it: their "
                     "times are left out, and short ones of others are no better than the clocks (`clocks by block`)",
                     c->n_impossible);
    trunks_warn(c);
    if (isatty(STDERR_FILENO))
        fputs("\r\033[K", stderr);
    size_t first, end;
    result_notes_under(c->result, NOTE_IMPRECISE, &first, &end);
    fprintf(stderr, "pevpm-bench: measured %zu points in %.1f s", c->n_measured, campaign_now() - c->started);
    if (end > first)
        fprintf(stderr, "; %zu are less precise than asked for, see the provenance", end - first);
    fputc('\n', stderr);
}

/* A file without one message between processes predicts nothing. */
static enum status messages_check(const struct campaign *c)
{
    if (!c->options->send && !c->options->isend)
        return STATUS_OK;
    for (size_t i = 0; i < c->result->n_points; i++)
        if (c->result->points[i].key.nodes * c->result->points[i].key.ppn > 1 && c->result->points[i].transit.count > 0)
            return STATUS_OK;
    diag_error(c->diags, place_of_file(NULL),
               "no message between processes could be measured within --budget %g s, so what is "
               "written predicts nothing: go on with --resume and more time",
               c->options->budget);
    return STATUS_INTERRUPTED;
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
        campaign_plan(&c);
        tasks_skip_done(&c);
        plan_log(&c);
        status = tasks_run_twice(&c);
    }
    if (status == STATUS_OK)
        status = campaign_collectives(&c);
    if (status == STATUS_OK) {
        campaign_end(&c);
        status = block_end(&c);
    }
    if (status == STATUS_OK)
        status = messages_check(&c);
    for (size_t i = 0; i < c.n_tasks; i++)
        samples_free(&c.tasks[i].medians);
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
