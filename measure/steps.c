#include "measure/steps.h"

#include <assert.h>

enum { STEPS_TAG = 2 };
static const int64_t TIME_NS = 2000000; /* that a repetition may take beside its rest, ... */
static const int64_t CORE_NS = 250000;  /* ... for each rank of a core: 64 on two cores take 7.4 ms */

static int64_t period(const struct job *job, int64_t rest)
{
    const int64_t shared = CORE_NS * job->crowding;
    return rest + (shared > TIME_NS ? shared : TIME_NS);
}

double steps_duration(const struct job *job, int n, int64_t rest)
{
    return (double)n * (double)period(job, rest) * 1e-9;
}

/* first: when the first step was over, on the process's own clock. Returns what each of the others took. */
static int64_t steps_take(const struct job *job, int place, int nodes, int64_t *first)
{
    int distance = 1;
    for (int step = 0; step < STEPS; step++) {
        const int to = (place + distance) % nodes, from = (place - distance + nodes) % nodes;
        MPI_Sendrecv(NULL, 0, MPI_BYTE, job->rank_of[to * job->ppn], STEPS_TAG, NULL, 0, MPI_BYTE,
                     job->rank_of[from * job->ppn], STEPS_TAG, job->comm, MPI_STATUS_IGNORE);
        if (step == 0)
            *first = clock_now(job->clock);
        distance = 2 * distance < nodes ? 2 * distance : 1;
    }
    return (clock_now(job->clock) - *first) / (STEPS - 1);
}

void steps_run(const struct job *job, int nodes, enum steps_wanted wanted, int n, int64_t rest, struct samples *own)
{
    const bool takes_part = job->place >= 0 && job->place % job->ppn == 0 && job->place / job->ppn < nodes;
    const int64_t start = clock_start(job->clock, rest);
    assert(nodes >= 2);
    for (int i = 0; i < n; i++) {
        const int64_t moment = start + i * period(job, rest);
        int64_t first = 0;
        clock_wait(job->clock, moment);
        if (!takes_part)
            continue;
        const int64_t later = steps_take(job, job->place / job->ppn, nodes, &first);
        samples_add(own, wanted == STEPS_LATER ? later : clock_global(job->clock, first) - moment);
    }
}
