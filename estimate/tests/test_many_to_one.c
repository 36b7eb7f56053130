/* Linear Scatter and Gather of a machine that is known: what is found of it. */
#include "estimate/analytical/many_to_one.h"

#include "common/alloc.h"
#include "estimate/analytical/lmo_fit.h"
#include "models/escalation.h"

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

enum { NODES = 16, COUNTS = 3, SIZES = 22, POINTS = COUNTS * SIZES, REPETITIONS = 100, LEVELS = 2 };
static const int counts[COUNTS] = {4, 8, 16};
static const double C = 40e-6, t = 0.83e-6, inverse_beta = -0.6e-6; /* a port limits them */
static const double level[LEVELS] = {1.24, 2.61};
static const double S = 57344, M2 = 65536;

/* One machine. */
struct truth {
    bool escalates, leaps;    /* a Scatter at S, a Gather at M2 */
    double kappa1, kappa2;
    double noise;             /* of each time */
    double offset, C, t;      /* beyond the formula; of each message the latter two */
    double lower;             /* what levels are less by, of `level` */
    double dependence;        /* of one on the one before */
};

static double byte_time(bool all, int n)
{
    return (n - 1) * t + (all ? n - 1 : 1) * (t + inverse_beta);
}

static double linear_time(const struct truth *m, bool gather, int n, double bytes)
{
    bool large = m->leaps && bytes > (gather ? M2 : S);
    double kappa = gather ? large ? m->kappa2 : m->kappa1 : 0;
    double beyond = m->offset + (n - 1) * (m->C + m->t * bytes);
    return (n - 1) * C + (large ? n - 1 : 1) * C + bytes * (byte_time(large, n) + kappa) + beyond;
}

static double M1_of(int n)
{
    return n == 4 ? 1e9 : n == 8 ? 20480 : 4096;
}

/* The first level gives way to the second; from 32768 bytes on all of 16 processes escalate. */
static double probability(int l, int n, double bytes)
{
    if (bytes < M1_of(n) || bytes > M2)
        return 0;
    double all = n == 16 ? fmin(1, 0.4 + 0.6 * bytes / 32768) : 0.3, second = bytes / M2;
    return all * (l == 0 ? 1 - second : second);
}

/* *escalated: whether the one before did, then whether this one does; below 0: there was none. */
static double drawn_time(const struct truth *m, bool gather, int n, double bytes, int *escalated, gsl_rng *random)
{
    double linear = linear_time(m, gather, n, bytes), time = linear, all = 0;
    for (int l = 0; l < LEVELS; l++)
        all += probability(l, n, bytes);
    const double after = *escalated < 0 || all == 0 || all == 1 ? all : all + m->dependence * (*escalated ? 1 - all : -all);
    double u = gsl_rng_uniform(random) / (all > 0 ? after / all : 1);
    *escalated = gather && m->escalates && u < all;
    for (int l = 0; l < LEVELS && gather && m->escalates; u -= probability(l++, n, bytes))
        if (u >= 0 && u < probability(l, n, bytes))
            time = fmax(linear, (1 - m->lower) * level[l]);
    return time * (1 + m->noise * gsl_ran_gaussian_ziggurat(random, 1));
}

struct scene {
    struct truth truth;
    gsl_rng *random;
    double parameters[(NODES * (NODES + 3)) / 2];
    size_t n_scatters, n_gathers;
    struct flat_point scatters[POINTS], gathers[POINTS + 40];
    struct many_to_one found;
};

static struct flat_point point_make(struct scene *s, bool gather, int n, double bytes, size_t repetitions)
{
    double *times = alloc_array(repetitions, sizeof *times);
    bool *follows = alloc_array(repetitions, sizeof *follows);
    int escalated = -1;
    for (size_t r = 0; r < repetitions; r++) {
        follows[r] = r % 6 > 0; /* as pevpm-estimate measures six in a row */
        escalated = follows[r] ? escalated : -1;
        times[r] = drawn_time(&s->truth, gather, n, bytes, &escalated, s->random);
    }
    return (struct flat_point){n, bytes, {repetitions, times}, follows};
}

