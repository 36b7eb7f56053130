#include "sim/judge.h"

#include "common/alloc.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

enum { BEFORE, AFTER };

/* A machine where messages cost nothing and everything else is as on another. */
struct free_machine {
    struct machine machine;
    struct machine_entry entry;
    struct machine_size size;
};

static void free_machine_init(struct free_machine *made, const struct machine *machine)
{
    *made = (struct free_machine){.machine = *machine};
    distribution_constant(&made->size.transit, 0);
    made->entry = (struct machine_entry){.operation = SEND_BLOCKING, .pattern = PATTERN_pingpong, .nodes = 2, .ppn = 1,
                                         .level = 1, .n_sizes = 1, .sizes = &made->size};
    made->machine.entries = &made->entry;
    made->machine.n_entries = 1;
    made->machine.n_collectives = 0;
    made->machine.has_ports = made->machine.has_overflow = false;
}

static void free_machine_end(struct free_machine *made)
{
    distribution_free(&made->size.transit);
}

struct predict_request judge_predict_request(const struct judge_request *request, const struct judge_run *run,
                                             const struct machine *machine, const struct predict_mode *mode)
{
    return (struct predict_request){.program = run->program,
                                    .source = run->source,
                                    .machine = machine,
                                    .n_placements = 1,
                                    .placements = &run->at,
                                    .n_modes = 1,
                                    .modes = mode,
                                    .n_sweeps = run->n_sweeps,
                                    .sweeps = run->sweeps,
                                    .model = "measured",
                                    .baseline = 1, /* so that nothing else is predicted */
                                    .seed = request->same_draws ? run->seed : request->seed,
                                    .same_work = request->same_draws,
                                    .plan = request->plan,
                                    .stop = request->stop,
                                    .watch = request->watch};
}

/* Predicts one run with what-if factors, NULL for none. What is wrong with it goes to `diags`. */
static enum status run_predict(const struct judge_request *request, const struct judge_run *run,
                               const struct machine *machine, const struct predict_mode *mode,
                               const struct scale *scale, struct statistics *time, struct diags *diags)
{
    struct predict_request predict = judge_predict_request(request, run, machine, mode);
    predict.scale = scale;
    if (mode->cost != MODE_distribution)
        predict.plan.exact = 1;
    struct predict_result result = {0};
    enum status status = predict_run(&predict, &result, diags);
    if (status == STATUS_OK)
        *time = result.rows[0].time;
    predict_result_free(&result);
    return status;
}

static size_t count_inside(const struct judge_run *run, double low, double high)
{
    size_t n = 0;
    for (size_t i = 0; i < run->n; i++)
        n += run->seconds[i] >= low && run->seconds[i] <= high;
    return n;
}

static void interval_keep(const struct judge_run *run, struct judged *judged, int when, const struct statistics *time)
{
    judged->low[when] = time->p5;
    judged->high[when] = time->p95;
    judged->inside[when] = count_inside(run, time->p5, time->p95);
}

static double median_of(const struct judge_run *run)
{
    size_t middle = run->n / 2;
    return run->n % 2 ? run->seconds[middle] : (run->seconds[middle - 1] + run->seconds[middle]) / 2;
}

/* Of the median of as many launches. */
static double median_sd(const struct judge_run *run, const struct judged *judged)
{
    const double sd = model_error_known(judged->low[BEFORE], judged->high[BEFORE]) / sqrt((double)run->n);
    return run->n > 2 ? sqrt(acos(-1) / 2) * sd : sd;
}

/* The same once more with something changed: what is to be said of the program has been said, but for what makes this
 * one fail. */
static enum status extra_predict(const struct judge_request *request, const struct judge_run *run,
                                 const struct machine *machine, const struct predict_mode *mode,
                                 const struct scale *scale, struct statistics *time, struct diags *diags)
{
    struct diags unsaid = DIAGS_EMPTY;
    enum status status = run_predict(request, run, machine, mode, scale, time, &unsaid);
    diags_free(&unsaid);
    if (status != STATUS_OK && status != STATUS_INTERRUPTED)
        status = run_predict(request, run, machine, mode, scale, time, diags); /* now in the open */
    return status;
}

/* The time with free communication: in the mode `average`; or, where the run drew the numbers of a replication, that
 * one's. */
static enum status serial_find(const struct judge_request *request, const struct judge_run *run,
                               const struct machine *freed, struct judged *judged, struct diags *diags)
{
    static const struct predict_mode distribution = {"distribution", MODE_distribution, false, NULL};
    static const struct predict_mode average = {"average", MODE_average, false, NULL};
    struct judge_request one = *request;
    struct statistics serial;
    one.plan.exact = 1;
    enum status status = extra_predict(&one, run, freed, request->same_draws ? &distribution : &average, NULL, &serial,
                                       diags);
    if (status == STATUS_OK)
        judged->serial = serial.mean;
    return status;
}

/* What communication adds: communication that takes f times as long is computation that takes 1/f, on a clock that is f
 * times slower (calibration.h, which does the same in a prediction, with as many replications). */
