#include "directives/tree.h"

#include "common/alloc.h"
#include "directives/program_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

/* Tests run from the root of the project. */
static const char golden[] = "directives/tests/golden";

/* What a user would see: the diagnostics, and behind them the tree where there is one. */
static char *outcome(struct source *source, size_t n, const struct definition definitions[], enum status *status)
{
    struct diags diags = DIAGS_EMPTY;
    struct tree *tree = NULL;
    char *text = NULL;
    size_t length = 0;
    *status = tree_parse(&tree, source, n, definitions, &diags);
    FILE *out = open_memstream(&text, &length);
    diags_print(&diags, out);
    if (*status == STATUS_OK)
        tree_print(tree, out);
    fclose(out);
    assert_int_equal(*status == STATUS_OK, diags.n_errors == 0);
    tree_destroy(tree);
    diags_free(&diags);
    return text;
}

static char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    size_t n = 0, capacity = 0;
    char *text = NULL;
    for (int c; (c = fgetc(file)) != EOF;) {
        text = alloc_grow(text, n + 1, &capacity, 1);
        text[n++] = (char)c;
    }
    fclose(file);
    text = alloc_resize(text, n + 1, 1);
    text[n] = '\0';
    return text;
}

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

/* A file, or a folder that is one program. Diagnostics without the folder of all. */
static struct source *read_golden(const char *name, const char *path)
{
    struct diags diags = DIAGS_EMPTY;
    struct source *read = NULL;
    if (strchr(name, '.')) {
        assert_int_equal(source_read(&read, path, &diags), STATUS_OK);
        struct source *source = source_from_text(name, read->text, read->length);
        source_destroy(read);
        return source;
    }
    int here = open(".", O_RDONLY);
    assert_int_equal(chdir(golden), 0);
    assert_int_equal(program_files_read(&read, 1, &name, NULL, &diags), STATUS_OK);
    assert_int_equal(fchdir(here), 0);
    close(here);
    assert_int_equal(diags.n, 0);
    return read;
}

/* `1-all-errors.c` has `1-all-errors.err`, or `.tree` where it is a valid program. */
static bool check_golden(const char *name)
{
    char *path = alloc_format("%s/%s", golden, name);
    struct source *source = read_golden(name, path);
    enum status status;
    char *got = outcome(source, 0, NULL, &status);
    const char *dot = strchr(name, '.') ? strrchr(path, '.') : path + strlen(path);
    int stem = (int)(dot - path);
    char *right = alloc_format("%.*s.%s", stem, path, status == STATUS_OK ? "tree" : "err");
    if (getenv("UPDATE_GOLDEN"))
        write_text(right, got);
    char *expected = read_text(right);
    bool same = expected && strcmp(expected, got) == 0;
    if (!same)
        printf("%s: expected\n%sbut got\n%s", right, expected ? expected : "(no such file)\n", got);
    free(expected);
    free(right);
    free(got);
    source_destroy(source);
    free(path);
    return same;
}

static bool is_expectation(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot && (strcmp(dot, ".tree") == 0 || strcmp(dot, ".err") == 0 || name[0] == '.');
}

static void golden_files(void **state)
{
    (void)state;
    DIR *folder = opendir(golden);
    assert_non_null(folder);
    size_t n = 0, n_wrong = 0;
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        if (is_expectation(entry->d_name))
            continue;
        n++;
        n_wrong += !check_golden(entry->d_name);
    }
    closedir(folder);
    assert_true(n >= 50);
    assert_int_equal(n_wrong, 0);
}

static void expect(const char *name, const char *text, size_t n, const struct definition definitions[],
                   enum status expected, const char *printed)
{
    enum status status;
    struct source *source = source_from_text(name, text, strlen(text));
    char *got = outcome(source, n, definitions, &status);
    assert_string_equal(got, printed);
    assert_int_equal(status, expected);
    free(got);
    source_destroy(source);
}

