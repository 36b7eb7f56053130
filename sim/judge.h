/* judge.h - predictions held against measured runs: how wrong is the model on this machine?
 *
 * Each run is predicted on the machine without its `model_error`; from how far off the medians are comes the model
 * error (model_error.h), which also wants to know how long each would take if communication took
 * MODEL_ERROR_STRETCH times as long; and each is predicted once more with that error, as pevpm-sim will from then on.
 * The time without communication is that of mode average on a machine where messages cost nothing.
 *
 * Where it is known which numbers the computations of a launch drew, the launch is held against predictions whose
 * computations all draw these, so that what computations differ by is no error. The run's prediction is then the median
 * of its launches', its interval reaches as far from there as theirs in the mean, and its times are their means.
 * Units: seconds. */
#ifndef PEVPM_SIM_JUDGE_H
#define PEVPM_SIM_JUDGE_H

#include "sim/model_error.h"
#include "sim/note_list.h"
#include "sim/predict.h"

#include <stddef.h>

/* Which numbers computations drew: those of replications first ... first + n - 1 of a seed. n 0: not known. A launch has
 * one, a profile as many as it is the mean of. */
struct judge_draws {
    uint64_t seed;
    uint32_t first, n;
};

/* The time that a process spent in a directive, the mean of all. */
struct judge_site {
    int line;                      /* 0: after the end */
    char *file;                    /* its short name (source.h); "": not said */
    char *directive;
    double seconds;
    struct place place;            /* of its row */
};

/* A (program, parameters, placement) that was measured. */
struct judge_run {
    const struct source *source;
    const char *program;           /* as tables show it, */
    char *params;                  /* and these */
    size_t n_sweeps;
    struct sweep *sweeps;          /* of one value each */
    struct placement at;
    size_t n;                      /* launches */
    double *seconds;               /* [n] ascending */
    const struct judge_draws *draws; /* [n] of these launches, all known; NULL: not known */
    size_t unsaid;                 /* launches of which nothing says what they drew; the others then say it in vain */
    uint32_t guessed[2];           /* where `draws` rest on a guess of how many runs each launch had: the least and the most;
                                    * else 0 */
    struct place place;            /* where the user wrote of it */
    size_t n_sites, sites_capacity;/* where it has a profile */
    struct judge_site *sites;
};

struct judged {
    size_t run;                    /* which of the request's */
    double measured;               /* median of the launches */
    double predicted;              /* median */
    double serial;                 /* with free communication */
    double added;                  /* by communication: C of model_error.h */
    double known;                  /* standard deviation of measured - predicted that was predicted */
    bool drew;                     /* held against predictions that drew what its launches did */
    double low[2], high[2];        /* p5, p95: without the model error, with it */
    size_t inside[2];              /* launches in them */
};

struct judge_request {
    const struct machine *machine;
    size_t n;                      /* >= MODEL_ERROR_RUNS_LEAST */
    const struct judge_run *runs;
    uint64_t seed;
    bool contention_given, library_given; /* else as predict_request has them where nothing is given */
    enum contention contention;
    enum mpi_library library;
    bool leaves_out;               /* runs that cannot be predicted, rather than fail: their errors are told all the
                                    * same */
    bool by_chance;                /* all are programs by chance, whose draws are known: model_error.h's `work_known` */
    struct replicate_plan plan;    /* its replications are shared among the draws of a run, but each has at least
                                    * REPLICATE_FIRST of them, or all */
    double seconds;                /* of wall time; what is not predicted then is left out. 0: as long as it takes */
    const volatile sig_atomic_t *stop;
    const struct engine_watch *watch; /* as of a prediction */
};

struct judge_result {
    struct machine_model_error found;
    size_t n;                      /* runs judged, from the first on but for those left out; all where the request has no limit
                                    * of time */
    struct judged *runs;           /* [n] */
    size_t launches, inside[2];    /* of all runs */
    struct note_list notes;        /* of the predictions without the model error; runs are numbers of the request's */
};

/* What is estimated from (model_error.h). */
struct model_error_point judged_point(const struct judged *judged);

/* What a run is predicted by on a machine in a mode; borrows all. draws: what computations draw in all replications, the
 * first of these; NULL: each replication its own. */
struct predict_request judge_predict_request(const struct judge_request *request, const struct judge_run *run,
                                             const struct judge_draws *draws, const struct machine *machine,
                                             const struct predict_mode *mode);

/* Whether it matters what the run drew: that is known, and computations of its program, or of processes, nodes or runs on the
 * request's machine, are drawn. */
bool judge_draws_count(const struct judge_request *request, const struct judge_run *run);

/* The caller ends *result with judge_result_free whatever was returned. Runs that cannot be predicted add their errors
 * and the others go on; unless the request leaves_out the status is then the one with the highest exit code of all and
 * *result says nothing. Whatever the time, MODEL_ERROR_RUNS_LEAST are judged; where fewer can be, of a request that
 * leaves_out, the status is that of one that cannot. */
enum status judge_measured(const struct judge_request *request, struct judge_result *result, struct diags *diags);
void judge_result_free(struct judge_result *result);

#endif
