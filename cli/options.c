#include "cli/options.h"

#include "cli/patience.h"
#include "common/alloc.h"
#include "common/gnuplot.h"
#include "common/option.h"
#include "common/units.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum option_number {
#define X(NAME, letter, name, argument, help, served) OPTION_##NAME,
    OPTION_LIST(X)
#undef X
};

static const struct option_spec option_specs[] = {OPTION_LIST(OPTION_SPEC_SERVED)};
enum { N_OPTIONS = sizeof option_specs / sizeof *option_specs };
static const struct option_table predict_table = {"pevpm-sim", N_OPTIONS, option_specs, NULL};

/* A command line while it is being read. */
struct parsing {
    struct options *options;
    bool against;            /* behind --against: */
    size_t n_inherited;      /* definitions that stand before it */
    bool scale_given, precision_given;
    uint64_t given;          /* bit n: the option whose number is n was */
};

static enum status set_model(struct options *options, const struct option_given *given)
{
    struct model_list models;
    enum status status = list_parse_models(given->shown, given->argument, &models, given->diags);
    if (status == STATUS_OK)
        options->models = models;
    return status;
}

/* A -D of the same name. SIZE_MAX: none. */
static size_t find_define(const struct options *options, const char *name)
{
    for (size_t i = 0; i < options->n_sweeps; i++)
        if (strcmp(options->sweeps[i].name, name) == 0)
            return i;
    return SIZE_MAX;
}

/* The first n_inherited definitions may be given anew. */
static enum status set_define(struct options *options, size_t n_inherited, const struct option_given *given)
{
    struct sweep sweep = {0};
    enum status status = list_parse_sweep(given->shown, given->argument, &sweep, given->diags);
    if (status != STATUS_OK)
        return status;
    size_t same = find_define(options, sweep.name);
    if (same < n_inherited) {
        sweep_free(&options->sweeps[same]);
        options->sweeps[same] = sweep;
    } else if (same != SIZE_MAX) {
        diag_error(given->diags, place_of_file(NULL), "-D %s is given twice: for a sweep write -D %s=A,B,C", sweep.name,
                   sweep.name);
        sweep_free(&sweep);
        return STATUS_USAGE;
    } else {
        options->sweeps =
            alloc_grow(options->sweeps, options->n_sweeps, &options->sweeps_capacity, sizeof *options->sweeps);
        options->sweeps[options->n_sweeps++] = sweep;
    }
    if (sweep_combinations(options->n_sweeps, options->sweeps) <= LIST_LENGTH_MOST)
        return STATUS_OK;
    diag_error(given->diags, place_of_file(NULL), "-D: more than %d combinations of parameters", (int)LIST_LENGTH_MOST);
    sweep_free(&options->sweeps[--options->n_sweeps]); /* so that the product stays small */
    return STATUS_USAGE;
}

static enum status set_procs(struct options *options, const struct option_given *given)
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

/* RANK,RANK...: that they are below the number of processes is seen later. */
static enum status set_print(struct options *options, const struct option_given *given)
{
    size_t capacity = 0;
    options->action = ACTION_PRINT;
    options->n_ranks = 0;
    free(options->ranks);
    options->ranks = NULL;
    for (char *at = given->argument, *end; at; at = end + 1) {
        errno = 0;
        long rank = isdigit((unsigned char)*at) ? strtol(at, &end, 10) : -1;
        if (rank < 0 || errno != 0 || rank > INT_MAX || (*end != ',' && *end != '\0'))
            return option_refuse(given, "ranks, such as 0,3");
        options->ranks = alloc_grow(options->ranks, options->n_ranks, &capacity, sizeof *options->ranks);
        options->ranks[options->n_ranks++] = (int)rank;
        if (*end == '\0')
            break;
    }
    return STATUS_OK;
}

