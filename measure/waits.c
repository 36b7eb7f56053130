#include "measure/waits.h"

#include "common/alloc.h"
#include "measure/tcp.h"

#include <assert.h>
#include <stdlib.h>

enum { MEET_TAG = 1, LONG_TAG, SHORT_TAG, TOLD_TAG };
enum { LEAD = 20, /* short messages before the senders begin: what one takes that does not wait */
       COUNT_EVERY = 8 }; /* ... from one count of losses to the next, which takes as long as sending several */
static const int64_t REST_NS = 50000000; /* ports have long rested */

double waits_duration(const struct waits *waits)
{
    return 1e-9 * (double)(REST_NS + LEAD * waits->spacing) + waits->seconds;
}

static int rank_at(const struct job *job, int turn)
{
    return job->rank_of[job_place(job, turn * job->ppn)];
}

static int64_t global_now(const struct job *job)
{
    return clock_global(job->clock, clock_now(job->clock));
}

/* They may not be connected yet. */
static void processes_meet(const struct job *job, int partner)
{
    MPI_Sendrecv(NULL, 0, MPI_BYTE, partner, MEET_TAG, NULL, 0, MPI_BYTE, partner, MEET_TAG, job->comm,
                 MPI_STATUS_IGNORE);
}

/* An empty message is behind the last one. */
static void long_send(const struct job *job, const struct waits *waits, int64_t start, int64_t end)
{
    void *buffer = alloc_zeroed((size_t)waits->bytes, 1);
    const int receiver = rank_at(job, waits->receiver);
    clock_wait(job->clock, start);
    while (global_now(job) < end)
        MPI_Send(buffer, (int)waits->bytes, MPI_BYTE, receiver, LONG_TAG, job->comm);
    MPI_Send(buffer, 0, MPI_BYTE, receiver, LONG_TAG, job->comm);
    free(buffer);
}

static void short_send(const struct job *job, const struct waits *waits, int64_t start, int64_t end,
                       struct samples *own)
{
    const int receiver = rank_at(job, waits->receiver);
    const size_t first = own->n;
    int64_t counted = 0, lost = 0, n = 0, more = 1;
    for (int64_t at = start; global_now(job) < end; at += waits->spacing, n++) {
        if (n % COUNT_EVERY == 0) {
            counted = global_now(job);
            lost = tcp_losses();
        }
        clock_wait(job->clock, at);
        samples_append(own, WAITS_EACH, (int64_t[WAITS_EACH]){global_now(job), 0, counted, lost});
        MPI_Send(&more, 1, MPI_INT64_T, receiver, SHORT_TAG, job->comm);
    }
    more = 0;
    MPI_Send(&more, 1, MPI_INT64_T, receiver, SHORT_TAG, job->comm);
    int64_t *came = alloc_array((size_t)n + 1, sizeof *came);
    MPI_Recv(came, (int)n, MPI_INT64_T, receiver, TOLD_TAG, job->comm, MPI_STATUS_IGNORE);
    for (int64_t i = 0; i < n; i++)
        own->ns[first + WAITS_EACH * (size_t)i + 1] = came[i];
    free(came);
}

/* Where the k-th sender's messages go; that of the prober's is behind these. */
struct inbox {
    char *buffers;
    int64_t more;
    MPI_Request requests[WAITS_SENDERS + 1];
};

static void receive_post(const struct job *job, const struct waits *waits, struct inbox *inbox, int k)
{
    if (k < waits->n_senders)
        MPI_Irecv(inbox->buffers + k * waits->bytes, (int)waits->bytes, MPI_BYTE, rank_at(job, waits->senders[k]),
                  LONG_TAG, job->comm, &inbox->requests[k]);
    else
        MPI_Irecv(&inbox->more, 1, MPI_INT64_T, rank_at(job, waits->prober), SHORT_TAG, job->comm, &inbox->requests[k]);
}

/* Until the last of each has come. */
static void all_receive(const struct job *job, const struct waits *waits)
{
    struct inbox inbox = {.buffers = alloc_zeroed((size_t)(waits->n_senders * waits->bytes), 1)};
    struct samples came;
    samples_init(&came);
    for (int k = 0; k <= waits->n_senders; k++)
        receive_post(job, waits, &inbox, k);
    for (int left = waits->n_senders + 1; left > 0;) {
        MPI_Status status;
        int k, bytes;
        MPI_Waitany(waits->n_senders + 1, inbox.requests, &k, &status);
        const int64_t now = clock_now(job->clock);
        MPI_Get_count(&status, MPI_BYTE, &bytes);
        const bool is_last = k < waits->n_senders ? bytes == 0 : inbox.more == 0;
        if (!is_last && k == waits->n_senders)
            samples_add(&came, clock_global(job->clock, now));
        if (is_last)
            left--;
        else
            receive_post(job, waits, &inbox, k);
    }
    MPI_Send(came.ns, (int)came.n, MPI_INT64_T, rank_at(job, waits->prober), TOLD_TAG, job->comm);
    samples_free(&came);
    free(inbox.buffers);
}

void waits_run(const struct job *job, const struct waits *waits, struct samples *own)
{
    const int turn = job_turn(job);
    bool sends = false;
    assert(waits->n_senders >= 1 && waits->n_senders <= WAITS_SENDERS && waits->bytes > 0 && waits->bytes < INT32_MAX);
    for (int k = 0; k < waits->n_senders; k++)
        sends = sends || turn == waits->senders[k];
    for (int k = 0; turn == waits->receiver && k <= waits->n_senders; k++)
        processes_meet(job, rank_at(job, k < waits->n_senders ? waits->senders[k] : waits->prober));
    if (sends || turn == waits->prober)
        processes_meet(job, rank_at(job, waits->receiver));
    const int64_t start = clock_start(job->clock, REST_NS), full = start + LEAD * waits->spacing;
    const int64_t end = full + (int64_t)(waits->seconds * 1e9);
    if (turn == waits->receiver)
        all_receive(job, waits);
    else if (turn == waits->prober)
        short_send(job, waits, start, end, own);
    else if (sends)
        long_send(job, waits, full, end);
}
