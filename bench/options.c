#include "bench/options.h"

#include "common/alloc.h"
#include "common/gnuplot.h"
#include "common/option.h"
#include "common/suggest.h"
#include "common/units.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum option_number {
#define X(NAME, letter, name, argument, help, served) OPTION_##NAME,
    BENCH_OPTION_LIST(X)
#undef X
};

static const struct option_spec option_specs[] = {BENCH_OPTION_LIST(OPTION_SPEC_SERVED)};
static const struct option_table table = {"pevpm-bench", sizeof option_specs / sizeof *option_specs, option_specs,
                                          "mpirun -n P pevpm-bench"};

/* The part of the budget that judging takes. */
static const double JUDGE_PART = 0.125;
static const int64_t SIZE_MOST = 1 << 30; /* MPI counts in int */

/* One item of a list is refused. */
static enum status refuse_item(const struct option_given *given, const char *item, const char *expected)
{
    if (*item)
        diag_error(given->diags, place_of_file(NULL), "%s %s: expected %s", given->shown, item, expected);
    else
        diag_error(given->diags, place_of_file(NULL), "%s %s: nothing stands before or after a comma: expected %s",
                   given->shown, given->argument, expected);
    return STATUS_USAGE;
}

/* Calls `take` on each item of a comma-separated list; the first status that is not OK counts. */
static enum status each_item(struct bench_options *options, const struct option_given *given,
                             enum status (*take)(struct bench_options *, const struct option_given *, const char *item))
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

