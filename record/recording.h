/* recording.h - what pevpm-record wrote of a run (docs/recording.md), read back.
 *
 * A text: a head, a section for each process, and `end` with their number, so that a recording cut short is known as
 * such. Each section is checked by itself: every number within its range, every call path, communicator and request
 * list that a call names there. Times are in ns in the file and in seconds here. */
#ifndef PEVPM_RECORD_RECORDING_H
#define PEVPM_RECORD_RECORDING_H

#include "common/alloc.h"
#include "common/diag.h"
#include "common/status.h"
#include "recorder/operation.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An address: of the call itself, in the file of a module. module -1: not known. */
struct recorded_frame {
    int module;
    uint64_t offset;
};

struct recorded_path {
    int n;
    struct recorded_frame *frames; /* [n] the innermost first */
};

struct recorded_module {
    const char *build_id;          /* "-": none */
    const char *path;
};

struct recorded_comm {
    int parent, rank, size;        /* rank -1, size 0: the process is no member */
    int *members;                  /* [size] ranks in MPI_COMM_WORLD; NULL: of itself */
    int n_sources, n_destinations; /* neighbours in a grid or graph, in MPI's order: ranks of it, PEER_NULL */
    int *near;                     /* [n_sources + n_destinations] NULL: it is none */
};

/* Are its ranks those of an MPI_COMM_WORLD of so many? comms[0] has no list of them. */
static inline bool recorded_comm_is_world(const struct recorded_comm *comm, int ranks)
{
    bool world = comm->size == ranks;
    for (int i = 0; comm->members && i < comm->size && world; i++)
        world = comm->members[i] == i;
    return world;
}

struct recorded_pair {
    int path, ordinal;             /* ordinal -1: all open ones of the path */
};

struct recorded_list {
    bool all;                      /* all that were open */
    int n;
    struct recorded_pair *pairs;
};

/* count times in [low, high), s */
struct recorded_bin {
    double low, high;
    int64_t count;
};

struct recorded_times {
    int64_t n, processor_n;
    double wall, wall_least, wall_most, processor, inside; /* s: sums over n, but least and most; processor_n for
                                                             * the processor's */
    size_t n_bins;              /* 0 where n is 1 */
    struct recorded_bin *bins;  /* ascending; of the processor's time, where that is known of a call, else of the
                                 * wall's */
};

/* A call, or a loop over `body`. */
struct recorded_node {
    bool loop;
    int number;                    /* of a call: in its process, in the order of the file */
    int64_t trips, runs;           /* of a loop, see recorder/fold.h */
    size_t n_body;
    struct recorded_node *body;
    enum operation op;
    int path, comm, peer, tag, peer2, tag2, list;
    int who;                       /* of a message's call with one partner: who that was, where peer is a wildcard or names its
                                    * sender and the recording knows it; else as peer */
    int64_t bytes, bytes2;
    double bytes_mean, bytes_least, bytes_most; /* differ where sizes follow the data */
    struct recorded_times times;
};

struct recorded_process {
    const char *host, *stopped;    /* stopped: why the recording ended before the program; NULL: it did not */
    int64_t processors;            /* of the host */
    int alike;                     /* enum fold_level */
    double clock;                  /* s, of reading the wall clock: subtracted already */
    double threads;                /* s, that other threads computed than the one that calls MPI; 0: or not known */
    int bins_per_octave;           /* of the histograms of times */
    int n_calls;                   /* nodes that are calls */
    int n_modules, n_paths, n_comms, n_lists; /* comms[0] is MPI_COMM_WORLD */
    struct recorded_module *modules;
    struct recorded_path *paths;
    struct recorded_comm *comms;
    struct recorded_list *lists;
    size_t n;
    struct recorded_node *nodes;
};

struct recorded_param {
    const char *name;
    int64_t value;
};

struct recording {
    const char *name;
    int ranks, n_params;
    struct recorded_param *params;
    struct recorded_process *processes; /* [ranks] */
    int n_tested;                       /* processes whose tests stay where they were: tested.h */
    struct arena memory;
};

/* Reads a recording.
 *   STATUS_IO      it cannot be read; where only the parts FILE.part.N of a run that was killed are there, an error
 *                says so
 *   STATUS_SCHEMA  with the place: no recording, of another version, damaged, cut short
 * Receives that were cancelled, and what cancelled them, are not in it (cancelled.h).
 * Ends with recording_free, whatever was returned. */
enum status recording_read(struct recording *recording, const char *path, struct diags *diags);
/* The same from memory; `name` stands for the path. */
enum status recording_read_text(struct recording *recording, const char *name, const char *text, size_t length,
                                struct diags *diags);
void recording_free(struct recording *recording);
/* The nodes of a process, which another list may then take the place of, and what is in them. */
void recorded_nodes_free(size_t n, struct recorded_node nodes[]);

/* Do they say what ran, to its end?
 *   STATUS_SCHEMA  one was stopped, or kept neither partners nor tags, since its calls repeated themselves nowhere (alike
 *                  FOLD_SHAPES): diags say which process of which */
enum status recordings_check(size_t n, const struct recording recordings[], struct diags *diags);

/* Were more processes than processors on some host, so that wall times hold waiting for a processor? */
bool recording_crowded(const struct recording *recording);

/* The parameters that every one of the recordings has, in the order of the first: how many. *names [that], borrowed
 * from the first, and *values [that][n]; they end with recordings_params_free. */
int recordings_params(size_t n, const struct recording recordings[], const char ***names, int64_t ***values);
void recordings_params_free(int n_params, const char **names, int64_t **values);

#endif
