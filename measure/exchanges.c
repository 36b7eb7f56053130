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

/* The first process of the node that this one's exchanges with; -1: with nobody. */
static int partner_of(const struct job *job, int pairs)
{
    const int turn = job_turn(job);
    assert(2 * pairs <= job->nodes);
    return turn < 2 * pairs ? job->rank_of[job_place(job, (turn ^ 1) * job->ppn)] : -1;
}

void exchanges_run(const struct job *job, int pairs, int64_t bytes, struct samples *own)
{
    const int partner = partner_of(job, pairs);
    const int64_t start = clock_start(job->clock, REST_NS);
    int64_t mine[EXCHANGES], others[EXCHANGES];
    assert(bytes < INT32_MAX);
    clock_wait(job->clock, start);
    if (partner < 0)
        return;
    series_run(job, partner, bytes, mine);
    MPI_Sendrecv(mine, EXCHANGES, MPI_INT64_T, partner, EXCHANGES_TAG, others, EXCHANGES, MPI_INT64_T, partner,
                 EXCHANGES_TAG, job->comm, MPI_STATUS_IGNORE);
    if (job_turn(job) % 2 == 0)
        times_add(start, mine, others, own);
}

/* ---- behind a short one ---- */

double exchanges_behind_duration(int64_t delay, double one_way)
{
    return 1e-9 * (double)(REST_NS + delay) + LONGEST * one_way;
}

/* What a process of a pair tells the other, ns: for how long it was in the short exchange; global: when it left this and the long
 * one. */
enum { BEHIND_WAITED, BEHIND_BEGUN, BEHIND_ENDED, N_BEHIND };

static void short_exchange(const struct job *job, int partner)
{
    char out = 0, in;
    MPI_Sendrecv(&out, 1, MPI_BYTE, partner, EXCHANGES_TAG, &in, 1, MPI_BYTE, partner, EXCHANGES_TAG, job->comm,
                 MPI_STATUS_IGNORE);
}

/* delay: this one's, ns. */
static void behind_measure(const struct job *job, int partner, int64_t bytes, int64_t delay, int64_t mine[N_BEHIND])
{
    char *buffer = alloc_zeroed(2 * (size_t)bytes, 1);
    short_exchange(job, partner);
    if (delay > 0)
        clock_wait(job->clock, clock_global(job->clock, clock_now(job->clock)) + delay);
    const int64_t call = clock_now(job->clock);
    short_exchange(job, partner);
    const int64_t begun = clock_now(job->clock);
    MPI_Sendrecv(buffer, (int)bytes, MPI_BYTE, partner, EXCHANGES_TAG, buffer + bytes, (int)bytes, MPI_BYTE, partner,
                 EXCHANGES_TAG, job->comm, MPI_STATUS_IGNORE);
    const int64_t ended = clock_now(job->clock);
    free(buffer);
    mine[BEHIND_WAITED] = begun - call;
    mine[BEHIND_BEGUN] = clock_global(job->clock, begun);
    mine[BEHIND_ENDED] = clock_global(job->clock, ended);
}

static int64_t later_of(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

void exchanges_behind_run(const struct job *job, const struct exchanges_behind *behind, struct samples *own)
{
    const int partner = partner_of(job, behind->pairs);
    const bool is_second = job_turn(job) % 2 == 1, is_late = is_second == behind->second_is_late;
    const int64_t start = clock_start(job->clock, REST_NS);
    int64_t mine[N_BEHIND], others[N_BEHIND];
    assert(behind->bytes < INT32_MAX);
    clock_wait(job->clock, start);
    if (partner < 0)
        return;
    behind_measure(job, partner, behind->bytes, is_late ? behind->delay : 0, mine);
    MPI_Sendrecv(mine, N_BEHIND, MPI_INT64_T, partner, EXCHANGES_TAG, others, N_BEHIND, MPI_INT64_T, partner, EXCHANGES_TAG,
                 job->comm, MPI_STATUS_IGNORE);
    if (is_second)
        return;
    samples_add(own, later_of(mine[BEHIND_WAITED], others[BEHIND_WAITED]));
    samples_add(own, later_of(mine[BEHIND_ENDED], others[BEHIND_ENDED]) - later_of(mine[BEHIND_BEGUN], others[BEHIND_BEGUN]));
}
