/* What happens to a message where it leaves: board, out port. */
#include "engine/timed/way/leave.h"

#include "engine/timed/match.h"
#include "engine/timed/stream/stream.h"
#include "engine/timed/timed.h"
#include "engine/timed/way/frames.h"
#include "engine/timed/way/handshake.h"
#include "engine/timed/way/path.h"
#include "engine/timed/way/socket.h"
#include "engine/timed/way/wire.h"

#include <math.h>

/* Pieces, and what is on its way: rounding of their sums. */
static const double LAST_PIECE = 1 + 1e-9;

/* What of the channel is on its way, s of the out port: what was comes evenly. */
static double on_way(const struct timed *e, const struct timed_channel *c)
{
    return c->passes > e->now ? c->way * (c->passes - e->now) / (c->passes - c->noted) : 0;
}

/* The out port has got a frame of the channel, or several, `work` of it, which it passes by its `until`; in_work: of
 * the in port. spread: from the first to the last of them. */
static inline void passes_note(struct timed *e, struct timed_channel *c, const struct price *price, double work,
                               double in_work, double spread)
{
    const double before = c->passes, own = rule_latest(before, e->now - price->saved) + in_work;
    const double in = rule_latest(e->now + path_behind(e, c), own), full = price->ports.full_frame;
    c->way = on_way(e, c) + work;
    c->noted = e->now;
    c->leaves = c->from_port->out.until;
    c->passes = rule_latest(c->leaves, in);
    if (c->back != NONE)
        acknowledging_sent(&e->channels[c->back].acknowledging, e->now);
    if (c->next > e->now)
        return;
    if (before <= e->now)
        c->next = rule_latest(c->leaves - spread, in);
    else
        c->next = in > e->now ? before : fmin(before, e->now + full);
}

/* How much later than from an idle port the message leaves that it passed last; common: it waits for this at once. */
static void port_wait(struct timed *e, const struct timed_port *port, struct timed_transfer *m, double common)
{
    const struct port_cost *cost = &m->price->ports;
    m->port_wait = rule_latest(outlet_late(&port->out, cost->out_gap, cost->out_saved, e->now), common);
    m->acknowledged = port->out.acknowledged;
    m->time += m->port_wait;
}

