/* Collectives costed as a whole: from measured times or by a model's formula. With T drawn for each process, or the
 * time that the formula gives it:
 *     one to all      leaves at max(own entry, root's entry) + T
 *     all to one      the root leaves at the latest entry + T, the others at their own entry + the overhead of a send
 *                     to the root, or + T of a formula
 *     all to all      leaves at the latest entry + T */
#include "engine/timed/process/collective_impl.h"

#include "engine/timed/match.h"
#include "engine/timed/process/call.h"
#include "engine/timed/process/collective.h"
#include "engine/timed/tell.h"
#include "engine/timed/way/wire.h"

#include "common/alloc.h"

#include <math.h>

/* By the formula of the plan: when the call's rank leaves if all enter at 0. NAN: the run was stopped. */
static double formula_time(struct timed *e, const struct collective_call *call)
{
    struct instance *instance = &e->collectives->instances[call->instance];
    int32_t n = call->schedule.size;
    if (!instance->has_times) {
        if (instance->times_capacity < n) {
            instance->times = alloc_resize(instance->times, (size_t)n, sizeof *instance->times);
            instance->times_capacity = n;
        }
        if (!formulas_times(e->collectives->formulas, plan_of(e, call)->formula, call->ref->comm, &call->schedule,
                            instance->times)) {
            e->status = STATUS_INTERRUPTED;
            return NAN;
        }
        instance->has_times = true;
    }
    return instance->times[call->schedule.rank];
}

/* Only draws hang on each other: a mean and a least time are of all. */
static enum collective_before formula_before(const struct timed *e, const struct formula_last *last, const struct schedule *s)
{
    const bool alike = last->root == s->root && last->bytes == s->bytes;
    return alike && e->setup->mode == MODE_distribution ? last->was : BEFORE_unknown;
}

/* Of the root, whose time a model may draw: then the formula's is what it takes mostly. NAN: the run was stopped. */
static double formula_root_time(struct timed *e, const struct collective_call *call)
{
    double leaves = formula_time(e, call);
    const struct schedule *s = &call->schedule;
    const struct plan *plan = plan_of(e, call);
    struct formula_last *last = &e->collectives->comms[call->ref->comm].last;
    const enum collective_before before = formula_before(e, last, s);
    const double key[2] = {leaves, s->size * (int)N_BEFORE + (int)before};
    struct distribution time;
    const struct quantile *q = isnan(leaves) ? NULL : price_own(&e->book, plan, s->bytes, key);
    *last = (struct formula_last){s->root, s->bytes, BEFORE_unknown};
    if (!q && (isnan(leaves) || !formulas_root_time(e->collectives->formulas, plan->formula, s, leaves, before, &time)))
        return leaves;
    if (!q) {
        q = price_own_make(&e->book, plan, s->bytes, key, e->setup->mode, &time);
        distribution_free(&time);
    }
    double drawn = timed_drawn(e, q, call->process, STREAM_COLLECTIVE, e->processes[call->process].n_collectives++);
    last->was = drawn > leaves ? BEFORE_longer : BEFORE_as_ever;
    return drawn;
}

static double whole_time(struct timed *e, const struct collective_call *call)
{
    const struct plan *plan = plan_of(e, call);
    bool root = call->schedule.rank == call->schedule.root;
    if (plan->has_formula)
        return root ? formula_root_time(e, call) : formula_time(e, call);
    const struct quantile *q = price_collective(&e->book, plan->measured, e->setup->mode, call->schedule.size,
                                                call->schedule.bytes, root);
    return timed_drawn(e, q, call->process, STREAM_COLLECTIVE, e->processes[call->process].n_collectives++);
}

/* What keeps a process that only sends to the root. */
static double whole_sends(struct timed *e, const struct collective_call *call)
{
    if (plan_of(e, call)->has_formula)
        return formula_time(e, call);
    int32_t peer = program_comm_process(e->program, call->ref->comm, call->schedule.root);
    uint32_t pair = timed_pair_class(e, call->process, peer);
    struct price *price = price_find(&e->book, pair, SEND_BLOCKING, call->schedule.bytes);
    const struct quantile *q = price_overhead(&e->book, price, SIDE_SEND);
    return timed_drawn(e, q, call->process, STREAM_COLLECTIVE, e->processes[call->process].n_collectives++);
}

