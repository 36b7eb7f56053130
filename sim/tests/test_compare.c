/* Comparisons of small programs whose figures are worked out by hand. */
#include "sim/compare.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define assert_close(a, b) assert_true(fabs((a) - (b)) <= 1e-12 * fabs(b))

/* Transit 1 ms, uniform between 1 and 3 ms where it is `wide`. */
#define MACHINE(transit)                                                                                             \
    "pevpm_machine: 1\nname: testbed\nnodes: 4\nprocesses_per_node: 1\npoint_to_point:\n"                            \
    "  - {operation: MPI_Send, pattern: pingpong, nodes: 2, processes_per_node: 1, sizes: [{bytes: 0, " \
    "transit: " transit "}]}\n"
static const char wide[] = MACHINE("{uniform: {low: 1 ms, high: 3 ms}}");
static const char narrow[] = MACHINE("1 ms");

/* T = S ms + N transits. */
static const char ping[] = "Param N = 10\nParam S = 5\n"
                           "Serial time = S ms\n"
                           "Loop iterations = N\n{\n"
                           "Runon c1 = procnum == 0 & c2 = procnum == 1\n"
                           "{\nMessage type = MPI_Ssend & size = 8 & to = 1\n}\n"
                           "{\nMessage type = MPI_Recv & size = 8 & from = 0\n}\n}\n";

static const struct placement two[] = {{2, 2, 1}, {3, 3, 1}, {4, 4, 1}};
static const struct predict_mode average = {"average", MODE_average, false, NULL};
static const struct predict_mode both_modes[] = {{"distribution", MODE_distribution, false, NULL},
                                                 {"minimum", MODE_minimum, false, NULL}};

/* One side with its inputs read. */
struct input {
    struct source *source;
    struct machine *machine;
    struct predict_request request;
};

enum { ROWS_MOST = 16 };
struct scene {
    struct input side[2];
    struct diags diags;
    struct compare_request request;
    struct compare_result result;
    struct comparison rows[ROWS_MOST];
    char params[ROWS_MOST][2][80];
    enum status answer;
};

static enum status on_row(void *context, const struct comparison *row)
{
    struct scene *s = context;
    size_t i = s->result.n - 1;
    assert_true(i < ROWS_MOST);
    s->rows[i] = *row;
    for (int k = 0; k < 2; k++)
        snprintf(s->params[i][k], sizeof s->params[i][k], "%s", row->side[k].params);
    return s->answer;
}

static void side_open(struct scene *s, int k, const char *program, const char *machine)
{
    struct input *side = &s->side[k];
    side->source = source_from_text("p.pevpm", program, strlen(program));
    assert_int_equal(machine_read_text(&side->machine, "m.yaml", machine, strlen(machine), &s->diags), STATUS_OK);
    side->request = (struct predict_request){.program = "p.pevpm", .source = side->source, .machine = side->machine,
                                             .n_placements = 1, .placements = two, .n_modes = 1, .modes = &average,
                                             .model = "measured", .baseline = NAN, .seed = 77};
    s->request.side[k] = &side->request;
}

static void scene_open(struct scene *s, const char *a, const char *b, const char *machine_a, const char *machine_b)
{
    *s = (struct scene){.diags = DIAGS_EMPTY, .answer = STATUS_OK};
    side_open(s, 0, a, machine_a);
    side_open(s, 1, b, machine_b);
    s->request.seed = 5;
    s->request.plan = (struct replicate_plan){.precision = 0.01, .threads = 1};
    s->request.on_row = on_row;
    s->request.context = s;
}

static enum status scene_run(struct scene *s)
{
    return compare_run(&s->request, &s->result, &s->diags);
}

static void scene_close(struct scene *s)
{
    compare_result_free(&s->result);
    diags_free(&s->diags);
    for (int k = 0; k < 2; k++) {
        machine_destroy(s->side[k].machine);
        source_destroy(s->side[k].source);
    }
}

/* d = 1, -1, 3, 1: mean 1, sd sqrt(8/3), t(0.975, 3) = 3.182446. R = 14/10; e = b - R a. */
static void figures_by_hand(void **state)
{
    (void)state;
    static const double a[] = {1, 2, 3, 4}, b[] = {2, 1, 6, 5};
    struct comparison row;
    comparison_compute(&row, 4, a, b, false);
    assert_int_equal(row.n, 4);
    assert_close(row.difference, 1.0);
    assert_true(fabs(row.difference_ci95 - 3.182446305284263 * sqrt(8.0 / 3) / 2) < 1e-9);
    assert_close(row.ratio, 1.4);
    /* e = 0.6, -1.8, 1.8, -0.6 */
    assert_true(fabs(row.ratio_ci95 - 3.182446305284263 * sqrt(7.2 / 3) / 2 / 2.5) < 1e-9);
    assert_close(row.faster, 0.25);
    /* b below a: 2 beats 3, 4 and ties 2; 1 beats 2, 3, 4 and ties 1; 6 and 5 none: (2.5 + 3.5) / 16 */
    assert_close(row.faster_any, 6.0 / 16);
    comparison_compute(&row, 1, a, b, true);
    assert_true(row.difference == 1 && row.difference_ci95 == 0 && row.ratio_ci95 == 0 && row.faster == 0);
    comparison_compute(&row, 1, a, b, false);
    assert_true(isnan(row.difference_ci95) && isnan(row.ratio_ci95));
    comparison_compute(&row, 4, a, a, false);
    assert_true(row.difference == 0 && row.ratio == 1 && row.faster == 0.5 && row.faster_any == 0.5);
}

