/* jacobi.c - the exchange of Figure 5 in Grove and Coddington (2005): strips of rows, blocking sends and receives, odd
 * processes receive first. `size` is a halo row. The number of processes must be even. */
#include "work.h"

int main(int argc, char **argv)
{
    int procnum, numprocs;
    int iterations = 400; // PEVPM Param iterations = 400
    int size = 1024; // PEVPM Param size = 1024
    double work = 0.016; // PEVPM Param work = 0.016

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &procnum);
    MPI_Comm_size(MPI_COMM_WORLD, &numprocs);
    work_arguments(argc, argv, &iterations, &size, &work);
    char *row = work_buffer(size), *halo = work_buffer(size);
    double start = work_begin();

    // PEVPM Loop iterations = iterations
    // PEVPM {
    for (int i = 0; i < iterations; i++) {
        // PEVPM Runon c1 = procnum%2 == 0 & else
        // PEVPM {
        if (procnum%2 == 0) {
            // PEVPM Message type = MPI_Send & size = size & to = procnum > 0 ? procnum-1 : MPI_PROC_NULL
            MPI_Send(row, size, MPI_CHAR, procnum > 0 ? procnum-1 : MPI_PROC_NULL, 0, MPI_COMM_WORLD);
            // PEVPM Message type = MPI_Send & size = size & to = procnum+1
            MPI_Send(row, size, MPI_CHAR, procnum+1, 0, MPI_COMM_WORLD);
            // PEVPM Message type = MPI_Recv & size = size & from = procnum+1
            MPI_Recv(halo, size, MPI_CHAR, procnum+1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            // PEVPM Message type = MPI_Recv & size = size & from = procnum > 0 ? procnum-1 : MPI_PROC_NULL
            MPI_Recv(halo, size, MPI_CHAR, procnum > 0 ? procnum-1 : MPI_PROC_NULL, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        // PEVPM }
        // PEVPM {
        else {
            int right = procnum < numprocs-1 ? procnum+1 : MPI_PROC_NULL;
            // PEVPM Message type = MPI_Recv & size = size & from = procnum < numprocs-1 ? procnum+1 : MPI_PROC_NULL
            MPI_Recv(halo, size, MPI_CHAR, right, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            // PEVPM Message type = MPI_Recv & size = size & from = procnum-1
            MPI_Recv(halo, size, MPI_CHAR, procnum-1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            // PEVPM Message type = MPI_Send & size = size & to = procnum-1
            MPI_Send(row, size, MPI_CHAR, procnum-1, 0, MPI_COMM_WORLD);
            // PEVPM Message type = MPI_Send & size = size & to = procnum < numprocs-1 ? procnum+1 : MPI_PROC_NULL
            MPI_Send(row, size, MPI_CHAR, right, 0, MPI_COMM_WORLD);
        }
        // PEVPM }
        // PEVPM Serial time = work/numprocs
        work_compute(work/numprocs);
    }
    // PEVPM }

    work_end(start);
    free(row);
    free(halo);
    MPI_Finalize();
    return 0;
}
