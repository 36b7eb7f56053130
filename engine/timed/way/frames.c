/* Messages whose frames may be lost: they pass what they wait for frame by frame, as network/connection.h sends them. */
#include "engine/timed/way/frames.h"

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
    return c->connection == NONE ? NULL : &e->frames.connections[c->connection];
}

/* Whether a queue can lose frames of a message at all. Of a lone connection it loses some only where the slowest resource
 * before it, which needs `before` for the message, is quicker. */
static inline bool can_lose(const struct timed_channel *c, const struct queue *queue, double buffer, double work, double before)
{
    return buffer < INFINITY && (queue->alone != c->source || work > QUICKER * before);
}

/* Whether it may, where it will be so far behind at most. */
static inline bool may_lose(const struct queue *queue, double buffer, double behind)
{
    return queue->n_by_frame > 0 || behind > buffer * FRAMES_FULL;
}

/* How long a message that flows into a port still does. */
static double flow_left(const struct timed *e, const struct timed_transfer *m)
{
    return rule_latest(m->time - e->now, m->left);
}

/* What flows into a port within a time from now; acknowledgements (what else its rate holds) do for all of it. */
static double port_flows(const struct timed *e, const struct timed_port *port, double time)
{
    double work = 0, rate = 0;
    for (int32_t i = port->first_entering; i != NONE; i = e->transfers[i].next_entering) {
        const struct timed_transfer *m = &e->transfers[i];
        work += m->rate * fmin(time, flow_left(e, m));
        rate += m->rate;
    }
    return work + rule_latest(0, port->in.rate - rate) * time;
}

/* How far behind a port is at most until a message of `work` that begins to come now has come within `width`. What flows in
 * only becomes less, so it is where a flow ends, or at the end. */
static double port_foresee(const struct timed *e, const struct timed_port *port, double work, double width)
{
    const double behind = rule_latest(0, queue_foreseen(&port->in, e->now) - e->now);
    double most = behind + port_flows(e, port, width) + work - width;
    for (int32_t i = port->first_entering; i != NONE; i = e->transfers[i].next_entering) {
        const double left = flow_left(e, &e->transfers[i]);
        if (left < width)
            most = rule_latest(most, behind + port_flows(e, port, left) + work * left / width - left);
    }
    return most;
}

static bool is_under_way(struct timed *e, const struct timed_channel *c)
{
    const struct timed_connection *connection = connection_of(e, c);
    return connection && connection->first_message != NONE;
}

static bool may_be_lost(struct timed *e, const struct timed_channel *c, const struct timed_transfer *m, double width)
{
    const struct port_cost *cost = &m->price->ports;
    if (is_under_way(e, c))
        return true;
    double before = cost->out_gap;
    for (int i = 0; i < c->n_hops; i++) {
        const struct timed_hop *hop = &e->paths.hops[c->first_hop + i];
        const struct queue *queue = &e->paths.queues[hop->queue].at;
        if (can_lose(c, queue, hop->cost.buffer, hop->cost.work, before) &&
            may_lose(queue, hop->cost.buffer, queue_foresee(queue, hop->cost.work, width, e->now)))
            return true;
        before = rule_latest(before, hop->cost.work);
    }
    const struct timed_port *port = c->to_port;
    return c->uses_ports && cost->in_gap > 0 &&
           can_lose(c, &port->in, cost->buffer, cost->in_gap, before) &&
           may_lose(&port->in, cost->buffer, port_foresee(e, port, cost->in_gap, width));
}

bool frames_may_be_lost(struct timed *e, struct timed_channel *c, const struct timed_transfer *m, double width)
{
    if (!m->shares)
        c->by_frame = may_be_lost(e, c, m, width);
    return c->by_frame;
}

bool frames_expected(struct timed *e, const struct timed_channel *c)
{
    return is_under_way(e, c);
}

double frames_acknowledged(const struct timed *e, const struct timed_channel *c)
{
    if (c->connection == NONE || e->frames.connections[c->connection].first_message == NONE)
        return INFINITY;
    const struct timed_connection *connection = &e->frames.connections[c->connection];
    const struct timed_transfer *m = &e->transfers[connection->first_message];
    return m->given - (double)m->bytes * (int32_t)(m->frames_end - connection->at.first) / m->price->frames;
}

/* ---- connections ---- */

