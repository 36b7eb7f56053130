/* What happens to a message on its way: transit, in port, arrival. */
#include "engine/timed/way/wire.h"

#include "engine/timed/match.h"
#include "engine/timed/process/call.h"
#include "engine/timed/process/remote.h"
#include "engine/timed/timed.h"
#include "engine/timed/way/losses.h"
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
    struct timed_words *transit = timed_words_of(e, process, STREAM_TRANSIT);
    struct timed_words *send_overhead = timed_words_of(e, process, STREAM_SEND_OVERHEAD);
    transit->block = block;
    if (!overhead) {
        timed_words_fill(e, transit, process, STREAM_TRANSIT);
        return;
    }
    send_overhead->block = block;
    uint32_t *words[2] = {transit->word, send_overhead->word};
    random_blocks(e->setup->seed, e->replication, (uint32_t)process, block, STREAM_TRANSIT, STREAM_SEND_OVERHEAD, words);
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
    if (m->read)
        event_add(e, rule_latest(m->time, e->now), EVENT_ACKNOWLEDGE, c->to, m->acknowledges);
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

static inline int level_now(const struct timed *e, const struct timed_channel *c, const struct timed_transfer *m)
{
    if (e->levels)
        return level_log_at(e->levels, c->from, m->number);
    if (c->transport == TRANSPORT_self)
        return 1;
    return *c->on_board;
}

/* So many messages are on the board with it. */
static inline int level_counted(struct timed *e, const struct timed_channel *c, const struct timed_transfer *m)
{
    int level = level_now(e, c, m), *most = &e->level_most[c->transport];
    if (level > *most)
        *most = level;
    return level;
}

static inline double transit_at(struct timed *e, const struct timed_transfer *m, int level)
{
    return quantile_at(price_transit(&e->book, m->price, level), m->word) + m->price->ports.slower;
}

static inline void receive_overhead_expect(struct timed *e, const struct timed_transfer *m)
{
    if (!m->price->constant_overhead[SIDE_RECEIVE])
        quantile_expect(price_overhead(&e->book, m->price, SIDE_RECEIVE), m->word);
}

static inline double transit_now(struct timed *e, const struct timed_channel *c, const struct timed_transfer *m)
{
    const double transit = transit_at(e, m, level_counted(e, c, m)); /* before the book is asked for more, which may move what it has */
    receive_overhead_expect(e, m);
    return transit;
}

double wire_transit(struct timed *e, int32_t transfer, double explained)
{
    const struct timed_transfer *m = &e->transfers[transfer];
    const int level = level_counted(e, &e->channels[m->channel], m);
    double transit = transit_at(e, m, level);
    if (level > 1 && explained > 0)
        transit = rule_latest(transit - explained, rule_earliest(transit, transit_at(e, m, 1)));
    receive_overhead_expect(e, m);
    return transit;
}

/* All of it reaches the in port at its `time`. */
static inline void last_await(struct timed *e, struct timed_channel *c, struct timed_transfer *m, int32_t transfer)
{
    on_wire_add(e, c, m, transfer);
    channel_event_add(e, m->time, EVENT_LAST, c->from, c);
}

void wire_level(struct timed *e, int32_t transfer)
{
    struct timed_transfer *m = &e->transfers[transfer];
    struct timed_channel *c = &e->channels[m->channel];
    const double x = c->wire = rule_latest(m->time + transit_now(e, c, m), c->wire);
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
    if (cost->in_gap == 0 && !losses_expected(e, c)) {
        wire_arrival_known(e, transfer, arrival);
        return;
    }
    if (!c->has_handshakes) {
        m->time = x;
        last_await(e, c, m, transfer);
        return;
    }
    m->time = c->last_come = rule_latest(rule_latest(e->now, x), c->last_come);
    last_await(e, c, m, transfer);
}

static inline void acknowledge(struct timed *e, const struct timed_channel *c, const struct price *price, int rail)
{
    if (!price->acknowledged || !c->uses_ports)
        return;
    struct timed_port *receiver = c->to_port + rail, *sender = c->from_port + rail;
    outlet_take(port_leaving(receiver), price->ports.reverse_out, price->ports.receivers_out_saved, e->now);
    queue_advance(&sender->in, e->now);
    queue_take(&sender->in, e->now - price->senders_saved, price->ports.reverse_in);
}

void wire_acknowledge(struct timed *e, const struct timed_channel *c, const struct price *price)
{
    acknowledge(e, c, price, 0);
}

__attribute__((cold)) static void rails_acknowledge(struct timed *e, const struct timed_channel *c, const struct timed_transfer *m)
{
    for (int rail = rail_first(m); rail < rail_end(c, m); rail++)
        acknowledge(e, c, m->price, rail);
}

/* The last frame is there. x: its arrival if all on the way had been idle; leaves: when what it waited for has passed all
 * of it. */
static inline void passed(struct timed *e, struct timed_channel *c, struct timed_transfer *m, int32_t transfer,
                          double x, double leaves)
{
    if (__builtin_expect(c->rails > 1, 0))
        rails_acknowledge(e, c, m);
    else
        acknowledge(e, c, m->price, 0);
    losses_passed(e, c, m, leaves);
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

void wire_passed(struct timed *e, int32_t transfer, double x, double leaves)
{
    struct timed_transfer *m = &e->transfers[transfer];
    passed(e, &e->channels[m->channel], m, transfer, x, leaves);
}

/* When the in ports of all its rails, none of which loses anything, have passed a message that has come. */
__attribute__((cold)) static double rails_enter(struct timed *e, const struct timed_channel *c, const struct timed_transfer *m)
{
    double leaves = -INFINITY;
    for (int rail = rail_first(m); rail < rail_end(c, m); rail++) {
        struct queue *in = &c->to_port[rail].in;
        queue_meet(in, c->source, e->now);
        queue_take(in, e->now - m->price->saved, m->price->ports.in_gap);
        leaves = rule_latest(leaves, in->until);
    }
    return leaves;
}

void wire_last(struct timed *e, struct timed_channel *c)
{
    if (!c->in_time) {
        whole_last(e, c);
        return;
    }
    const int32_t transfer = c->first_on_wire;
    struct timed_transfer *m = &e->transfers[transfer];
    struct timed_port *port = c->to_port;
    on_wire_take(c, m);
    if (__builtin_expect(c->rails > 1, 0)) {
        passed(e, c, m, transfer, e->now, rails_enter(e, c, m));
        return;
    }
    queue_meet(&port->in, c->source, e->now);
    if (losses_wanted(e, c, m)) {
        losses_begin(e, transfer);
        return;
    }
    queue_take(&port->in, e->now - m->price->saved, m->price->ports.in_gap);
    passed(e, c, m, transfer, e->now, port->in.until);
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
