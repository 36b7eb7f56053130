// SPDX-License-Identifier: MIT
#include "recorder/recorder.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct recorder recorder;

static pthread_t recorded_thread;

/* The outermost level of the fold: beyond so many calls and loops that are not alike the program follows its data. 3
 * MB, and as much in the recording; with fewer, what a program of some thousand calls says would be thrown away. */
enum { NODES_MOST = 20000 };
/* So many at the coarsest idea of what is alike: 20 MB and more to come. */
enum { HOPELESS = 200000 };
/* A process that is killed has written what it did until so long ago, in ns: first a short time, then twice as much
 * each time up to the long one; a program that has much to write does so less often, so that it takes at most a
 * fiftieth of the time. */
static const double checkpoint_first = 1e8, checkpoint_most = 2e9;
enum { CHECKPOINT_SHARE = 50 };
/* A wildcard's sender is answered within so many calls, or the equal rank is an accident. */
enum { ANSWER_CALLS = 8 };

static double clock_ns(clockid_t id)
{
    struct timespec now;
    clock_gettime(id, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}
static double wall_now(void) { return clock_ns(CLOCK_MONOTONIC); }
static double processor_now(void) { return clock_ns(CLOCK_THREAD_CPUTIME_ID); }
/* What all threads but the calling one have computed. */
static double threads_now(void) { return clock_ns(CLOCK_PROCESS_CPUTIME_ID) - processor_now(); }

/* What one reading takes, the quickest of some: others were interrupted. */
static double reading_cost(clockid_t id)
{
    double least = 1e9;
    for (int i = 0; i < 20; i++) {
        double start = wall_now();
        for (int k = 0; k < 10; k++)
            clock_ns(id);
        double cost = (wall_now() - start) / 10;
        least = cost < least ? cost : least;
    }
    return least;
}

/* Started by the launcher of another MPI library: each process is alone, and would write its recording over the others'.
 * PEVPM_RECORD_LAUNCHED says how many were started, and which of them this is (record/launch.c). The first says so. */
static bool is_alone_by_mistake(void)
{
    const char *text = getenv("PEVPM_RECORD_LAUNCHED");
    int launched = 0, which = 0;
    if (!text || sscanf(text, "%d %d", &launched, &which) != 2 || launched < 2 || recorder.size > 1)
        return false;
    if (which == 0)
        fprintf(stderr,
                "pevpm-record: nothing is recorded: the launcher has started %d processes, which do not find each other: "
                "it is not the launcher of the program's MPI library\n",
                launched);
    return true;
}

void recorder_start(void)
{
    const char *output = getenv("PEVPM_RECORD_OUTPUT");
    if (recorder.on || !output)
        return;
    recorder.output = strdup(output);
    PMPI_Comm_rank(MPI_COMM_WORLD, &recorder.rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &recorder.size);
    if (is_alone_by_mistake())
        return;
    PMPI_Comm_dup(MPI_COMM_WORLD, &recorder.own);
    fold_init(&recorder.fold, NODES_MOST);
    callpaths_init(&recorder.paths);
    recorder_comm_new(MPI_COMM_WORLD, -1, -1);
    recorder.source = recorder.last_path = -1;
    recorder.wall_cost = reading_cost(CLOCK_MONOTONIC);
    recorder.processor_cost = reading_cost(CLOCK_THREAD_CPUTIME_ID);
    recorder.long_computation = 20 * recorder.processor_cost;
    recorder.checkpoint_pause = checkpoint_first;
    recorded_thread = pthread_self();
    recorder.threads_before = threads_now();
    recorder.process = (long)getpid();
    recorder.on = recorder.meets = true;
    recorder.processor_left = processor_now();
    recorder.left = recorder.checkpoint = wall_now();
}

/* ---- around each call ---- */

void recorder_stop(const char *why)
{
    recorder.on = false;
    if (!recorder.stopped)
        recorder.stopped = why;
}

bool recorder_enter(void)
{
    if (!recorder.on)
        return false;
    if (!pthread_equal(pthread_self(), recorded_thread)) {
        recorder_stop("a thread other than the one that called MPI_Init has called MPI");
        return false;
    }
    if (recorder.depth > 0)
        return false;
    recorder.entered = wall_now();
    recorder.processor_entered = -1;
    if (recorder.processor_left >= 0 && recorder.entered - recorder.left > recorder.long_computation / 2)
        recorder.processor_entered = processor_now();
    recorder.depth++;
    return true;
}

void recorder_threads(void)
{
    if (pthread_equal(pthread_self(), recorded_thread))
        recorder.threads = threads_now() - recorder.threads_before;
}

double recorder_clock(void)
{
    return wall_now();
}

void recorder_called(void)
{
    recorder.called = wall_now();
}

/* The computation that ends with this call. Where the processor's clock was not read, a short time is the processor's
 * too; a long one may be an interruption, so nothing is known of the processor. */
static struct fold_sample sample_now(void)
{
    struct fold_sample sample = {.processor = -1};
    double own = recorder.wall_cost;
    if (recorder.processor_entered >= 0) {
        sample.processor = recorder.processor_entered - recorder.processor_left - recorder.processor_cost;
        sample.processor = sample.processor > 0 ? sample.processor : 0;
    }
    sample.wall = recorder.entered - recorder.left - own;
    sample.wall = sample.wall > 0 ? sample.wall : 0;
    if (sample.processor < 0 && recorder.entered - recorder.left <= recorder.long_computation)
        sample.processor = sample.wall;
    double begun = recorder.entered + (recorder.processor_entered >= 0 ? recorder.processor_cost : 0);
    sample.inside = recorder.called - begun - recorder.wall_cost;
    sample.inside = (sample.inside > 0 ? sample.inside : 0) + recorder.unkept;
    recorder.unkept = 0;
    return sample;
}

static double *follows(int32_t path)
{
    if (path >= recorder.follows_capacity) {
        int32_t old = recorder.follows_capacity;
        recorder.follows_capacity = 2 * path + 32;
        recorder.follows = fold_memory(recorder.follows, (size_t)recorder.follows_capacity, sizeof *recorder.follows);
        for (int32_t i = old; i < recorder.follows_capacity; i++)
            recorder.follows[i] = -1; /* not known: the clock is read */
    }
    return &recorder.follows[path];
}

/* Starts the next computation, which follows a call from `path`. */
static void begin_computation(int32_t path)
{
    recorder.last_path = path;
    double expected = path < 0 ? -1 : *follows(path);
    recorder.depth--;
    recorder.processor_left = expected < 0 || expected > recorder.long_computation ? processor_now() : -1;
    recorder.left = wall_now();
}

static void learn(double wall)
{
    if (recorder.last_path < 0)
        return;
    double *expected = follows(recorder.last_path);
    *expected = *expected < 0 ? wall : 0.75 * *expected + 0.25 * wall;
}

static void checkpoint(void)
{
    if (recorder.called - recorder.checkpoint < recorder.checkpoint_pause)
        return;
    double start = wall_now();
    recorder_save();
    recorder.checkpoint = wall_now();
    double least = CHECKPOINT_SHARE * (recorder.checkpoint - start), next = 2 * recorder.checkpoint_pause;
    next = next < checkpoint_most ? next : checkpoint_most;
    recorder.checkpoint_pause = least > next ? least : next;
}

int32_t recorder_path(void *caller, void *frame)
{
    return callpath_find(&recorder.paths, caller, frame);
}

void recorder_also(const struct fold_call *call)
{
    struct fold_sample sample = {.wall = 0};
    if (!recorder.kept) {
        sample = sample_now();
        learn(sample.wall);
    }
    recorder.kept = true;
    fold_add(&recorder.fold, call, &sample);
}

void recorder_also_took(const struct fold_call *call, const struct fold_sample *sample)
{
    fold_add(&recorder.fold, call, sample);
}

/* The wrapper's last call has been kept. */
static void leave_kept(const struct fold_call *call)
{
    recorder.since_source++;
    if (recorder.since_source > ANSWER_CALLS)
        recorder.source = -1;
    recorder.kept = false;
    if (recorder.fold.n > HOPELESS)
        recorder_stop("its calls repeat themselves nowhere, so that a recording would grow with its steps");
    checkpoint();
    begin_computation(call->path);
}

void recorder_leave(const struct fold_call *call)
{
    recorder_also(call);
    leave_kept(call);
}

void recorder_leave_took(const struct fold_call *call, const struct fold_sample *sample)
{
    recorder_also_took(call, sample);
    leave_kept(call);
}

void recorder_leave_both(const struct fold_call *first, const struct fold_call *second)
{
    struct fold_sample before = sample_now();
    const struct fold_sample own = {.wall = before.inside, .processor = -1};
    before.inside = 0;
    learn(before.wall);
    fold_add(&recorder.fold, first, &before);
    recorder_leave_took(second, &own);
}

/* The computation goes on where it was left, and the next call takes what this one took. */
static void leave_unkept(void)
{
    double took = wall_now() - recorder.entered;
    recorder.depth--;
    recorder.left += took;
    recorder.unkept += took > recorder.wall_cost ? took - recorder.wall_cost : 0;
}

void recorder_leave_poll(void)
{
    recorder.polls++;
    leave_unkept();
    if (recorder.processor_left >= 0)
        recorder.processor_left = -1;
}

void recorder_leave_silent(void)
{
    leave_unkept();
    if (recorder.processor_left >= 0 && recorder.processor_entered >= 0)
        recorder.processor_left += processor_now() - recorder.processor_entered;
}
