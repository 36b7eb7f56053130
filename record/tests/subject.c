/* subject.c - what test_record.sh records: one kind of call each, by the first argument. Here are the main, and those about no more
 * than a process and its calls; the others stand by their noun (subject.h). */
#include "subject.h"

#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int rank, size;

void ring(int steps)
{
    int out = rank, in;
    for (int i = 0; i < steps; i++)
        MPI_Sendrecv(&out, 1, MPI_INT, (rank + 1) % size, 3, &in, 1, MPI_INT, (rank + size - 1) % size, 3, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
}

static void *another_thread(void *unused)
{
    MPI_Barrier(MPI_COMM_SELF);
    return unused;
}

static void threads(int steps)
{
    pthread_t thread;
    ring(steps);
    pthread_create(&thread, NULL, another_thread, NULL);
    pthread_join(thread, NULL);
    ring(1);
}

static void forks(int steps)
{
    ring(steps);
    const pid_t child = fork();
    if (child == 0)
        exit(0);
    waitpid(child, NULL, 0);
    ring(1);
}

static void aborts(int steps)
{
    ring(steps);
    MPI_Abort(MPI_COMM_WORLD, 7);
}

static void leaves(int steps)
{
    ring(steps);
    exit(0);
}

/* ns for each call of loops that do nothing else: over one call, over four. */
static void cost(int n)
{
    double start = MPI_Wtime();
    for (int i = 0; i < n; i++)
        MPI_Barrier(MPI_COMM_SELF);
    double one = MPI_Wtime();
    for (int i = 0; i < n / 4; i++) {
        MPI_Barrier(MPI_COMM_SELF);
        MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_SELF);
        MPI_Barrier(MPI_COMM_SELF);
        MPI_Bcast(&rank, 1, MPI_INT, 0, MPI_COMM_SELF);
    }
    printf("%.0f %.0f\n", (one - start) / n * 1e9, (MPI_Wtime() - one) / n * 1e9);
}

/* What a call with a request costs of messages to oneself, n of them open at a time, each waited for by itself: ns. */
static void opens(int n)
{
    const int laps = n < 100000 ? 200000 / n : 2;
    MPI_Request *requests = malloc((size_t)n * sizeof *requests);
    char in, out = 1;
    double start = MPI_Wtime();
    for (int lap = 0; lap < laps; lap++) {
        for (int i = 0; i < n / 2; i++)
            MPI_Irecv(&in, 1, MPI_CHAR, 0, 0, MPI_COMM_SELF, &requests[i]);
        for (int i = n / 2; i < n; i++)
            MPI_Isend(&out, 1, MPI_CHAR, 0, 0, MPI_COMM_SELF, &requests[i]);
        for (int i = 0; i < n; i++)
            MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
    }
    printf("%.0f\n", (MPI_Wtime() - start) / laps / n / 2 * 1e9);
    free(requests);
}

static const struct subject own_subjects[] = {
    {.name = "ring", .counted = ring, .usual = 10},
    {.name = "threads", .counted = threads, .usual = 10},
    {.name = "fork", .counted = forks, .usual = 10},
    {.name = "abort", .counted = aborts, .usual = 10},
    {.name = "leave", .counted = leaves, .usual = 10},
    {.name = "cost", .counted = cost, .usual = 1000000},
    {.name = "open", .counted = opens, .usual = 2},
    {.name = NULL},
};

static const struct subject *subject_of(const char *name)
{
    static const struct subject *const all[] = {own_subjects, subjects_of_calls, subjects_of_files, subjects_of_comms,
                                                subjects_of_grid, subjects_of_algorithms};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        for (const struct subject *subject = all[i]; subject->name; subject++)
            if (strcmp(subject->name, name) == 0)
                return subject;
    return NULL;
}

int main(int argc, char **argv)
{
    int provided;
    const struct subject *subject = subject_of(argc > 1 ? argv[1] : "ring");
    const char *argument = argc > 2 ? argv[2] : NULL;
    if (!subject) {
        fprintf(stderr, "subject: there is no %s\n", argv[1]);
        return 2;
    }
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (subject->alone)
        subject->alone();
    else if (subject->told)
        subject->told(argument);
    else
        subject->counted(argument ? atoi(argument) : subject->usual);
    MPI_Finalize();
    return 0;
}