static struct timed_connection *connection_find(struct timed *e, struct timed_channel *c, int32_t threshold)
{
    struct timed_frames *f = &e->frames;
    if (c->connection != NONE)
        return &f->connections[c->connection];
    if ((size_t)f->n_connections == f->capacity) {
        const size_t old = f->capacity;
        f->capacity = old ? 2 * old : 64;
        f->connections = alloc_resize(f->connections, f->capacity, sizeof *f->connections);
        for (size_t i = old; i < f->capacity; i++)
            f->connections[i] = (struct timed_connection){0};
    }
    c->connection = f->n_connections++;
    struct timed_connection *made = &f->connections[c->connection];
    connection_reset(&made->at);
    /* not less than when it was connected */
    made->at.round_trip = rule_latest(c->round_trip, wire_acknowledged(e, c) - e->now);
    made->at.threshold = threshold;
    made->channel = (int32_t)(c - e->channels);
    made->first_message = made->last_message = made->sending = NONE;
    made->stream_end = 0;
    made->next_out = made->came = made->told = -INFINITY;
    made->alarm = INFINITY;
    return made;
}

static int32_t flight_new(struct timed *e)
{
    struct timed_frames *f = &e->frames;
    int32_t i = f->free_flight;
    if (i != NONE) {
        f->free_flight = f->flights[i].next;
        return i;
    }
    f->flights = alloc_grow(f->flights, (size_t)f->n_flights, &f->flights_capacity, sizeof *f->flights);
    return f->n_flights++;
}

static void flight_release(struct timed *e, int32_t flight)
{
    e->frames.flights[flight].next = e->frames.free_flight;
    e->frames.free_flight = flight;
}

static void flight_event(struct timed *e, int32_t flight, double time)
{
    const int32_t channel = e->frames.flights[flight].channel;
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
              (int32_t)(connection - e->frames.connections));
}

/* The part of its message's work that a frame brings. */
static double part_of(const struct timed_flight *flight)
{
    const struct price *price = flight->price;
    if (price->frames == 1)
        return flight->load;
    return flight->ends ? 1 - (price->frames - 1) * price->full : price->full;
}

/* A frame that leaves: of which message a new one is the connection knows. */
static int32_t flight_begin(struct timed *e, struct timed_connection *connection, uint32_t frame)
{
    struct connection_frame *sent = connection_frame_at(&connection->at, frame);
    if (!sent->cost) {
        while ((int32_t)(frame - e->transfers[connection->sending].frames_end) >= 0)
            connection->sending = e->transfers[connection->sending].next_on_wire;
        sent->cost = e->transfers[connection->sending].price;
        sent->load = e->transfers[connection->sending].load;
        sent->ends = frame + 1 == e->transfers[connection->sending].frames_end;
    }
    const int32_t flight = flight_new(e);
    e->frames.flights[flight] =
        (struct timed_flight){.channel = connection->channel, .frame = frame, .ends = sent->ends, .price = sent->cost,
                              .load = sent->load};
    return flight;
}

/* Brings the way what it may. Frames leave their sender one behind the other. */
static void connection_go_on(struct timed *e, struct timed_connection *connection)
{
    uint32_t frame;
    while (connection_send(&connection->at, e->now, &frame)) {
        const double out = rule_latest(e->now, connection->next_out);
        const int32_t which = flight_begin(e, connection, frame);
        const struct timed_flight *flight = &e->frames.flights[which];
        connection->next_out = out + part_of(flight) * flight->price->ports.out_gap;
        flight_event(e, which, out);
    }
    alarm_set(e, connection);
}

void frames_alarm(struct timed *e, int32_t which)
{
    struct timed_connection *connection = &e->frames.connections[which];
    if (e->now < connection->alarm) /* an earlier one has been set since */
        return;
    connection->alarm = INFINITY;
    if (connection->at.due <= e->now)
        connection_wake(&connection->at, e->now);
    connection_go_on(e, connection);
}

/* ---- messages ---- */

/* All that lies on the way of its frames has it, or has it no longer. */
static void by_frame_add(struct timed *e, const struct timed_channel *c, int32_t change)
{
    for (int i = 0; i < c->n_hops; i++)
        e->paths.queues[e->paths.hops[c->first_hop + i].queue].at.n_by_frame += change;
    if (c->uses_ports)
        c->to_port->in.n_by_frame += change;
}

/* How many frames of it are at its sender's port, of those that had not passed before it passed frame by frame. */
static int32_t frames_brought(const struct timed_transfer *m)
{
    const int32_t all = m->price->frames;
    const double left = m->left > 0 ? ceil(m->left / m->price->ports.out_gap * all - 1e-6) : 0;
    return m->frames - (int32_t)fmin(m->frames, left);
}

