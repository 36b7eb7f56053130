#include "directives/honest.h"

#include "common/alloc.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Tests run from the root of the project. */
static const char golden[] = "directives/tests/honest";

/* The counts and, behind them, what a user would see. */
static char *outcome(struct source *source, const struct honest_options *options, size_t n,
                     const struct definition definitions[])
{
    struct diags diags = DIAGS_EMPTY;
    struct tree *tree = NULL;
    struct honest_counts counts = {0};
    char *text = NULL;
    size_t length = 0;
    enum status status = tree_parse(&tree, source, n, definitions, &diags);
    if (status == STATUS_OK)
        honest_check(tree, options, &counts, &diags);
    FILE *out = open_memstream(&text, &length);
    fprintf(out, "%zu directives, %zu compared, %zu in part\n", counts.directives, counts.compared, counts.partly);
    diags_print(&diags, out);
    fclose(out);
    assert_int_equal(status, STATUS_OK);
    assert_int_equal(diags.n_errors, 0);
    tree_destroy(tree);
    diags_free(&diags);
    return text;
}

static char *outcome_of_file(const char *path, const char *name)
{
    struct diags diags = DIAGS_EMPTY;
    struct source *file = NULL;
    assert_int_equal(source_read(&file, path, &diags), STATUS_OK);
    struct source *source = source_from_text(name, file->text, file->length); /* diagnostics without the folder */
    struct honest_options options = {.explain = true};
    char *got = outcome(source, &options, 0, NULL);
    source_destroy(source);
    source_destroy(file);
    return got;
}

static char *outcome_of(const char *name, const char *text)
{
    struct source *source = source_from_text(name, text, strlen(text));
    struct honest_options options = {0};
    char *got = outcome(source, &options, 0, NULL);
    source_destroy(source);
    return got;
}

static bool check_golden(const char *name)
{
    char *path = alloc_format("%s/%s", golden, name);
    char *right = alloc_format("%.*s.warn", (int)(strrchr(path, '.') - path), path);
    char *got = outcome_of_file(path, name);
    if (getenv("UPDATE_GOLDEN")) {
        FILE *file = fopen(right, "wb");
        assert_non_null(file);
        fputs(got, file);
        fclose(file);
    }
    struct diags diags = DIAGS_EMPTY;
    struct source *expected = NULL;
    enum status status = source_read(&expected, right, &diags);
    bool same = status == STATUS_OK && strcmp(expected->text, got) == 0;
    if (!same)
        printf("%s: expected\n%sbut got\n%s", right, status == STATUS_OK ? expected->text : "(no such file)\n", got);
    source_destroy(expected);
    diags_free(&diags);
    free(got);
    free(right);
    free(path);
    return same;
}

static void warnings_are_as_written_down(void **state)
{
    (void)state;
    struct dirent **list;
    int n = scandir(golden, &list, NULL, alphasort), checked = 0, wrong = 0;
    assert_true(n > 0);
    for (int i = 0; i < n; i++) {
        const char *dot = strrchr(list[i]->d_name, '.');
        if (list[i]->d_name[0] != '.' && dot && strcmp(dot, ".warn") != 0) {
            checked++;
            wrong += !check_golden(list[i]->d_name);
        }
        free(list[i]);
    }
    free(list);
    assert_int_equal(wrong, 0);
    assert_true(checked >= 5);
}

/* `without`: a file that has no directives. */
static void warns_nothing_in(const char *folder, int least, const char *without)
{
    struct dirent **list;
    int n = scandir(folder, &list, NULL, alphasort), checked = 0;
    assert_true(n > 0);
    for (int i = 0; i < n; i++) {
        const char *dot = strrchr(list[i]->d_name, '.');
        bool source = dot && (strcmp(dot, ".c") == 0 || strcmp(dot, ".f90") == 0);
        if (source && strcmp(list[i]->d_name, without) != 0) {
            char *path = alloc_format("%s/%s", folder, list[i]->d_name);
            char *got = outcome_of_file(path, list[i]->d_name);
            if (strstr(got, "warning") || strncmp(got, "0 directives", 12) == 0)
                fail_msg("%s:\n%s", path, got);
            free(got);
            free(path);
            checked++;
        }
        free(list[i]);
    }
    free(list);
    assert_true(checked >= least);
}

static void examples_are_honest(void **state)
{
    (void)state;
    warns_nothing_in("examples/jacobi", 1, "");
    warns_nothing_in("examples/ring", 1, "");
    warns_nothing_in("validation/programs", 5, "ocean.c"); /* which was written after a sketch */
    warns_nothing_in("validation/probes", 5, "");
}

