/* cold.h - the clock of programs whose processes have never spoken: all begin at one moment after MPI_Init, agreed on without a message,
 * by a file in /dev/shm that the processes of one machine share. So a run has the making of connections in it, which
 * `pevpm-sim` predicts without options; those of programs/ begin behind a message between every two. */
#ifndef PEVPM_VALIDATION_COLD_H
#define PEVPM_VALIDATION_COLD_H

#include "work.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

enum { COLD_MOST = 64 }; /* processes */

struct cold_clock {
    _Atomic int here, gone;
    _Atomic double start;
    double end[COLD_MOST];
};

/* The file is removed by who is the last to end, so the next job finds none. */
#define COLD_FILE "/dev/shm/pevpm-cold-clock"

static inline struct cold_clock *cold_clock(void)
{
    static struct cold_clock *made;
    if (made)
        return made;
    int file = open(COLD_FILE, O_RDWR | O_CREAT, 0600);
    if (file < 0 || ftruncate(file, sizeof *made) != 0)
        MPI_Abort(MPI_COMM_WORLD, 4);
    made = mmap(NULL, sizeof *made, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (made == MAP_FAILED)
        MPI_Abort(MPI_COMM_WORLD, 4);
    return made;
}

static inline double cold_begin(void)
{
    int numprocs;
    struct cold_clock *clock = cold_clock();
    MPI_Comm_size(MPI_COMM_WORLD, &numprocs);
    work_require(numprocs <= COLD_MOST, "more than 64 processes");
    if (atomic_fetch_add(&clock->here, 1) == numprocs - 1)
        atomic_store(&clock->start, work_now() + 0.15);
    while (atomic_load(&clock->start) == 0)
        usleep(2000);
    const double start = atomic_load(&clock->start);
    work_sleep_until(start);
    return start;
}

/* The last one prints how long all of it took. */
static inline void cold_end(double start)
{
    const double now = work_now();
    struct cold_clock *clock = cold_clock();
    int procnum, numprocs;
    MPI_Comm_rank(MPI_COMM_WORLD, &procnum);
    MPI_Comm_size(MPI_COMM_WORLD, &numprocs);
    clock->end[procnum] = now;
    if (atomic_fetch_add(&clock->gone, 1) == numprocs - 1) {
        double last = 0;
        for (int p = 0; p < numprocs; p++)
            last = clock->end[p] > last ? clock->end[p] : last;
        printf("%.6f\n", last - start);
        fflush(stdout);
        unlink(COLD_FILE);
    }
    MPI_Barrier(MPI_COMM_WORLD); /* nobody finalizes while others still count on it */
}

#endif
