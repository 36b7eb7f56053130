/* lmo_collective.h - linear (flat) Scatter and Gather under LMO.
 *
 * [1] Lastovetsky, Rychkov, IJHPCA 23(2), 2009, section 5; [2] Lastovetsky, O'Flynn, A performance model of many-to-one
 * collective communications for parallel computing, IPDPS 2007, section 4. With processor 0 the root, i = 1 .. n the n
 * others, and P_i = C_i + t_i M + M / beta_0i the part of another:
 *
 *   Scatter  [1] (8)    n (C_0 + t_0 M) + max P_i                          M <= S
 *                       n (C_0 + t_0 M) + sum P_i                          M > S
 *            [2] 4.2    C_0 + t_0 n M + max P_i or sum P_i                 likewise
 *   Gather   [1] (9)    n (C_0 + t_0 M) + max P_i + kappa_1 M              M <= M2 where nothing escalates
 *            [1] (10)   n (C_0 + t_0 M) + sum P_i + kappa_2 M              M > M2
 *            [2] 4.3.1  C_0 + sum C_i + M (t_0 + 1/beta_0 + kappa_1 sum t_i)     M <= M2
 *            [2] 4.3.3  C_0 + t_0 M + M / beta_0 + kappa_2 sum (C_i + t_i M)     M > M2
 *
 * To each of [1] comes what has been fitted beyond it, one set of numbers up to S or M2 and one above:
 *
 *                       kappa M + offset + n (C + t M)
 *
 * [1] has kappa alone, in (9) and (10), since it fits slopes. Where a port is what limits, C_0 passes while the port is
 * busy (C below 0), and a port that has rested passes its first bytes at once (offset below 0), which a small share
 * notices most. A corrected operation takes no less than that of empty shares without any.
 *
 * [1] prints (10) with (n - 1) for the first n, by a slip: n counts the senders, as in (8) and (9). 1/beta_0 of [2] is
 * taken as the mean of 1/beta_i0 over the senders. The forms of [2] hold where the machine file says `forms: 2007`;
 * kappa is a factor there and s/byte in [1]. Without S, M2 or kappa in the file: S and M2 infinite, kappa 0 (a factor
 * of 1 in [2]). One-to-two, [1] (11): i sends M bytes to j and to k, each answers with an empty message:
 *                       4 C_i + 2 M t_i + max(2 C_j + M t_j + M / beta_ij, 2 C_k + M t_k + M / beta_ik)
 * No Gather is shorter than the root's part of one message, C_0 + t_0 M.
 * Units: seconds, bytes. */
#ifndef PEVPM_MODELS_LMO_COLLECTIVE_H
#define PEVPM_MODELS_LMO_COLLECTIVE_H

#include "models/collective_formula.h"

extern const struct collective_formulas lmo_collectives;

/* The formulas above for a linear Scatter or Gather with equal shares; others have none here. When each process leaves:
 *   Scatter  the root when it has sent all, n (C_0 + t_0 M), and each other at that + P_i; beyond S one after the
 *            other, the root with the last. The last to leave does so at the formula's time
 *   Gather   the root at the formula's time, each other at C_i + t_i M */
bool lmo_collective_times(const struct machine *machine, const struct schedule *schedule, const int node[],
                          double leaves[]);

/* The root of a linear Gather of shares between M1 and M2 may take a level's time instead (models/escalation.h). */
bool lmo_root_time(const struct machine *machine, const struct schedule *schedule, double leaves,
                   enum collective_before before, struct distribution *time);

/* (8), (9) or (10) of a linear Scatter or Gather, without what is beyond them; large: of M > S, M2. node [size]. */
double lmo_linear_time(const struct machine_lmo *lmo, bool gather, bool large, int size, int root, const int node[],
                       double bytes);

double lmo_one_to_two_time(const struct machine_lmo *lmo, int i, int j, int k, double bytes);

#endif
