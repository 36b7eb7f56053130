/* report.h - `pevpm-bench report`: a machine file as a table and as figures.
 *
 * The figures are those of D. A. Grove, P. D. Coddington, J. Supercomputing 2005, section 3:
 *   average-small, average-large   average transit against message size, a curve for each level n x p, and the least
 *                                  transit that the lowest level showed
 *   pdf-small, pdf-large           probability density of the transit for sizes at one level
 * `small` goes up to 1 KiB, `large` from there on. Drawn for one operation: the one with more entries. Those of the
 * file's models follow (report/models.h). */
#ifndef PEVPM_BENCH_REPORT_H
#define PEVPM_BENCH_REPORT_H

#include "bench/options.h"
#include "common/diag.h"
#include "common/status.h"

#include <stdio.h>

/* Reads options->report and prints the table to `out`: operation, pattern, level, size, samples where they are known,
 * least, median, mean, 99 % and greatest transit; a law has no greatest.
 * options->plot: draws all figures into one picture. options->output: each into a file of its own in that folder, .svg,
 * or with options->csv its curves as .csv, and the table as table.csv (outdir.h: whole or not at all).
 * options->send, isend, levels and sizes choose what is drawn: the operation, the levels of pdf-small and pdf-large,
 * the sizes of both.
 * No MPI. STATUS_IO, STATUS_SYNTAX, STATUS_SCHEMA; STATUS_RANGE: there is nothing to draw, or not what was chosen. */
enum status report_run(const struct bench_options *options, FILE *out, struct diags *diags);

#endif
