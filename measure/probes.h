/* probes.h - sends whose receives come late: which of them wait?
 *
 * In each of several groups of two processes the first sends a message to the last by MPI_Send, all at the same moment,
 * each of another size. The last is in MPI now and then and calls the receive some time after the send. */
#ifndef PEVPM_MEASURE_PROBES_H
#define PEVPM_MEASURE_PROBES_H

#include "estimate/samples.h"
#include "measure/job.h"
#include "measure/pattern.h"

#include <stdint.h>

struct probes {
    struct shape pair;  /* the groups; of each its first and its last process take part */
    int n;              /* groups, from the first on */
    int64_t low, high;  /* bytes: group i sends limit_size(low, high, i, n) */
    int64_t delay;      /* ns after the send at which the receive is called */
};

/* Each sender's number and by how many ns its call returned before the receive was called, negative where it waited for
 * that; appended to `own`, nothing on the other ranks. Collective over the job. */
void probes_run(const struct job *job, const struct probes *probes, struct samples *own);

#endif
