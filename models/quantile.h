/* quantile.h - a quantile function laid out for sampling: 32 random bits in, seconds out.
 *
 * The domain of 2^32 words is cut into 1024 equal cells (the guide table: the top 10 bits of the word). Within a cell
 * the function is one or more straight pieces:
 *
 *     t(word) = A + B * offset,     offset = word mod 2^22,     u = (word + 0.5) / 2^32
 *
 * A cell with up to three pieces is served from one cache line without a branch: piece = (offset >= split[0]) +
 * (offset >= split[1]), where a split that no offset reaches says that there is no such piece. A cell with more (a
 * dense tail) has split[0] = QUANTILE_MANY and its pieces in a list. Knots are bin edges rounded to the nearest 2^-32:
 * nothing else is approximated. The scalar and the lane-wise evaluation (engine/lanes) use the same table, the same
 * formula and the same order of operations, so they agree bit for bit.
 *
 * Every word's value is at least 0 and at least that of the word before: where rounding would break that, building
 * raises A by the few units in the last place that it takes. A piece of a single word is flat at its middle. Relative
 * error: about 1e-15, and at most 2^-30 / width of its rise for a steep piece `width` words wide, since A then stands
 * far outside the piece.
 * Memory: 64 KiB for a table, 24 bytes for each piece of the list; none for a constant. */
#ifndef PEVPM_MODELS_QUANTILE_H
#define PEVPM_MODELS_QUANTILE_H

#include "models/distribution.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
    QUANTILE_CELLS = 1024,
    QUANTILE_OFFSET_BITS = 22,
    QUANTILE_CELL_WORDS = 1 << QUANTILE_OFFSET_BITS, /* also: a split that no offset reaches */
    QUANTILE_NEAR = 3, /* pieces of a cell that need no list */
};
#define QUANTILE_MANY UINT32_MAX

struct quantile_line {
    double A; /* s, at the start of the cell (plus half a word) */
    double B; /* s per word */
};

struct quantile_piece {
    uint32_t start; /* offset within the cell where the piece begins */
    struct quantile_line line;
};

/* A cache line. */
struct quantile_cell {
    struct quantile_line line[QUANTILE_NEAR];
    uint32_t split[QUANTILE_NEAR - 1]; /* offsets within the cell where the second piece begins, and the third */
    uint32_t first, n;                 /* of a cell that has many: its pieces in the list */
};

struct quantile {
    bool constant;               /* then only `value` is set */
    double value;
    bool has_many;               /* some cell has more than three pieces */
    /* One block of memory: cells first, aligned to 64 bytes. */
    struct quantile_cell *cells;   /* [QUANTILE_CELLS] */
    struct quantile_piece *pieces; /* NULL: no cell has that many */
};

/* Builds the table of a weighted sum of quantile functions at equal probability: the union of all knots, each value
 * the sum in the order of the parts; cut at zero and kept non-decreasing from left to right (the running maximum, with
 * a knot where a line comes up through it). No parts: always 0. Deterministic. Takes some 10 us for parts of 100
 * points.
 * The caller owns *q (quantile_free). */
void quantile_build(struct quantile *q, const struct mix *mix);

/* A quantile function that is always `value`. Owns no memory. */
void quantile_constant(struct quantile *q, double value);

void quantile_free(struct quantile *q);

/* The line at an offset of a cell that has many. */
struct quantile_line quantile_line_of_many(const struct quantile *q, const struct quantile_cell *cell,
                                           uint32_t offset);

/* It will be asked for that word before long: the caller does something else while memory fetches what that takes. */
static inline void quantile_expect(const struct quantile *q, uint32_t word)
{
    if (!q->constant)
        __builtin_prefetch(&q->cells[word >> QUANTILE_OFFSET_BITS]);
}

/* The time drawn by `word`. */
static inline double quantile_at(const struct quantile *q, uint32_t word)
{
    if (q->constant)
        return q->value;
    const struct quantile_cell *cell = &q->cells[word >> QUANTILE_OFFSET_BITS];
    const uint32_t offset = word & (QUANTILE_CELL_WORDS - 1);
    if (__builtin_expect(cell->split[0] == QUANTILE_MANY, 0)) {
        const struct quantile_line line = quantile_line_of_many(q, cell, offset);
        return line.A + line.B * (double)offset;
    }
    const struct quantile_line *line = &cell->line[(offset >= cell->split[0]) + (offset >= cell->split[1])];
    return line->A + line->B * (double)offset;
}

#endif
