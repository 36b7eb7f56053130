/* What happens to a message on its way: transit, in port, arrival. */
#include "engine/timed/way/wire.h"

#include "engine/timed/match.h"
#include "engine/timed/process/call.h"
#include "engine/timed/process/remote.h"
#include "engine/timed/timed.h"
#include "engine/timed/way/frames.h"
#include "engine/timed/way/handshake.h"
#include "engine/timed/way/leave.h"
#include "engine/timed/way/path.h"

#include <Random123/philox.h>

#include <math.h>

void timed_words_fill(struct timed *e, struct timed_words *words, int32_t process, enum stream stream)
{
    philox4x32_key_t key = {{(uint32_t)e->setup->seed, (uint32_t)(e->setup->seed >> 32)}};
    const uint32_t replication = e->setup->same_work && stream_is_work(stream) ? e->setup->work : e->replication;
    philox4x32_ctr_t counter = {{replication, (uint32_t)process, (uint32_t)words->block,
                                 (uint32_t)stream | (uint32_t)(words->block >> 32) << 8}};
    philox4x32_ctr_t out = philox4x32(counter, key);
    for (int i = 0; i < 4; i++)
        words->word[i] = out.v[i];
}

void timed_message_words_fill(struct timed *e, int32_t process, uint64_t block, bool overhead)
{
    struct timed_words *words = &e->words[(size_t)process * N_STREAMS];
    words[STREAM_TRANSIT].block = block;
    timed_words_fill(e, &words[STREAM_TRANSIT], process, STREAM_TRANSIT);
    if (!overhead)
        return;
    words[STREAM_SEND_OVERHEAD].block = block;
    timed_words_fill(e, &words[STREAM_SEND_OVERHEAD], process, STREAM_SEND_OVERHEAD);
}

/* What did not wait of a message is there, and announces the rest. */
static void first_part_known(struct timed *e, int32_t first)
{
    const struct timed_transfer *f = &e->transfers[first];
    struct timed_channel *c = &e->channels[f->channel];
    struct timed_transfer *m = &e->transfers[f->begins];
    (*c->on_board)--;
    m->there_at = f->time;
    if (m->asked)
        event_add(e, rule_latest(e->now, m->there_at), EVENT_PERMIT, c->from, f->begins);
    if (m->receive == NONE) {
        m->queued = true;
        event_add(e, rule_latest(e->now, m->there_at), EVENT_ARRIVE, c->from, f->begins);
    }
    timed_transfer_release(e, first);
}

static inline void arrival_known(struct timed *e, struct timed_channel *c, struct timed_transfer *m, int32_t transfer,
                                 double arrival)
{
    m->time = c->delivered = rule_latest(arrival, c->delivered);
    c->n_arrived++;
    if (c->first_permission != NONE)
        wire_permissions_go_on(e, c);
    if (m->begins != NONE) {
        first_part_known(e, transfer);
        return;
    }
    m->known = true;
    if (m->receive != NONE) {
        receive_ready(e, m->receive);
    } else {
        m->queued = true;
        event_add(e, m->time, EVENT_ARRIVE, c->from, transfer);
    }
}

void wire_arrival_known(struct timed *e, int32_t transfer, double arrival)
{
    struct timed_transfer *m = &e->transfers[transfer];
    arrival_known(e, &e->channels[m->channel], m, transfer, arrival);
}

static bool is_before(const struct timed_transfer *a, const struct timed_transfer *b)
{
    return a->time != b->time ? a->time < b->time : a->number < b->number;
}

static void on_wire_insert(struct timed *e, struct timed_channel *c, int32_t transfer)
{
    struct timed_transfer *m = &e->transfers[transfer];
    int32_t *at = c->last_on_wire != NONE && is_before(&e->transfers[c->last_on_wire], m)
                      ? &e->transfers[c->last_on_wire].next_on_wire
                      : &c->first_on_wire;
    while (*at != NONE && is_before(&e->transfers[*at], m))
        at = &e->transfers[*at].next_on_wire;
    m->next_on_wire = *at;
    *at = transfer;
    if (m->next_on_wire == NONE)
        c->last_on_wire = transfer;
}

