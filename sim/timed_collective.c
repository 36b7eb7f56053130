/* Collective operations in the time-ordered engine: unrolled into the messages of an algorithm
 * (collectives/schedule.h), or costed as a whole from measured times. Which of the two, and which algorithm: the
 * directive, then the machine file, then the table of the MPI library.
 *
 * Costed as a whole, with T drawn for each process:
 *     one to all      leaves at max(own entry, root's entry) + T
 *     all to one      the root leaves at the latest entry + T, the others after the overhead of a send to the root
 *     all to all      leaves at the latest entry + T
 * A collective with a request makes its first messages when it is called and the rest in the wait that names it, or as
 * far as they get in any test before. Messages of one collective match only each other. */
#include "sim/timed_impl.h"

#include "collectives/schedule.h"
#include "collectives/selection.h"
#include "models/collective_time.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a call waits for before its next move. */
enum awaited { AWAITED_NOTHING, AWAITED_MOVE, AWAITED_ALL, AWAITED_RECEIVE, AWAITED_SENDS };

struct collective_call {
    const struct collective_ref *ref;
    struct schedule schedule;
    int64_t *own_sums;           /* computed for this call; NULL: the plan's */
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
    int32_t next;                /* of its communicator; free */
};

struct communicator {
    int64_t *n_called;           /* [n] collectives that each rank has called */
    int64_t oldest_number;
    int32_t oldest, newest;      /* instances that not all have entered */
};

/* What a collective_ref means on this machine. */
struct plan {
    bool known, has_algorithm;
    enum algorithm algorithm;
    int64_t segment;
    const struct machine_collective *measured;
    int64_t *sums;               /* [n + 1] of the shares; NULL */
};

struct collectives {
    struct plan *plans;          /* [n_collectives] */
    struct communicator *comms;  /* [n_comms] */
    int32_t n_calls, calls_capacity, free_call;
    struct collective_call *calls;
    int32_t n_instances, instances_capacity, free_instance;
    struct instance *instances;
};

/* ---- making and clearing ---- */

struct collectives *collectives_create(const struct program *program)
{
    if (program->n_collectives == 0)
        return NULL;
    struct collectives *c = alloc_zeroed(1, sizeof *c);
    c->plans = alloc_zeroed((size_t)program->n_collectives, sizeof *c->plans);
    c->comms = alloc_zeroed((size_t)program->n_comms, sizeof *c->comms);
    for (int32_t i = 0; i < program->n_comms; i++)
        c->comms[i].n_called = alloc_zeroed((size_t)program->comms[i].n, sizeof *c->comms[i].n_called);
    return c;
}

void collectives_reset(struct collectives *c, const struct program *program)
{
    if (!c)
        return;
    for (int32_t i = 0; i < c->n_calls; i++)
        free(c->calls[i].own_sums);
    c->n_calls = c->n_instances = 0;
    c->free_call = c->free_instance = NONE;
    for (int32_t i = 0; i < program->n_comms; i++) {
        memset(c->comms[i].n_called, 0, (size_t)program->comms[i].n * sizeof *c->comms[i].n_called);
        c->comms[i].oldest = c->comms[i].newest = NONE;
        c->comms[i].oldest_number = 0;
    }
}

void collectives_destroy(struct collectives *c, const struct program *program)
{
    if (!c)
        return;
    for (int32_t i = 0; i < c->n_calls; i++)
        free(c->calls[i].own_sums);
    for (int32_t i = 0; i < program->n_collectives; i++)
        free(c->plans[i].sums);
    for (int32_t i = 0; i < program->n_comms; i++)
        free(c->comms[i].n_called);
    free(c->plans);
    free(c->comms);
    free(c->calls);
    free(c->instances);
    free(c);
}

static int32_t call_take(struct collectives *c)
{
    int32_t i = c->free_call;
    if (i != NONE) {
        c->free_call = c->calls[i].next;
        return i;
    }
    if (c->n_calls == c->calls_capacity) {
        c->calls_capacity = c->calls_capacity ? 2 * c->calls_capacity : 64;
        c->calls = alloc_resize(c->calls, (size_t)c->calls_capacity, sizeof *c->calls);
    }
    return c->n_calls++;
}

