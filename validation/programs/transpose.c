/* transpose.c - conjugate gradients on a grid of processes, `nprows` x `npcols` with as many columns as rows or twice as
 * many. A process has a block of the matrix, the part of all vectors (`size` bytes each) that goes with its columns, and
 * makes a part of the product that goes with its rows. The processes of a row add theirs up, pair by pair; then
 * each gets the part that goes with its columns from the process on the other side of the diagonal, which for those on
 * the diagonal are they themselves. Scalar products are 8 bytes, added up along the rows as well. The number of processes
 * is a power of two.
 *
 * The matrix is sparse, the same everywhere, and known to all: at the end each process solves the system alone, too. */
#include "work.h"
#include <math.h>

#define PRODUCT 0.8 /* of the computation is the product of matrix and vector */

/* Distances from the diagonal at which rows have a -1. The diagonal is 6.5, so that the matrix is positive definite. */
static const int band[] = {1, 29, 401};

/* What a process has of the system. */
struct part {
    int n;                      /* unknowns */
    int first_row, rows;        /* of its block */
    int first_column, columns;
    double *w, *other;          /* [rows]: of the product, and what its partners have of it */
    double *x, *p, *q, *r;      /* [columns] */
};

static void part_init(struct part *part, int n, int first_row, int rows, int first_column, int columns)
{
    *part = (struct part){.n = n, .first_row = first_row, .rows = rows, .first_column = first_column, .columns = columns};
    double **vector[] = {&part->w, &part->other, &part->x, &part->p, &part->q, &part->r};
    for (int i = 0; i < 6; i++)
        *vector[i] = (double *)work_buffer((int)sizeof(double)*n);
    for (int j = 0; j < columns; j++)
        part->p[j] = part->r[j] = (first_column+j)*7919%101-50;
}

static void part_free(struct part *part)
{
    free(part->w);
    free(part->other);
    free(part->x);
    free(part->p);
    free(part->q);
    free(part->r);
}

/* w = (the block of the matrix) p */
static void multiply(struct part *part)
{
    for (int i = 0; i < part->rows; i++) {
        const int row = part->first_row+i;
        const int diagonal = row-part->first_column;
        part->w[i] = diagonal >= 0 && diagonal < part->columns ? 6.5*part->p[diagonal] : 0;
        for (int k = 0; k < 6; k++) {
            const int column = (row+part->n+(k%2 == 0 ? band[k/2] : -band[k/2]))%part->n-part->first_column;
            if (column >= 0 && column < part->columns)
                part->w[i] -= part->p[column];
        }
    }
}

static double scalar_product(const struct part *part, const double a[], const double b[])
{
    double sum = 0;
    for (int j = 0; j < part->columns; j++)
        sum += a[j]*b[j];
    return sum;
}

/* x and r after a step of length alpha along p. */
static void take_step(struct part *part, double alpha)
{
    for (int j = 0; j < part->columns; j++) {
        part->x[j] += alpha*part->p[j];
        part->r[j] -= alpha*part->q[j];
    }
}

static void turn(struct part *part, double beta)
{
    for (int j = 0; j < part->columns; j++)
        part->p[j] = part->r[j] + beta*part->p[j];
}

/* Adds up what the processes of a row have: mine[count], in which all have the sum at the end. */
static void add_along_row(double mine[], double theirs[], int count, int procnum, int npcols)
{
    MPI_Request request;

    // PEVPM Procedure add_along_row(count)
    // PEVPM {
    // PEVPM Set distance = npcols/2
    int distance = npcols/2;
    // PEVPM Loop while = distance > 0
    // PEVPM {
    while (distance > 0) {
        // PEVPM Set partner = procnum/distance%2 == 0 ? procnum+distance : procnum-distance
        int partner = procnum/distance%2 == 0 ? procnum+distance : procnum-distance;
        // PEVPM Message type = MPI_Irecv & size = count*sizeof(double) & from = partner & request = sum
        MPI_Irecv(theirs, count, MPI_DOUBLE, partner, 0, MPI_COMM_WORLD, &request);
        // PEVPM Message type = MPI_Send & size = count*sizeof(double) & to = partner
        MPI_Send(mine, count, MPI_DOUBLE, partner, 0, MPI_COMM_WORLD);
        // PEVPM Message type = MPI_Wait & request = sum
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        for (int i = 0; i < count; i++)
            mine[i] += theirs[i];
        // PEVPM Set distance = distance/2
        distance = distance/2;
    }
    // PEVPM }
    // PEVPM }
}

