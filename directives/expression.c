#include "directives/expression.h"

#include <assert.h>
#include <string.h>

int expression_depth(const struct expr_op ops[], int32_t n)
{
    int depth = 0, most = 0;
    for (int32_t i = 0; i < n; i++) {
        switch ((enum expr_code_op)ops[i].code) {
        case CODE_CONST:
        case CODE_PROCNUM:
        case CODE_NODE:
        case CODE_PARTNER:
        case CODE_SLOT:
        case CODE_PROBLEM:
            depth++;
            break;
        case CODE_BINARY:
        case CODE_AND:
        case CODE_OR:
        case CODE_UNLESS:
        case CODE_JUMP: /* the other branch of ?: starts without this one's value */
            depth--;
            break;
        case CODE_CALL:
        case CODE_COMM:
            depth -= ops[i].n - 1;
            break;
        case CODE_ELEMENT:
        case CODE_NEGATE:
        case CODE_NOT:
        case CODE_TRUTH:
            break;
        }
        if (depth > most)
            most = depth;
    }
    return most;
}

bool expression_has_value(const struct expr_op ops[], int32_t n, int64_t value)
{
    for (int32_t i = 0; i < n; i++)
        if (ops[i].code == CODE_CONST && ops[i].value.kind == VALUE_INT && ops[i].value.i == value)
            return true;
    return false;
}

/* False: it is not an integer at hand. */
static bool quick_operand(const struct expr_op *op, int32_t *slot, struct value *value)
{
    *slot = op->code == CODE_SLOT ? op->arg : -1;
    *value = op->code == CODE_CONST ? op->value : value_int(0);
    return op->code == CODE_SLOT || (op->code == CODE_CONST && op->value.kind == VALUE_INT);
}

struct expr_quick expression_quick_of(const struct expr_op ops[], int32_t n)
{
    static const uint8_t sets[] = {
        [BINARY_EQ] = 2, [BINARY_NE] = 5, [BINARY_LT] = 1, [BINARY_LE] = 3, [BINARY_GT] = 4, [BINARY_GE] = 6,
    };
    struct expr_quick quick = {.slot = {-1, -1}, .value = {value_int(0), value_int(0)}};
    if ((n != 1 && n != 3) || !quick_operand(&ops[0], &quick.slot[0], &quick.value[0]))
        return quick;
    if (n == 1) {
        quick.form = QUICK_OPERAND;
        return quick;
    }
    if (ops[2].code != CODE_BINARY || !quick_operand(&ops[1], &quick.slot[1], &quick.value[1]))
        return quick;
    enum binary op = (enum binary)ops[2].detail;
    if (op == BINARY_ADD || op == BINARY_SUB)
        quick.form = op == BINARY_ADD ? QUICK_ADD : QUICK_SUBTRACT;
    if (op >= BINARY_EQ && op <= BINARY_GE) {
        quick.form = QUICK_COMPARE;
        quick.set = sets[op];
    }
    return quick;
}

/* && and ||: true when the operand on top settles it; then *top is the result. */
static bool settles(bool is_or, struct value *top)
{
    bool truth = value_is_true(*top);
    *top = value_int(truth);
    return truth == is_or;
}

const char expression_index_problem[] =
    "the index of a table is an integer from 0 on, below the number of its elements";

/* Replaces the index on top by the element of a table. */
static const char *element_take(const struct expr_op *op, const struct value slots[], struct value *top)
{
    int64_t i;
    if (!value_as_integer(*top, &i) || i < 0 || i >= op->n)
        return expression_index_problem;
    if (slots[op->arg + i].kind == VALUE_NONE)
        return op->slot.unset;
    *top = slots[op->arg + i];
    return NULL;
}

/* Of an op that failed with *top on top: the index of the element that has no value. */
static struct value index_unset(const struct expr_op *op, const char *problem, const struct value *top)
{
    if (op->code == CODE_ELEMENT && problem == op->slot.unset)
        return *top;
    if ((op->code == CODE_SLOT || op->code == CODE_PROBLEM) && op->n > 0)
        return value_int(op->n - 1);
    return (struct value){VALUE_NONE, {0}};
}

void expression_problem_print(char *text, size_t size, const char *problem, struct value index)
{
    int64_t i;
    if (!value_as_integer(index, &i)) {
        snprintf(text, size, "%s", problem);
        return;
    }
    const size_t name = 1 + strcspn(problem + 1, "`");
    snprintf(text, size, "%.*s[%lld]%s", (int)name, problem, (long long)i, problem + name);
}

