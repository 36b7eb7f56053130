/* quantile.h - a quantile function laid out for sampling: 32 random bits in, seconds out.
 *
 * The domain of 2^32 words is cut into 1024 equal cells (the guide table: the top 10 bits of the word). Within a cell
 * the function is one or more straight pieces:
 *
 *     t(word) = A + B * offset,     offset = word mod 2^22,     u = (word + 0.5) / 2^32
 *
 * A cell with one or two pieces is served from fixed places without a branch: piece = offset >= split[cell],
 * line = &lines[2 * cell + piece]; with one piece both lines are the same. A cell with more (a dense tail) has
 * split = QUANTILE_MANY and its pieces in a list; its two lines are copies of the first piece. Knots are bin edges
 * rounded to the nearest 2^-32: nothing else is approximated. The scalar and the lane-wise evaluation (engine/lanes)
 * use the same table, the same formula and the same order of operations, so they agree bit for bit.
 *
 * Every word's value is at least 0 and at least that of the word before: where rounding would break that, building
 * raises A by the few units in the last place that it takes. A piece of a single word is flat at its middle. Relative
 * error: about 1e-15, and at most 2^-30 / width of its rise for a steep piece `width` words wide, since A then stands
 * far outside the piece.
 * Memory: 36 KiB for a table, 24 bytes for each piece of the list and 4 KiB for its index; none for a constant. */
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
    QUANTILE_CELL_WORDS = 1 << QUANTILE_OFFSET_BITS, /* also: split of a cell with one piece */
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

struct quantile {
    bool constant;               /* then only `value` is set */
    double value;
    bool has_many;               /* some cell has more than two pieces */
    /* One block of memory: lines first, aligned to 64 bytes. */
    uint32_t *split;             /* [QUANTILE_CELLS] */
    struct quantile_line *lines; /* [2 * QUANTILE_CELLS] */
    uint32_t *first; /* [QUANTILE_CELLS + 1] into pieces; only cells with QUANTILE_MANY have any; NULL: no such cell */
    struct quantile_piece *pieces;
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

/* The piece at an offset of a cell whose split is QUANTILE_MANY. */
struct quantile_line quantile_line_of_many(const struct quantile *q, uint32_t cell, uint32_t offset);

/* It will be asked for that word before long: the caller has something else to do while memory fetches what it takes. */
static inline void quantile_expect(const struct quantile *q, uint32_t word)
{
    if (q->constant)
        return;
    __builtin_prefetch(&q->lines[2 * (word >> QUANTILE_OFFSET_BITS)]);
    __builtin_prefetch(&q->split[word >> QUANTILE_OFFSET_BITS]);
}

/* One of two numbers: the second where mask is all ones, the first where it is 0. */
static inline double quantile_choose(double first, double second, uint64_t mask)
{
    uint64_t a, b;
    memcpy(&a, &first, sizeof a);
    memcpy(&b, &second, sizeof b);
    a ^= (a ^ b) & mask;
    memcpy(&first, &a, sizeof a);
    return first;
}

/* The time drawn by `word`. Both lines of the cell are read before it is known which counts: they share a cache line,
 * and reading need not wait for the split. Which does is chance: the choice is hidden from the compiler, which would make
 * a branch of it that nothing can predict. */
static inline double quantile_at(const struct quantile *q, uint32_t word)
{
    if (q->constant)
        return q->value;
    uint32_t cell = word >> QUANTILE_OFFSET_BITS, offset = word & (QUANTILE_CELL_WORDS - 1);
    const struct quantile_line *lines = &q->lines[2 * cell];
    uint32_t split = q->split[cell];
    if (__builtin_expect(split == QUANTILE_MANY, 0)) {
        const struct quantile_line line = quantile_line_of_many(q, cell, offset);
        return line.A + line.B * (double)offset;
    }
    uint64_t second = (uint64_t)0 - (offset >= split);
    __asm__("" : "+r"(second));
    return quantile_choose(lines[0].A, lines[1].A, second) +
           quantile_choose(lines[0].B, lines[1].B, second) * (double)offset;
}

#endif
