/* The machine file's own uncertainty: transits of another launch, and what they do to p5, median and p95. */
#include "engine/tests/play.h"

#include "models/launched.h"
#include "models/quantile.h"
#include "sim/calibration.h"
#include "sim/model_error.h"

#define MACHINE(launch_sd)                                                                                         \
    "pevpm_machine: 1\nname: m\nnodes: 2\nprocesses_per_node: 1\n" \
    "point_to_point:\n  - operation: MPI_Send\n    pattern: pingpong\n" \
    "    nodes: 2\n" \
    "    processes_per_node: 1\n" \
    "    sizes:\n      - {bytes: 100, transit: \"2 ms\"" launch_sd "}\n"                                           \
    "      - {bytes: 300, transit: \"4 ms\", send_overhead: \"1 ms\"}\n"

/* 1 s of work and 50 messages of 2 ms, each waited for before the next goes out. */
static const char program[] =
    "Loop iterations = 25\n{\nRunon c1 = procnum == 0 & else\n{\n"
    "Message type = MPI_Send & to = 1 & size = 100\nMessage type = MPI_Recv & from = 1\n}\n{\n"
    "Message type = MPI_Recv & from = 0\nMessage type = MPI_Send & to = 0 & size = 100\n}\n}\n"
    "Serial time = 1\n";

static double transit_of(const struct cost_model *model, int64_t bytes)
{
    struct mix mix;
    struct quantile q;
    model->transit(model, model->pair_class(model, TRANSPORT_network, 0, 1), SEND_BLOCKING, bytes, 1, &mix);
    quantile_build(&q, &mix);
    double value = quantile_at(&q, 12345);
    quantile_free(&q);
    return value;
}

/* launch_sd is linear between sizes that have it and stays beyond them; overheads are left alone. */
static void another_launch_has_longer_transits(void **state)
{
    (void)state;
    struct scene scene = {.numprocs = 2};
    scene_open(&scene, program,
               "pevpm_machine: 1\nname: m\nnodes: 2\nprocesses_per_node: 1\n"
               "point_to_point:\n  - operation: MPI_Send\n    pattern: pingpong\n"
               "    nodes: 2\n    processes_per_node: 1\n    sizes:\n"
               "      - {bytes: 100, transit: \"2 ms\", launch_sd: 0.1}\n"
               "      - {bytes: 300, transit: \"4 ms\", launch_sd: 0.2, send_overhead: \"1 ms\"}\n");
    assert_true(launched_is_known(scene.machine));
    struct cost_model *later = launched_wrap(scene.cost, scene.machine);
    expect_time(transit_of(later, 50), 2e-3 * 1.1);
    expect_time(transit_of(later, 100), 2e-3 * 1.1);
    expect_time(transit_of(later, 150), 2.5e-3 * 1.125);
    expect_time(transit_of(later, 300), 4e-3 * 1.2);
    expect_time(transit_of(later, 3000), transit_of(scene.cost, 3000) * 1.2);
    struct mix mix;
    later->overhead(later, 0, SIDE_SEND, SEND_BLOCKING, 300, &mix);
    assert_true(mix.n == 1 && mix.part[0]->average == 1e-3);
    cost_model_close(later);
    expect_time(transit_of(scene.cost, 300), 4e-3);
    scene_close(&scene);
}

/* What a launch makes of messages within a node is not what it makes of those between. */
static void launches_are_told_by_messages_between_nodes(void **state)
{
    (void)state;
    static const char yaml[] =
        "pevpm_machine: 1\nname: m\nnodes: 2\nprocesses_per_node: 2\npoint_to_point:\n"
        "  - {operation: MPI_Send, pattern: pingpong, nodes: 1, processes_per_node: 2, sizes: [{bytes: 0, transit: 1 ms, "
        "launch_sd: 0.5}]}\n"
        "  - {operation: MPI_Send, nodes: 2, processes_per_node: 1, sizes: [{bytes: 0, transit: 2 ms, launch_sd: "
        "0.1}]}\n";
    struct scene scene = {.numprocs = 2};
    scene_open(&scene, program, yaml);
    struct cost_model *later = launched_wrap(scene.cost, scene.machine);
    expect_time(transit_of(later, 0), 2e-3 * 1.1);
    cost_model_close(later);
    scene_close(&scene);
}

