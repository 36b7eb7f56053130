// SPDX-License-Identifier: MIT
/* Several threads gather and scatter at one time, each on a communicator of its own: what is received is right, and none waits
 * in MPI_Waitany. threads CASES; rank 0 says what came of it, or that this MPI does not provide MPI_THREAD_MULTIPLE. */
#include <dlfcn.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 3, MOST = 900 };
static int rank, size, cases, waits;

struct thread {
    MPI_Comm comm;
    int differences;
};

/* The library's call comes here first. */
int PMPI_Waitany(int n, MPI_Request requests[], int *which, MPI_Status *status)
{
    int (*waitany)(int, MPI_Request[], int *, MPI_Status *) = dlsym(RTLD_NEXT, "PMPI_Waitany");
    __atomic_fetch_add(&waits, 1, __ATOMIC_RELAXED);
    return waitany(n, requests, which, status);
}

static void gatherv(struct thread *own, int k, int n, int *one, int *all)
{
    int counts[16], displs[16];
    for (int p = 0; p < size; p++) {
        counts[p] = n;
        displs[p] = p * n;
    }
    for (int i = 0; i < n; i++)
        one[i] = rank * 1000 + i + k;
    MPI_Gatherv(one, n, MPI_INT, all, counts, displs, MPI_INT, k % size, own->comm);
    for (int i = 0; rank == k % size && i < n * size; i++)
        own->differences += all[i] != i / n * 1000 + i % n + k;
}

static void scatterv(struct thread *own, int k, int n, int *one, int *all)
{
    int counts[16], displs[16];
    for (int p = 0; p < size; p++) {
        counts[p] = n - p % n;
        displs[p] = p * MOST;
        for (int i = 0; i < counts[p]; i++)
            all[displs[p] + i] = p * 7 + i + k;
    }
    MPI_Scatterv(all, counts, displs, MPI_INT, one, counts[rank], MPI_INT, k % size, own->comm);
    for (int i = 0; i < counts[rank]; i++)
        own->differences += one[i] != rank * 7 + i + k;
}

static void *work(void *argument)
{
    int *one = malloc(MOST * sizeof *one), *all = malloc((size_t)size * MOST * sizeof *all);
    for (int k = 0; k < cases; k++) {
        gatherv(argument, k, 1 + k * 37 % MOST, one, all);
        scatterv(argument, k, 1 + k * 37 % MOST, one, all);
    }
    free(one);
    free(all);
    return NULL;
}

/* In THREADS threads; the differences of all. */
static int work_side_by_side(void)
{
    struct thread own[THREADS] = {{MPI_COMM_NULL, 0}};
    pthread_t threads[THREADS];
    int differences = 0;
    for (int i = 0; i < THREADS; i++)
        MPI_Comm_dup(MPI_COMM_WORLD, &own[i].comm);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, &own[i]);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        differences += own[i].differences;
        MPI_Comm_free(&own[i].comm);
    }
    return differences;
}

int main(int argc, char *argv[])
{
    int level, found[2] = {0}, sum[2];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    cases = atoi(argv[1]);
    if (level == MPI_THREAD_MULTIPLE)
        found[0] = work_side_by_side();
    found[1] = waits;
    PMPI_Reduce(found, sum, 2, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0 && level < MPI_THREAD_MULTIPLE)
        puts("MPI_THREAD_MULTIPLE is not provided");
    else if (rank == 0)
        printf("%d threads, %d differences, %d waits\n", THREADS, sum[0], sum[1]);
    MPI_Finalize();
    return 0;
}
