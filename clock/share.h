/* share.h - what the processes of a measurement tell one another.
 *
 * Waiting here sleeps between looks instead of spinning, so that on a host with more processes than cores the waiting
 * do not take the processor from the measured. Communicators must have an error handler that does not return. */
#ifndef PEVPM_CLOCK_SHARE_H
#define PEVPM_CLOCK_SHARE_H

#include "estimate/histogram.h"
#include "estimate/samples.h"

#include <mpi.h>

/* Appends the samples of all ranks, in rank order, to `all` on rank 0; own may be empty. Collective. `all` may be NULL
 * on the other ranks. */
void share_samples(MPI_Comm comm, const struct samples *own, struct samples *all);

/* Merges the histograms of all ranks into `all` (initialised, of the same layout) on rank 0. Collective. `all` may be
 * NULL on the other ranks. */
void share_histogram(MPI_Comm comm, const struct histogram *own, struct histogram *all);

/* Completes a request, sleeping between looks (from 20 us up to 1 ms). */
void share_wait(MPI_Request *request, MPI_Status *status);
/* A receive, a broadcast, a barrier that wait so. */
void share_receive(MPI_Comm comm, void *buffer, int bytes, int source, int tag);
void share_broadcast(MPI_Comm comm, void *buffer, int bytes, int root);
void share_barrier(MPI_Comm comm);
/* The least of all ranks' values. */
int64_t share_minimum(MPI_Comm comm, int64_t value);

#endif
