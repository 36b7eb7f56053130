/* chance.h - would some formula have given these values whatever they are?
 *
 * A search (fit_terms.h) tries hundreds of formulas. Of few values some one gives all: the roots of a broadcast at 2, 4 and
 * 8 processes are one of 64 possible triples, and what is tried gives every third of them. A formula is confirmed where
 *
 *     tried / possible <= 1/20
 *
 *     tried      different answers of the formulas that come no later in the lists, where they are possible ones
 *     possible   how many answers there could have been: the product, over the values, of numprocs for a partner and of 2 v + 2 for
 *                a number v (in steps of up to four bytes). Processes that have one value in a trip of a recording are one of these;
 *                a number that the formula has got from the values takes one away
 *
 * What is the same everywhere is taken for a constant, and confirmed by two counts. Of a block (block.h) both
 * are asked: how large the shares are, and, where they differ, which of them are rounded up: each could be or not, and tried
 * are places and kinds, and as many numbers that are shared out as the least extent has processes. */
#ifndef PEVPM_RECORD_CHANCE_H
#define PEVPM_RECORD_CHANCE_H

#include "record/fit/fit_terms.h"

/* A formula without conditions, of some of the samples. */
struct piece {
    enum { PIECE_CONSTANT, PIECE_WHOLE, PIECE_LINE, PIECE_LAW, PIECE_BLOCK } kind;
    const char *text;
    const int64_t *value;       /* [m] */
    size_t at;                  /* of a whole or a line: which of search->wholes or ->slopes */
    struct block_evidence evidence; /* of a block */
    bool grid;                  /* of a line: no slopes but those of a grid that names->grids has were tried */
    struct subset of;
    const struct piece *next;   /* of the same formula, with conditions between them */
};

/* The first piece that nothing confirms, or `text`, the whole, where it is the conditions; NULL: all is confirmed. tests:
 * log2 of how many conditions were tried. */
const char *chance_unconfirmed(const struct search *search, const char *text, const struct piece *pieces, double tests);

/* Is a piece confirmed? */
bool chance_confirms(const struct search *search, const struct piece *piece);

/* Partners that follow from numprocs alone may be floor(f numprocs): who has a place in the data, such as their maximum, at the
 * part f of all. Is that as likely as the piece, which is no constant? True: *low <= f < *high. Confirmed is a piece of which
 * tried / possible <= 1/8, both among such answers: that are as many as there are different k / numprocs. */
bool chance_is_place(const struct search *search, const struct piece *piece, double *low, double *high);

/* Is the condition confirmed that is test number `a`; or that of a and b, where these differ? */
bool chance_confirms_tests(const struct search *search, size_t a, size_t b);

#endif
