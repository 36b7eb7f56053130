/* Barrier, Allgather, Alltoall, Scan and Exscan: every algorithm takes what a formula says, or what its steps add up to
 * when all processes are followed at once; at powers of two and not, with equal shares and others. */
#include "collectives/selection.h"
#include "collectives/tests/forms_rooted.h"

/* ---- Barrier ---- */

/* All messages to the root arrive at once; its own leave one after the other. */
static double barrier_linear(const struct problem *p)
{
    return p->s.size * p->alpha;
}

/* Up: a message for each bit of the rank with the most bits, F; down as a Bcast that serves the largest subtree
 * first. */
static double barrier_binomial(const struct problem *p)
{
    return (log2_whole(p->s.size) + log2_above(p->s.size)) * p->alpha;
}

/* Processes beyond a power of two check in first and are let out last. */
static double barrier_recursive_doubling(const struct problem *p)
{
    const int32_t F = log2_whole(p->s.size);
    return (p->s.size == 1 << F ? F : F + 2) * p->alpha;
}

static double barrier_dissemination(const struct problem *p)
{
    return log2_above(p->s.size) * p->alpha;
}

static double barrier_ring(const struct problem *p)
{
    return 2 * p->s.size * p->alpha;
}

/* ---- Allgather ---- */

/* A Gather to rank 0, which then has the last to wait for, and a Bcast of all. */
static double allgather_of_two(const struct problem *p, enum algorithm gather, enum algorithm bcast)
{
    struct problem whole = *p;
    whole.s.root = 0;
    const double gathered = rooted_time(
        &whole, p->s.op == COLLECTIVE_MPI_Allgatherv ? COLLECTIVE_MPI_Gatherv : COLLECTIVE_MPI_Gather, gather);
    whole.s.bytes = all_shares(p);
    whole.s.sums = NULL;
    return gathered + rooted_time(&whole, COLLECTIVE_MPI_Bcast, bcast);
}

static double allgather_linear(const struct problem *p)
{
    return allgather_of_two(p, ALGORITHM_linear, ALGORITHM_linear);
}

static double allgather_binomial(const struct problem *p)
{
    return allgather_of_two(p, ALGORITHM_binomial, ALGORITHM_binomial);
}

static double allgather_gather_bcast(const struct problem *p)
{
    const bool v = p->s.op == COLLECTIVE_MPI_Allgatherv;
    const int64_t all = all_shares(p);
    int64_t none;
    return allgather_of_two(p,
                            algorithm_select(LIBRARY_open_mpi, v ? COLLECTIVE_MPI_Gatherv : COLLECTIVE_MPI_Gather,
                                             &(struct schedule){.size = p->s.size, .bytes = p->s.bytes}, &none),
                            algorithm_select(LIBRARY_open_mpi, COLLECTIVE_MPI_Bcast,
                                             &(struct schedule){.size = p->s.size, .bytes = all}, &none));
}

/* Each passes on to the right what came last, first its own share: (P - 1) T(M) with equal ones. */
static double allgather_ring(const struct problem *p)
{
    const int32_t P = p->s.size;
    struct clocks c = {0};
    for (int32_t k = 0; k < P - 1; k++) {
        struct step step = {0};
        for (int32_t i = 0; i < P; i++)
            step_message(&step, i, (i + 1) % P, share(p, i - k));
        step_take(p, &step, &c);
    }
    return last_of(p, &c);
}

/* Bruck: each has its own share and those of the next ones round the circle, twice as many with each step; it sends
 * them back by as many as it has, and no more than lack. L alpha + (P - 1) beta M with equal ones. */
static double allgather_bruck(const struct problem *p)
{
    const int32_t P = p->s.size;
    struct clocks c = {0};
    for (int32_t had = 1; had < P; had *= 2) {
        struct step step = {0};
        for (int32_t i = 0; i < P; i++)
            step_message(&step, i, (i + P - had) % P, shares(p, i, had < P - had ? had : P - had));
        step_take(p, &step, &c);
    }
    return last_of(p, &c);
}

