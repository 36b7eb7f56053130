#include "run/options.h"

#include "cli/lists.h"
#include "common/alloc.h"
#include "common/option.h"
#include "common/units.h"

#include <stdlib.h>
#include <string.h>

enum option_number {
#define X(NAME, letter, name, argument, help) OPTION_##NAME,
    RUN_OPTION_LIST(X)
#undef X
};

static const struct option_spec option_specs[] = {RUN_OPTION_LIST(OPTION_SPEC)};
static const struct option_table table = {"pevpm-run", sizeof option_specs / sizeof *option_specs, option_specs,
                                          "mpirun -n P pevpm-run"};

enum { RUNS_MOST = 1000000 };
static const int64_t TOUCH_MOST = INT64_C(1) << 40;

static enum status set_define(struct run_options *options, const struct option_given *given)
{
    struct sweep sweep = {0};
    enum status status = list_parse_sweep(given->shown, given->argument, &sweep, given->diags);
    if (status != STATUS_OK)
        return status;
    for (size_t i = 0; i < options->n_sweeps && status == STATUS_OK; i++)
        if (strcmp(options->sweeps[i].name, sweep.name) == 0)
            status = STATUS_USAGE;
    if (status != STATUS_OK) {
        diag_error(given->diags, place_of_file(NULL), "-D %s is given twice", sweep.name);
        sweep_free(&sweep);
    } else if (sweep.n > 1) {
        status = option_refuse(given, "one value: each run of the program has its own");
        sweep_free(&sweep);
    } else {
        options->sweeps =
            alloc_grow(options->sweeps, options->n_sweeps, &options->sweeps_capacity, sizeof *options->sweeps);
        options->sweeps[options->n_sweeps++] = sweep;
    }
    return status;
}

static enum status set_number(const struct option_given *given, uint64_t least, uint64_t most, uint64_t *number)
{
    return option_integer(given, least, most, number);
}

static enum status set_runs(struct run_options *options, const struct option_given *given)
{
    uint64_t runs = options->runs;
    enum status status = set_number(given, 1, RUNS_MOST, &runs);
    options->runs = (uint32_t)runs;
    return status;
}

static enum status set_map(struct run_options *options, const struct option_given *given)
{
    static const char *const words[] = {"block", "cyclic"};
    int chosen = 0;
    enum status status = option_choice(given, 2, words, &chosen);
    options->map = chosen == 0 ? MAP_BLOCK : MAP_CYCLIC;
    return status;
}

static enum status set_serial(struct run_options *options, const struct option_given *given)
{
    static const char *const words[] = {
#define X(name, what) #name,
        WORK_LIST(X)
#undef X
    };
    int chosen = 0;
    enum status status = option_choice(given, sizeof words / sizeof *words, words, &chosen);
    options->work.kind = (enum work_kind)chosen;
    return status;
}

static enum status set_random(struct run_options *options, const struct option_given *given)
{
    const char *words[N_INVENT_KINDS + 1];
    int chosen = 0;
    for (int kind = 0; kind < N_INVENT_KINDS; kind++)
        words[kind] = invent_kind_name((enum invent_kind)kind);
    words[N_INVENT_KINDS] = "all";
    enum status status = option_choice(given, N_INVENT_KINDS + 1, words, &chosen);
    options->random = true;
    options->all_kinds = chosen == N_INVENT_KINDS;
    options->kind = options->all_kinds ? 0 : (enum invent_kind)chosen;
    return status;
}

static enum status set_touch(struct run_options *options, const struct option_given *given)
{
    if (units_parse_bytes(given->argument, TOUCH_MOST, &options->work.touch))
        return STATUS_OK;
    return option_refuse(given, "bytes, such as 65536, 64k or 8M");
}

static enum status set_timeout(struct run_options *options, const struct option_given *given)
{
    if (units_parse_time(given->argument, 1.0, &options->timeout) && options->timeout > 0)
        return STATUS_OK;
    return option_refuse(given, "a time above zero in seconds, or with a unit (ns us ms s min)");
}

static enum status apply_option(void *context, const struct option_given *given)
{
    struct run_options *options = context;
    switch ((enum option_number)given->number) {
    case OPTION_MACHINE: options->machine = given->argument; break;
    case OPTION_MAP: return set_map(options, given);
    case OPTION_DEFINE: return set_define(options, given);
    case OPTION_RUNS: return set_runs(options, given);
    case OPTION_SEED: return set_number(given, 0, UINT64_MAX, &options->seed);
    case OPTION_SERIAL: return set_serial(options, given);
    case OPTION_TOUCH: return set_touch(options, given);
    case OPTION_OUTPUT: options->output = given->argument; break;
    case OPTION_APPEND: options->append = true; break;
    case OPTION_LAUNCH: return set_number(given, 1, UINT64_MAX, &options->launch);
    case OPTION_PROFILE: options->profile = true; break;
    case OPTION_PROFILE_OUTPUT: options->profile = true; options->profile_output = given->argument; break;
    case OPTION_VERIFY: options->verify = true; break;
    case OPTION_RANDOM: return set_random(options, given);
    case OPTION_PROGRAMS: return set_number(given, 1, UINT32_MAX, &options->programs);
    case OPTION_PRINT: options->action = options->action == RUN_EXECUTE ? RUN_PRINT : options->action; break;
    case OPTION_TIMEOUT: return set_timeout(options, given);
    case OPTION_CFLAGS: options->cflags = given->argument; break;
    case OPTION_QUIET: options->quiet = true; break;
    case OPTION_HELP: options->action = RUN_HELP; break;
    case OPTION_VERSION: options->action = RUN_VERSION; break;
    }
    return STATUS_OK;
}

