/* Messages whose way leads through more than the ports of two nodes: trunks between switches, a bus within a node. */
#include "engine/timed/way/path.h"

#include "engine/timed/timed.h"
#include "engine/timed/way/losses.h"
#include "engine/timed/way/wire.h"

#include "common/alloc.h"

#include <math.h>
#include <stdlib.h>

/* ---- ways ---- */

/* The queue of a resource's owner; made when it is not there yet. Asked once for each hop of a channel. */
static int32_t queue_find(struct timed *e, struct path_hop of)
{
    struct timed_paths *paths = &e->paths;
    for (int32_t i = 0; i < paths->n_queues; i++)
        if (paths->queues[i].of.resource == of.resource && paths->queues[i].of.owner == of.owner)
            return i;
    paths->queues = alloc_grow(paths->queues, (size_t)paths->n_queues, &paths->queues_capacity, sizeof *paths->queues);
    paths->queues[paths->n_queues] = (struct timed_queue){of, QUEUE_IDLE, NONE};
    return paths->n_queues++;
}

static int32_t hops_add(struct timed *e, const struct timed_channel *c, bool backwards, int *n)
{
    struct timed_paths *paths = &e->paths;
    struct path_hop hop[PATH_MOST];
    const struct seat from = engine_seat(e->program, backwards ? c->to : c->from);
    const struct seat to = engine_seat(e->program, backwards ? c->from : c->to);
    const int32_t first = paths->n_hops;
    *n = e->model->path(e->model, (enum transport)c->transport, from, to, hop);
    for (int i = 0; i < *n; i++) {
        const int32_t queue = queue_find(e, hop[i]);
        paths->hops = alloc_grow(paths->hops, (size_t)paths->n_hops, &paths->hops_capacity, sizeof *paths->hops);
        paths->hops[paths->n_hops++] =
            (struct timed_hop){.queue = queue, .resource = hop[i].resource, .acknowledged = -INFINITY};
    }
    return first;
}

void path_find(struct timed *e, struct timed_channel *c)
{
    int n_back = 0;
    if (!e->model->path || c->transport == TRANSPORT_self)
        return;
    c->first_hop = hops_add(e, c, false, &c->n_hops);
    if (c->transport == TRANSPORT_network)
        hops_add(e, c, true, &n_back);
    c->n_back = n_back;
    c->has_hops = c->n_hops + c->n_back > 0;
}

/* What messages of such a size cost on the way. */
void path_price(struct timed *e, const struct timed_channel *c, int64_t bytes)
{
    struct timed_hop *hop = &e->paths.hops[c->first_hop];
    double ignored;
    if (hop[0].priced && hop[0].bytes == bytes)
        return;
    hop[0].priced = true;
    hop[0].bytes = bytes;
    for (int i = 0; i < c->n_hops; i++)
        e->model->hop_for(e->model, hop[i].resource, bytes, &hop[i].cost, &ignored);
    for (int i = c->n_hops; i < c->n_hops + c->n_back; i++)
        e->model->hop_for(e->model, hop[i].resource, bytes, &hop[i].cost, &hop[i].acknowledgements);
}

/* The in port of the receiver's node, the last resource on the way, for a message alone. False: it has none. */
static bool path_port(const struct timed *e, const struct timed_channel *c, const struct price *price,
                      struct hop_cost *cost)
{
    *cost = (struct hop_cost){.work = price->ports.in_gap, .frame = price->ports.frame,
                              .saved = price->saved, .buffer = price->ports.buffer};
    return e->ports && c->transport == TRANSPORT_network && price->ports.in_gap > 0;
}

/* What feeds a way feeds it as fast as the first resource on it serves. */
static double path_width(const struct timed *e, const struct timed_channel *c, double spread)
{
    const struct hop_cost *first = &e->paths.hops[c->first_hop].cost;
    return transport_is_local((enum transport)c->transport) ? first->work - first->frame : spread;
}

/* How long an idle way keeps the last frame behind the first. */
static double path_idle(const struct timed *e, const struct timed_channel *c, const struct price *price, double width)
{
    struct hop_cost port;
    for (int i = 0; i < c->n_hops; i++)
        width = passage_width(width, 1, &e->paths.hops[c->first_hop + i].cost);
    return path_port(e, c, price, &port) ? passage_width(width, 1, &port) : width;
}

