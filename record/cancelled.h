/* cancelled.h - receives that the program has cancelled, taken out of what a process did.
 *
 * A receive that MPI_Cancel was in time for has received nothing: the program without it, its cancellation and the wait
 * for it does the same. The recorder has a line MPI_Cancel for each of them, with the receive's call path and number,
 * and no wait (a cancellation that came too late changes nothing, and leaves no line). What was computed before, and
 * the time in them, is then that of the call that follows.
 *
 * A wait or test for any of several requests that names such receives names the others alone.
 *
 * A loop stays a loop. Where some of its trips cancel a receive that others have got a message by, it becomes several,
 * one for each run of trips that are alike. */
#ifndef PEVPM_RECORD_CANCELLED_H
#define PEVPM_RECORD_CANCELLED_H

#include "record/recording.h"

/* Takes them out. memory: of the recording. A process of more than 20 million calls is stopped, if it cancels; one
 * whose partners and tags are lost keeps the lines. False: something was cancelled that is no open receive; nothing is
 * changed. */
bool process_drop_cancelled(struct recorded_process *process, struct arena *memory);

#endif
