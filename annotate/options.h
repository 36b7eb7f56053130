/* options.h - the command line of pevpm-annotate. One table serves the parser and --help. */
#ifndef PEVPM_ANNOTATE_OPTIONS_H
#define PEVPM_ANNOTATE_OPTIONS_H

#include "common/diag.h"
#include "common/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* X(NAME, short letter or 0, long name, argument or NULL, help): in the order in which --help prints them. */
#define ANNOTATE_OPTION_LIST(X)                                                                                     \
    X(OUTPUT, 'o', "output", "FOLDER", "where the annotated copies go (default: annotated)")                       \
    X(DIFF, 0, "diff", NULL, "show what would be added, and write nothing")                                        \
    X(CFLAGS, 0, "cflags", "FLAGS", "the compiler's flags of the program: '-I include -DCLASS=2'")                 \
    X(QUIET, 'q', "quiet", NULL, "no remarks, no warnings")                                                        \
    X(HELP, 'h', "help", NULL, "this text")                                                                        \
    X(VERSION, 0, "version", NULL, "the version")

enum annotate_action { ANNOTATE_WRITE, ANNOTATE_HELP, ANNOTATE_VERSION };

/* Texts are borrowed from argv. */
struct annotate_options {
    enum annotate_action action;
    const char *output, *cflags;   /* cflags NULL: not given */
    bool diff, quiet;
    size_t n_files, n_recordings;
    const char **files, **recordings; /* end with annotate_options_free */
};

/* Reads the command line; argv is permuted. A word that is a recording (by what the file begins with) is one, any other
 * belongs to the program. All errors are reported. STATUS_USAGE. Ends with annotate_options_free, whatever was
 * returned. */
enum status annotate_options_parse(struct annotate_options *options, int argc, char *argv[], struct diags *diags);
void annotate_options_free(struct annotate_options *options);

void annotate_options_help(FILE *out);

#endif
