/* cost.h - the one interface through which the virtual machine learns what a message costs.
 *
 * Five costs of a message of M bytes from process i to process j at contention level k (design: ARCHITECTURE.md):
 *
 *     send overhead      how long the send call keeps the sender's processor busy
 *     out gap            how long the message keeps the sender's port busy
 *     transit            start of the send call to the return of a receive posted before, ports idle (a sample)
 *     in gap             how long it keeps the receiver's port busy
 *     receive overhead   duration of the receive call when the message is already there
 *
 * A message of a process to itself uses no port, and its transit does not depend on the level.
 * Overheads and transit are random (a mix of measured distributions); gaps are numbers. The simulator never asks which
 * model it talks to. Pairs of nodes that cost the same in every respect share a `pair class`, so costs are looked up
 * once for each (pair class, size, level) and not per message.
 *
 * The contention rule and the mode are settled when the model is opened:
 *   scoreboard  transit depends on the level; the measured model has no gaps, an analytical one its own, per process
 *   ports       and the measured model's ports act (per node or per process, as the machine file says)
 *   none        no gaps; every message costs what level 1 costs
 *   average, minimum: the same with every distribution replaced by its `average` or `minimum`.
 * Units: seconds, bytes. */
#ifndef PEVPM_MODELS_COST_H
#define PEVPM_MODELS_COST_H

#include "common/diag.h"
#include "common/status.h"
#include "models/distribution.h"
#include "models/transport.h"
#include "network/connection.h"
#include "network/passage.h"

#include <stdbool.h>
#include <stdint.h>

struct machine;
struct machine_connect;
struct machine_curve;

/* X(name, where it is costed) */
#define MODE_LIST(X) X(distribution) X(average) X(minimum)
enum cost_mode {
#define X(name) MODE_##name,
    MODE_LIST(X)
#undef X
};

/* frames: as ports, and what processes of two nodes send each other passes what is on its way in TCP's frames. */
#define CONTENTION_LIST(X) X(scoreboard) X(ports) X(frames) X(none)
enum contention {
#define X(name) CONTENTION_##name,
    CONTENTION_LIST(X)
#undef X
};

static inline bool contention_has_ports(enum contention contention)
{
    return contention == CONTENTION_ports || contention == CONTENTION_frames;
}

enum port_scope { PORTS_OFF, PORTS_PER_PROCESS, PORTS_PER_NODE };
enum progress { PROGRESS_NONE, PROGRESS_ASYNC };
enum side { SIDE_SEND, SIDE_RECEIVE };

/* Whether the call that sends is blocking: the measured model may hold entries of both kinds. */
enum send_kind { SEND_BLOCKING, SEND_NONBLOCKING };

/* What ports charge for one message. Within a node, and to oneself, all are 0. */
struct port_cost {
    double out_gap, in_gap;
    double out_byte, in_byte;      /* what each byte of a frame takes of them, headers counted; 0: not known */
    double frame_bytes;           /* of messages in a full frame; 0: messages pass as a whole */
    double out_saved, in_saved;   /* credit: what an idle port has saved up */
    double receivers_out_gap;     /* what the message would cost the out port of the receiver's node */
    double receivers_out_saved, senders_in_saved; /* credit of the ports that acknowledgements pass */
    double reverse_out, reverse_in; /* acknowledgements: on the receiver's out port, on the sender's in port */
    double spread;                /* from its first to its last frame on the wire: (n - 1) / n of out_gap; n = 1: a
                                   * whole message */
    double frame, senders_in_gap; /* in_gap / n; what it would cost the in port of the sender's node */
    double slower;                /* how much longer its two ports, idle, keep it than those of the quickest nodes, among
                                   * which transits were measured */
    double common;                /* on what all nodes have in common */
    int shares;                   /* above 1: a message goes over so many rails at once, and the above is of a share of it; `common`
                                   * is of all of it. Else over one */
    double buffer;                /* how far behind the receiver's in port may be before it loses what comes; INFINITY:
                                   * for ever */
};

/* What a node has of ports; where ports are processes' own, each of its processes. */
struct node_ports {
    bool both;                    /* what leaves and what enters pass one queue */
    int rails;                    /* so many of them side by side (network/rails.h) */
};

/* What lies on the way of a message beside the ports of its nodes: one of the machine's resources, a line of which may
 * be of several owners. */
enum { PATH_MOST = 32 }; /* a tree of 16 levels, up and down; a machine with more is refused */
struct path_hop {
    int32_t resource; /* which line */
    int32_t owner;    /* whose: numbers differ where queues do */
};

/* credit(M) = max(0, credit - out gap(M)) at the sender's, the receiver's node: how much earlier a port that serves
 * whole messages lets an M-byte one through. */
static inline double port_cost_out_credit(const struct port_cost *cost)
{
    return cost->out_saved > cost->out_gap ? cost->out_saved - cost->out_gap : 0;
}

static inline double port_cost_in_credit(const struct port_cost *cost)
{
    return cost->in_saved > cost->receivers_out_gap ? cost->in_saved - cost->receivers_out_gap : 0;
}

