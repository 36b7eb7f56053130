/* Collectives unrolled into the messages of an algorithm. One with a request makes its first messages when it is
 * called. Then it goes on whenever what it waits for has come while its process waits in MPI, for whatever that is, and in
 * any test or Iprobe as far as it gets with what was read before. Each move is made when its time has come, since others may notice it. */
#include "engine/timed/process/collective_impl.h"

#include "engine/timed/match.h"
#include "engine/timed/process/call.h"
#include "engine/timed/process/collective.h"
#include "engine/timed/process/post.h"
#include "engine/timed/tell.h"
#include "engine/timed/way/wire.h"

#include <math.h>

/* ---- moves ---- */

static struct operands message_of(const struct timed *e, const struct collective_call *call, int32_t rank,
                                  int64_t bytes)
{
    return (struct operands){.peer = program_comm_process(e->program, call->ref->comm, rank), .tag = call->tag,
                             .comm = call->ref->comm, .bytes = bytes};
}

/* Where the machine file does not say what arithmetic takes. */
static void reduction_note(struct timed *e, int64_t bytes)
{
    static const struct measured_range nothing = {0, 0, 0};
    if (e->setup->machine->has_reduction || bytes <= e->combined)
        return;
    e->combined = bytes;
    beyond_add(e->setup->beyond, BEYOND_reduction, "", &nothing, (double)bytes);
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
    if (transfer != NONE && e->transfers[transfer].send == operation)
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
        move_receive(e, i, &move); /* as in MPI_Sendrecv (directives/lower/message.c) */
        move_send(e, i, &move, false);
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
        reduction_note(e, move.bytes);
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

/* Is the operation one of those that the call waits for? `receives`: how many receives of the call are before it. */
static bool is_awaited(const struct collective_call *call, int32_t i, const struct timed_operation *o, int32_t receives)
{
    if (o->call != i || o->kind == OPERATION_COLLECTIVE)
        return false;
    bool receive = o->kind == OPERATION_RECEIVE;
    switch (call->awaited) {
    case AWAITED_MOVE:
        return o->index == call->step;
    case AWAITED_ALL:
        return true;
    case AWAITED_RECEIVE:
        return receive && receives == 0;
    case AWAITED_SENDS:
        return !receive;
    case AWAITED_NOTHING:
        break;
    }
    return false;
}

/* Marks what the call waits for, and nothing else; returns how many that are. */
static int32_t awaited_mark(struct timed *e, int32_t i)
{
    const struct collective_call *call = &e->collectives->calls[i];
    const struct timed_process *p = &e->processes[call->process];
    int32_t n = 0, receives = 0;
    for (int32_t o = p->first_open; o != NONE; o = e->operations[o].next_open) {
        struct timed_operation *operation = &e->operations[o];
        operation->waited = is_awaited(call, i, operation, receives);
        receives += operation->call == i && operation->kind == OPERATION_RECEIVE;
        n += operation->waited;
    }
    return n;
}

/* What it waited for is over; next the move behind. */
static void awaited_leave(struct collective_call *call)
{
    call->awaited = AWAITED_NOTHING;
    call->step++;
}

static void call_end(struct timed *e, int32_t i)
{
    struct collective_call *call = &e->collectives->calls[i];
    struct timed_process *p = &e->processes[call->process];
    if (call->operation != NONE) {
        struct timed_operation *o = &e->operations[call->operation];
        o->started = o->completion = p->clock;
        o->call = NONE;
        p->n_under_way--;
        operation_ready(e, call->operation);
    } else {
        p->collective = NONE;
        p->pc++;
    }
    collective_call_release(e->collectives, i);
}

/* A move of a call that waits for nothing, or its end. */
static void call_move(struct timed *e, int32_t i)
{
    if (!move_make(e, i)) {
        call_end(e, i);
        return;
    }
    struct collective_call *call = &e->collectives->calls[i];
    if (call->awaited == AWAITED_NOTHING)
        call->step++;
}

/* ---- in the call ---- */

/* The first messages of a call with a request; then the process goes on with what follows it. */
static bool begin_go_on(struct timed *e, int32_t process)
{
    struct timed_process *p = &e->processes[process];
    int32_t i = p->collective, operation = e->collectives->calls[i].operation;
    call_move(e, i);
    if (e->operations[operation].call == NONE || e->collectives->calls[i].awaited != AWAITED_NOTHING) {
        p->collective = NONE;
        p->pc++;
    }
    return e->status == STATUS_OK;
}

bool collective_go_on(struct timed *e, int32_t process)
{
    int32_t i = e->processes[process].collective;
    struct collective_call *call = &e->collectives->calls[i];
    if (call->operation != NONE)
        return begin_go_on(e, process);
    if (call->awaited == AWAITED_NOTHING) {
        call_move(e, i);
        return e->status == STATUS_OK;
    }
    if (collectives_move(e, process))
        return true;
    if (awaited_mark(e, i) > 0) {
        timed_wait_marked(e, process);
        return false;
    }
    awaited_leave(call);
    return true;
}

void collective_waited(struct timed *e, int32_t process)
{
    awaited_leave(&e->collectives->calls[e->processes[process].collective]);
}

/* ---- in tests and where a process waits: collectives with a request ---- */

static bool is_under_way(const struct timed_operation *o)
{
    return o->kind == OPERATION_COLLECTIVE && o->call != NONE;
}

/* Does a library, which sees to its collectives before it reads the network, know then that the operation is complete? What a
 * node's processes share Open MPI has read by then (opal_progress: the callback of that transport is before libnbc's, sockets are
 * behind all callbacks), MPICH has not (MPIDI_progress_test: hooks are before all transports). A send whose data a host took in one
 * look is complete in the next, whatever handing them over takes. */
static bool is_known(const struct timed *e, const struct timed_process *p, const struct timed_operation *o)
{
    if (!o->ready || o->completion > p->clock)
        return false;
    if (o->at_once || !calls_may_pass(e))
        return true;
    if (e->setup->library == LIBRARY_open_mpi && e->channels[o->channel].transport != TRANSPORT_network)
        return true;
    return (o->kind == OPERATION_SEND && !o->read && o->held == 0 ? o->started : o->completion) <= process_has_read_until(p);
}

/* All that the call waits for, which may be nothing. */
static bool awaited_are_known(const struct timed *e, int32_t i)
{
    const struct collective_call *call = &e->collectives->calls[i];
    const struct timed_process *p = &e->processes[call->process];
    int32_t receives = 0;
    for (int32_t o = p->first_open; o != NONE; o = e->operations[o].next_open) {
        const struct timed_operation *operation = &e->operations[o];
        if (is_awaited(call, i, operation, receives) && !is_known(e, p, operation))
            return false;
        receives += operation->call == i && operation->kind == OPERATION_RECEIVE;
    }
    return true;
}

/* The collective call that can go on in a test; NONE. */
static int32_t call_that_can(const struct timed *e, int32_t process)
{
    const struct timed_process *p = &e->processes[process];
    for (int32_t o = p->first_open; p->n_under_way > 0 && o != NONE; o = e->operations[o].next_open)
        if (is_under_way(&e->operations[o]) && awaited_are_known(e, e->operations[o].call))
            return e->operations[o].call;
    return NONE;
}

bool collectives_can_progress(const struct timed *e, int32_t process)
{
    return call_that_can(e, process) != NONE;
}

/* It has what it waits for: its next move, or the end of one. */
static void call_go_on(struct timed *e, int32_t process, int32_t i)
{
    if (e->collectives->calls[i].awaited == AWAITED_NOTHING) {
        call_move(e, i);
        return;
    }
    awaited_mark(e, i);
    timed_complete_marked(e, process);
    awaited_leave(&e->collectives->calls[i]);
}

bool collectives_progress(struct timed *e, int32_t process)
{
    const int32_t i = call_that_can(e, process);
    if (i != NONE)
        call_go_on(e, process, i);
    return i != NONE;
}

/* What the call waits for. NONE: nothing that is open. */
static int32_t awaited_first(const struct timed *e, int32_t i, bool ready)
{
    const struct collective_call *call = &e->collectives->calls[i];
    int32_t receives = 0;
    for (int32_t o = e->processes[call->process].first_open; o != NONE; o = e->operations[o].next_open) {
        const struct timed_operation *operation = &e->operations[o];
        if (is_awaited(call, i, operation, receives) && operation->ready == ready)
            return o;
        receives += operation->call == i && operation->kind == OPERATION_RECEIVE;
    }
    return NONE;
}

bool collectives_move(struct timed *e, int32_t process)
{
    struct timed_process *p = &e->processes[process];
    for (int32_t o = p->first_open; p->n_under_way > 0 && o != NONE; o = e->operations[o].next_open) {
        if (!is_under_way(&e->operations[o]))
            continue;
        int32_t i = e->operations[o].call;
        struct collective_call *call = &e->collectives->calls[i];
        if (call->awaited == AWAITED_NOTHING)
            call_move(e, i);
        else if (awaited_first(e, i, false) == NONE && awaited_first(e, i, true) == NONE)
            awaited_leave(call);
        else
            continue;
        return e->status == STATUS_OK;
    }
    return false;
}

/* The receive that the call waits for and that completes next after `after` (NONE: first): in the order of arrival, at
 * equal times of posting. */
static int32_t awaited_next(const struct timed *e, int32_t i, int32_t after)
{
    const struct collective_call *call = &e->collectives->calls[i];
    double since = after == NONE ? -INFINITY : e->operations[after].completion;
    bool passed = after == NONE;
    int32_t next = NONE, receives = 0;
    for (int32_t o = e->processes[call->process].first_open; o != NONE; o = e->operations[o].next_open) {
        const struct timed_operation *operation = &e->operations[o];
        bool receive = operation->call == i && operation->kind == OPERATION_RECEIVE;
        bool later = operation->completion > since || (operation->completion == since && passed);
        passed |= o == after;
        if (receive && later && is_awaited(call, i, operation, receives) &&
            (next == NONE || operation->completion < e->operations[next].completion))
            next = o;
        receives += receive;
    }
    return next;
}

/* When what the call waits for will have completed, in a wait that the process is in: as timed_complete_marked does it.
 * INFINITY: not known yet. */
static double awaited_over(struct timed *e, int32_t i)
{
    const struct collective_call *call = &e->collectives->calls[i];
    const struct timed_process *p = &e->processes[call->process];
    double at = p->call;
    if (awaited_first(e, i, false) != NONE)
        return INFINITY;
    for (int32_t o = NONE; (o = awaited_next(e, i, o)) != NONE;)
        at = rule_latest(e->operations[o].completion,
                         at + receive_overhead(e, &e->transfers[e->operations[o].transfer]));
    for (int32_t o = p->first_open; o != NONE; o = e->operations[o].next_open)
        if (e->operations[o].kind == OPERATION_SEND && is_awaited(call, i, &e->operations[o], 0))
            at = rule_latest(e->operations[o].completion, at);
    return at;
}

void collectives_expect(struct timed *e, int32_t process)
{
    struct timed_process *p = &e->processes[process];
    for (int32_t o = p->first_open; p->n_under_way > 0 && p->looks && o != NONE; o = e->operations[o].next_open)
        if (is_under_way(&e->operations[o]))
            process_wake(e, process, awaited_over(e, e->operations[o].call));
}

bool collectives_step(struct timed *e, int32_t process)
{
    struct timed_process *p = &e->processes[process];
    for (int32_t o = p->first_open; p->n_under_way > 0 && p->looks && o != NONE; o = e->operations[o].next_open) {
        const struct timed_operation *operation = &e->operations[o];
        if (!is_under_way(operation) || awaited_over(e, operation->call) > p->until)
            continue;
        call_go_on(e, process, operation->call);
        return true;
    }
    return false;
}

int32_t collective_waits_for(const struct timed *e, int32_t operation)
{
    int32_t inner = is_under_way(&e->operations[operation])
                        ? awaited_first(e, e->operations[operation].call, false) : NONE;
    return inner != NONE ? inner : operation;
}
