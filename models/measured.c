#include "models/measured.h"

#include "common/alloc.h"
#include "models/machine.h"
#include "models/frame_cost.h"
#include "models/machine_path.h"
#include "models/node_kind.h"
#include "models/pair_class.h"

#include <assert.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

struct measured_model {
    struct cost_model base; /* first: a struct cost_model * is also this */
    const struct machine *machine;
    enum cost_mode mode;
    bool levels;            /* off under CONTENTION_none */
    struct node_kinds kinds;
    struct machine_paths paths;
    uint32_t n_kinds;       /* of nodes, told apart by pair classes */
    struct serving serving[N_TRANSPORTS][2]; /* by enum send_kind */
    struct distribution *constants;        /* of the modes average and minimum */
    size_t n_constants;
    struct distribution zero, second; /* 0 s, 1 s */
    struct distribution least_send[2]; /* by enum send_kind: the smallest overhead of sending an empty message */
};

/* ---- selection ---- */

static bool entry_serves(const struct machine_entry *entry, enum transport transport)
{
    bool makes_levels = entry->pattern == PATTERN_pingpong || entry->pattern == PATTERN_pairs;
    return makes_levels && entry->n_sizes > 0 && entry->transport == transport;
}

/* Whether a comes before b where both have the same level and are as close to what is asked for. */
static bool entry_preferred(const struct machine_entry *a, const struct machine_entry *b, int ppn)
{
    enum pattern best = a->level == 1 ? PATTERN_pingpong : PATTERN_pairs;
    if ((a->pattern == best) != (b->pattern == best))
        return a->pattern == best;
    int far_a = abs(a->ppn - ppn), far_b = abs(b->ppn - ppn);
    return far_a != far_b ? far_a < far_b : a->nodes < b->nodes;
}

/* How far an entry is from what is asked for: 0 nothing differs, 1 the operation, 2 the ppn, 3 both. Within a node the
 * level says how many send, whatever the ppn. */
enum { DISTANCES = 4 };

static int entry_distance(const struct machine_entry *entry, enum send_kind kind, int ppn)
{
    bool other_ppn = entry->transport == TRANSPORT_network && entry->ppn != ppn;
    return 2 * other_ppn + (entry->operation != kind);
}

