#include "directives/dry_run.h"

#include "common/alloc.h"
#include "directives/expression.h"

#include <stdlib.h>
#include <string.h>

enum { OPERANDS_MOST = 8 };

struct dry_run {
    const struct program *program;
    const struct role *role;
    int process;
    struct value *slots;
    bool *unknown;               /* [n_slots] */
    struct dry_seen *seen;       /* [n_code * OPERANDS_MOST] */
};

/* ---- values ---- */

bool dry_run_knows(const struct program *program, int64_t expr, const bool unknown[])
{
    const struct expr_code *code = &program->exprs[expr];
    for (int32_t i = 0; i < code->n; i++) {
        const struct expr_op *op = &code->ops[i];
        const int32_t n = op->code == CODE_SLOT ? 1 : op->code == CODE_ELEMENT ? op->n : 0;
        if (op->code == CODE_PARTNER)
            return false;
        for (int32_t k = 0; k < n; k++)
            if (unknown[op->arg + k])
                return false;
    }
    return true;
}

/* False where it needs what is not known, or is wrong: then the run says so. */
static bool value_find(const struct dry_run *run, int64_t expr, struct value *value)
{
    if (!dry_run_knows(run->program, expr, run->unknown))
        return false;
    return program_eval(run->program, (int32_t)expr, run->process, run->slots, value) == NULL;
}

static struct dry_seen *seen_of(const struct dry_run *run, int32_t instr, int32_t expr, bool add)
{
    struct dry_seen *seen = &run->seen[(size_t)instr * OPERANDS_MOST];
    for (int i = 0; i < OPERANDS_MOST; i++) {
        if (seen[i].used && seen[i].expr == expr)
            return &seen[i];
        if (!seen[i].used && !add)
            return NULL;
        if (!seen[i].used) {
            seen[i].used = true;
            seen[i].expr = expr;
            return &seen[i];
        }
    }
    return NULL;
}

static void see(struct dry_run *run, int32_t instr, int32_t expr, struct value value)
{
    struct dry_seen *seen = seen_of(run, instr, expr, true);
    if (!seen || seen->more)
        return;
    const struct value *last = seen->n > 0 ? &seen->value[seen->n - 1] : NULL;
    if (last && last->kind == value.kind && last->i == value.i)
        return;
    seen->more = seen->n == DRY_RUN_VALUES;
    if (!seen->more)
        seen->value[seen->n++] = value;
}

/* This time it is not known. */
static void see_nothing(struct dry_run *run, int32_t instr, int32_t expr)
{
    struct dry_seen *seen = seen_of(run, instr, expr, true);
    if (seen)
        seen->more = true;
}

static void see_expr(struct dry_run *run, int32_t instr, int64_t expr)
{
    struct value value;
    if (value_find(run, expr, &value))
        see(run, instr, (int32_t)expr, value);
    else
        see_nothing(run, instr, (int32_t)expr);
}

/* A rank of the communicator, as the process that it is. */
static void see_peer(struct dry_run *run, int32_t at, const struct instr *instr)
{
    struct value value;
    char text[PROGRAM_TEXT_BYTES];
    int32_t peer;
    if (!value_find(run, instr->peer, &value)) {
        see_nothing(run, at, instr->peer);
        return;
    }
    if (program_check_peer(run->program, instr->comm, (enum instr_op)instr->op, value, &peer, text) == STATUS_OK &&
        peer >= 0)
        value = value_int(peer);
    see(run, at, instr->peer, value);
}

static void see_collective(struct dry_run *run, int32_t at, const struct instr *instr)
{
    const struct collective_ref *ref = &run->program->collectives[instr->index];
    if (ref->root_expr >= 0)
        see_expr(run, at, ref->root_expr);
    if (ref->bytes_expr >= 0)
        see_expr(run, at, ref->bytes_expr);
}

