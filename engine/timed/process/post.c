/* Messages of a process: posting them, receives and sends. */
#include "engine/timed/process/post.h"

#include "engine/timed/match.h"
#include "engine/timed/process/call.h"
#include "engine/timed/process/remote.h"
#include "engine/timed/rendezvous.h"
#include "engine/timed/tell.h"
#include "engine/timed/timed.h"
#include "engine/timed/way/connect.h"
#include "engine/timed/way/handshake.h"
#include "engine/timed/way/leave.h"
#include "engine/timed/way/socket.h"
#include "engine/timed/way/wire.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* ---- posting ---- */

static void price_look_up(struct timed *e, struct timed_channel *c, enum send_kind kind, int64_t bytes)
{
    if (c->price && c->price->bytes == bytes && c->price->kind == kind)
        return;
    c->price = price_message(&e->book, c->pair_class, kind, bytes);
    largest_note(e->largest, c->transport, bytes);
}

static inline int32_t operation_new(struct timed *e, int32_t process, enum operation_kind kind, int32_t site)
{
    int32_t i = timed_operation_take(e);
    struct timed_operation *o = &e->operations[i];
    o->kind = (uint8_t)kind;
    o->serving = SERVING_NOTHING;
    o->any_tag = o->named = o->ready = o->waited = o->at_once = o->read = false;
    o->process = process;
    o->site = site;
    o->name = INT32_MIN;
    o->candidates = 0;
    o->channel = o->transfer = o->call = o->window = o->reply = NONE;
    o->posted = e->processes[process].clock;
    o->started = o->completion = 0; /* a wait compares those of operations that it does not wait for, too */
    o->held = 0;
    return i;
}

int32_t timed_operation_new(struct timed *e, int32_t process, enum operation_kind kind, int32_t site)
{
    return operation_new(e, process, kind, site);
}

void operation_open(struct timed *e, int32_t operation, int32_t name, int64_t index)
{
    struct timed_operation *o = &e->operations[operation];
    struct timed_process *p = &e->processes[o->process];
    o->name = name;
    o->index = index;
    o->named = true;
    o->next_open = NONE;
    if (p->last_open == NONE)
        p->first_open = operation;
    else
        e->operations[p->last_open].next_open = operation;
    p->last_open = operation;
}

/* The channel between a process and a peer that its role names is kept where the process knows it: else it is looked for.
 * known: NULL where it had to be computed who the peer is. */
static inline int32_t channel_known(struct timed *e, int32_t *known, int32_t from, int32_t to)
{
    if (!known)
        return channel_find(e, from, to);
    if (__builtin_expect(*known == NONE, 0))
        *known = channel_find(e, from, to);
    return *known;
}

static inline int32_t *channel_out(const struct timed_process *p, const struct instr *instr)
{
    return instr->dynamic == 0 ? &p->known[instr->peer].out : NULL;
}

static inline int32_t *channel_in(const struct timed_process *p, const struct instr *instr)
{
    return instr->dynamic == 0 && instr->peer != INSTR_ANY_SOURCE ? &p->known[instr->peer].in : NULL;
}

static inline void receive_fill(struct timed *e, struct timed_operation *r, struct timed_process *p, int32_t process,
                                const struct operands *o, int32_t *known)
{
    r->from = o->peer;
    r->comm = o->comm;
    r->context = operand_context(o->comm, o->tag);
    r->any_tag = o->tag == OPERAND_ANY_TAG;
    r->bytes = o->bytes;
    r->number = p->n_received++;
    r->channel = o->peer != OPERAND_ANY_PEER ? channel_known(e, known, o->peer, process) : NONE;
}

int32_t receive_post(struct timed *e, int32_t process, const struct operands *o, int32_t site)
{
    const int32_t i = operation_new(e, process, OPERATION_RECEIVE, site);
    receive_fill(e, &e->operations[i], &e->processes[process], process, o, NULL);
    return i;
}

