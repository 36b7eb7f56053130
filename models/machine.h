/* machine.h - a machine file in memory.
 *
 * The YAML form is normative in docs/machine-file.md. Reading checks everything: unknown keys, wrong types, units, NaN,
 * counts, edges; every error has file, line, column and the key path ("point_to_point[2].sizes[0].transit.counts"). All
 * errors of a file are reported. Of fitted numbers given as {value, ci95, experiments} the value is kept, the rest only
 * checked. Explicit nothing (`credit: ~`) counts as absent where the key is optional.
 * Units in memory: seconds, bytes. */
#ifndef PEVPM_MODELS_MACHINE_H
#define PEVPM_MODELS_MACHINE_H

#include "coll/table.h"
#include "collectives/library.h"
#include "common/diag.h"
#include "common/status.h"
#include "models/cost.h"
#include "models/distribution.h"
#include "models/host_list.h"
#include "models/node_set.h"
#include "models/transport.h"
#include "network/resource.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PATTERN_LIST(X) X(pingpong) X(pairs) X(fan_in) X(fan_out)
enum pattern {
#define X(name) PATTERN_##name,
    PATTERN_LIST(X)
#undef X
};

/* One measured message size. has_* tell which optional parts were given. */
struct machine_size {
    int64_t bytes;
    struct distribution transit;
    bool has_send_overhead, has_receive_overhead;
    struct distribution send_overhead, receive_overhead;
    double launch_sd; /* of the transit's median between launches of the job, as a part of it; 0: not known */
};

/* How the processes of a node lie on its sockets. X(name)
 * cyclic  one after the other on each socket in turn
 * block   as many as a socket has cores, then the next socket's */
#define SOCKET_MAP_LIST(X) X(cyclic) X(block)
enum socket_map {
#define X(name) SOCKET_MAP_##name,
    SOCKET_MAP_LIST(X)
#undef X
    N_SOCKET_MAPS
};

/* One entry of point_to_point, sizes ascending. */
struct machine_entry {
    enum send_kind operation;
    enum pattern pattern;
    enum transport transport; /* of the messages measured: self and socket where the file says so, else by `nodes` */
    int nodes, ppn, level;
    size_t n_sizes;
    struct machine_size *sizes;
};

/* Its pattern as tables of entries have it: "pairs", within a socket "pairs in a socket"; "self" of messages of a process to
 * itself. */
const char *machine_entry_pattern(const struct machine_entry *entry);

/* What the file says of one transport. */
struct machine_transport {
    bool has_eager_limit;
    int64_t eager_limit;
    bool has_rendezvous; /* node and socket alone */
    enum rendezvous rendezvous;
    bool has_unread_limit; /* likewise */
    int64_t unread_limit;  /* the largest message whose send is over before its receiver was in MPI; among the eager ones */
};

/* A piecewise linear function of the message size: [[bytes, time], ...]; below the first the first, beyond the last the
 * last slope. n = 0: not given. */
struct machine_curve {
    size_t n;
    double *bytes, *time; /* abscissas and ordinates: mostly these */
};

/* What making the connection of two processes takes, s (docs/machine-file.md). */
struct machine_connect {
    double message;            /* by so much the first message is later whose receiver waits */
    double call;               /* by so much the call is longer that sends it */
    double late;               /* made at the earliest so long after both have come to MPI */
    double shared;             /* of it, what connections made at once take one after the other */
    double listen;             /* how often a process that nobody is connected with yet looks for others; 0: always */
};

/* What messages keep ports busy for, by size (docs/machine-file.md). reverse_gap: the receiver's out port and the
 * sender's in port (acknowledgements). X(name) */
#define PORT_CURVE_LIST(X) X(out_gap) X(in_gap) X(reverse_gap)

/* Ports of a node. frame: bytes of a message that travel as one piece; 0: messages travel whole. window: bytes that a
 * connection brings an out port at once; 0: all that it has. buffer: how far behind, in time, an in port may fall
 * before it loses frames; 0: for ever. */
struct machine_ports {
#define X(name) struct machine_curve name;
    PORT_CURVE_LIST(X)
#undef X
    double credit, frame, window, buffer;
};

/* A named group of nodes: of these, or of the groups listed, all of which come before it. */
struct machine_group {
    char *name;
    char *text;            /* the nodes as the file has them; NULL: it is made of groups */
    size_t n_groups;
    size_t *groups;        /* [n_groups] indices */
    struct node_set nodes; /* in either case */
};

