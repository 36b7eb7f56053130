/* Allreduce and Reduce_scatter: every algorithm takes what its steps add up to when all processes are followed at once,
 * at powers of two and not, in segments and without, with equal shares and others. */
#include "collectives/selection.h"
#include "collectives/tests/forms_rooted.h"

/* ---- processes beyond a power of two ---- */

/* The even ones of the first 2 (P - 2^F) ranks give all they have to the next rank, which combines it, and sit out.
 * The others are numbered from 0; rank[v] has number v. */
struct folded {
    int32_t power, extra;
    int32_t rank[MOST_PROCESSES];
};

static struct folded evens_fold(const struct problem *p, int64_t bytes, struct clocks *c)
{
    const int32_t power = 1 << log2_whole(p->s.size);
    struct folded f = {.power = power, .extra = p->s.size - power};
    struct step step = {0};
    for (int32_t even = 0; even < 2 * f.extra; even += 2)
        step_message(&step, even, even + 1, bytes);
    step_take(p, &step, c);
    for (int32_t v = 0; v < power; v++) {
        f.rank[v] = v < f.extra ? 2 * v + 1 : v + f.extra;
        c->now[f.rank[v]] += v < f.extra ? G(p, bytes) : 0;
    }
    return f;
}

/* The shares of numbers first .. first + n - 1, with those of who sits out. */
static int64_t folded_shares(const struct problem *p, const struct folded *f, int32_t first, int32_t n)
{
    int64_t bytes = 0;
    for (int32_t v = first; v < first + n; v++)
        bytes += share(p, f->rank[v]) + (v < f->extra ? share(p, f->rank[v] - 1) : 0);
    return bytes;
}

/* ---- Allreduce ---- */

/* A Reduce to rank 0, which is the last to have done its part, and a Bcast. */
static double allreduce_of_two(const struct problem *p, enum algorithm reduce, enum algorithm bcast)
{
    struct problem to_0 = *p;
    to_0.s.root = 0;
    return rooted_time(&to_0, COLLECTIVE_MPI_Reduce, reduce) + rooted_time(&to_0, COLLECTIVE_MPI_Bcast, bcast);
}

static double allreduce_named(const struct problem *p)
{
    return allreduce_of_two(p, p->s.algorithm, p->s.algorithm);
}

/* libnbc's trees are those of the blocking forms. */
static double allreduce_binomial_swapped(const struct problem *p)
{
    return allreduce_of_two(p, ALGORITHM_binomial, ALGORITHM_binomial);
}

static double allreduce_nonoverlapping(const struct problem *p)
{
    const int64_t M = p->s.bytes;
    int64_t none;
    return allreduce_of_two(p,
                            algorithm_select(LIBRARY_open_mpi, COLLECTIVE_MPI_Reduce,
                                             &(struct schedule){.size = p->s.size, .bytes = M}, &none),
                            algorithm_select(LIBRARY_open_mpi, COLLECTIVE_MPI_Bcast,
                                             &(struct schedule){.size = p->s.size, .bytes = M}, &none));
}

/* Who has sat out is told at the end. */
static double allreduce_recursive_doubling(const struct problem *p)
{
    struct clocks c = {0};
    const struct folded f = evens_fold(p, p->s.bytes, &c);
    struct step out = {0};
    for (int32_t width = 1; width < f.power; width *= 2) {
        struct step step = {0};
        for (int32_t v = 0; v < f.power; v++)
            step_message(&step, f.rank[v], f.rank[v ^ width], p->s.bytes);
        step_take(p, &step, &c);
        for (int32_t v = 0; v < f.power; v++)
            c.now[f.rank[v]] += G(p, p->s.bytes);
    }
    for (int32_t even = 0; even < 2 * f.extra; even += 2)
        step_message(&out, even + 1, even, p->s.bytes);
    step_take(p, &out, &c);
    return last_of(p, &c);
}

/* n elements in `parts` runs whose lengths differ by one at most, the longer ones first: how many run i has; those
 * before it. */
static int64_t run_length(int64_t n, int64_t parts, int64_t i)
{
    return n / parts + (i < n % parts);
}

static int64_t run_begin(int64_t n, int64_t parts, int64_t i)
{
    int64_t begin = 0;
    for (int64_t before = 0; before < i; before++)
        begin += run_length(n, parts, before);
    return begin;
}

/* Bytes of segment `phase` of `phases` of block b, of one for each process. */
static int64_t block_bytes(const struct problem *p, int32_t b, int64_t phases, int64_t phase)
{
    const int32_t P = p->s.size, block = (b % P + P) % P;
    const int64_t elements = (p->s.bytes + 7) / 8, n = run_length(elements, P, block);
    const struct window w = {run_begin(elements, P, block) + run_begin(n, phases, phase),
                             run_length(n, phases, phase)};
    return window_bytes(p, w);
}

