#include "measure/rests.h"

#include <assert.h>

enum { MESSAGES = 3, RESTS_TAG = 3 };
static const int64_t TIME_NS = 1000000; /* that the messages after a rest may take, and waking up */
static const int64_t EARLY_NS = 200000; /* the receiver is in MPI this long before the send is called */

double rests_duration(int n, int64_t rest)
{
    return (double)n * (double)(rest + TIME_NS) * 1e-9;
}

static void rest_from_now(const struct clock *clock, int64_t rest)
{
    clock_wait(clock, clock_global(clock, clock_now(clock)) + rest);
}

/* The last answer is r3 - r1. */
static int64_t messages_send(const struct job *job, int to)
{
    int64_t first = 0, last = 0, answer = 0;
    for (int i = 0; i < MESSAGES; i++) {
        last = clock_now(job->clock);
        first = i == 0 ? last : first;
        MPI_Send(&answer, 1, MPI_INT64_T, to, RESTS_TAG, job->comm);
        MPI_Recv(&answer, 1, MPI_INT64_T, to, RESTS_TAG, job->comm, MPI_STATUS_IGNORE);
    }
    return last - first - answer;
}

static void messages_answer(const struct job *job, int from)
{
    int64_t first = 0, unused;
    for (int i = 0; i < MESSAGES; i++) {
        MPI_Recv(&unused, 1, MPI_INT64_T, from, RESTS_TAG, job->comm, MPI_STATUS_IGNORE);
        const int64_t now = clock_now(job->clock), since = i == 0 ? 0 : now - first;
        first = i == 0 ? now : first;
        MPI_Send(&since, 1, MPI_INT64_T, from, RESTS_TAG, job->comm);
    }
}

/* What begins the first rest is not counted. */
static void rests_send(const struct job *job, int to, int n, int64_t rest, struct samples *own)
{
    messages_send(job, to);
    for (int i = 0; i < n; i++) {
        rest_from_now(job->clock, rest);
        samples_add(own, messages_send(job, to));
    }
}

static void rests_answer(const struct job *job, int from, int n, int64_t rest)
{
    messages_answer(job, from);
    for (int i = 0; i < n; i++) {
        rest_from_now(job->clock, rest - EARLY_NS);
        messages_answer(job, from);
    }
}

void rests_run(const struct job *job, int n, int64_t rest, struct samples *own)
{
    const int sender = job->rank_of[0], receiver = job->rank_of[(job->nodes - 1) * job->ppn];
    const int64_t start = clock_start(job->clock, 0);
    assert(job->nodes >= 2);
    if (job->rank == sender || job->rank == receiver)
        clock_wait(job->clock, start);
    if (job->rank == sender)
        rests_send(job, receiver, n, rest, own);
    else if (job->rank == receiver)
        rests_answer(job, sender, n, rest);
    clock_wait(job->clock, start + n * (rest + TIME_NS));
}
