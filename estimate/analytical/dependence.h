/* dependence.h - whether an operation escalates more often when the one before it did.
 *
 * From operations in a row at several points, each with a probability of its own: of each point a table of pairs, whether the
 * one before escalated by whether this one did. Sought is the difference of the two probabilities, which all points have in
 * common: d of models/escalation.h. By Mantel and Haenszel, with a pairs that escalated after one that did, of m, and b after
 * one that did not, of k,
 *     d = sum((a k - b m) / (m + k)) / sum(m k / (m + k))
 * and its variance is Greenland and Robins' (Biometrics 41, 1985, (4)). Of n operations one that escalated leaves fewer to do so after it: without dependence the
 * difference is -1 / (n - 1) on average, which is made up for. Points where all or none escalate count for nothing. */
#ifndef PEVPM_ESTIMATE_DEPENDENCE_H
#define PEVPM_ESTIMATE_DEPENDENCE_H

#include <stdbool.h>
#include <stddef.h>

/* Of one point: n[whether the one before escalated][whether this one did]; and how many operations they are of, 2 or more. */
struct pairs_of_two {
    double n[2][2], operations;
};

struct dependence {
    double value, half_width; /* of its 95 % interval */
    size_t pairs;             /* of points at which some escalated and some did not */
};

/* False, and nothing is written: no point tells anything. */
bool dependence_find(size_t n, const struct pairs_of_two points[], struct dependence *found);

#endif
