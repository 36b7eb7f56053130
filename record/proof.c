#include "record/proof.h"

#include "directives/fold.h"
#include "directives/tree.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* What fit_names.source is, in a proof. */
#define SOURCE_VALUE (INT64_MIN + 3000003)

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Does a name stand at `at` as a whole word: procnum, procnum_in(comm1)? */
static bool is_named(const char *text, const char *at, const char *name)
{
    const size_t n = strlen(name);
    return strncmp(at, name, n) == 0 && !(at > text && is_word(at[-1])) && !(is_word(name[n - 1]) && is_word(at[n]));
}

bool proof_names(const char *text, const char *name)
{
    for (const char *at = text; *at; at++)
        if (is_named(text, at, name))
            return true;
    return false;
}

/* The text with `to` in place of what `is_there` finds. Yours to free. */
static char *text_replace(const char *text, const char *from, const char *to,
                          bool (*is_there)(const char *text, const char *at, const char *what))
{
    const size_t n = strlen(from);
    char *replaced = alloc_array(strlen(text) + 1, strlen(to) + 1), *end = replaced;
    for (const char *at = text; *at;) {
        if (!is_there(text, at, from)) {
            *end++ = *at++;
            continue;
        }
        end = stpcpy(end, to);
        at += n;
    }
    *end = '\0';
    return replaced;
}

/* What stands for how often a loop goes round, whose formula may have names that nothing is known of here. */
static const char *const rounds[FIT_LOOPS] = {"trips_of_loop1", "trips_of_loop2", "trips_of_loop3", "trips_of_loop4", "trips_of_loop5", "trips_of_loop6", "trips_of_loop7", "trips_of_loop8"};

/* Does a test stand at `at`, as a whole: begins what is in parentheses or behind an operator of truth, and ends there likewise? */
static bool is_test(const char *text, const char *at, const char *test)
{
    if (!is_named(text, at, test) || !(at == text || at[-1] == '(' || (at[-1] == ' ' && at - text >= 2 && strchr("&|?:", at[-2]))))
        return false;
    const char *end = at + strlen(test);
    return *end == '\0' || *end == ')' || (*end == ' ' && end[1] != '\0' && strchr("&|?:", end[1]));
}

/* The text in which tests of a loop's last trip, `i == TRIPS-1`, have what stands for TRIPS. The same letters elsewhere are none:
 * 2*P-1 is not twice the P-1 times that a loop goes round. */
static char *without_trips(const char *text, const struct fit_names *names)
{
    char *left = alloc_string(text);
    for (int i = 0; i < names->n_loops && names->trips; i++) {
        if (!names->trips[i] || strspn(names->trips[i], "0123456789") == strlen(names->trips[i]))
            continue;
        char *before = left, *test = alloc_format("%s == %s-1", names->loop[i], names->trips[i]);
        char *renamed = alloc_format("%s == %s-1", names->loop[i], rounds[i]);
        left = text_replace(before, test, renamed, is_test);
        free(before);
        free(test);
        free(renamed);
    }
    return left;
}

/* The directive that says the text. */
static struct source *source_of(const char *text, const struct fit_names *names)
{
    char *trips = without_trips(text, names), *ranks = text_replace(trips, names->procnum, "procnum", is_named);
    char *counts = text_replace(ranks, names->numprocs, "numprocs", is_named), *directive = alloc_format("Set proven = %s\n", counts);
    free(trips);
    struct source *source = source_from_text("proof.pevpm", directive, strlen(directive));
    free(directive);
    free(counts);
    free(ranks);
    return source;
}

/* All names but procnum and numprocs are parameters: loops and their trips, parameters, the sender, whatever MPI_ANY_... is called. */
static size_t define(const struct fit_names *names, struct definition definitions[])
{
    size_t n = 0;
    for (int i = 0; i < names->n_loops; i++)
        definitions[n++].name = names->loop[i];
    for (int i = 0; i < names->n_loops; i++)
        definitions[n++].name = rounds[i];
    for (int i = 0; i < names->n_params; i++)
        definitions[n++].name = names->param[i];
    definitions[n++].name = names->source;
    if (strncmp(names->any, "MPI_", 4) != 0)
        definitions[n++].name = names->any;
    for (size_t i = 0; i < n; i++)
        definitions[i].value = value_int(0);
    return n;
}

/* Of a parameter, in a sample. */
static int64_t parameter_value(const char *name, const struct fit_sample *sample, const struct fit_names *names)
{
    for (int i = 0; i < names->n_loops; i++)
        if (strcmp(name, names->loop[i]) == 0)
            return sample->index[i];
    for (int i = 0; i < names->n_loops; i++)
        if (strcmp(name, rounds[i]) == 0)
            return sample->trips[i];
    for (int i = 0; i < names->n_params; i++)
        if (strcmp(name, names->param[i]) == 0)
            return names->values[i][sample->recording];
    return strcmp(name, names->source) == 0 ? SOURCE_VALUE : VALUE_WILDCARD;
}

static bool sample_agrees(struct scope *scope, struct value parameters[], const struct tree *tree, bool condition,
                          const struct fit_sample *sample, const struct fit_names *names)
{
    const int64_t wanted = sample->value == FIT_NULL ? VALUE_PROC_NULL : sample->value == FIT_ANY ? VALUE_WILDCARD
                         : sample->value == FIT_SOURCE ? SOURCE_VALUE : sample->value;
    struct folded folded;
    int64_t value;
    scope->process = sample->procnum;
    scope->numprocs = scope->nodes = sample->numprocs;
    for (size_t i = 0; i < tree->n_parameters; i++)
        parameters[i] = value_int(parameter_value(tree->parameters[i].name, sample, names));
    scope_fold(scope, tree->program.first->set.value, &folded);
    if (folded.kind != FOLD_KNOWN)
        return false;
    if (condition)
        return value_is_true(folded.value) == (sample->value != 0);
    return value_as_integer(folded.value, &value) && value == wanted;
}

bool proof_holds(const char *text, bool condition, size_t n, const struct fit_sample samples[], const struct fit_names *names)
{
    struct definition *definitions = alloc_zeroed((size_t)(2 * names->n_loops + names->n_params) + 2, sizeof *definitions);
    struct source *source = source_of(text, names);
    struct diags diags = DIAGS_EMPTY;
    struct tree *tree;
    bool holds = tree_parse(&tree, source, define(names, definitions), definitions, &diags) == STATUS_OK;
    if (holds) {
        struct value *parameters = alloc_zeroed(tree->n_parameters + 1, sizeof *parameters);
        struct known *variables = alloc_zeroed(tree->n_variables + 1, sizeof *variables);
        struct scope scope = {.parameters = parameters, .variables = variables, .ppn = 1, .partner = -1};
        for (size_t i = 0; i < n && holds; i++)
            holds = sample_agrees(&scope, parameters, tree, condition, &samples[i], names);
        scope_free(&scope);
        free(variables);
        free(parameters);
        tree_destroy(tree);
    }
    diags_free(&diags);
    source_destroy(source);
    free(definitions);
    return holds;
}
