/* pevpm-bench - measures a machine. See docs/cli.md. */
#include "bench/campaign.h"
#include "bench/fit_file.h"
#include "bench/options.h"
#include "bench/provenance.h"
#include "bench/report.h"
#include "bench/resume.h"
#include "bench/self_check.h"
#include "bench/topology.h"
#include "clock/verify.h"
#include "estimate/machine/connect_fit.h"
#include "measure/first.h"
#include "measure/slots.h"
#include "measure/sockets.h"
#include "measure/tcp.h"
#include "results/busy.h"
#include "results/merge.h"
#include "results/residual.h"

#include "common/alloc.h"
#include "common/option.h"
#include "common/outfile.h"

#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

static void mpi_failed(MPI_Comm *comm, int *code, ...)
{
    job_mpi_failed("pevpm-bench", *comm, *code);
}

static enum status output_check(const char *path, struct diags *diags)
{
    if (!outfile_is_pipe(path))
        return outfile_try(path, diags);
    diag_error(diags, place_of_file(path), "is a pipe, and the machine file is written anew whenever more is known, and "
               "read again to judge it: name a file");
    return STATUS_IO;
}

static void say(struct diags *diags)
{
    diags_print(diags, stderr);
    diags_free(diags);
}

/* Of a node, where its processes share them; 0: there is one for each, and how many more there are a bound job does not see. */
static int processors_shared(const struct job *job)
{
    return job->ppn > job->processors ? job->processors : 0;
}

/* What is known already: of a file to go on with all, else what the options say. */
static enum status result_begin(struct result *result, const struct crew *crew, const struct bench_options *options,
                                const struct crew_member members[], struct diags *diags)
{
    const struct job *job = crew->job;
    if (options->resume) {
        enum status status = result_read(result, options->output, diags);
        result->processors = result->processors > 0 ? result->processors : processors_shared(job);
        return status != STATUS_OK ? status : resume_check(result, job, members, options, diags);
    }
    result_init(result);
    result->nodes = job->nodes;
    result->frame = tcp_segment(); /* by now it has sent something to each host */
    result->ppn = job->ppn;
    result->processors = processors_shared(job);
    result->sockets = job->sockets;
    result->has_socket_map = job->sockets > 1 && slots_map(job->nodes, job->ppn, job->socket_of, job->sockets, &result->socket_map);
    result->bin = options->bin;
    result->name = alloc_string(options->name ? options->name : members[0].host[0] ? members[0].host : "machine");
    result_histogram_init(result, &result->overflow);
    return STATUS_OK;
}

/* The first messages are over before anybody knows whether there is a file to go on with, which has its own. */
static void connect_take(struct result *result, struct connect_samples *first)
{
    result->has_connect = connect_fit(first, &result->connect);
    if (first->messages.n == 0)
        return;
    result_heading(result, "first messages");
    result_note(result, 1, "pairs", "%zu whose receiver waited, %zu whose receiver was late", first->messages.n,
                first->late.n);
    if (first->made_at_once > 0)
        result_note(result, 1, "at once", "%d connections, %.0f us", first->made_at_once,
                    1e-3 * (double)first->at_once);
    if (first->listens.n > 0)
        result_note(result, 1, "of all", "%.0f us more in the median of %zu, %.0f at most",
                    1e-3 * (double)samples_quantile(&first->listens, 0.5), first->listens.n,
                    1e-3 * (double)samples_quantile(&first->listens, 1));
    if (!result->has_connect)
        result_note(result, 1, "connections", "there before, or made in no time to speak of");
}

/* What the file was judged by is of what it held then. */
static void warn_of_judgement(const struct result *result, const struct bench_options *options, struct diags *diags)
{
    struct machine_model_error error;
    if (options->budget - bench_options_measuring(options) > 0 || !residuals_model_error(result, &error))
        return;
    diag_warning(diags, place_of_file(options->output),
                 "the file changes and is not judged again: what it says of how wrong it is (judged, model_error) is left out");
}