/* later[i].times are all `late[i]`, n_late parts. */
static struct replicate_result predicted_with(struct scene scene, const char *machine, struct replicate_plan plan,
                                              size_t n_late, const double late[], size_t *n)
{
    struct diags diags = DIAGS_EMPTY;
    struct replicate_result result;
    struct replicate_later later[N_CALIBRATION_PARTS];
    scene_open(&scene, program, machine);
    plan.later = later;
    scene_check(calibration_later(&scene.setup, &plan, later, &plan.n_later), &diags);
    assert_int_equal(plan.n_later, n_late);
    for (size_t i = 0; i < n_late; i++)
        for (size_t r = 0; r < later[i].n; r++)
            expect_time(later[i].times[r], late[i]);
    *n = n_late > 0 ? later[0].n : 0;
    scene_check(replicate_run(&scene.setup, &plan, &result, &diags), &diags);
    scene_close(&scene);
    return result;
}

static struct replicate_result predicted(const char *machine, uint32_t exact, size_t *n_later)
{
    static const double late[] = {1 + 50 * 2e-3 * 1.1};
    struct replicate_plan plan = {.exact = exact, .precision = 0.01, .threads = 1};
    size_t n_late = strstr(machine, "launch_sd") && exact > 1;
    return predicted_with((struct scene){.numprocs = 2, .seed = 3}, machine, plan, n_late, late, n_later);
}

/* Communication is 0.1 s and 10 % uncertain, so 95 % of runs take less than 1.1 s + 1.645 x 0.01 s. */
static void uncertainty_widens_the_quantiles_and_nothing_else(void **state)
{
    (void)state;
    size_t n_later;
    struct replicate_result with = predicted(MACHINE(", launch_sd: 0.1"), 40, &n_later);
    assert_int_equal(n_later, 16);
    expect_time(with.time.mean, 1.1);
    assert_true(with.time.sd < 1e-12);
    assert_true(fabs(with.time.p95 - (1.1 + 1.644854 * 0.01)) < 1e-7);
    assert_true(fabs(with.time.p5 - (1.1 - 1.644854 * 0.01)) < 1e-7);
    assert_true(fabs(with.time.median - 1.1) < 1e-9);
    struct replicate_result without = predicted(MACHINE(""), 40, &n_later);
    assert_int_equal(n_later, 0);
    expect_time(without.time.p95, 1.1);
}

/* No more replications than are wanted; none for a single one. */
static void few_replications_cost_few(void **state)
{
    (void)state;
    size_t n_later;
    predicted(MACHINE(", launch_sd: 0.1"), 5, &n_later);
    assert_int_equal(n_later, 5);
    struct replicate_result one = predicted(MACHINE(", launch_sd: 0.1"), 1, &n_later);
    assert_int_equal(n_later, 0);
    expect_time(one.time.median, 1.1);
}

