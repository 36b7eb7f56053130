#include "sim/judge.h"

#include "common/alloc.h"
#include "directives/tree.h"
#include "sim/calibration.h"

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
                                             const struct judge_draws *draws, const struct machine *machine,
                                             const struct predict_mode *mode)
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
                                    .contention_given = request->contention_given,
                                    .contention = request->contention,
                                    .library_given = request->library_given,
                                    .library = request->library,
                                    .baseline = 1, /* so that nothing else is predicted */
                                    .seed = draws ? draws->seed : request->seed,
                                    .same_work = draws != NULL,
                                    .work = draws ? draws->first : 0,
                                    .plan = request->plan,
                                    .stop = request->stop,
                                    .watch = request->watch};
}

/* ---- what launches drew ---- */

bool judge_draws_count(const struct judge_request *request, const struct judge_run *run)
{
    struct definition *definitions = alloc_array(run->n_sweeps, sizeof *definitions);
    struct diags unsaid = DIAGS_EMPTY; /* when it is predicted */
    struct tree *tree = NULL;
    struct program *program = NULL;
    const enum mpi_library library = request->library_given ? request->library : request->machine->library;
    bool count = false;
    sweep_select(run->n_sweeps, run->sweeps, 0, definitions);
    if (run->draws && tree_parse(&tree, run->source, run->n_sweeps, definitions, &unsaid) == STATUS_OK &&
        predict_lower(&program, tree, request->machine, library, run->at, (struct predict_map){0}, &unsaid) ==
            STATUS_OK)
        count = work_differs(program, request->machine);
    if (program)
        program_destroy(program);
    if (tree)
        tree_destroy(tree);
    diags_free(&unsaid);
    free(definitions);
    return count;
}

/* The launches of a run that drew alike are predicted at once. */
struct drawn {
    const struct judge_draws *draws; /* NULL: nobody asks what they drew */
    size_t launches;
    struct statistics time;
};

struct judging {
    const struct judge_run *run;
    size_t n;
    struct drawn *drawn;             /* [n] */
    size_t *of_launch;               /* [run->n] which of them */
};

static void judging_init(struct judging *judging, const struct judge_run *run, bool draws_count)
{
    *judging = (struct judging){.run = run, .drawn = alloc_array(run->n, sizeof *judging->drawn),
                                .of_launch = alloc_array(run->n, sizeof *judging->of_launch)};
    for (size_t i = 0; i < run->n; i++) {
        const struct judge_draws *draws = draws_count ? &run->draws[i] : NULL;
        size_t at = 0;
        while (at < judging->n && draws && (judging->drawn[at].draws->seed != draws->seed ||
                                            judging->drawn[at].draws->first != draws->first))
            at++;
        if (at == judging->n)
            judging->drawn[judging->n++] = (struct drawn){.draws = draws};
        judging->drawn[at].launches++;
        judging->of_launch[i] = at;
    }
}

static void judging_free(struct judging *judging)
{
    free(judging->drawn);
    free(judging->of_launch);
}

/* The replications of a run are shared among what its launches drew. */
static uint32_t replications_of(const struct judge_request *request, const struct judging *judging)
{
    const uint32_t all = request->plan.exact, n = (uint32_t)judging->n, each = (all + n - 1) / n;
    return each >= REPLICATE_FIRST ? each : all < REPLICATE_FIRST ? all : REPLICATE_FIRST;
}

/* ---- predictions of one run ---- */

static const struct predict_mode distribution = {"distribution", MODE_distribution, false, NULL};

/* What the run is predicted on, and as what. */
struct asked {
    const struct machine *machine;
    const struct predict_mode *mode;
    const struct scale *scale;       /* NULL: none */
    uint32_t replications;
};

/* Predicts what some launches drew. What is wrong with it goes to `diags`; what a reader should know to `notes`, NULL: it has been
 * said. */
static enum status drawn_predict(const struct judge_request *request, const struct judge_run *run, const struct drawn *drawn,
                                 const struct asked *asked, struct statistics *time, struct note_list *notes,
                                 struct diags *diags)
{
    struct predict_request predict = judge_predict_request(request, run, drawn->draws, asked->machine, asked->mode);
    predict.scale = asked->scale;
    predict.plan.exact = asked->replications;
    struct predict_result result = {0};
    enum status status = predict_run(&predict, &result, diags);
    if (status == STATUS_OK)
        *time = result.rows[0].time;
    if (status == STATUS_OK && notes)
        note_list_add(notes, result.n_notes, result.notes, (size_t)(run - request->runs));
    predict_result_free(&result);
    return status;
}

