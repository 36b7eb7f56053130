/* summa.c - C = A B on a grid of processes: SUMMA of van de Geijn and Watts. All matrices are n x n doubles in blocks; panels
 * of nb columns of A go along the rows of the grid, panels of nb rows of B along its columns. */
#include "cold.h"

int main(int argc, char **argv)
{
    int rank, size;
    int n = 384;  // PEVPM Param n = 384
    int nb = 32;  // PEVPM Param nb = 32
    const struct work_parameter known[] = {{"n", &n, NULL}, {"nb", &nb, NULL}};
    MPI_Init(&argc, &argv);
    work_parameters(argc, argv, 2, known);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int dims[2] = {0, 0};
    MPI_Dims_create(size, 2, dims);
    // PEVPM Set rows = dims_create(numprocs, 2, 0)
    // PEVPM Set columns = dims_create(numprocs, 2, 1)
    const int rows = dims[0], columns = dims[1];
    work_require(n % (rows * nb) == 0 && n % (columns * nb) == 0, "panels that no block's border cuts");
    // PEVPM Assert n % (rows*nb) == 0 && n % (columns*nb) == 0 "panels that no block's border cuts"
    // PEVPM Set myrow = procnum/columns
    // PEVPM Set mycolumn = procnum%columns
    const int myrow = rank / columns, mycolumn = rank % columns;
    // PEVPM Set m = n/rows
    // PEVPM Set w = n/columns
    const int m = n / rows, w = n / columns; /* of my block */
    double *a = calloc((size_t)(m * w), 8), *b = calloc((size_t)(m * w), 8);
    double *pa = calloc((size_t)(m * nb), 8), *pb = calloc((size_t)(nb * w), 8);
    double start = cold_begin();

    MPI_Comm row, column;
    // PEVPM Set row = comm_split(myrow, mycolumn)
    // PEVPM Message type = MPI_Comm_split
    MPI_Comm_split(MPI_COMM_WORLD, myrow, mycolumn, &row);
    // PEVPM Set column = comm_split(mycolumn, myrow)
    // PEVPM Message type = MPI_Comm_split
    MPI_Comm_split(MPI_COMM_WORLD, mycolumn, myrow, &column);

    // PEVPM Loop iterations = n/nb & var = k
    // PEVPM {
    for (int k = 0; k < n / nb; k++) {
        const int acolumn = k * nb / w, brow = k * nb / m;
        if (mycolumn == acolumn)
            for (int i = 0; i < m; i++)
                memcpy(pa + i * nb, a + i * w + k * nb % w, (size_t)nb * 8);
        if (myrow == brow)
            memcpy(pb, b + k * nb % m * w, (size_t)(nb * w) * 8);
        // PEVPM Collective type = MPI_Bcast & size = m*nb*8 & root = k*nb/w & comm = row
        MPI_Bcast(pa, m * nb, MPI_DOUBLE, acolumn, row);
        // PEVPM Collective type = MPI_Bcast & size = nb*w*8 & root = k*nb/m & comm = column
        MPI_Bcast(pb, nb * w, MPI_DOUBLE, brow, column);
        // PEVPM Serial time = 2.0*m*w*nb/400e6
        work_compute(2.0 * m * w * nb / 400e6); /* 400 Mflop/s */
    }
    // PEVPM }
    cold_end(start);
    MPI_Finalize();
    return 0;
}
