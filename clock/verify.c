#include "clock/verify.h"

#include "clock/outside.h"
#include "clock/share.h"
#include "clock/verify_impl.h"
#include "common/alloc.h"

#include <math.h>
#include <stdlib.h>

/* One block: messages, then starts. Long enough for thousands of messages, short enough that errors of many
 * synchronisations are seen within a minute. */
static const int64_t TALK_NS = 500000000, START_SLACK_NS = 1000000;
enum { STARTS = 20, LOOKS = 32 };

struct clock_error verify_error(double offset_us, double drift_ppm, int rank)
{
    /* Two uniform parts from -1 to 1 by splitmix64. */
    double part[2];
    uint64_t state = (uint64_t)rank * 2;
    for (int i = 0; i < 2; i++) {
        uint64_t z = ++state * 0x9e3779b97f4a7c15u;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        part[i] = (double)(z >> 11) / (double)(UINT64_C(1) << 52) - 1;
    }
    return (struct clock_error){llround(offset_us * 1e3 * part[0]), drift_ppm * part[1]};
}

/* What the true global clock, rank 0's, shows at a local time: all ranks read one kernel's clock. */
struct truth {
    struct clock_error error;
    int64_t start;
};

static struct truth truth_share(const struct clock *clock)
{
    struct truth truth = {clock->error, clock->error_start};
    MPI_Bcast(&truth, sizeof truth, MPI_BYTE, 0, clock->comm);
    return truth;
}

/* The truth that an error is measured by is rounded to 1 ns itself. */
static void error_add(struct verify_errors *errors, int64_t error, int64_t bound, int64_t limit)
{
    int64_t size = llabs(error) > 1 ? llabs(error) - 1 : 0;
    samples_add(&errors->error, size);
    samples_add(&errors->bound, bound);
    errors->n_outside += size > bound;
    errors->n_beyond += size > limit;
    errors->limit = limit > errors->limit ? limit : errors->limit;
}

/* Errors at times spread over a block, whose ends have been synchronised. */
static void errors_from_truth(const struct clock *clock, const struct truth *truth, int64_t from, int64_t to,
                              struct verify_errors *errors)
{
    for (int i = 0; i < LOOKS; i++) {
        int64_t local = from + (to - from) / LOOKS * i;
        int64_t global = clock_error_apply(&truth->error, truth->start, clock_error_undo(clock, local));
        error_add(errors, clock_global(clock, local) - global, clock_bound(clock, local), clock_limit(clock, local));
    }
}

static void errors_from_check(struct clock *clock, struct verify_errors *errors)
{
    size_t n = (size_t)clock->size;
    double *found = alloc_zeroed(2 * n, sizeof *found), mine[2];
    clock_verify(clock, found, found + n);
    MPI_Scatter(found, 1, MPI_DOUBLE, &mine[0], 1, MPI_DOUBLE, 0, clock->comm);
    MPI_Scatter(found + n, 1, MPI_DOUBLE, &mine[1], 1, MPI_DOUBLE, 0, clock->comm);
    error_add(errors, llround(mine[0]), llround(mine[1]), clock_limit(clock, clock_now(clock)));
    free(found);
}

/* The null pattern. The stamps become lateness when the block's second synchronisation is done. */
struct null_starts {
    int64_t start[STARTS], began[STARTS];
};

static void starts_run(struct clock *clock, struct null_starts *null, struct verify_starts *starts)
{
    for (int i = 0; i < STARTS; i++) {
        null->start[i] = clock_start(clock, START_SLACK_NS);
        starts->n_missed += !clock_wait(clock, null->start[i]);
        null->began[i] = clock_now(clock);
    }
}

static void starts_judge(const struct clock *clock, const struct null_starts *null, struct verify_starts *starts)
{
    int64_t lateness[STARTS], last[STARTS], first[STARTS];
    for (int i = 0; i < STARTS; i++)
        lateness[i] = clock_global(clock, null->began[i]) - null->start[i];
    samples_append(&starts->lateness, STARTS, lateness);
    MPI_Reduce(lateness, last, STARTS, MPI_INT64_T, MPI_MAX, 0, clock->comm);
    MPI_Reduce(lateness, first, STARTS, MPI_INT64_T, MPI_MIN, 0, clock->comm);
    for (int i = 0; i < STARTS && clock->rank == 0; i++)
        samples_add(&starts->spread, last[i] - first[i]);
}

/* Local time of the last synchronisation, or now where there is none (the root). */
static int64_t synchronised_at(const struct clock *clock)
{
    return clock->map.n > 0 ? clock->map.knots[clock->map.n - 1].local : clock_now(clock);
}

static void block_run(struct clock *clock, int distance, const struct truth *truth, struct verify_errors *errors,
                      struct verify_messages *messages, struct verify_starts *starts)
{
    int64_t from = synchronised_at(clock);
    struct null_starts null;
    share_barrier(clock->comm);
    struct verify_talk *talk = verify_talk(clock, distance, TALK_NS);
    share_barrier(clock->comm);
    starts_run(clock, &null, starts);
    clock_sync(clock);
    verify_talk_judge(clock, talk, messages);
    starts_judge(clock, &null, starts);
    if (clock->is_one_machine)
        errors_from_truth(clock, truth, from, synchronised_at(clock), errors);
    else
        errors_from_check(clock, errors);
}

/* ---- results of all ranks, on rank 0 ---- */

