#include "estimate/analytical/thresholds.h"

#include "estimate/analytical/levels.h"
#include "estimate/tests/simulated.h"

/* A gather by size: two lines with a leap at M2 and escalations between M1 and M2. */
enum { SIZES = 100, OPERATIONS = 12 };
#define STRIDE 1024.0
#define M1 5000.0
#define M2 61000.0

static double linear_time(double M)
{
    return M <= M2 ? 1e-3 + 0.9e-6 * M : 8e-3 + 1.2e-6 * M;
}

/* 40 or 220 ms on top, of 40 % of the operations between M1 and M2. */
static double gather_time(gsl_rng *random, double M, bool added)
{
    double time = linear_time(M) * (1 + 0.01 * gsl_ran_gaussian(random, 1));
    if (M <= M1 || M > M2 || gsl_rng_uniform(random) > 0.4)
        return time;
    double level = (gsl_rng_uniform(random) < 0.7 ? 0.22 : 0.14) + 1e-3 * gsl_ran_gaussian(random, 1);
    return added ? time + level : level;
}

static void levels_and_how_they_apply(void **state)
{
    (void)state;
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    static double times[SIZES * OPERATIONS], linear[SIZES * OPERATIONS];
    for (int added = 0; added < 2; added++) {
        size_t escalated = 0, counted = 0;
        for (size_t i = 0; i < SIZES * OPERATIONS; i++) {
            double M = STRIDE * (1 + (double)(i / OPERATIONS));
            linear[i] = linear_time(M);
            times[i] = gather_time(random, M, added);
            escalated += times[i] > linear[i] * 1.1;
        }
        struct levels levels;
        levels_find(SIZES * OPERATIONS, times, linear, LEVEL_MARGIN, LEVEL_RESOLUTION, &levels);
        assert_int_equal(levels.n, 2);
        assert_int_equal(levels.added, added);
        assert_true(fabs(levels.value[0] - 0.14) < 1e-3 && fabs(levels.value[1] - 0.22) < 1e-3);
        for (size_t i = 0; i < SIZES * OPERATIONS; i++)
            counted += levels_classify(&levels, times[i], linear[i]) > 0;
        assert_int_equal(counted, escalated);
        assert_int_equal(levels_classify(&levels, linear[9] + 0.19, linear[9]), 2);
    }
    gsl_rng_free(random);
}

/* Thirty operations that take 220 ms, give or take 3: of 1000 such levels the intervals hold as many as they say (the binomial
 * spread is 0.7 %), and levels are neither too low nor too high on average: to 0.05 ms, three times what chance does. */
static void levels_are_within_their_intervals(void **state)
{
    (void)state;
    enum { TIMES = 30, TRIALS = 1000 };
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    double times[TIMES + 1], linear[TIMES + 1], bias = 0;
    int inside = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        struct levels levels;
        for (int i = 0; i <= TIMES; i++) {
            linear[i] = 0.01;
            times[i] = i < TIMES ? 0.22 + 3e-3 * gsl_ran_gaussian(random, 1) : 0.01; /* the last one does not escalate */
        }
        levels_find(TIMES + 1, times, linear, LEVEL_MARGIN, LEVEL_RESOLUTION, &levels);
        assert_true(levels.n == 1 && levels.times[0] == TIMES);
        const double off = levels.value[0] - (levels.added ? 0.21 : 0.22);
        inside += fabs(off) <= levels.half_width[0];
        bias += off / TRIALS;
        assert_true(levels.half_width[0] > 0.5e-3 && levels.half_width[0] < 3e-3);
    }
    gsl_rng_free(random);
    if (inside < 0.93 * TRIALS || inside > 0.97 * TRIALS || !(fabs(bias) < 0.05e-3))
        fail_msg("%d of %d intervals hold the truth, levels are off by %g s on average", inside, TRIALS, bias);
}

