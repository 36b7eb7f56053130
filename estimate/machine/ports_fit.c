#include "estimate/machine/ports_fit.h"

#include "common/alloc.h"

#include <math.h>
#include <stdlib.h>

static const double MISFIT_MOST = 3;     /* times the least: fits that say as much of the credit as the best */
static const double MISFIT_SMALL = 0.02; /* of the credit: as good as none */
static const double LONG_PART = 0.5;     /* of the longest gap at which a credit stands out: few of these fit into a
                                          * frame */

/* The median of the bursts of one length. */
struct knot {
    int k;
    double last;
};

static int value_compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double ports_median(size_t n, double values[])
{
    qsort(values, n, sizeof *values, value_compare);
    return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

bool ports_alike(size_t n, const double times[], size_t enough, double part)
{
    double least = INFINITY, most = 0;
    for (size_t i = 0; i < n; i++) {
        least = fmin(least, times[i]);
        most = fmax(most, times[i]);
    }
    return n >= enough && most <= (1 + part) * least;
}

static int burst_compare(const void *a, const void *b)
{
    return ((const struct ports_burst *)a)->k - ((const struct ports_burst *)b)->k;
}

/* Medians by length, ascending; returns how many. knots, values: [n]. */
static size_t knots_make(size_t n, const struct ports_burst bursts[], struct knot knots[])
{
    struct ports_burst *sorted = alloc_array(n, sizeof *sorted);
    double *values = alloc_array(n, sizeof *values);
    size_t n_knots = 0;
    for (size_t i = 0; i < n; i++)
        sorted[i] = bursts[i];
    qsort(sorted, n, sizeof *sorted, burst_compare);
    for (size_t first = 0, next; first < n; first = next) {
        for (next = first; next < n && sorted[next].k == sorted[first].k; next++)
            values[next - first] = sorted[next].last;
        knots[n_knots++] = (struct knot){sorted[first].k, ports_median(next - first, values)};
    }
    free(sorted);
    free(values);
    return n_knots;
}

static double line_at(double transit, double gap, double credit, int k)
{
    return transit + fmax(0, (k - 1) * gap - credit);
}

/* Sum of absolute deviations; *worst: the largest. */
static double deviation(size_t n, const struct knot knots[], double transit, double gap, double credit, double *worst)
{
    double sum = 0;
    *worst = 0;
    for (size_t i = 0; i < n; i++) {
        double d = fabs(knots[i].last - line_at(transit, gap, credit, knots[i].k));
        sum += d;
        *worst = fmax(*worst, d);
    }
    return sum;
}

/* Keeps the better of the best line so far and this one. */
static void line_try(size_t n, const struct knot knots[], double gap, double credit, struct ports_gap *best,
                     double *least)
{
    double worst;
    if (!(gap >= 0) || !(credit >= 0))
        return;
    double sum = deviation(n, knots, best->transit, gap, credit, &worst);
    if (sum < *least) {
        *least = sum;
        best->gap = gap;
        best->credit = credit;
        best->misfit = worst;
    }
}

/* Leaves out the lengths whose median is above what so many messages more than the length before can take without a
 * loss. */
static size_t knots_without_losses(size_t n, struct knot knots[], double most)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (i == 0 || knots[i].last <= knots[kept - 1].last + (knots[i].k - knots[kept - 1].k) * most)
            knots[kept++] = knots[i];
    return kept;
}

bool ports_fit_gap(size_t n, const struct ports_burst bursts[], double most, struct ports_gap *fit)
{
    struct knot *knots = alloc_array(n, sizeof *knots);
    size_t n_knots = knots_without_losses(knots_make(n, bursts, knots), knots, most);
    bool good = n_knots >= 2 && knots[0].k == 1;
    if (good) {
        double least = HUGE_VAL, transit = knots[0].last;
        struct ports_gap best = {.transit = transit};
        /* A line of least absolute deviations goes through two of the points, or one where credit is bounded by 0. */
        line_try(n_knots, knots, 0, 0, &best, &least);
        for (size_t j = 1; j < n_knots; j++) {
            line_try(n_knots, knots, (knots[j].last - transit) / (knots[j].k - 1), 0, &best, &least);
            for (size_t i = 1; i < j; i++) {
                double gap = (knots[j].last - knots[i].last) / (knots[j].k - knots[i].k);
                line_try(n_knots, knots, gap, (knots[i].k - 1) * gap - (knots[i].last - transit), &best, &least);
            }
        }
        *fit = best;
    }
    free(knots);
    return good;
}

static bool credit_stands_out(const struct ports_gap *gap, double noise)
{
    return gap->credit > noise * gap->transit && gap->credit > 0.1 * gap->gap;
}

static double credit_of(const struct ports_gap *gap)
{
    return gap->credit + gap->gap;
}

/* Of a port's credit: a misfit of 70 us is little beside 1.3 ms, and much beside 0.4 ms. */
static double misfit_part(const struct ports_gap *gap)
{
    return gap->misfit / credit_of(gap);
}

/* Leaves out those of shorter messages; returns how many are left. */
static size_t gaps_keep_long(size_t n, struct ports_gap gaps[])
{
    double longest = 0;
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        longest = fmax(longest, gaps[i].gap);
    for (size_t i = 0; i < n; i++)
        if (gaps[i].gap >= LONG_PART * longest)
            gaps[kept++] = gaps[i];
    return kept;
}

/* Leaves out those that the line fits worse than the best of them; returns how many are left. */
static size_t gaps_keep_fitted(size_t n, struct ports_gap gaps[])
{
    double least = HUGE_VAL;
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        least = fmin(least, misfit_part(&gaps[i]));
    for (size_t i = 0; i < n; i++)
        if (misfit_part(&gaps[i]) <= fmax(MISFIT_MOST * least, MISFIT_SMALL))
            gaps[kept++] = gaps[i];
    return kept;
}

/* Of messages shorter than `below` bytes; 0: it stands out at none. */
static double credit_below(size_t n, const struct ports_gap gaps[], double below, double noise)
{
    struct ports_gap *good = alloc_array(n, sizeof *good);
    double *credits = alloc_array(n, sizeof *credits);
    size_t n_good = 0;
    for (size_t i = 0; i < n; i++)
        if ((double)gaps[i].bytes < below && credit_stands_out(&gaps[i], noise))
            good[n_good++] = gaps[i];
    n_good = gaps_keep_fitted(gaps_keep_long(n_good, good), good);
    for (size_t i = 0; i < n_good; i++)
        credits[i] = credit_of(&good[i]);
    const double credit = n_good > 0 ? ports_median(n_good, credits) : 0;
    free(credits);
    free(good);
    return credit;
}

double ports_fit_credit(size_t n, const struct ports_gap gaps[], double frame, double noise)
{
    const double credit = credit_below(n, gaps, frame, noise);
    return credit > 0 ? credit : credit_below(n, gaps, HUGE_VAL, noise);
}