/* The window that a connection has when it begins to pass frame by frame, `brought` frames of which are outstanding beside
 * those at the receiver's port: these have not opened it yet. */
static int32_t window_acknowledged(const struct timed *e, const struct timed_channel *c, int32_t brought)
{
    const int32_t window = c->window - brought - (int32_t)rint(frames_held(e, c));
    return window > CONNECTION_FIRST_WINDOW ? window : CONNECTION_FIRST_WINDOW;
}

/* They are outstanding: their acknowledgements are still to come, and let others follow. */
static void held_join(struct timed *e, struct timed_connection *connection, const struct price *price)
{
    struct timed_channel *c = &e->channels[connection->channel];
    const int32_t n = (int32_t)fmin(rint(frames_held(e, c)), connection->at.window);
    const double step = (c->held_until - e->now) / n;
    uint32_t frame;
    c->held_until = -INFINITY;
    connection_offer(&connection->at, n, e->now);
    connection->stream_end += (uint32_t)n;
    for (int32_t i = 1; i <= n && connection_send(&connection->at, e->now, &frame); i++) {
        struct connection_frame *sent = connection_frame_at(&connection->at, frame);
        const int32_t flight = flight_new(e);
        sent->cost = price; /* of a probe that sends it again */
        sent->load = 1;
        sent->sent = c->held_since;
        e->frames.flights[flight] =
            (struct timed_flight){.channel = connection->channel, .frame = frame, .stage = FLIGHT_RECEIVED};
        flight_event(e, flight, in_order(&connection->came, e->now + i * step));
    }
}

/* What has not passed of it, n frames, joins the stream of its pair; 0: it is in the frame of the message before. */
static struct timed_connection *message_add(struct timed *e, int32_t transfer, int32_t n)
{
    struct timed_transfer *m = &e->transfers[transfer];
    struct timed_channel *c = &e->channels[m->channel];
    const bool is_new = c->connection == NONE;
    struct timed_connection *connection = connection_find(e, c, m->price->threshold);
    m->by_frame = true;
    m->frames = n;
    m->brought = frames_brought(m);
    if (is_new)
        connection->at.window = window_acknowledged(e, c, m->brought);
    if (n > 0 && connection->first_message == NONE)
        held_join(e, connection, m->price);
    m->frames_end = connection->stream_end += (uint32_t)n;
    m->next_on_wire = NONE;
    if (connection->first_message == NONE)
        connection->first_message = connection->sending = transfer;
    else
        e->transfers[connection->last_message].next_on_wire = transfer;
    connection->last_message = transfer;
    by_frame_add(e, c, 1);
    if (n > 0 && n < m->price->frames)
        connection_passed(&connection->at, m->price->frames - n, e->now);
    if (c->delivered > e->now)
        connection_heard(&connection->at, c->delivered + wire_acknowledged(e, c) - e->now);
    connection_offer(&connection->at, m->brought, e->now);
    return connection;
}

/* Frames of flows that have come already are in the port's queue: the sender has sent them, and hears of them as they
 * pass. */
static void frames_pass(struct timed *e, struct timed_connection *connection, int32_t n, double behind)
{
    uint32_t frame;
    for (int32_t i = 0; i < n && connection_send(&connection->at, e->now, &frame); i++) {
        const int32_t flight = flight_begin(e, connection, frame);
        e->frames.flights[flight].stage = FLIGHT_RECEIVED;
        flight_event(e, flight, in_order(&connection->came, e->now + behind * (i + 1) / n));
    }
}

/* A message that has been flowing into a port, which may lose frames now. Of the frames that have come the port has passed
 * all that it does not hold. */
static void flow_take_over(struct timed *e, struct timed_port *port, int32_t transfer)
{
    struct timed_transfer *m = &e->transfers[transfer];
    const struct port_cost *cost = &m->price->ports;
    const int32_t all = m->price->frames;
    const double coming = (m->time - m->entered) * m->rate, passed = (e->now - m->entered) * m->rate;
    const double came = rule_latest(0, cost->in_gap - coming - m->last_work) + passed;
    const double step = cost->out_gap / all, frame = cost->in_gap / all;
    wire_flow_stop(e, transfer);
    m->frames = all;
    const int32_t most = (int32_t)fmin(frames_brought(m), all - 1);
    const int32_t n = (int32_t)fmin(most, 1 + (e->now - m->entered) / step);
    port->in.until += n * frame - came;
    const double behind = rule_latest(0, port->in.until - e->now);
    const int32_t held = (int32_t)fmin(n, ceil(behind / frame));
    struct timed_connection *connection = message_add(e, transfer, all - n + held);
    frames_pass(e, connection, held, behind);
    connection->next_out = m->entered + n * step;
    connection_go_on(e, connection);
}

