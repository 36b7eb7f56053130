#include "models/launched.h"

#include "common/alloc.h"
#include "models/wrapped/wrapped.h"

#include <stdlib.h>

struct launched {
    struct wrapped base;     /* first */
    struct machine_curve sd; /* by bytes */
};

/* Whether entry a tells more of launches than b: between nodes rather than within one, then the lower level. */
static bool tells_more(const struct machine_entry *a, const struct machine_entry *b)
{
    if ((a->nodes == 1) != (b->nodes == 1))
        return b->nodes == 1;
    return a->level < b->level;
}

static const struct machine_entry *lowest_entry(const struct machine *machine)
{
    const struct machine_entry *lowest = NULL;
    for (size_t i = 0; i < machine->n_entries; i++) {
        const struct machine_entry *entry = &machine->entries[i];
        bool serves = entry->transport != TRANSPORT_self &&
                      (entry->pattern == PATTERN_pingpong || entry->pattern == PATTERN_pairs);
        for (size_t j = 0; serves && j < entry->n_sizes; j++)
            if (entry->sizes[j].launch_sd > 0 && (!lowest || tells_more(entry, lowest)))
                lowest = entry;
    }
    return lowest;
}

bool launched_is_known(const struct machine *machine)
{
    return lowest_entry(machine) != NULL;
}

static void launched_transit(const struct cost_model *model, uint32_t pair, enum send_kind kind, int64_t bytes,
                             int level, struct mix *mix)
{
    const struct cost_model *inner = wrapped_inner(model);
    inner->transit(inner, pair, kind, bytes, level, mix);
    mix_scale(mix, 1 + machine_curve_at(&((const struct launched *)model)->sd, (double)bytes));
}

static void launched_close(struct cost_model *model)
{
    struct launched *launched = (struct launched *)model;
    free(launched->sd.bytes);
    free(launched->sd.time);
    wrapped_close(model);
}

struct cost_model *launched_wrap(const struct cost_model *inner, const struct machine *machine)
{
    const struct machine_entry *entry = lowest_entry(machine);
    struct launched *launched = alloc_zeroed(1, sizeof *launched);
    struct machine_curve *sd = &launched->sd;
    size_t n = entry ? entry->n_sizes : 0;
    wrapped_init(&launched->base, inner);
    sd->bytes = alloc_array(n + 1, sizeof *sd->bytes);
    sd->time = alloc_array(n + 1, sizeof *sd->time);
    for (size_t i = 0; i < n; i++) {
        if (entry->sizes[i].launch_sd <= 0)
            continue;
        sd->bytes[sd->n] = (double)entry->sizes[i].bytes;
        sd->time[sd->n++] = entry->sizes[i].launch_sd;
    }
    if (sd->n > 0) { /* a curve goes on with its last slope: a second point ends it level */
        sd->bytes[sd->n] = 2 * sd->bytes[sd->n - 1] + 1;
        sd->time[sd->n] = sd->time[sd->n - 1];
        sd->n++;
    }
    launched->base.door.transit = launched_transit;
    launched->base.door.close = launched_close;
    return &launched->base.door;
}
