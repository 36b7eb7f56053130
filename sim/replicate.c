#include "sim/replicate.h"

#include "common/alloc.h"

#include <assert.h>
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* Replications between two meetings of the ranks when the number is exact: bounds what one gather moves. */
enum { STAGE_MOST = 1 << 20 };

/* A thread's engine. An engine's cost grows with its width, so small stages use narrow ones. */
struct worker {
    struct engine *engine;        /* NULL until the thread has something to do */
    int lanes;
};

/* What is known so far, by replication number, and the engines that find out more. */
struct work {
    const struct engine_setup *setup;
    enum engine_kind engine;
    const struct replicate_plan *plan;
    int lanes, threads;           /* widest batch */
    int lanes_used;               /* widest batch so far */
    struct worker *workers;       /* [threads] */
    size_t known, capacity;
    double *time, *serial,
        *inversion; /* [capacity]; inversion: 0 or 1, a double so that it is gathered like the others */
    struct engine_totals totals;
};

/* A contiguous range of replications cut into batches, while threads work on it. */
struct share {
    size_t first, end, width, n_batches;
    size_t failed;                /* lowest batch that failed so far; n_batches: none */
    enum status status;           /* of that batch */
    struct diags *diags;          /* takes what batch 0 says */
    size_t done;                  /* replications */
};

static bool spread_is_alone(const struct spread *spread)
{
    return !spread || spread->size == 1;
}

enum status replicate_agree(const struct spread *spread, enum status own, struct diags *diags)
{
    if (spread_is_alone(spread))
        return own;
    size_t n = (size_t)spread->size;
    double *all = alloc_zeroed(n, sizeof *all);
    size_t *first = alloc_array(n + 1, sizeof *first);
    for (size_t k = 0; k <= n; k++)
        first[k] = k;
    all[spread->rank] = (double)own;
    enum status agreed = spread->gather(spread, all, first);
    if (agreed != STATUS_OK)
        diag_error(diags, place_of_file(NULL), "the ranks lost touch with each other (an MPI call failed)");
    for (size_t k = 0; k < n && agreed == STATUS_OK; k++) {
        agreed = (enum status)all[k];
        if (agreed != STATUS_OK && agreed != STATUS_INTERRUPTED && own == STATUS_OK)
            diag_error(diags, place_of_file(NULL), "rank %zu failed (%s)", k, status_name(agreed));
    }
    free(first);
    free(all);
    return agreed;
}

uint32_t replicate_next(uint32_t known)
{
    uint32_t next = REPLICATE_FIRST;
    while (next <= known && next < REPLICATE_MOST)
        next *= 2;
    return next;
}

/* Wide enough to fill the lanes, narrow enough that every thread has something to do. A width that was asked for is
 * kept. */
static size_t batch_width(const struct work *work, size_t n)
{
    size_t lanes = (size_t)work->lanes, threads = (size_t)work->threads;
    if (lanes == 1 || work->plan->lanes > 0)
        return lanes;
    if (n == 1)
        return 1;
    size_t width = ((n + threads - 1) / threads + 7) / 8 * 8;
    return width < lanes ? width : lanes;
}

/* The whole plan's progress as far as this rank sees it. */
static void show_progress(const struct work *work, size_t done, size_t stage)
{
    const struct replicate_plan *plan = work->plan;
    size_t ranks = plan->spread ? (size_t)plan->spread->size : 1;
    size_t expected = plan->exact > 0 ? plan->exact : work->known + stage * ranks;
    progress_replications(plan->progress, work->known + done * ranks, expected);
}

/* This thread's engine, at least `lanes` wide. */
static struct engine *engine_for(struct work *work, int lanes)
{
    struct worker *worker = &work->workers[omp_get_thread_num()];
    if (worker->engine && worker->lanes < lanes) {
        engine_destroy(worker->engine);
        worker->engine = NULL;
    }
    if (!worker->engine) {
        worker->engine = engine_create(work->engine, work->setup, lanes);
        worker->lanes = lanes;
    }
    return worker->engine;
}

/* Runs one batch and keeps its outcomes. */
static enum status batch_run(struct work *work, const struct share *share, size_t batch, struct engine_totals *totals,
                             struct diags *diags)
{
    size_t first = share->first + batch * share->width;
    size_t n = share->end - first < share->width ? share->end - first : share->width;
    struct engine *engine = engine_for(work, (int)share->width);
    struct outcome outcome[ENGINE_LANES_MOST];
    enum status status = engine_run(engine, (uint32_t)first, (int)n, outcome, totals, diags);
    for (size_t i = 0; i < n && status == STATUS_OK; i++) {
        work->time[first + i] = outcome[i].time;
        work->serial[first + i] = outcome[i].serial;
        work->inversion[first + i] = outcome[i].port_inversion;
    }
    return status;
}