/* Rank 0: measures into *result. */
static enum status lead(struct crew *crew, const struct bench_options *options, int argc, char *argv[],
                        struct connect_samples *first, struct result *result, struct diags *diags)
{
    const struct job *job = crew->job;
    enum status status = output_check(options->output, diags);
    if (status != STATUS_OK)
        return status;
    crew_sync(crew);
    struct crew_member *members = alloc_array((size_t)(job->nodes * job->ppn), sizeof *members);
    crew_members(crew, members);
    status = result_begin(result, crew, options, members, diags);
    if (status == STATUS_OK)
        status = topology_take(result, job, members, options, diags);
    if (job->crowding > 1 && !options->quiet)
        diag_warning(diags, place_of_file(NULL),
                     "up to %d ranks share a core: they wait for one another, and short times say more about that "
                     "than about the network",
                     job->crowding);
    if (!options->quiet)
        provenance_check_clocks(job, members, diags);
    say(diags);
    if (status == STATUS_OK) {
        if (options->resume && !options->quiet)
            warn_of_judgement(result, options, diags);
        residuals_forget(result);
        provenance_describe(job, members, argc, argv, result);
        if (options->resume)
            busy_resume(result, crew->others);
        else
            connect_take(result, first);
        status = campaign_run(crew, options, result, diags);
    }
    free(members);
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
    struct result result = {0};
    struct connect_samples first = CONNECT_SAMPLES_EMPTY;
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (options->ports && !options->resume && !bench_options_only_self(options))
        first_run(MPI_COMM_WORLD, &first);
    struct clock_options clock = {.error = verify_error(options->inject_us, options->inject_ppm, rank)};
    enum status status;
    job_init(&job, MPI_COMM_WORLD, "pevpm-bench", &clock);
    job_find_sockets(&job);
    crew.others = others_create(&job);
    if (job.nodes * job.ppn < 2 && !bench_options_only_self(options)) {
        diag_error(diags, place_of_file(NULL), "one process alone sends messages to itself only (--operations self): "
                                               "start at least 2, with mpirun -n 2 pevpm-bench ...");
        status = STATUS_USAGE;
    } else if (levels_check(&job, options, diags) != STATUS_OK) {
        status = STATUS_USAGE;
    } else if (rank == 0) {
        status = lead(&crew, options, argc, argv, &first, &result, diags);
        crew_dismiss(&crew, status);
    } else {
        status = crew_follow(&crew);
    }
    const struct self_check check = {options->output, options->budget - bench_options_measuring(options),
                                     options->quiet, crew.others};
    if (status == STATUS_OK && check.seconds > 0)
        status = self_check(&job, &check, &result, diags);
    if (rank == 0 && !options->quiet)
        busy_warn(&result, place_of_file(NULL), diags);
    result_free(&result);
    connect_samples_free(&first);
    others_destroy(crew.others);
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
        option_print_version("pevpm-bench", stdout);
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

/* What works on a file needs neither a launcher nor MPI. -1: the line asks for something else. */
static int run_plain(int argc, char *argv[])
{
    struct diags diags = DIAGS_EMPTY;
    struct bench_options options;
    char **words = alloc_array((size_t)argc + 1, sizeof *words); /* parsing permutes them */
    memcpy(words, argv, ((size_t)argc + 1) * sizeof *words);
    enum status status = bench_options_parse(&options, argc, words, &diags);
    bool plain = options.action == BENCH_FIT || options.action == BENCH_MERGE || options.action == BENCH_REPORT;
    if (plain && status == STATUS_OK && options.action == BENCH_FIT)
        status = fit_file(&options, strcmp(options.output, "-") == 0 ? stderr : stdout, &diags);
    else if (plain && status == STATUS_OK && options.action == BENCH_MERGE)
        status = merge_files(options.n_runs, (const char *const *)options.runs, options.output, &diags);
    else if (plain && status == STATUS_OK)
        status = report_run(&options, stdout, &diags);
    bench_options_free(&options);
    free(words);
    if (plain)
        return option_finish(status, false, &diags);
    diags_free(&diags);
    return -1;
}

int main(int argc, char *argv[])
{
    MPI_Errhandler handler;
    int rank;
    signal(SIGPIPE, SIG_IGN);
    int plain = run_plain(argc, argv);
    if (plain >= 0)
        return plain;
    MPI_Init(&argc, &argv);
    MPI_Comm_create_errhandler(mpi_failed, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int exit_code = run(argc, argv, rank);
    MPI_Errhandler_free(&handler);
    MPI_Finalize();
    return exit_code;
}
