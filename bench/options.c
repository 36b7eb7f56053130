#include "bench/options.h"

#include "common/alloc.h"
#include "common/gnuplot.h"
#include "common/suggest.h"
#include "common/units.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Long options are known to getopt by numbers above all letters. */
enum { OPTION_FIRST = 256 };
enum option_number {
    OPTION_NONE = OPTION_FIRST - 1,
#define X(NAME, letter, name, argument, help) OPTION_##NAME,
    BENCH_OPTION_LIST(X)
#undef X
};

struct option_text {
    const char *name, *argument, *help; /* help NULL: not shown */
    char letter;
};

static const struct option_text option_texts[] = {
#define X(NAME, letter_, name_, argument_, help_) \
    {.name = name_, .argument = argument_, .help = help_, .letter = letter_},
    BENCH_OPTION_LIST(X)
#undef X
};
enum { N_OPTIONS = sizeof option_texts / sizeof *option_texts };

static const int64_t SIZE_MOST = 1 << 30; /* MPI counts in int */

/* One option being applied. `shown`: as diagnostics name it, "--sizes". */
struct given {
    enum option_number number;
    const char *shown;
    char *argument;
    struct diags *diags;
};

static enum status given_error(const struct given *given, const char *item, const char *expected)
{
    diag_error(given->diags, place_of_file(NULL), "%s %s: expected %s", given->shown, item, expected);
    return STATUS_USAGE;
}

/* Calls `take` on each item of a comma-separated list; the first status that is not OK counts. */
static enum status each_item(struct bench_options *options, const struct given *given,
                             enum status (*take)(struct bench_options *, const struct given *, const char *item))
{
    enum status status = STATUS_OK;
    char *list = alloc_string(given->argument), *at = list;
    for (char *end = at; at; at = end) {
        end = strchr(at, ',');
        if (end)
            *end++ = '\0';
        enum status next = take(options, given, at);
        status = status != STATUS_OK ? status : next;
    }
    free(list);
    return status;
}

/* ---- values ---- */

/* A whole number, with k or M after it: times 1024 or 1024 squared. */
static bool size_parse(const char *text, int64_t *bytes)
{
    char *end;
    errno = 0;
    long long value = strtoll(text, &end, 10), factor = 1;
    if (*end == 'k' || *end == 'K')
        factor = 1024;
    else if (*end == 'M' || *end == 'm')
        factor = 1024 * 1024;
    end += factor > 1;
    if (strncmp(end, "iB", 2) == 0 && factor > 1)
        end += 2;
    if (!isdigit((unsigned char)text[0]) || *end || errno || value > SIZE_MOST / factor)
        return false;
    *bytes = value * factor;
    return true;
}

static enum status take_size(struct bench_options *options, const struct given *given, const char *item)
{
    int64_t bytes;
    if (!size_parse(item, &bytes))
        return given_error(given, item, "sizes in bytes up to 1024M, such as 0,64,1k,256k");
    size_t at = 0;
    while (at < options->n_sizes && options->sizes[at] < bytes)
        at++;
    if (at < options->n_sizes && options->sizes[at] == bytes)
        return STATUS_OK;
    options->sizes = alloc_resize(options->sizes, options->n_sizes + 1, sizeof *options->sizes);
    memmove(&options->sizes[at + 1], &options->sizes[at], (options->n_sizes - at) * sizeof *options->sizes);
    options->sizes[at] = bytes;
    options->n_sizes++;
    return STATUS_OK;
}

static enum status take_level(struct bench_options *options, const struct given *given, const char *item)
{
    char *end;
    errno = 0;
    long nodes = strtol(item, &end, 10), ppn = 0;
    if (isdigit((unsigned char)item[0]) && *end == 'x' && isdigit((unsigned char)end[1]))
        ppn = strtol(end + 1, &end, 10);
    if (*end || errno || nodes < 1 || ppn < 1 || nodes > 1000000 || ppn > 1000000 || nodes * ppn < 2)
        return given_error(given, item, "nodes x processes per node, at least 2 processes, such as 2x1,4x1,4x2");
    options->levels = alloc_resize(options->levels, options->n_levels + 1, sizeof *options->levels);
    options->levels[options->n_levels++] = (struct bench_level){(int)nodes, (int)ppn};
    return STATUS_OK;
}

static enum status take_operation(struct bench_options *options, const struct given *given, const char *item)
{
    bool on = item[0] != '-';
    const char *name = on ? item : item + 1;
    const char *names[N_COLLECTIVES + 4] = {"MPI_Send", "MPI_Isend", "ports", "collectives"};
    for (int op = 0; op < N_COLLECTIVES; op++)
        names[4 + op] = collective_name((enum collective)op);
    size_t n = sizeof names / sizeof *names, found = 0;
    while (found < n && strcmp(names[found], name) != 0)
        found++;
    if (found == n) {
        const char *meant = suggest_name(name, strlen(name), names, n);
        diag_error(given->diags, place_of_file(NULL), "%s: unknown operation `%s`%s%s%s", given->shown, name,
                   meant ? ", did you mean `" : "; --help lists them", meant ? meant : "", meant ? "`?" : "");
        return STATUS_USAGE;
    }
    if (found < 3)
        *(bool *const[]){&options->send, &options->isend, &options->ports}[found] = on;
    for (size_t op = 0; op < N_COLLECTIVES; op++)
        if (found == 3 || found == 4 + op)
            options->collectives[op] = on;
    return STATUS_OK;
}

