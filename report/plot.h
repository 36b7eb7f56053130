/* plot.h - predictions as a picture: speedup against processes, drawn by gnuplot.
 *
 * One curve for each model, mode, set of parameters and number of processes per node (solid for one per node, dashed
 * for more), the line of ideal speedup, the measured points, and bars from the 5 % to the 95 % quantile for the mode
 * `distribution`. Without a base for speedups the run time is drawn. */
#ifndef PEVPM_REPORT_PLOT_H
#define PEVPM_REPORT_PLOT_H

#include "common/diag.h"
#include "common/status.h"
#include "report/measurements.h"
#include "sim/predict.h"

#include <stdio.h>

/* Draws into a file whose ending (.svg, .png, .pdf) says the form. measured: NULL = none. The file appears whole or not
 * at all. STATUS_IO: there is no gnuplot, gnuplot fails (its own words are quoted), or the file cannot be written. */
enum status plot_write(const char *path, const struct predict_request *request, const struct predict_result *result,
                       const struct measurements *measured, struct diags *diags);

/* The gnuplot commands that draw it; `ending` is ".svg", ".png" or ".pdf". No user text is left unquoted. */
void plot_write_script(FILE *out, const char *ending, const struct predict_request *request,
                       const struct predict_result *result, const struct measurements *measured);

#endif
