/* verify.h - does the global clock hold what it promises? `pevpm-bench --verify-clock`.
 *
 * For `duration` seconds, in blocks bracketed by synchronisations: errors of every rank's global clock against the
 * truth where all ranks run on one kernel (they then share one clock, and what was injected is known), else against
 * direct round trips from rank 0; messages both ways between changing partners, counting receives stamped before their
 * sends and comparing forward + backward with the round trip; and a null pattern: how far apart the processes start
 * when nothing is communicated. */
#ifndef PEVPM_CLOCK_VERIFY_H
#define PEVPM_CLOCK_VERIFY_H

#include "clock/clock.h"
#include "common/status.h"

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct verify_options {
    double duration;              /* s */
    struct clock_options clock;   /* error: of this rank, see verify_error */
};

/* What --inject OFFSET,DRIFT means for one rank: a fixed pseudo-random part, from -1 to 1, of each, another for every
 * rank. */
struct clock_error verify_error(double offset_us, double drift_ppm, int rank);

/* Makes a clock of its own over `comm`, verifies it, and prints the report to `out` on rank 0 (NULL elsewhere).
 * *passed on all ranks: every error within its limit, no more of them beyond their bounds than chance explains
 * (clock/outside.h), no receive before its send, sums equal round trips.
 * STATUS_IO: the report could not be written. */
enum status bench_verify_clock(MPI_Comm comm, const struct verify_options *options, FILE *out, bool *passed);

#endif
