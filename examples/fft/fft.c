/* fft.c - two-dimensional Fourier transform of an n x n field whose rows are spread over the processes.
 *
 *     mpicc -O2 fft.c -o fft -lm && mpirun -np 4 ./fft [N [ITERATIONS [PAIRS [NARROW]]]]
 *
 * Each process transforms its rows, all processes together transpose the field, each transforms its new rows, which
 * were columns. The result stays transposed and, divided by n, is the next iteration's field. PAIRS = 0 transposes
 * with MPI_Alltoall; PAIRS = 1 with one MPI_Sendrecv for each other process, in an order in which nobody receives
 * from two at a time. NARROW = 1 makes the numbers travel in single precision.
 *
 * N and the number of processes are powers of two. The result is compared with that of a single process, bit by bit,
 * and a few of its points with the definition of the transform. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct number {
    double re, im;
};

/* What transforming and transposing need besides the field itself. */
struct plan {
    int n, rows;            /* points in a row, rows of this process */
    int procnum, numprocs;
    struct number *root;    /* [n/2] exp(-2 pi i k / n) */
    struct number *out, *in;/* [rows * n]: the blocks that leave, the blocks that arrived; one for each process */
    float *narrow_out, *narrow_in;  /* [2 * rows * n]: the same in single precision */
};

static void *memory(size_t count, size_t size)
{
    void *p = calloc(count, size);
    if (p == NULL)
        MPI_Abort(MPI_COMM_WORLD, 4);
    return p;
}

/* Any field will do that has no symmetry: points in 0 ... 1 from a linear congruential sequence. */
static struct number first_value(int row, int column)
{
    unsigned x = ((unsigned)row * 40503U + (unsigned)column) * 2654435761U;
    return (struct number){(x >> 8 & 0xfff) / 4095.0, (x >> 20) / 4095.0};
}

static void fill(int first_row, int rows, int n, struct number *field)
{
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < n; c++)
            field[r*n + c] = first_value(first_row + r, c);
}

/* Puts the points of a row where the butterflies want them: at the index with its bits reversed. */
static void reverse_bits(int n, struct number *x)
{
    for (int i = 1, j = 0; i < n; i++) {
        int bit = n / 2;
        for (; j & bit; bit /= 2)
            j ^= bit;
        j ^= bit;
        if (i < j) {
            struct number swap = x[i];
            x[i] = x[j];
            x[j] = swap;
        }
    }
}

/* Cooley and Tukey's transform of one row, in place. */
static void transform_row(int n, const struct number *root, struct number *x)
{
    reverse_bits(n, x);
    for (int half = 1; half < n; half *= 2)
        for (int first = 0; first < n; first += 2*half)
            for (int k = 0; k < half; k++) {
                struct number *a = &x[first + k], *b = a + half, w = root[k * (n / 2 / half)];
                struct number t = {b->re*w.re - b->im*w.im, b->re*w.im + b->im*w.re};
                *b = (struct number){a->re - t.re, a->im - t.im};
                *a = (struct number){a->re + t.re, a->im + t.im};
            }
}

// Times are those of one core of an AMD EPYC (Zen 5) at 2.6 GHz, gcc 12 -O2: a row takes n*log2(n) times 0.57 ns.
// PEVPM Procedure transform_rows
// PEVPM {
// PEVPM Serial time = n/numprocs * 0.57*n*ilog2(n) ns
// PEVPM }
static void transform_rows(int rows, int n, const struct number *root, struct number *field)
{
    for (int r = 0; r < rows; r++)
        transform_row(n, root, field + r*n);
}

static struct number divide(int n, struct number x)
{
    return (struct number){x.re / n, x.im / n};
}

/* The block for process q is [rows][rows], already transposed, so that the receiver only has to put it in its place.
 * Dividing by n keeps the points' size. */
static void pack(const struct plan *p, const struct number *field)
{
    struct number *block = p->out;
    for (int q = 0; q < p->numprocs; q++)
        for (int c = 0; c < p->rows; c++)
            for (int r = 0; r < p->rows; r++)
                *block++ = divide(p->n, field[r*p->n + q*p->rows + c]);
}

static void unpack(const struct plan *p, struct number *field)
{
    const struct number *block = p->in;
    for (int q = 0; q < p->numprocs; q++)
        for (int c = 0; c < p->rows; c++, block += p->rows)
            memcpy(&field[c*p->n + q*p->rows], block, p->rows * sizeof *block);
}