static enum status set_mode(struct options *options, const struct option_given *given)
{
    struct mode_list modes;
    enum status status = list_parse_modes(given->shown, given->argument, &modes, given->diags);
    if (status != STATUS_OK)
        return status;
    mode_list_free(&options->modes);
    options->modes = modes;
    return STATUS_OK;
}

static enum status set_contention(struct options *options, const struct option_given *given)
{
    static const char *const names[] = {
#define X(name) #name,
        CONTENTION_LIST(X)
#undef X
    };
    int chosen = 0;
    enum status status = option_choice(given, sizeof names / sizeof *names, names, &chosen);
    options->contention = (enum contention)chosen;
    options->contention_given = true;
    return status;
}

static enum status set_library(struct options *options, const struct option_given *given)
{
    static const char *const names[] = {
#define X(name) #name,
        LIBRARY_LIST(X)
#undef X
    };
    int chosen = 0;
    enum status status = option_choice(given, sizeof names / sizeof *names, names, &chosen);
    options->library = (enum mpi_library)chosen;
    options->library_given = true;
    return status;
}

static enum status set_format(struct options *options, const struct option_given *given)
{
    static const char *const names[] = {
#define X(name) #name,
        REPORT_FORMAT_LIST(X)
#undef X
    };
    int chosen = 0;
    enum status status = option_choice(given, sizeof names / sizeof *names, names, &chosen);
    options->format = (enum report_format)chosen;
    return status;
}

static enum status set_precision(struct options *options, const struct option_given *given)
{
    char *end;
    double value = strtod(given->argument, &end);
    if (end == given->argument || *end != '\0' || !(value > 0) || !(value < 1))
        return option_refuse(given, "a number between 0 and 1, such as 0.01");
    options->precision = value;
    return STATUS_OK;
}

static enum status set_plot(struct options *options, const struct option_given *given)
{
    options->plot = given->argument;
    if (gnuplot_can_draw(given->argument))
        return STATUS_OK;
    return option_refuse(given, "a file name that ends in .svg, .png or .pdf");
}

static enum status set_lanes(struct options *options, const struct option_given *given)
{
    uint64_t lanes = 0;
    enum status status = option_integer(given, 1, ENGINE_LANES_MOST, &lanes);
    if (status == STATUS_OK && lanes != 1 && lanes % 8 != 0)
        status = option_refuse(given, "1 or a multiple of 8 up to 64");
    options->lanes = (int)lanes;
    return status;
}

static enum status set_baseline(struct options *options, const struct option_given *given)
{
    double seconds;
    if (!units_parse_time(given->argument, 1.0, &seconds) || !(seconds > 0))
        return option_refuse(given, "a time above zero in seconds, or with a unit (ns us ms s min)");
    options->baseline = seconds;
    return STATUS_OK;
}

static enum status set_trace_replication(struct options *options, const struct option_given *given)
{
    static const char *const names[] = {
#define X(name) #name,
        REPLICATE_PICK_LIST(X)
#undef X
    };
    uint64_t number = 0;
    int chosen = PICK_median;
    enum status status;
    options->inspect.trace_numbered = isdigit((unsigned char)given->argument[0]);
    if (options->inspect.trace_numbered)
        status = option_integer(given, 0, UINT32_MAX, &number);
    else
        status = option_choice(given, sizeof names / sizeof *names, names, &chosen);
    options->inspect.trace_number = (uint32_t)number;
    options->inspect.trace_pick = (enum replicate_pick)chosen;
    return status;
}

static enum status set_engine(struct options *options, const struct option_given *given)
{
    const char *const words[] = {engine_name(ENGINE_LANES), engine_name(ENGINE_REFERENCE), engine_name(ENGINE_TIMED)};
    int chosen = 0;
    enum status status = option_choice(given, 3, words, &chosen);
    options->engine = (enum engine_kind)(ENGINE_LANES + chosen);
    return status;
}

