/* options.h - the command line of pevpm-estimate. One table serves the parser and --help. */
#ifndef PEVPM_SURVEY_OPTIONS_H
#define PEVPM_SURVEY_OPTIONS_H

#include "common/diag.h"
#include "common/status.h"
#include "models/model_list.h"
#include "survey/fitting.h"
#include "survey/flat.h"

#include <stdbool.h>
#include <stdio.h>

#define SURVEY_MODEL_WORD(name, given, formulas) " " #name

/* X(NAME, short letter or 0, long name, argument or NULL, help): in the order in which --help prints them. */
#define SURVEY_OPTION_LIST(X)                                                                                       \
    X(OUTPUT, 'o', "output", "FILE", "the machine file to write")                                                  \
    X(MACHINE, 'm', "machine", "FILE", "a machine file whose `models` are written anew; all else of it stays")      \
    X(MODELS, 0, "models", "LIST", "some of" ANALYTICAL_LIST(SURVEY_MODEL_WORD) " (default: hockney,lmo) and " MANY_TO_ONE ":\n" \
      "LMO with what linear Scatter and Gather do beyond it")                                                       \
    X(BUDGET, 0, "budget", "TIME", "of " MANY_TO_ONE ", beyond LMO's own experiments (default 300 s)")               \
    X(LARGEST, 0, "largest", "SIZE", "of " MANY_TO_ONE ": the largest share, at least 16 (default 128k)")            \
    X(REST, 0, "rest", "TIME", "of " MANY_TO_ONE ": before each operation (default 50 ms)")                          \
    X(BYTES, 0, "bytes", "SIZE", "of the non-empty messages, PLogP's largest (default 8k)")                         \
    X(MESSAGES, 0, "messages", "N", "of a saturation, 8 times as many of small ones: for LogP, LogGP, PLogP (default 32)")                         \
    X(HOCKNEY, 0, "hockney", "WAY", "of Hockney: series (default), of empty messages and of --bytes | regression: the line\n" \
      "of least squares through nine sizes from 0 to --bytes")                                                      \
    X(GAP, 0, "gap", "WAY", "of PLogP: indirect (default) | direct: each size saturates the link")                 \
    X(REPETITIONS, 0, "repetitions", "N", "of an experiment at most, at least 6 (default 10)")                      \
    X(PRECISION, 0, "precision", "REL",                                                                             \
      "an experiment is repeated until the 95 % confidence interval of its median is\n"                             \
      "within this part of it (default 0.025)")                                                                     \
    X(EVERY_PROCESS, 0, "every-process", NULL, "each process counts as a node (default: one of each node)")         \
    X(ALONE, 0, "alone", NULL, "measure all once more, one experiment at a time, and compare")                      \
    X(RESUME, 0, "resume", NULL, "go on with the FILE of -o: what it holds is kept, what it lacks is measured")    \
    X(NAME, 0, "name", "NAME", "the machine's name, without -m (default: that of the first host)")                  \
    X(QUIET, 'q', "quiet", NULL, "no warnings, no table")                                                           \
    X(HELP, 'h', "help", NULL, "this text")                                                                         \
    X(VERSION, 0, "version", NULL, "the version")

enum survey_action { SURVEY_MEASURE, SURVEY_HELP, SURVEY_VERSION };

/* Texts are borrowed from argv. */
struct survey_options {
    enum survey_action action;
    const char *output, *machine, *name; /* NULL: not given */
    bool models[N_FITTINGS];
    bool many_to_one;
    struct fitting_wish wish;
    struct flat_wish flat;
    struct stopping rule;
    bool every_process, alone, resume, quiet;
};

/* Reads the command line; argv is permuted. All errors are reported. STATUS_USAGE. */
enum status survey_options_parse(struct survey_options *options, int argc, char *argv[], struct diags *diags);
void survey_options_help(FILE *out);

#endif
