#include "directives/lower/lower_impl.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PROGRAM_CODE = 64 << 20, /* instructions of all roles: 3.5 GiB */
    PROCESS_CODE = 4 << 20,  /* of one process: 224 MiB of scratch */
    PROCESS_STEPS = 16 << 20,/* statements walked for it, about a second: calls may multiply without making code */
};

/* ---- instructions of the scratch role ---- */

/* Roles are compared and hashed as bytes, padding too. */
static void clear_instr(struct instr *instr, enum instr_op op, int32_t site)
{
    memset(instr, 0, sizeof *instr);
    instr->op = (uint8_t)op;
    instr->site = site;
    instr->peer = instr->target = instr->slot = instr->first_request = instr->from = -1;
    for (int i = 0; i < N_BIND_KEYS; i++)
        instr->bind[i] = -1;
}

struct instr *lower_emit(struct lowering *lowering, enum instr_op op, const struct stmt *stmt)
{
    if (lowering->n_code == lowering->code_capacity)
        lowering->code = alloc_grow(lowering->code, lowering->n_code, &lowering->code_capacity, sizeof *lowering->code);
    struct instr *instr = &lowering->code[lowering->n_code++];
    clear_instr(instr, op, stmt ? lower_site(lowering, stmt) : -1);
    return instr;
}

