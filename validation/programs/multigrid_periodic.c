/* multigrid_periodic.c - V-cycles in a periodic cube: grids of `points`, `points`/2 and `points`/4 points along each axis,
 * shared by px x py x pz processes. On each grid a process gets the points around its own from both neighbours, axis after
 * axis, and smooths. On the grid that is F times coarser than the finest that takes 64/145/F^3 of `work`/numprocs: in a
 * whole cycle 64/145*(2*(1 + 1/8) + 1/64) of it, which is all. At its end the finest grid is summed over all processes.
 * Where an axis has two processes both neighbours are the same; where it has one a process sends to itself. The number of
 * processes is a power of two.
 *
 * Mean values stand for smoothing. At the end each process computes the whole cube alone, too. */
#include "box.h"

#define GRIDS 3
#define COARSEST 4 /* F of the last of them */

/* What a process has of the cube: its place in the grid of processes, its neighbours, its part of each grid. */
struct part {
    int points, procnum, numprocs, px, py, pz;
    double work;
    struct box grid[GRIDS];
    double *out[2], *in[2]; /* faces, below and above */
};

/* Which of the grids is `factor` times coarser than the finest. */
static int grid_of(int factor)
{
    int g = 0;
    while (factor > 1) {
        factor /= 2;
        g++;
    }
    return g;
}

/* Each number of the coarser grid becomes the mean over its eight of the finer one. */
static void restrict_to(struct box *coarse, const struct box *fine)
{
    for (int z = 0; z < coarse->cells[2]; z++)
        for (int y = 0; y < coarse->cells[1]; y++)
            for (int x = 0; x < coarse->cells[0]; x++) {
                double sum = 0;
                for (int corner = 0; corner < 8; corner++)
                    sum += fine->value[box_place(fine, 2*x+corner%2, 2*y+corner/2%2, 2*z+corner/4)];
                coarse->value[box_place(coarse, x, y, z)] = sum/8;
            }
}

/* Each number of the finer grid becomes the mean of itself and its one of the coarser grid. */
static void prolong_to(struct box *fine, const struct box *coarse)
{
    for (int z = 0; z < fine->cells[2]; z++)
        for (int y = 0; y < fine->cells[1]; y++)
            for (int x = 0; x < fine->cells[0]; x++) {
                double *number = fine->value + box_place(fine, x, y, z);
                *number = (*number + coarse->value[box_place(coarse, x/2, y/2, z/2)])/2;
            }
}

/* Exchanges the faces across one axis, `count` numbers each, with the neighbours below and above. */
static void exchange(struct part *part, struct box *box, int axis, int count, int below, int above)
{
    MPI_Request request[2];

    // PEVPM Procedure exchange(count, below, above)
    // PEVPM {
    // PEVPM Message type = MPI_Irecv & size = count*sizeof(double) & from = above & tag = 0 & request = r0
    MPI_Irecv(part->in[1], count, MPI_DOUBLE, above, 0, MPI_COMM_WORLD, &request[0]);
    // PEVPM Message type = MPI_Irecv & size = count*sizeof(double) & from = below & tag = 1 & request = r1
    MPI_Irecv(part->in[0], count, MPI_DOUBLE, below, 1, MPI_COMM_WORLD, &request[1]);
    box_take(box, axis, 0, part->out[0]);
    // PEVPM Message type = MPI_Send & size = count*sizeof(double) & to = below & tag = 0
    MPI_Send(part->out[0], count, MPI_DOUBLE, below, 0, MPI_COMM_WORLD);
    box_take(box, axis, box->cells[axis]-1, part->out[1]);
    // PEVPM Message type = MPI_Send & size = count*sizeof(double) & to = above & tag = 1
    MPI_Send(part->out[1], count, MPI_DOUBLE, above, 1, MPI_COMM_WORLD);
    // PEVPM Message type = MPI_Wait & request = r0
    MPI_Wait(&request[0], MPI_STATUS_IGNORE);
    box_put(box, axis, box->cells[axis], part->in[1]);
    // PEVPM Message type = MPI_Wait & request = r1
    MPI_Wait(&request[1], MPI_STATUS_IGNORE);
    box_put(box, axis, -1, part->in[0]);
    // PEVPM }
}

/* Smooths the grid that is `factor` times coarser than the finest. */
static void smooth(struct part *part, int factor)
{
    const int procnum = part->procnum, px = part->px, py = part->py, pz = part->pz;
    struct box *box = &part->grid[grid_of(factor)];

    // PEVPM Procedure smooth(factor)
    // PEVPM {
    // PEVPM Set x = procnum%px
    const int x = procnum%px;
    // PEVPM Set y = procnum/px%py
    const int y = procnum/px%py;
    // PEVPM Set z = procnum/px/py
    const int z = procnum/px/py;
    // PEVPM Set lx = points/factor/px
    const int lx = part->points/factor/px;
    // PEVPM Set ly = points/factor/py
    const int ly = part->points/factor/py;
    // PEVPM Set lz = points/factor/pz
    const int lz = part->points/factor/pz;
    // PEVPM Call exchange(ly*lz, (x+px-1)%px+px*(y+py*z), (x+1)%px+px*(y+py*z))
    exchange(part, box, 0, ly*lz, (x+px-1)%px+px*(y+py*z), (x+1)%px+px*(y+py*z));
    // PEVPM Call exchange((lx+2)*lz, x+px*((y+py-1)%py+py*z), x+px*((y+1)%py+py*z))
    exchange(part, box, 1, (lx+2)*lz, x+px*((y+py-1)%py+py*z), x+px*((y+1)%py+py*z));
    // PEVPM Call exchange((lx+2)*(ly+2), x+px*(y+py*((z+pz-1)%pz)), x+px*(y+py*((z+1)%pz)))
    exchange(part, box, 2, (lx+2)*(ly+2), x+px*(y+py*((z+pz-1)%pz)), x+px*(y+py*((z+1)%pz)));
    // PEVPM Serial time = 64.0/145/(factor*factor*factor)*work/numprocs
    const double began = work_now();
    box_average(box);
    work_compute_since(began, 64.0/145/(factor*factor*factor)*part->work/part->numprocs);
    // PEVPM }
}

