#include "models/fit.h"

#include "models/fit_impl.h"

#include <assert.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_multimin.h>
#include <math.h>

/* Simplex: enough for three parameters from a start that is near; each start ends when its corners are this close in
 * the logarithms of the parameters, 1e-5 being a thousandth of what 10^5 samples tell. */
enum { STEPS_MOST = 400, STARTS = 3 };
static const double simplex_size = 1e-5;

static const double probability_least = 1e-300; /* of a bin that a trial law excludes: it costs 691 a sample */
static const double out_of_range = 1e100;       /* instead of an infinity, which the simplex refuses */

static const struct {
    enum law law;
    int parameters;
} laws[] = {
#define X(name, parameters) {LAW_##name, parameters},
    FIT_LAW_LIST(X)
#undef X
};
enum { N_LAWS = sizeof laws / sizeof *laws };

const char *fit_verdict_text(enum fit_verdict verdict)
{
    static const char *const texts[] = {
#define X(name, text) text,
        FIT_VERDICT_LIST(X)
#undef X
    };
    return texts[verdict];
}

bool fit_has_law(const struct fit *fit)
{
    return fit->verdict != FIT_few && fit->verdict != FIT_bins;
}

/* ---- likelihood ---- */

struct search {
    const struct fit_bins *bins;
    enum law law;
    double top; /* upper edge of the first occupied bin: the shift stays below */
};

/* The law at a point of the simplex: logarithms, so that every point is a law, or nearly so. */
static bool law_at(const struct search *search, const gsl_vector *x, struct fit_law *at)
{
    bool shifted = search->law != LAW_normal;
    double first = gsl_vector_get(x, shifted ? 1 : 0);
    double second = x->size > (shifted ? 2u : 1u) ? gsl_vector_get(x, shifted ? 2 : 1) : 0;
    *at = (struct fit_law){.law = search->law};
    if (shifted)
        at->shift = fmax(search->top - exp(gsl_vector_get(x, 0)), 0);
    switch (search->law) {
    case LAW_lognormal: at->u = first, at->v = exp(second); break;
    case LAW_gamma: at->u = exp(second), at->v = exp(first - second); break; /* first: logarithm of the mean */
    case LAW_weibull: at->u = exp(second), at->v = exp(first); break;
    case LAW_exponential: at->u = exp(first); break;
    case LAW_normal: at->u = first * search->top, at->v = exp(second); break;
    case LAW_uniform: assert(search->law != LAW_uniform); /* is not fitted */
    }
    double a, b;
    fit_law_arguments(at, &a, &b);
    if (distribution_law_problem(search->law, a, b))
        return false;
    if (search->law == LAW_gamma || search->law == LAW_weibull)
        return a >= FIT_SHAPE_LEAST && (search->law == LAW_weibull || a <= FIT_GAMMA_SHAPE_MOST);
    return search->law != LAW_lognormal || at->v <= FIT_SIGMA_MOST;
}

static double log_likelihood(const struct fit_bins *bins, const struct fit_law *law)
{
    struct fit_side low = {0}, high;
    double sum = 0;
    bool known = false; /* the lower side is the upper of the bin before */
    for (size_t i = 0; i < bins->n; i++) {
        if (bins->counts[i] == 0) {
            known = false;
            continue;
        }
        low = known ? high : fit_side_of(law, bins->edges[i]);
        high = fit_side_of(law, bins->edges[i + 1]);
        sum += bins->counts[i] * log(fmax(fit_between(&low, &high), probability_least));
        known = true;
    }
    return sum;
}

static double misfit(const gsl_vector *x, void *argument)
{
    const struct search *search = argument;
    struct fit_law law;
    if (!law_at(search, x, &law))
        return out_of_range;
    double sum = log_likelihood(search->bins, &law);
    return isfinite(sum) ? -sum : out_of_range;
}

/* ---- search ---- */

/* Quartiles of the bins, of which no outlier knows anything. */
struct quartiles {
    double q25, q50, q75;
};

static double quantile_of(const struct fit_bins *bins, double n, double p)
{
    double below = 0;
    for (size_t i = 0; i < bins->n; i++) {
        if (bins->counts[i] > 0 && below + bins->counts[i] >= p * n)
            return bins->edges[i] + (bins->edges[i + 1] - bins->edges[i]) * (p * n - below) / bins->counts[i];
        below += bins->counts[i];
    }
    return bins->edges[bins->n];
}

/* A start: the law whose quartiles are those of the bins, shifted by top - gap. */
static void start_at(const struct search *search, const struct quartiles *q, double gap, gsl_vector *x)
{
    double shift = fmax(search->top - gap, 0), least = 1e-6 * (q->q75 - q->q25);
    double low = fmax(q->q25 - shift, least), middle = fmax(q->q50 - shift, 2 * least);
    double high = fmax(q->q75 - shift, 3 * least), sd = (high - low) / 1.349;
    if (search->law == LAW_normal) {
        gsl_vector_set(x, 0, q->q50 / search->top);
        gsl_vector_set(x, 1, log(sd));
        return;
    }
    gsl_vector_set(x, 0, log(search->top - shift));
    if (search->law == LAW_lognormal) {
        gsl_vector_set(x, 1, log(middle));
        gsl_vector_set(x, 2, log(fmin(log(high / low) / 1.349, FIT_SIGMA_MOST)));
    } else if (search->law == LAW_gamma) {
        gsl_vector_set(x, 1, log(middle + sd / 3));
        double shape = pow((middle + sd / 3) / sd, 2);
        gsl_vector_set(x, 2, log(fmin(fmax(shape, FIT_SHAPE_LEAST), FIT_GAMMA_SHAPE_MOST / 2)));
    } else if (search->law == LAW_weibull) { /* F(q25) = 1/4, F(q75) = 3/4 */
        double shape = fmax(log(log(4) / log(4.0 / 3)) / log(high / low), FIT_SHAPE_LEAST);
        gsl_vector_set(x, 1, log(middle) - log(log(2)) / shape);
        gsl_vector_set(x, 2, log(shape));
    } else {
        gsl_vector_set(x, 1, log(middle / log(2)));
    }
}

