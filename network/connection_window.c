/* How many frames may be outstanding. */
#include "network/connection_impl.h"
#include "network/slow_start.h"

#include <math.h>

enum { LEAST_THRESHOLD = 2 };
static const double LOSS_PART[] = {[CONGESTION_cubic] = 0.7, [CONGESTION_reno] = 0.5}; /* of the window that is left */
/* Windows acknowledged for each frame that the window grows by. RFC 9438, section 4.3, with beta 0.7: 3 (1 - 0.7) / (1 + 0.7) =
 * 0.53 frames a window, 1.9 windows a frame. That it is half as fast is chosen (connection.h); larger: losses come seldomer. */
enum { GROWTH = 4 };

int32_t connection_first_threshold(double frame)
{
    return (int32_t)fmin(frame > 0 ? slow_start_window(frame) : CONNECTION_MOST_WINDOW, CONNECTION_MOST_WINDOW);
}

int32_t connection_window_halved(int32_t window, double timeout, double idle)
{
    while (idle > timeout && window > CONNECTION_FIRST_WINDOW) {
        window = window / 2 > CONNECTION_FIRST_WINDOW ? window / 2 : CONNECTION_FIRST_WINDOW;
        idle -= timeout;
    }
    return window;
}

/* Linux: tcp_cwnd_restart. */
void connection_rest(struct connection *c, double idle)
{
    const int32_t most = c->window - c->window / 4;
    if (c->threshold < most)
        c->threshold = most;
    c->window = connection_window_rested(c->window, c->round_trip + c->spread, idle);
}

void connection_shrink(struct connection *c)
{
    const int32_t left = (int32_t)(LOSS_PART[c->congestion] * c->window);
    c->threshold = left > LEAST_THRESHOLD ? left : LEAST_THRESHOLD;
    c->growth = 0;
    cubic_lose(&c->cubic, c->window);
}

/* So many acknowledged make the window larger by one, beyond the threshold. */
static int32_t growth_wanted(struct connection *c, double now)
{
    if (c->congestion == CONGESTION_reno)
        return c->window;
    return c->by_time ? cubic_wanted(&c->cubic, c->window, now) : GROWTH * c->window;
}

void connection_window_grow(struct connection *c, int32_t n, double now)
{
    for (; n > 0; n--) {
        const bool starts = c->window < c->threshold;
        if (starts ? c->window >= 2 * c->most : !c->limited)
            return;
        if (!starts && ++c->growth < growth_wanted(c, now))
            continue;
        if (!starts)
            c->growth = 0;
        c->window++;
    }
}

void connection_passed(struct connection *c, double now)
{
    c->most = 1;
    c->limited = c->window <= 1;
    connection_window_grow(c, 1, now);
}

void connection_recover(struct connection *c)
{
    c->window_before = c->window;
    connection_shrink(c);
    c->state = CONNECTION_RECOVERS;
    c->state_end = c->next;
    c->delivered = c->repeated = 0;
    c->probed = false;
}

/* Proportional rate reduction (RFC 6937). */
void connection_window_reduce(struct connection *c, int32_t n, bool advanced)
{
    c->delivered += n;
    const int32_t room = c->threshold - c->in_flight, owed = c->delivered - c->repeated;
    int32_t more;
    if (room < 0)
        more = (c->threshold * c->delivered + c->window_before - 1) / c->window_before - c->repeated;
    else
        more = (owed > n ? owed : n) + advanced;
    if (room >= 0 && more > room)
        more = room;
    if (more < (c->repeated == 0))
        more = c->repeated == 0;
    c->window = c->in_flight + more;
}

void connection_stages_end(struct connection *c)
{
    if (c->probed && (int32_t)(c->first - c->probe_end) >= c->probe_repeats) {
        c->probed = false;
        if (c->probe_repeats && c->state == CONNECTION_OPEN) {
            connection_shrink(c);
            c->window = c->threshold;
        }
    }
    if (c->state == CONNECTION_OPEN || (int32_t)(c->first - c->state_end) < 0)
        return;
    if (c->state == CONNECTION_RECOVERS)
        c->window = c->threshold;
    c->state = CONNECTION_OPEN;
}
