#include "timing/tests/records.h"

#include "timing/instrument.h"

/* Instruments the body of a function; `name`'s ending says the language. */
static enum status instrument(const char *name, const char *text, char **timed, struct diags *diags)
{
    struct source *source = source_from_text(name, text, strlen(text));
    enum status status = instrument_source(source, timed, diags);
    source_destroy(source);
    return status;
}

/* What becomes of `body`, and that a diagnostic says `message` (NULL: none but notes). */
static void becomes(const char *body, const char *wanted, const char *message)
{
    char from[2000], to[2000], *timed;
    struct diags diags = DIAGS_EMPTY;
    snprintf(from, sizeof from, "void f(void)\n{\n%s}\n", body);
    snprintf(to, sizeof to, "#include \"pevpm_time.h\"\nvoid f(void)\n{\n%s}\n", wanted);
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

static void test_refused(void **state)
{
    (void)state;
    struct diags diags = DIAGS_EMPTY;
    char *timed;
    assert_int_equal(instrument("t.f90", "! PEVPM Serial time = measured(a)\n", &timed, &diags), STATUS_SYNTAX);
    assert_said(&diags, "this is Fortran, free form: only C and C++");
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
        cmocka_unit_test(test_not_timed), cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
