#include "models/escalation.h"

#include "common/tests/said.h"
#include "models/bspline.h"

#include <gsl/gsl_bspline.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void assert_near(double found, double expected)
{
    if (!(fabs(found - expected) <= 1e-13))
        fail_msg("found %.17g, expected %.17g", found, expected);
}

/* GSL's basis on clamped knots, everywhere between them and at both ends. */
static void bases_are_gsls(void **state)
{
    (void)state;
    static const double breaks[] = {0, 1, 1.5, 4, 7};
    gsl_vector_const_view view = gsl_vector_const_view_array(breaks, 5);
    for (int degree = 0; degree <= 5; degree++) {
        gsl_bspline_workspace *w = gsl_bspline_alloc((size_t)degree + 1, 5);
        gsl_vector *all = gsl_vector_alloc(gsl_bspline_ncoeffs(w));
        gsl_bspline_knots(&view.vector, w);
        for (double x = 0; x <= 7; x += 0.125) {
            double value[BSPLINE_DEGREE_MOST + 1], sum = 0;
            gsl_bspline_eval(x, all, w);
            size_t first = bspline_basis(w->knots->size, w->knots->data, degree, x, value);
            for (size_t i = 0; i < all->size; i++) {
                bool within = i >= first && i <= first + (size_t)degree;
                assert_near(within ? value[i - first] : 0, gsl_vector_get(all, i));
                sum += within ? value[i - first] : 0;
            }
            assert_near(sum, 1);
        }
        gsl_vector_free(all);
        gsl_bspline_free(w);
    }
}

/* Linear in both directions; at the edge beyond it. */
static void grids_and_splines(void **state)
{
    (void)state;
    double n[] = {2, 4, 8}, M[] = {0, 100}, p[] = {0, 1, 0.2, 0.4, 0.6, 0.8};
    struct machine_surface grid = {.n_numprocs = 3, .n_bytes = 2, .numprocs = n, .bytes = M, .p = p};
    assert_near(surface_at(&grid, 3, 50), 0.4);
    assert_near(surface_at(&grid, 8, 25), 0.65);
    assert_near(surface_at(&grid, 6, 100), 0.6);
    assert_near(surface_at(&grid, 1, -5), 0);
    assert_near(surface_at(&grid, 100, 1000), 0.8);
    double one[] = {7};
    struct machine_surface line = {.n_numprocs = 1, .n_bytes = 2, .numprocs = one, .bytes = M, .p = p};
    assert_near(surface_at(&line, 3, 50), 0.5);
    /* 5 - n + 2 M, of degree 1 by its values at the knots; 2 of degree 2 in bytes by Greville's abscissas */
    double kn[] = {0, 0, 4, 4}, kM[] = {0, 0, 0, 6, 6, 6}, c[] = {5, 11, 17, 1, 7, 13};
    struct machine_surface spline = {.is_spline = true, .n_numprocs = 4, .n_bytes = 6, .numprocs = kn, .bytes = kM,
                                     .degree_numprocs = 1, .degree_bytes = 2, .coefficients = c, .n_coefficients = 6};
    assert_near(surface_at(&spline, 1, 2.5), 9);
    assert_near(surface_at(&spline, 9, 9), 13);
    double low, high, lows[] = {0, 0.5, 0.1, 0.3, 0.2, 0.6}, highs[] = {0.4, 1, 0.5, 0.7, 0.8, 0.9};
    assert_false(surface_interval(&grid, 3, 50, &low, &high));
    grid.low = lows, grid.high = highs;
    assert_true(surface_interval(&grid, 3, 50, &low, &high));
    assert_near(low, (0.25 + 0.2) / 2);
    assert_near(high, (0.7 + 0.6) / 2);
    double flat[] = {0.25, 0.25, 0.25, 0.25, 0.25, 0.25};
    spline.low = flat, spline.high = lows;
    assert_true(surface_interval(&spline, 1, 2.5, &low, &high));
    assert_near(low, 0.25);
    assert_near(high, 0.75 * (0.5 * 70 + 0.1 * 25) / 144 + 0.25 * (0.3 * 49 + 0.2 * 70 + 0.6 * 25) / 144);
    double below[] = {-1, -1, -1, -1, -1, -1}; /* what no probability is */
    spline.low = below, spline.high = c;
    assert_true(surface_interval(&spline, 1, 2.5, &low, &high));
    assert_true(low == 0 && high == 1);
}

/* One level of three, p = 0.5, 0.9 and -0.2 at any point; M1 = 100, M2 = 1000, Mc = 600. */
struct scene {
    double levels[3], one[1], p[3][1], M1[2], M1_bytes[2], Mc[1], Mc_bytes[1];
    struct machine_surface surfaces[3];
    struct machine_lmo lmo;
};

static void scene_init(struct scene *s)
{
    *s = (struct scene){.levels = {0.04, 0.2, 0.25}, .one = {1}, .p = {{0.5}, {0.9}, {-0.2}}, .M1 = {2, 4},
                        .M1_bytes = {100, 300}, .Mc = {2}, .Mc_bytes = {600}};
    for (int i = 0; i < 3; i++)
        s->surfaces[i] = (struct machine_surface){.n_numprocs = 1, .n_bytes = 1, .numprocs = s->one, .bytes = s->one,
                                                  .p = s->p[i]};
    s->lmo = (struct machine_lmo){.n_levels = 3, .levels = s->levels, .M1 = {2, s->M1, s->M1_bytes}, .M2 = 1000,
                                  .Mc = {1, s->Mc, s->Mc_bytes}, .probability = s->surfaces};
}

