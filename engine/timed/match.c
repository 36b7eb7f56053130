/* Messages and receives find each other (MPI 4.0, section 3.5: order and matching). */
#include "engine/timed/match.h"

#include "engine/timed/process/call.h"
#include "engine/timed/process/post.h"
#include "engine/timed/process/remote.h"
#include "engine/timed/timed.h"
#include "engine/timed/way/leave.h"
#include "engine/timed/way/path.h"
#include "engine/timed/way/socket.h"
#include "engine/timed/way/wire.h"

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
    void *pool = alloc_lanes((size_t)*capacity, size);
    if (n)
        memcpy(pool, old, n * size);
    free(old);
    return pool;
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
    c->stream = NONE;
    c->join = c->connects ? JOIN_NOTHING : JOIN_MADE;
    c->first_announced = NONE;
    c->window = CONNECTION_FIRST_WINDOW;
    c->round_trip = CONNECTION_FIRST_ROUND_TRIP;
    c->n_over = 0;
    c->following = c->first_behind = c->last_behind = NONE;
    c->leaves = c->passes = c->next = c->levelled = c->wire = c->last_frame = c->delivered = c->met = -INFINITY;
    c->way = c->held = 0;
    c->held_since = c->held_until = -INFINITY;
    c->noted = -INFINITY;
    c->frame_is_due = false;
    c->kept = 0;
    c->n_long = 0;
    c->n_departed = c->n_arrived = 0;
    c->first_permission = NONE;
    c->socket = SOCKET_NEW;
    c->given = 0;
    c->first_writing = c->last_writing = NONE;
    c->taken_is_due = c->full = c->stalled = false;
    c->room = c->fits = 0;
    c->acknowledging = ACKNOWLEDGING_NONE;
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
        .has_handshakes = uses_ports && e->model->ports_in_frames,
        .has_answers = e->model->ports_in_frames && transport != TRANSPORT_self,
        .has_level = e->model->level_max > 1 && !e->levels && transport != TRANSPORT_self,
        .has_haste = uses_ports && e->model->rest_delay,
        .connects = uses_ports && e->connect,
        .has_socket = uses_ports && e->model->send_buffer,
        .has_stream = uses_ports && e->model->streams,
        .source = uses_ports ? (int32_t)(port - e->ports) : -2 - e->n_channels,
        .handshake = NAN,
        .pair_class = timed_pair_class(e, from, to),
        .transport = (uint8_t)transport,
        .on_board = &e->on_board[engine_board(transport, e->processes[from].node)],
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

/* The commonest cases: a message that is just sent, or just there, the first of its channel, goes to the receive that
 * has waited longest, where no other can have it. */

static bool sent_to_first_posted(struct timed *e, struct timed_channel *c, struct timed_transfer *m, int32_t transfer)
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
    if (sent_to_first_posted(e, c, m, transfer))
        return;
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

/* ---- rendezvous ---- */

static bool sent_before(const struct timed *e, const struct timed_transfer *a, const struct timed_transfer *b)
{
    int32_t from_a = e->channels[a->channel].from, from_b = e->channels[b->channel].from;
    return from_a != from_b ? from_a < from_b : a->number < b->number;
}

/* By source and in the order of sending, whatever the order in which they were matched: so the ports serve those that
 * start at the same moment. */
static void meeting_add(struct timed *e, int32_t transfer, int end, int32_t process)
{
    struct timed_transfer *m = &e->transfers[transfer];
    int32_t *at = &e->processes[process].first_meeting;
    while (*at != NONE && sent_before(e, &e->transfers[*at], m))
        at = &e->transfers[*at].next_meeting[e->channels[e->transfers[*at].channel].from != process];
    m->next_meeting[end] = *at;
    *at = transfer;
}

static void meeting_remove(struct timed *e, int32_t transfer, int32_t process)
{
    int32_t *at = &e->processes[process].first_meeting;
    while (*at != transfer)
        at = &e->transfers[*at].next_meeting[e->channels[e->transfers[*at].channel].from != process];
    *at = e->transfers[transfer].next_meeting[e->channels[e->transfers[transfer].channel].from != process];
}

