/* What happens to a message where it leaves: board, out port. */
#include "engine/timed/way/leave.h"

#include "engine/timed/match.h"
#include "engine/timed/process/polling.h"
#include "engine/timed/stream/stream.h"
#include "engine/timed/timed.h"
#include "engine/timed/way/handshake.h"
#include "engine/timed/way/path.h"
#include "engine/timed/way/socket.h"
#include "engine/timed/way/wire.h"

#include <math.h>

/* When the ports of all its rails have passed the message, which they are brought now. */
__attribute__((cold)) static double pass_rails(struct timed *e, const struct timed_channel *c, const struct timed_transfer *m)
{
    double leaves = -INFINITY;
    for (int rail = rail_first(m); rail < rail_end(c, m); rail++) {
        double *until = port_leaving(c->from_port + rail);
        outlet_take(until, m->price->ports.out_gap, m->price->ports.out_saved, e->now);
        leaves = rule_latest(leaves, *until);
    }
    return leaves;
}

static inline double pass_port(struct timed *e, const struct timed_channel *c, const struct timed_transfer *m)
{
    if (__builtin_expect(c->rails > 1, 0))
        return pass_rails(e, c, m);
    double *until = port_leaving(c->from_port);
    outlet_take(until, m->price->ports.out_gap, m->price->ports.out_saved, e->now);
    return *until;
}

/* A port that is asked in the order of time, and what all nodes have in common: the message waits for both at once. */
static inline void pass_out(struct timed *e, struct timed_channel *c, struct timed_transfer *m)
{
    const struct port_cost *cost = &m->price->ports;
    const double leaves = pass_port(e, c, m);
    const double work = common_take(&e->processes[c->from], cost->common);
    if (work > 0)
        pollings_wake(e);
    const double common = outlet_pass_common(&e->common_until, work, e->now);
    m->port_wait = rule_latest(outlet_late(leaves, cost->out_gap, cost->out_saved, e->now), common);
    m->time += m->port_wait;
    c->window = connection_window_rested(c->window, c->round_trip + CONNECTION_LEAST_TIMEOUT, e->now - c->leaves);
    c->leaves = leaves;
}

/* The least time before anything of the message can reach the in port. */
static inline double lead_of(struct timed *e, struct price *price)
{
    if (isnan(price->lead)) {
        price->least = quantile_at(price_transit(&e->book, price, 1), 0);
        price->lead = rule_latest(0, price->least - price->ports.spread);
    }
    return price->lead;
}

/* The same where it may be something else on the way; 0 where it does not count. */
static inline double lead_on_way(struct timed *e, const struct timed_channel *c, struct price *price)
{
    if (!c->has_level && !c->has_haste)
        return 0;
    const double lead = lead_of(e, price);
    return c->has_hops ? path_lead(e, c, price, price->least) : lead;
}

/* How much sooner than measured a message gets there whose sender is in the midst of communication. */
static inline double haste_of(const struct timed *e, const struct timed_channel *c, double time, double lead)
{
    if (!c->has_haste)
        return 0;
    const struct machine_curve *curve = e->model->rest_delay;
    const double rest = time - e->processes[c->from].active;
    if (rest >= e->rest_measured)
        return 0;
    const double gain = e->rest_delay - (rest <= curve->bytes[0] ? curve->time[0] : machine_curve_at(curve, rest));
    return gain > 0 ? rule_earliest(gain, lead) : 0;
}

/* When the message's level is counted: as soon as it can be there, but after those that its pair started before, for
 * none overtakes another. */
static inline double level_time(const struct timed *e, struct timed_channel *c, const struct timed_transfer *m,
                                double lead)
{
    double time = rule_latest(e->now, m->time + lead);
    if (__builtin_expect(time <= c->levelled, 0))
        time = rule_next(c->levelled);
    c->levelled = time;
    return time;
}

/* It has left. */
static inline void set_out(struct timed *e, struct timed_channel *c, const struct timed_transfer *m, double lead)
{
    const int32_t transfer = (int32_t)(m - e->transfers);
    if (c->has_level)
        event_queue_push_in_line(&e->queue,
                                 event_make(level_time(e, c, m, lead), EVENT_LEVEL, c->from, (uint64_t)transfer));
    else
        wire_level(e, transfer);
}

/* Inlined where most messages leave, right after their sends. */
__attribute__((always_inline))
static inline void depart(struct timed *e, struct timed_channel *c, struct timed_transfer *m, double time)
{
    const struct port_cost *cost = &m->price->ports;
    const double lead = lead_on_way(e, c, m->price);
    m->time = time - haste_of(e, c, time, lead);
    m->port_wait = 0;
    m->handed = e->now;
    if (c->in_time) {
        pass_out(e, c, m);
        socket_brought(e, c, m);
    } else if (c->uses_ports && cost->out_gap > 0) {
        double *free_at = &c->from_port->out_until;
        m->time = rule_out_port(free_at, cost->out_gap, port_cost_out_credit(cost), time);
        m->port_wait = m->time - time;
    }
    set_out(e, c, m, lead);
}