/* The messages that flow into a port, but for those that wait for their own sender's. */
static void flows_take_over(struct timed *e, struct timed_port *port)
{
    for (int32_t transfer = port->first_entering, next; transfer != NONE; transfer = next) {
        next = e->transfers[transfer].next_entering;
        if (!e->transfers[transfer].overtaken)
            flow_take_over(e, port, transfer);
    }
}

/* Messages all of whose frames are there. */
static void messages_deliver(struct timed *e, struct timed_connection *connection)
{
    while (connection->first_message != NONE) {
        const int32_t transfer = connection->first_message;
        struct timed_transfer *m = &e->transfers[transfer];
        if ((int32_t)(connection->at.got - m->frames_end) < 0)
            return;
        connection->first_message = m->next_on_wire;
        if (connection->sending == transfer)
            connection->sending = m->next_on_wire;
        by_frame_add(e, &e->channels[m->channel], -1);
        m->port_wait += rule_latest(0, e->now - m->time - m->price->lag);
        wire_arrival_known(e, transfer, e->now);
    }
}

void frames_begin(struct timed *e, int32_t transfer)
{
    const struct timed_channel *c = &e->channels[e->transfers[transfer].channel];
    if (c->uses_ports)
        flows_take_over(e, c->to_port);
    struct timed_transfer *m = &e->transfers[transfer];
    struct timed_connection *connection = message_add(e, transfer, m->shares ? 0 : m->price->frames);
    connection_go_on(e, connection);
    messages_deliver(e, connection);
}

void frames_follow(struct timed *e, int32_t transfer, double wait)
{
    struct timed_transfer *m = &e->transfers[transfer];
    struct timed_connection *connection = connection_of(e, &e->channels[m->channel]);
    const int32_t brought = frames_brought(m);
    connection->next_out = rule_latest(connection->next_out, e->now) + wait;
    connection_offer(&connection->at, brought - m->brought, e->now);
    m->brought = brought;
    connection_go_on(e, connection);
}

/* How many frames of a message that has come the receiver's port still holds: of what it holds they are as large a part as of
 * what came. */
static double frames_left_at(const struct timed *e, const struct timed_channel *c, const struct timed_transfer *m,
                             double leaves)
{
    const struct price *price = m->price;
    if (price->frames == 1 || !(price->ports.in_gap > 0))
        return 1;
    const double own = price->ports.out_gap > 0 ? price->ports.in_gap / price->ports.out_gap : 1;
    const double part = own / rule_latest(1, own + c->to_port->in.rate);
    return fmin(price->frames, rule_latest(0, leaves - e->now) / price->ports.in_gap * price->frames * part);
}

/* A message has gone to the port in one flow. While a connection is young its window opens as frames are acknowledged. */
static void held_note(struct timed *e, struct timed_channel *c, const struct timed_transfer *m, double leaves)
{
    if (m->shares || !(leaves > e->now))
        return;
    c->held = frames_held(e, c) + frames_left_at(e, c, m, leaves);
    c->held_since = e->now;
    c->held_until = leaves;
    if (c->connection == NONE && m->price->frames == 1 && c->window < 2 * c->held && c->window < m->price->threshold)
        c->window++;
}

void frames_acknowledge(struct timed *e, struct timed_channel *c, const struct timed_transfer *m, double leaves)
{
    struct timed_connection *connection = connection_of(e, c);
    const int32_t n = m->price->frames;
    held_note(e, c, m, leaves);
    double *round_trip = connection ? &connection->at.round_trip : &c->round_trip;
    const double back = wire_acknowledged(e, c) - e->now;
    *round_trip = connection_round_trip(*round_trip, rule_latest(leaves, e->now) + back - m->handed, n);
    if (connection && connection->first_message == NONE)
        connection_passed(&connection->at, n, e->now);
}

/* ---- frames on their way ---- */

