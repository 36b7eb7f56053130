#include "executor/executor_impl.h"

#include "common/alloc.h"
#include "directives/tree.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* What a receive offers where the run computes sizes, and what is attached for Bsend: address space, bytes. */
static const int64_t UNKNOWN_BYTES = INT64_C(1) << 30;
static const int BSEND_BYTES = 1 << 30;

bool executor_fail(struct executor *x, const struct problem *problem)
{
    if (x->status == STATUS_OK) {
        x->status = problem->status;
        program_report(x->program, problem->site, x->process, problem->text, x->diags);
    }
    return false;
}

/* ---- creation ---- */

static bool is_send(const struct instr *instr)
{
    return instr->op == INSTR_SEND || instr->op == INSTR_BSEND || instr->op == INSTR_SSEND ||
           instr->op == INSTR_ISEND || instr->op == INSTR_ISSEND;
}

/* The longest message that a role sends; UNKNOWN_BYTES at least where the run computes one. */
static int64_t longest_sent(const struct role *role)
{
    int64_t longest = 0;
    for (int32_t i = 0; i < role->n_code; i++) {
        const struct instr *instr = &role->code[i];
        int64_t bytes = !is_send(instr) ? 0 : instr->dynamic & DYNAMIC_BYTES ? UNKNOWN_BYTES : instr->bytes;
        longest = bytes > longest ? bytes : longest;
    }
    return longest;
}

/* Memory is made ready before the run, as far as it is known what the run will need. */
static void buffers_prepare(struct executor *x)
{
    int64_t longest = 0, sent = 0;
    for (int32_t i = 0; i < x->program->n_roles; i++) {
        int64_t bytes = longest_sent(&x->program->roles[i]);
        longest = bytes > longest ? bytes : longest;
    }
    x->receive_bytes = longest < INT_MAX ? longest : INT_MAX;
    buffer_taken(&x->receive, x->receive_bytes);
    buffer_touched(&x->receive, x->receive_bytes < UNKNOWN_BYTES ? x->receive_bytes : 0);
    for (int32_t i = 0; i < x->role->n_code; i++) {
        const struct instr *instr = &x->role->code[i];
        const bool known = !(instr->dynamic & DYNAMIC_BYTES) && instr->bytes <= INT_MAX;
        if ((is_send(instr) || instr->op == INSTR_REMOTE_PUT) && known && instr->bytes > sent)
            sent = instr->bytes;
        if (instr->op == INSTR_REMOTE_GET && known)
            buffer_touched(&x->receive, instr->bytes);
        if (instr->op == INSTR_COLLECTIVE)
            collective_prepare(x, instr);
        if (instr->op == INSTR_BSEND && !x->bsend) {
            x->bsend = alloc_space((size_t)BSEND_BYTES);
            MPI_Buffer_attach(x->bsend, BSEND_BYTES);
        }
    }
    buffer_touched(&x->send, sent);
}

/* Which communicators some process uses. */
static bool *comms_used(const struct program *program)
{
    bool *used = alloc_zeroed((size_t)program->n_comms, sizeof *used);
    used[0] = true;
    for (int32_t r = 0; r < program->n_roles; r++)
        for (int32_t i = 0; i < program->roles[r].n_code; i++)
            used[program->roles[r].code[i].comm] = true;
    return used;
}

/* The same processes with their neighbours, in place of *comm. Ranks stay: they are those of the program already. */
static void neighbours_add(const struct topology *t, MPI_Comm *comm)
{
    MPI_Comm plain = *comm;
    int *volatile unweighted = MPI_UNWEIGHTED; /* an address that is none: gcc warns where it sees which */
    int rank;
    if (!t)
        return;
    MPI_Comm_rank(plain, &rank);
    if (t->n_dims > 0)
        MPI_Cart_create(plain, t->n_dims, t->dims, t->periodic, 0, comm);
    else
        MPI_Dist_graph_create_adjacent(plain, t->first_in[rank + 1] - t->first_in[rank], t->in + t->first_in[rank],
                                       unweighted, t->first_out[rank + 1] - t->first_out[rank],
                                       t->out + t->first_out[rank], unweighted, MPI_INFO_NULL, 0, comm);
    MPI_Comm_free(&plain);
}