static enum status take_size(struct bench_options *options, const struct option_given *given, const char *item)
{
    int64_t bytes;
    if (!units_parse_bytes(item, SIZE_MOST, &bytes))
        return refuse_item(given, item, "sizes in bytes up to 1024M, such as 0,64,1k,256k");
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

static enum status take_level(struct bench_options *options, const struct option_given *given, const char *item)
{
    char *end;
    errno = 0;
    long nodes = strtol(item, &end, 10), ppn = 0;
    if (isdigit((unsigned char)item[0]) && *end == 'x' && isdigit((unsigned char)end[1]))
        ppn = strtol(end + 1, &end, 10);
    if (*end || errno || nodes < 1 || ppn < 1 || nodes > 1000000 || ppn > 1000000 || nodes * ppn < 2)
        return refuse_item(given, item, "nodes x processes per node, at least 2 processes, such as 2x1,4x1,4x2");
    options->levels = alloc_resize(options->levels, options->n_levels + 1, sizeof *options->levels);
    options->levels[options->n_levels++] = (struct bench_level){(int)nodes, (int)ppn};
    return STATUS_OK;
}

static enum status take_operation(struct bench_options *options, const struct option_given *given, const char *item)
{
    bool on = item[0] != '-';
    const char *name = on ? item : item + 1;
    enum { N_PLAIN = 4 };
    const char *names[N_PLAIN + 1 + N_COLLECTIVES] = {"MPI_Send", "MPI_Isend", "ports", "self", "collectives"};
    for (int op = 0; op < N_COLLECTIVES; op++)
        names[N_PLAIN + 1 + op] = collective_name((enum collective)op);
    size_t n = sizeof names / sizeof *names, found = 0;
    while (found < n && strcmp(names[found], name) != 0)
        found++;
    if (found == n) {
        const char *meant = suggest_name(name, strlen(name), names, n);
        diag_error(given->diags, place_of_file(NULL), "%s: unknown operation `%s`%s%s%s", given->shown, name,
                   meant ? ", did you mean `" : "; --help lists them", meant ? meant : "", meant ? "`?" : "");
        return STATUS_USAGE;
    }
    if (found < N_PLAIN)
        *(bool *const[N_PLAIN]){&options->send, &options->isend, &options->ports, &options->self}[found] = on;
    for (size_t op = 0; op < N_COLLECTIVES; op++)
        if (found == N_PLAIN || found == N_PLAIN + 1 + op)
            options->collectives[op] = on;
    return STATUS_OK;
}

/* A list that only leaves out starts from the default, any other from nothing. */
static enum status set_operations(struct bench_options *options, const struct option_given *given)
{
    if (given->argument[0] != '-') {
        options->send = options->isend = options->ports = options->self = false;
        memset(options->collectives, 0, sizeof options->collectives);
    }
    return each_item(options, given, take_operation);
}

static enum status set_time(const struct option_given *given, double *seconds)
{
    double value;
    if (!units_parse_time(given->argument, 1.0, &value) || !(value > 0))
        return option_refuse(given, "a time above zero in seconds, or with a unit (ns us ms s min)");
    *seconds = value;
    return STATUS_OK;
}

static enum status set_bin(struct bench_options *options, const struct option_given *given)
{
    double seconds = 0;
    enum status status = set_time(given, &seconds);
    if (status == STATUS_OK && (seconds < 1e-9 || seconds > 1))
        return option_refuse(given, "a bin width from 1 ns to 1 s");
    options->bin = llround(seconds * 1e9);
    return status;
}

static enum status set_precision(struct bench_options *options, const struct option_given *given)
{
    char *end;
    double value = strtod(given->argument, &end);
    if (end == given->argument || *end != '\0' || !(value > 0) || !(value < 1))
        return option_refuse(given, "a number between 0 and 1, such as 0.025");
    options->precision = value;
    return STATUS_OK;
}

static enum status set_inject(struct bench_options *options, const struct option_given *given)
{
    char *end;
    options->inject_us = strtod(given->argument, &end);
    bool good = end != given->argument;
    if (good && *end == ',') {
        const char *ppm = end + 1;
        options->inject_ppm = strtod(ppm, &end);
        good = end != ppm;
    }
    if (!good || *end || !isfinite(options->inject_us) || !isfinite(options->inject_ppm))
        return option_refuse(given, "microseconds and parts per million, such as 1000,50");
    return STATUS_OK;
}

static enum status set_plot(struct bench_options *options, const struct option_given *given)
{
    options->plot = given->argument;
    return gnuplot_can_draw(given->argument)
               ? STATUS_OK
               : option_refuse(given, "a name that ends in .svg, .png or .pdf");
}

static enum status set_format(struct bench_options *options, const struct option_given *given)
{
    options->csv = strcmp(given->argument, "csv") == 0;
    return options->csv || strcmp(given->argument, "text") == 0 ? STATUS_OK
                                                                : option_refuse(given, "text or csv");
}

static enum status apply_option(void *context, const struct option_given *given)
{
    struct bench_options *options = context;
    options->given |= UINT64_C(1) << given->number;
    switch ((enum option_number)given->number) {
    case OPTION_OUTPUT: options->output = given->argument; break;
    case OPTION_NAME:
        options->name = given->argument;
        return *given->argument ? STATUS_OK : option_refuse(given, "a name");
    case OPTION_SIZES: return each_item(options, given, take_size);
    case OPTION_LEVELS: return each_item(options, given, take_level);
    case OPTION_OPERATIONS: return set_operations(options, given);
    case OPTION_TOPOLOGY: options->topology = given->argument; break;
    case OPTION_PRECISION: return set_precision(options, given);
    case OPTION_BUDGET: return set_time(given, &options->budget);
    case OPTION_NO_JUDGE: options->judge = false; break;
    case OPTION_COLLECTIVE_BUDGET: return set_time(given, &options->collective_budget);
    case OPTION_RESUME: options->resume = true; break;
    case OPTION_MERGE: options->action = BENCH_MERGE; options->merged = given->argument; break;
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

#define MERGE_USAGE "pevpm-bench --merge OUT.yaml RUN1.yaml RUN2.yaml ..."

/* --merge OUT RUN...: it has the file to write, and no -o stands beside it. */
static void check_merge(struct bench_options *options, int n, char *const words[], struct diags *diags)
{
    const char *merged = options->merged;
    options->n_runs = (size_t)n;
    options->runs = words;
    if (merged[0] == '-' && merged[1] != '\0')
        diag_error(diags, place_of_file(NULL), "--merge is followed by the file to write, and not by `%s`: " MERGE_USAGE, merged);
    else if (options->output)
        diag_error(diags, place_of_file(NULL), "-o goes without --merge, which is followed by the file to write (here `%s`): "
                   MERGE_USAGE, merged);
    else if (n < 2)
        diag_error(diags, place_of_file(NULL), "--merge wants at least two files: " MERGE_USAGE);
    options->output = merged;
}

/* That each option is one of what is to be done, and of the operations that are measured. */
static void check_actions(const struct bench_options *options, struct diags *diags)
{
    static const char *const doing[] = {[BENCH_MEASURE] = "measuring", [BENCH_REPORT] = "report", [BENCH_FIT] = "--fit",
                                        [BENCH_MERGE] = "--merge", [BENCH_VERIFY] = "--verify-clock"};
    bool collectives = false;
    for (int op = 0; op < N_COLLECTIVES; op++)
        collectives |= options->collectives[op];
    if (option_check_served(&table, options->given, (int)options->action, doing[options->action], diags) != STATUS_OK)
        return;
    if (options->topology && !options->ports)
        diag_error(diags, place_of_file(NULL), "--topology is for `ports`, which --operations does not name");
    if ((options->given >> OPTION_COLLECTIVE_BUDGET & 1) && !collectives)
        diag_error(diags, place_of_file(NULL), "--collective-budget is for collectives, which --operations does not name");
}

/* What the options say together, and the words that are no options. */
static enum status check_together(struct bench_options *options, int n, char *const words[], struct diags *diags)
{
    if (options->action == BENCH_HELP || options->action == BENCH_VERSION)
        return STATUS_OK;
    size_t errors = diags->n_errors;
    if (n > 0 && strcmp(words[0], "report") == 0) {
        options->action = BENCH_REPORT;
        if (n != 2)
            diag_error(diags, place_of_file(NULL), "report draws one machine file: pevpm-bench report FILE");
        else
            options->report = words[1];
    } else if (options->action == BENCH_MERGE) {
        check_merge(options, n, words, diags);
    } else if (n > 0) {
        static const char *const report = "report";
        const bool meant = suggest_name(words[0], strlen(words[0]), &report, 1) != NULL;
        diag_error(diags, place_of_file(NULL), "unexpected argument `%s`%s", words[0],
                   meant ? ", did you mean `report`?" : ": the machine file to write is given with -o");
    } else if (options->action == BENCH_FIT && !options->output) {
        diag_error(diags, place_of_file(NULL), "no file to write is given: pevpm-bench --fit FILE.yaml -o OUT.yaml");
    } else if (options->action == BENCH_MEASURE && !options->output) {
        diag_error(diags, place_of_file(NULL), "no file to write is given: mpirun ... pevpm-bench -o FILE.yaml");
    } else if (options->action == BENCH_MEASURE && strcmp(options->output, "-") == 0) {
        diag_error(diags, place_of_file(NULL), "-o -: the machine file is written anew whenever more is known, and "
                   "read again to judge it: name a file");
    }
    check_actions(options, diags);
    if (options->plot && options->output)
        diag_error(diags, place_of_file(NULL), "--plot draws one picture, -o a folder of them: give one");
    if (options->quiet && options->verbose)
        diag_error(diags, place_of_file(NULL), "--quiet and --verbose exclude each other: give one");
    return diags->n_errors > errors ? STATUS_USAGE : STATUS_OK;
}

enum status bench_options_parse(struct bench_options *options, int argc, char *argv[], struct diags *diags)
{
    *options = (struct bench_options){.send = true, .isend = true, .ports = true, .self = true, .precision = 0.025,
                                      .budget = 190, .judge = true, .collective_budget = 300, .duration = 10};
    int first;
    enum status status = option_read(&table, argc, argv, apply_option, options, &first, diags);
    enum status together = check_together(options, argc - first, argv + first, diags);
    return status != STATUS_OK ? status : together;
}

bool bench_options_only_self(const struct bench_options *options)
{
    bool other = options->send || options->isend || options->ports;
    for (int op = 0; op < N_COLLECTIVES; op++)
        other |= options->collectives[op];
    return options->self && !other;
}

/* Whether programs are to be run and predicted at the end: what they are predicted from is measured. */
static bool judges(const struct bench_options *options)
{
    return options->judge && (options->send || options->isend);
}

double bench_options_measuring(const struct bench_options *options)
{
    return options->budget * (judges(options) ? 1 - JUDGE_PART : 1);
}

void bench_options_free(struct bench_options *options)
{
    free(options->sizes);
    free(options->levels);
    *options = (struct bench_options){0};
}

void bench_options_help(FILE *out)
{
    fprintf(out, "mpirun ... pevpm-bench -o FILE [OPTION]...\n"
                 "pevpm-bench report FILE [--plot FILE | -o FOLDER] [--format csv]\n"
                 "pevpm-bench --fit FILE -o FILE\n"
                 "pevpm-bench --merge FILE RUN RUN...\n"
                 "Measures what messages cost on this machine and writes a machine file; report draws one, --fit\n"
                 "fits laws to its histograms, --merge adds up launches of one job.\n\n");
    option_print(&table, out);
    fprintf(out, "\nExit codes: 0 done; 1 the clock does not hold what it promises; 2 wrong usage; 3 bad input;\n"
                 "4 the system failed (file, memory, MPI).\n");
}
