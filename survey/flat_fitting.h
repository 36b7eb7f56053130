/* flat_fitting.h - what linear Scatter and Gather do beyond LMO's messages, from their times (flat.h): on rank 0. */
#ifndef PEVPM_SURVEY_FLAT_FITTING_H
#define PEVPM_SURVEY_FLAT_FITTING_H

#include "common/diag.h"
#include "estimate/analytical/many_to_one.h"
#include "survey/fitting.h"
#include "survey/flat.h"

/* many_to_one_fit with LMO's parameters as they stand in a file (section_lmo), after fitting_estimate. *found ends with
 * many_to_one_free. False: not every point was measured, and nothing is written. */
bool flat_fit(const struct flat_survey *flat, const struct fitting *lmo, struct many_to_one *found);

/* Why there is nothing then, without an end: the caller says what can be done, and frees it. */
char *flat_missing(const struct flat_survey *flat, double budget);

/* What a reader of *found should know. */
void flat_judge(const struct flat_survey *flat, const struct flat_wish *wish, const struct many_to_one *found,
                struct diags *diags);

#endif
