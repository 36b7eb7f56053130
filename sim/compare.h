/* compare.h - two predictions side by side: two programs, machines, or sets of parameters, A and B.
 *
 * Replication r of A and replication r of B draw from the same random numbers (common random numbers: Law, Simulation
 * Modeling and Analysis, section 11.2): the same process's n-th draw of a kind is the same word in both. What chance
 * does to both cancels in the differences d_r = T_B,r - T_A,r, so that a small difference is known after few
 * replications:
 *
 *     difference   mean of d_r +- t(0.975, n - 1) sd(d) / sqrt(n)
 *     ratio R      mean(T_B) / mean(T_A) +- t(0.975, n - 1) sd(T_B - R T_A) / (sqrt(n) mean(T_A))   (delta method)
 *     faster       part of the replications in which B takes less time than A, ties as halves
 *     faster_any   the same over all n^2 pairs of a run of A and a run of B: what two users see who run one each
 *
 * What the machine file does not know (launch_sd, model_error) is no part of any of these: it makes both sides later or
 * earlier together.
 * Units: seconds. */
#ifndef PEVPM_SIM_COMPARE_H
#define PEVPM_SIM_COMPARE_H

#include "sim/predict.h"

#include <stdbool.h>
#include <stddef.h>

/* One row. Texts in `side` live until on_row returns. */
struct comparison {
    struct prediction side[2];   /* A, B; without a base (speedup and so on are meaningless) */
    size_t n;                    /* replications of each */
    double difference, difference_ci95;
    double ratio, ratio_ci95;
    double faster, faster_any;
    bool precise;                /* false: the precision asked for was not reached */
};

struct compare_request {
    /* A and B. Lists (placements, modes, combinations of parameters) have one length, or one of them has length 1 and
     * is held against each of the other's. Their plan, baseline, seed and functions are not looked at. */
    const struct predict_request *side[2];
    uint64_t seed;
    struct replicate_plan plan;  /* exact, or precision: of the difference's ci95, as a part of A's mean */
    /* Called for each row in order: parameters, then placement, then mode. Returns STATUS_OK, or what ends the run. */
    enum status (*on_row)(void *context, const struct comparison *row);
    void *context;
};

/* Zero-initialise before compare_run. */
struct compare_result {
    size_t n;                    /* rows */
    size_t n_notes, notes_capacity;
    char **notes;                /* "A: ...": each once */
    bool complete;               /* all rows are there, or an error says why not */
};

/* Predicts and compares all. A row that cannot run adds its error and the others go on; the status is then the one with
 * the highest exit code of all. STATUS_INTERRUPTED, _IO, _MPI, _SCHEMA and _USAGE end the run. */
enum status compare_run(const struct compare_request *request, struct compare_result *result, struct diags *diags);
void compare_result_free(struct compare_result *result);

/* The figures from run times a [n] and b [n], n >= 1. certain: neither has chance in it, so one run says all. */
void comparison_compute(struct comparison *row, size_t n, const double a[], const double b[], bool certain);

#endif
