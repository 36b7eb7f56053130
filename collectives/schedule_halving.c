/* Vectors that are halved at each step. Open MPI: allreduce redscat_allgather, reduce redscat_gather, reduce_scatter
 * basic_recursivehalving and butterfly, reduce_scatter_block butterfly (mirrored); MPICH:
 * reduce_scatter_intra_recursive_halving. */
#include "collectives/schedule_impl.h"

/* ---- Rabenseifner ---- */

enum { MOST_STEPS = 31 };

/* What one of the 2^F processes that take part keeps and gives away in each step, in elements. */
struct windows {
    int32_t number;             /* of the process among them; -1: it takes no part */
    int32_t power, extra, steps;
    int64_t keep[MOST_STEPS], n_keep[MOST_STEPS], give[MOST_STEPS], n_give[MOST_STEPS];
};

static int32_t windows_rank(const struct windows *w, int32_t number)
{
    return number < w->extra ? 2 * number : number + w->extra;
}

static void windows_init(struct windows *w, const struct schedule *s)
{
    int64_t first = 0, n = schedule_elements(s);
    w->power = power_below(s->size);
    w->extra = s->size - w->power;
    w->steps = log2_below(w->power);
    w->number = s->rank >= 2 * w->extra ? s->rank - w->extra : s->rank % 2 == 0 ? s->rank / 2 : -1;
    for (int32_t i = 0; i < w->steps; i++) {
        const int64_t left = n / 2, right = n - left;
        const bool keeps_left = !(w->number >> i & 1);
        w->keep[i] = keeps_left ? first : first + left;
        w->give[i] = keeps_left ? first + left : first;
        w->n_keep[i] = keeps_left ? left : right;
        w->n_give[i] = keeps_left ? right : left;
        first = w->keep[i];
        n = w->n_keep[i];
    }
}

static struct part windows_keep(const struct schedule *s, const struct windows *w, int32_t step)
{
    return part_elements(s, w->keep[step], w->n_keep[step]);
}

static struct part windows_give(const struct schedule *s, const struct windows *w, int32_t step)
{
    return part_elements(s, w->give[step], w->n_give[step]);
}

/* The first 2 (P - 2^F) ranks pair up, each combines one half, and the odd one gives its half to the even one. */
static void fold_pairs(struct cursor *c, const struct windows *w)
{
    const struct schedule *s = c->s;
    const int64_t n = schedule_elements(s);
    const struct part left = part_elements(s, 0, n / 2), right = part_elements(s, n / 2, n - n / 2);
    if (s->rank >= 2 * w->extra)
        return;
    if (s->rank % 2 != 0) {
        call_exchange(c, s->rank - 1, left, s->rank - 1, right);
        call_reduce(c, right.bytes);
        call_send(c, s->rank - 1, right);
    } else {
        call_exchange(c, s->rank + 1, right, s->rank + 1, left);
        call_reduce(c, left.bytes);
        call_recv(c, s->rank + 1, right);
    }
}

static void halve(struct cursor *c, const struct windows *w)
{
    if (w->number < 0)
        return;
    for (int32_t i = 0; i < w->steps; i++) {
        const int32_t peer = windows_rank(w, w->number ^ (1 << i));
        const struct part keep = windows_keep(c->s, w, i);
        call_exchange(c, peer, windows_give(c->s, w, i), peer, keep);
        call_reduce(c, keep.bytes);
    }
}

/* Both libraries' condition for dividing the vector. */
static bool too_few_elements(const struct schedule *s)
{
    return schedule_elements(s) < power_below(s->size);
}

static void run_linear(struct cursor *c)
{
    struct schedule s = *c->s;
    s.algorithm = ALGORITHM_linear;
    cursor_run(c, &s);
}

void rabenseifner_allreduce(struct cursor *c)
{
    const struct schedule *s = c->s;
    const struct part all = part_range(0, s->bytes);
    struct windows w;
    if (too_few_elements(s)) {
        run_linear(c);
        return;
    }
    windows_init(&w, s);
    fold_pairs(c, &w);
    halve(c, &w);
    for (int32_t i = w.steps - 1; i >= 0 && w.number >= 0; i--) {
        const int32_t peer = windows_rank(&w, w.number ^ (1 << i));
        call_exchange(c, peer, windows_keep(s, &w, i), peer, windows_give(s, &w, i));
    }
    if (s->rank < 2 * w.extra && s->rank % 2 != 0)
        call_recv(c, s->rank - 1, all);
    else if (s->rank < 2 * w.extra)
        call_send(c, s->rank + 1, all);
}

/* Binomial gather of the pieces, back the way they came. An odd root among the folded ranks takes the place of
 * process 0. */
static void gather_pieces(struct cursor *c, struct windows *w)
{
    const struct schedule *s = c->s;
    const bool root_sat_out = s->root < 2 * w->extra && s->root % 2 != 0;
    const int32_t root = root_sat_out ? 0 : s->root < 2 * w->extra ? s->root / 2 : s->root - w->extra;
    if (root_sat_out && s->rank == s->root) {
        struct schedule zero = *s;
        zero.rank = 0;
        windows_init(w, &zero);
        call_recv(c, 0, windows_keep(s, w, w->steps - 1));
    } else if (root_sat_out && w->number == 0) {
        call_send(c, s->root, windows_keep(s, w, w->steps - 1));
        return;
    }
    if (w->number < 0)
        return;
    for (int32_t i = w->steps - 1; i >= 0; i--) {
        const int32_t other = w->number ^ (1 << i);
        const int32_t peer = root_sat_out && other == 0 ? s->root : windows_rank(w, other);
        if (other >> i == root >> i) {
            call_send(c, peer, windows_keep(s, w, i));
            return;
        }
        call_recv(c, peer, windows_give(s, w, i));
    }
}

