/* sweep.c - a symmetric sweep over a line of processes: a process needs its left neighbour's edge before it can work on
 * a block and hands its own to the right, block after block; then the same from right to left. An edge has `size`
 * bytes, and half of `work` is for each direction. */
#include "../programs/work.h"

#define BLOCKS 4

int main(int argc, char **argv)
{
    int procnum, numprocs;
    int iterations = 7; // PEVPM Param iterations = 7
    int size = 6000; // PEVPM Param size = 6000
    double work = 0.24; // PEVPM Param work = 0.24

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &procnum);
    MPI_Comm_size(MPI_COMM_WORLD, &numprocs);
    work_arguments(argc, argv, &iterations, &size, &work);
    char *edge = work_buffer(size);
    // PEVPM Set left = procnum > 0 ? procnum-1 : MPI_PROC_NULL
    int left = procnum > 0 ? procnum-1 : MPI_PROC_NULL;
    // PEVPM Set right = procnum < numprocs-1 ? procnum+1 : MPI_PROC_NULL
    int right = procnum < numprocs-1 ? procnum+1 : MPI_PROC_NULL;
    double start = work_begin();

    // PEVPM Loop iterations = iterations
    // PEVPM {
    for (int i = 0; i < iterations; i++) {
        // PEVPM Loop iterations = BLOCKS
        // PEVPM {
        for (int block = 0; block < BLOCKS; block++) {
            // PEVPM Message type = MPI_Recv & size = size & from = left
            MPI_Recv(edge, size, MPI_CHAR, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            // PEVPM Serial time = work/numprocs/(2*BLOCKS)
            work_compute(work/numprocs/(2*BLOCKS));
            // PEVPM Message type = MPI_Send & size = size & to = right
            MPI_Send(edge, size, MPI_CHAR, right, 0, MPI_COMM_WORLD);
        }
        // PEVPM }
        // PEVPM Loop iterations = BLOCKS
        // PEVPM {
        for (int block = 0; block < BLOCKS; block++) {
            // PEVPM Message type = MPI_Recv & size = size & from = right
            MPI_Recv(edge, size, MPI_CHAR, right, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            // PEVPM Serial time = work/numprocs/(2*BLOCKS)
            work_compute(work/numprocs/(2*BLOCKS));
            // PEVPM Message type = MPI_Send & size = size & to = left
            MPI_Send(edge, size, MPI_CHAR, left, 0, MPI_COMM_WORLD);
        }
        // PEVPM }
    }
    // PEVPM }

    work_end(start);
    free(edge);
    MPI_Finalize();
    return 0;
}
