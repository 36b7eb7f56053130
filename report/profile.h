/* profile.h - where the run time went: the spans of a ledger added up by directive and by process, over replications.
 *
 * Every process's spans cover its run time without gap or overlap, end imbalance included, so
 *     sum over sites and losses = sum over processes and losses = processes * run time     (added up over replications)
 * which profile_end checks for each process of each replication. A span costs O(1) and nothing is allocated after
 * profile_init. Units: seconds. */
#ifndef PEVPM_REPORT_PROFILE_H
#define PEVPM_REPORT_PROFILE_H

#include "engine/ledger.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How far the spans of a process may miss the run time, relative to it. */
#define PROFILE_TOLERANCE 1e-9

/* Messages of one send directive that were never received. from, to, tag: the first that was told. */
struct profile_lost {
    uint64_t n;
    int32_t from, to, tag;
};

/* Sums over `replications`. Site n_sites stands for the ledger's -1, where no directive is to blame: end imbalance. */
struct profile {
    int32_t n_processes, n_sites;
    uint64_t replications;
    double run_time;                /* s */
    double (*by_site)[N_LOSSES];    /* [n_sites + 1] */
    double (*by_process)[N_LOSSES]; /* [n_processes] */
    struct profile_lost *lost;      /* [n_sites] */
    double *reached;                /* [n_processes] in the replication at hand: where the last span ended */
    double *covered;                /* [n_processes] in the replication at hand: the spans' lengths */
    int32_t torn;                   /* in the replication at hand: a process with a gap or an overlap; -1: none */
};

void profile_init(struct profile *profile, int32_t n_processes, int32_t n_sites);
void profile_free(struct profile *profile);

/* Forgets all sums. */
void profile_reset(struct profile *profile);

/* Takes a span. Spans of one process come in the order of its time; processes may alternate. */
void profile_span(struct profile *profile, const struct span *span);

/* Takes a message that was never received. */
void profile_lost(struct profile *profile, const struct flight *flight);

/* Ends a replication. Returns -1, or a process whose spans do not add up to `run_time` within PROFILE_TOLERANCE, or
 * leave a gap or overlap larger than that. */
int32_t profile_end(struct profile *profile, double run_time);

/* Adds the replications of `part`, which has ended all it began. Both are of the same program. */
void profile_add(struct profile *profile, const struct profile *part);

/* Means over replications of what a process spends: at a site, with all losses; and overall, with one loss. */
double profile_site_time(const struct profile *profile, int32_t site);
double profile_loss_time(const struct profile *profile, enum loss loss);

/* The mean over replications of the run time; 0 where there are none. */
double profile_run_time(const struct profile *profile);

/* A mean over replications and processes of a sum of this profile. */
double profile_mean(const struct profile *profile, double sum);

/* "late sender"; and as a column of csv and json: "late_sender". */
const char *loss_heading(enum loss loss);
const char *loss_name(enum loss loss);

#endif
