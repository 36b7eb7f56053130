/* train.c - columns one by one: each process sends WAGONS messages of `size` bytes in a row to one that is nearly half
 * the circle away, and takes as many from the other side. */
#include "../programs/work.h"

#define WAGONS 6

int main(int argc, char **argv)
{
    int procnum, numprocs;
    int iterations = 12; // PEVPM Param iterations = 12
    int size = 4096; // PEVPM Param size = 4096
    double work = 0.22; // PEVPM Param work = 0.22

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &procnum);
    MPI_Comm_size(MPI_COMM_WORLD, &numprocs);
    work_arguments(argc, argv, &iterations, &size, &work);
    char *mine = work_buffer(size), *theirs = work_buffer(size);
    // PEVPM Set distance = numprocs > 2 ? numprocs/2-1 : 1
    int distance = numprocs > 2 ? numprocs/2-1 : 1;
    int to = (procnum+distance)%numprocs;
    int from = (procnum+numprocs-distance)%numprocs;
    double start = work_begin();

    // PEVPM Loop iterations = iterations
    // PEVPM {
    for (int i = 0; i < iterations; i++) {
        // PEVPM Loop iterations = WAGONS & var = wagon
        // PEVPM {
        for (int wagon = 0; wagon < WAGONS; wagon++) {
            // PEVPM Message type = MPI_Send & size = size & to = (procnum+distance)%numprocs & tag = wagon
            MPI_Send(mine, size, MPI_CHAR, to, wagon, MPI_COMM_WORLD);
        }
        // PEVPM }
        // PEVPM Loop iterations = WAGONS & var = wagon
        // PEVPM {
        for (int wagon = 0; wagon < WAGONS; wagon++) {
            // PEVPM Message type = MPI_Recv & size = size & from = (procnum+numprocs-distance)%numprocs & tag = wagon
            MPI_Recv(theirs, size, MPI_CHAR, from, wagon, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        // PEVPM }
        // PEVPM Serial time = work/numprocs
        work_compute(work/numprocs);
    }
    // PEVPM }

    work_end(start);
    free(mine);
    free(theirs);
    MPI_Finalize();
    return 0;
}
