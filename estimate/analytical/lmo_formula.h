/* lmo_formula.h - LMO's fitted parameters in the formulas of models/lmo_collective.h.
 *
 * Units: seconds, bytes. */
#ifndef PEVPM_ESTIMATE_LMO_FORMULA_H
#define PEVPM_ESTIMATE_LMO_FORMULA_H

#include "estimate/analytical/lmo_fit.h"
#include "models/machine.h"

/* C, t and 1/beta of n nodes, and nothing else; parameters [lmo_parameters(n)]. Ends with lmo_formula_free. */
struct machine_lmo lmo_formula_make(size_t n, const double parameters[]);
void lmo_formula_free(struct machine_lmo *lmo);

/* How far equation (11), lmo_one_to_two_time, is from the means of the one-to-two experiments, as parts of these and
 * without their sign. Round trips the parameters reproduce by construction (lmo_fit.h); of one-to-two experiments each t
 * averages those that a node leads, so these alone show whether the model's form holds for the machine. */
struct lmo_miss {
    double median, largest;
    size_t node[3];         /* of the largest: from node[0] to the two others */
};

/* experiments, parameters: as of lmo_fit. */
struct lmo_miss lmo_to_two_miss(const struct lmo_design *design, const struct repeats experiments[],
                                const double parameters[]);

#endif