/* Both ends are in MPI now: in a call, or posting just this. */
static bool both_in_mpi(const struct timed *e, const struct timed_transfer *m)
{
    const struct timed_channel *c = &e->channels[m->channel];
    return (m->call == e->now || process_in_mpi(e, c->from)) &&
           (e->operations[m->receive].posted == e->now || process_in_mpi(e, c->to));
}

/* A wait that is over in this moment does not count: the process has left it. */
static bool receiver_posts_now(const struct timed *e, const struct timed_transfer *m)
{
    const struct timed_process *p = &e->processes[e->channels[m->channel].to];
    return e->operations[m->receive].posted == e->now && p->until <= e->now;
}

/* The receiver answers an announcement while it is in a call that waits or tests; in one that posts a receive only
 * where it came while the process was in one of the others, which then has seen it. */
static bool receiver_answers(struct timed *e, struct timed_transfer *m)
{
    const struct timed_process *p = &e->processes[e->channels[m->channel].to];
    if (!receiver_posts_now(e, m))
        return process_in_mpi(e, e->channels[m->channel].to);
    wire_announcement_come(e, m);
    return p->call <= e->now && process_has_read_until(p) >= m->there_at;
}

/* Who has ended has all that is buffered sent. */
static bool sender_goes_on(const struct timed *e, const struct timed_transfer *m)
{
    const struct timed_process *p = &e->processes[e->channels[m->channel].from];
    return m->buffered && p->state == TIMED_ENDED ? p->clock <= e->now : process_in_mpi(e, e->channels[m->channel].from);
}

static bool may_go_on(struct timed *e, struct timed_transfer *m)
{
    const struct timed_channel *c = &e->channels[m->channel];
    if (e->model->progress == PROGRESS_ASYNC || c->transport == TRANSPORT_self)
        return true; /* who has posted both to itself is in MPI as it posts the second */
    if (!c->has_handshakes)
        return both_in_mpi(e, m) || (m->seen && process_in_mpi(e, c->from));
    return m->permitted > 0 ? sender_goes_on(e, m) : receiver_answers(e, m);
}

void meeting_wait(struct timed *e, int32_t transfer)
{
    struct timed_transfer *m = &e->transfers[transfer];
    const struct timed_channel *c = &e->channels[m->channel];
    if (m->meets)
        return;
    meeting_add(e, transfer, 0, c->from);
    if (c->to != c->from)
        meeting_add(e, transfer, 1, c->to);
    m->meets = true;
}

void meeting_end(struct timed *e, int32_t transfer)
{
    struct timed_transfer *m = &e->transfers[transfer];
    const struct timed_channel *c = &e->channels[m->channel];
    if (!m->meets)
        return;
    meeting_remove(e, transfer, c->from);
    if (c->to != c->from)
        meeting_remove(e, transfer, c->to);
    m->meets = false;
}

void rendezvous_see(struct timed *e, int32_t process)
{
    for (int32_t i = e->processes[process].first_meeting; i != NONE;) {
        struct timed_transfer *m = &e->transfers[i];
        bool receives = e->channels[m->channel].from != process;
        m->seen |= receives;
        i = m->next_meeting[receives];
    }
}

void rendezvous_ended(struct timed *e, int32_t process)
{
    for (int32_t i = e->processes[process].first_meeting, next; i != NONE; i = next) {
        const struct timed_transfer *m = &e->transfers[i];
        const bool receives = e->channels[m->channel].from != process;
        next = m->next_meeting[receives];
        if (receives || !m->buffered || !(m->permitted > 0))
            continue;
        meeting_end(e, i);
        event_add(e, rule_latest(e->now, e->processes[process].clock), EVENT_DEPART, process, i);
    }
}

