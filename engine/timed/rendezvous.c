#include "engine/timed/rendezvous.h"

#include "engine/timed/match.h"
#include "engine/timed/process/call.h"
#include "engine/timed/process/polling.h"
#include "engine/timed/process/post.h"
#include "engine/timed/process/remote.h"
#include "engine/timed/timed.h"
#include "engine/timed/way/handshake.h"
#include "engine/timed/way/leave.h"
#include "engine/timed/way/socket.h"
#include "engine/timed/way/wire.h"

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

/* The receiver gets the data in a call that waits or tests. In one that posts the receive it would be busy with them, so
 * that it is as late as if it did so in its wait. */
static bool receiver_gets(const struct timed *e, const struct timed_transfer *m)
{
    return process_in_mpi(e, e->channels[m->channel].to) && (m->seen || !receiver_posts_now(e, m));
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
    polling_rouse(e, c->from);
    polling_rouse(e, c->to);
    if (transfer_is_got(c, m))
        return receiver_gets(e, m);
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
        if (receives && m->read)
            send_acknowledge(e, m->acknowledges);
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

/* Only `rendezvous` tells whether a receiver within a node needs its sender. */
static void permit_note(struct timed *e, const struct timed_transfer *m)
{
    static const struct measured_range nothing = {0, 0, 0};
    const enum transport transport = (enum transport)e->channels[m->channel].transport;
    bool told;
    machine_rendezvous(e->setup->machine, transport, &told);
    if (transport_is_local(transport) && !told && !m->buffered)
        beyond_add(e->setup->beyond, BEYOND_permit, "", &nothing, (double)m->bytes);
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
        permit_note(e, m);
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
    if (e->model->send_buffer || m->price->told || !e->channels[m->channel].in_time)
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
    send->completion = rule_latest(e->now, time + send_overhead(e, &e->channels[m->channel], m));
    send->at_once = e->channels[m->channel].transport == TRANSPORT_self;
    return m->send;
}

void rendezvous_start(struct timed *e, int32_t transfer, double time)
{
    const int32_t channel = e->transfers[transfer].channel, send = send_begin(e, transfer, time);
    wire_depart(e, &e->channels[channel], &e->transfers[transfer], time);
    if (send != NONE)
        socket_await(e, channel, send);
}

/* ---- synchronous sends that do not wait, and eager ones that are read ---- */

static bool receiver_sees(struct timed *e, const struct timed_transfer *m)
{
    const int32_t to = e->channels[m->channel].to;
    polling_rouse(e, to);
    const bool is_there = m->read ? e->processes[to].state == TIMED_ENDED : e->operations[m->receive].posted == e->now;
    return e->model->progress == PROGRESS_ASYNC || is_there || process_in_mpi(e, to);
}

/* The receiver has read what was sent: at once, as where the send was measured, or later, which then takes it the overhead. m: NULL where
 * the receive is over. Ended, it does so as it ends. */
static void send_read(struct timed *e, struct timed_operation *send, const struct timed_transfer *m)
{
    const struct timed_process *p = &e->processes[e->channels[send->channel].to];
    const bool ended = p->state == TIMED_ENDED, late = m && !ended && m->time < e->now;
    double at = ended ? rule_latest(e->now, p->clock) : e->now;
    send->started = !m || late ? e->now : -INFINITY;
    if (late)
        at += receive_overhead(e, m);
    send->completion = rule_latest(send->completion, at);
}

/* Without a transfer the receive is complete, so its process was in MPI. */
void send_acknowledge(struct timed *e, int32_t send)
{
    struct timed_operation *o = &e->operations[send];
    if (o->transfer != NONE && !receiver_sees(e, &e->transfers[o->transfer])) {
        meeting_wait(e, o->transfer);
        return;
    }
    struct timed_transfer *m = o->transfer != NONE ? &e->transfers[o->transfer] : NULL;
    if (m) {
        meeting_end(e, o->transfer);
        m->acknowledges = NONE;
    }
    if (o->read) {
        send_read(e, o, m);
        operation_ready(e, send);
        return;
    }
    o->started = e->now;
    wire_answer(e, send);
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
