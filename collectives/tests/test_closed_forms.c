/* The closed forms of schedule.h, as they stand there and in the literature: what algorithms take under Hockney, at
 * powers of two and not. test_closed_forms_*.c hold every algorithm to what it takes at any number of processes, root
 * and segment. */
#include "collectives/tests/executor.h"
#include "common/tests/share.h"

#include <math.h>

/* Seconds; any three that make every term count. */
static const double alpha = 3, beta = 0.25, gamma_ = 0.0625;

static double T(double bytes)
{
    return alpha + beta * bytes;
}

static int32_t L(int32_t n)
{
    return n == 1 ? 0 : log2_below(n - 1) + 1;
}

static bool power_of_two(int32_t n)
{
    return power_below(n) == n;
}

static double finish(enum collective_op op, enum algorithm algorithm, int32_t size, int64_t bytes, int64_t segment)
{
    const struct schedule s = {
        .op = op, .algorithm = algorithm, .size = size, .root = size / 3, .bytes = bytes, .segment = segment};
    struct world w = {.alpha = alpha, .beta = beta, .gamma = gamma_};
    world_run(&w, &s);
    return w.finish;
}

static void expect(enum collective_op op, enum algorithm algorithm, int32_t size, int64_t bytes, int64_t segment,
                   double time)
{
    const double took = finish(op, algorithm, size, bytes, segment);
    if (fabs(took - time) > 1e-12 * time)
        fail_msg("%s %s, P = %d, %lld bytes, segment %lld: %.9g instead of %.9g", collective_op_name(op),
                 algorithm_name(algorithm), (int)size, (long long)bytes, (long long)segment, took, time);
}
#define EXPECT(op, algorithm, size, bytes, time) \
    expect(COLLECTIVE_MPI_##op, ALGORITHM_##algorithm, size, bytes, 0, time)

/* 2, 3, ... 20, and some beyond, whose trees are deeper: 31, 42, 53, 64, nearly all of the time; of them 42 alone where not all
 * cases are tried. */
static int32_t next_P(int32_t P)
{
    return P < 20 ? P + 1 : share_one_in() > 1 ? P + 22 + (P == 42) : P + 11;
}
#define EACH_P(P) for (int32_t P = 2; P <= 64; P = next_P(P))

static void bcast(void **state)
{
    (void)state;
    EACH_P(P)
    {
        const int64_t M = 16 * P;
        const double S = 4, Q = P;
        EXPECT(Bcast, linear, P, M, (Q - 1) * T(16 * Q));
        EXPECT(Bcast, chain, P, M, (Q - 1) * T(16 * Q));
        expect(COLLECTIVE_MPI_Bcast, ALGORITHM_chain, P, M, M / 4, (Q - 2 + S) * T(4 * Q));
        EXPECT(Bcast, binomial, P, M, L(P) * T(16 * Q));
        EXPECT(Bcast, binomial_blocking, P, M, L(P) * T(16 * Q));
        EXPECT(Bcast, scatter_ring_allgather, P, M, (L(P) + Q - 1) * alpha + 2 * (Q - 1) * beta * 16);
        if (power_of_two(P))
            EXPECT(Bcast, scatter_allgather, P, M, 2 * L(P) * alpha + 2 * (Q - 1) * beta * 16);
    }
    /* A perfect binary tree: two sends on each level; halves, and then a half exchanged. */
    for (int d = 2; d <= 6; d++) {
        EXPECT(Bcast, binary, (1 << d) - 1, 96, 2 * (d - 1) * T(96));
        EXPECT(Bcast, split_binary, (1 << d) - 1, 96, (2 * (d - 1) + 1) * T(48));
        /* Segment after segment, two sends each; no other node sends more. */
        expect(COLLECTIVE_MPI_Bcast, ALGORITHM_binary, (1 << d) - 1, 96, 24, (2 * (d - 1) + 2 * 3) * T(24));
    }
    for (int k = 1; k <= 6; k++)
        expect(COLLECTIVE_MPI_Bcast, ALGORITHM_binomial, 1 << k, 96, 24, k * 4 * T(24));
    /* Radix 4: three sends for each digit. Six: the root sends to 4, 1, 2, 3, and 4 to 5. */
    for (int k = 1; k <= 3; k++)
        EXPECT(Bcast, knomial, 1 << 2 * k, 40, 3 * k * T(40));
    EXPECT(Bcast, knomial, 6, 40, 4 * T(40));
}

/* Equations (1) and (2) of Lastovetsky and Rychkov 2009 for equal processors, at any P: the root's messages, largest
 * first. */
static double scatter_equation(int32_t size, double M)
{
    if (size == 1)
        return 0;
    const int32_t near = power_below(size - 1), far = size - near;
    const double below_far = scatter_equation(far, M), below_near = scatter_equation(near, M);
    return T(far * M) + (below_far > below_near ? below_far : below_near);
}

static void scatter(void **state)
{
    (void)state;
    EACH_P(P)
    {
        const double Q = P;
        EXPECT(Scatter, linear, P, 10, (Q - 1) * T(10));
        EXPECT(Scatter, linear_nb, P, 10, (Q - 1) * T(10));
        EXPECT(Scatter, binomial, P, 10, L(P) * alpha + (Q - 1) * beta * 10);
        EXPECT(Scatter, binomial, P, 10, scatter_equation(P, 10));
    }
    /* Equation (3): three latencies and seven shares. */
    EXPECT(Scatter, binomial, 8, 10, alpha + 4 * beta * 10 + alpha + 2 * beta * 10 + alpha + beta * 10);
}

static double gather_recursion(int32_t size, double M)
{
    if (size == 1)
        return 0;
    const int32_t near = power_below(size - 1), far = size - near;
    const double last = gather_recursion(far, M) + T(far * M), before = gather_recursion(near, M);
    return last > before ? last : before;
}

static void gather(void **state)
{
    (void)state;
    EACH_P(P)
    {
        const double Q = P;
        EXPECT(Gather, linear, P, 10, T(10));
        EXPECT(Gather, linear_nb, P, 10, T(10));
        EXPECT(Gather, linear_sync, P, 10, (Q - 1) * (2 * alpha + beta * 10) + alpha);
        expect(COLLECTIVE_MPI_Gather, ALGORITHM_linear_sync, P, 10, 4, (Q - 1) * (alpha + T(4)) + T(6));
        EXPECT(Gather, pieces, P, 10, T(10));
        EXPECT(Gather, binomial, P, 10, gather_recursion(P, 10));
        if (power_of_two(P))
            EXPECT(Gather, binomial, P, 10, L(P) * alpha + (Q - 1) * beta * 10);
    }
    expect(COLLECTIVE_MPI_Gather, ALGORITHM_pieces, 2, 12, 4, 3 * T(4) + 2 * alpha);
    /* 0 <- 1, 0 <- 2 <- 3, 0 <- 4: 2 sends two shares after T(M), later than 4's one. */
    EXPECT(Gather, binomial, 5, 10, T(10) + T(20));
}

static void allgather(void **state)
{
    (void)state;
    EACH_P(P)
    {
        const double Q = P, logarithmic = L(P) * alpha + (Q - 1) * beta * 10;
        EXPECT(Allgather, ring, P, 10, (Q - 1) * T(10));
        EXPECT(Allgather, bruck, P, 10, logarithmic);
        EXPECT(Allgather, recursive_doubling, P, 10, logarithmic);
        EXPECT(Allgather, neighbor_exchange, P, 10, P % 2 == 0 ? Q / 2 * alpha + (Q - 1) * beta * 10 : (Q - 1) * T(10));
    }
}

static double reduce_recursion(int32_t size, double M)
{
    if (size == 1)
        return 0;
    const int32_t near = power_below(size - 1), far = size - near;
    const double last = reduce_recursion(far, M) + T(M), before = reduce_recursion(near, M);
    return (last > before ? last : before) + gamma_ * M;
}

static void reduce(void **state)
{
    (void)state;
    EACH_P(P)
    {
        const int64_t M = 16 * P;
        const double Q = P, G = gamma_ * 16 * Q, m = 16 * Q;
        EXPECT(Reduce, linear, P, M, T(m) + (Q - 1) * G);
        EXPECT(Reduce, chain, P, M, (Q - 1) * (T(m) + G));
        EXPECT(Reduce, binomial, P, M, reduce_recursion(P, m));
        if (power_of_two(P)) {
            EXPECT(Reduce, binomial, P, M, L(P) * (T(m) + G));
            EXPECT(Reduce, rabenseifner, P, M, 2 * L(P) * alpha + (Q - 1) / Q * (2 * beta * m + G));
        }
    }
    /* A chain in segments is a pipeline, each passed on as soon as it is combined; the slower of the two paces it. */
    EACH_P(P)
        expect(COLLECTIVE_MPI_Reduce, ALGORITHM_chain, P, 64, 16, (P - 1) * (T(16) + gamma_ * 16) + 3 * T(16));
    /* Perfect binary trees: two messages that arrive together on each level. In order the tree ends at the last rank:
     * from there to the root. */
    for (int d = 2; d <= 6; d++) {
        EXPECT(Reduce, binary, (1 << d) - 1, 96, (d - 1) * (T(96) + 2 * gamma_ * 96));
        EXPECT(Reduce, in_order_binary, (1 << d) - 1, 96, (d - 1) * (T(96) + 2 * gamma_ * 96) + T(96));
    }
    /* Three processes: the root combines two messages that arrive together. */
    EXPECT(Reduce, binomial, 3, 10, T(10) + 2 * gamma_ * 10);
}

static void allreduce(void **state)
{
    (void)state;
    EACH_P(P)
    {
        const int32_t power = power_below(P), F = log2_below(P);
        const int64_t M = 16 * P * power;
        const double Q = P, W = power, m = (double)M, G = gamma_ * m;
        const double halving = 2 * F * alpha + (W - 1) / W * (2 * beta * m + G);
        EXPECT(Allreduce, ring, P, M, 2 * (Q - 1) * T(m / Q) + (Q - 1) / Q * G);
        /* Four segments of each block go round one after the other, then whole blocks. */
        expect(COLLECTIVE_MPI_Allreduce, ALGORITHM_ring, P, 32 * P, 8,
               4 * (Q - 1) * (T(8) + gamma_ * 8) + (Q - 1) * T(32));
        const double doubling = F * (T(m) + G) + (power == P ? 0 : 2 * T(m) + G);
        EXPECT(Allreduce, rabenseifner, P, M, halving + (power == P ? 0 : 2 * T(m / 2) + T(m) + G / 2));
        /* Folded pairs are late, the others are not: the lateness adds up in full only where enough of them are. */
        if (power == P || (P >= 7 && P == 2 * power - 1))
            EXPECT(Allreduce, recursive_doubling, P, M, doubling);
        assert_true(finish(COLLECTIVE_MPI_Allreduce, ALGORITHM_recursive_doubling, P, M, 0) <= doubling);
        if (power == P)
            EXPECT(Allreduce, binomial, P, M, F * (2 * T(m) + G));
    }
    /* Three: 1 has the vector of 0 after T + G, when 2's has long been there; its sends to 2 and to 0 take turns at
     * its port. */
    EXPECT(Allreduce, recursive_doubling, 3, 96, T(96) + gamma_ * 96 + 2 * T(96));
}

static void reduce_scatter(void **state)
{
    (void)state;
    EACH_P(P)
    {
        const double Q = P, m = 24, G = gamma_ * m, halving = L(P) * alpha + (Q - 1) * (beta * m + G);
        EXPECT(Reduce_scatter, ring, P, 24, (Q - 1) * (T(m) + G));
        EXPECT(Reduce_scatter, pairwise, P, 24, (Q - 1) * (T(m) + G));
        if (power_of_two(P))
            EXPECT(Reduce_scatter, recursive_halving, P, 24, halving);
        if (power_of_two(P))
            EXPECT(Reduce_scatter, recursive_doubling, P, 24, L(P) * alpha + (Q * L(P) - Q + 1) * (beta * m + G));
        if (power_of_two(P) && P >= 4)
            EXPECT(Reduce_scatter, butterfly, P, 24, halving + T(m));
    }
    /* Three: 0 gives all to 1; 1 and 2 exchange (2 had sent at once); 1 gives 0 its share, after the message to 2 has
     * left. */
    const double folded = T(72) + gamma_ * 72;
    EXPECT(Reduce_scatter, recursive_halving, 3, 24, folded + 2 * T(24));
}

static void alltoall(void **state)
{
    (void)state;
    EACH_P(P)
    {
        const double Q = P;
        double digits = 0;
        for (int32_t bit = 1; bit < P; bit <<= 1)
            for (int32_t i = 1; i < P; i++)
                digits += (i & bit) != 0;
        EXPECT(Alltoall, linear, P, 10, (Q - 1) * T(10));
        EXPECT(Alltoall, pairwise, P, 10, (Q - 1) * T(10));
        EXPECT(Alltoall, scattered, P, 10, (Q - 1) * T(10));
        EXPECT(Alltoall, bruck, P, 10, L(P) * alpha + digits * beta * 10);
        if (power_of_two(P))
            EXPECT(Alltoall, bruck, P, 10, L(P) * alpha + Q / 2 * L(P) * beta * 10);
    }
}

static void barrier(void **state)
{
    (void)state;
    EACH_P(P)
    {
        const double Q = P;
        EXPECT(Barrier, linear, P, 0, Q * alpha);
        EXPECT(Barrier, dissemination, P, 0, L(P) * alpha);
        EXPECT(Barrier, recursive_doubling, P, 0, (power_of_two(P) ? L(P) : L(P) + 1) * alpha);
        EXPECT(Barrier, ring, P, 0, 2 * Q * alpha);
        EXPECT(Barrier, binomial, P, 0, (log2_below(P) + L(P)) * alpha);
    }
}

static void scan(void **state)
{
    (void)state;
    EACH_P(P)
    {
        const double Q = P, G = gamma_ * 80;
        EXPECT(Scan, chain, P, 80, (Q - 1) * (T(80) + G));
        EXPECT(Exscan, chain, P, 80, (Q - 1) * (T(80) + G) - G);
        if (power_of_two(P)) {
            EXPECT(Scan, recursive_doubling, P, 80, L(P) * (T(80) + 2 * G));
            EXPECT(Exscan, recursive_doubling, P, 80, L(P) * (T(80) + 2 * G) - G);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bcast),          cmocka_unit_test(scatter), cmocka_unit_test(gather),
        cmocka_unit_test(allgather),      cmocka_unit_test(reduce),  cmocka_unit_test(allreduce),
        cmocka_unit_test(alltoall),       cmocka_unit_test(barrier), cmocka_unit_test(scan),
        cmocka_unit_test(reduce_scatter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
