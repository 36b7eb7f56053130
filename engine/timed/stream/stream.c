#include "engine/timed/stream/stream.h"

#include "common/alloc.h"
#include "engine/timed/match.h"
#include "engine/timed/stream/mark.h"
#include "engine/timed/stream/packet.h"
#include "engine/timed/stream/receiver.h"
#include "engine/timed/stream/sender.h"
#include "engine/timed/timed.h"
#include "engine/timed/way/handshake.h"
#include "engine/timed/way/path.h"
#include "engine/timed/way/wire.h"
#include "models/frame_cost.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- what its frames take ---- */

/* When the last frame of a message, with the library's header, has come if all is idle, after its first leaves. */
static double chain_time(const struct timed *e, const struct timed_channel *c, const struct timed_stream *s, int64_t bytes)
{
    double until[PATH_MOST + 2], last = 0;
    const int n = c->n_hops;
    for (int i = 0; i <= n + 1; i++)
        until[i] = -INFINITY;
    for (double at = 0; at < (double)bytes; at += s->frame) {
        const double part = fmin(s->frame, (double)bytes - at);
        double now = queue_pass(&until[0], s->out_frame + s->out_byte * part, s->out_saved, 0);
        for (int i = 0; i < n; i++) {
            const struct hop_cost *cost = &e->paths.hops[c->first_hop + i].cost;
            now = queue_pass(&until[i + 1], cost->empty + cost->byte * part, hop_saves(cost), now);
        }
        last = queue_pass(&until[n + 1], s->in_frame + s->in_byte * part, s->in_saved, now);
    }
    return last;
}

static double chain_of(const struct timed *e, struct timed_channel *c, const struct timed_stream *s, int64_t bytes)
{
    struct stream_chain *chain = c->known.chain;
    if (bytes == FRAME_HEADER_eager)
        return c->known.empty_chain;
    if (chain[0].bytes == bytes)
        return chain[0].time;
    const struct stream_chain found = chain[1].bytes == bytes ? chain[1] : (struct stream_chain){bytes, chain_time(e, c, s, bytes)};
    chain[1] = chain[0];
    chain[0] = found;
    return found.time;
}

static void chains_know(const struct timed *e, struct timed_channel *c, const struct timed_stream *s)
{
    c->known.empty_chain = chain_time(e, c, s, FRAME_HEADER_eager);
    c->known.announces = chain_time(e, c, s, FRAME_HEADER_announces) - c->known.empty_chain;
    c->known.permits = chain_time(e, c, s, FRAME_HEADER_permits) - c->known.empty_chain;
}

/* Timers and processors are not exact: by as much as nine of ten empty messages differ. */
static double jitter_of(struct timed *e, const struct timed_channel *c)
{
    const struct quantile *empty = price_transit(&e->book, price_find(&e->book, c->pair_class, SEND_BLOCKING, 0), 1);
    const uint32_t twentieth = UINT32_MAX / 20;
    return quantile_at(empty, 19 * twentieth) - quantile_at(empty, twentieth);
}

/* All but chains. */
static void stream_know(struct timed *e, struct timed_channel *c)
{
    c->known.ports = &price_find(&e->book, c->pair_class, SEND_BLOCKING, 0)->ports;
    c->known.jitter = jitter_of(e, c);
    if (c->has_hops)
        path_price(e, c, 0);
}

/* ---- opening ---- */

static struct timed_stream *stream_new(struct timed_streams *all)
{
    const size_t old = all->capacity;
    all->streams = alloc_grow(all->streams, (size_t)all->n, &all->capacity, sizeof(struct timed_stream *));
    if (old < all->capacity)
        memset(all->streams + old, 0, (all->capacity - old) * sizeof(struct timed_stream *));
    struct timed_stream **s = &all->streams[all->n];
    if (!*s)
        *s = alloc_lanes(1, sizeof(struct timed_stream));
    (*s)->number = all->n++;
    return *s;
}

