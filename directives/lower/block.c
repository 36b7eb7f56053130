#include "directives/lower/lower_impl.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* Blocks within blocks, through calls too: each takes a few hundred bytes of C's stack. */
enum { LOWER_DEPTH = 3000 };

static int32_t here(const struct lowering *lowering)
{
    return (int32_t)lowering->n_code;
}

static void table_forget(struct known_table *table)
{
    for (int32_t i = 0; i < table->n; i++)
        table->elements[i].is_known = false;
}

/* What the statement may assign is no longer known. (Whatever assigns it notes whether that needs a slot.) */
static void forget_assigned(struct lowering *lowering, const struct stmt *stmt)
{
    for (size_t v = 0; v < lowering->tree->n_variables; v++) {
        if (!lower_assigns(lowering, stmt, (int)v))
            continue;
        lowering->scope.variables[v].is_known = false;
        table_forget(&lowering->scope.tables[v]);
    }
}

/* ---- Loop ---- */

/* The loop's count and first value, where known. */
struct loop_bounds {
    struct folded count, first;
    int64_t iterations, step;
};

/* False after a FAIL. Where the count is not known, a bad first value is not known to matter: the run will see. */
static bool find_first(struct lowering *lowering, const struct stmt *stmt, struct loop_bounds *bounds)
{
    char text[PROGRAM_TEXT_BYTES];
    int64_t first = 0;
    const struct expr *from = stmt->loop.from;
    bool is_reached = bounds->count.kind == FOLD_KNOWN;
    scope_fold(&lowering->scope, from, &bounds->first);
    if (bounds->first.kind == FOLD_PROBLEM && is_reached) {
        expression_problem_print(text, sizeof text, bounds->first.problem, bounds->first.value);
        lower_fail(lowering, stmt, bounds->first.at, STATUS_RANGE, "%s", text);
        return false;
    }
    if (bounds->first.kind != FOLD_KNOWN)
        return true;
    enum status status = program_check_first(bounds->first.value, &first, text);
    if (status != STATUS_OK && is_reached) {
        lower_fail(lowering, stmt, &from->at, status, "%s", text);
        return false;
    }
    if (status == STATUS_OK)
        bounds->first.value = value_int(first);
    else
        bounds->first.kind = FOLD_UNKNOWN;
    return true;
}

/* False: there is nothing to loop over, or a FAIL says why there is not. */
static bool find_bounds(struct lowering *lowering, const struct stmt *stmt, struct loop_bounds *bounds)
{
    char text[PROGRAM_TEXT_BYTES];
    const struct expr *count = stmt->loop.iterations, *from = stmt->loop.from;
    enum status status = STATUS_OK;
    if (!lower_fold(lowering, stmt, count, &bounds->count))
        return false;
    if (bounds->count.kind == FOLD_KNOWN) {
        status = program_check_count(bounds->count.value, &bounds->iterations, text);
        if (status != STATUS_OK) {
            lower_fail(lowering, stmt, &count->at, status, "%s", text);
            return false;
        }
        if (bounds->iterations == 0)
            return false;
    }
    bounds->first = (struct folded){.kind = FOLD_KNOWN, .value = value_int(0)};
    return !stmt->loop.variable || !from || find_first(lowering, stmt, bounds);
}

/* The step must be known before the run. False after a FAIL. */
static bool find_step(struct lowering *lowering, const struct stmt *stmt, struct loop_bounds *bounds)
{
    char text[PROGRAM_TEXT_BYTES] =
        "the step of a loop must be known before the run, and this depends on what happens in it";
    struct folded folded;
    bounds->step = 1;
    if (!stmt->loop.step)
        return true;
    if (!lower_fold(lowering, stmt, stmt->loop.step, &folded))
        return false;
    enum status status = folded.kind == FOLD_KNOWN ? program_check_step(folded.value, &bounds->step, text)
                                                   : STATUS_RANGE;
    if (status != STATUS_OK)
        lower_fail(lowering, stmt, &stmt->loop.step->at, status, "%s", text);
    return status == STATUS_OK;
}

