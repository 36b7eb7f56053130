/* kind.h - what a campaign can do of a task, whatever its kind. */
#ifndef PEVPM_BENCH_KIND_H
#define PEVPM_BENCH_KIND_H

#include "bench/state.h"

/* s, expected. */
double task_cost(const struct campaign *c, const struct task *task);
/* Into the result, with notes. Takes at most time_cap s, beyond what the least number of samples takes, to know a
 * median precisely; kinds that have no such number take what they cost. */
void task_measure(struct campaign *c, struct task *task, double time_cap);
/* Whether its points are in the result already. */
bool task_is_done(const struct campaign *c, const struct task *task);
/* Whether their medians are as precise as asked for. */
bool task_is_precise(const struct campaign *c, const struct task *task);
/* Whether they were measured once, and others of their kind say otherwise. */
bool task_is_odd(const struct campaign *c, const struct task *task);
/* Whether they would tell of what is known to be shared as well: result_is_explained. */
bool task_is_explained(const struct campaign *c, const struct task *task);
/* The message size that a kind wants, one of the campaign's; only of kinds that are measured at one size. */
int64_t kind_bytes(const struct campaign *c, enum task_kind kind);

#endif