/* Among the messages of its pair on their way to the in port: those that come at one time in the order of sending. */
static inline void on_wire_add(struct timed *e, struct timed_channel *c, struct timed_transfer *m, int32_t transfer)
{
    if (c->first_on_wire != NONE) {
        on_wire_insert(e, c, transfer);
        return;
    }
    m->next_on_wire = NONE;
    c->first_on_wire = c->last_on_wire = transfer;
}

/* The first of them, m, is no longer among them. */
static inline void on_wire_take(struct timed_channel *c, const struct timed_transfer *m)
{
    c->first_on_wire = m->next_on_wire;
    if (c->first_on_wire == NONE)
        c->last_on_wire = NONE;
}

/* It is no longer among the messages of its pair on the wire, and the event of its last frame means nothing. */
static void wire_remove(struct timed *e, int32_t transfer)
{
    struct timed_channel *c = &e->channels[e->transfers[transfer].channel];
    int32_t *at = &c->first_on_wire, before = NONE;
    while (*at != transfer) {
        before = *at;
        at = &e->transfers[before].next_on_wire;
    }
    *at = e->transfers[transfer].next_on_wire;
    if (c->last_on_wire == transfer)
        c->last_on_wire = before;
}

static inline void last_add(struct timed *e, const struct timed_channel *c, int32_t channel, double time)
{
    event_add(e, time, EVENT_LAST, c->from, channel);
}

static inline int level_now(const struct timed *e, const struct timed_channel *c, const struct timed_transfer *m)
{
    if (e->levels)
        return level_log_at(e->levels, c->from, m->number);
    if (c->transport == TRANSPORT_self)
        return 1;
    return (int)(*c->on_board < INT32_MAX ? *c->on_board : INT32_MAX);
}

static inline double transit_now(struct timed *e, const struct timed_channel *c, const struct timed_transfer *m)
{
    int level = level_now(e, c, m), *most = &e->level_most[c->transport];
    if (level > *most)
        *most = level;
    /* before the book is asked for more, which may move what it has */
    const double transit = quantile_at(price_transit(&e->book, m->price, level), m->word) + m->price->ports.slower;
    if (!m->price->constant_overhead[SIDE_RECEIVE])
        quantile_expect(price_overhead(&e->book, m->price, SIDE_RECEIVE), m->word);
    return transit;
}

double wire_transit(struct timed *e, int32_t transfer)
{
    const struct timed_transfer *m = &e->transfers[transfer];
    return transit_now(e, &e->channels[m->channel], m);
}

void wire_level(struct timed *e, int32_t transfer)
{
    struct timed_transfer *m = &e->transfers[transfer];
    struct timed_channel *c = &e->channels[m->channel];
    double x = m->time + transit_now(e, c, m), before = c->wire;
    c->wire = x = rule_latest(x, before);
    const struct port_cost *cost = &m->price->ports;
    if (c->has_hops) {
        path_enter(e, transfer, x);
        return;
    }
    /* At this level a message may take less than the least at level 1, after which it was counted. */
    const double arrival = rule_latest(x, e->now);
    if (!c->uses_ports) {
        wire_arrival_known(e, transfer, arrival);
        return;
    }
    if (cost->in_gap == 0 && !frames_expected(e, c)) {
        wire_arrival_known(e, transfer, arrival);
        return;
    }
    if (!e->model->ports_in_frames) {
        m->time = x;
        on_wire_add(e, c, m, transfer);
        last_add(e, c, m->channel, x);
        return;
    }
    const double last_before = rule_latest(c->last_frame, before - m->price->lag);
    m->lag = m->price->lag;
    m->time = c->last_frame = rule_latest(rule_latest(e->now, x - m->lag), c->last_frame);
    on_wire_add(e, c, m, transfer);
    /* Frames of a pair stay in order, so none comes before the last one of the message before. */
    double enters = rule_latest(rule_latest(m->time - m->spread, last_before), e->now);
    m->delayed = false;
    m->in_frames = enters < m->time;
    m->entered = INFINITY;
    if (m->in_frames)
        event_add(e, enters, EVENT_ENTER, c->from, transfer);
    else
        last_add(e, c, m->channel, m->time);
}

