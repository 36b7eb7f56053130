#include "cli/options.h"

#include "cli/tests/words.h"

#include <math.h>

/* What a command line is read as, and what is said. */
struct parsed {
    struct options options;
    enum status status;
    char *said;
};

static void parse(struct parsed *parsed, size_t n, const char *const words[])
{
    struct diags diags = DIAGS_EMPTY;
    char *argv[WORDS_MOST + 2];
    int argc = words_argv(argv, "pevpm-sim", n, words);
    parsed->status = options_parse(&parsed->options, argc, argv, &diags);
    parsed->said = said_by(&diags);
    diags_free(&diags);
}

static void parsed_free(struct parsed *parsed)
{
    options_free(&parsed->options);
    free(parsed->said);
}

/* The command line fails with this status and says exactly this. */
#define assert_refused(status_, text, ...)                                   \
    do {                                                                     \
        struct parsed refused_;                                              \
        PARSE(&refused_, __VA_ARGS__);                                       \
        assert_string_equal(refused_.said, text);                            \
        assert_int_equal(refused_.status, status_);                          \
        parsed_free(&refused_);                                              \
    } while (0)

static void defaults(void **state)
{
    (void)state;
    struct parsed p;
    PARSE(&p, "jacobi.c");
    assert_string_equal(p.said, "");
    assert_int_equal(p.status, STATUS_OK);
    assert_string_equal(p.options.files[0], "jacobi.c");
    assert_int_equal(p.options.action, ACTION_PREDICT);
    assert_int_equal(p.options.modes.n, 1);
    assert_string_equal(p.options.modes.modes[0].name, "distribution");
    assert_int_equal(p.options.models.n, 1);
    assert_string_equal(p.options.models.names[0], "measured");
    assert_true(p.options.precision == 0.01 && p.options.replications == 0 && isnan(p.options.baseline));
    assert_int_equal(p.options.format, REPORT_text);
    assert_int_equal(p.options.n_placements, 0);
    assert_false(p.options.contention_given);
    assert_true(!p.options.inspect.profile && !p.options.inspect.trace && p.options.inspect.trace_pick == PICK_median);
    parsed_free(&p);
}

static void all_values(void **state)
{
    (void)state;
    struct parsed p;
    PARSE(&p, "-m", "m.yaml", "--procs=3x2", "--map", "cyclic", "-r40", "-s", "18446744073709551615", "-j2",
          "--baseline", "2385 ms", "--contention", "ports", "-fjson", "x.pevpm");
    assert_string_equal(p.said, "");
    assert_string_equal(p.options.machine, "m.yaml");
    assert_int_equal(p.options.placements[0].numprocs, 6);
    assert_int_equal(p.options.placements[0].ppn, 2);
    assert_true(p.options.map.cyclic);
    assert_int_equal(p.options.replications, 40);
    assert_true(p.options.seed == UINT64_MAX);
    assert_int_equal(p.options.threads, 2);
    assert_true(fabs(p.options.baseline - 2.385) < 1e-12);
    assert_true(p.options.contention_given && p.options.contention == CONTENTION_ports);
    assert_int_equal(p.options.format, REPORT_json);
    parsed_free(&p);
    PARSE(&p, "x", "--profile", "--trace", "t.paje", "--trace-replication", "p95");
    assert_string_equal(p.said, "");
    assert_true(p.options.inspect.profile && !p.options.inspect.profile_path && !p.options.inspect.trace_numbered);
    assert_string_equal(p.options.inspect.trace, "t.paje");
    assert_int_equal(p.options.inspect.trace_pick, PICK_p95);
    parsed_free(&p);
    PARSE(&p, "x", "--profile-output", "p.csv", "--trace=t", "--trace-replication", "17", "-fcsv");
    assert_string_equal(p.said, "");
    assert_true(p.options.inspect.profile && p.options.inspect.trace_numbered);
    assert_string_equal(p.options.inspect.profile_path, "p.csv");
    assert_int_equal(p.options.inspect.trace_number, 17);
    parsed_free(&p);
    PARSE(&p, "x", "--model", "loggp,lmo,loggp", "--precision", "0.002", "--engine", "reference", "--lanes", "24", "-o",
          "out", "--plot", "a.svg", "--measured", "t.csv");
    assert_string_equal(p.said, "");
    assert_int_equal(p.options.models.n, 2);
    assert_string_equal(p.options.models.names[0], "loggp");
    assert_string_equal(p.options.models.names[1], "lmo");
    assert_true(p.options.precision == 0.002);
    assert_int_equal(p.options.engine, ENGINE_REFERENCE);
    assert_int_equal(p.options.lanes, 24);
    assert_string_equal(p.options.output, "out");
    assert_string_equal(p.options.plot, "a.svg");
    assert_string_equal(p.options.measured, "t.csv");
    parsed_free(&p);
}

