/* crew.h - one process leads, the others follow.
 *
 * All decisions of a measurement are rank 0's. It calls the functions here, which tell the other ranks what to do and
 * do it with them; the others are in crew_follow. So no two ranks can disagree on what comes next. */
#ifndef PEVPM_MEASURE_CREW_H
#define PEVPM_MEASURE_CREW_H

#include "measure/collective.h"
#include "measure/exchanges.h"
#include "measure/job.h"
#include "measure/others.h"
#include "measure/probes.h"
#include "measure/series.h"
#include "measure/steps.h"
#include "measure/waits.h"

#include <stdbool.h>

enum { CREW_SERIES = 64 }; /* series that may exist at once */

struct crew {
    struct job *job;
    struct series *series[CREW_SERIES];
    bool synchronised;         /* once at least; false at the start */
    double pause;              /* s that the next order may take longer than usual */
    struct others *others;     /* since the job began */
};

/* On every rank but 0: does as told; returns how rank 0 ended. */
enum status crew_follow(struct crew *crew);

/* The rest is rank 0's. */

/* Ends crew_follow on the others. */
void crew_dismiss(struct crew *crew, enum status status);
/* clock_sync on all. */
void crew_sync(struct crew *crew);
/* The others may wait `seconds` longer than usual for the next order: rank 0 has something to do that takes long. */
void crew_pause(struct crew *crew, double seconds);

/* A number below CREW_SERIES for the series, as the functions below want it. */
int crew_series_create(struct crew *crew, const struct series_setup *setup);
void crew_series_destroy(struct crew *crew, int series);
/* From the next run on: see struct series_setup. */
void crew_series_chain(struct crew *crew, int series, int trips, int warm);
/* Runs n more repetitions, each taking `busy` ns, of `copies` groups at once. */
void crew_series_run(struct crew *crew, int series, int n, int64_t busy, int copies);
const struct series_message *crew_series_collect(struct crew *crew, int series, size_t *n);

/* probes_run, with the samples of all ranks; `all` initialised. */
void crew_probes(struct crew *crew, const struct probes *probes, struct samples *all);

/* collective_measure over the first `numprocs` places, with its statuses. */
enum status crew_collective(struct crew *crew, enum collective op, int numprocs, int64_t bytes,
                            const struct stopping *rule, int64_t rest, struct collective_times *times,
                            struct diags *diags);

/* steps_run, likewise. */
void crew_steps(struct crew *crew, int nodes, enum steps_wanted wanted, int n, int64_t rest, struct samples *all);
/* From now on patterns take the nodes in this order, a permutation of all. */
void crew_order_nodes(struct crew *crew, const int order[]);
/* rests_run, likewise; in several orders where that takes long. */
void crew_rests(struct crew *crew, int n, int64_t rest, struct samples *all);
/* One series of exchanges_run, likewise: those of a pair behind one another. one_way: s that one message takes
 * alone. */
void crew_exchanges(struct crew *crew, int pairs, int64_t bytes, double one_way, struct samples *all);
/* exchanges_behind_run, likewise. */
void crew_behind(struct crew *crew, const struct exchanges_behind *behind, double one_way, struct samples *all);

/* sends_run, likewise. drains: s that all of it takes to come. */
void crew_sends(struct crew *crew, int pairs, int64_t bytes, int64_t most, double seconds, double drains,
                struct samples *all);

/* waits_run, likewise. drains: s that what hosts hold when nobody sends any more may take to come. */
void crew_waits(struct crew *crew, const struct waits *waits, double drains, struct samples *all);

/* others_gather, for others_all and others_last. */
void crew_others(struct crew *crew);

/* tcp_losses of every place; lost: [places]. */
void crew_losses(struct crew *crew, int64_t lost[]);

/* Every place's processor name, kernel, clock source (clock_quality), and how wrong its clock may have been since the
 * synchronisation before the last; on rank 0. */
struct crew_member {
    char host[72], kernel[200], clocksource[64];
    int64_t bound_ns, limit_ns;
};
void crew_members(struct crew *crew, struct crew_member members[]);

#endif
