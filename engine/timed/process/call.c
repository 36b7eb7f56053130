/* Calls of a process: entering and leaving MPI, waiting, testing, probing, completing. */
#include "engine/timed/process/call.h"

#include "engine/timed/match.h"
#include "engine/timed/process/collective.h"
#include "engine/timed/process/polling.h"
#include "engine/timed/process/post.h"
#include "engine/timed/process/remote.h"
#include "engine/timed/rendezvous.h"
#include "engine/timed/tell.h"
#include "engine/timed/timed.h"
#include "engine/timed/way/wire.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

/* A test or probe costs what receiving nothing costs, and time must go on: a polling loop ends. */
#define LEAST_POLL 1e-9
/* So many polls in a row while nothing can happen any more are for ever, if every other process that goes on has been
 * polling for POLLS_OTHERS at least. How often that is looked at: POLLS_PER_LOOK. */
enum { POLLS_MOST = 10000000, POLLS_OTHERS = 10000, POLLS_PER_LOOK = 100000 };

/* ---- entering and leaving MPI ---- */

static bool calls_may_pass(const struct timed *e)
{
    return e->model->in_time_by && e->model->progress == PROGRESS_NONE;
}

bool process_has_read(const struct timed *e, int32_t process, int32_t transfer)
{
    const struct timed_transfer *m = &e->transfers[transfer];
    const double there = m->send != NONE ? m->there_at : m->known ? m->time : INFINITY;
    return calls_may_pass(e) && there <= process_has_read_until(&e->processes[process]);
}

static void meetings_start(struct timed *e, int32_t process, bool permitted)
{
    int32_t i = e->processes[process].first_meeting;
    while (i != NONE) {
        int32_t next = e->transfers[i].next_meeting[e->channels[e->transfers[i].channel].from != process];
        if ((e->transfers[i].permitted > 0) == permitted)
            rendezvous_try(e, i);
        i = next;
    }
}

/* What it permits leaves before the data that it has been permitted to send: a library reads all that has come before its
 * connections take more than a permission of it (Open MPI: mca_btl_tcp_endpoint_send has data wait for its event loop). */
void timed_meetings_start(struct timed *e, int32_t process)
{
    meetings_start(e, process, false);
    meetings_start(e, process, true);
}

/* ---- waits ---- */

static bool any_open(const struct timed *e, const struct timed_process *p)
{
    for (int32_t i = p->first_open; i != NONE; i = e->operations[i].next_open)
        if (e->operations[i].waited)
            return true;
    return false;
}

/* Marks the open operations that a wait or test names: the latest of a name and index, all of a whole name; without
 * names all but those that a collective has posted for itself. */
static bool wait_mark(struct timed *e, int32_t process, const struct instr *instr)
{
    struct timed_process *p = &e->processes[process];
    if (instr->op == INSTR_SETTLE)
        return remote_mark(e, process, instr);
    bool all = instr->op == INSTR_WAITALL || instr->n_requests == 0;
    for (int32_t i = p->first_open; i != NONE; i = e->operations[i].next_open)
        e->operations[i].waited = all && e->operations[i].window == NONE &&
                                  (e->operations[i].call == NONE || e->operations[i].kind == OPERATION_COLLECTIVE);
    for (int32_t r = 0; !all && r < instr->n_requests; r++) {
        const struct request_ref *ref = &e->program->requests[instr->first_request + r];
        int64_t index;
        if (!timed_request_read(e, process, instr, r, &index))
            return false;
        int32_t latest = NONE;
        for (int32_t i = p->first_open; i != NONE; i = e->operations[i].next_open) {
            struct timed_operation *o = &e->operations[i];
            if (o->name != ref->name || (!ref->whole && o->index != index))
                continue;
            latest = i;
            o->waited |= ref->whole;
        }
        if (latest != NONE)
            e->operations[latest].waited = true;
    }
    return true;
}

/* The waited operation that completed first; at equal times the one that was posted first. not_after: of those complete
 * by then. receives: of receives only. */