/* Each known part is a direction of its own: 1 s of work, 0.1 s of messages. */
static void each_part_makes_its_own_difference(void **state)
{
    (void)state;
    static const double late[] = {1 + 0.1 * 1.1, 1 + 0.1 * 1.05, 1.02 + 0.1};
    struct replicate_plan plan = {.exact = 40, .precision = 0.01, .threads = 1};
    struct scene scene = {.numprocs = 2, .seed = 3};
    size_t n;
    struct replicate_result all =
        predicted_with(scene, MACHINE(", launch_sd: 0.1") "model_error: {communication: 0.05, computation: 0.02}\n",
                       plan, 3, late, &n);
    double sd = sqrt(0.01 * 0.01 + 0.005 * 0.005 + 0.02 * 0.02);
    expect_time(all.time.mean, 1.1);
    assert_true(fabs(all.time.p95 - (1.1 + 1.644854 * sd)) < 1e-5 * sd);
    assert_true(fabs(all.time.p5 - (1.1 - 1.644854 * sd)) < 1e-5 * sd);
    predicted_with(scene, MACHINE("") "model_error: {communication: 0.05, computation: 0}\n", plan, 1, late + 1, &n);
    predicted_with(scene, MACHINE("") "model_error: {computation: 0.02}\n", plan, 1, late + 2, &n);
    plan.spread_alone = true;
    struct replicate_result alone = predicted_with(scene, MACHINE("") "model_error: {computation: 0.02}\n", plan, 0,
                                                   NULL, &n);
    assert_true(alone.time.p95 == alone.time.p5);
}

/* With communication four times as long what 1.2 s of work hide comes out as well. Two processes exchange a message of
 * 1 s while they compute: 1.2 s. Four times as slow it takes 4 s, so a model error of 3 % of (4 - 1.2)/3 s. Without
 * `stretch` the same figure is one of nothing. */
