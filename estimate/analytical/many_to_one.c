#include "estimate/analytical/many_to_one.h"

#include "common/alloc.h"
#include "estimate/analytical/levels.h"
#include "estimate/analytical/lmo_formula.h"
#include "estimate/analytical/surface_fit.h"
#include "estimate/analytical/thresholds.h"
#include "models/lmo_collective.h"

#include <assert.h>
#include <gsl/gsl_multifit.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BREAK_POINTS = 8, RESAMPLES = 100, PASSES = 3 };
#define NEAR 0.1 /* of the linear part: what is within it belongs to it. Levels that are not much larger must not bend it */
#define NOISE 0.03 /* likewise of a long one, of which a tenth is more than ESCALATION_LEAST */
#define LOW 0.25 /* quantile of the first line: up to three quarters of the sizes may escalate always */

/* As many intervals as there are values: shares need not grow with the size (of 16 hosts 94 in 100 escalate at 4 KiB,
 * 26 at 8 KiB and 75 at 16 KiB), and each is known to 0.1. Straight between what was measured: of degree 2, whose
 * coefficients stay in [0, 1] too, no surface comes through such shares. */
static const struct surface_shape shape = {1, 1, 64, 64};

/* ---- points ---- */

static double least_time(const struct flat_point *point)
{
    double least = INFINITY;
    for (size_t r = 0; r < point->times.n; r++)
        least = fmin(least, point->times.t[r]);
    return least;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The median of times from low to high; NAN: there are none. */
static double median_between(const struct flat_point *point, double low, double high)
{
    double *sorted = alloc_array(point->times.n + 1, sizeof *sorted), median = NAN;
    size_t n = 0;
    for (size_t r = 0; r < point->times.n; r++)
        if (point->times.t[r] >= low && point->times.t[r] <= high)
            sorted[n++] = point->times.t[r];
    qsort(sorted, n, sizeof *sorted, by_size);
    if (n > 0)
        median = (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
    free(sorted);
    return median;
}

/* The median of what is near the linear part; NAN: none is. */
static double median_near(const struct flat_point *point, double linear)
{
    double near = fmin(NEAR * linear, fmax(NOISE * linear, ESCALATION_LEAST));
    return median_between(point, linear - near, linear + near);
}

static double limit_of(double linear)
{
    return (1 + LEVEL_MARGIN) * linear + ESCALATION_LEAST;
}

static double count_above(const struct flat_point *point, double limit)
{
    double n = 0;
    for (size_t r = 0; r < point->times.n; r++)
        n += point->times.t[r] > limit;
    return n;
}

/* Points `from` up to the one returned are of one number of processes. */
static size_t group_end(size_t n, const struct flat_point points[], size_t from)
{
    size_t end = from;
    while (end < n && points[end].numprocs == points[from].numprocs)
        end++;
    return end;
}

/* ---- lines ---- */

struct line {
    double c0, c1;
};

static double line_at(const struct line *line, double x)
{
    return line->c0 + line->c1 * x;
}

/* What the check function of quantile LOW makes of a line's misses, in parts of the times. */
static double line_cost(const struct line *line, size_t n, const double x[], const double y[])
{
    double cost = 0;
    for (size_t i = 0; i < n; i++) {
        double miss = (y[i] - line_at(line, x[i])) / y[i];
        cost += miss > 0 ? LOW * miss : (LOW - 1) * miss;
    }
    return cost;
}

/* The best line goes through two points: all pairs are tried. */
static struct line line_low(size_t n, const double x[], const double y[])
{
    struct line best = {n > 0 ? y[0] : 0, 0};
    double least = INFINITY;
    for (size_t j = 1; j < n; j++)
        for (size_t i = 0; i < j; i++) {
            struct line line = {0, (y[j] - y[i]) / (x[j] - x[i])};
            line.c0 = y[i] - line.c1 * x[i];
            double cost = line_cost(&line, n, x, y);
            if (cost < least)
                least = cost, best = line;
        }
    return best;
}

/* Least squares of misses in parts of the times. */
static struct line line_squares(size_t n, const double x[], const double y[])
{
    double w = 0, wx = 0, wy = 0, wxx = 0, wxy = 0;
    for (size_t i = 0; i < n; i++) {
        double weight = 1 / (y[i] * y[i]);
        w += weight, wx += weight * x[i], wy += weight * y[i];
    }
    for (size_t i = 0; i < n; i++) {
        double weight = 1 / (y[i] * y[i]), from_mean = x[i] - wx / w;
        wxx += weight * from_mean * from_mean, wxy += weight * from_mean * (y[i] - wy / w);
    }
    struct line line = {0, wxy / wxx};
    line.c0 = wy / w - line.c1 * wx / w;
    return line;
}

/* Of the group's points with low < bytes <= high. False: fewer than two sizes have a time that has not escalated. */
static bool line_fit(size_t n, const struct flat_point group[], double low, double high, struct line *line)
{
    double *x = alloc_array(n + 1, sizeof *x), *y = alloc_array(n + 1, sizeof *y);
    size_t k = 0;
    for (size_t i = 0; i < n; i++)
        if (group[i].bytes > low && group[i].bytes <= high)
            x[k] = group[i].bytes, y[k++] = least_time(&group[i]);
    bool known = k >= 2;
    if (known) {
        *line = line_low(k, x, y);
        for (int pass = 0; pass < PASSES && k >= 2; pass++) {
            k = 0;
            for (size_t i = 0; i < n; i++) {
                double median = median_near(&group[i], line_at(line, group[i].bytes));
                if (group[i].bytes > low && group[i].bytes <= high && !isnan(median))
                    x[k] = group[i].bytes, y[k++] = median;
            }
            if (k >= 2)
                *line = line_squares(k, x, y);
        }
    }
    free(x);
    free(y);
    return known;
}

/* The linear part of all points: linear [n]. */
static void linear_find(size_t n, const struct flat_point points[], double M2, double linear[])
{
    for (size_t from = 0, end; from < n; from = end) {
        end = group_end(n, points, from);
        struct line below, above;
        bool has_below = line_fit(end - from, points + from, 0, M2, &below);
        bool has_above = line_fit(end - from, points + from, M2, INFINITY, &above);
        for (size_t i = from; i < end; i++) {
            bool is_above = points[i].bytes > M2;
            if ((is_above && has_above) || !has_below) /* a single size above M2: the line below goes on */
                linear[i] = has_above ? line_at(&above, points[i].bytes) : least_time(&points[i]);
            else
                linear[i] = line_at(&below, points[i].bytes);
        }
    }
}

/* ---- thresholds ---- */

/* Is the break after size `at` one that matters? */
static bool break_matters(size_t n, const double x[], const double y[], double at)
{
    size_t k = 0;
    while (k < n && x[k] <= at)
        k++;
    struct line below = line_squares(k, x, y), above = line_squares(n - k, x + k, y + k);
    double there = fabs(line_at(&below, at) / line_at(&above, at) - 1);
    double last = fabs(line_at(&below, x[n - 1]) / line_at(&above, x[n - 1]) - 1);
    return fmax(there, last) >= BREAK_LEAST;
}

/* The largest distance of two sizes. */
static double stride_of(size_t n, const struct flat_point points[])
{
    double most = 0;
    for (size_t i = 1; i < n; i++)
        most = fmax(most, points[i].bytes - points[i - 1].bytes);
    return most;
}

/* A break of the first number of processes' times: medians or (low) the least ones. Only sizes at a uniform stride are
 * looked at: where small ones stand closer, what bends there counts as a break of all. False: none that matters. */
static bool break_find(size_t n, const struct flat_point points[], bool low, double *at, double *stride)
{
    size_t all = group_end(n, points, 0), k = 0;
    double *x = alloc_array(all + 1, sizeof *x), *y = alloc_array(all + 1, sizeof *y);
    double even = stride_of(all, points);
    for (size_t i = 0; i < all; i++)
        if (fmod(points[i].bytes, even) == 0) {
            x[k] = points[i].bytes;
            y[k++] = low ? least_time(&points[i]) : median_between(&points[i], 0, INFINITY);
        }
    double last, next;
    bool breaks = k >= BREAK_POINTS && threshold_break(k, x, y, &last, &next) && break_matters(k, x, y, last);
    if (breaks)
        *at = last, *stride = next;
    free(x);
    free(y);
    return breaks;
}

/* The largest size at which any operation escalated; 0: none did. */
static double last_escalated(size_t n, const struct flat_point points[], const double linear[])
{
    double last = 0;
    for (size_t i = 0; i < n; i++)
        if (count_above(&points[i], limit_of(linear[i])) > 0)
            last = fmax(last, points[i].bytes);
    return last;
}

static bool escalated_at(size_t n, const struct flat_point group[], const double linear[], double bytes)
{
    for (size_t i = 0; i < n; i++)
        if (group[i].bytes == bytes && count_above(&group[i], limit_of(linear[i])) > 0)
            return true;
    return false;
}

/* How far it is from M2 to the next size at which those numbers of processes were measured that escalated there; 0:
 * there is none. */
static double stride_after(size_t n, const struct flat_point points[], const double linear[], double M2)
{
    double last = 0;
    for (size_t from = 0, end; from < n; from = end) {
        double next = INFINITY;
        end = group_end(n, points, from);
        for (size_t i = from; i < end; i++)
            if (points[i].bytes > M2)
                next = fmin(next, points[i].bytes);
        if (!isinf(next) && escalated_at(end - from, points + from, linear + from, M2))
            last = fmax(last, next);
    }
    return last > 0 ? last - M2 : 0;
}

/* ---- beyond the formulas ---- */

/* What least squares make of the operations of one kind, small or large ones. */
struct beyond_input {
    const struct many_to_one_input *input;
    const struct machine_lmo *lmo; /* C, t and beta alone */
    double limit[2];               /* S, M2 */
};

enum { SCATTERS, GATHERS, KINDS };

/* Rows of an equation for each point: what it takes beyond the formula, in parts of what it takes. */
struct beyond_rows {
    size_t n, groups;
    double *left;  /* [n][N_LMO_BEYOND] */
    double *right; /* [n] */
};

static void row_add(struct beyond_rows *rows, const struct beyond_input *in, bool gather, bool large,
                    const struct flat_point *point, double time)
{
    const double others = point->numprocs - 1, M = point->bytes;
    double *left = rows->left + rows->n * N_LMO_BEYOND;
    int *node = alloc_array((size_t)point->numprocs, sizeof *node);
    for (int i = 0; i < point->numprocs; i++)
        node[i] = i % (int)in->input->n_nodes;
    left[LMO_BEYOND_kappa] = M / time;
    left[LMO_BEYOND_offset] = 1 / time;
    left[LMO_BEYOND_C] = others / time;
    left[LMO_BEYOND_t] = others * M / time;
    rows->right[rows->n++] = 1 - lmo_linear_time(in->lmo, gather, large, point->numprocs, 0, node, M) / time;
    free(node);
}

/* What a point takes where nothing escalates; NAN: not seen. A Scatter does not, so all of its times count, and what
 * short ones lie apart by is no reason to believe the least. */
static double linear_part(bool gather, const struct line *line, const struct flat_point *point)
{
    return gather ? median_near(point, line_at(line, point->bytes)) : median_between(point, 0, INFINITY);
}

/* The points of one number of processes, their linear part where it is seen. */
static void rows_add(struct beyond_rows *rows, const struct beyond_input *in, bool gather, bool large, size_t n,
                     const struct flat_point group[])
{
    struct line line;
    double limit = in->limit[gather], low = large ? limit : 0, high = large ? INFINITY : limit;
    if (!line_fit(n, group, low, high, &line)) {
        low = 0, high = limit;
        if (!large || !line_fit(n, group, low, high, &line))
            return;
    }
    rows->groups++;
    for (size_t i = 0; i < n; i++) {
        double linear = linear_part(gather, &line, &group[i]);
        if (group[i].bytes > low && group[i].bytes <= high && !isnan(linear))
            row_add(rows, in, gather, large, &group[i], linear);
    }
}

/* Columns are scaled to length 1, and what hardly has a direction of its own is left out (gsl_multifit_linear). */
static void rows_solve(const struct beyond_rows *rows, double fitted[N_LMO_BEYOND])
{
    const size_t unknowns = rows->groups > 1 ? N_LMO_BEYOND : LMO_BEYOND_C;
    memset(fitted, 0, N_LMO_BEYOND * sizeof *fitted);
    if (rows->n < unknowns)
        return;
    gsl_matrix *X = gsl_matrix_alloc(rows->n, unknowns), *covariance = gsl_matrix_alloc(unknowns, unknowns);
    gsl_vector *c = gsl_vector_alloc(unknowns);
    gsl_vector_const_view y = gsl_vector_const_view_array(rows->right, rows->n);
    gsl_multifit_linear_workspace *space = gsl_multifit_linear_alloc(rows->n, unknowns);
    double length[N_LMO_BEYOND] = {0}, squares;
    for (size_t i = 0; i < rows->n; i++)
        for (size_t u = 0; u < unknowns; u++)
            length[u] = hypot(length[u], rows->left[i * N_LMO_BEYOND + u]);
    for (size_t i = 0; i < rows->n; i++)
        for (size_t u = 0; u < unknowns; u++)
            gsl_matrix_set(X, i, u, rows->left[i * N_LMO_BEYOND + u] / length[u]);
    gsl_multifit_linear(X, &y.vector, c, covariance, &squares, space);
    for (size_t u = 0; u < unknowns; u++)
        fitted[u] = gsl_vector_get(c, u) / length[u];
    gsl_multifit_linear_free(space);
    gsl_vector_free(c);
    gsl_matrix_free(covariance);
    gsl_matrix_free(X);
}

static void beyond_fit(const struct beyond_input *in, bool gather, bool large, size_t n,
                       const struct flat_point points[], double fitted[N_LMO_BEYOND])
{
    struct beyond_rows rows = {.left = alloc_array(n * N_LMO_BEYOND + 1, sizeof *rows.left),
                               .right = alloc_array(n + 1, sizeof *rows.right)};
    for (size_t from = 0, end; from < n; from = end) {
        end = group_end(n, points, from);
        rows_add(&rows, in, gather, large, end - from, points + from);
    }
    rows_solve(&rows, fitted);
    free(rows.left);
    free(rows.right);
}

/* An estimator; experiments: the Scatters, then the Gathers. */
static void beyond_estimate(const void *context, const struct repeats experiments[], double parameters[])
{
    const struct beyond_input *in = context;
    const size_t n_of[KINDS] = {in->input->n_scatters, in->input->n_gathers};
    const struct flat_point *points_of[KINDS] = {in->input->scatters, in->input->gathers};
    for (int kind = SCATTERS; kind < KINDS; experiments += n_of[kind++]) {
        struct flat_point *points = alloc_array(n_of[kind] + 1, sizeof *points);
        for (size_t i = 0; i < n_of[kind]; i++)
            points[i] = (struct flat_point){points_of[kind][i].numprocs, points_of[kind][i].bytes, experiments[i], NULL};
        for (int large = 0; large < 2; large++, parameters += N_LMO_BEYOND)
            beyond_fit(in, kind == GATHERS, large, n_of[kind], points, parameters);
        free(points);
    }
}

static void beyond_find(const struct many_to_one_input *in, double M2, struct many_to_one *found)
{
    size_t n = in->n_scatters + in->n_gathers;
    struct machine_lmo lmo = lmo_formula_make(in->n_nodes, in->parameters);
    struct beyond_input context = {in, &lmo, {found->lmo.scatter_S > 0 ? found->lmo.scatter_S : INFINITY, M2}};
    struct estimate all[KINDS][2][N_LMO_BEYOND];
    struct repeats *repeats = alloc_array(n, sizeof *repeats);
    for (size_t i = 0; i < n; i++)
        repeats[i] = i < in->n_scatters ? in->scatters[i].times : in->gathers[i - in->n_scatters].times;
    bootstrap_run(&(struct bootstrap){n, KINDS * 2 * N_LMO_BEYOND, RESAMPLES, 1, beyond_estimate, &context, NULL, {0}},
                  repeats, &all[0][0][0]);
    for (int large = 0; large < 2; large++)
        for (int u = 0; u < N_LMO_BEYOND; u++) {
            all[SCATTERS][large][u].experiments = in->n_scatters;
            all[GATHERS][large][u].experiments = in->n_gathers;
            found->scatter[large][u] = all[SCATTERS][large][u];
            found->gather[large][u] = all[GATHERS][large][u];
            found->lmo.scatter[large][u] = found->scatter[large][u].value;
            found->lmo.gather[large][u] = found->gather[large][u].value;
        }
    found->lmo.has_kappa = true;
    lmo_formula_free(&lmo);
    free(repeats);
}

/* ---- escalation ---- */

static void levels_of_points(const struct many_to_one_input *in, const double linear[], double M2,
                             struct levels *levels)
{
    size_t all = 0, n = 0;
    for (size_t i = 0; i < in->n_gathers; i++)
        all += in->gathers[i].times.n;
    double *times = alloc_array(all, sizeof *times), *linears = alloc_array(all, sizeof *linears);
    for (size_t i = 0; i < in->n_gathers; i++)
        for (size_t r = 0; r < in->gathers[i].times.n && in->gathers[i].bytes <= M2; r++)
            times[n] = in->gathers[i].times.t[r], linears[n++] = linear[i];
    levels_find(n, times, linears, LEVEL_MARGIN, ESCALATION_LEAST, levels);
    free(times);
    free(linears);
}

/* counts [n_gathers][levels->n] */
static struct frequency *frequencies_make(const struct many_to_one_input *in, const double linear[],
                                          const struct levels *levels, double counts[])
{
    struct frequency *points = alloc_zeroed(in->n_gathers, sizeof *points);
    for (size_t i = 0; i < in->n_gathers; i++) {
        const struct flat_point *p = &in->gathers[i];
        double *counted = counts + i * levels->n;
        points[i] = (struct frequency){p->numprocs, p->bytes, (double)p->times.n, counted};
        for (size_t r = 0; r < p->times.n; r++) {
            size_t level = levels_classify(levels, p->times.t[r], linear[i]);
            if (level > 0)
                counted[level - 1]++;
        }
    }
    return points;
}

static void curve_add(struct machine_curve *curve, double x, double y)
{
    curve->bytes = alloc_resize(curve->bytes, curve->n + 1, sizeof *curve->bytes);
    curve->time = alloc_resize(curve->time, curve->n + 1, sizeof *curve->time);
    curve->bytes[curve->n] = x;
    curve->time[curve->n++] = y;
}

/* M1 and Mc, and the points to which surfaces are fitted, from the least M1 up to M2: of a number of processes that
 * escalates later also those where it does not yet, or its surface would be free there. Returns how many. */
static size_t limits_find(size_t n, const struct frequency points[], size_t n_levels, struct machine_lmo *lmo,
                          struct frequency between[])
{
    double beyond = floor(lmo->M2) + 1;
    double least = INFINITY;
    bool certain = false;
    size_t kept = 0;
    for (size_t from = 0, end; from < n; from = end) {
        double M1, Mc;
        for (end = from; end < n && points[end].numprocs == points[from].numprocs; end++)
            continue;
        escalation_limits(n, points, n_levels, points[from].numprocs, lmo->M2, &M1, &Mc);
        curve_add(&lmo->M1, points[from].numprocs, fmin(M1, beyond));
        curve_add(&lmo->Mc, points[from].numprocs, fmin(Mc, beyond));
        certain = certain || !isinf(Mc);
        least = fmin(least, M1);
    }
    for (size_t i = 0; i < n; i++)
        if (points[i].bytes <= lmo->M2 && points[i].bytes >= least)
            between[kept++] = points[i];
    if (!certain)
        lmo->Mc.n = 0;
    return kept;
}

static void escalation_find(const struct many_to_one_input *in, const double linear[], const struct levels *levels,
                            struct machine_lmo *lmo)
{
    double *counts = alloc_zeroed(in->n_gathers * levels->n, sizeof *counts);
    struct frequency *points = frequencies_make(in, linear, levels, counts);
    struct frequency *between = alloc_array(in->n_gathers, sizeof *between);
    lmo->n_levels = levels->n;
    lmo->levels = alloc_array(levels->n, sizeof *lmo->levels);
    memcpy(lmo->levels, levels->value, levels->n * sizeof *lmo->levels);
    lmo->levels_added = levels->added;
    size_t n = limits_find(in->n_gathers, points, levels->n, lmo, between);
    lmo->probability = alloc_zeroed(levels->n, sizeof *lmo->probability);
    surface_fit(n, between, levels->n, &shape, lmo->probability);
    free(between);
    free(points);
    free(counts);
}

/* Of pairs in a row up to M2: at each point whether the first and whether the second escalated. */
static void dependence_of_points(const struct many_to_one_input *in, const double linear[], struct many_to_one *found)
{
    struct pairs_of_two *points = alloc_zeroed(in->n_gathers, sizeof *points);
    for (size_t i = 0; i < in->n_gathers; i++) {
        const struct flat_point *p = &in->gathers[i];
        const double limit = limit_of(linear[i]);
        points[i].operations = (double)p->times.n;
        for (size_t r = 1; r < p->times.n && p->follows && p->bytes <= found->lmo.M2; r++)
            if (p->follows[r])
                points[i].n[p->times.t[r - 1] > limit][p->times.t[r] > limit]++;
    }
    const struct dependence *d = &found->dependence;
    found->has_dependence = dependence_find(in->n_gathers, points, &found->dependence);
    if (found->has_dependence && fabs(d->value) > d->half_width)
        found->lmo.dependence = fmax(-1, fmin(1, d->value));
    free(points);
}

/* ---- M1 by ratio ---- */

double flat_point_time(const struct flat_point *point)
{
    double least = least_time(point), limit = limit_of(least), time = least;
    for (size_t r = 0; r < point->times.n; r++)
        if (point->times.t[r] > limit)
            time = fmax(time, point->times.t[r]);
    return time;
}

/* Of the edges within the leap: up to the first that escalates. */
static void leap_narrow(const struct many_to_one_input *in, int numprocs, struct ratio_leap *leap)
{
    for (size_t i = 0; i < in->n_edges; i++) {
        const struct flat_point *edge = &in->edges[i];
        if (edge->numprocs != numprocs || edge->bytes <= leap->from || edge->bytes >= leap->to)
            continue;
        bool escalates = flat_point_time(edge) > THRESHOLD_RATIO * leap->time;
        *(escalates ? &leap->to : &leap->from) = edge->bytes;
    }
}

bool many_to_one_ratio(const struct many_to_one_input *in, int numprocs, struct ratio_leap *leap)
{
    size_t from = 0;
    while (from < in->n_gathers && in->gathers[from].numprocs != numprocs)
        from++;
    const struct flat_point *row = in->gathers + from;
    size_t n = group_end(in->n_gathers, in->gathers, from) - from;
    double *times = alloc_array(n + 1, sizeof *times);
    for (size_t i = 0; i < n; i++)
        times[i] = flat_point_time(&row[i]);
    size_t last = threshold_ratio(n, times, THRESHOLD_RATIO);
    if (last < n) {
        *leap = (struct ratio_leap){row[last].bytes, row[last + 1].bytes, times[last], row[last + 1].bytes};
        leap_narrow(in, numprocs, leap);
    }
    free(times);
    return last < n;
}

static void ratios_find(const struct many_to_one_input *in, struct machine_lmo *lmo)
{
    struct ratio_leap leap;
    for (size_t i = 0; i < in->n_gathers; i = group_end(in->n_gathers, in->gathers, i))
        if (many_to_one_ratio(in, in->gathers[i].numprocs, &leap))
            curve_add(&lmo->M1_by_ratio, in->gathers[i].numprocs, leap.to);
}

/* ---- how far that is known ---- */

static void fitted_add(struct many_to_one *found, const double *of, double ci95, size_t experiments)
{
    found->fitted = alloc_resize(found->fitted, found->n_fitted + 1, sizeof *found->fitted);
    found->fitted[found->n_fitted++] = (struct machine_fitted){of, ci95, (int)experiments};
}

/* A threshold of each number of processes, one of the sizes of its row, or beyond M2 where there is none. */
static void limits_known(const struct many_to_one_input *in, const struct machine_curve *limits, struct many_to_one *found)
{
    for (size_t from = 0, end, i = 0; from < in->n_gathers && i < limits->n; from = end, i++) {
        double before = 0;
        end = group_end(in->n_gathers, in->gathers, from);
        for (size_t k = from; k < end && in->gathers[k].bytes < limits->time[i]; k++)
            before = in->gathers[k].bytes;
        if (limits->time[i] <= found->lmo.M2)
            fitted_add(found, &limits->time[i], limits->time[i] - before, end - from);
    }
}

static void ratios_known(const struct many_to_one_input *in, struct many_to_one *found)
{
    struct ratio_leap leap;
    const struct machine_curve *ratios = &found->lmo.M1_by_ratio;
    for (size_t i = 0; i < ratios->n; i++) {
        const int numprocs = (int)ratios->bytes[i];
        size_t experiments = 0;
        for (size_t k = 0; k < in->n_gathers; k++)
            experiments += in->gathers[k].numprocs == numprocs;
        for (size_t k = 0; k < in->n_edges; k++)
            experiments += in->edges[k].numprocs == numprocs;
        many_to_one_ratio(in, numprocs, &leap);
        fitted_add(found, &ratios->time[i], leap.to - leap.from, experiments);
    }
}

static void all_known(const struct many_to_one_input *in, const struct levels *levels, struct many_to_one *found)
{
    const struct machine_lmo *lmo = &found->lmo;
    for (size_t l = 0; l < lmo->n_levels; l++)
        fitted_add(found, &lmo->levels[l], levels->half_width[l], levels->times[l]);
    if (lmo->scatter_S > 0)
        fitted_add(found, &lmo->scatter_S, found->S_stride, group_end(in->n_scatters, in->scatters, 0));
    limits_known(in, &lmo->M1, found);
    limits_known(in, &lmo->Mc, found);
    if (lmo->n_levels > 0 && found->M2_stride > 0)
        fitted_add(found, &lmo->M2, found->M2_stride,
                   found->M2_breaks ? group_end(in->n_gathers, in->gathers, 0) : in->n_gathers);
    ratios_known(in, found);
    const struct dependence *d = &found->dependence;
    if (found->has_dependence)
        fitted_add(found, &lmo->dependence, fabs(d->value - lmo->dependence) + d->half_width, d->pairs);
}

/* ---- all ---- */

void many_to_one_fit(const struct many_to_one_input *in, struct many_to_one *found)
{
    double *linear = alloc_array(in->n_gathers + 1, sizeof *linear), at, stride, M2 = INFINITY;
    struct levels levels;
    *found = (struct many_to_one){.M2_breaks = false};
    assert(in->n_gathers > 0);
    if (break_find(in->n_scatters, in->scatters, false, &at, &stride)) {
        found->lmo.scatter_S = at;
        found->S_stride = stride;
    }
    found->M2_breaks = break_find(in->n_gathers, in->gathers, true, &M2, &stride);
    linear_find(in->n_gathers, in->gathers, M2, linear);
    levels_of_points(in, linear, M2, &levels);
    if (levels.n > 0 && !found->M2_breaks) {
        M2 = last_escalated(in->n_gathers, in->gathers, linear);
        linear_find(in->n_gathers, in->gathers, M2, linear);
        levels_of_points(in, linear, M2, &levels); /* linear parts below M2 are known better now */
    }
    beyond_find(in, M2, found);
    if (levels.n > 0 && last_escalated(in->n_gathers, in->gathers, linear) > 0) {
        found->lmo.M2 = M2;
        if (!found->M2_breaks)
            stride = stride_after(in->n_gathers, in->gathers, linear, M2);
        found->M2_stride = stride;
        escalation_find(in, linear, &levels, &found->lmo);
        dependence_of_points(in, linear, found);
    }
    ratios_find(in, &found->lmo);
    all_known(in, &levels, found);
    free(linear);
}

void many_to_one_free(struct many_to_one *found)
{
    struct machine_lmo *lmo = &found->lmo;
    for (size_t l = 0; l < lmo->n_levels && lmo->probability; l++)
        machine_surface_free(&lmo->probability[l]);
    void *const all[] = {lmo->probability, lmo->levels, lmo->M1.bytes, lmo->M1.time, lmo->Mc.bytes, lmo->Mc.time,
                         lmo->M1_by_ratio.bytes, lmo->M1_by_ratio.time, found->fitted};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
    *found = (struct many_to_one){.M2_breaks = false};
}

/* The middle of two sizes more than `stride` apart. */
static bool middle_of(double from, double to, double stride, double *bytes)
{
    *bytes = floor((from + to) / 2);
    return to - from > stride && *bytes > from;
}

bool many_to_one_wants(size_t n, const struct flat_point points[], double stride, int *numprocs, double *bytes)
{
    double *linear = alloc_array(n + 1, sizeof *linear), M2 = INFINITY, ignored;
    bool wants = false;
    break_find(n, points, true, &M2, &ignored);
    linear_find(n, points, M2, linear);
    double last = last_escalated(n, points, linear);
    for (size_t i = 1; i < n && !wants; i++) {
        bool before = count_above(&points[i - 1], limit_of(linear[i - 1])) > 0;
        bool here = count_above(&points[i], limit_of(linear[i])) > 0;
        bool first = here && !before, ends = before && !here && points[i - 1].bytes >= last;
        for (size_t j = 0; j + 1 < i && first; j++) /* M1 is the first of its number of processes */
            first = points[j].numprocs != points[i].numprocs || count_above(&points[j], limit_of(linear[j])) == 0;
        wants = points[i - 1].numprocs == points[i].numprocs && points[i].bytes <= M2 && (first || ends) &&
                middle_of(points[i - 1].bytes, points[i].bytes, stride, bytes);
        *numprocs = points[i].numprocs;
    }
    free(linear);
    return wants;
}

double flat_point_uncertainty(const struct flat_point *point)
{
    double low, high;
    frequency_interval(count_above(point, limit_of(least_time(point))), (double)point->times.n, 0.95, &low, &high);
    return (high - low) / 2;
}
