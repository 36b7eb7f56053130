/* steered.c - a simulation that one process steers: in each step it broadcasts `size` bytes of parameters, all work, it
 * gathers the results and computes a little for the next step. */
#include "../programs/work.h"

#define RESULT 1024 /* bytes */

int main(int argc, char **argv)
{
    int procnum, numprocs;
    int iterations = 20; // PEVPM Param iterations = 20
    int size = 4096; // PEVPM Param size = 4096
    double work = 0.13; // PEVPM Param work = 0.13

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &procnum);
    MPI_Comm_size(MPI_COMM_WORLD, &numprocs);
    work_arguments(argc, argv, &iterations, &size, &work);
    char *parameters = work_buffer(size), *results = work_buffer(RESULT*numprocs), result[RESULT] = {0};
    double start = work_begin();

    // PEVPM Loop iterations = iterations
    // PEVPM {
    for (int i = 0; i < iterations; i++) {
        // PEVPM Collective type = MPI_Bcast & size = size & root = 0
        MPI_Bcast(parameters, size, MPI_CHAR, 0, MPI_COMM_WORLD);
        // PEVPM Serial time = work/numprocs
        work_compute(work/numprocs);
        // PEVPM Collective type = MPI_Gather & size = RESULT & root = 0
        MPI_Gather(result, RESULT, MPI_CHAR, results, RESULT, MPI_CHAR, 0, MPI_COMM_WORLD);
        // PEVPM Runon c1 = procnum == 0
        // PEVPM {
        if (procnum == 0) {
            // PEVPM Serial time = 0.02*work
            work_compute(0.02*work);
        }
        // PEVPM }
    }
    // PEVPM }

    work_end(start);
    free(parameters);
    free(results);
    MPI_Finalize();
    return 0;
}