static void part_init(struct part *part, int points, double work, int procnum, int px, int py, int pz)
{
    *part = (struct part){.points = points, .procnum = procnum, .numprocs = px*py*pz, .px = px, .py = py, .pz = pz, .work = work};
    for (int g = 0, n = points; g < GRIDS; g++, n /= 2) {
        const int cells[3] = {n/px, n/py, n/pz};
        const int first[3] = {procnum%px*cells[0], procnum/px%py*cells[1], procnum/px/py*cells[2]};
        box_init(&part->grid[g], cells, first, 1);
    }
    for (int side = 0; side < 2; side++) {
        part->out[side] = (double *)work_buffer((int)sizeof(double)*box_largest_face(&part->grid[0]));
        part->in[side] = (double *)work_buffer((int)sizeof(double)*box_largest_face(&part->grid[0]));
    }
}

static void part_free(struct part *part)
{
    for (int g = 0; g < GRIDS; g++)
        box_free(&part->grid[g]);
    for (int side = 0; side < 2; side++) {
        free(part->out[side]);
        free(part->in[side]);
    }
}

static void smooth_alone(struct box *box)
{
    box_wrap(box);
    box_average(box);
}

/* The numbers of the finest grid, and the sum, that are not what a single process computes. */
static long count_wrong(const struct part *part, int iterations, double total)
{
    struct part all;
    part_init(&all, part->points, 0, 0, 1, 1, 1);
    for (int i = 0; i < iterations; i++) {
        for (int g = 0; g < GRIDS-1; g++) {
            smooth_alone(&all.grid[g]);
            restrict_to(&all.grid[g+1], &all.grid[g]);
        }
        smooth_alone(&all.grid[GRIDS-1]);
        for (int g = GRIDS-2; g >= 0; g--) {
            prolong_to(&all.grid[g], &all.grid[g+1]);
            smooth_alone(&all.grid[g]);
        }
    }
    const double expected = box_sum(&all.grid[0]);
    const long wrong = box_count_wrong(&part->grid[0], &all.grid[0]) + !(fabs(total-expected) <= 1e-9*expected);
    part_free(&all);
    return wrong;
}

int main(int argc, char **argv)
{
    int procnum, numprocs;
    int iterations = 8; // PEVPM Param iterations = 8
    int points = 32; // PEVPM Param points = 32
    double work = 0.3; // PEVPM Param work = 0.3
    const struct work_parameter parameter[] = {
        {"iterations", &iterations, NULL},
        {"points", &points, NULL},
        {"work", NULL, &work},
    };

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &procnum);
    MPI_Comm_size(MPI_COMM_WORLD, &numprocs);
    work_parameters(argc, argv, 3, parameter);
    // PEVPM Set px = numprocs >= 8 ? 2 : 1
    int px = numprocs >= 8 ? 2 : 1;
    // PEVPM Set py = numprocs >= 4 ? 2 : 1
    int py = numprocs >= 4 ? 2 : 1;
    // PEVPM Set pz = numprocs/(px*py)
    int pz = numprocs/(px*py);
    work_require(px*py*pz == numprocs && points%(COARSEST*pz) == 0 && points%(COARSEST*px) == 0,
                 "points that divide among the processes on each grid");
    struct part part;
    part_init(&part, points, work, procnum, px, py, pz);
    double mine, total = 0;
    double start = work_begin();

    // PEVPM Loop iterations = iterations
    // PEVPM {
    for (int i = 0; i < iterations; i++) {
        // PEVPM Set factor = 1
        int factor = 1;
        // PEVPM Loop while = factor < COARSEST
        // PEVPM {
        while (factor < COARSEST) {
            // PEVPM Call smooth(factor)
            smooth(&part, factor);
            restrict_to(&part.grid[grid_of(2*factor)], &part.grid[grid_of(factor)]);
            // PEVPM Set factor = 2*factor
            factor = 2*factor;
        }
        // PEVPM }

        // PEVPM Call smooth(COARSEST)
        smooth(&part, COARSEST);

        // PEVPM Loop while = factor > 1
        // PEVPM {
        while (factor > 1) {
            // PEVPM Set factor = factor/2
            factor = factor/2;
            prolong_to(&part.grid[grid_of(factor)], &part.grid[grid_of(2*factor)]);
            // PEVPM Call smooth(factor)
            smooth(&part, factor);
        }
        // PEVPM }

        mine = box_sum(&part.grid[0]);
        // PEVPM Collective type = MPI_Allreduce & size = sizeof(double)
        MPI_Allreduce(&mine, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    // PEVPM }

    work_end(start);
    int code = work_verdict(count_wrong(&part, iterations, total));
    part_free(&part);
    MPI_Finalize();
    return code;
}
