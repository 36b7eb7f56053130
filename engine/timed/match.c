/* Messages and receives find each other (MPI 4.0, section 3.5: order and matching). */
#include "engine/timed/match.h"

#include "engine/timed/process/call.h"
#include "engine/timed/process/look.h"
#include "engine/timed/process/post.h"
#include "engine/timed/rendezvous.h"
#include "engine/timed/timed.h"
#include "engine/timed/way/path.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- pools ---- */

/* Twice the room for objects that begin with a cache line. */
static void *pool_grow(void *old, int32_t *capacity, size_t size)
{
    const size_t n = (size_t)*capacity;
    *capacity = n ? 2 * *capacity : 256;
    return alloc_space_grow(old, n * size, (size_t)*capacity * size);
}

void timed_pools_free(struct timed *e)
{
    alloc_space_free(e->channels, (size_t)e->channels_capacity * sizeof *e->channels);
    alloc_space_free(e->transfers, (size_t)e->transfers_capacity * sizeof *e->transfers);
    alloc_space_free(e->operations, (size_t)e->operations_capacity * sizeof *e->operations);
}

void timed_transfers_grow(struct timed *e)
{
    e->transfers = pool_grow(e->transfers, &e->transfers_capacity, sizeof *e->transfers);
}

void timed_operations_grow(struct timed *e)
{
    e->operations = pool_grow(e->operations, &e->operations_capacity, sizeof *e->operations);
}

/* ---- channels ---- */

static void channel_place(struct timed *e, int32_t channel)
{
    const uint64_t pair = channel_pair(e->channels[channel].from, e->channels[channel].to);
    size_t i = channel_hash(e, pair);
    while (e->channel_table[i].channel != NONE)
        i = (i + 1) & e->channel_mask;
    e->channel_table[i] = (struct channel_place){pair, channel};
}

void channel_table_make(struct timed *e, size_t n)
{
    e->channel_table = alloc_resize(e->channel_table, n, sizeof *e->channel_table);
    e->channel_mask = n - 1;
    e->channel_shift = __builtin_clzll(e->channel_mask);
    memset(e->channel_table, 0xff, n * sizeof *e->channel_table);
    for (int32_t c = 0; c < e->n_channels; c++)
        channel_place(e, c);
}

void channel_reset(struct timed_channel *c)
{
    c->first_unmatched = c->last_unmatched = NONE;
    c->first_posted = c->last_posted = NONE;
    c->first_on_wire = c->last_on_wire = NONE;
    c->connection = NONE;
    c->stream = NULL;
    c->join = c->connects ? JOIN_NOTHING : JOIN_MADE;
    c->first_announced = NONE;
    c->window = CONNECTION_FIRST_WINDOW;
    c->round_trip = CONNECTION_FIRST_ROUND_TRIP;
    c->first_behind = c->last_behind = NONE;
    c->leaves = c->levelled = c->wire = c->last_come = c->delivered = c->met = -INFINITY;
    c->held = 0;
    c->held_since = c->held_until = -INFINITY;
    c->n_departed = c->n_arrived = 0;
    c->first_permission = NONE;
    c->socket = SOCKET_NEW;
    c->given = 0;
    c->first_writing = c->last_writing = NONE;
    c->turns = 0;
    c->taken_is_due = c->full = c->stalled = c->rested = c->was_long = false;
    c->room = c->fits = 0;
}

/* Whether the receiver has answered the sender before (acknowledging.h). Where two connect, both tell each other who they
 * are, and so have. Of those that are connected as a program begins only who connected has: the other hears of it, and says
 * nothing for long. Each connects to the half of the others behind it (Open MPI: ompi_init_preconnect_mpi). And process 0
 * has just answered all others, which have not answered it, as pevpm-run synchronises clocks (packets). */
static bool has_answered(const struct timed *e, int32_t from, int32_t to)
{
    const int32_t n = e->program->numprocs;
    return e->setup->unconnected || (from != 0 && (to == 0 || 2 * ((from - to + n) % n) < n));
}

static uint8_t rails_between(const struct timed *e, int32_t from, int32_t to)
{
    if (e->most_rails == 1)
        return 1;
    const struct cost_model *model = e->model;
    const int sender = model->node_ports(model, e->processes[from].node).rails;
    const int receiver = model->node_ports(model, e->processes[to].node).rails;
    return (uint8_t)(sender < receiver ? sender : receiver);
}

