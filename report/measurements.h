/* measurements.h - measured run times of a program, to be compared with predictions: a csv file.
 *
 * Lines are `numprocs,seconds` or `numprocs,nodes,ppn,seconds`; seconds may carry a unit ("12.5 ms"). A first line that
 * starts with a letter is a header and must say which of the two all lines are. Blank lines and lines that start with #
 * are skipped. Several times of one placement are averaged. */
#ifndef PEVPM_REPORT_MEASUREMENTS_H
#define PEVPM_REPORT_MEASUREMENTS_H

#include "common/diag.h"
#include "common/status.h"
#include "sim/predict.h"

#include <stddef.h>

struct measured_time {
    int numprocs;
    double seconds;
    int nodes, ppn;  /* 0: not said */
    int line;        /* of the file */
};

struct measurements {
    size_t n, capacity;
    struct measured_time *times; /* [n] in the order of the file */
};

/* Reads a whole file ("-": standard input). STATUS_IO, or STATUS_SCHEMA with line and column; all errors are reported.
 * Zero-initialise before; ends with measurements_free. */
enum status measurements_read(struct measurements *measured, const char *path, struct diags *diags);

/* STATUS_SCHEMA: a line without nodes and ppn may be of several of the placements, so that nobody knows which of them
 * it is of. A warning where no line is of any of them. path: the file, as it is named to the user. */
enum status measurements_check(const struct measurements *measured, const char *path, size_t n,
                               const struct placement placements[], struct diags *diags);

/* The mean time there: of the lines that name these nodes and ppn, or else of those with as many processes that name
 * none; NaN where there is none. */
double measurements_find(const struct measurements *measured, const struct placement *at);

void measurements_free(struct measurements *measured);

#endif
