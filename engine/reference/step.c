#include "engine/reference/reference_impl.h"

#include <assert.h>
#include <math.h>

/* ---- what steps share ---- */

static double receive_overhead(struct reference *ref, const struct receive *r)
{
    const struct transfer *m = r->message;
    const struct quantile *q = price_overhead(&ref->book, m->price, SIDE_RECEIVE);
    return reference_draw(ref, q, m->from, m->number, STREAM_TRANSIT);
}

static struct transfer *unmatched_take(struct channel *c, int64_t context)
{
    struct transfer **m = &c->unmatched;
    while (*m && (*m)->context != context)
        m = &(*m)->next_unmatched;
    struct transfer *found = *m;
    if (found) {
        *m = found->next_unmatched;
        c->n_unmatched--;
    }
    return found;
}

static struct receive *posted_take(struct channel *c, int64_t context)
{
    struct receive **r = &c->posted;
    while (*r && (*r)->context != context)
        r = &(*r)->next;
    struct receive *found = *r;
    if (found)
        *r = found->next;
    return found;
}

static void match(struct reference *ref, struct transfer *m, struct receive *r)
{
    m->receive = r;
    r->message = m;
    struct problem problem;
    if (!operand_fits(m->bytes, m->from, r->bytes, r->site, &problem))
        reference_fail(ref, r->process, &problem);
}

/* Returns the copy that is on the process's list. */
static struct open_request *request_add(struct reference *ref, struct process *p, const struct open_request *request)
{
    struct open_request **last = &p->requests;
    while (*last)
        last = &(*last)->next;
    *last = arena_alloc(&ref->memory, 1, sizeof **last);
    **last = *request;
    if (request->receive)
        request->receive->request = *last;
    return *last;
}

/* ---- one function for each kind of instruction; each returns whether the process goes on ---- */

static bool step_fails(const struct step *s, const struct problem *problem)
{
    reference_fail(s->ref, s->process, problem);
    return false;
}

/* The name and index under which an ISEND, ISSEND or IRECV may be waited for. */
static bool request_name(const struct step *s, struct open_request *request, struct problem *problem)
{
    request->name = INT32_MIN;
    if (s->instr->n_requests == 0)
        return true;
    const struct request_ref *named = &s->ref->program->requests[s->instr->first_request];
    request->name = named->name;
    return operand_request(s->ref->program, named, s->instr->site, s->process, s->p->slots, &request->index, problem);
}

static bool op_blocks(uint8_t op)
{
    return op == INSTR_SEND || op == INSTR_BSEND || op == INSTR_SSEND;
}

/* What a send puts on its way: not matched yet, and on no list. */
static struct transfer *transfer_make(const struct step *s, const struct operands *o, int64_t context)
{
    struct reference *ref = s->ref;
    const uint8_t op = s->instr->op;
    const enum transport transport = reference_transport(ref, s->process, o->peer);
    const uint32_t pair = ref->model->pair_class(ref->model, transport, program_node(ref->program, s->process),
                                                 program_node(ref->program, o->peer));
    struct transfer *m = arena_alloc(&ref->memory, 1, sizeof *m);
    *m = (struct transfer){
        .from = s->process,
        .to = o->peer,
        .transport = transport,
        .context = context,
        .bytes = o->bytes,
        .number = s->p->n_sent++,
        .price = price_message(&ref->book, pair, op_blocks(op) ? SEND_BLOCKING : SEND_NONBLOCKING, o->bytes),
        .rendezvous = rule_rendezvous(o->bytes, ref->model->eager_limit[transport], op == INSTR_BSEND,
                                      op == INSTR_SSEND || op == INSTR_ISSEND),
        .time = s->p->clock,
        .sender_calls = s->p->n_calls,
    };
    return m;
}

/* It waits in its channel for a receive. */
static void transfer_keep(struct channel *c, struct transfer *m)
{
    struct transfer **last = &c->unmatched;
    while (*last)
        last = &(*last)->next_unmatched;
    *last = m;
    c->n_unmatched++;
}

/* It is in flight: on the scoreboard, and on the list of its kind. */
static void transfer_board(struct reference *ref, struct transfer *m)
{
    ++*reference_board(ref, m);
    largest_note(ref->largest, m->transport, m->bytes);
    struct transfer ***list = m->rendezvous ? &ref->pending_last : &ref->fresh_last;
    **list = m;
    *list = &m->next_on_board;
}

/* The sender goes on and waits for it elsewhere. */
static void transfer_request(const struct step *s, struct transfer *m, struct open_request *request, int32_t tag)
{
    request->to = m->to;
    request->tag = tag;
    m->request = request_add(s->ref, s->p, request);
}

