/* pipeline.c - a wavefront: each block of `size` bytes comes from the left neighbour, is worked on, and goes on to the
 * right one. */
#include "work.h"

int main(int argc, char **argv)
{
    int procnum, numprocs;
    int iterations = 300; // PEVPM Param iterations = 300
    int size = 4096; // PEVPM Param size = 4096
    double work = 0.016; // PEVPM Param work = 0.016

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &procnum);
    MPI_Comm_size(MPI_COMM_WORLD, &numprocs);
    work_arguments(argc, argv, &iterations, &size, &work);
    char *block = work_buffer(size);
    double start = work_begin();

    // PEVPM Loop iterations = iterations
    // PEVPM {
    for (int i = 0; i < iterations; i++) {
        // PEVPM Message type = MPI_Recv & size = size & from = procnum > 0 ? procnum-1 : MPI_PROC_NULL
        MPI_Recv(block, size, MPI_CHAR, procnum > 0 ? procnum-1 : MPI_PROC_NULL, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        // PEVPM Serial time = work/numprocs
        work_compute(work/numprocs);
        // PEVPM Message type = MPI_Send & size = size & to = procnum < numprocs-1 ? procnum+1 : MPI_PROC_NULL
        MPI_Send(block, size, MPI_CHAR, procnum < numprocs-1 ? procnum+1 : MPI_PROC_NULL, 0, MPI_COMM_WORLD);
    }
    // PEVPM }

    work_end(start);
    free(block);
    MPI_Finalize();
    return 0;
}
