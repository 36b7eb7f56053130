#include "sim/compare.h"

#include "common/alloc.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A row being worked on. */
struct pair {
    const struct compare_request *request;
    struct predict_request side[2];  /* of one prediction each */
    struct sweep *sweeps[2];         /* that they refer to, each of one value */
    struct predict_result result[2];
    double *times[2];                /* [n] */
    size_t n;
    bool silent;                     /* what is said of the files has been said */
    bool optional;                   /* nobody asked for one process: if it does not run, that is no error */
};

/* ---- figures ---- */

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* How many of sorted[n] are below `value`. */
static size_t count_below(size_t n, const double sorted[], double value)
{
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (sorted[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The part of all pairs in which b is smaller, ties as halves (the Mann-Whitney statistic). */
static double part_smaller(size_t n, const double a[], const double b[])
{
    double *sorted = alloc_array(n, sizeof *sorted), sum = 0;
    memcpy(sorted, a, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, ascending);
    for (size_t i = 0; i < n; i++) {
        size_t below = count_below(n, sorted, b[i]);
        size_t not_above = count_below(n, sorted, nextafter(b[i], INFINITY));
        sum += (double)(n - not_above) + 0.5 * (double)(not_above - below);
    }
    free(sorted);
    return sum / ((double)n * (double)n);
}

void comparison_compute(struct comparison *row, size_t n, const double a[], const double b[], bool certain)
{
    double *values = alloc_array(n, sizeof *values), faster = 0, sum_a = 0, sum_b = 0;
    struct statistics statistics;
    for (size_t i = 0; i < n; i++) {
        values[i] = b[i] - a[i];
        faster += b[i] < a[i] ? 1 : b[i] == a[i] ? 0.5 : 0;
        sum_a += a[i];
        sum_b += b[i];
    }
    row->n = n;
    statistics_compute_mean(&statistics, n, values);
    row->difference = statistics.mean;
    row->difference_ci95 = certain ? 0 : statistics.ci95;
    row->ratio = sum_a > 0 ? sum_b / sum_a : NAN;
    for (size_t i = 0; i < n; i++)
        values[i] = b[i] - row->ratio * a[i];
    statistics_compute_mean(&statistics, n, values);
    row->ratio_ci95 = certain ? 0 : statistics.ci95 / (sum_a / (double)n);
    row->faster = faster / (double)n;
    row->faster_any = part_smaller(n, a, b);
    free(values);
}

/* ---- one row ---- */

/* Side s with combination c of its parameters, one placement and one mode. Lists of length one stay where they are. */
static void side_select(struct pair *pair, int s, size_t c, size_t placement, size_t mode)
{
    const struct predict_request *from = pair->request->side[s];
    struct predict_request *side = &pair->side[s];
    struct definition *chosen = alloc_array(from->n_sweeps, sizeof *chosen);
    struct sweep *sweeps = alloc_array(from->n_sweeps, sizeof *sweeps);
    sweep_select(from->n_sweeps, from->sweeps, c % sweep_combinations(from->n_sweeps, from->sweeps), chosen);
    for (size_t i = 0; i < from->n_sweeps; i++) {
        sweeps[i] = (struct sweep){.name = from->sweeps[i].name, .n = 1,
                                   .values = alloc_array(1, sizeof *sweeps[i].values),
                                   .texts = alloc_array(1, sizeof *sweeps[i].texts)};
        sweeps[i].values[0] = chosen[i].value;
        sweeps[i].texts[0] = (char *)chosen[i].text;
    }
    free(chosen);
    *side = *from;
    side->placements += placement % from->n_placements;
    side->n_placements = 1;
    side->modes += mode % from->n_modes;
    side->n_modes = 1;
    side->sweeps = pair->sweeps[s] = sweeps;
    side->baseline = 1; /* so that nothing else is predicted */
    side->seed = pair->request->seed;
    side->plan = pair->request->plan;
    side->plan.spread_alone = true; /* what else the machine file does not know is the same for both sides */
    side->on_row = NULL;
    side->on_inspect = NULL;
}

static void side_forget(struct pair *pair, int s)
{
    predict_result_free(&pair->result[s]);
    free(pair->times[s]);
    pair->times[s] = NULL;
}

static void pair_free(struct pair *pair)
{
    for (int s = 0; s < 2; s++) {
        for (size_t i = 0; i < pair->side[s].n_sweeps; i++) {
            free(pair->sweeps[s][i].values);
            free(pair->sweeps[s][i].texts);
        }
        free(pair->sweeps[s]);
        side_forget(pair, s);
    }
}

/* Predicts both sides with n replications. */
static enum status pair_predict(struct pair *pair, size_t n, struct diags *diags)
{
    enum status status = STATUS_OK;
    pair->n = n;
    for (int s = 0; s < 2 && status == STATUS_OK; s++) {
        struct predict_request *side = &pair->side[s];
        struct diags unsaid = DIAGS_EMPTY;
        side_forget(pair, s);
        pair->times[s] = alloc_array(n, sizeof *pair->times[s]);
        side->plan.exact = (uint32_t)n;
        side->plan.times = pair->times[s];
        status = predict_run(side, &pair->result[s], pair->silent ? &unsaid : diags);
        diags_free(&unsaid);
        if (pair->silent && !pair->optional && status != STATUS_OK && status != STATUS_INTERRUPTED) {
            predict_result_free(&pair->result[s]);
            status = predict_run(side, &pair->result[s], diags); /* now in the open */
        }
    }
    pair->silent = true;
    return status;
}

static bool has_chance(const struct pair *pair)
{
    return pair->side[0].modes->cost == MODE_distribution || pair->side[1].modes->cost == MODE_distribution;
}

/* Replications are doubled until the difference is precise; each time from the first on, which at most doubles the
 * work. */
static enum status pair_compare(struct pair *pair, struct comparison *row, struct diags *diags)
{
    const struct replicate_plan *plan = &pair->request->plan;
    bool certain = !has_chance(pair);
    size_t n = plan->exact > 0 ? plan->exact : certain ? 1 : REPLICATE_FIRST;
    for (;;) {
        enum status status = pair_predict(pair, n, diags);
        if (status != STATUS_OK)
            return status;
        comparison_compute(row, n, pair->times[0], pair->times[1], certain);
        row->side[0] = pair->result[0].rows[0];
        row->side[1] = pair->result[1].rows[0];
        row->precise = plan->exact > 0 || row->difference_ci95 <= plan->precision * row->side[0].time.mean;
        if (row->precise || n >= REPLICATE_MOST)
            return STATUS_OK;
        n = replicate_next((uint32_t)n);
    }
}

/* ---- all rows ---- */

static void note_add(struct compare_result *result, char side, const char *text)
{
    char *note = alloc_format("%c: %s", side, text);
    for (size_t i = 0; i < result->n_notes; i++)
        if (strcmp(result->notes[i], note) == 0) {
            free(note);
            return;
        }
    result->notes = alloc_grow(result->notes, result->n_notes, &result->notes_capacity, sizeof *result->notes);
    result->notes[result->n_notes++] = note;
}

static size_t larger(size_t a, size_t b)
{
    assert(a == b || a == 1 || b == 1);
    return a > b ? a : b;
}

static bool ends_the_run(enum status status)
{
    return status == STATUS_INTERRUPTED || status == STATUS_IO || status == STATUS_MPI || status == STATUS_SCHEMA ||
           status == STATUS_USAGE || status == STATUS_GONE;
}

static bool is_optional(const struct predict_request *side)
{
    return side->placements_defaulted && side->placements->numprocs == 1;
}

/* said: whether what is to be said of the files has been said. */
static enum status row_run(const struct compare_request *request, size_t c, size_t placement, size_t mode, bool *said,
                           struct compare_result *result, struct diags *diags)
{
    struct pair pair = {.request = request};
    struct comparison row = {.n = 0};
    for (int s = 0; s < 2; s++)
        side_select(&pair, s, c, placement, mode);
    pair.optional = is_optional(&pair.side[0]) && is_optional(&pair.side[1]);
    pair.silent = pair.optional || *said;
    enum status status = pair_compare(&pair, &row, diags);
    *said = *said || !pair.optional;
    if (pair.optional && status != STATUS_OK && !ends_the_run(status)) {
        status = STATUS_OK;
    } else if (status == STATUS_OK) {
        for (int s = 0; s < 2; s++)
            for (size_t i = 0; i < pair.result[s].n_notes; i++)
                note_add(result, "AB"[s], pair.result[s].notes[i]);
        result->n++;
        status = request->on_row ? request->on_row(request->context, &row) : STATUS_OK;
        status = replicate_agree(request->plan.spread, status, diags);
    }
    pair_free(&pair);
    return status;
}

enum status compare_run(const struct compare_request *request, struct compare_result *result, struct diags *diags)
{
    const struct predict_request *a = request->side[0], *b = request->side[1];
    size_t combinations =
        larger(sweep_combinations(a->n_sweeps, a->sweeps), sweep_combinations(b->n_sweeps, b->sweeps));
    size_t placements = larger(a->n_placements, b->n_placements), modes = larger(a->n_modes, b->n_modes);
    size_t rows = combinations * placements * modes;
    enum status worst = STATUS_OK, status = STATUS_OK;
    bool said = false;
    for (size_t i = 0; i < rows && !ends_the_run(status); i++) {
        status = row_run(request, i / modes / placements, i / modes % placements, i % modes, &said, result, diags);
        if (status_exit_code(status) > status_exit_code(worst))
            worst = status;
    }
    result->complete = !ends_the_run(status);
    return ends_the_run(status) ? status : worst;
}

void compare_result_free(struct compare_result *result)
{
    for (size_t i = 0; i < result->n_notes; i++)
        free(result->notes[i]);
    free(result->notes);
    *result = (struct compare_result){0};
}
