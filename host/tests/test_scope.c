#include "host/scope.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* What a name is at HERE; -1: nothing. */
static int kind_there(const char *file, const char *source_text, const char *name, bool *other)
{
    struct source *source = source_from_text(file, source_text, strlen(source_text));
    struct host_text text;
    struct host_scopes scopes;
    assert_true(host_text_read(&text, source));
    host_scopes_read(&scopes, &text);
    const size_t here = host_token_at(&text, (size_t)(strstr(source_text, "HERE") - source_text));
    const struct host_variable *found = host_name_declared(&scopes, name, strlen(name), here);
    const int kind = found ? (int)found->kind : -1;
    *other = found && found->other;
    host_scopes_free(&scopes);
    host_text_free(&text);
    source_destroy(source);
    return kind;
}

struct expected {
    const char *name;
    int kind;
    bool other;
};

static void expect(const char *file, const char *text, size_t n, const struct expected expected[])
{
    for (size_t i = 0; i < n; i++) {
        bool other;
        const int kind = kind_there(file, text, expected[i].name, &other);
        if (kind != expected[i].kind || other != expected[i].other)
            fail_msg("%s is %d, %d", expected[i].name, kind, other);
    }
}
#define EXPECT(file, text, ...)                                                                                        \
    do {                                                                                                               \
        const struct expected all[] = {__VA_ARGS__};                                                                   \
        expect(file, text, sizeof all / sizeof *all, all);                                                             \
    } while (0)

static void test_kinds(void **state)
{
    (void)state;
    EXPECT("a.c",
           "#define N 3\n#define EMPTY\n#define TEXT \"a\"\n#define OLD 1\n#undef OLD\n#define F(x) x\n"
           "enum { A, B = 2 };\ntypedef int count;\ntypedef struct { int inner; } grid;\ntypedef int (*call)(int outer);\n"
           "extern int given, more;\nint size = 1, *at, row[3];\nstruct grid world;\ngrid own;\nHERE\nint late;\n",
           {"N", HOST_MACRO, false}, {"EMPTY", HOST_MACRO, true}, {"TEXT", HOST_MACRO, true},
           {"OLD", HOST_UNDEFINED, false}, {"F", -1, false}, {"A", HOST_ENUMERATOR, false},
           {"B", HOST_ENUMERATOR, false}, {"count", HOST_TYPE_NAME, false}, {"grid", HOST_TYPE_NAME, true},
           {"inner", -1, false}, {"int", -1, false}, {"given", HOST_EXTERNAL, false}, {"more", HOST_EXTERNAL, false},
           {"size", HOST_VARIABLE, false}, {"at", HOST_VARIABLE, true}, {"row", HOST_VARIABLE, true},
           {"world", HOST_VARIABLE, true}, {"own", HOST_VARIABLE, false}, {"late", -1, false});
}

static void test_where_they_are_seen(void **state)
{
    (void)state;
    EXPECT("a.c",
           "int g(int passed) { int done = 1; return done; }\nint f(struct grid *all, item *one, int n)\n{\n"
           "  enum { INNER };\n  item *next = one, last;\n  for (int i = 0; i < n; i++) { int deep; }\n  x = n * m;\n"
           "  h(n * k);\n  HERE;\n}\n",
           {"passed", -1, false}, {"done", -1, false}, {"all", HOST_VARIABLE, true}, {"one", HOST_VARIABLE, true},
           {"n", HOST_VARIABLE, false}, {"INNER", HOST_ENUMERATOR, false}, {"next", HOST_VARIABLE, true},
           {"last", HOST_VARIABLE, false}, {"i", -1, false}, {"deep", -1, false}, {"m", -1, false}, {"k", -1, false});
}

/* Arguments are seen in a body behind initialisers that a condition divides; words of C++ are names in C. */
static void test_of_cpp(void **state)
{
    (void)state;
    EXPECT("a.cc", "A::A(int n) : a(1)\n#if X\n, b(2)\n#endif\n{\n HERE; }\n", {"n", HOST_VARIABLE, false});
    EXPECT("a.c", "int new = 1;\nstruct class *template;\nHERE;\n", {"new", HOST_VARIABLE, false},
           {"template", HOST_VARIABLE, true});
    EXPECT("a.cc", "x = new thing;\nHERE;\n", {"thing", -1, false});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinds), cmocka_unit_test(test_where_they_are_seen), cmocka_unit_test(test_of_cpp),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
