/* model_error.h - how wrong predictions have been, as the figures of the machine file's `model_error`.
 *
 * Of n runs that were measured and predicted, run i was x_i = measured - predicted off. Two times of it are predicted:
 *
 *     C_i = (T_i(f) - T_i) / (f - 1),    f = MODEL_ERROR_STRETCH
 *     S_i   with communication that costs nothing
 *
 * T_i(f) is the run time where communication takes f times as long. C_i is what communication adds to the run, and a
 * part of what computations hide: where a message turns out longer than predicted it stays hidden no more. k_i is the
 * standard deviation of x_i that was predicted: runs differ from one another, and intervals hold that already. The
 * model's error has the scale
 *
 *     s_i^2 = (e_c w_i C_i)^2 + (e_s S_i)^2,    e_c = `communication`, e_s = `computation`.
 *
 * Where runs of a program that compute alike are predicted to differ, its course hangs on moments: who comes first,
 * what a full port loses, how far a connection's window has grown. There predictions are more wrong, and by more than
 * the runs differ. And where communication is a small part of a run more of that part is wrong, for what it adds hangs on when
 * computations let messages go on:
 *
 *     w_i = ((v_i + 0.001) / 0.0055)^p (T_i / C_i)^(1 - q),    v_i = k_i / C_i,    p = `spread_power`, 0 where it is not given,
 *                                                              q = `share_power`, 1 where it is not given
 *
 * From 957 kept runs of programs by chance on 13 machines (validation/results/untouched, seeds 840 to 930), predicted by frames:
 * of p from 0 to 0.6 and q from 0.3 to 1, chosen on one half of them so that intervals hold 90 %, p = 0.4 and q = 0.3 to 0.5
 * make the other half's narrowest, 10.7 % wide on the mean, with q = 1 18 %. The least and the most of e_c on these machines
 * are 3.0 apart, 6.0 with q = 1. What it was worth where nothing of it had been chosen stands in docs/accuracy/blind.md.
 *
 * Where they stand. Most programs are predicted within a percent or two, some are far off: no normal law. The two
 * figures are the likeliest under Student's t with nu degrees of freedom (Lange, Little, Taylor, Journal of the
 * American Statistical Association 84, 1989), whose tails let the few be: nu = 2 for programs by chance alone
 * (`work_known`), 4 for a user's own, which are mostly few and of a kind:
 *
 *     maximise  sum over i of  -log s'_i - (nu + 1)/2 log(1 + x_i^2 / (nu s'_i^2)),    s'_i^2 = s_i^2 + (c k_i)^2
 *
 *               - (log(40 e_s / e_c) / 0.9)^2 / 2 - 3/2 log(1 + (log(e_c / 0.0174) / 0.2)^2 / 2)
 *
 * over a grid of logarithms, made finer three times. (c, 0.733 or 0.831, is what this finds in place of 1 where the law
 * is normal.) The second line stands there for programs by chance alone. It says what is known before any run is looked
 * at. Computations are a fortieth as wrong as communication, or 7 to 240 times less (two standard deviations): theirs
 * are known, so whatever is wrong comes from messages, but some 27 runs leave it to chance to which of two figures a
 * few large errors go. And communication is as wrong as on other machines: of the 13 above the logarithms' mean is that
 * of 0.0174, and they differ by 0.2 more than what so many runs leave to chance. That term is a Student's law as well, so
 * that runs which say otherwise for certain are believed: on a machine three times as wrong the figures are about three
 * times as large. Of a user's own programs the line says nothing: their computations may well be what is wrong.
 *
 * How large they are. p5 to p95 of a further run, +- 1.645 sqrt(s^2 + k^2), shall hold 90 %. Both figures are
 * multiplied by t(0.95, n - 2) / z(0.95) (Student's quantile over the normal one), because two figures were taken
 * from n runs, and by the geometric mean of
 *     - what the law says, t(0.95, nu) / z(0.95);
 *     - what runs say: each would need q_i times the figures for its own interval just to hold it; of these the one in
 *       place 0.9 (n + 1) of the sorted ones, between two linearly, the largest where there is none beyond. Whatever
 *       the law, 90 of 100 further runs need no more than that (Vovk, Gammerman, Shafer, Algorithmic Learning in a
 *       Random World, 2005, chapter 2). Of programs by chance its logarithm has the weight n / (n + 100), and that of
 *       2.84, which the 957 need, has the rest.
 * The first does not know how heavy the tail is, the second alone hangs on the second or third largest of some 27
 * runs: one program that met a timeout by chance made intervals of all others twice as wide.
 * docs/accuracy/blind.md has what they hold of programs that they were not taken from.
 *
 * The error is of both signs here even if all runs were late. Units: seconds. */
#ifndef PEVPM_SIM_MODEL_ERROR_H
#define PEVPM_SIM_MODEL_ERROR_H

#include "models/machine.h"

#include <stdbool.h>
#include <stddef.h>

enum { MODEL_ERROR_RUNS_LEAST = 5 };

/* Below this a figure is 0: no run tells it from nothing. */
#define MODEL_ERROR_LEAST 1e-6

/* f. Much larger, and a program counts as all that it sends, however well its computations hide it; near 1 what they
 * hide does not count, and errors of it would be taken for errors of computations. Of 1.2, 1.5, 2 and 4 all held about
 * as many runs, 4 by the narrowest intervals, by a point. */
#define MODEL_ERROR_STRETCH 4.0

/* p and q of w as machine files give them; q 0: not given. */
struct model_error_powers {
    double spread, share;
};
struct model_error_powers model_error_powers(const struct machine_model_error *error);

/* w of a program that runs for `time`, to which communication adds so much, whose runs have this standard deviation; 1 where
 * communication adds nothing. */
double model_error_weight(struct model_error_powers powers, double spread, double communication, double time);

/* The standard deviation that a normal law would have, of which 90 % lie between p5 and p95. */
double model_error_known(double p5, double p95);

/* One run; communication, computation, known and time are C, S, k and T, >= 0. One of which the first three are 0 says nothing. */
struct model_error_point {
    double error, communication, computation, known, time;
};

/* The two figures, each at most 1 and of three digits, from n >= MODEL_ERROR_RUNS_LEAST points, n itself and f.
 * work_known: what the runs computed was drawn alike for the prediction. Then p is 0.4, q 0.5 and the 957 runs on other
 * machines are `elsewhere`; else p is 0, for k is also what computations differ by, and q 1. */
struct machine_model_error model_error_estimate(size_t n, const struct model_error_point points[], bool work_known);

/* How far p5 and p95 of a run lie from its median with this error: z(0.95) sqrt(s^2 + k^2), s with the weight w. */
double model_error_reach(const struct machine_model_error *error, const struct model_error_point *point);

/* What is known of a machine on which no program by chance could be judged, from those on others alone:
 *
 *     e_c = 0.0174 F,    e_s = e_c / 40,    F = sqrt(2.84 t(0.95, 2) / z(0.95))
 *
 * `runs` is 0. */
struct machine_model_error model_error_elsewhere(void);

#endif
