/* series.h - runs repetitions of a pattern and keeps what every message did, on the global clock.
 *
 * A series is one pattern, operation and size. Its repetitions start at moments of the global clock fixed beforehand,
 * a period apart, so nothing but the measured messages is on the network meanwhile. Each process stamps its own calls
 * with its local clock; stamps become global times only when they are collected, so that a synchronisation after the
 * measuring can be used: run, run, ... clock_sync, collect.
 *
 * A message counts when all processes of its group called in time (`late`) and both of its own, hence their ports, had
 * been at rest before for at least half the series' rest. A message that is slow itself counts, however slow; the ones
 * that it delays do not (series_judge) and are measured again. Of messages right behind one another (`trips`) that is asked of
 * the first.
 *
 * Reading the clock takes some 20 ns, of which a part lies within what two readings tell: what one reading takes is taken
 * off (clock_reading). */
#ifndef PEVPM_MEASURE_SERIES_H
#define PEVPM_MEASURE_SERIES_H

#include "measure/job.h"
#include "measure/pattern.h"
#include "models/cost.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ns between the starts of groups that do not disturb one another: what processors need for a message or a wake-up. */
enum { SERIES_APART = 1000000 };

struct series_setup {
    unsigned pattern;         /* see pattern_find */
    struct shape shape;       /* stagger is set by series_run */
    enum send_kind kind;
    int64_t bytes;
    int64_t rest;             /* ns that ports rest between messages */
    int64_t busy;             /* ns that a repetition is expected to take from its start to its last arrival */
    bool at_once;             /* groups do not disturb one another: they start SERIES_APART apart at most; else each after
                               * its part of a repetition, which so takes twice as long */
    int64_t receive_delay;    /* ns after the send at which the receive is called; 0: it is posted before */
    int trips;                /* so many of each message go right behind one another, as in the midst of communication: of a
                               * pingpong there and back, else step by step, each behind the last of the same two; of patterns in
                               * which who sends and receives does each with one other at most, and where a message leaves
                               * nothing behind, as it does in a port's credit. 0 or 1: it goes alone */
    int warm;                 /* posted receives: the first so many of the trips do not count, fewer than all. Late ones: so many
                               * messages of one byte go, and are received, right before, and the first quarter of the trips does not count. So caches, cores and the way of such
                               * messages through library and kernel are as in the midst of communication */
    int64_t late;             /* ns that a process may start late where that is more than a sixth of the rest */
};

/* How many of the trips only warm. */
int series_warming(const struct series_setup *setup);

struct series;

/* Whether messages of a node's processes can go right behind one another: each has a core, so that none is waited for while
 * another computes. */
bool series_chains(const struct job *job);

/* Collective. The setup's fields busy, rest, trips, warm and shape.copies may be changed between runs through series_setup, on
 * all ranks alike. */
struct series *series_create(struct job *job, const struct series_setup *setup);
struct series_setup *series_setup(struct series *series);
void series_destroy(struct series *series);

/* Runs n more repetitions. Collective: the whole job calls. */
void series_run(struct series *series, int n);

/* How long n more repetitions would take, s. */
double series_duration(const struct series *series, int n);

/* One message of the series, global times in ns. */
struct series_message {
    int repetition, copy, from, to; /* copy: which of the groups at once */
    int trip;                 /* 0: the first, planned; else behind the one before */
    int64_t planned;          /* when its send was to be called */
    int64_t call, back;       /* of the send */
    int64_t receive, end;     /* of the receive: when it was called (posted), when it returned */
    bool valid;
};

/* Collects all messages so far on rank 0, judged, but for trips that only warm, and of those step by step the ones whose
 * receive was not posted before; *n = 0 elsewhere. Collective. Valid until the next call on the series. */
const struct series_message *series_collect(struct series *series, size_t *n);

/* Marks the messages that count; in order of repetitions, in these of copies, in these of trips. places: of the job. Pure. */
void series_judge(struct series_message messages[], size_t n, int places, int64_t rest, int64_t late);

#endif
