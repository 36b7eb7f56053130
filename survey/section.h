/* section.h - the `models:` section of a machine file from what was fitted.
 *
 * Of each pair model the means over all pairs (hockney, logp, loggp, plogp) and the pairs' own (hockney_hetero ...),
 * which predictions prefer; of lmo the nodes' own. Numbers stand with half the width of their 95 % interval and the
 * number of experiments, {value: , ci95: , experiments: }; those of linear Scatters and Gathers as many_to_one.h has it, but
 * for the surfaces.
 * Parameters that the file wants at 0 or above are set to 0 where noise made them negative; these are counted. LMO's
 * inverse_beta may be negative, and makes up for a t that was set to 0: t_i + t_j + 1/beta_ij stays what it was, unless
 * that is negative itself. */
#ifndef PEVPM_SURVEY_SECTION_H
#define PEVPM_SURVEY_SECTION_H

#include "estimate/analytical/many_to_one.h"
#include "survey/fitting.h"

/* What was set to 0: how many parameters, each counted once though a pair stands in the file twice, and of which kinds:
 * "L of logp, g of plogp"; owned by the caller, also where there are none. */
struct section_clamped {
    size_t n;
    char *kinds;
};

/* "models:\n...", the caller frees it. flat: of LMO, or NULL. */
char *section_text(size_t n, const struct fitting fittings[], const struct many_to_one *flat,
                   struct section_clamped *clamped);

/* LMO's parameters as they stand in the section: parameters [lmo_parameters(nodes)]. */
void section_lmo(const struct fitting *fitting, double parameters[]);

#endif