static void definitions_come_before_params_and_the_source(void **state)
{
    (void)state;
    const struct definition d[] = {{"n", value_int(7), NULL}, {"m", value_real(2.5), NULL}};
    expect("x.c", "int m = 3, k = m * 2;\n// PEVPM Param n = j\n// PEVPM Param j = 3\n// PEVPM Serial time = n * m + k",
           2, d, STATUS_OK,
           "param n = 7 (-D)\nparam m = 2.5 (-D)\nparam j = 3 (Param, line 3)\n"
           "param k = (m * 2) (the source, line 1)\n0:4: serial time = ((n * m) + k)\n");
    expect("x.pevpm", "Set n = n + 1", 1, d, STATUS_OK,
           "param n = 7 (-D)\nvariable n from param n\n0:1: set n = (n@variable + 1)\n");
}

static void a_definition_that_nothing_uses_is_a_warning(void **state)
{
    (void)state;
    const struct definition d[] = {{"xsise", value_int(7), NULL}};
    expect("x.c", "int xsize = 256;\n// PEVPM Serial time = xsize us", 1, d, STATUS_OK,
           "command line: warning: -D xsise is never used by the program, did you mean `xsize`?\n"
           "param xsise = 7 (-D, not used)\nparam xsize = 256 (the source, line 1)\n0:2: serial time = xsize (unit "
           "1e-06 s)\n");
    expect("x.pevpm", "Serial time = 3", 1, d, STATUS_OK,
           "command line: warning: -D xsise is never used by the program\nparam xsise = 7 (-D, not used)\n0:1: serial "
           "time = 3\n");
}

static void definitions_that_cannot_be(void **state)
{
    (void)state;
    const struct definition twice[] = {{"n", value_int(7), NULL}, {"n", value_int(8), NULL}};
    expect("x.pevpm", "Serial time = n", 2, twice, STATUS_NAME, "command line: error: -D n is given twice\n");
    const struct definition reserved[] = {{"procnum", value_int(7), NULL}};
    expect("x.pevpm", "Serial time = 3", 1, reserved, STATUS_NAME,
           "command line: error: -D procnum: the name is a word of the directive language\n");
}

static void a_definition_may_be_an_expression(void **state)
{
    (void)state;
    const struct value none = {VALUE_NONE, {0}};
    const struct definition d[] = {{"n", none, "numprocs*k"}, {"k", none, "m+1"}};
    expect("x.pevpm", "Param n = 3\nParam m = 4\nSerial time = n", 2, d, STATUS_OK,
           "param m = 4 (Param, line 2)\nparam k = (m + 1) (-D, line 1)\nparam n = (numprocs * k) (-D, line 1)\n"
           "0:3: serial time = n\n");
    const struct definition wrong[] = {{"n", none, "abc"}, {"k", none, "3+"}, {"m", none, "procnum"}, {"i", none, "i"}};
    expect("x.pevpm", "Serial time = n+k+m+i", 4, wrong, STATUS_SYNTAX,
           "-D k:1:3: error: expected a value, found the end of the directive\n    1 | 3+\n      |   ^\n"
           "-D n:1:1: error: undefined name `abc`: define it with -D NAME=VALUE or a PEVPM Param line\n    1 | abc\n"
           "      | ^~~\n"
           "-D m:1:1: error: `procnum` differs between processes, and a Param is the same for all: use Set\n"
           "    1 | procnum\n      | ^~~~~~~\n"
           "-D i:1:1: error: the value of `i` refers to itself\n    1 | i\n      | ^\n");
}

static void a_definition_settles_two_values_of_the_source(void **state)
{
    (void)state;
    const struct definition d[] = {{"N", value_int(7), NULL}};
    expect("x.c", "#define N 3\n#define N 4\n// PEVPM Serial time = N", 1, d, STATUS_OK,
           "param N = 7 (-D)\n0:3: serial time = N\n");
}

