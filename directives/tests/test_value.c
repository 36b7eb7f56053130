#include "directives/value.h"

#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <string.h>

#include <cmocka.h>

#define I(x) value_int(x)
#define R(x) value_real(x)

static void assert_same(struct value got, struct value expected)
{
    assert_int_equal(got.kind, expected.kind);
    if (expected.kind == VALUE_INT)
        assert_true(got.i == expected.i);
    else
        assert_true(got.r == expected.r);
}

static void assert_text(const char *problem, const char *expected)
{
    assert_non_null(problem);
    assert_string_equal(problem, expected);
}

static void gives(enum binary op, struct value a, struct value b, struct value expected)
{
    struct value out = {.kind = VALUE_NONE};
    assert_null(value_binary(op, a, b, &out));
    assert_same(out, expected);
}

static void fails(enum binary op, struct value a, struct value b, const char *expected)
{
    struct value out = I(77);
    assert_text(value_binary(op, a, b, &out), expected);
    assert_same(out, I(77));
}

static void calls(enum function function, size_t n, const struct value a[], struct value expected)
{
    struct value out = {.kind = VALUE_NONE};
    assert_null(value_call(function, n, a, &out));
    assert_same(out, expected);
}

static void call_fails(enum function function, size_t n, const struct value a[], const char *expected)
{
    struct value out;
    assert_text(value_call(function, n, a, &out), expected);
}

#define CALL(function, expected, ...)                                                                        \
    calls(FUNCTION_##function, sizeof((struct value[]){__VA_ARGS__}) / sizeof(struct value),                 \
          (struct value[]){__VA_ARGS__}, expected)
#define CALL_FAILS(function, expected, ...)                                                                  \
    call_fails(FUNCTION_##function, sizeof((struct value[]){__VA_ARGS__}) / sizeof(struct value),            \
               (struct value[]){__VA_ARGS__}, expected)

static void integers_divide_as_in_c(void **state)
{
    (void)state;
    gives(BINARY_DIV, I(258), I(7), I(36));
    gives(BINARY_DIV, I(-7), I(2), I(-3));
    gives(BINARY_MOD, I(-7), I(2), I(-1));
    gives(BINARY_MOD, I(INT64_MIN), I(-1), I(0));
    fails(BINARY_DIV, I(INT64_MIN), I(-1), "integer overflow");
    fails(BINARY_DIV, I(5), I(0), "division by zero");
    fails(BINARY_MOD, I(5), I(0), "division by zero");
}

static void a_real_operand_makes_the_operation_real(void **state)
{
    (void)state;
    gives(BINARY_DIV, R(3.24), I(4), R(3.24 / 4));
    gives(BINARY_DIV, I(7), R(2.0), R(3.5));
    gives(BINARY_ADD, I(1), R(2.385), R(3.385));
    gives(BINARY_SUB, R(2.5), I(5), R(-2.5));
    gives(BINARY_MUL, R(1.5), R(2.5), R(3.75));
    fails(BINARY_MOD, R(7.5), I(2), "`%` on a number that is not an integer");
    fails(BINARY_DIV, R(7.5), I(0), "division by zero");
    fails(BINARY_DIV, I(7), R(0), "division by zero");
    fails(BINARY_MUL, R(1e200), R(1e200), "the result is not a finite number");
    fails(BINARY_ADD, R(1.7e308), R(1.7e308), "the result is not a finite number");
}

static void integers_overflow_loudly(void **state)
{
    (void)state;
    struct value out;
    gives(BINARY_ADD, I(INT64_MAX - 3), I(3), I(INT64_MAX));
    fails(BINARY_ADD, I(INT64_MAX), I(1), "integer overflow");
    fails(BINARY_SUB, I(INT64_MIN), I(1), "integer overflow");
    fails(BINARY_MUL, I(INT64_C(3037000500)), I(INT64_C(3037000500)), "integer overflow");
    assert_text(value_negate(I(INT64_MIN), &out), "integer overflow");
    assert_null(value_negate(R(2.385), &out));
    assert_same(out, R(-2.385));
    assert_null(value_negate(I(-36), &out));
    assert_same(out, I(36));
}

