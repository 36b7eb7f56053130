#include "record/options.h"

#include "common/option.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum option_number {
#define X(NAME, letter, name, argument, help) OPTION_##NAME,
    RECORD_OPTION_LIST(X)
#undef X
};

static const struct option_spec option_specs[] = {RECORD_OPTION_LIST(OPTION_SPEC)};
static const struct option_table table = {"pevpm-record", sizeof option_specs / sizeof *option_specs, option_specs,
                                          "mpirun -n P pevpm-record PROGRAM"};

/* Nothing but a number that 64 bits hold. */
static bool is_whole(const char *text)
{
    char *end;
    errno = 0;
    strtoll(text, &end, 10);
    return !isspace((unsigned char)text[0]) && end > text && *end == '\0' && errno == 0;
}

/* NAME=N, as a directive can use it, and as a recording has it: what cannot be read there would cost the run. */
static enum status apply_define(struct record_options *options, const struct option_given *given)
{
    const char *text = given->argument;
    size_t n = 0;
    while (isalnum((unsigned char)text[n]) || text[n] == '_')
        n++;
    if (n == 0 || isdigit((unsigned char)text[0]) || text[n] != '=' || !is_whole(text + n + 1))
        return option_refuse(given, "NAME=N with a whole number N");
    for (int i = 0; i < options->n_defines; i++)
        if (strncmp(options->defines[i], text, n + 1) == 0)
            return option_refuse(given, "each name once");
    if (options->n_defines == (int)(sizeof options->defines / sizeof *options->defines))
        return option_refuse(given, "at most 32 names");
    options->defines[options->n_defines++] = text;
    return STATUS_OK;
}

/* FIRST,LAST: argv's text is cut in two. */
static enum status apply_part(struct record_options *options, const struct option_given *given)
{
    char *comma = strchr(given->argument, ',');
    if (!comma || comma == given->argument || comma[1] == '\0' || strchr(comma + 1, ','))
        return option_refuse(given, "two places, FIRST,LAST");
    *comma = '\0';
    options->request.first = given->argument;
    options->request.last = comma + 1;
    return STATUS_OK;
}

static enum status apply_option(void *context, const struct option_given *given)
{
    static const char *const clocks[] = {"auto", "wall", "processor"};
    struct record_options *options = context;
    static const char *const sizes[] = {"exact", "any", "mean"};
    int chosen;
    switch ((enum option_number)given->number) {
    case OPTION_OUTPUT: options->output = given->argument; break;
    case OPTION_DEFINE: return apply_define(options, given);
    case OPTION_PROGRAM: options->program = given->argument; options->action = RECORD_PROGRAM; break;
    case OPTION_TIMES: options->program = given->argument; options->action = RECORD_TIMES; break;
    case OPTION_MACHINE: options->machine = given->argument; break;
    case OPTION_PART: return apply_part(options, given);
    case OPTION_CHECK: options->program = given->argument; options->action = RECORD_CHECK; break;
    case OPTION_JOIN: options->program = given->argument; options->action = RECORD_JOIN; break;
    case OPTION_TIME:
        if (option_choice(given, 3, clocks, &chosen) != STATUS_OK)
            return STATUS_USAGE;
        options->request.clock = (enum writer_clock)chosen;
        break;
    case OPTION_CFLAGS: options->cflags = given->argument; break;
    case OPTION_SIZES:
        if (option_choice(given, 3, sizes, &chosen) != STATUS_OK)
            return STATUS_USAGE;
        options->any_size = chosen > 0;
        options->request.means = chosen == 2;
        break;
    case OPTION_QUIET: options->quiet = true; break;
    case OPTION_HELP: options->action = RECORD_HELP; break;
    case OPTION_VERSION: options->action = RECORD_VERSION; break;
    }
    return STATUS_OK;
}

static bool takes_next(const char *word)
{
    for (size_t i = 0; i < table.n; i++) {
        const struct option_spec *spec = &table.specs[i];
        if (!spec->argument)
            continue;
        if (word[1] != '-' && word[1] == spec->letter && word[2] == '\0')
            return true;
        if (word[1] == '-' && strlen(word) > 3 && strncmp(spec->name, word + 2, strlen(word) - 2) == 0)
            return true; /* shortened names too; one with `=` is no beginning of a name */
    }
    return false;
}

/* Where the words begin. */
static int first_word(int argc, char *argv[])
{
    int i = 1;
    while (i < argc && argv[i][0] == '-' && argv[i][1] != '\0') {
        if (strcmp(argv[i], "--") == 0)
            return i;
        i += takes_next(argv[i]) ? 2 : 1;
    }
    return i < argc ? i : argc;
}

static enum status check_words(const struct record_options *options, struct diags *diags)
{
    static const char *const missing[] = {
        [RECORD_RUN] = "no program to record is given: mpirun -n 4 pevpm-record -o app@4.rec ./app",
        [RECORD_PROGRAM] = "no recording is given: pevpm-record --program app.pevpm app@2.rec app@4.rec app@8.rec",
        [RECORD_TIMES] = "no recording is given: pevpm-record --times app.c -m cluster.yaml -o cluster.yaml app@4.rec",
        [RECORD_CHECK] = "no recording is given: pevpm-record --check app.c app@4.rec",
    };
    if (options->action > RECORD_TIMES || options->n_words > 0)
        return STATUS_OK;
    diag_error(diags, place_of_file(NULL), "%s", missing[options->action]);
    return STATUS_USAGE;
}

enum status record_options_parse(struct record_options *options, int argc, char *argv[], struct diags *diags)
{
    int first = first_word(argc, argv), unused;
    *options = (struct record_options){.action = RECORD_RUN, .output = NULL};
    enum status status = option_read(&table, first, argv, apply_option, options, &unused, diags);
    first += first < argc && strcmp(argv[first], "--") == 0;
    options->n_words = argc - first;
    options->words = argv + first;
    if (options->action == RECORD_RUN && !options->output)
        options->output = "pevpm.rec";
    return status != STATUS_OK ? status : check_words(options, diags);
}

void record_options_help(FILE *out)
{
    fputs("mpirun -n N pevpm-record [-o FILE] PROGRAM [ARGUMENT...]   record a run of an unchanged MPI program\n"
          "pevpm-record --program OUT.pevpm RECORDING...              a directive program from recordings\n"
          "pevpm-record --check PROGRAM RECORDING...                  do directives say what ran?\n"
          "pevpm-record --times PROGRAM [-m FILE] [-o FILE] RECORDING...  times for its measured(...)\n\n"
          "Record at two or three numbers of processes; pevpm-sim then predicts others.\n\n",
          out);
    option_print(&table, out);
}