/* list: "NODESxPPN NODESxPPN ..." */
static void assert_placements(const char *text, const char *list)
{
    struct parsed p;
    PARSE(&p, "x", "-n", text);
    char found[512] = "";
    for (size_t i = 0; i < p.options.n_placements; i++) {
        size_t n = strlen(found);
        assert_int_equal(p.options.placements[i].numprocs, p.options.placements[i].nodes * p.options.placements[i].ppn);
        snprintf(found + n, sizeof found - n, "%s%dx%d", i > 0 ? " " : "", p.options.placements[i].nodes,
                 p.options.placements[i].ppn);
    }
    assert_string_equal(found, list);
    parsed_free(&p);
}

static void placements(void **state)
{
    (void)state;
    assert_placements("4", "4x1");
    assert_placements("1-5", "1x1 2x1 3x1 4x1 5x1");
    assert_placements("1,2,4,8", "1x1 2x1 4x1 8x1");
    assert_placements("2..64*2", "2x1 4x1 8x1 16x1 32x1 64x1");
    assert_placements("2x1,4x2", "2x1 4x2");
    assert_placements("1x2..6x2*2", "1x2 2x2 4x2");
    assert_placements("3..12+4,1x2", "3x1 7x1 11x1 1x2");
    assert_placements("2,1-3,2x1", "2x1 1x1 3x1");
    assert_placements("16777216", "16777216x1");
}

static void placements_refused(void **state)
{
    (void)state;
    assert_refused(STATUS_USAGE,
                   "-n:1:3: error: expected a number of processes, found `x`\n    1 | 1,x,3\n      |   ^\n", "x", "-n",
                   "1,x,3");
    assert_refused(STATUS_USAGE,
                   "--procs:1:1: error: expected a number of processes, found the end\n    1 | \n      | ^\n", "x",
                   "--procs", "");
    assert_refused(STATUS_USAGE,
                   "-n:1:2: error: expected `,`, `x`, `-`, `..`, `*` or `+`, found `;2`\n    1 | 1;2\n      |  ^~\n",
                   "x", "-n", "1;2");
    assert_refused(STATUS_USAGE, "-n:1:3: error: the range ends before it starts (4 < 8)\n    1 | 8-4\n      |   ^\n",
                   "x", "-n", "8-4");
    assert_refused(
        STATUS_USAGE,
        "-n:1:6: error: a factor of at least 2 is needed to get from 2 to 8\n    1 | 2..8*1\n      |      ^\n", "x",
        "-n", "2..8*1");
    assert_refused(STATUS_USAGE, "-n:1:1: error: expected a number of processes of at least 1\n    1 | 0\n      | ^\n",
                   "x", "-n", "0");
    assert_refused(STATUS_USAGE,
                   "-n:1:1: error: more than 16777216 processes cannot be predicted\n    1 | 16777217\n"
                   "      | ^~~~~~~~\n",
                   "x", "-n", "16777217");
    assert_refused(STATUS_USAGE,
                   "-n:1:1: error: more than 16777216 processes cannot be predicted\n    1 | 5000x5000\n"
                   "      | ^~~~~~~~~\n",
                   "x", "-n", "5000x5000");
    assert_refused(STATUS_USAGE,
                   "-n:1:6: error: the range starts with 2 processes per node and ends with 1\n"
                   "    1 | 1x2..4\n      |      ^\n",
                   "x", "-n", "1x2..4");
    assert_refused(STATUS_USAGE, "-n:1:1: error: more than 10000 counts\n    1 | 1-10001\n      | ^~~~~~~\n", "x", "-n",
                   "1-10001");
    assert_refused(STATUS_USAGE,
                   "-n:1:3: error: expected a number of processes, found the end\n    1 | 1,\n      |   ^\n", "x", "-n",
                   "1,");
}

static void modes(void **state)
{
    (void)state;
    struct parsed p;
    PARSE(&p, "x", "-M", "distribution,average@2x1,minimum@nxp,average,minimum");
    assert_string_equal(p.said, "");
    assert_int_equal(p.options.modes.n, 4);
    const struct predict_mode *mode = p.options.modes.modes;
    assert_true(mode[0].cost == MODE_distribution && !mode[0].pingpong);
    assert_true(mode[1].cost == MODE_average && mode[1].pingpong);
    assert_string_equal(mode[1].name, "average@2x1");
    assert_true(mode[2].cost == MODE_minimum && !mode[2].pingpong);
    assert_string_equal(mode[2].name, "minimum@nxp");
    assert_true(mode[3].cost == MODE_average && !mode[3].pingpong);
    parsed_free(&p);
    assert_refused(STATUS_USAGE,
                   "-M:1:9: error: unknown mode `minmum`, did you mean `minimum`?\n    1 | average,minmum\n"
                   "      |         ^~~~~~\n",
                   "x", "-M", "average,minmum");
    assert_refused(STATUS_USAGE,
                   "-M:1:1: error: unknown mode `x`, expected distribution, average or minimum\n    1 | x\n"
                   "      | ^\n",
                   "x", "-M", "x");
    assert_refused(STATUS_USAGE,
                   "-M:1:8: error: expected @nxp or @2x1 after the mode, found `@4x1`\n    1 | average@4x1\n"
                   "      |        ^~~~\n",
                   "x", "-M", "average@4x1");
}