static enum status set_word(const struct option_given *given, const char *first, const char *second, bool *is_second)
{
    const char *const words[] = {first, second};
    int chosen = 0;
    enum status status = option_choice(given, 2, words, &chosen);
    *is_second = chosen == 1;
    return status;
}

/* Ranks over nodes, and behind a colon over the sockets of one, as Slurm's --distribution has them. */
static enum status set_map(struct options *options, const struct option_given *given)
{
    static const char *const words[] = {"block", "cyclic", "block:block", "block:cyclic", "cyclic:block", "cyclic:cyclic"};
    static const struct predict_map maps[] = {
        {.cyclic = false},
        {.cyclic = true},
        {false, true, SOCKET_MAP_block},
        {false, true, SOCKET_MAP_cyclic},
        {true, true, SOCKET_MAP_block},
        {true, true, SOCKET_MAP_cyclic},
    };
    int chosen = 0;
    enum status status = option_choice(given, sizeof words / sizeof *words, words, &chosen);
    options->map = maps[chosen];
    return status;
}

static enum status set_number(struct options *options, const struct option_given *given)
{
    uint64_t value = 0;
    enum status status;
    if (given->number == OPTION_SEED) {
        status = option_integer(given, 0, UINT64_MAX, &value);
        options->seed = value;
    } else if (given->number == OPTION_WORK_OF) {
        status = option_integer(given, 0, UINT32_MAX, &value);
        options->same_work = true;
        options->work = (uint32_t)value;
    } else if (given->number == OPTION_THREADS) {
        status = option_integer(given, 1, 4096, &value);
        options->threads = (int)value;
    } else {
        status = option_integer(given, 1, 1u << 30, &value);
        options->replications = (uint32_t)value;
    }
    return status;
}

static enum status set_scale(struct parsing *parsing, const struct option_given *given)
{
    struct options *options = parsing->options;
    if (parsing->against && !parsing->scale_given)
        options->scale = SCALE_NONE;
    parsing->scale_given = true;
    return scale_parse(given->shown, given->argument, &options->scale, given->diags);
}

static enum status set_option(struct parsing *parsing, const struct option_given *given)
{
    struct options *options = parsing->options;
    enum status status = STATUS_OK;
    switch ((enum option_number)given->number) {
    case OPTION_MACHINE: options->machine = given->argument; break;
    case OPTION_PROCS: return set_procs(options, given);
    case OPTION_MAP: return set_map(options, given);
    case OPTION_DEFINE: return set_define(options, parsing->n_inherited, given);
    case OPTION_SCALE: return set_scale(parsing, given);
    case OPTION_MODE: return set_mode(options, given);
    case OPTION_CONTENTION: return set_contention(options, given);
    case OPTION_MEASURED: options->measured = given->argument; break;
    case OPTION_BASELINE: return set_baseline(options, given);
    case OPTION_MODEL: return set_model(options, given);
    case OPTION_MPI: return set_library(options, given);
    case OPTION_COLL: return set_word(given, "native", "optimised", &options->optimised);
    case OPTION_CONNECTED: options->connected = true; break;
    case OPTION_REPLICATIONS:
    case OPTION_SEED:
    case OPTION_WORK_OF:
    case OPTION_THREADS: return set_number(options, given);
    case OPTION_PRECISION:
        parsing->precision_given = true;
        return set_precision(options, given);
    case OPTION_FORMAT: return set_format(options, given);
    case OPTION_OUTPUT: options->output = given->argument; break;
    case OPTION_PLOT: return set_plot(options, given);
    case OPTION_PROFILE_OUTPUT: options->inspect.profile_path = given->argument; /* fall through */
    case OPTION_PROFILE: options->inspect.profile = true; break;
    case OPTION_TRACE: options->inspect.trace = given->argument; break;
    case OPTION_TRACE_REPLICATION: return set_trace_replication(options, given);
    case OPTION_PRINT: return set_print(options, given);
    case OPTION_CHECK: options->action = ACTION_CHECK; break;
    case OPTION_ENGINE:
        return set_engine(options, given);
    case OPTION_LANES: return set_lanes(options, given);
    case OPTION_CFLAGS: options->cflags = given->argument; break;
    case OPTION_QUIET: options->quiet = true; break;
    case OPTION_VERBOSE: options->verbose = true; break;
    case OPTION_HELP: options->action = ACTION_HELP; break;
    case OPTION_VERSION: options->action = ACTION_VERSION; break;
    }
    return status;
}

