#include "directives/comment.h"
#include "directives/directive.h"
#include "directives/source.h"
#include "directives/tree.h"

#include "common/alloc.h"
#include "common/tests/said.h"

#include <sys/stat.h>
#include <unistd.h>

/* The directives of a text, each on a line of its own with its first line number, pieces joined by " | ". */
static char *extract(const char *name, const char *text, size_t length)
{
    struct diags diags = DIAGS_EMPTY;
    struct directives directives;
    struct source *source = source_from_text(name, text, length);
    char *out = alloc_string("");
    directives_find(&directives, source, &diags);
    for (size_t i = 0; i < directives.n; i++) {
        const struct piece *pieces = directives.pieces + directives.list[i].first;
        for (size_t k = 0; k < directives.list[i].n; k++) {
            char *longer = alloc_format("%s%s%.*s", out, k > 0 ? " | " : "", (int)(pieces[k].end - pieces[k].begin),
                                        source->text + pieces[k].begin);
            free(out);
            out = longer;
        }
        char *longer = alloc_format("%s @%d\n", out, pieces[0].line);
        free(out);
        out = longer;
    }
    directives_free(&directives);
    source_destroy(source);
    diags_free(&diags);
    return out;
}

static void extracts_n(const char *name, const char *text, size_t length, const char *expected)
{
    char *got = extract(name, text, length);
    assert_string_equal(got, expected);
    free(got);
}

static void extracts(const char *name, const char *text, const char *expected)
{
    extracts_n(name, text, strlen(text), expected);
}

static void c_comments_of_both_kinds(void **state)
{
    (void)state;
    extracts("x.c", "// PEVPM a", "a @1\n");
    extracts("x.c", "x;\n\t//\t PEVPM \t a b \n", "a b @2\n");
    extracts("x.c", "//PEVPM a\n/*PEVPM b*/ /* PEVPM c */\n", "a @1\nb @2\nc @2\n");
    extracts("x.c", "/*\n\n PEVPM a\n * b\n c */", "a | b | c @3\n");
    extracts("x.c", "/* PEVPM a & b\n * & c\n **/", "a & b | c @1\n");
    extracts("x.c", "/// PEVPM a\n//! PEVPM a\n/** PEVPM a */\n// see PEVPM a\n// PEVPMa\n// PEVPM_a\n", "");
    extracts("x.c", "// PEVPM{\n// PEVPM }", "{ @1\n} @2\n");
}

static void c_literals_hide_comments(void **state)
{
    (void)state;
    extracts("x.c", "\"// PEVPM a\" // PEVPM b", "b @1\n");
    extracts("x.c", "\"\\\"// PEVPM a\" // PEVPM b", "b @1\n");
    extracts("x.c", "\"\\\\\" // PEVPM b", "b @1\n");
    extracts("x.c", "'\"' // PEVPM b", "b @1\n");
    extracts("x.c", "'\\'' // PEVPM b", "b @1\n");
    extracts("x.c", "\"/* PEVPM a */\" \"spliced \\\n // PEVPM a\" // PEVPM b", "b @2\n");
    extracts("x.c", "\"never closed\n// PEVPM b", "b @2\n");
    extracts("x.c", "#error don't\n// PEVPM b", "b @2\n");
    extracts("x.c", "a = b / c; // PEVPM b\nd = e /*PEVPM f*/ / g", "b @1\nf @2\n");
    extracts("x.c", "/* // PEVPM a */ // PEVPM b", "b @1\n");
}

static void cxx_raw_strings_and_digit_separators(void **state)
{
    (void)state;
    extracts("x.cc", "R\"(\n// PEVPM a\n\" )\" // PEVPM b", "b @3\n");
    extracts("x.cc", "u8R\"ab(\n// PEVPM a )\" )a\" )ab\" // PEVPM b", "b @2\n");
    extracts("x.cc", "R\"never(\n// PEVPM a", "");
    extracts("x.cc", "R\"not raw\" // PEVPM b", "b @1\n");
    extracts("x.cc", "VAR\"(\" // PEVPM b\n// PEVPM c )\"", "b @1\nc )\" @2\n");
    extracts("x.cc", "n = 1'000'000; // PEVPM b\nc = u'\"'; // PEVPM c", "b @1\nc @2\n");
}