static void scene_open(struct scene *s, struct truth truth, size_t repetitions)
{
    *s = (struct scene){.truth = truth, .random = gsl_rng_alloc(gsl_rng_mt19937)};
    for (size_t i = 0; i < NODES; i++) {
        s->parameters[lmo_parameter_C(NODES, i)] = C;
        s->parameters[lmo_parameter_t(NODES, i)] = t;
        for (size_t j = 0; j < i; j++)
            s->parameters[lmo_parameter_inverse_beta(NODES, i, j)] = inverse_beta;
    }
    for (int c = 0; c < COUNTS; c++)
        for (int i = 0; i < SIZES; i++) {
            double bytes = i < 6 ? 1024 * (i + 1) : 8192 * (i - 5);
            s->gathers[s->n_gathers++] = point_make(s, true, counts[c], bytes, repetitions);
            if (c == 0 || i % 4 == 3)
                s->scatters[s->n_scatters++] = point_make(s, false, counts[c], bytes, repetitions);
        }
}

static void scene_fit(struct scene *s)
{
    many_to_one_fit(&(struct many_to_one_input){NODES, s->parameters, s->n_scatters, s->n_gathers, 0, s->scatters,
                                                s->gathers, NULL}, &s->found);
}

static void point_free(struct flat_point *point)
{
    free((void *)point->times.t);
    free((void *)point->follows);
}

static void scene_close(struct scene *s)
{
    for (size_t i = 0; i < s->n_scatters + s->n_gathers; i++)
        point_free(i < s->n_scatters ? &s->scatters[i] : &s->gathers[i - s->n_scatters]);
    many_to_one_free(&s->found);
    gsl_rng_free(s->random);
}

static void assert_near(double found, double expected, double by)
{
    if (!(fabs(found - expected) <= by))
        fail_msg("found %.9g, expected %.9g", found, expected);
}

/* kappa + n t, which a Gather's slope tells; either alone is known less well. */
static void assert_slopes(const struct scene *s, int large, double kappa, double of_message)
{
    const double *fitted = s->found.lmo.gather[large];
    for (int c = 0; c < COUNTS; c++) {
        double n = counts[c] - 1;
        assert_near(fitted[LMO_BEYOND_kappa] + n * fitted[LMO_BEYOND_t], kappa + n * of_message,
                    0.005 * byte_time(large, counts[c]));
    }
}

/* How far a number of what was found is known, and from how much. */
static const struct machine_fitted *known(const struct scene *s, const double *of)
{
    for (size_t i = 0; i < s->found.n_fitted; i++)
        if (s->found.fitted[i].of == of)
            return &s->found.fitted[i];
    return NULL;
}

static void assert_known(const struct scene *s, const double *of, double ci95, int experiments)
{
    const struct machine_fitted *fitted = known(s, of);
    assert_non_null(fitted);
    assert_true(fitted->ci95 == ci95 && fitted->experiments == experiments);
}

