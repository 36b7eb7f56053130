#include "collectives/selection.h"
#include "collectives/schedule_impl.h"

#include <assert.h>
#include <limits.h>
#include <stddef.h>

/* Tables are read from above: the first row with more processes and more bytes than there are. Bytes: of the vector,
 * a share or a pair, as in struct schedule, but of all shares together in tables named `total`. */
struct rule {
    int64_t processes, bytes;
    enum algorithm algorithm;
    int64_t segment;
};
#define R(processes, bytes, algorithm) {processes, bytes, ALGORITHM_##algorithm, 0}
#define IN_SEGMENTS(processes, bytes, algorithm, segment) {processes, bytes, ALGORITHM_##algorithm, segment}
#define K 1024
#define M (1024 * 1024)
#define ALL INT64_MAX

/* ---- Open MPI 4.1 ---- */

static const struct rule open_mpi_allreduce[] = {
    R(4, 8, ring), R(4, 4 * K, recursive_doubling), R(4, 8 * K, ring), R(4, 16 * K, recursive_doubling),
    R(4, 256 * K, ring), R(4, ALL, rabenseifner),
    R(8, 16, ring), R(8, 8 * K, recursive_doubling), R(8, ALL, rabenseifner),
    R(16, 8 * K, recursive_doubling), R(16, ALL, rabenseifner),
    R(32, 64, ring), R(32, 4 * K, recursive_doubling), R(32, ALL, rabenseifner),
    R(64, 128, ring), R(64, ALL, rabenseifner),
    R(128, 256 * K, recursive_doubling), R(128, ALL, rabenseifner),
    R(256, 128 * K, nonoverlapping), R(256, 256 * K, recursive_doubling), R(256, ALL, rabenseifner),
    R(512, 4 * K, nonoverlapping), R(512, ALL, rabenseifner),
    R(2048, 2 * K, nonoverlapping), R(2048, 16 * K, recursive_doubling), R(2048, ALL, rabenseifner),
    R(4096, 2 * K, nonoverlapping), R(4096, 4 * K, ring), R(4096, 16 * K, recursive_doubling),
    R(4096, ALL, rabenseifner),
    R(ALL, 2 * K, nonoverlapping), R(ALL, 16 * K, ring), R(ALL, 32 * K, recursive_doubling),
    R(ALL, ALL, rabenseifner),
};
static const struct rule open_mpi_alltoall[] = {
    R(3, 32 * K, pairwise), R(3, 256 * K, linear), R(3, ALL, pairwise),
    R(8, 512 * K, linear), R(8, 1 * M, pairwise), R(8, ALL, linear),
    R(16, ALL, linear),
    R(32, 4, linear), R(32, 512, bruck), R(32, ALL, linear),
    R(64, 512, bruck), R(64, ALL, linear),
    R(128, 1 * K, bruck), R(128, 256 * K, linear), R(128, ALL, pairwise),
    R(256, 1 * K, bruck), R(256, 256 * K, linear), R(256, ALL, pairwise),
    R(512, 1 * K, bruck), R(512, 32 * K, linear), R(512, ALL, pairwise),
    R(1024, 512, bruck), R(1024, 256 * K, linear), R(1024, ALL, pairwise),
    R(2048, 512, bruck), R(2048, ALL, linear),
    R(4096, 1 * K, bruck), R(4096, ALL, linear),
    R(ALL, 2 * K, bruck), R(ALL, ALL, linear),
};
static const struct rule open_mpi_alltoallv[] = {
    R(4, ALL, pairwise),
    R(64, ALL, linear),
    R(128, ALL, pairwise),
    R(256, ALL, linear),
    R(1024, ALL, pairwise),
    R(ALL, ALL, linear),
};
static const struct rule open_mpi_alltoallw[] = {R(ALL, ALL, linear)};
static const struct rule neighbors[] = {R(ALL, ALL, linear)}; /* both libraries know nothing else */
static const struct rule open_mpi_barrier[] = {
    R(4, ALL, recursive_doubling),
    R(8, ALL, linear),
    R(64, ALL, recursive_doubling),
    R(256, ALL, dissemination),
    R(512, ALL, binomial),
    R(1024, ALL, dissemination),
    R(4096, ALL, binomial),
    R(ALL, ALL, dissemination),
};
static const struct rule open_mpi_bcast[] = {
    R(4, 32, chain), R(4, 256, binary), R(4, 512, chain), R(4, 1 * K, knomial), R(4, 32 * K, linear),
    R(4, 128 * K, binary), R(4, 256 * K, chain), R(4, 512 * K, linear), R(4, 1 * M, binomial), R(4, ALL, binary),
    R(8, 64, binary), R(8, 128, binomial), R(8, 2 * K, binary), R(8, 8 * K, binomial), R(8, 1 * M, linear),
    R(8, ALL, chain),
    R(16, 8, knomial), R(16, 64, binary), R(16, 4 * K, knomial), R(16, 16 * K, binary), R(16, 32 * K, binomial),
    R(16, ALL, linear),
    R(32, 4 * K, knomial), R(32, 1 * M, binomial), R(32, ALL, scatter_allgather),
    R(64, 2 * K, binomial), R(64, ALL, knomial),
    R(128, ALL, knomial),
    R(256, 2, binomial), R(256, 16 * K, binary), R(256, 32 * K, linear), R(256, 64 * K, binary), R(256, ALL, knomial),
    R(1024, 16 * K, knomial), R(1024, 32 * K, split_binary), R(1024, ALL, knomial),
    R(2048, 512 * K, knomial), R(2048, ALL, scatter_allgather),
    R(4096, 256 * K, knomial), R(4096, ALL, scatter_allgather),
    R(ALL, 8 * K, knomial), R(ALL, 16 * K, binary), R(ALL, 256 * K, knomial), R(ALL, ALL, scatter_allgather),
};
static const struct rule open_mpi_reduce[] = {
    R(4, 8, rabenseifner), R(4, 16, binary), R(4, 32, chain), R(4, 256 * K, linear), R(4, ALL, chain),
    R(8, 4 * K, binary), R(8, 64 * K, chain), R(8, 256 * K, binomial), R(8, 512 * K, linear), R(8, 1 * M, binomial),
    R(8, ALL, linear),
    R(16, 8 * K, binary), R(16, ALL, binomial),
    R(32, 4 * K, binary), R(32, ALL, binomial),
    R(256, ALL, binomial),
    R(512, 8 * K, binomial), R(512, 16 * K, in_order_binary), R(512, ALL, binomial),
    R(2048, ALL, binomial),
    R(4096, 512, binomial), R(4096, 1 * K, in_order_binary), R(4096, 8 * K, binomial),
    R(4096, 16 * K, in_order_binary), R(4096, ALL, binomial),
    R(ALL, 16, binomial), R(ALL, 32, in_order_binary), R(ALL, 1 * K, binomial), R(ALL, 2 * K, in_order_binary),
    R(ALL, 8 * K, binomial), R(ALL, 16 * K, in_order_binary), R(ALL, ALL, binomial),
};
static const struct rule open_mpi_reduce_scatter_total[] = {
    R(4, 64 * K, ring), R(4, 128 * K, butterfly), R(4, ALL, ring),
    R(8, 8, nonoverlapping), R(8, 256 * K, recursive_halving), R(8, ALL, ring),
    R(32, 256 * K, recursive_halving), R(32, ALL, ring),
    R(64, 64, nonoverlapping), R(64, 2 * K, recursive_halving), R(64, 512 * K, butterfly), R(64, ALL, ring),
    R(128, 256, nonoverlapping), R(128, 512, recursive_halving), R(128, 2 * K, butterfly),
    R(128, 4 * K, recursive_halving), R(128, ALL, butterfly),
    R(256, 256, nonoverlapping), R(256, 512, recursive_halving), R(256, ALL, butterfly),
    R(512, 256, nonoverlapping), R(512, 1 * K, recursive_halving), R(512, ALL, butterfly),
    R(1024, 512, nonoverlapping), R(1024, 2 * K, recursive_halving), R(1024, 8 * K, butterfly),
    R(1024, 16 * K, recursive_halving), R(1024, ALL, butterfly),
    R(2048, 512, nonoverlapping), R(2048, 4 * K, recursive_halving), R(2048, 16 * K, butterfly),
    R(2048, 32 * K, recursive_halving), R(2048, ALL, butterfly),
    R(4096, 512, nonoverlapping), R(4096, 4 * K, recursive_halving), R(4096, ALL, butterfly),
    R(ALL, 1 * K, nonoverlapping), R(ALL, 8 * K, recursive_halving), R(ALL, ALL, butterfly),
};
static const struct rule open_mpi_reduce_scatter_block[] = {
    R(4, 4, recursive_doubling), R(4, 8, butterfly_mirrored), R(4, 16, recursive_halving),
    R(4, 128, butterfly_mirrored), R(4, 256, recursive_halving), R(4, 4 * K, butterfly_mirrored),
    R(4, 8 * K, recursive_halving), R(4, 128 * K, butterfly_mirrored), R(4, ALL, reduce_then_scatter),
    R(8, 8, recursive_halving), R(8, 32, recursive_doubling), R(8, 256, butterfly_mirrored),
    R(8, 8 * K, recursive_halving), R(8, 16 * K, butterfly_mirrored), R(8, 1 * M, recursive_halving),
    R(8, ALL, reduce_then_scatter),
    R(16, 4, reduce_then_scatter), R(16, 32, recursive_halving), R(16, 128, butterfly_mirrored),
    R(16, 512 * K, recursive_halving), R(16, 4 * M, reduce_then_scatter), R(16, ALL, butterfly_mirrored),
    R(32, 32, reduce_then_scatter), R(32, 512 * K, recursive_halving), R(32, 2 * M, reduce_then_scatter),
    R(32, 4 * M, recursive_halving), R(32, ALL, butterfly_mirrored),
    R(ALL, 4, recursive_halving), R(ALL, 16, reduce_then_scatter), R(ALL, 64 * K, butterfly_mirrored),
    R(ALL, 256 * K, reduce_then_scatter), R(ALL, ALL, butterfly_mirrored),
};
static const struct rule open_mpi_allgather[] = {
    R(3, ALL, ring),
    R(32, ALL, recursive_doubling),
    R(64, 1 * K, recursive_doubling), R(64, 64 * K, neighbor_exchange), R(64, ALL, ring),
    R(128, 512, recursive_doubling), R(128, 64 * K, neighbor_exchange), R(128, ALL, ring),
    R(256, 512, recursive_doubling), R(256, 128 * K, neighbor_exchange), R(256, 512 * K, ring),
    R(256, 1 * M, neighbor_exchange), R(256, ALL, ring),
    R(512, 32, recursive_doubling), R(512, 128, bruck), R(512, 1 * K, recursive_doubling),
    R(512, 128 * K, neighbor_exchange), R(512, 512 * K, ring), R(512, 1 * M, neighbor_exchange), R(512, ALL, ring),
    R(1024, 64, recursive_doubling), R(1024, 256, bruck), R(1024, 2 * K, recursive_doubling),
    R(1024, ALL, neighbor_exchange),
    R(2048, 4, recursive_doubling), R(2048, 8, bruck), R(2048, 16, recursive_doubling), R(2048, 32, bruck),
    R(2048, 256, recursive_doubling), R(2048, 512, bruck), R(2048, 4 * K, recursive_doubling),
    R(2048, ALL, neighbor_exchange),
    R(4096, 32, bruck), R(4096, 128, recursive_doubling), R(4096, 512, bruck), R(4096, 4 * K, recursive_doubling),
    R(4096, ALL, neighbor_exchange),
    R(ALL, 2, recursive_doubling), R(ALL, 8, bruck), R(ALL, 16, recursive_doubling), R(ALL, 512, bruck),
    R(ALL, 4 * K, recursive_doubling), R(ALL, ALL, neighbor_exchange),
};
static const struct rule open_mpi_allgatherv[] = {
    R(3, ALL, ring),
    R(8, 256, gather_bcast), R(8, 4 * K, neighbor_exchange), R(8, 8 * K, ring), R(8, 16 * K, neighbor_exchange),
    R(8, 256 * K, bruck), R(8, ALL, neighbor_exchange),
    R(16, 1 * K, gather_bcast), R(16, ALL, bruck),
    R(32, 128, gather_bcast), R(32, 256 * K, bruck), R(32, ALL, ring),
    R(64, 256, gather_bcast), R(64, 8 * K, bruck), R(64, ALL, ring),
    R(128, 256, gather_bcast), R(128, 4 * K, bruck), R(128, ALL, ring),
    R(256, 1 * K, bruck), R(256, 64 * K, neighbor_exchange), R(256, ALL, ring),
    R(512, 1 * K, bruck), R(512, ALL, ring),
    R(1024, 512, bruck), R(1024, 1 * K, gather_bcast), R(1024, 4 * K, bruck), R(1024, 1 * M, neighbor_exchange),
    R(1024, ALL, ring),
    R(ALL, 4 * K, bruck), R(ALL, ALL, neighbor_exchange),
};
static const struct rule open_mpi_gather[] = {
    R(4, 2, linear_sync), R(4, 4, linear), R(4, 32 * K, binomial), R(4, 64 * K, linear), R(4, 128 * K, binomial),
    R(4, ALL, linear_sync),
    R(8, 1 * K, binomial), R(8, 8 * K, linear), R(8, 32 * K, binomial), R(8, 256 * K, linear), R(8, ALL, linear_sync),
    R(256, ALL, binomial),
    R(512, 2 * K, binomial), R(512, 8 * K, linear), R(512, ALL, binomial),
    R(ALL, ALL, binomial),
};
static const struct rule open_mpi_scatter[] = {
    R(4, 2, linear_nb), R(4, 128 * K, linear), R(4, 256 * K, linear_nb), R(4, ALL, linear),
    R(8, 2 * K, binomial), R(8, 4 * K, linear), R(8, 8 * K, binomial), R(8, 32 * K, linear), R(8, 1 * M, linear_nb),
    R(8, ALL, linear),
    R(16, 16 * K, binomial), R(16, 1 * M, linear_nb), R(16, ALL, linear),
    R(32, 16 * K, binomial), R(32, 32 * K, linear), R(32, ALL, linear_nb),
    R(64, 512, binomial), R(64, 8 * K, linear_nb), R(64, 16 * K, binomial), R(64, ALL, linear_nb),
    R(ALL, 512, binomial), R(ALL, ALL, linear_nb),
};
static const struct rule open_mpi_scatterv[] = {R(ALL, ALL, linear)};
static const struct rule open_mpi_gatherv[] = {R(ALL, ALL, linear)};
static const struct rule open_mpi_scan[] = {R(ALL, ALL, chain)};
static const struct rule open_mpi_exscan[] = {R(ALL, ALL, chain)};
/* With a request: coll/libnbc, whose Ibcast does not look at the bytes (coll_libnbc_ibcast_skip_dt_decision). */
static const struct rule open_mpi_ibarrier[] = {R(ALL, ALL, dissemination)};
static const struct rule open_mpi_ibcast[] = {R(5, ALL, linear), R(ALL, ALL, binomial_swapped)};
static const struct rule open_mpi_iscatter[] = {R(ALL, ALL, linear_nb)};
static const struct rule open_mpi_igather[] = {R(ALL, ALL, linear_nb)};
static const struct rule open_mpi_iallgather[] = {R(ALL, ALL, by_rank)};
static const struct rule open_mpi_ireduce[] = {
    R(3, 64 * K, binomial_swapped), IN_SEGMENTS(3, ALL, chain_blocking, 8 * K),
    R(ALL, ALL, rabenseifner),
};
static const struct rule open_mpi_iallreduce[] = {
    R(4, ALL, binomial_swapped),
    R(ALL, 64 * K, binomial_swapped), R(ALL, ALL, rabenseifner),
};
static const struct rule open_mpi_ialltoall[] = {R(ALL, ALL, by_rank)};
static const struct rule open_mpi_iallgatherv[] = {R(ALL, ALL, by_distance)};
static const struct rule open_mpi_ireduce_scatter[] = {R(ALL, ALL, binomial_swapped)};