static void comparison_and_logic_give_0_and_1(void **state)
{
    (void)state;
    gives(BINARY_LT, I(3), R(3.5), I(1));
    gives(BINARY_LE, R(3.5), R(3.5), I(1));
    gives(BINARY_GT, I(3), I(4), I(0));
    gives(BINARY_GE, I(-3), I(-3), I(1));
    gives(BINARY_EQ, I(4), R(4.0), I(1));
    gives(BINARY_NE, R(4.25), I(4), I(1));
    gives(BINARY_EQ, I(7), I(8), I(0));
    gives(BINARY_AND, R(0.5), I(7), I(1));
    gives(BINARY_AND, I(5), I(0), I(0));
    gives(BINARY_OR, I(0), R(0.0), I(0));
    gives(BINARY_OR, I(0), I(9), I(1));
    struct value out;
    assert_null(value_not(R(0.25), &out));
    assert_same(out, I(0));
    assert_null(value_not(I(0), &out));
    assert_same(out, I(1));
    assert_true(value_is_true(R(-0.1)));
    assert_false(value_is_true(R(0.0)));
}

static void integral_reals_count_as_integers(void **state)
{
    (void)state;
    int64_t i = 77;
    assert_true(value_as_integer(I(-12), &i));
    assert_int_equal(i, -12);
    assert_true(value_as_integer(R(4096.0), &i));
    assert_int_equal(i, 4096);
    assert_true(value_as_integer(R(-9223372036854775808.0), &i));
    assert_true(i == INT64_MIN);
    i = 77;
    assert_false(value_as_integer(R(9223372036854775808.0), &i));
    assert_false(value_as_integer(R(2.385), &i));
    assert_false(value_as_integer(R(NAN), &i));
    assert_false(value_as_integer(R(-INFINITY), &i));
    assert_false(value_as_integer((struct value){.kind = VALUE_NONE}, &i));
    assert_int_equal(i, 77);
}

static void functions_of_integers_and_reals(void **state)
{
    (void)state;
    CALL(min, I(-4), I(3), I(-4), I(9));
    CALL(max, I(9), I(3), I(-4), I(9));
    CALL(min, R(3.0), I(3), R(3.5));
    CALL(max, R(3.5), I(3), R(3.5));
    CALL(max, I(6), I(6));
    CALL(abs, I(17), I(-17));
    CALL(abs, R(2.385), R(-2.385));
    CALL(floor, I(-3), R(-2.385));
    CALL(ceil, I(-2), R(-2.385));
    CALL(round, I(3), R(2.5));
    CALL(round, I(-3), R(-2.5));
    CALL(floor, I(41), I(41));
    CALL(sqrt, R(12.0), I(144));
    CALL(log, R(log(2.385)), R(2.385));
    CALL(log2, R(5.0), I(32));
    CALL(exp, R(exp(-1.5)), R(-1.5));
    CALL(ilog2, I(9), I(1023));
    CALL(ilog2, I(10), I(1024));
    CALL(ilog2, I(62), I(INT64_MAX));
    CALL(ilog2, I(1), R(2.385));
    CALL(ilog2, I(0), I(1));
    CALL(lowbit, I(4), I(12), I(100));
    CALL(lowbit, I(2), I(12), R(3.0));
    CALL(lowbit, I(2), I(12), I(3));
    CALL(lowbit, I(1), I(7), I(100));
    CALL(lowbit, I(16), I(0), I(31));
    CALL(lowbit, I(INT64_C(1) << 62), I(0), I(INT64_MAX));
    /* what Open MPI 4.1.4's MPI_Dims_create gives; MPICH says 9 x 8 of 72 */
    CALL(dims_create, I(12), I(72), I(2), I(0));
    CALL(dims_create, I(6), I(72), I(2), I(1));
    CALL(dims_create, I(4), I(48), I(3), I(1));
    CALL(dims_create, I(3), I(48), I(3), I(2));
    CALL(dims_create, I(1), I(13), I(3), I(2));
    CALL(dims_create, I(1), I(1), I(4), I(3));
    CALL(dims_create, I(2048), I(2048), I(1), I(0));
}

