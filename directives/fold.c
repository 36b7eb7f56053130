#include "directives/fold.h"

#include "common/alloc.h"
#include "directives/program.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

const char fold_parameter_problem[] = "it needs a parameter that cannot be computed, or itself";

/* Deeper expressions are refused; the C stack bears this under sanitizers too. */
enum { FOLD_DEPTH = 1000 };

static void emit(struct scope *scope, const struct expr *expr, int depth);

static struct expr_op *push(struct scope *scope, enum expr_code_op code)
{
    if (scope->n_ops == scope->ops_capacity)
        scope->ops = alloc_grow(scope->ops, scope->n_ops, &scope->ops_capacity, sizeof *scope->ops);
    struct expr_op *op = &scope->ops[scope->n_ops++];
    memset(op, 0, sizeof *op);
    op->code = (uint8_t)code;
    return op;
}

/* Field by field: a struct's padding may hold anything, and codes are compared as bytes. */
static void push_const(struct scope *scope, struct value value, bool relative)
{
    struct expr_op *op = push(scope, CODE_CONST);
    op->detail = relative;
    op->value.kind = value.kind;
    op->value.i = value.i;
}

static struct expr_op *push_problem(struct scope *scope, const struct expr *expr, const char *text)
{
    struct expr_op *op = push(scope, CODE_PROBLEM);
    op->problem = text;
    if (!scope->problem_at)
        scope->problem_at = &expr->at;
    return op;
}

/* True when the code from `start` to `end` is one constant. */
static bool is_const(const struct scope *scope, size_t start, size_t end)
{
    return end == start + 1 && scope->ops[start].code == CODE_CONST;
}

/* Ends an operation whose operands began at `start`: replaces them by their constant result, or leaves `op` behind
 * them. */
static void finish(struct scope *scope, const struct expr *expr, size_t start, const char *problem, struct value result,
                   bool relative)
{
    if (!problem) {
        scope->n_ops = start;
        push_const(scope, result, relative);
    } else if (!scope->problem_at) {
        scope->problem_at = &expr->at;
    }
}

static void emit_truth(struct scope *scope, size_t start)
{
    if (is_const(scope, start, scope->n_ops)) {
        struct value truth = value_int(value_is_true(scope->ops[start].value));
        scope->n_ops = start;
        push_const(scope, truth, false);
    } else {
        push(scope, CODE_TRUTH);
    }
}

static void emit_logic(struct scope *scope, const struct expr *expr, int depth)
{
    bool is_or = expr->op == BINARY_OR;
    size_t start = scope->n_ops;
    emit(scope, expr->a[0], depth);
    if (is_const(scope, start, scope->n_ops)) {
        bool truth = value_is_true(scope->ops[start].value);
        scope->n_ops = start;
        if (truth == is_or) {
            push_const(scope, value_int(truth), false);
            return;
        }
        emit(scope, expr->a[1], depth);
        emit_truth(scope, start);
        return;
    }
    size_t jump = scope->n_ops;
    push(scope, is_or ? CODE_OR : CODE_AND);
    emit(scope, expr->a[1], depth);
    emit_truth(scope, jump + 1);
    scope->ops[jump].arg = (int32_t)scope->n_ops;
}

static void emit_binary(struct scope *scope, const struct expr *expr, int depth)
{
    if (expr->op == BINARY_AND || expr->op == BINARY_OR) {
        emit_logic(scope, expr, depth);
        return;
    }
    size_t start = scope->n_ops;
    emit(scope, expr->a[0], depth);
    size_t middle = scope->n_ops;
    emit(scope, expr->a[1], depth);
    if (is_const(scope, start, middle) && is_const(scope, middle, scope->n_ops)) {
        const struct expr_op *a = &scope->ops[start], *b = &scope->ops[middle];
        bool compares = expr->op >= BINARY_EQ && expr->op <= BINARY_GE;
        struct value result = {VALUE_NONE, {0}};
        const char *problem = value_binary(expr->op, a->value, b->value, &result);
        finish(scope, expr, start, problem, result, !compares && (a->detail || b->detail));
        if (!problem)
            return;
    }
    push(scope, CODE_BINARY)->detail = (uint8_t)expr->op;
}