static void batch_share(struct work *work, struct share *share, size_t batch)
{
    struct engine_totals totals = {0};
    struct diags others = DIAGS_EMPTY;
    enum status status = batch_run(work, share, batch, &totals, batch == 0 ? share->diags : &others);
    diags_free(&others);
#pragma omp critical(share_result)
    {
        if (status == STATUS_OK && batch == 0)
            work->totals = totals;
        if (status != STATUS_OK && batch < share->failed) {
#pragma omp atomic write
            share->failed = batch;
            share->status = status;
        }
        share->done += share->width;
        show_progress(work, share->done, share->end - share->first);
    }
}

/* Batches are handed out in ascending order, so the lowest one that fails is always run, whatever the threads do. All
 * replications take the same path, so that is batch 0 and its diagnostics are the caller's; should another fail alone,
 * it is run again for its own. */
static void share_run(struct work *work, struct share *share)
{
    size_t n = share->end - share->first;
    share->width = n > 0 ? batch_width(work, n) : 1;
    share->n_batches = (n + share->width - 1) / share->width;
    work->lanes_used = (int)share->width > work->lanes_used ? (int)share->width : work->lanes_used;
    share->failed = share->n_batches;
    int threads = share->n_batches < (size_t)work->threads ? (int)share->n_batches : work->threads;
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads) if (threads > 1)
    for (size_t batch = 0; batch < share->n_batches; batch++) {
        size_t failed;
#pragma omp atomic read
        failed = share->failed;
        if (batch < failed)
            batch_share(work, share, batch);
    }
    if (share->failed > 0 && share->failed < share->n_batches && share->status != STATUS_INTERRUPTED)
        share->status = batch_run(work, share, share->failed, NULL, share->diags);
}

/* Every rank gets what the others found in replications split[0] ... split[size] - 1, and how far each came.
 * known [size] out: replications from split[k] on that rank k has. */
static enum status stage_gather(struct work *work, const size_t split[], size_t own_known, size_t known[])
{
    const struct spread *spread = work->plan->spread;
    size_t n = (size_t)spread->size, base = split[0];
    size_t *first = alloc_array(n + 1, sizeof *first);
    double *counts = alloc_zeroed(n, sizeof *counts);
    for (size_t k = 0; k <= n; k++)
        first[k] = k;
    counts[spread->rank] = (double)own_known;
    enum status status = spread->gather(spread, counts, first);
    for (size_t k = 0; k <= n; k++)
        first[k] = split[k] - base;
    if (status == STATUS_OK)
        status = spread->gather(spread, work->time + base, first);
    if (status == STATUS_OK)
        status = spread->gather(spread, work->serial + base, first);
    if (status == STATUS_OK)
        status = spread->gather(spread, work->inversion + base, first);
    for (size_t k = 0; k < n; k++)
        known[k] = (size_t)counts[k];
    free(counts);
    free(first);
    return status;
}

/* Where rank k's part of n replications starts. Rank 0 has the first of them: its totals are the ones that are
 * reported. */
static size_t split_at(size_t n, int k, int size)
{
    return (n * (size_t)k + (size_t)size - 1) / (size_t)size;
}

/* Runs replications known ... target - 1 on all ranks. */
static enum status stage_run(struct work *work, size_t target, struct diags *diags)
{
    const struct spread *spread = work->plan->spread;
    int rank = spread ? spread->rank : 0, size = spread ? spread->size : 1;
    size_t *split = alloc_array((size_t)size + 1, sizeof *split), *known = alloc_zeroed((size_t)size, sizeof *known);
    for (int k = 0; k <= size; k++)
        split[k] = work->known + split_at(target - work->known, k, size);
    struct share share = {.first = split[rank], .end = split[rank + 1], .diags = diags};
    share_run(work, &share);
    size_t own = share.failed < share.n_batches ? share.failed * share.width : share.end - share.first;
    for (size_t i = share.first + own; i < share.end; i++)
        work->time[i] = work->serial[i] = work->inversion[i] = 0; /* gathered, never looked at */

