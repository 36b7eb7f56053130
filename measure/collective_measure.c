#include "measure/collective.h"

#include "common/alloc.h"
#include "measure/collective_impl.h"

#include <stddef.h>
#include <stdlib.h>

/* Windows announced together. Few enough that the clock and the window's length are looked after often. */
enum { BATCH_MOST = 64, WARM_UP = 3 };
static const int64_t BATCH_NS = 500000000;       /* about how long a batch may take */
static const int64_t FIRST_WINDOW_NS = 10000000; /* before anything is known */
static const int64_t FIRST_SLACK_NS = 250000, SLACK_MOST_NS = 1000000000;

/* What rank 0 announces: repetitions at start, start + window, ...; n = 0 ends the measurement. */
struct batch {
    int64_t start, window;
    int32_t n, stop;
};

/* What a process did in one repetition. */
struct repetition {
    int64_t late;       /* 1: a process came too late to wait for the start */
    int64_t skew;       /* ns from the common start to the call */
    int64_t completion; /* ns from the common start to the return */
};
enum { REPETITION_FIELDS = sizeof(struct repetition) / sizeof(int64_t) };

static void batch_run(const struct clock *clock, enum collective op, const struct operands *operands,
                      const struct batch *batch, struct repetition repetitions[])
{
    for (int k = 0; k < batch->n; k++) {
        int64_t start = batch->start + k * batch->window;
        repetitions[k].late = !clock_wait(clock, start);
        int64_t begin = clock_now(clock);
        collective_call(op, operands);
        int64_t end = clock_now(clock);
        repetitions[k].skew = clock_global(clock, begin) - start;
        repetitions[k].completion = clock_global(clock, end) - start;
    }
}

/* Over all processes, each field of the k-th of n repetitions; all: [size][n]. */
static struct repetition largest_of(const struct repetition all[], int size, int n, int k)
{
    struct repetition most = all[k];
    for (int r = 1; r < size; r++) {
        const struct repetition *other = &all[(ptrdiff_t)r * n + k];
        most.late = other->late > most.late ? other->late : most.late;
        most.skew = other->skew > most.skew ? other->skew : most.skew;
        most.completion = other->completion > most.completion ? other->completion : most.completion;
    }
    return most;
}

/* Rank 0's view of a measurement on its way. */
struct course {
    const struct stopping *rule;
    int64_t begin;          /* local ns */
    int64_t idle_ns, window;
    int64_t slack;          /* ns more notice than usual, as the first window was late before */
    struct samples seen;    /* completions of all repetitions in time, warm-up too */
    bool is_warm;
};

/* A repetition that takes longer than its window spoils those it overruns, so a window costs its length times the mean
 * number that a repetition uses up: the cheapest of some quantiles with a quarter to spare. Sleeping and
 * waking on a crowded machine need MARGIN_NS. */
static int64_t window_cheapest(const struct samples *sorted, int64_t idle_ns)
{
    static const double quantiles[] = {0.5, 0.75, 0.9, 0.95, 0.99, 1};
    enum { MARGIN_NS = 200000 };
    int64_t best = 0;
    double least = 0;
    for (size_t i = 0; i < sizeof quantiles / sizeof *quantiles; i++) {
        int64_t usual = samples_quantile(sorted, quantiles[i]);
        int64_t window = idle_ns + usual + usual / 4 + MARGIN_NS;
        double cost = 0;
        for (size_t k = 0; k < sorted->n; k++)
            cost += (double)window * (double)(1 + (sorted->ns[k] + idle_ns) / window);
        if (best == 0 || cost < least)
            best = window, least = cost;
    }
    return best;
}

static void course_adapt(struct course *course, bool first_was_late)
{
    if (course->seen.n > 0) {
        samples_sort(&course->seen);
        course->window = window_cheapest(&course->seen, course->idle_ns);
    }
    int64_t more = course->slack > 0 ? 2 * course->slack : FIRST_SLACK_NS;
    course->slack = first_was_late ? (more < SLACK_MOST_NS ? more : SLACK_MOST_NS) : course->slack * 7 / 8;
}

