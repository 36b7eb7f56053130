#include "engine/timed/stream/receiver.h"

#include "engine/timed/process/call.h"
#include "engine/timed/process/polling.h"
#include "engine/timed/stream/mark.h"
#include "engine/timed/stream/packet.h"
#include "engine/timed/stream/sender.h"
#include "engine/timed/stream/stream.h"
#include "engine/timed/timed.h"
#include "engine/timed/way/handshake.h"
#include "engine/timed/way/wire.h"
#include "network/timer.h"

/* ---- what ends with it ---- */

static void message_come(struct timed *e, int32_t transfer, bool shares)
{
    struct timed_transfer *m = &e->transfers[transfer];
    if (m->rail == RAIL_ALL && --m->to_come > 0)
        return;
    const double arrival = e->now + m->late;
    m->shares = shares;
    m->port_wait = queue_excess(arrival, m->time);
    wire_arrival_known(e, transfer, arrival);
}

static void announcement_come(struct timed *e, int32_t transfer, double arrival, bool shares)
{
    struct timed_transfer *m = &e->transfers[transfer];
    m->there_at = arrival;
    if (shares) { /* it comes with what was sent before it */
        m->chance_known = 1;
        m->asks_wait = false;
    }
    if (m->asked)
        event_add(e, arrival, EVENT_PERMIT, e->channels[m->channel].from, transfer);
}

/* The measured transit has both handshakes, h and their longer headers; what of them has passed is before it. */
static void permission_come(struct timed *e, int32_t transfer, double arrival, double h)
{
    struct timed_transfer *m = &e->transfers[transfer];
    const struct timed_channel *c = &e->channels[m->channel];
    m->permitted = arrival;
    m->time = arrival - h - e->channels[c->back].known.permits - (m->asked ? h + c->known.announces : 0);
    event_add(e, arrival, EVENT_DEPART, e->channels[m->channel].from, transfer);
}

static void answer_come(struct timed *e, int32_t send, double arrival)
{
    e->operations[send].completion = arrival;
    operation_ready(e, send);
}

/* shares: it is read together with what was written before it. A message of 0 bytes comes later than its frame by what
 * its measured time, h, is longer than that of the frame on an idle way. */
static void mark_come(struct timed *e, const struct timed_stream *s, const struct timed_mark *mark, bool shares)
{
    if (mark->kind == MARK_DATA) {
        message_come(e, mark->transfer, shares);
        return;
    }
    struct timed_channel *c = &e->channels[s->channel];
    const double h = handshake_time(e, c), come = e->now + queue_excess(h, c->known.empty_chain);
    switch ((enum mark_kind)mark->kind) {
    case MARK_ANNOUNCES:
        announcement_come(e, mark->transfer, come, shares);
        break;
    case MARK_PERMITS:
        permission_come(e, mark->transfer, come, h);
        break;
    case MARK_ANSWERS:
        answer_come(e, mark->transfer, come);
        break;
    case MARK_DATA: /* above: it needs no handshake's time */
        break;
    }
}

/* What is in one frame is read at once, and so is all that comes until its receiver looks. */
static void marks_come(struct timed *e, struct timed_stream *s, bool reads)
{
    struct timed_mark mark;
    bool shares = s->message_unread;
    for (; mark_take(e, s, &mark); shares = true) {
        mark_come(e, s, &mark, shares);
        s->message_unread = !reads;
    }
}

/* ---- acknowledgements ---- */

static void answer_alone(struct timed *e, const struct timed_stream *s)
{
    packet_answer(e, s->back);
}

/* Its receiver does not look now; it may have been followed into a call in which it will, or to its end. */
static void unread_add(struct timed *e, struct timed_stream *s)
{
    struct timed_process *p = s->receiver;
    if (s->unread)
        return;
    s->unread = true;
    s->next_unread = p->first_unread;
    p->first_unread = s;
    if (p->state == TIMED_ENDED)
        event_add(e, p->clock, EVENT_ROOM, s->from, s->number);
    else if (p->looks && p->call > e->now)
        event_add(e, p->call, EVENT_ROOM, s->from, s->number);
}

/* A frame has come: it is acknowledged at once, with the next, when it is read, with what is sent the other way, or
 * late. */