/* Whether messages between nodes were measured with as many processes per node as the run has. */
static bool ppn_was_measured(const struct machine *machine, int ppn)
{
    for (size_t i = 0; i < machine->n_entries; i++)
        if (entry_serves(&machine->entries[i], TRANSPORT_network) && machine->entries[i].ppn == ppn)
            return true;
    return false;
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

/* The entries that make the axis of levels, ascending, into chosen [n_entries]; how many. The closest come first; those
 * further away make the axis longer and never stand between two that are closer. With other ppn they do so downwards
 * only: few messages that share a node's port are as many that do not, but of many no ppn tells what another costs. */
static size_t entries_choose(const struct machine *machine, enum transport transport, enum send_kind kind, int ppn,
                             const struct machine_entry *chosen[])
{
    const bool has_ppn = ppn_was_measured(machine, ppn);
    size_t n = 0;
    for (int distance = 0; distance < DISTANCES; distance++) {
        const bool upwards = distance < 2 || !has_ppn;
        const int low = n > 0 ? chosen[0]->level : INT_MAX, high = n > 0 ? chosen[n - 1]->level : INT_MAX;
        for (size_t i = 0; i < machine->n_entries; i++) {
            const struct machine_entry *entry = &machine->entries[i];
            if (entry_serves(entry, transport) && entry_distance(entry, kind, ppn) == distance &&
                (entry->level < low || (upwards && entry->level > high)))
                chosen_add(chosen, &n, entry, ppn);
        }
    }
    return n;
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

static bool entry_has(const struct machine_entry *entry, enum quantity quantity)
{
    for (size_t i = 0; i < entry->n_sizes; i++)
        if (size_quantity(&entry->sizes[i], quantity))
            return true;
    return false;
}

/* The entry that a quantity which does not depend on the level is taken from; NULL: none has it. Of those that have it
 * at all one of its operation, then of the lowest level, then of the run's ppn. */
static const struct machine_entry *entry_with(const struct machine *machine, enum transport transport,
                                              enum send_kind kind, int ppn, enum quantity quantity)
{
    const struct machine_entry *found = NULL;
    for (size_t i = 0; i < machine->n_entries; i++) {
        const struct machine_entry *entry = &machine->entries[i];
        if (!entry_serves(entry, transport) || !entry_has(entry, quantity))
            continue;
        bool better = !found;
        if (found && (entry->operation == kind) != (found->operation == kind))
            better = entry->operation == kind;
        else if (found && entry->level != found->level)
            better = entry->level < found->level;
        else if (found && (entry->ppn == ppn) != (found->ppn == ppn))
            better = entry->ppn == ppn;
        else if (found)
            better = entry_preferred(entry, found, ppn);
        found = better ? entry : found;
    }
    return found;
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
    /* An entry serves at most both kinds of send; each size has at most three quantities. */
    if (model->mode != MODE_distribution)
        model->constants = alloc_zeroed(2 * 3 * sizes, sizeof *model->constants);
    const struct machine_entry **chosen = alloc_array(machine->n_entries, sizeof *chosen);
    for (enum transport transport = 0; transport < N_TRANSPORTS; transport++)
        for (int kind = 0; kind < 2; kind++) {
            size_t n = entries_choose(machine, transport, (enum send_kind)kind, ppn, chosen);
            if (n > 0)
                serving_build(model, transport, (enum send_kind)kind, ppn, n, chosen);
        }
    free(chosen);
}

/* A demand measured at one size says nothing of others. True: it was, which is noted. */
static bool gap_check(const struct machine *machine, const struct machine_curve *gap, const char *name,
                      struct diags *diags)
{
    if (gap->n != 1 || gap->time[0] == 0)
        return false;
    diag_note(diags, place_of_file(machine->path),
              "%s has one size, %.10g bytes: messages of all sizes are taken to keep %s busy as long", name,
              gap->bytes[0], machine->version >= 2 ? "it" : "a port");
    return true;
}

/* Of all nodes, or of the first whose own ports say so. */
static void port_gaps_check(const struct machine *machine, struct diags *diags)
{
    bool out = gap_check(machine, &machine->ports.out_gap, "ports.out_gap", diags);
    bool in = gap_check(machine, &machine->ports.in_gap, "ports.in_gap", diags);
    for (size_t i = 0; i < machine->n_node_ports; i++) {
        char name[60];
        snprintf(name, sizeof name, "ports.per_node[%zu].out_gap", i);
        out = out || gap_check(machine, &machine->node_ports[i].out_gap, name, diags);
        snprintf(name, sizeof name, "ports.per_node[%zu].in_gap", i);
        in = in || gap_check(machine, &machine->node_ports[i].in_gap, name, diags);
    }
}

/* What has messages of one size is noted once. */
static void gaps_check(const struct machine *machine, struct diags *diags)
{
    if (machine->version < 2)
        port_gaps_check(machine, diags);
    for (size_t i = 0; i < machine->n_resources; i++) {
        char name[60];
        snprintf(name, sizeof name, "resources[%zu].demand", i);
        if (gap_check(machine, &machine->resources[i].demand, name, diags))
            return;
    }
}

static bool is_same(const struct distribution *a, const struct distribution *b)
{
    return a->n == b->n && memcmp(a->p, b->p, a->n * sizeof *a->p) == 0 && memcmp(a->t, b->t, a->n * sizeof *a->t) == 0;
}

/* What of the file's resources the engines do not know yet; NULL: nothing. */
static const char *not_served(const struct machine *machine, const struct machine_resource *resource)
{
    for (size_t i = 0; i < machine->n_resources; i++)
        if (resource->scope == RESOURCE_OF_node && resource->transport == TRANSPORT_network &&
            machine->resources[i].scope == RESOURCE_OF_process)
            return "`scope: node` beside `scope: process`";
    const bool is_port = resource->scope <= RESOURCE_OF_node && resource->transport == TRANSPORT_network;
    if (is_port && resource->direction == RESOURCE_both)
        return "`direction: both` of what messages between nodes leave and enter a node by";
    if (resource->transport == TRANSPORT_node &&
        (resource->scope != RESOURCE_OF_node || resource->direction != RESOURCE_both))
        return "`transport: node` without `scope: node` and `direction: both`";
    if (resource->transport == TRANSPORT_node && resource->acknowledgements.n > 0)
        return "`transport: node` with `acknowledgements`";
    const bool is_in_port = is_port && resource->direction == RESOURCE_in;
    if (resource->has_overflow && !is_in_port && resource->scope != RESOURCE_OF_group)
        return "a `buffer` of anything but groups and what messages enter a node by";
    for (size_t i = 0; i < machine->n_resources && resource->has_overflow; i++)
        if (machine->resources[i].has_overflow && !is_same(&machine->resources[i].overflow, &resource->overflow))
            return "an `overflow` other than that of another resource";
    if (resource->scope == RESOURCE_OF_all && (resource->credit > 0 || resource->frame > 0 || resource->window > 0 ||
                                               resource->acknowledgements.n > 0))
        return "`scope: all` with `credit`, `frame` or `acknowledgements`";
    if (resource->wake.n > 0 && resource->scope != RESOURCE_OF_all)
        return "`wake` without `scope: all`";
    return NULL;
}

static enum status resources_check(const struct machine *machine, struct diags *diags)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < machine->n_resources; i++) {
        const char *what = not_served(machine, &machine->resources[i]);
        if (!what)
            continue;
        diag_error(diags, place_of_file(machine->path),
                   "resources[%zu]: %s cannot be simulated yet; --contention scoreboard does without resources", i,
                   what);
        status = STATUS_NOT_YET;
    }
    return status;
}

