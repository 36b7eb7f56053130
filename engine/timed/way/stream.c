#include "engine/timed/way/stream.h"

#include "engine/timed/process/call.h"
#include "engine/timed/match.h"
#include "engine/timed/timed.h"
#include "engine/timed/way/leave.h"
#include "engine/timed/way/path.h"
#include "engine/timed/way/socket.h"
#include "engine/timed/way/wire.h"

#include "common/alloc.h"
#include "models/frame_cost.h"

#include <math.h>
#include <stdlib.h>

enum { SEGMENT_MOST = 44 }; /* frames: TCP gives a device no more than 64 KiB at once */
/* Linux's hybrid slow start (net/ipv4/tcp_cubic.c: HYSTART_LOW_WINDOW, _MIN_SAMPLES, _DELAY_MIN, _ACK_DELTA_US), frames and s. The
 * train of acknowledgements may last half of the least round trip and TRAIN_DELAY, the time that a device takes. */
enum { START_WINDOW = 16, START_SAMPLES = 8 };
static const double START_DELAY = 4e-3, TRAIN_SPACING = 2e-3, TRAIN_DELAY = 1e-3;
/* What a host counts for a frame beside its bytes, as a part of a full one: 960 of 1448 (network/small_queue.h). */
static const double KEPT_BESIDE = 0.667;
/* Places of a stream are sums of bytes: what they may be wrong by. */
static const double ROUNDING = 1e-6;

enum { MARK_DATA, MARK_ANNOUNCES, MARK_PERMITS, MARK_NOTHING };
enum { SEGMENT_DATA, SEGMENT_ANSWER };
enum { STAGE_THERE = -1 }; /* of a segment that has passed all that was on its way */

static struct timed_stream *stream_of(struct timed *e, const struct timed_channel *c)
{
    return &e->streams.streams[c->stream];
}

/* What so many bytes take of a host, those of a frame or of a segment. */
static double kept_size(const struct timed_stream *s, double bytes)
{
    return bytes + KEPT_BESIDE * s->frame;
}

static double pass(double *until, double work, double saved, double now)
{
    *until = rule_latest(*until, now - saved) + work;
    return rule_latest(now, *until);
}

/* What a trunk has saved up, as a port: a frame at least. */
static double hop_saves(const struct hop_cost *cost)
{
    return fmax(cost->credit, cost->full);
}

/* When the last frame of a message has come if all is idle, after its first leaves. */
static double chain_time(const struct timed *e, const struct timed_channel *c, const struct timed_stream *s, int64_t size)
{
    const double bytes = (double)size + s->header;
    double until[PATH_MOST + 2], last = 0;
    const int n = c->n_hops;
    until[0] = -INFINITY;
    for (int i = 0; i <= n; i++)
        until[i + 1] = -INFINITY;
    for (double at = 0; at < bytes; at += s->frame) {
        const double part = fmin(s->frame, bytes - at);
        double now = pass(&until[0], s->out_frame + s->out_byte * part, s->out_saved, 0);
        for (int i = 0; i < n; i++) {
            const struct hop_cost *cost = &e->paths.hops[c->first_hop + i].cost;
            now = pass(&until[i + 1], cost->empty + cost->byte * part, hop_saves(cost), now);
        }
        last = pass(&until[n + 1], s->in_frame + s->in_byte * part, s->in_saved, now);
    }
    return last;
}

static double chain_of(const struct timed *e, const struct timed_channel *c, struct timed_stream *s, int64_t size)
{
    if (s->chain_bytes != size) {
        s->chain_bytes = size;
        s->chain = chain_time(e, c, s, size);
    }
    return s->chain;
}

static int32_t stream_new(struct timed *e)
{
    struct timed_streams *s = &e->streams;
    if ((size_t)s->n == s->capacity) {
        const size_t old = s->capacity;
        s->capacity = old ? 2 * old : 64;
        s->streams = alloc_resize(s->streams, s->capacity, sizeof *s->streams);
        for (size_t i = old; i < s->capacity; i++)
            s->streams[i] = (struct timed_stream){0};
    }
    return s->n++;
}