static enum status keep_first(enum status first, enum status next)
{
    return first != STATUS_OK ? first : next;
}

static enum status apply_option(void *context, const struct option_given *given)
{
    struct parsing *parsing = context;
    parsing->given |= UINT64_C(1) << given->number;
    return set_option(parsing, given);
}

/* What the options say together. */
static void check_options(const struct parsing *parsing, struct diags *diags)
{
    static const char *const doing[] = {[ACTION_PREDICT] = "a prediction", [ACTION_PRINT] = "--print",
                                        [ACTION_CHECK] = "--check"};
    const struct options *options = parsing->options;
    option_check_served(&predict_table, parsing->given, (int)options->action, doing[options->action], diags);
    if ((parsing->given >> OPTION_TRACE_REPLICATION & 1) && !options->inspect.trace)
        diag_error(diags, place_of_file(NULL), "--trace-replication says of which replication --trace FILE is, which is not "
                   "given");
    if (parsing->precision_given && options->replications > 0)
        diag_error(diags, place_of_file(NULL), "--replications and --precision exclude each other: give one");
    if (options->quiet && options->verbose)
        diag_error(diags, place_of_file(NULL), "--quiet and --verbose exclude each other: give one");
    if (options->inspect.profile && !options->inspect.profile_path && options->format == REPORT_csv)
        diag_error(diags, place_of_file(NULL), "--profile does not fit into a csv report: give --profile-output FILE");
}

/* All of it, and PROGRAM. */
static void add_file(struct options *options, const char *path)
{
    options->files = alloc_resize(options->files, options->n_files + 1, sizeof *options->files);
    options->files[options->n_files++] = path;
}

static enum status check_together(const struct parsing *parsing, int n, char *const words[], struct diags *diags)
{
    struct options *options = parsing->options;
    if (options->action == ACTION_HELP || options->action == ACTION_VERSION)
        return STATUS_OK;
    size_t errors = diags->n_errors;
    check_options(parsing, diags);
    if (n == 0)
        diag_error(diags, place_of_file(NULL), "no PROGRAM is given: pevpm-sim [OPTION]... PROGRAM (--help says more)");
    for (int i = 0; i < n; i++)
        add_file(options, words[i]);
    const char *const inputs[] = {options->machine, options->measured};
    int standard = 0;
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++)
        standard += inputs[i] && strcmp(inputs[i], "-") == 0;
    for (size_t i = 0; i < options->n_files; i++)
        standard += strcmp(options->files[i], "-") == 0;
    if (standard > 1)
        diag_error(diags, place_of_file(NULL), "standard input (-) can be read for one thing only");
    return diags->n_errors > errors ? STATUS_USAGE : STATUS_OK;
}

static enum status options_init(struct options *options, struct diags *diags)
{
    *options = (struct options){.models = {1, {"measured"}}, .baseline = NAN, .precision = 0.01, .seed = 1,
                                .scale = SCALE_NONE, .inspect = {.trace_pick = PICK_median}};
    return list_parse_modes("--mode", "distribution", &options->modes, diags);
}

enum status options_parse(struct options *options, int argc, char *argv[], struct diags *diags)
{
    struct parsing parsing = {.options = options};
    int first;
    enum status status = keep_first(patience_check(diags), options_init(options, diags));
    status = keep_first(status, option_read(&predict_table, argc, argv, apply_option, &parsing, &first, diags));
    return keep_first(status, check_together(&parsing, argc - first, argv + first, diags));
}