static enum status added_find(const struct judge_request *request, const struct judge_run *run,
                              const struct machine *plain, double predicted, struct judged *judged,
                              struct diags *diags)
{
    static const struct predict_mode distribution = {"distribution", MODE_distribution, false, NULL};
    const double f = MODEL_ERROR_STRETCH;
    struct judge_request few = *request;
    struct scale scale = SCALE_NONE;
    struct statistics time;
    scale.serial = 1 / f;
    few.plan.exact = request->plan.exact < REPLICATE_FIRST ? request->plan.exact : REPLICATE_FIRST;
    enum status status = extra_predict(&few, run, plain, &distribution, &scale, &time, diags);
    if (status == STATUS_OK)
        judged->added = fmax(0, (f * time.mean - predicted) / (f - 1));
    return status;
}

/* What is known without the model error. */
static enum status run_judge(const struct judge_request *request, const struct judge_run *run,
                             const struct machine *plain, const struct machine *freed, struct judged *judged,
                             struct diags *diags)
{
    static const struct predict_mode distribution = {"distribution", MODE_distribution, false, NULL};
    struct statistics time;
    size_t said = diags->n;
    enum status status = run_predict(request, run, plain, &distribution, NULL, &time, diags);
    if (status == STATUS_OK && !(time.median > 0)) {
        diag_error(diags, run->place,
                   "%s on %d processes is predicted to take no time: how wrong that is cannot be told", run->program,
                   run->at.numprocs);
        status = STATUS_RANGE;
    }
    if (status == STATUS_OK)
        status = serial_find(request, run, freed, judged, diags);
    if (status == STATUS_OK)
        status = added_find(request, run, plain, time.mean, judged, diags);
    if (diags->n > said)
        diag_note(diags, run->place, "needed for this run");
    if (status != STATUS_OK)
        return status;
    judged->measured = median_of(run);
    judged->predicted = time.median;
    interval_keep(run, judged, BEFORE, &time);
    judged->known = median_sd(run, judged);
    return STATUS_OK;
}

struct model_error_point judged_point(const struct judged *judged)
{
    return (struct model_error_point){.error = judged->measured - judged->predicted, .time = judged->predicted,
                                      .communication = judged->added,
                                      .computation = judged->serial,
                                      .known = judged->known};
}

static struct machine_model_error estimate(size_t n, const struct judged runs[], bool work_known)
{
    struct model_error_point *points = alloc_array(n, sizeof *points);
    for (size_t i = 0; i < n; i++)
        points[i] = judged_point(&runs[i]);
    struct machine_model_error found = model_error_estimate(n, points, work_known);
    free(points);
    return found;
}

/* The intervals that predictions have with the error that was found. */
static enum status judge_again(const struct judge_request *request, struct judge_result *result, struct diags *diags)
{
    static const struct predict_mode distribution = {"distribution", MODE_distribution, false, NULL};
    struct machine informed = *request->machine;
    informed.has_model_error = true;
    informed.model_error = result->found;
    enum status status = STATUS_OK;
    for (size_t i = 0; i < result->n && status == STATUS_OK; i++) {
        struct statistics time;
        const struct judge_run *run = &request->runs[result->runs[i].run];
        status = run_predict(request, run, &informed, &distribution, NULL, &time, diags);
        if (status == STATUS_OK)
            interval_keep(run, &result->runs[i], AFTER, &time);
    }
    return status;
}

static void count_all(const struct judge_request *request, struct judge_result *result)
{
    for (size_t i = 0; i < result->n; i++) {
        result->launches += request->runs[result->runs[i].run].n;
        for (int when = BEFORE; when <= AFTER; when++)
            result->inside[when] += result->runs[i].inside[when];
    }
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* For one more than n. Half of the time is for the predictions with what these find. */
static bool is_in_time(const struct judge_request *request, size_t n, double started)
{
    return n < MODEL_ERROR_RUNS_LEAST || request->seconds <= 0 || now() - started < request->seconds / 2;
}

enum status judge_measured(const struct judge_request *request, struct judge_result *result, struct diags *diags)
{
    struct machine plain = *request->machine;
    struct free_machine freed;
    enum status worst = STATUS_OK;
    *result = (struct judge_result){.runs = alloc_zeroed(request->n, sizeof *result->runs)};
    plain.has_model_error = false;
    free_machine_init(&freed, &plain);
    double started = now();
    for (size_t i = 0; i < request->n && worst != STATUS_INTERRUPTED && is_in_time(request, result->n, started); i++) {
        struct judged *judged = &result->runs[result->n];
        *judged = (struct judged){.run = i};
        enum status status = run_judge(request, &request->runs[i], &plain, &freed.machine, judged, diags);
        result->n += status == STATUS_OK;
        if (status_exit_code(status) > status_exit_code(worst))
            worst = status;
    }
    free_machine_end(&freed);
    if (worst != STATUS_OK &&
        (!request->leaves_out || worst == STATUS_INTERRUPTED || result->n < MODEL_ERROR_RUNS_LEAST))
        return worst;
    result->found = estimate(result->n, result->runs, request->same_draws);
    worst = judge_again(request, result, diags);
    count_all(request, result);
    return worst;
}

void judge_result_free(struct judge_result *result)
{
    free(result->runs);
    *result = (struct judge_result){0};
}
