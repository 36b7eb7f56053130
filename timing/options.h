/* options.h - the command line of pevpm-time. One table serves the parser and --help. */
#ifndef PEVPM_TIMING_OPTIONS_H
#define PEVPM_TIMING_OPTIONS_H

#include "common/diag.h"
#include "common/status.h"
#include "timing/serial.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* X(NAME, short letter or 0, long name, argument or NULL, help): in the order in which --help prints them. */
#define TIME_OPTION_LIST(X)                                                                                         \
    X(MACHINE, 'm', "machine", "FILE", "the machine file to put the times into (default: print `serial:` alone)")  \
    X(OUTPUT, 'o', "output", "FILE", "what to write; may be the machine file itself (default: standard output)")   \
    X(PER_NODE, 0, "per-node", NULL, "a table by node for each block without argument: measured(NAME, node)")      \
    X(POOL, 0, "pool", NULL, "all nodes together, also where they differ")                                         \
    X(INSTRUMENT, 0, "instrument", NULL, "write a program (C, C++, Fortran) with its measured(NAME) blocks timed")  \
    X(CFLAGS, 0, "cflags", "FLAGS", "the compiler's flags of a C or C++ program: '-I include -DCLASS=2'") \
    X(QUIET, 'q', "quiet", NULL, "no table, no warnings")                                                          \
    X(HELP, 'h', "help", NULL, "this text")                                                                        \
    X(VERSION, 0, "version", NULL, "the version")

enum time_action { TIME_MERGE, TIME_INSTRUMENT, TIME_HELP, TIME_VERSION };

/* Texts are borrowed from argv. */
struct time_options {
    enum time_action action;
    const char *machine, *output, *cflags; /* NULL: not given */
    enum serial_nodes nodes;
    bool quiet;
    size_t n_files;
    char *const *files;           /* [n_files] records, or those of the program to instrument */
};

/* Reads the command line; argv is permuted. All errors are reported. STATUS_USAGE. */
enum status time_options_parse(struct time_options *options, int argc, char *argv[], struct diags *diags);

void time_options_help(FILE *out);

#endif