static void errors_collect(const struct clock *clock, struct verify_errors *errors, struct verify_report *report)
{
    struct samples all_errors = SAMPLES_EMPTY, all_bounds = SAMPLES_EMPTY, none = SAMPLES_EMPTY;
    bool is_root = clock->rank == 0; /* its clock is the global one: no error of its own */
    share_samples(clock->comm, is_root ? &none : &errors->error, &all_errors);
    share_samples(clock->comm, is_root ? &none : &errors->bound, &all_bounds);
    samples_sort(&errors->error);
    samples_sort(&errors->bound);
    struct verify_rank mine = {samples_quantile(&errors->error, 0.5), samples_quantile(&errors->error, 0.99),
                               samples_quantile(&errors->error, 1), samples_quantile(&errors->bound, 0.5),
                               errors->limit, errors->n_outside, errors->n_beyond, clock->error};
    report->ranks = alloc_array((size_t)clock->size, sizeof *report->ranks);
    MPI_Gather(&mine, sizeof mine, MPI_BYTE, report->ranks, sizeof mine, MPI_BYTE, 0, clock->comm);
    if (is_root && all_errors.n > 0) {
        samples_sort(&all_errors);
        samples_sort(&all_bounds);
        report->p99 = samples_quantile(&all_errors, 0.99);
        report->most = samples_quantile(&all_errors, 1);
        report->n_errors = (int64_t)all_errors.n;
        report->bound = samples_quantile(&all_bounds, 0.5);
    }
    samples_free(&all_errors);
    samples_free(&all_bounds);
}

static void messages_collect(const struct clock *clock, const struct verify_messages *own, struct verify_messages *all)
{
    int64_t sums[3] = {own->n, own->n_backwards, own->n_unequal}, most = own->largest_gap;
    int64_t least = own->n > 0 ? own->shortest : INT64_MAX;
    MPI_Reduce(clock->rank == 0 ? MPI_IN_PLACE : sums, sums, 3, MPI_INT64_T, MPI_SUM, 0, clock->comm);
    MPI_Reduce(&least, &all->shortest, 1, MPI_INT64_T, MPI_MIN, 0, clock->comm);
    MPI_Reduce(&most, &all->largest_gap, 1, MPI_INT64_T, MPI_MAX, 0, clock->comm);
    all->n = sums[0], all->n_backwards = sums[1], all->n_unequal = sums[2];
    share_histogram(clock->comm, &own->one_way, &all->one_way);
}

static void starts_collect(const struct clock *clock, struct verify_starts *own, struct verify_starts *all)
{
    share_samples(clock->comm, &own->lateness, &all->lateness);
    samples_append(&all->spread, own->spread.n, own->spread.ns);
    samples_sort(&all->lateness);
    samples_sort(&all->spread);
    MPI_Reduce(&own->n_missed, &all->n_missed, 1, MPI_INT64_T, MPI_SUM, 0, clock->comm);
}

/* No error beyond its limit, nor beyond what is demanded; no more beyond their bounds, which hold 95 % (clock.h), than
 * chance explains, where those of one rank in one block count once; causality; sums. */
static bool judge(const struct verify_report *report, int size)
{
    bool good = report->messages.n_backwards == 0 && report->messages.n_unequal == 0;
    int64_t n_outside = 0;
    for (int r = 0; r < size; r++) {
        good = good && report->ranks[r].n_beyond == 0;
        n_outside += report->ranks[r].n_outside;
    }
    return good && outside_is_chance(n_outside, report->n_errors, (size - 1) * report->n_blocks) &&
           report->most <= report->accuracy;
}

static void verify_run(struct clock *clock, double duration, FILE *out, struct verify_report *report)
{
    struct verify_errors errors = {.limit = 0};
    struct verify_messages messages = {.n = 0};
    struct verify_starts starts = {.n_missed = 0};
    histogram_init(&messages.one_way, 0.01);
    histogram_init(&report->messages.one_way, 0.01);
    struct truth truth = truth_share(clock);
    double begin = MPI_Wtime();
    clock_sync(clock);
    for (int goes_on = 1; goes_on; report->n_blocks++) {
        int distance = 1 + (int)(report->n_blocks % (clock->size > 1 ? clock->size - 1 : 1));
        block_run(clock, distance, &truth, &errors, &messages, &starts);
        goes_on = MPI_Wtime() - begin < duration;
        MPI_Bcast(&goes_on, 1, MPI_INT, 0, clock->comm);
    }
    report->duration = MPI_Wtime() - begin;
    report->is_truth = clock->is_one_machine;
    errors_collect(clock, &errors, report);
    messages_collect(clock, &messages, &report->messages);
    starts_collect(clock, &starts, &report->starts);
    if (clock->rank == 0) {
        int64_t tenth = report->messages.shortest / 10;
        report->accuracy = report->messages.n > 0 && tenth > 5000 ? tenth : 5000;
        report->passed = judge(report, clock->size);
        verify_report_print(clock, report, out);
    }
    histogram_free(&messages.one_way);
    samples_free(&errors.error);
    samples_free(&errors.bound);
    samples_free(&starts.lateness);
    samples_free(&starts.spread);
}

enum status bench_verify_clock(MPI_Comm comm, const struct verify_options *options, FILE *out, bool *passed)
{
    struct clock *clock = clock_create(comm, &options->clock);
    struct verify_report report = {.duration = 0};
    verify_run(clock, options->duration, out, &report);
    int good = report.passed;
    MPI_Bcast(&good, 1, MPI_INT, 0, clock->comm);
    *passed = good;
    histogram_free(&report.messages.one_way);
    samples_free(&report.starts.lateness);
    samples_free(&report.starts.spread);
    free(report.ranks);
    clock_destroy(clock);
    return out && ferror(out) ? STATUS_IO : STATUS_OK;
}
