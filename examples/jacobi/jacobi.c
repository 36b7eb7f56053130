/* jacobi.c - Jacobi iteration on a 256 x 256 grid, cut into strips of rows: one strip for each process.
 *
 *     mpicc -O2 jacobi.c -o jacobi && mpirun -np 4 ./jacobi [ITERATIONS]
 *
 * This is the skeleton of Figure 5 in Grove and Coddington, "Communication Benchmarking and Performance Modelling of
 * MPI Programs on Cluster Computers", J. Supercomputing (2005), made complete: allocation, first values, a check of
 * the result. The directives are those of the figure. Two differ: the figure prints `Loop iterations = 100000`; here
 * the count is the constant of the same value that the program declares, so that `pevpm-sim -D iterations=1000` can
 * change it; and a second Serial line serves machines other than perseus.
 *
 * Even processes send to procnum+1 without asking whether there is one, so the number of processes must be even; equal
 * strips want it to divide 256 as well. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

/* First value of a point. Row 0, row 257, column 0 and column 255 never change. No two neighbours are alike, so that
 * a strip that got the wrong row cannot end with the right numbers. */
static float first_value(int row, int column)
{
    return (float)((7 * row + 3 * column) % 11);
}

/* Replaces grid [ysize][xsize] `iterations` times by the averages of the four neighbours, in all processes together.
 * The result is in grid where `iterations` is even, else in griddash. */
static void iterate(int iterations, int procnum, int numprocs, int xsize, int ysize, float grid[ysize][xsize],
                    float griddash[ysize][xsize])
{
    int i, j, k;
    MPI_Status status;
// PEVPM Loop iterations = iterations
// PEVPM {
    for (i = 0; i < iterations; i++) {
// PEVPM Runon c1 = procnum%2 == 0
// PEVPM &     c2 = procnum%2 != 0
// PEVPM {
        if (procnum%2 == 0) {
// PEVPM Runon c1 = procnum != 0
// PEVPM {
            if (procnum != 0) {
// PEVPM Message type = MPI_Send
// PEVPM &       size = xsize*sizeof(float)
// PEVPM &       from = procnum
// PEVPM &       to = procnum-1
                MPI_Send(grid[1], xsize, MPI_FLOAT, procnum-1, 0, MPI_COMM_WORLD);
            }
// PEVPM }
// PEVPM Message type = MPI_Send
// PEVPM &       size = xsize*sizeof(float)
// PEVPM &       from = procnum
// PEVPM &       to = procnum+1
            MPI_Send(grid[ysize-2], xsize, MPI_FLOAT, procnum+1, 0, MPI_COMM_WORLD);
// PEVPM Message type = MPI_Recv
// PEVPM &       size = xsize*sizeof(float)
// PEVPM &       from = procnum+1
// PEVPM &       to = procnum
            MPI_Recv(grid[ysize-1], xsize, MPI_FLOAT, procnum+1, 0, MPI_COMM_WORLD, &status);
// PEVPM Runon c1 = procnum != 0
// PEVPM {
            if (procnum != 0) {
// PEVPM Message type = MPI_Recv
// PEVPM &       size = xsize*sizeof(float)
// PEVPM &       from = procnum-1
// PEVPM &       to = procnum
                MPI_Recv(grid[0], xsize, MPI_FLOAT, procnum-1, 0, MPI_COMM_WORLD, &status);
            }
// PEVPM }
        }
// PEVPM }
// PEVPM {
        else {
// PEVPM Runon c1 = procnum != numprocs-1
// PEVPM {
            if (procnum != numprocs-1) {
// PEVPM Message type = MPI_Recv
// PEVPM &       size = xsize*sizeof(float)
// PEVPM &       from = procnum+1
// PEVPM &       to = procnum
                MPI_Recv(grid[ysize-1], xsize, MPI_FLOAT, procnum+1, 0, MPI_COMM_WORLD, &status);
            }
// PEVPM }
// PEVPM Message type = MPI_Recv
// PEVPM &       size = xsize*sizeof(float)
// PEVPM &       from = procnum-1
// PEVPM &       to = procnum
            MPI_Recv(grid[0], xsize, MPI_FLOAT, procnum-1, 0, MPI_COMM_WORLD, &status);
// PEVPM Message type = MPI_Send
// PEVPM &       size = xsize*sizeof(float)
// PEVPM &       from = procnum
// PEVPM &       to = procnum-1
            MPI_Send(grid[1], xsize, MPI_FLOAT, procnum-1, 0, MPI_COMM_WORLD);
// PEVPM Runon c1 = procnum != numprocs-1
// PEVPM {
            if (procnum != numprocs-1) {
// PEVPM Message type = MPI_Send
// PEVPM &       size = xsize*sizeof(float)
// PEVPM &       from = procnum
// PEVPM &       to = procnum+1
                MPI_Send(grid[ysize-2], xsize, MPI_FLOAT, procnum+1, 0, MPI_COMM_WORLD);
            }
// PEVPM }
        }
// PEVPM }
// PEVPM Serial on perseus time = 3.24/numprocs
// Elsewhere 0.53 ns for each of the 65,536 points: one core of an AMD EPYC (Zen 5) at 2.6 GHz, gcc 12 -O2.
// PEVPM Serial time = 65536*0.53/numprocs ns
        for (j = 1; j < ysize-1; j++)
            for (k = 1; k < xsize-1; k++)
                griddash[j][k] = 0.25f * (grid[j][k-1] + grid[j-1][k] + grid[j][k+1] + grid[j+1][k]);
        float (*swap)[xsize] = grid;
        grid = griddash;
        griddash = swap;
    }
// PEVPM }
}

