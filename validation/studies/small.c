/* small.c - collective operations that all processes begin at one moment, and loops of them with computations between.
 *
 * Prints lines `single,OPERATION,BYTES,PROCESSES,MEDIAN,LEAST,MOST` (us; from the moment to the end of the last process) and
 * `loop,OPERATION,BYTES,PROCESSES,REST,MEDIAN,LEAST,MOST` (us a lap takes beyond the rest); `loop-plain` where a late end
 * of a sleep does not make the next one shorter.
 *     mpirun -n 16 small [repetitions=9] [laps=30] */
#include "programs/work.h"

enum { MOST = 1000, LARGEST = 16384 };

struct place {
    int rank, n;
    char *in, *out; /* [n][LARGEST] */
};

static void operate(int which, int bytes, const struct place *p)
{
    const int m = bytes / 8, to = (p->rank + 1) % p->n, from = (p->rank + p->n - 1) % p->n;
    char *in = p->in, *out = p->out;
    const MPI_Comm comm = MPI_COMM_WORLD;
    switch (which) {
    case 0: MPI_Sendrecv(in, bytes, MPI_BYTE, to, 0, out, bytes, MPI_BYTE, from, 0, comm, MPI_STATUS_IGNORE); break;
    case 1: MPI_Barrier(comm); break;
    case 2: MPI_Bcast(in, bytes, MPI_BYTE, 0, comm); break;
    case 3: MPI_Reduce(in, out, m, MPI_DOUBLE, MPI_SUM, 0, comm); break;
    case 4: MPI_Allreduce(in, out, m, MPI_DOUBLE, MPI_SUM, comm); break;
    case 5: MPI_Gather(in, bytes, MPI_BYTE, out, bytes, MPI_BYTE, 0, comm); break;
    case 6: MPI_Scatter(in, bytes, MPI_BYTE, out, bytes, MPI_BYTE, 0, comm); break;
    case 7: MPI_Allgather(in, bytes, MPI_BYTE, out, bytes, MPI_BYTE, comm); break;
    case 8: MPI_Alltoall(in, bytes, MPI_BYTE, out, bytes, MPI_BYTE, comm); break;
    case 9: MPI_Scan(in, out, m, MPI_DOUBLE, MPI_SUM, comm); break;
    case 10: MPI_Reduce_scatter_block(in, out, m, MPI_DOUBLE, MPI_SUM, comm); break;
    }
}

static const char *const names[] = {"step",    "Barrier",   "Bcast",    "Reduce", "Allreduce",           "Gather",
                                    "Scatter", "Allgather", "Alltoall", "Scan",   "Reduce_scatter_block"};
enum { OPERATIONS = sizeof names / sizeof *names };

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void single(int which, int bytes, int repetitions, const struct place *p)
{
    static double over[MOST];
    for (int i = -1; i < repetitions; i++) {
        double moment = work_now() + 0.03, most;
        MPI_Bcast(&moment, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        work_sleep_until(moment);
        operate(which, bytes, p);
        const double end = work_now();
        MPI_Reduce(&end, &most, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
        if (i >= 0)
            over[i] = 1e6 * (most - moment);
    }
    qsort(over, (size_t)repetitions, sizeof *over, compare);
    if (p->rank == 0)
        printf("single,%s,%d,%d,%.0f,%.0f,%.0f\n", names[which], bytes, p->n, over[repetitions / 2], over[0],
               over[repetitions - 1]);
}

static void plain_sleep(double seconds)
{
    struct timespec t = {.tv_sec = (time_t)seconds, .tv_nsec = (long)(1e9 * (seconds - (double)(time_t)seconds))};
    nanosleep(&t, NULL);
}

static void loop(int which, int bytes, int laps, double rest, int plain, const struct place *p)
{
    double lap[3];
    for (int k = 0; k < 3; k++) {
        const double start = work_begin();
        for (int i = 0; i < laps; i++) {
            if (plain)
                plain_sleep(rest);
            else if (rest > 0)
                work_compute(rest);
            operate(which, bytes, p);
        }
        double end = work_now(), most;
        MPI_Reduce(&end, &most, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
        lap[k] = 1e6 * ((most - start) / laps - rest);
    }
    qsort(lap, 3, sizeof *lap, compare);
    if (p->rank == 0)
        printf("loop%s,%s,%d,%d,%g,%.1f,%.1f,%.1f\n", plain ? "-plain" : "", names[which], bytes, p->n, rest, lap[1],
               lap[0], lap[2]);
}

int main(int argc, char **argv)
{
    struct place here;
    int repetitions = 9, laps = 30;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &here.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &here.n);
    const struct work_parameter parameters[] = {{"repetitions", &repetitions, NULL}, {"laps", &laps, NULL}};
    work_parameters(argc, argv, 2, parameters);
    if (repetitions < 1 || repetitions > MOST || laps < 1)
        MPI_Abort(MPI_COMM_WORLD, 2);
    here.in = calloc((size_t)here.n, LARGEST);
    here.out = calloc((size_t)here.n, LARGEST);
    work_begin();
    static const int sizes[] = {8, 256, 1024, 4096, 16384};
    for (int which = 0; which < OPERATIONS; which++)
        for (int s = 0; s < (which == 1 ? 1 : 5); s++)
            single(which, which == 1 ? 0 : sizes[s], repetitions, &here);
    static const double rests[] = {0, 0.0003, 0.001, 0.003, 0.01};
    static const int ops[][2] = {{0, 0}, {2, 8}, {4, 8}, {4, 1024}, {5, 8}};
    for (int o = 0; o < 5; o++)
        for (int r = 0; r < 5; r++)
            loop(ops[o][0], ops[o][1], laps, rests[r], 0, &here);
    for (int o = 0; o < 5; o++)
        loop(ops[o][0], ops[o][1], laps, 0.003, 1, &here);
    MPI_Finalize();
    return 0;
}
