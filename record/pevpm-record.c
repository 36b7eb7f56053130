/* pevpm-record - records MPI programs as they are, and makes directive programs of recordings. See docs/cli.md. */
#include "directives/source.h"
#include "record/caveat.h"
#include "record/clone.h"
#include "record/hold.h"
#include "record/launch.h"
#include "record/options.h"
#include "record/recording.h"
#include "record/resolve.h"
#include "record/tested.h"
#include "record/writer.h"
#include "timing/put.h"

#include "common/alloc.h"
#include "common/option.h"
#include "common/outfile.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* All recordings on the command line, those of few processes first. */
static enum status read_all(const struct record_options *options, struct recording *recordings, struct diags *diags)
{
    enum status status = STATUS_OK;
    for (int i = 0; i < options->n_words; i++) {
        enum status next = recording_read(&recordings[i], options->words[i], diags);
        status = status != STATUS_OK ? status : next;
    }
    return status;
}

static int compare_recordings(const void *a, const void *b)
{
    return ((const struct recording *)a)->ranks - ((const struct recording *)b)->ranks;
}

/* A program that was made of recordings, in one way. */
struct made {
    enum status status;
    char *text;
    size_t length;
    struct writer_result result;
};

/* tables_most: as writer_request. */
static struct made make_text(const struct record_options *options, const struct template *template, size_t tables_most,
                             struct diags *diags)
{
    struct made made = {0};
    struct arena memory = ARENA_EMPTY;
    struct writer_request request = options->request;
    request.tables_most = tables_most;
    const char **where = resolve_sites(&template->sites, &memory, diags);
    FILE *out = open_memstream(&made.text, &made.length);
    made.status = writer_write(template, &request, where, out, &made.result, diags);
    fclose(out);
    arena_free(&memory);
    return made;
}

static void made_free(struct made *made)
{
    free(made->text);
    writer_result_free(&made->result);
}

/* Takes the next in place of the best so far, or frees it. */
static void made_choose(struct made *best, struct made *next, bool better)
{
    struct made worse = better ? *best : *next;
    *best = better ? *next : *best;
    made_free(&worse);
}

/* With the lines of its calls; what is not known of them is said when the program is written. */
static void make_template(struct template *template)
{
    struct arena memory = ARENA_EMPTY;
    struct diags unused = DIAGS_EMPTY;
    template_make(template, resolve_paths(&template->sites, &memory, &unused));
    diags_free(&unused);
    arena_free(&memory);
}

static bool is_cartesian(const struct template *template)
{
    for (int i = 0; i < template->sites.n; i++)
        if (template->sites.sites[i].op == OPERATION_MPI_Cart_create)
            return true;
    return false;
}

/* Programs that go through those neighbours of a grid that exist leave tables otherwise. In a grid of MPI_Cart_create's
 * the last axis is next in number; who numbers processes by himself mostly begins with the first. */
static void try_directions(const struct record_options *options, const struct template *plain, struct made *best)
{
    const bool cartesian = is_cartesian(plain);
    for (int way = 0; way < 2 * GRIDS && best->result.n_tables > 0; way++) {
        const struct direction_grid in = {(enum grid)(way / 2), (way % 2 == 0) == cartesian};
        struct template directed;
        struct diags unused = DIAGS_EMPTY;
        if (!template_begin_directed(&directed, plain, &in))
            continue;
        make_template(&directed);
        struct made next = make_text(options, &directed, best->result.n_tables - 1, &unused);
        bool better = next.status == STATUS_OK && next.result.n_tables < best->result.n_tables;
        made_choose(best, &next, better);
        diags_free(&unused);
        template_free(&directed);
    }
}

/* Fewer tables, or as many and fewer formulas in doubt. */
static bool leaves_less(const struct made *made, const struct made *than)
{
    const struct writer_result *new = &made->result, *old = &than->result;
    return made->status == STATUS_OK &&
           (new->n_tables < old->n_tables || (new->n_tables == old->n_tables && new->n_doubts < old->n_doubts));
}

/* What the program is called in what is said of it. */
static const char *program_name(const struct record_options *options)
{
    return strcmp(options->program, "-") == 0 ? "standard output" : options->program;
}

