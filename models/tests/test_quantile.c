#include "models/quantile.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const long double words = 4294967296.0L;

/* A full-period generator of fixed seed (splitmix64), so that draws are the same everywhere. */
static uint32_t next_word(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (uint32_t)((z ^ z >> 31) >> 32);
}

static void assert_near(double found, double expected, double relative)
{
    if (!(fabs(found - expected) <= relative * fabs(expected)))
        fail_msg("found %.17g, expected %.17g (within %g relative)", found, expected, relative);
}

/* ---- the plain twin: long double, no table ---- */

static long double knot(double p)
{
    return (long double)llrint(p * 0x1p32);
}

/* One part at position u (in words): from the left or from the right; *slope becomes its rise per word there. */
static long double part_at(const struct distribution *d, long double u, bool from_right, long double *slope)
{
    for (size_t i = 1; i < d->n; i++) {
        long double k0 = knot(d->p[i - 1]), k1 = knot(d->p[i]);
        bool inside = from_right ? k0 <= u && u < k1 : k0 < u && u <= k1;
        if (!inside)
            continue;
        *slope = ((long double)d->t[i] - d->t[i - 1]) / (k1 - k0);
        return d->t[i - 1] + ((long double)d->t[i] - d->t[i - 1]) * (u - k0) / (k1 - k0);
    }
    return 0;
}

static long double mix_at(const struct mix *mix, long double u, bool from_right, long double *slope)
{
    long double sum = 0;
    *slope = 0;
    for (int i = 0; i < mix->n; i++) {
        long double part_slope = 0;
        sum += mix->weight[i] * part_at(mix->part[i], u, from_right, &part_slope);
        *slope += fabsl(mix->weight[i] * part_slope);
    }
    return sum;
}

/* The sum of a mix, and the greater of its values on both sides of every knot of its parts. */
struct twin {
    const struct mix *mix;
    size_t n;
    long double *knots, *most;
};

static void twin_init(struct twin *twin, const struct mix *mix)
{
    size_t n = 0;
    for (int i = 0; i < mix->n; i++)
        n += mix->part[i]->n;
    *twin = (struct twin){.mix = mix};
    twin->knots = malloc(n * sizeof *twin->knots);
    twin->most = malloc(n * sizeof *twin->most);
    for (int i = 0; i < mix->n; i++)
        for (size_t j = 0; j < mix->part[i]->n; j++) {
            long double k = knot(mix->part[i]->p[j]), unused;
            long double left = k > 0 ? mix_at(mix, k, false, &unused) : 0;
            long double right = k < words ? mix_at(mix, k, true, &unused) : 0;
            twin->knots[twin->n] = k;
            twin->most[twin->n++] = fmaxl(left, right);
        }
}

static void twin_free(struct twin *twin)
{
    free(twin->knots);
    free(twin->most);
}

/* The greatest value at or left of the middle of `word`, at least 0. Lines are greatest at their ends. */
static double twin_at(const struct twin *twin, uint32_t word, double *error)
{
    long double u = word + 0.5L, slope, most = fmaxl(0, mix_at(twin->mix, u, true, &slope));
    for (size_t i = 0; i < twin->n; i++)
        if (twin->knots[i] <= u && twin->most[i] > most)
            most = twin->most[i];
    /* What the header allows: rounding, and cancellation in a cell for steep pieces. */
    *error = (double)(1e-13L * most + slope * 0x1p22L * 0x1p-51L);
    return (double)most;
}

static void compare_at(const struct quantile *q, const struct twin *twin, uint32_t word)
{
    double error, expected = twin_at(twin, word, &error), found = quantile_at(q, word);
    if (!(fabs(found - expected) <= error) || found < 0)
        fail_msg("word %u: found %.17g, expected %.17g (off by %g, allowed %g)", word, found, expected,
                 found - expected, error);
}