static void parameters(void **state)
{
    (void)state;
    struct parsed p;
    PARSE(&p, "x", "-D", "N=1e5,-7,2.5", "-DM_2=+3");
    assert_string_equal(p.said, "");
    assert_int_equal(p.options.n_sweeps, 2);
    const struct sweep *sweep = p.options.sweeps;
    assert_string_equal(sweep[0].name, "N");
    assert_int_equal(sweep[0].n, 3);
    assert_true(sweep[0].values[0].kind == VALUE_INT && sweep[0].values[0].i == 100000);
    assert_true(sweep[0].values[1].kind == VALUE_INT && sweep[0].values[1].i == -7);
    assert_true(sweep[0].values[2].kind == VALUE_REAL && sweep[0].values[2].r == 2.5);
    assert_true(sweep[1].values[0].i == 3);
    assert_string_equal(sweep[1].name, "M_2");
    assert_int_equal(sweep_combinations(2, sweep), 3);
    struct definition chosen[2];
    sweep_select(2, sweep, 1, chosen);
    assert_true(chosen[0].value.i == -7 && chosen[1].value.i == 3);
    parsed_free(&p);
    PARSE(&p, "x", "-D", "N=max(1, 8)/numprocs,2");
    assert_string_equal(p.said, "");
    assert_int_equal(p.options.sweeps[0].n, 2);
    sweep_select(1, p.options.sweeps, 0, chosen);
    assert_string_equal(chosen[0].text, "max(1,8)/numprocs");
    sweep_select(1, p.options.sweeps, 1, chosen);
    assert_true(!chosen[0].text && chosen[0].value.i == 2);
    parsed_free(&p);
}

static void parameters_refused(void **state)
{
    (void)state;
    assert_refused(STATUS_RANGE, "-D:1:5: error: expected a number, found the end\n    1 | N=1,\n      |     ^\n",
                   "x", "-D", "N=1,");
    assert_refused(STATUS_RANGE, "-D:1:3: error: this would be octal in C: write it without leading zeros\n    1 | N=010\n"
                   "      |   ^~~\n", "x", "-DN=010");
    assert_refused(STATUS_RANGE, "-D:1:3: error: expected a number, found the end\n    1 | N=\n      |   ^\n", "x",
                   "-D", "N=");
    assert_refused(STATUS_USAGE,
                   "-D:1:2: error: expected `=` and a value after the name, found the end\n    1 | N\n"
                   "      |  ^\n",
                   "x", "-D", "N");
    assert_refused(STATUS_USAGE, "-D:1:1: error: expected NAME=VALUE, found `3=4`\n    1 | 3=4\n      | ^~~\n", "x",
                   "-D", "3=4");
    assert_refused(STATUS_USAGE, "pevpm: error: -D N is given twice: for a sweep write -D N=A,B,C\n", "x", "-DN=1",
                   "-DN=2");
}

