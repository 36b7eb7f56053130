#include "models/measured.h"

#include "common/alloc.h"
#include "models/machine.h"
#include "models/pair_class.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* One quantity of one entry by message size, ascending. */
struct track {
    size_t n;
    int64_t *bytes;
    const struct distribution **part;
};

/* What serves one kind of message: a transit track for each level, ascending; overheads by enum side. */
struct serving {
    size_t n;
    int *level;
    struct track *transit;
    struct track overhead[2];
};

enum placement { BETWEEN_NODES, WITHIN_NODE, PLACEMENTS };

struct measured_model {
    struct cost_model base; /* first: a struct cost_model * is also this */
    const struct machine *machine;
    enum cost_mode mode;
    bool levels;            /* off under CONTENTION_none */
    uint32_t n_nodes;       /* told apart by pair classes */
    struct serving serving[PLACEMENTS][2]; /* by enum send_kind */
    struct distribution *constants;        /* of the modes average and minimum */
    size_t n_constants;
    struct distribution zero;
};

/* ---- selection ---- */

static enum placement placement_of(const struct machine_entry *entry)
{
    return entry->nodes == 1 ? WITHIN_NODE : BETWEEN_NODES;
}

static bool entry_serves(const struct machine_entry *entry, enum placement placement)
{
    bool makes_levels = entry->pattern == PATTERN_pingpong || entry->pattern == PATTERN_pairs;
    return makes_levels && entry->n_sizes > 0 && placement_of(entry) == placement;
}

/* Whether a comes before b where both have the same level. */
static bool entry_preferred(const struct machine_entry *a, const struct machine_entry *b, int ppn)
{
    enum pattern best = a->level == 1 ? PATTERN_pingpong : PATTERN_pairs;
    if ((a->pattern == best) != (b->pattern == best))
        return a->pattern == best;
    int far_a = abs(a->ppn - ppn), far_b = abs(b->ppn - ppn);
    return far_a != far_b ? far_a < far_b : a->nodes < b->nodes;
}

/* Puts an entry at its place among those chosen, ascending by level, one each. */
static void chosen_add(const struct machine_entry *chosen[], size_t *n, const struct machine_entry *entry, int ppn)
{
    size_t at = *n;
    while (at > 0 && chosen[at - 1]->level > entry->level)
        at--;
    if (at > 0 && chosen[at - 1]->level == entry->level) {
        if (entry_preferred(entry, chosen[at - 1], ppn))
            chosen[at - 1] = entry;
        return;
    }
    for (size_t i = (*n)++; i > at; i--)
        chosen[i] = chosen[i - 1];
    chosen[at] = entry;
}

/* The entries that serve, ascending by level, into chosen [n_entries]; how many. */
static size_t entries_choose(const struct machine *machine, enum placement placement, enum send_kind kind, int ppn,
                             const struct machine_entry *chosen[])
{
    bool has_kind = false, has_ppn = false;
    for (size_t i = 0; i < machine->n_entries; i++) {
        const struct machine_entry *entry = &machine->entries[i];
        has_kind |= entry_serves(entry, placement) && entry->operation == kind;
    }
    for (size_t i = 0; i < machine->n_entries; i++) {
        const struct machine_entry *entry = &machine->entries[i];
        has_ppn |= entry_serves(entry, placement) && (entry->operation == kind) == has_kind && entry->ppn == ppn;
    }
    size_t n = 0;
    for (size_t i = 0; i < machine->n_entries; i++) {
        const struct machine_entry *entry = &machine->entries[i];
        if (entry_serves(entry, placement) && (entry->operation == kind) == has_kind && (!has_ppn || entry->ppn == ppn))
            chosen_add(chosen, &n, entry, ppn);
    }
    return n;
}

/* ---- building ---- */

static const struct distribution *part_for(struct measured_model *model, const struct distribution *d)
{
    if (model->mode == MODE_distribution)
        return d;
    struct distribution *constant = &model->constants[model->n_constants++];
    distribution_constant(constant, model->mode == MODE_average ? d->average : d->minimum);
    return constant;
}