static int32_t channel_add(struct timed *e, int32_t from, int32_t to)
{
    if (e->n_channels == e->channels_capacity)
        e->channels = pool_grow(e->channels, &e->channels_capacity, sizeof *e->channels);
    const enum transport transport = timed_transport(e, from, to);
    const bool uses_ports = e->ports && transport == TRANSPORT_network;
    struct timed_port *port = e->processes[from].port;
    e->channels[e->n_channels] = (struct timed_channel){
        .from = from,
        .to = to,
        .from_port = port,
        .to_port = e->processes[to].port,
        .uses_ports = uses_ports,
        .in_time = uses_ports && e->model->in_time_by,
        .has_losses = e->model->overflow,
        .asks_rest = e->model->known != e->model->known_after_rest,
        .has_handshakes = e->model->in_time_by && transport != TRANSPORT_self,
        .rails = uses_ports ? rails_between(e, from, to) : 1,
        .gets = e->model->rendezvous[transport] == RENDEZVOUS_get,
        .has_answers = e->model->in_time_by && transport != TRANSPORT_self,
        .has_level = e->model->level_max > 1 && !e->levels && transport != TRANSPORT_self,
        .has_haste = uses_ports && e->model->rest_delay,
        .connects = uses_ports && e->connect,
        .has_answered = has_answered(e, from, to),
        .has_socket = uses_ports && e->model->send_buffer,
        .has_stream = uses_ports && e->model->streams,
        .source = uses_ports ? (int32_t)(port - e->ports) : -2 - e->n_channels,
        .handshake = NAN,
        .pair_class = timed_pair_class(e, from, to),
        .transport = (uint8_t)transport,
        .on_board = &e->on_board[engine_board(e->setup, transport, engine_seat(e->program, from))],
        .eager_limit = e->model->eager_limit[transport],
    };
    channel_reset(&e->channels[e->n_channels]);
    path_find(e, &e->channels[e->n_channels]);
    return e->n_channels++;
}

int32_t channel_new(struct timed *e, int32_t from, int32_t to)
{
    if (2 * (size_t)e->n_channels > e->channel_mask)
        channel_table_make(e, 2 * (e->channel_mask + 1));
    const int32_t channel = channel_add(e, from, to), back = channel_there(e, to, from);
    channel_place(e, channel);
    e->channels[channel].back = back;
    if (back != NONE)
        e->channels[back].back = channel;
    return channel;
}

/* ---- lists ---- */

void match_withdraw(struct timed *e, int32_t operation)
{
    const struct timed_operation *o = &e->operations[operation];
    int32_t *first, *last;
    if (o->from == OPERAND_ANY_PEER) {
        first = &e->processes[o->process].first_any;
        last = &e->processes[o->process].last_any;
    } else {
        first = &e->channels[o->channel].first_posted;
        last = &e->channels[o->channel].last_posted;
    }
    int32_t before = NONE;
    for (int32_t i = *first; i != operation; i = e->operations[i].next_posted)
        before = i;
    if (before == NONE)
        *first = o->next_posted;
    else
        e->operations[before].next_posted = o->next_posted;
    if (*last == operation)
        *last = before;
}

static void unmatched_remove(struct timed *e, int32_t transfer)
{
    const struct timed_transfer *m = &e->transfers[transfer];
    struct timed_channel *c = &e->channels[m->channel];
    int32_t before = NONE;
    for (int32_t i = c->first_unmatched; i != transfer; i = e->transfers[i].next_unmatched)
        before = i;
    if (before == NONE)
        c->first_unmatched = m->next_unmatched;
    else
        e->transfers[before].next_unmatched = m->next_unmatched;
    if (c->last_unmatched == transfer)
        c->last_unmatched = before;
    if (!m->there)
        return;
    struct timed_process *p = &e->processes[c->to];
    before = NONE;
    for (int32_t i = p->first_there; i != transfer; i = e->transfers[i].next_there)
        before = i;
    if (before == NONE)
        p->first_there = m->next_there;
    else
        e->transfers[before].next_there = m->next_there;
    if (p->last_there == transfer)
        p->last_there = before;
}

static void there_add(struct timed *e, int32_t transfer)
{
    struct timed_transfer *m = &e->transfers[transfer];
    struct timed_process *p = &e->processes[e->channels[m->channel].to];
    m->there = true;
    m->next_there = NONE;
    if (p->last_there == NONE)
        p->first_there = transfer;
    else
        e->transfers[p->last_there].next_there = transfer;
    p->last_there = transfer;
}