/* Without a leap: M2 is where escalations cease. */
static void escalations_are_found(void **state)
{
    (void)state;
    struct scene s;
    scene_open(&s, (struct truth){.escalates = true, .kappa1 = 30e-9, .noise = 0.01}, REPETITIONS);
    scene_fit(&s);
    const struct machine_lmo *lmo = &s.found.lmo;
    assert_true(lmo->scatter_S == 0 && !s.found.M2_breaks);
    assert_slopes(&s, 0, 30e-9, 0);
    assert_true(fabs(s.found.gather[0][LMO_BEYOND_kappa].value - 30e-9) <
                3 * s.found.gather[0][LMO_BEYOND_kappa].half_width);
    assert_int_equal(lmo->n_levels, LEVELS);
    for (int l = 0; l < LEVELS; l++)
        assert_near(lmo->levels[l], level[l], 0.02 * level[l]);
    assert_false(lmo->levels_added);
    assert_true(lmo->M2 == M2 && s.found.M2_stride == 8192);
    assert_int_equal(lmo->M1.n, COUNTS);
    assert_true(lmo->M1.time[0] > M2 && lmo->M1.time[1] == 24576 && lmo->M1.time[2] == 4096);
    assert_true(lmo->Mc.time[1] > M2);
    assert_true(lmo->Mc.time[2] > 24576 && lmo->Mc.time[2] <= 32768);
    assert_known(&s, &lmo->M2, 8192, POINTS);
    assert_known(&s, &lmo->M1.time[1], 24576 - 16384, SIZES);
    assert_known(&s, &lmo->M1.time[2], 1024, SIZES);
    assert_known(&s, &lmo->Mc.time[2], 8192, SIZES);
    assert_true(!known(&s, &lmo->M1.time[0]) && !known(&s, &lmo->Mc.time[1])); /* where nothing escalates, or not all */
    for (int l = 0; l < LEVELS; l++) {
        const struct machine_fitted *fitted = known(&s, &lmo->levels[l]);
        assert_true(fitted && fabs(lmo->levels[l] - level[l]) <= fitted->ci95 && fitted->ci95 < 0.01 * level[l]);
    }
    for (size_t i = 0; i < s.n_gathers; i++) {
        double p[LEVELS];
        const struct flat_point *at = &s.gathers[i];
        escalation_probabilities(lmo, at->numprocs, at->bytes, p);
        for (int l = 0; l < LEVELS; l++)
            assert_near(p[l], probability(l, at->numprocs, at->bytes), 0.1);
    }
    scene_close(&s);
}

/* One on the one before: within its interval; where it may be none that is what the file says, with how far off it may be. */
static void dependence_is_found(void **state)
{
    (void)state;
    static const double truths[] = {0, 0.25};
    for (int i = 0; i < 2; i++) {
        struct scene s;
        scene_open(&s, (struct truth){.escalates = true, .kappa1 = 30e-9, .noise = 0.01, .dependence = truths[i]}, REPETITIONS);
        scene_fit(&s);
        const struct dependence *d = &s.found.dependence;
        const struct machine_fitted *fitted = known(&s, &s.found.lmo.dependence);
        assert_true(s.found.has_dependence && fabs(d->value - truths[i]) <= d->half_width && d->half_width < 0.1);
        assert_true(fitted && fitted->experiments == (int)d->pairs);
        if (i == 0)
            assert_true(s.found.lmo.dependence == 0 && fitted->ci95 == fabs(d->value) + d->half_width);
        else
            assert_true(s.found.lmo.dependence == d->value && fitted->ci95 == d->half_width);
        scene_close(&s);
    }
}

/* [1]'s rule sees levels that are ten times as long as a Gather of the size before, and edges narrow what it finds. */
static void M1_is_found_by_the_ratio(void **state)
{
    (void)state;
    struct scene s;
    struct ratio_leap leap = {0};
    scene_open(&s, (struct truth){.escalates = true, .noise = 0.01}, REPETITIONS);
    scene_fit(&s);
    const struct machine_curve *by_ratio = &s.found.lmo.M1_by_ratio;
    assert_true(by_ratio->n == 2 && by_ratio->bytes[0] == 8 && by_ratio->bytes[1] == 16);
    assert_true(by_ratio->time[0] == s.found.lmo.M1.time[1] && by_ratio->time[1] == s.found.lmo.M1.time[2]);
    assert_known(&s, &by_ratio->time[0], 8192, SIZES);
    struct flat_point edges[] = {point_make(&s, true, 8, 20479, 30), point_make(&s, true, 8, 20481, 30),
                                 point_make(&s, true, 8, 20482, 30), point_make(&s, true, 16, 3584, 30)};
    const struct many_to_one_input input = {.n_gathers = s.n_gathers, .n_edges = 4, .gathers = s.gathers, .edges = edges};
    assert_false(many_to_one_ratio(&input, 4, &leap));
    assert_true(many_to_one_ratio(&input, 8, &leap));
    assert_true(leap.from == 20479 && leap.to == 20481 && leap.row == 24576);
    assert_true(leap.time == flat_point_time(&s.gathers[SIZES + 7]) && s.gathers[SIZES + 7].bytes == 16384);
    assert_true(many_to_one_ratio(&input, 16, &leap));
    assert_true(leap.from == 3584 && leap.to == 4096);
    for (int i = 0; i < 4; i++)
        point_free(&edges[i]);
    scene_close(&s);

    scene_open(&s, (struct truth){.escalates = true, .noise = 0.01, .lower = 0.9}, REPETITIONS);
    scene_fit(&s);
    assert_true(s.found.lmo.M1.time[2] == 4096 && s.found.lmo.M1_by_ratio.n == 0);
    scene_close(&s);
}

