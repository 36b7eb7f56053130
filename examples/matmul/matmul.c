/* matmul.c - C = A B of n x n matrices on processors of two speeds: who is faster gets more rows of A.
 *
 *     mpicc -O2 matmul.c -o matmul && mpirun -np 4 ./matmul [N [RATIO [SPREAD]]]
 *
 * The application of section 7 in Lastovetsky and Rychkov, "Accurate and Efficient Estimation of Parameters of
 * Heterogeneous Communication Performance Models", IJHPCA (2009): process 0 scatters slices of A and broadcasts B,
 * every process multiplies, process 0 gathers the slices of C. Here the even processes are taken to be RATIO times as
 * fast as the odd ones; RATIO = 1 makes equal slices. SPREAD = 1 broadcasts B as equal parts that all then collect from
 * each other; the number of processes has to divide N*N.
 *
 * C is compared with the product that a single process computes, bit by bit, and with one that is known. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static double *matrix(int rows, int n)
{
    double *m = calloc((size_t)rows * n + 1, sizeof *m);
    if (m == NULL)
        MPI_Abort(MPI_COMM_WORLD, 4);
    return m;
}

/* The first row of a process: the speed of those before it in that of all, times n. */
static int first_row(int procnum, int numprocs, int n, int ratio)
{
    int before = ratio*((procnum+1)/2) + procnum/2;
    int all = ratio*((numprocs+1)/2) + numprocs/2;
    return n*before/all;
}

/* c [rows][n] = a [rows][n] times b [n][n]. */
static void multiply(int rows, int n, const double *a, const double *b, double *c)
{
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < n; j++)
            c[i*n + j] = 0;
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++)
                c[i*n + j] += a[i*n + k] * b[k*n + j];
    }
}

/* Small integers, so that sums are exact: a = i + 2k and b = k - j mod 7. */
static void fill(int n, double *a, double *b)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            a[i*n + j] = i + 2*j;
            b[i*n + j] = (i + 6*j) % 7;
        }
}

/* Wrong numbers in c. */
static int count_differences(int n, const double *a, const double *b, const double *c)
{
    int differences = 0;
    double *alone = matrix(n, n);
    multiply(n, n, a, b, alone);
    for (int i = 0; i < n*n; i++)
        differences += alone[i] != c[i];
    for (int i = 0; i < n; i += n/4 + 1) {
        long sum = 0;
        for (int k = 0; k < n; k++)
            sum += (long)(i + 2*k) * ((k + 6*i) % 7);
        differences += c[i*n + i] != (double)sum;
    }
    free(alone);
    return differences;
}

/* Gives b [n][n] of process 0 to everybody. */
static void broadcast(int procnum, int numprocs, int n, int spread, double *b)
{
    int part = n*n/numprocs;
// PEVPM Procedure broadcast
// PEVPM {
// PEVPM Runon c1 = spread & else
// PEVPM {
    if (spread) {
        void *mine = procnum == 0 ? MPI_IN_PLACE : b + procnum*part;
// PEVPM Collective type = MPI_Scatter & size = n*n/numprocs*sizeof(double) & root = 0
        MPI_Scatter(b, part, MPI_DOUBLE, mine, part, MPI_DOUBLE, 0, MPI_COMM_WORLD);
// PEVPM Collective type = MPI_Allgather & size = n*n/numprocs*sizeof(double)
        MPI_Allgather(MPI_IN_PLACE, part, MPI_DOUBLE, b, part, MPI_DOUBLE, MPI_COMM_WORLD);
// PEVPM }
// PEVPM {
    } else {
// PEVPM Collective type = MPI_Bcast & size = n*n*sizeof(double) & root = 0
        MPI_Bcast(b, n*n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
// PEVPM }
// PEVPM }
}

/* One multiplication, of slices whose sizes each process can tell. a and c [n][n] are those of process 0, b [n][n] is
 * everybody's. */
static void multiply_together(int procnum, int numprocs, int n, int ratio, int spread, const double *a, double *b,
                              double *c)
{
    int count[numprocs], first[numprocs];
    for (int p = 0; p < numprocs; p++) {
        first[p] = n * first_row(p, numprocs, n, ratio);
        count[p] = n * first_row(p+1, numprocs, n, ratio) - first[p];
    }
// PEVPM Set all = ratio*((numprocs+1)/2) + numprocs/2
// PEVPM Set before = ratio*((procnum+1)/2) + procnum/2
// PEVPM Set with = ratio*((procnum+2)/2) + (procnum+1)/2
// PEVPM Set rows = n*with/all - n*before/all
    int rows = count[procnum] / n;
    double *slice_of_a = matrix(rows, n), *slice_of_c = matrix(rows, n);
// PEVPM Collective type = MPI_Scatterv & size = rows*n*sizeof(double) & root = 0
    MPI_Scatterv(a, count, first, MPI_DOUBLE, slice_of_a, rows*n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
// PEVPM Call broadcast
    broadcast(procnum, numprocs, n, spread, b);
// 0.38 ns for a multiplication and an addition: one core of an AMD EPYC (Zen 5) at 2.6 GHz, gcc 12 -O2.
// PEVPM Serial time = rows*n*n * 0.38 ns
    multiply(rows, n, slice_of_a, b, slice_of_c);
// PEVPM Collective type = MPI_Gatherv & size = rows*n*sizeof(double) & root = 0
    MPI_Gatherv(slice_of_c, rows*n, MPI_DOUBLE, c, count, first, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    free(slice_of_a);
    free(slice_of_c);
}

int main(int argc, char **argv)
{
    int procnum, numprocs;
    int n = 480; // PEVPM Param n = 480
    int ratio = 2; // PEVPM Param ratio = 2
    int spread = 0; // PEVPM Param spread = 0

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &procnum);
    MPI_Comm_size(MPI_COMM_WORLD, &numprocs);
    if (argc > 1)
        n = atoi(argv[1]);
    if (argc > 2)
        ratio = atoi(argv[2]);
    if (argc > 3)
        spread = atoi(argv[3]);
    if (n < 1 || n > 8192 || ratio < 1 || ratio > 100 || (spread && n*n%numprocs != 0)) {
        if (procnum == 0)
            fprintf(stderr, "matmul: N must be 1 ... 8192, RATIO 1 ... 100, with SPREAD parts must be equal\n");
        MPI_Finalize();
        return 2;
    }
    double *b = matrix(n, n);
    double *a = procnum == 0 ? matrix(n, n) : NULL, *c = procnum == 0 ? matrix(n, n) : NULL;
    if (procnum == 0)
        fill(n, a, b);

    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    multiply_together(procnum, numprocs, n, ratio, spread, a, b, c);
    MPI_Barrier(MPI_COMM_WORLD);
    double seconds = MPI_Wtime() - start;

    int differences = procnum == 0 ? count_differences(n, a, b, c) : 0;
    MPI_Bcast(&differences, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (procnum == 0) {
        printf("%d processes, product of %d x %d matrices: %.6f s\n", numprocs, n, n, seconds);
        if (differences == 0)
            printf("the product is the one that a single process computes\n");
        else
            printf("%d numbers of the product are wrong\n", differences);
    }
    free(a);
    free(b);
    free(c);
    MPI_Finalize();
    return differences == 0 ? 0 : 1;
}
