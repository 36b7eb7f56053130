/* slopes.h - what numbers grow with: a slope is a factor in front of which a number stands, "/numprocs" or "*i". */
#ifndef PEVPM_RECORD_SLOPES_H
#define PEVPM_RECORD_SLOPES_H

#include "record/fit/fit_terms.h"

/* search->slopes, behind search_make_wholes: what work and sizes are proportional to; with parameters also their products with
 * those. */
void slopes_make(struct search *search);
/* Behind these, of values: what parameters and two of them together say, in shares of an extent of a grid: n/px and n*m/(py*pz),
 * faces of a box of which parameters say how large it is; of three axes also (n/py)*(m/pz), each share rounded down. */
void slopes_make_shares(struct search *search);
/* Behind these, of values that differ from process to process: what those before or behind a process have together, as of
 * blocks that come in turn. */
void slopes_make_sides(struct search *search);
/* Likewise: how many processes one message of a binomial tree is for: all below a process, or below whom it sends to in a trip,
 * further and further away or nearer and nearer; or their part of all. */
void slopes_make_trees(struct search *search);

#endif