/* As many segments as go into a block of the largest whole number of them; a rest counts if it is more than half. */
static int64_t ring_segments(const struct problem *p)
{
    const int64_t elements = (p->s.bytes + 7) / 8, P = p->s.size;
    const int64_t segment = p->s.segment < 8 ? 1 : p->s.segment / 8, rest = elements % (P * segment);
    if (p->s.segment == 0 || elements < P * segment)
        return 1;
    return elements / (P * segment) + (rest >= P && 2 * rest > P * segment ? 1 : 0);
}

/* For each segment once round, combining; then once round with the results. */
static double allreduce_ring(const struct problem *p)
{
    const int32_t P = p->s.size;
    const int64_t phases = ring_segments(p);
    struct clocks c = {0};
    if ((p->s.bytes + 7) / 8 < P)
        return allreduce_recursive_doubling(p);
    for (int64_t phase = 0; phase < phases; phase++)
        for (int32_t k = 0; k < P - 1; k++) {
            struct step step = {0};
            for (int32_t i = 0; i < P; i++)
                step_message(&step, i, (i + 1) % P, block_bytes(p, i - k, phases, phase));
            step_take(p, &step, &c);
            for (int32_t i = 0; i < P; i++)
                c.now[i] += G(p, block_bytes(p, i - 1 - k, phases, phase));
        }
    for (int32_t k = 0; k < P - 1; k++) {
        struct step step = {0};
        for (int32_t i = 0; i < P; i++)
            step_message(&step, i, (i + 1) % P, block_bytes(p, i + 1 - k, 1, 0));
        step_take(p, &step, &c);
    }
    return last_of(p, &c);
}

/* The halving, and back the same way; then the odd ones of the pairs are told. */
static double allreduce_rabenseifner(const struct problem *p)
{
    struct halving h;
    struct clocks c = {0};
    struct step out = {0};
    if (too_few_to_halve(p))
        return allreduce_of_two(p, ALGORITHM_linear, ALGORITHM_linear);
    halving_init(p, &h);
    halving_run(p, &h, &c);
    for (int32_t k = h.steps - 1; k >= 0; k--) {
        struct step step = {0};
        for (int32_t v = 0; v < h.power; v++)
            step_message(&step, h.rank[v], h.rank[v ^ 1 << k], window_bytes(p, h.kept[k][v]));
        step_take(p, &step, &c);
    }
    for (int32_t even = 0; even < 2 * h.extra; even += 2)
        step_message(&out, even, even + 1, p->s.bytes);
    step_take(p, &out, &c);
    return last_of(p, &c);
}

/* ---- Reduce_scatter ---- */

/* A Reduce of all shares to rank 0, and a Scatterv. */
static double reduce_scatter_of_two(const struct problem *p, enum algorithm reduce, enum algorithm scatterv)
{
    struct problem whole = *p;
    whole.s.root = 0;
    whole.s.bytes = all_shares(p);
    whole.s.sums = NULL;
    const double reduced = rooted_time(&whole, COLLECTIVE_MPI_Reduce, reduce);
    whole = *p;
    whole.s.root = 0;
    return reduced + rooted_time(&whole, COLLECTIVE_MPI_Scatterv, scatterv);
}

static double reduce_scatter_named(const struct problem *p)
{
    return reduce_scatter_of_two(p, p->s.algorithm, p->s.algorithm);
}

/* Then each gets its own, also where that is nothing. */
static double reduce_scatter_binomial_swapped(const struct problem *p)
{
    struct problem whole = *p;
    whole.s.root = 0;
    whole.s.bytes = all_shares(p);
    whole.s.sums = NULL;
    double time = rooted_time(&whole, COLLECTIVE_MPI_Reduce, ALGORITHM_binomial_swapped);
    for (int32_t rank = 1; rank < p->s.size; rank++)
        time += T(p, share(p, rank));
    return time;
}

static double reduce_scatter_nonoverlapping(const struct problem *p)
{
    int64_t none;
    const int64_t all = all_shares(p);
    return reduce_scatter_of_two(
        p, algorithm_select(LIBRARY_open_mpi, COLLECTIVE_MPI_Reduce, &(struct schedule){.size = p->s.size, .bytes = all}, &none),
        ALGORITHM_linear);
}

