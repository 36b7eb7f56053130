/* options.h - the command line of pevpm-sim. One table serves the parser and --help. */
#ifndef PEVPM_CLI_OPTIONS_H
#define PEVPM_CLI_OPTIONS_H

#include "cli/lists.h"
#include "common/diag.h"
#include "common/status.h"
#include "models/model_list.h"
#include "models/scaled.h"
#include "report/inspect.h"
#include "report/report.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define OPTION_MODEL_WORD(name, given, formula) " | " #name

/* X(NAME, short letter or 0, long name, argument or NULL, help, which actions look at it or 0): in the order in which
 * --help prints them. How something is predicted may be said though nothing is; results that would not come are refused. */
#define OPTION_PREDICTS (1u << ACTION_PREDICT)
#define OPTION_PRINTS (1u << ACTION_PRINT)
#define OPTION_CHECKS (1u << ACTION_CHECK)
#define OPTION_LIST(X)                                                                                         \
    X(MACHINE, 'm', "machine", "FILE", "machine file (default: $PEVPM_MACHINE, else the installed one)", 0)   \
    X(PROCS, 'n', "procs", "LIST",                                                                             \
      "1-16 | 1,2,4,8 | 2..64*2 (2, 4, 8 ... 64) | 2x1,4x2 (nodes x processes\n"                               \
      "per node) | 1x2..64x2*2; default: 1, 2, 4 ... up to the machine's nodes", 0)                            \
    X(MAP, 0, "map", "MAP",                                                                                    \
      "ranks over nodes: block (default) or cyclic; behind a colon over the sockets of a node,\n"               \
      "cyclic:block (default: the file's socket_map); more nodes than the file has is allowed", 0)             \
    X(DEFINE, 'D', "define", "NAME=VALUE",                                                                     \
      "a program parameter, repeatable; an expression may use numprocs;\n"                                     \
      "NAME=A,B,C: a sweep, every combination is predicted", 0)                                                \
    X(SCALE, 0, "scale", "KEY=FACTOR",                                                                         \
      "what if: transit=0.5,gap=0.1,serial=2 ... multiplies costs of the machine; keys:\n"                     \
      "transit overhead gap credit serial eager_limit; one side: send_overhead\n"                              \
      "receive_overhead out_gap in_gap", 0)                                                                    \
    X(MODE, 'M', "mode", "LIST",                                                                               \
      "distribution (default) | average | minimum, each with @nxp (default: all levels)\n"                     \
      "or @2x1 (every message costs what the level-1 ping-pong says)", 0)                                      \
    X(CONTENTION, 0, "contention", "RULE",                                                                     \
      "scoreboard | ports | frames | none; default: frames where the machine file\n"                           \
      "tells of all ports what they take, else ports where it has some, else\n"                                \
      "scoreboard", 0)                                                                                         \
    X(MEASURED, 0, "measured", "FILE.csv",                                                                     \
      "measured times (numprocs[,nodes,ppn],seconds), drawn and compared with the\npredictions", OPTION_PREDICTS)\
    X(BASELINE, 0, "baseline", "TIME", "the one-process time that speedups refer to", OPTION_PREDICTS)         \
    X(MODEL, 0, "model", "LIST", "measured (default)" ANALYTICAL_LIST(OPTION_MODEL_WORD) "; each with each mode", 0)\
    X(MPI, 0, "mpi", "LIBRARY",                                                                                \
      "whose table chooses the algorithms of collectives: open_mpi | mpich; default: what\n"                   \
      "the machine file says, else open_mpi", 0)                                                               \
    X(COLL, 0, "coll", "native|optimised",                                                                     \
      "collectives as the MPI library has them (default), or as libpevpm-coll carries\n"                       \
      "them out by the machine file's `decisions`", 0)                                                         \
    X(CONNECTED, 0, "connected", NULL,                                                                         \
      "every two processes have spoken before the program begins, so that none of its\n"                       \
      "messages makes a connection", 0)                                                                        \
    X(REPLICATIONS, 'r', "replications", "N", "exactly N replications", 0)                                     \
    X(PRECISION, 0, "precision", "REL",                                                                        \
      "or: until the 95 % confidence half-width of the mean is below REL\n"                                    \
      "(default 0.01), checked at 16, 32, 64, ... replications", 0)                                            \
    X(SEED, 's', "seed", "N", "same seed, same bits, whatever the threads and ranks (default 1)", 0)           \
    X(WORK_OF, 0, "work-of", "N",                                                                              \
      "computations of all replications take what they take in replication N (from 0):\n"                      \
      "what is left of the spread is what happens to messages", 0)                                             \
    X(THREADS, 'j', "threads", "N", "default: all cores", 0)                                                   \
    X(FORMAT, 'f', "format", "FMT", "text (default) | csv | json", OPTION_PREDICTS)                            \
    X(OUTPUT, 'o', "output", "FILE", "write there instead of to standard output", 0)                           \
    X(PLOT, 0, "plot", "FILE", ".svg .png .pdf: speedup against processes, the modes side by side", OPTION_PREDICTS)\
    X(PROFILE, 0, "profile", NULL,                                                                             \
      "where the time goes, per directive and source line, and which sender wildcards take", OPTION_PREDICTS)  \
    X(PROFILE_OUTPUT, 0, "profile-output", "FILE",                                                             \
      "write that there: .csv .json, else text; implies --profile", OPTION_PREDICTS)                           \
    X(TRACE, 0, "trace", "FILE",                                                                               \
      "timeline of one replication, at the first count of LIST: .json (Perfetto, Chrome),\n"                   \
      ".paje, or a folder for an OTF2 archive", OPTION_PREDICTS)                                               \
    X(TRACE_REPLICATION, 0, "trace-replication", "WHICH",                                                      \
      "its number, or by its run time: min | p5 | median (default) | p95 | max", OPTION_PREDICTS)              \
    X(PRINT, 0, "print", "[=RANK,...]",                                                                        \
      "what each process does, directive by directive, at the first count\nof LIST; with the values for these", OPTION_PRINTS)\
    X(CHECK, 0, "check", NULL, "read and check only", OPTION_CHECKS)                                           \
    X(ENGINE, 0, "engine", "NAME", "for experts: lanes | reference | timed (default: what suits)", 0)          \
    X(LANES, 0, "lanes", "N", "for experts: replications that walk together, 1 or a multiple of 8 up to 64", 0)\
    X(CFLAGS, 0, "cflags", "FLAGS", "the compiler's flags of a C or C++ program: '-I include -DCLASS=2'", 0)   \
    X(QUIET, 'q', "quiet", NULL, "no progress bar, no warnings", 0)                                            \
    X(VERBOSE, 'v', "verbose", NULL, "say how the work was done", 0)                                           \
    X(HELP, 'h', "help", NULL, "this text", 0)                                                                 \
    X(VERSION, 0, "version", NULL, "the version", 0)