static void stream_open(struct timed *e, int32_t channel)
{
    const int32_t i = stream_new(e);
    struct timed_channel *c = &e->channels[channel];
    struct timed_stream *s = &e->streams.streams[i];
    const struct price *empty = price_find(&e->book, c->pair_class, SEND_BLOCKING, 0);
    const struct port_cost *cost = &empty->ports;
    struct connection at = s->at;
    connection_reset(&at);
    at.calm = true;
    *s = (struct timed_stream){
        .at = at,
        .channel = channel,
        .frame = cost->frame_bytes,
        .out_frame = FRAME_WIRE_HEADERS * cost->out_byte,
        .out_byte = cost->out_byte,
        .in_frame = FRAME_WIRE_HEADERS * cost->in_byte,
        .in_byte = cost->in_byte,
        .out_saved = cost->out_saved,
        .in_saved = fmax(cost->in_saved, (FRAME_WIRE_HEADERS + cost->frame_bytes) * cost->in_byte),
        .answer_out_saved = cost->receivers_out_saved,
        .answer_in_saved = fmax(cost->senders_in_saved, (FRAME_WIRE_HEADERS + cost->frame_bytes) * cost->in_byte),
        .buffer = cost->buffer,
        .first_mark = NONE, .last_mark = NONE, .next_mark = NONE,
        .alarm = INFINITY, .answer_due = INFINITY,
        .least_round = handshake_time(e, c),
        .chain_bytes = -1,
    };
    s->header = FRAME_LIBRARY_HEADER;
    s->at.round_trip = c->round_trip;
    if (c->has_hops)
        path_price(e, c, 0);
    s->empty_chain = chain_time(e, c, s, 0);
    c->stream = i;
}

/* The stream of a channel, and of that back. */
static struct timed_stream *stream_find(struct timed *e, int32_t channel)
{
    if (e->channels[channel].stream == NONE) {
        stream_open(e, channel);
        const int32_t back = channel_find(e, e->channels[channel].to, e->channels[channel].from);
        if (e->channels[back].stream == NONE)
            stream_open(e, back);
        /* what acknowledgements cost is what frames of the way back do beside their bytes */
        struct timed_stream *s = stream_of(e, &e->channels[channel]), *b = stream_of(e, &e->channels[back]);
        s->back = e->channels[back].stream;
        b->back = e->channels[channel].stream;
        s->answer_out = b->out_frame, s->answer_in = b->in_frame;
        b->answer_out = s->out_frame, b->answer_in = s->in_frame;
    }
    return stream_of(e, &e->channels[channel]);
}

/* ---- marks ---- */

static int32_t mark_new(struct timed *e, struct timed_stream *s, int kind, int32_t transfer, double given)
{
    struct timed_streams *all = &e->streams;
    int32_t i = all->free_mark;
    if (i != NONE) {
        all->free_mark = all->marks[i].next;
    } else {
        all->marks = alloc_grow(all->marks, (size_t)all->n_marks, &all->marks_capacity, sizeof *all->marks);
        i = all->n_marks++;
    }
    all->marks[i] = (struct timed_mark){.end = s->written, .given = given, .transfer = transfer, .kind = (uint8_t)kind,
                                        .next = NONE};
    if (s->last_mark == NONE)
        s->first_mark = i;
    else
        all->marks[s->last_mark].next = i;
    s->last_mark = i;
    if (s->next_mark == NONE)
        s->next_mark = i;
    return i;
}

static void marks_acknowledge(struct timed *e, struct timed_stream *s)
{
    struct timed_streams *all = &e->streams;
    while (s->first_mark != NONE && s->first_mark != s->next_mark &&
           all->marks[s->first_mark].end <= s->acknowledged + ROUNDING) {
        const int32_t i = s->first_mark;
        s->acknowledged_given = all->marks[i].given;
        s->first_mark = all->marks[i].next;
        if (s->first_mark == NONE)
            s->last_mark = NONE;
        all->marks[i].next = all->free_mark;
        all->free_mark = i;
    }
}

/* What of `given` a place of the stream is. */
static double given_at(const struct timed *e, const struct timed_stream *s, double place)
{
    double given = s->acknowledged_given;
    for (int32_t i = s->first_mark; i != NONE; i = e->streams.marks[i].next) {
        const struct timed_mark *mark = &e->streams.marks[i];
        if (mark->end > place)
            return rule_latest(given, mark->given - (mark->end - place));
        given = mark->given;
    }
    return given;
}

