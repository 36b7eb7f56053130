/* Folding, compiling and running expressions. Trees are built by hand, so nothing here depends on the parser. */
#include "directives/expression.h"
#include "directives/fold.h"
#include "directives/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- trees ---- */

static struct arena arena = ARENA_EMPTY;
static const char loop_declaration, other_declaration;

static struct expr *node(enum expr_kind kind, int n)
{
    struct expr *expr = arena_alloc(&arena, 1, sizeof *expr);
    expr->kind = kind;
    expr->n = n;
    expr->a = arena_alloc(&arena, (size_t)n + 1, sizeof *expr->a);
    return expr;
}

static struct expr *of_comm(enum comm_function function)
{
    struct expr *expr = node(EXPR_COMM, 1);
    expr->comm_function = function;
    return expr;
}

static struct expr *number(struct value value)
{
    struct expr *expr = node(EXPR_VALUE, 0);
    expr->value = value;
    return expr;
}

static struct expr *integer(int64_t i)
{
    return number(value_int(i));
}

static struct expr *name(const char *text, enum symbol_kind symbol, const void *declaration, int index)
{
    struct expr *expr = node(EXPR_NAME, 0);
    expr->name = text;
    expr->symbol = symbol;
    expr->declaration = declaration;
    expr->index = index;
    return expr;
}

static struct expr *procnum(void)
{
    return name("procnum", SYMBOL_PROCNUM, NULL, 0);
}

static struct expr *loop_variable(void)
{
    return name("i", SYMBOL_LOOP, &loop_declaration, 0);
}

static struct expr *variable(int index)
{
    static const char *const names[] = {"k", "m"};
    return name(names[index], SYMBOL_VARIABLE, NULL, index);
}

static struct expr *binary(enum binary op, struct expr *a, struct expr *b)
{
    struct expr *expr = node(EXPR_BINARY, 2);
    expr->op = op;
    expr->a[0] = a;
    expr->a[1] = b;
    return expr;
}

static struct expr *unary(enum expr_kind kind, struct expr *a)
{
    struct expr *expr = node(kind, 1);
    expr->a[0] = a;
    return expr;
}

static struct expr *condition(struct expr *test, struct expr *a, struct expr *b)
{
    struct expr *expr = node(EXPR_CONDITION, 3);
    expr->a[0] = test;
    expr->a[1] = a;
    expr->a[2] = b;
    return expr;
}

static struct expr *call(enum function function, int n, struct expr *a, struct expr *b)
{
    struct expr *expr = node(EXPR_CALL, n);
    expr->function = function;
    expr->a[0] = a;
    if (n > 1)
        expr->a[1] = b;
    return expr;
}

/* ---- a scope: process 5 of 8, node 2 of 4, two variables (slots 0 and 1), loop variable in slot 2 ---- */

static struct known variables[2];
static int32_t slot_of[2];
static bool touched[2];
static const struct value parameters[] = {{VALUE_INT, {.i = 7}}, {VALUE_NONE, {0}}};
static const char *const unset[] = {"`k` is used before it is Set", "`m` is used before it is Set"};

/* MPI_COMM_WORLD, and processes 7, 5 and 2 in this order. */
static int32_t members[] = {7, 5, 2}, by_process[] = {2, 1, 0};
static const struct comm comms[] = {{8, NULL, NULL, NULL}, {3, members, by_process, NULL}};

static struct scope make_scope(void)
{
    memset(variables, 0, sizeof variables);
    memset(touched, 0, sizeof touched);
    slot_of[0] = 0;
    slot_of[1] = 1;
    struct scope scope = {.process = 5, .node = 2, .numprocs = 8, .nodes = 4, .ppn = 2, .parameters = parameters,
                          .variables = variables, .slot_of = slot_of, .touched = touched, .unset = unset,
                          .comms = comms};
    return scope;
}

static void assert_value(struct value value, struct value expected)
{
    assert_int_equal(value.kind, expected.kind);
    if (value.kind == VALUE_INT)
        assert_true(value.i == expected.i);
    else
        assert_memory_equal(&value.r, &expected.r, sizeof value.r);
}

static struct folded fold(struct scope *scope, const struct expr *expr)
{
    struct folded folded;
    scope_fold(scope, expr, &folded);
    return folded;
}

