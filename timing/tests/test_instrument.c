#include "timing/tests/records.h"

#include "common/alloc.h"
#include "timing/instrument.h"

/* Instruments the body of a function; `name`'s ending says the language. */
static enum status instrument(const char *name, const char *text, char **timed, struct diags *diags)
{
    struct source *source = source_from_text(name, text, strlen(text));
    enum status status = instrument_source(source, source, timed, diags);
    source_destroy(source);
    return status;
}

/* What becomes of `body`, and that a diagnostic says `message` (NULL: none but notes). */
static void becomes(const char *body, const char *wanted, const char *message)
{
    char from[2000], to[2000], *timed;
    struct diags diags = DIAGS_EMPTY;
    const char *include = strstr(wanted, "PEVPM_TIME_BEGIN") ? "#include \"pevpm_time.h\"\n" : "";
    snprintf(from, sizeof from, "void f(int n)\n{\n%s}\n", body);
    snprintf(to, sizeof to, "%svoid f(int n)\n{\n%s}\n", include, wanted);
    assert_int_equal(instrument("t.c", from, &timed, &diags), STATUS_OK);
    assert_string_equal(timed, to);
    free(timed);
    if (!message)
        assert_int_equal(diags.n_warnings, 0);
    assert_said(&diags, message ? message : "timed");
}

static void test_statements(void **state)
{
    (void)state;
    becomes("  // PEVPM Serial time = measured(a)\n  x(\"}\");\n  y(); /* } */\n",
            "  // PEVPM Serial time = measured(a)\n  PEVPM_TIME_BEGIN(a);\n  x(\"}\");\n  y();\n"
            "  PEVPM_TIME_END(a); /* } */\n",
            NULL);
    becomes("// PEVPM Serial time = measured(a, (n+1)/2) \nfor (;;)\n  if (b) c(); else\n d();\n"
            "// PEVPM Serial time = 3\ne();\n",
            "// PEVPM Serial time = measured(a, (n+1)/2) \nPEVPM_TIME_BEGIN_ARG(a, (n+1)/2);\nfor (;;)\n"
            "  if (b) c(); else\n d();\nPEVPM_TIME_END(a);\n// PEVPM Serial time = 3\ne();\n",
            NULL);
    becomes("// PEVPM Serial on m time = 2\n// PEVPM Serial time = measured(a)\ndo x(); while (y);\n",
            "// PEVPM Serial on m time = 2\n// PEVPM Serial time = measured(a)\n"
            "PEVPM_TIME_BEGIN(a);\ndo x(); while (y);\nPEVPM_TIME_END(a);\n",
            NULL);
    becomes("/* PEVPM Serial time = measured(a) */\n#pragma omp parallel for\nfor (;;) { if (x) break; }\n",
            "/* PEVPM Serial time = measured(a) */\nPEVPM_TIME_BEGIN(a);\n#pragma omp parallel for\n"
            "for (;;) { if (x) break; }\nPEVPM_TIME_END(a);\n",
            NULL);
}

/* The block, or a statement that holds further directives, ends what is timed. */
static void test_ends(void **state)
{
    (void)state;
    becomes("{\n// PEVPM Serial time = measured(a)\nx(); }\ny();\n",
            "{\n// PEVPM Serial time = measured(a)\nPEVPM_TIME_BEGIN(a);\nx();\nPEVPM_TIME_END(a); }\ny();\n", NULL);
    becomes("// PEVPM Serial time = measured(a)\nx();\nif (n) {\n// PEVPM Serial time = 3\ny(); }\n",
            "// PEVPM Serial time = measured(a)\nPEVPM_TIME_BEGIN(a);\nx();\nPEVPM_TIME_END(a);\nif (n) {\n"
            "// PEVPM Serial time = 3\ny(); }\n",
            NULL);
}

static void test_left(void **state)
{
    (void)state;
    const char *const ends[] = {"if (x) return;\n", "MPI_Bcast (x);\n", "goto out;\n", "continue;\n"};
    const char *const said_of_it[] = {"t.c:5:8: warning: from here on", "an MPI call is no Serial time",
                                      "this leaves the block", "this leaves the block"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        char from[500], to[500];
        snprintf(from, sizeof from, "// PEVPM Serial time = measured(a)\nx();%s%s", i ? "" : "\n", ends[i]);
        snprintf(to, sizeof to,
                 "// PEVPM Serial time = measured(a)\nPEVPM_TIME_BEGIN(a);\nx();\nPEVPM_TIME_END(a);%s%s",
                 i ? "" : "\n", ends[i]);
        becomes(from, to, said_of_it[i]);
    }
}

