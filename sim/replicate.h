/* replicate.h - Monte Carlo: as many replications of one setup as are wanted, over threads and ranks.
 *
 * Either an exact number, or until the 95 % confidence half-width of the mean run time is at most `precision` times the
 * mean; that is looked at after 16, 32, 64, ... replications only. Results are kept by replication number and all
 * statistics are computed from them in that order, so any number of threads, lanes or ranks gives the same bits. A
 * setup without chance (mode average or minimum) needs one replication where the number is not exact.
 *
 * Out of order. A replication that the lanes or the reference engine did not serve in the order of time
 * (outcome.inversion) is run again in the time-ordered engine. Where ports count and that happens in more than half of
 * the first REPLICATE_FIRST, all are run there. Both depend on the replications alone.
 *
 * Deadlock. Where time decides what the program does, some replications may deadlock and others not. Those that do are
 * counted and the statistics are of the others. A program whose path does not depend on time deadlocks always. */
#ifndef PEVPM_SIM_REPLICATE_H
#define PEVPM_SIM_REPLICATE_H

#include "common/progress.h"
#include "engine/engine.h"
#include "sim/spread.h"
#include "sim/model_error.h"
#include "sim/statistics.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    REPLICATE_FIRST = 16,   /* fewer give no interval worth its name */
    REPLICATE_MOST = 65536, /* where --precision gives up, with `precise` false */
};

/* Run times of replications 0 ... n - 1 on a machine that is slower in one respect (calibration.h); NaN: a deadlock.
 * `part` of how much later they are, on the mean, is one standard deviation, times model_error_weight of `powers`, `spread`,
 * `added` of how much later they are, and the mean of the replications themselves. */
struct replicate_later {
    size_t n;
    double part;
    struct model_error_powers powers;
    double spread, added;
    double times[REPLICATE_FIRST];
};

struct replicate_plan {
    uint32_t exact;              /* > 0: this many; 0: by precision */
    double precision;            /* relative, > 0 */
    double *times;               /* [exact] out: run times by replication, as far as they are known, NaN: a deadlock;
                                  * NULL: not wanted */
    double *regions;             /* [region_numbers] out: the program's regions, the mean over replications that end;
                                  * NULL: not wanted */
    const struct replicate_later *later; /* [n_later] p5, median and p95 hold the standard deviation that each gives as
                                          * one more normal part (statistics_widen); the parts are independent */
    size_t n_later;
    bool spread_alone;           /* nothing of that kind is wanted: p5, median and p95 are of the replications */
    enum engine_kind engine;     /* asked for */
    int lanes;                   /* 0: what suits the setup; else as engine_create takes it */
    int threads;                 /* >= 1 */
    const struct spread *spread; /* NULL: this process alone */
    struct progress_bar *progress;   /* NULL: none */
};

/* X(name): replications that can be asked for by their place among the run times. */
#define REPLICATE_PICK_LIST(X) X(min) X(p5) X(median) X(p95) X(max)
enum replicate_pick {
#define X(name) PICK_##name,
    REPLICATE_PICK_LIST(X)
#undef X
    N_PICKS
};

struct replicate_result {
    struct statistics time;      /* s; time.n = replications known, without those that deadlock */
    uint64_t deadlocks;          /* replications that deadlock, besides */
    bool no_chance;              /* all replications are equal by construction: sd = ci95 = 0 */
    double serial;               /* s, mean of outcome.serial */
    struct engine_totals totals;
    uint64_t inversions, inversions_of; /* of so many replications, those out of order; of REPLICATE_FIRST where they
                                         * made all run in the time-ordered engine */
    bool precise;                /* the precision asked for was reached (true for an exact number) */
    enum engine_kind engine;     /* that ran */
    int lanes;                   /* the batch width that was used */
    uint32_t picks[N_PICKS];     /* the replication whose run time is nearest to time.min, time.p5 ...; ties: the
                                  * first */
};

/* The replication count after which `known` is looked at next: 16, 32, 64, ... up to REPLICATE_MOST. */
uint32_t replicate_next(uint32_t known);

/* Runs the plan. All ranks call it and get the same result (totals: rank 0's).
 *   STATUS_OK           though result->deadlocks may be above 0: then diags has an error with their share, and what the
 *                       first of them met
 *   STATUS_DEADLOCK     no replication ends
 *   STATUS_RANGE        a run takes longer than 1e150 s, of which there are no statistics
 *   STATUS_INTERRUPTED  *result holds the statistics of the first result->time.n replications; 0 = none are known
 *   others              of engine_run, from the replication with the lowest number that failed; its diagnostics are
 * added once */
enum status replicate_run(const struct engine_setup *setup, const struct replicate_plan *plan,
                          struct replicate_result *result, struct diags *diags);

/* "deadlock in 12 of 64 replications (19 %, 95 % interval 11 to 30 %)": n = those that end and those that do not. */
#define REPLICATE_DEADLOCK_BYTES 120
char *replicate_deadlock_text(uint64_t deadlocks, uint64_t n, char text[REPLICATE_DEADLOCK_BYTES]);

/* The status all ranks agree on: that of the lowest rank whose own is not OK. A rank that was fine adds an error saying
 * which rank was not (nothing for STATUS_INTERRUPTED). spread NULL: `own`. */
enum status replicate_agree(const struct spread *spread, enum status own, struct diags *diags);

#endif
