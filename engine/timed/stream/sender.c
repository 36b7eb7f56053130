#include "engine/timed/stream/sender.h"

#include "engine/timed/process/polling.h"
#include "engine/timed/stream/mark.h"
#include "engine/timed/stream/packet.h"
#include "engine/timed/stream/stream.h"
#include "engine/timed/timed.h"
#include "engine/timed/way/handshake.h"
#include "engine/timed/way/socket.h"

#include <math.h>

/* Frames: what TCP makes one of is half of what the receiver has ever had room for at most (Linux:
 * tcp_bound_to_half_wnd), and that is 80 KiB where it has not been brought much more in a round trip (half of tcp_rmem,
 * by tcp_win_from_space, and what it grows as data come). Larger: what is written behind a message of 80 frames is not
 * in its last one when windows are large. */
enum { SEGMENT_MOST = 28 };

/* s: Linux, sk_pacing_shift. */
static const double PACED_FOR = 1.0 / 1024;

/* ---- what leaves ---- */

/* What has come of the stream back is acknowledged by the frames that leave now. */
static void answer_goes_along(const struct timed *e, const struct timed_stream *s)
{
    acknowledging_sent(&s->back->acknowledging, e->now);
}

/* The first of n frames more; a probe is one, whether or not the window has room for it. */
static uint32_t frames_send(struct timed_stream *s, int32_t n, double now)
{
    uint32_t frame;
    if (!s->at.probe_sent)
        return connection_send_new(&s->at, n, now);
    assert(n == 1);
    connection_offer(&s->at, 1, now);
    connection_send(&s->at, now, &frame);
    return frame;
}

/* n frames, for which the window has room, with the next `bytes` of the stream. What all nodes have in common is passed by
 * it once, if a message begins in it. */
static void segment_leave(struct timed *e, struct timed_stream *s, int32_t n, double bytes)
{
    const double common = marks_send(e, s, s->sent + bytes);
    if (common > 0)
        pollings_wake(e);
    const double wait = outlet_pass_common(&e->common_until, common, e->now);
    const uint32_t first = frames_send(s, n, e->now);
    answer_goes_along(e, s);
    for (int32_t i = 0; i < n; i++) {
        const uint32_t frame = first + (uint32_t)i;
        const double part = rule_earliest(s->frame, bytes - i * s->frame);
        struct connection_frame *f = connection_frame_at(&s->at, frame);
        s->sent += part;
        f->end = s->sent;
        f->load = part;
        f->ends = i + 1 == n;
        s->on_way += sender_kept_size(s, part);
    }
    packets_leave(e, s, first, n, wait);
    s->n_under_way++;
    const bool limited = s->at.in_flight >= s->at.window;
    if (limited || (int32_t)(s->at.first - s->limited_end) >= 0) {
        s->limited = limited;
        s->limited_end = s->at.next;
    }
}

/* Frames of the next segment: half a window, and no more than it has room for, or a device takes. */
static int32_t segment_frames(const struct timed_stream *s, double left)
{
    if (left <= s->frame)
        return 1;
    const int32_t room = s->at.window - s->at.in_flight, half = s->at.window > 1 ? s->at.window / 2 : 1;
    int32_t most = room < half ? room : half;
    most = most < SEGMENT_MOST ? most : SEGMENT_MOST;
    const double open = s->receive.edge - s->sent;
    if (open < most * s->frame)
        most = open < s->frame ? 1 : (int32_t)(open / s->frame);
    const double frames = (left - STREAM_ROUNDING) / s->frame;
    if (frames >= most)
        return most;
    const int32_t whole = (int32_t)frames;
    return whole + (whole < frames);
}

/* How many bytes TCP's pacing lets go in PACED_FOR: two windows a round trip while slow start is far from its end, 1.2 later (Linux:
 * tcp_update_pacing_rate). */
static double paced(const struct timed_stream *s)
{
    const double ratio = 2 * s->at.window < s->at.threshold ? 2 : 1.2;
    return PACED_FOR * ratio * s->at.window * s->frame / s->at.round_trip;
}

/* What may be on its way as the next segment leaves: a third one waits while as much as two of it is on its way, and more than is
 * paced. (Linux: tcp_small_queue_check. What a socket counts is one more than what is on its way, so as much as two is too much.) */
static double segment_goes_on(const struct timed_stream *s, double bytes)
{
    return s->n_under_way > 1 ? rule_latest(2 * sender_kept_size(s, bytes) - STREAM_ROUNDING, paced(s)) : INFINITY;
}

/* What its receiver has no room for does not leave. Linux: tcp_snd_wnd_test. */
static bool segment_is_shut(const struct timed_stream *s, double left)
{
    return s->sent + rule_earliest(left, s->frame) > s->receive.edge + STREAM_ROUNDING;
}

static bool segment_waits(const struct timed_stream *s, double bytes)
{
    return s->on_way > segment_goes_on(s, bytes);
}

/* Frames that were lost side by side in one segment: TCP sends them again as one. */
struct lost_piece {
    int32_t n;
    double bytes;
};