/* What processors delay by now and then, less than TCP's timers, is no escalation however quick a network is. */
static void a_short_delay_is_no_M1(void **state)
{
    (void)state;
    double times[2][3] = {{100e-6, 101e-6, 102e-6}, {102e-6, 15e-3, 101e-6}};
    const struct flat_point points[] = {{3, 64, {3, times[0]}, NULL}, {3, 128, {3, times[1]}, NULL}};
    struct ratio_leap leap;
    assert_false(many_to_one_ratio(&(struct many_to_one_input){.n_gathers = 2, .gathers = points}, 3, &leap));
    times[1][2] = 25e-3;
    assert_true(many_to_one_ratio(&(struct many_to_one_input){.n_gathers = 2, .gathers = points}, 3, &leap));
    assert_true(leap.from == 64 && leap.to == 128 && leap.time == 100e-6);
}

/* What fewer processes were measured at, which do not escalate, does not tell how well M2 is known. */
static void M2_is_known_by_those_that_escalate(void **state)
{
    (void)state;
    struct scene s;
    size_t at = 0;
    scene_open(&s, (struct truth){.escalates = true, .noise = 0.01}, 30);
    while (s.gathers[at].numprocs < 8 || s.gathers[at].bytes <= M2)
        at++;
    for (int i = 0; i < 2; i++) { /* 73728 bytes of 8 and of 16 processes */
        point_free(&s.gathers[at]);
        memmove(s.gathers + at, s.gathers + at + 1, (--s.n_gathers - at) * sizeof *s.gathers);
        at += SIZES - 1;
    }
    scene_fit(&s);
    assert_true(s.found.lmo.M2 == M2 && s.found.M2_stride == 16384);
    scene_close(&s);
}

/* With leaps: S, M2 and both kappa. */
static void leaps_are_found(void **state)
{
    (void)state;
    struct scene s;
    scene_open(&s, (struct truth){.leaps = true, .kappa1 = -40e-9, .kappa2 = 90e-9, .noise = 0.005}, 20);
    scene_fit(&s);
    assert_near(s.found.lmo.scatter_S, S, 0.1);
    assert_near(s.found.S_stride, 8192, 0.1);
    assert_known(&s, &s.found.lmo.scatter_S, 8192, SIZES);
    assert_true(s.found.M2_breaks && s.found.lmo.n_levels == 0);
    assert_slopes(&s, 0, -40e-9, 0);
    assert_slopes(&s, 1, 90e-9, 0);
    scene_close(&s);
}

/* A credit that small messages have, and large ones hardly notice, is no break: only sizes at a uniform stride are
 * looked at. */
static void what_bends_at_small_sizes_is_no_threshold(void **state)
{
    (void)state;
    struct scene s;
    scene_open(&s, (struct truth){.noise = 0.0005}, 20);
    for (size_t i = 0; i < s.n_scatters; i++)
        for (size_t r = 0; r < s.scatters[i].times.n; r++) {
            double *time = (double *)s.scatters[i].times.t + r;
            *time -= fmin(1.3e-3, 0.3 * *time);
        }
    scene_fit(&s);
    assert_true(s.found.lmo.scatter_S == 0);
    scene_close(&s);
}

/* A straight line has no thresholds, and 1/beta of nodes whose sum is known leaves kappa 0. */
static void a_line_has_no_thresholds(void **state)
{
    (void)state;
    struct scene s;
    scene_open(&s, (struct truth){.noise = 0.002}, 10);
    scene_fit(&s);
    assert_true(s.found.lmo.scatter_S == 0 && !s.found.M2_breaks && s.found.lmo.n_levels == 0);
    assert_slopes(&s, 0, 0, 0);
    assert_slopes(&s, 1, t + inverse_beta, -t - inverse_beta); /* one line: the maximum of (9) less the sum of (10) */
    assert_true(s.found.lmo.has_kappa);
    scene_close(&s);
}

