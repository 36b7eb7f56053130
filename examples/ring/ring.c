/* ring.c - the program of the tutorial in README.md: every process works on its share of N numbers and hands it to its
 * right neighbour. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

#define N 4096
#define STEPS 1000

static double mine[N], theirs[N];

int main(int argc, char **argv)
{
    int procnum, numprocs;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &procnum);
    MPI_Comm_size(MPI_COMM_WORLD, &numprocs);
    int share = N / numprocs;
    int right = (procnum + 1) % numprocs;
    int left = (procnum + numprocs - 1) % numprocs;

    // PEVPM Loop iterations = STEPS
    // PEVPM {
    for (int step = 0; step < STEPS; step++) {
        // PEVPM Serial time = 0.5*(N/numprocs) us
        for (int i = 0; i < share; i++)
            mine[i] = 0.5 * mine[i] + procnum;
        // PEVPM Runon c1 = numprocs > 1
        // PEVPM {
        if (numprocs > 1) {
            // PEVPM Message type = MPI_Sendrecv
            // PEVPM &       size = N/numprocs*sizeof(double)
            // PEVPM &       to = (procnum+1) % numprocs
            // PEVPM &       from = (procnum+numprocs-1) % numprocs
            MPI_Sendrecv(mine, share, MPI_DOUBLE, right, 0, theirs, share, MPI_DOUBLE, left, 0, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
            memcpy(mine, theirs, (size_t)share * sizeof(double));
        }
        // PEVPM }
    }
    // PEVPM }
    if (procnum == 0)
        printf("%g\n", mine[0]);
    MPI_Finalize();
    return 0;
}
