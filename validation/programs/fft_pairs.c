/* fft_pairs.c - as fft.c, with a transpose of its own: in step s process p sends its block to p+s and takes one from
 * p-s. */
#include "work.h"

int main(int argc, char **argv)
{
    int procnum, numprocs;
    int iterations = 12; // PEVPM Param iterations = 12
    int size = 262144; // PEVPM Param size = 262144
    double work = 0.2; // PEVPM Param work = 0.2

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &procnum);
    MPI_Comm_size(MPI_COMM_WORLD, &numprocs);
    work_arguments(argc, argv, &iterations, &size, &work);
    // PEVPM Set block = size/numprocs/numprocs
    int block = size/numprocs/numprocs;
    char *rows = work_buffer(block*numprocs), *columns = work_buffer(block*numprocs);
    double start = work_begin();

    // PEVPM Loop iterations = iterations
    // PEVPM {
    for (int i = 0; i < iterations; i++) {
        // PEVPM Serial time = 0.5*work/numprocs
        work_compute(0.5*work/numprocs);
        memcpy(columns + procnum*block, rows + procnum*block, (size_t)block);
        // PEVPM Loop iterations = numprocs-1 & var = step & from = 1
        // PEVPM {
        for (int step = 1; step < numprocs; step++) {
            int to = (procnum+step)%numprocs, from = (procnum+numprocs-step)%numprocs;
            // PEVPM Message type = MPI_Sendrecv & size = block
            // PEVPM & to = (procnum+step)%numprocs & from = (procnum+numprocs-step)%numprocs
            MPI_Sendrecv(rows + to*block, block, MPI_CHAR, to, 0, columns + from*block, block, MPI_CHAR, from, 0,
                         MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        // PEVPM }
        // PEVPM Serial time = 0.5*work/numprocs
        work_compute(0.5*work/numprocs);
    }
    // PEVPM }

    work_end(start);
    free(rows);
    free(columns);
    MPI_Finalize();
    return 0;
}
