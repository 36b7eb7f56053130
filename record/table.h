/* table.h - values for which there is no formula, as nested conditions over the recorded counts, processes and
 * loops. */
#ifndef PEVPM_RECORD_TABLE_H
#define PEVPM_RECORD_TABLE_H

#include "record/fit.h"
#include "record/recording.h"

/* What a table of these recordings is at other counts: "known_only_at(2, 4, 8)", each count once and 16 of them at
 * most, which is an error that shows it. In memory. */
const char *table_beyond(size_t n, const struct recording recordings[], struct arena *memory);

/* An expression in memory; at another count it is `beyond`. samples [n] are sorted. NULL: it would have too many
 * entries, or two values of one process in the same trips, which no such condition tells apart. */
const char *table_write(const struct fit_names *names, size_t n, struct fit_sample samples[],
                        const struct recording recordings[], const char *beyond, bool tag, struct arena *memory);

#endif