struct cost_options {
    const char *model; /* a name of model_list.h */
    enum cost_mode mode;
    enum contention contention;
    int ppn;           /* processes per node of the run: selects the measured entries */
};

/* A size whose late messages count for less than was measured (models/measured/rare.h): its mean transit, s, as measured and as it
 * is taken. taken 0: there is none. */
struct rare_mean {
    int64_t bytes;
    double measured, taken;
};

/* An opened model. The fields are read-only for callers; functions take the model itself as first argument. */
struct cost_model {
    const char *name;
    enum port_scope ports;
    int64_t eager_limit[N_TRANSPORTS]; /* largest payload sent eagerly; INT64_MAX: all eager */
    bool eager_limit_taken[N_TRANSPORTS]; /* it is another's, for want of its own (machine_limit_of) */
    enum rendezvous rendezvous[N_TRANSPORTS]; /* what becomes of larger ones */
    int64_t unread_limit[N_TRANSPORTS];       /* the largest message whose send is over before its receiver was in MPI; INT64_MAX: any that
                                               * is eager */
    bool socket_levels;       /* messages within a socket have a level of their own; else all within a node have one */
    bool size_blind;          /* a message of any size costs what a small one does: LogP */
    bool self_is_known;       /* what a message to oneself costs, beyond the overheads of an empty message */
    struct rare_mean rare[N_TRANSPORTS]; /* where it changes the mean by the longest time */
    enum progress progress;
    const char *in_time_by;   /* what of the machine file ("ports: reverse_gap") only an engine knows that serves requests in
                               * the order of time; NULL: nothing */
    bool streams;             /* CONTENTION_frames: a pair's messages are a stream of bytes in frames, and so are its
                               * answers */
    const struct distribution *overflow; /* not NULL: messages are lost where there is a buffer */
    const struct machine_curve *rest_delay; /* of struct machine; NULL: none */
    const struct machine_curve *wake;       /* of what all nodes share; NULL: none */
    double measured_after;    /* the rest, s, that is in every transit and overhead */
    double known, known_after_rest; /* of struct machine */
    const struct machine_curve *known_after_wait; /* likewise; NULL: not known */
    const struct machine_connect *connect; /* of struct machine; NULL: not known, or no ports */
    const struct machine_curve *send_buffer; /* likewise; NULL: not known */
    enum congestion congestion; /* how TCP avoids it; cubic where the file does not say */
    int level_max;      /* transit is the same at this and every higher level; 1 = it does not depend on the level */
    int level_measured[N_TRANSPORTS]; /* the highest level measured (0: the model knows no levels); a run above it is
                                       * noted */
    bool other_ppn;     /* between nodes nothing was measured with the run's processes per node, only with others */

    /* The class of an ordered pair of processes on these nodes: pairs of one class cost the same. Any value < 2^32 - 1.
     * Nodes beyond those the machine file describes are treated as its nodes taken round robin. */
    uint32_t (*pair_class)(const struct cost_model *model, enum transport transport, int from_node, int to_node);

    /* The cost of one message of `bytes` between a pair of `pair_class`. *mix is overwritten; its parts live as long as
     * the model. level >= 1. */
    void (*transit)(const struct cost_model *model, uint32_t pair_class, enum send_kind kind, int64_t bytes, int level,
                    struct mix *mix);
    void (*overhead)(const struct cost_model *model, uint32_t pair_class, enum side side, enum send_kind kind,
                     int64_t bytes, struct mix *mix);
    void (*ports_for)(const struct cost_model *model, uint32_t pair_class, int64_t bytes, struct port_cost *cost);
    /* NULL: each has a port out and a port in. */
    struct node_ports (*node_ports)(const struct cost_model *model, int node);
    /* The way from one process to another, in the order in which messages pass it: how many there are. NULL: none
     * anywhere. And what a message costs one of them; *acknowledgements: what those of a message that goes the other
     * way do. */
    int (*path)(const struct cost_model *model, enum transport transport, struct seat from, struct seat to,
                struct path_hop hop[PATH_MOST]);
    void (*hop_for)(const struct cost_model *model, int32_t resource, int64_t bytes, struct hop_cost *cost,
                    double *acknowledgements);
    /* The sizes whose transits were measured. NULL: costs are a formula of the size. */
    void (*sizes)(const struct cost_model *model, uint32_t pair_class, enum send_kind kind,
                  struct measured_range *sizes);
    void (*close)(struct cost_model *model);
};

/* Opens the model named in the options on a machine file (borrowed: must outlive the model).
 *   STATUS_USAGE   no such model (with a suggestion)
 *   STATUS_SCHEMA  the machine file lacks what the model needs; the diagnostic names the key that is missing
 * On success the caller ends it with cost_model_close. */
enum status cost_model_open(struct cost_model **model, const struct machine *machine,
                            const struct cost_options *options, struct diags *diags);
void cost_model_close(struct cost_model *model);

/* For those who implement a model: its eager limits, and what becomes of larger messages, as the machine file has
 * them. */
void cost_eager_limits(struct cost_model *model, const struct machine *machine);

/* `--contention` names; false when there is no such name. */
bool contention_parse(const char *name, enum contention *contention);
const char *contention_name(enum contention contention);

#endif