/* Goes downhill from x; leaves the best point there and returns its misfit. */
static double descend(struct search *search, gsl_vector *x)
{
    gsl_multimin_function function = {misfit, x->size, search};
    gsl_vector *step = gsl_vector_alloc(x->size);
    gsl_multimin_fminimizer *simplex = gsl_multimin_fminimizer_alloc(gsl_multimin_fminimizer_nmsimplex2, x->size);
    double last = HUGE_VAL, best = misfit(x, search);
    for (int round = 0; round < STARTS && best < last - 1e-3; round++) { /* a simplex may collapse early: once more */
        last = best;
        gsl_vector_set_all(step, round == 0 ? 0.3 : 0.1);
        if (search->law == LAW_normal)
            gsl_vector_set(step, 0, 0.3 * exp(gsl_vector_get(x, 1)) / search->top);
        gsl_multimin_fminimizer_set(simplex, &function, x, step);
        for (int i = 0; i < STEPS_MOST && gsl_multimin_fminimizer_iterate(simplex) == GSL_SUCCESS; i++)
            if (gsl_multimin_fminimizer_size(simplex) < simplex_size)
                break;
        if (gsl_multimin_fminimizer_minimum(simplex) < best) {
            best = gsl_multimin_fminimizer_minimum(simplex);
            gsl_vector_memcpy(x, gsl_multimin_fminimizer_x(simplex));
        }
    }
    gsl_multimin_fminimizer_free(simplex);
    gsl_vector_free(step);
    return best;
}

/* The likeliest law; its misfit is -log L. */
static double search_law(struct search *search, double n, struct fit_law *best_law)
{
    const struct fit_bins *bins = search->bins;
    struct quartiles q = {quantile_of(bins, n, 0.25), quantile_of(bins, n, 0.5), quantile_of(bins, n, 0.75)};
    double spread = q.q75 - q.q25, best = HUGE_VAL;
    /* Just below the first bin, and well below it: likelihoods of shifted laws may have two peaks. */
    const double gaps[] = {0.1 * spread, 2 * spread};
    size_t dimension = search->law == LAW_normal || search->law == LAW_exponential ? 2 : 3;
    gsl_vector *x = gsl_vector_alloc(dimension);
    for (size_t i = 0; i < sizeof gaps / sizeof *gaps; i++) {
        struct fit_law law;
        start_at(search, &q, gaps[i], x);
        double here = descend(search, x);
        if (here >= best || !law_at(search, x, &law))
            continue;
        best = here;
        *best_law = law;
    }
    gsl_vector_free(x);
    return best;
}

void fit_law(struct fit *fit, enum law law, const struct fit_bins *bins)
{
    struct search search = {.bins = bins, .law = law};
    int parameters = 0, occupied = 0;
    for (int i = 0; i < N_LAWS; i++)
        parameters = laws[i].law == law ? laws[i].parameters : parameters;
    assert(parameters > 0);
    *fit = (struct fit){.law = law, .parameters = parameters};
    for (size_t i = 0; i < bins->n; i++) {
        fit->n += bins->counts[i];
        if (bins->counts[i] > 0 && occupied++ == 0)
            search.top = bins->edges[i + 1];
    }
    fit->verdict = fit->n < FIT_SAMPLES_LEAST ? FIT_few : occupied < parameters + 2 ? FIT_bins : FIT_good;
    if (fit->verdict != FIT_good)
        return;
    gsl_error_handler_t *handler = gsl_set_error_handler_off();
    struct fit_law found;
    fit->log_likelihood = -search_law(&search, fit->n, &found);
    if (fit->log_likelihood > -out_of_range) {
        fit->aic = 2 * parameters - 2 * fit->log_likelihood;
        fit_law_arguments(&found, &fit->a, &fit->b);
        fit->shift = found.shift;
        fit_judge(fit, &found, bins);
    } else {
        fit->verdict = FIT_bins; /* nothing near the bins is a law */
    }
    gsl_set_error_handler(handler);
}

void fit_best(struct fit *fit, const struct fit_bins *bins)
{
    for (int i = 0; i < N_LAWS; i++) {
        struct fit next;
        fit_law(&next, laws[i].law, bins);
        bool better = i == 0 || (fit_has_law(&next) && !fit_has_law(fit));
        if (!better && fit_has_law(&next))
            better = (next.verdict == FIT_good) != (fit->verdict == FIT_good) ? next.verdict == FIT_good
                                                                              : next.aic < fit->aic;
        if (better)
            *fit = next;
    }
}
