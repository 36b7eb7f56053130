#include "estimate/tests/simulated.h"

/* Every model's parameters come back from times without noise. */
static void exact_without_noise(void **state)
{
    (void)state;
    struct truth truths[TRUTHS];
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    double t[EXPERIMENTS_MOST * REPETITIONS];
    truths_make(truths);
    for (int m = 0; m < TRUTHS; m++) {
        const struct truth *s = &truths[m];
        struct repeats repeats[EXPERIMENTS_MOST];
        struct estimate found[EXPERIMENTS_MOST];
        measure(s, 0, random, t, repeats);
        struct bootstrap b = {s->n_experiments, s->n_parameters, 10, 1, s->estimate, s->context, s->degrees, {0}};
        bootstrap_run(&b, repeats, found);
        for (size_t p = 0; p < s->n_parameters; p++)
            if (!(fabs(found[p].value - s->parameters[p]) <= 1e-11 * s->parameters[p] &&
                  found[p].half_width <= 1e-11 * s->parameters[p]))
                fail_msg("%s, parameter %zu: %.17g +- %g, truth %.17g", s->name, p, found[p].value,
                         found[p].half_width, s->parameters[p]);
    }
    gsl_rng_free(random);
}

/* Three sizes whose one-way times lie on no line: 10, 14 and 30 us at 0, 1000 and 3000 bytes. Least squares give
 * 8.857142... us and 6.857142... ns a byte. */
static void regression_goes_between_and_tells_by_how_much(void **state)
{
    (void)state;
    static const double bytes[] = {0, 1000, 3000}, t[3][2] = {{20e-6, 20e-6}, {27e-6, 29e-6}, {60e-6, 60e-6}};
    const struct hockney_sizes sizes = {3, bytes};
    const struct repeats repeats[] = {{2, t[0]}, {2, t[1]}, {2, t[2]}};
    double line[HOCKNEY_PARAMETERS];
    hockney_regression(&sizes, repeats, line);
    assert_true(fabs(line[HOCKNEY_alpha] - 62e-6 / 7) < 1e-18);
    assert_true(fabs(line[HOCKNEY_beta] - 48e-9 / 7) < 1e-20);
    assert_true(fabs(hockney_miss(&sizes, repeats, line, 0) - (62. / 70 - 1)) < 1e-12);
    assert_true(fabs(hockney_miss(&sizes, repeats, line, 1) - (110. / 98 - 1)) < 1e-12);
}

/* Of one experiment the interval is Student's, but for the 200 resamples: the mean of these is known. */
static void intervals_of_one_experiment_are_students(void **state)
{
    (void)state;
    static const double t[] = {10e-6, 12e-6, 17e-6, 11e-6}, big[] = {3e-3, 3e-3, 3e-3, 3e-3};
    struct repeats repeats[] = {{4, t}, {4, big}};
    struct estimate found[2], again[2];
    double bytes = 1000;
    struct bootstrap b = {2, 2, 20000, 7, hockney_two_series, &bytes, NULL, {0}};
    bootstrap_run(&b, repeats, found);
    /* sd of t = sqrt(29 / 3) us, t(0.975, 3) = 3.18245; halved */
    double expected = 0.5 * 3.182446305284263 * sqrt(29e-12 / 3) / 2;
    assert_true(fabs(found[0].value - 6.25e-6) < 1e-18);
    if (!(fabs(found[0].half_width - expected) < 0.02 * expected))
        fail_msg("+- %g, expected %g", found[0].half_width, expected);
    bootstrap_run(&b, repeats, again);
    assert_memory_equal(found, again, sizeof found);
}

/* The third point lies 0.4 off a line that says 2. */
static void a_bend_asks_for_its_middle(void **state)
{
    (void)state;
    static const double x[] = {0, 100, 300}, bent[] = {1, 1.333, 2.4}, straight[] = {1, 1.3333, 2};
    assert_true(plogp_refine(3, x, bent, 0.1, 10) == 200);
    assert_true(isnan(plogp_refine(3, x, bent, 0.3, 10)));
    assert_true(isnan(plogp_refine(3, x, bent, 0.1, 100))); /* near enough */
    assert_true(isnan(plogp_refine(3, x, straight, 0.1, 10)));
}

/* What is not known of both series alike: alpha = T_0 / 2 by half of it, beta = (T_M - T_0) / (2 M) not by it at
 * all. */
static void what_experiments_share_is_in_intervals(void **state)
{
    (void)state;
    static const double empty[] = {1e-3, 1e-3, 1e-3}, full[] = {3e-3, 3e-3, 3e-3}, sd[] = {7e-6, 2e-6};
    const struct repeats experiments[] = {{3, empty}, {3, full}};
    static const int alike[] = {1, 1}, one[] = {-1, 0};
    const double bytes = 2048, t = 4.3026527; /* Student's quantile of 2 degrees of freedom */
    struct bootstrap b = {2, 2, 20000, 7, hockney_two_series, &bytes, NULL, {2, sd, alike}};
    struct estimate found[2];
    bootstrap_run(&b, experiments, found);
    assert_true(fabs(found[0].half_width / (t * 1e-6) - 1) < 0.02);
    assert_true(found[1].half_width < 1e-15);
    b.shared.of = one;
    bootstrap_run(&b, experiments, found);
    assert_true(found[0].half_width < 1e-15);
    assert_true(fabs(found[1].half_width / (t * 7e-6 / (2 * bytes)) - 1) < 0.02);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_without_noise),
        cmocka_unit_test(regression_goes_between_and_tells_by_how_much),
        cmocka_unit_test(intervals_of_one_experiment_are_students),
        cmocka_unit_test(a_bend_asks_for_its_middle),
        cmocka_unit_test(what_experiments_share_is_in_intervals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
