/* mark.h - where the messages, announcements, permissions and answers of a stream end. */
#ifndef PEVPM_ENGINE_TIMED_STREAM_MARK_H
#define PEVPM_ENGINE_TIMED_STREAM_MARK_H

#include "engine/timed/state.h"

/* One that ends with all that is written now, of which the channel was `given` so much. common: what it takes of what
 * all nodes have in common, if it is not sent with others. */
void mark_add(struct timed *e, struct timed_stream *s, enum mark_kind kind, int32_t transfer, double given,
              double common, int shares);

/* All before `end` is sent now, together: what it takes of what all nodes have in common, if anything begins in it. */
double marks_send(struct timed *e, struct timed_stream *s, double end);

/* Has one come whole that was not taken before? */
static inline bool mark_has_come(const struct timed *e, const struct timed_stream *s)
{
    return s->next_mark != NONE && e->streams.marks[s->next_mark].end <= s->got + STREAM_ROUNDING;
}

/* Takes the first of these; false: there is none. */
static inline bool mark_take(struct timed *e, struct timed_stream *s, struct timed_mark *mark)
{
    if (!mark_has_come(e, s))
        return false;
    *mark = e->streams.marks[s->next_mark];
    s->next_mark = mark->next;
    return true;
}

/* Forgets those that are acknowledged. */
void marks_forget(struct timed *e, struct timed_stream *s);

/* What of all that the channel was given lies before a place that is not acknowledged yet, and the other way round. The
 * library's header stands before its message. */
double mark_given(const struct timed *e, const struct timed_stream *s, double place);
double mark_place(const struct timed *e, const struct timed_stream *s, double given);

#endif
