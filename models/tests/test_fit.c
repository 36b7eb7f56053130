#include "models/fit.h"

#include "common/alloc.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Bins of 1 % of the time between the least and the greatest sample, empty ones in a row made into one: as pevpm-bench
 * writes them. */
struct binned {
    struct fit_bins bins;
    double *edges, *counts;
};

static int by_value(const void *a, const void *b)
{
    return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

static struct binned bin(double samples[], size_t n)
{
    struct binned made = {.edges = alloc_array(2 * n + 2, sizeof(double)),
                          .counts = alloc_zeroed(2 * n + 1, sizeof(double))};
    qsort(samples, n, sizeof *samples, by_value);
    size_t bins = 0;
    made.edges[0] = samples[0];
    for (size_t i = 0; i < n; i++) {
        double low = pow(1.01, floor(log(samples[i]) / log(1.01))), high = low * 1.01;
        if (bins > 0 && samples[i] < made.edges[bins]) {
            made.counts[bins - 1]++;
            continue;
        }
        if (bins > 0 && low > made.edges[bins] * 1.001) /* a gap */
            made.edges[++bins] = low;
        made.edges[++bins] = high;
        made.counts[bins - 1] = 1;
    }
    made.edges[bins] = fmax(samples[n - 1] * (1 + 1e-9), made.edges[bins - 1] * (1 + 1e-9));
    made.bins = (struct fit_bins){bins, made.edges, made.counts};
    return made;
}

static void binned_free(struct binned *binned)
{
    free(binned->edges);
    free(binned->counts);
}

static double draw(gsl_rng *random, enum law law, double a, double b, double shift)
{
    double sigma = sqrt(log1p(b / a * (b / a)));
    switch (law) {
    case LAW_lognormal: return shift + gsl_ran_lognormal(random, log(a) - sigma * sigma / 2, sigma);
    case LAW_gamma: return shift + gsl_ran_gamma(random, a, b);
    case LAW_weibull: return shift + gsl_ran_weibull(random, b, a);
    case LAW_exponential: return shift + gsl_ran_exponential(random, a);
    case LAW_normal: return shift + a + gsl_ran_gaussian(random, b);
    case LAW_uniform: return shift + gsl_ran_flat(random, a, b);
    }
    return 0;
}

static struct binned sample(gsl_rng *random, size_t n, enum law law, double a, double b, double shift)
{
    double *samples = alloc_array(n, sizeof *samples);
    for (size_t i = 0; i < n; i++)
        samples[i] = draw(random, law, a, b, shift);
    struct binned made = bin(samples, n);
    free(samples);
    return made;
}

struct known {
    enum law law;
    double a, b, shift;
};
static const struct known knowns[] = {
    {LAW_lognormal, 41.3e-6, 23.85e-6, 98.5e-6}, {LAW_gamma, 2.385, 13.1e-6, 177.2e-6},
    {LAW_weibull, 1.73, 0.853e-3, 2.31e-3},      {LAW_exponential, 61.7e-6, 0, 211.9e-6},
    {LAW_normal, 5.674e-3, 0.2385e-3, 0},
};
enum { N_KNOWNS = sizeof knowns / sizeof *knowns };

/* 20,000 samples of a law give it back: its parameters to 10 %, and, in widths from the 16 % to the 84 % quantile, the
 * shift to 5 %, the mean to 1 %, all quantiles from 1 to 99 % to 4 %. */
static void test_recovers(void **state)
{
    (void)state;
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(random, 2385);
    for (int i = 0; i < N_KNOWNS; i++) {
        const struct known *known = &knowns[i];
        struct binned binned = sample(random, 20000, known->law, known->a, known->b, known->shift);
        struct fit fit, best;
        struct distribution truth, found;
        fit_law(&fit, known->law, &binned.bins);
        assert_int_equal(fit.verdict, FIT_good);
        distribution_law(&truth, known->law, known->a, known->b, known->shift);
        distribution_law(&found, fit.law, fit.a, fit.b, fit.shift);
        double width = distribution_quantile(&truth, 0.84) - distribution_quantile(&truth, 0.16);
        assert_true(fabs(fit.shift - known->shift) < 0.05 * width);
        assert_true(fabs(found.average - truth.average) < 0.01 * width);
        for (double p = 0.01; p < 0.995; p += 0.01)
            assert_true(fabs(distribution_quantile(&found, p) - distribution_quantile(&truth, p)) < 0.04 * width);
        assert_true(fabs(fit.a / known->a - 1) < 0.1);
        assert_true(known->b == 0 ? fit.b == 0 : fabs(fit.b / known->b - 1) < 0.1);
        assert_true(fit.ks < 0.01 && fit.chi2_p > 1e-4);
        fit_best(&best, &binned.bins);
        assert_int_equal(best.verdict, FIT_good);
        assert_true(best.aic <= fit.aic);
        distribution_free(&truth);
        distribution_free(&found);
        binned_free(&binned);
    }
    gsl_rng_free(random);
}

/* Of 60 times 400 samples of each law at most 2 are refused: of 1000, 0 to 14 were. The chi-square probabilities of
 * true laws are nearly uniform: of 60, 6 below 0.1 are expected, and more than 15 once in 2000 times. */
static void test_error_rate(void **state)
{
    (void)state;
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(random, 5674);
    for (int i = 0; i < N_KNOWNS; i++) {
        int refused = 0, unlikely = 0;
        for (int round = 0; round < 60; round++) {
            struct binned binned = sample(random, 400, knowns[i].law, knowns[i].a, knowns[i].b, knowns[i].shift);
            struct fit fit;
            fit_law(&fit, knowns[i].law, &binned.bins);
            refused += fit.verdict != FIT_good;
            unlikely += fit.chi2_p < 0.1;
            binned_free(&binned);
        }
        assert_in_range(refused, 0, 2);
        assert_in_range(unlikely, 0, 15);
    }
    gsl_rng_free(random);
}

/* What no single law can be: a body with 0.5 % of retransmissions at 200 ms, one retransmission in 40,000, two
 * peaks. */
static void test_refuses(void **state)
{
    (void)state;
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(random, 1789);
    enum { MOST = 40000 };
    double *samples = alloc_array(MOST, sizeof *samples);
    struct fit fit;
    for (size_t i = 0; i < 4000; i++)
        samples[i] = draw(random, LAW_gamma, 2.385, 13.1e-6, 177.2e-6) + (i < 20 ? 0.2 : 0);
    struct binned binned = bin(samples, 4000);
    fit_best(&fit, &binned.bins);
    assert_true(fit.verdict == FIT_tail || fit.verdict == FIT_shape);
    for (int law = 0; law < N_KNOWNS; law++) {
        fit_law(&fit, knowns[law].law, &binned.bins);
        assert_int_not_equal(fit.verdict, FIT_good);
    }
    binned_free(&binned);
    for (size_t i = 0; i < MOST; i++)
        samples[i] = draw(random, LAW_lognormal, 41.3e-6, 23.85e-6, 98.5e-6) + (i < 1 ? 0.2 : 0);
    binned = bin(samples, MOST);
    fit_best(&fit, &binned.bins);
    assert_int_equal(fit.verdict, FIT_tail);
    assert_true(fit.tail_measured > 2 * fit.tail_law && fit.tail_time < 0.21);
    binned_free(&binned);
    for (size_t i = 0; i < 1000; i++)
        samples[i] = draw(random, LAW_normal, i % 2 ? 1e-3 : 2e-3, 0.1e-3, 0);
    binned = bin(samples, 1000);
    fit_best(&fit, &binned.bins);
    assert_int_equal(fit.verdict, FIT_shape);
    assert_true(fit.ks > 0.05);
    binned_free(&binned);
    free(samples);
    gsl_rng_free(random);
}

/* Bins of an exponential law, but the last so wide that its middle, where the simulator puts its mean, is far out. */
static void test_mean(void **state)
{
    (void)state;
    const double edges[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6, 8, 40};
    double counts[9];
    for (int i = 0; i < 9; i++)
        counts[i] = round(1e5 * (exp(-edges[i] / 2) - (i < 8 ? exp(-edges[i + 1] / 2) : 0)));
    struct fit fit;
    fit_law(&fit, LAW_exponential, &(struct fit_bins){9, edges, counts});
    assert_int_equal(fit.verdict, FIT_mean);
    assert_true(fabs(fit.a - 2) < 0.02 && fit.ks < 0.005);
    assert_true(fit.mean_error < -0.05);
}

/* Too little to say anything, in the order of the checks. */
static void test_degenerate(void **state)
{
    (void)state;
    const double edges[] = {1e-3, 1.1e-3, 1.2e-3, 1.3e-3, 1.4e-3, 1.5e-3};
    const double one[] = {0, 500, 0, 0, 0}, two[] = {0, 250, 0, 250, 0}, four[] = {3, 250, 90, 7, 0};
    const double shares[] = {0.1, 0.3, 0.3, 0.2, 0.1}, five[] = {120, 170, 140, 60, 10};
    struct fit fit;
    fit_best(&fit, &(struct fit_bins){5, edges, one});
    assert_int_equal(fit.verdict, FIT_bins);
    assert_true(!fit_has_law(&fit) && fit.n == 500);
    fit_best(&fit, &(struct fit_bins){1, edges + 1, one + 1});
    assert_int_equal(fit.verdict, FIT_bins);
    fit_best(&fit, &(struct fit_bins){5, edges, two});
    assert_int_equal(fit.verdict, FIT_bins);
    fit_law(&fit, LAW_gamma, &(struct fit_bins){5, edges, four});
    assert_int_equal(fit.verdict, FIT_bins);
    fit_best(&fit, &(struct fit_bins){5, edges, four});
    assert_true(fit_has_law(&fit) && fit.parameters == 2);
    fit_best(&fit, &(struct fit_bins){5, edges, shares});
    assert_int_equal(fit.verdict, FIT_few);
    fit_best(&fit, &(struct fit_bins){5, edges, five});
    assert_true(fit_has_law(&fit) && isfinite(fit.a) && isfinite(fit.shift));
}

/* Laws that are written are laws that can be read, also where the best would lie at the border: steps, a heap at the
 * first edge, symmetry, a time of zero. */
static void test_borders(void **state)
{
    (void)state;
    const double edges[] = {0, 1e-6, 2e-6, 3e-6, 4e-6, 5e-6, 6e-6, 1, 2};
    const double heaps[][8] = {{100, 100, 100, 100, 100, 100, 0, 0}, {900, 30, 30, 20, 10, 5, 0, 0},
                               {1, 100, 400, 400, 100, 1, 0, 0},     {0, 1, 5, 50, 500, 4000, 0, 0},
                               {400, 1, 1, 1, 1, 1, 0, 1},           {1, 1, 1, 1, 1, 400, 0, 30}};
    for (size_t i = 0; i < sizeof heaps / sizeof *heaps; i++)
        for (int law = 0; law < N_KNOWNS; law++) {
            struct fit fit;
            fit_law(&fit, knowns[law].law, &(struct fit_bins){8, edges, heaps[i]});
            if (!fit_has_law(&fit))
                continue;
            assert_null(distribution_law_problem(fit.law, fit.a, fit.b));
            assert_true(fit.shift >= 0 && fit.shift <= 6e-6 && isfinite(fit.aic));
            assert_true(fit.ks >= 0 && fit.ks <= 1);
        }
}

static void test_texts(void **state)
{
    (void)state;
    assert_string_equal(fit_verdict_text(FIT_good), "good");
    assert_string_equal(fit_verdict_text(FIT_mean), "no: the mean differs");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_recovers),   cmocka_unit_test(test_error_rate), cmocka_unit_test(test_refuses),
        cmocka_unit_test(test_mean),       cmocka_unit_test(test_degenerate), cmocka_unit_test(test_borders),
        cmocka_unit_test(test_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