static void lower_loop_body(struct lowering *lowering, const struct stmt *stmt, const struct folded *first,
                            int32_t slot)
{
    size_t n_bindings = lowering->scope.n_bindings;
    scope_bind(&lowering->scope, stmt, 0, first, slot);
    lower_block(lowering, &stmt->loop.body);
    lowering->scope.n_bindings = n_bindings;
}

/* Appends the LOOP and returns its index, or -1 after a FAIL. */
static int32_t emit_loop(struct lowering *lowering, const struct stmt *stmt, const struct loop_bounds *bounds)
{
    bool has_count = bounds->count.kind == FOLD_KNOWN;
    bool has_first = bounds->first.kind == FOLD_KNOWN && !bounds->first.relative && bounds->first.value.i == 0;
    int32_t count = has_count ? 0 : lower_expr(lowering, stmt, stmt->loop.iterations, 1);
    int32_t from = has_first ? -1 : lower_expr(lowering, stmt, stmt->loop.from, 1);
    if (lowering->dead)
        return -1;
    int32_t index = here(lowering);
    struct instr *loop = lower_emit(lowering, INSTR_LOOP, stmt);
    loop->dynamic = has_count ? 0 : DYNAMIC_COUNT;
    loop->count = has_count ? bounds->iterations : count;
    loop->from = from;
    return index;
}

/* ---- loops that fill tables, which are known before the run ---- */

/* Whether a block does nothing but give values, and make persistent requests. *fills: to an element of a table among
 * others. */
static bool gives_values(const struct lowering *lowering, const struct block *block, bool *fills)
{
    for (const struct stmt *stmt = block->first; stmt; stmt = stmt->next) {
        const struct block *inner;
        const bool makes = stmt->kind == STMT_MESSAGE && lowering->makers[stmt->number];
        if (!makes && stmt->kind != STMT_SET && stmt->kind != STMT_LOOP && stmt->kind != STMT_RUNON &&
            stmt->kind != STMT_FAIL)
            return false;
        *fills = *fills || makes || (stmt->kind == STMT_SET && stmt->set.element);
        for (int i = 0; (inner = stmt_block(stmt, i)); i++)
            if (!gives_values(lowering, inner, fills))
                return false;
    }
    return true;
}

/* Round by round, as if each stood there by itself. False: the loop is of another kind, or has too many. */
static bool lower_filling(struct lowering *lowering, const struct stmt *stmt, const struct loop_bounds *bounds)
{
    bool fills = false;
    if (bounds->count.kind != FOLD_KNOWN || bounds->first.kind != FOLD_KNOWN || bounds->iterations > TABLE_MOST ||
        !gives_values(lowering, &stmt->loop.body, &fills) || !fills)
        return false;
    struct folded now = bounds->first;
    for (int64_t i = 0; i < bounds->iterations && !lowering->dead; i++) {
        lower_loop_body(lowering, stmt, &now, -1);
        now.value.i = (int64_t)((uint64_t)now.value.i + (uint64_t)bounds->step);
    }
    return true;
}

static void lower_loop(struct lowering *lowering, const struct stmt *stmt)
{
    struct loop_bounds bounds;
    if (!find_bounds(lowering, stmt, &bounds) || !find_step(lowering, stmt, &bounds))
        return;
    bool is_known = bounds.count.kind == FOLD_KNOWN;
    if (is_known && bounds.iterations == 1 && bounds.first.kind == FOLD_KNOWN) {
        lower_loop_body(lowering, stmt, &bounds.first, -1);
        return;
    }
    if (lower_filling(lowering, stmt, &bounds))
        return;
    int32_t index = emit_loop(lowering, stmt, &bounds);
    if (index < 0)
        return;
    bool has_variable = stmt->loop.variable != NULL;
    int n_slots = has_variable ? 2 : 1;
    int32_t slot = lower_take_slots(lowering, n_slots);
    forget_assigned(lowering, stmt);
    lower_loop_body(lowering, stmt, NULL, slot + 1);
    lower_return_slots(lowering, n_slots);
    if (is_known && here(lowering) == index + 1) {
        lowering->n_code--; /* a body without instructions */
        return;
    }
    struct instr *next = lower_emit(lowering, INSTR_NEXT, stmt);
    struct instr *loop = &lowering->code[index];
    next->slot = loop->slot = slot;
    next->has_variable = loop->has_variable = has_variable;
    next->count = has_variable ? bounds.step : 0;
    next->target = index + 1;
    loop->target = here(lowering);
    if (!is_known) { /* it may not have run at all */
        lowering->dead = false;
        forget_assigned(lowering, stmt);
    }
}

