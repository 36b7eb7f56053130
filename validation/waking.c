/* waking.c - how much of a small collective is its processes' waking, where virtual hosts share a machine's processors.
 *
 * Between two operations all sleep until one moment of the clock that they share, the last 0.1 ms awake, as pevpm-run
 * starts a run. Prints medians, us: when the last process found that the moment had come, when the average one did, when
 * the operation was over for all; and how much of a processor each process took for it. `hot`: without sleeping, right
 * behind a barrier, from when the first process left that.
 *     mpirun -n 16 waking [repetitions=20] [rest=0.04] */
#include "programs/work.h"

enum { MOST = 1000, OPERATIONS = 3 };
static const double AWAKE = 100e-6;
static const char *const names[OPERATIONS] = {"a step around a ring, 0 bytes", "MPI_Bcast, 8 bytes", "MPI_Allreduce, 8 bytes"};

static double processor_time(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void operate(int which, int rank, int n)
{
    double in = 1, out = 0;
    if (which == 0)
        MPI_Sendrecv(NULL, 0, MPI_BYTE, (rank + 1) % n, 0, NULL, 0, MPI_BYTE, (rank + n - 1) % n, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
    else if (which == 1)
        MPI_Bcast(&in, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    else
        MPI_Allreduce(&in, &out, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
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

static void measure(int which, int hot, double rest, int repetitions, int rank, int n)
{
    static double last[MOST], average[MOST], over[MOST], taken[MOST];
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
        operate(which, rank, n);
        const double end = work_now(), took = processor_time() - before;
        MPI_Reduce((double[]){awake, end, -moment}, most, 3, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
        MPI_Reduce((double[]){awake - moment, took}, sum, 2, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
        last[i] = most[0] + most[2];
        over[i] = most[1] + most[2];
        average[i] = sum[0] / n;
        taken[i] = sum[1] / n;
    }
    if (rank == 0)
        printf("%d processes, %s%s: last awake %.0f, on average %.0f, all over %.0f, processor %.0f us\n", n, names[which],
               hot ? ", hot" : "", median(last, repetitions), median(average, repetitions), median(over, repetitions),
               median(taken, repetitions));
}

int main(int argc, char **argv)
{
    int rank, n, repetitions = 20;
    double rest = 0.04;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    const struct work_parameter parameters[] = {{"repetitions", &repetitions, NULL}, {"rest", NULL, &rest}};
    work_parameters(argc, argv, 2, parameters);
    if (repetitions < 1 || repetitions > MOST)
        MPI_Abort(MPI_COMM_WORLD, 2);
    for (int which = 0; which < OPERATIONS; which++)
        for (int hot = 0; hot < 2; hot++)
            measure(which, hot, rest, repetitions, rank, n);
    MPI_Finalize();
    return 0;
}
