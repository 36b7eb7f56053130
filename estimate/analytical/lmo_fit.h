/* lmo_fit.h - the parameters of LMO from round trips and one-to-two experiments.
 *
 * [1] Lastovetsky, Rychkov, IJHPCA 23(2), 2009, section 5. With n nodes, for all pairs i < j and all triplets:
 *     T_ij(0)    round trip, empty both ways                              (7)  T_ij(0) = 2 C_i + 2 C_j
 *     T_ij(M)    round trip with M bytes there and an empty answer
 *     T_i;jk(M)  i sends M bytes to j and to k, each answers empty        (11) 4 C_i + 2 M t_i + max(tau_j, tau_k),
 *                                                                              tau_j = 2 C_j + M t_j + M / beta_ij
 * and from each triplet i, j, k
 *     C_i        = (T_ij(0) + T_ik(0) - T_jk(0)) / 4                      (7) solved
 *     t_i        = (T_i;jk(M) - max(T_ij(M), T_ik(M)) - 2 C_i) / M        (13)-(15)
 *     1/beta_ij  = (T_ij(M) - 2 C_i - 2 C_j) / M - t_i - t_j              (12), (16)
 * averaged over the (n - 1)(n - 2) / 2 triplets of a node. 1/beta is found from these averages, where [1] takes each
 * triplet's own C and t and averages 1/beta over n - 2 triplets: so the parameters reproduce T_ij(M) exactly.
 *
 * The larger of two measured round trips is on average larger than the larger of the two true ones: taken as it stands
 * it would make t too small, by 0.56 sigma / (sqrt(r) M) for equal nodes, however many triplets are averaged. So which
 * one is larger is asked of all repetitions but one, and the one left out gives the time; each is left out once. What
 * is wrong then is a wrong choice between two that hardly differ: nothing for equal nodes, and never more than 0.17
 * times the standard error of their difference.
 *
 * Noise that arises on the way to j and k, and not in the whole experiment, makes T_i;jk itself larger: the slower of
 * two is waited for, each time anew. On equal nodes that is 0.56 sigma / M of t_i however often the experiment is
 * repeated. `noise_inside` says which part of the variance of a round trip arises so; its mean excess (C. Clark, The
 * greatest of a finite set of random variables, Operations Research 9, 1961) is then taken off. Times do not tell the
 * part: lmo_excess says how much it could be at most.
 *
 * Where ports and not processors limit nodes, (13)-(15) hold only for receivers that are no slower than i: messages to
 * slower ones leave i's port side by side, and all that is seen is the slower receiver's port. With
 *     s_ij = (T_ij(M) - 2 C_i - 2 C_j) / M = t_i + t_j + 1/beta_ij
 * the time per byte of the slower of two ports, j is no slower than i if s_ij <= (1 + LMO_ALIKE) min_k s_ik. With
 * `ports` (ours, not [1]'s) t_i is the mean over the triplets of two such receivers; where there is but one of them it
 * is s_ij, which is the most it can be.
 * Units: seconds, bytes. */
#ifndef PEVPM_ESTIMATE_LMO_FIT_H
#define PEVPM_ESTIMATE_LMO_FIT_H

#include "estimate/analytical/bootstrap.h"

#include <stdbool.h>

/* What was measured. */
struct lmo_design {
    size_t n;             /* nodes, at least 3 */
    double bytes;         /* M > 0 */
    double noise_inside;  /* 0 .. 1 */
    bool ports;           /* of t_i only the triplets whose receivers are no slower than i */
};

/* Ports that differ by less count as alike. Well above what noise makes of single s_ij (a tenth at 100 Mbit/s:
 * receivers chosen by a smaller part are those whose s_ij chance made small, which makes t too large), well below the
 * factors that rates differ by. */
#define LMO_ALIKE 0.25

/* Experiments: T_ij(0) of all pairs, T_ij(M) of all pairs, T_i;jk(M) of all roots i and pairs j < k of others. */
size_t lmo_experiments(size_t n);
size_t lmo_empty(size_t n, size_t i, size_t j);      /* i != j, in any order */
size_t lmo_there(size_t n, size_t i, size_t j);      /* likewise: beta is symmetric */
size_t lmo_to_two(size_t n, size_t i, size_t j, size_t k);

/* Parameters: C_0 .., t_0 .., 1/beta of all pairs. */
size_t lmo_parameters(size_t n);
size_t lmo_parameter_C(size_t n, size_t i);
size_t lmo_parameter_t(size_t n, size_t i);
size_t lmo_parameter_inverse_beta(size_t n, size_t i, size_t j);

/* An estimator; context: const struct lmo_design *. */
void lmo_fit(const void *design, const struct repeats experiments[], double parameters[]);

/* A degrees_of_freedom, of the variances of the experiments' means, each with the weight that it has in the parameter.
 * In 1/beta_ij, where 2 C and -2 C cancel, T_ij(M) is counted apart from t_i and t_j. context: as above. */
void lmo_degrees(const void *design, const struct repeats experiments[], double degrees[]);

/* Half the width of the 95 % interval of the mean of T_i;jk(M) over the triplets of i, as a part of this mean. */
double lmo_to_two_precision(size_t n, const struct repeats experiments[], size_t i);

/* By how much at most t_i is too large where noise_inside is 0 and all noise arises on the way: the mean over the
 * triplets of i, s/byte. */
double lmo_excess(const struct lmo_design *design, const struct repeats experiments[], size_t i);

/* Are there two nodes that are both faster than all others, by `ports`? Then *i and *j: what the slower of them takes
 * per byte is known, and the other may be faster. */
bool lmo_fastest_pair(const struct lmo_design *design, const struct repeats experiments[], size_t *i, size_t *j);

/* Does a port and not a processor limit the nodes? So it is where 1/beta is negative, its whole interval below 0, in
 * more than half of the pairs: (13)-(15) then take the port's time for the processor's. Sums t_i + t_j + 1/beta_ij,
 * which are all that the formulas of collectives use, remain right. */
bool lmo_port_limited(size_t n, const struct estimate parameters[]);

#endif
