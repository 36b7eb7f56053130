#include "common/alloc.h"
#include "models/distribution.h"

#include <assert.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_sf_gamma.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* 32-bit words draw the probabilities (word + 1/2) / 2^32. A law is tabulated at multiples of 2^-32, so no point
 * moves when a quantile table is built from it. */
#define WORDS 4294967296.0
static const uint64_t words_end = UINT64_C(1) << 32;

/* Interpolation error aimed at, in standard deviations: half of what the header promises. */
static const double tolerance = 0.5e-4;

/* Shapes below this have moments that no measurement could confirm and points beyond any clock. */
#define WEIBULL_SHAPE_LEAST 0.05
#define LOGNORMAL_RATIO_MOST 1e6
#define GAMMA_SHAPE_MOST 1e5

struct law_state {
    enum law law;
    double a, b, shift;
    double mu, sigma; /* lognormal: of the logarithm */
};

const char *distribution_law_problem(enum law law, double a, double b)
{
    if (!isfinite(a) || (law != LAW_exponential && !isfinite(b)))
        return "the parameters must be finite numbers";
    switch (law) {
    case LAW_normal:
        return b < 0 ? "sd must be at least 0" : NULL;
    case LAW_lognormal:
        return a <= 0                             ? "mean must be above 0"
               : b < 0                            ? "sd must be at least 0"
               : b > LOGNORMAL_RATIO_MOST * a     ? "sd must be at most 1e6 times the mean"
                                                  : NULL;
    case LAW_gamma:
        return a <= 0                 ? "shape must be above 0"
               : a > GAMMA_SHAPE_MOST ? "shape must be at most 1e5"
               : b <= 0               ? "scale must be above 0"
                                      : NULL;
    case LAW_weibull:
        return a < WEIBULL_SHAPE_LEAST ? "shape must be at least 0.05" : b <= 0 ? "scale must be above 0" : NULL;
    case LAW_exponential:
        return a < 0 ? "mean must be at least 0" : NULL;
    case LAW_uniform:
        return b < a ? "high must be at least low" : NULL;
    }
    return "no such law";
}

/* P(X <= x) and P(X > x) of the gamma law with scale 1. */
static double gamma_quantile_by_bisection(double shape, double p, bool upper)
{
    double low = log(1e-300), high = log(shape + 60 * sqrt(shape) + 200);
    for (int i = 0; i < 120; i++) {
        double middle = (low + high) / 2;
        double here = upper ? gsl_cdf_gamma_Q(exp(middle), shape, 1) : gsl_cdf_gamma_P(exp(middle), shape, 1);
        if (isnan(here) || (upper ? here > p : here < p))
            low = middle;
        else
            high = middle;
    }
    return exp((low + high) / 2);
}

/* GSL's inverse iterates and may give up: then it returns NaN (its error handler is off meanwhile). */
static double gamma_quantile(double shape, double p, bool upper)
{
    double x = upper ? gsl_cdf_gamma_Qinv(p, shape, 1) : gsl_cdf_gamma_Pinv(p, shape, 1);
    double check = !isfinite(x) || x < 0 ? NAN : upper ? gsl_cdf_gamma_Q(x, shape, 1) : gsl_cdf_gamma_P(x, shape, 1);
    if (fabs(check - p) <= 1e-6 * p)
        return x;
    return gamma_quantile_by_bisection(shape, p, upper);
}

/* The uncut quantile at lower-tail (upper: upper-tail) probability p, 0 < p <= 1/2. */
static double law_tail(const struct law_state *s, double p, bool upper)
{
    double log_q = upper ? log(p) : log1p(-p); /* logarithm of the upper tail's probability */
    double z;
    switch (s->law) {
    case LAW_normal:
    case LAW_lognormal:
        z = upper ? gsl_cdf_ugaussian_Qinv(p) : gsl_cdf_ugaussian_Pinv(p);
        return s->shift + (s->law == LAW_normal ? s->a + s->b * z : exp(s->mu + s->sigma * z));
    case LAW_gamma:
        return s->shift + s->b * gamma_quantile(s->a, p, upper);
    case LAW_weibull:
        return s->shift + s->b * pow(-log_q, 1 / s->a);
    case LAW_exponential:
        return s->shift - s->a * log_q;
    case LAW_uniform:
        return s->shift + (upper ? s->b - (s->b - s->a) * p : s->a + (s->b - s->a) * p);
    }
    return 0;
}

