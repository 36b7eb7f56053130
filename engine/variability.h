/* variability.h - how much longer the same computation takes in one run, on one node, at one call than in another.
 *
 * The machine file's `serial_variability` gives factors on every Serial time. The time of an execution is
 *
 *     seconds * (((node_time_factor * per_run) * per_node) * per_call)
 *
 * in this order in every engine, so that they agree bit for bit. per_run is drawn once for a replication, per_node once
 * for each node in it, per_call at each execution. What the file does not give is 1; in the modes average and minimum a
 * factor is its average. */
#ifndef PEVPM_ENGINE_VARIABILITY_H
#define PEVPM_ENGINE_VARIABILITY_H

#include "models/cost.h"
#include "models/machine.h"
#include "models/quantile.h"

#include <stdbool.h>
#include <stdint.h>

struct variability {
    bool any;                    /* the machine has one of them: else all factors are node_time_factor */
    const struct machine *machine;
    struct quantile factor[N_VARIABILITIES];
};

/* machine: borrowed. Ends with variability_free. */
void variability_init(struct variability *v, const struct machine *machine, enum cost_mode mode);
void variability_free(struct variability *v);

/* (node_time_factor * per_run) * per_node. */
double variability_at(const struct variability *v, uint64_t seed, uint32_t replication, int node);

/* The quantile function of per_call, drawn from STREAM_SERIAL_CALL. */
static inline const struct quantile *variability_of_call(const struct variability *v)
{
    return &v->factor[VARIABILITY_per_call];
}

#endif
