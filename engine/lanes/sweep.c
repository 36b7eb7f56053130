/* sweep.c - one function for each kind of instruction, but for those that compute. Each returns whether the
 * process goes on. */
#include "engine/lanes/lanes_impl.h"

#include <assert.h>

bool step_fails(const struct step *s, int32_t process, const struct problem *problem)
{
    if (s->e->status == STATUS_OK) {
        s->e->status = problem->status;
        program_report(s->e->program, problem->site, process, problem->text, s->e->diags);
    }
    return false;
}

void overhead_add(struct lanes *e, int32_t transfer, enum side side, double *out)
{
    const struct transfer *m = &e->transfers[transfer];
    struct price *price = m->price;
    if (price->constant_overhead[side]) {
        if (price->constant[side] != 0)
            e->k->advance(e->width, price->constant[side], out);
        return;
    }
    _Alignas(64) double drawn[ENGINE_LANES_MOST];
    const enum stream stream = rule_overhead_stream(side, (enum transport)e->channels[m->channel].transport);
    const struct quantile *q = price_overhead(&e->book, price, side);
    e->k->sample(e->width, q, draw_words(e, stream, e->channels[m->channel].from, m->number), drawn);
    e->k->add(e->width, drawn, out);
}

void call_enter(struct lanes *e, int32_t process)
{
    if (e->keeps_calls) {
        int64_t i = process * (int64_t)RULE_HISTORY + (int64_t)(e->n_calls[process] % RULE_HISTORY);
        row_copy(e, row(e, e->clock, process), row(e, e->entered, i));
    }
}

/* Marks the lanes in which a process leaves a call earlier than it had to. */
static void until_check(struct lanes *e, int32_t process)
{
    const double *left = row(e, e->clock, process), *until = row(e, e->until, process);
    for (int l = 0; l < e->width; l++)
        e->inverted[l] |= left[l] < until[l];
    e->processes[process].must_last = false;
}

void call_leave(struct lanes *e, int32_t process)
{
    if (e->keeps_calls) {
        int64_t i = process * (int64_t)RULE_HISTORY + (int64_t)(e->n_calls[process] % RULE_HISTORY);
        row_copy(e, row(e, e->clock, process), row(e, e->left, i));
        e->n_calls[process]++;
        if (e->processes[process].must_last)
            until_check(e, process);
    }
}

/* ---- operands of messages ---- */

struct sending {
    int32_t channel; /* NONE: MPI_PROC_NULL */
    int64_t context; /* see operand.h */
    int64_t bytes;
};

/* The channel to (out) or from (in) the peer; what is static is looked up once in a run's life. */
static bool message_read(const struct step *s, bool out, struct sending *m, struct problem *problem)
{
    const struct instr *instr = s->instr;
    struct lanes *e = s->e;
    int32_t *known = NULL;
    if (!(instr->dynamic & DYNAMIC_PEER)) {
        known = &s->p->channels[2 * instr->peer + !out];
        if (*known != NONE && !instr->dynamic) {
            *m = (struct sending){*known, operand_context(instr->comm, instr->tag), instr->bytes};
            return true;
        }
    }
    struct operands o;
    if (!operand_message(e->program, s->p->role, instr, s->process, s->p->slots, &o, problem))
        return false;
    *m = (struct sending){NONE, operand_context(o.comm, o.tag), o.bytes};
    if (o.peer == OPERAND_NO_PEER)
        return true;
    m->channel = known && *known != NONE ? *known
                 : out                   ? channel_for(e, s->process, o.peer)
                                         : channel_for(e, o.peer, s->process);
    if (known)
        *known = m->channel;
    return true;
}

static struct price *channel_price(struct lanes *e, struct channel *c, enum send_kind kind, int64_t bytes)
{
    if (!c->price || c->price->bytes != bytes || c->price->kind != kind) {
        c->price = price_message(&e->book, c->pair_class, kind, bytes);
        largest_note(e->largest, (enum transport)c->transport, bytes);
    }
    return c->price;
}

/* ---- matching ---- */

