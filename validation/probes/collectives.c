/* collectives.c - training: a batch's description of `size` bytes comes from a process that changes each time, all
 * work on their own share of it, and sum up a few numbers. `work` is that of a process, and the most of the time. */
#include "../programs/work.h"

#define NUMBERS 8

int main(int argc, char **argv)
{
    int procnum, numprocs;
    int iterations = 12; // PEVPM Param iterations = 12
    int size = 1024; // PEVPM Param size = 1024
    double work = 0.08; // PEVPM Param work = 0.08

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &procnum);
    MPI_Comm_size(MPI_COMM_WORLD, &numprocs);
    work_arguments(argc, argv, &iterations, &size, &work);
    char *batch = work_buffer(size);
    double mine[NUMBERS] = {0}, sum[NUMBERS];
    double start = work_begin();

    // PEVPM Loop iterations = iterations & var = i
    // PEVPM {
    for (int i = 0; i < iterations; i++) {
        // PEVPM Collective type = MPI_Bcast & size = size & root = 5*i%numprocs
        MPI_Bcast(batch, size, MPI_CHAR, 5*i%numprocs, MPI_COMM_WORLD);
        // PEVPM Serial time = work
        work_compute(work);
        // PEVPM Collective type = MPI_Allreduce & size = NUMBERS*sizeof(double)
        MPI_Allreduce(mine, sum, NUMBERS, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    // PEVPM }

    work_end(start);
    free(batch);
    MPI_Finalize();
    return 0;
}
