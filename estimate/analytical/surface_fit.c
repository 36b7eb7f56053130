#include "estimate/analytical/surface_fit.h"

#include "common/alloc.h"
#include "models/bspline.h"

#include <assert.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ITERATIONS_MOST = 50000 };
#define SMOOTH 1e-3  /* penalty on second differences, in units of one average point's weight: far below what data weigh */
#define SETTLED 1e-9 /* a step that changes no coefficient by more ends the search; probabilities are read to 1e-3 */

/* One direction. */
struct axis {
    int degree;
    size_t n_knots, n; /* n: basis functions */
    double *knots;
};

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The value `at` of the way through n ascending ones. */
static double value_at(size_t n, const double values[], double at)
{
    double place = at * (double)(n - 1);
    size_t i = place < (double)(n - 1) ? (size_t)place : n - 1;
    return i + 1 < n ? values[i] + (place - (double)i) * (values[i + 1] - values[i]) : values[i];
}

/* values [n] is sorted, and holds each value once afterwards. */
static struct axis axis_make(size_t n, double values[], int degree, size_t intervals)
{
    size_t different = 1;
    qsort(values, n, sizeof *values, by_size);
    for (size_t i = 1; i < n; i++)
        if (values[i] > values[different - 1])
            values[different++] = values[i];
    struct axis axis = {.degree = (size_t)degree < different ? degree : (int)different - 1};
    size_t d = (size_t)axis.degree, room = different - d; /* as many basis functions as values at most */
    intervals = intervals < room ? intervals : room;
    axis.n = intervals + d;
    axis.n_knots = axis.n + d + 1;
    axis.knots = alloc_array(axis.n_knots, sizeof *axis.knots);
    for (size_t i = 0; i < axis.n_knots; i++) {
        double at = i <= d ? 0 : i >= axis.n ? 1 : (double)(i - d) / (double)intervals;
        axis.knots[i] = value_at(different, values, at);
    }
    return axis;
}

/* The least squares: 1/2 c' H c - b' c for each level, H [k][k], b and c [levels][k]. */
struct problem_of_fit {
    size_t k, levels;
    struct axis n, M;
    double *H, *b, *c;
};

/* What each basis function is at the point: [k], the caller frees it. */
static double *point_row(const struct problem_of_fit *p, const struct frequency *point)
{
    double by_n[BSPLINE_DEGREE_MOST + 1], by_M[BSPLINE_DEGREE_MOST + 1], *row = alloc_zeroed(p->k, sizeof *row);
    size_t i = bspline_basis(p->n.n_knots, p->n.knots, p->n.degree, point->numprocs, by_n);
    size_t j = bspline_basis(p->M.n_knots, p->M.knots, p->M.degree, point->bytes, by_M);
    for (size_t a = 0; a <= (size_t)p->n.degree; a++)
        for (size_t b = 0; b <= (size_t)p->M.degree; b++)
            row[(i + a) * p->M.n + j + b] = by_n[a] * by_M[b];
    return row;
}

static void point_add(struct problem_of_fit *p, const struct frequency *point, double weight)
{
    double *row = point_row(p, point);
    for (size_t a = 0; a < p->k; a++) {
        for (size_t b = 0; row[a] != 0 && b < p->k; b++)
            p->H[a * p->k + b] += weight * row[a] * row[b];
        for (size_t l = 0; row[a] != 0 && l < p->levels; l++)
            p->b[l * p->k + a] += weight * row[a] * point->counts[l] / point->operations;
    }
    free(row);
}

/* c[at - step] - 2 c[at] + c[at + step] */
static void difference_add(struct problem_of_fit *p, size_t at, size_t step, double weight)
{
    const size_t where[3] = {at - step, at, at + step};
    static const double by[3] = {1, -2, 1};
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            p->H[where[a] * p->k + where[b]] += weight * by[a] * by[b];
}