static bool match(const struct step *s, int32_t t, int32_t o)
{
    struct transfer *transfer = &s->e->transfers[t];
    struct operation *receive = &s->e->operations[o];
    struct problem problem;
    transfer->receive = o;
    receive->transfer = t;
    if (transfer->bytes <= receive->bytes)
        return true;
    operand_fits(transfer->bytes, s->e->channels[transfer->channel].from, receive->bytes, receive->site, &problem);
    return step_fails(s, receive->process, &problem);
}

/* The first posted receive of a context leaves its channel; NONE. */
static int32_t posted_take(struct lanes *e, struct channel *c, int64_t context)
{
    int32_t before = NONE, o = c->first_posted;
    while (o != NONE && e->operations[o].context != context) {
        before = o;
        o = e->operations[o].next_posted;
    }
    if (o == NONE)
        return NONE;
    int32_t next = e->operations[o].next_posted;
    if (before == NONE)
        c->first_posted = next;
    else
        e->operations[before].next_posted = next;
    if (next == NONE)
        c->last_posted = before;
    return o;
}

/* The first unmatched transfer of a context leaves its channel; NONE. */
static int32_t unmatched_take(struct lanes *e, struct channel *c, int64_t context)
{
    int32_t before = NONE, t = c->first_unmatched;
    while (t != NONE && e->transfers[t].context != context) {
        before = t;
        t = e->transfers[t].next;
    }
    if (t == NONE)
        return NONE;
    int32_t next = e->transfers[t].next;
    if (before == NONE)
        c->first_unmatched = next;
    else
        e->transfers[before].next = next;
    if (next == NONE)
        c->last_unmatched = before;
    c->n_unmatched--;
    return t;
}

static void posted_add(struct lanes *e, struct channel *c, int32_t o)
{
    e->operations[o].next_posted = NONE;
    if (c->last_posted == NONE)
        c->first_posted = o;
    else
        e->operations[c->last_posted].next_posted = o;
    c->last_posted = o;
}

static void unmatched_add(struct lanes *e, struct channel *c, int32_t t)
{
    e->transfers[t].next = NONE;
    if (c->last_unmatched == NONE)
        c->first_unmatched = t;
    else
        e->transfers[c->last_unmatched].next = t;
    c->last_unmatched = t;
    c->n_unmatched++;
}

/* ---- open operations ---- */

static void open_add(const struct step *s, int32_t o, int32_t name, int64_t index)
{
    struct operation *operations = s->e->operations;
    operations[o].name = name;
    operations[o].index = index;
    operations[o].next_open = NONE;
    if (s->p->last_open == NONE)
        s->p->first_open = o;
    else
        operations[s->p->last_open].next_open = o;
    s->p->last_open = o;
}

/* The name and index under which a nonblocking operation may be waited for; INT32_MIN: none. */
static bool open_name(const struct step *s, int32_t *name, int64_t *index, struct problem *problem)
{
    *name = INT32_MIN;
    *index = NONE;
    if (s->instr->n_requests == 0)
        return true;
    const struct request_ref *named = &s->e->program->requests[s->instr->first_request];
    *name = named->name;
    return operand_request(s->e->program, named, s->instr->site, s->process, s->p->slots, index, problem);
}

/* ---- sends ---- */

static int32_t transfer_post(const struct step *s, const struct sending *m, bool blocking, bool rendezvous)
{
    struct lanes *e = s->e;
    int32_t t = transfer_new(e);
    e->transfers[t] = (struct transfer){
        .channel = m->channel,
        .context = m->context,
        .receive = NONE,
        .send = NONE,
        .number = s->p->n_sent++,
        .sender_calls = e->keeps_calls ? e->n_calls[s->process] : 0,
        .bytes = m->bytes,
        .price = channel_price(e, &e->channels[m->channel], blocking ? SEND_BLOCKING : SEND_NONBLOCKING, m->bytes),
        .rendezvous = rendezvous,
    };
    row_copy(e, step_clock(s), row(e, e->time, t));
    e->on_board[e->channels[m->channel].board]++;
    return t;
}

