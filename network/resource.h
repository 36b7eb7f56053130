/* resource.h - what messages wait for: a port, a trunk between switches, a bus within a node.
 *
 * A resource serves the messages on whose path it lies in the order in which they come. It is described by
 *
 *     scope      who shares one: the processes of a node have one each, each of its sockets has one, a node has one, a
 *                named group of nodes has one, or all nodes have one
 *     direction  of all scopes but the last: passed by what leaves its owner, by what enters it, or by both
 *     demand     for how long, s, a message of M bytes keeps it busy
 *     credit     what it has saved up, s, when it has been idle
 *     frame      bytes of a message that are served as one piece
 *     rails      how many such lie side by side: ports of one node over which its messages are spread (rails.h)
 *     buffer     how far behind, s, it may be before it loses what comes
 *     wake       for how long, s, a process that has rested keeps it busy as it wakes (outlet.h)
 *
 * docs/machine-file.md says how a file names them, docs/ARCHITECTURE.md, section 4, what they do to a message. */
#ifndef PEVPM_NETWORK_RESOURCE_H
#define PEVPM_NETWORK_RESOURCE_H

/* X(name, who shares one), from the inside out. */
#define RESOURCE_SCOPE_LIST(X)          \
    X(process, "a process has its own") \
    X(socket, "those of a socket")      \
    X(node, "the processes of a node")  \
    X(group, "the nodes of a group")    \
    X(all, "all nodes")
enum resource_scope {
#define X(name, sharers) RESOURCE_OF_##name,
    RESOURCE_SCOPE_LIST(X)
#undef X
    N_RESOURCE_SCOPES
};

/* X(name, which messages pass it) */
#define RESOURCE_DIRECTION_LIST(X)     \
    X(out, "those that leave its owner") \
    X(in, "those that enter it")       \
    X(both, "those that leave and those that enter it")
enum resource_direction {
#define X(name, messages) RESOURCE_##name,
    RESOURCE_DIRECTION_LIST(X)
#undef X
    N_RESOURCE_DIRECTIONS
};

#endif
