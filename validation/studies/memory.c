/* memory.c - loops of one call between two processes of a node: there and back, an exchange, one way; of the same bytes again and again,
 * and of bytes that their sender has written right before, as programs do.
 *
 * Prints lines `BYTES SENT,KIND,BYTES,MEDIAN,LEAST,MOST`: us a lap takes, of nine runs of so many laps, less what writing took. A loop one
 * way ends with an answer.
 *     mpirun -n 2 memory [laps=2000] */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS = 9, MOST = 1 << 20, KINDS = 3, LEAST_NEW = 1024 };
static const char *const names[KINDS] = {"there and back", "exchange", "one way"};
static const int sizes[] = {0, 8, 64, 256, 1024, 3000, 4000, 4200, 16384, 65536, 262144, MOST};
enum { SIZES = sizeof sizes / sizeof *sizes };

struct place {
    int rank;
    char *out, *in;
    int anew;       /* whether it writes what it sends */
    double written; /* s */
};

static void prepare(struct place *p, int bytes)
{
    if (!p->anew)
        return;
    const double start = MPI_Wtime();
    memset(p->out, p->out[0] + 1, (size_t)bytes);
    p->written += MPI_Wtime() - start;
}

static void send(struct place *p, int bytes)
{
    prepare(p, bytes);
    MPI_Send(p->out, bytes, MPI_BYTE, 1 - p->rank, 0, MPI_COMM_WORLD);
}

static void receive(struct place *p, int bytes)
{
    MPI_Recv(p->in, bytes, MPI_BYTE, 1 - p->rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void there_and_back(struct place *p, int bytes)
{
    if (p->rank == 0) {
        send(p, bytes);
        receive(p, bytes);
    } else {
        receive(p, bytes);
        send(p, bytes);
    }
}

static void exchange(struct place *p, int bytes)
{
    prepare(p, bytes);
    MPI_Sendrecv(p->out, bytes, MPI_BYTE, 1 - p->rank, 0, p->in, bytes, MPI_BYTE, 1 - p->rank, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
}

static void one_way(struct place *p, int bytes)
{
    if (p->rank == 0)
        send(p, bytes);
    else
        receive(p, bytes);
}

static void (*const laps_of[KINDS])(struct place *, int) = {there_and_back, exchange, one_way};

/* s that the run takes, on rank 0, less writing: of an exchange both write at once. */
static double run(struct place *p, int kind, int bytes, int laps)
{
    double written = 0;
    p->written = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    for (int i = 0; i < laps; i++)
        laps_of[kind](p, bytes);
    if (kind == 2 && p->rank == 0)
        receive(p, 0);
    else if (kind == 2)
        MPI_Send(p->out, 0, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
    const double took = MPI_Wtime() - start;
    MPI_Reduce(&p->written, &written, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    return took - (kind == 1 ? written / 2 : written);
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void runs(struct place *p, int kind, int bytes, int laps)
{
    double us[RUNS];
    run(p, kind, bytes, laps / 10 + 1);
    for (int i = 0; i < RUNS; i++)
        us[i] = run(p, kind, bytes, laps) / laps * 1e6;
    qsort(us, RUNS, sizeof *us, compare);
    if (p->rank == 0)
        printf("%s,%s,%d,%.4f,%.4f,%.4f\n", p->anew ? "new" : "same", names[kind], bytes, us[RUNS / 2], us[0], us[RUNS - 1]);
}

int main(int argc, char *argv[])
{
    int n;
    MPI_Init(&argc, &argv);
    const int laps = argc > 1 ? atoi(argv[1]) : 2000;
    struct place p = {.out = calloc(MOST, 1), .in = calloc(MOST, 1)};
    MPI_Comm_rank(MPI_COMM_WORLD, &p.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    if (n != 2 || laps < 1) {
        fprintf(stderr, "usage: mpirun -n 2 memory [LAPS]\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    for (int size = 0; size < SIZES; size++)
        for (p.anew = 0; p.anew <= (sizes[size] >= LEAST_NEW); p.anew++)
            for (int kind = 0; kind < KINDS; kind++)
                runs(&p, kind, sizes[size], sizes[size] > 100000 ? laps / 10 + 1 : laps);
    free(p.out);
    free(p.in);
    MPI_Finalize();
    return 0;
}