static bool send_rendezvous(const struct step *s, int32_t t, bool blocking, int32_t name, int64_t index)
{
    struct lanes *e = s->e;
    pending_add(e, t);
    if (blocking) {
        s->p->state = LANE_IN_SEND;
        s->p->waits = t;
        return false;
    }
    int32_t o = operation_new(e);
    e->operations[o] = (struct operation){.process = s->process,
                                          .channel = e->transfers[t].channel,
                                          .context = e->transfers[t].context,
                                          .site = s->instr->site,
                                          .transfer = t,
                                          .is_send = 1};
    e->transfers[t].send = o;
    open_add(s, o, name, index);
    s->p->pc++;
    return true;
}

static bool step_send(const struct step *s, bool blocking, bool buffered, bool synchronous)
{
    struct lanes *e = s->e;
    struct problem problem;
    struct sending m;
    int32_t name = INT32_MIN;
    int64_t index = NONE;
    s->p->waits = NONE; /* it may have been throttled here */
    if (!message_read(s, true, &m, &problem) || (!blocking && !open_name(s, &name, &index, &problem)))
        return step_fails(s, s->process, &problem);
    if (m.channel == NONE) {
        s->p->pc++;
        return true;
    }
    struct channel *c = &e->channels[m.channel];
    int32_t o = posted_take(e, c, m.context);
    if (o == NONE && c->n_unmatched >= c->limit) {
        s->p->state = LANE_THROTTLED;
        s->p->waits = m.channel;
        return false;
    }
    bool rendezvous = rule_rendezvous(m.bytes, e->model->eager_limit[c->transport], buffered, synchronous);
    int32_t t = transfer_post(s, &m, blocking, rendezvous);
    if (o == NONE)
        unmatched_add(e, c, t);
    else if (!match(s, t, o))
        return false;
    if (rendezvous)
        return send_rendezvous(s, t, blocking, name, index);
    fresh_add(e, t);
    overhead_add(e, t, SIDE_SEND, step_clock(s));
    s->p->pc++;
    return true;
}

/* ---- receives ---- */

/* Posts a receive and matches it with an unmatched message. Returns its operation, NONE after a failure. */
static int32_t receive_post(const struct step *s, const struct sending *m, bool blocking)
{
    struct lanes *e = s->e;
    int32_t o = operation_new(e);
    e->operations[o] = (struct operation){.process = s->process,
                                          .channel = m->channel,
                                          .context = m->context,
                                          .site = s->instr->site,
                                          .transfer = NONE,
                                          .bytes = m->bytes,
                                          .number = s->p->n_received++,
                                          .calls = e->keeps_calls ? e->n_calls[s->process] : 0,
                                          .blocking = blocking};
    if (e->keeps_rows)
        row_copy(e, step_clock(s), row(e, e->moment, o));
    struct channel *c = &e->channels[m->channel];
    int32_t t = unmatched_take(e, c, m->context);
    if (t == NONE)
        posted_add(e, c, o);
    else if (!match(s, t, o))
        return NONE;
    struct lane_process *sender = &e->processes[c->from];
    if (sender->state == LANE_THROTTLED && sender->waits == m->channel) {
        sender->state = LANE_RUNNABLE;
        runnable_set(e, c->from);
    }
    return o;
}

/* A message leaves the board. */
static void transfer_done(struct lanes *e, int32_t t)
{
    e->on_board[e->channels[e->transfers[t].channel].board]--;
    transfer_release(e, t);
}

static void receive_bind(const struct step *s, int32_t t)
{
    if (!s->instr->binds)
        return;
    const struct transfer *m = t == NONE ? NULL : &s->e->transfers[t];
    const int32_t from = m ? s->e->channels[m->channel].from : NONE;
    const int64_t bound[3] = {m ? program_comm_rank(s->e->program, s->instr->comm, from) : PROGRAM_PROC_NULL,
                              m ? (int32_t)m->context : PROGRAM_WILDCARD, m ? m->bytes : 0};
    for (int i = 0; i < 3; i++)
        if (s->instr->bind[i] >= 0)
            s->p->slots[s->instr->bind[i]] = value_int(bound[i]);
}

