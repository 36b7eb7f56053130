/* transport.h - by which way a message goes from one process to another. The machine file may have measured each apart
 * (docs/machine-file.md). */
#ifndef PEVPM_MODELS_TRANSPORT_H
#define PEVPM_MODELS_TRANSPORT_H

/* X(name, which messages) */
#define TRANSPORT_LIST(X)                              \
    X(network, "messages between nodes")               \
    X(node, "messages within a node")                  \
    X(self, "messages of a process to itself")
enum transport {
#define X(name, messages) TRANSPORT_##name,
    TRANSPORT_LIST(X)
#undef X
    N_TRANSPORTS
};

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

static inline enum transport transport_between(int from, int to, int from_node, int to_node)
{
    return from_node != to_node ? TRANSPORT_network : from != to ? TRANSPORT_node : TRANSPORT_self;
}

#endif
