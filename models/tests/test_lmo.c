#include "models/tests/model_fixture.h"

#include "models/lmo_collective.h"

static const struct cost_options options = {.model = "lmo", .ppn = 1};

#define DELAYS "    C: [10 us, 20 us, 30 us]\n    t: [1 ns, 2 ns, 3 ns]\n"
#define RATES "    beta: [[0, 1e8, 2e8], [1e8, 0, 4e8], [2e8, 4e8, 1e9]]\n"
#define LMO "  lmo:\n" DELAYS RATES
#define INVERSE "    inverse_beta: [[0, -2 ns, 5 ns], [-2 ns, 0, 1 ns], [5 ns, 1 ns, 0]]\n    port_limited: true\n"

/* 1000 bytes 0 -> 1: 10 + 1 and 20 + 2 us of the processors, 10 us of the network. */
static void lmo_by_hand(void **state)
{
    (void)state;
    struct fixture f;
    assert_int_equal(fixture_open(&f, HEAD LMO, options), STATUS_OK);
    assert_string_equal(f.model->name, "lmo");
    assert_costs(&f, 0, 1, 1000, (double[]){11, 11, 43, 22, 22});
    assert_costs(&f, 1, 0, 1000, (double[]){22, 22, 43, 11, 11});
    assert_costs(&f, 0, 2, 0, (double[]){10, 10, 40, 30, 30});
    assert_costs(&f, 2, 2, 1000, (double[]){33, 0, 67, 0, 33}); /* the diagonal's rate */
    assert_costs(&f, 1, 1, 1000, (double[]){22, 0, 44, 0, 22}); /* none */
    assert_pair_costs(&f, pair_with_itself(f.model, 2), 1000, (double[]){33, 0, 66, 0, 33});
    fixture_close(&f);
}

/* And t is the port's, not the processor's: it is no part of the overheads. */
static void a_limiting_port_has_a_negative_inverse(void **state)
{
    (void)state;
    struct fixture f;
    assert_int_equal(fixture_open(&f, HEAD "  lmo:\n" DELAYS INVERSE, options), STATUS_OK);
    assert_costs(&f, 0, 1, 1000, (double[]){10, 11, 31, 22, 20});
    fixture_close(&f);
}

/* 1 + 2 - 3.000001 ns is 0 as well as six digits can say. */
static void rounding_is_no_negative_time(void **state)
{
    (void)state;
    struct fixture f;
    assert_int_equal(fixture_open(&f, HEAD "  lmo: {C: 10 us, t: 1.5 ns, inverse_beta: -3.000001 ns}\n", options),
                     STATUS_OK);
    assert_costs(&f, 0, 1, 1000, (double[]){11.5, 11.5, 20, 11.5, 11.5});
    fixture_close(&f);
}

static void all_nodes_may_be_alike(void **state)
{
    (void)state;
    struct fixture f;
    assert_int_equal(fixture_open(&f, HEAD "  lmo: {C: 10 us, t: {value: 2 ns, ci95: 1 ns}, beta: 1e8}\n", options),
                     STATUS_OK);
    assert_costs(&f, 0, 7, 1000, (double[]){12, 12, 34, 12, 12});
    fixture_close(&f);
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    struct fixture f;
    assert_int_equal(fixture_open(&f, HEAD "  hockney: {alpha: 1, beta: 1}\n", options), STATUS_SCHEMA);
    assert_says(&f.diags, "m.yaml: error: no `models: lmo`, which --model lmo needs: run pevpm-estimate or add it\n");
    fixture_close(&f);
    assert_int_equal(fixture_open(&f, HEAD "  lmo: {C: 10 us, t: 1 ns, inverse_beta: -3 ns}\n", options),
                     STATUS_SCHEMA);
    assert_says(&f.diags, "m.yaml: error: models.lmo: a byte from node 0 to node 0 takes -1e-09 s (t + t + 1/beta), "
                          "less than none\n");
    fixture_close(&f);
}

/* 10000 bytes, root 1. Processors take 20 (root), 20 and 60 us, the network 100 and 25 us, in order 0, 2. */
static void assert_leaves(const char *text, enum collective_op op, int64_t bytes, const double us[3])
{
    struct fixture f;
    static const int node[] = {0, 1, 2};
    double leaves[3] = {0};
    assert_int_equal(fixture_open(&f, text, options), STATUS_OK);
    struct schedule s = {.op = op, .algorithm = ALGORITHM_linear, .size = 3, .root = 1, .bytes = bytes};
    assert_true(lmo_collective_times(f.machine, &s, node, leaves));
    for (int i = 0; i < 3; i++)
        if (!(fabs(leaves[i] - us[i] * 1e-6) <= 1e-12 * us[i] * 1e-6))
            fail_msg("rank %d leaves at %.15g us, expected %.15g us", i, leaves[i] * 1e6, us[i]);
    s.algorithm = ALGORITHM_binomial;
    assert_false(lmo_collective_times(f.machine, &s, node, leaves));
    fixture_close(&f);
}