static void emit_unary(struct scope *scope, const struct expr *expr, int depth)
{
    size_t start = scope->n_ops;
    emit(scope, expr->a[0], depth);
    if (is_const(scope, start, scope->n_ops)) {
        struct value a = scope->ops[start].value, result = {VALUE_NONE, {0}};
        bool relative = expr->kind == EXPR_NEGATE && scope->ops[start].detail;
        const char *problem = expr->kind == EXPR_NEGATE ? value_negate(a, &result) : value_not(a, &result);
        finish(scope, expr, start, problem, result, relative);
        if (!problem)
            return;
    }
    push(scope, expr->kind == EXPR_NEGATE ? CODE_NEGATE : CODE_NOT);
}

static void emit_condition(struct scope *scope, const struct expr *expr, int depth)
{
    size_t start = scope->n_ops;
    emit(scope, expr->a[0], depth);
    if (is_const(scope, start, scope->n_ops)) {
        bool truth = value_is_true(scope->ops[start].value);
        scope->n_ops = start;
        emit(scope, expr->a[truth ? 1 : 2], depth);
        return;
    }
    size_t unless = scope->n_ops;
    push(scope, CODE_UNLESS);
    emit(scope, expr->a[1], depth);
    size_t jump = scope->n_ops;
    push(scope, CODE_JUMP);
    scope->ops[unless].arg = (int32_t)scope->n_ops;
    emit(scope, expr->a[2], depth);
    scope->ops[jump].arg = (int32_t)scope->n_ops;
}

/* FUNCTION_LIST takes at most 16 arguments. */
enum { MOST_ARGUMENTS = 16 };

/* Operands from `first` on. True where all are constants: their values, and whether one came from procnum. */
static bool emit_arguments(struct scope *scope, const struct expr *expr, int first, int depth,
                           struct value arguments[MOST_ARGUMENTS], bool *relative)
{
    bool constant = true;
    assert(expr->n - first <= MOST_ARGUMENTS);
    *relative = false;
    for (int i = first; i < expr->n; i++) {
        size_t from = scope->n_ops;
        emit(scope, expr->a[i], depth);
        constant = constant && is_const(scope, from, scope->n_ops);
        if (constant) {
            arguments[i - first] = scope->ops[from].value;
            *relative = *relative || scope->ops[from].detail;
        }
    }
    return constant;
}

static void emit_call(struct scope *scope, const struct expr *expr, int depth)
{
    struct value arguments[MOST_ARGUMENTS];
    bool relative;
    size_t start = scope->n_ops;
    if (emit_arguments(scope, expr, 0, depth, arguments, &relative)) {
        struct value result = {VALUE_NONE, {0}};
        const char *problem = value_call(expr->function, (size_t)expr->n, arguments, &result);
        finish(scope, expr, start, problem, result, relative);
        if (!problem)
            return;
    }
    struct expr_op *op = push(scope, CODE_CALL);
    op->detail = (uint8_t)expr->function;
    op->n = (uint16_t)expr->n;
}

static struct expr_op *push_slot(struct scope *scope, const char *name, const char *unset, int32_t slot)
{
    struct expr_op *op = push(scope, CODE_SLOT);
    op->arg = slot;
    op->slot.name = name;
    op->slot.unset = unset;
    return op;
}

static void emit_binding(struct scope *scope, const struct expr *expr)
{
    for (size_t i = scope->n_bindings; i-- > 0;) {
        const struct binding *binding = &scope->bindings[i];
        if (binding->declaration != expr->declaration)
            continue;
        if (expr->symbol == SYMBOL_ARGUMENT && binding->index != expr->index)
            continue;
        if (binding->is_known)
            push_const(scope, binding->value, binding->relative);
        else
            push_slot(scope, expr->name, NULL, binding->slot);
        return;
    }
    assert(false && "a checked tree has its names in sight");
}

