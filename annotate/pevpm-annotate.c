/* pevpm-annotate - directives beside the calls of a C, C++ or Fortran program, from its sources and recordings. */
#include "annotate/copies.h"
#include "annotate/options.h"
#include "annotate/write.h"
#include "common/alloc.h"
#include "common/option.h"
#include "directives/directive.h"
#include "directives/program_files.h"
#include "host/libclang.h"
#include "record/caveat.h"
#include "record/hold.h"
#include "record/template.h"

#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

static int compare_recordings(const void *a, const void *b)
{
    return ((const struct recording *)a)->ranks - ((const struct recording *)b)->ranks;
}

static enum status read_recordings(const struct annotate_options *options, struct recording *recordings,
                                   struct diags *diags)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < options->n_recordings; i++) {
        enum status next = recording_read(&recordings[i], options->recordings[i], diags);
        status = status != STATUS_OK ? status : next;
    }
    if (status != STATUS_OK)
        return status;
    qsort(recordings, options->n_recordings, sizeof *recordings, compare_recordings);
    return template_check(options->n_recordings, recordings, diags);
}

/* C and C++ are read by libclang. */
static enum status refuse_unreadable(const struct source *files, struct diags *diags)
{
    for (; files && !libclang_built(); files = files->next)
        if (files->host == HOST_C) {
            diag_error(diags, place_of_file(files->name),
                       "this pevpm-annotate was built without libclang: install it (`make deps`) "
                       "and build again; `pevpm-record --program` does without");
            return STATUS_NOT_YET;
        }
    return STATUS_OK;
}

/* Directives that are there already would say everything twice. */
static enum status refuse_annotated(const struct source *files, struct diags *diags)
{
    enum status status = STATUS_OK;
    for (; files; files = files->next) {
        struct directives directives;
        struct diags unsaid = DIAGS_EMPTY;
        (void)directives_find(&directives, files, &unsaid);
        if (directives.n > 0) {
            diag_error(diags, piece_place(files, directives.pieces, directives.pieces->begin, 1),
                       "there are directives in this file already: name the sources without them (what was changed in "
                       "the copies is kept)");
            status = STATUS_SYNTAX;
        }
        directives_free(&directives);
        diags_free(&unsaid);
    }
    return status;
}

static char *text_of(const struct lines_added *lines, const struct plan *plan, int file)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    lines_write(lines, plan, file, out);
    fclose(out);
    return text;
}

static enum status put_files(const struct annotate_options *options, const struct lines_added *lines,
                             const struct plan *plan, struct diags *diags)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < plan->n_files && status == STATUS_OK; i++) {
        const struct source *source = plan->files[i].source;
        const char *name = source_short_name(plan->files[0].source, source->name);
        char *text = text_of(lines, plan, (int)i), *label = alloc_format("%s/%s", options->output, name);
        bool kept = false;
        if (options->diff)
            status = copy_diff(source->name, label, text, diags);
        else
            status = copy_write(options->output, name, text, &kept, diags);
        if (kept && !options->quiet)
            printf("%s: what was changed by hand is kept\n", label);
        free(label);
        free(text);
    }
    return status;
}

static void tell(const struct phrases *phrases, const struct lines_added *lines, FILE *out)
{
    const struct plan *plan = phrases->plan;
    for (size_t i = 0; i < phrases->n_remarks; i++)
        fprintf(out, "note: %s\n", phrases->remarks[i]);
    if (plan->disordered > 0)
        fprintf(out, "note: %" PRId64 " calls came in an order that no loop of the source explains\n",
                plan->disordered);
    for (size_t i = 0; i < phrases->n_holes; i++)
        fprintf(out, "hole: %s = %" PRId64 "  %s\n", phrases->holes[i].name, phrases->holes[i].value,
                phrases->holes[i].comment);
    if (phrases->means > 0)
        fprintf(out, "note: sizes are not compared with what ran, since some follow the data (pevpm-record --check "
                "--sizes any)\n");
    fprintf(out, "%zu lines with directives; %" PRId64 " of %" PRId64 " recorded calls stand in them\n", lines->n,
            plan->calls - plan->uncovered, plan->calls);
}

