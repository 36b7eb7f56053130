/* state.h - the state of the time-ordered engine, shared by its files:
 *
 *     timed.c       creation, reset, the loop over events, results, deadlock
 *     match.c       messages and receives find each other
 *     rendezvous.c  when those whose sender waits for their receiver go on
 *     tell.c        what the ledger is told
 *
 * and on process/, what a process does:
 *
 *     step.c        its instructions
 *     post.c        its messages: posting them, receives and sends
 *     call.c        its calls: entering and leaving MPI, waiting, going on
 *     look.c        its tests and probes
 *     marked.c      the operations that a wait or a test names
 *     polling.c     the same of one that looks in vain, again and again: without turns
 *     collective.c  collective operations, with unroll.c and whole.c
 *     remote.c      one-sided operations: what is kept and sent, and what its receivers do with it
 *
 * and on way/, what happens to a message:
 *
 *     leave.c       where it leaves: board, out port
 *     handshake.c   before that, of a long one: announcement and permission; behind a synchronous one: its answer
 *     socket.c      when the host has taken all of it, so that its send is over
 *     wire.c        ... and on its way: transit, in port, arrival
 *     connect.c     before that, where two processes have not spoken yet: their connection
 *     losses.c      the same where some may be lost
 *     path.c        the same where the way leads through more than two ports
 *
 * or, with --contention frames, on stream/ (streams.h), where leave.c hands it over.
 *
 * One replication at a time. Whatever can touch another process (a send, a receive, a wait, a probe) happens in the
 * order of time: a process runs until it comes to such a call at a later time than now, and then waits for its turn. So
 * a wildcard takes the message that arrives first, and ports serve what reaches them first. A receive that names its
 * source is bound to its message as soon as both are there, whenever that arrives: nothing else can take its place.
 * Objects are indices into pools that grow by doubling and are kept between runs. */
#ifndef PEVPM_ENGINE_TIMED_STATE_H
#define PEVPM_ENGINE_TIMED_STATE_H

#include "engine/engine_impl.h"
#include "engine/ledger.h"
#include "engine/operand.h"
#include "engine/price.h"
#include "engine/random.h"
#include "engine/rules.h"
#include "engine/slow.h"
#include "engine/timed/event_queue.h"
#include "engine/timed/stream/streams.h"
#include "engine/timed/turns.h"
#include "engine/variability.h"
#include "network/connection.h"
#include "network/inlet.h"
#include "network/outlet.h"
#include "network/passage.h"
#include "network/queue.h"
#include "network/rails.h"
#include "network/socket.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In the order in which events of one time happen. Turns of processes are not in the event queue but in a tree of their
 * own (turns.h): each process has one at most. X(name, of what) */
#define EVENT_LIST(X)                                                \
    X(PACKET, "a packet of a stream: it reaches what is next on its way") \
    X(TIMER, "a stream: it may have to repeat frames, or to acknowledge some") \
    X(ROOM, "a stream: what waits for its sender's host to have room may leave") \
    X(LAST, "a channel: its first message on the wire has come to the in port") \
    X(FLIGHT, "a flight: what may be lost reaches a resource or its receiver, or its acknowledgement the sender") \
    X(ALARM, "a connection: it may have to repeat some") \
    X(OVER, "a passage: the last frame reaches the resource")        \
    X(PAUSE, "a passage: the last frame should have reached it")     \
    X(BEGIN, "a passage: the first frame reaches the resource")      \
    X(ARRIVE, "a transfer: it is there for wildcards, probes, and receivers of a window") \
    X(PERMIT, "a transfer: its announcement has come")              \
    X(DEPART, "a transfer: the permission to send it has come")     \
    X(ACKNOWLEDGE, "a synchronous send: its receive has got the message") \
    X(ANSWER, "a channel: the acknowledgement of a synchronous send on it has come") \
    X(TAKEN, "a channel: the host may have taken all of a send on it") \
    X(CONNECT, "a channel: the next step of making its connection may be due") \
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
    TIMED_POLLING,    /* it looks, again and again in vain (polling.h); until: of its turn */
    TIMED_ENDED,
};