/* The most processes that a collective names: all, or the neighbours of one. */
static size_t partners_most(const struct program *program)
{
    int32_t most = program->numprocs;
    for (int32_t c = 0; c < program->n_comms; c++) {
        const struct topology *t = program->comms[c].topology;
        for (int32_t rank = 0; t && rank < program->comms[c].n; rank++) {
            const int32_t in = t->first_in[rank + 1] - t->first_in[rank];
            const int32_t out = t->first_out[rank + 1] - t->first_out[rank];
            most = in > most ? in : most;
            most = out > most ? out : most;
        }
    }
    return (size_t)most;
}

/* All members make them in the same order, so nobody waits for one who waits for another. */
static void comms_create(struct executor *x)
{
    const struct program *program = x->program;
    bool *used = comms_used(program);
    MPI_Group world;
    x->comms = alloc_array((size_t)program->n_comms, sizeof *x->comms);
    MPI_Comm_dup(x->setup.comm, &x->comms[0]);
    MPI_Comm_group(x->comms[0], &world);
    for (int32_t c = 1; c < program->n_comms; c++) {
        MPI_Group group;
        x->comms[c] = MPI_COMM_NULL;
        if (!used[c] || program_comm_rank(program, c, x->process) < 0)
            continue;
        MPI_Group_incl(world, program->comms[c].n, program->comms[c].members, &group);
        MPI_Comm_create_group(x->comms[0], group, 0, &x->comms[c]);
        MPI_Group_free(&group);
        neighbours_add(program->comms[c].topology, &x->comms[c]);
    }
    MPI_Group_free(&world);
    free(used);
}

/* MPI libraries connect two processes when they first talk. */
static void connect(const struct executor *x)
{
    int n = x->program->numprocs;
    for (int distance = 1; distance < n; distance++)
        MPI_Sendrecv(NULL, 0, MPI_BYTE, (x->process + distance) % n, 0, NULL, 0, MPI_BYTE,
                     (x->process + n - distance) % n, 0, x->comms[0], MPI_STATUS_IGNORE);
}

static int tag_most_find(MPI_Comm comm)
{
    int *most, found;
    MPI_Comm_get_attr(comm, MPI_TAG_UB, &most, &found);
    return found ? *most : 32767; /* what the standard promises */
}

enum status executor_create(struct executor **executor, const struct executor_setup *setup, struct diags *diags)
{
    struct executor *x = *executor = alloc_zeroed(1, sizeof *x);
    const struct program *program = setup->program;
    size_t numprocs = (size_t)program->numprocs, n_sites = (size_t)program->n_sites;
    x->setup = *setup;
    x->program = program;
    x->where = EXECUTOR_ENDED;
    MPI_Comm_rank(setup->comm, &x->process);
    x->tag_most = tag_most_find(setup->comm);
    x->role = &program->roles[program->role_of[x->process]];
    x->ready = alloc_zeroed(n_sites, sizeof *x->ready);
    x->accumulates = alloc_zeroed(n_sites, sizeof *x->accumulates);
    for (size_t i = 0; i < n_sites; i++) {
        x->ready[i] = strcmp(program->sites[i].what, message_op_name(MESSAGE_MPI_Rsend)) == 0;
        x->accumulates[i] = strcmp(program->sites[i].what, message_op_name(MESSAGE_MPI_Accumulate)) == 0;
    }
    int **arrays[] = {&x->counts, &x->offsets, &x->receive_counts, &x->receive_offsets};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        *arrays[i] = alloc_zeroed(numprocs, sizeof **arrays[i]);
    const size_t n_types = partners_most(program);
    x->types = alloc_array(n_types, sizeof *x->types);
    for (size_t i = 0; i < n_types; i++)
        x->types[i] = MPI_BYTE;
    x->slots_bytes = (size_t)x->role->n_slots * sizeof *x->slots;
    x->slots = alloc_zeroed((size_t)x->role->n_slots, sizeof *x->slots);
    x->spent = setup->profile ? alloc_zeroed(n_sites, sizeof *x->spent) : NULL;
    x->regions = alloc_zeroed(program->tree->n_regions, sizeof *x->regions);
    x->verifier = setup->verify ? verifier_create(program, x->process) : NULL;
    price_book_init(&x->book, NULL, NULL);
    x->computations = (struct computations){.program = program, .machine = setup->machine, .book = &x->book,
                                            .mode = MODE_distribution, .seed = setup->seed};
    variability_init(&x->computations.variability, setup->machine, MODE_distribution);
    computations_prepare(&x->computations, x->process);
    comms_create(x);
    buffers_prepare(x);
    work_init(&x->work, &setup->work);
    x->diags = diags;
    if (!executor_windows_create(x, UNKNOWN_BYTES))
        return x->status;
    connect(x);
    MPI_Barrier(x->comms[0]);
    return STATUS_OK;
}

