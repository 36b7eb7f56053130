/* simulated.h - measurements with known parameters: what the tests of estimators recover. The machine is one of five
 * nodes that differ, at about 100 Mbit/s. */
#ifndef PEVPM_ESTIMATE_TESTS_SIMULATED_H
#define PEVPM_ESTIMATE_TESTS_SIMULATED_H

#include "common/alloc.h"
#include "estimate/analytical/lmo_fit.h"
#include "estimate/analytical/pair_models.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { NODES = 5, REPETITIONS = 20, EXPERIMENTS_MOST = 64 };
#define LMO_BYTES 32768.0

/* What is being measured: n experiments with their true times, and the true parameters. */
struct truth {
    const char *name;
    size_t n_experiments, n_parameters;
    estimator *estimate;
    const void *context;
    double times[EXPERIMENTS_MOST], parameters[EXPERIMENTS_MOST];
    const char *(*kind)(size_t parameter); /* of a parameter: those of one kind are pooled */
    degrees_of_freedom *degrees;
    bool as_surveyed;                      /* repeated as pevpm-estimate does: round trips 6 times, one-to-two twice */
};

static const struct lmo_design lmo_of_five = {NODES, LMO_BYTES, 0, false};

static inline const char *lmo_kind(size_t p)
{
    return p < NODES ? "C" : p < 2 * NODES ? "t" : "1/beta";
}

/* nodes_differ 0: all alike */
static inline struct truth truth_lmo(double nodes_differ)
{
    struct truth s = {.name = "lmo", .n_experiments = lmo_experiments(NODES), .n_parameters = lmo_parameters(NODES),
                      .estimate = lmo_fit, .context = &lmo_of_five, .kind = lmo_kind,
                      .degrees = lmo_degrees};
    static const double C[NODES] = {31e-6, 48.5e-6, 37.2e-6, 60.1e-6, 42.9e-6};
    static const double t[NODES] = {6.1e-9, 14.7e-9, 9.35e-9, 21.2e-9, 11.8e-9};
    for (size_t i = 0; i < NODES; i++) {
        s.parameters[lmo_parameter_C(NODES, i)] = C[0] + nodes_differ * (C[i] - C[0]);
        s.parameters[lmo_parameter_t(NODES, i)] = t[0] + nodes_differ * (t[i] - t[0]);
        for (size_t j = 0; j < i; j++)
            s.parameters[lmo_parameter_inverse_beta(NODES, i, j)] =
                80e-9 + nodes_differ * (3.3e-9 * (double)i + 1.7e-9 * (double)j);
    }
    return s;
}

/* The way to j and its answer: tau_j of one-to-two from i. */
static inline double lmo_way(const struct truth *s, size_t i, size_t j)
{
    const double *p = s->parameters;
    return 2 * p[lmo_parameter_C(NODES, j)] +
           LMO_BYTES * (p[lmo_parameter_t(NODES, j)] + p[lmo_parameter_inverse_beta(NODES, i, j)]);
}

static inline void lmo_times(struct truth *s)
{
    const double *p = s->parameters;
    for (size_t i = 0; i < NODES; i++) {
        double C = p[lmo_parameter_C(NODES, i)], Mt = LMO_BYTES * p[lmo_parameter_t(NODES, i)];
        for (size_t j = 0; j < NODES; j++) {
            if (j == i)
                continue;
            s->times[lmo_empty(NODES, i, j)] = 2 * C + 2 * p[lmo_parameter_C(NODES, j)];
            s->times[lmo_there(NODES, i, j)] = 2 * C + Mt + lmo_way(s, i, j);
            for (size_t k = 0; k < j; k++)
                if (k != i)
                    s->times[lmo_to_two(NODES, i, j, k)] =
                        4 * C + 2 * Mt + fmax(lmo_way(s, i, j), lmo_way(s, i, k));
        }
    }
}

/* Repetitions of all experiments, each with normal noise of so much of its time. t [n_experiments * REPETITIONS]. */
static inline void measure(const struct truth *s, double noise, gsl_rng *random, double t[], struct repeats repeats[])
{
    for (size_t e = 0; e < s->n_experiments; e++) {
        size_t surveyed = e < lmo_to_two(NODES, 0, 1, 2) ? 6 : 2;
        repeats[e] = (struct repeats){s->as_surveyed ? surveyed : REPETITIONS, t + e * REPETITIONS};
        for (size_t r = 0; r < repeats[e].n; r++)
            t[e * REPETITIONS + r] = s->times[e] * (1 + noise * gsl_ran_gaussian_ziggurat(random, 1));
    }
}

/* ---- one pair ---- */