/* It waits behind the channel's others, since `sent`. */
static void behind_add(struct timed *e, struct timed_channel *c, struct timed_transfer *m, double sent)
{
    const int32_t transfer = (int32_t)(m - e->transfers);
    m->time = sent;
    m->next_on_wire = NONE;
    if (c->first_behind == NONE)
        c->first_behind = transfer;
    else
        e->transfers[c->last_behind].next_on_wire = transfer;
    c->last_behind = transfer;
}

double wire_overhead_within(struct timed *e, const struct timed_transfer *m, enum side side, uint32_t word)
{
    const struct timed_channel *c = &e->channels[m->channel];
    struct price *own = price_find(&e->book, timed_pair_class(e, c->from, c->from), m->price->kind, m->bytes);
    const double alone = quantile_at(price_overhead(&e->book, m->price, side), word);
    return fmin(alone, quantile_at(price_overhead(&e->book, own, side), word));
}

/* When the last message arrived that went from one process of the channel to the other, either way. */
static double last_delivered(const struct timed *e, const struct timed_channel *c)
{
    return c->back == NONE ? c->delivered : rule_latest(c->delivered, e->channels[c->back].delivered);
}

/* Of a channel whose host was given more than it holds: what it has not taken stays behind until its process is in MPI, or ends,
 * which may have had its last turn already. False: it has taken this. */
static bool stays_behind(struct timed *e, struct timed_channel *c, struct timed_transfer *m, double sent)
{
    if (!c->stalled && (!c->full || m->given <= c->taken))
        return false;
    if (!c->stalled)
        socket_stall(e, (int32_t)(c - e->channels));
    behind_add(e, c, m, sent);
    return true;
}

/* Long ones go over all, others over one; that of what was announced was chosen then. */
__attribute__((cold)) static void rail_choose(const struct timed *e, struct timed_channel *c, struct timed_transfer *m)
{
    if (m->price->ports.shares > 1)
        m->rail = RAIL_ALL;
    else if (m->permitted == 0)
        m->rail = wire_rail(e, c, m->acknowledges != NONE);
}

void wire_depart(struct timed *e, struct timed_channel *c, struct timed_transfer *m, double time)
{
    (*c->on_board)++;
    c->n_departed++;
    if (c->asks_rest)
        c->rested = time - last_delivered(e, c) > e->model->measured_after;
    c->was_long = m->permitted > 0;
    m->shares = false;
    if (__builtin_expect(c->rails > 1, 0))
        rail_choose(e, c, m);
    socket_give(e, c, m);
    if (c->has_stream) {
        m->time = time - haste_of(e, c, time, lead_on_way(e, c, m->price));
        stream_write(e, c, m);
        return;
    }
    if (__builtin_expect(c->join != JOIN_MADE, 0))
        behind_add(e, c, m, time);
    else if (__builtin_expect(!c->full, 1) || !stays_behind(e, c, m, time))
        depart(e, c, m, time);
}

/* What is behind leaves, as far as the host has taken it. */
__attribute__((cold)) static void behind_depart(struct timed *e, struct timed_channel *c)
{
    int32_t transfer = c->first_behind;
    c->first_behind = NONE;
    for (int32_t next; transfer != NONE; transfer = next) {
        struct timed_transfer *m = &e->transfers[transfer];
        const double sent = m->time;
        next = m->next_on_wire;
        if (stays_behind(e, c, m, sent))
            continue;
        depart(e, c, m, e->now);
        e->transfers[transfer].port_wait += e->now - sent;
    }
}

void wire_go_on(struct timed *e, int32_t channel)
{
    struct timed_channel *c = &e->channels[channel];
    c->stalled = false;
    if (c->has_stream) {
        stream_go_on(e, channel);
        return;
    }
    if (c->join != JOIN_MADE)
        return;
    behind_depart(e, c);
}

/* The first there is on a new connection: nothing is before it. */
static void announcement_leave(struct timed *e, struct timed_channel *c, int32_t transfer)
{
    struct timed_transfer *m = &e->transfers[transfer];
    m->announced = e->now;
    m->there_at = e->now + handshake_time(e, c);
    if (!m->asked)
        return;
    m->time = e->now;
    event_add(e, m->there_at, EVENT_PERMIT, c->from, transfer);
}

void wire_connected(struct timed *e, int32_t channel)
{
    struct timed_channel *c = &e->channels[channel];
    for (int32_t i = c->first_announced; i != NONE; i = e->transfers[i].next_permitted)
        announcement_leave(e, c, i);
    c->first_announced = NONE;
    wire_go_on(e, channel);
    if (e->channels[channel].first_writing != NONE)
        socket_go_on(e, channel);
}