static int32_t first_complete(const struct timed *e, const struct timed_process *p, double not_after, bool receives)
{
    int32_t first = NONE;
    for (int32_t i = p->first_open; i != NONE; i = e->operations[i].next_open) {
        const struct timed_operation *o = &e->operations[i];
        if (o->waited && o->ready && o->completion <= not_after && (!receives || o->kind == OPERATION_RECEIVE) &&
            (first == NONE || o->completion < e->operations[first].completion))
            first = i;
    }
    return first;
}

/* How many are complete by then; -1: none is waited for. */
static int64_t count_complete(const struct timed *e, const struct timed_process *p, double not_after)
{
    int64_t n = 0, waited = 0;
    for (int32_t i = p->first_open; i != NONE; i = e->operations[i].next_open) {
        const struct timed_operation *o = &e->operations[i];
        waited += o->waited;
        n += o->waited && o->ready && o->completion <= not_after;
    }
    return waited > 0 ? n : -1;
}

/* Of the marked operations all, or at least one, are complete by then. */
static bool marked_are_complete(const struct timed *e, const struct timed_process *p, bool one, double not_after)
{
    bool all = true, any = false;
    for (int32_t i = p->first_open; i != NONE; i = e->operations[i].next_open) {
        const struct timed_operation *o = &e->operations[i];
        const bool complete = o->ready && o->completion <= not_after;
        all &= !o->waited || complete;
        any |= o->waited && complete;
    }
    return one ? any : all;
}

/* The process knows so much complete that the call does not look. */
static bool marked_are_read(const struct timed *e, const struct timed_process *p, bool one)
{
    return calls_may_pass(e) && marked_are_complete(e, p, one, process_has_read_until(p));
}

static void open_remove(struct timed *e, struct timed_process *p, int32_t operation)
{
    int32_t before = NONE;
    for (int32_t i = p->first_open; i != operation; i = e->operations[i].next_open)
        before = i;
    if (before == NONE)
        p->first_open = e->operations[operation].next_open;
    else
        e->operations[before].next_open = e->operations[operation].next_open;
    if (p->last_open == operation)
        p->last_open = before;
    timed_operation_release(e, operation);
}

void operation_close(struct timed *e, int32_t operation)
{
    open_remove(e, &e->processes[e->operations[operation].process], operation);
}

/* Completes one operation in a call that has come to `at`; returns when it has. */
static double operation_complete(struct timed *e, int32_t process, const struct instr *instr, int32_t operation,
                                 double at)
{
    struct timed_process *p = &e->processes[process];
    const struct timed_operation *o = &e->operations[operation];
    double left;
    if (o->kind == OPERATION_RECEIVE) {
        double overhead;
        left = receive_return(e, operation, at, &overhead);
        if (e->ledger)
            timed_tell_wait(e, o, at, left, overhead);
        bind_status(e, process, instr, o->comm, o->transfer);
        receive_complete(e, operation, left);
    } else {
        left = rule_latest(o->completion, at);
        p->active = rule_latest(p->active, o->completion);
        timed_tell_send(e, o, at, left);
    }
    open_remove(e, p, operation);
    return left;
}

/* Receives in the order of arrival, then the rest. */
static double waited_complete(struct timed *e, int32_t process, const struct instr *instr, double at, double not_after)
{
    struct timed_process *p = &e->processes[process];
    for (int pass = 0; pass < 2; pass++) {
        int32_t o;
        while ((o = first_complete(e, p, not_after, pass == 0)) != NONE)
            at = operation_complete(e, process, instr, o, at);
    }
    return at;
}

static bool is_any(const struct instr *instr)
{
    return instr->op == INSTR_WAITANY || instr->op == INSTR_WAITSOME;
}

/* When a call that began at `call` would return with this operation: a Waitany takes the least. */
static double any_return(struct timed *e, int32_t operation, double call)
{
    const struct timed_operation *o = &e->operations[operation];
    double overhead;
    return o->kind == OPERATION_RECEIVE ? receive_return(e, operation, call, &overhead)
                                        : rule_latest(o->completion, call);
}

