/* flows_fit.h - what several flows of messages pass together, and which nodes stand behind one trunk.
 *
 * Flows that share something pass less together than the sum of what each passes alone. Pure functions; seconds. */
#ifndef PEVPM_ESTIMATE_FLOWS_FIT_H
#define PEVPM_ESTIMATE_FLOWS_FIT_H

#include <stdbool.h>
#include <stddef.h>

/* A message that has arrived, of flow 0 .. flows - 1. */
struct flow_arrival {
    int flow;
    double time;
};

/* The mean time between arrivals, of whatever flow, while all flows go on: after the first quarter of the time until
 * the first flow ends. All flows began at time 0. What was saved up, and how connections start, is over by then; what
 * the last ones do alone is not looked at. NaN with fewer than FLOWS_LEAST arrivals in that time. Sorts by time. */
enum { FLOWS_LEAST = 8 };
double flows_gap(size_t n, struct flow_arrival arrivals[], int flows);

/* Do flows share what they pass? */
#define SHARING_LIST(X)                                  \
    X(unknown, "whether they share it is not to be told") \
    X(shared, "they share it")                           \
    X(own, "each has its own")
enum sharing {
#define X(name, text) SHARING_##name,
    SHARING_LIST(X)
#undef X
};
const char *sharing_text(enum sharing sharing);

/* From the mean time between messages of one flow alone and of n >= 2 flows together: shared where together they pass
 * at most a third of what n - 1 more flows could add, own where at least two thirds; else it cannot be told. */
enum sharing flows_sharing(double alone, double together, int n);

/* A message to a node `step` after its sender, in the order of nodes, while all nodes sent one: was it slower than
 * alone? */
struct shift_message {
    int from, step;
    bool slowed;
    double alone;  /* s that its ports keep it alone */
};

/* Groups of nodes, each of which stands behind something that its nodes share when they send to others. They are
 * stretches of the order of nodes. In a step in which some messages were slowed and others not, those that were not
 * have stayed within their group, and so has every node between their ends; but of a message whose ports are slower
 * than those of all that were slowed nothing is known: a trunk passes as much of it as these do, whatever it leaves
 * the others. Messages beyond the last node, which go on with the first, tell nothing. Writes each node's group, from
 * 0 on in order, to group_of [nodes]; returns how many: 1 where nothing was slowed; as many as nodes where none is
 * known: nothing stayed within a group, or groups are no stretches, so that what was slowed and what was not contradict. */
size_t groups_find(int nodes, size_t n, const struct shift_message messages[], int group_of[]);

#endif
