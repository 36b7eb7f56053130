/* The law at a point of the search, and how well it fits. */
#include "models/fit_impl.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

void fit_law_arguments(const struct fit_law *law, double *a, double *b)
{
    *a = law->u;
    *b = law->law == LAW_exponential ? 0 : law->v;
    if (law->law == LAW_lognormal) {
        *a = exp(law->u + law->v * law->v / 2);
        *b = *a * sqrt(expm1(law->v * law->v));
    }
}

static double law_mean(const struct fit_law *law)
{
    double a, b;
    fit_law_arguments(law, &a, &b);
    return law->shift + (law->law == LAW_gamma ? a * b : law->law == LAW_weibull ? b * exp(lgamma(1 + 1 / a)) : a);
}

struct fit_side fit_side_of(const struct fit_law *law, double time)
{
    double x = time - law->shift, u = law->u, v = law->v, z;
    if (time <= 0 || (law->law != LAW_normal && x <= 0))
        return (struct fit_side){0, false};
    switch (law->law) {
    case LAW_lognormal:
    case LAW_normal:
        z = law->law == LAW_normal ? (x - u) / v : (log(x) - u) / v;
        return (struct fit_side){0.5 * erfc(fabs(z) / M_SQRT2), z > 0};
    case LAW_gamma:
        if (x > u * v)
            return (struct fit_side){gsl_cdf_gamma_Q(x, u, v), true};
        return (struct fit_side){gsl_cdf_gamma_P(x, u, v), false};
    case LAW_weibull:
    case LAW_exponential:
        z = law->law == LAW_weibull ? pow(x / v, u) : x / u;
        return z > M_LN2 ? (struct fit_side){exp(-z), true} : (struct fit_side){-expm1(-z), false};
    case LAW_uniform:
        break;
    }
    return (struct fit_side){0, false};
}

double fit_between(const struct fit_side *low, const struct fit_side *high)
{
    if (low->upper)
        return low->p - high->p;
    return high->upper ? 1 - low->p - high->p : high->p - low->p;
}

static double beyond(const struct fit_side *side)
{
    return side->upper ? side->p : 1 - side->p;
}

/* The distance at the edges, and the tail: more than twice or less than half of what is expected beyond an edge, where
 * that is least likely to be chance. Returns that chance. */
static double edges_compare(struct fit *fit, const struct fit_law *law, const struct fit_bins *bins)
{
    static const double tail_share = 0.1;
    double measured = fit->n, worst = 1; /* samples beyond the edge, exact below 2^53 */
    fit->ks = 0;
    for (size_t i = 0; i <= bins->n; i++) {
        struct fit_side side = fit_side_of(law, bins->edges[i]);
        double share = fmax(measured, 0) / fit->n, expected = beyond(&side);
        fit->ks = fmax(fit->ks, fabs(share - expected));
        if (share <= tail_share && expected <= tail_share && fmax(share, expected) > 2 * fmin(share, expected)) {
            double mean = expected * fit->n, seen = fmax(round(measured), 0);
            double chance = seen > mean ? mean > 0 ? gsl_cdf_gamma_P(mean, seen, 1) : 0
                                        : gsl_cdf_gamma_Q(mean, seen + 1, 1);
            if (chance < worst) {
                worst = chance;
                fit->tail_time = bins->edges[i];
                fit->tail_measured = share;
                fit->tail_law = expected;
            }
        }
        if (i < bins->n)
            measured -= bins->counts[i];
    }
    return worst;
}

/* Pearson's test; cells of at least 5 expected samples, the last also of what is left. */
static double chi2_probability(const struct fit *fit, const struct fit_law *law, const struct fit_bins *bins)
{
    static const double expected_least = 5;
    struct fit_side low = {0, false};
    double sum = 0, seen = 0, left = fit->n, left_expected = fit->n;
    int cells = 0;
    for (size_t i = 0; i < bins->n; i++) {
        struct fit_side high = fit_side_of(law, bins->edges[i + 1]);
        double expected = fit->n * fit_between(&low, &high);
        seen += bins->counts[i];
        if (expected < expected_least || left_expected - expected < expected_least)
            continue;
        sum += (seen - expected) * (seen - expected) / expected;
        cells++;
        left -= seen;
        left_expected -= expected;
        seen = 0;
        low = high;
    }
    if (left_expected > 0) {
        sum += (left - left_expected) * (left - left_expected) / left_expected;
        cells++;
    }
    int freedom = cells - 1 - fit->parameters;
    return freedom > 0 ? gsl_cdf_chisq_Q(sum, freedom) : NAN;
}

void fit_judge(struct fit *fit, const struct fit_law *law, const struct fit_bins *bins)
{
    double mean = 0;
    for (size_t i = 0; i < bins->n; i++)
        mean += bins->counts[i] / fit->n * (bins->edges[i] + bins->edges[i + 1]) / 2;
    double chance = edges_compare(fit, law, bins);
    fit->chi2_p = chi2_probability(fit, law, bins);
    fit->mean_error = (law_mean(law) - mean) / mean;
    if (fit->ks > fmax(FIT_KS_MOST, FIT_KS_CHANCE / sqrt(fit->n)))
        fit->verdict = FIT_shape;
    else if (chance < FIT_TAIL_CHANCE)
        fit->verdict = FIT_tail;
    else if (fabs(fit->mean_error) > FIT_MEAN_MOST)
        fit->verdict = FIT_mean;
    else
        fit->verdict = FIT_good;
}
