#include "timing/options.h"

#include "common/option.h"

enum option_number {
#define X(NAME, letter, name, argument, help) OPTION_##NAME,
    TIME_OPTION_LIST(X)
#undef X
};

static const struct option_spec option_specs[] = {TIME_OPTION_LIST(OPTION_SPEC)};
static const struct option_table table = {"pevpm-time", sizeof option_specs / sizeof *option_specs, option_specs, NULL};

/* A command line while it is being read. */
struct parsing {
    struct time_options *options;
    bool per_node, pool;
};

static enum status apply_option(void *context, const struct option_given *given)
{
    struct parsing *parsing = context;
    struct time_options *options = parsing->options;
    switch ((enum option_number)given->number) {
    case OPTION_MACHINE: options->machine = given->argument; break;
    case OPTION_OUTPUT: options->output = given->argument; break;
    case OPTION_PER_NODE: parsing->per_node = true; break;
    case OPTION_POOL: parsing->pool = true; break;
    case OPTION_INSTRUMENT: options->action = TIME_INSTRUMENT; break;
    case OPTION_CFLAGS: options->cflags = given->argument; break;
    case OPTION_QUIET: options->quiet = true; break;
    case OPTION_HELP: options->action = TIME_HELP; break;
    case OPTION_VERSION: options->action = TIME_VERSION; break;
    }
    return STATUS_OK;
}

static enum status check_together(const struct parsing *parsing, struct diags *diags)
{
    struct time_options *options = parsing->options;
    size_t errors = diags->n_errors;
    if (options->action == TIME_HELP || options->action == TIME_VERSION)
        return STATUS_OK;
    if (parsing->per_node && parsing->pool)
        diag_error(diags, place_of_file(NULL), "--per-node and --pool exclude each other: give one");
    if (options->action == TIME_INSTRUMENT && options->machine)
        diag_error(diags, place_of_file(NULL), "--instrument takes a program, and no machine file");
    if (options->action == TIME_INSTRUMENT && options->n_files == 0)
        diag_error(diags, place_of_file(NULL), "no program is given: pevpm-time --instrument PROGRAM.c -o TIMED.c");
    if (options->action == TIME_MERGE && options->n_files == 0)
        diag_error(diags, place_of_file(NULL),
                   "no record is given: pevpm-time -m MACHINE.yaml -o MACHINE.yaml pevpm-time.*.dat");
    options->nodes = parsing->per_node ? SERIAL_PER_NODE : parsing->pool ? SERIAL_POOL : SERIAL_AUTO;
    return diags->n_errors > errors ? STATUS_USAGE : STATUS_OK;
}

enum status time_options_parse(struct time_options *options, int argc, char *argv[], struct diags *diags)
{
    struct parsing parsing = {.options = options};
    int first;
    *options = (struct time_options){.action = TIME_MERGE};
    enum status status = option_read(&table, argc, argv, apply_option, &parsing, &first, diags);
    options->n_files = (size_t)(argc - first);
    options->files = argv + first;
    return status != STATUS_OK ? status : check_together(&parsing, diags);
}

void time_options_help(FILE *out)
{
    fputs("pevpm-time [-m MACHINE.yaml] [-o OUT.yaml] RECORD...    times of a run into a machine file\n"
          "pevpm-time --instrument PROGRAM.c [-o TIMED.c]          a program that times itself\n"
          "pevpm-time --instrument PROGRAM... -o FOLDER            one of several files, of a folder or a\n"
          "                                                        compile_commands.json: those that are timed\n\n"
          "RECORD: what each process of a program compiled with -DPEVPM_TIME leaves (pevpm_time.h).\n\n",
          out);
    option_print(&table, out);
}
