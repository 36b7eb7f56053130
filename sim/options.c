#include "sim/options.h"

#include "common/alloc.h"
#include "common/suggest.h"
#include "common/units.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Long options are known to getopt by numbers above all letters. */
enum { OPTION_FIRST = 256 };
enum option_number {
    OPTION_NONE = OPTION_FIRST - 1,
#define X(NAME, letter, name, argument, help) OPTION_##NAME,
    OPTION_LIST(X)
#undef X
};

struct option_text {
    const char *name, *argument, *help;
    char letter;
};

static const struct option_text option_texts[] = {
#define X(NAME, letter_, name_, argument_, help_) \
    {.name = name_, .argument = argument_, .help = help_, .letter = letter_},
    OPTION_LIST(X)
#undef X
};
enum { N_OPTIONS = sizeof option_texts / sizeof *option_texts };

/* One option being applied. `shown`: as diagnostics name it, "--procs". */
struct given {
    enum option_number number;
    const char *shown;
    char *argument;
    struct diags *diags;
};

static enum status given_error(const struct given *given, const char *expected)
{
    diag_error(given->diags, place_of_file(NULL), "%s %s: expected %s", given->shown, given->argument, expected);
    return STATUS_USAGE;
}

/* One of a list of words, with `did you mean`. */
static enum status given_choice(const struct given *given, size_t n, const char *const words[], int *chosen)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(words[i], given->argument) == 0) {
            *chosen = (int)i;
            return STATUS_OK;
        }
    const char *meant = suggest_name(given->argument, strlen(given->argument), words, n);
    char *all = alloc_string("");
    for (size_t i = 0; i < n; i++) {
        char *longer = alloc_format("%s%s%s", all, i == 0 ? "" : i + 1 == n ? " or " : ", ", words[i]);
        free(all);
        all = longer;
    }
    diag_error(given->diags, place_of_file(NULL), "%s %s: %s%s%s%s", given->shown, given->argument,
               meant ? "did you mean `" : "expected ", meant ? meant : all, meant ? "`? Expected " : "",
               meant ? all : "");
    free(all);
    return STATUS_USAGE;
}

static enum status given_integer(const struct given *given, uint64_t least, uint64_t most, uint64_t *value)
{
    char *end, expected[80];
    errno = 0;
    unsigned long long number = strtoull(given->argument, &end, 10);
    if (isdigit((unsigned char)given->argument[0]) && *end == '\0' && errno == 0 && number >= least && number <= most) {
        *value = number;
        return STATUS_OK;
    }
    snprintf(expected, sizeof expected, "a whole number from %llu to %llu", (unsigned long long)least,
             (unsigned long long)most);
    return given_error(given, expected);
}

static enum status set_model(struct options *options, const struct given *given)
{
    static const char *const names[] = {"measured", "hockney", "loggp", "plogp", "lmo"};
    enum { FIRST_NOT_YET = 3 };
    int chosen = 0;
    enum status status = given_choice(given, sizeof names / sizeof *names, names, &chosen);
    if (status != STATUS_OK)
        return status;
    options->model = names[chosen];
    if (chosen < FIRST_NOT_YET)
        return STATUS_OK;
    diag_error(given->diags, place_of_file(NULL), "--model %s: this model cannot be used for predictions yet",
               given->argument);
    return STATUS_NOT_YET;
}

static enum status set_define(struct options *options, const struct given *given)
{
    struct sweep sweep = {0};
    enum status status = list_parse_sweep(given->shown, given->argument, &sweep, given->diags);
    if (status != STATUS_OK)
        return status;
    for (size_t i = 0; i < options->n_sweeps; i++)
        if (strcmp(options->sweeps[i].name, sweep.name) == 0) {
            diag_error(given->diags, place_of_file(NULL), "-D %s is given twice: for a sweep write -D %s=A,B,C",
                       sweep.name, sweep.name);
            sweep_free(&sweep);
            return STATUS_USAGE;
        }
    options->sweeps =
        alloc_grow(options->sweeps, options->n_sweeps, &options->sweeps_capacity, sizeof *options->sweeps);
    options->sweeps[options->n_sweeps++] = sweep;
    if (sweep_combinations(options->n_sweeps, options->sweeps) <= LIST_LENGTH_MOST)
        return STATUS_OK;
    diag_error(given->diags, place_of_file(NULL), "-D: more than %d combinations of parameters", (int)LIST_LENGTH_MOST);
    sweep_free(&options->sweeps[--options->n_sweeps]); /* so that the product stays small */
    return STATUS_USAGE;
}

