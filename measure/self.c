#include "measure/self.h"

#include "common/alloc.h"

#include <stdlib.h>

enum {
    SELF_TAG = 4,
    WARM_UP = 3,      /* messages: what is first set up, and pages of the buffers */
    TESTS_MOST = 100, /* of a send that is eager the first is enough */
};

void self_times_init(struct self_times *times)
{
    samples_init(&times->transit);
    samples_init(&times->send_overhead);
    samples_init(&times->receive_overhead);
}

void self_times_free(struct self_times *times)
{
    samples_free(&times->transit);
    samples_free(&times->send_overhead);
    samples_free(&times->receive_overhead);
}

/* Two buffers. */
struct copying {
    const struct job *job;
    int bytes;
    char *from, *to;
};

static struct copying copying_begin(const struct job *job, int64_t bytes)
{
    return (struct copying){job, (int)bytes, alloc_zeroed((size_t)bytes + 1, 1), alloc_zeroed((size_t)bytes + 1, 1)};
}

static void copying_end(struct copying *c)
{
    free(c->from);
    free(c->to);
}

/* When the send was called, had returned, and the receive was complete. */
static void copy_once(const struct copying *c, enum send_kind kind, int64_t at[3])
{
    MPI_Request receive, send = MPI_REQUEST_NULL;
    const int rank = c->job->rank;
    MPI_Irecv(c->to, c->bytes, MPI_BYTE, rank, SELF_TAG, c->job->comm, &receive);
    at[0] = clock_now(c->job->clock);
    if (kind == SEND_BLOCKING)
        MPI_Send(c->from, c->bytes, MPI_BYTE, rank, SELF_TAG, c->job->comm);
    else
        MPI_Isend(c->from, c->bytes, MPI_BYTE, rank, SELF_TAG, c->job->comm, &send);
    at[1] = clock_now(c->job->clock);
    MPI_Wait(&receive, MPI_STATUS_IGNORE);
    at[2] = clock_now(c->job->clock);
    MPI_Wait(&send, MPI_STATUS_IGNORE);
}

void self_run(const struct job *job, enum send_kind kind, int64_t bytes, int n, struct self_times *times)
{
    struct copying c = copying_begin(job, bytes);
    for (int i = -WARM_UP; i < n; i++) {
        int64_t at[3];
        copy_once(&c, kind, at);
        if (i < 0)
            continue;
        samples_add(&times->transit, at[2] - at[0]);
        samples_add(&times->send_overhead, at[1] - at[0]);
        samples_add(&times->receive_overhead, at[2] - at[1]);
    }
    copying_end(&c);
}

bool self_waits(const struct job *job, int64_t bytes)
{
    struct copying c = copying_begin(job, bytes);
    MPI_Request send;
    int complete = 0;
    MPI_Isend(c.from, c.bytes, MPI_BYTE, job->rank, SELF_TAG, job->comm, &send);
    for (int i = 0; i < TESTS_MOST && !complete; i++)
        MPI_Test(&send, &complete, MPI_STATUS_IGNORE);
    MPI_Recv(c.to, c.bytes, MPI_BYTE, job->rank, SELF_TAG, job->comm, MPI_STATUS_IGNORE);
    MPI_Wait(&send, MPI_STATUS_IGNORE);
    copying_end(&c);
    return !complete;
}
