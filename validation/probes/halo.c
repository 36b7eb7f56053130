/* halo.c - strips of a rod that is closed to a circle: a halo of `size` bytes from either neighbour, all four messages
 * under way at once, then the computation. Two processes are each other's left and right neighbour. */
#include "../programs/work.h"

int main(int argc, char **argv)
{
    int procnum, numprocs;
    int iterations = 20; // PEVPM Param iterations = 20
    int size = 6000; // PEVPM Param size = 6000
    double work = 0.12; // PEVPM Param work = 0.12

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &procnum);
    MPI_Comm_size(MPI_COMM_WORLD, &numprocs);
    work_arguments(argc, argv, &iterations, &size, &work);
    char *edge = work_buffer(size), *halo[2] = {work_buffer(size), work_buffer(size)};
    // PEVPM Set left = (procnum+numprocs-1)%numprocs
    int left = (procnum+numprocs-1)%numprocs;
    // PEVPM Set right = (procnum+1)%numprocs
    int right = (procnum+1)%numprocs;
    MPI_Request request[4];
    double start = work_begin();

    // PEVPM Loop iterations = iterations
    // PEVPM {
    for (int i = 0; i < iterations; i++) {
        // PEVPM Message type = MPI_Irecv & size = size & from = left & tag = 1
        MPI_Irecv(halo[0], size, MPI_CHAR, left, 1, MPI_COMM_WORLD, &request[0]);
        // PEVPM Message type = MPI_Irecv & size = size & from = right & tag = 2
        MPI_Irecv(halo[1], size, MPI_CHAR, right, 2, MPI_COMM_WORLD, &request[1]);
        // PEVPM Message type = MPI_Isend & size = size & to = right & tag = 1
        MPI_Isend(edge, size, MPI_CHAR, right, 1, MPI_COMM_WORLD, &request[2]);
        // PEVPM Message type = MPI_Isend & size = size & to = left & tag = 2
        MPI_Isend(edge, size, MPI_CHAR, left, 2, MPI_COMM_WORLD, &request[3]);
        // PEVPM Message type = MPI_Waitall
        MPI_Waitall(4, request, MPI_STATUSES_IGNORE);
        // PEVPM Serial time = work/numprocs
        work_compute(work/numprocs);
    }
    // PEVPM }

    work_end(start);
    free(edge);
    free(halo[0]);
    free(halo[1]);
    MPI_Finalize();
    return 0;
}