static void wrong_usage(void **state)
{
    (void)state;
    assert_refused(STATUS_USAGE, "pevpm: error: unknown option `--machin3`, did you mean `--machine`?\n", "x",
                   "--machin3=f");
    assert_refused(STATUS_USAGE, "pevpm: error: unknown option `--zzzzzzzz`; pevpm-sim --help lists all\n", "x",
                   "--zzzzzzzz");
    assert_refused(STATUS_USAGE, "pevpm: error: unknown option `-z`; pevpm-sim --help lists all\n", "x", "-qz");
    assert_refused(STATUS_USAGE, "pevpm: error: option `--pr` may be any of 5 options: write more of its name\n", "x",
                   "--pr");
    assert_refused(STATUS_USAGE, "pevpm: error: --check takes no argument\n", "x", "--check=1");
    assert_refused(STATUS_USAGE, "pevpm: error: --machine needs an argument: FILE\n", "x", "-m");
    assert_refused(STATUS_USAGE, "pevpm: error: --precision needs an argument: REL\n", "x", "--precision");
    assert_refused(STATUS_USAGE,
                   "pevpm: error: no PROGRAM is given: pevpm-sim [OPTION]... PROGRAM (--help says more)\n", "-q");
    assert_refused(STATUS_USAGE, "pevpm: error: standard input (-) can be read for one thing only\n", "a", "-", "-");
    assert_refused(STATUS_USAGE, "pevpm: error: --replications and --precision exclude each other: give one\n", "x",
                   "-r4", "--precision", "0.01");
    assert_refused(STATUS_USAGE, "pevpm: error: standard input (-) can be read for one thing only\n", "-", "-m", "-");
    assert_refused(STATUS_USAGE, "pevpm: error: -r 0: expected a whole number from 1 to 1073741824\n", "x", "-r0");
    assert_refused(STATUS_USAGE, "pevpm: error: -s -1: expected a whole number from 0 to 18446744073709551615\n", "x",
                   "-s", "-1");
    assert_refused(STATUS_USAGE, "pevpm: error: -j 2x: expected a whole number from 1 to 4096\n", "x", "-j", "2x");
    assert_refused(STATUS_USAGE, "pevpm: error: --precision 1%: expected a number between 0 and 1, such as 0.01\n", "x",
                   "--precision", "1%");
    assert_refused(STATUS_USAGE, "pevpm: error: --precision nan: expected a number between 0 and 1, such as 0.01\n",
                   "x", "--precision", "nan");
    assert_refused(STATUS_USAGE, "pevpm: error: --lanes 9: expected 1 or a multiple of 8 up to 64\n", "x", "--lanes",
                   "9");
    assert_refused(STATUS_USAGE, "pevpm: error: --map cyclc: did you mean `cyclic`? Expected block, cyclic, block:block, "
                                 "block:cyclic, cyclic:block or cyclic:cyclic\n", "x",
                   "--map", "cyclc");
    assert_refused(STATUS_USAGE, "pevpm: error: --contention all: expected scoreboard, ports, frames or none\n", "x",
                   "--contention", "all");
    assert_refused(STATUS_USAGE, "pevpm: error: -f xml: expected text, csv or json\n", "x", "-f", "xml");
    assert_refused(STATUS_USAGE, "pevpm: error: --plot a.gif: expected a file name that ends in .svg, .png or .pdf\n",
                   "x", "--plot", "a.gif");
    assert_refused(STATUS_USAGE,
                   "pevpm: error: --baseline 0: expected a time above zero in seconds, or with a unit "
                   "(ns us ms s min)\n",
                   "x", "--baseline", "0");
}

/* All that is wrong is said at once, and the first decides. */
static void several_errors(void **state)
{
    (void)state;
    assert_refused(STATUS_USAGE,
                   "pevpm: error: -r x: expected a whole number from 1 to 1073741824\n"
                   "pevpm: error: unknown option `--tracee`, did you mean `--trace`?\n"
                   "pevpm: error: no PROGRAM is given: pevpm-sim [OPTION]... PROGRAM (--help says more)\n",
                   "-r", "x", "--tracee");
}

static void unknown_models(void **state)
{
    (void)state;
    assert_refused(STATUS_USAGE,
                   "--model:1:5: error: unknown model `loggps`, did you mean `loggp`?\n"
                   "    1 | lmo,loggps\n"
                   "      |     ^~~~~~\n",
                   "x", "--model", "lmo,loggps");
    assert_refused(STATUS_USAGE,
                   "--model:1:1: error: unknown model `abacus`, expected some of measured, hockney, logp, loggp, plogp, "
                   "lmo\n"
                   "    1 | abacus\n"
                   "      | ^~~~~~\n",
                   "x", "--model", "abacus");
}

static void help_needs_no_program_and_names_every_option(void **state)
{
    (void)state;
    struct parsed p;
    PARSE(&p, "--help");
    assert_int_equal(p.status, STATUS_OK);
    assert_int_equal(p.options.action, ACTION_HELP);
    parsed_free(&p);
    char *text;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    options_print_help(out);
    fclose(out);
#define X(NAME, letter, name, argument, help, served) assert_non_null(strstr(text, "--" name));
    OPTION_LIST(X)
#undef X
    for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
        assert_in_range(strcspn(line, "\n"), 0, 120);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults),           cmocka_unit_test(all_values),
        cmocka_unit_test(placements),         cmocka_unit_test(placements_refused),
        cmocka_unit_test(modes),              cmocka_unit_test(parameters),
        cmocka_unit_test(parameters_refused), cmocka_unit_test(wrong_usage),
        cmocka_unit_test(several_errors),     cmocka_unit_test(unknown_models),
        cmocka_unit_test(help_needs_no_program_and_names_every_option),
    };
    cmocka_set_message_output(CM_OUTPUT_STDOUT);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