enum { UNCOVERED_SHOWN = 5 };  /* places that are named */

static bool is_uncovered(const struct plan *plan, int site)
{
    const enum operation_kind kind = operation_kind(plan->sites.sites[site].op);
    return plan->node_of[site] < 0 && kind != KIND_other && kind != KIND_comm && !operation_is_beside(plan->sites.sites[site].op);
}

/* Where a call stands, by its innermost frame. */
static char *place_of_site(const struct plan *plan, int site)
{
    const char *op = operation_name(plan->sites.sites[site].op);
    const struct resolved_path *path = &plan->paths[site];
    return path->n > 0 && path->frames->file ? alloc_format("%s at %s:%d", op, path->frames->file, path->frames->line)
                                             : alloc_string(op);
}

/* Other call paths lead to the same place. */
static bool is_told(size_t n, char *const told[], const char *place)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(told[i], place) == 0)
            return true;
    return false;
}

/* Calls that were recorded and stand in no file of the program: what is predicted without them is not what ran. */
static enum status say_uncovered(const struct plan *plan, struct diags *diags)
{
    if (plan->uncovered == 0)
        return STATUS_OK;
    char **told = alloc_array((size_t)plan->sites.n, sizeof *told), *places = NULL;
    size_t n = 0, length;
    for (int i = 0; i < plan->sites.n; i++) {
        char *place = is_uncovered(plan, i) ? place_of_site(plan, i) : NULL;
        if (place && !is_told(n, told, place))
            told[n++] = place;
        else
            free(place);
    }
    FILE *out = open_memstream(&places, &length);
    for (size_t i = 0; i < n && i < UNCOVERED_SHOWN; i++)
        fprintf(out, "%s%s", i > 0 ? ", " : "", told[i]);
    if (n > UNCOVERED_SHOWN)
        fprintf(out, " and %zu more places", n - UNCOVERED_SHOWN);
    fclose(out);
    diag_error(diags, place_of_file(NULL),
               "%" PRId64 " of %" PRId64 " recorded calls have no directive, because they stand in none of the files that "
               "were named and could be read: %s", plan->uncovered, plan->calls, places);
    for (size_t i = 0; i < n; i++)
        free(told[i]);
    free(told);
    free(places);
    return STATUS_DIFFERENT;
}

/* The compiler's flags for the copies, those of a compile_commands.json too: what they include stands beside the sources that
 * they are copies of. */
static char *flags_of_copies(const struct annotate_options *options, const struct source *files)
{
    char *flags = alloc_string(options->cflags ? options->cflags : "");
    for (const struct source *file = files; file; file = file->next) {
        const char *dot = strrchr(file->name, '.');
        if (!file->flags || strstr(flags, file->flags) || (dot && strcmp(dot, ".h") == 0))
            continue;
        char *longer = alloc_format("%s %s", flags, file->flags);
        free(flags);
        flags = longer;
    }
    for (; files; files = files->next) {
        const char *slash = strrchr(files->name, '/');
        char *option = slash ? alloc_format(" '-I%.*s'", (int)(slash - files->name), files->name)
                             : alloc_string(" -I.");
        char *longer = strstr(flags, option) ? NULL : alloc_format("%s%s", flags, option);
        free(option);
        if (longer)
            free(flags);
        flags = longer ? longer : flags;
    }
    return flags;
}

/* What the copies do wrong where their run decides what happens, and at the next count that one would predict. */
static enum status rehearse_copies(const struct annotate_options *options, const struct source *copies, bool tables,
                                   const struct recording *recordings, struct diags *diags)
{
    const struct place place = place_of_file(options->output);
    int numprocs;
    enum status status = hold_rehearse(copies, options->n_recordings, recordings, diags);
    if (status != STATUS_OK)
        return status;
    char *wrong = hold_rehearse_beyond(copies, options->n_recordings, recordings, tables, &numprocs);
    if (numprocs == 0)
        diag_note(diags, place, "at counts that were not recorded the copies were not rehearsed, for they make more than two million "
                  "calls: some formula may be another one there");
    else if (wrong)
        diag_note(diags, place, "at %d processes, which were not recorded, what the copies say %s: some formula, or a Param, is another "
                  "one there; record at %d, too", numprocs, wrong, numprocs);
    free(wrong);
    return status;
}

