/* machine_convert.h - what a machine file says of ports, as resources, whatever its format.
 *
 * Format 1 has `ports`: of each node (or process) a port out and a port in. They are two resources with that scope,
 * and what all nodes have in common is a third:
 *
 *     out   demand out_gap, acknowledgements reverse_gap, credit, frame
 *     in    demand in_gap, likewise, with buffer and overflow
 *     all   demand common_gap
 *
 * Nodes that `per_node` tells apart have their own; those of equal ports share one line. */
#ifndef PEVPM_MODELS_MACHINE_CONVERT_H
#define PEVPM_MODELS_MACHINE_CONVERT_H

#include "models/machine.h"
#include "models/machine_source.h"

/* The resources of a machine. Curves and distributions are the machine's, which must outlive the list. */
struct resource_list {
    size_t n;
    struct machine_resource *of; /* [n] */
};

void resource_list_init(struct resource_list *list, const struct machine *machine);
void resource_list_free(struct resource_list *list);

/* Rewrites a machine of format 1 as one of format 2; one of format 2 stays. What `source` knows of its numbers and
 * distributions it then knows of where they are. */
void machine_convert(struct machine *machine, struct machine_source *source);

#endif