/* A process is in one blocking receive at a time, which is the operation of its number: no wait names it, so most of it
 * never changes. */
static inline int32_t receive_blocking(struct timed *e, struct timed_process *p, int32_t process, const struct operands *o,
                                       const struct instr *instr, int32_t *known)
{
    struct timed_operation *r = &e->operations[process];
    r->ready = false;
    r->site = instr->site;
    r->candidates = 0;
    r->transfer = NONE;
    r->posted = p->clock;
    receive_fill(e, r, p, process, o, known);
    return process;
}

void receives_reset(struct timed *e)
{
    e->n_operations = 0;
    for (int32_t process = 0; process < e->program->numprocs; process++)
        operation_new(e, process, OPERATION_RECEIVE, NONE);
}

/* Of a message that is too long to be sent at once a Bsend sends as much as may be, and keeps the rest until its receiver
 * permits it; nobody waits for that. */
__attribute__((cold)) static int32_t buffered_send(struct timed *e, int32_t transfer)
{
    const int32_t first = timed_transfer_take(e);
    struct timed_transfer *m = &e->transfers[transfer], *f = &e->transfers[first];
    const struct timed_channel *c = &e->channels[m->channel];
    *f = *m;
    f->bytes = c->eager_limit;
    f->price = price_find(&e->book, c->pair_class, SEND_BLOCKING, f->bytes);
    f->begins = transfer;
    m->price = price_find(&e->book, c->pair_class, SEND_BLOCKING, m->bytes - f->bytes);
    m->buffered = true;
    e->processes[c->from].n_buffered++;
    m->there_at = INFINITY;
    m->announced = e->now;
    m->send = timed_operation_new(e, c->from, OPERATION_SEND, m->site);
    match_new(e, transfer);
    return first;
}

/* Nobody waits until the host has taken a buffered send; but an eager MPI_Bsend of Open MPI is a nonblocking send that it waits
 * for. has_request: it is an MPI_Ibsend. */
static bool nobody_waits(const struct timed *e, const struct timed_channel *c, uint8_t op, int64_t bytes,
                         bool has_request)
{
    return op == INSTR_BSEND && (has_request || bytes > c->eager_limit || e->setup->library != LIBRARY_open_mpi);
}

/* Whether an eager send is over only when its receiver was in MPI. */
static inline bool is_read(const struct timed *e, const struct timed_channel *c, uint8_t op, int64_t bytes, bool has_request)
{
    return c->has_answers && __builtin_expect(bytes > e->model->unread_limit[c->transport], 0) &&
           !nobody_waits(e, c, op, bytes, has_request);
}

/* receive: which takes it; NONE: it looks for one. known: as channel_known. Inlined where a program calls: most messages
 * begin there. */
