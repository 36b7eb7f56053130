/* vcycle.c - multigrid for an n x n grid in blocks: `cycles` V-cycles on 4 grids, the coarsest of which everybody gets whole
 * and solves. Halos are a row or a column of the grid of that level. */
#include "cold.h"

#define LEVELS 4

static MPI_Comm grid;
static int north, south, west, east;
static double *out, *in;

/* Rows of nx to the north and south, columns of ny to the west and east. */
static void exchange(int nx, int ny)
{
    // PEVPM Procedure exchange(nx, ny)
    // PEVPM {
    // PEVPM Message type = MPI_Sendrecv & comm = grid & size = 8*nx & to = north & from = south
    MPI_Sendrecv(out, nx, MPI_DOUBLE, north, 0, in, nx, MPI_DOUBLE, south, 0, grid, MPI_STATUS_IGNORE);
    // PEVPM Message type = MPI_Sendrecv & comm = grid & size = 8*nx & to = south & from = north
    MPI_Sendrecv(out, nx, MPI_DOUBLE, south, 0, in, nx, MPI_DOUBLE, north, 0, grid, MPI_STATUS_IGNORE);
    // PEVPM Message type = MPI_Sendrecv & comm = grid & size = 8*ny & to = west & from = east
    MPI_Sendrecv(out, ny, MPI_DOUBLE, west, 0, in, ny, MPI_DOUBLE, east, 0, grid, MPI_STATUS_IGNORE);
    // PEVPM Message type = MPI_Sendrecv & comm = grid & size = 8*ny & to = east & from = west
    MPI_Sendrecv(out, ny, MPI_DOUBLE, east, 0, in, ny, MPI_DOUBLE, west, 0, grid, MPI_STATUS_IGNORE);
    // PEVPM }
}

static void smooth(int nx, int ny, int times)
{
    // PEVPM Procedure smooth(nx, ny, times)
    // PEVPM {
    // PEVPM Loop iterations = times
    // PEVPM {
    for (int i = 0; i < times; i++) {
        // PEVPM Call exchange(nx, ny)
        exchange(nx, ny);
        // PEVPM Serial time = 15*nx*ny ns
        work_compute(15e-9 * nx * ny);
    }
    // PEVPM }
    // PEVPM }
}

int main(int argc, char **argv)
{
    int rank, size;
    int n = 768;    // PEVPM Param n = 768
    int cycles = 8; // PEVPM Param cycles = 8
    const struct work_parameter known[] = {{"n", &n, NULL}, {"cycles", &cycles, NULL}};
    MPI_Init(&argc, &argv);
    work_parameters(argc, argv, 2, known);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int dims[2] = {0, 0};
    const int open[2] = {0, 0};
    MPI_Dims_create(size, 2, dims);
    out = calloc((size_t)n, 8);
    in = calloc((size_t)n, 8);
    double *whole = calloc((size_t)(n * n), 8), *part = calloc((size_t)(n * n), 8);
    double start = cold_begin();

    // PEVPM Set grid = cart_create((dims_create(numprocs, 2, 0), dims_create(numprocs, 2, 1)), (0, 0))
    // PEVPM Message type = MPI_Comm_dup
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, open, 0, &grid);
    // PEVPM Set north = cart_shift(grid, 0, -1)
    // PEVPM Set south = cart_shift(grid, 0, 1)
    MPI_Cart_shift(grid, 0, 1, &north, &south);
    // PEVPM Set west = cart_shift(grid, 1, -1)
    // PEVPM Set east = cart_shift(grid, 1, 1)
    MPI_Cart_shift(grid, 1, 1, &west, &east);
    // PEVPM Set ny0 = n/dims_create(numprocs, 2, 0)
    // PEVPM Set nx0 = n/dims_create(numprocs, 2, 1)
    const int ny0 = n / dims[0], nx0 = n / dims[1];

    // PEVPM Loop iterations = cycles
    // PEVPM {
    for (int cycle = 0; cycle < cycles; cycle++) {
        // PEVPM Loop iterations = LEVELS-1 & var = level
        // PEVPM {
        for (int level = 0; level < LEVELS - 1; level++) {
            // PEVPM Set nx = nx0/pow(2, level)
            // PEVPM Set ny = ny0/pow(2, level)
            const int nx = nx0 >> level, ny = ny0 >> level;
            // PEVPM Call smooth(nx, ny, 2)
            smooth(nx, ny, 2);
            // PEVPM Call exchange(nx, ny)
            exchange(nx, ny);
            // PEVPM Serial time = 10*nx*ny ns
            work_compute(10e-9 * nx * ny); /* residual and restriction */
        }
        // PEVPM }
        const int nx = nx0 >> (LEVELS - 1), ny = ny0 >> (LEVELS - 1);
        // PEVPM Set cx = nx0/pow(2, LEVELS-1)
        // PEVPM Set cy = ny0/pow(2, LEVELS-1)
        // PEVPM Collective type = MPI_Allgather & size = 8*cx*cy & comm = grid
        MPI_Allgather(part, nx * ny, MPI_DOUBLE, whole, nx * ny, MPI_DOUBLE, grid);
        // PEVPM Serial time = 100*numprocs*cx*cy ns
        work_compute(100e-9 * size * nx * ny);
        // PEVPM Loop iterations = LEVELS-1 & var = level & from = LEVELS-2 & step = -1
        // PEVPM {
        for (int level = LEVELS - 2; level >= 0; level--) {
            // PEVPM Set nx = nx0/pow(2, level)
            // PEVPM Set ny = ny0/pow(2, level)
            const int fx = nx0 >> level, fy = ny0 >> level;
            // PEVPM Serial time = 5*nx*ny ns
            work_compute(5e-9 * fx * fy); /* prolongation */
            // PEVPM Call smooth(nx, ny, 1)
            smooth(fx, fy, 1);
        }
        // PEVPM }
        double norm = 1, sum;
        // PEVPM Collective type = MPI_Allreduce & size = 8 & comm = grid
        MPI_Allreduce(&norm, &sum, 1, MPI_DOUBLE, MPI_SUM, grid);
    }
    // PEVPM }
    cold_end(start);
    MPI_Finalize();
    return 0;
}
