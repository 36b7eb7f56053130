/* gathers.c - `operations` times a Gather or (scatter = 1) a Scatter of `size` bytes each, every one after a rest of `rest`
 * seconds. Prints one line for each: bytes and seconds, from the common start until the last process has left. */
#include "work.h"

/* Everybody starts at one moment, which process 0 sets: `rest` and what telling it takes from now. */
static double work_together(double rest)
{
    enum { TELLING = 5 }; /* ms */
    MPI_Barrier(MPI_COMM_WORLD);
    double start = work_now() + rest + 1e-3 * TELLING;
    MPI_Bcast(&start, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    work_sleep_until(start);
    return start;
}

int main(int argc, char **argv)
{
    int procnum, numprocs;
    int operations = 100; // PEVPM Param operations = 100
    int size = 8192; // PEVPM Param size = 8192
    int scatter = 0; // PEVPM Param scatter = 0
    double rest = 0.05; // PEVPM Param rest = 0.05
    const struct work_parameter parameters[] = {{"operations", &operations, NULL}, {"size", &size, NULL},
                                                {"scatter", &scatter, NULL}, {"rest", NULL, &rest}};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &procnum);
    MPI_Comm_size(MPI_COMM_WORLD, &numprocs);
    work_parameters(argc, argv, 4, parameters);
    char *all = work_buffer(size * numprocs), *mine = work_buffer(size);
    work_begin(); /* connects all */

    // PEVPM Loop iterations = operations
    // PEVPM {
    for (int i = 0; i < operations; i++) {
        // PEVPM Serial time = rest
        double start = work_together(rest), took, last;
        // PEVPM Runon c1 = scatter == 1 & c2 = scatter == 0
        // PEVPM {
        // PEVPM Collective type = MPI_Scatter & root = 0 & size = size
        // PEVPM }
        // PEVPM {
        // PEVPM Collective type = MPI_Gather & root = 0 & size = size
        // PEVPM }
        if (scatter)
            MPI_Scatter(all, size, MPI_CHAR, mine, size, MPI_CHAR, 0, MPI_COMM_WORLD);
        else
            MPI_Gather(mine, size, MPI_CHAR, all, size, MPI_CHAR, 0, MPI_COMM_WORLD);
        took = work_now() - start;
        MPI_Bcast(&start, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD); /* nobody reports before process 0 has all */
        MPI_Reduce(&took, &last, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
        if (procnum == 0)
            printf("%d %.6f\n", size, last);
    }
    // PEVPM }

    free(all);
    free(mine);
    MPI_Finalize();
    return 0;
}
