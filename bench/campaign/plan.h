/* plan.h - which tasks a campaign has, in the order of measuring, with what each should cost. */
#ifndef PEVPM_BENCH_CAMPAIGN_PLAN_H
#define PEVPM_BENCH_CAMPAIGN_PLAN_H

#include "bench/state.h"

/* Into c->tasks. Takes the job's nodes and processes, the options, and what has been found: sizes, eager limits,
 * classes, groups, rest. No MPI. */
void campaign_plan(struct campaign *c);

#endif
