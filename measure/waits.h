/* waits.h - how long short messages wait at a port that others keep full.
 *
 * Some processes send one message after another to one receiver, so TCP fills its port's buffer until it loses frames.
 * A further one, the prober, sends it short messages meanwhile: each stands behind what the port holds then, and is as
 * late as that takes. */
#ifndef PEVPM_MEASURE_WAITS_H
#define PEVPM_MEASURE_WAITS_H

#include "estimate/samples.h"
#include "measure/job.h"

#include <stdint.h>

/* More senders fill a port sooner, and what their hosts still hold at the end must pass it. */
enum { WAITS_SENDERS = 6 };

struct waits {
    int receiver, prober;       /* turns (job_turn) */
    int senders[WAITS_SENDERS], n_senders;
    int64_t bytes;              /* of a sender's message */
    int64_t spacing;            /* ns from one short message to the next */
    double seconds;             /* that all send */
};

/* How long the run should take but for what hosts hold at its end, s. */
double waits_duration(const struct waits *waits);

/* Appended to `own` at the prober, nothing on the other ranks, WAITS_EACH for each short message: when it was sent
 * and when it had come, when tcp_losses was called last before, global ns, and what it said. Some come before
 * the senders begin. Collective over the job. */
enum { WAITS_EACH = 4 };
void waits_run(const struct job *job, const struct waits *waits, struct samples *own);

#endif