void executor_destroy(struct executor *x)
{
    if (x->bsend) {
        int bytes;
        void *detached;
        MPI_Buffer_detach(&detached, &bytes);
        alloc_space_free(x->bsend, (size_t)BSEND_BYTES);
    }
    executor_windows_free(x);
    for (int32_t c = 0; c < x->program->n_comms; c++)
        if (x->comms[c] != MPI_COMM_NULL)
            MPI_Comm_free(&x->comms[c]);
    requests_free(&x->requests);
    free(x->held);
    buffer_free(&x->send);
    buffer_free(&x->receive);
    work_free(&x->work);
    variability_free(&x->computations.variability);
    price_book_free(&x->book);
    verifier_destroy(x->verifier);
    free(x->comms);
    free(x->ready);
    free(x->accumulates);
    free(x->counts);
    free(x->offsets);
    free(x->receive_counts);
    free(x->receive_offsets);
    free(x->types);
    free(x->slots);
    free(x->spent);
    free(x->regions);
    free(x);
}

/* ---- steps that are no calls; each returns whether the process goes on ---- */

static bool step_compute(struct executor *x, const struct instr *instr)
{
    const double begun = work_now();
    double seconds;
    struct problem problem;
    if (!computing_next(&x->computations, &x->computing, instr, x->slots, &seconds, &problem))
        return executor_fail(x, &problem);
    if (x->requests.n == 0 && x->program->tree->n_windows == 0)
        buffer_write(&x->send); /* a computation makes what is sent behind it */
    work_do(&x->work, begun, seconds);
    x->pc++;
    return true;
}

static bool step_loop(struct executor *x, const struct instr *instr)
{
    int64_t iterations, from;
    struct problem problem;
    if (!operand_loop(x->program, instr, x->process, x->slots, &iterations, &from, &problem))
        return executor_fail(x, &problem);
    x->slots[instr->slot] = value_int(iterations);
    if (instr->has_variable)
        x->slots[instr->slot + 1] = value_int(from);
    x->pc = iterations > 0 ? x->pc + 1 : instr->target;
    return true;
}

static bool step_next(struct executor *x, const struct instr *instr)
{
    x->pc = program_loop_again(instr, x->slots) ? instr->target : x->pc + 1;
    return true;
}

static bool step_expression(struct executor *x, const struct instr *instr)
{
    struct value value;
    struct problem problem;
    if (!operand_value(x->program, instr, x->process, x->slots, &value, &problem))
        return executor_fail(x, &problem);
    if (instr->op == INSTR_SET)
        x->slots[instr->slot] = value;
    x->pc = instr->op == INSTR_BRANCH && !value_is_true(value) ? instr->target : x->pc + 1;
    return true;
}

static bool step_put(struct executor *x, const struct instr *instr)
{
    struct problem problem;
    if (!operand_put(x->program, instr, x->process, x->slots, &problem))
        return executor_fail(x, &problem);
    x->pc++;
    return true;
}

static bool step_fail(struct executor *x, const struct instr *instr)
{
    const struct failure *failure = &x->program->failures[instr->index];
    x->status = failure->status;
    program_report(x->program, failure->site, x->process, failure->text, x->diags);
    return false;
}

/* ---- the walk ---- */

/* An MPI_Sendrecv's first instruction. */
static bool begins_sendrecv(const struct executor *x, const struct instr *instr)
{
    return instr->n_requests == 1 && x->program->requests[instr->first_request].name < 0;
}

