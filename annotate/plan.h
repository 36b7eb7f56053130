/* plan.h - what recordings show, laid over the functions, loops and branches of the source.
 *
 * Each recorded call has a path of calls that led to it, so it is known in which loops and branches it stood. The calls
 * of a process are gone through in their order: where one comes that stands no further in its block than the one
 * before, the innermost loop around both has begun anew (that the source lets go round once more). So all that a node
 * of the plan can say is known for each time that the program came to it: whether it was executed, how often a loop
 * went round, what a call was given.
 *
 * Times that the program came to a loop or a branch without any call in it are not seen. */
#ifndef PEVPM_ANNOTATE_PLAN_H
#define PEVPM_ANNOTATE_PLAN_H

#include "common/diag.h"
#include "common/status.h"
#include "directives/source.h"
#include "host/outline.h"
#include "record/recording.h"
#include "record/resolve.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CONTEXT_MOST = 8 };     /* loops and calls around a sample that are kept, the innermost first */

/* One value of a run, in the loops and calls around it. */
struct seen {
    int recording, rank;
    int within_rank, within_size; /* of a neighbour: the process in the communicator, and its size; else 0 */
    int n;
    struct {
        int node;              /* a loop: its trip. A function, -1 - its number: by which of its calls it was reached. One
                                * that calls itself: that of its outermost call, and, as plan_depth_of, how many are
                                * within that */
        int64_t at;
    } around[CONTEXT_MOST];    /* each once: of loops of one that calls itself the innermost */
    int64_t value;
};

struct seen_list {
    size_t n, capacity;
    struct seen *list;
    size_t own, same;          /* of the last process: samples, and equal ones in a row */
};

/* What a call says. X(name) */
#define PLAN_FIELD_LIST(X) X(peer) X(tag) X(bytes) X(peer2) X(tag2) X(request) X(color) X(key)
enum plan_field {
#define X(name) PLAN_##name,
    PLAN_FIELD_LIST(X)
#undef X
    N_PLAN_FIELDS
};

struct plan_time {
    double sum[2];             /* s: of process 0, of the others */
    int64_t n[2];
};

/* A loop, an arm, a call of a function of the program, or (op >= 0) of MPI. */
struct plan_node {
    int file, outline;         /* its node */
    int function;              /* that it stands in */
    int parent;                /* a node; -1: the function itself */
    int callee;                /* a function; -1 */
    int op;                    /* enum operation; -1 */
    int ordinal;               /* of a call: which one of its function's */
    size_t n, capacity;
    int *children;             /* in their order */
    struct seen_list present;  /* 1, 0: each time that what is around was executed */
    struct seen_list trips;    /* of a loop */
    struct seen_list field[N_PLAN_FIELDS];
    bool varies;               /* sizes follow the data */
    double bytes_least, bytes_most, bytes_sum, bytes_n;
    int64_t most_other;        /* where that differs from the size: of a call that sends and receives, the most that it has
                                * room for; of a collective operation, the most that it sends to one process. Else 0 */
    int comm;                  /* the node that made it; -1 MPI_COMM_WORLD, -2 several */
    int window;                /* the node that made the window it is called on, whose communicator is `comm`; -1 none,
                                * -2 several */
    bool comm_seen, world;     /* of one that makes communicators: it has all processes in their order */
    bool near, leaves_out;     /* the same: operations among neighbours are called on it; some process is no member */
    struct seen_list *sources, *destinations; /* [plan->most_near] the same: its neighbours, ranks of it, FIT_NULL behind the
                                               * last; NULL: it has none */
    int taken;                 /* of a receive of what a probe has taken out: the probe's node; -1 none is known, -2 several */
    bool any_source;
    bool together;             /* of a call on a file: with all processes of `comm` */
    bool waits_all, waits_lists, waits_several;
    int n_waited;
    int *waited;               /* nodes that begin the requests */
    int n_paths;               /* call paths that lead to it */
    int ways;                  /* calls of the function that it stands in, at least 1 */
    struct plan_time *times;   /* [ways][n_recordings] computed before, by their ordinal */
    int64_t calls;             /* of all processes and recordings */
};

struct plan_function {
    int file, outline;
    const char *name;          /* in directives: no other function of the plan has it */
    size_t n, capacity;
    int *children;
    int callers;               /* calls in the program */
    bool recursive;            /* it was called within a call of its own */
};

struct plan {
    size_t n_recordings;
    const struct recording *recordings; /* borrowed */
    size_t n_files;
    struct plan_file {
        const struct source *source;
        struct outline outline;
        char *facts;           /* host/facts.h; NULL: none */
        bool read;
    } *files;                  /* [n_files] */
    size_t n_nodes, nodes_capacity;
    struct plan_node *nodes;
    size_t n_functions, functions_capacity;
    struct plan_function *functions;
    int most_near;             /* neighbours on one side that any process has in any communicator */
    int begin;                 /* the function that the program begins in; -1: none */
    bool processor;            /* times are the processor's */
    int64_t calls, uncovered;  /* recorded; not in any of the files */
    int64_t disordered;        /* that no loop explains */
    struct site_table sites;
    struct resolved_path *paths;
    int *node_of;              /* [sites.n] -1: not in the files */
    int *path_of;              /* [sites.n] which of its node's call paths */
    struct chain {
        int n, *nodes;
    } *chains;                 /* [sites.n] from main to the call */
    struct arena memory;
};

/* Reads the files (those in C, C++ and Fortran) with a compiler's flags, and lays the recordings over them.
 *   STATUS_NOT_YET  none can be read, or no recorded call is in them, or they are not what was compiled, or the
 *                   function that calls the others is in none of them
 * Ends with plan_free, whatever was returned. */
enum status plan_make(struct plan *plan, const struct source *files, size_t n, const struct recording recordings[],
                      struct diags *diags);
void plan_free(struct plan *plan);

const struct outline_node *plan_outline(const struct plan *plan, const struct plan_node *node);

/* What stands for the depth of a function's calls within each other, among what is around a sample. */
int plan_depth_of(const struct plan *plan, int function);
/* The function whose depth that is; -1: it is something else. */
int plan_depth_function(const struct plan *plan, int around);
/* Is it a lock of one process that is kept beside the first access to it, within MPI_Win_lock_all? */
bool plan_is_lock_beside(const struct plan *plan, const struct plan_node *node);

/* Does one function call the other, over others too? */
bool plan_calls(const struct plan *plan, int function, int other);

#endif