/* ---- Loop while: LOOP, BRANCH behind it, body, NEXT to the BRANCH ---- */

/* True when the expression folded last needs a variable that the statement may assign. */
static bool changes_condition(const struct lowering *lowering, const struct stmt *stmt)
{
    const struct scope *scope = &lowering->scope;
    for (size_t i = 0; i < scope->n_ops; i++) {
        if (scope->ops[i].code != CODE_SLOT && scope->ops[i].code != CODE_ELEMENT)
            continue;
        for (size_t v = 0; v < lowering->tree->n_variables; v++)
            if (scope->ops[i].slot.unset == scope->unset[v] && lower_assigns(lowering, stmt, (int)v))
                return true;
    }
    return false;
}

static void lower_while(struct lowering *lowering, const struct stmt *stmt)
{
    const struct expr *test = stmt->while_.test;
    struct folded folded;
    if (!lower_fold(lowering, stmt, test, &folded))
        return;
    if (folded.kind == FOLD_KNOWN && !value_is_true(folded.value))
        return;
    forget_assigned(lowering, stmt);
    scope_fold(&lowering->scope, test, &folded);
    bool changes = folded.kind == FOLD_UNKNOWN && changes_condition(lowering, stmt);
    int32_t expr = folded.kind == FOLD_UNKNOWN ? lower_expr(lowering, stmt, test, 1) : -1;
    if (lowering->dead)
        return;
    int32_t loop = here(lowering), slot = changes ? lower_take_slots(lowering, 1) : -1;
    if (changes) {
        struct instr *head = lower_emit(lowering, INSTR_LOOP, stmt);
        head->count = INT64_MAX;
        head->from = -1;
        head->slot = slot;
    }
    int32_t branch = here(lowering);
    if (expr >= 0)
        lower_emit(lowering, INSTR_BRANCH, stmt)->count = expr;
    if (changes) {
        lower_block(lowering, &stmt->while_.body);
        struct instr *next = lower_emit(lowering, INSTR_NEXT, stmt);
        next->slot = slot;
        next->target = branch;
        lowering->code[loop].target = here(lowering);
        lower_return_slots(lowering, 1);
    } else {
        lower_fail(lowering, stmt, &test->at, STATUS_RANGE, "this loop never ends");
    }
    if (folded.kind != FOLD_UNKNOWN)
        return;
    lowering->code[branch].target = here(lowering);
    lowering->dead = false;
    forget_assigned(lowering, stmt);
}

/* ---- Runon ---- */

static void save_known(struct lowering *lowering, const struct known *known, size_t n)
{
    while (lowering->n_saved + n > lowering->saved_capacity)
        lowering->saved = alloc_grow(lowering->saved, lowering->saved_capacity, &lowering->saved_capacity,
                                     sizeof *lowering->saved);
    if (n > 0)
        memcpy(lowering->saved + lowering->n_saved, known, n * sizeof *known);
    lowering->n_saved += n;
}

