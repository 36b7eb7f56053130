/* butterfly.c - large exchanges between pairs, as a transpose or an FFT makes them: in step s process p exchanges
 * `size` bytes with the one whose number differs in bit s. Above the eager limit these are rendezvous. The number of
 * processes is a power of two. */
#include "work.h"

int main(int argc, char **argv)
{
    int procnum, numprocs;
    int iterations = 4; // PEVPM Param iterations = 4
    int size = 131072; // PEVPM Param size = 131072
    double work = 0.8; // PEVPM Param work = 0.8

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &procnum);
    MPI_Comm_size(MPI_COMM_WORLD, &numprocs);
    work_arguments(argc, argv, &iterations, &size, &work);
    char *mine = work_buffer(size), *theirs = work_buffer(size);
    MPI_Request request[2];
    double start = work_begin();

    // PEVPM Loop iterations = iterations
    // PEVPM {
    for (int i = 0; i < iterations; i++) {
        // PEVPM Loop iterations = ilog2(numprocs) & var = step
        // PEVPM {
        for (int bit = 1; bit < numprocs; bit *= 2) {
            // PEVPM Serial time = work/numprocs
            work_compute(work/numprocs);
            // PEVPM Set bit = step == 0 ? 1 : 2*bit
            // PEVPM Set partner = procnum/bit%2 == 0 ? procnum+bit : procnum-bit
            int partner = procnum/bit%2 == 0 ? procnum+bit : procnum-bit;
            // PEVPM Message type = MPI_Irecv & size = size & from = partner
            MPI_Irecv(theirs, size, MPI_CHAR, partner, 0, MPI_COMM_WORLD, &request[0]);
            // PEVPM Message type = MPI_Isend & size = size & to = partner
            MPI_Isend(mine, size, MPI_CHAR, partner, 0, MPI_COMM_WORLD, &request[1]);
            // PEVPM Message type = MPI_Waitall
            MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
        }
        // PEVPM }
    }
    // PEVPM }

    work_end(start);
    free(mine);
    free(theirs);
    MPI_Finalize();
    return 0;
}
