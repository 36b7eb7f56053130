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

enum { TAG_BINS = 1, TAG_MAY = 10, TAG_COUNT, TAG_SAMPLES };

/* Appends what a child has of its own and of those below it. */
static void samples_receive(MPI_Comm comm, int child, struct samples *all)
{
    int64_t n;
    MPI_Send(NULL, 0, MPI_BYTE, child, TAG_MAY, comm);
    share_receive(comm, &n, sizeof n, child, TAG_COUNT);
    samples_append(all, (size_t)n, NULL);
    share_receive(comm, all->ns + all->n, (int)n * (int)sizeof *all->ns, child, TAG_SAMPLES);
    all->n += (size_t)n;
}

static void samples_send(MPI_Comm comm, int parent, const struct samples *all)
{
    const int64_t n = (int64_t)all->n;
    share_receive(comm, NULL, 0, parent, TAG_MAY);
    MPI_Send(&n, sizeof n, MPI_BYTE, parent, TAG_COUNT, comm);
    MPI_Send(all->ns, (int)n * (int)sizeof *all->ns, MPI_BYTE, parent, TAG_SAMPLES, comm);
}

/* Up a binomial tree, in which a parent hears one child at a time: if all sent at once, the root's port would lose
 * their packets. */
void share_samples(MPI_Comm comm, const struct samples *own, struct samples *all)
{
    int rank, size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    struct samples below, *mine = rank == 0 ? all : &below;
    samples_init(&below);
    samples_append(mine, own->n, own->ns);
    for (int step = 1; step < size && !(rank & step) && rank + step < size; step *= 2)
        samples_receive(comm, rank + step, mine);
    if (rank > 0)
        samples_send(comm, rank & (rank - 1), mine);
    samples_free(&below);
}

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

