#include "engine/timed/stream/packet.h"

#include "common/alloc.h"
#include "engine/timed/stream/receiver.h"
#include "engine/timed/stream/sender.h"
#include "engine/timed/timed.h"

/* Less than a full frame, roundings aside. */
static const double SHORT = 1 - 1e-9;

static int32_t packet_new(struct timed_streams *all)
{
    const int32_t i = all->free_packet;
    if (i != NONE) {
        all->free_packet = all->packets[i].next;
        return i;
    }
    all->packets = alloc_grow(all->packets, (size_t)all->n_packets, &all->packets_capacity, sizeof *all->packets);
    return all->n_packets++;
}

static void packet_release(struct timed *e, int32_t packet)
{
    e->streams.packets[packet].next = e->streams.free_packet;
    e->streams.free_packet = packet;
}

/* It comes to what is next then, or behind what came there before it. */
static void packet_come(struct timed *e, int32_t packet, double *latest, double time)
{
    const struct timed_stream *s = &e->streams.streams[e->streams.packets[packet].stream];
    *latest = time > *latest ? time : rule_next(*latest);
    event_add(e, rule_latest(*latest, e->now), EVENT_PACKET, e->channels[s->channel].from, packet);
}

void packet_leave(struct timed *e, int32_t stream, uint32_t frame, double bytes, double wait)
{
    const int32_t packet = packet_new(&e->streams);
    struct timed_packet *p = &e->streams.packets[packet];
    struct timed_stream *s = &e->streams.streams[stream];
    *p = (struct timed_packet){.stream = stream, .frame = frame, .bytes = bytes};
    receiver_answer(&e->streams.streams[s->back], p);
    struct outlet *out = &e->channels[s->channel].from_port->out;
    const double left = queue_pass(&out->until, s->out_frame + s->out_byte * bytes, s->out_saved, e->now);
    packet_come(e, packet, &s->latest[0], rule_latest(left, e->now + wait));
}

/* A resource on the way of a packet, and what the packet takes of it; full: what a full frame would. */
struct station {
    struct queue *queue;
    double work, full, saved, buffer;
};

static struct station station_at(const struct timed *e, const struct timed_packet *p, int stage)
{
    const struct timed_stream *s = &e->streams.streams[p->stream];
    const struct timed_channel *c = &e->channels[s->channel];
    if (stage == c->n_hops)
        return (struct station){.queue = &c->to_port->in, .work = s->in_frame + s->in_byte * p->bytes,
                                .full = s->in_frame + s->in_byte * s->frame, .saved = s->in_saved, .buffer = s->buffer};
    const struct timed_hop *hop = &e->paths.hops[c->first_hop + stage];
    return (struct station){.queue = &e->paths.queues[hop->queue].at, .work = hop->cost.empty + hop->cost.byte * p->bytes,
                            .full = hop->cost.empty + hop->cost.byte * s->frame, .saved = hop_saves(&hop->cost),
                            .buffer = hop->cost.buffer};
}

/* What short ones take of a buffer is counted apart from the full ones (queue_is_full). */
static void short_enter(struct timed_packet *p, const struct station *station)
{
    if (station->buffer == INFINITY || station->work >= station->full * SHORT)
        return;
    station->queue->in_short += station->work;
    p->in_short = station->work;
}

static void short_leave(const struct timed *e, struct timed_packet *p, int n_hops)
{
    if (p->in_short == 0)
        return;
    struct queue *queue = station_at(e, p, p->stage == PACKET_THERE ? n_hops : p->stage - 1).queue;
    queue->in_short = rule_latest(0, queue->in_short - p->in_short);
    p->in_short = 0;
}

static void packet_arrive(struct timed *e, int32_t packet)
{
    const struct timed_packet p = e->streams.packets[packet];
    const int32_t back = e->streams.streams[p.stream].back;
    packet_release(e, packet);
    if (p.bytes > 0)
        receiver_frame(e, p.stream, p.frame, p.bytes);
    sender_acknowledged(e, back, p.got, p.from, p.to);
}

static void packet_lose(struct timed *e, int32_t packet)
{
    const struct timed_packet p = e->streams.packets[packet];
    packet_release(e, packet);
    if (p.bytes > 0)
        sender_lost(e, p.stream, p.bytes);
}

void packet_go_on(struct timed *e, int32_t packet)
{
    struct timed_packet *p = &e->streams.packets[packet];
    struct timed_stream *s = &e->streams.streams[p->stream];
    const int n_hops = e->channels[s->channel].n_hops;
    short_leave(e, p, n_hops);
    if (p->stage == PACKET_THERE) {
        packet_arrive(e, packet);
        return;
    }
    const struct station station = station_at(e, p, p->stage);
    if (station.buffer < INFINITY && queue_is_full(station.queue, station.work, station.full, station.buffer, e->now)) {
        packet_lose(e, packet);
        return;
    }
    short_enter(p, &station);
    double *latest = &s->latest[p->stage + 1];
    p->stage = p->stage < n_hops ? (int16_t)(p->stage + 1) : PACKET_THERE;
    packet_come(e, packet, latest, queue_pass(&station.queue->until, station.work, station.saved, e->now));
}
