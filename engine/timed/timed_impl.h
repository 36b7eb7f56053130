/* timed_impl.h - the state of the time-ordered engine, shared by its files:
 *
 *     timed.c       creation, reset, the loop over events, results, deadlock
 *     step.c        instructions of a process
 *     post.c        messages of a process: posting them, receives and sends
 *     call.c        operations: waiting, testing, probing, completing
 *     match.c       messages and receives find each other
 *     leave.c       what happens to a message where it leaves: board, out port, handshakes
 *     wire.c        ... and on its way: transit, in port, arrival
 *     remote.c      one-sided operations: what is kept and sent, and what its receivers do with it
 *     frames.c      the same frame by frame, where some may be lost
 *     path.c        the same where the way leads through more than two ports
 *     collective.c  collective operations, with unroll.c and whole.c
 *     tell.c        what the ledger is told
 *
 * One replication at a time. Whatever can touch another process (a send, a receive, a wait, a probe) happens in the
 * order of time: a process runs until it comes to such a call at a later time than now, and then waits for its turn. So
 * a wildcard takes the message that arrives first, and ports serve what reaches them first. A receive that names its
 * source is bound to its message as soon as both are there, whenever that arrives: nothing else can take its place.
 * Objects are indices into pools that grow by doubling and are kept between runs. */
#ifndef PEVPM_ENGINE_TIMED_IMPL_H
#define PEVPM_ENGINE_TIMED_IMPL_H

#include "engine/engine_impl.h"
#include "engine/timed/event_queue.h"
#include "engine/ledger.h"
#include "engine/operand.h"
#include "engine/price.h"
#include "engine/random.h"
#include "engine/rules.h"
#include "engine/slow.h"
#include "engine/timed/turns.h"
#include "engine/variability.h"
#include "network/acknowledging.h"
#include "network/connection.h"
#include "network/outlet.h"
#include "network/passage.h"
#include "network/processors.h"
#include "network/queue.h"

#include <stdbool.h>
#include <stdint.h>

enum { NONE = -1 };

/* In the order in which events of one time happen. Turns of processes are not in the event queue but in a tree of their
 * own (turns.h): each process has one at most. X(name, of what) */
#define EVENT_LIST(X)                                                \
    X(LAST, "a channel: the last frame of its first message on the wire reaches the in port") \
    X(FLIGHT, "a flight: a frame reaches a resource or its receiver, or its acknowledgement the sender") \
    X(ALARM, "a connection: it may have to repeat frames") \
    X(ENTER, "a transfer: its first frame reaches the in port")     \
    X(OVER, "a passage: the last frame reaches the resource")        \
    X(PAUSE, "a passage: the last frame should have reached it")     \
    X(BEGIN, "a passage: the first frame reaches the resource")      \
    X(ARRIVE, "a transfer: it is there for wildcards, probes, and receivers of a window") \
    X(PERMIT, "a transfer: its announcement has come")              \
    X(DEPART, "a transfer: the permission to send it has come")     \
    X(ACKNOWLEDGE, "a synchronous send: its receive has got the message") \
    X(ANSWER, "a channel: the acknowledgement of a synchronous send on it has come") \
    X(FOLLOW, "a transfer: the out port has passed what it had of it, and more follows") \
    X(FRAME, "a channel: a frame of it has passed, and what was sent meanwhile follows in the next") \
    X(RESUME, "a transfer: after a pause its frames reach the in port again") \
    X(TURN, "a process: it goes on")                                \
    X(LEVEL, "a transfer: its transit is drawn at the level of now")
enum event_kind {
#define X(name, what) EVENT_##name,
    EVENT_LIST(X)
#undef X
};
#define X(name, what) +1
_Static_assert(EVENT_LIST(X) <= 32, "event_make has five bits for the kind");
#undef X

enum timed_state {
    TIMED_READY,      /* waits for its turn, or runs */
    TIMED_IN_RECEIVE, /* operation: the receive */
    TIMED_IN_SEND,    /* operation: the rendezvous send */
    TIMED_IN_WAIT,    /* for all marked operations */
    TIMED_IN_WAITANY, /* for the first marked operation; also Waitsome */
    TIMED_IN_PROBE,   /* operation: what it looks for */
    TIMED_IN_COLLECTIVE, /* costed as a whole: for the others */
    TIMED_ENDED,
};

/* Four words of one stream of a process: enough for four draws. */
struct timed_words {
    uint64_t block;              /* UINT64_MAX: none */
    uint32_t word[4];
};

struct timed_process {
    const struct instr *pc;      /* the next instruction, or the call it is in */
    const struct role *role;
    struct value *slots;
    struct region_clock *regions; /* [n_regions of the tree] */
    double clock;                /* of the next instruction */
    double call;                 /* the blocked call began */
    double until;                /* in the call from `call` until then; INFINITY while blocked */
    double looked;               /* not `looks`: the end of the last call that looked */
    bool looks;                  /* the call reads what comes, the last one if it is in none */
    double rest;                 /* how long it has computed since it last sent or waited */
    double overslept;            /* how much shorter its next computation is: the one before ended late by that */
    double active;               /* its last send or receive was over */
    double answered;             /* until then it last was busy with permitting a rendezvous as it posted its receive */
    uint8_t state;
    int32_t operation;           /* see enum timed_state */
    int32_t collective;          /* the call it is in (collective.c); NONE */
    int32_t site, node;
    struct timed_port *port;     /* its node's or its own; NULL: no ports */
    int32_t first_any, last_any; /* posted receives from any source */
    int32_t first_there, last_there; /* unmatched transfers that have arrived, in that order */
    int32_t first_open, last_open; /* operations a wait may name, in the order they were posted */
    int32_t first_meeting;       /* matched rendezvous that have not started and wait for this process */
    int32_t n_buffered;          /* messages of which it has still to send a part */
    int32_t n_pending;           /* IN_WAIT: operations it still waits for */
    int32_t first_parcel, first_lock; /* of struct timed_windows */
    uint64_t n_sent, n_received, n_sampled, n_computed, n_probed, n_collectives;
    uint64_t n_polls;            /* tests and probes in a row that found nothing */
    struct price *poll;          /* what one costs is of such a message; NULL: not known yet */
    double time_factor;          /* on Serial time, in this replication on its node */
    double serial, sampled_serial;
    double whole_others;         /* IN_COLLECTIVE: when all it waited for had come */
};