__attribute__((always_inline))
static inline int32_t send_new(struct timed *e, struct timed_process *p, int32_t process, const struct operands *o, uint8_t op,
                               int32_t site, bool blocking, bool has_request, int32_t receive, int32_t *known)
{
    int32_t channel = channel_known(e, known, process, o->peer);
    const double connecting = connect_send(e, channel);
    struct timed_channel *c = &e->channels[channel]; /* only now: connecting may have added one, and moved all */
    price_look_up(e, c, blocking ? SEND_BLOCKING : SEND_NONBLOCKING, o->bytes);
    int32_t transfer = timed_transfer_take(e);
    struct timed_transfer *m = &e->transfers[transfer];
    memcpy(m, &e->fresh, offsetof(struct timed_transfer, number));
    m->number = p->n_sent++;
    m->bytes = o->bytes;
    m->context = operand_context(o->comm, o->tag);
    m->price = c->price;
    m->word = timed_message_word(e, process, m->number, !m->price->constant_overhead[SIDE_SEND]);
    m->channel = channel;
    m->call = p->clock;
    m->site = site;
    bool synchronous = op == INSTR_SSEND || op == INSTR_ISSEND;
    /* The data of a synchronous send go with its announcement where an eager message's would go at once. */
    bool waits = synchronous && !c->has_answers;
    if (rule_rendezvous(o->bytes, c->eager_limit, op == INSTR_BSEND, waits)) {
        int32_t send = timed_operation_new(e, process, OPERATION_SEND, site);
        e->operations[send].channel = channel;
        e->operations[send].transfer = transfer;
        m->send = send;
        wire_announce(e, transfer);
        timed_tell(e, process, site, LOSS_send_overhead, p->clock, p->clock + connecting);
        p->clock += connecting;
        return send;
    }
    int32_t acknowledged = NONE;
    m->read = !synchronous && receive == NONE && is_read(e, c, op, o->bytes, has_request);
    if ((synchronous && c->has_answers) || m->read) {
        acknowledged = m->acknowledges = timed_operation_new(e, process, OPERATION_SEND, site);
        e->operations[acknowledged].channel = channel;
        e->operations[acknowledged].transfer = transfer;
        e->operations[acknowledged].read = m->read;
    }
    m->receive = receive;
    if (receive != NONE) {
        e->operations[receive].transfer = transfer;
    } else if (op == INSTR_BSEND && o->bytes > c->eager_limit && c->has_handshakes) {
        transfer = buffered_send(e, transfer);
        m = &e->transfers[transfer];
    } else if (!match_first_posted(e, c, m, transfer)) {
        match_new(e, transfer);
    }
    wire_depart(e, &e->channels[channel], m, p->clock);
    c = &e->channels[channel];
    double left = p->clock + send_overhead(e, c, m) + connecting;
    timed_tell(e, process, site, LOSS_send_overhead, p->clock, left);
    p->clock = p->active = left;
    if (m->read)
        e->operations[acknowledged].completion = left;
    const bool taken = receive != NONE || nobody_waits(e, c, op, o->bytes, has_request) || socket_takes(e, c);
    if (acknowledged != NONE || (taken && (blocking || !e->program->time_decides)))
        return acknowledged;
    int32_t send = timed_operation_new(e, process, OPERATION_SEND, site);
    e->operations[send].channel = channel;
    e->operations[send].started = e->operations[send].completion = left;
    if (taken)
        e->operations[send].ready = e->operations[send].at_once = true;
    else
        socket_await(e, channel, send);
    return send;
}

static int32_t send_any(struct timed *e, int32_t process, const struct operands *o, uint8_t op, int32_t site,
                        bool blocking, int32_t receive)
{
    return send_new(e, &e->processes[process], process, o, op, site, blocking, false, receive, NULL);
}

int32_t send_post(struct timed *e, int32_t process, const struct operands *o, uint8_t op, int32_t site, bool blocking)
{
    return send_any(e, process, o, op, site, blocking, NONE);
}

int32_t send_post_to(struct timed *e, int32_t process, const struct operands *o, int32_t site, int32_t receive)
{
    return send_any(e, process, o, INSTR_ISEND, site, false, receive);
}

bool timed_operands_compute(struct timed *e, int32_t process, const struct instr *instr, struct operands *o)
{
    const struct timed_process *p = &e->processes[process];
    struct problem problem;
    if (operand_message_compute(e->program, p->role, instr, process, p->slots, o, &problem))
        return true;
    timed_fail(e, process, &problem);
    return false;
}

bool timed_request_read(struct timed *e, int32_t process, const struct instr *instr, int32_t which, int64_t *index)
{
    const struct request_ref *ref = &e->program->requests[instr->first_request + which];
    struct problem problem;
    if (operand_request(e->program, ref, instr->site, process, e->processes[process].slots, index, &problem))
        return true;
    timed_fail(e, process, &problem);
    return false;
}

/* ---- binding ---- */

static int32_t source_rank(const struct timed *e, int32_t comm, const struct timed_transfer *m)
{
    int32_t from = e->channels[m->channel].from;
    return comm == 0 ? from : program_comm_rank(e->program, comm, from);
}