    enum status status = replicate_agree(spread, share.status, diags);
    known[spread_is_alone(spread) ? 0 : rank] = own;
    if (!spread_is_alone(spread) && (status == STATUS_OK || status == STATUS_INTERRUPTED)) {
        enum status gathered = stage_gather(work, split, own, known);
        status = gathered == STATUS_OK ? status : gathered;
    }
    for (int k = 0; k < size; k++) {
        work->known += known[k];
        if (known[k] < split[k + 1] - split[k])
            break;
    }
    free(known);
    free(split);
    return status;
}

static void work_grow(struct work *work, size_t n)
{
    if (n <= work->capacity)
        return;
    work->time = alloc_resize(work->time, n, sizeof *work->time);
    work->serial = alloc_resize(work->serial, n, sizeof *work->serial);
    work->inversion = alloc_resize(work->inversion, n, sizeof *work->inversion);
    work->capacity = n;
}

static void work_free(struct work *work)
{
    for (int i = 0; i < work->threads; i++)
        engine_destroy(work->workers[i].engine);
    free(work->workers);
    free(work->time);
    free(work->serial);
    free(work->inversion);
}

static uint32_t replication_near(const struct work *work, double time)
{
    size_t nearest = 0;
    for (size_t i = 1; i < work->known; i++)
        if (fabs(work->time[i] - time) < fabs(work->time[nearest] - time))
            nearest = i;
    return (uint32_t)nearest;
}

static void result_fill(const struct work *work, struct replicate_result *result)
{
    *result = (struct replicate_result){.totals = work->totals, .lanes = work->lanes_used, .engine = work->engine,
                                        .no_chance = work->setup->mode != MODE_distribution, .precise = true};
    if (work->known == 0)
        return;
    if (work->plan->exact > 0 && work->plan->times)
        memcpy(work->plan->times, work->time, work->known * sizeof *work->time);
    statistics_compute(&result->time, work->known, work->time);
#define X(name) result->picks[PICK_##name] = replication_near(work, result->time.name);
    REPLICATE_PICK_LIST(X)
#undef X
    if (result->no_chance && work->known == 1)
        result->time.sd = result->time.ci95 = 0;
    struct statistics serial;
    statistics_compute_mean(&serial, work->known, work->serial);
    result->serial = serial.mean;
    for (size_t i = 0; i < work->known; i++)
        result->inversions += work->inversion[i] != 0;
}

static bool is_precise(const struct work *work)
{
    struct statistics now;
    statistics_compute_mean(&now, work->known, work->time);
    return work->setup->mode != MODE_distribution || now.ci95 <= work->plan->precision * now.mean;
}

static enum status run_exactly(struct work *work, struct diags *diags)
{
    enum status status = STATUS_OK;
    size_t wanted = work->plan->exact;
    while (work->known < wanted && status == STATUS_OK) {
        size_t target = wanted - work->known < STAGE_MOST ? wanted : work->known + STAGE_MOST;
        work_grow(work, target);
        status = stage_run(work, target, diags);
    }
    return status;
}

static enum status run_until_precise(struct work *work, bool *precise, struct diags *diags)
{
    do {
        size_t target = work->setup->mode != MODE_distribution ? 1 : replicate_next((uint32_t)work->known);
        work_grow(work, target);
        enum status status = stage_run(work, target, diags);
        if (status != STATUS_OK)
            return status;
        *precise = is_precise(work);
    } while (!*precise && work->known < REPLICATE_MOST);
    return STATUS_OK;
}

enum status replicate_run(const struct engine_setup *setup, const struct replicate_plan *plan,
                          struct replicate_result *result, struct diags *diags)
{
    assert(plan->threads >= 1 && (plan->exact > 0 || plan->precision > 0));
    struct work work = {.setup = setup, .plan = plan, .threads = plan->threads, .lanes = plan->lanes};
    work.engine = engine_choose(setup, plan->engine);
    if (work.engine != ENGINE_LANES)
        work.lanes = 1;
    else if (work.lanes == 0)
        work.lanes = engine_lanes_for(setup, plan->exact > 0 ? plan->exact : REPLICATE_MOST);
    work.workers = alloc_zeroed((size_t)work.threads, sizeof *work.workers);
    bool precise = true;
    enum status status = plan->exact > 0 ? run_exactly(&work, diags) : run_until_precise(&work, &precise, diags);
    result_fill(&work, result);
    result->precise = precise;
    work_free(&work);
    return status;
}
