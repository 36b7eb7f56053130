#include "models/distribution.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void assert_near(double found, double expected, double relative)
{
    if (!(fabs(found - expected) <= relative * fabs(expected)))
        fail_msg("found %.17g, expected %.17g (within %g relative)", found, expected, relative);
}

static void assert_well_formed(const struct distribution *d)
{
    assert_true(d->n >= 2);
    assert_true(d->p[0] == 0 && d->p[d->n - 1] == 1);
    for (size_t i = 0; i < d->n; i++) {
        assert_true(d->t[i] >= 0);
        assert_true(i == 0 || (d->p[i] >= d->p[i - 1] && d->t[i] >= d->t[i - 1]));
    }
}

static void constant_is_everywhere(void **state)
{
    (void)state;
    struct distribution d;
    distribution_constant(&d, 2.385);
    assert_well_formed(&d);
    assert_true(distribution_is_constant(&d));
    assert_true(distribution_quantile(&d, 0) == 2.385 && distribution_quantile(&d, 0.37) == 2.385);
    assert_true(d.minimum == 2.385 && d.average == 2.385);
    distribution_free(&d);
    distribution_constant(&d, -1.5);
    assert_true(d.average == 0 && distribution_quantile(&d, 1) == 0);
    distribution_free(&d);
}

static void histogram_keeps_bins_and_jumps(void **state)
{
    (void)state;
    /* 10 in [1, 2), none in [2, 5), 30 in [5, 6): jump from 2 to 5 at 1/4; mean 1.5/4 + 5.5*3/4. */
    struct distribution d;
    distribution_histogram(&d, 3, (double[]){1, 2, 5, 6}, (double[]){10, 0, 30});
    assert_well_formed(&d);
    assert_int_equal(d.n, 4);
    assert_near(distribution_quantile(&d, 0.125), 1.5, 1e-15);
    assert_near(distribution_quantile(&d, 0.25), 5, 1e-15); /* the upper side */
    assert_near(distribution_quantile(&d, 0.2499999), 1.9999996, 1e-12);
    assert_near(distribution_quantile(&d, 0.625), 5.5, 1e-15);
    assert_near(distribution_mean(&d), 4.5, 1e-15);
    assert_near(d.average, 4.5, 1e-15);
    assert_near(d.minimum, 1, 0);
    assert_false(distribution_is_constant(&d));
    distribution_free(&d);
}

static void histogram_ends_are_the_first_and_last_filled_bin(void **state)
{
    (void)state;
    struct distribution d;
    distribution_histogram(&d, 4, (double[]){0.5, 1, 2.5, 7, 9}, (double[]){0, 3, 1, 0});
    assert_well_formed(&d);
    assert_near(d.minimum, 1, 0);
    assert_near(distribution_quantile(&d, 1), 7, 0);
    assert_near(distribution_quantile(&d, 0.75), 2.5, 1e-15);
    distribution_free(&d);
}

static void tail_bin_keeps_place_and_weight(void **state)
{
    (void)state;
    struct distribution d;
    distribution_histogram(&d, 3, (double[]){1e-3, 2e-3, 0.2, 0.201}, (double[]){9999, 0, 1});
    assert_near(distribution_quantile(&d, 0.9999), 0.2, 1e-12);
    assert_near(distribution_quantile(&d, 0.99995), 0.2005, 1e-9);
    assert_near(distribution_mean(&d), 0.9999 * 1.5e-3 + 1e-4 * 0.2005, 1e-14);
    distribution_free(&d);
}

static void points_are_cut_at_zero_where_the_line_crosses(void **state)
{
    (void)state;
    /* From -1 at 0 to 3 at 1: zero at 1/4; mean = 3 * 0.75 / 2. */
    struct distribution d;
    distribution_points(&d, 2, (double[]){0, 1}, (double[]){-1, 3});
    assert_well_formed(&d);
    assert_int_equal(d.n, 3);
    assert_near(d.p[1], 0.25, 0);
    assert_near(d.average, 1.125, 1e-15);
    distribution_free(&d);

    distribution_points(&d, 4, (double[]){0, 0.25, 0.5, 1}, (double[]){-4, -2, -2, -1});
    assert_well_formed(&d);
    assert_true(distribution_is_constant(&d) && d.average == 0);
    distribution_free(&d);

    /* A jump over zero: flat 0 up to it. */
    distribution_points(&d, 4, (double[]){0, 0.5, 0.5, 1}, (double[]){-4, -2, 2, 2.5});
    assert_well_formed(&d);
    assert_near(distribution_quantile(&d, 0.5), 2, 0);
    assert_true(distribution_quantile(&d, 0.4999) == 0);
    assert_near(d.average, 1.125, 1e-15);
    distribution_free(&d);
}