/* When the call leaves; NAN: not known yet. *others: since when it no longer waits for others. */
static double whole_leaves(struct timed *e, const struct collective_call *call, double *others)
{
    const struct instance *instance = &e->collectives->instances[call->instance];
    enum collective_op op = call->schedule.op;
    bool root = call->schedule.rank == call->schedule.root;
    *others = call->entered;
    if (is_all_to_one(op) && !root)
        return call->entered + whole_sends(e, call);
    if (is_one_to_all(op))
        *others = isnan(instance->root_entry) ? NAN : rule_latest(call->entered, instance->root_entry);
    else
        *others = instance->n_entered < call->schedule.size ? NAN : instance->latest;
    return isnan(*others) ? NAN : *others + whole_time(e, call);
}

static void whole_leave(struct timed *e, int32_t i, double others, double leaves)
{
    struct collective_call *call = &e->collectives->calls[i];
    struct timed_process *p = &e->processes[call->process];
    if (call->operation != NONE) {
        struct timed_operation *o = &e->operations[call->operation];
        o->started = others;
        o->completion = leaves;
        operation_ready(e, call->operation);
        collective_call_release(e->collectives, i);
        return;
    }
    p->whole_others = others;
    process_wake(e, call->process, leaves);
}

/* A call leaves, or waits until its instance is looked at again. */
static void whole_look(struct timed *e, int32_t i)
{
    struct collective_call *call = &e->collectives->calls[i];
    struct instance *instance = &e->collectives->instances[call->instance];
    double others, leaves = whole_leaves(e, call, &others);
    if (isnan(leaves)) {
        call->next = instance->first_waiting;
        instance->first_waiting = i;
    } else {
        whole_leave(e, i, others, leaves);
    }
}

/* Those who wait may leave now. */
static void whole_look_again(struct timed *e, struct instance *instance)
{
    int32_t i = instance->first_waiting;
    instance->first_waiting = NONE;
    while (i != NONE) {
        int32_t next = e->collectives->calls[i].next;
        whole_look(e, i);
        i = next;
    }
}

/* Is this the call that others wait for? */
static bool whole_settles(const struct collective_call *call, const struct instance *instance)
{
    const struct schedule *s = &call->schedule;
    return is_one_to_all(s->op) ? s->rank == s->root : instance->n_entered == s->size;
}

bool whole_enter(struct timed *e, int32_t i)
{
    struct collectives *c = e->collectives;
    struct collective_call *call = &c->calls[i];
    struct timed_process *p = &e->processes[call->process];
    struct instance *instance = &c->instances[call->instance];
    bool waits = call->operation == NONE, settles = whole_settles(call, instance);
    if (waits) {
        timed_mpi_enter(e, p, call->process, INFINITY);
        p->state = TIMED_IN_COLLECTIVE;
        p->operation = NONE;
        p->collective = i;
    }
    whole_look(e, i);
    if (settles)
        whole_look_again(e, instance);
    return !waits;
}

void collective_finish(struct timed *e, int32_t process, int32_t site)
{
    struct timed_process *p = &e->processes[process];
    timed_tell(e, process, site, LOSS_collective_wait, p->call, p->whole_others);
    timed_tell(e, process, site, LOSS_transit, p->whole_others, p->until);
    p->clock = p->active = p->until;
    collective_call_release(e->collectives, p->collective);
    p->collective = NONE;
}

bool whole_serves(struct timed *e, const struct plan *plan, const struct collective_call *call)
{
    const struct schedule *s = &call->schedule;
    if (call->held && (call->held->carriage->way == COLL_PIECES || call->held->carriage->way == COLL_TREE))
        return false;
    return plan->has_formula ||
           (plan->measured && price_collective(&e->book, plan->measured, e->setup->mode, s->size, s->bytes, false));
}
