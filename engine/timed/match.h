/* match.h - messages and receives find each other; channels, and the pools of both. */
#ifndef PEVPM_ENGINE_TIMED_MATCH_H
#define PEVPM_ENGINE_TIMED_MATCH_H

#include "engine/timed/state.h"

/* A message with that context (operand_context) satisfies a receive of `wanted`, whose tag counts unless any_tag. Tags
 * of collectives are negative and no wildcard takes them. */
static inline bool context_fits(int64_t context, int64_t wanted, bool any_tag)
{
    return any_tag ? context >> 32 == wanted >> 32 && (context & 0x80000000) == 0 : context == wanted;
}

static inline uint64_t channel_pair(int32_t from, int32_t to)
{
    return (uint64_t)(uint32_t)from << 32 | (uint32_t)to;
}

/* Fibonacci hashing: the upper bits of the product depend on both processes. */
static inline size_t channel_hash(const struct timed *e, uint64_t pair)
{
    return (size_t)(pair * 0x9e3779b97f4a7c15u >> e->channel_shift);
}

/* The way between two processes, and what it costs. */
static inline enum transport timed_transport(const struct timed *e, int32_t from, int32_t to)
{
    return transport_between(engine_seat(e->program, from), engine_seat(e->program, to));
}

static inline uint32_t timed_pair_class(const struct timed *e, int32_t from, int32_t to)
{
    return e->model->pair_class(e->model, timed_transport(e, from, to), e->processes[from].node,
                                e->processes[to].node);
}

/* Places for n channels, a power of two; those that there are have theirs. */
void channel_table_make(struct timed *e, size_t n);

/* The channel of a pair; made when it is not there yet. reset: as at the start of a run. */
__attribute__((cold)) int32_t channel_new(struct timed *e, int32_t from, int32_t to);
void channel_reset(struct timed_channel *c);

/* NONE: there is none. */
static inline int32_t channel_there(const struct timed *e, int32_t from, int32_t to)
{
    const uint64_t pair = channel_pair(from, to);
    for (size_t i = channel_hash(e, pair);; i = (i + 1) & e->channel_mask) {
        const struct channel_place *place = &e->channel_table[i];
        if (place->pair == pair || place->channel == NONE)
            return place->channel;
    }
}

static inline int32_t channel_find(struct timed *e, int32_t from, int32_t to)
{
    const int32_t c = channel_there(e, from, to);
    return c != NONE ? c : channel_new(e, from, to);
}

/* Twice the room; pointers into the pool end here. */
__attribute__((cold)) void timed_transfers_grow(struct timed *e);
__attribute__((cold)) void timed_operations_grow(struct timed *e);
/* Those of channels, transfers and operations. */
void timed_pools_free(struct timed *e);

/* One from the pool, as it was left. */
static inline int32_t timed_transfer_take(struct timed *e)
{
    int32_t t = e->free_transfer;
    if (t != NONE) {
        e->free_transfer = e->transfers[t].next_unmatched;
        return t;
    }
    if (e->n_transfers == e->transfers_capacity)
        timed_transfers_grow(e);
    return e->n_transfers++;
}

/* An event may still refer to it: then that event releases it. */
static inline void timed_transfer_release(struct timed *e, int32_t transfer)
{
    struct timed_transfer *m = &e->transfers[transfer];
    m->done = true;
    if (m->queued)
        return;
    m->next_unmatched = e->free_transfer;
    e->free_transfer = transfer;
}

static inline int32_t timed_operation_take(struct timed *e)
{
    int32_t o = e->free_operation;
    if (o != NONE) {
        e->free_operation = e->operations[o].next_open;
        return o;
    }
    if (e->n_operations == e->operations_capacity)
        timed_operations_grow(e);
    return e->n_operations++;
}

static inline void timed_operation_release(struct timed *e, int32_t operation)
{
    e->operations[operation].next_open = e->free_operation;
    e->free_operation = operation;
}

/* The commonest case: a message that is just sent, the first of its channel, goes to the receive that has waited longest, where no
 * other can have it. False: match_new is to find one. */
static inline bool match_first_posted(struct timed *e, struct timed_channel *c, struct timed_transfer *m, int32_t transfer)
{
    if (c->first_posted == NONE || c->first_unmatched != NONE || m->send != NONE ||
        e->processes[c->to].first_any != NONE)
        return false;
    struct timed_operation *o = &e->operations[c->first_posted];
    if (!context_fits(m->context, o->context, o->any_tag) || m->bytes > o->bytes)
        return false;
    m->receive = c->first_posted;
    o->transfer = transfer;
    c->first_posted = o->next_posted;
    if (c->first_posted == NONE)
        c->last_posted = NONE;
    return true;
}

/* A transfer finds a receive that must be its own: when it is sent, and again when it is there. */
void match_new(struct timed *e, int32_t transfer);
void match_transfer(struct timed *e, int32_t transfer);

/* The message that a receive just posted takes; NONE. Counts what an operation's `candidates` are. */
int32_t match_look(struct timed *e, int32_t operation);

/* p: the receive's process. */
static inline int32_t match_find(struct timed *e, const struct timed_process *p, int32_t operation)
{
    const struct timed_operation *o = &e->operations[operation];
    if (o->from == OPERAND_ANY_PEER)
        return p->first_there == NONE ? NONE : match_look(e, operation);
    const int32_t first = e->channels[o->channel].first_unmatched;
    if (first == NONE || (p->first_any == NONE && context_fits(e->transfers[first].context, o->context, o->any_tag)))
        return first;
    return match_look(e, operation);
}

/* It is queued for its message; it takes this one. */
void match_receive_with(struct timed *e, int32_t operation, int32_t transfer);

static inline void match_queue(struct timed *e, int32_t operation)
{
    struct timed_operation *o = &e->operations[operation];
    bool any = o->from == OPERAND_ANY_PEER;
    int32_t *first = any ? &e->processes[o->process].first_any : &e->channels[o->channel].first_posted;
    int32_t *last = any ? &e->processes[o->process].last_any : &e->channels[o->channel].last_posted;
    o->next_posted = NONE;
    if (*last == NONE)
        *first = operation;
    else
        e->operations[*last].next_posted = operation;
    *last = operation;
}

/* A receive just posted finds its message, or is queued. */
static inline void match_receive(struct timed *e, int32_t operation)
{
    int32_t transfer = match_find(e, &e->processes[e->operations[operation].process], operation);
    if (transfer == NONE)
        match_queue(e, operation);
    else
        match_receive_with(e, operation, transfer);
}

/* A message there is taken out for a receive of its own (MPI_Mprobe): none but match_taken finds it. */
void match_take(struct timed *e, int32_t transfer);
void match_taken(struct timed *e, int32_t operation, int32_t transfer);

/* A receive that is queued no longer is. */
void match_withdraw(struct timed *e, int32_t operation);

/* The first message there that a probe would see; NONE. Counts all of different sources in *candidates. */
int32_t match_probe(const struct timed *e, int32_t process, int32_t from, int64_t context, bool any_tag,
                    int32_t *candidates);

#endif
