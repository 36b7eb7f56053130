/* self.h - messages of a process to itself. Nobody else takes part, and no clock but its own is needed.
 *
 * The receive is posted, then the send is called, then a wait for the receive. That is how programs send to themselves:
 * who calls a blocking send first may wait for ever. Of each message
 *     transit            from the start of the send call to the return of the wait
 *     send overhead      the send call
 *     receive overhead   the wait
 * so what copies the data counts once, in whichever of the two calls it is done. */
#ifndef PEVPM_MEASURE_SELF_H
#define PEVPM_MEASURE_SELF_H

#include "estimate/samples.h"
#include "measure/job.h"
#include "models/cost.h"

#include <stdint.h>

/* ns */
struct self_times {
    struct samples transit, send_overhead, receive_overhead;
};
void self_times_init(struct self_times *times);
void self_times_free(struct self_times *times);

/* n messages more, after a few that are not counted. */
void self_run(const struct job *job, enum send_kind kind, int64_t bytes, int n, struct self_times *times);

/* Whether a message of that size waits for its receive: MPI_Isend without one does not become complete. */
bool self_waits(const struct job *job, int64_t bytes);

#endif
