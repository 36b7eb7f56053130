/* multigrid.c - V-cycles on a rod: grids from fine to coarse and back. On the grid that is F times coarser than the
 * finest, F = 1, 2, 4, 8, halos of `size`/F bytes come from both neighbours, then 8/29/F of `work`/numprocs is
 * computed: in a whole cycle 8/29*(2*(1 + 1/2 + 1/4) + 1/8) of it, which is all. On the coarsest grid the norms of the
 * residual are summed over all processes; at the end of a cycle process 0 says how to go on. Written after the model
 * was frozen, before anything was predicted of it. */
#include "work.h"

#define COARSEST 8 /* F of the fourth grid of four */
#define NORMS 8    /* doubles of the residual */
#define CONTROL 64 /* bytes of the control block */

/* What a process has of the rod. */
struct part {
    int procnum, numprocs, size;
    double work;
    char *edge, *halo[2];
};

/* Smooths the grid that is `factor` times coarser than the finest. */
static void smooth(const struct part *part, int factor)
{
    const int bytes = part->size/factor;
    const int left = part->procnum > 0 ? part->procnum-1 : MPI_PROC_NULL;
    const int right = part->procnum < part->numprocs-1 ? part->procnum+1 : MPI_PROC_NULL;
    MPI_Request request[4];

    // PEVPM Procedure smooth(factor)
    // PEVPM {
    // PEVPM Message type = MPI_Irecv & size = size/factor & from = procnum > 0 ? procnum-1 : MPI_PROC_NULL
    // PEVPM & tag = factor & request = r0
    MPI_Irecv(part->halo[0], bytes, MPI_CHAR, left, factor, MPI_COMM_WORLD, &request[0]);
    // PEVPM Message type = MPI_Irecv & size = size/factor & from = procnum < numprocs-1 ? procnum+1 : MPI_PROC_NULL
    // PEVPM & tag = factor & request = r1
    MPI_Irecv(part->halo[1], bytes, MPI_CHAR, right, factor, MPI_COMM_WORLD, &request[1]);
    // PEVPM Message type = MPI_Isend & size = size/factor & to = procnum > 0 ? procnum-1 : MPI_PROC_NULL
    // PEVPM & tag = factor & request = r2
    MPI_Isend(part->edge, bytes, MPI_CHAR, left, factor, MPI_COMM_WORLD, &request[2]);
    // PEVPM Message type = MPI_Isend & size = size/factor & to = procnum < numprocs-1 ? procnum+1 : MPI_PROC_NULL
    // PEVPM & tag = factor & request = r3
    MPI_Isend(part->edge, bytes, MPI_CHAR, right, factor, MPI_COMM_WORLD, &request[3]);
    // PEVPM Message type = MPI_Waitall & request = (r0, r1, r2, r3)
    MPI_Waitall(4, request, MPI_STATUSES_IGNORE);
    // PEVPM Serial time = 8.0/29/factor*work/numprocs
    work_compute(8.0/29/factor*part->work/part->numprocs);
    // PEVPM }
}

int main(int argc, char **argv)
{
    int procnum, numprocs;
    int iterations = 25; // PEVPM Param iterations = 25
    int size = 6144; // PEVPM Param size = 6144
    double work = 0.26; // PEVPM Param work = 0.26

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &procnum);
    MPI_Comm_size(MPI_COMM_WORLD, &numprocs);
    work_arguments(argc, argv, &iterations, &size, &work);
    struct part part = {procnum, numprocs, size, work, work_buffer(size), {work_buffer(size), work_buffer(size)}};
    double mine[NORMS] = {0}, residual[NORMS];
    char control[CONTROL] = {0};
    double start = work_begin();

    // PEVPM Loop iterations = iterations
    // PEVPM {
    for (int i = 0; i < iterations; i++) {
        // PEVPM Set grid = 1
        int grid = 1;
        // PEVPM Loop while = grid < COARSEST
        // PEVPM {
        while (grid < COARSEST) {
            // PEVPM Call smooth(grid)
            smooth(&part, grid);
            // PEVPM Set grid = 2*grid
            grid = 2*grid;
        }
        // PEVPM }

        // PEVPM Call smooth(COARSEST)
        smooth(&part, COARSEST);
        // PEVPM Collective type = MPI_Allreduce & size = NORMS*sizeof(double)
        MPI_Allreduce(mine, residual, NORMS, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);

        // PEVPM Loop while = grid > 1
        // PEVPM {
        while (grid > 1) {
            // PEVPM Set grid = grid/2
            grid = grid/2;
            // PEVPM Call smooth(grid)
            smooth(&part, grid);
        }
        // PEVPM }

        // PEVPM Collective type = MPI_Bcast & size = CONTROL & root = 0
        MPI_Bcast(control, CONTROL, MPI_CHAR, 0, MPI_COMM_WORLD);
    }
    // PEVPM }

    work_end(start);
    free(part.edge);
    free(part.halo[0]);
    free(part.halo[1]);
    MPI_Finalize();
    return 0;
}
