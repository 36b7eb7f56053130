#include "clock/clock_fit.h"

#include "common/alloc.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* Times relative to the first trip, ns: small enough for products in a double. */
struct point {
    double t, limit;
};
struct hull {
    size_t n;
    struct point *points;
};

/* Adds a point on the right of the lower hull (Andrew's monotone chain). */
static void hull_add(struct hull *hull, struct point p)
{
    while (hull->n >= 2) {
        struct point a = hull->points[hull->n - 2], b = hull->points[hull->n - 1];
        if ((b.limit - a.limit) * (p.t - a.t) < (p.limit - a.limit) * (b.t - a.t))
            break;
        hull->n--;
    }
    hull->points[hull->n++] = p;
}

/* Ordinate at t inside the hull's range; `at` walks to the right with t. */
static double hull_value(const struct hull *hull, double t, size_t *at)
{
    while (*at + 1 < hull->n && hull->points[*at + 1].t < t)
        ++*at;
    struct point a = hull->points[*at];
    if (*at + 1 == hull->n || t <= a.t)
        return a.limit;
    struct point b = hull->points[*at + 1];
    return a.limit + (b.limit - a.limit) * ((t - a.t) / (b.t - a.t));
}

/* The narrowest place is at a vertex of one of the hulls, as the width is convex between them. */
static void narrowest(const struct hull *upper, const struct hull *lower, double from, double to, double *t,
                      double *high, double *low)
{
    size_t i = 0, j = 0, at_upper = 0, at_lower = 0;
    double best = INFINITY;
    for (;;) {
        double next = INFINITY;
        if (i < upper->n)
            next = upper->points[i].t;
        if (j < lower->n)
            next = fmin(next, lower->points[j].t);
        if (!isfinite(next))
            return;
        i += i < upper->n && upper->points[i].t <= next;
        j += j < lower->n && lower->points[j].t <= next;
        double place = fmin(fmax(next, from), to);
        double above = hull_value(upper, place, &at_upper), below = -hull_value(lower, place, &at_lower);
        if (above - below < best) {
            best = above - below;
            *t = place, *high = above, *low = below;
        }
    }
}

static int64_t slack_of(size_t n, const struct clock_trip trips[])
{
    enum { TENTH = 10 };
    int64_t quickest[TENTH];
    size_t m = 0;
    for (size_t i = 0; i < n; i++) {
        int64_t took = trips[i].received - trips[i].sent;
        if (m == TENTH && took >= quickest[m - 1])
            continue;
        size_t k = m < TENTH ? m++ : m - 1;
        for (; k > 0 && quickest[k - 1] > took; k--)
            quickest[k] = quickest[k - 1];
        quickest[k] = took;
    }
    return quickest[m - 1] - quickest[0];
}

struct clock_match clock_fit(size_t n, const struct clock_trip trips[])
{
    assert(n > 0);
    int64_t local0 = trips[0].sent, offset0 = trips[0].remote - trips[0].sent;
    struct hull upper = {0, alloc_array(n, sizeof *upper.points)}, lower = {0, alloc_array(n, sizeof *lower.points)};
    for (size_t i = 0; i < n; i++) {
        const struct clock_trip *trip = &trips[i];
        double sent = (double)(trip->sent - local0), received = (double)(trip->received - local0);
        hull_add(&upper, (struct point){sent, (double)(trip->remote - trip->sent - offset0)});
        hull_add(&lower, (struct point){received, -(double)(trip->remote - trip->received - offset0)});
    }
    double t = 0, high = 0, low = 0;
    double from = (double)(trips[0].received - local0), to = (double)(trips[n - 1].sent - local0);
    if (n == 1)
        from = to = from / 2;
    narrowest(&upper, &lower, from, to, &t, &high, &low);
    free(upper.points);
    free(lower.points);
    int64_t local = llround(t);
    return (struct clock_match){local0 + local, local0 + local + offset0 + llround((high + low) / 2),
                                llround(ceil(fabs(high - low) / 2)) + 1, slack_of(n, trips)};
}
