/* matrix.c - the product of two matrices by rows: each process keeps its rows of A and of the result, while the blocks
 * of B, `size` bytes in all, go round the circle until they are home again. `work` is that of a whole product. */
#include "../programs/work.h"

int main(int argc, char **argv)
{
    int procnum, numprocs;
    int iterations = 5; // PEVPM Param iterations = 5
    int size = 73728; // PEVPM Param size = 73728
    double work = 0.45; // PEVPM Param work = 0.45

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &procnum);
    MPI_Comm_size(MPI_COMM_WORLD, &numprocs);
    work_arguments(argc, argv, &iterations, &size, &work);
    // PEVPM Set bytes = size/numprocs
    int bytes = size/numprocs;
    char *block = work_buffer(bytes);
    // PEVPM Set left = (procnum+numprocs-1)%numprocs
    int left = (procnum+numprocs-1)%numprocs;
    // PEVPM Set right = (procnum+1)%numprocs
    int right = (procnum+1)%numprocs;
    double start = work_begin();

    // PEVPM Loop iterations = iterations
    // PEVPM {
    for (int i = 0; i < iterations; i++) {
        // PEVPM Loop iterations = numprocs
        // PEVPM {
        for (int step = 0; step < numprocs; step++) {
            // PEVPM Serial time = work/numprocs/numprocs
            work_compute(work/numprocs/numprocs);
            // PEVPM Message type = MPI_Sendrecv & size = bytes & to = left & from = right
            MPI_Sendrecv_replace(block, bytes, MPI_CHAR, left, 0, right, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        // PEVPM }
    }
    // PEVPM }

    work_end(start);
    free(block);
    MPI_Finalize();
    return 0;
}