/* What an ordered pair of processes shares. */
struct timed_channel {
    int32_t from, to;
    int32_t first_unmatched, last_unmatched; /* transfers in the order of their sends */
    int32_t first_posted, last_posted;       /* receives that name this source */
    uint32_t pair_class;
    uint8_t transport, price_kind;           /* enum transport; the kind and size of the price below */
    double met;                              /* when the latest rendezvous of it began */
    bool rested;                             /* before its last message neither process had sent the other anything */
    int64_t price_bytes;
    struct price *price;
    double levelled, wire, last_frame, delivered; /* latest times of a level, on the wire, at the in port, of arrival: no
                                              * overtaking */
    int32_t first_on_wire, last_on_wire;     /* transfers on their way to the in port, in that order */
    int32_t n_over;                          /* LAST events still to come of transfers that no longer flow */
    int32_t connection;                      /* of struct timed_frames; NONE: it has never come near to losing a frame */
    int32_t window;                          /* without one: how many frames it has under way at most, once it has sent any */
    double round_trip;                       /* likewise, smoothed, s */
    int32_t back;                            /* the channel the other way; NONE: there is none yet */
    int64_t *on_board;                       /* how many messages are, on its board */
    int64_t eager_limit;                     /* of its transport */
    double leaves;                           /* when the out port has passed its messages */
    double passes, next;                     /* when all that has passed the receiver's in port as well, as foreseen; and
                                              * when the first frame of it has that had not: past, if it is not known */
    int32_t following;                       /* the transfer of which more follows; NONE */
    int32_t first_behind, last_behind;       /* transfers that leave when all of that has reached the out port; without it
                                              * those that are kept for the next frames */
    struct acknowledging acknowledging;      /* of its short messages, by its receiver */
    double kept;                             /* what these will take of the out port in one frame, s */
    bool frame_is_due;                       /* a FRAME event refers to it */
    int32_t first_hop;                       /* of struct timed_paths: n_hops of the way there, then n_back of that back;
                                              * both 0: there are but the ports of two nodes */
    int n_hops, n_back;
};

/* A message between its send call and the completion of its receive. */
struct timed_transfer {
    double time;                 /* departure, then the last frame at the in port, then arrival */
    uint64_t number;             /* among the sender's messages: its draws */
    int64_t bytes;
    int64_t context;             /* communicator and tag: operand_context */
    struct price *price;
    int32_t channel;
    int32_t receive;             /* operation; NONE: unmatched */
    int32_t send;                /* operation of a rendezvous; NONE */
    int32_t begins;              /* the transfer of which it is the part that does not wait; NONE */
    bool buffered, asked;        /* the rest of one that a Bsend has kept; its receiver waits for the part before it */
    int32_t acknowledges;        /* operation of a synchronous send whose data do not wait, until it is acknowledged; NONE */
    int32_t next_unmatched;      /* free: the next that is */
    bool delayed;                /* its last frame may have come later by acknowledgements before it */
    bool in_frames;              /* its frames are counted from ENTER to LAST */
    bool shares;                 /* it is in one frame with the message before */
    bool kept;                   /* as it was sent, for a frame with others */
    bool by_frame;               /* it passes frame by frame (frames.c) */
    bool overtaken;              /* others left its sender's port before all of it had */
    int32_t passage;             /* the first on its way (path.c); NONE */
    bool known;                  /* `time` is its arrival */
    bool there;                  /* it has arrived, or is the announcement of a rendezvous: wildcards and probes see
                                  * it */
    bool meets;                  /* in first_meeting of both ends */
    bool seen;                   /* a rendezvous that its receiver, having posted it, has seen in a test or Iprobe */
    bool queued;                 /* an ARRIVE event refers to it */
    bool done;                   /* received */
    double call;                 /* the send call */
    double announced, there_at;  /* of a rendezvous: when its announcement left the sender's port, and came */
    double permitted;            /* of one with handshakes: when the permission came; 0: it has not left */
    double chance_known;         /* the probability with which its announcement comes with the data before it */
    double spread;               /* from its first frame to its last at the in port; 0: all at once */
    double last_work;            /* what its last frame adds to the in port */
    double entered;              /* when its frames began to come */
    int32_t frames, brought;     /* by_frame: how many it has, and how many of these its sender's port has been brought */
    uint32_t frames_end;         /* the frame behind its last one in the stream of its pair */
    int32_t before_entering, next_entering; /* in_frames: among those that enter its port */
    double port_wait;            /* what ports added */
    double acknowledged;         /* of its out port, when it last brought it something of this */
    double handed;               /* when its out port was last brought something of it */
    double left;                 /* s that its out port has not been brought of it */
    double rate;                 /* at which its frames come, s of the in port per second */
    double reverse_out, reverse_in; /* what its acknowledgements take of the receiver's out port, the sender's in port;
                                     * a part of the time */
    int32_t site;
    int32_t next_there;
    int32_t next_on_wire;        /* or in its pair's stream of frames, or none */
    int32_t next_meeting[2];     /* [0] in the sender's list, [1] in the receiver's */
};

