/* clock_impl.h - what the files of the clock share. */
#ifndef PEVPM_CLOCK_CLOCK_IMPL_H
#define PEVPM_CLOCK_CLOCK_IMPL_H

#include "clock/clock.h"
#include "clock/clock_fit.h"
#include "clock/clock_map.h"

#include <sched.h>
#include <stddef.h>
#include <time.h>

/* This process's place in the tree of hosts. Only leaders have one: the lowest rank of each host. */
struct clock_tree {
    bool is_leader;
    bool is_serial;        /* hosts share a machine: one conversation at a time, or they disturb each other */
    bool is_star;          /* all hosts are children of the root, else a binomial tree */
    int parent;            /* rank in clock->comm; -1 at the root */
    int n_children, *children;
    int n_turns;           /* conversations that follow one another in one pass */
};

struct clock {
    MPI_Comm comm, host;   /* all; those that share this process's clock, leader first */
    int rank, size;
    bool is_one_machine;   /* all processes run on one kernel: one true clock */
    bool is_crowded;       /* more processes on this machine than cores that they may run on */
    int crowding;          /* see clock_crowding */
    int processors;        /* see clock_processors */
    clockid_t source;
    char *source_name;
    double overhead_ns, granularity_ns;
    double sync_time;
    struct clock_error error;
    int64_t error_start;   /* local time, without error, when the drift begins */
    struct clock_tree tree;
    struct clock_map map;
    int n_syncs;
    int64_t floor;         /* ns: the half-interval of a quick conversation with the parent; 0: none yet */
    int64_t notice_ns;     /* what telling all ranks something takes */
    int slack_ns;          /* the timer slack that this process had before */
};

/* The local source, before the injected error; and when it was, for a local time. */
int64_t clock_raw(const struct clock *clock);
int64_t clock_error_undo(const struct clock *clock, int64_t local);
int64_t clock_error_apply(const struct clock_error *error, int64_t start, int64_t raw);

/* A conversation. One side asks, the other answers; trips [MOST_TRIPS] are local times. It takes time_ns or longer,
 * while others keep it from being quick, or shorter when it is full. Returns how many round trips. */
size_t clock_ask(const struct clock *clock, int other, int64_t time_ns, struct clock_trip trips[]);
void clock_answer(const struct clock *clock, int other);

/* Two processes that talk on one machine are kept on different cores meanwhile: on one, every message would wait for
 * the scheduler. *core is where the one stays and the other must leave. Both give what to restore. */
cpu_set_t clock_stay(int *core);
cpu_set_t clock_leave(int core);
void clock_restore(const cpu_set_t *before);

/* Messages that the clock's own communication uses; those of verify.c start at TAG_VERIFY. */
enum clock_tag { TAG_GO = 1, TAG_ASK, TAG_ANSWER, TAG_DONE, TAG_KNOTS, TAG_VERIFY };

/* A conversation needs some round trips to find a fast one, and gains little from more than some thousand. */
enum { LEAST_TRIPS = 32, MOST_TRIPS = 4000 };

#endif
