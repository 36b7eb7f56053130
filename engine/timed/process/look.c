/* Tests and probes of a process (look.h). */
#include "engine/timed/process/look.h"

#include "engine/timed/match.h"
#include "engine/timed/process/call.h"
#include "engine/timed/process/collective.h"
#include "engine/timed/process/marked.h"
#include "engine/timed/process/polling.h"
#include "engine/timed/process/post.h"
#include "engine/timed/rendezvous.h"
#include "engine/timed/tell.h"
#include "engine/timed/timed.h"
#include "engine/timed/way/wire.h"

#include <math.h>
#include <stdio.h>

/* A test or probe costs what receiving nothing costs, and time must go on: a polling loop ends. */
#define LEAST_POLL 1e-9
/* So many polls in a row while nothing can happen any more are for ever, if every other process that goes on has been
 * polling for POLLS_OTHERS at least. How often that is looked at: POLLS_PER_LOOK. */
enum { POLLS_MOST = 10000000, POLLS_OTHERS = 10000, POLLS_PER_LOOK = 100000 };

/* ---- what a look costs ---- */

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

/* ---- in vain ---- */

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

/* ---- tests ---- */

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
    if (!operations_mark(e, process, instr))
        return false;
    *count = marked_count(e, p, p->clock);
    return *count >= 0 && !marked_are_complete(e, p, one, p->clock);
}

/* The process reads what has come, in a call that does not wait. */
static void look_read(struct timed *e, int32_t process)
{
    rendezvous_see(e, process);
    timed_mpi_enter(e, &e->processes[process], process, e->now);
}

bool timed_call_test(struct timed *e, int32_t process, const struct instr *instr)
{
    struct timed_process *p = &e->processes[process];
    const bool any = instr->op == INSTR_TESTANY, some = instr->op == INSTR_TESTSOME;
    if (calls_may_pass(e) && !operations_mark(e, process, instr))
        return false;
    if (marked_are_read(e, p, any || some) && marked_are_complete(e, p, any || some, p->clock)) {
        timed_mpi_pass(p);
    } else if (collectives_progress(e, process)) {
        return e->status == STATUS_OK;
    } else {
        look_read(e, process);
    }
    if (!operations_mark(e, process, instr))
        return false;
    bind_status(e, process, instr, 0, NONE);
    int32_t first = marked_first(e, p, p->clock, false), n = 0;
    for (int32_t i = p->first_open; i != NONE; i = e->operations[i].next_open)
        n += e->operations[i].waited;
    const bool flag = n == 0 || marked_are_complete(e, p, any || some, p->clock);
    const int64_t count = marked_count(e, p, p->clock);
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
        left = marked_complete(e, process, instr, p->clock, p->clock);
    }
    bind_value(p, instr, BIND_flag, 1);
    p->until = p->clock = left;
    p->n_polls = 0;
    p->pc++;
    return true;
}

/* ---- probes ---- */

/* A probe that binds a message takes what it found out. */
static void bind_message(struct timed *e, int32_t process, const struct instr *instr, int32_t transfer)
{
    if (!instr->binds || instr->bind[BIND_message] < 0)
        return;
    bind_value(&e->processes[process], instr, BIND_message, transfer);
    match_take(e, transfer);
}

/* What a probe asks for, where the process has read it. */
static int32_t probe_read(struct timed *e, int32_t process, const struct operands *o)
{
    const int32_t found = calls_may_pass(e) && o->peer != OPERAND_NO_PEER
                              ? match_probe(e, process, o->peer, operand_context(o->comm, o->tag), o->tag == OPERAND_ANY_TAG, NULL)
                              : NONE;
    return found != NONE && process_has_read(e, process, found) ? found : NONE;
}

bool timed_call_probe(struct timed *e, int32_t process, const struct instr *instr)
{
    struct timed_process *p = &e->processes[process];
    struct operands o;
    bool waits = instr->op == INSTR_PROBE;
    if (!operands_read(e, p, process, instr, &o))
        return false;
    if (waits && collectives_move(e, process))
        return true;
    const int32_t read = probe_read(e, process, &o);
    if (read != NONE)
        timed_mpi_pass(p);
    else if (waits)
        timed_mpi_enter(e, p, process, INFINITY);
    else if (o.peer != OPERAND_NO_PEER && collectives_progress(e, process))
        return e->status == STATUS_OK;
    else
        look_read(e, process);
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
        collectives_expect(e, process);
        return false;
    }
    if (found == NONE || (read == NONE && calls_may_pass(e)))
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

void probe_withdraw(struct timed *e, int32_t process)
{
    timed_operation_release(e, e->processes[process].operation);
}

void probe_finish(struct timed *e, int32_t process, const struct instr *instr)
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

/* ---- of a test or a probe ---- */

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
