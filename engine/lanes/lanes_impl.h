/* lanes_impl.h - the state of the lanes engine, shared by its files:
 *
 *     lanes.c      creation, reset, the alternation of sweep and match, results
 *     sweep.c      instructions
 *     compute.c    those that compute
 *     match.c      rendezvous, ports, sampling, waking
 *     store.c      pools, channels, random words
 *
 * Everything that happens in the same way in all lanes (states, lists, counts) is a plain number; every time is a row
 * of `width` doubles. Objects are indices into pools that grow by doubling and are kept between runs, so a run
 * allocates nothing once the pools have reached their size. */
#ifndef PEVPM_ENGINE_LANES_IMPL_H
#define PEVPM_ENGINE_LANES_IMPL_H

#include "engine/engine_impl.h"
#include "engine/lanes/kernel.h"
#include "engine/level_log.h"
#include "engine/operand.h"
#include "engine/price.h"
#include "engine/random.h"
#include "engine/region.h"
#include "engine/rules.h"
#include "engine/slow.h"
#include "engine/variability.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { NONE = -1 };

enum lane_state { LANE_RUNNABLE, LANE_IN_RECEIVE, LANE_IN_SEND, LANE_IN_WAIT, LANE_THROTTLED, LANE_ENDED };

struct lane_process {
    const struct role *role;
    struct value *slots;        /* into lanes->slots */
    int32_t *channels;          /* [2 * role->n_peers] out, in channel of each peer; NONE: not looked up yet */
    uint64_t n_sent, n_received, n_sampled, n_computed;
    double time_factor;         /* on Serial time, of its node, where nothing varies */
    int32_t pc, node;
    int32_t waits;              /* IN_RECEIVE: operation, IN_SEND: transfer, THROTTLED: channel; NONE */
    int32_t n_pending;          /* IN_WAIT: operations it still waits for */
    int32_t first_open, last_open; /* operations a wait may name, in the order they were posted */
    uint8_t state;
    bool must_last;             /* its call, as row `until` says */
};

/* What an ordered pair of processes shares. Rows: wire, started, delivered. */
struct channel {
    int32_t from, to;
    int32_t first_unmatched, last_unmatched; /* transfers */
    int32_t first_posted, last_posted;       /* operations */
    int32_t n_unmatched, limit;
    uint64_t n_wired, n_met;    /* 1 + the highest number that has been on the wire; of a rendezvous' receive */
    uint32_t pair_class;
    int32_t board;              /* engine_board */
    uint8_t transport;          /* enum transport */
    struct price *price;        /* of the last message; NULL: none yet */
};

/* A message between its send call and the completion of its receive. Row: time, first of the send call, then of the
 * start, then of arrival. */
struct transfer {
    int32_t channel;
    int32_t receive;            /* operation; NONE: unmatched */
    int32_t send;               /* operation of a nonblocking rendezvous send; NONE */
    int32_t next;               /* unmatched of its channel, or free */
    int32_t next_asking;        /* in the queue of a port */
    uint64_t number;
    uint64_t sender_calls;
    int64_t context;            /* see operand.h */
    int64_t bytes;
    struct price *price;
    uint8_t rendezvous, arrived;
};

/* A posted receive, or a nonblocking rendezvous send. Row (where rows are kept): when it was posted, or completed. */
struct operation {
    int32_t process, channel, site;
    int32_t transfer;           /* NONE: unmatched */
    int32_t next_posted;        /* of its channel, or free */
    int32_t next_open;          /* of its process */
    int32_t name;
    int64_t index;
    int64_t context;            /* see operand.h */
    int64_t bytes;
    uint64_t number, calls;
    uint8_t is_send, started, waited, blocking;
};

/* A pool of objects of one type with rows of lanes beside them. */
struct pool {
    size_t n, capacity;         /* ever used; allocated */
    int32_t free;               /* first of the free list; NONE */
};

/* A queue of transfers that ask for one port in this match, sorted by sender and number. */
struct port_queue {
    int32_t first, last, n;
};