static int64_t request_position(struct timed *e, int32_t process, const struct instr *instr, int32_t operation)
{
    const struct timed_operation *o = &e->operations[operation];
    int64_t place;
    struct problem problem;
    if (!operand_request_place(e->program, instr, process, e->processes[process].slots, o->name, o->index, &place,
                               &problem))
        timed_fail(e, process, &problem);
    return place;
}

/* When all waited operations, each ready, will have completed: as waited_complete, without completing any. */
static double wait_return(struct timed *e, const struct timed_process *p)
{
    double at = p->call, since = -INFINITY;
    int32_t n = 0;
    for (int32_t i = p->first_open; i != NONE; i = e->operations[i].next_open)
        n += e->operations[i].waited && e->operations[i].kind == OPERATION_RECEIVE;
    for (int32_t last = NONE; n > 0; n--) {
        int32_t next = NONE;
        bool passed = last == NONE;
        for (int32_t i = p->first_open; i != NONE; i = e->operations[i].next_open) {
            const struct timed_operation *o = &e->operations[i];
            bool after = o->completion > since || (o->completion == since && passed);
            passed |= i == last;
            if (o->waited && o->kind == OPERATION_RECEIVE && after &&
                (next == NONE || o->completion < e->operations[next].completion))
                next = i;
        }
        double overhead;
        at = receive_return(e, next, at, &overhead);
        since = e->operations[next].completion;
        last = next;
    }
    for (int32_t i = p->first_open; i != NONE; i = e->operations[i].next_open)
        if (e->operations[i].waited && e->operations[i].kind != OPERATION_RECEIVE)
            at = rule_latest(e->operations[i].completion, at);
    return at;
}

/* Blocks the process in state IN_WAIT or IN_WAITANY for the marked operations. looks: whatever it knows of them. */
static void marked_wait(struct timed *e, int32_t process, enum timed_state state, bool looks)
{
    struct timed_process *p = &e->processes[process];
    if (!looks && marked_are_read(e, p, state == TIMED_IN_WAITANY))
        timed_mpi_pass(e, process);
    else
        timed_mpi_enter(e, process, INFINITY);
    process_block(p, state, NONE);
    p->n_pending = 0;
    for (int32_t i = p->first_open; i != NONE; i = e->operations[i].next_open)
        p->n_pending += e->operations[i].waited && !e->operations[i].ready;
    if (state == TIMED_IN_WAITANY) {
        for (int32_t i = p->first_open; i != NONE; i = e->operations[i].next_open)
            if (e->operations[i].waited && e->operations[i].ready)
                process_wake(e, process, any_return(e, i, p->call));
        if (!any_open(e, p))
            process_wake(e, process, p->call);
    } else if (p->n_pending == 0) {
        process_wake(e, process, wait_return(e, p));
    }
    if (e->collectives)
        collectives_expect(e, process);
}

void timed_wait_marked(struct timed *e, int32_t process)
{
    marked_wait(e, process, TIMED_IN_WAIT, false);
}

bool timed_call_wait(struct timed *e, int32_t process, const struct instr *instr)
{
    if (!wait_mark(e, process, instr))
        return false;
    if (e->collectives && collectives_move(e, process))
        return true;
    bind_status(e, process, instr, 0, NONE);
    marked_wait(e, process, is_any(instr) ? TIMED_IN_WAITANY : TIMED_IN_WAIT, instr->op == INSTR_SETTLE);
    return false;
}

static void waitany_finish(struct timed *e, int32_t process, const struct instr *instr)
{
    struct timed_process *p = &e->processes[process];
    int32_t o = first_complete(e, p, p->until, false);
    if (o == NONE) {
        bind_value(p, instr, BIND_index, -1);
        bind_value(p, instr, BIND_count, -1);
        p->clock = p->until;
        return;
    }
    bind_value(p, instr, BIND_index, request_position(e, process, instr, o));
    double at = operation_complete(e, process, instr, o, p->call);
    int64_t more = count_complete(e, p, at);
    bind_value(p, instr, BIND_count, 1 + (more > 0 ? more : 0));
    p->clock = instr->op == INSTR_WAITANY ? at : waited_complete(e, process, instr, at, at);
}

