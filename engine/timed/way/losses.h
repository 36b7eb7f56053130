/* losses.h - messages that a resource with a buffer may lose: then they, and what their pair sends behind them, pass the way one by
 * one as TCP's frames do, are lost where there is no room, and come again (network/connection.h). */
#ifndef PEVPM_ENGINE_TIMED_WAY_LOSSES_H
#define PEVPM_ENGINE_TIMED_WAY_LOSSES_H

#include "engine/timed/state.h"
#include "engine/timed/way/handshake.h"

/* A part of a buffer: rounding of sums. */
#define BUFFER_FULL (1 + 1e-9)

/* Whether messages of the channel pass so, some of which are not there yet. */
bool losses_expected(const struct timed *e, const struct timed_channel *c);

/* Whether a message, which is about to come, must pass so: something on its way may lose it, or its pair's messages before it do
 * so. */
bool losses_may_happen(struct timed *e, const struct timed_channel *c, const struct timed_transfer *m);

/* A port that has room for all of a message loses nothing. */
static inline bool port_has_room(const struct timed *e, const struct queue *in, const struct port_cost *cost)
{
    return in->n_losing == 0 && queue_behind(in, e->now) + cost->in_gap <= cost->buffer * BUFFER_FULL;
}

static inline bool losses_wanted(struct timed *e, const struct timed_channel *c, const struct timed_transfer *m)
{
    if (!c->has_losses)
        return false;
    return (c->connection != NONE || c->n_hops > 0 || (c->uses_ports && !port_has_room(e, &c->to_port->in, &m->price->ports))) &&
           losses_may_happen(e, c, m);
}

/* Up to where all that the channel was given has been acknowledged, bytes; INFINITY: nothing of it passes so now. */
double losses_acknowledged(const struct timed *e, const struct timed_channel *c);

/* From now on it does. */
void losses_begin(struct timed *e, int32_t transfer);

/* How many messages of a channel that went there otherwise wait at its receiver's port. */
static inline double losses_held(const struct timed *e, const struct timed_channel *c)
{
    return c->held_until > e->now ? c->held * (c->held_until - e->now) / (c->held_until - c->held_since) : 0;
}

static inline double losses_round_trip(struct timed *e, struct timed_channel *c, const struct timed_transfer *m, double leaves)
{
    const double back = wire_acknowledged(e, c) - e->now;
    return rule_latest(leaves, e->now) + back - m->handed;
}

/* A message has passed otherwise; its receiver's port has passed it by `leaves`. Whether the port still holds it nothing can predict,
 * so what is noted then is chosen without a branch. A connection that has not lost anything opens its window as messages are
 * acknowledged. */
void losses_acknowledge(struct timed *e, struct timed_channel *c, const struct timed_transfer *m, double leaves);
static inline void losses_passed(struct timed *e, struct timed_channel *c, const struct timed_transfer *m, double leaves)
{
    if (!c->has_losses || !c->uses_ports)
        return;
    const bool waits = leaves > e->now;
    const double held = losses_held(e, c) + 1;
    c->held = waits ? held : c->held;
    c->held_since = waits ? e->now : c->held_since;
    c->held_until = waits ? leaves : c->held_until;
    if (c->connection != NONE) {
        losses_acknowledge(e, c, m, leaves);
        return;
    }
    c->window += waits & (c->window < 2 * c->held) & (c->window < m->price->threshold);
    c->round_trip = connection_round_trip(c->round_trip, losses_round_trip(e, c, m, leaves));
}

/* EVENT_FLIGHT, EVENT_ALARM */
void losses_event(struct timed *e, int32_t flight);
void losses_alarm(struct timed *e, int32_t connection);

/* No connection has sent anything. */
void losses_reset(struct timed_losses *losses);
void losses_free(struct timed_losses *losses);

#endif