/* The numbers of x that are not what a single process finds in as many iterations. */
static long count_wrong(const struct part *part, int iterations)
{
    struct part all;
    long wrong = 0;
    part_init(&all, part->n, 0, part->n, 0, part->n);
    double rho = scalar_product(&all, all.r, all.r);
    for (int i = 0; i < iterations; i++) {
        multiply(&all);
        memcpy(all.q, all.w, sizeof(double)*(size_t)all.n);
        take_step(&all, rho/scalar_product(&all, all.p, all.q));
        const double before = rho;
        rho = scalar_product(&all, all.r, all.r);
        turn(&all, rho/before);
    }
    for (int j = 0; j < part->columns; j++)
        wrong += !(fabs(part->x[j]-all.x[part->first_column+j]) < 1e-9);
    part_free(&all);
    return wrong;
}

int main(int argc, char **argv)
{
    int procnum, numprocs;
    int iterations = 12; // PEVPM Param iterations = 12
    int size = 24576; // PEVPM Param size = 24576
    double work = 0.2; // PEVPM Param work = 0.2

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &procnum);
    MPI_Comm_size(MPI_COMM_WORLD, &numprocs);
    work_arguments(argc, argv, &iterations, &size, &work);

    // PEVPM Set npcols = 1
    int npcols = 1;
    // PEVPM Loop while = npcols*npcols < numprocs
    // PEVPM {
    while (npcols*npcols < numprocs) {
        // PEVPM Set npcols = 2*npcols
        npcols = 2*npcols;
    }
    // PEVPM }
    // PEVPM Set nprows = numprocs/npcols
    int nprows = numprocs/npcols;
    work_require(npcols*nprows == numprocs && npcols%nprows == 0, "a power of two of processes");
    work_require(size%(8*npcols) == 0, "a size that divides into as many parts as the grid has columns");
    // PEVPM Set row = procnum/npcols
    int row = procnum/npcols;
    // PEVPM Set column = procnum%npcols
    int column = procnum%npcols;
    // PEVPM Set ratio = npcols/nprows
    int ratio = npcols/nprows;
    // PEVPM Set across = column/ratio*npcols+ratio*row+column%ratio
    int across = column/ratio*npcols+ratio*row+column%ratio;
    // PEVPM Set rows = size/8/nprows
    int rows = size/8/nprows;
    // PEVPM Set columns = size/8/npcols
    int columns = size/8/npcols;

    struct part part;
    part_init(&part, size/8, row*rows, rows, column*columns, columns);
    MPI_Request request;
    double mine, theirs, before;
    double start = work_begin();

    // PEVPM Call add_along_row(1)
    double rho = scalar_product(&part, part.r, part.r);
    add_along_row(&rho, &theirs, 1, procnum, npcols);

    // PEVPM Loop iterations = iterations
    // PEVPM {
    for (int i = 0; i < iterations; i++) {
        // PEVPM Serial time = PRODUCT*work/numprocs
        double began = work_now();
        multiply(&part);
        work_compute_since(began, PRODUCT*work/numprocs);
        // PEVPM Call add_along_row(rows)
        add_along_row(part.w, part.other, rows, procnum, npcols);

        // PEVPM Message type = MPI_Irecv & size = columns*sizeof(double) & from = across & tag = 1 & request = transpose
        MPI_Irecv(part.q, columns, MPI_DOUBLE, across, 1, MPI_COMM_WORLD, &request);
        // PEVPM Message type = MPI_Send & size = columns*sizeof(double) & to = across & tag = 1
        MPI_Send(part.w + column%ratio*columns, columns, MPI_DOUBLE, across, 1, MPI_COMM_WORLD);
        // PEVPM Message type = MPI_Wait & request = transpose
        MPI_Wait(&request, MPI_STATUS_IGNORE);

        // PEVPM Call add_along_row(1)
        mine = scalar_product(&part, part.p, part.q);
        add_along_row(&mine, &theirs, 1, procnum, npcols);
        // PEVPM Serial time = (1-PRODUCT)*work/numprocs
        began = work_now();
        take_step(&part, rho/mine);
        work_compute_since(began, (1-PRODUCT)*work/numprocs);
        // PEVPM Call add_along_row(1)
        before = rho;
        rho = scalar_product(&part, part.r, part.r);
        add_along_row(&rho, &theirs, 1, procnum, npcols);
        turn(&part, rho/before);
    }
    // PEVPM }

    work_end(start);
    int code = work_verdict(count_wrong(&part, iterations));
    part_free(&part);
    MPI_Finalize();
    return code;
}
