/* surface_fit.h - how often a many-to-one operation escalates to which level, as functions of processes and bytes.
 *
 * Lastovetsky, O'Flynn, IPDPS 2007, section 5: the surfaces f_i(n, M) are B-splines fitted to relative frequencies.
 * Here they are tensor products of bases over n and M on clamped knots, which part the different values evenly: where
 * more were measured a surface may bend more. All levels are fitted at once by least squares, each frequency with its
 * number of operations for a weight, under
 *     c >= 0 and sum over levels of c <= 1       for each pair of basis functions
 * Since the bases are not negative and add up to 1, so do the surfaces: each in [0, 1], together at most 1, everywhere.
 * Their intervals are fitted to the points' binomial ones, each end of each level on its own, in the same way: of what stands
 * between points they say no more than that both ends go on straight.
 * Between points a slight penalty on second differences (Eilers, Marx, Statistical Science 11(2), 1996) takes the place
 * of data. The convex problem is solved by accelerated projected gradients (Beck, Teboulle 2009). Units: bytes. */
#ifndef PEVPM_ESTIMATE_SURFACE_FIT_H
#define PEVPM_ESTIMATE_SURFACE_FIT_H

#include "models/machine.h"

#include <stddef.h>

/* What was seen at one point. */
struct frequency {
    int numprocs;
    double bytes;
    double operations;    /* > 0 */
    const double *counts; /* [n_levels] of them escalated to each level; together at most `operations` */
};

/* Degrees and numbers of intervals between knots; fewer are taken where a direction has too few different values. */
struct surface_shape {
    int degree_numprocs, degree_bytes; /* 0 .. 9 */
    size_t intervals_numprocs, intervals_bytes;
};

#define SURFACE_CONFIDENCE 0.95

/* surfaces [n_levels] out: splines as the machine file holds them; each ends with machine_surface_free. n > 0, n_levels > 0. */
void surface_fit(size_t n, const struct frequency points[], size_t n_levels, const struct surface_shape *shape,
                 struct machine_surface surfaces[]);

/* Clopper and Pearson's interval of a probability of which k in n were seen. confidence: 0.95, say. */
void frequency_interval(double k, double n, double confidence, double *low, double *high);

/* Of the points of `numprocs`: M1, the least size at which any operation escalated, and Mc, the least from which on all
 * did up to M2. INFINITY where there is none. */
void escalation_limits(size_t n, const struct frequency points[], size_t n_levels, int numprocs, double M2, double *M1,
                       double *Mc);

#endif