/* Half a frame's work: on average so much is there before its time and so much after it. The steps of whole frames,
 * smoothed. */
static double last_work(const struct port_cost *cost, double flows)
{
    return rule_latest(0, rule_earliest(cost->frame / 2, cost->in_gap - flows));
}

static void acknowledging_go_on(struct timed *e, const struct timed_channel *c, const struct timed_transfer *m)
{
    struct timed_port *receiver = c->to_port, *sender = c->from_port;
    outlet_advance(&receiver->out, e->now);
    receiver->out.acknowledging += m->reverse_out;
    queue_answer(&sender->in, (int32_t)(receiver - e->ports), e->now);
    queue_take(&sender->in, e->now - m->price->senders_saved, 0);
    queue_open(&sender->in, m->reverse_in);
}

/* While the message enters, which goes on for as long as more of it follows, its acknowledgements pass the receiver's out port
 * and the sender's in port. */
static void acknowledging_begin(struct timed *e, const struct timed_channel *c, struct timed_transfer *m)
{
    const double entering = m->time - e->now + m->left;
    m->reverse_out = m->price->ports.reverse_out / entering;
    m->reverse_in = m->price->ports.reverse_in / entering;
    acknowledging_go_on(e, c, m);
}

static void acknowledging_end(struct timed *e, const struct timed_channel *c, const struct timed_transfer *m)
{
    struct timed_port *receiver = c->to_port, *sender = c->from_port;
    outlet_advance(&receiver->out, e->now);
    receiver->out.acknowledging = rule_latest(0, receiver->out.acknowledging - m->reverse_out);
    queue_advance(&sender->in, e->now);
    queue_close(&sender->in, m->reverse_in);
}

/* Acknowledgements that take so much of the receiver's out port and of the sender's in port, at once. */
static void acknowledgements_take(struct timed *e, const struct timed_channel *c, const struct price *price, double out,
                                  double in)
{
    struct timed_port *receiver = c->to_port, *sender = c->from_port;
    receiver->out.until = rule_latest(receiver->out.until, e->now - price->ports.receivers_out_saved) + out;
    queue_advance(&sender->in, e->now);
    queue_take(&sender->in, e->now - price->senders_saved, in);
}

void wire_acknowledge(struct timed *e, const struct timed_channel *c, const struct price *price, double part)
{
    if (price->acknowledged && c->uses_ports)
        acknowledgements_take(e, c, price, part * price->ports.reverse_out, part * price->ports.reverse_in);
}

static inline void frame_heard(struct timed *e, struct timed_channel *c, const struct price *price)
{
    if (price->ports.alone_out == 0)
        return;
    const bool reads = e->model->progress == PROGRESS_ASYNC || process_in_mpi(e, c->to);
    if (acknowledging_heard(&c->acknowledging, reads, e->now))
        acknowledgements_take(e, c, price, price->ports.alone_out, price->ports.alone_in);
}

void wire_frame_heard(struct timed *e, struct timed_channel *c, const struct price *price)
{
    frame_heard(e, c, price);
}

/* Of a message that is there: its frame is acknowledged with the first of those that share it. */
static inline void message_acknowledge(struct timed *e, struct timed_channel *c, const struct timed_transfer *m)
{
    if (m->price->ports.alone_out == 0)
        wire_acknowledge(e, c, m->price, 1);
    else if (!m->shares)
        frame_heard(e, c, m->price);
}

/* Those that flow into a port. */
static void entering_add(struct timed *e, struct timed_port *port, int32_t transfer)
{
    struct timed_transfer *m = &e->transfers[transfer];
    m->before_entering = NONE;
    m->next_entering = port->first_entering;
    if (port->first_entering != NONE)
        e->transfers[port->first_entering].before_entering = transfer;
    port->first_entering = transfer;
}

