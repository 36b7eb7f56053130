/* topology.h - the groups of a job's nodes, and groups of these, that a file of switches says, in place of those that measuring
 * would find. */
#ifndef PEVPM_BENCH_TOPOLOGY_H
#define PEVPM_BENCH_TOPOLOGY_H

#include "bench/options.h"
#include "measure/crew.h"
#include "results/result.h"

/* Reads options->topology (switches.h), where it is given: the result has the groups of switches_groups, and the provenance says
 * so. A file to go on with (--resume) keeps its groups, and must have the same. members: one for each place.
 *
 * Statuses of switches_read; STATUS_NAME: a host is at no switch; STATUS_SCHEMA: other groups in the file to go on
 * with. */
enum status topology_take(struct result *result, const struct job *job, const struct crew_member members[],
                          const struct bench_options *options, struct diags *diags);

#endif