static void see_serial(struct dry_run *run, int32_t at, const struct instr *instr)
{
    const struct serial_ref *ref = &run->program->serials[instr->index];
    for (int i = 0; i < ref->n; i++)
        if (ref->dynamic[i])
            see_expr(run, at, ref->expr[i]);
}

/* Everything but control. */
static void see_operands(struct dry_run *run, int32_t at, const struct instr *instr)
{
    if (instr->op == INSTR_COLLECTIVE)
        see_collective(run, at, instr);
    if (instr->op == INSTR_SAMPLE)
        see_serial(run, at, instr);
    if (instr->dynamic & DYNAMIC_PEER)
        see_peer(run, at, instr);
    if (instr->dynamic & DYNAMIC_TAG)
        see_expr(run, at, instr->tag);
    if (instr->dynamic & DYNAMIC_BYTES)
        see_expr(run, at, instr->bytes);
    if (instr->dynamic & DYNAMIC_SECONDS)
        see_expr(run, at, instr->index);
    for (int32_t i = 0; i < instr->n_requests; i++)
        if (run->program->requests[instr->first_request + i].index_expr >= 0)
            see_expr(run, at, run->program->requests[instr->first_request + i].index_expr);
    for (int i = 0; i < N_BIND_KEYS && instr->binds; i++)
        if (instr->bind[i] >= 0)
            run->unknown[instr->bind[i]] = true;
}

/* ---- control ---- */

/* The instruction behind all that a LOOP or BRANCH at `at` may do: behind its block, and the others of its chain. */
static int32_t block_end(const struct role *role, int32_t at)
{
    const struct instr *instr = &role->code[at], *last = &role->code[instr->target - 1];
    bool chain = instr->op == INSTR_BRANCH && instr->target - 1 > at && last->op == INSTR_JUMP;
    return chain && last->target > instr->target ? last->target : instr->target;
}

/* Which of a table's elements has been set is not looked after. */
static void table_forget(struct dry_run *run, const struct instr *instr)
{
    for (int32_t i = 0; i < instr->target; i++)
        run->unknown[instr->slot + i] = true;
}

/* It is not known how often a block is run: nor is what it sets. */
static int32_t block_pass_over(struct dry_run *run, int32_t at)
{
    int32_t end = block_end(run->role, at);
    for (int32_t i = at; i < end; i++) {
        const struct instr *instr = &run->role->code[i];
        for (int k = 0; k < OPERANDS_MOST && i > at; k++)
            run->seen[(size_t)i * OPERANDS_MOST + (size_t)k].more = true;
        if (instr->op == INSTR_SET)
            run->unknown[instr->slot] = true;
        if (instr->op == INSTR_PUT)
            table_forget(run, instr);
        for (int k = 0; k < N_BIND_KEYS && instr->binds; k++)
            if (instr->bind[k] >= 0)
                run->unknown[instr->bind[k]] = true;
    }
    return end;
}

static int32_t loop_enter(struct dry_run *run, int32_t at)
{
    const struct instr *instr = &run->role->code[at];
    char text[PROGRAM_TEXT_BYTES];
    struct value count = value_int(0), first = value_int(0);
    int64_t iterations = instr->count, from = 0;
    if (instr->dynamic & DYNAMIC_COUNT &&
        (!value_find(run, instr->count, &count) || program_check_count(count, &iterations, text) != STATUS_OK)) {
        see_nothing(run, at, (int32_t)instr->count);
        return block_pass_over(run, at);
    }
    if (instr->dynamic & DYNAMIC_COUNT)
        see(run, at, (int32_t)instr->count, count);
    if (iterations <= 0)
        return instr->target;
    bool known = instr->from < 0 ||
                 (value_find(run, instr->from, &first) && program_check_first(first, &from, text) == STATUS_OK);
    if (known && instr->from >= 0)
        see(run, at, instr->from, first);
    else if (instr->from >= 0)
        see_nothing(run, at, instr->from);
    run->slots[instr->slot] = value_int(iterations);
    if (instr->has_variable) {
        run->slots[instr->slot + 1] = value_int(from);
        run->unknown[instr->slot + 1] = !known;
    }
    return at + 1;
}

