/* measurements.h - measured run times of a program, to be compared with predictions: a csv file of (numprocs, seconds).
 *
 * Lines are `numprocs,seconds`; seconds may carry a unit ("12.5 ms"); blank lines, lines that start with # and a header
 * (a first line that starts with a letter) are skipped. Several times of one count are averaged. */
#ifndef PEVPM_REPORT_MEASUREMENTS_H
#define PEVPM_REPORT_MEASUREMENTS_H

#include "common/diag.h"
#include "common/status.h"

#include <stddef.h>

struct measured_time {
    int numprocs;
    double seconds;
};

struct measurements {
    size_t n, capacity;
    struct measured_time *times; /* [n] in the order of the file */
};

/* Reads a whole file ("-": standard input). STATUS_IO, or STATUS_SCHEMA with line and column; all errors are reported.
 * Zero-initialise before; ends with measurements_free. */
enum status measurements_read(struct measurements *measured, const char *path, struct diags *diags);

/* The mean time on so many processes; NaN where there is none. */
double measurements_find(const struct measurements *measured, int numprocs);

void measurements_free(struct measurements *measured);

#endif
