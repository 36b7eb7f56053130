/* plan.h - what is to be measured, in which order, and what of it fits into the time there is. Pure. */
#ifndef PEVPM_BENCH_PLAN_H
#define PEVPM_BENCH_PLAN_H

#include "bench/result.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In the order of importance, which is the order of measuring. X(name, what the provenance calls it) */
#define TASK_LIST(X)                                     \
    X(pingpong, "one message alone")                     \
    X(ports, "bursts through a port")                    \
    X(reverse, "bursts around a ring")                   \
    X(owner, "whose a port is")                          \
    X(overflow, "bursts that overflow a port")           \
    X(receive, "receive overheads")                      \
    X(pairs, "messages at once")                         \
    X(isend_pingpong, "one nonblocking message alone")   \
    X(isend_pairs, "nonblocking messages at once")       \
    X(saturation, "streams through a port")
enum task_kind {
#define X(name, text) TASK_##name,
    TASK_LIST(X)
#undef X
    N_TASKS
};
const char *task_text(enum task_kind kind);

struct task {
    enum task_kind kind;
    int nodes, ppn;      /* of the group */
    int64_t bytes;
    double cost;         /* s, expected */
    bool dropped;
};

/* Drops tasks until the rest costs at most `available`. Of the tasks of one kind and group only the largest size that
 * is left can go: a line through the others goes on beyond it, while nothing stands for what is missing below. Of
 * these the costliest goes first, of equal ones the least important kind; the first kinds, up to TASK_overflow,
 * without which the rest says little, go last. Tasks before `first` are done. Returns how many it dropped. */
size_t plan_fit(size_t n, struct task tasks[], size_t first, double available);

/* What the tasks from `first` on cost, dropped ones excepted. */
double plan_cost(size_t n, const struct task tasks[], size_t first);

#endif