static void answer(struct timed *e, struct timed_stream *s, uint32_t frame, double bytes, bool reads)
{
    const bool in_turn = frame == s->answer_to;
    if (!in_turn)
        s->answer_from = frame;
    s->answer_to = frame + 1;
    s->unanswered += bytes;
    const double timeout = connection_timeout(&s->back->at);
    const bool alone = acknowledging_heard(&s->acknowledging, reads, timeout, e->now) && bytes < s->frame - STREAM_ROUNDING;
    const bool one_is_missing = s->at.got < s->answer_to;
    if (!in_turn || one_is_missing || s->unanswered > s->frame + STREAM_ROUNDING || acknowledging_is_quick(&s->acknowledging)) {
        answer_alone(e, s);
        s->acknowledging.owed = 0;
        return;
    }
    s->answer_due = rule_earliest(s->answer_due, alone ? e->now : timer_end(e->ticks, e->now, ACKNOWLEDGING_DELAY));
    stream_alarm(e, s);
}

void receiver_late(struct timed *e, struct timed_stream *s)
{
    struct acknowledging *acknowledging = &s->acknowledging;
    if (e->now - acknowledging->heard >= ACKNOWLEDGING_DELAY)
        *acknowledging = (struct acknowledging){.heard = acknowledging->heard, .quick = acknowledging->quick};
    answer_alone(e, s);
}

/* ---- how much more there is room for ---- */

static double behind_gap(const struct timed_stream *s)
{
    return s->at.n_ahead > 0 ? s->ahead_end - s->got : 0;
}

/* Behind a frame, or as something was read. */
static void window_move(struct timed_stream *s)
{
    receive_window_move(&s->receive, s->got, s->got - s->read + s->at.n_ahead * s->frame);
}

/* All that has come without a gap has been read. */
static void window_read(struct timed *e, struct timed_stream *s)
{
    s->read = s->got;
    receive_window_read(&s->receive, s->read, behind_gap(s), e->now);
}

bool receiver_reads(const struct timed *e, const struct timed_process *p)
{
    return e->model->progress == PROGRESS_ASYNC ||
           (p->state == TIMED_ENDED ? p->clock <= e->now : process_looks_at(p, e->now));
}

void receiver_end(struct timed *e, const struct timed_process *p)
{
    const struct timed_stream *s = p->first_unread;
    if (s)
        event_add(e, p->clock, EVENT_ROOM, s->from, s->number);
}

void receiver_read(struct timed *e, int32_t process)
{
    struct timed_stream *s = e->processes[process].first_unread;
    e->processes[process].first_unread = NULL;
    while (s) {
        struct timed_stream *next = s->next_unread;
        s->unread = s->message_unread = false;
        window_read(e, s);
        window_move(s);
        if (s->unanswered > 0 && acknowledging_read(&s->acknowledging))
            answer_alone(e, s);
        if (s->shut)
            event_add(e, e->now, EVENT_ROOM, s->from, s->number);
        s = next;
    }
}

void receiver_frame(struct timed *e, struct timed_stream *s, uint32_t frame, double bytes)
{
    const uint32_t before = s->at.got;
    sender_frame_gone(s, bytes);
    if ((int32_t)(frame - before) < 0)
        acknowledging_heard_again(&s->acknowledging);
    connection_receive(&s->at, frame);
    if (s->at.got != before)
        s->got = connection_frame_at(&s->at, s->at.got - 1)->end;
    else if (s->at.n_ahead > 0 && (int32_t)(frame - before) > 0)
        s->ahead_end = rule_latest(s->ahead_end, connection_frame_at(&s->at, frame)->end);
    if (receive_window_come(&s->receive, bytes, s->got, behind_gap(s), e->now))
        acknowledging_soon(&s->acknowledging);
    if (__builtin_expect(e->n_polling > 0, 0))
        polling_rouse(e, (int32_t)(s->receiver - e->processes));
    const bool reads = receiver_reads(e, s->receiver);
    if (mark_has_come(e, s))
        marks_come(e, s, reads);
    if (reads)
        window_read(e, s);
    else
        unread_add(e, s);
    window_move(s);
    answer(e, s, frame, bytes, reads);
    if (sender_has_room(s))
        event_add(e, e->now, EVENT_ROOM, s->from, s->number);
}