static void test_not_timed(void **state)
{
    (void)state;
    static const char *const bodies[][2] = {
        {"if (x)\n// PEVPM Serial time = measured(a)\ny();\n", "t.c:5:1: warning: not timed: no statement starts here"},
        {"// PEVPM Serial time = measured(a)\n", "not timed: no whole statement stands between"},
        {"// PEVPM Serial time = measured(a)\n#if X\ny();\n#endif\n", "conditional compilation starts or ends"},
        {"// PEVPM Serial time = measured(a)\nreturn;\n", "not timed: this leaves the block"},
        {"}\n// PEVPM Serial time = measured(a)\nint x;\nvoid g(void) {\n", "the code stands outside any function"},
    };
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++)
        becomes(bodies[i][0], bodies[i][0], bodies[i][1]);
}

/* What --instrument makes of `head`, then a function with `body` in it. */
static char *timed_of(const char *head, const char *body, struct diags *diags)
{
    char *text = alloc_format("%svoid f(double *array, int n)\n{\n%s}\n", head, body), *timed;
    assert_int_equal(instrument("t.c", text, &timed, diags), STATUS_OK);
    free(text);
    return timed;
}

/* An argument that the program can compute at that place becomes the timer's. */
static void test_arguments(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"", "n * 2"},
        {"", "sizeof(double) * n"},
        {"#define N 256\n", "N / 2"},
        {"#define HALF(x) ((x) / 2)\n", "HALF(n)"},
        {"static int a, size = 3;\n", "n / size"},
        {"enum { A, B = 3, C };\n", "C * n"},
        {"enum kind { A };\nextern enum kind k;\n", "k + A"},
        {"typedef int count;\ntypedef count number;\nnumber c;\n", "c"},
        {"typedef int (*call)(int);\nint size;\n", "size"},
        {"int new;\n", "new"},
        {"struct s { int x; };\nunsigned long long x;\n", "x"},
        {"int half(int);\n", "half(n)"},
        {"const double *p, q = 3;\n", "(q)"},
        {"#ifdef X\nint size;\n#endif\n", "size"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        struct diags diags = DIAGS_EMPTY;
        char *body = alloc_format("// PEVPM Serial time = measured(a, %s)\nx();\n", pairs[i][1]);
        char *wanted = alloc_format("PEVPM_TIME_BEGIN_ARG(a, %s);\n", pairs[i][1]);
        char *timed = timed_of(pairs[i][0], body, &diags);
        if (!strstr(timed, wanted))
            fail_msg("%s is not timed: %s", pairs[i][1], said_by(&diags));
        assert_int_equal(diags.n_warnings, 0);
        diags_free(&diags);
        free(timed);
        free(wanted);
        free(body);
    }
}

/* Else nothing is timed, and it is said why. */
static void test_arguments_refused(void **state)
{
    (void)state;
    static const char *const triples[][3] = {
        {"", "n/numprocs", "t.c:3:38: warning: not timed: `numprocs` is not declared here; say what the program calls"},
        {"void g(void) { int numprocs = 3; }\n", "numprocs", "`numprocs` is not declared here"},
        {"void g(int size);\n", "size", "`size` is not declared here"},
        {"void g(void) { for (int k = 0; k < 3; k++) h(); }\n", "k", "`k` is not declared here"},
        {"struct s { int x; };\n", "x", "`x` is not declared here"},
        {"#define X 3\n#undef X\n", "X", "`X` is not declared here"},
        {"", "n*array", "`array` is a pointer, an array or a structure here"},
        {"int v[3];\n", "v", "`v` is a pointer, an array or a structure here"},
        {"struct s v;\n", "v", "`v` is a pointer, an array or a structure here"},
        {"typedef struct { int n; } s;\ns v;\n", "v", "`v` is a pointer, an array or a structure here"},
        {"int g(int);\n", "g", "`g` is a function here"},
        {"", "ilog2(n)", "`ilog2` is no function that this file or its headers declare"},
        {"", "sizeof(MPI_DOUBLE)*n", "`MPI_DOUBLE` has another size in C"},
        {"", "n/1e5", "`1e5` is an integer in a directive and none in C"},
    };
    for (size_t i = 0; i < sizeof triples / sizeof *triples; i++) {
        struct diags diags = DIAGS_EMPTY;
        char *body = alloc_format("// PEVPM Serial time = measured(a, %s)\nx();\n", triples[i][1]);
        char *timed = timed_of(triples[i][0], body, &diags);
        assert_null(strstr(timed, "PEVPM_TIME"));
        assert_int_equal(diags.n_warnings, 1);
        assert_said(&diags, triples[i][2]);
        free(timed);
        free(body);
    }
}

