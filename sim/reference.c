/* reference.c - the virtual parallel machine, one replication at a time: the plain version that tests trust.
 *
 * Linked lists, every cost looked up when it is needed, random words from Random123 one by one. The rules are those of
 * docs/ARCHITECTURE.md; lanes.c must give the same bits. */
#include "sim/engine_impl.h"

#include "common/alloc.h"
#include "sim/deadlock.h"
#include "sim/operand.h"
#include "sim/price.h"
#include "sim/random.h"
#include "sim/rules.h"
#include "sim/variability.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A message between its send call and the completion of its receive. */
struct transfer {
    int from, to;
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
    uint64_t number;        /* among the process's receives: its draw */
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
    struct channel *next;   /* of all channels to `to` */
};

enum state { RUNNABLE, IN_RECEIVE, IN_SEND, IN_WAIT, THROTTLED, ENDED };

struct process {
    enum state state;
    int32_t pc, site;
    double clock, serial, sampled_serial;
    uint64_t n_sent, n_received, n_sampled, n_computed;
    double time_factor;      /* on Serial time */
    struct value *slots;
    struct receive *receive; /* IN_RECEIVE, and until it is completed */
    struct transfer *message; /* IN_SEND */
    struct channel *channel; /* THROTTLED */
    struct open_request *requests;/* open, in the order they were posted */
    uint64_t n_calls;        /* blocking calls completed; the last RULE_HISTORY of them: */
    double entered[RULE_HISTORY], left[RULE_HISTORY];
};

struct port {
    double free_at, asked;
};

struct reference {
    const struct engine_setup *setup;
    const struct program *program;
    const struct cost_model *model;
    struct price_book book;
    struct variability variability;
    struct arena memory;        /* of one run */
    struct process *processes;  /* [numprocs] */
    struct channel **channels;  /* [numprocs] lists by receiver */
    struct port *out, *in;      /* [numprocs]: by process or by node */
    struct transfer *fresh, **fresh_last;     /* departure known, not sampled yet */
    struct transfer *pending, **pending_last; /* rendezvous that have not started */
    int on_board[2];            /* [within a node] */
    uint32_t replication;
    int level_most;
    bool inversion;
    enum status status;
    struct diags *diags;
};

static void fail(struct reference *ref, int process, const struct problem *problem)
{
    if (ref->status != STATUS_OK)
        return;
    ref->status = problem->status;
    program_report(ref->program, problem->site, process, problem->text, ref->diags);
}

/* ---- costs ---- */

static bool within_node(const struct reference *ref, const struct transfer *m)
{
    return program_node(ref->program, m->from) == program_node(ref->program, m->to);
}

static double drawn(const struct reference *ref, const struct quantile *q, int process, uint64_t draw,
                    enum stream stream)
{
    if (q->constant)
        return q->value;
    return quantile_at(q, random_word(ref->setup->seed, ref->replication, (uint32_t)process, draw, stream));
}

static double send_overhead(struct reference *ref, const struct transfer *m)
{
    return drawn(ref, price_overhead(&ref->book, m->price, SIDE_SEND), m->from, m->number, STREAM_SEND_OVERHEAD);
}

static double receive_overhead(struct reference *ref, const struct receive *r)
{
    const struct quantile *q = price_overhead(&ref->book, r->message->price, SIDE_RECEIVE);
    return drawn(ref, q, r->process, r->number, STREAM_RECEIVE_OVERHEAD);
}

/* ---- channels ---- */

static struct channel *channel_find(struct reference *ref, int from, int to)
{
    struct channel *c = ref->channels[to];
    while (c && c->from != from)
        c = c->next;
    if (!c) {
        c = arena_alloc(&ref->memory, 1, sizeof *c);
        *c = (struct channel){.from = from,
                              .to = to,
                              .limit = RULE_UNMATCHED,
                              .wire = -INFINITY,
                              .delivered = -INFINITY,
                              .next = ref->channels[to]};
        ref->channels[to] = c;
    }
    return c;
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
        fail(ref, r->process, &problem);
}

/* ---- blocking calls and requests ---- */

