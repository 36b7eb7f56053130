/* measure.h - a program's runs, timed: from a moment that all processes have in common until the last has ended.
 *
 * The times stand on the global clock (clock/clock.h), so no barrier is part of them. */
#ifndef PEVPM_RUN_MEASURE_H
#define PEVPM_RUN_MEASURE_H

#include "executor/executor.h"
#include "measure/job.h"

#include <stdbool.h>
#include <stdint.h>

struct measure_request {
    const struct job *job;
    struct executor *executor; /* NULL: this rank of the job is no process of the program, and keeps the clock only */
    const struct program *program;
    uint32_t runs, first;    /* first: replication whose numbers the first run draws */
    double most;             /* s, that a run may take; longer, and the watch says where the process is and ends it */
    bool verify;             /* then the times mean nothing, and what all processes do between runs may take as long as
                              * one */
    int64_t *synced;         /* when the clock was last looked after, local time; 0 before the job's first
                              * measurement */
    bool goes_on;            /* another measurement follows, which will look after the clock when it is time */
    /* NULL: nobody asks; the same on all ranks. On rank 0, as soon as a run is over, with its time and regions as in
     * struct measured: by the clock as it was synchronised last. */
    void (*run_over)(double seconds, const double regions[]);
};

/* Of all processes; the arrays on rank 0 only. */
struct measured {
    uint32_t n;
    double *seconds;         /* [n] */
    double *regions;         /* [n][region_numbers]: engine/region.h; NULL: the program has none */
    double *imbalance;       /* [numprocs] s, from the end of each process to that of the run, over all runs */
    double clock_bound;      /* s, how wrong the global clock may be */
    uint32_t n_late;         /* runs that a process came too late for the start of */
    uint64_t n_unreceived;   /* messages that no receive took, of all runs */
};

/* Collective. What is wrong is in `diags` of the rank that met it, which must end the job: others may wait for it.
 * But STATUS_UNMATCHED, which comes after the last run, is the same on all ranks. The caller ends *measured with
 * measured_free. */
enum status measure(const struct measure_request *request, struct measured *measured, struct diags *diags);
void measured_free(struct measured *measured);

#endif
