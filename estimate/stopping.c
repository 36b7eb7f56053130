#include "estimate/stopping.h"

#include "common/alloc.h"

#include <assert.h>
#include <math.h>

static const char *const texts[] = {
#define X(name, text) text,
    STOP_LIST(X)
#undef X
};

const char *stop_text(enum stop stop)
{
    return texts[stop];
}

/* P(B <= k), B ~ binomial(n, 1/2), k < n / 2: the terms from k downwards fall faster and faster. */
static double binomial_half(size_t n, size_t k)
{
    double N = (double)n, K = (double)k;
    double term = exp(lgamma(N + 1) - lgamma(K + 1) - lgamma(N - K + 1) - N * log(2)), sum = term;
    for (double i = K; i > 0 && term > 1e-17 * sum; i--) {
        term *= i / (N - i + 1);
        sum += term;
    }
    return sum;
}

bool stopping_median_ranks(size_t n, double confidence, size_t *low, size_t *high)
{
    assert(confidence > 0 && confidence < 1);
    if (n == 0 || 1 - 2 * binomial_half(n, 0) < confidence)
        return false;
    size_t good = 0, bad = (n + 1) / 2;
    while (bad - good > 1) {
        size_t middle = good + (bad - good) / 2;
        if (1 - 2 * binomial_half(n, middle) >= confidence)
            good = middle;
        else
            bad = middle;
    }
    *low = good;
    *high = n - 1 - good;
    return true;
}

double stopping_precision(const struct samples *sorted, double confidence)
{
    size_t low, high;
    if (!stopping_median_ranks(sorted->n, confidence, &low, &high))
        return INFINITY;
    double median = samples_median(sorted);
    double distance = fmax(median - (double)sorted->ns[low], (double)sorted->ns[high] - median);
    if (distance <= 0)
        return 0;
    return median > 0 ? distance / median : INFINITY;
}

enum stop stopping_decide(const struct stopping *rule, const struct samples *samples, double elapsed)
{
    if (samples->n >= rule->minimum) {
        struct samples sorted = SAMPLES_EMPTY;
        samples_append(&sorted, samples->n, samples->ns);
        samples_sort(&sorted);
        double precision = stopping_precision(&sorted, rule->confidence);
        samples_free(&sorted);
        if (precision <= rule->precision)
            return STOP_precise;
    }
    if (samples->n >= rule->maximum)
        return STOP_maximum;
    return elapsed >= rule->time_cap ? STOP_time : STOP_go_on;
}

size_t stopping_next_look(const struct stopping *rule, size_t n)
{
    size_t next = n < rule->minimum ? rule->minimum : n + n / 10;
    if (next > rule->maximum)
        next = rule->maximum;
    return next > n ? next : n + 1;
}
