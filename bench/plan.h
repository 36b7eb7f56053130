/* plan.h - what is to be measured, in which order, and what of it fits into the time there is. Pure. */
#ifndef PEVPM_BENCH_PLAN_H
#define PEVPM_BENCH_PLAN_H

#include "results/result.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In the order of measuring. X(name, what the provenance calls it, worth): of two tasks that cost the same the one of
 * the less worth is left out first, and one of twice the worth may cost twice as much. Messages alone and what ports
 * are say something of every program; trunks, buses and buffers are one task each, without which a file is wrong in
 * kind; levels, and what differs between operations, refine that. */
#define TASK_LIST(X)                                          \
    X(pingpong, "one message alone", 100)                     \
    X(overflow, "bursts that overflow a port", 1000)          \
    X(ports, "bursts through a port", 100)                    \
    X(reverse, "bursts around a ring", 30)                    \
    X(owner, "whose a port is", 100)                          \
    X(trunks, "streams through trunks", 2000)                 \
    X(trunk_overflow, "bursts that overflow a trunk", 1000)   \
    X(bus, "streams within a node", 1000)                     \
    X(receive, "receive overheads", 8)                        \
    X(pairs, "messages at once", 4)                           \
    X(isend_pingpong, "one nonblocking message alone", 2)     \
    X(isend_pairs, "nonblocking messages at once", 1)         \
    X(rates, "streams through every node's port", 1000)       \
    X(saturation, "streams through a port", 1)
enum task_kind {
#define X(name, text, worth) TASK_##name,
    TASK_LIST(X)
#undef X
    N_TASKS
};
const char *task_text(enum task_kind kind);

struct task {
    enum task_kind kind;
    size_t class;        /* of the nodes that it measures */
    int nodes, ppn;      /* of the group */
    bool socket;         /* within a socket, where these are told apart */
    int64_t bytes;
    double cost;         /* s, expected */
    double taken;        /* s, once it is done; 0: not known */
    double beyond;       /* s that those of its kind which are done have taken beyond their cost, on average */
    bool dropped;        /* for lack of time */
    bool vain;           /* ... as are all of its entry, which would end too early to be written */
    bool done;
    bool again;          /* it has been done once; now more of the same, so that more is known */
    size_t samples;      /* of messages, what the first time has brought: how many, ... */
    struct samples medians; /* ... and the medians of its repetitions; owned */
};

/* What tells it from one of as many nodes and processes, behind these: " in a socket" or "". */
const char *task_where(const struct task *task);

/* The first of the tasks that are not done and fit into `available` seconds; n: none does. Which are dropped is decided
 * anew, so that one can come back: tasks are, until the rest costs at most that. Of the tasks of one kind, class and
 * group only the largest size that is left can go: a line through the others goes on beyond it, while nothing stands
 * for what is missing below. Of these the one that costs most for its worth goes first, of equal ones the later kind.
 * Where a level would then end at so small a size that it is not written (RESULT_LINE_MOST) the last such level goes,
 * and larger sizes of others come back: few levels whole and not many in vain. */
size_t plan_next(size_t n, struct task tasks[], double available);

/* Task i is done and has taken so many seconds. What that was beyond its cost, others of its kind will take as well, as
 * on jobs of many processes, where collecting what few messages took can take as long as these. So their `beyond` is
 * the mean of those that are done, at least 0, and what is worth more is not crowded out at the end. */
void plan_learn(size_t n, struct task tasks[], size_t i, double taken);

/* What the tasks cost that are neither done nor dropped, with what they take beyond it. */
double plan_cost(size_t n, const struct task tasks[]);

#endif
