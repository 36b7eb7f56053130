#include "models/measured/rare.h"

#include "common/alloc.h"

#include <math.h>
#include <stdlib.h>

static const double LATE = 2; /* medians */
static const double CHANCE = 1e-3;

/* 1 - F(t). */
static double beyond(const struct distribution *d, double t)
{
    size_t low = 0, high = d->n; /* the first point above t */
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (d->t[middle] > t)
            high = middle;
        else
            low = middle + 1;
    }
    if (low == 0)
        return 1;
    if (low == d->n)
        return 0;
    const double part = (t - d->t[low - 1]) / (d->t[low] - d->t[low - 1]);
    return 1 - (d->p[low - 1] + part * (d->p[low] - d->p[low - 1]));
}

struct pool {
    size_t n;
    const struct distribution *const *part;
    const double *median;
    double number, time; /* sums of n and of n m */
};

/* S_i(d). */
static double pool_share(const struct pool *pool, size_t size, double later)
{
    double number = 0;
    for (size_t i = 0; i < pool->n; i++)
        if (pool->part[i]->counted > 0)
            number += pool->part[i]->counted * beyond(pool->part[i], pool->median[i] + later);
    return number * (pool->median[size] + later) / (pool->time + pool->number * later);
}

/* Whether there are `number` where so many are expected with a probability below CHANCE. */
static bool is_no_chance(double number, double expected)
{
    double term = exp(-expected), fewer = 0;
    for (int i = 0; i < number - 0.5; i++) {
        fewer += term;
        term *= expected / (i + 1);
    }
    return 1 - fewer < CHANCE;
}

/* How often more than the point's time is taken, for the late points from `first` on. True: by something else than the part has. */
static bool late_weigh(const struct pool *pool, size_t size, size_t first, double often[])
{
    const struct distribution *d = pool->part[size];
    bool changed = false, own = false;
    for (size_t i = d->n; i-- > first;) {
        often[i] = 1 - d->p[i];
        if (own || often[i] == 0)
            continue;
        const double expected = pool_share(pool, size, d->t[i] - pool->median[size]);
        own = is_no_chance(d->counted * often[i], d->counted * expected);
        if (own || expected >= often[i])
            continue;
        often[i] = expected;
        changed = true;
    }
    return changed;
}

static void part_pool(const struct pool *pool, size_t size, struct distribution *out)
{
    const struct distribution *d = pool->part[size];
    size_t first = 0;
    while (first < d->n && d->t[first] <= LATE * pool->median[size])
        first++;
    if (first == 0 || first == d->n)
        return;
    double *p = alloc_array(d->n, sizeof *p);
    if (late_weigh(pool, size, first, p)) {
        const double left = (1 - p[first]) / d->p[first];
        for (size_t i = 0; i < first; i++)
            p[i] = fmin(d->p[i] * left, 1 - p[first]);
        for (size_t i = first; i < d->n; i++)
            p[i] = i + 1 == d->n ? 1 : fmax(1 - p[i], p[i - 1]);
        distribution_points(out, d->n, p, d->t);
    }
    free(p);
}

void rare_pool(size_t n, const struct distribution *const part[], struct distribution out[])
{
    double *median = alloc_array(n, sizeof *median);
    struct pool pool = {.n = n, .part = part, .median = median};
    for (size_t i = 0; i < n; i++) {
        out[i] = (struct distribution){0};
        median[i] = distribution_quantile(part[i], 0.5);
        pool.number += part[i]->counted;
        pool.time += part[i]->counted * median[i];
    }
    for (size_t i = 0; pool.time > 0 && i < n; i++)
        if (part[i]->counted > 0)
            part_pool(&pool, i, &out[i]);
    free(median);
}
