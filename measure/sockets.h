/* sockets.h - on which sockets the processes of a job are, by hwloc.
 *
 * A socket is what hwloc calls a package. A process is on one if all processors that it may run on are of it, as it is
 * bound by the launcher; one that may run on several is on none. */
#ifndef PEVPM_MEASURE_SOCKETS_H
#define PEVPM_MEASURE_SOCKETS_H

#include "measure/job.h"

/* Collective: sets job->sockets, socket_of and sockets_told. */
void job_find_sockets(struct job *job);

#endif