/* Every process has a block for every other. */
static void exchange_all(const struct plan *p)
{
    int count = 2 * p->rows * p->rows;
// PEVPM Procedure exchange_all
// PEVPM {
// PEVPM Collective type = MPI_Alltoall
// PEVPM &          size = 2*sizeof(double) * (n/numprocs) * (n/numprocs)
    MPI_Alltoall(p->out, count, MPI_DOUBLE, p->in, count, MPI_DOUBLE, MPI_COMM_WORLD);
// PEVPM }
}

/* The same by hand. In step s process p sends to p+s while p-s sends to it. */
static void exchange_pairs(const struct plan *p)
{
    int count = 2 * p->rows * p->rows;
    int procnum = p->procnum, numprocs = p->numprocs;
    size_t block = p->rows * p->rows;
    memcpy(p->in + procnum*block, p->out + procnum*block, block * sizeof *p->in);
// PEVPM Procedure exchange_pairs
// PEVPM {
// PEVPM Loop iterations = numprocs-1 & var = step & from = 1
// PEVPM {
    for (int step = 1; step < numprocs; step++) {
        int to = (procnum+step) % numprocs;
        int from = (procnum+numprocs-step) % numprocs;
// PEVPM Message type = MPI_Sendrecv
// PEVPM &       size = 2*sizeof(double) * (n/numprocs) * (n/numprocs)
// PEVPM &       to = (procnum+step) % numprocs
// PEVPM &       from = (procnum+numprocs-step) % numprocs
        MPI_Sendrecv(p->out + to*block, count, MPI_DOUBLE, to, 0, p->in + from*block, count, MPI_DOUBLE, from, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
// PEVPM }
// PEVPM }
}

static void to_single(int points, const struct number *from, float *to)
{
    for (int i = 0; i < points; i++) {
        to[2*i] = (float)from[i].re;
        to[2*i+1] = (float)from[i].im;
    }
}

static void to_double(int points, const float *from, struct number *to)
{
    for (int i = 0; i < points; i++)
        to[i] = (struct number){from[2*i], from[2*i+1]};
}

/* As exchange_all, with blocks of half the size. */
static void exchange_narrow(const struct plan *p)
{
    int count = 2 * p->rows * p->rows;
// PEVPM Procedure exchange_narrow
// PEVPM {
// PEVPM Serial time = n/numprocs * n * 1.0 ns
    to_single(p->rows*p->n, p->out, p->narrow_out);
// PEVPM Collective type = MPI_Alltoall
// PEVPM &          size = 2*sizeof(float) * (n/numprocs) * (n/numprocs)
    MPI_Alltoall(p->narrow_out, count, MPI_FLOAT, p->narrow_in, count, MPI_FLOAT, MPI_COMM_WORLD);
    to_double(p->rows*p->n, p->narrow_in, p->in);
// PEVPM }
}

static void transform(const struct plan *p, int pairs, int narrow, struct number *field)
{
// PEVPM Procedure transform
// PEVPM {
// PEVPM Call transform_rows
    transform_rows(p->rows, p->n, p->root, field);
// PEVPM Serial time = n/numprocs * n * 1.8 ns
    pack(p, field);
// PEVPM Runon c1 = narrow & c2 = !narrow && pairs & else
// PEVPM {
// PEVPM Call exchange_narrow
// PEVPM }
// PEVPM {
// PEVPM Call exchange_pairs
// PEVPM }
// PEVPM {
// PEVPM Call exchange_all
// PEVPM }
    if (narrow)
        exchange_narrow(p);
    else if (pairs)
        exchange_pairs(p);
    else
        exchange_all(p);
// PEVPM Serial time = n/numprocs * n * 0.3 ns
    unpack(p, field);
// PEVPM Call transform_rows
    transform_rows(p->rows, p->n, p->root, field);
// PEVPM }
}

/* One process transforms its field. */
static void transform_alone(int n, int narrow, const struct number *root, struct number *field,
                            struct number *turned)
{
    transform_rows(n, n, root, field);
    for (int r = 0; r < n; r++)
        for (int c = 0; c < n; c++)
            turned[c*n + r] = divide(n, field[r*n + c]);
    if (narrow) {
        float *single = memory(2*n*n, sizeof *single);
        to_single(n*n, turned, single);
        to_double(n*n, single, turned);
        free(single);
    }
    transform_rows(n, n, root, turned);
}

/* The point (k, l) of the transform by its definition. */
static struct number definition(int n, int k, int l)
{
    struct number sum = {0, 0};
    for (int r = 0; r < n; r++)
        for (int c = 0; c < n; c++) {
            double angle = -2*acos(-1) * ((k*r + l*c) % n) / n;
            struct number x = first_value(r, c);
            sum.re += x.re*cos(angle) - x.im*sin(angle);
            sum.im += x.re*sin(angle) + x.im*cos(angle);
        }
    return divide(n, sum);
}

/* Of a few points of transformed [n][n], how many are not as defined. */
static int count_errors(int n, int narrow, const struct number *transformed)
{
    int errors = 0;
    for (int i = 0; i < 4; i++) {
        int k = i * (n/4 + 1) % n, l = i * (n/8 + 3) % n;
        struct number here = transformed[l*n + k], wanted = definition(n, k, l);
        errors += !(hypot(here.re - wanted.re, here.im - wanted.im) < (narrow ? 1e-6 : 1e-12) * n);
    }
    return errors;
}

/* The points of result [n][n] that one process finds different. */
static int count_differences(int n, int iterations, int narrow, const struct number *root,
                             const struct number *result)
{
    int differences = 0;
    struct number *now = memory(n*n, sizeof *now), *next = memory(n*n, sizeof *next);
    fill(0, n, n, now);
    for (int i = 0; i < iterations; i++) {
        transform_alone(n, narrow, root, now, next);
        if (i == 0)
            differences += count_errors(n, narrow, next);
        struct number *swap = now;
        now = next;
        next = swap;
    }
    for (int i = 0; i < n*n; i++)
        differences += now[i].re != result[i].re || now[i].im != result[i].im;
    free(now);
    free(next);
    return differences;
}

/* Collects the rows at process 0 and compares them there. Returns the points that differ. */
static int check(const struct plan *p, int iterations, int narrow, const struct number *field)
{
    int differences = 0, points = 2 * p->rows * p->n;
    struct number *result = p->procnum == 0 ? memory(p->n*p->n, sizeof *result) : NULL;
    MPI_Gather(field, points, MPI_DOUBLE, result, points, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (p->procnum == 0)
        differences = count_differences(p->n, iterations, narrow, p->root, result);
    free(result);
    MPI_Bcast(&differences, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return differences;
}

static void plan_make(struct plan *p, int n)
{
    p->n = n;
    p->rows = n / p->numprocs;
    p->root = memory(n/2, sizeof *p->root);
    for (int k = 0; k < n/2; k++)
        p->root[k] = (struct number){cos(2*acos(-1)*k/n), -sin(2*acos(-1)*k/n)};
    p->out = memory(p->rows*n, sizeof *p->out);
    p->in = memory(p->rows*n, sizeof *p->in);
    p->narrow_out = memory(2*p->rows*n, sizeof *p->narrow_out);
    p->narrow_in = memory(2*p->rows*n, sizeof *p->narrow_in);
}

static void plan_free(struct plan *p)
{
    free(p->root);
    free(p->out);
    free(p->in);
    free(p->narrow_out);
    free(p->narrow_in);
}

int main(int argc, char **argv)
{
    int n = 512; // PEVPM Param n = 512
    int iterations = 10; // PEVPM Param iterations = 10
    int pairs = 0; // PEVPM Param pairs = 0
    int narrow = 0; // PEVPM Param narrow = 0
    struct plan plan;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &plan.procnum);
    MPI_Comm_size(MPI_COMM_WORLD, &plan.numprocs);
    if (argc > 1)
        n = atoi(argv[1]);
    if (argc > 2)
        iterations = atoi(argv[2]);
    if (argc > 3)
        pairs = atoi(argv[3]);
    if (argc > 4)
        narrow = atoi(argv[4]);
    if (n < 2 || n > 8192 || (n & (n-1)) != 0 || n%plan.numprocs != 0 || iterations < 1) {
        if (plan.procnum == 0)
            fprintf(stderr, "fft: N must be a power of two, 2 ... 8192, and a multiple of the number of processes\n");
        MPI_Finalize();
        return 2;
    }
    plan_make(&plan, n);
    struct number *field = memory(plan.rows*n, sizeof *field);

    fill(plan.procnum*plan.rows, plan.rows, n, field);

    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
// PEVPM Loop iterations = iterations
// PEVPM {
    for (int i = 0; i < iterations; i++) {
// PEVPM Call transform
        transform(&plan, pairs, narrow, field);
    }
// PEVPM }
    MPI_Barrier(MPI_COMM_WORLD);
    double seconds = MPI_Wtime() - start;

    int differences = check(&plan, iterations, narrow, field);
    if (plan.procnum == 0) {
        printf("%d processes, %d transforms of %d x %d points: %.6f s\n", plan.numprocs, iterations, n, n, seconds);
        if (differences == 0)
            printf("the transform is the one that a single process computes\n");
        else
            printf("%d points differ from what a single process computes\n", differences);
    }
    free(field);
    plan_free(&plan);
    MPI_Finalize();
    return differences == 0 ? 0 : 1;
}
