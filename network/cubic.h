/* cubic.h - how Linux's cubic lets a window grow above its threshold: by time, and not by round trips.
 *
 *     curve     after a loss that left `window` of `most` frames it follows most + C (t - K)^3, C = 0.4,
 *               K = cbrt((most - window) / C), t: seconds since the first frame that was acknowledged above the
 *               threshold, without those in which nothing was sent. So it is near `most` for long, and then leaves it
 *               ever faster (RFC 9438, section 4.2)
 *     friendly  it is no less than reno's would be that leaves as much of a window: a frame more for 1.9 windows
 *               acknowledged (section 4.3)
 *     calm      before the first loss, and after a timeout, which lets it forget the others, a frame more for 20
 *               acknowledged at least
 *
 * A loss below the last `most` counts for less: most = 0.85 window (fast convergence, section 4.7). Source: Linux
 * 6.18, net/ipv4/tcp_cubic.c, of which roundings of clocks are left out, and delay_min, the least round trip, which t
 * begins with. How often it computes the curve, every 1/32 s while the window stays, is kept: windows of a real host
 * are behind by that. Pure; seconds, frames. */
#ifndef PEVPM_NETWORK_CUBIC_H
#define PEVPM_NETWORK_CUBIC_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

struct cubic {
    int32_t most;                /* 0: no loss is known */
    bool begun;                  /* since the last loss; then */
    double begin, turn, origin;  /* t = 0; K; what the curve is at then */
    double asked;                /* when it was computed last, */
    int32_t asked_window;        /* and for which window */
    int32_t acknowledged, friendly; /* towards reno's next step; reno's window */
    int32_t wanted;              /* so many acknowledged let the window grow by one */
};

/* A loss that acknowledgements told of shrinks such a window. */
static inline void cubic_lose(struct cubic *c, int32_t window)
{
    c->most = window < c->most ? (int32_t)(0.85 * window) : window;
    c->begun = false;
}

/* A timeout. */
static inline void cubic_forget(struct cubic *c)
{
    *c = (struct cubic){0};
}

/* Nothing was sent for so long. */
static inline void cubic_rest(struct cubic *c, double idle)
{
    if (c->begun)
        c->begin += idle;
}

static inline void cubic_begin(struct cubic *c, int32_t window, double now)
{
    c->begun = true;
    c->begin = now;
    c->acknowledged = 1;
    c->friendly = window;
    c->origin = window < c->most ? c->most : window;
    c->turn = cbrt((c->origin - window) / 0.4);
}

/* What must be acknowledged for the curve to be reached. */
static inline int32_t cubic_curve(const struct cubic *c, int32_t window, double now)
{
    const double t = now - c->begin - c->turn, away = floor(fmin(0.4 * fabs(t * t * t), 1e6));
    const double above = c->origin + (t < 0 ? -away : away) - window;
    return above > 0 ? (int32_t)(window / above) : 100 * window;
}

static inline int32_t cubic_friendly(struct cubic *c, int32_t window)
{
    const int32_t step = window * 15 / 8;
    for (; c->acknowledged > step; c->friendly++)
        c->acknowledged -= step;
    return c->friendly > window ? window / (c->friendly - window) : INT32_MAX;
}

/* So many acknowledged let the window grow by one, as one more is. */
static inline int32_t cubic_wanted(struct cubic *c, int32_t window, double now)
{
    enum { CALM = 20, LEAST = 2 };
    c->acknowledged++;
    if (c->begun && window == c->asked_window && now - c->asked <= 1.0 / 32)
        return c->wanted;
    c->asked = now;
    c->asked_window = window;
    if (!c->begun)
        cubic_begin(c, window, now);
    int32_t wanted = cubic_curve(c, window, now);
    if (c->most == 0 && wanted > CALM)
        wanted = CALM;
    const int32_t friendly = cubic_friendly(c, window);
    wanted = wanted < friendly ? wanted : friendly;
    return c->wanted = wanted > LEAST ? wanted : LEAST;
}

#endif
