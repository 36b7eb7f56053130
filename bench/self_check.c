#include "bench/self_check.h"

#include "common/alloc.h"
#include "results/busy.h"
#include "results/residual.h"
#include "trial/trial.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Seeds of this and above are the bench's: whoever judges it takes smaller ones. */
static const uint64_t FIRST_SEED = 1000000000;
/* So many intervals from the median a program is badly wrong: intervals with the model error of other machines. That of this one,
 * which these programs have made, would be the wider the more wrong they are: of 132 files that have been judged 41 had such a
 * program by it, among them none of those whose programs were mostly wrong; 73 have one by that of others, mostly one or two of
 * some 27. By what runs differ alone all files would have, with half of their programs. */
static const double BADLY = 5;

/* Launches that are to be merged should not run the same programs: the second since 1970 in which this one began. */
static uint64_t seed_now(void)
{
    return FIRST_SEED + (uint64_t)time(NULL);
}

static int compare_errors(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void say_summary(const struct trial_result *trial)
{
    double *errors = alloc_array(trial->n, sizeof *errors);
    for (size_t i = 0; i < trial->n; i++)
        errors[i] = fabs(trial->judged.runs[i].predicted / trial->judged.runs[i].measured - 1);
    qsort(errors, trial->n, sizeof *errors, compare_errors);
    fprintf(stderr,
            "pevpm-bench: %zu programs made by chance: predictions are off by %.1f %% (median), %.1f %% (largest); "
            "their intervals now allow for %.0f %% of the time that communication adds (model_error)\n",
            trial->n, 100 * errors[trial->n / 2], 100 * errors[trial->n - 1],
            100 * trial->judged.found.communication);
    if (trial->n_left_out > 0)
        fprintf(stderr, "pevpm-bench: %zu more sent nothing, or took hardly any time, and do not count\n", trial->n_left_out);
    free(errors);
}

static double reach_elsewhere(const struct judged *judged)
{
    const struct machine_model_error elsewhere = model_error_elsewhere();
    const struct model_error_point point = judged_point(judged);
    return model_error_reach(&elsewhere, &point);
}

static bool is_badly_wrong(const struct judged *judged)
{
    return fabs(judged->measured - judged->predicted) > BADLY * reach_elsewhere(judged);
}

static void warn_of(const struct trial_result *trial, size_t i, struct diags *diags)
{
    const struct judged *judged = &trial->judged.runs[i];
    const struct placement at = trial->programs[i].at;
    const double reach = reach_elsewhere(judged);
    diag_warning(diags, place_of_file(NULL),
                 "a program on %d x %d processes took %.4g s, predicted %.4g s (%.4g to %.4g, as on other machines): something on "
                 "this machine is not in the file; run it again with `%s`",
                 at.nodes, at.ppn, judged->measured, judged->predicted,
                 fmax(0, judged->predicted - reach), judged->predicted + reach, trial->commands[i]);
}

static void result_fill(struct result *result, const struct trial_result *trial)
{
    residuals_forget(result);
    for (size_t i = 0; i < trial->n; i++) {
        const struct trial_program *program = &trial->programs[i];
        const struct model_error_point point = judged_point(&trial->judged.runs[i]);
        char *what = alloc_format("%s %llu on %dx%d", invent_kind_name(program->kind),
                                  (unsigned long long)program->seed, program->at.nodes, program->at.ppn);
        residual_note(result, what, trial->judged.runs[i].predicted, &point);
        free(what);
    }
}

/* Its index among them; errors->n where there is none from the i-th on. Warnings are of the file: who reads it is
 * told. */
static size_t next_error(const struct diags *errors, size_t i)
{
    while (i < errors->n && diag_severity(errors, i) != SEVERITY_ERROR)
        i++;
    return i;
}

/* What was found wrong with the file is no reason to lose it. */
static void warn_of_failure(struct diags *diags, const struct diags *errors, bool judged)
{
    const char *what = judged ? "a program made by chance was left out" : "the file was not judged";
    for (size_t i = next_error(errors, 0); i < errors->n; i = next_error(errors, i + 1))
        diag_warning(diags, place_of_file(NULL), "%s: %s", what, diag_message(errors, i));
    if (errors->n_errors == 0 && !judged)
        diag_warning(diags, place_of_file(NULL), "%s", what);
    if (!judged)
        diag_warning(diags, place_of_file(NULL),
                     "it is taken to be as wrong as those of other machines were (model_error)");
}

/* Why it is not judged stands in the file, too, which is taken to be as wrong as those of other machines. */
static enum status failure_note(struct result *result, const char *output, const struct diags *errors,
                                struct diags *diags)
{
    const size_t first = next_error(errors, 0);
    result_note(result, 0, "not_judged", "%s", first < errors->n ? diag_message(errors, first) : "predictions failed");
    residuals_forget(result);
    residuals_none(result);
    return result_write(result, output, diags);
}

enum status self_check(const struct job *job, const struct self_check *check, struct result *result,
                       struct diags *diags)
{
    struct trial_request request = {.job = job, .machine = check->output, .seconds = check->seconds, .seed = seed_now()};
    struct trial_result trial = {.n = 0};
    struct diags errors = DIAGS_EMPTY;
    enum status status = STATUS_OK;
    MPI_Bcast(&request.seed, 1, MPI_UINT64_T, 0, job->comm);
    const bool judged = trial_run(&request, &trial, &errors) == STATUS_OK;
    others_gather(check->others);
    if (job->rank == 0)
        busy_note(result, check->others, "programs made by chance");
    if (job->rank == 0 && !check->quiet)
        warn_of_failure(diags, &errors, judged);
    if (job->rank == 0 && !judged)
        status = failure_note(result, check->output, &errors, diags);
    if (trial.n > 0) {
        result_notes_drop(result, "not_judged");
        result_fill(result, &trial);
        status = result_write(result, check->output, diags);
        for (size_t i = 0; i < trial.n && !check->quiet; i++)
            if (is_badly_wrong(&trial.judged.runs[i]))
                warn_of(&trial, i, diags);
        if (!check->quiet)
            say_summary(&trial);
    }
    diags_free(&errors);
    trial_result_free(&trial);
    return status;
}