/* Both copies of the rows first_row ... first_row + ysize - 1. */
static void fill(int first_row, int xsize, int ysize, float grid[ysize][xsize], float griddash[ysize][xsize])
{
    for (int row = 0; row < ysize; row++)
        for (int column = 0; column < xsize; column++)
            grid[row][column] = griddash[row][column] = first_value(first_row + row, column);
}

/* The same iterations in this process alone. Returns the points of result [rows][xsize] that differ: the order of the
 * additions is the same, so none may, not even in the last bit. */
static int count_differences(int iterations, int rows, int xsize, float result[rows][xsize])
{
    int ysize = rows + 2;
    float (*now)[xsize] = malloc(sizeof(float[ysize][xsize]));
    float (*next)[xsize] = malloc(sizeof(float[ysize][xsize]));
    if (now == NULL || next == NULL)
        MPI_Abort(MPI_COMM_WORLD, 4);
    fill(0, xsize, ysize, now, next);
    for (int i = 0; i < iterations; i++) {
        for (int j = 1; j < ysize-1; j++)
            for (int k = 1; k < xsize-1; k++)
                next[j][k] = 0.25f * (now[j][k-1] + now[j-1][k] + now[j][k+1] + now[j+1][k]);
        float (*swap)[xsize] = now;
        now = next;
        next = swap;
    }
    int differences = 0;
    for (int j = 0; j < rows; j++)
        for (int k = 0; k < xsize; k++)
            differences += now[j+1][k] != result[j][k];
    free(now);
    free(next);
    return differences;
}

/* Collects the strips [rows/numprocs][xsize] at process 0 and compares them there. Returns the points that differ. */
static int check(int iterations, int procnum, int numprocs, int rows, int xsize, float *strip)
{
    int differences = 0;
    float (*result)[xsize] = procnum == 0 ? malloc(sizeof(float[rows][xsize])) : NULL;
    if (procnum == 0 && result == NULL)
        MPI_Abort(MPI_COMM_WORLD, 4);
    int points = rows / numprocs * xsize;
    MPI_Gather(strip, points, MPI_FLOAT, result, points, MPI_FLOAT, 0, MPI_COMM_WORLD);
    if (procnum == 0)
        differences = count_differences(iterations, rows, xsize, result);
    free(result);
    MPI_Bcast(&differences, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return differences;
}

int main(int argc, char **argv)
{
    int procnum, numprocs;
    int iterations = 100000; // PEVPM Param iterations = 100000
    int xsize = 256; // PEVPM Param xsize = 256

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &procnum);
    MPI_Comm_size(MPI_COMM_WORLD, &numprocs);
    if (numprocs%2 != 0 || 256%numprocs != 0) {
        if (procnum == 0)
            fprintf(stderr, "jacobi: runs on 2, 4, 8, ... 256 processes, not on %d\n", numprocs);
        MPI_Finalize();
        return 2;
    }
    if (argc > 1)
        iterations = atoi(argv[1]);

    int ysize = 256/numprocs+2;
    float (*grid)[xsize] = malloc(sizeof(float[ysize][xsize]));
    float (*griddash)[xsize] = malloc(sizeof(float[ysize][xsize]));
    if (grid == NULL || griddash == NULL)
        MPI_Abort(MPI_COMM_WORLD, 4);
    fill(procnum*(ysize-2), xsize, ysize, grid, griddash);

    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    iterate(iterations, procnum, numprocs, xsize, ysize, grid, griddash);
    MPI_Barrier(MPI_COMM_WORLD);
    double seconds = MPI_Wtime() - start;

    float (*result)[xsize] = iterations%2 == 0 ? grid : griddash;
    int differences = check(iterations, procnum, numprocs, 256, xsize, result[1]);
    if (procnum == 0) {
        printf("%d processes, %d iterations: %.6f s\n", numprocs, iterations, seconds);
        if (differences == 0)
            printf("the grid is the one that a single process computes\n");
        else
            printf("%d points differ from what a single process computes\n", differences);
    }
    free(grid);
    free(griddash);
    MPI_Finalize();
    return differences == 0 ? 0 : 1;
}
