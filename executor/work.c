#include "executor/work.h"

#include "common/alloc.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>

/* Timers of a virtual machine come some 15 us late: the end of a sleep is waited for awake, s. */
static const double AWAKE = 20e-6;
/* One look at how fast the loop is, and how many: the fastest counts. s */
static const double LOOK = 0.01;
enum { LOOKS = 10, LINE_WORDS = 8, OPERATIONS = 32 };

static double clock_read(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double work_now(void)
{
    return clock_read(CLOCK_MONOTONIC);
}

/* To fall asleep takes some 15 us, too, even where the time has passed. */
static void sleep_until(double deadline)
{
    const double early = deadline - AWAKE;
    struct timespec at = {.tv_sec = (time_t)early};
    at.tv_nsec = (long)(1e9 * (early - (double)at.tv_sec));
    while (work_now() < early && clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL) == EINTR)
        continue;
    while (work_now() < deadline)
        continue;
}

static void sleep_for(struct work *work, double begun, double seconds)
{
    const double deadline = begun + seconds - work->late;
    sleep_until(deadline);
    work->late = fmax(0, work_now() - deadline);
}

/* One cache line is written a round, and some arithmetic depends on what it held. */
static void go_round(struct work *work, uint64_t rounds)
{
    for (uint64_t i = 0; i < rounds; i++) {
        uint64_t value = work->lines[LINE_WORDS * work->at];
        for (int k = 0; k < OPERATIONS; k++)
            value = value * 6364136223846793005u + 1442695040888963407u;
        work->lines[LINE_WORDS * work->at] = value;
        work->at = work->at + 1 < work->n ? work->at + 1 : 0;
    }
}

/* By the processor's clock: on a core that others use as well the loop takes longer, but no more of the core. */
static double speed_find(struct work *work)
{
    double fastest = 0;
    uint64_t rounds = 1000;
    for (int look = 0; look < LOOKS;) {
        const double begin = clock_read(CLOCK_THREAD_CPUTIME_ID);
        go_round(work, rounds);
        const double took = clock_read(CLOCK_THREAD_CPUTIME_ID) - begin;
        if (took < LOOK / 2) {
            rounds *= 2;
            continue;
        }
        fastest = fmax(fastest, (double)rounds / took);
        look++;
    }
    return fastest;
}

void work_init(struct work *work, const struct work_options *options)
{
    *work = (struct work){.options = *options};
    if (options->kind == WORK_sleep)
        prctl(PR_SET_TIMERSLACK, 1000UL, 0UL, 0UL, 0UL); /* ns; by default Linux lets a sleep end 50 us late */
    if (options->kind != WORK_spin)
        return;
    const uint64_t line = LINE_WORDS * sizeof *work->lines;
    work->n = ((uint64_t)options->touch + line - 1) / line;
    work->n = work->n > 0 ? work->n : 1;
    work->lines = alloc_zeroed(work->n, line);
    work->rounds_per_second = speed_find(work);
}

void work_free(struct work *work)
{
    free((void *)work->lines);
    *work = (struct work){.lines = NULL};
}

void work_begin(struct work *work)
{
    work->late = 0;
}

void work_do(struct work *work, double begun, double seconds)
{
    if (work->options.kind == WORK_sleep && seconds > 0)
        sleep_for(work, begun, seconds);
    else if (work->options.kind == WORK_spin)
        go_round(work, (uint64_t)(fmax(0, begun + seconds - work_now()) * work->rounds_per_second));
}
