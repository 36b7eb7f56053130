/* Which frames count as lost, and when. */
#include "network/connection_impl.h"

#include <math.h>

enum { REORDERING = 3 }; /* frames (Linux: TCP_FASTRETRANS_THRESH) */

uint32_t connection_first_lost(const struct connection *c)
{
    uint32_t i = c->first;
    while (!connection_frame_at(c, i)->lost)
        i++;
    return i;
}

/* Those that left before one that is there, and so long ago that it tells. Returns how much longer the others must have been on their
 * way, s; negative: there are none. */
static double losses_find(struct connection *c, double now)
{
    const bool keeps_order = c->state != CONNECTION_OPEN || c->n_there >= REORDERING;
    const double apart = keeps_order ? 0 : fmin(c->least_round_trip / 4, c->round_trip);
    double wait = -1;
    for (uint32_t i = c->first; i != c->next; i++) {
        struct connection_frame *f = connection_frame_at(c, i);
        if (f->there || f->lost || f->order > c->newest)
            continue;
        const double left = c->told + apart - (now - f->sent);
        if (left > 0 && c->waits) {
            wait = left > wait ? left : wait;
            continue;
        }
        f->lost = true;
        c->n_lost++;
        c->in_flight--;
    }
    return wait;
}

double connection_losses_tell(struct connection *c, double now)
{
    const double wait = c->left_out ? losses_find(c, now) : -1;
    c->left_out = wait >= 0;
    if (c->n_lost > 0 && c->state == CONNECTION_OPEN)
        connection_recover(c);
    return wait;
}

void connection_settle(struct connection *c, double now)
{
    const int32_t n_lost = c->n_lost;
    connection_probe_drop(c, now);
    c->left_out = losses_find(c, now) >= 0;
    if (c->n_lost > n_lost && c->state != CONNECTION_RECOVERS) {
        connection_recover(c);
        connection_window_reduce(c, 1, false);
    }
}

void connection_lose_all(struct connection *c)
{
    for (uint32_t i = c->first; i != c->next; i++) {
        struct connection_frame *f = connection_frame_at(c, i);
        if (!f->there && !f->lost) {
            f->lost = true;
            c->n_lost++;
        }
    }
    c->in_flight = 0;
}