/* As Open MPI's Reduce_scatter_block: a Scatter of equal shares. */
static double reduce_scatter_then_scatter(const struct problem *p)
{
    int64_t none;
    const int64_t all = all_shares(p);
    const enum algorithm reduce = algorithm_select(LIBRARY_open_mpi, COLLECTIVE_MPI_Reduce,
                                                   &(struct schedule){.size = p->s.size, .bytes = all}, &none);
    if (p->s.sums)
        return reduce_scatter_of_two(p, reduce, ALGORITHM_linear);
    struct problem whole = *p;
    whole.s.root = 0;
    whole.s.bytes = all;
    const double reduced = rooted_time(&whole, COLLECTIVE_MPI_Reduce, reduce);
    whole.s.bytes = p->s.bytes;
    return reduced + rooted_time(&whole, COLLECTIVE_MPI_Scatter,
                                 algorithm_select(LIBRARY_open_mpi, COLLECTIVE_MPI_Scatter,
                                                  &(struct schedule){.size = p->s.size, .bytes = p->s.bytes}, &none));
}

/* Each passes on to the right what came last, combined with its own; it starts with its left neighbour's share, and
 * ends with its own. */
static double reduce_scatter_ring(const struct problem *p)
{
    const int32_t P = p->s.size;
    struct clocks c = {0};
    for (int32_t k = 1; k < P; k++) {
        struct step step = {0};
        for (int32_t i = 0; i < P; i++)
            step_message(&step, i, (i + 1) % P, share(p, i - k));
        step_take(p, &step, &c);
        for (int32_t i = 0; i < P; i++)
            c.now[i] += G(p, share(p, i - k - 1));
    }
    return last_of(p, &c);
}

/* Step k: to the k-th on the right what is its, from the k-th on the left one's own. */
static double reduce_scatter_pairwise(const struct problem *p)
{
    const int32_t P = p->s.size;
    struct clocks c = {0};
    for (int32_t k = 1; k < P; k++) {
        struct step step = {0};
        for (int32_t i = 0; i < P; i++)
            step_message(&step, i, (i + k) % P, share(p, i + k));
        step_take(p, &step, &c);
        for (int32_t i = 0; i < P; i++)
            c.now[i] += G(p, share(p, i));
    }
    return last_of(p, &c);
}

/* Partners exchange all shares but those of the group that each is of, and groups double. Where the last group is not
 * whole those of the other that have no partner are told what came, over a binomial tree in which each who knows tells
 * one at half of its distance in each step. */
static double reduce_scatter_recursive_doubling(const struct problem *p)
{
    const int32_t P = p->s.size;
    struct clocks c = {0};
    for (int32_t n = 1; n < P; n *= 2) {
        struct step step = {0};
        int64_t outside[MOST_PROCESSES] = {0};
        bool knows[MOST_PROCESSES] = {false};
        for (int32_t i = 0; i < P; i++)
            for (int32_t j = 0; j < P; j++)
                outside[i] += i / n == j / n ? 0 : share(p, j);
        for (int32_t i = 0; i < P; i++)
            if ((i ^ n) < P) {
                step_message(&step, i, i ^ n, outside[i]);
                knows[i] = true;
            }
        step_take(p, &step, &c);
        const int32_t group = (P - 1) / n * n, other = group ^ n; /* the last one, and its partner */
        for (int32_t half = n / 2; half > 0 && other < group; half /= 2) {
            struct step told = {0};
            for (int32_t i = other; i < other + n; i++)
                if (knows[i] && (i & half) == 0 && !knows[i + half])
                    step_message(&told, i, i + half, outside[group]);
            step_take(p, &told, &c);
            for (int32_t i = other; i < other + n; i++)
                knows[i] |= told.receives[i];
        }
        for (int32_t i = 0; i < P; i++)
            if (knows[i])
                c.now[i] += G(p, outside[(i ^ n) / n * n]);
    }
    return last_of(p, &c);
}

/* Partners half a group apart exchange the half of the group's shares that is not on their side; nothing is sent that
 * is empty. At the end who sat out gets its share. */
static double reduce_scatter_recursive_halving(const struct problem *p)
{
    struct clocks c = {0};
    const struct folded f = evens_fold(p, all_shares(p), &c);
    struct step out = {0};
    for (int32_t half = f.power / 2; half > 0; half /= 2) {
        struct step step = {0};
        for (int32_t v = 0; v < f.power; v++) {
            const int64_t give = folded_shares(p, &f, (v ^ half) / half * half, half);
            if (give > 0)
                step_message(&step, f.rank[v], f.rank[v ^ half], give);
        }
        step_take(p, &step, &c);
        for (int32_t v = 0; v < f.power; v++)
            c.now[f.rank[v]] += G(p, folded_shares(p, &f, v / half * half, half));
    }
    for (int32_t even = 0; even < 2 * f.extra; even += 2)
        if (share(p, even) > 0)
            step_message(&out, even + 1, even, share(p, even));
    step_take(p, &out, &c);
    return last_of(p, &c);
}

