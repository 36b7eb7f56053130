#include "cli/decide.h"

#include "cli/files.h"
#include "cli/lists.h"
#include "common/alloc.h"
#include "common/option.h"
#include "common/outfile.h"
#include "common/units.h"
#include "directives/source.h"
#include "models/machine_edit.h"
#include "models/model_list.h"
#include "sim/confirmed.h"

#include <stdlib.h>
#include <string.h>

#define DECIDE_MODEL_WORD(name, given, formulas) " " #name

#define DECIDE_OPTION_LIST(X)                                                                                    \
    X(MACHINE, 'm', "machine", "FILE", "machine file (default: $PEVPM_MACHINE, else the installed one)")        \
    X(OUTPUT, 'o', "output", "FILE", "write the machine file there, with `decisions`; all else of it stays")     \
    X(PROCS, 'n', "procs", "LIST", "for how many processes: 2..16*2 | 4,8 (default: powers of two and all nodes)") \
    X(MODEL, 0, "model", "NAME", "whose times decide (default lmo):" ANALYTICAL_LIST(DECIDE_MODEL_WORD))          \
    X(MPI, 0, "mpi", "LIBRARY",                                                                                  \
      "whose algorithms are compared with: open_mpi | mpich; default: what the machine\nfile says, else open_mpi") \
    X(ROOT, 0, "root", "NODE|all", "from which node trees are mapped to nodes (default 0)")                       \
    X(GAIN, 0, "gain", "REL", "decide where at least this part of the time is saved (default 0.05)")             \
    X(PER_PROCESS, 0, "per-process", NULL,                                                                       \
      "a node of the file is a process, as pevpm-estimate may have it")                                           \
    X(QUIET, 'q', "quiet", NULL, "no table, no warnings")                                                        \
    X(HELP, 'h', "help", NULL, "this text")                                                                      \
    X(VERSION, 0, "version", NULL, "the version")
enum option_number {
#define X(NAME, letter, name, argument, help) OPTION_##NAME,
    DECIDE_OPTION_LIST(X)
#undef X
};
static const struct option_spec option_specs[] = {DECIDE_OPTION_LIST(OPTION_SPEC)};
static const struct option_table table = {"pevpm-sim decide", sizeof option_specs / sizeof *option_specs, option_specs, NULL};

enum { ALL_ROOTS = -1 };
enum action { ACTION_DECIDE, ACTION_HELP, ACTION_VERSION };

struct decide_options {
    enum action action;
    const char *machine, *output;
    size_t n_placements;
    struct placement *placements;
    int model, library, root; /* library: -1: not given */
    double gain;
    bool per_process, quiet;
};

static const char *const model_names[] = {
#define X(name, given, formulas) #name,
    ANALYTICAL_LIST(X)
#undef X
};
enum { N_MODELS = sizeof model_names / sizeof *model_names };
static const char *const library_names[] = {
#define X(name) #name,
    LIBRARY_LIST(X)
#undef X
};

/* ---- command line ---- */

static enum status set_root(struct decide_options *options, const struct option_given *given)
{
    uint64_t node;
    if (strcmp(given->argument, "all") == 0) {
        options->root = ALL_ROOTS;
        return STATUS_OK;
    }
    if (option_integer(given, 0, 1 << 24, &node) != STATUS_OK)
        return STATUS_USAGE;
    options->root = (int)node;
    return STATUS_OK;
}

static enum status set_gain(struct decide_options *options, const struct option_given *given)
{
    char *end;
    options->gain = strtod(given->argument, &end);
    if (end == given->argument || *end || !(options->gain >= 0 && options->gain < 1))
        return option_refuse(given, "a number from 0 to below 1, such as 0.05");
    return STATUS_OK;
}

static enum status apply(void *context, const struct option_given *given)
{
    struct decide_options *options = context;
    switch ((enum option_number)given->number) {
    case OPTION_MACHINE: options->machine = given->argument; break;
    case OPTION_OUTPUT: options->output = given->argument; break;
    case OPTION_PROCS:
        free(options->placements);
        options->placements = NULL;
        return list_parse_placements(given->shown, given->argument, &options->n_placements, &options->placements,
                                     given->diags);
    case OPTION_MODEL: return option_choice(given, N_MODELS, model_names, &options->model);
    case OPTION_MPI:
        return option_choice(given, sizeof library_names / sizeof *library_names, library_names, &options->library);
    case OPTION_ROOT: return set_root(options, given);
    case OPTION_GAIN: return set_gain(options, given);
    case OPTION_PER_PROCESS: options->per_process = true; break;
    case OPTION_QUIET: options->quiet = true; break;
    case OPTION_HELP: options->action = ACTION_HELP; break;
    case OPTION_VERSION: options->action = ACTION_VERSION; break;
    }
    return STATUS_OK;
}