static double place_of_given(const struct timed *e, const struct timed_stream *s, double given)
{
    double place = s->acknowledged;
    for (int32_t i = s->first_mark; i != NONE; i = e->streams.marks[i].next) {
        const struct timed_mark *mark = &e->streams.marks[i];
        if (mark->given > given)
            return rule_latest(place, mark->end - (mark->given - given));
        place = mark->end;
    }
    return place;
}

double stream_acknowledged(const struct timed *e, const struct timed_channel *c)
{
    return c->stream == NONE ? 0 : given_at(e, &e->streams.streams[c->stream], e->streams.streams[c->stream].acknowledged);
}

bool stream_has_unsent(const struct timed *e, const struct timed_channel *c)
{
    return c->stream != NONE && e->streams.streams[c->stream].sent + ROUNDING < e->streams.streams[c->stream].written;
}

/* ---- segments on their way ---- */

static int32_t segment_new(struct timed *e)
{
    struct timed_streams *all = &e->streams;
    int32_t i = all->free_segment;
    if (i != NONE) {
        all->free_segment = all->segments[i].next;
        return i;
    }
    all->segments = alloc_grow(all->segments, (size_t)all->n_segments, &all->segments_capacity, sizeof *all->segments);
    return all->n_segments++;
}

static void segment_release(struct timed *e, int32_t i)
{
    e->streams.segments[i].next = e->streams.free_segment;
    e->streams.free_segment = i;
}

static void segment_event(struct timed *e, int32_t i, double time)
{
    const struct timed_stream *s = &e->streams.streams[e->streams.segments[i].stream];
    event_add(e, rule_latest(time, e->now), EVENT_SEGMENT, e->channels[s->channel].from, i);
}

static double in_order(double *latest, double time)
{
    *latest = time > *latest ? time : rule_next(*latest);
    return *latest;
}

/* It leaves its sender's port. */
static void segment_leave(struct timed *e, int32_t i)
{
    const struct timed_segment *g = &e->streams.segments[i];
    const struct timed_stream *s = &e->streams.streams[g->stream];
    const struct timed_channel *c = &e->channels[s->channel];
    const bool data = g->kind == SEGMENT_DATA;
    struct timed_port *port = data ? c->from_port : c->to_port;
    const double work = data ? s->out_frame + s->out_byte * g->bytes : s->answer_out;
    const double left = pass(&port->out.until, work, data ? s->out_saved : s->answer_out_saved, e->now);
    segment_event(e, i, in_order(&e->streams.streams[g->stream].latest[!data][0], left));
}

/* What the channel's receiver has to acknowledge goes along with what leaves for its sender: of the stream `s`. */
static void answer_take(struct timed_stream *s, struct timed_segment *g)
{
    g->answers = true;
    g->got = s->at.got;
    g->from = s->answer_from;
    g->to = s->answer_to;
    s->answer_from = s->answer_to;
    s->unanswered = 0;
    s->answer_due = INFINITY;
}

static void answer_leave(struct timed *e, int32_t stream)
{
    const int32_t i = segment_new(e);
    struct timed_segment *g = &e->streams.segments[i];
    *g = (struct timed_segment){.stream = stream, .kind = SEGMENT_ANSWER};
    answer_take(&e->streams.streams[stream], g);
    segment_leave(e, i);
}

static void frame_leave(struct timed *e, struct timed_stream *s, uint32_t frame, double bytes)
{
    const int32_t i = segment_new(e), stream = (int32_t)(s - e->streams.streams);
    struct timed_segment *g = &e->streams.segments[i];
    struct timed_stream *back = &e->streams.streams[s->back];
    *g = (struct timed_segment){.stream = stream, .kind = SEGMENT_DATA, .frame = frame, .bytes = bytes};
    answer_take(back, g);
    acknowledging_sent(&e->channels[back->channel].acknowledging, e->now);
    s->on_way += kept_size(s, bytes);
    segment_leave(e, i);
}

