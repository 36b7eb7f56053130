/* How two processes come to be connected. */
#include "engine/timed/way/connect.h"

#include "engine/timed/process/call.h"
#include "engine/timed/process/polling.h"
#include "engine/timed/timed.h"
#include "engine/timed/stream/packet.h"
#include "engine/timed/stream/stream.h"
#include "engine/timed/way/leave.h"
#include "engine/timed/way/wire.h"

#include <math.h>

/* ---- the connections that wait for a process ---- */

static void joining_add(struct timed *e, int32_t process, int32_t channel)
{
    polling_rouse(e, process);
    e->channels[channel].next_joining = e->processes[process].first_joining;
    e->processes[process].first_joining = channel;
}

static void joining_remove(struct timed *e, int32_t process, int32_t channel)
{
    int32_t *at = &e->processes[process].first_joining;
    while (*at != channel)
        at = &e->channels[*at].next_joining;
    *at = e->channels[channel].next_joining;
}

/* ---- steps ---- */

/* When the process is in a call that looks, as far as that is known: now or later; INFINITY: it has not come to one yet. */
static double present(const struct timed *e, int32_t process)
{
    const struct timed_process *p = &e->processes[process];
    if (e->model->progress == PROGRESS_ASYNC || process_in_mpi(e, process))
        return e->now;
    if (p->state == TIMED_ENDED)
        return rule_latest(e->now, p->clock);
    return p->looks && p->call > e->now ? p->call : INFINITY;
}

/* When a process that is in a call sees what another has begun. Who has never been connected looks once in `listen`: as the call
 * begins if it had been in none for longer, and that much later. From then on when it does nobody knows, since each look is late by
 * what the library does meanwhile; nor before. */
static double looks_at(struct timed *e, int32_t process)
{
    struct timed_process *p = &e->processes[process];
    const double period = e->connect->listen;
    if (p->listens || period == 0)
        return e->now;
    if (isnan(p->look))
        p->look = -period * (e->setup->mode == MODE_distribution
                                 ? ldexp(timed_word(e, process, STREAM_CONNECTING, 0), -32)
                                 : 0.5);
    const bool has_just_looked = p->call - rule_latest(0, p->left) >= period && e->now <= p->call + period;
    if (has_just_looked)
        return e->now > p->call ? p->call + period : e->now;
    return p->look + period * ceil((e->now - p->look) / period);
}

/* Both know of it: it is made when those that began before have had what all processes share, too. */
static void agreed(struct timed *e, int32_t channel)
{
    struct timed_channel *c = &e->channels[channel];
    joining_remove(e, c->from, channel);
    c->join = JOIN_AGREED;
    e->connecting_until = rule_latest(e->connecting_until, c->begun) + e->connect->shared;
    c->joins = rule_latest(rule_latest(c->begun + e->connect->message, e->now + e->connect->late), e->connecting_until);
    channel_event_add(e, c->joins, EVENT_CONNECT, c->from, c);
}

static void beginner_try(struct timed *e, int32_t channel)
{
    const int32_t process = e->channels[channel].from;
    const double at = present(e, process);
    if (at <= e->now)
        agreed(e, channel);
    else if (at < INFINITY)
        channel_event_add(e, at, EVENT_CONNECT, process, &e->channels[channel]);
}

static void other_try(struct timed *e, int32_t channel)
{
    struct timed_channel *c = &e->channels[channel];
    double at = present(e, c->to);
    if (at <= e->now && c->joins > e->now) /* else it looks now */
        at = c->joins = looks_at(e, c->to);
    if (at <= e->now) {
        joining_remove(e, c->to, channel);
        e->processes[c->to].listens = true;
        c->join = JOIN_SEEN;
        joining_add(e, c->from, channel);
        beginner_try(e, channel);
    } else if (at < INFINITY) {
        channel_event_add(e, at, EVENT_CONNECT, c->to, c);
    }
}

static void made(struct timed *e, int32_t channel)
{
    e->channels[channel].join = JOIN_MADE;
    wire_connected(e, channel);
    const int32_t back = e->channels[channel].back;
    if (back == NONE)
        return;
    e->channels[back].join = JOIN_MADE;
    wire_connected(e, back);
}

