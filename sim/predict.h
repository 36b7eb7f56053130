/* predict.h - predictions of one annotated program on one machine: what pevpm-sim and other programs call.
 *
 * A request names the program, the machine, the placements, the modes and the swept parameters; the result is one row
 * for each combination, ordered by parameters, then placement, then mode. Each row is handed out as soon as it is
 * known.
 *
 * Speedup = mean(T_base) / mean(T_P). T_base is, in this order:
 *   given      the caller's
 *   predicted  the mean run time on one process, in the same mode with the same parameters
 *   serial     where the program cannot run on one process: the Serial time of all processes added up (mean over
 * replications) at the smallest count of the request that runs none       there is no Serial time: speedups are NaN
 * Units: seconds. A number that does not exist is NaN. */
#ifndef PEVPM_SIM_PREDICT_H
#define PEVPM_SIM_PREDICT_H

#include "directives/program.h"
#include "directives/source.h"
#include "models/cost.h"
#include "models/machine.h"
#include "models/scaled.h"
#include "sim/replicate.h"
#include "sim/sweep.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* numprocs = nodes * ppn processes. */
struct placement {
    int numprocs, nodes, ppn;
};

/* How ranks lie on nodes, and those of a node on its sockets. */
struct predict_map {
    bool cyclic;
    bool has_sockets;          /* else as the machine file says */
    enum socket_map sockets;
};

/* One of --mode under one of --model. pingpong: X@2x1, every message costs what the level-1 ping-pong says, without
 * contention. */
struct predict_mode {
    const char *name; /* as it is reported: "average@2x1" */
    enum cost_mode cost;
    bool pingpong;
    const char *model; /* a name of models/model_list.h; NULL: the request's */
};

enum baseline { BASELINE_NONE, BASELINE_GIVEN, BASELINE_PREDICTED, BASELINE_SERIAL };

/* One row. Texts are borrowed from the request and the result. */
struct prediction {
    const char *program, *machine, *model, *mode;
    bool among_models;           /* other rows of the request are of other models */
    const char *params;          /* "N=256 ITER=10 scale:gap=0.1"; "" without -D and --scale */
    enum contention contention;
    struct placement at;
    struct statistics time;
    uint64_t deadlocks;          /* replications that deadlock; `time` is of the others */
    enum baseline base;
    struct placement base_at;    /* of BASELINE_SERIAL: where it was added up */
    double baseline;             /* s */
    double speedup, speedup_ci95;/* ci95 covers the base's uncertainty too */
    double speedup_p5, speedup_p95; /* baseline / time.p95, baseline / time.p5 */
    double efficiency;           /* speedup / numprocs */
    uint64_t messages, unreceived;
    uint64_t inversions, inversions_of; /* replicate.h */
    int level_most[N_TRANSPORTS], level_measured[N_TRANSPORTS];
    bool queues[N_TRANSPORTS];   /* messages wait for one another at ports, or what else lies on their way, at any level */
    struct rare_mean rare[N_TRANSPORTS]; /* cost.h; of transports that messages went by */
    bool other_ppn;              /* cost.h; and there were messages between nodes */
    bool self_assumed;           /* processes sent to themselves, and what that costs is not known: cost.h */
    bool limit_taken[N_TRANSPORTS]; /* messages of more than no bytes went by it, with the eager limit of another for want
                                     * of its own (machine_limit_of) */
    bool socket_assumed;         /* messages within sockets, and what they cost is not known */
    bool connect_left_out, permit_left_out; /* the machine file's `connect`, and `rendezvous` of a node, would have changed what
                                     * messages cost, had anything asked for the order of time */
    enum engine_kind engine;
    int lanes, roles;            /* replications that walked together; kinds of processes */
    bool precise;                /* false: --precision was not reached */
    bool complete;               /* false: interrupted before the wanted replications were done */
    uint32_t picks[N_PICKS];     /* replications by their run time: replicate.h */
    double serial;               /* s, mean Serial time of all processes added up */
    size_t n_regions;            /* of the program */
    char *const *regions;        /* [n_regions] names */
    const double *region_times;  /* [n_regions][N_REGION_TIMES] s: engine/region.h, the mean over replications */
    double seconds;              /* of wall time that it took */
};

