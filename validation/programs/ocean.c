/* ocean.c - the ocean model that examples/sketch/ocean.pevpm describes, written after it and to its letter: what was
 * predicted when there was no program yet is compared with this one. It has no directives; the prediction is the
 * sketch's. Its parameters are those of the sketch. */
#include <math.h>

#include "work.h"

struct ocean {
    int nx, ny, levels;     /* columns west to east, south to north, cells in a column */
    int steps, solver;      /* iterations of the surface solver in a step */
    double cell;            /* ns for a cell in a step */
    int px, py, x, y;       /* the processes' grid, and the place in it */
    int columns;            /* of this process */
    MPI_Comm row;           /* the processes with the same y */
    char *out, *in;         /* edges, and blocks of the transpose */
};

/* As square as it can be: px is py or twice that. The number of processes is a power of two. */
static void ocean_place(struct ocean *o, int procnum, int numprocs)
{
    for (o->px = 1; o->px*o->px < numprocs; o->px *= 2) { }
    o->py = numprocs/o->px;
    o->x = procnum%o->px;
    o->y = procnum/o->px;
    o->columns = o->nx/o->px * (o->ny/o->py);
    MPI_Comm_split(MPI_COMM_WORLD, o->y, o->x, &o->row);
}

static void swap_edges(const struct ocean *o, int bytes, int to, int from)
{
    MPI_Sendrecv(o->out, bytes, MPI_CHAR, to, 0, o->in, bytes, MPI_CHAR, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* With all four neighbours, `bytes` for each column of an edge. The grid goes round in both directions. */
static void halo(const struct ocean *o, int bytes)
{
    int px = o->px, py = o->py, x = o->x, y = o->y;
    if (px > 1) {
        int east = y*px + (x+1)%px, west = y*px + (x+px-1)%px;
        swap_edges(o, o->ny/py*bytes, east, west);
        swap_edges(o, o->ny/py*bytes, west, east);
    }
    if (py > 1) {
        int north = (y+1)%py*px + x, south = (y+py-1)%py*px + x;
        swap_edges(o, o->nx/px*bytes, north, south);
        swap_edges(o, o->nx/px*bytes, south, north);
    }
}

/* A draw from the standard normal distribution, by Box and Muller's method. */
static double normal(void)
{
    return sqrt(-2*log(1 - drand48())) * cos(2*acos(-1)*drand48());
}

static void step(const struct ocean *o)
{
    double mine = 1, sum;
    halo(o, 4*8*o->levels);
    work_compute((1 + 0.03*normal()) * o->columns*o->levels*o->cell*1e-9);
    for (int i = 0; i < o->solver; i++) {
        halo(o, 8);
        work_compute(o->columns*10e-9);
        MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    int block = 8*o->levels*o->columns/10/o->px;
    MPI_Alltoall(o->out, block, MPI_CHAR, o->in, block, MPI_CHAR, o->row);
}

int main(int argc, char **argv)
{
    int procnum, numprocs;
    struct ocean o = {.nx = 1440, .ny = 720, .levels = 40, .steps = 20, .solver = 30, .cell = 25};
    const struct work_parameter parameter[] = {
        {"nx", &o.nx, NULL},         {"ny", &o.ny, NULL},         {"levels", &o.levels, NULL},
        {"steps", &o.steps, NULL},   {"solver", &o.solver, NULL}, {"cell", NULL, &o.cell},
    };

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &procnum);
    MPI_Comm_size(MPI_COMM_WORLD, &numprocs);
    work_parameters(argc, argv, sizeof parameter / sizeof *parameter, parameter);
    ocean_place(&o, procnum, numprocs);
    int largest = 4*8*o.levels * (o.nx + o.ny + o.columns);
    o.out = work_buffer(largest);
    o.in = work_buffer(largest);
    srand48((long)(1e9*work_now()) + procnum); /* the weather is another one each time */
    double start = work_begin();
    for (int i = 0; i < o.steps; i++)
        step(&o);
    work_end(start);
    free(o.out);
    free(o.in);
    MPI_Comm_free(&o.row);
    MPI_Finalize();
    return 0;
}
