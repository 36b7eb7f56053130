/* socket.h - what a connection was given and has not sent, and the sends that wait for it. */
#ifndef PEVPM_ENGINE_TIMED_SOCKET_H
#define PEVPM_ENGINE_TIMED_SOCKET_H

#include "engine/timed/state.h"

/* The channel is given a message to send, behind all before. */
static inline void socket_give(struct timed_channel *c, struct timed_transfer *m)
{
    if (c->has_socket)
        m->given = c->given += (double)m->bytes;
}

/* Its sender's port has been brought all of it but what is `left`. */
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
    return !c->has_socket || socket_has_taken(e, c);
}
void socket_await(struct timed *e, int32_t channel, int32_t operation);

/* Something of the channel has passed; and so says a TAKEN event. */
void socket_go_on(struct timed *e, int32_t channel);
void socket_taken(struct timed *e, int32_t channel);

#endif
