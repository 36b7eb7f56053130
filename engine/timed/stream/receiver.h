/* receiver.h - the end of a stream where its frames come: what ends with them, and when they are acknowledged. */
#ifndef PEVPM_ENGINE_TIMED_STREAM_RECEIVER_H
#define PEVPM_ENGINE_TIMED_STREAM_RECEIVER_H

#include "engine/timed/state.h"

/* A frame has come, of so many bytes of the stream. */
void receiver_frame(struct timed *e, struct timed_stream *s, uint32_t frame, double bytes);

/* Does the process read what comes, now: in a call that looks, or ended, which is in MPI? */
bool receiver_reads(const struct timed *e, const struct timed_process *p);

/* A process that comes to a call that looks, or to its end, reads what has come for it (its first_unread), acknowledges that, and has
 * room for more. */
void receiver_read(struct timed *e, int32_t process);
void receiver_end(struct timed *e, const struct timed_process *p);

/* What has come is acknowledged by a packet that leaves for the stream's sender, and says this. */
static inline struct stream_heard receiver_answer(struct timed_stream *s)
{
    const struct stream_heard heard = {s->at.got, s->answer_from, s->answer_to};
    if (s->unanswered > 0)
        acknowledging_acknowledged(&s->acknowledging);
    s->answer_from = s->answer_to;
    s->unanswered = 0;
    s->answer_due = INFINITY;
    return heard;
}

/* It was to be acknowledged now at the latest. */
void receiver_late(struct timed *e, struct timed_stream *s);

#endif
