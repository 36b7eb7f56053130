/* Rows of the libraries' published tables, on both sides of their borders; every choice exists. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "collectives/selection.h"

enum { K = 1024, M = 1024 * 1024 };

static void expect_choice(enum mpi_library library, enum collective_op op, int32_t size, int64_t bytes,
                          enum algorithm expected)
{
    int64_t segment = 7;
    const struct schedule schedule = {.op = op, .size = size, .bytes = bytes};
    enum algorithm chosen = algorithm_select(library, op, &schedule, &segment);
    if (chosen != expected)
        fail_msg("%s %s, P = %d, %lld bytes: %s instead of %s", library_name(library), collective_op_name(op),
                 (int)size, (long long)bytes, algorithm_name(chosen), algorithm_name(expected));
    assert_int_equal(segment, 0);
}

/* X(operation, processes, bytes, algorithm): coll_tuned_decision_fixed.c of 4.1 */
#define OPEN_MPI_ROWS(X)                                                                                        \
    X(Bcast, 2, 31, chain) X(Bcast, 3, 32, binary) X(Bcast, 3, 512, knomial) X(Bcast, 3, 1024, linear)           \
    X(Bcast, 4, 63, binary) X(Bcast, 7, 64, binomial) X(Bcast, 7, 8 * K, linear) X(Bcast, 7, M, chain)           \
    X(Bcast, 8, 7, knomial) X(Bcast, 15, 32 * K - 1, binomial) X(Bcast, 15, 32 * K, linear)                      \
    X(Bcast, 16, 4 * K, binomial) X(Bcast, 31, M, scatter_allgather) X(Bcast, 32, 2047, binomial)                \
    X(Bcast, 63, 2048, knomial) X(Bcast, 64, 1, knomial) X(Bcast, 128, 16 * K, linear)                           \
    X(Bcast, 1023, 16 * K, split_binary) X(Bcast, 1024, 512 * K, scatter_allgather) X(Bcast, 65536, 8 * K, binary) \
    X(Ibcast, 2, 0, linear) X(Ibcast, 4, M, linear) X(Ibcast, 5, 0, binomial_swapped)                             \
    X(Ibcast, 65536, M, binomial_swapped)                                                                       \
    X(Reduce, 3, 4, rabenseifner) X(Reduce, 3, 8, binary) X(Reduce, 3, 16, chain) X(Reduce, 3, 32, linear)        \
    X(Reduce, 4, 4 * K, chain) X(Reduce, 8, 8 * K - 1, binary) X(Reduce, 8, 8 * K, binomial)                      \
    X(Reduce, 256, 8 * K, in_order_binary) X(Reduce, 4096, 31, in_order_binary) X(Reduce, 4096, 32, binomial)     \
    X(Allreduce, 2, 7, ring) X(Allreduce, 2, 8, recursive_doubling) X(Allreduce, 3, 256 * K, rabenseifner)        \
    X(Allreduce, 8, 8 * K - 1, recursive_doubling) X(Allreduce, 8, 8 * K, rabenseifner)                           \
    X(Allreduce, 16, 63, ring) X(Allreduce, 64, 256 * K - 1, recursive_doubling)                                  \
    X(Allreduce, 128, 128 * K - 1, nonoverlapping) X(Allreduce, 2048, 2 * K, ring)                                \
    X(Iallreduce, 3, M, binomial_swapped) X(Iallreduce, 4, 64 * K - 1, binomial_swapped)                          \
    X(Iallreduce, 4, 64 * K, rabenseifner) X(Iallreduce, 16384, 64 * K, ring)                                     \
    X(Ibarrier, 7, 0, dissemination) X(Iscatter, 9, 5, linear_nb) X(Igather, 9, 5, linear_nb)                     \
    X(Iallgather, 16, 5, by_rank) X(Ialltoall, 2, M, by_rank) X(Iscan, 9, 5, chain) X(Iexscan, 9, 5, chain)       \
    X(Iscatterv, 9, 5, linear_nb) X(Igatherv, 9, 5, linear_nb) X(Iallgatherv, 9, 5, by_distance)                  \
    X(Ireduce_scatter, 9, 5, binomial_swapped) X(Ireduce_scatter_block, 2, M, binomial_swapped)                   \
    X(Ialltoallv, 9, 5, by_rank) X(Ialltoallw, 9, 5, by_rank)                                                     \
    X(Ireduce, 2, 64 * K - 1, binomial_swapped) X(Ireduce, 3, 8, binomial_swapped) X(Ireduce, 3, 16, rabenseifner) \
    X(Ireduce, 9, 56, binomial_swapped) X(Ireduce, 9, 64, rabenseifner)                                           \
    X(Alltoall, 2, 1, pairwise) X(Alltoall, 2, 32 * K, linear) X(Alltoall, 16, 4, bruck) X(Alltoall, 31, 512, linear) \
    X(Alltoall, 64, 256 * K, pairwise) X(Alltoall, 1024, M, linear) X(Alltoall, 65536, 2047, bruck)               \
    X(Alltoallv, 3, 5, pairwise) X(Alltoallv, 4, 5, linear) X(Alltoallv, 64, 5, pairwise) \
    X(Alltoallv, 1024, 5, linear) \
    X(Barrier, 3, 0, recursive_doubling) X(Barrier, 4, 0, linear) X(Barrier, 8, 0, recursive_doubling)            \
    X(Barrier, 64, 0, dissemination) X(Barrier, 256, 0, binomial) X(Barrier, 4096, 0, dissemination)              \
    X(Allgather, 2, 5, ring) X(Allgather, 31, M, recursive_doubling) X(Allgather, 32, K, neighbor_exchange)       \
    X(Allgather, 32, 64 * K, ring) X(Allgather, 256, 32, bruck) X(Allgather, 4096, 4 * K, neighbor_exchange)      \
    X(Allgatherv, 4, 255, gather_bcast) X(Allgatherv, 4, 256, neighbor_exchange) X(Allgatherv, 8, K, bruck)       \
    X(Allgatherv, 33, 8 * K, ring) X(Allgatherv, 5000, 4 * K, neighbor_exchange)                                  \
    X(Gather, 3, 1, linear_sync) X(Gather, 3, 2, linear) X(Gather, 3, 4, binomial) X(Gather, 7, 256 * K, linear_sync) \
    X(Gather, 300, 2 * K, linear) X(Gather, 600, 2 * K, binomial)                                                 \
    X(Scatter, 3, 1, linear_nb) X(Scatter, 3, 2, linear) X(Scatter, 7, K, binomial) X(Scatter, 15, 16 * K, linear_nb) \
    X(Scatter, 64, 511, binomial) X(Scatter, 64, 512, linear_nb)                                                  \
    X(Scatterv, 9, 5, linear) X(Gatherv, 9, 5, linear) X(Scan, 9, 5, chain) X(Exscan, 9, 5, chain)                 \
    /* by the sum of all shares: 4 x 1 < 8, 4 x 2; 32 x 64 = 2 K; 32 x 16 K = 512 K */                            \
    X(Reduce_scatter, 4, 1, nonoverlapping) X(Reduce_scatter, 4, 2, recursive_halving)                            \
    X(Reduce_scatter, 32, 63, recursive_halving) X(Reduce_scatter, 32, 64, butterfly)                             \
    X(Reduce_scatter, 32, 16 * K, ring) X(Reduce_scatter, 5000, 8 * K, butterfly)                                 \
    /* by the share */                                                                                            \
    X(Reduce_scatter_block, 3, 3, recursive_doubling) X(Reduce_scatter_block, 3, 127, butterfly_mirrored)                   \
    X(Reduce_scatter_block, 3, 128 * K, reduce_then_scatter) X(Reduce_scatter_block, 4, 8, recursive_doubling)     \
    X(Reduce_scatter_block, 7, 8 * K, butterfly_mirrored) X(Reduce_scatter_block, 15, 3, reduce_then_scatter)               \
    X(Reduce_scatter_block, 16, 31, reduce_then_scatter) X(Reduce_scatter_block, 16, 128 * K, recursive_halving)   \
    X(Reduce_scatter_block, 31, 2 * M, recursive_halving) X(Reduce_scatter_block, 32, 16, butterfly_mirrored)               \
    X(Reduce_scatter_block, 32, 64 * K, reduce_then_scatter)

