/* waking.c - how much of a small collective is its processes' waking, where virtual hosts share a machine's processors.
 *
 * Between two operations all sleep until one moment of the clock that they share, the last 0.1 ms awake, as pevpm-run
 * starts a run. Prints medians, us: when the last process found that the moment had come, when the average one did, when
 * the operation was over for all; how much of a processor each process took for it, and which part of all processors they took
 * together meanwhile, from the moment on. `hot`: without sleeping, right behind a barrier, from when the first process left that.
 *     mpirun -n 16 waking [repetitions=20] [rest=0.04] [bytes=8] */
#include "programs/work.h"

#include <unistd.h>

enum { MOST = 1000, OPERATIONS = 5 };
static const double AWAKE = 100e-6;
static const char *const names[OPERATIONS] = {"a step around a ring", "MPI_Bcast", "MPI_Allreduce", "MPI_Allgather",
                                              "MPI_Alltoall"};

struct place {
    int rank, n, bytes;
    char *in, *out; /* [n][bytes] */
};

static double processor_time(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void operate(int which, const struct place *p)
{
    const int right = (p->rank + 1) % p->n, left = (p->rank + p->n - 1) % p->n;
    switch (which) {
    case 0:
        MPI_Sendrecv(p->in, p->bytes, MPI_BYTE, right, 0, p->out, p->bytes, MPI_BYTE, left, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        break;
    case 1:
        MPI_Bcast(p->in, p->bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
        break;
    case 2:
        MPI_Allreduce(p->in, p->out, p->bytes / 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        break;
    case 3:
        MPI_Allgather(p->in, p->bytes, MPI_BYTE, p->out, p->bytes, MPI_BYTE, MPI_COMM_WORLD);
        break;
    default:
        MPI_Alltoall(p->in, p->bytes, MPI_BYTE, p->out, p->bytes, MPI_BYTE, MPI_COMM_WORLD);
    }
}

static void sleep_until(double moment)
{
    const double early = moment - AWAKE;
    struct timespec t = {.tv_sec = (time_t)early};
    t.tv_nsec = (long)(1e9 * (early - (double)t.tv_sec));
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR) { }
    while (work_now() < moment) { }
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double values[], int n)
{
    qsort(values, (size_t)n, sizeof *values, compare);
    return 1e6 * values[n / 2];
}

static void measure(int which, int hot, double rest, int repetitions, const struct place *p)
{
    static double last[MOST], average[MOST], over[MOST], taken[MOST], busy[MOST];
    const double processors = (double)sysconf(_SC_NPROCESSORS_ONLN);
    for (int i = 0; i < repetitions; i++) {
        double moment = work_now() + rest, most[3], sum[2];
        MPI_Bcast(&moment, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        if (hot) {
            MPI_Barrier(MPI_COMM_WORLD);
            moment = work_now();
        } else {
            sleep_until(moment);
        }
        const double awake = work_now(), before = processor_time();
        operate(which, p);
        const double end = work_now(), took = processor_time() - before;
        MPI_Reduce((double[]){awake, end, -moment}, most, 3, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
        MPI_Reduce((double[]){awake - moment, took}, sum, 2, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
        last[i] = most[0] + most[2];
        over[i] = most[1] + most[2];
        average[i] = sum[0] / p->n;
        taken[i] = sum[1] / p->n;
        busy[i] = 1e-6 * 100 * sum[1] / (processors * over[i]);
    }
    if (p->rank == 0)
        printf("%d processes, %s, %d bytes%s: last awake %.0f, on average %.0f, all over %.0f, processor %.0f us; processors busy "
               "%.0f %%\n", p->n, names[which], p->bytes, hot ? ", hot" : "", median(last, repetitions),
               median(average, repetitions), median(over, repetitions), median(taken, repetitions), median(busy, repetitions));
}

int main(int argc, char **argv)
{
    struct place here = {.bytes = 8};
    int repetitions = 20;
    double rest = 0.04;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &here.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &here.n);
    const struct work_parameter parameters[] = {{"repetitions", &repetitions, NULL}, {"rest", NULL, &rest},
                                                {"bytes", &here.bytes, NULL}};
    work_parameters(argc, argv, 3, parameters);
    work_require(repetitions >= 1 && repetitions <= MOST, "repetitions= from 1 to 1000");
    work_require(here.bytes >= 8 && here.bytes % 8 == 0, "bytes=, a multiple of 8");
    here.in = calloc((size_t)here.n, (size_t)here.bytes);
    here.out = calloc((size_t)here.n, (size_t)here.bytes);
    for (int which = 0; which < OPERATIONS; which++)
        for (int hot = 0; hot < 2; hot++)
            measure(which, hot, rest, repetitions, &here);
    MPI_Finalize();
    return 0;
}
