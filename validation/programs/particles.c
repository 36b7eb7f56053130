/* particles.c - molecular dynamics by cells: `nx` x `ny` x `nz` cells in a periodic box, one atom in each with position
 * and velocity, on a grid of px x py x pz processes. In a step each process gets the cells around its own, axis after
 * axis and direction after direction, and computes; now and then all add up the energy. Where an axis has two processes
 * both neighbours are the same; where it has one a process sends to itself. The number of processes is a power of two, 16
 * at most.
 *
 * Mean values stand for forces. At the end each process computes the whole box alone, too. */
#include "box.h"

#define FIELDS 6 /* numbers of an atom */
#define ENERGY 5 /* steps between two sums */

/* What a process needs to talk to its neighbours. */
struct faces {
    double *out, *in;
};

/* Exchanges the faces across one axis, `count` numbers each, with the neighbours below and above. */
static void exchange(struct box *box, const struct faces *faces, int axis, int count, int below, int above)
{
    // PEVPM Procedure exchange(axis, count, below, above)
    // PEVPM {
    box_take(box, axis, 0, faces->out);
    // PEVPM Message type = MPI_Sendrecv & size = count*sizeof(double) & to = below & from = above & tag = axis
    MPI_Sendrecv(faces->out, count, MPI_DOUBLE, below, axis, faces->in, count, MPI_DOUBLE, above, axis, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    box_put(box, axis, box->cells[axis], faces->in);
    box_take(box, axis, box->cells[axis]-1, faces->out);
    // PEVPM Message type = MPI_Sendrecv & size = count*sizeof(double) & to = above & from = below & tag = axis
    MPI_Sendrecv(faces->out, count, MPI_DOUBLE, above, axis, faces->in, count, MPI_DOUBLE, below, axis, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    box_put(box, axis, -1, faces->in);
    // PEVPM }
}

/* The numbers that are not what a single process computes: in the box, and the last sum. */
static long count_wrong(const struct box *box, const int space[3], int iterations, double total)
{
    const int origin[3] = {0, 0, 0};
    struct box whole;
    box_init(&whole, space, origin, FIELDS);
    double expected = 0;
    for (int step = 0; step < iterations; step++) {
        box_wrap(&whole);
        box_average(&whole);
        if (step%ENERGY == ENERGY-1)
            expected = box_sum(&whole);
    }
    const long wrong = box_count_wrong(box, &whole) + !(fabs(total-expected) <= 1e-9*expected);
    box_free(&whole);
    return wrong;
}

int main(int argc, char **argv)
{
    int procnum, numprocs;
    int iterations = 20; // PEVPM Param iterations = 20
    int nx = 24; // PEVPM Param nx = 24
    int ny = 16; // PEVPM Param ny = 16
    int nz = 12; // PEVPM Param nz = 12
    double work = 0.12; // PEVPM Param work = 0.12
    const struct work_parameter parameter[] = {
        {"iterations", &iterations, NULL},
        {"nx", &nx, NULL},
        {"ny", &ny, NULL},
        {"nz", &nz, NULL},
        {"work", NULL, &work},
    };

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &procnum);
    MPI_Comm_size(MPI_COMM_WORLD, &numprocs);
    work_parameters(argc, argv, 5, parameter);

    // PEVPM Set pz = numprocs >= 16 ? 2 : 1
    int pz = numprocs >= 16 ? 2 : 1;
    // PEVPM Set py = numprocs >= 4 ? 2 : 1
    int py = numprocs >= 4 ? 2 : 1;
    // PEVPM Set px = numprocs/(py*pz)
    int px = numprocs/(py*pz);
    // PEVPM Set x = procnum%px
    int x = procnum%px;
    // PEVPM Set y = procnum/px%py
    int y = procnum/px%py;
    // PEVPM Set z = procnum/px/py
    int z = procnum/px/py;
    // PEVPM Set west = (x+px-1)%px+px*(y+py*z)
    int west = (x+px-1)%px+px*(y+py*z);
    // PEVPM Set east = (x+1)%px+px*(y+py*z)
    int east = (x+1)%px+px*(y+py*z);
    // PEVPM Set south = x+px*((y+py-1)%py+py*z)
    int south = x+px*((y+py-1)%py+py*z);
    // PEVPM Set north = x+px*((y+1)%py+py*z)
    int north = x+px*((y+1)%py+py*z);
    // PEVPM Set down = x+px*(y+py*((z+pz-1)%pz))
    int down = x+px*(y+py*((z+pz-1)%pz));
    // PEVPM Set up = x+px*(y+py*((z+1)%pz))
    int up = x+px*(y+py*((z+1)%pz));
    // PEVPM Set lx = nx/px
    int lx = nx/px;
    // PEVPM Set ly = ny/py
    int ly = ny/py;
    // PEVPM Set lz = nz/pz
    int lz = nz/pz;
    work_require(px*py*pz == numprocs && lx*px == nx && ly*py == ny && lz*pz == nz, "cells that divide among the processes");

    const int space[3] = {nx, ny, nz}, cells[3] = {lx, ly, lz}, first[3] = {x*lx, y*ly, z*lz};
    struct box box;
    box_init(&box, cells, first, FIELDS);
    const int largest = (int)sizeof(double)*box_largest_face(&box);
    struct faces faces = {(double *)work_buffer(largest), (double *)work_buffer(largest)};
    double energy, total = 0;
    double start = work_begin();

    // PEVPM Loop iterations = iterations & var = step
    // PEVPM {
    for (int step = 0; step < iterations; step++) {
        // PEVPM Call exchange(0, FIELDS*ly*lz, west, east)
        exchange(&box, &faces, 0, FIELDS*ly*lz, west, east);
        // PEVPM Call exchange(1, FIELDS*(lx+2)*lz, south, north)
        exchange(&box, &faces, 1, FIELDS*(lx+2)*lz, south, north);
        // PEVPM Call exchange(2, FIELDS*(lx+2)*(ly+2), down, up)
        exchange(&box, &faces, 2, FIELDS*(lx+2)*(ly+2), down, up);

        // PEVPM Serial time = work/numprocs
        double began = work_now();
        box_average(&box);
        work_compute_since(began, work/numprocs);

        // PEVPM Runon c1 = step%ENERGY == ENERGY-1
        // PEVPM {
        if (step%ENERGY == ENERGY-1) {
            energy = box_sum(&box);
            // PEVPM Collective type = MPI_Allreduce & size = sizeof(double)
            MPI_Allreduce(&energy, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        }
        // PEVPM }
    }
    // PEVPM }

    work_end(start);
    int code = work_verdict(count_wrong(&box, space, iterations, total));
    box_free(&box);
    free(faces.out);
    free(faces.in);
    MPI_Finalize();
    return code;
}