/* ---- MPICH 4: tables for powers of two, and for any number of processes ---- */

static const struct rule mpich_barrier[] = {R(ALL, ALL, dissemination)};
static const struct rule mpich_bcast_power[] = {
    R(8, ALL, binomial_blocking),
    R(ALL, 12 * K + 1, binomial_blocking), R(ALL, 512 * K + 1, scatter_allgather), R(ALL, ALL, scatter_ring_allgather),
};
static const struct rule mpich_bcast[] = {
    R(8, ALL, binomial_blocking),
    R(ALL, 12 * K + 1, binomial_blocking), R(ALL, ALL, scatter_ring_allgather),
};
static const struct rule mpich_scatter[] = {R(ALL, ALL, binomial)};
static const struct rule mpich_scatterv[] = {R(ALL, ALL, linear_nb)};
static const struct rule mpich_gather[] = {R(ALL, ALL, binomial)};
static const struct rule mpich_gatherv[] = {R(ALL, ALL, linear_nb)};
static const struct rule mpich_allgather_total_power[] = {R(ALL, 512 * K, recursive_doubling), R(ALL, ALL, ring)};
static const struct rule mpich_allgather_total[] = {R(ALL, 80 * K, bruck), R(ALL, ALL, ring)};
static const struct rule mpich_reduce[] = {R(ALL, 2 * K + 1, binomial), R(ALL, ALL, rabenseifner)};
static const struct rule mpich_allreduce[] = {R(ALL, 8 + 1, recursive_doubling), R(ALL, ALL, rabenseifner)};
static const struct rule mpich_reduce_scatter_total[] = {R(ALL, 512 * K, recursive_halving), R(ALL, ALL, pairwise)};
static const struct rule mpich_alltoall[] = {
    R(8, 32 * K + 1, scattered), R(8, ALL, pairwise),
    R(ALL, 256 + 1, bruck), R(ALL, 32 * K + 1, scattered), R(ALL, ALL, pairwise),
};
static const struct rule mpich_alltoallv[] = {R(ALL, ALL, scattered)};
static const struct rule mpich_scan[] = {R(ALL, ALL, recursive_doubling)};
static const struct rule mpich_exscan[] = {R(ALL, ALL, recursive_doubling)};
static const struct rule mpich_ibcast_power[] = {
    R(8, ALL, binomial_blocking),
    R(ALL, 12 * K, binomial_blocking), R(ALL, 512 * K, scatter_allgather), R(ALL, ALL, scatter_ring_allgather),
};
static const struct rule mpich_ibcast[] = {
    R(8, ALL, binomial_blocking),
    R(ALL, 12 * K, binomial_blocking), R(ALL, ALL, scatter_ring_allgather),
};
static const struct rule mpich_iallreduce[] = {R(ALL, 2 * K + 1, recursive_doubling), R(ALL, ALL, rabenseifner)};
static const struct rule mpich_ialltoall[] = {
    R(8, 32 * K + 1, scattered), R(8, ALL, pairwise),
    R(ALL, 2 * K + 1, bruck), R(ALL, 32 * K + 1, scattered), R(ALL, ALL, pairwise),
};