/* The smoothed round trip that a connection begins with. */
static double first_round_trip(struct timed *e, const struct timed_channel *c, double least)
{
    if (e->setup->unconnected)
        return least;
    const double drawn = ldexp(timed_word(e, c->from, STREAM_CONNECTING, 1 + (uint64_t)c->to), -32);
    return rule_latest(least, drawn * 2 * CONNECTION_FIRST_ROUND_TRIP);
}

static struct timed_stream *stream_open(struct timed *e, int32_t channel, int rail)
{
    struct timed_stream *s = stream_new(&e->streams);
    struct timed_channel *c = &e->channels[channel];
    const bool known = c->known.ports != NULL;
    if (!known)
        stream_know(e, c);
    const struct port_cost *cost = c->known.ports;
    struct connection at = s->at;
    connection_reset(&at);
    at.congestion = e->model->congestion;
    at.by_time = at.congestion == CONGESTION_cubic;
    at.waits = true;
    at.ticks = e->ticks;
    at.least_round_trip = handshake_time(e, c);
    at.round_trip = first_round_trip(e, c, at.least_round_trip);
    *s = (struct timed_stream){
        .at = at,
        .number = s->number,
        .channel = channel,
        .from = c->from,
        .n_hops = c->n_hops,
        .from_port = c->from_port + rail,
        .to_port = c->to_port + rail,
        .leaving_until = port_leaving(c->from_port + rail),
        .frame = cost->frame_bytes,
        .out_frame = FRAME_WIRE_HEADERS * cost->out_byte,
        .out_byte = cost->out_byte,
        .out_saved = cost->out_saved,
        .in_frame = FRAME_WIRE_HEADERS * cost->in_byte,
        .in_byte = cost->in_byte,
        .in_saved = fmax(cost->in_saved, (FRAME_WIRE_HEADERS + cost->frame_bytes) * cost->in_byte),
        .buffer = cost->buffer,
        .jitter = c->known.jitter,
        .order = event_make(0, EVENT_PACKET, c->from, 0).order,
        .sender = &e->processes[c->from],
        .receiver = &e->processes[c->to],
        .leaving = timed_words_of(e, c->from, STREAM_LEAVING),
        .first_mark = NONE, .last_mark = NONE, .next_mark = NONE, .leaving_mark = NONE,
        .acknowledging = {.heard = -INFINITY, .answers = c->has_answered},
        .goes_on = -INFINITY, .end_waits_until = -INFINITY,
        .alarm = INFINITY, .answer_due = INFINITY,
        .start = {.least = handshake_time(e, c)},
        .receive = receive_window_first(cost->frame_bytes, e->now),
    };
    if (!e->setup->unconnected && (c->from == 0 || c->to == 0))
        receive_window_widen(&s->receive, RECEIVE_WINDOW_FIRST, 0); /* by the messages that synchronised clocks */
    if (!known)
        chains_know(e, c, s);
    return s;
}

/* Those of a channel and of that back on all rails. */
static void streams_open(struct timed *e, int32_t channel)
{
    const int32_t back = channel_find(e, e->channels[channel].to, e->channels[channel].from);
    struct timed_stream **there = &e->channels[channel].stream, **other = &e->channels[back].stream;
    for (int rail = 0; rail < e->channels[channel].rails; rail++) {
        struct timed_stream *s = stream_open(e, channel, rail);
        s->back = stream_open(e, back, rail);
        s->back->back = s;
        *there = s;
        *other = s->back;
        there = &s->next_rail;
        other = &s->back->next_rail;
    }
}

/* The stream of a channel on a rail; that back is there, too. */
static struct timed_stream *stream_find(struct timed *e, int32_t channel, int rail)
{
    if (!e->channels[channel].stream)
        streams_open(e, channel);
    struct timed_stream *s = e->channels[channel].stream;
    for (; rail > 0; rail--)
        s = s->next_rail;
    return s;
}

static struct timed_stream *stream_back(struct timed *e, int32_t channel, int rail)
{
    return stream_find(e, channel, rail)->back;
}

/* ---- writing ---- */

