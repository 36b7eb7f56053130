/* Instructions of a process in the time-ordered engine. */
#include "engine/timed/process/step.h"

#include "engine/timed/match.h"
#include "engine/timed/process/call.h"
#include "engine/timed/process/collective.h"
#include "engine/timed/process/look.h"
#include "engine/timed/process/polling.h"
#include "engine/timed/process/post.h"
#include "engine/timed/process/remote.h"
#include "engine/timed/rendezvous.h"
#include "engine/timed/stream/receiver.h"
#include "engine/timed/tell.h"
#include "engine/timed/timed.h"
#include "engine/timed/way/wire.h"

#include <assert.h>
#include <math.h>

/* A process that goes round a loop alone looks at the stop flag so often. */
enum { ROUNDS_PER_LOOK = 1 << 14 };

/* s: timers that are to go off at one moment do so within it. Only who is first depends on it; waking one process takes longer. */
static const double ONE_MOMENT = 1e-6;

/* Computation advances the clock by itself: what others do meanwhile cannot touch it. What the process overslept at the end
 * of the last one it has already. */
static void compute(struct timed *e, struct timed_process *p, int32_t site, double seconds)
{
    const double had = rule_earliest(p->overslept, seconds);
    p->overslept -= had;
    seconds -= had;
    if (e->ledger)
        timed_tell_span(e, (int32_t)(p - e->processes), site, LOSS_computation, p->clock, p->clock + seconds);
    p->clock += seconds;
}

/* Of the computation that is executed now. */
static double computation_factor(struct timed *e, struct timed_process *p, int32_t process)
{
    const struct quantile *q = variability_of_call(&e->variability);
    return p->time_factor * timed_drawn(e, q, process, STREAM_SERIAL_CALL, p->n_computed++);
}

static bool step_serial(struct timed *e, struct timed_process *p, int32_t process, const struct instr *instr)
{
    double seconds;
    struct problem problem;
    if (!operand_seconds(e->program, instr, process, p->slots, &seconds, &problem)) {
        timed_fail(e, process, &problem);
        return false;
    }
    seconds *= computation_factor(e, p, process);
    *(e->variability.any ? &p->sampled_serial : &p->serial) += seconds;
    compute(e, p, instr->site, seconds);
    return true;
}

/* The quantile function of a computation; NULL: an argument is out of range, or nobody timed it. */
static const struct quantile *serial_look_up(struct timed *e, int32_t process, const struct instr *instr)
{
    const struct serial_ref *serial = &e->program->serials[instr->index];
    struct known_serial *known = &e->serials[instr->index];
    bool changes = serial->dynamic[0] || serial->dynamic[1];
    if (!changes && known->q && known->generation == e->book.generation)
        return known->q;
    double a[2];
    struct problem problem;
    if (!operand_serial(e->program, instr, process, e->processes[process].slots, a, &problem)) {
        timed_fail(e, process, &problem);
        return NULL;
    }
    known->q = price_serial(&e->book, e->setup->machine, e->setup->mode, serial, a, &problem);
    if (!known->q)
        timed_fail(e, process, &problem);
    known->generation = e->book.generation;
    return known->q;
}

static bool step_sample(struct timed *e, struct timed_process *p, int32_t process, const struct instr *instr)
{
    const struct quantile *q = serial_look_up(e, process, instr);
    if (!q)
        return false;
    double factor = computation_factor(e, p, process);
    double seconds = factor * timed_drawn(e, q, process, STREAM_SERIAL, p->n_sampled++);
    p->sampled_serial += seconds;
    compute(e, p, instr->site, seconds);
    return true;
}

static bool step_loop(struct timed *e, struct timed_process *p, int32_t process, const struct instr **pc)
{
    const struct instr *instr = *pc;
    int64_t iterations, from;
    struct problem problem;
    if (!operand_loop(e->program, instr, process, p->slots, &iterations, &from, &problem)) {
        timed_fail(e, process, &problem);
        return false;
    }
    p->slots[instr->slot] = value_int(iterations);
    if (instr->has_variable)
        p->slots[instr->slot + 1] = value_int(from);
    *pc = iterations > 0 ? instr + 1 : &p->role->code[instr->target];
    return true;
}

static const struct instr *step_next(struct timed_process *p, const struct instr *instr)
{
    return program_loop_again(instr, p->slots) ? &p->role->code[instr->target] : instr + 1;
}

static bool step_value_slowly(struct timed *e, const struct timed_process *p, int32_t process,
                              const struct instr *instr, struct value *value)
{
    struct problem problem;
    if (operand_value(e->program, instr, process, p->slots, value, &problem))
        return true;
    timed_fail(e, process, &problem);
    return false;
}

