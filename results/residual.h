/* residual.h - by how much predictions were off from runs that were measured with the machine: lines of its provenance.
 *
 *     judged:
 *       "farm 1766410021 on 8x1": off by 0.0132 s of 0.9127 s, 0.3120 s of it computation, 0.0041 s to be expected, 0.7105 s added by communication
 *
 * error = measured - predicted, of what was predicted; what is to be expected is the standard deviation that the
 * prediction had; computation, this and what communication adds are S, k and C of model_error.h. Lines of older files
 * do not say what communication adds: it is taken to be the rest of the time. The file's model_error is what these
 * lines say, so that --merge, which keeps those of all its files, has the model_error of all of them. Units:
 * seconds. */
#ifndef PEVPM_RESULTS_RESIDUAL_H
#define PEVPM_RESULTS_RESIDUAL_H

#include "results/result.h"
#include "sim/model_error.h"

#include <stddef.h>

#define NOTE_JUDGED "judged"

/* Adds a line, of a prediction of so many seconds. `what` tells it from the others. */
void residual_note(struct result *result, const char *what, double predicted, const struct model_error_point *point);

/* Says that no program could be judged, so that the model error is that of other machines (model_error_elsewhere). A
 * line of the same heading, which counts no more as soon as there are enough others. */
void residuals_none(struct result *result);

/* Forgets all lines: the calibration is another one now. */
void residuals_forget(struct result *result);

/* Adds the lines of another. */
void residuals_merge(struct result *merged, const struct result *from);

/* How many lines cannot be read, and so do not count: a person has written there. */
size_t residuals_unread(const struct result *result);

/* What all lines say. Where fewer than MODEL_ERROR_RUNS_LEAST can be read that is nothing, and false; but what other
 * machines say after residuals_none. */
bool residuals_model_error(const struct result *result, struct machine_model_error *error);

#endif
