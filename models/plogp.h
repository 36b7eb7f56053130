/* plogp.h - PLogP cost of one point-to-point message.
 *
 * Source: T. Kielmann, H. E. Bal, K. Verstoep, Fast measurement of LogP parameters for message passing platforms, IPDPS
 * 2000 workshops. Overheads and gap are piecewise linear functions of the size (machine_curve_at); the gap covers them:
 *     send overhead  o_s(M)        receive overhead  o_r(M)
 *     out gap, in gap  g(M)        transit  L + g(M)
 * The parameters are those of plogp_hetero (by ordered pair of nodes; within a node the diagonal, where nothing is no
 * time at all) or plogp. */
#ifndef PEVPM_MODELS_PLOGP_H
#define PEVPM_MODELS_PLOGP_H

#include "models/cost.h"

/* STATUS_SCHEMA: the machine file has neither section. */
enum status plogp_model_open(struct cost_model **model, const struct machine *machine,
                             const struct cost_options *options, struct diags *diags);

#endif