/* ---- compare ---- */

/* What the predictions of a side stand on, so that the other may differ in it. */
static bool is_of_a_side(int number)
{
    switch ((enum option_number)number) {
    case OPTION_MACHINE:
    case OPTION_PROCS:
    case OPTION_MAP:
    case OPTION_DEFINE:
    case OPTION_SCALE:
    case OPTION_MODE:
    case OPTION_CONTENTION:
    case OPTION_MODEL:
    case OPTION_CFLAGS:
    case OPTION_MPI:
    case OPTION_COLL: return true;
    default: return false;
    }
}

/* What compare takes for both sides. */
static bool is_of_both(int number)
{
    switch ((enum option_number)number) {
    case OPTION_REPLICATIONS:
    case OPTION_PRECISION:
    case OPTION_SEED:
    case OPTION_THREADS:
    case OPTION_FORMAT:
    case OPTION_OUTPUT:
    case OPTION_ENGINE:
    case OPTION_LANES:
    case OPTION_QUIET:
    case OPTION_VERBOSE:
    case OPTION_HELP:
    case OPTION_VERSION: return true;
    default: return false;
    }
}

static struct option_table compare_table(struct option_spec specs[N_OPTIONS])
{
    struct option_table table = {"pevpm-sim compare", 0, specs, NULL};
    for (size_t i = 0; i < N_OPTIONS; i++)
        if (is_of_a_side(option_specs[i].number) || is_of_both(option_specs[i].number))
            specs[table.n++] = option_specs[i];
    return table;
}

static enum status apply_to_side(void *context, const struct option_given *given)
{
    struct parsing *parsing = context;
    if (!parsing->against || is_of_a_side(given->number))
        return set_option(parsing, given);
    diag_error(given->diags, place_of_file(NULL), "%s holds for both sides: give it before --against", given->shown);
    return STATUS_USAGE;
}

/* Reads n words of the command line. programs [2]: what is no option; returns how many there are in *n_programs. */
static enum status read_part(struct parsing *parsing, int n, char *const words[], const char *programs[2],
                             int *n_programs, struct diags *diags)
{
    struct option_spec specs[N_OPTIONS];
    struct option_table table = compare_table(specs);
    char **line = alloc_zeroed((size_t)n + 2, sizeof *line), tool[] = "compare";
    int first;
    line[0] = tool;
    for (int i = 0; i < n; i++)
        line[i + 1] = words[i];
    enum status status = option_read(&table, n + 1, line, apply_to_side, parsing, &first, diags);
    *n_programs = n + 1 - first;
    for (int i = 0; i < 2 && i < *n_programs; i++)
        programs[i] = line[first + i];
    free(line);
    return status;
}

/* Lists of the two sides are gone through together; a list of one stays where it is. */
static void check_lengths(const char *what, size_t a, size_t b, struct diags *diags)
{
    if (a != b && a > 1 && b > 1)
        diag_error(diags, place_of_file(NULL), "%s: A has %zu and B has %zu: give as many for both, or one for one",
                   what, a, b);
}

/* Two programs without --against; one and what is different with it. n_b < 0: there is no --against. */
static void check_programs(struct options sides[2], int n_a, const char *const a[2], int n_b, const char *const b[2],
                           struct diags *diags)
{
    bool against = n_b >= 0;
    if (n_a == 0)
        diag_error(diags, place_of_file(NULL), "no PROGRAM is given: pevpm-sim compare [OPTION]... A B, or A --against "
                   "what is different for B (--help says more)");
    else if (!against && n_a == 1)
        diag_error(diags, place_of_file(NULL), "nothing to compare `%s` with: give a second PROGRAM, or --against and "
                   "what is different for B", a[0]);
    else if (n_a > (against ? 1 : 2) || n_b > 1)
        diag_error(diags, place_of_file(NULL), "two PROGRAMs are compared, found %d", n_a + (against ? n_b : 0));
    else {
        add_file(&sides[0], a[0]);
        add_file(&sides[1], !against ? a[1] : n_b == 1 ? b[0] : a[0]);
    }
    const char *const inputs[] = {n_a > 0 ? a[0] : NULL, against ? b[0] : a[1], sides[0].machine, sides[1].machine};
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++)
        if (inputs[i] && strcmp(inputs[i], "-") == 0)
            diag_error(diags, place_of_file(NULL), "compare reads files, not standard input (-)");
}

