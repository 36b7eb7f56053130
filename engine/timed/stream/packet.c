#include "engine/timed/stream/packet.h"

#include "common/alloc.h"
#include "engine/timed/stream/receiver.h"
#include "engine/timed/stream/sender.h"
#include "engine/timed/stream/stream.h"
#include "engine/timed/timed.h"
#include "engine/timed/way/connect.h"
#include "engine/timed/way/wire.h"

/* Less than a full frame; and no time at all: roundings aside. */
static const double SHORT = 1 - 1e-9, AT_ONCE = 1e-9;

__attribute__((cold)) static void packets_grow(struct timed_streams *all)
{
    const size_t old = all->packets_capacity;
    all->packets_capacity = old ? 2 * old : 64;
    all->packets = alloc_space_grow(all->packets, old * sizeof *all->packets, all->packets_capacity * sizeof *all->packets);
}

static int32_t packet_new(struct timed_streams *all)
{
    const int32_t i = all->free_packet;
    if (i != NONE) {
        all->free_packet = all->packets[i].next;
        return i;
    }
    if ((size_t)all->n_packets == all->packets_capacity)
        packets_grow(all);
    return all->n_packets++;
}

static void packet_release(struct timed *e, int32_t packet)
{
    e->streams.packets[packet].next = e->streams.free_packet;
    e->streams.free_packet = packet;
}

/* ---- lines ---- */

/* The last of a line, if it comes later than that which was; else it is in the event queue for itself, which knows the
 * order of those that come at one time. */
static void line_add(struct timed *e, int32_t *last, struct timed_packet *p, double time)
{
    struct timed_packet *before = *last == NONE ? NULL : &e->streams.packets[*last];
    if (!before || time > event_time(&before->comes)) {
        const int32_t packet = (int32_t)(p - e->streams.packets);
        p->in_line = true;
        p->next = NONE;
        *last = packet;
        if (before) {
            before->next = packet;
            return;
        }
    }
    event_queue_push(&e->queue, p->comes);
}

/* The first of a line has come to what is next. */
static void line_take(struct timed *e, int32_t *last, const struct timed_packet *p)
{
    if (p->next == NONE)
        *last = NONE;
    else
        event_queue_push(&e->queue, e->streams.packets[p->next].comes);
}

/* It comes to what is next then, or behind what came there before it. True: at once, as what finds all idle, and it is in no
 * line. */
static inline bool packet_come(struct timed *e, struct timed_packet *p, int32_t *last, double *latest, double time)
{
    *latest = time > *latest ? time : rule_next(*latest);
    const double comes = rule_latest(*latest, e->now);
    p->comes.time = event_time_bits(comes);
    p->in_line = false;
    if (comes <= e->now)
        return true;
    line_add(e, last, p, comes);
    return false;
}

/* One that comes at once is among the first of all that happens, and need not go through the heap. */
static void packet_come_now(struct timed *e, const struct timed_packet *p)
{
    e->overtaken = true;
    event_queue_push_in_line(&e->queue, p->comes);
}

/* When what the port held leaves it: the port is no later for what comes behind. Without that the frames of several hosts would come to
 * a full port in the same order for as long as they send (S. Floyd, V. Jacobson: Traffic phase effects in packet-switched gateways,
 * 1991). On the mean by the port's rate, for measured transits have the rest in them. */
static double held_leave(struct timed *e, const struct timed_stream *s, double left)
{
    const uint64_t draw = s->sender->n_held++;
    return left + s->jitter * (0x1p-32 * timed_word_of(e, s->leaving, s->from, STREAM_LEAVING, draw) - 0.5);
}

