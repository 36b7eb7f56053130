/* stream.h - what a process sends another as TCP carries it, where it is written (streams.h). For channels with `has_stream`,
 * whose model has `streams`. */
#ifndef PEVPM_ENGINE_TIMED_STREAM_STREAM_H
#define PEVPM_ENGINE_TIMED_STREAM_STREAM_H

#include "engine/timed/state.h"

/* A message is written to the stream, now; m->time + its transit is when it would come if all were idle. */
void stream_write(struct timed *e, struct timed_channel *c, struct timed_transfer *m);

/* The announcement of a rendezvous, or its permission. */
void stream_announce(struct timed *e, int32_t transfer);
void stream_permit(struct timed *e, int32_t transfer);
/* An empty message from the receiver of a synchronous send to its sender, which is over when that comes. */
void stream_answer(struct timed *e, int32_t send, int rail);

/* The host of the channel's sender asks the other's for their connection, now. May add a channel, as all that opens streams. */
void stream_ask(struct timed *e, int32_t channel);

/* What is written to it now on a rail waits: for what was written before, for the window, or for the port. */
bool stream_is_busy(const struct timed *e, const struct timed_channel *c, int rail);

/* The host takes more; the connection is made. */
void stream_go_on(struct timed *e, int32_t channel);

/* Up to where what was written of the channel has been acknowledged, bytes of messages; and whether some of it has not left. */
double stream_acknowledged(const struct timed *e, const struct timed_channel *c);
bool stream_has_unsent(const struct timed_channel *c);

/* The same of what has been sent. */
double stream_sent(const struct timed *e, const struct timed_channel *c);

/* There is an EVENT_TIMER when the stream has to send again, or to acknowledge; and when that comes. */
void stream_alarm_set(struct timed *e, struct timed_stream *s, double due);
static inline void stream_alarm(struct timed *e, struct timed_stream *s)
{
    const double due = rule_earliest(s->at.due, s->answer_due);
    if (due < s->alarm)
        stream_alarm_set(e, s, due);
}
void stream_timer(struct timed *e);

/* A frame of it has come, with what that lets happen at once, or its receiver has come to read (EVENT_ROOM). */
void stream_room(struct timed *e, int32_t stream);

/* Whether the first EVENT_TIMER happens before this turn and before all other events. Without frames there are no timers,
 * and nothing more is asked. */
static inline bool streams_timer_is_first(const struct timed_streams *streams, const struct event *turn,
                                          const struct event_queue *queue)
{
    const struct event *first = &streams->timers.heap[0];
    return streams->timers.n > 0 && event_before(first, turn) && event_queue_is_before(queue, first);
}

/* Whether it happens before that time. The time of EVENT_NEVER is no number, and before nothing. */
static inline bool streams_timer_is_before(const struct timed_streams *streams, double time)
{
    return event_time(&streams->timers.heap[0]) < time;
}

/* Before all; forgets all, and keeps the memory; frees it. */
void streams_init(struct timed_streams *streams);
void streams_reset(struct timed_streams *streams);
void streams_free(struct timed_streams *streams);

#endif
