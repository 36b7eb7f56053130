#include "survey/options.h"

#include "common/option.h"
#include "common/suggest.h"
#include "common/units.h"
#include "survey/measuring.h"

#include <stdlib.h>
#include <string.h>

enum option_number {
#define X(NAME, letter, name, argument, help) OPTION_##NAME,
    SURVEY_OPTION_LIST(X)
#undef X
};
static const struct option_spec option_specs[] = {SURVEY_OPTION_LIST(OPTION_SPEC)};
static const struct option_table table = {"pevpm-estimate", sizeof option_specs / sizeof *option_specs, option_specs,
                                          "mpirun -n P pevpm-estimate"};

static enum status set_models(struct survey_options *options, const struct option_given *given)
{
    static const char *const names[] = {
#define X(name, given_, formulas) #name,
        ANALYTICAL_LIST(X)
#undef X
        MANY_TO_ONE
    };
    enum { N_NAMES = sizeof names / sizeof *names };
    bool wanted[N_NAMES] = {false};
    for (const char *at = given->argument; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        size_t n = strcspn(at, ","), i = 0;
        while (i < N_NAMES && !(strlen(names[i]) == n && memcmp(names[i], at, n) == 0))
            i++;
        if (i == N_NAMES) {
            const char *meant = suggest_name(at, n, names, N_NAMES);
            diag_error(given->diags, place_of_file(NULL), "%s: no model `%.*s`%s%s%s", given->shown, (int)n, at,
                       meant ? ", did you mean `" : "; --help lists them", meant ? meant : "", meant ? "`?" : "");
            return STATUS_USAGE;
        }
        wanted[i] = true;
    }
    memcpy(options->models, wanted, sizeof options->models);
    options->many_to_one = wanted[N_FITTINGS];
    options->models[FITTING_lmo] = wanted[FITTING_lmo] || options->many_to_one; /* it stands on LMO's parameters */
    return STATUS_OK;
}

static enum status set_precision(struct survey_options *options, const struct option_given *given)
{
    char *end;
    double value = strtod(given->argument, &end);
    if (end == given->argument || *end || !(value > 0 && value < 1))
        return option_refuse(given, "a number between 0 and 1, such as 0.025");
    options->rule.precision = value;
    return STATUS_OK;
}

static enum status set_gap(struct survey_options *options, const struct option_given *given)
{
    static const char *const ways[] = {"indirect", "direct"};
    int chosen = 0;
    enum status status = option_choice(given, 2, ways, &chosen);
    options->wish.direct_gap = chosen == 1;
    return status;
}

static enum status set_hockney(struct survey_options *options, const struct option_given *given)
{
    static const char *const ways[] = {"series", "regression"};
    int chosen = 0;
    enum status status = option_choice(given, 2, ways, &chosen);
    options->wish.regression = chosen == 1;
    return status;
}

/* What is read, and which options were there. */
struct reading {
    struct survey_options *options;
    bool given[sizeof option_specs / sizeof *option_specs];
};

/* Those who alone look at an option; NULL: they are there, or all look at it. */
static const char *missed_by(const struct survey_options *options, enum option_number number)
{
    const bool *models = options->models;
    switch (number) {
    case OPTION_BUDGET:
    case OPTION_REST:
    case OPTION_LARGEST: return options->many_to_one ? NULL : MANY_TO_ONE;
    case OPTION_MESSAGES:
        return models[FITTING_logp] || models[FITTING_loggp] || models[FITTING_plogp] ? NULL : "logp, loggp and plogp";
    case OPTION_HOCKNEY: return models[FITTING_hockney] ? NULL : "hockney";
    case OPTION_GAP: return models[FITTING_plogp] ? NULL : "plogp";
    default: return NULL;
    }
}

/* An option that would change nothing is refused: who gives --budget expects an end. */
static enum status uses_check(const struct reading *reading, struct diags *diags)
{
    const struct survey_options *options = reading->options;
    for (size_t i = 0; i < table.n; i++) {
        const char *by = reading->given[i] ? missed_by(options, (enum option_number)i) : NULL;
        if (by) {
            diag_error(diags, place_of_file(NULL), "--%s is for %s, which --models does not name", option_specs[i].name,
                       by);
            return STATUS_USAGE;
        }
    }
    if (options->name && options->machine) {
        diag_error(diags, place_of_file(NULL), "--name is for a new file: that of -m keeps its own");
        return STATUS_USAGE;
    }
    if (options->resume && options->machine && strcmp(options->machine, options->output) != 0) {
        diag_error(diags, place_of_file(NULL), "--resume goes on with the file of -o, and -m names another");
        return STATUS_USAGE;
    }
    if (options->resume && options->name) {
        diag_error(diags, place_of_file(NULL), "--name is for a new file: that of --resume keeps its own");
        return STATUS_USAGE;
    }
    return STATUS_OK;
}