static bool step_send(const struct step *s)
{
    struct reference *ref = s->ref;
    struct process *p = s->p;
    struct operands o;
    struct problem problem;
    struct open_request request = {0};
    if (!operand_message(ref->program, s->role, s->instr, s->process, p->slots, &o, &problem) ||
        !request_name(s, &request, &problem))
        return step_fails(s, &problem);
    p->pc++;
    if (o.peer == OPERAND_NO_PEER)
        return true;
    int64_t context = operand_context(o.comm, o.tag);
    struct channel *c = reference_channel(ref, s->process, o.peer);
    struct receive *r = posted_take(c, context);
    if (!r && c->n_unmatched >= c->limit) {
        p->pc--;
        p->state = THROTTLED;
        p->channel = c;
        return false;
    }
    struct transfer *m = transfer_make(s, &o, context);
    if (r)
        match(ref, m, r);
    else
        transfer_keep(c, m);
    transfer_board(ref, m);
    if (!m->rendezvous) {
        p->clock += reference_send_overhead(ref, m);
        return true;
    }
    if (op_blocks(s->instr->op)) {
        p->state = IN_SEND;
        p->message = m;
        return false;
    }
    transfer_request(s, m, &request, o.tag);
    return true;
}

static struct receive *receive_post(const struct step *s, const struct operands *o)
{
    struct reference *ref = s->ref;
    struct receive *r = arena_alloc(&ref->memory, 1, sizeof *r);
    *r = (struct receive){.process = s->process,
                          .from = o->peer,
                          .context = operand_context(o->comm, o->tag),
                          .bytes = o->bytes,
                          .number = s->p->n_received++,
                          .site = s->instr->site,
                          .posted = s->p->clock,
                          .receiver_calls = s->p->n_calls};
    struct channel *c = reference_channel(ref, o->peer, s->process);
    struct transfer *m = unmatched_take(c, r->context);
    if (m) {
        match(ref, m, r);
    } else {
        struct receive **last = &c->posted;
        while (*last)
            last = &(*last)->next;
        *last = r;
    }
    struct process *sender = &ref->processes[o->peer];
    if (sender->state == THROTTLED && sender->channel == c)
        sender->state = RUNNABLE;
    return r;
}

/* m NULL: a receive from MPI_PROC_NULL. */
static void receive_bind(const struct step *s, const struct transfer *m)
{
    const int64_t bound[3] = {m ? program_comm_rank(s->ref->program, s->instr->comm, m->from) : PROGRAM_PROC_NULL,
                              m ? (int32_t)m->context : PROGRAM_WILDCARD, m ? m->bytes : 0};
    for (int i = 0; s->instr->binds && i < 3; i++)
        if (s->instr->bind[i] >= 0)
            s->p->slots[s->instr->bind[i]] = value_int(bound[i]);
}

static bool step_receive(const struct step *s)
{
    struct process *p = s->p;
    if (!p->receive) {
        struct operands o;
        struct problem problem;
        if (!operand_message(s->ref->program, s->role, s->instr, s->process, p->slots, &o, &problem))
            return step_fails(s, &problem);
        if (o.peer == OPERAND_NO_PEER) {
            receive_bind(s, NULL);
            p->pc++;
            return true;
        }
        p->receive = receive_post(s, &o);
    }
    struct transfer *m = p->receive->message;
    if (!m || !m->arrived) {
        p->state = IN_RECEIVE;
        return false;
    }
    reference_leave(s->ref, p, rule_latest(m->time, p->clock + receive_overhead(s->ref, p->receive)));
    receive_bind(s, m);
    --*reference_board(s->ref, m);
    p->receive = NULL;
    p->pc++;
    return true;
}

static bool step_post(const struct step *s)
{
    struct operands o;
    struct problem problem;
    struct open_request request = {0};
    if (!operand_message(s->ref->program, s->role, s->instr, s->process, s->p->slots, &o, &problem) ||
        !request_name(s, &request, &problem))
        return step_fails(s, &problem);
    s->p->pc++;
    if (o.peer == OPERAND_NO_PEER)
        return true;
    request.receive = receive_post(s, &o);
    request_add(s->ref, s->p, &request);
    return true;
}

/* Marks the requests that a WAIT names: the latest of a name and index, all of a whole name; WAITALL: all. */
static bool wait_mark(const struct step *s, struct problem *problem)
{
    struct process *p = s->p;
    for (struct open_request *request = p->requests; request; request = request->next)
        request->waited = s->instr->op == INSTR_WAITALL;
    for (int32_t i = 0; s->instr->op == INSTR_WAIT && i < s->instr->n_requests; i++) {
        const struct request_ref *named = &s->ref->program->requests[s->instr->first_request + i];
        int64_t index;
        if (!operand_request(s->ref->program, named, s->instr->site, s->process, p->slots, &index, problem))
            return false;
        struct open_request *latest = NULL;
        for (struct open_request *request = p->requests; request; request = request->next) {
            if (request->name != named->name || (!named->whole && request->index != index))
                continue;
            latest = request;
            if (named->whole)
                request->waited = true;
        }
        if (latest)
            latest->waited = true;
    }
    return true;
}

