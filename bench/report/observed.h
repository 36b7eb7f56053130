/* observed.h - what pevpm-estimate measured of a machine, one time after the other, from the notes of its file. */
#ifndef PEVPM_BENCH_REPORT_OBSERVED_H
#define PEVPM_BENCH_REPORT_OBSERVED_H

#include "common/diag.h"
#include "models/machine_source.h"

/* OBSERVED_one_way: from node 0 to 1, of round trips from there. With as many bytes back as there it is half of one, with an
 * empty answer one less half of the mean empty one. */
enum observed_kind { OBSERVED_one_way, OBSERVED_scatter, OBSERVED_gather };

struct observed_time {
    enum observed_kind kind;
    int numprocs;
    double bytes, t; /* s */
};

struct observed {
    size_t n, capacity;
    struct observed_time *all; /* [n], owned */
};

/* *observed is zero before. A line that is not as pevpm-estimate writes it is left out, with a warning: a person may have been there.
 * Ends with observed_free. */
void observed_read(struct observed *observed, const struct machine *machine, const struct machine_source *source,
                   struct diags *diags);
void observed_free(struct observed *observed);

#endif