static enum status options_read(struct decide_options *options, int argc, char *argv[], struct diags *diags)
{
    int first;
    *options = (struct decide_options){.library = -1, .gain = 0.05};
    while (strcmp(model_names[options->model], "lmo") != 0)
        options->model++;
    enum status status = option_read(&table, argc, argv, apply, options, &first, diags);
    if (status != STATUS_OK || options->action != ACTION_DECIDE)
        return status;
    if (first < argc)
        diag_error(diags, place_of_file(NULL), "found `%s` behind the options, where nothing is expected", argv[first]);
    if (options->output && strcmp(options->output, "-") == 0)
        diag_error(diags, place_of_file(NULL), "-o: the machine file goes to a file, standard output gets the table");
    if (options->machine && strcmp(options->machine, "-") == 0)
        diag_error(diags, place_of_file(NULL), "decide reads a file, not standard input (-)");
    return diags->n_errors > 0 ? STATUS_USAGE : STATUS_OK;
}

static void help_print(FILE *out)
{
    fputs("pevpm-sim decide [OPTION]...\n"
          "Decides from a machine's models which collectives a program's MPI library should not carry out itself, and\n"
          "how libpevpm-coll does: in pieces, or over trees that are mapped to nodes. With -o the machine file has it.\n\n"
          "  pevpm-sim decide -m cluster.yaml -o cluster.yaml -n 16\n\n", out);
    option_print(&table, out);
}

/* ---- what is asked ---- */

/* The counts asked for; each is one process a node. */
static enum status counts_fill(const struct decide_options *options, const struct machine *machine,
                               struct decide_wish *wish, int **counts, struct diags *diags)
{
    *counts = alloc_array(options->n_placements + 32, sizeof **counts);
    wish->counts = *counts;
    for (size_t i = 0; i < options->n_placements; i++) {
        struct placement at = options->placements[i];
        if (at.ppn != 1 || at.numprocs < 2 || at.numprocs > machine->nodes) {
            diag_error(diags, place_of_file(NULL),
                       "-n %d%s: expected 2 to %d processes, the nodes of the file, one a node", at.nodes,
                       at.ppn != 1 ? "x..." : "", machine->nodes);
            return STATUS_USAGE;
        }
        (*counts)[wish->n_counts++] = at.numprocs;
    }
    for (int n = 2; options->n_placements == 0 && n < machine->nodes; n *= 2)
        (*counts)[wish->n_counts++] = n;
    if (options->n_placements == 0 && machine->nodes >= 2)
        (*counts)[wish->n_counts++] = machine->nodes;
    return STATUS_OK;
}

static enum status wish_fill(const struct decide_options *options, const struct machine *machine,
                             struct decide_wish *wish, int **counts, int **roots, struct diags *diags)
{
    int first = options->root == ALL_ROOTS ? 0 : options->root,
        last = options->root == ALL_ROOTS ? machine->nodes : first + 1;
    if (last > machine->nodes) {
        diag_error(diags, place_of_file(NULL), "--root %d: the file has %d nodes, from 0 on", first, machine->nodes);
        return STATUS_USAGE;
    }
    *wish = (struct decide_wish){.model = model_names[options->model], .gain = options->gain,
                                 .library = options->library < 0 ? machine->library : (enum mpi_library)options->library,
                                 .per_process = options->per_process, .n_roots = (size_t)(last - first)};
    *roots = alloc_array(wish->n_roots, sizeof **roots);
    for (int i = first; i < last; i++)
        (*roots)[i - first] = i;
    wish->roots = *roots;
    return counts_fill(options, machine, wish, counts, diags);
}

/* ---- what comes out ---- */

static void row_print(FILE *out, const struct coll_row *row, const struct decided *d)
{
    char how[64], times[4][UNITS_TIME_BYTES];
    if (row->piece > 0)
        snprintf(how, sizeof how, "pieces of %lld bytes", (long long)row->piece);
    else if (row->mapping)
        snprintf(how, sizeof how, "mapped tree, root %d", row->mapping[0]);
    else
        snprintf(how, sizeof how, "tree, any root");
    fprintf(out, "%-13s %5d %10lld ..%10lld  %-22s %11s -> %9s %13s -> %9s\n", coll_op_name(row->op), row->numprocs,
            (long long)row->from, (long long)row->to, how, units_format_time(d->native[0], times[0]),
            units_format_time(d->ours[0], times[1]), units_format_time(d->native[1], times[2]),
            units_format_time(d->ours[1], times[3]));
}

