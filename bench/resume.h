/* resume.h - is a file that --resume names one of this machine and this job? */
#ifndef PEVPM_BENCH_RESUME_H
#define PEVPM_BENCH_RESUME_H

#include "bench/options.h"
#include "measure/crew.h"
#include "results/result.h"

/* Name, nodes, processes per node, hosts (members: one for each place), bins, and how messages within a node are
 * measured. STATUS_SCHEMA, with what the file has and what the job. The eager limit is compared when it has been
 * measured (campaign_resume). */
enum status resume_check(const struct result *result, const struct job *job, const struct crew_member members[],
                         const struct bench_options *options, struct diags *diags);

#endif