static void emit_variable(struct scope *scope, const struct expr *expr)
{
    int v = expr->index;
    const struct known *known = &scope->variables[v];
    if (known->is_known && known->value.kind == VALUE_NONE) {
        push_problem(scope, expr, scope->unset[v]);
    } else if (known->is_known && !(scope->keep_process && known->relative)) {
        push_const(scope, known->value, known->relative);
    } else {
        scope->touched[v] = true;
        push_slot(scope, expr->name, scope->unset[v], scope->slot_of[v]);
    }
}

struct known *scope_element(struct scope *scope, int variable, int64_t i)
{
    struct known_table *table = &scope->tables[variable];
    assert(i >= 0 && i < TABLE_MOST);
    if (i >= table->capacity) {
        table->capacity = 2 * (int32_t)i + 8;
        table->elements = alloc_resize(table->elements, (size_t)table->capacity, sizeof *table->elements);
    }
    while (table->n <= i)
        table->elements[table->n++] = (struct known){.is_known = true};
    return &table->elements[i];
}

/* The index is the constant in scope->ops[start]. */
static void emit_known_element(struct scope *scope, const struct expr *expr, size_t start)
{
    const int v = expr->index;
    const struct known_table *table = &scope->tables[v];
    int64_t i;
    bool is_index = value_as_integer(scope->ops[start].value, &i) && i >= 0;
    scope->n_ops = start;
    if (!is_index || i >= TABLE_MOST) {
        push_problem(scope, expr, expression_index_problem);
        return;
    }
    const uint16_t named = table->is_one ? 0 : (uint16_t)(i + 1);
    const struct known never = {.is_known = true}, *known = i < table->n ? &table->elements[i] : &never;
    if (known->is_known && known->value.kind == VALUE_NONE) {
        push_problem(scope, expr, scope->unset[v])->n = named;
    } else if (known->is_known && !(scope->keep_process && known->relative)) {
        push_const(scope, known->value, known->relative);
    } else {
        scope->touched[v] = true;
        push_slot(scope, expr->name, scope->unset[v], scope->slot_of[v] + (int32_t)i)->n = named;
    }
}

static void emit_element(struct scope *scope, const struct expr *expr, int depth)
{
    size_t start = scope->n_ops;
    emit(scope, expr->a[0], depth);
    if (is_const(scope, start, scope->n_ops)) {
        emit_known_element(scope, expr, start);
        return;
    }
    struct expr_op *op = push(scope, CODE_ELEMENT);
    op->arg = scope->slot_of[expr->index];
    op->n = (uint16_t)scope->tables[expr->index].n_slots;
    op->slot.name = expr->name;
    op->slot.unset = scope->unset[expr->index];
    scope->touched[expr->index] = true;
}

static void emit_name(struct scope *scope, const struct expr *expr)
{
    switch (expr->symbol) {
    case SYMBOL_PROCNUM:
        if (scope->keep_process)
            push(scope, CODE_PROCNUM);
        else
            push_const(scope, value_int(scope->process), true);
        break;
    case SYMBOL_NODE:
        if (scope->keep_process)
            push(scope, CODE_NODE);
        else
            push_const(scope, value_int(scope->node), true);
        break;
    case SYMBOL_NUMPROCS:
        push_const(scope, value_int(scope->numprocs), false);
        break;
    case SYMBOL_NODES:
        push_const(scope, value_int(scope->nodes), false);
        break;
    case SYMBOL_PPN:
        push_const(scope, value_int(scope->ppn), false);
        break;
    case SYMBOL_LOOP:
    case SYMBOL_ARGUMENT:
        emit_binding(scope, expr);
        break;
    case SYMBOL_VARIABLE:
        emit_variable(scope, expr);
        break;
    case SYMBOL_PARAMETER:
        if (scope->parameters[expr->index].kind == VALUE_NONE)
            push_problem(scope, expr, fold_parameter_problem);
        else
            push_const(scope, scope->parameters[expr->index], false);
        break;
    case SYMBOL_WILDCARD:
        push_const(scope, value_int(PROGRAM_WILDCARD), false);
        break;
    case SYMBOL_PROC_NULL:
        push_const(scope, value_int(PROGRAM_PROC_NULL), false);
        break;
    case SYMBOL_PARTNER:
        if (scope->keep_process)
            push(scope, CODE_PARTNER);
        else
            push_const(scope, value_int(scope->partner), false);
        break;
    case SYMBOL_COMM_WORLD:
        push_problem(scope, expr, "MPI_COMM_WORLD is not a number");
        break;
    }
}

