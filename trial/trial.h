/* trial.h - programs made by chance, run by the processes that have measured a machine and predicted from its file: how
 * wrong is it?
 *
 * Programs of all kinds (invent/invent.h), in turn on half as many nodes and half as many again as the job has, with
 * one process on each and with as many as the job has on each. Their parameters are set to what messages cost on this
 * machine, and the time of a run to TRIAL_RUN s, less where there is little time or where messages are so fast that
 * predicting them would take longer than the run. What sends nothing, or takes less than a fiftieth of that, tells
 * nothing of messages and is left out, and counted: parts of a communicator that are one process each, say. So is what
 * is predicted to take more than twice as long, in whose time two others tell more, and what takes long to predict; of
 * these there is no count. Each is run once (run/measure.h); where
 * ranks share cores computations are slept through. Then rank 0 predicts all of them, with the numbers that the runs
 * drew (sim/judge.h). Units: seconds. */
#ifndef PEVPM_TRIAL_TRIAL_H
#define PEVPM_TRIAL_TRIAL_H

#include "invent/invent.h"
#include "measure/job.h"
#include "sim/judge.h"

#include <stddef.h>
#include <stdint.h>

#define TRIAL_RUN 0.5

struct trial_request {
    const struct job *job;         /* at least two places */
    const char *machine;           /* the machine file; rank 0 reads it */
    double seconds;                /* for runs and predictions; MODEL_ERROR_RUNS_LEAST there are whatever it is */
    uint64_t seed;                 /* of the first programs; the kinds' next ones have the seeds after it */
};

struct trial_program {
    enum invent_kind kind;
    uint64_t seed;
    struct placement at;
    double seconds;                /* measured */
};

/* On rank 0; elsewhere n is 0. All that was predicted in time. */
struct trial_result {
    size_t n;
    struct trial_program *programs; /* [n] */
    char **commands;               /* [n] the line that runs it again */
    size_t n_left_out;             /* that send nothing, or took hardly any time */
    struct judge_result judged;    /* .runs [n]; what `found` says is of these alone */
};

/* Collective over the job. The caller ends *result with trial_result_free whatever was returned. STATUS_OK: programs
 * that cannot be predicted were left out, their errors are in `diags` of rank 0; else the file cannot be read, or fewer
 * than MODEL_ERROR_RUNS_LEAST programs could be run and predicted: so are these. The same on all ranks. */
enum status trial_run(const struct trial_request *request, struct trial_result *result, struct diags *diags);
void trial_result_free(struct trial_result *result);

#endif