/* Its process, unless it is in a blocking receive, may wait for what is complete now. */
static void completion_noticed(struct timed *e, int32_t operation)
{
    struct timed_operation *o = &e->operations[operation];
    struct timed_process *p = &e->processes[o->process];
    switch ((enum timed_state)p->state) {
    case TIMED_IN_SEND:
        if (p->operation == operation)
            process_wake(e, o->process, o->completion);
        break;
    case TIMED_IN_WAIT:
        if (o->waited && --p->n_pending == 0)
            process_wake(e, o->process, wait_return(e, p));
        else if (o->call != NONE && !o->waited && p->collective == NONE)
            collectives_expect(e, o->process);
        break;
    case TIMED_IN_WAITANY:
        if (o->waited)
            process_wake(e, o->process, any_return(e, operation, p->call));
        else if (o->call != NONE && p->collective == NONE)
            collectives_expect(e, o->process);
        break;
    case TIMED_POLLING:
        polling_end(e, o->process);
        break;
    case TIMED_IN_RECEIVE:
    case TIMED_READY:
    case TIMED_IN_PROBE:
    case TIMED_IN_COLLECTIVE:
    case TIMED_ENDED:
        break;
    }
}

void receive_ready(struct timed *e, int32_t operation)
{
    struct timed_operation *o = &e->operations[operation];
    struct timed_transfer *m = &e->transfers[o->transfer];
    const struct timed_process *p = &e->processes[o->process];
    o->ready = true;
    o->completion = m->time;
    if (p->state != TIMED_IN_RECEIVE) {
        completion_noticed(e, operation);
        o = &e->operations[operation];
        m = &e->transfers[o->transfer];
    } else if (p->operation == operation) {
        process_wake(e, o->process, rule_latest(m->time, p->call + receive_overhead(e, m)));
    }
    if (o->serving == SERVING_TO_COME) {
        m->queued = true;
        event_add(e, rule_latest(m->time, e->now), EVENT_ARRIVE, e->channels[m->channel].to, o->transfer);
    }
    if (m->acknowledges != NONE)
        event_add(e, rule_latest(m->time, rule_latest(o->posted, e->now)), EVENT_ACKNOWLEDGE,
                  e->channels[m->channel].to, m->acknowledges);
}

void operation_ready(struct timed *e, int32_t operation)
{
    e->operations[operation].ready = true;
    completion_noticed(e, operation);
}

void timed_complete_marked(struct timed *e, int32_t process)
{
    static const struct instr silent = {.op = INSTR_WAIT};
    struct timed_process *p = &e->processes[process];
    p->clock = waited_complete(e, process, &silent, p->clock, INFINITY);
}

/* ---- tests and probes ---- */

static struct price *poll_price(struct timed *e, int32_t process, int32_t peer)
{
    return price_find(&e->book, timed_pair_class(e, peer, process), SEND_BLOCKING, 0);
}

/* What a look costs is of such a message. from: NONE, any message would do. */
static struct price *look_price(struct timed *e, int32_t process, int32_t from)
{
    struct timed_process *p = &e->processes[process];
    if (from >= 0)
        return poll_price(e, process, from);
    if (!p->poll)
        p->poll = poll_price(e, process, (process + 1) % e->program->numprocs);
    return p->poll;
}

/* What a look costs that finds nothing, or leaves what it found. read: the transfer found, if the process had read it before
 * and so asks nothing of the network; NONE. */
static double look_cost(struct timed *e, int32_t process, struct price *price, int32_t read)
{
    struct timed_process *p = &e->processes[process];
    const struct quantile *q = price_overhead(&e->book, price, SIDE_RECEIVE);
    const uint64_t draw = p->n_probed++;
    const double cost = timed_drawn(e, q, process, STREAM_PROBE, draw);
    const double within = read == NONE ? cost
                                       : wire_overhead_within(e, &e->transfers[read], SIDE_RECEIVE,
                                                              timed_word(e, process, STREAM_PROBE, draw));
    return rule_latest(LEAST_POLL, fmin(cost, within));
}

static double poll_cost(struct timed *e, int32_t process, int32_t from, int32_t read)
{
    return look_cost(e, process, look_price(e, process, from), read);
}

