/* result.h - what a measurement has found so far, and its machine file.
 *
 * Points are kept in the order of the file: by operation, pattern, nodes, processes per node, level and size. All times
 * are int64 nanoseconds in histograms of one layout, so that results of several launches can be added up. */
#ifndef PEVPM_BENCH_RESULT_H
#define PEVPM_BENCH_RESULT_H

#include "bench/histogram.h"
#include "bench/stopping.h"
#include "models/machine.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct point_key {
    enum send_kind operation;
    enum pattern pattern;
    int nodes, ppn, level;
    int64_t bytes;
};

struct point {
    struct point_key key;
    struct histogram transit, send_overhead, receive_overhead; /* count 0: not measured */
    int64_t disturbed;     /* messages that did not count because an earlier one was late */
    enum stop stop;
    int copies;            /* groups measured at once */
};

/* One size of the port curves. */
struct port_point {
    int64_t bytes;
    double out_gap, in_gap; /* s; NaN: not measured */
};

/* A collective, as measured. */
struct collective_point {
    const char *operation;  /* static */
    int numprocs;
    int64_t bytes;
    struct histogram time, root_time; /* root_time.count 0: not rooted */
};

/* A line of the provenance; texts are owned. value NULL: a heading. */
struct result_note {
    int depth;
    char *key, *value;
};

struct result {
    char *name;
    int nodes, ppn;
    int64_t bin;             /* ns of equal bins; 0: 1 % bins */
    int64_t eager_limit;     /* INT64_MAX: none found */
    bool eager_known;
    int launches;
    size_t n_points, points_capacity;
    struct point *points;
    size_t n_ports, ports_capacity;
    struct port_point *ports;
    double credit;           /* s */
    size_t n_collectives, collectives_capacity;
    struct collective_point *collectives;
    size_t n_notes, notes_capacity;
    struct result_note *notes;
};

void result_init(struct result *result);
void result_free(struct result *result);

/* A histogram in the result's layout. */
void result_histogram_init(const struct result *result, struct histogram *h);

/* The point of a key; NULL: there is none. */
struct point *result_find(const struct result *result, const struct point_key *key);
/* The point of a key, made empty where there was none. Pointers to points die. */
struct point *result_point(struct result *result, const struct point_key *key);
struct port_point *result_port(struct result *result, int64_t bytes);

/* Replaces the note `key` at `depth` that stands last, or appends it. value NULL: a heading. */
void result_note(struct result *result, int depth, const char *key, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void result_heading(struct result *result, int depth, const char *key);

/* Writes the machine file (machine_write). STATUS_IO. */
enum status result_write(const struct result *result, const char *path, struct diags *diags);

#endif
