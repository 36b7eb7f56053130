/* after.c - before.c with the directives of docs/tutorial.md. Nothing else differs.
 *
 *     mpicc -O2 after.c -o heat && mpirun -np 2 ./heat [POINTS [STEPS]] */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

/* One step of n points; old[0] and old[n + 1] belong to the neighbours. */
static void update(const double *old, double *new, int n)
{
    for (int i = 1; i <= n; i++)
        new[i] = old[i] + 0.25 * (old[i - 1] - 2 * old[i] + old[i + 1]);
}

int main(int argc, char **argv)
{
    int procnum, numprocs;
    int points = argc > 1 ? atoi(argv[1]) : 1000000;
    int steps = argc > 2 ? atoi(argv[2]) : 1000;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &procnum);
    MPI_Comm_size(MPI_COMM_WORLD, &numprocs);
    int share = points / numprocs;
    int left = procnum > 0 ? procnum - 1 : MPI_PROC_NULL;
    int right = procnum < numprocs - 1 ? procnum + 1 : MPI_PROC_NULL;
    double *old = calloc((size_t)share + 2, sizeof *old), *new = calloc((size_t)share + 2, sizeof *new);
    for (int i = 1; i <= share; i++)
        old[i] = (procnum * share + i) % 100;

    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    // PEVPM Param points = 1000000
    // PEVPM Param steps = 1000
    // PEVPM Loop iterations = steps
    // PEVPM {
    for (int step = 0; step < steps; step++) {
        // PEVPM Message type = MPI_Sendrecv & size = sizeof(double)
        // PEVPM &       to = procnum < numprocs-1 ? procnum+1 : MPI_PROC_NULL
        // PEVPM &       from = procnum > 0 ? procnum-1 : MPI_PROC_NULL
        MPI_Sendrecv(&old[share], 1, MPI_DOUBLE, right, 0, &old[0], 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        // PEVPM Message type = MPI_Sendrecv & size = sizeof(double) & tag = 1
        // PEVPM &       to = procnum > 0 ? procnum-1 : MPI_PROC_NULL
        // PEVPM &       from = procnum < numprocs-1 ? procnum+1 : MPI_PROC_NULL
        MPI_Sendrecv(&old[1], 1, MPI_DOUBLE, left, 1, &old[share + 1], 1, MPI_DOUBLE, right, 1, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        // PEVPM Serial time = measured(update, points/numprocs)
        update(old, new, share);
        double *swap = old;
        old = new;
        new = swap;
    }
    // PEVPM }
    double seconds = MPI_Wtime() - start;
    if (procnum == 0)
        printf("%d processes, %d points, %d steps: %.3f s\n", numprocs, points, steps, seconds);
    free(old);
    free(new);
    MPI_Finalize();
    return 0;
}