/* Do the copies say what ran? A program whose run decides what its wildcards receive cannot be asked. */
static enum status prove(const struct annotate_options *options, bool sizes, bool tables, const struct source *files,
                         const struct recording *recordings, struct diags *diags)
{
    struct diags found = DIAGS_EMPTY;
    struct source *copies = NULL;
    char *flags = flags_of_copies(options, files);
    enum status status = program_files_read(&copies, 1, (const char *const *)&options->output, flags, &found);
    const struct hold_request request = {.program = options->output, .source = copies, .sizes = sizes};
    if (status == STATUS_OK)
        status = hold_program(&request, options->n_recordings, recordings, stdout, &found);
    if (status == STATUS_NOT_YET)
        diag_note(diags, place_of_file(options->output), "not compared with what ran: %s", diag_message(&found, 0));
    else
        diags_print(&found, stderr);
    status = status == STATUS_NOT_YET ? STATUS_OK : status;
    if (status == STATUS_OK)
        status = rehearse_copies(options, copies, tables, recordings, diags);
    source_destroy(copies);
    diags_free(&found);
    free(flags);
    return status;
}

/* Takes the text. */
static void note_caveat(char *text, struct diags *diags)
{
    if (text)
        diag_note(diags, place_of_file(NULL), "%s", text);
    free(text);
}

static enum status annotate(const struct annotate_options *options, const struct source *files,
                            const struct recording *recordings, struct diags *diags)
{
    struct plan plan;
    int means = 0, tables = 0;
    enum status covered = STATUS_OK, status = plan_make(&plan, files, options->n_recordings, recordings, diags);
    if (status == STATUS_OK) {
        struct phrases phrases;
        struct lines_added lines;
        note_caveat(caveat_unfinished(options->n_recordings, recordings), diags);
        note_caveat(plan.processor ? caveat_threads(options->n_recordings, recordings) : NULL, diags);
        phrases_make(&phrases, &plan);
        lines_make(&lines, &phrases);
        status = put_files(options, &lines, &plan, diags);
        if (status == STATUS_OK && !options->quiet)
            tell(&phrases, &lines, options->diff ? stderr : stdout);
        means = phrases.means;
        tables = phrases.tables;
        covered = say_uncovered(&plan, diags);
        lines_free(&lines);
        phrases_free(&phrases);
    }
    plan_free(&plan);
    if (status == STATUS_OK && !options->diff)
        status = prove(options, means == 0, tables > 0, files, recordings, diags);
    return status == STATUS_OK ? covered : status;
}

static enum status run(const struct annotate_options *options, struct diags *diags)
{
    if (options->action == ANNOTATE_HELP)
        annotate_options_help(stdout);
    if (options->action == ANNOTATE_VERSION)
        option_print_version("pevpm-annotate", stdout);
    if (options->action != ANNOTATE_WRITE)
        return STATUS_OK;
    struct recording *recordings = alloc_zeroed(options->n_recordings, sizeof *recordings);
    struct source *files = NULL;
    enum status status = program_files_read(&files, options->n_files, options->files,
                                            options->cflags ? options->cflags : "", diags);
    if (status == STATUS_OK)
        status = refuse_unreadable(files, diags);
    if (status == STATUS_OK)
        status = read_recordings(options, recordings, diags);
    if (status == STATUS_OK)
        status = refuse_annotated(files, diags);
    if (status == STATUS_OK)
        status = annotate(options, files, recordings, diags);
    source_destroy(files);
    for (size_t i = 0; i < options->n_recordings; i++)
        recording_free(&recordings[i]);
    free(recordings);
    return status;
}

int main(int argc, char *argv[])
{
    struct diags diags = DIAGS_EMPTY;
    struct annotate_options options;
    signal(SIGPIPE, SIG_IGN);
    enum status status = annotate_options_parse(&options, argc, argv, &diags);
    if (status == STATUS_OK)
        status = run(&options, &diags);
    bool quiet = options.quiet;
    annotate_options_free(&options);
    return option_finish(status, quiet, &diags);
}
