/* pevpm-run - executes the directives of a program on MPI. See docs/cli.md. */
#include "run/measure.h"
#include "run/options.h"
#include "run/placement.h"
#include "sim/rehearsal.h"
#include "run/results.h"
#include "run/salvage.h"

#include "collectives/algorithm_check.h"
#include "common/alloc.h"
#include "common/launch.h"
#include "common/option.h"
#include "common/outfile.h"
#include "directives/program_files.h"
#include "measure/others.h"

#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BROADCAST_MOST = 1 << 30 }; /* bytes: MPI counts with int */
/* s, in which rank 0 comes to the same end, also on a busy machine; the job is gone then, so nobody waits so long. */
enum { OTHERS_WAIT = 10 };

/* What a run may take: this, s, and so many times what the slow network of the rehearsal takes; more where ranks wait
 * for one another's core. */
static const double PATIENCE = 10, PATIENCE_FACTOR = 10;

static double patience_of(const struct job *job, double expected)
{
    return job->crowding * (PATIENCE + PATIENCE_FACTOR * expected);
}

/* Everything one invocation holds. All ranks have the same but for `spent` and `measured`. */
struct session {
    struct run_options options;
    int launched;            /* processes, as the launcher says; 0: none has started this one */
    struct diags diags;
    struct job job;
    struct source *source;
    struct machine *machine;
    struct tree *tree;
    struct program *program;
    struct placement at;
    bool cyclic;
    double expected;         /* s, on the rehearsal's network */
    int64_t synced;          /* as measure_request has it */
    bool goes_on;
};

static void mpi_failed(MPI_Comm *comm, int *code, ...)
{
    salvage_now();
    job_mpi_failed("pevpm-run", *comm, *code);
}

static void say(struct session *s)
{
    if (!s->options.quiet || s->diags.n_errors > 0)
        diags_print(&s->diags, stderr);
    diags_free(&s->diags);
}

/* What rank 0 found, for all. */
static enum status agree(const struct session *s, enum status status)
{
    int word = (int)status;
    MPI_Bcast(&word, 1, MPI_INT, 0, s->job.comm);
    return (enum status)word;
}

/* ---- reading ---- */

/* A file's text, read by rank 0, as a source on all ranks. */
static enum status file_share(struct session *s, const char *path, struct source **source)
{
    bool first = s->job.rank == 0;
    *source = NULL;
    enum status status = agree(s, first ? source_read(source, path, &s->diags) : STATUS_OK);
    if (status != STATUS_OK)
        return status;
    uint64_t length = first ? (*source)->length : 0;
    MPI_Bcast(&length, 1, MPI_UINT64_T, 0, s->job.comm);
    char *text = alloc_array(length + 1, 1);
    if (first)
        memcpy(text, (*source)->text, length);
    MPI_Bcast(text, (int)length, MPI_BYTE, 0, s->job.comm);
    if (!first)
        *source = source_from_text(strcmp(path, "-") == 0 ? "<stdin>" : path, text, length);
    free(text);
    return STATUS_OK;
}

static enum status machine_load(struct session *s)
{
    struct source *text;
    if (!s->options.machine) {
        s->machine = rehearsal_machine(&s->diags);
        return STATUS_OK;
    }
    enum status status = file_share(s, s->options.machine, &text);
    if (status != STATUS_OK)
        return status;
    status = machine_read_text(&s->machine, text->name, text->text, text->length, &s->diags);
    source_destroy(text);
    return status;
}

/* Program number `which` of those made by chance, and what it is called. Both allocated. */
static char *invented(const struct run_options *options, uint64_t which, char **name)
{
    enum invent_kind kind = options->all_kinds ? (enum invent_kind)(which % N_INVENT_ANYWHERE) : options->kind;
    uint64_t seed = options->seed + (options->all_kinds ? which / N_INVENT_ANYWHERE : which);
    *name = invent_name(kind, seed);
    return invent_program(kind, seed);
}

