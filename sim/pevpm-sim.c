/* pevpm-sim - predicts how an MPI program will run. Reads, calls sim/predict, prints. */
#include "common/alloc.h"
#include "common/outfile.h"
#include "sim/interrupt.h"
#include "sim/options.h"
#include "sim/plot.h"
#include "sim/predict.h"
#include "sim/report.h"
#include "sim/spread.h"

#include <errno.h>
#include <omp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Everything one invocation holds. */
struct session {
    struct options options;
    struct spread spread;
    struct diags diags;
    struct source *source;
    struct machine *machine;
    const char *machine_path;
    struct measurements measured;
    struct predict_request request;
    struct predict_result result;
    struct report report;
    bool begun;               /* the report's first lines are written */
    char *text;               /* of a report that goes to a file, until it is complete */
    size_t length;
};

/* Only rank 0 prints. What was said is forgotten, but not that there were errors. */
static void say(struct session *session)
{
    if (session->spread.rank == 0 && !(session->options.quiet && session->diags.n_errors == 0))
        diags_print(&session->diags, stderr);
    diags_free(&session->diags);
}

static enum status agree(struct session *session, enum status status)
{
    return replicate_agree(&session->spread, status, &session->diags);
}

/* Rank 0's text, for all: standard input is there only, and so may the file be. */
static enum status source_share(struct session *session)
{
    struct source **source = &session->source;
    enum status status = session->spread.rank == 0 ? source_read(source, session->options.program, &session->diags)
                                                   : STATUS_OK;
    status = agree(session, status);
    if (status != STATUS_OK || session->spread.size == 1)
        return status;
    size_t length = session->spread.rank == 0 ? (*source)->length : 0;
    status = session->spread.broadcast(&session->spread, &length, sizeof length);
    char *text = alloc_array(length + 1, 1);
    if (status == STATUS_OK && session->spread.rank == 0)
        memcpy(text, (*source)->text, length);
    if (status == STATUS_OK)
        status = session->spread.broadcast(&session->spread, text, length);
    if (status == STATUS_OK && session->spread.rank > 0) {
        bool standard = strcmp(session->options.program, "-") == 0;
        *source = source_from_text(standard ? "<stdin>" : session->options.program, text, length);
    }
    free(text);
    return status;
}

/* -m, else $PEVPM_MACHINE, else the machine file that was installed with the program. */
static const char *machine_choose(const struct options *options)
{
    if (options->machine)
        return options->machine;
    const char *path = getenv("PEVPM_MACHINE");
    if (path && *path)
        return path;
    const char *installed = PEVPM_DATADIR "/default-machine.yaml";
    return access(installed, R_OK) == 0 ? installed : NULL;
}

static enum status machine_load(struct session *session)
{
    session->machine_path = machine_choose(&session->options);
    if (!session->machine_path) {
        if (session->options.action == ACTION_CHECK)
            return STATUS_OK;
        diag_error(&session->diags, place_of_file(NULL),
                   "no machine file: give one with -m FILE, or name one in the environment variable PEVPM_MACHINE");
        return STATUS_USAGE;
    }
    if (session->spread.size > 1 && strcmp(session->machine_path, "-") == 0) {
        diag_error(&session->diags, place_of_file(NULL),
                   "a machine file cannot be read from standard input on several ranks");
        return STATUS_USAGE;
    }
    return agree(session, machine_read(&session->machine, session->machine_path, &session->diags));
}

/* Counts where none were asked for: 1, 2, 4 ... up to the machine's nodes. */
static void placements_default(struct options *options, const struct machine *machine)
{
    size_t capacity = 0;
    for (int nodes = 1; nodes <= machine->nodes || nodes == 1; nodes *= 2) {
        options->placements =
            alloc_grow(options->placements, options->n_placements, &capacity, sizeof *options->placements);
        options->placements[options->n_placements++] = (struct placement){nodes, nodes, 1};
        if (nodes > LIST_PROCESSES_MOST / 2)
            break;
    }
}

