/* options.h - the command line of pevpm-run. One table serves the parser and --help. */
#ifndef PEVPM_RUN_OPTIONS_H
#define PEVPM_RUN_OPTIONS_H

#include "common/diag.h"
#include "common/status.h"
#include "executor/work.h"
#include "invent/invent.h"
#include "sim/predict.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* X(NAME, short letter or 0, long name, argument or NULL, help): in the order in which --help prints them. */
#define RUN_OPTION_LIST(X)                                                                                             \
    X(MACHINE, 'm', "machine", "FILE", "machine file: for `Serial on NAME`, measured(NAME) and factors on Serial\n"    \
      "times (default: none)")                                                                                         \
    X(MAP, 0, "map", "MAP", "block or cyclic: how ranks are on nodes (default: as they are)")                          \
    X(DEFINE, 'D', "define", "NAME=VALUE", "a program parameter; repeatable")                                          \
    X(RUNS, 'r', "runs", "N", "run each N times; run k draws the numbers of replication k (default 1)")                  \
    X(SEED, 's', "seed", "N", "of the distributions in Serial lines, and of --random (default 1)")                         \
    X(SERIAL, 0, "serial", "HOW", "what a computation does: sleep (default), spin (keeps a core busy) or none")        \
    X(TOUCH, 0, "touch", "BYTES", "of memory that --serial spin goes through: 64k, 8M (default 0)")                    \
    X(OUTPUT, 'o', "output", "FILE", "the runs as csv, as pevpm-sim judge reads them")                                 \
    X(APPEND, 0, "append", NULL, "add to what is in FILE")                                                     \
    X(LAUNCH, 0, "launch", "N", "number of this launch of the job (default 1): with -r 3 the second draws the\n"    \
      "numbers of replications 3 to 5")                        \
    X(PROFILE, 0, "profile", NULL, "the time in each directive")                                                       \
    X(PROFILE_OUTPUT, 0, "profile-output", "FILE", "write that there as csv; implies --profile")                       \
    X(VERIFY, 0, "verify", NULL, "check every message against the rules of matching; its times are none")              \
    X(RANDOM, 0, "random", "KIND", "in place of PROGRAM one made by chance: halo, pipeline, butterfly, ring, farm, graph,\n" \
      "collectives, communicators, mixture, requests, remote, overlap; or all of them but the last two, in turn")      \
    X(PROGRAMS, 0, "programs", "N", "so many of them, of this seed and those after it (default 1)")                    \
    X(PRINT, 0, "print", NULL, "of --random: write the program instead of running it")                                 \
    X(TIMEOUT, 0, "timeout", "TIME", "what a run may take (default: 10 s and ten times what is expected)")             \
    X(CFLAGS, 0, "cflags", "FLAGS", "the compiler's flags of a C or C++ program: '-I include -DCLASS=2'") \
    X(QUIET, 'q', "quiet", NULL, "no warnings, no summary")                                                            \
    X(HELP, 'h', "help", NULL, "this text")                                                                            \
    X(VERSION, 0, "version", NULL, "the version")

enum run_action { RUN_EXECUTE, RUN_PRINT, RUN_HELP, RUN_VERSION };
enum run_map { MAP_AS_IT_IS, MAP_BLOCK, MAP_CYCLIC };

/* Texts are borrowed from argv. */
struct run_options {
    enum run_action action;
    char *const *names;                  /* [programs] files; NULL with --random. Borrowed from argv */
    const char *machine;                 /* NULL = none */
    enum run_map map;
    size_t n_sweeps, sweeps_capacity;
    struct sweep *sweeps;                /* of one value each */
    uint32_t runs;
    uint64_t seed, launch;
    struct work_options work;
    const char *output, *profile_output, *cflags; /* NULL: not given */
    bool append, profile, verify, quiet;
    double timeout;                      /* s; 0: not given */
    bool random, all_kinds;              /* --random: no program is given */
    enum invent_kind kind;
    uint64_t programs;                   /* how many, >= 1 */
};

/* Reads the command line; argv is permuted. All errors are reported. STATUS_USAGE, STATUS_RANGE. Ends with
 * run_options_free, whatever was returned. */
enum status run_options_parse(struct run_options *options, int argc, char *argv[], struct diags *diags);
void run_options_free(struct run_options *options);

void run_options_help(FILE *out);

#endif
