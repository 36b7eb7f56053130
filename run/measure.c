#include "run/measure.h"

#include "common/alloc.h"
#include "engine/region.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* From the announcement of a start to the start: ports have rested meanwhile. ns */
static const int64_t SLACK_NS = 50000000;
/* So often the clock is looked after. ns */
static const int64_t SYNC_NS = 10000000000;
/* What a step of all processes between two runs should take at most, s. */
static const double STEP = 2;
/* A rank that runs nothing looks so often whether the others have ended: each look takes from processors that it may
 * share with them. Up to log2(ranks) such rests pass until all know. ns */
static const long IDLE_NS = 10000000;

/* ---- a run that does not end ---- */

static int stuck_say(void *context)
{
    const struct measure_request *request = context;
    int32_t where = executor_where(request->executor);
    int rank = request->job->rank, size = request->job->size;
    struct diags diags = DIAGS_EMPTY;
    if (where >= 0)
        diag_error(&diags, request->program->sites[where].at,
                   "deadlock: process %d of %d does not return from %s, and "
                   "the run has taken more than %.3g s",
                   rank, size, request->program->sites[where].what, request->most);
    else
        diag_error(&diags, place_of_file(NULL), "the run has taken more than %.3g s: process %d of %d %s",
                   request->most, rank, size,
                   where == EXECUTOR_ENDED ? "has ended and waits for the others" : "computes still");
    diags_print(&diags, stderr);
    return status_exit_code(STATUS_DEADLOCK);
}

/* ---- one run ---- */

/* Local times of a process. */
struct stretch {
    int64_t start;              /* global */
    int64_t end;                /* local */
};

struct series {
    const struct measure_request *request;
    struct stretch *runs;       /* [request->runs] */
    double *regions;            /* [request->runs][n_regions] s, of this process */
    int64_t bound;              /* ns */
    int n_late;
    uint64_t n_unreceived;
};

static void clock_look_after(struct series *s)
{
    struct clock *clock = s->request->job->clock;
    int64_t bound, limit;
    watch_set(s->request->job->watch, STEP, "synchronising clocks");
    clock_sync(clock);
    clock_block_bounds(clock, &bound, &limit);
    s->bound = bound > s->bound ? bound : s->bound;
    *s->request->synced = clock_now(clock);
}

/* Whether it is time again is for rank 0 to say. */
static bool is_sync_due(const struct series *s)
{
    const struct job *job = s->request->job;
    int due = *s->request->synced == 0 || clock_now(job->clock) - *s->request->synced > SYNC_NS;
    MPI_Bcast(&due, 1, MPI_INT, 0, job->comm);
    return due;
}

static void common_start(struct series *s, struct stretch *run)
{
    const struct job *job = s->request->job;
    if (is_sync_due(s))
        clock_look_after(s);
    watch_set(job->watch, STEP, "agreeing on a start");
    run->start = clock_start(job->clock, SLACK_NS);
    s->n_late += !clock_wait(job->clock, run->start);
}

/* What a step of all processes between two runs may take. Runs whose times mean nothing may be beside any other work,
 * so with them a step is given what a run is given. */
static double step_most(const struct measure_request *request)
{
    return request->verify ? fmax(STEP, request->most - WATCH_GRACE) : STEP;
}

/* Its part of a run, by a process of the program. */
static enum status process_run(struct series *s, uint32_t k, struct diags *diags)
{
    const struct measure_request *request = s->request;
    const struct job *job = request->job;
    watch_instead(job->watch, stuck_say, (void *)request);
    watch_set(job->watch, request->most - WATCH_GRACE, "running the program");
    enum status status = executor_run(request->executor, request->first + k, diags);
    s->runs[k].end = clock_now(job->clock);
    const size_t n_regions = request->program->tree->n_regions;
    for (size_t r = 0; r < n_regions; r++)
        s->regions[k * n_regions + r] = executor_region(request->executor, r);
    if (status != STATUS_OK)
        return status;
    s->n_unreceived += executor_settle(request->executor);
    watch_instead(job->watch, NULL, NULL);
    watch_set(job->watch, step_most(request), "comparing what was delivered");
    return request->verify ? executor_verify(request->executor, diags) : STATUS_OK;
}

/* All ranks meet when the last has ended its part; those that have none sleep meanwhile. (Where they waited as MPI
 * does, and sixteen hosts shared two processors, programs on 4 and 8 of them took up to 30 % longer.) */
static void end_meet(const struct series *s)
{
    const struct timespec rest = {.tv_nsec = IDLE_NS};
    MPI_Request all_ended;
    int ended = 0;
    MPI_Ibarrier(s->request->job->comm, &all_ended);
    while (!s->request->executor && (MPI_Test(&all_ended, &ended, MPI_STATUS_IGNORE), !ended))
        nanosleep(&rest, NULL);
    MPI_Wait(&all_ended, MPI_STATUS_IGNORE);
}

/* The regions of some runs over all processes, [runs][region_numbers], on rank 0; those ranks that are none have spent no
 * time in them. NULL: there are none. The caller frees them. */