void rendezvous_try(struct timed *e, int32_t transfer)
{
    struct timed_transfer *m = &e->transfers[transfer];
    if (m->acknowledges != NONE) {
        send_acknowledge(e, m->acknowledges);
        return;
    }
    if (m->receive != NONE && e->operations[m->receive].serving == SERVING_DUE) {
        remote_serve(e, m->receive);
        return;
    }
    if (!may_go_on(e, m)) {
        meeting_wait(e, transfer);
        return;
    }
    meeting_end(e, transfer);
    const struct timed_channel *c = &e->channels[m->channel];
    if (m->permitted > 0) {
        rendezvous_depart(e, transfer);
        return;
    }
    if (c->has_handshakes && receiver_posts_now(e, m))
        e->processes[c->to].answered = e->now + wire_answer_time(e, c);
    wire_meet(e, transfer);
}

void rendezvous_permit(struct timed *e, int32_t transfer)
{
    if (may_go_on(e, &e->transfers[transfer]))
        wire_permit(e, transfer);
    else
        meeting_wait(e, transfer);
}

void rendezvous_depart(struct timed *e, int32_t transfer)
{
    struct timed_transfer *m = &e->transfers[transfer];
    const struct timed_process *p = &e->processes[e->channels[m->channel].from];
    if (!may_go_on(e, m) && p->state == TIMED_ENDED) {
        event_add(e, p->clock, EVENT_DEPART, e->channels[m->channel].from, transfer);
        return;
    }
    if (!may_go_on(e, m)) {
        meeting_wait(e, transfer);
        return;
    }
    m->time = m->buffered ? wire_rest_departs(e, m) : m->time + e->now - m->permitted;
    rendezvous_start(e, transfer, m->time);
}

/* How much of it its host holds only `send_buffer` tells. */
static void send_note(struct timed *e, const struct timed_transfer *m)
{
    static const struct measured_range nothing = {0, 0, 0};
    if (e->model->send_buffer || m->price->told || !e->channels[m->channel].has_handshakes)
        return;
    m->price->told = true;
    beyond_add(e->setup->beyond, BEYOND_send, "", &nothing, (double)m->bytes);
}

/* Its send, which is over as soon as the host has taken the data; NONE: nobody waits for it. */
static int32_t send_begin(struct timed *e, int32_t transfer, double time)
{
    struct timed_transfer *m = &e->transfers[transfer];
    struct timed_operation *send = &e->operations[m->send];
    if (m->buffered) {
        timed_operation_release(e, m->send);
        m->send = NONE;
        e->processes[e->channels[m->channel].from].n_buffered--;
        return NONE;
    }
    send_note(e, m);
    e->channels[m->channel].met = send->started = time;
    send->completion = rule_latest(e->now, time + send_overhead(e, m, e->channels[m->channel].from));
    return m->send;
}

void rendezvous_start(struct timed *e, int32_t transfer, double time)
{
    const int32_t channel = e->transfers[transfer].channel, send = send_begin(e, transfer, time);
    wire_depart(e, &e->channels[channel], &e->transfers[transfer], time);
    if (send != NONE)
        socket_await(e, channel, send);
}

/* ---- synchronous sends that do not wait ---- */

static bool receiver_sees(const struct timed *e, const struct timed_transfer *m)
{
    return e->model->progress == PROGRESS_ASYNC || e->operations[m->receive].posted == e->now ||
           process_in_mpi(e, e->channels[m->channel].to);
}

/* Without a transfer the receive is complete, so its process was in MPI. */
void send_acknowledge(struct timed *e, int32_t send)
{
    struct timed_operation *o = &e->operations[send];
    if (o->transfer != NONE && !receiver_sees(e, &e->transfers[o->transfer])) {
        meeting_wait(e, o->transfer);
        return;
    }
    if (o->transfer != NONE) {
        meeting_end(e, o->transfer);
        e->transfers[o->transfer].acknowledges = NONE;
    }
    o->started = e->now;
    o->completion = wire_answer(e, o->channel);
    operation_ready(e, send);
}

void acknowledgement_released(struct timed *e, int32_t transfer)
{
    struct timed_transfer *m = &e->transfers[transfer];
    int32_t send = m->acknowledges;
    bool waited = m->meets;
    meeting_end(e, transfer);
    m->acknowledges = NONE;
    e->operations[send].transfer = NONE;
    if (waited)
        send_acknowledge(e, send);
}
