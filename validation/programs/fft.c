/* fft.c - two-dimensional Fourier transforms: each process works on its rows, all transpose with MPI_Alltoall, each
 * works on its new rows. `size` is the whole matrix, so a block for one process is size/numprocs/numprocs bytes. */
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
        // PEVPM Collective type = MPI_Alltoall & size = block
        MPI_Alltoall(rows, block, MPI_CHAR, columns, block, MPI_CHAR, MPI_COMM_WORLD);
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
