/* pevpm-sim - predicts how an MPI program will run. Reads, calls sim/predict, prints. */
#include "cli/decide.h"
#include "cli/files.h"
#include "cli/interrupt.h"
#include "cli/judge.h"
#include "cli/options.h"
#include "cli/patience.h"
#include "collectives/algorithm_check.h"
#include "common/alloc.h"
#include "common/option.h"
#include "common/outfile.h"
#include "common/suggest.h"
#include "directives/honest.h"
#include "directives/program_files.h"
#include "models/machine_convert.h"
#include "report/compare_report.h"
#include "report/inspect.h"
#include "report/plot.h"
#include "report/report.h"
#include "sim/predict.h"
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
    struct diags diags, told;  /* told: what need not be said again (diag.h) */
    struct source *source;
    struct machine *machine;
    char own_machine[DEFAULT_MACHINE_BYTES];      /* the path of the one that comes with the program */
    const char *machine_path;
    struct measurements measured;
    struct predict_request request;
    struct predict_mode *modes;      /* the request's */
    char *models;                    /* their models, for a reader */
    struct predict_result result;
    struct report report;
    struct inspection inspection;
    struct patience patience;
    const char *device;       /* that standard output goes to because of -o; NULL: where the shell has put it */
    bool begun;               /* the report's first lines are written */
    char *text;               /* of a report that goes to a file, until it is complete */
    size_t length;
};

/* Only rank 0 prints. What was said is forgotten, but not that there were errors. */
static void say(struct session *session)
{
    if (session->spread.rank == 0 && !(session->options.quiet && session->diags.n_errors == 0))
        diags_print_once(&session->diags, &session->told, stderr);
    diags_free(&session->diags);
}

static enum status agree(struct session *session, enum status status)
{
    return replicate_agree(&session->spread, status, &session->diags);
}

/* What rank 0 reads, for all: standard input is there only, and so may the files be. */
static enum status source_share(struct session *session)
{
    const struct options *options = &session->options;
    const struct spread *spread = &session->spread;
    enum status status = STATUS_OK;
    if (spread->rank == 0)
        status = program_files_read(&session->source, options->n_files, options->files, options->cflags,
                                    &session->diags);
    if (status == STATUS_IO && options->inspect.profile && !options->inspect.profile_path)
        option_note_flag("--profile", "--profile-output FILE", &session->diags);
    status = agree(session, status);
    if (status != STATUS_OK || spread->size == 1)
        return status;
    size_t n = 0;
    char *bytes = spread->rank == 0 ? program_files_pack(session->source, &n) : NULL;
    status = spread->broadcast(spread, &n, sizeof n);
    if (spread->rank > 0)
        bytes = alloc_array(n, 1);
    if (status == STATUS_OK)
        status = spread->broadcast(spread, bytes, n);
    if (status == STATUS_OK && spread->rank > 0)
        session->source = program_files_unpack(bytes);
    free(bytes);
    return status;
}

static enum status machine_load(struct session *session)
{
    session->machine_path = files_machine(session->options.machine, session->own_machine);
    /* --check does without where none is named, since the program may be meant for another machine than ours */
    if (session->options.action == ACTION_CHECK && session->machine_path == session->own_machine)
        session->machine_path = NULL;
    if (!session->machine_path)
        return session->options.action == ACTION_CHECK ? STATUS_OK : files_no_machine(&session->diags);
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
    session->modes = lists_cross(&options->models, &options->modes, &session->models);
    session->request = (struct predict_request){
        .program = source_program(session->source),
        .source = session->source,
        .machine = session->machine,
        .n_placements = options->n_placements,
        .placements = options->placements,
        .placements_defaulted = defaulted,
        .map = options->map,
        .n_modes = options->models.n * options->modes.n,
        .modes = session->modes,
        .n_sweeps = options->n_sweeps,
        .sweeps = options->sweeps,
        .contention_given = options->contention_given,
        .contention = options->contention,
        .model = session->models,
        .library_given = options->library_given,
        .library = options->library,
        .optimised = options->optimised,
        .unconnected = !options->connected,
        .scale = scale_is_none(&options->scale) ? NULL : &options->scale,
        .baseline = options->baseline,
        .seed = options->seed,
        .same_work = options->same_work,
        .work = options->work,
        .plan = {.exact = options->replications, .precision = options->precision, .engine = options->engine,
                 .lanes = options->lanes, .threads = options->threads > 0 ? options->threads : omp_get_max_threads(),
                 .spread = &session->spread},
    };
    session->report = (struct report){.format = options->format, .out = stdout, .request = &session->request,
                                      .machine_path = session->machine_path, .verbose = options->verbose,
                                      .measured = options->measured ? &session->measured : NULL};
}