/* generic.json of MPICH 4 */
#define MPICH_ROWS(X)                                                                                           \
    X(Barrier, 9, 0, dissemination) X(Bcast, 7, M, binomial_blocking) X(Bcast, 8, 12 * K, binomial_blocking)     \
    X(Bcast, 8, 12 * K + 1, scatter_allgather) X(Bcast, 16, 512 * K + 1, scatter_ring_allgather)                 \
    X(Bcast, 9, 12 * K + 1, scatter_ring_allgather) X(Ibcast, 9, 1, binomial_blocking)                           \
    X(Scatter, 9, M, binomial) X(Scatterv, 9, M, linear_nb) X(Gather, 9, M, binomial) X(Gatherv, 9, M, linear_nb) \
    X(Allgather, 8, 64 * K - 1, recursive_doubling) X(Allgather, 8, 64 * K, ring)                                \
    X(Allgather, 10, 8 * K - 1, bruck) X(Allgatherv, 10, 8 * K, ring)                                            \
    X(Reduce, 8, 2 * K, binomial) X(Reduce, 8, 2 * K + 1, rabenseifner) X(Reduce, 1000, 2 * K + 8, binomial)     \
    X(Allreduce, 8, 8, recursive_doubling) X(Allreduce, 4, 32, rabenseifner) X(Allreduce, 4, 24, recursive_doubling) \
    X(Iallreduce, 7, 2 * K, recursive_doubling) X(Iallreduce, 7, 2 * K + 1, rabenseifner)                         \
    X(Ibcast, 8, 12 * K - 1, binomial_blocking) X(Ibcast, 8, 12 * K, scatter_allgather)                          \
    X(Ialltoall, 7, 32 * K, scattered) X(Ialltoall, 8, 2 * K, bruck) X(Ialltoall, 8, 2 * K + 1, scattered)       \
    X(Ibarrier, 9, 0, dissemination) X(Igather, 9, M, binomial) X(Ireduce, 8, 2 * K, binomial)                   \
    X(Igatherv, 9, M, linear_nb) X(Iscatterv, 9, M, linear_nb) X(Iallgatherv, 10, 8 * K, ring)                   \
    X(Ialltoallv, 8, 1, scattered) X(Ialltoallw, 8, 1, scattered) X(Ireduce_scatter, 4, 128 * K, pairwise)       \
    X(Reduce_scatter, 4, 128 * K - 1, recursive_halving)                                                         \
    X(Reduce_scatter, 4, 128 * K, pairwise) X(Alltoall, 7, 32 * K, scattered) X(Alltoall, 7, 32 * K + 1, pairwise) \
    X(Alltoall, 8, 256, bruck) X(Alltoall, 8, 257, scattered) X(Alltoall, 8, M, pairwise) \
    X(Alltoallv, 8, 1, scattered) \
    X(Scan, 9, 5, recursive_doubling) X(Exscan, 9, 5, recursive_doubling)

