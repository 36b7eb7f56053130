/* judge.h - `pevpm-sim judge`: how far predictions on a machine are from measured runs. */
#ifndef PEVPM_CLI_JUDGE_H
#define PEVPM_CLI_JUDGE_H

#include "cli/options.h"
#include "sim/spread.h"

#include <stdio.h>

/* Predicts the runs of options->program, a RUNS.csv, writes the table to `out`, and the machine file with what was
 * found to options->output where that is given. Under a launcher all ranks call it; rank 0 writes.
 * STATUS_USAGE: no machine file; else as runs_read, machine_read and judge_measured return. */
enum status judge_command(const struct options *options, const struct spread *spread, FILE *out, struct diags *diags);

#endif
