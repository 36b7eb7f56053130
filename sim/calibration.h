/* calibration.h - what the machine file's own uncertainty does to a predicted run time.
 *
 * A calibration measures a network as one launch of a job found it. Where the file says how much launches differ
 * (`launch_sd`), the first replications are run with all transits longer by one standard deviation, with the same random
 * numbers. How much later they end, on the mean, is one standard deviation of the run time (replicate_plan.later). */
#ifndef PEVPM_SIM_CALIBRATION_H
#define PEVPM_SIM_CALIBRATION_H

#include "sim/replicate.h"

/* The run times of replications 0 ... *n - 1 so; NaN: a deadlock. *n = 0 where the file does not say, the mode is not
 * distribution, a single replication is wanted, or they cannot be run: the prediction itself then says why.
 * STATUS_OK, or STATUS_INTERRUPTED. All ranks call it and get the same. */
enum status calibration_later(const struct engine_setup *setup, const struct replicate_plan *plan,
                              double later[REPLICATE_FIRST], size_t *n);

#endif
