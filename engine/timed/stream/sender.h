/* sender.h - the end of a stream where it is written: what may leave of it, and when. */
#ifndef PEVPM_ENGINE_TIMED_STREAM_SENDER_H
#define PEVPM_ENGINE_TIMED_STREAM_SENDER_H

#include "engine/timed/state.h"

/* Sends what may be sent. writes: what is new was just written, and waits if it is short. */
void sender_send(struct timed *e, struct timed_stream *s, bool writes);

/* What a host counts for a frame beside its bytes, as a part of a full one: 960 of 1448 (Linux, skb->truesize on x86), whatever
 * the machine's frame is: of a jumbo frame 960 bytes are a tenth. */
#define SENDER_KEPT_BESIDE 0.667

/* What so many bytes take of a host, those of a frame or of a segment. */
static inline double sender_kept_size(const struct timed_stream *s, double bytes)
{
    return bytes + SENDER_KEPT_BESIDE * s->frame;
}

/* A frame of so many bytes is no longer on its way. What has waited for that leaves: at once where a full resource has lost the frame
 * (sender_lost); where it has come, after what its receiver sends at that moment, above all the acknowledgement, which may let
 * something else leave first (Linux frees what has come with a tasklet, tcp_wfree). */
static inline void sender_frame_gone(struct timed_stream *s, double bytes)
{
    s->on_way = queue_excess(s->on_way, sender_kept_size(s, bytes));
}

static inline bool sender_has_room(const struct timed_stream *s)
{
    return s->on_way <= s->goes_on;
}

/* What has come before all was written lets the end go only if less is left on its way than that waits for (Linux: TSQ_THROTTLED, by
 * which tcp_wfree knows, is set behind the writing, where tcp_should_autocork still finds more on its way). */
static inline void sender_go_on(struct timed *e, struct timed_stream *s)
{
    if (sender_has_room(s) && (e->now > s->end_waits_until || s->on_way < s->end_waits_for))
        sender_send(e, s, false);
}

static inline void sender_lost(struct timed *e, struct timed_stream *s, double bytes)
{
    sender_frame_gone(s, bytes);
    sender_go_on(e, s);
}

/* A packet of the way back says what has come. Most say what is known. */
void sender_learn(struct timed *e, struct timed_stream *s, struct stream_heard heard);
static inline void sender_acknowledged(struct timed *e, struct timed_stream *s, struct stream_heard heard)
{
    const struct connection *at = &s->at;
    if ((int32_t)(heard.got - at->first) > 0 || (heard.from != heard.to && (int32_t)(heard.to - at->first) > 0) || at->n_lost > 0)
        sender_learn(e, s, heard);
}

/* Nothing was acknowledged for so long that something is to be sent again. */
void sender_late(struct timed *e, struct timed_stream *s);

#endif
