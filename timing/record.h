/* record.h - what pevpm_time.h wrote when a process ended.
 *
 * A text: a head of `KEY VALUE` lines in this order, then each block, then `end` with the number of blocks, so that a
 * record cut short is known as such. Times are whole nanoseconds.
 *
 *     pevpm-time 2                 format
 *     host node3
 *     rank 12                      - where no launcher said one
 *     clock CLOCK_MONOTONIC
 *     bins 128                     B, bins in each power of two
 *     overhead_ns 20               already subtracted from each duration
 *     cost_ns 69                   what BEGIN and END take together
 *     window_ns 3279398            from the first BEGIN to the last END
 *     unmatched 0                  BEGINs without END, ENDs without BEGIN
 *     dropped 0                    blocks for which there was no room
 *     strays 1                     N places where BEGINs have no END or ENDs no BEGIN: those of `unmatched` that are
 *     stray begin NAME FILE LINE COUNT         known by place. begin or end; FILE - and LINE 0 where it is not known
 *     block NAME ARGUMENT COUNT MINIMUM MAXIMUM SUM N      ARGUMENT - where there is none
 *     INDEX COUNT ...              N pairs, index ascending
 *     end 1
 *
 * Version 1 has no strays, and is read as well.
 *
 * Bin i holds [i, i + 1) ns where i < 2 B; above, [(B + i mod B) 2^s, (B + i mod B + 1) 2^s) with s = i div B - 1. */
#ifndef PEVPM_TIMING_RECORD_H
#define PEVPM_TIMING_RECORD_H

#include "common/bin.h"
#include "common/diag.h"
#include "common/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bins per power of two; a record with another number is refused. */
enum { RECORD_BINS = 128 };

struct record_block {
    char *name;
    bool has_argument;
    double argument;
    int64_t count;                 /* > 0, the sum of the bins' counts */
    double minimum, maximum, sum;  /* ns */
    size_t n;
    struct bin *bins;              /* [n] ascending */
};

struct record_stray {
    bool end;                      /* an END without BEGIN */
    char *name, *file;             /* file NULL: not known */
    int line;
    int64_t count;
};

struct record {
    char *path, *host;
    int rank;                      /* -1: not known */
    double overhead, cost, window; /* ns */
    int64_t unmatched, dropped;
    size_t n_strays, strays_capacity, n, capacity;
    struct record_stray *strays;
    struct record_block *blocks;
};

/* Reads the record of one process. STATUS_IO; STATUS_SCHEMA with the place: no record, of another version, damaged, or
 * cut short. Ends with record_free, whatever was returned. */
enum status record_read(struct record *record, const char *path, struct diags *diags);
/* The same from memory; `name` stands for the path. */
enum status record_read_text(struct record *record, const char *name, const char *text, size_t length,
                             struct diags *diags);
void record_free(struct record *record);

/* The range [*low, *high) of a bin, and the bin of a value >= 0, ns. */
void record_bin_range(int64_t index, double *low, double *high);
int64_t record_bin_of(double ns);

#endif
