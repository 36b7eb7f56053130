/* neighbour.h - neighbours that are in no ring, in the wanted grid (names->prefers) and in the line of all: as partners, and as
 * conditions that there are any. Terms of a search (fit_terms.h). */
#ifndef PEVPM_RECORD_NEIGHBOUR_H
#define PEVPM_RECORD_NEIGHBOUR_H

#include "record/fit/fit_terms.h"

/* Along each axis of the grid: MPI_PROC_NULL at its end, or whoever asks is not at the end. As laws, or as wholes. */
void lines_add(struct search *search, bool laws);

/* Does a direction (direction.h) go along more than one axis? The neighbour there, a law; that there is one, a test. */
bool direction_is_across(int direction);
void across_add(struct search *search);
void across_add_test(struct search *search);
/* That there is a neighbour across all three axes of the grid, for each of the eight: whoever waits for a message of a corner
 * asks for all three ends, and pairs of tests do not. */
void corners_add_tests(struct search *search);

/* Who is at an end of an axis of the grid: tests. */
void ends_add(struct search *search);

/* In the line of all: wholes, where partners and not numbers are asked for. */
void neighbours_add(struct search *search);

#endif
