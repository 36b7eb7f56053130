/* lanes.c - the lanes engine: a batch of replications walks the program together (see lanes_impl.h). */
#include "engine/lanes/lanes_impl.h"

#include "common/alloc.h"
#include "engine/deadlock.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* The lowest runnable rank from `from` on; NONE. Summary words are cleared where their words have become empty. */
static int32_t runnable_next(struct lanes *e, int32_t from)
{
    int32_t word = from >> 6;
    if (word >= e->n_words)
        return NONE;
    uint64_t bits = e->runnable[word] & ~UINT64_C(0) << (from & 63);
    if (bits)
        return word << 6 | __builtin_ctzll(bits);
    word++;
    for (int32_t summary = word >> 6; summary < e->n_summary; summary++) {
        uint64_t words = e->runnable_summary[summary];
        if (summary == word >> 6)
            words &= ~UINT64_C(0) << (word & 63);
        for (; words; words &= words - 1) {
            int32_t w = summary << 6 | __builtin_ctzll(words);
            if (e->runnable[w])
                return w << 6 | __builtin_ctzll(e->runnable[w]);
            e->runnable_summary[summary] &= ~(UINT64_C(1) << (w & 63));
        }
    }
    return NONE;
}

/* Each runnable process in rank order; those that become runnable behind the current one wait for the next sweep. */
static void sweep(struct lanes *e)
{
    for (int32_t p = runnable_next(e, 0); p != NONE; p = runnable_next(e, p + 1)) {
        e->runnable[p >> 6] &= ~(UINT64_C(1) << (p & 63));
        process_run(e, p);
        if (e->status != STATUS_OK)
            return;
    }
}

static bool throttles_lift(struct lanes *e)
{
    bool any = false;
    for (int32_t p = 0; p < e->numprocs; p++) {
        if (e->processes[p].state != LANE_THROTTLED)
            continue;
        e->channels[e->processes[p].waits].limit *= 2;
        e->processes[p].state = LANE_RUNNABLE;
        runnable_set(e, p);
        any = true;
    }
    return any;
}

/* ---- deadlock ---- */

static bool operation_ready(const struct lanes *e, const struct operation *o)
{
    return o->is_send ? o->started : o->transfer != NONE && e->transfers[o->transfer].arrived;
}

static struct blocked blocked_describe(const struct lanes *e, int32_t process)
{
    const struct lane_process *p = &e->processes[process];
    struct blocked b = {.process = process, .site = p->role->code[p->pc].site};
    const struct channel *c;
    if (p->state == LANE_IN_SEND) {
        c = &e->channels[e->transfers[p->waits].channel];
        b.sends = true;
        b.tag = (int32_t)e->transfers[p->waits].context;
    } else {
        int32_t o = p->state == LANE_IN_RECEIVE ? p->waits : p->first_open;
        while (p->state == LANE_IN_WAIT && (!e->operations[o].waited || operation_ready(e, &e->operations[o])))
            o = e->operations[o].next_open;
        c = &e->channels[e->operations[o].channel];
        b.sends = e->operations[o].is_send;
        b.tag = (int32_t)e->operations[o].context;
    }
    b.waits_for = b.sends ? c->to : c->from;
    b.peer_ended = e->processes[b.waits_for].state == LANE_ENDED;
    return b;
}

static void deadlock(struct lanes *e)
{
    int32_t n = 0;
    struct blocked *blocked = alloc_array((size_t)e->numprocs, sizeof *blocked);
    for (int32_t p = 0; p < e->numprocs; p++)
        if (e->processes[p].state != LANE_ENDED)
            blocked[n++] = blocked_describe(e, p);
    e->status = STATUS_DEADLOCK;
    deadlock_report(e->program, n, blocked, e->diags);
    free(blocked);
}

/* ---- one run ---- */

void lanes_slow_find(struct lanes *e)
{
    for (int32_t process = 0; process < e->numprocs; process++) {
        const struct lane_process *p = &e->processes[process];
        if (p->state != LANE_ENDED)
            slow_process(&e->slow, e->program, process, p->pc, p->slots);
    }
    slow_tell(&e->slow);
}

static void lanes_play(struct lanes *e)
{
    while (e->status == STATUS_OK) {
        if (e->setup->stop && *e->setup->stop) {
            e->status = STATUS_INTERRUPTED;
            return;
        }
        if (slow_may_be_due(&e->slow))
            lanes_slow_find(e);
        sweep(e);
        if (e->status != STATUS_OK)
            return;
        if (e->n_pending)
            rendezvous_start_all(e, false);
        if (e->n_fresh)
            board_sample(e);
        if (runnable_next(e, 0) != NONE)
            continue;
        if (e->n_pending && rendezvous_start_all(e, true))
            board_sample(e);
        else if (e->n_ended == e->numprocs)
            return;
        else if (!throttles_lift(e))
            deadlock(e);
    }
}

/* Sums are taken in rank order in every lane, as the reference engine takes them. */
static void outcomes_make(const struct lanes *e, int n, struct outcome outcome[])
{
    for (int l = 0; l < n; l++)
        outcome[l] = (struct outcome){.inversion = e->inverted[l]};
    for (int32_t p = 0; p < e->numprocs; p++) {
        const double *clock = row(e, e->clock, p);
        const double *sampled = e->sampled ? row(e, e->sampled, p) : NULL;
        for (int l = 0; l < n; l++) {
            outcome[l].time = rule_latest(clock[l], outcome[l].time);
            outcome[l].serial += e->serial[p];
            outcome[l].serial += sampled ? sampled[l] : 0;
        }
    }
}