static bool is_alike(const struct recording *a, const struct recording *b)
{
    bool alike = a->ranks == b->ranks && a->n_params == b->n_params;
    for (int i = 0; alike && i < a->n_params; i++)
        alike = strcmp(a->params[i].name, b->params[i].name) == 0 && a->params[i].value == b->params[i].value;
    return alike;
}

/* Two recordings of as many processes and the same -D are runs that no formula can tell apart. */
static void note_alike(int n, const struct recording recordings[], struct diags *diags)
{
    for (int i = 1; i < n; i++)
        if (is_alike(&recordings[i - 1], &recordings[i])) {
            diag_note(diags, place_of_file(recordings[i].name),
                      "nothing tells this recording from %s, of as many processes: if they are runs of different sizes, "
                      "record each with its own, as by -D n=512",
                      recordings[i - 1].name);
            return;
        }
}

/* What stopped something, behind warnings and notes. */
static const char *first_error(const struct diags *found)
{
    size_t i = 0;
    while (i + 1 < found->n && diag_severity(found, i) != SEVERITY_ERROR)
        i++;
    return diag_message(found, i);
}

/* Does the program that was written say what ran, call by call? Programs whose runs decide cannot be asked. */
static enum status prove(const struct record_options *options, const struct made *made, const struct recording *recordings,
                         struct diags *diags)
{
    char *unread = NULL;
    size_t length;
    struct diags found = DIAGS_EMPTY;
    bool cut = false;
    const char *name = program_name(options);
    struct source *source = source_from_text(name, made->text, made->length);
    FILE *out = open_memstream(&unread, &length);
    const struct hold_request request = {.program = name, .source = source, .sizes = !options->request.means && !made->result.meant,
                                         .whole = !options->request.first, .cut = &cut};
    enum status status = hold_program(&request, (size_t)options->n_words, recordings, out, &found);
    fclose(out);
    if (status == STATUS_NOT_YET)
        diag_note(diags, place_of_file(name), "not compared with what ran: %s", first_error(&found));
    else if (status != STATUS_OK) {
        diag_error(diags, place_of_file(name),
                   "do not predict with this program, which is not what ran: %s",
                   first_error(&found));
        note_alike(options->n_words, recordings, diags);
    } else if (cut) {
        diag_note(diags, place_of_file(name),
                  "compared with the first 2 million calls of each process: some did more");
    }
    diags_free(&found);
    free(unread);
    if (status == STATUS_OK || status == STATUS_NOT_YET)
        status = hold_rehearse(source, (size_t)options->n_words, recordings, diags);
    source_destroy(source);
    return status;
}

/* Where processes come to one collective operation at several places, who comes to which may be chance. True: `joined`
 * was begun, is better and says what ran. */
static bool try_joined(const struct record_options *options, const struct template *plain, struct template *joined,
                       const struct recording *recordings, struct made *best)
{
    struct diags unused = DIAGS_EMPTY;
    if (!template_begin_joined(joined, plain))
        return false;
    make_template(joined);
    struct made next = make_text(options, joined, best->result.n_tables + 1, &unused);
    const bool better = leaves_less(&next, best) && prove(options, &next, recordings, &unused) == STATUS_OK;
    made_choose(best, &next, better);
    diags_free(&unused);
    if (!better)
        template_free(joined);
    return better;
}

/* Where calls stand at several places of the program, a loop may come to them in some trips and not in others. That is better
 * where less stays a table, or as little and fewer formulas are in doubt, and it says what ran. */
static void try_ragged(const struct record_options *options, const struct template *plain, const struct recording *recordings,
                       struct made *best)
{
    struct template ragged;
    struct diags unused = DIAGS_EMPTY;
    if (!template_begin_ragged(&ragged, plain))
        return;
    make_template(&ragged);
    struct made next = make_text(options, &ragged, best->result.n_tables / 2 + 1, &unused);
    const bool better = leaves_less(&next, best) && prove(options, &next, recordings, &unused) == STATUS_OK;
    made_choose(best, &next, better);
    diags_free(&unused);
    template_free(&ragged);
}

