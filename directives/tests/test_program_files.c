#include "directives/program_files.h"

#include "common/alloc.h"
#include "common/tests/said.h"
#include "directives/files/compile_commands.h"
#include "directives/tree.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* A folder of its own, which is the current one while a test runs. */
static int enter(void **state)
{
    char *folder = alloc_string("/tmp/pevpm-test-XXXXXX");
    *state = folder;
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int leave(void **state)
{
    char *command = alloc_format("rm -r '%s'", (char *)*state);
    int failed = chdir("/") != 0 || system(command) != 0;
    free(command);
    free(*state);
    return failed ? -1 : 0;
}

static void put(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

/* "a.c(x.h y.h) b.c" of a list. Allocated. */
static char *names_of(const struct source *list)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    for (; list; list = list->next) {
        char *included = names_of(list->included);
        fprintf(out, "%s%s%s%s%s", list->name, *included ? "(" : "", included, *included ? ")" : "",
                list->next ? " " : "");
        free(included);
    }
    fclose(out);
    return text;
}

static void expect_files(size_t n, const char *const paths[], const char *program, const char *names)
{
    struct diags diags = DIAGS_EMPTY;
    struct source *source = NULL;
    assert_int_equal(program_files_read(&source, n, paths, NULL, &diags), STATUS_OK);
    assert_int_equal(diags.n, 0);
    char *got = names_of(source);
    assert_string_equal(got, names);
    assert_string_equal(source_program(source), program);
    free(got);
    source_destroy(source);
}
#define FILES(...) sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *), (const char *const[]){__VA_ARGS__}

static void files_and_folders(void **state)
{
    (void)state;
    assert_int_equal(mkdir("src", 0777) | mkdir("src/deep", 0777) | mkdir("src/.git", 0777) | mkdir("inc", 0777), 0);
    put("src/b.c", "#include \"b.h\"\n/* #include \"no.h\" */\n#include <mpi.h>\n");
    put("src/a.f90", "include 'a.inc'\nprint *, \"include 'no.inc'\"\n");
    put("src/deep/c.cpp", "  #  include \"../b.h\"\n");
    put("src/b.h", "#include \"../inc/d.h\"\n#include \"b.h\"\n");
    put("inc/d.h", "#define D 1\n");
    put("src/a.inc", "integer, parameter :: a = 1\n");
    put("src/machine.yaml", "# PEVPM\n");
    put("src/.hidden.c", "");
    put("src/.git/e.c", "");
    expect_files(FILES("src/b.c"), "src/b.c", "src/b.c(src/b.h src/../inc/d.h)");
    expect_files(FILES("src/deep/c.cpp", "src/b.c", "src/deep/c.cpp"), "src/deep/c.cpp src/b.c src/deep/c.cpp",
                 "src/deep/c.cpp(src/deep/../b.h src/deep/../../inc/d.h) src/b.c(src/b.h src/../inc/d.h)");
    expect_files(FILES("src//"), "src",
                 "src/a.f90(src/a.inc) src/b.c(src/b.h src/../inc/d.h) src/b.h(src/../inc/d.h) "
                 "src/deep/c.cpp(src/deep/../b.h src/deep/../../inc/d.h)");
}

static void commands_of_a_compiler(void **state)
{
    (void)state;
    assert_int_equal(mkdir("src", 0777) | mkdir("inc", 0777) | mkdir("build", 0777), 0);
    put("src/a.c", "#include \"x.h\"\n");
    put("src/b c.c", "");
    put("inc/x.h", "");
    put("build/s.s", "");
    char *text = alloc_format(
        "[ {\"directory\": \"%s/build\", \"file\": \"../src/a.c\", \"other\": [1, -2.5e3, {\"k\": null}, []],\n"
        "   \"command\": \"mpicc -DN=64 -D 'M=\\\"two words\\\"' -DGONE -UGONE -I../inc -c ../src/a.c\"},\n"
        "  {\"directory\": \"%s\", \"file\": \"src/b c.c\", \"arguments\": [\"cc\", \"-D\", \"\\u0042\", \"-c\"]},\n"
        "  {\"directory\": \"%s/build\", \"file\": \"../src/a.c\", \"arguments\": [\"cc\", \"-DN=32\"]},\n"
        "  {\"directory\": \"%s/build\", \"file\": \"s.s\"} ]\n",
        (char *)*state, (char *)*state, (char *)*state, (char *)*state);
    put("compile_commands.json", text);
    expect_files(FILES("compile_commands.json"), "compile_commands.json",
                 "build/../src/a.c(flags of build/../src/a.c build/../inc/x.h) src/b c.c(flags of src/b c.c)");
    struct diags diags = DIAGS_EMPTY;
    struct source *source = source_from_text("c.json", text, strlen(text));
    struct compile_commands commands;
    assert_int_equal(compile_commands_read(&commands, source, &diags), STATUS_OK);
    assert_int_equal(commands.n, 3);
    assert_string_equal(commands.list[0].definitions, "#define N 64\n#define M \"two words\"\n#define N 32\n");
    assert_string_equal(commands.list[1].definitions, "#define B 1\n");
    compile_commands_free(&commands);
    source_destroy(source);
    static const char marked[] = "\xEF\xBB\xBF[{\"directory\": \"/\", \"file\": \"a.c\"}]";
    source = source_from_text("c.json", marked, sizeof marked - 1);
    assert_int_equal(compile_commands_read(&commands, source, &diags), STATUS_OK);
    assert_int_equal(commands.n, 1);
    compile_commands_free(&commands);
    source_destroy(source);
    for (size_t n = 0; n < strlen(text) - 2; n++) { /* cut off anywhere */
        source = source_from_text("c.json", text, n);
        struct diags cut = DIAGS_EMPTY;
        assert_int_equal(compile_commands_read(&commands, source, &cut), STATUS_SYNTAX);
        assert_int_equal(diag_line(&cut, 0) > 0, n > 0);
        diags_free(&cut);
        compile_commands_free(&commands);
        source_destroy(source);
    }
    diags_free(&diags);
    free(text);
}

static void expect_error(const char *path, enum status expected, const char *message)
{
    struct diags diags = DIAGS_EMPTY;
    struct source *source = NULL;
    assert_int_equal(program_files_read(&source, 1, &path, NULL, &diags), expected);
    assert_int_equal(diags.n_errors, 1);
    assert_has(diag_message(&diags, 0), message);
    diags_free(&diags);
}

static void what_is_wrong_is_said(void **state)
{
    (void)state;
    assert_int_equal(mkdir("empty", 0777), 0);
    put("none.json", "[]");
    put("other.json", "[{\"directory\": \"/\"}]");
    put("gone.json", "[{\"directory\": \".\", \"file\": \"gone.c\"}]");
    expect_error("empty", STATUS_SCHEMA, "there is no C, C++, Fortran or .pevpm file in this folder");
    expect_error("none.json", STATUS_SCHEMA, "it names no C, C++ or Fortran file");
    expect_error("other.json", STATUS_SYNTAX, "expected an object with `directory` and `file`");
    expect_error("gone.json", STATUS_IO, "cannot open");
    expect_error("gone.c", STATUS_IO, "cannot open");
}

static void directives_in_a_header_are_told_of(void **state)
{
    (void)state;
    struct diags diags = DIAGS_EMPTY;
    struct source *source = NULL;
    put("a.c", "#include \"a.h\"\n// PEVPM Serial time = 1\n");
    put("a.h", "// PEVPM Procedure p\n// PEVPM {\n// PEVPM }\n");
    assert_int_equal(program_files_read(&source, FILES("a.c"), NULL, &diags), STATUS_OK);
    assert_int_equal(diags.n_warnings, 1);
    assert_has(diag_message(&diags, 0), "directives in a file that a.c includes are not read");
    source_destroy(source);
    diags_free(&diags);
    expect_files(FILES("a.c", "a.h"), "a.c a.h", "a.c(a.h) a.h");
}

static void packed_is_the_same(void **state)
{
    (void)state;
    struct diags diags = DIAGS_EMPTY;
    struct source *source = NULL;
    put("a.c", "#include \"a.h\"\n// PEVPM Serial time = N\n");
    put("a.h", "#define N 3\n");
    put("b.pevpm", "Procedure p\n{\n}\n");
    assert_int_equal(program_files_read(&source, FILES("a.c", "b.pevpm"), NULL, &diags), STATUS_OK);
    size_t n;
    char *bytes = program_files_pack(source, &n);
    struct source *same = program_files_unpack(bytes);
    char *names = names_of(source), *same_names = names_of(same);
    assert_string_equal(names, same_names);
    assert_string_equal(source_program(same), "a.c b.pevpm");
    assert_int_equal(same->included->host, HOST_C);
    assert_string_equal(same->next->text, source->next->text);
    struct tree *tree;
    assert_int_equal(tree_parse(&tree, same, 0, NULL, &diags), STATUS_OK);
    assert_int_equal(tree->n_parameters, 1);
    tree_destroy(tree);
    free(names);
    free(same_names);
    free(bytes);
    source_destroy(source);
    source_destroy(same);
    diags_free(&diags);
}

static void short_names_tell_files_apart(void **state)
{
    (void)state;
    struct source *a = source_from_text("x/src/main.c", "", 0);
    a->next = source_from_text("y/src/main.c", "", 0);
    a->next->next = source_from_text("y/src/halo.c", "", 0);
    assert_string_equal(source_short_name(a, a->name), "x/src/main.c");
    assert_string_equal(source_short_name(a, a->next->name), "y/src/main.c");
    assert_string_equal(source_short_name(a, a->next->next->name), "halo.c");
    source_destroy(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(files_and_folders, enter, leave),
        cmocka_unit_test_setup_teardown(commands_of_a_compiler, enter, leave),
        cmocka_unit_test_setup_teardown(what_is_wrong_is_said, enter, leave),
        cmocka_unit_test_setup_teardown(directives_in_a_header_are_told_of, enter, leave),
        cmocka_unit_test_setup_teardown(packed_is_the_same, enter, leave),
        cmocka_unit_test(short_names_tell_files_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
