#include "inc/sizes.h"

int main(int argc, char *argv[])
{
    // PEVPM Set left = procnum > 0 ? procnum-1 : MPI_PROC_NULL
    // PEVPM Param cells = N*N
    // PEVPM Loop iterations = STEPS
    // PEVPM {
    for (int step = 0; step < STEPS; step++) {
        // PEVPM Procedure advance
        // PEVPM {
        // PEVPM Serial time = measured(advance, cells)
        // PEVPM }
        // PEVPM Call advance
        advance(grid);
        // PEVPM Call exchange(left, 8*N)
        exchange(grid, left);
    // PEVPM }
    }
}
