/* block.h - what somebody has of n things that are shared out in blocks, where the number of blocks need not divide n:
 *
 *     s (a + b block(q, E; n))
 *
 *     block    as many as place q of E has (enum block_kind)
 *     q, E     a process among all, or along an axis of a grid; the one behind a trip of a loop; workers without process 0
 *     n        a number, or what a parameter says; the same at all counts, which is why it is found
 *     s        1, or what a parameter says: the length of a row
 *     a, b     numbers: of a border, of the elements of one thing
 *
 * and n - block(q, E; n), of who collects what others have.
 *
 * It is found from b, which is what all values differ by, or a half or a third of that: blocks of two sizes are one apart. With it
 * each value says between which numbers n is, for each a that is tried. */
#ifndef PEVPM_RECORD_BLOCK_H
#define PEVPM_RECORD_BLOCK_H

#include "record/fit/fit_terms.h"

/* The likelier first. */
enum block_kind {
    BLOCK_FIRST,        /* n/E + (q < n%E): the first have one more */
    BLOCK_BOUNDS,       /* (q+1)*n/E - q*n/E: from bounds that are rounded down */
    BLOCK_REST,         /* n/E + (q == E-1)*(n%E): the last has the remainder */
    BLOCK_CEIL,         /* max(0, min(u, n - q*u)) with u = (n+E-1)/E: rounded up, so that the last have fewer */
    BLOCK_LAST,         /* (n+q)/E: the last have one more */
    BLOCK_REST_FIRST,   /* n/E + (q == 0)*(n%E): the first has the remainder */
    BLOCK_DOWN,         /* n/E: all have the same, rounded down */
    BLOCK_UP,           /* (n+E-1)/E: or up */
    BLOCK_KINDS
};

/* How many place q of E has, 0 <= q < E. (q + 1) n must fit. */
int64_t block_size(enum block_kind kind, int64_t q, int64_t E, int64_t n);

struct block {
    enum block_kind kind;
    bool others;                /* all but the block: n less it, of whoever collects what others have */
    size_t place;               /* of search->places */
    const struct quantity *scale, *total; /* s and n; total NULL: a number */
    int64_t a, b;               /* of others 0 and 1 */
    int64_t n, most;            /* of a number: the least that gives all values, and the largest */
    struct block_evidence evidence;
};

/* Where block_find is; all 0 at first. */
struct block_cursor {
    size_t at;                  /* of places, kinds, s and n */
    size_t tried;
};

/* The next block that gives all values of the subset, from the cursor on; search_make_places has been called. false: there is
 * none, and *block is of no use. Whether anything confirms it, chance.h says. */
bool block_find(const struct search *search, struct subset subset, struct block_cursor *cursor, struct block *block);
/* Its values, [m], and its text, of the search's memory; both with n, such as block->n or ->most, where no parameter says it. */
void block_values(const struct search *search, const struct block *block, int64_t n, int64_t value[]);
const char *block_text(struct search *search, const struct block *block, int64_t n);

#endif
