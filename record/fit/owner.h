/* owner.h - whose turn it is, where n things that are shared out in blocks among E places (block.h) come one after the other: the row of
 * a matrix that is broadcast next, the block that the next message is of. Where blocks are equal all kinds say the same. */
#ifndef PEVPM_RECORD_OWNER_H
#define PEVPM_RECORD_OWNER_H

#include "record/fit/fit_terms.h"

/* The likelier first. */
enum owner_kind {
    OWNER_DOWN,         /* i/(n/E): blocks that are rounded down, and nothing behind the last */
    OWNER_FIRST,        /* max(i/(n/E+1), (i-n%E)/(n/E)): the first have one more */
    OWNER_BOUNDS,       /* (E*(i+1)-1)/n: from bounds that are rounded down */
    OWNER_REST,         /* min(i/(n/E), E-1): the last has the remainder */
    OWNER_CEIL,         /* i/((n+E-1)/E): rounded up, so that the last have fewer */
    OWNER_LAST,         /* min(i/(n/E), (i+E-n%E)/(n/E+1)): the last have one more */
    OWNER_KINDS
};

/* Who has thing i, 0 <= i, of n among E; -1: nothing is said, such as of fewer things than places. */
int64_t owner_of(enum owner_kind kind, int64_t i, int64_t n, int64_t E);
/* As text, of the search's memory. */
const char *owner_text(struct search *search, enum owner_kind kind, const char *i, const char *n, const char *E);

/* How many things a loop may be about: as many as its trips, or one more, where these are the same at all counts; as follow from how
 * many trips one has his turn; as parameters say. */
enum { OWNER_TOTALS = 8 };
struct owner_total {
    const char *text;
    int64_t number;             /* where no parameter says it */
    int param;                  /* -1: none */
};
int owner_totals(struct search *search, int loop, struct owner_total totals[OWNER_TOTALS]);
/* At a place of the search. */
int64_t owner_total_at(const struct search *search, const struct owner_total *total, size_t place);

#endif
