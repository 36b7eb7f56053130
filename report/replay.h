/* replay.h - replications run again, one at a time in the time-ordered engine, with somebody listening.
 *
 * A replication is a function of the seed and its number, so what is heard is what a prediction by that engine met. A
 * prediction by the lanes engine has the same random draws and, where contention depends on the order of time, slightly
 * other times; docs/profile.md says so. */
#ifndef PEVPM_REPORT_REPLAY_H
#define PEVPM_REPORT_REPLAY_H

#include "engine/engine.h"
#include "report/profile.h"
#include "report/races.h"
#include "report/trace.h"

#include <stdint.h>

/* Replications first ... first + n - 1 on up to `threads` threads; the sums are the same bits for any number of them.
 *   profile, races  initialised for setup->program; the replications are added, but for those that deadlock
 * Losses that do not add up to a run time are a warning. Else as engine_run. */
enum status replay_profile(const struct engine_setup *setup, uint32_t first, uint32_t n, int threads,
                           struct profile *profile, struct races *races, struct diags *diags);

/* One replication, told to `trace`, which stays the caller's. *time out: its run time, s. Statuses of engine_run. */
enum status replay_trace(const struct engine_setup *setup, uint32_t replication, struct trace *trace, double *time,
                         struct diags *diags);

#endif