struct predict_request {
    const char *program;             /* its name in rows */
    const struct source *source;
    const struct machine *machine;
    size_t n_placements;
    const struct placement *placements;
    bool placements_defaulted;       /* the user did not ask for them: one process that does not run is no error */
    struct predict_map map;
    size_t n_modes;
    const struct predict_mode *modes;
    size_t n_sweeps;
    const struct sweep *sweeps;
    bool contention_given;           /* else what predict_contention says, of each model */
    enum contention contention;
    const char *model;               /* of modes that name none; where they do, what reports say of all of them */
    bool library_given;              /* else the machine file's */
    enum mpi_library library;        /* whose table chooses algorithms, whose messages make communicators */
    bool optimised;                  /* libpevpm-coll carries out what the machine file's decisions say */
    const struct scale *scale;       /* what-if factors on the machine's costs; NULL: none */
    double baseline;                 /* s; NaN: not given */
    uint64_t seed;
    bool unconnected;                /* as of engine_setup */
    bool same_work;                  /* both as of engine_setup */
    uint32_t work;
    struct replicate_plan plan;
    const volatile sig_atomic_t *stop; /* NULL: never */
    const struct engine_watch *watch;  /* told of replications that take long, by one thread at a time; NULL: nobody */

    /* Called for each row when it is known, in order; may be NULL. Returns STATUS_OK, or what ends the run. */
    enum status (*on_row)(void *context, const struct prediction *row);
    /* Called on all ranks after on_row with what a complete row was predicted with, so that replications can be run
     * again; may be NULL. What it returns ends the run where it is not STATUS_OK. */
    enum status (*on_inspect)(void *context, const struct prediction *row, const struct engine_setup *setup);
    void *context;
};

/* Zero-initialise before predict_run. */
struct predict_result {
    size_t n, capacity;
    struct prediction *rows;
    bool complete;               /* all rows are there, or an error says why not */
    double simulated;            /* s, predicted run times of all replications added up */
    double simulated_cpu;        /* s, the same times the number of processes */
    double seconds;              /* wall time */
    struct beyond beyond;        /* what was asked for and not measured */
    size_t n_notes, notes_capacity;
    char **notes;                /* what a reader of the numbers should know, a sentence each */
    size_t n_params, params_capacity;
    char **params;               /* texts that rows borrow */
    size_t n_regions, n_region_times, region_times_capacity;
    char **regions;              /* what rows borrow: the names, the same for all; */
    double **region_times;       /* and the times of each row */
};

/* The contention rule of the request's model, where none is given: frames with the measured model where the machine file tells
 * what they take of all ports, ports where it has some, else the scoreboard. */
enum contention predict_contention(const struct predict_request *request);

/* Predicts all. Rows that are known stay in *result whatever is returned; the caller frees it with predict_result_free.
 * A placement that the program cannot run on adds its error to diags and the others go on; the status is then the one
 * with the highest exit code of all. STATUS_SCHEMA: `optimised`, and the machine file has no decisions.
 * STATUS_DEADLOCK: also where some replications of a row end and others deadlock. STATUS_INTERRUPTED: what is known so
 * far is there. */
enum status predict_run(const struct predict_request *request, struct predict_result *result, struct diags *diags);

void predict_result_free(struct predict_result *result);

/* How processes lie on the sockets of a node; and to be said behind how they lie on nodes: ", on the sockets of a node in
 * turn"; "" where these are not told apart. */
enum socket_map predict_socket_map(const struct machine *machine, struct predict_map map);
const char *predict_sockets_text(const struct machine *machine, struct predict_map map);

/* The tree lowered for one placement on the machine, as predict_run does it. Statuses of program_lower. */
enum status predict_lower(struct program **program, const struct tree *tree, const struct machine *machine,
                          enum mpi_library library, struct placement at, struct predict_map map, struct diags *diags);

#endif