static void leave_in_frames(struct timed *e, struct timed_channel *c, struct timed_transfer *m)
{
    const struct port_cost *cost = &m->price->ports;
    struct timed_port *port = c->from_port;
    const double saved = outlet_take(&port->out, cost->out_gap, cost->out_saved, e->now);
    c->window = connection_window_rested(c->window, c->round_trip, e->now - c->leaves);
    port_wait(e, port, m, outlet_pass_common(&e->common_until, cost->common, e->now));
    passes_note(e, c, m->price, cost->out_gap, cost->in_gap, cost->spread);
    m->spread = rule_latest(0, rule_earliest(cost->spread, cost->out_gap - saved));
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

/* How much of what is left of the message, s of the out port, its host has taken. */
static double with_host(const struct timed_channel *c, const struct timed_transfer *m)
{
    const double behind = m->given - socket_end(c);
    return behind > 0 ? rule_latest(0, m->left - behind / (double)m->bytes * m->price->ports.out_gap) : m->left;
}

/* What the connection brings the port at once of what is left of the message: a window, as it was measured, where one and a
 * half are left all of it, for sums of pieces are rounded; no more frames than it may have under way while it is young or has
 * lost something; and no more than its host has taken. */
static double piece_of(const struct timed *e, const struct timed_channel *c, const struct timed_transfer *m)
{
    const struct price *price = m->price;
    const double measured = price->ports.piece > 0 ? price->ports.piece : m->left;
    const int32_t window = c->connection != NONE ? e->frames.connections[c->connection].at.window : c->window;
    double piece = m->left < 1.5 * measured ? m->left : measured;
    if (e->model->overflow && window < price->threshold)
        piece = fmin(piece, window * price->ports.out_gap / price->frames);
    piece = fmin(piece, with_host(c, m));
    return m->left < LAST_PIECE * piece ? m->left : piece;
}

static void piece_leaves(struct timed_channel *c, struct timed_transfer *m, double piece)
{
    const struct price *price = m->price;
    m->left = m->left > piece ? m->left - piece : 0;
    if (c->window < price->threshold)
        c->window = connection_window_after(c->window, (int32_t)rint(piece / price->ports.out_gap * price->frames),
                                            price->threshold);
}

/* More of a message than its connection sends at once waits until that has left, and then goes behind what others have
 * brought the port meanwhile. */
static inline void hold_back(struct timed *e, struct timed_channel *c, struct timed_transfer *m)
{
    struct timed_port *port = c->from_port;
    if (m->price->at_once)
        return;
    m->left = m->price->ports.out_gap;
    piece_leaves(c, m, piece_of(e, c, m));
    if (m->left == 0)
        return;
    c->following = (int32_t)(m - e->transfers);
    port->out.until -= m->left;
    event_add(e, rule_latest(e->now, port->out.until), EVENT_FOLLOW, c->from, c->following);
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

static inline void depart(struct timed *e, struct timed_channel *c, struct timed_transfer *m, double time)
{
    const struct port_cost *cost = &m->price->ports;
    const double lead = lead_on_way(e, c, m->price);
    m->time = time - haste_of(e, c, time, lead);
    m->spread = cost->spread;
    m->lag = 0; /* known with its transit */
    m->port_wait = 0;
    m->handed = e->now;
    m->by_frame = false;
    if (channel_in_frames(e, c)) {
        leave_in_frames(e, c, m);
        hold_back(e, c, m);
        socket_brought(e, c, m);
    } else if (c->uses_ports && cost->out_gap > 0) {
        double *free_at = &c->from_port->out.until;
        m->time = rule_out_port(free_at, cost->out_gap, port_cost_out_credit(cost), time);
        m->port_wait = m->time - time;
    }
    set_out(e, c, m, lead);
}

static void behind_add(struct timed *e, struct timed_channel *c, int32_t transfer)
{
    e->transfers[transfer].next_on_wire = NONE;
    if (c->first_behind == NONE)
        c->first_behind = transfer;
    else
        e->transfers[c->last_behind].next_on_wire = transfer;
    c->last_behind = transfer;
}

/* What the messages kept on the channel add to a frame of others, and alone. */
static double shared_work(const struct port_cost *cost)
{
    return cost->out_gap - cost->out_shared;
}

/* Whether the channel's host has taken a message, of a long one the first frame. */
static bool is_taken(const struct timed *e, const struct timed_channel *c, int32_t transfer)
{
    const struct timed_transfer *m = &e->transfers[transfer];
    return !c->full || m->given - (double)m->bytes * (1 - 1.0 / m->price->frames) <= c->taken;
}

/* Whether something of the channel is kept for the next frame. */
static bool frame_is_kept(const struct timed *e, const struct timed_channel *c)
{
    return c->first_behind != NONE && is_taken(e, c, c->first_behind);
}

/* As many of the messages kept as one frame takes: the first that stays, NONE; *work: of the out port. */
static int32_t frame_end(const struct timed *e, const struct timed_channel *c, double *work)
{
    int32_t i = c->first_behind;
    *work = e->transfers[i].price->ports.out_gap;
    for (i = e->transfers[i].next_on_wire; i != NONE; i = e->transfers[i].next_on_wire) {
        const struct port_cost *cost = &e->transfers[i].price->ports;
        if (*work + shared_work(cost) > cost->full_frame || !is_taken(e, c, i))
            break;
        *work += shared_work(cost);
    }
    return i;
}

/* The messages of the channel's next frame leave, all when the last of them has passed the port. */
static void frame_leave(struct timed *e, struct timed_channel *c)
{
    struct timed_port *port = c->from_port;
    const struct port_cost *cost = &e->transfers[c->first_behind].price->ports;
    const double common = outlet_pass_common(&e->common_until, cost->common, e->now);
    double work;
    int32_t transfer = c->first_behind;
    const int32_t end = c->first_behind = frame_end(e, c, &work);
    c->kept = frame_is_kept(e, c) ? c->kept - work + cost->out_shared : 0;
    outlet_take(&port->out, work, cost->out_saved, e->now);
    passes_note(e, c, e->transfers[transfer].price, work, work / cost->out_gap * cost->in_gap, 0);
    e->transfers[transfer].load = work / cost->out_gap;
    for (bool shares = false; transfer != end; shares = true) {
        struct timed_transfer *m = &e->transfers[transfer];
        const int32_t next = m->next_on_wire;
        const double sent = m->time;
        const double lead = lead_on_way(e, c, m->price);
        m->time = e->now - haste_of(e, c, sent, lead);
        m->handed = e->now;
        m->spread = m->lag = 0;
        m->shares = shares;
        port_wait(e, port, m, common);
        m->port_wait += e->now - sent;
        socket_brought(e, c, m);
        set_out(e, c, m, lead);
        transfer = next;
    }
}

/* All that is kept leaves. */
static void kept_leave(struct timed *e, struct timed_channel *c)
{
    while (frame_is_kept(e, c) && c->following == NONE) {
        struct timed_transfer *m = &e->transfers[c->first_behind];
        const double waited = e->now - m->time;
        if (m->price->ports.out_shared > 0) {
            frame_leave(e, c);
            continue;
        }
        c->first_behind = m->next_on_wire;
        depart(e, c, m, e->now);
        m->port_wait += waited;
    }
    c->kept = 0;
    c->n_long = 0;
}

/* Kept messages follow when a frame of the channel has passed, a long one with them when small queues let it. */
static void frame_await(struct timed *e, struct timed_channel *c)
{
    if (c->frame_is_due || !frame_is_kept(e, c))
        return;
    const double full = e->transfers[c->first_behind].price->ports.full_frame;
    if (c->next <= e->now)
        c->next = fmin(c->passes, e->now + full);
    if (c->n_long > 0)
        c->next = rule_latest(c->next, c->passes - small_queue_later(c->kept, full) * (c->passes - c->noted) / c->way);
    event_add(e, c->next, EVENT_FRAME, c->from, (int32_t)(c - e->channels));
    c->frame_is_due = true;
}

/* Whether the connection may have another full frame under way. */
static bool window_has_room(const struct timed *e, const struct timed_channel *c, double full)
{
    const int32_t window = c->connection != NONE ? e->frames.connections[c->connection].at.window : c->window;
    return e->model->overflow && on_way(e, c) + full <= window * full;
}

/* While a frame of a pair is on its way TCP keeps what is written, as long as that does not fill a frame (automatic
 * corking); and more than that while two of its frames are and what lies behind the sender's port is behind, so that
 * round trips are long, or where a message is long (network/small_queue.h). */
static void message_keep(struct timed *e, struct timed_channel *c, int32_t transfer)
{
    const struct port_cost *cost = &e->transfers[transfer].price->ports;
    e->transfers[transfer].kept = true;
    c->kept += c->first_behind == NONE ? cost->out_gap : shared_work(cost);
    behind_add(e, c, transfer);
    c->n_long += cost->out_shared == 0;
    if (c->n_long > 0) {
        if (on_way(e, c) <= small_queue_written(c->kept, cost->full_frame) || frames_expected(e, c)) {
            e->transfers[transfer].kept = false;
            kept_leave(e, c);
        }
    } else if (c->kept > cost->full_frame && (c->next <= e->now || c->next == c->passes || path_behind(e, c) == 0 ||
                                              window_has_room(e, c, cost->full_frame) || frames_expected(e, c))) {
        frame_leave(e, c);
    }
    frame_await(e, c);
}

double wire_overhead_within(struct timed *e, const struct timed_transfer *m, enum side side, uint32_t word)
{
    const struct timed_channel *c = &e->channels[m->channel];
    struct price *own = price_find(&e->book, timed_pair_class(e, c->from, c->from), m->price->kind, m->bytes);
    const double alone = quantile_at(price_overhead(&e->book, m->price, side), word);
    return fmin(alone, quantile_at(price_overhead(&e->book, own, side), word));
}

/* Whether a message may be kept while something of its pair is on its way: what is longer than a window leaves piece by
 * piece anyhow. */
static bool may_be_kept(const struct port_cost *cost)
{
    return cost->out_shared > 0 || (cost->full_frame > 0 && (cost->piece == 0 || cost->out_gap <= cost->piece));
}

/* All that the pair has sent before has reached the port, or is kept for the next frames. time: stands for the send
 * call. */
static void send_next(struct timed *e, struct timed_channel *c, int32_t transfer, double time)
{
    const double waited = time - e->transfers[transfer].time;
    const bool waits = c->first_behind != NONE || c->passes > e->now;
    if (waits && may_be_kept(&e->transfers[transfer].price->ports) && time == e->now) {
        message_keep(e, c, transfer);
        return;
    }
    kept_leave(e, c);
    if (c->following != NONE) {
        behind_add(e, c, transfer);
        return;
    }
    depart(e, c, &e->transfers[transfer], time);
    e->transfers[transfer].port_wait += waited;
}

/* When the last message arrived that went from one process of the channel to the other, either way. */
static double last_delivered(const struct timed *e, const struct timed_channel *c)
{
    return c->back == NONE ? c->delivered : rule_latest(c->delivered, e->channels[c->back].delivered);
}

/* The host has not taken it: it is behind the channel's others until its process is in MPI, or ends, which may have had its
 * last turn already. */
static void left_behind(struct timed *e, struct timed_channel *c, int32_t transfer)
{
    if (!c->stalled)
        socket_stall(e, (int32_t)(c - e->channels));
    behind_add(e, c, transfer);
}

/* Of a channel with more than the host has taken; false: it has taken this. */
static bool stays_behind(struct timed *e, struct timed_channel *c, int32_t transfer)
{
    if (!c->stalled && (c->following != NONE || is_taken(e, c, transfer)))
        return false;
    left_behind(e, c, transfer);
    return true;
}

void wire_depart(struct timed *e, struct timed_channel *c, struct timed_transfer *m, double time)
{
    if (c->n_departed == c->n_arrived && c->delivered <= e->now && c->passes > e->now)
        c->passes = e->now; /* all is there, whatever was foreseen */
    (*c->on_board)++;
    c->n_departed++;
    c->rested = time - last_delivered(e, c) > e->model->measured_after;
    m->shares = false;
    socket_give(e, c, m);
    if (c->has_stream) {
        m->time = time - haste_of(e, c, time, lead_on_way(e, c, m->price));
        stream_write(e, c, m);
        return;
    }
    if (__builtin_expect(c->join != JOIN_MADE, 0)) {
        m->time = time;
        behind_add(e, c, (int32_t)(m - e->transfers));
        return;
    }
    if (__builtin_expect(c->full, 0) && stays_behind(e, c, (int32_t)(m - e->transfers))) {
        m->time = time;
        return;
    }
    if (__builtin_expect(c->passes <= e->now && c->first_behind == NONE, 1)) {
        depart(e, c, m, time);
        return;
    }
    const int32_t transfer = (int32_t)(m - e->transfers);
    m->time = time;
    if (c->following != NONE)
        behind_add(e, c, transfer);
    else
        send_next(e, c, transfer, time);
}

void wire_frame(struct timed *e, int32_t channel)
{
    struct timed_channel *c = &e->channels[channel];
    c->frame_is_due = false;
    if (c->following != NONE || !frame_is_kept(e, c))
        return;
    if (c->n_long > 0) {
        const double full = e->transfers[c->first_behind].price->ports.full_frame;
        if (on_way(e, c) <= small_queue_later(c->kept, full) * LAST_PIECE)
            kept_leave(e, c);
    } else if (c->next <= e->now) {
        do
            frame_leave(e, c);
        while (frame_is_kept(e, c) && c->passes <= e->now);
    }
    frame_await(e, c);
}

/* All of a message has reached the out port: what its pair has sent behind it follows. */
static void behind_depart(struct timed *e, struct timed_channel *c)
{
    int32_t transfer = c->first_behind;
    c->first_behind = NONE;
    for (int32_t next; transfer != NONE; transfer = next) {
        next = e->transfers[transfer].next_on_wire;
        if (c->following != NONE)
            behind_add(e, c, transfer);
        else if (!stays_behind(e, c, transfer))
            send_next(e, c, transfer, e->now);
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
    if (c->following != NONE) {
        wire_follow(e, c->following);
        return;
    }
    c->kept = 0;
    c->n_long = 0;
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

void wire_follow(struct timed *e, int32_t transfer)
{
    struct timed_transfer *m = &e->transfers[transfer];
    struct timed_channel *c = &e->channels[m->channel];
    struct timed_port *port = c->from_port;
    const double piece = piece_of(e, c, m);
    if (piece == 0) {
        socket_stall(e, m->channel);
        return;
    }
    const double wait = outlet_follow(&port->out, piece, e->now);
    m->acknowledged = port->out.acknowledged;
    m->handed = e->now;
    piece_leaves(c, m, piece);
    c->leaves = port->out.until + m->left;
    socket_brought(e, c, m);
    if (wait > 0)
        wire_wait(e, transfer, wait);
    if (m->by_frame)
        frames_follow(e, transfer, wait);
    if (m->left > 0) {
        event_add(e, rule_latest(e->now, port->out.until), EVENT_FOLLOW, c->from, transfer);
        return;
    }
    c->following = NONE;
    behind_depart(e, c);
}