/* The exact quantile by GSL, from the lower (k) or upper tail, k / 2^32 the probability. */
static double exact(enum law law, double a, double b, double k)
{
    double p = k / 4294967296.0, q = (4294967296.0 - k) / 4294967296.0;
    double sigma = sqrt(log1p(b / a * (b / a))), mu = log(a) - sigma * sigma / 2;
    bool lower = p < 0.5;
    switch (law) {
    case LAW_normal: return a + (lower ? gsl_cdf_gaussian_Pinv(p, b) : gsl_cdf_gaussian_Qinv(q, b));
    case LAW_lognormal: return lower ? gsl_cdf_lognormal_Pinv(p, mu, sigma) : gsl_cdf_lognormal_Qinv(q, mu, sigma);
    case LAW_gamma: return lower ? gsl_cdf_gamma_Pinv(p, a, b) : gsl_cdf_gamma_Qinv(q, a, b);
    case LAW_weibull: return lower ? gsl_cdf_weibull_Pinv(p, b, a) : gsl_cdf_weibull_Qinv(q, b, a);
    case LAW_exponential: return lower ? gsl_cdf_exponential_Pinv(p, a) : gsl_cdf_exponential_Qinv(q, a);
    case LAW_uniform: return a + (b - a) * p;
    }
    return NAN;
}

static const struct {
    enum law law;
    double a, b, mean, sd;
} laws[] = {
    {LAW_normal, 2.385, 0.31, 2.385, 0.31},
    {LAW_normal, 1e-4, 9e-5, 1e-4, 9e-5}, /* a seventh is cut */
    {LAW_lognormal, 98.5e-6, 20e-6, 98.5e-6, 20e-6},
    {LAW_lognormal, 1, 7, 1, 7}, /* a heavy tail */
    {LAW_gamma, 2.5, 3e-3, 7.5e-3, 0.0047434164902525689},
    {LAW_gamma, 0.3, 2, 0.6, 1.0954451150103322},
    {LAW_weibull, 1.7, 4e-6, 3.5689799e-6, 2.1628e-6},
    {LAW_weibull, 0.5, 1, 2, 4.47213595499958},
    {LAW_exponential, 0.013, 0, 0.013, 0.013},
    {LAW_uniform, 3, 5.5, 4.25, 0.72168783648703227},
};
enum { LAWS = sizeof laws / sizeof *laws };

static void laws_are_within_a_ten_thousandth_of_sd(void **state)
{
    (void)state;
    for (int i = 0; i < LAWS; i++) {
        struct distribution d;
        distribution_law(&d, laws[i].law, laws[i].a, laws[i].b, 0);
        assert_well_formed(&d);
        assert_true(d.n < 20000);
        double worst = 0, worst_k = 0, k = 0.5;
        /* The middle of every word near the ends, then ever larger steps, mirrored for the upper tail. */
        for (int step = 0; step < 4000; step++, k = k < 200 ? k + 1 : floor(k * 1.0047) + 0.5)
            for (int upper = 0; upper < 2 && k < 2147483648.0; upper++) {
                double at = upper ? 4294967296.0 - k : k;
                double error = fabs(distribution_quantile(&d, at / 4294967296.0) -
                                    fmax(0, exact(laws[i].law, laws[i].a, laws[i].b, at)));
                if (error > worst) {
                    worst = error;
                    worst_k = at;
                }
            }
        if (worst > 1e-4 * laws[i].sd)
            fail_msg("law %d: off by %g sd at %.1f words, %zu points", i, worst / laws[i].sd, worst_k, d.n);
        distribution_free(&d);
    }
}

static void averages_of_laws_are_exact(void **state)
{
    (void)state;
    for (int i = 0; i < LAWS; i++) {
        struct distribution d;
        if (i == 1)
            continue; /* cut: below */
        distribution_law(&d, laws[i].law, laws[i].a, laws[i].b, 0);
        assert_near(d.average, laws[i].mean, i == 6 ? 1e-4 : 1e-9);
        assert_near(distribution_mean(&d), d.average, 1e-4 * laws[i].sd / laws[i].mean);
        distribution_free(&d);
        distribution_law(&d, laws[i].law, laws[i].a, laws[i].b, 10);
        assert_near(d.average, laws[i].mean + 10, 1e-4);
        distribution_free(&d);
    }
}

/* E[max(0, X + shift)] against the integral of the fine table of the uncut law, which closed forms know nothing of. */
static void averages_after_cutting_agree_with_an_integral(void **state)
{
    (void)state;
    for (int i = 0; i < LAWS; i++) {
        double shift = -0.8 * laws[i].mean;
        struct distribution d;
        distribution_law(&d, laws[i].law, laws[i].a, laws[i].b, shift);
        assert_well_formed(&d);
        long double sum = 0;
        enum { STEPS = 40000 }; /* over the octaves of the upper tail */
        double high = 1;
        for (int octave = 0; octave < 32; octave++, high /= 2)
            for (int step = 0; step < STEPS / 32; step++) {
                double q = high * (1 - (step + 0.5) / (STEPS / 32) / 2);
                double t = exact(laws[i].law, laws[i].a, laws[i].b, (1 - q) * 4294967296.0) + shift;
                sum += fmax(0, t) * (high / 2 / (STEPS / 32));
            }
        assert_near(d.average, (double)sum, i == 3 || i == 7 ? 1e-4 : 1e-6);
        assert_near(distribution_mean(&d), d.average, 2e-4 * laws[i].sd / d.average);
        distribution_free(&d);
    }
}

