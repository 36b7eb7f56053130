/* On 2 processes of a node: series of a pattern, alone and right behind one another, with receives posted before and called
 * late. Printed for each: how many messages count as trips of a repetition, how many of these were called as the one before
 * them ended, how many sends and receives had a short message, which only warms, right before them, and how many sends had
 * other bytes than those before them of their process. */
#include "measure/series.h"

#include <stdio.h>

/* What this process has done, which the functions of MPI below count: they stand before the library's. */
enum { BYTES = 300, REPETITIONS = 20 };
static struct {
    bool warmed;
    int n, written;
    char last;
} counted;

static void counted_call(int bytes)
{
    if (bytes == BYTES && counted.warmed)
        counted.n++;
    counted.warmed = bytes < BYTES;
}

int MPI_Send(const void *out, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    counted_call(n);
    if (n == BYTES) {
        counted.written += ((const char *)out)[BYTES - 1] != counted.last;
        counted.last = ((const char *)out)[BYTES - 1];
    }
    return PMPI_Send(out, n, type, to, tag, comm);
}

int MPI_Recv(void *in, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status *status)
{
    counted_call(n);
    return PMPI_Recv(in, n, type, from, tag, comm, status);
}

/* ns, within which an answer is written; a rest is ten times as long. */
enum { WRITING = 100000 };

/* Whether `b` is the answer to `a`, written and sent as soon as that had come. */
static bool is_right_behind(const struct series_message *a, const struct series_message *b)
{
    const int64_t pause = b->call - a->end;
    return a->repetition == b->repetition && b->trip == a->trip + 1 && a->to == b->from && a->from == b->to && pause >= 0 &&
           pause <= WRITING;
}

static void try(struct job *job, const char *what, int trips, int warm, int64_t receive_delay)
{
    const struct series_setup setup = {.pattern = PATTERN_pingpong,
                                       .shape = {.job_nodes = 1, .job_ppn = 2, .nodes = 1, .ppn = 2, .copies = 1},
                                       .kind = SEND_BLOCKING, .bytes = BYTES, .rest = 1000000, .busy = 10000000,
                                       .receive_delay = receive_delay, .trips = trips, .warm = warm};
    struct series *series = series_create(job, &setup);
    counted.n = counted.written = 0;
    counted.warmed = false;
    counted.last = 0;
    series_run(series, REPETITIONS);
    int mine[2] = {counted.n, counted.written}, all[2], behind = 0;
    size_t n;
    MPI_Reduce(mine, all, 2, MPI_INT, MPI_SUM, 0, job->comm);
    const struct series_message *m = series_collect(series, &n);
    for (size_t i = 0; i + 1 < n; i++)
        behind += is_right_behind(&m[i], &m[i + 1]);
    if (job->rank == 0)
        printf("%s: %zu, %d behind another, %d behind short ones, %d written\n", what, n, behind, all[0], all[1]);
    series_destroy(series);
}

int main(void)
{
    struct clock_options clock = {0};
    struct job job;
    MPI_Init(NULL, NULL);
    job_init(&job, MPI_COMM_WORLD, "chain_program", &clock);
    clock_sync(job.clock);
    try(&job, "alone, posted", 1, 0, 0);
    try(&job, "chain, posted", 8, 3, 0);
    try(&job, "alone, late", 1, 0, 2000000);
    try(&job, "behind short ones, late", 1, 3, 2000000);
    try(&job, "chain, late", 4, 3, 2000000);
    job_free(&job);
    MPI_Finalize();
    return 0;
}
