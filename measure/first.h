/* first.h - the first messages between processes, one on each node, which nobody has sent anything before: what making
 * their connections takes.
 *
 * Rank 0 sends orders, one process at a time, and hears when they are done, so that only its own connections are made
 * by that. No clocks are compared: every time is one process's own. What is measured, with empty messages:
 *
 *   listens    rank 0's round trip to a process that nobody has sent anything yet, which waits for it
 *   messages   a pair's round trip, the second process waiting
 *   late       a pair whose second process computes until the first has sent: what its receive lasts; calls: what the
 *              first one's MPI_Isend does
 *   at once    all pairs of a part of the processes exchange a message, until rank 0 has heard of all
 *
 * each once and then again, over the connections that there are now; estimate/machine/connect_fit.h takes the differences. */
#ifndef PEVPM_MEASURE_FIRST_H
#define PEVPM_MEASURE_FIRST_H

#include "estimate/machine/connect_fit.h"

#include <mpi.h>

/* Before anything else is sent. Collective over `comm`; on rank 0 the samples, which begin empty, are filled. Takes
 * about a second at most; nothing with fewer than four nodes. Nodes are told apart by MPI_Get_processor_name. */
void first_run(MPI_Comm comm, struct connect_samples *samples);

#endif