static void call_release(struct collectives *c, int32_t call)
{
    free(c->calls[call].own_sums);
    c->calls[call].own_sums = NULL;
    c->calls[call].next = c->free_call;
    c->free_call = call;
}

static int32_t instance_take(struct collectives *c)
{
    int32_t i = c->free_instance;
    if (i != NONE) {
        c->free_instance = c->instances[i].next;
        return i;
    }
    if (c->n_instances == c->instances_capacity) {
        c->instances_capacity = c->instances_capacity ? 2 * c->instances_capacity : 64;
        c->instances = alloc_resize(c->instances, (size_t)c->instances_capacity, sizeof *c->instances);
    }
    return c->n_instances++;
}

/* ---- plans ---- */

static void plan_find(struct timed *e, struct plan *plan, const struct collective_ref *ref)
{
    const char *operation = collective_op_name(ref->op);
    const struct machine_collective *own = collective_time_find(e->setup->machine, operation);
    const char *text = ref->algorithm ? ref->algorithm : own ? own->algorithm : NULL;
    if (text) {
        struct place place = ref->algorithm ? e->program->sites[ref->site].at : place_of_file(e->setup->machine->path);
        e->status = algorithm_parse(text, ref->op, place, &plan->algorithm, &plan->segment, e->diags);
        if (e->status != STATUS_OK)
            return;
        plan->has_algorithm = true;
    } else if (own && own->n_measured > 0) {
        plan->measured = own;
    }
    plan->known = true;
    if (!ref->shares)
        return;
    int32_t n = e->program->comms[ref->comm].n;
    plan->sums = alloc_array((size_t)n + 1, sizeof *plan->sums);
    plan->sums[0] = 0;
    for (int32_t i = 0; i < n; i++)
        plan->sums[i + 1] = plan->sums[i] + ref->shares[i];
}

static bool has_shares(enum collective_op op)
{
    return op == COLLECTIVE_MPI_Scatterv || op == COLLECTIVE_MPI_Gatherv || op == COLLECTIVE_MPI_Allgatherv ||
           op == COLLECTIVE_MPI_Alltoallv;
}

static enum collective_op blocking_form(enum collective_op op)
{
    return op == COLLECTIVE_MPI_Ibcast       ? COLLECTIVE_MPI_Bcast
           : op == COLLECTIVE_MPI_Iallreduce ? COLLECTIVE_MPI_Allreduce
                                             : op;
}

/* Shares that only the run knows. */
static bool shares_compute(struct timed *e, struct collective_call *call, const struct instr *instr)
{
    int32_t n = call->schedule.size;
    call->own_sums = alloc_array((size_t)n + 1, sizeof *call->own_sums);
    call->own_sums[0] = 0;
    for (int32_t rank = 0; rank < n; rank++) {
        int64_t bytes;
        struct problem problem;
        if (!operand_share(e->program, instr, rank, e->processes[call->process].slots, &bytes, &problem)) {
            timed_fail(e, call->process, &problem);
            return false;
        }
        call->own_sums[rank + 1] = call->own_sums[rank] + bytes;
    }
    call->schedule.sums = call->own_sums;
    return true;
}

/* ---- entering ---- */

static bool is_one_to_all(enum collective_op op)
{
    return op == COLLECTIVE_MPI_Bcast || op == COLLECTIVE_MPI_Scatter || op == COLLECTIVE_MPI_Scatterv;
}

static bool is_all_to_one(enum collective_op op)
{
    return op == COLLECTIVE_MPI_Gather || op == COLLECTIVE_MPI_Gatherv || op == COLLECTIVE_MPI_Reduce;
}

static bool disagrees(struct timed *e, const struct instance *instance, const struct collective_call *call)
{
    const struct collective_ref *a = instance->ref, *b = call->ref;
    struct problem problem = {.status = STATUS_RANGE, .site = b->site};
    if (a->op != b->op)
        snprintf(problem.text, sizeof problem.text,
                 "process %d calls %s here: all processes of a communicator call the same", instance->first,
                 collective_op_name(a->op));
    else if ((is_one_to_all(blocking_form(a->op)) || is_all_to_one(a->op)) && instance->root != call->schedule.root)
        snprintf(problem.text, sizeof problem.text, "the root is %d, in process %d it is %d", call->schedule.root,
                 instance->first, instance->root);
    else
        return false;
    timed_fail(e, call->process, &problem);
    return true;
}

