/* pevpm-bench - measures a machine. See docs/cli.md. */
#include "bench/campaign.h"
#include "bench/options.h"
#include "bench/verify.h"

#include "common/alloc.h"
#include "common/outfile.h"

#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Every error of MPI ends the job: measurements cannot go on without a rank. */
static void mpi_failed(MPI_Comm *comm, int *code, ...)
{
    char text[MPI_MAX_ERROR_STRING];
    int length = 0, rank = -1;
    if (MPI_Error_string(*code, text, &length) != MPI_SUCCESS)
        length = 0;
    MPI_Comm_rank(*comm, &rank);
    fprintf(stderr, "pevpm-bench: error: rank %d: MPI failed: %.*s\n", rank, length, text);
    MPI_Abort(MPI_COMM_WORLD, 4);
}

static void command_line(struct result *result, int argc, char *argv[])
{
    char *text = alloc_string("pevpm-bench");
    for (int i = 1; i < argc; i++) {
        char *longer = alloc_format("%s %s", text, argv[i]);
        free(text);
        text = longer;
    }
    result_note(result, 0, "command", "%s", text);
    free(text);
}

/* How and where, for the provenance. */
static void describe(struct crew *crew, struct result *result)
{
    const struct job *job = crew->job;
    int places = job->nodes * job->ppn, length = 0;
    char version[MPI_MAX_LIBRARY_VERSION_STRING], date[40];
    time_t now = time(NULL);
    struct tm parts;
    MPI_Get_library_version(version, &length);
    version[strcspn(version, "\n")] = '\0';
    strftime(date, sizeof date, "%Y-%m-%d %H:%M:%S %z", localtime_r(&now, &parts));
    struct crew_member *members = alloc_array((size_t)places, sizeof *members);
    crew_members(crew, members);
    if (!result->name)
        result->name = alloc_string(members[0].host[0] ? members[0].host : "machine");
    result_note(result, 0, "measured_by", "pevpm-bench %s", PEVPM_VERSION);
    result_note(result, 0, "date", "%s", date);
    result_note(result, 0, "mpi", "%s", version);
    result_note(result, 0, "kernel", "%s", members[0].kernel);
    result_note(result, 0, "job", "%d x %d processes", job->nodes, job->ppn);
    struct clock_quality quality = clock_quality(job->clock);
    result_note(result, 0, "clock", "%s, read in %.0f ns, granularity %.0f ns", quality.source, quality.overhead_ns,
                quality.granularity_ns);
    result_heading(result, 0, "hosts");
    for (int place = 0; place < places; place++) {
        char key[32];
        snprintf(key, sizeof key, "rank %d", job->rank_of[place]);
        result_note(result, 1, key, "%s, clock within %.1f us", members[place].host, members[place].bound_ns * 1e-3);
    }
    free(members);
}

/* A file that cannot be written is said before measuring, not after. */
static enum status output_check(const char *path, struct diags *diags)
{
    struct outfile file = {0};
    enum status status = outfile_open(&file, path, diags);
    outfile_abandon(&file);
    return status;
}

static void say(struct diags *diags)
{
    diags_print(diags, stderr);
    diags_free(diags);
}

static enum status lead(struct crew *crew, const struct bench_options *options, int argc, char *argv[],
                        struct diags *diags)
{
    struct result result;
    enum status status = output_check(options->output, diags);
    if (status != STATUS_OK)
        return status;
    result_init(&result);
    result.nodes = crew->job->nodes;
    result.ppn = crew->job->ppn;
    result.bin = options->bin;
    if (options->name)
        result.name = alloc_string(options->name);
    if (crew->job->crowding > 1 && !options->quiet)
        diag_warning(diags, place_of_file(NULL),
                     "up to %d ranks share a core: they wait for one another, and short times say more about that "
                     "than about the network",
                     crew->job->crowding);
    say(diags);
    crew_sync(crew);
    describe(crew, &result);
    command_line(&result, argc, argv);
    status = campaign_run(crew, options, &result, diags);
    result_free(&result);
    return status;
}

static enum status levels_check(const struct job *job, const struct bench_options *options, struct diags *diags)
{
    for (size_t i = 0; i < options->n_levels; i++) {
        const struct bench_level *level = &options->levels[i];
        if (level->nodes <= job->nodes && level->ppn <= job->ppn)
            continue;
        diag_error(diags, place_of_file(NULL), "--levels %dx%d is more than this job, which has %d x %d processes",
                   level->nodes, level->ppn, job->nodes, job->ppn);
        return STATUS_USAGE;
    }
    return STATUS_OK;
}

static enum status measure(const struct bench_options *options, int argc, char *argv[], struct diags *diags)
{
    struct job job;
    struct crew crew = {.job = &job};
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    struct clock_options clock = {.error = verify_error(options->inject_us, options->inject_ppm, rank)};
    enum status status;
    job_init(&job, MPI_COMM_WORLD, &clock);
    if (job.nodes * job.ppn < 2) {
        diag_error(diags, place_of_file(NULL), "one process alone sends no message: start at least 2, with mpirun -n 2 "
                                               "pevpm-bench ...");
        status = STATUS_USAGE;
    } else if (levels_check(&job, options, diags) != STATUS_OK) {
        status = STATUS_USAGE;
    } else if (rank == 0) {
        status = lead(&crew, options, argc, argv, diags);
        crew_dismiss(&crew, status);
    } else {
        status = crew_follow(&crew);
    }
    job_free(&job);
    return status;
}

static int verify(const struct bench_options *options)
{
    int rank;
    bool passed;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    struct verify_options verify_options = {
        .duration = options->duration,
        .clock = {.error = verify_error(options->inject_us, options->inject_ppm, rank)}};
    enum status status = bench_verify_clock(MPI_COMM_WORLD, &verify_options, rank == 0 ? stdout : NULL, &passed);
    return status != STATUS_OK ? status_exit_code(status) : passed ? 0 : 1;
}

/* Every rank parses the same line and comes to the same end; rank 0 speaks for all. */
static int run(int argc, char *argv[], int rank)
{
    struct diags diags = DIAGS_EMPTY;
    struct bench_options options;
    enum status status = bench_options_parse(&options, argc, argv, &diags);
    int exit_code = status_exit_code(status);
    if (status == STATUS_OK && options.action == BENCH_HELP && rank == 0)
        bench_options_help(stdout);
    else if (status == STATUS_OK && options.action == BENCH_VERSION && rank == 0)
        printf("pevpm-bench %s\nLicence GPL-3.0-or-later: free software, no warranty.\n", PEVPM_VERSION);
    else if (status == STATUS_OK && options.action == BENCH_VERIFY)
        exit_code = verify(&options);
    else if (status == STATUS_OK && options.action == BENCH_MEASURE)
        exit_code = status_exit_code(measure(&options, argc, argv, &diags));
    if (rank == 0)
        say(&diags);
    diags_free(&diags);
    bench_options_free(&options);
    return exit_code;
}

int main(int argc, char *argv[])
{
    MPI_Errhandler handler;
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_create_errhandler(mpi_failed, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    signal(SIGPIPE, SIG_IGN);
    int exit_code = run(argc, argv, rank);
    MPI_Errhandler_free(&handler);
    MPI_Finalize();
    return exit_code;
}
