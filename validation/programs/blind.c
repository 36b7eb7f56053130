/* blind.c - the steps of a conjugate gradient solver on a rod: a halo of `size` bytes from either neighbour, a product
 * with the matrix, and two sums over all processes. Written before anything was predicted of it; its
 * parameters in validation/cases have changed since. */
#include "work.h"

int main(int argc, char **argv)
{
    int procnum, numprocs;
    int iterations = 80; // PEVPM Param iterations = 80
    int size = 2048; // PEVPM Param size = 2048
    double work = 0.06; // PEVPM Param work = 0.06

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &procnum);
    MPI_Comm_size(MPI_COMM_WORLD, &numprocs);
    work_arguments(argc, argv, &iterations, &size, &work);
    char *edge = work_buffer(size), *halo = work_buffer(size);
    int left = procnum > 0 ? procnum-1 : MPI_PROC_NULL;
    int right = procnum < numprocs-1 ? procnum+1 : MPI_PROC_NULL;
    double mine = 1, sum;
    double start = work_begin();

    // PEVPM Loop iterations = iterations
    // PEVPM {
    for (int i = 0; i < iterations; i++) {
        // PEVPM Message type = MPI_Sendrecv & size = size & to = procnum < numprocs-1 ? procnum+1 : MPI_PROC_NULL
        // PEVPM & from = procnum > 0 ? procnum-1 : MPI_PROC_NULL
        MPI_Sendrecv(edge, size, MPI_CHAR, right, 0, halo, size, MPI_CHAR, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        // PEVPM Message type = MPI_Sendrecv & size = size & to = procnum > 0 ? procnum-1 : MPI_PROC_NULL
        // PEVPM & from = procnum < numprocs-1 ? procnum+1 : MPI_PROC_NULL
        MPI_Sendrecv(edge, size, MPI_CHAR, left, 0, halo, size, MPI_CHAR, right, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
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
    free(halo);
    MPI_Finalize();
    return 0;
}