static void probabilities_by_the_rules(void **state)
{
    (void)state;
    struct scene s;
    double p[3];
    scene_init(&s);
    assert_false(escalation_probabilities(&s.lmo, 3, 199, p)); /* M1(3) = 200 */
    assert_near(p[0] + p[1] + p[2], 0);
    assert_false(escalation_probabilities(&s.lmo, 3, 1001, p));
    assert_true(escalation_probabilities(&s.lmo, 3, 200, p)); /* over 1 together */
    assert_near(p[0], 0.5 / 1.4);
    assert_near(p[1], 0.9 / 1.4);
    assert_near(p[2], 0);
    s.p[1][0] = 0.1;
    escalation_probabilities(&s.lmo, 3, 599, p);
    assert_near(p[0], 0.5);
    escalation_probabilities(&s.lmo, 3, 600, p); /* from Mc on all */
    assert_near(p[0], 0.5 / 0.6);
    assert_near(p[1], 0.1 / 0.6);
    s.p[0][0] = s.p[1][0] = 0;
    assert_false(escalation_probabilities(&s.lmo, 3, 599, p));
    assert_true(escalation_probabilities(&s.lmo, 3, 1000, p));
    assert_near(p[0], 1);
}

static void times_are_levels_or_linear(void **state)
{
    (void)state;
    struct scene s;
    struct distribution time;
    scene_init(&s);
    s.p[1][0] = 0.1;
    assert_true(escalation_time(&s.lmo, 3, 500, 0.001, BEFORE_unknown, &time));
    assert_near(distribution_quantile(&time, 0.39), 0.001);
    assert_near(distribution_quantile(&time, 0.41), 0.04);
    assert_near(distribution_quantile(&time, 0.91), 0.2);
    assert_near(time.average, 0.4 * 0.001 + 0.5 * 0.04 + 0.1 * 0.2);
    distribution_free(&time);
    assert_true(escalation_time(&s.lmo, 3, 500, 0.1, BEFORE_unknown, &time)); /* no sooner than without escalation */
    assert_near(distribution_quantile(&time, 0.8), 0.1);
    assert_near(distribution_quantile(&time, 0.95), 0.2);
    distribution_free(&time);
    s.lmo.levels_added = true;
    assert_true(escalation_time(&s.lmo, 3, 700, 0.1, BEFORE_unknown, &time)); /* all escalate */
    assert_near(time.minimum, 0.14);
    assert_near(distribution_quantile(&time, 0.99), 0.3);
    distribution_free(&time);
    assert_false(escalation_time(&s.lmo, 3, 10, 0.1, BEFORE_unknown, &time));
    s.lmo.probability = NULL;
    assert_false(escalation_time(&s.lmo, 3, 700, 0.1, BEFORE_unknown, &time));
}

/* How often one of p = 0.8 escalates after one that did, and after one that did not. */
static double share_after(struct scene *s, enum collective_before before)
{
    struct distribution time;
    assert_true(escalation_time(&s->lmo, 3, 500, 0.001, before, &time));
    const double to_first = (time.average - 0.001) / ((0.039 * 5 + 0.199 * 3) / 8); /* of the two levels 5 to 3, whatever came before */
    distribution_free(&time);
    return to_first;
}

static void one_hangs_on_the_one_before(void **state)
{
    (void)state;
    struct scene s;
    scene_init(&s);
    s.p[1][0] = 0.3;
    const double p = 0.8;
    static const double dependences[] = {0, 0.3, -0.2, -0.9}, taken[] = {0, 0.3, -0.2, -0.25}; /* -(1 - p) / p */
    for (int i = 0; i < 4; i++) {
        s.lmo.dependence = dependences[i];
        assert_near(share_after(&s, BEFORE_unknown), p);
        const double after = share_after(&s, BEFORE_longer), other = share_after(&s, BEFORE_as_ever);
        assert_near(after - other, taken[i]);
        assert_near(p * after + (1 - p) * other, p);
    }
    s.lmo.dependence = 0.3; /* 0.04 s do not show where 0.1 pass without: 0.3 of operations are longer, and 0.3 of all take the second level */
    double longer[N_BEFORE];
    for (int before = BEFORE_as_ever; before < N_BEFORE; before++) {
        struct distribution taken_then;
        assert_true(escalation_time(&s.lmo, 3, 500, 0.1, (enum collective_before)before, &taken_then));
        longer[before] = (taken_then.average - 0.1) / 0.1;
        distribution_free(&taken_then);
    }
    assert_true(longer[BEFORE_longer] > longer[BEFORE_as_ever]);
    assert_near(0.3 * longer[BEFORE_longer] + 0.7 * longer[BEFORE_as_ever], 0.3);
    s.lmo.dependence = -0.5; /* all escalate: nothing to hang on */
    struct distribution time;
    assert_true(escalation_time(&s.lmo, 3, 700, 0.001, BEFORE_longer, &time));
    assert_near(time.minimum, 0.04);
    distribution_free(&time);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bases_are_gsls),
        cmocka_unit_test(grids_and_splines),
        cmocka_unit_test(probabilities_by_the_rules),
        cmocka_unit_test(times_are_levels_or_linear),
        cmocka_unit_test(one_hangs_on_the_one_before),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
