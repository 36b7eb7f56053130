/* measuring.h - the experiments of several models, carried out one model after the other.
 *
 * PLogP's sizes and LMO's repetitions follow from what has been measured until then, so planning and carrying out take turns here.
 * What the parameters are good for is said on rank 0. */
#ifndef PEVPM_SURVEY_MEASURING_H
#define PEVPM_SURVEY_MEASURING_H

#include "survey/fitting.h"
#include "survey/section.h"

enum { MEASURING_NODES_MOST = 512 }; /* 3 C(n, 3) experiments grow with the cube */
enum { MEASURING_REPETITIONS_LEAST = 6, MEASURING_REPETITIONS_MOST = 10000 };
enum { MEASURING_BYTES_MOST = 1 << 30, MEASURING_MESSAGES_MOST = 100000 };

/* What is wanted where nothing else is said. More than ten repetitions were never needed: Lastovetsky and Rychkov 2009, section 6. */
#define MEASURING_WISH ((struct fitting_wish){.bytes = 8192, .messages = 32})
struct stopping measuring_rule(void);

/* The fewest nodes that these models want. */
int measuring_nodes_least(const bool models[N_FITTINGS]);

/* Plans and carries out what the models want; their fittings, in the list's order; how many. survey->nodes must suffice.
 * Collective over survey->comm. */
size_t measuring_run(struct survey *survey, const struct fitting_wish *wish, const struct stopping *rule,
                     const bool models[N_FITTINGS], struct fitting fittings[N_FITTINGS]);

/* What a reader of a model's parameters should know, on rank 0 after fitting_estimate. */
void measuring_judge(const struct survey *survey, const struct fitting *fitting, struct diags *diags);

/* That so many parameters stand as 0 in a section. */
void measuring_clamped(const struct section_clamped *clamped, struct diags *diags);

#endif