/* X(name): what a resource is kept busy for, by message size: by the messages on their way, by the acknowledgements of
 * those that go the other way. */
#define RESOURCE_CURVE_LIST(X) X(demand) X(acknowledgements)

/* One line of `resources:` (network/resource.h): for each of its owners one such. */
struct machine_resource {
    enum resource_scope scope;
    enum resource_direction direction; /* scope all: both */
    enum transport transport;          /* which messages pass it: network; node: those within a node; socket: those within
                                        * a socket */
    char *of;                          /* scope process, socket and node: the nodes, as the file has them; NULL: all */
    struct node_set nodes;             /* they; empty: all */
    size_t n_groups;
    size_t *groups;                    /* scope group: [n_groups]; each has one */
#define X(name) struct machine_curve name;
    RESOURCE_CURVE_LIST(X)
#undef X
    double credit, frame, window, buffer; /* as in struct machine_ports */
    int rails;                         /* of a process or a node: so many of them lie side by side (network/rails.h); 0: one */
    bool has_overflow;
    struct distribution overflow;      /* how much later a message arrives that lost frames here */
    struct machine_curve wake;         /* abscissa: s that a process has rested, ordinate: for how long its waking keeps
                                        * busy what its owners share; none: nothing */
};

/* A computation that measured(NAME) or measured(NAME, x) refers to: one distribution, or a table by argument
 * (ascending, at least one). */
struct machine_serial {
    char *name;
    size_t n;                  /* entries of the table; 0 = no argument: only times[0] */
    double *argument;          /* [n] */
    struct distribution *times; /* [max(n, 1)] */
};

struct machine_hockney { double alpha, beta; };                 /* s, s/byte */
struct machine_loggp { double L, o_s, o_r, g, G; };             /* s, G: s/byte */
struct machine_plogp { double L; struct machine_curve o_s, o_r, g; };

/* n x n, row major; NULL where absent. For the heterogeneous forms. */
struct machine_matrix {
    size_t n;
    double *value;
};

struct machine_hockney_hetero { struct machine_matrix alpha, beta; };
struct machine_loggp_hetero { struct machine_matrix L, o_s, o_r, g, G; }; /* logp: G.value NULL */
struct machine_plogp_hetero {
    size_t n;
    struct machine_matrix L;
    struct machine_curve *o_s, *o_r, *g; /* [n * n] */
};

/* A grid p[numprocs][bytes], bilinear between; or, written {spline: {degree_numprocs:, degree_bytes:, numprocs:
 * [knots], bytes: [knots], coefficients: [[...], ...]}}, a tensor-product B-spline with (knots - degree - 1)
 * coefficients each way. */
struct machine_surface {
    size_t n_numprocs, n_bytes;           /* grid lines or knots */
    double *numprocs, *bytes;
    double *p;                            /* [n_numprocs][n_bytes]; NULL for a spline */
    bool is_spline;
    int degree_numprocs, degree_bytes;    /* 0 .. 9 */
    size_t n_coefficients;
    double *coefficients;                 /* row-major, numprocs first; NULL for a grid */
    double *low, *high;                   /* ends of 95 % intervals, as p or coefficients are; NULL: not given, both */
};
/* What a linear Scatter or Gather among n others takes beyond LMO's formula: kappa M + offset + n (C + t M). */
#define LMO_BEYOND_LIST(X) X(kappa) X(offset) X(C) X(t)
enum lmo_beyond {
#define X(name) LMO_BEYOND_##name,
    LMO_BEYOND_LIST(X)
#undef X
    N_LMO_BEYOND
};

/* The LMO model and its escalations, as the file holds them. */
struct machine_lmo {
    size_t n;                  /* nodes told apart; 1 where all are alike */
    bool alike;                /* C, t and beta are written as one each */
    bool forms_2007;           /* of collectives (models/lmo_collective.h); a Gather's kappa are then factors */
    double *C, *t;             /* [n] */
    struct machine_matrix beta; /* bytes/s, or inverse (s/byte) where is_inverse */
    bool is_inverse, port_limited;
    double scatter_S;          /* 0: not given */
    bool has_kappa;            /* of a Gather */
    double scatter[2][N_LMO_BEYOND], gather[2][N_LMO_BEYOND]; /* up to S, M2; above. s, s/byte */
    size_t n_levels;           /* escalation; 0: none */
    double *levels;            /* [n_levels] s */
    bool levels_added;         /* applies: added */
    struct machine_curve M1, Mc; /* abscissa: numprocs, ordinate: bytes */
    double M2;                 /* bytes */
    struct machine_curve M1_by_ratio; /* as M1, or none: what the ratio rule of the papers finds; no prediction looks at it */
    struct machine_surface *probability; /* [n_levels] or NULL */
    double dependence;         /* how much more often a Gather escalates after one that did than after one that did not; -1 .. 1 */
};

