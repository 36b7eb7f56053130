#include "models/escalation.h"

#include "common/alloc.h"
#include "models/bspline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- surfaces ---- */

/* x as lines[i] + (1 - weight, weight) of the way to lines[i + 1]. */
static size_t line_find(size_t n, const double lines[], double x, double *weight)
{
    size_t i = 0;
    *weight = 0;
    if (n == 1 || x <= lines[0])
        return 0;
    while (i + 2 < n && x >= lines[i + 1])
        i++;
    *weight = x >= lines[n - 1] ? 1 : (x - lines[i]) / (lines[i + 1] - lines[i]);
    return i;
}

/* p: of the grid's points. */
static double grid_at(const struct machine_surface *s, const double p[], double numprocs, double bytes)
{
    double wn, wb;
    size_t i = line_find(s->n_numprocs, s->numprocs, numprocs, &wn), j = line_find(s->n_bytes, s->bytes, bytes, &wb);
    size_t next_i = i + (wn > 0), next_j = j + (wb > 0), row = s->n_bytes;
    return (1 - wn) * ((1 - wb) * p[i * row + j] + wb * p[i * row + next_j]) +
           wn * ((1 - wb) * p[next_i * row + j] + wb * p[next_i * row + next_j]);
}

static double spline_at(const struct machine_surface *s, const double coefficients[], double numprocs, double bytes)
{
    double by_n[BSPLINE_DEGREE_MOST + 1], by_M[BSPLINE_DEGREE_MOST + 1], sum = 0;
    size_t i = bspline_basis(s->n_numprocs, s->numprocs, s->degree_numprocs, numprocs, by_n);
    size_t j = bspline_basis(s->n_bytes, s->bytes, s->degree_bytes, bytes, by_M);
    size_t row = s->n_bytes - (size_t)s->degree_bytes - 1;
    for (size_t a = 0; a <= (size_t)s->degree_numprocs; a++)
        for (size_t b = 0; b <= (size_t)s->degree_bytes; b++)
            sum += by_n[a] * by_M[b] * coefficients[(i + a) * row + j + b];
    return sum;
}

double surface_at(const struct machine_surface *s, double numprocs, double bytes)
{
    return s->is_spline ? spline_at(s, s->coefficients, numprocs, bytes) : grid_at(s, s->p, numprocs, bytes);
}

static double as_probability(double value)
{
    return fmax(0, fmin(1, value));
}

bool surface_interval(const struct machine_surface *s, double numprocs, double bytes, double *low, double *high)
{
    if (!s->low)
        return false;
    *low = as_probability(s->is_spline ? spline_at(s, s->low, numprocs, bytes) : grid_at(s, s->low, numprocs, bytes));
    *high = as_probability(s->is_spline ? spline_at(s, s->high, numprocs, bytes) : grid_at(s, s->high, numprocs, bytes));
    return true;
}

/* ---- probabilities ---- */

bool escalation_probabilities(const struct machine_lmo *lmo, int numprocs, double bytes, double p[])
{
    double sum = 0;
    memset(p, 0, lmo->n_levels * sizeof *p);
    if (!lmo->probability || bytes < machine_curve_at(&lmo->M1, numprocs) || bytes > lmo->M2)
        return false;
    for (size_t i = 0; i < lmo->n_levels; i++) {
        p[i] = fmax(0, surface_at(&lmo->probability[i], numprocs, bytes));
        sum += p[i];
    }
    bool certain = lmo->Mc.n > 0 && bytes >= machine_curve_at(&lmo->Mc, numprocs);
    if (certain && sum == 0)
        p[0] = sum = 1;
    for (size_t i = 0; i < lmo->n_levels && (certain || sum > 1); i++)
        p[i] /= sum;
    return sum > 0;
}

/* How often one escalates after one that did as `before` says, in parts of how often it does on the whole, p in (0, 1]; longer:
 * how often that shows, as it does not at a level below the linear part. */
static double part_after(double p, double longer, double dependence, enum collective_before before)
{
    if (before == BEFORE_unknown || p >= 1 || longer == 0)
        return 1;
    const double most = fmin(p / longer, (1 - p) / (1 - longer)), least = -fmin(p / (1 - longer), (1 - p) / longer);
    const double d = fmax(least, fmin(most, dependence));
    return 1 + (before == BEFORE_longer ? d * (1 - longer) : -d * longer) / p;
}

static double level_time(const struct machine_lmo *lmo, size_t level, double linear)
{
    return lmo->levels_added ? linear + lmo->levels[level] : fmax(linear, lmo->levels[level]);
}

bool escalation_time(const struct machine_lmo *lmo, int numprocs, double bytes, double linear, enum collective_before before,
                     struct distribution *time)
{
    size_t n = 0;
    double *p = alloc_zeroed(lmo->n_levels, sizeof *p);
    double *end = alloc_array(2 * lmo->n_levels + 2, sizeof *end), *t = alloc_array(2 * lmo->n_levels + 2, sizeof *t);
    bool escalates = lmo->n_levels > 0 && escalation_probabilities(lmo, numprocs, bytes, p);
    double at = 1, sum = 0, longer = 0;
    for (size_t i = 0; i < lmo->n_levels; i++) {
        sum += p[i];
        longer += level_time(lmo, i, linear) > linear ? p[i] : 0;
    }
    const double part = escalates ? part_after(sum, longer, lmo->dependence, before) : 1;
    for (size_t i = 0; i < lmo->n_levels; i++)
        at -= p[i] *= part;
    at = at > 1e-12 ? at : 0; /* rounding: above Mc nothing is linear */
    if (at > 0) {
        end[n] = 0, t[n++] = linear;
        end[n] = at, t[n++] = linear;
    }
    for (size_t i = 0; i < lmo->n_levels; i++) {
        if (p[i] == 0)
            continue;
        double level = level_time(lmo, i, linear);
        end[n] = at, t[n++] = level;
        at += p[i];
        end[n] = at, t[n++] = level;
    }
    if (escalates) {
        end[n - 1] = 1;
        distribution_points(time, n, end, t);
    }
    free(p);
    free(end);
    free(t);
    return escalates;
}
