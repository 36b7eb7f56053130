/* salvage.h - a series of runs that is cut short: those that are over are written all the same.
 *
 * What ends a job comes as SIGTERM to its ranks (a launcher's Ctrl-C, a batch system's time limit, with Open MPI the
 * death of another rank), and soon after as SIGKILL; Open MPI's launcher waits 1 s. So rank 0 writes what it has been
 * told, on a thread of its own, since the others may not answer any more and it may itself wait for them in MPI. They
 * go on for a little longer than that takes, or MPI would end rank 0 for the connections that they close. All then end
 * with the exit code of STATUS_INTERRUPTED.
 *
 * There is one series at a time, known to the file alone: neither a signal's handler nor MPI's can be given one. */
#ifndef PEVPM_RUN_SALVAGE_H
#define PEVPM_RUN_SALVAGE_H

#include "run/results.h"

/* From now on until salvage_end signals are taken, on all ranks. series: what is to be written, but for `measured` and
 * `spent`; copied, with its pointers borrowed. */
void salvage_begin(int rank, const struct results *series);

/* On rank 0: the next run is over. regions: [region_numbers], of results.h; NULL: none. */
void salvage_run(double seconds, const double regions[]);

/* Writes what has been told, and says so on standard error, the first time that this is called on rank 0 between begin
 * and take. For who ends the job for a reason of his own. */
void salvage_now(void);

/* The caller writes all runs himself, and says how that went. A signal waits until salvage_end, and then ends the process
 * as above. */
void salvage_take(void);

/* Signals do what they did before. Legal without begin. */
void salvage_end(void);

#endif
