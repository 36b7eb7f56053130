/* analytical.h - what the analytical models share: a cost_model whose costs are numbers, not distributions.
 *
 * No levels; gaps act per process under every contention rule but none; credits are 0; messages within a node cost by
 * the same formula (under a heterogeneous model with the node's own diagonal entry) but use no port; the transit of a
 * message to oneself is the send overhead and the receive overhead. Modes do not matter. */
#ifndef PEVPM_MODELS_ANALYTICAL_H
#define PEVPM_MODELS_ANALYTICAL_H

#include "models/cost.h"
#include "models/model_list.h"

/* The five costs of one message, in seconds. */
struct analytical_cost {
    double send_overhead, out_gap, transit, in_gap, receive_overhead;
};

/* The costs of `bytes` from node i to node j of the `n_nodes` that the parameters tell apart (both 0 where n_nodes is
 * 1). */
typedef struct analytical_cost analytical_formula(const struct machine *machine, uint32_t i, uint32_t j, int64_t bytes);

/* hockney_model_open, logp_model_open, ...: each in its file on the shelf, with its formula and its source. STATUS_SCHEMA:
 * the machine file has not the model's parameters, or those that LMO cannot have. */
#define X(name, given, formula)                                                                                   \
    enum status name##_model_open(struct cost_model **model, const struct machine *machine,                        \
                                  const struct cost_options *options, struct diags *diags);
ANALYTICAL_LIST(X)
#undef X

/* The model, ended with its close. n_nodes <= 65534. */
struct cost_model *analytical_create(const char *name, analytical_formula *formula, uint32_t n_nodes,
                                     const struct machine *machine, const struct cost_options *options);

/* Has the file parameters of any of them? */
bool analytical_is_known(const struct machine *machine);

/* The error of a model whose section is missing: STATUS_SCHEMA. */
enum status analytical_missing(const struct machine *machine, const char *section, struct diags *diags);

/* A note when a run with several processes on a node would send messages within it for nothing, because the diagonal is
 * 0. */
void analytical_note_diagonal(const struct cost_model *model, const struct machine *machine,
                              const struct cost_options *options, struct diags *diags);

#endif
