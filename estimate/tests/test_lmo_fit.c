#include "estimate/tests/simulated.h"

#include <string.h>

static void experiments_have_numbers_of_their_own(void **state)
{
    (void)state;
    for (size_t n = 3; n <= 7; n++) {
        size_t all = lmo_experiments(n);
        char *taken = alloc_zeroed(all, 1);
        assert_int_equal(all, n * (n - 1) + n * (n - 1) * (n - 2) / 2); /* 2 C(n, 2) + 3 C(n, 3) */
        for (size_t j = 0; j < n; j++)
            for (size_t i = 0; i < j; i++) {
                assert_int_equal(lmo_empty(n, i, j), lmo_empty(n, j, i));
                taken[lmo_empty(n, i, j)]++;
                taken[lmo_there(n, j, i)]++;
                for (size_t root = 0; root < n; root++)
                    if (root != i && root != j) {
                        assert_int_equal(lmo_to_two(n, root, i, j), lmo_to_two(n, root, j, i));
                        taken[lmo_to_two(n, root, i, j)]++;
                    }
            }
        for (size_t e = 0; e < all; e++)
            assert_int_equal(taken[e], 1);
        free(taken);
    }
}

/* Nodes that are all alike, where the larger of two is chance: how far, over 400 trials, is t_0 from the truth, in
 * units of sigma / M with sigma = 5 % of a round trip? inside: the noise is that of each way, and a one-to-two waits
 * for the later of two. */
static double bias_of_t(bool inside, double noise_inside, double *t_bias_limit)
{
    enum { TRIALS = 400 };
    struct truth s = truth_lmo(0);
    lmo_times(&s);
    double round = s.times[lmo_there(NODES, 0, 1)], sigma = 0.05 * round, sum = 0, squares = 0;
    double *t = alloc_array(s.n_experiments * REPETITIONS, sizeof *t);
    struct repeats repeats[EXPERIMENTS_MOST];
    struct lmo_design design = {NODES, LMO_BYTES, noise_inside, false};
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(random, 5);
    for (int trial = 0; trial < TRIALS; trial++) {
        measure(&s, 0, random, t, repeats);
        for (size_t at = 0; at < s.n_experiments * REPETITIONS; at++) {
            bool to_two = at >= lmo_to_two(NODES, 0, 1, 2) * REPETITIONS,
                 empty = at < lmo_there(NODES, 0, 1) * REPETITIONS;
            double one = gsl_ran_gaussian(random, sigma), other = gsl_ran_gaussian(random, sigma);
            t[at] += empty ? 0 : to_two && inside ? fmax(one, other) : one;
        }
        double p[EXPERIMENTS_MOST];
        lmo_fit(&design, repeats, p);
        double wrong = 0;
        for (size_t i = 0; i < NODES; i++)
            wrong += (p[lmo_parameter_t(NODES, i)] - s.parameters[lmo_parameter_t(NODES, i)]) / NODES;
        sum += wrong;
        squares += wrong * wrong;
    }
    gsl_rng_free(random);
    free(t);
    double mean = sum / TRIALS;
    *t_bias_limit = 4 * sqrt((squares / TRIALS - mean * mean) / TRIALS) * LMO_BYTES / sigma;
    return mean * LMO_BYTES / sigma;
}

/* Four standard errors of the mean over the trials: chance goes beyond once in 16,000. */
static void the_larger_of_two_is_no_bias(void **state)
{
    (void)state;
    double four, bias = bias_of_t(false, 0, &four);
    if (!(fabs(bias) < four && four < 0.05))
        fail_msg("t is off by %g sigma / M, chance is %g", bias, four);
}

/* Equal nodes: E max of two is 0.564 sigma. That much is seen, and taken off where it is known. */
static void noise_on_the_way_is_taken_off(void **state)
{
    (void)state;
    double four, bias = bias_of_t(true, 0, &four);
    if (!(fabs(bias - 0.5642) < four && four < 0.05))
        fail_msg("t is off by %g sigma / M, expected 0.5642, chance is %g", bias, four);
    /* the means of 20 still differ by chance where they should not, which makes the excess a tenth too small */
    bias = bias_of_t(true, 1, &four);
    if (!(fabs(bias) < 0.06 + four))
        fail_msg("t is still off by %g sigma / M, chance is %g", bias, four);
}

static void the_most_it_could_be_is_told(void **state)
{
    (void)state;
    struct truth s = truth_lmo(0);
    lmo_times(&s);
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    double t[EXPERIMENTS_MOST * REPETITIONS];
    struct repeats repeats[EXPERIMENTS_MOST];
    measure(&s, 0, random, t, repeats);
    assert_true(lmo_excess(&lmo_of_five, repeats, 0) < 1e-20); /* rounding */
    measure(&s, 0.05, random, t, repeats);
    double one = 0.05 * s.times[lmo_there(NODES, 0, 1)] / LMO_BYTES, excess = lmo_excess(&lmo_of_five, repeats, 0);
    if (!(excess > 0.4 * one && excess < 0.65 * one))
        fail_msg("%g of a standard deviation", excess / one);
    gsl_rng_free(random);
}

/* A port of 1 us/kB and processors that take next to nothing: the port's time comes out as t, 1/beta as minus that,
 * and their sum is right. */