/* Groups of `width` exchange all they have; Bruck's where groups are left over. */
static double allgather_recursive_doubling(const struct problem *p)
{
    const int32_t P = p->s.size;
    struct clocks c = {0};
    if (P != 1 << log2_whole(P))
        return allgather_bruck(p);
    for (int32_t width = 1; width < P; width *= 2) {
        struct step step = {0};
        for (int32_t i = 0; i < P; i++)
            step_message(&step, i, i ^ width, shares(p, i / width * width, width));
        step_take(p, &step, &c);
    }
    return last_of(p, &c);
}

/* Neighbours 2 i, 2 i + 1 exchange shares; from then on each gives the two that it got last to its other neighbour and
 * to this one in turn. last[i]: the lower of those two, which after the first exchange are the pair's own. */
static double allgather_neighbor_exchange(const struct problem *p)
{
    const int32_t P = p->s.size;
    struct clocks c = {0};
    struct step first = {0};
    int32_t last[MOST_PROCESSES], got[MOST_PROCESSES];
    if (P % 2 != 0)
        return allgather_ring(p);
    for (int32_t i = 0; i < P; i++) {
        step_message(&first, i, i ^ 1, share(p, i));
        last[i] = i - i % 2;
    }
    step_take(p, &first, &c);
    for (int32_t k = 1; k < P / 2; k++) {
        struct step step = {0};
        for (int32_t i = 0; i < P; i++) {
            const int32_t other = k % 2 == 0 ? i ^ 1 : i % 2 == 0 ? (i + P - 1) % P : (i + 1) % P;
            step_message(&step, i, other, shares(p, last[i], 2));
            got[other] = last[i];
        }
        step_take(p, &step, &c);
        memcpy(last, got, sizeof last);
    }
    return last_of(p, &c);
}

/* ---- Alltoall; in an Alltoallv each sends every other its share ---- */

/* Everybody's messages one after the other; `scattered` and `by_rank` leave out empty ones. Also where each waits after every 32:
 * who has most to send has then got what the others had for it. */
static double alltoall_linear(const struct problem *p)
{
    double last = 0;
    for (int32_t i = 0; i < p->s.size; i++)
        if ((p->s.algorithm != ALGORITHM_scattered && p->s.algorithm != ALGORITHM_by_rank) || share(p, i) > 0)
            last = fmax(last, (p->s.size - 1) * T(p, share(p, i)));
    return last;
}

/* Step k: to the k-th on the right, from the k-th on the left; also what is empty. (P - 1) T(M) with equal ones. */
static double alltoall_pairwise(const struct problem *p)
{
    const int32_t P = p->s.size;
    struct clocks c = {0};
    for (int32_t k = 1; k < P; k++) {
        struct step step = {0};
        for (int32_t i = 0; i < P; i++)
            step_message(&step, i, (i + k) % P, share(p, i));
        step_take(p, &step, &c);
    }
    return last_of(p, &c);
}

/* Bruck: for each bit one message of all that has a distance to go in which the bit is set. */
static double alltoall_bruck(const struct problem *p)
{
    double time = 0;
    for (int32_t bit = 1; bit < p->s.size; bit *= 2) {
        int64_t n = 0;
        for (int32_t distance = 1; distance < p->s.size; distance++)
            n += (distance & bit) != 0;
        time += T(p, n * p->s.bytes);
    }
    return time;
}

/* ---- Scan, Exscan ---- */

/* Each combines what comes from the left and hands it on; in an Exscan the last one takes it as it is. */
static double scan_chain(const struct problem *p)
{
    const int32_t combined = p->s.size - (p->s.op == COLLECTIVE_MPI_Scan ? 1 : 2);
    return (p->s.size - 1) * T(p, p->s.bytes) + combined * G(p, p->s.bytes);
}

