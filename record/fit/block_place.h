/* block_place.h - of what a block (block.h) may be one, and what may be shared out in blocks. */
#ifndef PEVPM_RECORD_BLOCK_PLACE_H
#define PEVPM_RECORD_BLOCK_PLACE_H

#include "record/fit/fit_terms.h"

/* The places and quantities of a search, made when they are first asked for:
 *
 *   places        a process among all, the next, the one before, or a worker without process 0; whose block a trip of a loop is
 *                 about; a process along the axes of the wanted grid, whichever of them is next in number
 *   quantities    1, and of each parameter N itself, N + 1, N - 1, N + 2, N - 2 and N N
 *
 * The likelier first. Values of places are what their texts say, at counts that were not recorded as well, where E may be 0 and
 * q none of E. */
void search_make_places(struct search *search);

#endif
