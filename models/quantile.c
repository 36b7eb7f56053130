#include "models/quantile.h"

#include "common/alloc.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Words of a table; a knot may stand at 2^32 itself, the end. */
#define WORDS_END (UINT64_C(1) << 32)

/* A straight stretch of the finished function over the words [start, end): from low at `start` to high at `end`. */
struct stretch {
    uint64_t start, end;
    double low, high;
};

/* Stretches as they are made; `top` is the running maximum, 0 at first, so that negative times are cut. */
struct stretches {
    size_t n, most;
    struct stretch *list;
    double top;
};

/* Where one part stands: its piece from (k0, t0) to (k1, t1), of non-zero width after rounding. */
struct cursor {
    const struct distribution *d;
    size_t next; /* the point at k1 */
    uint64_t k0, k1;
    double t0, t1, slope;
};

static uint64_t knot_of(double p)
{
    return (uint64_t)llrint(p * 4294967296.0);
}

/* Moves to the piece that starts at k1, over points that fall on the same knot. Not called at the end. */
static void cursor_advance(struct cursor *c)
{
    const struct distribution *d = c->d;
    c->k0 = c->k1;
    size_t i = c->next;
    uint64_t k = c->k0;
    while (k == c->k0)
        k = knot_of(d->p[++i]);
    c->t0 = d->t[i - 1];
    c->t1 = d->t[i];
    c->k1 = k;
    c->next = i;
    c->slope = (c->t1 - c->t0) / (double)(k - c->k0);
}

static void cursor_init(struct cursor *c, const struct distribution *d)
{
    assert(d->n >= 2 && d->p[0] == 0 && d->p[d->n - 1] == 1);
    *c = (struct cursor){.d = d};
    cursor_advance(c);
}

static void stretch_add(struct stretches *s, uint64_t start, uint64_t end, double low, double high)
{
    if (start >= end)
        return;
    struct stretch *last = s->n ? &s->list[s->n - 1] : NULL;
    if (last && low == high && last->low == low && last->high == low) {
        last->end = end;
        return;
    }
    assert(s->n < s->most);
    s->list[s->n++] = (struct stretch){start, end, low, high};
}

/* Adds the line from low to high over [start, end), raised to the running maximum. Words stand for the middle of
 * their interval, so a knot rounded to the nearest word gives every word the greater of the two exactly. */
static void line_add(struct stretches *s, uint64_t start, uint64_t end, double low, double high)
{
    if (low >= s->top && high >= low) {
        stretch_add(s, start, end, low, high);
        s->top = high;
    } else if (high <= s->top || high <= low) {
        s->top = fmax(s->top, low);
        stretch_add(s, start, end, s->top, s->top);
    } else {
        double width = (double)(end - start);
        double crossing = (s->top - low) / (high - low) * width;
        uint64_t knot = start + (uint64_t)llrint(fmin(crossing, width));
        stretch_add(s, start, knot, s->top, s->top);
        if (knot < end) {
            double at_knot = low + (high - low) * ((double)(knot - start) / width);
            stretch_add(s, knot, end, at_knot, high);
        }
        s->top = high;
    }
}

/* Merges the knots of all parts; values are summed in the order of the parts. */
static void stretches_build(struct stretches *s, const struct mix *mix)
{
    struct cursor cursors[MIX_MOST];
    for (int i = 0; i < mix->n; i++)
        cursor_init(&cursors[i], mix->part[i]);
    uint64_t start = 0;
    while (start < WORDS_END) {
        uint64_t end = WORDS_END;
        for (int i = 0; i < mix->n; i++)
            end = cursors[i].k1 < end ? cursors[i].k1 : end;
        double low = 0, high = 0;
        for (int i = 0; i < mix->n; i++) {
            struct cursor *c = &cursors[i];
            double weight = mix->weight[i];
            low += weight * (c->t0 + c->slope * (double)(start - c->k0));
            high += weight * (c->k1 == end ? c->t1 : c->t0 + c->slope * (double)(end - c->k0));
            if (c->k1 == end && end < WORDS_END)
                cursor_advance(c);
        }
        line_add(s, start, end, low, high);
        start = end;
    }
}

/* The line of a stretch in the cell that begins at word `base`, as A + B * offset. *last: the value of the word before;
 * A is raised, by rounding errors only, until the first word of the stretch in this cell is not below it. */
static struct quantile_line line_in_cell(const struct stretch *s, uint64_t base, double *last)
{
    uint64_t first = s->start > base ? s->start : base;
    uint64_t after = s->end < base + QUANTILE_CELL_WORDS ? s->end : base + QUANTILE_CELL_WORDS;
    double width = (double)(s->end - s->start), rise = s->high - s->low;
    struct quantile_line line;
    line.B = s->end - s->start == 1 ? 0 : rise / width; /* one word alone: its middle, without cancellation */
    double value = rise == 0 ? s->low : s->low + rise * (((double)(first - s->start) + 0.5) / width);
    double offset = (double)(first - base);
    line.A = value - line.B * offset;
    while (line.A + line.B * offset < *last) {
        double raised = line.A + (*last - (line.A + line.B * offset));
        line.A = raised > line.A ? raised : nextafter(line.A, HUGE_VAL);
    }
    *last = line.A + line.B * (double)(after - 1 - base);
    return line;
}