static void lines_that_go_on(void **state)
{
    (void)state;
    extracts("x.c", "// PEVPM a\n// PEVPM & b\ncode\n//PEVPM&c\n// PEVPM d", "a | b | c @1\nd @5\n");
    extracts("x.c", "// PEVPM a &\n// PEVPM & b", "a | b @1\n");
    extracts("x.c", "// PEVPM a &&\n// PEVPM && b", "a && @1\n&& b @2\n");
    extracts("x.c", "// PEVPM a \\\n   b\\\n c\n d", "a | b | c @1\n");
    extracts("x.c", "// plain \\\n// PEVPM a\n// PEVPM b", "b @3\n");
    extracts("x.c", "// PEVPM a\n/* PEVPM & b\n c */\n// PEVPM & d", "a | b | c | d @1\n");
    extracts("x.c", "// PEVPM a \\", "a \\ @1\n");
}

static void fortran_of_both_forms(void **state)
{
    (void)state;
    extracts("x.f90", "!PEVPM a\ncall f() ! PEVPM b\n", "a @1\nb @2\n");
    extracts("x.F90", "s = 'it''s ! PEVPM a' ! PEVPM b\ns = \"! PEVPM '\" ! PEVPM c", "b @1\nc @2\n");
    extracts("x.f95", "s = 'goes on &\n & ! PEVPM a' ! PEVPM b\ns = 'stops\n! PEVPM c", "b @2\nc @4\n");
    extracts("x.f08", "!$omp parallel\n!PEVPM a\n!PEVPM & b", "a | b @2\n");
    extracts("x.f", "C PEVPM a\nc PEVPM b\n* PEVPM c\n! PEVPM d\nCPEVPM e", "a @1\nb @2\nc @3\nd @4\ne @5\n");
    extracts("x.for", " C PEVPM a\n      X = 1 ! PEVPM a\n C = '\nC PEVPM b", "b @4\n");
}

static void hash_comments(void **state)
{
    (void)state;
    extracts("x.py", "# PEVPM a\nx = 1 # PEVPM b\n", "a @1\nb @2\n");
    extracts("x.py", "'# PEVPM a' \"# PEVPM '\" # PEVPM b\n'\\'# PEVPM a' # PEVPM c\n", "b @1\nc @2\n");
    extracts("x.py", "'''\n# PEVPM a ''\\'''' # PEVPM b\n\"\"\" ''' \"\"\" # PEVPM c", "b @2\nc @3\n");
    extracts("x.py", "s = 'open\n# PEVPM b\n'' # PEVPM c", "b @2\nc @3\n");
    extracts("x.sh", "echo '# PEVPM a' \"\\\"# PEVPM a\" \\# a#PEVPM $# PEVPM ;# PEVPM b\ndon't\n# PEVPM c",
             "b @1\nc @3\n");
    extracts("x.yaml", "a: \"# PEVPM a\" # PEVPM b\nc: don't # PEVPM c\nd: x#PEVPM", "b @1\nc @2\n");
    extracts("x.yml", "a: ['# PEVPM a', b] # PEVPM d", "d @1\n");
}

static void stand_alone_lines(void **state)
{
    (void)state;
    extracts("x.pevpm", "# no\na # no\n\n  PEVPM b\n& c\nPEVPM & d\nPEVPMe", "a @2\nb | c | d @4\nPEVPMe @7\n");
    extracts("x.pevpm", "", "");
}

static void odd_bytes(void **state)
{
    (void)state;
    extracts("x.c", "// PEVPM a\r\n// PEVPM & b\r\n", "a | b @1\n");
    extracts("x.c", "// PEVPM a \\\r\n b\r\n", "a | b @1\n");
    extracts("x.f", "\xEF\xBB\xBF" "C PEVPM a\n", "a @1\n");
    extracts("x.pevpm", "\xEF\xBB\xBF" "a\n", "a @1\n");
    extracts_n("x.c", "\0\0// PEVPM a\0\n// PEVPM b", 25, "a @1\nb @2\n");
    extracts_n("x.c", "// PEVPM a\\\r", 12, "a @1\n");
}

