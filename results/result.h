/* result.h - what a measurement has found so far, and its machine file.
 *
 * Points are kept in the order of the file: by operation, pattern, nodes, processes per node, level and size. All times
 * are int64 nanoseconds in histograms of one layout, so that results of several launches can be added up. */
#ifndef PEVPM_RESULTS_RESULT_H
#define PEVPM_RESULTS_RESULT_H

#include "estimate/histogram.h"
#include "estimate/machine/exchange_fit.h"
#include "estimate/machine/socket_fit.h"
#include "estimate/stopping.h"
#include "models/machine.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct point_key {
    enum send_kind operation;
    enum pattern pattern;
    int nodes, ppn, level; /* 1, 1, 1: of a process to itself */
    int64_t bytes;
    bool socket;           /* nodes 1: within a socket, where these are told apart */
};

struct point {
    struct point_key key;
    struct histogram transit, send_overhead, receive_overhead; /* count 0: not measured */
    int64_t disturbed;     /* messages that did not count because an earlier one was late */
    enum stop stop;
    double launch_sd;      /* of the median between launches, as a part of it; 0: one launch */
};

/* One size of the port curves: how long a message keeps the sender's out port busy, the receiver's in port, and both
 * their ports the other way; the last also where the receiver sends to the sender. */
enum port_gap { PORT_OUT, PORT_IN, PORT_REVERSE, N_PORT_GAPS };
struct port_point {
    int64_t bytes;
    double gap[N_PORT_GAPS];  /* s; NaN: not measured */
    double ci95[N_PORT_GAPS]; /* s, half the 95 % confidence interval between launches; 0: one launch; NaN: not known, as
                               * of the least of several */
};

/* The ports of nodes that are alike, where not all are; or what messages wait for elsewhere: a group's trunk, the bus
 * of a node. Sizes ascending. */
struct class_ports {
    size_t n, capacity;
    struct port_point *points;
    double credit, credit_ci95; /* s, as the result's */
};

/* How much later than in the midst of communication a call begins after a rest. */
struct rest_point {
    int64_t rest;            /* ns */
    double delay;            /* s; NaN: not measured */
    double ci95;             /* s, as port_point's */
    double wake, wake_ci95;  /* s that a process which wakes keeps busy what all nodes have in common; NaN: nothing */
};

/* A collective, as measured. */
struct collective_point {
    const char *operation;  /* collective_name */
    int numprocs;
    int64_t bytes;
    struct histogram time, root_time; /* root_time.count 0: not rooted */
};

/* A line of the provenance; texts are owned. value NULL: a heading. */
struct result_note {
    int depth;
    char *key, *value;
};

