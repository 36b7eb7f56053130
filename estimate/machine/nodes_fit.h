/* nodes_fit.h - which nodes are alike?
 *
 * Nodes whose ports take about as long for the same burst, out and in, are of one class. Pure functions; seconds. */
#ifndef PEVPM_ESTIMATE_NODES_FIT_H
#define PEVPM_ESTIMATE_NODES_FIT_H

#include <stddef.h>

/* How long a node's ports took for a burst; NaN: not known, which is like any other node. */
struct node_times {
    double out, in;
};

/* Writes every node's class, from 0 on, to class_of [n] and returns how many there are, n >= 1. In each direction the
 * times, sorted, fall into parts where one is longer than that before it by more than the part `differ`; a class are
 * the nodes that are in the same part in both. Quicker classes come first: by the sum of both times' means, and if
 * these are the same by their first nodes. So a drift smaller than `differ` from node to node makes no classes, however
 * far its ends lie apart. */
size_t nodes_classify(size_t n, const struct node_times times[], double differ, int class_of[]);

#endif