static enum status set_procs(struct options *options, const struct given *given)
{
    size_t n;
    struct placement *list;
    enum status status = list_parse_placements(given->shown, given->argument, &n, &list, given->diags);
    if (status != STATUS_OK)
        return status;
    free(options->placements);
    options->placements = list;
    options->n_placements = n;
    return STATUS_OK;
}

static enum status set_mode(struct options *options, const struct given *given)
{
    struct mode_list modes;
    enum status status = list_parse_modes(given->shown, given->argument, &modes, given->diags);
    if (status != STATUS_OK)
        return status;
    mode_list_free(&options->modes);
    options->modes = modes;
    return STATUS_OK;
}

static enum status set_contention(struct options *options, const struct given *given)
{
    static const char *const names[] = {
#define X(name) #name,
        CONTENTION_LIST(X)
#undef X
    };
    int chosen = 0;
    enum status status = given_choice(given, sizeof names / sizeof *names, names, &chosen);
    options->contention = (enum contention)chosen;
    options->contention_given = true;
    return status;
}

static enum status set_format(struct options *options, const struct given *given)
{
    static const char *const names[] = {
#define X(name) #name,
        REPORT_FORMAT_LIST(X)
#undef X
    };
    int chosen = 0;
    enum status status = given_choice(given, sizeof names / sizeof *names, names, &chosen);
    options->format = (enum report_format)chosen;
    return status;
}

static enum status set_precision(struct options *options, const struct given *given)
{
    char *end;
    double value = strtod(given->argument, &end);
    if (end == given->argument || *end != '\0' || !(value > 0) || !(value < 1))
        return given_error(given, "a number between 0 and 1, such as 0.01");
    options->precision = value;
    return STATUS_OK;
}

static enum status set_plot(struct options *options, const struct given *given)
{
    const char *dot = strrchr(given->argument, '.');
    options->plot = given->argument;
    if (dot && (strcmp(dot, ".svg") == 0 || strcmp(dot, ".png") == 0 || strcmp(dot, ".pdf") == 0))
        return STATUS_OK;
    return given_error(given, "a file name that ends in .svg, .png or .pdf");
}

static enum status set_lanes(struct options *options, const struct given *given)
{
    uint64_t lanes = 0;
    enum status status = given_integer(given, 1, ENGINE_LANES_MOST, &lanes);
    if (status == STATUS_OK && lanes != 1 && lanes % 8 != 0)
        status = given_error(given, "1 or a multiple of 8 up to 64");
    options->lanes = (int)lanes;
    return status;
}

static enum status set_baseline(struct options *options, const struct given *given)
{
    double seconds;
    if (!units_parse_time(given->argument, 1.0, &seconds) || !(seconds > 0))
        return given_error(given, "a time above zero in seconds, or with a unit (ns us ms s min)");
    options->baseline = seconds;
    return STATUS_OK;
}

static enum status not_yet(const struct given *given)
{
    diag_error(given->diags, place_of_file(NULL), "%s cannot be done yet", given->shown);
    return STATUS_NOT_YET;
}

static enum status set_word(const struct given *given, const char *first, const char *second, bool *is_second)
{
    const char *const words[] = {first, second};
    int chosen = 0;
    enum status status = given_choice(given, 2, words, &chosen);
    *is_second = chosen == 1;
    return status;
}

static enum status set_number(struct options *options, const struct given *given)
{
    uint64_t value = 0;
    enum status status;
    if (given->number == OPTION_SEED) {
        status = given_integer(given, 0, UINT64_MAX, &value);
        options->seed = value;
    } else if (given->number == OPTION_THREADS) {
        status = given_integer(given, 1, 4096, &value);
        options->threads = (int)value;
    } else {
        status = given_integer(given, 1, 1u << 30, &value);
        options->replications = (uint32_t)value;
    }
    return status;
}