/* The last by sender and number that a port has served; from NONE: none. */
struct asker {
    int32_t from;
    uint64_t number;
};

/* The words of one stream: a block of four for each process. */
struct draws {
    uint64_t *block;            /* [numprocs] which block is there */
    uint32_t *words;            /* [numprocs][4][width]; NULL until the stream is drawn from */
};

struct lanes {
    const struct engine_setup *setup;
    const struct program *program;
    const struct cost_model *model;
    const struct kernels *k;
    int width, numprocs;
    uint32_t first;             /* replication of lane 0 */
    struct slow slow;
    enum status status;
    struct diags *diags;
    struct price_book book;

    struct lane_process *processes;
    double *clock;              /* [numprocs][width] */
    double *serial;             /* [numprocs] the same in all lanes */
    double *sampled;            /* [numprocs][width]; NULL where nothing is sampled */
    struct variability variability;
    double *factors;            /* [nodes][width] on Serial times; NULL where nothing varies */
    struct value *slots;
    int32_t *channel_slots;
    struct draws draws[N_STREAMS];
    int32_t n_ended;

    bool keeps_calls;           /* a rendezvous may meet a nonblocking end (progress: none): rows below are kept */
    uint64_t *n_calls;          /* [numprocs] blocking calls completed */
    double *entered, *left;     /* [numprocs][RULE_HISTORY][width] */
    double *until;              /* [numprocs][width] the call a process is in lasts as long, or a rendezvous has started
                                 * too early; looked at where must_last */

    uint64_t *runnable, *runnable_summary; /* bit sets by rank; a summary bit says that a word has a bit */
    int32_t n_words, n_summary;

    struct pool channel_pool;
    struct channel *channels;
    double *wire, *started, *delivered; /* [channel][width]; started: NULL unless keeps_starts; delivered: NULL without
                                         * ports */
    bool keeps_starts;          /* there may be nonblocking rendezvous sends */
    int32_t *channel_hash;      /* open addressing by (from, to) */
    size_t hash_size;

    struct pool transfer_pool;
    struct transfer *transfers;
    double *time;               /* [transfer][width] */

    struct pool operation_pool;
    struct operation *operations;
    double *moment;             /* [operation][width]; NULL unless keeps_rows */
    bool keeps_rows;            /* operations need rows: there may be rendezvous sends */

    int32_t *fresh;             /* transfers whose departure is known, not sampled yet */
    size_t n_fresh, fresh_capacity;
    int32_t *pending;           /* rendezvous that have not started, oldest first */
    size_t n_pending, pending_capacity;
    int *on_board;              /* [engine_boards] messages in flight */
    int64_t largest[N_TRANSPORTS]; /* of engine_totals, in all runs so far: noted when a channel's price changes */
    int level_most[N_TRANSPORTS];  /* as engine_totals */
    uint64_t n_sent;

    double *out_free, *out_asked, *in_asked; /* [port][width]; NULL without ports */
    double *inlets;             /* [port][INLET_NUMBERS][width], likewise */
    struct port_queue *queues;  /* [numprocs] */
    struct asker *highest[2];   /* [side][port]; NONE: nothing, or may_tie is false */
    bool constant_transit;      /* nothing is drawn */
    bool may_tie;               /* two may ask a port at the same time, to the bit */
    int32_t *asked_ports;       /* ports with a queue */
    size_t n_asked_ports;
    struct level_log *levels;   /* takes the levels; NULL: nobody asked */
    uint8_t inverted[ENGINE_LANES_MOST]; /* outcome.inversion */

    int32_t *inside;            /* [numprocs * regions] see region.h */
    double *region_since, *region_seconds; /* [numprocs * regions][width] */
    double *region_times;       /* [width][region_numbers] */

    int32_t *order;             /* scratch for sorting: transfers, or operations */
    double *order_time, *order_extra; /* scratch rows [order_capacity][width] */
    size_t order_capacity;
};