/* Partners at a distance that doubles exchange all that their groups have summed up. Each combines it with its own
 * group's, and where it comes from the left with its prefix too, which in an Exscan is empty at first. */
static double scan_recursive_doubling(const struct problem *p)
{
    const int32_t P = p->s.size;
    const double combine = G(p, p->s.bytes);
    struct clocks c = {0};
    for (int32_t width = 1; width < P; width *= 2) {
        struct step step = {0};
        for (int32_t i = 0; i < P; i++)
            if ((i ^ width) < P)
                step_message(&step, i, i ^ width, p->s.bytes);
        step_take(p, &step, &c);
        for (int32_t i = 0; i < P; i++) {
            const bool from_left = (i & width) != 0, empty = p->s.op == COLLECTIVE_MPI_Exscan && i % width == 0;
            if ((i ^ width) < P)
                c.now[i] += from_left && !empty ? 2 * combine : combine;
        }
    }
    return last_of(p, &c);
}

/* ---- the table ---- */

/* X(operation, algorithm, form) */
#define EXCHANGE_FORMS(X)                                                \
    X(Barrier, linear, barrier_linear)                                   \
    X(Barrier, binomial, barrier_binomial)                               \
    X(Barrier, recursive_doubling, barrier_recursive_doubling)           \
    X(Barrier, dissemination, barrier_dissemination)                     \
    X(Barrier, bruck, barrier_dissemination)                             \
    X(Barrier, ring, barrier_ring)                                       \
    X(Allgather, linear, allgather_linear)                               \
    X(Allgather, binomial, allgather_binomial)                           \
    X(Allgather, gather_bcast, allgather_gather_bcast)                   \
    X(Allgather, by_rank, alltoall_linear)                               \
    X(Allgather, recursive_doubling, allgather_recursive_doubling)       \
    X(Allgather, ring, allgather_ring)                                   \
    X(Allgather, neighbor_exchange, allgather_neighbor_exchange)         \
    X(Allgather, bruck, allgather_bruck)                                 \
    X(Allgatherv, linear, allgather_linear)                              \
    X(Allgatherv, binomial, allgather_binomial)                          \
    X(Allgatherv, gather_bcast, allgather_gather_bcast)                  \
    X(Allgatherv, by_distance, alltoall_linear)                          \
    X(Allgatherv, recursive_doubling, allgather_recursive_doubling)      \
    X(Allgatherv, ring, allgather_ring)                                  \
    X(Allgatherv, neighbor_exchange, allgather_neighbor_exchange)        \
    X(Allgatherv, bruck, allgather_bruck)                                \
    X(Alltoall, linear, alltoall_linear)                                 \
    X(Alltoall, by_rank, alltoall_linear)                                \
    X(Alltoall, scattered, alltoall_linear)                              \
    X(Alltoall, pairwise, alltoall_pairwise)                             \
    X(Alltoall, bruck, alltoall_bruck)                                   \
    X(Alltoallv, linear, alltoall_linear)                                \
    X(Alltoallv, by_rank, alltoall_linear)                               \
    X(Alltoallv, scattered, alltoall_linear)                             \
    X(Alltoallv, pairwise, alltoall_pairwise)                            \
    X(Scan, chain, scan_chain)                                           \
    X(Scan, recursive_doubling, scan_recursive_doubling)                 \
    X(Exscan, chain, scan_chain)                                         \
    X(Exscan, recursive_doubling, scan_recursive_doubling)

static const struct form forms[] = {
#define X(op, algorithm, time) {COLLECTIVE_MPI_##op, ALGORITHM_##algorithm, time},
    EXCHANGE_FORMS(X)
#undef X
};

#define X(name) FORMS_TEST(forms, sizeof forms / sizeof *forms, name)
EXCHANGE_OPS(X)
#undef X

int main(void)
{
    const struct CMUnitTest tests[] = {EXCHANGE_OPS(FORMS_UNIT_TEST)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
