/* Messages that a resource may lose: they pass what they wait for as network/connection.h sends frames, each as one. */
#include "engine/timed/way/losses.h"

#include "engine/timed/timed.h"
#include "engine/timed/way/handshake.h"
#include "engine/timed/way/path.h"
#include "engine/timed/way/socket.h"
#include "engine/timed/way/wire.h"

#include "common/alloc.h"

#include <math.h>
#include <stdlib.h>

/* Times: of two gaps that were measured the larger may be so much larger by chance. Nodes that differ by less are of one class. */
static const double QUICKER = 1.15;

/* ---- which messages ---- */

static inline struct timed_connection *connection_of(struct timed *e, const struct timed_channel *c)
{
    return c->connection == NONE ? NULL : &e->losses.connections[c->connection];
}

/* Whether a queue can lose a message at all. Of a lone connection it loses some only where the slowest resource
 * before it, which needs `before` for the message, is quicker. */
static inline bool can_lose(const struct timed_channel *c, const struct queue *queue, double buffer, double work, double before)
{
    return buffer < INFINITY && (queue->alone != c->source || work > QUICKER * before);
}

/* Whether it may, with a message of `work` behind what it holds. */
static inline bool may_lose(const struct queue *queue, double buffer, double work, double now)
{
    return queue->n_losing > 0 || queue_behind(queue, now) + work > buffer * BUFFER_FULL;
}

bool losses_expected(const struct timed *e, const struct timed_channel *c)
{
    return c->connection != NONE && e->losses.connections[c->connection].first_message != NONE;
}

bool losses_may_happen(struct timed *e, const struct timed_channel *c, const struct timed_transfer *m)
{
    const struct port_cost *cost = &m->price->ports;
    if (losses_expected(e, c))
        return true;
    double before = cost->out_gap;
    for (int i = 0; i < c->n_hops; i++) {
        const struct timed_hop *hop = &e->paths.hops[c->first_hop + i];
        const struct queue *queue = &e->paths.queues[hop->queue].at;
        if (can_lose(c, queue, hop->cost.buffer, hop->cost.work, before) &&
            may_lose(queue, hop->cost.buffer, hop->cost.work, e->now))
            return true;
        before = rule_latest(before, hop->cost.work);
    }
    const struct queue *in = &c->to_port->in;
    return c->uses_ports && cost->in_gap > 0 && can_lose(c, in, cost->buffer, cost->in_gap, before) &&
           may_lose(in, cost->buffer, cost->in_gap, e->now);
}

double losses_acknowledged(const struct timed *e, const struct timed_channel *c)
{
    if (!losses_expected(e, c))
        return INFINITY;
    const struct timed_connection *connection = &e->losses.connections[c->connection];
    const struct timed_transfer *m = &e->transfers[connection->first_message];
    return m->given - (double)m->bytes * (int32_t)(m->stream_end - connection->at.first);
}

/* ---- connections ---- */

static struct timed_connection *connection_find(struct timed *e, struct timed_channel *c, int32_t threshold)
{
    struct timed_losses *all = &e->losses;
    if (c->connection != NONE)
        return &all->connections[c->connection];
    if ((size_t)all->n_connections == all->capacity) {
        const size_t old = all->capacity;
        all->capacity = old ? 2 * old : 64;
        all->connections = alloc_resize(all->connections, all->capacity, sizeof *all->connections);
        for (size_t i = old; i < all->capacity; i++)
            all->connections[i] = (struct timed_connection){0};
    }
    c->connection = all->n_connections++;
    struct timed_connection *made = &all->connections[c->connection];
    connection_reset(&made->at);
    /* not less than when it was connected */
    made->at.round_trip = rule_latest(c->round_trip, wire_acknowledged(e, c) - e->now);
    made->at.threshold = threshold;
    made->at.ticks = e->ticks;
    made->channel = (int32_t)(c - e->channels);
    made->first_message = made->last_message = made->sending = NONE;
    made->stream_end = 0;
    made->next_out = made->came = made->told = -INFINITY;
    made->alarm = INFINITY;
    return made;
}

static int32_t flight_new(struct timed *e)
{
    struct timed_losses *all = &e->losses;
    int32_t i = all->free_flight;
    if (i != NONE) {
        all->free_flight = all->flights[i].next;
        return i;
    }
    all->flights = alloc_grow(all->flights, (size_t)all->n_flights, &all->flights_capacity, sizeof *all->flights);
    return all->n_flights++;
}

static void flight_release(struct timed *e, int32_t flight)
{
    e->losses.flights[flight].next = e->losses.free_flight;
    e->losses.free_flight = flight;
}

static void flight_event(struct timed *e, int32_t flight, double time)
{
    const int32_t channel = e->losses.flights[flight].channel;
    event_add(e, rule_latest(time, e->now), EVENT_FLIGHT, e->channels[channel].from, flight);
}

/* Frames of a connection keep their order where several come at one time, as events of one time do not; else it would take
 * some for lost. */
