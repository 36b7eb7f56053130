/* Factors on Serial times, against draws made here by hand; the engines agree on them bit for bit. */
#include "engine/random.h"
#include "engine/tests/play.h"

static const char head[] = "pevpm_machine: 1\nname: m\nnodes: 2\nnode_time_factor: [1, 2]\nserial_variability: ";

/* The uniform law between 0.5 and 1.5. */
static double uniform(uint32_t replication, uint32_t process, uint64_t draw, enum stream stream)
{
    return 0.5 + (random_word(1, replication, process, draw, stream) + 0.5) / 4294967296.0;
}

static void play(const char *factors, enum cost_mode mode, int ppn, struct outcome outcome[8])
{
    static const char program[] = "Serial time = 10 ms\nSerial time = measured(thirty)\n";
    char machine[400];
    snprintf(machine, sizeof machine, "%s%s\nserial: {thirty: 30 ms, other: 1}\n", head, factors);
    struct scene scene = {.model = "hockney", .mode = mode, .contention = CONTENTION_none,
                          .numprocs = 2 * ppn, .nodes = 2,
                          .ppn = ppn, .seed = 1};
    char with_model[500];
    snprintf(with_model, sizeof with_model, "%smodels: {hockney: {alpha: 1, beta: 1}}\n", machine);
    scene_open(&scene, program, with_model);
    assert_int_equal(scene_run(&scene, ENGINE_LANES, 8, 8, outcome, NULL, NULL, 0), STATUS_OK);
    struct outcome other[8];
    assert_int_equal(scene_run(&scene, ENGINE_TIMED, 1, 8, other, NULL, NULL, 0), STATUS_OK);
    for (int r = 0; r < 8; r++)
        assert_true(outcome[r].time == other[r].time && outcome[r].serial == other[r].serial);
    assert_int_equal(scene_run(&scene, ENGINE_REFERENCE, 1, 8, other, NULL, NULL, 0), STATUS_OK);
    for (int r = 0; r < 8; r++)
        assert_true(outcome[r].time == other[r].time && outcome[r].serial == other[r].serial);
    assert_int_equal(scene_run(&scene, ENGINE_LANES, 1, 8, other, NULL, NULL, 0), STATUS_OK);
    for (int r = 0; r < 8; r++)
        assert_true(outcome[r].time == other[r].time && outcome[r].serial == other[r].serial);
    scene_close(&scene);
}

#define LAW "{uniform: {low: 0.5, high: 1.5}}"

/* Node 1 takes twice as long: it is the run time. */
static void a_run_is_slow_as_a_whole(void **state)
{
    (void)state;
    struct outcome outcome[8];
    play("{per_run: " LAW "}", MODE_distribution, 1, outcome);
    for (uint32_t r = 0; r < 8; r++) {
        double factor = uniform(r, 0, 0, STREAM_SERIAL_RUN);
        expect_time(outcome[r].time, 0.080 * factor);
        expect_time(outcome[r].serial, 0.120 * factor);
    }
}

static void a_node_is_slow_for_all_its_processes(void **state)
{
    (void)state;
    struct outcome outcome[8];
    play("{per_node: " LAW "}", MODE_distribution, 2, outcome);
    for (uint32_t r = 0; r < 8; r++) {
        double first = 0.040 * uniform(r, 0, 0, STREAM_SERIAL_NODE),
               second = 0.080 * uniform(r, 1, 0, STREAM_SERIAL_NODE);
        expect_time(outcome[r].time, fmax(first, second));
        expect_time(outcome[r].serial, 2 * (first + second));
    }
}

static void each_call_is_drawn(void **state)
{
    (void)state;
    struct outcome outcome[8];
    play("{per_call: " LAW ", per_run: 0.25}", MODE_distribution, 1, outcome);
    for (uint32_t r = 0; r < 8; r++) {
        double time[2];
        for (uint32_t p = 0; p < 2; p++)
            time[p] = 0.25 * (1 + p) *
                      (0.010 * uniform(r, p, 0, STREAM_SERIAL_CALL) + 0.030 * uniform(r, p, 1, STREAM_SERIAL_CALL));
        expect_time(outcome[r].time, fmax(time[0], time[1]));
        expect_time(outcome[r].serial, time[0] + time[1]);
    }
}

static void without_chance_factors_are_averages(void **state)
{
    (void)state;
    struct outcome outcome[8];
    play("{per_run: {uniform: {low: 1, high: 2}}, per_node: 2, "
         "per_call: {uniform: {low: 0.25, high: 0.75}}}", MODE_average, 1,
         outcome);
    expect_time(outcome[0].time, 0.080 * 1.5 * 2 * 0.5);
    play("{per_run: {uniform: {low: 1, high: 2}}}", MODE_minimum, 1, outcome);
    expect_time(outcome[0].time, 0.080 * 1.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_is_slow_as_a_whole),
        cmocka_unit_test(a_node_is_slow_for_all_its_processes),
        cmocka_unit_test(each_call_is_drawn),
        cmocka_unit_test(without_chance_factors_are_averages),
    };
    cmocka_set_message_output(CM_OUTPUT_STDOUT);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
