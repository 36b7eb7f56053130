/* model_error.h - how wrong predictions have been, as the two figures of the machine file's `model_error`.
 *
 * Of n runs that were measured and predicted, run i was x_i = measured - predicted off; communication adds C_i to its
 * time, and S_i is the rest (both predicted). The model's error is taken as
 *
 *     x_i ~ normal(0, s_i),    s_i^2 = (e_c C_i)^2 + (e_s S_i)^2 + k_i^2
 *
 * with e_c = `communication` and e_s = `computation`; k_i is the standard deviation of x_i that was predicted: runs
 * differ from one another, and intervals hold that already. A few runs are always much further off than that, so
 * these are not the likeliest under the normal law but under Student's t with nu = 4 degrees of freedom (Lange,
 * Little, Taylor, Journal of the American Statistical Association 84, 1989), whose tails let them be:
 *
 *     maximise  sum over i of  -log s_i - (nu + 1)/2 log(1 + x_i^2 / (nu s_i^2))
 *
 * over a grid of logarithms, made finer three times. Both are then divided by 0.8310, which is what this finds in place
 * of 1 where the law is normal after all, and multiplied by
 *
 *     t(0.95, n - 2) / z(0.95)
 *
 * (Student's quantile over the normal one), because two figures were taken from n runs: p5 to p95 of a further run
 * shall hold 90 %. With 5 runs that is 1.43, with 48 it is 1.02.
 *
 * The error is of both signs here even if all runs were late: a model that is always 3 % too fast gets about 3 % (times
 * these two factors), and its interval is as wide to either side. Units: seconds. */
#ifndef PEVPM_SIM_MODEL_ERROR_H
#define PEVPM_SIM_MODEL_ERROR_H

#include "models/machine.h"

#include <stddef.h>

enum { MODEL_ERROR_RUNS_LEAST = 5 };

/* Below this a figure is 0: no run tells it from nothing. */
#define MODEL_ERROR_LEAST 1e-6

/* One run; communication, computation and known are C, S and k, >= 0. One of which all are 0 says nothing. */
struct model_error_point {
    double error, communication, computation, known;
};

/* The two figures, each at most 1 and of three digits, from n >= MODEL_ERROR_RUNS_LEAST points, and n itself. */
struct machine_model_error model_error_estimate(size_t n, const struct model_error_point points[]);

#endif