double path_behind_hops(const struct timed *e, const struct timed_channel *c, double behind)
{
    for (int i = 0; i < c->n_hops; i++) {
        const struct queue *queue = &e->paths.queues[e->paths.hops[c->first_hop + i].queue].at;
        behind += queue_behind(queue, e->now);
    }
    return behind;
}

double path_lead(struct timed *e, const struct timed_channel *c, struct price *price, double least)
{
    path_price(e, c, price->bytes);
    return rule_latest(0, least - path_idle(e, c, price, path_width(e, c, price->ports.spread)));
}

/* ---- passages ---- */

static int32_t passage_new(struct timed *e, int32_t transfer, int32_t queue, struct hop_cost cost)
{
    struct timed_paths *paths = &e->paths;
    int32_t i = paths->free_passage;
    if (i != NONE) {
        paths->free_passage = paths->passages[i].next;
    } else {
        paths->passages =
            alloc_grow(paths->passages, (size_t)paths->n_passages, &paths->passages_capacity, sizeof *paths->passages);
        i = paths->n_passages++;
    }
    paths->passages[i] = (struct timed_passage){.at = {.cost = cost, .over = INFINITY, .leaves = INFINITY},
                                                .transfer = transfer, .queue = queue, .next = NONE, .before = NONE};
    return i;
}

static void passage_release(struct timed *e, int32_t passage)
{
    struct timed_passage *p = &e->paths.passages[passage];
    if (p->stage != PASSAGE_ENDED || p->flows)
        return;
    p->next = e->paths.free_passage;
    e->paths.free_passage = passage;
}

static struct queue *queue_of(struct timed *e, const struct timed_passage *p)
{
    const struct timed_channel *c = &e->channels[e->transfers[p->transfer].channel];
    return p->queue == NONE ? &c->to_port->in : &e->paths.queues[p->queue].at;
}

static void passage_event(struct timed *e, int32_t passage, double time, enum event_kind kind)
{
    const int32_t transfer = e->paths.passages[passage].transfer;
    event_add(e, rule_latest(time, e->now), kind, e->channels[e->transfers[transfer].channel].from, passage);
}

void path_enter(struct timed *e, int32_t transfer, double x)
{
    struct timed_transfer *m = &e->transfers[transfer];
    struct timed_channel *c = &e->channels[m->channel];
    struct hop_cost port;
    path_price(e, c, m->price->bytes);
    const double width = path_width(e, c, m->price->ports.spread), idle = path_idle(e, c, m->price, width);
    const double over = rule_latest(rule_latest(x - idle + width, c->last_come), e->now);
    const double begin = rule_latest(rule_latest(over - width, c->last_come), e->now);
    c->last_come = over;
    m->time = over + (idle - width);
    const bool has_port = path_port(e, c, m->price, &port);
    if (c->n_hops + has_port == 0) {
        wire_passed(e, transfer, x, x);
        return;
    }
    int32_t first = NONE, before = NONE;
    for (int i = 0; i < c->n_hops + has_port; i++) {
        const struct timed_hop *hop = &e->paths.hops[c->first_hop + (i < c->n_hops ? i : 0)];
        const int32_t made =
            passage_new(e, transfer, i < c->n_hops ? hop->queue : NONE, i < c->n_hops ? hop->cost : port);
        e->paths.passages[made].before = before;
        if (before == NONE)
            first = made;
        else
            e->paths.passages[before].next = made;
        before = made;
    }
    e->paths.passages[first].at.over = over;
    m->passage = first;
    passage_event(e, first, begin, EVENT_BEGIN);
}

/* Instead of all its passages the message goes its way as one that may be lost. */
static void path_leave(struct timed *e, int32_t passage)
{
    const int32_t transfer = e->paths.passages[passage].transfer;
    for (int32_t next; passage != NONE; passage = next) {
        next = e->paths.passages[passage].next;
        e->paths.passages[passage].stage = PASSAGE_ENDED;
        passage_release(e, passage);
    }
    e->transfers[transfer].passage = NONE;
    losses_begin(e, transfer);
}