/* What -D says of a name holds for the host's use of it as well. */
static void parameters_mean_the_same(void **state)
{
    (void)state;
    static const char text[] = "int n = 256;\n"
                               "// PEVPM Message type = MPI_Send & size = 8*n & to = 1\n"
                               "MPI_Send(a, n, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);\n";
    struct source *source = source_from_text("p.c", text, strlen(text));
    struct honest_placement placement = {2, 3};
    struct honest_options options = {.n = 1, .placements = &placement, .machine = "elsewhere"};
    struct definition definition = {"n", value_int(7), NULL};
    char *got = outcome(source, &options, 1, &definition);
    assert_string_equal(got, "1 directives, 1 compared, 0 in part\n");
    free(got);
    source_destroy(source);
}

/* The Serial lines need no machine. */
static void machines_do_not_matter(void **state)
{
    (void)state;
    char *got = outcome_of("p.c", "// PEVPM Serial on a time = measured(work)\n"
                                  "// PEVPM Collective type = MPI_Barrier\nMPI_Barrier(MPI_COMM_WORLD);\n"
                                  "// PEVPM Serial on b time = measured(rest, 3)\n"
                                  "// PEVPM Serial time = 4\n"
                                  "// PEVPM Message type = MPI_Send & size = 8 & to = 0\n"
                                  "MPI_Send(a, 1, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);\n");
    assert_non_null(strstr(got, "2 directives, 2 compared"));
    assert_non_null(strstr(got, "p.c:6:52: warning: `to` is 0, but MPI_Send is called with 1 (process 0 of 2)"));
    free(got);
}

/* An expression that would never end, or that multiplies, has no value. */
static void hard_expressions_are_left_alone(void **state)
{
    (void)state;
    struct {
        char *text;
        size_t length;
    } all = {NULL, 0};
    FILE *out = open_memstream(&all.text, &all.length);
    fprintf(out, "#define a0 1\n#define loop (loop2)\n#define loop2 (loop)\n");
    for (int i = 1; i < 50; i++)
        fprintf(out, "#define a%d (a%d+a%d)\n", i, i - 1, i - 1);
    fprintf(out, "// PEVPM Message type = MPI_Send & size = 8 & to = 0\nMPI_Send(b, a49, MPI_CHAR, loop, ");
    for (int i = 0; i < 10000; i++)
        fputc(i < 5000 ? '(' : '-', out);
    fprintf(out, "1, MPI_COMM_WORLD);\n");
    fclose(out);
    char *got = outcome_of("p.c", all.text);
    assert_string_equal(got, "1 directives, 0 compared, 0 in part\n");
    free(got);
    free(all.text);
}

/* No bytes make it fail: parts of the examples, cut and changed. */
static void any_bytes_are_borne(void **state)
{
    (void)state;
    struct diags diags = DIAGS_EMPTY;
    static const char *const names[] = {"operands.c", "fortran.f90", "fixed.f", "silent.c"};
    uint32_t random = 1;
    for (size_t k = 0; k < 4; k++) {
        char *path = alloc_format("%s/%s", golden, names[k]);
        struct source *file = NULL;
        assert_int_equal(source_read(&file, path, &diags), STATUS_OK);
        for (int round = 0; round < 300; round++) {
            char *text = alloc_string_n(file->text, file->length);
            for (int i = 0; i < 1 + round % 20; i++) {
                random = random * 1664525 + 1013904223;
                text[(random >> 8) % file->length] = "(){}&,=\n\"'#!x0%"[(random >> 3) % 15];
            }
            struct source *source = source_from_text(names[k], text, file->length);
            struct tree *tree = NULL;
            struct honest_options options = {0};
            struct honest_counts counts;
            if (tree_parse(&tree, source, 0, NULL, &diags) == STATUS_OK) {
                honest_check(tree, &options, &counts, &diags);
                assert_true(counts.compared + counts.partly <= counts.directives);
            }
            diags_free(&diags);
            tree_destroy(tree);
            source_destroy(source);
            free(text);
        }
        source_destroy(file);
        free(path);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(warnings_are_as_written_down),    cmocka_unit_test(examples_are_honest),
        cmocka_unit_test(parameters_mean_the_same),        cmocka_unit_test(machines_do_not_matter),
        cmocka_unit_test(hard_expressions_are_left_alone), cmocka_unit_test(any_bytes_are_borne),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
