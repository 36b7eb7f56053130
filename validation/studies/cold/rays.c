/* rays.c - a master hands out tiles of a picture, the tag says which; workers compute them and send 2 to 6 KiB back, each tile
 * of its own size and time. Tag 0 says that there is no more. */
#include "cold.h"

static double tile_time(int tile) { return (4 + tile * 7919 % 31) * 1e-3; }
static int tile_bytes(int tile) { return 2048 + tile % 5 * 1024; }

int main(int argc, char **argv)
{
    int rank, size;
    int tiles = 160; // PEVPM Param tiles = 160
    const struct work_parameter known[] = {{"tiles", &tiles, NULL}};
    MPI_Init(&argc, &argv);
    work_parameters(argc, argv, 1, known);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    static char order[64], result[8192];
    double start = cold_begin();

    // PEVPM Runon c1 = procnum == 0 & else
    // PEVPM {
    if (rank == 0) {
        int next = 1;
        // PEVPM Set next = 1
        // PEVPM Loop iterations = numprocs-1 & var = w
        // PEVPM {
        for (int w = 1; w < size; w++) {
            // PEVPM Message type = MPI_Send & size = 64 & to = w+1 & tag = next
            MPI_Send(order, 64, MPI_BYTE, w, next, MPI_COMM_WORLD);
            // PEVPM Set next = next+1
            next++;
        }
        // PEVPM }
        // PEVPM Loop iterations = tiles
        // PEVPM {
        for (int done = 0; done < tiles; done++) {
            MPI_Status status;
            // PEVPM Message type = MPI_Recv & from = MPI_ANY_SOURCE & tag = MPI_ANY_TAG & size = 8192 & source = who
            MPI_Recv(result, 8192, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
            // PEVPM Set tag = next <= tiles ? next : 0
            int tag = next <= tiles ? next : 0;
            // PEVPM Message type = MPI_Send & size = (tag > 0 ? 64 : 0) & to = who & tag = tag
            MPI_Send(order, tag > 0 ? 64 : 0, MPI_BYTE, status.MPI_SOURCE, tag, MPI_COMM_WORLD);
            // PEVPM Set next = next+1
            next++;
        }
        // PEVPM }
    // PEVPM }
    } else {
    // PEVPM {
        // PEVPM Set tile = 1
        // PEVPM Loop while = tile > 0
        // PEVPM {
        for (;;) {
            MPI_Status status;
            // PEVPM Message type = MPI_Recv & from = 0 & tag = MPI_ANY_TAG & size = 64 & got_tag = tile
            MPI_Recv(order, 64, MPI_BYTE, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
            int tile = status.MPI_TAG;
            if (tile == 0)
                break;
            // PEVPM Runon c1 = tile > 0
            // PEVPM {
            // PEVPM Serial time = 4+tile*7919%31 ms
            work_compute(tile_time(tile));
            // PEVPM Message type = MPI_Send & to = 0 & size = 2048+tile%5*1024 & tag = tile
            MPI_Send(result, tile_bytes(tile), MPI_BYTE, 0, tile, MPI_COMM_WORLD);
            // PEVPM }
        }
        // PEVPM }
    }
    // PEVPM }
    cold_end(start);
    MPI_Finalize();
    return 0;
}
