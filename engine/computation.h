/* computation.h - how long each computation of a process takes in a replication.
 *
 * The numbers are the ones that every engine draws: a function of (seed, replication, process, how many came before),
 * so who executes a program and who simulates it give a process the same work. Units: seconds. */
#ifndef PEVPM_ENGINE_COMPUTATION_H
#define PEVPM_ENGINE_COMPUTATION_H

#include "engine/operand.h"
#include "engine/price.h"
#include "engine/variability.h"

#include <stdbool.h>
#include <stdint.h>

/* Of all processes and replications. All but `variability` is borrowed; variability_free ends it. */
struct computations {
    const struct program *program;
    const struct machine *machine;
    struct price_book *book;
    enum cost_mode mode;
    uint64_t seed;
    struct variability variability;
};

/* One process in one replication. */
struct computing {
    uint32_t replication;
    int process;
    double time_factor;               /* node_time_factor * per_run * per_node */
    uint64_t n_sampled, n_computed;   /* so far */
};

void computing_begin(const struct computations *all, struct computing *computing, uint32_t replication, int process);

/* Looks up beforehand what a process draws from where that never changes: the table of a law takes milliseconds to make,
 * which belong to no run. */
void computations_prepare(const struct computations *all, int process);

/* The time of the computation `instr` (SERIAL, SAMPLE) that the process comes to. False: an operand is out of range, or
 * nobody timed it. */
bool computing_next(const struct computations *all, struct computing *computing, const struct instr *instr,
                    const struct value *slots, double *seconds, struct problem *problem);

#endif