static struct lost_piece lost_piece_first(const struct timed_stream *s)
{
    struct lost_piece piece = {0};
    bool ends = false;
    for (uint32_t i = connection_first_lost(&s->at); !ends && i != s->at.next; i++) {
        const struct connection_frame *f = connection_frame_at(&s->at, i);
        if (!f->lost)
            break;
        piece.n++;
        piece.bytes += f->load;
        ends = f->ends;
    }
    return piece;
}

/* Whether what is lost waits, and what is new may leave before it: while twice what a segment waits for is on its way.
 * What a timeout sends again does not. (Linux: tcp_xmit_retransmit_queue, which asks tcp_small_queue_check with a factor of 1, and
 * tcp_retransmit_timer.) */
static bool lost_waits(const struct timed_stream *s, double bytes)
{
    return s->at.in_flight > 0 && s->at.in_flight < s->at.window &&
           s->on_way > 4 * sender_kept_size(s, bytes) - STREAM_ROUNDING && s->on_way > 2 * paced(s);
}

/* A frame leaves again, or as a probe. False: none may. */
static bool again_leave(struct timed *e, struct timed_stream *s)
{
    uint32_t frame;
    if (!connection_send(&s->at, e->now, &frame))
        return false;
    answer_goes_along(e, s);
    s->on_way += sender_kept_size(s, connection_frame_at(&s->at, frame)->load);
    packets_leave(e, s, frame, 1, 0);
    return true;
}

/* What was lost comes first, unless it waits (true). */
static bool lost_leave(struct timed *e, struct timed_stream *s)
{
    if (s->at.probe_sent)
        again_leave(e, s);
    while (s->at.n_lost > 0) {
        const struct lost_piece piece = lost_piece_first(s);
        if (lost_waits(s, piece.bytes))
            return true;
        for (int32_t i = 0; i < piece.n; i++)
            if (!again_leave(e, s))
                return false;
    }
    return false;
}

/* What the sender's host has of the stream and has not sent, bytes. */
static double left_to_send(const struct timed *e, const struct timed_stream *s, const struct timed_channel *c)
{
    return (c->full ? rule_earliest(s->written, mark_place(e, s, socket_end(c))) : s->written) - s->sent;
}

/* What was just written is made into segments of as much as a device takes. A full one leaves as the program goes on writing, or of the
 * first what one may have of the window; the end, which is shorter, waits for what was sent before it, as long as that is more, and so
 * does what is left of a first and only full one. (Linux: tcp_sendmsg_locked, tcp_push_one, tcp_should_autocork.) So an
 * acknowledgement or a permission to somebody else gets into the port before the end of a long message. */
struct written {
    double end;         /* bytes of the segment that is not full; 0: there is none, or nothing was written */
    double waits_below; /* with less than that left it may wait */
};

static struct written written_now(const struct timed_stream *s, double left)
{
    const double full = SEGMENT_MOST * s->frame, n_full = (double)(int64_t)((left + STREAM_ROUNDING) / full);
    const double end = left - n_full * full;
    return (struct written){.end = end, .waits_below = n_full == 1 ? end + full - STREAM_ROUNDING : end + STREAM_ROUNDING};
}

static bool end_waits(const struct timed_stream *s, double end)
{
    const bool outstanding = s->at.first != s->at.next;
    return outstanding && end > STREAM_ROUNDING && s->on_way >= sender_kept_size(s, end);
}

/* When the last that was written is, and what has left meanwhile is gone: behind the call, which lasts as long as such a send (what is
 * but a header takes none), by what an empty message takes. */
static double written_by(struct timed *e, const struct timed_stream *s)
{
    const struct timed_mark *mark = &e->streams.marks[s->last_mark];
    double call = 0;
    if (mark->kind == MARK_DATA)
        call = quantile_at(price_overhead(&e->book, e->transfers[mark->transfer].price, SIDE_SEND), UINT32_MAX / 2);
    return e->now + call + handshake_time(e, &e->channels[s->channel]);
}

static void new_leave(struct timed *e, struct timed_stream *s, bool writes)
{
    struct timed_channel *c = &e->channels[s->channel];
    double left = left_to_send(e, s, c);
    struct written written = writes ? written_now(s, left) : (struct written){0};
    for (; left > STREAM_ROUNDING && s->at.in_flight < s->at.window; left = left_to_send(e, s, c)) {
        if (left < written.waits_below) { /* asked once, as all is written */
            if (end_waits(s, written.end)) {
                s->goes_on = INFINITY;
                s->end_waits_until = written_by(e, s);
                s->end_waits_for = sender_kept_size(s, written.end);
                return;
            }
            written.waits_below = 0;
        }
        s->shut = segment_is_shut(s, left);
        if (s->shut) {
            s->goes_on = INFINITY;
            return;
        }
        const int32_t n = segment_frames(s, left);
        const double bytes = rule_earliest(left, n * s->frame);
        const double goes_on = segment_goes_on(s, bytes);
        if (s->on_way > goes_on) {
            s->goes_on = c->full ? INFINITY : goes_on; /* its host may take more meanwhile */
            return;
        }
        segment_leave(e, s, n, bytes);
    }
    if (left <= STREAM_ROUNDING && s->written - s->sent > STREAM_ROUNDING && !c->stalled)
        socket_stall(e, s->channel);
}