static inline void row_copy(const struct lanes *e, const double *from, double *to)
{
    if (e->width == 1)
        *to = *from;
    else
        memcpy(to, from, (size_t)e->width * sizeof *to);
}

static inline double *row(const struct lanes *e, double *rows, int64_t i)
{
    return rows + (size_t)i * (size_t)e->width;
}

/* ---- lanes.c ---- */

/* The batch takes long: finds the loop that keeps it, and tells of it. */
void lanes_slow_find(struct lanes *e);

/* ---- store.c ---- */

int32_t transfer_new(struct lanes *e);
void transfer_release(struct lanes *e, int32_t t);
int32_t operation_new(struct lanes *e);
void operation_release(struct lanes *e, int32_t o);

/* The channel of an ordered pair, made when new. */
int32_t channel_for(struct lanes *e, int32_t from, int32_t to);

/* Makes the block of words that holds draw `number` of a process. */
void draw_block(struct lanes *e, enum stream stream, int32_t process, uint64_t number);

/* The words of draw `number` of a process in all lanes: [width], valid until the next call for that process and
 * stream. */
static inline const uint32_t *draw_words(struct lanes *e, enum stream stream, int32_t process, uint64_t number)
{
    struct draws *draws = &e->draws[stream];
    size_t width = (size_t)e->width;
    if (!draws->words || draws->block[process] != number / 4)
        draw_block(e, stream, process, number);
    return draws->words + ((size_t)process * 4 + number % 4) * width;
}

/* Makes room for one more fresh or pending transfer, or for n in the sorting scratch. */
void fresh_grow(struct lanes *e);
void pending_grow(struct lanes *e);
void order_reserve(struct lanes *e, size_t n);

static inline void fresh_add(struct lanes *e, int32_t t)
{
    if (e->n_fresh == e->fresh_capacity)
        fresh_grow(e);
    e->fresh[e->n_fresh++] = t;
}

static inline void pending_add(struct lanes *e, int32_t t)
{
    if (e->n_pending == e->pending_capacity)
        pending_grow(e);
    e->pending[e->n_pending++] = t;
}

void store_create(struct lanes *e);
void store_reset(struct lanes *e);
void store_destroy(struct lanes *e);

/* ---- sweep.c ---- */

/* Runs a process until it blocks, ends or fails. */
void process_run(struct lanes *e, int32_t process);

/* A process and the instruction it is at. */
struct step {
    struct lanes *e;
    struct lane_process *p;
    const struct instr *instr;
    int32_t process;
};

static inline double *step_clock(const struct step *s)
{
    return row(s->e, s->e->clock, s->process);
}

/* Reports the problem, the first of a run, at a process. False: no process goes on. */
bool step_fails(const struct step *s, int32_t process, const struct problem *problem);

/* Records a blocking call: entered at the process's clock before, left at `clock` now. call_enter copies the clock
 * first. */
void call_enter(struct lanes *e, int32_t process);
void call_leave(struct lanes *e, int32_t process);

/* The overhead of the send or receive of a message in all lanes is added to `out` (out += overhead). */
void overhead_add(struct lanes *e, int32_t transfer, enum side side, double *out);

/* ---- compute.c ---- */

/* Serial times that are known, or drawn. False: the expression has no value, as was reported. */
bool step_serial(const struct step *s);
bool step_sample(const struct step *s);

/* ---- match.c ---- */

/* Starts rendezvous as the rules allow; nobody_runs: those whose ends are in MPI at all. True if one started. */
bool rendezvous_start_all(struct lanes *e, bool nobody_runs);

/* Samples the fresh transfers at this moment's level and wakes their receivers. */
void board_sample(struct lanes *e);

static inline void runnable_set(struct lanes *e, int32_t process)
{
    e->runnable[process >> 6] |= UINT64_C(1) << (process & 63);
    e->runnable_summary[process >> 12] |= UINT64_C(1) << (process >> 6 & 63);
}

#endif