static void batch_judge(struct course *course, enum collective op, const struct batch *batch, int size,
                        const struct repetition all[], struct collective_times *times)
{
    int n_late = 0, first = collective_is_rooted(op) ? 1 : 0;
    bool first_was_late = false;
    for (int k = 0; k < batch->n; k++) {
        struct repetition largest = largest_of(all, size, batch->n, k);
        n_late += largest.late > 0;
        first_was_late = first_was_late || (k == 0 && largest.late > 0);
        if (largest.late)
            continue;
        samples_add(&course->seen, largest.completion);
        if (!course->is_warm)
            continue;
        samples_add(&times->operation, largest.completion);
        samples_add(&times->skew, largest.skew);
        for (int r = first; r < size; r++)
            samples_add(&times->time, all[(ptrdiff_t)r * batch->n + k].completion);
        if (first > 0)
            samples_add(&times->root_time, all[k].completion);
    }
    times->n_late += course->is_warm ? n_late : 0;
    course->is_warm = course->is_warm || n_late < batch->n;
    course_adapt(course, first_was_late);
}

static void batch_plan(const struct clock *clock, struct course *course, const struct collective_times *times,
                       struct batch *batch)
{
    double elapsed = (double)(clock_now(clock) - course->begin) * 1e-9;
    enum stop stop = stopping_decide(course->rule, &times->operation, elapsed);
    *batch = (struct batch){clock_soon(clock, course->idle_ns + course->slack), course->window, 0, (int32_t)stop};
    if (stop != STOP_go_on)
        return;
    int64_t n = WARM_UP;
    if (course->is_warm) {
        int64_t wanted = (int64_t)(stopping_next_look(course->rule, times->operation.n) - times->operation.n);
        int64_t fitting = BATCH_NS / course->window;
        n = wanted < fitting ? wanted : fitting;
        n = n < 1 ? 1 : n > BATCH_MOST ? BATCH_MOST : n;
    }
    batch->n = (int32_t)n;
}

/* Hears of a batch; whether there is one. */
static bool batch_hear(const struct clock *clock, const struct collective_rest *rest, struct batch *batch)
{
    clock_announce(clock, rest->all, batch, sizeof *batch);
    watch_set(rest->watch, batch->n == 0 ? 0 : (double)(batch->n + 1) * (double)batch->window * 1e-9 + 0.5,
              batch->n == 0 ? NULL : "measuring a collective");
    return batch->n > 0;
}

static void measure(struct clock *clock, enum collective op, const struct operands *operands, struct course *course,
                    const struct collective_rest *rest, struct collective_times *times)
{
    struct repetition own[BATCH_MOST], *all = NULL;
    struct batch batch;
    if (operands->rank == 0)
        all = alloc_array((size_t)operands->size * BATCH_MOST, sizeof *all);
    for (;;) {
        watch_set(rest->watch, 0.5, "agreeing on a collective");
        if (operands->rank == 0)
            batch_plan(clock, course, times, &batch);
        if (!batch_hear(clock, rest, &batch))
            break;
        batch_run(clock, op, operands, &batch, own);
        MPI_Gather(own, REPETITION_FIELDS * batch.n, MPI_INT64_T, all, REPETITION_FIELDS * batch.n, MPI_INT64_T, 0,
                   operands->comm);
        if (operands->rank == 0)
            batch_judge(course, op, &batch, operands->size, all, times);
    }
    free(all);
    times->stop = (enum stop)batch.stop;
    times->elapsed = (double)(clock_now(clock) - course->begin) * 1e-9;
}

enum status collective_measure(struct clock *clock, MPI_Comm comm, enum collective op, int64_t bytes,
                               const struct stopping *rule, const struct collective_rest *rest,
                               struct collective_times *times, struct diags *diags)
{
    struct operands operands;
    struct batch none = {.n = 0};
    if (comm == MPI_COMM_NULL) {
        while (batch_hear(clock, rest, &none))
            continue;
        return STATUS_OK;
    }
    enum status status = operands_init(&operands, comm, op, bytes, diags);
    if (status != STATUS_OK) {
        batch_hear(clock, rest, &none);
        return status;
    }
    struct course course = {.rule = rule,
                            .begin = clock_now(clock),
                            .idle_ns = rest->idle_ns,
                            .window = rest->idle_ns + FIRST_WINDOW_NS};
    measure(clock, op, &operands, &course, rest, times);
    samples_free(&course.seen);
    operands_free(&operands);
    return STATUS_OK;
}