struct choice {
    const struct rule *rules, *power; /* power: where the processes are a power of two; NULL: the same */
    bool total;
    bool empty;                /* messages go where there is nothing to send */
    bool divides;              /* where a vector has fewer elements than there are processes, but for those beyond a */
    enum algorithm few;        /* power of two, `few` is taken instead of rabenseifner */
};
#define MPICH_ALLGATHER .rules = mpich_allgather_total, .power = mpich_allgather_total_power, .total = true
#define FEW(algorithm) .divides = true, .few = ALGORITHM_##algorithm
#define AMONG_NEIGHBORS(I, empty_i)                                                                     \
    [COLLECTIVE_MPI_##I##eighbor_allgather] = {.rules = neighbors, .empty = empty_i},                   \
    [COLLECTIVE_MPI_##I##eighbor_allgatherv] = {.rules = neighbors},                                    \
    [COLLECTIVE_MPI_##I##eighbor_alltoall] = {.rules = neighbors, .empty = empty_i},                    \
    [COLLECTIVE_MPI_##I##eighbor_alltoallv] = {.rules = neighbors},                                     \
    [COLLECTIVE_MPI_##I##eighbor_alltoallw] = {.rules = neighbors}
/* What has no rules here has those of the operation whose messages it makes: so do the libraries. */
static const struct choice choices[][N_COLLECTIVE_OPS] = {
    [LIBRARY_open_mpi] = {
        [COLLECTIVE_MPI_Barrier] = {.rules = open_mpi_barrier},
        [COLLECTIVE_MPI_Bcast] = {.rules = open_mpi_bcast},
        [COLLECTIVE_MPI_Scatter] = {.rules = open_mpi_scatter},
        [COLLECTIVE_MPI_Scatterv] = {.rules = open_mpi_scatterv},
        [COLLECTIVE_MPI_Gather] = {.rules = open_mpi_gather},
        [COLLECTIVE_MPI_Gatherv] = {.rules = open_mpi_gatherv},
        [COLLECTIVE_MPI_Allgather] = {.rules = open_mpi_allgather},
        [COLLECTIVE_MPI_Allgatherv] = {.rules = open_mpi_allgatherv},
        [COLLECTIVE_MPI_Reduce] = {.rules = open_mpi_reduce},
        [COLLECTIVE_MPI_Allreduce] = {.rules = open_mpi_allreduce},
        [COLLECTIVE_MPI_Reduce_scatter] = {.rules = open_mpi_reduce_scatter_total, .total = true},
        [COLLECTIVE_MPI_Reduce_scatter_block] = {.rules = open_mpi_reduce_scatter_block},
        [COLLECTIVE_MPI_Alltoall] = {.rules = open_mpi_alltoall},
        [COLLECTIVE_MPI_Alltoallv] = {.rules = open_mpi_alltoallv},
        [COLLECTIVE_MPI_Alltoallw] = {.rules = open_mpi_alltoallw},
        [COLLECTIVE_MPI_Scan] = {.rules = open_mpi_scan},
        [COLLECTIVE_MPI_Exscan] = {.rules = open_mpi_exscan},
        [COLLECTIVE_MPI_Ibarrier] = {.rules = open_mpi_ibarrier},
        [COLLECTIVE_MPI_Ibcast] = {.rules = open_mpi_ibcast},
        [COLLECTIVE_MPI_Iscatter] = {.rules = open_mpi_iscatter, .empty = true},
        [COLLECTIVE_MPI_Igather] = {.rules = open_mpi_igather, .empty = true},
        [COLLECTIVE_MPI_Iallgather] = {.rules = open_mpi_iallgather, .empty = true},
        [COLLECTIVE_MPI_Ireduce] = {.rules = open_mpi_ireduce, FEW(binomial_swapped)},
        [COLLECTIVE_MPI_Iallreduce] = {.rules = open_mpi_iallreduce, FEW(ring)},
        [COLLECTIVE_MPI_Ialltoall] = {.rules = open_mpi_ialltoall, .empty = true},
        [COLLECTIVE_MPI_Iexscan] = {.rules = open_mpi_exscan, .empty = true},
        [COLLECTIVE_MPI_Iscatterv] = {.rules = open_mpi_iscatter, .empty = true},
        [COLLECTIVE_MPI_Igatherv] = {.rules = open_mpi_igather, .empty = true},
        [COLLECTIVE_MPI_Iallgatherv] = {.rules = open_mpi_iallgatherv, .empty = true},
        [COLLECTIVE_MPI_Ireduce_scatter] = {.rules = open_mpi_ireduce_scatter},
        [COLLECTIVE_MPI_Ireduce_scatter_block] = {.rules = open_mpi_ireduce_scatter},
        [COLLECTIVE_MPI_Ialltoallv] = {.rules = open_mpi_ialltoall},
        [COLLECTIVE_MPI_Ialltoallw] = {.rules = open_mpi_ialltoall},
        AMONG_NEIGHBORS(N, false), AMONG_NEIGHBORS(In, true),
    },
    [LIBRARY_mpich] = {
        [COLLECTIVE_MPI_Barrier] = {.rules = mpich_barrier},
        [COLLECTIVE_MPI_Bcast] = {.rules = mpich_bcast, .power = mpich_bcast_power},
        [COLLECTIVE_MPI_Scatter] = {.rules = mpich_scatter},
        [COLLECTIVE_MPI_Scatterv] = {.rules = mpich_scatterv},
        [COLLECTIVE_MPI_Gather] = {.rules = mpich_gather},
        [COLLECTIVE_MPI_Gatherv] = {.rules = mpich_gatherv},
        [COLLECTIVE_MPI_Allgather] = {MPICH_ALLGATHER},
        [COLLECTIVE_MPI_Allgatherv] = {MPICH_ALLGATHER},
        [COLLECTIVE_MPI_Reduce] = {.rules = mpich_reduce, FEW(binomial)},
        [COLLECTIVE_MPI_Allreduce] = {.rules = mpich_allreduce, FEW(recursive_doubling)},
        [COLLECTIVE_MPI_Reduce_scatter] = {.rules = mpich_reduce_scatter_total, .total = true},
        [COLLECTIVE_MPI_Alltoall] = {.rules = mpich_alltoall},
        [COLLECTIVE_MPI_Alltoallv] = {.rules = mpich_alltoallv},
        [COLLECTIVE_MPI_Scan] = {.rules = mpich_scan},
        [COLLECTIVE_MPI_Exscan] = {.rules = mpich_exscan},
        [COLLECTIVE_MPI_Ibcast] = {.rules = mpich_ibcast, .power = mpich_ibcast_power},
        [COLLECTIVE_MPI_Iallreduce] = {.rules = mpich_iallreduce, FEW(recursive_doubling)},
        [COLLECTIVE_MPI_Ialltoall] = {.rules = mpich_ialltoall},
        AMONG_NEIGHBORS(N, false), AMONG_NEIGHBORS(In, false),
    },
};

/* Bytes of a vector, or of a share or pair where all are equal; else their mean. */
static int64_t mean_of(const struct schedule *s)
{
    if (!s->sums)
        return s->bytes;
    const int64_t n = s->pairs ? (int64_t)schedule_n_pairs(s) : s->size;
    return n > 0 ? s->sums[s->size] / n : 0;
}

enum algorithm algorithm_select(enum mpi_library library, enum collective_op op, const struct schedule *schedule,
                                int64_t *segment)
{
    const int32_t size = schedule->size;
    const struct choice *own = &choices[library][op],
                        *choice = own->rules ? own : &choices[library][collective_op_like(op)];
    const struct rule *rule = choice->power && power_below(size) == size ? choice->power : choice->rules;
    const int64_t mean = mean_of(schedule);
    const int64_t by = !choice->total ? mean : schedule->sums ? schedule->sums[size] : mean * size;
    assert(size >= 1 && mean >= 0 && rule != NULL);
    while (rule->processes <= size || rule->bytes <= by)
        rule++;
    *segment = rule->segment;
    const bool few = schedule_elements(schedule) < power_below(size);
    return choice->divides && few && rule->algorithm == ALGORITHM_rabenseifner ? choice->few : rule->algorithm;
}

bool algorithm_sends_empty(enum mpi_library library, enum collective_op op)
{
    return choices[library][op].empty;
}

const char *library_name(enum mpi_library library)
{
    static const char *const names[] = {
#define X(name) #name,
        LIBRARY_LIST(X)
#undef X
    };
    return names[library];
}
