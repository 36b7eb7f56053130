/* socket.h - what a connection was given and has not sent, and the sends that wait for it. */
#ifndef PEVPM_ENGINE_TIMED_WAY_SOCKET_H
#define PEVPM_ENGINE_TIMED_WAY_SOCKET_H

#include "engine/timed/state.h"

/* The channel is given a message to send, behind all before; which is more than its host may take. */
void socket_fill(struct timed *e, struct timed_channel *c, double before);
static inline void socket_give(struct timed *e, struct timed_channel *c, struct timed_transfer *m)
{
    if (!c->has_socket)
        return;
    m->given = c->given += (double)m->bytes;
    if (c->given > c->fits && !c->full)
        socket_fill(e, c, c->given - (double)m->bytes);
}

/* Up to where its host has taken what it was given, or takes it without its process. */
static inline double socket_end(const struct timed_channel *c)
{
    return c->full ? c->taken : INFINITY;
}

/* What is next on the channel its host has not taken: it stays behind. */
void socket_stall(struct timed *e, int32_t channel);

/* A process that has given more than its host has taken (`first_full`) comes to a call that looks, or to its end; leaves one
 * that waited; has had its turn. */
void socket_enter(struct timed *e, int32_t process);
void socket_leave(struct timed *e, int32_t process);
void socket_turn_over(struct timed *e, int32_t process);

/* Its sender's port has been brought all of it. */
void socket_bring_on(struct timed *e, struct timed_channel *c, const struct timed_transfer *m);
static inline void socket_brought(struct timed *e, struct timed_channel *c, const struct timed_transfer *m)
{
    if (c->has_socket)
        socket_bring_on(e, c, m);
}

/* Whether the host has taken all that the channel was given. If it has not: `operation`, the last send on it, whose
 * completion says when it is over at the earliest, is ready when it has. */
bool socket_has_taken(struct timed *e, const struct timed_channel *c);
static inline bool socket_takes(struct timed *e, const struct timed_channel *c)
{
    return c->has_socket ? socket_has_taken(e, c) : c->join == JOIN_MADE;
}
void socket_await(struct timed *e, int32_t channel, int32_t operation);

/* Something of the channel has passed; and so says a TAKEN event, or its sender has ended. */
void socket_go_on(struct timed *e, int32_t channel);
void socket_taken(struct timed *e, int32_t channel);

#endif