/* A: 5 + 10 ms; B: 5 + 20 ms. */
static void parameters_side_by_side(void **state)
{
    (void)state;
    struct scene s;
    struct value value = value_int(20);
    struct sweep sweep = {(char[]){"N"}, 1, &value, NULL};
    scene_open(&s, ping, ping, narrow, narrow);
    s.side[1].request.n_sweeps = 1;
    s.side[1].request.sweeps = &sweep;
    assert_int_equal(scene_run(&s), STATUS_OK);
    assert_int_equal(s.result.n, 1);
    assert_true(s.result.complete);
    const struct comparison *row = s.rows;
    assert_int_equal(row->n, 1);
    assert_close(row->side[0].time.mean, 0.015);
    assert_close(row->side[1].time.mean, 0.025);
    assert_close(row->difference, 0.010);
    assert_close(row->ratio, 25.0 / 15);
    assert_true(row->difference_ci95 == 0 && row->faster == 0 && row->precise);
    assert_string_equal(s.params[0][0], "");
    assert_string_equal(s.params[0][1], "N=20");
    scene_close(&s);
}

/* Serial 5 ms and 10 transits of 1 ms, each with its factor. */
static void factors_side_by_side(void **state)
{
    (void)state;
    struct scene s;
    struct scale a = SCALE_NONE, b = SCALE_NONE;
    a.transit = 0.5;
    b.serial = 3;
    scene_open(&s, ping, ping, narrow, narrow);
    s.side[0].request.scale = &a;
    s.side[1].request.scale = &b;
    assert_int_equal(scene_run(&s), STATUS_OK);
    assert_close(s.rows[0].side[0].time.mean, 0.010);
    assert_close(s.rows[0].side[1].time.mean, 0.025);
    assert_string_equal(s.params[0][0], "scale:transit=0.5");
    assert_string_equal(s.params[0][1], "scale:serial=3");
    scene_close(&s);
}

/* Five messages one behind the other: T = 4 g + L + o_s + o_r. */
static void gaps_act_in_a_run(void **state)
{
    (void)state;
    static const char loggp[] = "pevpm_machine: 1\nname: m\nnodes: 2\nprocesses_per_node: 1\n"
                                "models:\n  loggp: {L: 100 us, o_s: 1 us, o_r: 1 us, g: 50 us, G: 0}\n";
    static const char five[] = "Loop iterations = 5\n{\nRunon c1 = procnum == 0 & else\n"
                               "{\nMessage type = MPI_Isend & size = 1 & to = 1\n}\n"
                               "{\nMessage type = MPI_Recv & from = 0\n}\n}\n";
    struct scene s;
    struct scale scale = SCALE_NONE;
    scale.out_gap = scale.in_gap = 3;
    scene_open(&s, five, five, loggp, loggp);
    s.side[0].request.model = s.side[1].request.model = "loggp";
    s.side[1].request.scale = &scale;
    assert_int_equal(scene_run(&s), STATUS_OK);
    assert_close(s.rows[0].side[0].time.mean, 302e-6);
    assert_close(s.rows[0].side[1].time.mean, 702e-6);
    assert_string_equal(s.params[0][1], "scale:gap=3");
    scene_close(&s);
}

/* The same draws in both: B is A and 1 ms, in every replication, so that the difference is known at once. */
static void common_random_numbers(void **state)
{
    (void)state;
    struct scene s;
    char longer[sizeof ping + 40];
    snprintf(longer, sizeof longer, "%sSerial time = 1 ms\n", ping);
    scene_open(&s, ping, longer, wide, wide);
    s.side[0].request.modes = s.side[1].request.modes = both_modes;
    s.request.plan.precision = 1e-6;
    assert_int_equal(scene_run(&s), STATUS_OK);
    const struct comparison *row = s.rows;
    assert_int_equal(row->n, REPLICATE_FIRST);
    assert_true(row->side[0].time.sd > 1e-4);
    assert_true(fabs(row->difference - 0.001) < 1e-12 && row->difference_ci95 < 1e-12);
    assert_true(row->faster == 0 && row->faster_any > 0.01 && row->faster_any < 0.5 && row->precise);

    /* and they are those of a plain prediction with the seed */
    struct predict_request plain = s.side[0].request;
    struct predict_result result = {0};
    plain.seed = 5;
    plain.plan = (struct replicate_plan){.exact = REPLICATE_FIRST, .threads = 1};
    assert_int_equal(predict_run(&plain, &result, &s.diags), STATUS_OK);
    assert_true(result.rows[0].time.mean == row->side[0].time.mean);
    predict_result_free(&result);
    scene_close(&s);
}

