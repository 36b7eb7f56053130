/* gather.c - results come together: each process works, then sends its part of `size` bytes to process 0, which takes
 * them in the order of the ranks and answers all with a small message. On many processes the parts meet at the port of
 * process 0. */
#include "../programs/work.h"

#define ANSWER 64 /* bytes */

int main(int argc, char **argv)
{
    int procnum, numprocs;
    int iterations = 9; // PEVPM Param iterations = 9
    int size = 2000; // PEVPM Param size = 2000
    double work = 0.3; // PEVPM Param work = 0.3

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &procnum);
    MPI_Comm_size(MPI_COMM_WORLD, &numprocs);
    work_arguments(argc, argv, &iterations, &size, &work);
    char *part = work_buffer(size), answer[ANSWER] = {0};
    double start = work_begin();

    // PEVPM Loop iterations = iterations
    // PEVPM {
    for (int i = 0; i < iterations; i++) {
        // PEVPM Serial time = work/numprocs
        work_compute(work/numprocs);
        // PEVPM Runon c1 = procnum == 0 & else
        // PEVPM {
        if (procnum == 0) {
            // PEVPM Loop iterations = numprocs-1 & var = other & from = 1
            // PEVPM {
            for (int other = 1; other < numprocs; other++) {
                // PEVPM Message type = MPI_Recv & size = size & from = other
                MPI_Recv(part, size, MPI_CHAR, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            }
            // PEVPM }
            // PEVPM Loop iterations = numprocs-1 & var = other & from = 1
            // PEVPM {
            for (int other = 1; other < numprocs; other++) {
                // PEVPM Message type = MPI_Send & size = ANSWER & to = other
                MPI_Send(answer, ANSWER, MPI_CHAR, other, 0, MPI_COMM_WORLD);
            }
            // PEVPM }
        }
        // PEVPM }
        // PEVPM {
        else {
            // PEVPM Message type = MPI_Send & size = size & to = 0
            MPI_Send(part, size, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
            // PEVPM Message type = MPI_Recv & size = ANSWER & from = 0
            MPI_Recv(answer, ANSWER, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        // PEVPM }
    }
    // PEVPM }

    work_end(start);
    free(part);
    MPI_Finalize();
    return 0;
}
