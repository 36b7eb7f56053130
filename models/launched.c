#include "models/launched.h"

#include "common/alloc.h"

#include <stdlib.h>

struct launched_model {
    struct cost_model base; /* first: a struct cost_model * is also this */
    const struct cost_model *inner;
    struct machine_curve sd; /* by bytes */
};

static const struct machine_entry *lowest_entry(const struct machine *machine)
{
    const struct machine_entry *lowest = NULL;
    for (size_t i = 0; i < machine->n_entries; i++) {
        const struct machine_entry *entry = &machine->entries[i];
        bool serves = entry->pattern == PATTERN_pingpong || entry->pattern == PATTERN_pairs;
        for (size_t j = 0; serves && j < entry->n_sizes; j++)
            if (entry->sizes[j].launch_sd > 0 && (!lowest || entry->level < lowest->level))
                lowest = entry;
    }
    return lowest;
}

bool launched_is_known(const struct machine *machine)
{
    return lowest_entry(machine) != NULL;
}

static const struct launched_model *launched_of(const struct cost_model *model)
{
    return (const struct launched_model *)model;
}

static uint32_t launched_pair_class(const struct cost_model *model, int from_node, int to_node)
{
    const struct cost_model *inner = launched_of(model)->inner;
    return inner->pair_class(inner, from_node, to_node);
}

static void launched_transit(const struct cost_model *model, uint32_t pair_class, enum send_kind kind, int64_t bytes,
                             int level, struct mix *mix)
{
    const struct cost_model *inner = launched_of(model)->inner;
    inner->transit(inner, pair_class, kind, bytes, level, mix);
    double factor = 1 + machine_curve_at(&launched_of(model)->sd, (double)bytes);
    for (int i = 0; i < mix->n; i++)
        mix->weight[i] *= factor;
}

static void launched_overhead(const struct cost_model *model, uint32_t pair_class, enum side side, enum send_kind kind,
                              int64_t bytes, struct mix *mix)
{
    const struct cost_model *inner = launched_of(model)->inner;
    inner->overhead(inner, pair_class, side, kind, bytes, mix);
}

static void launched_ports_for(const struct cost_model *model, uint32_t pair_class, int64_t bytes,
                               struct port_cost *cost)
{
    const struct cost_model *inner = launched_of(model)->inner;
    inner->ports_for(inner, pair_class, bytes, cost);
}

static void launched_close(struct cost_model *base)
{
    struct launched_model *model = (struct launched_model *)base;
    free(model->sd.bytes);
    free(model->sd.time);
    free(model);
}

struct cost_model *launched_wrap(const struct cost_model *inner, const struct machine *machine)
{
    const struct machine_entry *entry = lowest_entry(machine);
    struct launched_model *model = alloc_zeroed(1, sizeof *model);
    size_t n = entry ? entry->n_sizes : 0;
    model->inner = inner;
    model->sd.bytes = alloc_array(n + 1, sizeof *model->sd.bytes);
    model->sd.time = alloc_array(n + 1, sizeof *model->sd.time);
    for (size_t i = 0; i < n; i++) {
        if (entry->sizes[i].launch_sd <= 0)
            continue;
        model->sd.bytes[model->sd.n] = (double)entry->sizes[i].bytes;
        model->sd.time[model->sd.n++] = entry->sizes[i].launch_sd;
    }
    if (model->sd.n > 0) { /* a curve goes on with its last slope: a second point ends it level */
        model->sd.bytes[model->sd.n] = 2 * model->sd.bytes[model->sd.n - 1] + 1;
        model->sd.time[model->sd.n] = model->sd.time[model->sd.n - 1];
        model->sd.n++;
    }
    model->base = *inner;
    model->base.pair_class = launched_pair_class;
    model->base.transit = launched_transit;
    model->base.overhead = launched_overhead;
    model->base.ports_for = launched_ports_for;
    model->base.close = launched_close;
    return &model->base;
}
