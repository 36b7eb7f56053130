/* reference_impl.h - the state of the reference engine, shared by its files:
 *
 *     reference.c  creation, the alternation of sweep and match, results, deadlock
 *     step.c       instructions of a process
 *     match.c      rendezvous, ports, sampling, waking
 *
 * One replication at a time: linked lists, every cost looked up when it is needed, random words from Random123 one by
 * one. What a run allocates is in one arena. */
#ifndef PEVPM_ENGINE_REFERENCE_IMPL_H
#define PEVPM_ENGINE_REFERENCE_IMPL_H

#include "common/alloc.h"
#include "engine/computation.h"
#include "engine/engine_impl.h"
#include "engine/operand.h"
#include "engine/price.h"
#include "engine/random.h"
#include "engine/rules.h"
#include "engine/slow.h"
#include "network/inlet.h"

#include <stdbool.h>
#include <stdint.h>

/* A message between its send call and the completion of its receive. */
struct transfer {
    int from, to;
    enum transport transport;
    int64_t context;        /* communicator and tag: see operand.h */
    int64_t bytes;
    uint64_t number;        /* among the sender's messages: its draws */
    struct price *price;
    bool rendezvous;        /* its start is not known when it is posted */
    bool arrived;           /* `time` is its arrival; before, its send call or start */
    double time;
    uint64_t sender_calls;  /* the sender's blocking calls before this one was posted */
    struct receive *receive;/* matched; NULL: not yet */
    struct open_request *request;/* of a nonblocking rendezvous send; NULL: none */
    struct transfer *next_unmatched; /* of its channel */
    struct transfer *next_on_board;  /* among the pending or the fresh */
};

/* A posted receive, blocking or not. */
struct receive {
    int process, from;
    int64_t context;
    int64_t bytes;
    uint64_t number;        /* among the process's receives */
    int32_t site;
    double posted;
    uint64_t receiver_calls;
    struct transfer *message;/* matched; NULL: not yet */
    struct open_request *request;/* NULL: a blocking receive */
    struct receive *next;   /* posted and unmatched of its channel */
};

/* A nonblocking operation that a wait may name: a receive, or a rendezvous send (an eager one is complete at once). */
struct open_request {
    int32_t name;
    int64_t index;
    struct receive *receive;/* NULL: a send */
    int to, tag;            /* of the send */
    bool started;           /* the send has */
    double completion;      /* of the send, once started */
    bool waited;            /* its process is in a wait that names it */
    struct open_request *next;
};

/* What an ordered pair of processes shares. */
struct channel {
    int from, to;
    struct transfer *unmatched;
    struct receive *posted;
    int n_unmatched, limit;
    double wire, delivered; /* latest times on the wire and of arrival: no overtaking */
    double started;         /* the latest start of what was on the wire */
    uint64_t n_wired, n_met; /* 1 + the highest number of it; of a rendezvous' receive */
    struct channel *next;   /* of all channels to `to` */
};

enum state { RUNNABLE, IN_RECEIVE, IN_SEND, IN_WAIT, THROTTLED, ENDED };

struct process {
    enum state state;
    int32_t pc, site;
    double clock, serial, sampled_serial;
    uint64_t n_sent, n_received;
    struct computing computing;
    struct value *slots;
    struct receive *receive; /* IN_RECEIVE, and until it is completed */
    struct transfer *message; /* IN_SEND */
    struct channel *channel; /* THROTTLED */
    struct open_request *requests;/* open, in the order they were posted */
    uint64_t n_calls;        /* blocking calls completed; the last RULE_HISTORY of them: */
    double entered[RULE_HISTORY], left[RULE_HISTORY];
    struct region_clock *regions; /* [n_regions of the tree] */
    double until;            /* the call it is in lasts as long, or a rendezvous has started too early */
};

struct port {
    double free_at, asked;  /* free_at: of an out port */
    struct inlet inlet;     /* of an in port */
    int from;               /* the last by sender and number that it has served; -1: none */
    uint64_t number;
};

struct reference {
    const struct engine_setup *setup;
    const struct program *program;
    const struct cost_model *model;
    struct price_book book;
    struct computations computations;
    struct arena memory;        /* of one run */
    struct process *processes;  /* [numprocs] */
    struct channel **channels;  /* [numprocs] lists by receiver */
    struct port *out, *in;      /* [numprocs]: by process or by node */
    struct transfer *fresh, **fresh_last;     /* departure known, not sampled yet */
    struct transfer *pending, **pending_last; /* rendezvous that have not started */
    int *on_board;              /* [engine_boards] messages in flight */
    int64_t largest[N_TRANSPORTS]; /* as engine_totals */
    uint32_t replication;
    int level_most[N_TRANSPORTS]; /* as engine_totals */
    bool inversion;
    double *region_times;       /* [region_numbers], of the last run */
    struct slow slow;
    uint32_t steps;
    enum status status;
    struct diags *diags;
};

/* ---- reference.c ---- */

/* Ends the run; the first failure counts. */
void reference_fail(struct reference *ref, int process, const struct problem *problem);

enum transport reference_transport(const struct reference *ref, int from, int to);

/* How many messages are on the board that counts this one. */
int *reference_board(struct reference *ref, const struct transfer *m);

/* Draw number `draw` of a process in one stream. */
double reference_draw(const struct reference *ref, const struct quantile *q, int process, uint64_t draw,
                      enum stream stream);
double reference_send_overhead(struct reference *ref, const struct transfer *m);

/* The channel of a pair, made where there is none. */
struct channel *reference_channel(struct reference *ref, int from, int to);

/* The process returns from a blocking call that it entered at its clock. */
void reference_leave(struct reference *ref, struct process *p, double left);

/* Whether all that the process waits for can be completed. */
bool reference_wait_ready(const struct process *p);

/* ---- step.c ---- */

/* Everything a step needs. */
struct step {
    struct reference *ref;
    struct process *p;
    int process;
    const struct role *role;
    const struct instr *instr;
};

/* Does one instruction. Returns whether the process goes on. */
bool reference_step(const struct step *s);

/* ---- match.c ---- */

/* Starts the pending rendezvous whose two ends wait for it (progress: async: that are matched), or, where nobody else
 * can run, whose two ends are in MPI at all. Returns whether there was one. */
bool reference_start(struct reference *ref, bool nobody_runs);

/* Samples all fresh messages at the level of this moment and wakes their receivers. */
void reference_sample(struct reference *ref);

#endif
