/* expression.h - compiled expressions: stack code that is evaluated without allocation.
 *
 * An expression that is not known before the run is kept as a sequence of operations on a stack of values, with the
 * short cuts of && || ?: as forward jumps. fold.h makes the code; program.h's program_eval runs it. */
#ifndef PEVPM_DIRECTIVES_EXPRESSION_H
#define PEVPM_DIRECTIVES_EXPRESSION_H

#include "directives/comm.h"
#include "directives/tree.h"
#include "directives/value.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum expr_code_op {
    CODE_CONST,   /* push value */
    CODE_PROCNUM, /* push the process */
    CODE_NODE,    /* push its node */
    CODE_RANK,    /* push its rank in comm, of which it is a member */
    CODE_SLOT,    /* push slots[arg]; slot.unset is the problem when it was never set */
    CODE_NEGATE,
    CODE_NOT,
    CODE_TRUTH,   /* top = top is true, as 0 or 1 */
    CODE_BINARY,  /* detail: enum binary, without && and || */
    CODE_CALL,    /* detail: enum function, of the n topmost */
    CODE_AND,     /* top false: make it 0 and go to arg; else pop it */
    CODE_OR,      /* top true: make it 1 and go to arg; else pop it */
    CODE_UNLESS,  /* pop; when it was false go to arg */
    CODE_JUMP,    /* go to arg */
    CODE_PROBLEM, /* stop: problem says what is wrong */
};

/* Free of garbage in its padding, so that equal codes compare equal as bytes. */
struct expr_op {
    uint8_t code;
    uint8_t detail;  /* see above; CONST: 1 where the value came from procnum */
    uint16_t n;
    int32_t arg;
    union {
        struct value value;
        struct {
            const char *name, *unset; /* borrowed; unset is NULL for loop variables and arguments, which always have a
                                         value */
        } slot;
        const char *problem;
        const struct comm *comm; /* borrowed from the program */
    };
};

struct expr_code {
    const struct expr *source; /* what it was made from: borrowed from the tree; NULL: it is a constant */
    double unit;               /* the code multiplies by this; 1: it does not */
    int32_t site;              /* index into program->sites: the expression's own place */
    int32_t n;
    const struct expr_op *ops; /* [n] */
};

enum { EXPR_STACK = 128 /* values; 2 KiB of a thread's stack. Deeper code is refused when it is made. */ };

/* The largest number of values that the code keeps on its stack. */
int expression_depth(const struct expr_op ops[], int32_t n);

/* Whether the integer is one of the code's constants. */
bool expression_has_value(const struct expr_op ops[], int32_t n, int64_t value);

/* Runs the code (expression_depth <= EXPR_STACK). slots may be NULL where the code has no CODE_SLOT. Returns NULL and
 * sets *out, or what is wrong: a text that lives as long as the code. */
const char *expression_eval(const struct expr_op ops[], int32_t n, int process, int node, const struct value slots[],
                            struct value *out);

/* A sum of two such numbers is an integer, and none of them stands for something else (VALUE_PROC_NULL). */
static inline bool expression_is_small(int64_t i)
{
    return i >= INT32_MIN && i <= INT32_MAX;
}

/* The value of an operand that is an integer at hand. */
static inline bool expression_operand(const struct expr_op *op, int process, const struct value slots[], int64_t *i)
{
    const struct value *value = op->code == CODE_SLOT ? &slots[op->arg] : &op->value;
    *i = op->code == CODE_PROCNUM ? process : value->i;
    return op->code == CODE_PROCNUM || (op->code <= CODE_SLOT && op->code != CODE_NODE && op->code != CODE_RANK &&
                                        value->kind == VALUE_INT);
}

/* One of == != < <= > >=, without a branch: bit 0 of its set is for less, 1 for equal, 2 for greater. */
static inline int expression_compare(enum binary op, int64_t a, int64_t b)
{
    static const uint8_t sets[] = {
        [BINARY_EQ] = 2, [BINARY_NE] = 5, [BINARY_LT] = 1, [BINARY_LE] = 3, [BINARY_GT] = 4, [BINARY_GE] = 6,
    };
    return sets[op] >> (1 + (a > b) - (a < b)) & 1;
}

/* The commonest expressions, without a stack: an integer at hand, or two of them compared, added or subtracted. False:
 * it takes expression_eval, which gives the same for these. */
static inline bool expression_quick(const struct expr_op ops[], int32_t n, int process, const struct value slots[],
                                    struct value *out)
{
    int64_t a, b;
    if (n == 1 && expression_operand(&ops[0], process, slots, &a)) {
        *out = value_int(a);
        return true;
    }
    if (n != 3 || ops[2].code != CODE_BINARY || !expression_operand(&ops[0], process, slots, &a) ||
        !expression_operand(&ops[1], process, slots, &b))
        return false;
    enum binary op = (enum binary)ops[2].detail;
    if (op >= BINARY_EQ && op <= BINARY_GE) {
        *out = value_int(expression_compare(op, a, b));
        return true;
    }
    if ((op != BINARY_ADD && op != BINARY_SUB) || !expression_is_small(a) || !expression_is_small(b))
        return false;
    *out = value_int(op == BINARY_ADD ? a + b : a - b);
    return true;
}

/* Prints the expression as a directive would have it, with the parentheses it needs. */
void expression_print(const struct expr *expr, FILE *out);

/* The same where a unit or a factor follows: with parentheses around a sum or a condition. */
void expression_print_factor(const struct expr *expr, FILE *out);

#endif