/* Predicts all launches. */
static enum status run_predict(const struct judge_request *request, struct judging *judging, const struct machine *machine,
                               struct note_list *notes, struct diags *diags)
{
    const struct asked asked = {machine, &distribution, NULL, replications_of(request, judging)};
    enum status status = STATUS_OK;
    for (size_t i = 0; i < judging->n && status == STATUS_OK; i++)
        status = drawn_predict(request, judging->run, &judging->drawn[i], &asked, &judging->drawn[i].time, notes,
                               diags);
    return status;
}

/* The mean over launches of the mean run time, with something changed: what is to be said of the program has been said, but for
 * what makes this one fail. */
static enum status extra_predict(const struct judge_request *request, const struct judging *judging, const struct asked *asked,
                                 double *mean, struct diags *diags)
{
    enum status status = STATUS_OK;
    *mean = 0;
    for (size_t i = 0; i < judging->n && status == STATUS_OK; i++) {
        const struct drawn *drawn = &judging->drawn[i];
        struct diags unsaid = DIAGS_EMPTY;
        struct statistics time;
        status = drawn_predict(request, judging->run, drawn, asked, &time, NULL, &unsaid);
        diags_free(&unsaid);
        if (status != STATUS_OK && status != STATUS_INTERRUPTED)
            status = drawn_predict(request, judging->run, drawn, asked, &time, NULL, diags); /* now in the open */
        if (status == STATUS_OK)
            *mean += time.mean * (double)drawn->launches / (double)judging->run->n;
    }
    return status;
}