/* One leaves, now. */
static inline void packet_leave(struct timed *e, struct timed_stream *s, struct stream_heard heard, uint32_t frame, double bytes,
                                double wait)
{
    const int32_t packet = packet_new(&e->streams);
    struct timed_packet *p = &e->streams.packets[packet];
    struct timed_port *port = s->from_port;
    p->comes.order = s->order | (uint64_t)packet;
    p->stream = s;
    p->frame = frame;
    p->stage = 0;
    p->bytes = bytes;
    p->heard = heard;
    double left = queue_pass(s->leaving_until, s->out_frame + s->out_byte * bytes, s->out_saved, e->now);
    if (left > e->now + AT_ONCE)
        left = held_leave(e, s, left);
    if (packet_come(e, p, &port->last_left, &s->left, rule_latest(left, e->now + wait)))
        packet_come_now(e, p);
}

void packets_leave(struct timed *e, struct timed_stream *s, uint32_t first, int32_t n, double wait)
{
    struct stream_heard heard = receiver_answer(s->back);
    for (uint32_t frame = first; frame != first + (uint32_t)n; frame++) {
        packet_leave(e, s, heard, frame, connection_frame_at(&s->at, frame)->load, wait);
        heard.from = heard.to; /* the first one says that */
    }
}

void packet_answer(struct timed *e, struct timed_stream *s)
{
    packet_leave(e, s, receiver_answer(s->back), PACKET_ACKNOWLEDGES, 0, 0);
}

void packet_connect(struct timed *e, struct timed_stream *s, enum packet_alone what)
{
    if (what != PACKET_CONFIRMS)
        *(what == PACKET_ASKS ? &s->asked : &s->replied) = e->now;
    packet_leave(e, s, (struct stream_heard){0, 0, 0}, what, 0, 0);
}

/* A resource on the way of a packet, and what the packet takes of it; full: what a full frame would. */
struct station {
    struct queue *queue;
    int32_t *last;
    double work, full, saved, buffer;
};

static inline struct station station_of_port(const struct timed_stream *s, double bytes)
{
    return (struct station){.queue = &s->to_port->in, .last = &s->to_port->last_entered,
                            .work = s->in_frame + s->in_byte * bytes, .full = s->in_frame + s->in_byte * s->frame,
                            .saved = s->in_saved, .buffer = s->buffer};
}

static inline const struct timed_hop *hop_at(const struct timed *e, const struct timed_stream *s, int stage)
{
    return &e->paths.hops[e->channels[s->channel].first_hop + stage];
}

static struct station station_of_trunk(const struct timed *e, const struct timed_stream *s, int stage, double bytes)
{
    const struct timed_hop *hop = hop_at(e, s, stage);
    struct timed_queue *queue = &e->paths.queues[hop->queue];
    return (struct station){.queue = &queue->at, .last = &queue->last_passed,
                            .work = hop->cost.empty + hop->cost.byte * bytes,
                            .full = hop->cost.empty + hop->cost.byte * s->frame, .saved = hop_saves(&hop->cost),
                            .buffer = hop->cost.buffer};
}

/* What short ones take of a buffer is counted apart from the full ones (queue_is_full). Of data and acknowledgements nothing can
 * predict which is next, so both are counted, a full one as 0. */
static inline void short_enter(struct timed_packet *p, const struct station *station)
{
    const bool counts = (station->buffer < INFINITY) & (station->work < station->full * SHORT);
    p->in_short = counts ? station->work : 0;
    station->queue->in_short += p->in_short;
}

/* It has left what it passed last. */
static inline void station_leave(struct timed *e, int32_t *last, const struct timed_packet *p)
{
    if (p->in_line)
        line_take(e, last, p);
}

static inline void short_leave(const struct timed_packet *p, struct queue *queue)
{
    queue->in_short = queue_excess(queue->in_short, p->in_short);
}

static void packet_arrive(struct timed *e, struct timed_stream *s, int32_t packet)
{
    const struct timed_packet *p = &e->streams.packets[packet];
    const struct stream_heard heard = p->heard;
    packet_release(e, packet);
    if (p->bytes > 0) {
        receiver_frame(e, s, p->frame, p->bytes);
    } else if (__builtin_expect(p->frame != PACKET_ACKNOWLEDGES, 0)) {
        connect_heard(e, s, (enum packet_alone)p->frame);
        return;
    }
    sender_acknowledged(e, s->back, heard);
}