enum status options_parse_compare(struct options sides[2], int argc, char *argv[], struct diags *diags)
{
    struct parsing a = {.options = &sides[0]}, b = {.options = &sides[1]};
    struct diags said = DIAGS_EMPTY;
    const char *programs[2] = {NULL, NULL}, *others[2] = {NULL, NULL};
    int split = 1, n_a, n_b = -1;
    size_t errors = diags->n_errors;
    enum status status = keep_first(options_init(&sides[0], diags), options_init(&sides[1], diags));
    status = keep_first(status, patience_check(diags));
    while (split < argc && strcmp(argv[split], "--against") != 0)
        split++;
    status = keep_first(status, read_part(&a, split - 1, argv + 1, programs, &n_a, diags));
    read_part(&b, split - 1, argv + 1, programs, &n_a, &said); /* what is not said otherwise is the same for B */
    diags_free(&said);
    b.against = true;
    b.scale_given = false;
    b.n_inherited = sides[1].n_sweeps;
    if (split < argc)
        status = keep_first(status, read_part(&b, argc - split - 1, argv + split + 1, others, &n_b, diags));
    if (sides[0].action == ACTION_HELP || sides[0].action == ACTION_VERSION)
        return status;
    check_options(&a, diags);
    if (split == argc - 1)
        diag_error(diags, place_of_file(NULL), "--against: nothing is different for B");
    check_programs(sides, n_a, programs, n_b, others, diags);
    check_lengths("-n", sides[0].n_placements, sides[1].n_placements, diags);
    check_lengths("-M", sides[0].modes.n * sides[0].models.n, sides[1].modes.n * sides[1].models.n, diags);
    check_lengths("-D", sweep_combinations(sides[0].n_sweeps, sides[0].sweeps),
                  sweep_combinations(sides[1].n_sweeps, sides[1].sweeps), diags);
    return keep_first(status, diags->n_errors > errors ? STATUS_USAGE : STATUS_OK);
}

/* ---- judge ---- */

/* What judge takes; NULL: nothing of it. Else the option's help, which for two is another than a prediction's. */
static const char *judge_help(const struct option_spec *spec)
{
    switch ((enum option_number)spec->number) {
    case OPTION_MACHINE:
    case OPTION_CONTENTION:
    case OPTION_MPI:
    case OPTION_SEED:
    case OPTION_THREADS:
    case OPTION_QUIET:
    case OPTION_HELP:
    case OPTION_VERSION: return spec->help;
    case OPTION_FORMAT: return "text (default) | csv";
    case OPTION_REPLICATIONS: return "of each prediction, at least 2 (default 200)";
    case OPTION_OUTPUT: return "write the machine file with the model error there; may be that of -m";
    case OPTION_PROFILE: return "RUNS.csv holds profiles of pevpm-run: where are predictions wrong, line by line";
    default: return NULL;
    }
}

static struct option_table judge_table(struct option_spec specs[N_OPTIONS])
{
    struct option_table table = {"pevpm-sim judge", 0, specs, NULL};
    for (size_t i = 0; i < N_OPTIONS; i++) {
        const char *help = judge_help(&option_specs[i]);
        if (!help)
            continue;
        specs[table.n] = option_specs[i];
        specs[table.n++].help = help;
    }
    return table;
}

