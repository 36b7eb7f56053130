/* flows_fit.h - what several flows of messages pass together.
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

#endif