/* What a message of a window asks of the process that it comes to. */
enum window_request { WINDOW_NOTHING, WINDOW_LOCK, WINDOW_UNLOCK, WINDOW_ANSWER };
struct window_errand {
    int32_t first_get, last_get; /* the receives of MPI_Get that it is to send what they want, by their `next_posted` */
    uint8_t request;
    bool exclusive;
    int32_t answer;              /* the receive of the answer to the request */
};

/* Of a receive that stands for such a message: not yet there; there, but its process is not in MPI. */
enum serving { SERVING_NOTHING, SERVING_TO_COME, SERVING_DUE };

enum operation_kind { OPERATION_RECEIVE, OPERATION_SEND, OPERATION_COLLECTIVE };

/* A receive, blocking or not; a rendezvous send; a collective with a request; what a probe looks for. Eager sends are
 * complete at once and need none, but where a Waitany or a test may choose them. */
struct timed_operation {
    int64_t context, bytes, index;
    uint64_t number;             /* of a receive: its place in the order of posting */
    double completion;           /* arrival of the message, completion of a send or collective; once ready */
    double posted;
    int32_t process, from;       /* from: OPERAND_ANY_PEER */
    int32_t channel;             /* of a receive that names its source, of a send */
    int32_t transfer;            /* NONE: unmatched */
    int32_t next_posted, next_open; /* free: next_open */
    uint8_t kind;
    bool any_tag, named;         /* named: a wait may name it */
    bool ready;                  /* completion, or the arrival of its message, is known */
    bool waited;
    int32_t site, comm;
    int32_t name;                /* request: of tree->requests; INT32_MIN: none */
    int32_t call;                /* the collective call it belongs to, or stands for; NONE */
    int32_t candidates;          /* of a receive from any source: messages there that fitted when it was matched, if
                                  * it was at once */
    double started;              /* of a rendezvous: when its transfer began */
    int32_t window;              /* it is of one-sided operations there; NONE. Its communicator is `comm` */
    int32_t peer;                /* and this is the process at the other end; NONE: another has begun it */
    struct window_errand errand; /* what its process does when the message is there */
    uint8_t serving;             /* enum serving */
    int32_t reply;               /* the rendezvous send of what an answer to it is; NONE */
};

/* A node's or a process's port (rules: docs/ARCHITECTURE.md, section 4). */
struct timed_port {
    struct outlet out;
    struct queue in;
    int32_t first_entering;             /* transfer; NONE */
};

/* The quantile function of a computation whose arguments never change. */
struct known_serial {
    const struct quantile *q;           /* NULL: not looked up */
    uint32_t generation;                /* of the price book */
};

/* A resource that is not a port, at work; one of those on the way of a channel; a message at one of them or at the in
 * port behind. */
struct timed_queue {
    struct path_hop of;
    struct queue at;
};

struct timed_hop {
    int32_t queue, resource;
    bool priced;                        /* of the first one: the costs of all are those of such a message */
    int64_t bytes;
    struct hop_cost cost;
    double acknowledgements;
};

enum passage_stage { PASSAGE_TO_COME, PASSAGE_BEGUN, PASSAGE_ENDED };

struct timed_passage {
    struct passage at;
    int32_t transfer, queue;            /* queue NONE: the in port of the receiver */
    int32_t before, next;               /* of the same message; free: next. NONE: none */
    uint8_t stage;
    bool flows;                         /* a PAUSE event refers to it */
};

struct timed_paths {
    int32_t n_queues, n_hops, n_passages, free_passage;
    size_t queues_capacity, hops_capacity, passages_capacity;
    struct timed_queue *queues;
    struct timed_hop *hops;
    struct timed_passage *passages;
};

/* The frames of a channel: messages whose frames are not all there, in the order of their stream. */
struct timed_connection {
    struct connection at;
    int32_t channel;
    int32_t first_message, last_message; /* transfers; NONE */
    int32_t sending;                     /* of these, the one of which a new frame is */
    uint32_t stream_end;                 /* frames of all messages so far */
    double next_out;                     /* when a frame can leave behind those before it */
    double came, told;                   /* the latest times at which a frame and an acknowledgement came: they keep their order */
    double alarm;                        /* the earliest ALARM event to come; INFINITY: none */
};

/* Where a frame is: at hop 0, 1 ... of its way, the in port last; or */
enum { FLIGHT_RECEIVED = -1, FLIGHT_BACK = -2 };

struct timed_flight {
    const struct price *price;           /* of its message */
    int32_t channel, next;               /* free: next */
    uint32_t frame;                      /* of the connection's stream */
    bool ends;                           /* it is the last one of its message, which may be shorter */
    int16_t stage;
};

/* One-sided operations of a process that are kept until they are sent together. */
struct window_parcel {
    int32_t window, comm, peer;
    int64_t bytes;
    struct window_errand errand;
    bool locked;                 /* the process has asked for the lock of the peer's memory */
    bool is_word;                /* of a long MPI_Put, which goes at once */
    int32_t site;
    int32_t next;                /* of the process; free */
};

/* Who may access a process's memory in a window. */
struct window_lock {
    int32_t window, comm;
    int32_t n_holders;
    bool exclusive;
    int32_t first_waiting, last_waiting; /* receives of answers to requests that wait, by their `next_posted` */
    int32_t next;                /* of the process */
};

struct timed_windows {
    int32_t n_parcels, free_parcel, n_locks;
    size_t parcels_capacity, locks_capacity;
    struct window_parcel *parcels;
    struct window_lock *locks;
};

struct timed_frames {
    int32_t n_connections, n_flights, free_flight;
    size_t capacity, flights_capacity;
    struct timed_connection *connections; /* [capacity], those beyond n_connections keep their memory */
    struct timed_flight *flights;
};

