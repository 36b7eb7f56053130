#include "common/option.h"

#include "common/tests/said.h"

#define LIST(X)                                                               \
    X(COUNT, 'c', "count", "N", "how many\n(default 1)")                      \
    X(COLOUR, 0, "colour", "NAME", "red or green")                            \
    X(COLD, 0, "cold", NULL, "not warm")                                      \
    X(QUIET, 'q', "quiet", NULL, "say nothing")                               \
    X(A_LONG_ONE, 0, "a-name-that-is-long", "VALUE", "its help stands below") \
    X(HIDDEN, 0, "hidden", NULL, NULL)                                        \
    X(OUTPUT, 'o', "output", "FILE", NULL)
enum number {
#define X(NAME, letter, name, argument, help) OPTION_##NAME,
    LIST(X)
#undef X
};
static const struct option_spec specs[] = {LIST(OPTION_SPEC)};
static const struct option_table table = {"tool", sizeof specs / sizeof *specs, specs, NULL};

/* What was applied, as one text; what was said. */
struct heard {
    char applied[400];
    char *said;
    enum status status;
    int n_words;
    char *words[4];
};

static enum status apply(void *context, const struct option_given *given)
{
    struct heard *heard = context;
    static const char *const colours[] = {"red", "green", "blue"};
    uint64_t count = 0;
    int colour = -1;
    enum status status = STATUS_OK;
    if (given->number == OPTION_COUNT)
        status = option_integer(given, 1, 99, &count);
    if (given->number == OPTION_COLOUR)
        status = option_choice(given, 3, colours, &colour);
    size_t n = strlen(heard->applied);
    if (status == STATUS_OK)
        snprintf(heard->applied + n, sizeof heard->applied - n, "%s %d %s %d %d;", given->shown, given->number,
                 given->argument ? given->argument : "-", (int)count, colour);
    return status;
}

static void read_words(struct heard *heard, int n, const char *const words[])
{
    char *argv[12] = {strdup("tool")}, *kept[12];
    struct diags diags = DIAGS_EMPTY;
    int first;
    *heard = (struct heard){.status = STATUS_OK};
    for (int i = 0; i < n; i++)
        argv[i + 1] = strdup(words[i]);
    memcpy(kept, argv, sizeof kept);
    heard->status = option_read(&table, n + 1, argv, apply, heard, &first, &diags);
    heard->n_words = n + 1 - first;
    for (int i = 0; i < heard->n_words && i < 4; i++)
        heard->words[i] = strdup(argv[first + i]);
    heard->said = said_by(&diags);
    diags_free(&diags);
    for (int i = 0; i <= n; i++)
        free(kept[i]);
}

static void heard_free(struct heard *heard)
{
    free(heard->said);
    for (int i = 0; i < 4; i++)
        free(heard->words[i]);
}

#define READ(heard, ...)                                                  \
    do {                                                                  \
        const char *const words_[] = {__VA_ARGS__};                       \
        read_words(heard, (int)(sizeof words_ / sizeof *words_), words_); \
    } while (0)

static void options_in_any_order(void **state)
{
    (void)state;
    struct heard h;
    READ(&h, "one", "-c", "7", "--colour=green", "two", "-qc8", "--cold", "--", "-q");
    assert_string_equal(h.said, "");
    assert_int_equal(h.status, STATUS_OK);
    assert_string_equal(h.applied, "-c 0 7 7 -1;--colour 1 green 0 1;-q 3 - 0 -1;-c 0 8 8 -1;--cold 2 - 0 -1;");
    assert_int_equal(h.n_words, 3);
    assert_string_equal(h.words[0], "one");
    assert_string_equal(h.words[1], "two");
    assert_string_equal(h.words[2], "-q");
    heard_free(&h);
    READ(&h, "--cou", "12");
    assert_string_equal(h.applied, "--count 0 12 12 -1;");
    heard_free(&h);
    READ(&h, "--hidden");
    assert_string_equal(h.applied, "--hidden 5 - 0 -1;");
    heard_free(&h);
}

#define assert_said(text, ...)                     \
    do {                                           \
        struct heard heard_;                       \
        READ(&heard_, __VA_ARGS__);                \
        assert_string_equal(heard_.said, text);    \
        assert_int_equal(heard_.status, STATUS_USAGE); \
        heard_free(&heard_);                       \
    } while (0)

static void errors_name_what_was_meant(void **state)
{
    (void)state;
    assert_said("pevpm: error: unknown option `--cuont`, did you mean `--count`?\n", "--cuont=3");
    assert_said("pevpm: error: unknown option `--zzzzzz`; tool --help lists all\n", "--zzzzzz");
    assert_said("pevpm: error: unknown option `-z`; tool --help lists all\n", "-qz");
    assert_said("pevpm: error: option `--col` may be any of 2 options: write more of its name\n", "--col");
    assert_said("pevpm: error: --cold takes no argument\n", "--cold=1");
    assert_said("pevpm: error: --count needs an argument: N\n", "-c");
    assert_said("pevpm: error: --colour needs an argument: NAME\n", "--colour");
    assert_said("pevpm: error: -c 100: expected a whole number from 1 to 99\n", "-c", "100");
    assert_said("pevpm: error: --count  7: expected a whole number from 1 to 99\n", "--count", " 7");
    assert_said("pevpm: error: --colour gren: did you mean `green`? Expected red, green or blue\n", "--colour", "gren");
    assert_said("pevpm: error: --colour yellow: expected red, green or blue\n", "--colour", "yellow");
    assert_said("pevpm: error: -o : expected the name of a file, and it is empty\n", "-o", ""); /* -o "$UNSET" */
    assert_said("pevpm: error: --output : expected the name of a file, and it is empty\n", "--output=");
    assert_said("pevpm: error: unknown option `--hiden`; tool --help lists all\n", "--hiden");
}