/* Completes all waited requests: receives in the order of arrival, then sends; returns when the wait ends. */
static double wait_complete(const struct step *s)
{
    struct reference *ref = s->ref;
    double w = s->p->clock;
    for (;;) {
        struct open_request *first = NULL;
        for (struct open_request *request = s->p->requests; request; request = request->next)
            if (request->waited && request->receive &&
                (!first || request->receive->message->time < first->receive->message->time))
                first = request;
        if (!first)
            break;
        struct transfer *m = first->receive->message;
        w = rule_latest(m->time, w + receive_overhead(ref, first->receive));
        --*reference_board(ref, m);
        first->receive = NULL;
        first->completion = -INFINITY;
    }
    for (const struct open_request *request = s->p->requests; request; request = request->next)
        if (request->waited)
            w = rule_latest(request->completion, w);
    return w;
}

static bool step_wait(const struct step *s)
{
    struct process *p = s->p;
    struct problem problem;
    if (!wait_mark(s, &problem))
        return step_fails(s, &problem);
    if (!reference_wait_ready(p)) {
        p->state = IN_WAIT;
        return false;
    }
    reference_leave(s->ref, p, wait_complete(s));
    struct open_request **request = &p->requests;
    while (*request) {
        if ((*request)->waited)
            *request = (*request)->next;
        else
            request = &(*request)->next;
    }
    p->pc++;
    return true;
}

static bool step_compute(const struct step *s)
{
    double seconds;
    struct problem problem;
    const struct computations *all = &s->ref->computations;
    if (!computing_next(all, &s->p->computing, s->instr, s->p->slots, &seconds, &problem))
        return step_fails(s, &problem);
    s->p->clock += seconds;
    *(s->instr->op == INSTR_SAMPLE || all->variability.any ? &s->p->sampled_serial : &s->p->serial) += seconds;
    s->p->pc++;
    return true;
}

static bool step_loop(const struct step *s)
{
    int64_t iterations, from;
    struct problem problem;
    if (!operand_loop(s->ref->program, s->instr, s->process, s->p->slots, &iterations, &from, &problem))
        return step_fails(s, &problem);
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
    if (!operand_value(s->ref->program, s->instr, s->process, s->p->slots, &value, &problem))
        return step_fails(s, &problem);
    bool jump = s->instr->op == INSTR_BRANCH && !value_is_true(value);
    if (s->instr->op == INSTR_SET)
        s->p->slots[s->instr->slot] = value;
    s->p->pc = jump ? s->instr->target : s->p->pc + 1;
    return true;
}

static bool step_put(const struct step *s)
{
    struct problem problem;
    if (!operand_put(s->ref->program, s->instr, s->process, s->p->slots, &problem))
        return step_fails(s, &problem);
    s->p->pc++;
    return true;
}

static bool step_fail(const struct step *s)
{
    const struct failure *failure = &s->ref->program->failures[s->instr->index];
    s->ref->status = failure->status;
    program_report(s->ref->program, failure->site, s->process, failure->text, s->ref->diags);
    return false;
}

bool reference_step(const struct step *s)
{
    switch ((enum instr_op)s->instr->op) {
    case INSTR_SEND:
    case INSTR_BSEND:
    case INSTR_SSEND:
    case INSTR_ISEND:
    case INSTR_ISSEND:
        return step_send(s);
    case INSTR_RECV:
        return step_receive(s);
    case INSTR_IRECV:
        return step_post(s);
    case INSTR_WAIT:
    case INSTR_WAITALL:
        return step_wait(s);
    case INSTR_SERIAL:
    case INSTR_SAMPLE:
        return step_compute(s);
    case INSTR_LOOP:
        return step_loop(s);
    case INSTR_NEXT:
        return step_next(s);
    case INSTR_BRANCH:
    case INSTR_SET:
        return step_expression(s);
    case INSTR_PUT:
        return step_put(s);
    case INSTR_ENTER:
    case INSTR_LEAVE:
        region_step(&s->p->regions[s->instr->index], s->instr, s->p->clock);
        s->p->pc++;
        return true;
    case INSTR_FAIL:
        return step_fail(s);
    case INSTR_JUMP:
        s->p->pc = s->instr->target;
        return true;
    case INSTR_END:
        s->p->state = ENDED;
        return false;
#define X(name) case INSTR_##name:
        INSTR_TIMED_LIST(X)
#undef X
    case INSTR_COLLECTIVE:
        break;
    }
    assert(false && "an instruction of the time-ordered engine, or one that does not exist");
    return false;
}
