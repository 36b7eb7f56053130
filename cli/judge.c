#include "cli/judge.h"

#include "cli/files.h"
#include "cli/interrupt.h"
#include "cli/patience.h"
#include "cli/runs.h"
#include "common/outfile.h"
#include "models/machine_edit.h"
#include "report/judge_csv.h"
#include "report/judge_profile.h"
#include "report/judge_report.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Everything that a judgement reads. */
struct judgement {
    const struct options *options;
    const struct spread *spread;
    char own_machine[DEFAULT_MACHINE_BYTES];
    const char *machine_path;
    struct machine *machine;
    struct runs runs;
    struct judge_request request;
    struct judge_result result;
    struct patience patience;
};

static enum status worse_of(enum status a, enum status b)
{
    return status_exit_code(b) > status_exit_code(a) ? b : a;
}

/* What is wrong with either file is said in the same run. */
static enum status files_read(struct judgement *j, struct diags *diags)
{
    j->machine_path = files_machine(j->options->machine, j->own_machine);
    if (!j->machine_path)
        return files_no_machine(diags);
    enum status status = files_output_try(j->spread->rank == 0 ? j->options->output : NULL, diags);
    status = worse_of(status, machine_read(&j->machine, j->machine_path, diags));
    return worse_of(status, (j->options->inspect.profile ? runs_read_profiles : runs_read)(&j->runs, *j->options->files,
                                                                                           diags));
}

/* Each run is predicted four times: as it is, without communication, with more of it, and with the model error; each of its launches
 * for itself where it counts what it drew. */
static struct progress_bar *progress_start(const struct judgement *j)
{
    double processes = 0;
    if (j->options->quiet || j->spread->rank > 0 || !isatty(STDERR_FILENO))
        return NULL;
    for (size_t i = 0; i < j->runs.n; i++)
        processes += j->runs.runs[i].at.numprocs *
                     (double)(judge_draws_count(&j->request, &j->runs.runs[i]) ? j->runs.runs[i].n : 1);
    return progress_create(stderr, 4 * processes);
}

static void request_fill(struct judgement *j)
{
    const struct options *options = j->options;
    j->request = (struct judge_request){
        .machine = j->machine,
        .n = j->runs.n,
        .runs = j->runs.runs,
        .seed = options->seed,
        .contention_given = options->contention_given,
        .contention = options->contention,
        .library_given = options->library_given,
        .library = options->library,
        .plan = {.exact = options->replications, .engine = options->engine, .lanes = options->lanes,
                 .threads = options->threads > 0 ? options->threads : omp_get_max_threads(), .spread = j->spread},
        .stop = interrupt_install(),
    };
}

/* A figure that the file cannot hold was cut. */
static void warn_of_cuts(const struct judgement *j, struct diags *diags)
{
    const struct machine_model_error *found = &j->result.found;
    if (found->communication >= 1 || found->computation >= 1)
        diag_warning(diags, place_of_file(*j->options->files),
                     "predictions of these runs are off by as much as %s takes: more than 1 is not kept",
                     found->communication >= 1 ? "communication" : "computation");
}

/* A file that says how wrong it is should have been that of the machine where the runs were. */
static void warn_of_place(const struct judgement *j, struct diags *diags)
{
    const struct machine *machine = j->machine;
    const struct judge_run *first = NULL;
    size_t n = 0;
    for (size_t i = 0; i < j->runs.n; i++) {
        const struct judge_run *run = &j->runs.runs[i];
        if (((machine->nodes > 0 && run->at.nodes > machine->nodes) || (machine->ppn > 0 && run->at.ppn > machine->ppn)) &&
            n++ == 0)
            first = run;
    }
    if (first)
        diag_warning(diags, first->place,
                     "%zu of %zu runs had more nodes or processes per node than %s has (%dx%d, this one %dx%d): is it the machine "
                     "where they were? %s will say that it is so wrong", n, j->runs.n, machine->name, machine->nodes,
                     machine->ppn, first->at.nodes, first->at.ppn, j->options->output);
}

static enum status machine_store(const struct judgement *j, struct diags *diags)
{
    struct source *before = NULL;
    char *after = NULL;
    if (!j->options->output)
        return STATUS_OK;
    warn_of_place(j, diags);
    enum status status = source_read(&before, j->machine_path, diags);
    if (status == STATUS_OK)
        status = machine_edit_model_error(&after, before->name, before->text, before->length, &j->result.found, diags);
    if (status == STATUS_OK)
        status = files_store(j->options->output, after, diags);
    free(after);
    if (before)
        source_destroy(before);
    return status;
}

/* Beside a table that a program reads. */
static void notes_say(const struct note_list *notes, struct diags *diags)
{
    for (size_t i = 0; i < notes->n; i++)
        diag_note(diags, place_of_file(NULL), "%s", notes->notes[i].text);
}

static enum status results_write(struct judgement *j, FILE *out, struct diags *diags)
{
    if (j->spread->rank > 0)
        return STATUS_OK;
    warn_of_cuts(j, diags);
    if (j->options->format == REPORT_csv) {
        judge_csv_write(out, &j->request, &j->result);
        notes_say(&j->result.notes, diags);
    } else {
        judge_report_write(out, j->machine_path, &j->request, &j->result);
    }
    enum status status = outfile_check(out, "standard output", diags);
    return status == STATUS_OK ? machine_store(j, diags) : status;
}

/* --profile: a table for each run. */
static enum status profiles_judge(struct judgement *j, FILE *out, struct diags *diags)
{
    enum status status = STATUS_OK;
    const bool csv = j->options->format == REPORT_csv;
    struct note_list notes = {0};
    if (csv && j->spread->rank == 0)
        judge_profile_header(out);
    for (size_t i = 0; i < j->runs.n && status == STATUS_OK; i++) {
        if (i > 0 && j->spread->rank == 0 && !csv)
            fputc('\n', out);
        status = replicate_agree(j->spread, judge_profile(&j->request, &j->runs.runs[i], csv, out, &notes, diags), diags);
    }
    if (status == STATUS_OK && j->spread->rank == 0 && csv)
        notes_say(&notes, diags);
    else if (status == STATUS_OK && j->spread->rank == 0)
        judge_report_notes(out, &notes, j->runs.n, j->runs.runs);
    note_list_free(&notes);
    return status != STATUS_OK ? status
                               : replicate_agree(j->spread, outfile_check(out, "standard output", diags), diags);
}

static enum status runs_judge(struct judgement *j, FILE *out, struct diags *diags)
{
    j->request.plan.progress = progress_start(j);
    if (!j->options->quiet && j->spread->rank == 0)
        j->request.watch = patience_begin(&j->patience, j->request.plan.progress);
    enum status status = judge_measured(&j->request, &j->result, diags);
    progress_destroy(j->request.plan.progress);
    if (status == STATUS_OK)
        status = replicate_agree(j->spread, results_write(j, out, diags), diags);
    judge_result_free(&j->result);
    return status;
}

enum status judge_command(const struct options *options, const struct spread *spread, FILE *out, struct diags *diags)
{
    struct judgement j = {.options = options, .spread = spread};
    enum status status = replicate_agree(spread, files_read(&j, diags), diags);
    if (status == STATUS_OK) {
        request_fill(&j);
        status = (options->inspect.profile ? profiles_judge : runs_judge)(&j, out, diags);
        if (status == STATUS_INTERRUPTED)
            diag_error(diags, place_of_file(NULL), "interrupted: nothing can be said yet");
    }
    runs_free(&j.runs);
    if (j.machine)
        machine_destroy(j.machine);
    return status;
}