/* Which distribution of a size: 0 transit, 1 + enum side an overhead; NULL: not given. */
enum quantity { QUANTITY_TRANSIT, QUANTITY_SEND_OVERHEAD, QUANTITY_RECEIVE_OVERHEAD };

static const struct distribution *size_quantity(const struct machine_size *size, enum quantity quantity)
{
    switch (quantity) {
    case QUANTITY_TRANSIT:
        return &size->transit;
    case QUANTITY_SEND_OVERHEAD:
        return size->has_send_overhead ? &size->send_overhead : NULL;
    case QUANTITY_RECEIVE_OVERHEAD:
        return size->has_receive_overhead ? &size->receive_overhead : NULL;
    }
    return NULL;
}

/* False when no size of the entry has the quantity. */
static bool track_build(struct measured_model *model, struct track *track, const struct machine_entry *entry,
                        enum quantity quantity)
{
    size_t n = 0;
    for (size_t i = 0; i < entry->n_sizes; i++)
        n += size_quantity(&entry->sizes[i], quantity) != NULL;
    if (n == 0)
        return false;
    track->bytes = alloc_array(n, sizeof *track->bytes);
    track->part = alloc_array(n, sizeof *track->part);
    for (size_t i = 0; i < entry->n_sizes; i++) {
        const struct distribution *d = size_quantity(&entry->sizes[i], quantity);
        if (!d)
            continue;
        track->bytes[track->n] = entry->sizes[i].bytes;
        track->part[track->n++] = part_for(model, d);
    }
    return true;
}

static void serving_build(struct measured_model *model, struct serving *serving, size_t n,
                          const struct machine_entry *const chosen[])
{
    serving->n = n;
    serving->level = alloc_array(n, sizeof *serving->level);
    serving->transit = alloc_zeroed(n, sizeof *serving->transit);
    for (size_t i = 0; i < n; i++) {
        serving->level[i] = chosen[i]->level;
        track_build(model, &serving->transit[i], chosen[i], QUANTITY_TRANSIT);
    }
    for (int side = 0; side < 2; side++)
        for (size_t i = 0; i < n; i++)
            if (track_build(model, &serving->overhead[side], chosen[i], QUANTITY_SEND_OVERHEAD + (enum quantity)side))
                break;
}

static void servings_build(struct measured_model *model, int ppn)
{
    const struct machine *machine = model->machine;
    size_t sizes = 0;
    for (size_t i = 0; i < machine->n_entries; i++)
        sizes += machine->entries[i].n_sizes;
    /* An entry serves at most both kinds of send; each size has at most three quantities. */
    if (model->mode != MODE_distribution)
        model->constants = alloc_zeroed(2 * 3 * sizes, sizeof *model->constants);
    const struct machine_entry **chosen = alloc_array(machine->n_entries, sizeof *chosen);
    for (enum placement placement = BETWEEN_NODES; placement < PLACEMENTS; placement++)
        for (int kind = 0; kind < 2; kind++) {
            size_t n = entries_choose(machine, placement, (enum send_kind)kind, ppn, chosen);
            if (n > 0)
                serving_build(model, &model->serving[placement][kind], n, chosen);
        }
    free(chosen);
}

static enum status servings_check(const struct measured_model *model, int ppn, struct diags *diags)
{
    const struct machine *machine = model->machine;
    bool between = model->serving[BETWEEN_NODES][0].n > 0, within = model->serving[WITHIN_NODE][0].n > 0;
    struct place place = place_of_file(machine->path);
    if (!between && !within) {
        diag_error(diags, place,
                   "no `point_to_point` entry with pattern pingpong or pairs: run pevpm-bench or add one");
        return STATUS_SCHEMA;
    }
    if (!between && machine->nodes > 1) {
        diag_error(diags, place,
                   "no `point_to_point` entry between nodes (nodes: 2 or more): run pevpm-bench or add one");
        return STATUS_SCHEMA;
    }
    if (!within && ppn > 1)
        diag_note(diags, place,
                  "no `point_to_point` entry within a node (nodes: 1): messages within a node are taken to cost "
                  "what those between nodes do");
    return STATUS_OK;
}