/* A program's files likewise. */
static enum status program_share(struct session *s, const char *path)
{
    bool first = s->job.rank == 0;
    size_t n = 0;
    enum status status =
        agree(s, first ? program_files_read(&s->source, 1, &path, s->options.cflags, &s->diags) : STATUS_OK);
    if (first && status == STATUS_IO && s->options.profile && !s->options.profile_output)
        option_note_flag("--profile", "--profile-output FILE", &s->diags);
    if (status != STATUS_OK)
        return status;
    char *bytes = first ? program_files_pack(s->source, &n) : NULL;
    uint64_t length = n;
    MPI_Bcast(&length, 1, MPI_UINT64_T, 0, s->job.comm);
    if (!first)
        bytes = alloc_array((size_t)length, 1);
    for (uint64_t at = 0, part; at < length; at += part) {
        part = length - at < BROADCAST_MOST ? length - at : BROADCAST_MOST;
        MPI_Bcast(bytes + at, (int)part, MPI_BYTE, 0, s->job.comm);
    }
    if (!first)
        s->source = program_files_unpack(bytes);
    free(bytes);
    return STATUS_OK;
}

static enum status source_find(struct session *s, uint64_t which)
{
    if (!s->options.random)
        return program_share(s, s->options.names[which]);
    char *name, *text = invented(&s->options, which, &name);
    s->source = source_from_text(name, text, strlen(text));
    free(text);
    free(name);
    return STATUS_OK;
}

static enum status program_load(struct session *s, uint64_t which)
{
    const struct run_options *options = &s->options;
    enum status status = source_find(s, which);
    if (status != STATUS_OK)
        return status;
    struct definition *definitions = alloc_array(options->n_sweeps, sizeof *definitions);
    sweep_select(options->n_sweeps, options->sweeps, 0, definitions);
    status = tree_parse(&s->tree, s->source, options->n_sweeps, definitions, &s->diags);
    free(definitions);
    if (status == STATUS_OK)
        status = algorithms_check(s->tree, &s->diags);
    if (status == STATUS_OK)
        status = predict_lower(&s->program, s->tree, s->machine, s->machine->library, s->at,
                               (struct predict_map){.cyclic = s->cyclic}, &s->diags);
    return status;
}

static void warn_of_algorithms(struct session *s)
{
    int32_t site = executor_algorithm_site(s->program);
    if (site >= 0)
        diag_warning(&s->diags, s->program->sites[site].at,
                     "`algorithm` is not looked at: the MPI library chooses its own");
}

/* What the virtual machine finds wrong with the program. Rank 0's work. */
static enum status rehearse_first(struct session *s)
{
    enum status status = STATUS_OK;
    if (s->job.rank == 0)
        status = rehearse(s->program, s->machine, s->options.seed, false, INT_MAX, &s->expected, &s->diags);
    status = agree(s, status);
    MPI_Bcast(&s->expected, 1, MPI_DOUBLE, 0, s->job.comm);
    return status;
}

/* ---- running ---- */

/* On rank 0: what all processes spent in each directive, [size][n_sites]. */
static double *spent_gather(const struct session *s, const struct executor *executor)
{
    int n_sites = s->program->n_sites;
    if (!s->options.profile)
        return NULL;
    double *all = s->job.rank == 0 ? alloc_array((size_t)s->job.size * (size_t)n_sites, sizeof *all) : NULL;
    MPI_Gather(executor_profile(executor), n_sites, MPI_DOUBLE, all, n_sites, MPI_DOUBLE, 0, s->job.comm);
    return all;
}

static void warn_of_runs(struct session *s, const struct measured *measured)
{
    if (measured->n_unreceived > 0)
        diag_warning(&s->diags, place_of_file(source_program(s->source)),
                     "%llu messages that the program sends are received by nobody",
                     (unsigned long long)measured->n_unreceived);
    if (measured->n_late > 0 && !s->options.verify)
        diag_warning(&s->diags, place_of_file(NULL), "in %u of %u runs a process was late for the common start: these "
                     "runs may be too long", measured->n_late, measured->n);
    if (s->job.crowding > 1 && !s->options.verify)
        diag_warning(&s->diags, place_of_file(NULL),
                     "up to %d ranks share a core: they wait for one another", s->job.crowding);
}

