/* What a rendezvous or a synchronous send has its processes tell each other: announcements, permissions, answers. */
#include "engine/timed/way/handshake.h"

#include "engine/timed/match.h"
#include "engine/timed/process/call.h"
#include "engine/timed/rendezvous.h"
#include "engine/timed/stream/stream.h"
#include "engine/timed/timed.h"
#include "engine/timed/way/wire.h"

#include <math.h>

/* A part of the time now: the second of two messages that a process sends at one moment leaves its port later by so much. */
static const double LEAST_ANSWER = 1e-12;

/* How long what one process of the channel sends the other over a rail waits: for what its port holds. */
static double backlog(const struct timed *e, const struct timed_channel *c, int rail, bool backwards)
{
    return queue_excess(*port_leaving((backwards ? c->to_port : c->from_port) + rail), e->now);
}

double handshake_ask(struct timed *e, struct timed_channel *c)
{
    struct price *price = price_find(&e->book, c->pair_class, SEND_BLOCKING, 0);
    return c->handshake = quantile_at(price_transit(&e->book, price, 1), UINT32_MAX / 2);
}

static struct price *answer_price(struct timed *e, const struct timed_channel *c)
{
    return price_find(&e->book, timed_pair_class(e, c->to, c->from), SEND_BLOCKING, 0);
}

/* When an answer that leaves now comes. */
static double whole_answer(struct timed *e, int32_t channel)
{
    struct timed_channel *c = &e->channels[channel];
    if (!c->uses_ports)
        return e->now + handshake_time(e, c);
    const struct price *price = answer_price(e, c);
    const double come = e->now + backlog(e, c, 0, true) + handshake_time(e, c);
    outlet_take(port_leaving(c->to_port), price->ports.out_gap, price->ports.out_saved, e->now);
    channel_event_add(e, come, EVENT_ANSWER, c->from, c);
    return come;
}

/* The rail of an answer, which takes one turn of those the other way. */
static uint8_t answer_rail(struct timed *e, int32_t channel)
{
    if (e->channels[channel].rails == 1)
        return 0;
    const int32_t back = channel_find(e, e->channels[channel].to, e->channels[channel].from);
    return wire_rail(e, &e->channels[back], true);
}

void wire_answer(struct timed *e, int32_t send)
{
    const int32_t channel = e->operations[send].channel;
    const uint8_t rail = answer_rail(e, channel);
    if (e->channels[channel].has_stream) {
        stream_answer(e, send, rail);
        return;
    }
    e->operations[send].completion = whole_answer(e, channel);
    operation_ready(e, send);
}

void wire_answer_come(struct timed *e, int32_t channel)
{
    const struct price *price = answer_price(e, &e->channels[channel]);
    const struct timed_channel *c = &e->channels[channel];
    struct queue *in = &c->from_port->in;
    queue_advance(in, e->now);
    queue_take(in, e->now - price->saved, price->ports.in_gap);
}

/* Two processes exchange what needs a handshake, the next after the one before: how often their messages pass one after the
 * other only `handshakes` tells, behind short ones only its `known_after_wait`. They do where data the other way began at most
 * two messages' time before the last of m's. */
static void exchange_note(struct timed *e, const struct timed_transfer *m)
{
    static const struct measured_range nothing = {0, 0, 0};
    const struct timed_channel *c = &e->channels[m->channel];
    const bool has_handshakes = e->setup->machine->has_handshakes;
    if ((has_handshakes && !m->asks_wait) || m->chance_known >= 1 || c->back == NONE)
        return;
    if (c->met > -INFINITY && e->channels[c->back].met >= c->met - 2 * m->price->ports.in_gap)
        beyond_add(e->setup->beyond, has_handshakes ? BEYOND_wait : BEYOND_exchange, "", &nothing, (double)m->bytes);
}

/* How often an announcement behind a message that the sender's port had passed is known with that to a receiver who has waited for
 * it. Who did not wait was awake, and has read what was there: up to the first wait it is in proportion. */
static double chance_after_wait(const struct timed *e, const struct timed_channel *c)
{
    const struct machine_curve *known = e->model->known_after_wait;
    const double waited = rule_latest(0, c->delivered - process_has_read_from(&e->processes[c->to])), first = known->bytes[0];
    return waited < first ? known->time[0] * waited / first
                          : machine_curve_at(known, rule_earliest(waited, known->bytes[known->n - 1]));
}

/* Behind other data of its connection it comes a frame later than these, at most a handshake, or with their last frame. Sent
 * within a frame's time after them it fades from the one rule into the other: a computation of nothing changes nothing. In a
 * stream it comes when its frame does (there_at: INFINITY until then), unless it is drawn that it comes with the last frame. */