static void assert_known(const struct expr *expr, struct value expected, bool relative)
{
    struct scope scope = make_scope();
    struct folded folded = fold(&scope, expr);
    assert_int_equal(folded.kind, FOLD_KNOWN);
    assert_value(folded.value, expected);
    assert_int_equal(folded.relative, relative);
    scope_free(&scope);
}

static void assert_problem(const struct expr *expr, const char *text, const struct expr *blamed)
{
    struct scope scope = make_scope();
    variables[0] = (struct known){.is_known = true}; /* never set */
    struct folded folded = fold(&scope, expr);
    assert_int_equal(folded.kind, FOLD_PROBLEM);
    assert_string_equal(folded.problem, text);
    assert_ptr_equal(folded.at, &blamed->at);
    scope_free(&scope);
}

/* ---- tests ---- */

static void names_have_their_values(void **state)
{
    (void)state;
    assert_known(procnum(), value_int(5), true);
    assert_known(name("node", SYMBOL_NODE, NULL, 0), value_int(2), true);
    assert_known(name("numprocs", SYMBOL_NUMPROCS, NULL, 0), value_int(8), false);
    assert_known(name("nodes", SYMBOL_NODES, NULL, 0), value_int(4), false);
    assert_known(name("ppn", SYMBOL_PPN, NULL, 0), value_int(2), false);
    assert_known(name("N", SYMBOL_PARAMETER, NULL, 0), value_int(7), false);
    assert_known(name("MPI_PROC_NULL", SYMBOL_PROC_NULL, NULL, 0), value_int(PROGRAM_PROC_NULL), false);
    assert_known(name("MPI_ANY_TAG", SYMBOL_WILDCARD, NULL, 0), value_int(PROGRAM_WILDCARD), false);
}

static void arithmetic_stays_relative_and_comparison_does_not(void **state)
{
    (void)state;
    struct expr *next = binary(BINARY_MOD, binary(BINARY_ADD, procnum(), integer(1)),
                               name("numprocs", SYMBOL_NUMPROCS, NULL, 0));
    assert_known(next, value_int(6), true);
    assert_known(binary(BINARY_DIV, integer(17), integer(5)), value_int(3), false);
    assert_known(binary(BINARY_EQ, procnum(), integer(5)), value_int(1), false);
    assert_known(condition(binary(BINARY_EQ, procnum(), integer(5)), integer(3), integer(4)), value_int(3), false);
    assert_known(condition(integer(0), integer(3), unary(EXPR_NEGATE, procnum())), value_int(-5), true);
    assert_known(call(FUNCTION_max, 2, procnum(), integer(9)), value_int(9), true);
    assert_known(call(FUNCTION_sqrt, 1, number(value_real(2.385)), NULL), value_real(1.54434452114805), false);
    assert_known(unary(EXPR_NOT, procnum()), value_int(0), false);
}

static void logic_takes_the_short_cut(void **state)
{
    (void)state;
    struct expr *broken = binary(BINARY_DIV, integer(1), integer(0));
    assert_known(binary(BINARY_AND, integer(0), broken), value_int(0), false);
    assert_known(binary(BINARY_OR, integer(3), broken), value_int(1), false);
    assert_known(binary(BINARY_AND, integer(2), number(value_real(0.5))), value_int(1), false);
    assert_known(condition(integer(1), integer(4), broken), value_int(4), false);
}

static void problems_blame_the_smallest_expression(void **state)
{
    (void)state;
    struct expr *broken = binary(BINARY_DIV, integer(10), binary(BINARY_SUB, procnum(), integer(5)));
    assert_problem(binary(BINARY_ADD, integer(2), broken), "division by zero", broken);
    struct expr *k = variable(0);
    assert_problem(binary(BINARY_ADD, k, integer(1)), "`k` is used before it is Set", k);
    struct expr *world = name("MPI_COMM_WORLD", SYMBOL_COMM_WORLD, NULL, 0);
    assert_problem(world, "MPI_COMM_WORLD is not a number", world);
    struct expr *parameter = name("M", SYMBOL_PARAMETER, NULL, 1);
    assert_problem(unary(EXPR_NEGATE, parameter), fold_parameter_problem, parameter);
    struct expr *in = of_comm(COMM_FUNCTION_procnum_in);
    in->a[0] = variable(0);
    assert_problem(binary(BINARY_ADD, in, integer(1)), "`k` is used before it is Set", in);
    struct expr *size = of_comm(COMM_FUNCTION_numprocs_in);
    size->a[0] = variable(1);
    assert_problem(size, "which communicator this is cannot be known before the run", size);
    struct expr *largest = integer(INT64_MAX);
    struct expr *overflow = call(FUNCTION_abs, 1, binary(BINARY_SUB, unary(EXPR_NEGATE, largest), integer(2)), NULL);
    assert_problem(overflow, "integer overflow", overflow->a[0]);
}

