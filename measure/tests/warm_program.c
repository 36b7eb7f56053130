/* On 2 processes of a node: series of a pattern, cold and warm, with receives posted before and called late. Printed
 * for each: repetitions, and before how many of their sends and late receives, of both processes, the last call was an
 * exchange that warms. */
#include "measure/series.h"

#include <stdio.h>

/* What this process has done, which the functions of MPI below count: they stand before the library's. Messages that
 * warm are shorter than the series'. */
enum { BYTES = 300, REPETITIONS = 20 };
static struct {
    bool warmed;
    int n;
} counted;

static void counted_call(int bytes)
{
    if (bytes == BYTES && counted.warmed)
        counted.n++;
    counted.warmed = bytes < BYTES;
}

int MPI_Sendrecv(const void *out, int n_out, MPI_Datatype out_type, int to, int out_tag, void *in, int n_in,
                 MPI_Datatype in_type, int from, int in_tag, MPI_Comm comm, MPI_Status *status)
{
    counted_call(n_out);
    return PMPI_Sendrecv(out, n_out, out_type, to, out_tag, in, n_in, in_type, from, in_tag, comm, status);
}

int MPI_Send(const void *out, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    counted_call(n);
    return PMPI_Send(out, n, type, to, tag, comm);
}

int MPI_Recv(void *in, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status *status)
{
    counted_call(n);
    return PMPI_Recv(in, n, type, from, tag, comm, status);
}

static void try(struct job *job, bool warm, int64_t receive_delay)
{
    const struct series_setup setup = {.pattern = PATTERN_pingpong,
                                       .shape = {.job_nodes = 1, .job_ppn = 2, .nodes = 1, .ppn = 2, .copies = 1},
                                       .kind = SEND_BLOCKING, .bytes = BYTES, .rest = 1000000, .busy = 10000000,
                                       .receive_delay = receive_delay, .warm = warm ? 3 : 0,
                                       .warm_bytes = BYTES - 1, .warming = 10000};
    struct series *series = series_create(job, &setup);
    counted.n = 0;
    counted.warmed = false;
    series_run(series, REPETITIONS);
    int all;
    MPI_Reduce(&counted.n, &all, 1, MPI_INT, MPI_SUM, 0, job->comm);
    if (job->rank == 0)
        printf("%s %s: %d of %d\n", warm ? "warm" : "cold", receive_delay > 0 ? "late" : "posted", all, REPETITIONS);
    series_destroy(series);
}

int main(void)
{
    struct clock_options clock = {0};
    struct job job;
    MPI_Init(NULL, NULL);
    job_init(&job, MPI_COMM_WORLD, "warm_program", &clock);
    try(&job, false, 0);
    try(&job, true, 0);
    try(&job, false, 2000000);
    try(&job, true, 2000000);
    job_free(&job);
    MPI_Finalize();
    return 0;
}
