/* Collective operations in the time-ordered engine: which way a directive is costed, and the call. */
#include "engine/timed_collective_impl.h"

#include "collectives/selection.h"
#include "models/collective_time.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- making and clearing ---- */

struct collectives *collectives_create(const struct program *program)
{
    if (program->n_collectives == 0)
        return NULL;
    struct collectives *c = alloc_zeroed(1, sizeof *c);
    c->plans = alloc_zeroed((size_t)program->n_collectives, sizeof *c->plans);
    c->comms = alloc_zeroed((size_t)program->n_comms, sizeof *c->comms);
    for (int32_t i = 0; i < program->n_comms; i++)
        c->comms[i].n_called = alloc_zeroed((size_t)program->comms[i].n, sizeof *c->comms[i].n_called);
    return c;
}

void collectives_reset(struct collectives *c, const struct program *program)
{
    if (!c)
        return;
    for (int32_t i = 0; i < c->n_calls; i++)
        free(c->calls[i].own_sums);
    c->n_calls = c->n_instances = 0;
    c->free_call = c->free_instance = NONE;
    for (int32_t i = 0; i < program->n_comms; i++) {
        memset(c->comms[i].n_called, 0, (size_t)program->comms[i].n * sizeof *c->comms[i].n_called);
        c->comms[i].oldest = c->comms[i].newest = NONE;
        c->comms[i].oldest_number = 0;
    }
}

void collectives_destroy(struct collectives *c, const struct program *program)
{
    if (!c)
        return;
    for (int32_t i = 0; i < c->n_calls; i++)
        free(c->calls[i].own_sums);
    for (int32_t i = 0; i < program->n_collectives; i++)
        free(c->plans[i].sums);
    for (int32_t i = 0; i < program->n_comms; i++)
        free(c->comms[i].n_called);
    for (int32_t i = 0; i < c->instances_capacity; i++)
        free(c->instances[i].times);
    formulas_destroy(c->formulas);
    free(c->plans);
    free(c->comms);
    free(c->calls);
    free(c->instances);
    free(c);
}

static int32_t call_take(struct collectives *c)
{
    int32_t i = c->free_call;
    if (i != NONE) {
        c->free_call = c->calls[i].next;
        return i;
    }
    if (c->n_calls == c->calls_capacity) {
        c->calls_capacity = c->calls_capacity ? 2 * c->calls_capacity : 64;
        c->calls = alloc_resize(c->calls, (size_t)c->calls_capacity, sizeof *c->calls);
    }
    return c->n_calls++;
}

void collective_call_release(struct collectives *c, int32_t call)
{
    free(c->calls[call].own_sums);
    c->calls[call].own_sums = NULL;
    c->calls[call].next = c->free_call;
    c->free_call = call;
}

static int32_t instance_take(struct collectives *c)
{
    int32_t i = c->free_instance;
    if (i != NONE) {
        c->free_instance = c->instances[i].next;
        return i;
    }
    if (c->n_instances == c->instances_capacity) {
        int32_t old = c->instances_capacity;
        c->instances_capacity = old ? 2 * old : 64;
        c->instances = alloc_resize(c->instances, (size_t)c->instances_capacity, sizeof *c->instances);
        memset(c->instances + old, 0, (size_t)(c->instances_capacity - old) * sizeof *c->instances);
    }
    return c->n_instances++;
}

/* ---- plans ---- */

static enum collective_op blocking_form(enum collective_op op)
{
    return op == COLLECTIVE_MPI_Ibcast       ? COLLECTIVE_MPI_Bcast
           : op == COLLECTIVE_MPI_Iallreduce ? COLLECTIVE_MPI_Allreduce
                                             : op;
}

static void plan_algorithm(struct timed *e, struct plan *plan, enum collective_op op, const char *text,
                           struct place place)
{
    e->status = algorithm_parse(text, op, place, &plan->algorithm, &plan->segment, e->diags);
    plan->has_algorithm = e->status == STATUS_OK;
}

