/* transport.h - by which way a message goes from one process to another. The machine file may have measured each apart
 * (docs/machine-file.md). */
#ifndef PEVPM_MODELS_TRANSPORT_H
#define PEVPM_MODELS_TRANSPORT_H

#include <stdbool.h>

/* X(name, which messages) */
#define TRANSPORT_LIST(X)                              \
    X(network, "messages between nodes")               \
    X(node, "messages within a node")                  \
    X(socket, "messages within a socket")              \
    X(self, "messages of a process to itself")
enum transport {
#define X(name, messages) TRANSPORT_##name,
    TRANSPORT_LIST(X)
#undef X
    N_TRANSPORTS
};

/* As machine files name it. */
static inline const char *transport_name(enum transport transport)
{
    static const char *const names[] = {
#define X(name, messages) #name,
        TRANSPORT_LIST(X)
#undef X
    };
    return names[transport];
}

/* Which messages go by it, as reports name them. */
static inline const char *transport_messages(enum transport transport)
{
    static const char *const messages[] = {
#define X(name, messages) messages,
        TRANSPORT_LIST(X)
#undef X
    };
    return messages[transport];
}

/* What becomes of a message above the eager limit when its receiver has matched it. X(name)
 * permit  the receiver permits it, and its sender, in MPI then, sends the data
 * get     the receiver takes the data from its sender's memory itself */
#define RENDEZVOUS_LIST(X) X(permit) X(get)
enum rendezvous {
#define X(name) RENDEZVOUS_##name,
    RENDEZVOUS_LIST(X)
#undef X
    N_RENDEZVOUS
};

/* Where a process is. Sockets are numbered through all nodes; SEAT_NO_SOCKET: the sockets of a node are not told apart. */
enum { SEAT_NO_SOCKET = -1 };
struct seat {
    int process, node, socket;
};

/* Where sockets are told apart, `node` is between two of a node; else it is all that stays within one. */
static inline enum transport transport_between(struct seat from, struct seat to)
{
    if (from.node != to.node)
        return TRANSPORT_network;
    if (from.process == to.process)
        return TRANSPORT_self;
    return from.socket == to.socket && from.socket != SEAT_NO_SOCKET ? TRANSPORT_socket : TRANSPORT_node;
}

/* Between two processes of one node, whatever sockets they are on. */
static inline bool transport_is_local(enum transport transport)
{
    return transport == TRANSPORT_node || transport == TRANSPORT_socket;
}

#endif