static void call_leave(struct process *p, double left)
{
    p->entered[p->n_calls % RULE_HISTORY] = p->clock;
    p->left[p->n_calls % RULE_HISTORY] = left;
    p->n_calls++;
    p->clock = left;
}

static void request_add(struct reference *ref, struct process *p, const struct open_request *request)
{
    struct open_request **last = &p->requests;
    while (*last)
        last = &(*last)->next;
    *last = arena_alloc(&ref->memory, 1, sizeof **last);
    **last = *request;
    if (request->receive)
        request->receive->request = *last;
}

static bool request_ready(const struct open_request *request)
{
    if (!request->receive)
        return request->started;
    return request->receive->message && request->receive->message->arrived;
}

static bool waited_ready(const struct process *p)
{
    for (const struct open_request *request = p->requests; request; request = request->next)
        if (request->waited && !request_ready(request))
            return false;
    return true;
}

/* ---- the sweep: one function for each kind of instruction. Each returns whether the process goes on. ---- */

/* Everything a step needs. */
struct step {
    struct reference *ref;
    struct process *p;
    int process;
    const struct role *role;
    const struct instr *instr;
};

static bool step_fails(const struct step *s, const struct problem *problem)
{
    fail(s->ref, s->process, problem);
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

static bool step_send(const struct step *s)
{
    struct reference *ref = s->ref;
    struct process *p = s->p;
    struct operands o;
    struct problem problem;
    struct open_request request = {0};
    uint8_t op = s->instr->op;
    bool blocking = op == INSTR_SEND || op == INSTR_BSEND || op == INSTR_SSEND;
    if (!operand_message(ref->program, s->role, s->instr, s->process, p->slots, &o, &problem) ||
        !request_name(s, &request, &problem))
        return step_fails(s, &problem);
    p->pc++;
    if (o.peer == OPERAND_NO_PEER)
        return true;
    int64_t context = operand_context(o.comm, o.tag);
    struct channel *c = channel_find(ref, s->process, o.peer);
    struct receive *r = posted_take(c, context);
    if (!r && c->n_unmatched >= c->limit) {
        p->pc--;
        p->state = THROTTLED;
        p->channel = c;
        return false;
    }
    struct transfer *m = arena_alloc(&ref->memory, 1, sizeof *m);
    uint32_t pair = ref->model->pair_class(ref->model, program_node(ref->program, s->process),
                                           program_node(ref->program, o.peer));
    *m = (struct transfer){
        .from = s->process,
        .to = o.peer,
        .context = context,
        .bytes = o.bytes,
        .number = p->n_sent++,
        .price = price_find(&ref->book, pair, blocking ? SEND_BLOCKING : SEND_NONBLOCKING, o.bytes),
        .rendezvous = rule_rendezvous(o.bytes, ref->model->eager_limit, op == INSTR_BSEND,
                                      op == INSTR_SSEND || op == INSTR_ISSEND),
        .time = p->clock,
        .sender_calls = p->n_calls,
    };
    if (r) {
        match(ref, m, r);
    } else {
        struct transfer **last = &c->unmatched;
        while (*last)
            last = &(*last)->next_unmatched;
        *last = m;
        c->n_unmatched++;
    }
    ref->on_board[within_node(ref, m)]++;
    struct transfer ***list = m->rendezvous ? &ref->pending_last : &ref->fresh_last;
    **list = m;
    *list = &m->next_on_board;
    if (!m->rendezvous) {
        p->clock += send_overhead(ref, m);
        return true;
    }
    if (blocking) {
        p->state = IN_SEND;
        p->message = m;
        return false;
    }
    request.to = o.peer;
    request.tag = o.tag;
    request_add(ref, p, &request);
    struct open_request *added = p->requests;
    while (added->next)
        added = added->next;
    m->request = added;
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
    struct channel *c = channel_find(ref, o->peer, s->process);
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
    call_leave(p, rule_latest(m->time, p->clock + receive_overhead(s->ref, p->receive)));
    receive_bind(s, m);
    s->ref->on_board[within_node(s->ref, m)]--;
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
        ref->on_board[within_node(ref, m)]--;
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
    if (!waited_ready(p)) {
        p->state = IN_WAIT;
        return false;
    }
    call_leave(p, wait_complete(s));
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

/* Of the computation that is executed now. */
static double computation_factor(struct reference *ref, int process)
{
    struct process *p = &ref->processes[process];
    const struct quantile *q = variability_of_call(&ref->variability);
    return p->time_factor * drawn(ref, q, process, p->n_computed++, STREAM_SERIAL_CALL);
}

static bool step_serial(const struct step *s)
{
    double seconds;
    struct problem problem;
    if (!operand_seconds(s->ref->program, s->instr, s->process, s->p->slots, &seconds, &problem))
        return step_fails(s, &problem);
    seconds *= computation_factor(s->ref, s->process);
    s->p->clock += seconds;
    *(s->ref->variability.any ? &s->p->sampled_serial : &s->p->serial) += seconds;
    s->p->pc++;
    return true;
}

static bool step_sample(const struct step *s)
{
    struct reference *ref = s->ref;
    double a[2];
    struct problem problem;
    if (!operand_serial(ref->program, s->instr, s->process, s->p->slots, a, &problem))
        return step_fails(s, &problem);
    const struct serial_ref *serial = &ref->program->serials[s->instr->index];
    const struct quantile *q = price_serial(&ref->book, ref->setup->machine, ref->setup->mode, serial, a);
    double factor = computation_factor(ref, s->process);
    double seconds = factor * drawn(ref, q, s->process, s->p->n_sampled++, STREAM_SERIAL);
    s->p->clock += seconds;
    s->p->sampled_serial += seconds;
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
    struct value *slot = &s->p->slots[s->instr->slot];
    bool again = --slot->i > 0;
    if (again && s->instr->has_variable)
        slot[1].i++;
    s->p->pc = again ? s->instr->target : s->p->pc + 1;
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

static bool step_fail(const struct step *s)
{
    const struct failure *failure = &s->ref->program->failures[s->instr->index];
    s->ref->status = failure->status;
    program_report(s->ref->program, failure->site, s->process, failure->text, s->ref->diags);
    return false;
}

static bool step(const struct step *s)
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
    case INSTR_FAIL:
        return step_fail(s);
    case INSTR_JUMP:
        s->p->pc = s->instr->target;
        return true;
    case INSTR_END:
        s->p->state = ENDED;
        return false;
    case INSTR_WAITANY:
    case INSTR_WAITSOME:
    case INSTR_TEST:
    case INSTR_TESTALL:
    case INSTR_TESTANY:
    case INSTR_PROBE:
    case INSTR_IPROBE:
    case INSTR_COLLECTIVE:
        break;
    }
    assert(false && "an instruction of the time-ordered engine, or one that does not exist");
    return false;
}

static bool stop_asked(const struct reference *ref)
{
    return ref->setup->stop && *ref->setup->stop;
}

static void sweep(struct reference *ref)
{
    for (int process = 0; process < ref->program->numprocs && ref->status == STATUS_OK; process++) {
        struct process *p = &ref->processes[process];
        if (p->state != RUNNABLE)
            continue;
        struct step s = {.ref = ref, .p = p, .process = process};
        s.role = &ref->program->roles[ref->program->role_of[process]];
        do {
            s.instr = &s.role->code[p->pc];
            p->site = s.instr->site;
            if (stop_asked(ref))
                ref->status = STATUS_INTERRUPTED;
        } while (ref->status == STATUS_OK && step(&s));
    }
}

/* ---- the match ---- */

static void process_wake(struct process *p, const struct receive *r)
{
    if (p->state == IN_RECEIVE && p->receive == r)
        p->state = RUNNABLE;
    else if (p->state == IN_WAIT && waited_ready(p))
        p->state = RUNNABLE;
}

static bool sender_waits(const struct reference *ref, const struct transfer *m)
{
    const struct process *p = &ref->processes[m->from];
    return (p->state == IN_SEND && p->message == m) || (p->state == IN_WAIT && m->request && m->request->waited);
}

static bool receiver_waits(const struct reference *ref, const struct transfer *m)
{
    const struct process *p = &ref->processes[m->to];
    const struct receive *r = m->receive;
    return (p->state == IN_RECEIVE && p->receive == r) || (p->state == IN_WAIT && r->request && r->request->waited);
}

static bool in_mpi(const struct reference *ref, int process)
{
    enum state state = ref->processes[process].state;
    return state != RUNNABLE && state != THROTTLED;
}

/* When a process was in MPI: posting the message, in the blocking calls since, and in the one it is in now. */
static int stays_since(const struct process *p, double posted, uint64_t calls, struct stay stays[RULE_HISTORY + 2])
{
    int n = 0;
    stays[n++] = (struct stay){posted, posted};
    uint64_t oldest = p->n_calls > RULE_HISTORY ? p->n_calls - RULE_HISTORY : 0;
    for (uint64_t i = calls > oldest ? calls : oldest; i < p->n_calls; i++)
        stays[n++] = (struct stay){p->entered[i % RULE_HISTORY], p->left[i % RULE_HISTORY]};
    stays[n++] = (struct stay){p->clock, INFINITY};
    return n;
}

/* The first time when both processes are in MPI and both have posted. */
static double rendezvous_time(const struct reference *ref, const struct transfer *m)
{
    const struct receive *r = m->receive;
    double posted = rule_latest(m->time, r->posted);
    if (ref->model->progress == PROGRESS_ASYNC)
        return posted;
    struct stay at_sender[RULE_HISTORY + 2], at_receiver[RULE_HISTORY + 2];
    int n = stays_since(&ref->processes[m->from], m->time, m->sender_calls, at_sender);
    int k = stays_since(&ref->processes[m->to], r->posted, r->receiver_calls, at_receiver);
    return rule_rendezvous_start(posted, n, at_sender, k, at_receiver);
}

static void rendezvous_start(struct reference *ref, struct transfer *m)
{
    struct process *sender = &ref->processes[m->from];
    m->time = rendezvous_time(ref, m);
    double completion = m->time + send_overhead(ref, m);
    if (m->request) {
        m->request->started = true;
        m->request->completion = completion;
        process_wake(sender, NULL);
    } else {
        call_leave(sender, completion);
        sender->state = RUNNABLE;
    }
}

/* Starts the pending rendezvous whose two ends wait for it (progress: async: that are matched), or, where nobody else
 * can run, whose two ends are in MPI at all. Returns whether there was one. */
static bool rendezvous_start_all(struct reference *ref, bool nobody_runs)
{
    bool any = false;
    struct transfer **m = &ref->pending;
    while (*m) {
        struct transfer *now = *m;
        bool starts = now->receive && (ref->model->progress == PROGRESS_ASYNC ||
                                       (sender_waits(ref, now) && receiver_waits(ref, now)) ||
                                       (nobody_runs && in_mpi(ref, now->from) && in_mpi(ref, now->to)));
        if (!starts) {
            m = &now->next_on_board;
            continue;
        }
        *m = now->next_on_board;
        now->next_on_board = NULL;
        rendezvous_start(ref, now);
        *ref->fresh_last = now;
        ref->fresh_last = &now->next_on_board;
        any = true;
    }
    ref->pending_last = m;
    return any;
}

/* A fresh message in the queue of a port. */
struct asking {
    struct transfer *m;
    int port;
    double at;
    double gap, credit;
};

static int asking_compare(const void *left, const void *right)
{
    const struct asking *a = left, *b = right;
    if (a->port != b->port)
        return a->port < b->port ? -1 : 1;
    if (a->at != b->at)
        return a->at < b->at ? -1 : 1;
    if (a->m->from != b->m->from)
        return a->m->from < b->m->from ? -1 : 1;
    return a->m->number < b->m->number ? -1 : 1;
}

/* The fresh messages that use an out (in) port, in the order in which the ports serve them. */
static size_t ports_queue(struct reference *ref, enum side side, struct asking *queue)
{
    size_t n = 0;
    for (struct transfer *m = ref->fresh; m; m = m->next_on_board) {
        const struct port_cost *cost = &m->price->ports;
        double gap = side == SIDE_SEND ? cost->out_gap : cost->in_gap;
        if (ref->model->ports == PORTS_OFF || within_node(ref, m) || gap == 0)
            continue;
        int process = side == SIDE_SEND ? m->from : m->to;
        int port = ref->model->ports == PORTS_PER_NODE ? program_node(ref->program, process) : process;
        double credit = side == SIDE_SEND ? cost->out_credit : cost->in_credit;
        queue[n++] = (struct asking){m, port, m->time, gap, credit};
    }
    qsort(queue, n, sizeof *queue, asking_compare);
    return n;
}

static void port_ask(struct reference *ref, struct port *port, double at)
{
    ref->inversion |= at < port->asked;
    port->asked = rule_latest(at, port->asked);
}

static void out_ports_serve(struct reference *ref, size_t n, struct asking queue[])
{
    for (size_t i = 0; i < n; i++) {
        struct port *port = &ref->out[queue[i].port];
        port_ask(ref, port, queue[i].at);
        double rested = port->free_at - queue[i].credit;
        port->free_at = rule_latest(port->free_at, queue[i].at) + queue[i].gap;
        queue[i].m->time = rule_latest(queue[i].at, rested);
    }
}

static void in_ports_serve(struct reference *ref, size_t n, struct asking queue[])
{
    for (size_t i = 0; i < n; i++) {
        struct port *port = &ref->in[queue[i].port];
        struct channel *c = channel_find(ref, queue[i].m->from, queue[i].m->to);
        port_ask(ref, port, queue[i].at);
        double busy = port->free_at + queue[i].gap;
        double arrival = rule_latest(rule_latest(queue[i].at, busy - queue[i].credit), c->delivered);
        port->free_at = rule_latest(busy, queue[i].at);
        c->delivered = queue[i].m->time = arrival;
    }
}

/* Samples all fresh messages at the level of this moment and wakes their receivers. */
static void board_sample(struct reference *ref)
{
    size_t n = 0;
    for (struct transfer *m = ref->fresh; m; m = m->next_on_board)
        n++;
    struct asking *queue = alloc_array(n, sizeof *queue);
    out_ports_serve(ref, ports_queue(ref, SIDE_SEND, queue), queue);
    for (struct transfer *m = ref->fresh; m; m = m->next_on_board) {
        struct channel *c = channel_find(ref, m->from, m->to);
        int level = ref->on_board[within_node(ref, m)];
        const struct quantile *q = price_transit(&ref->book, m->price, level);
        m->time += drawn(ref, q, m->from, m->number, STREAM_TRANSIT);
        c->wire = m->time = rule_latest(m->time, c->wire);
        if (level > ref->level_most)
            ref->level_most = level;
    }
    in_ports_serve(ref, ports_queue(ref, SIDE_RECEIVE, queue), queue);
    free(queue);
    for (struct transfer *m = ref->fresh; m; m = m->next_on_board)
        m->arrived = true;
    for (struct transfer *m = ref->fresh; m; m = m->next_on_board)
        if (m->receive)
            process_wake(&ref->processes[m->to], m->receive);
    ref->fresh = NULL;
    ref->fresh_last = &ref->fresh;
}

static bool throttles_lift(struct reference *ref)
{
    bool any = false;
    for (int process = 0; process < ref->program->numprocs; process++) {
        struct process *p = &ref->processes[process];
        if (p->state != THROTTLED)
            continue;
        p->channel->limit *= 2;
        p->state = RUNNABLE;
        any = true;
    }
    return any;
}

static int count_state(const struct reference *ref, enum state state)
{
    int n = 0;
    for (int process = 0; process < ref->program->numprocs; process++)
        n += ref->processes[process].state == state;
    return n;
}

/* ---- deadlock ---- */

static struct blocked blocked_describe(const struct reference *ref, int process)
{
    const struct process *p = &ref->processes[process];
    struct blocked b = {.process = process, .site = p->site};
    if (p->state == IN_RECEIVE) {
        b.waits_for = p->receive->from;
        b.tag = (int32_t)p->receive->context;
    } else if (p->state == IN_SEND) {
        b.sends = true;
        b.waits_for = p->message->to;
        b.tag = (int32_t)p->message->context;
    } else {
        const struct open_request *request = p->requests;
        while (!request->waited || request_ready(request))
            request = request->next;
        b.sends = !request->receive;
        b.waits_for = b.sends ? request->to : request->receive->from;
        b.tag = b.sends ? request->tag : (int32_t)request->receive->context;
    }
    b.peer_ended = ref->processes[b.waits_for].state == ENDED;
    return b;
}

static void deadlock(struct reference *ref)
{
    int32_t n = 0;
    struct blocked *blocked = alloc_array((size_t)ref->program->numprocs, sizeof *blocked);
    for (int process = 0; process < ref->program->numprocs; process++)
        if (ref->processes[process].state != ENDED)
            blocked[n++] = blocked_describe(ref, process);
    ref->status = STATUS_DEADLOCK;
    deadlock_report(ref->program, n, blocked, ref->diags);
    free(blocked);
}

/* ---- one run ---- */

static void reference_reset(struct reference *ref, uint32_t replication, struct diags *diags)
{
    const struct program *program = ref->program;
    size_t numprocs = (size_t)program->numprocs;
    ref->replication = replication;
    ref->diags = diags;
    ref->status = STATUS_OK;
    ref->inversion = false;
    ref->level_most = 0;
    ref->on_board[0] = ref->on_board[1] = 0;
    ref->fresh = ref->pending = NULL;
    ref->fresh_last = &ref->fresh;
    ref->pending_last = &ref->pending;
    ref->processes = arena_alloc(&ref->memory, numprocs, sizeof *ref->processes);
    ref->channels = arena_alloc(&ref->memory, numprocs, sizeof *ref->channels);
    ref->out = arena_alloc(&ref->memory, numprocs, sizeof *ref->out);
    ref->in = arena_alloc(&ref->memory, numprocs, sizeof *ref->in);
    for (size_t i = 0; i < numprocs; i++) {
        const struct role *role = &program->roles[program->role_of[i]];
        struct process *p = &ref->processes[i];
        p->slots = arena_alloc(&ref->memory, (size_t)role->n_slots, sizeof *p->slots);
        p->time_factor =
            variability_at(&ref->variability, ref->setup->seed, replication, program_node(program, (int)i));
        for (int32_t slot = 0; slot < role->n_slots; slot++)
            p->slots[slot] = role->initial[slot];
        ref->out[i] = ref->in[i] = (struct port){-INFINITY, -INFINITY};
    }
}

static void reference_play(struct reference *ref)
{
    while (ref->status == STATUS_OK) {
        sweep(ref);
        if (ref->status != STATUS_OK)
            return;
        rendezvous_start_all(ref, false);
        if (ref->fresh)
            board_sample(ref);
        if (count_state(ref, RUNNABLE) > 0)
            continue;
        if (rendezvous_start_all(ref, true))
            board_sample(ref);
        else if (count_state(ref, ENDED) == ref->program->numprocs)
            return;
        else if (!throttles_lift(ref))
            deadlock(ref);
    }
}

enum status reference_run(struct reference *ref, uint32_t replication, struct outcome *outcome,
                          struct engine_totals *totals, struct diags *diags)
{
    reference_reset(ref, replication, diags);
    reference_play(ref);
    *outcome = (struct outcome){.port_inversion = ref->inversion};
    struct engine_totals sums = {.level_most = ref->level_most,
                                 .unreceived = (uint64_t)(ref->on_board[0] + ref->on_board[1])};
    for (int process = 0; process < ref->program->numprocs; process++) {
        const struct process *p = &ref->processes[process];
        outcome->time = rule_latest(p->clock, outcome->time);
        outcome->serial += p->serial;
        outcome->serial += p->sampled_serial;
        sums.messages += p->n_sent;
    }
    if (totals)
        *totals = sums;
    arena_free(&ref->memory);
    return ref->status;
}

struct reference *reference_create(const struct engine_setup *setup)
{
    struct reference *ref = alloc_zeroed(1, sizeof *ref);
    ref->setup = setup;
    ref->program = setup->program;
    ref->model = setup->model;
    price_book_init(&ref->book, setup->model);
    variability_init(&ref->variability, setup->machine, setup->mode);
    return ref;
}

void reference_destroy(struct reference *ref)
{
    if (!ref)
        return;
    price_book_free(&ref->book);
    variability_free(&ref->variability);
    free(ref);
}