/* A level that is told from no other within an eighth of the resolution is the mean of its times, not the least of them. */
static void a_level_is_the_mean_of_its_times(void **state)
{
    (void)state;
    enum { TIMES = 20 };
    double times[TIMES], linear[TIMES];
    struct levels levels;
    for (int i = 0; i < TIMES; i++) {
        linear[i] = 0.01;
        times[i] = 0.22 + i * 2.4e-3 / (TIMES - 1); /* 20 ms of resolution put together what is within 2.5 */
    }
    levels_find(TIMES, times, linear, LEVEL_MARGIN, 20e-3, &levels);
    assert_int_equal(levels.n, 1);
    assert_true(fabs(levels.value[0] + (levels.added ? 0.01 : 0) - 0.2212) < 1e-9);
}

static void nothing_escalates(void **state)
{
    (void)state;
    static const double times[] = {0.01, 0.0102, 0.0099, 0.3, 0.31}, linear[] = {0.01, 0.01, 0.01, 0.01, 0.01};
    struct levels levels;
    levels_find(5, times, linear, LEVEL_MARGIN, LEVEL_RESOLUTION, &levels); /* two are too few for a level */
    assert_int_equal(levels.n, 0);
    assert_int_equal(levels_classify(&levels, 0.3, 0.01), 0);
}

/* The mean of the operations of a size: the breaks of a series with escalations are others, and those of the series
 * without them are right. */
static void M2_is_found_once_escalations_are_out(void **state)
{
    (void)state;
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    double bytes[SIZES], clean[SIZES], at = 0, stride = 0;
    struct levels levels = {.n = 1, .value = {0.2}, .margin = LEVEL_MARGIN, .resolution = LEVEL_RESOLUTION};
    for (int i = 0; i < SIZES; i++) {
        double sum = 0;
        int n = 0;
        bytes[i] = STRIDE * (1 + i);
        for (int k = 0; k < OPERATIONS; k++) {
            double time = gather_time(random, bytes[i], true);
            if (levels_classify(&levels, time, linear_time(bytes[i])) > 0)
                continue;
            sum += time;
            n++;
        }
        clean[i] = sum / n;
    }
    assert_true(threshold_break(SIZES, bytes, clean, &at, &stride));
    assert_true(at == 59 * STRIDE && stride == STRIDE);
    for (int i = 0; i < SIZES; i++)
        clean[i] = 1e-3 + 1e-6 * bytes[i] + 1e-6 * gsl_ran_gaussian(random, 1);
    assert_false(threshold_break(SIZES, bytes, clean, &at, &stride));
    gsl_rng_free(random);
}

static double measure_once(void *context, double bytes)
{
    return ++*(int *)context > 12 ? NAN : bytes <= M1 ? 1e-3 : 0.2;
}

static void M1_by_the_ratio(void **state)
{
    (void)state;
    static const double times[] = {1e-3, 1.1e-3, 1.2e-3, 0.2, 1.3e-3};
    int asked = 0;
    double from = 4096, to = 5120;
    assert_int_equal(threshold_ratio(5, times, 10), 2);
    assert_int_equal(threshold_ratio(5, times, 200), 5);
    threshold_refine(&from, &to, 1e-3, 10, 1, measure_once, &asked);
    assert_true(from == M1 && to == M1 + 1);
    assert_int_equal(asked, 10);
    from = 4096, to = 5120;
    threshold_refine(&from, &to, 1e-3, 10, 512, measure_once, &asked);
    assert_true(from == 4608 && to == 5120);
    threshold_refine(&from, &to, 1e-3, 10, 1, measure_once, &asked); /* one more can be measured */
    assert_true(from == 4864 && to == 5120 && asked == 13);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(levels_and_how_they_apply),
        cmocka_unit_test(levels_are_within_their_intervals),
        cmocka_unit_test(a_level_is_the_mean_of_its_times),
        cmocka_unit_test(nothing_escalates),
        cmocka_unit_test(M2_is_found_once_escalations_are_out),
        cmocka_unit_test(M1_by_the_ratio),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
