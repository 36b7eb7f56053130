/* On 5 processes that take themselves for nodes: a long exchange behind a short one, of two pairs, with either process of each pair late.
 * Printed: what each process of a pair exchanged, which processes slept before the second exchange, which were told numbers, and whether
 * these are right: that somebody has waited for who was late, and that this is not in what the long one took. */
#include "measure/exchanges.h"

#include <stdio.h>

enum { RUNS = 5, BYTES = 100000, DELAY = 20000000 };

/* What this process has exchanged last. */
static struct {
    int n, bytes[3];
    int64_t asleep; /* ns between the first and the second, the least of all runs: others may use the processor meanwhile */
} seen;
static const struct job *watched;

/* These stand before the library's. */
int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *part)
{
    int rank;
    (void)type;
    (void)info;
    MPI_Comm_rank(comm, &rank);
    return PMPI_Comm_split(comm, rank, key, part);
}

int MPI_Sendrecv(const void *out, int n_out, MPI_Datatype type_out, int to, int tag_out, void *in, int n_in, MPI_Datatype type_in, int from,
                 int tag_in, MPI_Comm comm, MPI_Status *status)
{
    static int64_t left;
    if (watched && seen.n < 3) {
        if (seen.n == 1 && clock_now(watched->clock) - left < seen.asleep)
            seen.asleep = clock_now(watched->clock) - left;
        seen.bytes[seen.n++] = n_out;
    }
    const int code = PMPI_Sendrecv(out, n_out, type_out, to, tag_out, in, n_in, type_in, from, tag_in, comm, status);
    left = watched ? clock_now(watched->clock) : 0;
    return code;
}

/* Likewise the most that of all runs somebody waited, and the least that the long one took. */
static const char *numbers_judge(const struct samples *own)
{
    int64_t waited = 0, took = INT64_MAX;
    for (size_t i = 0; i < own->n; i += 2) {
        waited = own->ns[i] > waited ? own->ns[i] : waited;
        took = own->ns[i + 1] < took ? own->ns[i + 1] : took;
    }
    return waited < DELAY / 2 ? "nobody waited" : took <= 0 || took > DELAY / 2 ? "the long one took an odd time" : "right";
}

static void try(struct job *job, bool second_is_late)
{
    const struct exchanges_behind late = {.pairs = 2, .bytes = BYTES, .delay = DELAY, .second_is_late = second_is_late};
    struct samples own;
    samples_init(&own);
    seen.asleep = INT64_MAX;
    for (int run = 0; run < RUNS; run++) {
        seen.n = 0;
        watched = job;
        exchanges_behind_run(job, &late, &own);
        watched = NULL;
    }
    char line[200] = "nothing";
    if (seen.n > 0)
        snprintf(line, sizeof line, "%d %d %d bytes%s", seen.bytes[0], seen.bytes[1], seen.bytes[2],
                 seen.asleep > DELAY / 2 ? ", late" : "");
    for (int rank = 0; rank < job->size; rank++) {
        char of[200], numbers[100] = "";
        if (own.n > 0)
            snprintf(numbers, sizeof numbers, ", %zu numbers: %s", own.n, numbers_judge(&own));
        snprintf(of, sizeof of, "%d: %.60s%s", rank, line, numbers);
        MPI_Bcast(of, sizeof of, MPI_CHAR, rank, job->comm);
        if (job->rank == 0)
            puts(of);
    }
    samples_free(&own);
}

int main(int argc, char *argv[])
{
    const struct clock_options options = {0};
    struct job job;
    MPI_Init(&argc, &argv);
    job_init(&job, MPI_COMM_WORLD, "behind_program", &options);
    try(&job, false);
    try(&job, true);
    job_free(&job);
    MPI_Finalize();
    return 0;
}
