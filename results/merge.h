/* merge.h - several launches of the job as one machine file.
 *
 * A launch is a factor of its own: what it settles (which cores, which connections, where in memory) stays for all that
 * it measures, so the spread between launches is not in any single file. Histograms of the same point are added, count
 * by count; gaps, credit, buffer, what trunks and buses are kept busy for and what rests delay become the median over
 * the launches, all but the buffer with half the 95 % confidence interval; gaps of acknowledgements the least, of which
 * nobody knows how far it is off; and every point keeps how much its median differs from launch to launch. A node has a
 * bus where most launches found one. A `model_error` is left out with a warning: it was found with another
 * calibration. */
#ifndef PEVPM_RESULTS_MERGE_H
#define PEVPM_RESULTS_MERGE_H

#include "results/result.h"

/* Merges n >= 2 results that result_read gave; the paths are for diagnostics. *merged is initialised here and freed by
 * the caller whatever was returned. STATUS_SCHEMA: two hold the same samples, as a file that is named twice, a copy, or
 * what a file was before measuring went on with it; or another number of nodes or processes, another eager limit, other
 * classes of nodes, other groups behind trunks, other bins, or messages within a node measured otherwise. Another name
 * is a warning; the first one's stays. So is a file that holds several launches already: it counts as one. */
enum status merge_results(size_t n, const struct result results[], const char *const paths[], struct result *merged,
                          struct diags *diags);

/* Half the 95 % confidence interval of the mean of n >= 2 values by Student's t: t(n - 1) s / sqrt(n). */
double merge_ci95(size_t n, const double values[]);

/* Reads the files `paths`, merges them, writes `output`. No MPI. STATUS_IO, STATUS_SYNTAX, STATUS_SCHEMA. */
enum status merge_files(size_t n, const char *const paths[], const char *output, struct diags *diags);

#endif