/* A port that has rested passes the first bytes at once, and what processors do hides behind it: small shares are
 * predicted as well as large ones, of Scatters and of Gathers, also where nothing was measured. */
static void what_is_beyond_the_formulas_is_found(void **state)
{
    (void)state;
    struct scene s;
    scene_open(&s, (struct truth){.noise = 0.005, .offset = -1.2e-3, .C = -30e-6, .t = 20e-9}, 10);
    scene_fit(&s);
    for (int gather = 0; gather < 2; gather++)
        for (int n = 3; n <= 16; n++)
            for (double bytes = 1024; bytes < 2e5; bytes *= 3) {
                const double *fitted = (gather ? s.found.lmo.gather : s.found.lmo.scatter)[0];
                double formula = linear_time(&(struct truth){.noise = 0}, gather, n, bytes);
                double time = formula + fitted[LMO_BEYOND_kappa] * bytes + fitted[LMO_BEYOND_offset] +
                              (n - 1) * (fitted[LMO_BEYOND_C] + fitted[LMO_BEYOND_t] * bytes);
                double truth = linear_time(&s.truth, gather, n, bytes);
                assert_near(time, truth, 0.02 * truth);
            }
    scene_close(&s);
}

/* Two of three long Gathers of 16 processes take 60 ms more: less than what counts as an escalation, and less than a tenth. */
static void late_ones_do_not_bend_the_linear_part(void **state)
{
    (void)state;
    struct scene s;
    scene_open(&s, (struct truth){.noise = 0.001}, 12);
    for (size_t i = 0; i < s.n_gathers; i++)
        for (size_t r = 0; r < 12 && s.gathers[i].numprocs == 16 && fabs(s.gathers[i].bytes - 65536) < 10000; r++)
            ((double *)s.gathers[i].times.t)[r] += r % 3 ? 60e-3 : 0;
    scene_fit(&s);
    assert_int_equal(s.found.lmo.n_levels, 0);
    assert_slopes(&s, 0, 0, 0);
    scene_close(&s);
}

/* What delays short Scatters, here some a good deal and each differently, belongs to them: their medians are found, and
 * not times near the least, which are the smaller the more of them were measured. */
static void medians_of_scatters_are_found(void **state)
{
    (void)state;
    struct scene s;
    scene_open(&s, (struct truth){.noise = 0}, 41);
    for (size_t i = 0; i < s.n_scatters; i++)
        for (size_t r = 0; r < s.scatters[i].times.n; r++)
            *((double *)s.scatters[i].times.t + r) += 2e-3 * (double)r / 40;
    scene_fit(&s);
    for (size_t i = 0; i < s.n_scatters; i++) {
        const struct flat_point *at = &s.scatters[i];
        const double *fitted = s.found.lmo.scatter[0];
        double of_message = fitted[LMO_BEYOND_C] + fitted[LMO_BEYOND_t] * at->bytes;
        double time = linear_time(&s.truth, false, at->numprocs, at->bytes) + fitted[LMO_BEYOND_kappa] * at->bytes +
                      fitted[LMO_BEYOND_offset] + (at->numprocs - 1) * of_message;
        assert_near(time, at->times.t[20], 0.01 * at->times.t[20]);
    }
    scene_close(&s);
}

/* Shares that rise and fall from one size to the next, as those of sixteen hosts do, are predicted as measured. */
static void shares_may_rise_and_fall(void **state)
{
    (void)state;
    struct scene s;
    double p[LEVELS];
    scene_open(&s, (struct truth){.noise = 0.001}, REPETITIONS);
    for (size_t i = 0; i < s.n_gathers; i++) {
        const struct flat_point *at = &s.gathers[i];
        for (size_t r = 0; at->numprocs == 16 && at->bytes <= M2 && r < (i % 2 == 0 ? 90 : 20); r++)
            *((double *)at->times.t + r) += level[0];
    }
    scene_fit(&s);
    assert_int_equal(s.found.lmo.n_levels, 1);
    for (size_t i = 0; i < s.n_gathers; i++) {
        const struct flat_point *at = &s.gathers[i];
        escalation_probabilities(&s.found.lmo, at->numprocs, at->bytes, p);
        assert_near(p[0], at->numprocs < 16 || at->bytes > M2 ? 0 : i % 2 == 0 ? 0.9 : 0.2, 0.05);
    }
    scene_close(&s);
}