static void first_errors(const char *text, const char *expected)
{
    struct diags diags = DIAGS_EMPTY;
    struct directives directives;
    struct source *source = source_from_text("x.c", text, strlen(text));
    assert_true(directives_find(&directives, source, &diags) > 0);
    char *printed = said_by(&diags);
    assert_true(strncmp(printed, expected, strlen(expected)) == 0);
    free(printed);
    directives_free(&directives);
    source_destroy(source);
    diags_free(&diags);
}

static void directives_that_cannot_be_put_together(void **state)
{
    (void)state;
    first_errors("\n // PEVPM & a", "x.c:2:11: error: there is no directive above that `&` could continue\n");
    first_errors("\xEF\xBB\xBF// PEVPM & a", "x.c:1:10: error: there is no directive above that `&` could continue\n");
    first_errors("// PEVPM a\n// PEVPM &", "x.c:2:10: error: nothing follows `&`");
    first_errors("/* PEVPM a", "x.c:1:10: error: this comment is never closed: expected `*/`\n");
    char *text = alloc_array((1 << 20) + 100, 1);
    memset(text, 'x', (1 << 20) + 99);
    text[(1 << 20) + 99] = '\0';
    memcpy(text, "// PEVPM ", 9);
    first_errors(text, "x.c:1:10: error: a directive of more than 1 MiB\n");
    struct diags diags = DIAGS_EMPTY;
    struct tree *tree;
    struct source *source = source_from_text("x.c", text, strlen(text));
    assert_true(tree_parse(&tree, source, 0, NULL, &diags) != STATUS_OK);
    assert_int_equal(diags.n_errors, 1);
    diags_free(&diags);
    source_destroy(source);
    free(text);
}

static enum host host_of(const char *name, const char *text)
{
    struct source *source = source_from_text(name, text, strlen(text));
    enum host host = source->host;
    source_destroy(source);
    return host;
}