static bool step_call(struct executor *x, const struct instr *instr)
{
    switch ((enum instr_op)instr->op) {
    case INSTR_ISEND:
    case INSTR_IRECV:
        if (begins_sendrecv(x, instr))
            return executor_sendrecv(x, instr);
        x->pc++;
        return instr->op == INSTR_ISEND ? executor_send(x, instr) : executor_receive(x, instr);
    case INSTR_SEND:
    case INSTR_BSEND:
    case INSTR_SSEND:
    case INSTR_ISSEND:
        x->pc++;
        return executor_send(x, instr);
    case INSTR_RECV:
        x->pc++;
        return executor_receive(x, instr);
    case INSTR_WAIT:
    case INSTR_WAITALL:
    case INSTR_WAITANY:
    case INSTR_WAITSOME:
        x->pc++;
        return executor_wait(x, instr);
    case INSTR_TEST:
    case INSTR_TESTALL:
    case INSTR_TESTANY:
    case INSTR_TESTSOME:
        x->pc++;
        return executor_test(x, instr);
    case INSTR_PROBE:
    case INSTR_IPROBE:
        x->pc++;
        return executor_probe(x, instr);
    case INSTR_COLLECTIVE:
        x->pc++;
        return executor_collective(x, instr);
    case INSTR_REMOTE_PUT:
    case INSTR_REMOTE_GET:
    case INSTR_LOCK:
    case INSTR_UNLOCK:
    case INSTR_FLUSH:
        return executor_remote(x, instr);
    case INSTR_DELIVER:
        return executor_fence(x, instr);
    case INSTR_SETTLE: /* what is before it has waited */
        x->pc++;
        return true;
    default:
        assert(false && "an instruction that does not exist");
        return false;
    }
}

/* A call or a computation, timed where that is asked for. */
static bool step_timed(struct executor *x, const struct instr *instr)
{
    bool computes = instr->op == INSTR_SERIAL || instr->op == INSTR_SAMPLE;
    double begin = x->spent ? work_now() : 0;
    x->where = computes ? EXECUTOR_COMPUTES : instr->site;
    bool on = computes ? step_compute(x, instr) : step_call(x, instr);
    x->where = EXECUTOR_COMPUTES;
    if (x->spent)
        x->spent[instr->site] += work_now() - begin;
    return on;
}

static bool step(struct executor *x)
{
    const struct instr *instr = &x->role->code[x->pc];
    switch ((enum instr_op)instr->op) {
    case INSTR_LOOP:
        return step_loop(x, instr);
    case INSTR_NEXT:
        return step_next(x, instr);
    case INSTR_BRANCH:
    case INSTR_SET:
        return step_expression(x, instr);
    case INSTR_JUMP:
        x->pc = instr->target;
        return true;
    case INSTR_PUT:
        return step_put(x, instr);
    case INSTR_ENTER:
    case INSTR_LEAVE:
        region_step(&x->regions[instr->index], instr, work_now());
        x->pc++;
        return true;
    case INSTR_FAIL:
        return step_fail(x, instr);
    case INSTR_END:
        return false;
    default:
        return step_timed(x, instr);
    }
}

enum status executor_run(struct executor *x, uint32_t replication, struct diags *diags)
{
    x->replication = replication;
    x->pc = 0;
    x->where = EXECUTOR_COMPUTES;
    x->n_sent = x->n_received = 0;
    x->n_held = 0;
    x->status = STATUS_OK;
    x->diags = diags;
    if (x->slots_bytes > 0)
        memcpy(x->slots, x->role->initial, x->slots_bytes);
    for (size_t r = 0; r < x->program->tree->n_regions; r++)
        x->regions[r] = (struct region_clock){0};
    if (x->verifier)
        verifier_reset(x->verifier);
    if (x->remote_verifier)
        remote_verifier_reset(x->remote_verifier, replication);
    work_begin(&x->work);
    computing_begin(&x->computations, &x->computing, replication, x->process);
    while (step(x))
        continue;
    x->where = EXECUTOR_ENDED;
    return x->status;
}

double executor_region(const struct executor *x, size_t r)
{
    return x->regions[r].seconds;
}

const double *executor_profile(const struct executor *x)
{
    return x->spent;
}

int32_t executor_where(const struct executor *x)
{
    return x->where;
}

int32_t executor_algorithm_site(const struct program *program)
{
    for (int32_t i = 0; i < program->n_collectives; i++)
        if (program->collectives[i].algorithm)
            return program->collectives[i].site;
    return -1;
}
