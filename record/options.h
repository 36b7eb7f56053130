/* options.h - the command line of pevpm-record. One table serves the parser and --help.
 *
 * Options end with the first word that is none: what follows is the program to run, with its own arguments, or the
 * recordings. */
#ifndef PEVPM_RECORD_OPTIONS_H
#define PEVPM_RECORD_OPTIONS_H

#include "common/diag.h"
#include "common/status.h"
#include "record/writer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* X(NAME, short letter or 0, long name, argument or NULL, help): in the order in which --help prints them. */
#define RECORD_OPTION_LIST(X)                                                                                       \
    X(OUTPUT, 'o', "output", "FILE", "the recording to write (default: pevpm.rec), or what --times does")          \
    X(DEFINE, 'D', "define", "NAME=N", "a size of this run, kept with the recording; may be given several times")  \
    X(TIMES, 0, "times", "PROGRAM", "from RECORDINGs the times of an annotated program's measured(...)")             \
    X(MACHINE, 'm', "machine", "FILE", "the machine file that --times puts them into (default: `serial:` alone)")     \
    X(PROGRAM, 0, "program", "FILE", "write a directive program from RECORDINGs; - : standard output")             \
    X(TIME, 0, "time", "CLOCK", "its computing times: auto (processor where ranks shared one), wall, processor")   \
    X(PART, 0, "part", "FIRST,LAST", "only from the call at FIRST (file.c:12) to the one at LAST, both outside loops") \
    X(CHECK, 0, "check", "PROGRAM", "hold a directive program against RECORDINGs, call by call")                   \
    X(SIZES, 0, "sizes", "exact|any|mean", "any: --check looks at no bytes; mean: --program takes means of collectives' sizes" \
      " that follow the data")                                                                                      \
    X(JOIN, 0, "join", "FILE", "make FILE from FILE.part.N, which a run that was killed left")                     \
    X(CFLAGS, 0, "cflags", "FLAGS", "the compiler's flags of a C or C++ program: '-I include -DCLASS=2'") \
    X(QUIET, 'q', "quiet", NULL, "no remarks, no warnings")                                                        \
    X(HELP, 'h', "help", NULL, "this text")                                                                        \
    X(VERSION, 0, "version", NULL, "the version")

enum record_action { RECORD_RUN, RECORD_PROGRAM, RECORD_CHECK, RECORD_TIMES, RECORD_JOIN, RECORD_HELP, RECORD_VERSION };

/* Texts are borrowed from argv; words end with NULL. */
struct record_options {
    enum record_action action;
    const char *output, *program, *cflags, *machine; /* cflags, machine NULL: not given. output NULL: not given, where
                                                       * nothing is recorded */
    struct writer_request request; /* its places are the caller's */
    bool quiet, any_size;
    int n_words;
    char **words;                  /* [n_words + 1] the command, or the recordings */
    int n_defines;
    const char *defines[32];       /* "n=512" */
};

/* Reads the command line. All errors are reported. STATUS_USAGE. */
enum status record_options_parse(struct record_options *options, int argc, char *argv[], struct diags *diags);

void record_options_help(FILE *out);

#endif