static void check_judge(const struct options *options, int n, char *const words[], struct diags *diags)
{
    if (n == 0)
        diag_error(diags, place_of_file(NULL),
                   "no RUNS.csv is given: pevpm-sim judge [OPTION]... RUNS.csv (--help says more)");
    if (n > 1)
        diag_error(diags, place_of_file(NULL), "one RUNS.csv is judged by, found `%s` and `%s`", words[0], words[1]);
    if ((n > 0 && strcmp(words[0], "-") == 0) || (options->machine && strcmp(options->machine, "-") == 0))
        diag_error(diags, place_of_file(NULL), "judge reads files, not standard input (-)");
    if (options->output && strcmp(options->output, "-") == 0)
        diag_error(diags, place_of_file(NULL), "-o: the machine file goes to a file, standard output gets the table");
    if (options->output && options->inspect.profile)
        diag_error(diags, place_of_file(NULL), "--profile finds no model error: it goes without -o");
    if (options->replications == 1)
        diag_error(diags, place_of_file(NULL), "-r 1: one replication has no spread, expected at least 2");
    if (options->format == REPORT_json)
        diag_error(diags, place_of_file(NULL), "-f json: judge writes text or csv");
}

enum status options_parse_judge(struct options *options, int argc, char *argv[], struct diags *diags)
{
    struct parsing parsing = {.options = options};
    struct option_spec specs[N_OPTIONS];
    struct option_table table = judge_table(specs);
    size_t errors = diags->n_errors;
    int first;
    enum status status = keep_first(patience_check(diags), options_init(options, diags));
    options->replications = JUDGE_REPLICATIONS;
    status = keep_first(status, option_read(&table, argc, argv, apply_option, &parsing, &first, diags));
    if (options->action == ACTION_HELP || options->action == ACTION_VERSION)
        return status;
    check_judge(options, argc - first, argv + first, diags);
    if (argc > first)
        add_file(options, argv[first]);
    return keep_first(status, diags->n_errors > errors ? STATUS_USAGE : STATUS_OK);
}

/* ---- convert ---- */

static struct option_table convert_table(struct option_spec specs[N_OPTIONS])
{
    struct option_table table = {"pevpm-sim convert", 0, specs, NULL};
    for (size_t i = 0; i < N_OPTIONS; i++)
        if (option_specs[i].number == OPTION_OUTPUT || option_specs[i].number == OPTION_HELP ||
            option_specs[i].number == OPTION_VERSION)
            specs[table.n++] = option_specs[i];
    return table;
}

enum status options_parse_convert(struct options *options, int argc, char *argv[], struct diags *diags)
{
    struct parsing parsing = {.options = options};
    struct option_spec specs[N_OPTIONS];
    struct option_table table = convert_table(specs);
    size_t errors = diags->n_errors;
    int first;
    enum status status = options_init(options, diags);
    status = keep_first(status, option_read(&table, argc, argv, apply_option, &parsing, &first, diags));
    if (options->action == ACTION_HELP || options->action == ACTION_VERSION)
        return status;
    if (argc - first != 1)
        diag_error(diags, place_of_file(NULL),
                   "%s: pevpm-sim convert [-o FILE] MACHINE.yaml (--help says more)",
                   argc > first ? "one machine file is rewritten at a time" : "no MACHINE.yaml is given");
    options->machine = argc > first ? argv[first] : NULL;
    return keep_first(status, diags->n_errors > errors ? STATUS_USAGE : STATUS_OK);
}

void options_free(struct options *options)
{
    mode_list_free(&options->modes);
    for (size_t i = 0; i < options->n_sweeps; i++)
        sweep_free(&options->sweeps[i]);
    free(options->sweeps);
    free(options->placements);
    free(options->ranks);
    free(options->files);
    *options = (struct options){0};
}

void options_print_version(FILE *out)
{
    option_print_version("pevpm-sim", out);
}