/* ---- costs ---- */

static void mix_add(struct mix *mix, double weight, const struct distribution *part)
{
    assert(mix->n < MIX_MOST);
    mix->weight[mix->n] = weight;
    mix->part[mix->n++] = part;
}

/* Adds `weight` times the track at `bytes`. */
static void track_mix(const struct track *track, int64_t bytes, double weight, struct mix *mix)
{
    size_t low = 0, high = track->n - 1;
    if (high == 0 || bytes <= track->bytes[0]) {
        mix_add(mix, weight, track->part[0]);
        return;
    }
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (track->bytes[middle] <= bytes)
            low = middle;
        else
            high = middle;
    }
    double share = (double)(bytes - track->bytes[low]) / (double)(track->bytes[high] - track->bytes[low]);
    if (share != 1)
        mix_add(mix, weight * (1 - share), track->part[low]);
    if (share != 0)
        mix_add(mix, weight * share, track->part[high]);
}

static const struct serving *serving_of(const struct measured_model *model, uint32_t pair_class, enum send_kind kind)
{
    uint32_t from, to;
    bool within = pair_class_nodes(model->n_nodes, pair_class, &from, &to);
    const struct serving *serving = &model->serving[within ? WITHIN_NODE : BETWEEN_NODES][kind];
    return serving->n > 0 ? serving : &model->serving[within ? BETWEEN_NODES : WITHIN_NODE][kind];
}

static void measured_transit(const struct cost_model *base, uint32_t pair_class, enum send_kind kind, int64_t bytes,
                             int level, struct mix *mix)
{
    const struct measured_model *model = (const struct measured_model *)base;
    const struct serving *serving = serving_of(model, pair_class, kind);
    size_t above = 0; /* the first level that is at least the one asked for */
    mix->n = 0;
    assert(level >= 1 && bytes >= 0);
    if (!model->levels)
        level = 1;
    while (above < serving->n && serving->level[above] < level)
        above++;
    if (above == 0 || above == serving->n || serving->level[above] == level) {
        track_mix(&serving->transit[above < serving->n ? above : above - 1], bytes, 1, mix);
        return;
    }
    int low = serving->level[above - 1], high = serving->level[above];
    double share = (double)(level - low) / (double)(high - low);
    track_mix(&serving->transit[above - 1], bytes, 1 - share, mix);
    track_mix(&serving->transit[above], bytes, share, mix);
}

static void measured_overhead(const struct cost_model *base, uint32_t pair_class, enum side side, enum send_kind kind,
                              int64_t bytes, struct mix *mix)
{
    const struct measured_model *model = (const struct measured_model *)base;
    const struct track *track = &serving_of(model, pair_class, kind)->overhead[side];
    mix->n = 0;
    if (track->n > 0)
        track_mix(track, bytes, 1, mix);
    else
        mix_add(mix, 1, &model->zero);
}

static void measured_ports_for(const struct cost_model *base, uint32_t pair_class, int64_t bytes,
                               struct port_cost *cost)
{
    const struct measured_model *model = (const struct measured_model *)base;
    const struct machine *machine = model->machine;
    uint32_t from, to;
    *cost = (struct port_cost){0};
    if (pair_class_nodes(model->n_nodes, pair_class, &from, &to) || base->ports == PORTS_OFF)
        return;
    const struct machine_ports *sender = machine->n_node_ports ? &machine->node_ports[from] : &machine->ports;
    const struct machine_ports *receiver = machine->n_node_ports ? &machine->node_ports[to] : &machine->ports;
    double size = (double)bytes;
    cost->out_gap = machine_curve_at(&sender->out_gap, size);
    cost->in_gap = machine_curve_at(&receiver->in_gap, size);
    cost->out_saved = sender->credit;
    cost->in_saved = receiver->credit;
    cost->receivers_out_gap = machine_curve_at(&receiver->out_gap, size);
    cost->reverse_out = machine_curve_at(&receiver->reverse_gap, size);
    cost->reverse_in = machine_curve_at(&sender->reverse_gap, size);
    cost->exchange_out = machine_curve_at(&receiver->exchange_gap, size);
    cost->exchange_in = machine_curve_at(&sender->exchange_gap, size);
    cost->common = machine_curve_at(&machine->common_gap, size);
    double frames = sender->frame > 0 ? fmax(1, ceil(size / sender->frame)) : 1;
    cost->spread = cost->out_gap * (1 - 1 / frames);
    cost->frame = cost->in_gap / frames;
    cost->senders_frame = machine_curve_at(&sender->in_gap, size) / frames;
    cost->buffer = receiver->buffer > 0 && machine->has_overflow ? receiver->buffer : INFINITY;
}