static enum status results_write(struct session *s, const struct results *results)
{
    enum status status = STATUS_OK;
    warn_of_runs(s, results->measured);
    if (s->options.output)
        status = results_store(results, &s->diags);
    if (status == STATUS_OK && s->options.profile_output)
        status = results_store_profile(results, &s->diags);
    if (status != STATUS_OK || s->options.quiet || (s->options.output && !s->options.verify))
        return status;
    results_print(results, stdout);
    return outfile_check(stdout, "standard output", &s->diags);
}

/* Where nothing could be begun all ranks know the same, or the others wait: rank 0 speaks, if it is one that knows. */
static void give_up(struct session *s, enum status status)
{
    if (s->job.rank != 0)
        sleep(OTHERS_WAIT);
    say(s);
    MPI_Abort(MPI_COMM_WORLD, status_exit_code(status));
}

static enum status execute(struct session *s)
{
    struct results results = {.options = &s->options, .program = s->program, .at = s->at,
                              .name = source_program(s->source), .cyclic = s->cyclic};
    struct executor_setup setup = {.program = s->program, .comm = s->job.comm, .machine = s->machine,
                                   .seed = s->options.seed, .work = s->options.work, .verify = s->options.verify,
                                   .profile = s->options.profile};
    struct executor *executor;
    struct measured measured = {0};
    enum status status = executor_create(&executor, &setup, &s->diags);
    if (status != STATUS_OK)
        give_up(s, status);
    struct measure_request request = {
        .job = &s->job, .executor = executor, .program = s->program, .runs = s->options.runs,
        .first = (uint32_t)((s->options.launch - 1) * s->options.runs),
        .most = s->options.timeout > 0 ? s->options.timeout : patience_of(&s->job, s->expected),
        .verify = s->options.verify, .synced = &s->synced, .goes_on = s->goes_on};
    if (!s->options.verify) {
        salvage_begin(s->job.rank, &results);
        request.run_over = salvage_run;
        watch_last(s->job.watch, salvage_now);
    }
    status = measure(&request, &measured, &s->diags);
    if (status != STATUS_OK && status != STATUS_UNMATCHED) {
        say(s);
        salvage_now();
        MPI_Abort(MPI_COMM_WORLD, status_exit_code(status));
    }
    double *spent = spent_gather(s, executor);
    if (s->job.rank == 0 && status == STATUS_OK) {
        results.measured = &measured;
        results.spent = spent;
        salvage_take();
        status = results_write(s, &results);
        say(s);
    }
    salvage_end(); /* where a signal has waited nobody speaks after this */
    if (status == STATUS_UNMATCHED)
        say(s); /* each rank what it has found */
    free(spent);
    measured_free(&measured);
    executor_destroy(executor);
    return agree(s, status);
}

static void program_free(struct session *s)
{
    if (s->program)
        program_destroy(s->program);
    if (s->tree)
        tree_destroy(s->tree);
    if (s->source)
        source_destroy(s->source);
    s->program = NULL;
    s->tree = NULL;
    s->source = NULL;
}

static enum status program_run(struct session *s, uint64_t which)
{
    enum status status = program_load(s, which);
    if (status == STATUS_OK)
        status = agree(s, s->job.rank == 0 ? results_try(&s->options, s->tree, &s->diags) : STATUS_OK);
    if (status == STATUS_OK) {
        warn_of_algorithms(s);
        status = rehearse_first(s);
    }
    if (status == STATUS_NAME && s->tree && !s->options.machine) /* a name of the machine's */
        diag_note(&s->diags, place_of_file(NULL), "no machine file is given: -m FILE");
    if (s->job.rank == 0)
        say(s);
    diags_free(&s->diags);
    if (status == STATUS_OK)
        status = execute(s);
    program_free(s);
    return status;
}

/* Where times mean nothing, nothing is said of what made them longer. */
static void others_tell(struct session *s, struct others *others)
{
    size_t n;
    others_gather(others);
    const struct others_machine *machines = others_all(others, &n);
    if (s->job.rank == 0 && !s->options.verify)
        others_warn(n, machines, &s->diags);
}

