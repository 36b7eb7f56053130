#include "measure/probes.h"

#include "common/alloc.h"
#include "estimate/limit.h"

#include <mpi.h>
#include <stdlib.h>
#include <time.h>

enum { PROBE_TAG = 1, NOBODYS_TAG = 5 };
static const long LOOK_NS = 100000; /* between two looks, times the ranks of a core: these wait at the same time */

/* Again and again in MPI, where nothing is received: some libraries pass an eager message on only while its receiver is
 * there, so that a send to a process that computes returns late though it waits for no receive. */
static void wait_in_mpi(const struct job *job, int64_t until)
{
    const struct timespec pause = {0, LOOK_NS * job->crowding};
    int found;
    while (clock_global(job->clock, clock_now(job->clock)) < until) {
        MPI_Iprobe(MPI_ANY_SOURCE, NOBODYS_TAG, job->comm, &found, MPI_STATUS_IGNORE);
        nanosleep(&pause, NULL);
    }
}

static void one_run(const struct job *job, int from, int to, int64_t bytes, int64_t start, int64_t delay, int which,
                    struct samples *own)
{
    char *buffer = alloc_zeroed((size_t)bytes + 1, 1);
    if (job->place == from) {
        clock_wait(job->clock, start);
        MPI_Send(buffer, (int)bytes, MPI_BYTE, job->rank_of[to], PROBE_TAG, job->comm);
        const int64_t back = clock_global(job->clock, clock_now(job->clock));
        samples_add(own, which);
        samples_add(own, start + delay - back);
    } else {
        wait_in_mpi(job, start + delay);
        MPI_Recv(buffer, (int)bytes, MPI_BYTE, job->rank_of[from], PROBE_TAG, job->comm, MPI_STATUS_IGNORE);
    }
    free(buffer);
}

void probes_run(const struct job *job, const struct probes *probes, struct samples *own)
{
    const int last = probes->pair.nodes * probes->pair.ppn - 1;
    const int64_t start = clock_start(job->clock, probes->delay);
    for (int i = 0; i < probes->n; i++) {
        const int from = job_place(job, shape_place(&probes->pair, i, 0)),
                  to = job_place(job, shape_place(&probes->pair, i, last));
        if (job->place == from || job->place == to)
            one_run(job, from, to, limit_size(probes->low, probes->high, i, probes->n), start, probes->delay, i, own);
    }
    clock_wait(job->clock, start + probes->delay);
}