static enum status apply(void *context, const struct option_given *given)
{
    struct reading *reading = context;
    struct survey_options *options = reading->options;
    enum status status = STATUS_OK;
    uint64_t number = 0;
    reading->given[given->number] = true;
    switch ((enum option_number)given->number) {
    case OPTION_OUTPUT: options->output = given->argument; break;
    case OPTION_MACHINE: options->machine = given->argument; break;
    case OPTION_NAME: options->name = given->argument; break;
    case OPTION_MODELS: return set_models(options, given);
    case OPTION_BUDGET:
        return units_parse_time(given->argument, 1, &options->flat.budget) && options->flat.budget > 0
                   ? STATUS_OK : option_refuse(given, "a time above zero in seconds, or with a unit (ms s min)");
    case OPTION_REST:
        return units_parse_time(given->argument, 1, &options->flat.rest) && options->flat.rest >= 0 &&
                       options->flat.rest <= FLAT_REST_MOST
                   ? STATUS_OK
                   : option_refuse(given, "a time from 0 to 1 s, such as 50ms");
    case OPTION_LARGEST:
        return units_parse_bytes(given->argument, FLAT_LARGEST_MOST, &options->flat.largest) &&
                       options->flat.largest >= FLAT_LARGEST_LEAST
                   ? STATUS_OK : option_refuse(given, "a size of 16 bytes to 16M, such as 128k");
    case OPTION_BYTES:
        return units_parse_bytes(given->argument, MEASURING_BYTES_MOST, &options->wish.bytes) && options->wish.bytes > 1
                   ? STATUS_OK : option_refuse(given, "a size of 2 bytes to 1024M, such as 8k");
    case OPTION_MESSAGES:
        status = option_integer(given, 2, MEASURING_MESSAGES_MOST, &number);
        options->wish.messages = (int)number;
        return status;
    case OPTION_HOCKNEY: return set_hockney(options, given);
    case OPTION_GAP: return set_gap(options, given);
    case OPTION_REPETITIONS:
        status = option_integer(given, MEASURING_REPETITIONS_LEAST, MEASURING_REPETITIONS_MOST, &number);
        options->rule.maximum = number;
        return status;
    case OPTION_PRECISION: return set_precision(options, given);
    case OPTION_EVERY_PROCESS: options->every_process = true; break;
    case OPTION_ALONE: options->alone = true; break;
    case OPTION_RESUME: options->resume = true; break;
    case OPTION_QUIET: options->quiet = true; break;
    case OPTION_HELP: options->action = SURVEY_HELP; break;
    case OPTION_VERSION: options->action = SURVEY_VERSION; break;
    }
    return STATUS_OK;
}

enum status survey_options_parse(struct survey_options *options, int argc, char *argv[], struct diags *diags)
{
    int first;
    struct reading reading = {.options = options};
    *options = (struct survey_options){.wish = MEASURING_WISH, .flat = FLAT_WISH,
                                       .rule = measuring_rule()};
    options->models[FITTING_hockney] = options->models[FITTING_lmo] = true;
    enum status status = option_read(&table, argc, argv, apply, &reading, &first, diags);
    if (status != STATUS_OK || options->action != SURVEY_MEASURE)
        return status;
    if (first < argc)
        diag_error(diags, place_of_file(NULL), "found `%s` behind the options, where nothing is expected", argv[first]);
    else if (!options->output)
        diag_error(diags, place_of_file(NULL), "no machine file to write: give -o FILE");
    else
        return uses_check(&reading, diags);
    return STATUS_USAGE;
}

void survey_options_help(FILE *out)
{
    fputs("mpirun -n N pevpm-estimate -o FILE [OPTION]...\n"
          "Estimates the parameters of analytical models of message times and writes them into a machine file. One\n"
          "process of each node takes part; LMO wants at least 3 nodes, the others 2.\n\n", out);
    option_print(&table, out);
    fputs("\nExit codes: 0 done; 2 wrong usage; 3 bad input; 4 the system failed (file, MPI, a process that died).\n",
          out);
}