static void hidden_communication_counts(void **state)
{
    (void)state;
    static const char text[] = "Message type = MPI_Irecv & from = 1-procnum & request = in\n"
                               "Message type = MPI_Isend & to = 1-procnum & size = 100 & request = out\n"
                               "Serial time = 1.2\nMessage type = MPI_Waitall\n";
    static const char machine[] = "pevpm_machine: 1\nname: m\nnodes: 2\nprocesses_per_node: 1\npoint_to_point:\n"
                                  "  - {operation: MPI_Isend, nodes: 2, processes_per_node: 1, sizes: [{bytes: 100, "
                                  "transit: 1 s}]}\n";
    static const struct {
        const char *error;
        double sd;
    } cases[] = {{"model_error: {communication: 0.03, stretch: 4}\n", 0.03 * (4 - 1.2) / 3},
                 {"model_error: {communication: 0.03}\n", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char yaml[600];
        snprintf(yaml, sizeof yaml, "%s%s", machine, cases[i].error);
        struct scene scene = {.numprocs = 2, .seed = 3};
        struct replicate_later later[N_CALIBRATION_PARTS];
        struct replicate_plan plan = {.exact = 20, .threads = 1, .later = later};
        struct replicate_result result;
        struct diags diags = DIAGS_EMPTY;
        scene_open(&scene, text, yaml);
        scene_check(calibration_later(&scene.setup, &plan, later, &plan.n_later), &diags);
        assert_int_equal(plan.n_later, 1);
        scene_check(replicate_run(&scene.setup, &plan, &result, &diags), &diags);
        expect_time(result.time.mean, 1.2);
        assert_true(fabs(result.time.p95 - (1.2 + 1.644854 * cases[i].sd)) < 1e-6);
        scene_close(&scene);
    }
}

/* Ten transits between 1 and 3 ms, of 20 ms in all, and a computation that is drawn. What runs differ by without that
 * counts, however much the computation differs: some v of 0.09 for ten equal draws, so w = ((v + 0.001) / 0.0055)^0.4
 * is 3.1. Of a run of 2 s these are a hundredth, which with a share_power of 0.5 counts ten times. */
static void communication_that_makes_runs_differ_is_more_wrong(void **state)
{
    (void)state;
    static const char text[] =
        "Loop iterations = 5\n{\nRunon c1 = procnum == 0 & else\n{\n"
        "Message type = MPI_Send & to = 1 & size = 100\nMessage type = MPI_Recv & from = 1\n}\n{\n"
        "Message type = MPI_Recv & from = 0\nMessage type = MPI_Send & to = 0 & size = 100\n}\n}\n"
        "Serial time = uniform(1, 3)\n";
    static const char machine[] = "pevpm_machine: 1\nname: m\nnodes: 2\nprocesses_per_node: 1\npoint_to_point:\n"
                                  "  - {operation: MPI_Send, nodes: 2, processes_per_node: 1, sizes: [{bytes: 100, "
                                  "transit: {uniform: {low: %s, high: %s}}}]}\n"
                                  "model_error: {communication: 0.03, stretch: 4%s}\n";
    static const struct {
        const char *low, *high, *power;
        double least, most; /* of the weight */
    } cases[] = {{"1 ms", "3 ms", "", 1, 1},
                 {"1 ms", "3 ms", ", spread_power: 0.4", 2.5, 3.8},
                 {"1999.9 us", "2000.1 us", ", spread_power: 0.4", 0.505, 0.52},
                 {"1 ms", "3 ms", ", share_power: 0.5", 9.99, 10.01}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char yaml[600];
        snprintf(yaml, sizeof yaml, machine, cases[i].low, cases[i].high, cases[i].power);
        struct scene scene = {.numprocs = 2, .seed = 3};
        struct replicate_later later[N_CALIBRATION_PARTS];
        struct replicate_plan plan = {.exact = 20, .threads = 1};
        size_t n;
        struct diags diags = DIAGS_EMPTY;
        scene_open(&scene, text, yaml);
        scene_check(calibration_later(&scene.setup, &plan, later, &n), &diags);
        assert_int_equal(n, 1);
        expect_time(later[0].part, 0.03 / 3);
        expect_time(later[0].added, 1.0 / 3);
        const double weight = model_error_weight(later[0].powers, later[0].spread, 20e-3, 2);
        assert_true(weight >= cases[i].least && weight <= cases[i].most);
        scene_close(&scene);
    }
}

/* Computations that no replication draws need no engine that keeps them equal: what runs differ by is the same as
 * beside one that is drawn and never changes. */
static void equal_computations_are_equal_in_any_engine(void **state)
{
    (void)state;
    static const char loop[] = "Loop iterations = 5\n{\nRunon c1 = procnum == 0 & else\n{\n"
                               "Message type = MPI_Send & to = 1 & size = 100\n}\n{\n"
                               "Message type = MPI_Recv & from = 0\n}\n}\n";
    double spread[2];
    for (int drawn = 0; drawn < 2; drawn++) {
        char text[400];
        snprintf(text, sizeof text, "%sSerial time = %s\n", loop, drawn ? "uniform(2, 2.000000001)" : "2");
        struct scene scene = {.numprocs = 2, .seed = 3};
        struct replicate_later later[N_CALIBRATION_PARTS];
        struct replicate_plan plan = {.exact = 20, .threads = 1};
        size_t n;
        struct diags diags = DIAGS_EMPTY;
        scene_open(&scene, text,
                   "pevpm_machine: 1\nname: m\nnodes: 2\nprocesses_per_node: 1\npoint_to_point:\n"
                   "  - {operation: MPI_Send, nodes: 2, processes_per_node: 1, sizes: [{bytes: 100, "
                   "transit: {uniform: {low: 1 ms, high: 3 ms}}}]}\n"
                   "model_error: {communication: 0.03, stretch: 4, spread_power: 0.4}\n");
        assert_int_equal(scene.setup.program->n_serials, drawn);
        scene_check(calibration_later(&scene.setup, &plan, later, &n), &diags);
        assert_int_equal(n, 1);
        spread[drawn] = later[0].spread;
        scene_close(&scene);
    }
    assert_true(spread[0] > 1e-4 && fabs(spread[0] - spread[1]) < 1e-7);
}

/* Gaps, what a port has saved up, losses, overheads, handshakes: with no Serial time all of it takes 1.25 times as
 * long. */
static void all_of_communication_takes_longer(void **state)
{
    (void)state;
    static const char *const exchanges[] = {"MPI_Send", "MPI_Ssend"};
    static const char ports[] =
        "pevpm_machine: 1\nname: m\nnodes: 4\nprocesses_per_node: 1\n"
        "point_to_point:\n  - operation: MPI_Send\n    pattern: pingpong\n    nodes: 2\n    processes_per_node: 1\n"
        "    sizes:\n      - {bytes: 4000, transit: {uniform: {low: 1 ms, high: 3 ms}}, send_overhead: 0.1 ms}\n"
        "ports:\n  out_gap: [[0, 2 ms]]\n  in_gap: [[0, 2.5 ms]]\n  reverse_gap: [[0, 0.2 ms]]\n  credit: 3 ms\n"
        "  frame: 1000\n  buffer: 4 ms\n  overflow: {uniform: {low: 10 ms, high: 90 ms}}\n"
        "model_error: {communication: 0.25}\n";
    for (size_t i = 0; i < 2; i++) {
        char text[600];
        snprintf(text, sizeof text,
                 "Loop iterations = 5\n{\nRunon c1 = procnum > 0 & else\n{\n"
                 "Loop iterations = 3\n{\nMessage type = %s & to = 0 & size = 4000\n}\n}\n{\n"
                 "Loop iterations = 9\n{\nMessage type = MPI_Recv & from = MPI_ANY_SOURCE\n}\n}\n}\n"
                 "Collective type = MPI_Barrier\n", exchanges[i]);
        struct diags diags = DIAGS_EMPTY;
        struct replicate_later later[N_CALIBRATION_PARTS];
        struct replicate_result result;
        struct scene scene = {.numprocs = 4, .seed = 5, .contention = CONTENTION_ports};
        double times[REPLICATE_FIRST];
        scene_open(&scene, text, ports);
        struct replicate_plan plan = {.exact = REPLICATE_FIRST, .threads = 2, .times = times};
        size_t n;
        scene_check(calibration_later(&scene.setup, &plan, later, &n), &diags);
        assert_int_equal(n, 1);
        scene_check(replicate_run(&scene.setup, &plan, &result, &diags), &diags);
        assert_true(result.time.max > result.time.min);
        for (size_t r = 0; r < REPLICATE_FIRST; r++)
            expect_time(later[0].times[r], 1.25 * times[r]);
        scene_close(&scene);
    }
}

/* The same bits for any threads and lanes; and those of a file without the key where its figures are 0. */
static void bits_do_not_depend_on_the_way(void **state)
{
    (void)state;
    static const char with[] = MACHINE(", launch_sd: 0.1") "model_error: {communication: 0.05, computation: 0.02}\n";
    static const double late[] = {1 + 0.1 * 1.1, 1 + 0.1 * 1.05, 1.02 + 0.1};
    struct scene scene = {.numprocs = 2, .seed = 3};
    static const struct replicate_plan plans[] = {{.exact = 100, .threads = 1},
                                                  {.exact = 100, .threads = 3, .lanes = 8},
                                                  {.exact = 100, .threads = 2, .engine = ENGINE_REFERENCE},
                                                  {.exact = 100, .threads = 2, .engine = ENGINE_TIMED}};
    struct replicate_result first, next;
    size_t n;
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++) {
        next = predicted_with(scene, with, plans[i], 3, late, &n);
        if (i == 0)
            first = next;
        assert_memory_equal(&first.time, &next.time, sizeof first.time);
    }
    first = predicted_with(scene, MACHINE(", launch_sd: 0.1"), plans[0], 1, late, &n);
    next = predicted_with(scene, MACHINE(", launch_sd: 0.1") "model_error: {communication: 0, computation: 0}\n",
                          plans[1], 1, late, &n);
    assert_memory_equal(&first.time, &next.time, sizeof first.time);
}