/* How far a pair's connection is, as one of its channels knows. */
enum joining {
    JOIN_NOTHING, /* nothing was sent on it */
    JOIN_ASKED,   /* its sender's host asks the other's for it, where packets may be lost */
    JOIN_BEGUN,   /* that has answered, or nothing can be lost */
    JOIN_SEEN,    /* the other end has seen it */
    JOIN_AGREED,  /* its sender has, too: when it will be made is known */
    JOIN_CROSSED, /* the other end has begun it, or asks: it makes it */
    JOIN_MADE
};

/* Four words of one stream of a process: enough for four draws. */
struct timed_words {
    uint64_t block;              /* UINT64_MAX: none */
    uint32_t word[4];
};

/* The channels between a process and a peer that its role names; NONE: not asked for yet. */
struct timed_known {
    int32_t out, in;
};

/* What every message needs of its processes stands first: a cache line for what others ask, one for what is executed, one
 * for counts and times. */
struct timed_process {
    _Alignas(64) uint8_t state;
    bool looks;                  /* the call reads what comes, the last one if it is in none */
    int32_t operation;           /* see enum timed_state */
    double clock;                /* of the next instruction */
    double call;                 /* the blocked call began */
    double until;                /* in the call from `call` until then; INFINITY while blocked */
    double left;                 /* the call that looked before that one ended; -INFINITY: there was none */
    double active;               /* its last send or receive was over */
    int32_t first_any, last_any; /* posted receives from any source */
    int32_t first_full;          /* channels to which it gave more than its host has taken, by their `next_full` */
    int32_t first_joining;       /* channels whose connection waits for this process, by their `next_joining` */

    const struct instr *pc;      /* the next instruction, or the call it is in */
    struct value *slots;
    struct timed_known *known;   /* [n_peers of the role], for all runs */
    const struct role *role;
    int32_t collective;          /* the call it is in (collective.c); NONE */
    int32_t site;
    struct timed_stream *first_unread; /* streams of which something has come that it has not read, by their `next_unread` */
    int32_t first_meeting;       /* matched rendezvous that have not started and wait for this process */
    int32_t first_open, last_open; /* operations a wait may name, in the order they were posted */
    int32_t n_buffered;          /* messages of which it has still to send a part */
    int32_t n_pending;           /* IN_WAIT: operations it still waits for */
    int32_t n_under_way;         /* its collectives with a request that are unrolled and not over */
    int32_t held;                /* what a blocking send or receive has posted and waits for beside them; NONE */

    uint64_t n_sent, n_received, n_computed;
    uint64_t n_polls;            /* tests and probes in a row that found nothing */
    double time_factor;          /* on Serial time, in this replication on its node */
    double serial, sampled_serial;
    double overslept;            /* how much shorter its next computation is: the one before ended late by that */

    uint64_t n_sampled, n_probed, n_collectives, n_woken;
    uint64_t n_held;             /* frames that waited in its port */
    double rest;                 /* how long it has computed since it last sent or waited */
    double rested;               /* that ended then, and it has still to be woken; INFINITY: it has not */
    double woken;                /* what waking it took, in which its next message that passes what nodes have in common is */
    struct region_clock *regions; /* [n_regions of the tree] */
    struct timed_port *port;     /* its node's or its own; NULL: no ports */
    double looked, looked_from;  /* not `looks`: the end of the last call that looked, and its beginning */
    double answered;             /* until then it last was busy with permitting a rendezvous as it posted its receive */
    int32_t first_there, last_there; /* unmatched transfers that have arrived, in that order */
    bool listens;                /* it has been connected, or tried to be: it looks for others whenever it is in MPI */
    double look;                 /* else: one of the times at which it does; NaN: not asked for yet */
    int32_t first_parcel, first_lock; /* of struct timed_windows */
    int32_t node;
    struct price *poll;          /* what one costs is of such a message; NULL: not known yet */
    double whole_others;         /* IN_COLLECTIVE: when all it waited for had come */
};

