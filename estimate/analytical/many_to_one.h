/* many_to_one.h - what linear Scatter and Gather do beyond the messages they are made of, from repeated operations.
 *
 * [1] Lastovetsky, Rychkov, IJHPCA 23(2), 2009, section 5; [2] Lastovetsky, O'Flynn, IPDPS 2007, sections 4.3 and 5.
 * The times of a point are those of one operation with one number of processes and one size, repeated. Found are
 *     S              where one line no longer fits a Scatter's medians, those of the least number of processes, at the sizes of
 *                    a uniform stride (thresholds.h)
 *     linear part    of a Gather: for each number of processes a line up to M2, and one above. First that of the
 *                    quantile regression (R. Koenker, G. Bassett, Econometrica 46(1), 1978) of the least times by size, in
 *                    which escalated ones weigh little; then that of least squares, in parts of the time, through the
 *                    medians of what is within a tenth of it (of long ones 20 ms, or 3 %), again and again
 *     levels         of what has (levels.h)
 *     M2             where one line no longer fits the least times, if that changes them by BREAK_LEAST and more; else the
 *                    largest size at which any operation escalated: [2], the size from which escalations stop
 *     M1, Mc, f_i    by number of processes, and the surfaces (surface_fit.h); where nothing escalates M1 is beyond M2
 *     dependence     of an operation on the one before it at the same point (dependence.h), of all Gathers up to M2: 0 where that
 *                    lies in its interval
 *     M1 by ratio    [1]'s M1, by number of processes where there is one (many_to_one_ratio). Nothing goes by it: a level
 *                    that is less than ten times the linear part is none to it
 *     beyond         what (8), (9) and (10) lack of these lines and a Scatter's medians, of small and of large shares
 *                    (models/lmo_collective.h): least squares, in parts of the time, over all numbers of processes.
 *                    [1] has kappa = c1 - max or sum(t_i + 1/beta_0i), c1 the line's slope, which leaves out that n t_0
 *                    per byte goes through the root; here all of the formula is taken off. With one number of
 *                    processes C and t are 0, as nothing tells them from offset and kappa. Without sizes above S or
 *                    M2 the lines below are taken for both
 * Processes are the first nodes of those whose LMO parameters are given. Units: seconds, bytes. */
#ifndef PEVPM_ESTIMATE_MANY_TO_ONE_H
#define PEVPM_ESTIMATE_MANY_TO_ONE_H

#include "estimate/analytical/bootstrap.h"
#include "estimate/analytical/dependence.h"
#include "models/machine_write.h"

#include <stdbool.h>

/* Of the time at a break or at the largest size: two lines that are nearer than that to one are one. Linear parts are
 * to be predicted to 5 %. */
#define BREAK_LEAST 0.05
/* An operation escalates when it takes longer than (1 + LEVEL_MARGIN) times its linear part and this, s: half of TCP's
 * least timer, that of delayed acknowledgements; what busy processors delay is shorter. */
#define ESCALATION_LEAST 20e-3

/* FLAT_edge: a Gather. */
enum flat_kind { FLAT_scatter, FLAT_gather, FLAT_edge, N_FLAT_KINDS };

/* One point; borrowed. */
struct flat_point {
    int numprocs;
    double bytes;
    struct repeats times;
    const bool *follows; /* [times.n] whether an operation came right after the one before it here; NULL: not known of any */
};

struct many_to_one_input {
    size_t n_nodes;
    const double *parameters; /* of lmo_fit */
    size_t n_scatters, n_gathers, n_edges;
    const struct flat_point *scatters, *gathers; /* ascending by numprocs, then by bytes; each point once */
    const struct flat_point *edges;              /* likewise: Gathers by which M1 by ratio is known better, and nothing else */
};

struct many_to_one {
    struct machine_lmo lmo;       /* S, what is beyond the formulas, levels, M1, Mc, M2, M1 by ratio, probability, dependence:
                                   * owned; nothing else */
    double S_stride, M2_stride;   /* how many bytes later the next size was measured; M2's: 0 where nothing is later */
    bool M2_breaks;               /* M2 is a break of the linear part */
    bool has_dependence;          /* some operation of some that escalate now and then came right after another */
    struct dependence dependence; /* as it was found; lmo's is 0 where that lies in the interval */
    size_t n_fitted;
    struct machine_fitted *fitted; /* [n_fitted] how far levels, S, M1, Mc, M2, M1 by ratio and dependence are known: a level's 95 %
                                    * interval, and the times that are of it; of dependence how far from what is written its
                                    * interval goes, and the pairs; of a threshold how far it is to the neighbouring size that
                                    * was measured, between which and it the threshold lies, and the sizes of its row. Of
                                    * numbers of `lmo`, so this struct stays where it is */
    struct estimate scatter[2][N_LMO_BEYOND], gather[2][N_LMO_BEYOND]; /* their values are lmo's */
};

/* Gathers of at least two sizes for each number of processes. Ends with many_to_one_free. */
void many_to_one_fit(const struct many_to_one_input *input, struct many_to_one *found);
void many_to_one_free(struct many_to_one *found);

/* Where to measure next, to know M1 of each number of processes and M2 to `stride`: the middle between a size at which
 * something escalated and its neighbour at which nothing did. False: they are known. */
bool many_to_one_wants(size_t n_gathers, const struct flat_point gathers[], double stride, int *numprocs,
                       double *bytes);

/* Where M1 of a number of processes lies by [1]'s ratio rule (thresholds.h). */
struct ratio_leap {
    double from, to; /* the last size before the leap; the first behind it */
    double time;     /* of `from` */
    double row;      /* `to` by the row of Gathers alone, without edges */
};

/* The row is the Gathers of so many processes, from the least size up; the time of a size is the largest that
 * escalated (ESCALATION_LEAST), where none did the least. False: no time is more than THRESHOLD_RATIO times that of the
 * size before it, and nothing is written. */
bool many_to_one_ratio(const struct many_to_one_input *input, int numprocs, struct ratio_leap *leap);

/* That time of one point. The least time seen stands for the linear part. */
double flat_point_time(const struct flat_point *point);

/* How far the share of escalated operations at a point may be off: half of its 95 % interval. linear: the least time
 * seen stands for it. */
double flat_point_uncertainty(const struct flat_point *point);

#endif
