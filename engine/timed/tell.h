/* tell.h - what the ledger is told; nothing where nobody listens. */
#ifndef PEVPM_ENGINE_TIMED_TELL_H
#define PEVPM_ENGINE_TIMED_TELL_H

#include "engine/timed/state.h"

/* Pass on what engine/ledger.h describes; tell_flight also tells the choice of a wildcard. */
void timed_tell_span(struct timed *e, int32_t process, int32_t site, enum loss loss, double from, double to);
void timed_tell_flight(struct timed *e, const struct timed_operation *o, const struct timed_transfer *m, double time);
void timed_tell_choice(struct timed *e, int32_t process, int32_t site, int32_t source, int32_t candidates);
void timed_tell_lost(struct timed *e); /* at the end of a run */

/* A wait for a message from `from` to `to`, split by its reasons; for a send or a collective; for a probe. */
void timed_tell_wait(struct timed *e, const struct timed_operation *o, double from, double to, double overhead);
void timed_tell_send(struct timed *e, const struct timed_operation *o, double from, double to);
void timed_tell_probe(struct timed *e, int32_t process, int32_t site, const struct timed_transfer *m, double from,
                      double to);

static inline void timed_tell(struct timed *e, int32_t process, int32_t site, enum loss loss, double from, double to)
{
    if (__builtin_expect(e->ledger != NULL, 0))
        timed_tell_span(e, process, site, loss, from, to);
}

#endif