/* Likewise. */
static void regions_tell(struct lanes *e)
{
    const size_t n = e->program->tree->n_regions, numbers = region_numbers(e->program);
    if (numbers == 0)
        return;
    memset(e->region_times, 0, numbers * (size_t)e->width * sizeof *e->region_times);
    for (size_t i = 0; i < n * (size_t)e->numprocs; i++)
        for (size_t l = 0; l < (size_t)e->width; l++)
            region_tell(e->program, i % n, row(e, e->region_seconds, (int64_t)i)[l], &e->region_times[l * numbers]);
}

const double *lanes_regions(const struct lanes *e, int lane)
{
    return e->region_times + (size_t)lane * region_numbers(e->program);
}

static void totals_make(const struct lanes *e, struct engine_totals *totals)
{
    *totals = (struct engine_totals){.messages = e->n_sent};
    for (size_t board = 0; board < engine_boards(e->program); board++)
        totals->unreceived += (uint64_t)e->on_board[board];
    memcpy(totals->level_most, e->level_most, sizeof totals->level_most);
    memcpy(totals->largest, e->largest, sizeof totals->largest);
}

enum status lanes_run(struct lanes *e, uint32_t first, int n, struct outcome outcome[], struct engine_totals *totals,
                      struct diags *diags)
{
    assert(n >= 1 && n <= e->width);
    e->first = first;
    e->status = STATUS_OK;
    e->diags = diags;
    store_reset(e);
    slow_begin(&e->slow, e->setup);
    lanes_play(e);
    outcomes_make(e, n, outcome);
    regions_tell(e);
    if (totals)
        totals_make(e, totals);
    return e->status;
}

/* Whether a send of a role may be to its own process. */
static bool may_be_to_itself(const struct lanes *e, int32_t role, const struct instr *instr)
{
    if (instr->dynamic & DYNAMIC_PEER)
        return true;
    if (instr->peer < 0)
        return false;
    const struct role_peer *peer = &e->program->roles[role].peers[instr->peer];
    return peer->relative ? peer->value == 0 : e->program->role_of[peer->value] == role;
}

/* The smallest of the eager limits that a send of a role may meet. */
static int64_t limit_least(const struct lanes *e, int32_t role, const struct instr *instr)
{
    const int64_t *limit = e->model->eager_limit;
    const bool is_met[N_TRANSPORTS] = {
        [TRANSPORT_network] = e->program->nodes > 1,
        [TRANSPORT_node] = e->program->ppn > 1,
        [TRANSPORT_socket] = e->program->ppn > 1 && e->program->sockets > 1,
        [TRANSPORT_self] = may_be_to_itself(e, role, instr),
    };
    int64_t least = INT64_MAX;
    for (int transport = 0; transport < N_TRANSPORTS; transport++)
        if (is_met[transport] && limit[transport] < least)
            least = limit[transport];
    return least;
}

/* What the program can do decides which rows are kept. */
static void needs_find(struct lanes *e)
{
    bool rendezvous = false, nonblocking = false, both = false;
    for (int32_t r = 0; r < e->program->n_roles; r++) {
        const struct role *role = &e->program->roles[r];
        for (int32_t i = 0; i < role->n_code; i++) {
            const struct instr *instr = &role->code[i];
            bool sends = instr->op == INSTR_SEND || instr->op == INSTR_ISEND;
            bool large = sends && (instr->dynamic & DYNAMIC_BYTES || instr->bytes > limit_least(e, r, instr));
            rendezvous |= instr->op == INSTR_SSEND || instr->op == INSTR_ISSEND || large;
            nonblocking |= instr->op == INSTR_ISEND || instr->op == INSTR_ISSEND || instr->op == INSTR_IRECV;
            both |= instr->op == INSTR_ISSEND || (instr->op == INSTR_ISEND && large);
        }
    }
    e->keeps_rows = rendezvous;
    e->keeps_starts = both;
    e->constant_transit = engine_transit_is_constant(e->setup);
    e->may_tie = rendezvous || e->constant_transit;
    e->keeps_calls = rendezvous && nonblocking && e->model->progress == PROGRESS_NONE;
}

struct lanes *lanes_create(const struct engine_setup *setup, int width)
{
    assert(width == 1 || (width % 8 == 0 && width <= ENGINE_LANES_MOST));
    struct lanes *e = alloc_zeroed(1, sizeof *e);
    e->setup = setup;
    e->program = setup->program;
    e->model = setup->model;
    e->k = kernels_choose(width, NULL);
    e->width = width;
    e->numprocs = setup->program->numprocs;
    price_book_init(&e->book, setup->model, setup->beyond);
    variability_init(&e->variability, setup->machine, setup->mode);
    largest_clear(e->largest);
    needs_find(e);
    store_create(e);
    return e;
}

void lanes_destroy(struct lanes *e)
{
    if (!e)
        return;
    store_destroy(e);
    price_book_free(&e->book);
    variability_free(&e->variability);
    free(e);
}

struct level_log *lanes_learn_levels(const struct engine_setup *setup)
{
    struct diags unused = DIAGS_EMPTY;
    struct outcome outcome;
    struct lanes *e = lanes_create(setup, 1);
    struct level_log *log = e->levels = level_log_create(setup->program->numprocs);
    enum status status = lanes_run(e, 0, 1, &outcome, NULL, &unused);
    lanes_destroy(e);
    diags_free(&unused);
    if (status == STATUS_OK && log->n <= LEVEL_LOG_MOST)
        return log;
    level_log_destroy(log);
    return NULL;
}