/* The resource at which a frame is: its queue, and what a frame costs there. */
static struct queue *stage_of(struct timed *e, const struct timed_channel *c, const struct timed_flight *flight,
                              struct hop_cost *cost)
{
    const struct price *price = flight->price;
    if (flight->stage < c->n_hops) {
        path_price(e, c, price->bytes);
        const struct timed_hop *hop = &e->paths.hops[c->first_hop + flight->stage];
        *cost = hop->cost;
        cost->work *= part_of(flight);
        return &e->paths.queues[hop->queue].at;
    }
    *cost = (struct hop_cost){.work = price->ports.in_gap * part_of(flight), .frame = price->ports.frame,
                              .saved = price->saved, .buffer = price->ports.buffer};
    return &c->to_port->in;
}

/* A frame that is shorter than others leaves the resource before where it is: full ones are counted whole there, and what short
 * ones take is not. */
static void short_leaves(struct timed *e, const struct timed_channel *c, struct timed_flight *flight)
{
    const int left = flight->stage == FLIGHT_RECEIVED ? c->n_hops - !c->uses_ports : flight->stage - 1;
    struct queue *queue = left < c->n_hops ? &e->paths.queues[e->paths.hops[c->first_hop + left].queue].at : &c->to_port->in;
    queue->in_short = rule_latest(0, queue->in_short - flight->in_short);
    flight->in_short = 0;
}

/* A frame reaches a resource: it is lost, or goes on when the resource has passed it. */
static void frame_passes(struct timed *e, int32_t which)
{
    struct timed_flight *flight = &e->frames.flights[which];
    const struct timed_channel *c = &e->channels[flight->channel];
    const bool last = flight->stage >= c->n_hops - !c->uses_ports;
    struct hop_cost cost;
    if (flight->in_short > 0)
        short_leaves(e, c, flight);
    struct queue *queue = stage_of(e, c, flight, &cost);
    queue_meet(queue, c->source, e->now);
    const double full = flight->ends ? rule_latest(cost.work, cost.work * flight->price->full / part_of(flight)) : cost.work;
    if (queue_is_full(queue, cost.work, full, cost.buffer, e->now)) {
        flight_release(e, which);
        return;
    }
    queue_take(queue, e->now - cost.saved, cost.work);
    if (full > cost.work) {
        queue->in_short += cost.work;
        flight->in_short = cost.work;
    }
    /* what an idle port adds to a frame; to a message alone it adds more (price->lag), as its frames queue there */
    const double idle = last ? rule_latest(0, cost.work - cost.saved) : 0;
    const double time = rule_latest(queue->until, e->now + idle);
    flight->stage = last ? FLIGHT_RECEIVED : (int16_t)(flight->stage + 1);
    flight_event(e, which, last ? in_order(&connection_of(e, c)->came, time) : time);
}

/* A frame is there: what it completes has come, and its acknowledgement goes back. */
static void frame_is_received(struct timed *e, int32_t which)
{
    struct timed_flight *flight = &e->frames.flights[which];
    struct timed_connection *connection = connection_of(e, &e->channels[flight->channel]);
    struct timed_channel *c = &e->channels[flight->channel];
    if (flight->in_short > 0)
        short_leaves(e, c, flight);
    connection_receive(&connection->at, flight->frame);
    if (flight->price)
        wire_acknowledge(e, c, flight->price, 1.0 / flight->price->frames);
    flight->stage = FLIGHT_BACK;
    flight_event(e, which, in_order(&connection->told, wire_acknowledged(e, c)));
    messages_deliver(e, connection);
}

/* The acknowledgement of a frame has left its receiver's port, or passed a hop of its way: it goes on, or is there. */
static void acknowledgement_passes(struct timed *e, int32_t which)
{
    struct timed_flight *flight = &e->frames.flights[which];
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

void frames_event(struct timed *e, int32_t which)
{
    const struct timed_flight flight = e->frames.flights[which];
    if (flight.stage == FLIGHT_RECEIVED) {
        frame_is_received(e, which);
    } else if (flight.stage <= FLIGHT_BACK) {
        acknowledgement_passes(e, which);
    } else {
        frame_passes(e, which);
    }
}

/* ---- all of them ---- */

void frames_reset(struct timed_frames *frames)
{
    frames->n_connections = frames->n_flights = 0;
    frames->free_flight = NONE;
}

void frames_free(struct timed_frames *frames)
{
    for (size_t i = 0; i < frames->capacity; i++)
        connection_free(&frames->connections[i].at);
    free(frames->connections);
    free(frames->flights);
}