static void alarm_set(struct timed *e, struct timed_stream *s)
{
    const double due = fmin(s->at.due, s->answer_due);
    if (due >= s->alarm)
        return;
    s->alarm = rule_latest(due, e->now);
    event_add(e, s->alarm, EVENT_TIMER, e->channels[s->channel].from, (int32_t)(s - e->streams.streams));
}

/* ---- sending ---- */

static void again(struct timed *e, struct timed_stream *s)
{
    uint32_t frame;
    while ((s->at.n_lost > 0 || s->at.probe_sent) && connection_send(&s->at, e->now, &frame)) {
        const struct connection_frame *f = connection_frame_at(&s->at, frame);
        frame_leave(e, s, frame, f->load);
    }
}

static void segment_send(struct timed *e, struct timed_stream *s, int32_t n, double bytes)
{
    uint32_t frame;
    for (int32_t i = 0; i < n; i++) {
        const double part = fmin(s->frame, bytes - i * s->frame);
        connection_offer(&s->at, 1, e->now);
        if (!connection_send(&s->at, e->now, &frame)) {
            s->at.offered--;
            break;
        }
        struct connection_frame *f = connection_frame_at(&s->at, frame);
        s->sent += part;
        f->end = s->sent;
        f->load = part;
        f->ends = i + 1 == n;
        frame_leave(e, s, frame, part);
    }
    s->n_under_way++;
    const bool limited = s->at.in_flight >= s->at.window;
    if (limited || (int32_t)(s->at.first - s->limited_end) >= 0) {
        s->limited = limited;
        s->limited_end = s->at.next;
    }
}

/* Sends what may be sent. writes: what is new was just written. */
static void stream_send(struct timed *e, struct timed_stream *s, bool writes)
{
    struct timed_channel *c = &e->channels[s->channel];
    if (c->join != JOIN_MADE)
        return;
    s->waits = false;
    connection_offer(&s->at, 0, e->now); /* after a rest its window is smaller */
    again(e, s);
    for (;;) {
        const double limit = c->full ? fmin(s->written, place_of_given(e, s, socket_end(c))) : s->written;
        const double left = limit - s->sent;
        if (left <= ROUNDING) {
            if (s->written - s->sent > ROUNDING && !c->stalled)
                socket_stall(e, s->channel);
            break;
        }
        if (s->at.in_flight >= s->at.window)
            break;
        const int32_t room = s->at.window - s->at.in_flight, half = s->at.window > 1 ? s->at.window / 2 : 1;
        int32_t most = room < half ? room : half;
        most = most < SEGMENT_MOST ? most : SEGMENT_MOST;
        const double frames = ceil((left - ROUNDING) / s->frame);
        const int32_t n = frames < most ? (int32_t)frames : most;
        const double bytes = fmin(left, n * s->frame);
        const bool outstanding = s->at.first != s->at.next;
        if (writes && outstanding && left < SEGMENT_MOST * s->frame && s->on_way >= kept_size(s, left)) {
            s->waits = true;
            break;
        }
        if (s->n_under_way > 1 && s->on_way > 2 * kept_size(s, bytes) + ROUNDING) {
            s->waits = true;
            break;
        }
        segment_send(e, s, n, bytes);
    }
    if (c->has_socket)
        socket_bring(&c->socket, s->sent + ROUNDING >= s->written ? c->given : given_at(e, s, s->sent), e->now, e->now);
    alarm_set(e, s);
}

/* ---- writing ---- */

static void write_more(struct timed *e, int32_t channel, double bytes, int kind, int32_t transfer)
{
    struct timed_stream *s = stream_find(e, channel);
    s->written += bytes + s->header;
    mark_new(e, s, kind, transfer, e->channels[channel].given);
    stream_send(e, s, true);
}

void stream_write(struct timed *e, struct timed_channel *c, struct timed_transfer *m)
{
    const int32_t channel = (int32_t)(c - e->channels), transfer = (int32_t)(m - e->transfers);
    struct timed_stream *s = stream_find(e, channel);
    c = &e->channels[channel];
    m->handed = e->now;
    m->spread = m->lag = m->port_wait = 0;
    m->by_frame = false;
    m->left = 0;
    m->time += wire_transit(e, transfer);
    m->late = rule_latest(0, m->time - e->now - chain_of(e, c, s, m->price->bytes));
    write_more(e, channel, (double)m->price->bytes, MARK_DATA, transfer);
    s = stream_of(e, &e->channels[channel]);
    m->kept = s->sent + ROUNDING < s->written && (double)m->bytes < s->frame;
    if (!m->kept) /* else it shares what a frame takes of what all nodes have in common */
        m->late += outlet_pass_common(&e->common_until, m->price->ports.common, e->now);
}

