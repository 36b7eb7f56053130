#include "host/fortran/outline.h"

#include "common/alloc.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The outline of a text: the names of what is called, each with what is known of its arguments, and the limits of loops. */
static char *outlined_as(const char *file, const char *text, char **facts)
{
    struct source *source = source_from_text(file, text, strlen(text));
    struct outline outline;
    char *got = NULL;
    size_t length;
    assert_true(fortran_outline(&outline, facts, source));
    FILE *out = open_memstream(&got, &length);
    for (size_t i = 0; i < outline.n; i++) {
        const struct outline_node *node = &outline.nodes[i];
        if (node->kind == OUTLINE_CALL)
            fprintf(out, "%s", node->name);
        for (int k = 0; k < node->n_arguments; k++)
            if (node->arguments[k].known)
                fprintf(out, " %lld", node->arguments[k].value);
            else
                fputs(" ?", out);
        if (node->kind == OUTLINE_CALL)
            putc('\n', out);
        else if (node->kind == OUTLINE_LOOP)
            fprintf(out, "loop %s\n", node->limit.text ? node->limit.text : "without a limit");
    }
    fclose(out);
    outline_free(&outline);
    source_destroy(source);
    return got;
}

static char *outlined(const char *text, char **facts)
{
    return outlined_as("x.f90", text, facts);
}

static void expect_of(const char *file, const char *text, const char *right)
{
    char *facts, *got = outlined_as(file, text, &facts);
    assert_string_equal(got, right);
    free(got);
    free(facts);
}

static void expect(const char *text, const char *right)
{
    expect_of("x.f90", text, right);
}

static void numbers_are_read(void **state)
{
    (void)state;
    expect("program p\ninteger, parameter :: n = 5, m = 2*(n + 1)\n"
           "call f(7/2*3, -(2 - 5), m - n, (n, 1), n/0, ((3)\nend\n", "f 9 3 7 ? ? ?\n");
    expect("program p\ninteger, parameter :: n = 3, m = 2**n\n"
           "call f(2**10, m, -n**2, 2**3**2, 3*n ** 2/m, 2**(-1), 2*(*3), 9**99)\nend\n", "f 1024 8 -9 512 3 ? ? ?\n");
    expect("program p\ndo i = 1, 2\nend do\ndo i = -999, 2\nend do\ndo i = 1000, 2\nend do\nend\n",
           "loop 2\nloop 2\nloop without a limit\n");
}

static void what_no_number_holds_is_unknown(void **state)
{
    (void)state;
    expect("program p\ncall f((-9223372036854775807_8 - 1)/(-1), -(-9223372036854775807_8 - 1), -9223372036854775807_8 - 1)\n"
           "call f((-9223372036854775807_8 - 1)/1, 9223372036854775807_8*2)\n"
           "do i = -9223372036854775807_8 - 1, 5\nend do\nend\n",
           "f ? ? -9223372036854775808\nf -9223372036854775808 ?\nloop without a limit\n");
}

/* Brackets within brackets, and constants each of which is three of the one before: more than anybody looks at. */
static void odd_values_take_no_time(void **state)
{
    (void)state;
    enum { DEEP = 300000, CONSTANTS = 20 };
    char *text = NULL, *facts;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    fputs("program p\ncall f(", out);
    for (int i = 0; i < DEEP; i++)
        putc('(', out);
    putc('1', out);
    for (int i = 0; i < DEEP; i++)
        putc(')', out);
    fputs(")\nend\n", out);
    fclose(out);
    char *got = outlined(text, &facts);
    assert_string_equal(got, "f ?\n");
    free(text);
    free(got);
    free(facts);
    out = open_memstream(&text, &length);
    fputs("program p\ninteger, parameter :: a1 = 1\n", out);
    for (int i = 2; i <= CONSTANTS; i++)
        fprintf(out, "integer, parameter :: a%d = a%d + a%d + a%d\n", i, i - 1, i - 1, i - 1);
    fprintf(out, "call f(a4, a%d)\nend\n", CONSTANTS);
    fclose(out);
    got = outlined(text, &facts);
    assert_string_equal(got, "f 27 ?\n");
    assert_non_null(strstr(facts, "constant\ta3\t9\n"));
    assert_null(strstr(facts, "\ta20\t"));
    free(text);
    free(got);
    free(facts);
}

static void words_of_a_statement_are_no_calls(void **state)
{
    (void)state;
    expect("program p\nif (g(1)) then\nelse if (h(2)) then\nelseif (k(3)) then\nelse\nend if\n"
           "do concurrent (i = 1:l(4))\nend do\nend\n", "g 1\nh 2\nk 3\nl 4\nloop without a limit\n");
}

/* do10i = 1, n is a loop in fixed form, and no assignment. */
static void loops_of_fixed_form_are_read(void **state)
{
    (void)state;
    expect_of("x.f", "      program p\n      do10i=1,5\n      call f(1)\n 10   continue\n      do20 j = 1, 6\n"
              " 20   call g(2)\n      do k = 1, 7\n      enddo\n      end\n",
              "loop without a limit\nf 1\nloop 6\ng 2\nloop 7\n");
}

/* Of a call that lines of the preprocessor divide the last line is that of its end, and a program begins with its `use`. */
static void lines_are_those_of_whole_statements(void **state)
{
    (void)state;
    const char text[] = "use mpi\ncall mpi_send(a, &\n#ifdef X\n  n, &\n#else\n  m, &\n#endif\n  0)\ncontains\n"
                        "subroutine s\nend\nend\n";
    struct source *source = source_from_text("x.F90", text, strlen(text));
    struct outline outline;
    char *facts;
    assert_true(fortran_outline(&outline, &facts, source));
    assert_int_equal(outline.n, 3);
    const struct outline_node *program = &outline.nodes[0], *call = &outline.nodes[1], *procedure = &outline.nodes[2];
    assert_string_equal(program->name, "MAIN__");
    assert_int_equal(program->line, 1);
    assert_int_equal(program->last_line, 12);
    assert_string_equal(call->name, "MPI_Send");
    assert_int_equal(call->line, 2);
    assert_int_equal(call->last_line, 8);
    assert_int_equal(call->n_arguments, 4);
    assert_string_equal(procedure->name, "s");
    assert_int_equal(procedure->last_line, 11);
    outline_free(&outline);
    free(facts);
    source_destroy(source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_read), cmocka_unit_test(what_no_number_holds_is_unknown),
        cmocka_unit_test(words_of_a_statement_are_no_calls), cmocka_unit_test(odd_values_take_no_time),
        cmocka_unit_test(loops_of_fixed_form_are_read), cmocka_unit_test(lines_are_those_of_whole_statements),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