void wire_announcement_come(struct timed *e, struct timed_transfer *m)
{
    struct timed_channel *c = &e->channels[m->channel];
    if (!c->in_time || m->buffered)
        return;
    struct price *empty = price_find(&e->book, c->pair_class, SEND_BLOCKING, 0);
    const double frame = rule_latest(LEAST_ANSWER * e->now, empty->ports.in_gap);
    const double behind = 1 - rule_latest(0, m->call - c->delivered) / frame;
    if (behind <= 0)
        return;
    if (m->asks_wait && e->model->known_after_wait)
        m->chance_known = chance_after_wait(e, c);
    else
        exchange_note(e, m);
    const double drawn = e->setup->mode == MODE_distribution
                             ? ldexp(timed_word(e, c->from, STREAM_HANDSHAKE, m->number), -32)
                             : 0.5;
    /* Not known it is read before what its receiver announces now can be answered, which takes two handshakes: else that would
     * decide, by the difference of two numbers that are nearly alike, what the probability is to decide. */
    const double later = fmin(frame, handshake_time(e, c));
    m->there_at = drawn < behind * m->chance_known ? c->delivered : rule_latest(m->there_at, c->delivered + later);
}

void wire_announce(struct timed *e, int32_t transfer)
{
    struct timed_transfer *m = &e->transfers[transfer];
    struct timed_channel *c = &e->channels[m->channel];
    m->announced = m->there_at = e->now;
    if (!c->has_handshakes)
        return;
    if (c->rails > 1)
        m->rail = wire_rail(e, c, false);
    m->chance_known = c->rested && c->was_long ? e->model->known_after_rest : e->model->known;
    m->asks_wait = c->has_stream && !c->was_long && !stream_is_busy(e, c, m->rail);
    c->was_long = true; /* for the next, whether or not this one's data have left by then */
    if (c->has_stream) {
        stream_announce(e, transfer);
        return;
    }
    if (c->join != JOIN_MADE) {
        m->there_at = INFINITY;
        m->chance_known = 0;
        m->next_permitted = c->first_announced;
        c->first_announced = transfer;
        return;
    }
    if (!c->in_time) {
        m->there_at = e->now + handshake_time(e, c);
        return;
    }
    m->announced = rule_latest(e->now, e->processes[c->from].answered) + backlog(e, c, m->rail, false);
    m->there_at = m->announced + handshake_time(e, c);
}

double wire_answer_time(struct timed *e, const struct timed_channel *c)
{
    struct price *price = price_find(&e->book, c->pair_class, SEND_BLOCKING, 0);
    return rule_latest(LEAST_ANSWER * e->now, quantile_at(price_overhead(&e->book, price, SIDE_SEND), UINT32_MAX / 2));
}

/* Announcement and permission are messages of their own: each waits behind what the port of its sender holds when it
 * leaves. The measured transit has both, from idle ports; meanwhile the sender's port is free for others. */
void wire_meet(struct timed *e, int32_t transfer)
{
    struct timed_transfer *m = &e->transfers[transfer];
    const struct timed_channel *c = &e->channels[m->channel];
    if (!c->has_handshakes) {
        rendezvous_start(e, transfer, e->now);
        return;
    }
    m->time = rule_latest(e->now, m->announced);
    if (m->there_at == INFINITY)
        m->asked = true;
    else if (m->there_at > e->now)
        event_add(e, m->there_at, EVENT_PERMIT, c->from, transfer);
    else
        wire_permit(e, transfer);
}

double wire_rest_departs(struct timed *e, const struct timed_transfer *m)
{
    struct timed_channel *c = &e->channels[m->channel];
    return m->bytes - c->eager_limit > c->eager_limit ? e->now - 2 * handshake_time(e, c) : e->now;
}

/* A permission is in the stream of what its sender sends the other: it comes with the last of that, or later. */
void wire_permit(struct timed *e, int32_t transfer)
{
    struct timed_transfer *m = &e->transfers[transfer];
    struct timed_channel *c = &e->channels[m->channel];
    if (c->has_stream) {
        stream_permit(e, transfer);
        return;
    }
    if (transfer_is_got(c, m)) {
        rendezvous_start(e, transfer, m->time);
        return;
    }
    const double behind = c->in_time ? backlog(e, c, m->rail, true) : 0;
    m->time += behind;
    m->permitted = e->now + behind + handshake_time(e, c);
    struct timed_channel *back = c->back == NONE ? NULL : &e->channels[c->back];
    if (!back || back->n_departed == back->n_arrived) {
        event_add(e, back ? rule_latest(m->permitted, back->delivered) : m->permitted, EVENT_DEPART, c->from, transfer);
        return;
    }
    m->permitted_after = back->n_departed;
    m->next_permitted = back->first_permission;
    back->first_permission = transfer;
}

void wire_permissions_go_on(struct timed *e, struct timed_channel *back)
{
    for (int32_t *at = &back->first_permission; *at != NONE;) {
        struct timed_transfer *m = &e->transfers[*at];
        if (m->permitted_after != back->n_arrived) {
            at = &m->next_permitted;
            continue;
        }
        event_add(e, rule_latest(m->permitted, back->delivered), EVENT_DEPART, back->to, *at);
        *at = m->next_permitted;
    }
}