struct timed {
    const struct engine_setup *setup;
    const struct program *program;
    const struct cost_model *model;
    const struct ledger *ledger;        /* NULL: nobody listens */
    double rest_longest;                /* model->rest_delay: the longest rest measured, s; beyond it nothing changes */
    double rest_measured;               /* what the rest delays that was before each measured message, s */
    struct price_book book;
    struct variability variability;
    struct level_log *levels;           /* of a sweep, where they do not depend on time; NULL: by time */
    struct known_serial *serials;       /* [n_serials] */
    int64_t combined;                   /* most bytes that a reduction combined for nothing, in all runs so far */
    struct event_queue queue;           /* of what happens to transfers */
    struct turns turns;                 /* but for the one below */
    double due_time;                    /* the turn of `due`, which may well be the next; TURN_NEVER: none */
    int32_t due;
    int32_t running;                    /* the process whose turn it is; its next turn is put down when it ends; NONE */
    double now;
    bool overtaken;                     /* something may come before the running process goes on, even now */

    struct timed_process *processes;    /* [numprocs] */
    struct value *slots;                /* all processes' */
    struct timed_words *words;          /* [numprocs][N_STREAMS] */
    struct timed_port *ports;           /* [numprocs]: by process or by node; NULL: no ports */
    struct timed_paths paths;
    struct timed_frames frames;
    struct timed_windows windows;
    double awake_until;                 /* when all that have rested so far are awake, where they share processors */
    double common_until;                /* when what all nodes have in common will have passed what it holds */
    int32_t *channel_table;             /* open addressing: (from, to) -> channel */
    size_t channel_mask;
    int channel_shift;                  /* of 64 bits to the table's */
    int32_t n_channels, channels_capacity;
    struct timed_channel *channels;
    int32_t n_transfers, transfers_capacity, free_transfer;
    struct timed_transfer *transfers;
    struct timed_transfer fresh;        /* what one begins as: copied, for that is quicker than to clear so many bytes */
    int32_t n_operations, operations_capacity, free_operation;
    struct timed_operation *operations;
    struct collectives *collectives;    /* collective.c; NULL: the program has none */

    int64_t *on_board;                  /* [engine_boards] messages in flight */
    int64_t largest[N_TRANSPORTS]; /* of engine_totals, in all runs so far: noted when a channel's price changes */
    int32_t n_ended;
    uint32_t replication;
    int level_most[N_TRANSPORTS];       /* as engine_totals */
    struct region_clock *regions;       /* all processes' */
    double *region_times;               /* [region_numbers], of the last run */
    struct slow slow;
    enum status status;
    struct diags *diags;
};

/* ---- timed.c ---- */

/* Ends the run with the problem at the process that met it. */
void timed_fail(struct timed *e, int32_t process, const struct problem *problem);

/* Whether the user stopped the run, which then fails. Also tells of one that takes long. */
bool timed_is_stopped(struct timed *e);

/* How much later than where it was measured a call begins, or a message leaves, after such a rest; negative: sooner. */
double timed_rest_delay(const struct timed *e, double rest);

/* A process whose turn is nowhere gets one: here, if none is due, else in the tree. */
static inline void timed_turn_put(struct timed *e, int32_t process, double time)
{
    if (e->due_time < TURN_NEVER) {
        turns_set(&e->turns, process, time);
        return;
    }
    e->due = process;
    e->due_time = time;
}

/* ---- step.c ---- */

/* Runs a process from its clock on until it blocks, ends, or comes to a call that must wait for its turn. */
void timed_run_process(struct timed *e, int32_t process);

/* ---- post.c ---- */

/* One call of a process; each returns whether the process goes on at once. */
bool timed_call_receive(struct timed *e, int32_t process, const struct instr *instr);
bool timed_call_post(struct timed *e, int32_t process, const struct instr *instr);
bool timed_call_send(struct timed *e, int32_t process, const struct instr *instr);

/* A receive that the process comes to later than now is posted already where that makes no difference but one turn
 * less: nothing else of the process is open, and nobody wants to know what else was there. A rendezvous cannot start
 * before both are there: for one, the receive waits until its own time (receive_recall). */
void timed_call_receive_ahead(struct timed *e, int32_t process, const struct instr *instr);

/* The announcement of a rendezvous reaches the process now: if it has posted its receive ahead of this, the receive
 * waits for its own time. */
void receive_recall(struct timed *e, int32_t process);

/* A process whose turn has come while it was blocked in a receive, or a send: finishes that. A receive that was
 * recalled is posted instead, and the process still in it. */
void receive_finish(struct timed *e, struct timed_process *p);
void send_finish(struct timed *e, int32_t process);

/* The operands of a message or a probe; false: the run has failed. */
bool timed_operands_compute(struct timed *e, int32_t process, const struct instr *instr, struct operands *o);

static inline bool operands_read(struct timed *e, int32_t process, const struct instr *instr, struct operands *o)
{
    if (instr->dynamic != 0)
        return timed_operands_compute(e, process, instr, o);
    *o = operand_message_known(e->processes[process].role, instr, process);
    return true;
}

/* The element index of the instruction's request number `which`; false: the run has failed. */
bool timed_request_read(struct timed *e, int32_t process, const struct instr *instr, int32_t which, int64_t *index);

/* An operation posted now; fields of its kind are the caller's to fill. */
int32_t timed_operation_new(struct timed *e, int32_t process, enum operation_kind kind, int32_t site);

/* Posts a message or a receive on behalf of a process, now. `blocking`: its process will wait for it by itself.
 * Returns the operation (send: NONE where it is complete at once). */
int32_t send_post(struct timed *e, int32_t process, const struct operands *o, uint8_t op, int32_t site, bool blocking);
int32_t receive_post(struct timed *e, int32_t process, const struct operands *o, int32_t site);

