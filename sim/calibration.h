/* calibration.h - what the machine file's own uncertainty does to a predicted run time.
 *
 * A calibration measures a network as one launch of a job found it. Where the file says how much launches differ
 * (`launch_sd`), the program is predicted with all transits longer by one standard deviation, replications paired by
 * their random numbers; the mean difference is one standard deviation of the run time. */
#ifndef PEVPM_SIM_CALIBRATION_H
#define PEVPM_SIM_CALIBRATION_H

#include "sim/replicate.h"

enum { CALIBRATION_REPLICATIONS = 16 };

/* *sd out: s; 0 where the file does not say, or the mode is not distribution. Statuses of replicate_run. */
enum status calibration_sd(const struct engine_setup *setup, const struct replicate_plan *plan, double *sd,
                           struct diags *diags);

#endif