static void request_fill(struct session *session)
{
    struct options *options = &session->options;
    bool defaulted = options->n_placements == 0;
    if (defaulted)
        placements_default(options, session->machine);
    session->request = (struct predict_request){
        .program = session->source->name,
        .source = session->source,
        .machine = session->machine,
        .n_placements = options->n_placements,
        .placements = options->placements,
        .placements_defaulted = defaulted,
        .cyclic = options->cyclic,
        .n_modes = options->modes.n,
        .modes = options->modes.modes,
        .n_sweeps = options->n_sweeps,
        .sweeps = options->sweeps,
        .contention_given = options->contention_given,
        .contention = options->contention,
        .model = options->model,
        .baseline = options->baseline,
        .seed = options->seed,
        .plan = {.exact = options->replications, .precision = options->precision, .engine = options->engine,
                 .lanes = options->lanes, .threads = options->threads > 0 ? options->threads : omp_get_max_threads(),
                 .spread = &session->spread},
    };
    session->report = (struct report){.format = options->format, .out = stdout, .request = &session->request,
                                      .machine_path = session->machine_path, .verbose = options->verbose,
                                      .measured = options->measured ? &session->measured : NULL};
}

/* A file that is written whole replaces what had its name: never a device, a pipe or a folder. */
static enum status output_try(const char *path, struct diags *diags)
{
    struct stat there;
    struct outfile file;
    if (!path || strcmp(path, "-") == 0)
        return STATUS_OK;
    if (stat(path, &there) == 0 && !S_ISREG(there.st_mode)) {
        diag_error(diags, place_of_file(path), "cannot be replaced by a file: it is %s",
                   S_ISDIR(there.st_mode) ? "a folder" : "not a regular file");
        return STATUS_IO;
    }
    enum status status = outfile_open(&file, path, diags);
    if (status == STATUS_OK)
        outfile_abandon(&file);
    return status;
}

/* -o with a device or a pipe (/dev/null, say) is written to as the shell's > would. */
static enum status output_redirect(struct options *options, struct diags *diags)
{
    struct stat there;
    const char *path = options->output;
    if (!path || stat(path, &there) != 0 || S_ISREG(there.st_mode) || S_ISDIR(there.st_mode))
        return STATUS_OK;
    options->output = NULL;
    if (freopen(path, "w", stdout))
        return STATUS_OK;
    diag_error(diags, place_of_file(path), "cannot open: %s", strerror(errno));
    return STATUS_IO;
}

/* A name that cannot be written is said before the work, not after it. */
static enum status outputs_try(struct session *session)
{
    interrupt_hold();
    enum status status = output_redirect(&session->options, &session->diags);
    if (status == STATUS_OK)
        status = output_try(session->options.output, &session->diags);
    if (status == STATUS_OK)
        status = output_try(session->options.plot, &session->diags);
    interrupt_release();
    return status;
}

static void begin(struct session *session)
{
    if (!session->begun)
        report_begin(&session->report);
    session->begun = true;
}

static void say_how(const struct session *session, const struct prediction *row)
{
    fprintf(stderr, "%s%s%s %dx%d: %zu replication%s in %.3f s; engine %s, %d lane%s, %d role%s, %llu messages each\n",
            row->mode, *row->params ? " " : "", row->params, row->at.nodes, row->at.ppn, row->time.n,
            row->time.n > 1 ? "s" : "", row->seconds,
            session->options.engine == ENGINE_REFERENCE ? "reference" : "lanes", row->lanes, row->lanes > 1 ? "s" : "",
            row->roles, row->roles > 1 ? "s" : "", (unsigned long long)row->messages);
}

static enum status stream_check(struct session *session)
{
    if (fflush(session->report.out) == 0 && !ferror(session->report.out))
        return STATUS_OK;
    diag_error(&session->diags, place_of_file("standard output"), "cannot write: %s", strerror(errno));
    return STATUS_IO;
}

/* Each row goes out as soon as it is known. */
static enum status on_row(void *context, const struct prediction *row)
{
    struct session *session = context;
    if (session->spread.rank > 0)
        return STATUS_OK;
    progress_clear(session->request.plan.progress);
    say(session);
    begin(session);
    report_row(&session->report, row);
    if (session->options.verbose)
        say_how(session, row);
    return stream_check(session);
}

