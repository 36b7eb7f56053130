#include "models/measured/times.h"

#include "models/measured/tables.h"
#include "models/pair_class.h"

#include <assert.h>
#include <math.h>

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
    if (!model->base.in_time_by || model->base.ports == PORTS_OFF || bytes <= most || alone->n < 2) {
        track_mix(track, bytes, weight, mix);
        return;
    }
    track_mix(track, most, weight, mix);
    mix_add(mix, weight * (track_median(alone, bytes) - track_median(alone, most)), &model->second);
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

void measured_transit(const struct cost_model *base, uint32_t pair_class, enum send_kind kind, int64_t bytes,
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
void measured_sizes(const struct cost_model *base, uint32_t pair_class, enum send_kind kind,
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

void measured_overhead(const struct cost_model *base, uint32_t pair_class, enum side side, enum send_kind asked,
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
