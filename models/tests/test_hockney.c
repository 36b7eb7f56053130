#include "models/tests/model_fixture.h"

#define HOMOGENEOUS HEAD "  hockney: {alpha: 177 us, beta: 0.0219 us}\n"
#define HETEROGENEOUS \
    HEAD "  hockney: {alpha: 177 us, beta: 0.0219 us}\n" \
         "  hockney_hetero:\n" \
         "    alpha: [[0.5 us, 10 us, 20 us], [30 us, 0.6 us, 40 us], [50 us, 60 us, 0.7 us]]\n" \
         "    beta: [[0, 1 ns, 2 ns], [3 ns, 0, 4 ns], [5 ns, 6 ns, 0]]\n"

static const struct cost_options options = {.model = "hockney", .ppn = 1};

/* 177 + 0.0219 * 1000 = 198.9 us. */
static void homogeneous_by_hand(void **state)
{
    (void)state;
    struct fixture f;
    assert_int_equal(fixture_open(&f, HOMOGENEOUS, options), STATUS_OK);
    assert_string_equal(f.model->name, "hockney");
    assert_int_equal(f.model->ports, PORTS_PER_PROCESS);
    assert_int_equal(f.model->level_max, 1);
    assert_int_equal(f.model->level_measured[0], 0);
    assert_int_equal(f.model->eager_limit[TRANSPORT_network], 4096);
    assert_costs(&f, 0, 1, 1000, (double[]){0, 198.9, 198.9, 0, 0});
    assert_costs(&f, 2, 1, 0, (double[]){0, 177, 177, 0, 0});
    assert_costs(&f, 1, 1, 1000, (double[]){0, 0, 198.9, 0, 0}); /* within a node: no port */
    fixture_close(&f);
}

/* Nothing of the network: Hockney's model has no overheads. */
static void to_oneself_costs_nothing(void **state)
{
    (void)state;
    struct fixture f;
    fixture_open(&f, HOMOGENEOUS, options);
    assert_pair_costs(&f, pair_with_itself(f.model, 1), 1000, (double[]){0, 0, 0, 0, 0});
    assert_true(f.model->self_is_known);
    assert_true(f.model->eager_limit[TRANSPORT_self] == 4096 && f.model->eager_limit_taken[TRANSPORT_self]);
    fixture_close(&f);
    fixture_open(&f, HETEROGENEOUS, options);
    assert_pair_costs(&f, pair_with_itself(f.model, 2), 1000, (double[]){0, 0, 0, 0, 0});
    fixture_close(&f);
}

static void contention_none_switches_gaps_off(void **state)
{
    (void)state;
    struct fixture f;
    fixture_open(&f, HOMOGENEOUS, (struct cost_options){.model = "hockney", .ppn = 1, .contention = CONTENTION_none});
    assert_int_equal(f.model->ports, PORTS_OFF);
    assert_costs(&f, 0, 1, 1000, (double[]){0, 0, 198.9, 0, 0});
    fixture_close(&f);
    fixture_open(&f, HOMOGENEOUS, (struct cost_options){.model = "hockney", .ppn = 1, .contention = CONTENTION_ports});
    assert_int_equal(f.model->ports, PORTS_PER_PROCESS);
    assert_costs(&f, 0, 1, 1000, (double[]){0, 198.9, 198.9, 0, 0});
    fixture_close(&f);
}

static void heterogeneous_by_hand(void **state)
{
    (void)state;
    struct fixture f;
    assert_int_equal(fixture_open(&f, HETEROGENEOUS, (struct cost_options){.model = "hockney", .ppn = 2}), STATUS_OK);
    assert_costs(&f, 0, 1, 1000, (double[]){0, 11, 11, 0, 0});
    assert_costs(&f, 1, 0, 1000, (double[]){0, 33, 33, 0, 0});
    assert_costs(&f, 2, 1, 500, (double[]){0, 63, 63, 0, 0});
    assert_costs(&f, 5, 4, 500, (double[]){0, 63, 63, 0, 0}); /* nodes round robin */
    assert_costs(&f, 1, 1, 1000, (double[]){0, 0, 0.6, 0, 0});
    assert_costs(&f, 1, 4, 1000, (double[]){0, 0.6, 0.6, 0, 0}); /* two nodes that look like node 1 */
    assert_int_equal(f.diags.n, 0);
    fixture_close(&f);
}

static void a_diagonal_of_zeros_is_noted(void **state)
{
    (void)state;
    static const char text[] =
        HEAD "  hockney_hetero: {alpha: [[0, 1, 1], [1, 0, 1], [1, 1, ~]], beta: [[0, 1, 1], [1, 0, 1], [1, 1, 0]]}\n";
    struct fixture f;
    fixture_open(&f, text, (struct cost_options){.model = "hockney", .ppn = 2});
    assert_says(&f.diags,
                   "m.yaml: note: messages within a node cost nothing: the diagonals of `models: hockney` are 0\n");
    fixture_close(&f);
    fixture_open(&f, text, options);
    assert_int_equal(f.diags.n, 0);
    fixture_close(&f);
}

static void a_missing_section_is_named(void **state)
{
    (void)state;
    struct fixture f;
    assert_int_equal(fixture_open(&f, HEAD "  logp: {L: 1, o_s: 1, o_r: 1, g: 1}\n", options), STATUS_SCHEMA);
    assert_null(f.model);
    assert_says(&f.diags,
                   "m.yaml: error: no `models: hockney`, which --model hockney needs: run pevpm-estimate or add it\n");
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(homogeneous_by_hand),
        cmocka_unit_test(to_oneself_costs_nothing),
        cmocka_unit_test(contention_none_switches_gaps_off),
        cmocka_unit_test(heterogeneous_by_hand),
        cmocka_unit_test(a_diagonal_of_zeros_is_noted),
        cmocka_unit_test(a_missing_section_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
