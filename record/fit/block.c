#include "record/fit/block.h"

#include "record/fit/number.h"

#include <stdlib.h>
#include <string.h>

static int64_t size_of(int64_t x)
{
    return x < 0 ? -x : x;
}

int64_t block_size(enum block_kind kind, int64_t q, int64_t E, int64_t n)
{
    const int64_t up = (n + E - 1) / E;
    switch (kind) {
    case BLOCK_FIRST: return n / E + (q < n % E);
    case BLOCK_BOUNDS: return (q + 1) * n / E - q * n / E;
    case BLOCK_REST: return n / E + (q == E - 1) * (n % E);
    case BLOCK_CEIL: return number_most(0, number_least(up, n - q * up));
    case BLOCK_LAST: return (n + q) / E;
    case BLOCK_REST_FIRST: return n / E + (q == 0) * (n % E);
    case BLOCK_DOWN: return n / E;
    case BLOCK_UP:
    case BLOCK_KINDS: break;
    }
    return up;
}

/* Between which numbers is n, where place q has c of it? All are of the form c E + what follows from q and E. */
struct bounds {
    int64_t low, high;
};

static struct bounds bounds_of(enum block_kind kind, int64_t c, int64_t q, int64_t E)
{
    const struct bounds down = {c * E, c * E + E - 1}, rest = {c * E - (E - 1) * (E - 1), c * E};
    switch (kind) {
    case BLOCK_FIRST: return (struct bounds){c * E + q + 1 - E, c * E + q};
    case BLOCK_BOUNDS: return (struct bounds){c * E - E + 1, c * E + E - 1};
    case BLOCK_REST: return q == E - 1 ? rest : down;
    case BLOCK_CEIL: return (struct bounds){c * E - E + 1, c * E + q * E};
    case BLOCK_LAST: return (struct bounds){c * E - q, c * E - q + E - 1};
    case BLOCK_REST_FIRST: return q == 0 ? rest : down;
    case BLOCK_DOWN: return down;
    case BLOCK_UP:
    case BLOCK_KINDS: break;
    }
    return (struct bounds){c * E - E + 1, c * E};
}

/* The same where c is what all others have: E times that is (E - 1) n and what rounding makes of it. */
static struct bounds bounds_of_others(int64_t c, int64_t E)
{
    if (E == 1)
        return (struct bounds){1, INT64_MAX};
    return (struct bounds){(c - E) * E / (E - 1), (c + E) * E / (E - 1) + 1};
}

static int64_t share_of(const struct block *block, int64_t q, int64_t E, int64_t n)
{
    const int64_t size = block_size(block->kind, q, E, n);
    return block->others ? n - size : size;
}

/* ---- the numbers ---- */

/* The values of a subset, over s, at a place. */
struct shares {
    const struct search *search;
    const struct block_place *place;
    size_t n;
    size_t *at;                 /* [n] which samples of the search */
    int64_t *value;             /* [n] */
    int64_t step;               /* all differ by multiples of it */
    size_t different;           /* values, as far as numbers need them */
    bool uniform;               /* all places of a recording have one, and there are several */
    int64_t least, most;        /* extent */
    size_t rounded;             /* of an extent > 1 */
    int64_t a, b;               /* value = a + b (k + block) with the k that is looked for */
};

/* What all differ by, or a multiple of it; 0: all are the same. */
static int64_t common_step(size_t n, const int64_t value[])
{
    int64_t step = 0;
    for (size_t i = 1; i < n; i++)
        step = number_divisor(step, size_of(value[i] - value[0]));
    return step;
}

/* The extents of the place; false: somebody is at none that there is, or there is one extent alone, which does not tell blocks
 * from two values. */
static bool extents_take(struct shares *shares)
{
    shares->least = INT64_MAX;
    shares->most = 0;
    shares->rounded = 0;
    for (size_t i = 0; i < shares->n; i++) {
        const int64_t q = shares->place->q[shares->at[i]], E = shares->place->E[shares->at[i]];
        if (q < 0 || q >= E)
            return false;
        shares->least = number_least(shares->least, E);
        shares->most = number_most(shares->most, E);
        shares->rounded += E > 1;
    }
    return shares->least < shares->most;
}