static void assert_text(const char *machine, const char *expected)
{
    struct scene scene = {.numprocs = 2};
    scene_open(&scene, program, machine);
    char *text = calibration_text(scene.machine);
    if (expected)
        assert_string_equal(text, expected);
    else
        assert_null(text);
    free(text);
    scene_close(&scene);
}

static void readers_are_told_what_the_interval_holds(void **state)
{
    (void)state;
    assert_text(MACHINE(", launch_sd: 0.1"), NULL);
    assert_text(MACHINE("") "model_error: {communication: 0, runs: 9}\n", NULL);
    assert_text(MACHINE("") "model_error: {communication: 0.0214, runs: 28}\n",
                "p5-p95 hold the spread of runs and a model error of 2.1 % of communication (28 runs)");
    assert_text(MACHINE("") "model_error: {communication: 0.0214, runs: 28, elsewhere: 1142}\n",
                "p5-p95 hold the spread of runs and a model error of 2.1 % of communication (28 runs here, 1142 elsewhere)");
    assert_text(MACHINE("") "model_error: {communication: 0.0214, elsewhere: 1142}\n",
                "p5-p95 hold the spread of runs and a model error of 2.1 % of communication (1142 runs elsewhere, none here)");
    assert_text(MACHINE("") "model_error: {communication: 0.0214, computation: 0.0004, spread_power: 0.4, runs: 28}\n",
                "p5-p95 hold the spread of runs and a model error of 2.1 % of communication, more where it makes runs differ, "
                "and 0.04 % of computation (28 runs)");
    assert_text(MACHINE("") "model_error: {communication: 0.0214, spread_power: 0.4, share_power: 0.5, runs: 28}\n",
                "p5-p95 hold the spread of runs and a model error of 2.1 % of communication, more where it is a small part of "
                "a run or makes runs differ (28 runs)");
    assert_text(MACHINE("") "model_error: {communication: 0.0214, spread_power: 0.4, runs: 28}\n",
                "p5-p95 hold the spread of runs and a model error of 2.1 % of communication, more where it makes runs differ "
                "(28 runs)");
    assert_text(MACHINE(", launch_sd: 0.1") "model_error: {communication: 0.1, computation: 0.0004}\n",
                "p5-p95 hold the spread of runs, of calibrations, and a model error of 10 % of communication and "
                "0.04 % of computation");
}