/* All that was written has been sent, and nothing is to be sent again. */
static inline bool all_is_sent(const struct timed_stream *s)
{
    return s->written - s->sent <= STREAM_ROUNDING && s->at.n_lost == 0 && !s->at.probe_sent;
}

/* Up to where what the channel was given has been sent, over all rails. */
static double sent_given(const struct timed *e, const struct timed_stream *s, const struct timed_channel *c)
{
    if (c->rails > 1)
        return stream_sent(e, c);
    return s->sent + STREAM_ROUNDING >= s->written ? c->given : mark_given(e, s, s->sent);
}

void sender_send(struct timed *e, struct timed_stream *s, bool writes)
{
    struct timed_channel *c = &e->channels[s->channel];
    if (c->join != JOIN_MADE)
        return;
    s->goes_on = -INFINITY;
    connection_offer(&s->at, 0, e->now); /* after a rest its window is smaller */
    if (!all_is_sent(s)) {
        const bool again_waits = lost_leave(e, s);
        new_leave(e, s, writes);
        if (again_waits)
            s->goes_on = INFINITY;
    }
    if (c->has_socket)
        socket_bring(&c->socket, sent_given(e, s, c), e->now, e->now);
    stream_alarm(e, s);
}

/* ---- acknowledgements ---- */

static void start_listen(struct timed *e, struct timed_stream *s, double round_trip)
{
    struct connection *at = &s->at;
    if (s->start.over || at->window >= at->threshold || at->congestion != CONGESTION_cubic)
        return;
    if (slow_start_listen(&s->start, at->window, at->first, at->next, round_trip, e->now))
        at->threshold = at->window;
}

/* One that came out of order. False: that was known. */
static bool one_acknowledged(struct connection *at, uint32_t frame, double *round_trip, double now)
{
    if ((int32_t)(frame - at->first) < 0 || (int32_t)(frame - at->next) >= 0)
        return false;
    const struct connection_frame *f = connection_frame_at(at, frame);
    const bool measured = isnan(*round_trip);
    if (!f->repeated && !f->there)
        *round_trip = now - f->sent;
    return connection_acknowledge_one(at, frame, measured, now);
}

/* All from `before` on that are acknowledged now, with those before them. */
static void acknowledged_note(struct timed_stream *s, uint32_t before)
{
    for (uint32_t i = before; i != s->at.first; i++)
        s->n_under_way -= connection_frame_at(&s->at, i)->ends;
    if (s->at.first != before)
        s->acknowledged = connection_frame_at(&s->at, s->at.first - 1)->end;
}

void sender_learn(struct timed *e, struct timed_stream *s, struct stream_heard heard)
{
    double round_trip = NAN;
    const uint32_t before = s->at.first;
    if (s->goes_on > -INFINITY)
        s->goes_on = INFINITY; /* the window, by which it was, may be another now */
    s->at.limited = s->limited;
    bool any = connection_acknowledge_before(&s->at, heard.got, &round_trip, e->now);
    for (uint32_t i = heard.from; i != heard.to && (int32_t)(heard.to - s->at.first) > 0; i++)
        any |= one_acknowledged(&s->at, i, &round_trip, e->now);
    acknowledged_note(s, before);
    if (!isnan(round_trip))
        start_listen(e, s, round_trip);
    if (any)
        connection_told(&s->at, e->now);
    if (!isnan(round_trip))
        receive_window_round_trip(&s->receive, round_trip, s->read + STREAM_ROUNDING >= s->got);
    marks_forget(e, s);
    sender_send(e, s, false);
    if (e->channels[s->channel].first_writing != NONE)
        socket_go_on(e, s->channel);
    if (e->channels[s->channel].stalled)
        socket_taken(e, s->channel);
}

/* The last segment is one frame, and that is on its way (Linux: skb_still_in_host_queue; of a longer segment the filter that
 * cuts it into frames has freed what TCP looks at). */
static bool last_is_in_host(const struct timed_stream *s)
{
    const uint32_t last = s->at.next - 1;
    return s->on_way > STREAM_ROUNDING && (last == s->at.first || connection_frame_at(&s->at, last - 1)->ends);
}

/* A probe, the only one that is outstanding, is what is new, even where the window has no room for it; where there is
 * nothing, the last frame once more. */
static void probe_leave(struct timed *e, struct timed_stream *s)
{
    const double left = left_to_send(e, s, &e->channels[s->channel]), bytes = rule_earliest(left, s->frame);
    const bool has_new = left > STREAM_ROUNDING && !segment_is_shut(s, left);
    if (s->at.probed || (has_new ? segment_waits(s, bytes) : last_is_in_host(s))) {
        connection_probe_drop(&s->at, e->now);
        return;
    }
    connection_wake(&s->at, e->now);
    if (has_new)
        segment_leave(e, s, 1, bytes);
}

void sender_late(struct timed *e, struct timed_stream *s)
{
    if (s->at.timer == CONNECTION_PROBE)
        probe_leave(e, s);
    else
        connection_wake(&s->at, e->now);
    sender_send(e, s, false);
}
