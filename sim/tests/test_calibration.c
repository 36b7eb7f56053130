/* The machine file's own uncertainty: transits of another launch, and what they do to p5, median and p95. */
#include "engine/tests/play.h"

#include "models/launched.h"
#include "models/quantile.h"
#include "sim/calibration.h"

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
    model->transit(model, model->pair_class(model, 0, 1), SEND_BLOCKING, bytes, 1, &mix);
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

static struct replicate_result predicted(const char *machine, uint32_t exact, size_t *n_later)
{
    struct diags diags = DIAGS_EMPTY;
    struct replicate_result result;
    struct scene scene = {.numprocs = 2, .seed = 3};
    double later[REPLICATE_FIRST];
    scene_open(&scene, program, machine);
    struct replicate_plan plan = {.exact = exact, .precision = 0.01, .threads = 1, .later = later};
    scene_check(calibration_later(&scene.setup, &plan, later, &plan.n_later), &diags);
    for (size_t r = 0; r < plan.n_later; r++)
        expect_time(later[r], 1 + 50 * 2e-3 * 1.1);
    *n_later = plan.n_later;
    scene_check(replicate_run(&scene.setup, &plan, &result, &diags), &diags);
    scene_close(&scene);
    return result;
}

/* Communication is 0.1 s and 10 % uncertain, so 95 % of runs take less than 1.1 s + 1.645 x 0.01 s. Of 4000 draws the
 * 5 and 95 % points are known to 0.34 ms (one standard error); five of them fail once in a million seeds. */
static void uncertainty_widens_the_quantiles_and_nothing_else(void **state)
{
    (void)state;
    size_t n_later;
    struct replicate_result with = predicted(MACHINE(", launch_sd: 0.1"), 4000, &n_later);
    assert_int_equal(n_later, 16);
    expect_time(with.time.mean, 1.1);
    assert_true(with.time.sd < 1e-12);
    assert_true(fabs(with.time.p95 - (1.1 + 1.6449 * 0.01)) < 1.7e-3);
    assert_true(fabs(with.time.p5 - (1.1 - 1.6449 * 0.01)) < 1.7e-3);
    assert_true(fabs(with.time.median - 1.1) < 1.7e-3);
    struct replicate_result without = predicted(MACHINE(""), 4000, &n_later);
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

/* What cannot run says so once: in the prediction, not here. */
static void a_deadlock_is_left_to_the_prediction(void **state)
{
    (void)state;
    struct diags diags = DIAGS_EMPTY;
    double later[REPLICATE_FIRST];
    struct scene scene = {.numprocs = 2};
    scene_open(&scene, "Message type = MPI_Recv & from = 1-procnum\n", MACHINE(", launch_sd: 0.1"));
    struct replicate_plan plan = {.exact = 20, .threads = 1};
    scene_check(calibration_later(&scene.setup, &plan, later, &plan.n_later), &diags);
    assert_int_equal(plan.n_later, 0);
    scene_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(another_launch_has_longer_transits),
        cmocka_unit_test(uncertainty_widens_the_quantiles_and_nothing_else),
        cmocka_unit_test(few_replications_cost_few),
        cmocka_unit_test(a_deadlock_is_left_to_the_prediction),
    };
    return cmocka_run_group_tests_name("calibration", tests, NULL, NULL);
}