/* ---- matching ---- */

static void match(struct timed *e, int32_t transfer, int32_t operation)
{
    struct timed_transfer *m = &e->transfers[transfer];
    struct timed_operation *o = &e->operations[operation];
    m->receive = operation;
    o->transfer = transfer;
    struct problem problem;
    if (!operand_fits(m->bytes, e->channels[m->channel].from, o->bytes, o->site, &problem)) {
        timed_fail(e, o->process, &problem);
        return;
    }
    if (m->send != NONE)
        rendezvous_try(e, transfer);
    else if (m->known)
        receive_ready(e, operation);
}

/* No earlier unmatched message of its channel fits the receive: messages of a pair do not overtake. */
static bool is_first_for(const struct timed *e, int32_t transfer, const struct timed_operation *o)
{
    const struct timed_channel *c = &e->channels[e->transfers[transfer].channel];
    int32_t i = c->first_unmatched;
    while (i != transfer && !context_fits(e->transfers[i].context, o->context, o->any_tag))
        i = e->transfers[i].next_unmatched;
    return i == transfer;
}

static int32_t posted_fit(const struct timed *e, int32_t first, int32_t transfer)
{
    for (int32_t i = first; i != NONE; i = e->operations[i].next_posted) {
        const struct timed_operation *o = &e->operations[i];
        if (context_fits(e->transfers[transfer].context, o->context, o->any_tag) && is_first_for(e, transfer, o))
            return i;
    }
    return NONE;
}

/* A receive posted before, from any source, may take the message when it is there: or another, if that is there
 * first. */
static bool any_may_take(const struct timed *e, int32_t transfer, const struct timed_operation *named)
{
    const struct timed_transfer *m = &e->transfers[transfer];
    for (int32_t i = e->processes[named->process].first_any; i != NONE; i = e->operations[i].next_posted) {
        const struct timed_operation *o = &e->operations[i];
        if (o->number < named->number && context_fits(m->context, o->context, o->any_tag))
            return true;
    }
    return false;
}

/* Receives that wait for any source take what is there; one that names the source and was posted before them takes its
 * message at once, since nothing can come between. */
static int32_t receive_for(const struct timed *e, int32_t transfer)
{
    const struct timed_transfer *m = &e->transfers[transfer];
    const struct timed_channel *c = &e->channels[m->channel];
    int32_t first_any = e->processes[c->to].first_any;
    if (c->first_posted == NONE && (first_any == NONE || !m->there))
        return NONE;
    int32_t named = posted_fit(e, c->first_posted, transfer);
    int32_t any = posted_fit(e, first_any, transfer);
    if (any == NONE || (named != NONE && e->operations[named].number < e->operations[any].number))
        return named == NONE || m->there || !any_may_take(e, transfer, &e->operations[named]) ? named : NONE;
    return m->there ? any : NONE;
}

/* The messages behind one that was taken may now be first. */
static void match_behind(struct timed *e, int32_t channel)
{
    for (int32_t i = e->channels[channel].first_unmatched; i != NONE && e->status == STATUS_OK;) {
        int32_t next = e->transfers[i].next_unmatched;
        int32_t o = e->transfers[i].there ? receive_for(e, i) : NONE;
        if (o != NONE) {
            match_withdraw(e, o);
            unmatched_remove(e, i);
            match(e, i, o);
        } else if (e->transfers[i].there) {
            arrival_noticed(e, i);
        }
        i = next;
    }
}

/* The commonest case: a message that is just there, the first of its channel, goes to the receive from any source that has waited
 * longest, where no other can have it. */
static bool there_for_first_any(struct timed *e, struct timed_channel *c, struct timed_transfer *m, int32_t transfer)
{
    struct timed_process *p = &e->processes[c->to];
    if (p->first_any == NONE || c->first_posted != NONE || c->first_unmatched != transfer || !m->known || m->there)
        return false;
    struct timed_operation *o = &e->operations[p->first_any];
    if (!context_fits(m->context, o->context, o->any_tag) || m->bytes > o->bytes)
        return false;
    m->there = true;
    m->receive = p->first_any;
    o->transfer = transfer;
    p->first_any = o->next_posted;
    if (p->first_any == NONE)
        p->last_any = NONE;
    c->first_unmatched = m->next_unmatched;
    if (c->first_unmatched == NONE)
        c->last_unmatched = NONE;
    return true;
}

