#include "directives/value.h"

#include "common/numerals.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const overflow = "integer overflow";
static const char *const not_finite = "the result is not a finite number";
static const char *const by_zero = "division by zero";

/* Longer literals say nothing a double can hold, and strtod need not see a gigabyte of digits. */
enum { LITERAL_BYTES = 512 };

/* 2^63: the first double above every int64_t; its negative is INT64_MIN itself. */
static const double two_63 = 9223372036854775808.0;

bool value_as_integer(struct value v, int64_t *i)
{
    if (v.kind == VALUE_INT) {
        *i = v.i;
        return true;
    }
    if (v.kind != VALUE_REAL || !(v.r >= -two_63 && v.r < two_63) || v.r != trunc(v.r))
        return false;
    *i = (int64_t)v.r;
    return true;
}

static const char *give_int(int64_t i, struct value *out)
{
    *out = value_int(i);
    return NULL;
}

static const char *give_real(double r, struct value *out)
{
    if (!isfinite(r))
        return not_finite;
    *out = value_real(r);
    return NULL;
}

/* A real that is integral already, as an integer. */
static const char *give_rounded(double r, struct value *out)
{
    int64_t i;
    return value_as_integer(value_real(r), &i) ? give_int(i, out) : overflow;
}

static const char *divide_integers(enum binary op, int64_t a, int64_t b, struct value *out)
{
    if (b == 0)
        return by_zero;
    if (b == -1) { /* INT64_MIN / -1 does not fit, and INT64_MIN % -1 traps */
        if (op == BINARY_MOD)
            return give_int(0, out);
        return a == INT64_MIN ? overflow : give_int(-a, out);
    }
    return give_int(op == BINARY_DIV ? a / b : a % b, out);
}

static const char *binary_integers(enum binary op, int64_t a, int64_t b, struct value *out)
{
    int64_t result;
    switch (op) {
    case BINARY_OR: return give_int(a || b, out);
    case BINARY_AND: return give_int(a && b, out);
    case BINARY_EQ: return give_int(a == b, out);
    case BINARY_NE: return give_int(a != b, out);
    case BINARY_LT: return give_int(a < b, out);
    case BINARY_LE: return give_int(a <= b, out);
    case BINARY_GT: return give_int(a > b, out);
    case BINARY_GE: return give_int(a >= b, out);
    case BINARY_ADD: return __builtin_add_overflow(a, b, &result) ? overflow : give_int(result, out);
    case BINARY_SUB: return __builtin_sub_overflow(a, b, &result) ? overflow : give_int(result, out);
    case BINARY_MUL: return __builtin_mul_overflow(a, b, &result) ? overflow : give_int(result, out);
    case BINARY_DIV:
    case BINARY_MOD: return divide_integers(op, a, b, out);
    }
    assert(false && "a binary operator");
    return NULL;
}

static const char *binary_reals(enum binary op, double a, double b, struct value *out)
{
    switch (op) {
    case BINARY_OR: return give_int(a != 0 || b != 0, out);
    case BINARY_AND: return give_int(a != 0 && b != 0, out);
    case BINARY_EQ: return give_int(a == b, out);
    case BINARY_NE: return give_int(a != b, out);
    case BINARY_LT: return give_int(a < b, out);
    case BINARY_LE: return give_int(a <= b, out);
    case BINARY_GT: return give_int(a > b, out);
    case BINARY_GE: return give_int(a >= b, out);
    case BINARY_ADD: return give_real(a + b, out);
    case BINARY_SUB: return give_real(a - b, out);
    case BINARY_MUL: return give_real(a * b, out);
    case BINARY_DIV: return b == 0 ? by_zero : give_real(a / b, out);
    case BINARY_MOD: return "`%` on a number that is not an integer";
    }
    assert(false && "a binary operator");
    return NULL;
}

/* What is wrong with computing with this value, NULL: nothing. */
static const char *special(struct value a)
{
    if (a.kind == VALUE_INT && a.i == VALUE_PROC_NULL)
        return "MPI_PROC_NULL is not a number to compute with";
    if (a.kind == VALUE_INT && a.i == VALUE_WILDCARD)
        return "MPI_ANY_SOURCE or MPI_ANY_TAG is not a number to compute with";
    return NULL;
}

const char *value_binary(enum binary op, struct value a, struct value b, struct value *out)
{
    assert(a.kind != VALUE_NONE && b.kind != VALUE_NONE);
    const char *problem = special(a) ? special(a) : special(b);
    if (problem && op >= BINARY_ADD)
        return problem;
    if (a.kind == VALUE_INT && b.kind == VALUE_INT)
        return binary_integers(op, a.i, b.i, out);
    return binary_reals(op, value_as_real(a), value_as_real(b), out);
}