/* `code` says what the program calls the argument, and goes into the timer as it stands. */
static void test_code(void **state)
{
    (void)state;
    becomes("// PEVPM Serial time = measured(a, atoms/numprocs) & code = s->atoms->nLocal \nx();\n",
            "// PEVPM Serial time = measured(a, atoms/numprocs) & code = s->atoms->nLocal \n"
            "PEVPM_TIME_BEGIN_ARG(a, s->atoms->nLocal);\nx();\nPEVPM_TIME_END(a);\n",
            NULL);
    becomes("/* PEVPM Serial time = measured(a, (atoms+1)/2) us,\n   PEVPM & code = f(\"a  )\") & g[1] */\nx();\n",
            "/* PEVPM Serial time = measured(a, (atoms+1)/2) us,\n   PEVPM & code = f(\"a  )\") & g[1] */\n"
            "PEVPM_TIME_BEGIN_ARG(a, f(\"a  )\") & g[1]);\nx();\nPEVPM_TIME_END(a);\n",
            NULL);
    becomes("// PEVPM Serial time = measured(a,\n// PEVPM & n\n// PEVPM & *2)\nx();\n",
            "// PEVPM Serial time = measured(a,\n// PEVPM & n\n// PEVPM & *2)\n"
            "PEVPM_TIME_BEGIN_ARG(a, n *2);\nx();\nPEVPM_TIME_END(a);\n",
            NULL);
}

/* What the program times itself is left as it is. */
static void test_by_hand(void **state)
{
    (void)state;
    const char *const body = "// PEVPM Serial time = measured(a, atoms)\nPEVPM_TIME_BEGIN_ARG(a, s->n);\nx();\n"
                             "PEVPM_TIME_END(a);\n";
    struct diags diags = DIAGS_EMPTY;
    char *timed = timed_of("", body, &diags);
    assert_true(!strstr(timed, "#include"));
    assert_string_equal(strstr(timed, "// PEVPM"), "// PEVPM Serial time = measured(a, atoms)\n"
                        "PEVPM_TIME_BEGIN_ARG(a, s->n);\nx();\nPEVPM_TIME_END(a);\n}\n");
    assert_int_equal(diags.n_warnings, 0);
    assert_said(&diags, "note: timed by hand in line 4: nothing is added");
    free(timed);
}

/* The header stands behind what the program defines for system headers. */
static void test_include(void **state)
{
    (void)state;
    struct diags diags = DIAGS_EMPTY;
    char *timed = timed_of("#define _GNU_SOURCE\n#ifdef A\n#include <a.h>\n#endif\n# include <b.h>\r\n",
                           "// PEVPM Serial time = measured(a)\nx();\n", &diags);
    assert_non_null(strstr(timed, "# include <b.h>\r\n#include \"pevpm_time.h\"\nvoid f"));
    diags_free(&diags);
    free(timed);
}

static void test_refused(void **state)
{
    (void)state;
    struct diags diags = DIAGS_EMPTY;
    char *timed;
    assert_int_equal(instrument("t.py", "# PEVPM Serial time = measured(a)\n", &timed, &diags), STATUS_SYNTAX);
    assert_said(&diags, "this is Python: only C, C++ and Fortran");
    assert_int_equal(instrument("t.c", "// PEVPM Serial time = 3 ms\n", &timed, &diags), STATUS_SYNTAX);
    assert_said(&diags, "no Serial directive says measured(NAME)");
    assert_int_equal(instrument("t.c", "// PEVPM & size = 3\n", &timed, &diags), STATUS_SYNTAX);
    assert_null(timed);
    diags_free(&diags);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_statements), cmocka_unit_test(test_ends), cmocka_unit_test(test_left),
        cmocka_unit_test(test_not_timed), cmocka_unit_test(test_arguments), cmocka_unit_test(test_arguments_refused),
        cmocka_unit_test(test_code), cmocka_unit_test(test_by_hand), cmocka_unit_test(test_include),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
