#include "models/measured/tables.h"

#include "common/alloc.h"
#include "models/measured/choice.h"
#include "models/measured/rare.h"

#include <stdlib.h>

static const struct distribution *part_for(struct measured_model *model, const struct distribution *d)
{
    if (model->mode == MODE_distribution)
        return d;
    struct distribution *constant = &model->own[model->n_own++];
    distribution_constant(constant, model->mode == MODE_average ? d->average : d->minimum);
    return constant;
}

/* The entry of the other operation that was measured like this one; NULL: there is none. */
static const struct machine_entry *entry_sibling(const struct machine *machine, const struct machine_entry *entry)
{
    for (size_t i = 0; i < machine->n_entries; i++) {
        const struct machine_entry *other = &machine->entries[i];
        if (entry_serves(other, entry->transport) && other->operation != entry->operation &&
            other->pattern == entry->pattern && other->nodes == entry->nodes && other->ppn == entry->ppn &&
            other->level == entry->level)
            return other;
    }
    return NULL;
}

/* The sizes of the entry above those that the track has. */
static void track_extend(struct measured_model *model, struct track *track, const struct machine_entry *entry,
                         enum quantity quantity)
{
    const int64_t last = track->n > 0 ? track->bytes[track->n - 1] : -1;
    track->bytes = alloc_resize(track->bytes, track->n + entry->n_sizes, sizeof *track->bytes);
    track->part = alloc_resize(track->part, track->n + entry->n_sizes, sizeof *track->part);
    for (size_t i = 0; i < entry->n_sizes; i++) {
        const struct distribution *d = size_quantity(&entry->sizes[i], quantity);
        if (!d || entry->sizes[i].bytes <= last)
            continue;
        track->bytes[track->n] = entry->sizes[i].bytes;
        track->part[track->n++] = part_for(model, d);
    }
}

/* entry_has: some size of the entry has the quantity. Beyond its sizes the other operation's tell more than a line
 * through the last two of its own, which may lie where a port that has rested passes messages at once. */
static void track_build(struct measured_model *model, struct track *track, const struct machine_entry *entry,
                        enum quantity quantity)
{
    const struct machine_entry *sibling = entry_sibling(model->machine, entry);
    track_extend(model, track, entry, quantity);
    if (sibling)
        track_extend(model, track, sibling, quantity);
}

/* Few of a size were measured, and late ones among them. */
static void track_pool(struct measured_model *model, enum transport transport, struct track *track)
{
    struct rare_mean *most = &model->rare[transport];
    struct distribution *pooled = alloc_array(track->n, sizeof *pooled);
    rare_pool(track->n, track->part, pooled);
    for (size_t i = 0; i < track->n; i++)
        if (pooled[i].n > 0) {
            const struct rare_mean mean = {track->bytes[i], distribution_mean(track->part[i]), distribution_mean(&pooled[i])};
            if (most->taken == 0 || mean.measured - mean.taken > most->measured - most->taken)
                *most = mean;
            model->own[model->n_own] = pooled[i];
            track->part[i] = &model->own[model->n_own++];
        }
    free(pooled);
}

static void serving_build(struct measured_model *model, enum transport transport, enum send_kind kind, int ppn,
                          size_t n, const struct machine_entry *const chosen[])
{
    struct serving *serving = &model->serving[transport][kind];
    serving->n = n;
    serving->level = alloc_array(n, sizeof *serving->level);
    serving->transit = alloc_zeroed(n, sizeof *serving->transit);
    for (size_t i = 0; i < n; i++) {
        serving->level[i] = chosen[i]->level;
        track_build(model, &serving->transit[i], chosen[i], QUANTITY_TRANSIT);
        if (model->mode == MODE_distribution)
            track_pool(model, transport, &serving->transit[i]);
    }
    for (int side = 0; side < 2; side++) {
        enum quantity quantity = QUANTITY_SEND_OVERHEAD + (enum quantity)side;
        const struct machine_entry *entry = entry_with(model->machine, transport, kind, ppn, quantity);
        if (entry)
            track_build(model, &serving->overhead[side], entry, quantity);
    }
}

static void servings_build(struct measured_model *model, int ppn)
{
    const struct machine *machine = model->machine;
    size_t sizes = 0;
    for (size_t i = 0; i < machine->n_entries; i++)
        sizes += machine->entries[i].n_sizes;
    /* An entry serves at most both kinds of send, and its sibling's; each size has at most three quantities. */
    model->own = alloc_zeroed(2 * 2 * 3 * sizes, sizeof *model->own);
    const struct machine_entry **chosen = alloc_array(machine->n_entries, sizeof *chosen);
    for (enum transport transport = 0; transport < N_TRANSPORTS; transport++)
        for (int kind = 0; kind < 2; kind++) {
            size_t n = entries_choose(machine, transport, (enum send_kind)kind, ppn, chosen);
            if (n > 0)
                serving_build(model, transport, (enum send_kind)kind, ppn, n, chosen);
        }
    free(chosen);
}

/* The tables of times, by transport and kind of send; `base` is filled later, from them. */
struct measured_model *tables_build(const struct machine *machine, const struct cost_options *options)
{
    struct measured_model *model = alloc_zeroed(1, sizeof *model);
    model->machine = machine;
    model->mode = options->mode;
    model->levels = options->contention != CONTENTION_none;
    node_kinds_init(&model->kinds, machine);
    machine_paths_init(&model->paths, machine);
    model->n_kinds = contention_has_ports(options->contention) ? model->kinds.n : 1;
    distribution_constant(&model->zero, 0);
    distribution_constant(&model->second, 1);
    servings_build(model, options->ppn);
    for (int kind = 0; kind < 2; kind++) {
        const struct track *sends = &serving_of(model, TRANSPORT_node, (enum send_kind)kind)->overhead[SIDE_SEND];
        distribution_constant(&model->least_send[kind], sends->n > 0 ? sends->part[0]->minimum : 0);
    }
    return model;
}

static void track_free(struct track *track)
{
    free(track->bytes);
    free(track->part);
}

void measured_close(struct cost_model *base)
{
    struct measured_model *model = (struct measured_model *)base;
    for (int i = 0; i < 2 * N_TRANSPORTS; i++) {
        struct serving *serving = &model->serving[i / 2][i % 2];
        for (size_t j = 0; j < serving->n; j++)
            track_free(&serving->transit[j]);
        free(serving->transit);
        free(serving->level);
        track_free(&serving->overhead[0]);
        track_free(&serving->overhead[1]);
    }
    for (size_t i = 0; i < model->n_own; i++)
        distribution_free(&model->own[i]);
    free(model->own);
    node_kinds_free(&model->kinds);
    machine_paths_free(&model->paths);
    distribution_free(&model->zero);
    distribution_free(&model->second);
    distribution_free(&model->least_send[0]);
    distribution_free(&model->least_send[1]);
    free(model);
}