const char *value_negate(struct value a, struct value *out)
{
    if (special(a))
        return special(a);
    if (a.kind == VALUE_INT)
        return a.i == INT64_MIN ? overflow : give_int(-a.i, out);
    return give_real(-value_as_real(a), out);
}

const char *value_not(struct value a, struct value *out)
{
    return give_int(!value_is_true(a), out);
}

static const char *extreme(bool greatest, size_t n, const struct value a[], struct value *out)
{
    bool real = false;
    struct value best = a[0];
    for (size_t i = 0; i < n; i++) {
        struct value less;
        real = real || a[i].kind == VALUE_REAL;
        value_binary(greatest ? BINARY_GT : BINARY_LT, a[i], best, &less);
        if (value_is_true(less))
            best = a[i];
    }
    *out = real ? value_real(value_as_real(best)) : best;
    return NULL;
}

static const char *absolute(struct value a, struct value *out)
{
    if (a.kind == VALUE_INT && a.i < 0)
        return value_negate(a, out);
    *out = a.kind == VALUE_INT ? a : value_real(fabs(a.r));
    return NULL;
}

/* base^exponent by squaring; false when it does not fit. */
static bool power_fits(int64_t base, int64_t exponent, int64_t *out)
{
    int64_t result = 1;
    while (exponent > 0) {
        if ((exponent & 1) && __builtin_mul_overflow(result, base, &result))
            return false;
        exponent >>= 1;
        if (exponent > 0 && __builtin_mul_overflow(base, base, &base))
            return false;
    }
    *out = result;
    return true;
}

static const char *power(struct value a, struct value b, struct value *out)
{
    int64_t result;
    if (a.kind == VALUE_INT && b.kind == VALUE_INT && b.i >= 0 && power_fits(a.i, b.i, &result))
        return give_int(result, out);
    double base = value_as_real(a), exponent = value_as_real(b);
    if (base == 0 && exponent < 0)
        return by_zero;
    return give_real(pow(base, exponent), out);
}

static const char *floor_of_log2(struct value a, struct value *out)
{
    int exponent;
    if (value_as_real(a) < 1)
        return "ilog2 of a number below 1";
    if (a.kind == VALUE_INT)
        return give_int(63 - __builtin_clzll((unsigned long long)a.i), out);
    frexp(a.r, &exponent);
    return give_int(exponent - 1, out);
}

int64_t value_lowbit(int64_t n, int64_t most)
{
    int64_t bit = 1;
    for (; n % 2 == 0 && bit <= most / 2; n /= 2)
        bit *= 2;
    return bit;
}

static const char *lowest_bit(const struct value a[], struct value *out)
{
    int64_t n, most;
    if (!value_as_integer(a[0], &n) || n < 0)
        return "lowbit of a number that is negative or no integer";
    if (!value_as_integer(a[1], &most) || most < 1)
        return "lowbit up to a number that is below 1 or no integer";
    return give_int(value_lowbit(n, most), out);
}

/* The largest prime factor of n >= 2. */
static int64_t largest_factor(int64_t n)
{
    int64_t largest = 1;
    for (int64_t f = 2; f <= n / f; f++)
        for (; n % f == 0 && n > f; n /= f)
            largest = f;
    return n > largest ? n : largest;
}

static int descending(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x < y) - (x > y);
}

/* Open MPI 4.1, ompi/mpi/c/dims_create.c: assignnodes. */
static const char *dims_create(const struct value a[], struct value *out)
{
    enum { DIMENSIONS_MOST = 16 };
    static const int64_t processes_most = INT64_C(1) << 31;
    int64_t n, n_dims, which, dims[DIMENSIONS_MOST];
    if (!value_as_integer(a[0], &n) || n < 1 || n > processes_most)
        return "dims_create needs a number of processes";
    if (!value_as_integer(a[1], &n_dims) || n_dims < 1 || n_dims > DIMENSIONS_MOST)
        return "dims_create gives 1 to 16 dimensions";
    if (!value_as_integer(a[2], &which) || which < 0 || which >= n_dims)
        return "dims_create numbers its dimensions from 0 on";
    for (int64_t d = 0; d < n_dims; d++)
        dims[d] = 1;
    while (n > 1) {
        int64_t factor = largest_factor(n), least = 0;
        for (int64_t d = 1; d < n_dims; d++)
            least = dims[d] < dims[least] ? d : least;
        dims[least] *= factor;
        n /= factor;
    }
    qsort(dims, (size_t)n_dims, sizeof *dims, descending);
    return give_int(dims[which], out);
}

/* The first of what a table knows is a number of processes; or a condition, which is not true here. */
static const char *not_known(struct value first)
{
    return value_is_true(first) ? "not known at this number of processes: record there too, and make the program again"
                                : "not known at this number of processes with these parameters: record there too, and make the "
                                  "program again";
}

