/* result_read_impl.h - what result_read.c and result_read_resources.c share. */
#ifndef PEVPM_RESULTS_RESULT_READ_IMPL_H
#define PEVPM_RESULTS_RESULT_READ_IMPL_H

#include "models/machine_source.h"
#include "results/result.h"

struct reading {
    struct machine *machine;
    struct machine_source *source;
    struct result *result;
    struct diags *diags;
};

int64_t reading_ns(double seconds);

/* Adds what the distribution d was made of to h. STATUS_SCHEMA: it is no histogram; `what` names it. */
enum status reading_histogram(const struct reading *r, const struct distribution *d, const char *what,
                              struct histogram *h);

/* `topology`, `resources` and `rests`, or what was made of `ports` (machine_convert). STATUS_SCHEMA: they are such as
 * pevpm-bench does not write, so that some of it would be lost. */
enum status reading_resources(const struct reading *r);

#endif