/* How a Collective is costed: the file's `collectives:` section. */
struct machine_collective_time {
    int numprocs;
    int64_t bytes;
    struct distribution time, root_time;
    bool has_root_time;
};
struct machine_collective {
    char *operation, *algorithm, *model; /* NULL: not given */
    int model_line, model_column;        /* where the model is named in the file */
    size_t n_measured;
    struct machine_collective_time *measured;
};

/* X(scope): factors on Serial times, drawn once for a replication, once for each node in it, at every execution. */
#define VARIABILITY_LIST(X) X(per_run) X(per_node) X(per_call)
enum variability_scope {
#define X(scope) VARIABILITY_##scope,
    VARIABILITY_LIST(X)
#undef X
    N_VARIABILITIES
};

/* How far predictions on the machine were from measured runs (sim/model_error.h): standard deviations. */
struct machine_model_error {
    double communication, computation; /* as parts of the time that communication adds, of the Serial time; 0 .. 1 */
    double stretch;            /* f > 1: what communication adds is how much longer a run takes where communication takes f
                                * times as long, over f - 1; 0: where it takes 1 + `communication` times as long */
    double spread_power;       /* how much more wrong predictions are of programs whose runs differ; 0: `communication` is for all
                                * programs alike */
    double share_power;        /* by what power of its share of the run time communication counts; 0: by the first */
    int runs;                  /* (program, processes) pairs on this machine that they were found from; 0: not said */
    int elsewhere;             /* on other machines, which count beside them; 0: none, or not said */
};

struct machine {
    char *path, *name;
    int version;               /* of the format: 0 or 1 has `ports`, 2 has topology and resources */
    double time_unit;          /* seconds in one bare unit of a `Serial on NAME` line */
    int nodes, ppn;
    int processors;            /* of a node, which its processes share; 0: not said, one for each of ppn */
    int sockets;               /* of a node, at least 1; 1: not told apart */
    bool has_socket_map;       /* else cyclic */
    enum socket_map socket_map;
    int64_t eager_limit;       /* between nodes; INT64_MAX: all eager */
    struct machine_transport transports[N_TRANSPORTS]; /* [network] is never given: eager_limit above */
    bool has_connect;          /* between nodes */
    struct machine_connect connect;
    enum progress progress;
    bool has_library;          /* else open_mpi */
    enum mpi_library library;  /* whose table chooses algorithms, whose messages make communicators */
    int launches;              /* 0: not said */
    size_t n_entries;
    struct machine_entry *entries;
    char *hosts;               /* topology: the names of the nodes as the file has them; NULL: none */
    struct host_names host_names;
    size_t n_groups;
    struct machine_group *groups;
    size_t n_resources;
    struct machine_resource *resources;
    bool has_ports;            /* the file has `ports`, or resources */
    bool ports_per_process;    /* shared_by: process */
    struct machine_ports ports;
    struct machine_curve common_gap; /* how long a message between nodes keeps busy what all nodes have in common */
    struct machine_curve rest_delay; /* abscissa: s that a process has not communicated, ordinate: how much later than
                                      * in the midst of communication a message comes then */
    double measured_after;     /* the rest, s, before each message of the entries */
    struct machine_curve send_buffer; /* abscissa: bytes that a process has been given to send another, ordinate: how many of
                                * them its host still holds when the send is over */
    bool has_congestion;       /* else cubic */
    enum congestion congestion; /* of the TCP connections between nodes */
    bool has_handshakes;
    double known, known_after_rest; /* handshakes: how often the announcement of a rendezvous that its sender makes while
                                * the data before it are on their way comes with the last of these; where they were the
                                * first after a rest */
    struct machine_curve known_after_wait; /* abscissa: s that its receiver has waited for a message that the sender's port
                                * had passed by then, ordinate: how often it comes with that; n = 0: not known */
    size_t n_node_ports;       /* per_node; 0 = all like `ports` */
    struct machine_ports *node_ports;
    bool has_overflow;
    struct distribution overflow; /* how much later a message arrives that lost frames at a full in port */
    size_t n_collectives;
    struct machine_collective *collectives;
    bool has_reduction;
    double reduction_gamma;    /* s per byte reduced; 0 where it is not given */
    size_t n_serials;
    struct machine_serial *serials;
    size_t n_factors;          /* node_time_factor; 0: all 1 */
    double *factors;
    bool has_variability[N_VARIABILITIES];
    struct distribution variability[N_VARIABILITIES]; /* factors */
    bool has_model_error;
    struct machine_model_error model_error;
    /* models: NULL where the file has none */
    struct machine_hockney *hockney;
    struct machine_hockney_hetero *hockney_hetero;
    struct machine_loggp *logp;       /* G = 0 */
    struct machine_loggp *loggp;
    struct machine_plogp *plogp;
    struct machine_loggp_hetero *logp_hetero, *loggp_hetero;
    struct machine_plogp_hetero *plogp_hetero;
    struct machine_lmo *lmo;
    bool has_decisions;
    struct coll_table decisions;      /* what the library of coll/ does */
};