const char *value_call(enum function function, size_t n, const struct value arguments[], struct value *out)
{
    assert(n >= 1);
    for (size_t i = 0; i < n; i++) {
        assert(arguments[i].kind != VALUE_NONE);
        if (special(arguments[i]))
            return special(arguments[i]);
    }
    struct value a = arguments[0];
    double x = value_as_real(a);
    switch (function) {
    case FUNCTION_min: return extreme(false, n, arguments, out);
    case FUNCTION_max: return extreme(true, n, arguments, out);
    case FUNCTION_abs: return absolute(a, out);
    case FUNCTION_floor: return a.kind == VALUE_INT ? give_int(a.i, out) : give_rounded(floor(x), out);
    case FUNCTION_ceil: return a.kind == VALUE_INT ? give_int(a.i, out) : give_rounded(ceil(x), out);
    case FUNCTION_round: return a.kind == VALUE_INT ? give_int(a.i, out) : give_rounded(round(x), out);
    case FUNCTION_sqrt: return x < 0 ? "square root of a negative number" : give_real(sqrt(x), out);
    case FUNCTION_pow: return power(a, arguments[1], out);
    case FUNCTION_log: return x <= 0 ? "log of a number that is not positive" : give_real(log(x), out);
    case FUNCTION_log2: return x <= 0 ? "log2 of a number that is not positive" : give_real(log2(x), out);
    case FUNCTION_exp: return give_real(exp(x), out);
    case FUNCTION_ilog2: return floor_of_log2(a, out);
    case FUNCTION_lowbit: return lowest_bit(arguments, out);
    case FUNCTION_dims_create: return dims_create(arguments, out);
    case FUNCTION_known_only_at: return not_known(a);
    case N_FUNCTIONS: break;
    }
    assert(false && "a function");
    return NULL;
}

static size_t span_digits(const char *text, size_t length)
{
    size_t n = 0;
    while (n < length && text[n] >= '0' && text[n] <= '9')
        n++;
    return n;
}

/* The bytes of a literal's exponent, 0 where the `e` is not followed by digits and so belongs to the next word. */
static size_t span_exponent(const char *text, size_t length)
{
    if (length == 0 || (text[0] != 'e' && text[0] != 'E'))
        return 0;
    size_t sign = length > 1 && (text[1] == '+' || text[1] == '-');
    size_t digits = span_digits(text + 1 + sign, length - 1 - sign);
    return digits ? 1 + sign + digits : 0;
}

static const char *parse_integer(const char *text, size_t length, struct value *out)
{
    int64_t i = 0;
    for (size_t k = 0; k < length; k++)
        if (__builtin_mul_overflow(i, 10, &i) || __builtin_add_overflow(i, text[k] - '0', &i))
            return "the integer is too large (the largest is 9223372036854775807)";
    *out = value_int(i);
    return NULL;
}

/* `point`: a decimal point was written, so the number is real whatever its value, as in C. */
static const char *parse_real(const char *text, size_t length, bool point, struct value *out)
{
    char copy[LITERAL_BYTES + 1];
    memcpy(copy, text, length);
    copy[length] = '\0';
    double r = numerals_read(copy, NULL);
    if (!isfinite(r))
        return "the number is too large";
    int64_t i;
    *out = !point && value_as_integer(value_real(r), &i) ? value_int(i) : value_real(r);
    return NULL;
}

size_t value_parse(const char *text, size_t length, struct value *out, const char **problem)
{
    *problem = NULL;
    size_t whole = span_digits(text, length), n = whole, decimals = 0;
    bool point = n < length && text[n] == '.';
    if (point) {
        decimals = span_digits(text + n + 1, length - n - 1);
        n += 1 + decimals;
    }
    if (whole + decimals == 0)
        return 0;
    size_t exponent = span_exponent(text + n, length - n);
    n += exponent;
    if (n > LITERAL_BYTES)
        *problem = "the number is too long";
    else
        *problem = point || exponent ? parse_real(text, n, point, out) : parse_integer(text, n, out);
    return *problem ? 0 : n;
}

bool value_is_octal(const char *text, size_t length)
{
    return length > 1 && text[0] == '0' && span_digits(text, length) == length;
}

char *value_format(struct value v, char text[VALUE_TEXT_BYTES])
{
    const struct numerals before = numerals_plain();
    switch (v.kind) {
    case VALUE_NONE: snprintf(text, VALUE_TEXT_BYTES, "(not set)"); break;
    case VALUE_INT: snprintf(text, VALUE_TEXT_BYTES, "%" PRId64, v.i); break;
    case VALUE_REAL:
        for (int digits = 6; digits <= 17; digits++) {
            snprintf(text, VALUE_TEXT_BYTES, "%.*g", digits, v.r);
            if (numerals_read(text, NULL) == v.r)
                break;
        }
        break;
    }
    numerals_restore(before);
    return text;
}
