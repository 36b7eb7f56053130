/* pattern.h - who sends to whom, and when: the shapes of measurement, without any MPI.
 *
 * A job has nodes x ppn places, numbered node * ppn + slot. A pattern is laid over a group of some of the nodes;
 * several groups ("copies") may run at once where they have been seen not to disturb one another, else one group at a
 * time, in turn, so that every node has its share. Each repetition is a list of messages; all its processes start
 * together and each process sends its own in the order of the list. Patterns are pure functions: what a process does
 * in a repetition follows from the repetition's number, so nothing has to be told while measuring. */
#ifndef PEVPM_MEASURE_PATTERN_H
#define PEVPM_MEASURE_PATTERN_H

#include "models/machine.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct shape {
    int job_nodes, job_ppn; /* places of the job, or of the part of it in which the groups lie */
    int first;              /* node with which that part begins */
    int nodes, ppn;         /* of one group; nodes x ppn >= 2 */
    enum transport pairs;   /* of a group of one node: node or socket, the slots are such that its pairs are of this transport
                             * (job_shape_place); network: as they come */
    int copies;             /* groups at once, 1 .. shape_groups */
    int burst;              /* fan patterns and streams: messages of a group; else 0 */
    int senders;            /* streams: how many processes of a node send, 1 .. ppn; else 0 */
    bool around;            /* fan-out: every process sends a burst, to the one `step` after it in its group */
    int across;             /* fan-out: so many processes, the first, send a burst each to others, the i-th its first message to
                             * the one i + `step` behind the first of these, in turn, and the next to the next; else 0 */
    int step;               /* of both; else 0 */
    int stretch;            /* pairs: so many processes, one after another, send to one another only; 0: all of a
                             * group */
    int64_t stagger; /* ns by which each copy starts after the one before, so that their processors' work does not
                        coincide where hosts share a processor */
    int64_t spread;  /* pairs: ns in which the processes' starts are spread, see shape_start; 0: all at one moment */
};

/* How many groups the job has room for. */
int shape_groups(const struct shape *shape);
/* The place of process q of group `group`: group by group, node by node. */
int shape_place(const struct shape *shape, int group, int q);
/* The group that copy `copy` measures in its round-th round. A group stays for SHAPE_TURN rounds before the next has
 * its turn: connections that were idle for long behave differently. */
enum { SHAPE_TURN = 20 };
int shape_group(const struct shape *shape, int round, int copy);

/* When process q of a copy starts after the others, ns: pseudo-random, uniform in [0, spread), another in each
 * repetition. Messages of a program are in flight at once, but their processes do not wake at one nanosecond; where
 * hosts share cores such a herd would measure the scheduler. The spread is the time of one message, so that most of
 * the messages still overlap, or more (task_spread). */
int64_t shape_start(const struct shape *shape, int repetition, int copy, int q);

struct pattern_message {
    int from, to;     /* places */
    int64_t offset;   /* ns after the start of the repetition */
};

/* The messages of one repetition, in the order of the sends; `list` has room for pattern_most. Returns how many. */
typedef size_t pattern_list(const struct shape *shape, int repetition, struct pattern_message list[]);
size_t pattern_most(const struct shape *shape);

/* A pattern is an `enum pattern`, which machine files name, or this one, which only serves ports. */
enum {
    PATTERN_stream = 0
#define X(name) +1
        PATTERN_LIST(X)
#undef X
};
pattern_list *pattern_find(unsigned pattern);

/* One message at a time in each group, there and back in turn: level 1. */
pattern_list pattern_pingpong;
/* Half-shift: every process of the group, or of a stretch of it, sends to the one half of that away, all at once
 * (MPIBench) but for the spread. */
pattern_list pattern_pairs;
/* One process, in turn each of the group, sends `burst` messages back to back to the others, going round them; or all
 * do, each to the one `step` after it (`around`), or some, each to one of the others (`across`). */
pattern_list pattern_fan_out;
/* `burst` messages, one after another from each of the others going round, reach one process at once. */
pattern_list pattern_fan_in;
/* `burst` messages leave the group's first node back to back, its first `senders` processes taking turns, for the other
 * nodes: for these in turn, and in turn for the processes of each. Many make a stream; two tell whose a port is. */
pattern_list pattern_stream;

#endif