struct result {
    char *name;
    int nodes, ppn;
    int processors;          /* of a node, where its processes are more than these; 0: one for each */
    int sockets;             /* of a node; at most 1: not told apart */
    bool has_socket_map;
    enum socket_map socket_map;
    int64_t bin;             /* ns of equal bins; 0: 1 % bins */
    int64_t eager_limit;     /* INT64_MAX: none found */
    struct machine_transport transports[N_TRANSPORTS]; /* as the machine has them */
    bool has_connect;        /* it was looked at, and makes a difference */
    struct machine_connect connect;
    int launches;
    size_t n_points, points_capacity;
    struct point *points;
    size_t n_ports, ports_capacity;
    struct port_point *ports;
    size_t n_classes;        /* of nodes: 0 or 1: all are alike. `ports` and `credit` are those of class 0 */
    int *class_of;           /* [nodes]; NULL where all are alike */
    struct class_ports *classes; /* [n_classes]; that of class 0 stays empty */
    size_t n_groups;         /* of nodes that stand behind a trunk; 0: none are known */
    int *group_of;           /* [nodes]; NULL where none are known */
    size_t n_outer;          /* groups of groups that stand behind a further trunk: their numbers are those from n_groups on */
    int *above;              /* [n_groups + n_outer] the group that each is in, of a greater number; -1: none */
    struct class_ports *trunks; /* [n_groups + n_outer] out of the group (PORT_OUT), into it (PORT_IN), and PORT_REVERSE;
                                 * n = 0: not measured */
    struct class_ports bus;  /* what the processes of a node share, each node its own: PORT_OUT, of messages within it;
                              * n = 0: nothing, as far as was seen */
    double credit;           /* s */
    double credit_ci95;      /* s, as port_point's */
    double common_gap;       /* s that a message keeps busy what all nodes have in common; 0: nothing */
    double common_ci95;
    size_t n_rests, rests_capacity;
    struct rest_point *rests; /* ascending, above 0 */
    double measured_after;   /* s that ports and processes rested before each message of the points */
    double known, known_after_rest; /* of struct machine; NAN: nobody has looked */
    double waited[EXCHANGE_WAITS], known_after_wait[EXCHANGE_WAITS]; /* likewise: the curve's points */
    double held_first;       /* bytes that a host takes at once of what a process sends another first; NAN: not known */
    double held[SOCKET_POINTS]; /* of socket_given(i) bytes that a process was given to send another, its host still holds so many
                              * when the send is over; NAN: not known */
    bool has_congestion;     /* TCP's way to avoid it is known, and one that predictions know */
    enum congestion congestion;
    bool ports_per_process;  /* else every node has one, as far as was seen */
    int frame;               /* bytes of a message in one of TCP's frames (measure/tcp.h); 0: messages between nodes go another way */
    double buffer;           /* s that an in port of class `buffer_class` may fall behind before it loses packets; 0: none was
                              * seen to */
    size_t buffer_class;     /* a file that was read has class 0's */
    double trunk_buffer;     /* s that a trunk may, likewise */
    struct histogram overflow; /* how much later such messages come; count 0 where both are 0 */
    size_t n_collectives, collectives_capacity;
    struct collective_point *collectives;
    size_t n_notes, notes_capacity, heading; /* the note under which the next of depth 1 comes */
    struct result_note *notes;
};

void result_init(struct result *result);
void result_free(struct result *result);

/* A histogram in the result's layout. */
void result_histogram_init(const struct result *result, struct histogram *h);

/* The point of a key; NULL: there is none. */
struct point *result_find(const struct result *result, const struct point_key *key);
/* The point of a key, made empty where there was none. Pointers to points die. */
struct point *result_point(struct result *result, const struct point_key *key);
struct port_point *result_port(struct result *result, int64_t bytes);
/* Nodes are of n >= 1 classes from now on; class_of [nodes] is copied. Ports of classes that were there are kept. */
void result_classes(struct result *result, size_t n, const int class_of[]);
/* The ports of a class, from 1 on, at a size, made where there were none. */
struct port_point *result_class_port(struct result *result, size_t class, int64_t bytes);
/* The same of groups behind trunks, n >= 2, of which none is in another one from now on. */
void result_groups(struct result *result, size_t n, const int group_of[]);
/* These are in n groups of groups; above [n_groups + n] is copied. */
void result_outer_groups(struct result *result, size_t n, const int above[]);
bool result_group_has(const struct result *result, int group, int node);
/* How many groups stand inside one another in a group, at most; 0: it is made of nodes. */
int result_group_height(const struct result *result, int group);
/* A group's nodes as host_list.h writes numbers, "0-3,8"; the caller frees it. And all groups in the note NOTE_GROUPS, those of
 * groups in NOTE_OUTER_GROUPS, with who says so; from NULL: it was measured. */
char *result_group_text(const struct result *result, int group);
void result_note_groups(struct result *result, const char *from);
void result_note_outer_groups(struct result *result, const char *from);
struct port_point *result_trunk(struct result *result, size_t group, int64_t bytes);
struct port_point *result_bus(struct result *result, int64_t bytes);
/* Whether what messages wait for at a resource is in the transits of a point as well: those of several at once within a
 * node whose bus is known, or between nodes whose processes share a port that is. Such points are neither measured nor
 * written. */
bool result_is_explained(const struct result *result, const struct point_key *key);
struct rest_point *result_rest(struct result *result, int64_t rest);
/* Of class 0: forgets the in and reverse gaps of messages so long that the second of two overflows the buffer: losses
 * made them. The line through the shorter ones goes on. */
void result_port_losses_drop(struct result *result);

struct collective_point *result_collective_find(const struct result *result, const char *operation, int numprocs,
                                                int64_t bytes);
struct collective_point *result_collective(struct result *result, const char *operation, int numprocs, int64_t bytes);