/* Traff 2005: partners at distances 1, 2, 4, ...; of two the lower keeps the lower half of what both have. So each ends
 * with the shares of the number that has its bits in the opposite order, and sends them there: first to who sat out. */
static double reduce_scatter_butterfly(const struct problem *p)
{
    struct clocks c = {0};
    const struct folded f = evens_fold(p, all_shares(p), &c);
    int32_t block[MOST_PROCESSES] = {0};
    struct step to_evens = {0}, to_owners = {0};
    for (int32_t width = 1, n = f.power / 2; n > 0; width *= 2, n /= 2) {
        struct step step = {0};
        for (int32_t v = 0; v < f.power; v++) {
            const bool upper = (v & width) != 0;
            step_message(&step, f.rank[v], f.rank[v ^ width], folded_shares(p, &f, block[v] + (upper ? 0 : n), n));
            block[v] += upper ? n : 0;
        }
        step_take(p, &step, &c);
        for (int32_t v = 0; v < f.power; v++)
            c.now[f.rank[v]] += G(p, folded_shares(p, &f, block[v], n));
    }
    for (int32_t v = 0; v < f.power; v++)
        if (block[v] < f.extra)
            step_message(&to_evens, f.rank[v], f.rank[block[v]] - 1, share(p, f.rank[block[v]] - 1));
    step_take(p, &to_evens, &c);
    for (int32_t v = 0; v < f.power; v++)
        if (block[v] != v)
            step_message(&to_owners, f.rank[v], f.rank[block[v]], share(p, f.rank[block[v]]));
    step_take(p, &to_owners, &c);
    return last_of(p, &c);
}

/* At powers of two, equal shares in the mirrored order: each ends with its own, L alpha + (P-1)(beta M + G). */
static double reduce_scatter_butterfly_mirrored(const struct problem *p)
{
    const int32_t P = p->s.size, L = log2_whole(P);
    if (1 << L != P || p->s.sums)
        return reduce_scatter_butterfly(p);
    return L * p->alpha + (P - 1) * (p->beta * (double)p->s.bytes + G(p, p->s.bytes));
}

/* ---- the table ---- */

/* X(operation, algorithm, form) */
#define COMBINE_FORMS(X)                                                     \
    X(Allreduce, linear, allreduce_named)                                    \
    X(Allreduce, chain, allreduce_named)                                     \
    X(Allreduce, binomial, allreduce_named)                                  \
    X(Allreduce, binomial_swapped, allreduce_binomial_swapped)               \
    X(Allreduce, binary, allreduce_named)                                    \
    X(Allreduce, nonoverlapping, allreduce_nonoverlapping)                   \
    X(Allreduce, recursive_doubling, allreduce_recursive_doubling)           \
    X(Allreduce, ring, allreduce_ring)                                       \
    X(Allreduce, rabenseifner, allreduce_rabenseifner)                       \
    X(Reduce_scatter, linear, reduce_scatter_named)                          \
    X(Reduce_scatter, binomial, reduce_scatter_named)                        \
    X(Reduce_scatter, binomial_swapped, reduce_scatter_binomial_swapped)     \
    X(Reduce_scatter, nonoverlapping, reduce_scatter_nonoverlapping)         \
    X(Reduce_scatter, reduce_then_scatter, reduce_scatter_then_scatter)      \
    X(Reduce_scatter, recursive_doubling, reduce_scatter_recursive_doubling) \
    X(Reduce_scatter, recursive_halving, reduce_scatter_recursive_halving)   \
    X(Reduce_scatter, butterfly, reduce_scatter_butterfly)                   \
    X(Reduce_scatter, butterfly_mirrored, reduce_scatter_butterfly_mirrored) \
    X(Reduce_scatter, ring, reduce_scatter_ring)                             \
    X(Reduce_scatter, pairwise, reduce_scatter_pairwise)

static const struct form forms[] = {
#define X(op, algorithm, time) {COLLECTIVE_MPI_##op, ALGORITHM_##algorithm, time},
    COMBINE_FORMS(X)
#undef X
};

#define X(name) FORMS_TEST(forms, sizeof forms / sizeof *forms, name)
COMBINE_OPS(X)
#undef X

int main(void)
{
    const struct CMUnitTest tests[] = {COMBINE_OPS(FORMS_UNIT_TEST)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
