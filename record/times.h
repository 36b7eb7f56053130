/* times.h - computing times for the measured(NAME) of a program, from recordings of its runs.
 *
 * The program has been laid against what a process did, call by call (calls.h). What was computed between two calls is
 * that of the measured(...) that the program says there; waits tell further. A recording keeps the times before one
 * call of one place together, as a histogram: of these go out, the extreme ones first, as many as the program says no
 * measured(...) for, such as the first round of a loop, before which something else was done. Where several of one name
 * are said between two calls they share what was computed there.
 *
 * Two names between the same two calls cannot be told apart: they are reported, and get no times from there. Where the
 * argument differs between calls of one place, its mean stands for it. */
#ifndef PEVPM_RECORD_TIMES_H
#define PEVPM_RECORD_TIMES_H

#include "record/calls.h"
#include "timing/record.h"

/* All zero but `processor`: empty. Ends with times_free. */
struct times {
    bool processor;             /* times of the processor's clock, where it is known; else of the wall clock */
    size_t n, capacity;
    struct record *records;     /* [n] of each process, as pevpm_time.h would have written it; their paths are the
                                 * recordings' names */
    size_t n_mixed, mixed_capacity;
    int *mixed;                 /* [n_mixed] statements of the program that were reported as not to be told apart */
};
void times_free(struct times *times);

/* Adds a process of which `said` has been found in `ran` from `start` on. Warns of what cannot be told apart, once. */
void times_take(struct times *times, const struct program *program, const struct recording *recording, int process,
                const struct calls *said, const struct calls *ran, size_t start, struct diags *diags);

#endif
