/* fit_file.h - `pevpm-bench --fit`: a machine file with laws in place of histograms. */
#ifndef PEVPM_BENCH_FIT_FILE_H
#define PEVPM_BENCH_FIT_FILE_H

#include "bench/options.h"
#include "common/diag.h"
#include "common/status.h"

#include <stdio.h>

/* Reads options->fit, replaces each histogram by the law that fits it best where that is good (models/fit.h), writes
 * options->output, and prints what became of each to `table`: as text, or as csv. `minimum` and `average` stay what was
 * measured; a form that is no histogram stays as it is. No MPI. STATUS_IO, STATUS_SYNTAX, STATUS_SCHEMA. */
enum status fit_file(const struct bench_options *options, FILE *table, struct diags *diags);

#endif