/* What engines know of one message's way. */
static enum status paths_check(const struct measured_model *model, struct diags *diags)
{
    static const enum resource_direction ways[] = {RESOURCE_out, RESOURCE_in};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        const int depth = machine_paths_depth(&model->paths, ways[i]);
        if (depth <= PATH_MOST / 2)
            continue;
        diag_error(diags, place_of_file(model->machine->path),
                   "resources: messages %s %d groups with a resource, and more than %d cannot be simulated yet; "
                   "--contention scoreboard does without resources", i == 0 ? "leave" : "enter", depth, PATH_MOST / 2);
        return STATUS_NOT_YET;
    }
    return STATUS_OK;
}

static enum status servings_check(const struct measured_model *model, int ppn, struct diags *diags)
{
    const struct machine *machine = model->machine;
    bool between = model->serving[TRANSPORT_network][0].n > 0, within = model->serving[TRANSPORT_node][0].n > 0;
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

/* The median at `bytes`, also beyond the track's ends. */
static double track_median(const struct track *track, int64_t bytes)
{
    struct mix mix = {.n = 0};
    double median = 0;
    track_mix(track, bytes, 1, &mix);
    for (int i = 0; i < mix.n; i++)
        median += mix.weight[i] * distribution_quantile(mix.part[i], 0.5);
    return median;
}

/* The same of transits at a level. Beyond the sizes measured at it a transit grows as the median of a message alone
 * does, and what it is later by for chance and for others, beside what ports tell, stays what it was at the largest: of
 * the little by which two sizes differ in that nothing can be said of ten times as many bytes. Where no ports tell what
 * is shared, all grows. */
static void level_mix(const struct measured_model *model, const struct serving *serving, size_t level, int64_t bytes,
                      double weight, struct mix *mix)
{
    const struct track *track = &serving->transit[level], *alone = &serving->transit[0];
    const int64_t most = track->bytes[track->n - 1];
    if (!model->base.in_time_by || bytes <= most || alone->n < 2) {
        track_mix(track, bytes, weight, mix);
        return;
    }
    track_mix(track, most, weight, mix);
    mix_add(mix, weight * (track_median(alone, bytes) - track_median(alone, most)), &model->second);
}

/* What serves messages from one process to another; each of the two ways stands in for the other. */
static const struct serving *serving_of(const struct measured_model *model, enum transport transport,
                                        enum send_kind kind)
{
    const struct serving *within = &model->serving[TRANSPORT_node][kind];
    const struct serving *between = &model->serving[TRANSPORT_network][kind];
    return transport == TRANSPORT_network ? (between->n > 0 ? between : within) : within->n > 0 ? within : between;
}

static enum transport transport_of(const struct measured_model *model, uint32_t pair_class)
{
    uint32_t from, to;
    return pair_class_nodes(model->n_kinds, pair_class, &from, &to);
}

static void overhead_mix(const struct measured_model *model, const struct track *track, int64_t bytes, struct mix *mix)
{
    if (track->n > 0)
        track_mix(track, bytes, 1, mix);
    else
        mix_add(mix, 1, &model->zero);
}

/* A message to oneself: as measured, or the overheads of an empty message. Of sending only what is sure: how much more
 * it is, the send call draws. */
static void self_transit(const struct measured_model *model, enum send_kind kind, int64_t bytes, struct mix *mix)
{
    const struct serving *self = &model->serving[TRANSPORT_self][kind];
    if (self->n > 0) {
        track_mix(&self->transit[0], bytes, 1, mix);
        return;
    }
    mix_add(mix, 1, &model->least_send[kind]);
    overhead_mix(model, &serving_of(model, TRANSPORT_node, kind)->overhead[SIDE_RECEIVE], 0, mix);
}

static void measured_transit(const struct cost_model *base, uint32_t pair_class, enum send_kind kind, int64_t bytes,
                             int level, struct mix *mix)
{
    const struct measured_model *model = (const struct measured_model *)base;
    const enum transport transport = transport_of(model, pair_class);
    const struct serving *serving = serving_of(model, transport, kind);
    size_t above = 0; /* the first level that is at least the one asked for */
    mix->n = 0;
    assert(level >= 1 && bytes >= 0);
    if (transport == TRANSPORT_self) {
        self_transit(model, kind, bytes, mix);
        return;
    }
    if (!model->levels)
        level = 1;
    while (above < serving->n && serving->level[above] < level)
        above++;
    if (above == 0 || above == serving->n || serving->level[above] == level) {
        level_mix(model, serving, above < serving->n ? above : above - 1, bytes, 1, mix);
        return;
    }
    int low = serving->level[above - 1], high = serving->level[above];
    double share = (double)(level - low) / (double)(high - low);
    level_mix(model, serving, above - 1, bytes, 1 - share, mix);
    level_mix(model, serving, above, bytes, share, mix);
}

/* Of all levels: those of the lowest go furthest, since large messages are measured alone. Messages to oneself of which
 * none was measured have a rule of their own, for all sizes. */
static void measured_sizes(const struct cost_model *base, uint32_t pair_class, enum send_kind kind,
                           struct measured_range *sizes)
{
    const struct measured_model *model = (const struct measured_model *)base;
    const enum transport transport = transport_of(model, pair_class);
    const struct serving *self = &model->serving[TRANSPORT_self][kind];
    const struct serving *serving = transport == TRANSPORT_self ? self : serving_of(model, transport, kind);
    *sizes = serving->n > 0 ? (struct measured_range){0, INFINITY, 0} : (struct measured_range){0, 0, INFINITY};
    for (size_t i = 0; i < serving->n; i++) {
        const struct track *track = &serving->transit[i];
        sizes->n = track->n > sizes->n ? track->n : sizes->n;
        sizes->least = fmin(sizes->least, (double)track->bytes[0]);
        sizes->most = fmax(sizes->most, (double)track->bytes[track->n - 1]);
    }
}

/* The size whose overhead a call for `bytes` has. Where overheads of receives were measured of eager messages alone,
 * one of a rendezvous whose data are there is that of an empty message: they have come to where they belong, and
 * nothing is copied. */
static int64_t overhead_bytes(const struct cost_model *base, const struct track *track, enum transport transport,
                              enum side side, int64_t bytes)
{
    const int64_t eager = base->eager_limit[transport];
    return side == SIDE_RECEIVE && bytes > eager && track->n > 0 && track->bytes[track->n - 1] <= eager ? 0 : bytes;
}

/* What its receiver gets is sent when that has it, which a blocking call waits for; MPI_Isend returns at once. */
static enum send_kind overhead_kind(const struct cost_model *base, enum transport transport, enum side side,
                                    enum send_kind kind, int64_t bytes)
{
    const bool got = base->rendezvous[transport] == RENDEZVOUS_get && bytes > base->eager_limit[transport];
    return side == SIDE_SEND && got ? SEND_BLOCKING : kind;
}

static void measured_overhead(const struct cost_model *base, uint32_t pair_class, enum side side, enum send_kind asked,
                              int64_t bytes, struct mix *mix)
{
    const struct measured_model *model = (const struct measured_model *)base;
    const enum transport transport = transport_of(model, pair_class);
    const enum send_kind kind = overhead_kind(base, transport, side, asked, bytes);
    const struct serving *self = &model->serving[TRANSPORT_self][kind];
    const bool as_measured = transport != TRANSPORT_self || self->n > 0;
    const struct serving *serving = transport == TRANSPORT_self && as_measured ? self
                                                                               : serving_of(model, transport, kind);
    const struct track *track = &serving->overhead[side];
    mix->n = 0;
    overhead_mix(model, track, as_measured ? overhead_bytes(base, track, transport, side, bytes) : 0, mix);
}

/* Bytes of a resource's frame where messages pass in frames. 0: whole ones do. */
static double frame_of(const struct measured_model *model, const struct machine_resource *resource)
{
    return model->base.streams ? resource->frame : 0;
}

/* In how many pieces a message travels through a resource. */
static double frames_of(double frame, double size)
{
    return frame > 0 ? fmax(1, ceil(size / frame)) : 1;
}

/* What a byte on the wire takes of it, by the largest message; 0: its frames are not known, or that fills less than half of
 * one, of which what is beside its bytes may be most. */
static double wire_byte(const struct machine_resource *of)
{
    const struct machine_curve *demand = &of->demand;
    const double size = demand->n > 0 ? demand->bytes[demand->n - 1] : 0;
    if (of->frame == 0 || size < of->frame / 2)
        return 0;
    return demand->time[demand->n - 1] /
           (FRAME_WIRE_HEADERS * (1 + floor(size / of->frame)) + size + FRAME_HEADER_eager);
}

static double idle_gap(const struct machine_resource *port, double size)
{
    return fmax(0, machine_curve_at(&port->demand, size) - port->credit);
}

/* How long two idle ports keep the last frame of a message behind its first. */
static double idle_width(const struct machine_resource *out, const struct machine_resource *in, double size)
{
    return fmax(idle_gap(out, size), idle_gap(in, size));
}

static double slower_than_quickest(const struct node_kinds *kinds, const struct machine_resource *out,
                                   const struct machine_resource *in, double size)
{
    const double own = idle_width(out, in, size);
    double least = own;
    for (uint32_t i = 0; i < kinds->n; i++)
        if (kinds->kinds[i].out->demand.n > 0)
            least = fmin(least, idle_width(kinds->kinds[i].out, kinds->kinds[i].in, size));
    return own - least;
}

static void measured_ports_for(const struct cost_model *base, uint32_t pair_class, int64_t bytes,
                               struct port_cost *cost)
{
    const struct measured_model *model = (const struct measured_model *)base;
    uint32_t from, to;
    *cost = (struct port_cost){0};
    if (pair_class_nodes(model->n_kinds, pair_class, &from, &to) != TRANSPORT_network || base->ports == PORTS_OFF)
        return;
    const struct node_kind *sender = &model->kinds.kinds[from], *receiver = &model->kinds.kinds[to];
    double size = (double)bytes;
    cost->out_gap = machine_curve_at(&sender->out->demand, size);
    cost->in_gap = machine_curve_at(&receiver->in->demand, size);
    cost->out_byte = wire_byte(sender->out);
    cost->in_byte = wire_byte(receiver->in);
    cost->frame_bytes = frame_of(model, sender->out);
    cost->out_saved = sender->out->credit;
    cost->in_saved = receiver->in->credit;
    cost->receivers_out_gap = machine_curve_at(&receiver->out->demand, size);
    cost->receivers_out_saved = receiver->out->credit;
    cost->senders_in_saved = sender->in->credit;
    cost->common = machine_curve_at(&model->kinds.all->demand, size);
    cost->slower = slower_than_quickest(&model->kinds, sender->out, receiver->in, size);
    cost->spread = cost->out_gap * (1 - 1 / frames_of(cost->frame_bytes, size));
    cost->reverse_out = machine_curve_at(&receiver->out->acknowledgements, size);
    cost->reverse_in = machine_curve_at(&sender->in->acknowledgements, size);
    cost->frame = cost->in_gap / frames_of(frame_of(model, receiver->in), size);
    cost->senders_in_gap = machine_curve_at(&sender->in->demand, size);
    cost->buffer = receiver->in->has_overflow && receiver->in->buffer > 0 ? receiver->in->buffer : INFINITY;
}

static int measured_path(const struct cost_model *base, enum transport transport, int from_node, int to_node,
                         struct path_hop hop[PATH_MOST])
{
    const struct measured_model *model = (const struct measured_model *)base;
    return machine_path(&model->paths, transport, from_node, to_node, hop);
}

static void measured_hop_for(const struct cost_model *base, int32_t resource, int64_t bytes, struct hop_cost *cost,
                             double *acknowledgements)
{
    const struct measured_model *model = (const struct measured_model *)base;
    const struct machine_resource *of = &model->machine->resources[resource];
    const double size = (double)bytes, work = machine_curve_at(&of->demand, size);
    const double frame = work / frames_of(frame_of(model, of), size);
    const double byte = wire_byte(of);
    *cost = (struct hop_cost){.work = work, .frame = frame, .saved = fmax(of->credit, frame),
                              .credit = of->credit, .empty = FRAME_WIRE_HEADERS * byte, .byte = byte,
                              .full = (FRAME_WIRE_HEADERS + of->frame) * byte,
                              .buffer = of->has_overflow && of->buffer > 0 ? of->buffer : INFINITY};
    *acknowledgements = machine_curve_at(&of->acknowledgements, size);
}

static uint32_t measured_pair_class(const struct cost_model *base, enum transport transport, int from_node,
                                    int to_node)
{
    const struct measured_model *model = (const struct measured_model *)base;
    const bool alike = model->n_kinds == 1;
    return pair_class_of(model->n_kinds, transport, alike ? 0 : (int)node_kind_of(&model->kinds, from_node),
                         alike ? 0 : (int)node_kind_of(&model->kinds, to_node));
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
    for (int i = 0; i < 2 * N_TRANSPORTS; i++) {
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
    node_kinds_free(&model->kinds);
    machine_paths_free(&model->paths);
    distribution_free(&model->zero);
    distribution_free(&model->second);
    distribution_free(&model->least_send[0]);
    distribution_free(&model->least_send[1]);
    free(model);
}

/* The highest level of messages between nodes, or within one, as serving_of has them. */
static int highest_level(const struct measured_model *model, enum transport transport)
{
    int highest = 1;
    for (int kind = 0; kind < 2; kind++) {
        const struct serving *serving = serving_of(model, transport, (enum send_kind)kind);
        if (serving->n > 0 && serving->level[serving->n - 1] > highest)
            highest = serving->level[serving->n - 1];
    }
    return highest;
}

/* The first key that asks for an engine that serves requests in the order of time; NULL: none does. */
static const char *in_time_key(const struct machine *machine, const struct node_kinds *kinds, bool streams)
{
    bool acknowledgements = false, overflow = false, trunks = false, local = false;
    for (size_t i = 0; i < kinds->list.n; i++) {
        const struct machine_resource *resource = &kinds->list.of[i];
        acknowledgements |= resource->acknowledgements.n > 0;
        overflow |= resource->has_overflow;
        trunks |= resource->scope == RESOURCE_OF_group;
        local |= resource->transport == TRANSPORT_node;
    }
    const struct {
        bool there;
        const char *keys[2]; /* in either format */
    } keys[] = {{streams, {"ports: frame", "resources: frame"}},
                {acknowledgements, {"ports: reverse_gap", "resources: acknowledgements"}},
                {overflow || machine->has_overflow, {"ports: overflow", "resources: overflow"}},
                {trunks, {NULL, "resources: scope group"}},
                {local, {NULL, "resources: transport node"}},
                {machine->n_node_ports > 0 || kinds->n > 1, {"ports: per_node", "resources: of"}},
                {machine->common_gap.n > 0 || kinds->all != &kinds->none, {"ports: common_gap", "scope: all"}},
                {machine->rest_delay.n > 0, {"ports: rest_delay", "rests: delay"}},
                {machine->send_buffer.n > 0, {NULL, "send_buffer"}}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i].there)
            return keys[i].keys[machine->version >= 2];
    return NULL;
}

/* Whose port it is: of one process where any is. */
static enum port_scope scope_of(const struct node_kinds *kinds)
{
    for (size_t i = 0; i < kinds->list.n; i++)
        if (kinds->list.of[i].scope == RESOURCE_OF_process)
            return PORTS_PER_PROCESS;
    return PORTS_PER_NODE;
}

/* Whether what the processes of a node do to one another's messages is said by a port that they share. */
static bool nodes_have_ports(const struct node_kinds *kinds, bool ports)
{
    bool have = false;
    for (size_t i = 0; i < kinds->list.n; i++)
        have |= kinds->list.of[i].scope == RESOURCE_OF_node && kinds->list.of[i].transport == TRANSPORT_network;
    return ports && have;
}

/* The first that loses frames says how late they come. */
static const struct distribution *overflow_of(const struct machine *machine, const struct node_kinds *kinds)
{
    for (size_t i = 0; i < kinds->list.n; i++)
        if (kinds->list.of[i].has_overflow)
            return machine->version >= 2 ? &machine->resources[i].overflow : &machine->overflow;
    return machine->has_overflow ? &machine->overflow : NULL;
}

static enum status ports_check(const struct machine *machine, enum contention contention, struct diags *diags)
{
    if (machine->has_ports)
        return resources_check(machine, diags);
    diag_error(diags, place_of_file(machine->path),
               "no `%s`, which --contention %s needs: run pevpm-bench, add them, "
               "or use --contention scoreboard",
               machine->version >= 2 ? "resources" : "ports", contention_name(contention));
    return STATUS_SCHEMA;
}

static bool is_port(const struct machine_resource *resource)
{
    return resource->scope != RESOURCE_OF_all && resource->transport == TRANSPORT_network;
}

/* Whether it is known of all ports and trunks what a frame takes of them. */
static bool frames_known(const struct node_kinds *kinds)
{
    for (size_t i = 0; i < kinds->list.n; i++)
        if (is_port(&kinds->list.of[i]) && !(kinds->list.of[i].frame > 0 && wire_byte(&kinds->list.of[i]) > 0))
            return false;
    return true;
}

/* What long messages take of a port or trunk follows from a message shorter than two frames, where no longer one was measured. */
static void short_frames_note(const struct measured_model *model, const struct machine *machine, struct diags *diags)
{
    int64_t least = INT64_MAX;
    for (size_t i = 0; i < model->kinds.list.n; i++) {
        const struct machine_resource *resource = &model->kinds.list.of[i];
        const int64_t longest = is_port(resource) ? (int64_t)resource->demand.bytes[resource->demand.n - 1] : INT64_MAX;
        if ((double)longest < 2 * resource->frame && longest < least)
            least = longest;
    }
    if (least < INT64_MAX)
        diag_note(diags, place_of_file(machine->path),
                  "a port or trunk was measured up to %" PRId64 " bytes, less than two of its frames: what longer messages take of it "
                  "follows from that", least);
}

static enum status streams_check(const struct measured_model *model, const struct machine *machine, struct diags *diags)
{
    if (frames_known(&model->kinds)) {
        short_frames_note(model, machine, diags);
        return STATUS_OK;
    }
    diag_error(diags, place_of_file(machine->path),
               "a port or trunk without `frame`, or whose longest message fills less "
               "than half of one, which --contention frames needs: run pevpm-bench, or use --contention ports");
    return STATUS_SCHEMA;
}

/* Whole messages pass whatever the file tells of frames. */
static void frames_note(const struct measured_model *model, const struct machine *machine, struct diags *diags)
{
    const char *key = NULL;
    for (size_t i = 0; i < model->kinds.list.n; i++) {
        const struct machine_resource *resource = &model->kinds.list.of[i];
        key = resource->frame > 0 ? "frame" : !key && resource->window > 0 ? "window" : key;
    }
    if (key)
        diag_note(diags, place_of_file(machine->path),
                  "--contention ports has whole messages pass: `%s`, which tells of TCP's frames, is left out of account%s",
                  key,
                  machine->has_model_error ? ", and predictions are further off than `model_error` says" : "");
}

bool measured_knows_frames(const struct machine *machine)
{
    struct node_kinds kinds;
    bool ports = false;
    node_kinds_init(&kinds, machine);
    for (size_t i = 0; i < kinds.list.n; i++)
        ports |= is_port(&kinds.list.of[i]);
    const bool known = ports && frames_known(&kinds);
    node_kinds_free(&kinds);
    return known;
}

/* The tables of times, by transport and kind of send; `base` is filled later, from them. */
static struct measured_model *tables_build(const struct machine *machine, const struct cost_options *options)
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

static void base_fill(struct measured_model *model, const struct cost_options *options)
{
    const struct machine *machine = model->machine;
    const bool ports = contention_has_ports(options->contention);
    const int between = highest_level(model, TRANSPORT_network), within = highest_level(model, TRANSPORT_node);
    const int highest = between > within ? between : within;
    const bool between_own = model->serving[TRANSPORT_network][0].n > 0;
    const bool streams = options->contention == CONTENTION_frames;
    model->base = (struct cost_model){
        .name = "measured",
        .ports = !ports ? PORTS_OFF : scope_of(&model->kinds),
        .self_is_known = model->serving[TRANSPORT_self][0].n > 0,
        .in_time_by = ports ? in_time_key(machine, &model->kinds, streams) : NULL,
        .streams = streams,
        .overflow = ports ? overflow_of(machine, &model->kinds) : NULL,
        .rest_delay = ports && machine->rest_delay.n > 0 ? &machine->rest_delay : NULL,
        .wake = ports && model->kinds.all->wake.n > 0 ? &model->kinds.all->wake : NULL,
        .measured_after = machine->measured_after,
        .known = machine->known,
        .known_after_rest = machine->known_after_rest,
        .connect = ports && machine->has_connect ? &machine->connect : NULL,
        .send_buffer = ports && machine->send_buffer.n > 0 ? &machine->send_buffer : NULL,
        .congestion = machine->congestion,
        .progress = machine->progress,
        .level_max = model->levels ? highest : 1,
        .level_measured = {[TRANSPORT_network] = between, [TRANSPORT_node] = within, [TRANSPORT_self] = 1},
        .other_ppn = between_own && !ppn_was_measured(machine, options->ppn) && !nodes_have_ports(&model->kinds, ports),
        .pair_class = measured_pair_class,
        .transit = measured_transit,
        .overhead = measured_overhead,
        .ports_for = measured_ports_for,
        .path = ports && model->paths.n_trunks + model->paths.n_local > 0 ? measured_path : NULL,
        .hop_for = measured_hop_for,
        .sizes = measured_sizes,
        .close = measured_close,
    };
    cost_eager_limits(&model->base, machine);
}

enum status measured_model_open(struct cost_model **out, const struct machine *machine,
                                const struct cost_options *options, struct diags *diags)
{
    const bool ports = contention_has_ports(options->contention);
    *out = NULL;
    enum status status = ports ? ports_check(machine, options->contention, diags) : STATUS_OK;
    if (status != STATUS_OK)
        return status;
    struct measured_model *model = tables_build(machine, options);
    base_fill(model, options);
    status = servings_check(model, options->ppn, diags);
    if (ports && status == STATUS_OK)
        status = paths_check(model, diags);
    if (status == STATUS_OK && options->contention == CONTENTION_frames)
        status = streams_check(model, machine, diags);
    if (options->contention == CONTENTION_ports && status == STATUS_OK)
        frames_note(model, machine, diags);
    if (ports && status == STATUS_OK)
        gaps_check(machine, diags);
    if (status == STATUS_OK)
        *out = &model->base;
    else
        measured_close(&model->base);
    return status;
}