/* A list that only leaves out starts from the default, any other from nothing. */
static enum status set_operations(struct bench_options *options, const struct given *given)
{
    if (given->argument[0] != '-') {
        options->send = options->isend = options->ports = false;
        memset(options->collectives, 0, sizeof options->collectives);
    }
    return each_item(options, given, take_operation);
}

static enum status set_time(const struct given *given, double *seconds)
{
    double value;
    if (!units_parse_time(given->argument, 1.0, &value) || !(value > 0))
        return given_error(given, given->argument, "a time above zero in seconds, or with a unit (ns us ms s min)");
    *seconds = value;
    return STATUS_OK;
}

static enum status set_bin(struct bench_options *options, const struct given *given)
{
    double seconds = 0;
    enum status status = set_time(given, &seconds);
    if (status == STATUS_OK && (seconds < 1e-9 || seconds > 1))
        return given_error(given, given->argument, "a bin width from 1 ns to 1 s");
    options->bin = llround(seconds * 1e9);
    return status;
}

static enum status set_precision(struct bench_options *options, const struct given *given)
{
    char *end;
    double value = strtod(given->argument, &end);
    if (end == given->argument || *end != '\0' || !(value > 0) || !(value < 1))
        return given_error(given, given->argument, "a number between 0 and 1, such as 0.025");
    options->precision = value;
    return STATUS_OK;
}

static enum status set_inject(struct bench_options *options, const struct given *given)
{
    char *end;
    options->inject_us = strtod(given->argument, &end);
    if (*end == ',')
        options->inject_ppm = strtod(end + 1, &end);
    if (*end || !isfinite(options->inject_us) || !isfinite(options->inject_ppm))
        return given_error(given, given->argument, "microseconds and parts per million, such as 1000,50");
    return STATUS_OK;
}

static enum status set_plot(struct bench_options *options, const struct given *given)
{
    options->plot = given->argument;
    return gnuplot_can_draw(given->argument)
               ? STATUS_OK
               : given_error(given, given->argument, "a name that ends in .svg, .png or .pdf");
}

static enum status set_format(struct bench_options *options, const struct given *given)
{
    options->csv = strcmp(given->argument, "csv") == 0;
    return options->csv || strcmp(given->argument, "text") == 0 ? STATUS_OK
                                                                : given_error(given, given->argument, "text or csv");
}

static enum status set_option(struct bench_options *options, const struct given *given)
{
    switch (given->number) {
    case OPTION_NONE: break;
    case OPTION_OUTPUT: options->output = given->argument; break;
    case OPTION_NAME: options->name = given->argument; break;
    case OPTION_SIZES: return each_item(options, given, take_size);
    case OPTION_LEVELS: return each_item(options, given, take_level);
    case OPTION_OPERATIONS: return set_operations(options, given);
    case OPTION_PRECISION: return set_precision(options, given);
    case OPTION_BUDGET: return set_time(given, &options->budget);
    case OPTION_COLLECTIVE_BUDGET: return set_time(given, &options->collective_budget);
    case OPTION_RESUME: options->resume = true; break;
    case OPTION_MERGE: options->action = BENCH_MERGE; options->output = given->argument; break;
    case OPTION_BIN: return set_bin(options, given);
    case OPTION_FIT: options->action = BENCH_FIT; options->fit = given->argument; break;
    case OPTION_PLOT: return set_plot(options, given);
    case OPTION_FORMAT: return set_format(options, given);
    case OPTION_VERIFY_CLOCK: options->action = BENCH_VERIFY; break;
    case OPTION_DURATION: return set_time(given, &options->duration);
    case OPTION_INJECT: return set_inject(options, given);
    case OPTION_QUIET: options->quiet = true; break;
    case OPTION_VERBOSE: options->verbose = true; break;
    case OPTION_HELP: options->action = BENCH_HELP; break;
    case OPTION_VERSION: options->action = BENCH_VERSION; break;
    }
    return STATUS_OK;
}

/* ---- the line ---- */

