/* How well (11) reproduces one-to-two experiments, simulated ones. */
#include "estimate/analytical/lmo_formula.h"
#include "estimate/tests/simulated.h"

static void what_follows_the_formula_is_reproduced(void **state)
{
    (void)state;
    struct truth s = truth_lmo(1);
    lmo_times(&s);
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    double t[EXPERIMENTS_MOST * REPETITIONS], p[EXPERIMENTS_MOST];
    struct repeats repeats[EXPERIMENTS_MOST];
    measure(&s, 0, random, t, repeats);
    lmo_fit(&lmo_of_five, repeats, p);
    struct lmo_miss miss = lmo_to_two_miss(&lmo_of_five, repeats, p);
    assert_true(miss.median < 1e-9 && miss.largest < 1e-9);
    measure(&s, 0.01, random, t, repeats);
    lmo_fit(&lmo_of_five, repeats, p);
    miss = lmo_to_two_miss(&lmo_of_five, repeats, p);
    assert_true(miss.median > 2e-4 && miss.median < 5e-3 && miss.largest < 0.02); /* 1 % / sqrt(20) */
    gsl_rng_free(random);
}

/* One in thirty that takes a tenth longer: the median hardly notices, the largest miss names it. */
static void what_does_not_is_named(void **state)
{
    (void)state;
    struct truth s = truth_lmo(1);
    lmo_times(&s);
    s.times[lmo_to_two(NODES, 3, 1, 4)] *= 1.1;
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    double t[EXPERIMENTS_MOST * REPETITIONS], p[EXPERIMENTS_MOST];
    struct repeats repeats[EXPERIMENTS_MOST];
    measure(&s, 0, random, t, repeats);
    struct lmo_miss miss = lmo_to_two_miss(&lmo_of_five, repeats, s.parameters);
    assert_true(miss.median < 1e-9 && fabs(miss.largest - (1 - 1 / 1.1)) < 1e-9);
    assert_true(miss.node[0] == 3 && miss.node[1] == 1 && miss.node[2] == 4);
    lmo_fit(&lmo_of_five, repeats, p); /* node 3's t has a sixth of it */
    miss = lmo_to_two_miss(&lmo_of_five, repeats, p);
    assert_true(miss.median < 0.01 && miss.largest > 0.07 && miss.largest < 0.09);
    assert_true(miss.node[0] == 3 && miss.node[1] == 1 && miss.node[2] == 4);
    gsl_rng_free(random);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_follows_the_formula_is_reproduced),
        cmocka_unit_test(what_does_not_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
