/* tree.h - places in binomial trees (binomial.h), as terms of a search (fit_terms.h). */
#ifndef PEVPM_RECORD_TREE_H
#define PEVPM_RECORD_TREE_H

#include "record/fit/fit_terms.h"

/* As text: how many processes a tree by lowest bits has below this one at most, a power of two. */
const char *search_low_reach(struct search *search);

/* Whom a process receives from, or sends to in the trips of a loop; how many it sends to; whether it sends to any. */
void tree_add_partners(struct search *search);
void tree_add_counts(struct search *search);
void tree_add_tests(struct search *search);

#endif