void look_end(struct timed *e, int32_t process, struct price *price)
{
    struct timed_process *p = &e->processes[process];
    const double left = p->clock + look_cost(e, process, price, NONE);
    timed_tell(e, process, p->site, LOSS_receive_overhead, p->clock, left);
    p->clock = left;
}

/* Nothing is left to happen but that others poll too. */
static bool only_polls_are_left(const struct timed *e)
{
    if (!event_queue_is_empty(&e->queue) || !event_queue_is_empty(&e->streams.timers)) /* messages on their way */
        return false;
    for (int32_t i = 0; i < e->program->numprocs; i++) {
        const struct timed_process *p = &e->processes[i];
        bool is_blocked = p->state == TIMED_ENDED || (p->state != TIMED_READY && !(p->until < TURN_NEVER));
        if (!is_blocked && (p->state != TIMED_READY || p->n_polls < POLLS_OTHERS))
            return false;
    }
    return true;
}

/* The process is behind a look that found nothing. Returns whether it goes on. */
static bool poll_again(struct timed *e, int32_t process, const struct instr *instr)
{
    struct timed_process *p = &e->processes[process];
    p->n_polls++;
    if (polling_begin(e, process, instr))
        return false;
    if (p->n_polls % POLLS_PER_LOOK != 0)
        return true;
    if (!only_polls_are_left(e))
        p->n_polls = 0;
    if (p->n_polls < POLLS_MOST)
        return true;
    struct problem problem = {.status = STATUS_DEADLOCK, .site = instr->site};
    snprintf(problem.text, sizeof problem.text,
             "polls for ever: nothing found in %d looks while no other process can do anything", POLLS_MOST);
    timed_fail(e, process, &problem);
    return false;
}

void bind_nothing(struct timed_process *p, const struct instr *instr, int64_t count)
{
    if (instr->op == INSTR_IPROBE) {
        bind_value(p, instr, BIND_flag, 0);
        bind_received_nothing(p, instr);
        if (instr->binds && instr->bind[BIND_message] >= 0)
            p->slots[instr->bind[BIND_message]] = (struct value){VALUE_NONE, {0}};
        return;
    }
    bind_received_nothing(p, instr);
    bind_value(p, instr, BIND_count, count);
    bind_value(p, instr, BIND_index, -1);
    bind_value(p, instr, BIND_flag, 0);
}

/* A look at the process's clock that finds nothing. Returns whether the process goes on. */
static bool look_in_vain(struct timed *e, int32_t process, const struct instr *instr, int32_t from, int64_t count)
{
    struct timed_process *p = &e->processes[process];
    look_end(e, process, look_price(e, process, from));
    bind_nothing(p, instr, count);
    p->until = p->clock;
    p->pc++;
    return poll_again(e, process, instr);
}

/* What a test would find now of the requests that it names. */
static bool test_is_vain(struct timed *e, int32_t process, const struct instr *instr, int64_t *count)
{
    const struct timed_process *p = &e->processes[process];
    const bool one = instr->op == INSTR_TESTANY || instr->op == INSTR_TESTSOME;
    for (int32_t r = 0; r < instr->n_requests; r++) {
        int64_t index;
        struct problem problem;
        if (!operand_request(e->program, &e->program->requests[instr->first_request + r], instr->site, process, p->slots,
                             &index, &problem))
            return false;
    }
    if (!wait_mark(e, process, instr))
        return false;
    *count = count_complete(e, p, p->clock);
    return *count >= 0 && !marked_are_complete(e, p, one, p->clock);
}

bool look_is_vain(struct timed *e, int32_t process, const struct instr *instr, struct price **price, int64_t *count)
{
    const struct timed_process *p = &e->processes[process];
    *price = NULL;
    *count = 0;
    if (instr->op != INSTR_IPROBE) {
        *price = look_price(e, process, NONE);
        return test_is_vain(e, process, instr, count);
    }
    struct operands o;
    struct problem problem;
    if (!operand_message(e->program, p->role, instr, process, p->slots, &o, &problem) || o.peer == OPERAND_NO_PEER)
        return false;
    *price = look_price(e, process, o.peer);
    return match_probe(e, process, o.peer, operand_context(o.comm, o.tag), o.tag == OPERAND_ANY_TAG, NULL) == NONE;
}