/* A's times vary and B's do not: the interval is that of A, and the precision decides how many replications. */
static void precision_is_that_of_the_difference(void **state)
{
    (void)state;
    struct scene s;
    scene_open(&s, ping, ping, wide, narrow);
    s.side[0].request.modes = s.side[1].request.modes = both_modes;
    s.request.plan.precision = 0.005;
    assert_int_equal(scene_run(&s), STATUS_OK);
    const struct comparison *row = s.rows;
    assert_true(row->n > REPLICATE_FIRST && row->precise);
    assert_close(row->difference_ci95, row->side[0].time.ci95);
    assert_true(row->difference_ci95 <= 0.005 * row->side[0].time.mean);
    assert_true(row->faster == 1 && row->faster_any == 1);
    size_t n = row->n;
    scene_close(&s);

    scene_open(&s, ping, ping, wide, narrow);
    s.side[0].request.modes = s.side[1].request.modes = both_modes;
    s.request.plan = (struct replicate_plan){.exact = 20, .threads = 1};
    assert_int_equal(scene_run(&s), STATUS_OK);
    assert_true(s.rows[0].n == 20 && s.rows[0].precise && n > 20);
    scene_close(&s);
}

/* 2 parameters, 3 placements, 2 modes; B has one placement and one parameter. */
static void lists_are_gone_through_together(void **state)
{
    (void)state;
    struct scene s;
    struct value values[] = {value_int(1), value_int(2)};
    struct sweep sweep = {(char[]){"N"}, 2, values, NULL};
    scene_open(&s, ping, ping, narrow, narrow);
    s.side[0].request.n_sweeps = 1;
    s.side[0].request.sweeps = &sweep;
    s.side[0].request.n_placements = 3;
    s.side[0].request.n_modes = s.side[1].request.n_modes = 2;
    s.side[0].request.modes = s.side[1].request.modes = both_modes;
    assert_int_equal(scene_run(&s), STATUS_OK);
    assert_int_equal(s.result.n, 12);
    for (size_t i = 0; i < 12; i++) {
        const struct comparison *row = &s.rows[i];
        assert_string_equal(s.params[i][0], i < 6 ? "N=1" : "N=2");
        assert_int_equal(row->side[0].at.numprocs, two[i / 2 % 3].numprocs);
        assert_int_equal(row->side[1].at.numprocs, 2);
        assert_string_equal(row->side[0].mode, both_modes[i % 2].name);
        assert_close(row->side[0].time.mean, i < 6 ? 0.006 : 0.007);
        assert_close(row->side[1].time.mean, 0.015);
    }
    scene_close(&s);
}

/* On 3 processes B's process 2 sends to a fourth one. */
static void what_does_not_run_is_said_and_the_rest_goes_on(void **state)
{
    (void)state;
    static const char odd[] = "Message type = MPI_Isend & size = 8 & to = procnum < 2 ? 0 : 3\n";
    struct scene s;
    scene_open(&s, ping, odd, narrow, narrow);
    s.side[0].request.n_placements = s.side[1].request.n_placements = 3;
    assert_int_equal(scene_run(&s), STATUS_RANGE);
    assert_int_equal(s.result.n, 2);
    assert_int_equal(s.rows[1].side[0].at.numprocs, 4);
    assert_true(s.result.complete);
    assert_int_equal(s.diags.n_errors, 1);
    size_t unreceived = 0;
    for (size_t i = 0; i < s.result.n_notes; i++)
        unreceived += strncmp(s.result.notes[i], "B: ", 3) == 0 && strstr(s.result.notes[i], "never received") != NULL;
    assert_true(unreceived >= 1);
    scene_close(&s);
    scene_open(&s, ping, odd, narrow, narrow);
    s.side[0].request.n_placements = s.side[1].request.n_placements = 3;
    s.answer = STATUS_IO;
    assert_int_equal(scene_run(&s), STATUS_IO);
    assert_int_equal(s.result.n, 1);
    assert_false(s.result.complete);
    scene_close(&s);
}

static void it_stops_when_asked(void **state)
{
    (void)state;
    static const volatile sig_atomic_t stop = 1;
    struct scene s;
    scene_open(&s, ping, ping, wide, wide);
    s.side[0].request.stop = s.side[1].request.stop = &stop;
    assert_int_equal(scene_run(&s), STATUS_INTERRUPTED);
    assert_int_equal(s.result.n, 0);
    assert_false(s.result.complete);
    scene_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_by_hand),
        cmocka_unit_test(parameters_side_by_side),
        cmocka_unit_test(factors_side_by_side),
        cmocka_unit_test(gaps_act_in_a_run),
        cmocka_unit_test(common_random_numbers),
        cmocka_unit_test(precision_is_that_of_the_difference),
        cmocka_unit_test(lists_are_gone_through_together),
        cmocka_unit_test(what_does_not_run_is_said_and_the_rest_goes_on),
        cmocka_unit_test(it_stops_when_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