/* The variables, and the elements of each table behind their number. */
static size_t save_variables(struct lowering *lowering)
{
    size_t n = lowering->tree->n_variables, start = lowering->n_saved;
    save_known(lowering, lowering->scope.variables, n);
    for (size_t v = 0; v < n; v++) {
        const struct known_table *table = &lowering->scope.tables[v];
        if (lowering->tree->variables[v].kind != VARIABLE_table)
            continue;
        save_known(lowering, &(struct known){.value = value_int(table->n)}, 1);
        save_known(lowering, table->elements, (size_t)table->n);
    }
    return start;
}

/* Elements made since then have never been set. */
static void restore_variables(struct lowering *lowering, size_t start)
{
    size_t n = lowering->tree->n_variables;
    const struct known *saved = lowering->saved + start;
    if (n > 0)
        memcpy(lowering->scope.variables, saved, n * sizeof *lowering->saved);
    saved += n;
    for (size_t v = 0; v < n; v++) {
        struct known_table *table = &lowering->scope.tables[v];
        if (lowering->tree->variables[v].kind != VARIABLE_table)
            continue;
        const int64_t n_saved = saved++->value.i;
        for (int32_t i = 0; i < table->n; i++)
            table->elements[i] = i < n_saved ? saved[i] : (struct known){.is_known = true};
        saved += n_saved;
    }
}

void lower_land(struct lowering *lowering, int32_t jump)
{
    while (jump >= 0) {
        int32_t next = lowering->code[jump].target;
        lowering->code[jump].target = here(lowering);
        jump = next;
    }
}

/* A block behind a condition that only the run knows. Returns the chain of jumps to the end with its own added. */
static int32_t lower_branch(struct lowering *lowering, const struct stmt *stmt, int i, int32_t exits, bool *all_dead)
{
    int32_t expr = lower_expr(lowering, stmt, stmt->runon.tests[i], 1);
    if (lowering->dead)
        return exits;
    int32_t branch = here(lowering);
    lower_emit(lowering, INSTR_BRANCH, stmt)->count = expr;
    size_t saved = save_variables(lowering);
    lower_block(lowering, &stmt->runon.blocks[i]);
    restore_variables(lowering, saved);
    lowering->n_saved = saved;
    *all_dead = *all_dead && lowering->dead;
    bool is_last = i + 1 == stmt->runon.n && !stmt->runon.has_else;
    if (!lowering->dead && !is_last) {
        int32_t jump = here(lowering);
        lower_emit(lowering, INSTR_JUMP, stmt)->target = exits;
        exits = jump;
    }
    lowering->code[branch].target = here(lowering);
    lowering->dead = false;
    return exits;
}

static void lower_runon(struct lowering *lowering, const struct stmt *stmt)
{
    bool all_dead = true, branched = false, settled = false;
    int32_t exits = -1;
    for (int i = 0; i < stmt->runon.n && !settled && !lowering->dead; i++) {
        struct folded folded;
        if (!lower_fold(lowering, stmt, stmt->runon.tests[i], &folded))
            break;
        if (folded.kind == FOLD_UNKNOWN) {
            branched = true;
            exits = lower_branch(lowering, stmt, i, exits, &all_dead);
        } else if (value_is_true(folded.value)) {
            settled = true;
            lower_block(lowering, &stmt->runon.blocks[i]);
        }
    }
    if (!settled && !lowering->dead && stmt->runon.has_else)
        lower_block(lowering, &stmt->runon.blocks[stmt->runon.n]);
    if (!branched)
        return;
    lower_land(lowering, exits);
    lowering->dead = lowering->dead && all_dead;
    forget_assigned(lowering, stmt);
}

/* ---- Region ---- */

static void lower_region(struct lowering *lowering, const struct stmt *stmt)
{
    lower_emit(lowering, INSTR_ENTER, stmt)->index = stmt->region.index;
    lower_block(lowering, &stmt->region.body);
    if (!lowering->dead)
        lower_emit(lowering, INSTR_LEAVE, stmt)->index = stmt->region.index;
}

/* ---- Set, Call ---- */

