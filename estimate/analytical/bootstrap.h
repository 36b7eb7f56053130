/* bootstrap.h - parameters found from repeated experiments, with intervals from the raw repetitions.
 *
 * An estimator turns the repetitions of all its experiments into all its parameters. Experiments share measurements (a
 * round trip serves several parameters), so intervals come from doing all of it again on repetitions drawn with
 * replacement, each experiment from its own (B. Efron, R. Tibshirani, An introduction to the bootstrap, 1993). What is
 * drawn of r repetitions is set sqrt(r / (r - 1)) times as far from their mean as it is, which makes up for resamples
 * varying about their own mean (J. Rao, C. Wu, Resampling inference with complex survey data, JASA 83, 1988). With s
 * the standard deviation of a parameter over the resamples
 *     half width = t(0.975, d) s
 * t: Student's quantile; d: degrees of freedom that s is known with. A parameter of one experiment has r - 1, one that
 * averages many has more: `degrees` tells. Units: seconds. */
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

/* degrees [n_parameters] out, each at least 1 (F. Satterthwaite, An approximate distribution of estimates of variance
 * components, Biometrics 2, 1946). */
typedef void degrees_of_freedom(const void *context, const struct repeats experiments[], double degrees[]);

/* What is not known of several experiments alike, beside their repetitions: a resample adds the same draw of N(0,
 * sd[g]) to all times of those for which of[e] == g. */
struct bootstrap_shared {
    size_t n;         /* 0: nothing is */
    const double *sd; /* [n] s */
    const int *of;    /* [n_experiments]; negative: to none */
};

/* What all is estimated from. resamples: at least 2; 200 know s to 5 %. */
struct bootstrap {
    size_t n_experiments, n_parameters, resamples;
    uint64_t seed;
    estimator *estimate;
    const void *context;
    degrees_of_freedom *degrees; /* NULL: the fewest repetitions of an experiment, less 1 */
    struct bootstrap_shared shared;
};

/* found [n_parameters] out: values from the repetitions as they are. Of two runs with one seed the bits are the
 * same. */
void bootstrap_run(const struct bootstrap *bootstrap, const struct repeats experiments[], struct estimate found[]);

#endif
