/* table.h - values for which there is no formula, as nested conditions over the recorded counts, processes and loops. */
#ifndef PEVPM_RECORD_TABLE_H
#define PEVPM_RECORD_TABLE_H

#include "record/fit.h"
#include "record/recording.h"

/* An expression in memory; at another count it is `beyond`, or where that is NULL divides by `name`, a Param of 0, so
 * that the error shows that. samples [n] are sorted. NULL: it would have too many entries, or two values
 * of one process in the same trips, which no such condition tells apart. */
const char *table_write(const struct fit_names *names, size_t n, struct fit_sample samples[],
                        const struct recording recordings[], const char *name, const char *beyond, bool tag,
                        struct arena *memory);

#endif
