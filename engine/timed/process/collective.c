/* Collective operations in the time-ordered engine: which way a directive is costed, and the call. */
#include "engine/timed/process/collective_impl.h"

#include "engine/timed/process/post.h"
#include "engine/timed/timed.h"

#include "collectives/selection.h"
#include "models/collective_time.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- sizes ---- */

static struct sizes *sizes_hold(struct sizes *sizes)
{
    if (sizes)
        sizes->users++;
    return sizes;
}

static void sizes_release(struct sizes *sizes)
{
    if (!sizes || --sizes->users > 0)
        return;
    free(sizes->sums);
    free(sizes->pairs);
    free(sizes);
}

/* Are there sizes for each pair, or for each neighbour? */
static bool has_pairs(const struct collective_ref *ref)
{
    return ref->over_partner && collective_op_sizes(ref->op) != SIZES_root;
}

/* Held once; the sums are not filled. */
static struct sizes *sizes_make(const struct program *program, const struct collective_ref *ref)
{
    struct sizes *sizes = alloc_zeroed(1, sizeof *sizes);
    sizes->users = 1;
    sizes->sums = alloc_zeroed((size_t)program->comms[ref->comm].n + 1, sizeof *sizes->sums);
    if (has_pairs(ref))
        sizes->pairs = alloc_array(program_rows(program, ref->op, ref->comm), sizeof *sizes->pairs);
    return sizes;
}

/* The sums of shares [n], or of the pairs. */
static void sizes_add_up(struct sizes *sizes, const struct program *program, const struct collective_ref *ref,
                         const int64_t *shares)
{
    for (int32_t rank = 0; rank < program->comms[ref->comm].n; rank++) {
        int64_t share = sizes->pairs ? 0 : shares[rank];
        const struct program_row row = program_row(program, ref->op, ref->comm, rank);
        for (int32_t i = 0; i < row.n && sizes->pairs; i++)
            share += sizes->pairs[row.first + (size_t)i];
        sizes->sums[rank + 1] = sizes->sums[rank] + share;
    }
}

/* What is known before the run; NULL where all shares are equal. */
static struct sizes *sizes_known(const struct program *program, const struct collective_ref *ref)
{
    bool equal = !ref->pairs;
    for (int32_t i = 1; i < program->comms[ref->comm].n && equal && ref->shares; i++)
        equal = ref->shares[i] == ref->shares[0];
    if (equal)
        return NULL;
    struct sizes *sizes = sizes_make(program, ref);
    if (ref->pairs)
        memcpy(sizes->pairs, ref->pairs, program_rows(program, ref->op, ref->comm) * sizeof *ref->pairs);
    sizes_add_up(sizes, program, ref, ref->shares);
    return sizes;
}

/* Whose size it is that a process computes for the partner: of a Scatterv over `partner` the root's. */
static int32_t size_giver(const struct collective_call *call, int32_t rank)
{
    return call->ref->over_partner && !has_pairs(call->ref) ? call->schedule.root : rank;
}

static bool size_compute(struct timed *e, const struct collective_call *call, const struct instr *instr, int32_t rank,
                         int32_t partner, int64_t *bytes)
{
    struct problem problem;
    if (operand_share(e->program, instr, size_giver(call, rank), partner, e->processes[call->process].slots, bytes,
                      &problem))
        return true;
    timed_fail(e, call->process, &problem);
    return false;
}

/* One rank's sizes, to each partner or neighbour. */
static bool row_compute(struct timed *e, const struct collective_call *call, const struct instr *instr, int32_t rank,
                        struct sizes *sizes)
{
    const struct collective_ref *ref = call->ref;
    const struct program_row row = program_row(e->program, ref->op, ref->comm, rank);
    for (int32_t i = 0; i < row.n; i++) {
        int64_t *bytes = &sizes->pairs[row.first + (size_t)i];
        *bytes = 0;
        if (program_row_partner(e->program, ref->op, ref->comm, rank, i) >= 0 &&
            !size_compute(e, call, instr, rank, i, bytes))
            return false;
    }
    return true;
}

/* Sizes that only the run knows, as this process computes them; NULL after a failure. */
static struct sizes *sizes_compute(struct timed *e, const struct collective_call *call, const struct instr *instr)
{
    const int32_t n = call->schedule.size;
    struct sizes *sizes = sizes_make(e->program, call->ref);
    int64_t *shares = alloc_array((size_t)n, sizeof *shares);
    bool fine = true;
    for (int32_t rank = 0; rank < n && fine; rank++)
        fine = sizes->pairs ? row_compute(e, call, instr, rank, sizes)
                            : size_compute(e, call, instr, rank, rank, &shares[rank]);
    if (fine)
        sizes_add_up(sizes, e->program, call->ref, shares);
    free(shares);
    if (fine)
        return sizes;
    sizes_release(sizes);
    return NULL;
}