/* Behind all that was: so many bytes, the library's header among them. shares: over as many rails at once. */
static void write_share(struct timed *e, struct timed_stream *s, double bytes, enum mark_kind kind, int32_t transfer,
                        double common, int shares)
{
    s->written += bytes;
    mark_add(e, s, kind, transfer, e->channels[s->channel].given, common, shares);
    sender_send(e, s, true);
}

static void write_more(struct timed *e, struct timed_stream *s, double bytes, enum mark_kind kind, int32_t transfer,
                       double common)
{
    write_share(e, s, bytes, kind, transfer, common, 1);
}

/* By so much a message comes later where as long ones go the other way, in the port of whose sender its acknowledgements stand, and those
 * of the other in its own's: one for two full frames. They pass the ports here, and are in the transits of levels above 1, which are
 * measured by processes that all send at once. */
static double answers_time(const struct timed_stream *s, int64_t size)
{
    const int64_t full_frames = (int64_t)(((double)size + FRAME_HEADER_eager) / s->frame);
    return (double)(full_frames / 2) * s->out_frame;
}

/* A message over all rails at once, of which `s` is the first: the last takes what is left of equal shares. What all nodes have in
 * common is passed with the first. */
__attribute__((cold)) static void shares_write(struct timed *e, struct timed_stream *s, int32_t transfer, enum frame_header measured, enum frame_header header)
{
    struct timed_transfer *m = &e->transfers[transfer];
    const int shares = m->price->ports.shares;
    const int64_t bytes = m->price->bytes, share = bytes / shares, last = bytes - (shares - 1) * share;
    double common = common_take(s->sender, m->price->ports.common);
    m->to_come = shares;
    m->kept = false;
    m->time += wire_transit(e, transfer, answers_time(s, last));
    m->late = queue_excess(m->time - e->now, chain_of(e, &e->channels[s->channel], s, last + measured));
    for (; s; s = s->next_rail) {
        write_share(e, s, (double)((s->next_rail ? share : last) + header), MARK_DATA, transfer, common, shares);
        common = 0;
    }
}

void stream_write(struct timed *e, struct timed_channel *c, struct timed_transfer *m)
{
    const int32_t channel = (int32_t)(c - e->channels), transfer = (int32_t)(m - e->transfers);
    /* Synchronous sends are not measured: their times are those of eager messages. */
    const enum frame_header measured = m->permitted > 0 ? FRAME_HEADER_announced : FRAME_HEADER_eager;
    const enum frame_header header = m->acknowledges != NONE ? FRAME_HEADER_synchronous : measured;
    m->handed = e->now;
    m->port_wait = 0;
    if (__builtin_expect(m->rail == RAIL_ALL, 0)) {
        shares_write(e, stream_find(e, channel, 0), transfer, measured, header);
        return;
    }
    struct timed_stream *s = stream_find(e, channel, m->rail);
    m->time += wire_transit(e, transfer, answers_time(s, m->price->bytes));
    m->late = queue_excess(m->time - e->now, chain_of(e, &e->channels[channel], s, m->price->bytes + measured));
    write_more(e, s, (double)(m->price->bytes + header), MARK_DATA, transfer,
               common_take(s->sender, m->price->ports.common));
    m->kept = s->sent + STREAM_ROUNDING < s->written && (double)m->bytes < s->frame;
}

void stream_announce(struct timed *e, int32_t transfer)
{
    e->transfers[transfer].there_at = INFINITY;
    write_more(e, stream_find(e, e->transfers[transfer].channel, e->transfers[transfer].rail), FRAME_HEADER_announces, MARK_ANNOUNCES, transfer, 0);
}

void stream_ask(struct timed *e, int32_t channel)
{
    packet_connect(e, stream_find(e, channel, 0), PACKET_ASKS);
}

bool stream_is_busy(const struct timed *e, const struct timed_channel *c, int rail)
{
    const struct timed_stream *s = c->stream;
    if (!s)
        return false;
    for (; rail > 0; rail--)
        s = s->next_rail;
    double until = *s->leaving_until;
    return s->sent + STREAM_ROUNDING < s->written || s->at.n_lost > 0 || s->at.in_flight >= s->at.window ||
           queue_pass(&until, s->out_frame, s->out_saved, e->now) > e->now;
}