const char *scope_find_comm(struct scope *scope, const struct expr *name, int32_t *comm)
{
    *comm = 0;
    if (name->symbol == SYMBOL_COMM_WORLD)
        return NULL;
    const struct known *known = &scope->variables[name->index];
    if (!known->is_known)
        return "which communicator this is cannot be known before the run";
    if (known->value.kind == VALUE_NONE)
        return scope->unset[name->index];
    if (known->value.i == SCOPE_COMM_UNMADE) {
        scope->unmade = true;
        return "this communicator is not made yet";
    }
    if (known->value.i == SCOPE_COMM_NULL)
        return "this process is not a member of the communicator";
    *comm = (int32_t)known->value.i;
    return NULL;
}

static void push_comm_call(struct scope *scope, const struct comm *comm, enum comm_function function, int n)
{
    struct expr_op *op = push(scope, CODE_COMM);
    op->detail = (uint8_t)function;
    op->n = (uint16_t)n;
    op->comm = comm;
}

static void push_rank(struct scope *scope, const struct comm *comm)
{
    if (!scope->keep_process)
        push_const(scope, value_int(comm_rank(comm, scope->process)), true);
    else if (!comm->members)
        push(scope, CODE_PROCNUM);
    else
        push_comm_call(scope, comm, COMM_FUNCTION_procnum_in, 0);
}

static void emit_comm(struct scope *scope, const struct expr *expr, int depth)
{
    struct value arguments[MOST_ARGUMENTS];
    int32_t of;
    bool relative;
    const char *problem = scope_find_comm(scope, expr->a[0], &of);
    if (problem) {
        push_problem(scope, expr, problem);
        return;
    }
    const struct comm *comm = &scope->comms[of];
    const enum comm_function function = expr->comm_function;
    if (function == COMM_FUNCTION_procnum_in) {
        push_rank(scope, comm);
        return;
    }
    const size_t start = scope->n_ops;
    const bool own = comm_function_is_own(function);
    if (emit_arguments(scope, expr, 1, depth, arguments, &relative) && !(own && scope->keep_process)) {
        struct value result = {VALUE_NONE, {0}};
        problem = comm_call(comm, function, scope->process, (size_t)expr->n - 1, arguments, &result);
        finish(scope, expr, start, problem, result, own || relative);
        if (!problem)
            return;
    }
    push_comm_call(scope, comm, function, expr->n - 1);
}

/* Appends the code of the expression; a constant is always a single CODE_CONST. */
static void emit(struct scope *scope, const struct expr *expr, int depth)
{
    if (depth > FOLD_DEPTH) {
        push_problem(scope, expr, "the expression nests too deeply");
        return;
    }
    switch (expr->kind) {
    case EXPR_VALUE:
        push_const(scope, expr->value, false);
        break;
    case EXPR_NAME:
        emit_name(scope, expr);
        break;
    case EXPR_ELEMENT:
        emit_element(scope, expr, depth + 1);
        break;
    case EXPR_NEGATE:
    case EXPR_NOT:
        emit_unary(scope, expr, depth + 1);
        break;
    case EXPR_BINARY:
        emit_binary(scope, expr, depth + 1);
        break;
    case EXPR_CONDITION:
        emit_condition(scope, expr, depth + 1);
        break;
    case EXPR_CALL:
        emit_call(scope, expr, depth + 1);
        break;
    case EXPR_COMM:
        emit_comm(scope, expr, depth + 1);
        break;
    }
}

static void begin(struct scope *scope, bool keep_process)
{
    scope->n_ops = 0;
    scope->problem_at = NULL;
    scope->keep_process = keep_process;
}