/* What -m says of computations is then said of nodes that it does not have. */
static void note_of_machine(struct session *s)
{
    const struct machine *machine = s->machine;
    if (machine->nodes > 0 && s->at.nodes > machine->nodes)
        diag_note(&s->diags, place_of_file(s->options.machine), "%d nodes are more than the %d of %s: they are used again and again",
                  s->at.nodes, machine->nodes, machine->name);
    if (machine->ppn > 0 && s->at.ppn > machine->ppn)
        diag_note(&s->diags, place_of_file(s->options.machine), "%d processes per node are more than the %d of %s", s->at.ppn,
                  machine->ppn, machine->name);
}

static enum status work(struct session *s)
{
    enum status status = placement_find(&s->job, s->options.map, &s->at, &s->cyclic, &s->diags);
    if (status == STATUS_OK)
        status = machine_load(s);
    if (status == STATUS_OK && s->options.machine)
        note_of_machine(s);
    for (uint64_t which = 0; which < s->options.programs && status == STATUS_OK; which++) {
        s->goes_on = which + 1 < s->options.programs;
        status = program_run(s, which);
        s->options.append = true; /* each one's runs behind those of the ones before */
    }
    return status;
}

/* --print */
static enum status programs_print(struct session *s)
{
    for (uint64_t which = 0; which < s->options.programs; which++) {
        char *name, *text = invented(&s->options, which, &name);
        fputs(text, stdout);
        free(text);
        free(name);
    }
    return outfile_check(stdout, "standard output", &s->diags);
}

static void session_free(struct session *s)
{
    if (s->machine)
        machine_destroy(s->machine);
    run_options_free(&s->options);
}

/* A launcher of another MPI library: each of its processes would be a job of its own. */
static bool is_alone_by_mistake(const struct session *s)
{
    int size;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    return size == 1 && s->launched > 1;
}

static void tell_of_launcher(struct session *s)
{
    char library[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    MPI_Get_library_version(library, &length);
    diag_error(&s->diags, place_of_file(NULL),
               "the launcher has started %d processes, which do not find each other: it is "
               "not the launcher of this pevpm-run's MPI library, %.*s",
               s->launched, (int)strcspn(library, ",\n"), library);
}

static enum status execute_all(struct session *s)
{
    struct clock_options clock = {0};
    if (is_alone_by_mistake(s)) {
        tell_of_launcher(s);
        return STATUS_MPI;
    }
    job_init(&s->job, MPI_COMM_WORLD, "pevpm-run", &clock);
    struct others *others = others_create(&s->job);
    enum status status = work(s);
    if (status == STATUS_OK)
        others_tell(s, others);
    others_destroy(others);
    job_free(&s->job);
    return status;
}

/* What the line asks for. Every rank comes to the same end; one speaks for all. */
static enum status act(struct session *s, bool speaks)
{
    switch (s->options.action) {
    case RUN_EXECUTE:
        return execute_all(s);
    case RUN_PRINT:
        return speaks ? programs_print(s) : STATUS_OK;
    case RUN_HELP:
        if (speaks)
            run_options_help(stdout);
        break;
    case RUN_VERSION:
        if (speaks)
            option_print_version("pevpm-run", stdout);
    }
    return STATUS_OK;
}

/* Returns the process's rank, as the launcher says it where MPI does not. MPI writes into the environment. */
static int mpi_start(struct session *s)
{
    MPI_Errhandler handler;
    int rank, launched_rank = launch_rank();
    MPI_Init(NULL, NULL);
    MPI_Comm_create_errhandler(mpi_failed, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    MPI_Errhandler_free(&handler);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return is_alone_by_mistake(s) ? launched_rank : rank;
}

int main(int argc, char *argv[])
{
    struct session s = {.diags = DIAGS_EMPTY, .launched = launch_size()};
    enum status status = run_options_parse(&s.options, argc, argv, &s.diags);
    bool executes = status == STATUS_OK && s.options.action == RUN_EXECUTE;
    bool starts = executes || s.launched > 0; /* a launcher waits for that, whatever the line asks for */
    signal(SIGPIPE, SIG_IGN);
    bool speaks = (starts ? mpi_start(&s) : 0) == 0;
    if (status == STATUS_OK)
        status = act(&s, speaks);
    if (speaks)
        say(&s);
    diags_free(&s.diags);
    session_free(&s);
    if (starts)
        MPI_Finalize();
    return status_exit_code(status);
}