enum options_action { ACTION_PREDICT, ACTION_PRINT, ACTION_CHECK, ACTION_HELP, ACTION_VERSION };

enum { PRINT_PROCESSES_MOST = 64 }; /* --print without RANK: more is not read by a person */

/* Texts are borrowed from argv. */
struct options {
    enum options_action action;
    size_t n_files;
    const char **files;              /* [n_files] of the program; judge: RUNS.csv */
    const char *machine;             /* NULL: not given */
    size_t n_placements;             /* 0: not given */
    struct placement *placements;
    struct mode_list modes;          /* always at least one */
    size_t n_sweeps, sweeps_capacity;
    struct sweep *sweeps;
    struct predict_map map;
    bool contention_given;
    enum contention contention;
    struct model_list models;        /* always at least one */
    bool library_given;
    enum mpi_library library;
    bool connected;                  /* every two processes have spoken before */
    bool optimised;                  /* collectives go by the machine file's decisions */
    struct scale scale;
    const char *measured, *output, *plot; /* NULL: not given */
    double baseline;                 /* s; NaN: not given */
    uint32_t replications;           /* 0: by precision */
    double precision;
    uint64_t seed;
    bool same_work;                  /* --work-of */
    uint32_t work;
    int threads;                     /* 0: all cores */
    enum report_format format;
    struct inspect_wish inspect;     /* --profile, --trace; format and verbose are not set */
    enum engine_kind engine;
    int lanes;                       /* 0: what suits */
    size_t n_ranks;                  /* of --print; 0: all */
    int *ranks;
    const char *cflags;              /* NULL: not given */
    bool quiet, verbose;
};

/* Reads the command line; argv is permuted. All errors are reported.
 *   STATUS_USAGE    unknown option (with `did you mean`), missing or wrong argument, options that exclude each
 *                   other, no PROGRAM
 *   STATUS_RANGE    a -D value that is no number, a --scale factor that is none
 *   STATUS_NOT_YET  an option whose work cannot be done yet
 * Ends with options_free, whatever was returned. */
enum status options_parse(struct options *options, int argc, char *argv[], struct diags *diags);

/* The same for `pevpm-sim compare`: A [B] before `--against`, and behind it what is different for B. argv[0] is
 * "compare". sides [2]: A and B; each ends with options_free. What both sides share (format, seed ...) is A's. */
enum status options_parse_compare(struct options sides[2], int argc, char *argv[], struct diags *diags);

/* The same for `pevpm-sim judge`: options->files has RUNS.csv, replications are JUDGE_REPLICATIONS unless given.
 * argv[0] is "judge". Ends with options_free. */
enum { JUDGE_REPLICATIONS = 200 }; /* fewer do not tell p5 and p95 */
enum status options_parse_judge(struct options *options, int argc, char *argv[], struct diags *diags);

/* The same for `pevpm-sim convert`: options->machine is the MACHINE.yaml that is rewritten. argv[0] is "convert". Ends
 * with options_free. */
enum status options_parse_convert(struct options *options, int argc, char *argv[], struct diags *diags);

void options_free(struct options *options);

void options_print_help(FILE *out);
void options_print_compare_help(FILE *out);
void options_print_judge_help(FILE *out);
void options_print_convert_help(FILE *out);
void options_print_version(FILE *out);

#endif