void stream_announce(struct timed *e, int32_t transfer)
{
    e->transfers[transfer].there_at = INFINITY;
    write_more(e, e->transfers[transfer].channel, 0, MARK_ANNOUNCES, transfer);
}

static int32_t back_of(struct timed *e, int32_t channel)
{
    stream_find(e, channel);
    return e->streams.streams[stream_of(e, &e->channels[channel])->back].channel;
}

void stream_permit(struct timed *e, int32_t transfer)
{
    write_more(e, back_of(e, e->transfers[transfer].channel), 0, MARK_PERMITS, transfer);
}

double stream_answer(struct timed *e, int32_t channel)
{
    const int32_t back = back_of(e, channel);
    const double held = rule_latest(0, e->channels[back].from_port->out.until - e->now);
    write_more(e, back, 0, MARK_NOTHING, NONE);
    return e->now + held + handshake_time(e, &e->channels[channel]);
}

void stream_go_on(struct timed *e, int32_t channel)
{
    if (e->channels[channel].stream != NONE)
        stream_send(e, stream_of(e, &e->channels[channel]), false);
}

/* ---- receiving ---- */

static void mark_come(struct timed *e, struct timed_channel *c, const struct timed_mark *mark, bool shares)
{
    const double h = handshake_time(e, c), come = e->now + rule_latest(0, h - e->streams.streams[c->stream].empty_chain);
    struct timed_transfer *m = mark->transfer == NONE ? NULL : &e->transfers[mark->transfer];
    switch (mark->kind) {
    case MARK_DATA: {
        const double arrival = e->now + m->late;
        m->shares = shares;
        m->port_wait = rule_latest(0, arrival - m->time);
        wire_arrival_known(e, mark->transfer, arrival);
        break;
    }
    case MARK_ANNOUNCES:
        m->there_at = come;
        if (shares) /* it comes with what was sent before it */
            m->chance_known = 1;
        if (m->asked)
            event_add(e, m->there_at, EVENT_PERMIT, c->from, mark->transfer);
        break;
    case MARK_PERMITS: {
        const struct timed_channel *forth = &e->channels[m->channel];
        m->permitted = come;
        m->time = m->permitted - (m->asked ? 2 : 1) * h;
        event_add(e, m->permitted, EVENT_DEPART, forth->from, mark->transfer);
        break;
    }
    case MARK_NOTHING:
        break;
    }
}

static void marks_come(struct timed *e, int32_t stream)
{
    bool shares = false;
    for (;;) {
        struct timed_stream *s = &e->streams.streams[stream];
        if (s->next_mark == NONE)
            return;
        const struct timed_mark mark = e->streams.marks[s->next_mark];
        if (mark.end > s->got + ROUNDING)
            return;
        s->next_mark = mark.next;
        mark_come(e, &e->channels[s->channel], &mark, shares);
        shares = true;
    }
}

/* A frame has come: it is acknowledged at once, with the next, with what is sent the other way, or late. */
static void answer(struct timed *e, int32_t stream, uint32_t frame, double bytes)
{
    struct timed_stream *s = &e->streams.streams[stream];
    struct timed_channel *c = &e->channels[s->channel];
    const bool in_turn = frame == s->answer_to;
    if (!in_turn && s->answer_from != s->answer_to)
        answer_leave(e, stream);
    if (!in_turn)
        s->answer_from = frame;
    s->answer_to = frame + 1;
    s->unanswered += bytes;
    const bool reads = e->model->progress == PROGRESS_ASYNC || process_in_mpi(e, c->to);
    const bool alone = acknowledging_heard(&c->acknowledging, reads, e->now) && bytes < s->frame - ROUNDING;
    if (!in_turn || s->unanswered > s->frame + ROUNDING || s->at.got + 1 < s->answer_to) {
        answer_leave(e, stream);
        c->acknowledging.owes = false;
        return;
    }
    s->answer_due = fmin(s->answer_due, e->now + (alone ? 0 : ACKNOWLEDGING_DELAY));
    alarm_set(e, s);
}

