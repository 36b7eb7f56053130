/* placement.h - how the job's ranks are on its nodes, in the terms of `-n nodes x ppn` and `--map`. */
#ifndef PEVPM_RUN_PLACEMENT_H
#define PEVPM_RUN_PLACEMENT_H

#include "common/diag.h"
#include "common/status.h"
#include "measure/job.h"
#include "run/options.h"
#include "sim/predict.h"

/* ppn is the largest number of processes on a node. STATUS_USAGE: they are placed neither block nor cyclic, or not as
 * `wanted`. */
enum status placement_find(const struct job *job, enum run_map wanted, struct placement *at, bool *cyclic,
                           struct diags *diags);

#endif