static void progress_start(struct session *session)
{
    const struct predict_request *request = &session->request;
    if (session->options.quiet || session->spread.rank > 0 || !isatty(STDERR_FILENO))
        return;
    double processes = 0;
    for (size_t i = 0; i < request->n_placements; i++)
        processes += request->placements[i].numprocs;
    double rows = (double)request->n_modes * (double)sweep_combinations(request->n_sweeps, request->sweeps);
    session->request.plan.progress = progress_create(stderr, processes * rows);
}

/* csv has no place for notes. */
static void notes_say(struct session *session)
{
    for (size_t i = 0; i < session->result.n_notes && session->options.format == REPORT_csv; i++)
        diag_note(&session->diags, place_of_file(NULL), "%s", session->result.notes[i]);
}

static enum status picture_draw(struct session *session)
{
    const char *path = session->options.plot;
    if (!path || session->result.n == 0)
        return STATUS_OK;
    interrupt_hold();
    enum status status =
        plot_write(path, &session->request, &session->result, session->report.measured, &session->diags);
    interrupt_release();
    session->report.plot = status == STATUS_OK ? path : NULL;
    return status;
}

/* The report's last lines; a report for a file is written to it now. */
static enum status report_finish(struct session *session)
{
    report_end(&session->report, &session->result);
    enum status status = stream_check(session);
    if (session->report.out == stdout || status != STATUS_OK)
        return status;
    struct outfile file;
    interrupt_hold();
    status = outfile_open(&file, session->options.output, &session->diags);
    if (status == STATUS_OK) {
        fwrite(session->text, 1, session->length, file.stream);
        status = outfile_commit(&file, &session->diags);
    }
    interrupt_release();
    return status;
}

static enum status worse_of(enum status a, enum status b)
{
    return status_exit_code(b) > status_exit_code(a) ? b : a;
}

/* Whether what was found is worth a report: rows, or an interrupted run that has to say so. */
static bool is_reportable(const struct session *session, enum status status)
{
    return session->spread.rank == 0 && status != STATUS_IO && status != STATUS_MPI &&
           (session->result.n > 0 || status == STATUS_INTERRUPTED);
}

static enum status results_write(struct session *session, enum status status)
{
    say(session);
    if (status == STATUS_INTERRUPTED)
        diag_error(&session->diags, place_of_file(NULL), "interrupted: %zu row%s known, the rest is missing",
                   session->result.n, session->result.n == 1 ? " is" : "s are");
    if (is_reportable(session, status)) {
        begin(session);
        notes_say(session);
        status = worse_of(status, picture_draw(session));
        status = worse_of(status, report_finish(session));
    }
    return status;
}

static enum status predict(struct session *session)
{
    enum status status = STATUS_OK;
    request_fill(session);
    if (session->spread.rank == 0) {
        status = outputs_try(session);
        if (status == STATUS_OK && session->options.measured)
            status = measurements_read(&session->measured, session->options.measured, &session->diags);
    }
    status = agree(session, status);
    if (status != STATUS_OK)
        return status;
    if (session->options.output && strcmp(session->options.output, "-") != 0)
        session->report.out = open_memstream(&session->text, &session->length);
    progress_start(session);
    session->request.on_row = on_row;
    session->request.context = session;
    session->request.stop = interrupt_install();
    status = predict_run(&session->request, &session->result, &session->diags);
    progress_destroy(session->request.plan.progress);
    if (session->options.verbose && session->spread.rank == 0)
        fprintf(stderr, "%d thread%s on %d rank%s, %.3f s\n", session->request.plan.threads,
                session->request.plan.threads > 1 ? "s" : "", session->spread.size, session->spread.size > 1 ? "s" : "",
                session->result.seconds);
    return results_write(session, status);
}

/* Parses with the first of each -D's values. */
static enum status tree_first(struct session *session, struct tree **tree)
{
    const struct options *options = &session->options;
    struct definition *definitions = alloc_array(options->n_sweeps, sizeof *definitions);
    sweep_select(options->n_sweeps, options->sweeps, 0, definitions);
    enum status status = tree_parse(tree, session->source, options->n_sweeps, definitions, &session->diags);
    free(definitions);
    return status;
}