void rabenseifner_reduce(struct cursor *c)
{
    struct windows w;
    if (too_few_elements(c->s)) {
        run_linear(c);
        return;
    }
    windows_init(&w, c->s);
    fold_pairs(c, &w);
    halve(c, &w);
    gather_pieces(c, &w);
}

/* ---- Reduce_scatter ---- */

/* The even ones of the first 2 (P - 2^F) ranks give their contribution to the next rank and sit out; what is left has
 * 2^F blocks, of which the first ones are the shares of two ranks. */
struct folded {
    int32_t power, extra, number;
};

static struct folded fold_evens(struct cursor *c)
{
    const struct schedule *s = c->s;
    const struct part all = part_range(0, schedule_total(s));
    struct folded f = {power_below(s->size), s->size - power_below(s->size), -1};
    if (s->rank >= 2 * f.extra)
        f.number = s->rank - f.extra;
    else if (s->rank % 2 == 0)
        call_send(c, s->rank + 1, all);
    else {
        call_recv(c, s->rank - 1, all);
        call_reduce(c, all.bytes);
        f.number = s->rank / 2;
    }
    return f;
}

static int32_t folded_rank(const struct folded *f, int32_t number)
{
    return number < f->extra ? 2 * number + 1 : number + f->extra;
}

static struct part folded_blocks(const struct schedule *s, const struct folded *f, int32_t first, int32_t n)
{
    const int32_t end = first + n;
    const int32_t from = first < f->extra ? 2 * first : first + f->extra,
                  to = end < f->extra ? 2 * end : end + f->extra;
    return part_blocks(s, from, to - from);
}

/* An empty side of the exchange is left out. */
static void exchange_and_combine(struct cursor *c, int32_t peer, struct part give, struct part keep)
{
    if (give.bytes > 0 && keep.bytes > 0)
        call_exchange(c, peer, give, peer, keep);
    else if (give.bytes > 0)
        call_send(c, peer, give);
    else if (keep.bytes > 0)
        call_recv(c, peer, keep);
    if (keep.bytes > 0)
        call_reduce(c, keep.bytes);
}

void halving_reduce_scatter(struct cursor *c)
{
    const struct schedule *s = c->s;
    const struct folded f = fold_evens(c);
    for (int32_t mask = f.power / 2; mask > 0 && f.number >= 0; mask /= 2) {
        const int32_t other = f.number ^ mask;
        exchange_and_combine(c, folded_rank(&f, other), folded_blocks(s, &f, other & ~(mask - 1), mask),
                             folded_blocks(s, &f, f.number & ~(mask - 1), mask));
    }
    if (s->rank >= 2 * f.extra)
        return;
    const bool sits_out = s->rank % 2 == 0;
    const struct part share = part_blocks(s, sits_out ? s->rank : s->rank - 1, 1);
    if (share.bytes > 0 && sits_out)
        call_recv(c, s->rank + 1, share);
    else if (share.bytes > 0)
        call_send(c, s->rank - 1, share);
}

int32_t bits_mirror(int32_t number, int32_t bits)
{
    int32_t mirrored = 0;
    for (int32_t i = 0; i < bits; i++)
        mirrored |= (number >> i & 1) << (bits - 1 - i);
    return mirrored;
}

/* The nearest process first; so each ends with the block of its mirror image, and hands it over. */
void butterfly_reduce_scatter(struct cursor *c)
{
    const struct schedule *s = c->s;
    const struct folded f = fold_evens(c);
    const int32_t bits = log2_below(f.power);
    if (f.number < 0) {
        const int32_t holder = bits_mirror(s->rank / 2, bits);
        call_recv(c, folded_rank(&f, holder), part_blocks(s, s->rank, 1));
        return;
    }
    int32_t first = 0, n = f.power;
    for (int32_t mask = 1; mask < f.power; mask <<= 1) {
        const int32_t peer = folded_rank(&f, f.number ^ mask);
        n /= 2;
        const int32_t upper = first + n, give = f.number & mask ? first : upper;
        first = f.number & mask ? upper : first;
        const struct part keep = folded_blocks(s, &f, first, n);
        call_exchange(c, peer, folded_blocks(s, &f, give, n), peer, keep);
        call_reduce(c, keep.bytes);
    }
    const int32_t mirror = bits_mirror(f.number, bits), peer = folded_rank(&f, mirror);
    if (mirror < f.extra)
        call_send(c, peer - 1, part_blocks(s, peer - 1, 1));
    if (mirror != f.number)
        call_exchange(c, peer, part_blocks(s, peer, 1), peer, part_blocks(s, s->rank, 1));
}

/* Mirrors all shares first, so each ends with its own. */
void mirrored_reduce_scatter(struct cursor *c)
{
    const struct schedule *s = c->s;
    int32_t first = 0;
    if (power_below(s->size) != s->size || s->sums) {
        butterfly_reduce_scatter(c);
        return;
    }
    for (int32_t mask = 1, n = s->size / 2; n > 0; mask <<= 1, n /= 2) {
        const bool upper = (s->rank & mask) != 0;
        const struct part give = {PART_MIRRORED, upper ? first : first + n, n, n * s->bytes},
                          keep = {PART_MIRRORED, upper ? first + n : first, n, n * s->bytes};
        call_exchange(c, s->rank ^ mask, give, s->rank ^ mask, keep);
        call_reduce(c, keep.bytes);
        first = (int32_t)keep.first;
    }
}
