/* stream.h - what a process sends another as TCP carries it: a stream of bytes, in frames, each of which passes what is on
 * its way by itself, and acknowledgements that do so on the way back (--contention frames; the rules are in
 * docs/ARCHITECTURE.md, Streams). For channels with `has_stream`, whose model has `streams`. Both ways of a pair open together,
 * with the first that is written. Units: seconds, bytes of the stream, the library's headers among them. */
#ifndef PEVPM_ENGINE_TIMED_WAY_STREAM_H
#define PEVPM_ENGINE_TIMED_WAY_STREAM_H

#include "engine/timed/state.h"

/* A message is written to the stream, now; m->time + its transit is when it would come if all were idle. */
void stream_write(struct timed *e, struct timed_channel *c, struct timed_transfer *m);

/* The announcement of a rendezvous, or its permission. */
void stream_announce(struct timed *e, int32_t transfer);
void stream_permit(struct timed *e, int32_t transfer);
/* An empty message from the channel's receiver to its sender; when it comes. */
double stream_answer(struct timed *e, int32_t channel);

/* The host takes more; the connection is made. */
void stream_go_on(struct timed *e, int32_t channel);

/* Up to where what was written of the channel has been acknowledged, bytes of messages; and whether some of it has not left. */
double stream_acknowledged(const struct timed *e, const struct timed_channel *c);
bool stream_has_unsent(const struct timed *e, const struct timed_channel *c);

/* EVENT_SEGMENT: a frame or an acknowledgement reaches what is next on its way. EVENT_TIMER: it may be time to send again, or
 * to acknowledge. */
void stream_segment(struct timed *e, int32_t segment);
void stream_timer(struct timed *e, int32_t stream);

/* Forgets all, and keeps the memory; frees it. */
void streams_reset(struct timed_streams *streams);
void streams_free(struct timed_streams *streams);

#endif