void options_print_help(FILE *out)
{
    fprintf(out,
            "pevpm-sim [OPTION]... PROGRAM...\n"
            "pevpm-sim compare ...         two programs, machines or sets of parameters side by side: compare --help\n"
            "pevpm-sim judge ...           how far predictions are from measured runs: judge --help\n"
            "pevpm-sim convert ...         a machine file in the newest format: convert --help\n"
            "pevpm-sim decide ...          which collectives libpevpm-coll should carry out: decide --help\n"
            "Predicts how an MPI program will run, from its source with PEVPM directives and a machine file.\n"
            "PROGRAM: its files, with directives, or a folder or a compile_commands.json; all that is named is one\n"
            "program. - reads standard input. Under mpirun the replications are spread over the ranks and the numbers\n"
            "are the same.\n\n");
    option_print(&predict_table, out);
    fputs("\nExit codes: 0 done; 1 a predicted deadlock; 2 wrong usage; 3 bad input; 4 the system failed (file, MPI),\n"
          "or the run was interrupted.\n", out);
}

void options_print_compare_help(FILE *out)
{
    struct option_spec specs[N_OPTIONS];
    struct option_table table = compare_table(specs);
    fputs("pevpm-sim compare [OPTION]... A B\n"
          "pevpm-sim compare [OPTION]... A --against [OPTION]... [B]\n"
          "Predicts two programs, or one on two machines or with two sets of parameters, with the same random\n"
          "numbers, and says how much they differ. Each is a file, a folder or a compile_commands.json. What stands\n"
          "before --against holds for both sides, what stands after it for B, instead of A's. Lists (-n, -M, values\n"
          "of -D) are gone through together.\n\n"
          "  pevpm-sim compare -m cluster.yaml -n 16 old.c new.c\n"
          "  pevpm-sim compare -m cluster.yaml -n 2..64*2 jacobi.c --against -m faster.yaml\n"
          "  pevpm-sim compare -m cluster.yaml -n 16 jacobi.c --against -D xsize=512 --scale gap=0.1,serial=2\n\n",
          out);
    option_print(&table, out);
    fputs("\nAfter --against: -m -n --map -D --scale -M --contention --model --mpi --coll. --precision is the 95 %\n"
          "confidence half-width of the difference, as a part of A's mean.\n", out);
}

void options_print_judge_help(FILE *out)
{
    struct option_spec specs[N_OPTIONS];
    struct option_table table = judge_table(specs);
    fputs("pevpm-sim judge [OPTION]... RUNS.csv\n"
          "pevpm-sim judge [OPTION]... --profile PROFILE.csv\n"
          "Predicts measured runs and says how far off the predictions are; with -o the machine file knows it from\n"
          "then on, and p5 and p95 of predictions hold it. RUNS.csv has a header and the columns program (a source\n"
          "with directives, a folder or a compile_commands.json), params (NAME=NUMBER, spaces between), numprocs and\n"
          "seconds; nodes and ppn (processes on each) where there was not one process to a node; seed, launch, run\n"
          "and runs where pevpm-run wrote what computations drew. Others are ignored. Lines of the same program, params and\n"
          "placement are launches: their median counts. At least 5 runs.\n\n"
          "  pevpm-sim judge -m cluster.yaml -o cluster.yaml runs.csv\n"
          "  pevpm-sim judge -m cluster.yaml --profile profile.csv\n\n",
          out);
    option_print(&table, out);
}

void options_print_convert_help(FILE *out)
{
    struct option_spec specs[N_OPTIONS];
    struct option_table table = convert_table(specs);
    fputs("pevpm-sim convert [-o FILE] MACHINE.yaml\n"
          "Writes the machine file in the newest format: `ports` become `resources`. It means the same. Comments are\n"
          "lost. - reads standard input.\n\n"
          "  pevpm-sim convert -o cluster.yaml cluster.yaml\n\n",
          out);
    option_print(&table, out);
}
