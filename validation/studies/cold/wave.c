/* wave.c - discrete ordinates: eight octants of directions sweep through an n x n x nz grid that is cut along x and y. A
 * process takes mk planes at a time: waits for what comes in from the two neighbours upstream, computes, hands on. */
#include "cold.h"

#define ANGLES 6

int main(int argc, char **argv)
{
    int rank, size;
    int n = 96, nz = 40, mk = 5; // PEVPM Param n = 96
    // PEVPM Param nz = 40
    // PEVPM Param mk = 5
    int sweeps = 1; // PEVPM Param sweeps = 1
    const struct work_parameter known[] = {{"n", &n, NULL}, {"nz", &nz, NULL}, {"mk", &mk, NULL}, {"sweeps", &sweeps, NULL}};
    MPI_Init(&argc, &argv);
    work_parameters(argc, argv, 4, known);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int dims[2] = {0, 0};
    MPI_Dims_create(size, 2, dims);
    const int px = dims[0], py = dims[1], x = rank / py, y = rank % py;
    // PEVPM Set px = dims_create(numprocs, 2, 0)
    // PEVPM Set py = dims_create(numprocs, 2, 1)
    // PEVPM Set x = procnum/py
    // PEVPM Set y = procnum%py
    const int nx = n / px, ny = n / py;
    // PEVPM Set nx = n/px
    // PEVPM Set ny = n/py
    double *facex = calloc((size_t)(ny * mk * ANGLES), 8), *facey = calloc((size_t)(nx * mk * ANGLES), 8);
    double start = cold_begin();

    // PEVPM Loop iterations = sweeps
    // PEVPM {
    for (int sweep = 0; sweep < sweeps; sweep++) {
        // PEVPM Loop iterations = 8 & var = octant
        // PEVPM {
        for (int octant = 0; octant < 8; octant++) {
            // PEVPM Set dx = octant/4 == 0 ? 1 : -1
            // PEVPM Set dy = octant/2%2 == 0 ? 1 : -1
            const int dx = octant / 4 == 0 ? 1 : -1, dy = octant / 2 % 2 == 0 ? 1 : -1;
            // PEVPM Set upx = x-dx < 0 || x-dx >= px ? MPI_PROC_NULL : (x-dx)*py+y
            // PEVPM Set downx = x+dx < 0 || x+dx >= px ? MPI_PROC_NULL : (x+dx)*py+y
            // PEVPM Set upy = y-dy < 0 || y-dy >= py ? MPI_PROC_NULL : x*py+y-dy
            // PEVPM Set downy = y+dy < 0 || y+dy >= py ? MPI_PROC_NULL : x*py+y+dy
            const int upx = x - dx < 0 || x - dx >= px ? MPI_PROC_NULL : (x - dx) * py + y;
            const int downx = x + dx < 0 || x + dx >= px ? MPI_PROC_NULL : (x + dx) * py + y;
            const int upy = y - dy < 0 || y - dy >= py ? MPI_PROC_NULL : x * py + y - dy;
            const int downy = y + dy < 0 || y + dy >= py ? MPI_PROC_NULL : x * py + y + dy;
            // PEVPM Loop iterations = nz/mk
            // PEVPM {
            for (int k = 0; k < nz / mk; k++) {
                // PEVPM Message type = MPI_Recv & from = upx & size = 8*ny*mk*ANGLES & tag = 1
                MPI_Recv(facex, ny * mk * ANGLES, MPI_DOUBLE, upx, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                // PEVPM Message type = MPI_Recv & from = upy & size = 8*nx*mk*ANGLES & tag = 2
                MPI_Recv(facey, nx * mk * ANGLES, MPI_DOUBLE, upy, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                // PEVPM Serial time = nx*ny*mk*ANGLES*60 ns
                work_compute(nx * ny * mk * ANGLES * 60e-9);
                // PEVPM Message type = MPI_Send & to = downx & size = 8*ny*mk*ANGLES & tag = 1
                MPI_Send(facex, ny * mk * ANGLES, MPI_DOUBLE, downx, 1, MPI_COMM_WORLD);
                // PEVPM Message type = MPI_Send & to = downy & size = 8*nx*mk*ANGLES & tag = 2
                MPI_Send(facey, nx * mk * ANGLES, MPI_DOUBLE, downy, 2, MPI_COMM_WORLD);
            }
            // PEVPM }
        }
        // PEVPM }
    }
    // PEVPM }
    cold_end(start);
    MPI_Finalize();
    return 0;
}
