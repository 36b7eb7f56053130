/* hockney.h - Hockney's cost of one point-to-point message.
 *
 * Source: R. W. Hockney, The communication challenge for MPP: Intel Paragon and Meiko CS-2, Parallel Computing 20,
 * 1994.
 *     T(M) = alpha + beta M        alpha: latency, s; beta: time per byte, s/byte
 * transit = out gap = T(M): the sender's port is busy for the whole transfer, so its sends follow one another; in gap
 * and overheads are 0. With `models: hockney_hetero` alpha and beta are those of the ordered pair of nodes (within a
 * node the diagonal), else those of `models: hockney`. */
#ifndef PEVPM_MODELS_HOCKNEY_H
#define PEVPM_MODELS_HOCKNEY_H

#include "models/cost.h"

/* STATUS_SCHEMA: the machine file has neither section. */
enum status hockney_model_open(struct cost_model **model, const struct machine *machine,
                               const struct cost_options *options, struct diags *diags);

#endif