/* Notes the call in its instance; NONE where it does not agree with the others. */
static int32_t instance_enter(struct timed *e, struct collective_call *call)
{
    struct collectives *c = e->collectives;
    struct communicator *comm = &c->comms[call->ref->comm];
    int64_t number = comm->n_called[call->schedule.rank]++;
    call->tag = (int32_t)((uint32_t)number | (uint32_t)1 << 31);
    int32_t i = comm->oldest;
    for (int64_t at = comm->oldest_number; i != NONE && at < number; at++)
        i = c->instances[i].next;
    if (i == NONE) {
        i = instance_take(c);
        c->instances[i] = (struct instance){.ref = call->ref,
                                            .latest = -INFINITY,
                                            .root_entry = NAN,
                                            .first_waiting = NONE,
                                            .root = call->schedule.root,
                                            .first = call->process,
                                            .next = NONE};
        if (comm->newest == NONE)
            comm->oldest = i;
        else
            c->instances[comm->newest].next = i;
        comm->newest = i;
    }
    struct instance *instance = &c->instances[i];
    if (disagrees(e, instance, call))
        return NONE;
    instance->n_entered++;
    instance->latest = rule_latest(call->entered, instance->latest);
    if (call->schedule.rank == call->schedule.root)
        instance->root_entry = call->entered;
    return i;
}

/* Instances that all have entered, and nobody waits for, are over. */
static void instances_clear(struct collectives *c, struct communicator *comm, int32_t n)
{
    while (comm->oldest != NONE && c->instances[comm->oldest].n_entered == n &&
           c->instances[comm->oldest].first_waiting == NONE) {
        int32_t old = comm->oldest;
        comm->oldest = c->instances[old].next;
        comm->oldest_number++;
        if (comm->oldest == NONE)
            comm->newest = NONE;
        c->instances[old].next = c->free_instance;
        c->free_instance = old;
    }
}

/* ---- costed as a whole ---- */

static double whole_time(struct timed *e, const struct collective_call *call, const struct machine_collective *measured)
{
    bool root = call->schedule.rank == call->schedule.root;
    const struct quantile *q = price_collective(&e->book, measured, e->setup->mode, call->schedule.size,
                                                call->schedule.bytes, root);
    return timed_drawn(e, q, call->process, STREAM_COLLECTIVE, e->processes[call->process].n_collectives++);
}

/* When the call leaves; NAN: not known yet. *others: since when it no longer waits for others. */
static double whole_leaves(struct timed *e, const struct collective_call *call, double *others)
{
    const struct instance *instance = &e->collectives->instances[call->instance];
    const struct plan *plan = &e->collectives->plans[call->ref - e->program->collectives];
    enum collective_op op = blocking_form(call->ref->op);
    bool root = call->schedule.rank == call->schedule.root;
    *others = call->entered;
    if (is_all_to_one(op) && !root) {
        int32_t peer = program_comm_process(e->program, call->ref->comm, call->schedule.root);
        uint32_t pair = e->model->pair_class(e->model, e->processes[call->process].node, e->processes[peer].node);
        struct price *price = price_find(&e->book, pair, SEND_BLOCKING, call->schedule.bytes);
        const struct quantile *q = price_overhead(&e->book, price, SIDE_SEND);
        return call->entered + timed_drawn(e, q, call->process, STREAM_COLLECTIVE,
                                           e->processes[call->process].n_collectives++);
    }
    if (is_one_to_all(op))
        *others = isnan(instance->root_entry) ? NAN : rule_latest(call->entered, instance->root_entry);
    else
        *others = instance->n_entered < call->schedule.size ? NAN : instance->latest;
    return isnan(*others) ? NAN : *others + whole_time(e, call, plan->measured);
}

