/* path.h - the way of a message through more than two ports. */
#ifndef PEVPM_ENGINE_TIMED_WAY_PATH_H
#define PEVPM_ENGINE_TIMED_WAY_PATH_H

#include "engine/timed/state.h"

/* What messages of such a size cost the hops of the channel. */
void path_price(struct timed *e, const struct timed_channel *c, int64_t bytes);

/* Finds the way of a new channel. */
void path_find(struct timed *e, struct timed_channel *c);

/* An acknowledgement on the channel has passed *hops hops of its way back: when it will have passed the next one that is
 * behind, which *hops counts then; now, where none is left. */
double path_back(struct timed *e, const struct timed_channel *c, int *hops);

/* How far behind is what lies on the channel's way after its sender's port: the in port, and the hops before it. */
double path_behind_hops(const struct timed *e, const struct timed_channel *c, double behind);
static inline double path_behind(const struct timed *e, const struct timed_channel *c)
{
    double port = queue_behind(&c->to_port->in, e->now);
    for (int rail = 1; rail < c->rails; rail++)
        port = rule_latest(port, queue_behind(&c->to_port[rail].in, e->now));
    return c->n_hops == 0 ? port : path_behind_hops(e, c, port);
}

/* The least time before anything of a message can reach the first resource on its way. */
double path_lead(struct timed *e, const struct timed_channel *c, struct price *price, double least);

/* The message, which idle resources would have passed by x, goes through them: its events, of passages. */
void path_enter(struct timed *e, int32_t transfer, double x);
void path_begin(struct timed *e, int32_t passage);
void path_pause(struct timed *e, int32_t passage);
void path_over(struct timed *e, int32_t passage);

/* All resources idle, no message on its way. */
void paths_reset(struct timed_paths *paths);
void paths_free(struct timed_paths *paths);

#endif