void bind_received_nothing(struct timed_process *p, const struct instr *instr)
{
    bind_value(p, instr, BIND_source, PROGRAM_PROC_NULL);
    bind_value(p, instr, BIND_got_tag, PROGRAM_WILDCARD);
    bind_value(p, instr, BIND_got_size, 0);
}

void bind_status(struct timed *e, int32_t process, const struct instr *instr, int32_t comm, int32_t transfer)
{
    struct timed_process *p = &e->processes[process];
    if (!instr->binds)
        return;
    if (transfer == NONE) {
        bind_received_nothing(p, instr);
        return;
    }
    const struct timed_transfer *m = &e->transfers[transfer];
    if (instr->bind[BIND_source] >= 0)
        bind_value(p, instr, BIND_source, source_rank(e, comm, m));
    bind_value(p, instr, BIND_got_tag, (int32_t)(m->context & INT32_MAX));
    bind_value(p, instr, BIND_got_size, m->bytes);
}

/* ---- receives and sends ---- */

/* Its message goes. */
static inline void receive_over(struct timed *e, struct timed_process *p, const struct timed_operation *o, double time)
{
    const struct timed_transfer *m = &e->transfers[o->transfer];
    p->active = time;
    (*e->channels[m->channel].on_board)--;
    if (m->acknowledges != NONE)
        acknowledgement_released(e, o->transfer);
    if (__builtin_expect(e->ledger != NULL, 0))
        timed_tell_flight(e, o, m, time);
    timed_transfer_release(e, o->transfer);
}

void receive_complete(struct timed *e, int32_t operation, double time)
{
    const struct timed_operation *o = &e->operations[operation];
    if (o->serving != SERVING_NOTHING) {
        remote_received(e, operation);
        o = &e->operations[operation];
    }
    if (o->reply != NONE)
        timed_operation_release(e, o->reply);
    receive_over(e, &e->processes[o->process], o, time);
}

double receive_return(struct timed *e, int32_t operation, double call, double *overhead)
{
    const struct timed_operation *o = &e->operations[operation];
    *overhead = receive_overhead(e, &e->transfers[o->transfer]);
    return rule_latest(o->completion, call + *overhead);
}

void timed_call_receive_ahead(struct timed *e, struct timed_process *p, int32_t process, const struct instr *instr)
{
    if (p->first_open != NONE || p->first_full != NONE || p->first_meeting != NONE || p->n_buffered > 0 ||
        instr->dynamic != 0 || e->program->tree->n_windows > 0)
        return;
    struct operands o = operand_message_known(p->role, instr, process);
    if (o.peer == OPERAND_NO_PEER || (o.peer == OPERAND_ANY_PEER && e->ledger))
        return;
    p->site = instr->site;
    int32_t operation = receive_blocking(e, p, process, &o, instr, channel_in(p, instr));
    int32_t transfer = match_find(e, p, operation);
    if (transfer != NONE && process_has_read(e, process, transfer)) {
        p->n_received--;
        return;
    }
    timed_mpi_enter(e, p, process, INFINITY);
    process_block(p, TIMED_IN_RECEIVE, operation);
    if (transfer == NONE)
        match_queue(e, operation);
    else if (e->transfers[transfer].send == NONE)
        match_receive_with(e, operation, transfer);
    else
        process_wake(e, process, p->call);
}

void receive_recall(struct timed *e, int32_t process)
{
    struct timed_process *p = &e->processes[process];
    bool ahead = p->call > e->now || (p->call == e->now && process > e->running);
    if (p->state != TIMED_IN_RECEIVE || !ahead || e->operations[p->operation].transfer != NONE || p->until < TURN_NEVER)
        return;
    match_withdraw(e, p->operation);
    process_wake(e, process, p->call);
}

/* It receives what a probe took out: the slot holds the transfer. */
static bool instr_takes(const struct instr *instr)
{
    return instr->binds && instr->bind[BIND_message] >= 0;
}

