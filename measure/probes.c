#include "measure/probes.h"

#include "common/alloc.h"
#include "estimate/machine/limit.h"

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

/* Which group it is, and by how many ns something was over before `until`. */
static void result_add(const struct job *job, int which, int64_t until, struct samples *own)
{
    const int64_t over = clock_global(job->clock, clock_now(job->clock));
    samples_add(own, which);
    samples_add(own, until - over);
}

/* The clock's wait may look all the time; but a processor that ranks share is the receiver's now. */
static void compute(const struct job *job, int64_t until)
{
    const struct timespec pause = {0, LOOK_NS};
    while (clock_global(job->clock, clock_now(job->clock)) < until)
        nanosleep(&pause, NULL);
}

static void computing_run(const struct job *job, int from, int to, char *buffer, int bytes, int64_t start,
                          int64_t until, int which, struct samples *own)
{
    if (job->place == from) {
        MPI_Request request;
        clock_wait(job->clock, start);
        MPI_Isend(buffer, bytes, MPI_BYTE, job->rank_of[to], PROBE_TAG, job->comm, &request);
        compute(job, until);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(buffer, bytes, MPI_BYTE, job->rank_of[from], PROBE_TAG, job->comm, MPI_STATUS_IGNORE);
        result_add(job, which, until, own);
    }
}

static void late_run(const struct job *job, bool computes, int from, int to, char *buffer, int bytes, int64_t start, int64_t until,
                     int which, struct samples *own)
{
    if (job->place == from) {
        clock_wait(job->clock, start);
        MPI_Send(buffer, bytes, MPI_BYTE, job->rank_of[to], PROBE_TAG, job->comm);
        result_add(job, which, until, own);
    } else {
        (computes ? compute : wait_in_mpi)(job, until);
        MPI_Recv(buffer, bytes, MPI_BYTE, job->rank_of[from], PROBE_TAG, job->comm, MPI_STATUS_IGNORE);
    }
}

void probes_run(const struct job *job, const struct probes *probes, struct samples *own)
{
    const int last = probes->pair.nodes * probes->pair.ppn - 1;
    const int64_t start = clock_start(job->clock, probes->delay);
    for (int i = 0; i < probes->n; i++) {
        const int from = job_shape_place(job, &probes->pair, shape_place(&probes->pair, i, 0)),
                  to = job_shape_place(job, &probes->pair, shape_place(&probes->pair, i, last));
        if (job->place != from && job->place != to)
            continue;
        const int64_t bytes = limit_size(probes->low, probes->high, i, probes->n);
        char *buffer = alloc_zeroed((size_t)bytes + 1, 1);
        if (probes->what == PROBE_sender_computes)
            computing_run(job, from, to, buffer, (int)bytes, start, start + probes->delay, i, own);
        else
            late_run(job, probes->what == PROBE_receiver_computes, from, to, buffer, (int)bytes, start, start + probes->delay, i, own);
        free(buffer);
    }
    clock_wait(job->clock, start + probes->delay);
}
