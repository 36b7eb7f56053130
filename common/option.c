#include "common/option.h"

#include "common/alloc.h"
#include "common/outfile.h"
#include "common/suggest.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

/* Long options are known to getopt by numbers above all letters: this and the index into the table. */
enum { LONG_FIRST = 256 };
enum { LETTERS_BYTES = 2 * OPTION_SPECS_MOST + sizeof ":n::" };

enum status option_refuse(const struct option_given *given, const char *expected)
{
    diag_error(given->diags, place_of_file(NULL), "%s %s: expected %s", given->shown, given->argument, expected);
    return STATUS_USAGE;
}

void option_note_flag(const char *flag, const char *which, struct diags *diags)
{
    diag_note(diags, place_of_file(NULL), "%s takes no file: %s does", flag, which);
}

enum status option_choice(const struct option_given *given, size_t n, const char *const words[], int *chosen)
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

enum status option_integer(const struct option_given *given, uint64_t least, uint64_t most, uint64_t *value)
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
    return option_refuse(given, expected);
}

/* What getopt could not make sense of: `answer`, a letter or LONG_FIRST and more; or, where that is 0, the long option
 * `word`. */
static enum status unknown_option(const struct option_table *table, const char *word, int answer, struct diags *diags)
{
    const char *names[OPTION_SPECS_MOST];
    size_t n = answer == 0 ? strcspn(word + 2, "=") : 0, same = 0;
    for (size_t i = 0; i < table->n; i++) {
        names[i] = table->specs[i].help ? table->specs[i].name : NULL;
        same += n > 0 && strncmp(table->specs[i].name, word + 2, n) == 0;
    }
    const char *meant = n > 0 ? suggest_name(word + 2, n, names, table->n) : NULL;
    if (answer >= LONG_FIRST)
        diag_error(diags, place_of_file(NULL), "--%s takes no argument", table->specs[answer - LONG_FIRST].name);
    else if (same > 1)
        diag_error(diags, place_of_file(NULL), "option `%.*s` may be any of %zu options: write more of its name",
                   (int)n + 2, word, same);
    else if (n == 0)
        diag_error(diags, place_of_file(NULL), "unknown option `-%c`; %s --help lists all", answer, table->tool);
    else if (meant)
        diag_error(diags, place_of_file(NULL), "unknown option `%.*s`, did you mean `--%s`?", (int)n + 2, word, meant);
    else
        diag_error(diags, place_of_file(NULL), "unknown option `%.*s`; %s --help lists all", (int)n + 2, word,
                   table->tool);
    return STATUS_USAGE;
}

/* Is -n no option of this tool, but one of the launcher that starts it? */
static bool is_launched(const struct option_table *table)
{
    size_t i = 0;
    while (i < table->n && table->specs[i].letter != 'n')
        i++;
    return table->launched && i == table->n;
}

/* Has getopt come to -n, -np or --np, with a number behind it or not? As it is to be shown; NULL: no. */
static const char *launchers_option(const struct option_table *table, const char *word, int answer)
{
    if (!is_launched(table))
        return NULL;
    if (answer == 'n')
        return optarg && *optarg == 'p' ? "-np" : "-n";
    return answer == '?' && optopt == 0 && strncmp(word, "--np", 4) == 0 && strchr("=", word[4]) ? "--np" : NULL;
}

/* One error of it, with the number that stands behind it. */
static enum status refuse_launchers(const struct option_table *table, const char *shown, int argc, char *argv[],
                                    struct diags *diags)
{
    diag_error(diags, place_of_file(NULL), "unknown option `%s`: how many processes there are the launcher is told, `%s`", shown,
               table->launched);
    if (optind < argc && *argv[optind] && argv[optind][strspn(argv[optind], "0123456789")] == '\0')
        optind++;
    return STATUS_USAGE;
}

/* The option that getopt's answer stands for: a letter, or LONG_FIRST and more. */
static const struct option_spec *spec_of(const struct option_table *table, int answer)
{
    size_t i = answer >= LONG_FIRST ? (size_t)(answer - LONG_FIRST) : 0;
    while (answer < LONG_FIRST && table->specs[i].letter != answer)
        i++;
    return &table->specs[i];
}

static enum status missing_argument(const struct option_table *table, int answer, struct diags *diags)
{
    const struct option_spec *spec = spec_of(table, answer);
    diag_error(diags, place_of_file(NULL), "--%s needs an argument: %s", spec->name, spec->argument);
    return STATUS_USAGE;
}

static int has_argument(const struct option_spec *spec)
{
    return !spec->argument ? no_argument : spec->argument[0] == '[' ? optional_argument : required_argument;
}