static void smoothness_add(struct problem_of_fit *p, double weight)
{
    for (size_t i = 0; i < p->n.n; i++)
        for (size_t j = 0; j < p->M.n; j++) {
            size_t at = i * p->M.n + j;
            if (i > 0 && i + 1 < p->n.n)
                difference_add(p, at, p->M.n, weight);
            if (j > 0 && j + 1 < p->M.n)
                difference_add(p, at, 1, weight);
        }
}

/* The nearest point with v >= 0 and sum at most 1. v [n] with a stride; sorted: room for n. */
static void project(size_t n, double v[], size_t stride, double sorted[])
{
    double sum = 0, excess = 0;
    for (size_t l = 0; l < n; l++) {
        v[l * stride] = fmax(0, v[l * stride]);
        sum += sorted[l] = v[l * stride];
    }
    if (sum <= 1)
        return;
    qsort(sorted, n, sizeof *sorted, by_size);
    sum = 0;
    for (size_t m = 1; m <= n; m++) { /* what the m largest are cut by */
        sum += sorted[n - m];
        double cut = (sum - 1) / (double)m;
        excess = sorted[n - m] > cut ? cut : excess;
    }
    for (size_t l = 0; l < n; l++)
        v[l * stride] = fmax(0, v[l * stride] - excess);
}

/* The largest sum of a row's sizes: no eigenvalue is larger. */
static double curvature_most(const struct problem_of_fit *p)
{
    double most = 0;
    for (size_t a = 0; a < p->k; a++) {
        double sum = 0;
        for (size_t b = 0; b < p->k; b++)
            sum += fabs(p->H[a * p->k + b]);
        most = fmax(most, sum);
    }
    return most;
}

/* c = the projection of y - (H y - b) / curvature. */
static void step_down(const struct problem_of_fit *p, double curvature, const double y[], double c[], double room[])
{
    for (size_t l = 0; l < p->levels; l++)
        for (size_t a = 0; a < p->k; a++) {
            double gradient = -p->b[l * p->k + a];
            for (size_t b = 0; b < p->k; b++)
                gradient += p->H[a * p->k + b] * y[l * p->k + b];
            c[l * p->k + a] = y[l * p->k + a] - gradient / curvature;
        }
    for (size_t a = 0; a < p->k; a++)
        project(p->levels, c + a, p->k, room);
}

static double *copied(size_t n, const double values[])
{
    double *copy = alloc_array(n, sizeof *copy);
    memcpy(copy, values, n * sizeof *copy);
    return copy;
}

/* From p->c on. */
static void problem_solve(struct problem_of_fit *p)
{
    size_t all = p->levels * p->k;
    double *y = copied(all, p->c), *next = alloc_zeroed(all, sizeof *next);
    double *room = alloc_array(p->levels, sizeof *room), curvature = curvature_most(p), momentum = 1, moved = INFINITY;
    for (int i = 0; i < ITERATIONS_MOST && moved > SETTLED; i++) {
        double then = (1 + sqrt(1 + 4 * momentum * momentum)) / 2;
        step_down(p, curvature, y, next, room);
        moved = 0;
        for (size_t a = 0; a < all; a++) {
            double by = next[a] - p->c[a];
            moved = fmax(moved, fabs(by));
            y[a] = next[a] + (momentum - 1) / then * by;
            p->c[a] = next[a];
        }
        momentum = then;
    }
    free(y);
    free(next);
    free(room);
}

/* What the search was still about to take to 0 is 0. */
static double *settled(size_t n, const double coefficients[])
{
    double *copy = copied(n, coefficients);
    for (size_t i = 0; i < n; i++)
        copy[i] = copy[i] < SETTLED ? 0 : copy[i];
    return copy;
}