static void a_port_is_not_a_processor(void **state)
{
    (void)state;
    struct truth s = truth_lmo(0);
    double byte = 1e-9, C = s.parameters[0];
    for (size_t e = 0; e < s.n_experiments; e++)
        s.times[e] = e < lmo_there(NODES, 0, 1)        ? 4 * C
                     : e < lmo_to_two(NODES, 0, 1, 2) ? 4 * C + LMO_BYTES * byte
                                                       : 6 * C + LMO_BYTES * 2 * byte; /* both through the one port */
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    double t[EXPERIMENTS_MOST * REPETITIONS];
    struct repeats repeats[EXPERIMENTS_MOST];
    struct estimate found[EXPERIMENTS_MOST];
    measure(&s, 0, random, t, repeats);
    bootstrap_run(&(struct bootstrap){s.n_experiments, s.n_parameters, 2, 1, lmo_fit, &lmo_of_five, lmo_degrees, {0}},
                  repeats, found);
    assert_true(lmo_port_limited(NODES, found));
    for (size_t i = 0; i < NODES; i++)
        for (size_t j = 0; j < i; j++) {
            double inverse = found[lmo_parameter_inverse_beta(NODES, i, j)].value;
            double sum = inverse + found[lmo_parameter_t(NODES, i)].value + found[lmo_parameter_t(NODES, j)].value;
            assert_true(fabs(sum - byte) < 1e-9 * byte);
            assert_true(fabs(inverse + byte) < 1e-9 * byte);
        }
    struct truth other = truth_lmo(1);
    lmo_times(&other);
    measure(&other, 0, random, t, repeats);
    bootstrap_run(&(struct bootstrap){s.n_experiments, s.n_parameters, 2, 1, lmo_fit, &lmo_of_five, lmo_degrees, {0}},
                  repeats, found);
    assert_false(lmo_port_limited(NODES, found));
    gsl_rng_free(random);
}

/* Ports of 1, 1, 2, 2 and 3 ns a byte: a message takes the slower one's time, and two that leave a port by turns at
 * least twice that port's. Node 0 passes two messages to nodes 2 and 3 side by side, and its own port does not show. */
static void ports_that_differ_are_told_by_receivers_as_fast(void **state)
{
    (void)state;
    static const double byte[NODES] = {1e-9, 1e-9, 2e-9, 2e-9, 3e-9};
    struct truth s = truth_lmo(0);
    double C = s.parameters[0];
    for (size_t k = 0; k < NODES; k++)
        for (size_t j = 0; j < k; j++) {
            s.times[lmo_empty(NODES, j, k)] = 4 * C;
            s.times[lmo_there(NODES, j, k)] = 4 * C + LMO_BYTES * fmax(byte[j], byte[k]);
            for (size_t i = 0; i < NODES; i++)
                if (i != j && i != k)
                    s.times[lmo_to_two(NODES, i, j, k)] = 6 * C + LMO_BYTES * fmax(2 * byte[i], fmax(byte[j], byte[k]));
        }
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    double t[EXPERIMENTS_MOST * REPETITIONS], found[EXPERIMENTS_MOST], degrees[EXPERIMENTS_MOST];
    struct repeats repeats[EXPERIMENTS_MOST];
    struct lmo_design by_ports = lmo_of_five;
    size_t first = NODES, second = NODES;
    measure(&s, 0, random, t, repeats);
    lmo_fit(&lmo_of_five, repeats, found);
    assert_true(found[lmo_parameter_t(NODES, 0)] < 0.5 * byte[0]);
    by_ports.ports = true;
    lmo_fit(&by_ports, repeats, found);
    for (size_t i = 0; i < NODES; i++)
        assert_true(fabs(found[lmo_parameter_t(NODES, i)] - byte[i]) < 1e-9 * byte[i]);
    assert_true(fabs(found[lmo_parameter_inverse_beta(NODES, 0, 4)] + byte[0]) < 1e-9 * byte[0]);
    assert_true(lmo_fastest_pair(&by_ports, repeats, &first, &second) && first == 0 && second == 1);
    measure(&s, 0.01, random, t, repeats);
    lmo_degrees(&by_ports, repeats, degrees);
    /* T_01(M) alone says t_0: about its own repetitions less 1, which the C add to; t_4 has all six triplets */
    assert_true(degrees[lmo_parameter_t(NODES, 0)] < degrees[lmo_parameter_t(NODES, 4)]);
    gsl_rng_free(random);
}

/* Of three nodes each has one triplet: Student's interval of its mean. */
static void one_triplet_is_known_as_students(void **state)
{
    (void)state;
    static const double t[] = {10e-6, 12e-6, 17e-6, 11e-6}; /* mean 12.5, sd sqrt(29 / 3) us; t(0.975, 3) = 3.18245 */
    struct repeats repeats[9];
    assert_int_equal(lmo_experiments(3), 9);
    for (int e = 0; e < 9; e++)
        repeats[e] = (struct repeats){4, t};
    for (size_t i = 0; i < 3; i++)
        assert_true(fabs(lmo_to_two_precision(3, repeats, i) - 3.182446305284263 * sqrt(29. / 3) / 2 / 12.5) < 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_triplet_is_known_as_students),
        cmocka_unit_test(experiments_have_numbers_of_their_own),
        cmocka_unit_test(the_larger_of_two_is_no_bias),
        cmocka_unit_test(noise_on_the_way_is_taken_off),
        cmocka_unit_test(the_most_it_could_be_is_told),
        cmocka_unit_test(a_port_is_not_a_processor),
        cmocka_unit_test(ports_that_differ_are_told_by_receivers_as_fast),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
