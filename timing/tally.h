/* tally.h - durations of many runs of a block, as a histogram in the bins of a record. ns. */
#ifndef PEVPM_TIMING_TALLY_H
#define PEVPM_TIMING_TALLY_H

#include "timing/record.h"

/* Zero-initialised: empty. Count, minimum, maximum and sum are exact. */
struct tally {
    int64_t count;
    double minimum, maximum, sum;
    size_t n, capacity;
    struct bin *bins;         /* [n] ascending */
};

/* Adds all durations of `block`, each divided by `factor` > 0. With a factor other than 1 a bin moves as a whole, by
 * its middle, so that times shift by up to half a bin (0.4 %); minimum and maximum stay whole ns. */
void tally_add(struct tally *tally, const struct record_block *block, double factor);

void tally_free(struct tally *tally);

/* Where the share p in [0, 1] of the durations is passed: linear within a bin, between minimum and maximum. count > 0
 * is asserted. */
double tally_quantile(const struct tally *tally, double p);

/* As a machine file has it: ascending edges [n + 1] in ns and counts [n], empty ranges as one bin of count 0. The first
 * edge is the minimum, the last the maximum, or 1 ns above the minimum where they are the same. Free both. */
size_t tally_table(const struct tally *tally, double **edges, double **counts);

#endif