/* The uncut quantile at probability k / 2^32; the ends stand for the outermost probabilities that can be drawn, half a
 * word inside. */
static double law_at(const struct law_state *s, double k)
{
    k = fmin(fmax(k, 0.5), WORDS - 0.5);
    return k <= WORDS / 2 ? law_tail(s, k / WORDS, false) : law_tail(s, (WORDS - k) / WORDS, true);
}

static double law_sd(const struct law_state *s)
{
    switch (s->law) {
    case LAW_normal:
    case LAW_lognormal:
        return s->b;
    case LAW_gamma:
        return sqrt(s->a) * s->b;
    case LAW_weibull: {
        double mean = exp(lgamma(1 + 1 / s->a));
        double variance = exp(lgamma(1 + 2 / s->a)) - mean * mean;
        /* Cancels for a large shape, where sd -> pi / (sqrt(6) shape). */
        return s->b * (s->a > 1e5 ? M_PI / sqrt(6) / s->a : sqrt(variance));
    }
    case LAW_exponential:
        return s->a;
    case LAW_uniform:
        return (s->b - s->a) / sqrt(12);
    }
    return 0;
}

/* P(X <= x) of the unshifted law. */
static double law_cdf(const struct law_state *s, double x)
{
    switch (s->law) {
    case LAW_normal:
        return gsl_cdf_ugaussian_P((x - s->a) / s->b);
    case LAW_lognormal:
        return x <= 0 ? 0 : gsl_cdf_ugaussian_P((log(x) - s->mu) / s->sigma);
    case LAW_gamma:
        return x <= 0 ? 0 : gsl_cdf_gamma_P(x, s->a, s->b);
    case LAW_weibull:
        return x <= 0 ? 0 : -expm1(-pow(x / s->b, s->a));
    case LAW_exponential:
        return x <= 0 ? 0 : -expm1(-x / s->a);
    case LAW_uniform:
        return x <= s->a ? 0 : x >= s->b ? 1 : (x - s->a) / (s->b - s->a);
    }
    return 0;
}

/* E[max(0, X + shift)] = E[(X - c)+] with c = -shift: the integral of 1 - F from c on, in closed form. */
static double law_mean_cut(const struct law_state *s)
{
    double c = -s->shift, a = s->a, b = s->b;
    double mean = s->law == LAW_gamma         ? a * b
                  : s->law == LAW_weibull     ? b * exp(lgamma(1 + 1 / a))
                  : s->law == LAW_uniform     ? (a + b) / 2
                                              : a;
    double lowest = s->law == LAW_normal ? -HUGE_VAL : s->law == LAW_uniform ? a : 0;
    if (c <= lowest)
        return mean - c;
    switch (s->law) {
    case LAW_normal: {
        double z = (a - c) / b;
        return (a - c) * gsl_cdf_ugaussian_P(z) + b * exp(-z * z / 2) / sqrt(2 * M_PI);
    }
    case LAW_lognormal: {
        double z = (s->mu - log(c)) / s->sigma;
        return a * gsl_cdf_ugaussian_P(z + s->sigma) - c * gsl_cdf_ugaussian_P(z);
    }
    case LAW_gamma:
        return mean * gsl_cdf_gamma_Q(c, a + 1, b) - c * gsl_cdf_gamma_Q(c, a, b);
    case LAW_weibull: {
        double x = pow(c / b, a);
        return mean * gsl_cdf_gamma_Q(x, 1 + 1 / a, 1) - c * exp(-x);
    }
    case LAW_exponential:
        return a * exp(-c / a);
    case LAW_uniform:
        return c >= b ? 0 : (b - c) * (b - c) / (2 * (b - a));
    }
    return 0;
}

struct table {
    const struct law_state *state;
    double error; /* s, aimed at */
    size_t n, p_capacity, t_capacity;
    double *p, *t;
};

static void table_add(struct table *table, double p, double t)
{
    table->p = alloc_grow(table->p, table->n, &table->p_capacity, sizeof *table->p);
    table->t = alloc_grow(table->t, table->n, &table->t_capacity, sizeof *table->t);
    if (table->n > 0)
        t = fmax(t, table->t[table->n - 1]);
    table->p[table->n] = p;
    table->t[table->n++] = t;
}

