#include "models/tests/model_fixture.h"

#define LOGP "  logp: {L: 50 us, o_s: 2 us, o_r: 3 us, g: 7 us}\n"
#define LOGGP "  loggp: {L: 5 us, o_s: 1 us, o_r: 4 us, g: 3 us, G: 10 ns}\n"
#define HETERO(name, rest) \
    "  " name ":\n" \
    "    L: [[1 us, 5 us, 6 us], [7 us, 1 us, 8 us], [9 us, 9 us, 1 us]]\n" \
    "    o_s: [[1 us, 1 us, 1 us], [2 us, 2 us, 2 us], [3 us, 3 us, 3 us]]\n" \
    "    o_r: [[1 us, 2 us, 3 us], [1 us, 2 us, 3 us], [1 us, 2 us, 3 us]]\n" \
    "    g: [[1.5 us, 1.5 us, 1.5 us], [1.5 us, 1.5 us, 1.5 us], [1.5 us, 1.5 us, 1.5 us]]\n" rest
#define RATES "    G: [[0, 1 ns, 1 ns], [1 ns, 0, 20 ns], [1 ns, 1 ns, 0]]\n"

static const struct cost_options options = {.model = "loggp", .ppn = 1};

/* 101 bytes: 100 G = 1 us. out max(3, 1) + 1, transit 5 + 1 + 4 + 1, in max(3, 4) + 1. */
static void loggp_by_hand(void **state)
{
    (void)state;
    struct fixture f;
    assert_int_equal(fixture_open(&f, HEAD LOGGP LOGP, options), STATUS_OK);
    assert_string_equal(f.model->name, "loggp");
    assert_int_equal(f.model->ports, PORTS_PER_PROCESS);
    assert_int_equal(f.model->level_max, 1);
    assert_int_equal(f.model->level_measured[0], 0);
    assert_costs(&f, 0, 1, 101, (double[]){1, 4, 11, 5, 4});
    assert_costs(&f, 0, 1, 1, (double[]){1, 3, 10, 4, 4});
    assert_costs(&f, 0, 1, 0, (double[]){1, 3, 10, 4, 4}); /* T(0) = T(1) */
    assert_costs(&f, 2, 2, 101, (double[]){1, 0, 11, 0, 4});
    fixture_close(&f);
}

/* The calls, and no network. */
static void to_oneself_costs_the_overheads(void **state)
{
    (void)state;
    struct fixture f;
    fixture_open(&f, HEAD LOGGP LOGP, options);
    assert_pair_costs(&f, pair_with_itself(f.model, 0), 101, (double[]){1, 0, 5, 0, 4});
    fixture_close(&f);
    fixture_open(&f, HEAD LOGGP HETERO("loggp_hetero", RATES), options);
    assert_pair_costs(&f, pair_with_itself(f.model, 2), 1001, (double[]){3, 0, 6, 0, 3});
    assert_pair_costs(&f, pair_with_itself(f.model, 4), 1001, (double[]){2, 0, 4, 0, 2}); /* as node 1 */
    fixture_close(&f);
}

static void logp_serves_with_G_0(void **state)
{
    (void)state;
    struct fixture f;
    assert_int_equal(fixture_open(&f, HEAD LOGP, options), STATUS_OK);
    assert_costs(&f, 0, 1, 1000000, (double[]){2, 7, 55, 7, 3});
    fixture_close(&f);
}

static void pairs_have_their_own(void **state)
{
    (void)state;
    struct fixture f;
    assert_int_equal(fixture_open(&f, HEAD LOGGP HETERO("loggp_hetero", RATES), options), STATUS_OK);
    /* 1 to 2, 51 bytes: 50 * 20 ns = 1 us. */
    assert_costs(&f, 1, 2, 51, (double[]){2, 3, 14, 4, 3});
    assert_costs(&f, 0, 1, 1001, (double[]){1, 2.5, 9, 3, 2});
    assert_costs(&f, 2, 2, 1001, (double[]){3, 0, 7, 0, 3}); /* the diagonal */
    assert_int_equal(f.diags.n, 0);
    fixture_close(&f);
}

static void logp_pairs_stand_behind_loggp(void **state)
{
    (void)state;
    struct fixture f;
    fixture_open(&f, HEAD LOGP HETERO("logp_hetero", ""), options);
    assert_costs(&f, 1, 2, 51, (double[]){2, 2, 13, 3, 3});
    fixture_close(&f);
    fixture_open(&f, HEAD LOGGP HETERO("logp_hetero", ""), options);
    assert_costs(&f, 1, 2, 101, (double[]){1, 4, 11, 5, 4});
    fixture_close(&f);
}

/* Its own parameters, whatever else the file has; sizes do not count, which is said. */
static void logp_costs_the_same_at_any_size(void **state)
{
    (void)state;
    struct fixture f;
    struct cost_options logp = options;
    logp.model = "logp";
    assert_int_equal(fixture_open(&f, HEAD LOGGP LOGP, logp), STATUS_OK);
    assert_string_equal(f.model->name, "logp");
    assert_costs(&f, 0, 1, 1000000, (double[]){2, 7, 55, 7, 3});
    assert_costs(&f, 0, 1, 0, (double[]){2, 7, 55, 7, 3});
    assert_true(f.model->size_blind);
    assert_int_equal(f.diags.n, 0);
    fixture_close(&f);
    assert_int_equal(fixture_open(&f, HEAD LOGP HETERO("logp_hetero", ""), logp), STATUS_OK);
    assert_costs(&f, 1, 2, 51, (double[]){2, 2, 13, 3, 3});
    fixture_close(&f);
    assert_int_equal(fixture_open(&f, HEAD LOGGP, logp), STATUS_SCHEMA);
    assert_says(&f.diags, "m.yaml: error: no `models: logp`, which --model logp needs: run pevpm-estimate or add it\n");
    fixture_close(&f);
}

static void contention_none_switches_gaps_off(void **state)
{
    (void)state;
    struct fixture f;
    fixture_open(&f, HEAD LOGGP, (struct cost_options){.model = "loggp", .ppn = 1, .contention = CONTENTION_none});
    assert_int_equal(f.model->ports, PORTS_OFF);
    assert_costs(&f, 0, 1, 101, (double[]){1, 0, 11, 0, 4});
    fixture_close(&f);
}

static void a_missing_section_is_named(void **state)
{
    (void)state;
    struct fixture f;
    assert_int_equal(fixture_open(&f, HEAD "  hockney: {alpha: 1, beta: 1}\n", options), STATUS_SCHEMA);
    assert_null(f.model);
    assert_says(&f.diags,
                   "m.yaml: error: no `models: loggp`, which --model loggp needs: run pevpm-estimate or add it\n");
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loggp_by_hand),
        cmocka_unit_test(to_oneself_costs_the_overheads),
        cmocka_unit_test(logp_serves_with_G_0),
        cmocka_unit_test(pairs_have_their_own),
        cmocka_unit_test(logp_pairs_stand_behind_loggp),
        cmocka_unit_test(logp_costs_the_same_at_any_size),
        cmocka_unit_test(contention_none_switches_gaps_off),
        cmocka_unit_test(a_missing_section_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
