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
    CODE_COMM,    /* detail: enum comm_function of comm, of the n topmost */
    CODE_PARTNER, /* push the partner */
    CODE_SLOT,    /* push slots[arg]; slot.unset is the problem when it was never set. n: 0, or of a table's element its index + 1 */
    CODE_ELEMENT, /* top = slots[arg + top], the top below n; as CODE_SLOT */
    CODE_NEGATE,
    CODE_NOT,
    CODE_TRUTH,   /* top = top is true, as 0 or 1 */
    CODE_BINARY,  /* detail: enum binary, without && and || */
    CODE_CALL,    /* detail: enum function, of the n topmost */
    CODE_AND,     /* top false: make it 0 and go to arg; else pop it */
    CODE_OR,      /* top true: make it 1 and go to arg; else pop it */
    CODE_UNLESS,  /* pop; when it was false go to arg */
    CODE_JUMP,    /* go to arg */
    CODE_PROBLEM, /* stop: problem says what is wrong; n as of CODE_SLOT */
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

/* The commonest code, decoded: an integer at hand, or two of them compared, added or subtracted. */
enum expr_quick_form { QUICK_NONE, QUICK_OPERAND, QUICK_COMPARE, QUICK_ADD, QUICK_SUBTRACT };
struct expr_quick {
    enum expr_quick_form form;
    uint8_t set;               /* COMPARE: bit 0: true where the first is less, 1: equal, 2: greater */
    int32_t slot[2];           /* the operands: slots[slot], or where slot < 0 `value`, an integer */
    struct value value[2];     /* of an operand that there is not: 0 */
};

struct expr_code {
    const struct expr *source; /* what it was made from: borrowed from the tree; NULL: it is a constant */
    double unit;               /* the code multiplies by this; 1: it does not */
    int32_t site;              /* index into program->sites: the expression's own place */
    int32_t n;
    const struct expr_op *ops; /* [n] */
    struct expr_quick quick;   /* of the ops */
};

/* What is wrong with an index of a table. */
extern const char expression_index_problem[];

enum { EXPR_STACK = 128 /* values; 2 KiB of a thread's stack. Deeper code is refused when it is made. */ };

/* The largest number of values that the code keeps on its stack. */
int expression_depth(const struct expr_op ops[], int32_t n);

/* Whether the integer is one of the code's constants. */
bool expression_has_value(const struct expr_op ops[], int32_t n, int64_t value);

/* Runs the code (expression_depth <= EXPR_STACK). slots may be NULL where the code has no CODE_SLOT. Returns NULL and
 * sets *out, or what is wrong: a text that lives as long as the code, and in *out the index of the table's element that was
 * never set, or VALUE_NONE. partner: of CODE_PARTNER. */
const char *expression_eval_partner(const struct expr_op ops[], int32_t n, int process, int node, int32_t partner,
                                    const struct value slots[], struct value *out);

/* The same for code without CODE_PARTNER. */
static inline const char *expression_eval(const struct expr_op ops[], int32_t n, int process, int node,
                                          const struct value slots[], struct value *out)
{
    return expression_eval_partner(ops, n, process, node, -1, slots, out);
}

/* What is wrong, with that index: "`t[3]` is used before it is Set". */
void expression_problem_print(char *text, size_t size, const char *problem, struct value index);

/* A sum of two such numbers is an integer, and none of them stands for something else (VALUE_PROC_NULL). */
static inline bool expression_is_small(int64_t i)
{
    return i >= INT32_MIN && i <= INT32_MAX;
}

/* QUICK_NONE where it takes expression_eval. */
struct expr_quick expression_quick_of(const struct expr_op ops[], int32_t n);

/* The value of such code, without a stack. False: it takes expression_eval, which gives the same for all that this
 * answers. slots may be NULL where the code has no CODE_SLOT. */
static inline bool expression_quick(const struct expr_quick *quick, const struct value slots[], struct value *out)
{
    const struct value *a = quick->slot[0] < 0 ? &quick->value[0] : &slots[quick->slot[0]];
    const struct value *b = quick->slot[1] < 0 ? &quick->value[1] : &slots[quick->slot[1]];
    if (quick->form == QUICK_NONE || a->kind != VALUE_INT || b->kind != VALUE_INT)
        return false;
    int64_t i = a->i, j = b->i;
    if (quick->form == QUICK_COMPARE) { /* without a branch */
        *out = value_int(quick->set >> (1 + (i > j) - (i < j)) & 1);
        return true;
    }
    if (quick->form != QUICK_OPERAND && !(expression_is_small(i) && expression_is_small(j)))
        return false;
    *out = value_int(quick->form == QUICK_SUBTRACT ? i - j : i + j);
    return true;
}

/* Prints the expression as a directive would have it, with the parentheses it needs. */
void expression_print(const struct expr *expr, FILE *out);

/* The same where a unit or a factor follows: with parentheses around a sum or a condition. */
void expression_print_factor(const struct expr *expr, FILE *out);

#endif
