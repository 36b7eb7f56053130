/* steps.h - messages that wait for one another, step by step, as in an Allreduce.
 *
 * In each step every process sends a message of 0 bytes to the one `distance` after it and waits for that of the one
 * `distance` before it; distances are 1, 2, 4 ... and begin again. The first step begins at one moment of the global
 * clock: processes that wake for it have more to do than messages, so it is counted apart. So few follow that an idle
 * port passes them all at once. */
#ifndef PEVPM_MEASURE_STEPS_H
#define PEVPM_MEASURE_STEPS_H

#include "estimate/samples.h"
#include "measure/job.h"

#include <stdint.h>

enum { STEPS = 4 }; /* with the first one */

/* How long n repetitions take, s: longer where more ranks share a core, so that all have been through their steps, and
 * have rested, before the next begins. */
double steps_duration(const struct job *job, int n, int64_t rest);

enum steps_wanted {
    STEPS_FIRST, /* how long after the moment the first step is over */
    STEPS_LATER  /* what each of the others takes on average */
};

/* Of the first process on each of the job's first `nodes` nodes, at least 2: ns, one number of each of n repetitions,
 * `rest` ns apart; appended to `own`, nothing on the other ranks. Collective over the job. */
void steps_run(const struct job *job, int nodes, enum steps_wanted wanted, int n, int64_t rest, struct samples *own);

#endif
