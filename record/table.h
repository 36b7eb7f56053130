/* table.h - values for which there is no formula, as nested conditions over the recorded counts and parameters, processes
 * and loops. */
#ifndef PEVPM_RECORD_TABLE_H
#define PEVPM_RECORD_TABLE_H

#include "record/fit.h"
#include "record/recording.h"

/* An expression in memory. samples [n] are sorted. Parameters that differ between the recordings stand in the conditions, as in
 * `numprocs == 2 && n == 24`, but where recordings that differ in one alone have the same values. Where nothing was recorded it is
 * `beyond`; NULL: known_only_at(2, 4), an error that shows what the table knows, each count or condition once and 16 of them at
 * most. *everywhere: recordings of two counts and all others say the same, by the trips of loops alone: the expression is that and
 * holds at any count; NULL: it is a table all the same. Returns NULL where it would have too many entries, or two values of one process in the same trips, which no such
 * condition tells apart. */
const char *table_write(const struct fit_names *names, size_t n, struct fit_sample samples[], size_t n_recordings,
                        const struct recording recordings[], const char *beyond, bool tag, bool *everywhere, struct arena *memory);

#endif