static double *regions_of(const struct series *s, size_t first, size_t runs)
{
    const struct program *program = s->request->program;
    const size_t n_regions = program->tree->n_regions, n = runs * n_regions;
    if (n == 0)
        return NULL;
    double *most = alloc_zeroed(n, sizeof *most), *sum = alloc_zeroed(n, sizeof *sum);
    MPI_Reduce(s->regions + first * n_regions, most, (int)n, MPI_DOUBLE, MPI_MAX, 0, s->request->job->comm);
    MPI_Reduce(s->regions + first * n_regions, sum, (int)n, MPI_DOUBLE, MPI_SUM, 0, s->request->job->comm);
    double *regions = alloc_array(n * N_REGION_TIMES, sizeof *regions);
    for (size_t i = 0; i < n; i++) {
        regions[i * N_REGION_TIMES + REGION_max] = most[i];
        regions[i * N_REGION_TIMES + REGION_mean] = sum[i] / program->numprocs;
    }
    free(most);
    free(sum);
    return regions;
}

static double seconds_of(const struct series *s, size_t k)
{
    return 1e-9 * (double)(clock_global(s->request->job->clock, s->runs[k].end) - s->runs[k].start);
}

static void run_tell(const struct series *s, uint32_t k)
{
    const struct job *job = s->request->job;
    double own = seconds_of(s, k), last = own;
    MPI_Reduce(&own, &last, 1, MPI_DOUBLE, MPI_MAX, 0, job->comm);
    double *regions = regions_of(s, k, 1);
    if (job->rank == 0)
        s->request->run_over(last, regions);
    free(regions);
}

static enum status run_once(struct series *s, uint32_t k, struct diags *diags)
{
    const struct measure_request *request = s->request;
    const struct job *job = request->job;
    struct stretch *run = &s->runs[k];
    enum status status = STATUS_OK;
    watch_set(job->watch, step_most(request), "agreeing on a start");
    if (request->verify)
        MPI_Barrier(job->comm); /* times are no matter */
    else
        common_start(s, run);
    run->end = clock_now(job->clock);
    if (request->executor)
        status = process_run(s, k, diags);
    if (status != STATUS_OK && status != STATUS_UNMATCHED)
        return status;
    watch_set(job->watch, request->executor ? step_most(request) : request->most, "waiting for the end of a run");
    end_meet(s);
    if (request->run_over)
        run_tell(s, k);
    return status;
}

/* ---- all ---- */

static void times_collect(const struct series *s, struct measured *measured)
{
    const struct job *job = s->request->job;
    size_t n = s->request->runs;
    double *own = alloc_array(n, sizeof *own), *last = alloc_array(n, sizeof *last), imbalance = 0;
    for (size_t k = 0; k < n; k++)
        own[k] = seconds_of(s, k);
    MPI_Allreduce(own, last, (int)n, MPI_DOUBLE, MPI_MAX, job->comm);
    for (size_t k = 0; k < n; k++)
        imbalance += last[k] - own[k];
    int late = s->n_late;
    double bound = 1e-9 * (double)s->bound;
    MPI_Allreduce(MPI_IN_PLACE, &late, 1, MPI_INT, MPI_MAX, job->comm);
    MPI_Allreduce(MPI_IN_PLACE, &bound, 1, MPI_DOUBLE, MPI_MAX, job->comm);
    *measured = (struct measured){.n = s->request->runs, .clock_bound = bound, .n_late = (uint32_t)late,
                                  .n_unreceived = s->n_unreceived, .seconds = last};
    if (job->rank == 0)
        measured->imbalance = alloc_array((size_t)job->size, sizeof *measured->imbalance);
    MPI_Gather(&imbalance, 1, MPI_DOUBLE, measured->imbalance, 1, MPI_DOUBLE, 0, job->comm);
    free(own);
}

enum status measure(const struct measure_request *request, struct measured *measured, struct diags *diags)
{
    struct series s = {.request = request, .runs = alloc_zeroed(request->runs, sizeof *s.runs)};
    s.regions = alloc_zeroed(request->runs * request->program->tree->n_regions, sizeof *s.regions);
    enum status status = STATUS_OK, unmatched = STATUS_OK;
    for (uint32_t k = 0; k < request->runs && (status == STATUS_OK || status == STATUS_UNMATCHED); k++) {
        status = run_once(&s, k, diags);
        unmatched = status == STATUS_UNMATCHED ? status : unmatched;
    }
    if (status == STATUS_OK || status == STATUS_UNMATCHED) {
        int any = unmatched != STATUS_OK;
        if (!request->verify && !request->goes_on)
            clock_look_after(&s);
        int64_t bound = clock_bound(request->job->clock, clock_now(request->job->clock));
        s.bound = bound > s.bound ? bound : s.bound;
        watch_set(request->job->watch, step_most(request), "collecting times");
        times_collect(&s, measured);
        measured->regions = regions_of(&s, 0, request->runs);
        MPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_INT, MPI_MAX, request->job->comm);
        status = any ? STATUS_UNMATCHED : STATUS_OK;
    }
    watch_set(request->job->watch, 0, NULL);
    free(s.runs);
    free(s.regions);
    return status;
}

void measured_free(struct measured *measured)
{
    free(measured->seconds);
    free(measured->imbalance);
    free(measured->regions);
    *measured = (struct measured){.n = 0};
}