/* -o with a device or a pipe (/dev/null, say) is written to as the shell's > would. */
static enum status output_redirect(struct session *session)
{
    struct stat there;
    const char *path = session->options.output;
    if (!path || stat(path, &there) != 0 || S_ISREG(there.st_mode) || S_ISDIR(there.st_mode))
        return STATUS_OK;
    struct outfile device;
    enum status status = outfile_open(&device, path, &session->diags);
    if (status != STATUS_OK)
        return status;
    session->options.output = NULL;
    session->device = path;
    if (dup2(fileno(device.stream), STDOUT_FILENO) < 0) {
        diag_error(&session->diags, place_of_file(path), "cannot open: %s", strerror(errno));
        status = STATUS_IO;
    }
    outfile_abandon(&device);
    return status;
}

/* A name that cannot be written is said before the work, not after it. */
static enum status outputs_try(struct session *session)
{
    interrupt_hold();
    enum status status = output_redirect(session);
    if (status == STATUS_OK)
        status = files_output_try(session->options.output, &session->diags);
    if (status == STATUS_OK)
        status = files_output_try(session->options.plot, &session->diags);
    if (status == STATUS_OK)
        status = inspect_try(&session->options.inspect, &session->diags);
    interrupt_release();
    return status;
}

static void begin(struct session *session)
{
    if (!session->begun)
        report_begin(&session->report);
    session->begun = true;
}

static void say_how(const struct prediction *row)
{
    fprintf(stderr, "%s%s%s %dx%d: %zu replication%s in %.3f s; engine %s, %d lane%s, %d role%s, %llu messages each\n",
            row->mode, *row->params ? " " : "", row->params, row->at.nodes, row->at.ppn, row->time.n,
            row->time.n > 1 ? "s" : "", row->seconds,
            engine_name(row->engine), row->lanes, row->lanes > 1 ? "s" : "",
            row->roles, row->roles > 1 ? "s" : "", (unsigned long long)row->messages);
    if (row->inversions > 0)
        fprintf(stderr, "  in %llu of %s%llu replications messages were served out of the order of time: "
                        "%s run in the time-ordered engine\n", (unsigned long long)row->inversions,
                row->engine == ENGINE_TIMED ? "the first " : "", (unsigned long long)row->inversions_of,
                row->engine == ENGINE_TIMED ? "all were" : "they were");
}

/* A reader who wants no more of the report ends the work, unless there are files to write as well. */
static enum status stream_check(struct session *session)
{
    const struct options *options = &session->options;
    bool files = options->plot || options->inspect.profile_path || options->inspect.trace;
    const char *name = session->device ? session->device : "standard output";
    enum status status = outfile_check(session->report.out, name, &session->diags);
    return status == STATUS_GONE && files ? STATUS_OK : status;
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
        say_how(row);
    return stream_check(session);
}