void match_transfer(struct timed *e, int32_t transfer)
{
    struct timed_transfer *m = &e->transfers[transfer];
    int32_t channel = m->channel;
    if (there_for_first_any(e, &e->channels[channel], m, transfer)) {
        receive_ready(e, m->receive);
        if (e->channels[channel].first_unmatched != NONE)
            match_behind(e, channel);
        return;
    }
    if ((m->known || (m->send != NONE && !(m->there_at > e->now && m->buffered))) && !m->there)
        there_add(e, transfer);
    int32_t o = receive_for(e, transfer);
    if (o == NONE) {
        if (m->there)
            arrival_noticed(e, transfer);
        return;
    }
    bool behind = e->channels[channel].first_unmatched != e->channels[channel].last_unmatched;
    match_withdraw(e, o);
    unmatched_remove(e, transfer);
    match(e, transfer, o);
    if (behind && e->status == STATUS_OK)
        match_behind(e, channel);
}

void match_new(struct timed *e, int32_t transfer)
{
    struct timed_transfer *m = &e->transfers[transfer];
    struct timed_channel *c = &e->channels[m->channel];
    m->next_unmatched = NONE;
    if (c->last_unmatched == NONE)
        c->first_unmatched = transfer;
    else
        e->transfers[c->last_unmatched].next_unmatched = transfer;
    c->last_unmatched = transfer;
    bool announced = m->send != NONE; /* else only a receive that names its source can take it before it is there */
    if (announced)
        receive_recall(e, c->to);
    if (announced || c->first_posted != NONE)
        match_transfer(e, transfer);
}

/* Counts messages there that fit, one for each source, up to CANDIDATES_MOST: whoever asks wants to know whether there
 * was a choice, and a master may have thousands waiting. */
enum { CANDIDATES_MOST = 100 };

static int32_t candidates_count(const struct timed *e, int32_t process, int64_t context, bool any_tag)
{
    int32_t n = 0;
    for (int32_t i = e->processes[process].first_there; i != NONE && n < CANDIDATES_MOST;
         i = e->transfers[i].next_there) {
        const struct timed_channel *c = &e->channels[e->transfers[i].channel];
        int32_t first = c->first_unmatched;
        while (first != NONE && !context_fits(e->transfers[first].context, context, any_tag))
            first = e->transfers[first].next_unmatched;
        n += first == i;
    }
    return n;
}

int32_t match_probe(const struct timed *e, int32_t process, int32_t from, int64_t context, bool any_tag,
                    int32_t *candidates)
{
    struct timed_operation wanted = {.context = context, .any_tag = any_tag};
    if (candidates)
        *candidates = candidates_count(e, process, context, any_tag);
    for (int32_t i = e->processes[process].first_there; i != NONE; i = e->transfers[i].next_there) {
        const struct timed_transfer *m = &e->transfers[i];
        if ((from == OPERAND_ANY_PEER || e->channels[m->channel].from == from) &&
            context_fits(m->context, context, any_tag) && is_first_for(e, i, &wanted))
            return i;
    }
    return NONE;
}

int32_t match_look(struct timed *e, int32_t operation)
{
    struct timed_operation *o = &e->operations[operation];
    if (o->from == OPERAND_ANY_PEER)
        return match_probe(e, o->process, OPERAND_ANY_PEER, o->context, o->any_tag, e->ledger ? &o->candidates : NULL);
    int32_t transfer = e->channels[o->channel].first_unmatched;
    while (transfer != NONE && !context_fits(e->transfers[transfer].context, o->context, o->any_tag))
        transfer = e->transfers[transfer].next_unmatched;
    bool waits = transfer != NONE && !e->transfers[transfer].there && any_may_take(e, transfer, o);
    return waits ? NONE : transfer;
}

void match_receive_with(struct timed *e, int32_t operation, int32_t transfer)
{
    unmatched_remove(e, transfer);
    match(e, transfer, operation);
}

/* What is behind it in its channel cannot be received by it: a receive that fits would have had it. */
void match_take(struct timed *e, int32_t transfer)
{
    unmatched_remove(e, transfer);
}

void match_taken(struct timed *e, int32_t operation, int32_t transfer)
{
    match(e, transfer, operation);
}