/* Who starts a tool that a launcher starts would give it the launcher's option: that is one error, the number is no word, and
 * what stands behind it is read on. */
static void the_number_of_processes_is_the_launchers(void **state)
{
    (void)state;
    static const struct option_table launched = {"tool", sizeof specs / sizeof *specs, specs, "mpirun -n P tool"};
    static const struct {
        const char *words[4], *shown;
    } cases[] = {
        {{"-n", "3", "-q"}, "-n"},  {{"-n3", "-q"}, "-n"},   {{"-np", "3", "-q"}, "-np"}, {{"--np", "3", "-q"}, "--np"},
        {{"--np=3", "-q"}, "--np"}, {{"-np3", "-q"}, "-np"}, {{"-q", "-np"}, "-np"},      {{"a", "-np", "3", "-q"}, "-np"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct diags diags = DIAGS_EMPTY;
        struct heard heard = {.status = STATUS_OK};
        char *argv[6] = {"tool"};
        int argc = 1, first, words = 0;
        for (; argc < 5 && cases[i].words[argc - 1]; argc++)
            argv[argc] = (char *)cases[i].words[argc - 1];
        assert_int_equal(option_read(&launched, argc, argv, apply, &heard, &first, &diags), STATUS_USAGE);
        char *said = said_by(&diags), expected[200];
        snprintf(expected, sizeof expected, "pevpm: error: unknown option `%s`: how many processes there are the launcher is "
                 "told, `mpirun -n P tool`\n", cases[i].shown);
        assert_string_equal(said, expected);
        words = *cases[i].words[0] == 'a';
        assert_int_equal(argc - first, words);
        assert_true(!words || strcmp(argv[first], "a") == 0);
        free(said);
        diags_free(&diags);
    }
}

static void all_errors_are_said(void **state)
{
    (void)state;
    struct heard h;
    READ(&h, "-c", "x", "--nothing-like-it", "-q", "--colour", "red");
    assert_string_equal(h.said, "pevpm: error: -c x: expected a whole number from 1 to 99\n"
                                "pevpm: error: unknown option `--nothing-like-it`; tool --help lists all\n");
    assert_string_equal(h.applied, "-q 3 - 0 -1;--colour 1 red 0 0;");
    heard_free(&h);
}

static void help_is_the_table(void **state)
{
    (void)state;
    char *text;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    option_print(&table, out);
    fclose(out);
    assert_string_equal(text, "  -c, --count N              how many\n"
                              "                             (default 1)\n"
                              "      --colour NAME          red or green\n"
                              "      --cold                 not warm\n"
                              "  -q, --quiet                say nothing\n"
                              "      --a-name-that-is-long VALUE\n"
                              "                             its help stands below\n");
    free(text);
}

/* What would do nothing is refused; what serves whatever is done is not. */
static void served(void **state)
{
    (void)state;
    enum { HEAT, PAINT };
    static const struct option_spec some[] = {
        OPTION_SPEC_SERVED(COUNT, 'c', "count", "N", "how many", 1u << HEAT | 1u << PAINT)
        OPTION_SPEC_SERVED(COLOUR, 0, "colour", "NAME", "red or green", 1u << PAINT)
        OPTION_SPEC(QUIET, 'q', "quiet", NULL, "say nothing")
    };
    static const struct option_table three = {"tool", 3, some, NULL};
    const uint64_t count = 1u << OPTION_COUNT, colour = 1u << OPTION_COLOUR, quiet = 1u << OPTION_QUIET;
    struct diags diags = DIAGS_EMPTY;
    assert_int_equal(option_check_served(&three, count | quiet, HEAT, "--heat", &diags), STATUS_OK);
    assert_int_equal(option_check_served(&three, count | colour | quiet, PAINT, "--paint", &diags), STATUS_OK);
    assert_int_equal(diags.n_errors, 0);
    assert_int_equal(option_check_served(&three, count | colour | quiet, HEAT, "--heat", &diags), STATUS_USAGE);
    assert_int_equal(diags.n_errors, 1);
    assert_tells(&diags, "error: --heat goes without --colour");
    diags_free(&diags);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(served), cmocka_unit_test(options_in_any_order),
        cmocka_unit_test(errors_name_what_was_meant),
        cmocka_unit_test(the_number_of_processes_is_the_launchers),
        cmocka_unit_test(all_errors_are_said),
        cmocka_unit_test(help_is_the_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