static void constants_of_the_source_that_lead_nowhere(void **state)
{
    (void)state;
    expect("x.c", "int a = b; void f(void) { int b = a; } int b = 1;\n// PEVPM Serial time = a + b", 0, NULL, STATUS_OK,
           "param b = 1 (the source, line 1)\nparam a = b (the source, line 1)\n0:2: serial time = (a + b)\n");
    expect("x.c", "int a = b; int b = a;\n// PEVPM Serial time = a", 0, NULL, STATUS_NAME,
           "x.c:2:24: error: undefined name `a`: define it with -D NAME=VALUE or a PEVPM Param line\n"
           "    2 | // PEVPM Serial time = a\n      |                        ^\n"
           "x.c:1:5: note: what `a` is here cannot be read without a compiler\n"
           "    1 | int a = b; int b = a;\n      |     ^\n");
    expect("x.c", "// PEVPM Serial time = 2.5\n// PEVPM Set x = n\nint n =", 0, NULL, STATUS_NAME,
           "x.c:2:18: error: undefined name `n`: define it with -D NAME=VALUE or a PEVPM Param line\n"
           "    2 | // PEVPM Set x = n\n      |                  ^\n"
           "x.c:3:5: note: what `n` is here cannot be read without a compiler\n    3 | int n =\n      |     ^\n");
    expect(
        "x.c", "int h = a;\n// PEVPM Param a = h\n// PEVPM Serial time = h", 0, NULL, STATUS_NAME,
        "x.c:2:16: error: the value of `a` refers to itself\n    2 | // PEVPM Param a = h\n      |                ^\n");
}

static void loops_hide_variables_and_arguments(void **state)
{
    (void)state;
    expect("x.pevpm",
           "Set i = 1\nLoop iterations = i & var = i\n{\nSerial time = i\n}\nSerial time = i\nCall p(i)\nProcedure "
           "p(i)\n{\n"
           "Serial time = i\nLoop iterations = i & var = i\n{\nSerial time = i\nSet x = 1\nSerial time = x\n}\n}\n",
           0, NULL, STATUS_OK,
           "variable i\nvariable x\nprocedure p(i)\n  5:10: serial time = i@argument\n"
           "  6:11: loop iterations = i@argument var = i\n    7:13: serial time = i@loop\n    8:14: set x = 1\n"
           "    9:15: serial time = x@variable\n0:1: set i = 1\n1:2: loop iterations = i@variable var = i\n"
           "  2:4: serial time = i@loop\n3:6: serial time = i@variable\n4:7: call p(i@variable)\n");
}

/* What a program of two files is, in the order given. */
static char *outcome_of_two(const char *const names[2], const char *const texts[2], int first)
{
    enum status status;
    struct source *source = source_from_text(names[first], texts[first], strlen(texts[first]));
    source->next = source_from_text(names[1 - first], texts[1 - first], strlen(texts[1 - first]));
    char *got = outcome(source, 0, NULL, &status);
    assert_int_equal(status, STATUS_OK);
    source_destroy(source);
    return got;
}

static void a_module_may_stand_in_a_file_before_or_behind(void **state)
{
    (void)state;
    static const char *const names[] = {"a.f90", "b.f90"};
    static const char *const texts[] = {
        "program main\nuse consts, m => nx\n! PEVPM Set a = m + c\nend\n",
        "module consts\ninteger, parameter :: nx = 12\nreal(8) :: c\ndata c /1.5d-1/\nend module consts\n"};
    char *before = outcome_of_two(names, texts, 0), *behind = outcome_of_two(names, texts, 1);
    assert_string_equal(before, "param nx = 12 (the source, line 2)\nparam c = 0.15 (the source, line 4)\nvariable a\n"
                                "0:3: set a = (m + c)\n");
    assert_string_equal(before, behind);
    free(before);
    free(behind);
}

