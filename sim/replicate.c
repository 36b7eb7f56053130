#include "sim/replicate.h"

#include "common/alloc.h"
#include "engine/random.h"
#include "sim/model_error.h"

#include <assert.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Replications between two meetings of the ranks when the number is exact: bounds what one gather moves. */
enum { STAGE_MOST = 1 << 20 };

/* s: what a run takes at most. Statistics add up squares, so from 1e154 on they would be infinite or no number; nobody waits for as
 * much as 1e20. */
static const double longest_run = 1e150;

/* A thread's engine. An engine's cost grows with its width, so small stages use narrow ones. */
struct worker {
    struct engine *engine;        /* NULL until the thread has something to do */
    struct engine *ordered;       /* ENGINE_TIMED beside another; NULL until a replication wants it */
    int lanes;
};

/* What happened in a replication; kept as a double so that it is gathered like the others. */
enum mark { MARK_NONE, MARK_INVERSION, MARK_DEADLOCK };

/* What is known so far, by replication number, and the engines that find out more. */
struct work {
    const struct engine_setup *setup; /* &own */
    struct engine_setup own;      /* the caller's, but that its watch is told by one thread at a time */
    struct engine_watch watch;
    enum engine_kind engine;
    const struct replicate_plan *plan;
    int lanes, threads;           /* widest batch */
    int lanes_used;               /* widest batch so far */
    struct worker *workers;       /* [threads] */
    bool probing;                 /* inversions are only counted */
    size_t switched;              /* inversions that made all replications run in ENGINE_TIMED; 0: they do not */
    size_t known, capacity;
    double *time, *serial, *mark; /* [capacity]; mark: enum mark; time and serial are 0 at a deadlock */
    size_t n_region;              /* numbers that a replication has of regions; 0: none are wanted */
    double *regions;              /* [capacity][n_region] */
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
        if (agreed != STATUS_OK && agreed != STATUS_INTERRUPTED && agreed != STATUS_GONE && own == STATUS_OK)
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

/* Whether a replication may deadlock and another not. */
static bool deadlock_is_chance(const struct work *work)
{
    return work->engine == ENGINE_TIMED && work->setup->mode == MODE_distribution && work->setup->program->time_decides;
}

static void regions_keep(struct work *work, size_t replication, const struct engine *engine, int lane)
{
    if (work->n_region > 0)
        memcpy(work->regions + replication * work->n_region, engine_regions(engine, lane),
               work->n_region * sizeof *work->regions);
}

/* A replication that was served out of order, run again in the order of time. */
static enum status run_in_order(struct work *work, size_t replication, struct outcome *outcome, struct diags *diags)
{
    struct worker *worker = &work->workers[omp_get_thread_num()];
    if (!worker->ordered)
        worker->ordered = engine_create(ENGINE_TIMED, work->setup, 1);
    enum status status = engine_run(worker->ordered, (uint32_t)replication, 1, outcome, NULL, diags);
    outcome->inversion = true;
    regions_keep(work, replication, worker->ordered, 0);
    return status;
}

/* A deadlock is an outcome where it is a matter of chance. */
static bool deadlock_kept(struct work *work, size_t replication, enum status status)
{
    if (status != STATUS_DEADLOCK || !deadlock_is_chance(work))
        return false;
    work->time[replication] = work->serial[replication] = 0;
    work->mark[replication] = MARK_DEADLOCK;
    return true;
}

/* Runs one batch and keeps its outcomes. */
static enum status batch_run(struct work *work, const struct share *share, size_t batch, struct engine_totals *totals,
                             struct diags *diags)
{
    size_t first = share->first + batch * share->width;
    size_t n = share->end - first < share->width ? share->end - first : share->width;
    struct engine *engine = engine_for(work, (int)share->width);
    struct outcome outcome[ENGINE_LANES_MOST];
    struct diags deadlocks = DIAGS_EMPTY; /* the first one's are said in the end */
    bool chance = deadlock_is_chance(work);
    enum status status = engine_run(engine, (uint32_t)first, (int)n, outcome, totals, chance ? &deadlocks : diags);
    diags_free(&deadlocks);
    if (deadlock_kept(work, first, status))
        return STATUS_OK;
    if (chance && status != STATUS_OK && status != STATUS_INTERRUPTED)
        return engine_run(engine, (uint32_t)first, 1, outcome, NULL, diags); /* another failure: now in the open */
    for (size_t i = 0; i < n && status == STATUS_OK; i++) {
        regions_keep(work, first + i, engine, (int)i);
        if (outcome[i].inversion && !work->probing)
            status = run_in_order(work, first + i, &outcome[i], diags);
        work->time[first + i] = outcome[i].time;
        work->serial[first + i] = outcome[i].serial;
        work->mark[first + i] = outcome[i].inversion ? MARK_INVERSION : MARK_NONE;
    }
    return status;
}

/* Whoever is told may draw, and so does the progress bar. */
static void slow_tell(void *context, const struct slow_loop *loop)
{
    const struct engine_watch *watch = context; /* the caller's */
#pragma omp critical(share_result)
    watch->tell(watch->context, loop);
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
        status = spread->gather(spread, work->mark + base, first);
    for (size_t k = 0; k <= n; k++)
        first[k] = (split[k] - base) * work->n_region;
    if (status == STATUS_OK && work->n_region > 0)
        status = spread->gather(spread, work->regions + base * work->n_region, first);
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

/* Are the run times of replications from `first` on numbers that statistics can be made of? Else these are not known. */
static enum status times_check(struct work *work, size_t first, struct diags *diags)
{
    const int numprocs = work->setup->program->numprocs;
    for (size_t r = first; r < work->known; r++)
        if (work->mark[r] != MARK_DEADLOCK && !(work->time[r] <= longest_run)) {
            diag_error(diags, place_of_file(NULL), "a run on %d process%s would take longer than %g s (replication %zu): are a time, "
                       "a size or a number of iterations what they should be?", numprocs, numprocs == 1 ? "" : "es",
                       longest_run, r);
            work->known = first;
            return STATUS_RANGE;
        }
    return STATUS_OK;
}

/* Runs replications known ... target - 1 on all ranks. */
static enum status stage_run(struct work *work, size_t target, struct diags *diags)
{
    const struct spread *spread = work->plan->spread;
    int rank = spread ? spread->rank : 0, size = spread ? spread->size : 1;
    const size_t known_before = work->known;
    size_t *split = alloc_array((size_t)size + 1, sizeof *split), *known = alloc_zeroed((size_t)size, sizeof *known);
    for (int k = 0; k <= size; k++)
        split[k] = work->known + split_at(target - work->known, k, size);
    struct share share = {.first = split[rank], .end = split[rank + 1], .diags = diags};
    share_run(work, &share);
    size_t own = share.failed < share.n_batches ? share.failed * share.width : share.end - share.first;
    for (size_t i = share.first + own; i < share.end; i++)
        work->time[i] = work->serial[i] = work->mark[i] = 0; /* gathered, never looked at */
    for (size_t i = (share.first + own) * work->n_region; i < share.end * work->n_region; i++)
        work->regions[i] = 0;

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
    return status == STATUS_OK ? times_check(work, known_before, diags) : status;
}

static void work_grow(struct work *work, size_t n)
{
    if (n <= work->capacity)
        return;
    work->time = alloc_resize(work->time, n, sizeof *work->time);
    work->serial = alloc_resize(work->serial, n, sizeof *work->serial);
    work->mark = alloc_resize(work->mark, n, sizeof *work->mark);
    if (work->n_region > 0)
        work->regions = alloc_resize(work->regions, n * work->n_region, sizeof *work->regions);
    work->capacity = n;
}

static void workers_free(struct work *work)
{
    for (int i = 0; i < work->threads; i++) {
        engine_destroy(work->workers[i].engine);
        engine_destroy(work->workers[i].ordered);
        work->workers[i] = (struct worker){0};
    }
}

static void work_free(struct work *work)
{
    workers_free(work);
    free(work->workers);
    free(work->time);
    free(work->serial);
    free(work->mark);
    free(work->regions);
}

static size_t marks_count(const struct work *work, enum mark mark)
{
    size_t n = 0;
    for (size_t i = 0; i < work->known; i++)
        n += work->mark[i] == (double)mark;
    return n;
}

/* The first replication that deadlocks, or that does not; work->known: none. */
static size_t first_with(const struct work *work, bool deadlock)
{
    size_t i = 0;
    while (i < work->known && (work->mark[i] == MARK_DEADLOCK) != deadlock)
        i++;
    return i;
}

/* The values of the replications that end, in their order; *n of them. The caller frees it. */
static double *ended_values(const struct work *work, const double values[], size_t *n)
{
    double *ended = alloc_array(work->known, sizeof *ended);
    *n = 0;
    for (size_t i = 0; i < work->known; i++)
        if (work->mark[i] != MARK_DEADLOCK)
            ended[(*n)++] = values[i];
    return ended;
}

static uint32_t replication_near(const struct work *work, double time)
{
    size_t nearest = first_with(work, false);
    for (size_t i = nearest + 1; i < work->known; i++)
        if (work->mark[i] != MARK_DEADLOCK && fabs(work->time[i] - time) < fabs(work->time[nearest] - time))
            nearest = i;
    return (uint32_t)nearest;
}

static void times_copy(const struct work *work)
{
    double *times = work->plan->exact > 0 ? work->plan->times : NULL;
    for (size_t i = 0; times && i < work->known; i++)
        times[i] = work->mark[i] == MARK_DEADLOCK ? NAN : work->time[i];
}

/* How much later the run ends, on the mean, where the machine is slower by one standard deviation, s. */
static double mean_difference(const struct work *work, const struct replicate_later *later)
{
    double sum = 0, times = 0;
    size_t n = 0;
    for (size_t r = 0; r < later->n && r < work->known; r++) {
        if (work->mark[r] == MARK_DEADLOCK || isnan(later->times[r]))
            continue;
        sum += later->times[r] - work->time[r];
        times += work->time[r];
        n++;
    }
    const double mean = n > 0 ? sum / (double)n : 0, time = n > 0 ? times / (double)n : 0;
    return later->part * mean * model_error_weight(later->powers, later->spread, later->added * mean, time);
}

/* One standard deviation of what is not known of the machine, s. Variances of independent parts add. */
static double calibration_sd(const struct work *work)
{
    double sd = 0;
    for (size_t i = 0; i < work->plan->n_later; i++)
        sd = hypot(sd, mean_difference(work, &work->plan->later[i]));
    return sd;
}

/* What a user would measure: another launch of the job, on a network that another calibration would have found and no
 * model describes without error. */
static void quantiles_widen(const struct work *work, struct statistics *time)
{
    double sd = calibration_sd(work), *times = alloc_array(work->known, sizeof *times);
    size_t n = 0;
    for (size_t r = 0; r < work->known; r++)
        if (work->mark[r] != MARK_DEADLOCK)
            times[n++] = work->time[r];
    statistics_widen(time, n, times, sd);
    free(times);
}

static void regions_average(const struct work *work)
{
    double n = (double)(work->known - marks_count(work, MARK_DEADLOCK));
    for (size_t k = 0; k < work->n_region; k++) {
        double sum = 0;
        for (size_t i = 0; i < work->known; i++)
            sum += work->mark[i] == MARK_DEADLOCK ? 0 : work->regions[i * work->n_region + k];
        work->plan->regions[k] = sum / n;
    }
}

static void result_fill(const struct work *work, struct replicate_result *result)
{
    *result = (struct replicate_result){.totals = work->totals, .lanes = work->lanes_used, .engine = work->engine,
                                        .no_chance = work->setup->mode != MODE_distribution, .precise = true};
    result->inversions = work->switched > 0 ? work->switched : marks_count(work, MARK_INVERSION);
    result->inversions_of = work->switched > 0 && work->known > REPLICATE_FIRST ? REPLICATE_FIRST : work->known;
    result->deadlocks = marks_count(work, MARK_DEADLOCK);
    if (work->known == result->deadlocks)
        return;
    times_copy(work);
    regions_average(work);
    size_t n;
    double *times = ended_values(work, work->time, &n), *serials = ended_values(work, work->serial, &n);
    statistics_compute(&result->time, n, times);
    if (work->plan->n_later > 0)
        quantiles_widen(work, &result->time);
#define X(name) result->picks[PICK_##name] = replication_near(work, result->time.name);
    REPLICATE_PICK_LIST(X)
#undef X
    if (result->no_chance && n == 1)
        result->time.sd = result->time.ci95 = 0;
    struct statistics serial;
    statistics_compute_mean(&serial, n, serials);
    result->serial = serial.mean;
    free(serials);
    free(times);
}

/* Of replications that all deadlock nothing more is to be learnt. */
static bool is_precise(const struct work *work)
{
    size_t n;
    double *times = ended_values(work, work->time, &n);
    struct statistics now = {0};
    if (n > 0)
        statistics_compute_mean(&now, n, times);
    free(times);
    return n == 0 || work->setup->mode != MODE_distribution || now.ci95 <= work->plan->precision * now.mean;
}

/* The first replications, where ports may be served out of order: shall all be run in the order of time? Those that are
 * known afterwards are good. */
static enum status probe_run(struct work *work, size_t target, struct diags *diags)
{
    work->probing = true;
    work_grow(work, target);
    enum status status = stage_run(work, target, diags);
    work->probing = false;
    size_t inversions = marks_count(work, MARK_INVERSION);
    if (inversions == 0)
        return status;
    if (status == STATUS_OK && 2 * inversions > target) {
        workers_free(work);
        work->engine = ENGINE_TIMED;
        work->lanes = 1;
        work->lanes_used = 0;
        work->switched = inversions;
    }
    work->known = 0;
    return status;
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
    size_t first = work->setup->mode != MODE_distribution ? 1 : REPLICATE_FIRST;
    while (work->known < first || (!is_precise(work) && work->known < REPLICATE_MOST)) {
        size_t target = work->known < first ? first : replicate_next((uint32_t)work->known);
        work_grow(work, target);
        enum status status = stage_run(work, target, diags);
        if (status != STATUS_OK)
            return status;
    }
    *precise = is_precise(work);
    return STATUS_OK;
}

/* Two digits are enough of a percentage, and of one above 10 those before the point. */
static int percent_decimals(double percent)
{
    return percent >= 10 || percent == 0 ? 0 : percent >= 1 ? 1 : 2;
}

char *replicate_deadlock_text(uint64_t deadlocks, uint64_t n, char text[REPLICATE_DEADLOCK_BYTES])
{
    double share = 100 * (double)deadlocks / (double)n, low, high;
    statistics_wilson(deadlocks, n, &low, &high);
    low *= 100;
    high *= 100;
    snprintf(text, REPLICATE_DEADLOCK_BYTES,
             "deadlock in %llu of %llu replications (%.*f %%, 95 %% interval %.*f to %.*f %%)",
             (unsigned long long)deadlocks, (unsigned long long)n, percent_decimals(share), share,
             percent_decimals(low), low, percent_decimals(high), high);
    return text;
}

/* Says what the first deadlock was: it is run again, for its diagnostics, and so is the first replication that ends,
 * for the totals. Every rank says the same. STATUS_DEADLOCK: none ends. */
static enum status deadlocks_tell(struct work *work, struct diags *diags)
{
    size_t first = first_with(work, true), ended = first_with(work, false);
    if (first == work->known)
        return STATUS_OK;
    struct outcome outcome;
    struct engine *engine = engine_for(work, 1);
    char text[REPLICATE_DEADLOCK_BYTES];
    replicate_deadlock_text(marks_count(work, MARK_DEADLOCK), work->known, text);
    if (ended < work->known) {
        engine_run(engine, (uint32_t)ended, 1, &outcome, &work->totals, diags);
        diag_error(diags, place_of_file(NULL), "%s on %d processes; in replication %zu:", text,
                   work->setup->program->numprocs, first);
    }
    enum status status = engine_run(engine, (uint32_t)first, 1, &outcome, NULL, diags);
    status = ended < work->known && status == STATUS_DEADLOCK ? STATUS_OK : status;
    return replicate_agree(work->plan->spread, status, diags);
}

static void work_init(struct work *work, const struct engine_setup *setup, const struct replicate_plan *plan)
{
    *work = (struct work){.plan = plan, .threads = plan->threads, .lanes = plan->lanes};
    work->engine = engine_choose(setup, plan->engine);
    if (work->engine != ENGINE_LANES)
        work->lanes = 1;
    else if (work->lanes == 0)
        work->lanes = engine_lanes_for(setup, plan->exact > 0 ? plan->exact : REPLICATE_MOST);
    work->n_region = plan->regions ? region_numbers(setup->program) : 0;
    work->workers = alloc_zeroed((size_t)work->threads, sizeof *work->workers);
    work->own = *setup;
    work->setup = &work->own;
    if (setup->watch) {
        work->watch = (struct engine_watch){setup->watch->period, slow_tell, (void *)setup->watch};
        work->own.watch = &work->watch;
    }
}

enum status replicate_run(const struct engine_setup *setup, const struct replicate_plan *plan,
                          struct replicate_result *result, struct diags *diags)
{
    assert(plan->threads >= 1 && (plan->exact > 0 || plan->precision > 0));
    struct work work;
    work_init(&work, setup, plan);
    bool precise = true;
    enum status status = STATUS_OK;
    if (work.engine != ENGINE_TIMED && setup->model->ports != PORTS_OFF) {
        size_t wanted = plan->exact > 0 ? plan->exact : setup->mode != MODE_distribution ? 1 : REPLICATE_FIRST;
        status = probe_run(&work, wanted < REPLICATE_FIRST ? wanted : REPLICATE_FIRST, diags);
    }
    if (status == STATUS_OK)
        status = plan->exact > 0 ? run_exactly(&work, diags) : run_until_precise(&work, &precise, diags);
    if (status == STATUS_OK)
        status = deadlocks_tell(&work, diags);
    result_fill(&work, result);
    result->precise = precise;
    work_free(&work);
    return status;
}
