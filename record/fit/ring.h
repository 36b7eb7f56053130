/* ring.h - who is next in rings of processes, among the wholes of a search (fit_terms.h). */
#ifndef PEVPM_RECORD_RING_H
#define PEVPM_RECORD_RING_H

#include "record/fit/fit_terms.h"

/* The one `distance` further on (sign 1) or back (-1) in a line of `extent` processes that are `stride` apart; none where so many
 * do not fit among the processes of a sample. */
void ring_add(struct search *search, const struct candidate *stride, const struct candidate *extent,
              const struct candidate *distance, int sign);

/* The next along an axis, whose extents are of the grids asked for; 0: of any. */
void rings_add(struct search *search, unsigned grids);

/* The next across several axes of the wanted grid at once, in rings along each. */
void corners_add(struct search *search);

/* The next in the wanted grid in a loop through its axes, or through both sides of each. */
void tours_add(struct search *search);

#endif
