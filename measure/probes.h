/* probes.h - sends whose receives come late: which of them wait? And messages whose senders compute: which of them wait
 * for that?
 *
 * In each of several groups of two processes the first sends a message to the last, all at the same moment, each of
 * another size. By MPI_Send to one that is in MPI now and then, or computes, and calls the receive some time after the send; or, where
 * the sender computes, by MPI_Isend to one that waits in MPI_Recv, and the sender is not in MPI for so long before it
 * waits. */
#ifndef PEVPM_MEASURE_PROBES_H
#define PEVPM_MEASURE_PROBES_H

#include "estimate/samples.h"
#include "measure/job.h"
#include "measure/pattern.h"

#include <stdbool.h>
#include <stdint.h>

enum probe_what {
    PROBE_receive_late,      /* the receiver is in MPI now and then, until it calls the receive */
    PROBE_receiver_computes, /* it is not in MPI before that */
    PROBE_sender_computes
};

struct probes {
    struct shape pair;  /* the groups; of each its first and its last process take part */
    int n;              /* groups, from the first on */
    int64_t low, high;  /* bytes: group i sends limit_size(low, high, i, n) */
    int64_t delay;      /* ns after the send at which the receive is called, or its sender waits */
    enum probe_what what;
};

/* Of each group its number and by how many ns the send returned before the receive was called, negative where it waited
 * for that; where the sender computes, by how many the receive was over before its sender waited. Appended to `own` by
 * the process that knows, nothing on the other ranks. Collective over the job. */
void probes_run(const struct job *job, const struct probes *probes, struct samples *own);

#endif