static void deep_expressions_are_refused_not_crashed_on(void **state)
{
    (void)state;
    struct expr *deep = integer(1);
    for (int i = 0; i < 5000; i++)
        deep = binary(BINARY_ADD, deep, integer(1));
    struct scope scope = make_scope();
    struct folded folded = fold(&scope, deep);
    assert_int_equal(folded.kind, FOLD_PROBLEM);
    assert_string_equal(folded.problem, "the expression nests too deeply");

    /* i + (i + (i + ...)) keeps all its values on the stack */
    scope_bind(&scope, &loop_declaration, 0, NULL, 2);
    struct expr *wide = loop_variable();
    for (int i = 1; i < EXPR_STACK; i++)
        wide = binary(BINARY_ADD, loop_variable(), wide);
    struct value slots[3] = {{VALUE_NONE, {0}}, {VALUE_NONE, {0}}, {VALUE_INT, {.i = 3}}}, out;
    assert_null(scope_compile(&scope, wide, 1));
    assert_int_equal(expression_depth(scope.ops, (int32_t)scope.n_ops), EXPR_STACK);
    assert_null(expression_eval(scope.ops, (int32_t)scope.n_ops, 5, 2, slots, &out));
    assert_value(out, value_int(3 * EXPR_STACK));
    wide = binary(BINARY_ADD, loop_variable(), wide);
    assert_string_equal(scope_compile(&scope, wide, 1), "the expression needs more than 128 values at once");
    scope_free(&scope);
}

static void the_innermost_binding_counts(void **state)
{
    (void)state;
    struct scope scope = make_scope();
    struct folded three = {.kind = FOLD_KNOWN, .relative = true, .value = value_int(3)};
    struct folded four = {.kind = FOLD_KNOWN, .value = value_int(4)};
    struct expr *second = name("b", SYMBOL_ARGUMENT, &other_declaration, 1);
    scope_bind(&scope, &other_declaration, 0, &four, -1);
    scope_bind(&scope, &other_declaration, 1, &three, -1);
    assert_int_equal(fold(&scope, second).value.i, 3);
    assert_true(fold(&scope, second).relative);
    scope_bind(&scope, NULL, 1, &four, -1); /* a call in the making hides nothing */
    assert_int_equal(fold(&scope, second).value.i, 3);
    scope.bindings[2].declaration = &other_declaration;
    assert_int_equal(fold(&scope, second).value.i, 4);
    scope_free(&scope);
}

static void code_keeps_procnum_and_the_slots_it_needs(void **state)
{
    (void)state;
    struct scope scope = make_scope();
    scope_bind(&scope, &loop_declaration, 0, NULL, 2);
    variables[0] = (struct known){.is_known = true, .relative = true, .value = value_int(10)};
    variables[1] = (struct known){.is_known = true, .relative = false, .value = value_int(20)};
    /* (procnum + i) * (3 + 4) + k + m */
    struct expr *expr = binary(BINARY_MUL, binary(BINARY_ADD, procnum(), loop_variable()),
                               binary(BINARY_ADD, integer(3), integer(4)));
    expr = binary(BINARY_ADD, binary(BINARY_ADD, expr, variable(0)), variable(1));
    assert_int_equal(fold(&scope, expr).kind, FOLD_UNKNOWN);
    assert_false(touched[0] || touched[1]);
    assert_null(scope_compile(&scope, expr, 1));
    assert_true(touched[0]);   /* known, but different in other processes of the role */
    assert_false(touched[1]);
    assert_int_equal(scope.n_ops, 9); /* 3 + 4 is one of them */
    struct value slots[3] = {{VALUE_INT, {.i = 100}}, {VALUE_NONE, {0}}, {VALUE_INT, {.i = 2}}}, out;
    assert_null(expression_eval(scope.ops, 9, 6, 3, slots, &out));
    assert_value(out, value_int((6 + 2) * 7 + 100 + 20));
    slots[0].kind = VALUE_NONE;
    assert_string_equal(expression_eval(scope.ops, 9, 6, 3, slots, &out), "`k` is used before it is Set");
    scope_free(&scope);
}