const char *expression_eval_partner(const struct expr_op ops[], int32_t n, int process, int node, int32_t partner,
                                    const struct value slots[], struct value *out)
{
    struct value stack[EXPR_STACK];
    int top = -1;
    const char *problem = NULL;
    int32_t i;
    for (i = 0; i < n && !problem; i++) {
        const struct expr_op *op = &ops[i];
        switch ((enum expr_code_op)op->code) {
        case CODE_CONST:
            stack[++top] = op->value;
            break;
        case CODE_PROCNUM:
            stack[++top] = value_int(process);
            break;
        case CODE_NODE:
            stack[++top] = value_int(node);
            break;
        case CODE_PARTNER:
            stack[++top] = value_int(partner);
            break;
        case CODE_SLOT:
            stack[++top] = slots[op->arg];
            if (stack[top].kind == VALUE_NONE)
                problem = op->slot.unset;
            break;
        case CODE_ELEMENT:
            problem = element_take(op, slots, &stack[top]);
            break;
        case CODE_NEGATE:
            problem = value_negate(stack[top], &stack[top]);
            break;
        case CODE_NOT:
            problem = value_not(stack[top], &stack[top]);
            break;
        case CODE_TRUTH:
            stack[top] = value_int(value_is_true(stack[top]));
            break;
        case CODE_BINARY:
            top--;
            problem = value_binary((enum binary)op->detail, stack[top], stack[top + 1], &stack[top]);
            break;
        case CODE_CALL:
            top -= op->n - 1;
            problem = value_call((enum function)op->detail, op->n, &stack[top], &stack[top]);
            break;
        case CODE_COMM:
            top -= op->n - 1;
            problem = comm_call(op->comm, (enum comm_function)op->detail, process, op->n, &stack[top], &stack[top]);
            break;
        case CODE_AND:
        case CODE_OR:
            if (settles(op->code == CODE_OR, &stack[top]))
                i = op->arg - 1;
            else
                top--;
            break;
        case CODE_UNLESS:
            if (!value_is_true(stack[top--]))
                i = op->arg - 1;
            break;
        case CODE_JUMP:
            i = op->arg - 1;
            break;
        case CODE_PROBLEM:
            problem = op->problem;
            break;
        }
    }
    if (problem) {
        *out = index_unset(&ops[i - 1], problem, &stack[top < 0 ? 0 : top]);
        return problem;
    }
    assert(top == 0);
    *out = stack[0];
    return NULL;
}

/* Binding strengths around BINARY_LIST: ?: is looser than all, a unary operator tighter. */
enum { STRENGTH_CONDITION = 0, STRENGTH_FACTOR = 6, STRENGTH_UNARY = 7 };

static void print_within(const struct expr *expr, int strength, FILE *out);

static void print_binary(const struct expr *expr, int strength, FILE *out)
{
    static const struct {
        const char *text;
        int strength;
    } operators[] = {
#define X(name, text, strength) {text, strength},
        BINARY_LIST(X)
#undef X
    };
    int own = operators[expr->op].strength;
    if (own < strength)
        fputc('(', out);
    print_within(expr->a[0], own, out);
    fprintf(out, own < STRENGTH_FACTOR ? " %s " : "%s", operators[expr->op].text);
    print_within(expr->a[1], own + 1, out);
    if (own < strength)
        fputc(')', out);
}

static void print_call(const struct expr *expr, FILE *out)
{
    static const char *const functions[] = {
#define X(name, least, most) #name,
        FUNCTION_LIST(X) COMM_FUNCTION_LIST(X)
#undef X
    };
    fprintf(out, "%s(", functions[expr->kind == EXPR_COMM ? N_FUNCTIONS + (int)expr->comm_function : (int)expr->function]);
    for (int i = 0; i < expr->n; i++) {
        if (i > 0)
            fputs(", ", out);
        print_within(expr->a[i], STRENGTH_CONDITION, out);
    }
    fputc(')', out);
}

static void print_condition(const struct expr *expr, int strength, FILE *out)
{
    if (strength > STRENGTH_CONDITION)
        fputc('(', out);
    print_within(expr->a[0], STRENGTH_CONDITION + 1, out);
    fputs(" ? ", out);
    print_within(expr->a[1], STRENGTH_CONDITION, out);
    fputs(" : ", out);
    print_within(expr->a[2], STRENGTH_CONDITION, out);
    if (strength > STRENGTH_CONDITION)
        fputc(')', out);
}

/* Prints it where an operator of this strength surrounds it. */
static void print_within(const struct expr *expr, int strength, FILE *out)
{
    char text[VALUE_TEXT_BYTES];
    switch (expr->kind) {
    case EXPR_VALUE:
        fputs(value_format(expr->value, text), out);
        break;
    case EXPR_NAME:
        fputs(expr->name, out);
        break;
    case EXPR_ELEMENT:
        fprintf(out, "%s[", expr->name);
        print_within(expr->a[0], STRENGTH_CONDITION, out);
        fputc(']', out);
        break;
    case EXPR_NEGATE:
    case EXPR_NOT:
        fputc(expr->kind == EXPR_NOT ? '!' : '-', out);
        print_within(expr->a[0], STRENGTH_UNARY, out);
        break;
    case EXPR_BINARY:
        print_binary(expr, strength, out);
        break;
    case EXPR_CONDITION:
        print_condition(expr, strength, out);
        break;
    case EXPR_CALL:
    case EXPR_COMM:
        print_call(expr, out);
        break;
    }
}

void expression_print(const struct expr *expr, FILE *out)
{
    print_within(expr, STRENGTH_CONDITION, out);
}

void expression_print_factor(const struct expr *expr, FILE *out)
{
    print_within(expr, STRENGTH_FACTOR, out);
}