/* Have all who are at the same place one value in a recording? */
static bool place_decides(const struct shares *shares)
{
    struct last { int recording; int64_t value; } *last = alloc_zeroed((size_t)shares->most, sizeof *last);
    bool decides = true;
    for (size_t i = 0; i < shares->n && decides; i++) {
        struct last *of = &last[shares->place->q[shares->at[i]]];
        const int recording = shares->search->samples[shares->at[i]].recording + 1;
        decides = of->recording != recording || of->value == shares->value[i];
        *of = (struct last){recording, shares->value[i]};
    }
    free(last);
    return decides;
}

static bool is_empty(struct bounds bounds)
{
    return bounds.low > bounds.high;
}

/* n for a k, between the largest of the lower bounds and the least of the upper ones; of those with the extent `only`, 0: of all.
 * Empty as soon as two of them say so. */
static struct bounds bounds_all(const struct shares *shares, const struct block *block, int64_t k, int64_t only)
{
    struct bounds all = {INT64_MIN, INT64_MAX};
    for (size_t i = 0; i < shares->n && !is_empty(all); i++) {
        const int64_t q = shares->place->q[shares->at[i]], E = shares->place->E[shares->at[i]];
        if (only != 0 && E != only)
            continue;
        const int64_t c = (shares->value[i] - shares->a) / shares->b - k;
        const struct bounds here = block->others ? bounds_of_others(c, E) : bounds_of(block->kind, c, q, E);
        all.low = number_most(all.low, here.low);
        all.high = number_least(all.high, here.high);
    }
    return all;
}

static bool gives_all(const struct shares *shares, const struct block *block, int64_t k, int64_t n)
{
    for (size_t i = 0; i < shares->n; i++) {
        const int64_t q = shares->place->q[shares->at[i]], E = shares->place->E[shares->at[i]];
        if (shares->value[i] != shares->a + shares->b * (k + share_of(block, q, E, n)))
            return false;
    }
    return true;
}

static int64_t floor_over(int64_t x, int64_t y) /* y > 0 */
{
    return x >= 0 ? x / y : -((-x + y - 1) / y);
}

/* Of k, from the least and the largest extent: what one says of n the other must not forbid. Nothing is added to what others have. */
static struct bounds bounds_of_k(const struct shares *shares, const struct block *block)
{
    const int64_t least = shares->least, most = shares->most;
    const struct bounds none = {1, 0};
    if (block->others)
        return shares->a == 0 ? (struct bounds){0, 0} : none;
    const struct bounds few = bounds_all(shares, block, 0, least), many = bounds_all(shares, block, 0, most);
    if (is_empty(few) || is_empty(many))
        return none;
    return (struct bounds){-floor_over(few.high - many.low, most - least), floor_over(many.high - few.low, most - least)};
}

/* TOTALS_MOST: numbers of n that are tried for one k. ADDED_MOST: numbers of k. More are between the bounds of few values alone,
 * which say nothing; larger limits only cost time. */
enum { TOTALS_MOST = 256, ADDED_MOST = 64 };

/* A number n, and the k with which what is added is least. Each place has one at least, so that each has a share. */
static bool number_find(const struct shares *shares, struct block *block)
{
    const struct bounds k_in = bounds_of_k(shares, block);
    bool found = false;
    if (k_in.high - k_in.low > ADDED_MOST)
        return false;
    for (int64_t k = k_in.low; k <= k_in.high; k++) {
        struct bounds n_in = bounds_all(shares, block, k, 0);
        const int64_t a = shares->a + k * shares->b;
        n_in.low = number_most(n_in.low, shares->most);
        if (n_in.high - n_in.low > TOTALS_MOST || (found && size_of(a) >= size_of(block->a)))
            continue;
        bool here = false;
        for (int64_t n = n_in.low; n <= n_in.high; n++) {
            if (!gives_all(shares, block, k, n))
                continue;
            block->n = here ? block->n : n;
            block->most = n;
            here = true;
        }
        block->a = here ? a : block->a;
        found = found || here;
    }
    return found;
}

