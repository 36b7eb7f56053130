/* The model error from errors that are made up: always to one side, normal, with runs far off, of one kind only. */
#include "common/tests/share.h"
#include "engine/random.h"
#include "sim/model_error.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include <gsl/gsl_cdf.h>

/* What the header says of n runs that each need so many times the scale which the likelihood finds. */
static double factor_of(size_t n, double needed)
{
    double z = gsl_cdf_ugaussian_Pinv(0.95);
    return gsl_cdf_tdist_Pinv(0.95, (double)n - 2) / z * sqrt(gsl_cdf_tdist_Pinv(0.95, 4) / z * needed);
}

static double draw(uint64_t seed, size_t i)
{
    uint32_t word = random_word(seed, (uint32_t)i, 0, 0, STREAM_SERIAL);
    return gsl_cdf_ugaussian_Pinv((word + 0.5) / 4294967296.0);
}

/* Runs of 1 to 4 s; communication takes 10 to 90 % of them. */
static void points_make(size_t n, struct model_error_point points[])
{
    for (size_t i = 0; i < n; i++) {
        double seconds = 1 + (double)(i % 4), part = 0.1 + 0.1 * (double)(i % 9);
        points[i] = (struct model_error_point){.communication = seconds * part, .computation = seconds * (1 - part)};
    }
}

static void points_draw(size_t n, struct model_error_point points[], uint64_t seed, double communication,
                        double computation)
{
    points_make(n, points);
    for (size_t i = 0; i < n; i++)
        points[i].error = communication * points[i].communication * draw(seed, 2 * i) +
                          computation * points[i].computation * draw(seed, 2 * i + 1);
}

/* The figure by which the header divides: where the likelihood of t with 4 degrees has its maximum over normal errors,
 * which is where the mean of 5 x^2 / (4 s^2 + x^2) is 1. */
static void normal_errors_give_their_own_scale(void **state)
{
    (void)state;
    const double s = 0.8310034937777, step = 1e-3;
    double mean = 0;
    for (double x = -10; x < 10; x += step)
        mean += step * exp(-x * x / 2) / sqrt(2 * acos(-1)) * 5 * x * x / (4 * s * s + x * x);
    assert_true(fabs(mean - 1) < 1e-6);
    enum { N = 2000 };
    struct model_error_point points[N];
    points_draw(N, points, 7, 0.03, 0.004);
    struct machine_model_error found = model_error_estimate(N, points, true);
    double scale = s * factor_of(N, 1 / s); /* 1.04: the law of the header has the heavier tail */
    assert_int_equal(found.runs, N);
    assert_true(found.stretch == MODEL_ERROR_STRETCH);
    /* 2000 runs tell a scale to 2 % (one standard error) */
    assert_true(fabs(found.communication - scale * 0.03) < 0.1 * 0.03);
    assert_true(fabs(found.computation - scale * 0.004) < 0.25 * 0.004);
}

/* Runs that differ from one another, as predicted, are no fault of the model. */
static void what_is_known_is_not_found_again(void **state)
{
    (void)state;
    enum { N = 2000 };
    struct model_error_point points[N];
    points_draw(N, points, 7, 0.03, 0.004);
    for (size_t i = 0; i < N; i++) {
        points[i].known = 0.05 * points[i].communication;
        points[i].error += points[i].known * draw(11, i);
    }
    struct machine_model_error found = model_error_estimate(N, points, true);
    assert_true(fabs(found.communication - 0.03) < 0.15 * 0.03);
    assert_true(fabs(found.computation - 0.004) < 0.35 * 0.004);
}

/* Always 3 % too fast in communication and never wrong in computation. */
static void an_error_to_one_side_is_found(void **state)
{
    (void)state;
    enum { N = 28 };
    struct model_error_point points[N];
    points_make(N, points);
    for (size_t i = 0; i < N; i++)
        points[i].error = 0.03 * points[i].communication;
    struct machine_model_error found = model_error_estimate(N, points, true);
    double scale = factor_of(N, 1 / gsl_cdf_ugaussian_Pinv(0.95)); /* a little less: computations get their share */
    assert_true(found.communication < 1.01 * scale * 0.03 && found.communication > 0.8 * scale * 0.03);
    assert_true(found.computation < found.communication / 4);
    for (size_t i = 0; i < N; i++)
        points[i].error = -0.002 * points[i].computation;
    found = model_error_estimate(N, points, true);
    assert_true(found.computation < 1.3 * scale * 0.002 && found.computation > 0.5 * scale * 0.002);
    assert_true(found.communication < 0.006);
}