static enum status set_option(struct options *options, const struct given *given)
{
    enum status status = STATUS_OK;
    bool flag = false;
    switch (given->number) {
    case OPTION_NONE: break;
    case OPTION_MACHINE: options->machine = given->argument; break;
    case OPTION_PROCS: return set_procs(options, given);
    case OPTION_MAP: return set_word(given, "block", "cyclic", &options->cyclic);
    case OPTION_DEFINE: return set_define(options, given);
    case OPTION_MODE: return set_mode(options, given);
    case OPTION_CONTENTION: return set_contention(options, given);
    case OPTION_MEASURED: options->measured = given->argument; break;
    case OPTION_BASELINE: return set_baseline(options, given);
    case OPTION_MODEL: return set_model(options, given);
    case OPTION_REPLICATIONS:
    case OPTION_SEED:
    case OPTION_THREADS: return set_number(options, given);
    case OPTION_PRECISION: return set_precision(options, given);
    case OPTION_FORMAT: return set_format(options, given);
    case OPTION_OUTPUT: options->output = given->argument; break;
    case OPTION_PLOT: return set_plot(options, given);
    case OPTION_PROFILE:
    case OPTION_TRACE: return not_yet(given);
    case OPTION_PRINT: options->action = ACTION_PRINT; break;
    case OPTION_CHECK: options->action = ACTION_CHECK; break;
    case OPTION_ENGINE:
        status = set_word(given, "lanes", "reference", &flag);
        options->engine = flag ? ENGINE_REFERENCE : ENGINE_LANES;
        break;
    case OPTION_LANES: return set_lanes(options, given);
    case OPTION_QUIET: options->quiet = true; break;
    case OPTION_VERBOSE: options->verbose = true; break;
    case OPTION_HELP: options->action = ACTION_HELP; break;
    case OPTION_VERSION: options->action = ACTION_VERSION; break;
    }
    return status;
}

/* What getopt could not make sense of: `letter`, or, where that is 0, the long option `word`. */
static enum status unknown_option(const char *word, int letter, struct diags *diags)
{
    const char *names[N_OPTIONS];
    size_t n = letter == 0 ? strcspn(word + 2, "=") : 0, same = 0;
    for (size_t i = 0; i < N_OPTIONS; i++) {
        names[i] = option_texts[i].name;
        same += n > 0 && strncmp(names[i], word + 2, n) == 0;
    }
    const char *meant = n > 0 ? suggest_name(word + 2, n, names, N_OPTIONS) : NULL;
    if (letter >= OPTION_FIRST)
        diag_error(diags, place_of_file(NULL), "--%s takes no argument", option_texts[letter - OPTION_FIRST].name);
    else if (same > 1)
        diag_error(diags, place_of_file(NULL), "option `%.*s` may be any of %zu options: write more of its name",
                   (int)n + 2, word, same);
    else if (n == 0)
        diag_error(diags, place_of_file(NULL), "unknown option `-%c`; pevpm-sim --help lists all", letter);
    else if (meant)
        diag_error(diags, place_of_file(NULL), "unknown option `%.*s`, did you mean `--%s`?", (int)n + 2, word, meant);
    else
        diag_error(diags, place_of_file(NULL), "unknown option `%.*s`; pevpm-sim --help lists all", (int)n + 2, word);
    return STATUS_USAGE;
}

static enum status missing_argument(int number, struct diags *diags)
{
    for (size_t i = 0; i < N_OPTIONS; i++)
        if (number == (int)i + OPTION_FIRST || number == option_texts[i].letter)
            diag_error(diags, place_of_file(NULL), "--%s needs an argument: %s", option_texts[i].name,
                       option_texts[i].argument);
    return STATUS_USAGE;
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

/* The option that getopt's answer stands for. */
static struct given given_of(int answer, char shown[32], struct diags *diags)
{
    size_t i = answer >= OPTION_FIRST ? (size_t)(answer - OPTION_FIRST) : 0;
    while (answer < OPTION_FIRST && option_texts[i].letter != answer)
        i++;
    if (answer < OPTION_FIRST)
        snprintf(shown, 32, "-%c", answer);
    else
        snprintf(shown, 32, "--%s", option_texts[i].name);
    return (struct given){(enum option_number)(OPTION_FIRST + (int)i), shown, optarg, diags};
}

static enum status keep_first(enum status first, enum status next)
{
    return first != STATUS_OK ? first : next;
}

/* What the options say together, and PROGRAM. */
static enum status check_together(struct options *options, bool precision_given, int n, char *const words[],
                                  struct diags *diags)
{
    if (options->action == ACTION_HELP || options->action == ACTION_VERSION)
        return STATUS_OK;
    size_t errors = diags->n_errors;
    if (precision_given && options->replications > 0)
        diag_error(diags, place_of_file(NULL), "--replications and --precision exclude each other: give one");
    if (options->quiet && options->verbose)
        diag_error(diags, place_of_file(NULL), "--quiet and --verbose exclude each other: give one");
    if (n == 0)
        diag_error(diags, place_of_file(NULL), "no PROGRAM is given: pevpm-sim [OPTION]... PROGRAM (--help says more)");
    if (n > 1)
        diag_error(diags, place_of_file(NULL), "one PROGRAM is predicted at a time, found `%s` and `%s`", words[0],
                   words[1]);
    options->program = n > 0 ? words[0] : NULL;
    const char *const inputs[] = {options->program, options->machine, options->measured};
    int standard = 0;
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++)
        standard += inputs[i] && strcmp(inputs[i], "-") == 0;
    if (standard > 1)
        diag_error(diags, place_of_file(NULL), "standard input (-) can be read for one thing only");
    return diags->n_errors > errors ? STATUS_USAGE : STATUS_OK;
}