/* The same as a nonblocking send, of a message that `receive`, posted already, takes. A rendezvous has yet to be matched. */
int32_t send_post_to(struct timed *e, int32_t process, const struct operands *o, int32_t site, int32_t receive);

/* From now on a wait may name it; INT32_MIN: only one that names all. */
void operation_open(struct timed *e, int32_t operation, int32_t name, int64_t index);

/* A receive of a call that has come to `call`: when it returns; and, at that time, takes its message off the board. */
double receive_return(struct timed *e, int32_t operation, double call, double *overhead);
void receive_complete(struct timed *e, int32_t operation, double time);

/* Variables that the instruction binds: one of them; what a message tells. NONE: nothing was received
 * (MPI_PROC_NULL). */
static inline void bind_value(struct timed_process *p, const struct instr *instr, enum bind_key key, int64_t value)
{
    if (instr->binds && instr->bind[key] >= 0)
        p->slots[instr->bind[key]] = value_int(value);
}

/* Binds source, tag and bytes of a message to the names of an instruction of the process; transfer NONE: what a receive from
 * MPI_PROC_NULL gives. */
void bind_status(struct timed *e, int32_t process, const struct instr *instr, int32_t comm, int32_t transfer);

/* ---- call.c ---- */

/* One call of a process, as above. */
bool timed_call_wait(struct timed *e, int32_t process, const struct instr *instr); /* also Waitany, Waitsome */
bool timed_call_test(struct timed *e, int32_t process, const struct instr *instr);
bool timed_call_probe(struct timed *e, int32_t process, const struct instr *instr);

/* A process whose turn has come while it was in any other call: finishes it. */
void timed_call_finish(struct timed *e, int32_t process);

/* The operation's completion has become known. */
void operation_ready(struct timed *e, int32_t operation);

/* An unmatched transfer is there: a probe that waits for it may go on. */
void arrival_noticed(struct timed *e, int32_t transfer);

/* Lets a blocked process go on at `time`, or earlier where that is known already. */
void process_wake(struct timed *e, int32_t process, double time);

/* Is the process in a call now that looks, as far as progress of a rendezvous goes? */
bool process_in_mpi(const struct timed *e, int32_t process);

/* Until when it has read what had come for it. */
static inline double process_has_read_until(const struct timed_process *p)
{
    return p->looks ? p->until : p->looked;
}

/* It has read the message, or its announcement: a call that needs nothing else is over without looking at the network.
 * Only where the wire has handshakes: the other engines have no such calls. */
bool process_has_read(const struct timed *e, int32_t process, int32_t transfer);

/* Enters MPI, until a time that is known or for a call that may block: INFINITY; and blocks there. `call`: when that began,
 * no later than now where the process is to be met in it. pass: a call that does not look. */
void timed_meetings_start(struct timed *e, int32_t process);

static inline void timed_mpi_enter_at(struct timed *e, int32_t process, double call, double until)
{
    struct timed_process *p = &e->processes[process];
    p->call = call;
    p->until = until;
    p->looks = true;
    if (p->first_meeting != NONE)
        timed_meetings_start(e, process);
}

static inline void timed_mpi_enter(struct timed *e, int32_t process, double until)
{
    timed_mpi_enter_at(e, process, e->processes[process].clock, until);
}

static inline void timed_mpi_pass(struct timed *e, int32_t process)
{
    struct timed_process *p = &e->processes[process];
    p->looked = process_has_read_until(p);
    p->looks = false;
    p->call = p->clock;
    p->until = INFINITY;
}

static inline void process_block(struct timed_process *p, enum timed_state state, int32_t operation)
{
    p->state = (uint8_t)state;
    p->operation = operation;
    p->n_polls = 0;
}

/* Blocks the process until all marked operations are complete; completes them, since they are. */
void timed_wait_marked(struct timed *e, int32_t process);
void timed_complete_marked(struct timed *e, int32_t process);

/* A wait no longer may name it; released. */
void operation_close(struct timed *e, int32_t operation);

/* ---- remote.c ---- */

/* As the calls above: MPI_Put and MPI_Get; LOCK; UNLOCK and FLUSH; DELIVER. */
bool timed_call_remote(struct timed *e, int32_t process, const struct instr *instr);
bool timed_call_lock(struct timed *e, int32_t process, const struct instr *instr);
bool timed_call_release(struct timed *e, int32_t process, const struct instr *instr);
bool timed_call_deliver(struct timed *e, int32_t process, const struct instr *instr);

/* Does a call that has blocked begin anew when what it waited for is there? */
bool remote_call_begins_anew(const struct instr *instr);

/* Marks the open operations that a SETTLE waits for. False: the run has failed. */
bool remote_mark(struct timed *e, int32_t process, const struct instr *instr);

/* A message of a window is there, or its process comes to MPI: it is received, if that is so now; it is received otherwise. */
void remote_serve(struct timed *e, int32_t operation);
void remote_received(struct timed *e, int32_t operation);

/* A process ends: nothing may be left that it would have had to send. False: the run has failed. */
bool remote_end(struct timed *e, int32_t process);

/* reset: as before a replication, memory kept; free: gives it back. So do those of paths and frames below. */
void windows_reset(struct timed_windows *windows);
void windows_free(struct timed_windows *windows);

/* ---- collective.c, unroll.c, whole.c ---- */

/* Room for all collectives of a program; NULL where it has none. Reset before every run. */
struct collectives *collectives_create(const struct program *program);
void collectives_reset(struct collectives *collectives, const struct program *program);
void collectives_destroy(struct collectives *collectives, const struct program *program);

/* As the calls above. */
bool timed_call_collective(struct timed *e, int32_t process, const struct instr *instr);

/* The process is in a collective that is unrolled: the next move. Returns whether the process goes on. */
bool collective_go_on(struct timed *e, int32_t process);