/* Is what the process that came first has computed for this one what this one says itself? */
static bool sizes_agree(struct timed *e, const struct collective_call *call, const struct instr *instr,
                        const struct instance *instance)
{
    const struct sizes *sizes = instance->sizes;
    const struct collective_ref *ref = call->ref;
    const int32_t rank = call->schedule.rank;
    const struct program_row row = program_row(e->program, ref->op, ref->comm, rank);
    const bool over = ref->over_partner;
    if (over && !sizes->pairs && rank != call->schedule.root)
        return true;
    for (int32_t to = over ? 0 : rank; to < (over ? row.n : rank + 1); to++) {
        int64_t own;
        int64_t said = sizes->pairs ? sizes->pairs[row.first + (size_t)to] : sizes->sums[to + 1] - sizes->sums[to];
        if (over && program_row_partner(e->program, ref->op, ref->comm, rank, to) < 0)
            continue;
        if (!size_compute(e, call, instr, rank, to, &own))
            return false;
        if (own == said)
            continue;
        struct problem problem = {.status = STATUS_RANGE, .site = call->ref->site};
        snprintf(problem.text, sizeof problem.text,
                 "`size` is %lld bytes here, and %lld as process %d computes it for this one: all must reach the same "
                 "directive with the same variables", (long long)own, (long long)said, instance->first);
        timed_fail(e, call->process, &problem);
        return false;
    }
    return true;
}

/* ---- decisions ---- */

static struct held_carriage *carriage_hold(struct held_carriage *held)
{
    if (held)
        held->users++;
    return held;
}

static void carriage_release(struct held_carriage *held)
{
    if (!held || --held->users > 0)
        return;
    carriage_free(held->carriage);
    free(held);
}

/* Nodes are the program's, or its processes. */
static const struct coll_seats *seats_of(struct timed *e, int32_t comm)
{
    struct coll_seats *seats = &e->collectives->comms[comm].seats;
    if (seats->node)
        return seats;
    bool per_process = e->setup->decisions->per_process;
    seats->size = e->program->comms[comm].n;
    seats->nodes = per_process ? e->program->numprocs : e->program->nodes;
    seats->node = alloc_array((size_t)seats->size, sizeof *seats->node);
    seats->rank_on = alloc_array((size_t)seats->nodes, sizeof *seats->rank_on);
    for (int32_t rank = 0; rank < seats->size; rank++) {
        int process = program_comm_process(e->program, comm, rank);
        seats->node[rank] = per_process ? process : program_node(e->program, process);
    }
    coll_seats_find(seats);
    return seats;
}

/* Who comes first finds out for all. */
static void decision_find(struct timed *e, struct collective_call *call, struct instance *instance)
{
    const struct coll_table *table = e->setup->decisions;
    if (!table || !carriage_may(table, call->ref->op, call->schedule.size))
        return;
    if (!instance->is_decided) {
        struct carriage *made = carriage_make(table, seats_of(e, call->ref->comm), &call->schedule);
        if (made) {
            instance->held = alloc_zeroed(1, sizeof *instance->held);
            *instance->held = (struct held_carriage){1, made};
        }
        instance->is_decided = true;
    }
    call->held = carriage_hold(instance->held);
}

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

static void call_forget(struct collective_call *call)
{
    sizes_release(call->sizes);
    carriage_release(call->held);
    call->sizes = NULL;
    call->held = NULL;
}

static void instance_forget(struct instance *instance)
{
    sizes_release(instance->sizes);
    carriage_release(instance->held);
    instance->sizes = NULL;
    instance->held = NULL;
}

/* Of what is still under way. */
static void forget_sizes(struct collectives *c)
{
    for (int32_t i = 0; i < c->n_calls; i++)
        call_forget(&c->calls[i]);
    for (int32_t i = 0; i < c->n_instances; i++)
        instance_forget(&c->instances[i]);
}

void collectives_reset(struct collectives *c, const struct program *program)
{
    if (!c)
        return;
    forget_sizes(c);
    c->n_calls = c->n_instances = 0;
    c->free_call = c->free_instance = NONE;
    for (int32_t i = 0; i < program->n_comms; i++) {
        memset(c->comms[i].n_called, 0, (size_t)program->comms[i].n * sizeof *c->comms[i].n_called);
        c->comms[i].last = (struct formula_last){.was = BEFORE_unknown};
        c->comms[i].oldest = c->comms[i].newest = NONE;
        c->comms[i].oldest_number = 0;
    }
}

