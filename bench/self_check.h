/* self_check.h - the bench judges the file that it has written, by programs made by chance (trial/trial.h): what each
 * prediction was off by goes into the provenance (residual.h), and the file gets a model_error. */
#ifndef PEVPM_BENCH_SELF_CHECK_H
#define PEVPM_BENCH_SELF_CHECK_H

#include "measure/job.h"
#include "measure/others.h"
#include "results/result.h"

#include <stdbool.h>

struct self_check {
    const char *output;        /* the machine file */
    double seconds;            /* for programs and their predictions */
    bool quiet;                /* no warnings of programs, no summary on standard error */
    struct others *others;     /* how busy the machines are with other work meanwhile is noted, too (busy.h) */
};

/* Collective, after the campaign; `result` (rank 0) is what the file holds. A program that was off by more than five
 * times the interval that it would have on other machines is a warning with the line that runs it again. STATUS_IO: the file cannot be written; else
 * STATUS_OK, and where programs could not be judged the file gets the model_error of other machines, and a warning says
 * why. */
enum status self_check(const struct job *job, const struct self_check *check, struct result *result,
                       struct diags *diags);

#endif
