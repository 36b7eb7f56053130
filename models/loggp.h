/* loggp.h - LogGP and LogP cost of one point-to-point message.
 *
 * Source: A. Alexandrov, M. F. Ionescu, K. E. Schauser, C. Scheiman, LogGP: Incorporating long messages into the LogP
 * model, SPAA 1995 (one overhead o there; o_s to send and o_r to receive here). With b = max(M, 1) - 1, the bytes after
 * the first:
 *     send overhead  o_s                     receive overhead  o_r
 *     out gap        max(g, o_s) + b G       in gap            max(g, o_r) + b G
 *     transit        L + o_s + o_r + b G
 * The parameters come from the first section the file has of loggp_hetero (by ordered pair of nodes; within a node the
 * diagonal), loggp, logp_hetero, logp (LogP: G = 0).
 *
 * LogP: D. Culler et al., LogP: Towards a realistic model of parallel computation, PPoPP 1993. G = 0: a message of any
 * size costs what a small one does (size_blind). Its parameters are those of logp_hetero or logp. */
#ifndef PEVPM_MODELS_LOGGP_H
#define PEVPM_MODELS_LOGGP_H

#include "models/cost.h"

/* STATUS_SCHEMA: the machine file has none of these sections. */
enum status loggp_model_open(struct cost_model **model, const struct machine *machine,
                             const struct cost_options *options, struct diags *diags);
enum status logp_model_open(struct cost_model **model, const struct machine *machine,
                            const struct cost_options *options, struct diags *diags);

#endif
