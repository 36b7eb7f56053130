/* ring.c - a ring shift: every process works on `size` bytes, hands them to its right neighbour and takes those of its
 * left one. */
#include "work.h"

int main(int argc, char **argv)
{
    int procnum, numprocs;
    int iterations = 200; // PEVPM Param iterations = 200
    int size = 8192; // PEVPM Param size = 8192
    double work = 0.08; // PEVPM Param work = 0.08

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &procnum);
    MPI_Comm_size(MPI_COMM_WORLD, &numprocs);
    work_arguments(argc, argv, &iterations, &size, &work);
    char *mine = work_buffer(size), *theirs = work_buffer(size);
    double start = work_begin();

    // PEVPM Loop iterations = iterations
    // PEVPM {
    for (int i = 0; i < iterations; i++) {
        // PEVPM Serial time = work/numprocs
        work_compute(work/numprocs);
        // PEVPM Message type = MPI_Sendrecv & size = size & to = (procnum+1)%numprocs & from = (procnum+numprocs-1)%numprocs
        MPI_Sendrecv(mine, size, MPI_CHAR, (procnum+1)%numprocs, 0, theirs, size, MPI_CHAR, (procnum+numprocs-1)%numprocs, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    // PEVPM }

    work_end(start);
    free(mine);
    free(theirs);
    MPI_Finalize();
    return 0;
}