/* The process has left one that was costed as a whole. */
void collective_finish(struct timed *e, int32_t process, int32_t site);

/* Collectives with a request that are unrolled, of one process:
 *   progress   in a test: one goes on that can, a move or the end of one; marks are then lost. False: none can
 *   move       in a wait: one that is marked makes its next move, if it can. False: all of them wait
 *   expect     a process blocked in a wait is woken when one that is marked can go on
 *   step       a process woken so: that one has got what it waited for, and the wait begins anew; else false */
bool collectives_progress(struct timed *e, int32_t process);
bool collectives_move(struct timed *e, int32_t process);
void collectives_expect(struct timed *e, int32_t process);
bool collectives_step(struct timed *e, int32_t process);

/* What an operation that is not complete waits for: of a collective that is unrolled its next message. */
int32_t collective_waits_for(const struct timed *e, int32_t operation);

/* ---- match.c ---- */

/* A message with that context (operand_context) satisfies a receive of `wanted`, whose tag counts unless any_tag. Tags
 * of collectives are negative and no wildcard takes them. */
static inline bool context_fits(int64_t context, int64_t wanted, bool any_tag)
{
    return any_tag ? context >> 32 == wanted >> 32 && (context & 0x80000000) == 0 : context == wanted;
}

/* Fibonacci hashing: the upper bits of the product depend on both processes. */
static inline size_t channel_hash(const struct timed *e, int32_t from, int32_t to)
{
    uint64_t key = (uint64_t)(uint32_t)from << 32 | (uint32_t)to;
    return (size_t)(key * 0x9e3779b97f4a7c15u >> e->channel_shift);
}

/* The way between two processes, and what it costs. */
static inline enum transport timed_transport(const struct timed *e, int32_t from, int32_t to)
{
    return transport_between(from, to, e->processes[from].node, e->processes[to].node);
}

static inline uint32_t timed_pair_class(const struct timed *e, int32_t from, int32_t to)
{
    return e->model->pair_class(e->model, timed_transport(e, from, to), e->processes[from].node,
                                e->processes[to].node);
}

/* The channel of a pair; made when it is not there yet. reset: as at the start of a run. */
int32_t channel_new(struct timed *e, int32_t from, int32_t to);
void channel_reset(struct timed_channel *c);

/* NONE: there is none. */
static inline int32_t channel_there(const struct timed *e, int32_t from, int32_t to)
{
    for (size_t i = channel_hash(e, from, to); e->n_channels > 0; i = (i + 1) & e->channel_mask) {
        int32_t c = e->channel_table[i];
        if (c == NONE || (e->channels[c].from == from && e->channels[c].to == to))
            return c;
    }
    return NONE;
}

static inline int32_t channel_find(struct timed *e, int32_t from, int32_t to)
{
    const int32_t c = channel_there(e, from, to);
    return c != NONE ? c : channel_new(e, from, to);
}

/* Twice the room; pointers into the pool end here. */
void timed_transfers_grow(struct timed *e);
void timed_operations_grow(struct timed *e);

/* One from the pool, as it was left. */
static inline int32_t timed_transfer_take(struct timed *e)
{
    int32_t t = e->free_transfer;
    if (t != NONE) {
        e->free_transfer = e->transfers[t].next_unmatched;
        return t;
    }
    if (e->n_transfers == e->transfers_capacity)
        timed_transfers_grow(e);
    return e->n_transfers++;
}

/* An event may still refer to it: then that event releases it. */
static inline void timed_transfer_release(struct timed *e, int32_t transfer)
{
    struct timed_transfer *m = &e->transfers[transfer];
    m->done = true;
    if (m->queued)
        return;
    m->next_unmatched = e->free_transfer;
    e->free_transfer = transfer;
}

static inline int32_t timed_operation_take(struct timed *e)
{
    int32_t o = e->free_operation;
    if (o != NONE) {
        e->free_operation = e->operations[o].next_open;
        return o;
    }
    if (e->n_operations == e->operations_capacity)
        timed_operations_grow(e);
    return e->n_operations++;
}

static inline void timed_operation_release(struct timed *e, int32_t operation)
{
    e->operations[operation].next_open = e->free_operation;
    e->free_operation = operation;
}

/* A transfer finds a receive that must be its own: when it is sent, and again when it is there. */
void match_new(struct timed *e, int32_t transfer);
void match_transfer(struct timed *e, int32_t transfer);

/* The message that a receive just posted takes; NONE. Counts what an operation's `candidates` are. */
int32_t match_look(struct timed *e, int32_t operation);

static inline int32_t match_find(struct timed *e, int32_t operation)
{
    const struct timed_operation *o = &e->operations[operation];
    int32_t first = o->from == OPERAND_ANY_PEER ? e->processes[o->process].first_there
                                                : e->channels[o->channel].first_unmatched;
    return first == NONE ? NONE : match_look(e, operation);
}

/* It is queued for its message; it takes this one. */
void match_receive_with(struct timed *e, int32_t operation, int32_t transfer);

static inline void match_queue(struct timed *e, int32_t operation)
{
    struct timed_operation *o = &e->operations[operation];
    bool any = o->from == OPERAND_ANY_PEER;
    int32_t *first = any ? &e->processes[o->process].first_any : &e->channels[o->channel].first_posted;
    int32_t *last = any ? &e->processes[o->process].last_any : &e->channels[o->channel].last_posted;
    o->next_posted = NONE;
    if (*last == NONE)
        *first = operation;
    else
        e->operations[*last].next_posted = operation;
    *last = operation;
}

/* A receive just posted finds its message, or is queued. */
static inline void match_receive(struct timed *e, int32_t operation)
{
    int32_t transfer = match_find(e, operation);
    if (transfer == NONE)
        match_queue(e, operation);
    else
        match_receive_with(e, operation, transfer);
}

