/* work.h - spends the time of a computation. */
#ifndef PEVPM_EXECUTOR_WORK_H
#define PEVPM_EXECUTOR_WORK_H

#include <stdint.h>

/* X(name, what it does) */
#define WORK_LIST(X)                                                                                        \
    X(sleep, "sleeps until start + time; what it woke up late, the next computation is shorter")             \
    X(spin, "goes round a loop as often as takes that time on an idle core, which may then take longer")     \
    X(none, "nothing")
enum work_kind {
#define X(name, what) WORK_##name,
    WORK_LIST(X)
#undef X
};

struct work_options {
    enum work_kind kind;
    int64_t touch;          /* spin: bytes of memory that the loop goes through */
};

struct work {
    struct work_options options;
    double late;            /* s: by how much the last sleep overran */
    double rounds_per_second;
    uint64_t at, n;         /* of the memory, in cache lines */
    volatile uint64_t *lines;
};

/* spin: takes about a tenth of a second to find how fast the loop is, on all ranks at the same time where it should
 * share what it will share with them. */
void work_init(struct work *work, const struct work_options *options);
void work_free(struct work *work);

/* Before a run: what a sleep of the run before took too long is not made good in this one. */
void work_begin(struct work *work);

/* The clock of `begun`, s. */
double work_now(void);

/* Computes for `seconds`. It ends that much after `begun`, so what has been done since then counts as a part of it: to find out how long
 * it is, and to write what will be sent. What a sleep takes too long the next one of the run takes less. */
void work_do(struct work *work, double begun, double seconds);

#endif
