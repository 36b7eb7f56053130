#include "measure/steps.h"

#include <assert.h>

enum { STEPS_TAG = 2 };
static const int64_t TIME_NS = 2000000; /* that a repetition may take beside its rest */

double steps_duration(int n, int64_t rest)
{
    return (double)n * (double)(rest + TIME_NS) * 1e-9;
}

static int64_t step_average(const struct job *job, int place, int nodes)
{
    int64_t first = 0;
    int distance = 1;
    for (int step = 0; step < STEPS; step++) {
        const int to = (place + distance) % nodes, from = (place - distance + nodes) % nodes;
        MPI_Sendrecv(NULL, 0, MPI_BYTE, job->rank_of[to * job->ppn], STEPS_TAG, NULL, 0, MPI_BYTE,
                     job->rank_of[from * job->ppn], STEPS_TAG, job->comm, MPI_STATUS_IGNORE);
        if (step == 0)
            first = clock_now(job->clock);
        distance = 2 * distance < nodes ? 2 * distance : 1;
    }
    return (clock_now(job->clock) - first) / (STEPS - 1);
}

void steps_run(const struct job *job, int nodes, int n, int64_t rest, struct samples *own)
{
    const bool takes_part = job->place >= 0 && job->place % job->ppn == 0 && job->place / job->ppn < nodes;
    const int64_t start = clock_start(job->clock, rest);
    assert(nodes >= 2);
    for (int i = 0; i < n; i++) {
        clock_wait(job->clock, start + i * (rest + TIME_NS));
        if (takes_part)
            samples_add(own, step_average(job, job->place / job->ppn, nodes));
    }
}
