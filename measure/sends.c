#include "measure/sends.h"

#include "common/alloc.h"

#include <assert.h>
#include <stdlib.h>

enum { SENDS_TAG = 7 };
static const int64_t REST_NS = 50000000; /* ports have long rested */

/* Which are sent, and when calls began and ended. */
struct record {
    size_t n;
    int64_t *from, *to;
};

static void record_init(struct record *record, int64_t bytes, int64_t most)
{
    const size_t room = (size_t)(most / bytes) + 1;
    *record = (struct record){0, alloc_array(room, sizeof(int64_t)), alloc_array(room, sizeof(int64_t))};
}

static void record_free(struct record *record)
{
    free(record->from);
    free(record->to);
}

/* They may not be connected yet, and a library that connects them sends nothing before it is called again. */
static void processes_meet(const struct job *job, int partner)
{
    MPI_Sendrecv(NULL, 0, MPI_BYTE, partner, SENDS_TAG, NULL, 0, MPI_BYTE, partner, SENDS_TAG, job->comm,
                 MPI_STATUS_IGNORE);
}

/* How long the pieces need to pass, twice: what has not come by then has not been taken. */
static int64_t pieces_pause(int64_t bytes, int64_t most, double drains)
{
    return (int64_t)(2e9 * drains * (double)(2 * bytes) / (double)most);
}

static void pieces_send(const struct job *job, int partner, const void *buffer, int64_t bytes, int64_t pause)
{
    MPI_Request requests[SENDS_PIECES];
    MPI_Status statuses[SENDS_PIECES]; /* gcc takes MPICH's MPI_STATUSES_IGNORE for an array of none */
    const int piece = (int)(2 * bytes / SENDS_PIECES);
    for (int i = 0; i < SENDS_PIECES; i++)
        MPI_Isend(buffer, piece, MPI_BYTE, partner, SENDS_TAG, job->comm, &requests[i]);
    clock_wait(job->clock, clock_global(job->clock, clock_now(job->clock) + pause));
    const int64_t back = clock_global(job->clock, clock_now(job->clock));
    MPI_Waitall(SENDS_PIECES, requests, statuses);
    MPI_Send(&back, 1, MPI_INT64_T, partner, SENDS_TAG, job->comm);
}

/* How many of them had come when their sender came back. */
static int64_t pieces_receive(const struct job *job, int partner, void *buffer, int64_t bytes)
{
    int64_t there[SENDS_PIECES], back, n = 0;
    for (int i = 0; i < SENDS_PIECES; i++) {
        MPI_Recv(buffer, (int)bytes, MPI_BYTE, partner, SENDS_TAG, job->comm, MPI_STATUS_IGNORE);
        there[i] = clock_global(job->clock, clock_now(job->clock));
    }
    MPI_Recv(&back, 1, MPI_INT64_T, partner, SENDS_TAG, job->comm, MPI_STATUS_IGNORE);
    while (n < SENDS_PIECES && there[n] < back)
        n++;
    return n;
}

static void send_all(const struct job *job, int partner, const void *buffer, int64_t bytes, int64_t most, int64_t end,
                     struct record *sent)
{
    while ((int64_t)sent->n < most / bytes && clock_now(job->clock) < end) {
        sent->from[sent->n] = clock_now(job->clock);
        MPI_Send(buffer, (int)bytes, MPI_BYTE, partner, SENDS_TAG, job->comm);
        sent->to[sent->n++] = clock_now(job->clock);
    }
    MPI_Send(buffer, 0, MPI_BYTE, partner, SENDS_TAG, job->comm);
}

/* An empty message is behind the last one. */
static void receive_all(const struct job *job, int partner, void *buffer, int64_t bytes, struct record *received)
{
    for (;;) {
        MPI_Status status;
        int n;
        MPI_Recv(buffer, (int)bytes, MPI_BYTE, partner, SENDS_TAG, job->comm, &status);
        MPI_Get_count(&status, MPI_BYTE, &n);
        if (n == 0)
            return;
        received->to[received->n++] = clock_global(job->clock, clock_now(job->clock));
    }
}

static void sender_tells(const struct job *job, const struct record *sent, const int64_t there[], struct samples *own)
{
    samples_add(own, (int64_t)sent->n);
    for (size_t i = 0; i < sent->n; i++) {
        samples_add(own, clock_global(job->clock, sent->from[i]));
        samples_add(own, clock_global(job->clock, sent->to[i]));
        samples_add(own, there[i]);
    }
}

int sends_partner(int turn, int nodes, int pairs)
{
    const int other = nodes - 1 - turn;
    return turn < pairs || (other >= 0 && other < pairs) ? other : -1;
}

void sends_run(const struct job *job, int pairs, int64_t bytes, int64_t most, double seconds, double drains,
               struct samples *own)
{
    const int turn = job_turn(job), other = sends_partner(turn, job->nodes, pairs);
    const int64_t start = clock_start(job->clock, REST_NS);
    assert(2 * pairs <= job->nodes && bytes > 0 && bytes < INT32_MAX);
    clock_wait(job->clock, start);
    if (other < 0)
        return;
    const int partner = job->rank_of[job_place(job, other * job->ppn)];
    struct record record;
    void *buffer = alloc_zeroed((size_t)bytes, 1);
    record_init(&record, bytes, most);
    processes_meet(job, partner);
    if (turn < pairs) {
        samples_add(own, pieces_receive(job, partner, buffer, bytes));
        send_all(job, partner, buffer, bytes, most, clock_now(job->clock) + (int64_t)(seconds * 1e9), &record);
        int64_t *there = alloc_array(record.n + 1, sizeof *there);
        MPI_Recv(there, (int)record.n, MPI_INT64_T, partner, SENDS_TAG, job->comm, MPI_STATUS_IGNORE);
        sender_tells(job, &record, there, own);
        free(there);
    } else {
        pieces_send(job, partner, buffer, bytes, pieces_pause(bytes, most, drains));
        receive_all(job, partner, buffer, bytes, &record);
        MPI_Send(record.to, (int)record.n, MPI_INT64_T, partner, SENDS_TAG, job->comm);
    }
    record_free(&record);
    free(buffer);
}
