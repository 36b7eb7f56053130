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
 * with what they are at its edge. Operations escalate independently of each other. Units: seconds, bytes. */
#ifndef PEVPM_MODELS_ESCALATION_H
#define PEVPM_MODELS_ESCALATION_H

#include "models/machine.h"

/* p [lmo->n_levels] out. False where nothing can escalate; p is then all 0. */
bool escalation_probabilities(const struct machine_lmo *lmo, int numprocs, double bytes, double p[]);

/* The time of an operation that takes `linear` where it does not escalate, else a level: the level itself, but no less
 * than `linear`, or the level on top of it. The caller owns *time. False, and nothing is written: always `linear`. */
bool escalation_time(const struct machine_lmo *lmo, int numprocs, double bytes, double linear,
                     struct distribution *time);

/* The value of a surface, as the file has it: not cut to [0, 1]. */
double surface_at(const struct machine_surface *surface, double numprocs, double bytes);

#endif
