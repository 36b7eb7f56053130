#include "estimate/analytical/surface_fit.h"

#include "estimate/tests/simulated.h"
#include "models/escalation.h"

enum { COUNTS = 8, SIZES = 12, LEVELS = 3, POINTS = COUNTS * SIZES, OPERATIONS = 200 };
static const struct surface_shape shape = {2, 3, 3, 5};

/* Invented: in the shape that the paper describes, lower levels giving way to higher ones. */
static double truth(int level, int n, double M)
{
    double x = (n - 3) / 13.0, y = (M - 4000) / 60000;
    return level == 0 ? 0.6 * x * (1 - y) * (1 - y) : level == 1 ? 0.9 * x * y * (1 - y) : 0.8 * x * x * y * y;
}

/* operations: of each point; drawn, or (NULL) the expected numbers. */
static void points_make(gsl_rng *random, struct frequency points[POINTS], double counts[POINTS][LEVELS])
{
    for (int i = 0; i < POINTS; i++) {
        points[i] = (struct frequency){3 + 13 * (i / SIZES) / (COUNTS - 1), 4000 + 60000.0 * (i % SIZES) / (SIZES - 1),
                                       OPERATIONS, counts[i]};
        for (int l = 0; l < LEVELS; l++)
            counts[i][l] = random ? 0 : OPERATIONS * truth(l, points[i].numprocs, points[i].bytes);
        for (int k = 0; random && k < OPERATIONS; k++) {
            double u = gsl_rng_uniform(random);
            for (int l = 0; l < LEVELS; u -= truth(l++, points[i].numprocs, points[i].bytes))
                if (u >= 0 && u < truth(l, points[i].numprocs, points[i].bytes))
                    counts[i][l]++;
        }
    }
}

static void surfaces_end(struct machine_surface surfaces[LEVELS])
{
    for (int l = 0; l < LEVELS; l++)
        machine_surface_free(&surfaces[l]);
}

/* In [0, 1], and together at most 1, wherever one looks. */
static void assert_probabilities(const struct machine_surface surfaces[], int n_levels)
{
    for (double n = 2; n < 20; n += 0.37)
        for (double M = 0; M < 80000; M += 1370) {
            double sum = 0;
            for (int l = 0; l < n_levels; l++) {
                double p = surface_at(&surfaces[l], n, M);
                assert_true(p >= 0 && p <= 1);
                sum += p;
            }
            assert_true(sum <= 1 + 1e-12);
        }
}

/* Polynomials of the splines' own degree come back, where no bound acts, as far as the penalty lets them. */
static void expected_frequencies_come_back(void **state)
{
    (void)state;
    static double counts[POINTS][LEVELS];
    struct frequency points[POINTS];
    struct machine_surface surfaces[LEVELS];
    points_make(NULL, points, counts);
    surface_fit(POINTS, points, LEVELS, &shape, surfaces);
    for (int i = 0; i < POINTS; i++)
        for (int l = 0; l < LEVELS; l++) {
            double p = truth(l, points[i].numprocs, points[i].bytes);
            double found = surface_at(&surfaces[l], points[i].numprocs, points[i].bytes);
            if (!(fabs(found - p) < 3e-3))
                fail_msg("level %d, %d processes, %g bytes: %g, truth %g", l, points[i].numprocs, points[i].bytes,
                         found, p);
        }
    assert_probabilities(surfaces, LEVELS);
    surfaces_end(surfaces);
}

/* Of 200 operations at each point the fitted probability is nearer to the truth than the frequency is, by half and more
 * in the mean of squares; and between points, too. */
static void drawn_frequencies_are_smoothed(void **state)
{
    (void)state;
    static double counts[POINTS][LEVELS];
    struct frequency points[POINTS];
    struct machine_surface surfaces[LEVELS];
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    points_make(random, points, counts);
    surface_fit(POINTS, points, LEVELS, &shape, surfaces);
    double fitted = 0, drawn = 0;
    for (int i = 0; i < POINTS; i++)
        for (int l = 0; l < LEVELS; l++) {
            double p = truth(l, points[i].numprocs, points[i].bytes);
            fitted += pow(surface_at(&surfaces[l], points[i].numprocs, points[i].bytes) - p, 2);
            drawn += pow(counts[i][l] / OPERATIONS - p, 2);
        }
    if (!(fitted < 0.5 * drawn))
        fail_msg("mean squares: fitted %g, drawn %g", fitted / POINTS / LEVELS, drawn / POINTS / LEVELS);
    for (double M = 5000; M < 62000; M += 1777)
        for (int l = 0; l < LEVELS; l++)
            assert_true(fabs(surface_at(&surfaces[l], 11, M) - truth(l, 11, M)) < 0.04);
    assert_probabilities(surfaces, LEVELS);
    surfaces_end(surfaces);
    gsl_rng_free(random);
}

/* Steps from 0 to 1 would make a spline overshoot. */
static void bounds_hold_at_steps(void **state)
{
    (void)state;
    static double counts[POINTS][LEVELS];
    struct frequency points[POINTS];
    struct machine_surface surfaces[LEVELS];
    points_make(NULL, points, counts);
    for (int i = 0; i < POINTS; i++)
        for (int l = 0; l < LEVELS; l++)
            counts[i][l] = l == (i / 2) % 4 ? OPERATIONS : 0;
    surface_fit(POINTS, points, LEVELS, &shape, surfaces);
    assert_probabilities(surfaces, LEVELS);
    surfaces_end(surfaces);
}