static void plan_formula(struct timed *e, struct plan *plan, const struct machine_collective *entry)
{
    struct collectives *c = e->collectives;
    if (!c->formulas)
        c->formulas = formulas_create(e->program, e->setup->machine, e->setup->stop);
    e->status = formulas_find(c->formulas, entry, &plan->formula, e->diags);
    plan->has_formula = e->status == STATUS_OK;
}

/* As the machine file's entry says: its model, else its algorithm, else its measured times. */
static void plan_entry(struct timed *e, struct plan *plan, enum collective_op op,
                       const struct machine_collective *entry)
{
    bool names_measured = entry->model && strcmp(entry->model, "measured") == 0;
    if (entry->algorithm)
        plan_algorithm(e, plan, op, entry->algorithm, place_of_file(e->setup->machine->path));
    if (names_measured || (!entry->model && !entry->algorithm))
        plan->measured = entry;
    else if (entry->model && e->status == STATUS_OK)
        plan_formula(e, plan, entry);
}

static void plan_find(struct timed *e, struct plan *plan, const struct collective_ref *ref)
{
    const struct machine_collective *entry = collective_time_find(
        e->setup->machine, collective_op_name(ref->op), collective_op_name(blocking_form(ref->op)));
    if (ref->algorithm)
        plan_algorithm(e, plan, ref->op, ref->algorithm, e->program->sites[ref->site].at);
    else if (entry)
        plan_entry(e, plan, ref->op, entry);
    if (e->status != STATUS_OK)
        return;
    plan->known = true;
    if (!ref->shares)
        return;
    int32_t n = e->program->comms[ref->comm].n;
    plan->sums = alloc_array((size_t)n + 1, sizeof *plan->sums);
    plan->sums[0] = 0;
    for (int32_t i = 0; i < n; i++)
        plan->sums[i + 1] = plan->sums[i] + ref->shares[i];
}

static bool has_shares(enum collective_op op)
{
    return op == COLLECTIVE_MPI_Scatterv || op == COLLECTIVE_MPI_Gatherv || op == COLLECTIVE_MPI_Allgatherv ||
           op == COLLECTIVE_MPI_Alltoallv;
}

/* Shares that only the run knows. */
static bool shares_compute(struct timed *e, struct collective_call *call, const struct instr *instr)
{
    int32_t n = call->schedule.size;
    call->own_sums = alloc_array((size_t)n + 1, sizeof *call->own_sums);
    call->own_sums[0] = 0;
    for (int32_t rank = 0; rank < n; rank++) {
        int64_t bytes;
        struct problem problem;
        if (!operand_share(e->program, instr, rank, e->processes[call->process].slots, &bytes, &problem)) {
            timed_fail(e, call->process, &problem);
            return false;
        }
        call->own_sums[rank + 1] = call->own_sums[rank] + bytes;
    }
    call->schedule.sums = call->own_sums;
    return true;
}

/* ---- entering ---- */

static bool disagrees(struct timed *e, const struct instance *instance, const struct collective_call *call)
{
    const struct collective_ref *a = instance->ref, *b = call->ref;
    struct problem problem = {.status = STATUS_RANGE, .site = b->site};
    if (a->op != b->op)
        snprintf(problem.text, sizeof problem.text,
                 "process %d calls %s here: all processes of a communicator call the same", instance->first,
                 collective_op_name(a->op));
    else if ((is_one_to_all(blocking_form(a->op)) || is_all_to_one(a->op)) && instance->root != call->schedule.root)
        snprintf(problem.text, sizeof problem.text, "the root is %d, in process %d it is %d", call->schedule.root,
                 instance->first, instance->root);
    else
        return false;
    timed_fail(e, call->process, &problem);
    return true;
}