static void units_multiply(void **state)
{
    (void)state;
    struct scope scope = make_scope();
    struct value out;
    assert_null(scope_compile(&scope, number(value_real(3.24)), 1e-3));
    assert_int_equal(scope.n_ops, 1);
    assert_value(scope.ops[0].value, value_real(3.24 * 1e-3));
    assert_null(scope_compile(&scope, binary(BINARY_MUL, procnum(), number(value_real(3.24))), 1e-3));
    assert_null(expression_eval(scope.ops, (int32_t)scope.n_ops, 5, 2, NULL, &out));
    assert_value(out, value_real(5 * 3.24 * 1e-3));
    scope_free(&scope);
}

static void elsewhere_asks_whether_it_is_another_process(void **state)
{
    (void)state;
    struct scope scope = make_scope();
    struct value out;
    assert_null(scope_compile_elsewhere(&scope, integer(5), 0));
    assert_null(expression_eval(scope.ops, (int32_t)scope.n_ops, 5, 2, NULL, &out));
    assert_value(out, value_int(0));
    assert_null(expression_eval(scope.ops, (int32_t)scope.n_ops, 6, 2, NULL, &out));
    assert_value(out, value_int(1));
    scope_free(&scope);
}

static void a_communicator_gives_rank_and_size(void **state)
{
    (void)state;
    struct scope scope = make_scope();
    struct expr *rank = of_comm(COMM_FUNCTION_procnum_in), *size = of_comm(COMM_FUNCTION_numprocs_in);
    rank->a[0] = size->a[0] = name("c", SYMBOL_VARIABLE, NULL, 1);
    variables[1] = (struct known){.is_known = true, .value = value_int(1)};
    struct folded folded = fold(&scope, rank);
    assert_value(folded.value, value_int(1));
    assert_true(folded.relative);
    folded = fold(&scope, size);
    assert_value(folded.value, value_int(3));
    assert_false(folded.relative);
    assert_null(scope_compile(&scope, binary(BINARY_ADD, rank, integer(10)), 1));
    struct value out;
    assert_null(expression_eval(scope.ops, (int32_t)scope.n_ops, 2, 0, NULL, &out));
    assert_value(out, value_int(12));
    assert_null(expression_eval(scope.ops, (int32_t)scope.n_ops, 7, 0, NULL, &out));
    assert_value(out, value_int(10));
    assert_null(scope_compile_elsewhere(&scope, integer(1), 1));
    assert_null(expression_eval(scope.ops, (int32_t)scope.n_ops, 5, 0, NULL, &out));
    assert_value(out, value_int(0));
    variables[1].value = value_int(SCOPE_COMM_NULL);
    folded = fold(&scope, rank);
    assert_int_equal(folded.kind, FOLD_PROBLEM);
    assert_string_equal(folded.problem, "this process is not a member of the communicator");
    assert_false(scope.unmade);
    variables[1].value = value_int(SCOPE_COMM_UNMADE);
    assert_int_equal(fold(&scope, size).kind, FOLD_PROBLEM);
    assert_true(scope.unmade);
    for (int32_t process = 0; process < 8; process++) {
        int32_t in = comm_rank(&comms[1], process);
        assert_true(in < 0 ? process != 7 && process != 5 && process != 2 : comm_process(&comms[1], in) == process);
    }
    assert_int_equal(comm_rank(&comms[0], 8), -1);
    scope_free(&scope);
}

/* ---- the same random expression folded and run ---- */

static uint64_t next_random(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *seed >> 33;
}