void stream_permit(struct timed *e, int32_t transfer)
{
    write_more(e, stream_back(e, e->transfers[transfer].channel, e->transfers[transfer].rail), FRAME_HEADER_permits, MARK_PERMITS, transfer, 0);
}

void stream_answer(struct timed *e, int32_t send, int rail)
{
    write_more(e, stream_back(e, e->operations[send].channel, rail), FRAME_HEADER_answers, MARK_ANSWERS, send, 0);
}

void stream_go_on(struct timed *e, int32_t channel)
{
    for (struct timed_stream *s = e->channels[channel].stream; s; s = s->next_rail)
        sender_send(e, s, false);
}

/* ---- what has come of it ---- */

/* Up to where the streams of all rails have come that have still to come further, or the last if none has. */
__attribute__((cold)) static double rails_given(const struct timed *e, const struct timed_stream *s, bool sent)
{
    double least = INFINITY, most = 0;
    for (; s; s = s->next_rail) {
        const double place = sent ? s->sent : s->acknowledged, given = mark_given(e, s, place);
        most = rule_latest(most, given);
        if (place + STREAM_ROUNDING < s->written)
            least = rule_earliest(least, given);
    }
    return least < INFINITY ? least : most;
}

double stream_sent(const struct timed *e, const struct timed_channel *c)
{
    return rails_given(e, c->stream, true);
}

double stream_acknowledged(const struct timed *e, const struct timed_channel *c)
{
    if (c->rails == 1)
        return c->stream ? mark_given(e, c->stream, c->stream->acknowledged) : 0;
    return rails_given(e, c->stream, false);
}

bool stream_has_unsent(const struct timed_channel *c)
{
    for (const struct timed_stream *s = c->stream; s; s = s->next_rail)
        if (s->sent + STREAM_ROUNDING < s->written)
            return true;
    return false;
}

/* ---- timers ---- */

void stream_alarm_set(struct timed *e, struct timed_stream *s, double due)
{
    s->alarm = rule_latest(due, e->now);
    e->overtaken |= s->alarm <= e->now;
    event_queue_push(&e->streams.timers,
                     event_make(s->alarm, EVENT_TIMER, s->from, (uint64_t)s->number));
}

static void timer_come(struct timed *e, struct timed_stream *s)
{
    if (e->now < s->alarm)
        return;
    s->alarm = INFINITY;
    if (s->answer_due <= e->now)
        receiver_late(e, s);
    if (s->at.due <= e->now)
        sender_late(e, s);
    stream_alarm(e, s);
}

void stream_timer(struct timed *e)
{
    const struct event event = event_queue_pop_heap(&e->streams.timers);
    e->now = event_time(&event);
    timer_come(e, e->streams.streams[event_object(&event)]);
}

void stream_room(struct timed *e, int32_t stream)
{
    struct timed_stream *s = e->streams.streams[stream];
    if (s->unread && receiver_reads(e, s->receiver))
        receiver_read(e, (int32_t)(s->receiver - e->processes));
    sender_go_on(e, s);
}

void streams_init(struct timed_streams *streams)
{
    event_queue_init(&streams->timers);
}

void streams_reset(struct timed_streams *streams)
{
    streams->n = streams->n_marks = streams->n_packets = 0;
    streams->free_mark = streams->free_packet = NONE;
    event_queue_clear(&streams->timers);
}

void streams_free(struct timed_streams *streams)
{
    for (size_t i = 0; i < streams->capacity && streams->streams[i]; i++) {
        connection_free(&streams->streams[i]->at);
        free(streams->streams[i]);
    }
    free(streams->streams);
    free(streams->marks);
    alloc_space_free(streams->packets, streams->packets_capacity * sizeof *streams->packets);
    event_queue_free(&streams->timers);
}