static void whole_leave(struct timed *e, int32_t i, double others, double leaves)
{
    struct collective_call *call = &e->collectives->calls[i];
    struct timed_process *p = &e->processes[call->process];
    if (call->operation != NONE) {
        struct timed_operation *o = &e->operations[call->operation];
        o->started = others;
        o->completion = leaves;
        operation_ready(e, call->operation);
        call_release(e->collectives, i);
        return;
    }
    p->whole_others = others;
    process_wake(e, call->process, leaves);
}

/* Somebody has entered: those for whom that was enough may leave. */
static void whole_look_again(struct timed *e, int32_t instance)
{
    struct collectives *c = e->collectives;
    int32_t i = c->instances[instance].first_waiting;
    c->instances[instance].first_waiting = NONE;
    while (i != NONE) {
        int32_t next = c->calls[i].next;
        double others, leaves = whole_leaves(e, &c->calls[i], &others);
        if (isnan(leaves)) {
            c->calls[i].next = c->instances[instance].first_waiting;
            c->instances[instance].first_waiting = i;
        } else {
            whole_leave(e, i, others, leaves);
        }
        i = next;
    }
}

static bool whole_enter(struct timed *e, int32_t i)
{
    struct collectives *c = e->collectives;
    struct collective_call *call = &c->calls[i];
    struct timed_process *p = &e->processes[call->process];
    int32_t instance = call->instance;
    bool waits = call->operation == NONE;
    if (waits) {
        timed_mpi_enter(e, call->process);
        p->state = TIMED_IN_COLLECTIVE;
        p->operation = NONE;
        p->collective = i;
    }
    call->next = c->instances[instance].first_waiting;
    c->instances[instance].first_waiting = i;
    whole_look_again(e, instance);
    return !waits;
}

void collective_finish(struct timed *e, int32_t process, int32_t site)
{
    struct timed_process *p = &e->processes[process];
    timed_tell(e, process, site, LOSS_collective_wait, p->call, p->whole_others);
    timed_tell(e, process, site, LOSS_transit, p->whole_others, p->until);
    p->clock = p->until;
    call_release(e->collectives, p->collective);
    p->collective = NONE;
}

/* ---- unrolled ---- */

static struct operands message_of(const struct timed *e, const struct collective_call *call, int32_t rank,
                                  int64_t bytes)
{
    return (struct operands){.peer = program_comm_process(e->program, call->ref->comm, rank), .tag = call->tag,
                             .comm = call->ref->comm, .bytes = bytes};
}

static void open_own(struct timed *e, const struct collective_call *call, int32_t i, int32_t operation)
{
    operation_open(e, operation, INT32_MIN, call->step);
    e->operations[operation].call = i;
}

static void move_send(struct timed *e, int32_t i, const struct move *move, bool blocking)
{
    const struct collective_call call = e->collectives->calls[i];
    struct operands o = message_of(e, &call, move->to, move->bytes);
    int32_t operation = send_post(e, call.process, &o, blocking ? INSTR_SEND : INSTR_ISEND, call.ref->site, blocking);
    if (operation == NONE)
        return;
    int32_t transfer = e->operations[operation].transfer;
    open_own(e, &call, i, operation);
    if (transfer != NONE)
        match_new(e, transfer);
}

static void move_receive(struct timed *e, int32_t i, const struct move *move)
{
    const struct collective_call call = e->collectives->calls[i];
    struct operands o = message_of(e, &call, move->from, move->receive_bytes);
    int32_t operation = receive_post(e, call.process, &o, call.ref->site);
    e->operations[operation].any_tag = false;
    open_own(e, &call, i, operation);
    match_receive(e, operation);
}

