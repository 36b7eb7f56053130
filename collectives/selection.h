/* selection.h - which algorithm an MPI library takes for a collective, by processes and bytes.
 *
 * open_mpi: the fixed decision rules of Open MPI 4.1, coll/tuned/coll_tuned_decision_fixed.c, for operations that
 * commute; what `tuned` leaves to `basic` (Scatterv, Gatherv, Alltoallw, Scan, Exscan) as there, and to `libnbc`, which
 * has the operations with a request: coll/libnbc/nbc_*.c. tests/traced.c holds all of these to what the library really
 * sends. mpich: the default of MPICH 4, maint/tuning/coll/mpir/generic.json, for built-in operations that commute on
 * communicators without a hierarchy of nodes.
 *
 * Names of theirs that are not ours: pipeline and chain with the default fan-out of 1 are `chain`; Alltoall linear_sync
 * without a limit on requests is `linear`; two_proc is what ring or pairwise is between two; segmented_ring without a
 * segment size is `ring`; tree (Barrier) is `binomial`; Bruck's barrier is `dissemination`; MPICH's
 * reduce_scatter_allgather and reduce_scatter_gather are `rabenseifner`, its Bcast binomial is `binomial_blocking`;
 * libnbc's binomial trees, in which the root and process 0 change places (RANK2VRANK), are `binomial_swapped`, its
 * linear Iallgather and Ialltoall are `by_rank`, its linear Iallgatherv is `by_distance`, its chain is `chain_blocking`;
 * MPICH's permuted_sendrecv is `scattered`, and what it calls recursive_doubling of an Ibarrier is `dissemination`. Not
 * followed: algorithms that know which processes share a node (MPICH's *_smp, Open MPI's han). */
#ifndef PEVPM_COLLECTIVES_SELECTION_H
#define PEVPM_COLLECTIVES_SELECTION_H

#include "collectives/library.h"
#include "collectives/schedule.h"

/* The algorithm for op with so many processes and bytes; it exists for op.
 *   schedule size, bytes, sums, pairs and topology of it count. Where sizes differ, tables go by their mean, or by the bytes
 *            of all shares (Reduce_scatter; MPICH's Allgather)
 *   segment  out: bytes; 0: whole messages */
enum algorithm algorithm_select(enum mpi_library library, enum collective_op op, const struct schedule *schedule,
                                int64_t *segment);

/* Whether the library sends messages of 0 bytes where op has nothing to send, nothing at all or to some process. (A Barrier never
 * has anything.) */
bool algorithm_sends_empty(enum mpi_library library, enum collective_op op);

#endif