static void receive_complete(const struct step *s, int32_t o)
{
    struct lanes *e = s->e;
    int32_t t = e->operations[o].transfer;
    const struct transfer *m = &e->transfers[t];
    struct price *price = m->price;
    double *clock = step_clock(s), *arrival = row(e, e->time, t);
    call_enter(e, s->process);
    if (price->constant_overhead[SIDE_RECEIVE])
        e->k->receive(e->width, price->constant[SIDE_RECEIVE], arrival, clock);
    else
        e->k->receive_sampled(e->width, price_overhead(&e->book, price, SIDE_RECEIVE),
                              draw_words(e, STREAM_TRANSIT, e->channels[m->channel].from, m->number), arrival, clock);
    call_leave(e, s->process);
    receive_bind(s, t);
    transfer_done(e, t);
    operation_release(e, o);
    s->p->waits = NONE;
    s->p->pc++;
}

static bool step_receive(const struct step *s)
{
    struct lanes *e = s->e;
    int32_t o = s->p->waits;
    if (o == NONE) {
        struct sending m;
        struct problem problem;
        if (!message_read(s, false, &m, &problem))
            return step_fails(s, s->process, &problem);
        if (m.channel == NONE) {
            receive_bind(s, NONE);
            s->p->pc++;
            return true;
        }
        o = receive_post(s, &m, true);
        if (o == NONE)
            return false;
        if (e->operations[o].transfer == NONE || !e->transfers[e->operations[o].transfer].arrived) {
            s->p->state = LANE_IN_RECEIVE;
            s->p->waits = o;
            return false;
        }
    }
    receive_complete(s, o);
    return true;
}

static bool step_post(const struct step *s)
{
    struct sending m;
    struct problem problem;
    int32_t name;
    int64_t index;
    if (!message_read(s, false, &m, &problem) || !open_name(s, &name, &index, &problem))
        return step_fails(s, s->process, &problem);
    s->p->pc++;
    if (m.channel == NONE)
        return true;
    int32_t o = receive_post(s, &m, false);
    if (o == NONE)
        return false;
    open_add(s, o, name, index);
    return true;
}

/* ---- waits ---- */

/* Marks the operations that a WAIT names: the latest of a name and index, all of a whole name. */
static bool wait_mark_named(const struct step *s, struct problem *problem)
{
    struct operation *operations = s->e->operations;
    for (int32_t i = 0; i < s->instr->n_requests; i++) {
        const struct request_ref *named = &s->e->program->requests[s->instr->first_request + i];
        int64_t index;
        if (!operand_request(s->e->program, named, s->instr->site, s->process, s->p->slots, &index, problem))
            return false;
        int32_t latest = NONE;
        for (int32_t o = s->p->first_open; o != NONE; o = operations[o].next_open) {
            if (operations[o].name != named->name || (!named->whole && operations[o].index != index))
                continue;
            latest = o;
            if (named->whole)
                operations[o].waited = 1;
        }
        if (latest != NONE)
            operations[latest].waited = 1;
    }
    return true;
}

static bool operation_ready(const struct lanes *e, const struct operation *o)
{
    return o->is_send ? o->started : o->transfer != NONE && e->transfers[o->transfer].arrived;
}

/* Takes the waited operations out of the open list and puts them into e->order: receives first, each group in the order
 * posted. Returns how many there are; *n_receives of them are receives. */
static size_t wait_collect(const struct step *s, size_t *n_receives)
{
    struct lanes *e = s->e;
    struct operation *operations = e->operations;
    size_t n = 0, n_waited = 0;
    *n_receives = 0;
    for (int32_t o = s->p->first_open; o != NONE; o = operations[o].next_open)
        n_waited += operations[o].waited;
    order_reserve(e, n_waited);
    for (int sends = 0; sends <= 1; sends++) {
        for (int32_t o = s->p->first_open; o != NONE; o = operations[o].next_open)
            if (operations[o].waited && operations[o].is_send == sends)
                e->order[n++] = o;
        *n_receives = sends ? *n_receives : n;
    }
    int32_t before = NONE;
    for (int32_t o = s->p->first_open; o != NONE; o = operations[o].next_open) {
        if (!operations[o].waited) {
            before = o;
            continue;
        }
        if (before == NONE)
            s->p->first_open = operations[o].next_open;
        else
            operations[before].next_open = operations[o].next_open;
    }
    s->p->last_open = before;
    return n;
}