/* What cannot run says so once: in the prediction, not here. */
static void a_deadlock_is_left_to_the_prediction(void **state)
{
    (void)state;
    struct diags diags = DIAGS_EMPTY;
    struct replicate_later later[N_CALIBRATION_PARTS];
    struct scene scene = {.numprocs = 2};
    scene_open(&scene, "Message type = MPI_Recv & from = 1-procnum\n",
               MACHINE(", launch_sd: 0.1") "model_error: {communication: 0.05}\n");
    struct replicate_plan plan = {.exact = 20, .threads = 1};
    scene_check(calibration_later(&scene.setup, &plan, later, &plan.n_later), &diags);
    assert_int_equal(plan.n_later, 0);
    scene_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(another_launch_has_longer_transits),
        cmocka_unit_test(launches_are_told_by_messages_between_nodes),
        cmocka_unit_test(uncertainty_widens_the_quantiles_and_nothing_else),
        cmocka_unit_test(few_replications_cost_few),
        cmocka_unit_test(each_part_makes_its_own_difference),
        cmocka_unit_test(hidden_communication_counts),
        cmocka_unit_test(communication_that_makes_runs_differ_is_more_wrong),
        cmocka_unit_test(equal_computations_are_equal_in_any_engine),
        cmocka_unit_test(all_of_communication_takes_longer),
        cmocka_unit_test(bits_do_not_depend_on_the_way),
        cmocka_unit_test(readers_are_told_what_the_interval_holds),
        cmocka_unit_test(a_deadlock_is_left_to_the_prediction),
    };
    return cmocka_run_group_tests_name("calibration", tests, NULL, NULL);
}