/* --check: the program, the machine file where there is one, and each count that was asked for. */
static enum status check(struct session *session)
{
    struct tree *tree = NULL;
    const struct options *options = &session->options;
    enum status status = tree_first(session, &tree);
    for (size_t i = 0; i < options->n_placements && session->machine && tree; i++) {
        struct program *program = NULL;
        status = worse_of(status, predict_lower(&program, tree, session->machine, options->placements[i],
                                                options->cyclic, &session->diags));
        if (program)
            program_destroy(program);
    }
    if (tree)
        tree_destroy(tree);
    return status;
}

static enum status print_processes(struct session *session, const struct program *program)
{
    struct outfile file;
    enum status status = outputs_try(session);
    interrupt_hold();
    if (status == STATUS_OK)
        status = outfile_open(&file, session->options.output, &session->diags);
    if (status == STATUS_OK) {
        for (int process = 0; process < program->numprocs; process++) {
            if (process > 0)
                fputc('\n', file.stream);
            program_print(program, process, file.stream);
        }
        status = outfile_commit(&file, &session->diags);
    }
    interrupt_release();
    return status;
}

/* --print, at the first count. */
static enum status print(struct session *session)
{
    struct options *options = &session->options;
    if (options->n_placements == 0) {
        diag_error(&session->diags, place_of_file(NULL), "--print needs a number of processes: -n N");
        return STATUS_USAGE;
    }
    struct placement at = options->placements[0];
    if (at.numprocs > PRINT_PROCESSES_MOST) {
        diag_error(&session->diags, place_of_file(NULL),
                   "--print is for small runs, of at most %d processes: %d is too many", (int)PRINT_PROCESSES_MOST,
                   at.numprocs);
        return STATUS_USAGE;
    }
    struct tree *tree = NULL;
    struct program *program = NULL;
    enum status status = tree_first(session, &tree);
    if (status == STATUS_OK)
        status = predict_lower(&program, tree, session->machine, at, options->cyclic, &session->diags);
    if (status == STATUS_OK)
        status = print_processes(session, program);
    if (program)
        program_destroy(program);
    if (tree)
        tree_destroy(tree);
    return status;
}

static enum status work(struct session *session)
{
    enum status status = source_share(session);
    if (status == STATUS_OK)
        status = machine_load(session);
    else if (session->spread.size == 1)
        (void)machine_load(session); /* what is wrong with it is said in the same run */
    if (status != STATUS_OK)
        return status;
    if (session->options.action == ACTION_PREDICT)
        return predict(session);
    if (session->spread.rank > 0)
        return STATUS_OK;
    return session->options.action == ACTION_CHECK ? check(session) : print(session);
}

static enum status print_text(struct session *session, void (*write)(FILE *out))
{
    if (session->spread.rank > 0)
        return STATUS_OK;
    struct outfile file;
    enum status status = outfile_open(&file, NULL, &session->diags);
    write(file.stream);
    return status == STATUS_OK ? outfile_commit(&file, &session->diags) : status;
}

static void session_free(struct session *session)
{
    predict_result_free(&session->result);
    measurements_free(&session->measured);
    if (session->report.out && session->report.out != stdout)
        fclose(session->report.out);
    free(session->text);
    if (session->machine)
        machine_destroy(session->machine);
    if (session->source)
        source_destroy(session->source);
    options_free(&session->options);
}

int main(int argc, char *argv[])
{
    struct session session = {.diags = DIAGS_EMPTY};
    enum status status = spread_open(&session.spread, &argc, &argv, &session.diags);
    signal(SIGPIPE, SIG_IGN); /* a reader that goes away is a failed write */
    if (status == STATUS_OK)
        status = options_parse(&session.options, argc, argv, &session.diags);
    if (status == STATUS_OK && session.options.action == ACTION_HELP)
        status = print_text(&session, options_print_help);
    else if (status == STATUS_OK && session.options.action == ACTION_VERSION)
        status = print_text(&session, options_print_version);
    else if (status == STATUS_OK)
        status = work(&session);
    say(&session);
    session_free(&session);
    spread_close(&session.spread, status == STATUS_MPI);
    return status_exit_code(status);
}