static void minimum_of_laws(void **state)
{
    (void)state;
    struct distribution d;
    distribution_law(&d, LAW_gamma, 2, 3, 0.25);
    assert_near(d.minimum, 0.25, 0);
    distribution_free(&d);
    distribution_law(&d, LAW_normal, 9, 1, 0);
    assert_true(d.minimum == 0);
    distribution_free(&d);
    distribution_law(&d, LAW_uniform, 2.5, 3, -1);
    assert_near(d.minimum, 1.5, 0);
    distribution_free(&d);
    distribution_law(&d, LAW_exponential, 2, 0, -5);
    assert_true(d.minimum == 0);
    assert_near(d.average, 2 * exp(-2.5), 1e-12);
    distribution_free(&d);
}

static void degenerate_laws_are_constants(void **state)
{
    (void)state;
    struct distribution d;
    distribution_law(&d, LAW_normal, 2.385, 0, 0.1);
    assert_true(distribution_is_constant(&d));
    assert_near(d.average, 2.485, 1e-15);
    distribution_free(&d);
    distribution_law(&d, LAW_lognormal, 2.385, 0, 0);
    assert_true(distribution_is_constant(&d) && d.average == 2.385);
    distribution_free(&d);
    distribution_law(&d, LAW_uniform, 1.5, 1.5, 0);
    assert_true(distribution_is_constant(&d));
    distribution_free(&d);
    distribution_law(&d, LAW_normal, -50, 1, 0); /* never above zero */
    assert_well_formed(&d);
    assert_true(distribution_quantile(&d, 0.999) == 0);
    distribution_free(&d);
    distribution_law(&d, LAW_uniform, -2, -1, 0);
    assert_true(distribution_is_constant(&d) && d.average == 0);
    distribution_free(&d);
}

/* Shapes at which library inverses give up must still give a table. */
static void extreme_shapes_give_tables(void **state)
{
    (void)state;
    static const double shapes[] = {1e-6, 1e-3, 0.05, 1, 40, 1e4, 1e5};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        struct distribution d;
        distribution_law(&d, LAW_gamma, shapes[i], 2, 0);
        assert_well_formed(&d);
        assert_near(distribution_mean(&d), 2 * shapes[i], 1e-4 * fmax(1, 1 / sqrt(shapes[i])));
        distribution_free(&d);
        if (shapes[i] >= 0.05) {
            distribution_law(&d, LAW_weibull, shapes[i], 2, 0);
            assert_well_formed(&d);
            assert_true(isfinite(d.average) && d.n < 30000);
            distribution_free(&d);
        }
    }
}

static void impossible_parameters_are_named(void **state)
{
    (void)state;
    assert_string_equal(distribution_law_problem(LAW_normal, 1, -0.5), "sd must be at least 0");
    assert_string_equal(distribution_law_problem(LAW_lognormal, 0, 1), "mean must be above 0");
    assert_string_equal(distribution_law_problem(LAW_lognormal, 1, -1), "sd must be at least 0");
    assert_string_equal(distribution_law_problem(LAW_lognormal, 1, 2e6), "sd must be at most 1e6 times the mean");
    assert_string_equal(distribution_law_problem(LAW_gamma, 0, 1), "shape must be above 0");
    assert_string_equal(distribution_law_problem(LAW_gamma, 1e10, 1), "shape must be at most 1e5");
    assert_string_equal(distribution_law_problem(LAW_gamma, 1, 0), "scale must be above 0");
    assert_string_equal(distribution_law_problem(LAW_weibull, 0.01, 1), "shape must be at least 0.05");
    assert_string_equal(distribution_law_problem(LAW_weibull, 1, -1), "scale must be above 0");
    assert_string_equal(distribution_law_problem(LAW_exponential, -1, 0), "mean must be at least 0");
    assert_string_equal(distribution_law_problem(LAW_uniform, 2, 1), "high must be at least low");
    assert_string_equal(distribution_law_problem(LAW_uniform, 2, NAN), "the parameters must be finite numbers");
    assert_null(distribution_law_problem(LAW_exponential, 2.385, NAN));
    assert_null(distribution_law_problem(LAW_normal, -2.385, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constant_is_everywhere),
        cmocka_unit_test(histogram_keeps_bins_and_jumps),
        cmocka_unit_test(histogram_ends_are_the_first_and_last_filled_bin),
        cmocka_unit_test(tail_bin_keeps_place_and_weight),
        cmocka_unit_test(points_are_cut_at_zero_where_the_line_crosses),
        cmocka_unit_test(laws_are_within_a_ten_thousandth_of_sd),
        cmocka_unit_test(averages_of_laws_are_exact),
        cmocka_unit_test(averages_after_cutting_agree_with_an_integral),
        cmocka_unit_test(minimum_of_laws),
        cmocka_unit_test(degenerate_laws_are_constants),
        cmocka_unit_test(extreme_shapes_give_tables),
        cmocka_unit_test(impossible_parameters_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
