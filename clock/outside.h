/* outside.h - may so many errors lie beyond a bound that holds 95 % of them, or does the bound not hold?
 *
 * Errors that are looked at between the same two synchronisations are right or wrong together, so they count as one. Of
 * `independent` such, at most the share OUTSIDE_SHARE lies outside; more is put down to chance unless the binomial
 * distribution gives it a probability below OUTSIDE_CHANCE. With 9 independent ones up to 3 are chance, with 1000 up to
 * 73. */
#ifndef PEVPM_CLOCK_OUTSIDE_H
#define PEVPM_CLOCK_OUTSIDE_H

#include <stdbool.h>
#include <stdint.h>

#define OUTSIDE_SHARE 0.05
#define OUTSIDE_CHANCE 0.001

/* outside of errors, each independent one looked at errors / independent times; a part of one does not count. 0 <=
 * outside <= errors, independent <= errors (asserted). */
bool outside_is_chance(int64_t outside, int64_t errors, int64_t independent);

#endif