/* Carries out the next move; returns false at the end. */
static bool move_make(struct timed *e, int32_t i)
{
    struct collective_call *call = &e->collectives->calls[i];
    struct timed_process *p = &e->processes[call->process];
    struct move move;
    schedule_move(&call->schedule, call->step, &move);
    call->awaited = AWAITED_NOTHING;
    switch (move.kind) {
    case MOVE_SEND:
    case MOVE_ISEND:
        call->awaited = move.kind == MOVE_SEND ? AWAITED_MOVE : AWAITED_NOTHING;
        move_send(e, i, &move, move.kind == MOVE_SEND);
        break;
    case MOVE_RECV:
    case MOVE_IRECV:
        call->awaited = move.kind == MOVE_RECV ? AWAITED_MOVE : AWAITED_NOTHING;
        move_receive(e, i, &move);
        break;
    case MOVE_EXCHANGE:
        call->awaited = AWAITED_MOVE;
        move_send(e, i, &move, false);
        move_receive(e, i, &move);
        break;
    case MOVE_WAITALL:
        call->awaited = AWAITED_ALL;
        break;
    case MOVE_WAIT_RECEIVE:
        call->awaited = AWAITED_RECEIVE;
        break;
    case MOVE_WAIT_SENDS:
        call->awaited = AWAITED_SENDS;
        break;
    case MOVE_REDUCE: {
        double seconds = e->setup->machine->reduction_gamma * (double)move.bytes;
        timed_tell(e, call->process, p->site, LOSS_computation, p->clock, p->clock + seconds);
        p->clock += seconds;
        break;
    }
    case MOVE_SKIP:
        break;
    case MOVE_END:
        return false;
    }
    return true;
}

/* Marks what the call waits for; returns how many that are. *complete: all of them by now. */
static int32_t awaited_mark(struct timed *e, int32_t i, bool *complete)
{
    const struct collective_call *call = &e->collectives->calls[i];
    const struct timed_process *p = &e->processes[call->process];
    int32_t n = 0;
    *complete = true;
    for (int32_t o = p->first_open; o != NONE; o = e->operations[o].next_open) {
        struct timed_operation *operation = &e->operations[o];
        bool receive = operation->kind == OPERATION_RECEIVE;
        operation->waited =
            operation->call == i && operation->kind != OPERATION_COLLECTIVE &&
            (call->awaited == AWAITED_ALL || (call->awaited == AWAITED_MOVE && operation->index == call->step) ||
             (call->awaited == AWAITED_SENDS && !receive) || (call->awaited == AWAITED_RECEIVE && receive && n == 0));
        if (!operation->waited)
            continue;
        n++;
        *complete &= operation->ready && operation->completion <= p->clock;
    }
    return n;
}

/* What it waited for is marked; next the move behind. */
static void awaited_leave(struct collective_call *call)
{
    call->awaited = AWAITED_NOTHING;
    call->step++;
}

static void call_end(struct timed *e, int32_t i)
{
    struct collective_call *call = &e->collectives->calls[i];
    struct timed_process *p = &e->processes[call->process];
    if (p->collective == i)
        p->collective = NONE;
    if (call->operation != NONE) {
        struct timed_operation *o = &e->operations[call->operation];
        o->started = o->completion = p->clock;
        o->call = NONE;
        operation_ready(e, call->operation);
    } else {
        p->pc++;
    }
    call_release(e->collectives, i);
}

/* Goes on with a call: a move, or the wait behind one (its process is then blocked and false is returned), or its
 * end. */
static bool call_go_on(struct timed *e, int32_t i)
{
    struct collective_call *call = &e->collectives->calls[i];
    if (call->awaited != AWAITED_NOTHING) {
        bool complete;
        int32_t n = awaited_mark(e, i, &complete);
        awaited_leave(call);
        if (n > 0)
            timed_wait_marked(e, call->process);
        return n == 0;
    }
    if (!move_make(e, i)) {
        call_end(e, i);
        return e->status == STATUS_OK;
    }
    call = &e->collectives->calls[i];
    if (call->awaited == AWAITED_NOTHING)
        call->step++;
    return e->status == STATUS_OK;
}

bool collective_go_on(struct timed *e, int32_t process)
{
    return call_go_on(e, e->processes[process].collective);
}

/* A call with a request: its first messages go out when it is made. */
static void begin_nonblocking(struct timed *e, int32_t i)
{
    struct collective_call *call = &e->collectives->calls[i];
    while (e->status == STATUS_OK && call->awaited == AWAITED_NOTHING) {
        struct move move;
        schedule_move(&call->schedule, call->step, &move);
        if (move.kind == MOVE_END)
            break;
        call_go_on(e, i);
        call = &e->collectives->calls[i];
    }
}