static int32_t loop_go_on(struct dry_run *run, int32_t at)
{
    const struct instr *instr = &run->role->code[at];
    return program_loop_again(instr, run->slots) ? instr->target : at + 1;
}

static void variable_set(struct dry_run *run, int32_t at)
{
    const struct instr *instr = &run->role->code[at];
    struct value value;
    run->unknown[instr->slot] = !value_find(run, instr->count, &value);
    if (run->unknown[instr->slot]) {
        see_nothing(run, at, (int32_t)instr->count);
        return;
    }
    run->slots[instr->slot] = value;
    see(run, at, (int32_t)instr->count, value);
}

/* The instruction behind the one at `at`; -1: none. */
static int32_t step(struct dry_run *run, int32_t at)
{
    const struct instr *instr = &run->role->code[at];
    struct value value;
    switch ((enum instr_op)instr->op) {
    case INSTR_END:
    case INSTR_FAIL:
        return -1;
    case INSTR_LOOP:
        return loop_enter(run, at);
    case INSTR_NEXT:
        return loop_go_on(run, at);
    case INSTR_JUMP:
        return instr->target;
    case INSTR_BRANCH:
        if (!value_find(run, instr->count, &value))
            return block_pass_over(run, at);
        return value_is_true(value) ? at + 1 : instr->target;
    case INSTR_SET:
        variable_set(run, at);
        return at + 1;
    case INSTR_PUT:
        see_expr(run, at, instr->from);
        see_expr(run, at, instr->count);
        table_forget(run, instr);
        return at + 1;
    default:
        see_operands(run, at, instr);
        return at + 1;
    }
}

/* The run is broken off at `at`: what is in the outermost loop around it may have further values. */
static void break_off(struct dry_run *run, int32_t at)
{
    const struct instr *code = run->role->code;
    int32_t first = at;
    for (int32_t i = at; i >= 0; i--) {
        bool again = code[i].op == INSTR_BRANCH && code[code[i].target - 1].op == INSTR_JUMP &&
                     code[code[i].target - 1].target == i;
        if ((code[i].op == INSTR_LOOP || again) && code[i].target > at)
            first = i;
    }
    for (size_t i = (size_t)first * OPERANDS_MOST; i < (size_t)run->role->n_code * OPERANDS_MOST; i++)
        run->seen[i].more = true;
}

struct dry_run *dry_run_create(const struct program *program, int process)
{
    struct dry_run *run = alloc_zeroed(1, sizeof *run);
    const struct role *role = run->role = &program->roles[program->role_of[process]];
    size_t n_slots = (size_t)role->n_slots, n_seen = (size_t)role->n_code * OPERANDS_MOST;
    run->program = program;
    run->process = process;
    run->slots = alloc_array(n_slots, sizeof *run->slots);
    run->unknown = alloc_zeroed(n_slots, sizeof *run->unknown);
    run->seen = alloc_zeroed(n_seen, sizeof *run->seen);
    if (n_slots > 0)
        memcpy(run->slots, role->initial, n_slots * sizeof *run->slots);
    int32_t at = 0;
    for (int steps = 0; at >= 0 && steps < DRY_RUN_STEPS; steps++)
        at = step(run, at);
    if (at >= 0)
        break_off(run, at);
    return run;
}

void dry_run_destroy(struct dry_run *run)
{
    if (!run)
        return;
    free(run->slots);
    free(run->unknown);
    free(run->seen);
    free(run);
}

const struct dry_seen *dry_run_find(const struct dry_run *run, int32_t instr, int32_t expr)
{
    const struct dry_seen *seen = seen_of(run, instr, expr, false);
    return seen && seen->n > 0 ? seen : NULL;
}