/* Adds the points in (k0, k1], k1 last, halving until straight lines are near enough. Depth at most 32. A single word
 * in a steep tail gets a flat step at the quantile of its middle. */
static void table_refine(struct table *table, uint64_t k0, double t0, uint64_t k1, double t1)
{
    uint64_t width = k1 - k0;
    double middle_t = law_at(table->state, (double)k0 + 0.5 * (double)width);
    bool straight = true;
    for (int quarter = 1; quarter <= 3 && straight; quarter++) {
        double share = 0.25 * quarter;
        double t = quarter == 2 ? middle_t : law_at(table->state, (double)k0 + share * (double)width);
        straight = fabs(t - (t0 + (t1 - t0) * share)) <= table->error;
    }
    if (!straight && width > 1) {
        uint64_t middle = k0 + width / 2;
        double t = width % 2 == 0 ? middle_t : law_at(table->state, (double)middle);
        table_refine(table, k0, t0, middle, t);
        table_refine(table, middle, t, k1, t1);
        return;
    }
    if (!straight)
        t0 = t1 = middle_t;
    if (table->n == 0 || t0 > table->t[table->n - 1])
        table_add(table, (double)k0 / WORDS, fmax(t0, 0));
    table_add(table, (double)k1 / WORDS, fmax(t1, 0));
}

/* From k0 on: both tails by octaves, each octave refined. */
static void table_fill(struct table *table, uint64_t k0)
{
    uint64_t grid[2 + 2 * 32], n = 0;
    grid[n++] = k0;
    for (int bit = 0; bit <= 31; bit++)
        if (UINT64_C(1) << bit > k0)
            grid[n++] = UINT64_C(1) << bit;
    for (int bit = 30; bit >= 0; bit--)
        if (words_end - (UINT64_C(1) << bit) > k0)
            grid[n++] = words_end - (UINT64_C(1) << bit);
    grid[n++] = words_end;
    double t0 = law_at(table->state, (double)k0);
    for (uint64_t i = 1; i < n; i++) {
        double t1 = law_at(table->state, (double)grid[i]);
        table_refine(table, grid[i - 1], t0, grid[i], t1);
        t0 = t1;
    }
}

static void law_tabulate(struct distribution *d, const struct law_state *s)
{
    struct table table = {.state = s, .error = tolerance * law_sd(s)};
    double below_zero = law_cdf(s, -s->shift);
    uint64_t start = 0;
    if (below_zero * WORDS >= 0.5) { /* else no word draws a negative time */
        table_add(&table, 0, 0);
        table_add(&table, below_zero, 0);
        start = (uint64_t)(below_zero * WORDS) + 1;
    }
    if (start > words_end)
        table.p[1] = 1;
    else
        table_fill(&table, start);
    distribution_points(d, table.n, table.p, table.t);
    free(table.p);
    free(table.t);
}

void distribution_law(struct distribution *d, enum law law, double a, double b, double shift)
{
    assert(!distribution_law_problem(law, a, b) && isfinite(shift));
    struct law_state s = {.law = law, .a = a, .b = b, .shift = shift};
    bool takes_sd = law == LAW_normal || law == LAW_lognormal;
    if ((takes_sd && b == 0) || (law == LAW_exponential && a == 0) || (law == LAW_uniform && a == b)) {
        distribution_constant(d, a + shift);
        return;
    }
    if (law == LAW_lognormal) {
        s.sigma = sqrt(log1p(b / a * (b / a)));
        s.mu = log(a) - s.sigma * s.sigma / 2;
        if (s.sigma == 0) {
            distribution_constant(d, a + shift);
            return;
        }
    }
    if (law == LAW_uniform) {
        distribution_points(d, 2, (double[]){0, 1}, (double[]){a + shift, b + shift});
        return;
    }
    gsl_error_handler_t *handler = gsl_set_error_handler_off();
    law_tabulate(d, &s);
    d->average = law_mean_cut(&s);
    d->minimum = law == LAW_normal ? 0 : fmax(shift, 0);
    gsl_set_error_handler(handler);
}
