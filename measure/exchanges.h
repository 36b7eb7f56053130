/* exchanges.h - two processes that send each other messages above the eager limit, again and again.
 *
 * Pairs of nodes, the first with the second, the third with the fourth ..., all at the same time: a rest, then
 * EXCHANGES calls of MPI_Sendrecv right behind one another. An exchange ends when both processes have left it. */
#ifndef PEVPM_MEASURE_EXCHANGES_H
#define PEVPM_MEASURE_EXCHANGES_H

#include "estimate/samples.h"
#include "measure/job.h"

#include <stdbool.h>
#include <stdint.h>

enum { EXCHANGES = 8 };

/* How long a series takes at most if a message takes one_way s, s. */
double exchanges_duration(double one_way);

/* One series: by how many ns each exchange ended after the one before, the first after the start; appended to `own` on
 * the first process of each pair, nothing on the other ranks. pairs <= nodes / 2. Collective over the job. */
void exchanges_run(const struct job *job, int pairs, int64_t bytes, struct samples *own);

/* One exchange behind a short one, as programs have it that agree on something before they send it. One process of each pair, the
 * second if `second_is_late`, sleeps for `delay` ns before the short one; another short one has brought both there. */
struct exchanges_behind {
    int pairs;
    int64_t bytes, delay;
    bool second_is_late;
};

/* How long it takes at most, as above, s. */
double exchanges_behind_duration(int64_t delay, double one_way);

/* Two numbers a pair: for how long, ns, one of the two has waited in the second short one, and by how many ns the long one ended
 * after both had left that; appended as above, and collective. */
void exchanges_behind_run(const struct job *job, const struct exchanges_behind *behind, struct samples *own);

#endif