/* Where the decisions are from. The caller frees it. */
static char *told_of(const struct decide_wish *wish, bool confirmed)
{
    return alloc_format("%s, against the algorithms of %s; trees %s", wish->model, library_names[wish->library],
                        confirmed ? "as measured times have them" : "not held against measured times");
}

static void table_print(FILE *out, const char *path, const char *told, const struct decisions *d)
{
    fprintf(out, "machine      %s\nmodel        %s\n\n", path, told);
    fprintf(out, "%-13s %5s %23s  %-22s %24s %26s\n", "operation", "procs", "bytes", "decided",
            "least: native -> decided", "most: native -> decided");
    for (size_t i = 0; i < d->table.n; i++)
        row_print(out, &d->table.rows[i], &d->decided[i]);
    if (d->table.n == 0)
        fputs("none: the MPI library's own are as good\n", out);
}

static enum status machine_store(const char *path, const char *output, const struct coll_table *decided,
                                 const char *told, struct diags *diags)
{
    struct source *before = NULL;
    char *after = NULL;
    enum status status = source_read(&before, path, diags);
    if (status == STATUS_OK)
        status = machine_edit_decisions(&after, before->name, before->text, before->length, decided, told, diags);
    if (status == STATUS_OK)
        status = files_store(output, after, diags);
    free(after);
    if (before)
        source_destroy(before);
    return status;
}

/* ---- the whole ---- */

/* What measured times do not bear out goes. */
static enum status decided_confirm(struct decisions *decided, const struct machine *machine,
                                   const struct decide_wish *wish, struct diags *diags)
{
    size_t dropped = 0;
    enum status status = decisions_confirm(decided, machine, wish, &dropped, diags);
    if (status == STATUS_OK && dropped > 0)
        diag_note(diags, place_of_file(machine->path), "at %zu sizes where %s has a tree gain the measured times have none: "
                  "left to the library", dropped, wish->model);
    return status;
}

/* Trees that only the model knows: LMO has none of what a network does besides. */
static void unconfirmed_note(const struct decisions *decided, const struct machine *machine,
                             const struct decide_wish *wish, struct diags *diags)
{
    size_t n = 0;
    for (size_t i = 0; i < decided->table.n; i++)
        n += decided->table.rows[i].piece == 0;
    if (n > 0)
        diag_note(diags, place_of_file(machine->path), "%zu tree%s decided by %s alone, not held against measured times: %s",
                  n, n > 1 ? "s are" : " is", wish->model,
                  wish->per_process ? "these are of nodes, and --per-process asks for processes"
                                    : "the file has no `point_to_point` (pevpm-bench)");
}

static enum status decide_for(const struct decide_options *options, FILE *out, struct diags *diags)
{
    char own[DEFAULT_MACHINE_BYTES];
    const char *path = files_machine(options->machine, own);
    struct machine *machine = NULL;
    struct machine_source source = MACHINE_SOURCE_EMPTY;
    struct decisions decided = {0};
    struct decide_wish wish;
    int *counts = NULL, *roots = NULL;
    if (!path)
        return files_no_machine(diags);
    enum status status = files_output_try(options->output, diags);
    if (status == STATUS_OK)
        status = machine_read_whole(&machine, &source, path, diags);
    if (status == STATUS_OK)
        status = wish_fill(options, machine, &wish, &counts, &roots, diags);
    if (status == STATUS_OK)
        wish.source = &source;
    if (status == STATUS_OK)
        status = decide(&decided, machine, &wish, diags);
    bool confirmable = status == STATUS_OK && decisions_confirmable(machine, &wish);
    if (confirmable)
        status = decided_confirm(&decided, machine, &wish, diags);
    else if (status == STATUS_OK)
        unconfirmed_note(&decided, machine, &wish, diags);
    char *told = status == STATUS_OK ? told_of(&wish, confirmable) : NULL;
    if (status == STATUS_OK && !options->quiet) {
        table_print(out, path, told, &decided);
        status = outfile_check(out, "standard output", diags);
    }
    if (status == STATUS_OK && options->output)
        status = machine_store(path, options->output, &decided.table, told, diags);
    free(told);
    decisions_free(&decided);
    machine_destroy(machine);
    machine_source_free(&source);
    free(counts);
    free(roots);
    return status;
}

enum status decide_command(int argc, char *argv[], FILE *out, bool *quiet, struct diags *diags)
{
    struct decide_options options;
    enum status status = options_read(&options, argc, argv, diags);
    if (status == STATUS_OK && options.action == ACTION_HELP)
        help_print(out);
    else if (status == STATUS_OK && options.action == ACTION_VERSION)
        fprintf(out, "pevpm-sim %s\n", PEVPM_VERSION);
    else if (status == STATUS_OK)
        status = decide_for(&options, out, diags);
    *quiet = options.quiet;
    free(options.placements);
    return status;
}