#define ESCALATION "    escalation: {levels: [0.2], M1: [[3, 2000]], M2: 9000}\n"

/* IJHPCA 2009, (8): 2 (20 + 20) + max(20 + 100, 60 + 25), then their sum; (9), (10) with kappa. */
static void forms_of_2009(void **state)
{
    (void)state;
#define S(bytes) "    scatter: {S: " #bytes "}\n"
#define KAPPA "    gather: {kappa1: 3 ns, kappa2: -1 ns}\n"
    assert_leaves(HEAD LMO, COLLECTIVE_MPI_Scatter, 10000, (double[]){200, 80, 165});
    assert_leaves(HEAD LMO S(10000), COLLECTIVE_MPI_Scatter, 10000, (double[]){200, 80, 165});
    assert_leaves(HEAD LMO S(9999), COLLECTIVE_MPI_Scatter, 10000, (double[]){200, 285, 285});
    assert_leaves(HEAD LMO, COLLECTIVE_MPI_Gather, 10000, (double[]){20, 200, 60});
    assert_leaves(HEAD LMO KAPPA, COLLECTIVE_MPI_Gather, 10000, (double[]){20, 230, 60});
    assert_leaves(HEAD LMO KAPPA ESCALATION, COLLECTIVE_MPI_Gather, 10000, (double[]){20, 275, 60});
    assert_leaves(HEAD LMO KAPPA ESCALATION, COLLECTIVE_MPI_Gather, 1000, (double[]){11, 44 + 35.5 + 3, 33});
    /* 200 - 300 us: empty shares, 2 20 + 30 */
    assert_leaves(HEAD LMO "    gather: {kappa1: -30 ns, kappa2: 0}\n", COLLECTIVE_MPI_Gather, 10000,
                  (double[]){20, 70, 60});
    /* beyond them: 10 ns M - 20 us + 2 (-3 us + 1 ns M) */
#define BEYOND(large) "{kappa1: 10 ns, kappa2: 10 ns, " large ": {offset: -20 us, C: -3 us, t: 1 ns}}\n"
    assert_leaves(HEAD LMO "    gather: " BEYOND("small"), COLLECTIVE_MPI_Gather, 10000, (double[]){20, 200 + 94, 60});
    assert_leaves(HEAD LMO "    scatter: " BEYOND("small"), COLLECTIVE_MPI_Scatter, 10000, (double[]){294, 174, 259});
    assert_leaves(HEAD LMO "    gather: " BEYOND("large") ESCALATION, COLLECTIVE_MPI_Gather, 10000,
                  (double[]){20, 275 + 10 + 94, 60});
    assert_leaves(HEAD LMO "    gather: " BEYOND("large"), COLLECTIVE_MPI_Gather, 10000, (double[]){20, 300, 60});
}

/* IPDPS 2007, 4.2, 4.3.1, 4.3.3; 1/beta_0 is (10 + 2.5) / 2 ns. */
static void forms_of_2007(void **state)
{
    (void)state;
#define FORMS "    forms: 2007\n    gather: {kappa1: 0.5, kappa2: 2}\n"
    assert_leaves(HEAD LMO FORMS, COLLECTIVE_MPI_Scatter, 10000, (double[]){180, 60, 145});
    assert_leaves(HEAD LMO FORMS, COLLECTIVE_MPI_Gather, 10000,
                  (double[]){20, 20 + 10 + 30 + 10 * (2 + 6.25 + 0.5 * 4), 60});
    assert_leaves(HEAD LMO FORMS ESCALATION, COLLECTIVE_MPI_Gather, 10000,
                  (double[]){20, 20 + 10 * (2 + 6.25) + 2 * (10 + 10 + 30 + 30), 60});
}

static void assert_near(double found, double expected)
{
    if (!(fabs(found - expected) <= 1e-12 * expected))
        fail_msg("found %.15g, expected %.15g", found, expected);
}

/* (11): 4 10 + 2 + max(2 20 + 2 + 10, 2 30 + 3 + 5). */
static void one_to_two(void **state)
{
    (void)state;
    struct fixture f;
    assert_int_equal(fixture_open(&f, HEAD LMO, options), STATUS_OK);
    assert_near(lmo_one_to_two_time(f.machine->lmo, 0, 1, 2, 1000), 110e-6);
    assert_near(lmo_one_to_two_time(f.machine->lmo, 0, 2, 1, 1000), 110e-6);
    assert_near(lmo_one_to_two_time(f.machine->lmo, 0, 1, 2, 10000), 40e-6 + 20e-6 + 160e-6);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lmo_by_hand),
        cmocka_unit_test(a_limiting_port_has_a_negative_inverse),
        cmocka_unit_test(rounding_is_no_negative_time),
        cmocka_unit_test(all_nodes_may_be_alike),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(forms_of_2009),
        cmocka_unit_test(forms_of_2007),
        cmocka_unit_test(one_to_two),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
