/* campaign.h - measures a machine: rest, eager limit, sizes, then every task of the plan, within the time there is.
 *
 * Rank 0 only, with the others in crew_follow. The result's file is rewritten after every block of tasks, so that
 * a job that is killed leaves a file that is whole and as full as it can be. */
#ifndef PEVPM_BENCH_CAMPAIGN_H
#define PEVPM_BENCH_CAMPAIGN_H

#include "bench/options.h"
#include "measure/crew.h"
#include "results/result.h"

/* What `result` holds already is kept and not measured again. STATUS_IO when the file cannot be written. */
enum status campaign_run(struct crew *crew, const struct bench_options *options, struct result *result,
                         struct diags *diags);

#endif