/* --print runs nothing: results that would not come are refused, and values that the program it writes would not have. */
static void check_print(const struct run_options *options, struct diags *diags)
{
    const struct {
        bool given;
        const char *name;
    } results[] = {{options->output != NULL, "-o"}, {options->append, "--append"}, {options->verify, "--verify"},
                   {options->profile && !options->profile_output, "--profile"},
                   {options->profile_output != NULL, "--profile-output"}};
    for (size_t i = 0; i < sizeof results / sizeof *results; i++)
        if (results[i].given)
            diag_error(diags, place_of_file(NULL), "--print writes a program and runs nothing: it goes without %s",
                       results[i].name);
    if (options->n_sweeps > 0)
        diag_error(diags, place_of_file(NULL), "--print writes the program as it is, whose parameters are given when it is run: it "
                   "goes without -D");
}

static void check_files(const struct run_options *options, struct diags *diags)
{
    const char *output = options->output, *profile = options->profile_output;
    const bool into_file = (output && strcmp(output, "-") != 0) || (profile && strcmp(profile, "-") != 0);
    if (options->append && !into_file)
        diag_error(diags, place_of_file(NULL), "--append needs a file to add to: -o FILE, or --profile-output FILE");
    if (output && profile && strcmp(output, profile) == 0)
        diag_error(diags, place_of_file(NULL), "-o and --profile-output are the same file, %s: runs and profiles have other columns",
                   output);
    if (profile && options->programs > 1)
        diag_error(diags, place_of_file(NULL), "--profile-output is of one program, not of %llu",
                   (unsigned long long)options->programs);
}

/* What the options say together, and the words that are no options. */
static enum status check_together(struct run_options *options, int n, char *const words[], struct diags *diags)
{
    if (options->action == RUN_HELP || options->action == RUN_VERSION)
        return STATUS_OK;
    size_t errors = diags->n_errors;
    if (options->random && n > 0)
        diag_error(diags, place_of_file(NULL), "--random makes the program: `%s` is one too many", words[0]);
    else if (options->random)
        options->names = NULL;
    else if (options->action == RUN_PRINT || options->programs > 1)
        diag_error(diags, place_of_file(NULL), "--print and --programs belong to --random");
    else if (n == 0 && errors == 0)
        diag_error(diags, place_of_file(NULL), "no program is given: mpirun -n P pevpm-run [OPTION]... PROGRAM");
    else {
        options->names = words;
        options->programs = (uint64_t)n;
    }
    if (options->action == RUN_PRINT)
        check_print(options, diags);
    else
        check_files(options, diags);
    if (options->launch - 1 > UINT32_MAX / options->runs)
        diag_error(diags, place_of_file(NULL), "--launch %llu with --runs %u asks for more replications than there are",
                   (unsigned long long)options->launch, options->runs);
    if (options->work.touch > 0 && options->work.kind != WORK_spin)
        diag_error(diags, place_of_file(NULL), "--touch belongs to --serial spin");
    if (options->verify && (options->output || options->profile) && options->action != RUN_PRINT)
        diag_error(diags, place_of_file(NULL),
                   "--verify makes messages longer under way: its times are no result, so it "
                   "goes without -o and --profile");
    return diags->n_errors > errors ? STATUS_USAGE : STATUS_OK;
}

enum status run_options_parse(struct run_options *options, int argc, char *argv[], struct diags *diags)
{
    *options = (struct run_options){.runs = 1, .seed = 1, .launch = 1, .programs = 1};
    int first;
    enum status status = option_read(&table, argc, argv, apply_option, options, &first, diags);
    enum status together = check_together(options, argc - first, argv + first, diags);
    return status != STATUS_OK ? status : together;
}

void run_options_free(struct run_options *options)
{
    for (size_t i = 0; i < options->n_sweeps; i++)
        sweep_free(&options->sweeps[i]);
    free(options->sweeps);
    *options = (struct run_options){.names = NULL};
}

void run_options_help(FILE *out)
{
    fprintf(out, "mpirun -n P pevpm-run [OPTION]... PROGRAM...\n"
                 "mpirun -n P pevpm-run [OPTION]... --random KIND [--seed K] [--programs N]\n"
                 "pevpm-run --random KIND [--seed K] --print\n"
                 "Executes the directives of each PROGRAM (an annotated source or a .pevpm file) on MPI and times it.\n\n");
    option_print(&table, out);
    fprintf(out, "\nExit codes: 0 done; 1 a deadlock, or what --verify has found; 2 wrong usage; 3 bad input;\n"
                 "4 the system failed (file, memory, MPI), or the user stopped it.\n");
}
