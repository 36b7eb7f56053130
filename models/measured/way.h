/* way.h - what messages keep busy on their way by a measured model (models/measured.h): ports, trunks, what is within a node. Struct
 * cost_model has these. */
#ifndef PEVPM_MODELS_MEASURED_WAY_H
#define PEVPM_MODELS_MEASURED_WAY_H

#include "models/cost.h"
#include "models/machine.h"

void measured_ports_for(const struct cost_model *base, uint32_t pair_class, int64_t bytes, struct port_cost *cost);
struct node_ports measured_node_ports(const struct cost_model *base, int node);
int measured_path(const struct cost_model *base, enum transport transport, struct seat from, struct seat to,
                  struct path_hop hop[PATH_MOST]);
void measured_hop_for(const struct cost_model *base, int32_t resource, int64_t bytes, struct hop_cost *cost,
                      double *acknowledgements);
uint32_t measured_pair_class(const struct cost_model *base, enum transport transport, int from_node, int to_node);

/* What a byte on the wire takes of a resource, by the largest message; 0: its frames are not known, or that fills less than half
 * of one, of which what is beside its bytes may be most. */
double wire_byte(const struct machine_resource *of);

#endif
