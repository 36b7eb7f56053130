/* reference.c - the virtual parallel machine, one replication at a time: the plain version that tests trust.
 *
 * The rules are those of docs/ARCHITECTURE.md; lanes.c must give the same bits. */
#include "engine/reference/reference_impl.h"

#include "engine/deadlock.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void reference_fail(struct reference *ref, int process, const struct problem *problem)
{
    if (ref->status != STATUS_OK)
        return;
    ref->status = problem->status;
    program_report(ref->program, problem->site, process, problem->text, ref->diags);
}

int *reference_board(struct reference *ref, const struct transfer *m)
{
    return &ref->on_board[engine_board(ref->setup, m->transport, engine_seat(ref->program, m->from))];
}

enum transport reference_transport(const struct reference *ref, int from, int to)
{
    return transport_between(engine_seat(ref->program, from), engine_seat(ref->program, to));
}

double reference_draw(const struct reference *ref, const struct quantile *q, int process, uint64_t draw,
                      enum stream stream)
{
    return random_draw(q, ref->setup->seed, ref->replication, (uint32_t)process, draw, stream);
}

double reference_send_overhead(struct reference *ref, const struct transfer *m)
{
    const struct quantile *q = price_overhead(&ref->book, m->price, SIDE_SEND);
    return reference_draw(ref, q, m->from, m->number, rule_overhead_stream(SIDE_SEND, m->transport));
}

struct channel *reference_channel(struct reference *ref, int from, int to)
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
                              .started = -INFINITY,
                              .next = ref->channels[to]};
        ref->channels[to] = c;
    }
    return c;
}

void reference_leave(struct reference *ref, struct process *p, double left)
{
    ref->inversion |= left < p->until;
    p->entered[p->n_calls % RULE_HISTORY] = p->clock;
    p->left[p->n_calls % RULE_HISTORY] = left;
    p->n_calls++;
    p->clock = left;
}

static bool request_ready(const struct open_request *request)
{
    if (!request->receive)
        return request->started;
    return request->receive->message && request->receive->message->arrived;
}

bool reference_wait_ready(const struct process *p)
{
    for (const struct open_request *request = p->requests; request; request = request->next)
        if (request->waited && !request_ready(request))
            return false;
    return true;
}

/* ---- the sweep ---- */

/* Reading the clock takes longer than a step. */
enum { STEPS_PER_CLOCK = 1 << 12 };

static void slow_find(struct reference *ref)
{
    for (int process = 0; process < ref->program->numprocs; process++) {
        const struct process *p = &ref->processes[process];
        if (p->state != ENDED)
            slow_process(&ref->slow, ref->program, process, p->pc, p->slots);
    }
    slow_tell(&ref->slow);
}

static bool stop_asked(struct reference *ref)
{
    if (++ref->steps % STEPS_PER_CLOCK == 0 && slow_is_due(&ref->slow))
        slow_find(ref);
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
        } while (ref->status == STATUS_OK && reference_step(&s));
    }
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
    memset(ref->level_most, 0, sizeof ref->level_most);
    ref->on_board = arena_alloc(&ref->memory, engine_boards(program), sizeof *ref->on_board);
    largest_clear(ref->largest);
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
        p->until = -INFINITY;
        p->slots = arena_alloc(&ref->memory, (size_t)role->n_slots, sizeof *p->slots);
        p->regions = arena_alloc(&ref->memory, program->tree->n_regions, sizeof *p->regions);
        computing_begin(&ref->computations, &p->computing, replication, (int)i);
        for (int32_t slot = 0; slot < role->n_slots; slot++)
            p->slots[slot] = role->initial[slot];
        ref->out[i] = ref->in[i] = (struct port){-INFINITY, -INFINITY, inlet_idle(), -1, 0};
    }
}

static void reference_play(struct reference *ref)
{
    while (ref->status == STATUS_OK) {
        sweep(ref);
        if (ref->status != STATUS_OK)
            return;
        reference_start(ref, false);
        if (ref->fresh)
            reference_sample(ref);
        if (count_state(ref, RUNNABLE) > 0)
            continue;
        if (reference_start(ref, true))
            reference_sample(ref);
        else if (count_state(ref, ENDED) == ref->program->numprocs)
            return;
        else if (!throttles_lift(ref))
            deadlock(ref);
    }
}

static void regions_tell(struct reference *ref)
{
    if (region_numbers(ref->program) == 0)
        return;
    memset(ref->region_times, 0, region_numbers(ref->program) * sizeof *ref->region_times);
    for (int process = 0; process < ref->program->numprocs; process++)
        for (size_t r = 0; r < ref->program->tree->n_regions; r++)
            region_tell(ref->program, r, ref->processes[process].regions[r].seconds, ref->region_times);
}

const double *reference_regions(const struct reference *ref)
{
    return ref->region_times;
}

enum status reference_run(struct reference *ref, uint32_t replication, struct outcome *outcome,
                          struct engine_totals *totals, struct diags *diags)
{
    reference_reset(ref, replication, diags);
    slow_begin(&ref->slow, ref->setup);
    reference_play(ref);
    *outcome = (struct outcome){.inversion = ref->inversion};
    struct engine_totals sums = {0};
    for (size_t board = 0; board < engine_boards(ref->program); board++)
        sums.unreceived += (uint64_t)ref->on_board[board];
    memcpy(sums.level_most, ref->level_most, sizeof sums.level_most);
    memcpy(sums.largest, ref->largest, sizeof sums.largest);
    for (int process = 0; process < ref->program->numprocs; process++) {
        const struct process *p = &ref->processes[process];
        outcome->time = rule_latest(p->clock, outcome->time);
        outcome->serial += p->serial;
        outcome->serial += p->sampled_serial;
        sums.messages += p->n_sent;
    }
    regions_tell(ref);
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
    price_book_init(&ref->book, setup->model, setup->beyond);
    ref->computations = (struct computations){.program = setup->program, .machine = setup->machine, .book = &ref->book,
                                              .mode = setup->mode, .seed = setup->seed};
    variability_init(&ref->computations.variability, setup->machine, setup->mode);
    ref->region_times = alloc_zeroed(region_numbers(setup->program), sizeof *ref->region_times);
    return ref;
}

void reference_destroy(struct reference *ref)
{
    if (!ref)
        return;
    price_book_free(&ref->book);
    variability_free(&ref->computations.variability);
    free(ref->region_times);
    free(ref);
}
