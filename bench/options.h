/* options.h - the command line of pevpm-bench. One table serves the parser and --help. */
#ifndef PEVPM_BENCH_OPTIONS_H
#define PEVPM_BENCH_OPTIONS_H

#include "common/diag.h"
#include "common/status.h"
#include "measure/collective.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* X(NAME, short letter or 0, long name, argument or NULL, help, which actions look at it or 0 for all): in the order in
 * which --help prints them. */
#define BENCH_MEASURES (1u << BENCH_MEASURE)
#define BENCH_CHOOSES (1u << BENCH_MEASURE | 1u << BENCH_REPORT) /* what is measured, and what is drawn of it */
#define BENCH_WRITES (1u << BENCH_MEASURE | 1u << BENCH_REPORT | 1u << BENCH_FIT | 1u << BENCH_MERGE)
#define BENCH_OPTION_LIST(X)                                                                                       \
    X(OUTPUT, 'o', "output", "FILE", "the machine file to write; rewritten whole whenever more is known", BENCH_WRITES) \
    X(NAME, 0, "name", "NAME", "the machine's name (default: that of the first host)", BENCH_MEASURES)             \
    X(SIZES, 0, "sizes", "LIST", "message sizes, bytes: 0,64,1k,256k (default: 0, 1, 64, 256, 1k, 2k ... 128k);\n" \
      "more are added where the time bends", BENCH_CHOOSES)                                                        \
    X(LEVELS, 0, "levels", "LIST", "2x1,4x1,...: nodes x processes per node that send at once (default: powers\n"  \
      "of two up to the job)", BENCH_CHOOSES)                                                                      \
    X(OPERATIONS, 0, "operations", "LIST",                                                                         \
      "MPI_Send,MPI_Isend,ports,self (default: these), and collectives: MPI_Bcast, ... or\n"                       \
      "collectives for all; -NAME leaves one out; self: messages of a process to itself", BENCH_CHOOSES)           \
    X(TOPOLOGY, 0, "topology", "FILE", "Slurm's topology.conf: the nodes of a switch share a trunk; else the bench looks\n" \
      "which nodes do", BENCH_MEASURES)                                                                            \
    X(PRECISION, 0, "precision", "REL", "of every median: its 95 % confidence interval (default 0.025)", BENCH_MEASURES) \
    X(BUDGET, 0, "budget", "TIME", "for point-to-point, ports, overheads and judging (default 190 s)", BENCH_MEASURES) \
    X(NO_JUDGE, 0, "no-judge", NULL, "do not run programs made by chance at the end, to see how far predictions\n" \
      "from the file are off; else an eighth of the budget is for them", BENCH_MEASURES)                           \
    X(COLLECTIVE_BUDGET, 0, "collective-budget", "TIME", "for collectives (default 300 s)", BENCH_MEASURES)        \
    X(RESUME, 0, "resume", NULL, "go on with FILE: what it holds is kept, what it lacks is measured", BENCH_MEASURES) \
    X(MERGE, 0, "merge", "FILE", "no measurement: write FILE with several launches of the job, the machine\n"      \
      "files that follow, as one", 1u << BENCH_MERGE)                                                              \
    X(BIN, 0, "bin", "TIME", "bins of this width instead of 1 % of the time", BENCH_MEASURES)                      \
    X(FIT, 0, "fit", "FILE", "no measurement: write FILE with laws in place of histograms, where they fit", 1u << BENCH_FIT) \
    X(PLOT, 0, "plot", "FILE", "of report: all figures in one picture, .svg, .png or .pdf", 1u << BENCH_REPORT)    \
    X(FORMAT, 'f', "format", "FMT", "of report and --fit: text (default) or csv", 1u << BENCH_REPORT | 1u << BENCH_FIT) \
    X(VERIFY_CLOCK, 0, "verify-clock", NULL, "check the global clock and measure nothing else", 1u << BENCH_VERIFY) \
    X(DURATION, 0, "duration", "TIME", "of --verify-clock (default 10 s)", 1u << BENCH_VERIFY)                     \
    X(QUIET, 'q', "quiet", NULL, "no progress, no warnings", 0)                                                    \
    X(VERBOSE, 'v', "verbose", NULL, "say what every point took", 0)                                               \
    X(HELP, 'h', "help", NULL, "this text", 0)                                                                     \
    X(VERSION, 0, "version", NULL, "the version", 0)                                                               \
    X(INJECT, 0, "inject", "US,PPM", NULL, 0)

enum bench_action { BENCH_MEASURE, BENCH_REPORT, BENCH_FIT, BENCH_MERGE, BENCH_VERIFY, BENCH_HELP, BENCH_VERSION };

struct bench_level {
    int nodes, ppn;
};

/* Texts are borrowed from argv. */
struct bench_options {
    enum bench_action action;
    uint64_t given;                      /* bit n: the option whose number is n was */
    const char *output, *name, *topology; /* NULL = not given; of --merge the output is what follows it */
    size_t n_sizes, n_levels;            /* 0: not given */
    int64_t *sizes;                      /* ascending, each once */
    struct bench_level *levels;
    bool send, isend, ports, self;
    bool collectives[N_COLLECTIVES];
    double precision, budget, collective_budget; /* s */
    int64_t bin;                         /* ns; 0: relative bins */
    bool resume, judge, quiet, verbose, csv;
    double duration;                     /* s */
    double inject_us, inject_ppm;
    const char *merged;                  /* what follows --merge */
    size_t n_runs;                       /* of --merge */
    char *const *runs;                   /* borrowed from argv */
    const char *report;                  /* the machine file of `report` */
    const char *plot;                    /* NULL: not given */
    const char *fit;                     /* the machine file of --fit */
};

/* Reads the command line; argv is permuted. All errors are reported. STATUS_USAGE. Ends with bench_options_free,
 * whatever was returned. */
enum status bench_options_parse(struct bench_options *options, int argc, char *argv[], struct diags *diags);
/* Whether nothing but messages of a process to itself is asked for. */
bool bench_options_only_self(const struct bench_options *options);
/* What of the budget is for measuring, s. */
double bench_options_measuring(const struct bench_options *options);
void bench_options_free(struct bench_options *options);

void bench_options_help(FILE *out);

#endif