/* Is there a file that is none of ours, such as a source or a recording that was named in the program's place? */
static bool is_of_others(const char *path)
{
    static const char ours[] = "# Written by pevpm-record";
    char begin[sizeof ours] = "";
    struct stat status;
    if (strcmp(path, "-") == 0 || stat(path, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size == 0)
        return false;
    FILE *file = fopen(path, "r");
    const size_t n = file ? fread(begin, 1, sizeof ours - 1, file) : 0;
    if (file)
        fclose(file);
    return n != sizeof ours - 1 || strcmp(begin, ours) != 0;
}

static struct made make_best(const struct record_options *options, const struct template *template,
                             const struct recording *recordings, struct diags *diags)
{
    struct template joined;
    struct made made = make_text(options, template, 0, diags);
    if (made.status != STATUS_OK || made.result.n_tables > WRITER_TABLES_MOST)
        return made;
    const bool join = made.result.n_tables + made.result.n_doubts > 0 && try_joined(options, template, &joined, recordings, &made);
    const struct template *plain = join ? &joined : template;
    if (made.result.n_tables + made.result.n_doubts > 0)
        try_ragged(options, plain, recordings, &made);
    if (made.result.n_tables > 0)
        try_directions(options, plain, &made);
    if (join)
        template_free(&joined);
    return made;
}

static enum status write_program(const struct record_options *options, const struct made *made, struct diags *diags)
{
    struct outfile file;
    enum status status = outfile_open(&file, options->program, diags);
    if (status == STATUS_OK) {
        fwrite(made->text, 1, made->length, file.stream);
        status = outfile_commit(&file, diags);
    }
    return status;
}

/* What `prove` said. */
static void pass_on(const struct diags *found, const char *name, struct diags *diags)
{
    for (size_t i = 0; i < found->n; i++)
        (diag_severity(found, i) == SEVERITY_ERROR ? diag_error : diag_note)(diags, place_of_file(name), "%s",
                                                                            diag_message(found, i));
}

/* A remark on a program that was written, and in it, behind its first two lines. */
static void add_remark(struct made *made, char *text)
{
    struct writer_result *result = &made->result;
    size_t capacity = result->capacity;
    result->remarks = alloc_grow(result->remarks, result->n, &result->capacity, sizeof *result->remarks);
    result->times = alloc_grow(result->times, result->n, &capacity, sizeof *result->times);
    result->times[result->n] = 1;
    result->remarks[result->n++] = text;
    size_t head = 0;
    for (int lines = 0; lines < 2 && head < made->length; head++)
        lines += made->text[head] == '\n';
    char *longer = alloc_format("%.*s# Note: %s.\n%s", (int)head, made->text, text, made->text + head);
    free(made->text);
    made->text = longer;
    made->length = strlen(longer);
}

/* What the program does wrong at the next count that one would predict, malloced; NULL: nothing. */
static char *rehearse_beyond(const struct record_options *options, const struct recording *recordings, const struct made *made,
                             int *numprocs)
{
    struct source *source = source_from_text(program_name(options), made->text, made->length);
    char *wrong = hold_rehearse_beyond(source, (size_t)options->n_words, recordings, made->result.n_tables > 0, numprocs);
    source_destroy(source);
    return wrong;
}

/* Formulas of another grid may give the same at the recorded counts: the first grid with which the program says what ran, without
 * tables, and does nothing wrong at the next count either. False: there is none. */
static bool try_grids(const struct record_options *options, const struct template *template, const struct recording *recordings,
                      struct made *best)
{
    struct record_options other = *options;
    bool better = false;
    other.request.one_grid = true;
    for (enum grid grid = 0; grid < GRIDS && !better; grid++) {
        struct diags unused = DIAGS_EMPTY;
        int numprocs;
        other.request.grid = grid;
        struct made next = make_best(&other, template, recordings, &unused);
        better = next.status == STATUS_OK && next.result.n_tables == 0 &&
                 prove(&other, &next, recordings, &unused) == STATUS_OK;
        char *wrong = better ? rehearse_beyond(&other, recordings, &next, &numprocs) : NULL;
        better = better && !wrong;
        free(wrong);
        made_choose(best, &next, better);
        diags_free(&unused);
    }
    return better;
}

/* Looks at the next count that one would predict, where formulas may be wrong of which nothing is said. */
static void look_beyond(const struct record_options *options, const struct template *template, const struct recording *recordings,
                        struct made *made)
{
    int numprocs;
    char *wrong = rehearse_beyond(options, recordings, made, &numprocs);
    if (numprocs == 0)
        add_remark(made, alloc_format("at counts that were not recorded this program was not rehearsed, for it makes more than two "
                                      "million calls: some formula may be another one there"));
    else if (wrong && made->result.n_tables == 0 && try_grids(options, template, recordings, made))
        add_remark(made, alloc_format("written in another grid, this program is the same at the recorded counts, but at %d processes %s; "
                                      "that it does nothing wrong there is all that speaks for this grid: record at %d, too",
                                      numprocs, wrong, numprocs));
    else if (wrong)
        add_remark(made, alloc_format("at %d processes, which were not recorded, this program %s: some formula is another one "
                                      "there; record at %d, too", numprocs, wrong, numprocs));
    free(wrong);
}

/* The best program, and whether it says what ran. One that takes whatever comes first may come to no end, since it has
 * the order of calls from one run: then it is made anew with those who sent in it. */
static enum status make_proven(const struct record_options *options, const struct template *template,
                               const struct recording *recordings, struct made *made, struct diags *diags)
{
    struct record_options naming = *options;
    struct diags found = DIAGS_EMPTY;
    *made = make_best(options, template, recordings, diags);
    if (made->status != STATUS_OK)
        return made->status;
    enum status status = prove(options, made, recordings, &found);
    if (status == STATUS_DEADLOCK) {
        naming.request.senders = true;
        struct diags with_senders = DIAGS_EMPTY;
        struct made named = make_best(&naming, template, recordings, &with_senders);
        if (named.status == STATUS_OK && named.result.n_senders > 0 &&
            prove(&naming, &named, recordings, &with_senders) == STATUS_OK) {
            const struct made other = *made;
            const struct diags others = found;
            *made = named;
            found = with_senders;
            named = other;
            with_senders = others;
            status = STATUS_OK;
        }
        made_free(&named);
        diags_free(&with_senders);
    }
    pass_on(&found, program_name(options), diags);
    diags_free(&found);
    if (status == STATUS_OK && !options->request.first)
        look_beyond(&naming, template, recordings, made);
    return status;
}

static void tell(const struct record_options *options, const struct writer_result *result, int n)
{
    FILE *out = strcmp(options->program, "-") == 0 ? stderr : stdout;
    for (size_t i = 0; i < result->n; i++)
        fprintf(out, "note: %s\n", result->remarks[i]);
    fprintf(out, "%s: %zu calls from %d recording%s; computing times are %s\n",
            program_name(options), result->n_calls, n,
            n == 1 ? "" : "s", result->processor ? "what the processor was busy" : "of the wall clock");
}

static enum status make_program(const struct record_options *options, struct diags *diags)
{
    struct recording *recordings = alloc_zeroed((size_t)options->n_words, sizeof *recordings);
    struct template template = {0};
    struct made made = {0};
    enum status status = is_of_others(options->program) ? STATUS_IO : STATUS_OK;
    if (status != STATUS_OK)
        diag_error(diags, place_of_file(options->program),
                   "not from pevpm-record: it is not overwritten; the program's file stands "
                   "before the recordings: pevpm-record --program app.pevpm app@2.rec app@4.rec");
    else
        status = read_all(options, recordings, diags);
    if (status == STATUS_OK) {
        qsort(recordings, (size_t)options->n_words, sizeof *recordings, compare_recordings);
        recordings_put_tests((size_t)options->n_words, recordings);
        recordings_join_clones((size_t)options->n_words, recordings);
        status = template_begin(&template, (size_t)options->n_words, recordings, diags);
        if (status == STATUS_OK) {
            make_template(&template);
            const enum status proven = make_proven(options, &template, recordings, &made, diags);
            status = made.status == STATUS_OK ? write_program(options, &made, diags) : made.status;
            if (status == STATUS_OK && !options->quiet)
                tell(options, &made.result, options->n_words);
            status = status == STATUS_OK ? proven : status;
        }
        template_free(&template);
    }
    made_free(&made);
    for (int i = 0; i < options->n_words; i++)
        recording_free(&recordings[i]);
    free(recordings);
    return status;
}

static enum status check_program(const struct record_options *options, struct diags *diags)
{
    const struct hold_request request = {.program = options->program, .cflags = options->cflags, .sizes = !options->any_size};
    struct recording *recordings = alloc_zeroed((size_t)options->n_words, sizeof *recordings);
    enum status status = read_all(options, recordings, diags);
    if (status == STATUS_OK)
        status = hold_program(&request, (size_t)options->n_words, recordings, stdout, diags);
    for (int i = 0; i < options->n_words; i++)
        recording_free(&recordings[i]);
    free(recordings);
    return status;
}

/* Has a computation been found that the program says measured(...) of? */
static enum status check_times(const struct record_options *options, const struct times *times, struct diags *diags)
{
    for (size_t i = 0; i < times->n; i++)
        if (times->records[i].n > 0)
            return STATUS_OK;
    diag_error(diags, place_of_file(options->program),
               "no times to take: nothing that ran was computed where the program says Serial time = measured(NAME)");
    return STATUS_SCHEMA;
}

/* The times of what ran for a program's measured(...), into a machine file. */
static enum status take_times(const struct record_options *options, struct diags *diags)
{
    struct recording *recordings = alloc_zeroed((size_t)options->n_words, sizeof *recordings);
    struct times times = {0};
    const struct hold_request hold = {
        .program = options->program, .cflags = options->cflags, .sizes = !options->any_size, .times = &times};
    const struct put_request put = {options->machine, options->output, SERIAL_AUTO, options->quiet};
    char *unread = NULL;
    size_t length;
    FILE *out = open_memstream(&unread, &length);
    enum status status = read_all(options, recordings, diags);
    times.processor = writer_use_processor((size_t)options->n_words, recordings, options->request.clock);
    if (status == STATUS_OK)
        status = hold_program(&hold, (size_t)options->n_words, recordings, out, diags);
    char *threads = times.processor ? caveat_threads((size_t)options->n_words, recordings) : NULL;
    if (threads)
        diag_warning(diags, place_of_file(NULL), "%s", threads);
    free(threads);
    if (status == STATUS_OK)
        status = check_times(options, &times, diags);
    if (status == STATUS_OK)
        status = put_records(&put, times.records, times.n, diags);
    fclose(out);
    free(unread);
    times_free(&times);
    for (int i = 0; i < options->n_words; i++)
        recording_free(&recordings[i]);
    free(recordings);
    return status;
}

/* Appends a part to `out`; false: there is none of this rank. */
static bool append_part(const char *path, int rank, FILE *out)
{
    char *name = alloc_format("%s.part.%d", path, rank), buffer[1 << 16];
    FILE *in = fopen(name, "r");
    free(name);
    if (!in)
        return false;
    for (size_t n; (n = fread(buffer, 1, sizeof buffer, in)) > 0;)
        fwrite(buffer, 1, n, out);
    fclose(in);
    return true;
}

static enum status join(const struct record_options *options, struct diags *diags)
{
    struct outfile file;
    char *body = NULL;
    size_t length;
    int ranks = 0;
    FILE *out = open_memstream(&body, &length);
    while (append_part(options->program, ranks, out))
        ranks++;
    fclose(out);
    enum status status = STATUS_IO;
    if (ranks == 0)
        diag_error(diags, place_of_file(options->program), "there is no %s.part.0", options->program);
    else
        status = outfile_open(&file, options->program, diags);
    if (status == STATUS_OK) {
        fprintf(file.stream, "pevpm-recording 1\nranks %d\n%send %d\n", ranks, body, ranks);
        status = outfile_commit(&file, diags);
    }
    free(body);
    return status;
}

static enum status run(const struct record_options *options, struct diags *diags)
{
    switch (options->action) {
    case RECORD_RUN: return launch(options, diags);
    case RECORD_PROGRAM: return make_program(options, diags);
    case RECORD_CHECK: return check_program(options, diags);
    case RECORD_TIMES: return take_times(options, diags);
    case RECORD_JOIN: return join(options, diags);
    case RECORD_HELP: record_options_help(stdout); break;
    case RECORD_VERSION: option_print_version("pevpm-record", stdout); break;
    }
    return STATUS_OK;
}

int main(int argc, char *argv[])
{
    struct diags diags = DIAGS_EMPTY;
    struct record_options options;
    enum status status = record_options_parse(&options, argc, argv, &diags);
    if (options.action != RECORD_RUN)
        signal(SIGPIPE, SIG_IGN);
    if (status == STATUS_OK)
        status = run(&options, &diags);
    return option_finish(status, options.quiet, &diags);
}
