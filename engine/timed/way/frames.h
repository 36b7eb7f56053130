/* frames.h - the same frame by frame, where some may be lost. */
#ifndef PEVPM_ENGINE_TIMED_WAY_FRAMES_H
#define PEVPM_ENGINE_TIMED_WAY_FRAMES_H

#include "engine/timed/state.h"
#include "engine/timed/way/handshake.h"

/* Rounding of sums of frames. */
#define FRAMES_FULL (1 + 1e-9)

/* Whether a message, the first frame of which is about to come and the last one so much later, must pass its way frame by
 * frame: something on it may lose frames, as it is or as it is foreseen, or its pair's messages before it do so. One that
 * shares a frame does what the first in that did. */
bool frames_may_be_lost(struct timed *e, struct timed_channel *c, const struct timed_transfer *m, double width);

/* A port into which nothing flows, or will go on to, and which has room for all of a message, loses nothing. */
static inline bool port_has_room(const struct timed *e, const struct timed_port *port, const struct port_cost *cost,
                                 double width)
{
    const struct queue *in = &port->in;
    return in->n_entering + in->n_by_frame == 0 && port->first_entering == NONE &&
           rule_latest(0, in->until - e->now) + cost->in_gap - width <= cost->buffer * FRAMES_FULL;
}

static inline bool frames_wanted(struct timed *e, struct timed_channel *c, const struct timed_transfer *m, double width)
{
    if (!e->model->overflow)
        return false;
    if (m->shares || c->connection != NONE || c->n_hops > 0 ||
        (c->uses_ports && !port_has_room(e, c->to_port, &m->price->ports, width)))
        return frames_may_be_lost(e, c, m, width);
    return c->by_frame = false;
}
bool frames_expected(struct timed *e, const struct timed_channel *c);

/* Up to where all that the channel was given has been acknowledged, bytes; INFINITY: none of its frames is on its way.
 * */
double frames_acknowledged(const struct timed *e, const struct timed_channel *c);

/* From now on it does, and so does what flows into its in port. */
void frames_begin(struct timed *e, int32_t transfer);

/* Its sender's port has been brought more of it, `wait` behind others. */
void frames_follow(struct timed *e, int32_t transfer, double wait);

/* How many frames of a channel that went there otherwise wait at its receiver's port. */
static inline double frames_held(const struct timed *e, const struct timed_channel *c)
{
    return c->held_until > e->now ? c->held * (c->held_until - e->now) / (c->held_until - c->held_since) : 0;
}

/* A message has passed otherwise; its receiver's port has passed it by `leaves`. Most are one frame: whether the port
 * still holds that nothing can predict, so what is noted then is chosen without a branch. */
void frames_acknowledge(struct timed *e, struct timed_channel *c, const struct timed_transfer *m, double leaves);
static inline void frames_passed(struct timed *e, struct timed_channel *c, const struct timed_transfer *m, double leaves)
{
    if (!e->model->overflow)
        return;
    if (c->connection != NONE || m->shares || m->price->frames != 1) {
        frames_acknowledge(e, c, m, leaves);
        return;
    }
    const bool waits = leaves > e->now;
    const double back = wire_acknowledged(e, c) - e->now;
    const double held = frames_held(e, c) + 1;
    c->held = waits ? held : c->held;
    c->held_since = waits ? e->now : c->held_since;
    c->held_until = waits ? leaves : c->held_until;
    c->window += waits & (c->window < 2 * c->held) & (c->window < m->price->threshold);
    c->round_trip = connection_round_trip(c->round_trip, rule_latest(leaves, e->now) + back - m->handed, 1);
}

/* EVENT_FLIGHT, EVENT_ALARM */
void frames_event(struct timed *e, int32_t flight);
void frames_alarm(struct timed *e, int32_t connection);

/* No connection has sent anything. */
void frames_reset(struct timed_frames *frames);
void frames_free(struct timed_frames *frames);

#endif
