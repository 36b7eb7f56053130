/* Instructions of a process in the time-ordered engine. */
#include "sim/timed_impl.h"

#include <assert.h>

/* A process that runs on alone looks at the stop flag so often. */
enum { STEPS_PER_LOOK = 1 << 16 };

static bool step_fails(struct timed *e, int32_t process, const struct problem *problem)
{
    timed_fail(e, process, problem);
    return false;
}

/* Computation advances the clock by itself: what others do meanwhile cannot touch it. */
static void compute(struct timed *e, int32_t process, int32_t site, double seconds)
{
    struct timed_process *p = &e->processes[process];
    timed_tell(e, process, site, LOSS_computation, p->clock, p->clock + seconds);
    p->clock += seconds;
    p->pc++;
}

/* Of the computation that is executed now. */
static double computation_factor(struct timed *e, int32_t process)
{
    struct timed_process *p = &e->processes[process];
    const struct quantile *q = variability_of_call(&e->variability);
    return p->time_factor * timed_drawn(e, q, process, STREAM_SERIAL_CALL, p->n_computed++);
}

static bool step_serial(struct timed *e, int32_t process, const struct instr *instr)
{
    struct timed_process *p = &e->processes[process];
    double seconds;
    struct problem problem;
    if (!operand_seconds(e->program, instr, process, p->slots, &seconds, &problem))
        return step_fails(e, process, &problem);
    seconds *= computation_factor(e, process);
    *(e->variability.any ? &p->sampled_serial : &p->serial) += seconds;
    compute(e, process, instr->site, seconds);
    return true;
}

/* The quantile function of a computation; NULL: an argument is out of range. */
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
    known->q = price_serial(&e->book, e->setup->machine, e->setup->mode, serial, a);
    known->generation = e->book.generation;
    return known->q;
}

static bool step_sample(struct timed *e, int32_t process, const struct instr *instr)
{
    struct timed_process *p = &e->processes[process];
    const struct quantile *q = serial_look_up(e, process, instr);
    if (!q)
        return false;
    double factor = computation_factor(e, process);
    double seconds = factor * timed_drawn(e, q, process, STREAM_SERIAL, p->n_sampled++);
    p->sampled_serial += seconds;
    compute(e, process, instr->site, seconds);
    return true;
}

static bool step_loop(struct timed *e, int32_t process, const struct instr *instr)
{
    struct timed_process *p = &e->processes[process];
    int64_t iterations, from;
    struct problem problem;
    if (!operand_loop(e->program, instr, process, p->slots, &iterations, &from, &problem))
        return step_fails(e, process, &problem);
    p->slots[instr->slot] = value_int(iterations);
    if (instr->has_variable)
        p->slots[instr->slot + 1] = value_int(from);
    p->pc = iterations > 0 ? p->pc + 1 : instr->target;
    return true;
}

static void step_next(struct timed_process *p, const struct instr *instr)
{
    struct value *slot = &p->slots[instr->slot];
    bool again = --slot->i > 0;
    if (again && instr->has_variable)
        slot[1].i++;
    p->pc = again ? instr->target : p->pc + 1;
}

static bool step_expression(struct timed *e, int32_t process, const struct instr *instr)
{
    struct timed_process *p = &e->processes[process];
    struct value value;
    struct problem problem;
    if (!operand_value(e->program, instr, process, p->slots, &value, &problem))
        return step_fails(e, process, &problem);
    bool jump = instr->op == INSTR_BRANCH && !value_is_true(value);
    if (instr->op == INSTR_SET)
        p->slots[instr->slot] = value;
    p->pc = jump ? instr->target : p->pc + 1;
    return true;
}

static bool step_fail(struct timed *e, int32_t process, const struct instr *instr)
{
    const struct failure *failure = &e->program->failures[instr->index];
    e->status = failure->status;
    program_report(e->program, failure->site, process, failure->text, e->diags);
    return false;
}

static bool step_end(struct timed *e, struct timed_process *p)
{
    p->state = TIMED_ENDED;
    e->n_ended++;
    return false;
}

/* What only the process itself can notice. */
static bool step_alone(struct timed *e, int32_t process, const struct instr *instr)
{
    struct timed_process *p = &e->processes[process];
    switch ((enum instr_op)instr->op) {
    case INSTR_SERIAL:
        return step_serial(e, process, instr);
    case INSTR_SAMPLE:
        return step_sample(e, process, instr);
    case INSTR_LOOP:
        return step_loop(e, process, instr);
    case INSTR_NEXT:
        step_next(p, instr);
        return true;
    case INSTR_BRANCH:
    case INSTR_SET:
        return step_expression(e, process, instr);
    case INSTR_JUMP:
        p->pc = instr->target;
        return true;
    case INSTR_FAIL:
        return step_fail(e, process, instr);
    case INSTR_END:
        return step_end(e, p);
    default:
        assert(false && "an instruction that others can notice");
        return false;
    }
}

static bool step_call(struct timed *e, int32_t process, const struct instr *instr)
{
    switch ((enum instr_op)instr->op) {
    case INSTR_SEND:
    case INSTR_BSEND:
    case INSTR_SSEND:
    case INSTR_ISEND:
    case INSTR_ISSEND:
        return timed_call_send(e, process, instr);
    case INSTR_RECV:
        return timed_call_receive(e, process, instr);
    case INSTR_IRECV:
        return timed_call_post(e, process, instr);
    case INSTR_WAIT:
    case INSTR_WAITALL:
    case INSTR_WAITANY:
    case INSTR_WAITSOME:
        return timed_call_wait(e, process, instr);
    case INSTR_TEST:
    case INSTR_TESTALL:
    case INSTR_TESTANY:
        return timed_call_test(e, process, instr);
    case INSTR_PROBE:
    case INSTR_IPROBE:
        return timed_call_probe(e, process, instr);
    case INSTR_COLLECTIVE:
        return timed_call_collective(e, process, instr);
    default:
        assert(false && "an instruction that does not exist");
        return false;
    }
}

static bool others_notice(uint8_t op)
{
    return op <= INSTR_COLLECTIVE;
}

void timed_run_process(struct timed *e, int32_t process)
{
    struct timed_process *p = &e->processes[process];
    const struct instr *code = p->role->code;
    bool on = true;
    for (uint32_t n = 1; on; n++) {
        if (n % STEPS_PER_LOOK == 0 && e->setup->stop && *e->setup->stop) {
            e->status = STATUS_INTERRUPTED;
            return;
        }
        const struct instr *instr = &code[p->pc];
        p->site = instr->site;
        if (p->collective == NONE && !others_notice(instr->op)) {
            on = step_alone(e, process, instr);
            continue;
        }
        if (!event_is_never(&e->due)) {
            event_queue_push(&e->queue, e->due);
            e->due = EVENT_NEVER;
        }
        p->n_wakes++;
        struct event turn = process_event(e, process, p->clock);
        if (event_queue_precedes(&e->queue, &turn)) {
            e->due = turn;
            return;
        }
        e->now = p->clock;
        on = p->collective != NONE ? collective_go_on(e, process) : step_call(e, process, instr);
    }
}
