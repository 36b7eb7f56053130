/* shuffle.c - particles that change places: each iteration has a permutation of its own, p sends to (a*p + b) mod
 * numprocs, and `size` bytes once, twice or thrice. a and b are odd, so that nobody sends to himself, and drawn. The
 * number of processes is a power of two, at most 16: then the inverse of a is its cube. */
#include "../programs/work.h"

int main(int argc, char **argv)
{
    int procnum, numprocs;
    int iterations = 15; // PEVPM Param iterations = 15
    int size = 8192; // PEVPM Param size = 8192
    double work = 0.15; // PEVPM Param work = 0.15

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &procnum);
    MPI_Comm_size(MPI_COMM_WORLD, &numprocs);
    work_arguments(argc, argv, &iterations, &size, &work);
    char *mine = work_buffer(3*size), *theirs = work_buffer(3*size);
    MPI_Request request;
    // PEVPM Set drawn = 1
    int drawn = 1;
    double start = work_begin();

    // PEVPM Loop iterations = iterations
    // PEVPM {
    for (int i = 0; i < iterations; i++) {
        // PEVPM Serial time = work/numprocs
        work_compute(work/numprocs);
        // PEVPM Set drawn = (drawn*1093 + 18257)%86436
        drawn = (drawn*1093 + 18257)%86436;
        // PEVPM Set a = 2*(drawn/7%8) + 1
        int a = 2*(drawn/7%8) + 1;
        // PEVPM Set b = 2*(drawn/61%8) + 1
        int b = 2*(drawn/61%8) + 1;
        // PEVPM Set bytes = (1 + drawn/547%3)*size
        int bytes = (1 + drawn/547%3)*size;
        // PEVPM Set to = (a*procnum + b)%numprocs
        int to = (a*procnum + b)%numprocs;
        // PEVPM Set from = a*a*a*(procnum - b + 16)%numprocs
        int from = a*a*a*(procnum - b + 16)%numprocs;
        // PEVPM Message type = MPI_Isend & size = bytes & to = to & request = r
        MPI_Isend(mine, bytes, MPI_CHAR, to, 0, MPI_COMM_WORLD, &request);
        // PEVPM Message type = MPI_Recv & size = bytes & from = from
        MPI_Recv(theirs, bytes, MPI_CHAR, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        // PEVPM Message type = MPI_Wait & request = r
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    // PEVPM }

    work_end(start);
    free(mine);
    free(theirs);
    MPI_Finalize();
    return 0;
}