static struct expr *random_expr(uint64_t *seed, int depth)
{
    uint64_t kind = next_random(seed) % (depth > 0 ? 12 : 5);
    switch (kind) {
    case 0: return integer((int64_t)(next_random(seed) % 7) - 3);
    case 1: return number(value_real((double)(next_random(seed) % 9) * 0.75));
    case 2: return procnum();
    case 3: return loop_variable();
    case 4: return variable((int)(next_random(seed) % 2));
    case 5: return unary(EXPR_NEGATE, random_expr(seed, depth - 1));
    case 6: return unary(EXPR_NOT, random_expr(seed, depth - 1));
    case 7: {
        struct expr *test = random_expr(seed, depth - 1), *a = random_expr(seed, depth - 1);
        return condition(test, a, random_expr(seed, depth - 1));
    }
    case 8: {
        static const enum function one[] = {FUNCTION_abs, FUNCTION_floor, FUNCTION_sqrt, FUNCTION_ilog2};
        enum function function = one[next_random(seed) % 4];
        return call(function, 1, random_expr(seed, depth - 1), NULL);
    }
    case 9: {
        struct expr *a = random_expr(seed, depth - 1);
        return call(next_random(seed) % 2 ? FUNCTION_min : FUNCTION_max, 2, a, random_expr(seed, depth - 1));
    }
    default: {
        enum binary op = (enum binary)(next_random(seed) % 13);
        struct expr *a = random_expr(seed, depth - 1);
        return binary(op, a, random_expr(seed, depth - 1));
    }
    }
}

static void folding_and_running_agree(void **state)
{
    (void)state;
    uint64_t seed = 2385;
    int problems = 0, jumps = 0;
    for (int round = 0; round < 20000; round++) {
        struct expr *expr = random_expr(&seed, 4);
        struct value i = value_int((int64_t)(next_random(&seed) % 5) - 2), k = value_int(2), m = value_real(1.25);
        struct value slots[3] = {k, m, i}, out = value_int(-77);
        struct scope known = make_scope(), unknown = make_scope();
        struct folded binding = {.kind = FOLD_KNOWN, .value = i};
        scope_bind(&known, &loop_declaration, 0, &binding, -1);
        scope_bind(&unknown, &loop_declaration, 0, NULL, 2);
        variables[0] = (struct known){.is_known = true, .value = k};
        variables[1] = (struct known){.is_known = true, .value = m};
        struct folded folded = fold(&known, expr);
        variables[0].is_known = variables[1].is_known = false;
        assert_null(scope_compile(&unknown, expr, 1));
        const char *problem = expression_eval(unknown.ops, (int32_t)unknown.n_ops, 5, 2, slots, &out);
        for (size_t op = 0; op < unknown.n_ops; op++)
            jumps += unknown.ops[op].code == CODE_JUMP;
        if (problem) {
            assert_int_equal(folded.kind, FOLD_PROBLEM);
            assert_string_equal(folded.problem, problem);
            problems++;
        } else {
            assert_int_equal(folded.kind, FOLD_KNOWN);
            assert_value(folded.value, out);
        }
        scope_free(&known);
        scope_free(&unknown);
        arena_free(&arena);
    }
    assert_in_range(problems, 1000, 15000); /* the test has seen both */
    assert_true(jumps > 1000);
}

static void assert_prints(const struct expr *expr, const char *expected)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    expression_print(expr, out);
    fclose(out);
    assert_string_equal(text, expected);
    free(text);
}

static void printing_uses_the_parentheses_it_needs(void **state)
{
    (void)state;
    struct expr *sum = binary(BINARY_ADD, procnum(), integer(1));
    struct expr *P = name("numprocs", SYMBOL_NUMPROCS, NULL, 0);
    assert_prints(binary(BINARY_MOD, sum, P), "(procnum + 1)%numprocs");
    assert_prints(binary(BINARY_SUB, integer(1), binary(BINARY_SUB, integer(2), number(value_real(2.385)))),
                  "1 - (2 - 2.385)");
    assert_prints(binary(BINARY_SUB, binary(BINARY_SUB, integer(1), integer(2)), integer(3)), "1 - 2 - 3");
    assert_prints(unary(EXPR_NEGATE, sum), "-(procnum + 1)");
    assert_prints(condition(binary(BINARY_OR, P, unary(EXPR_NOT, P)), integer(1), condition(P, integer(2), integer(3))),
                  "numprocs || !numprocs ? 1 : numprocs ? 2 : 3");
    assert_prints(binary(BINARY_MUL, condition(P, integer(1), integer(2)), integer(2)), "(numprocs ? 1 : 2)*2");
    assert_prints(call(FUNCTION_min, 2, sum, P), "min(procnum + 1, numprocs)");
    struct expr *in = of_comm(COMM_FUNCTION_numprocs_in);
    in->a[0] = variable(1);
    assert_prints(in, "numprocs_in(m)");
}