static void powers(void **state)
{
    (void)state;
    CALL(pow, I(243), I(3), I(5));
    CALL(pow, I(-8), I(-2), I(3));
    CALL(pow, I(INT64_C(4611686018427387904)), I(2), I(62));
    CALL(pow, R(0x1p63), I(2), I(63));
    CALL(pow, R(0.125), I(2), I(-3));
    CALL(pow, I(1), I(0), I(0));
    CALL(pow, R(pow(2.385, 1.5)), R(2.385), R(1.5));
    CALL_FAILS(pow, "division by zero", I(0), I(-1));
    CALL_FAILS(pow, "the result is not a finite number", I(-8), R(0.5));
    CALL_FAILS(pow, "the result is not a finite number", I(10), I(400));
}

static void functions_refuse_what_has_no_value(void **state)
{
    (void)state;
    CALL_FAILS(abs, "integer overflow", I(INT64_MIN));
    CALL_FAILS(floor, "integer overflow", R(1e19));
    CALL_FAILS(ceil, "integer overflow", R(-1e19));
    CALL_FAILS(sqrt, "square root of a negative number", R(-0.25));
    CALL_FAILS(log, "log of a number that is not positive", I(0));
    CALL_FAILS(log2, "log2 of a number that is not positive", I(-2));
    CALL_FAILS(exp, "the result is not a finite number", I(1000));
    CALL_FAILS(ilog2, "ilog2 of a number below 1", I(0));
    CALL_FAILS(lowbit, "lowbit of a number that is negative or no integer", I(-2), I(8));
    CALL_FAILS(lowbit, "lowbit of a number that is negative or no integer", R(2.385), I(8));
    CALL_FAILS(lowbit, "lowbit up to a number that is below 1 or no integer", I(2), I(0));
    CALL_FAILS(lowbit, "lowbit up to a number that is below 1 or no integer", I(2), R(2.385));
    CALL_FAILS(ilog2, "ilog2 of a number below 1", R(0.75));
}

static void parses(const char *text, size_t taken, struct value expected)
{
    struct value out = {.kind = VALUE_NONE};
    const char *problem = "untouched";
    assert_int_equal(value_parse(text, strlen(text), &out, &problem), taken);
    assert_null(problem);
    assert_same(out, expected);
}

static void parse_fails(const char *text, size_t length, const char *expected)
{
    struct value out = I(77);
    const char *problem = "untouched";
    assert_int_equal(value_parse(text, length, &out, &problem), 0);
    if (expected)
        assert_text(problem, expected);
    else
        assert_null(problem);
    assert_same(out, I(77));
}

static void dimensions_are_of_some_processes(void **state)
{
    (void)state;
    struct value none[] = {value_int(0), value_int(2), value_int(0)},
                 many[] = {value_int(8), value_int(17), value_int(0)};
    struct value beyond[] = {value_int(8), value_int(2), value_int(2)};
    call_fails(FUNCTION_dims_create, 3, none, "dims_create needs a number of processes");
    call_fails(FUNCTION_dims_create, 3, many, "dims_create gives 1 to 16 dimensions");
    call_fails(FUNCTION_dims_create, 3, beyond, "dims_create numbers its dimensions from 0 on");
    call_fails(FUNCTION_known_only_at, 3, many, "not known at this number of processes: record there too, and make the program again");
    call_fails(FUNCTION_known_only_at, 3, none,
               "not known at this number of processes with these parameters: record there too, and make the program again");
}