static const char *check_depth(const struct scope *scope)
{
    if (scope->n_ops <= EXPR_STACK || expression_depth(scope->ops, (int32_t)scope->n_ops) <= EXPR_STACK)
        return NULL;
    return "the expression needs more than 128 values at once";
}

bool scope_has_slot(const struct scope *scope)
{
    for (size_t i = 0; i < scope->n_ops; i++)
        if (scope->ops[i].code == CODE_SLOT || scope->ops[i].code == CODE_ELEMENT)
            return true;
    return false;
}

bool scope_has_wildcard(const struct scope *scope)
{
    return expression_has_value(scope->ops, (int32_t)scope->n_ops, PROGRAM_WILDCARD);
}

void scope_fold(struct scope *scope, const struct expr *expr, struct folded *out)
{
    begin(scope, false);
    emit(scope, expr, 0);
    *out = (struct folded){.kind = FOLD_KNOWN};
    if (is_const(scope, 0, scope->n_ops)) {
        out->relative = scope->ops[0].detail;
        out->value = scope->ops[0].value;
        return;
    }
    if (scope_has_slot(scope)) {
        out->kind = FOLD_UNKNOWN;
        return;
    }
    /* All operands are known and yet it did not fold: running it tells which problem comes first. */
    const char *problem = check_depth(scope);
    if (!problem)
        problem = expression_eval(scope->ops, (int32_t)scope->n_ops, scope->process, scope->node, NULL, &out->value);
    if (!problem)
        return;
    out->kind = FOLD_PROBLEM;
    out->problem = problem;
    out->at = scope->problem_at ? scope->problem_at : &expr->at;
}

const char *scope_compile(struct scope *scope, const struct expr *expr, double unit)
{
    begin(scope, true);
    emit(scope, expr, 0);
    if (unit != 1) {
        struct value factor = value_real(unit), result;
        if (is_const(scope, 0, scope->n_ops) &&
            !value_binary(BINARY_MUL, scope->ops[0].value, factor, &result)) {
            scope->n_ops = 0;
            push_const(scope, result, false);
        } else {
            push_const(scope, factor, false);
            push(scope, CODE_BINARY)->detail = BINARY_MUL;
        }
    }
    return check_depth(scope);
}

const char *scope_compile_elsewhere(struct scope *scope, const struct expr *expr, int32_t comm)
{
    begin(scope, true);
    emit(scope, expr, 0);
    push_rank(scope, &scope->comms[comm]);
    push(scope, CODE_BINARY)->detail = BINARY_NE;
    return check_depth(scope);
}

const char *scope_compile_equals(struct scope *scope, const struct expr *expr, int64_t number)
{
    begin(scope, true);
    emit(scope, expr, 0);
    push_const(scope, value_int(number), false);
    push(scope, CODE_BINARY)->detail = BINARY_EQ;
    return check_depth(scope);
}

void scope_compile_value(struct scope *scope, struct value value)
{
    begin(scope, true);
    push_const(scope, value, false);
}

void scope_bind(struct scope *scope, const void *declaration, int index, const struct folded *value, int32_t slot)
{
    scope->bindings = alloc_grow(scope->bindings, scope->n_bindings, &scope->bindings_capacity,
                                 sizeof *scope->bindings);
    struct binding *binding = &scope->bindings[scope->n_bindings++];
    *binding = (struct binding){.declaration = declaration, .index = index, .slot = slot};
    if (value) {
        binding->is_known = true;
        binding->relative = value->relative;
        binding->value = value->value;
    }
}

const char *fold_value_name(struct value value, char text[VALUE_TEXT_BYTES])
{
    if (value.kind == VALUE_INT && value.i == PROGRAM_PROC_NULL)
        return "MPI_PROC_NULL";
    if (value.kind == VALUE_INT && value.i == PROGRAM_WILDCARD)
        return "a wildcard";
    return value_format(value, text);
}

void scope_free(struct scope *scope)
{
    free(scope->bindings);
    free(scope->ops);
}