static void packet_lose(struct timed *e, int32_t packet)
{
    const struct timed_packet p = e->streams.packets[packet];
    packet_release(e, packet);
    if (p.bytes > 0)
        sender_lost(e, p.stream, p.bytes);
}

/* Whether it has room there; then it comes to what is next when that has passed it. True: at once. */
static inline bool packet_pass(struct timed *e, struct timed_packet *p, const struct station *station, double *latest)
{
    if (station->buffer < INFINITY &&
        queue_is_full(station->queue, station->work, station->full, station->buffer, e->now)) {
        packet_lose(e, (int32_t)(p - e->streams.packets));
        return false;
    }
    short_enter(p, station);
    const double passed = queue_pass(&station->queue->until, station->work, station->saved, e->now);
    return packet_come(e, p, station->last, latest, passed);
}

static bool packet_pass_trunk(struct timed *e, struct timed_stream *s, struct timed_packet *p)
{
    const struct station station = station_of_trunk(e, s, p->stage, p->bytes);
    return packet_pass(e, p, &station, &s->passed[p->stage++]);
}

static inline bool packet_pass_port(struct timed *e, struct timed_stream *s, struct timed_packet *p)
{
    const struct station station = station_of_port(s, p->bytes);
    p->stage = PACKET_THERE;
    return packet_pass(e, p, &station, &s->entered);
}

/* It reaches what is next. True: and at once what is behind that. */
static bool packet_step(struct timed *e, int32_t packet)
{
    struct timed_packet *p = &e->streams.packets[packet];
    struct timed_stream *s = p->stream;
    if (p->stage == PACKET_THERE) {
        station_leave(e, &s->to_port->last_entered, p);
        short_leave(p, &s->to_port->in);
        packet_arrive(e, s, packet);
        return false;
    }
    if (p->stage == 0) {
        station_leave(e, &s->from_port->last_left, p);
    } else {
        struct timed_queue *trunk = &e->paths.queues[hop_at(e, s, p->stage - 1)->queue];
        station_leave(e, &trunk->last_passed, p);
        short_leave(p, &trunk->at);
    }
    return p->stage < s->n_hops ? packet_pass_trunk(e, s, p) : packet_pass_port(e, s, p);
}

/* Takes the first of the heap out. The next of its line comes in its place at once. */
static inline int32_t packet_pop(struct timed *e)
{
    const int32_t packet = (int32_t)event_object(&e->queue.heap[0]);
    struct timed_packet *p = &e->streams.packets[packet];
    if (p->in_line && p->next != NONE) {
        event_queue_replace_first(&e->queue, e->streams.packets[p->next].comes);
        p->in_line = false;
    } else {
        event_queue_pop_heap(&e->queue);
    }
    return packet;
}

/* The next one, where it is the first of all that happens: packets are the first kind of event, and turns the last but one. */
static inline bool packet_next(struct timed *e, int32_t *packet)
{
    const bool in_line = event_queue_line_is_first(&e->queue);
    const struct event *next = in_line ? &e->queue.next_in_line : &e->queue.heap[0];
    const double time = event_time(next);
    if (event_kind(next) != EVENT_PACKET || time > timed_first_turn(e) || streams_timer_is_before(&e->streams, time) ||
        e->status != STATUS_OK)
        return false;
    e->now = time;
    if (in_line) {
        const struct event event = event_queue_pop_line(&e->queue);
        *packet = (int32_t)event_object(&event);
    } else {
        *packet = packet_pop(e);
    }
    return true;
}

void packet_go_on(struct timed *e, int32_t packet)
{
    do {
        while (packet_step(e, packet))
            if (!event_queue_is_before(&e->queue, &e->streams.packets[packet].comes)) {
                packet_come_now(e, &e->streams.packets[packet]);
                break;
            }
    } while (packet_next(e, &packet));
}