/* --profile and --trace: rank 0's work. */
static enum status on_inspect(void *context, const struct prediction *row, const struct engine_setup *setup)
{
    struct session *session = context;
    if (session->spread.rank > 0)
        return STATUS_OK;
    return inspect_row(&session->inspection, &session->request, row, setup, &session->diags);
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

/* Once a progress bar there may be. */
static void patience_start(struct session *session)
{
    if (!session->options.quiet && session->spread.rank == 0)
        session->request.watch = patience_begin(&session->patience, session->request.plan.progress);
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

/* The report's last lines, with the profiles where they belong to it. */
static void report_close(struct session *session)
{
    struct report *report = &session->report;
    bool has_profiles = session->options.inspect.profile && !session->options.inspect.profile_path;
    char *profiles = has_profiles ? inspect_text(&session->inspection) : NULL;
    report->profiles = profiles;
    report->trace = session->inspection.trace_text;
    report_end(report, &session->result);
    if (profiles && report->format == REPORT_text && *profiles)
        fprintf(report->out, "\n%s", profiles);
    free(profiles);
    report->profiles = NULL;
}

/* A report for a file is written to it now. */
static enum status output_store(struct session *session)
{
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
    return session->spread.rank == 0 && status != STATUS_IO && status != STATUS_MPI && status != STATUS_GONE &&
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
        report_close(session);
        status = worse_of(status, output_store(session));
        files_hold(session->options.inspect.profile_path);
        status = worse_of(status, inspect_write(&session->inspection, &session->diags));
        interrupt_release();
    }
    return status;
}

static enum status measured_read(struct session *session)
{
    const char *path = session->options.measured;
    enum status status = measurements_read(&session->measured, path, &session->diags);
    if (status == STATUS_OK)
        status = measurements_check(&session->measured, path, session->request.n_placements,
                                    session->request.placements, &session->diags);
    return status;
}

static enum status predict(struct session *session)
{
    enum status status = STATUS_OK;
    request_fill(session);
    if (session->spread.rank == 0) {
        status = outputs_try(session);
        if (status == STATUS_OK && session->options.measured)
            status = measured_read(session);
    }
    status = agree(session, status);
    if (status != STATUS_OK)
        return status;
    if (session->options.output && strcmp(session->options.output, "-") != 0)
        session->report.out = open_memstream(&session->text, &session->length);
    progress_start(session);
    session->request.on_row = on_row;
    session->inspection.wish = session->options.inspect;
    session->inspection.wish.format = session->options.format;
    session->inspection.wish.verbose = session->options.verbose;
    if (session->options.inspect.profile || session->options.inspect.trace)
        session->request.on_inspect = on_inspect;
    session->request.context = session;
    session->request.stop = interrupt_install();
    patience_start(session);
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

/* The result of --check. */
static enum status print_honesty(struct session *session, const struct honest_counts *counts)
{
    struct outfile file;
    enum status status = outfile_open(&file, session->options.output, &session->diags);
    if (status != STATUS_OK)
        return status;
    size_t none = counts->directives - counts->compared - counts->partly;
    fprintf(file.stream,
            "compared     %zu Message and Collective directive%s with the MPI calls: %zu in full, %zu in part, %zu not "
            "at all%s\n",
            counts->directives, counts->directives == 1 ? "" : "s", counts->compared, counts->partly, none,
            counts->partly + none > 0 && !session->options.verbose ? " (-v says why)" : "");
    return outfile_commit(&file, &session->diags);
}

/* Do the directives say what the calls below them do? Warnings only: the calls cannot always be read right. */
static enum status check_honesty(struct session *session, const struct tree *tree)
{
    const struct options *options = &session->options;
    struct honest_counts counts;
    struct honest_placement *placements = alloc_array(options->n_placements, sizeof *placements);
    for (size_t i = 0; i < options->n_placements; i++)
        placements[i] = (struct honest_placement){options->placements[i].nodes, options->placements[i].ppn};
    struct honest_options how = {.machine = session->machine ? session->machine->name : NULL,
                                 .n = options->n_placements, .placements = placements, .cyclic = options->map.cyclic,
                                 .explain = options->verbose};
    honest_check(tree, &how, &counts, &session->diags);
    free(placements);
    return print_honesty(session, &counts);
}

static enum mpi_library library_of(const struct session *session)
{
    return session->options.library_given ? session->options.library : session->machine->library;
}

/* --check: the program, the machine file where there is one, and each count that was asked for. */
static enum status check(struct session *session)
{
    struct tree *tree = NULL;
    const struct options *options = &session->options;
    enum status status = tree_first(session, &tree);
    if (tree)
        status = worse_of(status, algorithms_check(tree, &session->diags));
    for (size_t i = 0; i < options->n_placements && session->machine && tree; i++) {
        struct program *program = NULL;
        status = worse_of(status, predict_lower(&program, tree, session->machine, library_of(session),
                                                options->placements[i], options->map, &session->diags));
        if (program)
            program_destroy(program);
    }
    if (tree) {
        status = worse_of(status, check_honesty(session, tree));
        tree_destroy(tree);
    }
    return status;
}

static enum status print_processes(struct session *session, const struct program *program)
{
    struct outfile file;
    enum status status = outputs_try(session);
    files_hold(session->options.output);
    if (status == STATUS_OK)
        status = outfile_open(&file, session->options.output, &session->diags);
    if (status == STATUS_OK) {
        const struct options *options = &session->options;
        size_t n = options->n_ranks > 0 ? options->n_ranks : (size_t)program->numprocs;
        for (size_t i = 0; i < n; i++) {
            if (i > 0)
                fputc('\n', file.stream);
            program_print(program, options->n_ranks > 0 ? options->ranks[i] : (int)i, options->n_ranks > 0,
                          file.stream);
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
    if (options->n_ranks == 0 && at.numprocs > PRINT_PROCESSES_MOST) {
        diag_error(&session->diags, place_of_file(NULL),
                   "--print is for small runs, of at most %d processes: %d is too many; --print=RANK prints some",
                   (int)PRINT_PROCESSES_MOST, at.numprocs);
        return STATUS_USAGE;
    }
    for (size_t i = 0; i < options->n_ranks; i++)
        if (options->ranks[i] >= at.numprocs) {
            diag_error(&session->diags, place_of_file(NULL), "--print=%d: of %d processes the last is %d",
                       options->ranks[i], at.numprocs, at.numprocs - 1);
            return STATUS_USAGE;
        }
    struct tree *tree = NULL;
    struct program *program = NULL;
    enum status status = tree_first(session, &tree);
    if (status == STATUS_OK)
        status = predict_lower(&program, tree, session->machine, library_of(session), at, options->map,
                               &session->diags);
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

/* ---- compare ---- */

struct comparing {
    struct session *a;        /* says and writes */
    struct compare_report report;
};

static enum status on_comparison(void *context, const struct comparison *row)
{
    struct comparing *comparing = context;
    struct session *a = comparing->a;
    if (a->spread.rank > 0)
        return STATUS_OK;
    say(a);
    if (!a->begun)
        compare_report_begin(&comparing->report);
    a->begun = true;
    compare_report_row(&comparing->report, row);
    if (a->options.verbose)
        fprintf(stderr, "%zu replications of each; A %.3f s with engine %s, B %.3f s with engine %s\n", row->n,
                row->side[0].seconds, engine_name(row->side[0].engine), row->side[1].seconds,
                engine_name(row->side[1].engine));
    return stream_check(a);
}

/* Both sides' files. What is wrong with B's is said in the same run. */
static enum status sides_load(struct session *a, struct session *b)
{
    enum status status = source_share(a), other;
    status = worse_of(status, machine_load(a));
    other = source_share(b);
    other = worse_of(other, machine_load(b));
    say(a);
    say(b);
    return worse_of(status, other);
}

/* Where neither side says counts: up to the nodes that both machines have; where B alone does, they are A's too. */
static void sides_place(struct session *a, struct session *b, bool *defaulted)
{
    struct options *x = &a->options, *y = &b->options;
    *defaulted = x->n_placements == 0 && y->n_placements == 0;
    if (x->n_placements > 0)
        return;
    if (*defaulted)
        placements_default(y, a->machine->nodes <= b->machine->nodes ? a->machine : b->machine);
    x->placements = alloc_array(y->n_placements, sizeof *x->placements);
    memcpy(x->placements, y->placements, y->n_placements * sizeof *x->placements);
    x->n_placements = y->n_placements;
}

static enum status comparison_write(struct comparing *comparing, const struct compare_result *result,
                                    enum status status)
{
    struct session *a = comparing->a;
    bool reportable = status != STATUS_IO && status != STATUS_MPI && status != STATUS_GONE &&
                      (result->n > 0 || status == STATUS_INTERRUPTED);
    say(a);
    if (status == STATUS_INTERRUPTED)
        diag_error(&a->diags, place_of_file(NULL), "interrupted: %zu row%s known, the rest is missing", result->n,
                   result->n == 1 ? " is" : "s are");
    if (a->spread.rank > 0 || !reportable)
        return status;
    if (!a->begun)
        compare_report_begin(&comparing->report);
    for (size_t i = 0; i < result->n_notes && a->options.format == REPORT_csv; i++)
        diag_note(&a->diags, place_of_file(NULL), "%s", result->notes[i]);
    compare_report_end(&comparing->report, result);
    return worse_of(status, output_store(a));
}

static enum status compare(struct session *a, struct session *b)
{
    enum status status = sides_load(a, b);
    if (status != STATUS_OK)
        return status;
    bool defaulted;
    sides_place(a, b, &defaulted);
    request_fill(a);
    request_fill(b);
    a->request.placements_defaulted = b->request.placements_defaulted = defaulted;
    status = agree(a, a->spread.rank == 0 ? outputs_try(a) : STATUS_OK);
    if (status != STATUS_OK)
        return status;
    if (a->options.output && strcmp(a->options.output, "-") != 0)
        a->report.out = open_memstream(&a->text, &a->length);
    a->request.stop = b->request.stop = interrupt_install();
    patience_start(a);
    patience_start(b);
    struct comparing comparing = {.a = a};
    struct compare_request request = {.side = {&a->request, &b->request}, .seed = a->request.seed,
                                      .plan = a->request.plan, .on_row = on_comparison, .context = &comparing};
    comparing.report = (struct compare_report){.format = a->options.format, .out = a->report.out, .request = &request,
                                               .machine_path = {a->machine_path, b->machine_path}};
    struct compare_result result = {0};
    status = compare_run(&request, &result, &a->diags);
    status = comparison_write(&comparing, &result, status);
    compare_result_free(&result);
    return status;
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
    diags_free(&session->told);
    predict_result_free(&session->result);
    measurements_free(&session->measured);
    if (session->report.out && session->report.out != stdout)
        fclose(session->report.out);
    inspect_free(&session->inspection);
    free(session->text);
    free(session->modes);
    free(session->models);
    if (session->machine)
        machine_destroy(session->machine);
    if (session->source)
        source_destroy(session->source);
    options_free(&session->options);
}

/* `pevpm-sim compare ...`; argv[0] is that word. */
static enum status main_compare(struct session *a, int argc, char *argv[])
{
    struct session b = {.diags = DIAGS_EMPTY, .told = DIAGS_EMPTY, .spread = a->spread};
    struct options sides[2];
    enum status status = options_parse_compare(sides, argc, argv, &a->diags);
    a->options = sides[0];
    b.options = sides[1];
    if (status == STATUS_OK && a->options.action == ACTION_HELP)
        status = print_text(a, options_print_compare_help);
    else if (status == STATUS_OK && a->options.action == ACTION_VERSION)
        status = print_text(a, options_print_version);
    else if (status == STATUS_OK)
        status = compare(a, &b);
    session_free(&b);
    return status;
}

/* `pevpm-sim judge ...`; argv[0] is that word. */
static enum status main_judge(struct session *session, int argc, char *argv[])
{
    enum status status = options_parse_judge(&session->options, argc, argv, &session->diags);
    if (status != STATUS_OK)
        return status;
    if (session->options.action == ACTION_HELP)
        return print_text(session, options_print_judge_help);
    if (session->options.action == ACTION_VERSION)
        return print_text(session, options_print_version);
    return judge_command(&session->options, &session->spread, stdout, &session->diags);
}

static enum status convert(struct session *session)
{
    struct machine_source source = MACHINE_SOURCE_EMPTY;
    enum status status =
        machine_read_whole(&session->machine, &source, session->options.machine, &session->diags);
    if (status == STATUS_OK) {
        machine_convert(session->machine, &source);
        struct machine_write_options options = machine_source_options(&source);
        const char *path = session->options.output ? session->options.output : "-";
        files_hold(path);
        status = machine_write(session->machine, &options, path, &session->diags);
        interrupt_release();
    }
    machine_source_free(&source);
    return status;
}

/* `pevpm-sim convert ...`; argv[0] is that word. Rank 0's work. */
static enum status main_convert(struct session *session, int argc, char *argv[])
{
    enum status status = options_parse_convert(&session->options, argc, argv, &session->diags);
    if (status != STATUS_OK || session->spread.rank > 0)
        return status;
    if (session->options.action == ACTION_HELP)
        return print_text(session, options_print_convert_help);
    if (session->options.action == ACTION_VERSION)
        return print_text(session, options_print_version);
    return convert(session);
}

/* `pevpm-sim decide ...`; argv[0] is that word. Rank 0's work. */
static enum status main_decide(struct session *session, int argc, char *argv[])
{
    return session->spread.rank > 0 ? STATUS_OK : decide_command(argc, argv, stdout, &session->options.quiet,
                                                                      &session->diags);
}

static enum status main_predict(struct session *session, int argc, char *argv[])
{
    enum status status = options_parse(&session->options, argc, argv, &session->diags);
    if (status != STATUS_OK)
        return status;
    if (session->options.action == ACTION_HELP)
        return print_text(session, options_print_help);
    if (session->options.action == ACTION_VERSION)
        return print_text(session, options_print_version);
    return work(session);
}

/* The words that may stand in the place of a program. */
static const struct command {
    const char *name;
    enum status (*run)(struct session *session, int argc, char *argv[]);
} commands[] = {{"compare", main_compare}, {"judge", main_judge}, {"convert", main_convert}, {"decide", main_decide}};
enum { N_COMMANDS = sizeof commands / sizeof *commands };

/* Neither a command nor a file, but nearly a command: jugde. compare.c is a file, and so is what is in a folder. */
static enum status command_check(const char *word, struct diags *diags)
{
    const char *names[N_COMMANDS], *meant;
    for (size_t i = 0; i < N_COMMANDS; i++)
        names[i] = commands[i].name;
    if (strpbrk(word, "-./") || access(word, F_OK) == 0 ||
        !(meant = suggest_name(word, strlen(word), names, N_COMMANDS)))
        return STATUS_OK;
    diag_error(diags, place_of_file(NULL), "there is no file `%s`: did you mean `pevpm-sim %s`?", word, meant);
    return STATUS_USAGE;
}

static enum status main_command(struct session *session, int argc, char *argv[])
{
    const char *word = argc > 1 ? argv[1] : "";
    for (size_t i = 0; i < N_COMMANDS; i++)
        if (strcmp(word, commands[i].name) == 0)
            return commands[i].run(session, argc - 1, argv + 1);
    enum status status = command_check(word, &session->diags);
    return status == STATUS_OK ? main_predict(session, argc, argv) : status;
}

int main(int argc, char *argv[])
{
    struct session session = {.diags = DIAGS_EMPTY, .told = DIAGS_EMPTY};
    enum status status = spread_open(&session.spread, &argc, &argv, &session.diags);
    signal(SIGPIPE, SIG_IGN); /* a reader that goes away is STATUS_GONE (common/outfile.h) */
    if (status == STATUS_OK)
        status = main_command(&session, argc, argv);
    say(&session);
    session_free(&session);
    spread_close(&session.spread, status == STATUS_MPI);
    return status_exit_code(status);
}