/* The index of an element: known to be *i, or with *i = -1 one that the run finds. False after a FAIL. */
static bool find_element(struct lowering *lowering, const struct stmt *stmt, int64_t *i)
{
    struct folded folded;
    const struct expr *element = stmt->set.element;
    if (!lower_fold(lowering, stmt, element, &folded))
        return false;
    *i = -1;
    if (folded.kind == FOLD_UNKNOWN)
        return true;
    if (!value_as_integer(folded.value, i) || *i < 0 || *i >= TABLE_MOST)
        lower_fail(lowering, stmt, &element->at, STATUS_RANGE, "the index of a table is an integer from 0 to %d",
                   TABLE_MOST - 1);
    return !lowering->dead;
}

/* Of an element that only the run knows, or with a value that only the run knows. */
static void put_element(struct lowering *lowering, const struct stmt *stmt, int64_t i)
{
    const int variable = stmt->set.variable;
    const struct known_table *table = &lowering->scope.tables[variable];
    int32_t index = i < 0 ? lower_expr(lowering, stmt, stmt->set.element, 1) : -1;
    if (i < 0 && table->n == 0)
        lower_fail(lowering, stmt, &stmt->set.element->at, STATUS_RANGE,
                   "`%s` has no elements yet: those that the run chooses from are Set before with indices that are known "
                   "before the run", lowering->tree->variables[variable].name);
    int32_t expr = lowering->dead ? -1 : lower_expr(lowering, stmt, stmt->set.value, 1);
    if (lowering->dead)
        return;
    lowering->keeps_wildcards = lowering->keeps_wildcards || scope_has_wildcard(&lowering->scope);
    struct instr *set = lower_emit(lowering, i < 0 ? INSTR_PUT : INSTR_SET, stmt);
    set->slot = lowering->scope.slot_of[variable] + (i < 0 ? 0 : (int32_t)i);
    set->count = expr;
    set->from = index;
    set->target = i < 0 ? table->n_slots : (int32_t)i;
}

static void lower_set_element(struct lowering *lowering, const struct stmt *stmt)
{
    struct folded folded;
    int64_t i;
    const int variable = stmt->set.variable;
    if (!find_element(lowering, stmt, &i) || !lower_fold(lowering, stmt, stmt->set.value, &folded))
        return;
    struct known *element = i >= 0 ? scope_element(&lowering->scope, variable, i) : NULL;
    const bool is_known = element && folded.kind == FOLD_KNOWN;
    if (!is_known || lowering->scope.slot_of[variable] >= 0)
        put_element(lowering, stmt, i);
    lowering->scope.touched[variable] |= !is_known;
    if (is_known)
        *element = (struct known){true, folded.relative, folded.value};
    else if (element)
        element->is_known = false;
    else
        table_forget(&lowering->scope.tables[variable]);
}

void lower_set(struct lowering *lowering, const struct stmt *stmt)
{
    struct folded folded;
    int variable = stmt->set.variable;
    if (stmt->set.element) {
        lower_set_element(lowering, stmt);
        return;
    }
    if (!lower_fold(lowering, stmt, stmt->set.value, &folded))
        return;
    bool is_known = folded.kind == FOLD_KNOWN;
    if (!is_known || lowering->scope.slot_of[variable] >= 0) {
        int32_t expr = lower_expr(lowering, stmt, stmt->set.value, 1);
        if (lowering->dead)
            return;
        lowering->keeps_wildcards = lowering->keeps_wildcards || scope_has_wildcard(&lowering->scope);
        struct instr *set = lower_emit(lowering, INSTR_SET, stmt);
        set->slot = lowering->scope.slot_of[variable];
        set->count = expr;
    }
    lower_assign(lowering, variable, is_known ? &folded : NULL);
}

static void fail_recursion(struct lowering *lowering, const struct stmt *stmt)
{
    char names[PROGRAM_TEXT_BYTES] = "";
    size_t used = 0;
    bool repeated = false;
    for (int i = 0; i < lowering->calls && !repeated && used < sizeof names; i++) {
        for (int j = 0; j < i; j++)
            repeated = repeated || lowering->chain[j] == lowering->chain[i];
        used += (size_t)snprintf(names + used, sizeof names - used, "%s -> ", lowering->chain[i]->name);
    }
    lower_fail(lowering, stmt, NULL, STATUS_RANGE, "calls nest deeper than %d: %s...", LOWER_CALLS, names);
}

