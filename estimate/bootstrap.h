/* bootstrap.h - parameters found from repeated experiments, with intervals from the raw repetitions.
 *
 * An estimator turns the repetitions of all its experiments into all its parameters. Experiments share measurements (a
 * round trip serves several parameters), so intervals come from doing all of it again on repetitions drawn with
 * replacement, each experiment from its own (B. Efron, R. Tibshirani, An introduction to the bootstrap, 1993). With s
 * the standard deviation of a parameter over the resamples and r the fewest repetitions of an experiment,
 *     half width = t(0.975, r - 1) sqrt(r / (r - 1)) s
 * t: Student's quantile. The root makes up for resamples varying about their own mean. This is exact for a parameter of
 * one experiment with normal noise, and up to 1.3 points wide (96.3 % for 95 %) for one that averages many of r = 20.
 * Units: seconds. */
#ifndef PEVPM_ESTIMATE_BOOTSTRAP_H
#define PEVPM_ESTIMATE_BOOTSTRAP_H

#include <stddef.h>
#include <stdint.h>

/* The times of one experiment, repeated. Borrowed. */
struct repeats {
    size_t n;        /* at least 2 */
    const double *t; /* [n] s */
};

double repeats_mean(const struct repeats *repeats);

/* One estimated number. */
struct estimate {
    double value, half_width; /* of the 95 % interval */
    size_t experiments;       /* it was found from; 0: not said */
};

/* From n experiments to parameters. context: its own. */
typedef void estimator(const void *context, const struct repeats experiments[], double parameters[]);

/* What all is estimated from. resamples: at least 2; 200 know s to 5 %. */
struct bootstrap {
    size_t n_experiments, n_parameters, resamples;
    uint64_t seed;
    estimator *estimate;
    const void *context;
};

/* found [n_parameters] out: values from the repetitions as they are. Of two runs with one seed the bits are the same. */
void bootstrap_run(const struct bootstrap *bootstrap, const struct repeats experiments[], struct estimate found[]);

#endif
