/* plate.c - heat in a plate that is cut in both directions: halos from four neighbours, shifted in one direction after
 * the other, and every fourth step the largest change. The plate's edges have `width` and `height` bytes; there are as
 * many rows of processes as columns, or twice as many. The number of processes is a power of two. */
#include "../programs/work.h"

int main(int argc, char **argv)
{
    int procnum, numprocs;
    int iterations = 14; // PEVPM Param iterations = 14
    int width = 16000; // PEVPM Param width = 16000
    int height = 24000; // PEVPM Param height = 24000
    double work = 0.22; // PEVPM Param work = 0.22
    const struct work_parameter parameter[] = {
        {"iterations", &iterations, NULL},
        {"width", &width, NULL},
        {"height", &height, NULL},
        {"work", NULL, &work},
    };

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &procnum);
    MPI_Comm_size(MPI_COMM_WORLD, &numprocs);
    work_parameters(argc, argv, 4, parameter);
    // PEVPM Set columns = 1
    int columns = 1;
    // PEVPM Loop while = 4*columns*columns <= numprocs
    // PEVPM {
    while (4*columns*columns <= numprocs) {
        // PEVPM Set columns = 2*columns
        columns = 2*columns;
    }
    // PEVPM }
    // PEVPM Set rows = numprocs/columns
    int rows = numprocs/columns;
    // PEVPM Set west = procnum%columns > 0 ? procnum-1 : MPI_PROC_NULL
    int west = procnum%columns > 0 ? procnum-1 : MPI_PROC_NULL;
    // PEVPM Set east = procnum%columns < columns-1 ? procnum+1 : MPI_PROC_NULL
    int east = procnum%columns < columns-1 ? procnum+1 : MPI_PROC_NULL;
    // PEVPM Set north = procnum/columns > 0 ? procnum-columns : MPI_PROC_NULL
    int north = procnum/columns > 0 ? procnum-columns : MPI_PROC_NULL;
    // PEVPM Set south = procnum/columns < rows-1 ? procnum+columns : MPI_PROC_NULL
    int south = procnum/columns < rows-1 ? procnum+columns : MPI_PROC_NULL;
    // PEVPM Set side = height/rows
    int side = height/rows;
    // PEVPM Set top = width/columns
    int top = width/columns;
    char *edge = work_buffer(side+top), *halo = work_buffer(side+top);
    double change = 0, largest;
    double start = work_begin();

    // PEVPM Loop iterations = iterations & var = i
    // PEVPM {
    for (int i = 0; i < iterations; i++) {
        // PEVPM Message type = MPI_Sendrecv & size = side & to = west & from = east
        MPI_Sendrecv(edge, side, MPI_CHAR, west, 0, halo, side, MPI_CHAR, east, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        // PEVPM Message type = MPI_Sendrecv & size = side & to = east & from = west
        MPI_Sendrecv(edge, side, MPI_CHAR, east, 0, halo, side, MPI_CHAR, west, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        // PEVPM Message type = MPI_Sendrecv & size = top & to = north & from = south
        MPI_Sendrecv(edge, top, MPI_CHAR, north, 0, halo, top, MPI_CHAR, south, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        // PEVPM Message type = MPI_Sendrecv & size = top & to = south & from = north
        MPI_Sendrecv(edge, top, MPI_CHAR, south, 0, halo, top, MPI_CHAR, north, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        // PEVPM Serial time = work/numprocs
        work_compute(work/numprocs);
        // PEVPM Runon c1 = i%4 == 3
        // PEVPM {
        if (i%4 == 3) {
            // PEVPM Collective type = MPI_Allreduce & size = sizeof(double)
            MPI_Allreduce(&change, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        }
        // PEVPM }
    }
    // PEVPM }

    work_end(start);
    free(edge);
    free(halo);
    MPI_Finalize();
    return 0;
}