/* What is asked for by its new name is not given by the module's own. */
static void a_definition_of_a_renamed_constant_has_its_new_name(void **state)
{
    (void)state;
    const struct definition n = {"n", value_int(5), NULL}, na = {"na", value_int(5), NULL};
    const struct {
        const char *asked;
        const struct definition *given;
        const char *expected;
    } cases[] = {
        {"na", &n, "command line: warning: -D n is never used by the program\n"
                   "param n = 5 (-D, not used)\nparam n = 2 (the source, line 2)\n"},
        {"na", &na, "param na = 5 (-D)\n"},
        {"n", &n, "param n = 5 (-D)\n"},
        {"N", &n, "param n = 5 (-D)\n"},
        {"k", &n, "param n = 5 (-D)\nparam k = (7 * n) (the source, line 2)\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *program = alloc_format("module a\ninteger, parameter :: n = 2, k = 7*n\nend module\nprogram main\n"
                                     "use a, only: na => n, k, N\n! PEVPM Set x = %s\nend\n", cases[i].asked),
             *expected = alloc_format("%svariable x\n0:6: set x = %s\n", cases[i].expected, cases[i].asked);
        expect("x.f90", program, 1, cases[i].given, STATUS_OK, expected);
        free(program);
        free(expected);
    }
}

static void modules_of_one_file_may_have_constants_of_one_name(void **state)
{
    (void)state;
    expect("x.f90",
           "module a\ninteger, parameter :: n = 2\nend module\nmodule b\nuse a, only: na => n\n"
           "integer, parameter :: n = 3\nend module\nprogram main\nuse a, only: n\n! PEVPM Set x = n\n! PEVPM Set x = n\n"
           "contains\nsubroutine s\nuse b, only: nb => n, na\n! PEVPM Set x = nb + na\nend subroutine\nend\n",
           0, NULL, STATUS_OK,
           "param n = 2 (the source, line 2)\nparam n = 3 (the source, line 6)\nvariable x\n0:10: set x = n\n"
           "1:11: set x = n\n2:15: set x = (nb + na)\n");
    expect("x.F90",
           "module a\n#ifdef SMALL\ninteger, parameter :: n = 2\n#else\ninteger, parameter :: n = 3\n#endif\nend module\n"
           "program main\nuse a, only: m => n\n! PEVPM Set x = m + m\nend\n",
           0, NULL, STATUS_NAME,
           "x.F90:5:23: error: `n` has two different values in this source: say which with -D m=VALUE or a PEVPM Param line\n"
           "    5 | integer, parameter :: n = 3\n      |                       ^\n"
           "x.F90:3:23: note: the first is here\n"
           "    3 | integer, parameter :: n = 2\n      |                       ^\n");
}

static void a_set_that_a_loop_hides_is_a_warning(void **state)
{
    (void)state;
    expect("x.pevpm", "Loop iterations = 3 & var = i\n{\nSet i = 4\n}", 0, NULL, STATUS_OK,
           "x.pevpm:3:1: warning: `i` means the variable of the loop here, which this does not change\n"
           "    3 | Set i = 4\n      | ^~~~~~~~~\n"
           "variable i\n0:1: loop iterations = 3 var = i\n  1:3: set i = 4\n");
}

/* What is not a text of sensible size, or not text at all, takes time in proportion and ends. */
static double seconds_for(const char *name, char *text, size_t length, enum status expected)
{
    struct timespec before, after;
    enum status status;
    struct source *source = source_from_text(name, text, length);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
    free(outcome(source, 0, NULL, &status));
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
    assert_int_equal(status, expected);
    source_destroy(source);
    free(text);
    return (double)(after.tv_sec - before.tv_sec) + 1e-9 * (double)(after.tv_nsec - before.tv_nsec);
}

static char *repeat(const char *begin, const char *middle, size_t times, const char *end, size_t *length)
{
    size_t b = strlen(begin), m = strlen(middle), e = strlen(end);
    char *text = alloc_array(b + m * times + e + 1, 1);
    memcpy(text, begin, b);
    for (size_t i = 0; i < times; i++)
        memcpy(text + b + m * i, middle, m);
    memcpy(text + b + m * times, end, e + 1);
    *length = b + m * times + e;
    return text;
}

