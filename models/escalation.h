/* escalation.h - to which level a linear Gather escalates, and how often: `models: lmo: escalation` of the machine
 * file.
 *
 * Lastovetsky, O'Flynn, A performance model of many-to-one collective communications for parallel computing, IPDPS
 * 2007, 4.3.2. With n processes and shares of M bytes level i has the probability f_i(n, M):
 *     M < M1(n) or M > M2    0: nothing escalates
 *     M >= Mc(n)             the surfaces' values divided by their sum, which is then 1: all escalate. Where all of them are
 *                            0 the first level takes all
 *     else                   the surfaces' values, cut at 0, and divided by their sum where that is over 1
 * M1 and Mc are linear between the numbers of processes that the file has; surfaces go on beyond their grid or knots
 * with what they are at its edge.
 *
 * Of operations in a row, of one root and size in one communicator, whether one escalates may hang on whether the one before
 * did. With p the sum of all f_i and d the file's `dependence` it does with the probability
 *     p + d (1 - p)          after one that did
 *     p - d p                after one that did not
 * so that on the whole p of them do, and d is the correlation of the two: a Markov chain of two states. d is no less than
 * - min(p / (1 - p), (1 - p) / p), or one of these would be no probability. Where a level is below the linear time an operation
 * that escalates to it is one that did not, and the factors of d are those by which p of them do all the same. To which level it escalates does not hang on the
 * one before. Units: seconds, bytes. */
#ifndef PEVPM_MODELS_ESCALATION_H
#define PEVPM_MODELS_ESCALATION_H

#include "models/collective_formula.h"
#include "models/machine.h"

/* p [lmo->n_levels] out. False where nothing can escalate; p is then all 0. */
bool escalation_probabilities(const struct machine_lmo *lmo, int numprocs, double bytes, double p[]);

/* The time of an operation that takes `linear` where it does not escalate, else a level: the level itself, but no less
 * than `linear`, or the level on top of it; after one of the same root and size that did as `before` says. The caller owns
 * *time. False, and nothing is written: always `linear`. */
bool escalation_time(const struct machine_lmo *lmo, int numprocs, double bytes, double linear, enum collective_before before,
                     struct distribution *time);

/* The value of a surface, as the file has it: not cut to [0, 1]. */
double surface_at(const struct machine_surface *surface, double numprocs, double bytes);

/* The ends of its 95 % interval there, cut to [0, 1]. False, and nothing is written: the file has none. */
bool surface_interval(const struct machine_surface *surface, double numprocs, double bytes, double *low, double *high);

#endif