/* Whom the message is from, NO_PEER where it is MPI_MESSAGE_NO_PROC; then the slot has none. False after an error. */
static bool message_read(struct timed *e, int32_t process, const struct instr *instr, struct operands *o, int32_t *taken)
{
    struct value *slot = &e->processes[process].slots[instr->bind[BIND_message]];
    struct problem problem;
    if (!operand_message_held(*slot, instr->site, &problem)) {
        timed_fail(e, process, &problem);
        return false;
    }
    *taken = slot->i == PROGRAM_NO_MESSAGE ? NONE : (int32_t)slot->i;
    o->peer = *taken == NONE ? OPERAND_NO_PEER : e->channels[e->transfers[*taken].channel].from;
    o->comm = *taken == NONE ? 0 : (int32_t)(e->transfers[*taken].context >> 32);
    *slot = (struct value){VALUE_NONE, {0}};
    return true;
}

/* The receive needs nothing but a message that its process has read. */
static bool receive_passes(struct timed *e, int32_t process, int32_t transfer)
{
    return transfer != NONE && e->transfers[transfer].send == NONE && process_has_read(e, process, transfer);
}

/* A blocking receive beside collectives that go on: posted, and waited for as what a wait names. */
static bool receive_hold(struct timed *e, struct timed_process *p, int32_t process, const struct operands *o,
                         const struct instr *instr, int32_t taken)
{
    p->held = receive_post(e, process, o, instr->site);
    operation_open(e, p->held, INT32_MIN, 0);
    if (taken == NONE)
        match_receive(e, p->held);
    else
        match_taken(e, p->held, taken);
    return e->status == STATUS_OK;
}

bool timed_call_receive(struct timed *e, struct timed_process *p, int32_t process, const struct instr *instr)
{
    struct operands o;
    if (!operands_read(e, p, process, instr, &o))
        return false;
    int32_t taken = NONE;
    if (instr_takes(instr) && !message_read(e, process, instr, &o, &taken))
        return false;
    if (o.peer == OPERAND_NO_PEER) {
        bind_status(e, process, instr, 0, NONE);
        p->pc++;
        return true;
    }
    if (p->n_under_way > 0)
        return receive_hold(e, p, process, &o, instr, taken);
    int32_t operation = receive_blocking(e, p, process, &o, instr, taken == NONE ? channel_in(p, instr) : NULL);
    int32_t transfer = taken == NONE ? match_find(e, p, operation) : taken;
    if (receive_passes(e, process, transfer))
        timed_mpi_pass(p);
    else
        timed_mpi_enter(e, p, process, INFINITY);
    process_block(p, TIMED_IN_RECEIVE, operation);
    if (taken != NONE)
        match_taken(e, operation, taken);
    else if (transfer != NONE)
        match_receive_with(e, operation, transfer);
    else
        match_queue(e, operation);
    return false;
}

/* A receive that was recalled is posted. */
__attribute__((cold)) static void receive_anew(struct timed *e, struct timed_process *p)
{
    p->until = INFINITY;
    match_receive(e, p->operation);
}

void receive_finish(struct timed *e, struct timed_process *p)
{
    const struct timed_operation *o = &e->operations[p->operation];
    if (o->transfer == NONE) {
        receive_anew(e, p);
        return;
    }
    p->clock = p->until;
    if (__builtin_expect(e->ledger != NULL, 0))
        timed_tell_wait(e, o, p->call, p->clock, receive_overhead(e, &e->transfers[o->transfer]));
    if (p->pc->binds)
        bind_status(e, o->process, p->pc, o->comm, o->transfer);
    receive_over(e, p, o, p->clock);
    p->state = TIMED_READY;
    p->pc++;
}