/* Of 40 operations at each point, with a knot at each: of the intervals at points 95 in 100 and more hold the truth (Clopper and
 * Pearson's are wide), none is far wider, and the surface lies in them everywhere. */
static void intervals_hold_the_truth(void **state)
{
    (void)state;
    enum { DRAWN = 40 };
    static double counts[POINTS][LEVELS];
    static const struct surface_shape straight = {1, 1, 64, 64};
    struct frequency points[POINTS];
    struct machine_surface surfaces[LEVELS];
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    points_make(random, points, counts);
    int inside = 0;
    for (int i = 0; i < POINTS; i++) {
        points[i].operations = DRAWN;
        for (int l = 0; l < LEVELS; l++)
            counts[i][l] = gsl_ran_binomial(random, truth(l, points[i].numprocs, points[i].bytes), DRAWN);
    }
    surface_fit(POINTS, points, LEVELS, &straight, surfaces);
    for (int i = 0; i < POINTS; i++)
        for (int l = 0; l < LEVELS; l++) {
            double low, high, ends[2], p = truth(l, points[i].numprocs, points[i].bytes);
            assert_true(surface_interval(&surfaces[l], points[i].numprocs, points[i].bytes, &low, &high));
            frequency_interval(counts[i][l], DRAWN, SURFACE_CONFIDENCE, &ends[0], &ends[1]);
            inside += low <= p && p <= high;
            if (!(fabs(low - ends[0]) < 0.03 && fabs(high - ends[1]) < 0.03))
                fail_msg("level %d, %d processes, %g bytes: %g to %g, the point's %g to %g", l, points[i].numprocs,
                         points[i].bytes, low, high, ends[0], ends[1]);
        }
    for (double n = 2; n < 20; n += 0.37)
        for (double M = 0; M < 80000; M += 1370)
            for (int l = 0; l < LEVELS; l++) {
                double low, high, p = surface_at(&surfaces[l], n, M);
                surface_interval(&surfaces[l], n, M, &low, &high);
                assert_true(low >= 0 && low <= p && p <= high && high <= 1);
            }
    if (inside < 0.95 * POINTS * LEVELS)
        fail_msg("%d of %d intervals hold the truth", inside, POINTS * LEVELS);
    surfaces_end(surfaces);
    gsl_rng_free(random);
}

/* One number of processes, two sizes: a line in bytes, and nothing else to fit. */
static void few_points_make_simple_surfaces(void **state)
{
    (void)state;
    static const double counts[] = {20, 60};
    struct frequency points[] = {{4, 1000, 100, &counts[0]}, {4, 3000, 100, &counts[1]}};
    struct machine_surface surface;
    surface_fit(2, points, 1, &shape, &surface);
    assert_int_equal(surface.degree_numprocs, 0);
    assert_int_equal(surface.degree_bytes, 1);
    assert_true(fabs(surface_at(&surface, 4, 2000) - 0.4) < 1e-6 && fabs(surface_at(&surface, 9, 3000) - 0.6) < 1e-6);
    machine_surface_free(&surface);
}

/* 7 of 20: 0.1539 to 0.5922 (Clopper, Pearson; R's binom.test). */
static void intervals_and_limits(void **state)
{
    (void)state;
    double low, high, M1, Mc;
    frequency_interval(7, 20, 0.95, &low, &high);
    assert_true(fabs(low - 0.1539092) < 1e-6 && fabs(high - 0.5921885) < 1e-6);
    frequency_interval(0, 20, 0.95, &low, &high);
    assert_true(low == 0 && fabs(high - (1 - pow(0.025, 0.05))) < 1e-9);
    frequency_interval(20, 20, 0.95, &low, &high);
    assert_true(high == 1 && fabs(low - pow(0.025, 0.05)) < 1e-9);
    static const double counts[][2] = {{0, 0}, {1, 0}, {6, 4}, {9, 0}, {0, 10}, {10, 0}, {0, 0}};
    struct frequency points[7];
    for (int i = 0; i < 7; i++)
        points[i] = (struct frequency){8, 1000.0 * (i + 1), 10, counts[i]};
    escalation_limits(7, points, 2, 8, 6000, &M1, &Mc);
    assert_true(M1 == 2000 && Mc == 5000);
    escalation_limits(7, points, 2, 8, 7000, &M1, &Mc);
    assert_true(M1 == 2000 && isinf(Mc));
    escalation_limits(7, points, 2, 4, 7000, &M1, &Mc);
    assert_true(isinf(M1) && isinf(Mc));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expected_frequencies_come_back),
        cmocka_unit_test(drawn_frequencies_are_smoothed),
        cmocka_unit_test(bounds_hold_at_steps),
        cmocka_unit_test(intervals_hold_the_truth),
        cmocka_unit_test(few_points_make_simple_surfaces),
        cmocka_unit_test(intervals_and_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
