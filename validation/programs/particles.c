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

/* The cells of one process, which has its place on a grid of px x py x pz. */
struct part {
    int nx, ny, nz;             /* cells of the whole box */
    int procnum, numprocs, px, py, pz;
    double work;                /* seconds that a step of the whole box takes one process */
    struct box box;
    double *out, *in;           /* faces on their way */
};

static void part_init(struct part *part)
{
    const int px = part->px, py = part->py, pz = part->pz;
    const int cells[3] = {part->nx/px, part->ny/py, part->nz/pz};
    const int first[3] = {part->procnum%px*cells[0], part->procnum/px%py*cells[1], part->procnum/px/py*cells[2]};
    box_init(&part->box, cells, first, FIELDS);
    const int largest = (int)sizeof(double)*box_largest_face(&part->box);
    part->out = (double *)work_buffer(largest);
    part->in = (double *)work_buffer(largest);
}

static void part_free(struct part *part)
{
    box_free(&part->box);
    free(part->out);
    free(part->in);
}

/* Exchanges the faces across one axis, `count` numbers each, with the neighbours below and above. */
static void exchange(struct part *part, int axis, int count, int below, int above)
{
    struct box *box = &part->box;

    // PEVPM Procedure exchange(axis, count, below, above)
    // PEVPM {
    box_take(box, axis, 0, part->out);
    // PEVPM Message type = MPI_Sendrecv & size = count*sizeof(double) & to = below & from = above & tag = axis
    MPI_Sendrecv(part->out, count, MPI_DOUBLE, below, axis, part->in, count, MPI_DOUBLE, above, axis, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    box_put(box, axis, box->cells[axis], part->in);
    box_take(box, axis, box->cells[axis]-1, part->out);
    // PEVPM Message type = MPI_Sendrecv & size = count*sizeof(double) & to = above & from = below & tag = axis
    MPI_Sendrecv(part->out, count, MPI_DOUBLE, above, axis, part->in, count, MPI_DOUBLE, below, axis, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    box_put(box, axis, -1, part->in);
    // PEVPM }
}

/* Gets the cells around its own, and computes. */
static void advance(struct part *part)
{
    const int procnum = part->procnum, px = part->px, py = part->py, pz = part->pz;

    // PEVPM Procedure advance
    // PEVPM {
    // PEVPM Set x = procnum%px
    const int x = procnum%px;
    // PEVPM Set y = procnum/px%py
    const int y = procnum/px%py;
    // PEVPM Set z = procnum/px/py
    const int z = procnum/px/py;
    // PEVPM Set lx = nx/px
    const int lx = part->nx/px;
    // PEVPM Set ly = ny/py
    const int ly = part->ny/py;
    // PEVPM Set lz = nz/pz
    const int lz = part->nz/pz;
    // PEVPM Call exchange(0, FIELDS*ly*lz, (x+px-1)%px+px*(y+py*z), (x+1)%px+px*(y+py*z))
    exchange(part, 0, FIELDS*ly*lz, (x+px-1)%px+px*(y+py*z), (x+1)%px+px*(y+py*z));
    // PEVPM Call exchange(1, FIELDS*(lx+2)*lz, x+px*((y+py-1)%py+py*z), x+px*((y+1)%py+py*z))
    exchange(part, 1, FIELDS*(lx+2)*lz, x+px*((y+py-1)%py+py*z), x+px*((y+1)%py+py*z));
    // PEVPM Call exchange(2, FIELDS*(lx+2)*(ly+2), x+px*(y+py*((z+pz-1)%pz)), x+px*(y+py*((z+1)%pz)))
    exchange(part, 2, FIELDS*(lx+2)*(ly+2), x+px*(y+py*((z+pz-1)%pz)), x+px*(y+py*((z+1)%pz)));

    // PEVPM Serial time = work/numprocs
    const double began = work_now();
    box_average(&part->box);
    work_compute_since(began, part->work/part->numprocs);
    // PEVPM }
}

/* The numbers that are not what a single process computes: in the box, and the last sum. */
static long count_wrong(const struct part *part, int iterations, double total)
{
    const int space[3] = {part->nx, part->ny, part->nz}, origin[3] = {0, 0, 0};
    struct box whole;
    box_init(&whole, space, origin, FIELDS);
    double expected = 0;
    for (int step = 0; step < iterations; step++) {
        box_wrap(&whole);
        box_average(&whole);
        if (step%ENERGY == ENERGY-1)
            expected = box_sum(&whole);
    }
    const long wrong = box_count_wrong(&part->box, &whole) + !(fabs(total-expected) <= 1e-9*expected);
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
    work_require(px*py*pz == numprocs && nx%px == 0 && ny%py == 0 && nz%pz == 0, "cells that divide among the processes");
    struct part part = {.nx = nx, .ny = ny, .nz = nz, .procnum = procnum, .numprocs = numprocs, .px = px, .py = py, .pz = pz,
                        .work = work};
    part_init(&part);
    double energy, total = 0;
    double start = work_begin();

    // PEVPM Loop iterations = iterations & var = step
    // PEVPM {
    for (int step = 0; step < iterations; step++) {
        // PEVPM Call advance
        advance(&part);
        // PEVPM Runon c1 = step%ENERGY == ENERGY-1
        // PEVPM {
        if (step%ENERGY == ENERGY-1) {
            energy = box_sum(&part.box);
            // PEVPM Collective type = MPI_Allreduce & size = sizeof(double)
            MPI_Allreduce(&energy, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        }
        // PEVPM }
    }
    // PEVPM }

    work_end(start);
    int code = work_verdict(count_wrong(&part, iterations, total));
    part_free(&part);
    MPI_Finalize();
    return code;
}
