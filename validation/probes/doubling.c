/* doubling.c - all gather by recursive doubling: in each step a process exchanges all it has, `size` bytes at first,
 * twice as much each time. `work` is that of a process, a tenth more for each third one, and the most of the time. The
 * number of processes is a power of two. */
#include "../programs/work.h"

int main(int argc, char **argv)
{
    int procnum, numprocs;
    int iterations = 45; // PEVPM Param iterations = 45
    int size = 64; // PEVPM Param size = 64
    double work = 0.02; // PEVPM Param work = 0.02

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &procnum);
    MPI_Comm_size(MPI_COMM_WORLD, &numprocs);
    work_arguments(argc, argv, &iterations, &size, &work);
    char *mine = work_buffer(size*numprocs), *theirs = work_buffer(size*numprocs);
    // PEVPM Set load = procnum%3 == 0 ? 1.1 : 1.0
    double load = procnum%3 == 0 ? 1.1 : 1.0;
    double start = work_begin();

    // PEVPM Loop iterations = iterations
    // PEVPM {
    for (int i = 0; i < iterations; i++) {
        // PEVPM Serial time = load*work
        work_compute(load*work);
        // PEVPM Set bit = 1
        int bit = 1;
        // PEVPM Loop while = bit < numprocs
        // PEVPM {
        while (bit < numprocs) {
            // PEVPM Set partner = procnum/bit%2 == 0 ? procnum+bit : procnum-bit
            int partner = procnum/bit%2 == 0 ? procnum+bit : procnum-bit;
            // PEVPM Message type = MPI_Sendrecv & size = bit*size & to = partner & from = partner
            MPI_Sendrecv(mine, bit*size, MPI_CHAR, partner, 0, theirs, bit*size, MPI_CHAR, partner, 0, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
            // PEVPM Set bit = 2*bit
            bit = 2*bit;
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