static void open_mpi_chooses_as_published(void **state)
{
    (void)state;
#define X(op, size, bytes, algorithm) \
    expect_choice(LIBRARY_open_mpi, COLLECTIVE_MPI_##op, size, bytes, ALGORITHM_##algorithm);
    OPEN_MPI_ROWS(X)
#undef X
}

static void mpich_chooses_as_published(void **state)
{
    (void)state;
#define X(op, size, bytes, algorithm) \
    expect_choice(LIBRARY_mpich, COLLECTIVE_MPI_##op, size, bytes, ALGORITHM_##algorithm);
    MPICH_ROWS(X)
#undef X
}

static void segments_and_all_shares_count(void **state)
{
    (void)state;
    const int64_t sums[] = {0, 29368, 29368, 65536}, fewer[] = {0, 29368, 29368, 65535};
    int64_t segment = 7;
    struct schedule s = {.op = COLLECTIVE_MPI_Reduce_scatter, .size = 3, .sums = sums};
    assert_int_equal(algorithm_select(LIBRARY_open_mpi, s.op, &s, &segment), ALGORITHM_butterfly);
    s.sums = fewer; /* the mean is the same */
    assert_int_equal(algorithm_select(LIBRARY_open_mpi, s.op, &s, &segment), ALGORITHM_ring);
    assert_int_equal(segment, 0);
    s = (struct schedule){.op = COLLECTIVE_MPI_Reduce, .size = 2, .bytes = 64 * K};
    assert_int_equal(algorithm_select(LIBRARY_open_mpi, COLLECTIVE_MPI_Ireduce, &s, &segment),
                     ALGORITHM_chain_blocking);
    assert_int_equal(segment, 8 * K);
    assert_true(algorithm_sends_empty(LIBRARY_open_mpi, COLLECTIVE_MPI_Igather));
    assert_false(algorithm_sends_empty(LIBRARY_open_mpi, COLLECTIVE_MPI_Gather));
    assert_false(algorithm_sends_empty(LIBRARY_open_mpi, COLLECTIVE_MPI_Ibcast));
    assert_false(algorithm_sends_empty(LIBRARY_mpich, COLLECTIVE_MPI_Igather));
}

static void every_choice_exists(void **state)
{
    (void)state;
    for (int library = LIBRARY_open_mpi; library <= LIBRARY_mpich; library++)
        for (int op = 0; op < N_COLLECTIVE_OPS; op++)
            for (int32_t size = 1; size <= 1 << 16; size = size < 40 ? size + 1 : size * 2)
                for (int64_t bytes = 0; bytes < (int64_t)1 << 32; bytes = bytes * 2 + 1) {
                    int64_t segment = -1;
                    const struct schedule schedule = {.op = (enum collective_op)op, .size = size, .bytes = bytes};
                    enum algorithm a =
                        algorithm_select((enum mpi_library)library, (enum collective_op)op, &schedule, &segment);
                    assert_true(schedule_exists((enum collective_op)op, a));
                    assert_true(segment >= 0 && (segment == 0 || schedule_segments((enum collective_op)op, a)));
                }
}

static void libraries_have_names(void **state)
{
    (void)state;
    assert_string_equal(library_name(LIBRARY_open_mpi), "open_mpi");
    assert_string_equal(library_name(LIBRARY_mpich), "mpich");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(open_mpi_chooses_as_published),
        cmocka_unit_test(mpich_chooses_as_published),
        cmocka_unit_test(segments_and_all_shares_count),
        cmocka_unit_test(every_choice_exists),
        cmocka_unit_test(libraries_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