/* The process reads what has come. Whether that let one of its collectives go on: then it comes back to the test. */
static bool test_looks(struct timed *e, int32_t process)
{
    rendezvous_see(e, process);
    timed_mpi_enter(e, process, e->now);
    return e->collectives && collectives_progress(e, process);
}

bool timed_call_test(struct timed *e, int32_t process, const struct instr *instr)
{
    struct timed_process *p = &e->processes[process];
    const bool any = instr->op == INSTR_TESTANY, some = instr->op == INSTR_TESTSOME;
    if (calls_may_pass(e) && !wait_mark(e, process, instr))
        return false;
    if (marked_are_read(e, p, any || some)) {
        timed_mpi_pass(e, process);
    } else if (test_looks(e, process)) {
        p->until = p->clock;
        return e->status == STATUS_OK;
    }
    if (!wait_mark(e, process, instr))
        return false;
    bind_status(e, process, instr, 0, NONE);
    int32_t first = first_complete(e, p, p->clock, false), n = 0;
    for (int32_t i = p->first_open; i != NONE; i = e->operations[i].next_open)
        n += e->operations[i].waited;
    const bool flag = n == 0 || marked_are_complete(e, p, any || some, p->clock);
    const int64_t count = count_complete(e, p, p->clock);
    if (!flag)
        return look_in_vain(e, process, instr, NONE, count);
    bind_value(p, instr, BIND_count, count);
    double left;
    if (n == 0) {
        left = p->clock + poll_cost(e, process, NONE, NONE);
        timed_tell(e, process, instr->site, LOSS_receive_overhead, p->clock, left);
        bind_value(p, instr, BIND_index, -1);
    } else if (any) {
        bind_value(p, instr, BIND_index, request_position(e, process, instr, first));
        left = operation_complete(e, process, instr, first, p->clock);
    } else {
        left = waited_complete(e, process, instr, p->clock, p->clock);
    }
    bind_value(p, instr, BIND_flag, 1);
    p->until = p->clock = left;
    p->n_polls = 0;
    p->pc++;
    return true;
}

/* A probe that binds a message takes what it found out. */
static void bind_message(struct timed *e, int32_t process, const struct instr *instr, int32_t transfer)
{
    if (!instr->binds || instr->bind[BIND_message] < 0)
        return;
    bind_value(&e->processes[process], instr, BIND_message, transfer);
    match_take(e, transfer);
}

/* The process reads what has come, unless it has read what it asks for: that transfer, or NONE. */
static int32_t probe_looks(struct timed *e, int32_t process, const struct operands *o, bool waits)
{
    const int32_t found = calls_may_pass(e) && o->peer != OPERAND_NO_PEER
                              ? match_probe(e, process, o->peer, operand_context(o->comm, o->tag), o->tag == OPERAND_ANY_TAG, NULL)
                              : NONE;
    if (found != NONE && process_has_read(e, process, found)) {
        timed_mpi_pass(e, process);
        return found;
    }
    if (!waits)
        rendezvous_see(e, process);
    timed_mpi_enter(e, process, waits ? INFINITY : e->now);
    return NONE;
}