/* What an ordered pair of processes shares. What every message needs stands first, in four cache lines: what is always
 * asked; matching and sending; sending and the wire; the in port. */
struct timed_channel {
    _Alignas(64) int32_t from; /* alone: each name of a declaration would be aligned so */
    int32_t to;
    struct timed_port *from_port, *to_port;  /* of its sender, its receiver, the first rails'; NULL: no ports */
    int32_t *on_board;                       /* how many messages are, on its board */
    int64_t eager_limit;                     /* of its transport */
    struct price *price;                     /* of its last message; NULL: there was none */
    int32_t source;                          /* what feeds its way: the number of the out port, which may be those of others of
                                              * the node; without ports the pair's, from -2 down (-1: QUEUE_SEVERAL) */
    int32_t first_permission;                /* transfers the other way whose permission is behind some of these; NONE */
    uint8_t transport;                       /* enum transport */
    uint8_t join;                            /* enum joining */
    bool uses_ports;                         /* its messages pass them */
    bool has_handshakes;                     /* long ones are announced and permitted by messages */
    bool has_level;                          /* their level is counted on their way */
    bool has_haste;                          /* they are sooner where their sender has not rested */
    bool has_hops;                           /* there is more than ports on their way, or on the way back */
    bool has_answers;                        /* data of synchronous sends go at once, and their receivers answer */

    int32_t first_unmatched, last_unmatched; /* transfers in the order of their sends */
    int32_t first_posted, last_posted;       /* receives that name this source */
    uint32_t n_departed, n_arrived;          /* messages, modulo 2^32 */
    int32_t first_behind, last_behind;       /* transfers that its host has not taken, or that wait for the connection */
    int32_t back;                            /* the channel the other way; NONE: there is none yet */
    bool has_socket;                         /* a send is over when its host has taken all of it (socket.c) */
    bool has_stream;                         /* what is sent on it passes its way in frames (stream/) */
    bool full;                               /* it was given more than its host holds: in first_full of its sender */
    bool rested;                             /* before its last message neither process had sent the other anything, where that
                                              * is asked (`asks_rest`) */
    double delivered, levelled;              /* latest times of arrival, of a level: no overtaking */

    double leaves;                           /* when the out port has passed its messages */
    double round_trip;                       /* without a connection: smoothed, s */
    int32_t window;                          /* likewise: how many messages it has under way at most, once it has sent any */
    int n_hops;
    double wire, last_come;                  /* latest times on the wire, at the in port: no overtaking */

    int32_t first_on_wire, last_on_wire;     /* transfers on their way to the in port, in that order */
    int32_t connection;                      /* of struct timed_losses; NONE: it has never come near to losing anything */
    bool in_time;                            /* its messages pass ports, which are asked in the order of time */
    bool has_losses;                         /* what has a buffer may lose some */
    bool asks_rest;                          /* whether `rested` makes a difference */
    bool was_long;                           /* its last message needed a handshake */
    double held, held_since, held_until;     /* so many of its messages, none of which was lost, wait at the receiver's port since
                                              * then, and it passes them evenly */
    double handshake;                        /* what an announcement or a permission takes from idle port to idle port;
                                              * NaN: not asked for yet */

    bool connects;                           /* its first message makes the connection (connect.c) */
    bool has_answered;                       /* its receiver has sent data back before the program (acknowledging.h) */
    bool gets;                               /* its receiver gets long ones itself, unless they are buffered */
    uint8_t rails, turns;                    /* between its nodes; taken of them, modulo `rails` (network/rails.h) */
    double begun, joins;                     /* from JOIN_ASKED on: the send that began it; when its host asks again, then when the
                                              * other end looks, then when it is made: INFINITY: not known */
    int32_t next_joining;
    int32_t first_announced;                 /* rendezvous whose announcement waits for it, by their `next_permitted`; NONE */
    uint32_t pair_class;
    double met;                              /* when the latest rendezvous of it began */
    struct timed_stream *stream;             /* of what was sent, on the first rail; NULL: nothing was */
    struct stream_known known;
    struct socket socket;                    /* of what it was given to send, bytes, the last of which is at `given` */
    double given;
    int32_t first_writing, last_writing;     /* sends of which the host has not taken all, by their `next_writing` */
    bool taken_is_due;                       /* a TAKEN event refers to it */
    double room;                             /* so much its host holds, as when it was full last, bytes */
    double fits;                             /* up to there it certainly takes the stream */
    double taken;                            /* `full`: up to there it has taken it; INFINITY: its sender waits in MPI */
    bool stalled;                            /* what is behind it has not taken */
    int32_t next_full;
    int32_t first_hop;                       /* of struct timed_paths: n_hops of the way there, then n_back of that back;
                                              * both 0: there are but the ports of two nodes */
    int n_back;
};