/* Both ends, a spread of words, words around every knot; and monotone along the way. */
static void compare(const struct mix *mix)
{
    struct quantile q;
    struct twin twin;
    quantile_build(&q, mix);
    twin_init(&twin, mix);
    compare_at(&q, &twin, 0);
    compare_at(&q, &twin, UINT32_MAX);
    uint64_t state = 42;
    for (int i = 0; i < 60; i++)
        compare_at(&q, &twin, next_word(&state));
    for (int i = 0; i < mix->n; i++) {
        size_t step = 1 + mix->part[i]->n / (mix->n == 1 ? 100 : 25);
        for (size_t j = 0; j < mix->part[i]->n; j += step)
            for (int64_t near = -2; near <= 2; near++) {
                int64_t word = (int64_t)knot(mix->part[i]->p[j]) + near;
                if (word >= 0 && word <= UINT32_MAX)
                    compare_at(&q, &twin, (uint32_t)word);
            }
    }
    double last = 0;
    for (uint64_t word = 0; word <= UINT32_MAX; word += word % 3000017 < 40 ? 1 : 3000017 - word % 3000017) {
        double t = quantile_at(&q, (uint32_t)word);
        assert_true(t >= last);
        last = t;
    }
    twin_free(&twin);
    quantile_free(&q);
}

/* ---- tests ---- */

static void histogram_of(struct distribution *d, size_t n, double start, double width, uint64_t seed)
{
    double *edges = malloc((n + 1) * sizeof *edges), *counts = malloc(n * sizeof *counts);
    for (size_t i = 0; i <= n; i++)
        edges[i] = start + width * (double)i;
    for (size_t i = 0; i < n; i++) {
        uint32_t word = next_word(&seed);
        counts[i] = word % 5 == 0 ? 0 : word % 7 == 0 ? 1e-6 : (double)(word % 1000);
    }
    counts[n / 2] = 500;
    distribution_histogram(d, n, edges, counts);
    free(edges);
    free(counts);
}

static void constants_have_no_table(void **state)
{
    (void)state;
    struct distribution a, b;
    distribution_constant(&a, 2.385);
    distribution_constant(&b, 1.5);
    struct quantile q;
    quantile_build(&q, &MIX_OF(&a));
    assert_true(q.constant && q.value == 2.385 && q.cells == NULL);
    assert_true(quantile_at(&q, 0) == 2.385 && quantile_at(&q, UINT32_MAX) == 2.385);
    quantile_free(&q);
    quantile_build(&q, &(struct mix){.n = 2, .weight = {3, -0.5}, .part = {&a, &b}});
    assert_true(q.constant);
    assert_near(q.value, 6.405, 1e-15);
    quantile_free(&q);
    quantile_build(&q, &(struct mix){.n = 2, .weight = {1, -2}, .part = {&a, &b}});
    assert_true(q.constant && q.value == 0);
    quantile_free(&q);
    quantile_build(&q, &(struct mix){.n = 0});
    assert_true(q.constant && q.value == 0);
    quantile_free(&q);
    distribution_free(&a);
    distribution_free(&b);
}

/* One bin from 2 to 6: t = 2 + 4 (word + 1/2) / 2^32. */
static void one_line_by_hand(void **state)
{
    (void)state;
    struct distribution d;
    distribution_histogram(&d, 1, (double[]){2, 6}, (double[]){3});
    struct quantile q;
    quantile_build(&q, &MIX_OF(&d));
    assert_false(q.constant || q.has_many);
    assert_true(quantile_at(&q, 0) == 2 + 4 * 0x1p-33);
    assert_near(quantile_at(&q, 1u << 31), 4 + 4 * 0x1p-33, 1e-16);
    assert_near(quantile_at(&q, UINT32_MAX), 6 - 4 * 0x1p-33, 1e-16);
    assert_int_equal(q.cells[17].split[0], QUANTILE_CELL_WORDS);
    assert_int_equal(q.cells[17].split[1], QUANTILE_CELL_WORDS);
    quantile_free(&q);
    distribution_free(&d);
}