static void literals(void **state)
{
    (void)state;
    parses("100000", 6, I(100000));
    parses("1e5)", 3, I(100000));
    parses("2.0e3", 5, R(2000));
    parses("3.24/numprocs", 4, R(3.24));
    parses(".5", 2, R(0.5));
    parses("7.", 2, R(7));
    parses("25e-1", 5, R(2.5));
    parses("1E+2", 4, I(100));
    parses("3e", 1, I(3));
    parses("3e+x", 1, I(3));
    parses("98.5us", 4, R(98.5));
    parses("0x10", 1, I(0));
    parses("010", 3, I(10));
    parses("9223372036854775807", 19, I(INT64_MAX));
    parses("1e30", 4, R(1e30));
    parse_fails("9223372036854775808", 19, "the integer is too large (the largest is 9223372036854775807)");
    parse_fails("1e400", 5, "the number is too large");
    parse_fails("-3", 2, NULL);
    parse_fails("x", 1, NULL);
    parse_fails(".", 1, NULL);
    parse_fails(".e5", 3, NULL);
    parse_fails("", 0, NULL);
    char digits[4000];
    memset(digits, '0', sizeof digits);
    parse_fails(digits, sizeof digits, "the number is too long");
}

static void literals_end_where_the_text_does(void **state)
{
    (void)state;
    struct value out;
    const char *problem;
    assert_int_equal(value_parse("12345", 3, &out, &problem), 3);
    assert_same(out, I(123));
    assert_int_equal(value_parse("1.5e7", 4, &out, &problem), 3);
    assert_same(out, R(1.5));
}

static void formats_as_it_would_be_written(void **state)
{
    (void)state;
    char text[VALUE_TEXT_BYTES];
    assert_string_equal(value_format(I(100000), text), "100000");
    assert_string_equal(value_format(I(INT64_MIN), text), "-9223372036854775808");
    assert_string_equal(value_format(R(3.24), text), "3.24");
    assert_string_equal(value_format(R(-2.5e-7), text), "-2.5e-07");
    assert_string_equal(value_format(R(1.0 / 3), text), "0.3333333333333333");
    assert_string_equal(value_format(R(-1.7976931348623157e308), text), "-1.7976931348623157e+308");
    assert_string_equal(value_format((struct value){.kind = VALUE_NONE}, text), "(not set)");
}

static void special_values_are_compared_and_not_computed_with(void **state)
{
    (void)state;
    struct value out;
    fails(BINARY_ADD, I(VALUE_PROC_NULL), I(1), "MPI_PROC_NULL is not a number to compute with");
    fails(BINARY_MOD, I(5), I(VALUE_WILDCARD), "MPI_ANY_SOURCE or MPI_ANY_TAG is not a number to compute with");
    gives(BINARY_NE, I(VALUE_PROC_NULL), I(0), I(1));
    gives(BINARY_LT, I(VALUE_WILDCARD), I(0), I(1));
    assert_text(value_negate(I(VALUE_PROC_NULL), &out), "MPI_PROC_NULL is not a number to compute with");
    CALL_FAILS(max, "MPI_PROC_NULL is not a number to compute with", I(3), I(VALUE_PROC_NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers_divide_as_in_c),
        cmocka_unit_test(a_real_operand_makes_the_operation_real),
        cmocka_unit_test(integers_overflow_loudly),
        cmocka_unit_test(special_values_are_compared_and_not_computed_with),
        cmocka_unit_test(comparison_and_logic_give_0_and_1),
        cmocka_unit_test(integral_reals_count_as_integers),
        cmocka_unit_test(functions_of_integers_and_reals),
        cmocka_unit_test(powers),
        cmocka_unit_test(functions_refuse_what_has_no_value),
        cmocka_unit_test(dimensions_are_of_some_processes),
        cmocka_unit_test(literals),
        cmocka_unit_test(literals_end_where_the_text_does),
        cmocka_unit_test(formats_as_it_would_be_written),
    };
    cmocka_set_message_output(CM_OUTPUT_STDOUT);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
