/* outstanding.h - the requests that a process has open, and the sets of them that calls complete.
 *
 * SPDX-License-Identifier: MIT
 *
 * A request is found by its handle. Libraries have one handle for all requests that are complete from the start (to
 * MPI_PROC_NULL), and may give that of a request that is over to the next one: of equal handles the oldest counts. One that is
 * active has an ordinal, the smallest number that no other active request of its path has.
 *
 * However many are open: to begin, find and end one takes a few steps (the logarithm of how many are open of its path where
 * those are more than 64), and so does each that a set names. A set that is there already is found by a hash. No MPI here. */
#ifndef PEVPM_RECORDER_OUTSTANDING_H
#define PEVPM_RECORDER_OUTSTANDING_H

#include "recorder/fold.h"

#include <stdbool.h>
#include <stdint.h>

enum { OUTSTANDING_NONE = -1, OUTSTANDING_RECENT = 32 };

struct recorder_request {
    uint64_t handle;        /* the MPI library's, as a number */
    int32_t path, ordinal;  /* of an active one */
    bool persistent, active, wildcard;
    bool receives;
    bool in_file;           /* of a call on a file, no message: never active */
    bool cancelled;         /* by MPI_Cancel, which was in time: not active any more; a wait is still to come */
    struct fold_call call;  /* of a persistent one: what each start does */
    int32_t before, next;   /* of its bucket, by age; next also of those that are free */
    int32_t listed_last;    /* while a set is looked up, of the oldest with this handle: the last one that is in it */
};

/* The active requests of a call path. */
struct outstanding_path {
    uint64_t taken;         /* ordinals below 64 */
    int32_t n;
    int32_t end;            /* above 63: all from here on are free */
    int32_t n_free, free_capacity;
    int32_t *free;          /* [n_free] above 63: those before `end` that are free, a heap with the smallest first */
};

struct outstanding_bucket {
    int32_t first, last;
};

/* Zero-initialise. */
struct outstanding {
    int32_t n, n_active;
    int32_t used, capacity, vacant; /* vacant: 1 + the first that is free */
    int32_t found;          /* 1 + the last one that was found by its handle, the oldest of it: a call asks for one several times */
    struct recorder_request *requests; /* [used] */
    int32_t n_buckets;      /* a power of two, at least n */
    struct outstanding_bucket *buckets;
    int32_t n_paths;
    struct outstanding_path *paths;
    uint64_t steps;         /* that looking requests and ordinals up has taken, for tests */
};

/* A new one, not active. Pointers to requests hold until the next one is made. */
struct recorder_request *outstanding_new(struct outstanding *outstanding, uint64_t handle);
void outstanding_start(struct outstanding *outstanding, struct recorder_request *request, int32_t path);
void outstanding_stop(struct outstanding *outstanding, struct recorder_request *request);
void outstanding_remove(struct outstanding *outstanding, struct recorder_request *request);

/* The oldest of this handle; the one of the same handle that came after. NULL: there is none. */
struct recorder_request *outstanding_find(struct outstanding *outstanding, uint64_t handle);
struct recorder_request *outstanding_next(struct outstanding *outstanding, const struct recorder_request *request);

/* How many of this path are active. */
int32_t outstanding_of_path(const struct outstanding *outstanding, int32_t path);

/* While a set is looked up: the oldest active one of this handle that is not in it yet, which then is; NULL: there is none.
 * outstanding_unlist takes it out again. */
struct recorder_request *outstanding_list(struct outstanding *outstanding, uint64_t handle);
void outstanding_unlist(struct outstanding *outstanding, uint64_t handle);

void outstanding_free(struct outstanding *outstanding);

/* ---- sets ---- */

/* path, ordinal; ordinal -1: all that are open of the path */
struct recorder_pair {
    int32_t path, ordinal;
};

/* A set of requests that a call completed, in the order of their paths. all: a call that takes several took all that
 * were open, and no pairs. */
struct recorder_list {
    bool all;
    int n;
    struct recorder_pair *pairs;
};

/* Each set once, by number. Zero-initialise. */
struct outstanding_sets {
    int32_t n, capacity, table_size;
    int32_t recent[OUTSTANDING_RECENT]; /* looked up last, by the first pair: most calls complete the set of the lap before */
    struct recorder_list *lists;    /* [n] */
    int32_t *table;                 /* [table_size] numbers by hash, open addressing; -1: free */
    uint64_t steps;                 /* that looking sets up has taken, for tests */
};

/* The number of a set; `list` is copied where it is new. */
int32_t outstanding_set_number(struct outstanding_sets *sets, const struct recorder_list *list);
void outstanding_sets_free(struct outstanding_sets *sets);

#endif