static void entering_remove(struct timed *e, struct timed_port *port, int32_t transfer)
{
    const struct timed_transfer *m = &e->transfers[transfer];
    if (m->next_entering != NONE)
        e->transfers[m->next_entering].before_entering = m->before_entering;
    if (m->before_entering != NONE)
        e->transfers[m->before_entering].next_entering = m->next_entering;
    else
        port->first_entering = m->next_entering;
}

void wire_enter(struct timed *e, int32_t transfer)
{
    struct timed_transfer *m = &e->transfers[transfer];
    struct timed_channel *c = &e->channels[m->channel];
    const struct port_cost *cost = &m->price->ports;
    struct timed_port *port = c->to_port;
    if (m->overtaken && m->time - m->spread > e->now) {
        event_add(e, m->time - m->spread, EVENT_ENTER, c->from, transfer);
        return;
    }
    queue_meet(&port->in, c->source, e->now);
    if (frames_wanted(e, c, m, m->time - e->now)) {
        wire_remove(e, transfer);
        m->in_frames = false;
        frames_begin(e, transfer);
        return;
    }
    m->rate = cost->in_gap / cost->out_gap;
    double flows = (m->time - e->now) * m->rate, first = cost->in_gap - flows - last_work(cost, flows);
    queue_take(&port->in, m->time - m->spread - m->price->saved, rule_latest(0, first));
    m->entered = e->now;
    m->last_work = last_work(cost, flows);
    entering_add(e, port, transfer);
    queue_open(&port->in, m->rate);
    if (m->price->acknowledged)
        acknowledging_begin(e, c, m);
    last_add(e, c, m->channel, m->time);
}

/* The frames of a message come again, or stop coming for a while. */
static void frames_go_on(struct timed *e, const struct timed_channel *c, struct timed_transfer *m)
{
    struct timed_port *receiver = c->to_port;
    queue_advance(&receiver->in, e->now);
    queue_take(&receiver->in, e->now - m->price->saved, 0);
    queue_open(&receiver->in, m->rate);
    if (m->price->acknowledged)
        acknowledging_go_on(e, c, m);
}

static void frames_pause(struct timed *e, const struct timed_channel *c, const struct timed_transfer *m)
{
    struct timed_port *receiver = c->to_port;
    queue_advance(&receiver->in, e->now);
    queue_close(&receiver->in, m->rate);
    if (m->price->acknowledged)
        acknowledging_end(e, c, m);
}

static void entering_end(struct timed *e, int32_t transfer)
{
    struct timed_transfer *m = &e->transfers[transfer];
    const struct timed_channel *c = &e->channels[m->channel];
    frames_pause(e, c, m);
    entering_remove(e, c->to_port, transfer);
    outlet_advance(&c->from_port->out, e->now);
    m->in_frames = false;
    m->delayed = true;
}

void wire_flow_stop(struct timed *e, int32_t transfer)
{
    entering_end(e, transfer);
    wire_remove(e, transfer);
    e->channels[e->transfers[transfer].channel].n_over++;
}

/* Its last frame comes later by `delay`. The message does by less, which is returned, where a slower port on the way has still
 * to pass the frames before. */
static double last_frame_late(struct timed_transfer *m, double delay)
{
    const double hidden = rule_earliest(delay, m->lag);
    m->lag -= hidden;
    return delay - hidden;
}

void wire_wait(struct timed *e, int32_t transfer, double wait)
{
    struct timed_transfer *m = &e->transfers[transfer];
    struct timed_channel *c = &e->channels[m->channel];
    m->port_wait += wait;
    if (m->by_frame) {
        m->time += wait;
        return;
    }
    const bool enters = m->in_frames && m->entered < INFINITY;
    if (enters)
        frames_pause(e, c, m);
    if (enters || (m->passage != NONE && path_wait(e, m->passage, wait)))
        event_add(e, e->now + wait, EVENT_RESUME, c->from, transfer);
    const double later = last_frame_late(m, wait);
    m->overtaken = true;
    m->time += m->passage != NONE ? later : wait;
    c->wire += later;
    c->last_frame += wait;
}

