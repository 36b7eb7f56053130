/* steadied.h - a machine whose nodes differ under LMO only as far as the confidence intervals of their parameters let
 * them.
 *
 * Sixteen hosts that are all the same have sixteen estimates of C; the best of all mappings of such numbers to a tree
 * gains what the estimates are wrong by, and nothing on the machine. So each C_i, and each t_i, is moved towards their
 * mean m,
 *     C_i' = m + w (C_i - m),    w = max(0, 1 - (mean of s_i^2) / (variance of C_i)),
 * s_i the standard deviation that its interval has (James and Stein, with what is known of the noise). 1 / beta
 * stays. */
#ifndef PEVPM_SIM_STEADIED_H
#define PEVPM_SIM_STEADIED_H

#include "models/machine.h"
#include "models/machine_source.h"

#include <stdint.h>

struct steadied {
    struct machine machine;     /* shares all but `lmo` with the given one */
    struct machine_lmo lmo;
};

/* source: of the machine; NULL, or without intervals: nothing moves. draw > 0: each C_i' and t_i' is besides a standard
 * deviation larger or smaller by chance, as it might be; the same draw, the same chance. */
void steadied_init(struct steadied *steadied, const struct machine *machine, const struct machine_source *source,
                   uint64_t draw);
void steadied_free(struct steadied *steadied);

#endif
