/* runs.h - RUNS.csv of `pevpm-sim judge`: measured runs of annotated programs.
 *
 *     program,params,numprocs,seconds
 *     jacobi.c,size=1024 work=0.01,16,0.865365
 *
 * The columns may stand in any order and others beside them; a field may stand in double quotes. `program` is a file,
 * as seen from the current folder or else from that of RUNS.csv; `params` are NAME=NUMBER, spaces between; seconds may
 * carry a unit. Columns `nodes` and `ppn` say where processes were; one implies the other, and where a line has neither
 * there was one process on a node. Where `seed`, `launch` and `run` say it as pevpm-run does, it is known what computations
 * drew: run k of launch l what replication (l - 1) R + k of the seed draws, R runs a launch. `runs` is R; without it R is what
 * the last run of each launch says. Blank lines and lines that start with # are skipped. Lines of the same program, params,
 * numprocs, nodes and ppn are launches of one run. */
#ifndef PEVPM_CLI_RUNS_H
#define PEVPM_CLI_RUNS_H

#include "sim/judge.h"

struct runs {
    struct source *text;       /* RUNS.csv */
    size_t n, capacity;
    struct judge_run *runs;    /* [n] in the order of their first lines */
    size_t n_programs, programs_capacity;
    struct source **programs;
};

/* Zero-initialise before; the caller ends it with runs_free whatever was returned. All errors are reported, with line
 * and column. STATUS_IO: RUNS.csv cannot be read. STATUS_SCHEMA: a column is missing, a field is not what it should be,
 * a program is not there, or there are fewer runs than a model error takes. */
enum status runs_read(struct runs *runs, const char *path, struct diags *diags);

/* The same of profiles, as `pevpm-run --profile-output` writes them: of each run the time in each directive, and as its
 * one launch the mean run time, which tells profiles of the same launch apart. At least one run. */
enum status runs_read_profiles(struct runs *runs, const char *path, struct diags *diags);

void runs_free(struct runs *runs);

#endif