static void narrow_bins_keep_their_width(void **state)
{
    (void)state;
    /* A tail bin of just 2^-32: the last word and no other. */
    struct distribution d;
    distribution_histogram(&d, 3, (double[]){1, 2, 200, 202}, (double[]){4294967295.0, 0, 1});
    struct quantile q;
    quantile_build(&q, &MIX_OF(&d));
    assert_near(quantile_at(&q, UINT32_MAX), 201, 1e-15);
    assert_true(quantile_at(&q, UINT32_MAX - 1) <= 2);
    compare(&MIX_OF(&d));
    quantile_free(&q);
    distribution_free(&d);
    /* Three words in the middle of a cell. */
    double p0 = 1234567 / 4294967296.0;
    distribution_points(&d, 6, (double[]){0, p0, p0, p0 + 3 * 0x1p-32, p0 + 3 * 0x1p-32, 1},
                        (double[]){1, 1, 5, 8, 9, 9});
    quantile_build(&q, &MIX_OF(&d));
    assert_false(q.has_many);
    assert_true(quantile_at(&q, 1234566) == 1);
    assert_near(quantile_at(&q, 1234567), 5.5, 1e-9);
    assert_near(quantile_at(&q, 1234569), 7.5, 1e-9);
    assert_true(quantile_at(&q, 1234570) == 9);
    compare(&MIX_OF(&d));
    quantile_free(&q);
    distribution_free(&d);
    /* With seven more behind them, a fourth piece of the cell, which has a list. */
    double p3 = p0 + 3 * 0x1p-32, p10 = p0 + 10 * 0x1p-32;
    distribution_points(&d, 8, (double[]){0, p0, p0, p3, p3, p10, p10, 1}, (double[]){1, 1, 5, 8, 9, 9, 12, 12});
    quantile_build(&q, &MIX_OF(&d));
    assert_true(q.has_many);
    assert_true(quantile_at(&q, 1234566) == 1);
    assert_near(quantile_at(&q, 1234568), 6.5, 1e-9);
    assert_true(quantile_at(&q, 1234576) == 9);
    assert_true(quantile_at(&q, 1234577) == 12);
    compare(&MIX_OF(&d));
    quantile_free(&q);
    distribution_free(&d);
}

static void tables_equal_the_plain_twin(void **state)
{
    (void)state;
    struct distribution d[4], law[3];
    for (int i = 0; i < 4; i++)
        histogram_of(&d[i], 100, 1e-4 * (i + 1), 3e-6 * (i + 1), 7 + (uint64_t)i);
    distribution_law(&law[0], LAW_lognormal, 98.5e-6, 40e-6, 0);
    distribution_law(&law[1], LAW_normal, 1, 0.9, 0);
    distribution_law(&law[2], LAW_gamma, 0.3, 2, -0.1);
    compare(&MIX_OF(&d[0]));
    compare(&MIX_OF(&law[0]));
    compare(&MIX_OF(&law[1]));
    compare(&MIX_OF(&law[2]));
    compare(&(struct mix){.n = 2, .weight = {0.25, 0.75}, .part = {&d[0], &d[1]}});
    compare(&(struct mix){.n = 4, .weight = {0.1, 0.2, 0.3, 0.4}, .part = {&d[0], &d[1], &d[2], &d[3]}});
    compare(&(struct mix){.n = 2, .weight = {0.5, 0.5}, .part = {&law[0], &d[3]}});
    compare(&(struct mix){.n = 2, .weight = {-3.5, 4.5}, .part = {&d[0], &d[1]}});
    compare(&(struct mix){.n = 2, .weight = {-6, 1.25}, .part = {&d[0], &d[3]}});
    compare(&(struct mix){.n = 3, .weight = {2, -1, -0.5}, .part = {&law[1], &law[2], &d[0]}});
    for (int i = 0; i < 4; i++)
        distribution_free(&d[i]);
    for (int i = 0; i < 3; i++)
        distribution_free(&law[i]);
}