/* clock = max(arrival, clock + overhead) for each receive in the order of arrival, in every lane by itself: an
 * insertion network on (arrival, overhead), stable because equal arrivals do not change places. */
static void wait_receives(const struct step *s, size_t n)
{
    struct lanes *e = s->e;
    double *clock = step_clock(s);
    for (size_t i = 0; i < n; i++) {
        const struct operation *o = &e->operations[e->order[i]];
        double *overhead = row(e, e->order_extra, (int64_t)i);
        row_copy(e, row(e, e->time, o->transfer), row(e, e->order_time, (int64_t)i));
        memset(overhead, 0, (size_t)e->width * sizeof *overhead);
        overhead_add(e, o->transfer, SIDE_RECEIVE, overhead);
        for (int64_t j = (int64_t)i; j > 0; j--)
            e->k->order_two(e->width, row(e, e->order_time, j - 1), row(e, e->order_extra, j - 1),
                            row(e, e->order_time, j), row(e, e->order_extra, j));
    }
    for (size_t i = 0; i < n; i++)
        e->k->receive_each(e->width, row(e, e->order_extra, (int64_t)i), row(e, e->order_time, (int64_t)i), clock);
}

static void wait_complete(const struct step *s)
{
    struct lanes *e = s->e;
    size_t n_receives;
    size_t n = wait_collect(s, &n_receives);
    call_enter(e, s->process);
    wait_receives(s, n_receives);
    for (size_t i = n_receives; i < n; i++)
        e->k->latest(e->width, row(e, e->moment, e->order[i]), step_clock(s));
    call_leave(e, s->process);
    for (size_t i = 0; i < n; i++) {
        if (i < n_receives)
            transfer_done(e, e->operations[e->order[i]].transfer);
        operation_release(e, e->order[i]);
    }
    s->p->pc++;
}

static bool step_wait(const struct step *s)
{
    struct lanes *e = s->e;
    if (s->p->waits == NONE) {
        struct problem problem;
        int32_t n_pending = 0;
        bool all = s->instr->op == INSTR_WAITALL;
        for (int32_t o = s->p->first_open; o != NONE; o = e->operations[o].next_open)
            e->operations[o].waited = all;
        if (!all && !wait_mark_named(s, &problem))
            return step_fails(s, s->process, &problem);
        for (int32_t o = s->p->first_open; o != NONE; o = e->operations[o].next_open)
            n_pending += e->operations[o].waited && !operation_ready(e, &e->operations[o]);
        if (n_pending > 0) {
            s->p->state = LANE_IN_WAIT;
            s->p->n_pending = n_pending;
            s->p->waits = 0; /* marked already when it goes on */
            return false;
        }
    }
    s->p->waits = NONE;
    wait_complete(s);
    return true;
}

/* ---- control ---- */

static bool step_loop(const struct step *s)
{
    int64_t iterations, from;
    struct problem problem;
    if (!operand_loop(s->e->program, s->instr, s->process, s->p->slots, &iterations, &from, &problem))
        return step_fails(s, s->process, &problem);
    s->p->slots[s->instr->slot] = value_int(iterations);
    if (s->instr->has_variable)
        s->p->slots[s->instr->slot + 1] = value_int(from);
    s->p->pc = iterations > 0 ? s->p->pc + 1 : s->instr->target;
    return true;
}

static bool step_next(const struct step *s)
{
    s->p->pc = program_loop_again(s->instr, s->p->slots) ? s->instr->target : s->p->pc + 1;
    return true;
}