/* A request for MPI_PROC_NULL is complete at once; a wait may choose it. */
static void nothing_post(struct timed *e, int32_t process, const struct instr *instr, int64_t index)
{
    if (!e->program->time_decides || instr->n_requests == 0)
        return;
    int32_t operation = timed_operation_new(e, process, OPERATION_SEND, instr->site);
    e->operations[operation].completion = e->processes[process].clock;
    e->operations[operation].ready = e->operations[operation].at_once = true;
    operation_open(e, operation, e->program->requests[instr->first_request].name, index);
}

bool timed_call_post(struct timed *e, int32_t process, const struct instr *instr)
{
    struct timed_process *p = &e->processes[process];
    struct operands o;
    int64_t index = 0;
    if (!operands_read(e, p, process, instr, &o) ||
        (instr->n_requests > 0 && !timed_request_read(e, process, instr, 0, &index)))
        return false;
    int32_t taken = NONE;
    if (instr_takes(instr) && !message_read(e, process, instr, &o, &taken))
        return false;
    p->pc++;
    if (o.peer == OPERAND_NO_PEER) {
        nothing_post(e, process, instr, index);
        return true;
    }
    int32_t operation = receive_post(e, process, &o, instr->site);
    operation_open(e, operation, instr->n_requests ? e->program->requests[instr->first_request].name : INT32_MIN,
                   index);
    if (taken == NONE)
        match_receive(e, operation);
    else
        match_taken(e, operation, taken);
    return e->status == STATUS_OK;
}

/* op: the instruction's. */
__attribute__((always_inline))
static inline bool call_send(struct timed *e, struct timed_process *p, int32_t process, const struct instr *instr, uint8_t op)
{
    struct operands o;
    int64_t index = 0;
    bool blocking = op == INSTR_SEND || op == INSTR_BSEND || op == INSTR_SSEND;
    if (!operands_read(e, p, process, instr, &o) ||
        (instr->n_requests > 0 && !timed_request_read(e, process, instr, 0, &index)))
        return false;
    if (o.peer == OPERAND_NO_PEER) {
        nothing_post(e, process, instr, index);
        p->pc++;
        return true;
    }
    const double call = p->clock;
    const bool has_request = op == INSTR_BSEND && instr->slot == PROGRAM_IBSEND;
    int32_t operation = send_new(e, p, process, &o, op, instr->site, blocking, has_request, NONE,
                                 channel_out(p, instr));
    if (operation == NONE) {
        p->pc++;
        return e->status == STATUS_OK;
    }
    int32_t transfer = e->operations[operation].transfer;
    if (blocking && p->n_under_way > 0) {
        operation_open(e, operation, INT32_MIN, 0);
        p->held = operation;
    } else if (blocking) {
        timed_mpi_enter_at(e, p, process, call, INFINITY); /* of an Ssend whose data have left the clock is later */
        process_block(p, TIMED_IN_SEND, operation);
        if (e->operations[operation].ready) /* it is known when the host will have taken it */
            process_wake(e, process, e->operations[operation].completion);
    } else {
        operation_open(e, operation, instr->n_requests ? e->program->requests[instr->first_request].name : INT32_MIN,
                       index);
        p->pc++;
    }
    if (transfer != NONE && e->transfers[transfer].send == operation)
        match_new(e, transfer);
    return (!blocking || p->held != NONE) && e->status == STATUS_OK;
}

bool timed_call_send(struct timed *e, struct timed_process *p, int32_t process, const struct instr *instr)
{
    return call_send(e, p, process, instr, instr->op);
}

bool timed_call_plain_send(struct timed *e, struct timed_process *p, int32_t process, const struct instr *instr)
{
    return call_send(e, p, process, instr, INSTR_SEND);
}

void send_finish(struct timed *e, int32_t process)
{
    struct timed_process *p = &e->processes[process];
    const struct timed_operation *o = &e->operations[p->operation];
    timed_tell_send(e, o, p->clock, o->completion); /* what it took to leave has been told */
    p->clock = p->active = o->completion;
    timed_operation_release(e, p->operation);
}