/* Of one number of processes nothing tells what a message takes from what all do. */
static void one_number_of_processes_has_no_share_of_a_message(void **state)
{
    (void)state;
    struct scene s;
    scene_open(&s, (struct truth){.noise = 0.005, .offset = -0.5e-3, .C = -30e-6}, 10);
    s.n_gathers = SIZES;
    scene_fit(&s);
    assert_true(s.found.lmo.gather[0][LMO_BEYOND_C] == 0 && s.found.lmo.gather[0][LMO_BEYOND_t] == 0);
    assert_near(s.found.lmo.gather[0][LMO_BEYOND_offset], -0.5e-3 - 3 * 30e-6, 20e-6);
    s.n_gathers = POINTS;
    scene_close(&s);
}

/* M1 and M2 are looked for by halving. */
static void sizes_are_added_where_something_changes(void **state)
{
    (void)state;
    struct scene s;
    int numprocs;
    double bytes;
    scene_open(&s, (struct truth){.escalates = true, .noise = 0.01}, 30);
    while (many_to_one_wants(s.n_gathers, s.gathers, 1024, &numprocs, &bytes)) {
        size_t at = 0;
        assert_true(s.n_gathers < POINTS + 40);
        while (at < s.n_gathers && (s.gathers[at].numprocs < numprocs ||
                                    (s.gathers[at].numprocs == numprocs && s.gathers[at].bytes < bytes)))
            at++;
        memmove(s.gathers + at + 1, s.gathers + at, (s.n_gathers - at) * sizeof *s.gathers);
        s.gathers[at] = point_make(&s, true, numprocs, bytes, 30);
        s.n_gathers++;
    }
    scene_fit(&s);
    assert_true(s.found.M2_stride > 0 && s.found.M2_stride <= 1024 && s.found.lmo.M2 == M2);
    assert_near(s.found.lmo.M1.time[1], M1_of(8), 1024);
    assert_near(s.found.lmo.M1.time[2], M1_of(16), 1024);
    assert_true(s.n_gathers > POINTS && s.n_gathers < POINTS + 20);
    scene_close(&s);
}

/* Six that did not escalate say less than a hundred. */
static void shares_are_known_better_with_more(void **state)
{
    (void)state;
    struct scene s;
    scene_open(&s, (struct truth){.escalates = true, .noise = 0.01}, 6);
    struct flat_point more = point_make(&s, true, 16, 16384, 100);
    assert_near(flat_point_uncertainty(&s.gathers[0]), 0.46 / 2, 0.01);
    assert_true(flat_point_uncertainty(&more) < 0.1);
    point_free(&more);
    scene_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(escalations_are_found),
        cmocka_unit_test(dependence_is_found),
        cmocka_unit_test(M1_is_found_by_the_ratio),
        cmocka_unit_test(a_short_delay_is_no_M1),
        cmocka_unit_test(M2_is_known_by_those_that_escalate),
        cmocka_unit_test(leaps_are_found),
        cmocka_unit_test(what_bends_at_small_sizes_is_no_threshold),
        cmocka_unit_test(a_line_has_no_thresholds),
        cmocka_unit_test(what_is_beyond_the_formulas_is_found),
        cmocka_unit_test(late_ones_do_not_bend_the_linear_part),
        cmocka_unit_test(medians_of_scatters_are_found),
        cmocka_unit_test(shares_may_rise_and_fall),
        cmocka_unit_test(one_number_of_processes_has_no_share_of_a_message),
        cmocka_unit_test(sizes_are_added_where_something_changes),
        cmocka_unit_test(shares_are_known_better_with_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
