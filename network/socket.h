/* socket.h - what the sender's host holds of a connection, which says when a send is over.
 *
 * What a connection is given to send is a stream of bytes. The host takes it from the program as far as it can hold what has not
 * been passed yet, and a send is over when all of it has been taken: when of the stream up to its end all but what the host
 * holds has been passed. So a send whose end is `given` bytes from the beginning of the stream is over when the place
 *
 *     place = given - held(given)
 *
 * has been passed; held: of the machine, for a host holds more of a connection that has sent more (Linux: twice what TCP would have
 * under way at most, tcp_sndbuf_expand in net/ipv4/tcp_input.c; up to net.ipv4.tcp_wmem).
 *
 * It takes nothing of a program that is not in the library: what was given beyond what it holds stays behind.
 *
 * When a place leaves the sender's port follows from when that will have passed what it was brought: the line from where it
 * was idle last to the last piece but one, and that to the last piece. So what others bring it meanwhile is shared evenly among
 * the pieces before the last.
 * Pure: times in seconds. */
#ifndef PEVPM_NETWORK_SOCKET_H
#define PEVPM_NETWORK_SOCKET_H

#include <math.h>

struct socket_mark {
    double bytes, time;               /* so much of the stream has left by then */
};

struct socket {
    struct socket_mark idle, before, last; /* nothing was left; the last piece but one; the last that the port was brought */
};

#define SOCKET_NEW ((struct socket){.idle.time = -INFINITY, .before.time = -INFINITY, .last.time = -INFINITY})

/* Now the port has been brought the stream up to `bytes`, all of which it will have passed by `until`. */
static inline void socket_bring(struct socket *socket, double bytes, double until, double now)
{
    if (!(bytes > socket->last.bytes))
        return;
    if (socket->last.time <= now)
        socket->idle = socket->before = (struct socket_mark){socket->last.bytes, now};
    else
        socket->before = socket->last;
    socket->last = (struct socket_mark){bytes, until};
}

/* When the port has passed the stream up to a place; INFINITY: it has not been brought that; -INFINITY: long ago. */
static inline double socket_leaves(const struct socket *socket, double place)
{
    const struct socket_mark *from = place > socket->before.bytes ? &socket->before : &socket->idle;
    const struct socket_mark *to = place > socket->before.bytes ? &socket->last : &socket->before;
    if (place > socket->last.bytes)
        return INFINITY;
    if (place <= socket->idle.bytes)
        return -INFINITY;
    return from->time + (to->time - from->time) * (place - from->bytes) / (to->bytes - from->bytes);
}

/* How much of the stream the port has passed by a time. */
static inline double socket_left(const struct socket *socket, double time)
{
    const struct socket_mark *from = time > socket->before.time ? &socket->before : &socket->idle;
    const struct socket_mark *to = time > socket->before.time ? &socket->last : &socket->before;
    if (time >= socket->last.time)
        return socket->last.bytes;
    if (time <= socket->idle.time)
        return socket->idle.bytes;
    return from->bytes + (to->bytes - from->bytes) * (time - from->time) / (to->time - from->time);
}

#endif