static double in_order(double *latest, double time)
{
    *latest = time > *latest ? time : rule_next(*latest);
    return *latest;
}

/* One event at a time, the earliest needed: where the time moves on, it looks again. */
static void alarm_set(struct timed *e, struct timed_connection *connection)
{
    if (connection->at.due >= connection->alarm)
        return;
    connection->alarm = rule_latest(connection->at.due, e->now);
    event_add(e, connection->alarm, EVENT_ALARM, e->channels[connection->channel].from,
              (int32_t)(connection - e->losses.connections));
}

/* A message that leaves: a new one is the next of those that have not. */
static int32_t flight_begin(struct timed *e, struct timed_connection *connection, uint32_t frame)
{
    struct connection_frame *sent = connection_frame_at(&connection->at, frame);
    if (!sent->cost) {
        while ((int32_t)(frame - e->transfers[connection->sending].stream_end) >= 0)
            connection->sending = e->transfers[connection->sending].next_on_wire;
        sent->cost = e->transfers[connection->sending].price;
    }
    const int32_t flight = flight_new(e);
    e->losses.flights[flight] =
        (struct timed_flight){.channel = connection->channel, .frame = frame, .price = sent->cost};
    return flight;
}

/* Brings the way what it may. Frames leave their sender one behind the other. */
static void connection_go_on(struct timed *e, struct timed_connection *connection)
{
    uint32_t frame;
    while (connection_send(&connection->at, e->now, &frame)) {
        const double out = rule_latest(e->now, connection->next_out);
        const int32_t which = flight_begin(e, connection, frame);
        const struct timed_flight *flight = &e->losses.flights[which];
        connection->next_out = out + flight->price->ports.out_gap;
        flight_event(e, which, out);
    }
    alarm_set(e, connection);
}

void losses_alarm(struct timed *e, int32_t which)
{
    struct timed_connection *connection = &e->losses.connections[which];
    if (e->now < connection->alarm) /* an earlier one has been set since */
        return;
    connection->alarm = INFINITY;
    if (connection->at.due <= e->now)
        connection_wake(&connection->at, e->now);
    connection_go_on(e, connection);
}

/* ---- messages ---- */

/* All that lies on the way of its frames has it, or has it no longer. */
static void losing_add(struct timed *e, const struct timed_channel *c, int32_t change)
{
    for (int i = 0; i < c->n_hops; i++)
        e->paths.queues[e->paths.hops[c->first_hop + i].queue].at.n_losing += change;
    if (c->uses_ports)
        c->to_port->in.n_losing += change;
}

/* The window that a connection has when its messages begin to pass so, one of which is outstanding beside those at the receiver's
 * port: these have not opened it yet. */
static int32_t window_acknowledged(const struct timed *e, const struct timed_channel *c)
{
    const int32_t window = c->window - 1 - (int32_t)rint(losses_held(e, c));
    return window > CONNECTION_FIRST_WINDOW ? window : CONNECTION_FIRST_WINDOW;
}

/* They are outstanding: their acknowledgements are still to come, and let others follow. */
static void held_join(struct timed *e, struct timed_connection *connection, const struct price *price)
{
    struct timed_channel *c = &e->channels[connection->channel];
    const int32_t n = (int32_t)fmin(rint(losses_held(e, c)), connection->at.window);
    const double step = (c->held_until - e->now) / n;
    uint32_t frame;
    c->held_until = -INFINITY;
    connection_offer(&connection->at, n, e->now);
    connection->stream_end += (uint32_t)n;
    for (int32_t i = 1; i <= n && connection_send(&connection->at, e->now, &frame); i++) {
        struct connection_frame *sent = connection_frame_at(&connection->at, frame);
        const int32_t flight = flight_new(e);
        sent->cost = price; /* of a probe that sends it again */
        sent->sent = c->held_since;
        e->losses.flights[flight] =
            (struct timed_flight){.channel = connection->channel, .frame = frame, .stage = FLIGHT_RECEIVED};
        flight_event(e, flight, in_order(&connection->came, e->now + i * step));
    }
}

/* It joins the stream of its pair. */
static struct timed_connection *message_add(struct timed *e, int32_t transfer)
{
    struct timed_transfer *m = &e->transfers[transfer];
    struct timed_channel *c = &e->channels[m->channel];
    const bool is_new = c->connection == NONE;
    struct timed_connection *connection = connection_find(e, c, m->price->threshold);
    if (is_new)
        connection->at.window = window_acknowledged(e, c);
    if (connection->first_message == NONE)
        held_join(e, connection, m->price);
    m->stream_end = ++connection->stream_end;
    m->next_on_wire = NONE;
    if (connection->first_message == NONE)
        connection->first_message = connection->sending = transfer;
    else
        e->transfers[connection->last_message].next_on_wire = transfer;
    connection->last_message = transfer;
    losing_add(e, c, 1);
    if (c->delivered > e->now)
        connection_heard(&connection->at, c->delivered + wire_acknowledged(e, c) - e->now);
    connection_offer(&connection->at, 1, e->now);
    return connection;
}