static void hosts_by_name(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        enum host host;
    } cases[] = {
        {"a.c", HOST_C},           {"a.h", HOST_C},          {"a.cc", HOST_C},
        {"a.cpp", HOST_C},         {"a.cxx", HOST_C},        {"a.hpp", HOST_C},
        {"a.cu", HOST_C},          {"A.C", HOST_C},          {"a.f90", HOST_FORTRAN_FREE},
        {"a.f95", HOST_FORTRAN_FREE}, {"a.f03", HOST_FORTRAN_FREE}, {"a.f08", HOST_FORTRAN_FREE},
        {"a.f", HOST_FORTRAN_FIXED},  {"a.F", HOST_FORTRAN_FIXED},  {"a.for", HOST_FORTRAN_FIXED},
        {"a.ftn", HOST_FORTRAN_FIXED}, {"a.py", HOST_PYTHON}, {"b.c/a.sh", HOST_SHELL},
        {"a.yaml", HOST_YAML},     {"a.yml", HOST_YAML},     {"a.b.pevpm", HOST_STANDALONE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(host_of(cases[i].name, "! PEVPM x"), cases[i].host);
}

static void hosts_by_contents(void **state)
{
    (void)state;
    assert_int_equal(host_of("<stdin>", "int x;\n x; // PEVPM Loop"), HOST_C);
    assert_int_equal(host_of("<stdin>", "/* PEVPM Loop"), HOST_C);
    assert_int_equal(host_of("a.txt", "x = 1\n!PEVPM Loop"), HOST_FORTRAN_FREE);
    assert_int_equal(host_of("a", "x = 1\nC PEVPM Loop"), HOST_FORTRAN_FIXED);
    assert_int_equal(host_of("a", "*PEVPM Loop"), HOST_FORTRAN_FIXED);
    assert_int_equal(host_of("a", "import x\n# PEVPM Loop"), HOST_PYTHON);
    assert_int_equal(host_of("a", "#!/bin/bash\n# PEVPM Loop"), HOST_SHELL);
    assert_int_equal(host_of("b.c/a", "PEVPM Loop"), HOST_STANDALONE);
    assert_int_equal(host_of("a", "# a model\n\nMesage type = MPI_Send"), HOST_STANDALONE);
    assert_int_equal(host_of("a", "{"), HOST_STANDALONE);
    assert_int_equal(host_of("a", "This PEVPM is prose"), HOST_C);
    assert_int_equal(host_of("a", ""), HOST_C);
}

static void places(void **state)
{
    (void)state;
    struct source *source = source_from_text("x.c", "ab\r\n\n\tcde", 9);
    struct place place = source_place(source, 6, 2);
    assert_int_equal(source->n_lines, 3);
    assert_string_equal(place.file, "x.c");
    assert_int_equal(place.line, 3);
    assert_int_equal(place.column, 2);
    assert_int_equal(place.width, 2);
    assert_int_equal(place.text_length, 4);
    assert_memory_equal(place.text, "\tcde", 4);
    place = source_place(source, 1, 0);
    assert_int_equal(place.line, 1);
    assert_int_equal(place.column, 2);
    assert_int_equal(place.width, 1);
    assert_int_equal(place.text_length, 2);
    assert_int_equal(source_place(source, 4, 1).line, 2);
    assert_int_equal(source_place(source, 9, 1).column, 5);
    source_destroy(source);
    source = source_from_text("x.c", "", 0);
    assert_int_equal(source->n_lines, 0);
    assert_int_equal(source_place(source, 0, 1).text_length, 0);
    source_destroy(source);
}

static void reads_files(void **state)
{
    (void)state;
    struct diags diags = DIAGS_EMPTY;
    struct source *source = NULL;
    char path[] = "/tmp/pevpm-test-source-XXXXXX";
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    char block[70001];
    memset(block, 'x', sizeof block);
    block[70000] = '\0';
    assert_int_equal(write(descriptor, block, sizeof block), sizeof block);
    close(descriptor);
    assert_int_equal(source_read(&source, path, &diags), STATUS_OK);
    assert_int_equal(source->length, 70001);
    assert_memory_equal(source->text, block, 70001);
    assert_string_equal(source->name, path);
    source_destroy(source);
    unlink(path);
    assert_int_equal(diags.n_errors, 0);
    assert_int_equal(source_read(&source, path, &diags), STATUS_IO);
    assert_int_equal(source_read(&source, "/", &diags), STATUS_IO);
    assert_int_equal(diags.n_errors, 2);
    diags_free(&diags);
}

static void refuses_more_than_a_gibibyte(void **state)
{
    (void)state;
    struct diags diags = DIAGS_EMPTY;
    struct source *source = NULL;
    char path[] = "/tmp/pevpm-test-source-XXXXXX";
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    assert_int_equal(ftruncate(descriptor, ((off_t)1 << 30) + 1), 0);
    close(descriptor);
    assert_int_equal(source_read(&source, path, &diags), STATUS_IO);
    assert_int_equal(diags.n_errors, 1);
    unlink(path);
    diags_free(&diags);
}

static void blanks_comments_and_strings(void **state)
{
    (void)state;
    const char *text = "int a = 1; // b\nchar *s = \"a // b\"; /* x\n y */ int c;\n";
    struct source *source = source_from_text("x.c", text, strlen(text));
    char *blank = comment_blank(source);
    assert_string_equal(blank, "int a = 1;     \nchar *s = \"      \";     \n      int c;\n");
    free(blank);
    source_destroy(source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(c_comments_of_both_kinds),
        cmocka_unit_test(c_literals_hide_comments),
        cmocka_unit_test(cxx_raw_strings_and_digit_separators),
        cmocka_unit_test(lines_that_go_on),
        cmocka_unit_test(fortran_of_both_forms),
        cmocka_unit_test(hash_comments),
        cmocka_unit_test(stand_alone_lines),
        cmocka_unit_test(odd_bytes),
        cmocka_unit_test(directives_that_cannot_be_put_together),
        cmocka_unit_test(hosts_by_name),
        cmocka_unit_test(hosts_by_contents),
        cmocka_unit_test(places),
        cmocka_unit_test(reads_files),
        cmocka_unit_test(refuses_more_than_a_gibibyte),
        cmocka_unit_test(blanks_comments_and_strings),
    };
    cmocka_set_message_output(CM_OUTPUT_STDOUT);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
