#include "timing/options.h"

#include "common/suggest.h"

#include <getopt.h>
#include <string.h>

/* Long options are known to getopt by numbers above all letters. */
enum { OPTION_FIRST = 256 };
enum option_number {
    OPTION_NONE = OPTION_FIRST - 1,
#define X(NAME, letter, name, argument, help) OPTION_##NAME,
    TIME_OPTION_LIST(X)
#undef X
};

static const struct option_text {
    const char *name, *argument, *help;
    char letter;
} option_texts[] = {
#define X(NAME, letter_, name_, argument_, help_) \
    {.name = name_, .argument = argument_, .help = help_, .letter = letter_},
    TIME_OPTION_LIST(X)
#undef X
};
enum { N_OPTIONS = sizeof option_texts / sizeof *option_texts };

struct given {
    bool per_node, pool;
};

static void set_option(struct time_options *options, enum option_number number, struct given *given)
{
    switch (number) {
    case OPTION_NONE: break;
    case OPTION_MACHINE: options->machine = optarg; break;
    case OPTION_OUTPUT: options->output = optarg; break;
    case OPTION_PER_NODE: given->per_node = true; break;
    case OPTION_POOL: given->pool = true; break;
    case OPTION_INSTRUMENT:
        options->program = optarg;
        options->action = TIME_INSTRUMENT;
        break;
    case OPTION_QUIET: options->quiet = true; break;
    case OPTION_HELP: options->action = TIME_HELP; break;
    case OPTION_VERSION: options->action = TIME_VERSION; break;
    }
}

/* What getopt could not make sense of: `letter`, or, where that is 0, the long option `word`. */
static void unknown_option(const char *word, int letter, struct diags *diags)
{
    const char *names[N_OPTIONS];
    size_t n = letter == 0 ? strcspn(word + 2, "=") : 0;
    for (size_t i = 0; i < N_OPTIONS; i++)
        names[i] = option_texts[i].name;
    const char *meant = n > 0 ? suggest_name(word + 2, n, names, N_OPTIONS) : NULL;
    if (letter >= OPTION_FIRST)
        diag_error(diags, place_of_file(NULL), "--%s takes no argument", option_texts[letter - OPTION_FIRST].name);
    else if (n == 0)
        diag_error(diags, place_of_file(NULL), "unknown option `-%c`; pevpm-time --help lists all", letter);
    else if (meant)
        diag_error(diags, place_of_file(NULL), "unknown option `%.*s`, did you mean `--%s`?", (int)n + 2, word, meant);
    else
        diag_error(diags, place_of_file(NULL), "unknown option `%.*s`; pevpm-time --help lists all", (int)n + 2, word);
}

static void missing_argument(int number, struct diags *diags)
{
    for (size_t i = 0; i < N_OPTIONS; i++)
        if (option_texts[i].argument && (number == (int)i + OPTION_FIRST || number == option_texts[i].letter))
            diag_error(diags, place_of_file(NULL), "--%s needs an argument: %s", option_texts[i].name,
                       option_texts[i].argument);
}

/* The tables that getopt wants. */
static void fill_getopt(struct option long_options[N_OPTIONS + 1], char letters[2 * N_OPTIONS + 2])
{
    char *end = letters;
    *end++ = ':'; /* tell a missing argument from an unknown option */
    for (size_t i = 0; i < N_OPTIONS; i++) {
        const struct option_text *text = &option_texts[i];
        long_options[i] = (struct option){text->name, text->argument ? required_argument : no_argument, NULL,
                                          OPTION_FIRST + (int)i};
        if (text->letter) {
            *end++ = text->letter;
            if (text->argument)
                *end++ = ':';
        }
    }
    *end = '\0';
    long_options[N_OPTIONS] = (struct option){0};
}

static enum option_number number_of(int answer)
{
    size_t i = 0;
    if (answer >= OPTION_FIRST)
        return (enum option_number)answer;
    while (option_texts[i].letter != answer)
        i++;
    return (enum option_number)(OPTION_FIRST + (int)i);
}

static enum status check_together(struct time_options *options, const struct given *given, struct diags *diags)
{
    size_t errors = diags->n_errors;
    if (options->action == TIME_HELP || options->action == TIME_VERSION)
        return STATUS_OK;
    if (given->per_node && given->pool)
        diag_error(diags, place_of_file(NULL), "--per-node and --pool exclude each other: give one");
    if (options->action == TIME_INSTRUMENT && (options->n_records > 0 || options->machine))
        diag_error(diags, place_of_file(NULL), "--instrument takes one program, and no %s",
                   options->machine ? "machine file" : "records");
    if (options->action == TIME_MERGE && options->n_records == 0)
        diag_error(diags, place_of_file(NULL),
                   "no record is given: pevpm-time -m MACHINE.yaml -o MACHINE.yaml pevpm-time.*.dat");
    options->nodes = given->per_node ? SERIAL_PER_NODE : given->pool ? SERIAL_POOL : SERIAL_AUTO;
    return diags->n_errors > errors ? STATUS_USAGE : STATUS_OK;
}

enum status time_options_parse(struct time_options *options, int argc, char *argv[], struct diags *diags)
{
    struct option long_options[N_OPTIONS + 1];
    char letters[2 * N_OPTIONS + 2];
    struct given given = {false, false};
    size_t errors = diags->n_errors;
    int answer;
    *options = (struct time_options){.action = TIME_MERGE};
    fill_getopt(long_options, letters);
    optind = 0; /* a second call starts anew */
    opterr = 0;
    while ((answer = getopt_long(argc, argv, letters, long_options, NULL)) != -1) {
        if (answer == '?')
            unknown_option(argv[optind - 1], optopt, diags);
        else if (answer == ':')
            missing_argument(optopt, diags);
        else
            set_option(options, number_of(answer), &given);
    }
    options->n_records = (size_t)(argc - optind);
    options->records = argv + optind;
    if (diags->n_errors > errors)
        return STATUS_USAGE;
    return check_together(options, &given, diags);
}

void time_options_help(FILE *out)
{
    fputs("pevpm-time [-m MACHINE.yaml] [-o OUT.yaml] RECORD...    times of a run into a machine file\n"
          "pevpm-time --instrument PROGRAM.c [-o TIMED.c]          a program that times itself\n\n"
          "RECORD: what each process of a program compiled with -DPEVPM_TIME leaves (pevpm_time.h).\n\n",
          out);
    for (size_t i = 0; i < N_OPTIONS; i++) {
        const struct option_text *text = &option_texts[i];
        char left[40];
        snprintf(left, sizeof left, "--%s%s%s", text->name, text->argument ? " " : "",
                 text->argument ? text->argument : "");
        fprintf(out, text->letter ? "  -%c, " : "      ", text->letter);
        fprintf(out, "%-22s %s\n", left, text->help);
    }
}
