/* Calls of a process: entering and leaving MPI, waiting, going on (call.h). */
#include "engine/timed/process/call.h"

#include "engine/timed/process/collective.h"
#include "engine/timed/process/look.h"
#include "engine/timed/process/marked.h"
#include "engine/timed/process/polling.h"
#include "engine/timed/process/post.h"
#include "engine/timed/process/remote.h"
#include "engine/timed/rendezvous.h"
#include "engine/timed/timed.h"
#include "engine/timed/way/wire.h"

#include <assert.h>
#include <math.h>

/* ---- entering and leaving MPI ---- */

bool process_has_read(const struct timed *e, int32_t process, int32_t transfer)
{
    const struct timed_transfer *m = &e->transfers[transfer];
    const double there = m->send != NONE ? m->there_at : m->known ? m->time : INFINITY;
    return calls_may_pass(e) && (there <= process_has_read_until(&e->processes[process]) ||
                                 (there < INFINITY && e->channels[m->channel].transport == TRANSPORT_self));
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

static bool is_any(const struct instr *instr)
{
    return instr->op == INSTR_WAITANY || instr->op == INSTR_WAITSOME;
}

/* Blocks the process in state IN_WAIT or IN_WAITANY for the marked operations. looks: whatever it knows of them. */
static void marked_wait(struct timed *e, int32_t process, enum timed_state state, bool looks)
{
    struct timed_process *p = &e->processes[process];
    if (!looks && marked_are_read(e, p, state == TIMED_IN_WAITANY))
        timed_mpi_pass(p);
    else
        timed_mpi_enter(e, p, process, INFINITY);
    process_block(p, state, NONE);
    p->n_pending = 0;
    for (int32_t i = p->first_open; i != NONE; i = e->operations[i].next_open)
        p->n_pending += e->operations[i].waited && !e->operations[i].ready;
    if (state == TIMED_IN_WAITANY) {
        for (int32_t i = p->first_open; i != NONE; i = e->operations[i].next_open)
            if (e->operations[i].waited && e->operations[i].ready)
                process_wake(e, process, operation_return(e, i, p->call));
        if (!marked_any(e, p))
            process_wake(e, process, p->call);
    } else if (p->n_pending == 0) {
        process_wake(e, process, marked_return(e, p));
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
    if (!operations_mark(e, process, instr))
        return false;
    if (e->collectives && collectives_move(e, process))
        return true;
    bind_status(e, process, instr, 0, NONE);
    marked_wait(e, process, is_any(instr) ? TIMED_IN_WAITANY : TIMED_IN_WAIT, instr->op == INSTR_SETTLE);
    return false;
}

bool timed_call_held(struct timed *e, int32_t process)
{
    struct timed_process *p = &e->processes[process];
    if (collectives_move(e, process))
        return true;
    for (int32_t i = p->first_open; i != NONE; i = e->operations[i].next_open)
        e->operations[i].waited = i == p->held;
    timed_wait_marked(e, process);
    return false;
}

static void waitany_finish(struct timed *e, int32_t process, const struct instr *instr)
{
    struct timed_process *p = &e->processes[process];
    int32_t o = marked_first(e, p, p->until, false);
    if (o == NONE) {
        bind_value(p, instr, BIND_index, -1);
        bind_value(p, instr, BIND_count, -1);
        p->clock = p->until;
        return;
    }
    bind_value(p, instr, BIND_index, request_position(e, process, instr, o));
    double at = operation_complete(e, process, instr, o, p->call);
    int64_t more = marked_count(e, p, at);
    bind_value(p, instr, BIND_count, 1 + (more > 0 ? more : 0));
    p->clock = instr->op == INSTR_WAITANY ? at : marked_complete(e, process, instr, at, at);
}

void timed_complete_marked(struct timed *e, int32_t process)
{
    static const struct instr silent = {.op = INSTR_WAIT};
    struct timed_process *p = &e->processes[process];
    p->clock = marked_complete(e, process, &silent, p->clock, INFINITY);
}

/* ---- what becomes known while it waits ---- */

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
            process_wake(e, o->process, marked_return(e, p));
        else if (o->call != NONE && !o->waited)
            collectives_expect(e, o->process);
        break;
    case TIMED_IN_WAITANY:
        if (o->waited)
            process_wake(e, o->process, operation_return(e, operation, p->call));
        else if (o->call != NONE)
            collectives_expect(e, o->process);
        break;
    case TIMED_POLLING:
        polling_end(e, o->process);
        break;
    case TIMED_IN_PROBE:
        if (o->call != NONE)
            collectives_expect(e, o->process);
        break;
    case TIMED_IN_RECEIVE:
    case TIMED_READY:
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
    o->at_once = e->channels[m->channel].transport == TRANSPORT_self;
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
    if (m->acknowledges != NONE && !m->read)
        event_add(e, rule_latest(m->time, rule_latest(o->posted, e->now)), EVENT_ACKNOWLEDGE,
                  e->channels[m->channel].to, m->acknowledges);
}

void operation_ready(struct timed *e, int32_t operation)
{
    e->operations[operation].ready = true;
    completion_noticed(e, operation);
}

/* ---- going on ---- */

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
        if (!again) {
            p->clock = marked_complete(e, process, instr, p->call, INFINITY);
            p->held = NONE;
            if (unrolled)
                collective_waited(e, process);
        }
        again = again || (!unrolled && remote_call_begins_anew(instr));
        break;
    case TIMED_IN_WAITANY:
        again = e->collectives && marked_first(e, p, p->until, false) == NONE && collectives_step(e, process);
        if (!again)
            waitany_finish(e, process, instr);
        break;
    case TIMED_IN_PROBE:
        again = e->collectives && collectives_step(e, process);
        if (again)
            probe_withdraw(e, process);
        else
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
