/* When it is to do something though nothing is told. */
#include "network/connection_impl.h"
#include "network/timer.h"

#include <math.h>

static const double TIMER_MARGIN = 2e-3; /* s: Linux, TCP_TIMEOUT_MIN_US */

static double timer_begin(const struct connection *c, double now)
{
    return now > c->heard ? now : c->heard;
}

/* A timeout from now on, and from when the first of what is outstanding was sent. */
static inline double timeout_end(const struct connection *c, double now)
{
    return timer_end(c->ticks, timer_begin(c, now), connection_timeout(c));
}

static inline double first_timeout_end(const struct connection *c, double now)
{
    const double due = timer_begin(c, connection_frame_at(c, c->first)->sent) + connection_timeout(c);
    return timer_end(c->ticks, now, fmax(0, due - now));
}

static inline void timer_set(struct connection *c, enum connection_timer timer, double due)
{
    c->timer = timer;
    c->due = due;
}

void connection_timeout_set(struct connection *c, double now)
{
    timer_set(c, CONNECTION_TIMEOUT, connection_outstanding(c) == 0 ? INFINITY : timeout_end(c, now));
}

/* Of frames that are outstanding, where nothing is amiss: a probe, no later than the timeout (Linux: tcp_schedule_loss_probe). */
static inline void probe_set(struct connection *c, double timeout, double now)
{
    const double wait = 2 * c->round_trip + (connection_outstanding(c) == 1 ? CONNECTION_LEAST_TIMEOUT : TIMER_MARGIN);
    const double probe = timer_end(c->ticks, timer_begin(c, now), wait);
    timer_set(c, CONNECTION_PROBE, probe < timeout ? probe : timeout);
}

static inline bool may_probe(const struct connection *c)
{
    return c->state == CONNECTION_OPEN && c->n_lost == 0 && c->n_there == 0;
}

void connection_time(struct connection *c, double now)
{
    if (connection_outstanding(c) > 0 && may_probe(c))
        probe_set(c, timeout_end(c, now), now);
    else
        connection_timeout_set(c, now);
}

void connection_time_new(struct connection *c, double now)
{
    if (c->timer == CONNECTION_SETTLES)
        return;
    if (may_probe(c))
        probe_set(c, first_timeout_end(c, now), now);
    else if (c->due == INFINITY)
        connection_timeout_set(c, now);
}

void connection_time_settling(struct connection *c, double wait, double now)
{
    timer_set(c, CONNECTION_SETTLES, fmin(timer_end(c->ticks, now, wait + TIMER_MARGIN), first_timeout_end(c, now)));
}

void connection_heard(struct connection *c, double back)
{
    if (back > c->heard)
        c->heard = back;
}

void connection_probe_drop(struct connection *c, double now)
{
    timer_set(c, CONNECTION_TIMEOUT, first_timeout_end(c, now));
}