/* The value of a BRANCH or SET. */
static inline bool step_value(struct timed *e, const struct timed_process *p, int32_t process,
                              const struct instr *instr, struct value *value)
{
    return expression_quick(&e->program->exprs[instr->count].quick, p->slots, value) ||
           step_value_slowly(e, p, process, instr, value);
}

static bool step_put(struct timed *e, struct timed_process *p, int32_t process, const struct instr *instr)
{
    struct problem problem;
    if (operand_put(e->program, instr, process, p->slots, &problem))
        return true;
    timed_fail(e, process, &problem);
    return false;
}

static void step_fail(struct timed *e, int32_t process, const struct instr *instr)
{
    const struct failure *failure = &e->program->failures[instr->index];
    e->status = failure->status;
    program_report(e->program, failure->site, process, failure->text, e->diags);
}

static void step_end(struct timed *e, struct timed_process *p, int32_t process)
{
    p->state = TIMED_ENDED;
    e->n_ended++;
    if (p->first_meeting != NONE)
        rendezvous_ended(e, process);
    receiver_end(e, p);
}

/* The process goes round a loop, and is at `instr` of it. */
static bool is_stopped(struct timed *e, struct timed_process *p, const struct instr *instr)
{
    p->pc = instr;
    return timed_is_stopped(e);
}

void step_alone(struct timed *e, struct timed_process *p, int32_t process, const struct instr *instr)
{
    switch ((enum instr_op)instr->op) {
    case INSTR_SERIAL:
        step_serial(e, p, process, instr);
        break;
    case INSTR_SAMPLE:
        step_sample(e, p, process, instr);
        break;
    default:
        region_step(&p->regions[instr->index], instr, p->clock);
    }
}

/* What only the process itself can notice, from *pc up to the next call. Returns whether there is one. */
static inline bool steps_alone(struct timed *e, struct timed_process *p, int32_t process, const struct instr **pc)
{
    const struct instr *instr = *pc;
    struct value value;
    for (uint32_t n = 0;;) {
        switch ((enum instr_op)instr->op) {
        case INSTR_SERIAL:
            if (!step_serial(e, p, process, instr++))
                return false;
            break;
        case INSTR_SAMPLE:
            if (!step_sample(e, p, process, instr++))
                return false;
            break;
        case INSTR_LOOP:
            if (!step_loop(e, p, process, &instr))
                return false;
            break;
        case INSTR_NEXT:
            instr = step_next(p, instr);
            if (++n % ROUNDS_PER_LOOK == 0 && is_stopped(e, p, instr))
                return false;
            break;
        case INSTR_BRANCH:
            if (!step_value(e, p, process, instr, &value))
                return false;
            instr = value_is_true(value) ? instr + 1 : &p->role->code[instr->target];
            break;
        case INSTR_SET:
            if (!step_value(e, p, process, instr, &value))
                return false;
            p->slots[instr++->slot] = value;
            break;
        case INSTR_PUT:
            if (!step_put(e, p, process, instr++))
                return false;
            break;
        case INSTR_ENTER:
        case INSTR_LEAVE:
            region_step(&p->regions[instr->index], instr, p->clock);
            instr++;
            break;
        case INSTR_JUMP:
            instr = &p->role->code[instr->target];
            break;
        case INSTR_FAIL:
            step_fail(e, process, instr);
            return false;
        case INSTR_END:
            if (remote_end(e, process))
                step_end(e, p, process);
            return false;
        default:
            *pc = instr;
            return true;
        }
    }
}

static inline bool step_call(struct timed *e, struct timed_process *p, int32_t process, const struct instr *instr)
{
    if (p->held != NONE)
        return timed_call_held(e, process);
    switch ((enum instr_op)instr->op) {
    case INSTR_SEND:
        return timed_call_plain_send(e, p, process, instr);
    case INSTR_BSEND:
    case INSTR_SSEND:
    case INSTR_ISEND:
    case INSTR_ISSEND:
        return timed_call_send(e, p, process, instr);
    case INSTR_RECV:
        return timed_call_receive(e, p, process, instr);
    case INSTR_IRECV:
        return timed_call_post(e, process, instr);
    case INSTR_WAIT:
    case INSTR_WAITALL:
    case INSTR_WAITANY:
    case INSTR_WAITSOME:
    case INSTR_SETTLE:
        return timed_call_wait(e, process, instr);
    case INSTR_TEST:
    case INSTR_TESTALL:
    case INSTR_TESTANY:
    case INSTR_TESTSOME:
        return timed_call_test(e, process, instr);
    case INSTR_PROBE:
    case INSTR_IPROBE:
        return timed_call_probe(e, process, instr);
    case INSTR_COLLECTIVE:
        return timed_call_collective(e, process, instr);
    case INSTR_REMOTE_PUT:
    case INSTR_REMOTE_GET:
        return timed_call_remote(e, process, instr);
    case INSTR_LOCK:
        return timed_call_lock(e, process, instr);
    case INSTR_UNLOCK:
    case INSTR_FLUSH:
        return timed_call_release(e, process, instr);
    case INSTR_DELIVER:
        return timed_call_deliver(e, process, instr);
    default:
        assert(false && "an instruction that others cannot notice");
        return false;
    }
}

