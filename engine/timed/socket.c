/* When a send is over: its host has taken all of it. Rules: docs/ARCHITECTURE.md, section 4. */
#include "engine/timed/socket.h"

#include "engine/timed/call.h"
#include "engine/timed/frames.h"
#include "engine/timed/leave.h"
#include "engine/timed/path.h"
#include "engine/timed/timed.h"
#include "engine/timed/wire.h"

#include <math.h>

void socket_bring_on(struct timed *e, struct timed_channel *c, const struct timed_transfer *m)
{
    const double gap = m->price->ports.out_gap, left = gap > 0 ? m->left / gap * (double)m->bytes : 0;
    socket_bring(&c->socket, m->given - left, c->from_port->out.until, e->now);
    if (c->first_writing != NONE)
        socket_go_on(e, (int32_t)(c - e->channels));
}

/* What must have passed of the channel's stream for its host to hold the rest. */
static double place_of(const struct timed *e, double given)
{
    const struct machine_curve *held = e->model->send_buffer;
    return given - machine_curve_at(held, rule_earliest(given, held->bytes[held->n - 1]));
}

/* When a place of the stream has passed its way; INFINITY: it has not left its sender's port, or frames before it are still to be
 * acknowledged. */
static double place_passes(struct timed *e, const struct timed_channel *c, double place)
{
    const double leaves = socket_leaves(&c->socket, place);
    if (leaves > e->now || frames_acknowledged(e, c) < place)
        return INFINITY;
    return leaves + path_behind(e, c);
}

bool socket_has_taken(struct timed *e, const struct timed_channel *c)
{
    return place_passes(e, c, place_of(e, c->given)) <= e->now;
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

/* It looks again when the place has left the port. What has not been brought yet, or is not acknowledged, calls as that happens. */
static void look_again(struct timed *e, int32_t channel, double leaves)
{
    struct timed_channel *c = &e->channels[channel];
    if (c->taken_is_due || !(leaves > e->now && leaves < INFINITY))
        return;
    c->taken_is_due = true;
    event_add(e, leaves, EVENT_TAKEN, c->from, channel);
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
    e->channels[channel].taken_is_due = false;
    socket_go_on(e, channel);
}