/* Notes the call in its instance; NONE where it does not agree with the others. */
static int32_t instance_enter(struct timed *e, struct collective_call *call)
{
    struct collectives *c = e->collectives;
    struct communicator *comm = &c->comms[call->ref->comm];
    int64_t number = comm->n_called[call->schedule.rank]++;
    call->tag = (int32_t)((uint32_t)number | (uint32_t)1 << 31);
    int32_t i = comm->oldest;
    for (int64_t at = comm->oldest_number; i != NONE && at < number; at++)
        i = c->instances[i].next;
    if (i == NONE) {
        i = instance_take(c);
        struct instance *fresh = &c->instances[i];
        *fresh = (struct instance){.ref = call->ref,
                                   .latest = -INFINITY,
                                   .root_entry = NAN,
                                   .first_waiting = NONE,
                                   .root = call->schedule.root,
                                   .first = call->process,
                                   .next = NONE,
                                   .times = fresh->times,
                                   .times_capacity = fresh->times_capacity};
        if (comm->newest == NONE)
            comm->oldest = i;
        else
            c->instances[comm->newest].next = i;
        comm->newest = i;
    }
    struct instance *instance = &c->instances[i];
    if (disagrees(e, instance, call))
        return NONE;
    instance->n_entered++;
    instance->latest = rule_latest(call->entered, instance->latest);
    if (call->schedule.rank == call->schedule.root)
        instance->root_entry = call->entered;
    return i;
}

/* Instances that all have entered, and nobody waits for, are over. */
static void instances_clear(struct collectives *c, struct communicator *comm, int32_t n)
{
    while (comm->oldest != NONE && c->instances[comm->oldest].n_entered == n &&
           c->instances[comm->oldest].first_waiting == NONE) {
        int32_t old = comm->oldest;
        comm->oldest = c->instances[old].next;
        comm->oldest_number++;
        if (comm->oldest == NONE)
            comm->newest = NONE;
        c->instances[old].next = c->free_instance;
        c->free_instance = old;
    }
}

/* ---- the call ---- */

static bool schedule_fill(struct timed *e, struct collective_call *call, const struct instr *instr, struct plan *plan)
{
    struct schedule *s = &call->schedule;
    const struct timed_process *p = &e->processes[call->process];
    struct problem problem;
    s->op = blocking_form(call->ref->op);
    s->size = e->program->comms[call->ref->comm].n;
    s->rank = program_comm_rank(e->program, call->ref->comm, call->process);
    if (!operand_collective(e->program, instr, call->process, p->slots, &s->root, &s->bytes, &problem)) {
        timed_fail(e, call->process, &problem);
        return false;
    }
    s->sums = plan->sums;
    if (has_shares(s->op) && !plan->sums && call->ref->bytes_expr >= 0 && !shares_compute(e, call, instr))
        return false;
    int64_t mean = s->sums ? s->sums[s->size] / s->size : s->bytes;
    s->algorithm = plan->algorithm;
    s->segment = plan->segment;
    if (!plan->has_algorithm)
        s->algorithm = algorithm_select(e->setup->library, s->op, s->size, mean, &s->segment);
    return true;
}

bool timed_call_collective(struct timed *e, int32_t process, const struct instr *instr)
{
    struct collectives *c = e->collectives;
    struct timed_process *p = &e->processes[process];
    const struct collective_ref *ref = &e->program->collectives[instr->index];
    struct plan *plan = &c->plans[instr->index];
    int64_t index = 0;
    if (!plan->known)
        plan_find(e, plan, ref);
    int32_t i = call_take(c);
    struct collective_call *call = &c->calls[i];
    *call = (struct collective_call){.ref = ref, .process = process, .operation = NONE, .entered = p->clock,
                                     .instance = NONE};
    if (e->status != STATUS_OK || !schedule_fill(e, call, instr, plan))
        return false;
    if (instr->n_requests > 0 && !timed_request_read(e, process, instr, 0, &index))
        return false;
    int32_t instance = instance_enter(e, call);
    if (instance == NONE)
        return false;
    if (instr->n_requests > 0) {
        call->operation = timed_operation_new(e, process, OPERATION_COLLECTIVE, instr->site);
        operation_open(e, call->operation, e->program->requests[instr->first_request].name, index);
    }
    bool on = true;
    if (whole_serves(e, plan, &call->schedule)) {
        call->instance = instance;
        p->pc += instr->n_requests > 0;
        on = whole_enter(e, i);
    } else {
        if (instr->n_requests > 0)
            e->operations[call->operation].call = i;
        p->collective = i;
    }
    instances_clear(c, &c->comms[ref->comm], call->schedule.size);
    return on && e->status == STATUS_OK;
}
