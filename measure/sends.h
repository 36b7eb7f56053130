/* sends.h - blocking sends behind one another, as long as hosts take them: when each is over, and when it has come. And
 * what a host takes at once of a process that does not come back to MPI meanwhile.
 *
 * Pairs of nodes, the first with the last, the second with the last but one ..., which have sent each other nothing yet
 * where others were looked at before, all at the same time. */
#ifndef PEVPM_MEASURE_SENDS_H
#define PEVPM_MEASURE_SENDS_H

#include "estimate/samples.h"
#include "measure/job.h"

#include <stdint.h>

/* With whom the first process of a node exchanges messages: turn and the answer are places in the job's order
 * (job_turn). -1: with nobody, as processes of which turn is behind all nodes. */
int sends_partner(int turn, int nodes, int pairs);

/* At first each second process of a pair begins to send the first one twice `bytes`, in SENDS_PIECES messages, and
 * comes back to MPI when all of them could have come twice. drains: s that `most` bytes need to pass.
 *
 * Then each first process of a pair sends messages of `bytes` until it has sent `most` bytes in all, or has sent for so
 * many seconds; appended to `own` there, nothing on the other ranks: how many pieces had come before the other came
 * back, how many messages there were, and for each of them the call of the send, its return and the return of its
 * receive, global ns. Takes as long as the sends, and until what hosts hold then has come. pairs <= nodes / 2.
 * Collective over the job. */
enum { SENDS_PIECES = 16 };
void sends_run(const struct job *job, int pairs, int64_t bytes, int64_t most, double seconds, double drains,
               struct samples *own);

#endif
