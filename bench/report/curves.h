/* curves.h - the figures of a machine file: which entries and sizes, and their curves, then those of its models. */
#ifndef PEVPM_BENCH_REPORT_CURVES_H
#define PEVPM_BENCH_REPORT_CURVES_H

#include "bench/options.h"
#include "bench/report/figure.h"
#include "bench/report/models.h"
#include "models/machine_source.h"

/* The largest size of the figures of small messages: that of the paper's Figures 1 and 3. */
#define REPORT_SMALL_MOST 1024

enum { REPORT_TRANSITS = 4, REPORT_FIGURES = REPORT_TRANSITS + REPORT_MODEL_FIGURES };

/* What is drawn of a machine. */
struct report_choice {
    const struct machine *machine;
    const struct machine_source *source;
    const struct bench_options *options; /* send, isend, levels, sizes */
};

/* Fills *n <= REPORT_FIGURES figures, those that have anything to show; the caller ends them with figure_free.
 * STATUS_RANGE: a level or size that options name is not in the file, or there is nothing to draw. */
enum status report_figures(const struct report_choice *choice, struct figure figures[REPORT_FIGURES], size_t *n,
                           struct diags *diags);

/* Samples behind a distribution; 0: not known. */
double report_samples(const struct machine_source *source, const struct distribution *d);

/* P(T <= t). */
double report_share_below(const struct distribution *d, double t);

#endif
