/* How long a collective operation takes: collective OPERATION REPEATS BYTES..., the operation being MPI_Bcast, MPI_Scatter,
 * MPI_Scatterv, MPI_Gather or MPI_Gatherv, or MPI_Gather/PIECE: so many of them in a row as pieces of that size make.
 * Or collective times REPEATS OPERATION:BYTES...: each one's times in a line, ms, in the order in which they were taken.
 * Bytes of a share; of the vector in a Bcast. A time is that of the process that was in the operation longest, each from
 * its own end of a barrier on, 20 ms after what was before. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct run {
    const char *operation;
    int bytes, piece; /* piece 0: none */
    char *one, *all;
    int *counts, *displs;
};

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void operate(const struct run *r)
{
    int M = r->bytes;
    if (r->piece > 0)
        for (int at = 0; at < M; at += r->piece) {
            int part = M - at < r->piece ? M - at : r->piece;
            MPI_Gather(r->one, part, MPI_CHAR, r->all, part, MPI_CHAR, 0, MPI_COMM_WORLD);
        }
    else if (strcmp(r->operation, "MPI_Bcast") == 0)
        MPI_Bcast(r->one, M, MPI_CHAR, 0, MPI_COMM_WORLD);
    else if (strcmp(r->operation, "MPI_Scatter") == 0)
        MPI_Scatter(r->all, M, MPI_CHAR, r->one, M, MPI_CHAR, 0, MPI_COMM_WORLD);
    else if (strcmp(r->operation, "MPI_Scatterv") == 0)
        MPI_Scatterv(r->all, r->counts, r->displs, MPI_CHAR, r->one, M, MPI_CHAR, 0, MPI_COMM_WORLD);
    else if (strcmp(r->operation, "MPI_Gather") == 0)
        MPI_Gather(r->one, M, MPI_CHAR, r->all, M, MPI_CHAR, 0, MPI_COMM_WORLD);
    else
        MPI_Gatherv(r->one, M, MPI_CHAR, r->all, r->counts, r->displs, MPI_CHAR, 0, MPI_COMM_WORLD);
}

/* The longest time, on rank 0. */
static double once(const struct run *r)
{
    double own, longest = 0;
    nanosleep(&(struct timespec){0, 20000000}, NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    own = -MPI_Wtime();
    operate(r);
    own += MPI_Wtime();
    MPI_Reduce(&own, &longest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    return longest;
}

/* All times, t [repeats] out on rank 0, without the first, which finds connections new. */
static void times_take(struct run *r, int size, int repeats, double t[])
{
    r->one = calloc((size_t)r->bytes, 1);
    r->all = calloc((size_t)r->bytes, (size_t)size);
    r->counts = malloc((size_t)size * sizeof(int));
    r->displs = malloc((size_t)size * sizeof(int));
    for (int i = 0; i < size; i++)
        r->counts[i] = r->bytes, r->displs[i] = i * r->bytes;
    once(r);
    for (int k = 0; k < repeats; k++)
        t[k] = once(r);
    free(r->one);
    free(r->all);
    free(r->counts);
    free(r->displs);
}

static void measure(struct run *r, int rank, int size, int repeats)
{
    int late = 0;
    double *t = malloc((size_t)repeats * sizeof *t);
    times_take(r, size, repeats, t);
    qsort(t, (size_t)repeats, sizeof *t, ascending);
    for (int k = 0; k < repeats; k++)
        late += t[k] > 1.25 * t[0];
    if (rank == 0)
        printf("%8d %10.2f %8.2f %8.2f %8.2f  %d of %d\n", r->bytes, 1e3 * t[repeats / 2], 1e3 * t[0],
               1e3 * t[repeats * 9 / 10], 1e3 * t[repeats - 1], late, repeats);
    free(t);
}

/* of: OPERATION:BYTES, which is cut in two. */
static void tell(char *of, int rank, int size, int repeats)
{
    char *colon = strchr(of, ':');
    double *t = malloc((size_t)repeats * sizeof *t);
    if (!colon)
        MPI_Abort(MPI_COMM_WORLD, 2);
    *colon = '\0';
    struct run r = {.operation = of, .bytes = atoi(colon + 1)};
    times_take(&r, size, repeats, t);
    if (rank == 0) {
        printf("%s %d", of, r.bytes);
        for (int k = 0; k < repeats; k++)
            printf(" %.3f", 1e3 * t[k]);
        putchar('\n');
    }
    free(t);
}

int main(int argc, char *argv[])
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc < 4 || atoi(argv[2]) < 1) {
        if (rank == 0)
            fprintf(stderr, "collective OPERATION REPEATS BYTES...\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    if (strcmp(argv[1], "times") == 0) {
        for (int i = 3; i < argc; i++)
            tell(argv[i], rank, size, atoi(argv[2]));
        MPI_Finalize();
        return 0;
    }
    struct run r = {.operation = argv[1]};
    if (strchr(argv[1], '/'))
        r.piece = atoi(strchr(argv[1], '/') + 1);
    if (rank == 0)
        printf("%s\n   bytes  median ms      min      p90      max  above 1.25 x min\n", argv[1]);
    for (int i = 3; i < argc; i++) {
        r.bytes = atoi(argv[i]);
        measure(&r, rank, size, atoi(argv[2]));
    }
    MPI_Finalize();
    return 0;
}
