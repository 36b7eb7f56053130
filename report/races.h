/* races.h - wildcard receives and probes: which message they took, how often it could have been another one, and what
 * that did to the run time.
 *
 * Of each directive that took a message by wildcard:
 *   taken      per sender: messages taken from it, per replication
 *   orders     different orders in which processes took their senders: more than one is a race
 *   contested  choices where more than one message was there already
 *   first      per sender: replications in which the directive's first message (of its lowest process) came from
 *              it, and their run times
 * Whether the run time depends on who is first is judged by a one-way analysis of variance of the run times in groups
 * by first sender (R. A. Fisher, Statistical Methods for Research Workers, 1925): `explained` is the share of the
 * variance that lies between groups, `chance` the probability of a share as large where there is no dependence. A
 * sender's correlation is that of its number of messages with the run time. Units: seconds. */
#ifndef PEVPM_REPORT_RACES_H
#define PEVPM_REPORT_RACES_H

#include "engine/ledger.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One process at one site, as a sender; sums over replications. */
struct race_sender {
    uint64_t now;               /* taken in the replication at hand */
    uint64_t chain;             /* as a receiver, in the replication at hand: a hash of whom it took, in order */
    uint64_t taken;
    double square, cross;       /* of n = taken in a replication: sum of n^2, of n * run time */
    uint64_t first;             /* replications */
    double first_time, first_square; /* their run times: sum, sum of squares */
};

struct race_site {
    int32_t site;
    uint64_t taken, contested, candidates; /* candidates: sum */
    int32_t candidates_most;
    struct race_sender *senders;  /* [n_processes] */
    size_t n_orders, orders_capacity;
    uint64_t *orders;             /* [n_orders] ascending: those of all replications that took something */
    int32_t first, first_process; /* of the replication at hand: the sender, and who took it; first_process -1: none */
};

/* Sums over `replications`. Sites appear when they take their first message. */
struct races {
    int32_t n_processes, n_sites;
    uint64_t replications;
    double time, square;        /* run times: sum, sum of squares. Both relative to `shift` */
    double shift;               /* s, the first run time: keeps the sums of squares accurate */
    int32_t n, capacity;
    struct race_site *sites;    /* [n] ascending by site */
    int32_t *index_of;          /* [n_sites] -1: not there */
};

void races_init(struct races *races, int32_t n_processes, int32_t n_sites);
void races_free(struct races *races);

/* Takes a choice. Allocates only at the first choice of a site. */
void races_choice(struct races *races, const struct choice *choice);

/* Ends a replication. */
void races_end(struct races *races, double run_time);

/* Forgets the replication at hand of `part`, which has only that. */
void races_drop(struct races *part);

/* Moves the replication at hand of `part` into `races` and ends it there. */
void races_take(struct races *races, struct races *part, double run_time);

/* How a site's run times depend on who is first. False where that cannot be said: fewer than two groups, or no more
 * replications than groups. explained, chance: 0 ... 1. */
bool races_dependence(const struct races *races, const struct race_site *site, double *explained, double *chance);

/* Mean run time of the replications in which a sender was first; NaN: none. */
double races_first_time(const struct races *races, const struct race_sender *sender);

/* Of a sender's messages per replication with the run time, -1 ... 1; NaN where either does not vary. */
double races_correlation(const struct races *races, const struct race_sender *sender);

/* The senders that a site took, most often taken first, ties by number.
 *   order [n_processes] out; returns how many */
int32_t races_order(const struct races *races, const struct race_site *site, int32_t order[]);

#endif
