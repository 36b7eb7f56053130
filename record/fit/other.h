/* other.h - what else gives the samples of a search (fit_terms.h), as fit_other tells it: another formula that differs at counts
 * which were not recorded. */
#ifndef PEVPM_RECORD_OTHER_H
#define PEVPM_RECORD_OTHER_H

#include "record/fit/chance.h"

/* A formula with its values; text NULL: none. */
struct found {
    const char *text;
    const int64_t *value;         /* [m] */
    unsigned grids;               /* as fit_other */
    const struct piece *pieces;   /* that it is made of (chance.h); NULL: of a condition */
    double tests;                 /* log2 of how many conditions were tried for it */
};

/* Said of another formula for one side of a condition. */
#define OTHER_IN_PART " in one of its cases"

/* Notes a formula in search->other, if it is the first one that differs from the one that was found. */
bool other_note(struct search *search, const char *text, const int64_t value[], struct found found, struct subset subset);

/* What speaks against the whole formula beside others of the lists: that nothing confirms it, places in the data, remainders, an
 * extent that has always been the same. */
void other_note_beside(struct search *search, struct found found);

#endif