static const double hockney_bytes = 60000;
static const double hockney_bytes_of_nine[9] = {0, 12500, 25000, 37500, 50000, 62500, 75000, 87500, 100000};
static const struct hockney_sizes hockney_nine = {9, hockney_bytes_of_nine};
static const struct loggp_sizes loggp_of_two = {1, 60000, 64, 16};
static const double plogp_bytes[4] = {0, 1000, 8000, 50000};
static const struct plogp_sizes plogp_direct = {4, true, 64, 32}, plogp_indirect = {4, false, 64, 32};

static inline const char *hockney_kind(size_t p)
{
    return p == HOCKNEY_alpha ? "alpha" : "beta";
}

static inline const char *loggp_kind(size_t p)
{
    return (const char *[]){"L", "o_s", "o_r", "g", "G"}[p];
}

static inline const char *plogp_kind(size_t p)
{
    return p == 0 ? "L" : (const char *[]){"o_s(M)", "o_r(M)", "g(M)"}[(p - 1) / 4];
}

static inline struct truth truth_hockney(bool regression)
{
    struct truth s = {.name = regression ? "hockney by regression" : "hockney", .n_parameters = HOCKNEY_PARAMETERS,
                      .parameters = {177e-6, 0.0219e-6}, .kind = hockney_kind};
    s.n_experiments = regression ? hockney_nine.n : 2;
    s.estimate = regression ? hockney_regression : hockney_two_series;
    s.context = regression ? (const void *)&hockney_nine : &hockney_bytes;
    for (size_t k = 0; k < s.n_experiments; k++)
        s.times[k] = 2 * (177e-6 + 0.0219e-6 * (regression ? hockney_bytes_of_nine[k] : (double)k * hockney_bytes));
    return s;
}

static inline struct truth truth_loggp(bool has_G)
{
    struct truth s = {.name = has_G ? "loggp" : "logp", .kind = loggp_kind, .context = &loggp_of_two,
                      .n_experiments = has_G ? LOGGP_EXPERIMENTS : LOGP_EXPERIMENTS,
                      .n_parameters = has_G ? LOGGP_PARAMETERS : LOGP_PARAMETERS,
                      .estimate = has_G ? loggp_estimate : logp_estimate};
    double L = 41.3e-6, o_s = 5.2e-6, o_r = 7.9e-6, g = 12.6e-6, G = 0.0881e-6;
    double parameters[] = {L, o_s, o_r, g, G};
    for (size_t p = 0; p < s.n_parameters; p++)
        s.parameters[p] = parameters[p];
    s.times[LOGGP_send] = o_s;
    s.times[LOGGP_late_receive] = o_r;
    s.times[LOGGP_round_trip] = 2 * (L + o_s + o_r);
    s.times[LOGGP_saturation] = loggp_of_two.messages * g;
    s.times[LOGGP_large] = loggp_of_two.large_messages * (g + (loggp_of_two.large - 1) * G);
    return s;
}

static inline struct truth truth_plogp(bool direct)
{
    const struct plogp_sizes *sizes = direct ? &plogp_direct : &plogp_indirect;
    struct truth s = {.name = direct ? "plogp" : "plogp, gap indirectly", .kind = plogp_kind, .context = sizes,
                      .n_experiments = plogp_experiments(sizes), .n_parameters = 1 + 3 * sizes->k,
                      .estimate = plogp_estimate, .parameters = {44.1e-6}};
    for (size_t k = 0; k < sizes->k; k++) {
        double M = plogp_bytes[k], o_s = 5e-6 + 1.3e-9 * M, o_r = 6e-6 + 1.9e-9 * M, g = 13e-6 + 85e-9 * M;
        s.parameters[plogp_parameter(sizes, PLOGP_o_s, k)] = s.times[plogp_experiment(sizes, PLOGP_sends, k)] = o_s;
        s.parameters[plogp_parameter(sizes, PLOGP_o_r, k)] = s.times[plogp_experiment(sizes, PLOGP_late_receives, k)] =
            o_r;
        s.parameters[plogp_parameter(sizes, PLOGP_g, k)] = g;
        s.times[plogp_experiment(sizes, PLOGP_round_trips, k)] = 2 * 44.1e-6 + 13e-6 + g; /* L + g(M) + L + g(0) */
        if (direct || k == 0)
            s.times[plogp_experiment(sizes, PLOGP_saturations, k)] = (k ? sizes->messages : sizes->empty_messages) * g;
    }
    return s;
}

/* All of them. */
enum { TRUTHS = 8 };
static inline void truths_make(struct truth all[TRUTHS])
{
    all[0] = truth_hockney(false);
    all[1] = truth_loggp(false);
    all[2] = truth_loggp(true);
    all[3] = truth_plogp(true);
    all[4] = truth_plogp(false);
    all[5] = truth_lmo(1);
    lmo_times(&all[5]);
    all[6] = all[5];
    all[6].name = "lmo, as surveyed";
    all[6].as_surveyed = true;
    all[7] = truth_hockney(true);
}

#endif
