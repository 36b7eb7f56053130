/* connect.h - the first message between two processes makes their connection, where the run is one that begins without any and
 * the machine file says what that takes (`transports: network: connect`; rules: docs/ARCHITECTURE.md, section 4).
 *
 * A connection is begun by the first send either way. Where packets pass ports in frames and may be lost, the hosts come first, as
 * TCP has it: one asks and the other answers. Where either packet is lost it asks again, 1 s later, then 2 s more, 4 s more and so
 * on (Linux: TCP_TIMEOUT_INIT, RFC 6298). Of two that both ask the higher rank makes the connection (Open MPI:
 * mca_btl_tcp_endpoint_accept). What both packets take on an idle way, no more than empty messages do, is part of `message`: only
 * what they take longer is added. Its other end sees that while it is in a call that looks; who has never been connected with
 * anybody looks only now and then. The one that has begun it goes on when it is in such a call itself.
 * Meanwhile the connection takes nothing: what is sent on it leaves when it is made, and no send on it is over before. */
#ifndef PEVPM_ENGINE_TIMED_WAY_CONNECT_H
#define PEVPM_ENGINE_TIMED_WAY_CONNECT_H

#include "engine/timed/state.h"

/* A process is about to send on the channel, now: how much longer its call is, s. May add a channel, and so move all. */
__attribute__((cold)) double connect_begin(struct timed *e, int32_t channel);
static inline double connect_send(struct timed *e, int32_t channel)
{
    return __builtin_expect(e->channels[channel].join == JOIN_NOTHING, 0) ? connect_begin(e, channel) : 0;
}

/* A process that connections wait for (`first_joining`) enters a call that looks; ends. */
void connect_enter(struct timed *e, int32_t process);
void connect_ended(struct timed *e, int32_t process);

/* A packet that makes a connection has come on a stream: its host answers, or knows that the other has. */
void connect_heard(struct timed *e, struct timed_stream *s, enum packet_alone what);

/* The next step of a connection that the channel's sender has begun may be due (EVENT_CONNECT). */
void connect_go_on(struct timed *e, int32_t channel);

#endif
