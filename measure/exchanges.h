/* exchanges.h - two processes that send each other messages above the eager limit, again and again.
 *
 * Pairs of nodes, the first with the second, the third with the fourth ..., all at the same time: a rest, then
 * EXCHANGES calls of MPI_Sendrecv right behind one another. An exchange ends when both processes have left it. */
#ifndef PEVPM_MEASURE_EXCHANGES_H
#define PEVPM_MEASURE_EXCHANGES_H

#include "estimate/samples.h"
#include "measure/job.h"

#include <stdint.h>

enum { EXCHANGES = 8 };

/* How long a series takes at most if a message takes one_way s, s. */
double exchanges_duration(double one_way);

/* One series: by how many ns each exchange ended after the one before, the first after the start; appended to `own` on
 * the first process of each pair, nothing on the other ranks. pairs <= nodes / 2. Collective over the job. */
void exchanges_run(const struct job *job, int pairs, int64_t bytes, struct samples *own);

#endif