/* Messages that are there. */
static void messages_deliver(struct timed *e, struct timed_connection *connection)
{
    while (connection->first_message != NONE) {
        const int32_t transfer = connection->first_message;
        struct timed_transfer *m = &e->transfers[transfer];
        if ((int32_t)(connection->at.got - m->stream_end) < 0)
            return;
        connection->first_message = m->next_on_wire;
        if (connection->sending == transfer)
            connection->sending = m->next_on_wire;
        losing_add(e, &e->channels[m->channel], -1);
        m->port_wait += queue_excess(e->now, m->time);
        wire_arrival_known(e, transfer, e->now);
    }
}

void losses_begin(struct timed *e, int32_t transfer)
{
    struct timed_connection *connection = message_add(e, transfer);
    connection_go_on(e, connection);
    messages_deliver(e, connection);
}

void losses_acknowledge(struct timed *e, struct timed_channel *c, const struct timed_transfer *m, double leaves)
{
    struct connection *at = &connection_of(e, c)->at;
    at->round_trip = connection_round_trip(at->round_trip, losses_round_trip(e, c, m, leaves));
    if (!losses_expected(e, c))
        connection_passed(at, e->now);
}

/* ---- on their way ---- */

/* The resource at which one is: its queue, and what it costs there. */
static struct queue *stage_of(struct timed *e, const struct timed_channel *c, const struct timed_flight *flight,
                              struct hop_cost *cost)
{
    const struct price *price = flight->price;
    if (flight->stage < c->n_hops) {
        path_price(e, c, price->bytes);
        const struct timed_hop *hop = &e->paths.hops[c->first_hop + flight->stage];
        *cost = hop->cost;
        return &e->paths.queues[hop->queue].at;
    }
    *cost = (struct hop_cost){.work = price->ports.in_gap, .frame = price->ports.frame,
                              .saved = price->saved, .buffer = price->ports.buffer};
    return &c->to_port->in;
}

/* One reaches a resource: it is lost, or goes on when the resource has passed it. */
static void message_passes(struct timed *e, int32_t which)
{
    struct timed_flight *flight = &e->losses.flights[which];
    const struct timed_channel *c = &e->channels[flight->channel];
    const bool last = flight->stage >= c->n_hops - !c->uses_ports;
    struct hop_cost cost;
    struct queue *queue = stage_of(e, c, flight, &cost);
    queue_meet(queue, c->source, e->now);
    if (queue_is_full(queue, cost.work, cost.work, cost.buffer, e->now)) {
        flight_release(e, which);
        return;
    }
    queue_take(queue, e->now - cost.saved, cost.work);
    const double time = rule_latest(queue->until, e->now);
    flight->stage = last ? FLIGHT_RECEIVED : (int16_t)(flight->stage + 1);
    flight_event(e, which, last ? in_order(&connection_of(e, c)->came, time) : time);
}

/* One is there, and its acknowledgement goes back. */
static void message_is_received(struct timed *e, int32_t which)
{
    struct timed_flight *flight = &e->losses.flights[which];
    struct timed_connection *connection = connection_of(e, &e->channels[flight->channel]);
    struct timed_channel *c = &e->channels[flight->channel];
    connection_receive(&connection->at, flight->frame);
    if (flight->price)
        wire_acknowledge(e, c, flight->price);
    flight->stage = FLIGHT_BACK;
    flight_event(e, which, in_order(&connection->told, wire_acknowledged(e, c)));
    messages_deliver(e, connection);
}

/* The acknowledgement of one has left its receiver's port, or passed a hop of its way: it goes on, or is there. */
static void acknowledgement_passes(struct timed *e, int32_t which)
{
    struct timed_flight *flight = &e->losses.flights[which];
    const int32_t channel = flight->channel;
    struct timed_connection *connection = connection_of(e, &e->channels[channel]);
    const uint32_t frame = flight->frame;
    int hops = FLIGHT_BACK - flight->stage;
    const double passed = path_back(e, &e->channels[channel], &hops);
    flight->stage = (int16_t)(FLIGHT_BACK - hops);
    if (passed > e->now) {
        flight_event(e, which, passed);
        return;
    }
    flight_release(e, which);
    connection_acknowledge(&connection->at, frame, e->now);
    connection_go_on(e, connection);
    socket_go_on(e, channel);
}

void losses_event(struct timed *e, int32_t which)
{
    const struct timed_flight flight = e->losses.flights[which];
    if (flight.stage == FLIGHT_RECEIVED) {
        message_is_received(e, which);
    } else if (flight.stage <= FLIGHT_BACK) {
        acknowledgement_passes(e, which);
    } else {
        message_passes(e, which);
    }
}

/* ---- all of them ---- */

void losses_reset(struct timed_losses *losses)
{
    losses->n_connections = losses->n_flights = 0;
    losses->free_flight = NONE;
}

void losses_free(struct timed_losses *losses)
{
    for (size_t i = 0; i < losses->capacity; i++)
        connection_free(&losses->connections[i].at);
    free(losses->connections);
    free(losses->flights);
}
