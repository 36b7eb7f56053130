/* Collective operations: every one at every size and number of processes, within a budget of their own. */
#include "bench/campaign/collective.h"

#include "bench/campaign/block.h"
#include "bench/pending.h"
#include "common/alloc.h"

#include <math.h>
#include <stdlib.h>

/* Steps between synchronisations: completions are converted at once, with the clocks' last known rate. */
static const double STEP_TIME = 8;
enum { COLLECTIVE_LEAST = 30 };     /* repetitions: a point with fewer is measured again by --resume */

struct collective_task {
    enum collective op;
    int numprocs;
    int64_t bytes;
};

struct collective_plan {
    size_t n, capacity;
    struct collective_task *tasks;
};

static bool is_measured(const struct campaign *c, const struct collective_task *task)
{
    const struct collective_point *point =
        result_collective_find(c->result, collective_name(task->op), task->numprocs, task->bytes);
    return point && point->time.count >= COLLECTIVE_LEAST;
}

static void plan_add(const struct campaign *c, struct collective_plan *plan, enum collective op, int numprocs,
                     int64_t bytes)
{
    struct collective_task task = {op, numprocs, bytes};
    if (is_measured(c, &task))
        return;
    plan->tasks = alloc_grow(plan->tasks, plan->n, &plan->capacity, sizeof *plan->tasks);
    plan->tasks[plan->n++] = task;
}

/* The numbers of processes: those of the levels, else powers of two and all. Returns how many, at most `most`. */
static size_t numprocs_list(const struct campaign *c, size_t most, int list[])
{
    const struct bench_options *options = c->options;
    int all = c->crew->job->nodes * c->crew->job->ppn;
    size_t n = 0;
    for (size_t i = 0; i < options->n_levels && n < most; i++)
        list[n++] = options->levels[i].nodes * options->levels[i].ppn;
    for (int p = 2; options->n_levels == 0 && p < all && n + 1 < most; p *= 2)
        list[n++] = p;
    if (options->n_levels == 0)
        list[n++] = all;
    return n;
}

/* Small sizes first: they are quick, and what they leave over is for the large ones. */
static void plan_make(const struct campaign *c, struct collective_plan *plan)
{
    enum { NUMPROCS_MOST = 64 };
    static const int64_t usual[] = {8, 1 << 10, 8 << 10, 64 << 10};
    int numprocs[NUMPROCS_MOST];
    const struct bench_options *options = c->options;
    size_t n_numprocs = numprocs_list(c, NUMPROCS_MOST, numprocs);
    size_t n = options->n_sizes > 0 ? options->n_sizes : sizeof usual / sizeof *usual;
    const int64_t *sizes = options->n_sizes > 0 ? options->sizes : usual;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n_numprocs; k++)
            for (int op = 0; op < N_COLLECTIVES; op++) {
                bool sized = collective_has_size((enum collective)op);
                if (options->collectives[op] && (sized || i == 0))
                    plan_add(c, plan, (enum collective)op, numprocs[k], sized ? sizes[i] : 0);
            }
}

static void point_take(struct campaign *c, const struct collective_task *task, const struct collective_times *times)
{
    struct collective_point *point =
        result_collective(c->result, collective_name(task->op), task->numprocs, task->bytes);
    histogram_free(&point->time);
    histogram_free(&point->root_time);
    histogram_add_samples(&point->time, &times->time);
    histogram_add_samples(&point->root_time, &times->root_time);
}

static void precision_note(struct campaign *c, const struct collective_task *task, struct collective_times *times)
{
    char key[80];
    c->n_measured++;
    samples_sort(&times->operation);
    snprintf(key, sizeof key, "%s, %d processes, %lld bytes", collective_name(task->op), task->numprocs,
             (long long)task->bytes);
    campaign_note_precision(c, key, times->operation.n, stopping_precision(&times->operation, 0.95), times->stop);
}

/* One point, in steps between which the clocks are synchronised. */
static enum status task_run(struct campaign *c, const struct collective_task *task, double time_cap)
{
    struct collective_times times;
    collective_times_init(&times);
    enum status status = STATUS_OK;
    double started = campaign_now(), left = time_cap;
    do {
        if (campaign_now() - c->block_started > STEP_TIME)
            campaign_settle(c);
        struct stopping rule = STOPPING_DEFAULT;
        rule.precision = c->options->precision;
        rule.time_cap = fmin(left, STEP_TIME);
        status = crew_collective(c->crew, task->op, task->numprocs, task->bytes, &rule, c->rest, &times, c->diags);
        left = time_cap - (campaign_now() - started);
    } while (status == STATUS_OK && times.stop == STOP_time && left > 0);
    if (status == STATUS_OK && times.time.n > 0)
        point_take(c, task, &times);
    campaign_log(c, "%s, %d processes, %lld bytes: %zu repetitions, %lld too late, in %.2f s: %s",
                 collective_name(task->op), task->numprocs, (long long)task->bytes, times.operation.n,
                 (long long)times.n_late, campaign_now() - started, stop_text(times.stop));
    precision_note(c, task, &times);
    collective_times_free(&times);
    return status;
}

enum status campaign_collectives(struct campaign *c)
{
    struct collective_plan plan = {0};
    enum status status = STATUS_OK;
    double started = campaign_now(), budget = c->options->collective_budget;
    size_t done = 0;
    plan_make(c, &plan);
    if (plan.n > 0)
        status = block_end(c);
    for (; done < plan.n && status == STATUS_OK; done++) {
        const struct collective_task *task = &plan.tasks[done];
        double left = budget - (campaign_now() - started);
        if (left <= 0)
            break;
        campaign_say(c, "%s, %d processes, %lld bytes", collective_name(task->op), task->numprocs,
                     (long long)task->bytes);
        status = task_run(c, task, left / (double)(plan.n - done));
        if (status == STATUS_OK && campaign_now() - c->block_started > STEP_TIME)
            status = block_end(c);
    }
    if (done < plan.n && status == STATUS_OK && !c->options->quiet)
        diag_warning(c->diags, place_of_file(NULL), "%zu of %zu points of collectives did not fit into their budget of "
                     "%.0f s", plan.n - done, plan.n, budget);
    if (plan.n > 0)
        result_note(c->result, 0, "collectives", "%zu of %zu points in %.1f s", done, plan.n,
                    campaign_now() - started);
    free(plan.tasks);
    return status;
}