static void every_word_is_in_order_where_the_sum_is_not(void **state)
{
    (void)state;
    /* 2 a - b rises to 3 at 1/2, falls to 2, rises to 4: flat at 3 from 1/2 to 3/4. */
    struct distribution a, b;
    distribution_points(&a, 3, (double[]){0, 0.5, 1}, (double[]){1, 2, 4});
    distribution_points(&b, 4, (double[]){0, 0.5, 0.5, 1}, (double[]){1, 1, 2, 4});
    struct mix mix = {.n = 2, .weight = {2, -1}, .part = {&a, &b}};
    struct quantile q;
    quantile_build(&q, &mix);
    assert_near(quantile_at(&q, (1u << 30) - 1), 2 - 0x1p-31, 1e-14);
    assert_near(quantile_at(&q, 5u << 29), 3, 1e-15);
    assert_near(quantile_at(&q, (3u << 30) - 1), 3, 1e-15);
    assert_near(quantile_at(&q, 7u << 29), 3.5 + 4 * 0x1p-33, 1e-14);
    double last = 0;
    for (uint64_t word = (3u << 30) - 5000; word < (3u << 30) + 5000; word++) {
        assert_true(quantile_at(&q, (uint32_t)word) >= last);
        last = quantile_at(&q, (uint32_t)word);
    }
    quantile_free(&q);
    compare(&mix);
    distribution_free(&a);
    distribution_free(&b);
}

static void sums_below_zero_are_cut_where_they_cross(void **state)
{
    (void)state;
    /* -1 + 4 u: zero up to 1/4. */
    struct distribution a, b;
    distribution_points(&a, 2, (double[]){0, 1}, (double[]){0, 4});
    distribution_constant(&b, 1);
    struct mix mix = {.n = 2, .weight = {1, -1}, .part = {&a, &b}};
    struct quantile q;
    quantile_build(&q, &mix);
    assert_true(quantile_at(&q, 0) == 0 && quantile_at(&q, (1u << 30) - 1) == 0);
    assert_near(quantile_at(&q, 1u << 30), 4 * 0x1p-33, 1e-6);
    assert_near(quantile_at(&q, 1u << 31), 1 + 4 * 0x1p-33, 1e-15);
    quantile_free(&q);
    compare(&mix);
    mix.weight[1] = -5;
    quantile_build(&q, &mix);
    assert_true(q.constant && q.value == 0);
    quantile_free(&q);
    distribution_free(&a);
    distribution_free(&b);
}

