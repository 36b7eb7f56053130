/* connection_impl.h - what connection.c, which keeps frames, asks of when it does something (connection_timer.c), how much may be
 * outstanding (connection_window.c) and what is lost (connection_loss.c). */
#ifndef PEVPM_NETWORK_CONNECTION_IMPL_H
#define PEVPM_NETWORK_CONNECTION_IMPL_H

#include "network/connection.h"

enum { CONNECTION_MOST_WINDOW = 1 << 20 }; /* frames: no threshold yet */

static inline int32_t connection_outstanding(const struct connection *c)
{
    return (int32_t)(c->next - c->first);
}

/* ---- timers: they set `timer` and `due` ---- */

/* A timeout from now on; a probe before it, where nothing is amiss. */
void connection_timeout_set(struct connection *c, double now);
void connection_time(struct connection *c, double now);

/* Something new was sent, which does not put off the timeout of what was sent before. */
void connection_time_new(struct connection *c, double now);

/* What is missing is waited for so long, s. */
void connection_time_settling(struct connection *c, double wait, double now);

/* ---- the window ---- */

/* The threshold after a loss. */
void connection_shrink(struct connection *c);

/* By what n frames more that are acknowledged let it. */
void connection_window_grow(struct connection *c, int32_t n, double now);

/* Something is lost: CONNECTION_RECOVERS begins; and there the window shrinks as frames are acknowledged, n now. */
void connection_recover(struct connection *c);
void connection_window_reduce(struct connection *c, int32_t n, bool advanced);

/* What all frames up to one end being there ends: a probe, another state than CONNECTION_OPEN. */
void connection_stages_end(struct connection *c);

/* ---- losses ---- */

/* What is missing is waited for, or counts as lost. Returns for how long, s; negative: it is not. */
double connection_losses_tell(struct connection *c, double now);

/* What was waited for is lost, where the timeout has not come first (Linux: tcp_rack_reo_timeout). */
void connection_settle(struct connection *c, double now);

/* All that is outstanding and not known to be there is lost. */
void connection_lose_all(struct connection *c);

#endif
