/* The command line of `pevpm-sim compare`, and --scale. */
#include "cli/options.h"

#include "cli/tests/words.h"

struct parsed {
    struct options side[2];
    enum status status;
    char *said;
};

static void parse(struct parsed *parsed, size_t n, const char *const words[])
{
    struct diags diags = DIAGS_EMPTY;
    char *argv[WORDS_MOST + 2];
    int argc = words_argv(argv, "compare", n, words);
    parsed->status = options_parse_compare(parsed->side, argc, argv, &diags);
    parsed->said = said_by(&diags);
    diags_free(&diags);
}

static void parsed_free(struct parsed *parsed)
{
    options_free(&parsed->side[0]);
    options_free(&parsed->side[1]);
    free(parsed->said);
}

static void two_programs(void **state)
{
    (void)state;
    struct parsed p;
    PARSE(&p, "-m", "m.yaml", "a.c", "-n", "4", "-D", "N=1,2", "-s", "9", "b.c", "--scale", "gap=2");
    assert_string_equal(p.said, "");
    assert_int_equal(p.status, STATUS_OK);
    assert_string_equal(p.side[0].files[0], "a.c");
    assert_string_equal(p.side[1].files[0], "b.c");
    for (int s = 0; s < 2; s++) {
        assert_string_equal(p.side[s].machine, "m.yaml");
        assert_int_equal(p.side[s].placements[0].numprocs, 4);
        assert_int_equal(p.side[s].sweeps[0].n, 2);
        assert_true(p.side[s].seed == 9 && p.side[s].scale.in_gap == 2);
    }
    parsed_free(&p);
}

static void what_is_different_for_b(void **state)
{
    (void)state;
    struct parsed p;
    PARSE(&p, "-D", "N=1,2", "-D", "M=3", "--scale", "gap=2,serial=3", "-n2,4", "a.c", "--against", "-DN=5",
          "-D", "K=7", "-mx.yaml", "--scale=transit=4", "-n", "8");
    assert_string_equal(p.said, "");
    assert_string_equal(p.side[0].files[0], "a.c");
    assert_string_equal(p.side[1].files[0], "a.c");
    assert_null(p.side[0].machine);
    assert_string_equal(p.side[1].machine, "x.yaml");
    const struct options *b = &p.side[1];
    assert_int_equal(p.side[0].n_sweeps, 2);
    assert_int_equal(b->n_sweeps, 3);
    assert_true(b->sweeps[0].n == 1 && b->sweeps[0].values[0].i == 5);
    assert_string_equal(b->sweeps[1].name, "M");
    assert_string_equal(b->sweeps[2].name, "K");
    assert_true(b->scale.transit == 4 && b->scale.in_gap == 1 && b->scale.serial == 1);
    assert_true(p.side[0].scale.transit == 1 && p.side[0].scale.serial == 3);
    assert_int_equal(p.side[0].n_placements, 2);
    assert_int_equal(b->n_placements, 1);
    parsed_free(&p);
    PARSE(&p, "a.c", "-M", "average,minimum", "--against", "b.c");
    assert_string_equal(p.said, "");
    assert_string_equal(p.side[1].files[0], "b.c");
    assert_int_equal(p.side[1].modes.n, 2);
    parsed_free(&p);
    PARSE(&p, "--help");
    assert_int_equal(p.status, STATUS_OK);
    assert_int_equal(p.side[0].action, ACTION_HELP);
    parsed_free(&p);
}

#define assert_refused(text, ...)                       \
    do {                                                \
        struct parsed refused_;                         \
        PARSE(&refused_, __VA_ARGS__);                  \
        assert_string_equal(refused_.said, text);       \
        assert_int_equal(refused_.status, STATUS_USAGE); \
        parsed_free(&refused_);                         \
    } while (0)

static void wrong_usage(void **state)
{
    (void)state;
    assert_refused("pevpm: error: no PROGRAM is given: pevpm-sim compare [OPTION]... A B, "
                   "or A --against what is different "
                                  "for B (--help says more)\n", "-n", "4");
    assert_refused("pevpm: error: nothing to compare `a.c` with: give a second PROGRAM, "
                   "or --against and what is different "
                   "for B\n", "a.c");
    assert_refused("pevpm: error: --against: nothing is different for B\n", "a.c", "--against");
    assert_refused("pevpm: error: two PROGRAMs are compared, found 3\n", "a.c", "b.c", "c.c");
    assert_refused("pevpm: error: two PROGRAMs are compared, found 3\n", "a.c", "b.c", "--against", "c.c");
    assert_refused("pevpm: error: --seed holds for both sides: give it before --against\n", "a.c", "--against", "b.c",
                   "--seed", "3");
    assert_refused("pevpm: error: unknown option `--plot`; pevpm-sim compare --help lists all\n", "a.c", "b.c",
                   "--plot=x");
    assert_refused("pevpm: error: unknown option `--sacle`, did you mean `--scale`?\n", "a.c", "--against",
                   "--sacle=x");
    assert_refused("pevpm: error: -n: A has 3 and B has 2: give as many for both, or one for one\n", "a.c", "-n", "1-3",
                   "--against", "-n", "1,2");
    assert_refused("pevpm: error: -M: A has 2 and B has 3: give as many for both, or one for one\n", "a.c", "-M",
                   "average,minimum", "--against", "-M", "distribution,average,minimum");
    assert_refused("pevpm: error: -D: A has 2 and B has 6: give as many for both, or one for one\n", "a.c", "-D",
                   "N=1,2",
                   "--against", "-D", "M=1,2,3");
    assert_refused("pevpm: error: -D M is given twice: for a sweep write -D M=A,B,C\n", "a.c", "--against", "-D", "M=1",
                   "-D", "M=2");
    assert_refused("pevpm: error: compare reads files, not standard input (-)\n", "-", "b.c");
    assert_refused("pevpm: error: --replications and --precision exclude each other: give one\n", "a.c", "b.c", "-r4",
                   "--precision", "0.1");
}

static void scale_of_a_prediction(void **state)
{
    (void)state;
    struct diags diags = DIAGS_EMPTY;
    struct options options;
    char *argv[] = {(char[]){"pevpm-sim"}, (char[]){"x"}, (char[]){"--scale"}, (char[]){"gap=0.5"},
                    (char[]){"--scale=gap=0.5,serial=2"}};
    assert_int_equal(options_parse(&options, 5, argv, &diags), STATUS_OK);
    assert_true(options.scale.out_gap == 0.25 && options.scale.serial == 2);
    options_free(&options);
    char *none[] = {(char[]){"pevpm-sim"}, (char[]){"x"}};
    assert_int_equal(options_parse(&options, 2, none, &diags), STATUS_OK);
    assert_true(scale_is_none(&options.scale));
    options_free(&options);
    char *wrong[] = {(char[]){"pevpm-sim"}, (char[]){"x"}, (char[]){"--scale=gap=-1"}};
    assert_int_equal(options_parse(&options, 3, wrong, &diags), STATUS_USAGE);
    options_free(&options);
    diags_free(&diags);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_programs),
        cmocka_unit_test(what_is_different_for_b),
        cmocka_unit_test(wrong_usage),
        cmocka_unit_test(scale_of_a_prediction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
