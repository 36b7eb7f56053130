/* work.h - what the validation programs share: parameters from the command line, computation by timed sleep, the run
 * time.
 *
 * A program takes NAME=VALUE arguments and has directives that use the same names, so
 *     mpirun ... jacobi iterations=200 size=4096        and        pevpm-sim -D iterations=200 -D size=4096 jacobi.c
 * run and predict the same thing. It prints one number, its run time in seconds.
 *
 * Computation is a sleep, because sixteen virtual hosts share one machine's few cores: they can wait at the same time,
 * not compute. Made for one machine (validation/cluster): the processes must share one CLOCK_MONOTONIC. */
#ifndef PEVPM_VALIDATION_WORK_H
#define PEVPM_VALIDATION_WORK_H

#include <errno.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

static inline double work_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* A virtual machine's timers come some 15 us late: the end of a sleep is waited for awake. */
static inline void work_sleep_until(double deadline)
{
    const double early = deadline - 20e-6;
    struct timespec t = {.tv_sec = (time_t)early};
    t.tv_nsec = (long)(1e9 * (early - (double)t.tv_sec));
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR) { }
    while (work_now() < deadline) { }
}

/* Ends a computation that began at `began` and takes `seconds`: what the program really computes is a part of that. A sleep
 * still ends late where all hosts wake at once and wait for one of the machine's few processors, which no host of a real
 * cluster would; the next is shorter by that much, so that the computation as a whole takes what the program says. */
static inline void work_compute_since(double began, double seconds)
{
    static double late;
    const double deadline = began + seconds - late;
    work_sleep_until(deadline);
    late = work_now() - deadline;
}

/* Computes for `seconds`. */
static inline void work_compute(double seconds)
{
    work_compute_since(work_now(), seconds);
}

/* A parameter that is named on the command line: an int or a double. */
struct work_parameter {
    const char *name;
    int *whole;   /* or NULL */
    double *real; /* or NULL */
};

/* Reads NAME=VALUE arguments. What is not given stays as it was. Anything else ends the program on all processes. To be
 * called before anything that communicates. */
static inline void work_parameters(int argc, char **argv, int known, const struct work_parameter parameter[])
{
    for (int i = 1; i < argc; i++) {
        const char *value = strchr(argv[i], '=');
        size_t length = value == NULL ? 0 : (size_t)(value - argv[i]);
        char *end = NULL;
        double number = value == NULL ? -1 : strtod(value + 1, &end);
        int k = 0;
        while (k < known && (strlen(parameter[k].name) != length || strncmp(argv[i], parameter[k].name, length) != 0))
            k++;
        if (k == known || !(number >= 0) || *end != '\0') {
            fprintf(stderr, "%s: '%s': expected one of these, with a number:", argv[0], argv[i]);
            for (k = 0; k < known; k++)
                fprintf(stderr, " %s=", parameter[k].name);
            fprintf(stderr, "\n");
            MPI_Abort(MPI_COMM_WORLD, 2);
        } else if (parameter[k].whole != NULL) {
            *parameter[k].whole = (int)number;
        } else {
            *parameter[k].real = number;
        }
    }
    /* By default Linux lets a sleep end 50 us late. */
    prctl(PR_SET_TIMERSLACK, 1000UL, 0UL, 0UL, 0UL);
}

/* Ends the program on all processes where it cannot run on so many, or with such parameters. */
static inline void work_require(int holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "expected %s\n", what);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
}

/* The parameters of most programs: `iterations=`, `size=` (bytes) and `work=` (seconds of computation per iteration,
 * shared by all processes). */
static inline void work_arguments(int argc, char **argv, int *iterations, int *size, double *work)
{
    const struct work_parameter parameter[] = {
        {"iterations", iterations, NULL},
        {"size", size, NULL},
        {"work", NULL, work},
    };
    work_parameters(argc, argv, 3, parameter);
}

/* Starts all processes at the same moment and returns it. The network is quiet then, and every pair has spoken before:
 * Open MPI connects two processes when they first do. */
static inline double work_begin(void)
{
    int procnum, numprocs;
    MPI_Comm_rank(MPI_COMM_WORLD, &procnum);
    MPI_Comm_size(MPI_COMM_WORLD, &numprocs);
    for (int distance = 1; distance < numprocs; distance++)
        MPI_Sendrecv(NULL, 0, MPI_CHAR, (procnum + distance) % numprocs, 0, NULL, 0, MPI_CHAR,
                     (procnum + numprocs - distance) % numprocs, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    double start = work_now();
    MPI_Allreduce(MPI_IN_PLACE, &start, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    start += 0.05; /* s: the Allreduce is over everywhere, and the ports have rested */
    work_sleep_until(start);
    return start;
}

/* Prints the time from the common start to the end of the last process. The times can be compared because the clock is
 * one; a barrier in their place would add its own time. */
static inline void work_end(double start)
{
    int procnum;
    double last, end = work_now();
    MPI_Comm_rank(MPI_COMM_WORLD, &procnum);
    MPI_Reduce(&end, &last, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (procnum == 0)
        printf("%.6f\n", last - start);
}

/* The program's exit code, for all processes to call after work_end: 1 where any of them has found numbers that are not
 * what they should be, `wrong` of them. Process 0 says so. */
static inline int work_verdict(long wrong)
{
    int procnum;
    MPI_Comm_rank(MPI_COMM_WORLD, &procnum);
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    if (procnum == 0 && wrong > 0)
        printf("%ld numbers are wrong\n", wrong);
    return wrong > 0;
}

/* `bytes` of zeros for a message, never NULL. */
static inline char *work_buffer(int bytes)
{
    char *buffer = calloc((size_t)bytes + 1, 1);
    if (buffer == NULL)
        MPI_Abort(MPI_COMM_WORLD, 4);
    return buffer;
}

#endif
