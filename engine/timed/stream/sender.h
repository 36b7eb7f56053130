/* sender.h - the end of a stream where it is written: what may leave of it, and when. */
#ifndef PEVPM_ENGINE_TIMED_STREAM_SENDER_H
#define PEVPM_ENGINE_TIMED_STREAM_SENDER_H

#include "engine/timed/state.h"

/* Sends what may be sent. writes: what is new was just written, and waits if it is short. */
void sender_send(struct timed *e, int32_t stream, bool writes);

/* A frame of so many bytes is no longer on its way; then what has waited for that leaves. sender_lost: both, of one that a full
 * resource has lost. */
void sender_frame_gone(struct timed_stream *s, double bytes);
void sender_go_on(struct timed *e, int32_t stream);
void sender_lost(struct timed *e, int32_t stream, double bytes);

/* A packet of the way back says that all frames before `got` have come, and from ... to - 1. */
void sender_acknowledged(struct timed *e, int32_t stream, uint32_t got, uint32_t from, uint32_t to);

/* Nothing was acknowledged for so long that something is to be sent again. */
void sender_late(struct timed *e, int32_t stream);

#endif