/* Of n values in ascending order. */
static double median_of(size_t n, const double values[])
{
    size_t middle = n / 2;
    return n % 2 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

static int compare_times(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The median over launches of their predicted medians. */
static double predicted_median(const struct judging *judging)
{
    const size_t n = judging->run->n;
    double *medians = alloc_array(n, sizeof *medians);
    for (size_t i = 0; i < n; i++)
        medians[i] = judging->drawn[judging->of_launch[i]].time.median;
    qsort(medians, n, sizeof *medians, compare_times);
    double median = median_of(n, medians);
    free(medians);
    return median;
}

static double predicted_mean(const struct judging *judging)
{
    double sum = 0;
    for (size_t i = 0; i < judging->n; i++)
        sum += judging->drawn[i].time.mean * (double)judging->drawn[i].launches;
    return sum / (double)judging->run->n;
}

/* Each launch lies in the interval of what it drew, or does not; that of the run reaches as far from its median as theirs from
 * theirs in the mean. */
static void interval_keep(const struct judging *judging, struct judged *judged, int when)
{
    const struct judge_run *run = judging->run;
    judged->low[when] = judged->high[when] = judged->predicted;
    judged->inside[when] = 0;
    for (size_t i = 0; i < run->n; i++) {
        const struct statistics *time = &judging->drawn[judging->of_launch[i]].time;
        judged->low[when] -= (time->median - time->p5) / (double)run->n;
        judged->high[when] += (time->p95 - time->median) / (double)run->n;
        judged->inside[when] += run->seconds[i] >= time->p5 && run->seconds[i] <= time->p95;
    }
}

/* Of the median of as many launches. */
static double median_sd(const struct judge_run *run, const struct judged *judged)
{
    const double sd = model_error_known(judged->low[BEFORE], judged->high[BEFORE]) / sqrt((double)run->n);
    return run->n > 2 ? sqrt(acos(-1) / 2) * sd : sd;
}

/* The time with free communication: in the mode `average`; or, where launches are held against what they drew, of that. */
static enum status serial_find(const struct judge_request *request, const struct judging *judging,
                               const struct machine *freed, struct judged *judged, struct diags *diags)
{
    static const struct predict_mode average = {"average", MODE_average, false, NULL};
    const struct asked asked = {freed, judged->drew ? &distribution : &average, NULL, 1};
    return extra_predict(request, judging, &asked, &judged->serial, diags);
}

/* What communication adds: communication that takes f times as long is computation that takes 1/f, on a clock that is f
 * times slower (calibration.h, which does the same in a prediction, with as many replications). */
static enum status added_find(const struct judge_request *request, const struct judging *judging,
                              const struct machine *plain, struct judged *judged, struct diags *diags)
{
    const double f = MODEL_ERROR_STRETCH;
    struct scale scale = SCALE_NONE;
    double stretched;
    scale.serial = 1 / f;
    const uint32_t replications = request->plan.exact < REPLICATE_FIRST ? request->plan.exact : REPLICATE_FIRST;
    const struct asked asked = {plain, &distribution, &scale, replications};
    enum status status = extra_predict(request, judging, &asked, &stretched, diags);
    if (status == STATUS_OK)
        judged->added = fmax(0, (f * stretched - predicted_mean(judging)) / (f - 1));
    return status;
}

/* What is known without the model error. */
static enum status run_judge(const struct judge_request *request, const struct judge_run *run,
                             const struct machine *plain, const struct machine *freed, struct judged *judged,
                             struct note_list *notes, struct diags *diags)
{
    struct judging judging;
    size_t said = diags->n;
    judged->drew = judge_draws_count(request, run);
    judging_init(&judging, run, judged->drew);
    enum status status = run_predict(request, &judging, plain, notes, diags);
    if (status == STATUS_OK && !((judged->predicted = predicted_median(&judging)) > 0)) {
        diag_error(diags, run->place,
                   "%s on %d processes is predicted to take no time: how wrong that is cannot be told", run->program,
                   run->at.numprocs);
        status = STATUS_RANGE;
    }
    if (status == STATUS_OK)
        status = serial_find(request, &judging, freed, judged, diags);
    if (status == STATUS_OK)
        status = added_find(request, &judging, plain, judged, diags);
    if (diags->n > said)
        diag_note(diags, run->place, "needed for this run");
    if (status == STATUS_OK) {
        judged->measured = median_of(run->n, run->seconds);
        interval_keep(&judging, judged, BEFORE);
        judged->known = median_sd(run, judged);
    }
    judging_free(&judging);
    return status;
}

struct model_error_point judged_point(const struct judged *judged)
{
    return (struct model_error_point){.error = judged->measured - judged->predicted, .time = judged->predicted,
                                      .communication = judged->added,
                                      .computation = judged->serial,
                                      .known = judged->known};
}

static struct machine_model_error estimate(size_t n, const struct judged runs[], bool by_chance)
{
    struct model_error_point *points = alloc_array(n, sizeof *points);
    for (size_t i = 0; i < n; i++)
        points[i] = judged_point(&runs[i]);
    struct machine_model_error found = model_error_estimate(n, points, by_chance);
    free(points);
    return found;
}

/* The intervals that predictions have with the error that was found. */
static enum status judge_again(const struct judge_request *request, struct judge_result *result, struct diags *diags)
{
    struct machine informed = *request->machine;
    informed.has_model_error = true;
    informed.model_error = result->found;
    enum status status = STATUS_OK;
    for (size_t i = 0; i < result->n && status == STATUS_OK; i++) {
        struct judging judging;
        judging_init(&judging, &request->runs[result->runs[i].run], result->runs[i].drew);
        status = run_predict(request, &judging, &informed, NULL, diags);
        if (status == STATUS_OK)
            interval_keep(&judging, &result->runs[i], AFTER);
        judging_free(&judging);
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
        enum status status = run_judge(request, &request->runs[i], &plain, &freed.machine, judged,
                                       &result->notes, diags);
        result->n += status == STATUS_OK;
        if (status_exit_code(status) > status_exit_code(worst))
            worst = status;
    }
    free_machine_end(&freed);
    if (worst != STATUS_OK &&
        (!request->leaves_out || worst == STATUS_INTERRUPTED || result->n < MODEL_ERROR_RUNS_LEAST))
        return worst;
    result->found = estimate(result->n, result->runs, request->by_chance);
    worst = judge_again(request, result, diags);
    count_all(request, result);
    return worst;
}

void judge_result_free(struct judge_result *result)
{
    free(result->runs);
    note_list_free(&result->notes);
    *result = (struct judge_result){0};
}
