/* The open operations that a wait or a test names, and completing them (marked.h). */
#include "engine/timed/process/marked.h"

#include "engine/timed/match.h"
#include "engine/timed/process/call.h"
#include "engine/timed/process/post.h"
#include "engine/timed/process/remote.h"
#include "engine/timed/tell.h"
#include "engine/timed/timed.h"

#include <math.h>

bool marked_any(const struct timed *e, const struct timed_process *p)
{
    for (int32_t i = p->first_open; i != NONE; i = e->operations[i].next_open)
        if (e->operations[i].waited)
            return true;
    return false;
}

bool operations_mark(struct timed *e, int32_t process, const struct instr *instr)
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

bool marked_are_read(const struct timed *e, const struct timed_process *p, bool one)
{
    if (!calls_may_pass(e))
        return false;
    const double read = process_has_read_until(p);
    bool all = true, any = false;
    for (int32_t i = p->first_open; i != NONE; i = e->operations[i].next_open) {
        const struct timed_operation *o = &e->operations[i];
        const bool known = o->ready && (o->at_once || o->completion <= read);
        all &= !o->waited || known;
        any |= o->waited && known;
    }
    return one ? any : all;
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

double operation_complete(struct timed *e, int32_t process, const struct instr *instr, int32_t operation, double at)
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

double marked_complete(struct timed *e, int32_t process, const struct instr *instr, double at, double not_after)
{
    struct timed_process *p = &e->processes[process];
    for (int pass = 0; pass < 2; pass++) {
        int32_t o;
        while ((o = marked_first(e, p, not_after, pass == 0)) != NONE)
            at = operation_complete(e, process, instr, o, at);
    }
    return at;
}

double operation_return(struct timed *e, int32_t operation, double call)
{
    const struct timed_operation *o = &e->operations[operation];
    double overhead;
    return o->kind == OPERATION_RECEIVE ? receive_return(e, operation, call, &overhead)
                                        : rule_latest(o->completion, call);
}

int64_t request_position(struct timed *e, int32_t process, const struct instr *instr, int32_t operation)
{
    const struct timed_operation *o = &e->operations[operation];
    int64_t place;
    struct problem problem;
    if (!operand_request_place(e->program, instr, process, e->processes[process].slots, o->name, o->index, &place,
                               &problem))
        timed_fail(e, process, &problem);
    return place;
}

double marked_return(struct timed *e, const struct timed_process *p)
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
