/* lmo.h - LMO cost of one point-to-point message.
 *
 * Source: A. Lastovetsky, V. Rychkov, Accurate and efficient estimation of parameters of heterogeneous communication
 * performance models, IJHPCA 23(2), 2009, section 5. A message of M bytes from processor i to processor j takes
 *     C_i + t_i M + C_j + t_j M + M / beta_ij
 * C: fixed processing delay, s; t: processing delay per byte, s/byte; beta: transmission rate, bytes/s. The processors'
 * parts serialise what one of them sends or receives, the network's does not:
 *     send overhead, out gap   C_i + t_i M        receive overhead, in gap   C_j + t_j M
 * But where ports limit the nodes (port_limited) t is the time of a port, which sends and receives at once while its
 * processor does something else: then the overheads are C_i and C_j, and the gaps and the whole stay.
 * The parameters are those of `models: lmo`, by node or the same for all. Within a node the network's part is that of
 * the diagonal, 0 where there is none. 1/beta may be negative (port_limited): only sums with t are then of meaning. */
#ifndef PEVPM_MODELS_LMO_H
#define PEVPM_MODELS_LMO_H

#include "models/machine.h"

/* C, t of a node and 1/beta of an ordered pair, of which lmo->n are told apart: others are these taken round robin. */
double lmo_C(const struct machine_lmo *lmo, int node);
double lmo_t(const struct machine_lmo *lmo, int node);
double lmo_inverse_beta(const struct machine_lmo *lmo, int from_node, int to_node);

#endif
