#include "measure/exchanges.h"

#include "common/alloc.h"

#include <assert.h>
#include <stdlib.h>

enum { EXCHANGES_TAG = 6 };
static const int64_t REST_NS = 50000000; /* ports have long rested, and connections begin anew */
/* One after the other they take twice as long; and the first, or one whose frames were lost, longer. */
static const double LONGEST = 2.2;

double exchanges_duration(double one_way)
{
    return 1e-9 * (double)REST_NS + LONGEST * EXCHANGES * one_way;
}

/* When it left each exchange, global ns. */
static void series_run(const struct job *job, int partner, int64_t bytes, int64_t ends[EXCHANGES])
{
    char *buffer = alloc_zeroed(2 * (size_t)bytes, 1);
    for (int i = 0; i < EXCHANGES; i++) {
        MPI_Sendrecv(buffer, (int)bytes, MPI_BYTE, partner, EXCHANGES_TAG, buffer + bytes, (int)bytes, MPI_BYTE,
                     partner, EXCHANGES_TAG, job->comm, MPI_STATUS_IGNORE);
        ends[i] = clock_now(job->clock);
    }
    for (int i = 0; i < EXCHANGES; i++)
        ends[i] = clock_global(job->clock, ends[i]);
    free(buffer);
}

static void times_add(int64_t before, const int64_t mine[], const int64_t others[], struct samples *own)
{
    for (int i = 0; i < EXCHANGES; i++) {
        const int64_t end = mine[i] > others[i] ? mine[i] : others[i];
        samples_add(own, end - before);
        before = end;
    }
}

void exchanges_run(const struct job *job, int pairs, int64_t bytes, struct samples *own)
{
    const int turn = job_turn(job);
    const int64_t start = clock_start(job->clock, REST_NS);
    int64_t mine[EXCHANGES], others[EXCHANGES];
    assert(2 * pairs <= job->nodes && bytes < INT32_MAX);
    clock_wait(job->clock, start);
    if (turn >= 2 * pairs)
        return;
    const int partner = job->rank_of[job_place(job, (turn ^ 1) * job->ppn)];
    series_run(job, partner, bytes, mine);
    MPI_Sendrecv(mine, EXCHANGES, MPI_INT64_T, partner, EXCHANGES_TAG, others, EXCHANGES, MPI_INT64_T, partner,
                 EXCHANGES_TAG, job->comm, MPI_STATUS_IGNORE);
    if (turn % 2 == 0)
        times_add(start, mine, others, own);
}
