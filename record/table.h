/* table.h - values for which there is no formula, as nested conditions over the recorded counts, processes and loops. */
#ifndef PEVPM_RECORD_TABLE_H
#define PEVPM_RECORD_TABLE_H

#include "common/diag.h"
#include "record/fit.h"
#include "record/recording.h"

/* How the names of such Params begin; _COUNT of each recording follows. */
#define TABLE_KNOWN_ONLY_AT "known_only_at"

/* An expression in memory; at another count it is `beyond`, or where that is NULL divides by `name`, a Param of 0, so
 * that the error shows that. samples [n] are sorted. NULL: it would have too many entries, or two values
 * of one process in the same trips, which no such condition tells apart. */
const char *table_write(const struct fit_names *names, size_t n, struct fit_sample samples[],
                        const struct recording recordings[], const char *name, const char *beyond, bool tag,
                        struct arena *memory);

/* The counts of a table that ends in the division at this place: "2, 4 and 8". The caller's; NULL: it is none of a table. */
char *table_counts(struct place place);

#endif
