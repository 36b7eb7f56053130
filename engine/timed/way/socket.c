/* What a host takes of what a process sends: when a send is over, and what stays behind while it computes. Rules:
 * docs/ARCHITECTURE.md, section 4. */
#include "engine/timed/way/socket.h"

#include "engine/timed/process/call.h"
#include "engine/timed/process/polling.h"
#include "engine/timed/stream/stream.h"
#include "engine/timed/timed.h"
#include "engine/timed/way/losses.h"
#include "engine/timed/way/leave.h"
#include "engine/timed/way/path.h"
#include "engine/timed/way/wire.h"

#include <math.h>

void socket_bring_on(struct timed *e, struct timed_channel *c, const struct timed_transfer *m)
{
    socket_bring(&c->socket, m->given, rule_latest(c->leaves, c->socket.last.time), e->now); /* of several rails one may be behind */
    if (c->first_writing != NONE)
        socket_go_on(e, (int32_t)(c - e->channels));
}

/* What must have passed of the channel's stream for its host to hold the rest; -INFINITY: nothing, as far as anybody knows. */
static double place_of(const struct timed *e, double given)
{
    const struct machine_curve *held = e->model->send_buffer;
    if (!held)
        return -INFINITY;
    return given - (given < held->bytes[held->n - 1] ? machine_curve_at(held, given) : e->host_holds);
}

/* When a place of the stream has passed its way; INFINITY: there is no connection yet, it has not left its sender's port, or what
 * is before it is still to be acknowledged. */
static double place_passes(struct timed *e, const struct timed_channel *c, double place)
{
    if (c->join != JOIN_MADE)
        return INFINITY;
    if (c->has_stream)
        return stream_acknowledged(e, c) >= place ? -INFINITY : INFINITY;
    const double leaves = socket_leaves(&c->socket, place);
    if (leaves > e->now || losses_acknowledged(e, c) < place)
        return INFINITY;
    return leaves + path_behind(e, c);
}

/* ---- what stays behind ---- */

/* How much of the channel's stream has passed its way, and is acknowledged where something may be lost. */
static double stream_passed(struct timed *e, const struct timed_channel *c)
{
    if (c->has_stream)
        return fmin(stream_acknowledged(e, c), c->given);
    return fmin(socket_left(&c->socket, e->now - path_behind(e, c)), losses_acknowledged(e, c));
}

/* How much a full host holds when so much has passed: `send_buffer` tells it of what was given. */
static double room_after(const struct machine_curve *held, double passed)
{
    size_t i = 0;
    while (i + 1 < held->n && held->bytes[i + 1] - held->time[i + 1] <= passed)
        i++;
    const double place = held->bytes[i] - held->time[i];
    if (i + 1 == held->n || passed <= place)
        return held->time[i];
    const double part = (passed - place) / (held->bytes[i + 1] - held->time[i + 1] - place);
    return held->time[i] + (held->time[i + 1] - held->time[i]) * part;
}

static bool sender_waits(const struct timed *e, int32_t process)
{
    const struct timed_process *p = &e->processes[process];
    return p->state == TIMED_ENDED ? p->clock <= e->now : process_in_mpi(e, process) && e->now < p->until;
}

static void full_add(struct timed *e, int32_t channel)
{
    struct timed_channel *c = &e->channels[channel];
    c->full = true;
    c->next_full = e->processes[c->from].first_full;
    e->processes[c->from].first_full = channel;
}

void socket_fill(struct timed *e, struct timed_channel *c, double before)
{
    c->room = rule_latest(c->room, e->model->send_buffer->time[0]);
    c->fits = stream_passed(e, c) + c->room;
    if (c->given <= c->fits || e->model->progress == PROGRESS_ASYNC)
        return;
    polling_rouse(e, c->from);
    c->taken = sender_waits(e, c->from) ? INFINITY : rule_latest(before, c->fits);
    full_add(e, (int32_t)(c - e->channels));
}

/* How far the host takes what it was given, as its process looks. Of whole messages one that is larger than the room goes when all
 * before it has passed, or it never would; by frames a part of it has left already. */
static double whole_end(const struct timed *e, const struct timed_channel *c, double passed)
{
    if (c->has_stream || c->first_behind == NONE)
        return c->fits;
    const struct timed_transfer *m = &e->transfers[c->first_behind];
    return m->given - (double)m->bytes <= passed ? rule_latest(c->fits, m->given) : c->fits;
}