/* Quadratic time would be minutes for each of these; the limit leaves room for sanitizers and a busy machine. */
static void odd_inputs_take_no_time(void **state)
{
    (void)state;
    static const struct {
        const char *name, *begin, *middle;
        size_t times;
        const char *end;
        enum status status;
    } cases[] = {
        {"x.c", "// PEVPM Serial time = ", "(", 100000, "", STATUS_SYNTAX},
        {"x.c", "// PEVPM Serial time = 1", "+1", 5000000, "", STATUS_SYNTAX},
        {"x.pevpm", "Serial time = 1", "+1", 250000, "", STATUS_SYNTAX},
        {"x.c", "", "// PEVPM {\n", 100000, "", STATUS_SYNTAX},
        {"x.c", "", "// PEVPM }\n", 100000, "", STATUS_SYNTAX},
        {"x.pevpm", "", "Loop iterations = 2\n{\n", 100000, "", STATUS_SYNTAX},
        {"x.c", "", "// PEVPM Message type = MPI_Recv & from = procnum - 1\n", 100000, "", STATUS_OK},
        {"x.c", "", "// PEVPM Serial time = undefined\n", 100000, "", STATUS_NAME},
        {"x.c", "// PEVPM Serial time = 1", "\n// PEVPM & ", 100000, "", STATUS_SYNTAX},
        {"x.cc", "// PEVPM Serial time = 1\n", "R\"x(", 1000000, "", STATUS_OK},
        {"x.c", "// PEVPM Serial time = 1\n", "/*", 1000000, "", STATUS_OK},
        {"x.c", "", "int a = a + 1;\n", 100000, "// PEVPM Serial time = a\n", STATUS_NAME},
        {"x.c", "", "int a = 1; int b = a + a;\n", 100000, "// PEVPM Serial time = a + b\n", STATUS_OK},
        {"x.c", "", "enum { a = (", 100000, "\n// PEVPM Serial time = a\n", STATUS_NAME},
        {"x.f90", "module m\ninteger :: v = 1\nend module m\n",
         "subroutine s\nuse m, x => v\nuse m, only: v\nuse n\nx = 1\n! PEVPM Serial time = v + w\nend\n", 50000, "",
         STATUS_NAME},
        {"x.f90", "module m\nuse m\nuse m, only: ", "a => b, ", 100000, "c\nend module m\n! PEVPM Serial time = b\n",
         STATUS_NAME},
        {"x.f90", "module m\ninteger, parameter :: a = 1\n", "use m\nprivate\n", 100000,
         "end\nuse m\n! PEVPM Serial time = b\n", STATUS_NAME},
        {"x.f90", "data a", ", b", 100000, "/100001*4/\n! PEVPM Serial time = b\n", STATUS_OK},
        {"x.f90", "", "data a(/", 100000, "\n! PEVPM Serial time = a\n", STATUS_NAME},
        {"x.F90", "", "#define a /* a\n", 100000, "! PEVPM Serial time = a\n", STATUS_NAME},
        {"x.pevpm", "", "\xFF\x01\x80(", 100000, "\n", STATUS_SYNTAX},
        {"x.pevpm", "Serial time = x", "x", 1000000, "", STATUS_NAME},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t length;
        char *text = repeat(cases[i].begin, cases[i].middle, cases[i].times, cases[i].end, &length);
        assert_true(seconds_for(cases[i].name, text, length, cases[i].status) < 20);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden_files),
        cmocka_unit_test(definitions_come_before_params_and_the_source),
        cmocka_unit_test(a_definition_that_nothing_uses_is_a_warning),
        cmocka_unit_test(definitions_that_cannot_be),
        cmocka_unit_test(a_definition_may_be_an_expression),
        cmocka_unit_test(a_definition_settles_two_values_of_the_source),
        cmocka_unit_test(constants_of_the_source_that_lead_nowhere),
        cmocka_unit_test(loops_hide_variables_and_arguments),
        cmocka_unit_test(a_module_may_stand_in_a_file_before_or_behind),
        cmocka_unit_test(a_definition_of_a_renamed_constant_has_its_new_name),
        cmocka_unit_test(modules_of_one_file_may_have_constants_of_one_name),
        cmocka_unit_test(a_set_that_a_loop_hides_is_a_warning),
        cmocka_unit_test(odd_inputs_take_no_time),
    };
    cmocka_set_message_output(CM_OUTPUT_STDOUT);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