static void frame_come(struct timed *e, int32_t i)
{
    const struct timed_segment g = e->streams.segments[i];
    struct timed_stream *s = &e->streams.streams[g.stream];
    const uint32_t before = s->at.got;
    segment_release(e, i);
    s->on_way = rule_latest(0, s->on_way - kept_size(s, g.bytes));
    connection_receive(&s->at, g.frame);
    if (s->at.got != before)
        s->got = connection_frame_at(&s->at, s->at.got - 1)->end;
    marks_come(e, g.stream);
    answer(e, g.stream, g.frame, g.bytes);
    s = &e->streams.streams[g.stream];
    if (s->waits)
        stream_send(e, s, false);
}

/* Hybrid slow start (RFC 9406 as Linux has it). */
static void start_listen(struct timed *e, struct timed_stream *s, double round_trip)
{
    if (s->start_over || s->at.window >= s->at.threshold)
        return;
    if ((int32_t)(s->at.first - s->round_end) > 0) {
        s->round_end = s->at.next;
        s->round_begun = s->last_answer = e->now;
        s->round_least = INFINITY;
        s->samples = 0;
    }
    s->least_round = fmin(s->least_round, round_trip);
    if (s->at.window < START_WINDOW)
        return;
    if (e->now - s->last_answer <= TRAIN_SPACING) {
        s->last_answer = e->now;
        if (e->now - s->round_begun > (s->least_round + TRAIN_DELAY) / 2)
            s->start_over = true;
    }
    s->round_least = fmin(s->round_least, round_trip);
    if (s->samples < START_SAMPLES)
        s->samples++;
    else if (s->round_least > s->least_round + START_DELAY)
        s->start_over = true;
    if (s->start_over)
        s->at.threshold = s->at.window;
}

static void one_acknowledged(struct timed *e, struct timed_stream *s, uint32_t frame, double *round_trip)
{
    if ((int32_t)(frame - s->at.first) < 0 || (int32_t)(frame - s->at.next) >= 0)
        return;
    const struct connection_frame *f = connection_frame_at(&s->at, frame);
    if (!f->repeated && !f->there)
        *round_trip = e->now - f->sent;
    const uint32_t before = s->at.first;
    s->at.limited = s->limited;
    connection_acknowledge(&s->at, frame, e->now);
    for (uint32_t i = before; i != s->at.first; i++) {
        s->n_under_way -= connection_frame_at(&s->at, i)->ends;
        s->acknowledged = connection_frame_at(&s->at, i)->end;
    }
}

/* What the frame or acknowledgement says has come of the stream. */
static void acknowledged(struct timed *e, int32_t stream, uint32_t got, uint32_t from, uint32_t to)
{
    struct timed_stream *s = &e->streams.streams[stream];
    double round_trip = NAN;
    const uint32_t before = s->at.first;
    while ((int32_t)(got - s->at.first) > 0 && s->at.first != s->at.next)
        one_acknowledged(e, s, s->at.first, &round_trip);
    for (uint32_t i = from; i != to; i++)
        one_acknowledged(e, s, i, &round_trip);
    if (s->at.first == before && isnan(round_trip) && s->at.n_lost == 0)
        return;
    if (!isnan(round_trip))
        start_listen(e, s, round_trip);
    marks_acknowledge(e, s);
    stream_send(e, s, false);
    const int32_t channel = s->channel;
    if (e->channels[channel].first_writing != NONE)
        socket_go_on(e, channel);
    if (e->channels[channel].stalled)
        socket_taken(e, channel);
}

/* ---- what happens ---- */

/* A resource on the way of a segment, and what the segment takes of it; full: what a full frame would. */
struct station {
    struct queue *queue;
    double work, full, saved, buffer;
};

