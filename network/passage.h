/* passage.h - a message on its way through the resources of its path, one behind the other.
 *
 * A message is a flow: its first frame comes at `begin`, the last one at `over`, what lies between at an even rate,
 * with half a frame's work more at either end. A resource passes the first frame when it has passed what was there before,
 * and the last when it has passed all of the message; these are the first and the last frame at the next one. So frames
 * flow through all of the path at the same time, and each resource serves in the order of arrival.
 *
 * What is not known yet when the first frame leaves is when the last will. It is foreseen: as if all that flows in now
 * went on to do so. The rate at the next resource follows from that; where the last frame comes later the flow pauses,
 * and where it comes earlier the rest comes with it.
 *
 * An idle path adds nothing that depends on how many resources there are: with a flow of width w = over - begin
 *
 *     the last frame leaves it at begin + max(w, max over all resources of (work - saved))
 *
 * so a measured transit, which is of an idle path, need not be split: the message begins that much before it arrives.
 *
 * Pure: whoever calls keeps the order of time. Seconds. */
#ifndef PEVPM_NETWORK_PASSAGE_H
#define PEVPM_NETWORK_PASSAGE_H

#include "network/queue.h"

/* What a message costs a resource on its path. */
struct hop_cost {
    double work;   /* its demand */
    double frame;  /* of that, one frame's */
    double saved;  /* what the resource has saved up when idle: credit, or a frame where that is more */
    double buffer; /* INFINITY: for ever */
    double credit; /* of `saved`, what was measured */
    double empty, byte, full; /* --contention frames: what a frame takes beside its bytes, each of these, and a full one */
};

/* A message at one resource. */
struct passage {
    struct hop_cost cost;
    double begin;  /* the first frame comes */
    double until;  /* the last one comes, as foreseen; then the flow ends or pauses */
    double over;   /* the last one comes; INFINITY: not known yet */
    double leaves; /* the last one has passed; INFINITY: not known yet */
    double first;  /* work that came with the first frame, and before `since` */
    double since;  /* work flows in at `rate` since then */
    double rate;   /* of the work that flows; 0: none does */
};

/* The first frame comes now. until: when the last one is foreseen. Returns when the first frame leaves. */
static inline double passage_begin(struct passage *p, struct queue *queue, int32_t flow, double until, double now)
{
    const double width = until - now, even = p->cost.work - p->cost.frame;
    queue_meet(queue, flow, now);
    const double leaves = queue_latest(now, queue->until);
    p->begin = now;
    p->until = queue_latest(now, until);
    p->leaves = INFINITY;
    p->since = now;
    p->rate = width > 0 && even > 0 ? even / width : 0;
    p->first = p->rate > 0 ? p->cost.frame / 2 : 0;
    queue_take(queue, now - p->cost.saved, p->first);
    if (p->rate > 0)
        queue_open(queue, p->rate);
    return leaves;
}

/* No more of it flows in, for now or because the last frame is there. */
static inline void passage_pause(struct passage *p, struct queue *queue, double now)
{
    queue_advance(queue, now);
    if (p->rate == 0)
        return;
    queue_close(queue, p->rate);
    p->first += p->rate * (now - p->since);
    p->rate = 0;
}

/* The last frame comes now: with it what has not come before. Returns when it has passed. */
static inline double passage_end(struct passage *p, struct queue *queue, double now)
{
    passage_pause(p, queue, now);
    queue_take(queue, p->begin - p->cost.saved, queue_latest(0, p->cost.work - p->first));
    return p->leaves = queue_latest(now, queue->until);
}

/* When the last frame will have passed, as foreseen now, if passage_end is still to come. */
static inline double passage_foresee(const struct passage *p, struct queue *queue, double now)
{
    if (p->leaves < INFINITY)
        return p->leaves;
    queue_advance(queue, now);
    const double until = queue_latest(now, p->over < INFINITY ? p->over : p->until);
    const double missing = p->cost.work - p->first - p->rate * (now - p->since);
    const double others = (queue->rate - p->rate) * (until - now);
    return queue_latest(until, queue->until + queue_latest(0, missing) + queue_latest(0, others));
}

/* How long an idle path keeps the last frame of a flow of that width behind the first. */
static inline double passage_width(double width, int n, const struct hop_cost hop[])
{
    for (int i = 0; i < n; i++)
        width = queue_latest(width, hop[i].work - hop[i].saved);
    return width;
}

#endif
