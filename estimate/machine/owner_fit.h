/* owner_fit.h - does a port belong to a node or to each of its processes?
 *
 * Two messages leave a node at once. If its processes share a port, it is all one whether one process sends both or two
 * send one each; if every process has a port of its own, two processes take as long as one message alone. Pure
 * functions; units: seconds. */
#ifndef PEVPM_ESTIMATE_OWNER_FIT_H
#define PEVPM_ESTIMATE_OWNER_FIT_H

#define OWNER_LIST(X)                    \
    X(unknown, "not to be told")         \
    X(node, "the port is the node's")    \
    X(process, "the port is the process's")
enum owner {
#define X(name, text) OWNER_##name,
    OWNER_LIST(X)
#undef X
};
const char *owner_text(enum owner owner);

/* What the last of them took to arrive after the first send call: of one message, of two from one process, of two from
 * two processes of one node. Unknown where two from one process take less than a quarter longer than one, for then
 * something else than a port makes the time, or where two processes lie in the middle third between the others. */
enum owner owner_fit(double one, double one_process, double two_processes);

#endif