/* Half of a [1, 2] and half of a [3, 7] at equal probability is uniform in [2, 4.5]. */
static void interpolation_is_at_equal_probability(void **state)
{
    (void)state;
    struct distribution a, b, c;
    distribution_histogram(&a, 1, (double[]){1, 2}, (double[]){1});
    distribution_histogram(&b, 1, (double[]){3, 7}, (double[]){1});
    distribution_histogram(&c, 2, (double[]){10, 11, 20}, (double[]){1, 1});
    struct quantile q;
    quantile_build(&q, &(struct mix){.n = 2, .weight = {0.5, 0.5}, .part = {&a, &b}});
    assert_near(quantile_at(&q, 1u << 30), 2.625 + 2.5 * 0x1p-33, 1e-15);
    quantile_free(&q);
    /* Two levels, each between two sizes: 0.75 (0.5 a + 0.5 b) + 0.25 c at 3/4 is 0.75 * 3.875 + 0.25 * 15.5. */
    quantile_build(&q, &(struct mix){.n = 3, .weight = {0.375, 0.375, 0.25}, .part = {&a, &b, &c}});
    assert_near(quantile_at(&q, 3u << 30), 6.78125, 1e-8);
    quantile_free(&q);
    distribution_free(&a);
    distribution_free(&b);
    distribution_free(&c);
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* CDF of a histogram, from its edges and counts. */
static double histogram_cdf(size_t n, const double edges[], const double counts[], double t)
{
    double total = 0, below = 0;
    for (size_t i = 0; i < n; i++) {
        total += counts[i];
        double share = t <= edges[i] ? 0 : t >= edges[i + 1] ? 1 : (t - edges[i]) / (edges[i + 1] - edges[i]);
        below += counts[i] * share;
    }
    return below / total;
}

static void draws_follow_the_cdf(void **state)
{
    (void)state;
    enum { DRAWS = 100000, BINS = 7 };
    static const double edges[BINS + 1] = {90e-6, 95e-6, 100e-6, 103e-6, 120e-6, 130e-6, 200e-3, 201e-3};
    static const double counts[BINS] = {3, 40, 120, 30, 6.9, 0, 0.1};
    struct distribution d;
    distribution_histogram(&d, BINS, edges, counts);
    struct quantile q;
    quantile_build(&q, &MIX_OF(&d));
    double *draws = malloc(DRAWS * sizeof *draws), worst = 0;
    uint64_t seed = 20240229;
    for (int i = 0; i < DRAWS; i++)
        draws[i] = quantile_at(&q, next_word(&seed));
    qsort(draws, DRAWS, sizeof *draws, ascending);
    for (int i = 0; i < DRAWS; i++) {
        double cdf = histogram_cdf(BINS, edges, counts, draws[i]);
        worst = fmax(worst, fmax(cdf - (double)i / DRAWS, (i + 1.0) / DRAWS - cdf));
    }
    /* Kolmogorov-Smirnov at the 5 % level: 1.358 / sqrt(n). */
    assert_true(worst < 1.358 / sqrt(DRAWS));
    assert_true(worst > 0.2 / sqrt(DRAWS)); /* as random as they should be */
    free(draws);
    quantile_free(&q);
    distribution_free(&d);
}

/* Ten million draws, a bin at 200 ms of probability 1e-4. Binomial 99 % intervals: n p -+ 2.576 sqrt(n p (1 - p)). */
static void the_tail_neither_vanishes_nor_swells(void **state)
{
    (void)state;
    enum { DRAWS = 10000000 };
    static const double edges[] = {1.9e-3, 2.1e-3, 2.2e-3, 2.4e-3, 200e-3, 200.1e-3};
    static const double counts[] = {400, 500, 99.9, 0, 0.1};
    static const double p9999 = 2.4e-3, tail_middle = 200.05e-3;
    struct distribution d;
    distribution_histogram(&d, 5, edges, counts);
    struct quantile q;
    quantile_build(&q, &MIX_OF(&d));
    double sum = 0;
    long above = 0, above_middle = 0;
    uint64_t seed = 1;
    for (int i = 0; i < DRAWS; i++) {
        double t = quantile_at(&q, next_word(&seed));
        sum += t;
        above += t > p9999;
        above_middle += t > tail_middle;
    }
    double mean = 0.4 * 2e-3 + 0.5 * 2.15e-3 + 0.0999 * 2.3e-3 + 1e-4 * 200.05e-3;
    assert_near(d.average, mean, 1e-12);
    assert_near(sum / DRAWS, mean, 1e-3);
    assert_true(fabs((double)above - 1000) < 2.576 * sqrt(1000 * (1 - 1e-4)));
    assert_true(fabs((double)above_middle - 500) < 2.576 * sqrt(500 * (1 - 5e-5)));
    quantile_free(&q);
    distribution_free(&d);
}

/* The mean itself without chance: one word from each of 10^7 equal strata. */
static void the_mean_of_stratified_draws_is_exact(void **state)
{
    (void)state;
    enum { DRAWS = 10000000 };
    struct distribution d;
    distribution_histogram(&d, 3, (double[]){90e-6, 110e-6, 200e-3, 201e-3}, (double[]){9999, 0, 1});
    struct quantile q;
    quantile_build(&q, &MIX_OF(&d));
    double sum = 0;
    for (int i = 0; i < DRAWS; i++)
        sum += quantile_at(&q, (uint32_t)((i + 0.5) * 429.4967296));
    assert_near(sum / DRAWS, 0.9999 * 100e-6 + 1e-4 * 200.5e-3, 1e-5);
    quantile_free(&q);
    distribution_free(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constants_have_no_table),
        cmocka_unit_test(one_line_by_hand),
        cmocka_unit_test(narrow_bins_keep_their_width),
        cmocka_unit_test(tables_equal_the_plain_twin),
        cmocka_unit_test(every_word_is_in_order_where_the_sum_is_not),
        cmocka_unit_test(sums_below_zero_are_cut_where_they_cross),
        cmocka_unit_test(interpolation_is_at_equal_probability),
        cmocka_unit_test(draws_follow_the_cdf),
        cmocka_unit_test(the_tail_neither_vanishes_nor_swells),
        cmocka_unit_test(the_mean_of_stratified_draws_is_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