static int release(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

static bool quick_answer(const struct expr_op ops[], int32_t n, const struct value slots[], struct value *out)
{
    struct expr_quick quick = expression_quick_of(ops, n);
    return expression_quick(&quick, slots, out);
}

/* What expression_quick answers is what expression_eval answers. */
static void quick_and_slow_agree(void **state)
{
    (void)state;
    const int64_t chosen[] = {0, 1, -1, 7, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN, VALUE_PROC_NULL, VALUE_WILDCARD};
    enum { N = sizeof chosen / sizeof chosen[0] };
    int n_quick = 0;
    for (int op = BINARY_OR; op <= BINARY_MOD; op++)
        for (int i = 0; i < N * N; i++) {
            const struct value slots[] = {value_int(chosen[i % N]), value_real(0.5), {.kind = VALUE_NONE}};
            struct expr_op ops[3] = {{.code = CODE_SLOT, .arg = 0, .slot = {"a", "unset"}},
                                     {.code = CODE_CONST, .value = value_int(chosen[i / N])},
                                     {.code = CODE_BINARY, .detail = (uint8_t)op}};
            struct value quick, slow = value_int(0);
            if (quick_answer(ops, 3, slots, &quick)) {
                assert_null(expression_eval(ops, 3, 5, 0, slots, &slow));
                assert_true(quick.kind == VALUE_INT && slow.kind == VALUE_INT && quick.i == slow.i);
                n_quick++;
            }
            ops[0].arg = 1 + i % 2; /* a real, or nothing */
            assert_false(quick_answer(ops, 3, slots, &quick));
            assert_false(quick_answer(ops, 1, slots, &quick));
        }
    assert_int_equal(n_quick, 6 * N * N + 2 * 6 * 6);
    const struct expr_op procnum = {.code = CODE_PROCNUM}, seven = {.code = CODE_CONST, .value = value_int(7)};
    const struct expr_op half = {.code = CODE_CONST, .value = value_real(0.5)};
    struct value value;
    assert_false(quick_answer(&procnum, 1, NULL, &value));
    assert_false(quick_answer(&half, 1, NULL, &value));
    assert_true(quick_answer(&seven, 1, NULL, &value) && value.kind == VALUE_INT && value.i == 7);
    const struct value slots[] = {value_int(41), value_int(40)};
    const struct expr_op both[3] = {{.code = CODE_SLOT, .arg = 0, .slot = {"a", "unset"}},
                                    {.code = CODE_SLOT, .arg = 1, .slot = {"b", "unset"}},
                                    {.code = CODE_BINARY, .detail = BINARY_SUB}};
    assert_true(quick_answer(both, 3, slots, &value) && value.i == 1);
    assert_true(quick_answer(both, 1, slots, &value) && value.i == 41);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(names_have_their_values, release),
        cmocka_unit_test_teardown(arithmetic_stays_relative_and_comparison_does_not, release),
        cmocka_unit_test_teardown(logic_takes_the_short_cut, release),
        cmocka_unit_test_teardown(problems_blame_the_smallest_expression, release),
        cmocka_unit_test_teardown(deep_expressions_are_refused_not_crashed_on, release),
        cmocka_unit_test_teardown(the_innermost_binding_counts, release),
        cmocka_unit_test_teardown(code_keeps_procnum_and_the_slots_it_needs, release),
        cmocka_unit_test_teardown(units_multiply, release),
        cmocka_unit_test_teardown(elsewhere_asks_whether_it_is_another_process, release),
        cmocka_unit_test_teardown(a_communicator_gives_rank_and_size, release),
        cmocka_unit_test_teardown(folding_and_running_agree, release),
        cmocka_unit_test(quick_and_slow_agree),
        cmocka_unit_test_teardown(printing_uses_the_parentheses_it_needs, release),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
