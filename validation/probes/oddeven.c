/* oddeven.c - the odd-even transposition sort: in a phase each process exchanges all its keys, `size` bytes, with one
 * neighbour, in the next with the other, and merges. Above the eager limit these are rendezvous. */
#include "../programs/work.h"

int main(int argc, char **argv)
{
    int procnum, numprocs;
    int iterations = 6; // PEVPM Param iterations = 6
    int size = 98304; // PEVPM Param size = 98304
    double work = 0.45; // PEVPM Param work = 0.45

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &procnum);
    MPI_Comm_size(MPI_COMM_WORLD, &numprocs);
    work_arguments(argc, argv, &iterations, &size, &work);
    char *mine = work_buffer(size), *theirs = work_buffer(size);
    double start = work_begin();

    // PEVPM Loop iterations = iterations & var = phase
    // PEVPM {
    for (int phase = 0; phase < iterations; phase++) {
        // PEVPM Set other = (procnum+phase)%2 == 0 ? procnum+1 : procnum-1
        int other = (procnum+phase)%2 == 0 ? procnum+1 : procnum-1;
        // PEVPM Set partner = other >= 0 && other < numprocs ? other : MPI_PROC_NULL
        int partner = other >= 0 && other < numprocs ? other : MPI_PROC_NULL;
        // PEVPM Message type = MPI_Sendrecv & size = size & to = partner & from = partner
        MPI_Sendrecv(mine, size, MPI_CHAR, partner, 0, theirs, size, MPI_CHAR, partner, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
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