static struct station station_at(struct timed *e, const struct timed_segment *g, int stage)
{
    const struct timed_stream *s = &e->streams.streams[g->stream];
    const struct timed_channel *c = &e->channels[s->channel];
    const bool data = g->kind == SEGMENT_DATA;
    if (stage < (data ? c->n_hops : c->n_back)) {
        const struct timed_hop *hop = &e->paths.hops[c->first_hop + (data ? 0 : c->n_hops) + stage];
        return (struct station){.queue = &e->paths.queues[hop->queue].at,
                              .work = hop->cost.empty + (data ? hop->cost.byte * g->bytes : 0),
                              .full = hop->cost.empty + hop->cost.byte * s->frame,
                              .saved = hop_saves(&hop->cost), .buffer = hop->cost.buffer};
    }
    const struct timed_stream *b = &e->streams.streams[s->back];
    if (data)
        return (struct station){.queue = &c->to_port->in, .work = s->in_frame + s->in_byte * g->bytes,
                              .full = s->in_frame + s->in_byte * s->frame, .saved = s->in_saved, .buffer = s->buffer};
    return (struct station){.queue = &c->from_port->in, .work = s->answer_in, .full = b->in_frame + b->in_byte * b->frame,
                          .saved = s->answer_in_saved, .buffer = b->buffer};
}

/* It reaches what is next on its way. */
void stream_segment(struct timed *e, int32_t i)
{
    struct timed_segment *g = &e->streams.segments[i];
    struct timed_stream *s = &e->streams.streams[g->stream];
    const struct timed_channel *c = &e->channels[s->channel];
    const bool data = g->kind == SEGMENT_DATA;
    const int n = data ? c->n_hops : c->n_back;
    if (g->in_short > 0) {
        struct queue *queue = station_at(e, g, g->stage == STAGE_THERE ? n : g->stage - 1).queue;
        queue->in_short = rule_latest(0, queue->in_short - g->in_short);
        g->in_short = 0;
    }
    if (g->stage == STAGE_THERE) {
        const struct timed_segment copy = *g;
        if (data) {
            const int32_t back = s->back;
            frame_come(e, i);
            if (copy.answers)
                acknowledged(e, back, copy.got, copy.from, copy.to);
        } else {
            segment_release(e, i);
            acknowledged(e, copy.stream, copy.got, copy.from, copy.to);
        }
        return;
    }
    const struct station station = station_at(e, g, g->stage);
    if (station.buffer < INFINITY && queue_is_full(station.queue, station.work, station.full, station.buffer, e->now)) {
        const double bytes = g->bytes;
        segment_release(e, i);
        if (data)
            s->on_way = rule_latest(0, s->on_way - kept_size(s, bytes));
        if (data && s->waits)
            stream_send(e, s, false);
        return;
    }
    if (station.buffer < INFINITY && station.work < station.full * (1 - 1e-9)) {
        station.queue->in_short += station.work;
        g->in_short = station.work;
    }
    const double time = pass(&station.queue->until, station.work, station.saved, e->now);
    double *latest = &s->latest[!data][g->stage + 1];
    g->stage = g->stage < n ? (int16_t)(g->stage + 1) : STAGE_THERE;
    segment_event(e, i, in_order(latest, time));
}

void stream_timer(struct timed *e, int32_t stream)
{
    struct timed_stream *s = &e->streams.streams[stream];
    if (e->now < s->alarm)
        return;
    s->alarm = INFINITY;
    if (s->answer_due <= e->now) {
        struct timed_channel *c = &e->channels[s->channel];
        if (e->now - c->acknowledging.heard >= ACKNOWLEDGING_DELAY)
            c->acknowledging.answers = c->acknowledging.owes = false;
        answer_leave(e, stream);
    }
    s = &e->streams.streams[stream];
    if (s->at.due <= e->now) {
        if (s->on_way > ROUNDING) { /* what is still on its way is not sent again (Linux: skb_still_in_host_queue) */
            s->at.due = e->now + s->at.round_trip + 0.2;
            s->at.probes = false;
        } else {
            connection_wake(&s->at, e->now);
            stream_send(e, s, false);
        }
    }
    alarm_set(e, s);
}

void streams_reset(struct timed_streams *streams)
{
    streams->n = streams->n_marks = streams->n_segments = 0;
    streams->free_mark = streams->free_segment = NONE;
}

void streams_free(struct timed_streams *streams)
{
    for (size_t i = 0; i < streams->capacity; i++)
        connection_free(&streams->streams[i].at);
    free(streams->streams);
    free(streams->marks);
    free(streams->segments);
}
