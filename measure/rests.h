/* rests.h - how much later a message comes whose processes have not communicated for a while.
 *
 * Two processes, the first of the first and of the last node, rest for as long; then three messages of 8 bytes go from
 * the one to the other and back without pause. The second process is in its receive a little before the first sends.
 * The first message ends the rest, the third is in the midst of communication, and what the first takes longer is
 *
 *     (s3 - s1) - (r3 - r1)
 *
 * where s_j is when the one called its j-th send and r_j when the other's j-th receive returned: differences on each
 * one's own clock, so it does not matter by how much the clocks differ. */
#ifndef PEVPM_MEASURE_RESTS_H
#define PEVPM_MEASURE_RESTS_H

#include "estimate/samples.h"
#include "measure/job.h"

#include <stdint.h>

/* How long n such rests take, s. */
double rests_duration(int n, int64_t rest);

/* After each of n rests of `rest` ns: by how many ns the first message came later than the third (also negative);
 * appended to `own` on the rank that sends, nothing on the other ranks, which sleep meanwhile. At least 2 nodes.
 * Collective over the job. */
void rests_run(const struct job *job, int n, int64_t rest, struct samples *own);

#endif