/* Arguments are bound by value: a constant, or a slot that is set here. Returns the slots taken, or -1 after a FAIL. */
static int bind_arguments(struct lowering *lowering, const struct stmt *stmt)
{
    int taken = 0;
    for (int i = 0; i < stmt->call.n; i++) {
        struct folded folded;
        int32_t slot = -1;
        if (!lower_fold(lowering, stmt, stmt->call.arguments[i], &folded))
            break;
        if (folded.kind == FOLD_UNKNOWN) {
            int32_t expr = lower_expr(lowering, stmt, stmt->call.arguments[i], 1);
            if (lowering->dead)
                break;
            lowering->keeps_wildcards = lowering->keeps_wildcards || scope_has_wildcard(&lowering->scope);
            slot = lower_take_slots(lowering, 1);
            taken++;
            struct instr *set = lower_emit(lowering, INSTR_SET, stmt);
            set->slot = slot;
            set->count = expr;
        }
        /* Not in sight yet: the next argument may use an argument of the same procedure, one call further out. */
        scope_bind(&lowering->scope, NULL, i, folded.kind == FOLD_KNOWN ? &folded : NULL, slot);
    }
    return taken;
}

static void lower_call(struct lowering *lowering, const struct stmt *stmt)
{
    struct scope *scope = &lowering->scope;
    const struct procedure *procedure = stmt->call.procedure;
    if (lowering->calls == LOWER_CALLS) {
        fail_recursion(lowering, stmt);
        return;
    }
    size_t n_bindings = scope->n_bindings;
    int taken = bind_arguments(lowering, stmt);
    if (!lowering->dead) {
        for (size_t i = n_bindings; i < scope->n_bindings; i++)
            scope->bindings[i].declaration = procedure;
        lowering->chain[lowering->calls++] = procedure;
        lower_block(lowering, &procedure->body);
        lowering->calls--;
    }
    scope->n_bindings = n_bindings;
    lower_return_slots(lowering, taken);
}

/* ---- all ---- */

static void lower_stmt(struct lowering *lowering, const struct stmt *stmt)
{
    switch (stmt->kind) {
    case STMT_LOOP:
        lower_loop(lowering, stmt);
        break;
    case STMT_WHILE:
        lower_while(lowering, stmt);
        break;
    case STMT_RUNON:
        lower_runon(lowering, stmt);
        break;
    case STMT_REGION:
        lower_region(lowering, stmt);
        break;
    case STMT_MESSAGE:
        lower_message(lowering, stmt);
        break;
    case STMT_COLLECTIVE:
        lower_collective(lowering, stmt);
        break;
    case STMT_SERIAL:
        lower_serial(lowering, stmt);
        break;
    case STMT_SET:
        lower_set(lowering, stmt);
        break;
    case STMT_MAKE:
        lower_make_comm(lowering, stmt);
        break;
    case STMT_CALL:
        lower_call(lowering, stmt);
        break;
    case STMT_FAIL:
        lower_fail(lowering, stmt, NULL, STATUS_RANGE, "%s", stmt->fail.text);
        break;
    }
}

void lower_block(struct lowering *lowering, const struct block *block)
{
    lowering->depth++;
    for (const struct stmt *stmt = block->first; stmt && !lowering->dead; stmt = stmt->next) {
        if (lowering->gathering && !lower_matters(lowering, stmt))
            continue;
        if (!lower_step(lowering, stmt))
            break;
        if (lowering->depth > LOWER_DEPTH)
            lower_fail(lowering, stmt, NULL, STATUS_RANGE, "blocks and calls nest deeper than %d", LOWER_DEPTH);
        else
            lower_stmt(lowering, stmt);
    }
    lowering->depth--;
}