/* The largest file that is read: a hundred times what a thorough measurement of a large cluster fills. */
#define MACHINE_FILE_MOST (256u << 20)

/* Reads a machine file ("-" = standard input). STATUS_IO, STATUS_SYNTAX (not YAML), STATUS_SCHEMA. On success the
 * caller owns *machine (machine_destroy). */
enum status machine_read(struct machine **machine, const char *path, struct diags *diags);

/* The same from memory; `name` stands for the path in diagnostics. */
enum status machine_read_text(struct machine **machine, const char *name, const char *text, size_t length,
                              struct diags *diags);

void machine_destroy(struct machine *machine);

/* Ends what a resource holds, or a surface. */
void machine_resource_free(struct machine_resource *resource);
void machine_surface_free(struct machine_surface *surface);

/* The computation `name`, with or without argument. NULL: the file has no such name; machine_serial_look_up words the
 * error. */
const struct machine_serial *machine_serial_find(const struct machine *machine, const char *name);

/* What measured(NAME) or measured(NAME, argument) refers to, in *found; else `text` says what is wrong.
 *   STATUS_NAME   there is none of the name (with a suggestion), or it has an argument against what is asked for
 *   STATUS_RANGE  its table has one argument, and this is another */
enum { MACHINE_SERIAL_TEXT_BYTES = 160 };
enum status machine_serial_look_up(const struct machine *machine, const char *name, bool has_argument, double argument,
                                   const struct machine_serial **found, char text[MACHINE_SERIAL_TEXT_BYTES]);

/* The time of `serial` at `argument`: linear between neighbours at equal probability, beyond the ends the line goes on
 * (cut at zero). has_argument must be serial->n > 0. */
void machine_serial_mix(const struct machine_serial *serial, double argument, struct mix *mix);

/* The transport of an entry that names none. */
enum transport machine_transport_by_nodes(int nodes);

/* The transport whose `eager_limit` is that of messages of `transport`: its own where the file has one, within a socket
 * else the node's, and where neither has one that between nodes (network). */
enum transport machine_limit_of(const struct machine *machine, enum transport transport);

/* The largest message that a transport sends eagerly, by machine_limit_of. *taken says that the file has one, of another
 * transport. */
int64_t machine_eager_limit(const struct machine *machine, enum transport transport, bool *taken);

/* The largest message whose send is over before its receiver was in MPI, of those that are eager; INT64_MAX: any. Within a socket likewise. */
int64_t machine_unread_limit(const struct machine *machine, enum transport transport);

/* What becomes of larger ones: within a socket what becomes of those within a node where the file does not say. */
enum rendezvous machine_rendezvous(const struct machine *machine, enum transport transport, bool *told);

/* Whether messages within a socket have times of their own: then they have a level of their own, too. */
bool machine_has_socket_times(const struct machine *machine);

/* Value of a curve at `x`. 0 where the curve is not given. */
double machine_curve_at(const struct machine_curve *curve, double x);

/* Factor on Serial time at a node; nodes beyond the list repeat it. */
double machine_time_factor(const struct machine *machine, int node);

#endif
