/* experiment.h - what is measured to estimate the parameters of models: an experiment among two or three nodes.
 *
 * Times are taken on node[0]. Units: bytes. */
#ifndef PEVPM_ESTIMATE_EXPERIMENT_H
#define PEVPM_ESTIMATE_EXPERIMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* X(name, nodes, what its time is) */
#define EXPERIMENT_LIST(X)                                                                                   \
    X(round_trip, 2, "`there` bytes to node[1] and `back` bytes back")                                       \
    X(to_two, 3, "`there` bytes to node[1] and to node[2], and an empty answer of each")                     \
    X(send, 2, "the call that sends `there` bytes to node[1]")                                               \
    X(late_receive, 2, "the call that receives `back` bytes of node[1] when they are there already")         \
    X(saturation, 2, "`messages` of `there` bytes in a row, less what is before the first and after the last")
enum experiment_kind {
#define X(name, nodes, time) EXPERIMENT_##name,
    EXPERIMENT_LIST(X)
#undef X
};

struct experiment {
    enum experiment_kind kind;
    int node[3];
    int64_t there, back;
    int messages;
};

int experiment_nodes(const struct experiment *experiment);
bool experiments_equal(const struct experiment *a, const struct experiment *b);
/* As qsort wants it: by kind, sizes, messages, then nodes in order. */
int experiments_compare(const struct experiment *a, const struct experiment *b);

/* Are its messages empty or of one byte? Then its time is what processors take, and more where others want them. */
bool experiment_is_of_processors(const struct experiment *experiment);

/* Trunks of a network: each joins the nodes behind it to the others. */
struct trunks {
    size_t n;
    const bool *behind; /* [n][nodes] */
};

/* Does it send anything over the trunk: are some of its nodes behind it, and some not? */
bool experiment_crosses(const struct experiment *experiment, const struct trunks *trunks, size_t n_nodes, size_t trunk);

/* Rounds of experiments that no two of one round share a node or cross the same trunk in, so that they may run at the
 * same time: round [n] out, from 0; returns how many there are. Each takes the first round where its nodes and trunks
 * are free, in the order given; without trunks all pairs of n_nodes = 2^k, smaller first, so make the least there can
 * be, n_nodes - 1. */
size_t experiment_rounds(size_t n, const struct experiment experiments[], size_t n_nodes, const struct trunks *trunks,
                         size_t round[]);

#endif