/* n that parameters say, and the k that follows from the first value. */
static bool quantity_fits(const struct shares *shares, struct block *block)
{
    int64_t k = 0;
    for (size_t i = 0; i < shares->n; i++) {
        const int64_t n = block->total->value[shares->at[i]];
        const int64_t q = shares->place->q[shares->at[i]], E = shares->place->E[shares->at[i]];
        if (n < E)
            return false;
        const int64_t here = (shares->value[i] - shares->a) / shares->b - share_of(block, q, E, n);
        if (i > 0 && here != k)
            return false;
        k = here;
    }
    block->a = shares->a + k * shares->b;
    return !block->others || block->a == 0;
}

static bool is_same_for_all(enum block_kind kind)
{
    return kind == BLOCK_DOWN || kind == BLOCK_UP;
}

/* All have the same, or not all have. */
static bool may_be(const struct shares *shares, const struct block *block)
{
    const bool same = is_same_for_all(block->kind);
    return shares->uniform == same && !(same && block->others);
}

/* What the values are multiples of may be several things that differ by chance together. */
enum { PARTS_MOST = 3 };

/* Is a number that stands beside a parameter, s, shared out with a remainder anywhere? If not, s is: 8/E*n would be 0 where E is 16,
 * and 8*n/E, which a line says, is not. */
static bool shares_round(const struct shares *shares, const struct block *block)
{
    if (block->scale == shares->search->quantities)
        return true;
    for (size_t i = 0; i < shares->n; i++)
        if (block->n % shares->place->E[shares->at[i]] != 0)
            return true;
    return false;
}

/* With b. */
static bool block_fits_with(struct shares *shares, struct block *block, int64_t b)
{
    shares->b = b;
    shares->a = (shares->value[0] % b + b) % b;
    if (!(block->total ? quantity_fits(shares, block) : number_find(shares, block)))
        return false;
    block->b = b;
    block->evidence = (struct block_evidence){.numbers = !block->others + !block->total + (block->a != 0), .least = shares->least,
                                              .apart = !block->others && !is_same_for_all(block->kind),
                                              .rounded = shares->rounded};
    return shares->different > (size_t)block->evidence.numbers && (block->total || shares_round(shares, block));
}

/* The block of a place and kind, with s and n. What others have is collected one by one. */
static bool block_fits(struct shares *shares, struct block *block)
{
    if (block->others)
        return block_fits_with(shares, block, 1);
    for (int64_t part = 1; part <= PARTS_MOST; part++)
        if (shares->step % part == 0 && block_fits_with(shares, block, shares->step / part))
            return true;
    return false;
}

enum { DIFFERENT_MOST = 4 };    /* one more than there are numbers */

static size_t count_different(size_t n, const int64_t value[])
{
    int64_t seen[DIFFERENT_MOST];
    size_t different = 0;
    for (size_t i = 0; i < n && different < DIFFERENT_MOST; i++) {
        size_t k = 0;
        while (k < different && seen[k] != value[i])
            k++;
        if (k == different)
            seen[different++] = value[i];
    }
    return different;
}

/* Has each recording one value, of more than one place? */
static bool is_uniform(const struct shares *shares)
{
    const struct fit_sample *samples = shares->search->samples;
    bool several = false;
    for (size_t i = 1; i < shares->n; i++) {
        const bool same = samples[shares->at[i]].recording == samples[shares->at[i - 1]].recording;
        if (same && shares->value[i] != shares->value[i - 1])
            return false;
        several = several || same;
    }
    return several;
}

/* Of a value, and its product with the square of numprocs: all that is computed for it fits, also at four times the largest count. */
static const int64_t VALUE_MOST = INT64_C(1) << 56;

/* The values of the subset, over s; false: these are no whole numbers, or too large, or so few that some block gives any. */
static bool shares_take(struct shares *shares, struct subset subset, const struct quantity *scale)
{
    const struct search *search = shares->search;
    shares->n = 0;
    for (size_t i = 0; i < search->n; i++) {
        if (!IN(subset, i))
            continue;
        const int64_t of = search->samples[i].value, s = scale->value[i], P = search->samples[i].numprocs;
        if (of <= FIT_SOURCE || size_of(of) > VALUE_MOST / P / P || s < 1 || of % s != 0)
            return false;
        shares->at[shares->n] = i;
        shares->value[shares->n++] = of / s;
    }
    shares->step = common_step(shares->n, shares->value);
    shares->different = count_different(shares->n, shares->value);
    shares->uniform = is_uniform(shares);
    return shares->different > 1;
}

