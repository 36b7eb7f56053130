/* option.h - the reader of command lines: one table of options serves the parser, its errors and --help.
 *
 * As getopt_long reads them: -x, -xVALUE, -x VALUE, --name VALUE, --name=VALUE, names shortened as long as they stay
 * unique, options and words in any order, `--` before words that begin with `-`. All that is wrong is reported at once,
 * with `did you mean`; every error here is STATUS_USAGE (exit code 2). The caller's own functions say what each option
 * does; the ones below read the usual kinds of arguments. */
#ifndef PEVPM_COMMON_OPTION_H
#define PEVPM_COMMON_OPTION_H

#include "common/diag.h"
#include "common/status.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct option_spec {
    int number;             /* the caller's */
    char letter;            /* 0: none */
    const char *name;
    const char *argument;   /* as --help shows it, "FILE"; "[=RANK]": it may be left out; NULL: the option takes none */
    const char *help;       /* lines separated by \n; NULL: neither shown nor suggested */
    unsigned served;        /* bit c: what the caller does as its command c looks at it; 0: whatever it does */
};

/* For a list X(NAME, letter, name, argument, help) with an enum of OPTION_NAME: one element of its table. */
#define OPTION_SPEC(NAME, letter_, name_, argument_, help_) \
    {.number = OPTION_##NAME, .letter = letter_, .name = name_, .argument = argument_, .help = help_},

/* Likewise X(NAME, letter, name, argument, help, served). */
#define OPTION_SPEC_SERVED(NAME, letter_, name_, argument_, help_, served_) \
    {.number = OPTION_##NAME, .letter = letter_, .name = name_, .argument = argument_, .help = help_, .served = served_},

struct option_table {
    const char *tool;       /* whose --help lists all: "pevpm-sim" */
    size_t n;
    const struct option_spec *specs; /* [n], in the order in which --help prints them */
    const char *launched;   /* as a launcher starts it, to whom -n, -np and --np belong: "mpirun -n P pevpm-run"; NULL: without one */
};

enum { OPTION_SPECS_MOST = 64 };

/* One option that was given. shown: as the user wrote it but whole, "--procs" or "-n". */
struct option_given {
    int number;
    const char *shown;
    char *argument;         /* NULL: it takes none, or was left out */
    struct diags *diags;
};

/* What an option does. It adds its own errors to given->diags. */
typedef enum status option_apply(void *context, const struct option_given *given);

/* Reads argv (argv[0] is passed over), which is permuted: afterwards the words that are no options are argv[*first] ...
 * argv[argc - 1]. `apply` is called for each option in order. Returns the first status that was not OK, of `apply` or
 * STATUS_USAGE: an option that is not there, or that lacks its argument. Not for two threads at once, because getopt is
 * not. */
enum status option_read(const struct option_table *table, int argc, char *argv[], option_apply *apply, void *context,
                        int *first, struct diags *diags);

/* That no option was given which would do nothing. given: bit n, the option whose number is n was; command: what the
 * caller is to do; doing: that in the user's words, "--check". Adds "--check goes without --plot" for each. STATUS_USAGE
 * if there is one. */
enum status option_check_served(const struct option_table *table, uint64_t given, int command, const char *doing,
                                struct diags *diags);

/* One line or more for each option: "  -n, --procs LIST           help". */
void option_print(const struct option_table *table, FILE *out);

/* --version: "pevpm-time 0.1.0", and the licence. */
void option_print_version(const char *tool, FILE *out);

/* How a main without MPI ends: has standard output taken all, then what was said, on standard error (warnings and notes
 * not where it is to be quiet). Returns the exit code; `diags` are freed. */
int option_finish(enum status status, bool quiet, struct diags *diags);

/* Adds "--procs x: expected <expected>". Returns STATUS_USAGE. */
enum status option_refuse(const struct option_given *given, const char *expected);

/* Where a word could not be opened and the option before it may have been meant to take it: notes that `flag` takes
 * none, and which does. */
void option_note_flag(const char *flag, const char *which, struct diags *diags);

/* The argument as one of `words` [n]; as a whole number from `least` to `most`. Else STATUS_USAGE, and *chosen, *value
 * are not written. */
enum status option_choice(const struct option_given *given, size_t n, const char *const words[], int *chosen);
enum status option_integer(const struct option_given *given, uint64_t least, uint64_t most, uint64_t *value);

#endif
