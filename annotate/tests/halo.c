/* halo.c - what test_annotate.sh annotates: rows exchanged in a chain, rounds and steps. */
#include <mpi.h>
#include <stdlib.h>
#include "../steps.h" /* STEPS */
static int rank, size;
static double *grid;
static volatile double spent;
/* Its call of MPI is its last: compilers jump there, and no frame of it is left. */
__attribute__((noinline)) static int share(int *n)
{
    return MPI_Bcast(n, 1, MPI_INT, 0, MPI_COMM_WORLD);
}
static void finish(int *n)
{
    share(n);
    spent = spent + 1;
}
static void exchange(int n, int up, int down)
{
    MPI_Request r[4];
    int k = 0;
    if (up >= 0) {
        MPI_Irecv(grid, n, MPI_DOUBLE, up, 0, MPI_COMM_WORLD, &r[k++]);
        MPI_Isend(grid + n, n, MPI_DOUBLE, up, 1, MPI_COMM_WORLD, &r[k++]);
    }
    if (down < size) {
        MPI_Irecv(grid + 2 * n, n, MPI_DOUBLE, down, 1, MPI_COMM_WORLD, &r[k++]);
        MPI_Isend(grid + n, n, MPI_DOUBLE, down, 0, MPI_COMM_WORLD, &r[k++]);
    }
    MPI_Waitall(k, r, MPI_STATUSES_IGNORE);
}
static void (*volatile method)(int, int, int) = exchange;
int main(int argc, char *argv[])
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int n = argc > 1 ? atoi(argv[1]) : 1000, rounds = argc > 2 ? atoi(argv[2]) : 4;
    double norm = 1, all;
    share(&n);
    for (int i = 0; i < 4000000; i++)
        spent = spent + 1e-9 * i;
    share(&n);
    grid = calloc((size_t)n * 3, sizeof *grid);
    MPI_Reduce(grid, grid + n, 480 / size, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    for (int round = 0; round <= rounds; round++) {
        for (int step = 1; step < STEPS && norm > 0; step++) {
            method(n, rank - 1, rank + 1);
            for (int i = 0; i < n; i++)
                grid[n + i] = 0.5 * (grid[i] + grid[2 * n + i]);
        }
        MPI_Allreduce(&norm, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        if (rank == 0)
            MPI_Send(&norm, 1, MPI_DOUBLE, size - 1, 5, MPI_COMM_WORLD);
        else if (rank == size - 1)
            MPI_Recv(&all, 1, MPI_DOUBLE, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    finish(&n);
    MPI_Finalize();
    return 0;
}
/* Stands between main and _start, which has no lines of its own. */
__attribute__((constructor)) static void begin(void)
{
    spent = spent + 1;
}
