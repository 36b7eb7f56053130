/* stencil.c - a five-point stencil on px x py processes: halos of `size` bytes travel while the interior is computed.
 * The number of processes is a power of two. */
#include "work.h"

int main(int argc, char **argv)
{
    int procnum, numprocs;
    int iterations = 200; // PEVPM Param iterations = 200
    int size = 4096; // PEVPM Param size = 4096
    double work = 0.08; // PEVPM Param work = 0.08

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &procnum);
    MPI_Comm_size(MPI_COMM_WORLD, &numprocs);
    work_arguments(argc, argv, &iterations, &size, &work);
    char *edge = work_buffer(size), *halo[4];
    for (int side = 0; side < 4; side++)
        halo[side] = work_buffer(size);

    // PEVPM Set px = numprocs <= 2 ? numprocs : numprocs <= 8 ? numprocs/2 : numprocs/4
    int px = numprocs <= 2 ? numprocs : numprocs <= 8 ? numprocs/2 : numprocs/4;
    int west = procnum%px > 0 ? procnum-1 : MPI_PROC_NULL;
    int east = procnum%px < px-1 ? procnum+1 : MPI_PROC_NULL;
    int north = procnum >= px ? procnum-px : MPI_PROC_NULL;
    int south = procnum < numprocs-px ? procnum+px : MPI_PROC_NULL;
    MPI_Request request[8];
    double start = work_begin();

    // PEVPM Loop iterations = iterations
    // PEVPM {
    for (int i = 0; i < iterations; i++) {
        // PEVPM Message type = MPI_Irecv & size = size & from = procnum%px > 0 ? procnum-1 : MPI_PROC_NULL
        MPI_Irecv(halo[0], size, MPI_CHAR, west, 0, MPI_COMM_WORLD, &request[0]);
        // PEVPM Message type = MPI_Irecv & size = size & from = procnum%px < px-1 ? procnum+1 : MPI_PROC_NULL
        MPI_Irecv(halo[1], size, MPI_CHAR, east, 0, MPI_COMM_WORLD, &request[1]);
        // PEVPM Message type = MPI_Irecv & size = size & from = procnum >= px ? procnum-px : MPI_PROC_NULL
        MPI_Irecv(halo[2], size, MPI_CHAR, north, 0, MPI_COMM_WORLD, &request[2]);
        // PEVPM Message type = MPI_Irecv & size = size & from = procnum < numprocs-px ? procnum+px : MPI_PROC_NULL
        MPI_Irecv(halo[3], size, MPI_CHAR, south, 0, MPI_COMM_WORLD, &request[3]);
        // PEVPM Message type = MPI_Isend & size = size & to = procnum%px > 0 ? procnum-1 : MPI_PROC_NULL
        MPI_Isend(edge, size, MPI_CHAR, west, 0, MPI_COMM_WORLD, &request[4]);
        // PEVPM Message type = MPI_Isend & size = size & to = procnum%px < px-1 ? procnum+1 : MPI_PROC_NULL
        MPI_Isend(edge, size, MPI_CHAR, east, 0, MPI_COMM_WORLD, &request[5]);
        // PEVPM Message type = MPI_Isend & size = size & to = procnum >= px ? procnum-px : MPI_PROC_NULL
        MPI_Isend(edge, size, MPI_CHAR, north, 0, MPI_COMM_WORLD, &request[6]);
        // PEVPM Message type = MPI_Isend & size = size & to = procnum < numprocs-px ? procnum+px : MPI_PROC_NULL
        MPI_Isend(edge, size, MPI_CHAR, south, 0, MPI_COMM_WORLD, &request[7]);
        // PEVPM Serial time = work/numprocs
        work_compute(work/numprocs);
        // PEVPM Message type = MPI_Waitall
        MPI_Waitall(8, request, MPI_STATUSES_IGNORE);
    }
    // PEVPM }

    work_end(start);
    free(edge);
    for (int side = 0; side < 4; side++)
        free(halo[side]);
    MPI_Finalize();
    return 0;
}