/* Goes on with a call that has a request as far as it gets without waiting. */
static void call_progress(struct timed *e, int32_t i)
{
    int32_t operation = e->collectives->calls[i].operation;
    while (e->status == STATUS_OK && e->operations[operation].call == i) {
        struct collective_call *call = &e->collectives->calls[i];
        bool complete = true;
        if (call->awaited == AWAITED_NOTHING) {
            call_go_on(e, i);
            continue;
        }
        awaited_mark(e, i, &complete);
        if (!complete)
            return;
        timed_complete_marked(e, call->process);
        awaited_leave(call);
    }
}

bool collective_resume(struct timed *e, int32_t process, bool blocking)
{
    struct timed_process *p = &e->processes[process];
    for (int32_t o = p->first_open; o != NONE && e->status == STATUS_OK; o = e->operations[o].next_open) {
        const struct timed_operation *operation = &e->operations[o];
        if (operation->kind != OPERATION_COLLECTIVE || operation->call == NONE)
            continue;
        if (!blocking) {
            call_progress(e, operation->call);
        } else if (operation->waited) {
            p->collective = operation->call;
            return true;
        }
    }
    return false;
}

/* ---- the call ---- */

static bool schedule_fill(struct timed *e, struct collective_call *call, const struct instr *instr, struct plan *plan)
{
    struct schedule *s = &call->schedule;
    const struct timed_process *p = &e->processes[call->process];
    struct problem problem;
    s->op = blocking_form(call->ref->op);
    s->size = e->program->comms[call->ref->comm].n;
    s->rank = program_comm_rank(e->program, call->ref->comm, call->process);
    if (!operand_collective(e->program, instr, call->process, p->slots, &s->root, &s->bytes, &problem)) {
        timed_fail(e, call->process, &problem);
        return false;
    }
    s->sums = plan->sums;
    if (has_shares(s->op) && !plan->sums && call->ref->bytes_expr >= 0 && !shares_compute(e, call, instr))
        return false;
    int64_t mean = s->sums ? s->sums[s->size] / s->size : s->bytes;
    s->algorithm = plan->algorithm;
    s->segment = plan->segment;
    if (!plan->has_algorithm)
        s->algorithm = algorithm_select(e->setup->library, s->op, s->size, mean, &s->segment);
    return true;
}

static bool is_costed_whole(struct timed *e, const struct plan *plan, const struct schedule *s)
{
    return plan->measured && price_collective(&e->book, plan->measured, e->setup->mode, s->size, s->bytes, false);
}

bool timed_call_collective(struct timed *e, int32_t process, const struct instr *instr)
{
    struct collectives *c = e->collectives;
    struct timed_process *p = &e->processes[process];
    const struct collective_ref *ref = &e->program->collectives[instr->index];
    struct plan *plan = &c->plans[instr->index];
    int64_t index = 0;
    if (!plan->known)
        plan_find(e, plan, ref);
    int32_t i = call_take(c);
    struct collective_call *call = &c->calls[i];
    *call = (struct collective_call){.ref = ref, .process = process, .operation = NONE, .entered = p->clock,
                                     .instance = NONE};
    if (e->status != STATUS_OK || !schedule_fill(e, call, instr, plan))
        return false;
    if (instr->n_requests > 0 && !timed_request_read(e, process, instr, 0, &index))
        return false;
    int32_t instance = instance_enter(e, call);
    if (instance == NONE)
        return false;
    if (instr->n_requests > 0) {
        call->operation = timed_operation_new(e, process, OPERATION_COLLECTIVE, instr->site);
        operation_open(e, call->operation, e->program->requests[instr->first_request].name, index);
        p->pc++;
    }
    bool on = true;
    if (is_costed_whole(e, plan, &call->schedule)) {
        call->instance = instance;
        on = whole_enter(e, i);
    } else if (instr->n_requests > 0) {
        e->operations[call->operation].call = i;
        begin_nonblocking(e, i);
    } else {
        p->collective = i;
    }
    instances_clear(c, &c->comms[ref->comm], call->schedule.size);
    return on && e->status == STATUS_OK;
}