/* The tables that getopt wants. */
static void fill_getopt(const struct option_table *table, struct option long_options[OPTION_SPECS_MOST + 1],
                        char letters[LETTERS_BYTES])
{
    char *end = letters;
    *end++ = ':'; /* tell a missing argument from an unknown option */
    for (size_t i = 0; i < table->n; i++) {
        const struct option_spec *spec = &table->specs[i];
        long_options[i] = (struct option){spec->name, has_argument(spec), NULL,
                                          LONG_FIRST + (int)i};
        if (spec->letter) {
            *end++ = spec->letter;
            if (spec->argument)
                *end++ = ':';
        }
    }
    strcpy(end, is_launched(table) ? "n::" : "");
    long_options[table->n] = (struct option){0};
}

/* Such a name is never empty, but where a variable of the shell is that is not set: -o "$OUT". */
static bool names_file(const struct option_spec *spec)
{
    return spec->argument && (strncmp(spec->argument, "FILE", 4) == 0 || strcmp(spec->argument, "FOLDER") == 0);
}

static enum status apply_one(const struct option_table *table, int answer, option_apply *apply, void *context,
                             struct diags *diags)
{
    const struct option_spec *spec = spec_of(table, answer);
    char *shown = answer < LONG_FIRST ? alloc_format("-%c", answer) : alloc_format("--%s", spec->name);
    struct option_given given = {spec->number, shown, spec->argument ? optarg : NULL, diags};
    const bool is_nameless = names_file(spec) && optarg && !*optarg;
    enum status status = is_nameless ? option_refuse(&given, "the name of a file, and it is empty")
                                     : apply(context, &given);
    free(shown);
    return status;
}

enum status option_read(const struct option_table *table, int argc, char *argv[], option_apply *apply, void *context,
                        int *first, struct diags *diags)
{
    assert(table->n <= OPTION_SPECS_MOST);
    struct option long_options[OPTION_SPECS_MOST + 1];
    char letters[LETTERS_BYTES];
    enum status worst = STATUS_OK, status;
    fill_getopt(table, long_options, letters);
    optind = 0; /* getopt keeps its place in globals: start afresh */
    opterr = 0;
    int answer;
    while ((answer = getopt_long(argc, argv, letters, long_options, NULL)) != -1) {
        const char *launchers = launchers_option(table, argv[optind - 1], answer);
        if (launchers)
            status = refuse_launchers(table, launchers, argc, argv, diags);
        else if (answer == '?')
            status = unknown_option(table, argv[optind - 1], optopt, diags);
        else if (answer == ':')
            status = missing_argument(table, optopt, diags);
        else
            status = apply_one(table, answer, apply, context, diags);
        worst = worst != STATUS_OK ? worst : status;
    }
    *first = optind;
    return worst;
}

enum status option_check_served(const struct option_table *table, uint64_t given, int command, const char *doing,
                                struct diags *diags)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < table->n; i++) {
        const struct option_spec *spec = &table->specs[i];
        if (!(given >> spec->number & 1) || spec->served == 0 || (spec->served >> command & 1))
            continue;
        diag_error(diags, place_of_file(NULL), "%s goes without --%s", doing, spec->name);
        status = STATUS_USAGE;
    }
    return status;
}

void option_print(const struct option_table *table, FILE *out)
{
    enum { HELP_COLUMN = 29 };
    for (size_t i = 0; i < table->n; i++) {
        const struct option_spec *spec = &table->specs[i];
        char letter[8] = "   ";
        if (!spec->help)
            continue;
        if (spec->letter)
            snprintf(letter, sizeof letter, "-%c,", spec->letter);
        int used = fprintf(out, "  %s --%s%s%s", letter, spec->name, has_argument(spec) == required_argument ? " " : "",
                           spec->argument ? spec->argument : "");
        if (used >= HELP_COLUMN - 1)
            fprintf(out, "\n%*s", HELP_COLUMN, "");
        else
            fprintf(out, "%*s", HELP_COLUMN - used, "");
        for (const char *c = spec->help; *c; c++) {
            fputc(*c, out);
            if (*c == '\n')
                fprintf(out, "%*s", HELP_COLUMN, "");
        }
        fputc('\n', out);
    }
}

void option_print_version(const char *tool, FILE *out)
{
    fprintf(out, "%s %s\nLicence GPL-3.0-or-later: free software, no warranty.\n", tool, PEVPM_VERSION);
}

int option_finish(enum status status, bool quiet, struct diags *diags)
{
    if (status == STATUS_OK)
        status = outfile_check(stdout, "standard output", diags);
    if (!quiet || (status != STATUS_OK && status != STATUS_GONE))
        diags_print(diags, stderr);
    diags_free(diags);
    return status_exit_code(status);
}
