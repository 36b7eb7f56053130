/* selection.h - which algorithm an MPI library takes for a collective, by processes and bytes.
 *
 * open_mpi: the fixed decision rules of Open MPI 4.1, coll/tuned/coll_tuned_decision_fixed.c, for operations that
 * commute; what `tuned` leaves to `basic` (Scatterv, Gatherv, Scan, Exscan) as there, and to `libnbc` (Ibcast, Iallreduce):
 * coll/libnbc/nbc_ibcast.c and nbc_iallreduce.c. mpich: the default of MPICH 4, maint/tuning/coll/mpir/generic.json, for
 * built-in operations that commute on communicators without a hierarchy of nodes; there operations with a request take
 * those of their blocking forms.
 *
 * Names of theirs that are not ours: pipeline and chain with the default fan-out of 1 are `chain`; Alltoall
 * linear_sync without a limit on requests is `linear`; two_proc is what ring or pairwise is between two;
 * segmented_ring without a segment size is `ring`; tree (Barrier) is `binomial`; Bruck's barrier is `dissemination`;
 * MPICH's reduce_scatter_allgather and reduce_scatter_gather are `rabenseifner`, its Bcast binomial is
 * `binomial_blocking`; libnbc's binomial Ibcast, which has the root and process 0 change places (RANK2VRANK), is
 * `binomial_swapped`. Not followed: algorithms that know which processes share a node (MPICH's *_smp, Open MPI's
 * han). */
#ifndef PEVPM_COLLECTIVES_SELECTION_H
#define PEVPM_COLLECTIVES_SELECTION_H

#include "collectives/library.h"
#include "collectives/schedule.h"

/* The algorithm for op on `size` >= 1 processes; it exists for op.
 *   bytes    as in struct schedule; where processes have shares of their own: their mean (total / size)
 *   segment  out: bytes, 0: none (neither library's table asks for segments) */
enum algorithm algorithm_select(enum mpi_library library, enum collective_op op, int32_t size, int64_t bytes,
                                int64_t *segment);

/* Whether the library's own rule for op is not known here, so that algorithm_select takes that of collective_op_like(op). */
bool algorithm_is_lent(enum mpi_library library, enum collective_op op);

#endif