static uint32_t measured_pair_class(const struct cost_model *base, int from_node, int to_node)
{
    const struct measured_model *model = (const struct measured_model *)base;
    return pair_class_of(model->n_nodes, from_node, to_node);
}

/* ---- opening and closing ---- */

static void track_free(struct track *track)
{
    free(track->bytes);
    free(track->part);
}

static void measured_close(struct cost_model *base)
{
    struct measured_model *model = (struct measured_model *)base;
    for (int i = 0; i < 2 * PLACEMENTS; i++) {
        struct serving *serving = &model->serving[i / 2][i % 2];
        for (size_t j = 0; j < serving->n; j++)
            track_free(&serving->transit[j]);
        free(serving->transit);
        free(serving->level);
        track_free(&serving->overhead[0]);
        track_free(&serving->overhead[1]);
    }
    for (size_t i = 0; i < model->n_constants; i++)
        distribution_free(&model->constants[i]);
    free(model->constants);
    distribution_free(&model->zero);
    free(model);
}

static int highest_level(const struct measured_model *model)
{
    int highest = 1;
    for (int i = 0; i < 2 * PLACEMENTS; i++) {
        const struct serving *serving = &model->serving[i / 2][i % 2];
        if (serving->n > 0 && serving->level[serving->n - 1] > highest)
            highest = serving->level[serving->n - 1];
    }
    return highest;
}

enum status measured_model_open(struct cost_model **out, const struct machine *machine,
                                const struct cost_options *options, struct diags *diags)
{
    *out = NULL;
    bool ports = options->contention == CONTENTION_ports;
    if (ports && !machine->has_ports) {
        diag_error(diags, place_of_file(machine->path),
                   "no `ports`, which --contention ports needs: run pevpm-bench, add them, or "
                   "use --contention scoreboard");
        return STATUS_SCHEMA;
    }
    struct measured_model *model = alloc_zeroed(1, sizeof *model);
    model->machine = machine;
    model->mode = options->mode;
    model->levels = options->contention != CONTENTION_none;
    model->n_nodes = ports && machine->n_node_ports ? (uint32_t)machine->n_node_ports : 1;
    distribution_constant(&model->zero, 0);
    servings_build(model, options->ppn);
    int highest = highest_level(model);
    model->base = (struct cost_model){
        .name = "measured",
        .ports = !ports ? PORTS_OFF : machine->ports_per_process ? PORTS_PER_PROCESS : PORTS_PER_NODE,
        .eager_limit = machine->eager_limit,
        .ports_in_frames = ports && (machine->ports.frame > 0 || machine->ports.reverse_gap.n > 0 ||
                                     machine->ports.exchange_gap.n > 0 ||
                                     machine->has_overflow || machine->n_node_ports > 0 ||
                                     machine->common_gap.n > 0 || machine->rest_delay.n > 0),
        .overflow = ports && machine->has_overflow ? &machine->overflow : NULL,
        .rest_delay = ports && machine->rest_delay.n > 0 ? &machine->rest_delay : NULL,
        .measured_after = machine->measured_after,
        .progress = machine->progress,
        .level_max = model->levels ? highest : 1,
        .level_measured = highest,
        .pair_class = measured_pair_class,
        .transit = measured_transit,
        .overhead = measured_overhead,
        .ports_for = measured_ports_for,
        .close = measured_close,
    };
    enum status status = servings_check(model, options->ppn, diags);
    if (status == STATUS_OK)
        *out = &model->base;
    else
        measured_close(&model->base);
    return status;
}