_Static_assert(offsetof(struct timed_channel, first_unmatched) == 64 && offsetof(struct timed_channel, round_trip) == 128 &&
                   offsetof(struct timed_channel, held_until) == 192 && offsetof(struct timed_channel, begun) < 256,
               "what every message needs of a channel is in four cache lines");
/* Where they are a power of two apart, the first lines of all channels share half the sets of a cache. */
_Static_assert(sizeof(struct timed_channel) % 128 == 64, "an odd number of cache lines");

/* A message between its send call and the completion of its receive. It begins as `fresh` of struct timed up to `number`; what
 * stands from there on is set before it is read. What every message needs stands in two cache lines. */
struct timed_transfer {
    _Alignas(64) int32_t receive;             /* operation; NONE: unmatched */
    int32_t send;                /* operation of a rendezvous; NONE */
    int32_t begins;              /* the transfer of which it is the part that does not wait; NONE */
    int32_t acknowledges;        /* operation of a synchronous send whose data do not wait, until it is acknowledged, or of one that is
                                  * `read`; NONE */
    int32_t passage;             /* the first on its way (path.c); NONE */
    bool buffered : 1, asked : 1; /* the rest of one that a Bsend has kept; its receiver waits for the part before it */
    bool shares;                 /* it is in one frame with the message before, or read with it */
    bool kept;                   /* as it was sent, for a frame with others */
    bool known;                  /* `time` is its arrival */
    bool there;                  /* it has arrived, or is the announcement of a rendezvous: wildcards and probes see
                                  * it */
    bool meets;                  /* in first_meeting of both ends */
    bool seen;                   /* a rendezvous that its receiver, having posted it, has seen in a test or Iprobe */
    bool queued;                 /* an ARRIVE event refers to it */
    bool done;                   /* received */
    bool read;                   /* its send is over when the receiver, in MPI, has read it */
    bool asks_wait;              /* a rendezvous: for how long its receiver has waited tells `chance_known` */
    uint8_t rail;                /* its rail, of a rendezvous that of its announcement; RAIL_ALL: all, in shares */
    int32_t next_unmatched;      /* free: the next that is */
    int32_t next_on_wire;        /* or in its pair's stream of those that may be lost, or none */
    double permitted;            /* of one with handshakes: when the permission came; 0: it has not left */
    double port_wait;            /* what ports added */

    uint64_t number;             /* among the sender's messages: its draws */
    int64_t bytes;
    int64_t context;             /* communicator and tag: operand_context */
    struct price *price;
    int32_t channel;
    int32_t site;
    double call;                 /* the send call */
    double time;                 /* departure, then when it comes to the in port, then arrival */
    double handed;               /* when its out port was brought it */
    uint32_t word;               /* that draws its transit, and then its receive's overhead */
    int32_t next_there;

    int32_t next_meeting[2];     /* [0] in the sender's list, [1] in the receiver's */
    uint32_t permitted_after;    /* with how many messages before it on its channel its permission comes */
    int32_t next_permitted;      /* in first_permission of that */
    double late;                 /* of a stream: after its last frame */
    double announced, there_at;  /* of a rendezvous: when its announcement left the sender's port, and came */
    double chance_known;         /* the probability with which its announcement comes with the data before it */
    uint32_t stream_end;         /* the number behind its own in the stream of its pair */
    int32_t to_come;             /* of a stream: shares that have not */
    double given;                /* where it ends in what its channel was given to send, bytes */
};