void wire_resume(struct timed *e, int32_t transfer)
{
    struct timed_transfer *m = &e->transfers[transfer];
    if (m->passage != NONE)
        path_go_on(e, m->passage);
    else
        frames_go_on(e, &e->channels[m->channel], m);
}

/* Whether the last frame of the channel's first message on the wire is still to come, as acknowledgements or others
 * passed the port of its sender meanwhile: then its event comes again. */
static inline bool last_is_to_come(struct timed *e, struct timed_channel *c, struct timed_transfer *m)
{
    if (m->left > 0 || (m->overtaken && m->time > e->now)) {
        const double late = rule_latest(0, e->now + m->left - m->time);
        last_frame_late(m, late);
        m->time += late;
        last_add(e, c, m->channel, m->time);
        return true;
    }
    if (!m->in_frames)
        return false;
    entering_end(e, c->first_on_wire);
    const struct timed_port *sender = c->from_port;
    const double delay = sender->out.acknowledged - m->acknowledged;
    if (delay <= 0)
        return false;
    last_frame_late(m, delay);
    m->time += delay;
    last_add(e, c, m->channel, m->time);
    return true;
}

/* The last frame is there. x: its arrival if all on the way had been idle; leaves: when what it waited for has passed all
 * of it. */
static inline void passed(struct timed *e, struct timed_channel *c, struct timed_transfer *m, int32_t transfer,
                          double x, double leaves)
{
    const double arrival = rule_latest(x, leaves);
    m->port_wait += arrival - x;
    arrival_known(e, c, m, transfer, arrival);
}

/* The same where ports serve whole messages. */
static void whole_last(struct timed *e, struct timed_channel *c)
{
    const int32_t transfer = c->first_on_wire;
    struct timed_transfer *m = &e->transfers[transfer];
    const struct port_cost *cost = &m->price->ports;
    on_wire_take(c, m);
    const double arrival = inlet_pass(&c->to_port->whole, cost->in_gap, port_cost_in_credit(cost), m->time);
    m->port_wait += arrival - m->time;
    arrival_known(e, c, m, transfer, arrival);
}

void wire_last(struct timed *e, int32_t channel)
{
    struct timed_channel *c = &e->channels[channel];
    if (c->n_over > 0) {
        c->n_over--;
        return;
    }
    if (!channel_in_frames(e, c)) {
        whole_last(e, c);
        return;
    }
    const int32_t transfer = c->first_on_wire;
    struct timed_transfer *m = &e->transfers[transfer];
    struct timed_port *port = c->to_port;
    if (last_is_to_come(e, c, m))
        return;
    on_wire_take(c, m);
    if (m->delayed)
        queue_advance(&port->in, e->now);
    else
        queue_meet(&port->in, c->source, e->now);
    if (!m->delayed && frames_wanted(e, c, m, 0)) {
        frames_begin(e, transfer);
        return;
    }
    queue_take(&port->in, m->time - m->spread - m->price->saved, m->delayed ? m->last_work : wire_in_work(m));
    if (!m->delayed)
        message_acknowledge(e, c, m);
    frames_passed(e, c, m, port->in.until);
    passed(e, c, m, transfer, e->now + m->lag, port->in.until);
}

void wire_passed(struct timed *e, int32_t transfer, double x, double leaves)
{
    struct timed_transfer *m = &e->transfers[transfer];
    struct timed_channel *c = &e->channels[m->channel];
    message_acknowledge(e, c, m);
    frames_passed(e, c, m, leaves);
    passed(e, c, m, transfer, x, leaves);
}

void wire_arrive(struct timed *e, int32_t transfer)
{
    struct timed_transfer *m = &e->transfers[transfer];
    m->queued = false;
    if (m->receive == NONE)
        match_transfer(e, transfer);
    else if (m->done)
        timed_transfer_release(e, transfer);
    else if (e->operations[m->receive].serving == SERVING_TO_COME)
        remote_serve(e, m->receive);
}