/* Number of stretches that reach into the cell ending at word `end`, from list[0] on. */
static size_t stretches_in_cell(const struct stretch *list, uint64_t end)
{
    size_t n = 1;
    while (list[n - 1].end < end)
        n++;
    return n;
}

/* Counts the pieces of the cells that have many. */
static size_t pieces_count(const struct stretches *s)
{
    size_t at = 0, pieces = 0;
    for (uint64_t end = QUANTILE_CELL_WORDS; end <= WORDS_END; end += QUANTILE_CELL_WORDS) {
        if (s->list[at].end > end)
            continue;
        size_t n = stretches_in_cell(s->list + at, end);
        pieces += n > QUANTILE_NEAR ? n : 0;
        at += n - (s->list[at + n - 1].end > end);
    }
    return pieces;
}

static void cell_fill(struct quantile *q, size_t i, const struct stretch *list, size_t n, size_t *pieces, double *last)
{
    const uint64_t base = (uint64_t)i * QUANTILE_CELL_WORDS;
    struct quantile_cell *cell = &q->cells[i];
    for (int k = 0; k < QUANTILE_NEAR - 1; k++)
        cell->split[k] = QUANTILE_CELL_WORDS;
    if (n > QUANTILE_NEAR) {
        cell->split[0] = QUANTILE_MANY;
        cell->first = (uint32_t)*pieces;
        cell->n = (uint32_t)n;
    }
    for (size_t k = 0; k < n; k++) {
        const uint32_t start = k == 0 ? 0 : (uint32_t)(list[k].start - base);
        const struct quantile_line line = line_in_cell(&list[k], base, last);
        if (n > QUANTILE_NEAR)
            q->pieces[(*pieces)++] = (struct quantile_piece){start, line};
        else
            cell->line[k] = line;
        if (n <= QUANTILE_NEAR && k > 0)
            cell->split[k - 1] = start;
    }
}

/* One block holds both arrays, so that building costs one allocation. */
static void quantile_allocate(struct quantile *q, size_t pieces)
{
    const size_t cells_bytes = QUANTILE_CELLS * sizeof *q->cells;
    char *block = alloc_lanes(cells_bytes + pieces * sizeof *q->pieces, 1);
    q->cells = (struct quantile_cell *)(void *)block;
    q->pieces = pieces ? (struct quantile_piece *)(void *)(block + cells_bytes) : NULL;
    q->has_many = pieces > 0;
}

static void quantile_lay_out(struct quantile *q, const struct stretches *s)
{
    quantile_allocate(q, pieces_count(s));
    size_t at = 0, pieces = 0;
    double last = 0;
    for (size_t cell = 0; cell < QUANTILE_CELLS; cell++) {
        uint64_t end = ((uint64_t)cell + 1) * QUANTILE_CELL_WORDS;
        size_t n = stretches_in_cell(s->list + at, end);
        cell_fill(q, cell, s->list + at, n, &pieces, &last);
        at += n - (s->list[at + n - 1].end > end);
    }
}

void quantile_build(struct quantile *q, const struct mix *mix)
{
    assert(mix->n >= 0 && mix->n <= MIX_MOST);
    struct stretches s = {.most = 2};
    bool constant = true;
    double value = 0;
    for (int i = 0; i < mix->n; i++) {
        s.most += 2 * mix->part[i]->n; /* a line may be cut in two where it crosses the running maximum */
        constant = constant && distribution_is_constant(mix->part[i]);
        value += mix->weight[i] * mix->part[i]->t[0];
    }
    if (constant) {
        quantile_constant(q, fmax(value, 0));
        return;
    }
    memset(q, 0, sizeof *q);
    s.list = alloc_array(s.most, sizeof *s.list);
    stretches_build(&s, mix);
    if (s.n == 1 && s.list[0].low == s.list[0].high)
        quantile_constant(q, s.list[0].low);
    else
        quantile_lay_out(q, &s);
    free(s.list);
}

void quantile_constant(struct quantile *q, double value)
{
    *q = (struct quantile){.constant = true, .value = value};
}

void quantile_free(struct quantile *q)
{
    free(q->cells);
    memset(q, 0, sizeof *q);
}

struct quantile_line quantile_line_of_many(const struct quantile *q, const struct quantile_cell *cell, uint32_t offset)
{
    /* The last piece that starts at or before the offset. */
    uint32_t low = cell->first, high = cell->first + cell->n;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (q->pieces[middle].start <= offset)
            low = middle;
        else
            high = middle;
    }
    return q->pieces[low].line;
}