/* What getopt could not make sense of: `letter`, or, where that is 0, the long option `word`. */
static enum status unknown_option(const char *word, int letter, struct diags *diags)
{
    const char *names[N_OPTIONS];
    size_t n = letter == 0 ? strcspn(word + 2, "=") : 0;
    for (size_t i = 0; i < N_OPTIONS; i++)
        names[i] = option_texts[i].help ? option_texts[i].name : NULL;
    const char *meant = n > 0 ? suggest_name(word + 2, n, names, N_OPTIONS) : NULL;
    if (letter >= OPTION_FIRST)
        diag_error(diags, place_of_file(NULL), "--%s takes no argument", option_texts[letter - OPTION_FIRST].name);
    else if (n == 0)
        diag_error(diags, place_of_file(NULL), "unknown option `-%c`; pevpm-bench --help lists all", letter);
    else if (meant)
        diag_error(diags, place_of_file(NULL), "unknown option `%.*s`, did you mean `--%s`?", (int)n + 2, word, meant);
    else
        diag_error(diags, place_of_file(NULL), "unknown option `%.*s`; pevpm-bench --help lists all", (int)n + 2,
                   word);
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

/* What the options say together, and the words that are no options. */
static enum status check_together(struct bench_options *options, int n, char *const words[], struct diags *diags)
{
    if (options->action == BENCH_HELP || options->action == BENCH_VERSION)
        return STATUS_OK;
    size_t errors = diags->n_errors;
    if (n > 0 && strcmp(words[0], "report") == 0) {
        if (options->action != BENCH_MEASURE)
            diag_error(diags, place_of_file(NULL), "report goes without --fit and --verify-clock");
        options->action = BENCH_REPORT;
        if (n != 2)
            diag_error(diags, place_of_file(NULL), "report draws one machine file: pevpm-bench report FILE");
        else
            options->report = words[1];
    } else if (options->action == BENCH_MERGE) {
        options->n_runs = (size_t)n;
        options->runs = words;
        if (n < 2)
            diag_error(diags, place_of_file(NULL), "--merge wants at least two files: pevpm-bench --merge OUT.yaml "
                       "RUN1.yaml RUN2.yaml ...");
    } else if (n > 0) {
        diag_error(diags, place_of_file(NULL), "unexpected argument `%s`: the machine file to write is given with -o",
                   words[0]);
    } else if (options->action == BENCH_FIT && !options->output) {
        diag_error(diags, place_of_file(NULL), "no file to write is given: pevpm-bench --fit FILE.yaml -o OUT.yaml");
    } else if (options->action == BENCH_MEASURE && !options->output) {
        diag_error(diags, place_of_file(NULL), "no file to write is given: mpirun ... pevpm-bench -o FILE.yaml");
    }
    if (options->plot && options->action != BENCH_REPORT)
        diag_error(diags, place_of_file(NULL), "--plot belongs to pevpm-bench report FILE");
    if (options->plot && options->output)
        diag_error(diags, place_of_file(NULL), "--plot draws one picture, -o a folder of them: give one");
    if (options->csv && options->action != BENCH_REPORT && options->action != BENCH_FIT)
        diag_error(diags, place_of_file(NULL), "--format belongs to report and --fit");
    if (options->quiet && options->verbose)
        diag_error(diags, place_of_file(NULL), "--quiet and --verbose exclude each other: give one");
    return diags->n_errors > errors ? STATUS_USAGE : STATUS_OK;
}

static enum status keep_first(enum status first, enum status next)
{
    return first != STATUS_OK ? first : next;
}

enum status bench_options_parse(struct bench_options *options, int argc, char *argv[], struct diags *diags)
{
    *options = (struct bench_options){.send = true, .isend = true, .ports = true, .precision = 0.025, .budget = 170,
                                      .collective_budget = 300, .duration = 10};
    enum status status = STATUS_OK;
    struct option long_options[N_OPTIONS + 1];
    char letters[2 * N_OPTIONS + 2], shown[32];
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
            status = keep_first(status, set_option(options, &given));
        }
    }
    return keep_first(status, check_together(options, argc - optind, argv + optind, diags));
}

void bench_options_free(struct bench_options *options)
{
    free(options->sizes);
    free(options->levels);
    *options = (struct bench_options){0};
}

void bench_options_help(FILE *out)
{
    enum { HELP_COLUMN = 29 };
    fprintf(out, "mpirun ... pevpm-bench -o FILE [OPTION]...\n"
                 "pevpm-bench report FILE [--plot FILE | -o FOLDER] [--format csv]\n"
                 "pevpm-bench --fit FILE -o FILE\n"
                 "pevpm-bench --merge FILE RUN RUN...\n"
                 "Measures what messages cost on this machine and writes a machine file; report draws one, --fit\n"
                 "fits laws to its histograms, --merge adds up launches of one job.\n\n");
    for (size_t i = 0; i < N_OPTIONS; i++) {
        const struct option_text *text = &option_texts[i];
        char letter[8] = "   ";
        if (!text->help)
            continue;
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
    fprintf(out, "\nExit codes: 0 done; 1 the clock does not hold what it promises; 2 wrong usage; 3 bad input;\n"
                 "4 the system failed (file, memory, MPI).\n");
}