enum { WAYS = 2 * BLOCK_KINDS };    /* blocks, and all but these */

/* The next place and kind of the cursor's s and n. */
static bool place_find(struct shares *shares, struct block_cursor *cursor, struct block *block)
{
    const size_t n = shares->search->n_places;
    for (size_t i = cursor->at / WAYS % n; i < n; i++) {
        block->place = i;
        shares->place = &shares->search->places[i];
        const bool holds = extents_take(shares) && place_decides(shares);
        for (size_t way = cursor->at % WAYS; way < WAYS; way++) {
            block->kind = (enum block_kind)(way % BLOCK_KINDS);
            block->others = way >= BLOCK_KINDS;
            cursor->at++;
            if (!holds || !may_be(shares, block))
                continue;
            cursor->tried++;
            if (block_fits(shares, block)) {
                block->evidence.tried = cursor->tried;
                return true;
            }
        }
    }
    return false;
}

bool block_find(const struct search *search, struct subset subset, struct block_cursor *cursor, struct block *block)
{
    const size_t n = search->n_places * WAYS, totals = search->n_quantities;
    struct shares shares = {.search = search, .at = alloc_array(search->n + 1, sizeof *shares.at),
                            .value = alloc_array(search->n + 1, sizeof *shares.value)};
    bool found = false;
    while (!found && cursor->at < n * totals * totals) {
        const size_t pair = cursor->at / n;
        *block = (struct block){.scale = &search->quantities[pair / totals],
                                .total = pair % totals > 0 ? &search->quantities[pair % totals] : NULL};
        if (shares_take(&shares, subset, block->scale))
            found = place_find(&shares, cursor, block);
        else
            cursor->at = (pair + 1) * n;
    }
    free(shares.at);
    free(shares.value);
    return found;
}

void block_values(const struct search *search, const struct block *block, int64_t n, int64_t value[])
{
    const struct block_place *place = &search->places[block->place];
    for (size_t i = 0; i < search->m; i++) {
        const int64_t total = block->total ? block->total->value[i] : n, E = number_most(1, place->E[i]);
        value[i] = block->scale->value[i] * (block->a + block->b * share_of(block, place->q[i], E, total));
    }
}

static const char *share_text(struct search *search, enum block_kind kind, const char *q, const char *E, const char *n)
{
    switch (kind) {
    case BLOCK_FIRST: return search_text(search, "(%s/%s + (%s < %s%%%s))", n, E, q, n, E);
    case BLOCK_BOUNDS: return search_text(search, "((%s+1)*%s/%s - %s*%s/%s)", q, n, E, q, n, E);
    case BLOCK_REST: return search_text(search, "(%s/%s + (%s == %s-1)*(%s%%%s))", n, E, q, E, n, E);
    case BLOCK_CEIL: return search_text(search, "max(0, min((%s+%s-1)/%s, %s - %s*((%s+%s-1)/%s)))", n, E, E, n, q, n, E, E);
    case BLOCK_LAST: return search_text(search, "((%s+%s)/%s)", n, q, E);
    case BLOCK_REST_FIRST: return search_text(search, "(%s/%s + (%s == 0)*(%s%%%s))", n, E, q, n, E);
    case BLOCK_DOWN: return search_text(search, "(%s/%s)", n, E);
    case BLOCK_UP:
    case BLOCK_KINDS: break;
    }
    return search_text(search, "((%s+%s-1)/%s)", n, E, E);
}

const char *block_text(struct search *search, const struct block *block, int64_t n)
{
    const struct block_place *place = &search->places[block->place];
    const char *total = block->total ? block->total->text : search_number(search, (double)n);
    const char *text = share_text(search, block->kind, place->q_text, place->E_text, total);
    if (block->others)
        text = search_text(search, "(%s-%s)", total, text);
    if (block->b != 1)
        text = search_text(search, "%s*%s", search_number(search, (double)block->b), text);
    if (block->a != 0)
        text = search_text(search, "%s%s%s", text, block->a > 0 ? "+" : "", search_number(search, (double)block->a));
    if (block->scale == search->quantities)
        return text;
    return search_text(search, block->a != 0 ? "%s*(%s)" : "%s*%s", block->scale->text, text);
}
