/* topology.h - the groups of a job's nodes that a file of switches says, in place of those that measuring would
 * find. */
#ifndef PEVPM_BENCH_TOPOLOGY_H
#define PEVPM_BENCH_TOPOLOGY_H

#include "bench/options.h"
#include "measure/crew.h"
#include "results/result.h"

/* Reads options->topology (switches.h), where it is given: nodes at one switch are a group, and the provenance says so.
 * Where all nodes are at one, or each is at one of its own, which its port cannot be told from, there are no groups. A
 * file to go on with (--resume) keeps its groups, and must have the same. members: one for each place.
 *
 * Statuses of switches_read; STATUS_NAME: a host is at no switch; STATUS_SCHEMA: other groups in the file to go on
 * with. Warns where trunks between higher switches are not told apart. */
enum status topology_take(struct result *result, const struct job *job, const struct crew_member members[],
                          const struct bench_options *options, struct diags *diags);

#endif
