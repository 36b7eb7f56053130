/* collective_impl.h - collectives of the time-ordered engine, shared by
 *
 *     collective.c  which way a directive is costed; the call
 *     unroll.c      the messages of an algorithm (collectives/schedule.h)
 *     whole.c       costed as a whole: from measured times or by a model's formula
 *
 * The directive decides, then the machine file, then the table of the MPI library. Messages of one collective match
 * only each other. */
#ifndef PEVPM_ENGINE_TIMED_PROCESS_COLLECTIVE_IMPL_H
#define PEVPM_ENGINE_TIMED_PROCESS_COLLECTIVE_IMPL_H

#include "collectives/carried.h"
#include "collectives/schedule.h"
#include "engine/formula.h"
#include "engine/timed/process/collective.h"

/* What a call waits for before its next move. */
enum awaited { AWAITED_NOTHING, AWAITED_MOVE, AWAITED_ALL, AWAITED_RECEIVE, AWAITED_SENDS };

/* Sizes that differ, as struct schedule has them. */
struct sizes {
    int32_t users;               /* plans, instances and calls that hold it */
    int64_t *sums, *pairs;
};

/* What libpevpm-coll makes of an operation. */
struct held_carriage {
    int32_t users;               /* instances and calls that hold it */
    struct carriage *carriage;
};

struct collective_call {
    const struct collective_ref *ref;
    struct schedule schedule;
    struct sizes *sizes;         /* that the schedule borrows; NULL */
    struct held_carriage *held;  /* likewise; NULL: the MPI library's own */
    int64_t step;
    double entered;
    int32_t process;
    int32_t tag;                 /* of its messages: negative, so never a user's; the same in all processes */
    int32_t operation;           /* of a call with a request; NONE */
    int32_t instance;            /* costed as a whole; NONE */
    int32_t next;                /* waiting for the same instance; free */
    enum awaited awaited;
};

/* One collective of a communicator, from the first call to the last. */
struct instance {
    const struct collective_ref *ref; /* of the first call: the others must agree */
    double latest, root_entry;   /* entries; root: NAN until it has come */
    int32_t n_entered;
    int32_t first_waiting;       /* calls */
    int32_t root, first;         /* first: the process that came first */
    int64_t bytes;               /* `size` there */
    struct sizes *sizes;         /* that only the run knows, as that process computes them; NULL */
    bool is_decided;             /* it is known what `held` is */
    struct held_carriage *held;
    int32_t next;                /* of its communicator; free */
    bool has_times;
    double *times;               /* [times_capacity] by a formula: when each rank leaves if all enter at 0; the slot's
                                  * for good */
    int32_t times_capacity;
};

/* The last operation of a communicator whose root left by a formula: of the next of its root and size it is known what the one
 * before was. */
struct formula_last {
    int32_t root;
    int64_t bytes;
    enum collective_before was;  /* BEFORE_unknown: there was none, or its time was no draw */
};

struct communicator {
    int64_t *n_called;           /* [n] collectives that each rank has called */
    int64_t oldest_number;
    int32_t oldest, newest;      /* instances that not all have entered */
    struct formula_last last;
    struct coll_seats seats;     /* for decisions; node NULL: not known yet */
};

/* What a collective_ref means on this machine. */
struct plan {
    bool known, has_algorithm, has_formula;
    enum algorithm algorithm;
    int64_t segment;
    const struct machine_collective *measured; /* NULL: measured times do not serve */
    int formula;                 /* number of the model */
    struct sizes *sizes;         /* known before the run; NULL: all are equal, or they are not known */
};

struct collectives {
    struct plan *plans;          /* [n_collectives] */
    struct communicator *comms;  /* [n_comms] */
    struct formulas *formulas;   /* NULL: none was needed */
    int32_t n_calls, calls_capacity, free_call;
    struct collective_call *calls;
    int32_t n_instances, instances_capacity, free_instance;
    struct instance *instances;
};

static inline bool is_one_to_all(enum collective_op op)
{
    return op == COLLECTIVE_MPI_Bcast || op == COLLECTIVE_MPI_Scatter || op == COLLECTIVE_MPI_Scatterv;
}

static inline bool is_all_to_one(enum collective_op op)
{
    return op == COLLECTIVE_MPI_Gather || op == COLLECTIVE_MPI_Gatherv || op == COLLECTIVE_MPI_Reduce;
}

static inline const struct plan *plan_of(const struct timed *e, const struct collective_call *call)
{
    return &e->collectives->plans[call->ref - e->program->collectives];
}

void collective_call_release(struct collectives *c, int32_t call);

/* ---- whole.c ---- */

/* Is a call of this plan costed as a whole? Not what libpevpm-coll carries out otherwise than the MPI library would. */
bool whole_serves(struct timed *e, const struct plan *plan, const struct collective_call *call);

/* The call enters its instance; those for whom that was enough leave. Returns whether the process goes on. */
bool whole_enter(struct timed *e, int32_t call);

#endif
