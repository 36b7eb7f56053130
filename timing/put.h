/* put.h - records of computing times put into a machine file, and told: what pevpm-time and pevpm-record do with
 * them. */
#ifndef PEVPM_TIMING_PUT_H
#define PEVPM_TIMING_PUT_H

#include "timing/serial.h"

#include <stdbool.h>

struct put_request {
    const char *machine;        /* the file to put them into; NULL: `serial:` is written alone */
    const char *output;         /* NULL or "-": standard output */
    enum serial_nodes nodes;
    bool quiet;                 /* no table */
};

/* Puts records [n] together and writes the result, whole or not at all; the table goes to standard output, or to
 * standard error where the result is there. Warnings as timings_make and timings_warn_nodes. STATUS_SCHEMA,
 * STATUS_SYNTAX, STATUS_IO as timings_make and serial_merge. */
enum status put_records(const struct put_request *request, const struct record records[], size_t n,
                        struct diags *diags);

#endif