/* The value of a note; key1 NULL: of the note `key0`, else of the note `key1` under the heading `key0`. NULL: there is
 * none. */
const char *result_note_find(const struct result *result, const char *key0, const char *key1);
/* `what`, of classes above 0 with their number: the heading of notes about the nodes of a class. */
#define RESULT_HEADING_BYTES 64
const char *result_class_heading(const char *what, size_t class, char text[RESULT_HEADING_BYTES]);
/* Which notes stand under a heading: [*first, *end). Empty where there is none. */
void result_notes_under(const struct result *result, const char *heading, size_t *first, size_t *end);

/* Replaces the note `key`, or appends it: at depth 0 to all, at depth 1 to those under the heading set last. */
void result_note(struct result *result, int depth, const char *key, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Makes a heading at depth 0, or goes on with the one there is. */
void result_heading(struct result *result, const char *key);

/* Drops a heading and all notes under it, where there is one. */
void result_notes_drop(struct result *result, const char *heading);
/* Drops one note under a heading, and with the last of them the heading; without effect where there is none.
 * result_heading before the next note of depth 1. */
void result_note_drop(struct result *result, const char *heading, const char *key);

/* How messages between processes of a node were measured: what NOTE_WITHIN_NODE says; after a pause, where there is no
 * such note, as in files of before it. NULL: the result has none of them. */
const char *result_within_node(const struct result *result);

/* Of messages at once the line through two sizes says more of chance than of messages so many times as large: those
 * whose sizes end so far below those of one message alone, of the same transport, are not written. */
enum { RESULT_LINE_MOST = 4 };

/* Writes the machine file (machine_write), of format 2, with the model_error that its residuals say (residual.h).
 * STATUS_IO. */
enum status result_write(const struct result *result, const char *path, struct diags *diags);

/* Reads one that result_write wrote, or an earlier version of it in format 1: every bin's count is kept, to the
 * nanosecond's place, and where bins are as they were, so are minimum, maximum and sum. STATUS_IO, STATUS_SYNTAX,
 * STATUS_SCHEMA (also where a distribution is no histogram, and where resources are such as result_write does not
 * write). result_init and result_free it whatever was returned. */
enum status result_read(struct result *result, const char *path, struct diags *diags);

/* What the provenance calls things that are read again. */
#define NOTE_BIN "bin_ns"
#define NOTE_REST "rest_ns"
#define NOTE_FIRST_LOOK "first look"
#define NOTE_HOSTS "hosts"
#define NOTE_OVERFLOW "overflow"
#define NOTE_TRUNK_OVERFLOW "overflow of trunks"
#define NOTE_HEADERS "headers"
#define NOTE_COMMON "step by step"
#define NOTE_WAKING "waking at one moment"
#define NOTE_REST_DELAY "a call after a rest"
#define NOTE_EXCHANGES "exchanges above the eager limit"
#define NOTE_SENDS "sends behind one another"
#define NOTE_BUSY "processors busy with other work"
#define NOTE_IMPRECISE "less precise than asked for"
#define NOTE_UNMEASURED "not measured, for lack of time"
#define NOTE_RING "bursts around a ring"
#define NOTE_OWNER "whose port"
#define NOTE_SATURATION "saturation"
#define NOTE_NODES "kinds of nodes"
#define NOTE_RATES "rates"
#define NOTE_APART "ports that other sizes do not explain"
#define NOTE_GROUPS "groups that share a trunk"
#define NOTE_OUTER_GROUPS "groups of groups that share a trunk"
#define NOTE_GROUPS_UNTOLD "groups that may share a trunk"
#define NOTE_WITHIN_NODE "messages within a node"
#define NOTE_NODE_RENDEZVOUS "messages within a node above the eager limit"
#define NOTE_SOCKET_RENDEZVOUS "messages within a socket above the eager limit"
#define NOTE_NODE_UNREAD "messages within a node whose receiver computes"
#define NOTE_SOCKET_UNREAD "messages within a socket whose receiver computes"

/* What NOTE_WITHIN_NODE says; the first where messages were measured in chains (measure/series.h). */
#define WITHIN_NODE_CHAINED "one right behind another"
#define WITHIN_NODE_COLD "after a pause"

#endif