static bool step_expression(const struct step *s)
{
    struct value value;
    struct problem problem;
    if (!operand_value(s->e->program, s->instr, s->process, s->p->slots, &value, &problem))
        return step_fails(s, s->process, &problem);
    bool jump = s->instr->op == INSTR_BRANCH && !value_is_true(value);
    if (s->instr->op == INSTR_SET)
        s->p->slots[s->instr->slot] = value;
    s->p->pc = jump ? s->instr->target : s->p->pc + 1;
    return true;
}

static bool step_region(const struct step *s)
{
    struct lanes *e = s->e;
    const int64_t i = s->process * (int64_t)e->program->tree->n_regions + s->instr->index;
    const int turn = region_turn(&e->inside[i], s->instr);
    const double *clock = step_clock(s);
    double *since = row(e, e->region_since, i), *seconds = row(e, e->region_seconds, i);
    if (turn > 0)
        row_copy(e, clock, since);
    for (int l = 0; turn < 0 && l < e->width; l++)
        seconds[l] += clock[l] - since[l];
    s->p->pc++;
    return true;
}

static bool step_put(const struct step *s)
{
    struct problem problem;
    if (!operand_put(s->e->program, s->instr, s->process, s->p->slots, &problem))
        return step_fails(s, s->process, &problem);
    s->p->pc++;
    return true;
}

static bool step_fail(const struct step *s)
{
    const struct failure *failure = &s->e->program->failures[s->instr->index];
    s->e->status = failure->status;
    program_report(s->e->program, failure->site, s->process, failure->text, s->e->diags);
    return false;
}

static bool step_end(const struct step *s)
{
    s->p->state = LANE_ENDED;
    s->e->n_ended++;
    s->e->n_sent += s->p->n_sent;
    return false;
}

static bool step(const struct step *s)
{
    switch ((enum instr_op)s->instr->op) {
    case INSTR_SEND:
        return step_send(s, true, false, false);
    case INSTR_BSEND:
        return step_send(s, true, true, false);
    case INSTR_SSEND:
        return step_send(s, true, false, true);
    case INSTR_ISEND:
        return step_send(s, false, false, false);
    case INSTR_ISSEND:
        return step_send(s, false, false, true);
    case INSTR_RECV:
        return step_receive(s);
    case INSTR_IRECV:
        return step_post(s);
    case INSTR_WAIT:
    case INSTR_WAITALL:
        return step_wait(s);
    case INSTR_SERIAL:
        return step_serial(s);
    case INSTR_SAMPLE:
        return step_sample(s);
    case INSTR_LOOP:
        return step_loop(s);
    case INSTR_NEXT:
        return step_next(s);
    case INSTR_BRANCH:
    case INSTR_SET:
        return step_expression(s);
    case INSTR_JUMP:
        s->p->pc = s->instr->target;
        return true;
    case INSTR_PUT:
        return step_put(s);
    case INSTR_ENTER:
    case INSTR_LEAVE:
        return step_region(s);
    case INSTR_FAIL:
        return step_fail(s);
    case INSTR_END:
        return step_end(s);
#define X(name) case INSTR_##name:
        INSTR_TIMED_LIST(X)
#undef X
    case INSTR_COLLECTIVE:
        break; /* the time-ordered engine's */
    }
    assert(false && "an instruction that does not exist here");
    return false;
}

/* A loop without messages could go on for ever: the stop flag and the clock are looked at this often. */
enum { STEPS_BETWEEN_LOOKS = 1 << 14 };

static void look(struct lanes *e)
{
    if (e->setup->stop && *e->setup->stop)
        e->status = STATUS_INTERRUPTED;
    if (slow_is_due(&e->slow))
        lanes_slow_find(e);
}

void process_run(struct lanes *e, int32_t process)
{
    struct step s = {.e = e, .p = &e->processes[process], .process = process};
    const struct instr *code = s.p->role->code;
    uint32_t steps = 0;
    do {
        s.instr = &code[s.p->pc];
        if (++steps % STEPS_BETWEEN_LOOKS == 0)
            look(e);
    } while (e->status == STATUS_OK && step(&s));
}