enum status options_parse(struct options *options, int argc, char *argv[], struct diags *diags)
{
    *options = (struct options){.model = "measured", .baseline = NAN, .precision = 0.01, .seed = 1};
    enum status status = list_parse_modes("--mode", "distribution", &options->modes, diags);
    struct option long_options[N_OPTIONS + 1];
    char letters[2 * N_OPTIONS + 2], shown[32];
    bool precision_given = false;
    fill_getopt(long_options, letters);
    optind = 0; /* getopt keeps its place in globals: start afresh */
    opterr = 0;
    int answer;
    while ((answer = getopt_long(argc, argv, letters, long_options, NULL)) != -1) {
        if (answer == '?') {
            status = keep_first(status, unknown_option(argv[optind - 1], optopt, diags));
        } else if (answer == ':') {
            status = keep_first(status, missing_argument(optopt, diags));
        } else {
            struct given given = given_of(answer, shown, diags);
            precision_given = precision_given || given.number == OPTION_PRECISION;
            status = keep_first(status, set_option(options, &given));
        }
    }
    return keep_first(status, check_together(options, precision_given, argc - optind, argv + optind, diags));
}

void options_free(struct options *options)
{
    mode_list_free(&options->modes);
    for (size_t i = 0; i < options->n_sweeps; i++)
        sweep_free(&options->sweeps[i]);
    free(options->sweeps);
    free(options->placements);
    *options = (struct options){0};
}

void options_print_version(FILE *out)
{
    fprintf(out, "pevpm-sim %s\n"
                 "Licence GPL-3.0-or-later: free software, no warranty.\n", PEVPM_VERSION);
}

void options_print_help(FILE *out)
{
    enum { HELP_COLUMN = 29 };
    fprintf(out,
            "pevpm-sim [OPTION]... PROGRAM\n"
            "Predicts how an MPI program will run, from its source with PEVPM directives and a machine file.\n"
            "PROGRAM: annotated source or a .pevpm file; - reads standard input. Under mpirun the replications are\n"
            "spread over the ranks and the numbers are the same.\n\n");
    for (size_t i = 0; i < N_OPTIONS; i++) {
        const struct option_text *text = &option_texts[i];
        char letter[8] = "   ";
        if (text->letter)
            snprintf(letter, sizeof letter, "-%c,", text->letter);
        int used = fprintf(out, "  %s --%s%s%s", letter, text->name, text->argument ? " " : "",
                           text->argument ? text->argument : "");
        if (used >= HELP_COLUMN - 1)
            fprintf(out, "\n%*s", HELP_COLUMN, "");
        else
            fprintf(out, "%*s", HELP_COLUMN - used, "");
        for (const char *c = text->help; *c; c++) {
            fputc(*c, out);
            if (*c == '\n')
                fprintf(out, "%*s", HELP_COLUMN, "");
        }
        fputc('\n', out);
    }
    fprintf(
        out,
        "\nExit codes: 0 done; 1 a predicted deadlock; 2 wrong usage; 3 bad input; 4 the system failed (file, MPI),\n"
        "or the run was interrupted.\n");
}
