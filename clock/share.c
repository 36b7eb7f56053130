#include "clock/share.h"

#include "common/alloc.h"

#include <stdlib.h>
#include <time.h>

enum { SLEEP_FIRST_NS = 20000, SLEEP_MOST_NS = 1000000 };

void share_wait(MPI_Request *request, MPI_Status *status)
{
    long pause = SLEEP_FIRST_NS;
    int done = 0;
    for (MPI_Test(request, &done, status); !done; MPI_Test(request, &done, status)) {
        nanosleep(&(struct timespec){0, pause}, NULL);
        pause = 2 * pause < SLEEP_MOST_NS ? 2 * pause : SLEEP_MOST_NS;
    }
}

void share_receive(MPI_Comm comm, void *buffer, int bytes, int source, int tag)
{
    MPI_Request request;
    MPI_Irecv(buffer, bytes, MPI_BYTE, source, tag, comm, &request);
    share_wait(&request, MPI_STATUS_IGNORE);
}

void share_broadcast(MPI_Comm comm, void *buffer, int bytes, int root)
{
    MPI_Request request;
    MPI_Ibcast(buffer, bytes, MPI_BYTE, root, comm, &request);
    share_wait(&request, MPI_STATUS_IGNORE);
}

void share_barrier(MPI_Comm comm)
{
    MPI_Request request;
    MPI_Ibarrier(comm, &request);
    share_wait(&request, MPI_STATUS_IGNORE);
}

int64_t share_minimum(MPI_Comm comm, int64_t value)
{
    int64_t least;
    MPI_Request request;
    MPI_Iallreduce(&value, &least, 1, MPI_INT64_T, MPI_MIN, comm, &request);
    share_wait(&request, MPI_STATUS_IGNORE);
    return least;
}

void share_samples(MPI_Comm comm, const struct samples *own, struct samples *all)
{
    int rank, size, n = (int)own->n;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    int *counts = alloc_zeroed((size_t)size, sizeof *counts), *offsets = alloc_zeroed((size_t)size, sizeof *offsets);
    MPI_Gather(&n, 1, MPI_INT, counts, 1, MPI_INT, 0, comm);
    size_t total = 0;
    for (int r = 0; r < size && rank == 0; r++) {
        offsets[r] = (int)total;
        total += (size_t)counts[r];
    }
    int64_t *place = NULL;
    if (rank == 0) {
        samples_append(all, total, NULL);
        place = all->ns + all->n;
        all->n += total;
    }
    MPI_Gatherv(own->ns, n, MPI_INT64_T, place, counts, offsets, MPI_INT64_T, 0, comm);
    free(counts);
    free(offsets);
}

enum { TAG_BINS = 1 };

/* A histogram is sent whole, then its bins. */
void share_histogram(MPI_Comm comm, const struct histogram *own, struct histogram *all)
{
    int rank, size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    if (rank != 0) {
        MPI_Send(own, sizeof *own, MPI_BYTE, 0, TAG_BINS, comm);
        MPI_Send(own->bins, (int)(own->n * sizeof *own->bins), MPI_BYTE, 0, TAG_BINS, comm);
        return;
    }
    histogram_merge(all, own);
    for (int r = 1; r < size; r++) {
        struct histogram other;
        MPI_Recv(&other, sizeof other, MPI_BYTE, r, TAG_BINS, comm, MPI_STATUS_IGNORE);
        other.bins = alloc_array(other.n, sizeof *other.bins);
        MPI_Recv(other.bins, (int)(other.n * sizeof *other.bins), MPI_BYTE, r, TAG_BINS, comm, MPI_STATUS_IGNORE);
        histogram_merge(all, &other);
        histogram_free(&other);
    }
}