static void begun(struct timed *e, int32_t channel)
{
    struct timed_channel *c = &e->channels[channel];
    c->join = JOIN_BEGUN;
    c->joins = INFINITY;
    joining_add(e, c->to, channel);
    other_try(e, channel);
}

/* ---- what the hosts say ---- */

static const double ASKED_AGAIN = 1; /* s after the first time */

static void ask(struct timed *e, int32_t channel, double again)
{
    struct timed_channel *c = &e->channels[channel];
    c->join = JOIN_ASKED;
    c->joins = e->now + again;
    channel_event_add(e, c->joins, EVENT_CONNECT, c->from, c);
    stream_ask(e, channel);
}

static void answered(struct timed *e, int32_t channel)
{
    struct timed_channel *c = &e->channels[channel];
    if (c->join != JOIN_ASKED) /* it has been answered before, or the other end asks */
        return;
    connection_made(&c->stream->at, e->now - c->stream->asked);
    c->begun += queue_excess(e->now - c->begun, c->known.empty_chain + e->channels[c->back].known.empty_chain);
    begun(e, channel);
}

void connect_heard(struct timed *e, struct timed_stream *s, enum packet_alone what)
{
    struct timed_stream *back = s->back;
    if (what == PACKET_ASKS) {
        packet_connect(e, back, PACKET_ANSWERS);
        return;
    }
    if (what == PACKET_ANSWERS) {
        packet_connect(e, back, PACKET_CONFIRMS);
        answered(e, back->channel);
        return;
    }
    const enum joining own = (enum joining)e->channels[back->channel].join;
    if (own == JOIN_NOTHING || own == JOIN_CROSSED) /* else that is of the connection which is not kept, of two */
        connection_made(&back->at, e->now - back->replied);
}

/* ---- what happens to it ---- */

double connect_begin(struct timed *e, int32_t channel)
{
    struct timed_channel *c = &e->channels[channel];
    const enum joining other = c->back == NONE ? JOIN_NOTHING : (enum joining)e->channels[c->back].join;
    e->processes[c->from].listens = true;
    if (other == JOIN_MADE) {
        c->join = JOIN_MADE;
        return 0;
    }
    c->join = other == JOIN_NOTHING ? JOIN_BEGUN : JOIN_CROSSED;
    if (c->join == JOIN_BEGUN) {
        c->begun = e->now;
        if (c->has_stream && c->has_losses)
            ask(e, channel, ASKED_AGAIN);
        else
            begun(e, channel);
    } else if (other == JOIN_ASKED && c->from > c->to) {
        e->channels[c->back].join = JOIN_CROSSED;
        c->begun = e->now;
        ask(e, channel, ASKED_AGAIN);
    }
    return e->connect->call;
}

void connect_enter(struct timed *e, int32_t process)
{
    for (int32_t i = e->processes[process].first_joining, next; i != NONE; i = next) {
        next = e->channels[i].next_joining;
        if (e->channels[i].join == JOIN_BEGUN)
            other_try(e, i);
        else
            beginner_try(e, i);
    }
}

void connect_ended(struct timed *e, int32_t process)
{
    for (int32_t i = e->processes[process].first_joining; i != NONE; i = e->channels[i].next_joining)
        channel_event_add(e, rule_latest(e->now, e->processes[process].clock), EVENT_CONNECT, process,
                          &e->channels[i]);
}

void connect_go_on(struct timed *e, int32_t channel)
{
    const struct timed_channel *c = &e->channels[channel];
    switch ((enum joining)c->join) {
    case JOIN_ASKED:
        if (c->joins <= e->now)
            ask(e, channel, c->joins - c->begun + ASKED_AGAIN);
        break;
    case JOIN_BEGUN:
        other_try(e, channel);
        break;
    case JOIN_SEEN:
        beginner_try(e, channel);
        break;
    case JOIN_AGREED:
        if (c->joins <= e->now)
            made(e, channel);
        break;
    case JOIN_NOTHING:
    case JOIN_CROSSED:
    case JOIN_MADE:
        break;
    }
}