void collectives_destroy(struct collectives *c, const struct program *program)
{
    if (!c)
        return;
    forget_sizes(c);
    for (int32_t i = 0; i < program->n_collectives; i++)
        sizes_release(c->plans[i].sizes);
    for (int32_t i = 0; i < program->n_comms; i++) {
        free(c->comms[i].n_called);
        free(c->comms[i].seats.node);
        free(c->comms[i].seats.rank_on);
    }
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
    call_forget(&c->calls[call]);
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
        e->setup->machine, collective_op_name(ref->op), collective_op_name(collective_op_like(ref->op)));
    if (ref->algorithm)
        plan_algorithm(e, plan, ref->op, ref->algorithm, e->program->sites[ref->site].at);
    else if (entry)
        plan_entry(e, plan, ref->op, entry);
    if (e->status != STATUS_OK)
        return;
    plan->known = true;
    if (ref->shares || ref->pairs)
        plan->sizes = sizes_known(e->program, ref);
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
    else if ((is_one_to_all(collective_op_like(a->op)) || is_all_to_one(collective_op_like(a->op))) &&
             instance->root != call->schedule.root)
        snprintf(problem.text, sizeof problem.text, "the root is %d, in process %d it is %d", call->schedule.root,
                 instance->first, instance->root);
    else if (collective_op_sizes(a->op) != SIZES_none && !collective_op_has_shares(a->op) &&
             instance->bytes != call->schedule.bytes)
        snprintf(problem.text, sizeof problem.text,
                 "`size` is %lld bytes here and %lld in process %d: it is the same in all processes",
                 (long long)call->schedule.bytes, (long long)instance->bytes, instance->first);
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
                                   .bytes = call->schedule.bytes,
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
        instance_forget(&c->instances[old]);
        comm->oldest = c->instances[old].next;
        comm->oldest_number++;
        if (comm->oldest == NONE)
            comm->newest = NONE;
        c->instances[old].next = c->free_instance;
        c->free_instance = old;
    }
}

/* ---- the call ---- */

/* All but sizes that differ and the algorithm. */
static bool schedule_fill(struct timed *e, struct collective_call *call, const struct instr *instr)
{
    struct schedule *s = &call->schedule;
    const struct timed_process *p = &e->processes[call->process];
    struct problem problem;
    s->op = collective_op_like(call->ref->op);
    s->leaves_empty = call->ref->op == COLLECTIVE_MPI_Alltoallw || call->ref->op == COLLECTIVE_MPI_Ialltoallw;
    s->sends_empty = algorithm_sends_empty(e->setup->library, call->ref->op);
    s->size = e->program->comms[call->ref->comm].n;
    s->rank = program_comm_rank(e->program, call->ref->comm, call->process);
    s->topology = e->program->comms[call->ref->comm].topology;
    if (operand_collective(e->program, instr, call->process, p->slots, &s->root, &s->bytes, &problem))
        return true;
    timed_fail(e, call->process, &problem);
    return false;
}

/* Where only the run knows sizes, who comes first computes them for all, and each says whether its own are right. */
static bool sizes_find(struct timed *e, struct collective_call *call, const struct instr *instr,
                       const struct plan *plan, struct instance *instance)
{
    struct schedule *s = &call->schedule;
    bool computed = collective_op_has_shares(call->ref->op) && call->ref->bytes_expr >= 0;
    if (computed && !instance->sizes)
        instance->sizes = sizes_compute(e, call, instr);
    if (computed && (!instance->sizes || !sizes_agree(e, call, instr, instance)))
        return false;
    call->sizes = sizes_hold(computed ? instance->sizes : plan->sizes);
    if (!call->sizes)
        return true;
    s->sums = call->sizes->sums;
    s->pairs = call->sizes->pairs;
    if (s->pairs) { /* the mean, by which measured times are found */
        const int64_t n_pairs = (int64_t)schedule_n_pairs(s);
        s->bytes = s->sums[s->size] / (n_pairs > 0 ? n_pairs : 1);
    } else if (call->ref->over_partner)
        s->bytes = s->sums[s->rank + 1] - s->sums[s->rank];
    return true;
}

/* What the library carries out goes before everything; what it leaves to the MPI library goes as ever. */
static void algorithm_find(const struct timed *e, struct collective_call *call, const struct plan *plan)
{
    struct schedule *s = &call->schedule;
    s->algorithm = plan->algorithm;
    s->segment = plan->segment;
    if (!plan->has_algorithm)
        s->algorithm = algorithm_select(e->setup->library, call->ref->op, s, &s->segment);
    if (call->held)
        carriage_apply(call->held->carriage, s);
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
    if (e->status != STATUS_OK || !schedule_fill(e, call, instr))
        return false;
    if (instr->n_requests > 0 && !timed_request_read(e, process, instr, 0, &index))
        return false;
    int32_t instance = instance_enter(e, call);
    if (instance == NONE || !sizes_find(e, call, instr, plan, &c->instances[instance]))
        return false;
    decision_find(e, call, &c->instances[instance]);
    algorithm_find(e, call, plan);
    if (instr->n_requests > 0) {
        call->operation = timed_operation_new(e, process, OPERATION_COLLECTIVE, instr->site);
        operation_open(e, call->operation, e->program->requests[instr->first_request].name, index);
    }
    bool on = true;
    if (whole_serves(e, plan, call)) {
        call->instance = instance;
        p->pc += instr->n_requests > 0;
        on = whole_enter(e, i);
    } else {
        if (instr->n_requests > 0) {
            e->operations[call->operation].call = i;
            p->n_under_way++;
        }
        p->collective = i;
    }
    instances_clear(c, &c->comms[ref->comm], call->schedule.size);
    return on && e->status == STATUS_OK;
}