_Static_assert(offsetof(struct timed_transfer, next_meeting) == 128, "what every message needs is in two cache lines");

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
    _Alignas(64) uint8_t kind;
    uint8_t serving;             /* enum serving */
    bool any_tag, named;         /* named: a wait may name it */
    bool ready;                  /* completion, or the arrival of its message, is known */
    bool waited;
    bool at_once;                /* ended by calls of its own process, which needs no look at the network to know it */
    bool read;                   /* of an eager send that is over when it has been read */
    int32_t process, from;       /* from: OPERAND_ANY_PEER */
    int32_t site, comm;
    int32_t name;                /* request: of tree->requests; INT32_MIN: none */
    int32_t candidates;          /* of a receive from any source: messages there that fitted when it was matched, if
                                  * it was at once */
    int32_t channel;             /* of a receive that names its source, of a send */
    int32_t transfer;            /* NONE: unmatched */
    int32_t call;                /* the collective call it belongs to, or stands for; NONE */
    int32_t window;              /* it is of one-sided operations there; NONE. Its communicator is `comm` */
    int32_t reply;               /* the rendezvous send of what an answer to it is; NONE */
    int32_t next_posted, next_open; /* free: next_open */
    int64_t context, bytes, index;
    uint64_t number;             /* of a receive: its place in the order of posting */
    double posted;
    double completion;           /* arrival of the message, completion of a send or collective; once ready */
    double started;              /* of a rendezvous: when its transfer began */
    double held;                 /* of a send: by how much its host, which had not taken all of it, ended it later, s */
    double place;                /* what must have passed of its channel when the host has taken all of it, bytes */
    int32_t next_writing;
    int32_t peer;                /* of one-sided operations: the process at the other end; NONE: another has begun it */
    struct window_errand errand; /* what its process does when the message is there */
};

/* A node's or a process's port (rules: docs/ARCHITECTURE.md, section 4). */
struct timed_port {
    _Alignas(64) struct queue in;       /* where it serves in the order of time */
    double out_until;                   /* when it has passed what leaves; where `in` serves both directions nobody asks */
    int32_t last_left, last_entered;    /* of the packets in line that have left by it, and entered */
    struct inlet whole;                 /* else */
};

_Static_assert(offsetof(struct timed_port, whole) == 64, "a message in the order of time asks one cache line of a port");

/* When a port has passed all that leaves by it, and where it serves both directions what enters, too. */
static inline double *port_leaving(struct timed_port *port)
{
    return port->in.both ? &port->in.until : &port->out_until;
}

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
    int32_t last_passed;                /* as of a port */
};

