/* fitting.h - the experiments that models want of a survey, and their parameters from it.
 *
 * Hockney, LogP, LogGP and PLogP are fitted to each pair of nodes (estimate/analytical/pair_models.h), LMO to all nodes at once
 * (estimate/analytical/lmo_fit.h). Experiments that several models want are carried out once. Units: seconds, bytes. */
#ifndef PEVPM_SURVEY_FITTING_H
#define PEVPM_SURVEY_FITTING_H

#include "estimate/analytical/lmo_fit.h"
#include "estimate/analytical/pair_models.h"
#include "models/model_list.h"
#include "survey/survey.h"

enum fitting_model {
#define X(name, given, formulas) FITTING_##name,
    ANALYTICAL_LIST(X)
#undef X
    N_FITTINGS
};
const char *fitting_name(enum fitting_model model);

enum { PLOGP_SIZES_MOST = 16 };
enum { HOCKNEY_SIZES = 9 }; /* of a regression: 0 and eighths of `bytes` */

enum { SMALL_MESSAGES = 8 }; /* a burst of few small ones is over before the port has been busy */

/* What is wanted. */
struct fitting_wish {
    int64_t bytes;        /* of the non-empty messages; PLogP's largest */
    int messages;         /* of a saturation; SMALL_MESSAGES times as many where they are empty or of one byte */
    bool direct_gap;      /* PLogP's: a saturation of each size */
    bool regression;      /* Hockney's: a line through round trips of HOCKNEY_SIZES sizes; else two series */
};

/* One model. A unit is a pair (number j (j - 1) / 2 + i, i < j), for LMO all nodes. */
struct fitting {
    enum fitting_model model;
    size_t nodes, units, n_experiments, n_parameters;
    size_t *number;           /* [units][n_experiments] in the survey */
    struct estimate *found;   /* [units][n_parameters]; rank 0, after fitting_estimate */
    estimator *estimate;
    degrees_of_freedom *degrees; /* of the parameters; NULL: as bootstrap.h has it */
    const void *context;      /* of the estimator: one of these */
    double bytes;
    bool regression;
    struct hockney_sizes hockney;
    double hockney_bytes[HOCKNEY_SIZES];
    struct loggp_sizes loggp;
    struct plogp_sizes plogp;
    double plogp_bytes[PLOGP_SIZES_MOST];
    struct lmo_design lmo;
};

/* Adds the model's experiments to the survey, of LMO the round trips. plogp_bytes [k]: PLogP's sizes from 0 up, else
 * not looked at. *fitting stays where it is until fitting_free. */
void fitting_plan(struct fitting *fitting, enum fitting_model model, struct survey *survey,
                  const struct fitting_wish *wish, size_t k, const double plogp_bytes[]);
void fitting_free(struct fitting *fitting);

/* A one-to-two experiment of LMO and how long it should take: what the root's port needs for two messages, or the way
 * to the slower of the two, whichever is more. */
struct triplet {
    int node[3];
    double t;
};

/* LMO, on rank 0, once its round trips have been carried out: all [return value] out, the longest first, so that those
 * which should take as long as each other come together and few of a round wait for the longest; of these roots in
 * turns. NULL: only how many. */
size_t fitting_triplets(const struct fitting *fitting, const struct survey *survey, struct triplet all[]);

/* Adds them to the survey, in this order, on every rank. */
void fitting_plan_triplets(struct fitting *fitting, struct survey *survey, const struct triplet all[]);

/* LMO, on rank 0: which one-to-two experiments are to be repeated, more [survey->n] out. Where the mean over those that
 * a node leads is not known to the rule's precision (lmo_to_two_precision), those of it whose own means are known
 * least, the average and beyond. And once those whose times are further apart than four times that part of them, as
 * what delays one often delays the next. None more often than the rule's maximum. */
void fitting_more(const struct fitting *fitting, const struct survey *survey, const struct stopping *rule, bool more[]);

/* What was measured of a unit [n_experiments], from the survey or (not NULL) from its repetition; the caller frees it, times are
 * borrowed. On rank 0. */
struct repeats *fitting_repeats(const struct fitting *fitting, const struct survey *survey,
                                const struct surveyed again[], size_t unit);

/* On rank 0, from the survey, intervals with what is added where experiments are carried out at the same time, or (not
 * NULL) from its repetition alone. */
void fitting_estimate(struct fitting *fitting, const struct survey *survey, const struct surveyed again[]);

/* The size at which PLogP wants another point (plogp_refine, of the means over all pairs of each curve); NAN: none. */
double fitting_refine(const struct fitting *fitting);

/* Of the distinct experiments of a model: how many, how many measurements, seconds in the survey. */
struct fitting_cost {
    size_t experiments, measurements;
    double seconds;
};
struct fitting_cost fitting_cost_of(const struct fitting *fitting, const struct survey *survey,
                                    const struct surveyed again[]);

/* What the lines of Hockney by regression, as they are written, miss the one-way times by that they were found from: parts of
 * these times, over all pairs and sizes. */
struct line_miss {
    double median, largest;
    size_t node[2]; /* where the largest is */
    double bytes;
};
struct line_miss fitting_line_miss(const struct fitting *fitting, const struct survey *survey);

/* The mean of a parameter over all pairs. */
struct estimate fitting_mean(const struct fitting *fitting, size_t parameter);

#endif