void path_begin(struct timed *e, int32_t passage)
{
    struct timed_passage *p = &e->paths.passages[passage];
    double until = p->at.over;
    const struct timed_transfer *m = &e->transfers[p->transfer];
    struct timed_channel *c = &e->channels[m->channel];
    if (p->before == NONE && losses_wanted(e, c, m)) {
        path_leave(e, passage);
        return;
    }
    if (until == INFINITY) {
        const struct timed_passage *before = &e->paths.passages[p->before];
        until = passage_foresee(&before->at, queue_of(e, before), e->now);
    }
    const double leaves =
        passage_begin(&p->at, queue_of(e, p), c->source, until, e->now);
    p->stage = PASSAGE_BEGUN;
    p->flows = p->at.rate > 0;
    if (p->flows)
        passage_event(e, passage, p->at.until, EVENT_PAUSE);
    else if (p->at.over < INFINITY)
        passage_event(e, passage, p->at.over, EVENT_OVER);
    if (p->next != NONE)
        passage_event(e, p->next, leaves, EVENT_BEGIN);
}

void path_pause(struct timed *e, int32_t passage)
{
    struct timed_passage *p = &e->paths.passages[passage];
    p->flows = false;
    if (p->stage == PASSAGE_ENDED) {
        passage_release(e, passage);
        return;
    }
    passage_pause(&p->at, queue_of(e, p), e->now);
    if (p->at.over < INFINITY)
        passage_event(e, passage, p->at.over, EVENT_OVER);
}

/* It is known when the last frame comes, now that it has left the resource before. */
static void passage_know(struct timed *e, int32_t passage, double over)
{
    struct timed_passage *p = &e->paths.passages[passage];
    p->at.over = over;
    if (p->stage == PASSAGE_BEGUN && (!p->flows || over < p->at.until))
        passage_event(e, passage, over, EVENT_OVER);
}

/* Acknowledgements come back by all resources that messages the other way would pass. */
static void path_acknowledge(struct timed *e, const struct timed_channel *c)
{
    for (int i = c->n_hops; i < c->n_hops + c->n_back; i++) {
        const struct timed_hop *hop = &e->paths.hops[c->first_hop + i];
        struct queue *queue = &e->paths.queues[hop->queue].at;
        queue_advance(queue, e->now);
        queue_take(queue, e->now - hop->cost.saved, hop->acknowledgements);
    }
}

double path_back(struct timed *e, const struct timed_channel *c, int *hops)
{
    while (*hops < c->n_back) {
        struct timed_hop *hop = &e->paths.hops[c->first_hop + c->n_hops + (*hops)++];
        const double until = queue_foreseen(&e->paths.queues[hop->queue].at, e->now);
        if (until > e->now || hop->acknowledged >= e->now)
            return hop->acknowledged = until > hop->acknowledged ? until : rule_next(hop->acknowledged);
    }
    return e->now;
}

/* All of the message has passed, or will by then. */
static void path_go_further(struct timed *e, int32_t passage, double leaves)
{
    struct timed_passage *p = &e->paths.passages[passage];
    const int32_t transfer = p->transfer, next = p->next;
    p->stage = PASSAGE_ENDED;
    if (next != NONE) {
        passage_know(e, next, leaves);
        passage_release(e, passage);
        return;
    }
    struct timed_transfer *m = &e->transfers[transfer];
    passage_release(e, passage);
    path_acknowledge(e, &e->channels[m->channel]);
    wire_passed(e, transfer, m->time, leaves);
}

void path_over(struct timed *e, int32_t passage)
{
    struct timed_passage *p = &e->paths.passages[passage];
    path_go_further(e, passage, passage_end(&p->at, queue_of(e, p), e->now));
}

/* ---- all of them ---- */

void paths_reset(struct timed_paths *paths)
{
    for (int32_t i = 0; i < paths->n_queues; i++) {
        paths->queues[i].at = QUEUE_IDLE;
        paths->queues[i].last_passed = NONE;
    }
    for (int32_t i = 0; i < paths->n_hops; i++)
        paths->hops[i].acknowledged = -INFINITY;
    paths->n_passages = 0;
    paths->free_passage = NONE;
}

void paths_free(struct timed_paths *paths)
{
    free(paths->queues);
    free(paths->hops);
    free(paths->passages);
}
