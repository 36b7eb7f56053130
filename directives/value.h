/* value.h - the values of directive expressions: 64-bit integers and doubles, as in C.
 *
 * A literal with an integral value (100000, 1e5) is an integer; one written with a decimal point (3.0) is real, as in
 * C. `/` and `%` on two integers are C's; any operand that is real makes the operation real (`%` on reals is an error).
 * Comparison and logic give the integers 0 and 1. Integer overflow, division by zero, an infinity or a NaN is an error,
 * never a silent value. An operand must have a value (kind is not VALUE_NONE): a caller reports a variable that was
 * never set, because it knows the name. */
#ifndef PEVPM_DIRECTIVES_VALUE_H
#define PEVPM_DIRECTIVES_VALUE_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum value_kind { VALUE_NONE, VALUE_INT, VALUE_REAL }; /* NONE: a variable that was never set */

struct value {
    enum value_kind kind;
    union {
        int64_t i;
        double r;
    };
};

/* Operators, loosest first. X(name, text, binding strength); ternary ?: and unary are apart. */
#define BINARY_LIST(X) \
    X(OR, "||", 1)     \
    X(AND, "&&", 2)    \
    X(EQ, "==", 3)     \
    X(NE, "!=", 3)     \
    X(LT, "<", 4)      \
    X(LE, "<=", 4)     \
    X(GT, ">", 4)      \
    X(GE, ">=", 4)     \
    X(ADD, "+", 5)     \
    X(SUB, "-", 5)     \
    X(MUL, "*", 6)     \
    X(DIV, "/", 6)     \
    X(MOD, "%", 6)
enum binary {
#define X(name, text, strength) BINARY_##name,
    BINARY_LIST(X)
#undef X
};

/* X(name, least arguments, most arguments) */
#define FUNCTION_LIST(X) \
    X(min, 1, 16)        \
    X(max, 1, 16)        \
    X(abs, 1, 1)         \
    X(floor, 1, 1)       \
    X(ceil, 1, 1)        \
    X(round, 1, 1)       \
    X(sqrt, 1, 1)        \
    X(pow, 2, 2)         \
    X(log, 1, 1)         \
    X(log2, 1, 1)        \
    X(exp, 1, 1)         \
    X(ilog2, 1, 1)       \
    X(lowbit, 2, 2)      \
    X(dims_create, 3, 3) \
    X(known_only_at, 1, 16)
enum function {
#define X(name, least, most) FUNCTION_##name,
    FUNCTION_LIST(X)
#undef X
    N_FUNCTIONS
};

/* MPI_PROC_NULL, and MPI_ANY_SOURCE and MPI_ANY_TAG: negative integers that no program comes across. They can be kept
 * and compared; to compute with them is an error. */
#define VALUE_PROC_NULL (INT64_MIN + 1000003)
#define VALUE_WILDCARD (INT64_MIN + 2000003)

static inline struct value value_int(int64_t i)
{
    return (struct value){.kind = VALUE_INT, .i = i};
}

static inline struct value value_real(double r)
{
    return (struct value){.kind = VALUE_REAL, .r = r};
}

static inline double value_as_real(struct value v)
{
    assert(v.kind != VALUE_NONE);
    return v.kind == VALUE_INT ? (double)v.i : v.r;
}

static inline bool value_is_true(struct value v)
{
    assert(v.kind != VALUE_NONE);
    return v.kind == VALUE_INT ? v.i != 0 : v.r != 0;
}

/* An integer, or a real with an integral value that fits, as an integer; for everything else false, and *i is
 * unchanged. */
bool value_as_integer(struct value v, int64_t *i);

/* The operations. They return NULL and set *out, or a constant text that says what is wrong ("division by zero",
 * "integer overflow", "the result is not a finite number", "log of a number that is not positive", ...). floor, ceil
 * and round give integers; pow of two integers is an integer where it fits and the exponent is not negative, else real;
 * ilog2(n) = floor(log2 n), n >= 1; lowbit(n, m) is value_lowbit. && and || here see both operands: the caller does the
 * short cut. dims_create(n, d, i) is dimension i of the d that MPI_Dims_create gives n processes when all are free, as Open
 * MPI finds them: prime factors from the largest on, each to the smallest dimension so far, and the largest dimension
 * first. known_only_at(n, ...) has no value: it stands where a table ends, and its arguments are what the table knows, for
 * whoever reads the error: numbers of processes, or conditions, as numprocs == 2 && n == 24, where these are not all. */
const char *value_binary(enum binary op, struct value a, struct value b, struct value *out);
const char *value_negate(struct value a, struct value *out);
const char *value_not(struct value a, struct value *out);
const char *value_call(enum function function, size_t n, const struct value arguments[], struct value *out);

/* The largest power of two up to `most` >= 1 that n >= 0 is a multiple of; 0 is one of all. */
int64_t value_lowbit(int64_t n, int64_t most);

/* Reads a numeric literal (decimal integer, real with optional exponent; no sign, no hex, no suffix) from the start of
 * `text`: returns the bytes taken, 0 when there is none or it overflows (then *problem is set to a text, else NULL).
 * An integral literal that is written as a real and does not fit an integer (1e30) is a real. */
size_t value_parse(const char *text, size_t length, struct value *out, const char **problem);

/* Whether a literal reads as another number in C: 010 is 8 there. It is decimal here, and better refused. */
bool value_is_octal(const char *text, size_t length);

/* "100000", "3.24": as it would be written in a directive. */
#define VALUE_TEXT_BYTES 32
char *value_format(struct value v, char text[VALUE_TEXT_BYTES]);

#endif
