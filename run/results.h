/* results.h - what pevpm-run writes: the runs as csv or text, and the time in each directive. */
#ifndef PEVPM_RUN_RESULTS_H
#define PEVPM_RUN_RESULTS_H

#include "engine/ledger.h"
#include "run/measure.h"
#include "run/options.h"

#include <stdio.h>

struct results {
    const struct run_options *options;
    const char *name;          /* the program's */
    const struct program *program;
    const struct measured *measured;
    struct placement at;
    bool cyclic;
    const double *spent;       /* with a profile: [numprocs][n_sites] s, over all runs; else NULL */
};

/* program,params,numprocs,nodes,ppn,launch,run,runs,seed,seconds, and behind them region_NAME_max_s,region_NAME_mean_s
 * for each Region: a line for each run, to options->output; `runs`: what -r is, where fewer are there too. With --append
 * behind what that holds, whose first line must be the same, or have no `runs`, which these lines then have not either.
 * STATUS_IO, STATUS_SCHEMA. */
enum status results_store(const struct results *results, struct diags *diags);

/* Before the work: whether the runs of the program, and their profile, can be stored. */
enum status results_try(const struct run_options *options, const struct tree *tree, struct diags *diags);

/* The runs as a person reads them; with a profile without a file of its own the time in each directive. */
void results_print(const struct results *results, FILE *out);

/* The profile as csv, to options->profile_output: the columns of `pevpm-sim --profile`, then `program`, and `launch`
 * and `seed`, which with `replications` say what computations drew. What a run
 * cannot know stays empty: of the losses it has `computation_s` of Serial lines, and `end_imbalance_s`. A row for each
 * directive (mean over processes), for each directive and process, and for each process. With --append
 * behind what is there, whose first line must be the same. STATUS_IO, STATUS_SCHEMA. */
enum status results_store_profile(const struct results *results, struct diags *diags);

#endif
