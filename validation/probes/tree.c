/* tree.c - a model of `size` bytes goes from process 0 down a binomial tree, all work, and an eighth as much comes up
 * the same tree, with a little work at each joint. The number of processes is a power of two. */
#include "../programs/work.h"

int main(int argc, char **argv)
{
    int procnum, numprocs;
    int iterations = 8; // PEVPM Param iterations = 8
    int size = 8192; // PEVPM Param size = 8192
    double work = 0.35; // PEVPM Param work = 0.35

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &procnum);
    MPI_Comm_size(MPI_COMM_WORLD, &numprocs);
    work_arguments(argc, argv, &iterations, &size, &work);
    char *model = work_buffer(size), *sum = work_buffer(size/8);
    double start = work_begin();

    // PEVPM Loop iterations = iterations
    // PEVPM {
    for (int i = 0; i < iterations; i++) {
        /* Down: who has the model hands it to the one `bit` away, the farthest first. */
        // PEVPM Set bit = numprocs/2
        int bit = numprocs/2;
        // PEVPM Loop while = bit > 0
        // PEVPM {
        while (bit > 0) {
            // PEVPM Runon c1 = procnum%(2*bit) == 0 & c2 = procnum%(2*bit) == bit
            // PEVPM {
            if (procnum%(2*bit) == 0) {
                // PEVPM Message type = MPI_Send & size = size & to = procnum+bit
                MPI_Send(model, size, MPI_CHAR, procnum+bit, 0, MPI_COMM_WORLD);
            }
            // PEVPM }
            // PEVPM {
            else if (procnum%(2*bit) == bit) {
                // PEVPM Message type = MPI_Recv & size = size & from = procnum-bit
                MPI_Recv(model, size, MPI_CHAR, procnum-bit, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            }
            // PEVPM }
            // PEVPM Set bit = bit/2
            bit = bit/2;
        }
        // PEVPM }

        // PEVPM Serial time = work/numprocs
        work_compute(work/numprocs);

        /* Up: the nearest first. */
        // PEVPM Set bit = 1
        bit = 1;
        // PEVPM Loop while = bit < numprocs
        // PEVPM {
        while (bit < numprocs) {
            // PEVPM Runon c1 = procnum%(2*bit) == 0 & c2 = procnum%(2*bit) == bit
            // PEVPM {
            if (procnum%(2*bit) == 0) {
                // PEVPM Message type = MPI_Recv & size = size/8 & from = procnum+bit
                MPI_Recv(sum, size/8, MPI_CHAR, procnum+bit, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                // PEVPM Serial time = 0.001*work
                work_compute(0.001*work);
            }
            // PEVPM }
            // PEVPM {
            else if (procnum%(2*bit) == bit) {
                // PEVPM Message type = MPI_Send & size = size/8 & to = procnum-bit
                MPI_Send(sum, size/8, MPI_CHAR, procnum-bit, 0, MPI_COMM_WORLD);
            }
            // PEVPM }
            // PEVPM Set bit = 2*bit
            bit = 2*bit;
        }
        // PEVPM }
    }
    // PEVPM }

    work_end(start);
    free(model);
    free(sum);
    MPI_Finalize();
    return 0;
}