/* A message there is taken out for a receive of its own (MPI_Mprobe): none but match_taken finds it. */
void match_take(struct timed *e, int32_t transfer);
void match_taken(struct timed *e, int32_t operation, int32_t transfer);

/* A receive that is queued no longer is. */
void match_withdraw(struct timed *e, int32_t operation);

/* The first message there that a probe would see; NONE. Counts all of different sources in *candidates. */
int32_t match_probe(const struct timed *e, int32_t process, int32_t from, int64_t context, bool any_tag,
                    int32_t *candidates);

/* What has to be done when a process at one of its ends comes to MPI: rendezvous_try; and no longer. */
void meeting_wait(struct timed *e, int32_t transfer);
void meeting_end(struct timed *e, int32_t transfer);

/* A matched rendezvous goes on, if the processes it needs are in MPI; else when they are. EVENT_PERMIT and EVENT_DEPART
 * are steps of it. see: in a test or Iprobe the process sees all that wait for it to receive them. */
void rendezvous_see(struct timed *e, int32_t process);
void rendezvous_try(struct timed *e, int32_t transfer);
void rendezvous_permit(struct timed *e, int32_t transfer);
void rendezvous_depart(struct timed *e, int32_t transfer);
/* The process has come to its end: what it has buffered and may send leaves then. */
void rendezvous_ended(struct timed *e, int32_t process);

/* The receive of a message whose arrival is known: what was sent synchronously is acknowledged when it has come and its
 * receiver is in MPI (EVENT_ACKNOWLEDGE, of the send). Released: the receive is complete, the transfer goes. */
void receive_ready(struct timed *e, int32_t operation);
void send_acknowledge(struct timed *e, int32_t send);
void acknowledgement_released(struct timed *e, int32_t transfer);

/* Its data start at the time that stands for its send call. */
void rendezvous_start(struct timed *e, int32_t transfer, double time);

/* ---- wire.c ---- */

/* The four words of words->block. */
void timed_words_fill(struct timed *e, struct timed_words *words, int32_t process, enum stream stream);

static inline uint32_t timed_word(struct timed *e, int32_t process, enum stream stream, uint64_t draw)
{
    struct timed_words *words = &e->words[(size_t)process * N_STREAMS + (size_t)stream];
    if (words->block != draw / 4) {
        words->block = draw / 4;
        timed_words_fill(e, words, process, stream);
    }
    return words->word[draw % 4];
}

static inline double timed_drawn(struct timed *e, const struct quantile *q, int32_t process, enum stream stream,
                                 uint64_t draw)
{
    return q->constant ? q->value : quantile_at(q, timed_word(e, process, stream, draw));
}

/* What a call takes that the network asks nothing of: the library alone, as in a message to oneself. */
double wire_overhead_within(struct timed *e, const struct timed_transfer *m, enum side side, enum stream stream);

static inline double send_overhead(struct timed *e, const struct timed_transfer *m, int32_t from)
{
    if (m->kept)
        return wire_overhead_within(e, m, SIDE_SEND, STREAM_SEND_OVERHEAD);
    if (m->price->constant_overhead[SIDE_SEND])
        return m->price->constant[SIDE_SEND];
    return timed_drawn(e, price_overhead(&e->book, m->price, SIDE_SEND), from, STREAM_SEND_OVERHEAD, m->number);
}

static inline double receive_overhead(struct timed *e, const struct timed_operation *o)
{
    const struct timed_transfer *m = &e->transfers[o->transfer];
    if (m->shares)
        return wire_overhead_within(e, m, SIDE_RECEIVE, STREAM_TRANSIT);
    if (m->price->constant_overhead[SIDE_RECEIVE])
        return m->price->constant[SIDE_RECEIVE];
    return timed_drawn(e, price_overhead(&e->book, m->price, SIDE_RECEIVE), e->channels[m->channel].from,
                       STREAM_TRANSIT, m->number);
}

/* So much of a message waits behind others at its sender's port: the last of it comes later, and until that passes what it
 * waits for nothing of it comes. */
void wire_wait(struct timed *e, int32_t transfer, double wait);

/* The events of enum event_kind that are a transfer's. */
void wire_resume(struct timed *e, int32_t transfer);
void wire_level(struct timed *e, int32_t transfer);
void wire_enter(struct timed *e, int32_t transfer);
void wire_last(struct timed *e, int32_t channel);
void wire_arrive(struct timed *e, int32_t transfer);

/* The last resource has passed all of it, at `leaves`; x: if all had been idle. Its arrival is known, then. */
void wire_passed(struct timed *e, int32_t transfer, double x, double leaves);
void wire_arrival_known(struct timed *e, int32_t transfer, double arrival);

/* At once: what acknowledgements of that part of a message take of ports. A message of one frame has one, or shares one, at
 * its end. */
void wire_acknowledge(struct timed *e, const struct timed_channel *c, const struct price *price, double part);

/* A frame that several messages may share, at this price, has come on the channel: it may be acknowledged by one of its own. */
void wire_frame_heard(struct timed *e, struct timed_channel *c, const struct price *price);

/* It flows into its in port no longer: the rest of it comes frame by frame. */
void wire_flow_stop(struct timed *e, int32_t transfer);

static inline struct timed_port *timed_port_of(struct timed *e, int32_t process)
{
    return e->processes[process].port;
}

/* ---- leave.c ---- */

static inline bool wire_uses_ports(const struct timed *e, const struct timed_channel *c)
{
    return e->ports && c->transport == TRANSPORT_network;
}

/* What feeds the way of a channel: its sender's out port, which may be those of others of its node; without ports the pair. */
static inline int32_t wire_source(const struct timed *e, const struct timed_channel *c)
{
    return wire_uses_ports(e, c) ? (int32_t)(e->processes[c->from].port - e->ports)
                                 : -2 - (int32_t)(c - e->channels); /* -1: QUEUE_SEVERAL */
}