/* One end of a level's intervals: the same fit to that end of each point's. No further in than the surface itself. */
static double *end_fit(const struct problem_of_fit *p, size_t n, const struct frequency points[], double operations,
                       size_t level, bool high)
{
    struct problem_of_fit one = *p;
    double *surface = p->c + level * p->k;
    one.levels = 1;
    one.b = alloc_zeroed(p->k, sizeof *one.b);
    one.c = copied(p->k, surface);
    for (size_t i = 0; i < n; i++) {
        double ends[2], *row = point_row(p, &points[i]);
        frequency_interval(points[i].counts[level], points[i].operations, SURFACE_CONFIDENCE, &ends[0], &ends[1]);
        for (size_t a = 0; a < p->k; a++)
            one.b[a] += points[i].operations / operations * row[a] * ends[high];
        free(row);
    }
    problem_solve(&one);
    for (size_t a = 0; a < p->k; a++)
        one.c[a] = high ? fmax(one.c[a], surface[a]) : fmin(one.c[a], surface[a]);
    free(one.b);
    return one.c;
}

static void surfaces_take(const struct problem_of_fit *p, struct machine_surface surfaces[])
{
    for (size_t l = 0; l < p->levels; l++)
        surfaces[l] = (struct machine_surface){
            .is_spline = true, .n_numprocs = p->n.n_knots, .n_bytes = p->M.n_knots, .n_coefficients = p->k,
            .degree_numprocs = p->n.degree, .degree_bytes = p->M.degree, .numprocs = copied(p->n.n_knots, p->n.knots),
            .bytes = copied(p->M.n_knots, p->M.knots), .coefficients = settled(p->k, p->c + l * p->k)};
}

void surface_fit(size_t n, const struct frequency points[], size_t n_levels, const struct surface_shape *shape,
                 struct machine_surface surfaces[])
{
    double *numprocs = alloc_array(n, sizeof *numprocs), *bytes = alloc_array(n, sizeof *bytes), operations = 0;
    assert(n > 0 && n_levels > 0);
    for (size_t i = 0; i < n; i++) {
        numprocs[i] = points[i].numprocs;
        bytes[i] = points[i].bytes;
        operations += points[i].operations;
    }
    struct problem_of_fit p = {.levels = n_levels};
    p.n = axis_make(n, numprocs, shape->degree_numprocs, shape->intervals_numprocs);
    p.M = axis_make(n, bytes, shape->degree_bytes, shape->intervals_bytes);
    p.k = p.n.n * p.M.n;
    p.H = alloc_zeroed(p.k * p.k, sizeof *p.H);
    p.b = alloc_zeroed(p.k * n_levels, sizeof *p.b);
    p.c = alloc_zeroed(p.k * n_levels, sizeof *p.c);
    for (size_t i = 0; i < n; i++)
        point_add(&p, &points[i], points[i].operations / operations);
    smoothness_add(&p, SMOOTH / (double)n);
    problem_solve(&p);
    surfaces_take(&p, surfaces);
    for (size_t l = 0; l < n_levels; l++) {
        surfaces[l].low = end_fit(&p, n, points, operations, l, false);
        surfaces[l].high = end_fit(&p, n, points, operations, l, true);
    }
    double *const all[] = {numprocs, bytes, p.n.knots, p.M.knots, p.H, p.b, p.c};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
}

void frequency_interval(double k, double n, double confidence, double *low, double *high)
{
    double tail = (1 - confidence) / 2;
    *low = k > 0 ? gsl_cdf_beta_Pinv(tail, k, n - k + 1) : 0;
    *high = k < n ? gsl_cdf_beta_Qinv(tail, k + 1, n - k) : 1;
}

void escalation_limits(size_t n, const struct frequency points[], size_t n_levels, int numprocs, double M2, double *M1,
                       double *Mc)
{
    double some_not = -INFINITY; /* the largest size at which not all escalated */
    *M1 = *Mc = INFINITY;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < n; i++) {
            const struct frequency *at = &points[i];
            double escalated = 0;
            for (size_t l = 0; l < n_levels; l++)
                escalated += at->counts[l];
            if (at->numprocs != numprocs || at->bytes > M2)
                continue;
            if (pass == 0 && escalated > 0)
                *M1 = fmin(*M1, at->bytes);
            if (pass == 0 && escalated < at->operations)
                some_not = fmax(some_not, at->bytes);
            if (pass == 1 && at->bytes > some_not)
                *Mc = fmin(*Mc, at->bytes);
        }
}