bool timed_call_probe(struct timed *e, int32_t process, const struct instr *instr)
{
    struct timed_process *p = &e->processes[process];
    struct operands o;
    bool waits = instr->op == INSTR_PROBE;
    if (!operands_read(e, process, instr, &o))
        return false;
    const int32_t read = probe_looks(e, process, &o, waits);
    if (o.peer == OPERAND_NO_PEER) {
        bind_status(e, process, instr, 0, NONE);
        bind_value(p, instr, BIND_flag, 1);
        bind_value(p, instr, BIND_message, PROGRAM_NO_MESSAGE);
        p->until = p->clock;
        p->pc++;
        return true;
    }
    int64_t context = operand_context(o.comm, o.tag);
    bool any_tag = o.tag == OPERAND_ANY_TAG;
    int32_t candidates = 0, *count = e->ledger && o.peer == OPERAND_ANY_PEER ? &candidates : NULL;
    int32_t found = match_probe(e, process, o.peer, context, any_tag, count);
    if (waits) {
        int32_t wanted = timed_operation_new(e, process, OPERATION_RECEIVE, instr->site);
        struct timed_operation *w = &e->operations[wanted];
        w->from = o.peer;
        w->comm = o.comm;
        w->context = context;
        w->any_tag = any_tag;
        w->transfer = found;
        process_block(p, TIMED_IN_PROBE, wanted);
        if (found != NONE)
            process_wake(e, process, p->call + poll_cost(e, process, o.peer, read));
        return false;
    }
    if (found == NONE)
        return look_in_vain(e, process, instr, o.peer, 0);
    double left = p->clock + poll_cost(e, process, o.peer, read);
    timed_tell(e, process, instr->site, LOSS_receive_overhead, p->clock, left);
    bind_value(p, instr, BIND_flag, 1);
    bind_status(e, process, instr, o.comm, found);
    bind_message(e, process, instr, found);
    timed_tell_choice(e, process, instr->site, e->channels[e->transfers[found].channel].from, candidates);
    p->until = p->clock = left;
    p->n_polls = 0;
    p->pc++;
    return true;
}

void arrival_noticed(struct timed *e, int32_t transfer)
{
    int32_t process = e->channels[e->transfers[transfer].channel].to;
    struct timed_process *p = &e->processes[process];
    polling_rouse(e, process);
    if (p->state != TIMED_IN_PROBE)
        return;
    struct timed_operation *w = &e->operations[p->operation];
    if (w->transfer != NONE)
        return;
    w->transfer = match_probe(e, process, w->from, w->context, w->any_tag, NULL);
    if (w->transfer != NONE)
        process_wake(e, process, rule_latest(e->now, p->call + poll_cost(e, process, w->from, NONE)));
}

static void probe_finish(struct timed *e, int32_t process, const struct instr *instr)
{
    struct timed_process *p = &e->processes[process];
    const struct timed_operation *w = &e->operations[p->operation];
    const struct timed_transfer *m = &e->transfers[w->transfer];
    bind_status(e, process, instr, w->comm, w->transfer);
    bind_message(e, process, instr, w->transfer);
    timed_tell_probe(e, process, instr->site, m, p->call, p->until);
    if (w->from == OPERAND_ANY_PEER)
        timed_tell_choice(e, process, instr->site, e->channels[m->channel].from, 1);
    p->clock = p->until;
    timed_operation_release(e, p->operation);
}

void timed_call_finish(struct timed *e, int32_t process)
{
    struct timed_process *p = &e->processes[process];
    static const struct instr silent = {.op = INSTR_WAIT};
    if (p->state == TIMED_POLLING) {
        polling_end(e, process);
        return;
    }
    bool whole = p->state == TIMED_IN_COLLECTIVE, unrolled = p->collective != NONE && !whole, again = false;
    const struct instr *instr = unrolled ? &silent : p->pc;
    enum timed_state state = (enum timed_state)p->state;
    p->state = TIMED_READY;
    switch (state) {
    case TIMED_IN_SEND:
        send_finish(e, process);
        break;
    case TIMED_IN_WAIT:
        again = e->collectives && collectives_step(e, process);
        if (!again)
            p->clock = waited_complete(e, process, instr, p->call, INFINITY);
        again = again || (!unrolled && remote_call_begins_anew(instr));
        break;
    case TIMED_IN_WAITANY:
        again = e->collectives && first_complete(e, p, p->until, false) == NONE && collectives_step(e, process);
        if (!again)
            waitany_finish(e, process, instr);
        break;
    case TIMED_IN_PROBE:
        probe_finish(e, process, instr);
        break;
    case TIMED_IN_COLLECTIVE:
        collective_finish(e, process, instr->site);
        break;
    case TIMED_IN_RECEIVE:
    case TIMED_READY:
    case TIMED_POLLING:
    case TIMED_ENDED:
        assert(false && "no call that is finished here");
    }
    if (!unrolled && !again)
        p->pc++;
}