/* What the host has still not taken of a channel, of which so much has passed; leaves: the process does not wait any more. */
static void full_again(struct timed *e, int32_t channel, double passed, bool waits, bool leaves)
{
    struct timed_channel *c = &e->channels[channel];
    c->taken = waits ? INFINITY : rule_latest(whole_end(e, c, passed), leaves ? c->socket.last.bytes : c->taken);
    c->stalled |= leaves && stream_has_unsent(c);
    full_add(e, channel);
}

/* The process is in MPI: its hosts take what they can. goes_on: and so do channels that were stalled. One that is not full any more
 * does in any case: all that was given is taken, and nobody will ask for it again. */
static void hosts_take(struct timed *e, int32_t process, bool waits, bool goes_on)
{
    int32_t channel = e->processes[process].first_full;
    e->processes[process].first_full = NONE;
    for (int32_t next; channel != NONE; channel = next) {
        struct timed_channel *c = &e->channels[channel];
        const double passed = stream_passed(e, c);
        next = c->next_full;
        c->full = false;
        c->room = rule_latest(c->room, room_after(e->model->send_buffer, passed));
        c->fits = passed + c->room;
        if (c->given > c->fits)
            full_again(e, channel, passed, waits, !goes_on);
        if (c->stalled && (goes_on || !c->full))
            wire_go_on(e, channel);
    }
}

void socket_enter(struct timed *e, int32_t process)
{
    hosts_take(e, process, sender_waits(e, process), true);
}

void socket_leave(struct timed *e, int32_t process)
{
    hosts_take(e, process, false, false);
}

/* A process that has ended has had its last turn: from its end on it waits. */
static void end_await(struct timed *e, int32_t channel)
{
    const struct timed_process *p = &e->processes[e->channels[channel].from];
    if (p->state == TIMED_ENDED)
        channel_event_add(e, rule_latest(e->now, p->clock), EVENT_TAKEN, e->channels[channel].from, &e->channels[channel]);
}

void socket_stall(struct timed *e, int32_t channel)
{
    polling_rouse(e, e->channels[channel].from);
    e->channels[channel].stalled = true;
    end_await(e, channel);
}

void socket_turn_over(struct timed *e, int32_t process)
{
    for (int32_t i = e->processes[process].first_full; i != NONE; i = e->channels[i].next_full)
        if (e->channels[i].stalled)
            end_await(e, i);
}

/* ---- sends ---- */

bool socket_has_taken(struct timed *e, const struct timed_channel *c)
{
    return !c->full && place_passes(e, c, place_of(e, c->given)) <= e->now;
}

void socket_await(struct timed *e, int32_t channel, int32_t operation)
{
    struct timed_channel *c = &e->channels[channel];
    struct timed_operation *o = &e->operations[operation];
    if (socket_takes(e, c)) {
        operation_ready(e, operation);
        return;
    }
    o->place = place_of(e, c->given);
    o->next_writing = NONE;
    if (c->first_writing == NONE)
        c->first_writing = operation;
    else
        e->operations[c->last_writing].next_writing = operation;
    c->last_writing = operation;
    socket_go_on(e, channel);
}

/* It looks again when the place has left the port. What has not been brought yet, or is not acknowledged, calls as that
 * happens. */
static void look_again(struct timed *e, int32_t channel, double leaves)
{
    struct timed_channel *c = &e->channels[channel];
    if (c->taken_is_due || !(leaves > e->now && leaves < INFINITY))
        return;
    c->taken_is_due = true;
    channel_event_add(e, leaves, EVENT_TAKEN, c->from, c);
}

void socket_go_on(struct timed *e, int32_t channel)
{
    struct timed_channel *c = &e->channels[channel];
    while (c->first_writing != NONE) {
        const int32_t operation = c->first_writing;
        struct timed_operation *o = &e->operations[operation];
        const double passes = place_passes(e, c, o->place);
        if (passes == INFINITY) {
            look_again(e, channel, socket_leaves(&c->socket, o->place));
            return;
        }
        c->first_writing = o->next_writing;
        const double over = rule_latest(o->completion, rule_latest(e->now, passes));
        o->held = over - o->completion;
        o->completion = over;
        operation_ready(e, operation);
    }
}

void socket_taken(struct timed *e, int32_t channel)
{
    const int32_t process = e->channels[channel].from;
    e->channels[channel].taken_is_due = false;
    if (e->channels[channel].stalled && sender_waits(e, process))
        socket_enter(e, process);
    socket_go_on(e, channel);
}
