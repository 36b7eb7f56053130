/* part.h - the parts and laws of a search (fit_terms.h): numbers that divide, and what boxes say (box.h). */
#ifndef PEVPM_RECORD_PART_H
#define PEVPM_RECORD_PART_H

#include "record/fit/fit_terms.h"

/* 1 and numprocs are the first two. Then what loops say, extents of grids with what is left of them after some halvings, and a few
 * numbers; the likelier first, because where several formulas give all values their order decides. */
void parts_make(struct search *search);

/* Of names->laws. */
void laws_make(struct search *search);

#endif