struct timed_hop {
    int32_t queue, resource;
    bool priced;                        /* of the first one: the costs of all are those of such a message */
    int64_t bytes;
    struct hop_cost cost;
    double acknowledgements;
    double acknowledged;                /* the latest time at which one of a frame passed it: they keep their order */
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

/* What of a channel may be lost: messages that are not there, in the order of their stream. */
struct timed_connection {
    struct connection at;
    int32_t channel;
    int32_t first_message, last_message; /* transfers; NONE */
    int32_t sending;                     /* of these, the next that is new */
    uint32_t stream_end;                 /* how many there were */
    double next_out;                     /* when one can leave behind those before it */
    double came, told;                   /* the latest times at which one and an acknowledgement came: they keep their order */
    double alarm;                        /* the earliest ALARM event to come; INFINITY: none */
};

/* Where one is: at hop 0, 1 ... of its way, the in port last; or received; FLIGHT_BACK - i: its acknowledgement has passed
 * i hops of the way back. */
enum { FLIGHT_RECEIVED = -1, FLIGHT_BACK = -2 };

struct timed_flight {
    const struct price *price;           /* NULL: one that went otherwise and is still to be acknowledged */
    int32_t channel, next;               /* free: next */
    uint32_t frame;                      /* of the connection */
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

struct timed_losses {
    int32_t n_connections, n_flights, free_flight;
    size_t capacity, flights_capacity;
    struct timed_connection *connections; /* [capacity], those beyond n_connections keep their memory */
    struct timed_flight *flights;
};

/* Where a pair's channel is. */
struct channel_place {
    uint64_t pair;
    int32_t channel;                    /* NONE: no pair's */
};

struct timed {
    const struct engine_setup *setup;
    const struct program *program;
    const struct cost_model *model;
    const struct ledger *ledger;        /* NULL: nobody listens */
    double rest_measured, rest_delay;   /* the rest before each measured message, and what it delays, s */
    double host_holds;                  /* of a connection that has sent as much as was measured, bytes; 0: nobody asks */
    struct price_book book;
    struct variability variability;
    struct level_log *levels;           /* of a sweep, where they do not depend on time; NULL: by time */
    struct known_serial *serials;       /* [n_serials] */
    int64_t combined;                   /* most bytes that a reduction combined for nothing, in all runs so far */
    struct event_queue queue;           /* of what happens to transfers */
    struct turns turns;                 /* but for the one below */
    double due_time;                    /* the turn of `due`, which may well be the next; TURN_NEVER: none */
    int32_t due;
    int32_t n_polling;                  /* processes that are TIMED_POLLING */
    int32_t running;                    /* the process whose turn it is; its next turn is put down when it ends; NONE */
    double now;
    double ticks;                       /* the phase of all hosts' timers (network/timer.h), as the replication drew it */
    bool overtaken;                     /* something may come before the running process goes on, even now */

    struct timed_process *processes;    /* [numprocs] */
    struct value *slots;                /* all processes' */
    struct timed_known *known;          /* all processes' */
    struct timed_words *words;          /* [numprocs][N_STREAMS] */
    struct timed_port *ports;           /* [numprocs][most_rails]: by process or by node; NULL: no ports */
    int most_rails;                     /* of a node */
    struct timed_paths paths;
    struct timed_losses losses;
    struct timed_streams streams;
    struct timed_windows windows;
    const struct machine_connect *connect; /* what making a connection takes; NULL: all processes are connected */
    double connecting_until;            /* when all have had what they share of what connections begun so far take */
    double common_until;                /* when what all nodes have in common will have passed what it holds, and all who have rested
                                         * so far are awake */
    struct channel_place *channel_table; /* open addressing: (from, to) -> channel */
    size_t channel_mask;
    int channel_shift;                  /* of 64 bits to the table's */
    int channel_bits;                   /* of an event's object, for a channel's number */
    int32_t n_channels, channels_capacity;
    struct timed_channel *channels;
    int32_t n_transfers, transfers_capacity, free_transfer;
    struct timed_transfer *transfers;
    struct timed_transfer fresh;        /* what one begins as */
    int32_t n_operations, operations_capacity, free_operation;
    struct timed_operation *operations; /* the first [numprocs] are the processes' blocking receives */
    struct collectives *collectives;    /* collective.c; NULL: the program has none */
    struct pollings *pollings;          /* polling.c; NULL: nobody polls so */

    int32_t *on_board;                  /* [engine_boards] messages in flight */
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

/* The rails that a message goes over: from the first to before the end. */
enum { RAIL_ALL = UINT8_MAX };
static inline int rail_first(const struct timed_transfer *m)
{
    return m->rail == RAIL_ALL ? 0 : m->rail;
}
static inline int rail_end(const struct timed_channel *c, const struct timed_transfer *m)
{
    return m->rail == RAIL_ALL ? c->rails : m->rail + 1;
}

/* What a message takes of what all nodes have in common, but for what waking its process has taken since its last one. */
static inline double common_take(struct timed_process *sender, double common)
{
    const double left = queue_excess(common, sender->woken);
    sender->woken = 0;
    return left;
}

/* Whether its receiver gets the data of the rendezvous; else it permits them, and its sender sends them. */
static inline bool transfer_is_got(const struct timed_channel *c, const struct timed_transfer *m)
{
    return c->gets && !m->buffered;
}

#endif
