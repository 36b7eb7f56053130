/* pair_models.h - Hockney, LogP, LogGP and PLogP of one pair of processes, from its experiments.
 *
 * [1] Lastovetsky, Rychkov, IJHPCA 23(2), 2009, section 2, for what to measure and how to turn it into parameters.
 * Round trips are halved: one way takes as long as the other. Each function is an estimator (bootstrap.h); its
 * experiments and parameters stand in the order given here. Units: seconds, bytes.
 *
 * Experiments between i and j, times as measured on i:
 *   round trip (M there, M' back)    until the answer has come
 *   send M                           how long the send call takes
 *   late receive M                   how long the receive call takes when the message has come before
 *   saturation M, n messages         T_n, from the first of n sends in a row to the end of the last */
#ifndef PEVPM_ESTIMATE_PAIR_MODELS_H
#define PEVPM_ESTIMATE_PAIR_MODELS_H

#include "estimate/analytical/bootstrap.h"

#include <stdbool.h>

/* Hockney by two series: round trips (0, 0) and (M, M).  context: const double *M
 *     alpha = RTT(0, 0) / 2,  beta = (RTT(M, M) / 2 - alpha) / M */
enum { HOCKNEY_alpha, HOCKNEY_beta, HOCKNEY_PARAMETERS };
void hockney_two_series(const void *bytes, const struct repeats experiments[2], double parameters[2]);

/* Hockney by regression: round trips (M_k, M_k); the line of least squares through (M_k, mean RTT / 2). At least two sizes
 * differ. Where a library sends short and long messages in different ways one line serves neither: hockney_miss tells.
 * context: const struct hockney_sizes * */
struct hockney_sizes {
    size_t n;
    const double *bytes; /* [n] */
};
void hockney_regression(const void *sizes, const struct repeats experiments[], double parameters[HOCKNEY_PARAMETERS]);

/* What a line misses the mean one-way time of size k by, as a part of that time; below 0: the line says less. */
double hockney_miss(const struct hockney_sizes *sizes, const struct repeats experiments[],
                    const double parameters[HOCKNEY_PARAMETERS], size_t k);

/* LogP and LogGP, of small messages of m bytes and (LogGP) large ones of M.  context: const struct loggp_sizes *
 *     o_s  send m            L = RTT(m, m) / 2 - o_s - o_r
 *     o_r  late receive m    g = T_n(m) / n
 *     G    (T_N(M) / N - g) / (M - m)
 * [1] has G = T_n(M) / n / M, which is this where M is so large that g no longer counts; with g taken off it is the G
 * of the cost of models/analytical/loggp.c at any M. */
enum { LOGGP_send, LOGGP_late_receive, LOGGP_round_trip, LOGGP_saturation, LOGP_EXPERIMENTS,
       LOGGP_large = LOGP_EXPERIMENTS, LOGGP_EXPERIMENTS };
enum { LOGGP_L, LOGGP_o_s, LOGGP_o_r, LOGGP_g, LOGP_PARAMETERS, LOGGP_G = LOGP_PARAMETERS, LOGGP_PARAMETERS };
struct loggp_sizes {
    double small, large;  /* bytes */
    double messages, large_messages; /* n of the saturation with small, with large ones */
};
void logp_estimate(const void *sizes, const struct repeats experiments[LOGP_EXPERIMENTS],
                   double parameters[LOGP_PARAMETERS]);
void loggp_estimate(const void *sizes, const struct repeats experiments[LOGGP_EXPERIMENTS],
                    double parameters[LOGGP_PARAMETERS]);

/* PLogP at sizes M_0 = 0 < M_1 < ... < M_{k-1}.  context: const struct plogp_sizes *. Experiments, by size: send; late
 * receive; round trip (M, 0); then the saturation of M_0 alone (indirect) or of each size (direct).
 *     o_s(M), o_r(M)  as measured         L = RTT(0, 0) / 2 - g(0)
 *     g(M)            directly T_n(M) / n; indirectly RTT(M, 0) - RTT(0, 0) + g(0)
 * Parameters: L, then o_s, o_r, g by size. The model wants g(M) >= o_s(M), o_r(M); the indirect way often breaks that
 * ([1], section 2), which is for the caller to say. */
struct plogp_sizes {
    size_t k;
    bool direct;
    double empty_messages, messages; /* n of the saturation of M_0, of the other sizes */
};
enum { PLOGP_sends, PLOGP_late_receives, PLOGP_round_trips, PLOGP_saturations };
static inline size_t plogp_experiment(const struct plogp_sizes *sizes, int kind, size_t size)
{
    return (size_t)kind * sizes->k + size;
}
static inline size_t plogp_experiments(const struct plogp_sizes *sizes)
{
    return 3 * sizes->k + (sizes->direct ? sizes->k : 1);
}
enum { PLOGP_o_s, PLOGP_o_r, PLOGP_g };
static inline size_t plogp_parameter(const struct plogp_sizes *sizes, int curve, size_t size)
{
    return 1 + (size_t)curve * sizes->k + size;
}
void plogp_estimate(const void *sizes, const struct repeats experiments[], double parameters[]);

/* Where a piecewise linear function needs another point: y[k - 1] is not what the line through the two points before
 * says, by more than `tolerance` of it. Then the middle of the last two sizes, unless that is within `least` bytes of
 * either; else NAN. k >= 3, x ascending. */
double plogp_refine(size_t k, const double x[], const double y[], double tolerance, double least);

#endif