void lower_fail(struct lowering *lowering, const struct stmt *stmt, const struct place *at, enum status status,
                const char *format, ...)
{
    char text[2 * PROGRAM_TEXT_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    int32_t site = at ? lower_site_at(lowering, stmt, at) : lower_site(lowering, stmt);
    struct instr *instr = lower_emit(lowering, INSTR_FAIL, stmt);
    instr->site = site;
    instr->index = lower_failure(lowering, status, site, text);
    lowering->dead = true;
}

bool lower_fold(struct lowering *lowering, const struct stmt *stmt, const struct expr *expr, struct folded *out)
{
    scope_fold(&lowering->scope, expr, out);
    if (out->kind != FOLD_PROBLEM)
        return true;
    char text[PROGRAM_TEXT_BYTES];
    expression_problem_print(text, sizeof text, out->problem, out->value);
    lower_fail(lowering, stmt, out->at, STATUS_RANGE, "%s", text);
    return false;
}

int32_t lower_take_slots(struct lowering *lowering, int n)
{
    int32_t slot = lowering->n_slots;
    lowering->n_slots += n;
    if (lowering->n_slots > lowering->most_slots)
        lowering->most_slots = lowering->n_slots;
    return slot;
}

void lower_return_slots(struct lowering *lowering, int n)
{
    lowering->n_slots -= n;
    assert(lowering->n_slots >= 0);
}

void lower_assign(struct lowering *lowering, int variable, const struct folded *value)
{
    struct known *known = &lowering->scope.variables[variable];
    *known = (struct known){.is_known = value != NULL};
    if (value) {
        known->relative = value->relative;
        known->value = value->value;
    } else {
        lowering->scope.touched[variable] = true;
    }
}

/* ---- one process ---- */

/* What a variable holds before its first Set. */
static struct value first_value(const struct lowering *lowering, size_t variable)
{
    int parameter = lowering->tree->variables[variable].parameter;
    return parameter >= 0 ? lowering->parameters[parameter] : (struct value){VALUE_NONE, {0}};
}

static void begin_walk(struct lowering *lowering)
{
    struct scope *scope = &lowering->scope;
    lowering->n_code = lowering->n_peers = 0;
    lowering->n_slots = lowering->most_slots = 0;
    lowering->dead = scope->unmade = false;
    lowering->steps = 0;
    lowering->n_met = 0;
    for (int i = 0; i < lowering->tree->n_statements && lowering->makes; i++)
        lowering->made_in[i] = -1;
    for (size_t v = 0; v < lowering->tree->n_variables; v++) {
        scope->variables[v] = (struct known){.is_known = true, .value = first_value(lowering, v)};
        struct known_table *table = &scope->tables[v];
        for (int32_t i = 0; i < table->n; i++)
            table->elements[i] = (struct known){.is_known = true};
        table->n_slots = table->n;
        const bool is_table = lowering->tree->variables[v].kind == VARIABLE_table;
        scope->slot_of[v] = scope->touched[v] ? lower_take_slots(lowering, is_table ? table->n_slots : 1) : -1;
    }
}

void lower_begin(struct lowering *lowering, int process)
{
    lowering->scope.process = process;
    lowering->scope.node = program_node(lowering->program, process);
    begin_walk(lowering);
}

static bool found_new_slots(const struct lowering *lowering)
{
    for (size_t v = 0; v < lowering->tree->n_variables; v++)
        if ((lowering->scope.touched[v] && lowering->scope.slot_of[v] < 0) ||
            lowering->scope.tables[v].n > lowering->scope.tables[v].n_slots)
            return true;
    return false;
}

/* First values of all slots, padding cleared. */
static void fill_initial(struct lowering *lowering)
{
    size_t n = (size_t)lowering->most_slots;
    if (n > lowering->initial_capacity) {
        lowering->initial = alloc_resize(lowering->initial, n, sizeof *lowering->initial);
        lowering->initial_capacity = n;
    }
    if (n == 0)
        return;
    memset(lowering->initial, 0, n * sizeof *lowering->initial);
    for (size_t i = 0; i < n; i++)
        lowering->initial[i].kind = VALUE_INT;
    for (size_t v = 0; v < lowering->tree->n_variables; v++) {
        int32_t slot = lowering->scope.slot_of[v];
        for (int32_t i = 0; slot >= 0 && i < lowering->scope.tables[v].n_slots; i++)
            lowering->initial[slot + i].kind = VALUE_NONE;
        if (slot >= 0 && lowering->tree->variables[v].kind != VARIABLE_table) {
            struct value first = first_value(lowering, v);
            lowering->initial[slot].kind = first.kind;
            lowering->initial[slot].i = first.kind == VALUE_NONE ? 0 : first.i;
        }
    }
}

static void lower_process(struct lowering *lowering, int process)
{
    struct scope *scope = &lowering->scope;
    scope->process = process;
    scope->node = program_node(lowering->program, process);
    /* Processes mostly need slots or do not as the one before them did. */
    lowering->dry = process == 0 && lowering->tree->n_variables > 0;
    for (size_t v = 0; v < lowering->tree->n_variables; v++) {
        lowering->dry = lowering->dry || scope->touched[v];
        scope->touched[v] = false;
    }
    if (lowering->dry) {
        begin_walk(lowering);
        lower_block(lowering, &lowering->tree->program);
        lowering->dry = false;
    }
    do {
        begin_walk(lowering);
        lower_block(lowering, &lowering->tree->program);
    } while (lowering->status == STATUS_OK && found_new_slots(lowering));
    if (lowering->status != STATUS_OK)
        return;
    lower_emit(lowering, INSTR_END, NULL);
    fill_initial(lowering);
    lowering->program->role_of[process] = lower_role(lowering);
}

bool lower_step(struct lowering *lowering, const struct stmt *stmt)
{
    if (lowering->status != STATUS_OK || lowering->scope.unmade)
        return false;
    if (lowering->n_code <= PROCESS_CODE && ++lowering->steps <= PROCESS_STEPS &&
        lowering->total_code + (int64_t)lowering->n_code <= PROGRAM_CODE)
        return true;
    diag_error(lowering->diags, stmt->at,
               "the program is too large for process %d (of %d): its calls multiply to %zu instructions after %lld "
               "directives",
               lowering->scope.process, lowering->program->numprocs, lowering->n_code, (long long)lowering->steps);
    lowering->status = STATUS_RANGE;
    return false;
}

/* ---- parameters ---- */

/* Computes what can be computed until nothing more can; dependencies mostly stand before their users. Reports the used
 * ones that are left. */
static void lower_parameters(struct lowering *lowering)
{
    const struct tree *tree = lowering->tree;
    struct folded folded;
    for (bool progress = true; progress;) {
        progress = false;
        for (size_t i = 0; i < tree->n_parameters; i++) {
            if (lowering->parameters[i].kind != VALUE_NONE)
                continue;
            scope_fold(&lowering->scope, tree->parameters[i].value, &folded);
            if (folded.kind == FOLD_KNOWN) {
                lowering->parameters[i] = folded.value;
                progress = true;
            }
        }
    }
    for (size_t i = 0; i < tree->n_parameters; i++) {
        const struct parameter *parameter = &tree->parameters[i];
        if (lowering->parameters[i].kind != VALUE_NONE || !parameter->used)
            continue;
        scope_fold(&lowering->scope, parameter->value, &folded);
        assert(folded.kind == FOLD_PROBLEM);
        diag_error(lowering->diags, folded.at->line > 0 ? *folded.at : parameter->at, "`%s` cannot be computed: %s",
                   parameter->name, folded.problem);
        if (lowering->status == STATUS_OK)
            lowering->status = STATUS_RANGE;
    }
}

/* ---- all ---- */

static void lowering_init(struct lowering *lowering)
{
    const struct tree *tree = lowering->tree;
    struct program *program = lowering->program;
    struct scope *scope = &lowering->scope;
    size_t n_statements = (size_t)tree->n_statements;
    lowering->site_of = alloc_array(n_statements, sizeof *lowering->site_of);
    for (size_t i = 0; i < n_statements; i++)
        lowering->site_of[i] = -1;
    lowering->parameters = alloc_zeroed(tree->n_parameters, sizeof *lowering->parameters);
    lowering->chain = alloc_array(LOWER_CALLS, sizeof *lowering->chain);
    lowering->unset = alloc_array(tree->n_variables, sizeof *lowering->unset);
    for (size_t v = 0; v < tree->n_variables; v++) {
        const char *name = tree->variables[v].name;
        const char *what = tree->variables[v].is_kept ? "started before it is made" : "used before it is Set";
        size_t length = strlen(name) + strlen(what) + sizeof "`` is ";
        char *text = arena_alloc(&program->memory, length, 1);
        snprintf(text, length, "`%s` is %s", name, what);
        lowering->unset[v] = text;
    }
    scope->numprocs = program->numprocs;
    scope->nodes = program->nodes;
    scope->ppn = program->ppn;
    scope->parameters = lowering->parameters;
    scope->unset = lowering->unset;
    program->n_comms = 1;
    program->comms = alloc_grow(program->comms, 0, &lowering->comms_capacity, sizeof *program->comms);
    program->comms[0] = (struct comm){.n = program->numprocs};
    scope->comms = program->comms;
    scope->variables = alloc_zeroed(tree->n_variables, sizeof *scope->variables);
    scope->tables = alloc_zeroed(tree->n_variables, sizeof *scope->tables);
    lowering->made_in = alloc_array(n_statements, sizeof *lowering->made_in);
    lowering->kept = alloc_zeroed(tree->n_requests, sizeof *lowering->kept);
    scope->slot_of = alloc_zeroed(tree->n_variables, sizeof *scope->slot_of);
    scope->touched = alloc_zeroed(tree->n_variables, sizeof *scope->touched);
}

static void lowering_free(struct lowering *lowering)
{
    struct scope *scope = &lowering->scope;
    free(scope->variables);
    for (size_t v = 0; v < lowering->tree->n_variables; v++)
        free(scope->tables[v].elements);
    free(scope->tables);
    free(scope->slot_of);
    free(scope->touched);
    scope_free(scope);
    free(lowering->assigned);
    free(lowering->row);
    free(lowering->makers);
    for (size_t r = 0; r < lowering->tree->n_requests; r++)
        free(lowering->kept[r].list);
    free(lowering->kept);
    free(lowering->literals);
    free(lowering->made_in);
    free(lowering->has_elements);
    free(lowering->parameters);
    free(lowering->unset);
    free(lowering->site_of);
    free(lowering->chain);
    free(lowering->saved);
    free(lowering->code);
    free(lowering->peers);
    free(lowering->initial);
    free(lowering->requests);
    lower_gather_free(lowering);
    intern_free(&lowering->collectives_index);
    intern_free(&lowering->sites_index);
    intern_free(&lowering->requests_index);
    intern_free(&lowering->serials_index);
    intern_free(&lowering->failures_index);
    intern_free(&lowering->exprs_index);
    intern_free(&lowering->roles_index);
}

static bool expr_has_wildcard(const struct program *program, int32_t expr)
{
    const struct expr_code *code = &program->exprs[expr];
    return expression_has_value(code->ops, code->n, PROGRAM_WILDCARD);
}

/* Whether what an instruction does depends on time. */
static bool instr_waits_for_time(const struct program *program, const struct instr *instr)
{
    switch ((enum instr_op)instr->op) {
    case INSTR_RECV:
    case INSTR_IRECV:
        return (!(instr->dynamic & DYNAMIC_PEER) && instr->peer == INSTR_ANY_SOURCE) ||
               (!(instr->dynamic & DYNAMIC_TAG) && instr->tag == INSTR_ANY_TAG) ||
               (instr->dynamic & DYNAMIC_PEER && expr_has_wildcard(program, instr->peer)) ||
               (instr->dynamic & DYNAMIC_TAG && expr_has_wildcard(program, instr->tag));
#define X(name) case INSTR_##name:
        INSTR_TIMED_LIST(X)
#undef X
        return true;
    case INSTR_WAIT:
        return instr->binds;
    default:
        return false;
    }
}

static bool roles_wait_for_time(const struct program *program)
{
    for (int32_t r = 0; r < program->n_roles; r++)
        for (int32_t i = 0; i < program->roles[r].n_code; i++)
            if (instr_waits_for_time(program, &program->roles[r].code[i]))
                return true;
    return false;
}

enum status program_lower(struct program **out, const struct tree *tree, const struct lower_options *options,
                          struct diags *diags)
{
    assert(options->numprocs >= 1 && options->nodes >= 1 && options->ppn >= 1);
    struct program *program = alloc_zeroed(1, sizeof *program);
    program->tree = tree;
    program->numprocs = options->numprocs;
    program->nodes = options->nodes;
    program->ppn = options->ppn;
    program->cyclic = options->cyclic;
    program->sockets = options->sockets;
    program->socket_fill = options->socket_fill;
    struct lowering lowering = {.program = program, .tree = tree, .options = options, .diags = diags};
    lowering_init(&lowering);
    lower_scan(&lowering);
    lower_parameters(&lowering);
    lower_gather(&lowering);
    program->role_of = alloc_array((size_t)program->numprocs, sizeof *program->role_of);
    for (int process = 0; process < program->numprocs && lowering.status == STATUS_OK; process++)
        lower_process(&lowering, process);
    program->time_decides = (lowering.keeps_wildcards && lowering.receives_variables) || roles_wait_for_time(program);
    enum status status = lowering.status;
    lowering_free(&lowering);
    if (status == STATUS_OK)
        *out = program;
    else
        program_destroy(program);
    return status;
}
