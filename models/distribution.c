#include "models/distribution.h"

#include "common/alloc.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Room for n points; two more are needed where the function starts below zero and crosses it. */
static void points_init(struct distribution *d, size_t n)
{
    d->n = 0;
    d->counted = 0;
    d->p = alloc_array(n + 2, sizeof *d->p);
    d->t = alloc_array(n + 2, sizeof *d->t);
}

static void points_add(struct distribution *d, double p, double t)
{
    d->p[d->n] = p;
    d->t[d->n++] = t;
}

/* Adds the next point of a quantile function as it stands before cutting; what lies below zero becomes one flat piece
 * up to the point where the line crosses zero. *last_t: the uncut value of the point before. */
static void points_add_cut(struct distribution *d, double p, double t, double *last_t)
{
    if (d->n == 0) {
        points_add(d, p, fmax(t, 0));
    } else if (t <= 0) {
        if (d->n == 1)
            points_add(d, p, 0);
        else
            d->p[1] = p;
    } else if (*last_t < 0) {
        double last_p = d->p[d->n - 1];
        double crossing = last_p + (p - last_p) * (-*last_t / (t - *last_t));
        if (d->n == 1)
            points_add(d, crossing, 0);
        else
            d->p[1] = crossing;
        points_add(d, p, t);
    } else {
        points_add(d, p, t);
    }
    *last_t = t;
}

static void points_finish(struct distribution *d)
{
    assert(d->n >= 2 && d->p[0] == 0 && d->p[d->n - 1] == 1);
    d->minimum = d->t[0];
    d->average = distribution_mean(d);
}

void distribution_constant(struct distribution *d, double value)
{
    assert(isfinite(value));
    points_init(d, 2);
    points_add(d, 0, fmax(value, 0));
    points_add(d, 1, fmax(value, 0));
    d->minimum = d->average = fmax(value, 0);
}

void distribution_histogram(struct distribution *d, size_t n, const double edges[], const double counts[])
{
    long double total = 0, below = 0;
    bool whole = true; /* else they are parts of something */
    for (size_t i = 0; i < n; i++) {
        total += counts[i];
        whole = whole && counts[i] == floor(counts[i]);
    }
    assert(n >= 1 && total > 0);
    points_init(d, 2 * n);
    double last_t = 0;
    size_t last_bin = n;
    while (counts[last_bin - 1] == 0)
        last_bin--;
    for (size_t i = 0; i < last_bin; i++) {
        if (counts[i] == 0)
            continue;
        assert(edges[i] <= edges[i + 1]);
        bool touches = i > 0 && counts[i - 1] > 0;
        if (!touches)
            points_add_cut(d, (double)(below / total), edges[i], &last_t);
        below += counts[i];
        points_add_cut(d, i + 1 == last_bin ? 1 : (double)(below / total), edges[i + 1], &last_t);
    }
    points_finish(d);
    d->counted = whole ? (double)total : 0;
}

void distribution_points(struct distribution *d, size_t n, const double p[], const double t[])
{
    assert(n >= 2 && p[0] == 0 && p[n - 1] == 1);
    points_init(d, n);
    double last_t = 0;
    for (size_t i = 0; i < n; i++) {
        assert(i == 0 || (p[i] >= p[i - 1] && t[i] >= t[i - 1]));
        points_add_cut(d, p[i], t[i], &last_t);
    }
    points_finish(d);
}

void distribution_copy(struct distribution *d, const struct distribution *from)
{
    *d = *from;
    d->p = alloc_array(from->n, sizeof *d->p);
    d->t = alloc_array(from->n, sizeof *d->t);
    memcpy(d->p, from->p, from->n * sizeof *d->p);
    memcpy(d->t, from->t, from->n * sizeof *d->t);
}

void distribution_free(struct distribution *d)
{
    free(d->p);
    free(d->t);
    memset(d, 0, sizeof *d);
}

double distribution_mean(const struct distribution *d)
{
    long double sum = 0;
    for (size_t i = 1; i < d->n; i++)
        sum += ((long double)d->p[i] - d->p[i - 1]) * ((long double)d->t[i - 1] + d->t[i]) / 2;
    return (double)sum;
}

double distribution_quantile(const struct distribution *d, double p)
{
    assert(p >= 0 && p <= 1);
    /* The last point with p[low] <= p: at a jump the upper side. */
    size_t low = 0, high = d->n;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (d->p[middle] <= p)
            low = middle;
        else
            high = middle;
    }
    if (low + 1 == d->n)
        return d->t[low];
    return d->t[low] + (d->t[low + 1] - d->t[low]) * ((p - d->p[low]) / (d->p[low + 1] - d->p[low]));
}

bool distribution_is_constant(const struct distribution *d)
{
    return d->t[0] == d->t[d->n - 1];
}

void mix_scale(struct mix *mix, double factor)
{
    for (int i = 0; i < mix->n; i++)
        mix->weight[i] *= factor;
}