/* The message starts at `time`: the send call, which is now, or the start of a rendezvous. */
void wire_depart(struct timed *e, int32_t transfer, double time);

/* Rendezvous. Where ports serve frames the announcement and the receiver's permission are messages of their own.
 *   announce  the sender has called
 *   meet      the receiver has posted it and is in MPI, where there are no handshakes the sender too
 *   permit    meanwhile the announcement has come: the permission leaves
 * answer_time: for how long sending a permission keeps a process busy. */
bool wire_has_handshakes(const struct timed *e, const struct timed_channel *c);
double wire_answer_time(struct timed *e, const struct timed_channel *c);
void wire_announce(struct timed *e, int32_t transfer);
/* What its announcement was behind has arrived: it has come with that, or comes after it. */
void wire_announcement_come(struct timed *e, struct timed_transfer *m);
/* When what the channel's receiver acknowledges now has come back. */
double wire_acknowledged(struct timed *e, const struct timed_channel *c);
/* The receiver of a synchronous send on the channel answers it, now, with a message of 0 bytes: when that has come, and that
 * it has. */
double wire_answer(struct timed *e, int32_t channel);
void wire_answer_come(struct timed *e, int32_t channel);
void wire_meet(struct timed *e, int32_t transfer);
void wire_permit(struct timed *e, int32_t transfer);
/* What stands for the send call of the rest of a buffered message that leaves now: if that is long, its transit has the
 * handshakes. */
double wire_rest_departs(struct timed *e, const struct timed_transfer *m);

/* The out port has passed what it had of a message, and gets more of it (EVENT_FOLLOW). */
void wire_follow(struct timed *e, int32_t transfer);

/* A frame of the channel has passed: what was sent meanwhile follows in the next (EVENT_FRAME). */
void wire_frame(struct timed *e, int32_t channel);

/* What the message takes of the in port. */
static inline double wire_in_work(const struct timed_transfer *m)
{
    return m->price->ports.in_gap - (m->shares ? m->price->ports.in_shared : 0);
}

/* ---- path.c ---- */

/* What messages of such a size cost the hops of the channel. */
void path_price(struct timed *e, const struct timed_channel *c, int64_t bytes);

/* Finds the way of a new channel. */
void path_find(struct timed *e, struct timed_channel *c);

/* The least time before anything of a message can reach the first resource on its way. */
double path_lead(struct timed *e, const struct timed_channel *c, struct price *price, double least);

/* The message, which idle resources would have passed by x, goes through them: its events, of passages. */
void path_enter(struct timed *e, int32_t transfer, double x);
/* It waits so much longer at its sender's port: the first of its passages is over later. True: it flowed, and pauses
 * until it goes on. */
bool path_wait(struct timed *e, int32_t passage, double wait);
void path_go_on(struct timed *e, int32_t passage);
void path_begin(struct timed *e, int32_t passage);
void path_pause(struct timed *e, int32_t passage);
void path_over(struct timed *e, int32_t passage);

/* All resources idle, no message on its way. */
void paths_reset(struct timed_paths *paths);
void paths_free(struct timed_paths *paths);

/* ---- frames.c ---- */

/* Whether a message, the first frame of which is about to come and the last one so much later, must pass its way frame by
 * frame: something on it may lose frames, as it is or as it is foreseen, or its pair's messages before it do so. */
bool frames_wanted(struct timed *e, int32_t transfer, double width);
bool frames_expected(struct timed *e, const struct timed_channel *c);

/* From now on it does, and so does what flows into its in port. */
void frames_begin(struct timed *e, int32_t transfer);

/* Its sender's port has been brought more of it, `wait` behind others. */
void frames_follow(struct timed *e, int32_t transfer, double wait);

/* A message has passed otherwise; its receiver's port has passed it by `leaves`. */
void frames_passed(struct timed *e, struct timed_channel *c, const struct timed_transfer *m, double leaves);

/* EVENT_FLIGHT, EVENT_ALARM */
void frames_event(struct timed *e, int32_t flight);
void frames_alarm(struct timed *e, int32_t connection);

/* No connection has sent anything. */
void frames_reset(struct timed_frames *frames);
void frames_free(struct timed_frames *frames);

/* ---- tell.c: nothing where nobody listens ---- */

/* Pass on what engine/ledger.h describes; tell_flight also tells the choice of a wildcard. */
void timed_tell_span(struct timed *e, int32_t process, int32_t site, enum loss loss, double from, double to);
void timed_tell_flight(struct timed *e, const struct timed_operation *o, const struct timed_transfer *m, double time);
void timed_tell_choice(struct timed *e, int32_t process, int32_t site, int32_t source, int32_t candidates);
void timed_tell_lost(struct timed *e); /* at the end of a run */

/* A wait for a message from `from` to `to`, split by its reasons; for a send or a collective; for a probe. */
void timed_tell_wait(struct timed *e, const struct timed_operation *o, double from, double to, double overhead);
void timed_tell_send(struct timed *e, const struct timed_operation *o, double from, double to);
void timed_tell_probe(struct timed *e, int32_t process, int32_t site, const struct timed_transfer *m, double from,
                      double to);

static inline void timed_tell(struct timed *e, int32_t process, int32_t site, enum loss loss, double from, double to)
{
    if (e->ledger)
        timed_tell_span(e, process, site, loss, from, to);
}

static inline void event_add(struct timed *e, double time, enum event_kind kind, int32_t process, int32_t transfer)
{
    e->overtaken |= time <= e->now;
    event_queue_push(&e->queue, event_make(time, (int)kind, process, (uint64_t)transfer));
}

#endif
