/* conjugate.c - conjugate gradients on strips of a plane: a halo of `size` bytes from each neighbour, the product of
 * matrix and vector, and two scalar products over all processes with the updates of the vectors between them. */
#include "../programs/work.h"

int main(int argc, char **argv)
{
    int procnum, numprocs;
    int iterations = 25; // PEVPM Param iterations = 25
    int size = 4800; // PEVPM Param size = 4800
    double work = 0.12; // PEVPM Param work = 0.12

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &procnum);
    MPI_Comm_size(MPI_COMM_WORLD, &numprocs);
    work_arguments(argc, argv, &iterations, &size, &work);
    char *edge = work_buffer(size), *halo[2] = {work_buffer(size), work_buffer(size)};
    double mine = 0, sum;
    // PEVPM Set left = procnum > 0 ? procnum-1 : MPI_PROC_NULL
    int left = procnum > 0 ? procnum-1 : MPI_PROC_NULL;
    // PEVPM Set right = procnum < numprocs-1 ? procnum+1 : MPI_PROC_NULL
    int right = procnum < numprocs-1 ? procnum+1 : MPI_PROC_NULL;
    MPI_Request request[4];
    double start = work_begin();

    // PEVPM Loop iterations = iterations
    // PEVPM {
    for (int i = 0; i < iterations; i++) {
        // PEVPM Message type = MPI_Irecv & size = size & from = left
        MPI_Irecv(halo[0], size, MPI_CHAR, left, 0, MPI_COMM_WORLD, &request[0]);
        // PEVPM Message type = MPI_Irecv & size = size & from = right
        MPI_Irecv(halo[1], size, MPI_CHAR, right, 0, MPI_COMM_WORLD, &request[1]);
        // PEVPM Message type = MPI_Isend & size = size & to = left
        MPI_Isend(edge, size, MPI_CHAR, left, 0, MPI_COMM_WORLD, &request[2]);
        // PEVPM Message type = MPI_Isend & size = size & to = right
        MPI_Isend(edge, size, MPI_CHAR, right, 0, MPI_COMM_WORLD, &request[3]);
        // PEVPM Message type = MPI_Waitall
        MPI_Waitall(4, request, MPI_STATUSES_IGNORE);
        // PEVPM Serial time = 0.6*work/numprocs
        work_compute(0.6*work/numprocs);
        // PEVPM Collective type = MPI_Allreduce & size = sizeof(double)
        MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        // PEVPM Serial time = 0.3*work/numprocs
        work_compute(0.3*work/numprocs);
        // PEVPM Collective type = MPI_Allreduce & size = sizeof(double)
        MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        // PEVPM Serial time = 0.1*work/numprocs
        work_compute(0.1*work/numprocs);
    }
    // PEVPM }

    work_end(start);
    free(edge);
    free(halo[0]);
    free(halo[1]);
    MPI_Finalize();
    return 0;
}