static bool is_send(const struct instr *instr)
{
    return instr->op == INSTR_SEND || instr->op == INSTR_BSEND || instr->op == INSTR_SSEND ||
           instr->op == INSTR_ISEND || instr->op == INSTR_ISSEND;
}

/* Whether the call neither sends nor waits: it posts a receive, or names no process. */
static bool is_idle(const struct timed *e, int32_t process, const struct instr *instr)
{
    const struct timed_process *p = &e->processes[process];
    struct operands o;
    struct problem problem;
    if (!is_send(instr) && instr->op != INSTR_RECV)
        return instr->op == INSTR_IRECV || instr->op == INSTR_REMOTE_GET;
    return operand_message(e->program, p->role, instr, process, p->slots, &o, &problem) &&
           o.peer == OPERAND_NO_PEER;
}

/* A process that has rested has its turn to be woken: among those whose rests end at one moment chance decides who is first. */
void rest_note(struct timed *e, int32_t process)
{
    struct timed_process *p = &e->processes[process];
    if (p->rested < INFINITY)
        return;
    p->rested = p->clock;
    p->clock += ONE_MOMENT * ldexp(timed_word(e, process, STREAM_WAKING, p->n_woken++), -32);
}

/* When a process that has rested goes on, not before now, which shares processors with others. What it waits for them is a part of what
 * its computations take: the next one is shorter. */
static double awake_after(struct timed *e, struct timed_process *p, double now)
{
    const struct machine_curve *wake = e->model->wake;
    const double work = machine_curve_at(wake, fmin(p->rest, wake->bytes[wake->n - 1]));
    const double awake = rule_latest(now, p->rested + outlet_pass_common(&e->common_until, work, p->rested));
    p->overslept += awake - p->rested;
    p->woken = work;
    return awake;
}

/* The first call after a computation: its process has to be woken. What neither sends nor waits leaves that to the call behind
 * it. */
void rest_end(struct timed *e, int32_t process, const struct instr *instr, double now)
{
    struct timed_process *p = &e->processes[process];
    const double awake = awake_after(e, p, now);
    timed_tell(e, process, instr->site, is_send(instr) ? LOSS_send_overhead : LOSS_receive_overhead, p->rested, awake);
    p->clock = awake;
    p->rest = 0;
    p->rested = INFINITY;
}

/* Whether a call that the process has come to waits for its turn: something else may come before it. */
static inline bool call_waits(const struct timed *e, const struct timed_process *p)
{
    return p->clock != e->now || e->overtaken;
}

/* Where the file says what waking takes, and the process comes to a call having computed since that time: whether it has to be woken
 * first, and that at a later time than now. */
static bool rest_waits(struct timed *e, struct timed_process *p, int32_t process, const struct instr *instr, double since)
{
    p->rest += p->clock - since;
    if (!(p->rest > 0) || is_idle(e, process, instr))
        return false;
    rest_note(e, process);
    if (call_waits(e, p))
        return true; /* processors serve in the order of time */
    pollings_wake(e);
    rest_end(e, process, instr, e->now);
    return false;
}

void timed_run_process(struct timed *e, struct timed_process *p, int32_t process)
{
    for (bool on = true; on;) {
        const double since = p->clock;
        const bool in_collective = p->collective != NONE;
        if (!in_collective && !steps_alone(e, p, process, &p->pc))
            return;
        const struct instr *instr = p->pc;
        if (e->model->wake && rest_waits(e, p, process, instr, since))
            return;
        if (call_waits(e, p)) {
            if (instr->op == INSTR_RECV && !in_collective)
                timed_call_receive_ahead(e, p, process, instr);
            return;
        }
        p->site = instr->site;
        on = in_collective ? collective_go_on(e, process) : step_call(e, p, process, instr);
    }
}