/* Where runs cannot tell, computations are an eighth as wrong as communication. */
static void runs_of_one_mixture_leave_the_expected_ratio(void **state)
{
    (void)state;
    enum { N = 28 };
    struct model_error_point points[N];
    for (size_t i = 0; i < N; i++)
        points[i] = (struct model_error_point){.error = i % 2 ? 0.03 : -0.03, .communication = 1, .computation = 1};
    struct machine_model_error found = model_error_estimate(N, points, true);
    assert_true(fabs(found.communication / found.computation / 8 - 1) < 0.05);
    assert_true(fabs(found.communication / 0.03 / factor_of(N, 1 / gsl_cdf_ugaussian_Pinv(0.95)) - 1) < 0.02);
}

/* Four of 60 runs are ten times as far off as any other. Under the normal law they would make it 2.7 times as much. */
static void a_few_far_off_change_little(void **state)
{
    (void)state;
    enum { N = 60 };
    struct model_error_point points[N];
    points_draw(N, points, 11, 0.03, 0);
    double without = model_error_estimate(N, points, true).communication;
    for (size_t i = 0; i < N; i += 15)
        points[i].error = 0.3 * points[i].communication;
    double with = model_error_estimate(N, points, true).communication;
    assert_true(with > without && with < 1.45 * without);
}

/* Where all predictions were right nothing is wrong; what says nothing of a part leaves it at 0; more than all is
 * cut. */
static void figures_stay_in_their_range(void **state)
{
    (void)state;
    enum { N = MODEL_ERROR_RUNS_LEAST };
    struct model_error_point points[N];
    points_make(N, points);
    struct machine_model_error found = model_error_estimate(N, points, true);
    assert_true(found.communication == 0 && found.computation == 0);
    for (size_t i = 0; i < N; i++)
        points[i] = (struct model_error_point){.error = 0.5, .computation = 10 * (double)(i > 0)};
    found = model_error_estimate(N, points, true);
    assert_true(found.computation > 0.05 && found.computation < 0.1);
    for (size_t i = 0; i < N; i++)
        points[i] = (struct model_error_point){.error = -40, .communication = 10};
    found = model_error_estimate(N, points, true);
    assert_true(found.communication == 1);
}

/* One in so many runs is off by a hundred times as much, 0: none is. */
static void points_spoil(size_t n, struct model_error_point points[], uint64_t seed, int one_in)
{
    for (size_t i = 0; one_in > 0 && i < n; i++)
        if (random_word(seed, (uint32_t)i, 0, 0, STREAM_PROBE) < UINT32_MAX / (uint32_t)one_in)
            points[i].error *= 100;
}

/* The part of further runs within the central 90 % interval that n runs gave, over 400 such sets. */
static double coverage(size_t n, int spoilt)
{
    enum { SETS = 400, FURTHER = 20, MOST = 56 };
    struct model_error_point points[MOST], further[FURTHER];
    size_t inside = 0;
    for (uint64_t set = 0; set < SETS; set++) {
        points_draw(n, points, 1000 + set, 0.003, 0.0002);
        points_draw(FURTHER, further, 5000 + set, 0.003, 0.0002);
        points_spoil(n, points, 1000 + set, spoilt);
        points_spoil(FURTHER, further, 5000 + set, spoilt);
        struct machine_model_error found = model_error_estimate(n, points, true);
        for (size_t i = 0; i < FURTHER; i++) {
            double sd = hypot(found.communication * further[i].communication,
                              found.computation * further[i].computation);
            inside += fabs(further[i].error) <= gsl_cdf_ugaussian_Pinv(0.95) * sd;
        }
    }
    return (double)inside / (SETS * FURTHER);
}

/* What the interval promises is kept also where it stands on few runs, whatever the law: the normal one; and one in five or
 * in twenty off by a hundred times as much, which is worse than what programs by chance have shown. The 400 sets are
 * fixed; with others the part would differ by about 0.01 (one standard deviation), so a right estimate misses these limits
 * for less than one choice of seeds in a hundred. */
static void nine_of_ten_further_runs_are_inside(void **state)
{
    (void)state;
    static const struct {
        size_t n;
        int spoilt;
        double least, most;
    } cases[] = {{5, 0, 0.87, 0.96}, {28, 0, 0.87, 0.95}, {28, 5, 0.82, 0.95}, {56, 20, 0.87, 0.97}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (!share_takes((int)i))
            continue;
        double part = coverage(cases[i].n, cases[i].spoilt);
        if (part < cases[i].least || part > cases[i].most)
            fail_msg("with %zu runs, one in %d far off, %.3f are inside", cases[i].n, cases[i].spoilt, part);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(normal_errors_give_their_own_scale),
        cmocka_unit_test(what_is_known_is_not_found_again),
        cmocka_unit_test(an_error_to_one_side_is_found),
        cmocka_unit_test(runs_of_one_mixture_leave_the_expected_ratio),
        cmocka_unit_test(a_few_far_off_change_little),
        cmocka_unit_test(figures_stay_in_their_range),
        cmocka_unit_test(nine_of_ten_further_runs_are_inside),
    };
    return cmocka_run_group_tests_name("model_error", tests, NULL, NULL);
}
