/* queue.h - a resource at work: it serves what reaches it in the order in which that comes.
 *
 * What reaches it is counted as work, the seconds that it takes the resource. The frames of several messages that come
 * at one time take turns, so work flows in at a rate; the steps of whole frames are smoothed. One number tells how far
 * behind it is: `until`, when it will have passed what it holds. It passes one second of work per second. Where it has
 * been idle `until` lies in the past, by no more than it has saved up (who brings work says from when on it counts).
 *
 *     until(t) = max(until(t0), idle) + work in (t0, t]      idle: first frame's time less what is saved up
 *     late     = max(0, until - t)                           of what has come by t
 *
 * Pure: a queue knows neither who waits nor why. Times are in seconds. */
#ifndef PEVPM_NETWORK_QUEUE_H
#define PEVPM_NETWORK_QUEUE_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* The only source of what came since the queue was last idle; QUEUE_SEVERAL: there were more, or none. */
enum { QUEUE_SEVERAL = -1 };

struct queue {
    double until, seen, rate;         /* rate: of the work that arrives, per second, since `seen` */
    int32_t n_entering;               /* flows that arrive at a rate */
    int32_t n_losing;                 /* messages on their way of which it may lose some (connection.h) */
    int32_t alone;                    /* a source, or QUEUE_SEVERAL */
    bool both;                        /* what leaves its owner passes it, too, as what enters does; the caller's */
    double in_short;                  /* of what it holds, what frames take that are shorter than others; the caller's */
};

#define QUEUE_IDLE \
    ((struct queue){.until = -INFINITY, .seen = 0, .alone = QUEUE_SEVERAL})

/* The larger of two times, as vector units compute it. */
static inline double queue_latest(double a, double b)
{
    return a > b ? a : b;
}

/* By how much a is more than b, 0 where it is not: max(0, a - b), bit for bit. gcc makes a branch of a maximum with a constant, and
 * of how long something waits nothing can predict whether it is anything. b is finite. */
static inline double queue_excess(double a, double b)
{
    return queue_latest(a, b) - b;
}

/* What has arrived since it was last looked at. */
static inline void queue_advance(struct queue *queue, double now)
{
    queue->until += queue->rate * (now - queue->seen);
    queue->seen = now;
}

/* Until when what it holds now and what flows in keep it busy. */
static inline double queue_foreseen(const struct queue *queue, double now)
{
    return queue->until + queue->rate * (now - queue->seen);
}

/* A message of a source, a number of the caller's, begins to arrive. */
static inline void queue_meet(struct queue *queue, int32_t source, double now)
{
    queue_advance(queue, now);
    if (queue->until <= now && queue->n_entering == 0)
        queue->alone = source;
    else if (queue->alone != source)
        queue->alone = QUEUE_SEVERAL;
}

/* How far behind it is. */
static inline double queue_behind(const struct queue *queue, double now)
{
    return queue_excess(queue_foreseen(queue, now), now);
}

/* Whether a frame of `work` that comes now finds no room among frames of `full`, its own size or more, and shorter ones. One
 * that it has begun to pass takes its room until it has passed. An idle one takes any. */
static inline bool queue_is_full(const struct queue *queue, double work, double full, double buffer, double now)
{
    const double behind = queue->until - now, in_full = queue_excess(behind, queue->in_short);
    if (queue_latest(behind, queue->in_short) + full + work <= buffer) /* whatever the last full one has left */
        return false;
    return behind > 0 && queue->in_short + ceil(in_full / full - 1e-6) * full + work > buffer * (1 + 1e-9);
}

/* Work comes as a whole, behind what was brought before; of it an idle one passes what is `saved` at once. When all has passed. */
static inline double queue_pass(double *until, double work, double saved, double now)
{
    *until = queue_latest(*until, now - saved) + work;
    return queue_latest(now, *until);
}

/* Work that arrives at once, none of which it passes before `idle`. */
static inline void queue_take(struct queue *queue, double idle, double work)
{
    queue->until = queue_latest(queue->until, idle) + work;
}

/* From the last look on work arrives at so much more per second; no longer. */
static inline void queue_open(struct queue *queue, double rate)
{
    queue->rate += rate;
    queue->n_entering++;
}

static inline void queue_close(struct queue *queue, double rate)
{
    queue->rate -= rate;
    if (--queue->n_entering == 0)
        queue->rate = 0;
}

#endif
