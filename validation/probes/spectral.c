/* spectral.c - a spectral method on strips of a plane: work along the rows, a transposition, work along the columns,
 * and back again. To all processes together, itself included, a process has `size` bytes to send each time. */
#include "../programs/work.h"

int main(int argc, char **argv)
{
    int procnum, numprocs;
    int iterations = 10; // PEVPM Param iterations = 10
    int size = 16384; // PEVPM Param size = 16384
    double work = 0.3; // PEVPM Param work = 0.3

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &procnum);
    MPI_Comm_size(MPI_COMM_WORLD, &numprocs);
    work_arguments(argc, argv, &iterations, &size, &work);
    // PEVPM Set block = size/numprocs
    int block = size/numprocs;
    char *rows = work_buffer(size), *columns = work_buffer(size);
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
        // PEVPM Collective type = MPI_Alltoall & size = block
        MPI_Alltoall(columns, block, MPI_CHAR, rows, block, MPI_CHAR, MPI_COMM_WORLD);
    }
    // PEVPM }

    work_end(start);
    free(rows);
    free(columns);
    MPI_Finalize();
    return 0;
}
